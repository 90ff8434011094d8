"""What a filled-in lab gets: its answers, put among the instructor's cells, and marks for them.

`tools.labs.worker` runs the notebook in between, apart from whoever grades.
"""

from __future__ import annotations

import copy
import dataclasses
import json
import re
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from mtsig_nb.errors import listed

from ..notebooks import files
from .elsewhere import Elsewhere, written_elsewhere
from .lab_files import (
    TEXT_STUB,
    Lab,
    error_of,
    exercise_titles,
    grade_id,
    handed_out,
    points,
    role,
    rubric,
)

#: What stands in the place of a solution, in whichever way it is written; not in a comment.
STUB = re.compile(r"^[^#\n]*\braise\s+NotImplementedError\b", re.MULTILINE)
#: A line that is a comment, of Python's.
COMMENT = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
#: Largest file that is read; a lab with its outputs has less than 1 MB.
MOST_BYTES = 20_000_000
#: Longest feedback, in characters.
FEEDBACK_LENGTH = 400


@dataclasses.dataclass(frozen=True)
class Mark:
    """What one graded cell got.

    Attributes
    ----------
    exercise : str
        The heading that it stands under.
    grade_id : str
    points : float, optional
        None while a person has to decide.
    possible : float
    feedback : str
    text, rubric : str
        An answer in words, which no test can judge, and what its points are given for.
    """

    exercise: str
    grade_id: str
    points: float | None
    possible: float
    feedback: str
    text: str = ""
    rubric: str = ""


@dataclasses.dataclass(frozen=True)
class Submission:
    """A filled-in lab that is ready to be run: a student's answers, the instructor's tests.

    `elsewhere` has what was written in words outside the cells for answers.
    """

    lab: Lab
    notebook: NotebookNode
    notes: list[str]
    elsewhere: list[Elsewhere]


def submission(path: Path, known: Sequence[Lab]) -> Submission:
    """Read a filled-in lab and put the instructor's cells back into it.

    Parameters
    ----------
    path : Path
        Its name does not matter: the cells say which lab it is.
    known : sequence of Lab

    Raises
    ------
    NotebookError
        If it is not a notebook, or none of its cells belongs to a lab.
    """
    filled_in = _read(path)
    lab = _lab_of(filled_in, known)
    notebook, notes = _merged(filled_in, files.read(lab.instructor))
    return Submission(lab, notebook, notes, written_elsewhere(filled_in, lab))


def _lab_of(filled_in: NotebookNode, known: Sequence[Lab]) -> Lab:
    """The lab that most of the cells belong to.

    Raises
    ------
    NotebookError
        If none of them belongs to any.
    """
    names = _named(filled_in)
    shared = {lab: len(names & _named(files.read(lab.instructor))) for lab in known}
    if not any(shared.values()):
        known_labs = ", ".join(lab.instructor.stem for lab in known) or "there are none"
        raise files.NotebookError(
            "none of its cells belongs to a lab. Was it filled in from a notebook in "
            f"notebooks/labs/student/, with cell metadata kept? Labs: {known_labs}."
        )
    return max(shared, key=shared.__getitem__)


def _named(notebook: NotebookNode) -> set[str]:
    """The grade_ids of a notebook's cells."""
    return {grade_id(cell) for cell in notebook.cells} - {""}


def _read(path: Path) -> NotebookNode:
    """The notebook in a file, without outputs; every cell says what it is for, or nothing."""
    content = _content_of(path)
    for cell in content.get("cells", []):
        if cell["cell_type"] == "code":  # its outputs are of no use here, whatever they are
            cell["outputs"] = []
            cell["execution_count"] = None
    notebook = _as_notebook(content)
    for position, cell in enumerate(notebook.cells, start=1):
        about = cell.metadata.get("nbgrader", {})
        if not isinstance(about, dict):
            raise files.NotebookError(
                f"cell {position} has lost its role: its metadata say "
                f"nbgrader: {json.dumps(about)[:40]}. Copy the answers into a "
                "fresh student version."
            )
    return notebook


def _content_of(path: Path) -> dict[str, Any]:
    """What a file says, as JSON has it, with all that every notebook has."""
    try:
        text = _text_of(path)
        content: Any = json.loads(text)
    except OSError as error:
        raise files.NotebookError(f"cannot be read: {error.strerror}.") from error
    except RecursionError:
        raise _no_notebook("it is nested too deeply") from None
    except UnicodeDecodeError as error:
        raise _no_notebook(f"byte {error.start} is not UTF-8") from error
    except json.JSONDecodeError as error:
        raise _no_notebook(_why_no_json(text, error)) from error
    if damage := _damage(content):
        raise _no_notebook(damage)
    return dict(content)


