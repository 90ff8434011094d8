"""What readers look for first: the quick answers of both first pages, the index of the glossary."""

from __future__ import annotations

import re

import pytest

from tools.notebooks import files


def answers(page: str) -> dict[str, str]:
    """The questions under *Quick answers*, and the cell with the answer to each."""
    text = (files.ROOT / page).read_text(encoding="utf-8")
    _, _, section = text.partition("## Quick answers\n")
    section, _, _ = section.partition("\n## ")
    return dict(re.findall(r"^\| (.+\?) \| (.+) \|$", section, re.MULTILINE))


def test_both_first_pages_answer_the_same_questions():
    assert 10 <= len(answers("README.md")) <= 14  # all on the first screen
    assert [*answers("book/index.md")] == [*answers("README.md")]


@pytest.mark.parametrize("page", ["README.md", "book/index.md"])
def test_each_answer_has_a_link(page):
    for question, answer in answers(page).items():
        assert re.search(r"\]\([^)]+\)", answer), question


def test_the_index_of_the_glossary_has_all_terms_in_order():
    glossary = (files.ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    index, _, _ = glossary.partition("\n## ")
    terms = re.findall(r"^## (.+)$", glossary, re.MULTILINE)
    linked = re.findall(r"\[([^\]]+)\]\(#", index)
    assert [" ".join(term.split()) for term in linked] == terms
