"""What a filled-in lab gets, found out in this process or, for files of strangers, in another."""

from __future__ import annotations

import dataclasses
import multiprocessing
import secrets
import signal
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from mtsig_nb.statistics.measuring import hidden_main

from . import notebook_files as files
from .lab_files import Lab
from .lab_runs import end_marked, run
from .lab_submissions import Submission, submission

#: Seconds for reading a file, and for ending what it has started, beside those it may run.
PATIENCE_S = 60


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
    with hidden_main():
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

    `mark` is for what may have to be ended later: see `tools.lab_runs.run`.
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
