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

#: A decimal fraction, and not a part of a word, of a date or of a version.
_FRACTION = re.compile(r"\s*(?<![\w.])\d*\.\d+(?![\w.-])")
#: A decimal number, with a point or a comma; or several that ran into each other (``0,5 0,7``).
_DECIMALS = re.compile(r"\s*[-+]?\d*[.,]\d[-+\d.,e\s]*", re.IGNORECASE)
#: A first line that tells Excel which separator the lines below have.
_EXCEL = re.compile(r"sep=(.)\s*", re.IGNORECASE)
#: What is stripped of a line to see whether it has values: separators and blanks.
_NOTHING = ",; \t\r\u00a0"
#: How many lines are looked at to find the separator.
_MOST_LOOKED_AT = 50
#: The most lines that a remark names.
_MOST_SHOWN = 6

Row = tuple[str, ...]
#: Rows, each with the number of its line.
Rows = list[tuple[int, Row]]


@dataclasses.dataclass(frozen=True)
class _Layout:
    """How the lines of a table are split.

    Parameters
    ----------
    separator : str
        Empty where there is one column; a space where there are runs of spaces.
    start : int
        The number of the line with the names of the columns, from 1 on.
    n_comments : int
        How many lines of comments there are above the names.
    """

    separator: str
    start: int
    n_comments: int = 0


def read_delimited(source: ScoreSource, text: str) -> ScoreFile:
    """A table with a line of names above its rows.

    Raises
    ------
    InputError
        If lines are not split in one way only, a line has more or fewer fields than there are
        names, or a name is missing, is there twice or is a number.
    """
    every_line = lines(text)
    _check_line_ends(source, every_line, text)
    layout = _layout(source, every_line)
    (start, names), *every_row = _split(source, every_line, layout)
    remarks = ["columns are separated by spaces"] if layout.separator == " " else []
    names = _without_comment_behind(names, every_row, remarks)
    header = [name.strip() for name in names]
    check_size(source, len(every_row), len(header))
    blank_line = next((line for line, row in every_row if not row), None)
    rows = [(line, row) for line, row in every_row if row]
    rows = _without_comments(rows, len(header), layout.n_comments, remarks)
    _check_width(source, layout, header, rows)
    rows, repeated_header = _without_repeated_headers(rows, names, remarks)
    columns = [[row[place] for _, row in rows] for place in range(len(header))]
    # The names still have the blanks around them, by which padding is known.
    columns = [_without_padding(name, cells) for name, cells in zip(names, columns, strict=True)]
    # Between commas or semicolons, double quotation marks have been read with the rows already.
    marks = ["'"] if layout.separator in (",", ";") else ['"', "'"]
    for mark in marks:
        header, columns = _unquoted(header, columns, mark)
    _check_header(source, start, header)
    header = _with_first_name(source, start, header, columns, remarks)
    index = pd.Index([line for line, _ in rows], name="line", dtype=int)
    frame = pd.DataFrame(dict(zip(header, columns, strict=True)), index, dtype=object)
    frame = frame[[name for name in header if name]]
    return ScoreFile(source, frame, blank_line, tuple(remarks), repeated_header=repeated_header)


# --- how lines are split --------------------------------------------------------------------------


def _check_line_ends(source: ScoreSource, every_line: Sequence[str], text: str) -> None:
    """Raise `InputError` for a carriage return within a line."""
    if "\r" not in text.replace("\r\n", ""):
        return
    for number, line in enumerate(every_line, start=1):
        if "\r" in line:
            raise InputError(
                f"{source.at(number)} has a carriage return (CR) in the middle: lines end in "
                "different ways. Write the file again with one kind of line ending."
            )


def _layout(source: ScoreSource, every_line: Sequence[str]) -> _Layout:
    """What parts the fields, and where the names are.

    The names are in the first line that is neither empty nor a comment, which begins with ``#``.
    """
    numbered = enumerate(every_line, start=1)
    filled = [(number, line) for number, line in numbered if line.strip(_NOTHING)]
    if not filled:
        raise no_table(source)
    (first_number, first_line), *below = filled
    if excel := _EXCEL.fullmatch(first_line):
        start = below[0][0] if below else first_number
        return _Layout(excel[1], start)
    n_comments = _count_comments([line for _, line in filled])
    start, header = filled[n_comments]
    looked_at = filled[n_comments + 1 : n_comments + _MOST_LOOKED_AT]
    separator = _separator(source, start, header, looked_at)
    return _Layout(separator, start, n_comments)


