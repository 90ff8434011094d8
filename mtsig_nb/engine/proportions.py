"""Exact binomial limits, shared by Monte Carlo p-values and by counts of correct conclusions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv

from ..errors import InputError


def clopper_pearson(
    count: npt.ArrayLike, n: npt.ArrayLike, confidence_level: float = 0.95
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Clopper-Pearson limits of a proportion.

    Parameters
    ----------
    count, n : array_like of int
        Successes and trials; 0 <= count <= n, n >= 1.
    confidence_level : float

    Returns
    -------
    low, high : ndarray of float64, of the broadcast shape

    Raises
    ------
    InputError
        If a count lies outside its number of trials.

    Examples
    --------
    >>> low, high = clopper_pearson(8, 10)
    >>> round(float(low), 3), round(float(high), 3)
    (0.444, 0.975)
    """
    count, n = np.broadcast_arrays(np.asarray(count), np.asarray(n))
    if (n < 1).any() or (count < 0).any() or (count > n).any():
        raise InputError("count must lie between 0 and n, and n be at least 1.")
    tail = (1 - confidence_level) / 2
    # Beta quantiles; the limits of "none" and "all" are 0 and 1, where the function has none.
    low = np.where(count == 0, 0.0, betaincinv(np.maximum(count, 1), n - count + 1, tail))
    high = np.where(count == n, 1.0, betaincinv(count + 1, np.maximum(n - count, 1), 1 - tail))
    return low, high
