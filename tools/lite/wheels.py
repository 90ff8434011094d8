"""The wheels that the browser gets: the package without its data, and what Pyodide has not."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from mtsig_nb.campaigns.embedded import DESCRIPTION

from ..notebook_files import ROOT

#: Of the data, what every page needs: lists, checksums, and what the papers print.
_KEPT = {"registry.tsv", "published"}


def fetch(programs: Path, lock: Path, target: Path) -> None:
    """Put the pure-Python wheels that `lock` names, with its hashes, into `target`."""
    command = [str(programs / "python"), "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--disable-pip-version-check", "--no-input", "--require-hashes"]
    command += ["--only-binary", ":all:", "--implementation", "py", "--abi", "none"]
    command += ["--platform", "any", "--python-version", "3.14"]
    subprocess.run([*command, "--dest", str(target), "--requirement", str(lock)], check=True)


def build(target: Path) -> Path:
    """Build the package as it would be published, and leave the campaigns out."""
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "build", "--wheel", "--no-isolation"]
        subprocess.run([*command, "-o", scratch, str(ROOT)], check=True, capture_output=True)
        (whole,) = Path(scratch).glob("*.whl")
        with zipfile.ZipFile(whole) as members:
            names = filter(is_shipped, members.namelist())
            return write(target / whole.name, ((name, members.read(name)) for name in names))


def is_shipped(member: str) -> bool:
    """Whether a file of the wheel is needed before any campaign is loaded.

    >>> is_shipped("mtsig_nb/_datasets/wmt12/es-en/campaign.json")
    True
    >>> is_shipped("mtsig_nb/_datasets/wmt12/es-en/statistics/TER.A.npz")
    False
    """
    package, *inside = PurePosixPath(member).parts
    if package.endswith(".dist-info"):
        return inside != ["RECORD"]
    return inside[0] != "_datasets" or inside[1] in _KEPT or inside[-1] == DESCRIPTION


def write(wheel: Path, files: Iterable[tuple[str, bytes]]) -> Path:
    """Write a wheel of `files`, with the record that every wheel has of them."""
    record = io.StringIO()
    rows = csv.writer(record, lineterminator="\n")
    name, version = wheel.name.split("-")[:2]
    itself = f"{name}-{version}.dist-info/RECORD"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in files:
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
            rows.writerow([member, f"sha256={digest}", len(content)])
            archive.writestr(zipfile.ZipInfo(member), content, zipfile.ZIP_DEFLATED)
        rows.writerow([itself, "", ""])
        archive.writestr(zipfile.ZipInfo(itself), record.getvalue(), zipfile.ZIP_DEFLATED)
    return wheel
