"""Grades a filled-in lab in a process of its own, which ends with all that the lab has started.

`grade` starts that process; `main` is what it does.  It stands between the grader and the code that
is graded, so that whatever that code does to the process which talks to it, or leaves running, the
grader goes on.  Order and answer are JSON, on standard input and output.
"""

from __future__ import annotations

import contextlib
import copy
import ctypes
import dataclasses
import json
import logging
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from ..notebooks import files
from .kernel import PASSED
from .lab_files import Lab, role
from .marks import FEEDBACK_LENGTH, Mark, marks, submission, troubles

#: Seconds for reading a file, and for ending what it has started, beside those it may run.
PATIENCE_S = 60
#: A cell that hangs or kills the kernel is taken out, and the lab run again: at most so often.
MOST_RUNS = 6
#: How often time and memory are looked at, in seconds.
LOOKING_EVERY = 0.2
#: What libraries reserve without using it, in MB.
RESERVED_MB = 2000
#: Processes that start others faster than they are ended are tried for so long, in seconds.
ENDING_S = 60
#: From linux/prctl.h: orphans among the descendants become children of this process.
PR_SET_CHILD_SUBREAPER = 36
#: In the environment of all that a submission starts, so that it can be found again.
MARK = "MTSIG_GRADING"
#: Variables that name a folder to write to.
FOLDERS = ("HOME", "IPYTHONDIR", "TMPDIR", "MPLCONFIGDIR")
#: As ``python -m tools.labs.worker``, but five times as soon: jsonschema, which nbformat loads,
#: compiles a grammar of web addresses if it finds this package, and checks none without it.
WORKER = "import sys; sys.modules['rfc3987_syntax'] = None; import tools.labs.worker as w; w.main()"
KERNEL = Path(__file__).with_name("kernel.py")
#: Where Linux allows it, the kernel sees and can end no process but its own, which end with the
#: first of them.  That is a shell, since signals do not reach the first as they reach others.
APART = ["unshare", "--user", "--map-current-user", "--pid", "--fork", "--kill-child"]
APART += ["--mount-proc", "sh", "-c", '"$@"; exit $?', "sh"]


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


@dataclasses.dataclass(frozen=True)
class Graded:
    """The name of a lab, the marks of its cells, and what was odd about the file."""

    lab: str
    marks: list[Mark]
    notes: list[str]


# In the process that grades.


def grade(path: Path, known: Iterable[Lab], limits: Limits) -> Graded:
    """Grade a file in another process, so that this one survives what the file does to it.

    Nothing that the file has started is left when this returns.

    Raises
    ------
    NotebookError
        If it cannot be graded, for whatever reason.
    """
    try:
        return _graded_apart(path, known, limits)
    except (OSError, psutil.Error) as error:
        raise files.NotebookError(f"no process could be started to grade it ({error}).") from error


def _graded_apart(path: Path, known: Iterable[Lab], limits: Limits) -> Graded:
    mark = secrets.token_hex(16)
    order = {
        "path": str(path.absolute()),
        "known": [(str(lab.instructor), str(lab.student)) for lab in known],
        "limits": dataclasses.asdict(limits),
    }
    # Where a process that was killed still writes on its way out, a folder is not empty again.
    with (
        tempfile.TemporaryDirectory(prefix="lab-", ignore_cleanup_errors=True) as folder,
        psutil.Popen(
            [sys.executable, "-c", WORKER],
            cwd=files.ROOT,
            env=_bare_environment(folder, mark),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as worker,
    ):
        try:
            output, _ = worker.communicate(json.dumps(order).encode(), limits.total + PATIENCE_S)
        except subprocess.TimeoutExpired:
            raise files.NotebookError(
                "gave no answer in time; does it stop the process that grades it?"
            ) from None
        finally:
            # Orphans and other process groups included.
            end_descendants(worker)
            with contextlib.suppress(psutil.NoSuchProcess):
                worker.kill()
            worker.wait()
            _end_marked(mark)
    try:
        answer = json.loads(output)
        if "refused" in answer:
            raise files.NotebookError(answer["refused"])
        return Graded(answer["lab"], [Mark(**each) for each in answer["marks"]], answer["notes"])
    except (ValueError, TypeError, KeyError):  # it may have written there itself
        status = worker.returncode
        raise files.NotebookError(f"ended the process that graded it (status {status}).") from None


def _bare_environment(folder: str, mark: str) -> dict[str, str]:
    """What a kernel needs, and nothing of the account that grades."""
    python = Path(sys.executable).parent
    kept = {
        name: os.environ[name] for name in ("LANG", "LC_ALL", "SYSTEMROOT") if name in os.environ
    }
    return kept | {
        "PATH": os.pathsep.join([str(python), os.defpath]),
        **dict.fromkeys(FOLDERS, folder),
        "OMP_NUM_THREADS": "1",
        "TQDM_DISABLE": "1",
        MARK: mark,
    }


def _end_marked(mark: str) -> None:
    """End all that a submission has started, by the `mark` in its environment."""

    def marked() -> Iterator[psutil.Process]:
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error, OSError):
                if process.environ().get(MARK) == mark:
                    yield process

    if left := end_all(marked):
        ids = ", ".join(str(process.pid) for process in left)
        raise files.NotebookError(f"has started processes that cannot be ended: {ids}.")


