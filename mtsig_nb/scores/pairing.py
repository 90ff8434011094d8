"""Which rows of different systems are of the same segment, where rows have no segment's name.

Rows are paired by their order, unless a column says otherwise: sources, prompts, numbers of lines.
Then they are paired by such columns, or refused.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd

from ..errors import InputError, counted, listed
from ..statistics.sufficient import real_numbers
from ..texts.files import find_repeated
from .labels import (
    CALL,
    OF_A_SEGMENT,
    RATER,
    REPEAT,
    RUN,
    TEST_SET,
    labels_in,
    names_items,
    names_outputs,
    normalized,
)
from .rows import FILE, file_of, first_like, first_true, numbered_rows, unlike_first, where
from .score_file import IN_THEIR_ORDER, ScoreFile, are_whole
from .yes_or_no import is_yes_or_no

#: What stands before the name of a file.
_FOLDERS = re.compile(r".*[/\\]")
#: An answerer is whoever or whatever has one row for each item; these labels tell answerers apart.
_OF_AN_ANSWERER = ("system", RUN, REPEAT, RATER, CALL)
#: The column with the number of the answerer.
_ANSWERER = "(answerer)"
#: The longest value that messages show whole.
_LONGEST_VALUE = 40


@dataclasses.dataclass(frozen=True)
class _Contradiction:
    """Two rows in the same place that are of different items, and the column that says so.

    Rows are numbers in `_Unnamed.rows`.
    """

    column: str
    first: int
    second: int


@dataclasses.dataclass(frozen=True)
class _Unnamed:
    """The rows of files without names of segments.

    Parameters
    ----------
    files : sequence of ScoreFile
        The files that have no names of segments.
    rows : DataFrame
        The rows of all these files below each other: labels and other columns, but no metrics; with
        `FILE`, `ROW`, and the number of the answerer.
    """

    files: Sequence[ScoreFile]
    rows: pd.DataFrame

    def where(self, row: int) -> str:
        """A row as messages name it."""
        return where(self.files, self.rows, row)


def paired_by_keys(files: Sequence[ScoreFile], metrics: Sequence[str]) -> list[ScoreFile]:
    """The files, with segments by which rows of the same item are paired.

    In files without names of segments, segments become numbers of items if columns such as the
    source tell items apart, and rows are not in the same order for all systems.  All other files
    stay as they are.

    Raises
    ------
    InputError
        If rows in the same place are of different items, and nothing says which belong together;
        or systems have different numbers of rows.
    """
    files_by_order = [file for file in files if file.segments_by_order]
    if not files_by_order:
        return list(files)
    unnamed = _Unnamed(files_by_order, _rows(files_by_order, metrics))
    columns = [name for name in _columns(files_by_order) if _tells_item(name, unnamed.rows)]
    contradiction = _contradiction(unnamed.rows, columns)
    if contradiction is None:
        _check_lengths(unnamed)
        return list(files)
    if len(files_by_order) < len(files):
        raise _unpaired(unnamed, contradiction, "other files have names of segments alone")
    for file in files_by_order:
        if not set(columns) <= set(file.other_columns):
            raise _unpaired(unnamed, contradiction, f"{file.source.at()} has no such column")
    segments = _segments(unnamed, columns, contradiction)
    remark = f"rows are paired by {listed(columns)}"
    paired = []
    for number, file in enumerate(files_by_order):
        segments_of_file = segments[unnamed.rows[FILE] == number]
        paired.append(_with_segments(file, segments_of_file, remark))
    return paired


def _with_segments(file: ScoreFile, segments: pd.Series, remark: str) -> ScoreFile:
    """A file with the segments of its rows, which are not taken in their order any more."""
    remarks = [text for text in file.remarks if text != IN_THEIR_ORDER]
    frame = file.frame.assign(segment=segments.to_numpy())
    return dataclasses.replace(file, frame=frame, remarks=(*remarks, remark))


def _rows(files: Sequence[ScoreFile], metrics: Sequence[str]) -> pd.DataFrame:
    """The rows of all files without metrics, as `_Unnamed` has them."""
    parts = []
    for number, file in enumerate(files):
        without_metrics = file.frame.drop(columns=list(metrics), errors="ignore")
        parts.append(numbered_rows(without_metrics, number))
    rows = pd.concat(parts, ignore_index=True)
    answerer = [FILE, *labels_in(rows, _OF_AN_ANSWERER)]
    rows[_ANSWERER] = rows.groupby(answerer, sort=False, dropna=False).ngroup()
    for name in _columns(files):
        if name in rows and not names_outputs(name):
            rows[name] = _without_folders(rows[name], rows[_ANSWERER])
    return rows


def _without_folders(column: pd.Series, answerer: pd.Series) -> pd.Series:
    """A column of file names without folders, if each answerer still has each name once.

    Of ``A/7.wav`` and ``B/7.wav`` the item is ``7.wav``: the folders are those of systems.  Other
    columns stay as they are.
    """
    first = column.iloc[0]
    if not isinstance(first, str) or _FOLDERS.match(first) is None:
        return column
    if not column.map(lambda cell: isinstance(cell, str)).all():
        return column
    names = column.str.replace(_FOLDERS, "", regex=True)
    are_distinct = not pd.DataFrame({"name": names, "answerer": answerer}).duplicated().any()
    are_filled = (names != "").all()
    return names if are_distinct and are_filled else column


def _columns(files: Sequence[ScoreFile]) -> list[str]:
    """The columns of all files that are no labels."""
    return list(dict.fromkeys(name for file in files for name in file.other_columns))


def _tells_item(name: str, rows: pd.DataFrame) -> bool:
    """Whether a column tells which item a row is of.

    It does so by its name, or because all answerers have the same values, or, if it is no column of
    numbers, mostly the same.
    """
    if name not in rows or names_outputs(name):
        return False
    filled = rows[rows[name].notna()]
    column = filled[name]
    if column.empty or is_yes_or_no(column):
        return False
    if names_items(name):
        return True
    numbers = real_numbers(column)
    are_numbers = not np.isnan(numbers).any()
    if are_numbers and not are_whole(numbers):
        return False
    by_answerer = column.astype(str).groupby(filled[_ANSWERER])
    counts = [Counter(values) for _, values in by_answerer]
    if all(count == counts[0] for count in counts):
        return True
    return not are_numbers and _are_mostly_shared([set(count) for count in counts], len(filled))


def _are_mostly_shared(values: Sequence[set[str]], n_rows: int) -> bool:
    """Whether answerers share most values, and have each in two rows or fewer on average.

    `values` are the distinct values of each answerer, and `n_rows` the rows of all of them.  Each
    answerer is compared with the first.
    """
    first, *others = values
    n_answerers = len(values)
    if 2 * len(first) * n_answerers < n_rows:
        return False
    return all(2 * len(first & other) > len(first) for other in others)


def _contradiction(rows: pd.DataFrame, columns: Sequence[str]) -> _Contradiction | None:
    """The first two rows in the same place with different items; None where there are none."""
    place = labels_in(rows, OF_A_SEGMENT)
    for name in columns:
        known = rows[rows[name].notna()]
        differs = unlike_first(known, place, known[name].astype(str))
        if differs.any():
            second = first_true(differs)
            first = first_like(known, place, second)
            return _Contradiction(name, int(known.index[first]), int(known.index[second]))
    return None


def _check_lengths(unnamed: _Unnamed) -> None:
    """Raise `InputError` where systems have different numbers of rows of a test set."""
    rows = unnamed.rows
    if "document" in rows or REPEAT in rows:
        return
    # All are of one test set where none is named.
    test_sets = rows[TEST_SET] if TEST_SET in rows else pd.Series("", rows.index)
    n_rows = rows.groupby([rows[_ANSWERER], test_sets], sort=False)["segment"].transform("size")
    is_fewer = n_rows != n_rows.groupby(test_sets, sort=False).transform("max")
    if not is_fewer.any():
        return
    few = first_true(is_fewer)
    many = first_true(~is_fewer & (test_sets == test_sets.iloc[few]))
    fewer = _length_in_words(unnamed, few, int(n_rows.iloc[few]))
    more = _length_in_words(unnamed, many, int(n_rows.iloc[many]))
    raise InputError(
        f"{fewer}, and {more}. Segments without names are paired by their "
        "order: give the same segments for all systems, or a column 'segment'."
    )


def _length_in_words(unnamed: _Unnamed, row: int, n_rows: int) -> str:
    """How many segments a row's system has in its file."""
    file = file_of(unnamed.files, unnamed.rows, row)
    system = unnamed.rows["system"].iloc[row]
    return f"{file.source.at()} has {counted(n_rows, 'segment')} of system {system!r}"


