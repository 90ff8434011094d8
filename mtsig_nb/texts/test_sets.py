"""Texts in: the references and the systems' outputs of a test set, aligned."""

from __future__ import annotations

import dataclasses
import reprlib
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

import pandas as pd

from ..errors import InputError, check_one_of
from .formats import READERS, name_of
from .formats.gathering import Column, Files, Gathering, PathLike, match_keys

#: Columns of which a segment may not be empty.
_NEVER_EMPTY = ("reference", "documents")
#: More documents than this share of the segments are rather texts than names of documents.
_TOO_MANY_DOCUMENTS = 0.9


@dataclasses.dataclass(frozen=True, eq=False)
class TestSet:
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
        zero length, or a text is not one that UTF-8 can hold.

    Examples
    --------
    >>> cats = TestSet.from_texts(
    ...     reference=["The cat sleeps.", "It purrs."],
    ...     systems={"A": ["The cat sleeps.", "It purrs."], "B": ["A cat sleep.", ""]},
    ... )
    >>> cats
    TestSet(2 systems, 2 segments, 1 reference)
    >>> cats.select(["B"]).to_frame().columns.tolist()
    ['system', 'segment', 'reference', 'hypothesis']
    """

    __test__: ClassVar[bool] = False  # for pytest, which would take the class for a test

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
        _check_names(self.systems)
        columns = dict(self._columns())
        _check_lengths({title: len(column) for title, column in columns.items()})
        for title, column in columns.items():
            _check_texts(title, column)
            if title.startswith(_NEVER_EMPTY):
                _check_not_empty(title, column)
        if self.n_segments < 2:
            raise InputError(
                "The test set has 1 segment; nothing can be resampled. Give at least two."
            )

    @classmethod
    def from_texts(
        cls,
        *,
        reference: Sequence[str] | Sequence[Sequence[str]],
        systems: Mapping[str, Sequence[str]],
        documents: Sequence[str] | None = None,
        source: Sequence[str] | None = None,
        name: str = "",
    ) -> TestSet:
        """A test set from lists of segments.

        Parameters
        ----------
        reference : sequence of str, or of such sequences
            One reference, or several.
        systems : mapping of str to sequence of str
        documents, source, name
            See the class.

        Warns
        -----
        UserWarning
            If nearly every segment is a document of its own; see `read_test_set`.

        Examples
        --------
        >>> cats = TestSet.from_texts(
        ...     reference=[["A cat.", "A dog."], ["One cat.", "One dog."]],
        ...     systems={"A": ["A cat.", "The dog."]},
        ...     name="pets",
        ... )
        >>> cats
        TestSet(pets, 1 system, 2 segments, 2 references)
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
            source=source,  # type: ignore[arg-type]
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

    def select(self, systems: Iterable[str]) -> TestSet:
        """The test set with some of its systems, in the order given."""
        wanted = list(systems)
        for system in wanted:
            check_one_of("system", system, self.systems)
        return dataclasses.replace(self, hypotheses={s: self.hypotheses[s] for s in wanted})

    def to_frame(self) -> pd.DataFrame:
        """Tidy texts: one row per system and segment, with what is known of the segment."""
        shared: dict[str, Sequence[str]] = {}
        if self.documents is not None:
            shared["document"] = self.documents
        if self.source is not None:
            shared["source"] = self.source
        for i, reference in enumerate(self.references, start=1):
            shared["reference" if len(self.references) == 1 else f"reference_{i}"] = reference
        return pd.concat(
            pd.DataFrame(
                {"system": s, "segment": range(self.n_segments), **shared, "hypothesis": hypothesis}
            )
            for s, hypothesis in self.hypotheses.items()
        ).reset_index(drop=True)

    def _columns(self) -> Iterable[tuple[str, tuple[str, ...]]]:
        if self.documents is not None:
            yield "documents", self.documents
        if self.source is not None:
            yield "source", self.source
        for i, reference in enumerate(self.references, start=1):
            yield ("reference" if len(self.references) == 1 else f"reference {i}"), reference
        for system, hypothesis in self.hypotheses.items():
            yield f"system {system!r}", hypothesis

    def __repr__(self) -> str:
        counts = (
            (len(self.systems), "system"),
            (self.n_segments, "segment"),
            (len(self.references), "reference"),
        )
        parts = [self.name] if self.name else []
        parts += [f"{count} {what}{'' if count == 1 else 's'}" for count, what in counts]
        return f"TestSet({', '.join(parts)})"


