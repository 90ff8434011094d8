"""What students read where tests of labs fail: a sentence, and no hint before they have tried."""

from __future__ import annotations

import re

import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from mtsig_nb.teaching.failures import NOT_ANSWERED
from tools.labs import lab_files
from tools.labs.lab_files import role
from tools.notebooks import files

from .forked_kernels import forked_kernels

SETUP = "from mtsig_nb.teaching import own_work"
STUB = "def double(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()"
TESTS = (
    "with own_work():\n    got = double(2)\n"
    "assert got == 4, 'twice two is four'\nassert got != 5, 'another hint'"
)
TESTS_OF_PLAN = "assert plan == 3, 'three'\nassert plan != 4, 'another hint'"


def shown(*cells: str) -> str:
    """What the last of some cells shows, without colours."""
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in (SETUP, *cells)])
    with forked_kernels():
        NotebookClient(notebook, allow_errors=True, kernel_name="python3").execute()
    (output,) = notebook.cells[-1].outputs
    assert output.output_type == "error", "a grader sees that the cell has failed"
    return re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(output.traceback))


@pytest.mark.takes_time
def test_an_exercise_is_not_answered_yet_or_gets_its_own_hint():
    assert shown(STUB, TESTS) == NOT_ANSWERED
    assert shown("# YOUR CODE HERE\nraise NotImplementedError()") == NOT_ANSWERED
    assert shown(TESTS_OF_PLAN) == f"{NOT_ANSWERED} (name 'plan' is not defined)"
    assert shown("def double(x):\n    return x + 3", TESTS) == "twice two is four"
    called = (
        "import mtsig_nb as mt\ndef double(x):\n    return 2 * len(mt.adjust_pvalues([1], 'holm'))"
    )
    assert "this calls adjust_pvalues of mtsig_nb" in shown(called, TESTS)


@pytest.mark.takes_time
def test_what_a_student_has_to_find_in_the_own_lines_is_shown_with_them():
    typo = shown("def double(x):\n    return 2 * y", TESTS)
    assert "return 2 * y" in typo
    assert "name 'y' is not defined" in typo
    assert "plann + 1" in shown("plann + 1")
    own = shown("def double(x):\n    assert x > 9, 'mine'\n    return x", TESTS)
    assert "assert x > 9" in own
    assert "assert 1 == 2" in shown("assert 1 == 2")
    assert "raise NotImplementedError('later')" in shown("raise NotImplementedError('later')")
    assert "1 / 0" in shown("1 / 0")


@pytest.mark.parametrize("lab", lab_files.labs(), ids=lambda lab: lab.student.stem)
def test_tests_are_folded_and_there_is_no_hint_for_who_has_not_tried(lab):
    tests = [cell for cell in files.read(lab.student).cells if role(cell) == "tests"]
    assert tests
    for cell in tests:
        assert cell.metadata.jupyter.source_hidden, lab_files.grade_id(cell)


@pytest.mark.thorough
@pytest.mark.parametrize("lab", lab_files.labs(), ids=lambda lab: lab.student.stem)
def test_who_runs_an_empty_lab_is_told_of_each_exercise_that_it_is_not_answered_yet(lab):
    notebook = files.read(lab.student)
    folder = {"metadata": {"path": str(lab.student.parent)}}
    NotebookClient(notebook, allow_errors=True, timeout=300, resources=folder).execute()
    for cell in notebook.cells:
        if cell.cell_type != "code" or role(cell) not in ("tests", "answer"):
            continue
        errors = [output for output in cell.outputs if output.output_type == "error"]
        said = ["\n".join(error.traceback) for error in errors]
        assert role(cell) == "answer" or len(said) == 1, lab_files.grade_id(cell)
        for message in said:
            assert message.lower().startswith("not answered yet"), lab_files.grade_id(cell)
