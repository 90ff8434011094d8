"""The difference of two metrics' accuracies, with systems as units.

Pairs of systems are what accuracies count, but systems are what was sampled: a metric that
misjudges one of twelve systems is wrong about up to eleven pairs at once.  Exchangeable are
therefore the systems, and the mean over pairs is a U-statistic of them (Hoeffding 1948).  Its
variance has a part for every two pairs that share a system, and none for those that share none.

`over_systems` estimates it by what the pairs that share a system have in common: the variance that
is robust to dyads (Fafchamps & Gubert 2007; Aronow, Samii & Assenova 2015), divided by the number
of pairs of pairs that share nothing, which makes it unbiased.  With few systems it may come close
to zero, or below, by chance.  The jackknife over systems is stable there but counts twice what is
particular to pairs (Efron & Stein 1981), so it is too large, by a factor between 1 and 2.  Hence
half of it is a floor.  Difference over standard error is referred to Student's t with two degrees
of freedom fewer than systems.  On simulated worlds of many kinds that kept its level with 10 to 40
systems, and erred less often than it says with fewer.

Where pairs are right or wrong, a few that only one metric gets right may happen to share no system.
Their variance is then underestimated (four of four in one direction would be significant), and the
exact test that takes pairs as independent is the right one.  Sharing makes pairs less informative,
not more, so p is nowhere smaller than McNemar's, and the interval nowhere narrower than the exact
one.  That costs little power; with a dozen systems or fewer it errs less often than it says.

What else was tried there: the jackknife alone, and on counts of right pairs the percentile interval
of resampled systems, err less than half as often as they say, so they detect less; the unbiased
variance without the floor errs twice as often.  Exchanging the metrics' scores of whole systems
(`exchange_metrics`) keeps the level too, detects a little less, and needs scores, not conclusions.
`mtsig_nb.metric_error_rates` has the comparison, and the published tests in it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special, stats

from ..engine.counting import clopper_pearson
from ..metrics.base import FloatArray


class OverSystems(NamedTuple):
    """A mean over pairs, each field of the shape of what was given before its last two axes."""

    mean: FloatArray
    standard_error: FloatArray
    low: FloatArray
    high: FloatArray
    pvalue: FloatArray


def over_systems(
    differences: FloatArray, counted: FloatArray, confidence_level: float
) -> OverSystems:
    """Mean of pairs' differences, with interval and two-sided p-value from systems as units.

    Parameters
    ----------
    differences : ndarray of shape (..., systems, systems)
        Symmetric, each between -1 and 1.  If all are -1, 0 or 1, they are differences of answers
        that are right or wrong.
    counted : ndarray of shape (systems, systems)
        1 for pairs that count, else 0; symmetric, 0 on the diagonal.
    confidence_level : float

    Notes
    -----
    Where all pairs have the same difference, other than zero, the standard error is zero and says
    nothing.  p is then the smallest that exchanging the metrics system by system can give,
    ``2 / 2**systems``.

    Examples
    --------
    >>> right_a = np.array([[0, 1, 1, 1], [1, 0, 1, 0], [1, 1, 0, 1], [1, 0, 1, 0]])
    >>> right_b = np.array([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 0], [1, 0, 0, 0]])
    >>> found = over_systems(right_a - right_b, 1 - np.eye(4), 0.95)
    >>> found.mean.round(3).item(), found.pvalue.round(3).item()
    (0.333, 0.5)
    """
    pairs = counted.sum() / 2
    per_system = counted.sum(axis=-1)
    n_systems = int((per_system > 0).sum())
    given = differences * counted
    mean = np.round(given.sum(axis=(-1, -2)) / 2 / pairs, 14)  # a sum of differences is never -0.0
    error = np.sqrt(_variance(given, counted, mean))
    # With two systems, or where one is in all pairs, nothing is known: error is infinite.
    freedom = max(n_systems - 2, 1)
    reach = stats.t.isf((1 - confidence_level) / 2, freedom) * error
    with np.errstate(invalid="ignore", divide="ignore"):
        pvalue = 2 * special.stdtr(freedom, -np.abs(mean) / error)
    pvalue = np.where(error > 0, pvalue, 2.0 ** (1 - n_systems))
    low, high = mean - reach, mean + reach
    if np.isin(given, (-1, 0, 1)).all():
        exact = _if_pairs_were_independent(given, pairs, confidence_level)
        low, high = np.minimum(low, exact[0]), np.maximum(high, exact[1])
        pvalue = np.maximum(pvalue, exact[2])
    low, high = np.maximum(low, -1.0), np.minimum(high, 1.0)
    return OverSystems(mean, error, low, high, np.where(mean == 0, 1.0, pvalue))


def _if_pairs_were_independent(
    given: FloatArray, pairs: float, confidence_level: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """McNemar's exact test and its interval, given how many pairs only one metric gets right."""
    only_a, only_b = ((given == side).sum(axis=(-1, -2)) // 2 for side in (1, -1))
    n = only_a + only_b
    low, high = clopper_pearson(only_a, np.maximum(n, 1), confidence_level)
    pvalue = np.minimum(1.0, 2 * special.bdtr(np.minimum(only_a, only_b), np.maximum(n, 1), 0.5))
    return (2 * low - 1) * n / pairs, (2 * high - 1) * n / pairs, pvalue


def _variance(given: FloatArray, counted: FloatArray, mean: FloatArray) -> FloatArray:
    """Of the mean: unbiased, but at least half the jackknife's."""
    pairs, per_system = counted.sum() / 2, counted.sum(axis=-1)
    involved = per_system > 0
    n_systems = int(involved.sum())
    without = pairs - per_system[involved]
    if not without.all():
        return np.full_like(mean, np.inf)
    sums = given.sum(axis=-1)
    left_out = (pairs * mean[..., None] - sums[..., involved]) / without
    spread = ((left_out - left_out.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1)
    jackknife = (n_systems - 1) / n_systems * spread
    # Ordered pairs of pairs, a pair with itself among those that share.
    share_nothing = pairs**2 - ((per_system**2).sum() - pairs)
    if not share_nothing:
        return np.where(jackknife > 1e-24, jackknife, 0.0)
    off = (given - mean[..., None, None]) * counted
    in_common = (off.sum(axis=-1) ** 2).sum(axis=-1) - (off**2).sum(axis=(-1, -2)) / 2
    variance = np.maximum(in_common / share_nothing, jackknife / 2)
    return np.where(variance > 1e-24, variance, 0.0)  # rounding
