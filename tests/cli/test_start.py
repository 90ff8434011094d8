"""What a command imports: nothing that its answer does not need, since all of it is waited for."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ..worse_and_worse import write_texts

#: Tenths of a second each.
HEAVY = {
    "IPython",
    "ipywidgets",
    "jinja2",
    "matplotlib",
    "multiprocessing.pool",
    "mtsig_nb.human",
    "mtsig_nb.widgets",
    "scipy.stats",
    "statsmodels",
    "tqdm.auto",
}
#: What pandas imports when something is taken from it, which comparing texts needs as little.
OF_PANDAS = "pandas.core"
COMMAND = """
import sys

from mtsig_nb.cli import main
try:
    main(sys.argv[1:])
finally:
    print(*sys.modules, file=sys.stderr)
"""


def imported_by(folder, *arguments) -> set[str]:
    """Names of all modules that a process has in the end, after `mtsig` with these arguments."""
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments],
        # On a slow machine a bar would come up, whose module is one of these.
        env=os.environ | {"MTSIG_CACHE": str(folder / "cache"), "TQDM_DISABLE": "1"},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "better" in done.stdout or "cannot tell" in done.stdout, done.stderr
    return set(done.stderr.split())


@pytest.mark.slow
def test_comparing_imports_nothing_that_the_answer_does_not_need(tmp_path):
    write_texts(tmp_path)
    command = ("compare", "good.txt", "poor.txt", "-r", "ref.txt", "-m", "BLEU")
    cold = imported_by(tmp_path, *command)
    assert not cold & (HEAVY | {OF_PANDAS})
    assert "sacrebleu" in cold
    # Its tokenisers are needed to count, and nothing is left to count.
    assert not imported_by(tmp_path, *command) & (HEAVY | {OF_PANDAS, "sacrebleu"})
    assert not imported_by(tmp_path, "compare", "-t", "wmt12/es-en") & (HEAVY | {"sacrebleu"})
