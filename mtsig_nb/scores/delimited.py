"""Tables whose fields are parted by commas, semicolons or tabs."""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from ..errors import InputError
from ..texts.files import find_repeated, is_number, quoted
from .labels import NAMES, is_label, normalized
from .score_file import ScoreFile, check_size, no_table

#: A line of numbers, or what is left of one, and not the name of a column.
_NUMBER = re.compile(r"\s*(?<![\w.])\d*\.\d+(?![\w.-])")


def read_delimited(file: Path, text: str) -> ScoreFile:
    """A table with a line of names above its rows."""
    first = text.lstrip("\r\n").partition("\n")[0]
    separators = "\t" if ".tsv" in file.suffixes else ",\t;"
    separator = next((s for s in separators if s in first), separators[0])
    rows = [*itertools.dropwhile(lambda found: not found[1], _rows(file, text, separator))]
    if not rows:
        raise no_table(file)
    (start, names), *rows = rows
    header = [name or f"Unnamed: {i}" for i, name in enumerate(names)]
    check_size(file, len(rows), len(header))
    _check_header(file, start, header)
    blank_line = next((line for line, row in rows if not row), None)
    rows = [(line, row) for line, row in rows if row]
    for line, row in rows:
        if len(row) != len(header):
            if len(header) == 1:
                raise no_table(file)
            raise InputError(
                f"{quoted(file, line)} has {len(row)} fields; line {start:,} names "
                f"{len(header)} columns. Put a field with a separator in it into quotation marks."
            )
    index = pd.Index([line for line, _ in rows], name="line", dtype=int)
    frame = pd.DataFrame([row for _, row in rows], index, header, dtype=object)
    for name in header:
        if normalized(name) in NAMES["segment"]:  # numbers have an order
            numbers = pd.to_numeric(frame[name], errors="coerce")
            if pd.api.types.is_integer_dtype(numbers):
                frame[name] = numbers
    return ScoreFile(file, frame, blank_line)


def _rows(file: Path, text: str, separator: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The rows, each with the number of its first line; empty where the line is blank.

    Tuples, as the garbage collector passes over those of strings, and not over lists.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line, width = 1, 0
    try:
        for row in reader:
            width = width or (len(row) if any(row) else 0)
            if reader.line_num > line:
                for inside in (part for cell in row if "\n" in cell for part in cell.split("\n")):
                    fields = inside.split(separator)
                    if len(fields) >= width and any(map(is_number, fields)):
                        raise InputError(
                            f"{quoted(file, line)}: a quotation mark opens a field of several "
                            "lines, of which one looks like a row. Close or remove the mark."
                        )
            yield line, tuple(row) if len(row) > 1 or "".join(row).strip() else ()
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"{quoted(file, line)} is not a row of a table: {error}. Mend its quotation marks."
        ) from None


def _check_header(file: Path, line: int, header: list[str]) -> None:
    for name in find_repeated(header)[:1]:
        raise InputError(f"{quoted(file, line)}: more than one column {name!r}. Rename one.")
    looks = _NUMBER.search if len(header) == 1 else _NUMBER.match
    numbers = (is_number(name) or looks(name) for name in header)
    if any(numbers) and not any(map(is_label, header)):
        raise InputError(f"{quoted(file, line)} has numbers for names. Write names above.")
