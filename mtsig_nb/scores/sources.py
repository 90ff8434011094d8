"""Which files are read, and what each is called."""

from __future__ import annotations

import itertools
from collections import defaultdict
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
    """The files, and those in folders, each with what it is called.

    Files of one name in several folders are called after the folders.  What is left out of a folder
    is added to `remarks`.

    Raises
    ------
    InputError
        If a file is there twice.
    """
    names: list[str] = []
    files: list[Path] = []
    for path in paths:
        name, file = split_name(path)
        if file.is_dir() and name:
            raise InputError(
                f"{path!r}: {str(file)!r} is a folder. Give a name to each file in it: NAME=FILE."
            )
        inside = files_in(file, remarks) if file.is_dir() else [file]
        files += inside
        names += [name] * len(inside)
    _check_once(files)
    titles = shortest_titles(files)
    folders = _folder_names(files, names)
    return [
        ScoreSource(file, title, name, folder)
        for file, title, name, folder in zip(files, titles, names, folders, strict=True)
    ]


def shortest_titles(files: Sequence[Path]) -> list[str]:
    """The files' names, with as many of their folders as tell them apart.

    >>> shortest_titles([Path("a/x.csv"), Path("b/x.csv"), Path("b/y.csv")])
    ['a/x.csv', 'b/x.csv', 'y.csv']
    """
    titles = [file.name for file in files]
    longest = max(len(file.parts) for file in files)
    for depth in range(2, longest + 1):
        repeated = set(find_repeated(titles))
        for place, file in enumerate(files):
            if titles[place] in repeated:
                titles[place] = "/".join(file.absolute().parts[-depth:])
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
            problem = f"is the same file as {str(first)!r}"
            if file == first:
                problem = "is given twice"
            raise InputError(f"{str(file)!r} {problem}. Give each file of scores once.")
        seen[identity] = file


def _folder_names(files: Sequence[Path], names: Sequence[str]) -> list[str]:
    """The folders that files are called after: files of one name to which no name was given.

    It is empty for all other files.
    """
    places_of_name: dict[str, list[int]] = defaultdict(list)
    for place, file in enumerate(files):
        if not names[place]:
            places_of_name[name_from_file(file)].append(place)
    folders = [""] * len(files)
    for places in places_of_name.values():
        files_alike = [files[place] for place in places]
        n_folders = len({file.absolute().parent for file in files_alike})
        if n_folders > 1:
            for place, folder in zip(places, _distinct_folders(files_alike), strict=True):
                folders[place] = folder
    return folders


def _distinct_folders(files: Sequence[Path]) -> list[str]:
    """The nearest folder of each file whose name tells files apart, or the end of its path.

    >>> _distinct_folders([Path("wait3/out/m.tsv"), Path("wait5/out/m.tsv")])
    ['wait3', 'wait5']
    """
    folders = [file.absolute().parts[:-1] for file in files]
    depths = range(1, min(map(len, folders)) + 1)
    single_names = ([parts[-depth] for parts in folders] for depth in depths)
    ends = (["/".join(parts[-depth:]) for parts in folders] for depth in depths)
    for candidates in itertools.chain(single_names, ends):
        if len(set(candidates)) == len(files):
            return candidates
    return ["/".join(parts) for parts in folders]


def check_names(sources: Sequence[ScoreSource]) -> None:
    """Raise `InputError` where the names of files may be those of metrics, and not of systems.

    So may ``comet.txt`` and ``bleu.txt``.  Of ``comet/A.txt``, ``comet/B.txt``, ``bleu/A.txt`` and
    ``bleu/B.txt`` nobody can say whether the folders or the files are systems.

    Parameters
    ----------
    sources : sequence of ScoreSource
        The files that systems are called after.
    """
    unnamed = [source for source in sources if not source.given_name]
    if len(unnamed) > 1 and all(names_metric(source.name) for source in unnamed):
        raise InputError(
            f"{_titles(unnamed)} are named after metrics, but each would be a system. Give each "
            "the name of its system, NAME=FILE, and the files of one metric alone; or a table "
            "with a column for each metric."
        )
    if find_repeated(source.folder_name for source in sources if source.folder_name):
        raise InputError(
            f"{_titles(sources)} have the same names in several folders: are the folders systems, "
            "or metrics? Give each file the name of its system, NAME=FILE, and the files of one "
            "metric alone."
        )


def _titles(sources: Sequence[ScoreSource]) -> str:
    """Files as messages list them."""
    return listed([repr(source.title) for source in sources], 4)
