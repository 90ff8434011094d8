"""What tests of people's scores, of their care and of their agreement with metrics say, counted."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.human import (
    PairwisePreferences,
    Ratings,
    SegmentScores,
    rank_sum_test,
    signed_rank_test,
)
from mtsig_nb.human.few_people import prediction_powered
from mtsig_nb.human.variance_components import UNITS, RatingDesign
from mtsig_nb.meta_evaluation.by_size import share_interval
from mtsig_nb.metrics.base import FloatArray, Indices

from .drawing import Draws
from .rows import (
    CONFIDENCE,
    RESAMPLES,
    Row,
    Seed,
    of_units,
    pvalues_of,
    row_of_intervals,
    row_of_results,
    row_of_test,
)
from .simulated import AgreeingCampaigns, Judged, Scored
from .worlds import Rated, Setting

#: The pigeonhole bootstrap's source.
OWEN = "Owen 2007"


def of_segments(_: Setting, made: Scored, seed: Seed) -> Iterator[Row]:
    """Tests of segments' scores, paired where both systems were judged on the same ones."""
    judged = []
    for first, second in zip(made.first, made.second, strict=True):
        scores = _as_judged(first, second, made.same_segments)
        judged.append(scores)
    rows = paired(judged, seed) if made.same_segments else unpaired(judged)
    yield from of_units("segments", rows)


def paired(judged: list[SegmentScores], seed: Seed) -> Iterator[Row]:
    """Tests of the mean, which may be recommended, and those of signs, ranks and sums of ranks."""
    by_randomization = []
    by_t = []
    for scores in judged:
        pair = scores.as_statistics()
        a, b = pair.systems
        result = mt.approximate_randomization(pair, a, b, n_resamples=RESAMPLES, rng=seed(1))
        by_randomization.append(result)
        by_t.append(mt.paired_t_test(pair, a, b))
    yield row_of_results(by_randomization, candidate=True)
    yield row_of_results(by_t, candidate=True)
    signed = [_pvalue(signed_rank_test(scores)) for scores in judged]
    yield row_of_test("people-signed-rank", "human.signed_rank_test", signed)
    yield row_of_rank_sums(judged, candidate=False)


def unpaired(judged: list[SegmentScores]) -> Iterator[Row]:
    """The only test of scores of different segments."""
    yield row_of_rank_sums(judged, candidate=True)


def row_of_rank_sums(judged: list[SegmentScores], *, candidate: bool) -> Row:
    """The row of the rank-sum test, which takes no notice of pairs of scores."""
    pvalues = [_pvalue(rank_sum_test(scores)) for scores in judged]
    return row_of_test("people-rank-sum", "human.rank_sum_test", pvalues, candidate=candidate)


def _as_judged(first: FloatArray, second: FloatArray, same_segments: bool) -> SegmentScores:
    """Scores of systems ``a`` and ``b``."""
    n_first = len(first)
    n_second = len(second)
    segments_of_a = np.arange(n_first)
    segments_of_b = np.arange(n_second)
    if not same_segments:
        segments_of_b += n_first
    systems = np.repeat(["a", "b"], [n_first, n_second])
    segments = np.concatenate([segments_of_a, segments_of_b])
    means = np.concatenate([first, second])
    frame = pd.DataFrame({"system": systems, "segment": segments, "mean": means})
    return SegmentScores(frame, "mean")


def _pvalue(tests: Any) -> float:
    """The p-value in a table of a single pair."""
    pvalue = tests.table["pvalue"].item()
    return float(pvalue)


def quality_control(_: Setting, made: pd.DataFrame, seed: Seed) -> Iterator[Row]:
    """How many of the raters who do not look pass as careful, and how many as inconsistent."""
    control = Ratings(made).quality_control()
    outputs = {"damaged": "damaged outputs", "repeats": "repeated outputs"}
    rows = []
    for check, compared in outputs.items():
        pvalues = control.table[f"{check}_pvalue"].to_numpy()
        title = f"Ratings.quality_control, {compared}"
        row = row_of_test(f"control-{check}", title, pvalues, candidate=True)
        rows.append(row)
    yield from of_units("items", rows)


