"""Files that are there whole or not at all, and what is no file: devices, pipes, open files."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from .errors import InputError

#: Other names of files that a process has open: what they stand for differs between processes.
_OPEN_FILES = re.compile(r"/dev/(stdin|stdout|stderr|fd/\d+)|/proc/(self|\d+)/fd/\d+")

#: Control characters, which could move a terminal's cursor or change its state, and those that
#: turn the direction of what follows.
_UNPRINTABLE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def is_stream(path: str | Path) -> bool:
    """Whether `path` is a device or a pipe, or another name of a file that is open.

    It is read and written as it stands: there is nothing to be replaced.

    >>> is_stream("/dev/stdout"), is_stream("table.csv")
    (True, False)
    """
    if _OPEN_FILES.fullmatch(os.fspath(path)):
        return True
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


@contextlib.contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """A new, empty file to fill, which then takes the place of `path`; if that fails, it stays.

    The new file is made beside it.  Symbolic links stay, and what they lead to is replaced.  A file
    that is there already has to be writable, and keeps its mode and, where we may say so, its
    owner; a new one has the permissions that new files have here.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "numbers.txt")
    >>> with whole_file(path) as part:
    ...     _ = part.write_text("1 2 3")
    >>> path.read_text(), len(list(path.parent.iterdir()))
    ('1 2 3', 1)
    """
    target = Path(os.path.realpath(path))
    old = target.stat() if target.exists() else None
    if old is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    part = target.with_name(f".{os.urandom(8).hex()}.part")
    mode = 0o666 if old is None else 0o600
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))
        yield part
        if old is not None:
            if hasattr(os, "chown"):
                with contextlib.suppress(PermissionError):
                    os.chown(part, old.st_uid, old.st_gid)
            os.chmod(part, stat.S_IMODE(old.st_mode))
        os.replace(part, target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def in_utf8(text: str) -> str:
    r"""`text` as UTF-8 can hold it: of a name in another encoding, odd bytes are escaped.

    >>> print(in_utf8("caf\udce9.txt"))
    caf\udce9.txt
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write bytes, or a text as UTF-8, to `path`; if that fails, what was there before stays.

    A device or a pipe is written to as it stands, and what a shell appends to is appended to.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    if is_stream(path):
        with open(path, "ab") as stream:
            stream.write(data)
        return
    with whole_file(path) as part:
        part.write_bytes(data)


def write_output(path: str | Path, content: str | bytes) -> None:
    """`write_whole` for what a user asked for.

    Raises
    ------
    InputError
        If `path` cannot be written.
    BrokenPipeError
        If whoever read our output has seen enough.
    """
    try:
        write_whole(path, content)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"output={str(path)!r} cannot be written: {error.strerror}.") from None


def check_output(path: str | Path, inputs: Iterable[str | Path] = ()) -> None:
    """Raise `InputError` if `path` cannot be a file, or writing it would destroy one of `inputs`.

    Examples
    --------
    >>> try:
    ...     check_output("/")
    ... except InputError as error:
    ...     print(error)
    output='/' is a folder. Name a file in it.
    """
    target = Path(path)
    if target.is_dir():
        raise InputError(f"output={str(path)!r} is a folder. Name a file in it.")
    if not Path(os.path.realpath(target)).parent.is_dir():
        raise InputError(f"output={str(path)!r}: there is no folder {str(target.parent)!r}.")
    for file in inputs:
        with contextlib.suppress(OSError):  # one of them is not there yet
            # A device, such as the terminal, may well be both.
            if os.path.samefile(file, target) and not stat.S_ISCHR(os.stat(target).st_mode):
                raise InputError(
                    f"output={str(path)!r} is the input {str(file)!r} too, which would be lost. "
                    "Name another file."
                )


def visible(text: str) -> str:
    r"""`text` with everything replaced that a terminal would obey and not show.

    >>> visible("a\x1b[31mb").encode("unicode-escape")
    b'a\\ufffd[31mb'
    """
    return _UNPRINTABLE.sub("\ufffd", text)
