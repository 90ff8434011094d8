"""What a level for each comparison means for many: the error of the experiment as a whole."""

from __future__ import annotations

import math

from ..conclusions.deciding import check_level
from ..errors import InputError


def experimentwise_error(k: int, level: float) -> float:
    """Chance of one false claim or more in `k` independent comparisons, each at `level`.

    ``1 - (1 - level)**k``, if there is no true difference at all (Riezler & Maxwell 2005, section
    4.4).  Comparisons that share systems are not independent; `k` times `level` bounds the chance
    whatever their dependence.

    Parameters
    ----------
    k : int
        Number of comparisons.
    level : float
        Of each comparison.

    Returns
    -------
    float

    Raises
    ------
    InputError
        If `k` is not a whole number of 1 or more, or `level` not between 0 and 1.

    Examples
    --------
    >>> round(experimentwise_error(105, 0.05), 4)
    0.9954
    """
    _check_comparisons(k)
    check_level(level, "level")
    return -math.expm1(k * math.log1p(-level))


def level_for_experimentwise_error(k: int, error: float) -> float:
    """Level for each of `k` independent comparisons that gives `error` for all together.

    ``1 - (1 - error)**(1/k)``: the inverse of :func:`experimentwise_error`, known as Šidák's.

    Parameters
    ----------
    k : int
        Number of comparisons.
    error : float
        Of all comparisons together.

    Returns
    -------
    float

    Raises
    ------
    InputError
        If `k` is not a whole number of 1 or more, or `error` not between 0 and 1.

    Examples
    --------
    >>> round(level_for_experimentwise_error(105, 0.05), 6)
    0.000488
    """
    _check_comparisons(k)
    check_level(error, "error")
    return -math.expm1(math.log1p(-error) / k)


def _check_comparisons(k: int) -> None:
    if k < 1 or k != int(k):
        raise InputError(f"k={k!r} must be a number of comparisons, 1 or more.")
