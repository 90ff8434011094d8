"""Every error that a reader of texts can raise, each with an input that raises it.

The errors are collected from the code: one that is added without an input here is missed.
"""

from __future__ import annotations

import ast
import gzip
import io
import traceback
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mtsig_nb as mt
from mtsig_nb.texts import files
from mtsig_nb.texts.files import load_json, read_text, unique

from .test_logs import OUTPUTS, REFERENCE, fairseq, simuleval
from .test_reading import REFSET, TSTSET, WMT

ROOM = Path(files.__file__).parent
TEXT = "".join(f"{line}\n" for line in REFERENCE)

#: What raises an error: files by their names in a folder, and what is read of them there.
Case = tuple[dict[str, str | bytes], Callable[[Path], object]]


def read(**given: Any) -> Callable[[Path], object]:
    """Read a test set: names become paths in the folder."""

    def in_folder(folder: Path) -> object:
        def path(value: Any) -> Any:
            if isinstance(value, dict):
                return {name: path(one) for name, one in value.items()}
            if isinstance(value, list):
                return [path(one) for one in value]
            return folder / value if isinstance(value, str) else value

        return mt.read_test_set(**{name: path(value) for name, value in given.items()})

    return in_folder


def alone(name: str, content: str | bytes, **options: Any) -> Case:
    """A file that is the system, beside a sound reference."""
    return {name: content, "ref.txt": TEXT}, read(reference="ref.txt", systems=name, **options)


def lists(**change: Any) -> Case:
    given = {"reference": REFERENCE, "systems": {"A": OUTPUTS}} | change
    return {}, lambda _: mt.Texts.from_texts(**given)


