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
#: What a column is, and its name, if it is a reference or a system: ``("system", "A")``.
Title = tuple[str, str]

#: A line break inside a segment, with the space around it: layout of the file, not of the text.
#: A run of spaces is looked at from its beginning only, and once: it may be as long as the file.
_LINE_BREAK = re.compile(r"(?<![ \t])[ \t]*+[\r\n]\s*+")


@dataclasses.dataclass
class Column:
    """A column of a file.

    It is a ``"reference"``, a ``"system"``, the ``"source"``, the ``"documents"``, or a ``"text"``
    that may be any of these: plain text, or ``hypothesis`` in a table.  Where there are `keys`,
    segments are matched by key across files, otherwise by position.  `notes` are on the file.
    """

    part: str
    name: str
    path: Path
    texts: list[str]
    keys: list[Key] | None = None
    notes: tuple[Note, ...] = ()

    @property
    def part_and_name(self) -> str:
        """What it is, and its name if it has one."""
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
    first, *others = [column for column in columns if column.keys is not None] or columns
    expected = first.keys or []
    for column in others:
        keys = column.keys or []
        _check_lacks_none(column, first, {*expected}.difference(keys))
        _check_lacks_none(first, column, {*keys}.difference(expected))
        if keys != expected:
            text_of = dict(zip(keys, column.texts, strict=True))
            column.texts = [text_of[key] for key in expected]
            column.keys = expected


def _check_lacks_none(lacks: Column, has: Column, missing: set[Key]) -> None:
    """Raise `InputError` if a column lacks segments that another has."""
    if not missing:
        return
    key = next(key for key in has.keys or [] if key in missing)
    more = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
    raise InputError(
        f"{lacks.title} lacks segment {show_key(key)}{more}, which {has.title} has. "
        "Give both the same segments."
    )


def aligned(path: Path, segments: Iterable[tuple[Title, Key, str]]) -> list[Column]:
    """Segments with tags as columns, all in the order of the first.

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
    """A column of segments that have numbers alone, in the order of these."""
    numbers = sorted(texts)
    keys = [("", str(number)) for number in numbers]
    return Column(part, name, path, [texts[number] for number in numbers], keys)


def show_key(key: Key) -> str:
    """A segment as messages name it."""
    document, segment = key
    return f"{segment!r} of document {document!r}" if document else repr(segment)
