"""The wheels that the browser gets: the package, and what Pyodide has not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from ..notebook_files import ROOT


def fetch(programs: Path, lock: Path, target: Path) -> None:
    """Put the pure-Python wheels that `lock` names, with its hashes, into `target`."""
    command = [str(programs / "python"), "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--disable-pip-version-check", "--no-input", "--require-hashes"]
    command += ["--only-binary", ":all:", "--implementation", "py", "--abi", "none"]
    command += ["--platform", "any", "--python-version", "3.14"]
    subprocess.run([*command, "--dest", str(target), "--requirement", str(lock)], check=True)


def build(target: Path) -> None:
    """Build the package's wheel into `target`, as it is published."""
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(target)]
    subprocess.run([*command, str(ROOT)], check=True, capture_output=True)
