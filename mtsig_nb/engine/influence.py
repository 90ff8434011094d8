"""What each unit contributes to a score, and the standard errors that follow from it.

The influence of a unit is what leaving it out changes.  Bootstrap-t divides the difference on each
resample by a standard error of that resample.  A jackknife of every resample would be slow.  A
linearisation needs none: with the influence v of each unit on the difference, and unit i drawn w[i]
times, the variance of the resample is

    sum(w * v**2) - sum(w * v)**2 / n,

two more columns of the product that gives the sums (Efron & Tibshirani 1993, section 12.5, with the
delta method's standard error in place of a second bootstrap).  Where there are strata, each has a
variance of its own, and these add up.

The influence is the test set's own; it is not computed anew on each resample.  For a mean of equal
weights this makes no difference: the variance is that of the units drawn, over n.  For other scores
it is an approximation, and it can be seen where units weigh differently: for a ratio with lognormal
weights, one-sided tests at .05 erred in .10 to .12 of the samples of 30 units and in .08 to .11 of
those of 100.  Two-sided tests kept their level there (.035 and .048).
"""

from __future__ import annotations

import dataclasses

import numpy as np

from ..metrics.base import AnyFloats, FloatArray, Indices, IntArray, Mask, Metric
from ..metrics.mean import MacroAverage
from ..statistics.sufficient import SufficientStatistics
from .counting import TIE_TOLERANCE, tie_scale

#: t-values this close, as a share, count as tied: the rounding of influence values goes into them.
TIED_T = 1e-9


def influence_values(statistics: SufficientStatistics) -> FloatArray:
    """How much each unit moves each system's score, shape (systems, units).

    A resample that draws unit i ``w[i]`` times has, to first order, the score of the test set plus
    ``sum(w * influence)``: exactly for a mean of equal weights.  They sum to zero, within every
    stratum where there are any.

    Notes
    -----
    These are the jackknife's influence values (Davison & Hinkley 1997, section 2.7.3), times
    ``1 / n``.  Leaving out one unit at a time is a subtraction from the totals, so the n scores of
    each system cost one vectorised call.  A unit that is left out of a stratum gives its weight to
    the others there, as in survey sampling, so that the stratum counts for as much as before.
    """
    totals = statistics.totals()
    influence = np.empty(statistics.values.shape[:2])
    for members in strata_of(statistics):
        n = np.count_nonzero(members)  # units in the stratum
        # One system at a time: what is left of all would need as much memory as the statistics.
        for system, values in enumerate(statistics.values):
            leave_one_out = _scores_without_one(statistics.metric, totals[system], values[members])
            influence[system, members] = (n - 1) / n * (leave_one_out.mean() - leave_one_out)
    return influence


def _scores_without_one(metric: Metric, total: FloatArray, values: FloatArray) -> FloatArray:
    """The score of a system without each of a stratum's units in turn, shape (units,).

    Parameters
    ----------
    total : ndarray, shape (counts,)
        The sums over all strata.
    values : ndarray, shape (units, counts)
        The statistics of the stratum's units.
    """
    n = len(values)
    total_of_stratum = values.sum(axis=0)
    total_of_others = total - total_of_stratum
    if not total_of_others.any():  # a single stratum: the plain jackknife
        return metric.score(total - values)
    scaled_up = n / (n - 1) * (total_of_stratum - values)
    return metric.score(total_of_others + scaled_up)


