"""All systems by people's ratings, whose raters are a sample as documents and segments are."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Self

import pandas as pd

from .. import __version__
from ..conclusions.deciding import WORDS, Conclusions
from ..conclusions.ranking import rank_table
from ..engine.procedures import Alternative
from ..errors import check_all_of
from ..human.mixed_model import DesignTooLarge, MixedModel, means_of_systems
from ..human.pair_tests import PairTests
from ..human.ratings import Ratings
from ..human.variance_components import UNITS
from ..notes import Note, note
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
    estimates : DataFrame
        One row per system, best first: its score, with its standard error where there is a model,
        beside the means of `mtsig_nb.human.mixed_model.means_of_systems`.
    tests : PairTests
    model : MixedModel or None
        None where the ratings are too many for one, and each pair was tested by itself.
    """

    conclusions: Conclusions
    systems: pd.DataFrame
    pairs: pd.DataFrame
    estimates: pd.DataFrame
    tests: PairTests
    model: MixedModel | None


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class RatingsOutcome(Outcome):
    """Every pair of systems by a mixed model, with raters, documents and segments as samples.

    Attributes
    ----------
    by_metric : dict of str to MetricRatings
    samples : tuple of str
        What is a sample from many, such as raters.
    """

    kind = "ratings"
    meaningless = ("test", "n_resamples", "interval", "confidence_level")
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
        by_metric = {metric: caveats_of_people(r.tests) for metric, r in self.by_metric.items()}
        on_ratings = [] if table is None else table.notes
        return tuple(dict.fromkeys([*on_ratings, *_named_by_metric(by_metric)]))

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
    def estimates(self) -> pd.DataFrame:
        """The scores of all systems beside plain, centred and standardised means, unrounded."""
        return _with_metrics({metric: found.estimates for metric, found in self.by_metric.items()})

    @property
    def components(self) -> pd.DataFrame:
        """The variance components of each metric's model; empty where none has a model."""
        found = {metric: model.components for metric, model in self._models().items()}
        return _with_metrics(found) if found else pd.DataFrame()

    def _models(self) -> dict[str, MixedModel]:
        """The models by metric, where there are some."""
        return {
            metric: found.model
            for metric, found in self.by_metric.items()
            if found.model is not None
        }

    @property
    def methods(self) -> str:
        options = self.analysis.options
        models = self._models()
        n_pairs = len(self.table)
        plural = "s" if n_pairs > 1 else ""
        sentences = []
        if models:
            sentences.append(
                f"We estimated what systems add to ratings{_under(models, self.by_metric)} by a "
                f"linear mixed model with {_enumerated(self.samples)} as samples (random terms: "
                f"{_terms(models)}; variances by restricted maximum likelihood)."
            )
        others = [metric for metric in self.by_metric if metric not in models]
        if others:
            sentences.append(
                f"We compared mean ratings{_under(others, self.by_metric)} with standard errors "
                f"that count {_enumerated(self.samples)} as samples (variance components by "
                "moments, Satterthwaite's degrees of freedom)."
            )
        freedom = ", Kenward and Roger's standard errors and degrees of freedom" if models else ""
        sentences.append(
            f"We tested {n_pairs} pair{plural} by Student's t ({options.alternative}, level "
            f"{options.alpha:g}, {options.correction or 'no'} correction{freedom}). Intervals are "
            f"of each difference, 95 %, not corrected. Computed by mtsig_nb {__version__}, without "
            "resamples."
        )
        return " ".join(sentences)

    def tables(self, layout: Layout) -> Iterator[Section]:
        digits = self._digits(layout)
        sizes = [f"{metric}: {_sizes(found)}" for metric, found in self.by_metric.items()]
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
        if layout.pairs:
            yield Section(table=printed(self.table, digits=digits))

    def details(self, layout: Layout) -> dict[str, pd.DataFrame]:
        return {"estimates": self.estimates, "components": self.components}

    def _what_scores_are(self) -> str:
        """Which scores are estimates of a model, in a sentence."""
        models = self._models()
        if not models:
            return "score: the mean rating."
        return (
            f"score{_under(models, self.by_metric)}: the expected rating by another rater of "
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
            sign = "" if higher else "-"
            lines += [
                "",
                f"# {metric}, so that more is better",
                f"frame = ratings.assign(raw={sign}ratings[{metric!r}])",
                "rated = mt.human.Ratings(frame, scale=None)",
                f"tests = {self._call_for_tests(metric)}",
                f"conclusions = tests.conclusions({analysis.options.alpha!r}, "
                f"correction={analysis.options.correction!r})",
            ]
        return "\n".join(lines)

    def _call_for_tests(self, metric: str) -> str:
        """Code that makes a metric's tests of `rated`."""
        alternative = self.analysis.options.alternative
        if self.by_metric[metric].model is None:
            return f"rated.tests_over_samples(standardised=False, alternative={alternative!r})"
        return f"rated.mixed_model().tests(alternative={alternative!r})"

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
        rated = Ratings(ratings.assign(raw=sign * ratings[metric]), scale=None)
        tests, model = _tests_of(rated, alternative)
        estimates = _estimates(rated, model)
        found[metric] = _of_metric(
            tests, model, estimates, sign, alpha=alpha, correction=correction
        )
    varied = [name for name in UNITS if name in ratings and ratings[name].nunique() > 1]
    return found, tuple(f"{name}s" for name in varied)


def _tests_of(rated: Ratings, alternative: Alternative) -> tuple[PairTests, MixedModel | None]:
    """Tests of all pairs by a model, and the model; or else of each pair by itself."""
    try:
        model = rated.mixed_model()
    except DesignTooLarge as error:
        tests = rated.tests_over_samples(standardised=False, alternative=alternative)
        too_large = note("model-too-large", what=error.what, n=error.n, most=error.most)
        return dataclasses.replace(tests, notes=(too_large, *tests.notes)), None
    return model.tests(alternative=alternative), model


def _estimates(rated: Ratings, model: MixedModel | None) -> pd.DataFrame:
    """The scores beside other means of the same ratings, by system, best first."""
    if model is None:
        means = means_of_systems(rated.frame.rename(columns={"raw": "value"}))
        return means.sort_values("mean", ascending=False, kind="stable")
    renamed = model.effects.rename(columns={"estimate": "score"}).set_index("system")
    return renamed.drop(columns="degrees_of_freedom")


def _of_metric(
    tests: PairTests,
    model: MixedModel | None,
    estimates: pd.DataFrame,
    sign: int,
    *,
    alpha: float,
    correction: str | None,
) -> MetricRatings:
    """What tests conclude of scores that were multiplied by `sign`, so that more is better."""
    conclusions, pairs = concluded(tests, alpha=alpha, correction=correction)
    pairs[["score_a", "score_b"]] *= sign
    best = pairs[pairs["system_a"] == conclusions.systems[0]].set_index("system_b")
    against_best = best[["difference", "low", "high", "pvalue_adjusted"]]
    scores = (sign * tests.scores).rename("score").to_frame()
    of_points = [name for name in ("score", "mean", "centred") if name in estimates]
    return MetricRatings(
        conclusions=conclusions,
        systems=with_ranks(scores.join(against_best), conclusions),
        pairs=pairs,
        estimates=estimates.assign(**(sign * estimates[of_points])).reset_index(),
        tests=tests,
        model=model,
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


def _named_by_metric(notes: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The notes of all metrics; those that are not true of all begin with the metric's name."""
    for metric, of_metric in notes.items():
        for one in of_metric:
            is_on_all = all(one in others for others in notes.values())
            if is_on_all or not isinstance(one, Note):
                yield one
            else:
                yield Note.of([f"{metric}: ", one], one.code, one.values)


def _sizes(found: MetricRatings) -> str:
    """How large the variances are under one metric, in a sentence."""
    if found.model is None:
        return f"shares of a squared standard error, {_enumerated(_shares(found.pairs))}."
    components = found.model.components
    sizes = [f"{row.term} {row.standard_deviation:.3g}" for row in components.itertuples()]
    return f"standard deviations, {', '.join(sizes)}."


def _shares(pairs: pd.DataFrame) -> list[str]:
    """What the squared standard errors of differences are made of, on average over pairs."""
    shares = pairs.filter(like="share_").mean().sort_values(ascending=False)
    sources = shares.rename(lambda column: str(column).removeprefix("share_"))
    return [f"{share:.0%} {source}" for source, share in sources.items() if share >= 0.005]


def _terms(models: Mapping[str, MixedModel]) -> str:
    """The random terms of all models, but for the rest."""
    terms = [term for model in models.values() for term in model.components["term"].iloc[:-1]]
    return ", ".join(dict.fromkeys(terms))


def _under(metrics: Collection[str], all_metrics: Collection[str]) -> str:
    """Under which metrics, with a blank before it; empty where it is all."""
    return "" if len(metrics) == len(all_metrics) else f" under {_enumerated(list(metrics))}"


def _enumerated(names: Sequence[str]) -> str:
    """Names with "and" before the last."""
    return " and ".join(", ".join(names).rsplit(", ", 1))
