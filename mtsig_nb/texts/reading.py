"""Texts in: files of four formats, and what they have of a test set, aligned.

Every reader gives columns: the references, systems, source and documents that the file names,
aligned within the file.  `read_test_set` brings the files of a test set together.
"""

from __future__ import annotations

import dataclasses
import functools
import html
import os
import re
import reprlib
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element

from defusedxml.ElementTree import ParseError, fromstring

from ..errors import InputError, unknown_name
from .files import (
    SUFFIXES,
    expanded,
    files_in,
    lines,
    name_of,
    quoted,
    read_text,
    unique,
    without_gz,
)

PathLike = str | os.PathLike[str]
#: One file, several, or several with a name for each.
Files = PathLike | Sequence[PathLike] | Mapping[str, PathLike]

#: More documents than this share of the segments are rather texts than names of documents.
_TOO_MANY_DOCUMENTS = 0.9

#: What identifies a segment within a file: its document and its number there.
Key = tuple[str, str]
#: What a column is, and its name, if it is a reference or a system: ``("system", "A")``.
Title = tuple[str, str]


@dataclasses.dataclass(frozen=True, eq=False)
class Texts:
    """The outputs of several systems for one test set, with its references.

    Segment `i` is the same in every column.  Make one with `read_test_set` from files, or with
    `from_texts` from lists.

    Parameters
    ----------
    hypotheses : mapping of str to sequence of str, each of length segments
        Every system's output.  A system may leave a segment empty.
    references : sequence of sequences of str, shape (references, segments)
        No segment of a reference may be empty.
    documents : sequence of str, length segments, optional
        The document that each segment belongs to.
    source : sequence of str, length segments, optional
    name : str
        Shown in results.

    Raises
    ------
    InputError
        If columns differ in length (all that differ are named, with their counts), there is no
        system or no reference, there are fewer than two segments, a reference has a segment of
        zero length, or a system's name is not one that UTF-8 can hold.

    Examples
    --------
    >>> cats = Texts.from_texts(
    ...     reference=["The cat sleeps.", "It purrs."],
    ...     systems={"A": ["The cat sleeps.", "It purrs."], "B": ["A cat sleep.", ""]},
    ... )
    >>> cats
    Texts(2 systems, 2 segments, 1 reference)
    >>> cats.hypotheses["B"]
    ('A cat sleep.', '')
    """

    hypotheses: Mapping[str, tuple[str, ...]]
    references: tuple[tuple[str, ...], ...]
    documents: tuple[str, ...] | None = None
    source: tuple[str, ...] | None = None
    name: str = ""

    def __post_init__(self) -> None:
        set_field = object.__setattr__  # the class is frozen for everybody else
        set_field(self, "hypotheses", {str(s): tuple(h) for s, h in self.hypotheses.items()})
        set_field(self, "references", tuple(map(tuple, self.references)))
        for field in ("documents", "source"):
            labels = getattr(self, field)
            set_field(self, field, None if labels is None else tuple(map(str, labels)))
        if not self.systems:
            raise InputError("systems: there is none. Give the output of at least one system.")
        if not self.references:
            raise InputError("reference: there is none. Give at least one reference.")
        for system in self.systems:
            if _printable(system) != system:
                raise InputError(
                    f"systems: the name {system!r} is not UTF-8. Rename the file, or give the "
                    "system a name: NAME=FILE, or systems={'name': path}."
                )
        several = len(self.references) > 1
        columns = [("documents", self.documents), ("source", self.source)]
        for i, reference in enumerate(self.references, start=1):
            columns.append((f"reference {i}" if several else "reference", reference))
        columns += [(f"system {system!r}", texts) for system, texts in self.hypotheses.items()]
        _check([(title, texts) for title, texts in columns if texts is not None])

    @classmethod
    def from_texts(
        cls,
        *,
        reference: Sequence[str] | Sequence[Sequence[str]],
        systems: Mapping[str, Sequence[str]],
        documents: Sequence[str] | None = None,
        name: str = "",
    ) -> Texts:
        """A test set from lists of segments.

        Parameters
        ----------
        reference : sequence of str, or of such sequences
            One reference, or several.
        systems : mapping of str to sequence of str
        documents, name
            See the class.

        Warns
        -----
        UserWarning
            If nearly every segment is a document of its own; see `read_test_set`.

        Examples
        --------
        >>> cats = Texts.from_texts(
        ...     reference=[["A cat.", "A dog."], ["One cat.", "One dog."]],
        ...     systems={"A": ["A cat.", "The dog."]},
        ...     name="pets",
        ... )
        >>> cats
        Texts(pets, 1 system, 2 segments, 2 references)
        """
        for argument, texts in (("reference", reference), *systems.items()):
            if isinstance(texts, str):
                raise InputError(
                    f"{argument}={texts[:40]!r} is one text. Give a list with one text per "
                    "segment, or use mtsig_nb.read_test_set for files."
                )
        single = len(reference) > 0 and all(isinstance(item, str) for item in reference)
        made = cls(
            hypotheses=systems,  # type: ignore[arg-type]
            references=[reference] if single else reference,  # type: ignore[arg-type]
            documents=documents,  # type: ignore[arg-type]
            name=name,
        )
        _warn_of_lone_segments("documents", made.documents)
        return made

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems' names."""
        return tuple(self.hypotheses)

    @property
    def n_segments(self) -> int:
        """How many segments there are."""
        return len(self.references[0])

    def __repr__(self) -> str:
        counts = (len(self.systems), self.n_segments, len(self.references))
        named = zip(counts, ("system", "segment", "reference"), strict=True)
        parts = [f"{n} {what}{'s' * (n != 1)}" for n, what in named]
        return f"Texts({', '.join(filter(None, [self.name, *parts]))})"


