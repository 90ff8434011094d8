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


# Places of fields of the metrics task, from 0 on.  Between the test set and the score stand other
# fields, of which the last is the segment.
_METRIC = 0
_LANGUAGES = 1
_TEST_SET = 2
#: The fewest fields before the score: these three, a system and a segment.
_FEWEST_BEFORE_SCORE = 5


class _Layout(NamedTuple):
    """The fields of a line: how many it has, and the place of the score, from 0 on; -1 for none."""

    n_fields: int
    score: int

    @property
    def segment(self) -> int:
        """The place of the segment in a line of the metrics task."""
        return self.score - 1

    @property
    def last_between(self) -> int:
        """The place of the last field between the test set and the segment."""
        return self.score - 2


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
    return _metrics_task(source, frame, layout, blank_line)


def _common_layout(
    source: ScoreSource, numbers: pd.Index, rows: Sequence[Sequence[str]]
) -> _Layout:
    """The layout that all lines have.

    Raises
    ------
    InputError
        If lines differ, or have neither two columns nor the fields of the metrics task.
    """
    layouts = [_Layout(len(fields), _last_number(fields)) for fields in rows]
    [(usual, _)] = Counter(layouts).most_common(1)
    for number, layout, fields in zip(numbers, layouts, rows, strict=True):
        has_all_fields = layout.score >= _FEWEST_BEFORE_SCORE
        has_segment = has_all_fields and fields[layout.segment].isdecimal()
        if layout != usual or not (has_segment or layout == _TWO_COLUMNS):
            raise InputError(f"{source.at(number)} {_EXPECTED}")
    # There is a system or a document before the segment; only numbers are something else.
    if usual != _TWO_COLUMNS and all(is_number(fields[usual.last_between]) for fields in rows):
        raise InputError(f"{source.at(numbers[0])} {_EXPECTED}")
    return usual


def _last_number(fields: Sequence[str]) -> int:
    """The place of the last field with a number, or with ``None`` for one; -1 if there is none."""
    for place in reversed(range(len(fields))):
        if is_number(fields[place]) or fields[place] == _NOT_SCORED:
            return place
    return -1


def _metrics_task(
    source: ScoreSource, frame: pd.DataFrame, layout: _Layout, blank_line: int | None
) -> ScoreFile:
    """Metric, language pair, test set, maybe domain, document, reference; system, segment, score.

    Behind the score there may be more, none of which is a number.
    """
    metrics = frame[_METRIC].drop_duplicates()
    if len(metrics) > 1:
        raise InputError(
            f"{source.at(metrics.index[1])} has a score of {metrics.iloc[1]!r}, but line "
            f"{metrics.index[0]:,} has one of {metrics.iloc[0]!r}. Give each metric its own file."
        )
    system, document = _system_and_document(frame, layout)
    columns = {
        TEST_SET: frame[_TEST_SET] + "/" + frame[_LANGUAGES],
        "system": frame[system],
        "segment": frame[layout.segment],
        checked_metric_name(source, metrics.iloc[0]): frame[layout.score],
    }
    if document is not None:
        columns["document"] = frame[document]
    # Other fields that vary, such as domains and references, tell rows apart.
    labels = {_METRIC, _LANGUAGES, _TEST_SET, system, document}
    taken = labels | {layout.segment, layout.score}
    others = [place for place in range(frame.shape[1]) if place not in taken]
    for place in others:
        if frame[place].nunique() > 1:
            columns[f"field {place + 1}"] = frame[place]
    return ScoreFile(source, pd.DataFrame(columns), blank_line)


def _system_and_document(frame: pd.DataFrame, layout: _Layout) -> tuple[int, int | None]:
    """The places of the system and of the document; None for no document.

    Between the test set and the segment stand

    - the system alone (WMT19);
    - reference and system, or system and document;
    - reference, system and document (WMT20), or domain, reference and system;
    - domain, document, reference and system (WMT21 and later).
    """
    first = _TEST_SET + 1
    last = layout.last_between
    n_between = last - _TEST_SET
    if n_between == 2 and not _has_references(frame[first]) and _has_documents(frame, layout):
        return first, last
    if n_between == 3 and not _has_references(frame[first + 1]):
        return first + 1, last
    if n_between >= 4:
        return last, last - 2
    return last, None


def _has_references(names: pd.Series) -> bool:
    """Whether a field has names of references, or of the source in their place."""
    return all(_REFERENCE.fullmatch(name) for name in names.unique())


def _has_documents(frame: pd.DataFrame, layout: _Layout) -> bool:
    """Whether the field before the segment has documents, and not systems: segments differ by it.

    Every system has the same segments of a test set, and every document has others.
    """
    place = layout.last_between
    names = frame[place].unique()
    if any(re.search("doc", name, re.I) for name in names):
        return True
    others = [_LANGUAGES, _TEST_SET, place - 1]
    segments = frame.groupby([*others, place])[layout.segment].agg(frozenset)
    n_different = segments.groupby(level=[0, 1, 2]).nunique()
    return bool(n_different.max() > 1)


def _two_columns(source: ScoreSource, frame: pd.DataFrame, blank_line: int | None) -> ScoreFile:
    """A system and a score in each line; ``None`` where an output was not scored.

    Systems that have no score at all are left out; so are segments of which a system has no score,
    if it has others.
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
