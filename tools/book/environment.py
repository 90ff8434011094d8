"""The book's own Python environment: Jupyter Book 1 and JupyterLab 4 do not resolve together.

It holds exactly `book/requirements.lock`: Jupyter Book, and what ``import mtsig_nb`` needs, because
the API reference is made by importing the package (Sphinx's autodoc).  Reading the source without
importing it would need less, but would miss what exists only at run time: fields and signatures of
dataclasses, methods that classes inherit, names that ``mtsig_nb.human`` and others pass on.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from ..notebook_files import ROOT

LOCK = ROOT / "book" / "requirements.lock"
#: Inside `.venv`, where git, ruff and the others look for nothing.
FOLDER = ROOT / ".venv" / "book"


def prepare(folder: Path = FOLDER, lock: Path = LOCK) -> Path:
    """The environment's `bin`, set up first if it is missing or other than the lock says."""
    stamp = folder / ".set-up"
    wanted = lock.read_text(encoding="utf-8")
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        for command in commands(folder, lock, shutil.which("uv")):
            subprocess.run(command, check=True)
        stamp.write_text(wanted, encoding="utf-8")
    return folder / "bin"


def commands(folder: Path, lock: Path, uv: str | None) -> list[list[str]]:
    """What makes the environment, with uv where there is one."""
    install = ["install", "--quiet", "--require-hashes", "-r", str(lock)]
    if uv:
        return [
            [uv, "venv", "--quiet", "--python", sys.executable, str(folder)],
            [uv, "pip", *install, "--python", str(folder)],
        ]
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--no-input"]
    return [[sys.executable, "-m", "venv", str(folder)], [*pip, *install]]
