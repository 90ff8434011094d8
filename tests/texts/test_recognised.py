"""Files that are no text are named for what they are, with the way to a text."""

from __future__ import annotations

import bz2
import io
import lzma
import pickle
import sqlite3
import tarfile
import zipfile

import numpy as np
import pytest

import mtsig_nb as mt
from mtsig_nb.scores.reading import read_scores
from mtsig_nb.texts.files import read_text
from mtsig_nb.texts.recognised import RECIPES, binary_format, log_program

TEXT = "The cat sleeps.\nDer Käse, so schön.\nThe dog barks.\n" * 4


def zipped(*names: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in names:
            archive.writestr(name, "content")
    return stream.getvalue()


def tarred() -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.txt"))
    return stream.getvalue()


def stored_array() -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.arange(3))
    return stream.getvalue()


def database() -> bytes:
    with sqlite3.connect(":memory:") as connection:
        connection.execute("create table scores (system text, score real)")
        return connection.serialize()


BINARY = {
    "UTF-16, marked": (TEXT.encode("utf-16"), "text in UTF-16", "iconv -f UTF-16 "),
    "UTF-16LE": (TEXT.encode("utf-16-le"), "text in UTF-16LE", "iconv -f UTF-16LE "),
    "UTF-16BE": (TEXT.encode("utf-16-be"), "text in UTF-16BE", "iconv -f UTF-16BE "),
    "UTF-32, marked": (TEXT.encode("utf-32"), "text in UTF-32", "iconv -f UTF-32 "),
    "Excel": (zipped("xl/workbook.xml", "xl/sheet1.xml"), "an Excel workbook", "CSV in UTF-8"),
    "Word": (zipped("word/document.xml"), "a Word document", "plain text in UTF-8"),
    "zip": (zipped("a.txt", "b.txt"), "a zip archive", "unzip "),
    "Inspect": (zipped("_journal/start.json"), "an Inspect log", "inspect log dump "),
    "arrays": (zipped("values.npy"), "an archive of NumPy arrays", "savetxt"),
    "tar": (tarred(), "a tar archive", "tar xf "),
    "bzip2": (bz2.compress(TEXT.encode()), "compressed with bzip2", "bunzip2 -k "),
    "xz": (lzma.compress(TEXT.encode()), "compressed with xz", "unxz -k "),
    "NumPy": (stored_array(), "a NumPy array", "savetxt"),
    "pickle": (pickle.dumps([1, 2]), "a Python pickle", "Nothing is unpickled"),
    "SQLite": (database(), "an SQLite database", "CSV"),
    "Parquet": (b"PAR1\x15\x04\x15", "a Parquet file", "read_parquet("),
    "PDF": (b"%PDF-1.7\n", "a PDF", "Give the text"),
}


@pytest.mark.parametrize("kind", BINARY)
def test_what_is_no_text_is_named_with_the_way_to_a_text(tmp_path, kind):
    content, name, advice = BINARY[kind]
    path = tmp_path / "given.txt"
    path.write_bytes(content)
    for read in (read_text, read_scores, lambda path: mt.read_test_set(reference=path)):
        with pytest.raises(mt.InputError) as caught:
            read(path)
        assert f"'given.txt' is {name}." in str(caught.value)
        assert advice in str(caught.value)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_text_in_any_script_is_no_other_format(encoding):
    for text in (TEXT, "我喜欢茶。\n", "ฉันชอบชา\n", "PK", "BZ", "a\n"):
        assert binary_format(text.encode(encoding)) is None


def test_logs_of_programs_that_translate():
    simuleval = '{"index": 0, "prediction": "A.", "delays": [], "reference": "B.", "x": 1}\n'
    fairseq = "2024 | INFO | loaded\nS-3\tx\nT-3\ty\nH-3\t-0.5\tz\nP-3\t-0.5\nGenerate test\n"
    assert log_program(simuleval) == "SimulEval"
    assert log_program(fairseq) == "fairseq"
    assert {*RECIPES} == {"SimulEval", "fairseq"}
    for text in ("", "A cat.\n", '{"index": 0}\n', "{", "S-3\tx\n", "T-4 tanks\n", "[" * 9000):
        assert log_program(text) == ""
