"""Figures about what papers leave open: power, equivalence, documents, soft accuracy.

Drawing only: every number comes from a result object or a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..errors import InputError
from . import style
from .distributions import check_rates

if TYPE_CHECKING:
    from ..meta_evaluation.soft_accuracy import SoftPairwiseAccuracy
    from ..planning.results import DetectableDifference, Power
    from ..significance.documents import UnitComparison
    from ..significance.equivalence import EquivalenceTest


def power_curves(power: Power, *, over: str | None = None, ax: Axes | None = None) -> Figure:
    """Power over the size of the test set, or over the effect, a curve for each of the other.

    Parameters
    ----------
    power : Power
        Of all pairs: the median over them, and the range as a band.
    over : {"n_units", "effect"}, optional
        What is on the horizontal axis; by default whichever has more values.
    ax : Axes, optional

    Returns
    -------
    Figure
    """
    fig, ax = style.figure_and_axes(ax)
    counts = {name: power.table[name].nunique() for name in ("n_units", "effect")}
    x = over or max(counts, key=lambda name: counts[name])
    if x not in counts:
        raise InputError(f"over={over!r} must be 'n_units' or 'effect'.")
    other = "effect" if x == "n_units" else "n_units"
    labels = {
        "n_units": f"{power.unit} in the test set",
        "effect": f"true difference ({power.metric})",
    }
    groups = power.summary.groupby(other)
    for (value, part), (colour, marker) in zip(groups, style.LOOKS, strict=False):
        name = f"{value:g} {power.metric}" if other == "effect" else f"{value:,} {power.unit}"
        ax.plot(part[x], part["median"], color=colour, marker=marker, markersize=5, label=name)
        _band(ax, part, x, colour, power.n_pairs)
        rows = power.table[power.table[other] == value]
        if power.n_pairs == 1 and rows["low"].notna().all():
            ends = style.ends(rows["power"], rows["low"], rows["high"])
            ax.errorbar(rows[x], rows["power"], yerr=ends, fmt="none", ecolor=colour, capsize=3)
    ax.axhline(0.8, color=style.INK, linestyle="--", linewidth=1)
    ax.annotate(
        "four times in five",
        (0.01, 0.815),
        xycoords=ax.get_yaxis_transform(),
        fontsize="small",
        va="bottom",
    )
    ax.set(xlabel=labels[x], ylabel="power", ylim=(0, 1.02))
    if x == "n_units":
        _wide_axis(ax, power.summary[x])
    ax.legend(fontsize="small", loc="lower right")
    style.describe(fig, f"Power curves over {labels[x]}. {power.sentence.splitlines()[0]}.")
    return fig


def detectable_differences(
    result: DetectableDifference,
    *,
    ax: Axes | None = None,
    label: str = "",
    colour: str = style.CALM,
) -> Figure:
    """The detectable difference over the size of the test set.

    Parameters
    ----------
    result : DetectableDifference
        Of all pairs: the median over them, and the range as a band.
    ax : Axes, optional
    label, colour : str
        To draw several into one figure.

    Returns
    -------
    Figure
    """
    fig, ax = style.figure_and_axes(ax)
    table = result.summary
    ax.plot(table["n_units"], table["median"], color=colour, marker="o", label=label or None)
    _band(ax, table, "n_units", colour, result.n_pairs)
    ax.set(xlabel=f"{result.unit} in the test set")
    _wide_axis(ax, table["n_units"])
    ax.set_ylabel(f"difference found with power {result.power:g} ({result.metric})")
    ax.set_ylim(bottom=0)
    if label:
        ax.legend(fontsize="small")
    style.describe(fig, " ".join(result.sentence.splitlines()[: len(table)]))
    return fig


def equivalence(tests: Sequence[EquivalenceTest], *, ax: Axes | None = None) -> Figure:
    """Intervals of differences beside the margin.

    Parameters
    ----------
    tests : sequence of EquivalenceTest
        With the same metric and margin.
    ax : Axes, optional

    Returns
    -------
    Figure
    """
    if not tests:
        raise InputError("tests is empty; give one or more.")
    first = tests[0]
    if any((t.metric, t.margin) != (first.metric, first.margin) for t in tests):
        raise InputError("tests must have the same metric and margin to share an axis.")
    fig, ax = style.figure_and_axes(ax, figsize=(7.2, 1.4 + 0.38 * len(tests)))
    ax.axvspan(
        -first.margin, first.margin, color=style.MUTED, alpha=0.5, lw=0, label="within the margin"
    )
    ax.axvline(0, color=style.INK, linewidth=0.6)
    for verdict, colour, marker in ((True, style.CALM, "o"), (False, style.EMPHASIS, "s")):
        rows = [k for k, t in enumerate(tests) if t.equivalent is verdict]
        if not rows:
            continue
        centre = [tests[k].statistic for k in rows]
        ends = style.ends(centre, *np.transpose([tests[k].interval for k in rows]))
        name = "differ by less than the margin" if verdict else "not shown to"
        ax.errorbar(
            centre, rows, xerr=ends, fmt=marker, color=colour, capsize=3, markersize=5, label=name
        )
    style.name_rows(ax, [f"{t.system_a} against {t.system_b}" for t in tests])
    ax.set_xlabel(f"difference ({first.metric}), with {1 - 2 * first.alpha:.0%} intervals")
    fig.legend(fontsize="small", loc="outside upper center", ncols=3, frameon=False)
    style.describe(
        fig,
        f"Differences with intervals and a margin of {first.margin:g} {first.metric}: "
        f"{sum(t.equivalent for t in tests)} of {len(tests)} pairs lie within it.",
    )
    return fig


def standard_errors(comparison: UnitComparison, *, ax: Axes | None = None) -> Figure:
    """Standard errors with documents as units over those with segments, pair by pair.

    Parameters
    ----------
    comparison : UnitComparison
    ax : Axes, optional

    Returns
    -------
    Figure
    """
    fig, ax = style.figure_and_axes(ax, figsize=(5.4, 4.6))
    table = comparison.table
    groups = table.groupby("metric", sort=False)
    for (name, rows), (colour, marker) in zip(groups, style.LOOKS, strict=False):
        ax.scatter(
            rows["se_segments"], rows["se_documents"], color=colour, marker=marker, s=24, label=name
        )
    end = float(table[["se_segments", "se_documents"]].max().max()) * 1.05
    line = np.array([0, end])
    ax.plot(line, line, color=style.INK, linewidth=1, label="the same")
    ax.plot(line, 2 * line, color=style.INK, linewidth=1, linestyle="--", label="twice as large")
    ax.set(xlim=(0, float(table["se_segments"].max()) * 1.08), ylim=(0, end))
    units = ", ".join(comparison.by_segment.metrics)
    ax.set_xlabel(f"standard error, segments as units ({units})")
    ax.set_ylabel(f"standard error, documents as units ({units})")
    ax.legend(fontsize="small", loc="upper left")
    style.describe(fig, comparison.sentence.splitlines()[1] + ".")
    return fig


def soft_accuracy(result: SoftPairwiseAccuracy, *, ax: Axes | None = None) -> Figure:
    """One-sided p-values of a metric over people's, pair by pair.

    Parameters
    ----------
    result : SoftPairwiseAccuracy
    ax : Axes, optional

    Returns
    -------
    Figure
    """
    fig, ax = style.figure_and_axes(ax, figsize=(5.4, 4.6))
    table = result.table
    for ordered, colour, marker in ((1, style.CALM, "o"), (0, style.EMPHASIS, "s")):
        rows = table[table["ordered"] == ordered]
        name = f"ordered {'as people do' if ordered else 'otherwise'}: {len(rows)}"
        ax.vlines(rows["people"], rows["people"], rows["metric"], color=style.MUTED, linewidth=1)
        ax.scatter(rows["people"], rows["metric"], color=colour, marker=marker, s=24, label=name)
    ax.plot([0, 1], [0, 1], color=style.INK, linewidth=1)
    ax.set(xlim=(-0.02, 0.6), ylim=(-0.03, 1.03))
    ax.set_xlabel("one-sided p, people")
    ax.set_ylabel("one-sided p, metric")
    ax.legend(fontsize="small", loc="upper right")
    style.describe(fig, result.sentence.splitlines()[0] + ".")
    return fig


def rejection_rates(table: pd.DataFrame, *, level: float, ax: Axes | None = None) -> Figure:
    """Rejection rates of several tests on several simulations, beside the level promised.

    Parameters
    ----------
    table : DataFrame
        From :func:`mtsig_nb.simulate.rejection_rates`, given a mapping: tests in the last level
        of the index.
    level : float
    ax : Axes, optional

    Returns
    -------
    Figure
    """
    check_rates(table)
    if table.index.nlevels < 2:
        raise InputError("table is of one simulation; plots.error_rates draws that.")
    names = list(dict.fromkeys(_label(key[:-1]) for key in table.index))
    tests = list(dict.fromkeys(table.index.get_level_values(-1)))
    fig, ax = style.figure_and_axes(ax, figsize=(7.2, 1.6 + 0.34 * len(names)))
    for number, (test, (colour, marker)) in enumerate(zip(tests, style.LOOKS, strict=False)):
        rows = table.xs(test, level=-1)
        place = np.array([names.index(_label(key)) for key in rows.index], dtype=np.float64)
        place += 0.16 * (number - (len(tests) - 1) / 2)
        ends = style.ends(rows["rate"], rows["low"], rows["high"])
        ax.errorbar(
            rows["rate"], place, xerr=ends, fmt=marker, color=colour, markersize=4, lw=1, label=test
        )
    ax.axvline(level, color=style.INK, linestyle="--", linewidth=1.2)
    style.name_rows(ax, names)
    ax.set_xlim(left=0)
    ax.set_xlabel(f"share of pairs called different (dashed: promised, {level:g})")
    fig.legend(fontsize="small", loc="outside upper center", ncols=2, frameon=False)
    spread = table.groupby(level=-1, sort=False)["rate"].agg(["min", "max"])
    style.describe(
        fig,
        f"Rejection rates in {len(names)} simulations, promised {level:g}: "
        + "; ".join(f"{t} {row['min']:.3f} to {row['max']:.3f}" for t, row in spread.iterrows())
        + ".",
    )
    return fig


def _band(ax: Axes, part: pd.DataFrame, x: str, colour: str, n_pairs: int) -> None:
    """The range over all pairs, where there are several."""
    if n_pairs > 1:
        ax.fill_between(part[x], part["min"], part["max"], color=colour, alpha=0.15, lw=0)


def _wide_axis(ax: Axes, sizes: pd.Series) -> None:
    """A logarithmic axis with the sizes themselves as ticks, where they span a wide range."""
    distinct = sorted(set(sizes))
    if distinct[-1] >= 8 * distinct[0]:
        ax.set_xscale("log")
        ax.set_xticks(distinct, [f"{size:,}" for size in distinct])
        ax.minorticks_off()


def _label(key: Any) -> str:
    """A row's name: the parts of its key; what `xs` leaves of a key of two is not a tuple."""
    return ", ".join(map(str, key)) if isinstance(key, tuple) else str(key)


__all__ = [
    "detectable_differences",
    "equivalence",
    "power_curves",
    "rejection_rates",
    "soft_accuracy",
    "standard_errors",
]
