"""What has to hold for a built site: it loads nothing from elsewhere, and its links lead somewhere.

Only links that a reader follows may leave the site.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lxml.html import document_fromstring

from .. import check_links

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


class Page:
    """One page: what it loads, where it links to, its pictures without words."""

    def __init__(self, path: Path) -> None:
        page = document_fromstring(path.read_text(encoding="utf-8"))
        self.links = [link.get("href") for link in page.iter("a") if link.get("href")]
        # Sphinx puts the address where there are no words.
        self.wordless = [
            picture.get("src", "")[:60]
            for picture in page.iter("img")
            if picture.get("alt", "").strip() in ("", picture.get("src"))
        ]
        self.loads = [
            tag.get(name)
            for tag in page.iter(*LOADING)
            if not NAMING & set(tag.get("rel", "").split())
            for name in LOADING[tag.tag]
            if tag.get(name)
        ]
        for text, pattern in (
            *((tag.get("style", ""), IN_STYLE) for tag in page.iter("*")),
            *((tag.text or "", IN_STYLE) for tag in page.iter("style")),
            *((tag.text or "", IN_SCRIPT) for tag in page.iter("script")),
        ):
            self.loads += pattern.findall(text)


def problems(site: Path) -> list[str]:
    """Everything that is wrong with the site, each with its page."""
    pages = {path: Page(path) for path in sorted(site.rglob("*.html")) if _is_ours(path, site)}
    found = [] if (site / "index.html") in pages else [f"{site} has no index.html"]
    for path, page in pages.items():
        name = path.relative_to(site).as_posix()
        for address in dict.fromkeys(page.loads):
            found += [f"{name}: {wrong}" for wrong in _wrong_load(address, path.parent)]
        for link in dict.fromkeys(page.links):
            parts = urlsplit(link)
            inside = not (parts.scheme or parts.netloc)
            if inside and (wrong := check_links.problem(link, path, site)):
                found.append(f"{name}: link to {link!r}: {wrong}")
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
