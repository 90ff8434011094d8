"""What the simulations share: biased coins that deal two systems' outputs out to two others.

In every unit one of two outputs contributes more to its system's score.  A coin decides which of
two pseudo-systems gets it, heads with probability ``(1 + tilt) / 2``.  Fair coins (tilt 0) make the
two interchangeable; coins that always show heads (tilt 1) make one of them the best that a choice
between the two outputs can do.  In between lies every true difference that one may want to plant,
while the outputs, and how much they differ from each other, stay real.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..engine.resampling import raw_words
from ..errors import InputError
from ..metrics.base import FloatArray
from ..significance.one_pair import select_pair
from ..statistics.sufficient import SufficientStatistics


def uniforms(shape: tuple[int, ...], *, seed: int, key: Sequence[int]) -> FloatArray:
    """Uniform numbers in (0, 1) of 53 bits, from raw words, whose stream NumPy keeps.

    >>> bool((0 < uniforms((2, 3), seed=0, key=(1,))).all())
    True
    """
    words = raw_words(seed, key, math.prod(shape)) >> np.uint64(11)
    return ((words.astype(np.float64) + 0.5) / 2.0**53).reshape(shape)


def drawn_units(
    n_pairs: int, n_units: int, weights: FloatArray, *, seed: int, key: Sequence[int]
) -> npt.NDArray[np.intp]:
    """A test set of its own for each pair: units drawn with replacement, (n_pairs, n_units).

    A unit is drawn in proportion to its weight.
    """
    edges = np.cumsum(weights)
    drawn = uniforms((n_pairs, n_units), seed=seed, key=key) * edges[-1]
    return np.searchsorted(edges[:-1], drawn, side="right")


@dataclasses.dataclass(frozen=True, eq=False)
class Outputs:
    """The outputs of two systems, sorted unit by unit into the better and the worse one.

    Attributes
    ----------
    pair : SufficientStatistics
        Of two systems.
    weights : ndarray of shape (units,), optional
        How often each unit is in the population; once without them.
    """

    pair: SufficientStatistics
    weights: FloatArray | None = None

    @classmethod
    def of(cls, statistics: SufficientStatistics, system_a: str, system_b: str) -> Outputs:
        return cls(select_pair(statistics, system_a, system_b))

    @cached_property
    def contributions(self) -> FloatArray:
        """How much each unit adds to the difference, the first system's minus the second's.

        Halfway between the two systems, a unit's two outputs are exchanged.  To first order the
        difference of two pseudo-systems is the sum of these numbers, each with the sign of its
        unit's coin; for a mean of segment scores it is so exactly.  Shape (units,).
        """
        a, b = self.pair.values
        middle, half = (a.sum(axis=0) + b.sum(axis=0)) / 2, (a - b) / 2
        score = self.pair.metric.score
        return self.pair.metric.direction * (score(middle + half) - score(middle - half))

    @cached_property
    def better(self) -> FloatArray:
        """Statistics of the better output of each unit, shape (units, counts)."""
        a, b = self.pair.values
        return np.where(self.contributions[:, None] >= 0, a, b)

    @cached_property
    def worse(self) -> FloatArray:
        """Statistics of the other output of each unit, shape (units, counts)."""
        a, b = self.pair.values
        return np.where(self.contributions[:, None] >= 0, b, a)

    def score(self, tilt: float) -> float:
        """Score that a pseudo-system with such coins has on average, turned so that up is better.

        It is the score of the expected sums: that of an endless test set of such units.
        """
        weights = np.ones(self.pair.n_segments) if self.weights is None else self.weights
        better, worse = weights @ self.better, weights @ self.worse
        sums = (1 + tilt) / 2 * better + (1 - tilt) / 2 * worse
        return float(self.pair.metric.direction * self.pair.metric.score(sums))

    def difference(self, tilt: float) -> float:
        """True difference between two pseudo-systems with this tilt and with its negative."""
        return self.score(tilt) - self.score(-tilt)

    @property
    def largest(self) -> float:
        """The largest difference that can be planted: all better outputs against all worse ones."""
        return dataclasses.replace(self, weights=None).difference(1.0)

    def spread_for(self, difference: float) -> FloatArray:
        """Weights with mean 1 that keep the spread of the real differences, shape (units,).

        A unit contributes its size u with the sign of its coin, so its variance is the mean of u^2
        less the square of the planted difference: the more is planted, the less is left.  Weights
        that rise with u^2 make up for that.  Of all that do, these differ least from 1, in squares.
        They cannot where all sizes are the same, and stop short of negative ones.
        """
        size = self.contributions**2
        mean, n = size.mean(), len(size)
        if size.std() <= 1e-12 * mean:
            return np.ones(n)
        lacking = (difference**2 - self.contributions.sum() ** 2) / n**2
        share = lacking * mean / size.var()
        share = np.clip(share, -1 / (size.max() / mean - 1), 1)
        return 1 + share * (size / mean - 1)

    def tilt_for(self, difference: float) -> float:
        """The tilt that plants a true difference; negative for a negative one.

        Raises
        ------
        InputError
            If the two systems' outputs are too much alike for so large a difference.
        """
        largest = self.largest
        if abs(difference) > largest:
            a, b = self.pair.systems
            raise InputError(
                f"difference={difference:g} is more than can be planted with the outputs of {a!r} "
                f"and {b!r}: at most {largest:.3g} {self.pair.label}. Take systems that differ "
                "more."
            )
        return math.copysign(solved(self.difference, abs(difference)), difference)


def dealt(heads: npt.NDArray[np.bool_], one: FloatArray, other: FloatArray) -> FloatArray:
    """Pseudo-systems from coins of shape (pairs, units): shape (2 * pairs, units, counts)."""
    shown = heads[..., None]
    return np.concatenate([np.where(shown, one, other), np.where(shown, other, one)])


def solved(function: Callable[[float], float], value: float, low: float = 0.0) -> float:
    """Where a rising function takes `value`, between `low` and 1."""
    from scipy.optimize import brentq  # slow to import

    start, end = function(low) - value, function(1.0) - value
    if start >= 0 or end <= 0:  # an end itself, or beyond it by rounding
        return low if abs(start) <= abs(end) else 1.0
    return float(brentq(lambda x: function(x) - value, low, 1.0, xtol=1e-12))


def as_pairs(
    source: SufficientStatistics,
    values: FloatArray,
    names: tuple[str, str],
    *,
    what: str,
    documents: npt.NDArray[np.generic] | None = None,
) -> SufficientStatistics:
    """Statistics of pseudo-systems: the first members of all pairs, then the second ones."""
    numbers = range(1, len(values) // 2 + 1)
    where = f"{source.test_set}: " if source.test_set else ""
    return dataclasses.replace(
        source,
        systems=tuple(f"{name} {i}" for name in names for i in numbers),
        values=values,
        documents=documents,
        strata=None,
        sizes=source.sizes if values.shape[1] == source.n_segments else None,  # or drawn anew
        test_set=f"{where}{what}",
    )


def check_simulable(statistics: SufficientStatistics, **counts: int | None) -> None:
    """Raise `InputError` for counts below 1, and for macro averages.

    New test sets would have to keep the strata of the latter.
    """
    for name, count in counts.items():
        if count is not None and count < 1:
            raise InputError(f"{name}={count!r} must be at least 1.")
    if statistics.strata is not None:
        raise InputError(
            "statistics are stratified, and simulated test sets are drawn without strata: give "
            "the statistics as they were before by_stratum()."
        )
