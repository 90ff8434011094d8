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
#: The part of a column, by the element that holds it.
_SETS = {"srcset": "source", "refset": "reference", "tstset": "system"}
#: How many elements are around one of these names, and what messages call the inner one.
_LEVELS = {"doc": 1, "seg": 2}
_OUTER = {"doc": "<srcset>, <refset> or <tstset>", "seg": "<doc>"}


def read_sgml(path: Path, text: str) -> list[Column]:
    """NIST's srcset, refset and tstset, in one file or several, which are rarely well-formed.

    Quotes are missing in them and ampersands bare.  So only five tags are looked for; all else
    between ``<seg>`` and ``</seg>`` is text, in which the usual ways to write a special character
    are undone once.  What must be right is the nesting, set > doc > seg: it shows a file that was
    cut off.
    """
    return aligned(path, _segments(path, text))


class _Opened(NamedTuple):
    """An element that has begun and not ended: its name, its attributes, and its first tag."""

    name: str
    attributes: dict[str, str]
    tag: re.Match[str]


def _segments(path: Path, text: str) -> Iterator[tuple[Title, Key, str]]:
    """The segments of all documents, each with its column and its place."""
    opened: list[_Opened] = []  # the outermost first
    n_segments = 0  # in the document that is open
    for tag in _TAG.finditer(text):
        name = tag[2].lower()
        is_segment = name == "seg"
        is_end = bool(tag[1])
        if not is_end:
            _check_nesting(path, name, tag, opened)
            opened.append(_Opened(name, _attributes(tag[3]), tag))
            n_segments = n_segments + 1 if is_segment else 0
        is_empty_segment = is_segment and tag[3].endswith("/")
        if not is_end and not is_empty_segment:
            continue
        if not opened:
            raise _damage(path, tag, f"</{name}> closes nothing")
        if opened[-1].name != name:
            raise _unclosed(path, opened[-1])
        element = opened.pop()
        if is_segment:
            title, key = _place(path, opened, element, n_segments)
            # An empty <seg/> is its own end: the slice goes backwards and is empty.
            content = text[element.tag.end() : tag.start()]
            yield title, key, _unescaped(content)
    if opened:
        raise _unclosed(path, opened[-1], "; the file seems to be cut off")


def _check_nesting(path: Path, name: str, tag: re.Match[str], opened: list[_Opened]) -> None:
    """Raise `InputError` if an element does not begin where one of its name may."""
    level = _LEVELS.get(name, 0)
    if len(opened) > level:
        raise _unclosed(path, opened[-1])
    if len(opened) < level:
        raise _damage(path, tag, f"<{name}> is not inside a {_OUTER[name]}")


def _place(path: Path, opened: list[_Opened], segment: _Opened, n: int) -> tuple[Title, Key]:
    """The column and the place in it of the `n`-th segment of a document."""
    outer_set, document = opened
    part = _SETS[outer_set.name]
    name = ""
    if part != "source":
        attributes = outer_set.attributes | document.attributes
        name = attributes.get("refid") or attributes.get("sysid") or name_of(path)
    segment_id = segment.attributes.get("id") or str(n)
    return (part, name), (document.attributes.get("docid", ""), segment_id)


def _attributes(inside: str) -> dict[str, str]:
    """The attributes of a tag, by their names in lower case."""
    attributes = {}
    for attribute in _ATTRIBUTE.finditer(inside.removesuffix("/")):
        name, *values = attribute.groups()
        written = next(filter(None, values), "")
        attributes[name.lower()] = _unescaped(written)
    return attributes


def _damage(path: Path, tag: re.Match[str], problem: str) -> InputError:
    """The error for a problem at a tag."""
    line = tag.string.count("\n", 0, tag.start()) + 1
    return InputError(f"{quoted(path, line)}: {problem}. Repair the file.")


def _unclosed(path: Path, element: _Opened, more: str = "") -> InputError:
    """The error for an element without an end, and `more` to say of it."""
    return _damage(path, element.tag, f"<{element.name}> has no </{element.name}>{more}")


def _unescaped(text: str) -> str:
    """A text in which the usual ways to write a special character are undone, once."""
    if "&" not in text:
        return text
    return _CHARACTER.sub(lambda written: html.unescape(written[0]), text)
