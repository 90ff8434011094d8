"""p-values and quantiles of Student's t and the normal distribution, and degrees of freedom."""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from ..engine.procedures import ALTERNATIVES, Alternative
from ..errors import check_one_of
from ..metrics.base import ArrayLike, FloatArray

#: Estimates that scatter by a smaller share of their standard error are known already.
_LEAST_DEVIATION = 1e-3


def tail_pvalues(
    statistic: ArrayLike, alternative: Alternative, freedom: ArrayLike = math.inf
) -> FloatArray:
    """p-values of statistics that are Student's t under the null hypothesis.

    With infinite degrees of freedom, as by default, they are normal.
    """
    check_one_of("alternative", alternative, ALTERNATIVES)
    t = np.asarray(statistic, dtype=np.float64)
    if alternative == "two-sided":
        return np.minimum(1.0, 2 * student_cdf(-np.abs(t), freedom))
    if alternative == "greater":
        return student_cdf(-t, freedom)
    return student_cdf(t, freedom)


def student_cdf(t: ArrayLike, freedom: ArrayLike) -> FloatArray:
    """Distribution function of Student's t, or the normal one where `freedom` is infinite.

    >>> student_cdf([-2, -2], [10, np.inf]).round(4).tolist()
    [0.0367, 0.0228]
    """
    is_normal = np.isinf(freedom)
    finite = np.where(is_normal, 1, freedom)
    return np.where(is_normal, special.ndtr(t), special.stdtr(finite, t))


def student_quantile(probability: float, freedom: ArrayLike) -> FloatArray:
    """Quantile of Student's t, or the normal one where `freedom` is infinite.

    >>> student_quantile(0.975, [10, np.inf]).round(3).tolist()
    [2.228, 1.96]
    """
    is_normal = np.isinf(freedom)
    finite = np.where(is_normal, 1, freedom)
    return np.where(is_normal, special.ndtri(probability), special.stdtrit(finite, probability))


def margin_of_error(
    standard_error: ArrayLike, freedom: ArrayLike, confidence_level: float
) -> FloatArray:
    """How far an interval reaches from the estimate, on either side; by Student's t.

    >>> margin_of_error([1.0, 1.0], [10, np.inf], 0.95).round(3).tolist()
    [2.228, 1.96]
    """
    quantile = student_quantile((1 + confidence_level) / 2, freedom)
    return np.asarray(standard_error) * quantile


def chance_of_rejection(
    mean: ArrayLike,
    deviation: ArrayLike,
    *,
    standard_error: ArrayLike,
    freedom: ArrayLike,
    alpha: ArrayLike,
) -> FloatArray:
    """The chance that a two-sided t test of a normal estimate rejects.

    Parameters
    ----------
    mean, deviation : array_like
        Of the estimate, which need not scatter as much as its standard error says, as where part of
        it is known already.
    standard_error : array_like
        What its estimated standard error is on average.
    freedom : array_like
        Of the estimated standard error.
    alpha : array_like
        Level of the test.

    Examples
    --------
    >>> asked = dict(standard_error=1.0, freedom=12.0, alpha=0.05)
    >>> chance_of_rejection([0, 3], 1.0, **asked).round(2).tolist()
    [0.05, 0.79]
    """
    share = np.maximum(np.divide(deviation, standard_error), _LEAST_DEVIATION)
    shift = np.divide(mean, standard_error) / share
    threshold = special.stdtrit(freedom, 1 - np.asarray(alpha) / 2) / share
    below = special.nctdtr(freedom, np.abs(shift), threshold)
    far_below = special.nctdtr(freedom, np.abs(shift), -threshold)
    far_below = np.nan_to_num(far_below, nan=0.0)  # SciPy's answer where it is next to nothing
    return np.clip(1 - below + far_below, 0.0, 1.0)


def degrees_of_freedom_of_mean(sizes: ArrayLike) -> float:
    """Degrees of freedom of the jackknife's variance of a mean over clusters of these sizes.

    They are n - 1 for n clusters of equal size, and fewer the more the sizes differ.  The working
    model is that of independent members with the same variance.

    Parameters
    ----------
    sizes : array_like of shape (clusters,)
        Members of each cluster, or their weights; two clusters or more.

    References
    ----------
    Bell & McCaffrey (2002) for the jackknife's variance (CR3) in the place of CR2's.

    Examples
    --------
    >>> round(degrees_of_freedom_of_mean([5, 5, 5, 5]), 9)
    3.0
    >>> round(degrees_of_freedom_of_mean([20, 5, 5, 5]), 2)
    1.55
    """
    weights = np.asarray(sizes, dtype=np.float64)
    share = weights / weights.sum()
    # The variance is the sum of the squares of share_c * residual_c / (1 - share_c), where the
    # residual of cluster c is its mean less that of all.  In units of the variance of the mean,
    # these terms have variances odds_c and covariances -odds_c * odds_d.
    odds = share / (1 - share)
    expectation = odds.sum()
    squared_variances = np.sum(odds**2)
    # Of any two clusters: all products of squared odds, but for those of a cluster with itself.
    all_products = squared_variances**2
    with_itself = np.sum(odds**4)
    # Satterthwaite: twice the squared expectation of the sum over its variance.
    half_variance = squared_variances + all_products - with_itself
    return float(expectation**2 / half_variance)
