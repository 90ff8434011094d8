"""How long a unit is: words of prose, lines and cells of code that are in view, minutes."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

import nbformat

from .. import notebook_files as files
from ..notebook_links import TAG as LINKS_TAG

WORDS_A_MINUTE = 150
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]*)\)")


@dataclasses.dataclass(frozen=True)
class Reading:
    """How long a unit is."""

    words: int
    lines: int
    cells: int
    longest: int

    @classmethod
    def of(cls, notebook: nbformat.NotebookNode) -> Reading:
        """Count one."""
        lengths = [n_lines(cell.source) for _, cell in visible(notebook)]
        words = sum(n_words(text) for text in texts(notebook))
        return cls(words, sum(lengths), len(lengths), max(lengths, default=0))

    @property
    def words_per_line(self) -> float:
        """The lamp: what prose there is for each line of code in view."""
        return self.words / self.lines if self.lines else float("inf")

    @property
    def minutes(self) -> float:
        """Of reading, and one for each visible cell."""
        return self.words / WORDS_A_MINUTE + self.cells


def visible(notebook: nbformat.NotebookNode) -> Iterator[tuple[str, nbformat.NotebookNode]]:
    """The code cells whose source is in view, each with its place in words."""
    for position, cell in enumerate(notebook.cells, start=1):
        if cell.cell_type == "code" and not hidden(cell):
            yield place_of(position, cell), cell


def hidden(cell: nbformat.NotebookNode) -> bool:
    """Whether its source is out of sight."""
    return bool(files.HIDDEN & set(cell.metadata.get("tags", [])))


def place_of(position: int, cell: nbformat.NotebookNode) -> str:
    """Where a cell is, for messages."""
    return f"cell {position} ({files.first_line(cell.source)[:50]!r})"


def texts(notebook: nbformat.NotebookNode) -> list[str]:
    """The text cells, without the one of links that is not the writer's."""
    return [
        cell.source
        for cell in notebook.cells
        if cell.cell_type == "markdown" and LINKS_TAG not in cell.metadata.get("tags", [])
    ]


def n_lines(source: str) -> int:
    """Lines of code that are neither empty nor a comment."""
    lines = (line.strip() for line in source.splitlines())
    return sum(bool(line) and not line.startswith("#") for line in lines)


def prose(markdown: str) -> str:
    """Markdown without code, formulas, addresses, tags and marks, on one line."""
    for pattern, put in (
        (r"^(```|~~~).*?^\1", " "),
        (r"`+[^`]*`+", " "),
        (r"\$\$.*?\$\$|\$[^$\n]+\$", " "),
        (LINK.pattern, r"\1"),
        (r"<!--.*?-->|</?\w[^>]*>", " "),
        (r"[*#>|]", " "),
    ):
        markdown = re.sub(pattern, put, markdown, flags=re.MULTILINE | re.DOTALL)
    return " ".join(markdown.split())


def n_words(markdown: str) -> int:
    """Words of prose."""
    return sum(any(map(str.isalnum, word)) for word in prose(markdown).split())
