"""Medians of runs: seconds on the clock, and processor seconds, here and of other processes."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

#: The folder that has this package.
TREE = Path(__file__).resolve().parent.parent

Work = Callable[[], object]


def side_by_side(runs: int, works: dict[str, Work]) -> dict[str, float]:
    """Median seconds on the clock of each work.

    The works are run in turn, so that a busy machine slows all of them.  A first run of each, which
    loads libraries, does not count.
    """
    for work in works.values():
        work()
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(runs):
        for name, work in works.items():
            started = time.perf_counter()
            work()
            taken[name].append(time.perf_counter() - started)
    return {name: statistics.median(seconds) for name, seconds in taken.items()}


def processor_seconds(runs: int, work: Work) -> float:
    """Median processor seconds of a work in this process."""
    taken = []
    for _ in range(runs):
        started = time.process_time()
        work()
        taken.append(time.process_time() - started)
    return statistics.median(taken)


def seconds_of_process(command: Sequence[Any], folder: Path, **settings: str) -> float:
    """Processor seconds of a command in a folder, with `settings` in its environment."""
    environment = os.environ | settings
    # Whoever has installed a package has it compiled, and so must we here.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = _processor_seconds_of_children()
    subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True)
    return _processor_seconds_of_children() - before


def _processor_seconds_of_children() -> float:
    """Processor seconds of all processes that this one has started, and that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def printed_by_module(name: str, *arguments: Any, **settings: str) -> str:
    """What a module of this package prints in a process of its own.

    Parameters
    ----------
    name : str
        Of the module, in this package.
    *arguments
        What it is given.
    **settings : str
        For its environment.
    """
    command = [sys.executable, "-m", f"{__package__}.{name}", *map(str, arguments)]
    environment = os.environ | settings
    done = subprocess.run(
        command, cwd=TREE, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout
