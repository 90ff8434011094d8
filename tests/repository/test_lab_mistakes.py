"""Labs: what students get wrong is told apart, and nothing passes before the work is done."""

from __future__ import annotations

import re

import pytest

from tools import lab_files, lab_mistakes
from tools import notebook_files as files
from tools.lab_files import role
from tools.lab_mistakes import EMPTY, SOLVED

SOURCES = lab_mistakes.sources()
HANDED_OUT = "where the answer is yours to write"


def name(path):
    return path.stem


@pytest.mark.thorough
@pytest.mark.parametrize("lab", SOURCES, ids=name)
def test_solution_passes_nothing_fails_and_each_mistake_gets_the_hint_that_names_it(lab):
    found = lab_mistakes.outcomes(lab)
    assert list(lab_mistakes.complaints(lab, found)) == []
    planted = [outcome for outcome in found if outcome.hint]
    assert len(planted) >= 10
    assert [outcome for outcome in planted if HANDED_OUT in outcome.said], "the package was called"


@pytest.mark.parametrize("lab", SOURCES, ids=name)
def test_points_are_those_that_are_stated_and_on_the_lecturers_page(lab):
    notebook = files.from_source(lab)
    points = sum(
        lab_files.points(cell) for cell in notebook.cells if role(cell) in ("tests", "words")
    )
    said = re.search(r"About (\d+) minutes, (\d+) points", notebook.cells[0].source)
    assert said is not None
    assert int(said[1]) == lab_files.minutes(notebook)
    assert int(said[2]) == points
    page = (files.ROOT / "docs" / "lecturers.md").read_text(encoding="utf-8")
    row = re.search(rf"^\| .*/{lab.stem}\.ipynb.*\|$", page, re.MULTILINE)
    assert row is not None
    assert row[0].split(" | ")[-2:] == [said[1], f"{said[2]} |"]


# The check itself, on a lab made for the purpose.

LAB = """\
# %% [markdown]
# # Lab 99 · A toy
#
# ## Exercise 1 · Write · Half

# %% nbgrader={"grade_id": "toy-half-answer", "solution": true}
def half(x):
    ### BEGIN SOLUTION
    return x / 2
    ### END SOLUTION

# %% nbgrader={"grade_id": "toy-half-tests", "grade": true, "points": 2}
assert half(3) != 1, "the remainder is lost"
assert half(3) == 1.5, "half of 3 is not this"

# %% [markdown]
# ## Exercise 2 · Decide · A number

# %% nbgrader={"grade_id": "toy-choice-answer", "solution": true}
### BEGIN SOLUTION
choice = half(8)
### END SOLUTION

# %% nbgrader={"grade_id": "toy-choice-tests", "grade": true, "points": 2}
assert choice == 4, "eight has two halves"
"""
FLOOR = {"answer": "toy-half-answer", "name": "floor", "replace": "/", "by": "//"}


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """A lab, and a function that plants mistakes in it and returns what is complained about."""
    source = tmp_path / "lab_99_toy.py"
    source.write_text(LAB, encoding="utf-8")
    monkeypatch.setattr(lab_mistakes, "FOLDER", tmp_path)

    def complaints(*mistakes):
        entries = [
            "[[mistake]]\n" + "\n".join(f'{key} = "{value}"' for key, value in one.items())
            for one in mistakes
        ]
        (tmp_path / "lab_99_toy.toml").write_text("\n\n".join(entries), encoding="utf-8")
        found = lab_mistakes.outcomes(source)
        return found, list(lab_mistakes.complaints(source, found))

    return complaints


def test_the_hint_that_names_the_mistake_is_enough(toy):
    choice = {"answer": "toy-choice-answer", "name": "a third", "write": "choice = 3"}
    found, complaints = toy(
        FLOOR | {"hint": "remainder"}, choice | {"hint": "eight has two halves"}
    )
    assert complaints == []
    tried = [outcome.handed_in for outcome in found]
    assert tried == ["floor", EMPTY, SOLVED, "a third", EMPTY, SOLVED]
    said = {(outcome.tests, outcome.handed_in): outcome.said for outcome in found}
    assert said["toy-half-tests", EMPTY].startswith("NotImplementedError")
    assert said["toy-choice-tests", EMPTY].startswith("NameError")
    assert said["toy-half-tests", SOLVED] == ""


@pytest.mark.parametrize(
    ("mistakes", "complaint"),
    [
        ([FLOOR | {"hint": "is not this"}], "'the remainder is lost', which does not contain"),
        ([FLOOR | {"by": "* 0.5 * 2 /", "hint": "lost"}], "floor: passes"),
        (
            [
                FLOOR | {"hint": "remainder"},
                FLOOR | {"name": "rounded", "replace": "x / 2", "by": "int(x / 2)", "hint": "lost"},
            ],
            "is told the same as rounded",
        ),
    ],
)
def test_what_is_not_told_apart_is_complained_about(toy, mistakes, complaint):
    assert any(complaint in one for one in toy(*mistakes)[1])
