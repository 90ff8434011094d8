"""Which columns are metrics, and which way each is better."""

from __future__ import annotations

import dataclasses
import reprlib
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from ..errors import InputError, counted, listed, unknown_name
from ..metrics.base import FloatArray
from ..statistics.sufficient import real_numbers
from .labels import NO_SCORE
from .notation import may_be_thousands
from .score_file import ScoreFile, absent, blank
from .yes_or_no import is_yes_or_no, numbers_of_words, words_of

#: More than anybody compares at once; each widens the family, and takes its time.
MOST_METRICS = 100

#: As many numbers as may count items by accident, as ratings from 1 to 5 do, are fewer.
_FEWEST_NUMBERED = 6

_WAYS = {"higher": True, "lower": False}
_YES_OR_NO = "yes or no; -m takes it"


@dataclasses.dataclass(frozen=True)
class Chosen:
    """The columns that are metrics, and those that are not.

    Parameters
    ----------
    higher_is_better : mapping of str to bool
        Of each metric.
    assumed : frozenset of str
        Metrics of which nobody said which way is better.
    unused : mapping of str to str
        The other columns, and why they are none.
    """

    higher_is_better: Mapping[str, bool]
    assumed: frozenset[str]
    unused: Mapping[str, str]


def chosen_metrics(
    files: Sequence[ScoreFile], metrics: Sequence[str], *, smaller_is_better: bool, where: str
) -> Chosen:
    """The columns that were named, or all columns of numbers that may be scores.

    What a column is, all files say together.

    Raises
    ------
    InputError
        If a name is not known, or there is no metric, or there are too many to compare.
    """
    names = list(dict.fromkeys(name for file in files for name in file.columns))
    asked = directions(where, metrics, names)
    takes_all = not asked or "all" in asked
    default = asked.pop("all", None)
    if default is None:
        default = not smaller_is_better
    if takes_all:
        reasons = {name: why_not(name, _everywhere(files, name)) for name in names}
        for name in names:
            if reasons[name] is None and _numbers_items(files, name, where):
                reasons[name] = "numbers the same items of every system; -m takes it"
        reasons |= dict.fromkeys(asked)
        if None not in reasons.values():  # what is right or wrong is the only score
            reasons = {n: None if why == _YES_OR_NO else why for n, why in reasons.items()}
    else:
        reasons = {name: None if name in asked else "not named" for name in names}
    unused = {name: why for name, why in reasons.items() if why is not None}
    taken = [name for name in names if name not in unused] if takes_all else list(asked)
    if not taken:
        why = with_reasons(unused) or "there are only labels"
        raise InputError(f"{where} has no column of scores: {why}.")
    if len(taken) > max(MOST_METRICS, len(asked)):
        raise InputError(f"{where} has {len(taken):,} numeric columns. Name some: -m {taken[0]}.")
    higher = {}
    for name in taken:
        way = asked.get(name)
        higher[name] = default if way is None else way
    assumed = frozenset(name for name in taken if asked.get(name) is None)
    return Chosen(higher, assumed, unused)


def directions(
    where: str, metrics: Sequence[str], columns: Sequence[str]
) -> dict[str, bool | None]:
    """The columns that were named, and whether higher is better where that was said."""
    asked: dict[str, bool | None] = {}
    for text in metrics:
        name, _, way = text.rpartition(":")
        if text in columns or way.casefold() not in _WAYS:
            name, way = text, ""
        if name.casefold() == "all" and name not in columns:
            name = "all"
        elif name not in columns:
            raise unknown_name(f"{where}: metric", name, columns)
        if name in asked:
            raise InputError(f"metric={text!r}: {name!r} is named twice. Name it once.")
        asked[name] = _WAYS.get(way.casefold())
    return asked


