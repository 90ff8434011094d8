"""Marks of errors, as in MQM: what each of them costs, and their sum for each rating.

A file has a row for each error that a rater marked in a segment, and a row for each segment without
an error.  A rating is the sum of the points of its marks; less is better.  The points are those of
Freitag et al. (2021, Experts, Errors, and Context, TACL 9), unless a table of points is
given as another file.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..errors import InputError, counted, listed
from ..statistics.sufficient import real_numbers
from .checks import counted_checks
from .controls import without_control_items
from .labels import KEYS, NAMES, RATER, RUN, TEST_SET, by_plain_name, columns_called, normalized
from .rows import first_like, first_true, labels_in_words, unlike_first
from .score_file import ScoreFile, is_absent

METRIC = "MQM"
#: The column with the line of a mark.
_LINE = "(line)"

#: A category and a severity, both as `_plain` has them; an empty one stands for all.
Kind = tuple[str, str]

#: Points of each kind of marks; see `_Points.cost`.
POINTS: Mapping[Kind, float] = {
    ("non-translation", ""): 25.0,
    ("fluency/punctuation", "minor"): 0.1,
    ("", "major"): 5.0,
    ("", "minor"): 1.0,
    ("", "neutral"): 0.0,
}
_SOURCE = "Freitag et al. 2021"

#: How bad an error is, as the guidelines of MQM and of error spans say it.
_SEVERITIES = {"major", "minor", "critical", "neutral", "no_error", "none", "trivial"}
#: What stands in the place of a severity, or of a category, where there is no error.
_NO_ERROR = ("no-error", "no error", "no_error")
#: Google's mark of a check, an error that was put in on purpose; the category says what came of it.
_CHECK = "hotw-test"
_CHECK_RESULTS = {"found": True, "missed": False}

#: Names of columns of segments whose numbers begin anew in each document.
_NUMBERED_IN_DOCUMENTS = ("docsegid", "doc_seg_id", "doc_segment_id")
#: Names of columns of segments, in groups of the same meaning.  The first group that a file has is
#: taken.
_SEGMENTS = (
    ("globalsegid", "global_seg_id", "global_segment_id"),
    tuple(NAMES["segment"]),
    _NUMBERED_IN_DOCUMENTS,
)
#: Names of columns with what was translated.
_SOURCES = ("source", "src", "source_text")
#: The tags around an error that is marked in a text.
_SPAN = r"</?v>"
_POINTS_COLUMNS = ("points", "point", "penalty", "weight")


@dataclasses.dataclass(frozen=True)
class _Points:
    """What marks cost.

    Parameters
    ----------
    by_kind : mapping
        As `POINTS`.
    source : str
        The paper or the file that they are from.
    """

    by_kind: Mapping[Kind, float]
    source: str

    def cost(self, mark: Kind) -> float:
        """The points of a mark, by the kind that fits it best; NaN where no kind fits.

        The kind with the longest category fits best, as ``fluency/punctuation`` is a part of
        ``fluency``; and of kinds with the same category, the one that has a severity.
        """
        fitting = [kind for kind in self.by_kind if _fits(kind, mark)]
        if not fitting:
            return np.nan
        best = max(fitting, key=lambda kind: (len(kind[0]), len(kind[1])))
        return self.by_kind[best]

    def __str__(self) -> str:
        """All points, as a remark has them."""
        rows = []
        for kind, points in self.by_kind.items():
            name = " ".join(filter(None, kind))
            rows.append(f"{name} {points:g}")
        return f"points: {listed(rows, 20)}, no-error 0 ({self.source})"


def _fits(kind: Kind, mark: Kind) -> bool:
    """Whether a kind has the severity of a mark, and its category or one above it."""
    kind_category, kind_severity = kind
    category, severity = mark
    if kind_severity not in ("", severity):
        return False
    is_above = category.startswith(f"{kind_category}/")
    return kind_category in ("", category) or is_above


def are_marks(frame: pd.DataFrame) -> bool:
    """Whether a table has a row for each mark: a category and a severity, in words."""
    names = by_plain_name(frame.columns)
    if "category" not in names or "severity" not in names:
        return False
    words = {normalized(cell) for cell in frame[names["severity"]].dropna().astype(str)}
    has_numbers = any(word.isdecimal() for word in words)
    return not has_numbers and not words.isdisjoint(_SEVERITIES)


def with_points(files: Sequence[ScoreFile], *, by: str | None = None) -> list[ScoreFile]:
    """The files, with a row for each rating in the place of its marks.

    A table of points among them says what marks cost, and is left out.

    Parameters
    ----------
    files : sequence of ScoreFile
    by : str, optional
        The column that names the test sets.

    Raises
    ------
    InputError
        If a mark has no points, or no segment; if there are tables of points and no marks, or two
        of them; or if nothing says which segments have no error.
    """
    if not any(are_marks(file.frame) for file in files):
        return list(files)
    tables = [file for file in files if _is_points_table(file.frame)]
    if not any(are_marks(file.frame) and file not in tables for file in files):
        raise InputError(
            f"{tables[0].source.at()} is a table of points by severity, and no file with marks of "
            "errors is given. Give both."
        )
    if len(tables) > 1:
        names = listed([table.source.at() for table in tables], 3)
        raise InputError(f"{names} are all tables of points. Give one of them.")
    points = _points_in(tables[0]) if tables else _Points(POINTS, _SOURCE)
    summed = []
    doubtful = []
    for file in files:
        if file in tables:
            continue
        if not are_marks(file.frame):
            summed.append(file)
            continue
        rated = _summed(file, points, by)
        summed.append(rated)
        if not _says_no_error(file.frame).any():
            doubtful.append(rated)
    _check_segments(doubtful, summed)
    return summed


# --- points ---------------------------------------------------------------------------------------


def _is_points_table(frame: pd.DataFrame) -> bool:
    """Whether a table has points by severity, and no segments."""
    has_segments = any(columns_called(frame.columns, names) for names in _SEGMENTS)
    has_points = bool(columns_called(frame.columns, _POINTS_COLUMNS))
    return has_points and not has_segments and "severity" in by_plain_name(frame.columns)


def _points_in(table: ScoreFile) -> _Points:
    """The points that a table has, by category and severity; an empty one stands for all."""
    column = columns_called(table.frame.columns, _POINTS_COLUMNS)[0]
    numbers = real_numbers(table.frame[column])
    is_bad = ~np.isfinite(numbers)
    if is_bad.any():
        row = first_true(is_bad)
        cell = table.frame[column].tolist()[row]
        raise InputError(
            f"{table.cell(row, column)}: {cell!r} is not a number of points. Write one."
        )
    kinds = _kinds(table.frame)
    is_repeated = pd.Series(kinds).duplicated()
    if is_repeated.any():
        row = first_true(is_repeated)
        raise InputError(
            f"{table.where(row)} has the same kind as an earlier row. Keep one of them."
        )
    by_kind = dict(zip(kinds, numbers.tolist(), strict=True))
    return _Points(by_kind, table.source.title)


def _kinds(frame: pd.DataFrame) -> list[Kind]:
    """The category and the severity in each row."""
    categories = _plain_words(frame, "category")
    severities = _plain_words(frame, "severity")
    return list(zip(categories, severities, strict=True))


def _plain_words(frame: pd.DataFrame, name: str) -> pd.Series:
    """The categories or the severities, as `_plain` has them; empty where there is no column."""
    columns = by_plain_name(frame.columns)
    if name not in columns:
        return pd.Series("", frame.index)
    return frame[columns[name]].map(_plain)


def _plain(cell: Any) -> str:
    """A category or a severity in small letters, without exclamation marks behind it."""
    text = "" if is_absent(cell) else str(cell)
    return text.strip().casefold().rstrip("!")


# --- sums -----------------------------------------------------------------------------------------


def _summed(file: ScoreFile, points: _Points, by: str | None) -> ScoreFile:
    """A row for each system, segment and rater, with the sum of the points of its marks."""
    marks, checks = _without_checks(without_control_items(file))
    columns = _label_columns(marks, by)
    labels = list(columns)
    # Another column may have a label's own name, as ``segment`` beside ``globalSegId``.
    renamed = [label for label, name in columns.items() if label != name]
    frame = marks.frame.drop(columns=renamed, errors="ignore")
    frame = frame.rename(columns={name: label for label, name in columns.items()})
    _check_sources(marks, frame, labels)
    kept, left_out = _further_columns(frame, labels)
    left_out += [label for label in renamed if label in marks.frame]
    says_no_error = _says_no_error(marks.frame)
    frame[METRIC] = _costs(marks, points, says_no_error)
    ratings = _sums(frame, labels, kept)
    n_marks = int((~says_no_error).sum())
    n_ratings = counted(len(ratings), "rating")
    remarks = [f"{counted(n_marks, 'mark')} of errors added up for {n_ratings}", str(points)]
    if left_out:
        shown = listed(left_out, 20)
        remarks.append(f"{shown} left out, as they have numbers or differ within ratings")
    return dataclasses.replace(
        marks.with_frame(ratings, *remarks), checks=checks, lower_is_better=(METRIC,)
    )


def _sums(frame: pd.DataFrame, labels: Sequence[str], kept: Sequence[str]) -> pd.DataFrame:
    """The sum of the metric for each rating, with the further columns that are kept.

    The index is that of the first mark of each rating: its line.
    """
    marks = frame.assign(**{_LINE: frame.index})
    of_rating = marks.groupby(list(labels), sort=False, dropna=False)
    first_marks = of_rating[[*kept, _LINE]].first()
    sums = of_rating[METRIC].sum().round(9)  # 0.1 three times is 0.3
    ratings = first_marks.assign(**{METRIC: sums}).reset_index().set_index(_LINE)
    ratings.index.name = frame.index.name
    return ratings


def _further_columns(frame: pd.DataFrame, labels: list[str]) -> tuple[list[str], list[str]]:
    """The columns beside labels that ratings keep, and those that are left out.

    Kept are words that are the same in all marks of a rating.
    """
    kept: list[str] = []
    left_out: list[str] = []
    texts = frame.astype(str)
    n_ratings = len(texts.drop_duplicates(labels))
    for name in frame.columns:
        if name in labels or normalized(name) in ("category", "severity"):
            continue
        is_same_in_rating = len(texts.drop_duplicates([*labels, name])) == n_ratings
        has_numbers = not np.isnan(real_numbers(frame[name])).all()
        if is_same_in_rating and not has_numbers and name != METRIC:
            kept.append(name)
        else:
            left_out.append(name)
    return kept, left_out


def _check_sources(file: ScoreFile, frame: pd.DataFrame, labels: list[str]) -> None:
    """Raise `InputError` where marks of one rating are of different sources.

    Tags around the span of an error are no part of the source.
    """
    rows = frame[labels].astype(str).reset_index(drop=True)
    for name in frame.columns:
        if normalized(name) not in _SOURCES:
            continue
        without_spans = frame[name].astype(str).str.replace(_SPAN, "", regex=True)
        sources = without_spans.str.strip().reset_index(drop=True)
        differs = unlike_first(rows, labels, sources)
        if differs.any():
            row = first_true(differs)
            first = first_like(rows, labels, row)
            raise InputError(
                f"{file.where(first)} and {file.where(row)} are of the same rating by their "
                f"labels ({labels_in_words(rows, labels, row)}), and have different sources in "
                f"{name!r}. Give each segment a name of its own; if a column tells them apart, "
                "such as a domain, name it with --by."
            )


def _label_columns(file: ScoreFile, by: str | None) -> dict[str, str]:
    """The column of each label that tells ratings apart; of columns of one meaning the first.

    Labels are in the order of `KEYS`, with `by` behind them.
    """
    columns = {}
    for label in ("system", RUN, TEST_SET, "document", RATER):
        candidates = columns_called(file.frame.columns, NAMES[label])
        if candidates:
            columns[label] = candidates[0]
    segments = [name for names in _SEGMENTS for name in columns_called(file.frame.columns, names)]
    if not segments:
        raise InputError(
            f"{file.source.at()} has marks of errors, and no column that says which segment a mark "
            "is in. Add a column 'segment'."
        )
    columns["segment"] = segments[0]
    is_numbered_in_documents = normalized(columns["segment"]) in _NUMBERED_IN_DOCUMENTS
    if is_numbered_in_documents and "document" not in columns:
        raise InputError(
            f"{file.source.at()} numbers segments within documents ({columns['segment']!r}), and "
            "has no column for the document. Add a column 'document'."
        )
    in_order = {label: columns[label] for label in KEYS if label in columns}
    if by is not None and by in file.frame and by not in in_order.values():
        in_order[by] = by
    return in_order


def _costs(file: ScoreFile, points: _Points, says_no_error: pd.Series) -> pd.Series:
    """The points of each mark; 0 where a row says that there is no error."""
    names = by_plain_name(file.frame.columns)
    column = names["severity"]
    lacks_severity = (_plain_words(file.frame, "severity") == "") & ~says_no_error
    if lacks_severity.any():
        row = first_true(lacks_severity)
        raise InputError(
            f"{file.cell(row, column)}: there is no severity. Write one, or No-error for a segment "
            "without an error."
        )
    kinds = _kinds(file.frame)
    cost_of_kind = {kind: points.cost(kind) for kind in set(kinds)}
    costs = pd.Series([cost_of_kind[kind] for kind in kinds], file.frame.index, dtype=float)
    costs[says_no_error] = 0.0
    if costs.isna().any():
        row = first_true(costs.isna())
        severity = file.frame[column].tolist()[row]
        category = file.frame[names["category"]].tolist()[row]
        raise InputError(
            f"{file.cell(row, column)}: {severity!r} ({category!r}) has no points in the table "
            f"({points}). Give a table of all points beside the marks: a file with the columns "
            "category, severity and points."
        )
    return costs


def _says_no_error(frame: pd.DataFrame) -> pd.Series:
    """Where a row says that a segment has no error."""
    severities = _plain_words(frame, "severity")
    says_so_by_category = _plain_words(frame, "category").isin(_NO_ERROR) & (severities == "")
    return severities.isin(_NO_ERROR) | says_so_by_category


def _without_checks(file: ScoreFile) -> tuple[ScoreFile, pd.DataFrame | None]:
    """The file without rows of checks, and what came of them by rater, as `counted_checks` has it.

    Raises
    ------
    InputError
        If a check is neither found nor missed.
    """
    frame = file.frame
    is_check = (_plain_words(frame, "severity") == _CHECK).to_numpy()
    if not is_check.any():
        return file, None
    categories = _plain_words(frame, "category")
    is_unknown = is_check & ~categories.isin(_CHECK_RESULTS)
    if is_unknown.any():
        cell = file.cell(first_true(is_unknown), by_plain_name(frame.columns)["category"])
        raise InputError(f"{cell}: a check was either Found or Missed. Write one of these.")
    n_checks = counted(int(is_check.sum()), "row")
    without_checks = file.with_frame(frame[~is_check], f"{n_checks} of checks ({_CHECK}) left out")
    rater_columns = columns_called(frame.columns, NAMES[RATER])
    if not rater_columns:
        return without_checks, None
    raters = frame.loc[is_check, rater_columns[0]].astype(str)
    passed = categories[is_check].map(_CHECK_RESULTS)
    return without_checks, counted_checks(zip(raters, passed, strict=True))


# --- segments without an error --------------------------------------------------------------------


def _check_segments(doubtful: Sequence[ScoreFile], files: Sequence[ScoreFile]) -> None:
    """Raise `InputError` where a segment lacks marks, and nothing says that it has no error.

    Parameters
    ----------
    doubtful : sequence of ScoreFile
        Files of ratings in which no row said of any segment that it has no error.
    files : sequence of ScoreFile
        All files, whose segments each system should have.
    """
    known = {segment for file in files for segment in _segments_of(file.frame)}
    for file in doubtful:
        names = file.frame.get("system", pd.Series(file.source.name, file.frame.index))
        for system, rows in file.frame.groupby(names, sort=False):
            lacking = known - _segments_of(rows)
            if not lacking:
                continue
            *_, segment = min(lacking)
            raise InputError(
                f"{file.source.at()} has no mark of {str(system)!r} in segment {segment!r} "
                f"({len(lacking):,} such segments), and no row says of any segment that it "
                "has no error: it may have none, or nobody looked at it. Add a row with the "
                "severity No-error for each segment that was rated without one."
            )


def _segments_of(frame: pd.DataFrame) -> set[tuple[str, ...]]:
    """The segments that have a rating, each as (test set, document, segment).

    Test set and document are left out where the frame does not have them.
    """
    labels = [name for name in (TEST_SET, "document", "segment") if name in frame]
    rows = frame[labels].astype(str).drop_duplicates()
    return set(rows.itertuples(index=False, name=None))
