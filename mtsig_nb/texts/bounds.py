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

#: What gzip files begin with.
GZIP = b"\x1f\x8b"
#: What parts fields of tables, and begins objects, lists and tags.
MARKS = b",;\t\r{[<"

_PIECE = 1 << 20


@dataclasses.dataclass(frozen=True)
class Most:
    """The most that a file may have, counted piece by piece, before anything is made of it."""

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
        packed = dataclasses.replace(self, n_lines=self.n_bytes, n_fields=self.n_bytes)
        data = packed._all(stream, head, f"{str(name)!r} has")
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as unpacked:
                return self._all(unpacked, b"", f"{str(name)!r} unpacks to")
        except (gzip.BadGzipFile, EOFError, zlib.error):
            raise InputError(
                f"{Path(name).name!r} is a damaged or cut-off gzip file. Compress it again."
            ) from None

    def _all(self, stream: BinaryIO | gzip.GzipFile, head: bytes, has: str) -> bytes:
        pieces: list[bytes] = []
        n_bytes = n_lines = n_fields = 0
        for piece in itertools.chain([head], iter(functools.partial(stream.read, _PIECE), b"")):
            pieces.append(piece)
            n_bytes += len(piece)
            n_lines += piece.count(b"\n")
            n_fields += len(piece) - len(piece.translate(None, MARKS))
            for n, most, bound in (
                (n_bytes, self.n_bytes, f"{self.n_bytes / 1e6:,g} MB"),
                (n_lines, self.n_lines, f"{self.n_lines:,} lines"),
                (n_fields, self.n_fields, f"{self.n_fields:,} fields"),
            ):
                if n > most:
                    raise InputError(f"{has} more than {bound}, which is {self.advice}")
        return b"".join(pieces)
