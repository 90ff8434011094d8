"""Comparisons over several test sets of which it is not known whether they share their sentences.

They are made twice, with units that test sets share and with units that they do not.  Of each pair
the larger of both p-values and the wider of both intervals stand.  Where a correction looks at all
resamples at once, adjusted p-values are compared in the place of p-values.

Where outputs are exchanged, the larger p-value keeps its level in either case, if the test does
where sharing is known.  If sentences are the same, the p-value of shared units does.  If they are
not, both do: exchanges of independent units keep their distribution where units are exchanged in
groups, however these are put together.  For bootstraps and intervals the larger of two is a rule of
caution.  A claim is made only where both comparisons make it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from ..errors import InputError
from ..frames import pd
from ..metrics.base import FloatArray, Mask
from ..metrics.mean import MacroAverage
from ..notes import Note, note
from ..statistics.sufficient import Sharing, SufficientStatistics, pair_indices
from ..tables.rows import rows_from
from .comparisons import Comparisons, conclusion_words
from .corrections import OF_RESAMPLES, adjusted_together, standard_errors

#: What a row of the table has from one of the two comparisons as a whole.
_OF_THE_TEST = (
    *("pvalue", "pvalue_low", "pvalue_high"),
    *("pvalue_adjusted", "pvalue_adjusted_low", "pvalue_adjusted_high"),
    *("at_floor", "n_resamples", "size_at_05", "note"),
)
_PAIR = ["metric", "system_a", "system_b"]


def other_layouts(statistics: Sequence[SufficientStatistics]) -> list[SufficientStatistics]:
    """The same scores over units that test sets do not share; none where it is known.

    Raises
    ------
    InputError
        If it is known for some of the metrics only.
    """
    layouts = [None if s.sharing is None else s.sharing.otherwise for s in statistics]
    doubtful = [layout for layout in layouts if layout is not None]
    if doubtful and len(doubtful) < len(layouts):
        known = statistics[layouts.index(None)]
        raise InputError(
            f"statistics: for {known.label} it is known whether test sets share their "
            f"{known.unit}, and for {doubtful[0].label} it is not. Give mtsig_nb.test_sets the "
            "same shared= for both."
        )
    return doubtful


def more_cautious(
    shared: Comparisons, apart: Comparisons, statistics: Sequence[SufficientStatistics]
) -> Comparisons:
    """Of two comparisons of the same scores, for each pair what claims less.

    On a single test set the first stands.

    Parameters
    ----------
    shared, apart : Comparisons
        With the units that test sets share, and with units that they do not.
    statistics : sequence of SufficientStatistics
        Those of `shared`.
    """
    means = [s for s in statistics if isinstance(s.metric, MacroAverage)]
    over_all = {s.label for s in means}
    table = shared.table.copy()
    other = table[_PAIR].merge(apart.table, on=_PAIR, how="left").set_axis(table.index)
    is_over_all = table["metric"].isin(over_all).to_numpy()
    replaced = is_over_all & _claims_less(other, table, shared.correction, _wider_apart(means))
    for column in _OF_THE_TEST:
        table.loc[replaced, column] = other.loc[replaced, column]
    if shared.correction not in OF_RESAMPLES:
        _adjust_again(table, shared.correction)
    widened = is_over_all & (_width(other) > _width(table))
    for column in ("ci_low", "ci_high"):
        table.loc[widened, column] = other.loc[widened, column]
    table["conclusion"] = conclusion_words(table, shared.alpha)
    limits_by_metric = dict(shared.limits_by_metric)
    for metric in over_all & limits_by_metric.keys():
        limits_by_metric[metric] = _wider_limits(
            limits_by_metric[metric], apart.limits_by_metric[metric]
        )
    notes = shared.notes
    if replaced.any():
        notes = tuple(dict.fromkeys((*notes, *apart.notes)))
    return dataclasses.replace(
        shared,
        rows=rows_from(table),
        limits_by_metric=limits_by_metric,
        notes=notes,
        n_units_apart=apart.n_units,
    )


def _adjust_again(table: pd.DataFrame, correction: str | None) -> None:
    """Correct the p-values in the table together, now that some of them were replaced."""
    adjusted = adjusted_together(
        table["pvalue"].to_numpy(),
        table["pvalue_low"].to_numpy(),
        table["pvalue_high"].to_numpy(),
        correction,
    )
    for name, column in adjusted.items():
        table[name] = column


def _claims_less(
    other: pd.DataFrame,
    table: pd.DataFrame,
    correction: str | None,
    wider: set[tuple[str, str, str]],
) -> Mask:
    """Where the other table's p-value is larger, or the same with a larger standard error.

    `wider` has the rows of which the other standard error is larger: metric, system_a, system_b.
    """
    decisive = "pvalue_adjusted" if correction in OF_RESAMPLES else "pvalue"
    pvalue = table[decisive].to_numpy()
    other_pvalue = other[decisive].to_numpy()
    rows = table[_PAIR].itertuples(index=False, name=None)
    is_wider = np.array([row in wider for row in rows])
    return (other_pvalue > pvalue) | ((other_pvalue == pvalue) & is_wider)


def _wider_apart(statistics: Sequence[SufficientStatistics]) -> set[tuple[str, str, str]]:
    """Where standard errors are larger if test sets share nothing: metric, system_a, system_b."""
    wider = set()
    for s in statistics:
        joint, apart = standard_errors_both_ways(s)
        names = list(s.scores_by_system())
        first, second = pair_indices(len(names))
        for k in np.flatnonzero(apart > joint).tolist():
            wider.add((s.label, names[first[k]], names[second[k]]))
    return wider


def standard_errors_both_ways(statistics: SufficientStatistics) -> tuple[FloatArray, FloatArray]:
    """Standard errors of all pairs, best systems first, if units are shared and if they are not.

    Returns
    -------
    joint, apart : ndarray, shape (pairs,)
    """
    assert statistics.sharing is not None
    assert statistics.sharing.otherwise is not None
    names = statistics.scores_by_system()
    pairs = pair_indices(len(names))
    joint = standard_errors(statistics.select(names), pairs)
    apart = standard_errors(statistics.sharing.otherwise.select(names), pairs)
    return joint, apart


def _width(table: pd.DataFrame) -> FloatArray:
    """How wide the interval in each row is, shape (rows,)."""
    return (table["ci_high"] - table["ci_low"]).to_numpy()


def _wider_limits(
    limits: dict[str, FloatArray], others: dict[str, FloatArray]
) -> dict[str, FloatArray]:
    """Of each system the limits of the wider of two intervals."""
    wider = {}
    for system in limits:
        is_wider = np.ptp(others[system]) > np.ptp(limits[system])
        wider[system] = others[system] if is_wider else limits[system]
    return wider


def notes_on_sharing(
    statistics: Sequence[SufficientStatistics], *, both_ways: bool = True, exchanges: bool = True
) -> list[Note]:
    """Which units several test sets share, or may share, and what that does to standard errors.

    Parameters
    ----------
    statistics : sequence of SufficientStatistics
    both_ways : bool
        Whether the analysis was made both with the units that test sets may share and with others;
        False if with the first alone.
    exchanges : bool
        Whether there are tests that exchange outputs, and not resamples alone.
    """
    over_all = [s for s in statistics if isinstance(s.metric, MacroAverage)]
    code_of_how = "supposed-exchanged" if exchanges else "supposed-drawn"
    notes = []
    for s in over_all:
        if s.sharing is not None:
            notes.append(_note_on_sharing(s, s.sharing, both_ways, code_of_how))
    return list(dict.fromkeys(notes))


def _note_on_sharing(
    statistics: SufficientStatistics, sharing: Sharing, both_ways: bool, code_of_how: str
) -> Note:
    """Which units the test sets of a mean share, or may share, and how these are then treated.

    `code_of_how` is that of the note on how units that are supposed to be shared are treated.
    """
    unit = statistics.unit
    if sharing.otherwise is None:
        evidence = note(f"shared-by-{sharing.evidence}")
        counts = {"n": sharing.n_shared, "total": statistics.n_segments, "unit": unit}
        return note("shared-units", **counts, evidence=evidence)
    because = note(f"unknown-{sharing.evidence}", n=sharing.n_shared)
    if not both_ways:
        how = note(code_of_how)
        return note("shared-supposed", unit=unit, because=because, how=how)
    joint, apart = standard_errors_both_ways(statistics)
    return note(
        "shared-unknown",
        unit=unit,
        label=statistics.label,
        because=because,
        joint=float(np.median(joint)),
        apart=float(np.median(apart)),
        typically=" (the medians over pairs)" if len(joint) > 1 else "",
        besides=note("or-documents") if unit == "segments" else "",
    )
