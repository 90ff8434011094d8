"""Which columns are metrics, and which way each is better."""

from __future__ import annotations

import dataclasses
import reprlib
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..errors import InputError, counted, listed, unknown_name
from ..metrics.base import FloatArray
from ..metrics.formula import Formula, named_formula
from ..statistics.sufficient import real_numbers
from .labels import KEYS, names_no_score
from .notation import may_be_thousands
from .rows import first_true
from .score_file import ScoreFile, absent, are_whole, blank
from .yes_or_no import is_yes_or_no, numbers_of_words, words_of

#: The most columns that become metrics without being named; each widens the family of tests.
MOST_METRICS = 100

#: The fewest distinct numbers that are taken for those of items.  Ratings from 1 to 5 are fewer.
_FEWEST_NUMBERED = 6

#: Whether higher is better, by the word behind the name of a metric.
_DIRECTION_OF = {"higher": True, "lower": False}
_YES_OR_NO = "yes or no; name it with -m"


@dataclasses.dataclass(frozen=True)
class Chosen:
    """The columns that are metrics, and those that are not.

    Parameters
    ----------
    higher_is_better : mapping of str to bool
        The metrics, and whether higher is better.
    formulas : mapping of str to Formula
        The formulas of those that are ratios of columns.
    assumed : frozenset of str
        Metrics of which nobody said which way is better.
    unused : mapping of str to str
        The other columns, and why they are no metrics.
    """

    higher_is_better: Mapping[str, bool]
    formulas: Mapping[str, Formula]
    assumed: frozenset[str]
    unused: Mapping[str, str]

    @property
    def columns(self) -> list[str]:
        """The columns of numbers that the metrics are made of, each once."""
        return columns_of(self.higher_is_better, self.formulas)


@dataclasses.dataclass(frozen=True)
class _Asked:
    """A metric that the user asks for.

    Parameters
    ----------
    higher_is_better : bool, optional
        None where nobody said.
    formula : Formula, optional
        None where it is a column.
    """

    higher_is_better: bool | None
    formula: Formula | None


def columns_of(metrics: Iterable[str], formulas: Mapping[str, Formula]) -> list[str]:
    """The columns that metrics are made of, each once: their own, or those of their formulas."""
    columns: list[str] = []
    for name in metrics:
        columns += formulas[name].columns if name in formulas else [name]
    return list(dict.fromkeys(columns))


def chosen_metrics(
    files: Sequence[ScoreFile], metrics: Sequence[str], *, smaller_is_better: bool, where: str
) -> Chosen:
    """The columns that the user asks for, or all columns of numbers that may be scores.

    Parameters
    ----------
    files : sequence of ScoreFile
        A column is judged by its values in all files together.
    metrics : sequence of str
        As in :func:`read_score_table`.
    smaller_is_better : bool
        The direction of metrics whose name in `metrics`, and whose file, says none.
    where : str
        What messages call the files.

    Raises
    ------
    InputError
        If a name is not known, or there is no metric, or there are too many to compare.
    """
    names = list(dict.fromkeys(name for file in files for name in file.other_columns))
    asked = _asked_for(where, metrics, names)
    takes_all = not asked or "all" in asked
    of_all = asked.pop("all", None)  # as in ``all:lower``
    default_direction = not smaller_is_better
    if of_all is not None and of_all.higher_is_better is not None:
        default_direction = of_all.higher_is_better
    formulas = {name: metric.formula for name, metric in asked.items() if metric.formula}
    of_formulas = columns_of(formulas, formulas)
    # Columns that are counts of a ratio are no metrics of their own unless they are named.
    others = [name for name in names if name in asked or name not in of_formulas]
    if takes_all:
        unused = _unused_reasons(files, others, where, asked)
        taken = [name for name in others if name not in unused] + list(formulas)
    else:
        unused = {name: "not named" for name in others if name not in asked}
        taken = list(asked)
    if not taken:
        shown = with_reasons(unused) or "there are only labels"
        raise InputError(f"{where} has no column of scores: {shown}.")
    # Columns that the user asks for by name are never too many.
    if len(taken) > max(MOST_METRICS, len(asked)):
        raise InputError(f"{where} has {len(taken):,} numeric columns. Name some: -m {taken[0]}.")
    known = {name: False for file in files for name in file.lower_is_better}
    for name, metric in asked.items():
        if metric.higher_is_better is not None:
            known[name] = metric.higher_is_better
    higher_is_better = {name: known.get(name, default_direction) for name in taken}
    assumed = frozenset(taken) - known.keys()
    return Chosen(higher_is_better, formulas, assumed, unused)


