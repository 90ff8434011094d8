"""What systems are called after their files, and which names are easily taken for each other."""

from __future__ import annotations

import itertools
import os
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from .files import find_repeated, name_of


def names_after_paths(paths: Sequence[Path]) -> list[str]:
    """The name that each file gives its system: the file's own, or that of its folder.

    Files of one name are called after what tells their paths apart: the shortest part of their
    folders, or the file's name with all its suffixes where they lie in one folder.

    Parameters
    ----------
    paths : sequence of Path

    Returns
    -------
    list of str
        A name for each path.  A path that is there twice has the same name twice.

    Examples
    --------
    >>> names_after_paths([Path("elm/test.en"), Path("oak/test.en"), Path("ash.txt")])
    ['elm', 'oak', 'ash']
    >>> names_after_paths([Path("elm/1/out/a.txt"), Path("elm/2/out/a.txt"), Path("b/2/out/a.txt")])
    ['elm/1', 'elm/2', 'b/2']
    """
    names = [name_of(path) for path in paths]
    places_of_name: dict[str, list[int]] = defaultdict(list)
    for place, name in enumerate(names):
        places_of_name[name].append(place)
    for name, places in places_of_name.items():
        if len(places) == 1:
            continue
        other_names = places_of_name.keys() - {name}
        distinct = _distinct_names([paths[place] for place in places])
        for place, distinct_name in zip(places, distinct, strict=True):
            is_taken = distinct_name in other_names
            names[place] = f"{distinct_name}/{name}" if is_taken else distinct_name
    return names


def _distinct_names(paths: Sequence[Path]) -> list[str]:
    """Names for files of one name, after their folders, or with their suffixes."""
    absolute = [Path(os.path.abspath(path)) for path in paths]
    folders = [path.parent.parts for path in absolute]
    n_folders = len(set(folders))
    if n_folders == 1:
        return [path.name for path in paths]
    # A folder may have two files of the name, such as a.txt and a.txt.gz.
    if n_folders < len(folders):
        return shortest_ends([path.parts for path in absolute])
    return shortest_ends(folders)


def shortest_ends(parts: Sequence[tuple[str, ...]]) -> list[str]:
    """The shortest ends of paths that tell them apart, without the ends that all have in common.

    Parameters
    ----------
    parts : sequence of tuple of str
        Each path, folder by folder.

    Returns
    -------
    list of str
        An end for each path; paths that are the same have the same, and it is empty where all are.

    Examples
    --------
    >>> shortest_ends([("elm", "1", "out"), ("elm", "2", "out"), ("oak", "2", "out")])
    ['elm/1', 'elm/2', 'oak/2']
    """
    n_paths = len(set(parts))
    if n_paths == 1:
        return [""] * len(parts)
    while len({path[-1:] for path in parts}) == 1:
        parts = [path[:-1] for path in parts]
    for depth in itertools.count(1):
        ends = ["/".join(path[-depth:]) for path in parts]
        if len(set(ends)) == n_paths:
            return ends
    raise AssertionError  # the whole paths differ


def alike(names: Iterable[str], form: Callable[[str], str] | None = None) -> list[tuple[str, ...]]:
    """Names that are easily taken for each other.

    Parameters
    ----------
    names : iterable of str
        Each once.
    form : callable, optional
        Gives the form of a name that is compared; by default the name without case, blanks,
        invisible characters and the form of Unicode.

    Returns
    -------
    list of tuple of str
        Names of the same form, two or more in each.

    Examples
    --------
    >>> alike(["elm", "Elm ", "oak", "ash"])
    [('elm', 'Elm ')]
    """
    if form is None:
        form = _bare
    groups: dict[str, list[str]] = defaultdict(list)
    for name in names:
        groups[form(name)].append(name)
    return [tuple(group) for group in groups.values() if len(group) > 1]


def shown(names: Sequence[str]) -> list[str]:
    r"""Names in quotation marks; in escapes where several would look the same.

    Examples
    --------
    >>> print(*shown(["elm", "Elm"]), *shown(["elm", "elm\u200b"]))
    'elm' 'Elm' 'elm' 'elm\u200b'
    """
    looks = [unicodedata.normalize("NFC", visible(name)) for name in names]
    quote = ascii if find_repeated(looks) else repr
    return [quote(name) for name in names]


def folded(name: str) -> str:
    """A name without what is easily overlooked: case, blanks and the form of Unicode.

    Examples
    --------
    >>> folded(" E lm"), folded("\uff25lm")
    ('elm', 'elm')
    """
    compatible = unicodedata.normalize("NFKC", name)
    return "".join(compatible.casefold().split())


def _bare(name: str) -> str:
    """A name without what is easily overlooked, and without what is not seen at all."""
    return folded(visible(name))


def visible(name: str) -> str:
    """`name` without characters that format text and are not seen themselves."""
    return "".join(letter for letter in name if unicodedata.category(letter) != "Cf")
