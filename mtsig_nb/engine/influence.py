"""What each unit contributes to a score: by leaving it out, and seeing what that changes.

And what bootstrap-t is made of, differences on resamples in standard errors of their own.  The
standard error of a resample would take a jackknife of each.  Its linearisation needs none: with
the influence v of each unit on the difference, and unit i drawn w[i] times, the variance of the
resample is

    sum(w * v**2) - sum(w * v)**2 / n,

two more columns of the product that gives the sums (Efron & Tibshirani 1993, section 12.5, with the
delta method's standard error in place of a second bootstrap).  For a mean it is the sample variance
of what was drawn, over n.  Within strata the sums are taken for each and added up.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from ..metrics.base import AnyFloats, FloatArray, Indices, IntArray
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
    The jackknife's (Efron & Tibshirani 1993, section 11.5), times ``1 / n``: leaving out one unit
    at a time is a subtraction from the totals, so the n scores of each system cost one vectorised
    call.
    """
    score, totals = statistics.metric.score, statistics.totals()
    # One system at a time: what is left of all would need as much memory as the statistics.
    of_systems = zip(totals, statistics.values, strict=True)
    left_out = np.stack([score(sums - rows) for sums, rows in of_systems])
    influence = np.empty_like(left_out)
    for members in strata_of(statistics):
        n, some = np.count_nonzero(members), left_out[:, members]
        influence[:, members] = (n - 1) / n * (some.mean(axis=1, keepdims=True) - some)
    return influence


def contributions(statistics: SufficientStatistics) -> FloatArray:
    """Each unit's part in each system's score, shape (systems, units); they add up to the score.

    Of a weighted mean the unit's weighted score over all weights.  Of other metrics the unit's
    influence, by which the parts differ, and of the score itself an equal share.  Of a macro
    average the parts in the strata's scores, averaged: a unit has none where it has no segments.
    What a bootstrap draws separately makes no difference here.  Tests of a difference need more
    than these parts: :mod:`mtsig_nb.engine.sign_flips`.
    """
    metric, values = statistics.metric, statistics.values
    if isinstance(metric, MacroAverage):
        n = len(metric.strata)
        parts = np.zeros((n, *values.shape[:2]))
        for part, own in zip(parts, np.split(values, n, axis=2), strict=True):
            some = np.flatnonzero(own.any(axis=(0, 2)))
            stratum = SufficientStatistics(metric.metric, statistics.systems, own[:, some])
            part[:, some] = contributions(stratum)
        return np.tensordot(np.full(n, 1 / n), parts, axes=1)
    totals, given = statistics.totals(), np.ones(values.shape[2], dtype=bool)
    slopes = [line for sums in totals if (line := metric.slopes(sums, given)) is not None]
    if len(slopes) == len(totals):
        return np.stack([rows @ line for rows, line in zip(values, slopes, strict=True)])
    score = metric.score(totals)
    together = dataclasses.replace(statistics, strata=None)
    return influence_values(together) + score[:, None] / statistics.n_segments


def strata_of(statistics: SufficientStatistics) -> np.ndarray:
    """Which units are in each stratum, shape (strata, units); one stratum where there are none."""
    if statistics.strata is None:
        return np.ones((1, statistics.n_segments), dtype=bool)
    return np.unique(statistics.strata)[:, None] == statistics.strata


@dataclasses.dataclass(frozen=True, eq=False)
class Studentizer:
    """One metric's influence values on each of some differences, arranged for the product.

    Attributes
    ----------
    observed : ndarray, shape (differences, 1)
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
        """That of the differences between systems `first` and `second`, or of scores alone."""
        metric, members = statistics.metric, strata_of(statistics)
        scores, influence = metric.score(statistics.totals()), influence_values(statistics)
        observed, values, other = scores[first], influence[first], scores[first]
        if second is not None:
            other = scores[second]
            observed = metric.direction * (observed - other)
            values = metric.direction * (values - influence[second])
        sizes = members.sum(axis=1)
        # Makes of each stratum's mean square its unbiased variance, as the jackknife has it.
        values = values * (np.sqrt(sizes / np.maximum(sizes - 1, 1)) @ members)
        linear = (values * members[:, None]).reshape(-1, statistics.n_segments)
        largest = np.square(values).max(axis=1, keepdims=True)
        n = float(statistics.n_segments)
        return cls(
            observed=observed[:, None],
            scale=tie_scale(metric, scores[first], other)[:, None],
            matrix=on_exact_grids(np.concatenate([linear, np.square(values)])),
            sizes=sizes[:, None, None],
            # Of arithmetic, or of the grid, if each unit's share is off by all that it can be.
            noise=np.maximum(largest * n**2 * 2.0**-50, metric.grid_error**2 / n),
        )

    def sums(self, weights: AnyFloats) -> FloatArray:
        """Weighted sums, shape (rows, resamples)."""
        return self.matrix @ weights.T

    def errors(self, sums: AnyFloats) -> FloatArray:
        """Standard errors on resamples, shape (differences, resamples), from `sums`."""
        squares = sums[-len(self.observed) :]
        linear = sums[: -len(self.observed)].reshape(len(self.sizes), *squares.shape)
        variance = squares - (np.square(linear) / self.sizes).sum(axis=0)
        return np.sqrt(np.where(variance > self.noise, variance, 0.0))

    @property
    def error(self) -> FloatArray:
        """Standard errors on the test set itself, shape (differences, 1)."""
        return self.errors(self.sums(np.ones((1, self.matrix.shape[1]))))

    @property
    def statistic(self) -> FloatArray:
        """The observed differences in their standard errors, shape (differences, 1)."""
        return self._over(self.observed, self.error)

    @property
    def statistic_scale(self) -> FloatArray:
        """What ties of t-values are relative to, shape (differences, 1)."""
        error, t = self.error, np.abs(self.statistic)
        scale = np.divide(self.scale, error, out=np.zeros_like(error), where=error > 0)
        return scale + np.where(np.isfinite(t), t, 0.0) * (TIED_T / TIE_TOLERANCE)

    def t(self, resampled: FloatArray, errors: FloatArray) -> FloatArray:
        """How far each resample is from the observation, in its own standard error.

        Without one it is infinitely far, unless it is where the observation is: nobody can tell
        from units that are all alike how far their mean may be off.
        """
        return self._over(resampled - self.observed, errors)

    def _over(self, differences: FloatArray, errors: FloatArray) -> FloatArray:
        apart = np.abs(differences) > TIE_TOLERANCE * self.scale
        t = np.where(apart, np.copysign(np.inf, differences), 0.0)
        return np.divide(differences, errors, out=t, where=apart & (errors > 0))


def on_exact_grids(rows: FloatArray) -> FloatArray:
    """`rows` rounded to grids on which sums of as many draws as units stay below 2**53 quanta.

    So a sum is the same in any order, as those of a metric's statistics are (`resampling`).  Every
    row has a grid of its own, a power of two: what else is in the product changes nothing.  One bit
    is left for what is rounded up.
    """
    _, exponents = np.frexp(np.abs(rows).max(axis=1, keepdims=True) * rows.shape[1])
    return np.ldexp(np.rint(np.ldexp(rows, 52 - exponents)), exponents - 52)
