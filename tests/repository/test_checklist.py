"""The reviewer's checklist: each of its questions leads to the unit that it names."""

from __future__ import annotations

import re

from tools.notebooks import files


def test_each_question_leads_to_the_unit_that_it_names():
    text = (files.ROOT / "docs" / "checklist.md").read_text(encoding="utf-8")
    questions = re.findall(r"^(\d+)\. (.+?)(?=^\d+\. |^\*\*|\Z)", text, re.M | re.S)
    assert [int(number) for number, _ in questions] == list(range(1, len(questions) + 1))
    for _, question in questions:
        said, address = re.search(r"\[\[(\d+)\]\(\.\./notebooks/([^)]+)\)\]", question).groups()
        assert address.rpartition("/")[2].startswith(f"{int(said):02}_")
