"""Test sets as tables: tab-separated values and JSON lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...errors import InputError
from .base import Texts, decode, lines, load_json, quoted, unique

# Names of columns that are no system's, in any case: WMT, COMET and sacreBLEU each use their own.
_PARTS = {
    "source": {"source", "src"},
    "document": {"document", "doc", "docid", "doc_id"},
    "segment": {"segment", "segment_id", "seg_id", "id"},
    "unnamed": {"hypothesis", "hyp", "translation", "mt"},
}
# reference, ref, reference_2, ref:B, refA …
_REFERENCE = re.compile(r"ref(erence)?s?([\s_:.-].*|[a-z0-9])?", re.IGNORECASE)
_OBJECTS = {"references": "reference", "systems": "system", "hypotheses": "system"}

#: What a column is, and its name: ("system", "A").
_Title = tuple[str, str]


def read_tsv(path: Path, data: bytes) -> Texts:
    """Tab-separated columns under a line of names; quotation marks are ordinary characters."""
    header, *rows = (line.split("\t") for line in lines(decode(path, data)))
    unique(f"{quoted(path)}, line 1", [(_title(name), None) for name in header])
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise InputError(
                f"{quoted(path)}, line {number:,} has {len(row)} fields; line 1 names "
                f"{len(header)} columns. A field must not contain a tab or a line break."
            )
    columns = {_title(name): [row[i] for row in rows] for i, name in enumerate(header)}
    return _texts(path, columns, header_lines=1)


def read_jsonl(path: Path, data: bytes) -> Texts:
    """One JSON object per line, all with the same names.

    A value is a text; ``references`` may be a list of texts or an object, and ``systems`` (or
    ``hypotheses``) an object with a text for each system.
    """
    rows: list[dict[_Title, str]] = []
    for number, line in enumerate(lines(decode(path, data)), start=1):
        where = f"{quoted(path)}, line {number:,}"
        row = unique(where, _fields(where, _object(where, line)))
        if rows and row.keys() != rows[0].keys():
            differing = sorted({name for _, name in row.keys() ^ rows[0].keys()})
            raise InputError(
                f"{where} and line 1 do not have the same names; only one of them has "
                f"{', '.join(map(repr, differing))}. Give every line the same names."
            )
        rows.append(row)
    columns = {title: [row[title] for row in rows] for title in rows[0]}
    return _texts(path, columns, header_lines=0)


def _object(where: str, line: str) -> dict[str, Any]:
    found = load_json(where, line)
    if not isinstance(found, dict) or not found:
        raise InputError(
            f'{where} is not a JSON object such as {{"reference": "…", "A": "…", "B": "…"}}.'
        )
    return found


def _fields(where: str, row: dict[str, Any]) -> Iterator[tuple[_Title, str]]:
    """The texts of a row with what each is, shorthands spread out."""
    for name, value in row.items():
        part, _ = _title(name)
        if isinstance(value, list) and part == "reference":
            found = [((part, f"{name}_{i}"), item) for i, item in enumerate(value, start=1)]
        elif isinstance(value, dict) and name.casefold() in _OBJECTS:
            found = [((_OBJECTS[name.casefold()], inner), item) for inner, item in value.items()]
        elif type(value) is int and part in ("document", "segment"):
            found = [(_title(name), str(value))]
        else:
            found = [(_title(name), value)]
        for title, text in found:
            if not isinstance(text, str):
                raise InputError(f"{where}: {title[1]!r} is {_brief(text)} instead of a text.")
            yield title, text


def _brief(value: Any) -> str:
    kinds = {dict: "an object", list: "a list", type(None): "null"}
    return kinds.get(type(value), repr(value)[:40])


def _title(name: str) -> _Title:
    name = name.strip()
    for part, names in _PARTS.items():
        if name.casefold() in names:
            return part, ""
    return ("reference" if _REFERENCE.fullmatch(name) else "system"), name


def _texts(path: Path, columns: Mapping[_Title, list[str]], *, header_lines: int) -> Texts:
    def named(part: str) -> dict[str, list[str]]:
        return {name: column for (kind, name), column in columns.items() if kind == part}

    result = Texts(
        references=named("reference"),
        systems=named("system"),
        source=columns.get(("source", "")),
        documents=columns.get(("document", "")),
        unnamed=columns.get(("unnamed", "")),
    )
    segments = columns.get(("segment", ""))
    if segments is not None:
        result.keys = list(zip(result.documents or [""] * len(segments), segments, strict=True))
        _check_unique(path, result.keys, header_lines)
    return result


def _check_unique(path: Path, keys: Sequence[tuple[str, str]], header_lines: int) -> None:
    first_line: dict[tuple[str, str], int] = {}
    for number, key in enumerate(keys, start=1 + header_lines):
        if key in first_line:
            raise InputError(
                f"{quoted(path)}, lines {first_line[key]:,} and {number:,} are both segment "
                f"{key[1]!r}. Number segments differently, at least within a document."
            )
        first_line[key] = number
