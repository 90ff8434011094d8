"""Files in: whatever they are, so much of them and no more; and pipes, which can be read once."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import select
import stat
import time
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import BinaryIO

from ..errors import InputError
from ..writing import is_stream

#: The most that is read of one file, in bytes, as it comes and unpacked: some millions of segments.
MOST_BYTES = 1_000_000_000
#: How long to wait, in seconds, for somebody to open a named pipe for writing.
PATIENCE = 10.0

#: What gzip files begin with.
GZIP = b"\x1f\x8b"

_PIECE = 1 << 20

#: What pipes and devices gave, by their paths.
_kept: ContextVar[dict[str, bytes] | None] = ContextVar("kept", default=None)


def read_bounded(path: str | Path) -> bytes:
    """The content of a file, a pipe or a device, unpacked if it is gzip by its first bytes.

    Raises
    ------
    InputError
        If there is more of it than `MOST_BYTES`, as in an endless device or a gzip bomb; or if it
        is a named pipe that nobody opens for writing within `PATIENCE` seconds.
    OSError, EOFError, zlib.error
        If it cannot be read or unpacked.

    Examples
    --------
    >>> try:
    ...     read_bounded("/dev/zero")
    ... except InputError as error:
    ...     print(error)
    '/dev/zero' has more than 1,000 MB, which is the most that is read. Give a part of it.
    """
    kept = _kept.get()
    if kept is not None and str(path) in kept:
        return kept[str(path)]
    data = unpacked(_at_most(MOST_BYTES, _pieces(path), path), MOST_BYTES, path)
    if kept is not None and is_stream(path):
        kept[str(path)] = data
    return data


def unpacked(data: bytes, most: int, name: str | Path) -> bytes:
    """`data` unpacked if it is gzip, otherwise as it is; an `InputError` if that is too much."""
    if not data.startswith(GZIP):
        return data
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
        return _at_most(most, _rest(stream), name, "unpacks to")


@contextlib.contextmanager
def pipes_kept() -> Iterator[None]:
    """Within it, what `read_bounded` reads from a pipe or a device can be read again.

    Examples
    --------
    >>> ours, theirs = os.pipe()
    >>> _ = os.write(theirs, b"what came through a pipe")
    >>> os.close(theirs)
    >>> with pipes_kept():
    ...     read_bounded(f"/dev/fd/{ours}") == read_bounded(f"/dev/fd/{ours}")
    True
    >>> os.close(ours)
    """
    token = _kept.set({})
    try:
        yield
    finally:
        _kept.reset(token)


def _at_most(most: int, pieces: Iterable[bytes], name: str | Path, has: str = "has") -> bytes:
    taken, size = [], 0
    for piece in pieces:
        taken.append(piece)
        size += len(piece)
        if size > most:
            raise InputError(
                f"{str(name)!r} {has} more than {most / 1e6:,.0f} MB, which is the most that is "
                "read. Give a part of it."
            )
    return b"".join(taken)


def _pieces(path: str | Path) -> Iterator[bytes]:
    if stat.S_ISFIFO(os.stat(path).st_mode):
        yield from _pieces_of_pipe(path)
        return
    with open(path, "rb") as stream:
        yield from _rest(stream)


def _rest(stream: BinaryIO | gzip.GzipFile) -> Iterator[bytes]:
    return iter(partial(stream.read, _PIECE), b"")


def _pieces_of_pipe(path: str | Path) -> Iterator[bytes]:
    # To open a named pipe is to wait for a writer, if need be for ever; so it is opened without
    # waiting, and watched.  Whoever has opened the other end may take as long as it likes.
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb", buffering=0) as stream:
        watched = select.poll()
        watched.register(stream, select.POLLIN)
        seen = False
        until = time.monotonic() + PATIENCE
        while True:
            seen = bool(watched.poll(100)) or seen  # also when a writer has come and gone
            piece = stream.read(_PIECE)
            if piece:
                yield piece
            elif piece is None:  # a writer is there, and says nothing yet
                seen = True
            elif seen:
                return
            elif time.monotonic() > until:
                raise InputError(
                    f"{str(path)!r} is a pipe that nobody writes to, nor began to within "
                    f"{PATIENCE:g} seconds. Start what writes to it first."
                )
