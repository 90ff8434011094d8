"""All pairs of systems under one or several metrics."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Self

import pandas as pd

from ..conclusions.clustering import clusters
from ..errors import InputError
from ..notes import warnings_kept
from ..significance.comparisons import Comparisons, distinguished, rows_for_print
from ..significance.other_tools import reported_by
from ..significance.planning import minimum_detectable_difference
from ..significance.results import PairResult
from ..statistics.sufficient import SufficientStatistics
from ..tables import Column, printed, text_width
from .caveats import caveats
from .outcome import Layout, Outcome, Section
from .summary import summary_table
from .system_table import legend, pairs_table, system_table
from .verdicts import digits_for, verdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..report.analysis import Analysis

#: Pairs up to which a page shows their table unfolded.
FEW_PAIRS = 21
#: What of the comparisons the JSON has as it is.
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
_SACREBLEUS = ("BLEU", "chrF", "TER")
#: Where its tests depart, in few words; `mtsig_nb.significance.other_tools` has more.
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
        Gives the test of a pair from a metric's statistics and the pair's row in the table; by
        default it is computed.
    """

    kind = "pairs"
    has_pairs_to_choose = True

    comparisons: Comparisons
    statistics: Sequence[SufficientStatistics]
    warnings: tuple[str, ...] = ()
    pair_test: Callable[[SufficientStatistics, pd.Series], PairResult] | None = None

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
        )

    # --- what was found ---------------------------------------------------------------------------

    @property
    def verdicts(self) -> Mapping[str, str]:
        return self._verdicts(Layout())

    def _verdicts(self, layout: Layout) -> dict[str, str]:
        found = self.comparisons
        return {
            metric: verdict(found, metric=metric, baseline=layout.baseline, digits=layout.digits)
            for metric in found.scores
        }

    def verdict_lines(self, layout: Layout) -> list[str]:
        return list(self._verdicts(layout).values())

    @cached_property
    def notes(self) -> tuple[str, ...]:
        return tuple(caveats(self.comparisons))

    @property
    def warned(self) -> tuple[str, ...]:
        return self.warnings

    @property
    def distinguished(self) -> bool:
        return bool(distinguished(self.table).any())

    @property
    def table(self) -> pd.DataFrame:
        return self.comparisons.table

    @property
    def systems(self) -> pd.DataFrame:
        found = self.comparisons
        parts = [found.summary(metric).assign(metric=metric) for metric in found.metrics]
        table = pd.concat(parts, ignore_index=True)
        return table[["metric", *table.columns.drop("metric")]]

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
        found = self.comparisons
        n_systems = len(found.scores[found.metrics[0]])
        where = f" on {found.test_set}" if found.test_set else ""
        return f"{n_systems} systems{where}, compared by {', '.join(found.metrics)}"

    # --- how it is shown --------------------------------------------------------------------------

    def tables(self, layout: Layout) -> Iterator[Section]:
        metrics = list(self.comparisons.scores)
        how_to_read = legend(self.comparisons, baseline=layout.baseline)
        *others, last = self._fitting(layout, metrics)
        for table in others:
            yield Section(table=table)
        yield Section(table=last, caption=how_to_read)
        yield Section(caption="\n".join(self._detectable()))
        if layout.people:
            for metric in metrics:
                yield self._people(metric, layout)
        if layout.pairs:
            for metric in metrics:
                table = pairs_table(self.comparisons, metric, digits=layout.digits)
                yield Section(table=table)
        elif len(self.table) > len(metrics):
            yield Section(caption="All pairs: --pairs.")

    def _fitting(self, layout: Layout, metrics: Sequence[str]) -> Iterator[Sequence[Column]]:
        """All metrics in one table, without p if need be; or as many in each as there is room."""
        make = partial(
            system_table, self.comparisons, baseline=layout.baseline, digits=layout.digits
        )
        waiting = list(metrics)
        whole = make()
        width = layout.columns
        if len(waiting) == 1 or width is None or text_width(whole) <= width:
            yield whole
            return
        while waiting:
            n_fitting = len(waiting)
            while n_fitting > 1:
                if text_width(make(metrics=waiting[:n_fitting], brief=True)) <= width:
                    break
                n_fitting -= 1
            yield make(metrics=waiting[:n_fitting], brief=True)
            del waiting[:n_fitting]

    def _detectable(self) -> Iterator[str]:
        """How large a true difference has to be for this test set to show it."""
        analysis = self.analysis
        family = self.comparisons.n_comparisons if self.comparisons.correction else 1
        for statistics in self.statistics:
            try:
                found = minimum_detectable_difference(
                    statistics,
                    alpha=analysis.options.alpha,
                    alternative=analysis.options.alternative,
                    comparisons=family,
                    units=self.comparisons.unit,
                )
            except InputError:  # so few units that no test finds anything, as a note says
                continue
            yield found.sentence.partition("\n")[0]

    def _people(self, metric: str, layout: Layout) -> Section:
        """What people said of systems as far apart as these are from the best, or the baseline."""
        from ..meta_evaluation.by_size import agreement_by_size  # slow to import

        table = summary_table(self.comparisons, metric=metric, against=layout.baseline)
        differences = table.set_index("system")["difference"].dropna()
        differences = differences[differences != 0]
        found = agreement_by_size(metric, differences.tolist())
        shown = found.table.assign(system=differences.index, difference=differences.to_numpy())
        shares = ["agree", "low", "high", "pairs", "campaigns"]
        digits = 2 if layout.digits is None else layout.digits
        return Section(
            table=[
                *printed(shown[["system", "difference"]], digits=digits),
                *printed(shown[shares]),
            ],
            caption=f"agree: of the pairs of systems in {found.pairs['campaign'].nunique()} "
            f"embedded campaigns that {metric} puts about as far apart, the share that people "
            "order alike, with 95% limits (campaigns as units).",
        )

    def sections(self, layout: Layout) -> Iterator[Section]:
        found = self.comparisons
        if len(found.metrics) > 1:
            yield Section(
                title="All metrics",
                table=system_table(
                    found, baseline=layout.baseline, brief=True, digits=layout.digits
                ),
                caption="Systems that share a letter under a metric are not distinguished by it.",
            )
        how_to_read = legend(found, baseline=layout.baseline)
        for metric in found.metrics:
            pairs = pairs_table(found, metric, digits=layout.digits)
            n_pairs = len(pairs[0].cells)
            yield Section(
                title=metric,
                table=system_table(
                    found, metrics=[metric], baseline=layout.baseline, digits=layout.digits
                ),
                caption=how_to_read,
                figures=tuple(self._figures(metric)),
                details=pairs,
                details_title="The pair" if n_pairs == 1 else f"All {n_pairs} pairs",
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
        table = self.comparisons.table
        if len(table) > len(self.comparisons.metrics):
            return {}
        rows = {row["metric"]: row for _, row in table.iterrows()}
        find = self.pair_test or self.analysis.test_pair
        return {s.label: find(s, rows[s.label]) for s in self.statistics}

    def for_paper(self, layout: Layout) -> Sequence[Column]:
        found = self.comparisons
        if not layout.pairs:
            return system_table(found, baseline=layout.baseline, digits=layout.digits)
        return printed(rows_for_print(found), digits=self._digits(layout))

    def _digits(self, layout: Layout) -> int:
        """Decimals for a table that has all metrics below each other."""
        if layout.digits is not None:
            return layout.digits
        return max(digits_for(scores) for scores in self.comparisons.scores.values())

    def by_sacrebleu(self, test: str, baseline: str | None) -> str:
        """What sacreBLEU prints for the same systems, in a line.

        Parameters
        ----------
        test : {"bs", "ar"}
        baseline : str, optional
            What all others are set against; by default the first system.
        """
        theirs = [s for s in self.statistics if s.metric.name in _SACREBLEUS]
        if not theirs:
            return f"sacreBLEU has none of these metrics, and so no --paired-{test} of them."
        against = theirs[0].systems[0] if baseline is None else baseline
        lines = [self._printed_by_sacrebleu(test, s, against) for s in theirs]
        return (
            f"sacreBLEU's --paired-{test} would print, up to its own draws, p = {'; '.join(lines)} "
            f"(each against {against}, uncorrected): {_DEPARTURES[test]}."
        )

    def _printed_by_sacrebleu(
        self, test: str, statistics: SufficientStatistics, against: str
    ) -> str:
        options = {
            "n_resamples": self.analysis.options.n_resamples,
            "rng": self.analysis.options.seed,
        }
        pvalues = []
        for system in statistics.systems:
            if system != against:
                found = reported_by(f"sacrebleu-{test}", statistics, against, system, **options)
                pvalues.append(f"{system} {found.printed['p']}")
        return f"{statistics.label} {', '.join(pvalues)}"

    def reading_hints(self) -> Iterator[str]:
        found = self.comparisons
        if not found.correction:
            yield (
                "Nothing is corrected for the number of comparisons: among twenty true null "
                "hypotheses, one rejection at 0.05 is to be expected."
            )
        elif found.interval == "simultaneous":
            yield "p-values are corrected for the number of comparisons."
        else:
            yield (
                "p-values are corrected for the number of comparisons; intervals are not, so an "
                "interval may leave zero out where no difference was detected."
            )
        if found.interval == "simultaneous":
            yield (
                "The intervals of differences hold for all pairs together, those of scores each "
                "for its system."
            )
        yield (
            "No difference detected is not the same as no difference: see how wide the interval is."
        )
        yield (
            f"The chance in question is that of drawing other {found.unit} like these, not "
            "that of training the systems once more."
        )
        yield "A metric's verdict is not the verdict of people."

    # --- formats ----------------------------------------------------------------------------------

    def details(self, layout: Layout) -> dict[str, Any]:
        found = self.comparisons
        table = self.analysis.score_table
        intervals = found.score_intervals.items()
        return {
            **{name: getattr(found, name) for name in _SETTINGS},
            "baseline": layout.baseline,
            "notes": caveats(found, warnings=self.warnings, most=None),
            "counting": found.counting.sentence,
            "seed": found.rng,
            "signatures": found.metric_signatures,
            "higher_is_better": found.higher_is_better,
            "unused_columns": {} if table is None else table.unused,
            "scores": {metric: scores.to_dict() for metric, scores in found.scores.items()},
            "score_intervals": {metric: limits.to_dict("index") for metric, limits in intervals},
            "clusters": clusters_by_metric(found),
        }


def clusters_by_metric(comparisons: Comparisons) -> dict[str, Any]:
    """The groups of systems that are not distinguished, for each metric."""
    return {
        metric: clusters(comparisons.conclusions(metric=metric)).groups
        for metric in comparisons.metrics
    }
