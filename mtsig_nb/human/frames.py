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
    """Raise `InputError` unless the frame has these columns, and at least one row.

    Parameters
    ----------
    frame : DataFrame
    what : str
        What its rows are, in the plural, as messages call them.
    *columns : str
    once : str, optional
        The column within each value of which no system may stand twice.
    """
    for name in columns:
        if name not in frame:
            raise InputError(
                f"frame has no column {name!r}; it has {list(frame.columns)}, and {what} need "
                f"{', '.join(columns)}."
            )
    if frame.empty:
        raise InputError(f"frame has no {what}; a campaign needs at least one.")
    if not once:
        return
    is_repeated = frame.duplicated(["system", once])
    if is_repeated.any():
        row = frame[is_repeated].iloc[0]
        raise InputError(
            f"frame: system {row['system']!r} appears more than once in {once} {row[once]}; leave "
            "one of them, or their mean."
        )


def exact_means(
    frame: pd.DataFrame, keys: list[str], value: str
) -> tuple[pd.DataFrame, FloatArray, IntArray]:
    """Means per group, each from a correctly rounded sum, whatever the order of the rows.

    Returns
    -------
    groups : DataFrame
        One row per group with its keys, sorted.
    means : ndarray of float64
    counts : ndarray of int64
    """
    grouped = frame.groupby(keys, sort=True, observed=True)
    counts = grouped.size()
    number = grouped.ngroup().to_numpy()  # of each row's group; -1 where a key is missing
    rows = np.argsort(number, kind="stable")[np.count_nonzero(number < 0) :]
    values = frame[value].to_numpy()[rows].tolist()
    means = []
    end = 0
    for count in counts:
        start = end
        end = start + count
        means.append(math.fsum(values[start:end]) / count)
    groups = counts.index.to_frame(index=False)
    return groups, np.array(means, dtype=np.float64), np.asarray(counts, dtype=np.int64)


def significant_digits(values: Sequence[float] | FloatArray, digits: int) -> FloatArray:
    """`values` as they are after being written with so many significant decimal digits.

    >>> significant_digits([0.1 + 0.2, 2 / 3], 15).tolist()
    [0.3, 0.666666666666667]
    """
    written = [f"{value:.{digits}g}" for value in values]
    return np.array([float(text) for text in written], dtype=np.float64)


def standard_scores(ratings: pd.DataFrame, value: str) -> pd.Series:
    """Each rating's distance from the mean of its rater, in the rater's standard deviations.

    Raters who gave one score to everything, or a single one, have no deviation to divide by: their
    standard scores are missing.

    Parameters
    ----------
    ratings : DataFrame
        With the column ``rater``.
    value : str
        The column of the scores.
    """
    by_rater = ratings.groupby("rater", observed=True)[value]
    # A constant rater is recognised by the scores themselves, not by a deviation that rounding may
    # leave a little above zero.
    is_constant = by_rater.transform("min") == by_rater.transform("max")
    deviations = by_rater.transform("std").mask(is_constant)
    return (ratings[value] - by_rater.transform("mean")) / deviations


def unit_codes(frame: pd.DataFrame, units: str) -> Indices:
    """The number of each row's unit; raises `InputError` where a row does not name its unit."""
    check_one_of("units", units, UNITS)
    column = UNITS[units]
    is_known = column in frame and frame[column].notna().all()
    if not is_known:
        raise InputError(
            Sentence(
                Option("units", units),
                f" needs a {column} for every judgement, and these judgements do not have it.",
            )
        )
    codes, _ = pd.factorize(frame[column], sort=True)
    return codes
