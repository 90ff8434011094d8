"""p-values of statistics that are Student's t or normal, and their degrees of freedom."""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from ..engine.procedures import ALTERNATIVES, Alternative
from ..errors import check_one_of
from ..metrics.base import ArrayLike, FloatArray


def tail_pvalues(
    statistic: ArrayLike, alternative: Alternative, freedom: ArrayLike = math.inf
) -> FloatArray:
    """p-values of statistics that are Student's t, or normal, where nothing differs."""
    check_one_of("alternative", alternative, ALTERNATIVES)
    z = np.asarray(statistic, dtype=np.float64)
    far = {"two-sided": -np.abs(z), "greater": -z, "less": z}[alternative]
    normal = np.isinf(freedom)
    below = np.where(normal, special.ndtr(far), special.stdtr(np.where(normal, 1, freedom), far))
    return np.minimum(1.0, 2 * below) if alternative == "two-sided" else below


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
    Bell & McCaffrey (2002), section 3, for the jackknife's variance (CR3) in the place of CR2's.

    Examples
    --------
    >>> round(degrees_of_freedom_of_mean([5, 5, 5, 5]), 9)
    3.0
    >>> round(degrees_of_freedom_of_mean([20, 5, 5, 5]), 2)
    1.55
    """
    share = np.asarray(sizes, dtype=np.float64)
    share = share / share.sum()
    # The variance is a sum of squared residuals, cluster c's over its 1 - share: with covariances
    # share_c * (1 - share_c) and -share_c * share_d, times the variance of a member.
    odds = share / (1 - share)
    squares = np.sum(odds**2)
    return float(odds.sum() ** 2 / (squares + squares**2 - np.sum(odds**4)))
