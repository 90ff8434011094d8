"""What one file has: its labels under their own names, and all its other columns."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ..errors import InputError
from ..metrics.base import FloatArray
from ..texts.files import MOST_FIELDS, lines, name_of
from .labels import KEYS, is_label, labels_in
from .source import ScoreSource

if TYPE_CHECKING:
    from .logs.log import Log

#: The most columns that a table may have.
_MOST_COLUMNS = 10_000

#: The remark on a file whose segments have no names.
IN_THEIR_ORDER = "segments are taken in their order"

#: What programs and people write where there is no value, in small letters.
_ABSENT = frozenset(("", "na", "n/a", "nan", "null", "none", "-", "–", "—", "--", "#n/a", "<na>"))
#: The longest cell, with the blanks in it, that is compared with these words.
_LONGEST_ABSENT = 12


@dataclasses.dataclass(frozen=True, eq=False)
class ScoreFile:
    """What a file has, first as its layout gives it, and then with labels.

    As its layout gives it, the columns are called as in the file.  Most functions want what
    `labelling.labelled` makes of that: labels under their own names, all other columns as before,
    and a row for each system and segment.

    Parameters
    ----------
    source : ScoreSource
    frame : DataFrame
        Once it is labelled, with ``system`` and ``segment``, and maybe with others of `KEYS`.  Its
        index is called ``"line"`` where each row is in a line, and ``"record"`` where it is in a
        list.
    blank_line : int, optional
        The first line among or below the rows that has nothing in it.
    remarks : tuple of str
        What the layout was taken to mean, and what was left out.
    segments_by_order : bool
        Whether the file does not name segments: they are told apart by the order of rows.
    has_column_per_system : bool
        Whether the file, unlike `frame`, has a column for each system.
    system_is_called_after_file : bool
        Whether the file names no system: all its rows are of one, which is called after the file.
    names_in_file : mapping of str to str
        What the file calls its columns `RUN` and `REPEAT`, by these labels.
    repeated_header : int, optional
        The first line that has the names of the columns once more.
    log : Log, optional
        What else the log of a program says.
    kind : str
        What the rows are: ``"scores"`` of segments, or what an outcome of this kind is made of,
        such as ``"battles"``.
    checks : DataFrame, optional
        How many checks each rater was given and failed; see `counted_checks`.
    lower_is_better : tuple of str
        The columns of which the layout says that less is better.
    columns_of_systems : mapping of str to mapping of str to str
        What the file calls the columns of counts that each system has, by system and count; empty
        where systems have no columns of their own.
    """

    source: ScoreSource
    frame: pd.DataFrame
    blank_line: int | None = None
    remarks: tuple[str, ...] = ()
    segments_by_order: bool = False
    has_column_per_system: bool = False
    system_is_called_after_file: bool = False
    names_in_file: Mapping[str, str] = dataclasses.field(default_factory=dict)
    repeated_header: int | None = None
    log: Log | None = None
    kind: str = "scores"
    checks: pd.DataFrame | None = None
    lower_is_better: tuple[str, ...] = ()
    columns_of_systems: Mapping[str, Mapping[str, str]] = dataclasses.field(default_factory=dict)

    @property
    def path(self) -> Path:
        """The file itself."""
        return self.source.path

    @property
    def other_columns(self) -> list[str]:
        """The columns that are no labels: metrics, texts, and whatever else the file has."""
        return [name for name in self.frame.columns if name not in KEYS]

    def with_frame(self, frame: pd.DataFrame, *remarks: str) -> ScoreFile:
        """The file with another frame, and with further remarks."""
        return dataclasses.replace(self, frame=frame, remarks=(*self.remarks, *remarks))

    def where(self, row: int) -> str:
        """A row as messages name it."""
        if self.frame.index.name == "line":
            return self.source.at(int(self.frame.index[row]))
        if self.frame.index.name == "record":
            return f"{self.source.at()}, record {self.frame.index[row]:,}"
        labels = labels_in(self.frame, ("system", "segment"))
        values = self.frame[labels].iloc[row]
        parts = [f"{label} {str(value)!r}" for label, value in values.items()]
        if not parts:
            parts = [f"row {row + 1:,}"]
        return ", ".join([self.source.at(), *parts])

    def cell(self, row: int, name: str) -> str:
        """A cell as messages name it, by its row and column in the file.

        `name` is a column of `frame`; where the file has a column for each system, the message
        names that of the row's system instead.
        """
        column = name
        if self.has_column_per_system:
            column = self.frame["system"].iloc[row]
        elif self.columns_of_systems:
            columns = self.columns_of_systems[self.frame["system"].iloc[row]]
            column = columns.get(name, name)
        return f"{self.where(row)}, column {str(column)!r}"


def no_scores(file: ScoreFile) -> InputError:
    """The error for a file of battles, or of another kind, where scores are needed."""
    what = file.kind
    advice = ""
    if file.kind == "battles":
        what = "battles or rankings of systems"
        advice = ", or its table to mt.human.PairwisePreferences"
    return InputError(
        f"{file.source.at()} has {what}, and no scores. Give the file alone to mtsig compare "
        f"--scores{advice}."
    )


def blank(column: pd.Series) -> pd.Series:
    """Where a column has nothing, or only spaces."""
    return column.isna() | (column.astype(str).str.strip() == "")


def absent(column: pd.Series, numbers: FloatArray | None = None) -> pd.Series:
    """Where a column of scores has no value, or a word for none, such as ``NA``.

    `numbers` are those of the column, if they are known: cells with numbers are not looked at.
    """
    if pd.api.types.is_numeric_dtype(column):
        return column.isna()
    if numbers is None:
        return pd.Series([is_absent(cell) for cell in column], column.index, dtype=bool)
    has_no_number = np.isnan(numbers)
    is_empty = has_no_number.copy()
    is_empty[has_no_number] = [is_absent(cell) for cell in column[has_no_number]]
    return pd.Series(is_empty, column.index)


def is_absent(cell: Any) -> bool:
    """Whether a cell of a column of scores has no value, or a word for none."""
    if not isinstance(cell, str):
        return pd.api.types.is_scalar(cell) and bool(pd.isna(cell))
    if len(cell) > _LONGEST_ABSENT:
        return cell.isspace()
    return cell.strip().casefold() in _ABSENT


def are_whole(numbers: FloatArray) -> bool:
    """Whether all numbers are there, and none is a fraction."""
    return bool((numbers == np.round(numbers)).all())


def is_nested(cell: Any) -> bool:
    """Whether a cell is a list or an object, as JSON may have there."""
    return isinstance(cell, list | dict)


def with_nested_as_texts(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame itself, with lists and objects as texts in all columns that are no labels."""
    for place, name in enumerate(frame.columns):
        if is_label(name):
            continue
        column = frame.iloc[:, place]
        if column.dtype == object and column.map(is_nested).any():
            frame.isetitem(place, column.map(_as_text).tolist())
    return frame