CASES: dict[str, Case] = {
    # what cannot be read
    "no file": ({}, read(reference="none.txt", systems="none.txt")),
    "no path": ({}, lambda _: mt.read_test_set(reference="nul\0", systems="nul\0")),
    "no bytes": alone("a.txt", b""),
    "blank alone": ({"a": "\n\n"}, lambda folder: read_text(folder / "a")),
    "no text": alone("a.txt", b"PAR1\x15"),
    "not UTF-8": alone("a.txt", b"na\xefve\n"),
    "zero byte": alone("a.txt", b"one\0\n"),
    "damaged gzip": alone("a.txt.gz", gzip.compress(TEXT.encode())[:20]),
    "too large": alone("a.txt", "\n" * 4_000_001),
    # JSON, for every reader of it
    "JSON too deep": ({}, lambda _: load_json("x", "[" * 100_000)),
    "half a pair": ({}, lambda _: load_json("x", '"\\ud800"')),
    "no JSON": ({}, lambda _: load_json("x", "{")),
    "a name twice": ({}, lambda _: unique("x", [("a", 1), ("a", 2)])),
    # which files are meant
    "no files": ({}, lambda _: mt.read_test_set(reference=[])),
    "a folder for a reference": ({}, lambda folder: mt.read_test_set(reference=folder)),
    "a pattern": ({"ref.txt": TEXT}, read(reference="ref.txt", systems="*.en")),
    "an empty folder": (
        {"ref.txt": TEXT, "out/README.md": "x"},
        read(reference="ref.txt", systems="out"),
    ),
    "a name for two": (
        {"ref.txt": TEXT, "out/a.txt": TEXT, "out/b.txt": TEXT},
        read(reference="ref.txt", systems={"x": "out"}),
    ),
    "no system": ({"ref.txt": TEXT}, read(reference="ref.txt")),
    "a name of two": (
        {"ref.txt": TEXT, "1/a.tsv": "X\tY\na\tb\n", "2/a.tsv": "X\tZ\na\tb\n"},
        read(reference="ref.txt", systems=["1/a.tsv", "2/a.tsv"]),
    ),
    "no such part": alone("a.sgm", REFSET),
    "no such name": ({"a.xml": WMT}, read(reference="a.xml", systems={"Z": "a.xml"})),
    "no number of references": alone("a.txt", TEXT, n_references=0),
    # formats
    "another format": alone("a.jsonl", "{}\n"),
    "columns in every line": alone("a.txt", "1\ta\n2\tb\n"),
    "fewer references": (
        {"refs.txt": "a\tb\nc\n", "a.txt": TEXT},
        read(reference="refs.txt", systems="a.txt", n_references=2),
    ),
    "a field too many": alone("a.tsv", "A\tB\na\tb\tc\n"),
    "a column without a name": alone("a.tsv", "A\t\na\tb\n"),
    "seg after seg": alone("a.sgm", TSTSET.replace("A1.2</seg>", "A1.2")),
    "seg outside": alone("a.sgm", "<tstset><seg>x</seg></tstset>"),
    "an end alone": alone("a.sgm", "<tstset></tstset></seg>"),
    "another end": alone("a.sgm", "<tstset><doc></tstset>"),
    "no end": alone("a.sgm", TSTSET[:-10]),
    "seg twice": alone("a.sgm", TSTSET.replace('<seg id="2"/>', '<seg id="1">x</seg>')),
    "seg lacking": alone("a.sgm", TSTSET.replace('<seg id="2"/>', "")),
    "no seg": alone("a.sgm", "<tstset></tstset>"),
    "no XML": alone("a.xml", WMT[:-5]),
    "another XML": alone("a.xml", "<?xml version='1.0'?><xliff/>"),
    "seg in seg": alone("a.xml", WMT.replace("Dogs", "D<seg>og</seg>s")),
    "log without an object": alone("x.log", simuleval(OUTPUTS, REFERENCE) + "[]\n"),
    "log without a prediction": alone("x.log", simuleval(OUTPUTS, REFERENCE) + "{}\n"),
    "log with an index twice": alone("x.log", simuleval(OUTPUTS, REFERENCE, (0, 0))),
    "log with a sentence twice": alone("x.log", fairseq(order=(0, 0))),
    "log cut off": alone("x.log", fairseq() + "S-9\tx\n"),
    # what does not make a test set
    "other lengths": alone("a.txt", TEXT + TEXT),
    "one segment": lists(reference=["x"], systems={"A": ["y"]}),
    "no systems": lists(systems={}),
    "no references": lists(reference=[]),
    "a name that is not UTF-8": lists(systems={"\udce9": OUTPUTS}),
    "one text": lists(reference="x"),
    "no text in a list": lists(systems={"A": ["x", None, "y"]}),
    "no document": lists(documents=["d", None, "d"]),
    "a reference without text": lists(reference=["", " ", ""]),
    "a segment without a reference": lists(reference=["x", "", "y"]),
}


def standard_input_twice(folder: Path) -> object:
    return mt.read_test_set(reference="-", systems=["-", folder / "a.txt"])


@pytest.fixture
def raised_at(tmp_path):
    """Run a case, and say where in the room its error comes from."""

    def run(case: Case) -> tuple[str, int]:
        contents, act = case
        for name, content in contents.items():
            path = tmp_path / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        with pytest.raises(mt.InputError) as caught:
            act(tmp_path)
        assert str(caught.value).endswith((".", "'"))
        frames = traceback.extract_tb(caught.value.__traceback__)
        own = [frame for frame in frames if Path(frame.filename).parent == ROOM]
        return Path(own[-1].filename).name, own[-1].lineno or 0

    return run


def test_every_error_has_an_input_that_raises_it(raised_at, monkeypatch):
    found = {raised_at(case) for case in CASES.values()}
    stream = types.SimpleNamespace(buffer=io.BytesIO(TEXT.encode()))
    monkeypatch.setattr("sys.stdin", stream)
    found.add(raised_at(({"a.txt": TEXT}, standard_input_twice)))
    missed = []
    for module in sorted(ROOM.glob("*.py")):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Raise) or node.exc is None:
                continue
            lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            what = ast.unparse(node.exc)
            if what == "AssertionError" or any((module.name, line) in found for line in lines):
                continue
            missed.append(f"{module.name}:{node.lineno}: {what[:60]}")
    assert not missed
