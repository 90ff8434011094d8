"""Running a filled-in lab: which tests reach their end, and what stopped the others."""

from __future__ import annotations

import copy
import dataclasses
import logging
import os
import secrets
import sys
import tempfile
from collections.abc import Collection
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError

from .lab_files import grade_id, role

#: Longest time for one cell.
CELL_TIMEOUT_S = 60
#: A cell that hangs or kills the kernel is taken out, and the lab run again: at most so often.
MOST_RUNS = 6
#: Longest feedback, in characters.
FEEDBACK_LENGTH = 400


@dataclasses.dataclass(frozen=True)
class Outcome:
    """Whether a test ran to its end, and if not, what to look at."""

    passed: bool
    feedback: str = ""


def run(
    notebook: nbformat.NotebookNode, tests: Collection[str], *, timeout: int = CELL_TIMEOUT_S
) -> dict[str, Outcome]:
    """Run a lab and say what became of each of its tests, by grade_id.

    A cell that takes too long, or ends the kernel, fails; everything else is then run once more
    without it, so that one endless loop does not cost the points of the other exercises.
    """
    stopped: dict[int, str] = {}
    for _ in range(MOST_RUNS):
        # Printed by a test's last line and known to nobody before: whatever leaves a test early,
        # by an error or otherwise, leaves it out.
        reached_the_end = secrets.token_hex(16)
        executed = _with_markers(notebook, tests, stopped, reached_the_end)
        stop = _execute(executed, timeout)
        if stop is None:
            return _outcomes(executed, tests, stopped, reached_the_end)
        position, reason = stop
        stopped[position] = reason
    return {
        name: Outcome(False, "gave up: too many cells hang or end the kernel") for name in tests
    }


def _with_markers(
    notebook: nbformat.NotebookNode, tests: Collection[str], stopped: Collection[int], marker: str
) -> nbformat.NotebookNode:
    prepared = copy.deepcopy(notebook)
    for position, cell in enumerate(prepared.cells):
        if position in stopped:
            cell.source = ""
        elif grade_id(cell) in tests:
            cell.source += f"\nprint('{marker}')"
    return prepared


def _execute(notebook: nbformat.NotebookNode, timeout: int) -> tuple[int, str] | None:
    """Run all cells in place; if one hangs or ends the kernel, its position and what it did."""
    started = 0

    def on_cell_start(cell_index: int, **_: object) -> None:
        nonlocal started
        started = cell_index

    # Where a kernel that was killed still writes on its way out, the folder is not empty again.
    with tempfile.TemporaryDirectory(prefix="lab-", ignore_cleanup_errors=True) as folder:
        client = NotebookClient(
            notebook,
            timeout=timeout,
            kernel_name="python3",
            allow_errors=True,
            record_timing=False,
            coalesce_streams=True,
            store_widget_state=False,
            extra_arguments=["--IPKernelApp.log_level=CRITICAL"],
            resources={"metadata": {"path": folder}},
        )
        client.on_cell_start = on_cell_start
        client.log.setLevel(logging.CRITICAL)
        try:
            client.execute(env=_bare_environment(folder))
        except CellTimeoutError:
            return started, f"took longer than {timeout} s; does a loop never end?"
        except DeadKernelError:
            return started, "ended the kernel: out of memory, or a call such as exit()?"
    return None


def _bare_environment(folder: str) -> dict[str, str]:
    """What a kernel needs, and nothing of the account that grades."""
    python = Path(sys.executable).parent
    kept = {
        name: os.environ[name] for name in ("LANG", "LC_ALL", "SYSTEMROOT") if name in os.environ
    }
    return kept | {
        "PATH": os.pathsep.join([str(python), os.defpath]),
        "HOME": folder,
        "IPYTHONDIR": folder,
        "TMPDIR": folder,
        "MPLCONFIGDIR": folder,
        "OMP_NUM_THREADS": "1",
        "TQDM_DISABLE": "1",
    }


def _outcomes(
    executed: nbformat.NotebookNode,
    tests: Collection[str],
    stopped: dict[int, str],
    marker: str,
) -> dict[str, Outcome]:
    outcomes: dict[str, Outcome] = {}
    own_trouble = ""
    for position, cell in enumerate(executed.cells):
        name = grade_id(cell)
        if name in tests:
            printed = "".join(o.text for o in cell.outputs if o.output_type == "stream")
            passed = position not in stopped and marker in printed
            trouble = stopped.get(position) or _error(cell) or "the test did not run to its end"
            outcomes[name] = Outcome(passed, "" if passed else own_trouble or trouble)
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
