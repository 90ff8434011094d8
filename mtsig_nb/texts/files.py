"""Files in: whatever they are, so much of them and no more, as text, lines and JSON."""

from __future__ import annotations

import dataclasses
import gzip
import io
import itertools
import json
import os
import tomllib
import zlib
from collections import Counter
from collections.abc import Hashable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from ..errors import InputError
from .recognised import binary_format

#: The most that is read of one file, in bytes, as it comes and unpacked: some millions of segments.
MOST_BYTES = 1_000_000_000
#: A line that is nearly empty takes a hundred times its bytes once it is a row of a table, so lines
#: have a bound of their own: the segments of 1,000 test sets, or 100 systems on 20 of them.
MOST_LINES = 4_000_000
#: So have fields, all in one line or not: what `_MARKS` begin or part.
MOST_FIELDS = 20_000_000

#: What gzip files begin with.
GZIP = b"\x1f\x8b"

#: Formats of texts by suffix, behind which a ``.gz`` may follow.
SUFFIXES = {
    ".txt": "text",
    ".sgm": "sgml",
    ".sgml": "sgml",
    ".xml": "xml",
    ".tsv": "tsv",
    ".json": "JSON",
    ".jsonl": "JSON",
}

_PIECE = 1 << 20
#: What parts fields of tables, and begins objects, lists and tags.
_MARKS = b",;\t\r{[<"

T = TypeVar("T", bound=Hashable)


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
        for piece in itertools.chain([head], iter(partial(stream.read, _PIECE), b"")):
            pieces.append(piece)
            n_bytes += len(piece)
            n_lines += piece.count(b"\n")
            n_fields += len(piece) - len(piece.translate(None, _MARKS))
            for n, most, bound in (
                (n_bytes, self.n_bytes, f"{self.n_bytes / 1e6:,g} MB"),
                (n_lines, self.n_lines, f"{self.n_lines:,} lines"),
                (n_fields, self.n_fields, f"{self.n_fields:,} fields"),
            ):
                if n > most:
                    raise InputError(f"{has} more than {bound}, which is {self.advice}")
        return b"".join(pieces)


def read_text(path: Path, *, blank_lines_alone: bool = False) -> str:
    """The content of a file, a pipe or a device as UTF-8, without a byte-order mark.

    Compressed or not; of no file is more read than `MOST_BYTES`, `MOST_LINES` and `MOST_FIELDS`.

    Parameters
    ----------
    path : Path
    blank_lines_alone : bool
        Whether a file of blank lines is a content, as the output of a system that failed is.

    Raises
    ------
    InputError
        If it cannot be read, is empty or too large, is of a format that is no text, is not UTF-8
        (with line and byte), or has a character that no text has.
    """
    data = _read(path)
    if (known := binary_format(data)) is not None:
        raise InputError(f"{quoted(path)} is {known.name}. {known.advice_for(str(path))}.")
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        where = _place(path, data, error.start)
        raise InputError(
            f"{where} (0x{data[error.start]:02X}) is not UTF-8. Save the file as UTF-8, or convert "
            f"it from the encoding that it has: iconv -f ENCODING -t UTF-8 {str(path)!r}."
        ) from None
    if not text:
        raise InputError(
            f"{quoted(path)} is empty: it has no bytes. Give a file with one line per segment."
        )
    if text.isspace() and not blank_lines_alone:
        raise InputError(f"{quoted(path)} has blank lines alone. Give a file with content.")
    if "\0" in text:
        where = _place(path, data, data.index(0))
        raise InputError(
            f"{where} is a zero byte, which no text has. The file is damaged or no text: write it "
            "again."
        )
    return text


def _place(path: Path, data: bytes, at: int) -> str:
    """A byte of a file as messages name it: its line, and its number there."""
    line = data.count(b"\n", 0, at) + 1
    byte = at - data.rfind(b"\n", 0, at)
    return f"{quoted(path, line)}, byte {byte}"


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return Most(MOST_BYTES, MOST_LINES, MOST_FIELDS).read(stream, path)
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError(f"There is no file {str(path)!r}.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{str(path)!r} cannot be read: {reason}.") from None