def read_test_set(
    *, reference: Files, systems: Files | None = None, documents: PathLike | None = None
) -> Texts:
    r"""Read a test set from files.

    Parameters
    ----------
    reference : path, sequence of paths, or mapping of names to paths
        The references.  A file may hold several; a mapping takes from each file the one of that
        name, or the only one.
    systems : path, sequence of paths, or mapping of names to paths, optional
        The systems' outputs, in the same manner.  A folder stands for all files in it.  A system
        is called what the file calls it, or else what the file is called (``A.txt.gz`` is "A").
        Left out when the file of the reference also holds the systems (WMT XML, TSV).
    documents : path, optional
        The documents' names, one line per segment, where no other file has them.  All segments of
        a document have the same name.

    Returns
    -------
    Texts

    Raises
    ------
    InputError
        If a file is missing, empty, damaged or not UTF-8 (with line and byte), columns differ in
        length or in their segments, a system's name is there twice; and see `Texts`.

    Warns
    -----
    UserWarning
        If `documents` names nearly as many documents as there are segments, as a file of texts
        would.

    Notes
    -----
    What a file is, its first characters and its suffix say.  It may be compressed with gzip, or a
    pipe; of none is more read than a thousand megabytes, four million lines, or twenty million
    fields, and of lines no more than there is memory for.  The test set is called what the first
    reference's file is called.

    Segments of different files are matched by document and number where both files have them
    (SGML, XML, a column ``segment``), otherwise by position.  Lines end at LF or CRLF; no other
    character ends one.  The formats:

    ``text``
        One segment a line.
    ``sgml``
        NIST's ``<srcset>``, ``<refset>`` and ``<tstset>``, well-formed or not.
    ``xml``
        WMT's since 2021: ``<doc>`` with ``<src>``, ``<ref translator=…>``, ``<hyp system=…>``.
        Documents with an attribute ``testsuite`` are left out.
    ``tsv``
        A line of names, then tab-separated fields.  ``reference`` (``ref``, ``reference_2``,
        ``ref:B`` …), ``source``, ``document`` and ``segment`` are what they say; ``hypothesis``
        is the output of the system that the file is named after; other columns are systems.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "pets.tsv").write_text(
    ...     "reference\tA\tB\nA cat.\tA cat.\tCat.\nA dog.\tThe dog.\tDog.\n"
    ... )
    >>> read_test_set(reference=folder / "pets.tsv")
    Texts(pets, 2 systems, 2 segments, 1 reference)
    """
    read = functools.cache(read_texts)

    def columns_of(part: str, argument: str, files: Files) -> list[Column]:
        paths = _named_paths(argument, files)
        return [column for name, path in paths for column in _of_part(part, name, path, read(path))]

    references = columns_of("reference", "reference", reference)
    if systems is None:
        paths = list(dict.fromkeys(column.path for column in references))
        systems = [path for path in paths if any(c.part == "system" for c in read(path))]
        if not systems:
            raise InputError(
                f"systems: {', '.join(map(quoted, paths))} has none beside the reference. "
                "Give systems={'name': path, …}."
            )
    outputs = columns_of("system", "systems", systems)
    hypotheses = unique("systems", ((column.name, column) for column in outputs))
    columns = [*references, *outputs]
    beside = [c for path in dict.fromkeys(c.path for c in columns) for c in read(path)]
    if documents is not None:
        beside = [*columns_of("documents", "documents", documents), *beside]
    shared = {c.part: c for c in reversed(beside) if c.part in ("documents", "source")}
    columns += shared.values()
    _match_keys(columns)
    _check([(column.title, column.texts) for column in columns])  # here, so that it names files
    made = Texts(
        hypotheses={name: tuple(column.texts) for name, column in hypotheses.items()},
        references=tuple(tuple(column.texts) for column in references),
        **{part: tuple(column.texts) for part, column in shared.items()},
        name=_printable(name_of(references[0].path)),
    )
    if documents is not None:
        _warn_of_lone_segments(shared["documents"].title, made.documents)
    return made


