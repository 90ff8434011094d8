"""The book's own Python environment: Jupyter Book 1 and JupyterLab 4 do not resolve together.

It holds exactly `book/requirements.lock`: Jupyter Book, and what ``import mtsig_nb`` needs, because
the API reference is made by importing the package (Sphinx's autodoc).  Reading the source without
importing it would need less, but would miss what exists only at run time: fields and signatures of
dataclasses, methods that classes inherit, names that ``mtsig_nb.human`` and others pass on.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from ...notebooks.files import ROOT

LOCK = ROOT / "book" / "requirements.lock"
#: Inside `.venv`, where git, ruff and the others look for nothing.
FOLDER = ROOT / ".venv" / "book"


def prepare(folder: Path = FOLDER, lock: Path = LOCK) -> Path:
    """The environment's `bin`, set up first if it is missing or other than the lock says."""
    stamp = folder / ".set-up"
    wanted = lock.read_text(encoding="utf-8")
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        set_up = [str(ROOT / "tools" / "setup.sh"), str(folder), str(lock)]
        subprocess.run(set_up, check=True, env={**os.environ, "PYTHON": sys.executable})
        stamp.write_text(wanted, encoding="utf-8")
    return folder / "bin"