def quoted(path: Path, line: int | None = None) -> str:
    """A file, or a line of it, as messages name it: without its folder."""
    return repr(path.name) if line is None else f"{path.name!r}, line {line:,}"


def expanded(file: str | os.PathLike[str]) -> Path:
    """The path of a file, a user's home in the place of ``~``."""
    return Path(os.path.expanduser(file))  # as it stands where there is no such user


def split_name(file: str | os.PathLike[str]) -> tuple[str, Path]:
    """The name and the path of ``NAME=FILE``.

    No name where there is none, or a file has an equals sign in its own.

    >>> split_name("A=out/a.txt")[0], split_name("out/a.txt")[0]
    ('A', '')
    """
    text = os.fspath(file)
    name, equals, path = text.partition("=")
    if equals and name and path and not expanded(text).exists():
        return name, expanded(path)
    return "", expanded(text)


def files_in(path: Path) -> list[Path]:
    """The files in a folder but for hidden ones; of a file itself."""
    if not path.is_dir():
        return [path]
    return sorted(p for p in path.iterdir() if p.is_file() and not p.name.startswith("."))


def name_of(path: Path) -> str:
    """The name that a file gives its system: without ``.gz`` and the suffix of a known format.

    >>> name_of(Path("hyp/QCRI.2856.txt.gz")), name_of(Path("newstest.es-en.UPC"))
    ('QCRI.2856', 'newstest.es-en.UPC')
    """
    bare = without_gz(path)
    return bare.stem if bare.suffix.lower() in SUFFIXES else bare.name


def without_gz(path: Path) -> Path:
    """`path` without the suffix of compression."""
    return path.with_suffix("") if path.suffix.lower() == ".gz" else path


def lines(text: str) -> list[str]:
    r"""The lines of `text`, which end at LF or CRLF and nowhere else.

    ``str.splitlines`` also breaks at U+2028, U+0085 and other characters that translations do
    contain; each of them would shift every line below it.

    >>> lines("one\r\nstill\u2028two\n\n")
    ['one', 'still\u2028two', '']
    """
    found = text.split("\n")
    if found[-1] == "":
        found.pop()  # what follows the last line's end is no line
    return [line.removesuffix("\r") for line in found]


def load_json(where: str, text: str, fix: str = "Write one object per line.") -> Any:
    """`text` as JSON; an `InputError` if it is none, or what it has is no text or a name twice.

    Of a whole file with several lines the message says the line.  A whole number of 300 digits is
    infinite.
    """
    try:
        found = json.loads(
            text,
            object_pairs_hook=lambda pairs: unique(where, pairs),
            parse_int=lambda digits: int(digits) if len(digits) < 300 else float(digits),
        )
        if "\\u" in text:
            json.dumps(found, ensure_ascii=False).encode()
        return found
    except RecursionError:
        raise InputError(f"{where} is not JSON: too deep. {fix}") from None
    except UnicodeEncodeError:
        raise InputError(
            f"{where} has half of a surrogate pair, which is no character. Write the character "
            "itself."
        ) from None
    except json.JSONDecodeError as error:
        line = f", line {error.lineno:,}" if "\n" in text else ""
        raise InputError(f"{where}{line} is not JSON: {error.msg}. {fix}") from None


def unique(where: str, pairs: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """`pairs` of names and values as a dictionary; an `InputError` if a name is there twice."""
    listed = list(pairs)
    found = dict(listed)
    if len(found) < len(listed):
        name = find_repeated(name for name, _ in listed)[0]
        name = name if isinstance(name, str) else name[1]
        raise InputError(f"{where}: {name!r} is given more than once. Rename one of them.")
    return found


def toml_beside(module: str) -> dict[str, Any]:
    """The table in the file that is called after a module, by the module's ``__file__``."""
    return tomllib.loads(Path(module).with_suffix(".toml").read_text(encoding="utf-8"))


def find_repeated(names: Iterable[T]) -> list[T]:
    """Names that occur more than once, in order."""
    return [name for name, count in Counter(names).items() if count > 1]


def is_number(text: str) -> bool:
    """Whether `text` is a number as Python writes it."""
    try:
        float(text)
    except ValueError:
        return False
    return True
