"""Every relative link in a Markdown file or a notebook leads somewhere; part of ``make check``.

A relative link needs a file or a folder inside the repository and, after a ``#``, a heading of that
name.  Of a link to another site only the form is checked: this asks nothing of the network.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path, PurePath
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

import nbformat
from lxml.html import document_fromstring, fragment_fromstring, tostring
from markdown_it import MarkdownIt
from mdit_py_plugins.anchors import anchors_plugin

from ..notebooks import files

#: Folders that hold nothing of ours.
SKIPPED = {"build", "dist", "__pycache__", "node_modules"}
SCHEMES = ("http", "https", "mailto")
#: How headings are named, by the kind of file: by default as GitHub and MyST do, in notebooks as
#: JupyterLab and nbconvert do.
SLUGS = {".md": None, ".html": None, ".ipynb": lambda title: title.replace(" ", "-")}


class Page(NamedTuple):
    """What a text says about links: where it points, and which anchors others may point to."""

    links: list[str]
    anchors: set[str]


def main(arguments: list[str] | None = None) -> int:
    """Check the files that are named, or all; the exit status is 1 if a link is broken."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.repository.check_links", description=__doc__
    )
    parser.add_argument("files", nargs="*", type=Path, help="default: the whole repository")
    options = parser.parse_args(arguments)
    paths = [path.resolve() for path in options.files] or list(pages(files.ROOT))
    n_broken = 0
    for path in paths:
        for broken in problems(path, files.ROOT):
            print(broken)
            n_broken += 1
    return 1 if n_broken else 0


def pages(root: Path) -> Iterator[Path]:
    """Every Markdown file and notebook below `root`, in order."""
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = sorted(
            name for name in subfolders if name not in SKIPPED and not name.startswith(".")
        )
        for name in sorted(names):
            if name.endswith((".md", ".ipynb")) and not name.startswith("."):
                yield Path(folder, name)


def problems(path: Path, root: Path) -> list[str]:
    """What is wrong with the links of one file, each with the file and the link."""
    shown = path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
    found = []
    for link in dict.fromkeys(page(path).links):
        wrong = problem(link, path, root)
        if wrong:
            found.append(f"{shown}: link to {link!r}: {wrong}")
    return found


def problem(link: str, path: Path, root: Path) -> str:
    """What is wrong with one link that stands in `path`, or ""."""
    try:
        parts = urlsplit(link)
    except ValueError as error:
        return f"is no address ({error})"
    if parts.scheme or parts.netloc:
        return "" if parts.scheme in SCHEMES else f"the scheme is none of {', '.join(SCHEMES)}"
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path.resolve()
    if parts.path.startswith("/"):
        return "begins with /, which means another place on every site"
    if not target.is_relative_to(root.resolve()):
        return "leads out of the repository"
    if not target.exists():
        return "there is no such file"
    has_headings = target.suffix in SLUGS
    if parts.fragment and has_headings and unquote(parts.fragment) not in page(target).anchors:
        return f"{target.name} has no such heading"
    return ""


#: From a linked file and the fragment, or "", to the new link; None leaves only the words.
Lead = Callable[[Path, str], str | None]


def leading(
    here: Path | PurePath,
    place: Callable[[Path], Path | str | None],
    anchor: Callable[[Path, str], str] = lambda _, fragment: fragment,
) -> Lead:
    """From a page in the folder `here` to where `place` has the linked file, if it is there."""

    def lead(linked: Path, fragment: str) -> str | None:
        new = place(linked)
        if new is None:
            return None
        path = quote(PurePath(os.path.relpath(new, here)).as_posix())
        named = anchor(linked, fragment)
        return f"{path}#{named}" if named else path

    return lead


def relinked(text: str, path: Path, lead: Lead) -> str:
    """The Markdown `text` of the file at `path` with its relative links leading elsewhere."""
    for link in dict.fromkeys(page(path).links):
        parts = urlsplit(link)
        linked = (path.parent / unquote(parts.path)).resolve()
        if parts.scheme or parts.netloc or not parts.path or linked == path.resolve():
            continue  # the last is the link by which a notebook offers itself
        new = lead(linked, parts.fragment)
        if new is None:
            text = re.sub(rf"\[([^\[\]]*)\]\({re.escape(link)}\)", r"\1", text)
            continue
        for before, after in (("](", ")"), ("](", ' "'), ("](<", ">)"), ('href="', '"')):
            text = text.replace(f"{before}{link}{after}", f"{before}{new}{after}")
        text = re.sub(rf"^(\[[^\]]+\]: *){re.escape(link)}$", rf"\g<1>{new}", text, flags=re.M)
    return text


def relinked_html(html: str, path: Path, lead: Lead) -> str:
    """`html`, rendered from the file at `path`, with its relative links leading elsewhere.

    Of a link that leads nowhere the words stay, and of a picture its alternative text.
    """
    document = fragment_fromstring(html, create_parent="div")
    for element in document.xpath(".//a[@href] | .//img[@src]"):
        attribute = "href" if element.tag == "a" else "src"
        parts = urlsplit(element.get(attribute))
        if parts.scheme or parts.netloc or not parts.path:
            continue
        linked = (path.parent / unquote(parts.path)).resolve()
        new = lead(linked, parts.fragment)
        if new is not None:
            element.set(attribute, new)
            continue
        if element.tag == "img":
            element.text = element.get("alt", "")
        element.drop_tag()
    return "".join([document.text or "", *(tostring(e, encoding="unicode") for e in document)])


def relink(notebook: nbformat.NotebookNode, path: Path, lead: Lead) -> None:
    """Make the links in the text cells of the notebook at `path` lead elsewhere, in place."""
    for cell in files.text_cells(notebook):
        cell.source = relinked(cell.source, path, lead)


def nowhere(linked: Path, fragment: str) -> None:
    """Leave only the words of every relative link."""


def renderer(suffix: str) -> MarkdownIt:
    """What makes HTML of the Markdown in files of a kind."""
    markdown = MarkdownIt("commonmark").enable("table")
    return markdown.use(anchors_plugin, max_level=6, slug_func=SLUGS[suffix])


@cache
def page(path: Path) -> Page:
    """The links and anchors of a page, a Markdown file, or the text cells of a notebook."""
    if path.suffix == ".ipynb":
        texts = [cell.source for cell in files.text_cells(files.read(path))]
    else:
        texts = [path.read_text(encoding="utf-8")]
    if path.suffix != ".html":
        texts = [renderer(path.suffix).render(text) for text in texts]
    document = document_fromstring(f"<body>{' '.join(texts)}</body>")
    links = document.xpath("//@href | //@src")
    anchors = document.xpath("//@id | //@name")
    return Page(links, set(anchors))


if __name__ == "__main__":
    sys.exit(main())
