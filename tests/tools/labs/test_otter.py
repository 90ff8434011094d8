"""Labs for Otter: a question for each graded cell, and the points that our own grader gives."""

from __future__ import annotations

import ast
import copy
import importlib.util
import json
import subprocess
import sys

import nbformat
import pytest
import yaml

from tools.labs import lab_files, mistakes, otter
from tools.labs.lab_files import REGION, grade_id, points, role, without_markers
from tools.labs.worker import Limits, grade
from tools.notebooks import files

LABS = lab_files.labs()
EACH_LAB = pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.instructor.stem)


@EACH_LAB
def test_each_graded_cell_is_a_question_with_its_points_answers_and_tests(lab):
    assert questions_in(otter.master(lab).cells) == graded_in(files.read(lab.instructor).cells)


def graded_in(cells):
    """Of each graded cell its points, whether a person marks it, its answers and its tests."""
    expected, answers = [], []
    for cell in cells:
        kind = role(cell)
        hidden = "".join(region[2] for region in REGION.finditer(cell.source))
        if kind in ("answer", "words"):
            answers.append(grade_id(cell))
        if kind in ("tests", "words"):
            tests = [REGION.sub("", cell.source), hidden] if kind == "tests" else []
            expected.append((points(cell), kind == "words", answers, tests))
            answers = []
    return expected


def questions_in(cells):
    """The same of each of Otter's questions, whose parts have to be closed as they were opened."""
    found, where = [], []
    for cell in cells:
        if cell.cell_type == "raw":
            mark, _, details = cell.source.removeprefix("# ").partition("\n")
            open_or_close(mark, where)
            if mark == "BEGIN QUESTION":
                asked = yaml.safe_load(details)
                assert asked["manual"] or asked["all_or_nothing"]
                found.append((asked["points"], asked["manual"], [], []))
        elif where == ["QUESTION", "SOLUTION"]:
            found[-1][2].append(grade_id(cell))
            prompts = ("# BEGIN SOLUTION NO PROMPT", "# BEGIN PROMPT\n")
            assert len({cell.source.count(prompt) for prompt in prompts}) == 1
        elif where == ["QUESTION", "TESTS"]:
            assert cell.source.startswith("# HIDDEN\n") == bool(found[-1][3])
            (function,) = ast.parse(cell.source).body
            found[-1][3].append(ast.literal_eval(function.body[0].value))
        else:
            assert role(cell) in ("", "read-only")
    assert not where
    return found


def open_or_close(mark, where):
    """Keep in `where` which parts are open."""
    begins, _, kind = mark.partition(" ")
    if begins == "END":
        assert where.pop() == kind
    elif begins == "BEGIN":
        where.append(kind)


def command(*words: object) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "otter", *map(str, words)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.thorough
@pytest.mark.skipif(not importlib.util.find_spec("otter"), reason="needs otter-grader")
@EACH_LAB
def test_otter_gives_the_points_that_our_grader_gives(lab, tmp_path):
    """To the solution, to nothing, and to two wrong answers."""
    made = tmp_path / "made"
    files.write(otter.master(lab), tmp_path / lab.instructor.name)
    command("assign", tmp_path / lab.instructor.name, made)
    (autograder,) = (made / "autograder").glob("*.zip")
    student = nbformat.read(made / "student" / lab.instructor.name, as_version=4)
    cells = files.read(lab.instructor).cells
    for cell in (c for c in cells if role(c) == "tests"):
        given = student.metadata["otter"]["tests"][grade_id(cell).replace("-", "_")]
        (seen,) = (node for node in ast.parse(given).body if isinstance(node, ast.FunctionDef))
        assert ast.literal_eval(seen.body[0].value) == REGION.sub("", cell.source)
    assert lab_files.leaks(files.read(lab.instructor), student) == []

    right = {grade_id(c): without_markers(c.source) for c in cells if role(c) == "answer"}
    planted = mistakes.read(files.LABS / "source" / f"{lab.instructor.stem}.py")
    wrong = [{one.answer: one.source(right[one.answer])} for one in (planted[0], planted[-1])]
    total = []
    for answers in (right, {}, *(right | one for one in wrong)):
        filled_in = copy.deepcopy(student)
        for cell in filled_in.cells:
            cell.source = answers.get(grade_id(cell), cell.source)
        path = tmp_path / "filled_in.ipynb"
        nbformat.write(filled_in, path)
        command("run", path, "-a", autograder, "-o", tmp_path, "--no-logo")
        results = json.loads((tmp_path / "results.json").read_text())["tests"]
        theirs = {each["name"]: each["score"] for each in results if "score" in each}
        found = grade(path, [lab], Limits()).marks
        marks = [mark for mark in found if "words" not in mark.grade_id]
        assert theirs == {mark.grade_id.replace("-", "_"): mark.points for mark in marks}
        total.append(sum(theirs.values()))
    assert total[0] == sum(mark.possible for mark in marks) > max(total[2:])
    assert total[1] == 0
