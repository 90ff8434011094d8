"""All systems by people's ratings, whose raters are a sample as documents and segments are."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Self

import pandas as pd

from .. import __version__
from ..conclusions.deciding import WORDS
from ..errors import check_all_of, counted, in_prose
from ..human.mixed_model import AROUND
from ..human.variance_components import UNITS
from ..notes import Note, code_of
from ..significance.corrections import CORRECTIONS
from ..tables import Column, printed
from .caveats import caveats_of_people
from .outcome import Layout, Outcome, Section
from .pair_table import columns_of_pairs
from .rankings import Ranking, for_print, rankings_by_ratings
from .summary import words_against
from .verdicts import digits_for, winner

if TYPE_CHECKING:
    from ..plots.column import Panel
    from ..report.analysis import Analysis
    from ..statistics.sufficient import SufficientStatistics


#: The heading of what the field's own rules say.
_RULES = "What the field's own rules say"


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class RatingsOutcome(Outcome):
    """Every pair of systems by a mixed model, with raters, documents and segments as samples.

    Attributes
    ----------
    rankings : tuple of Ranking
        By metric; of several test sets that of their mean first, and then each.
    n_ratings : int
    samples : dict of str to int
        What is a sample from many, such as raters, and how many there are.
    """

    kind = "ratings"
    accepted_options = ("correction", "alpha", "alternative", "confidence_level", "units", "seed")
    why_meaningless = "ratings have t tests, and no resamples"
    has_pairs_to_choose = True

    rankings: tuple[Ranking, ...]
    n_ratings: int
    samples: Mapping[str, int]

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
        return cls(
            analysis=analysis,
            rankings=tuple(rankings),
            n_ratings=len(ratings),
            samples=_samples(ratings),
        )

    @property
    def verdicts(self) -> Mapping[str, str]:
        return {ranking.name: _verdict(ranking) for ranking in self.rankings}

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
        return _below_each_other(self.rankings, lambda ranking: ranking.systems())

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
        given = f"{counted(len(self.system_names), 'system')} by {self.n_ratings:,} ratings"
        samples = in_prose([f"{n:,} {name}" for name, n in self.samples.items()])
        if modelled:
            sentences.append(
                f"We compared {given}{_of(modelled, by_pairs)} with a linear mixed model: systems "
                f"are fixed, and {samples} are random, with those of their interactions that the "
                "design can tell apart. Variances are estimated by restricted maximum likelihood "
                "(Patterson & Thompson 1971); standard errors and degrees of freedom are Kenward "
                "& Roger's (1997)."
            )
        if by_pairs:
            sentences.append(
                f"We compared {given}{_of(by_pairs, modelled)} by plain means, with standard "
                f"errors that count {samples} as samples (variance components by moments; "
                "Satterthwaite's degrees of freedom)."
            )
        if any(ranking.is_mean for ranking in self.rankings):
            sentences.append(
                "Each test set has a model of its own; means over test sets take these as "
                "independent."
            )
        return " ".join([*sentences, self._methods_of_tests()])

    def _methods_of_tests(self) -> str:
        """How pairs were tested, in three sentences."""
        options = self.analysis.options
        corrected = "no correction"
        if options.correction is not None:
            corrected = str(CORRECTIONS[options.correction]["paper"])
        family = " within each ranking" if len(self.rankings) > 1 else ""
        return (
            f"We tested {counted(len(self.table), 'pair')} by Student's t ({options.alternative}) "
            f"at the level {options.alpha:g}, with {corrected}{family}. Intervals of "
            f"differences have the level {options.confidence_level:g}, and are not corrected. "
            f"Computed by mtsig_nb {__version__}, without resamples."
        )

    @property
    def title(self) -> str:
        test_sets = dict.fromkeys(one.test_set for one in self._of_test_sets)
        where = f" on {len(test_sets)} test sets" if len(test_sets) > 1 else ""
        metrics = dict.fromkeys(ranking.metric for ranking in self.rankings)
        return f"{len(self.system_names)} systems{where}, compared by ratings: {', '.join(metrics)}"

    @property
    def size(self) -> str:
        samples = [f"{n:,} {name}" for name, n in self.samples.items()]
        return f"{counted(self.n_ratings, 'rating')}; {in_prose(samples)}"

    def tables(self, layout: Layout) -> Iterator[Section]:
        yield Section(caption=self._what_varies())
        yield Section(table=self._table_of_systems(layout), caption=self.legend(layout))
        other_means = self._section_on_other_means(layout)
        caption = f"{other_means.title}. {other_means.caption}"
        yield dataclasses.replace(other_means, caption=caption)
        yield self._section_on_rules()
        if layout.pairs:
            yield Section(table=printed(self.table, digits=self._digits(layout)))

    def sections(self, layout: Layout) -> Iterator[Section]:
        systems = self._table_of_systems(layout)
        yield self.section_with_pairs(layout, systems, self.legend(layout))
        yield Section(title="Sources of variation", caption=self._what_varies())
        yield self._section_on_other_means(layout)
        yield dataclasses.replace(self._section_on_rules(), title=_RULES)

    def _section_on_other_means(self, layout: Layout) -> Section:
        """The scores beside plain, centred and standardised means."""
        return Section(
            table=printed(self.estimates, digits=self._digits(layout)),
            title="The same ratings in other ways",
            caption=(
                "mean: the plain mean. centred: each rater's own mean was subtracted, and the mean "
                "of all ratings added back. standardised: each rater's own mean was subtracted, "
                "and the rest divided by the rater's standard deviation. These means take no "
                "account of documents, and have no standard error here."
            ),
        )

    def _section_on_rules(self) -> Section:
        """What the field's own rules say; of several rankings in a longer table."""
        rules = self.field_rules
        caption = (
            "What the field's own rules say about these ratings: in how many of the pairs that "
            "they compare they call one system better, and in how many of those the tests here do "
            "so too. These rules count only items, not raters or documents, and do not correct for "
            "the number of pairs."
        )
        if len(self._of_test_sets) == 1:
            shown = rules.drop(columns=["metric", "source"])
            return Section(table=printed(shown), caption=caption)
        return Section(caption=caption, details=printed(rules), details_title=_RULES)

    def _what_varies(self) -> str:
        """Samples and the sizes of variances, and how one may leave raters out of account."""
        sizes = self._sizes_of_variances()
        interactions = ""
        if self._modelled:
            interactions = (
                " (system:rater is what a rater adds for one system, besides what the rater adds "
                "for all; the rest differs from rating to rating)"
            )
        return (
            f"Samples: {in_prose(list(self.samples))}. {' '.join(sizes)}{interactions} "
            "With --units segments, raters are averaged and not counted; all systems then need "
            "ratings of the same segments."
        )

    def _sizes_of_variances(self) -> list[str]:
        """How large the variances are, in a sentence for each ranking."""
        return [f"{one.name}: {_sizes(one)}" for one in [*self._modelled, *self._by_pairs]]

    def details(self, layout: Layout) -> dict[str, pd.DataFrame]:
        return {
            "estimates": self.estimates,
            "components": self.components,
            "field_rules": self.field_rules,
        }

    def legend(self, layout: Layout) -> str:
        reference = layout.baseline or "the best system"
        scores = "mean rating"
        if self._modelled:
            scores = "rating to expect from a new rater on a new document"
        directions = [
            f" Of {metric}, less is better."
            for metric, higher_is_better in self._directions().items()
            if not higher_is_better
        ]
        return (
            f"The score is the {scores}{_of(self._modelled, self._by_pairs)}.{''.join(directions)} "
            f"difference: how much better {reference} is than this one, with its interval and "
            "corrected p. Systems that share a letter were not distinguished; ranks are the "
            "possible ones, given wins and losses."
        )

    def legend_for_paper(self, layout: Layout) -> str:
        if layout.pairs:
            return super().legend_for_paper(layout)
        reference = layout.baseline or "the best system"
        options = self.analysis.options
        directions = [
            f"Of {metric}, less is better."
            for metric, higher_is_better in self._directions().items()
            if not higher_is_better
        ]
        sentences = [
            *directions,
            f"Difference: how much better {reference} is than this one.",
            f"Its interval has the level {options.confidence_level:g}, not corrected.",
            "Systems that share a letter were not distinguished.",
        ]
        return " ".join(sentences)

    def _directions(self) -> Mapping[str, bool]:
        """By metric, whether more is better."""
        table = self.analysis.score_table
        return {} if table is None else table.metrics

    def panels(self, layout: Layout) -> Iterator[Panel]:
        from ..plots.column import panel_of_differences  # matplotlib only when something is drawn

        for ranking in self.rankings:
            reference = layout.baseline
            if reference not in ranking.conclusions.systems:  # a test set may lack it
                reference = ranking.conclusions.systems[0]
            systems = ranking.systems(reference)
            words = words_against(ranking.conclusions, reference)
            # The table says how much better the reference is; the figure, how much the others are.
            about_others = systems.assign(
                difference=-systems["difference"],
                ci_low=-systems["high"],
                ci_high=-systems["low"],
                conclusion=systems["system"].map(words),
            )
            yield panel_of_differences(
                about_others,
                metric=ranking.name,
                reference=reference,
                confidence_level=self.analysis.options.confidence_level,
            )

    def for_paper(self, layout: Layout) -> Sequence[Column]:
        if layout.pairs:
            return columns_of_pairs(
                self.table, digits=layout.digits, correction=self.analysis.options.correction
            )
        as_interval = {"low": "ci_low", "high": "ci_high"}
        shown = self._shown_systems(layout).rename(columns=as_interval)
        return printed(shown, digits=self._digits(layout))

    def _table_of_systems(self, layout: Layout) -> Sequence[Column]:
        """The systems as `_shown_systems` has them, rounded."""
        return printed(self._shown_systems(layout), digits=self._digits(layout))

    def _shown_systems(self, layout: Layout) -> pd.DataFrame:
        """The systems, set against the layout's baseline; a single metric names their scores."""
        systems = _below_each_other(self.rankings, lambda ranking: ranking.systems(layout.baseline))
        shown = for_print(systems)
        metrics = systems["metric"].unique()
        if len(metrics) == 1:
            shown = shown.drop(columns="metric").rename(columns={"score": metrics[0]})
        return shown

    def comments_for_paper(self) -> Iterator[str]:
        """As of every outcome; then what was read, such as points of marks, and variances."""
        yield from super().comments_for_paper()
        yield self.sources
        yield from self._sizes_of_variances()

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
        samples = in_prose(list(self.samples))
        yield f"Chance here means drawing other {samples} like these."
        yield from super().reading_hints()


