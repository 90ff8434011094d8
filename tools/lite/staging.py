"""Gathers a site in the folder that JupyterLite builds from: its settings, wheels and contents.

Notebooks and documents keep the repository's layout, so links between them stay as they are, in a
folder with the version: what a reader has changed is kept by the browser under its path, and would
hide a newer edition.
"""

from __future__ import annotations

import dataclasses
import shutil
import tomllib
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import quote

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

import mtsig_nb
from mtsig_nb.campaigns.embedded import (
    DESCRIPTION,
    archive_of,
    campaign_names,
    data_folder,
    registered,
)
from mtsig_nb.campaigns.embedded import content as content_of

from .. import check_links, notebook_links
from .. import notebook_files as files
from ..inventory import INVENTORY
from . import wheels

COURSE = f"course-{mtsig_nb.__version__}"
#: The bench starts programs, which a page cannot.
LEFT_OUT = ("bench",)
#: JupyterLite's own.  It is not to look for wheels elsewhere (``disablePyPIFallback``): one that is
#: not on the site is missed here, not in class.
SETTINGS = Path(__file__).parent / "settings"
_NOTE = (
    "This notebook runs in your browser: choose *Run*, *Run All Cells*. The first time, what it "
    "needs has to be loaded, which may take a minute. The browser keeps what you change; "
    "*File*, *Download* gives you the file."
)
_INSTALL = """\
import sys

if sys.platform == "emscripten":  # in a browser
    import logging

    import piplite

    # Matplotlib would say beside the first figure that it looks for fonts, in every session.
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    await piplite.install({})"""


def stage(target: Path, configuration: Configuration, programs: Path) -> None:
    """Fill `target`; `programs` are those of the environment that builds the site."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(SETTINGS, target)
    (target / "pypi").mkdir()
    if configuration.pyodide is not None:
        shutil.copytree(configuration.pyodide, target / "static" / "pyodide")
    wheels.fetch(programs, configuration.folder / "wheels.lock", target / "pypi")
    wheels.build(target / "pypi")
    for wheel in configuration.wheels:
        shutil.copy(wheel, target / "pypi")
    stage_notebooks(target / "content", configuration.requirements)
    stage_campaigns(target / "content", campaign_names())


def notebooks() -> list[Path]:
    """What runs on the site, in order: units, labs as students get them, inventory, explorer."""
    units = [path for path in files.series() if path.parent.name not in LEFT_OUT]
    labs = sorted((files.LABS / "student").glob("*.ipynb"))
    return [*units, *labs, INVENTORY.with_suffix(".ipynb"), files.SERIES / "app" / "explorer.ipynb"]


def stage_notebooks(content: Path, requirements: Sequence[str]) -> None:
    """Copy notebooks, and the documents that they link to; the first page lists the notebooks."""
    course = content / COURSE
    pages = notebooks()
    documents: set[Path] = set()
    for page in pages:
        notebook = files.without_outputs(files.read(page))
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                documents |= linked_documents(cell.source, page)
                cell.source = with_links(cell.source, page, pages)
        insert_installation(notebook, requirements)
        files.write(notebook, course / files.name_of(page))
    for document in documents:
        copy = course / files.name_of(document)
        copy.parent.mkdir(parents=True, exist_ok=True)
        text = with_links(document.read_text(encoding="utf-8"), document, pages)
        copy.write_text(text, encoding="utf-8")
    files.write(first_page(pages), content / "start.ipynb")


def insert_installation(notebook: nbformat.NotebookNode, requirements: Sequence[str]) -> None:
    """Put what a browser needs below the first cell, in the place of links to other homes."""
    notebook.cells = [cell for cell in notebook.cells if cell.id != notebook_links.TAG]
    install = new_code_cell(
        _INSTALL.format(list(requirements)),
        id="install",
        metadata={"jupyter": {"source_hidden": True}, "tags": ["remove-input"]},
    )
    place = 1 if notebook.cells[0].cell_type == "markdown" else 0
    notebook.cells[place:place] = [new_markdown_cell(_NOTE, id="browser"), install]


def linked_documents(text: str, page: Path) -> set[Path]:
    """The Markdown files that a page's text leads to."""
    found: set[Path] = set()
    check_links.relinked(text, page, lambda linked, _: found.add(linked))
    return {path for path in found if path.suffix == ".md"}


def with_links(text: str, page: Path, pages: list[Path]) -> str:
    """The text with only those relative links that lead to something on the site."""

    def place(linked: Path) -> Path | None:
        there = linked in pages or (page.suffix == ".ipynb" and linked.suffix == ".md")
        return linked if there else None

    return check_links.relinked(text, page, check_links.leading(page.parent, place))


def first_page(pages: list[Path]) -> nbformat.NotebookNode:
    """A notebook that leads to all others."""
    lines = ["# Randomized significance tests for machine translation", "", _NOTE]
    heading = None
    for page in pages:
        part = files.part_of(page)
        if (here := part.heading if part else "Labs and tools") != heading:
            heading = here
            lines += ["", f"## {heading}", ""]
        title = files.first_line(files.read(page).cells[0].source).lstrip("# ")
        lines.append(f"- [{title}]({quote(f'{COURSE}/{files.name_of(page)}')})")
    return new_notebook(cells=[new_markdown_cell("\n".join(lines))], metadata=files.METADATA)


def stage_campaigns(content: Path, names: Iterable[str]) -> None:
    """One archive for each campaign, of what the package does not have already.

    Not compressed: its files are.
    """
    data = data_folder()
    for name in names:
        archive = content / archive_of(name).removeprefix("files/")
        archive.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(archive, "w") as members:
            for file in registered(data, name):
                if file != DESCRIPTION:
                    members.writestr(zipfile.ZipInfo(file), content_of(data, name, file))


#: What a notebook needs beside the package; the rest of that extra is for computers.
_SHOWN_WITH = ("anywidget", "ipywidgets", "matplotlib")


@dataclasses.dataclass(frozen=True)
class Configuration:
    """How a site is built.

    Attributes
    ----------
    name : str
    folder : Path
        Where its locks are.
    requirements : sequence of str
        What the first cell of every notebook installs.
    pyodide : Path, optional
        A Pyodide to put on the site; by default pages load the kernel's own from its CDN.
    wheels : sequence of Path
        More wheels for the browser.
    """

    name: str
    folder: Path
    requirements: Sequence[str]
    pyodide: Path | None = None
    wheels: Sequence[Path] = ()


def requirements() -> list[str]:
    """The package, and what notebooks need beside it."""
    project = tomllib.loads((files.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = project["project"]["optional-dependencies"]["notebook"]
    return ["mtsig_nb", *(text for text in listed if text.startswith(_SHOWN_WITH))]


#: What readers get.
PRODUCTION = Configuration("production", files.ROOT / "lite", requirements())
