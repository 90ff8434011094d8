"""Running a filled-in lab: which tests reach their end, and what stopped the others."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection
from pathlib import Path
from typing import Any

import nbformat
import psutil  # type: ignore[import-untyped]

from . import notebook_files as files
from .lab_files import grade_id, role
from .lab_worker import end_all, end_descendants

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
            executed = _without(notebook, stopped)
            stop, passed = _execute(executed, tests, bounds, deadline, mark)
            if stop is None:
                return _outcomes(executed, tests, stopped, passed)
            position, reason = stop
            stopped[position] = reason
        raise _GaveUp("too many cells hang or end the kernel")
    except _GaveUp as reason:
        return dict.fromkeys(tests, f"gave up: {reason}")


def _without(notebook: nbformat.NotebookNode, stopped: Collection[int]) -> nbformat.NotebookNode:
    prepared = copy.deepcopy(notebook)
    for position in stopped:
        prepared.cells[position].source = ""
    return prepared


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
            _end(worker, mark)
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


def _end(worker: psutil.Popen, mark: str) -> None:
    """End the worker and all that it has started, orphans and other process groups included."""
    end_descendants(worker)
    with contextlib.suppress(psutil.NoSuchProcess):
        worker.kill()
    worker.wait()
    end_marked(mark)


def end_marked(mark: str) -> None:
    """End all that a submission has started, by the `mark` in its environment.

    Raises
    ------
    NotebookError
        If something cannot be ended.
    """
    if left := end_all(lambda: _marked(mark)):
        ids = ", ".join(str(process.pid) for process in left)
        raise files.NotebookError(f"has started processes that cannot be ended: {ids}.")


def _marked(mark: str) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.environ().get(MARK) == mark and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


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
            trouble = stopped.get(position) or _error(cell) or "the test did not run to its end"
            outcomes[name] = "" if position in passed else own_trouble or trouble
            own_trouble = ""
        elif position in stopped or role(cell) == "answer":
            # An error in a scratch cell need not be the reason; the test says what is.
            found = stopped.get(position) or _error(cell)
            own_trouble = own_trouble or (found and f"your cell stopped: {found}")
    return outcomes


def _error(cell: nbformat.NotebookNode) -> str:
    """The error a cell ended with, in a line, or ""; an assertion's message speaks for itself."""
    for output in cell.get("outputs", []):
        if output.output_type == "error":
            message = " ".join(output.evalue.split())[:FEEDBACK_LENGTH]
            if output.ename == "AssertionError" and message:
                return message
            return f"{output.ename}: {message}" if message else str(output.ename)
    return ""