def read_test_set(
    *,
    reference: Files,
    systems: Files | None = None,
    documents: PathLike | None = None,
    source: PathLike | None = None,
    name: str | None = None,
    format: str | None = None,
) -> TestSet:
    r"""Read a test set from files.

    Parameters
    ----------
    reference : path, sequence of paths, or mapping of names to paths
        The references.  A file may hold several; a mapping takes from each file the one of that
        name, or the only one.
    systems : path, sequence of paths, or mapping of names to paths, optional
        The systems' outputs, in the same manner.  A folder stands for all files in it.  A system
        is called what the file calls it, or else what the file is called (``A.txt.gz`` is "A").
        Left out when the file of the reference also holds the systems (WMT XML, TSV, JSON lines).
    documents, source : path, optional
        The documents' names and the source, one line per segment, where no other file has them.
        All segments of a document have the same name.
    name : str, optional
        Of the test set; by default what the first reference's file is called.
    format : {"text", "sgml", "xml", "tsv", "jsonl"}, optional
        The format of all files; by default each one's is taken from its first characters and its
        suffix.  Any of them may be compressed with gzip, or a pipe; of none is more read than a
        thousand megabytes, four million lines, or twenty million fields.

    Returns
    -------
    TestSet

    Raises
    ------
    InputError
        If a file is missing, empty, damaged or not UTF-8 (with line and byte), columns differ in
        length or in their segments, a system's name is there twice, `documents` has the same lines
        as one of the texts; and see `TestSet`.

    Warns
    -----
    UserWarning
        If `documents` names nearly as many documents as there are segments, as a file of texts
        would.

    Notes
    -----
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
    ``jsonl``
        One object a line, with the same names; or with ``"references"`` as a list or an object,
        and ``"systems"`` as an object.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "pets.tsv").write_text(
    ...     "reference\tA\tB\nA cat.\tA cat.\tCat.\nA dog.\tThe dog.\tDog.\n"
    ... )
    >>> read_test_set(reference=folder / "pets.tsv")
    TestSet(pets, 2 systems, 2 segments, 1 reference)
    """
    if format is not None:
        check_one_of("format", format, READERS)
    files = Gathering(format)
    references = files.references(reference)
    if systems is None:
        outputs = files.systems_beside_references(reference)
    else:
        outputs = files.systems(systems)
    labels = [files.labels("documents", documents), files.labels("source", source)]
    columns = [*references, *outputs, *(column for column in labels if column is not None)]
    match_keys(columns)
    # Here and not only in TestSet, so that messages name the file.
    _check_lengths({column.title: len(column.texts) for column in columns})
    for column in columns:
        if column.part in _NEVER_EMPTY:
            _check_not_empty(column.title, column.texts)
    given = labels[0] if documents is not None else None
    if given is not None:
        _check_no_text(given, columns)
    made = TestSet(
        hypotheses={column.name: tuple(column.texts) for column in outputs},
        references=tuple(tuple(column.texts) for column in references),
        **{column.part: tuple(column.texts) for column in labels if column is not None},
        name=_printable(name_of(references[0].path)) if name is None else name,
    )
    if given is not None:
        _warn_of_lone_segments(given.title, made.documents)
    return made


def _check_no_text(documents: Column, columns: Sequence[Column]) -> None:
    for column in columns:
        if column is not documents and column.texts == documents.texts:
            raise InputError(
                f"{documents.title} has the very lines of {column.title}, and is no list of "
                "documents. Give a file with the name of each segment's document, one per line."
            )


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


def _check_names(systems: Iterable[str]) -> None:
    for system in systems:
        if _printable(system) != system:
            raise InputError(
                f"systems: the name {system!r} is not UTF-8. Rename the file, or give the system "
                "a name: NAME=FILE, or systems={'name': path}."
            )


def _check_lengths(lengths: Mapping[str, int]) -> None:
    """Raise `InputError` with every column whose length is not what most have."""
    counts = Counter(lengths.values())
    if len(counts) == 1:
        return
    usual, _ = counts.most_common(1)[0]  # of two as frequent, the first column's
    alike = [title for title, length in lengths.items() if length == usual]
    others = f" and {len(alike) - 1} more" if len(alike) > 1 else ""
    culprits = [f"{n:,} in {title}" for title, n in lengths.items() if n != usual]
    raise InputError(
        f"Not the same number of segments: {usual:,} in {alike[0]}{others}, but "
        f"{', '.join(culprits)}. Segment i must be the same one everywhere; look for a line "
        "missing or broken in two."
    )


def _check_texts(title: str, column: Sequence[str]) -> None:
    try:
        "".join(column).encode("utf-8")
    except (TypeError, UnicodeEncodeError):
        for i, text in enumerate(column, start=1):
            if not isinstance(text, str):
                raise InputError(f"{title}, segment {i:,} is {text!r}, not a text.") from None
            if any("\ud800" <= character <= "\udfff" for character in text):
                raise InputError(
                    f"{title}, segment {i:,} has half of a surrogate pair, which is no character. "
                    "Write the character itself."
                ) from None


def _check_not_empty(title: str, column: Sequence[str]) -> None:
    empty = [i for i, text in enumerate(column, start=1) if not text.strip()]
    if empty:
        more = f" (and {len(empty) - 1:,} more)" if len(empty) > 1 else ""
        raise InputError(
            f"{title}: segment {empty[0]:,}{more} is empty, counted from 1. Fill it in, or remove "
            "the segment everywhere."
        )
