"""NIST's SGML: sets of documents with segments, rarely well-formed."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

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


def _segments(path: Path, text: str) -> Iterator[tuple[Title, Key, str]]:
    opened: list[tuple[str, dict[str, str], re.Match[str]]] = []
    n = 0  # segments of the document so far

    def error(tag: re.Match[str], what: str) -> InputError:
        line = text.count("\n", 0, tag.start()) + 1
        return InputError(f"{quoted(path, line)}: {what}. Repair the file.")

    def unclosed(addition: str = "") -> InputError:
        name, _, tag = opened[-1]
        return error(tag, f"<{name}> has no </{name}>{addition}")

    for tag in _TAG.finditer(text):
        name = tag[2].lower()
        if not tag[1]:
            level = {"doc": 1, "seg": 2}.get(name, 0)
            if len(opened) > level:
                raise unclosed()
            if len(opened) < level:
                raise error(tag, f"<{name}> is not inside a {_INSIDE[level - 1]}")
            given = _ATTRIBUTE.finditer(tag[3].removesuffix("/"))
            own = {a[1].lower(): _unescaped(a[2] or a[3] or a[4] or "") for a in given}
            opened.append((name, own, tag))
            n = n + 1 if name == "seg" else 0
            if name != "seg" or not tag[3].endswith("/"):
                continue
        if not opened:
            raise error(tag, f"</{name}> closes nothing")
        if opened[-1][0] != name:
            raise unclosed()
        _, attributes, start = opened.pop()
        if name == "seg":
            (kind, of_set, _), (_, of_doc, _) = opened
            named = {**of_set, **of_doc}
            label = named.get("refid") or named.get("sysid") or name_of(path)
            title = (_SETS[kind], "" if kind == "srcset" else label)
            key = (of_doc.get("docid", ""), attributes.get("id") or str(n))
            # An empty <seg/> is its own end, and its end lies before its start.
            yield title, key, _unescaped(text[start.end() : tag.start()])
    if opened:
        raise unclosed("; the file seems to be cut off")


def _unescaped(text: str) -> str:
    return _CHARACTER.sub(lambda found: html.unescape(found[0]), text) if "&" in text else text
