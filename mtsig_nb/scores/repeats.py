"""Several rows for one system and segment: what they are, or an error that says so."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ..errors import InputError, counted
from ..statistics.sufficient import real_numbers
from .labels import (
    CALL,
    KEYS,
    NO_SCORE,
    RATER,
    REPEAT,
    names_criteria,
    names_outputs,
    names_setting,
)
from .score_file import ScoreFile


def check_single(
    frame: pd.DataFrame, keys: Sequence[str], files: Sequence[ScoreFile], file: str, row: str
) -> None:
    """Raise `InputError` where a file has several rows for the same labels.

    Raters may rate an output again, and judges be called again.  The message has both lines, and
    the column that tells such rows apart, if one does.

    Parameters
    ----------
    frame : DataFrame
    keys : sequence of str
        The labels.
    files : sequence of ScoreFile
    file, row : str
        The columns with the number of a row's file in `files`, and of the row there.
    """
    if RATER in keys or CALL in keys:
        return
    repeated = frame.duplicated(list(keys)).to_numpy()
    if not repeated.any():
        return
    second = int(repeated.argmax())
    first = first_like(frame, keys, second)
    found = files[int(frame[file].iloc[second])]
    rows = [int(frame[row].iloc[place]) for place in (first, second)]
    named = [label for label in keys if label != "document"]
    labels = labels_in_words(frame, named, second)
    others = int(repeated.sum()) - 1
    more = f"; the same goes for {counted(others, 'more row')}" if others else ""
    column = _distinguishing(found, keys, rows)
    advice = "Keep one of them, or their mean."
    if column is not None and found.uses_name:
        advice = f"If {column!r} names the systems, call it 'system'; if repeats, 'repeat'."
    elif column is not None and names_criteria(column):
        advice = f"The column {column!r} tells them apart: give each value its own column."
    elif column is not None:
        advice = (
            f"The column {column!r} tells them apart: if its values are repeats of the same, "
            "call it 'repeat' (or 'rater', or 'run'); otherwise give the rows of one value, or "
            "make it part of the system's name."
        )
    raise InputError(
        f"{found.where(rows[0])} and {_line(found, rows[1])} are both of {labels}{more}. {advice}"
    )


def check_same_number(
    frame: pd.DataFrame, keys: Sequence[str], files: Sequence[ScoreFile], file: str, row: str
) -> None:
    """Raise `InputError` where items have different numbers of repeats; see `check_single`.

    Means over different numbers are not of the same.
    """
    if REPEAT not in keys:
        return
    item = [label for label in keys if label not in (REPEAT, RATER, CALL)]
    n_repeats = frame.groupby(item, sort=False)[REPEAT].transform("nunique")
    usual = int(n_repeats.mode().iloc[0])
    unusual = (n_repeats != usual).to_numpy()
    if not unusual.any():
        return
    place = int(unusual.argmax())
    found = files[int(frame[file].iloc[place])]
    n_items = len(frame.loc[n_repeats == usual, item].drop_duplicates())
    raise InputError(
        f"{found.where(int(frame[row].iloc[place]))}: {labels_in_words(frame, item, place)} has "
        f"{counted(int(n_repeats.iloc[place]), 'repeat')}, and {counted(n_items, 'item')} "
        f"{'has' if n_items == 1 else 'have'} {usual}. Give the same number for each item: means "
        "over different numbers of repeats are not comparable."
    )


def labels_in_words(frame: pd.DataFrame, labels: Sequence[str], row: int) -> str:
    """Labels of a row as messages have them."""
    own = frame[list(labels)].iloc[row]
    return ", ".join(f"{str(name).strip('()')} {str(value)!r}" for name, value in own.items())


def first_like(frame: pd.DataFrame, labels: Sequence[str], row: int) -> int:
    """The first row with the same labels as another."""
    columns = frame[list(labels)]
    return int((columns == columns.iloc[row]).to_numpy().all(axis=1).argmax())


def _line(found: ScoreFile, row: int) -> str:
    """A further row of a file, which has been named."""
    return found.where(row).removeprefix(f"{found.source.at()}, ")


def _distinguishing(found: ScoreFile, keys: Sequence[str], rows: Sequence[int]) -> str | None:
    """The column that differs between two rows and makes all rows of a file different."""
    frame = found.frame
    labels = [label for label in keys if label in frame]
    best = None
    for name in found.columns:
        values = frame[name].iloc[list(rows)]
        if values.isna().any() or values.nunique() < 2:
            continue
        is_score = not pd.isna(real_numbers(frame[name])).any() and not NO_SCORE.fullmatch(name)
        if (is_score and not names_setting(name)) or names_outputs(name):
            continue
        if not frame.duplicated([*labels, name]).any():
            return str(name)
        best = best or str(name)
    return best


def check_repeats(files: Sequence[ScoreFile], metrics: Sequence[str]) -> None:
    """Raise `InputError` where what would be averaged are answers to different questions.

    Repeats, calls of a judge, and several ratings of an output by one rater are of the same, unless
    a column names criteria, or each item has the same several values of another column, which is a
    setting.
    """
    for file in files:
        frame = file.frame
        keys = [label for label in KEYS if label in frame]
        averaged = [label for label in (REPEAT, CALL) if label in frame]
        if RATER in frame and not averaged and frame.duplicated(keys).any():
            averaged = [RATER]
        for label in averaged:
            item = [key for key in keys if key != label or label == RATER]
            for name in file.columns:
                is_metric = name in metrics and not names_setting(name)
                if not is_metric and _is_of_different_things(frame, name, item):
                    raise _different_things(file, name, item)


def _is_of_different_things(frame: pd.DataFrame, name: str, item: Sequence[str]) -> bool:
    """Whether rows of one item differ in criteria, or in the same values of a setting."""
    column = frame[name]
    if names_outputs(name) or column.isna().any():
        return False
    values = frame[list(item)].assign(value=column.astype(str)).drop_duplicates()
    is_same_for_items = not values.duplicated(list(item)).any()
    if is_same_for_items:
        return False
    if names_criteria(name):
        return True
    if not names_setting(name) and not pd.isna(real_numbers(column)).any():
        return False  # seeds, seconds, numbers of repeats
    n_items = frame[list(item)].drop_duplicates().groupby("system").size()
    n_with_value = values.groupby(["system", "value"]).size()
    is_everywhere = (n_with_value == n_items.reindex(n_with_value.index, level="system")).all()
    return bool(is_everywhere and n_items.min() > 1)


def _different_things(file: ScoreFile, name: str, item: Sequence[str]) -> InputError:
    frame = file.frame
    values = frame[list(item)].assign(value=frame[name].astype(str))
    first = values.groupby(list(item), sort=False)["value"].transform("first")
    other = int((first != values["value"]).to_numpy().argmax())
    before = first_like(frame, item, other)
    return InputError(
        f"{file.where(before)} and {_line(file, other)} are of the same item and differ in "
        f"{name!r} ({str(frame[name].iloc[before])!r} and {str(frame[name].iloc[other])!r}), so "
        "their mean would mix different things. Give the rows of one value of "
        f"{name!r}, make it part of the system's name, or give each value its own column."
    )
