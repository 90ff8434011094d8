"""Tables whose fields are parted by commas, semicolons or tabs.

A row is a line.  With tabs, quotation marks are text, unless every field of a column has them.
"""

from __future__ import annotations

import csv
import dataclasses
import itertools
import re
from collections.abc import Iterator, Sequence

import pandas as pd

from ..errors import InputError, counted
from ..texts.files import find_repeated, is_number, lines
from .labels import is_label
from .score_file import ScoreFile, check_size, no_table
from .source import ScoreSource

#: A line of numbers, or what is left of one, and not the name of a column.
_NUMBER = re.compile(r"\s*(?<![\w.])\d*\.\d+(?![\w.-])")
#: Decimals with a comma, or what is left of numbers that ran into each other.
_DIGITS = re.compile(r"\s*[-+]?\d*[.,]\d[-+\d.,e\s]*", re.IGNORECASE)
#: What Excel understands as the separator of the lines below.
_EXCEL = re.compile(r"sep=(.)\s*", re.IGNORECASE)
#: What lines without a field have: separators and blanks.
_NOTHING = ",; \t\r\u00a0"
#: Of how many lines the separator is looked for.
_MOST_LOOKED_AT = 50

Row = tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class _Layout:
    """How the lines of a table are split.

    Parameters
    ----------
    separator : str
        Empty where there is one column; a space where there are runs of spaces.
    start : int
        The number of the line with the names.
    n_comments : int
        Lines of comments above it.
    """

    separator: str
    start: int
    n_comments: int = 0


def read_delimited(source: ScoreSource, text: str) -> ScoreFile:
    """A table with a line of names above its rows."""
    every = lines(text)
    _check_line_ends(source, every, text)
    layout = _layout(source, every)
    split = _split(source, every, layout)
    (start, names), *rows = split
    header = [name.strip() for name in names]
    check_size(source, len(rows), len(header))
    blank_line, rows = _without_blank_lines(rows)
    remarks = _spaces_remark(layout)
    rows = _without_comments(rows, len(header), layout.n_comments, remarks)
    _check_width(source, layout, header, rows)
    rows, repeated_header = _without_repeated_headers(rows, names, remarks)
    index = pd.Index([line for line, _ in rows], name="line", dtype=int)
    columns = _columns(header, [row for _, row in rows])
    _take_off_padding(names, columns)
    # Of a table with commas or semicolons the double ones have been read already.
    _unquote(header, columns, "'" if layout.separator in (",", ";") else "\"'")
    _check_header(source, start, header)
    _name_unnamed(source, start, header, columns, remarks)
    frame = pd.DataFrame(dict(zip(header, columns, strict=True)), index, dtype=object)
    frame = frame[[name for name in header if name]]
    return ScoreFile(source, frame, blank_line, tuple(remarks), repeated_header=repeated_header)


# --- how lines are split --------------------------------------------------------------------------


def _check_line_ends(source: ScoreSource, every: Sequence[str], text: str) -> None:
    """Raise `InputError` for a carriage return within a line."""
    if "\r" not in text.replace("\r\n", ""):
        return
    for number, line in enumerate(every, start=1):
        if "\r" in line:
            raise InputError(
                f"{source.at(number)} has a carriage return (CR) in the middle: lines end in "
                "different ways. Write the file again with one kind of line ending."
            )


def _layout(source: ScoreSource, every: Sequence[str]) -> _Layout:
    """What parts the fields, and where the names are: the first line with something in it.

    Lines above it that begin with ``#`` are comments.
    """
    numbered = enumerate(every, start=1)
    filled = [(number, line) for number, line in numbered if line.strip(_NOTHING)]
    if not filled:
        raise no_table(source)
    if excel := _EXCEL.fullmatch(filled[0][1]):
        return _Layout(excel[1], filled[1][0] if len(filled) > 1 else filled[0][0])
    n_comments = 0
    while len(filled) > 1 and filled[0][1].startswith("#"):
        widths = [len(re.split("[,;\t]", line)) for _, line in filled[:2]]
        if widths[0] == widths[1] > 1:
            break  # it has as many fields as the next line: these are names
        filled.pop(0)
        n_comments += 1
    start, header = filled[0]
    below = filled[1:_MOST_LOOKED_AT]
    return _Layout(_separator(source, start, header, below), start, n_comments)


