"""What every reader of a file shares: bytes, lines, and columns of segments."""

from __future__ import annotations

import dataclasses
import gzip
import json
import os
import re
import zlib
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from ...errors import InputError
from ..reading import read_bounded

#: What identifies a segment within a file: its document and its number there.
Key = tuple[str, str]

T = TypeVar("T", bound=Hashable)

#: Formats by suffix, behind which a ``.gz`` may follow.
SUFFIXES = {
    ".txt": "text",
    ".sgm": "sgml",
    ".sgml": "sgml",
    ".xml": "xml",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}


@dataclasses.dataclass
class Texts:
    """The columns of one file; all that are there have the same length.

    `unnamed` is a column whose part and name are up to whoever asked for the file: plain text, or
    ``hypothesis`` in a table.  Where there are `keys`, segments are matched by key across files,
    otherwise by position.
    """

    references: dict[str, list[str]] = dataclasses.field(default_factory=dict)
    systems: dict[str, list[str]] = dataclasses.field(default_factory=dict)
    source: list[str] | None = None
    documents: list[str] | None = None
    unnamed: list[str] | None = None
    keys: list[Key] | None = None


#: A line break inside a segment, with the space around it: layout of the file, not of the text.
#: A run of spaces is looked at from its beginning only, and once: it may be as long as the file.
_LINE_BREAK = re.compile(r"(?<![ \t])[ \t]*+[\r\n]\s*+")


class Columns:
    """Columns filled segment by segment, each under its key, and brought into one order."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._columns: dict[tuple[str, str], dict[Key, str]] = {}

    def add(self, part: str, name: str, key: Key, text: str) -> None:
        """Put in one segment of the ``"source"``, a ``"reference"`` or a ``"system"``."""
        column = self._columns.setdefault((part, name), {})
        if key in column:
            raise InputError(
                f"{quoted(self.path)} has segment {show(key)} of {_title(part, name)} twice. "
                "Remove one of them."
            )
        column[key] = _LINE_BREAK.sub(" ", text.strip())

    def texts(self) -> Texts:
        """All columns, in the first one's order; an `InputError` if their segments differ."""
        if not self._columns:
            raise InputError(
                f"{quoted(self.path)} has no segments (<seg>) of any source, reference or system."
            )
        (first, column), *others = self._columns.items()
        keys = list(column)
        for other, segments in others:
            check_keys(
                f"{_title(*first)} in {quoted(self.path)}",
                keys,
                f"{_title(*other)} in {quoted(self.path)}",
                list(segments),
            )
        result = Texts(keys=keys)
        if all(document for document, _ in keys):
            result.documents = [document for document, _ in keys]
        for (part, name), segments in self._columns.items():
            ordered = [segments[key] for key in keys]
            if part == "source":
                result.source = ordered
            else:
                (result.references if part == "reference" else result.systems)[name] = ordered
        return result


def check_keys(base: str, expected: Sequence[Key], other: str, found: Sequence[Key]) -> None:
    """Raise `InputError` unless both have the same segments, in whatever order."""
    for lacks, keys, has, among in (
        (other, expected, base, set(found)),
        (base, found, other, set(expected)),
    ):
        missing = [key for key in keys if key not in among]
        if missing:
            more = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
            raise InputError(
                f"{lacks} lacks segment {show(missing[0])}{more}, which {has} has. "
                "Give both the same segments."
            )


def show(key: Key) -> str:
    """A segment's key as messages name it."""
    document, segment = key
    return f"{segment!r} of document {document!r}" if document else repr(segment)


def _title(part: str, name: str) -> str:
    return part if part == "source" else f"{part} {name!r}"


def quoted(path: Path) -> str:
    """A file as messages name it: without its folder, which would hide what matters."""
    return repr(path.name)


def expanded(file: str | os.PathLike[str]) -> Path:
    """The path of a file, a user's home in the place of ``~``."""
    path = Path(os.fspath(file))
    try:
        return path.expanduser()
    except RuntimeError:  # there is no such user; the name may still be that of a file
        return path


def is_number(text: str) -> bool:
    """Whether `text` is a number as Python writes it."""
    try:
        float(text)
    except ValueError:
        return False
    return True


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


def read_bytes(path: Path) -> bytes:
    """The file's content, uncompressed if it is gzip by its first bytes (not by its name)."""
    try:
        data = read_bounded(path)
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError(f"There is no file {str(path)!r}.") from None
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise InputError(
            f"{quoted(path)} is a damaged or cut-off gzip file. Compress it again."
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{str(path)!r} cannot be read: {reason}.") from None
    if not data.removeprefix(b"\xef\xbb\xbf").strip():
        raise InputError(f"{quoted(path)} is empty. Give a file with one line per segment.")
    return data


def decode(path: Path, data: bytes) -> str:
    """`data` as UTF-8, without a byte-order mark."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(f"{quoted(path)} is UTF-16. Save it as UTF-8.")
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = error.start - data.rfind(b"\n", 0, error.start)
        raise InputError(
            f"{quoted(path)}, line {line:,}, byte {byte} (0x{data[error.start]:02X}) is not UTF-8. "
            "Save the file as UTF-8."
        ) from None


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
    """`text` as JSON; an `InputError` if it is none, or an object has a name twice.

    Of a whole file with several lines the message says the line.  A whole number of 300 digits is
    infinite.
    """
    try:
        return json.loads(
            text,
            object_pairs_hook=lambda pairs: unique(where, pairs),
            parse_int=lambda digits: int(digits) if len(digits) < 300 else float(digits),
        )
    except RecursionError:
        raise InputError(f"{where} is not JSON: too deep. {fix}") from None
    except json.JSONDecodeError as error:
        line = f", line {error.lineno:,}" if "\n" in text else ""
        raise InputError(f"{where}{line} is not JSON: {error.msg}. {fix}") from None


def unique(where: str, pairs: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """`pairs` of names and values as a dictionary; an `InputError` if a name is there twice."""
    listed = list(pairs)
    repeated = find_repeated([name for name, _ in listed])
    if repeated:
        name = repeated[0] if isinstance(repeated[0], str) else repeated[0][1]
        raise InputError(f"{where}: {name!r} is given more than once. Rename one of them.")
    return dict(listed)


def find_repeated(names: Iterable[T]) -> list[T]:
    """Names that occur more than once, in order."""
    return [name for name, count in Counter(names).items() if count > 1]
