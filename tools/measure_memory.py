"""Measures what a Binder image needs: JupyterLab, a notebook run in it, and the explorer in Voila.

``python -m tools.measure_memory`` starts a server on this machine's loopback with folders of its
own, runs the notebook's cells in a kernel of the server, opens the explorer as Binder's link does,
and prints the memory of the whole process tree.  PSS, the figure to compare with a limit, shares
out what processes have in common; the sum of RSS counts it again for each.  With ``--each`` it
prints instead, for every notebook of the series, what that adds to a server at the most.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import os
import secrets
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent import futures
from functools import partial
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
import requests
from jupyter_client.blocking.client import BlockingKernelClient

from . import notebook_files as files

EXPLORER = "notebooks/app/explorer.ipynb"
#: What a Binder image may take, and what a notebook may, in MB.
LIMIT, LIMIT_OF_EACH = 1000, 600
#: What the server may take to start, and a page to be rendered.
TIMEOUT_S = 120
SAMPLE_EVERY_S = 0.25
#: The explorer goes on computing when its page is there.
SETTLE_S = 10


@dataclasses.dataclass(frozen=True)
class Server:
    """A Jupyter server as Binder starts it, but on the loopback and with folders of its own."""

    address: str
    token: str
    process: psutil.Process
    runtime: Path

    def ask(self, path: str, body: dict[str, Any] | None = None) -> requests.Response:
        """The server's answer: the page at `path`, or what comes of a JSON request."""
        reply = requests.request(
            "POST" if body else "GET",
            f"{self.address}{path}",
            json=body,
            headers={"Authorization": f"token {self.token}"},
            timeout=TIMEOUT_S,
        )
        reply.raise_for_status()
        return reply


