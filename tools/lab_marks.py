"""What a filled-in lab gets: it is run, in this process or, for files of strangers, from another.

Which tests reach their end is found out by `tools.lab_worker`, and what stopped the others.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import json
import multiprocessing
import os
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Collection, Iterable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import nbformat
import psutil  # type: ignore[import-untyped]

from . import notebook_files as files
from .lab_files import (
    TEXT_STUB,
    Lab,
    error_of,
    exercise_titles,
    grade_id,
    points,
    role,
    rubric,
    student_version,
)
from .lab_worker import end_all, end_descendants

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


#: Seconds for reading a file, and for ending what it has started, beside those it may run.
PATIENCE_S = 60
#: A cell that hangs or kills the kernel is taken out, and the lab run again: at most so often.
MOST_RUNS = 6
#: Longest feedback, in characters.
FEEDBACK_LENGTH = 400
#: How often time and memory are looked at, in seconds.
LOOKING_EVERY = 0.2
#: What libraries reserve without using it, in MB.
RESERVED_MB = 2000
#: In the environment of all that a submission starts, so that it can be found again.
MARK = "MTSIG_GRADING"
#: As ``python -m tools.lab_worker``, but five times as soon: jsonschema, which nbformat loads,
#: compiles a grammar of web addresses if it finds this package, and checks none without it.
WORKER = "import sys; sys.modules['rfc3987_syntax'] = None; import tools.lab_worker as w; w.main()"


@dataclasses.dataclass(frozen=True)
class Limits:
    """What running a submission may take.

    Attributes
    ----------
    timeout : int
        Seconds for one cell.
    total : int
        Seconds for everything, repeated runs included.
    memory : int
        MB for all that runs at a time.
    """

    timeout: int = 60
    total: int = 600
    memory: int = 2000


class _GaveUp(Exception):
    """Nothing more is found out by running the submission; the message says why."""


def run(
    notebook: nbformat.NotebookNode, tests: Collection[str], *, mark: str = "", **limits: int
) -> dict[str, str]:
    """Run a lab within some `Limits`; by grade_id, what was wrong with each test, "" if it passed.

    A cell that takes too much time or memory, or ends the kernel, fails; everything else is then
    run once more without it, so that one endless loop does not cost the points of the other
    exercises.  Nothing that the lab has started is left when this returns; `mark` stands in the
    environment of all that, so that `end_marked` finds it if this does not return.

    Raises
    ------
    NotebookError
        If it cannot be run, for reasons that are not in its code.
    """
    stopped: dict[int, str] = {}
    mark = mark or secrets.token_hex(16)
    bounds = Limits(**limits)
    deadline = time.monotonic() + bounds.total
    try:
        for _ in range(MOST_RUNS):
            executed = copy.deepcopy(notebook)
            for position in stopped:
                executed.cells[position].source = ""
            stop, passed = _execute(executed, tests, bounds, deadline, mark)
            if stop is None:
                return _outcomes(executed, tests, stopped, passed)
            position, reason = stop
            stopped[position] = reason
        raise _GaveUp("too many cells hang or end the kernel")
    except _GaveUp as reason:
        return dict.fromkeys(tests, f"gave up: {reason}")


def _execute(
    notebook: nbformat.NotebookNode,
    tests: Collection[str],
    limits: Limits,
    deadline: float,
    mark: str,
) -> tuple[tuple[int, str] | None, Collection[int]]:
    """Run all cells in place.

    If one hangs or ends the kernel, its position and what it did; and where tests passed.
    """
    # Where a process that was killed still writes on its way out, a folder is not empty again.
    with tempfile.TemporaryDirectory(prefix="lab-", ignore_cleanup_errors=True) as folder:
        work, own = Path(folder, "work"), Path(folder, "own")
        work.mkdir()
        own.mkdir()
        order = {
            "notebook": notebook,
            "tests": [i for i, c in enumerate(notebook.cells) if grade_id(c) in tests and c.source],
            "folder": str(work),
            "timeout": limits.timeout,
            "most_data": (limits.memory + RESERVED_MB) * 10**6,
        }
        answer, too_large = _carried_out(order, work, own, limits, deadline, mark)
    for cell, outputs in zip(notebook.cells, answer["outputs"], strict=True):
        if cell.cell_type == "code":
            cell.outputs = [nbformat.from_dict(output) for output in outputs]
    if answer["stopped"] is None:
        return None, answer["passed"]
    position, what = answer["stopped"]
    if what == "hung":
        reason = f"took longer than {limits.timeout} s; does a loop never end?"
    elif too_large:
        reason = f"took more than {limits.memory} MB of memory"
    else:
        reason = "ended the kernel: out of memory, or a call such as exit()?"
    return (position, reason), ()


def _carried_out(
    order: dict[str, Any], work: Path, own: Path, limits: Limits, deadline: float, mark: str
) -> tuple[dict[str, Any], bool]:
    """The worker's answer, and whether its kernel had to be ended for its memory."""
    order["environment"] = _bare_environment(work, mark)
    with psutil.Popen(
        [sys.executable, "-c", WORKER],
        cwd=files.ROOT,
        env=_bare_environment(own, mark),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as worker:
        try:
            said, too_large = _watch(worker, json.dumps(order).encode(), limits, deadline)
        finally:
            # Orphans and other process groups included.
            end_descendants(worker)
            with contextlib.suppress(psutil.NoSuchProcess):
                worker.kill()
            worker.wait()
            end_marked(mark)
    try:
        answer: dict[str, Any] = json.loads(said)
    except ValueError:
        if worker.returncode < 0:
            raise _GaveUp("a cell ended the process that ran it") from None
        raise files.NotebookError(f"could not be run (status {worker.returncode}).") from None
    if "failed" in answer:
        raise files.NotebookError(f"could not be run ({answer['failed'][:FEEDBACK_LENGTH]}).")
    return answer, too_large


def memory_of(process: psutil.Process) -> int:
    """Of a process tree, in bytes: PSS, which only Linux knows; elsewhere RSS, an upper bound."""
    used = 0
    for one in [process, *process.children(recursive=True)]:
        with contextlib.suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
            full = one.memory_full_info()
            used += getattr(full, "pss", full.rss)
    return used


def _watch(
    worker: psutil.Popen, order: bytes | None, limits: Limits, deadline: float
) -> tuple[bytes, bool]:
    """What the worker has said at its end; whether its kernel was ended for its memory."""
    too_large = False
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return worker.communicate(order, LOOKING_EVERY)[0], too_large
        order = None  # it is being sent
        if time.monotonic() > deadline:
            raise _GaveUp(f"took longer than {limits.total} s in all")
        with contextlib.suppress(psutil.NoSuchProcess):
            if memory_of(worker) > limits.memory * 10**6:
                if too_large:  # although the kernel is gone
                    raise _GaveUp(f"took more than {limits.memory} MB of memory")
                too_large = True
                end_descendants(worker)


def end_marked(mark: str) -> None:
    """End all that a submission has started, by the `mark` in its environment.

    Raises
    ------
    NotebookError
        If something cannot be ended.
    """

    def marked(process: psutil.Process) -> bool:
        with contextlib.suppress(OSError):
            return bool(process.environ().get(MARK) == mark)
        return False

    if left := end_all(psutil.process_iter, marked):
        ids = ", ".join(str(process.pid) for process in left)
        raise files.NotebookError(f"has started processes that cannot be ended: {ids}.")


def _bare_environment(folder: Path, mark: str) -> dict[str, str]:
    """What a kernel needs, and nothing of the account that grades."""
    python = Path(sys.executable).parent
    kept = {
        name: os.environ[name] for name in ("LANG", "LC_ALL", "SYSTEMROOT") if name in os.environ
    }
    return kept | {
        "PATH": os.pathsep.join([str(python), os.defpath]),
        **dict.fromkeys(("HOME", "IPYTHONDIR", "TMPDIR", "MPLCONFIGDIR"), str(folder)),
        "OMP_NUM_THREADS": "1",
        "TQDM_DISABLE": "1",
        MARK: mark,
    }


def _outcomes(
    executed: nbformat.NotebookNode,
    tests: Collection[str],
    stopped: dict[int, str],
    passed: Collection[int],
) -> dict[str, str]:
    outcomes: dict[str, str] = {}
    own_trouble = ""
    for position, cell in enumerate(executed.cells):
        name = grade_id(cell)
        if name in tests:
            trouble = (
                stopped.get(position)
                or error_of(cell)[:FEEDBACK_LENGTH]
                or "the test did not run to its end"
            )
            outcomes[name] = "" if position in passed else own_trouble or trouble
            own_trouble = ""
        elif position in stopped or role(cell) == "answer":
            # An error in a scratch cell need not be the reason; the test says what is.
            found = stopped.get(position) or error_of(cell)[:FEEDBACK_LENGTH]
            own_trouble = own_trouble or (found and f"your cell stopped: {found}")
    return outcomes


@dataclasses.dataclass(frozen=True)
class Mark:
    """What one graded cell got; `points` is None while a person has to decide."""

    exercise: str
    grade_id: str
    points: float | None
    possible: float
    feedback: str


#: A submission as it was read and its marks, or why there are none.
Graded = tuple[Submission, list[Mark]] | str


def graded_apart(path: Path, known: list[Lab], limits: dict[str, int]) -> Graded:
    """Grade a file in another process, so that this one survives what the file does to it."""
    # Not a copy of this process: that would have what this one has open.
    context: Any = multiprocessing.get_context("spawn")
    if "forkserver" in multiprocessing.get_all_start_methods():
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([__name__])  # once for all files
    mark = secrets.token_hex(16)
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=grade_and_send, args=(sender, path, known, limits, mark))
    process.start()
    sender.close()
    graded: Graded
    try:
        try:
            if receiver.poll(limits["total"] + PATIENCE_S):
                graded = receiver.recv()
            else:
                graded = "gave no answer in time; does it stop the process that grades it?"
        finally:
            process.kill()
            process.join()
            end_marked(mark)
    except EOFError:
        return f"ended the process that graded it (status {process.exitcode})."
    except files.NotebookError as error:
        return str(error)
    return graded


