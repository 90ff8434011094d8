"""Runs one notebook of somebody else's, in a process that ends with all that it has started.

It takes an order on standard input and gives its answer on standard output, both JSON;
`tools.lab_marks` starts it and watches it from outside.  It stands between the grader and the code
that is graded, so that whatever that code does to the process which talks to it, or leaves running,
the grader goes on.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import logging
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import nbformat
import psutil  # type: ignore[import-untyped]
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from traitlets import default

from .lab_kernel import PASSED

#: Processes that start others faster than they are ended are tried for so long, in seconds.
ENDING_S = 60
#: From linux/prctl.h: orphans among the descendants become children of this process.
PR_SET_CHILD_SUBREAPER = 36
KERNEL = Path(__file__).with_name("lab_kernel.py")
#: Where Linux allows it, the kernel sees and can end no process but its own, which end with the
#: first of them.  That is a shell, since signals do not reach the first as they reach others.
APART = ["unshare", "--user", "--map-current-user", "--pid", "--fork", "--kill-child"]
APART += ["--mount-proc", "sh", "-c", '"$@"; exit $?', "sh"]


def main() -> None:
    """Carry out the order."""
    # What the kernel inherits as its standard output is not where the answer goes.
    answer = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
    order = json.load(sys.stdin)
    _adopt_orphans()
    _limit_memory(order["most_data"])
    try:
        found = _carry_out(order)
    except Exception as error:
        found = {"failed": f"{type(error).__name__}: {error}"}
    end_descendants(psutil.Process())
    with answer:
        json.dump(found, answer)


def _carry_out(order: dict[str, Any]) -> dict[str, Any]:
    """Run all cells; their errors, the tests that reached their end, and what stopped the rest."""
    notebook = nbformat.from_dict(order["notebook"])
    tests = {}
    words = {}
    for position in order["tests"]:
        cell = notebook.cells[position]
        words[position] = secrets.token_hex(16)
        request = secrets.token_hex(16)
        tests[request] = {"source": cell.source, "word": words[position]}
        cell.source = request
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", delete=False) as file:
        json.dump(tests, file)
    client = _Client(
        notebook,
        words=words,
        kernel_manager_class=_manager([*apart(), sys.executable, str(KERNEL), file.name]),
        timeout=order["timeout"],
        allow_errors=True,
        record_timing=False,
        store_widget_state=False,
        shutdown_kernel="immediate",
        extra_arguments=["--IPKernelApp.log_level=CRITICAL"],
        resources={"metadata": {"path": order["folder"]}},
    )
    client.log.setLevel(logging.CRITICAL)
    stopped = None
    try:
        client.execute(env=order["environment"])
    except CellTimeoutError:
        stopped = [client.position, "hung"]
    except DeadKernelError:
        stopped = [client.position, "died"]
    outputs = [cell.get("outputs", []) for cell in notebook.cells]
    return {"stopped": stopped, "outputs": outputs, "passed": client.passed}


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

    class Specs(KernelSpecManager):
        def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
            return KernelSpec(argv=[*command, "-f", "{connection_file}"], language="python")

    class Manager(AsyncKernelManager):
        @default("kernel_spec_manager")
        def _specs(self) -> KernelSpecManager:
            return Specs(parent=self)

    return Manager


class _Client(NotebookClient):
    """Knows which cell runs and which tests passed, and keeps of all outputs the errors."""

    def __init__(self, *args: Any, words: dict[int, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.position = 0
        self.passed: list[int] = []
        self._words = words
        self.on_cell_start = self._begin
        self.on_cell_executed = self._end

    def _begin(self, cell_index: int, **_: object) -> None:
        self.position = cell_index

    def _end(self, cell_index: int, execute_reply: dict[str, Any], **_: object) -> None:
        said = execute_reply["content"].get("user_expressions")  # by whoever has sent it
        word = self._words.get(cell_index)
        if word is not None and isinstance(said, dict) and said.get(PASSED) == word:
            self.passed.append(cell_index)

    def output(self, outs: list[Any], msg: Any, display_id: str | None, cell_index: int) -> Any:
        # What else is shown or printed, of any length, is of no use here.
        is_error = msg["msg_type"] == "error"
        return super().output(outs, msg, display_id, cell_index) if is_error else None


def end_descendants(process: psutil.Process) -> None:
    """Kill all that a process has started, directly or not."""

    def descendants() -> list[psutil.Process]:
        with contextlib.suppress(psutil.NoSuchProcess):
            return list(process.children(recursive=True))
        return []

    end_all(descendants)


def end_all(
    find: Callable[[], Iterable[psutil.Process]],
    which: Callable[[psutil.Process], bool] = lambda _: True,
) -> list[psutil.Process]:
    """Kill those found until nothing more turns up; what is left after a while."""

    def lives(process: psutil.Process) -> bool:
        # One that has ended, but that its parent has not asked after, does not.
        with contextlib.suppress(psutil.Error):
            return which(process) and process.status() != psutil.STATUS_ZOMBIE
        return False

    deadline = time.monotonic() + ENDING_S
    while (left := list(filter(lives, find()))) and time.monotonic() < deadline:
        for process in left:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(left, timeout=1)
    return left


def _adopt_orphans() -> None:
    """Linux only: elsewhere what has been orphaned is found by its environment, from outside."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _limit_memory(most_data: int) -> None:
    """For this process and each that it starts, in bytes; kept by Linux, elsewhere perhaps not."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        limit = most_data if most == resource.RLIM_INFINITY else min(most, most_data)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
