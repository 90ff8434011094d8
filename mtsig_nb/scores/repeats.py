"""Several rows for one system and segment: what they are, or an error that says so."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ..errors import InputError
from ..statistics.sufficient import real_numbers
from .labels import CALL, KEYS, NO_SCORE, RATER, REPEAT, names_outputs, names_setting
from .score_file import ScoreFile, counted


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
    more = f", and the like for {others:,} more" if others else ""
    column = _distinguishing(found, keys, rows)
    advice = "Keep one of them, or their mean."
    if column is not None and found.uses_name:
        advice = f"If {column!r} names the systems, call it 'system'; or a repeat, 'repeat'."
    elif column is not None:
        advice = (
            f"The column {column!r} tells them apart: if its values are repeats of the same, call "
            "it 'repeat' (or 'rater', or 'run'); otherwise give one of them, or make it a part of "
            "the system's name."
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
        f"{'has' if n_items == 1 else 'have'} {usual}. Give as many of each item: means over "
        "different numbers of repeats are not of the same."
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
    """Raise `InputError` where repeats have different settings, and are no repeats therefore.

    A column has a setting if each item of a system was answered with the same several values of
    it.
    """
    for file in files:
        frame = file.frame
        if REPEAT not in frame:
            continue
        item = [label for label in KEYS if label in frame and label != REPEAT]
        for name in file.columns:
            if name in metrics and not names_setting(name):
                continue
            if not _is_setting(frame, name, item):
                continue
            values = frame[name].astype(str).unique()
            raise InputError(
                f"{file.source.at()}: repeats of an item differ in the column {name!r} "
                f"({values[0]!r} and {values[1]!r}), so that they are answers under different "
                "settings, and their mean is of neither. Give the rows of one setting, or make "
                "it a part of the system's name."
            )


def _is_setting(frame: pd.DataFrame, name: str, item: Sequence[str]) -> bool:
    column = frame[name]
    if names_outputs(name) or column.isna().any():
        return False
    if not names_setting(name) and not pd.isna(real_numbers(column)).any():
        return False  # seeds, seconds, numbers of repeats
    values = frame[list(item)].assign(value=column.astype(str)).drop_duplicates()
    n_items = frame[list(item)].drop_duplicates().groupby("system").size()
    n_with_value = values.groupby(["system", "value"]).size()
    is_everywhere = (n_with_value == n_items.reindex(n_with_value.index, level="system")).all()
    n_values = n_with_value.groupby(level="system").size()
    return bool(is_everywhere and n_values.max() > 1 and n_items.min() > 1)
