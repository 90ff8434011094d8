"""All systems by people's ratings, whose raters are a sample as documents and segments are."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Self

import pandas as pd

from .. import __version__
from ..conclusions.deciding import WORDS
from ..errors import check_all_of, counted
from ..human.variance_components import UNITS
from ..notes import Note, code_of
from ..tables import Column, printed
from .caveats import caveats_of_people
from .outcome import Layout, Outcome, Section
from .rankings import Ranking, for_print, rankings_by_ratings
from .verdicts import digits_for, winner

if TYPE_CHECKING:
    from ..report.analysis import Analysis
    from ..statistics.sufficient import SufficientStatistics


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class RatingsOutcome(Outcome):
    """Every pair of systems by a mixed model, with raters, documents and segments as samples.

    Attributes
    ----------
    rankings : tuple of Ranking
        By metric; of several test sets that of their mean first, and then each.
    samples : tuple of str
        What is a sample from many, such as raters.
    """

    kind = "ratings"
    accepted_options = ("correction", "alpha", "alternative", "units", "seed")
    why_meaningless = "ratings have t tests, and no resamples"
    has_pairs_to_choose = True

    rankings: tuple[Ranking, ...]
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
        ratings = _of_systems(table.ratings, tuple(analysis.systems))
        rankings = [
            ranking
            for metric, higher_is_better in table.metrics.items()
            for ranking in rankings_by_ratings(ratings, metric, higher_is_better, analysis.options)
        ]
        varied = [name for name in UNITS if name in ratings and ratings[name].nunique() > 1]
        samples = tuple(f"{name}s" for name in varied)
        return cls(analysis=analysis, rankings=tuple(rankings), samples=samples)

    @property
    def verdicts(self) -> Mapping[str, str]:
        return {
            ranking.name: f"{ranking.name}: {winner(ranking.conclusions, ranking.pairs)}"
            for ranking in self.rankings
        }

    @property
    def notes(self) -> tuple[str, ...]:
        table = self.analysis.score_table
        on_ratings = [] if table is None else table.notes
        on_rankings = _named({one.name: caveats_of_people(one.tests) for one in self.rankings})
        # The sentence on the files has how many ratings are of the same output by the same rater.
        others = [one for one in on_rankings if code_of(one) != "rated-again"]
        return tuple(dict.fromkeys([*on_ratings, *others]))

    @property
    def distinguished(self) -> bool:
        return bool((self.table["conclusion"] != WORDS[0]).any())

    @property
    def table(self) -> pd.DataFrame:
        return _below_each_other(self.rankings, lambda ranking: ranking.pairs)

    @property
    def systems(self) -> pd.DataFrame:
        return _below_each_other(self.rankings, lambda ranking: ranking.systems)

    @property
    def estimates(self) -> pd.DataFrame:
        """The scores of all systems beside plain, centred and standardised means, unrounded."""
        return _below_each_other(self._of_test_sets, lambda ranking: ranking.estimates)

    @property
    def field_rules(self) -> pd.DataFrame:
        """How many pairs the field's own rules call different; see `Ranking.summary_of_rules`."""
        return _below_each_other(self._of_test_sets, lambda ranking: ranking.summary_of_rules())

    @property
    def components(self) -> pd.DataFrame:
        """The variance components of each model; empty where there is no model."""
        return _below_each_other(self._modelled, lambda ranking: ranking.components)

    @property
    def _of_test_sets(self) -> list[Ranking]:
        """The rankings without those by the mean over test sets."""
        return [ranking for ranking in self.rankings if not ranking.is_mean]

    @property
    def _modelled(self) -> list[Ranking]:
        """The rankings that have a model."""
        return [ranking for ranking in self.rankings if ranking.model is not None]

    @property
    def _by_pairs(self) -> list[Ranking]:
        """The rankings whose ratings are too many for a model."""
        return [ranking for ranking in self._of_test_sets if ranking.model is None]

    @property
    def methods(self) -> str:
        sentences = []
        modelled = self._modelled
        by_pairs = self._by_pairs
        samples = _enumerated(self.samples)
        if modelled:
            sentences.append(
                f"We estimated what systems add to ratings{_of(modelled, by_pairs)} by a linear "
                f"mixed model with {samples} as samples (random terms: {_terms(modelled)}; "
                "variances by restricted maximum likelihood; Kenward and Roger's standard errors "
                "and degrees of freedom)."
            )
        if by_pairs:
            sentences.append(
                f"We compared mean ratings{_of(by_pairs, modelled)} with standard errors that "
                f"count {samples} as samples (variance components by moments, Satterthwaite's "
                "degrees of freedom)."
            )
        if any(ranking.is_mean for ranking in self.rankings):
            sentences.append(
                "Each test set has a model of its own; means over test sets take these as "
                "independent."
            )
        return " ".join([*sentences, self._methods_of_tests()])

    def _methods_of_tests(self) -> str:
        """How pairs were tested, in two sentences."""
        options = self.analysis.options
        family = " within each ranking" if len(self.rankings) > 1 else ""
        return (
            f"We tested {counted(len(self.table), 'pair')} by Student's t ({options.alternative}, "
            f"level {options.alpha:g}, {options.correction or 'no'} correction{family}). Intervals "
            f"are of each difference, 95 %, not corrected. Computed by mtsig_nb {__version__}, "
            "without resamples."
        )

    def tables(self, layout: Layout) -> Iterator[Section]:
        digits = self._digits(layout)
        sizes = [f"{one.name}: {_sizes(one)}" for one in [*self._modelled, *self._by_pairs]]
        yield Section(caption=f"Samples: {_enumerated(self.samples)}. {' '.join(sizes)}")
        yield Section(
            table=self.for_paper(layout),
            caption=f"{self._what_scores_are()} difference: the best system minus this one, with "
            "its interval and corrected p. With --units segments, raters are averaged and not "
            "counted.",
        )
        yield Section(
            table=printed(self.estimates, digits=digits),
            caption="The same ratings in other ways. mean: the plain mean. centred: the mean "
            "after each rater's own mean was taken off. standardised: that, in standard "
            "deviations of the rater. They take no account of documents, and have no standard "
            "error here.",
        )
        yield Section(
            caption="By the field's own rules, which count items alone, neither raters nor "
            f"documents, and correct for no number of pairs: {self._by_rules()}",
            details=printed(self.field_rules),
            details_title="What the field's own rules say",
        )
        if layout.pairs:
            yield Section(table=printed(self.table, digits=digits))

    def _by_rules(self) -> str:
        """How many pairs each rule calls different, in a sentence for each ranking."""
        sentences = []
        for ranking in self._of_test_sets:
            rules = ranking.summary_of_rules()
            counts = [f"{row.rule} {row.better} of {row.compared}" for row in rules.itertuples()]
            here = int((ranking.pairs["conclusion"] != WORDS[0]).sum())
            sentences.append(
                f"{ranking.name}: pairs called different, {'; '.join(counts)}; here {here} of "
                f"{len(ranking.pairs)}."
            )
        return " ".join(sentences)

    def details(self, layout: Layout) -> dict[str, pd.DataFrame]:
        return {
            "estimates": self.estimates,
            "components": self.components,
            "field_rules": self.field_rules,
        }

    def _what_scores_are(self) -> str:
        """Which scores are estimates of a model, in a sentence."""
        if not self._modelled:
            return "score: the mean rating."
        return (
            f"score{_of(self._modelled, self._by_pairs)}: the expected rating by another rater of "
            "another document, estimated from all ratings together."
        )

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
            lines += ["", *self._code_for_metric(metric, "" if higher else "-")]
        return "\n".join(lines)

    def _code_for_metric(self, metric: str, sign: str) -> Iterator[str]:
        """Code that makes the tests of a metric, those over all test sets last."""
        rankings = [ranking for ranking in self.rankings if ranking.metric == metric]
        of_test_sets = [ranking for ranking in rankings if not ranking.is_mean]
        options = self.analysis.options
        yield f"# {metric}, so that more is better"
        yield f"frame = ratings.assign(raw={sign}ratings[{metric!r}])"
        is_several = len(rankings) > len(of_test_sets)
        if is_several:
            yield "tests_of = {}"
        for ranking in of_test_sets:
            chosen = "frame"
            if ranking.test_set:
                chosen = f"frame[frame['test_set'] == {ranking.test_set!r}]"
            yield f"rated = mt.human.Ratings({chosen}, scale=None)"
            made = ranking.code(options.alternative)
            name = f"tests_of[{ranking.test_set!r}]" if is_several else "tests"
            yield f"{name} = {made}"
        if is_several:
            alternative = f"alternative={options.alternative!r}"
            yield f"tests = mt.human.mean_over_test_sets(tests_of, {alternative})"
        yield (
            f"conclusions = tests.conclusions({options.alpha!r}, correction={options.correction!r})"
        )

    def reading_hints(self) -> Iterator[str]:
        yield (
            f"The chance in question is that of drawing other {_enumerated(self.samples)} "
            "like these."
        )
        yield from super().reading_hints()


