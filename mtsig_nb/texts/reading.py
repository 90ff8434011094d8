"""Files in: whatever they are, so much of them and no more; and pipes, which can be read once."""

from __future__ import annotations

import contextlib
import dataclasses
import gzip
import io
import itertools
import os
import select
import stat
import time
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from ..errors import InputError
from ..writing import is_stream

#: The most that is read of one file, in bytes, as it comes and unpacked: some millions of segments.
MOST_BYTES = 1_000_000_000
#: A line that is nearly empty takes a hundred times its bytes once it is a row of a table, so lines
#: have a bound of their own: the segments of 1,000 test sets, or 100 systems on 20 of them.
MOST_LINES = 4_000_000
#: So have fields, all in one line or not: what `_MARKS` begin or part.
MOST_FIELDS = 20_000_000
#: How long to wait, in seconds, for somebody to open a named pipe for writing.
PATIENCE = 10.0

#: What gzip files begin with.
GZIP = b"\x1f\x8b"

_PIECE = 1 << 20

#: What parts fields of tables, and begins objects, lists and tags.
_MARKS = b",;\t\r{[<"

#: What pipes and devices gave, by their paths.
_kept: ContextVar[dict[str, bytes] | None] = ContextVar("kept", default=None)


def read_bounded(path: str | Path) -> bytes:
    """The content of a file, a pipe or a device, unpacked if it is gzip by its first bytes.

    Raises
    ------
    InputError
        If there is more of it than `MOST_BYTES`, `MOST_LINES` or `MOST_FIELDS`, as in an endless
        device or a gzip bomb; or if it is a named pipe that nobody opens for writing within
        `PATIENCE` seconds.
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
    most = Most(MOST_BYTES, MOST_LINES, MOST_FIELDS)
    data = unpacked(most.bytes_of(_pieces(path), path), most, path)
    if kept is not None and is_stream(path):
        kept[str(path)] = data
    return data


def unpacked(pieces: Iterable[bytes], most: Most, name: str | Path) -> bytes:
    """All `pieces` in one, unpacked if they are gzip; an `InputError` if that is too much."""
    pieces, head = iter(pieces), b""
    while len(head) < len(GZIP) and (piece := next(pieces, None)) is not None:
        head += piece
    pieces = itertools.chain([head], pieces)
    if not head.startswith(GZIP):
        return b"".join(most.of(pieces, name))
    with gzip.GzipFile(fileobj=io.BufferedReader(_Stream(pieces), _PIECE)) as stream:
        return b"".join(most.of(_rest(stream), name, "unpacks to"))


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


@dataclasses.dataclass(frozen=True)
class Most:
    """The most that a file may have, counted piece by piece, before anything is made of it."""

    n_bytes: int
    n_lines: int
    n_fields: int
    advice: str = "the most that is read. Give a part of it."

    def of(self, pieces: Iterable[bytes], name: str | Path, has: str = "has") -> Iterator[bytes]:
        """The `pieces`, up to the one in which they are too much: then an `InputError`."""
        n_lines = n_fields = 0
        for piece in self.bytes_of(pieces, name, has):
            n_lines += piece.count(b"\n")
            n_fields += len(piece) - len(piece.translate(None, _MARKS))
            if n_lines > self.n_lines:
                raise self._exceeded(name, has, f"{self.n_lines:,} lines")
            if n_fields > self.n_fields:
                raise self._exceeded(name, has, f"{self.n_fields:,} fields")
            yield piece

    def bytes_of(
        self, pieces: Iterable[bytes], name: str | Path, has: str = "has"
    ) -> Iterator[bytes]:
        """The same, of bytes alone, as files are that are still packed."""
        n_bytes = 0
        for piece in pieces:
            n_bytes += len(piece)
            if n_bytes > self.n_bytes:
                raise self._exceeded(name, has, f"{self.n_bytes / 1e6:,g} MB")
            yield piece

    def _exceeded(self, name: str | Path, has: str, bound: str) -> InputError:
        return InputError(f"{str(name)!r} {has} more than {bound}, which is {self.advice}")


class _Stream(io.RawIOBase):
    """Pieces of bytes as a stream."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._left = pieces, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._left or next(self._pieces, b"")
        n = min(len(piece), len(buffer))
        buffer[:n], self._left = piece[:n], piece[n:]
        return n


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
