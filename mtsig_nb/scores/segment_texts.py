"""Texts that stand beside scores: what was translated or asked, the reference, the outputs."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ..texts.files import is_number
from .joining import TEXTS
from .labels import OF_A_SEGMENT, TEST_SET, columns_called, labels_in
from .score_file import ScoreFile

#: Texts by our names, and what files call them, as `normalized` has it; the first name counts.
NAMES = {
    "source": (*TEXTS["(source)"], "prompt", "question", "query", "input", "instruction"),
    "reference": TEXTS["(reference)"],
    "output": (
        *("output", "hypothesis", "hyp", "mt", "translation", "answer", "response", "prediction"),
        *("completion", "generated", "candidate", "output_text", "hypothesis_text"),
    ),
}
#: How many cells show whether a column has texts.
_MOST_LOOKED_AT = 20


def segment_texts(files: Sequence[ScoreFile]) -> pd.DataFrame | None:
    """The texts of all rows that have some, with the rows' labels; None where no file has texts.

    Labels are ``system`` and those of `OF_A_SEGMENT` that the files have; texts are those of
    `NAMES` that they have.
    """
    parts = []
    for file in files:
        columns = _columns_of_texts(file)
        if columns:
            labels = labels_in(file.frame, ("system", *OF_A_SEGMENT))
            part = file.frame[[*labels, *columns.values()]].set_axis([*labels, *columns], axis=1)
            parts.append(part.astype(dict.fromkeys(labels, str)))
    return pd.concat(parts, ignore_index=True) if parts else None


def _columns_of_texts(file: ScoreFile) -> dict[str, str]:
    """The columns of a file that have texts, by our names of them."""
    columns = {}
    for name, plain_names in NAMES.items():
        for column in columns_called(file.other_columns, plain_names):
            if name not in columns and _has_texts(file.frame[column]):
                columns[name] = column
    return columns


def _has_texts(column: pd.Series) -> bool:
    """Whether a column has texts, and not numbers alone."""
    looked_at = column.dropna().iloc[:_MOST_LOOKED_AT]
    return any(isinstance(cell, str) and not is_number(cell) for cell in looked_at)


def texts_of(
    texts: pd.DataFrame, names: Sequence[str], systems: Sequence[str], test_set: str = ""
) -> list[dict[str, str]]:
    """The texts of some segments, each of those that there are.

    Parameters
    ----------
    texts : DataFrame
        As `segment_texts` has them.
    names : sequence of str
        What statistics call the segments.
    systems : sequence of str
        Systems whose outputs are wanted.
    test_set : str
        That of the segments; empty where there is only one.

    Returns
    -------
    list of dict of str to str
        For each segment ``source``, ``reference``, and ``output of SYSTEM``.  Of several answers to
        one item the first is there.

    Examples
    --------
    >>> texts = pd.DataFrame(
    ...     {"system": ["A", "B"], "segment": ["1", "1"], "source": "Tee", "output": ["tea", "T"]}
    ... )
    >>> texts_of(texts, ["1", "2"], ["A", "B"])
    [{'source': 'Tee', 'output of A': 'tea', 'output of B': 'T'}, {}]
    """
    if test_set and TEST_SET in texts:
        texts = texts[texts[TEST_SET] == test_set]
    rows_of_names = _names(texts)
    wanted = texts[rows_of_names.isin(names)]
    by_segment = dict(iter(wanted.groupby(rows_of_names[wanted.index], sort=False)))
    return [_of_segment(by_segment[name], systems) if name in by_segment else {} for name in names]


def _names(texts: pd.DataFrame) -> pd.Series:
    """What statistics call the segment of each row.

    It is the segment, behind its document if segments are numbered anew in each document.
    """
    labels = labels_in(texts, ("document", "segment"))
    begins_anew = texts[labels].drop_duplicates()["segment"].duplicated().any()
    if "document" in labels and begins_anew:
        return texts["document"] + " " + texts["segment"]
    return texts["segment"]


def _of_segment(rows: pd.DataFrame, systems: Sequence[str]) -> dict[str, str]:
    """The texts in the rows of one segment."""
    found: dict[str, str] = {}
    for name in ("source", "reference"):
        if name in rows:
            _put_first(found, name, rows[name])
    if "output" in rows:
        for system in systems:
            is_of_system = rows["system"] == system
            _put_first(found, f"output of {system}", rows.loc[is_of_system, "output"])
    return found


def _put_first(found: dict[str, str], name: str, column: pd.Series) -> None:
    """Put the first text of a column, if it has any, among those that were found."""
    filled = column.dropna()
    if len(filled):
        found[name] = str(filled.iloc[0])