def grade_and_send(
    sender: Connection, path: Path, known: list[Lab], limits: dict[str, int], mark: str
) -> None:
    """Grade a file in this process, and send what came out to the one that has started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # that is for the process which has started this
    graded: Graded
    try:
        handed_in = submission(path, known)
        graded = handed_in, grade(handed_in, mark=mark, **limits)
    except Exception as error:  # whatever one file does, the others are graded
        graded = str(error).removeprefix(f"{path}: ")
        if not isinstance(error, files.NotebookError):
            graded = f"cannot be graded ({type(error).__name__}: {graded})"
    sender.send(graded)


def grade(handed_in: Submission, *, mark: str = "", **limits: int) -> list[Mark]:
    """The marks of one submission, in the order of the lab; this runs it, within `Limits`.

    `mark` is for what may have to be ended later: see `run`.
    """
    outcomes = run(handed_in.notebook, handed_in.tests, mark=mark, **limits)
    marks = []
    for item in handed_in.exercises:
        if item.by_hand:
            points = None if item.answered else 0.0
            feedback = "for a person to read, below" if item.answered else "not answered"
        elif trouble := outcomes[item.grade_id]:
            points = 0.0
            feedback = trouble if item.answered else f"not answered: {item.why_not}"
        elif not item.answered:
            points = None
            feedback = f"all tests pass, although {item.why_not}: see in the file what makes them"
        else:
            points, feedback = item.possible, "all tests pass"
        marks.append(Mark(item.title, item.grade_id, points, item.possible, feedback))
    return marks