def contributions(statistics: SufficientStatistics) -> FloatArray:
    """The parts of the units in each system's score, shape (systems, units); they add up to it.

    In a weighted mean a unit's part is its weighted score over the sum of all weights.  In a macro
    average it is the mean of the unit's parts in the strata's scores, of which those without its
    segments are 0.  In any other metric it is the unit's influence and an equal share of the score.

    The strata within which a bootstrap draws make no difference.  Tests of a difference need more
    than these parts: :mod:`mtsig_nb.engine.sign_flips`.
    """
    metric = statistics.metric
    if isinstance(metric, MacroAverage):
        return _contributions_to_macro_average(metric, statistics)
    totals = statistics.totals()
    n_counts = totals.shape[1]
    all_fixed = np.ones(n_counts, dtype=bool)
    slopes = [metric.slopes(sums, all_fixed) for sums in totals]  # of each system
    if all(slopes_of_system is not None for slopes_of_system in slopes):
        # A weighted mean: a straight line in the scores while the weights stay as they are.
        parts = []
        for values, slopes_of_system in zip(statistics.values, slopes, strict=True):
            parts.append(values @ slopes_of_system)
        return np.stack(parts)
    scores = metric.score(totals)
    equal_shares = scores[:, None] / statistics.n_segments
    together = dataclasses.replace(statistics, strata=None)
    return influence_values(together) + equal_shares


def _contributions_to_macro_average(
    metric: MacroAverage, statistics: SufficientStatistics
) -> FloatArray:
    """The mean over strata of the units' parts in each stratum's score, shape (systems, units)."""
    n_strata = len(metric.strata)
    n_systems, n_units = statistics.values.shape[:2]
    parts_of_strata = np.zeros((n_strata, n_systems, n_units))
    values_of_strata = np.split(statistics.values, n_strata, axis=2)
    for parts, values in zip(parts_of_strata, values_of_strata, strict=True):
        members = np.flatnonzero(values.any(axis=(0, 2)))
        stratum = SufficientStatistics(metric.metric, statistics.systems, values[:, members])
        parts[:, members] = contributions(stratum)
    weights = np.full(n_strata, 1 / n_strata)
    return np.tensordot(weights, parts_of_strata, axes=1)


def strata_of(statistics: SufficientStatistics) -> Mask:
    """Which units are in each stratum, shape (strata, units); one stratum where there are none."""
    if statistics.strata is None:
        return np.ones((1, statistics.n_segments), dtype=bool)
    labels = np.unique(statistics.strata)
    return np.asarray(labels[:, None] == statistics.strata)


