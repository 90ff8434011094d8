"""Notebooks print the same on other processors: nbval, with libraries told that they run there.

OpenBLAS takes the kernels of the processor that it is told of, NumPy leaves out instructions that
it is told to; sums are then made in other orders, and last digits change.  A few notebooks that
iterate or decompose are compared in every run of ``make test-all`` and in ``.ci/run``, all of them
under every variant with ``-m processors``.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

from tools.notebooks import files

#: What OpenBLAS is told to be, and how it may then call itself.
CORES = {
    "Haswell": "Haswell",
    "Nehalem": "Nehalem",
    "Prescott": "Prescott|Katmai",
    **({"SkylakeX": "SkylakeX"} if __cpu_features__.get("AVX512F") else {}),
}
#: NumPy's targets from the named one on, the first of which need the least.
NUMPY = {
    level: __cpu_dispatch__[__cpu_dispatch__.index(level) :]
    for level in ("X86_V4", "X86_V3")
    if __cpu_features__.get(level) and level in __cpu_dispatch__
}
VARIANTS: dict[str, dict[str, str]] = {
    f"{core}-{threads}": {"OPENBLAS_CORETYPE": core, "OPENBLAS_NUM_THREADS": threads}
    for core in CORES
    for threads in ("1", "2")
} | {f"no-{level}": {"NPY_DISABLE_CPU_FEATURES": " ".join(off)} for level, off in NUMPY.items()}

#: Eigenvalues and regressions, quantiles, Bradley-Terry; ranks and ties.
SENSITIVE = ("20_comparisons", "24_rankings", "29_train_it_again")
SOME = ("Prescott-2", "no-X86_V3")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not NUMPY, reason="this is no x86 processor that could be another one"),
]


def took_effect(variant: str, around: Mapping[str, str]) -> bool:
    """Whether the libraries say that they are what they are told to be."""
    asked = (
        "import numpy as np; np.eye(2) @ np.eye(2); "
        "from numpy._core._multiarray_umath import __cpu_features__ as has; "
        "print(*(name for name, is_there in has.items() if is_there))"
    )
    done = subprocess.run(
        [sys.executable, "-c", asked],
        env={**around, "OPENBLAS_VERBOSE": "2"},
        capture_output=True,
        text=True,
        check=True,
    )
    if core := around.get("OPENBLAS_CORETYPE"):
        return re.search(rf"Core: ({CORES[core]})\n", done.stdout + done.stderr) is not None
    return not set(VARIANTS[variant]["NPY_DISABLE_CPU_FEATURES"].split()) & set(done.stdout.split())


def compared(variant: str, notebooks: list[Path], jobs: str) -> None:
    """Run nbval on the notebooks under a variant."""
    ours = ("OMP_NUM_THREADS", "PYTEST_")  # the first would be heard before OpenBLAS' own
    around = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    around |= {"TQDM_DISABLE": "1", **VARIANTS[variant]}
    assert took_effect(variant, around)
    command = [sys.executable, "-m", "pytest", "-q", "-n", jobs, "--dist", "loadfile"]
    command += ["-p", "tests.nbval_numbers", "--nbval", "--nbval-current-env"]
    command += ["--nbval-sanitize-with", "tests/nbval_sanitize.cfg", *map(str, notebooks)]
    done = subprocess.run(command, cwd=files.ROOT, env=around, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-20_000:]


@pytest.mark.thorough
@pytest.mark.parametrize("variant", SOME)
def test_sensitive_notebooks_print_the_same(variant):
    some = [path for path in files.series() if path.name.startswith(SENSITIVE)]
    assert len(some) == len(SENSITIVE)
    compared(variant, some, "0")


@pytest.mark.processors
@pytest.mark.parametrize("variant", VARIANTS)
def test_all_notebooks_print_the_same(variant):
    compared(variant, [pair.notebook for pair in files.pairs()], "2")
