"""Test sets with tags: NIST's SGML (and its XML), and the XML of WMT since 2021."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import ClassVar
from xml.etree.ElementTree import Element

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from ...errors import InputError
from .base import Columns, Texts, decode, name_of, quoted


class _NISTReader:
    """NIST's srcset, refset and tstset, in files that are rarely well-formed.

    Quotes are missing in them and ampersands bare.  So only five tags are looked for; all else
    between ``<seg>`` and ``</seg>`` is text, in which the usual ways to write a special character
    are undone once.  What must be right is the nesting, set > doc > seg: it shows a file that was
    cut off.
    """

    TAG: ClassVar = re.compile(r"<(/?)(srcset|refset|tstset|doc|seg)\b([^<>]*)>", re.IGNORECASE)
    ATTRIBUTE: ClassVar = re.compile(
        r"""([\w:.-]{1,40})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"']+))"""
    )
    CHARACTER: ClassVar = re.compile(
        r"&(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-f]{1,6});", re.IGNORECASE
    )
    PARTS: ClassVar = {"srcset": "source", "refset": "reference", "tstset": "system"}
    LEVELS: ClassVar = ("<srcset>, <refset> or <tstset>", "<doc>", "<seg>")

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.text = text
        self.columns = Columns(path)
        self.opened: list[tuple[str, dict[str, str], re.Match[str]]] = []
        self.n_segments = 0  # of the document so far

    def read(self) -> Texts:
        for match in self.TAG.finditer(self.text):
            tag = match[2].lower()
            if match[1]:
                self.close(tag, match)
            else:
                self.open(tag, match)
                if tag == "seg" and match[3].endswith("/"):
                    self.close(tag, match)
        if self.opened:
            self.complain_unclosed("; the file seems to be cut off")
        return self.columns.texts()

    def open(self, tag: str, match: re.Match[str]) -> None:
        level = {"doc": 1, "seg": 2}.get(tag, 0)
        if len(self.opened) > level:
            self.complain_unclosed()
        if len(self.opened) < level:
            raise self.error(match, f"<{tag}> is not inside a {self.LEVELS[level - 1]}")
        attributes = {
            found[1].lower(): self.unescape(found[2] or found[3] or found[4] or "")
            for found in self.ATTRIBUTE.finditer(match[3].removesuffix("/"))
        }
        self.opened.append((tag, attributes, match))
        self.n_segments = self.n_segments + 1 if tag == "seg" else 0

    def close(self, tag: str, match: re.Match[str]) -> None:
        if not self.opened:
            raise self.error(match, f"</{tag}> closes nothing")
        if self.opened[-1][0] != tag:
            self.complain_unclosed()
        _, attributes, start = self.opened.pop()
        if tag != "seg":
            return
        (kind, of_set, _), (_, of_doc, _) = self.opened
        part = self.PARTS[kind]
        name = "" if part == "source" else self.name({**of_set, **of_doc})
        key = (of_doc.get("docid", ""), attributes.get("id") or str(self.n_segments))
        # An empty <seg/> is its own end, and its end lies before its start.
        self.columns.add(part, name, key, self.unescape(self.text[start.end() : match.start()]))

    def name(self, attributes: dict[str, str]) -> str:
        return attributes.get("refid") or attributes.get("sysid") or name_of(self.path)

    def unescape(self, text: str) -> str:
        return self.CHARACTER.sub(lambda found: html.unescape(found[0]), text)

    def complain_unclosed(self, addition: str = "") -> None:
        tag, _, match = self.opened[-1]
        raise self.error(match, f"<{tag}> has no </{tag}>{addition}")

    def error(self, match: re.Match[str], what: str) -> InputError:
        line = self.text.count("\n", 0, match.start()) + 1
        return InputError(f"{quoted(self.path)}, line {line:,}: {what}. Repair the file.")


def read_sgml(path: Path, data: bytes) -> Texts:
    """NIST's srcset, refset and tstset, in one file or several."""
    return _NISTReader(path, decode(path, data)).read()


#: What WMT's blocks hold, and the attribute that names it.
_BLOCKS = {"src": ("source", ""), "ref": ("reference", "translator"), "hyp": ("system", "system")}


def read_xml(path: Path, data: bytes) -> Texts:
    """WMT's XML: documents with a source, references by translator and hypotheses by system.

    Documents of test suites (with an attribute ``testsuite``) are left out: WMT's rankings are
    without them, and they have no reference.  Entities and anything that would be fetched are
    refused.
    """
    root = _parse(path, data)
    columns = Columns(path)
    for document in root.iter("doc"):
        _check_not_nested(path, document)
        if "testsuite" in document.attrib:
            continue
        name = document.get("id", "")
        for block in (block for block in document if block.tag in _BLOCKS):
            part, named_by = _BLOCKS[block.tag]
            label = (block.get(named_by) or name_of(path)) if named_by else ""
            for number, segment in enumerate(block.iter("seg"), start=1):
                _check_not_nested(path, segment)
                key = (name, segment.get("id") or str(number))
                columns.add(part, label, key, "".join(segment.itertext()))
    return columns.texts()


def _check_not_nested(path: Path, element: Element) -> None:
    """Raise `InputError` if `element` holds another of its kind, which would be read twice."""
    tag = element.tag
    if element.find(f".//{tag}") is not None:
        which = f" {element.get('id')!r}" if element.get("id") else ""
        raise InputError(
            f"{quoted(path)}: <{tag}>{which} has another <{tag}> inside. Close it before the next."
        )


def _parse(path: Path, data: bytes) -> Element:
    try:
        # A document type alone is harmless, and NIST's files name theirs.
        root: Element = fromstring(data, forbid_entities=True, forbid_external=True)
    except ParseError as error:
        line, column = error.position
        raise InputError(
            f"{quoted(path)}, line {line:,}, column {column + 1}: not well-formed XML "
            f"({str(error).partition(':')[0]}). Repair the file; if it is SGML, say format='sgml'."
        ) from None
    except DefusedXmlException:
        raise InputError(
            f"{quoted(path)} defines entities or refers to other files, which is refused as "
            "unsafe. Write the characters themselves."
        ) from None
    except (ValueError, LookupError) as error:
        raise InputError(
            f"{quoted(path)} is not readable XML: {error}. Save the file as UTF-8."
        ) from None
    return root
