"""What leaderboards say, counted."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.stats import rankdata

import mtsig_nb as mt
from mtsig_nb.metrics.base import ArrayLike, FloatArray, Indices

from .rows import CONFIDENCE, RESAMPLES, Row, Seed, of_units, row_of
from .simulated import Boards
from .worlds import Setting

#: Draws from which the expected mean ranks are known to a hundredth.
N_DRAWS = 20_000
#: Mean ranks that differ by less are taken for the same.
SAME = 0.03


def over_tasks(_: Setting, made: Boards, seed: Seed) -> Iterator[Row]:
    """How often mean ranks and possible ranks are right, and percentiles of ranks would be."""
    n_systems = len(made.quality)
    names = [f"system {number}" for number in range(1, n_systems + 1)]
    some_board = made.tasks[0]
    n_segments = next(iter(some_board.values())).n_segments
    expected = expected_mean_ranks(made.quality, n_segments)
    is_better = expected[:, None] < expected - SAME  # the row's system than the column's
    top = 1 + is_better.sum(axis=0)
    bottom = n_systems - is_better.sum(axis=1)
    values_right = 0
    ranges_right = 0
    percentiles_right = 0
    for k, tasks in enumerate(made.tasks):
        board = mt.leaderboard(tasks, n_resamples=RESAMPLES, rng=seed(1, k))
        places = [list(board.table["system"]).index(name) for name in names]
        table = board.table.iloc[places]
        is_right = (table["ci_low"] <= expected) & (expected <= table["ci_high"])
        values_right += int(is_right.sum())
        ranges_right += contain(table["rank_top"], table["rank_bottom"], top, bottom)
        percentiles_right += contain(*percentiles_of_ranks(board.resampled[places]), top, bottom)
    n = len(made.tasks)
    rows = [
        row_of(
            "intervals",
            "leaderboard, value",
            "leaderboard, of the mean rank",
            n * n_systems,
            {"covered": values_right},
        ),
        row_of(
            "intervals",
            "leaderboard, ranks",
            "leaderboard, possible ranks of all systems together",
            n,
            {"covered": ranges_right},
        ),
        row_of(
            "intervals",
            "leaderboard, percentiles",
            "percentiles of resampled ranks, of all systems together, which are not given",
            n,
            {"covered": percentiles_right},
            tool="percentiles",
        ),
    ]
    yield from of_units("segments", rows)


def expected_mean_ranks(quality: FloatArray, n_segments: int) -> FloatArray:
    """The mean rank of each system to be expected on tasks of that many segments.

    All tasks are alike, so that it is the rank to be expected on any of them.
    """
    rng = np.random.default_rng(0)
    errors = rng.normal(size=(N_DRAWS, len(quality))) / np.sqrt(n_segments)
    ranks = rankdata(-(quality + errors), axis=1)
    return np.asarray(ranks.mean(axis=0))


def percentiles_of_ranks(mean_ranks: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Percentiles of resampled ranks, best and worst, from mean ranks (systems, resamples)."""
    tail = (1 - CONFIDENCE) / 2
    best = rankdata(mean_ranks, method="min", axis=0)
    worst = rankdata(mean_ranks, method="max", axis=0)
    top = np.quantile(best, tail, axis=1, method="inverted_cdf")
    bottom = np.quantile(worst, 1 - tail, axis=1, method="inverted_cdf")
    return top, bottom


def contain(top: ArrayLike, bottom: ArrayLike, true_top: Indices, true_bottom: Indices) -> bool:
    """Whether all ranges of ranks contain those that are true."""
    is_right = (np.asarray(top) <= true_top) & (np.asarray(bottom) >= true_bottom)
    return bool(is_right.all())
