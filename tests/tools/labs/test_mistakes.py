"""Labs: what students get wrong is told apart, and nothing passes before the work is done."""

from __future__ import annotations

import re

import pytest

from tools.labs import lab_files
from tools.labs import mistakes as lab_mistakes
from tools.labs.lab_files import role
from tools.labs.mistakes import EMPTY, SOLVED
from tools.notebooks import files

from ...messages import naming

SOURCES = lab_mistakes.sources()
HANDED_OUT = "but the answer is yours to write"


def name(path):
    return path.stem


@pytest.mark.thorough
@pytest.mark.parametrize("lab", SOURCES, ids=name)
def test_solution_passes_nothing_fails_and_each_mistake_gets_the_hint_that_names_it(lab):
    found = lab_mistakes.outcomes(lab)
    assert list(lab_mistakes.complaints(lab, found)) == []
    planted = [outcome for outcome in found if outcome.hint]
    assert len(planted) >= 10
    assert [outcome for outcome in planted if HANDED_OUT in outcome.message], (
        "the package was called"
    )


@pytest.mark.parametrize("lab", SOURCES, ids=name)
def test_points_are_those_that_are_stated_and_on_the_page_of_labs(lab):
    notebook = files.from_source(lab)
    graded = [cell for cell in notebook.cells if role(cell) in ("tests", "words")]
    minutes, points = lab_files.minutes(notebook), sum(map(lab_files.points, graded))
    stated = naming(f" {minutes} minutes", f" {points:g} points")
    assert re.search(stated, notebook.cells[0].source)
    page = (files.ROOT / "docs" / "labs.md").read_text(encoding="utf-8")
    row = re.search(rf"^\| .*/{lab.stem}\.ipynb.*\|$", page, re.MULTILINE)
    assert row[0].endswith(f" | {minutes} | {points:g} |")


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
FLOOR = {"name": "floor", "replace": "/", "by": "//"}
ROUNDED = {"name": "rounded", "replace": "x / 2", "by": "int(x / 2)", "hint": "lost"}
THIRD = {"answer": "toy-choice-answer", "name": "a third", "write": "choice = 3", "hint": "halves"}


@pytest.mark.takes_time
@pytest.mark.parametrize(
    ("mistakes", "complaint"),
    [
        ([FLOOR | {"hint": "remainder"}, THIRD], None),
        ([FLOOR | {"hint": "is not this"}], "'the remainder is lost', which does not contain"),
        ([FLOOR | {"by": "* 0.5 * 2 /", "hint": "lost"}], "floor: passes"),
        ([FLOOR | {"hint": "remainder"}, ROUNDED], "is told the same as rounded"),
    ],
)
def test_what_is_not_told_apart_is_complained_about(tmp_path, monkeypatch, mistakes, complaint):
    source = tmp_path / "lab_99_toy.py"
    source.write_text(LAB, encoding="utf-8")
    monkeypatch.setattr(lab_mistakes, "FOLDER", tmp_path)
    lines = []
    for one in mistakes:
        given = {"answer": "toy-half-answer"} | one
        lines += ["[[mistake]]", *(f'{key} = "{value}"' for key, value in given.items())]
    (tmp_path / "lab_99_toy.toml").write_text("\n".join(lines), encoding="utf-8")
    found = lab_mistakes.outcomes(source)
    complaints = list(lab_mistakes.complaints(source, found))
    if complaint is None:
        assert complaints == []
        tried = [outcome.handed_in for outcome in found]
        assert tried == ["floor", EMPTY, SOLVED, "a third", EMPTY, SOLVED]
    else:
        assert any(complaint in one for one in complaints)
    said = {(outcome.tests, outcome.handed_in): outcome.message for outcome in found}
    assert said["toy-half-tests", EMPTY].startswith("NotImplementedError")
    assert said["toy-choice-tests", EMPTY].startswith("NameError")
    assert said["toy-half-tests", SOLVED] == said["toy-choice-tests", SOLVED] == ""
