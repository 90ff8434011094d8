"""Rankings by ratings: of each test set, and by the mean over several."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from ..conclusions.deciding import WORDS, Conclusions
from ..conclusions.ranking import rank_table
from ..engine.procedures import Alternative
from ..errors import InputError, listed
from ..human.field_rules import FIELD_RULES
from ..human.many_test_sets import mean_over_test_sets
from ..human.mixed_model import DesignTooLarge, MixedModel, means_of_systems
from ..human.pair_tests import PairTests
from ..human.ratings import Ratings
from ..human.tails import margin_of_error
from ..notes import Note, note
from ..significance.corrections import adjust_pvalues
from ..significance.options import TestOptions
from ..significance.over_test_sets import OVERALL as ALL_TEST_SETS
from .system_table import open_ranks


@dataclasses.dataclass(frozen=True, kw_only=True)
class Ranking:
    """What the ratings of one test set say under one metric.

    Attributes
    ----------
    metric : str
    test_set : str
        `ALL_TEST_SETS` for the mean over test sets; empty where there is one.
    conclusions : Conclusions
    scores : Series
        Of the systems, best first.
    pairs : DataFrame
        One row per pair, unrounded; its ``difference`` is how much better `system_a` is.
    estimates : DataFrame
        One row per system, best first: its score, with its standard error where there is a model,
        beside the means of `mtsig_nb.human.mixed_model.means_of_systems`.  Empty for the mean over
        test sets.
    tests : PairTests
    model : MixedModel or None
        None where the ratings are too many for one, so that each pair was tested by itself, and
        for the mean over test sets.
    ratings : Ratings or None
        Those of the test set, of which more is better; None for the mean over test sets.
    seed : int
    """

    metric: str
    test_set: str
    conclusions: Conclusions
    scores: pd.Series
    pairs: pd.DataFrame
    estimates: pd.DataFrame
    tests: PairTests
    model: MixedModel | None
    ratings: Ratings | None
    seed: int

    @functools.cached_property
    def by_field_rules(self) -> pd.DataFrame:
        """What the field's own rules say, as `Ratings.by_field_rules` has it.

        Computed when somebody asks, as it takes time; empty for the mean over test sets.
        """
        if self.ratings is None:
            return pd.DataFrame()
        return self.ratings.by_field_rules(rng=self.seed)

    @property
    def components(self) -> pd.DataFrame:
        """The variance components of the model; empty where there is none."""
        return pd.DataFrame() if self.model is None else self.model.components

    @property
    def name(self) -> str:
        """The metric, and the test set where there are several."""
        return f"{self.metric}, {self.test_set}" if self.test_set else self.metric

    def systems(self, reference: str | None = None) -> pd.DataFrame:
        """One row per system, best first, set against one of them.

        Parameters
        ----------
        reference : str, optional
            By default the best.

        Returns
        -------
        DataFrame
            ``system``, ``score``; ``difference``, how much better the reference is, with ``low``,
            ``high`` and ``pvalue_adjusted``; ``letters``, ``rank_top`` and ``rank_bottom``.
        """
        if reference not in self.conclusions.systems:  # a test set may lack it
            reference = self.conclusions.systems[0]
        columns = ["difference", "low", "high", "pvalue_adjusted"]
        behind = self.pairs[self.pairs["system_a"] == reference].set_index("system_b")[columns]
        ahead = self.pairs[self.pairs["system_b"] == reference].set_index("system_a")[columns]
        turned = ahead.assign(
            difference=-ahead["difference"], low=-ahead["high"], high=-ahead["low"]
        )
        against = pd.concat([turned, behind])
        return with_ranks(self.scores.rename("score").to_frame().join(against), self.conclusions)

    @property
    def is_mean(self) -> bool:
        """Whether it is by the mean over test sets."""
        return self.test_set == ALL_TEST_SETS

    def code(self, alternative: Alternative) -> str:
        """Code that makes its tests from `rated`, its ratings."""
        if self.model is None:
            return f"rated.tests_over_samples(standardised=False, alternative={alternative!r})"
        return f"rated.mixed_model().tests(alternative={alternative!r})"

    def summary_of_rules(self) -> pd.DataFrame:
        """How many pairs each of the field's own rules calls different.

        Returns
        -------
        DataFrame
            One row per rule: ``rule``; ``compared``, of how many pairs; ``better``, in how many it
            calls one system better; ``also_here``, in how many of these the tests here do so, too;
            and ``source``.
        """
        rows = []
        for name, pairs in self.by_field_rules.groupby("rule", sort=False):
            rule = FIELD_RULES[str(name)]
            better = pairs[pairs["better"]]
            both = zip(better["system_a"], better["system_b"], strict=True)
            also_here = [self.conclusions.word(a, b) == WORDS[1] for a, b in both]
            rows.append(
                {
                    "rule": rule.title,
                    "compared": len(pairs),
                    "better": len(better),
                    "also_here": sum(also_here),
                    "source": rule.source,
                }
            )
        return pd.DataFrame(rows)


def rankings_by_ratings(
    ratings: pd.DataFrame, metric: str, higher_is_better: bool, options: TestOptions
) -> Iterator[Ranking]:
    """The rankings under a metric: of the mean over test sets, if there are several, and of each.

    Parameters
    ----------
    ratings : DataFrame
        ``system``, ``segment``, ``rater``, maybe ``document`` and test sets, and a column for each
        metric.
    """
    sign = 1 if higher_is_better else -1
    rated = ratings.assign(raw=sign * ratings[metric])
    parts = {"": rated}
    if "test_set" in ratings:
        parts = {str(name): part for name, part in rated.groupby("test_set", sort=False)}
    of_test_sets = []
    for name, part in parts.items():
        of_test_sets.append(_ranking(part, metric, name, sign, options))
    if "test_set" in ratings:
        yield _of_all_test_sets(of_test_sets, rated, sign, options)
    yield from of_test_sets


def _ranking(
    rated: pd.DataFrame, metric: str, test_set: str, sign: int, options: TestOptions
) -> Ranking:
    """The ranking of one test set, from ratings ``raw`` of which more is better."""
    ratings = Ratings(rated, scale=None)
    try:
        tests, model = _tests_of(ratings, options.alternative)
    except InputError as error:
        if not test_set:
            raise
        raise InputError(f"test set {test_set!r}: {error}") from error
    estimates = _estimates(ratings, model)
    turned = ["score", "mean", "centred", "standardised"]
    of_direction = [name for name in turned if name in estimates]
    return Ranking(
        metric=metric,
        test_set=test_set,
        estimates=estimates.assign(**(sign * estimates[of_direction])).reset_index(),
        tests=tests,
        model=model,
        ratings=ratings,
        seed=options.seed,
        **_concluded_tables(tests, sign, options),
    )


def _of_all_test_sets(
    rankings: Sequence[Ranking], rated: pd.DataFrame, sign: int, options: TestOptions
) -> Ranking:
    """The ranking by the mean over test sets."""
    tests = mean_over_test_sets(
        {ranking.test_set: ranking.tests for ranking in rankings}, alternative=options.alternative
    )
    notes = (*tests.notes, *_notes_on_shared_units(rated))
    tests = dataclasses.replace(tests, notes=notes)
    return Ranking(
        metric=rankings[0].metric,
        test_set=ALL_TEST_SETS,
        estimates=pd.DataFrame(),
        tests=tests,
        model=None,
        ratings=None,
        seed=options.seed,
        **_concluded_tables(tests, sign, options),
    )


def _notes_on_shared_units(rated: pd.DataFrame) -> Iterator[Note]:
    """On raters and documents whose names are in more than one test set."""
    for unit in ("rater", "document"):
        if unit not in rated:
            continue
        n_test_sets = rated.groupby(unit)["test_set"].nunique()
        shared = list(n_test_sets.index[n_test_sets > 1])
        if shared:
            yield note("shared-by-test-sets", n=len(shared), unit=unit, names=listed(shared, 3))


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


def _concluded_tables(tests: PairTests, sign: int, options: TestOptions) -> dict[str, Any]:
    """Conclusions, and the tables of systems and pairs, for a `Ranking`.

    Scores were multiplied by `sign`, so that more is better.
    """
    conclusions, pairs = concluded(tests, alpha=options.alpha, correction=options.correction)
    pairs[["score_a", "score_b"]] *= sign
    reach = margin_of_error(
        pairs["standard_error"], pairs["degrees_of_freedom"], options.confidence_level
    )
    pairs["low"] = pairs["difference"] - reach
    pairs["high"] = pairs["difference"] + reach
    return {"conclusions": conclusions, "pairs": pairs, "scores": sign * tests.scores}


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
    """A table by systems with their letters, and their possible ranks."""
    ranks = rank_table(conclusions).set_index("system")[["letters", "rank_top", "rank_bottom"]]
    return systems.join(ranks).rename_axis("system").reset_index()


def for_print(systems: pd.DataFrame) -> pd.DataFrame:
    """The same, its ranks in one column."""
    return systems.drop(columns=["rank_top", "rank_bottom"]).assign(ranks=open_ranks(systems))
