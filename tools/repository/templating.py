"""Jinja's templates of pages, in which what is missing is an error."""

from __future__ import annotations

import html
import re
from pathlib import Path

import jinja2


def templates(folder: Path) -> jinja2.Environment:
    """Templates of Markdown: blocks leave no blank lines, and the filter ``md`` escapes cells."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["md"] = markdown_text
    return environment


def html_templates(folder: Path) -> jinja2.Environment:
    """Templates of HTML and XML: what is filled in is escaped."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder), autoescape=True, undefined=jinja2.StrictUndefined
    )


def markdown_text(text: str) -> str:
    """Text in a cell of GitHub's Markdown: what could be markup or HTML is escaped."""
    prose_and_code = text.split("`")  # code stands as it is
    prose_and_code[::2] = [
        re.sub(r"([\\*_\[\]|~$])", r"\\\1", html.escape(prose, quote=False))
        for prose in prose_and_code[::2]
    ]
    return "`".join(prose_and_code)


def listed(words: list[str]) -> str:
    """All words in a sentence: ``a, b and c``."""
    if len(words) < 2:
        return "".join(words)
    *others, last = words
    return f"{', '.join(others)} and {last}"
