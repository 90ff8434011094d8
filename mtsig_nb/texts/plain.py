"""Plain text: one segment a line, and several references in a line where that is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ..errors import InputError
from ..notes import note
from .columns import Column
from .files import STANDARD_INPUT, line_ends, lines, quoted


def read_plain(path: Path, text: str) -> list[Column]:
    """One segment a line."""
    ends = line_ends(text)
    notes = (note("line-ends", file=path.name, ends=ends),) if ends else ()
    return [Column("text", "", path, lines(text), notes=notes)]


def read_references(path: Path, text: str, n_references: int) -> list[Column]:
    """Several references in each line, with tabs between them: sacreBLEU's ``--num-refs``.

    A segment that lacks one of them has nothing between its tabs.

    Raises
    ------
    InputError
        If a line has not so many.
    """
    rows = [line.split("\t") for line in lines(text)]
    for number, row in enumerate(rows, start=1):
        if len(row) != n_references:
            raise InputError(
                f"{quoted(path, number)} has {len(row)} fields with tabs between them, and "
                f"n_references={n_references} (--num-refs) asks for as many references. "
                "Where a reference is missing, its tab stays."
            )
    return [
        Column("reference", str(place + 1), path, [row[place] for row in rows])
        for place in range(n_references)
    ]


def check_no_table(path: Path, part: str, texts: Sequence[str]) -> None:
    """Raise `InputError` if all lines of plain text have as many tabs, as rows of a table have."""
    tabs = Counter(line.count("\t") for line in texts)
    if len(tabs) > 1 or len(texts) < 2 or 0 in tabs:
        return
    (n_tabs,) = tabs
    n_columns = n_tabs + 1
    cut = f"take one out: cut -f1 {str(path)!r}"
    if path == STANDARD_INPUT:
        cut = "take one out of them with cut -f1"
    if part == "reference":
        fix = (
            f"If they are references, say n_references={n_columns} (--num-refs {n_columns}); or "
            f"else {cut}"
        )
    elif path == STANDARD_INPUT:
        fix = f"If they are systems, give each a file; or else {cut}"
    else:
        fix = f"If its first line names them, call it {path.stem + '.tsv'!r}; or else {cut}"
    raise InputError(
        f"{quoted(path)} has {n_columns} columns with tabs between them in every line, but one "
        f"segment a line is expected. {fix}"
    )
