"""A filled-in lab: its answers, beside the tests of the instructor version."""

from __future__ import annotations

import copy
import dataclasses
import json
import re
import warnings
from collections.abc import Iterable
from pathlib import Path

import nbformat

from . import notebook_files as files
from .lab_files import (
    TEXT_STUB,
    Lab,
    exercise_titles,
    grade_id,
    points,
    role,
    rubric,
    student_version,
)

#: What stands in the place of a solution, in whichever way it is written; not in a comment.
STUB = re.compile(r"^[^#\n]*\braise\s+NotImplementedError\b", re.MULTILINE)
#: Largest file that is read; a lab with its outputs has less than 1 MB.
MOST_BYTES = 20_000_000


@dataclasses.dataclass(frozen=True)
class Exercise:
    """What one graded cell asks for.

    Attributes
    ----------
    title : str
        The heading that it stands under.
    grade_id : str
    possible : float
        Points.
    by_hand : bool
        Free text, which no test can judge.
    answered : bool
        Whether there is anything in the place of the stub.
    why_not : str
        If there is not: which cell is empty or missing, or still has its stub.
    text : str
        The answer, if it is free text.
    rubric : str
        What its points are given for.
    """

    title: str
    grade_id: str
    possible: float
    by_hand: bool
    answered: bool
    why_not: str = ""
    text: str = ""
    rubric: str = ""


@dataclasses.dataclass(frozen=True)
class Submission:
    """A filled-in lab that is ready to be run: a student's answers, the instructor's tests."""

    lab: Lab
    notebook: nbformat.NotebookNode
    exercises: tuple[Exercise, ...]
    notes: tuple[str, ...]

    @property
    def tests(self) -> list[str]:
        """The grade_ids of the cells whose running to their end earns points."""
        return [item.grade_id for item in self.exercises if not item.by_hand]


def submission(path: Path, known: Iterable[Lab]) -> Submission:
    """Read a filled-in lab and put the instructor's cells back into it.

    Parameters
    ----------
    path : Path
        Its name does not matter: the cells say which lab it is.
    known : iterable of Lab

    Raises
    ------
    NotebookError
        If it is not a notebook, or none of its cells belongs to a lab.
    """
    filled_in = _read(path)
    names = {grade_id(cell) for cell in filled_in.cells} - {""}
    shared = {lab: len(names & _ids(lab)) for lab in known}
    lab = max(shared, key=lambda one: shared[one], default=None)
    if lab is None or not shared[lab]:
        known_labs = ", ".join(one.instructor.stem for one in shared) or "there are none"
        raise files.NotebookError(
            f"{path}: none of its cells belongs to a lab. Was it filled in from a notebook in "
            f"notebooks/labs/student/, with cell metadata kept? Labs: {known_labs}."
        )
    instructor = files.read(lab.instructor)
    notebook, notes = _merged(filled_in, instructor)
    return Submission(lab, notebook, tuple(_exercises(notebook, instructor)), tuple(notes))


def _read(path: Path) -> nbformat.NotebookNode:
    if path.is_symlink():  # to any file of whoever grades
        raise files.NotebookError(f"{path}: is a link. Hand in the .ipynb file itself.")
    if not path.is_file():
        raise files.NotebookError(f"{path}: there is no such file.")
    if (size := path.stat().st_size) > MOST_BYTES:
        raise files.NotebookError(
            f"{path}: has {size / 1e6:.0f} MB; a filled-in lab may have {MOST_BYTES / 1e6:.0f}. "
            "Hand it in without outputs."
        )
    try:
        with warnings.catch_warnings():
            # Some editors leave out cell ids, or copy them with a cell; neither matters here.
            warnings.simplefilter("ignore")
            notebook = files.read(path)
            nbformat.validate(notebook)
    except Exception as error:  # whatever a file can make a parser do, it says of the file only
        reason = files.first_line(str(error)) or type(error).__name__
        if isinstance(error, RecursionError):
            reason = "it is nested too deeply"
        raise files.NotebookError(
            f"{path}: is not a Jupyter notebook ({reason[:120]}). Hand in the .ipynb file itself."
        ) from error
    for position, cell in enumerate(notebook.cells, start=1):
        if not isinstance(cell.metadata.get("nbgrader", {}), dict):
            raise files.NotebookError(
                f"{path}: cell {position} has lost what it is for: its metadata say "
                f"nbgrader: {json.dumps(cell.metadata['nbgrader'])[:40]}. Copy the answers into a "
                "fresh student version."
            )
    return notebook


