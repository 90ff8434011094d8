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

    def line(tag: str, cells: Sequence[str]) -> str:
        styles = [' style="text-align: right"' if c.numeric else "" for c in columns]
        shown = zip(styles, map(html.escape, cells), strict=True)
        return f"<tr>{''.join(f'<{tag}{style}>{cell}</{tag}>' for style, cell in shown)}</tr>"

    heads = line("th", [c.heading for c in columns])
    rows = [line("td", row) for row in rows_of(columns, str, str)]
    body = ["<tbody>", *rows, "</tbody>"]
    return "\n".join(['<table class="mtsig">', "<thead>", heads, "</thead>", *body, "</table>\n"])
