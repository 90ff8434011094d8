"""WMT's XML since 2021: documents with a source, references and hypotheses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import ParseError, fromstring

from ..errors import InputError
from .columns import Column, Key, Title, aligned
from .files import name_of, quoted

LOOKS_LIKE_XML = re.compile(r"\s*(<\?xml\b|<dataset\b)")

#: The part of a test set that each block in a document is, and the attribute with its name.
_BLOCKS = {"src": ("source", ""), "ref": ("reference", "translator"), "hyp": ("system", "system")}
#: Other formats of XML, by their outermost tag.
_OTHERS = {"tmx": "TMX", "xliff": "XLIFF", "html": "HTML", "tei": "TEI"}


def read_xml(path: Path, text: str) -> list[Column]:
    """WMT's XML: documents with a source, references by translator and hypotheses by system.

    Documents of test suites (with an attribute ``testsuite``) are left out: WMT's rankings are
    without them, and they have no reference.  Entities and anything that would be fetched are
    refused.
    """
    try:
        # A document type alone is harmless, and NIST's files name theirs.
        root: Element = fromstring(text, forbid_entities=True, forbid_external=True)
    except (ParseError, ValueError, LookupError) as error:
        raise InputError(f"{quoted(path)} cannot be read as XML: {error}. Repair it.") from None
    outermost = root.tag.rpartition("}")[2].casefold()
    if outermost in _OTHERS:
        raise InputError(
            f"{quoted(path)} is {_OTHERS[outermost]}, from which no texts are read. Take the "
            "segments of one language out of it, and write one segment a line."
        )
    return aligned(path, _segments(path, root))


def _segments(path: Path, root: Element) -> Iterator[tuple[Title, Key, str]]:
    """The segments of all documents, each with its column and its place."""
    for tag in ("doc", "seg"):
        if root.find(f".//{tag}//{tag}") is not None:  # which would be read twice
            raise InputError(
                f"{quoted(path)}: a <{tag}> has another <{tag}> inside. Close it before the next."
            )
    for document in root.iter("doc"):
        if "testsuite" in document.attrib:
            continue
        for block in document:
            if block.tag not in _BLOCKS:
                continue
            part, named_by = _BLOCKS[block.tag]
            name = ""
            if named_by:
                name = block.get(named_by) or name_of(path)
            for number, segment in enumerate(block.iter("seg"), start=1):
                key = (document.get("id", ""), segment.get("id") or str(number))
                yield (part, name), key, "".join(segment.itertext())
