"""Labs: which of their cells are what, how a student version is made, and whether it leaks.

Cells carry nbgrader's metadata and markers, and nbgrader's library says what they are and makes the
student versions.  What nbgrader calls them, and what students see:

==============  =====  ========  ======  =====================================================
role            grade  solution  locked  in the student version
==============  =====  ========  ======  =====================================================
answer          no     yes       no      each solution replaced by a stub; not to be deleted
tests           yes    no        yes     hidden tests removed; folded; not to be edited
words           yes    yes       no      the whole cell replaced by `TEXT_STUB`; marked by hand
read-only       no     no        yes     as it is; not to be edited
(none)                                   as it is
==============  =====  ========  ======  =====================================================

Its autograder is not used.  Version 0.9.6, tried on what ``tests/tools/labs/test_labs.py`` has,
takes the points of a right answer for a warning, and all points for a kernel that ends or metadata
that were changed; it puts no setup back, limits no memory, and leaves running what was started.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.nbgraderformat.common import SchemaMismatchError, ValidationError
from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions, LockCells
from nbgrader.utils import is_grade, is_locked, is_solution

from ..notebooks import files
from ..notebooks.prose import WORDS_A_MINUTE, n_words

CODE_STUB = ClearSolutions().code_stub["python"]
TEXT_STUB = ClearSolutions().text_stub
#: What stands between two markers.  The check for leaks looks for itself, not with nbgrader's eyes.
REGION = re.compile(
    r"^[ \t]*### BEGIN (SOLUTION|HIDDEN TESTS)[ \t]*\n(.*?)^[ \t]*### END \1", re.M | re.S
)
MARKER = re.compile(r"###\s*(BEGIN|END)\s+(SOLUTION|HIDDEN TESTS)")
#: At the end of a model answer in words: what each point is given for.
RUBRIC = "**Rubric.**"
POINTS_OF_RUBRIC = re.compile(r"(?:^|\s)([0-9.]+)(?= points?:)")
#: What a lab says of itself below its title.
ABOUT = re.compile(r"About (\d+ minutes, \d+ points)")
EXERCISE = re.compile(r"^## Exercise .+$", re.MULTILINE)
HEADING = re.compile(r"^#{1,3}\s+(.+?)\s*$", re.MULTILINE)
#: A line of a solution shorter than this may well stand elsewhere too: ``return p``, ``else:``.
TELLING_LENGTH = 12
#: The rule of docs/lecturers.md for labs: to run a cell, to understand and debug an exercise in
#: code, to write a line of the shortest solution, to answer in words.  Counted, not measured.
MINUTES_A_CELL = 0.5
MINUTES_AN_ANSWER = 4
MINUTES_A_LINE = 2.5
MINUTES_IN_WORDS = 10


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


def role(cell: NotebookNode) -> str:
    """What a cell is for: "answer", "tests", "words", "read-only" or "" (nothing of nbgrader's)."""
    if is_solution(cell):
        return "words" if is_grade(cell) else "answer"
    if is_grade(cell):
        return "tests"
    return "read-only" if is_locked(cell) else ""


def grade_id(cell: NotebookNode) -> str:
    """The name by which nbgrader knows the cell, or ""."""
    return str(cell.metadata.get("nbgrader", {}).get("grade_id", ""))


def student_version(instructor: NotebookNode, name: str = "") -> NotebookNode:
    """The notebook that students get, without outputs; `name` is its path, for the links in it."""
    notebook = files.without_outputs(instructor)
    for preprocessor in (ClearSolutions(), ClearHiddenTests(), LockCells()):
        for cell in notebook.cells:
            try:
                preprocessor.preprocess_cell(cell, {"language": "python"}, 0)
            except RuntimeError as error:
                raise files.NotebookError(f"{error}\n{cell.source}") from error
    for cell in notebook.cells:
        if role(cell) == "tests":  # hints are for who has tried
            cell.metadata["jupyter"] = {"source_hidden": True}
    if name:
        for place, until in clock(instructor).items():
            cell = notebook.cells[place]
            cell.source = EXERCISE.sub(rf"\g<0>\n\n*Until minute {until}.*", cell.source)
        files.insert_links(notebook, name)
    return notebook


def without_markers(source: str) -> str:
    """An answer or tests as they run, with nothing that says where a solution begins."""
    return "".join(line for line in source.splitlines(True) if not MARKER.search(line))


def handed_out(instructor: NotebookNode) -> dict[str, str]:
    """What the student version has in each cell, by grade_id."""
    return {grade_id(cell): cell.source for cell in student_version(instructor).cells}


def inside(source: str) -> str:
    """What stands between markers: solutions or hidden tests."""
    return "".join(region[2] for region in REGION.finditer(source))


def secrets_of(instructor: NotebookNode) -> list[str]:
    """Every telling line of a solution, a model answer or a hidden test."""
    texts = [
        cell.source if role(cell) == "words" else inside(cell.source) for cell in instructor.cells
    ]
    lines = "\n".join(texts).split("\n")
    stripped = [line.strip() for line in lines]
    return [line for line in stripped if len(line) >= TELLING_LENGTH]


def leaks(instructor: NotebookNode, student: NotebookNode) -> list[str]:
    """What a student version gives away: secret lines, markers, outputs.

    It looks at the student version as it is, whoever made it, and for the instructor's lines rather
    than for what the generator should have done.  So a solution that an explanation repeats, line
    for line, is found as well.
    """
    found = []
    lines = "\n".join(cell.source for cell in student.cells).split("\n")
    shown = {line.strip() for line in lines}
    for secret in dict.fromkeys(secrets_of(instructor)):
        if secret in shown:
            found.append(f"shows a line of a solution or a hidden test: {secret!r}")
    for position, cell in enumerate(student.cells, start=1):
        if marker := MARKER.search(cell.source):
            found.append(f"cell {position} has a marker: {marker[0]!r}")
        if cell.cell_type == "code" and (cell.outputs or cell.execution_count is not None):
            found.append(f"cell {position} has been executed")
    return found


def mistakes(instructor: NotebookNode) -> list[str]:
    """What is wrong with a lab's cells, in words; nbgrader would stumble over it, or a student."""
    try:
        MetadataValidator().validate_nb(instructor)
        student_version(instructor)
    except (ValidationError, SchemaMismatchError, files.NotebookError) as error:
        return [files.first_line(str(error))]
    return list(itertools.chain(*map(_mistakes_in, instructor.cells)))


def _mistakes_in(cell: NotebookNode) -> Iterator[str]:
    """What is wrong with points, markers and rubric of one cell."""
    name = grade_id(cell)
    kind = role(cell)
    if kind in ("tests", "words") and not points(cell) > 0:
        yield f"{name} has no points"
    if kind in ("answer", "tests") and not inside(cell.source):
        yield f"{name} has nothing between ### BEGIN and ### END"
    in_rubric = [float(number) for number in POINTS_OF_RUBRIC.findall(rubric(cell))]
    if in_rubric and sum(in_rubric) != points(cell):
        yield f"{name} has {points(cell):g} points, and {sum(in_rubric):g} in its rubric"


def rubric(cell: NotebookNode) -> str:
    """What the points for an answer in words are given for, if its model answer says so."""
    _, _, rubric_of_answer = cell.source.partition(RUBRIC)
    text = " ".join(rubric_of_answer.split())
    return POINTS_OF_RUBRIC.sub(r"\n\1", text).strip()


def points(cell: NotebookNode) -> float:
    """What a graded cell is worth."""
    return float(cell.metadata["nbgrader"].get("points", 0))


def error_of(cell: NotebookNode) -> str:
    """The error a cell ended with, on one line, or ""; an assertion's message speaks for itself."""
    for output in cell.get("outputs", []):
        if output.output_type == "error":
            message = " ".join(output.evalue.split())
            if output.ename == "AssertionError" and message:
                return message
            return ": ".join(filter(None, [output.ename, message]))
    return ""


def minutes(instructor: NotebookNode) -> int:
    """How long a lab takes by the rule of docs/lecturers.md, to the next five minutes."""
    return 5 * round(sum(_minutes(instructor)) / 5)


def _minutes(instructor: NotebookNode) -> Iterator[float]:
    """What the rule has for each cell, of which students get what is `shown`."""
    for cell, shown in zip(instructor.cells, student_version(instructor).cells, strict=True):
        kind = role(cell)
        if cell.cell_type == "code":
            needed = MINUTES_A_CELL
            if kind == "answer":
                lines = re.findall(r"^[ \t]*[^\s#]", inside(cell.source), re.MULTILINE)
                needed += MINUTES_AN_ANSWER + len(lines) * MINUTES_A_LINE
            yield needed
        elif kind == "words":
            yield MINUTES_IN_WORDS
        else:
            yield n_words(shown.source) / WORDS_A_MINUTE


def clock(instructor: NotebookNode) -> dict[int, int]:
    """Until which minute each exercise should be done, by the place of the cell that begins it."""
    found: dict[int, int] = {}
    spent = 0.0
    begun = None
    for place, needed in enumerate(_minutes(instructor)):
        cell = instructor.cells[place]
        spent += needed
        if cell.cell_type == "markdown" and EXERCISE.search(cell.source):
            begun = place
        if begun is not None:
            found[begun] = 5 * round(spent / 5)
    return found


def exercise_titles(instructor: NotebookNode) -> dict[str, str]:
    """For every graded cell, by grade_id, the heading that it stands under."""
    titles = {}
    heading = ""
    for cell in instructor.cells:
        kind = role(cell)
        if cell.cell_type == "markdown" and kind != "words":
            headings = HEADING.findall(cell.source)
            heading = headings[-1] if headings else heading
        elif kind in ("tests", "words"):
            titles[grade_id(cell)] = heading
    return titles
