"""A file of scores, and what it is called."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

from ..texts.files import name_of


@dataclasses.dataclass(frozen=True)
class ScoreSource:
    """A file of scores.

    Parameters
    ----------
    path : Path
    title : str
        What messages call it: its name, with as much of its folder as tells it from others.
    given_name : str
        The name in ``NAME=FILE``; empty where there is none.
    folder_name : str
        The folder that it is called after, where another file has its name.
    """

    path: Path
    title: str
    given_name: str = ""
    folder_name: str = ""

    @property
    def name(self) -> str:
        """What the file gives its name to: a system, or a metric."""
        return self.given_name or self.folder_name or name_from_file(self.path)

    def at(self, line: int | None = None) -> str:
        """The file, or a line of it, as messages name it."""
        return repr(self.title) if line is None else f"{self.title!r}, line {line:,}"


def name_from_file(path: Path) -> str:
    """What a file gives its name to: a system, or a metric."""
    return re.sub(r"\.(csv|tsv|json|scores?)$", "", name_of(path), flags=re.IGNORECASE)