def _separator(
    source: ScoreSource, start: int, header: str, numbered: Sequence[tuple[int, str]]
) -> str:
    """What parts the fields: what is in the names, and gives as many fields in most lines.

    `start` is the number of the line with the names; `numbered` are those below, with theirs.
    """
    below = [line for _, line in numbered]
    if "\t" in header:
        return "\t"
    widths = {mark: len(_fields(header, mark)) for mark in ";,"}
    found = [mark for mark in ";," if widths[mark] > 1]
    if found:

        def fitting(mark: str) -> tuple[int, int]:
            fits = sum(len(_fields(line, mark)) == widths[mark] for line in below)
            return fits, widths[mark]

        best = max(found, key=fitting)
        is_one_column = below and not fitting(best)[0] and all(map(is_number, below))
        return "" if is_one_column else best
    if "|" in header and all("|" in line for line in below):
        raise InputError(
            f"{source.at()} has columns separated by vertical bars (|). Separate them by tabs, "
            "commas or semicolons."
        )
    names = header.split()
    if len(names) > 1 and any(map(is_label, names)):
        for number, line in numbered:
            if len(line.split()) != len(names):
                raise InputError(
                    f"{source.at(number)} has {counted(len(line.split()), 'field')}, parted by "
                    f"spaces; line {start:,} names {len(names)} columns. Part columns by tabs, "
                    "commas or semicolons."
                )
        if below:
            return " "
    return ""


def _fields(line: str, mark: str) -> list[str]:
    """The fields of a line, whatever is wrong with its quotation marks."""
    try:
        return next(csv.reader([line], delimiter=mark))
    except csv.Error:  # a field is too long to be one of a table
        return [line]


def _spaces_remark(layout: _Layout) -> list[str]:
    return ["columns are separated by spaces"] if layout.separator == " " else []


def _split(source: ScoreSource, every: Sequence[str], layout: _Layout) -> list[tuple[int, Row]]:
    """The rows from the names on, each with the number of its line; empty where it is blank.

    Tuples, as the garbage collector passes over those of strings, and not over lists.
    """
    numbered = itertools.count(layout.start)
    used = every[layout.start - 1 :]
    if layout.separator == "\t":
        rows: Iterator[Sequence[str]] = (line.split("\t") for line in used)
    elif layout.separator == " ":
        rows = (line.split() for line in used)
    elif layout.separator == "":
        rows = ([line] for line in used)
    else:
        rows = _quoted_rows(source, used, layout)
    return [
        (number, tuple(row) if "".join(row).strip() else ())
        for number, row in zip(numbered, rows, strict=False)
    ]


def _quoted_rows(
    source: ScoreSource, used: Sequence[str], layout: _Layout
) -> Iterator[Sequence[str]]:
    """The rows of a table whose fields may be in quotation marks, each of one line.

    Raises
    ------
    InputError
        If a field spans lines, or has a quotation mark where none can be.
    """
    mark = layout.separator
    is_spaced = used[0].count(f"{mark} ") == used[0].count(mark)
    reader = csv.reader(used, delimiter=mark, strict=True, skipinitialspace=is_spaced)
    n_read = 0
    try:
        for row in reader:
            n_read += 1
            if reader.line_num > n_read:
                raise _spanning(source, layout.start + n_read - 1)
            yield row
    except csv.Error as error:
        line = layout.start + n_read
        if reader.line_num > n_read + 1 or "unexpected end of data" in str(error):
            raise _spanning(source, line) from None
        raise InputError(
            f"{source.at(line)} is not a row of a table: {error}. Mend its quotation marks: "
            'inside a quoted field, a quotation mark is written twice ("").'
        ) from None


def _spanning(source: ScoreSource, line: int) -> InputError:
    return InputError(
        f"{source.at(line)}: a quotation mark opens a field that does not end in this line. A row "
        "of scores is one line: close or remove the mark, or leave the column of texts out."
    )


# --- lines that are no rows -----------------------------------------------------------------------


def _without_blank_lines(
    rows: Sequence[tuple[int, Row]],
) -> tuple[int | None, list[tuple[int, Row]]]:
    blank_line = next((line for line, row in rows if not row), None)
    return blank_line, [(line, row) for line, row in rows if row]


def _without_comments(
    rows: list[tuple[int, Row]], width: int, n_above: int, remarks: list[str]
) -> list[tuple[int, Row]]:
    """Without lines that begin with ``#``, unless they have as many fields as a row."""

    def is_row(row: Row) -> bool:
        return not row[0].startswith("#") or (len(row) == width and width > 1)

    kept = [(line, row) for line, row in rows if is_row(row)]
    n_comments = n_above + len(rows) - len(kept)
    if n_comments:
        remarks.append(f"{counted(n_comments, 'line')} of comments (#) left out")
    return kept


