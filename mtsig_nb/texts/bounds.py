"""How much is read of a file: no more than a bound, counted before anything is made of it."""

from __future__ import annotations

import dataclasses
import functools
import gzip
import io
import itertools
import zlib
from pathlib import Path
from typing import BinaryIO

from ..errors import InputError

#: The first bytes of gzip files.
GZIP = b"\x1f\x8b"
#: Characters that part the fields of tables, or begin objects, lists and tags.
MARKS = b",;\t\r{[<"

#: The bytes that are read at once.
_PIECE = 1 << 20


@dataclasses.dataclass(frozen=True)
class Most:
    """The most that a file may have, counted piece by piece, before anything is made of it.

    Parameters
    ----------
    n_bytes, n_lines, n_fields : int
        A field is whatever one of `MARKS` begins or parts.
    advice : str
        How messages go on that say one of these bounds.
    """

    n_bytes: int
    n_lines: int
    n_fields: int
    advice: str = "the most that is read. Give a part of it."

    def read(self, stream: BinaryIO, name: str | Path) -> bytes:
        """All of `stream`, unpacked if it is gzip by its first bytes.

        Raises
        ------
        InputError
            If there is more of it, as in an endless device or a gzip bomb, or it is damaged gzip.
        OSError
            If it cannot be read.
        """
        head = stream.read(len(GZIP))
        if head != GZIP:
            return self._all(stream, head, f"{str(name)!r} has")
        # Bytes of a packed file may look like ends of lines and marks of fields.
        bytes_only = dataclasses.replace(self, n_lines=self.n_bytes, n_fields=self.n_bytes)
        packed = bytes_only._all(stream, head, f"{str(name)!r} has")
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(packed)) as unpacked:
                return self._all(unpacked, b"", f"{str(name)!r} unpacks to")
        except (gzip.BadGzipFile, EOFError, zlib.error):
            raise InputError(
                f"{Path(name).name!r} is a damaged or cut-off gzip file. Compress it again."
            ) from None

    def _all(self, stream: BinaryIO | gzip.GzipFile, head: bytes, subject: str) -> bytes:
        """All of a stream whose first bytes, `head`, have been read.

        Messages begin with `subject`, a file and a verb, and go on with the bound.
        """
        pieces: list[bytes] = []
        n_bytes = 0
        n_lines = 0
        n_fields = 0
        rest = iter(functools.partial(stream.read, _PIECE), b"")
        for piece in itertools.chain([head], rest):
            pieces.append(piece)
            n_bytes += len(piece)
            n_lines += piece.count(b"\n")
            n_fields += len(piece) - len(piece.translate(None, MARKS))
            bound = self._exceeded(n_bytes, n_lines, n_fields)
            if bound:
                raise InputError(f"{subject} more than {bound}, which is {self.advice}")
        return b"".join(pieces)

    def _exceeded(self, n_bytes: int, n_lines: int, n_fields: int) -> str:
        """The first bound that is exceeded, in words; empty where none is."""
        if n_bytes > self.n_bytes:
            return f"{self.n_bytes / 1e6:,g} MB"
        if n_lines > self.n_lines:
            return f"{self.n_lines:,} lines"
        if n_fields > self.n_fields:
            return f"{self.n_fields:,} fields"
        return ""
