"""The units of the course: what each has to have, and that words are explained before their use."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tools import course
from tools import notebook_files as files

PAIRS = [pair for pair in files.pairs() if files.part_of(pair.source)]
UNITS = [pair.notebook for pair in PAIRS]


@cache
def unit(path: Path) -> nbformat.NotebookNode:
    return files.read(path)


def name(path: Path) -> str:
    return path.stem


def nothing_in(problems: Iterable[str]) -> None:
    """All of them, and not only the first, are what a writer wants to see."""
    found = list(problems)
    assert not found, "\n".join(["", *found])


@pytest.mark.parametrize("path", UNITS, ids=name)
def test_a_unit_has_what_a_unit_has(path):
    nothing_in(course.problems(unit(path)))


@pytest.mark.parametrize("path", UNITS, ids=name)
def test_a_unit_says_what_its_terms_mean_and_uses_none_of_a_later_one(path):
    nothing_in(course.of_terms(unit(path), path))


def test_every_term_has_a_unit_that_introduces_it():
    assert [term.name for term in course.glossary() if term.number is None] == []
    assert {term.name for term in course.glossary()} >= course.EVERYDAY


# The course as a whole.


def test_parts_and_units_are_numbered_in_their_order():
    folders = [part.folder for part in files.parts()]
    assert folders == [*sorted(folders[:-1]), "bench"]
    names = [path.name for path in UNITS if path.parent.name != "bench"]
    assert all(re.fullmatch(r"\d\d_[a-z0-9_]+\.ipynb", name) for name in names)
    assert all(a[:2] < b[:2] for a, b in itertools.pairwise(names))


def test_the_readme_has_the_table_of_all_units():
    readme = (files.ROOT / "README.md").read_text(encoding="utf-8")
    assert course.table() in readme, "python -m tools.course --table prints it"
    assert "notebooks/WHERE_THINGS_WENT.md" in readme


def test_the_plans_on_the_lecturers_page_fit_their_minutes():
    """Each unit has the minutes that its words and cells take, and each lecture holds them all."""
    page = (files.ROOT / "docs" / "lecturers.md").read_text(encoding="utf-8")
    needed = {path.name: course.Reading.of(unit(path)).minutes for path in UNITS}
    plans = re.split(
        r"^### ", page.partition("## Three plans")[2].partition("\n## ")[0], flags=re.M
    )
    sums = []
    for title, _, plan in (plan.partition("\n") for plan in plans[1:]):
        rows = [
            re.split(r" *\| *", line)[1:-1] for line in plan.splitlines() if line.startswith("|")
        ]
        lecture = rows[2:]
        if rows[0][0] == "minutes":
            units = [(re.findall(r"(\w+\.ipynb)", row[1]), int(row[0])) for row in lecture]
            taken = [(name, minutes) for names, minutes in units for name in names]
            sums.append((title, sum(minutes for _, minutes in units)))
        else:
            found = [re.findall(r"(\w+\.ipynb)\) \((\d+)\)", row[1]) for row in lecture]
            taken = [(name, int(minutes)) for row in found for name, minutes in row]
            sums += [(title, sum(int(minutes) for _, minutes in row)) for row in found]
        assert len(taken) >= 3
        assert [name for name, minutes in taken if minutes < needed[name] - 0.5] == []
    hours = {"One lecture (90 minutes)": 90, "One lab session (three hours)": 180}
    assert len(sums) == 6
    assert [(title, total) for title, total in sums if total > hours.get(title, 90)] == []


@pytest.mark.parametrize("path", UNITS, ids=name)
def test_no_sentence_has_more_than_35_words(path):
    """A sentence's end is a full stop, a question mark, a colon or a semicolon; code is a word."""
    paragraphs = [
        course.prose(re.sub("`[^`]*`", "x", paragraph))
        for text in course.texts(unit(path))
        for paragraph in re.split(r"\n\s*\n|\n(?=[-*] )", text)
        if not paragraph.startswith(("|", "<"))
    ]
    sentences = [s for p in paragraphs for s in re.split(r"(?<=[.?!:;])\W+(?=[A-Z(x])", p)]
    assert [s for s in sentences if course.n_words(s) > 35] == []


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
    assert course.problems(toy()) == []
    assert course.Reading.of(toy()) == course.Reading(words=48, cells=1, guesses=1, exercises=2)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("**The guess.**", "The guess."), "asks for 1 guesses and answers 0"),
        (("> **Make a guess.**", "**The guess.** What?\n\n> **Make a guess.**"), "answers 2"),
        (("> **Make a guess.**", "Guess."), "asks for no guess"),
        ((' class="right"', ""), "guess 1 has not two answers or more in folds"),
        (("## Check yourself", "## Questions"), "has to have '## What this does not tell you'"),
        ((f"{CHOICE}{FOLD}\n\n{CHOICE}", CHOICE), "'## Check yourself' has 2 folds with an answer"),
        (
            (f"yourself\n\n{CHOICE}", "yourself\n\nWhy?\n\n"),
            "a question of '## Check yourself' has not",
        ),
        (("**2.** ", "2. "), "has to have two or three paragraphs"),
        ((f"Toss.\n\n{FOLD}", "Toss."), "exercise 1 has no answer"),
    ],
)
def test_a_planted_fault_is_named(change, problem):
    assert any(problem in found for found in course.problems(toy(change)))