def _as_notebook(content: dict[str, Any]) -> NotebookNode:
    """The notebook, converted to the newest version and valid."""
    try:
        with warnings.catch_warnings():
            # Some editors leave out cell ids, or copy them with a cell; neither matters here.
            warnings.simplefilter("ignore")
            notebook = nbformat.reads(json.dumps(content), as_version=4)
            nbformat.validate(notebook)
            return notebook
    except Exception as error:  # whatever a file can make a parser do, it says of the file only
        reason = files.first_line(str(error)) or type(error).__name__
        if isinstance(error, RecursionError):
            reason = "it is nested too deeply"
        raise _no_notebook(reason[:120]) from error


@dataclasses.dataclass(frozen=True)
class _Found:
    """A cell of the file.

    Attributes
    ----------
    number : int
        Its place in the file, counted from 1.
    source : str
    below : str
        The grade_id of the lab's cell that it stands below, or "".
    """

    number: int
    source: str
    below: str


def _text_of(path: Path) -> str:
    """The content of a file, in whichever of Unicode's encodings JSON may have."""
    if path.is_symlink():  # to any file of whoever grades
        raise files.NotebookError("is a link. Hand in the .ipynb file itself.")
    if path.is_dir():
        raise files.NotebookError("is a folder. Name the .ipynb files in it.")
    if not path.exists():
        raise files.NotebookError("there is no such file.")
    if not path.is_file():
        raise files.NotebookError("is a device or a pipe. Hand in the .ipynb file itself.")
    if (size := path.stat().st_size) > MOST_BYTES:
        raise files.NotebookError(
            f"has {size / 1e6:.0f} MB; a filled-in lab may have {MOST_BYTES / 1e6:.0f}. "
            "Hand it in without outputs."
        )
    raw = path.read_bytes()
    return raw.decode(json.detect_encoding(raw))


def _no_notebook(reason: str) -> files.NotebookError:
    return files.NotebookError(
        f"is not a Jupyter notebook ({reason}). Hand in the .ipynb file itself."
    )


def _why_no_json(text: str, error: json.JSONDecodeError) -> str:
    """What a text is that is no JSON."""
    begins = text.lstrip()[:15].lower()
    if not begins:
        return "it is empty"
    if begins.startswith(("<!doctype html", "<html")):
        return "it is a web page"
    if begins.startswith("pk"):
        return "it is an archive, such as .zip or .docx"
    if re.search(r"^(<{7}|>{7}) ", text, re.MULTILINE):
        return "it contains the marks of an unfinished merge"
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated"):
        return f"it is cut off in line {error.lineno:,}"
    return f"line {error.lineno:,} is not JSON: {error.msg}"


def _damage(content: Any) -> str:
    """What a notebook, as JSON has it, lacks of what every notebook has; "" if nothing."""
    if not isinstance(content, dict):
        return "it is JSON, but not a notebook"
    version = content.get("nbformat")
    if not isinstance(version, int):
        return "it has no version (nbformat)"
    if version > 4:
        return f"it has notebook version {version}, and only versions up to 4 can be read"
    if version < 4:  # which nbformat converts
        return "" if "worksheets" in content else f"it has version {version}, but no worksheets"
    cells = content.get("cells")
    if not isinstance(cells, list):
        return "it has no list of cells"
    for number, cell in enumerate(cells, start=1):
        if not isinstance(cell, dict) or cell.get("cell_type") not in ("code", "markdown", "raw"):
            return f"cell {number} is neither code nor text"
        for name, kinds in (("source", str | list), ("metadata", dict)):
            if not isinstance(cell.get(name), kinds):
                return f"cell {number} has no {name}"
    return ""


