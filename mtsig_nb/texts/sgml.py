"""NIST's SGML: sets of documents with segments, rarely well-formed."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ..errors import InputError
from .columns import Column, Key, Title, aligned
from .files import name_of, quoted

# NIST's XML too: it is its SGML, well-formed.
LOOKS_LIKE_SGML = re.compile(
    r"\s*(<\?xml\b[^>]*>\s*)?(<!DOCTYPE\b[^>]*>\s*)?<(mteval|srcset|refset|tstset)\b",
    re.IGNORECASE,
)

_TAG = re.compile(r"<(/?)(srcset|refset|tstset|doc|seg)\b([^<>]*)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([\w:.-]{1,40})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"']+))""")
_CHARACTER = re.compile(r"&(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-f]{1,6});", re.IGNORECASE)
_SETS = {"srcset": "source", "refset": "reference", "tstset": "system"}
_INSIDE = ("<srcset>, <refset> or <tstset>", "<doc>")


def read_sgml(path: Path, text: str) -> list[Column]:
    """NIST's srcset, refset and tstset, in one file or several, which are rarely well-formed.

    Quotes are missing in them and ampersands bare.  So only five tags are looked for; all else
    between ``<seg>`` and ``</seg>`` is text, in which the usual ways to write a special character
    are undone once.  What must be right is the nesting, set > doc > seg: it shows a file that was
    cut off.
    """
    return aligned(path, _segments(path, text))


class _Opened(NamedTuple):
    """An element that has begun and not ended."""

    name: str
    attributes: dict[str, str]
    tag: re.Match[str]


def _segments(path: Path, text: str) -> Iterator[tuple[Title, Key, str]]:
    opened: list[_Opened] = []
    n = 0  # segments of the document so far
    for tag in _TAG.finditer(text):
        name = tag[2].lower()
        is_end = bool(tag[1])
        if not is_end:
            _check_nesting(path, name, tag, opened)
            opened.append(_Opened(name, _attributes(tag[3]), tag))
            n = n + 1 if name == "seg" else 0
        is_empty_segment = name == "seg" and tag[3].endswith("/")
        if not is_end and not is_empty_segment:
            continue
        if not opened:
            raise _damage(path, tag, f"</{name}> closes nothing")
        if opened[-1].name != name:
            raise _unclosed(path, opened[-1])
        segment = opened.pop()
        if name == "seg":
            title, key = _place(path, opened, segment, n)
            # An empty <seg/> is its own end, and its end lies before its start.
            yield title, key, _unescaped(text[segment.tag.end() : tag.start()])
    if opened:
        raise _unclosed(path, opened[-1], "; the file seems to be cut off")


def _check_nesting(path: Path, name: str, tag: re.Match[str], opened: list[_Opened]) -> None:
    """Raise an error if an element does not begin where one of its name may."""
    level = {"doc": 1, "seg": 2}.get(name, 0)
    if len(opened) > level:
        raise _unclosed(path, opened[-1])
    if len(opened) < level:
        raise _damage(path, tag, f"<{name}> is not inside a {_INSIDE[level - 1]}")


def _place(path: Path, opened: list[_Opened], segment: _Opened, n: int) -> tuple[Title, Key]:
    """The column and the place in it of the `n`-th segment of a document."""
    of_set, of_document = opened
    named = {**of_set.attributes, **of_document.attributes}
    label = named.get("refid") or named.get("sysid") or name_of(path)
    title = (_SETS[of_set.name], "" if of_set.name == "srcset" else label)
    key = (of_document.attributes.get("docid", ""), segment.attributes.get("id") or str(n))
    return title, key


def _attributes(inside: str) -> dict[str, str]:
    """The attributes of a tag, by their names in lower case."""
    given = _ATTRIBUTE.finditer(inside.removesuffix("/"))
    return {found[1].lower(): _unescaped(found[2] or found[3] or found[4] or "") for found in given}


def _damage(path: Path, tag: re.Match[str], what: str) -> InputError:
    line = tag.string.count("\n", 0, tag.start()) + 1
    return InputError(f"{quoted(path, line)}: {what}. Repair the file.")


def _unclosed(path: Path, element: _Opened, addition: str = "") -> InputError:
    return _damage(path, element.tag, f"<{element.name}> has no </{element.name}>{addition}")


def _unescaped(text: str) -> str:
    return _CHARACTER.sub(lambda found: html.unescape(found[0]), text) if "&" in text else text
