"""Which rows of different systems are of the same segment, where rows have no segment's name.

By their order, unless a column says otherwise: sources, prompts, numbers of lines.  Then rows are
paired by these columns, or refused.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd

from ..errors import InputError, listed
from ..statistics.sufficient import real_numbers
from .labels import CALL, RATER, REPEAT, RUN, TEST_SET, names_items, names_outputs
from .score_file import ScoreFile
from .yes_or_no import is_yes_or_no

#: Whoever answered all items once.
_ANSWERER = ("system", RUN, REPEAT, RATER, CALL)


def paired_by_keys(files: Sequence[ScoreFile], metrics: Sequence[str]) -> list[ScoreFile]:
    """Files without names of segments, their rows numbered by what they say of the items.

    Raises
    ------
    InputError
        If rows in the same place are of different items, and nothing says which belong together.
    """
    by_order = [file for file in files if file.by_order]
    if not by_order:
        return list(files)
    rows = _rows(by_order, metrics)
    columns = _item_columns(by_order, rows)
    contradiction = _contradiction(rows, columns)
    if contradiction is None:
        return list(files)
    segments = _segments(by_order, rows, columns, contradiction)
    remark = f"rows are paired by {listed(columns)}"
    found = []
    for file in files:
        if file.by_order:
            own = segments[(rows["(file)"] == by_order.index(file)).to_numpy()].to_numpy()
            remarks = [r for r in file.remarks if r != "segments are taken in their order"]
            file = dataclasses.replace(
                file, frame=file.frame.assign(segment=own), remarks=(*remarks, remark)
            )
        found.append(file)
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
    answerers = [label for label in _ANSWERER if label in rows]
    rows["(answerer)"] = rows.groupby(answerers, sort=False, dropna=False).ngroup()
    return rows


def _item_columns(files: Sequence[ScoreFile], rows: pd.DataFrame) -> list[str]:
    """The columns that all files have and that say which item a row is of."""
    shared = [
        name
        for name in files[0].columns
        if name in rows and all(name in file.columns for file in files)
    ]
    return [name for name in shared if _says_item(name, rows)]


def _says_item(name: str, rows: pd.DataFrame) -> bool:
    """Whether a column is about items, by its name, or as all answerers have the same values."""
    column = rows[name]
    if names_outputs(name) or column.isna().all() or is_yes_or_no(column):
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
    return not is_number and _mostly_shared([set(own) for own in counts], len(rows))


def _mostly_shared(values: Sequence[set[str]], n_rows: int) -> bool:
    """Whether most answerers' values are the first one's, and nearly every row has its own."""
    first, *others = values
    if 2 * len(first) * len(values) < n_rows:
        return False
    return all(2 * len(first & other) > len(first) for other in others)


def _contradiction(rows: pd.DataFrame, columns: Sequence[str]) -> tuple[str, int, int] | None:
    """The first two rows in the same place with different items, and the column that says so."""
    place = [label for label in (TEST_SET, "document", "segment") if label in rows]
    for name in columns:
        values = rows[name].astype(str)
        first = values.groupby([rows[label] for label in place], sort=False).transform("first")
        differs = (values != first).to_numpy()
        if differs.any():
            other = int(differs.argmax())
            same_place = (rows[place] == rows.loc[other, place]).all(axis=1).to_numpy()
            return name, int(same_place.argmax()), other
    return None


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
    name, one, other = contradiction
    why = f"most rows share their {name!r} with others of their system"
    if is_lonely.any():
        lonely = int(is_lonely.argmax())
        shown = _shortened(rows[name].iloc[lonely])
        why = f"not all systems have {shown} ({_where(files, rows, lonely)}) as often"
    raise InputError(
        f"{_where(files, rows, one)} and {_where(files, rows, other)} are in the same place of "
        f"their systems, and have different values of {name!r}. Rows cannot be paired by it "
        f"either: {why}. Add a column 'segment', or remove {name!r} if it does not say which "
        "segment a row is of."
    )


def _where(files: Sequence[ScoreFile], rows: pd.DataFrame, row: int) -> str:
    return files[int(rows["(file)"].iloc[row])].where(int(rows["(row)"].iloc[row]))


def _shortened(value: object) -> str:
    text = str(value)
    return repr(text if len(text) <= 40 else f"{text[:37]}...")


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
    beside = unnumbered[0].source.at()
    found = []
    for file in files:
        if not file.by_order:
            places = _places(file, beside)
            remark = f"segments of {file.source.title} are taken by their numbers, in their order"
            file = dataclasses.replace(
                file,
                frame=file.frame.drop(columns="segment").assign(segment=places),
                remarks=(*file.remarks, remark),
            )
        found.append(file)
    _check_lengths(unnumbered[0], numbered[0], found[list(files).index(numbered[0])])
    return found


def _places(file: ScoreFile, beside: str) -> pd.Series:
    """The place of each segment, from whole numbers that begin with 0 or 1 and lack none."""
    frame = file.frame
    labels = frame["segment"].astype(str)
    distinct = pd.Series(labels.unique())
    numbers = pd.to_numeric(distinct, errors="coerce")
    where = file.source.at()
    if not distinct.str.fullmatch("[0-9]{1,15}").all():
        odd = distinct[~distinct.str.fullmatch("[0-9]{1,15}")].iloc[0]
        raise InputError(
            f"{where} has names of segments ({odd!r}), and {beside} has none, so that they cannot "
            "be paired. Give both files the same column 'segment'."
        )
    first = int(numbers.min())
    lacking = sorted(set(range(first, first + len(distinct))) - set(numbers.astype(int)))
    if first > 1 or lacking:
        what = f"has no segment {lacking[0]}" if lacking else f"begins with segment {first}"
        raise InputError(
            f"{where} {what}, and {beside} has no numbers of segments, so that they cannot be "
            "paired. Give both files the same column 'segment'."
        )
    if len(set(numbers)) < len(distinct):
        raise InputError(f"{where} writes a segment's number in two manners, such as 1 and 01.")
    return labels.astype(int) - first


def _check_lengths(unnumbered: ScoreFile, numbered: ScoreFile, placed: ScoreFile) -> None:
    lengths = []
    for file in (unnumbered, placed):
        lengths.append(int(file.frame["segment"].nunique()))
    if lengths[0] != lengths[1]:
        raise InputError(
            f"{unnumbered.source.at()} has {lengths[0]:,} segments, and {numbered.source.at()} "
            f"{lengths[1]:,}. Files without numbers of segments are paired by order: give all of "
            "the same segments."
        )