def _segments(
    unnamed: _Unnamed, columns: Sequence[str], contradiction: _Contradiction
) -> pd.Series:
    """The number of the item of each row.

    Rows of different answerers are of one item if they say the same in `columns`.  Where answerers
    have several such rows, the first rows are of one item, the second rows of another, and so on.
    """
    rows = unnamed.rows
    keys = labels_in(rows, (TEST_SET, "document"))
    items = rows[[*keys, *columns]].astype(str)
    occurrence = items.groupby([*items, rows[_ANSWERER]], sort=False).cumcount()
    items = items.assign(occurrence=occurrence)
    numbers = items.groupby(list(items), sort=False).ngroup()
    n_answerers = rows[_ANSWERER].nunique()
    n_rows_of_item = numbers.value_counts()
    is_unpaired = numbers.isin(n_rows_of_item.index[n_rows_of_item < n_answerers])
    if is_unpaired.any():
        row = first_true(is_unpaired)
        value = _shortened(rows[contradiction.column].iloc[row])
        why = f"{value} ({unnamed.where(row)}) does not occur equally often for all systems"
        raise _unpaired(unnamed, contradiction, why)
    n_first_occurrences = int((occurrence == 0).sum())
    if 2 * n_first_occurrences < len(rows):
        why = f"most rows share their {contradiction.column!r} with others of their system"
        raise _unpaired(unnamed, contradiction, why)
    return numbers