def end_descendants(process: psutil.Process) -> None:
    """Kill all that a process has started, directly or not."""

    def descendants() -> list[psutil.Process]:
        with contextlib.suppress(psutil.NoSuchProcess):
            return list(process.children(recursive=True))
        return []

    end_all(descendants)


def end_all(find: Callable[[], Iterable[psutil.Process]]) -> list[psutil.Process]:
    """Kill those found until nothing more turns up; what is left after a while."""
    deadline = time.monotonic() + ENDING_S
    while (left := list(filter(_lives, find()))) and time.monotonic() < deadline:
        for process in left:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(left, timeout=1)
    return left


def _lives(process: psutil.Process) -> bool:
    """Whether it has not ended; one that has, but that its parent has not asked after, has."""
    with contextlib.suppress(psutil.Error):
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    return False


# In the process between.


def main() -> None:
    """Carry out the order."""
    # What the kernel inherits as its standard output is not where the answer goes.
    answer = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
    order = json.load(sys.stdin)
    limits = Limits(**order["limits"])
    _adopt_orphans()
    _limit_memory((limits.memory + RESERVED_MB) * 10**6)
    try:
        known = [Lab(*map(Path, pair)) for pair in order["known"]]
        handed_in = submission(Path(order["path"]), known)
        found = list(marks(handed_in, run(handed_in.notebook, limits)))
        graded = Graded(handed_in.lab.instructor.stem, found, handed_in.notes)
        reply = dataclasses.asdict(graded)
    except files.NotebookError as error:
        reply = {"refused": str(error)}
    except Exception as error:  # whatever one file does, the others are graded
        reason = f"{type(error).__name__}: {error}"
        reply = {"refused": f"could not be run ({reason[:FEEDBACK_LENGTH]})."}
    end_descendants(psutil.Process())
    with answer:
        json.dump(reply, answer)


