"""One file of a test set in, its columns of text out: plain text, SGML, WMT XML, TSV, JSON lines.

Every reader returns `TextFile`: the references, systems, source and documents that the file names,
aligned within the file.  :mod:`mtsig_nb.texts.test_sets` brings the files of a test set together.
"""

from __future__ import annotations

import dataclasses
import html
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from ..errors import InputError
from .files import (
    SUFFIXES,
    find_repeated,
    lines,
    load_json,
    name_of,
    quoted,
    read_text,
    unique,
    without_gz,
)

#: What identifies a segment within a file: its document and its number there.
Key = tuple[str, str]
#: What a column is, and its name, if it is a reference or a system: ``("system", "A")``.
Title = tuple[str, str]


@dataclasses.dataclass(frozen=True)
class TextFile:
    """The columns of one file, all of the same length.

    Columns are a ``"reference"``, a ``"system"``, the ``"source"``, the ``"documents"``, or a
    ``"text"``, whose part and name are up to whoever asked for the file: plain text, or
    ``hypothesis`` in a table.  Where there are `keys`, segments are matched by key across files,
    otherwise by position.
    """

    path: Path
    columns: dict[Title, list[str]]
    keys: list[Key] | None = None

    def of(self, part: str) -> dict[str, list[str]]:
        """The columns of a kind by their names."""
        return {name: column for (kind, name), column in self.columns.items() if kind == part}


def read_texts(path: Path, file_format: str | None = None) -> TextFile:
    """The texts in `path`, in `file_format` or what its first characters and its suffix say.

    Raises
    ------
    InputError
        If the file cannot be read as what it is taken for; the message says where.
    """
    text = read_text(path)
    if file_format is None:
        file_format = SUFFIXES.get(without_gz(path).suffix.lower(), "text")
        if _LOOKS_LIKE_SGML.match(text):
            file_format = "sgml"
        elif _LOOKS_LIKE_XML.match(text):
            file_format = "xml"
    return READERS[file_format](path, text)


# --- lines and tables -----------------------------------------------------------------------------

# Names of columns that are no system's, in any case: WMT, COMET and sacreBLEU each use their own.
_PARTS = {
    "source": ("source", "src"),
    "documents": ("document", "doc", "docid", "doc_id"),
    "segment": ("segment", "segment_id", "seg_id", "id"),
    "text": ("hypothesis", "hyp", "translation", "mt"),
}
# reference, ref, reference_2, ref:B, refA …
_REFERENCE = re.compile(r"ref(erence)?s?([\s_:.-].*|[a-z0-9])?", re.IGNORECASE)
_OBJECTS = {"references": "reference", "systems": "system", "hypotheses": "system"}
_KINDS = {dict: "an object", list: "a list", type(None): "null"}


def read_plain(path: Path, text: str) -> TextFile:
    """One segment a line."""
    return TextFile(path, {("text", ""): lines(text)})


def read_tsv(path: Path, text: str) -> TextFile:
    """Tab-separated columns under a line of names; quotation marks are ordinary characters."""
    header, *rows = (line.split("\t") for line in lines(text))
    unique(quoted(path, 1), ((_title(name), None) for name in header))
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise InputError(
                f"{quoted(path, number)} has {len(row)} fields; line 1 names "
                f"{len(header)} columns. A field must not contain a tab or a line break."
            )
    columns = {_title(name): [row[i] for row in rows] for i, name in enumerate(header)}
    return _table(path, columns, first=2)


def read_jsonl(path: Path, text: str) -> TextFile:
    """One JSON object per line, all with the same names.

    A value is a text; ``references`` may be a list of texts or an object, and ``systems`` (or
    ``hypotheses``) an object with a text for each system.
    """
    rows: list[dict[Title, str]] = []
    for number, line in enumerate(lines(text), start=1):
        where = quoted(path, number)
        found = load_json(where, line)
        if not isinstance(found, dict) or not found:
            raise InputError(
                f'{where} is not a JSON object such as {{"reference": "…", "A": "…", "B": "…"}}.'
            )
        row = unique(where, _fields(where, found))
        if rows and row.keys() != rows[0].keys():
            differing = sorted({name for _, name in row.keys() ^ rows[0].keys()})
            raise InputError(
                f"{where} and line 1 do not have the same names; only one of them has "
                f"{', '.join(map(repr, differing))}. Give every line the same names."
            )
        rows.append(row)
    return _table(path, {title: [row[title] for row in rows] for title in rows[0]}, first=1)


