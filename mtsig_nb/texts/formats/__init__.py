"""One file of a test set in, its columns of text out: plain text, SGML, WMT XML, TSV, JSON lines.

Every reader returns `Texts`: the references, systems, source and documents that the file names,
aligned within the file.  :mod:`mtsig_nb.texts.test_sets` brings the files of a test set together.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from .base import SUFFIXES, Texts, decode, lines, name_of, read_bytes, without_gz
from .markup import read_sgml, read_xml
from .tables import read_jsonl, read_tsv


def read_plain(path: Path, data: bytes) -> Texts:
    """One segment a line."""
    return Texts(unnamed=lines(decode(path, data)))


#: Readers by the name that ``format=`` takes.
READERS: dict[str, Callable[[Path, bytes], Texts]] = {
    "text": read_plain,
    "sgml": read_sgml,
    "xml": read_xml,
    "tsv": read_tsv,
    "jsonl": read_jsonl,
}

_DECLARATION = rb"\s*(<\?xml\b[^>]*>\s*)?(<!DOCTYPE\b[^>]*>\s*)?"
# NIST's XML too: it is its SGML, well-formed.
_LOOKS_LIKE_SGML = re.compile(_DECLARATION + rb"<(mteval|srcset|refset|tstset)\b", re.IGNORECASE)
_LOOKS_LIKE_XML = re.compile(rb"\s*(<\?xml\b|<dataset\b)")


def read_texts(path: Path, file_format: str | None = None) -> Texts:
    """The texts in `path`, in `file_format` or what its first characters and its suffix say.

    Raises
    ------
    InputError
        If the file cannot be read as what it is taken for; the message says where.
    """
    data = read_bytes(path)
    return READERS[file_format or _guess(path, data)](path, data)


def _guess(path: Path, data: bytes) -> str:
    head = data[:2000].removeprefix(b"\xef\xbb\xbf")
    if _LOOKS_LIKE_SGML.match(head):
        return "sgml"
    if _LOOKS_LIKE_XML.match(head):
        return "xml"
    return SUFFIXES.get(without_gz(path).suffix.lower(), "text")


__all__ = ["READERS", "Texts", "name_of", "read_texts"]
