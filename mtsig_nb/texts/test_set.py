"""A test set: the outputs of several systems with their references, segment by segment."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping, Sequence

from ..errors import InputError
from ..notes import Note
from .checks import Titled, check_columns, warn_of_lone_segments
from .doubts import notes_on_texts


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
        Every segment has one reference or more.  Where there are several, a segment that lacks one
        of them has None there, or nothing but blanks; it is kept as an empty text.
    documents : sequence of str, length segments, optional
        The document that each segment belongs to.
    source : sequence of str, length segments, optional
        The texts that were translated.
    name : str
        Shown in results.
    notes : tuple of Note
        What to know about how the texts were read.

    Raises
    ------
    InputError
        If columns differ in length (all that differ are named, with their counts), there is no
        system or no reference, there are fewer than two segments, a segment has no reference, or a
        system's name is not one that UTF-8 can encode.

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
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        set_field = object.__setattr__  # the class is frozen for everybody else
        hypotheses = {str(system): tuple(texts) for system, texts in self.hypotheses.items()}
        set_field(self, "hypotheses", hypotheses)
        references = tuple(_with_gaps(reference) for reference in self.references)
        set_field(self, "references", references)
        for field in ("documents", "source"):
            labels = getattr(self, field)
            set_field(self, field, None if labels is None else _labels(field, labels))
        if not self.systems:
            raise InputError("systems: there is none. Give the output of at least one system.")
        if not self.references:
            raise InputError("reference: there is none. Give at least one reference.")
        for system in self.systems:
            if printable(system) != system:
                raise InputError(
                    f"systems: the name {system!r} is not UTF-8. Rename the file, or give the "
                    "system a name: NAME=FILE, or systems={'name': path}."
                )
        check_columns(self._titled())

    def _titled(self) -> list[Titled]:
        """All columns, with what messages call them."""
        columns = []
        for field in ("documents", "source"):
            if (labels := getattr(self, field)) is not None:
                columns.append(Titled(field, field, labels))
        for number, reference in enumerate(self.references, start=1):
            title = "reference" if len(self.references) == 1 else f"reference {number}"
            columns.append(Titled("reference", title, reference))
        for system, texts in self.hypotheses.items():
            columns.append(Titled("system", f"system {system!r}", texts))
        return columns

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
            One reference, or several.  A segment that lacks one of several has None there.
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
        is_single = any(item is None or isinstance(item, str) for item in reference)
        test_set = cls(
            hypotheses=systems,  # type: ignore[arg-type]
            references=[reference] if is_single else reference,  # type: ignore[arg-type]
            documents=documents,  # type: ignore[arg-type]
            name=name,
        )
        warn_of_lone_segments("documents", test_set.documents)
        return test_set

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems' names."""
        return tuple(self.hypotheses)

    @property
    def n_segments(self) -> int:
        """How many segments there are."""
        return len(self.references[0])

    @functools.cached_property
    def caveats(self) -> tuple[Note, ...]:
        """What to know before relying on scores of these texts, whatever the metric."""
        return (*self.notes, *notes_on_texts(self.hypotheses, self.references))

    def __repr__(self) -> str:
        counts = {
            "system": len(self.systems),
            "segment": self.n_segments,
            "reference": len(self.references),
        }
        parts = [self.name] if self.name else []
        parts += [f"{n} {noun}" if n == 1 else f"{n} {noun}s" for noun, n in counts.items()]
        return f"Texts({', '.join(parts)})"


def _with_gaps(reference: Sequence[str | None]) -> tuple[str, ...]:
    """A reference with an empty text where it is missing, or has only blanks."""
    return tuple("" if text is None or _is_blank(text) else text for text in reference)


def _is_blank(text: object) -> bool:
    """Whether this is a text with nothing but blanks; what is no text is refused elsewhere."""
    return isinstance(text, str) and not text.strip()


def _labels(field: str, labels: Sequence[object]) -> tuple[str, ...]:
    """Labels as texts; an `InputError` if one is missing."""
    for number, label in enumerate(labels, start=1):
        if label is None or label != label:
            raise InputError(f"{field}: segment {number:,} is {label!r}. Give it a name.")
    return tuple(map(str, labels))


def printable(name: str) -> str:
    """`name` with a question mark for each byte that is not UTF-8."""
    return name.encode("utf-8", "replace").decode()
