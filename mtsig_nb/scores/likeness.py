"""Labels that are nearly the same: in other letters, with blanks, in another form of Unicode."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence

import pandas as pd

from ..errors import listed


def plain_form(label: str) -> str:
    r"""A label without what the eye passes over.

    >>> plain_form(" ABC\u00a0"), plain_form("01.0"), plain_form('"e\u0301"') == plain_form("é")
    ('abc', '1', True)
    """
    if label.isdecimal() and label.isascii():
        return label.lstrip("0") or "0"
    text = label.casefold()
    if not label.isascii():
        text = unicodedata.normalize("NFKC", text)
        text = "".join(c for c in text if unicodedata.category(c) != "Cf")
    text = re.sub(r"\s+", " ", text).strip(" \"'")
    if re.fullmatch(r"\d+(\.0*)?", text):
        text = text.partition(".")[0].lstrip("0") or "0"
    return text


def nearly_same(labels: Iterable[str]) -> list[list[str]]:
    """Groups of labels that are not the same, and have the same plain form."""
    distinct = list(dict.fromkeys(labels))
    forms = [plain_form(label) for label in distinct]
    if len(set(forms)) == len(distinct):
        return []
    groups: dict[str, list[str]] = defaultdict(list)
    for label, form in zip(distinct, forms, strict=True):
        groups[form].append(label)
    return [group for group in groups.values() if len(group) > 1]


def alike_hint(table: pd.DataFrame, labels: Sequence[str]) -> str:
    """A sentence on labels that two files write in different manners; empty if there are none."""
    for label in labels:
        groups = nearly_same(table[label].astype(str))
        if groups:
            shown = " and ".join(map(repr, groups[0][:3]))
            return f" Labels are compared whole: {shown} are not the same."
    return _counted_hint(table) if "(both)" in table else ""


def _counted_hint(table: pd.DataFrame) -> str:
    """A sentence for segments that are counted from 0 in one file and from 1 in the other."""
    alone = table[table["(both)"] != "both"]
    segments = set(alone["segment"].astype(str))
    if "0" in segments and len(segments) == 2 and set(alone["(both)"]) != {"left_only"}:
        return " One file counts segments from 0, and the other from 1."
    return ""


def likeness_remarks(frame: pd.DataFrame, labels: Sequence[str]) -> list[str]:
    """What is to be said of labels of a table that are nearly the same."""
    remarks = []
    for label in labels:
        if label not in frame:
            continue
        names = frame[label].astype(str).unique()
        groups = [" and ".join(map(repr, group[:3])) for group in nearly_same(names)]
        if groups:
            shown = listed(groups, 3, by="; ")
            remarks.append(
                f"{label.strip('()')}: {shown} are nearly the same, and were taken as different"
            )
    return remarks
