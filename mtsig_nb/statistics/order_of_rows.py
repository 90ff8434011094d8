"""Rows in the order of a column: of numbers, or of points in time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from ..errors import InputError
from ..metrics.base import Array, Indices, Mask

#: The end of a time that says how far it is from Greenwich.
_ZONE = r"(?:[Zz]|[+-]\d\d:?\d\d)$"
#: How to write what is ordered.
_ADVICE = "Write numbers, or times as in 2026-11-27 14:05:00."


def places_in_order(column: pd.Series, named: Callable[[int], str]) -> Indices:
    """The place of each row in the order of a column, from 0 on.

    Rows with the same value have the same place.

    Parameters
    ----------
    column : Series of shape (rows,)
        All numbers, or all times: as such, or as texts by ISO 8601.
    named : callable
        What messages call a row, by its number.

    Returns
    -------
    ndarray of int, shape (rows,)

    Raises
    ------
    InputError
        If a row has no value, or one that is no number and no time; or if only some of the times
        have a time zone.

    Examples
    --------
    >>> column = pd.Series(["2026-11-27 14:05", "2026-11-26 18:30", "2026-11-27 14:05"])
    >>> places_in_order(column, str).tolist()
    [1, 0, 1]
    """
    values = column.reset_index(drop=True)
    _check_nothing_missing(values, named)
    _, places = np.unique(_comparable(values, named), return_inverse=True)
    return np.asarray(places, dtype=np.intp)


def _comparable(values: pd.Series, named: Callable[[int], str]) -> Array:
    """The values as numbers or as times, whichever all of them are."""
    if pd.api.types.is_datetime64_any_dtype(values):
        return values.to_numpy("datetime64[ns]")
    numbers = pd.to_numeric(values, errors="coerce")
    # A column of yes or no, which pandas takes for numbers, orders nothing.
    is_truth = np.array([isinstance(value, bool | np.bool_) for value in values.tolist()])
    is_number = np.isfinite(numbers.to_numpy(np.float64)) & ~is_truth
    if is_number.all():
        # Whole numbers stay whole: as floats, nanoseconds since 1970 would lose their last digits.
        return numbers.to_numpy()
    return _times(values, is_number, named).to_numpy("datetime64[ns]")


def _check_nothing_missing(values: pd.Series, named: Callable[[int], str]) -> None:
    """Raise `InputError` for a row without a value."""
    is_blank = values.astype(str).str.strip() == ""
    is_missing = (values.isna() | is_blank).to_numpy()
    if is_missing.any():
        row = int(is_missing.argmax())
        raise InputError(f"{named(row)}: there is no value to order by. Fill it in.")


def _times(values: pd.Series, is_number: Mask, named: Callable[[int], str]) -> pd.Series:
    """Texts as times; `is_number` says which of them are numbers, and so no times."""
    texts = values.astype(str).str.strip()
    times = pd.to_datetime(texts, format="ISO8601", utc=True, errors="coerce")
    is_time = times.notna().to_numpy() & ~is_number
    is_unclear = ~is_time & ~is_number
    if is_unclear.any():
        row = int(is_unclear.argmax())
        value = values.tolist()[row]
        raise InputError(f"{named(row)}: {value!r} is neither a number nor a time. {_ADVICE}")
    if is_number.any():
        row = int(is_number.argmax())
        number = values.tolist()[row]
        time = values.tolist()[int(is_time.argmax())]
        raise InputError(
            f"{named(row)}: {number!r} is a number, and {time!r} in another row is a time. Write "
            "all in the same way."
        )
    has_zone = texts.str.contains(_ZONE).to_numpy()
    if has_zone.any() and not has_zone.all():
        row = int((~has_zone).argmax())
        raise InputError(
            f"{named(row)}: {values.tolist()[row]!r} has no time zone, and other rows have one. "
            "Write it for all rows, or for none."
        )
    return times
