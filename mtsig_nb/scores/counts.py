"""Counts for ratios of sums: tables with columns for each system, and counts that look wrong."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence

import pandas as pd

from ..errors import InputError, listed
from ..metrics.formula import Formula
from ..notes import Note, note
from .labels import NAMES, TEST_SET, columns_called, labels_in
from .rows import first_true, labels_in_words
from .score_file import ScoreFile

#: What stands between a system and a count in the name of a column.
_BETWEEN = r"[\s_.:/|-]+"

#: By count and by system: the column that has the system's count.
_Columns = dict[str, dict[str, str]]


def with_rows_of_systems(file: ScoreFile, formulas: Sequence[Formula]) -> ScoreFile:
    """A file with a row for each system, if it has columns of counts for each system.

    Such columns are called ``errors_A``, ``words_A``, ``errors_B`` and so on, or ``A_errors``.  A
    column such as ``words``, by which a formula divides, may be there once for all systems.  All
    other files stay as they are.

    Parameters
    ----------
    file : ScoreFile
        With its columns as its layout has put them in order.
    formulas : sequence of Formula
        Those of the metrics that the user asks for.

    Raises
    ------
    InputError
        If a system lacks the column of a count, or two manners of naming columns fit.
    """
    names = [str(name) for name in file.frame.columns]
    has_systems = bool(columns_called(names, NAMES["system"]))
    counts = _counts_of_systems(names, formulas)
    is_log = file.log is not None  # whose reader has made rows of systems already
    if is_log or has_systems or not counts:
        return file
    found = []
    for pattern in ("{count}{between}(.+)", "(.+){between}{count}"):
        columns = _columns_of_counts(names, counts, pattern)
        if all(len(of_systems) > 1 for of_systems in columns.values()):
            found.append(columns)
    if not found:
        return file
    if len(found) > 1:
        raise InputError(
            f"{file.source.at()}: columns such as {listed(_all_columns(found[0]), 2)} could name "
            "systems first, or counts first. Give a row for each system and segment."
        )
    (columns,) = found
    _check_complete(file, columns)
    return _in_rows(file, columns)


def _counts_of_systems(names: Sequence[str], formulas: Sequence[Formula]) -> list[str]:
    """The counts in formulas that no column is called; each system may have a column of its own.

    Empty if a column is called like a count that stands above the fraction bar alone.  Such counts,
    as errors, are a system's own, so that a table with one column for them is of one system.
    """
    counts: list[str] = []
    for formula in formulas:
        for count, below in zip(formula.columns, formula.denominator, strict=True):
            if count not in names:
                counts.append(count)
            elif not below:
                return []
    return list(dict.fromkeys(counts))


def _columns_of_counts(names: Sequence[str], counts: Sequence[str], pattern: str) -> _Columns:
    """For each count the columns that have it, by system, if they are called as a pattern says."""
    columns: _Columns = {count: {} for count in counts}
    for count in counts:
        expression = pattern.format(count=re.escape(count), between=_BETWEEN)
        for name in names:
            match = re.fullmatch(expression, name)
            if match is not None:
                columns[count][match[1]] = name
    return columns


def _all_columns(columns: _Columns) -> list[str]:
    """The names of all columns of systems."""
    return [name for of_systems in columns.values() for name in of_systems.values()]


def _check_complete(file: ScoreFile, columns: _Columns) -> None:
    """Raise `InputError` where a system has a column of one count, and none of another."""
    a_column_of: dict[str, str] = {}
    for of_systems in columns.values():
        a_column_of |= of_systems
    for count, of_systems in columns.items():
        lacking = [system for system in a_column_of if system not in of_systems]
        if lacking:
            system = lacking[0]
            raise InputError(
                f"{file.source.at()} has a column {a_column_of[system]!r}, and none for {count!r} "
                f"of {system!r}. Give each system a column of each count."
            )


def _in_rows(file: ScoreFile, columns: _Columns) -> ScoreFile:
    """A file with a row for each system and each row of the table."""
    own = _all_columns(columns)
    shared = file.frame.drop(columns=own)
    systems = list(next(iter(columns.values())))
    columns_of_systems: dict[str, Mapping[str, str]] = {}
    parts = []
    for system in systems:
        names = {count: of_systems[system] for count, of_systems in columns.items()}
        counts = {count: file.frame[name] for count, name in names.items()}
        parts.append(shared.assign(system=system, **counts))
        columns_of_systems[system] = names
    remark = f"columns such as {own[0]} are taken for those of systems: {listed(systems, 6)}"
    in_rows = file.with_frame(pd.concat(parts), remark)
    return dataclasses.replace(in_rows, columns_of_systems=columns_of_systems)


def notes_on_counts(
    frame: pd.DataFrame, formula: Formula, *, higher_is_better: bool
) -> tuple[Note, ...]:
    """What looks wrong in the counts of a formula.

    Negative counts do.  So does a part that is larger than the whole where higher is better, as
    hits out of all; errors may be more than words.

    Examples
    --------
    >>> frame = pd.DataFrame({"system": "A", "segment": [1, 2], "hits": [3, 9], "all": [5, 5]})
    >>> from mtsig_nb.metrics.formula import parse_formula
    >>> (found,) = notes_on_counts(frame, parse_formula("hits/all"), higher_is_better=True)
    >>> print(found)
    hits is larger than all in 1 row (system 'A', segment '2'): are these the right columns?
    """
    notes = []
    for column in formula.columns:
        is_negative = frame[column] < 0
        if is_negative.any():
            notes.append(note("counts-negative", column=column, **_where(frame, is_negative)))
    if formula.share is not None and higher_is_better:
        part, whole = formula.share
        is_larger = frame[part] > frame[whole]
        if is_larger.any():
            values = _where(frame, is_larger)
            notes.append(note("count-above-whole", part=part, whole=whole, **values))
    return tuple(notes)


def _where(frame: pd.DataFrame, mask: pd.Series) -> dict[str, object]:
    """How many rows there are, and what the first is labelled with."""
    labels = labels_in(frame, ("system", TEST_SET, "document", "segment"))
    return {"n": int(mask.sum()), "first": labels_in_words(frame, labels, first_true(mask))}