def _merged(filled_in: NotebookNode, instructor: NotebookNode) -> tuple[NotebookNode, list[str]]:
    """The instructor's order and locked cells, the student's answers and added cells; and notes."""
    known = {grade_id(cell): cell for cell in instructor.cells if role(cell)}
    sources = handed_out(instructor)
    answers = [name for name, cell in known.items() if role(cell) == "answer"]
    stubs = {name: sources[name].strip() for name in answers}
    found, added, notes = _sorted_out(filled_in, known, stubs)
    taken: dict[str, str] = {}
    for name, copies in found.items():
        kind = role(known[name])
        run = copies[:1]
        if kind == "answer":
            run = _with_answer(copies, stubs[name]) or run
            taken[name] = run[0].source
            # The others run where they stand, as they did for the student.
            added += run[1:]
        elif kind == "words":
            taken[name] = _written(copies)
        elif any(copy_of.source.strip() != sources[name].strip() for copy_of in copies):
            notes.append(f"Was changed and has been restored: {name}.")
        if len(copies) > 1:
            notes.append(f"Occurs {len(copies)} times: {name}. {_became(name, copies, run, known)}")
    notes += _missing(known, found)
    return _put_together(known, taken, added), notes


def _missing(known: Mapping[str, NotebookNode], found: Collection[str]) -> Iterator[str]:
    """A note for each cell of the lab that the file does not have."""
    for name, cell in known.items():
        if name not in found:
            is_answer = role(cell) in ("answer", "words")
            yield (
                f"Was missing: {name}."
                if is_answer
                else f"Was missing and has been restored: {name}."
            )


def _put_together(
    known: Mapping[str, NotebookNode], taken: Mapping[str, str], added: list[_Found]
) -> NotebookNode:
    """The lab's cells with the answers that were taken, each followed by what was added below."""
    below: dict[str, list[NotebookNode]] = {}
    for addition in sorted(added, key=lambda addition: addition.number):
        below.setdefault(addition.below, []).append(new_code_cell(addition.source))
    cells = below.get("", [])
    for name, original in known.items():
        cell = copy.deepcopy(original)
        if role(original) in ("answer", "words"):
            cell.source = taken.get(name, "")
        cells.append(cell)
        cells += below.get(name, [])
    for number, cell in enumerate(cells):
        cell.id = f"cell-{number}"
        cell.metadata.pop("tags", None)  # such as one that hides errors
    notebook = new_notebook(cells=cells, metadata=files.METADATA)
    return files.without_outputs(notebook)


def _sorted_out(
    filled_in: NotebookNode, known: Mapping[str, NotebookNode], stubs: Mapping[str, str]
) -> tuple[dict[str, list[_Found]], list[_Found], list[str]]:
    """The file's cells by grade_id, each with its copies; those that were added; and notes."""
    found: dict[str, list[_Found]] = {}
    added: list[_Found] = []
    notes: list[str] = []
    foreign: list[str] = []
    last = ""
    for number, cell in enumerate(filled_in.cells, start=1):
        name = grade_id(cell)
        if name in known:
            if name not in found:
                last = name
            found.setdefault(name, []).append(_Found(number, cell.source, last))
        elif cell.cell_type == "code":  # of a cell that somebody added, only its code is of use
            copied = [answer for answer, stub in stubs.items() if cell.source.strip() == stub]
            if copied:
                notes.append(f"Cell {number} is a copy of a stub and was not run: {copied[0]}.")
                continue
            added.append(_Found(number, cell.source, last))
            foreign += [name] if name else []
    if foreign:
        notes.append(f"Not cells of this lab, so they were run as added ones: {listed(foreign)}.")
    return found, added, notes


def _with_answer(copies: Sequence[_Found], stub: str) -> list[_Found]:
    """Those of an answer's copies that were filled in."""
    begun = []
    for found in copies:
        changed = found.source.strip() != stub
        has_code = COMMENT.sub("", found.source).strip()
        if changed and has_code:
            begun.append(found)
    without_stub = [found for found in begun if not STUB.search(found.source)]
    return without_stub or begun


def _written(copies: Sequence[_Found]) -> str:
    """What was written into the copies of an answer in words, one below the other."""
    texts = dict.fromkeys(found.source.strip() for found in copies)
    return "\n\n".join(text for text in texts if not _is_unanswered(text))


def _is_unanswered(text: str) -> bool:
    """Whether an answer in words is what was handed out, or nothing."""
    return not text.replace(TEXT_STUB, "").strip()