@dataclasses.dataclass(frozen=True, eq=False)
class Studentizer:
    """The units' influence on differences under one metric, arranged for a matrix product.

    The differences are of scores, of two systems each, or the scores of single systems.

    Attributes
    ----------
    observed : ndarray, shape (differences, 1)
        The differences on the test set.
    scale : ndarray, shape (differences, 1)
        What ties of differences are relative to.
    matrix : ndarray, shape (rows, units)
        Influence values of each stratum's units, then their squares.
    sizes : ndarray, shape (strata, 1, 1)
        How many units there are in each stratum.
    noise : ndarray, shape (differences, 1)
        How far rounding can take a variance from zero.
    """

    observed: FloatArray
    scale: FloatArray
    matrix: FloatArray
    sizes: IntArray
    noise: FloatArray

    @classmethod
    def of(
        cls, statistics: SufficientStatistics, first: Indices, second: Indices | None
    ) -> Studentizer:
        """A studentizer of the differences between systems `first` and `second`.

        If `second` is None, of the scores of the systems `first`.
        """
        metric = statistics.metric
        n_units = statistics.n_segments
        scores = metric.score(statistics.totals())
        influence = influence_values(statistics)
        if second is None:
            observed = scores[first]
            scale = tie_scale(metric, scores[first], scores[first])
        else:
            observed = metric.direction * (scores[first] - scores[second])
            scale = tie_scale(metric, scores[first], scores[second])
        members = strata_of(statistics)
        sizes = members.sum(axis=1)
        # So that each stratum's mean square becomes its unbiased variance, as in the jackknife.
        unbiasing = np.sqrt(sizes / np.maximum(sizes - 1, 1)) @ members
        # Influence values in each stratum, then their squares: (strata + 1, differences, units).
        rows = np.empty((len(sizes) + 1, len(first), n_units))
        # One difference at a time: all of them together would be copied several times.
        for k, system in enumerate(first):
            if second is None:
                biased = influence[system]
            else:
                biased = metric.direction * (influence[system] - influence[second[k]])
            v = biased * unbiasing
            rows[:-1, k] = v * members
            rows[-1, k] = np.square(v)
        n = float(n_units)
        rounding = rows[-1].max(axis=1, keepdims=True) * n**2 * 2.0**-50
        grid = metric.grid_error**2 / n  # if every unit's share is off by all that it can be
        return cls(
            observed=observed[:, None],
            scale=scale[:, None],
            matrix=on_exact_grids(rows.reshape(-1, n_units)),
            sizes=sizes[:, None, None],
            noise=np.maximum(rounding, grid),
        )

    def sums(self, weights: AnyFloats, start: int = 0) -> AnyFloats:
        """Weighted sums, shape (rows, resamples), over the units that have weights here.

        `weights`, of shape (resamples, units), are those of the units from number `start` on.
        """
        return summed(self.matrix, weights, start)

    def errors(self, sums: AnyFloats) -> FloatArray:
        """Standard errors on resamples, shape (differences, resamples), from `sums`."""
        n_differences = len(self.observed)
        n_strata = len(self.sizes)
        squares = sums[-n_differences:]
        linear = sums[:-n_differences].reshape(n_strata, *squares.shape)
        squared_means = np.square(linear) / self.sizes
        variance = squares - squared_means.sum(axis=0)
        return np.sqrt(np.where(variance > self.noise, variance, 0.0))

    @property
    def error(self) -> FloatArray:
        """Standard errors on the test set itself, shape (differences, 1)."""
        n_units = self.matrix.shape[1]
        each_once = np.ones((1, n_units))
        return self.errors(self.sums(each_once))

    @property
    def statistic(self) -> FloatArray:
        """The observed differences in their standard errors, shape (differences, 1)."""
        return self._over(self.observed, self.error)

    def from_bound(self, bound: float) -> FloatArray:
        """The observed differences less a bound, in their standard errors, (differences, 1)."""
        return self._over(self.observed - bound, self.error)

    @property
    def statistic_scale(self) -> FloatArray:
        """What ties of t-values are relative to, shape (differences, 1)."""
        error = self.error
        scale = np.zeros_like(error)
        np.divide(self.scale, error, out=scale, where=error > 0)
        t = np.abs(self.statistic)
        finite_t = np.where(np.isfinite(t), t, 0.0)
        return scale + finite_t * (TIED_T / TIE_TOLERANCE)

    def t(self, resampled: FloatArray, errors: FloatArray) -> FloatArray:
        """How far each resample is from the observed difference, in standard errors of its own.

        `resampled` and `errors` are of shape (differences, resamples).

        A resample without a standard error is infinitely far, unless its difference is the observed
        one: from units that are all alike nobody can tell how far their mean may be off.
        """
        return self._over(resampled - self.observed, errors)

    def _over(self, differences: FloatArray, errors: FloatArray) -> FloatArray:
        """`differences` over their standard errors; see `t`."""
        is_apart = np.abs(differences) > TIE_TOLERANCE * self.scale
        infinite = np.copysign(np.inf, differences)
        t = np.where(is_apart, infinite, 0.0)
        return np.divide(differences, errors, out=t, where=is_apart & (errors > 0))


def summed(matrix: AnyFloats, weights: AnyFloats, start: int) -> AnyFloats:
    """Weighted sums, shape (rows, resamples), over the units of a matrix that have weights here.

    `weights`, of shape (resamples, units), are those of the units from number `start` on.
    """
    end = start + weights.shape[1]
    return matrix[:, start:end] @ weights.T


def on_exact_grids(rows: FloatArray) -> FloatArray:
    """`rows` rounded to grids on which a sum of as many draws as units stays below 2**53 quanta.

    So a sum is the same in any order, like the sums of a metric's statistics (`resampling`).  Every
    row has a grid of its own, a power of two, so that other rows in the product change nothing.
    One bit is left for numbers that are rounded up.  They are rounded in place.
    """
    for row in rows:
        _, exponent = np.frexp(np.abs(row).max() * len(row))
        quanta = np.rint(np.ldexp(row, 52 - exponent))
        np.ldexp(quanta, exponent - 52, out=row)
    return rows
