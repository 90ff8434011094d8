"""Tables in HTML."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from ..frames import pd
from .columns import Column, printed, rows_of

#: By element: styles for a mail, which has no style sheet.
STYLES_OF_MAIL = MappingProxyType(
    {
        "table": "border-collapse: collapse; border-top: 2px solid; border-bottom: 2px solid",
        "th": "padding: .2em .6em; border-bottom: 1px solid; text-align: left",
        "td": "padding: .2em .6em; white-space: nowrap",
    }
)
_NO_STYLES: Mapping[str, str] = MappingProxyType({})


def to_html(
    frame: pd.DataFrame | Sequence[Column],
    *,
    digits: int = 2,
    styles: Mapping[str, str] = _NO_STYLES,
) -> str:
    """A table in HTML, without styles of its own unless it is given some.

    Parameters
    ----------
    frame : DataFrame, or columns as `printed` returns them
    digits : int
        Decimals of scores and differences.
    styles : dict of str to str
        By element (``table``, ``th``, ``td``): what stands in its attribute ``style``.

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
    of_table = f' style="{styles["table"]}"' if "table" in styles else ""
    lines = [f'<table class="mtsig"{of_table}>', "<thead>"]
    lines.append(_row("th", [column.heading for column in columns], columns, styles))
    lines += ["</thead>", "<tbody>"]
    for cells in rows_of(columns, str, str):
        lines.append(_row("td", cells, columns, styles))
    lines += ["</tbody>", "</table>\n"]
    return "\n".join(lines)


def _row(
    tag: str, cells: Sequence[str], columns: Sequence[Column], styles: Mapping[str, str]
) -> str:
    """A row of cells, each in a `tag`; numbers are at the right."""
    elements = []
    for cell, column in zip(cells, columns, strict=True):
        declarations = [styles[tag]] if tag in styles else []
        if column.numeric:
            declarations.append("text-align: right")
        style = f' style="{"; ".join(declarations)}"' if declarations else ""
        elements.append(f"<{tag}{style}>{html.escape(cell)}</{tag}>")
    return f"<tr>{''.join(elements)}</tr>"
