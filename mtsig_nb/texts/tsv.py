"""Tables of texts: columns with tabs between them, under a line of names."""

from __future__ import annotations

import re
from pathlib import Path

from ..errors import InputError
from .columns import Column, Title
from .files import lines, quoted, unique

#: Names of columns that are no system's, in small letters, by the part that they have in a test
#: set: WMT, COMET and sacreBLEU each use their own.
_PARTS = {
    "source": ("source", "src"),
    "documents": ("document", "doc", "docid", "doc_id"),
    "segment": ("segment", "segment_id", "seg_id", "id"),
    "text": ("hypothesis", "hyp", "translation", "mt"),
}
#: Names of columns of references: reference, ref, reference_2, ref:B, refA …
_REFERENCE = re.compile(r"ref(erence)?s?([\s_:.-].*|[a-z0-9])?", re.IGNORECASE)


def read_tsv(path: Path, text: str) -> list[Column]:
    """Tab-separated columns under a line of names; quotation marks are ordinary characters.

    Raises
    ------
    InputError
        If a column has no name or the name of another, or a line has not as many fields as the
        first.
    """
    header, *rows = (line.split("\t") for line in lines(text))
    _check_named(path, header, rows)
    unique(quoted(path, 1), ((_title(name), None) for name in header))  # or an error
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise InputError(
                f"{quoted(path, number)} has {len(row)} fields; line 1 names "
                f"{len(header)} columns. A field must not contain a tab or a line break."
            )
    columns = {}
    for place, name in enumerate(header):
        columns[_title(name)] = [row[place] for row in rows]
    segments = columns.pop(("segment", ""), None)
    keys = None
    if segments is not None:
        documents = columns.get(("documents", ""), [""] * len(segments))
        keys = list(zip(documents, segments, strict=True))
        unique(f"{quoted(path)}, segments", ((key, None) for key in keys))
    return [Column(part, name, path, texts, keys) for (part, name), texts in columns.items()]


def _check_named(path: Path, header: list[str], rows: list[list[str]]) -> None:
    """Raise `InputError` if a column has no name."""
    for place, name in enumerate(header):
        if name.strip():
            continue
        fix = "Write its name there."
        if place == len(header) - 1 and not any("".join(row[place:]) for row in rows):
            fix = "The column is empty: remove the tab at the end of each line."
        raise InputError(
            f"{quoted(path, 1)} has a column without a name, number {place + 1} of "
            f"{len(header)}. {fix}"
        )


def _title(name: str) -> Title:
    """The title of a column, by its name in the header."""
    plain_name = name.strip()
    for part, names in _PARTS.items():
        if plain_name.casefold() in names:
            return part, ""
    part = "reference" if _REFERENCE.fullmatch(plain_name) else "system"
    return part, plain_name
