"""What one file has: its labels under their own names, and all its other columns."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from ..errors import InputError
from ..texts.files import MOST_FIELDS, lines, name_of, quoted
from .labels import KEYS, LABELS

if TYPE_CHECKING:
    from .logs.log import Log

#: More than a table has whose columns anybody could name.
_MOST_COLUMNS = 10_000


@dataclasses.dataclass(frozen=True, eq=False)
class ScoreFile:
    """What a file has: its labels under their own names, and all its other columns.

    Parameters
    ----------
    path : Path
    frame : DataFrame
        With ``system`` and ``segment``; maybe ``document``, `RUN` and `TEST_SET`.  Its index is
        called ``"line"`` where each row is in a line.
    blank : int, optional
        The first line among or below the rows that has nothing in it.
    said : tuple of str
        What the layout was taken to mean.
    by_order : bool
        Whether segments have no names but their order.
    log : Log, optional
        What else the log of a program says.
    """

    path: Path
    frame: pd.DataFrame
    blank: int | None = None
    said: tuple[str, ...] = ()
    by_order: bool = False
    log: Log | None = None

    @property
    def columns(self) -> list[str]:
        """The columns that are no labels."""
        return [name for name in self.frame.columns if name not in KEYS]

    def where(self, row: int) -> str:
        """A row as messages name it."""
        if self.frame.index.name == "line":
            return quoted(self.path, self.frame.index[row])
        own = self.frame[[label for label in LABELS[:2] if label in self.frame]].iloc[row]
        named = [f"{label} {str(value)!r}" for label, value in own.items()]
        return ", ".join([quoted(self.path), *(named or [f"row {row + 1:,}"])])


class Battles(InputError):
    """What is raised by a file of battles, which has no scores, and carries them."""

    def __init__(self, found: ScoreFile) -> None:
        super().__init__(
            f"{quoted(found.path)} has battles of model_a and model_b, and no scores. Give the "
            "file alone to mtsig compare --scores, or its table to mt.human.PairwisePreferences."
        )
        self.frame = found.frame


def blank(column: pd.Series) -> pd.Series:
    """Where a column has nothing, or only spaces."""
    return column.isna() | (column.astype(str).str.strip() == "")


def numbered_lines(text: str) -> tuple[pd.Series, int | None]:
    """The lines that are not blank, indexed by their numbers, and the number of one that is."""
    every = pd.Series(lines(text), dtype=object)
    every.index = pd.RangeIndex(1, len(every) + 1, name="line")
    empty = blank(every)
    return every[~empty], int(every.index[empty][0]) if empty.any() else None


def check_size(file: Path, n_rows: int, n_columns: int) -> None:
    """Raise `InputError` for a table that is too large."""
    if n_columns > _MOST_COLUMNS or n_rows * n_columns > MOST_FIELDS:
        size = f"{n_rows:,} rows of {n_columns:,} columns"
        raise InputError(f"{quoted(file)} has {size}, more than is read. Give a part of it.")


def no_table(file: Path) -> InputError:
    """The error for a file in no layout that is known."""
    return InputError(
        f"{quoted(file)} is no table of scores: there is no column 'system', and none of "
        "numbers. Give a row for each system and segment, or a column for each system."
    )


def metric_name(file: Path, name: str) -> str:
    """The name of a metric, which may not be that of a label."""
    if not name or name in KEYS:
        raise InputError(f"{quoted(file)}: a metric cannot be called {name!r}. Name it with -m.")
    return name


def name_from_file(path: Path) -> str:
    """What a file gives its name to: a system, or a metric."""
    return re.sub(r"\.(csv|tsv|json|scores?)$", "", name_of(path), flags=re.IGNORECASE)


def short_names(names: Sequence[str]) -> list[str]:
    """Files as names of systems, without folders and suffixes, unless they are needed."""
    short = {name: name_of(Path(name)) for name in names}
    return [short[n] for n in names] if len({*short.values()}) == len(short) else list(names)
