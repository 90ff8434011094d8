"""Words for right and wrong, as scores of 1 and 0."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..metrics.base import FloatArray
from ..statistics.sufficient import real_numbers
from .score_file import is_absent

#: Words for 1 and for 0, in small letters.
_PAIRS = (
    ("true", "false"),
    ("yes", "no"),
    ("correct", "incorrect"),
    ("right", "wrong"),
    ("pass", "fail"),
    ("passed", "failed"),
    ("success", "failure"),
)


def words_of(column: pd.Series) -> tuple[str, str] | None:
    """The words for 1 and 0 that are a column's only values; None where it has other values."""
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        return None
    first = next((_plain(cell) for cell in column if not is_absent(cell)), None)
    for pair in _PAIRS:
        if first in pair:
            filled = (cell for cell in pd.unique(column) if not is_absent(cell))
            return pair if all(_plain(cell) in pair for cell in filled) else None
    return None


def _plain(value: object) -> str:
    """A cell as words are compared: in small letters, without blanks around it."""
    return str(value).strip().casefold()


def is_yes_or_no(column: pd.Series) -> bool:
    """Whether all that a column has are words for right and wrong.

    >>> is_yes_or_no(pd.Series(["Yes", "no", None])), is_yes_or_no(pd.Series(["yes", "maybe"]))
    (True, False)
    """
    return words_of(column) is not None


def numbers_of_words(column: pd.Series) -> FloatArray:
    """1 for right, 0 for wrong, NaN where there is nothing; other columns as numbers.

    >>> numbers_of_words(pd.Series([True, False])), numbers_of_words(pd.Series(["fail", "pass"]))
    (array([1., 0.]), array([0., 1.]))
    """
    words = words_of(column)
    if words is None:
        return real_numbers(column)
    right, wrong = words
    plain = column.astype(str).str.strip().str.casefold()
    return np.select([plain == right, plain == wrong], [1.0, 0.0], np.nan)
