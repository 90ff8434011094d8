"""``python -m tools.repository.page_lengths``: words of each page, and what is too long to read.

A page serves one purpose in some 1,200 words; a paragraph has at most 120 words, and a sentence at
most 30.  A cell of a table and an item of a list count as paragraphs.  Units have tests of their
own (`tests/tools/course/test_reading.py`).
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from ..notebooks import files
from .check_links import pages

MOST_WORDS_OF_PARAGRAPH = 120
MOST_WORDS_OF_SENTENCE = 30
#: A sentence ends at a full stop, a question mark, a colon or a semicolon that a space follows.
_END_OF_SENTENCE = re.compile(r"(?<=[.?!:;])[)\"'”’]*\s+")
#: Full stops within a sentence.
_ABBREVIATION = re.compile(r"\b(e\.g|i\.e|al|cf|vs|etc|Fig|Figs|Sec|No|pp|p)\.")


class TooLong(NamedTuple):
    """A paragraph or a sentence that is too long."""

    line: int
    what: str
    n_words: int
    text: str


def main(arguments: list[str] | None = None) -> int:
    """Print a row for each page, and with ``--list`` what is too long on it."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.repository.page_lengths", description=__doc__
    )
    parser.add_argument("pages", nargs="*", type=Path, help="default: all Markdown pages")
    parser.add_argument("--list", action="store_true", help="say what is too long, and where")
    options = parser.parse_args(arguments)
    for page in options.pages or markdown_pages(files.ROOT):
        text = page.read_text(encoding="utf-8")
        n_words = sum(map(count_words, (paragraph for _, paragraph in paragraphs(text))))
        found = list(too_long(text))
        print(f"{n_words:7,} words {len(found):4} too long  {page}")
        if options.list:
            for long in found:
                print(f"    {page}:{long.line}: a {long.what} of {long.n_words} words: {long.text}")
    return 0


def markdown_pages(root: Path) -> Iterator[Path]:
    """Every page in Markdown that readers see, in order."""
    for path in pages(root):
        if path.suffix == ".md":
            yield path.relative_to(root)


def too_long(markdown: str) -> Iterator[TooLong]:
    """Paragraphs and sentences of a page that are too long, in the order of the page."""
    for line, paragraph in paragraphs(markdown):
        n_words = count_words(paragraph)
        if n_words > MOST_WORDS_OF_PARAGRAPH:
            yield TooLong(line, "paragraph", n_words, paragraph[:60])
        for sentence in sentences(paragraph):
            n_words = count_words(sentence)
            if n_words > MOST_WORDS_OF_SENTENCE:
                yield TooLong(line, "sentence", n_words, sentence)


def paragraphs(markdown: str) -> Iterator[tuple[int, str]]:
    """The line and the plain text of each paragraph, heading, item and cell; code is one word.

    Cells have the line of their row, which is the last that the parser knows.
    """
    line = 1
    for token in MarkdownIt("gfm-like", {"linkify": False}).parse(markdown):
        if token.map:
            line = token.map[0] + 1
        if token.type == "inline":
            yield line, "".join(map(_plain, token.children or [])).strip()


def _plain(token: Token) -> str:
    """What a reader reads of a piece of a paragraph."""
    if token.type in ("softbreak", "hardbreak"):
        return " "
    if token.type == "html_inline":
        return " "
    if token.type == "code_inline":
        return "code"
    if token.type == "image":
        return ""
    return token.content


def sentences(paragraph: str) -> list[str]:
    """The sentences of a paragraph."""
    without_abbreviations = _ABBREVIATION.sub(r"\1", paragraph)
    return [part for part in _END_OF_SENTENCE.split(without_abbreviations) if part]


def count_words(text: str) -> int:
    """How many words there are: what has a letter or a digit in it, between spaces."""
    return sum(any(map(str.isalnum, word)) for word in text.split())


if __name__ == "__main__":
    sys.exit(main())