def _unpaired(unnamed: _Unnamed, contradiction: _Contradiction, why: str) -> InputError:
    """The error for rows that belong together neither by their order nor by a column."""
    name = contradiction.column
    first = unnamed.where(contradiction.first)
    second = unnamed.where(contradiction.second)
    return InputError(
        f"{first} and {second} have the same place in their systems but different values of "
        f"{name!r}. Rows cannot be paired by it either: {why}. Add a column 'segment', or remove "
        f"{name!r} if it does not say which segment a row belongs to."
    )


def _shortened(value: object) -> str:
    """A value as messages show it: the beginning of a long one."""
    text = str(value)
    if len(text) > _LONGEST_VALUE:
        text = f"{text[: _LONGEST_VALUE - 3]}..."
    return repr(text)


# --- names of segments that another column contradicts --------------------------------------------


def source_remarks(files: Sequence[ScoreFile]) -> list[str]:
    """What is to be said of segments that have different sources for different systems."""
    remarks = []
    for file in files:
        if file.segments_by_order:
            continue
        for name in file.other_columns:
            if normalized(name) in ("source", "src"):
                remarks += _source_remark(file, name)
    return remarks


def _source_remark(file: ScoreFile, name: str) -> list[str]:
    """What is to be said of a column of sources; nothing where each segment has one."""
    rows = file.frame.reset_index(drop=True)
    item = labels_in(rows, OF_A_SEGMENT)
    sources = rows[name].astype(str).str.split().str.join(" ")
    differs = unlike_first(rows, item, sources)
    if not differs.any():
        return []
    other = first_true(differs)
    first = first_like(rows, item, other)
    n_rows = counted(int(differs.sum()), "row")
    return [
        f"{name} differs from that of the segment's first row in {n_rows} "
        f"({file.where(first)} and {file.where(other)}): are the segments named correctly?"
    ]


# --- numbers in some files, and order in others ---------------------------------------------------


def with_common_numbers(files: Sequence[ScoreFile]) -> list[ScoreFile]:
    """The files; if only some number their segments, all have the places of segments instead.

    Raises
    ------
    InputError
        If segments have names, or numbers that are not complete, beside files without any.
    """
    unnumbered = [file for file in files if file.segments_by_order]
    if not unnumbered or len(unnumbered) == len(files):
        return list(files)
    placed = []
    for file in files:
        is_numbered = not file.segments_by_order
        placed.append(_with_places(file, unnumbered[0]) if is_numbered else file)
    first_placed = next(file for file in placed if not file.segments_by_order)
    _check_same_length(unnumbered[0], first_placed)
    return placed


def _with_places(file: ScoreFile, unnumbered: ScoreFile) -> ScoreFile:
    """A file with the places of segments, from 0 on, instead of their numbers.

    `unnumbered` is a file that has no numbers, and for whose sake this is done.
    """
    places = _places(file, unnumbered.source.at())
    remark = f"segments of {file.source.title} are ordered by their numbers"
    frame = file.frame.drop(columns="segment").assign(segment=places)
    return file.with_frame(frame, remark)


def _places(file: ScoreFile, unnumbered: str) -> pd.Series:
    """The place of each segment, from whole numbers that begin with 0 or 1 and lack none.

    `unnumbered` is what messages call the file that has no numbers.
    """
    segments = file.frame["segment"].astype(str)
    distinct = pd.Series(segments.unique())
    title = file.source.at()
    is_number = distinct.str.fullmatch("[0-9]{1,15}")
    if not is_number.all():
        name = distinct[~is_number].iloc[0]
        raise InputError(
            f"{title} has names of segments ({name!r}), and {unnumbered} has none, so they cannot "
            "be paired. Give both files the same column 'segment'."
        )
    numbers = distinct.astype(int)
    repeated = find_repeated(numbers.tolist())
    if repeated:
        raise InputError(
            f"{title} writes segment {repeated[0]} in two ways, such as 1 and 01. Write each "
            "number in one way."
        )
    first = int(numbers.min())
    expected = range(first, first + len(numbers))
    lacking = sorted(set(expected) - set(numbers))
    if first > 1 or lacking:
        problem = f"has no segment {lacking[0]}" if lacking else f"begins with segment {first}"
        raise InputError(
            f"{title} {problem}, and {unnumbered} has no numbers of segments, so they cannot be "
            "paired. Give both files the same column 'segment'."
        )
    return segments.astype(int) - first


def _check_same_length(unnumbered: ScoreFile, placed: ScoreFile) -> None:
    """Raise `InputError` where two files have different numbers of segments."""
    n_unnumbered = unnumbered.frame["segment"].nunique()
    n_placed = placed.frame["segment"].nunique()
    if n_unnumbered != n_placed:
        raise InputError(
            f"{unnumbered.source.at()} has {n_unnumbered:,} segments, and {placed.source.at()} "
            f"has {n_placed:,}. Files without numbers of segments are paired by order: give the "
            "same segments in both."
        )
