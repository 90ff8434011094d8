"""Which files are read, and what each is called."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from ..errors import InputError, listed
from ..texts.files import find_repeated, split_name
from .labels import names_metric
from .logs.folders import files_in
from .source import ScoreSource, name_from_file


def score_source(path: str) -> ScoreSource:
    """A file by itself, as ``FILE`` or ``NAME=FILE``."""
    name, file = split_name(path)
    return ScoreSource(file, file.name, name)


def score_sources(paths: Sequence[str], remarks: list[str]) -> list[ScoreSource]:
    """The files, those in folders too, each with what it is called.

    Files of one name in several folders are called after the folders.  What of a folder is left
    out is added to `remarks`.

    Raises
    ------
    InputError
        If a file is there twice.
    """
    named: list[tuple[str, Path]] = []
    for path in paths:
        name, file = split_name(path)
        if not file.is_dir():
            named.append((name, file))
        elif name:
            raise InputError(
                f"{path!r}: {str(file)!r} is a folder. Give a name to each file in it: NAME=FILE."
            )
        else:
            named += [("", inside) for inside in files_in(file, remarks)]
    _check_once([file for _, file in named])
    titles = shortest_titles([file for _, file in named])
    own_names = [name or name_from_file(file) for name, file in named]
    folders = _folder_names([file for _, file in named], own_names, [name for name, _ in named])
    return [
        ScoreSource(file, title, name, folder)
        for (name, file), title, folder in zip(named, titles, folders, strict=True)
    ]


def shortest_titles(files: Sequence[Path]) -> list[str]:
    """The files' names, with as many of their folders as tell them apart.

    >>> shortest_titles([Path("a/x.csv"), Path("b/x.csv"), Path("b/y.csv")])
    ['a/x.csv', 'b/x.csv', 'y.csv']
    """
    titles = [file.name for file in files]
    for depth in range(2, 1 + max(len(file.parts) for file in files)):
        repeated = set(find_repeated(titles))
        if not repeated:
            break
        titles = [
            "/".join(file.absolute().parts[-depth:]) if title in repeated else title
            for file, title in zip(files, titles, strict=True)
        ]
    return titles


def _check_once(files: Sequence[Path]) -> None:
    """Raise `InputError` for a file that is there twice, by whatever path."""
    seen: dict[object, Path] = {}
    for file in files:
        if not file.is_file():  # a pipe is read once, however often it is named
            continue
        status = file.stat()
        identity = (status.st_dev, status.st_ino)
        if identity in seen:
            first = seen[identity]
            same = "is given twice" if file == first else f"is the same file as {str(first)!r}"
            raise InputError(f"{str(file)!r} {same}. Give each file of scores once.")
        seen[identity] = file


def _folder_names(files: Sequence[Path], names: Sequence[str], given: Sequence[str]) -> list[str]:
    """What files of the same name are called after; empty for the others."""
    alike: dict[str, list[int]] = defaultdict(list)
    for place, name in enumerate(names):
        if not given[place]:
            alike[name].append(place)
    folders = [""] * len(files)
    for places in alike.values():
        parents = {files[place].absolute().parent for place in places}
        if len(parents) > 1:
            for place, folder in zip(places, _distinct([files[p] for p in places]), strict=True):
                folders[place] = folder
    return folders


def _distinct(files: Sequence[Path]) -> list[str]:
    """The nearest folder whose names tell files apart, or as much of the paths as does.

    >>> _distinct([Path("wait3/out/m.tsv"), Path("wait5/out/m.tsv")])
    ['wait3', 'wait5']
    """
    parts = [file.absolute().parts[:-1] for file in files]
    depth = min(map(len, parts))
    for up in range(1, depth + 1):
        candidates = [own[-up] for own in parts]
        if len(set(candidates)) == len(files):
            return candidates
    for up in range(2, depth + 1):
        candidates = ["/".join(own[-up:]) for own in parts]
        if len(set(candidates)) == len(files):
            return candidates
    return ["/".join(own) for own in parts]


def check_names(sources: Sequence[ScoreSource]) -> None:
    """Raise `InputError` where files that systems are called after might be those of metrics.

    Such are ``comet.txt`` and ``bleu.txt``; and of ``comet/A.txt``, ``comet/B.txt``, ``bleu/A.txt``
    and ``bleu/B.txt`` nobody can say what is a system.
    """
    unnamed = [source for source in sources if not source.given_name]
    if len(unnamed) > 1 and all(names_metric(source.name) for source in unnamed):
        shown = listed([repr(source.title) for source in unnamed], 4)
        raise InputError(
            f"{shown} are called after metrics, but each would be a system. Give each the name of "
            "its system, NAME=FILE, and the files of one metric alone; or a table with a column "
            "for each metric."
        )
    folders = Counter(source.folder_name for source in sources if source.folder_name)
    if any(count > 1 for count in folders.values()):
        shown = listed([repr(source.title) for source in sources], 4)
        raise InputError(
            f"{shown} have the same names in several folders: are the folders systems, or "
            "metrics? Give each file the name of its system, NAME=FILE, and the files of one "
            "metric alone."
        )
