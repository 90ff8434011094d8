"""Comparisons over several test sets of which it is not known whether they share their sentences.

They are made twice, with units that test sets share and with units that they do not.  Of each pair
the larger of both p-values and the wider of both intervals stand.  Where a correction looks at all
resamples at once, adjusted p-values are compared in the place of p-values.

Where outputs are exchanged, the larger p-value keeps its level in either case.  If sentences are
the same, the p-value of shared units does.  If they are not, both do: exchanges of independent
units keep their distribution where units are exchanged in groups, however these are put together.
For bootstraps and intervals the larger of two is a rule of caution.  A claim is made only where
both comparisons make it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import pandas as pd

from ..errors import InputError
from ..metrics.base import FloatArray
from ..metrics.mean import MacroAverage
from ..notes import Note, note
from ..statistics.sufficient import SufficientStatistics, pair_indices
from .comparisons import Comparisons, said_of_pairs
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
    found = [None if s.sharing is None else s.sharing.otherwise for s in statistics]
    doubtful = [s for s in found if s is not None]
    if doubtful and len(doubtful) < len(found):
        (known, *_) = (s for s, other in zip(statistics, found, strict=True) if other is None)
        raise InputError(
            f"statistics: of {known.label} it is known whether test sets share their {known.unit}, "
            f"of {doubtful[0].label} it is not. Give mtsig_nb.test_sets the same shared= for both."
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
    possible = table["metric"].isin(over_all).to_numpy()
    decisive = "pvalue_adjusted" if shared.correction in OF_RESAMPLES else "pvalue"
    p, other_p = (frame[decisive].to_numpy() for frame in (table, other))
    wider_apart = _wider_apart(means)
    rows = table[_PAIR].itertuples(index=False, name=None)
    wider = np.array([row in wider_apart for row in rows])
    replaced = possible & ((other_p > p) | ((other_p == p) & wider))
    for column in _OF_THE_TEST:
        table.loc[replaced, column] = other.loc[replaced, column]
    if shared.correction not in OF_RESAMPLES:
        p, low, high = (table[f"pvalue{end}"].to_numpy() for end in ("", "_low", "_high"))
        adjusted = adjusted_together(p, low, high, shared.correction)
        for of_pvalues in adjusted.columns:
            table[of_pvalues] = adjusted[of_pvalues].to_numpy()
    widened = possible & (_width(other) > _width(table))
    for column in ("ci_low", "ci_high"):
        table.loc[widened, column] = other.loc[widened, column]
    table["conclusion"] = said_of_pairs(table, shared.alpha)
    notes = shared.notes
    if replaced.any():
        notes = tuple(dict.fromkeys((*notes, *apart.notes)))
    intervals = {
        metric: _wider_intervals(own, apart.score_intervals[metric]) if metric in over_all else own
        for metric, own in shared.score_intervals.items()
    }
    return dataclasses.replace(
        shared, table=table, score_intervals=intervals, notes=notes, n_units_apart=apart.n_units
    )


def _wider_apart(statistics: Sequence[SufficientStatistics]) -> set[tuple[str, str, str]]:
    """Metrics with pairs whose standard error is larger where test sets share nothing."""
    found = set()
    for s in statistics:
        joint, apart = standard_errors_both_ways(s)
        names = s.scores().index
        first, second = pair_indices(len(names))
        for k in np.flatnonzero(apart > joint).tolist():
            found.add((s.label, names[first[k]], names[second[k]]))
    return found


def standard_errors_both_ways(statistics: SufficientStatistics) -> tuple[FloatArray, FloatArray]:
    """Of all pairs, best systems first, the standard errors with shared and with other units."""
    assert statistics.sharing is not None
    assert statistics.sharing.otherwise is not None
    names = statistics.scores().index
    pairs = pair_indices(len(names))
    joint = standard_errors(statistics.select(names), pairs)
    apart = standard_errors(statistics.sharing.otherwise.select(names), pairs)
    return joint, apart


def _width(table: pd.DataFrame) -> FloatArray:
    return (table["ci_high"] - table["ci_low"]).to_numpy()


def _wider_intervals(one: pd.DataFrame, other: pd.DataFrame) -> pd.DataFrame:
    """Of each system the wider of two intervals."""
    chosen = one.copy()
    widened = _width(other.loc[one.index]) > _width(one)
    chosen.loc[widened] = other.loc[one.index[widened]]
    return chosen


def notes_on_sharing(
    statistics: Sequence[SufficientStatistics], *, both_ways: bool = True
) -> list[Note]:
    """Which units several test sets share, or may share, and what that does to standard errors.

    Not `both_ways` is an analysis that was made with the units that they may share, and no other.
    """
    over_all = [s for s in statistics if isinstance(s.metric, MacroAverage)]
    found = []
    for s in over_all:
        sharing = s.sharing
        if sharing is None:
            continue
        if sharing.otherwise is None:
            evidence = note(f"shared-by-{sharing.evidence}")
            counts = {"n": sharing.n_shared, "total": s.n_segments, "unit": s.unit}
            found.append(note("shared-units", **counts, evidence=evidence))
            continue
        because = note(f"unknown-{sharing.evidence}", n=sharing.n_shared)
        if not both_ways:
            found.append(note("shared-supposed", unit=s.unit, because=because))
            continue
        joint, apart = standard_errors_both_ways(s)
        values = {
            "unit": s.unit,
            "label": s.label,
            "because": because,
            "joint": float(np.median(joint)),
            "apart": float(np.median(apart)),
            "typically": " (the medians over pairs)" if len(joint) > 1 else "",
            "besides": note("or-documents") if s.unit == "segments" else "",
        }
        found.append(note("shared-unknown", **values))
    return list(dict.fromkeys(found))
