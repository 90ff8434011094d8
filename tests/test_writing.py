"""Files are there whole or not at all; what is no file is written through."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import mtsig_nb as mt
from mtsig_nb.writing import check_output, is_stream, whole_file, write_output, write_whole

from .messages import naming

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX's files")
as_root = pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0, reason="only root makes devices and gives files away"
)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def path(tmp_path):
    """A file that is there already."""
    (tmp_path / "table.csv").write_text("old")
    return tmp_path / "table.csv"


@posix
@pytest.mark.parametrize("bits", [0o600, 0o640, 0o755, 0o666])
def test_a_file_keeps_its_mode_and_is_private_meanwhile(path, bits):
    path.chmod(bits)
    with whole_file(path) as part:
        assert mode(part) == 0o600
    write_whole(path, "new\r\n")
    assert path.read_bytes() == b"new\r\n"
    assert mode(path) == bits
    assert os.listdir(path.parent) == ["table.csv"]


@as_root
def test_a_file_keeps_its_owner(path):
    os.chown(path, 12345, 54321)
    write_whole(path, "new")
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 54321)


@posix
@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_and_leads_to_what_is_new(tmp_path, there):
    for folder in ("here", "elsewhere"):
        (tmp_path / folder).mkdir()
    target, link = tmp_path / "elsewhere" / "table.csv", tmp_path / "here" / "link.csv"
    if there:
        target.write_text("old")
    (tmp_path / "middle").symlink_to(target)
    link.symlink_to("../middle")
    write_whole(link, "new")
    assert link.is_symlink()
    assert not target.is_symlink()
    assert target.read_text() == "new"
    assert sorted(p.name for p in tmp_path.rglob("*")) == [
        "elsewhere", "here", "link.csv", "middle", "table.csv",
    ]  # fmt: skip


@as_root
def test_a_device_stays_one(tmp_path):
    """One of our own: root could do without the machine's /dev/null no longer than this test."""
    device, link = tmp_path / "null", tmp_path / "link"
    os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    link.symlink_to(device)
    for place in (device, link):
        write_whole(place, "into nothing")
    assert link.is_symlink()
    assert stat.S_ISCHR(device.stat().st_mode)
    assert device.stat().st_rdev == os.makedev(1, 3)


@posix
def test_a_pipe_is_written_to(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_text()), daemon=True)
    reader.start()
    write_whole(pipe, "through")
    reader.join(60)
    assert found == ["through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.skipif(not Path("/dev/fd/1").exists(), reason="no /dev/fd")
@pytest.mark.parametrize(("opened", "expected"), [("a", "log\ntable\n"), ("w", "table\n")])
def test_an_open_file_is_not_replaced(tmp_path, opened, expected):
    """As a shell opens it for >> and for >."""
    log = tmp_path / "log"
    log.write_text("log\n")
    inode = log.stat().st_ino
    code = "from mtsig_nb.writing import write_whole; write_whole('/dev/fd/1', 'table\\n')"
    with open(log, opened) as stream:
        subprocess.run([sys.executable, "-c", code], stdout=stream, check=True)
    assert log.read_text() == expected
    assert log.stat().st_ino == inode


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anything")
def test_a_file_that_may_not_be_written_is_not_replaced(path):
    path.chmod(0o444)
    with pytest.raises(mt.InputError, match=naming("table.csv'", "Permission denied")):
        write_output(path, "new")
    assert path.read_text() == "old"


def test_what_fails_half_way_leaves_no_trace(path):
    with pytest.raises(UnicodeEncodeError), whole_file(path) as part:
        part.write_text("half \udce9", encoding="utf-8")
    assert path.read_text() == "old"
    assert os.listdir(path.parent) == ["table.csv"]


def test_ordinary_files_are_no_streams(tmp_path):
    (tmp_path / "file").write_text("")
    assert not any(map(is_stream, (tmp_path, tmp_path / "file", tmp_path / "none", "a\0b")))


@pytest.mark.parametrize("how", ["itself", "another spelling", "symbolic link", "hard link"])
def test_an_input_is_not_written_over(path, how):
    output = path.with_name("link")
    if how == "itself":
        output = path
    elif how == "another spelling":
        output = path.parent / ".." / path.parent.name / path.name
    elif how == "symbolic link":
        output.symlink_to(path)
    else:
        os.link(path, output)
    with pytest.raises(mt.InputError) as caught:
        check_output(output, ["none.txt", path])
    named = naming(f"output={str(output)!r}", f"input {str(path)!r}", "Name another")
    assert re.match(named, str(caught.value))


def test_outputs_that_are_no_files(tmp_path):
    with pytest.raises(mt.InputError, match=naming("folder", "Name a file")):
        check_output(tmp_path)
    with pytest.raises(mt.InputError, match="no folder 'nowhere'"):
        check_output("nowhere/table.csv")
    check_output(tmp_path / "new.csv", [tmp_path / "other.csv"])
    if Path("/dev/null").exists():
        check_output("/dev/null", ["/dev/null"])
