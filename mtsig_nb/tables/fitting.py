"""How a table is made to fit a column, or else a page: line breaks, and pieces of long tables."""

from __future__ import annotations

import dataclasses
import math
import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .columns import Column
from .latex import latex_number, latex_row, latex_text, syllables

# Widths are in points.

#: The size of the type.
_SIZE_OF_TYPE = 8.0
#: The space on either side of a column, but for the outermost.
COLUMN_SEPARATION = 2.5
#: The widths of ACL's columns and page, which are the narrowest of the usual classes.
_WIDTH_OF_COLUMN = 219.0
_WIDTH_OF_PAGE = 455.0
#: The most lines of a float; longer tables have several floats.
_MOST_LINES = 40
#: So many lines are taken up by a heading and its rules.
_LINES_OF_HEADING = 3
#: The narrowest and the widest lines into which names are broken.
_NARROWEST_NAME = 48.0
_WIDEST_NAME = 120.0
#: The most lines of a name, from the best layout to the one of last resort.
_LINES_OF_NAMES = (2, 3, math.inf)
#: The narrowest lines into which headings are broken.
_NARROWEST_HEADING = 36.0
#: Shorter headings, for a table that has no room.
_SHORT_HEADINGS = {"difference": "diff.", "letters": "", "conclusion": "concl."}
#: Characters by their width in ems.  It is that of Computer Modern at 8 points, which is wider than
#: the usual fonts.
_CHARACTERS_BY_WIDTH = {
    0.3: "!',.:;[]`il|’",
    0.42: "()-fIjrst",
    0.48: "cez",
    0.54: '"$*/0123456789\\ago?{}–“”',
    0.6: "bdhknpquvxySJ",
    0.77: "BCEFLPTZw^~",
    0.84: "ADGHKNOQRUVXY&+<=>@_",
    0.98: "%#mM",
}
_WIDTH_OF = {
    character: width
    for width, characters in _CHARACTERS_BY_WIDTH.items()
    for character in characters
}
#: The width of a character that is not among them.
_WIDEST_CHARACTER = 1.1


@dataclasses.dataclass(frozen=True)
class _SetColumn:
    """A column with its line breaks.

    Attributes
    ----------
    heading : tuple of str
        Lines of plain text.
    cells : tuple of tuple of str
        The lines of each cell.
    numeric : bool
    broken_at : float, optional
        The width to which names were broken.
    """

    heading: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    numeric: bool
    broken_at: float | None = None

    @property
    def width(self) -> float:
        """In points."""
        widths = [width_in_points(line) for line in self.heading]
        if self.broken_at is not None:
            return max([self.broken_at, *widths])
        for lines in self.cells:
            widths += [width_in_points(line, numeric=self.numeric) for line in lines]
        return max(widths, default=0.0)

    def rows(self, start: int, stop: int) -> _SetColumn:
        """The column with some of its rows."""
        return dataclasses.replace(self, cells=self.cells[start:stop])

    def heading_in_latex(self) -> str:
        """The heading, its lines one above the other."""
        lines = [latex_text(line) for line in self.heading]
        if len(lines) == 1:
            return lines[0]
        side = "r" if self.numeric else "l"
        text = r"\\".join(lines)
        return rf"\shortstack[{side}]{{\strut {text}}}"

    def cell_in_latex(self, row: int) -> str:
        """A cell; a name that was broken stands in a box."""
        lines = self.cells[row]
        if self.numeric:  # numbers are never broken
            return latex_number(lines[0])
        if len(lines) == 1:
            return latex_text(lines[0])
        text = r"\\".join(map(latex_text, lines))
        return rf"\parbox[t]{{{self.broken_at:.1f}pt}}{{\raggedright {text}\strut}}"


@dataclasses.dataclass(frozen=True)
class Panel:
    """Columns that stand side by side."""

    columns: tuple[_SetColumn, ...]

    @property
    def width(self) -> float:
        """In points, with the space between columns."""
        gaps = 2 * COLUMN_SEPARATION * (len(self.columns) - 1)
        return gaps + sum(column.width for column in self.columns)

    @property
    def lines_of_rows(self) -> list[int]:
        """How many lines each row has."""
        of_rows = zip(*(column.cells for column in self.columns), strict=True)
        return [max(map(len, cells)) for cells in of_rows]

    def rows(self, start: int, stop: int) -> Panel:
        """The panel with some of its rows."""
        return Panel(tuple(column.rows(start, stop) for column in self.columns))

    def tabular(self, *, is_on_page: bool) -> Iterator[str]:
        """The lines of LaTeX.

        On a page it is centred in a box: in a document of one column, which is narrower, it then
        reaches into both margins alike.
        """
        alignment = "".join("r" if column.numeric else "l" for column in self.columns)
        if is_on_page:
            yield r"\makebox[\linewidth][c]{%"
        yield rf"\begin{{tabular}}{{@{{}}{alignment}@{{}}}}"
        yield r"\toprule"
        yield latex_row([column.heading_in_latex() for column in self.columns])
        yield r"\midrule"
        for row in range(len(self.lines_of_rows)):
            yield latex_row([column.cell_in_latex(row) for column in self.columns])
        yield r"\bottomrule"
        yield r"\end{tabular}"
        if is_on_page:
            yield "}"


