"""Whether columns of text make a test set: as long as each other, and filled where they must be."""

from __future__ import annotations

import reprlib
import warnings
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from ..errors import InputError

#: Labels of documents that differ in more than this share of the segments are rather texts.
_TOO_MANY_DOCUMENTS = 0.9
#: What sentences end with, in several scripts.
_ENDS_OF_SENTENCES = (".", "!", "?", "…", "。", "！", "？", "।", "؟", "۔", "።")


class Titled(NamedTuple):
    """A column to be checked: its part in the test set, what messages call it, and its segments."""

    part: str
    title: str
    texts: Sequence[str]


def check_columns(columns: Sequence[Titled]) -> None:
    """Raise `InputError` unless columns make a test set.

    They have as many segments as each other, and two at least; all segments are texts; each has a
    document, if there are documents, and a reference.
    """
    _check_lengths(columns)
    for column in columns:
        for number, text in enumerate(column.texts, start=1):
            if not isinstance(text, str):
                raise InputError(f"{column.title}, segment {number:,} is {text!r}, not a text.")
    for column in columns:
        if column.part == "documents":
            _check_filled([column])
    references = [column for column in columns if column.part == "reference"]
    for reference in references:
        if not any(text.strip() for text in reference.texts):
            raise InputError(
                f"{reference.title} has no text: all {len(reference.texts):,} segments are empty. "
                "Give the file that has the reference."
            )
    _check_filled(references)
    if len(columns[0].texts) < 2:
        raise InputError("The test set has 1 segment; nothing can be resampled. Give at least two.")


def _check_filled(columns: Sequence[Titled]) -> None:
    """Raise `InputError` if a segment is empty in all of these columns."""
    texts = [column.texts for column in columns]
    empty = []
    for number, texts_of_segment in enumerate(zip(*texts, strict=True), start=1):
        if not any(text.strip() for text in texts_of_segment):
            empty.append(number)
    if not empty:
        return
    titles = " and ".join(column.title for column in columns)
    more = f" (and {len(empty) - 1:,} more)" if len(empty) > 1 else ""
    raise InputError(
        f"{titles}: segment {empty[0]:,}{more} is empty, counted from 1. Fill it in, or remove the "
        "segment everywhere."
    )


def _check_lengths(columns: Sequence[Titled]) -> None:
    """Raise `InputError` unless all columns have as many segments as each other."""
    n_columns_by_length = Counter(len(column.texts) for column in columns)
    if len(n_columns_by_length) == 1:
        return
    ((usual, _),) = n_columns_by_length.most_common(1)  # of two as frequent, the first column's
    as_usual = [column.title for column in columns if len(column.texts) == usual]
    unlike = [column for column in columns if len(column.texts) != usual]
    others = f" and {len(as_usual) - 1} more" if len(as_usual) > 1 else ""
    culprits = [f"{len(column.texts):,} in {column.title}" for column in unlike]
    causes = [_cause(column, columns, usual) for column in columns]
    advice = [cause for cause in causes if cause]
    if len(advice) < len(unlike):
        advice.append("look for a line missing or broken in two")
    raise InputError(
        f"Not the same number of segments: {usual:,} in {as_usual[0]}{others}, but "
        f"{', '.join(culprits)}. Segment i must be the same one everywhere; {'; '.join(advice)}."
    )


def _cause(column: Titled, columns: Sequence[Titled], usual: int) -> str:
    """Why a column has another number of segments than others, with the fix, if it can be seen.

    The number of most columns, `usual`, may be wrong as well as that of a column unlike these.
    """
    texts = column.texts
    if not all(isinstance(text, str) for text in texts):
        return ""
    is_usual = len(texts) == usual
    expected = {usual}
    if is_usual:
        expected = {len(other.texts) for other in columns} - {usual}
    n_blank_at_end = len(texts) - len("\n".join(texts).rstrip().split("\n"))
    if len(texts) - n_blank_at_end in expected and 0 < n_blank_at_end < len(texts):
        last = "line is" if n_blank_at_end == 1 else f"{n_blank_at_end:,} lines are"
        return f"the last {last} blank in {column.title}: remove what is blank there"
    is_twice_as_long = len(texts) in {2 * n for n in expected}
    if is_twice_as_long and not any(text.strip() for text in texts[1::2]):
        return f"every second line is blank in {column.title}: remove the blank lines"
    if is_usual:
        return ""
    if sum(len(text.split("\r")) for text in texts) == usual:
        return f"some lines end with CR alone in {column.title}: end all lines with LF"
    if sum(len(text.splitlines()) or 1 for text in texts) == usual:
        return (
            f"there would be {usual:,} if U+2028, U+0085, a form feed and the like ended lines in "
            f"{column.title}, which they do not here: put a line feed in their place"
        )
    return ""


def warn_of_lone_segments(title: str, labels: Sequence[str] | None) -> None:
    """Warn if the labels of documents are texts, nearly all of which differ.

    Short names of single sentences are no mistake: by them, several test sets tell which sentences
    are the same.  Messages name the labels by `title`.
    """
    if labels is None:
        return
    n_segments = len(labels)
    n_documents = len(set(labels))
    n_texts = sum(map(_looks_like_text, labels))
    if n_documents > _TOO_MANY_DOCUMENTS * n_segments and 2 * n_texts > n_segments:
        nearly = "" if n_documents == n_segments else "nearly "
        warnings.warn(
            f"{title}: {n_documents:,} documents for {n_segments:,} segments, the first "
            f"{reprlib.repr(labels[0])}. So {nearly}every segment is a document of its own, as in "
            "a file of texts. All segments of a document should have the same name.",
            stacklevel=3,
        )


def _looks_like_text(label: str) -> bool:
    """Whether a label has several words, or ends as a sentence does."""
    return len(label.split()) > 1 or label.endswith(_ENDS_OF_SENTENCES)
