"""What each unit contributes to a score: by leaving it out, and seeing what that changes."""

from __future__ import annotations

import dataclasses
from weakref import WeakKeyDictionary

import numpy as np

from ..metrics.base import FloatArray
from ..metrics.macro import MacroAverage
from ..metrics.mean import SegmentMean
from ..statistics.sufficient import SufficientStatistics

#: Of statistics in use: a test, its size and its intervals ask for the same.
_KNOWN: WeakKeyDictionary[SufficientStatistics, FloatArray] = WeakKeyDictionary()


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
    if statistics in _KNOWN:
        return _KNOWN[statistics]
    score, totals = statistics.metric.score, statistics.totals()
    # One system at a time: what is left of all would need as much memory as the statistics.
    left_out = np.stack(
        [score(sums - rows) for sums, rows in zip(totals, statistics.values, strict=True)]
    )
    influence = np.empty_like(left_out)
    for members in strata_of(statistics):
        n, some = np.count_nonzero(members), left_out[:, members]
        influence[:, members] = (n - 1) / n * (some.mean(axis=1, keepdims=True) - some)
    influence.flags.writeable = False  # it is everybody's
    _KNOWN[statistics] = influence
    return influence


def contributions(statistics: SufficientStatistics) -> FloatArray:
    """Each unit's part in each system's score, shape (systems, units); they add up to the score.

    Of a weighted mean the unit's weighted score over all weights.  Of other metrics the unit's
    influence, by which the parts differ, and of the score itself an equal share.  Of a macro
    average the parts in the strata's scores, averaged: a unit has none where it has no segments.
    What a bootstrap draws separately makes no difference here.
    """
    metric, values = statistics.metric, statistics.values
    if isinstance(metric, MacroAverage):
        n = len(metric.strata)
        parts = np.zeros((n, *values.shape[:2]))
        for part, own in zip(parts, np.split(values, n, axis=2), strict=True):
            some = np.flatnonzero(own.any(axis=(0, 2)))
            stratum = dataclasses.replace(
                statistics,
                metric=metric.metric,
                values=own[:, some],
                documents=None,
                strata=None,
                sizes=None,
            )
            part[:, some] = contributions(stratum)
        return np.tensordot(metric.weights or np.full(n, 1 / n), parts, axes=1)
    totals, given = statistics.totals(), np.ones(values.shape[2], dtype=bool)
    slopes = [line for sums in totals if (line := metric.slopes(sums, given)) is not None]
    if len(slopes) == len(totals):
        return np.stack([rows @ line for rows, line in zip(values, slopes, strict=True)])
    score = metric.score(totals)
    together = dataclasses.replace(statistics, strata=None)
    return influence_values(together) + score[:, None] / statistics.n_segments


def linearised(statistics: SufficientStatistics) -> SufficientStatistics:
    """The same systems under a mean of equal weights, that of what each unit contributes.

    Exchanging two systems' contributions to a unit turns the sign of their difference.  They are
    rounded to a power of two so that sums are exact in any order.  Where the score is a straight
    line in what systems differ in, as a mean is, the statistics are returned as they are.
    """
    metric, values = statistics.metric, statistics.values
    fixed = np.asarray((values == values[:1]).all(axis=(0, 1)))
    if metric.slopes(statistics.totals()[0], fixed) is not None:
        return statistics
    n = statistics.n_segments
    scores = n * contributions(statistics)
    # What all together may add up to, twice for differences, stays below 2**51 steps.
    _, exponent = np.frexp(np.abs(scores).max() * n)
    mean = SegmentMean(
        label=statistics.label,
        larger_is_better=metric.higher_is_better,
        resolution=float(np.ldexp(1.0, int(exponent) - 50)),
    )
    return dataclasses.replace(
        statistics, metric=mean, values=np.stack([scores, np.ones_like(scores)], axis=-1)
    )


def strata_of(statistics: SufficientStatistics) -> np.ndarray:
    """Which units are in each stratum, shape (strata, units); one stratum where there are none."""
    if statistics.strata is None:
        return np.ones((1, statistics.n_segments), dtype=bool)
    return np.unique(statistics.strata)[:, None] == statistics.strata
