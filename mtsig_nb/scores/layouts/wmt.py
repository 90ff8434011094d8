"""Segment scores as WMT's metrics task has them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from ...errors import InputError, counted
from ...texts.files import is_number, without_gz
from ..labels import TEST_SET
from ..readers import Sign
from ..score_file import ScoreFile, checked_metric_name, numbered_lines
from ..source import ScoreSource

SIGN = Sign.NAME

#: Names that references and sources have in the metrics task's files.
_REFERENCE = re.compile(r"(ref|src|source|reference|human)([-_.]?\w{1,3})?|-|.*-ref(\.\w+)?", re.I)
#: What stands for the score of an output that was not scored.
_NOT_SCORED = "None"

_EXPECTED = (
    "is not one of the metrics task: a system and a score, or metric, language pair, test set, …, "
    "system, segment and score, with tabs between them and as many fields in every line."
)


class _Layout(NamedTuple):
    """The fields of a line: how many it has, and the place of the score, from 0 on; -1 for none."""

    n_fields: int
    score: int


#: A system and a score.
_TWO_COLUMNS = _Layout(n_fields=2, score=1)


def read_text(source: ScoreSource, text: str) -> ScoreFile | None:
    """WMT's ``.seg.score``: a system and a score in each line, or the metrics task's columns.

    Raises
    ------
    InputError
        If a line is neither, or not as the others are.
    """
    if ".score" not in source.path.suffixes:
        return None
    lines, blank_line = numbered_lines(text)
    n_with_tabs = sum("\t" in line for line in lines)
    has_tabs = 2 * n_with_tabs > len(lines)
    rows = [line.split("\t") if has_tabs else line.split(maxsplit=20) for line in lines]
    layout = _common_layout(source, lines.index, rows)
    frame = pd.DataFrame(rows, lines.index, dtype=object)
    if layout.n_fields == 2:
        return _two_columns(source, frame, blank_line)
    return _metrics_task(source, frame, layout.score, blank_line)


def _common_layout(
    source: ScoreSource, numbers: pd.Index, rows: Sequence[Sequence[str]]
) -> _Layout:
    """The layout that all lines have."""
    layouts = [_Layout(len(fields), _last_number(fields)) for fields in rows]
    [(usual, _)] = Counter(layouts).most_common(1)
    for number, layout, fields in zip(numbers, layouts, rows, strict=True):
        has_segment = layout.score >= 5 and fields[layout.score - 1].isdecimal()
        if layout != usual or not (has_segment or layout == _TWO_COLUMNS):
            raise InputError(f"{source.at(number)} {_EXPECTED}")
    if usual != _TWO_COLUMNS and all(is_number(fields[usual.score - 2]) for fields in rows):
        raise InputError(f"{source.at(numbers[0])} {_EXPECTED}")
    return usual


def _last_number(fields: Sequence[str]) -> int:
    """The place of the last field with a number, or with ``None`` for one; -1 if there is none."""
    for place in reversed(range(len(fields))):
        if is_number(fields[place]) or fields[place] == _NOT_SCORED:
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
        checked_metric_name(source, metrics.iloc[0]): frame[score],
    }
    if document is not None:
        columns["document"] = frame[document]
    # Other fields that vary, such as domains and references, tell rows apart.
    taken = {0, 1, 2, system, document, score - 1, score}
    others = [place for place in range(frame.shape[1]) if place not in taken]
    for place in others:
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
    if n_between == 2 and not _has_references(frame[3]) and _has_documents(frame, 4, score):
        return 3, 4
    if n_between == 3 and not _has_references(frame[4]):
        return 4, 5
    if n_between >= 4:
        return last, score - 4
    return last, None


def _has_references(names: pd.Series) -> bool:
    """Whether a field has names of references, or of the source in their place."""
    return all(_REFERENCE.fullmatch(name) for name in names.unique())


def _has_documents(frame: pd.DataFrame, place: int, score: int) -> bool:
    """Whether a field behind the system has documents, as segments differ by it."""
    names = frame[place].unique()
    if any(re.search("doc", name, re.I) for name in names):
        return True
    segments = frame.groupby([1, 2, 3, place])[score - 1].agg(frozenset)
    n_different = segments.groupby(level=[0, 1, 2]).nunique()
    return bool(n_different.max() > 1)


def _two_columns(source: ScoreSource, frame: pd.DataFrame, blank_line: int | None) -> ScoreFile:
    """A system and a score in each line; ``None`` where an output was not scored.

    Systems without any score are left out, and segments that another system has no score of.
    """
    frame = frame.set_axis(["system", "score"], axis=1)
    frame["segment"] = frame.groupby("system").cumcount()
    is_scored = frame["score"] != _NOT_SCORED
    system_is_scored = is_scored.groupby(frame["system"]).transform("any")
    lacks_score = system_is_scored & ~is_scored
    segment_lacks_score = lacks_score.groupby(frame["segment"]).transform("any")
    is_kept = system_is_scored & ~segment_lacks_score
    remarks: tuple[str, ...] = ()
    if not is_kept.all():
        n_rows = counted(int((~is_kept).sum()), "row")
        remarks = (f"{n_rows} left out, of segments that were not scored for all systems",)
    own_name = re.sub(r"(\.seg)?\.score$", "", without_gz(source.path).name)
    name = checked_metric_name(source, source.given_name or own_name)
    scores = frame[is_kept].rename(columns={"score": name})
    return ScoreFile(source, scores, blank_line, remarks, segments_by_order=True)
