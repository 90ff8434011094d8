"""A forked kernel is one that was started: alone, in its folder, and gone when it is shut down."""

from __future__ import annotations

import sys

import psutil
import pytest
from jupyter_client.manager import start_new_kernel

from ..forked_kernels import IMPORTED, forked_kernels

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere kernels are started"),
]
ASKED = """
import os, sys
options = __import__("numpy").get_printoptions()["precision"]
columns = __import__("pandas").get_option("display.max_columns")
print([os.getcwd(), sorted(set(dir()) & {"left", "IMPORTED"}), options, columns, "" in sys.path])
left = __import__("numpy").set_printoptions(precision=2)
"""


def answer(client, code: str) -> str:
    said = []
    client.execute_interactive(
        code, timeout=60, output_hook=lambda message: said.append(message["content"].get("text"))
    )
    return "".join(filter(None, said))


def test_two_kernels_know_nothing_of_each_other(tmp_path):
    folders = [tmp_path / "one", tmp_path / "other"]
    for folder in folders:
        folder.mkdir()
        with forked_kernels():
            manager, client = start_new_kernel(cwd=str(folder))
        try:
            process = psutil.Process(manager.provisioner.pid)
            assert process.ppid() != psutil.Process().pid, "it is forked by another process"
            assert answer(client, ASKED) == f"{[str(folder), [], 8, 20, True]}\n"
            assert answer(client, f"print(set({IMPORTED!r}) <= set(sys.modules))") == "True\n"
        finally:
            client.stop_channels()
            manager.shutdown_kernel(now=True)
        # One that has ended may wait for its parent to take note of it.
        assert not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
