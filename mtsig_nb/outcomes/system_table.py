"""The table that readers expect: one row per system, the metrics side by side, ready for print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..conclusions.deciding import UNRESOLVED
from ..conclusions.ranking import rank_columns
from ..frames import pd
from ..metrics.base import ArrayLike
from ..significance.comparisons import Comparisons, for_print
from ..significance.over_test_sets import OVERALL, SetComparisons
from ..tables import MISSING, Column, printed
from ..tables.rows import Columns
from .summary import BETTER, WORSE, summary_columns, summary_table
from .verdicts import digits_for

if TYPE_CHECKING:
    from ..plots.column import Panel

#: Columns that a printed table may lack where there is no room: letters say as much.
DISPENSABLE = ("ranks", "p")
#: How to read the column of ranks.
LEGEND_OF_RANKS = "Ranks are the possible ones, given wins and losses."
#: What stands behind a difference, by what is concluded from it.
_MARKS = {BETTER: "*", WORSE: "*", UNRESOLVED: "?"}


def system_table(
    comparisons: Comparisons,
    *,
    baseline: str | None = None,
    metrics: Sequence[str] | None = None,
    brief: bool = False,
    digits: int | None = None,
) -> list[Column]:
    """One row per system, best first under the first metric; see `legend` for how to read it.

    Parameters
    ----------
    comparisons : Comparisons
    baseline : str, optional
        The system that all others are compared with; by default, under each metric, the best one.
    metrics : sequence of str, optional
        Those to show; by default all.  Systems stand best first under the first of them.
    brief : bool
        Without p-values.
    digits : int, optional
        Decimals of scores; by default what suits each metric's scale.

    Returns
    -------
    list of Column
        The system, and for each metric its score (under the metric's name), the score's interval
        where there are intervals, the difference with its mark, p (adjusted, where there is a
        correction), letters, and the possible ranks.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU").select(["onlineA", "onlineB", "UPC"])
    >>> table = system_table(mt.compare_all(bleu, n_resamples=999, rng=1), baseline="onlineA")
    >>> for row in zip(*((c.heading, *c.cells) for c in table)):
    ...     print(*row, sep="|")
    system|BLEU|interval|vs baseline|p|letters|ranks
    onlineB|37.72|36.7–38.7|+6.33*|<0.0030|a|1
    UPC|32.04|31.2–32.8|+0.66*|<0.0030|b|2
    onlineA|31.38|30.6–32.1|baseline||c|3
    """
    shown = comparisons.metrics if metrics is None else metrics
    systems = list(comparisons.scores_by_metric[shown[0]])
    columns = [Column("system", tuple(systems), numeric=False)]
    for metric in shown:
        table = _in_order(summary_columns(comparisons, metric=metric, against=baseline), systems)
        columns += _scores_and_differences(table, comparisons, metric, baseline, digits)
        letters = tuple(table["letters"])
        if brief:
            columns.append(Column("", letters, numeric=False))
            continue
        (pvalues,) = printed({name: table[name] for name in ("pvalue_adjusted", "at_floor")})
        cells = tuple(cell.replace(MISSING, "") for cell in pvalues.cells)
        columns.append(Column("p", cells, numeric=True))
        columns.append(Column("letters", letters, numeric=False))
        if len(systems) > 2:
            ranks = rank_columns(comparisons.conclusions(metric=metric))
            cells = open_ranks(_in_order(ranks, systems))
            columns.append(Column("ranks", cells, numeric=False))
    return columns


def _in_order(table: Mapping[str, Any], systems: Sequence[str]) -> dict[str, list[Any]]:
    """The columns of a table with a row for each system, in the order of `systems`."""
    row_of = {system: row for row, system in enumerate(table["system"])}
    return {name: [table[name][row_of[system]] for system in systems] for name in table}


def _scores_and_differences(
    table: Columns,
    comparisons: Comparisons,
    metric: str,
    baseline: str | None,
    digits: int | None,
) -> list[Column]:
    """The columns of the scores, of their intervals if there are any, and of the differences.

    `table` has the metric's `summary_columns`, in the order in which systems are shown.
    """
    digits_of_scores = digits_for(table["score"]) if digits is None else digits
    numbers = {name: table[name] for name in ("score", "difference")}
    scores, differences = printed(numbers, digits=digits_of_scores)
    columns = [Column(metric, scores.cells, numeric=True)]
    if metric in comparisons.limits_by_metric:
        limits = comparisons.limits_by_metric[metric]
        bounds = [limits[system] for system in table["system"]]
        # Intervals need fewer digits than what is compared, and the room.
        digits_of_interval = digits_of_scores - 1 if digits is None else digits
        intervals = interval_cells(bounds, digits_of_interval)
        columns.append(Column("interval", intervals, numeric=True))
    reference = "best" if baseline is None else "baseline"
    cells = []
    for cell, conclusion in zip(differences.cells, table["conclusion"], strict=True):
        # Nothing is concluded about a system against itself.
        is_reference = not isinstance(conclusion, str)
        cells.append(reference if is_reference else _marked(cell, conclusion))
    columns.append(Column(f"vs {reference}", tuple(cells), numeric=True))
    return columns


def panel_of(comparisons: Comparisons, metric: str, baseline: str | None) -> Panel:
    """For a figure: each system's difference from the baseline, or else from the best."""
    from ..plots.column import panel_of_differences  # matplotlib only when something is drawn

    best = next(iter(comparisons.scores_by_metric[metric]))
    return panel_of_differences(
        summary_table(comparisons, metric=metric, against=baseline),
        metric=metric,
        reference=best if baseline is None else baseline,
        confidence_level=comparisons.confidence_level,
    )


def _marked(difference: str, conclusion: str) -> str:
    """A difference with the mark of what is concluded from it, or a blank in its place."""
    return f"{difference}{_MARKS.get(conclusion, ' ')}"


def open_ranks(table: Columns) -> tuple[str, ...]:
    """The ranks from ``rank_top`` to ``rank_bottom``, as short as they can be."""
    cells = []
    for top, bottom in zip(table["rank_top"], table["rank_bottom"], strict=True):
        cells.append(f"{top}" if top == bottom else f"{top}–{bottom}")
    return tuple(cells)


def interval_cells(bounds: ArrayLike, digits: int) -> tuple[str, ...]:
    """Intervals of scores as short as they can be: with a dash where nothing is negative.

    `bounds` has the limits of each interval, shape (intervals, 2).
    """
    limits = np.asarray(bounds)
    has_negative = (limits < 0).any()
    between = " to " if has_negative else "–"
    cells = []
    for low, high in limits:
        interval = f"{low:.{digits}f}{between}{high:.{digits}f}"
        cells.append(interval if np.isfinite(low) else MISSING)
    return tuple(cells)


def pairs_table(
    comparisons: Comparisons, metric: str, *, digits: int | None = None
) -> list[Column]:
    """All pairs under one metric, the one that is ahead first, as narrow as it can be."""
    rows = comparisons.table[comparisons.table["metric"] == metric]
    if digits is None:
        digits = digits_for(list(comparisons.scores_by_metric[metric].values()))
    unused = ["metric", "score_a", "score_b", "conclusion"]
    if comparisons.correction is None:
        unused.append("pvalue_adjusted")
    ahead, behind, difference, *others = printed(for_print(rows, *unused), digits=digits)
    by_how_much = tuple(map(_marked, difference.cells, rows["conclusion"]))
    return [
        Column(f"{metric}: ahead", ahead.cells, numeric=False),
        Column("behind", behind.cells, numeric=False),
        Column("by", by_how_much, numeric=True),
        *others,
    ]


def legend(
    comparisons: Comparisons,
    *,
    baseline: str | None = None,
    ranks: bool = True,
    pvalues: bool = True,
) -> str:
    """How to read the table: marks, letters, directions and intervals.

    Parameters
    ----------
    comparisons : Comparisons
    baseline : str, optional
        The system that all others are compared with; by default the best one.
    ranks, pvalues : bool
        Whether the table has columns of them.  Without p-values, the correction is said of the
        marks.
    """
    higher_is_better = comparisons.higher_is_better
    higher = [metric for metric in higher_is_better if higher_is_better[metric]]
    lower = [metric for metric in higher_is_better if not higher_is_better[metric]]
    n_comparisons = comparisons.n_comparisons
    directions = []
    if higher:
        directions.append(f"Higher is better: {', '.join(higher)}")
    if lower:
        directions.append(f"Lower is better: {', '.join(lower)}")
    sentences = [f"{'. '.join(directions)}."]
    if lower:
        sentences.append("In differences, + is better, whichever way the metric goes.")
    against = "the best" if baseline is None else f"the baseline, {baseline},"
    mark = f"* distinguished from {against} at {comparisons.alpha:g}"
    if n_comparisons > 1:
        corrected = _corrected(comparisons)
        mark += f"; p is {corrected}" if pvalues else f", {corrected}"
    sentences.append(f"{mark}.")
    if (comparisons.rows["conclusion"] == UNRESOLVED).any():
        sentences.append("? open: more resamples could distinguish the two.")
    sentences.append("Systems that share a letter are not distinguished.")
    if ranks and n_comparisons > len(comparisons.metrics):
        sentences.append(LEGEND_OF_RANKS)
    if comparisons.confidence_level is not None:
        level = f"{100 * comparisons.confidence_level:g} %"
        sentences.append(f"Intervals are of each score, {level}, not corrected.")
    return " ".join(sentences)


def legends_by_column(comparisons: Comparisons) -> dict[str, str]:
    """By heading: how to read a column that a printed table may lack; see `DISPENSABLE`."""
    legends = {"ranks": LEGEND_OF_RANKS}
    if comparisons.n_comparisons > 1:
        legends["p"] = f"p is {_corrected(comparisons)}, too."
    return legends


def legend_of_columns(
    comparisons: Comparisons, columns: Sequence[Column], *, baseline: str | None = None
) -> str:
    """How to read a table with these columns, and no others."""
    headings = {column.heading for column in columns}
    return legend(
        comparisons, baseline=baseline, ranks="ranks" in headings, pvalues="p" in headings
    )


def _corrected(comparisons: Comparisons) -> str:
    """By which correction, as an adjective."""
    return f"{comparisons.correction}-corrected" if comparisons.correction else "uncorrected"


def by_test_set(sets: SetComparisons, digits: int | None = None) -> list[Column]:
    """A row for each metric and test set."""
    single = sets.by_test_set[sets.by_test_set["test_set"] != OVERALL]
    conclusions = [sets.conclusions(metric=metric) for metric in single["metric"]]
    # The first row of a matrix is about the best system.
    n_alike = [int((found.matrix[0, 1:] == 0).sum()) for found in conclusions]
    sizes = map(_effective_size, single["n_effective"], single["n_effective_least"])
    columns = {
        "metric": single["metric"],
        "test_set": single["test_set"],
        sets.unit: single["n_units"],
        "worth": list(sizes),
        "distinguished": single["distinguished"].astype(str) + " of " + single["pairs"].astype(str),
        "best": [found.systems[0] for found in conclusions],
        "not distinguished from it": n_alike,
    }
    if len(sets.overall.metrics) == 1:
        del columns["metric"]
    return printed(pd.DataFrame(columns), digits=2 if digits is None else digits)


def _effective_size(estimate: float, least: float) -> str:
    """How many independent units the units are worth: about the estimate, if any, and at least."""
    if np.isnan(estimate):
        return f"≥{least:.0f}"
    return f"≈{estimate:.0f}, ≥{least:.0f}"
