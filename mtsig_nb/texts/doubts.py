"""What makes scores of texts doubtful, as far as the texts themselves show it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..errors import listed
from ..notes import Note, note

Lines = Sequence[str]

#: From so many lines that end in a tokenized full stop on, sacreBLEU says so (2.0 and later).
SACREBLEU_LINES = 100
#: In a shorter test set, so many and such a share of the lines tell as much.
_FEWEST_LINES, _SHARE_OF_LINES = 10, 0.5
#: An output that shares so many segments with a reference is hardly a translation of its own.
_COPIED = 0.95
#: In small test sets a good system may well get all but one or two segments right.
_FEWEST_FOR_A_SHARE = 20
#: Of more systems some are named, and the others counted.
_NAMED_AT_MOST = 4
#: What is left of subword units that were not put together: at the end or the beginning of a word.
_SUBWORD = re.compile(r"@@( |$)|(^| )\u2581")


def notes_on_texts(
    hypotheses: Mapping[str, Lines], references: Sequence[Lines]
) -> tuple[Note, ...]:
    """What is doubtful about outputs: copies of the reference, tokens, subword units, nothing said.

    Parameters
    ----------
    hypotheses : mapping of str to sequence of str, each of length segments
    references : sequence of sequences of str, shape (references, segments)
        With an empty text where one of several references is missing.

    Returns
    -------
    tuple of Note
        Those that name systems have them in ``values["about"]``.

    Examples
    --------
    >>> notes_on_texts({"A": ["One .", "Two ."], "B": ["One.", "Two."]}, [["One.", "Two."]])
    ("'B' has the text of the reference in all 2 segments, as a copy of it would",)
    """
    found = []
    several = len(references) > 1
    for number, reference in enumerate(references, start=1):
        named = f"reference {number}" if several else "the reference"
        found += _copies(hypotheses, reference, named)
    found += _references_missing(references)
    found += _empty(hypotheses)
    found += _tokenized(hypotheses, references)
    found += _in_subwords(hypotheses, references)
    return tuple(found)


def _copies(hypotheses: Mapping[str, Lines], reference: Lines, named: str) -> list[Note]:
    """What to say of outputs that have the text of a reference."""
    n = len(reference)
    differing_at_most = int((1 - _COPIED) * n) if n >= _FEWEST_FOR_A_SHARE else 0
    found = []
    for system, output in hypotheses.items():
        differing = _count_differing(output, reference, differing_at_most)
        if differing > differing_at_most:
            continue
        share = f"all {n:,}" if not differing else f"{n - differing:,} of {n:,}"
        found.append(
            note(
                "copy-of-reference",
                system=repr(system),
                reference=named,
                share=share,
                about=(system,),
            )
        )
    return found


def _count_differing(output: Lines, reference: Lines, most: int) -> int:
    """In how many segments two texts differ, blanks aside; no further than one above `most`."""
    differing = 0
    for ours, theirs in zip(output, reference, strict=True):
        differing += ours.split() != theirs.split()
        if differing > most:
            break
    return differing


def _references_missing(references: Sequence[Lines]) -> list[Note]:
    """What to say of segments that lack one of several references."""
    gaps = sum(not all(texts) for texts in zip(*references, strict=True))
    if len(references) < 2 or not gaps:
        return []
    return [
        note(
            "references-missing",
            gaps=f"{gaps:,}",
            n=f"{len(references[0]):,}",
            n_references=len(references),
        )
    ]


def _empty(hypotheses: Mapping[str, Lines]) -> list[Note]:
    """What to say of outputs of which half or more is empty."""
    found = []
    for system, output in hypotheses.items():
        empty = sum(not text.strip() for text in output)
        if empty >= _SHARE_OF_LINES * len(output):
            share = f"all {empty:,}" if empty == len(output) else f"{empty:,} of {len(output):,}"
            found.append(note("empty-outputs", system=repr(system), share=share, about=(system,)))
    return found


def _tokenized(hypotheses: Mapping[str, Lines], references: Sequence[Lines]) -> list[Note]:
    """What sacreBLEU warns of, tokenized outputs, and what it misses in short test sets."""
    of_references = max(map(_full_stops_apart, references))
    counts = {system: _full_stops_apart(output) for system, output in hypotheses.items()}
    suspected = []
    for system, count in counts.items():
        n = len(hypotheses[system])
        enough = count >= max(_FEWEST_LINES, _SHARE_OF_LINES * n)
        unlike_references = of_references < _SHARE_OF_LINES * count
        if count >= SACREBLEU_LINES or (enough and unlike_references):
            suspected.append(system)
    if not suspected:
        return []
    most = max(counts[system] for system in suspected)
    lines = f"{most:,}" if len(suspected) == 1 else f"up to {most:,}"
    return [note("tokenized", lines=lines, systems=_named(suspected), about=tuple(suspected))]


def _full_stops_apart(texts: Lines) -> int:
    """How many end in a full stop that is a token of its own, as sacreBLEU counts them."""
    return sum(text.endswith(" .") for text in texts)


def _in_subwords(hypotheses: Mapping[str, Lines], references: Sequence[Lines]) -> list[Note]:
    """What to say of outputs whose subword units were not put together."""
    of_references = max(map(_subwords, references))
    suspected = []
    for system, output in hypotheses.items():
        count = _subwords(output)
        enough = count >= max(2, _SHARE_OF_LINES * len(output))
        if enough and of_references < _SHARE_OF_LINES * count:
            suspected.append(system)
    if not suspected:
        return []
    return [note("subwords", systems=_named(suspected), about=tuple(suspected))]


def _subwords(texts: Lines) -> int:
    """How many texts have a mark of subword units."""
    return sum(_SUBWORD.search(text) is not None for text in texts)


def _named(systems: Sequence[str]) -> str:
    """Systems in words: their names, or the first of them and how many more there are."""
    names = [repr(system) for system in systems]
    if len(names) > _NAMED_AT_MOST:
        return listed(names, _NAMED_AT_MOST)
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
