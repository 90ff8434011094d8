"""All pairs of systems by people's ratings, whose raters are a sample as segments are."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Self

import pandas as pd

from .. import __version__
from ..conclusions.deciding import WORDS, Conclusions
from ..conclusions.ranking import rank_table
from ..engine.procedures import Alternative
from ..errors import check_all_of
from ..human.pair_tests import PairTests
from ..human.variance_components import UNITS, all_pairs_over_samples
from ..significance.corrections import adjust_pvalues
from ..tables import Column, printed
from .caveats import caveats_of_people
from .outcome import Layout, Outcome, Section
from .system_table import open_ranks
from .verdicts import digits_for, winner

if TYPE_CHECKING:
    from ..report.analysis import Analysis
    from ..statistics.sufficient import SufficientStatistics


@dataclasses.dataclass(frozen=True, kw_only=True)
class MetricRatings:
    """What ratings under one metric say.

    Attributes
    ----------
    conclusions : Conclusions
    systems, pairs : DataFrame
        Every row, unrounded.
    tests : PairTests
    """

    conclusions: Conclusions
    systems: pd.DataFrame
    pairs: pd.DataFrame
    tests: PairTests


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class RatingsOutcome(Outcome):
    """Every pair of systems, with raters, documents and segments as samples from many.

    Attributes
    ----------
    by_metric : dict of str to MetricRatings
    samples : tuple of str
        What is a sample from many, such as raters.
    """

    kind = "ratings"
    accepted_options = ("correction", "alpha", "alternative", "units", "counting", "seed")
    why_meaningless = "ratings have t tests, and no resamples"
    has_pairs_to_choose = True

    by_metric: Mapping[str, MetricRatings]
    samples: tuple[str, ...]

    @classmethod
    def from_analysis(
        cls, analysis: Analysis, statistics: Sequence[SufficientStatistics] | None = None
    ) -> Self:
        """All pairs of systems in a table that has several people's ratings; no statistics."""
        table = analysis.score_table
        assert table is not None
        assert table.ratings is not None  # from where this comes
        analysis = analysis.without_resamples()
        by_metric, samples = rated_by_metric(
            table.ratings,
            table.metrics,
            systems=tuple(analysis.systems),
            alternative=analysis.options.alternative,
            alpha=analysis.options.alpha,
            correction=analysis.options.correction,
        )
        return cls(analysis=analysis, by_metric=by_metric, samples=samples)

    @property
    def verdicts(self) -> Mapping[str, str]:
        return {
            metric: f"{metric}: {winner(found.conclusions, found.pairs)}"
            for metric, found in self.by_metric.items()
        }

    @property
    def notes(self) -> tuple[str, ...]:
        table = self.analysis.score_table
        notes: list[str] = [] if table is None else list(table.notes)
        for found in self.by_metric.values():
            notes = caveats_of_people(found.tests, notes)
        return tuple(notes)

    @property
    def distinguished(self) -> bool:
        return bool((self.table["conclusion"] != WORDS[0]).any())

    @property
    def table(self) -> pd.DataFrame:
        return _with_metrics({metric: found.pairs for metric, found in self.by_metric.items()})

    @property
    def systems(self) -> pd.DataFrame:
        return _with_metrics({metric: found.systems for metric, found in self.by_metric.items()})

    @property
    def methods(self) -> str:
        options = self.analysis.options
        n_pairs = len(self.table)
        plural = "s" if n_pairs > 1 else ""
        return (
            f"We compared mean ratings of {n_pairs} pair{plural} by Student's t, with standard "
            f"errors that count {_enumerated(self.samples)} as samples (variance components by "
            f"moments, Satterthwaite's degrees of freedom; {options.alternative}, level "
            f"{options.alpha:g}, {options.correction or 'no'} correction). Intervals are of each "
            f"difference, 95 %, not corrected. Computed by mtsig_nb {__version__}, without "
            "resamples."
        )

    def tables(self, layout: Layout) -> Iterator[Section]:
        shares = [f"{m}: {_shares(found.pairs)}" for m, found in self.by_metric.items()]
        yield Section(
            caption=f"Counted as samples: {_enumerated(self.samples)}. Their shares of the squared "
            f"standard error of a difference, on average over pairs: {' '.join(shares)}"
        )
        yield Section(
            table=self.for_paper(layout),
            caption="difference: the best system minus this one, with its interval and corrected "
            "p. With --units segments, raters are averaged and not counted.",
        )
        if layout.pairs:
            yield Section(table=printed(self.table, digits=self._digits(layout)))

    def for_paper(self, layout: Layout) -> Sequence[Column]:
        return printed(for_print(self.systems), digits=self._digits(layout))

    def _digits(self, layout: Layout) -> int:
        return digits_for(self.systems["score"]) if layout.digits is None else layout.digits

    def code(self) -> str:
        analysis = self.analysis
        table = analysis.score_table
        assert table is not None  # where the ratings are from
        lines = ["import mtsig_nb as mt", "", analysis.code_for_table(), "ratings = table.ratings"]
        if analysis.systems:
            chosen = list(analysis.systems)
            lines.append(f"ratings = ratings[ratings['system'].isin({chosen!r})]")
        for metric, higher in table.metrics.items():
            sign = "" if higher else "-"
            lines += [
                "",
                f"# {metric}, so that more is better",
                f"frame = ratings.assign(raw={sign}ratings[{metric!r}])",
                "rated = mt.human.Ratings(frame, scale=None)",
                "tests = rated.tests_over_samples(",
                f"    standardised=False, alternative={analysis.options.alternative!r}",
                ")",
                f"conclusions = tests.conclusions({analysis.options.alpha!r}, "
                f"correction={analysis.options.correction!r})",
            ]
        return "\n".join(lines)

    def reading_hints(self) -> Iterator[str]:
        yield (
            f"The chance in question is that of drawing other {_enumerated(self.samples)} "
            "like these."
        )
        yield from super().reading_hints()


