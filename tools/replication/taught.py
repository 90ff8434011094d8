"""Where the notebooks teach what a row is about: looked up in them as they are committed."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from mtsig_nb.teaching import headlines

from .. import notebook_files as files

if TYPE_CHECKING:
    from .rows import Row

HEADING = re.compile(r"^#+ (.+?) *$", re.MULTILINE)


def place(row: Row) -> tuple[str, str]:
    """The notebook that teaches it, from the folder of all and without ending, and the heading."""
    if row.headlines:
        path, heading = published(next(iter(row.headlines.values())))
    else:
        path = _the_one([p for p in files.series() if p.stem == row.notebook], row.notebook)
        heading = HEADING.findall(files.read(path).cells[0].source)[0]
    return path.relative_to(files.SERIES).with_suffix("").as_posix(), heading


def published(headline: str) -> tuple[Path, str]:
    """The notebook that publishes a headline, and the heading that it stands under."""
    places = _places().get(headline, [])
    path = _the_one([path for path, _ in places], f"the headline {headline!r}")
    return path, dict(places)[path]


@cache
def _places() -> dict[str, list[tuple[Path, str]]]:
    """Every headline, with the notebooks that publish it and the headings above."""
    found: dict[str, list[tuple[Path, str]]] = {}
    for path in files.series():
        heading = ""
        for cell in files.read(path).cells:
            if cell.cell_type == "markdown":
                heading = (HEADING.findall(cell.source) or [heading])[-1]
            for one in headlines({"cells": [cell]}):
                found.setdefault(one.name, []).append((path, heading))
    return found


def _the_one(paths: list[Path], what: str) -> Path:
    if len(paths) != 1:
        names = " and ".join(files.name_of(path) for path in paths) or "none"
        raise files.NotebookError(
            f"{what} has to be in one executed notebook of the series, and is in {names}"
        )
    return paths[0]
