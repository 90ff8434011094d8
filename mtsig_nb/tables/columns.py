"""A frame's columns as plain text, rounded: the same for every format.

A frame is rounded here and nowhere else, and only for print.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from rich.cells import cell_len

from .rows import Columns

#: Levels onto which no p-value is rounded.
USUAL_LEVELS = (0.05, 0.01, 0.001)
#: Headings that are not the column's name.
HEADINGS = {"pvalue": "p", "pvalue_adjusted": "adjusted p", "ci_low": "interval"}
#: What stands in a cell that has no value.
MISSING = "–"
#: By column, the other one that its cells need: the upper limit of an interval, and whether an
#: adjusted p-value is a bound.
COMPANIONS = {"ci_low": "ci_high", "pvalue_adjusted": "at_floor"}


@dataclasses.dataclass(frozen=True)
class Column:
    """A column as it is printed: heading, cells of plain text, whether they are numbers."""

    heading: str
    cells: tuple[str, ...]
    numeric: bool


def printed(table: Columns | Sequence[Column], *, digits: int = 2) -> list[Column]:
    """A table's columns as plain text, rounded, for any format; columns of text stay as they are.

    A table is a frame, or a dictionary of columns by name.

    p-values have four decimals and are never rounded to zero, to one, or onto a usual level of
    significance; adjusted ones are printed as a bound where at_floor says that the resamples allow
    no smaller value; ci_low and ci_high become one interval; differences have their sign.

    Examples
    --------
    >>> table = {"difference": [0.817], "ci_low": [0.2], "ci_high": [1.4]}
    >>> [(c.heading, *c.cells) for c in printed(table)]
    [('difference', '+0.82'), ('interval', '[+0.20, +1.40]')]
    """
    if isinstance(table, Sequence):
        return list(table)
    columns = []
    for name in map(str, table):
        if name in COMPANIONS.values():
            continue
        cells = tuple(_cells(table, name, digits))
        heading = HEADINGS.get(name, name.replace("_", " "))
        columns.append(Column(heading, cells, _is_numeric(table[name])))
    return columns


def _is_numeric(column: Any) -> bool:
    """Whether a column has numbers, and not texts or truth values."""
    dtype = getattr(column, "dtype", None) or np.asarray(column).dtype
    return dtype.kind in "iuf"


def _cells(table: Columns, name: str, digits: int) -> Iterator[str]:
    """The cells of a column, some of which need its companion among `COMPANIONS` as well."""
    values = table[name]
    companion = COMPANIONS.get(name)
    companions: Iterable[Any] = [None] * len(values)
    if companion is not None and companion in table:
        companions = table[companion]
    for value, other in zip(values, companions, strict=True):
        if _is_missing(value):
            yield MISSING
        elif name == "ci_low":
            yield f"[{_signed(value, digits)}, {_signed(other, digits)}]"
        elif name.startswith("pvalue"):
            yield printed_pvalue(value, at_floor=other == 1)  # other may be NaN
        elif name == "difference":
            yield _signed(value, digits)
        elif isinstance(value, float):
            yield f"{value:.{digits}f}"
        else:
            yield str(value)


def _is_missing(value: object) -> bool:
    """Whether a cell has no value: None, pandas' NA or no number."""
    return value is None or type(value).__name__ == "NAType" or value != value


def printed_pvalue(p: float, *, at_floor: bool = False) -> str:
    """`p` rounded honestly: not to 0, nor to 1, nor onto a level that it is not equal to.

    Near a level there are more decimals.  Where six are too few, and near 0 and 1, a bound is
    printed.  So it is with `at_floor`, for the smallest value that so many resamples can give; this
    bound is rounded upwards.

    Examples
    --------
    >>> [printed_pvalue(p) for p in (0.012345, 0.0, 0.05, 1.0)]
    ['0.0123', '<0.0001', '0.0500', '1.0000']
    >>> [printed_pvalue(p) for p in (0.00104, 0.049996, 0.04999999)]
    ['0.00104', '0.049996', '<0.0500']
    >>> printed_pvalue(66 / 10_001, at_floor=True)
    '<0.0066'
    """
    if p < 1e-4:
        return "<0.0001"
    if at_floor and p < 1:
        return f"<{np.ceil(1e4 * p - 1e-6) / 1e4:.4f}"
    if 1 - 1e-4 < p < 1:
        return ">0.9999"
    for decimals in (4, 5, 6):
        text = f"{p:.{decimals}f}"
        nearest = float(text)
        if nearest not in USUAL_LEVELS or nearest == p:
            return text
    return f"<{nearest:.4f}" if p < nearest else f">{nearest:.4f}"


def _signed(value: float, digits: int) -> str:
    """A number with its sign, also where it is rounded to zero; zero itself has none."""
    return f"{value:+.{digits}f}" if value else f"{0:.{digits}f}"


def rows_of(
    columns: list[Column], text: Callable[[str], str], number: Callable[[str], str]
) -> Iterator[list[str]]:
    """The table's rows; `number` escapes the cells of numeric columns, `text` all others."""
    escaped_columns = []
    for column in columns:
        escape = number if column.numeric else text
        escaped_columns.append([escape(cell) for cell in column.cells])
    for row in zip(*escaped_columns, strict=True):
        yield list(row)


def on_one_line(text: str) -> str:
    """`text` without line breaks and other control characters."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+", " ", text)


def text_width(columns: Sequence[Column]) -> int:
    """How many characters wide a table is when nothing in it is folded."""
    width = 2 * (len(columns) - 1)  # between them
    for column in columns:
        width += max(map(cell_len, (column.heading, *column.cells)))
    return width
