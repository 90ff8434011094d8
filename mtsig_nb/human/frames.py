"""Frames of judgements: their columns, the units in them, and means that any order gives."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from ..errors import InputError, check_one_of
from ..metrics.base import FloatArray, Indices, IntArray
from ..sentences import Option, Sentence

#: Units by what callers ask for, and the column that has them.
UNITS = {"raters": "rater", "segments": "segment", "documents": "document", "tasks": "task"}


def check_frame(frame: pd.DataFrame, what: str, *columns: str, once: str = "") -> None:
    """Raise `InputError` unless the frame has these columns, and at least one of `what`.

    Where the column `once` says the same, no system may stand twice.
    """
    for name in columns:
        if name not in frame:
            raise InputError(
                f"frame has no column {name!r}; it has {list(frame.columns)}, and {what} need "
                f"{', '.join(columns)}."
            )
    if frame.empty:
        raise InputError(f"frame has no {what}; a campaign needs at least one.")
    if once and frame.duplicated(["system", once]).any():
        row = frame[frame.duplicated(["system", once])].iloc[0]
        raise InputError(
            f"frame: system {row['system']!r} appears more than once in {once} {row[once]}; leave "
            "one of them, or their mean."
        )


def exact_means(
    frame: pd.DataFrame, by: list[str], value: str
) -> tuple[pd.DataFrame, FloatArray, IntArray]:
    """Means per group, each from a correctly rounded sum, whatever the order of the rows.

    Returns
    -------
    keys : DataFrame
        One row per group, sorted.
    means : ndarray of float64
    counts : ndarray of int64
    """
    groups = frame.groupby(by, sort=True, observed=True)[value].agg(list)
    means = np.array([math.fsum(values) / len(values) for values in groups])
    return groups.index.to_frame(index=False), means, groups.map(len).to_numpy()


def significant_digits(values: Sequence[float] | FloatArray, digits: int) -> FloatArray:
    """`values` as they are after being written with so many significant decimal digits.

    >>> significant_digits([0.1 + 0.2, 2 / 3], 15).tolist()
    [0.3, 0.666666666666667]
    """
    return np.array([float(f"{value:.{digits}g}") for value in values], dtype=np.float64)


def unit_codes(frame: pd.DataFrame, units: str) -> Indices:
    """A number for each row's unit; an `InputError` where the rows do not say."""
    check_one_of("units", units, UNITS)
    column = UNITS[units]
    if column not in frame or frame[column].isna().any():
        raise InputError(
            Sentence(
                Option("units", units),
                f" needs a {column} for every judgement, and these judgements do not have it.",
            )
        )
    return pd.factorize(frame[column], sort=True)[0]
