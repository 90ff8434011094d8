"""Every relative link in a Markdown file or a notebook leads somewhere; part of ``make check``.

A relative link needs a file or a folder inside the repository and, after a ``#``, a heading of that
name.  Of a link to another site only the form is checked: this asks nothing of the network.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from . import notebook_files as files

#: Folders that hold nothing of ours.
SKIPPED = {"build", "dist", "__pycache__", "node_modules"}
HOST = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+", re.IGNORECASE)
MARKDOWN = MarkdownIt("commonmark").enable("table")


@dataclasses.dataclass(frozen=True)
class Page:
    """What a text says about links: where it points, and which anchors others may point to."""

    links: tuple[str, ...]
    anchors: frozenset[str]


def main(arguments: list[str] | None = None) -> int:
    """Check the files that are named, or all; the exit status is 1 if a link is broken."""
    parser = argparse.ArgumentParser(prog="python -m tools.check_links", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="default: the whole repository")
    options = parser.parse_args(arguments)
    paths = [path.resolve() for path in options.files] or list(pages(files.ROOT))
    broken = [problem for path in paths for problem in problems(path, files.ROOT)]
    print("\n".join(broken), end="\n" if broken else "")
    return 1 if broken else 0


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
    found = ((link, problem(link, path, root)) for link in dict.fromkeys(page(path).links))
    return [f"{shown}: link to {link!r}: {wrong}" for link, wrong in found if wrong]


def problem(link: str, path: Path, root: Path) -> str:
    """What is wrong with one link that stands in `path`, or ""."""
    try:
        parts = urlsplit(link)
    except ValueError as error:
        return f"is no address ({error})"
    if parts.scheme or parts.netloc:
        return _wrong_form(link, parts)
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path.resolve()
    if parts.path.startswith("/"):
        return "begins with /, which means another place on every site"
    if not target.is_relative_to(root.resolve()):
        return "leads out of the repository"
    if not target.exists():
        return "there is no such file"
    has_anchors = target.suffix in (".md", ".ipynb")
    if parts.fragment and has_anchors and unquote(parts.fragment) not in page(target).anchors:
        return f"{target.name} has no such heading"
    return ""


def _wrong_form(link: str, parts: SplitResult) -> str:
    if parts.scheme == "mailto":
        return "" if "@" in parts.path else "has no @"
    if parts.scheme not in ("http", "https"):
        return f"the scheme {parts.scheme!r} is not http, https or mailto"
    if not HOST.fullmatch(parts.hostname or ""):
        return f"{parts.hostname!r} is not the name of a site"
    return "contains a space" if re.search(r"\s", link) else ""


@cache
def page(path: Path) -> Page:
    """The links and anchors of a Markdown file, or of the text cells of a notebook."""
    if path.suffix == ".ipynb":
        cells = [cell.source for cell in files.read(path).cells if cell.cell_type == "markdown"]
        return _page(cells, notebook=True)
    return _page([path.read_text(encoding="utf-8")], notebook=False)


def _page(texts: list[str], *, notebook: bool) -> Page:
    links: list[str] = []
    anchors: set[str] = set()
    seen: Counter[str] = Counter()
    for text in texts:
        tokens = MARKDOWN.parse(text)
        for token, following in zip(tokens, [*tokens[1:], None], strict=True):
            if token.type == "heading_open" and following is not None:
                title = _plain(following)
                anchors.add(_jupyter_anchor(title) if notebook else _github_anchor(title, seen))
        for token in _flat(tokens):
            links += [str(token.attrs[name]) for name in ("href", "src") if name in token.attrs]
            if token.type in ("html_inline", "html_block"):
                html = _HTML(token.content)
                links += html.links
                anchors |= html.anchors
    return Page(tuple(links), frozenset(anchors))


def _flat(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _flat(token.children or [])


def _plain(heading: Token) -> str:
    return "".join(token.content for token in heading.children or [])


def _github_anchor(title: str, seen: Counter[str]) -> str:
    """As GitHub and MyST make it: lower case, no punctuation, hyphens; numbered if repeated."""
    slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
    seen[slug] += 1
    return slug if seen[slug] == 1 else f"{slug}-{seen[slug] - 1}"


def _jupyter_anchor(title: str) -> str:
    """As JupyterLab and nbconvert make it: only spaces are replaced."""
    return title.replace(" ", "-")


class _HTML(HTMLParser):
    """Links and anchors in a piece of HTML."""

    def __init__(self, content: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(content)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value and name in ("href", "src"):
                self.links.append(value)
            if value and name in ("id", "name"):
                self.anchors.add(value)


if __name__ == "__main__":
    sys.exit(main())