def width_in_points(text: str, *, numeric: bool = False) -> float:
    """How wide a text is at 8 points, at most, in any of the usual fonts.

    Examples
    --------
    >>> width_in_points("31.4"), width_in_points("-5", numeric=True)
    (15.36, 11.04)
    """
    ems = 0.0
    for character in text:
        # An accent adds nothing to the width of its letter.
        letter = unicodedata.normalize("NFD", character)[0]
        width = _WIDTH_OF.get(letter, _WIDEST_CHARACTER)
        if numeric and character == "-":
            width = 0.84  # a minus
        elif numeric and character in "<>":
            width = 1.12  # with the space that follows it in mathematics
        elif numeric and character == ",":
            width = 0.5
        ems += width
    return round(ems * _SIZE_OF_TYPE, 2)


# --- what fits ------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True, kw_only=True)
class Fitted:
    """A table that fits.

    Attributes
    ----------
    panels : tuple of Panel
        One, or several that stand below each other.
    is_on_page : bool
        Whether it needs the width of a page.
    left_out : tuple of str
        Headings of columns that were left out.
    """

    panels: tuple[Panel, ...]
    is_on_page: bool
    left_out: tuple[str, ...] = ()

    @property
    def environment(self) -> str:
        """LaTeX's environment."""
        return "table*" if self.is_on_page else "table"


def fitted(columns: Sequence[Column], dispensable: Sequence[str]) -> Fitted:
    """The first way of setting the columns that fits a column, or else a page.

    Columns that are dispensable are left out before names are broken into many lines.
    """
    headings = {column.heading for column in columns}
    can_go = [heading for heading in dispensable if heading in headings]
    for limit in (_WIDTH_OF_COLUMN, _WIDTH_OF_PAGE):
        ways = [way for way in _ways(columns, can_go, limit) if way.panel.width <= limit]
        for most_lines in _LINES_OF_NAMES:
            for way in ways:
                if max(way.panel.lines_of_rows, default=1) <= most_lines:
                    is_on_page = limit == _WIDTH_OF_PAGE
                    return Fitted(panels=(way.panel,), is_on_page=is_on_page, left_out=way.left_out)
    return Fitted(panels=tuple(_panels(columns)), is_on_page=True)


class _Way(NamedTuple):
    """A way of setting a table, with the headings of the columns that it leaves out."""

    panel: Panel
    left_out: tuple[str, ...] = ()


def _ways(columns: Sequence[Column], can_go: Sequence[str], limit: float) -> Iterator[_Way]:
    """Ways of setting the columns, each narrower than the one before.

    In the ways with broken names these are as narrow as the width `limit` asks.
    """
    yield _Way(Panel(tuple(map(_as_it_is, columns))))
    yield _Way(Panel(tuple(map(_compact, columns))))
    yield _Way(_with_broken_names(columns, limit))
    left_out: tuple[str, ...] = ()
    for heading in can_go:
        left_out = (*left_out, heading)
        kept = [column for column in columns if column.heading not in left_out]
        yield _Way(Panel(tuple(map(_compact, kept))), left_out)
        yield _Way(_with_broken_names(kept, limit), left_out)


def _as_it_is(column: Column) -> _SetColumn:
    """A column without line breaks."""
    return _SetColumn(
        (column.heading,), tuple((cell.strip(),) for cell in column.cells), column.numeric
    )


def _compact(column: Column) -> _SetColumn:
    """A column with a shorter heading, in lines that are hardly wider than the cells."""
    as_it_is = _as_it_is(column)
    heading = _SHORT_HEADINGS.get(column.heading, column.heading)
    cells = [width_in_points(*cell, numeric=column.numeric) for cell in as_it_is.cells]
    width = max([_NARROWEST_HEADING, *cells])
    parts = [part for word in _words(heading) for part in syllables(word, longest=12)]
    lines = _lines(parts, width)
    return dataclasses.replace(as_it_is, heading=tuple(lines))


