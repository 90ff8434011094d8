"""All pairs of systems over several test sets, and on each of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import pandas as pd

from ..conclusions.clustering import clusters
from ..significance.comparisons import distinguished
from ..significance.examples import Differences
from ..significance.over_test_sets import OVERALL, SetComparisons
from ..statistics.many_test_sets import ScoredSets
from ..tables import Column
from .caveats import caveats
from .examples import PairExamples, pairs_to_show, texts_from
from .outcome import Layout, Outcome, Section, sizes_in_words
from .pair_table import columns_of_pairs, legend_of_pairs
from .pairs import clusters_by_metric, systems_by_metric, verdicts_by_metric
from .system_table import (
    by_test_set,
    legend,
    legends_by_column,
    pairs_table,
    panel_of,
    system_table,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..plots.column import Panel
    from ..report.analysis import Analysis
    from ..statistics.sufficient import SufficientStatistics


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class TestSetsOutcome(Outcome):
    """Every pair of systems by the mean over all test sets, and on each test set.

    Attributes
    ----------
    sets : SetComparisons
    scored : sequence of ScoredSets
        The statistics of every metric.
    """

    kind = "test sets"
    __test__ = False  # for pytest: no test, in spite of its name

    has_pairs_to_choose = True

    sets: SetComparisons
    scored: Sequence[ScoredSets]

    @classmethod
    def from_analysis(
        cls, analysis: Analysis, statistics: Sequence[SufficientStatistics] | None = None
    ) -> Self:
        """All pairs over the test sets of the analysis; `statistics` are not used."""
        scored = analysis.test_sets()
        compared = analysis.compare(scored)
        assert isinstance(compared, SetComparisons)  # of several test sets
        return cls(analysis=analysis.resolved, sets=compared, scored=scored)

    @property
    def verdicts(self) -> Mapping[str, str]:
        return verdicts_by_metric(self.sets.overall, Layout())

    def verdict_lines(self, layout: Layout) -> list[str]:
        return list(verdicts_by_metric(self.sets.overall, layout).values())

    @cached_property
    def notes(self) -> tuple[str, ...]:
        return tuple(caveats(self.sets))

    @property
    def distinguished(self) -> bool:
        return bool(distinguished(self.table).any())

    @property
    def table(self) -> pd.DataFrame:
        return self.sets.table

    @property
    def systems(self) -> pd.DataFrame:
        return systems_by_metric(self.sets.overall)

    @cached_property
    def methods(self) -> str:
        return self.sets.methods_sentence()

    @cached_property
    def signature(self) -> str:
        return self.sets.signature

    @property
    def title(self) -> str:
        overall = self.sets.overall
        n_systems = len(overall.scores_by_metric[overall.metrics[0]])
        metrics = [metric.partition(" over ")[0] for metric in overall.metrics]
        return f"{n_systems} systems on {self.sets.test_set}, compared by {', '.join(metrics)}"

    @property
    def size(self) -> str:
        test_sets = self.sets.by_test_set
        single = test_sets[test_sets["test_set"] != OVERALL]
        names = list(dict.fromkeys(single["test_set"]))
        return sizes_in_words(names, single["n_units"].tolist(), self.sets.unit)

    def tables(self, layout: Layout) -> Iterator[Section]:
        overall = self.sets.overall
        yield Section(
            table=system_table(overall, baseline=layout.baseline, digits=layout.digits),
            caption=legend(overall, baseline=layout.baseline),
        )
        yield Section(title="Each test set", table=by_test_set(self.sets, layout.digits))
        if layout.pairs:
            for metric in overall.metrics:
                yield Section(table=pairs_table(overall, metric, digits=layout.digits))

    def figures(self) -> Iterator[Figure]:
        from ..plots import pages  # matplotlib only when something is drawn

        overall = self.sets.overall
        for metric in overall.metrics:
            conclusions = overall.conclusions(metric=metric)
            yield pages.heatmap(conclusions)
            yield pages.cluster_diagram(clusters(conclusions))

    def panels(self, layout: Layout) -> Iterator[Panel]:
        for metric in self.sets.overall.metrics:
            yield panel_of(self.sets.overall, metric, layout.baseline)

    def for_paper(self, layout: Layout) -> Sequence[Column]:
        overall = self.sets.overall
        if layout.pairs:
            return columns_of_pairs(
                overall.table, digits=layout.digits, correction=overall.correction
            )
        return system_table(overall, baseline=layout.baseline, digits=layout.digits)

    def pair_examples(self, n: int, *, baseline: str | None = None) -> list[PairExamples]:
        texts = texts_from(None, self.analysis.score_table)
        found = []
        for sets in self.scored:
            metric = sets.overall.label
            for system_a, system_b in pairs_to_show(self.sets.overall, metric, baseline):
                differences = Differences.over_test_sets(sets, system_a, system_b)
                examples = PairExamples.of(
                    differences, metric=metric, unit=sets.unit, n=n, texts=texts
                )
                found.append(examples)
        return found

    def legend_for_paper(self, layout: Layout) -> str:
        if layout.pairs:
            return legend_of_pairs(self.sets.overall)
        return legend(self.sets.overall, baseline=layout.baseline, ranks=False, pvalues=False)

    @property
    def legends_for_paper(self) -> Mapping[str, str]:
        return legends_by_column(self.sets.overall)

    @property
    def metric_signatures(self) -> Mapping[str, str]:
        return self.sets.metric_signatures

    def code(self) -> str:
        """Python code that finds the same: the means over all test sets, and each test set."""
        analysis = self.analysis
        lines = [
            "import mtsig_nb as mt",
            "",
            analysis.code_for_table(),
            f"sets = {analysis.code_for_test_sets()}",
            "comparisons = mt.compare_all(",
            "    sets,",
        ]
        for name, value in analysis.resolved.options.arguments().items():
            lines.append(f"    {name}={value!r},")
        lines.append(")")
        return "\n".join(lines)

    def reading_hints(self) -> Iterator[str]:
        yield "The verdict is about the mean over all test sets, each of the same weight."
        yield from super().reading_hints()

    def details(self, layout: Layout) -> dict[str, Any]:
        scores = self.sets.scores.items()
        return {
            "baseline": layout.baseline,
            "scores": {metric: of_systems.to_dict() for metric, of_systems in scores},
            "clusters": clusters_by_metric(self.sets.overall),
            "test_sets": self.sets.by_test_set,
            "pairing": self.sets.pairing,
        }