def _unused_reasons(
    files: Sequence[ScoreFile], names: Sequence[str], where: str, asked: Collection[str]
) -> dict[str, str]:
    """The columns that are no metrics, and why, where all columns that may be scores are metrics.

    Columns in `asked` are metrics.  Columns of yes and no are metrics if there are no others.
    """
    reasons = {}
    for name in names:
        reason = _reason_not_taken(name, _in_all_files(files, name))
        if reason is None and _numbers_items(files, name, where):
            reason = "numbers the same items of every system; name it with -m"
        if reason is not None and name not in asked:
            reasons[name] = reason
    if len(reasons) == len(names):
        return {name: reason for name, reason in reasons.items() if reason != _YES_OR_NO}
    return reasons


def _asked_for(where: str, metrics: Sequence[str], columns: Sequence[str]) -> dict[str, _Asked]:
    """The metrics that the user asks for, by their names.

    One of the names may be ``all``, in small letters.

    Raises
    ------
    InputError
        If a column is not known; a metric is named twice; or a ratio is no formula, or is called as
        a column is.
    """
    asked: dict[str, _Asked] = {}
    for text in metrics:
        name, direction = _split_direction(text, columns)
        named = None if name in columns else named_formula(name)
        formula = None
        if named is not None:
            name, formula = named
            _check_formula(where, text, name, formula, columns)
        elif name.casefold() == "all" and name not in columns:
            name = "all"
        elif name not in columns:
            raise unknown_name(f"{where}: metric", name, columns)
        if name in asked:
            raise InputError(f"metric={text!r}: {name!r} is named twice. Name it once.")
        asked[name] = _Asked(direction, formula)
    return asked


def _split_direction(text: str, columns: Container[str]) -> tuple[str, bool | None]:
    """A metric without the direction behind its name, and whether higher is better.

    A column that is called so as a whole is meant itself.
    """
    name, _, direction = text.rpartition(":")
    direction = direction.strip().casefold()
    if text in columns or direction not in _DIRECTION_OF:
        return text, None
    return name, _DIRECTION_OF[direction]


def _check_formula(
    where: str, text: str, name: str, formula: Formula, columns: Sequence[str]
) -> None:
    """Raise `InputError` for a ratio of columns that are not there, or that is called as one is.

    Parameters
    ----------
    where : str
        What messages call the files.
    text : str
        The ratio as it was typed.
    name : str
    formula : Formula
    columns : sequence of str
    """
    for column in formula.columns:
        if column not in columns:
            raise unknown_name(f"{where}: metric={text!r}: column", column, columns)
    if name in columns or name in KEYS or name.casefold() == "all":
        problem = "a metric cannot be called"
        if name in columns:
            problem = f"{where} has a column"
        raise InputError(f"metric={text!r}: {problem} {name!r}. Give the ratio a name of its own.")


def asked_formulas(metrics: Sequence[str], columns: Container[str]) -> dict[str, Formula]:
    """The ratios of columns that the user asks for, each by what stands before a direction.

    `columns` are those that there are.

    Raises
    ------
    InputError
        If a ratio is no formula.
    """
    formulas = {}
    for text in metrics:
        name, _ = _split_direction(text, columns)
        named = None if name in columns else named_formula(name)
        if named is not None:
            _, formulas[name] = named
    return formulas


def asked_columns(
    metrics: Sequence[str], formulas: Mapping[str, Formula], columns: Container[str]
) -> list[str]:
    """The columns that the user asks for, by name or in `formulas`; or ``"all"``."""
    names = [_split_direction(text, columns)[0] for text in metrics]
    return columns_of(names, formulas)


def _reason_not_taken(name: str, column: pd.Series) -> str | None:
    """Why a column is not taken for a metric unless it is asked for; None for one that is."""
    numbers = real_numbers(column)
    is_number = ~np.isnan(numbers)
    n_numbers = np.count_nonzero(is_number)
    is_filled = ~absent(column, numbers)
    n_filled = np.count_nonzero(is_filled)
    if not n_filled:
        return "empty"
    if is_yes_or_no(column):
        return _YES_OR_NO
    if 2 * n_numbers < n_filled:
        first = str(column[is_filled].iloc[0])
        if may_be_thousands(first):
            return None  # numbers_of refuses it, and names its line
        if n_numbers:
            return f"{n_numbers:,} of {n_filled:,} values are numbers"
        return "objects or lists" if first.startswith(('{"', "[", "{}")) else "no numbers"
    if names_no_score(name):
        return "not a score by its name; name it with -m"
    if is_number.all() and (numbers == numbers[0]).all():
        return "the same everywhere"
    return None


