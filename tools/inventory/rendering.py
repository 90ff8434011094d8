"""The exam and its key, as Markdown and as pages to print."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import jinja2
from markdown_it import MarkdownIt
from markupsafe import Markup

from mtsig_nb.writing import write_whole

from .. import notebook_files as files
from ..course.terms import number_of
from ..pages import Unit
from . import checks
from .data import Inventory

TEMPLATES = [Path(__file__).parent / "templates", files.ROOT / "tools" / "templates"]
DOCUMENTS = ("exam", "key")


def to_markdown(document: str, inventory: Inventory) -> str:
    """The exam, which says nothing of what is right, or the key."""
    behind: defaultdict[str, list[str]] = defaultdict(list)
    for number, item in enumerate(inventory.items, 1):
        for letter, option in item.lettered:
            if not option.right:
                behind[option.misconception].append(f"{number}{letter}")
    titles = {number_of(path): Unit.of(path).title for path in files.series()}
    return (
        _environment(autoescape=False)
        .get_template(f"{document}.md.j2")
        .render(
            inventory=inventory,
            behind=behind,
            titles=titles,
            guessing=round(checks.guessing(inventory)),
        )
    )


def to_html(markdown: str) -> str:
    """A page for the printer, which needs nothing from elsewhere."""
    body = MarkdownIt("commonmark").enable("table").render(markdown)
    title = markdown.splitlines()[0].removeprefix("# ")
    template = _environment(autoescape=True).get_template("paper.html.j2")
    # The Markdown is ours, and raw HTML in it is meant: lines to write on.
    return template.render(heading=title, content=Markup(body))


def write(inventory: Inventory, folder: Path) -> list[Path]:
    """Both documents in both forms; the paths are returned."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for document in DOCUMENTS:
        markdown = to_markdown(document, inventory)
        for suffix, text in ((".md", markdown), (".html", to_html(markdown))):
            written.append(folder / f"{document}{suffix}")
            write_whole(written[-1], text)
    return written


def _environment(*, autoescape: bool) -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=autoescape,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
