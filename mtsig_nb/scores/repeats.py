"""Several rows for one system and segment: what they are, or an error that says so."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ..errors import InputError, counted
from ..statistics.sufficient import real_numbers
from .labels import (
    CALL,
    RATER,
    REPEAT,
    labels_in,
    names_criteria,
    names_no_score,
    names_outputs,
    names_setting,
)
from .rows import ROW, file_of, first_like, first_true, labels_in_words, unlike_first, where
from .score_file import ScoreFile


def check_single(rows: pd.DataFrame, keys: Sequence[str], files: Sequence[ScoreFile]) -> None:
    """Raise `InputError` where a file has several rows for the same labels.

    Raters may rate an output again, and judges be called again.  The message has both lines, and
    the column that tells such rows apart, if one does.

    Parameters
    ----------
    rows : DataFrame
        With labels, `FILE` and `ROW`.
    keys : sequence of str
        The labels.
    files : sequence of ScoreFile
        All that rows may be from.
    """
    if RATER in keys or CALL in keys:
        return
    is_repeated = rows.duplicated(list(keys)).to_numpy()
    if not is_repeated.any():
        return
    second = first_true(is_repeated)
    first = first_like(rows, keys, second)
    file = file_of(files, rows, second)
    rows_of_file = [int(rows[ROW].iloc[row]) for row in (first, second)]
    named = [label for label in keys if label != "document"]
    labels = labels_in_words(rows, named, second)
    n_others = int(is_repeated.sum()) - 1
    more = f"; the same goes for {counted(n_others, 'more row')}" if n_others else ""
    advice = _advice(file, _distinguishing(file, keys, rows_of_file))
    places = f"{file.where(rows_of_file[0])} and {_line(file, rows_of_file[1])}"
    raise InputError(f"{places} are both of {labels}{more}. {advice}")


def _advice(file: ScoreFile, column: str | None) -> str:
    """What to do with rows for the same labels, which a column may tell apart."""
    if column is None:
        return "Keep one of them, or their mean."
    if file.system_is_called_after_file:
        return f"If {column!r} names the systems, call it 'system'; if repeats, 'repeat'."
    if names_criteria(column):
        return f"The column {column!r} tells them apart: give each value its own column."
    return (
        f"The column {column!r} tells them apart: if its values are repeats of the same, "
        "call it 'repeat' (or 'rater', or 'run'); otherwise give the rows of one value, or "
        "make it part of the system's name."
    )


def check_same_number(rows: pd.DataFrame, keys: Sequence[str], files: Sequence[ScoreFile]) -> None:
    """Raise `InputError` where items have different numbers of repeats; see `check_single`.

    Means over different numbers of repeats are not comparable.
    """
    if REPEAT not in keys:
        return
    item = [label for label in keys if label not in (REPEAT, RATER, CALL)]
    n_repeats = rows.groupby(item, sort=False)[REPEAT].transform("nunique")
    usual = int(n_repeats.mode().iloc[0])
    is_unusual = n_repeats != usual
    if not is_unusual.any():
        return
    row = first_true(is_unusual)
    repeats = counted(int(n_repeats.iloc[row]), "repeat")
    n_usual = len(rows.loc[~is_unusual, item].drop_duplicates())
    have = "has" if n_usual == 1 else "have"
    raise InputError(
        f"{where(files, rows, row)}: {labels_in_words(rows, item, row)} has {repeats}, and "
        f"{counted(n_usual, 'item')} {have} {usual}. Give the same number for each item: means "
        "over different numbers of repeats are not comparable."
    )


def _line(file: ScoreFile, row: int) -> str:
    """A row as messages name it behind another row of the same file, whose name they have."""
    return file.where(row).removeprefix(f"{file.source.at()}, ")


def _distinguishing(file: ScoreFile, keys: Sequence[str], rows: Sequence[int]) -> str | None:
    """The column that tells two rows apart, and best all rows of the same labels.

    Of columns that tell all rows apart the first is taken, or else the first that tells the two;
    None where there is no such column.
    """
    labels = labels_in(file.frame, keys)
    candidates = [name for name in file.other_columns if _tells_apart(file.frame[name], name, rows)]
    for name in candidates:
        if not file.frame.duplicated([*labels, name]).any():
            return str(name)
    return str(candidates[0]) if candidates else None


def _tells_apart(column: pd.Series, name: str, rows: Sequence[int]) -> bool:
    """Whether a column differs between two rows, and is neither a score nor an output."""
    values = column.iloc[list(rows)]
    if values.isna().any() or values.nunique() < 2:
        return False
    are_numbers = not pd.isna(real_numbers(column)).any()
    is_score = are_numbers and not names_no_score(name) and not names_setting(name)
    return not is_score and not names_outputs(name)


def check_repeats(files: Sequence[ScoreFile], metrics: Sequence[str]) -> None:
    """Raise `InputError` where a mean would be over answers to different questions.

    Repeats, calls of a judge, and several ratings of an output by one rater are answers to the same
    question, unless a column names criteria, or each item has the same several values of a setting.
    """
    for file in files:
        keys = labels_in(file.frame)
        # Rows that differ in one of these labels alone are averaged; what they share is an item.
        averaged_over = labels_in(file.frame, (REPEAT, CALL))
        items = [[key for key in keys if key != label] for label in averaged_over]
        if not items and RATER in keys and file.frame.duplicated(keys).any():
            items = [keys]
        others = [name for name in file.other_columns if name not in metrics or names_setting(name)]
        for item in items:
            for name in others:
                if _is_of_different_things(file.frame, name, item):
                    raise _different_things(file, name, item)


def _is_of_different_things(frame: pd.DataFrame, name: str, item: Sequence[str]) -> bool:
    """Whether rows of one item differ in criteria, or all items have the same several settings.

    Parameters
    ----------
    frame : DataFrame
    name : str
        The column that may have criteria or settings.
    item : sequence of str
        The labels that rows of one item share.
    """
    column = frame[name]
    if names_outputs(name) or column.isna().any():
        return False
    values = frame[list(item)].assign(value=column.astype(str)).drop_duplicates()
    is_same_for_items = not values.duplicated(list(item)).any()
    if is_same_for_items:
        return False
    if names_criteria(name):
        return True
    are_numbers = not pd.isna(real_numbers(column)).any()
    if are_numbers and not names_setting(name):
        return False  # seeds, seconds, numbers of repeats
    n_items = frame[list(item)].drop_duplicates().groupby("system").size()
    n_items_with_value = values.groupby(["system", "value"]).size()
    n_items_of_system = n_items.reindex(n_items_with_value.index, level="system")
    has_every_value = (n_items_with_value == n_items_of_system).all()
    return bool(has_every_value and n_items.min() > 1)


def _different_things(file: ScoreFile, name: str, item: Sequence[str]) -> InputError:
    """The error for two rows of one item that differ in what was judged, or in a setting."""
    values = file.frame[name].astype(str)
    other = first_true(unlike_first(file.frame, item, values))
    first = first_like(file.frame, item, other)
    return InputError(
        f"{file.where(first)} and {_line(file, other)} are of the same item and differ in "
        f"{name!r} ({values.iloc[first]!r} and {values.iloc[other]!r}), so "
        "their mean would mix different things. Give the rows of one value of "
        f"{name!r}, make it part of the system's name, or give each value its own column."
    )