def _warn_of_lone_segments(title: str, labels: Sequence[str] | None) -> None:
    """Warn if the documents' names look like texts: nearly all of them differ."""
    found = len(set(labels or ()))
    if labels is not None and found > _TOO_MANY_DOCUMENTS * len(labels):
        warnings.warn(
            f"{title}: {found:,} documents for {len(labels):,} segments, the first "
            f"{reprlib.repr(labels[0])}. So {'' if found == len(labels) else 'nearly '}every "
            "segment is a document of its own, as in a file of texts. All segments of a document "
            "should have the same name.",
            stacklevel=3,
        )


def _printable(name: str) -> str:
    """`name` with a question mark for each byte that is not UTF-8."""
    return name.encode("utf-8", "replace").decode()


def _check(by_title: Sequence[tuple[str, Sequence[str]]]) -> None:
    """Raise `InputError` unless all are texts of one length, and none is empty that must not be."""
    counts = Counter(len(column) for _, column in by_title)
    ((usual, _),) = counts.most_common(1)  # of two as frequent, the first column's
    if len(counts) > 1:
        alike = [title for title, column in by_title if len(column) == usual]
        others = f" and {len(alike) - 1} more" if len(alike) > 1 else ""
        culprits = [f"{len(c):,} in {title}" for title, c in by_title if len(c) != usual]
        raise InputError(
            f"Not the same number of segments: {usual:,} in {alike[0]}{others}, but "
            f"{', '.join(culprits)}. Segment i must be the same one everywhere; look for a line "
            "missing or broken in two."
        )
    for title, column in by_title:
        for i, text in enumerate(column, start=1):
            if not isinstance(text, str):
                raise InputError(f"{title}, segment {i:,} is {text!r}, not a text.")
        if not title.startswith(("reference", "documents")):
            continue
        empty = [i for i, text in enumerate(column, start=1) if not text.strip()]
        if empty:
            more = f" (and {len(empty) - 1:,} more)" if len(empty) > 1 else ""
            raise InputError(
                f"{title}: segment {empty[0]:,}{more} is empty, counted from 1. Fill it in, or "
                "remove the segment everywhere."
            )
    if usual < 2:
        raise InputError("The test set has 1 segment; nothing can be resampled. Give at least two.")


# --- columns from files ---------------------------------------------------------------------------


@dataclasses.dataclass
class Column:
    """A column of a file.

    It is a ``"reference"``, a ``"system"``, the ``"source"``, the ``"documents"``, or a ``"text"``
    that may be any of these: plain text, or ``hypothesis`` in a table.  Where there are `keys`,
    segments are matched by key across files, otherwise by position.
    """

    part: str
    name: str
    path: Path
    texts: list[str]
    keys: list[Key] | None = None

    @property
    def title(self) -> str:
        """The column as messages name it."""
        name = f" {self.name!r}" if self.name else ""
        return f"{self.part}{name} in {quoted(self.path)}"


def _named_paths(argument: str, files: Files) -> list[tuple[str | None, Path]]:
    named: list[tuple[str | None, PathLike]] = []
    if isinstance(files, str | os.PathLike):
        named = [(None, path) for path in files_in(expanded(files))]
    elif isinstance(files, Mapping):
        named = [(str(name), file) for name, file in files.items()]
    elif isinstance(files, Sequence):
        named = [(None, file) for file in files]
    if not named or not all(isinstance(file, str | os.PathLike) for _, file in named):
        raise InputError(
            f"{argument}={files!r}: give the path of a file, or of a folder with files; several "
            "paths; or a mapping of names to paths."
        )
    return [(name, expanded(file)) for name, file in named]


def _of_part(part: str, wanted: str | None, path: Path, columns: Sequence[Column]) -> list[Column]:
    """The columns of a kind in a file; the `wanted` one, or the only one under that name."""
    found = [column for column in columns if column.part == part]
    if part == "system" or not found:
        name = name_of(path) if part == "system" else ""
        texts = [column for column in columns if column.part == "text"]
        found += [dataclasses.replace(column, part=part, name=name) for column in texts]
    if not found:
        named = [f"{c.part} {c.name!r}" if c.name else c.part for c in columns]
        holds = ", ".join(named) or "no text"
        raise InputError(f"{quoted(path)} has no {part}. It holds {holds}.")
    if wanted is not None:
        chosen = [c for c in found if c.name == wanted] or found
        if len(chosen) > 1:
            raise unknown_name(f"{part} in {quoted(path)}", wanted, [c.name for c in found])
        return [dataclasses.replace(chosen[0], name=wanted)]
    return found