def _became(
    name: str, copies: Sequence[_Found], run: Sequence[_Found], known: Mapping[str, NotebookNode]
) -> str:
    """What became of each copy of a cell, in a sentence.

    Of an answer's copies that are `run`, the first has the answer's place.
    """
    kind = role(known[name])
    if kind == "words":
        return "All of the text is shown."
    if kind != "answer":
        return "It was restored to the version handed out and run once."
    order = {other: place for place, other in enumerate(known)}
    places = {found.number: (order.get(found.below, -1), found.number) for found in run[1:]}
    places[run[0].number] = (order[name], 0)
    in_turn = sorted(places, key=places.__getitem__)
    first_test = _first_test_after(name, known)
    above = [number for number in in_turn if places[number][0] < first_test]
    afterwards = in_turn[len(above) :]
    not_run = [found.number for found in copies if found.number not in places]
    parts = [f"Cell {above[-1]} of the file counted"]
    for became, numbers in (
        ("run before it", above[:-1]),
        ("run after the tests", afterwards),
        ("not filled in and not run", not_run),
    ):
        if numbers:
            parts.append(f"{became}: {', '.join(map(str, numbers))}")
    return "; ".join(parts) + "."


def _first_test_after(name: str, known: Mapping[str, NotebookNode]) -> int:
    """The place in the lab of the first test after a cell, or behind the last cell."""
    names = list(known)
    for place in range(names.index(name) + 1, len(names)):
        if role(known[names[place]]) == "tests":
            return place
    return len(names)


def marks(handed_in: Submission, troubles: Mapping[str, str]) -> Iterator[Mark]:
    """The marks of a lab, in its order; `troubles` has what was wrong with each test, or ""."""
    instructor = files.read(handed_in.lab.instructor)
    titles = exercise_titles(instructor)
    rubrics = {grade_id(cell): rubric(cell) for cell in instructor.cells}
    answers: list[NotebookNode] = []
    for cell in handed_in.notebook.cells:
        name = grade_id(cell)
        kind = role(cell)
        if kind == "answer":
            answers.append(cell)
        elif kind == "words":
            yield _mark_of_words(cell, titles[name], rubrics[name], handed_in.elsewhere)
        elif kind == "tests":
            why_not = _why_not_answered(answers)
            got, feedback = _judged(points(cell), troubles[name], why_not)
            yield Mark(titles[name], name, got, points(cell), feedback)
            answers = []


def _mark_of_words(
    cell: NotebookNode, title: str, rubric_of_cell: str, elsewhere: Sequence[Elsewhere]
) -> Mark:
    """The mark of an answer in words: none yet, or no points where nothing was written.

    If nothing is in its own cell, any other text may be the answer.
    """
    name = grade_id(cell)
    if not _is_unanswered(cell.source):
        feedback = "to be marked by hand, see below"
        texts = [cell.source.strip()]
        texts += [str(other) for other in elsewhere if other.exercise == title]
    elif elsewhere:
        feedback = "nothing in its own cell, but text in others: to be marked by hand, see below"
        texts = [str(other) for other in elsewhere]
    else:
        return Mark(title, name, 0.0, points(cell), "not answered")
    text = "\n\n".join(texts)
    return Mark(title, name, None, points(cell), feedback, text, rubric_of_cell)


def _why_not_answered(answers: Sequence[NotebookNode]) -> str:
    """Which cell is empty or missing, or still has its stub, or ""."""
    for cell in answers:
        if not cell.source.strip():
            return f"the cell {grade_id(cell)} is empty or missing"
    for cell in answers:
        if STUB.search(cell.source):
            return f"the cell {grade_id(cell)} still has its stub"
    return ""


def _judged(possible: float, trouble: str, why_not: str) -> tuple[float | None, str]:
    """Points and feedback of a test that ran."""
    if trouble:
        return 0.0, f"not answered: {why_not}" if why_not else trouble
    if why_not:
        return None, f"all tests pass, although {why_not}: look in the file for the reason"
    return possible, "all tests pass"


def troubles(executed: NotebookNode, stopped: Mapping[int, str]) -> dict[str, str]:
    """What was wrong with each test, by grade_id; `stopped` has the cells that were taken out."""
    found: dict[str, str] = {}
    trouble_of_answer = ""
    for position, cell in enumerate(executed.cells):
        is_stopped = position in stopped
        wrong = stopped.get(position) or error_of(cell)[:FEEDBACK_LENGTH]
        if role(cell) == "tests":
            passed = cell.metadata.get("passed")
            trouble = trouble_of_answer or wrong or "the test did not finish"
            found[grade_id(cell)] = "" if passed else trouble
            trouble_of_answer = ""
        # An error in a scratch cell need not be the reason; the test says what is.
        elif wrong and not trouble_of_answer and (is_stopped or role(cell) == "answer"):
            trouble_of_answer = f"your cell stopped: {wrong}"
    return found
