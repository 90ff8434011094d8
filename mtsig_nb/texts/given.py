"""The files that are meant by a path, a folder, a pattern, several of these, or a mapping."""

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

#: How names of files begin that stand beside outputs in a folder, and are none.
_BESIDE = ("readme", "license", "licence", "makefile", "changelog")
#: The suffixes of such files.
_NO_OUTPUTS = frozenset(
    (
        *(".md", ".rst", ".log", ".json", ".yaml", ".yml", ".toml", ".cfg", ".ini"),
        *(".html", ".htm", ".pdf", ".bib", ".tex", ".png", ".svg", ".jpg"),
        *(".py", ".sh", ".ipynb", ".csv", ".xlsx", ".parquet", ".npz"),
        *(".zip", ".tar", ".pt", ".bin"),
    )
)
#: Suffixes of pages that are written for people to read.
_PAGES = (".html", ".htm", ".tex", ".md", ".pdf", ".png", ".svg")
#: The beginning of a log that is looked at, in characters.
_HEAD = 1 << 16


class Given(NamedTuple):
    """A file, and the name that was given for what is in it; None where none was."""

    name: str | None
    path: Path


def given_files(argument: str, files: Files | Sequence[Given]) -> tuple[list[Given], list[Note]]:
    """The files that are meant, each once, and notes on those that are left out.

    Parameters
    ----------
    argument : str
        What messages call the argument.  Folders are taken for ``"systems"`` only.
    files : path, sequence of paths, or mapping of names to paths
        Members of a sequence may also be files with their names.

    Raises
    ------
    InputError
        If it is nothing of the kind, a folder has no files to read or is given for a reference,
        or a pattern matches none.
    """
    named_paths: list[tuple[str | None, PathLike]] = []
    if isinstance(files, str | os.PathLike):
        named_paths = [(None, files)]
    elif isinstance(files, Mapping):
        named_paths = [(str(name), path) for name, path in files.items()]
    elif isinstance(files, Sequence):
        named_paths = [file if isinstance(file, Given) else (None, file) for file in files]
    if not named_paths or not all(isinstance(path, str | os.PathLike) for _, path in named_paths):
        raise InputError(
            f"{argument}={files!r}: give the path of a file, or of a folder with files; several "
            "paths; or a mapping of names to paths."
        )
    notes: list[Note] = []
    given: list[Given] = []
    for name, path in named_paths:
        paths = _files_meant(argument, expanded(path), notes)
        if name is not None and len(paths) > 1:
            raise InputError(
                f"{argument}: {name!r} is a name for one file, and {str(path)!r} stands for "
                f"{len(paths)}. Name each of them."
            )
        given += [Given(name, file) for file in paths]
    return _each_once(given, notes), notes


def _files_meant(argument: str, path: Path, notes: list[Note]) -> list[Path]:
    """The files that a path stands for: itself, those in a folder, those that match a pattern."""
    if path.is_dir():
        if argument != "systems":
            raise InputError(f"{argument}={str(path)!r} is a folder. Name the file in it.")
        return _files_of_folder(path, notes)
    if glob.has_magic(str(path)) and not os.path.lexists(path):
        matching = sorted(map(Path, glob.glob(str(path))))
        if not matching:
            raise InputError(f"{argument}={str(path)!r}: no file matches this pattern.")
        return matching
    return [path]


def _files_of_folder(folder: Path, notes: list[Note]) -> list[Path]:
    """The outputs in a folder; a note names what else is there, but for hidden files."""
    subfolders = [path.name for path in sorted(folder.iterdir()) if path.is_dir()]
    left_out = [f"{name}/" for name in subfolders if not name.startswith(".")]
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
        folder_name = folder.name or str(folder)
        notes.append(note("left-out-of-folder", folder=folder_name, names=listed(left_out)))
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
            return bool(log_program(stream.read(_HEAD)))
    except OSError:
        return False


def _each_once(given: Sequence[Given], notes: list[Note]) -> list[Given]:
    """The files without those that are there again; a note names each.

    Files that were given with a name are the same if their names are.
    """
    kept: dict[tuple[str, str] | Given, Given] = {}
    for file in given:
        folder = os.path.realpath(file.path.parent)
        identity = (folder, file.path.name) if file.name is None else file
        if identity in kept:
            notes.append(note("given-twice", file=file.path.name))
        else:
            kept[identity] = file
    return list(kept.values())


def files_below(path: Path) -> list[Path]:
    """All files in a folder and in its folders, but for pages that no program reads back.

    Of a file it is the file itself, and of standard input what that is connected to.
    """
    if path == STANDARD_INPUT:
        return [Path("/dev/stdin")]
    if not path.is_dir():
        return [path]
    files = []
    seen = set()  # a link may lead back to a folder above it
    for folder, subfolders, names in os.walk(path, followlinks=True):
        real_folder = os.path.realpath(folder)
        if real_folder in seen:
            subfolders.clear()  # so that the walk does not go into them
            continue
        seen.add(real_folder)
        for name in names:
            file = Path(folder, name)
            if file.suffix.casefold() not in _PAGES:
                files.append(file)
    return files


def same_file(path: Path, other: Path) -> bool:
    """Whether two paths lead to one file, by whatever links."""
    try:
        return path == other or os.path.samefile(path, other)
    except (OSError, ValueError):  # the error is raised, and explained, when the file is read
        return False
