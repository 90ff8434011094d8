"""Columns of text: what a file has of a test set, before the files are brought together."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ..errors import InputError
from ..notes import Note
from .files import quoted

#: What identifies a segment within a file: its document and its number there.
Key = tuple[str, str]
#: The part that a column has in a test set, and its name, if it is a reference or a system:
#: ``("system", "A")``.
Title = tuple[str, str]

#: A line break inside a segment, with the space around it: layout of the file, not of the text.
#: The pattern looks at a run of spaces from its beginning only, and once, since a run may be as
#: long as the file.
_LINE_BREAK = re.compile(r"(?<![ \t])[ \t]*+[\r\n]\s*+")


@dataclasses.dataclass
class Column:
    """A column of a file.

    Parameters
    ----------
    part : {"reference", "system", "source", "documents", "text"}
        What it is in a test set.  A text may be any of the others: plain text, or ``hypothesis`` in
        a table.
    name : str
        Of a reference or a system; empty where there is none.
    path : Path
        The file that it is in.
    texts : list of str, of length segments
    keys : list of Key, of length segments, optional
        By which segments are matched across files; without keys they are matched by position.
    notes : tuple of Note
        What is to be known of how the file was read.
    """

    part: str
    name: str
    path: Path
    texts: list[str]
    keys: list[Key] | None = None
    notes: tuple[Note, ...] = ()

    @property
    def part_and_name(self) -> str:
        """The column's part, and its name if it has one."""
        return f"{self.part} {self.name!r}" if self.name else self.part

    @property
    def title(self) -> str:
        """The column as messages name it."""
        return f"{self.part_and_name} in {quoted(self.path)}"


def match_keys(columns: Sequence[Column]) -> None:
    """Bring all columns with keys into the order of the first of them.

    Raises
    ------
    InputError
        If they have not the same segments.
    """
    with_keys = [column for column in columns if column.keys is not None]
    if not with_keys:
        return
    first, *others = with_keys
    expected = first.keys or []
    for column in others:
        keys = column.keys or []
        _check_has_all(column, first)
        _check_has_all(first, column)
        if keys != expected:
            text_of = dict(zip(keys, column.texts, strict=True))
            column.texts = [text_of[key] for key in expected]
            column.keys = expected


def _check_has_all(column: Column, other: Column) -> None:
    """Raise `InputError` if a column lacks segments that another one has."""
    keys = set(column.keys or [])
    lacking = [key for key in other.keys or [] if key not in keys]
    if not lacking:
        return
    n_more = len(set(lacking)) - 1
    more = f" and {n_more:,} more" if n_more else ""
    raise InputError(
        f"{column.title} lacks segment {show_key(lacking[0])}{more}, which {other.title} has. "
        "Give both the same segments."
    )


def aligned(path: Path, segments: Iterable[tuple[Title, Key, str]]) -> list[Column]:
    """The columns of a file whose segments come one by one, all in the order of the first.

    Documents are a column as well, if all segments have one.

    Parameters
    ----------
    path : Path
    segments : iterable of (Title, Key, str)
        Each segment with its column and its place there.

    Raises
    ------
    InputError
        If there are none, one is there twice, or columns have not the same segments.
    """
    by_title: dict[Title, dict[Key, str]] = {}
    for (part, name), key, text in segments:
        texts = by_title.setdefault((part, name), {})
        if key in texts:
            raise InputError(
                f"{quoted(path)} has segment {show_key(key)} of {part} {name!r} twice. "
                "Remove one of them."
            )
        texts[key] = _LINE_BREAK.sub(" ", text.strip())
    if not by_title:
        raise InputError(
            f"{quoted(path)} has no segments (<seg>) of any source, reference or system."
        )
    columns = [
        Column(part, name, path, list(texts.values()), keys=list(texts))
        for (part, name), texts in by_title.items()
    ]
    match_keys(columns)
    keys = columns[0].keys or []
    documents = [document for document, _ in keys]
    if all(documents):
        columns.append(Column("documents", "", path, documents, keys))
    return columns


def numbered_column(part: str, name: str, path: Path, texts: Mapping[int, str]) -> Column:
    """A column of segments that have numbers and no documents, in the order of the numbers."""
    numbers = sorted(texts)
    keys = [("", str(number)) for number in numbers]
    return Column(part, name, path, [texts[number] for number in numbers], keys)


def show_key(key: Key) -> str:
    """A segment as messages name it."""
    document, segment = key
    return f"{segment!r} of document {document!r}" if document else repr(segment)