def _as_text(cell: Any) -> Any:
    """A list or an object as text; other cells as they are."""
    return json.dumps(cell, ensure_ascii=False, sort_keys=True) if is_nested(cell) else cell


def numbered_lines(text: str) -> tuple[pd.Series, int | None]:
    """The lines that are not blank, indexed by their numbers, and the first blank line's number."""
    every_line = pd.Series(lines(text), dtype=object)
    every_line.index = pd.RangeIndex(1, len(every_line) + 1, name="line")
    is_blank = blank(every_line)
    blank_numbers = every_line.index[is_blank]
    first_blank = int(blank_numbers[0]) if len(blank_numbers) else None
    return every_line[~is_blank], first_blank


def check_size(source: ScoreSource, n_rows: int, n_columns: int) -> None:
    """Raise `InputError` for a table that is too large."""
    if n_columns > _MOST_COLUMNS or n_rows * n_columns > MOST_FIELDS:
        size = f"{n_rows:,} rows of {n_columns:,} columns"
        raise InputError(f"{source.at()} has {size}, more than can be read. Give a part of it.")


def no_table(source: ScoreSource) -> InputError:
    """The error for a file in no layout that is known."""
    return InputError(
        f"{source.at()} is no table of scores: it has no column 'system', and no column of "
        "numbers. Give a row for each system and segment, or a column for each system, with the "
        "columns separated by tabs, commas or semicolons."
    )


def checked_metric_name(source: ScoreSource, name: str) -> str:
    """`name` itself, as the name of a metric of the file.

    Raises
    ------
    InputError
        If it is empty, or the name of a label.
    """
    if not name or name in KEYS:
        raise InputError(f"{source.at()}: a metric cannot be called {name!r}. Name it with -m.")
    return name


def short_names(names: Sequence[str]) -> list[str]:
    """The names of systems that are called after files, from the names of these files.

    They have no folders and no suffixes, unless two files would then have the same name.
    """
    short = {name: name_of(Path(name)) for name in names}
    are_distinct = len(set(short.values())) == len(short)
    return [short[name] for name in names] if are_distinct else list(names)
