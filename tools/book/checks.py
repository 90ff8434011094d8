"""What has to hold for a built site: it loads nothing from elsewhere, and its links lead somewhere.

Only links that a reader follows may leave the site.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: Attributes by which an element loads something as soon as its page is shown.
LOADING = {
    "script": ("src",),
    "link": ("href",),
    "img": ("src", "srcset"),
    "source": ("src", "srcset"),
    "iframe": ("src",),
    "video": ("src", "poster"),
    "audio": ("src",),
    "embed": ("src",),
    "object": ("data",),
    "input": ("src",),
    "use": ("href", "xlink:href"),
    "image": ("href", "xlink:href"),
}
#: `link` elements that only name another page.
NAMING = {"canonical", "next", "prev", "index", "search", "author", "help", "license"}
#: Addresses in style sheets and inline styles.
IN_STYLE = re.compile(r"""(?:url\(\s*["']?|@import\s+["'])([^"')\s]+)""")
#: Ways in which a script on a page loads another one.
IN_SCRIPT = re.compile(
    r"""(?:\bimport\s*\(?\s*|\bfrom\s+|\bfetch\s*\(\s*|\bsrc\s*=\s*|_URL\s*=\s*|"src":\s*)"""
    r"""["'`]((?:https?:)?//[^"'`]+)"""
)
REMOTE = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)


@dataclasses.dataclass
class Page(HTMLParser):
    """One page: what it loads, where it links to, its anchors, its pictures without words."""

    path: Path
    loads: list[str] = dataclasses.field(default_factory=list)
    links: list[str] = dataclasses.field(default_factory=list)
    anchors: set[str] = dataclasses.field(default_factory=set)
    wordless: list[str] = dataclasses.field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self._inside = ""
        self.feed(self.path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self._inside = tag
        self.anchors |= {values[name] for name in ("id", "name") if values.get(name)}
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        # Sphinx puts the address where there are no words.
        if tag == "img" and values.get("alt", "").strip() in ("", values.get("src")):
            self.wordless.append(values.get("src", "")[:60])
        if not (tag == "link" and set(values.get("rel", "").split()) & NAMING):
            for name in LOADING.get(tag, ()):
                if values.get(name):
                    self.loads.append(values[name])
        self.loads += IN_STYLE.findall(values.get("style", ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self._inside = ""

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "style":
            self.loads += IN_STYLE.findall(data)
        if self._inside == "script":
            self.loads += IN_SCRIPT.findall(data)


def problems(site: Path) -> list[str]:
    """Everything that is wrong with the site, each with its page."""
    pages = {path: Page(path) for path in sorted(site.rglob("*.html")) if _is_ours(path, site)}
    found = [] if (site / "index.html") in pages else [f"{site} has no index.html"]
    for path, page in pages.items():
        name = path.relative_to(site).as_posix()
        for address in dict.fromkeys(page.loads):
            found += [f"{name}: {wrong}" for wrong in _wrong_load(address, path.parent)]
        for link in dict.fromkeys(page.links):
            found += [
                f"{name}: link to {link!r}: {wrong}" for wrong in _wrong_link(link, page, pages)
            ]
        found += [f"{name}: {source!r} has no alternative text" for source in page.wordless]
    for style in sorted(site.rglob("*.css")):
        for address in IN_STYLE.findall(style.read_text(encoding="utf-8")):
            if REMOTE.match(address):
                found.append(f"{style.relative_to(site).as_posix()}: loads {address}")
    return found


def _is_ours(path: Path, site: Path) -> bool:
    return "_static" not in path.relative_to(site).parts


def _wrong_load(address: str, folder: Path) -> Iterator[str]:
    if address.startswith(("data:", "#")):
        return
    if REMOTE.match(address):
        yield f"loads {address}"
    elif not (folder / unquote(urlsplit(address).path)).is_file():
        yield f"loads {address}, which is not there"


def _wrong_link(link: str, page: Page, pages: dict[Path, Page]) -> Iterator[str]:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return
    target = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
    if not target.is_file():
        yield "there is no such file"
    elif (
        parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors
    ):
        yield f"{target.name} has no such anchor"
