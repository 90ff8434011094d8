"""Pages are short enough to read: paragraphs of at most 120 words, sentences of at most 30."""

from __future__ import annotations

import pytest

from tools.notebooks import files
from tools.repository import page_lengths

PAGES = [page.as_posix() for page in page_lengths.markdown_pages(files.ROOT)]


def too_long(page: str) -> list[str]:
    text = (files.ROOT / page).read_text(encoding="utf-8")
    return [
        f"{page}:{found.line}: a {found.what} of {found.n_words} words: {found.text}"
        for found in page_lengths.too_long(text)
    ]


def test_no_page_has_a_paragraph_or_a_sentence_that_is_too_long():
    assert len(PAGES) > 50
    found = [line for page in PAGES for line in too_long(page)]
    assert found == []


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("word " * 30 + "end.", ["sentence"]),
        ("word " * 29 + "end.", []),
        ("Four words stand here. " * 30, []),
        ("Four words stand here. " * 31, ["paragraph"]),
        ("- " + "word " * 31, ["sentence"]),
        ("| a |\n| --- |\n| " + "word " * 31 + "|", ["sentence"]),
        ("```text\n" + "word " * 200 + "\n```", []),
    ],
)
def test_what_is_too_long_is_found(markdown, expected):
    assert [found.what for found in page_lengths.too_long(markdown)] == expected
