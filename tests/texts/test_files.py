"""What is read has an end, whatever it is, and a pipe is read once and known from then on."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import tracemalloc

import pytest

import mtsig_nb as mt
from mtsig_nb.scores.table import read_score_table
from mtsig_nb.texts import files
from mtsig_nb.texts.files import read_text
from mtsig_nb.texts.reading import read_texts

from ..messages import naming

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX's pipes and devices")


@pytest.fixture
def little(monkeypatch):
    monkeypatch.setattr(files, "MOST_BYTES", 3_000_000)


@pytest.fixture
def pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


def test_a_file_may_be_as_large_as_the_limit(tmp_path, little):
    (tmp_path / "file").write_bytes(b"x" * 3_000_000)
    assert len(read_text(tmp_path / "file")) == 3_000_000
    (tmp_path / "file").write_bytes(b"x" * 3_000_001)
    with pytest.raises(mt.InputError, match=naming("3 MB", "a part")):
        read_text(tmp_path / "file")


@pytest.mark.parametrize("members", [1, 30])
def test_a_gzip_bomb_is_unpacked_no_further(tmp_path, little, members):
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(bytes(60_000_000 // members)) * members)
    with pytest.raises(mt.InputError, match=naming("bomb.gz'", "unpacks", "3 MB")):
        mt.read_test_set(reference=path, systems=[path])
    with pytest.raises(mt.InputError, match=naming("bomb.gz'", "unpacks", "3 MB")):
        read_score_table(str(path))


@pytest.mark.parametrize(
    ("unit", "bound"),
    [(b"\n", "4,000,000 lines"), (b"{},", "20,000,000 fields"), (b"<a/>", "20,000,000 fields")],
)
@pytest.mark.parametrize("read", [read_texts, lambda path: read_score_table(str(path))])
def test_lines_and_fields_are_counted_before_lists_are_made_of_them(tmp_path, unit, bound, read):
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(unit * 21_000_000, compresslevel=1, mtime=0))
    tracemalloc.start()
    try:
        with pytest.raises(mt.InputError) as caught:
            read(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert re.search(naming(repr(str(path)), f"more than {bound},", "a part"), str(caught.value))
    assert peak < 150_000_000


@posix
def test_an_endless_device_and_an_endless_pipe(little, pipe):
    most = r"more than 3 MB, which is the most that is read\. Give a part of it\.$"
    with pytest.raises(mt.InputError, match=f"^'/dev/zero' has {most}"):
        read_score_table("/dev/zero")
    (pipe.parent / "a.txt").write_text("one\ntwo\n")
    sound = dict.fromkeys(("reference", "systems", "documents"), pipe.parent / "a.txt")
    for endless in sound:
        with pytest.raises(mt.InputError, match=f"^'/dev/zero' has {most}"):
            mt.read_test_set(**sound | {endless: "/dev/zero"})
    with subprocess.Popen(["sh", "-c", 'yes > "$0"', str(pipe)]) as endless:
        with pytest.raises(mt.InputError, match=naming("pipe'", "3 MB")):
            read_text(pipe)
        assert endless.wait(60) != 0  # nobody reads on


def test_no_more_lines_are_read_than_there_is_memory_for(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "free_memory", lambda: 100 * files.BYTES_A_LINE)
    (tmp_path / "a.txt").write_text("one\n" * 100)
    assert len(read_text(tmp_path / "a.txt")) == 400
    (tmp_path / "a.txt").write_text("one\n" * 101)
    with pytest.raises(mt.InputError, match=naming("100 lines", "MB of memory")):
        read_text(tmp_path / "a.txt")