def by_size(_: Setting, made: AgreeingCampaigns, seed: Seed) -> Iterator[Row]:
    """Intervals of the share of pairs about which people agree with a metric."""
    ends = []
    for agreed, pairs in zip(made.agreed, made.pairs, strict=True):
        interval = share_interval(pd.Series(agreed), pd.Series(pairs))
        ends.append(interval)
    row = row_of_intervals("agreement_by_size", "share", ends, made.share)
    yield from of_units("campaigns", [row])


@cache
def counting(design: RatingDesign, samples: tuple[str, ...]) -> RatingDesign:
    """The same design with these samples; what follows from them is computed once."""
    return dataclasses.replace(design, samples=samples)


def over_raters(_: Setting, made: Rated, seed: Seed) -> Iterator[Row]:
    """Tests and intervals that count raters as a sample, or do not."""
    all_units = UNITS[:3]  # no generations
    for k in range(len(all_units)):
        samples = all_units[k:]
        names = [f"{name}s" for name in samples]
        design = counting(made.design, samples)
        candidate = samples == all_units
        rows = rows_of_components(f"components-{k}", design, made.values, candidate)
        yield from of_units(", ".join(names), rows)
    drawn = pigeonhole(made.frame, made.values, RESAMPLES, seed(1))
    rows = rows_of_pigeonhole(drawn)
    yield from of_units("raters, documents", rows)


def rows_of_components(
    name: str, design: RatingDesign, values: FloatArray, candidate: bool
) -> Iterator[Row]:
    """The test and the interval of variance components; `values` are the ratings of each pair."""
    results = [design.analyse(ratings, ("a", "b")) for ratings in values]
    yield from rows_of_analyses(name, "variance components, t", results, candidate=candidate)


def rows_of_analyses(
    name: str, title: str, results: Sequence[Any], *, candidate: bool
) -> Iterator[Row]:
    """The test and the interval of a difference that is zero, from results with both."""
    pvalues = pvalues_of(results)
    yield row_of_test(name, title, pvalues, candidate=candidate)
    ends = [result.interval for result in results]
    yield row_of_intervals(title, "difference", ends, 0.0)


def rows_of_pigeonhole(drawn: FloatArray) -> Iterator[Row]:
    """The test and the interval of resampled differences, shape (pairs, resamples)."""
    name = "pigeonhole bootstrap"
    pvalues = pvalues_of_resamples(drawn)
    yield row_of_test("pigeonhole", f"{name}, percentile", pvalues, tool=OWEN)
    lower = (1 - CONFIDENCE) / 2
    upper = (1 + CONFIDENCE) / 2
    limits = np.nanquantile(drawn, [lower, upper], axis=1)
    yield row_of_intervals(name, "difference", limits.T, 0.0, tool=OWEN)


def pvalues_of_resamples(drawn: FloatArray) -> FloatArray:
    """Two-sided p-values of resampled differences: how many lie on the rarer side of zero."""
    n_resamples = drawn.shape[1]
    is_below = drawn <= 0
    is_above = drawn >= 0
    fewer = np.minimum(is_below.sum(axis=1), is_above.sum(axis=1))
    one_sided = (1 + fewer) / (n_resamples + 1)
    return np.minimum(1, 2 * one_sided)


def pigeonhole(frame: pd.DataFrame, values: FloatArray, n_resamples: int, seed: int) -> FloatArray:
    """Differences of means on resamples of raters and of documents, (pairs, resamples).

    Raters and documents are drawn independently of each other; a rating counts as often as its
    rater was drawn, times how often its document was (Owen 2007).  NaN where a system is left
    without a rating.
    """
    raters, names_of_raters = pd.factorize(frame["rater"])
    documents, names_of_documents = pd.factorize(frame["document"])
    n_raters = len(names_of_raters)
    n_documents = len(names_of_documents)
    times_of_raters = times_drawn(n_raters, n_resamples, seed, key=0)
    times_of_documents = times_drawn(n_documents, n_resamples, seed, key=1)
    times = [times_of_raters, times_of_documents]
    shape = (n_raters, n_documents)
    systems = frame["system"].to_numpy()
    means = {}
    for system in ("a", "b"):
        is_own = systems == system
        ones = np.ones((1, is_own.sum()))  # whose sum is the number of ratings
        summands = np.concatenate([ones, values[:, is_own]])
        by_cell = sums_by_cell(summands, raters[is_own], documents[is_own], shape)
        # Pairs p, raters r, documents d, bootstrap resamples b.
        sums = np.einsum("prd,br,bd->pb", by_cell, *times, optimize=True)
        n_ratings = sums[0]
        n_ratings[n_ratings == 0] = np.nan
        means[system] = sums[1:] / n_ratings
    return np.asarray(means["a"] - means["b"])


