"""What each unit contributes to a score: by leaving it out, and seeing what that changes."""

from __future__ import annotations

import numpy as np

from ..metrics.base import FloatArray
from ..statistics.sufficient import SufficientStatistics


def influence_values(statistics: SufficientStatistics) -> FloatArray:
    """How much each unit moves each system's score, shape (systems, units).

    A resample that draws unit i ``w[i]`` times has, to first order, the score of the test set plus
    ``sum(w * influence)``: exactly for a mean of equal weights.  They sum to zero, within every
    stratum where there are any.

    Notes
    -----
    The jackknife's (Efron & Tibshirani 1993, section 11.5), times ``1 / n``: leaving out one unit
    at a time is a subtraction from the totals, so the n scores of each system cost one vectorised
    call.
    """
    score, totals = statistics.metric.score, statistics.totals()
    # One system at a time: what is left of all would need as much memory as the statistics.
    left_out = np.stack(
        [score(sums - rows) for sums, rows in zip(totals, statistics.values, strict=True)]
    )
    influence = np.empty_like(left_out)
    for members in strata_of(statistics):
        n, some = np.count_nonzero(members), left_out[:, members]
        influence[:, members] = (n - 1) / n * (some.mean(axis=1, keepdims=True) - some)
    return influence


def strata_of(statistics: SufficientStatistics) -> np.ndarray:
    """Which units are in each stratum, shape (strata, units); one stratum where there are none."""
    if statistics.strata is None:
        return np.ones((1, statistics.n_segments), dtype=bool)
    return np.unique(statistics.strata)[:, None] == statistics.strata


__all__ = ["influence_values", "strata_of"]
