"""The units of the course: what each has to have, and that words are explained before their use."""

from __future__ import annotations

import itertools
import re
from functools import cache
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tools.course import reading
from tools.notebooks import files
from tools.notebooks.prose import n_words, prose

PAIRS = [pair for pair in files.pairs() if files.part_of(pair.source)]
UNITS = [pair.notebook for pair in PAIRS]


@cache
def unit(path: Path) -> nbformat.NotebookNode:
    return files.read(path)


@pytest.mark.takes_time
@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_a_unit_has_what_a_unit_has_and_uses_no_term_of_a_later_one(path):
    found = [*reading.problems(unit(path)), *reading.of_terms(unit(path), path)]
    found += reading.of_aims(unit(path), path)
    assert not found, "\n".join(["", *found])


def test_every_term_has_a_unit_that_introduces_it():
    assert [term.name for term in reading.glossary() if term.number is None] == []
    assert {term.name for term in reading.glossary()} >= reading.EVERYDAY


# The course as a whole.


def test_parts_and_units_are_numbered_in_their_order():
    folders = [part.folder for part in files.parts()]
    assert folders == [*sorted(folders[:-1]), "bench"]
    names = [path.name for path in UNITS if path.parent.name != "bench"]
    readme = (files.ROOT / "README.md").read_text(encoding="utf-8")
    assert f"[{len(names)} units](docs/units.md)" in readme
    assert all(re.fullmatch(r"\d\d_[a-z0-9_]+\.ipynb", name) for name in names)
    assert all(a[:2] < b[:2] for a, b in itertools.pairwise(names))


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_no_sentence_has_more_than_35_words(path):
    """A sentence's end is a full stop, a question mark, a colon or a semicolon; code is a word."""
    paragraphs = [
        prose(re.sub("`[^`]*`", "x", paragraph))
        for text in reading.texts(unit(path))
        for paragraph in re.split(r"\n\s*\n|\n(?=[-*] )", text)
        if not paragraph.startswith(("|", "<"))
    ]
    sentences = [s for p in paragraphs for s in re.split(r"(?<=[.?!:;])\W+(?=[A-Z(x])", p)]
    assert [s for s in sentences if n_words(s) > 35] == []


# The checks themselves, on a unit made for the purpose.

CHOICE = (
    "> **Why?**\n>\n> <details><summary>A</summary>No.</details>\n"
    '> <details class="right"><summary>B</summary>Yes.</details>\n\n'
)
FOLD = "<details><summary>Answer</summary>\n\nBecause *so*.\n\n</details>"
GOOD = [
    "# 7 · A toy\n\nWhich of two coins is better?",
    '> **Make a guess.** One or two?\n>\n> <details class="right"><summary>One</summary>Yes.\n'
    "> And so on.</details>\n> <details><summary>Two</summary>No.</details>",
    new_code_cell("# a comment\ncoins = [0, 1]\n\nsum(coins)"),
    new_code_cell("assert coins", metadata={"tags": ["remove-input"]}),
    "**The guess.** One. A **toy** is a thing\nto play with.",
    "## What this does not tell you\n\n- Much.",
    f"## Check yourself\n\n{CHOICE}{FOLD}\n\n{CHOICE}{FOLD}\n\n{CHOICE}{FOLD}",
    f"## Exercises\n\n**1.** Toss.\n\n{FOLD}\n\n**2.** Toss again.",
    new_code_cell("toss()", metadata={"tags": ["hide-input"]}),
    "*Before this:* [6](06_x.ipynb). *After this:* [8](08_x.ipynb).",
]


def toy(*changes: tuple[str, str]) -> nbformat.NotebookNode:
    """The good unit with passages replaced."""
    cells = [new_markdown_cell(cell) if isinstance(cell, str) else cell.copy() for cell in GOOD]
    for old, new in changes:
        assert any(old in cell.source for cell in cells), old
        for cell in cells:
            cell.source = cell.source.replace(old, new)
    return new_notebook(cells=cells)


def test_a_good_unit_has_no_problems():
    assert list(reading.problems(toy())) == []
    assert reading.Reading.of(toy()) == reading.Reading(words=48, cells=1, guesses=1, exercises=2)


AIMS = """\
# 1 · A toy

Which of two coins?

<details><summary>After this unit you can …</summary>

- say why (questions 1, 2);
- compute, and
  compare (question 3, exercise 2).

Before this: unit 0. About 3 minutes to read, 8 to teach with a discussion. New
terms: toy.

</details>"""


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("toy.", "toy.", None),
        ("question 3", "question 4", "has to name its questions [1, 2, 3]"),
        ("exercise 2", "exercise 3", "names an exercise that is not there"),
        ("About 3 ", "About 5 ", "says 5 and 8 minutes; to read it has 3"),
        ("8 to teach", "9 to teach", "says 3 and 9 minutes"),
        ("terms: toy", "terms: none", "by the glossary they are ['toy']"),
        ("unit 0", "no other unit", "uses 'coin' of unit 0, which it does not say"),
        ("unit 0", "units 0 and 5", "says that it needs unit 5"),
    ],
)
def test_what_a_unit_says_of_itself_is_checked(monkeypatch, old, new, problem):
    changed = toy((GOOD[0], AIMS.replace(old, new)))
    none = reading.Aims((), (), 0, 0, ())
    aims = {0: none, 1: reading.Aims.of(changed), 5: none, 9: none}
    monkeypatch.setattr(reading, "all_aims", lambda: aims)
    terms = [reading.Term("coin", "", 0), reading.Term("toy", "", 1), reading.Term("later", "", 9)]
    monkeypatch.setattr(reading, "glossary", lambda: terms)
    found = list(reading.of_aims(changed, Path("01_toy.ipynb")))
    assert found == [] if problem is None else any(problem in each for each in found), found
    assert reading.Aims.of(toy((GOOD[0], AIMS))).objectives == (
        "say why (questions 1, 2)",
        "compute, and compare (question 3, exercise 2)",
    )


def test_a_unit_without_aims_is_named():
    with pytest.raises(files.NotebookError, match="no fold 'After"):
        reading.Aims.of(toy())


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("**The guess.**", "The guess."), "asks for 1 guesses and answers 0"),
        (("> **Make a guess.**", "**The guess.** What?\n\n> **Make a guess.**"), "answers 2"),
        (("> **Make a guess.**", "Guess."), "asks for no guess"),
        ((' class="right"', ""), "a guess has not two answers or more in folds"),
        (("## Check yourself", "## Questions"), "has to have '## What this does not tell you'"),
        (
            (f"yourself\n\n{CHOICE}", "yourself\n\nWhy?\n\n"),
            "a question of '## Check yourself' has not",
        ),
        ((f"Toss.\n\n{FOLD}", "Toss."), "exercise 1 has no answer"),
    ],
)
def test_a_planted_fault_is_named(change, problem):
    assert any(problem in found for found in reading.problems(toy(change)))
