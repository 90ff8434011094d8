"""What makes scores of texts doubtful, as far as the texts themselves show it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..errors import listed
from ..notes import Note, note

#: The segments of an output or of a reference.
Lines = Sequence[str]

#: The fewest lines with a tokenized full stop of which sacreBLEU warns (2.0 and later).
SACREBLEU_LINES = 100
#: The fewest such lines that tell as much in a shorter test set, if they are many.
_FEWEST_LINES = 10
#: From this share of the segments on, segments are many.
_MANY = 0.5
#: The share of segments in common with a reference from which on an output is hardly a translation
#: of its own.
_COPIED = 0.95
#: The fewest segments for which this share is enough.  In smaller test sets a good system may well
#: get all but one or two segments right.
_FEWEST_FOR_A_SHARE = 20
#: The most systems that are all named.
_MOST_NAMED = 4
#: The marks of subword units that were not put together, at the end or the beginning of a word.
_SUBWORD = re.compile(r"@@( |$)|(^| )\u2581")


def notes_on_texts(
    hypotheses: Mapping[str, Lines], references: Sequence[Lines]
) -> tuple[Note, ...]:
    """What is doubtful about outputs: copies of a reference, empty ones, tokens, subword units.

    Parameters
    ----------
    hypotheses : mapping of str to sequence of str, each of length segments
    references : sequence of sequences of str, shape (references, segments)
        With an empty text where one of several references is missing.

    Returns
    -------
    tuple of Note
        Notes that name systems have them in ``values["about"]``.

    Examples
    --------
    >>> notes_on_texts({"A": ["One .", "Two ."], "B": ["One.", "Two."]}, [["One.", "Two."]])
    ("'B' has the text of the reference in all 2 segments, as a copy of it would",)
    """
    notes = []
    for number, reference in enumerate(references, start=1):
        title = "the reference" if len(references) == 1 else f"reference {number}"
        notes += _notes_on_copies(hypotheses, reference, title)
    notes += _notes_on_missing(references)
    notes += _notes_on_empty(hypotheses)
    notes += _notes_on_tokens(hypotheses, references)
    notes += _notes_on_subwords(hypotheses, references)
    return tuple(notes)


def _notes_on_copies(
    hypotheses: Mapping[str, Lines], reference: Lines, reference_title: str
) -> list[Note]:
    """What to say of outputs that have the text of a reference."""
    n_segments = len(reference)
    most_differing = 0
    if n_segments >= _FEWEST_FOR_A_SHARE:
        most_differing = int((1 - _COPIED) * n_segments)
    notes = []
    for system, output in hypotheses.items():
        n_differing = _count_differing(output, reference, most_differing)
        if n_differing > most_differing:
            continue
        copy = note(
            "copy-of-reference",
            system=repr(system),
            reference=reference_title,
            share=_share(n_segments - n_differing, n_segments),
            about=(system,),
        )
        notes.append(copy)
    return notes


def _count_differing(output: Lines, reference: Lines, most: int) -> int:
    """In how many segments two texts differ, blanks aside; counting ends at `most` + 1."""
    n_differing = 0
    for text, reference_text in zip(output, reference, strict=True):
        n_differing += text.split() != reference_text.split()
        if n_differing > most:
            break
    return n_differing


def _notes_on_missing(references: Sequence[Lines]) -> list[Note]:
    """What to say of segments that lack one of several references."""
    n_gaps = sum(not all(texts) for texts in zip(*references, strict=True))
    if len(references) < 2 or not n_gaps:
        return []
    n_segments = len(references[0])
    missing = note(
        "references-missing",
        gaps=f"{n_gaps:,}",
        n=f"{n_segments:,}",
        n_references=len(references),
    )
    return [missing]


def _notes_on_empty(hypotheses: Mapping[str, Lines]) -> list[Note]:
    """What to say of outputs of which half or more is empty."""
    notes = []
    for system, output in hypotheses.items():
        n_empty = sum(not text.strip() for text in output)
        if n_empty >= _MANY * len(output):
            share = _share(n_empty, len(output))
            notes.append(note("empty-outputs", system=repr(system), share=share, about=(system,)))
    return notes


def _share(n: int, n_segments: int) -> str:
    """A part of the segments in words.

    >>> _share(1999, 2000), _share(2000, 2000)
    ('1,999 of 2,000', 'all 2,000')
    """
    return f"all {n:,}" if n == n_segments else f"{n:,} of {n_segments:,}"


def _notes_on_tokens(hypotheses: Mapping[str, Lines], references: Sequence[Lines]) -> list[Note]:
    """What to say of outputs in tokens: what sacreBLEU warns of, also in short test sets."""
    n_in_references = max(map(_count_full_stops_apart, references))
    n_in_outputs = {
        system: _count_full_stops_apart(output) for system, output in hypotheses.items()
    }
    suspected = []
    for system, n in n_in_outputs.items():
        are_many = n >= max(_FEWEST_LINES, _MANY * len(hypotheses[system]))
        is_unlike_references = n_in_references < _MANY * n
        if n >= SACREBLEU_LINES or (are_many and is_unlike_references):
            suspected.append(system)
    if not suspected:
        return []
    most = max(n_in_outputs[system] for system in suspected)
    lines = f"{most:,}" if len(suspected) == 1 else f"up to {most:,}"
    return [note("tokenized", lines=lines, systems=_in_words(suspected), about=tuple(suspected))]


def _count_full_stops_apart(texts: Lines) -> int:
    """How many texts end in a full stop that is a token of its own, as sacreBLEU counts them."""
    return sum(text.endswith(" .") for text in texts)


def _notes_on_subwords(hypotheses: Mapping[str, Lines], references: Sequence[Lines]) -> list[Note]:
    """What to say of outputs whose subword units were not put together."""
    n_in_references = max(map(_count_subwords, references))
    suspected = []
    for system, output in hypotheses.items():
        n = _count_subwords(output)
        are_many = n >= max(2, _MANY * len(output))
        is_unlike_references = n_in_references < _MANY * n
        if are_many and is_unlike_references:
            suspected.append(system)
    if not suspected:
        return []
    return [note("subwords", systems=_in_words(suspected), about=tuple(suspected))]


def _count_subwords(texts: Lines) -> int:
    """How many texts have a mark of subword units."""
    n_marked = 0
    for text in texts:
        # Hardly any text has a mark, and the pattern alone takes far longer to say so.
        may_be_marked = "@@" in text or "\u2581" in text
        if may_be_marked and _SUBWORD.search(text):
            n_marked += 1
    return n_marked


def _in_words(systems: Sequence[str]) -> str:
    """Systems in words: their names, or the first of them and how many more there are."""
    names = [repr(system) for system in systems]
    if len(names) > _MOST_NAMED:
        return listed(names, _MOST_NAMED)
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
