"""Uploaded files, none of which is trusted: limited in size, kept under harmless names.

A file's name is only a label.  It reaches the file system if it is made of letters, digits, dots,
dashes and underscores alone; otherwise the file is stored under a name of ours, and the label goes
on as the system's name.  What is in the files is read by :mod:`mtsig_nb.testset_formats` (SGML by
its tags, XML without entities) and pandas (CSV); nothing is ever unpickled or executed.
"""

from __future__ import annotations

import dataclasses
import gzip
import re
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..report.analysis import Analysis
from ..texts.formats import name_of
from ..texts.formats.base import SUFFIXES, without_gz
from ..texts.reading import GZIP, Most, unpacked

#: Limits in bytes, before and after decompression.
MOST_OF_ONE_FILE = 8_000_000
MOST_UNPACKED = 32_000_000
MOST_TOGETHER = 64_000_000
#: Limits of what memory is taken for: the lines of 20 systems with `MOST_SEGMENTS` each.
MOST_LINES = 1_000_000
MOST_FIELDS = 4_000_000
#: More than this would keep a course server busy for minutes.
MOST_FILES = 60
MOST_SEGMENTS = 50_000

#: Suffixes of files of scores, behind which a ``.gz`` may follow.
_OF_SCORES = frozenset({".csv", ".tsv", ".txt", ".json", ".jsonl", ".score", ".scores"})

_LIMIT = "the limit. Use mtsig compare for more."

_HARMLESS = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,80}", re.ASCII)


@dataclasses.dataclass(frozen=True)
class Upload:
    """A file as a browser hands it over: what it calls it, and what is in it."""

    name: str
    content: bytes

    @classmethod
    def of(cls, values: Iterable[Mapping[str, Any]]) -> list[Upload]:
        """The files in the value of a `DropZone` (or of an ``ipywidgets.FileUpload``)."""
        return [cls(str(v["name"]), bytes(v["content"])) for v in values]

    @property
    def label(self) -> str:
        """The file's own name, without what a browser or a joker put before it."""
        return re.split(r"[/\\]", self.name)[-1] if _is_path(self.name) else self.name


def _is_path(name: str) -> bool:
    """Whether `name` has folders in it, rather than a slash in a name that is no path at all."""
    return name.startswith(("/", "\\", ".")) or bool(re.fullmatch(r"[\w.: \\/-]+", name))


def limits() -> dict[str, int]:
    """The limits that a browser can check: bytes of one file, of all together, and their number."""
    return {"file": MOST_OF_ONE_FILE, "together": MOST_TOGETHER, "number": MOST_FILES}


def check_announced(files: Sequence[tuple[str, int]]) -> None:
    """Raise `InputError` if there are too many files, or too much in one or all of them.

    Parameters
    ----------
    files : sequence of (str, int)
        Name and size in bytes of each, as it comes.
    """
    if len(files) > MOST_FILES:
        raise InputError(
            f"{len(files)} files are too many: at most {MOST_FILES} can be uploaded. "
            "Use mtsig compare for more."
        )
    for name, size in files:
        if size > MOST_OF_ONE_FILE:
            raise InputError(
                f"{Upload(name, b'').label!r} has {_megabytes(size)}; a file may have "
                f"{_megabytes(MOST_OF_ONE_FILE)}. Compress it with gzip, or use mtsig compare."
            )
    _check_together(sum(size for _, size in files))


def check_sizes(uploads: Sequence[Upload]) -> None:
    """Raise `InputError` if the files pass a limit, as they come or unpacked.

    Compressed files are unpacked piece by piece, and no further than the limit.
    """
    check_announced([(upload.name, len(upload.content)) for upload in uploads])
    together = lines = 0
    for upload in uploads:
        content = _unpacked(upload)
        together += len(content)
        lines += content.count(b"\n")
        _check_together(together)
        if lines > MOST_LINES:
            raise InputError(
                f"The files have more than {MOST_LINES:,} lines together, which is {_LIMIT}"
            )