def _adopt_orphans() -> None:
    """Linux only: elsewhere what has been orphaned is found by its environment, from outside."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _limit_memory(most_data: int) -> None:
    """For this process and each that it starts, in bytes; kept by Linux, elsewhere perhaps not."""
    if sys.platform != "win32":
        import resource

        _, allowed = resource.getrlimit(resource.RLIMIT_DATA)
        limit = most_data if allowed == resource.RLIM_INFINITY else min(allowed, most_data)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def run(notebook: NotebookNode, limits: Limits) -> dict[str, str]:
    """Run a lab; by grade_id, what was wrong with each test, "" if it passed.

    A cell that takes too much time or memory, or ends the kernel, fails; everything else is then
    run once more without it, so that one endless loop does not cost the points of the other
    exercises.
    """
    stopped: dict[int, str] = {}
    deadline = time.monotonic() + limits.total
    why = "too many cells hang or end the kernel"
    for _ in range(MOST_RUNS):
        executed = copy.deepcopy(notebook)
        for position in stopped:
            executed.cells[position].source = ""
        stop = _execute(executed, limits, deadline)
        if stop is None:
            return troubles(executed, stopped)
        stopped |= [stop]
        if time.monotonic() > deadline:
            why = f"took longer than {limits.total} s in all"
            break
    # Also those that passed: what comes out of a run that does not end is not known.
    return dict.fromkeys(troubles(notebook, {}), f"gave up: {why}")


def _requested(notebook: NotebookNode) -> tuple[dict[str, dict[str, str]], dict[int, str]]:
    """Put, in place, requests for tests where the tests stand.

    Returns the tests by their requests, each with its source and its word, and the words by the
    positions of the tests.
    """
    tests = {}
    words = {}
    for position, cell in enumerate(notebook.cells):
        if role(cell) == "tests" and cell.source:
            request = secrets.token_hex(16)
            word = secrets.token_hex(16)
            tests[request] = {"source": cell.source, "word": word}
            words[position] = word
            cell.source = request
    return tests, words


def _execute(notebook: NotebookNode, limits: Limits, deadline: float) -> tuple[int, str] | None:
    """Run all cells in place; the position of one that hangs or ends the kernel, and what it did.

    A test that has reached its end is marked as passed in its metadata.
    """
    tests, words = _requested(notebook)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", delete=False) as file:
        json.dump(tests, file)
    position = 0

    def begin(cell_index: int, **_: object) -> None:
        nonlocal position
        position = cell_index

    def end(cell: Any, cell_index: int, execute_reply: dict[str, Any]) -> None:
        expressions = execute_reply["content"].get("user_expressions")  # by whoever has sent it
        if cell_index in words and isinstance(expressions, dict):
            cell.metadata["passed"] = expressions.get(PASSED) == words[cell_index]

    folder = tempfile.mkdtemp()
    client = _Client(
        notebook,
        on_cell_start=begin,
        on_cell_executed=end,
        kernel_manager_class=_manager([*apart(), sys.executable, str(KERNEL), file.name]),
        timeout=limits.timeout,
        allow_errors=True,
        record_timing=False,
        store_widget_state=False,
        shutdown_kernel="immediate",
        extra_arguments=["--IPKernelApp.log_level=CRITICAL"],
        resources={"metadata": {"path": folder}},
    )
    client.log.setLevel(logging.CRITICAL)
    with _watched(limits, deadline) as reasons:
        try:
            client.execute(env=os.environ | dict.fromkeys(FOLDERS, folder))
            return None
        except CellTimeoutError:
            return position, f"took longer than {limits.timeout} s; does a loop never end?"
        except RuntimeError as error:  # the kernel is gone
            if not isinstance(error, DeadKernelError) and time.monotonic() < deadline:
                raise  # it has never been there, which is not the lab's doing
            ended = "ended the kernel: out of memory, or a call such as exit()?"
            return position, next(iter(reasons), ended)


@contextlib.contextmanager
def _watched(limits: Limits, deadline: float) -> Iterator[Sequence[str]]:
    """End what this process has started if that takes too much, and at last; the reasons."""
    own = psutil.Process()
    over = threading.Event()
    reasons: list[str] = []

    def watch() -> None:
        while not over.wait(LOOKING_EVERY):
            too_large = memory_below(own) > limits.memory * 10**6
            if too_large:
                reasons.append(f"took more than {limits.memory} MB of memory")
            if too_large or time.monotonic() > deadline:
                end_descendants(own)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield reasons
    finally:
        over.set()
        thread.join()
        end_descendants(own)


def memory_below(process: psutil.Process) -> int:
    """What the descendants of a process use, in bytes.

    It is PSS, which only Linux knows; elsewhere RSS, an upper bound.
    """
    used = 0
    for descendant in process.children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
            full = descendant.memory_full_info()
            used += getattr(full, "pss", full.rss)
    return used


def apart() -> list[str]:
    """What is put before a program so that it sees no process but its own; empty if nothing is."""
    unshare = shutil.which(APART[0])
    if unshare is None:
        return []
    command = [unshare, *APART[1:]]
    tried = subprocess.run([*command, "true"], stdin=subprocess.DEVNULL, capture_output=True)
    return command if tried.returncode == 0 else []


def _manager(command: list[str]) -> type:
    """The class of what starts a kernel with `command`, and ends it."""

    class Manager(AsyncKernelManager):
        @property
        def kernel_spec(self) -> KernelSpec:
            return KernelSpec(argv=[*command, "-f", "{connection_file}"], language="python")

    return Manager


class _Client(NotebookClient):
    """Keeps of all outputs the errors."""

    def output(self, outs: list[Any], msg: Any, display_id: str | None, cell_index: int) -> Any:
        # What else is shown or printed, of any length, is of no use here.
        is_error = msg["msg_type"] == "error"
        return super().output(outs, msg, display_id, cell_index) if is_error else None
