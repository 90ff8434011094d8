"""Folders: which of their files are read, and which are left out."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ...errors import InputError, listed
from ...texts.files import load_json, quoted, read_text, without_gz
from .programs import harness, inspect_ai
from .reading import known_programs, program_of

#: Kinds of files beside logs, by the last suffix.
_TABLES = "tables"
_WMT = "scores of WMT's metrics task"
_BY_SUFFIX = {".csv": _TABLES, ".tsv": _TABLES, ".score": _WMT}

#: Suffixes of JSON, whose kind is told by its content.
_JSON = (".json", ".jsonl", ".ndjson")

#: The most files of a folder whose kinds are looked for.
_MOST_FILES = 10_000

#: The most names of files that a message has.
_MOST_NAMES = 40

_ARCHIVES = "archives of Inspect"
_WHOLE_TASKS = "results of whole tasks"
_OTHER_JSON = "other JSON"
#: Kinds that are read where there are neither logs nor scores of WMT's.
_PLAIN = (_TABLES, _OTHER_JSON)


def files_in(folder: Path, remarks: list[str]) -> list[Path]:
    """The files with scores in a folder and below it, if they are all of one kind.

    Adds to `remarks` which files are left out.  Hidden files and folders are no part of it.

    Raises
    ------
    InputError
        If there are none, or of several programs, or logs of which only Inspect can read some.
    """
    kinds: dict[str, list[Path]] = {}
    for file in _visible(folder):
        kinds.setdefault(_kind(file), []).append(file)
    of_programs = [program.PROGRAM for program in known_programs()]
    readable = [kind for kind in (*of_programs, _WMT) if kind in kinds]
    if not readable:
        readable = [kind for kind in _PLAIN if kind in kinds]
    _check_archives(folder, kinds.get(_ARCHIVES, []), kinds.get(inspect_ai.PROGRAM, []))
    if not readable:
        raise _without_scores(folder, kinds)
    if len(readable) > 1:
        shown = "; ".join(f"{kind}: {_named(folder, kinds[kind])}" for kind in readable)
        raise InputError(
            f"{str(folder)!r} is a folder with files of several kinds ({shown}). Give the files "
            "of one of them."
        )
    (kept,) = readable
    left_out = _all_files(kinds, without=kept)
    if left_out:
        remarks.append(f"not read in {str(folder)!r}: {_named(folder, left_out)}")
    return kinds[kept]


def _without_scores(folder: Path, kinds: Mapping[str, list[Path]]) -> InputError:
    """The error for a folder of which nothing can be read."""
    if _WHOLE_TASKS in kinds:
        return harness.whole_tasks(quoted(kinds[_WHOLE_TASKS][0]))
    what = f"it has {_named(folder, _all_files(kinds))}" if kinds else "it is empty"
    return InputError(
        f"{str(folder)!r} is a folder without scores: {what}. What is read from a folder: "
        "logs of lm-evaluation-harness (samples_*.jsonl), Inspect, promptfoo and Pearmut (.json), "
        "*.seg.score, and tables (.csv, .tsv). Give the files themselves."
    )


def _all_files(kinds: Mapping[str, list[Path]], *, without: str = "") -> list[Path]:
    """The files of all kinds, or of all but one."""
    taken = [files for kind, files in kinds.items() if kind != without]
    return list(itertools.chain.from_iterable(taken))


def _visible(folder: Path) -> Iterator[Path]:
    """The files in a folder and below it, without hidden ones and those in hidden folders."""
    n_files = 0
    for path in sorted(folder.rglob("*")):
        below = path.relative_to(folder)
        if any(part.startswith(".") for part in below.parts) or not path.is_file():
            continue
        n_files += 1
        if n_files > _MOST_FILES:
            raise InputError(
                f"{str(folder)!r} has more than {_MOST_FILES:,} files. Give a folder that has only "
                "logs."
            )
        yield path


def _kind(file: Path) -> str:
    """What a file is: by its suffix, or if it is JSON, by its content."""
    bare = without_gz(file)
    suffix = bare.suffix.lower()
    if suffix == ".eval":
        return _ARCHIVES
    if suffix in _JSON:
        return _kind_of_json(file)
    if suffix == ".score" and not bare.name.endswith(".seg.score"):
        return "scores of whole test sets"
    return _BY_SUFFIX.get(suffix, "others")


def _kind_of_json(file: Path) -> str:
    """What a file of JSON is, by its content."""
    content = _first_of(file)
    program = program_of(content)
    if program is not None:
        return program.PROGRAM
    if isinstance(content, dict) and harness.is_results({*content}):
        return _WHOLE_TASKS
    return _OTHER_JSON


def _first_of(file: Path) -> Any:
    """The JSON of a file, or a list with that of its first line."""
    text = read_text(file)
    first, *others = re.split("[\r\n]+", text.strip(), maxsplit=1)
    if others:
        try:
            return [load_json(quoted(file), first)]
        except InputError:
            pass  # the first line is no JSON by itself
    return load_json(quoted(file), text, "Write it again, or take it out of the folder.")


def _check_archives(folder: Path, archives: list[Path], logs: list[Path]) -> None:
    """Raise `InputError` if there are archives of Inspect without the JSON of the same name."""
    dumped = {without_gz(file).with_suffix("") for file in logs}
    dumped_names = {file.name for file in dumped}
    missing = [file for file in archives if file.stem not in dumped_names]
    if missing:
        raise inspect_ai.not_dumped(folder, missing)


def _named(folder: Path, files: list[Path]) -> str:
    """Files by where they are in the folder."""
    return listed([repr(file.relative_to(folder).as_posix()) for file in files], _MOST_NAMES)
