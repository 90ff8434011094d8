"""Kernels that are forked from a process which has imported what units import.

A kernel takes about 1.5 s of processor time to start and to import pandas, SciPy, matplotlib and
the package, and there are some fifty notebooks.  One process for each pytest worker does so once,
and forks when a notebook wants a kernel.  Nothing of a notebook has run in it, so a kernel knows no
name and no option of another one.  Only Linux has this; elsewhere kernels start as usual.
"""

from __future__ import annotations

import atexit
import builtins
import contextlib
import gc
import importlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import psutil
from jupyter_client.provisioning import local_provisioner

ROOT = Path(__file__).parents[1]
#: What ipykernel itself would tell matplotlib, before anybody imports it.
BACKEND = {"MPLBACKEND": "module://matplotlib_inline.backend_inline"}
IMPORTED = (
    *("ipykernel.kernelapp", "ipykernel.zmqshell", "ipywidgets", "anywidget"),
    *("matplotlib.pyplot", "pandas", "sacrebleu", "scipy.stats"),
)
#: Not `teaching`, which changes how numbers are printed in the notebook that imports it.
ROOMS = ("campaigns", "human", "meta_evaluation", "outcomes", "plots", "report", "simulate")


class ForkedKernel:
    """A kernel's process, as far as `LocalProvisioner` asks for one."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int) -> None:
        self.pid = pid
        with contextlib.suppress(psutil.NoSuchProcess):
            self._process = psutil.Process(pid)

    def poll(self) -> int | None:
        """None while the process runs; its exit code is not known here."""
        return None if self._runs() else 0

    def wait(self) -> int:
        while self._runs():
            time.sleep(0.02)
        return 0

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _runs(self) -> bool:
        with contextlib.suppress(psutil.NoSuchProcess, AttributeError):
            return self._process.is_running() and self._process.status() != psutil.STATUS_ZOMBIE
        return False


@contextlib.contextmanager
def forked_kernels() -> Iterator[None]:
    """Within it, Jupyter's kernels are forked and not started."""
    if sys.platform != "linux":
        yield
        return
    with mock.patch.object(local_provisioner, "launch_kernel", _forked):
        yield


def _forked(
    command: Sequence[str], *, env: Mapping[str, str], cwd: str | None = None, **_: Any
) -> ForkedKernel:
    """In the place of `jupyter_client.launch_kernel`."""
    server = _server()
    assert server.stdin is not None
    assert server.stdout is not None
    folder = os.fspath(cwd or Path.cwd())
    environment = {**env, "JPY_PARENT_PID": str(server.pid)}
    request = {"command": list(command), "environment": environment, "folder": folder}
    server.stdin.write(json.dumps(request) + "\n")
    server.stdin.flush()
    return ForkedKernel(int(server.stdout.readline()))


@cache
def _server() -> subprocess.Popen[str]:
    """The process that forks, which ends when its input does."""
    server = subprocess.Popen(
        [sys.executable, __file__],
        cwd=ROOT,
        env={**os.environ, **BACKEND},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(server.communicate)
    return server


def _serve() -> None:
    """Import everything; then fork for each line that is read."""
    sys.path[0] = os.getcwd()  # in the place of the folder of this file
    with _as_in_a_kernel():
        for name in (*IMPORTED, *(f"mtsig_nb.{room}" for room in ROOMS)):
            importlib.import_module(name)
    del sys.path[0]
    gc.freeze()  # kernels look for garbage only among what is their own
    signal.signal(signal.SIGCHLD, _reap)
    for line in sys.stdin:
        if os.fork() == 0:
            _become_kernel(**json.loads(line))


@contextlib.contextmanager
def _as_in_a_kernel() -> Iterator[None]:
    """Pandas asks when it is imported, by this name, whether a terminal's width limits tables."""
    builtins.get_ipython = lambda: SimpleNamespace(kernel=None)  # type: ignore[attr-defined]
    yield
    del builtins.get_ipython  # type: ignore[attr-defined]


def _reap(*_: object) -> None:
    """Take leave of every kernel that has ended."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _become_kernel(command: list[str], environment: dict[str, str], folder: str) -> None:
    """What `python -m ipykernel_launcher` does, in a session and a folder of its own."""
    from ipykernel import kernelapp

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()  # before anybody knows of it: whole groups of processes are interrupted
    print(os.getpid(), flush=True)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    connection = command[command.index("-f") :]
    sys.argv = ["ipykernel_launcher.py", *connection]
    kernelapp.launch_new_instance()
    os._exit(0)


if __name__ == "__main__":
    _serve()
