"""Labels that are nearly the same: in other letters, with blanks, in another form of Unicode."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

import pandas as pd

from ..errors import listed
from ..texts.naming import alike, visible
from .labels import labels_in


def plain_form(label: str) -> str:
    r"""A label without what the eye passes over.

    >>> plain_form(" ABC\u00a0"), plain_form("01.0"), plain_form('"e\u0301"') == plain_form("é")
    ('abc', '1', True)
    """
    if label.isdecimal() and label.isascii():
        return _without_zeros(label)
    text = label.casefold()
    if not label.isascii():
        text = visible(unicodedata.normalize("NFKC", text))
    text = re.sub(r"\s+", " ", text).strip(" \"'")
    if re.fullmatch(r"\d+(\.0*)?", text):
        text = _without_zeros(text.partition(".")[0])
    return text


def _without_zeros(digits: str) -> str:
    """A whole number without zeros before it."""
    return digits.lstrip("0") or "0"


def nearly_same(labels: Iterable[str]) -> list[tuple[str, ...]]:
    """Groups of labels that are not the same, and have the same plain form."""
    return alike(dict.fromkeys(labels), plain_form)


def alike_hint(table: pd.DataFrame, labels: Sequence[str]) -> str:
    """A sentence on labels that two files write in different manners; empty if there are none.

    If the column ``(both)`` says which of two files have the labels, as the indicator of
    ``DataFrame.merge`` does, the sentence may also be about segments counted from 0 and from 1.
    """
    for label in labels:
        groups = nearly_same(table[label].astype(str))
        if groups:
            return f" Labels are compared whole: {_in_words(groups[0])} are not the same."
    return _hint_on_counts(table) if "(both)" in table else ""


def _hint_on_counts(table: pd.DataFrame) -> str:
    """A sentence for segments that are counted from 0 in one file and from 1 in the other."""
    alone = table[table["(both)"] != "both"]
    segments = set(alone["segment"].astype(str))
    # Only the segment 0 of one file, and the last segment of the other, are in one file alone.
    each_file_has_one = set(alone["(both)"]) == {"left_only", "right_only"}
    if "0" in segments and len(segments) == 2 and each_file_has_one:
        return " One file counts segments from 0, and the other from 1."
    return ""


def likeness_remarks(frame: pd.DataFrame, labels: Sequence[str]) -> list[str]:
    """What is to be said of labels of a table that are nearly the same."""
    remarks = []
    for label in labels_in(frame, labels):
        groups = nearly_same(frame[label].astype(str).unique())
        if groups:
            shown = listed([_in_words(group) for group in groups], 3, by="; ")
            remarks.append(
                f"{label.strip('()')}: {shown} are nearly the same, and were taken as different"
            )
    return remarks


def _in_words(group: Sequence[str]) -> str:
    """The first labels of a group, as messages have them."""
    return " and ".join(map(repr, group[:3]))
