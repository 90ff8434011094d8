"""Segment scores as WMT's metrics task has them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from ..errors import InputError
from ..texts.files import is_number, quoted
from .labels import TEST_SET
from .score_file import ScoreFile, metric_name, numbered_lines


def read_wmt(file: Path, text: str) -> ScoreFile:
    """WMT's ``.seg.score``: a system and a score in each line, or the metrics task's columns.

    These are metric, language pair, test set (domain, document, reference), system, segment and
    score, and maybe more behind them, none of which is a number.
    """
    found, blank_line = numbered_lines(text)
    rows = [line.split("\t") if "\t" in line else line.split(maxsplit=20) for line in found]
    layouts = [(len(fields), _last_number(fields)) for fields in rows]
    ((n, at), _), *_ = Counter(layouts).most_common(1)
    expected = (
        "is not one of the metrics task: a system and a score, or metric, language pair, test set, "
        "…, system, segment and score, with tabs between them, as many in every line."
    )
    for number, layout, fields in zip(found.index, layouts, rows, strict=True):
        fits = layout == (2, 1) or (at >= 5 and layout == (n, at) and fields[at - 1].isdecimal())
        if not fits or layout != (n, at):
            raise InputError(f"{quoted(file, number)} {expected}")
    if n > 2 and all(is_number(fields[at - 2]) for fields in rows):
        raise InputError(f"{quoted(file, found.index[0])} {expected}")
    frame = pd.DataFrame(rows, found.index, dtype=object)
    name = re.sub(r"(\.seg)?\.score$", "", re.sub(r"\.gz$", "", file.name))
    if n > 2:
        if frame[0].nunique() > 1:
            raise InputError(f"{quoted(file)} has the scores of several metrics. Give one a file.")
        frame[TEST_SET] = frame[2] + "/" + frame[1]
        named = {at - 2: "system", at - 1: "segment", at: metric_name(file, frame[0].iloc[0])}
        named |= {at - 4: "document"} if at >= 8 else {}
        return ScoreFile(file, frame[[TEST_SET, *named]].rename(columns=named), blank_line)
    frame.columns = ["system", "score"]
    frame["segment"] = frame.groupby("system").cumcount()
    # Kept is what has a score, as all the systems have that are scored at all.
    scored = frame["score"] != "None"
    some = scored.groupby(frame["system"]).transform("any")
    kept = some & (scored | ~some).groupby(frame["segment"]).transform("all")
    left_out = f"{(~kept).sum():,} rows of what was not scored for all are left out"
    said = () if kept.all() else (left_out,)
    frame = frame[kept].rename(columns={"score": metric_name(file, name)})
    return ScoreFile(file, frame, blank_line, said, by_order=True)


def _last_number(fields: Sequence[str]) -> int:
    """The last field with a number, or with ``None`` for one."""
    last = range(len(fields) - 1, -1, -1)
    return next((i for i in last if is_number(fields[i]) or fields[i] == "None"), -1)
