"""Commands and servers as a newcomer starts them; nothing of either is left running."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import psutil

from ..browser.servers import free_port, started


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
    address = f"http://127.0.0.1:{port}"
    with started(
        ["make", target],
        Path(environment["JUPYTER_RUNTIME_DIR"]) / f"{target}.log",
        f"{address}/?token=newcomer",
        cwd=clone,
        env={**environment, "NO_BROWSER": "1", "PORT": str(port)},  # what make app asks for
    ) as process:
        yield address, process
