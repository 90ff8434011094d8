"""The exam and its key as Markdown, and the inventory as a notebook whose answers fold open."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from pathlib import Path

import nbformat
from nbformat.v4 import new_markdown_cell, new_notebook

from .. import notebook_files as files
from ..course.terms import number_of
from ..notebook_links import links_cell
from ..pages import Unit
from ..replication.rendering import templates
from . import checks
from .data import INVENTORY, Inventory

TEMPLATES = Path(__file__).parent / "templates"
NOTEBOOK = INVENTORY.with_suffix(".ipynb")


def to_markdown(document: str, inventory: Inventory) -> str:
    """The exam, which says nothing of what is right, the key, or the notebook's cells."""
    behind: defaultdict[str, list[str]] = defaultdict(list)
    for number, item in enumerate(inventory.items, 1):
        for letter, option in item.lettered:
            if not option.right:
                behind[option.misconception].append(f"{number}{letter}")
    units = {number_of(path): Unit.of(path) for path in files.series()}
    return (
        templates(TEMPLATES)
        .get_template(f"{document}.md.j2")
        .render(
            inventory=inventory,
            behind=behind,
            units=units,
            guessing=round(checks.guessing(inventory)),
        )
    )


def to_notebook(inventory: Inventory) -> nbformat.NotebookNode:
    """A cell for each question; an answer, opened, says what somebody may believe who gives it."""
    cells = [
        new_markdown_cell(text.strip(), id=hashlib.sha256(text.encode()).hexdigest()[:8])
        for text in to_markdown("notebook", inventory).split("\n---\n")
    ]
    notebook = new_notebook(cells=cells, metadata=files.METADATA)
    files.insert_links(notebook, links_cell(files.name_of(NOTEBOOK)))
    return notebook