def _ids(lab: Lab) -> set[str]:
    return {grade_id(cell) for cell in files.read(lab.instructor).cells} - {""}


def _merged(
    filled_in: nbformat.NotebookNode, instructor: nbformat.NotebookNode
) -> tuple[nbformat.NotebookNode, list[str]]:
    """The instructor's order and locked cells, the student's answers and added cells; and notes."""
    known = {grade_id(cell): cell for cell in instructor.cells if role(cell)}
    handed_out = {grade_id(cell): cell.source for cell in student_version(instructor).cells}
    answers, added, copies = _sorted_out(filled_in, known)
    notes = [f"Stands twice; the first was taken for the answer: {name}." for name in copies]
    cells = added.pop("", [])
    for name, original in known.items():
        cell = copy.deepcopy(original)
        taken = role(original) in ("answer", "words")
        if name not in answers:
            notes.append(f"Was missing{'' if taken else ', and was put back'}: {name}.")
        elif not taken and answers[name].strip() != handed_out[name].strip():
            notes.append(f"Had been changed, and was put back: {name}.")
        if taken:
            cell.source = answers.get(name, "")
        cells += [cell, *added.get(name, [])]
    merged = files.without_outputs(nbformat.v4.new_notebook(cells=cells))
    for number, cell in enumerate(merged.cells):
        cell.id = f"cell-{number}"
        cell.metadata.pop("tags", None)  # such as one that hides errors
    merged.metadata = nbformat.from_dict(files.METADATA)
    return merged, notes


def _sorted_out(
    filled_in: nbformat.NotebookNode, known: dict[str, nbformat.NotebookNode]
) -> tuple[dict[str, str], dict[str, list[nbformat.NotebookNode]], list[str]]:
    """Sources by grade_id; cells that the student added, by the cell they follow; copied cells."""
    sources: dict[str, str] = {}
    added: dict[str, list[nbformat.NotebookNode]] = {}
    copies: list[str] = []
    last = ""
    for cell in filled_in.cells:
        name = grade_id(cell)
        if name in known and name not in sources:
            sources[name] = cell.source
            last = name
        elif name not in known or role(known[name]) == "answer":
            copies += [name] if name in known else []
            # Of a cell that somebody added, only its code is of use.
            if cell.cell_type == "code":
                added.setdefault(last, []).append(nbformat.v4.new_code_cell(cell.source))
    return sources, added, copies


def _exercises(
    merged: nbformat.NotebookNode, instructor: nbformat.NotebookNode
) -> Iterable[Exercise]:
    titles = exercise_titles(instructor)
    rubrics = {grade_id(cell): rubric(cell) for cell in instructor.cells}
    answers: list[nbformat.NotebookNode] = []
    for cell in merged.cells:
        name, kind = grade_id(cell), role(cell)
        if kind == "answer":
            answers.append(cell)
        elif kind == "words":
            text = cell.source.strip()
            answered = bool(text.replace(TEXT_STUB, "").strip())
            yield Exercise(
                titles[name], name, points(cell), True, answered, text=text, rubric=rubrics[name]
            )
        elif kind == "tests":
            gone = [grade_id(one) for one in answers if not one.source.strip()]
            stubs = [grade_id(one) for one in answers if STUB.search(one.source)]
            why_not = ""
            if gone:
                why_not = f"the cell {gone[0]} is empty or missing"
            elif stubs:
                why_not = f"the cell {stubs[0]} still has its stub"
            yield Exercise(titles[name], name, points(cell), False, not why_not, why_not)
            answers = []
