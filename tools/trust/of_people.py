"""What tests of people's scores, of their care and of their agreement with metrics say, counted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

import mtsig_nb as mt
from mtsig_nb.human import Ratings, SegmentScores, rank_sum_test, signed_rank_test
from mtsig_nb.meta_evaluation.by_size import share_interval
from mtsig_nb.metrics.base import FloatArray

from .rows import Row, Seed, of_units, row_of_intervals, row_of_test
from .simulated import AgreeingCampaigns, Scored
from .worlds import Setting

#: p-values of so many resamples can be .05 and .01 exactly.
RESAMPLES = 999


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
