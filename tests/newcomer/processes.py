"""Commands and servers as a newcomer starts them; nothing of either is left running."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path

import psutil

from ..browser.servers import free_port


def run(command: str, folder: Path, environment: Mapping[str, str], code: int = 0) -> str:
    """Run a line of shell; what it printed, on either stream."""
    process = subprocess.Popen(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        printed, _ = process.communicate(timeout=1200)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert process.returncode == code, f"{command}\n{printed[-4000:]}"
    return printed


@contextlib.contextmanager
def serving(
    target: str, clone: Path, environment: Mapping[str, str]
) -> Iterator[tuple[str, psutil.Popen]]:
    """`make TARGET`, with the settings of a machine without a browser: its address, its process."""
    port = free_port()
    common = {"ip": "127.0.0.1", "port": port, "open_browser": False}
    settings = {
        "ServerApp": {**common, "allow_root": True},
        "IdentityProvider": {"token": "newcomer"},
        "LabApp": {"expose_app_in_browser": True},
    }
    config = Path(environment["JUPYTER_CONFIG_DIR"]) / "jupyter_lab_config.json"
    config.write_text(json.dumps(settings), encoding="utf-8")
    log = Path(environment["JUPYTER_RUNTIME_DIR"]) / f"{target}.log"
    with log.open("wb") as stream:
        process = psutil.Popen(
            ["make", target],
            cwd=clone,
            env={**environment, "NO_BROWSER": "1", "PORT": str(port)},  # what make app asks for
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        address = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + 120
        while not answers(f"{address}/?token=newcomer"):
            said = log.read_text(errors="replace")[-3000:]
            assert process.poll() is None, said
            assert time.monotonic() < deadline, said
            time.sleep(0.3)
        yield address, process
    finally:
        # One by one, because kernels are in process groups of their own.
        family = [*process.children(recursive=True), process] if process.is_running() else []
        for member in family:
            with contextlib.suppress(psutil.NoSuchProcess):
                member.terminate()
        for survivor in psutil.wait_procs(family, timeout=10)[1]:
            survivor.kill()


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=60) as reply:
            return bool(reply.status == 200)
    except OSError:
        return False
