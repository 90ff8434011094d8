"""The reviewer's checklist: one page, whose questions lead to units, and one for every card."""

from __future__ import annotations

import re

from tools import notebook_files as files
from tools.book import staging

PAGE = files.ROOT / "docs" / "checklist.md"
#: Words that fit on one printed page with its numbered questions.
ONE_PAGE = 500


def questions() -> dict[int, str]:
    """The numbered questions, each with its links."""
    text = PAGE.read_text(encoding="utf-8")
    found = re.findall(r"^(\d+)\. (.+?)(?=^\d+\. |^\*\*|^A \"no\"|\Z)", text, re.M | re.S)
    return {int(number): question for number, question in found}


def links() -> list[tuple[int, str]]:
    """Number and address of the unit of each question."""
    pattern = re.compile(r"\[\[(\d+)\]\(\.\./notebooks/([^)]+)\)\]")
    found = [pattern.search(question) for question in questions().values()]
    return [(int(link[1]), link[2]) for link in found if link]


def test_each_question_leads_to_the_unit_that_it_names():
    assert list(questions()) == list(range(1, len(questions()) + 1))
    assert len(links()) == len(questions())
    for unit, address in links():
        assert address.rpartition("/")[2].startswith(f"{unit:02}_")
        assert (files.SERIES / address).exists()


def test_it_is_one_page_and_in_the_book():
    text = re.sub(r"\]\([^)]*\)", "]", PAGE.read_text(encoding="utf-8"))
    assert len(text.split()) <= ONE_PAGE
    assert "docs/checklist.md" in staging.contents()