def _check_together(size: int) -> None:
    if size > MOST_TOGETHER:
        raise InputError(
            f"The files have more than {_megabytes(MOST_TOGETHER)} together, which is {_LIMIT}"
        )


def _unpacked(upload: Upload) -> bytes:
    """What is in a file once it is unpacked, which is no more than the limits."""
    most = Most(MOST_UNPACKED, MOST_LINES, MOST_FIELDS, _LIMIT)
    try:
        content = unpacked([upload.content], most, upload.label)
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise InputError(f"{upload.label!r} is a damaged gzip file. Compress it again.") from None
    if upload.content.startswith(GZIP) and content.startswith(GZIP):
        raise InputError(f"{upload.label!r} is compressed twice. Compress it once.")
    return content


def _megabytes(n_bytes: int) -> str:
    return f"{n_bytes / 1e6:,.1f} MB"


def texts_analysis(
    folder: Path,
    references: Sequence[Upload],
    systems: Sequence[Upload],
    documents: Sequence[Upload] = (),
) -> Analysis:
    """Store the texts of a test set in `folder`; the analysis that reads them from there.

    Raises
    ------
    InputError
        If a limit is passed, two systems have the same name, or there is no reference.
    """
    check_sizes([*references, *systems, *documents])
    if not references:
        raise InputError("There is no reference yet: choose its file.")
    if len(documents) > 1:
        raise InputError("documents: one file has them all, one line per segment.")
    kept = [(s.label, _stored(folder, s, f"system-{i}")) for i, s in enumerate(systems, start=1)]
    return Analysis(
        references=[
            _stored(folder, r, f"reference-{i}") for i, r in enumerate(references, start=1)
        ],
        systems=_by_name(kept),
        documents=_stored(folder, documents[0], "documents") if documents else None,
    )


def _by_name(kept: Sequence[tuple[str, str]]) -> list[str] | dict[str, str]:
    """Files, with names beside them if one had to be stored under another name than its own."""
    if all(Path(path).name == label for label, path in kept):
        return [path for _, path in kept]
    named: dict[str, str] = {}
    for label, path in kept:
        name = name_of(Path(label)) if "/" not in label else label.removesuffix(".txt")
        if name in named:
            raise InputError(f"systems: two files give the name {name!r}. Rename one of them.")
        named[name] = path
    return named


def scores_analysis(folder: Path, tables: Sequence[Upload], *, smaller_is_better: bool) -> Analysis:
    """Store files of segment scores in `folder`; the analysis that reads them from there.

    Raises
    ------
    InputError
        If a limit is passed, or there is no file.
    """
    check_sizes(tables)
    if not tables:
        raise InputError("Choose a file with scores of segments.")
    paths = [
        _stored(folder, table, f"scores{i}", _OF_SCORES) for i, table in enumerate(tables, start=1)
    ]
    return Analysis(
        scores=paths[0] if len(paths) == 1 else paths, smaller_is_better=smaller_is_better
    )


def _stored(
    folder: Path, upload: Upload, otherwise: str, suffixes: Collection[str] | None = None
) -> str:
    """Write a file into `folder` under its own name if that is harmless and free; the path.

    A name with another suffix than `suffixes` is not taken, where they are given.
    """
    label = upload.label
    path = folder / label
    bare = without_gz(Path(label)).suffix.lower()
    known = suffixes is None or bare in suffixes
    if not known or not _HARMLESS.fullmatch(label) or path.exists():
        # What the suffix says of the format is kept, if we know that format.
        path = folder / f"{otherwise}{bare if bare in (suffixes or SUFFIXES) else '.txt'}"
    with open(path, "xb") as stream:
        stream.write(upload.content)
    return str(path)


__all__ = [
    "Upload",
    "check_announced",
    "check_sizes",
    "limits",
    "scores_analysis",
    "texts_analysis",
]
