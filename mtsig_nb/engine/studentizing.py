"""Differences on resamples in standard errors of their own: what bootstrap-t is made of.

The standard error of a resample would take a jackknife of each.  Its linearisation needs none: with
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
import numpy.typing as npt

from ..metrics.base import FloatArray
from ..statistics.sufficient import SufficientStatistics
from .counting import TIE_TOLERANCE, tie_scale
from .influence import influence_values, strata_of

#: t-values this close, as a share, count as tied: the rounding of influence values goes into them.
TIED_T = 1e-9


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
    sizes: npt.NDArray[np.int64]
    noise: FloatArray

    @classmethod
    def of(
        cls,
        statistics: SufficientStatistics,
        first: npt.NDArray[np.intp],
        second: npt.NDArray[np.intp] | None,
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
            matrix=_exact(np.concatenate([linear, np.square(values)])),
            sizes=sizes[:, None, None],
            # Of arithmetic, or of the grid, if each unit's share is off by all that it can be.
            noise=np.maximum(largest * n**2 * 2.0**-50, metric.grid_error**2 / n),
        )

    def sums(self, weights: npt.NDArray[np.floating]) -> FloatArray:
        """Weighted sums, shape (rows, resamples)."""
        return self.matrix @ weights.T

    def errors(self, sums: npt.NDArray[np.floating]) -> FloatArray:
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


def _exact(rows: FloatArray) -> FloatArray:
    """`rows` rounded to grids on which sums of as many draws as units stay below 2**53 quanta.

    So a sum is the same in any order, as those of a metric's statistics are (`resampling`).  Every
    row has a grid of its own, a power of two: what else is in the product changes nothing.  One bit
    is left for what is rounded up.
    """
    _, exponents = np.frexp(np.abs(rows).max(axis=1, keepdims=True) * rows.shape[1])
    return np.ldexp(np.rint(np.ldexp(rows, 52 - exponents)), exponents - 52)
