"""Labs: which of their cells are what, how a student version is made, and whether it leaks.

Cells carry nbgrader's metadata and markers, so nbgrader accepts the instructor versions as they
are; nothing here needs it.  What nbgrader calls them, and what students see:

==============  =====  ========  ======  =====================================================
role            grade  solution  locked  in the student version
==============  =====  ========  ======  =====================================================
answer          no     yes       no      each solution replaced by `CODE_STUB`
tests           yes    no        yes     hidden tests removed
words           yes    yes       no      the whole cell replaced by `TEXT_STUB`; marked by hand
read-only       no     no        yes     as it is
(no metadata)                            as it is
==============  =====  ========  ======  =====================================================
"""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import nbformat

from . import notebook_files as files
from .notebook_links import links_cell

#: As nbgrader writes them, so that versions made by either are the same.
CODE_STUB = ["# YOUR CODE HERE", "raise NotImplementedError()"]
TEXT_STUB = "YOUR ANSWER HERE"
SOLUTION, HIDDEN_TESTS = "SOLUTION", "HIDDEN TESTS"
#: From marker to marker, by kind: indentation, what is between them, and the end of the last line.
REGIONS = {
    kind: re.compile(
        rf"^([ \t]*)### BEGIN {kind}[ \t]*\n(.*?)^[ \t]*### END {kind}[ \t]*(\n|\Z)", re.M | re.S
    )
    for kind in (SOLUTION, HIDDEN_TESTS)
}
MARKER = re.compile(r"###\s*(BEGIN|END)\s+(SOLUTION|HIDDEN TESTS)")
HEADING = re.compile(r"^#{1,3}\s+(.+?)\s*$", re.MULTILINE)
#: What a student's minutes go into. The last four stand in the headings of exercises.
MINUTES = {
    "word read": 1 / 150,
    "cell read and run": 0.5,
    "line written": 1.5,
    "Write": 2,
    "Find": 6,
    "Decide": 5,
    "In words": 6,
}
#: A line of a solution shorter than this may well stand elsewhere too: ``return p``, ``else:``.
TELLING_LENGTH = 12


@dataclasses.dataclass(frozen=True, order=True)
class Lab:
    """An instructor version and the student version made from it."""

    instructor: Path
    student: Path


def labs() -> list[Lab]:
    """Every lab that has an instructor version, in order."""
    folder = files.LABS / "student"
    return [
        Lab(path, folder / path.name)
        for path in sorted((files.LABS / "instructor").glob("*.ipynb"))
    ]


def role(cell: nbformat.NotebookNode) -> str:
    """What a cell is for: "answer", "tests", "words", "read-only" or "" (nothing of nbgrader's)."""
    mark = cell.metadata.get("nbgrader")
    if not mark:
        return ""
    if mark.get("solution"):
        return "words" if mark.get("grade") else "answer"
    return "tests" if mark.get("grade") else "read-only"


def grade_id(cell: nbformat.NotebookNode) -> str:
    """The name by which nbgrader knows the cell, or ""."""
    return str(cell.metadata.get("nbgrader", {}).get("grade_id", ""))


def student_version(instructor: nbformat.NotebookNode, name: str = "") -> nbformat.NotebookNode:
    """The notebook that students get, without outputs; `name` is its path, for the links in it."""
    notebook = files.without_outputs(instructor)
    for cell in notebook.cells:
        if role(cell) == "answer":
            cell.source = _with_stubs(cell.source)
        elif role(cell) == "words":
            cell.source = TEXT_STUB
        elif role(cell) == "tests":
            cell.source = _replaced(HIDDEN_TESTS, cell.source).rstrip("\n")
    if name:
        files.insert_links(notebook, links_cell(name))
    return notebook


def _with_stubs(source: str) -> str:
    """The source with every solution replaced, at its own indentation."""
    return _replaced(SOLUTION, source, "\n".join(rf"\1{line}" for line in CODE_STUB) + r"\3")


def _replaced(kind: str, source: str, template: str = "") -> str:
    replaced = REGIONS[kind].sub(template, source)
    if f"### BEGIN {kind}" in replaced:
        raise files.NotebookError(
            f"### BEGIN {kind} is not followed by ### END {kind}, each on its own line:\n{source}"
        )
    return replaced