def _count_comments(filled: Sequence[str]) -> int:
    """How many lines above the names begin with ``#``, among the lines that are not empty.

    A line such as ``#system,segment,COMET`` begins so, too, and has the names itself: it has as
    many fields as the next line.
    """
    for n_above, (line, below) in enumerate(itertools.pairwise(filled)):
        n_fields = len(re.split("[,;\t]", line))
        n_fields_below = len(re.split("[,;\t]", below))
        has_names = n_fields > 1 and n_fields == n_fields_below
        if has_names or not line.startswith("#"):
            return n_above
    return len(filled) - 1


def _separator(
    source: ScoreSource, start: int, header: str, numbered_below: Sequence[tuple[int, str]]
) -> str:
    """What parts the fields; empty where there is a single column.

    Parameters
    ----------
    source : ScoreSource
    start : int
        The number of the line with the names.
    header : str
        The line with the names.
    numbered_below : sequence of (int, str)
        Some lines below the names, each with its number.
    """
    below = [line for _, line in numbered_below]
    if "\t" in header:
        return "\t"
    candidates = [mark for mark in ";," if len(_fields(header, mark)) > 1]
    if candidates:
        return _best_mark(candidates, header, below)
    if "|" in header and all("|" in line for line in below):
        raise InputError(
            f"{source.at()} has columns separated by vertical bars (|). Separate them by tabs, "
            "commas or semicolons."
        )
    names = header.split()
    has_names = len(names) > 1 and any(map(is_label, names))
    if not has_names or not below:
        return ""
    _check_spaces(source, start, header, numbered_below)
    return " "


def _best_mark(candidates: Sequence[str], header: str, below: Sequence[str]) -> str:
    """The mark by which most lines have as many fields as there are names.

    Of two such marks, it is the one that parts more names.  The answer is empty where there is a
    single column of numbers, and only its name has a mark in it, such as ``BLEU, lower-cased``.
    """
    n_names = {mark: len(_fields(header, mark)) for mark in candidates}
    n_fitting = {}
    for mark in candidates:
        n_fitting[mark] = sum(len(_fields(line, mark)) == n_names[mark] for line in below)
    best = max(candidates, key=lambda mark: (n_fitting[mark], n_names[mark]))
    is_one_column = below and not n_fitting[best] and all(map(is_number, below))
    return "" if is_one_column else best


def _check_spaces(
    source: ScoreSource, start: int, header: str, numbered_below: Sequence[tuple[int, str]]
) -> None:
    """Raise `InputError` for a line that spaces part into more or fewer fields than the names."""
    n_names = len(header.split())
    for number, line in numbered_below:
        n_fields = len(line.split())
        if n_fields != n_names:
            raise InputError(
                f"{source.at(number)} has {counted(n_fields, 'field')}, separated by spaces; line "
                f"{start:,} names {n_names} columns. Separate columns by tabs, commas or "
                "semicolons."
            )


def _fields(line: str, mark: str) -> list[str]:
    """The fields of a line; quotation marks that are wrong in it raise nothing."""
    try:
        return next(csv.reader([line], delimiter=mark))
    except csv.Error:  # a field is too long to be one of a table
        return [line]


def _split(source: ScoreSource, every_line: Sequence[str], layout: _Layout) -> Rows:
    """The names and the rows below, each with the number of its line; a blank line is empty.

    Rows are tuples because the garbage collector stops tracking tuples of strings.  It would go
    through lists again and again.
    """
    from_names_on = every_line[layout.start - 1 :]
    if layout.separator == "\t":
        rows: Iterator[Sequence[str]] = (line.split("\t") for line in from_names_on)
    elif layout.separator == " ":
        rows = (line.split() for line in from_names_on)
    elif layout.separator == "":
        rows = ([line] for line in from_names_on)
    else:
        rows = _quoted_rows(source, from_names_on, layout)
    return [
        (number, tuple(row) if "".join(row).strip() else ())
        for number, row in enumerate(rows, start=layout.start)
    ]


