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
from .controls import without_controls
from .labels import KEYS, NAMES, RATER, RUN, TEST_SET, normalized
from .rows import first_like, first_true, labels_in_words, unlike_first
from .score_file import ScoreFile, is_absent

METRIC = "MQM"
#: The column with the line of a mark.
_LINE = "(line)"

#: Points by category and severity, both as `_plain` has them; an empty one stands for all.
POINTS: Mapping[tuple[str, str], float] = {
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

#: Columns of segments, by the first that is there; those of the last are numbered in documents.
_SEGMENTS = (
    ("globalsegid", "global_seg_id", "global_segment_id"),
    tuple(NAMES["segment"]),
    ("docsegid", "doc_seg_id", "doc_segment_id"),
)
#: Columns with what was translated, and what stands around an error that is marked in it.
_SOURCES = ("source", "src", "source_text")
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
        Where it is from.
    """

    by_kind: Mapping[tuple[str, str], float]
    source: str

    def of(self, category: str, severity: str) -> float:
        """The points of a mark, by the row that is most specific; NaN where there is none."""
        fitting = [kind for kind in self.by_kind if _fits(kind, category, severity)]
        if not fitting:
            return np.nan
        return self.by_kind[max(fitting, key=lambda kind: (len(kind[0]), len(kind[1])))]

    def __str__(self) -> str:
        """All points, as a remark has them."""
        rows = [f"{' '.join(filter(None, kind))} {own:g}" for kind, own in self.by_kind.items()]
        return f"points: {listed(rows, 20)}, no-error 0 ({self.source})"


def _fits(kind: tuple[str, str], category: str, severity: str) -> bool:
    """Whether a kind of marks has this category, or one below it, and this severity."""
    wanted_category, wanted_severity = kind
    if wanted_severity not in ("", severity):
        return False
    is_below = category.startswith(f"{wanted_category}/")
    return wanted_category in ("", category) or is_below


def are_marks(frame: pd.DataFrame) -> bool:
    """Whether a table has a row for each mark: a category and a severity, in words."""
    names = _by_plain_name(frame)
    if "category" not in names or "severity" not in names:
        return False
    words = {normalized(cell) for cell in frame[names["severity"]].dropna().astype(str)}
    has_numbers = any(word.isdecimal() for word in words)
    return not has_numbers and not words.isdisjoint(_SEVERITIES)


def with_points(files: Sequence[ScoreFile], *, by: str | None = None) -> list[ScoreFile]:
    """The files, with a row for each rating in the place of its marks.

    A table of points among them is used up.

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
            f"{tables[0].source.at()} has points by severity and no segments, as a table of points "
            "has, and no file with marks of errors is given. Give both."
        )
    if len(tables) > 1:
        names = listed([table.source.at() for table in tables], 3)
        raise InputError(f"{names} are all tables of points. Give one of them.")
    points = _points_in(tables[0]) if tables else _Points(POINTS, _SOURCE)
    summed = []
    without_no_error = []
    for file in files:
        if file in tables:
            continue
        if not are_marks(file.frame):
            summed.append(file)
            continue
        rated = _summed(file, points, by)
        summed.append(rated)
        if not _says_no_error(file).any():
            without_no_error.append(rated)
    _check_segments(without_no_error, summed)
    return summed


# --- points ---------------------------------------------------------------------------------------


def _is_points_table(frame: pd.DataFrame) -> bool:
    """Whether a table has points by severity, and no segments."""
    names = _by_plain_name(frame)
    has_points = any(name in names for name in _POINTS_COLUMNS)
    has_segments = any(name in names for same in _SEGMENTS for name in same)
    return "severity" in names and has_points and not has_segments


def _points_in(table: ScoreFile) -> _Points:
    """The points that a table has, by ``category`` and ``severity``; of either one may be empty."""
    names = _by_plain_name(table.frame)
    column = next(names[name] for name in _POINTS_COLUMNS if name in names)
    numbers = real_numbers(table.frame[column])
    is_bad = ~np.isfinite(numbers)
    if is_bad.any():
        row = first_true(is_bad)
        cell = table.frame[column].tolist()[row]
        raise InputError(f"{table.cell(row, column)}: {cell!r} is no number of points. Write one.")
    severities = _plain_column(table.frame, names, "severity")
    categories = _plain_column(table.frame, names, "category")
    kinds = list(zip(categories, severities, strict=True))
    repeated = pd.Series(kinds).duplicated()
    if repeated.any():
        row = first_true(repeated)
        raise InputError(f"{table.where(row)} has the kind of an earlier row. Keep one of them.")
    return _Points(dict(zip(kinds, numbers.tolist(), strict=True)), table.source.title)