def without_markers(source: str) -> str:
    """An answer or tests as they run, with nothing that says where a solution begins."""
    return "".join(line for line in source.splitlines(True) if not MARKER.search(line))


def _inside(kind: str, source: str) -> str:
    return "".join(region[2] for region in REGIONS[kind].finditer(source))


def secrets_of(instructor: nbformat.NotebookNode) -> list[str]:
    """Every telling line of a solution, a model answer or a hidden test."""
    found: list[str] = []
    for cell in instructor.cells:
        if role(cell) == "answer":
            found.append(_inside(SOLUTION, cell.source))
        elif role(cell) == "words":
            found.append(cell.source)
        elif role(cell) == "tests":
            found.append(_inside(HIDDEN_TESTS, cell.source))
    stripped = (line.strip() for line in "\n".join(found).split("\n"))
    return [line for line in stripped if len(line) >= TELLING_LENGTH]


def leaks(instructor: nbformat.NotebookNode, student: nbformat.NotebookNode) -> list[str]:
    """What a student version gives away: secret lines, markers, outputs.

    It looks at the student version as it is, whoever made it, and for the instructor's lines rather
    than for what the generator should have done.  So a solution that an explanation repeats, line
    for line, is found as well.
    """
    found = []
    shown = {line.strip() for cell in student.cells for line in cell.source.split("\n")}
    for line in dict.fromkeys(secrets_of(instructor)):
        if line in shown:
            found.append(f"shows a line of a solution or a hidden test: {line!r}")
    for position, cell in enumerate(student.cells, start=1):
        if marker := MARKER.search(cell.source):
            found.append(f"cell {position} has a marker: {marker[0]!r}")
        if cell.cell_type == "code" and (cell.outputs or cell.execution_count is not None):
            found.append(f"cell {position} has been executed")
    return found


def mistakes(instructor: nbformat.NotebookNode) -> list[str]:
    """What is wrong with a lab's cells, in words; nbgrader would stumble over it, or a student."""
    found = []
    ids = [grade_id(cell) for cell in instructor.cells if role(cell)]
    for repeated in sorted({one for one in ids if ids.count(one) > 1}):
        found.append(f"two cells have the grade_id {repeated!r}")
    for cell in instructor.cells:
        name, kind = grade_id(cell), role(cell)
        if kind and not re.fullmatch(r"[a-zA-Z0-9_\-]+", name):
            found.append(f"grade_id {name!r}: letters, digits, - and _ only")
        if kind in ("tests", "words") and not points(cell) > 0:
            found.append(f"{name} has no points")
        if kind == "answer" and not _inside(SOLUTION, cell.source):
            found.append(f"{name} has no solution between ### BEGIN SOLUTION and ### END SOLUTION")
        if kind == "tests" and not _inside(HIDDEN_TESTS, cell.source):
            found.append(f"{name} has no hidden test")
        if kind not in ("answer", "tests") and MARKER.search(cell.source):
            found.append(f"a marker in a cell that is not an answer or a test: {name or 'unnamed'}")
    return found


def points(cell: nbformat.NotebookNode) -> float:
    """What a graded cell is worth."""
    return float(cell.metadata["nbgrader"].get("points", 0))


def exercise_titles(instructor: nbformat.NotebookNode) -> dict[str, str]:
    """For every graded cell, by grade_id, the heading that it stands under."""
    titles, heading = {}, ""
    for cell in instructor.cells:
        if cell.cell_type == "markdown" and role(cell) != "words":
            heading = (HEADING.findall(cell.source) or [heading])[-1]
        elif role(cell) in ("tests", "words"):
            titles[grade_id(cell)] = heading
    return titles


def minutes(instructor: nbformat.NotebookNode) -> float:
    """What a lab takes, as `MINUTES` has it: counted, and not measured on students."""
    found = 0.0
    for cell in instructor.cells:
        if cell.cell_type == "markdown" and role(cell) != "words":
            found += len(cell.source.split()) * MINUTES["word read"]
            found += sum(
                each * len(re.findall(rf"^## Exercise .*· {kind}\b", cell.source, re.MULTILINE))
                for kind, each in MINUTES.items()
            )
        elif role(cell) == "answer":
            found += len(_inside(SOLUTION, cell.source).splitlines()) * MINUTES["line written"]
        elif cell.cell_type == "code":
            found += MINUTES["cell read and run"]
    return found