def _title(name: str) -> Title:
    name = name.strip()
    for part, names in _PARTS.items():
        if name.casefold() in names:
            return part, ""
    return ("reference" if _REFERENCE.fullmatch(name) else "system"), name


def _fields(where: str, row: dict[str, Any]) -> Iterator[tuple[Title, str]]:
    """The texts of a row with what each is, shorthands spread out."""
    for name, value in row.items():
        title = _title(name)
        found = [(title, value)]
        if isinstance(value, list) and title[0] == "reference":
            found = [(("reference", f"{name}_{i}"), item) for i, item in enumerate(value, start=1)]
        elif isinstance(value, dict) and name.casefold() in _OBJECTS:
            found = [((_OBJECTS[name.casefold()], inner), item) for inner, item in value.items()]
        elif type(value) is int and title[0] in ("documents", "segment"):
            found = [(title, str(value))]
        for (part, own), text in found:
            if not isinstance(text, str):
                what = _KINDS.get(type(text), repr(text)[:40])
                raise InputError(f"{where}: {own or name!r} is {what} instead of a text.")
            yield (part, own), text


def _table(path: Path, columns: dict[Title, list[str]], *, first: int) -> TextFile:
    segments = columns.pop(("segment", ""), None)
    if segments is None:
        return TextFile(path, columns)
    documents = columns.get(("documents", ""), [""] * len(segments))
    keys = list(zip(documents, segments, strict=True))
    for key in find_repeated(keys)[:1]:
        one, other, *_ = (number for number, own in enumerate(keys, start=first) if own == key)
        raise InputError(
            f"{quoted(path)}, lines {one:,} and {other:,} are both segment "
            f"{key[1]!r}. Number segments differently, at least within a document."
        )
    return TextFile(path, columns, keys)


# --- tags -----------------------------------------------------------------------------------------

_DECLARATION = r"\s*(<\?xml\b[^>]*>\s*)?(<!DOCTYPE\b[^>]*>\s*)?"
# NIST's XML too: it is its SGML, well-formed.
_LOOKS_LIKE_SGML = re.compile(_DECLARATION + r"<(mteval|srcset|refset|tstset)\b", re.IGNORECASE)
_LOOKS_LIKE_XML = re.compile(r"\s*(<\?xml\b|<dataset\b)")

