"""All pairs of systems under one or several metrics."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ..conclusions.clustering import clusters
from ..errors import InputError
from ..frames import pd
from ..notes import warnings_kept
from ..significance.comparisons import Comparisons, distinguished
from ..significance.examples import Differences
from ..significance.other_tools import reported_by
from ..significance.planning import minimum_detectable_difference
from ..significance.results import PairResult
from ..statistics.sufficient import SufficientStatistics
from ..tables import Column, printed, text_width
from ..texts.test_set import Texts
from .caveats import caveats
from .examples import PairExamples, pairs_to_show, texts_from
from .outcome import Layout, Outcome, Section, heading_of_pairs
from .pair_table import columns_of_pairs, legend_of_pairs
from .summary import summary_table
from .system_table import (
    legend,
    legend_of_columns,
    legends_by_column,
    pairs_table,
    panel_of,
    system_table,
)
from .verdicts import verdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..plots.column import Panel
    from ..report.analysis import Analysis

#: Pairs up to which a page shows their table unfolded.
FEW_PAIRS = 21
#: Attributes of the comparisons that the JSON has as they are.
_SETTINGS = (
    "test",
    "correction",
    "n_comparisons",
    "alternative",
    "alpha",
    "n_resamples",
    "unit",
    "n_units",
    "test_set",
    "confidence_level",
    "interval",
    "interval_resamples",
)
#: The metrics that sacreBLEU computes.
_METRICS_OF_SACREBLEU = ("BLEU", "chrF", "TER")
#: Where sacreBLEU's tests depart from ours; `mtsig_nb.significance.other_tools` says more.
_DEPARTURES = {
    "bs": "it counts one of the two tails, so that p is too small, by about half where the "
    "resamples are symmetric",
    "ar": "it does not count ties, which matters where few segments differ",
}


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PairsOutcome(Outcome):
    """Every pair of systems, tested and corrected.

    Attributes
    ----------
    comparisons : Comparisons
    statistics : sequence of SufficientStatistics
        Those of every metric.
    warnings : tuple of str
        What was warned of while they were computed.
    pair_test : callable, optional
        Gives the test of a pair from a metric's statistics and the pair's row; by default it
        is computed.
    texts : Texts, optional
        The texts that the statistics were counted in.
    """

    kind = "pairs"
    has_pairs_to_choose = True

    comparisons: Comparisons
    statistics: Sequence[SufficientStatistics]
    warnings: tuple[str, ...] = ()
    pair_test: Callable[[SufficientStatistics, np.void], PairResult] | None = None
    texts: Texts | None = None

    @classmethod
    def from_analysis(
        cls, analysis: Analysis, statistics: Sequence[SufficientStatistics] | None = None
    ) -> Self:
        """All pairs of systems, with raters, if there are any, averaged and not counted."""
        with warnings_kept() as warned:
            measured = analysis.statistics() if statistics is None else statistics
            compared = analysis.compare(measured)
        return cls(
            analysis=analysis.resolved,
            comparisons=compared,
            statistics=measured,
            warnings=tuple(warned),
            texts=analysis.texts_read,
        )

    # --- what was found ---------------------------------------------------------------------------

    @property
    def verdicts(self) -> Mapping[str, str]:
        return verdicts_by_metric(self.comparisons, Layout())

    def verdict_lines(self, layout: Layout) -> list[str]:
        return list(verdicts_by_metric(self.comparisons, layout).values())

    @cached_property
    def notes(self) -> tuple[str, ...]:
        return tuple(caveats(self.comparisons))

    @property
    def warned(self) -> tuple[str, ...]:
        return self.warnings

    @property
    def distinguished(self) -> bool:
        return bool(distinguished(self.comparisons.rows).any())

    @property
    def table(self) -> pd.DataFrame:
        return self.comparisons.table

    @property
    def systems(self) -> pd.DataFrame:
        return systems_by_metric(self.comparisons)

    @cached_property
    def methods(self) -> str:
        return self.comparisons.methods_sentence()

    @cached_property
    def signature(self) -> str:
        return self.comparisons.signature

    @property
    def system_names(self) -> tuple[str, ...]:
        return tuple(self.statistics[0].systems)

    @property
    def title(self) -> str:
        test_set = self.comparisons.test_set
        metrics = self.comparisons.metrics
        n_systems = len(self.comparisons.scores_by_metric[metrics[0]])
        where = f" on {test_set}" if test_set else ""
        return f"{n_systems} systems{where}, compared by {', '.join(metrics)}"

    @property
    def size(self) -> str:
        return f"{self.comparisons.n_units:,} {self.comparisons.unit}"

    # --- how it is shown --------------------------------------------------------------------------

    def tables(self, layout: Layout) -> Iterator[Section]:
        metrics = self.comparisons.metrics
        *first_tables, last_table = self._tables_of_systems(layout, metrics)
        how_to_read = legend_of_columns(self.comparisons, last_table, baseline=layout.baseline)
        for table in first_tables:
            yield Section(table=table)
        below = [how_to_read, "\n".join(self._detectable())]
        if len(self.comparisons.rows) > len(metrics) and not layout.pairs:
            below.append("All pairs: --pairs.")
        yield Section(table=last_table, caption="\n\n".join(filter(None, below)))
        if layout.people:
            for metric in metrics:
                yield self._people(metric, layout)
        if layout.pairs:
            for metric in metrics:
                table = pairs_table(self.comparisons, metric, digits=layout.digits)
                yield Section(table=table)

    def _tables_of_systems(
        self, layout: Layout, metrics: Sequence[str]
    ) -> Iterator[Sequence[Column]]:
        """All metrics in one table if there is room; or without p, as many in each as fit."""
        make = partial(
            system_table, self.comparisons, baseline=layout.baseline, digits=layout.digits
        )
        all_metrics = make()
        width = layout.columns
        if len(metrics) == 1 or width is None or text_width(all_metrics) <= width:
            yield all_metrics
            return
        remaining = list(metrics)
        while remaining:
            n_shown = len(remaining)
            table = make(metrics=remaining, brief=True)
            while n_shown > 1 and text_width(table) > width:
                n_shown -= 1
                table = make(metrics=remaining[:n_shown], brief=True)
            yield table
            remaining = remaining[n_shown:]

    def _detectable(self) -> Iterator[str]:
        """How large a true difference has to be for this test set to show it, for each metric."""
        options = self.analysis.options
        family_size = self.comparisons.n_comparisons if self.comparisons.correction else 1
        for statistics in self.statistics:
            try:
                detectable = minimum_detectable_difference(
                    statistics,
                    alpha=options.alpha,
                    alternative=options.alternative,
                    comparisons=family_size,
                    units=self.comparisons.unit,
                )
            except InputError:  # so few units that no test finds anything, as a note says
                continue
            first_line, _, _ = detectable.sentence.partition("\n")
            yield first_line

    def _people(self, metric: str, layout: Layout) -> Section:
        """What people said of systems as far apart as these are from the best, or the baseline."""
        from ..meta_evaluation.by_size import agreement_by_size  # slow to import

        summary = summary_table(self.comparisons, metric=metric, against=layout.baseline)
        differences = summary.set_index("system")["difference"].dropna()
        differences = differences[differences != 0]
        agreement = agreement_by_size(metric, differences.tolist())
        table = agreement.table.assign(system=differences.index, difference=differences.to_numpy())
        digits = 2 if layout.digits is None else layout.digits
        columns = printed(table[["system", "difference"]], digits=digits)
        columns += printed(table[["agree", "low", "high", "pairs", "campaigns"]])
        n_campaigns = agreement.pairs["campaign"].nunique()
        return Section(
            table=columns,
            caption=(
                f"agree: of the pairs of systems in {n_campaigns} embedded campaigns that are "
                f"about as far apart by {metric}, the share that people order in the same way, "
                "with 95% limits (campaigns as units)."
            ),
        )

    def sections(self, layout: Layout) -> Iterator[Section]:
        comparisons = self.comparisons
        make_table = partial(
            system_table, comparisons, baseline=layout.baseline, digits=layout.digits
        )
        if len(comparisons.metrics) > 1:
            # There is room for the heading that a screen's table does without.
            all_metrics = [
                dataclasses.replace(column, heading=column.heading or "letters")
                for column in make_table(brief=True)
            ]
            yield Section(
                title="All metrics",
                table=all_metrics,
                caption="Systems that share a letter under a metric are not distinguished by it.",
            )
        how_to_read = legend(comparisons, baseline=layout.baseline)
        for metric in comparisons.metrics:
            pairs = pairs_table(comparisons, metric, digits=layout.digits)
            yield Section(
                title=metric,
                table=make_table(metrics=[metric]),
                caption=how_to_read,
                figures=tuple(self._figures(metric)),
                details=pairs,
                details_title=heading_of_pairs(len(pairs[0].cells)),
            )

    def figures(self) -> Iterator[Figure]:
        for metric in self.comparisons.metrics:
            yield from self._figures(metric)

    def _figures(self, metric: str) -> Iterator[Figure]:
        from ..plots import pages  # matplotlib only when something is drawn

        if metric in self.pair_tests:
            yield pages.null_distribution(self.pair_tests[metric])
            return
        conclusions = self.comparisons.conclusions(metric=metric)
        yield pages.heatmap(conclusions)
        yield pages.cluster_diagram(clusters(conclusions))

    @cached_property
    def pair_tests(self) -> dict[str, PairResult]:
        """For each metric the test of the pair, where there are only two systems."""
        rows = self.comparisons.rows
        if len(rows) > len(self.comparisons.metrics):
            return {}
        row_of = {row["metric"]: row for row in rows}
        run = self.pair_test or self.analysis.test_pair
        tests = {}
        for statistics in self.statistics:
            metric = statistics.label
            tests[metric] = run(statistics, row_of[metric])
        return tests

    def panels(self, layout: Layout) -> Iterator[Panel]:
        for metric in self.comparisons.metrics:
            yield panel_of(self.comparisons, metric, layout.baseline)

    def for_paper(self, layout: Layout) -> Sequence[Column]:
        if layout.pairs:
            return columns_of_pairs(
                self.table, digits=layout.digits, correction=self.comparisons.correction
            )
        return system_table(self.comparisons, baseline=layout.baseline, digits=layout.digits)

    def legend_for_paper(self, layout: Layout) -> str:
        if layout.pairs:
            return legend_of_pairs(self.comparisons)
        return legend(self.comparisons, baseline=layout.baseline, ranks=False, pvalues=False)

    @property
    def legends_for_paper(self) -> Mapping[str, str]:
        return legends_by_column(self.comparisons)

    @property
    def metric_signatures(self) -> Mapping[str, str]:
        return self.comparisons.metric_signatures

    def by_sacrebleu(self, test: str, baseline: str | None) -> str:
        """What sacreBLEU prints for the same systems, in a line.

        Parameters
        ----------
        test : {"bs", "ar"}
        baseline : str, optional
            What all others are set against; by default the first system.
        """
        known_to_both = [s for s in self.statistics if s.metric.name in _METRICS_OF_SACREBLEU]
        if not known_to_both:
            return f"sacreBLEU has none of these metrics, and so no --paired-{test} of them."
        against = known_to_both[0].systems[0] if baseline is None else baseline
        lines = [self._printed_by_sacrebleu(test, s, against) for s in known_to_both]
        return (
            f"sacreBLEU's --paired-{test} would print, up to its own draws, p = {'; '.join(lines)} "
            f"(each against {against}, uncorrected): {_DEPARTURES[test]}."
        )

    def _printed_by_sacrebleu(
        self, test: str, statistics: SufficientStatistics, against: str
    ) -> str:
        """The p-values that sacreBLEU would print for a metric, each after its system."""
        pvalues = []
        for system in statistics.systems:
            if system == against:
                continue
            report = reported_by(
                f"sacrebleu-{test}",
                statistics,
                against,
                system,
                n_resamples=self.analysis.options.n_resamples,
                rng=self.analysis.options.seed,
            )
            pvalues.append(f"{system} {report.printed['p']}")
        return f"{statistics.label} {', '.join(pvalues)}"

    def reading_hints(self) -> Iterator[str]:
        comparisons = self.comparisons
        if not comparisons.correction:
            yield (
                "Nothing is corrected for the number of comparisons: among twenty true null "
                "hypotheses, one rejection at 0.05 is to be expected."
            )
        elif comparisons.interval == "simultaneous":
            yield "p-values are corrected for the number of comparisons."
        else:
            yield (
                "p-values are corrected for the number of comparisons; intervals are not, so an "
                "interval may exclude zero where no difference was detected."
            )
        if comparisons.interval == "simultaneous":
            yield (
                "The intervals of differences hold for all pairs together, those of scores each "
                "for its system."
            )
        yield (
            "No difference detected is not the same as no difference: see how wide the interval is."
        )
        yield (
            f"Chance here means drawing other {comparisons.unit} like these, not training the "
            "systems once more."
        )
        yield "A metric's verdict is not the verdict of people."

    def pair_examples(self, n: int, *, baseline: str | None = None) -> list[PairExamples]:
        texts = texts_from(self.texts, self.analysis.score_table)
        unit = self.comparisons.unit
        found = []
        for statistics in self.statistics:
            metric = statistics.label
            for system_a, system_b in pairs_to_show(self.comparisons, metric, baseline):
                differences = Differences.of(statistics, system_a, system_b, unit)
                examples = PairExamples.of(differences, metric=metric, unit=unit, n=n, texts=texts)
                found.append(examples)
        return found

    # --- formats ----------------------------------------------------------------------------------

    def details(self, layout: Layout) -> dict[str, Any]:
        comparisons = self.comparisons
        table = self.analysis.score_table
        scores = comparisons.scores.items()
        intervals = comparisons.score_intervals.items()
        return {
            **{name: getattr(comparisons, name) for name in _SETTINGS},
            "baseline": layout.baseline,
            "notes": caveats(comparisons, warnings=self.warnings, most=None),
            "counting": comparisons.counting.sentence,
            "seed": comparisons.rng,
            "signatures": comparisons.metric_signatures,
            "higher_is_better": comparisons.higher_is_better,
            "unused_columns": {} if table is None else table.unused,
            "scores": {metric: of_systems.to_dict() for metric, of_systems in scores},
            "score_intervals": {metric: limits.to_dict("index") for metric, limits in intervals},
            "clusters": clusters_by_metric(comparisons),
        }


def verdicts_by_metric(comparisons: Comparisons, layout: Layout) -> dict[str, str]:
    """The verdict under each metric, against the layout's baseline and with its decimals."""
    return {
        metric: verdict(comparisons, metric=metric, baseline=layout.baseline, digits=layout.digits)
        for metric in comparisons.metrics
    }


def systems_by_metric(comparisons: Comparisons) -> pd.DataFrame:
    """The summary under each metric, one below the other: metric, system, score and so on."""
    summaries = []
    for metric in comparisons.metrics:
        summary = comparisons.summary(metric)
        summary.insert(0, "metric", metric)
        summaries.append(summary)
    return pd.concat(summaries, ignore_index=True)


def clusters_by_metric(comparisons: Comparisons) -> dict[str, Any]:
    """The groups of systems that are not distinguished, for each metric."""
    return {
        metric: clusters(comparisons.conclusions(metric=metric)).groups
        for metric in comparisons.metrics
    }
