"""What is free of memory, and one sentence where it does not suffice."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import numpy as np
import pytest

from mtsig_nb import memory
from mtsig_nb.errors import is_out_of_memory, out_of_memory
from mtsig_nb.memory import free_memory
from mtsig_nb.report.analysis import Analysis
from mtsig_nb.widgets.runner import Runner

from .cli.program import refusal
from .messages import naming

linux = pytest.mark.skipif(sys.platform != "linux", reason="limits that Linux keeps")


def test_what_is_free_is_the_least_that_the_system_tells(tmp_path, monkeypatch):
    monkeypatch.setattr(memory, "_PROC", tmp_path)
    monkeypatch.setattr(memory, "_GROUP", tmp_path)
    assert memory._free_in_computer() == memory._left_of_group() == float("inf")
    (tmp_path / "meminfo").write_text("MemTotal:  16000 kB\nMemAvailable:  8000 kB\n")
    assert free_memory() <= 8000 * 1024
    (tmp_path / "memory.max").write_text("max\n")
    assert memory._left_of_group() == float("inf")
    (tmp_path / "memory.max").write_text("5000\n")
    (tmp_path / "memory.stat").write_text("anon 3000\nfile 1500\n")
    assert free_memory() == 2000
    (tmp_path / "memory.stat").write_text("anon 6000\n")
    assert free_memory() == 0


LEFT = """\
import resource
from mtsig_nb.memory import free_memory
resource.setrlimit(resource.RLIMIT_AS, (10**9, resource.RLIM_INFINITY))
left = free_memory()
assert 0 < left < 10**9
block = bytearray(3 * 10**8)
assert abs(left - free_memory() - 3 * 10**8) < 10**7
"""


@linux
def test_a_limit_of_the_process_is_reckoned_with():
    subprocess.run([sys.executable, "-c", LEFT], check=True)


def test_errors_that_mean_memory_are_known():
    with pytest.raises(MemoryError) as numpys:
        np.empty(2**50)
    assert is_out_of_memory(numpys.value)
    assert "Unable to allocate" in out_of_memory(numpys.value)
    library = ImportError("lib.so: failed to map segment from shared object")
    assert is_out_of_memory(library)
    assert not is_out_of_memory(ImportError("No module named 'nltk'"))
    outer = ImportError("numpy cannot be imported")
    outer.__cause__ = library
    assert is_out_of_memory(outer)
    assert is_out_of_memory(OSError(12, "Cannot allocate memory"))


@pytest.mark.parametrize("typed", ["compare", "compare --pairs", "measure"])
def test_the_command_line_says_in_one_sentence_which_files_were_too_large(
    typed, tmp_path, monkeypatch
):
    (tmp_path / "réf\n.txt").write_text("a b\n" * 50_000)
    (tmp_path / "a.txt").write_text("a b\n" * 50_000)

    def too_much(*_, **__):
        np.empty(2**50)

    monkeypatch.setattr(Analysis, "statistics", too_much)
    monkeypatch.chdir(tmp_path)
    said = refusal(f"{typed} -r 'réf\n.txt' a.txt")
    assert re.search(naming("not enough memory", "a.txt, r"), said)
    assert "(0.4 MB)" in said
    assert "8.00 PiB" in said
    assert "Give fewer" in said


COMPARE = """\
import resource, sys
from mtsig_nb.cli import main
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]), resource.RLIM_INFINITY))
main(sys.argv[2:])
"""


@pytest.mark.slow
@linux
@pytest.mark.parametrize("megabytes", [300, 350, 400, 700])
def test_with_little_memory_there_is_an_answer_or_a_sentence(tmp_path, megabytes):
    scores = np.random.default_rng(1).normal(size=(2, 100_000)).round(4)
    for name, column in zip("AB", scores, strict=True):
        np.savetxt(tmp_path / f"{name}.txt", column, fmt="%.4f")
    typed = ["compare", "--scores", "A.txt", "B.txt", "-n", "500", "-f", "json"]
    done = subprocess.run(
        [sys.executable, "-c", COMPARE, str(megabytes * 10**6), *typed],
        cwd=tmp_path,
        env=os.environ | {"OMP_NUM_THREADS": "1", "TQDM_DISABLE": "1"},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith("mtsig: error: ")
        assert "memory" in done.stderr
        assert done.stderr.count("\n") == 1
    else:
        assert '"verdicts"' in done.stdout
    assert megabytes < 700 or done.returncode == 0


def test_the_explorers_thread_hands_the_error_on():
    ends = []
    runner = Runner(lambda *_: None, ends.append)
    runner.submit(lambda: np.empty(2**50))
    assert runner.wait(10)
    assert is_out_of_memory(ends[0])