def _of_systems(ratings: pd.DataFrame, systems: Sequence[str]) -> pd.DataFrame:
    """The ratings of these systems, by default of all; raises `InputError` if one has none."""
    check_all_of("system", systems, list(dict.fromkeys(ratings["system"])))
    return ratings[ratings["system"].isin(list(systems))] if systems else ratings


def _below_each_other(
    rankings: Sequence[Ranking], table_of: Callable[[Ranking], pd.DataFrame]
) -> pd.DataFrame:
    """Tables of rankings below each other, with the metric, and the test set where it is named."""
    named = []
    for ranking in rankings:
        table = table_of(ranking).copy()
        if ranking.test_set:
            table.insert(0, "test_set", ranking.test_set)
        table.insert(0, "metric", ranking.metric)
        named.append(table)
    return pd.concat(named, ignore_index=True) if named else pd.DataFrame()


def _named(notes_by_ranking: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """All notes; those that are not true of all rankings begin with the name of theirs."""
    for name, notes in notes_by_ranking.items():
        for one in notes:
            is_on_all = all(one in others for others in notes_by_ranking.values())
            if is_on_all or not isinstance(one, Note):
                yield one
            else:
                yield Note.of([f"{name}: ", one], one.code, one.values)


def _sizes(found: Ranking) -> str:
    """How large the variances are under one metric, in a sentence."""
    if found.model is None:
        return f"shares of a squared standard error, {_enumerated(_shares(found.pairs))}."
    sizes = [f"{row.term} {row.standard_deviation:.3g}" for row in found.components.itertuples()]
    return f"standard deviations, {', '.join(sizes)}."


def _shares(pairs: pd.DataFrame) -> list[str]:
    """What the squared standard errors of differences are made of, on average over pairs."""
    shares = pairs.filter(like="share_").mean().sort_values(ascending=False)
    sources = shares.rename(lambda column: str(column).removeprefix("share_"))
    return [f"{share:.0%} {source}" for source, share in sources.items() if share >= 0.005]


def _terms(rankings: Iterable[Ranking]) -> str:
    """The random terms of all models, but for the rest."""
    terms: dict[str, None] = {}
    for ranking in rankings:
        terms |= dict.fromkeys(ranking.components["term"].iloc[:-1])
    return ", ".join(terms)


def _of(rankings: Sequence[Ranking], others: Sequence[Ranking]) -> str:
    """Which rankings are meant, with a blank before it; empty where there are no others."""
    return f" of {_enumerated([ranking.name for ranking in rankings])}" if others else ""


def _enumerated(names: Sequence[str]) -> str:
    """Names with "and" before the last."""
    return " and ".join(", ".join(names).rsplit(", ", 1))