def _numbers_items(files: Sequence[ScoreFile], name: str, where: str) -> bool:
    """Whether a column numbers the items, from 0 or 1 on, and has all numbers for each system.

    Raises
    ------
    InputError
        If it has each number several times for each system, and rows have no names of segments.
    """
    columns = [file.frame[["system", name]] for file in files if name in file.other_columns]
    rows = pd.concat(columns, ignore_index=True)
    numbers = real_numbers(rows[name])
    if not are_whole(numbers):
        return False
    distinct = np.unique(numbers)
    has_no_gap = distinct[-1] - distinct[0] == len(distinct) - 1
    is_count = distinct[0] in (0, 1) and has_no_gap
    if len(distinct) < _FEWEST_NUMBERED or not is_count:
        return False
    n_rows = pd.crosstab(rows["system"], numbers).to_numpy()  # by system and number
    n_rows_of_each = n_rows[0, 0]
    if len(n_rows) < 2 or (n_rows != n_rows_of_each).any():
        return False
    if n_rows_of_each > 1 and all(file.segments_by_order for file in files):
        raise InputError(
            f"{where}: each number in {name!r} stands {n_rows_of_each} times for each system, and "
            "no column is called 'segment'. If it numbers the segments, call it 'segment', and "
            "call the column that tells its rows apart 'rater', 'repeat' or 'document'."
        )
    return True


def numbers_of(file: ScoreFile, name: str, *, may_lack_scores: bool = False) -> FloatArray:
    """A column of scores as numbers; words for right and wrong are 1 and 0.

    Where `may_lack_scores`, a score that is missing is NaN.

    Raises
    ------
    InputError
        If a value is no finite number, or is missing: the message has line and column.
    """
    column = file.frame[name]
    numbers = numbers_of_words(column)
    is_absent = absent(column, numbers).to_numpy()
    is_bad = ~np.isfinite(numbers)
    if may_lack_scores:
        is_bad &= ~is_absent
    if not is_bad.any():
        return numbers
    row = first_true(is_bad)
    value = column.tolist()[row]
    if not is_absent[row]:
        problem = _problem_of(value)
    elif blank(column.iloc[[row]]).item():
        problem = "there is no value"
    else:
        problem = f"there is no value ({value!r})"
    n_others = int(is_bad.sum()) - 1
    others = f" (as in {counted(n_others, 'other row')})" if n_others else ""
    advice = _advice(is_absent[row], str(value))
    raise InputError(f"{file.cell(row, name)}: {problem}{others}. {advice}")


def _problem_of(value: Any) -> str:
    """Why a value that is there is no score."""
    if may_be_thousands(str(value)):
        return f"{value!r} could have a decimal comma or a thousands separator"
    return f"{reprlib.repr(value)} is not a finite number"


def _advice(is_absent: bool, value: str) -> str:
    """What to do with a value that is no score."""
    if not is_absent and "," in value:
        return "Write numbers with a decimal point, and without thousands separators."
    return (
        "Score the segment, remove it for all systems, or leave the column out: -m names the "
        "others."
    )


def words_remarks(files: Sequence[ScoreFile], metrics: Sequence[str]) -> list[str]:
    """Which words were taken for right and wrong, in the columns that are metrics."""
    remarks = []
    for file in files:
        for name in metrics:
            words = words_of(file.frame[name]) if name in file.other_columns else None
            if words is not None:
                remarks.append(f"{name}: {words[0]} is 1, {words[1]} is 0")
    return list(dict.fromkeys(remarks))


def with_reasons(unused: Mapping[str, str]) -> str:
    """Columns that are left out, grouped by the reason."""
    names: dict[str, list[str]] = {}
    for name, reason in unused.items():
        names.setdefault(reason, []).append(name)
    return "; ".join(f"{listed(names[reason], 20)} ({reason})" for reason in names)


def _in_all_files(files: Sequence[ScoreFile], name: str) -> pd.Series:
    """A column's values in all files that have it."""
    columns = [file.frame[name] for file in files if name in file.other_columns]
    return pd.concat(columns, ignore_index=True)