def _plain_column(frame: pd.DataFrame, names: Mapping[str, str], name: str) -> list[str]:
    """A column of words as `_plain` has them; empty ones where there is no such column."""
    if name not in names:
        return [""] * len(frame)
    return [_plain(cell) for cell in frame[names[name]]]


def _plain(cell: Any) -> str:
    """A category or a severity in small letters, without the mark at the end of some."""
    text = "" if is_absent(cell) else str(cell)
    return text.strip().casefold().rstrip("!")


def _by_plain_name(frame: pd.DataFrame) -> dict[str, str]:
    """The columns by their names as `normalized` has them."""
    return {normalized(name): name for name in frame.columns}


# --- sums -----------------------------------------------------------------------------------------


def _summed(file: ScoreFile, points: _Points, by: str | None) -> ScoreFile:
    """A row for each system, segment and rater, with the sum of the points of its marks."""
    marks, checks = _without_checks(without_controls(file))
    columns = _label_columns(marks, by)
    # Another column may have a label's own name, as ``segment`` beside ``globalSegId``.
    others = [label for label, name in columns.items() if label != name]
    frame = marks.frame.drop(columns=others, errors="ignore")
    frame = frame.rename(columns={name: label for label, name in columns.items()})
    _check_sources(marks, frame, list(columns))
    same, different = _further_columns(frame, list(columns))
    says_no_error = _says_no_error(marks)
    frame[METRIC] = _costs(marks, points, says_no_error)
    frame[_LINE] = frame.index
    of_rating = frame.groupby(list(columns), sort=False, dropna=False)
    firsts = of_rating[[*same, _LINE]].first()
    ratings = firsts.assign(**{METRIC: of_rating[METRIC].sum().round(9)}).reset_index()
    ratings = ratings.set_index(_LINE)
    ratings.index.name = marks.frame.index.name
    n_marks = int((~says_no_error).sum())
    n_ratings = counted(len(ratings), "rating")
    remarks = [f"{counted(n_marks, 'mark')} of errors added up for {n_ratings}", str(points)]
    different += [label for label in others if label in marks.frame]
    if different:
        shown = listed(different, 20)
        remarks.append(f"{shown} left out, as they have numbers or differ within ratings")
    return dataclasses.replace(
        marks.with_frame(ratings, *remarks), checks=checks, lower_is_better=(METRIC,)
    )


def _further_columns(frame: pd.DataFrame, labels: list[str]) -> tuple[list[str], list[str]]:
    """Further columns of words that are the same in all marks of a rating; and the others."""
    same: list[str] = []
    different: list[str] = []
    texts = frame.astype(str)
    n_ratings = len(texts.drop_duplicates(labels))
    for name in frame.columns:
        if name in labels or normalized(name) in ("category", "severity"):
            continue
        n_with_values = len(texts.drop_duplicates([*labels, name]))
        has_numbers = not np.isnan(real_numbers(frame[name])).all()
        if name != METRIC and not has_numbers and n_with_values == n_ratings:
            same.append(name)
        else:
            different.append(name)
    return same, different


