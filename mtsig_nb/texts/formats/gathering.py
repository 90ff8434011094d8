"""The columns of a test set gathered from several files, and matched segment by segment."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ...errors import InputError, unknown_name
from . import read_texts
from .base import Key, Texts, check_keys, expanded, find_repeated, name_of, quoted

PathLike = str | os.PathLike[str]
#: One file, several, or several with a name for each.
Files = PathLike | Sequence[PathLike] | Mapping[str, PathLike]


@dataclasses.dataclass
class Column:
    """A column of a test set, and the file it comes from."""

    part: str
    name: str
    path: Path
    texts: list[str]
    keys: list[Key] | None

    @property
    def title(self) -> str:
        """The column as messages name it."""
        what = f"system {self.name!r}" if self.part == "system" else self.part
        return f"{what} in {quoted(self.path)}"


class Gathering:
    """Columns from the files that `read_test_set` was given, each file read once."""

    def __init__(self, file_format: str | None) -> None:
        self._format = file_format
        self._files: dict[Path, Texts] = {}

    def references(self, files: Files) -> list[Column]:
        """The references in `files`."""
        found: list[Column] = []
        for wanted, path in _named_paths("reference", files):
            texts = self._read(path)
            named = texts.references
            if not named and texts.unnamed is not None:
                named = {name_of(path): texts.unnamed}
            found += self._columns("reference", path, named, wanted)
        return found

    def systems(self, files: Files) -> list[Column]:
        """The systems in `files`, or in the files of the references if there are no others."""
        found: list[Column] = []
        for wanted, path in _named_paths("systems", files):
            texts = self._read(path)
            named = dict(texts.systems)
            if texts.unnamed is not None:
                named.setdefault(name_of(path), texts.unnamed)
            found += self._columns("system", path, named, wanted)
        _check_distinct(found)
        return found

    def systems_beside_references(self, files: Files) -> list[Column]:
        """The systems that the files of the references hold as well."""
        paths = [path for _, path in _named_paths("reference", files)]
        outputs = [path for path in paths if self._read(path).systems]
        if not outputs:
            raise InputError(
                f"systems: {', '.join(map(quoted, paths))} has none beside the reference. "
                "Give systems={'name': path, …}."
            )
        return self.systems(outputs)

    def labels(self, part: str, file: PathLike | None) -> Column | None:
        """The ``"source"`` or the ``"documents"``: those in `file`, or in any file read so far."""
        if file is not None:
            ((_, path),) = _named_paths(part, [file])
            texts = self._read(path)
            labels = getattr(texts, part) or texts.unnamed
            if labels is None:
                raise InputError(f"{part}: {quoted(path)} has no {part}. {_holds(texts)}")
            return Column(part, "", path, labels, texts.keys)
        for path, texts in self._files.items():
            labels = getattr(texts, part)
            if labels is not None:
                return Column(part, "", path, labels, texts.keys)
        return None

    def _read(self, path: Path) -> Texts:
        if path not in self._files:
            self._files[path] = read_texts(path, self._format)
        return self._files[path]

    def _columns(
        self, part: str, path: Path, named: Mapping[str, list[str]], wanted: str | None
    ) -> Iterator[Column]:
        texts = self._files[path]
        if not named:
            raise InputError(f"{quoted(path)} has no {part}. {_holds(texts)}")
        if wanted is None:
            chosen = dict(named)
        elif wanted in named:
            chosen = {wanted: named[wanted]}
        elif len(named) == 1:
            chosen = {wanted: next(iter(named.values()))}
        else:
            raise unknown_name(f"{part} in {quoted(path)}", wanted, named)
        for name, column in chosen.items():
            yield Column(part, name, path, column, texts.keys)


def match_keys(columns: Sequence[Column]) -> None:
    """Bring all columns with keys into the order of the first of them."""
    keyed = [column for column in columns if column.keys is not None]
    for column in keyed[1:]:
        base, keys = keyed[0], column.keys
        if keys == base.keys or keys is None or base.keys is None:
            continue
        check_keys(base.title, base.keys, column.title, keys)
        place = {key: i for i, key in enumerate(keys)}
        column.texts = [column.texts[place[key]] for key in base.keys]


def _named_paths(argument: str, files: Files) -> list[tuple[str | None, Path]]:
    listed: list[tuple[str | None, Path]]
    if isinstance(files, Mapping):
        listed = [(str(name), _path(argument, file)) for name, file in files.items()]
    elif isinstance(files, str | os.PathLike):
        path = _path(argument, files)
        listed = [(None, file) for file in _inside(path)] if path.is_dir() else [(None, path)]
    elif isinstance(files, Sequence):
        listed = [(None, _path(argument, file)) for file in files]
    else:
        raise InputError(f"{argument}={files!r} is not a path, a list of paths or a mapping.")
    if not listed:
        raise InputError(f"{argument}={files!r} names no file.")
    return listed


def _path(argument: str, file: object) -> Path:
    if not isinstance(file, str | os.PathLike):
        raise InputError(f"{argument}: {file!r} is not a path.")
    return expanded(file)


def _inside(folder: Path) -> list[Path]:
    return sorted(p for p in folder.iterdir() if p.is_file() and not p.name.startswith("."))


def _check_distinct(systems: Sequence[Column]) -> None:
    for name in find_repeated([column.name for column in systems]):
        paths = " and ".join(repr(str(c.path)) for c in systems if c.name == name)
        raise InputError(
            f"systems: {name!r} is the name of more than one system, in {paths}. "
            "Name them: systems={'name': path, …}."
        )


def _holds(texts: Texts) -> str:
    found = [f"reference {name!r}" for name in texts.references]
    found += [f"system {name!r}" for name in texts.systems]
    found += ["the source"] if texts.source is not None else []
    found += ["text without a name"] if texts.unnamed is not None else []
    return f"It holds {', '.join(found) or 'no text'}."
