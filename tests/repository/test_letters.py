"""The letters that go out with a release can be sent: short, with an addressee, and true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
#: Each letter, and the pages whose numbers it has.
LETTERS = {"sacrebleu": "docs/sacrebleu*.md", "wmt": "docs/wmt-rule.md"}
HOME = "https://github.com/OWNER/REPOSITORY/blob/main/"
#: What is no measured number: versions of programs.
VERSIONS = r"\b\d+\.\d+\.\d+\b"


def letter(name: str) -> str:
    return (ROOT / "packaging" / "letters" / f"{name}.txt").read_text(encoding="utf-8")


def numbers(text: str) -> set[float]:
    """Decimal numbers, with or without the zero before the point."""
    return {
        float(number) for number in re.findall(r"(?<![\d.])\d*\.\d+", re.sub(VERSIONS, "", text))
    }


@pytest.mark.parametrize("name", LETTERS)
def test_a_letter_has_an_addressee_a_subject_and_a_question_on_one_screen(name):
    to, subject, _, *body = letter(name).splitlines()
    assert re.match(r"To: .+https://github\.com/", to)
    assert re.match(r"Subject: .{30,100}$", subject)
    assert len(" ".join(body).split()) <= 350
    assert "question" in " ".join(body)


@pytest.mark.parametrize(("name", "pages"), LETTERS.items())
def test_its_numbers_are_those_of_the_page(name, pages):
    texts = [page.read_text(encoding="utf-8") for page in ROOT.glob(pages)]
    measured = numbers(letter(name))
    assert len(measured) >= 5
    assert measured <= set().union(*map(numbers, texts))


@pytest.mark.parametrize("name", LETTERS)
def test_its_links_lead_to_files_of_the_repository(name):
    linked = re.findall(re.escape(HOME) + r"(\S+)", letter(name))
    assert any(file.endswith(".py") for file in linked)
    assert all((ROOT / file).is_file() for file in linked)
    assert "](" not in letter(name)
