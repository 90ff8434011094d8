"""Numbers as people and spreadsheets write them: decimal commas, percent signs, other digits.

What can be read in one way only becomes plain; what can be read in two stays as it is, and is
refused where it is used.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..errors import InputError
from ..statistics.sufficient import real_numbers
from .labels import KEYS, is_label, names_no_score
from .rows import first_true
from .score_file import ScoreFile, absent

#: A number that is whole or has a comma.
_COMMA_NUMBER = re.compile(r"[-+]?(\d+(,\d+)?|,\d+)(e[-+]?\d+)?", re.IGNORECASE)
#: A number with a comma that can part no thousands.
_SURELY_DECIMAL = re.compile(r"[-+]?(0?,\d+|\d+,(\d{1,2}|\d{4,})|0\d*,\d+|\d{4,},\d+)(e.*)?", re.I)
#: A number with a percent sign.
_PERCENT = re.compile(r".*\d\s*%")
#: A number without a percent sign, with a point, a comma or neither.
_BARE_NUMBER = re.compile(r"[-+]?(\d+([.,]\d+)?|[.,]\d+)")
#: A number with a point.
_DECIMAL_POINT = re.compile(r"[-+]?\d*\.\d+(e[-+]?\d+)?", re.IGNORECASE)
#: A number whose points could part thousands.
_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}(\.\d{3})+")
#: The beginning of a number.
_BEGINNING = re.compile(r"\s*[-+−]?[.,]?\d")
#: How many cells of a column are looked at to find whether it has numbers.
_MOST_LOOKED_AT = 50
#: A number with a decimal comma that is all there is in a line.
COMMA_LINE = re.compile(r"\s*[-+]?\d*,\d+(e[-+]?\d+)?\s*", re.IGNORECASE)


def with_plain_numbers(file: ScoreFile) -> ScoreFile:
    """A file whose columns of numbers in other notations have plain numbers; remarks say which.

    Labels stay as they are, and so does a cell that is no number, whatever the others are.  Decimal
    commas become points if a comma in one of the columns can part no thousands.

    Raises
    ------
    InputError
        If most numbers of a column have a percent sign, and another has none; if most have a
        comma, and another has a point; or if points could part thousands, as other columns have
        decimal commas.
    """
    frame = file.frame.copy(deep=False)
    texts = _other_notations(frame)
    _check_percents(file, texts)
    with_percents = [name for name, column in texts.items() if _has_percents(column)]
    for name in with_percents:
        texts[name] = texts[name].str.replace(r"\s*%$", "", regex=True)
    _check_points_among_commas(file, texts)
    with_commas = [name for name, column in texts.items() if _has_commas(column)]
    for name, column in texts.items():
        if name not in with_commas and not np.isnan(real_numbers(column)).all():
            frame[name] = column
    remarks = []
    if any(_any_match(texts[name], _SURELY_DECIMAL) for name in with_commas):
        _check_thousands(file, with_commas)
        for name in with_commas:
            frame[name] = _with_decimal_points(texts[name])
        remarks.append(f"decimal commas in {', '.join(with_commas)}")
    if with_percents:
        remarks.append(f"percent signs in {', '.join(with_percents)} are taken off")
    return file.with_frame(frame, *remarks)


def _other_notations(frame: pd.DataFrame) -> dict[str, pd.Series]:
    """The columns that may have numbers in another notation, as `_plain_characters` gives them."""
    texts = {}
    for name in frame.columns:
        if _is_label(name) or not _may_have_texts(frame[name]):
            continue
        column = _plain_characters(frame[name])
        if column is not None:
            texts[name] = column
    return texts


def _is_label(name: object) -> bool:
    """Whether a column has labels, under our own name for them or that of a file."""
    return name in KEYS or is_label(str(name))


def _may_have_texts(column: pd.Series) -> bool:
    """Whether cells may be texts; a column of texts alone has a type of its own in pandas 3."""
    return column.dtype == object or isinstance(column.dtype, pd.StringDtype)


def _with_decimal_points(column: pd.Series) -> pd.Series:
    """A column whose numbers have points in place of commas."""
    is_number = column.map(_is_comma_number)
    return column.mask(is_number, column.str.replace(",", ".", regex=False))


def _check_percents(file: ScoreFile, texts: Mapping[str, pd.Series]) -> None:
    """Raise `InputError` where a number lacks the percent sign that most of its column have."""
    for name, column in texts.items():
        row = _first_without_percent(column)
        if row is None or names_no_score(name):
            continue
        shown = str(file.frame[name].iloc[row]).strip()
        raise InputError(
            f"{file.cell(row, str(name))}: {shown!r} has no percent sign, and most numbers of the "
            "column have one. Write all numbers in the same way."
        )


def _first_without_percent(column: pd.Series) -> int | None:
    """The first row whose number has no percent sign, if most cells have numbers with one."""
    filled = _filled(column)
    has_percent = filled.str.fullmatch(_PERCENT)
    if 2 * has_percent.sum() <= len(filled):
        return None
    is_bare = filled.str.fullmatch(_BARE_NUMBER)
    if not is_bare.any():
        return None
    first_bare = filled.index[is_bare.astype(bool)][0]  # its line, which is no place in the column
    return first_true(column.index == first_bare)


def _check_points_among_commas(file: ScoreFile, texts: Mapping[str, pd.Series]) -> None:
    """Raise `InputError` where a number has a point in a column whose numbers have commas."""
    for name, column in texts.items():
        row = _first_point_among_commas(column)
        if row is None or names_no_score(name):
            continue
        shown = repr(str(file.frame[name].iloc[row]).strip())
        problem = f"{shown} has a decimal point, and other numbers in the column have commas"
        if _THOUSANDS.fullmatch(str(column.iloc[row])):
            problem = (
                f"the point in {shown} could separate thousands, as other numbers in the column "
                "have commas"
            )
        raise InputError(
            f"{file.cell(row, str(name))}: {problem}. Write all numbers in the same way."
        )


def _first_point_among_commas(column: pd.Series) -> int | None:
    """The first row whose number has a point, if most cells have numbers with a comma.

    It is None as well where half of the cells or more are plain numbers.  There the commas are
    wrong, and `numbers_of` refuses them if the column is a metric.
    """
    is_plain = ~np.isnan(real_numbers(column))
    plain = column[is_plain].astype(str)
    has_point = plain.str.fullmatch(_DECIMAL_POINT)
    if not has_point.any():
        return None
    others = _filled(column[~is_plain])
    n_commas = sum(map(_is_comma_number, others))
    n_filled = len(plain) + len(others)
    are_mostly_plain = 2 * len(plain) >= n_filled
    are_mostly_numbers = 2 * (len(plain) + n_commas) >= n_filled
    if are_mostly_plain or not are_mostly_numbers:
        return None
    plain_rows = np.flatnonzero(is_plain)
    return int(plain_rows[first_true(has_point)])


def _check_thousands(file: ScoreFile, with_commas: Sequence[str]) -> None:
    """Raise `InputError` where points could part thousands, as other columns have decimal commas.

    In such a column, each number has points before groups of three digits or is below 1000.
    """
    for name in file.frame.columns:
        column = file.frame[name]
        if name in with_commas or _is_label(name) or names_no_score(name):
            continue
        if not _may_have_texts(column):
            continue
        texts = column.where(~absent(column), "0").astype(str).str.strip()
        has_point = texts.str.fullmatch(_THOUSANDS)
        others_are_small = texts[~has_point].str.fullmatch("[-+]?[0-9]{1,3}").all()
        if has_point.any() and others_are_small:
            row = first_true(has_point)
            raise InputError(
                f"{file.cell(row, str(name))}: the point in {texts.iloc[row]!r} could separate "
                f"thousands, as the column {with_commas[0]!r} has decimal commas. Write all "
                "numbers in the same way."
            )


def may_be_thousands(text: str) -> bool:
    """Whether a number has a comma that may be a decimal one, or part thousands.

    >>> may_be_thousands("1,234"), may_be_thousands("0,83"), may_be_thousands("1.5")
    (True, False, False)
    """
    text = text.strip()
    is_number = _COMMA_NUMBER.fullmatch(text) is not None and "," in text
    return is_number and _SURELY_DECIMAL.fullmatch(text) is None


def _plain_characters(column: pd.Series) -> pd.Series | None:
    """A column as texts in ASCII digits and signs; None where it has no other notation.

    It may have one if most of the texts in it that are no plain numbers begin as numbers do.  Cells
    without a value stay as they are.
    """
    numbers = real_numbers(column)
    is_absent = absent(column, numbers)
    is_other = np.isnan(numbers) & ~is_absent.to_numpy()
    if not is_other.any():
        return None
    others = column[is_other]
    looked_at = others.iloc[:_MOST_LOOKED_AT]
    n_like_numbers = sum(map(_begins_like_number, looked_at))
    if 2 * n_like_numbers <= len(looked_at):
        return None  # a column of texts, as a look at some of its cells tells
    if not others.map(lambda cell: isinstance(cell, str)).all():
        return None
    plain = column.where(~is_other, others.map(_ascii))
    return plain.where(is_absent, plain.astype(str).str.strip())


def _begins_like_number(cell: Any) -> bool:
    """Whether a cell is a text that begins as a number may."""
    return isinstance(cell, str) and _BEGINNING.match(cell) is not None


def _ascii(text: str) -> str:
    """A text with its digits, of any script, and its minus signs as ASCII has them."""
    if text.isascii():
        return text
    plain = text.replace("\N{MINUS SIGN}", "-").replace("\N{NO-BREAK SPACE}", " ")
    return "".join(map(_ascii_digit, plain))


def _ascii_digit(character: str) -> str:
    """A digit as ASCII has it; any other character as it is."""
    return str(unicodedata.decimal(character)) if character.isdecimal() else character


def _has_commas(column: pd.Series) -> bool:
    """Whether all numbers of a column are whole or have a comma, and some have one."""
    filled = _filled(column)
    is_number = filled.map(_is_comma_number).astype(bool)
    has_comma = filled.str.contains(",", regex=False)
    has_comma_number = bool((is_number & has_comma).any())
    return has_comma_number and _is_one_notation(filled, is_number)


def _has_percents(column: pd.Series) -> bool:
    """Whether all numbers of a column have a percent sign."""
    filled = _filled(column)
    has_percent = filled.str.fullmatch(_PERCENT).astype(bool)
    return _is_one_notation(filled, has_percent)


def _is_one_notation(filled: pd.Series, is_number: pd.Series) -> bool:
    """Whether at least half of the cells are numbers of one notation, and no other is plain.

    `is_number` says which cells are numbers of the notation.
    """
    others = filled[~is_number]
    if 2 * len(others) > len(filled):
        return False
    has_points = others.str.fullmatch(_DECIMAL_POINT).any()
    has_whole_numbers = others.str.fullmatch("[-+]?[0-9]+").any()
    return not has_points and not has_whole_numbers


def _is_comma_number(text: str) -> bool:
    """Whether a text is a number, whole or with a comma."""
    return _COMMA_NUMBER.fullmatch(text) is not None


def _any_match(column: pd.Series, pattern: re.Pattern[str]) -> bool:
    """Whether a pattern fits the whole of some cell of a column."""
    return any(map(pattern.fullmatch, map(str, column)))


def _filled(column: pd.Series) -> pd.Series:
    """The cells of a column that have something, as texts."""
    return column[~absent(column)].astype(str)
