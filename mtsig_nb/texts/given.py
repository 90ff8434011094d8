"""The files that somebody gave: a path, a folder, a pattern, several, or one for each name."""

from __future__ import annotations

import glob
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import InputError, listed
from ..notes import Note, note
from .files import STANDARD_INPUT, expanded, files_in, without_gz
from .recognised import log_program

PathLike = str | os.PathLike[str]
#: One file, several, or several with a name for each.
Files = PathLike | Sequence[PathLike] | Mapping[str, PathLike]

#: Names and suffixes of files that stand beside outputs in a folder and are none.
_BESIDE = ("readme", "license", "licence", "makefile", "changelog")
_NO_OUTPUTS = frozenset(
    f".{suffix}"
    for suffix in (
        *("md", "rst", "log", "json", "yaml", "yml", "toml", "cfg", "ini", "html", "htm", "pdf"),
        *("py", "sh", "ipynb", "csv", "xlsx", "parquet", "npz", "bib", "tex", "png", "svg", "jpg"),
        *("zip", "tar", "pt", "bin"),
    )
)


#: What is written for people to read.
_PAGES = (".html", ".htm", ".tex", ".md", ".pdf", ".png", ".svg")


class Given(NamedTuple):
    """A file, and the name that was given for what is in it."""

    name: str | None
    path: Path


def given_files(argument: str, files: Files | Sequence[Given]) -> tuple[list[Given], list[Note]]:
    """The files that are meant, each once, and notes on those that are left out.

    Raises
    ------
    InputError
        If it is nothing of the kind, a folder has no files to read or is given for a reference,
        or a pattern matches none.
    """
    listing: list[tuple[str | None, PathLike]] = []
    if isinstance(files, str | os.PathLike):
        listing = [(None, files)]
    elif isinstance(files, Mapping):
        listing = [(str(name), file) for name, file in files.items()]
    elif isinstance(files, Sequence):
        listing = [file if isinstance(file, Given) else (None, file) for file in files]
    if not listing or not all(isinstance(file, str | os.PathLike) for _, file in listing):
        raise InputError(
            f"{argument}={files!r}: give the path of a file, or of a folder with files; several "
            "paths; or a mapping of names to paths."
        )
    notes: list[Note] = []
    given: list[Given] = []
    for name, file in listing:
        paths = _files_meant(argument, expanded(file), notes)
        if name is not None and len(paths) > 1:
            raise InputError(
                f"{argument}: {name!r} is a name for one file, and {str(file)!r} stands for "
                f"{len(paths)}. Name each of them."
            )
        given += [Given(name, path) for path in paths]
    return _each_once(given, notes), notes


def _files_meant(argument: str, path: Path, notes: list[Note]) -> list[Path]:
    """The files that a path stands for: itself, those in a folder, those that match a pattern."""
    if path.is_dir():
        if argument != "systems":
            raise InputError(f"{argument}={str(path)!r} is a folder. Name the file in it.")
        return _files_of_folder(path, notes)
    if glob.has_magic(str(path)) and not os.path.lexists(path):
        found = sorted(map(Path, glob.glob(str(path))))
        if not found:
            raise InputError(f"{argument}={str(path)!r}: no file matches this pattern.")
        return found
    return [path]


def _files_of_folder(folder: Path, notes: list[Note]) -> list[Path]:
    """The outputs in a folder; what else is there is noted by name, but for hidden files."""
    folders = [path.name for path in sorted(folder.iterdir()) if path.is_dir()]
    left_out = [f"{name}/" for name in folders if not name.startswith(".")]
    kept = []
    for path in files_in(folder):
        if _is_no_output(path):
            left_out.append(path.name)
        else:
            kept.append(path)
    if not kept:
        has = f"It has {listed(left_out)}. " if left_out else ""
        raise InputError(
            f"systems: the folder {str(folder)!r} has no file with an output. {has}Give the files "
            "themselves."
        )
    if left_out:
        notes.append(
            note("left-out-of-folder", folder=folder.name or str(folder), names=listed(left_out))
        )
    return kept


def _is_no_output(path: Path) -> bool:
    """Whether a file in a folder of outputs is something else, by its name."""
    if path.name.casefold().startswith(_BESIDE):
        return True
    suffix = without_gz(path).suffix.casefold()
    if suffix == ".log":
        return not _is_log_of_outputs(path)
    return suffix in _NO_OUTPUTS


def _is_log_of_outputs(path: Path) -> bool:
    """Whether a file is a log of a program that is known, with its outputs."""
    try:
        with path.open(encoding="utf-8", errors="replace") as stream:
            return bool(log_program(stream.read(1 << 16)))
    except OSError:
        return False


def _each_once(given: Sequence[Given], notes: list[Note]) -> list[Given]:
    """The files without those that are there again under no name of their own."""
    kept: dict[tuple[str, str] | Given, Given] = {}
    for file in given:
        folder = os.path.realpath(file.path.parent)
        where = (folder, file.path.name) if file.name is None else file
        if where in kept:
            notes.append(note("given-twice", file=file.path.name))
        else:
            kept[where] = file
    return list(kept.values())


def files_below(path: Path) -> list[Path]:
    """All files in a folder and in its folders, but for pages that no program reads back.

    Of a file it is the file itself, and of standard input what that is connected to.
    """
    if path == STANDARD_INPUT:
        return [Path("/dev/stdin")]
    if not path.is_dir():
        return [path]
    found = []
    seen = set()  # folders, of which a link may lead back to one above it
    for folder, folders, names in os.walk(path, followlinks=True):
        where = os.path.realpath(folder)
        if where in seen:
            folders.clear()
            continue
        seen.add(where)
        found += [
            Path(folder, name) for name in names if Path(name).suffix.casefold() not in _PAGES
        ]
    return found


def same_file(path: Path, other: Path) -> bool:
    """Whether two paths lead to one file, by whatever links."""
    try:
        return path == other or os.path.samefile(path, other)
    except (OSError, ValueError):  # what is wrong with a path is said by who reads it
        return False
