"""How often a test errs that says it errs in alpha: Edgeworth expansions of its two distributions.

A test compares Student's ratio ``T = sqrt(n) * mean / s`` of the units' differences, or what comes
to the same, with a critical value.  Both depend on the differences' skewness and kurtosis, the
ratio by nature and the critical value as far as the test notices.  What one has and the other has
not is what the test errs by.  With standardised skewness g and excess kurtosis k,

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
    """What is known of some pairs' differences: how many, how skewed, how heavy their tails.

    Attributes
    ----------
    n : int
        Units.
    skewness, kurtosis : ndarray, shape (pairs,)
        Standardised; the kurtosis is 0 for a normal distribution.
    """

    n: int
    skewness: FloatArray
    kurtosis: FloatArray


class Threshold(NamedTuple):
    """What T must exceed: ``z + estimated * sample skewness / sqrt(n) + further / n``."""

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
    kurtosis = shape.kurtosis + 1.5 * (skewness**2 - shape.skewness**2)
    return Shape(shape.n, skewness, kurtosis)


#: The upper threshold of a test, from the tail's level, the shape, and whether both tails count.
Critical = Callable[[float, Shape, bool], Threshold]


def q2(x: FloatArray | float, shape: Shape) -> FloatArray:
    """Second term of the distribution of Student's ratio."""
    g, k = shape.skewness, shape.kurtosis
    return x * (k * (x**2 - 3) / 12 - g**2 * (x**4 + 2 * x**2 - 3) / 18 - (x**2 + 3) / 4)


def p2(x: float, shape: Shape) -> FloatArray:
    """Second term of the distribution of a mean in its true standard error."""
    g, k = shape.skewness, shape.kurtosis
    return -x * (k * (x**2 - 3) / 24 + g**2 * (x**4 - 10 * x**2 + 15) / 72)


def percentile(z: float, shape: Shape) -> tuple[float, FloatArray]:
    """Terms of the bootstrap's quantile, of one tail alone: of the sample skewness, and the rest.

    Its Cornish-Fisher expansion ``z + p11 / sqrt(n) + p21 / n``, with ``p11 = -p1`` and
    ``p21 = p1 p1' - z p1**2 / 2 - p2`` (Hall 1992, section 2.5).
    """
    slope = (z**2 - 1) / 6
    return slope, _squared(z, slope, z / 3) * shape.skewness**2 - p2(z, shape)


def studentized(z: float, shape: Shape, two_sided: bool) -> Threshold:
    """The bootstrap-t's threshold: the ratio's own distribution, if its shape were the sample's.

    A sample shows less skewness than there is, and only as much goes into the resamples.  Its
    Cornish-Fisher expansion is ``z - q1 / sqrt(n) + (q1 q1' - z q1**2 / 2 - q2) / n``, of both
    tails together ``z - q2 / n`` (Hall 1992, sections 2.5 and 3.5).
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
    """What a first term of so much and its derivative, for a skewness of 1, add to a quantile."""
    return slope * rise - z * slope**2 / 2


def scaled(critical: Critical, ratio: FloatArray) -> Critical:
    """The thresholds of a test that takes differences for `ratio` times as variable as they are."""

    def narrower(tail: float, shape: Shape, two_sided: bool) -> Threshold:
        return Threshold(*(ratio * part for part in critical(tail, shape, two_sided)))

    return narrower


def student(tail: float, shape: Shape, two_sided: bool) -> Threshold:
    """The t test's threshold; T has the divisor n, Student's t has n - 1."""
    z = -ndtri(tail)
    return Threshold(z, 0.0, z * (z**2 + 3) / 4)


def size(critical: Critical, shape: Shape, alpha: float, alternative: str) -> FloatArray:
    """How often a test at `alpha` errs where the mean difference is zero, shape (pairs,)."""
    signs = {"two-sided": (1, -1), "greater": (1,), "less": (-1,)}[alternative]
    sides = [dataclasses.replace(shape, skewness=sign * shape.skewness) for sign in signs]
    tail = alpha / len(sides)
    found = [_exceeds(critical(tail, side, alternative == "two-sided"), side) for side in sides]
    return np.clip(np.sum(found, axis=0), 0.0, 1.0)


def _exceeds(threshold: Threshold, shape: Shape) -> FloatArray:
    """Probability that T exceeds the threshold.

    The sample skewness in the threshold goes with T: their covariance is ``k - 3/2 g**2`` over n.
    """
    (z, a, further), g, k = threshold, shape.skewness, shape.kurtosis
    density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    first = -(a + _q1(z)) * g
    second = (
        -further
        - q2(z, shape)
        + g**2 * (z * a**2 / 2 - a * (2 * z / 3 - z * _q1(z)))
        - z * a * (k - 1.5 * g**2)
    )
    return ndtr(-z) + density * (first / np.sqrt(shape.n) + second / shape.n)