def _check_sources(file: ScoreFile, frame: pd.DataFrame, labels: list[str]) -> None:
    """Raise `InputError` where marks of one rating are of different sources, spans apart."""
    for name in frame.columns:
        if normalized(name) not in _SOURCES:
            continue
        texts = frame[name].astype(str).str.replace(_SPAN, "", regex=True).str.strip()
        rows = frame[labels].astype(str).reset_index(drop=True)
        differs = unlike_first(rows, labels, texts.reset_index(drop=True))
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
    """The columns that tell ratings apart, by label; of those that say the same the first."""
    names = _by_plain_name(file.frame)
    columns = {}
    for label in ("system", RUN, TEST_SET, "document", RATER):
        found = [names[name] for name in NAMES[label] if name in names]
        if found:
            columns[label] = found[0]
    for same in _SEGMENTS:
        found = [names[name] for name in same if name in names]
        if found:
            columns["segment"] = found[0]
            break
    else:
        raise InputError(
            f"{file.source.at()} has marks of errors, and no column that says which segment a mark "
            "is in. Add a column 'segment'."
        )
    is_numbered_in_documents = normalized(columns["segment"]) in _SEGMENTS[-1]
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
    names = _by_plain_name(file.frame)
    column = names["severity"]
    severities = _plain_column(file.frame, names, "severity")
    lacks_severity = (pd.Series(severities) == "").to_numpy() & ~says_no_error.to_numpy()
    if lacks_severity.any():
        row = first_true(lacks_severity)
        raise InputError(
            f"{file.cell(row, column)}: there is no severity. Write one, or No-error for a segment "
            "without an error."
        )
    categories = _plain_column(file.frame, names, "category")
    kinds = list(zip(categories, severities, strict=True))
    cost_of_kind = {kind: points.of(*kind) for kind in set(kinds)}
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


def _says_no_error(file: ScoreFile) -> pd.Series:
    """Where a row says that a segment has no error."""
    names = _by_plain_name(file.frame)
    severities = pd.Series(_plain_column(file.frame, names, "severity"), file.frame.index)
    categories = pd.Series(_plain_column(file.frame, names, "category"), file.frame.index)
    without_severity = (severities == "") & categories.isin(_NO_ERROR)
    return severities.isin(_NO_ERROR) | without_severity


def _without_checks(file: ScoreFile) -> tuple[ScoreFile, pd.DataFrame | None]:
    """Without rows of checks, and what came of them by rater.

    Raises
    ------
    InputError
        If a check is neither found nor missed.
    """
    names = _by_plain_name(file.frame)
    severities = pd.Series(_plain_column(file.frame, names, "severity"), file.frame.index)
    is_check = (severities == _CHECK).to_numpy()
    if not is_check.any():
        return file, None
    categories = pd.Series(_plain_column(file.frame, names, "category"), file.frame.index)
    is_unknown = is_check & ~categories.isin(_CHECK_RESULTS).to_numpy()
    if is_unknown.any():
        row = first_true(is_unknown)
        raise InputError(
            f"{file.cell(row, names['category'])}: a check was either Found or Missed. Write one "
            "of these."
        )
    n_checks = counted(int(is_check.sum()), "row")
    kept = file.with_frame(file.frame[~is_check], f"{n_checks} of checks ({_CHECK}) left out")
    raters = [names[name] for name in NAMES[RATER] if name in names]
    if not raters:
        return kept, None
    passed = categories[is_check].map(_CHECK_RESULTS)
    results = zip(file.frame.loc[is_check, raters[0]].astype(str), passed, strict=True)
    return kept, counted_checks(results)


# --- segments without an error --------------------------------------------------------------------


def _check_segments(doubtful: Sequence[ScoreFile], files: Sequence[ScoreFile]) -> None:
    """Raise `InputError` where a segment lacks marks, and nothing says that it has no error.

    Parameters
    ----------
    doubtful : sequence of ScoreFile
        Those without a row that says so of any segment.
    files : sequence of ScoreFile
        All of them.
    """
    known = {segment for file in files for segment in _segments_of(file.frame)}
    for file in doubtful:
        names = file.frame.get("system", pd.Series(file.source.name, file.frame.index))
        for system, rows in file.frame.groupby(names, sort=False):
            lacking = known - _segments_of(rows)
            if not lacking:
                continue
            segment = min(lacking)[-1]
            raise InputError(
                f"{file.source.at()} has no mark of {str(system)!r} in segment {segment!r} "
                f"({len(lacking):,} such segments), and no row says of any segment that it "
                "has no error: it may have none, or nobody looked at it. Add a row with the "
                "severity No-error for each segment that was rated without one."
            )


def _segments_of(frame: pd.DataFrame) -> set[tuple[str, ...]]:
    """The segments that have a rating, by test set, document and number."""
    labels = [name for name in (TEST_SET, "document", "segment") if name in frame]
    rows = frame[labels].astype(str).drop_duplicates()
    return set(rows.itertuples(index=False, name=None))