def why_not(name: str, column: pd.Series) -> str | None:
    """Why a column that nobody named is not taken for a metric; None for one that is."""
    numbers = real_numbers(column)
    is_filled = ~absent(column, numbers)
    n_filled = np.count_nonzero(is_filled)
    found = numbers[~np.isnan(numbers)]
    if not n_filled:
        return "empty"
    if is_yes_or_no(column):
        return _YES_OR_NO
    if 2 * len(found) < n_filled:
        first = column[is_filled].iloc[0]
        if may_be_thousands(str(first)):
            return None  # and refused, by its line
        if len(found):
            return f"{len(found):,} of {n_filled:,} values are numbers"
        is_nested = str(first).startswith(('{"', "[", "{}"))
        return "objects or lists" if is_nested else "no numbers"
    if NO_SCORE.fullmatch(name):
        return "not a score by its name; -m takes it"
    if len(found) == len(numbers) and (found == found[0]).all():
        return "the same everywhere"
    return None


def _numbers_items(files: Sequence[ScoreFile], name: str, where: str) -> bool:
    """Whether a column numbers the items, from 0 or 1 on, all of them for each system.

    Raises
    ------
    InputError
        If it has each number several times for each system, and rows have no names of segments.
    """
    rows = [file.frame[["system", name]] for file in files if name in file.columns]
    own = pd.concat(rows, ignore_index=True)
    numbers = real_numbers(own[name])
    if np.isnan(numbers).any() or (numbers != np.round(numbers)).any():
        return False
    distinct = np.unique(numbers)
    is_count = distinct[0] in (0, 1) and distinct[-1] - distinct[0] == len(distinct) - 1
    if len(distinct) < _FEWEST_NUMBERED or not is_count:
        return False
    times = pd.crosstab(own["system"], numbers).to_numpy()
    if len(times) < 2 or (times != times[0, 0]).any():
        return False
    if times[0, 0] > 1 and all(file.by_order for file in files):
        raise InputError(
            f"{where}: each number in {name!r} stands {times[0, 0]} times for each system, and "
            "no column is called 'segment'. If it numbers the segments, call it 'segment', and "
            "what tells its rows apart 'rater', 'repeat' or 'document'."
        )
    return True


def numbers_of(file: ScoreFile, name: str, *, or_nothing: bool = False) -> FloatArray:
    """A column as numbers; NaN where there is none, if that may be.

    Raises
    ------
    InputError
        If a value is no finite number, or there is none: the message has line and column.
    """
    column = file.frame[name]
    numbers = numbers_of_words(column)
    is_absent = absent(column, numbers).to_numpy()
    bad = ~np.isfinite(numbers) & ~(is_absent & or_nothing)
    if not bad.any():
        return numbers
    row = int(bad.argmax())
    value = column.tolist()[row]
    if is_absent[row]:
        shown = "" if blank(column.iloc[[row]]).item() else f" ({value!r})"
        what = f"there is no value{shown}"
    elif may_be_thousands(str(value)):
        what = f"{value!r} could have a decimal comma or a thousands separator"
    else:
        what = f"{reprlib.repr(value)} is not a finite number"
    n_others = int(bad.sum()) - 1
    others = f" (as in {counted(n_others, 'other row')})" if n_others else ""
    raise InputError(
        f"{file.cell(row, name)}: {what}{others}. {_advice(is_absent[row], str(value))}"
    )


def _advice(is_absent: bool, value: str) -> str:
    if not is_absent and "," in value:
        return "Write numbers with a decimal point, and without thousands separators."
    return (
        "Score the segment, remove it for all systems, or leave the column out: -m names the "
        "others."
    )


def words_remarks(files: Sequence[ScoreFile], metrics: Sequence[str]) -> list[str]:
    """What words for right and wrong were taken to be, in the columns that are metrics."""
    remarks = []
    for file in files:
        for name in metrics:
            words = words_of(file.frame[name]) if name in file.columns else None
            if words is not None:
                remarks.append(f"{name}: {words[0]} is 1, {words[1]} is 0")
    return list(dict.fromkeys(remarks))


def with_reasons(unused: Mapping[str, str]) -> str:
    """Columns that are left out, grouped by the reason."""
    return "; ".join(
        f"{listed([name for name, why in unused.items() if why == reason], 20)} ({reason})"
        for reason in dict.fromkeys(unused.values())
    )


def _everywhere(files: Sequence[ScoreFile], name: str) -> pd.Series:
    """A column in all files that have it."""
    columns = [file.frame[name] for file in files if name in file.columns]
    return columns[0] if len(columns) == 1 else pd.concat(columns, ignore_index=True)
