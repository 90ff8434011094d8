"""Numbers as people and spreadsheets write them: decimal commas, percent signs, other digits.

What can be read in one way only becomes plain; what can be read in two stays as it is, and is
refused where it is used.
"""

from __future__ import annotations

import dataclasses
import re
import unicodedata
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..errors import InputError
from ..statistics.sufficient import real_numbers
from .labels import KEYS, NO_SCORE, is_label
from .score_file import ScoreFile, absent

_COMMA_NUMBER = re.compile(r"[-+]?(\d+(,\d+)?|,\d+)(e[-+]?\d+)?", re.IGNORECASE)
#: A number with a comma that can part no thousands.
_SURELY_DECIMAL = re.compile(r"[-+]?(0?,\d+|\d+,(\d{1,2}|\d{4,})|0\d*,\d+|\d{4,},\d+)(e.*)?", re.I)
_DECIMAL_POINT = re.compile(r"[-+]?\d*\.\d+(e[-+]?\d+)?", re.IGNORECASE)
#: A number whose points could part thousands.
_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}(\.\d{3})+")
#: What begins like a number.
_BEGINNING = re.compile(r"\s*[-+−]?[.,]?\d")
#: Of how many cells it is asked whether they are numbers.
_MOST_LOOKED_AT = 50
#: A line of a file with a number in each line, and a decimal comma in it.
COMMA_LINE = re.compile(r"\s*[-+]?\d*,\d+(e[-+]?\d+)?\s*", re.IGNORECASE)


def with_plain_numbers(found: ScoreFile) -> ScoreFile:
    """Columns of numbers in other notations as plain numbers, and what was done as a remark.

    Labels stay as they are, and so does a cell that is no number, whatever the others are.

    Raises
    ------
    InputError
        If points could part thousands, as other columns have decimal commas.
    """
    texts = _other_notations(found.frame)
    frame = found.frame.copy(deep=False)
    remarks = list(found.remarks)
    percent = [name for name, column in texts.items() if _has_percents(column)]
    for name in percent:
        texts[name] = texts[name].str.replace(r"\s*%$", "", regex=True)
    commas = [name for name, column in texts.items() if _has_commas(column)]
    is_certain = any(_any_match(texts[name], _SURELY_DECIMAL) for name in commas)
    for name, column in texts.items():
        if name in commas:
            if is_certain:
                is_number = column.map(_is_comma_number)
                frame[name] = column.mask(is_number, column.str.replace(",", ".", regex=False))
        elif not np.isnan(real_numbers(column)).all():
            frame[name] = column
    if commas and is_certain:
        _check_points(found, commas)
        remarks.append(f"decimal commas in {', '.join(commas)}")
    if percent:
        remarks.append(f"percent signs in {', '.join(percent)} are taken off")
    return dataclasses.replace(found, frame=frame, remarks=tuple(remarks))


def _check_points(found: ScoreFile, commas: Sequence[str]) -> None:
    """Raise `InputError` where points could part thousands, beside columns with decimal commas."""
    for name in found.frame.columns:
        column = found.frame[name]
        if name in commas or name in KEYS or is_label(str(name)) or column.dtype != object:
            continue
        if NO_SCORE.fullmatch(str(name)):
            continue
        texts = column.where(~absent(column), "0").astype(str).str.strip()
        has_point = texts.str.fullmatch(_THOUSANDS)
        if not has_point.any() or not texts[~has_point].str.fullmatch("[-+]?[0-9]{1,3}").all():
            continue
        row = int(has_point.to_numpy().argmax())
        raise InputError(
            f"{found.cell(row, str(name))}: the point in {texts.iloc[row]!r} could part thousands, "
            f"as the column {commas[0]!r} has decimal commas. Write all numbers in one manner."
        )


def _other_notations(frame: pd.DataFrame) -> dict[str, pd.Series]:
    """By name, the columns whose numbers have another notation, in plain characters."""
    texts: dict[str, pd.Series] = {}
    for name in frame.columns:
        is_other = name not in KEYS and not is_label(str(name))
        if is_other and frame[name].dtype == object:
            column = _plain_characters(frame[name])
            if column is not None:
                texts[name] = column
    return texts


def may_be_thousands(text: str) -> bool:
    """Whether a number has a comma that may be a decimal one, or part thousands.

    >>> may_be_thousands("1,234"), may_be_thousands("0,83"), may_be_thousands("1.5")
    (True, False, False)
    """
    text = text.strip()
    is_number = _COMMA_NUMBER.fullmatch(text) is not None and "," in text
    return is_number and _SURELY_DECIMAL.fullmatch(text) is None


def _plain_characters(column: pd.Series) -> pd.Series | None:
    """A column in ASCII digits and signs, if it has texts of another notation; None otherwise."""
    numbers = real_numbers(column)
    is_absent = absent(column, numbers)
    is_other = np.isnan(numbers) & ~is_absent.to_numpy()
    if not is_other.any():
        return None
    looked_at = column[is_other].iloc[:_MOST_LOOKED_AT]
    if 2 * sum(map(_begins_like_number, looked_at)) <= len(looked_at):
        return None  # a column of texts, as a look at some of its cells tells
    if not column[is_other].map(lambda cell: isinstance(cell, str)).all():
        return None
    plain = column.where(~is_other, column[is_other].map(_ascii))
    return plain.where(is_absent, plain.astype(str).str.strip())


def _begins_like_number(cell: Any) -> bool:
    return isinstance(cell, str) and _BEGINNING.match(cell) is not None


def _ascii(text: str) -> str:
    """Digits of any script and the minus sign as ASCII has them."""
    if text.isascii():
        return text
    plain = text.replace("\N{MINUS SIGN}", "-").replace("\N{NO-BREAK SPACE}", " ")
    return "".join(
        str(unicodedata.decimal(character)) if character.isdecimal() else character
        for character in plain
    )


def _has_commas(column: pd.Series) -> bool:
    """Whether all numbers of a column are whole or have a comma, and some have one."""
    filled = column[~absent(column)].astype(str)
    has_comma = filled.str.contains(",", regex=False) & filled.map(_is_comma_number)
    return bool(has_comma.any()) and _are_the_numbers(filled, filled.map(_is_comma_number))


def _has_percents(column: pd.Series) -> bool:
    """Whether all numbers of a column have a percent sign."""
    filled = column[~absent(column)].astype(str)
    return _are_the_numbers(filled, filled.str.fullmatch(r".*\d\s*%"))


def _are_the_numbers(filled: pd.Series, is_number: pd.Series) -> bool:
    """Whether most cells are numbers of one notation, and the others are none of another."""
    others = filled[~is_number.astype(bool)]
    are_most = 2 * len(others) <= len(filled)
    return (
        are_most
        and not others.str.fullmatch(_DECIMAL_POINT).any()
        and not (others.str.fullmatch("[-+]?[0-9]+").any())
    )


def _is_comma_number(text: str) -> bool:
    return _COMMA_NUMBER.fullmatch(text) is not None


def _any_match(column: pd.Series, pattern: re.Pattern[str]) -> bool:
    return any(map(pattern.fullmatch, column[~absent(column)].astype(str)))
