"""What has to hold for a built site: it loads nothing from elsewhere, and pictures have words.

Only links that a reader follows may leave the site; Sphinx sees to those within it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from lxml import etree
from lxml.html import HtmlElement, document_fromstring

#: Attributes by which any element, and links by which some, load something with their page.
SOURCES = ("src", "srcset", "data", "poster")
LINKING = ("link", "use", "image")
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


def problems(site: Path) -> list[str]:
    """Everything that is wrong with the site, each with its page."""
    found = [] if (site / "index.html").exists() else [f"{site} has no index.html"]
    for path in sorted(site.rglob("*.html")):
        if "_static" not in path.relative_to(site).parts:
            page = document_fromstring(path.read_text(encoding="utf-8"))
            name = path.relative_to(site).as_posix()
            for address in dict.fromkeys(loads(page)):
                if REMOTE.match(address):
                    found.append(f"{name}: loads {address}")
            for picture in page.iter("img"):
                # Sphinx puts the address where there are no words.
                if picture.get("alt", "").strip() in ("", picture.get("src")):
                    found.append(f"{name}: {picture.get('src', '')[:60]!r} has no alternative text")
    for style in sorted(site.rglob("*.css")):
        for address in IN_STYLE.findall(style.read_text(encoding="utf-8")):
            if REMOTE.match(address):
                found.append(f"{style.relative_to(site).as_posix()}: loads {address}")
    return found


def loads(page: HtmlElement) -> Iterator[str]:
    """What a page loads as soon as it is shown."""
    for tag in page.iter(etree.Element):
        names = [*SOURCES, *(["href", "xlink:href"] if tag.tag in LINKING else [])]
        if not NAMING & set(tag.get("rel", "").split()):
            yield from filter(None, map(tag.get, names))
        yield from IN_STYLE.findall(tag.get("style", ""))
    for kind, pattern in (("style", IN_STYLE), ("script", IN_SCRIPT)):
        for tag in page.iter(kind):
            yield from pattern.findall(tag.text or "")
