"""The table of all units, by part, that the README has."""

from __future__ import annotations

import itertools

from .. import notebook_files as files
from ..pages import Unit


def table() -> str:
    """In Markdown, with links from the top of the repository."""
    lines = ["| part | units |", "| --- | --- |"]
    for part, paths in itertools.groupby(files.series(), files.part_of):
        links = [f"[{Unit.of(path).title}]({files.name_of(path)})" for path in paths]
        about = f"**{part.heading}**<br>{part.about}" if part else ""
        lines.append(f"| {about} | {'<br>'.join(links)} |")
    return "\n".join(lines) + "\n"
