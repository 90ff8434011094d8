"""Rows of several files below each other: where each is from, and what it is labelled with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ..metrics.base import Mask
from .score_file import ScoreFile

#: Columns that say where a row is from: the number of its file, and of its row there.
FILE = "(file)"
ROW = "(row)"


def numbered_rows(frame: pd.DataFrame, file: int) -> pd.DataFrame:
    """The rows of a file, with its number in the column `FILE`, and their own in `ROW`."""
    rows = frame.reset_index(drop=True)
    rows[FILE] = file
    rows[ROW] = range(len(rows))
    return rows


def file_of(files: Sequence[ScoreFile], rows: pd.DataFrame, row: int) -> ScoreFile:
    """The file that a row is from."""
    return files[int(rows[FILE].iloc[row])]


def where(files: Sequence[ScoreFile], rows: pd.DataFrame, row: int) -> str:
    """A row as messages name it: its file, and its line there."""
    return file_of(files, rows, row).where(int(rows[ROW].iloc[row]))


def first_true(mask: Mask | pd.Series) -> int:
    """The first row where a mask holds.

    >>> first_true(pd.Series([False, True, True]))
    1
    """
    return int(np.asarray(mask).argmax())


def first_like(rows: pd.DataFrame, labels: Sequence[str], row: int) -> int:
    """The first row with the same labels as another."""
    columns = rows[list(labels)]
    has_same_values = columns == columns.iloc[row]
    return first_true(has_same_values.all(axis=1))


def unlike_first(rows: pd.DataFrame, labels: Sequence[str], values: pd.Series) -> Mask:
    """Where a row has another value than the first row with the same labels.

    >>> rows = pd.DataFrame({"segment": ["1", "2", "1"], "document": ["a", "a", "b"]})
    >>> unlike_first(rows, ["segment"], rows["document"])
    array([False, False,  True])
    """
    groups = values.groupby([rows[label] for label in labels], sort=False)
    unlike: Mask = (values != groups.transform("first")).to_numpy()
    return unlike


def labels_in_words(rows: pd.DataFrame, labels: Sequence[str], row: int) -> str:
    """What a row is labelled with, as messages say it."""
    values = rows[list(labels)].iloc[row]
    return ", ".join(f"{str(name).strip('()')} {str(value)!r}" for name, value in values.items())
