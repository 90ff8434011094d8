"""What tests of people's scores, of their care and of their agreement with metrics say, counted."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

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
from mtsig_nb.simulate import uniforms

from .rows import CONFIDENCE, RESAMPLES, Row, Seed, of_units, row_of_intervals, row_of_test
from .simulated import AgreeingCampaigns, Judged, Scored
from .worlds import Setting

#: The pigeonhole bootstrap's source.
OWEN = "Owen 2007"


def of_segments(_: Setting, made: Scored, seed: Seed) -> Iterator[Row]:
    """Tests of segments' scores, paired where both systems were judged on the same ones."""
    judged = [
        _as_judged(first, second, made.same_segments)
        for first, second in zip(made.first, made.second, strict=True)
    ]
    rows = paired(judged, seed) if made.same_segments else unpaired(judged)
    yield from of_units("segments", rows)


def paired(judged: list[SegmentScores], seed: Seed) -> Iterator[Row]:
    """Tests of the mean, which may be recommended, and those of signs, ranks and sums of ranks."""
    statistics = [scores.as_statistics() for scores in judged]
    exchanged = [
        mt.approximate_randomization(s, *s.systems, n_resamples=RESAMPLES, rng=seed(1))
        for s in statistics
    ]
    t = [mt.paired_t_test(s, *s.systems) for s in statistics]
    for results in (exchanged, t):
        name, title = results[0].test, results[0].title
        pvalues = [result.pvalue for result in results]
        yield row_of_test(name, title, pvalues, candidate=True)
    signed = [_pvalue(signed_rank_test(scores)) for scores in judged]
    yield row_of_test("people-signed-rank", "human.signed_rank_test", signed)
    summed = [_pvalue(rank_sum_test(scores)) for scores in judged]
    yield row_of_test("people-rank-sum", "human.rank_sum_test", summed)


def unpaired(judged: list[SegmentScores]) -> Iterator[Row]:
    """The only test of scores of different segments."""
    pvalues = [_pvalue(rank_sum_test(scores)) for scores in judged]
    yield row_of_test("people-rank-sum", "human.rank_sum_test", pvalues, candidate=True)


def _as_judged(first: FloatArray, second: FloatArray, same_segments: bool) -> SegmentScores:
    """Scores of systems ``a`` and ``b``."""
    segments_of_a = np.arange(len(first))
    segments_of_b = np.arange(len(second))
    if not same_segments:
        segments_of_b += len(first)
    frame = pd.DataFrame(
        {
            "system": np.repeat(["a", "b"], [len(first), len(second)]),
            "segment": np.concatenate([segments_of_a, segments_of_b]),
            "mean": np.concatenate([first, second]),
        }
    )
    return SegmentScores(frame, "mean")


def _pvalue(tests: Any) -> float:
    """The p-value in a table of a single pair."""
    return float(tests.table["pvalue"].item())


def quality_control(_: Setting, made: pd.DataFrame, seed: Seed) -> Iterator[Row]:
    """How many of the raters who do not look pass as careful, and how many as inconsistent."""
    table = Ratings(made).quality_control().table
    rows = []
    for check, title in (("damaged", "damaged outputs"), ("repeats", "repeated outputs")):
        pvalues = table[f"{check}_pvalue"].to_numpy()
        full_title = f"Ratings.quality_control, {title}"
        rows.append(row_of_test(f"control-{check}", full_title, pvalues, candidate=True))
    yield from of_units("items", rows)


def by_size(_: Setting, made: AgreeingCampaigns, seed: Seed) -> Iterator[Row]:
    """Intervals of the share of pairs about which people agree with a metric."""
    ends = [
        share_interval(pd.Series(agreed), pd.Series(pairs))
        for agreed, pairs in zip(made.agreed, made.pairs, strict=True)
    ]
    row = row_of_intervals("agreement_by_size", "share", ends, made.share)
    yield from of_units("campaigns", [row])


@cache
def counting(design: RatingDesign, samples: tuple[str, ...]) -> RatingDesign:
    """The same design with these samples; what follows from them is computed once."""
    return dataclasses.replace(design, samples=samples)


def over_raters(
    _: Setting, made: tuple[pd.DataFrame, RatingDesign, FloatArray], seed: Seed
) -> Iterator[Row]:
    """Tests and intervals that count raters as a sample, or do not."""
    frame, design, values = made
    for k in range(3):
        samples = UNITS[k:3]  # no generations
        units = ", ".join(f"{name}s" for name in samples)
        rows = rows_of_components(f"components-{k}", counting(design, samples), values, not k)
        yield from of_units(units, rows)
    drawn = pigeonhole(frame, values, RESAMPLES, seed(1))
    yield from of_units("raters, documents", rows_of_pigeonhole(drawn))


def by_a_mixed_model(_: Setting, made: list[pd.DataFrame], seed: Seed) -> Iterator[Row]:
    """The test of the first two systems of each campaign by a mixed model of all its ratings."""
    pvalues = []
    for frame in made:
        tests = Ratings(frame, scale=None).mixed_model().tests()
        order = tests.scores.index
        pvalues.append(tests.pvalues[order.get_loc("s00"), order.get_loc("s01")])
    row = row_of_test("mixed-model", "Ratings.mixed_model", pvalues, candidate=True)
    yield from of_units("raters, documents", [row])


