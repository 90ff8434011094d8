"""Files in, as text, lines and JSON: of no file more than bounds allow."""

from __future__ import annotations

import functools
import json
import os
import sys
import tomllib
from collections import Counter
from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from ..errors import InputError
from ..memory import free_memory
from .bounds import Most
from .recognised import binary_format

#: The most bytes that are read of one file, before and after it is unpacked: some millions of
#: segments.
MOST_BYTES = 1_000_000_000
#: The most lines: the segments of 1,000 test sets, or of 100 systems on 20 of them.  Bytes are not
#: enough of a bound, since a line that is nearly empty takes a hundred times its bytes once it is a
#: row of a table.
MOST_LINES = 4_000_000
#: The memory that a line takes until it has been compared, in bytes, as measured on tables with a
#: row for each system and segment.  Where less is free, fewer lines are read.
BYTES_A_LINE = 500
#: The most fields, all in one line or not: what `bounds.MARKS` begin or part.
MOST_FIELDS = 20_000_000

#: The path that stands for standard input.
STANDARD_INPUT = Path("-")

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

T = TypeVar("T", bound=Hashable)


def read_text(path: Path, *, blank_lines_alone: bool = False) -> str:
    """The content of a file, a pipe or a device as UTF-8, without a byte-order mark.

    It may be compressed.  No more is read than `MOST_BYTES`, `MOST_LINES` and `MOST_FIELDS`.

    Parameters
    ----------
    path : Path
    blank_lines_alone : bool
        Whether a file may have only blank lines, as the output of a system that failed has.

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
        where = _line_and_byte(path, data, error.start)
        raise InputError(
            f"{where} (0x{data[error.start]:02X}) is not UTF-8. Save the file as UTF-8, or convert "
            f"it from the encoding that it has: iconv -f ENCODING -t UTF-8 {str(path)!r}."
        ) from None
    if not text:
        raise InputError(
            f"{quoted(path)} is empty: it has no bytes. Give a file with one line per segment."
        )
    if text.isspace() and not blank_lines_alone:
        raise InputError(f"{quoted(path)} has only blank lines. Give a file with content.")
    if "\0" in text:
        where = _line_and_byte(path, data, data.index(0))
        raise InputError(
            f"{where} is a zero byte, which no text has. The file is damaged or is not text: write "
            "it again."
        )
    return text


def _line_and_byte(path: Path, data: bytes, place: int) -> str:
    """The byte at a place in a file as messages name it: its line, and its number in the line."""
    line = data.count(b"\n", 0, place) + 1
    byte = place - data.rfind(b"\n", 0, place)
    return f"{quoted(path, line)}, byte {byte}"


def _read(path: Path) -> bytes:
    """The bytes of a file, a pipe or a device, unpacked."""
    try:
        if path == STANDARD_INPUT:
            return _read_once(sys.stdin.buffer)
        with path.open("rb") as stream:
            return _bounds().read(stream, path)
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError(f"There is no file {str(path)!r}.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{str(path)!r} cannot be read: {reason}.") from None


def _bounds() -> Most:
    """The most that is read of one file: no more lines than there is memory for now."""
    free = free_memory()
    if free >= MOST_LINES * BYTES_A_LINE:
        return Most(MOST_BYTES, MOST_LINES, MOST_FIELDS)
    advice = (
        f"the most that is read where {free / 1e6:,.0f} MB of memory are free. Give a part of it."
    )
    return Most(MOST_BYTES, int(free) // BYTES_A_LINE, MOST_FIELDS, advice)


@functools.lru_cache(1)
def _read_once(stream: BinaryIO) -> bytes:
    """The bytes of standard input, which are kept, since it can be read only once."""
    return _bounds().read(stream, "standard input")


def quoted(path: Path, line: int | None = None) -> str:
    """A file, or a line of it, as messages name it: without its folder."""
    name = "standard input" if path == STANDARD_INPUT else repr(path.name)
    return name if line is None else f"{name}, line {line:,}"


def expanded(file: str | os.PathLike[str]) -> Path:
    """The path of a file, a user's home in the place of ``~``."""
    return Path(os.path.expanduser(file))  # which keeps ``~`` where there is no such user


def split_name(file: str | os.PathLike[str]) -> tuple[str, Path]:
    """The name and the path of ``NAME=FILE``.

    The name is empty where there is none, also if an existing file has an equals sign in its name.

    >>> split_name("A=out/a.txt")[0], split_name("out/a.txt")[0]
    ('A', '')
    """
    text = os.fspath(file)
    name, equals, path = text.partition("=")
    if equals and name and path and not expanded(text).exists():
        return name, expanded(path)
    return "", expanded(text)