@contextlib.contextmanager
def server() -> Iterator[Server]:
    """A running server on the repository; it and its kernels are gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        private = {
            f"JUPYTER_{name}": str(Path(folder, name.lower()))
            for name in ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR")
        }
        token = secrets.token_hex(16)
        command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1"]
        command += ["--port=0", "--ServerApp.port_retries=0", "--allow-root"]
        command += [f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={files.ROOT}"]
        environment = {**os.environ, **private, "TQDM_DISABLE": "1", "IPYTHONDIR": folder}
        with Path(folder, "log").open("w") as log:
            process = psutil.Popen(command, env=environment, stdout=log, stderr=log)
        runtime = Path(private["JUPYTER_RUNTIME_DIR"])
        try:
            address = _address(runtime, process, Path(folder, "log"))
            yield Server(address, token, process, runtime)
        finally:
            _end(process)


def _address(runtime: Path, process: psutil.Popen, log: Path) -> str:
    """Where the server listens, once it answers."""
    deadline = time.monotonic() + TIMEOUT_S
    while time.monotonic() < deadline and process.poll() is None:
        for file in runtime.glob("jpserver-*.json"):
            with contextlib.suppress(ValueError, requests.RequestException):
                address = str(json.loads(file.read_text())["url"])
                requests.get(f"{address}api", timeout=5).raise_for_status()
                return address
        time.sleep(0.2)
    raise RuntimeError(f"the server did not start:\n{log.read_text()}")


def _end(process: psutil.Popen) -> None:
    """End the server, then whatever of its kernels is left."""
    tree = [*process.children(recursive=True), process]
    process.terminate()
    psutil.wait_procs([process], timeout=20)
    for left in tree:
        with contextlib.suppress(psutil.NoSuchProcess):
            left.kill()
    process.wait()


def run_notebook(jupyter: Server, name: str) -> None:
    """Run all cells of a notebook in a kernel of the server, as its reader would."""
    session = {"path": name, "name": name, "type": "notebook", "kernel": {"name": "python3"}}
    kernel = jupyter.ask("api/sessions", session).json()["kernel"]["id"]
    client = BlockingKernelClient(connection_file=str(jupyter.runtime / f"kernel-{kernel}.json"))
    client.load_connection_file()
    client.start_channels()
    try:
        _wait_for(client)
        for cell in files.read(files.ROOT / name).cells:
            if cell.cell_type == "code":
                client.execute_interactive(
                    cell.source, timeout=TIMEOUT_S, output_hook=lambda message: None
                )
    finally:
        client.stop_channels()


def _wait_for(client: BlockingKernelClient) -> None:
    """Until the kernel answers: on a busy machine it is taken for dead while it starts."""
    deadline = time.monotonic() + TIMEOUT_S
    while True:
        try:
            return client.wait_for_ready(timeout=TIMEOUT_S)
        except RuntimeError:
            if time.monotonic() > deadline:
                raise


@dataclasses.dataclass
class Memory:
    """Memory of a process tree in bytes, and the most that it has been."""

    process: psutil.Process
    pss: int = 0
    rss: int = 0
    peak: int = 0

    def measure(self) -> None:
        """Look once."""
        pss = rss = 0
        for process in [self.process, *self.process.children(recursive=True)]:
            with contextlib.suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
                full = process.memory_full_info()
                # Only Linux knows PSS; elsewhere RSS is an upper bound of it.
                pss += getattr(full, "pss", full.rss)
                rss += full.rss
        self.pss, self.rss, self.peak = pss, rss, max(self.peak, pss)

    def watch(self, step: Callable[[], object]) -> None:
        """Look again and again while something is done."""
        with futures.ThreadPoolExecutor(1) as pool:
            done = pool.submit(step)
            while not futures.wait([done], timeout=SAMPLE_EVERY_S).done:
                self.measure()
        done.result()

    def line(self, what: str) -> str:
        """The figures in words."""
        self.measure()
        megabytes = [f"{value / 1e6:5.0f} MB" for value in (self.pss, self.rss, self.peak)]
        return "{:38} PSS {}   sum of RSS {}   highest PSS {}".format(what, *megabytes)


def each(limit: float) -> bool:
    """Print what each notebook of the series needs; whether all stay within `limit` MB."""
    most = 0.0
    for path in files.series():
        with server() as jupyter:
            memory = Memory(jupyter.process)
            memory.measure()
            alone = memory.pss
            memory.watch(partial(run_notebook, jupyter, files.name_of(path)))
        needed = (memory.peak - alone) / 1e6
        print(f"{needed:5.0f} MB  {files.name_of(path)}", flush=True)
        most = max(most, needed)
    return most <= limit


def main(arguments: list[str] | None = None) -> int:
    """Print the memory after each step; the exit status is 1 if the limit was passed."""
    parser = argparse.ArgumentParser(prog="python -m tools.measure_memory", description=__doc__)
    parser.add_argument(
        "--limit", type=float, metavar="MB", help=f"default: {LIMIT}, and {LIMIT_OF_EACH} for each"
    )
    parser.add_argument(
        "--notebook", default=files.name_of(files.series()[0]), help="default: %(default)s"
    )
    parser.add_argument("--each", action="store_true", help="every notebook of the series")
    options = parser.parse_args(arguments)
    if options.each:
        return 0 if each(options.limit or LIMIT_OF_EACH) else 1
    with server() as jupyter:
        memory = Memory(jupyter.process)
        jupyter.ask("lab")
        print(memory.line("JupyterLab"), flush=True)
        memory.watch(lambda: run_notebook(jupyter, options.notebook))
        print(memory.line(f"and {Path(options.notebook).stem}, run to its end"), flush=True)
        memory.watch(lambda: jupyter.ask(f"voila/render/{EXPLORER}"))
        memory.watch(lambda: time.sleep(SETTLE_S))
        print(memory.line("and the explorer in Voila"), flush=True)
    return 1 if memory.peak > (options.limit or LIMIT) * 1e6 else 0


if __name__ == "__main__":
    sys.exit(main())
