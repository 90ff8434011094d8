"""Segment scores as WMT's metrics task has them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import pandas as pd

from ..errors import InputError, counted
from ..texts.files import is_number
from .labels import TEST_SET
from .score_file import ScoreFile, metric_name, numbered_lines
from .source import ScoreSource

#: Names that references and sources have in the metrics task's files.
_REFERENCE = re.compile(r"(ref|src|source|reference|human)([-_.]?\w{1,3})?|-|.*-ref(\.\w+)?", re.I)

_EXPECTED = (
    "is not one of the metrics task: a system and a score, or metric, language pair, test set, …, "
    "system, segment and score, with tabs between them and as many fields in every line."
)


def read_wmt(source: ScoreSource, text: str) -> ScoreFile:
    """WMT's ``.seg.score``: a system and a score in each line, or the metrics task's columns."""
    lines, blank_line = numbered_lines(text)
    has_tabs = 2 * sum("\t" in line for line in lines) > len(lines)
    rows = [line.split("\t") if has_tabs else line.split(maxsplit=20) for line in lines]
    n_fields, score = _layout(source, lines.index, rows)
    frame = pd.DataFrame(rows, lines.index, dtype=object)
    if n_fields == 2:
        return _two_columns(source, frame, blank_line)
    return _metrics_task(source, frame, score, blank_line)


def _layout(
    source: ScoreSource, numbers: pd.Index, rows: Sequence[Sequence[str]]
) -> tuple[int, int]:
    """How many fields each line has, and which of them is the score; the same in all lines."""
    layouts = [(len(fields), _last_number(fields)) for fields in rows]
    [(usual, _)] = Counter(layouts).most_common(1)
    n_fields, score = usual
    for number, layout, fields in zip(numbers, layouts, rows, strict=True):
        of_two = layout == (2, 1)
        of_task = score >= 5 and layout == usual and fields[score - 1].isdecimal()
        if layout != usual or not (of_two or of_task):
            raise InputError(f"{source.at(number)} {_EXPECTED}")
    if n_fields > 2 and all(is_number(fields[score - 2]) for fields in rows):
        raise InputError(f"{source.at(numbers[0])} {_EXPECTED}")
    return n_fields, score


def _last_number(fields: Sequence[str]) -> int:
    """The last field with a number, or with ``None`` for one."""
    for place in reversed(range(len(fields))):
        if is_number(fields[place]) or fields[place] == "None":
            return place
    return -1


def _metrics_task(
    source: ScoreSource, frame: pd.DataFrame, score: int, blank_line: int | None
) -> ScoreFile:
    """Metric, language pair, test set, maybe domain, document, reference; system, segment, score.

    Behind the score there may be more, none of which is a number.
    """
    metrics = frame[0].drop_duplicates()
    if len(metrics) > 1:
        raise InputError(
            f"{source.at(metrics.index[1])} has a score of {metrics.iloc[1]!r}, but line "
            f"{metrics.index[0]:,} has one of {metrics.iloc[0]!r}. Give each metric its own file."
        )
    system, document = _places(frame, score)
    columns = {
        TEST_SET: frame[2] + "/" + frame[1],
        "system": frame[system],
        "segment": frame[score - 1],
        metric_name(source, metrics.iloc[0]): frame[score],
    }
    if document is not None:
        columns["document"] = frame[document]
    # What else there is tells rows apart, if it varies: domains and references, for two.
    known = {0, 1, 2, system, document, score - 1, score}
    for place in range(frame.shape[1]):
        if place in known:
            continue
        if frame[place].nunique() > 1:
            columns[f"field {place + 1}"] = frame[place]
    return ScoreFile(source, pd.DataFrame(columns), blank_line)


def _places(frame: pd.DataFrame, score: int) -> tuple[int, int | None]:
    """Which fields have the system and the document, if there is one.

    Between the test set and the segment stand

    - the system alone (WMT19);
    - reference and system, or system and document;
    - reference, system and document (WMT20), or domain, reference and system;
    - domain, document, reference and system (WMT21 and later).
    """
    last = score - 2
    n_between = last - 2
    if n_between == 2 and not _has_references(frame[3]) and _are_documents(frame, 3, 4, score):
        return 3, 4
    if n_between == 3 and not _has_references(frame[4]):
        return 4, 5
    if n_between >= 4:
        return last, score - 4
    return last, None


def _has_references(names: pd.Series) -> bool:
    """Whether a field has names of references, or of the source in their place."""
    return all(_REFERENCE.fullmatch(name) for name in names.unique())


def _are_documents(frame: pd.DataFrame, system: int, other: int, score: int) -> bool:
    """Whether a field has documents: in these, and not in systems, segments differ."""
    if any(re.search("doc", name, re.I) for name in frame[other].unique()):
        return True
    segments = frame.groupby([1, 2, system, other])[score - 1].agg(frozenset)
    return bool(segments.groupby(level=[0, 1, 2]).nunique().max() > 1)


def _two_columns(source: ScoreSource, frame: pd.DataFrame, blank_line: int | None) -> ScoreFile:
    """A system and a score; ``None`` where an output was not scored."""
    frame = frame.set_axis(["system", "score"], axis=1)
    frame["segment"] = frame.groupby("system").cumcount()
    # Kept is what has a score, as all the systems have that are scored at all.
    is_scored = frame["score"] != "None"
    system_is_scored = is_scored.groupby(frame["system"]).transform("any")
    segment_is_scored = (is_scored | ~system_is_scored).groupby(frame["segment"]).transform("all")
    kept = system_is_scored & segment_is_scored
    remarks: tuple[str, ...] = ()
    if not kept.all():
        n_rows = counted(int((~kept).sum()), "row")
        remarks = (f"{n_rows} left out, of segments that were not scored for all systems",)
    own_name = re.sub(r"(\.seg)?\.score$", "", re.sub(r"\.gz$", "", source.path.name))
    name = metric_name(source, source.given_name or own_name)
    scores = frame[kept].rename(columns={"score": name})
    return ScoreFile(source, scores, blank_line, remarks, by_order=True)