def _match_keys(columns: Sequence[Column]) -> None:
    """Bring all columns with keys into the order of the first of them.

    Raises
    ------
    InputError
        If they have not the same segments.
    """
    first, *others = [column for column in columns if column.keys is not None] or columns
    for column in others:
        expected, keys = first.keys or [], column.keys or []
        for lacks, has, missing in (
            (column, first, {*expected}.difference(keys)),
            (first, column, {*keys}.difference(expected)),
        ):
            if missing:
                key = next(key for key in has.keys or [] if key in missing)
                more = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
                raise InputError(
                    f"{lacks.title} lacks segment {_show(key)}{more}, which {has.title} has. "
                    "Give both the same segments."
                )
        if keys != expected:
            place = {key: i for i, key in enumerate(keys)}
            column.texts = [column.texts[place[key]] for key in expected]
            column.keys = expected


def read_texts(path: Path) -> list[Column]:
    """The texts in `path`, in the format that its first characters and its suffix say.

    Raises
    ------
    InputError
        If the file cannot be read as what it is taken for; the message says where.
    """
    text = read_text(path)
    file_format = SUFFIXES.get(without_gz(path).suffix.lower(), "text")
    if _LOOKS_LIKE_SGML.match(text):
        return read_sgml(path, text)
    if _LOOKS_LIKE_XML.match(text):
        return read_xml(path, text)
    if file_format not in _READERS:
        raise InputError(
            f"{quoted(path)} is {file_format}, from which no texts are read. Give them one segment "
            "a line, or in columns with tabs between them (TSV)."
        )
    return _READERS[file_format](path, text)


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


def read_plain(path: Path, text: str) -> list[Column]:
    """One segment a line."""
    return [Column("text", "", path, lines(text))]


def read_tsv(path: Path, text: str) -> list[Column]:
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
    segments = columns.pop(("segment", ""), None)
    keys = None
    if segments is not None:
        documents = columns.get(("documents", ""), [""] * len(segments))
        keys = list(zip(documents, segments, strict=True))
        unique(f"{quoted(path)}, segments", ((key, None) for key in keys))
    return [Column(*title, path, texts, keys) for title, texts in columns.items()]


def _title(name: str) -> Title:
    name = name.strip()
    for part, names in _PARTS.items():
        if name.casefold() in names:
            return part, ""
    return ("reference" if _REFERENCE.fullmatch(name) else "system"), name


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


def read_sgml(path: Path, text: str) -> list[Column]:
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
        raise InputError(f"{quoted(path)} is no XML to be read: {error}. Repair it.") from None
    return _aligned(path, _xml_segments(path, root))


def _xml_segments(path: Path, root: Element) -> Iterator[tuple[Title, Key, str]]:
    for tag in ("doc", "seg"):
        if root.find(f".//{tag}//{tag}") is not None:  # which would be read twice
            raise InputError(
                f"{quoted(path)}: a <{tag}> has another <{tag}> inside. Close it before the next."
            )
    for document in root.iter("doc"):
        if "testsuite" in document.attrib:
            continue
        for block in (block for block in document if block.tag in _BLOCKS):
            part, named_by = _BLOCKS[block.tag]
            label = (block.get(named_by) or name_of(path)) if named_by else ""
            for number, segment in enumerate(block.iter("seg"), start=1):
                key = (document.get("id", ""), segment.get("id") or str(number))
                yield (part, label), key, "".join(segment.itertext())


def _aligned(path: Path, segments: Iterable[tuple[Title, Key, str]]) -> list[Column]:
    """Segments as columns in the order of the first; an `InputError` if they are not the same."""
    found: dict[Title, dict[Key, str]] = {}
    for (part, name), key, text in segments:
        texts = found.setdefault((part, name), {})
        if key in texts:
            raise InputError(
                f"{quoted(path)} has segment {_show(key)} of {part} {name!r} twice. "
                "Remove one of them."
            )
        texts[key] = _LINE_BREAK.sub(" ", text.strip())
    if not found:
        raise InputError(
            f"{quoted(path)} has no segments (<seg>) of any source, reference or system."
        )
    columns = [Column(*title, path, [*texts.values()], [*texts]) for title, texts in found.items()]
    _match_keys(columns)
    keys = columns[0].keys or []
    if all(document for document, _ in keys):
        columns.append(Column("documents", "", path, [document for document, _ in keys], keys))
    return columns


def _show(key: Key) -> str:
    document, segment = key
    return f"{segment!r} of document {document!r}" if document else repr(segment)


#: Readers by the formats in `SUFFIXES`.
_READERS: dict[str, Callable[[Path, str], list[Column]]] = {
    "text": read_plain,
    "sgml": read_sgml,
    "xml": read_xml,
    "tsv": read_tsv,
}
