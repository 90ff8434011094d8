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
    return _as_skewed(sample, sample.skewness * _extension(sample.n))


def seen(population: Shape) -> Shape:
    """What a sample shows of a population's shape; the opposite of `extended`."""
    return _as_skewed(population, population.skewness / _extension(population.n))


def _extension(n: int) -> float:
    """How many times as large as a sample's the skewness of the population is to be expected."""
    return 1 + EXTENDED / n**0.75


def _as_skewed(shape: Shape, skewness: FloatArray) -> Shape:
    """The shape with another skewness, and the kurtosis that comes with it."""
    kurtosis = shape.kurtosis + 1.5 * (skewness**2 - shape.skewness**2)
    return Shape(shape.n, skewness, kurtosis)


#: The upper threshold of a test, from the tail's level, the shape, and whether both tails count.
Critical = Callable[[float, Shape, bool], Threshold]


def q2(x: FloatArray | float, shape: Shape) -> FloatArray:
    """Second term of the distribution of Student's ratio.

    With skewness g and kurtosis k it is
    ``x {k (x**2 - 3) / 12 - g**2 (x**4 + 2 x**2 - 3) / 18 - (x**2 + 3) / 4}``.
    """
    g = shape.skewness
    k = shape.kurtosis
    of_kurtosis = k * (x**2 - 3) / 12
    of_skewness = g**2 * (x**4 + 2 * x**2 - 3) / 18
    of_normal = (x**2 + 3) / 4
    return x * (of_kurtosis - of_skewness - of_normal)


def p2(x: float, shape: Shape) -> FloatArray:
    """Second term of the distribution of a mean in its true standard error.

    With skewness g and kurtosis k it is
    ``-x {k (x**2 - 3) / 24 + g**2 (x**4 - 10 x**2 + 15) / 72}``.
    """
    g = shape.skewness
    k = shape.kurtosis
    of_kurtosis = k * (x**2 - 3) / 24
    of_skewness = g**2 * (x**4 - 10 * x**2 + 15) / 72
    return -x * (of_kurtosis + of_skewness)


def percentile(z: float, shape: Shape) -> tuple[float, FloatArray]:
    """Two terms of the bootstrap's quantile in one tail.

    The first is what the sample skewness is multiplied by, the second is all of order 1 / n.  The
    Cornish-Fisher expansion of the quantile is ``z + p11 / sqrt(n) + p21 / n``, with
    ``p11 = -p1`` and ``p21 = p1 p1' - z p1**2 / 2 - p2`` (Hall 1992, section 2.5).
    """
    first = (z**2 - 1) / 6  # -p1 for a skewness of 1
    derivative = z / 3
    square_of_skewness = _by_first_term(z, first, derivative) * shape.skewness**2
    second = square_of_skewness - p2(z, shape)
    return first, second


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
    q1 = _q1(z)
    derivative = 2 * z / 3
    # On average the sample skewness in the threshold is smaller than that of the population.
    missing = -q1 * (sample.skewness - shape.skewness) * np.sqrt(shape.n)
    square_of_skewness = _by_first_term(z, q1, derivative) * sample.skewness**2
    further = square_of_skewness - q2(z, sample) + missing
    return Threshold(z, estimated=-q1, further=further)


def _q1(x: FloatArray | float) -> FloatArray | float:
    """First term of the distribution of Student's ratio, for a skewness of 1."""
    return (2 * x**2 + 1) / 6


def _by_first_term(z: float, first: FloatArray | float, derivative: float) -> FloatArray | float:
    """What the first term of a distribution adds to the second term of its quantile.

    It is ``p1 p1' - z p1**2 / 2`` in Hall's notation.  Both `first`, the term, and its `derivative`
    are for a skewness of 1; what they add goes with the square of the skewness.
    """
    return first * derivative - z * first**2 / 2


def scaled(critical: Critical, ratio: FloatArray) -> Critical:
    """The thresholds of a test whose standard errors are `ratio` times the right ones."""

    def times_ratio(tail: float, shape: Shape, two_sided: bool) -> Threshold:
        threshold = critical(tail, shape, two_sided)
        return Threshold(
            z=ratio * threshold.z,
            estimated=ratio * threshold.estimated,
            further=ratio * threshold.further,
        )

    return times_ratio


def student(tail: float, shape: Shape, two_sided: bool) -> Threshold:
    """The threshold of the paired t test, which does not depend on the shape.

    Student's t divides by n - 1 where T divides by n.
    """
    z = -ndtri(tail)
    return Threshold(z, 0.0, z * (z**2 + 3) / 4)


def size(critical: Critical, shape: Shape, alpha: float, alternative: str) -> FloatArray:
    """How often a test at `alpha` errs where the mean difference is zero, shape (pairs,)."""
    two_sided = alternative == "two-sided"
    signs = {"two-sided": (1, -1), "greater": (1,), "less": (-1,)}[alternative]
    tail = alpha / len(signs)
    probabilities = []
    for sign in signs:
        # The lower tail is the upper one of the differences with the other sign.
        turned = dataclasses.replace(shape, skewness=sign * shape.skewness)
        threshold = critical(tail, turned, two_sided)
        probabilities.append(_exceeds(threshold, turned))
    return np.clip(np.sum(probabilities, axis=0), 0.0, 1.0)


def _exceeds(threshold: Threshold, shape: Shape) -> FloatArray:
    """Probability that T exceeds the threshold, to the order of 1 / n.

    With the threshold ``z + a g' / sqrt(n) + b / n``, where g' is the sample skewness, it is
    ``Phi(-z) + phi(z) {first / sqrt(n) + second / n}``.  The sample skewness in the threshold goes
    with T: their covariance is ``k - 3/2 g**2`` over n.
    """
    n = shape.n
    g = shape.skewness
    k = shape.kurtosis
    z, a, b = threshold
    q1 = _q1(z)
    first = -(a + q1) * g
    square_of_skewness = g**2 * (z * a**2 / 2 - a * (2 * z / 3 - z * q1))
    covariance = k - 1.5 * g**2
    second = -b - q2(z, shape) + square_of_skewness - z * a * covariance
    density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    return ndtr(-z) + density * (first / np.sqrt(n) + second / n)