def _check_width(
    source: ScoreSource, layout: _Layout, header: Sequence[str], rows: Sequence[tuple[int, Row]]
) -> None:
    for line, row in rows:
        if len(row) == len(header):
            continue
        if len(header) == 1:
            raise no_table(source)
        raise InputError(
            f"{source.at(line)} has {len(row)} fields; line {layout.start:,} names "
            f"{len(header)} columns. {_advice_on_width(layout, header, row)}"
        )


def _advice_on_width(layout: _Layout, header: Sequence[str], row: Row) -> str:
    if len(row) == len(header) + 1 and not row[-1].strip():
        return "Remove the separator at its end."
    if layout.separator in ("\t", " "):
        return "A field must not contain a separator or a line break, quoted or not."
    advice = "Put fields that contain a separator in quotation marks"
    if layout.separator == "," and len(row) > len(header):
        return f"{advice}; or separate columns by semicolons if numbers have decimal commas."
    return f"{advice}."


def _without_repeated_headers(
    rows: list[tuple[int, Row]], names: Row, remarks: list[str]
) -> tuple[list[tuple[int, Row]], int | None]:
    """Without lines that have the names once more, as in files below each other; the first."""
    first = names[0].strip()
    repeated = [line for line, row in rows if first in row[0] and _bare(row) == _bare(names)]
    if not repeated:
        return rows, None
    left_out = set(repeated)
    shown = ", ".join(f"{line:,}" for line in repeated[:6])
    lines_are = "line {} repeats" if len(repeated) == 1 else "lines {} repeat"
    remarks.append(f"{lines_are.format(shown)} the names of the columns: left out")
    return [(line, row) for line, row in rows if line not in left_out], repeated[0]


def _bare(row: Row) -> tuple[str, ...]:
    return tuple(cell.strip("\ufeff ") for cell in row)


# --- names and quotation marks --------------------------------------------------------------------


def _columns(header: Sequence[str], rows: Sequence[Row]) -> list[list[str]]:
    return [[row[place] for row in rows] for place in range(len(header))]


def _take_off_padding(names: Row, columns: list[list[str]]) -> None:
    """Takes one blank off fields where the name and all fields have it, beside the separators."""
    for place, name in enumerate(names):
        cells = columns[place]
        if name.startswith(" ") and all(cell.startswith(" ") for cell in cells):
            columns[place] = cells = [cell[1:] for cell in cells]
        if name.endswith(" ") and all(cell.endswith(" ") for cell in cells):
            columns[place] = [cell[:-1] for cell in cells]


def _unquote(header: list[str], columns: list[list[str]], marks: str) -> None:
    """Takes quotation marks off where every field of a column has them; the names likewise."""
    for mark in marks:
        pattern = re.compile(f"{mark}(?:[^{mark}]|{mark}{mark})*{mark}")
        names_have_them = all(map(pattern.fullmatch, header))
        for place, cells in enumerate(columns):
            fields_have_them = bool(cells) and all(map(pattern.fullmatch, cells))
            if fields_have_them:
                columns[place] = [cell[1:-1].replace(mark * 2, mark) for cell in cells]
            name = header[place]
            if (fields_have_them or names_have_them) and pattern.fullmatch(name):
                header[place] = name[1:-1].replace(mark * 2, mark).strip()


def _check_header(source: ScoreSource, line: int, header: Sequence[str]) -> None:
    for name in find_repeated(filter(None, header))[:1]:
        raise InputError(f"{source.at(line)}: more than one column {name!r}. Rename one.")
    looks_like_one = _NUMBER.search if len(header) == 1 else _NUMBER.match
    numbers = (
        is_number(name) or looks_like_one(name) or _DIGITS.fullmatch(name) for name in header
    )
    if any(numbers) and not any(map(is_label, header)):
        raise InputError(f"{source.at(line)} has numbers for names. Write a line of names above.")


def _name_unnamed(
    source: ScoreSource,
    line: int,
    header: list[str],
    columns: Sequence[Sequence[str]],
    remarks: list[str],
) -> None:
    """Names a first column of whole numbers, as pandas writes it; empty columns stay without."""
    empty = []
    for place, name in enumerate(header):
        cells = columns[place]
        if name:
            continue
        if not any(cell.strip() for cell in cells):
            empty.append(str(place + 1))
        elif place == 0 and all(cell.strip().isdecimal() for cell in cells):
            header[0] = "Unnamed: 0"
        else:
            raise InputError(
                f"{source.at(line)} has a column without a name (column {place + 1}). Name it, or "
                "remove it."
            )
    if empty:
        remarks.append(f"column {', '.join(empty)} has no name and no values: left out")
