"""The table of all pairs that one prints: who is ahead of whom, by how much, and how surely."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..conclusions.deciding import UNRESOLVED, WORDS
from ..frames import pd
from ..significance.comparisons import Comparisons
from ..tables import Column, printed
from ..tables.columns import COMPANIONS
from .verdicts import digits_for

#: What stands behind a number, by what is concluded from it.
MARKS = {WORDS[1]: "*", WORDS[-1]: "*", UNRESOLVED: "?"}
#: Columns of tables of pairs that are printed, in this order, with their headings.
_HEADINGS = {
    "metric": "metric",
    "test_set": "test set",
    "system_a": "ahead",
    "score_a": "score",
    "system_b": "behind",
    "score_b": "score",
    "metric_a": "ahead",
    "metric_b": "behind",
    "difference": "by",
    "ci_low": "interval",
    "win_chance": "wins",
    "pvalue": "p",
    "pvalue_adjusted": "adjusted p",
    "pvalue_adjusted_these_runs": "p, these runs",
    "pvalue_adjusted_other_runs": "p, other runs",
    "pvalue_adjusted_methods": "p, methods",
    "note": "note",
}
#: By a column: the one whose conclusions mark its numbers.
_CONCLUSIONS = {
    "difference": "conclusion",
    "pvalue_adjusted_these_runs": "conclusion_these_runs",
    "pvalue_adjusted_other_runs": "conclusion_other_runs",
    "pvalue_adjusted_methods": "conclusion_methods",
}
#: Columns that are printed only if they are asked for.
_SCORES = ("score_a", "score_b")
#: Columns that are left out where all rows have the same.
_WHERE_SEVERAL = ("metric", "test_set")


def columns_of_pairs(
    table: pd.DataFrame,
    *,
    digits: int | None = None,
    scores: bool = False,
    correction: str | None = None,
) -> list[Column]:
    """A row for each pair, the better system first; what is distinguished has an asterisk.

    Parameters
    ----------
    table : DataFrame
        That of any outcome: ``system_a`` and ``system_b`` (or ``metric_a`` and ``metric_b``),
        ``difference``, and what else there is of intervals, p-values, conclusions and notes.
    digits : int, optional
        Decimals of differences; by default what suits each metric's scores.
    scores : bool
        Whether the scores of both are printed, too.
    correction : str, optional
        That of the p-values; without one there are no adjusted ones.

    Examples
    --------
    >>> frame = pd.DataFrame(
    ...     {
    ...         "system_a": ["x"],
    ...         "system_b": ["y"],
    ...         "difference": [0.5],
    ...         "pvalue": [0.01],
    ...         "conclusion": ["better"],
    ...     }
    ... )
    >>> [(column.heading, *column.cells) for column in columns_of_pairs(frame, digits=2)]
    [('ahead', 'x'), ('behind', 'y'), ('by', '+0.50*'), ('p', '0.0100')]
    """
    renamed = table.rename(columns={"low": "ci_low", "high": "ci_high"})
    names = list(_shown(renamed))
    if not scores:
        names = [name for name in names if name not in _SCORES]
    if correction is None or len(table) == 1:
        names = [name for name in names if name != "pvalue_adjusted"]
    parts = [renamed]
    if "metric" in renamed:
        parts = [rows for _, rows in renamed.groupby("metric", sort=False)]
    columns_of_parts = []
    for rows in parts:
        columns_of_parts.append(_columns(rows, names, digits))
    joined = []
    for same_column in zip(*columns_of_parts, strict=True):
        cells = tuple(cell for column in same_column for cell in column.cells)
        first = same_column[0]
        joined.append(Column(first.heading, cells, first.numeric))
    return joined


def _shown(table: pd.DataFrame) -> Iterator[str]:
    """The names of the columns that are printed."""
    for name in _HEADINGS:
        if name not in table:
            continue
        if name in _WHERE_SEVERAL and table[name].nunique() < 2:
            continue
        if name == "note" and not table[name].map(bool).any():
            continue
        if name == "ci_low" and table[name].isna().all():
            continue
        yield name


def _columns(rows: pd.DataFrame, names: Sequence[str], digits: int | None) -> list[Column]:
    """The columns for some rows, with decimals that suit their scores unless digits are given."""
    if digits is None:
        digits = 2
        if "score_a" in rows:
            digits = digits_for(pd.concat([rows["score_a"], rows["score_b"]]))
    columns = []
    for name in names:
        companion = COMPANIONS.get(name)
        needed = [name, companion] if companion in rows else [name]
        (column,) = printed(rows[needed], digits=digits)
        cells = column.cells
        conclusions = _CONCLUSIONS.get(name)
        if conclusions in rows:
            marks = [MARKS.get(conclusion, " ") for conclusion in rows[conclusions]]
            cells = tuple(cell + mark for cell, mark in zip(cells, marks, strict=True))
        columns.append(Column(_HEADINGS[name], cells, column.numeric))
    return columns


def legend_of_pairs(comparisons: Comparisons) -> str:
    """How to read the table of pairs of comparisons: intervals, marks and corrections."""
    sentences = ["By: how much better the system that is ahead scores."]
    if comparisons.confidence_level is not None:
        level = f"{100 * comparisons.confidence_level:g} %"
        together = "for all pairs together"
        kind = together if comparisons.interval == "simultaneous" else "not corrected"
        sentences.append(f"Intervals are of these differences, {level}, {kind}.")
    mark = f"* distinguished at {comparisons.alpha:g}"
    if comparisons.n_comparisons > 1 and comparisons.correction:
        mark += f"; adjusted p is {comparisons.correction}-corrected"
    sentences.append(f"{mark}.")
    if (comparisons.rows["conclusion"] == UNRESOLVED).any():
        sentences.append("? open: more resamples could distinguish the two.")
    return " ".join(sentences)