def _quoted_rows(
    source: ScoreSource, from_names_on: Sequence[str], layout: _Layout
) -> Iterator[Sequence[str]]:
    """The rows of a table whose fields may be in quotation marks, each of one line.

    Raises
    ------
    InputError
        If a field spans lines, or has a quotation mark where none can be.
    """
    mark = layout.separator
    header = from_names_on[0]
    # Where each name but the first has a space before it, as in "system, segment", so do fields,
    # and a quotation mark behind the space opens a field.
    is_spaced = header.count(f"{mark} ") == header.count(mark)
    reader = csv.reader(from_names_on, delimiter=mark, strict=True, skipinitialspace=is_spaced)
    n_read = 0
    try:
        for row in reader:
            n_read += 1
            # The reader has gone through more lines than rows where a field spans lines.
            if reader.line_num > n_read:
                raise _spanning(source, layout.start + n_read - 1)
            yield row
    except csv.Error as error:
        line = layout.start + n_read
        # The field that the reader fails in has gone on beyond its first line, or to the end.
        if reader.line_num > n_read + 1 or "unexpected end of data" in str(error):
            raise _spanning(source, line) from None
        raise InputError(
            f"{source.at(line)} is not a row of a table: {error}. Correct its quotation marks: "
            'inside a quoted field, a quotation mark is written twice ("").'
        ) from None


def _spanning(source: ScoreSource, line: int) -> InputError:
    """The error for a field that goes on in the next line."""
    return InputError(
        f"{source.at(line)}: a quotation mark opens a field that does not end in this line. A row "
        "of scores is one line: close or remove the mark, or leave the column of texts out."
    )


# --- lines that are no rows -----------------------------------------------------------------------


def _without_comments(rows: Rows, width: int, n_above: int, remarks: list[str]) -> Rows:
    """The rows without comments, which begin with ``#``.

    In a table of several columns, such a line is a row if it has as many fields as the others.

    Parameters
    ----------
    rows : list of (int, tuple of str)
    width : int
        How many columns there are.
    n_above : int
        How many comments are above the names, which a remark counts as well.
    remarks : list of str
    """
    kept = []
    for line, row in rows:
        may_be_comment = len(row) != width or width == 1
        if not (may_be_comment and row[0].startswith("#")):
            kept.append((line, row))
    n_comments = n_above + len(rows) - len(kept)
    if n_comments:
        remarks.append(f"{counted(n_comments, 'line')} of comments (#) left out")
    return kept


def _without_comment_behind(names: Row, rows: Rows, remarks: list[str]) -> Row:
    """The names without a comment behind them, as in Google's files of marks.

    The last field is a comment if it begins with ``#`` and every row has one field fewer.
    """
    if not names[-1].startswith("#") or not any(row for _, row in rows):
        return names
    if any(row and len(row) != len(names) - 1 for _, row in rows):
        return names
    remarks.append("a comment (#) after the names of the columns left out")
    return names[:-1]


def _check_width(source: ScoreSource, layout: _Layout, header: Sequence[str], rows: Rows) -> None:
    """Raise `InputError` for a line that has more or fewer fields than there are names."""
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
    """What to do with a line that has more or fewer fields than there are names."""
    if len(row) == len(header) + 1 and not row[-1].strip():
        return "Remove the separator at its end."
    if layout.separator in ("\t", " "):
        return "A field must not contain a separator or a line break, quoted or not."
    advice = "Put fields that contain a separator in quotation marks"
    if layout.separator == "," and len(row) > len(header):
        return f"{advice}; or separate columns by semicolons if numbers have decimal commas."
    return f"{advice}."


def _without_repeated_headers(
    rows: Rows, names: Row, remarks: list[str]
) -> tuple[Rows, int | None]:
    """The rows without lines that have the names once more, and the first of these lines.

    Files that were joined one below the other have such lines.
    """
    header = _bare(names)
    # The first name rules out nearly all rows, before all cells of a row are looked at.
    first_name = names[0].strip()
    repeated = [line for line, row in rows if first_name in row[0] and _bare(row) == header]
    if not repeated:
        return rows, None
    left_out = set(repeated)
    kept = [(line, row) for line, row in rows if line not in left_out]
    shown = ", ".join(f"{line:,}" for line in repeated[:_MOST_SHOWN])
    which = f"line {shown} repeats" if len(repeated) == 1 else f"lines {shown} repeat"
    remarks.append(f"{which} the names of the columns: left out")
    return kept, repeated[0]


