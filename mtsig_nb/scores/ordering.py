"""The order in which scores came, by a column of their files."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ..errors import InputError, unknown_name
from ..statistics.order_of_rows import places_in_order
from .labels import is_label
from .rows import FILE, ROW, file_of, numbered_rows
from .score_file import ScoreFile

#: The column with the place of each score in the order that was asked for, from 0 on.
ORDER = "(order)"


def check_has_order(layouts: Sequence[ScoreFile], order: str) -> None:
    """Raise `InputError` unless all files have the column by which scores are put in order.

    The `layouts` have columns as they are called in the files.
    """
    for layout in layouts:
        columns = list(map(str, layout.frame.columns))
        if order not in columns:
            raise unknown_name(f"{layout.source.at()}: order", order, columns)


def without_order(
    layouts: Sequence[ScoreFile], order: str, metrics: Sequence[str]
) -> list[ScoreFile]:
    """The files without the column by which scores are put in order, as it is no metric.

    It stays if it is a label, or among the `metrics` that are asked for.
    """
    if is_label(order) or order in metrics:
        return list(layouts)
    shortened = []
    for layout in layouts:
        frame = layout.frame.rename(columns=str).drop(columns=order)
        shortened.append(layout.with_frame(frame))
    return shortened


def with_order(
    files: Sequence[ScoreFile], layouts: Sequence[ScoreFile], order: str
) -> list[ScoreFile]:
    """The files with the places of their rows in the column `ORDER`, counted over all files.

    Parameters
    ----------
    files : sequence of ScoreFile
        The files with labelled rows, whose columns may have been renamed.
    layouts : sequence of ScoreFile
        The same files with columns as they are called in the files.
    order : str
        A column of the `layouts`.

    Raises
    ------
    InputError
        If a row has no value there, or one that is no number and no time.
    """
    columns = []
    for number, (file, layout) in enumerate(zip(files, layouts, strict=True)):
        values = _values_of_rows(file, layout, order)
        columns.append(numbered_rows(values.to_frame("value"), number))
    rows = pd.concat(columns, ignore_index=True)

    def named(row: int) -> str:
        file = file_of(files, rows, row)
        return f"{file.where(int(rows[ROW].iloc[row]))}, column {order!r}"

    places = pd.Series(places_in_order(rows["value"], named))
    ordered = []
    for number, file in enumerate(files):
        places_of_file = places[rows[FILE] == number].to_numpy()
        ordered.append(file.with_frame(file.frame.assign(**{ORDER: places_of_file})))
    return ordered


def _values_of_rows(file: ScoreFile, layout: ScoreFile, order: str) -> pd.Series:
    """What the column has for each labelled row of a file.

    The file's column may have become a label, and one of its rows several where each system has a
    column; so it is the row's line by which the value is found.

    Raises
    ------
    InputError
        If several rows are in one line, as in a log with a line for several ratings.
    """
    column = layout.frame.rename(columns=str)[order]
    if column.index.has_duplicates:
        raise InputError(
            f"{file.source.at()}: order: a {column.index.name or 'row'} of this file has several "
            f"scores, so that {order!r} cannot order them. Leave the order of the file as it is."
        )
    return column.reindex(file.frame.index)
