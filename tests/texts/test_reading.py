"""What is read has an end, whatever it is, and a pipe is read once and known from then on."""

from __future__ import annotations

import gzip
import os
import subprocess
import threading
import time
import tracemalloc
from pathlib import Path

import pytest

import mtsig_nb as mt
from mtsig_nb.statistics.score_files import read_scores
from mtsig_nb.texts import reading
from mtsig_nb.texts.formats import read_texts
from mtsig_nb.texts.reading import pipes_kept, read_bounded

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX's pipes and devices")

CONTENT = b"one\ntwo\n" * 50_000  # more than a pipe holds


@pytest.fixture
def little(monkeypatch):
    monkeypatch.setattr(reading, "MOST_BYTES", 3_000_000)


@pytest.fixture
def pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


def write_to(pipe: Path, content: bytes, *, after: float = 0.0) -> threading.Thread:
    def write():
        time.sleep(after)
        pipe.write_bytes(content)

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    return writer


def test_the_limit_is_sufficient_for_millions_of_segments():
    assert reading.MOST_BYTES >= 4_000_000 * 200


@pytest.mark.parametrize("too_many", [0, 1])
def test_a_file_may_be_as_large_as_the_limit(tmp_path, little, too_many):
    path = tmp_path / "file"
    path.write_bytes(b"x" * (3_000_000 + too_many))
    if too_many:
        with pytest.raises(mt.InputError, match=r"has more than 3 MB.* Give a part of it"):
            read_bounded(path)
    else:
        assert len(read_bounded(path)) == 3_000_000


@pytest.mark.parametrize("members", [1, 30])
def test_a_gzip_bomb_is_unpacked_no_further(tmp_path, little, members):
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(bytes(60_000_000 // members)) * members)
    with pytest.raises(mt.InputError, match=r"bomb.gz' unpacks to more than 3 MB"):
        mt.read_test_set(reference=path, systems=[path])


@pytest.mark.parametrize(
    ("unit", "bound"),
    [(b"\n", "4,000,000 lines"), (b"{},", "20,000,000 fields"), (b"<a/>", "20,000,000 fields")],
)
@pytest.mark.parametrize("read", [read_texts, read_scores])
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
    assert str(caught.value) == (
        f"{str(path)!r} unpacks to more than {bound}, which is the most that is read. Give a part "
        "of it."
    )
    assert peak < 150_000_000


def test_lines_have_a_bound_that_may_be_reached(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "MOST_LINES", 3)
    (tmp_path / "three").write_bytes(b"1\n2\n3\n")
    (tmp_path / "four").write_bytes(b"1\n2\n3\n4\n")
    assert read_bounded(tmp_path / "three") == b"1\n2\n3\n"
    with pytest.raises(mt.InputError, match=r"four' has more than 3 lines, which is the most"):
        read_bounded(tmp_path / "four")


@posix
def test_an_endless_device_and_an_endless_pipe(little, pipe):
    with pytest.raises(mt.InputError, match=r"'/dev/zero' has more than 3 MB"):
        mt.read_test_set(reference="/dev/zero", systems=["/dev/zero"])
    with subprocess.Popen(["sh", "-c", 'yes > "$0"', str(pipe)]) as endless:
        with pytest.raises(mt.InputError, match=r"pipe' has more than 3 MB"):
            read_bounded(pipe)
        assert endless.wait(60) != 0  # nobody reads on


@pytest.mark.slow
@posix
@pytest.mark.parametrize("after", [0.0, 1.0])
@pytest.mark.parametrize("packed", [False, True])
def test_a_pipe_is_read_to_its_end(pipe, after, packed):
    writer = write_to(pipe, gzip.compress(CONTENT) if packed else CONTENT, after=after)
    assert read_bounded(pipe) == CONTENT
    writer.join(60)


@posix
def test_who_has_opened_a_pipe_may_take_its_time(pipe, monkeypatch):
    monkeypatch.setattr(reading, "PATIENCE", 0.0)
    descriptor = os.open(pipe, os.O_RDWR)  # which waits for nobody

    def write():
        time.sleep(0.5)
        os.write(descriptor, b"late")
        os.close(descriptor)

    threading.Thread(target=write, daemon=True).start()
    assert read_bounded(pipe) == b"late"


@posix
def test_a_pipe_that_nobody_writes_to(pipe, monkeypatch):
    monkeypatch.setattr(reading, "PATIENCE", 0.3)
    with pytest.raises(mt.InputError) as caught:
        mt.read_test_set(reference=pipe, systems=[pipe])
    assert str(caught.value) == (
        f"{str(pipe)!r} is a pipe that nobody writes to, nor began to within 0.3 seconds. "
        "Start what writes to it first."
    )


@posix
def test_a_pipe_with_nothing_in_it_is_empty(pipe):
    write_to(pipe, b"")
    with pytest.raises(mt.InputError, match="'pipe' is empty"):
        mt.read_test_set(reference=pipe, systems=[pipe])


@posix
def test_what_a_pipe_gave_is_known_within_pipes_kept_only(pipe, monkeypatch, tmp_path):
    monkeypatch.setattr(reading, "PATIENCE", 0.3)
    (tmp_path / "file").write_text("first")
    with pipes_kept():
        write_to(pipe, b"first")
        assert read_bounded(pipe) == b"first" == read_bounded(tmp_path / "file")
        assert read_bounded(pipe) == b"first"
        (tmp_path / "file").write_text("second")  # a file is read as it is
        assert read_bounded(tmp_path / "file") == b"second"
    write_to(pipe, b"second")
    assert read_bounded(pipe) == b"second"
    with pytest.raises(mt.InputError, match="nobody writes to"):
        read_bounded(pipe)
