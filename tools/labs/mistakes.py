"""``python -m tools.labs.mistakes [LAB]``: whether each planted mistake gets its own hint.

``notebooks/labs/mistakes/<lab>.toml`` has what students get wrong in a lab:

    [[mistake]]
    answer = "lab05-mended-answer"   # the grade_id of the answer that has it
    name = "the absolute value is taken before the mean is subtracted"
    replace = "np.mean(differences)" # in the lab's solution, once; or `write`: the whole cell
    by = "np.mean(np.abs(differences))"
    hint = "no tail has come back"   # some words of the message that it gets, and no other does

All wrong submissions of a lab share one kernel, and so does the empty one: what an answer has
defined is forgotten before the next is tried.
"""

from __future__ import annotations

import dataclasses
import symtable
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell

from ..notebooks import files
from .lab_files import error_of, grade_id, handed_out, role, without_markers

FOLDER = files.LABS / "mistakes"
#: Who hands in: the solution, the empty lab, or one with a planted mistake.
SOLVED = "the solution"
EMPTY = "nothing written"


@dataclasses.dataclass(frozen=True)
class Mistake:
    """What is wrong with one answer, and what is said to it."""

    answer: str
    name: str
    hint: str
    replace: str = ""
    by: str = ""
    write: str = ""

    def source(self, solution: str) -> str:
        """The cell with the mistake in it."""
        if self.write:
            return self.write
        if solution.count(self.replace) != 1:
            raise files.NotebookError(
                f"{self.answer}: {self.replace!r} has to stand once in the solution, and stands "
                f"{solution.count(self.replace)} times."
            )
        return solution.replace(self.replace, self.by)


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The message of tests, or of another cell, to what was handed in; "" if all was well."""

    tests: str
    handed_in: str
    message: str
    hint: str = ""


def sources() -> list[Path]:
    """The sources of all labs, in order."""
    return sorted((files.LABS / "source").glob("lab_*.py"))


def read(lab: Path) -> list[Mistake]:
    """The mistakes that are planted in a lab."""
    path = FOLDER / f"{lab.stem}.toml"
    if not path.exists():
        return []
    written = tomllib.loads(path.read_text(encoding="utf-8"))
    return [Mistake(**entry) for entry in written.get("mistake", [])]


def outcomes(lab: Path) -> list[Outcome]:
    """What the lab's tests say to its solution, to nothing, and to every planted mistake."""
    instructor = files.from_source(lab)
    planted = read(lab)
    stubs = handed_out(instructor)
    tried: list[tuple[int, Outcome]] = []
    cells: list[nbformat.NotebookNode] = []
    answer = instructor.cells[0]
    for cell in instructor.cells:
        if role(cell) == "answer":
            answer = cell
        elif role(cell) == "tests":
            solution = without_markers(answer.source)
            forgetting = f"for _ in {_names(solution)}:\n    globals().pop(_, 0)"
            in_answer = [mistake for mistake in planted if mistake.answer == grade_id(answer)]
            planted = [mistake for mistake in planted if mistake not in in_answer]
            stub = stubs[grade_id(answer)]
            for outcome, source in _tries(grade_id(cell), solution, stub, in_answer):
                cells += map(new_code_cell, (forgetting, source, cell.source))
                tried.append((len(cells), outcome))
        elif cell.cell_type == "code":
            cells.append(new_code_cell(cell.source))
            tried.append((len(cells), Outcome(grade_id(cell) or "a cell", SOLVED, "")))
    if planted:
        unknown = ", ".join(sorted({mistake.answer for mistake in planted}))
        raise files.NotebookError(f"{lab.stem}: mistakes in unknown answers: {unknown}.")
    _execute(cells)
    return [
        dataclasses.replace(outcome, message=error_of(cells[end - 1])) for end, outcome in tried
    ]


def _tries(
    tests: str, solution: str, stub: str, planted: list[Mistake]
) -> Iterator[tuple[Outcome, str]]:
    """All that is handed in to the tests of this name: what it is, and its source.

    The solution comes last, because what follows builds on it.
    """
    for mistake in planted:
        yield Outcome(tests, mistake.name, "", mistake.hint), mistake.source(solution)
    yield Outcome(tests, EMPTY, ""), stub
    yield Outcome(tests, SOLVED, ""), solution


def _execute(cells: list[nbformat.NotebookNode]) -> None:
    """Run cells one after the other, in place, those after an error too."""
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=files.METADATA)
    client = NotebookClient(notebook, timeout=120, kernel_name="python3", allow_errors=True)
    files.again_if_no_kernel(client.execute)


def _names(source: str) -> list[str]:
    """What the cell defines at its top level."""
    symbols = symtable.symtable(source, "solution", "exec").get_symbols()
    return [symbol.get_name() for symbol in symbols if symbol.is_assigned()]


def complaints(lab: Path, found: list[Outcome]) -> Iterator[str]:
    """What is not as it should be, in words."""
    for outcome in found:
        about = f"{lab.stem}, {outcome.tests}, {outcome.handed_in}"
        others = [
            other.handed_in
            for other in found
            if other != outcome and other.tests == outcome.tests and outcome.hint in other.message
        ]
        if outcome.handed_in == SOLVED:
            if outcome.message:
                yield f"{about}: does not pass: {outcome.message}"
        elif not outcome.message:
            yield f"{about}: passes"
        elif outcome.hint not in outcome.message:
            yield f"{about}: is told {outcome.message!r}, which does not contain {outcome.hint!r}"
        elif outcome.hint and others:
            yield f"{about}: is told the same as {', '.join(others)}: {outcome.message!r}"


def main(arguments: list[str]) -> int:
    """Try the labs whose names contain what is asked for; the exit status is 1 if one fails."""
    status = 0
    chosen = [lab for lab in sources() if all(part in lab.stem for part in arguments)]
    for lab in chosen:
        found = outcomes(lab)
        for outcome in found:
            print(f"{outcome.tests}: {outcome.handed_in}\n    {outcome.message or 'passes'}")
        for complaint in complaints(lab, found):
            print(complaint, file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
