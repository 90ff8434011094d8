"""Figures about one test and about planning: null distributions, power, raters' control items.

Drawing only: every number comes from a result object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..errors import InputError
from ..significance.histograms import bin_edges, counted_from
from ..significance.results import TestResult, format_pvalue
from . import style

if TYPE_CHECKING:
    from ..human.quality import QualityControl
    from ..planning.results import Power


def null_distribution(result: TestResult, *, ax: Axes | None = None, bins: int = 60) -> Figure:
    """The values that a test compared with the observation, the counted ones filled.

    Parameters
    ----------
    result : TestResult
        Of a resampling test.
    ax : Axes, optional
        Drawn into; a new figure otherwise.
    bins : int

    Returns
    -------
    Figure

    Raises
    ------
    InputError
        If the test did not resample.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> r = mt.bootstrap_test(bleu, "onlineC", "onlineD", n_resamples=500, rng=1)
    >>> fig = null_distribution(r)
    >>> fig.axes[0].get_xlabel()
    'difference minus mean difference (BLEU)'
    >>> plt.close(fig)
    """
    if not len(result.null_distribution):
        raise InputError(
            f"result: the {result.title} draws no resamples, so there is none to show."
        )
    fig, ax = style.figure_and_axes(ax)
    edges, extreme = bin_edges(result, bins).tolist(), result.extreme
    values = np.clip(result.null_distribution, edges[0], edges[-1])
    counted = f"counted: {int(extreme.sum()):,} of {len(values):,}"
    for drawn, colour, label in (
        (values, style.MUTED, "not counted"),
        (values[extreme], style.EMPHASIS, counted),
    ):
        heights, _ = np.histogram(drawn, edges)
        ax.stairs(heights, edges, fill=True, color=colour, label=label)
    for x, _ in counted_from(result):
        ax.axvline(x, color=style.INK, linewidth=1.2, linestyle="--")
    ax.axvline(0, color=style.INK, linewidth=0.6)
    axis = result.procedure.axis if result.procedure else "pseudo-difference"
    ax.set(xlabel=f"{axis} ({result.metric})", ylabel=f"{result.draws} per bin")
    ax.set_title(
        f"{result.title}\n{result.alternative}, p = {format_pvalue(result.pvalue)}", loc="left"
    )
    ax.legend(loc="upper left", fontsize="small")
    ax.margins(x=0.02)
    ax.set_ylim(top=ax.get_ylim()[1] * 1.18)  # room for the legend
    style.describe(
        fig,
        f"Histogram of {len(values):,} values for the {result.title} of {result.system_a} against "
        f"{result.system_b}; {int(extreme.sum()):,} are counted, "
        f"p = {format_pvalue(result.pvalue)}.",
    )
    return fig


def power_curves(power: Power, *, over: str | None = None, ax: Axes | None = None) -> Figure:
    """Power over the size of the test set, or over the effect, a curve for each of the other.

    Parameters
    ----------
    power : Power
        Of all pairs: the median over them, and the range as a band.
    over : {"n_units", "effect"}, optional
        What is on the horizontal axis; by default whichever has more values.
    ax : Axes, optional
        Drawn into; a new figure otherwise.

    Returns
    -------
    Figure

    Raises
    ------
    InputError
        If `over` is neither.
    """
    labels = {
        "n_units": f"{power.unit} in the test set",
        "effect": f"true difference ({power.metric})",
    }
    x = over or max(labels, key=lambda name: power.table[name].nunique())
    if x not in labels:
        raise InputError(f"over={over!r} must be 'n_units' or 'effect'.")
    other = "effect" if x == "n_units" else "n_units"
    fig, ax = style.figure_and_axes(ax)
    groups = power.summary.groupby(other)
    for (value, part), (colour, marker) in zip(groups, style.LOOKS, strict=False):
        name = f"{value:g} {power.metric}" if other == "effect" else f"{value:,} {power.unit}"
        ax.plot(part[x], part["median"], color=colour, marker=marker, markersize=5, label=name)
        if power.n_pairs > 1:
            ax.fill_between(part[x], part["min"], part["max"], color=colour, alpha=0.15, lw=0)
        elif (rows := power.table[power.table[other] == value])["low"].notna().all():
            ends = style.ends(rows["power"], rows["low"], rows["high"])
            ax.errorbar(rows[x], rows["power"], yerr=ends, fmt="none", ecolor=colour, capsize=3)
    ax.axhline(0.8, color=style.INK, linestyle="--", linewidth=1, label="four times in five")
    ax.set(xlabel=labels[x], ylabel="power", ylim=(0, 1.02))
    sizes = sorted(set(power.summary[x]))
    if x == "n_units" and sizes[-1] >= 8 * sizes[0]:
        ax.set_xscale("log")
        ax.set_xticks(sizes, [f"{size:,}" for size in sizes])
        ax.minorticks_off()
    ax.legend(fontsize="small")
    style.describe(fig, f"Power curves over {labels[x]}. {power.sentence.splitlines()[0]}.")
    return fig


def quality_control(result: QualityControl, *, ax: Axes | None = None) -> Figure:
    """How far raters score damaged outputs lower, and how steady they are on repeats.

    One point per rater with control items of both kinds.  Further right, damaged outputs lose more
    points; further down, an item that comes again gets nearly the same score.

    Parameters
    ----------
    result : QualityControl
    ax : Axes, optional
        Drawn into; a new figure otherwise.

    Returns
    -------
    Figure

    Examples
    --------
    >>> import pandas as pd
    >>> from mtsig_nb.human import Ratings
    >>> rows = [("r1", "a", i, kind, score) for i in range(4) for kind, score in
    ...         [("SYSTEM", 60 + i), ("BAD_REF", 20 + 2 * i), ("REPEAT", 61 + i)]]
    >>> frame = pd.DataFrame(rows, columns=["rater", "system", "segment", "type", "raw"])
    >>> quality_control(Ratings(frame).quality_control()).axes[0].get_title(loc="left")
    '1 of 1 raters pass'
    """
    figure, ax = style.figure_and_axes(ax)
    table = result.table
    for passes, colour, marker, words in (
        (True, style.CALM, "o", "passes"),
        (False, style.EMPHASIS, "X", "does not pass"),
    ):
        rows = table[table["passes"] == passes]
        ax.scatter(
            rows["damaged_difference"],
            rows["repeats_difference"],
            color=colour,
            marker=marker,
            alpha=0.7,
            s=24,
            label=f"{words} ({len(rows)})",
        )
    ax.axvline(0, color=style.MUTED, linewidth=1, zorder=0)
    ax.set_xlabel("points lost by a damaged output (mean)")
    ax.set_ylabel("points between two scores\nof the same item (mean)")
    ax.set_title(f"{len(result.passing)} of {len(table)} raters pass", loc="left")
    ax.legend(frameon=False)
    style.describe(figure, f"Scatter of raters. {result!r}.")
    return figure


__all__ = ["null_distribution", "power_curves", "quality_control"]
