"""Which rows of different systems are of the same segment, where rows have no segment's name.

By their order, unless a column says otherwise: sources, prompts, numbers of lines.  Then rows are
paired by these columns, or refused.
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
from .labels import CALL, RATER, REPEAT, RUN, TEST_SET, names_items, names_outputs, normalized
from .repeats import first_like
from .score_file import IN_THEIR_ORDER, ScoreFile
from .yes_or_no import is_yes_or_no

#: What stands before the name of a file.
_FOLDERS = re.compile(r".*[/\\]")
#: Whoever answered all items once.
_ANSWERER = ("system", RUN, REPEAT, RATER, CALL)


def paired_by_keys(files: Sequence[ScoreFile], metrics: Sequence[str]) -> list[ScoreFile]:
    """Files without names of segments, their rows numbered by what they say of the items.

    Raises
    ------
    InputError
        If rows in the same place are of different items, and nothing says which belong together;
        or systems have different numbers of rows.
    """
    by_order = [file for file in files if file.by_order]
    if not by_order:
        return list(files)
    rows = _rows(by_order, metrics)
    columns = [name for name in _columns(by_order) if _says_item(name, rows)]
    contradiction = _contradiction(rows, columns)
    if contradiction is None:
        _check_lengths(by_order, rows)
        return list(files)
    if len(by_order) < len(files):
        raise _unpaired(by_order, rows, contradiction, "other files have names of segments alone")
    lacking = [file for file in by_order if not set(columns) <= set(file.columns)]
    if lacking:
        why = f"{lacking[0].source.at()} has no such column"
        raise _unpaired(by_order, rows, contradiction, why)
    segments = _segments(by_order, rows, columns, contradiction)
    remark = f"rows are paired by {listed(columns)}"
    found = []
    for number, file in enumerate(by_order):
        own = segments[(rows["(file)"] == number).to_numpy()].to_numpy()
        remarks = [text for text in file.remarks if text != IN_THEIR_ORDER]
        found.append(
            dataclasses.replace(
                file, frame=file.frame.assign(segment=own), remarks=(*remarks, remark)
            )
        )
    return found


def _rows(files: Sequence[ScoreFile], metrics: Sequence[str]) -> pd.DataFrame:
    """The rows of all files, but for metrics; which file and row each is from; who answered."""
    parts = []
    for number, file in enumerate(files):
        kept = [name for name in file.frame.columns if name not in metrics]
        part = file.frame[kept].reset_index(drop=True)
        part["(file)"] = number
        part["(row)"] = range(len(part))
        parts.append(part)
    rows = parts[0] if len(parts) == 1 else pd.concat(parts, ignore_index=True)
    answerers = ["(file)", *(label for label in _ANSWERER if label in rows)]
    rows["(answerer)"] = rows.groupby(answerers, sort=False, dropna=False).ngroup()
    for name in _columns(files):
        if name in rows and not names_outputs(name):
            rows[name] = _without_folders(rows[name], rows["(answerer)"])
    return rows


def _without_folders(column: pd.Series, answerer: pd.Series) -> pd.Series:
    """A column of files without their folders, which may be the systems', if names stay distinct.

    Of ``A/7.wav`` and ``B/7.wav`` the item is ``7.wav``.
    """
    first = column.iloc[0]
    if not isinstance(first, str) or _FOLDERS.match(first) is None:
        return column
    if not column.map(lambda cell: isinstance(cell, str)).all():
        return column
    names = column.str.replace(_FOLDERS, "", regex=True)
    are_distinct = not pd.DataFrame({"name": names, "answerer": answerer}).duplicated().any()
    return names if are_distinct and (names != "").all() else column


def _columns(files: Sequence[ScoreFile]) -> list[str]:
    return list(dict.fromkeys(name for file in files for name in file.columns))


def _says_item(name: str, rows: pd.DataFrame) -> bool:
    """Whether a column is about items, by its name, or as all answerers have the same values."""
    if name not in rows or names_outputs(name):
        return False
    rows = rows[rows[name].notna()]
    column = rows[name]
    if column.empty or is_yes_or_no(column):
        return False
    if names_items(name):
        return True
    numbers = real_numbers(column)
    is_number = not np.isnan(numbers).any()
    if is_number and (numbers != np.round(numbers)).any():
        return False
    values = column.astype(str).groupby(rows["(answerer)"])
    counts = [Counter(own) for _, own in values]
    if all(own == counts[0] for own in counts):
        return True
    return not is_number and _are_mostly_shared([set(own) for own in counts], len(rows))


def _are_mostly_shared(values: Sequence[set[str]], n_rows: int) -> bool:
    """Whether most answerers' values are the first one's, and nearly every row has its own."""
    first, *others = values
    if 2 * len(first) * len(values) < n_rows:
        return False
    return all(2 * len(first & other) > len(first) for other in others)


def _contradiction(rows: pd.DataFrame, columns: Sequence[str]) -> tuple[str, int, int] | None:
    """The first two rows in the same place with different items, and the column that says so."""
    place = [label for label in (TEST_SET, "document", "segment") if label in rows]
    for name in columns:
        known = rows[rows[name].notna()]
        values = known[name].astype(str)
        first = values.groupby([known[label] for label in place], sort=False).transform("first")
        differs = (values != first).to_numpy()
        if differs.any():
            other = int(differs.argmax())
            rows_of_both = known.index[[first_like(known, place, other), other]]
            return name, int(rows_of_both[0]), int(rows_of_both[1])
    return None


def _check_lengths(files: Sequence[ScoreFile], rows: pd.DataFrame) -> None:
    """Raise `InputError` where systems have different numbers of rows of a test set."""
    if "document" in rows or REPEAT in rows:
        return
    sets = [rows[TEST_SET]] if TEST_SET in rows else []
    n_rows = rows.groupby([rows["(answerer)"], *sets], sort=False)["segment"].transform("size")
    most = n_rows.groupby(sets, sort=False).transform("max") if sets else n_rows.max()
    fewer = (n_rows != most).to_numpy()
    if not fewer.any():
        return
    few = int(fewer.argmax())
    in_set = (rows[TEST_SET] == rows[TEST_SET].iloc[few]).to_numpy() if sets else True
    many = int((~fewer & in_set).argmax())
    places = []
    for row in (few, many):
        file = files[int(rows["(file)"].iloc[row])]
        system = rows["system"].iloc[row]
        n = counted(int(n_rows.iloc[row]), "segment")
        places.append(f"{file.source.at()} has {n} of system {system!r}")
    raise InputError(
        f"{places[0]}, and {places[1]}. Segments without names are paired by their "
        "order: give the same segments for all systems, or a column 'segment'."
    )


def _segments(
    files: Sequence[ScoreFile],
    rows: pd.DataFrame,
    columns: Sequence[str],
    contradiction: tuple[str, int, int],
) -> pd.Series:
    """A number for each item: what its columns say, and the how-manieth of those that say so."""
    keys = [label for label in (TEST_SET, "document") if label in rows]
    items = rows[[*keys, *columns]].astype(str)
    occurrence = items.groupby([*items, rows["(answerer)"]], sort=False).cumcount()
    items = items.assign(occurrence=occurrence)
    numbers = items.groupby(list(items), sort=False).ngroup()
    n_answerers = rows["(answerer)"].nunique()
    counts = numbers.value_counts()
    is_lonely = numbers.isin(counts.index[counts < n_answerers]).to_numpy()
    is_first_of_its_kind = (occurrence == 0).to_numpy()
    if not is_lonely.any() and 2 * is_first_of_its_kind.sum() >= len(rows):
        return numbers
    name, _, _ = contradiction
    why = f"most rows share their {name!r} with others of their system"
    if is_lonely.any():
        lonely = int(is_lonely.argmax())
        shown = _shortened(rows[name].iloc[lonely])
        why = f"{shown} ({_where(files, rows, lonely)}) is not there equally often for all systems"
    raise _unpaired(files, rows, contradiction, why)


def _unpaired(
    files: Sequence[ScoreFile],
    rows: pd.DataFrame,
    contradiction: tuple[str, int, int],
    why: str,
) -> InputError:
    """The error for rows that belong together neither by their order nor by a column."""
    name, first, second = contradiction
    return InputError(
        f"{_where(files, rows, first)} and {_where(files, rows, second)} have the same place in "
        f"their systems but different values of {name!r}. Rows cannot be paired by it "
        f"either: {why}. Add a column 'segment', or remove {name!r} if it does not say which "
        "segment a row belongs to."
    )


def _where(files: Sequence[ScoreFile], rows: pd.DataFrame, row: int) -> str:
    return files[int(rows["(file)"].iloc[row])].where(int(rows["(row)"].iloc[row]))


def _shortened(value: object) -> str:
    text = str(value)
    return repr(text if len(text) <= 40 else f"{text[:37]}...")


# --- names of segments that another column contradicts -----------------------


def source_remarks(files: Sequence[ScoreFile]) -> list[str]:
    """What is to be said of segments that have different sources for different systems."""
    remarks = []
    for file in files:
        for name in file.columns:
            if file.by_order or normalized(name) not in ("source", "src"):
                continue
            rows = file.frame.reset_index(drop=True)
            item = [label for label in (TEST_SET, "document", "segment") if label in rows]
            values = rows[name].astype(str).str.split().str.join(" ")
            first = values.groupby([rows[label] for label in item], sort=False).transform("first")
            differs = (values != first).to_numpy()
            if differs.any():
                other = int(differs.argmax())
                lines = (file.where(first_like(rows, item, other)), file.where(other))
                n = counted(int(differs.sum()), "row")
                remarks.append(
                    f"{name} differs from that of the segment's first row in {n} "
                    f"({lines[0]} and {lines[1]}): are the segments named correctly?"
                )
    return remarks


# --- numbers beside orders ------------------------------------------------------------------------


def with_common_numbers(files: Sequence[ScoreFile]) -> list[ScoreFile]:
    """Files with numbers of segments beside files without: numbers become places, if none lacks.

    Raises
    ------
    InputError
        If segments have other names, or a number lacks, beside files without numbers.
    """
    unnumbered = [file for file in files if file.by_order]
    numbered = [file for file in files if not file.by_order]
    if not unnumbered or not numbered:
        return list(files)
    other = unnumbered[0].source.at()
    found = []
    for file in files:
        if not file.by_order:
            places = _places(file, other)
            remark = f"segments of {file.source.title} are ordered by their numbers"
            file = dataclasses.replace(
                file,
                frame=file.frame.drop(columns="segment").assign(segment=places),
                remarks=(*file.remarks, remark),
            )
        found.append(file)
    _check_same_length(unnumbered[0], numbered[0], found[list(files).index(numbered[0])])
    return found


def _places(file: ScoreFile, other: str) -> pd.Series:
    """The place of each segment, from whole numbers that begin with 0 or 1 and lack none."""
    frame = file.frame
    labels = frame["segment"].astype(str)
    distinct = pd.Series(labels.unique())
    numbers = pd.to_numeric(distinct, errors="coerce")
    where = file.source.at()
    if not distinct.str.fullmatch("[0-9]{1,15}").all():
        odd = distinct[~distinct.str.fullmatch("[0-9]{1,15}")].iloc[0]
        raise InputError(
            f"{where} has names of segments ({odd!r}), and {other} has none, so they cannot "
            "be paired. Give both files the same column 'segment'."
        )
    twice = find_repeated(numbers.tolist())
    if twice:
        raise InputError(
            f"{where} writes segment {twice[0]} in two ways, such as 1 and 01. Write each number "
            "in one way."
        )
    first = int(numbers.min())
    lacking = sorted(set(range(first, first + len(distinct))) - set(numbers.astype(int)))
    if first > 1 or lacking:
        what = f"has no segment {lacking[0]}" if lacking else f"begins with segment {first}"
        raise InputError(
            f"{where} {what}, and {other} has no numbers of segments, so they cannot be "
            "paired. Give both files the same column 'segment'."
        )
    return labels.astype(int) - first


def _check_same_length(unnumbered: ScoreFile, numbered: ScoreFile, placed: ScoreFile) -> None:
    lengths = []
    for file in (unnumbered, placed):
        lengths.append(int(file.frame["segment"].nunique()))
    if lengths[0] != lengths[1]:
        raise InputError(
            f"{unnumbered.source.at()} has {lengths[0]:,} segments, and {numbered.source.at()} "
            f"has {lengths[1]:,}. Files without numbers of segments are paired by order: give the "
            "same segments in both."
        )