def _bare(row: Row) -> tuple[str, ...]:
    """The cells of a row without blanks and byte-order marks around them."""
    return tuple(cell.strip("\ufeff ") for cell in row)


# --- names and quotation marks --------------------------------------------------------------------


def _without_padding(name: str, cells: list[str]) -> list[str]:
    """The fields of a column, without a blank that its name and all fields begin, or end, with."""
    if name.startswith(" ") and all(cell.startswith(" ") for cell in cells):
        cells = [cell[1:] for cell in cells]
    if name.endswith(" ") and all(cell.endswith(" ") for cell in cells):
        cells = [cell[:-1] for cell in cells]
    return cells


def _unquoted(
    header: Sequence[str], columns: Sequence[list[str]], mark: str
) -> tuple[list[str], list[list[str]]]:
    """Names and columns, without a quotation mark that all fields of a column have around them.

    A name loses its marks if the fields of its column lose theirs, or if all names have them.
    """
    quoted = re.compile(f"{mark}(?:[^{mark}]|{mark}{mark})*{mark}")
    all_names_are_quoted = all(map(quoted.fullmatch, header))
    names = []
    unquoted_columns = []
    for name, cells in zip(header, columns, strict=True):
        cells_are_quoted = bool(cells) and all(map(quoted.fullmatch, cells))
        if cells_are_quoted:
            cells = [_without_marks(cell, mark) for cell in cells]
        if quoted.fullmatch(name) and (cells_are_quoted or all_names_are_quoted):
            name = _without_marks(name, mark).strip()
        names.append(name)
        unquoted_columns.append(cells)
    return names, unquoted_columns


def _without_marks(quoted: str, mark: str) -> str:
    """What is between quotation marks, where a mark inside is written twice."""
    return quoted[1:-1].replace(mark * 2, mark)


def _check_header(source: ScoreSource, line: int, header: Sequence[str]) -> None:
    """Raise `InputError` if a name is there twice, or if there are numbers in place of names."""
    repeated = find_repeated(filter(None, header))
    if repeated:
        raise InputError(f"{source.at(line)}: more than one column {repeated[0]!r}. Rename one.")
    # A single column may be what a program printed, with the score anywhere in each line.
    is_one_column = len(header) == 1
    has_numbers = any(_looks_like_number(name, anywhere=is_one_column) for name in header)
    if has_numbers and not any(map(is_label, header)):
        raise InputError(
            f"{source.at(line)} has numbers as names of columns. Write a line of names above it."
        )


def _looks_like_number(name: str, *, anywhere: bool) -> bool:
    """Whether a name is a number, or begins with a decimal one; `anywhere`: or has one in it."""
    if is_number(name) or _DECIMALS.fullmatch(name):
        return True
    fraction = _FRACTION.search(name) if anywhere else _FRACTION.match(name)
    return fraction is not None


def _with_first_name(
    source: ScoreSource,
    line: int,
    header: Sequence[str],
    columns: Sequence[Sequence[str]],
    remarks: list[str],
) -> list[str]:
    """The names, of which a first column of whole numbers without a name gets "Unnamed: 0".

    Pandas writes the index of a frame as such a column, and calls it so when it reads it.  The name
    of a column that has no values stays empty.

    Raises
    ------
    InputError
        If any other column has no name.
    """
    names = list(header)
    empty = []
    unnamed = [place for place, name in enumerate(header) if not name]
    for place in unnamed:
        cells = [cell.strip() for cell in columns[place]]
        if not any(cells):
            empty.append(str(place + 1))
        elif place == 0 and all(cell.isdecimal() for cell in cells):
            names[0] = "Unnamed: 0"
        else:
            raise InputError(
                f"{source.at(line)} has a column without a name (column {place + 1}). Name it, or "
                "remove it."
            )
    if empty:
        remarks.append(f"column {', '.join(empty)} has no name and no values: left out")
    return names
