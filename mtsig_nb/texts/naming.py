"""What systems are called after their files, and which names are easily taken for each other."""

from __future__ import annotations

import itertools
import os
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
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
    groups: dict[str, list[int]] = defaultdict(list)
    for place, name in enumerate(names):
        groups[name].append(place)
    for shared, places in groups.items():
        if len(places) == 1:
            continue
        among = _told_apart([paths[place] for place in places])
        others = {name for name in groups if name != shared}
        for place, name in zip(places, among, strict=True):
            names[place] = f"{name}/{shared}" if name in others else name
    return names


def _told_apart(paths: Sequence[Path]) -> list[str]:
    """Names for files of one name, by their folders or by their suffixes."""
    folders = [Path(os.path.abspath(path)).parent.parts for path in paths]
    if len(set(folders)) == 1:
        return [path.name for path in paths]
    if len(set(folders)) < len(folders):
        folders = [Path(os.path.abspath(path)).parts for path in paths]
    while len({folder[-1:] for folder in folders}) == 1:
        folders = [folder[:-1] for folder in folders]
    wanted = len(set(folders))
    for depth in itertools.count(1):
        names = ["/".join(folder[-depth:]) for folder in folders]
        if len(set(names)) == wanted:
            return names
    raise AssertionError  # the whole paths differ


def alike(names: Iterable[str]) -> list[tuple[str, ...]]:
    """Names that differ in nothing but case, blanks, invisible characters or Unicode form.

    Examples
    --------
    >>> alike(["elm", "Elm ", "oak", "ash"])
    [('elm', 'Elm ')]
    """
    groups: dict[str, list[str]] = defaultdict(list)
    for name in names:
        groups[_bare(name)].append(name)
    return [tuple(group) for group in groups.values() if len(group) > 1]


def shown(names: Sequence[str]) -> list[str]:
    r"""Names in quotation marks; in escapes where several would look the same.

    Examples
    --------
    >>> print(*shown(["elm", "Elm"]), *shown(["elm", "elm\u200b"]))
    'elm' 'Elm' 'elm' 'elm\u200b'
    """
    seen = [unicodedata.normalize("NFC", _visible(name)) for name in names]
    return (
        [ascii(name) for name in names] if find_repeated(seen) else [repr(name) for name in names]
    )


def _bare(name: str) -> str:
    compatible = unicodedata.normalize("NFKC", _visible(name))
    return "".join(compatible.casefold().split())


def _visible(name: str) -> str:
    """`name` without characters that format text and are not seen themselves."""
    return "".join(letter for letter in name if unicodedata.category(letter) != "Cf")
