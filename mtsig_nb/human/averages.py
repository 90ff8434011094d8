"""Averages that do not depend on the order of addition, and decimal rounding."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..metrics.base import FloatArray


def exact_means(
    frame: pd.DataFrame, by: list[str], value: str
) -> tuple[pd.DataFrame, FloatArray, npt.NDArray[np.int64]]:
    """Means per group, each from a correctly rounded sum, whatever the order of the rows.

    Returns
    -------
    keys : DataFrame
        One row per group, sorted.
    means : ndarray of float64
    counts : ndarray of int64
    """
    groups = frame.groupby(by, sort=True, observed=True)
    codes = groups.ngroup().to_numpy(dtype=np.intp)
    order = np.argsort(codes, kind="stable")
    values = frame[value].to_numpy(dtype=np.float64)[order]
    counts = np.bincount(codes)
    ends = np.cumsum(counts)
    means = values[ends - counts].copy()
    for group in np.flatnonzero(counts > 1):
        end, n = int(ends[group]), int(counts[group])
        means[group] = math.fsum(values[end - n : end]) / n
    keys = frame.iloc[order[ends - counts]][by].reset_index(drop=True)
    return keys, means, counts.astype(np.int64)


def significant_digits(values: Sequence[float] | FloatArray, digits: int) -> FloatArray:
    """`values` as they are after being written with so many significant decimal digits.

    >>> significant_digits([0.1 + 0.2, 2 / 3], 15).tolist()
    [0.3, 0.666666666666667]
    """
    return np.array([float(f"{value:.{digits}g}") for value in values], dtype=np.float64)
