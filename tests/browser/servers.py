"""Servers for the browser tests: on the loopback, alone in their folders, gone when a test ends."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[2]
#: What ``make app`` puts before its command.
APP_SETTINGS = dict.fromkeys(
    ("JUPYTER_CONFIG_PATH", "JUPYTER_PATH"), str(ROOT / "notebooks" / "app" / "jupyter")
)


def free_port() -> int:
    """A port that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def explorer_page(
    folder: Path, *arguments: str, browser: bool = False
) -> contextlib.AbstractContextManager[str]:
    """The explorer as a page of Voila's, served as ``make app`` does; its address."""
    return server(
        "voila",
        "notebooks/app/explorer.ipynb",
        *([] if browser else ["--no-browser"]),
        *arguments,
        folder=folder,
        answers="/voila/static/voila.js",
        environment=APP_SETTINGS,
    )


def kernels(address: str) -> list[psutil.Process]:
    """The kernels of the server at `address`, which a test here has started."""
    port = f"--port={address.rpartition(':')[2]}"
    found = []
    for child in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
            family = [child.cmdline(), *(parent.cmdline() for parent in child.parents())]
            if "ipykernel_launcher" in family[0] and any(port in command for command in family):
                found.append(child)
    return found


#: Folders that a server here has for itself.
PRIVATE = (
    *("HOME", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"),
    *("JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR", "MTSIG_CACHE"),
)


@contextlib.contextmanager
def server(
    module: str,
    *arguments: str,
    folder: Path,
    answers: str,
    environment: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """Run a server and wait until it answers; its address.

    Its settings, files and kernels are under `folder`; it is killed with all its children.
    """
    port = free_port()
    private = {name: str(folder / name.lower()) for name in PRIVATE}
    for path in private.values():
        Path(path).mkdir(parents=True, exist_ok=True)
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", module, f"--port={port}", *arguments]
    around = {**os.environ, **private, "OMP_NUM_THREADS": "1", **(environment or {})}
    with started(command, folder / "server.log", address + answers, cwd=ROOT, env=around):
        yield address


@contextlib.contextmanager
def started(
    command: Sequence[str], log: Path, asked: str, *, cwd: Path, env: Mapping[str, str]
) -> Iterator[psutil.Popen]:
    """Run a command until something answers at the address `asked`, and while it is used."""
    with log.open("wb") as stream:
        process = psutil.Popen(
            command,
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        deadline = time.monotonic() + 120
        while not _answers(asked):
            said = log.read_text(errors="replace")[-3000:]
            assert process.poll() is None, said
            assert time.monotonic() < deadline, said
            time.sleep(0.2)
        yield process
    finally:
        # One by one, because kernels are in process groups of their own.
        family = [*process.children(recursive=True), process] if process.is_running() else []
        for member in family:
            with contextlib.suppress(psutil.NoSuchProcess):
                member.terminate()
        for survivor in psutil.wait_procs(family, timeout=10)[1]:
            survivor.kill()


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=60) as reply:
            return bool(reply.status == 200)
    except OSError:
        return False


@contextlib.contextmanager
def jupyterlab(folder: Path) -> Iterator[str]:
    """JupyterLab on the notebooks in ``folder/work``, without its news; its address."""
    settings = folder / "jupyterlab_settings_dir" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "notification.jupyterlab-settings").write_text(
        '{"fetchNews": "false", "checkForUpdates": false}'
    )
    options = ["--no-browser", "--allow-root", "--ip=127.0.0.1", "--expose-app-in-browser"]
    options += ["--IdentityProvider.token=", f"--ServerApp.root_dir={folder / 'work'}"]
    with server("jupyterlab", *options, folder=folder, answers="/api") as address:
        yield address