def sums_by_cell(
    values: FloatArray, raters: Indices, documents: Indices, shape: tuple[int, int]
) -> FloatArray:
    """Sums of the values of each rater's ratings of each document, shape (pairs, *shape).

    `values` have the shape (pairs, ratings), and `shape` is (raters, documents).
    """
    cells = np.ravel_multi_index((raters, documents), shape)
    n_cells = math.prod(shape)
    sums = [np.bincount(cells, of_pair, n_cells) for of_pair in values]
    n_pairs = len(sums)
    return np.reshape(sums, (n_pairs, *shape))


def times_drawn(n: int, n_resamples: int, seed: int, *, key: int) -> FloatArray:
    """How often each of `n` units is drawn with replacement, shape (resamples, units)."""
    numbers = Draws(seed).uniform((n_resamples, n), key=key)
    places = n * numbers
    drawn = places.astype(int)
    one_each = np.eye(n)  # a row for each unit: drawn once
    return one_each[drawn].sum(axis=1)


def with_a_judge(_: Setting, made: Judged, seed: Seed) -> Iterator[Row]:
    """What people on some segments and a judge on all find, together and each alone."""
    units = "segments" if made.clusters is None else "documents"
    yield from of_units(units, rows_of_people_and_judge(made))


def rows_of_people_and_judge(made: Judged) -> Iterator[Row]:
    """Both together with several weights of the judge, and the judge alone."""
    yield from rows_of_weight(made, None, "prediction-powered", "prediction_powered")
    yield from rows_of_weight(made, 0.0, "people", "people alone")
    yield from rows_of_weight(made, 1.0, "as-people", "prediction_powered, weight 1")
    alone = stats.ttest_1samp(made.judge, 0, axis=1)
    yield row_of_test("judge", "the judge alone, t test", alone.pvalue)


def rows_of_weight(made: Judged, weight: float | None, name: str, title: str) -> Iterator[Row]:
    """The test and the interval with a weight for the judge; None is the one that data choose."""
    results = []
    for people, judge in zip(made.people, made.judge, strict=True):
        result = prediction_powered(people, judge, weight=weight, clusters=made.clusters)
        results.append(result)
    yield from rows_of_analyses(name, title, results, candidate=weight is None)


def by_preferences(_: Setting, made: list[pd.DataFrame], seed: Seed) -> Iterator[Row]:
    """Sign tests and strengths of all pairs, with raters as units and without."""
    campaigns = [PairwisePreferences(frame) for frame in made]
    by_rater = rows_of_preferences(campaigns, "raters", candidate=True)
    yield from of_units("raters", by_rater)
    by_comparison = rows_of_preferences(campaigns, None, candidate=False)
    yield from of_units("comparisons", by_comparison)


def rows_of_preferences(
    campaigns: list[PairwisePreferences], units: Literal["raters"] | None, *, candidate: bool
) -> Iterator[Row]:
    """Strengths and the sign test with these units."""
    strengths = []
    signs = []
    for preferences in campaigns:
        fit = preferences.bradley_terry(ties="half", units=units)
        strengths.append(fit.tests())
        signs.append(preferences.sign_test(units=units))
    pvalues = pvalues_in(strengths)
    yield row_of_test("bradley-terry", "Bradley-Terry", pvalues, candidate=candidate)
    title = "sign test of preferences"
    pvalues_of_signs = pvalues_in(signs)
    yield row_of_test("preferences-sign", title, pvalues_of_signs, candidate=candidate)


def pvalues_in(tests: Sequence[Any]) -> FloatArray:
    """The p-values in the tables of several results."""
    return np.concatenate([test.table["pvalue"] for test in tests])
