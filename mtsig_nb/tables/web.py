"""Tables in HTML."""

from __future__ import annotations

import html
from collections.abc import Sequence

import pandas as pd

from .columns import Column, printed, rows_of


def to_html(frame: pd.DataFrame | Sequence[Column], *, digits: int = 2) -> str:
    """A table in HTML, without styles of its own.

    Examples
    --------
    >>> print(to_html(pd.DataFrame({"system": ["<b>"]})), end="")
    <table class="mtsig">
    <thead>
    <tr><th>system</th></tr>
    </thead>
    <tbody>
    <tr><td>&lt;b&gt;</td></tr>
    </tbody>
    </table>
    """
    columns = printed(frame, digits=digits)
    lines = ['<table class="mtsig">', "<thead>"]
    lines.append(_row("th", [column.heading for column in columns], columns))
    lines += ["</thead>", "<tbody>"]
    for cells in rows_of(columns, str, str):
        lines.append(_row("td", cells, columns))
    lines += ["</tbody>", "</table>\n"]
    return "\n".join(lines)


def _row(tag: str, cells: Sequence[str], columns: Sequence[Column]) -> str:
    """A row of cells, each in a `tag`; numbers are at the right."""
    elements = []
    for cell, column in zip(cells, columns, strict=True):
        style = ' style="text-align: right"' if column.numeric else ""
        elements.append(f"<{tag}{style}>{html.escape(cell)}</{tag}>")
    return f"<tr>{''.join(elements)}</tr>"
