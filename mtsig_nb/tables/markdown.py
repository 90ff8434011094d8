"""Tables in Markdown."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from ..frames import pd
from .columns import Column, on_one_line, printed, rows_of


def to_markdown(frame: pd.DataFrame | Sequence[Column], *, digits: int = 2) -> str:
    r"""A table in GitHub's Markdown.

    Examples
    --------
    >>> print(to_markdown(pd.DataFrame({"system": ["a|b"], "score": [31.4159]})), end="")
    | system | score |
    | :--- | ---: |
    | a\|b | 31.42 |
    """
    columns = printed(frame, digits=digits)
    headings = [markdown_text(column.heading) for column in columns]
    alignments = ["---:" if column.numeric else ":---" for column in columns]
    rows = [headings, alignments, *rows_of(columns, markdown_text, markdown_text)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def markdown_text(text: str) -> str:
    """Text as Markdown: what could be markup, or HTML, is escaped."""
    escaped = html.escape(on_one_line(text), quote=False)
    return re.sub(r"([\\`*_\[\]|~$])", r"\\\1", escaped)
