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
    graded = [cell for cell in notebook.cells if role(cell) in ("tests", "words")]
    minutes, points = lab_files.minutes(notebook), int(sum(map(lab_files.points, graded)))
    assert f"About {minutes} minutes, {points} points" in notebook.cells[0].source
    page = (files.ROOT / "docs" / "lecturers.md").read_text(encoding="utf-8")
    row = re.search(rf"^\| .*/{lab.stem}\.ipynb.*\|$", page, re.MULTILINE)
    assert row[0].endswith(f" | {minutes} | {points} |")


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
"""
FLOOR = {"name": "floor", "replace": "/", "by": "//"}
ROUNDED = {"name": "rounded", "replace": "x / 2", "by": "int(x / 2)", "hint": "lost"}


@pytest.mark.parametrize(
    ("mistakes", "complaint"),
    [
        ([FLOOR | {"hint": "remainder"}], None),
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
    assert complaints == [] if complaint is None else any(complaint in one for one in complaints)
    said = {outcome.handed_in: outcome.said for outcome in found}
    assert said[EMPTY].startswith("NotImplementedError")
    assert said[SOLVED] == ""
