"""How much memory this process may still take, as far as the operating system tells."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_PROC = Path("/proc")
_GROUP = Path("/sys/fs/cgroup")


def free_memory() -> float:
    """Bytes that this process may still take; infinite where the operating system does not tell.

    It is the least of what is free in the computer, what is left of the process's own limit
    (``ulimit -v``), and what is left of its control group's, as in a container.

    Examples
    --------
    >>> free_memory() > 0
    True
    """
    return max(0.0, min(_free_in_computer(), _left_of_limit(), _left_of_group()))


def _free_in_computer() -> float:
    """Bytes that are free in the computer."""
    kilobytes = _numbers_in(_PROC / "meminfo").get("MemAvailable:", float("inf"))
    return kilobytes * 1024


def _left_of_limit() -> float:
    """Bytes that are left of the limit of this process."""
    try:
        import resource
    except ImportError:  # Windows
        return float("inf")
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return float("inf")
    with contextlib.suppress(OSError, ValueError):
        pages = int((_PROC / "self" / "statm").read_text().split()[0])
        return limit - pages * os.sysconf("SC_PAGE_SIZE")
    return float(limit)


def _left_of_group() -> float:
    """Bytes that are left of the limit of the control group."""
    with contextlib.suppress(OSError, ValueError):  # "max" is no number
        limit = int((_GROUP / "memory.max").read_text())
        return limit - _numbers_in(_GROUP / "memory.stat").get("anon", 0)
    return float("inf")


def _numbers_in(path: Path) -> dict[str, int]:
    """The numbers of a table of the kernel's, by the word before each."""
    numbers: dict[str, int] = {}
    with contextlib.suppress(OSError, ValueError):
        for line in path.read_text().splitlines():
            name, number, *_ = line.split()
            numbers[name] = int(number)
    return numbers