def _with_broken_names(columns: Sequence[Column], limit: float) -> Panel:
    """The columns, with long names in lines so narrow that all together keep the limit."""
    compact = [_compact(column) for column in columns]
    is_long = []
    for column in compact:
        is_long.append(not column.numeric and column.width > _NARROWEST_NAME)
    room = limit - Panel(tuple(compact)).width  # negative where they are too wide
    n_long = sum(is_long)
    if n_long == 0:
        return Panel(tuple(compact))
    width_of_names = sum(c.width for c, long in zip(compact, is_long, strict=True) if long)
    room_for_each = math.floor(max(_NARROWEST_NAME, (room + width_of_names) / n_long))
    width = min(room_for_each, _WIDEST_NAME)
    columns_set = []
    for column, long in zip(compact, is_long, strict=True):
        columns_set.append(_broken(column, width) if long else column)
    return Panel(tuple(columns_set))


def _broken(column: _SetColumn, width: float) -> _SetColumn:
    """A column of names, with each name in lines of that width."""
    cells = []
    for (cell,) in column.cells:
        cells.append(tuple(_lines(list(_parts(cell, width)), width)))
    return dataclasses.replace(column, cells=tuple(cells), broken_at=width)


def _words(text: str) -> list[str]:
    """Words, with the blanks behind them."""
    return re.findall(r"[^ ]* |[^ ]+", text)


def _parts(text: str, width: float) -> Iterator[str]:
    """Parts of a text no wider than `width`: words with the blank behind them, or less of these."""
    for word in _words(text):
        if width_in_points(word.strip()) <= width:
            yield word
            continue
        for syllable in syllables(word):
            yield from _no_wider(syllable, width)


def _no_wider(text: str, width: float) -> Iterator[str]:
    """A text without blanks in pieces that are no wider than `width`."""
    piece = ""
    for character in text:
        if piece and width_in_points(piece + character) > width:
            yield piece
            piece = ""
        piece += character
    yield piece


def _lines(parts: Sequence[str], width: float) -> list[str]:
    """Parts of a text, as many on each line as the width has room for."""
    lines = [""]
    for part in parts:
        longer = lines[-1] + part
        if lines[-1] and width_in_points(longer.strip()) > width:
            lines.append(part)
        else:
            lines[-1] = longer
    return [line.strip() for line in lines]


def _panels(columns: Sequence[Column]) -> Iterator[Panel]:
    """Panels for a table that is too wide for a page; each begins with the columns of names."""
    headings = [column.heading for column in columns]
    names: list[Column] = []
    rest = list(columns)
    while rest and not rest[0].numeric and len(rest) > 1:
        names.append(rest.pop(0))
    taken: list[Column] = []
    for group in _groups(rest, headings):
        with_group = _with_broken_names([*names, *taken, *group], _WIDTH_OF_PAGE)
        if taken and with_group.width > _WIDTH_OF_PAGE:
            yield _with_broken_names([*names, *taken], _WIDTH_OF_PAGE)
            taken = []
        taken += group
    yield _with_broken_names([*names, *taken], _WIDTH_OF_PAGE)


def _groups(columns: Sequence[Column], headings: Sequence[str]) -> Iterator[list[Column]]:
    """Columns that belong together: those of a metric, or else each by itself.

    Where there are several metrics, the first column of each has the metric's name as its heading,
    and the headings behind it are the same for all metrics.
    """
    has_metrics = len(set(headings)) < len(headings)
    group: list[Column] = []
    for column in columns:
        begins_metric = headings.count(column.heading) == 1
        if group and (begins_metric or not has_metrics):
            yield group
            group = []
        group.append(column)
    if group:
        yield group


def in_floats(panels: Sequence[Panel]) -> Iterator[list[Panel]]:
    """The panels of each float: as many rows as there is room for, and panels together if short."""
    waiting: list[Panel] = []
    n_lines = 0
    for panel in panels:
        for piece in _pieces(panel):
            n_lines_of_piece = sum(piece.lines_of_rows) + _LINES_OF_HEADING
            if waiting and n_lines + n_lines_of_piece > _MOST_LINES:
                yield waiting
                waiting = []
                n_lines = 0
            waiting.append(piece)
            n_lines += n_lines_of_piece
    yield waiting


def _pieces(panel: Panel) -> Iterator[Panel]:
    """The panel's rows in pieces that each fit a float."""
    start = 0
    n_lines = 0
    for row, lines in enumerate(panel.lines_of_rows):
        if n_lines + lines > _MOST_LINES - _LINES_OF_HEADING and row > start:
            yield panel.rows(start, row)
            start = row
            n_lines = 0
        n_lines += lines
    yield panel.rows(start, len(panel.lines_of_rows))
