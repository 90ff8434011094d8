"""No list is born of a line that was wrapped: ``exercise`` at its end, and ``1.`` on the next."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from tools.notebooks import files
from tools.repository import check_links


def lists_without_an_empty_line_before(markdown: str) -> Iterator[str]:
    """The first line of each list that begins right below a line of text."""
    lines = markdown.splitlines()
    for token in MarkdownIt("commonmark").enable("table").parse(markdown):
        is_list = token.type in ("ordered_list_open", "bullet_list_open")
        if is_list and token.level == 0 and token.map and token.map[0] > 0:
            first = token.map[0]
            if lines[first - 1].strip():
                yield lines[first]


def texts(page: Path) -> list[str]:
    if page.suffix == ".md":
        return [page.read_text(encoding="utf-8")]
    return [cell.source for cell in files.text_cells(files.read(page))]


def test_every_list_of_a_page_or_notebook_is_meant():
    found = []
    for page in check_links.pages(files.ROOT):
        for text in texts(page):
            found += [(page.name, line) for line in lists_without_an_empty_line_before(text)]
    assert found == []


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("p should be\n1. The recipe says .42.", ["1. The recipe says .42."]),
        ("four\n+ 1 + 4 = 20", ["+ 1 + 4 = 20"]),
        ("p should be\n42. The recipe says.", []),
        ("Two:\n\n1. one\n2. two\n", []),
    ],
)
def test_a_wrapped_line_is_found(markdown, expected):
    assert [*lists_without_an_empty_line_before(markdown)] == expected
