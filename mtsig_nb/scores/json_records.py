"""JSON: logs, layouts of programs and, at length, tables: lists of columns, or records."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from ..errors import InputError, listed
from ..texts.files import SUFFIXES
from . import layouts
from .battles import are_battles, layout_of
from .json_file import JsonFile, load_json_file
from .labels import NAMES, is_label, names_metric, normalized
from .logs.reading import read_log
from .readers import JsonLayout, modules_in
from .recognised.by_json import check_json
from .score_file import ScoreFile, check_size, short_names, with_nested_as_texts
from .source import ScoreSource


def read_json(source: ScoreSource, text: str) -> ScoreFile:
    """The columns of JSON: of a program's log, of a layout that is known, or of a table.

    A table is an object of lists, COMET's ``--to_json`` among them; or records, in a list or one in
    each line.

    Raises
    ------
    InputError
        If it is damaged, or has no scores of segments.
    """
    file = load_json_file(source, text)
    log = read_log(source, file)
    if log is not None:
        return log
    content = file.content
    for layout in _json_layouts():
        found = layout.read_json(source, content)
        if found is not None:
            return found
    return _read_table(source, file)


@functools.cache
def _json_layouts() -> list[JsonLayout]:
    """The layouts of JSON that programs write."""
    return [module for module in modules_in(layouts) if hasattr(module, "read_json")]


def _read_table(source: ScoreSource, file: JsonFile) -> ScoreFile:
    """The columns of JSON that is a table: an object of lists, or records."""
    content = file.content
    check_json(source, content, is_lines=file.line_numbers is not None)
    values = list(content.values()) if isinstance(content, dict) else []
    if values and all(isinstance(value, list) for value in values):
        return _lists(source, content)
    if values and all(isinstance(value, dict) for value in values):
        raise InputError(
            f"{source.at()} has objects within an object. Give an object for each segment, in a "
            "list or in lines (with pandas: orient='records')."
        )
    records = [content] if isinstance(content, dict) else content
    if not _are_records(records):
        raise InputError(
            f"{source.at()} has no scores: give what COMET writes with --to_json, or an object for "
            "each segment."
        )
    index = _record_numbers(records) if file.line_numbers is None else file.line_numbers
    return ScoreFile(source, _frame(source, records, index), file.blank_line)


def _record_numbers(records: Sequence[Any]) -> pd.Index:
    """The numbers of records in a list, by which messages name them."""
    return pd.RangeIndex(1, len(records) + 1, name="record")


def _are_records(records: Any) -> bool:
    """Whether this is a list of objects, none of them empty."""
    if not isinstance(records, list) or not records:
        return False
    return all(isinstance(record, dict) and record for record in records)


def _frame(
    source: ScoreSource, records: Sequence[Mapping[str, Any]], index: pd.Index
) -> pd.DataFrame:
    """A row for each record; the index has the records' numbers, or those of their lines."""
    names = {name for record in records for name in record}
    check_size(source, len(records), len(names))
    if any(_is_no_name(name) for name in names):
        lacks_name = [any(map(_is_no_name, record)) for record in records]
        place = lacks_name.index(True)
        where = f"{index.name or 'record'} {index[place]:,}"
        raise InputError(f"{source.at()}, {where} has a value without a name. Name it.")
    as_written = pd.DataFrame(records, index, dtype=object)
    if are_battles(as_written):
        return as_written
    return with_nested_as_texts(pd.DataFrame(records, index))


def _is_no_name(name: str) -> bool:
    """Whether a name has nothing but blanks."""
    return not name.strip()


def _lists(source: ScoreSource, content: Mapping[str, list[Any]]) -> ScoreFile:
    """An object of lists: the columns of a table, or the scores of each system or metric.

    The scores of a system may be records, which have several metrics.
    """
    if layout_of(content) or any(map(is_label, content)):
        return _columns(source, content)
    for name, values in content.items():
        if not values:
            raise InputError(
                f"{source.at()}: {name!r} has no scores. Give its scores, or remove it."
            )
        if any(isinstance(value, list) for value in values):
            raise InputError(f"{source.at()}: {name!r} has a list as a score. Give numbers.")
    has_objects = {}
    has_only_objects = {}
    for name, values in content.items():
        are_objects = [isinstance(value, dict) for value in values]
        has_objects[name] = any(are_objects)
        has_only_objects[name] = all(are_objects)
    if all(has_only_objects.values()):
        return _lists_of_records(source, content)
    with_objects = [name for name in content if has_objects[name]]
    if with_objects:
        raise InputError(
            f"{source.at()}: {with_objects[0]!r} has an object as a score, but others have "
            "numbers. Write all in the same way."
        )
    if all(_is_file_name(name) for name in content):
        records = {name: [{"score": value} for value in content[name]] for name in content}
        return _lists_of_records(source, records)
    return _columns(source, content)


def _columns(source: ScoreSource, content: Mapping[str, list[Any]]) -> ScoreFile:
    """A list for each column of a table."""
    (first, values), *others = content.items()
    for name, other in others:
        if len(other) != len(values):
            raise InputError(
                f"{source.at()}: {first!r} has {len(values):,} values, and {name!r} has "
                f"{len(other):,}. Give values for the same segments."
            )
    names = list(content)
    rows = zip(*content.values(), strict=True)
    records = [dict(zip(names, row, strict=True)) for row in rows]
    return ScoreFile(source, _frame(source, records, _record_numbers(records)))


def _is_file_name(name: str) -> bool:
    """Whether a name is one of a file with translations, as COMET writes it."""
    return Path(name).suffix.lower() in SUFFIXES or "/" in name


def _lists_of_records(
    source: ScoreSource, content: Mapping[str, list[dict[str, Any]]]
) -> ScoreFile:
    """A row for each record in the list of each system, with the record's place as its segment.

    Records that name their segments keep these names.
    """
    if all(names_metric(name) for name in content):
        raise InputError(
            f"{source.at()} has objects under {listed([repr(name) for name in content], 4)}, "
            "which are names of metrics and not of systems. Give a list of numbers for each "
            "metric, or an object for each segment."
        )
    names = {name for records in content.values() for record in records for name in record}
    is_numbered = any(normalized(name) in NAMES["segment"] for name in names)
    rows = []
    systems = short_names(list(content))
    for system, records in zip(systems, content.values(), strict=True):
        for place, record in enumerate(records):
            number = {} if is_numbered else {"segment": place}
            rows.append({**record, **number, "system": system})
    frame = _frame(source, rows, pd.RangeIndex(len(rows)))
    return ScoreFile(source, frame, segments_by_order=not is_numbered)
