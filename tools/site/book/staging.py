"""Gathers the pages of the book in one folder, as they are committed, in the repository's layout.

Pages keep their places, so links between them stay as they are.  Three kinds of link change: those
to `README.md` lead to the first page, those to a module to its rendered source, and those to any
other file of the repository to a copy of it.
"""

from __future__ import annotations

import re
import shutil
from html import escape
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

import nbformat
import yaml

from ...notebooks import files
from ...notebooks.files import name_of
from ...repository import check_links
from ..pages import machine, with_plain_corners

SOURCES = files.ROOT / "book"
FIRST_PAGE = SOURCES / "index.md"
#: Where the first page has the chance machine.
MACHINE = "<!-- the chance machine -->"
#: Lists the modules that have a page.
DERIVATIONS = SOURCES / "api" / "derivations.rst"
#: What Jupyter puts on a page for an image without saying what it shows.
PNG = "image/png"
#: Outputs that pages can show; what else there is, such as headline numbers, is for programs.
SHOWN = {PNG, "text/html", "text/plain", "text/markdown", "text/latex", "image/svg+xml"}
#: Links from source to reference name a place by the module that defines a function; the page is
#: right, but names places by the module that publishes it.
BACK_LINK = re.compile(r'(<a class="viewcode-back" href="[^"#]+)#[^"]*')
#: Pygments knows no Mermaid; its text reads well enough.
MERMAID = re.compile(r"^```mermaid$", re.MULTILINE)
#: What unfolds the pages below another in the sidebar; the theme gives it no name.
UNFOLDING = re.compile(r'<summary(?=><span class="toctree-toggle")')
#: The sidebar, which has a logo beside its list of pages; the theme does not say what it is.
SIDEBAR = re.compile(r'(<div id="pst-primary-sidebar")(?= class)')


def stage(target: Path) -> list[Path]:
    """Fill `target` with the book's sources; returns the repository's files that became pages."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(SOURCES, target, ignore=shutil.ignore_patterns("*.lock", "__pycache__"))
    listed = [files.ROOT / name for name in contents() if not name.startswith("api/")]
    pages = [FIRST_PAGE, *listed]
    for page in pages:
        stage_page(page, pages, target)
    return pages


def contents() -> list[str]:
    """The files that the book's table of contents names, in its order."""
    table = yaml.safe_load((SOURCES / "_toc.yml").read_text(encoding="utf-8"))
    names = []
    for part in table["parts"]:
        for entry in part["chapters"]:
            names += _named(entry)
    return names


def _named(entry: dict[str, Any]) -> list[str]:
    """The files of an entry and of those below it."""
    if "glob" in entry:
        found = sorted(files.ROOT.glob(f"{entry['glob']}.md"))
        return [name_of(path) for path in found]
    names = [entry["file"]]
    for below in entry.get("sections", ()):
        names += _named(below)
    return names


def stage_page(page: Path, pages: list[Path], target: Path) -> None:
    """Copy one page with its links, and the alternative text of its figures, made fit."""
    staged = target / staged_name(page)
    staged.parent.mkdir(parents=True, exist_ok=True)
    here = PurePosixPath(staged_name(page)).parent
    lead = check_links.leading(here, lambda linked: _place_of(linked, pages, target), _fragment)
    if page.suffix == ".ipynb":
        notebook = files.read(page)
        check_links.relink(notebook, page, lead)
        for cell in files.code_cells(notebook):
            prepare_outputs(cell)
        nbformat.write(notebook, staged)
    else:
        text = MERMAID.sub("```text", page.read_text(encoding="utf-8"))
        text = check_links.relinked(text, page, lead)
        if page == FIRST_PAGE:
            text = text.replace(MACHINE, f"```{{raw}} html\n{machine()}\n```")
        staged.write_text(text, encoding="utf-8")


def staged_name(page: Path) -> str:
    """Where a file of the repository stands in the book's sources."""
    return "index.md" if page == FIRST_PAGE else name_of(page)


def _place_of(linked: Path, pages: list[Path], target: Path) -> str | None:
    """Where the book has a file of the repository; it is copied there if it is no page."""
    if linked == files.ROOT / "README.md":
        return "index.md"
    if linked in pages:
        return staged_name(linked)
    if linked.is_dir():
        return None
    if linked.suffix == ".py" and linked.is_relative_to(files.ROOT / "mtsig_nb"):
        module = name_of(linked.with_suffix("")).replace("/", ".")
        if module in DERIVATIONS.read_text(encoding="utf-8").split():
            return f"api/modules/{module}.rst"
    copy = target / name_of(linked)
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(linked, copy)
    return name_of(linked)


def _fragment(linked: Path, fragment: str) -> str:
    """The place on a page, as MyST names it: as GitHub does, not as JupyterLab does."""
    if not fragment or linked == files.ROOT / "README.md":
        return ""  # the first page has other headings than the README
    if linked.suffix == ".ipynb":
        fragment = re.sub(r"[^\w-]", "", unquote(fragment).lower())
    return fragment


def prepare_outputs(cell: nbformat.NotebookNode) -> None:
    """Hand each figure's alternative text to MyST-NB, which reads it from the cell only.

    A cell with several figures can have but one text there: those become HTML.
    """
    for output in cell.outputs:
        for kind in set(output.get("data", {})) - SHOWN:
            del output.data[kind]
    figures = [output for output in cell.outputs if PNG in output.get("data", {})]
    texts = [output.metadata.get(PNG, {}).get("alt", "") for output in figures]
    if len(set(texts)) == 1:
        cell.metadata["mystnb"] = {"image": {"alt": texts[0]}}
        return
    for output, text in zip(figures, texts, strict=True):
        picture = "".join(output.data.pop(PNG).split())
        source = f"data:{PNG};base64,{picture}"
        output.data["text/html"] = f'<img src="{source}" alt="{escape(text)}">'


def finish(site: Path, pages: list[Path]) -> None:
    """Put into the built `site` what its pages need.

    These are MathJax, notebooks to download, links of source to reference that lead to the right
    page, and names for what readers who see no page would find without one.
    """
    files.copy_mathjax(site / "_static" / "mathjax")
    notebooks = [page for page in pages if page.suffix == ".ipynb"]
    for notebook in notebooks:
        shutil.copyfile(notebook, site / name_of(notebook))
    for source in (site / "_modules").rglob("*.html"):
        html = source.read_text(encoding="utf-8")
        source.write_text(BACK_LINK.sub(r"\1", html), encoding="utf-8")
    for page in site.rglob("*.html"):
        html = page.read_text(encoding="utf-8")
        page.write_text(with_names(html), encoding="utf-8")


def with_names(html: str) -> str:
    """A page of the book, with names for parts to which Sphinx and its theme give none."""
    html = UNFOLDING.sub('<summary aria-label="pages below the one before"', html)
    html = SIDEBAR.sub(r'\1 role="region" aria-label="the whole book"', html)
    return with_plain_corners(html)
