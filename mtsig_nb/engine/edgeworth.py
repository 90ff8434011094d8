"""How often a test of a given level errs: Edgeworth expansions of its two distributions.

A test compares Student's ratio ``T = sqrt(n) * mean / s`` of the units' differences, or something
equivalent, with a critical value.  The distribution of the ratio depends on the skewness and the
kurtosis of the differences; the critical value depends on them only as far as the test takes them
into account.  The rest is the error of the test.  With standardised skewness g and excess kurtosis
k,

    P(T <= x) = Phi(x) + n**-1/2 q1(x) phi(x) + n**-1 q2(x) phi(x) + ...

and with p in place of q for a mean divided by its *true* standard error, which is also the
distribution of bootstrap resamples with the sample's g and k in it (Hall 1992, The bootstrap and
Edgeworth expansion, sections 2.6 and 3.3 to 3.5).

A metric that is no mean is taken for one: the mean of its units' influence values.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

from ..metrics.base import FloatArray


@dataclasses.dataclass(frozen=True, eq=False)
class Shape:
    """How the differences of some pairs are distributed: number, skewness and kurtosis.

    Attributes
    ----------
    n : int
        The number of units.
    skewness, kurtosis : ndarray, shape (pairs,)
        Standardised; the kurtosis is 0 for a normal distribution.
    """

    n: int
    skewness: FloatArray
    kurtosis: FloatArray


class Threshold(NamedTuple):
    """The value T must exceed: ``z + estimated * sample skewness / sqrt(n) + further / n``."""

    z: FloatArray | float
    estimated: FloatArray | float
    further: FloatArray | float


#: A sample skewness of n units is extended by this over n**0.75.  It makes the median right for 13
#: gamma, lognormal and mixed distributions of skewness 1 to 6 and n from 20 to 1,000, where 8.3 to
#: 9.4 would do, or a little too large (tests/significance/test_actual_size.py says why).
EXTENDED = 9.5


def extended(sample: Shape) -> Shape:
    """A population's shape as it is to be expected from a sample's.

    The kurtosis grows by what the additional skewness brings with it in gamma distributions, three
    halves of its square.
    """
    return _as_skewed(sample, sample.skewness * (1 + EXTENDED / sample.n**0.75))


def seen(population: Shape) -> Shape:
    """What a sample shows of a population's shape; the opposite of `extended`."""
    return _as_skewed(population, population.skewness / (1 + EXTENDED / population.n**0.75))


def _as_skewed(shape: Shape, skewness: FloatArray) -> Shape:
    """The shape with another skewness, and the kurtosis that comes with it."""
    kurtosis = shape.kurtosis + 1.5 * (skewness**2 - shape.skewness**2)
    return Shape(shape.n, skewness, kurtosis)


#: The upper threshold of a test, from the tail's level, the shape, and whether both tails count.
Critical = Callable[[float, Shape, bool], Threshold]


def q2(x: FloatArray | float, shape: Shape) -> FloatArray:
    """Second term of the distribution of Student's ratio."""
    of_kurtosis = shape.kurtosis * (x**2 - 3) / 12
    of_skewness = shape.skewness**2 * (x**4 + 2 * x**2 - 3) / 18
    of_normal = (x**2 + 3) / 4
    return x * (of_kurtosis - of_skewness - of_normal)


def p2(x: float, shape: Shape) -> FloatArray:
    """Second term of the distribution of a mean in its true standard error."""
    of_kurtosis = shape.kurtosis * (x**2 - 3) / 24
    of_skewness = shape.skewness**2 * (x**4 - 10 * x**2 + 15) / 72
    return -x * (of_kurtosis + of_skewness)


def percentile(z: float, shape: Shape) -> tuple[float, FloatArray]:
    """Two terms of the bootstrap's quantile in one tail.

    The first is what the sample skewness is multiplied by, the second is all of order 1 / n.  The
    Cornish-Fisher expansion of the quantile is ``z + p11 / sqrt(n) + p21 / n``, with
    ``p11 = -p1`` and ``p21 = p1 p1' - z p1**2 / 2 - p2`` (Hall 1992, section 2.5).
    """
    slope = (z**2 - 1) / 6
    further = _squared(z, slope, z / 3) * shape.skewness**2 - p2(z, shape)
    return slope, further


def studentized(z: float, shape: Shape, two_sided: bool) -> Threshold:
    """The threshold of bootstrap-t: the quantile of Student's ratio for the sample's shape.

    A sample shows less skewness than the population has, and only as much goes into the resamples.
    The Cornish-Fisher expansion of the quantile is
    ``z - q1 / sqrt(n) + (q1 q1' - z q1**2 / 2 - q2) / n`` in one tail, and ``z - q2 / n`` in both
    tails together (Hall 1992, sections 2.5 and 3.5).
    """
    sample = seen(shape)
    if two_sided:
        return Threshold(z, 0.0, -q2(z, sample))
    slope = _q1(z)
    missing = -slope * (sample.skewness - shape.skewness) * np.sqrt(shape.n)
    squared = _squared(z, slope, 2 * z / 3) * sample.skewness**2
    return Threshold(z, -slope, squared - q2(z, sample) + missing)


def _q1(z: FloatArray | float) -> FloatArray | float:
    """First term of the distribution of Student's ratio, for a skewness of 1."""
    return (2 * z**2 + 1) / 6


def _squared(z: float, slope: FloatArray | float, rise: float) -> FloatArray | float:
    """What the first term of a distribution adds to the second term of its quantile.

    Both `slope`, the first term, and `rise`, its derivative, are for a skewness of 1.
    """
    return slope * rise - z * slope**2 / 2


def scaled(critical: Critical, ratio: FloatArray) -> Critical:
    """The thresholds of a test whose standard errors are `ratio` times the right ones."""

    def narrower(tail: float, shape: Shape, two_sided: bool) -> Threshold:
        threshold = critical(tail, shape, two_sided)
        return Threshold(
            z=ratio * threshold.z,
            estimated=ratio * threshold.estimated,
            further=ratio * threshold.further,
        )

    return narrower


def student(tail: float, shape: Shape, two_sided: bool) -> Threshold:
    """The t test's threshold; T has the divisor n, Student's t has n - 1."""
    z = -ndtri(tail)
    return Threshold(z, 0.0, z * (z**2 + 3) / 4)


def size(critical: Critical, shape: Shape, alpha: float, alternative: str) -> FloatArray:
    """How often a test at `alpha` errs where the mean difference is zero, shape (pairs,)."""
    signs = {"two-sided": (1, -1), "greater": (1,), "less": (-1,)}[alternative]
    tail = alpha / len(signs)
    probabilities = []
    for sign in signs:
        turned = dataclasses.replace(shape, skewness=sign * shape.skewness)
        threshold = critical(tail, turned, alternative == "two-sided")
        probabilities.append(_exceeds(threshold, turned))
    return np.clip(np.sum(probabilities, axis=0), 0.0, 1.0)


def _exceeds(threshold: Threshold, shape: Shape) -> FloatArray:
    """Probability that T exceeds the threshold.

    The sample skewness in the threshold goes with T: their covariance is ``k - 3/2 g**2`` over n.
    """
    z = threshold.z
    a = threshold.estimated
    g = shape.skewness
    k = shape.kurtosis
    density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    first = -(a + _q1(z)) * g
    second = (
        -threshold.further
        - q2(z, shape)
        + g**2 * (z * a**2 / 2 - a * (2 * z / 3 - z * _q1(z)))
        - z * a * (k - 1.5 * g**2)
    )
    return ndtr(-z) + density * (first / np.sqrt(shape.n) + second / shape.n)