def files_in(path: Path) -> list[Path]:
    """The files in a folder, without hidden ones; a path to a file stands for this file."""
    if not path.is_dir():
        return [path]
    files = (inside for inside in path.iterdir() if inside.is_file())
    return sorted(file for file in files if not file.name.startswith("."))


def name_of(path: Path) -> str:
    """The name that a file gives its system: without ``.gz`` and the suffix of a known format.

    >>> name_of(Path("hyp/QCRI.2856.txt.gz")), name_of(Path("newstest.es-en.UPC"))
    ('QCRI.2856', 'newstest.es-en.UPC')
    """
    if path == STANDARD_INPUT:
        return "stdin"
    bare = without_gz(path)
    return bare.stem if bare.suffix.lower() in SUFFIXES else bare.name


def without_gz(path: Path) -> Path:
    """`path` without the suffix of compression."""
    return path.with_suffix("") if path.suffix.lower() == ".gz" else path


#: Line ends of old Macs, in a text without any line feed.
CR_ALONE = "CR alone"
#: Line ends that Windows makes of CR LF, if it takes the CR for text.
DOUBLED_CR = "CR CR LF"


def lines(text: str) -> list[str]:
    r"""The lines of `text`, which end at LF, with CR before it or not, and nowhere else.

    In a text without any LF they end at CR.  ``str.splitlines`` also breaks at U+2028, U+0085 and
    other characters that translations do contain; each of them would shift every line below it.

    >>> lines("one\r\nstill\u2028two\n\n")
    ['one', 'still\u2028two', '']
    >>> lines("one\rtwo\r"), lines("one\r\r\ntwo\r\r\n")
    (['one', 'two'], ['one', 'two'])
    """
    if line_ends(text) == CR_ALONE:
        text = text.replace("\r", "\n")
    parts = text.split("\n")
    if parts[-1] == "":
        parts.pop()  # what follows the last line's end is no line
    return [line.rstrip("\r") for line in parts]


def line_ends(text: str) -> str:
    r"""How lines end, where that is unusual: `CR_ALONE` or `DOUBLED_CR`.

    >>> line_ends("one\rtwo\r"), line_ends("one\r\n")
    ('CR alone', '')
    """
    if "\n" not in text:
        return CR_ALONE if "\r" in text.rstrip("\r") else ""
    return DOUBLED_CR if "\r\r\n" in text else ""


def load_json(where: str, text: str, fix: str = "Write one object per line.") -> Any:
    """The value that a text has as JSON.

    A whole number of 300 digits or more becomes a float, which may be infinite.  Python itself
    refuses whole numbers of some thousand digits.

    Parameters
    ----------
    where : str
        What messages call the text; they add the line if there are several.
    text : str
    fix : str
        What messages advise where it is no JSON.

    Raises
    ------
    InputError
        If the text is no JSON, an object has a name twice, or a string cannot be encoded.
    """
    try:
        content = json.loads(
            text,
            object_pairs_hook=lambda pairs: unique(where, pairs),
            parse_int=lambda digits: int(digits) if len(digits) < 300 else float(digits),
        )
        if "\\u" in text:  # which may stand for half of a surrogate pair
            json.dumps(content, ensure_ascii=False).encode()
        return content
    except RecursionError:
        raise InputError(f"{where} is not JSON: too deep. {fix}") from None
    except UnicodeEncodeError:
        raise InputError(
            f"{where} has half of a surrogate pair, which is not a character. Write the character "
            "itself."
        ) from None
    except json.JSONDecodeError as error:
        line = f", line {error.lineno:,}" if "\n" in text else ""
        raise InputError(f"{where}{line} is not JSON: {error.msg}. {fix}") from None


def unique(where: str, pairs: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """Pairs of names and values as a dictionary; an `InputError` if a name is there twice.

    A name is a text, or a pair, such as a `Key` or a `Title`, whose second part messages show.
    """
    all_pairs = list(pairs)
    by_name = dict(all_pairs)
    if len(by_name) < len(all_pairs):
        repeated = find_repeated(name for name, _ in all_pairs)[0]
        shown = repeated if isinstance(repeated, str) else repeated[1]
        raise InputError(f"{where}: {shown!r} is given more than once. Rename one of them.")
    return by_name


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
