"""Metrics against people: how closely each agrees with them, and every two metrics compared."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import pandas as pd

from .. import __version__
from ..campaigns.campaign import Campaign
from ..campaigns.embedded import load
from ..conclusions.clustering import clusters
from ..conclusions.deciding import WORDS, Conclusions, Signs, decide
from ..errors import InputError, check_one_of, counted
from ..human.judgements import Judgement
from ..meta_evaluation.against_gold import SoftPairwiseAccuracy, soft_pairwise_accuracy
from ..meta_evaluation.metric_comparisons import compare_metrics
from ..significance.corrections import adjust_pvalues
from ..statistics.sufficient import SufficientStatistics
from ..tables import Column, printed
from .outcome import Layout, Outcome, Section
from .pair_table import columns_of_pairs
from .rankings import for_print, with_ranks
from .system_table import interval_cells
from .verdicts import winner

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..report.analysis import Analysis

#: The name for a campaign's main judgements.
MAIN = "people"
#: Resamples of each pair's test, where no number is asked for: as many as the paper takes.
N_RESAMPLES = 1000
_PAIR_COLUMNS = [
    "metric_a",
    "metric_b",
    "accuracy_a",
    "accuracy_b",
    "difference",
    "ci_low",
    "ci_high",
    "pvalue",
]


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class MetricsOutcome(Outcome):
    """Metrics, best first, by soft pairwise accuracy, and a test of every two of them.

    Attributes
    ----------
    soft : dict of str to SoftPairwiseAccuracy
        The agreement of each metric with people, the closest first.
    table : DataFrame
        A row for every two metrics; none of a single metric.
    systems : DataFrame
        A row for each metric.
    """

    kind = "metrics"
    accepted_options = ("correction", "alpha", "n_resamples", "seed")
    why_meaningless = "metrics are compared with people by the p-values of one test"

    _ranked_by = "soft_pairwise_accuracy"

    soft: Mapping[str, SoftPairwiseAccuracy]

    @classmethod
    def from_analysis(
        cls, analysis: Analysis, statistics: Sequence[SufficientStatistics] | None = None
    ) -> Self:
        """All metrics of an analysis against its `gold`.

        Raises
        ------
        InputError
            If there are no such judgements, no metric beside them, or the scores are of several
            test sets or runs.
        """
        _check_one_test_set(analysis)
        if statistics is None:
            statistics = analysis.statistics()
        people: Judgement | SufficientStatistics
        if analysis.campaign is not None:
            people = _gold_of_campaign(load(analysis.campaign), analysis.gold)
            metrics = list(statistics)
        else:
            people, metrics = _gold_and_metrics(statistics, str(analysis.gold))
        soft = {}
        for metric in metrics:
            soft[metric.label] = soft_pairwise_accuracy(
                metric,
                people,
                n_resamples=analysis.options.n_resamples or N_RESAMPLES,
                rng=analysis.options.seed,
            )
        best_first = sorted(soft, key=lambda label: -soft[label].accuracy)
        return cls(
            analysis=analysis.without_resamples(),
            soft={label: soft[label] for label in best_first},
        )

    # --- what was found ---------------------------------------------------------------------------

    @cached_property
    def conclusions(self) -> Conclusions:
        """What is concluded of every two metrics."""
        table = self.table
        decisions = {}
        for a, b, decision in zip(
            table["metric_a"], table["metric_b"], self._decisions(table), strict=True
        ):
            decisions[a, b] = int(decision)
        return Conclusions.from_pairs(
            decisions,
            systems=list(self.soft),
            alpha=self.analysis.options.alpha,
            source=self._closest.measure,
            scores=[agreement.accuracy for agreement in self.soft.values()],
        )

    @property
    def verdicts(self) -> Mapping[str, str]:
        if len(self.soft) == 1:
            return {metric: _verdict_on_one(metric, self._closest) for metric in self.soft}
        pairs = self.table.rename(columns={"metric_a": "system_a", "metric_b": "system_b"})
        sentence = winner(self.conclusions, pairs)
        return {self._closest.measure: f"Agreement with people: {sentence}"}

    @property
    def notes(self) -> tuple[str, ...]:
        notes: list[str] = []
        table = self.analysis.score_table
        if table is not None:
            notes += table.notes
        for agreement in self.soft.values():
            notes += agreement.notes
        return tuple(dict.fromkeys(notes))

    @property
    def distinguished(self) -> bool:
        return bool(self.conclusions.matrix.any())

    @cached_property
    def table(self) -> pd.DataFrame:
        pairs = pd.DataFrame(columns=_PAIR_COLUMNS)
        if len(self.soft) > 1:
            compared = compare_metrics(self.soft).table
            pairs = compared.rename(columns={"a": "metric_a", "b": "metric_b"})[_PAIR_COLUMNS]
        correction = self.analysis.options.correction
        pairs["pvalue_adjusted"] = adjust_pvalues(pairs["pvalue"], correction)
        pairs["conclusion"] = [WORDS[int(decision)] for decision in self._decisions(pairs)]
        return pairs

    def _decisions(self, pairs: pd.DataFrame) -> Signs:
        """What is concluded of each row of a table of pairs: 1, 0 or -1."""
        alpha = self.analysis.options.alpha
        return decide(pairs["difference"], pairs["pvalue_adjusted"], alpha)

    @property
    def systems(self) -> pd.DataFrame:
        rows = {}
        for metric, agreement in self.soft.items():
            low, high = agreement.interval
            rows[metric] = {
                "soft_pairwise_accuracy": agreement.accuracy,
                "ci_low": low,
                "ci_high": high,
                "pairwise_accuracy": agreement.pairwise_accuracy,
                "pairs": len(agreement.table),
            }
        frame = pd.DataFrame.from_dict(rows, orient="index")
        frame["pairs"] = frame["pairs"].astype(int)
        return with_ranks(frame, self.conclusions).rename(columns={"system": "metric"})

    @property
    def system_names(self) -> tuple[str, ...]:
        """The metrics, which are what is compared."""
        return tuple(self.soft)

    @property
    def title(self) -> str:
        n_metrics = len(self.soft)
        plural = "s" if n_metrics > 1 else ""
        return f"{n_metrics} metric{plural} against people, on {self._closest.n_systems} systems"

    @property
    def size(self) -> str:
        n_pairs = counted(len(self._closest.table), "pair")
        return f"{n_pairs} of systems; people's p-values from: {self._closest.people}"

    @property
    def _closest(self) -> SoftPairwiseAccuracy:
        """The agreement of the metric that is closest to people."""
        return next(iter(self.soft.values()))

    @property
    def methods(self) -> str:
        options = self.analysis.options
        n_systems = self._closest.n_systems
        n_pairs = len(self._closest.table)
        sentences = [
            "We measured the agreement of metrics with people by soft pairwise accuracy (Thompson "
            "et al. 2024): one minus the distance between the one-sided p-values of metric and "
            f"people, on average over {n_pairs} pairs of {n_systems} systems. People's p-values "
            f"are from: {self._closest.people}. Intervals are 95 %, from resampling systems.",
        ]
        if len(self.table):
            plural = "s" if len(self.table) > 1 else ""
            sentences.append(
                "Differences between metrics, with 95 % intervals, were tested by Student's t with "
                f"systems as units (two-sided, level {options.alpha:g}, "
                f"{options.correction or 'no'} correction for {len(self.table)} "
                f"comparison{plural})."
            )
        sentences.append(f"Computed by mtsig_nb {__version__} (seed {options.seed}).")
        return " ".join(sentences)

    # --- how it is shown --------------------------------------------------------------------------

    def tables(self, layout: Layout) -> Iterator[Section]:
        how_to_read = (
            "soft pairwise accuracy: 1 where metric and people have the same p-values. pairwise "
            "accuracy: the share of pairs of systems that both order alike."
        )
        if len(self.soft) > 1:
            how_to_read += " Metrics that share a letter are not distinguished."
        yield Section(table=self._by_metric(layout), caption=how_to_read)
        if len(self.soft) > 1:
            yield Section(table=self._by_pair(layout))

    def sections(self, layout: Layout) -> Iterator[Section]:
        first, *_ = self.tables(layout)
        if len(self.soft) == 1:
            yield dataclasses.replace(first, figures=self.figures_for_page(layout))
            return
        yield self.section_with_pairs(layout, first.table, first.caption)

    def for_paper(self, layout: Layout) -> Sequence[Column]:
        if layout.pairs and len(self.soft) > 1:
            return columns_of_pairs(
                self.table, digits=self._digits(layout), correction=self.analysis.options.correction
            )
        return self._by_metric(layout)

    def _by_metric(self, layout: Layout) -> Sequence[Column]:
        """A row for each metric; letters and ranks only where there are several."""
        digits = self._digits(layout)
        limits = self.systems[["ci_low", "ci_high"]]
        interval = Column("interval", interval_cells(limits.to_numpy(), digits), numeric=True)
        systems = for_print(self.systems).drop(columns=limits.columns)
        metric, accuracy, *others = printed(systems, digits=digits)
        pairwise_accuracy, pairs, *letters_and_ranks = others
        columns = [metric, accuracy, interval, pairwise_accuracy, pairs]
        if len(self.soft) > 1:
            columns += letters_and_ranks
        return columns

    def _by_pair(self, layout: Layout) -> Sequence[Column]:
        """A row for every two metrics."""
        return printed(self.table, digits=self._digits(layout))

    def _digits(self, layout: Layout) -> int:
        return 3 if layout.digits is None else layout.digits

    def figures(self) -> Iterator[Figure]:
        from ..plots import pages  # matplotlib only when something is drawn

        if len(self.soft) > 1:
            yield pages.heatmap(self.conclusions)
            yield pages.cluster_diagram(clusters(self.conclusions))

    def reading_hints(self) -> Iterator[str]:
        yield "Chance here means other systems like these, not other segments or other people."
        yield (
            "Of two metrics that measure nothing useful, one may agree with people more often by "
            "chance."
        )
        yield from super().reading_hints()

    # --- formats ----------------------------------------------------------------------------------

    def details(self, layout: Layout) -> dict[str, Any]:
        return {
            "people": self._closest.people,
            "n_systems": self._closest.n_systems,
            "agreement": {metric: agreement.table for metric, agreement in self.soft.items()},
        }

    def code(self) -> str:
        options = self.analysis.options
        n_resamples = options.n_resamples or N_RESAMPLES
        lines = ["import mtsig_nb as mt", "", *self.analysis.code_for_statistics()]
        if self.analysis.campaign is None:
            name = _without_direction(str(self.analysis.gold))
            lines.append(f"place = [s.label for s in statistics].index({name!r})")
            lines.append("people = statistics.pop(place)")
        elif self.analysis.gold == MAIN:
            lines.append("people = campaign.human")
        else:
            lines.append(f"people = campaign.judgements[{self.analysis.gold!r}]")
        lines += [
            "soft = {",
            "    s.label: mt.soft_pairwise_accuracy(",
            f"        s, people, n_resamples={n_resamples}, rng={options.seed}",
            "    )",
            "    for s in statistics",
            "}",
        ]
        if len(self.soft) > 1:
            lines += [
                "best_first = sorted(soft, key=lambda metric: -soft[metric].accuracy)",
                "compared = mt.compare_metrics({metric: soft[metric] for metric in best_first})",
            ]
        return "\n".join(lines)


def _verdict_on_one(metric: str, agreement: SoftPairwiseAccuracy) -> str:
    """How closely a metric agrees with people, in a sentence."""
    low, high = agreement.interval
    n_alike = int(agreement.table["ordered"].sum())
    return (
        f"{metric}: {agreement.measure} {agreement.accuracy:.3f} (95 % interval {low:.3f} to "
        f"{high:.3f}); it orders {n_alike} of {len(agreement.table)} pairs of systems as people do."
    )


def _check_one_test_set(analysis: Analysis) -> None:
    """Raise `InputError` for scores of several test sets, or of several runs of a system."""
    table = analysis.score_table
    if table is None or not (table.has_test_sets or table.runs):
        return
    several = "runs of a system" if table.runs else "test sets"
    raise InputError(
        f"scores: {', '.join(table.files)} have several {several}, and metrics are compared with "
        "people on one. Give the scores of one only."
    )


def _gold_of_campaign(campaign: Campaign, gold: str | None) -> Judgement:
    """A campaign's judgements of the name that is asked for."""
    main = campaign.human  # raises `InputError` where there are no judgements
    check_one_of("gold", gold, [MAIN, *campaign.judgements])
    return main if gold == MAIN else campaign.judgements[str(gold)]


def _gold_and_metrics(
    statistics: Sequence[SufficientStatistics], gold: str
) -> tuple[SufficientStatistics, list[SufficientStatistics]]:
    """The statistics of people's scores, which are in the column `gold`, and of all metrics."""
    name = _without_direction(gold)
    by_label = {column.label: column for column in statistics}
    people = by_label.pop(name)
    if not by_label:
        raise InputError(
            f"metric: there is none besides {name!r}, which has people's scores. Give the scores "
            "of a metric as well."
        )
    return people, list(by_label.values())


def _without_direction(gold: str) -> str:
    """The name of a column, without the direction that may follow it, as in ``"mqm:lower"``."""
    return re.sub(r":(lower|higher)$", "", gold, flags=re.IGNORECASE)