def rows_of_components(
    name: str, design: RatingDesign, values: FloatArray, candidate: bool
) -> Iterator[Row]:
    """The test and the interval of variance components."""
    found = [design.analyse(ratings, ("a", "b")) for ratings in values]
    title = "variance components, t"
    pvalues = [result.pvalue for result in found]
    yield row_of_test(name, title, pvalues, candidate=candidate)
    ends = [result.interval for result in found]
    yield row_of_intervals(title, "difference", ends, 0.0)


def rows_of_pigeonhole(drawn: FloatArray) -> Iterator[Row]:
    """The test and the interval of resampled differences, shape (pairs, resamples)."""
    n_resamples = drawn.shape[1]
    n_below = (drawn <= 0).sum(axis=1)
    n_above = (drawn >= 0).sum(axis=1)
    fewer = np.minimum(n_below, n_above)
    pvalues = np.minimum(1, 2 * (1 + fewer) / (n_resamples + 1))
    tails = np.array([1 - CONFIDENCE, 1 + CONFIDENCE]) / 2
    limits = np.nanquantile(drawn, tails, axis=1).T
    name = "pigeonhole bootstrap"
    yield row_of_test("pigeonhole", f"{name}, percentile", pvalues, tool=OWEN)
    yield row_of_intervals(name, "difference", limits, 0.0, tool=OWEN)


def pigeonhole(frame: pd.DataFrame, values: FloatArray, n_resamples: int, seed: int) -> FloatArray:
    """Differences of means on resamples of raters and of documents, (pairs, resamples).

    Either are drawn by themselves, and a rating counts as often as its rater times its document
    (Owen 2007).  NaN where a system is left without a rating.
    """
    raters, n_raters = numbered(frame["rater"])
    documents, n_documents = numbered(frame["document"])
    times_of_raters = times_drawn(n_raters, n_resamples, seed, key=0)
    times_of_documents = times_drawn(n_documents, n_resamples, seed, key=1)
    cells = raters * n_documents + documents
    means = []
    for system in ("a", "b"):
        own = (frame["system"] == system).to_numpy()
        summands = [np.ones(own.sum()), *values[:, own]]
        by_cell = [np.bincount(cells[own], each, n_raters * n_documents) for each in summands]
        sums = np.einsum(
            "prd,br,bd->pb",
            np.array(by_cell).reshape(-1, n_raters, n_documents),
            times_of_raters,
            times_of_documents,
            optimize=True,
        )
        n_ratings = sums[0]
        means.append(sums[1:] / np.where(n_ratings > 0, n_ratings, np.nan))
    return np.asarray(means[0] - means[1])


def numbered(labels: pd.Series) -> tuple[Indices, int]:
    """The number of each label, in order of appearance, and how many there are."""
    codes, unique = pd.factorize(labels)
    return codes, len(unique)


def times_drawn(n: int, n_resamples: int, seed: int, *, key: int) -> FloatArray:
    """How often each of `n` units is drawn with replacement, shape (resamples, units)."""
    drawn = (uniforms((n_resamples, n), seed=seed, key=(key,)) * n).astype(int)
    return np.eye(n)[drawn].sum(axis=1)


def with_a_judge(_: Setting, made: Judged, seed: Seed) -> Iterator[Row]:
    """What people on some segments and a judge on all find, together and each alone."""
    units = "segments" if made.clusters is None else "documents"
    methods = (
        ("prediction-powered", "prediction_powered", None),
        ("people", "people alone", 0.0),
        ("as-people", "prediction_powered, weight 1", 1.0),
    )
    rows = []
    for name, title, weight in methods:
        found = [
            prediction_powered(people, judge, weight=weight, clusters=made.clusters)
            for people, judge in zip(made.people, made.judge, strict=True)
        ]
        pvalues = [result.pvalue for result in found]
        rows.append(row_of_test(name, title, pvalues, candidate=weight is None))
        ends = [result.interval for result in found]
        rows.append(row_of_intervals(title, "difference", ends, 0.0))
    pvalues = stats.ttest_1samp(made.judge, 0, axis=1).pvalue
    rows.append(row_of_test("judge", "the judge alone, t test", pvalues))
    yield from of_units(units, rows)


def by_preferences(_: Setting, made: list[pd.DataFrame], seed: Seed) -> Iterator[Row]:
    """Sign tests and strengths of all pairs, with raters as units and without."""
    asked = [PairwisePreferences(frame) for frame in made]
    for units in ("raters", None):
        over: Any = {"units": units}
        signs = [each.sign_test(**over) for each in asked]
        fits = [each.bradley_terry(ties="half", **over).tests() for each in asked]
        candidate = units is not None
        rows = [
            row_of_test("bradley-terry", "Bradley-Terry", pvalues_in(fits), candidate=candidate),
            row_of_test(
                "preferences-sign",
                "sign test of preferences",
                pvalues_in(signs),
                candidate=candidate,
            ),
        ]
        yield from of_units(units or "comparisons", rows)


def pvalues_in(tests: Sequence[Any]) -> FloatArray:
    """The p-values in the tables of several results."""
    return np.concatenate([test.table["pvalue"] for test in tests])
