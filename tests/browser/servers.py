"""Servers for the browser tests: on the loopback, alone in their folders, gone when a test ends."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
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
    private = {
        name: str(folder / name.lower())
        for name in (
            "HOME",
            "JUPYTER_CONFIG_DIR",
            "JUPYTER_DATA_DIR",
            "JUPYTER_RUNTIME_DIR",
            "JUPYTERLAB_SETTINGS_DIR",
            "JUPYTERLAB_WORKSPACES_DIR",
            "IPYTHONDIR",
            "MTSIG_CACHE",
        )
    }
    for path in private.values():
        Path(path).mkdir(parents=True, exist_ok=True)
    log = folder / "server.log"
    with open(log, "wb") as stream:
        process = subprocess.Popen(
            [sys.executable, "-m", module, f"--port={port}", *arguments],
            cwd=ROOT,
            env={**os.environ, **private, "OMP_NUM_THREADS": "1", **(environment or {})},
            stdout=stream,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        address = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + 120
        while not _answers(f"{address}{answers}"):
            assert process.poll() is None, log.read_text(errors="replace")[-2000:]
            assert time.monotonic() < deadline, log.read_text(errors="replace")[-2000:]
            time.sleep(0.2)
        yield address
    finally:
        for sent in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, sent)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(5)


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=2) as reply:
            return bool(reply.status == 200)
    except (OSError, urllib.error.URLError):
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