def _samples(ratings: pd.DataFrame) -> dict[str, int]:
    """What there are two or more of, and how many."""
    samples = {}
    for name in UNITS:
        if name in ratings:
            around = AROUND.get(name, ())
            if name != "rater":  # of whom one may rate several test sets
                around = ("test_set", *around)
            labels = [label for label in (*around, name) if label in ratings]
            n = len(ratings[labels].drop_duplicates())
            if n > 1:
                samples[f"{name}s"] = n
    return samples


def _verdict(ranking: Ranking) -> str:
    """The best system, and how many pairs are distinguished."""
    pairs = ranking.pairs
    verdict = f"{ranking.name}: {winner(ranking.conclusions, pairs)}"
    if len(pairs) == 1:
        return verdict
    n_distinguished = int((pairs["conclusion"] != WORDS[0]).sum())
    return f"{verdict} Of all {len(pairs)} pairs, {n_distinguished} are distinguished."


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
        return f"shares of a squared standard error, {in_prose(_shares(found.pairs))}."
    sizes = [f"{row.term} {row.standard_deviation:.3g}" for row in found.components.itertuples()]
    return f"standard deviations, {', '.join(sizes)}."


def _shares(pairs: pd.DataFrame) -> list[str]:
    """What the squared standard errors of differences are made of, on average over pairs."""
    shares = pairs.filter(like="share_").mean().sort_values(ascending=False)
    sources = shares.rename(lambda column: str(column).removeprefix("share_"))
    return [f"{share:.0%} {source}" for source, share in sources.items() if share >= 0.005]


def _of(rankings: Sequence[Ranking], others: Sequence[Ranking]) -> str:
    """Which rankings are meant, with a blank before it; empty where there are no others."""
    return f" of {in_prose([ranking.name for ranking in rankings])}" if others else ""