def rated_by_metric(
    ratings: pd.DataFrame,
    higher_is_better: Mapping[str, bool],
    *,
    systems: Sequence[str],
    alternative: Alternative,
    alpha: float,
    correction: str | None,
) -> tuple[dict[str, MetricRatings], tuple[str, ...]]:
    """All pairs under each metric, and what was counted as a sample.

    Parameters
    ----------
    ratings : DataFrame
        ``system``, ``segment``, ``rater``, maybe ``document``, and a column for each metric.
    higher_is_better : mapping of str to bool
        The metrics.
    systems : sequence of str
        Those to compare; by default all.

    Raises
    ------
    InputError
        For a system that is not there.
    """
    check_all_of("system", systems, list(dict.fromkeys(ratings["system"])))
    if systems:
        ratings = ratings[ratings["system"].isin(list(systems))]
    found = {}
    for metric, higher in higher_is_better.items():
        sign = 1 if higher else -1
        frame = ratings.assign(value=sign * ratings[metric])
        tests = all_pairs_over_samples(frame, samples=None, alternative=alternative)
        found[metric] = _of_metric(tests, sign, alpha=alpha, correction=correction)
    varied = [name for name in UNITS if name in ratings and ratings[name].nunique() > 1]
    return found, tuple(f"{name}s" for name in varied)


def _of_metric(
    tests: PairTests, sign: int, *, alpha: float, correction: str | None
) -> MetricRatings:
    """What tests conclude of scores that were multiplied by `sign`, so that more is better."""
    conclusions, pairs = concluded(tests, alpha=alpha, correction=correction)
    pairs[["score_a", "score_b"]] *= sign
    best = pairs[pairs["system_a"] == conclusions.systems[0]].set_index("system_b")
    against_best = best[["difference", "low", "high", "pvalue_adjusted"]]
    scores = (sign * tests.scores).rename("score").to_frame()
    return MetricRatings(
        conclusions=conclusions,
        systems=with_ranks(scores.join(against_best), conclusions),
        pairs=pairs,
        tests=tests,
    )


def concluded(
    tests: PairTests, *, alpha: float, correction: str | None
) -> tuple[Conclusions, pd.DataFrame]:
    """What tests of people conclude, and their table with it."""
    conclusions = tests.conclusions(alpha, correction=correction)
    pairs = tests.table.drop(columns="note")
    pairs["pvalue_adjusted"] = adjust_pvalues(pairs["pvalue"], correction)
    both = zip(pairs["system_a"], pairs["system_b"], strict=True)
    return conclusions, pairs.assign(conclusion=[conclusions.word(*pair) for pair in both])


def with_ranks(systems: pd.DataFrame, conclusions: Conclusions) -> pd.DataFrame:
    """A table by systems with their letters, and the ranks that wins and losses leave open."""
    ranks = rank_table(conclusions).set_index("system")[["letters", "rank_top", "rank_bottom"]]
    return systems.join(ranks).rename_axis("system").reset_index()


def for_print(systems: pd.DataFrame) -> pd.DataFrame:
    """The same, its ranks in one column."""
    return systems.drop(columns=["rank_top", "rank_bottom"]).assign(ranks=open_ranks(systems))


def _with_metrics(by_metric: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Tables below each other, with a first column that names the metric."""
    whole = pd.concat(by_metric, names=["metric"])
    return whole.reset_index("metric").reset_index(drop=True)


def _shares(pairs: pd.DataFrame) -> str:
    """What squared standard errors are made of, on average over pairs."""
    shares = pairs.filter(like="share_").mean().sort_values(ascending=False)
    named = [
        f"{share:.0%} {str(name).removeprefix('share_')}"
        for name, share in shares.items()
        if share >= 0.005
    ]
    return f"{', '.join(named)}."


def _enumerated(names: Sequence[str]) -> str:
    """Names with "and" before the last."""
    return " and ".join(", ".join(names).rsplit(", ", 1))