_TAG = re.compile(r"<(/?)(srcset|refset|tstset|doc|seg)\b([^<>]*)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([\w:.-]{1,40})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"']+))""")
_CHARACTER = re.compile(r"&(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-f]{1,6});", re.IGNORECASE)
_SETS = {"srcset": "source", "refset": "reference", "tstset": "system"}
_INSIDE = ("<srcset>, <refset> or <tstset>", "<doc>")
#: What WMT's blocks hold, and the attribute that names it.
_BLOCKS = {"src": ("source", ""), "ref": ("reference", "translator"), "hyp": ("system", "system")}

#: A line break inside a segment, with the space around it: layout of the file, not of the text.
#: A run of spaces is looked at from its beginning only, and once: it may be as long as the file.
_LINE_BREAK = re.compile(r"(?<![ \t])[ \t]*+[\r\n]\s*+")


def read_sgml(path: Path, text: str) -> TextFile:
    """NIST's srcset, refset and tstset, in one file or several, which are rarely well-formed.

    Quotes are missing in them and ampersands bare.  So only five tags are looked for; all else
    between ``<seg>`` and ``</seg>`` is text, in which the usual ways to write a special character
    are undone once.  What must be right is the nesting, set > doc > seg: it shows a file that was
    cut off.
    """
    return _aligned(path, _sgml_segments(path, text))


def _sgml_segments(path: Path, text: str) -> Iterator[tuple[Title, Key, str]]:
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


def read_xml(path: Path, text: str) -> TextFile:
    """WMT's XML: documents with a source, references by translator and hypotheses by system.

    Documents of test suites (with an attribute ``testsuite``) are left out: WMT's rankings are
    without them, and they have no reference.  Entities and anything that would be fetched are
    refused.
    """
    try:
        # A document type alone is harmless, and NIST's files name theirs.
        root: Element = fromstring(text, forbid_entities=True, forbid_external=True)
    except ParseError as error:
        line, column = error.position
        raise InputError(
            f"{quoted(path, line)}, column {column + 1}: not well-formed XML "
            f"({str(error).partition(':')[0]}). Repair the file; if it is SGML, say format='sgml'."
        ) from None
    except DefusedXmlException:
        raise InputError(
            f"{quoted(path)} defines entities or refers to other files, which is refused as "
            "unsafe. Write the characters themselves."
        ) from None
    except (ValueError, LookupError) as error:
        raise InputError(f"{quoted(path)} is not readable XML: {error}.") from None
    return _aligned(path, _xml_segments(path, root))


def _xml_segments(path: Path, root: Element) -> Iterator[tuple[Title, Key, str]]:
    def without_own(element: Element) -> Element:
        if element.find(f".//{element.tag}") is not None:  # which would be read twice
            which = f" {element.get('id')!r}" if element.get("id") else ""
            raise InputError(
                f"{quoted(path)}: <{element.tag}>{which} has another <{element.tag}> inside. "
                "Close it before the next."
            )
        return element

    for document in map(without_own, root.iter("doc")):
        if "testsuite" in document.attrib:
            continue
        for block in (block for block in document if block.tag in _BLOCKS):
            part, named_by = _BLOCKS[block.tag]
            label = (block.get(named_by) or name_of(path)) if named_by else ""
            for number, segment in enumerate(map(without_own, block.iter("seg")), start=1):
                key = (document.get("id", ""), segment.get("id") or str(number))
                yield (part, label), key, "".join(segment.itertext())


def _aligned(path: Path, segments: Iterable[tuple[Title, Key, str]]) -> TextFile:
    """Segments as columns in the order of the first; an `InputError` if they are not the same."""
    columns: dict[Title, dict[Key, str]] = {}
    for title, key, text in segments:
        column = columns.setdefault(title, {})
        if key in column:
            raise InputError(
                f"{quoted(path)} has segment {_show(key)} of {titled(title)} twice. "
                "Remove one of them."
            )
        column[key] = _LINE_BREAK.sub(" ", text.strip())
    if not columns:
        raise InputError(
            f"{quoted(path)} has no segments (<seg>) of any source, reference or system."
        )
    first, *_ = columns
    keys = list(columns[first])
    for title, column in columns.items():
        check_keys(titled(first, path), keys, titled(title, path), list(column))
    found = {title: [column[key] for key in keys] for title, column in columns.items()}
    if all(document for document, _ in keys):
        found["documents", ""] = [document for document, _ in keys]
    return TextFile(path, found, keys)


# --- what is said of columns and segments ---------------------------------------------------------


def check_keys(base: str, expected: Sequence[Key], other: str, found: Sequence[Key]) -> None:
    """Raise `InputError` unless both have the same segments, in whatever order."""
    if found == expected:
        return
    for lacks, keys, has, among in (
        (other, expected, base, set(found)),
        (base, found, other, set(expected)),
    ):
        missing = [key for key in keys if key not in among]
        if missing:
            more = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
            raise InputError(
                f"{lacks} lacks segment {_show(missing[0])}{more}, which {has} has. "
                "Give both the same segments."
            )


def titled(title: Title, path: Path | None = None) -> str:
    """A column as messages name it."""
    part, name = title
    what = f"{part} {name!r}" if name else part
    return what if path is None else f"{what} in {quoted(path)}"


def _show(key: Key) -> str:
    document, segment = key
    return f"{segment!r} of document {document!r}" if document else repr(segment)


#: Readers by the name that ``format=`` takes.
READERS: dict[str, Callable[[Path, str], TextFile]] = {
    "text": read_plain,
    "sgml": read_sgml,
    "xml": read_xml,
    "tsv": read_tsv,
    "jsonl": read_jsonl,
}
