"""Figures about raters and about agreement with people; drawing only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from . import style

if TYPE_CHECKING:
    from ..human.quality import QualityControl
    from ..meta_evaluation.grids import AgreementGrid


def quality_control(result: QualityControl, *, ax: Axes | None = None, **scatter: Any) -> Figure:
    """How far raters score damaged outputs lower, and how steady they are on repeats.

    One point per rater with control items of both kinds.  Further right, damaged outputs lose more
    points; further down, an item that comes again gets nearly the same score.

    Parameters
    ----------
    result : QualityControl
    ax : Axes, optional
        Drawn into; a new figure otherwise.
    **scatter
        For :meth:`matplotlib.axes.Axes.scatter`.

    Returns
    -------
    Figure

    Examples
    --------
    >>> import pandas as pd
    >>> from mtsig_nb.human import Ratings, quality_control as check
    >>> rows = [("r1", "a", i, kind, score) for i in range(4) for kind, score in
    ...         [("SYSTEM", 60 + i), ("BAD_REF", 20 + 2 * i), ("REPEAT", 61 + i)]]
    >>> frame = pd.DataFrame(rows, columns=["rater", "system", "segment", "type", "raw"])
    >>> quality_control(check(Ratings(frame))).axes[0].get_title(loc="left")
    '1 of 1 raters pass'
    """
    figure, ax = style.figure_and_axes(ax)
    table = result.table
    for passes, colour, marker, words in (
        (True, style.CALM, "o", "passes"),
        (False, style.EMPHASIS, "X", "does not pass"),
    ):
        rows = table[table["passes"] == passes]
        look: dict[str, Any] = {"color": colour, "marker": marker, "alpha": 0.7, "s": 24} | scatter
        ax.scatter(
            rows["damaged_difference"],
            rows["repeats_difference"],
            label=f"{words} ({len(rows)})",
            **look,
        )
    ax.axvline(0, color=style.MUTED, linewidth=1, zorder=0)
    ax.set_xlabel("points lost by a damaged output (mean)")
    ax.set_ylabel("points between two scores\nof the same item (mean)")
    ax.set_title(f"{len(result.passing)} of {len(table)} raters pass", loc="left")
    ax.legend(frameon=False)
    style.describe(figure, f"Scatter of raters. {result!r}.")
    return figure


def agreement_grid(
    grid: AgreementGrid, *, correction: str | None = None, ax: Axes | None = None
) -> Figure:
    """Share of conclusions that agree with people: metrics in groups, one mark per test and level.

    Bars are intervals from resampling systems.

    Parameters
    ----------
    grid : AgreementGrid
    correction : str, optional
        Which of the grid's corrections; the first by default.
    ax : Axes, optional
        Drawn into; a new figure otherwise.

    Returns
    -------
    Figure
    """
    frame = grid.frame[grid.frame["correction"] == (correction or grid.frame["correction"].iloc[0])]
    metrics, levels = list(frame["metric"].unique()), sorted(frame["alpha"].unique(), reverse=True)
    series = list(frame.groupby(["test", "alternative"], sort=False))
    groups = [(metric, alpha) for metric in metrics for alpha in levels]
    figure, ax = style.figure_and_axes(ax, figsize=(max(6.4, 0.55 * len(groups) + 2.5), 4.0))
    offsets = np.linspace(-0.27, 0.27, len(series)) if len(series) > 1 else [0.0]
    for k, ((test, alternative), rows) in enumerate(series):
        colour, marker = style.LOOKS[k % len(style.LOOKS)]
        rows = rows.set_index(["metric", "alpha"]).loc[groups]
        accuracy = 100 * rows["accuracy"].to_numpy()
        low, high = 100 * rows["resampled_low"], 100 * rows["resampled_high"]
        ax.errorbar(
            np.arange(len(groups)) + offsets[k],
            accuracy,
            yerr=style.ends(accuracy, low, high),
            fmt=marker,
            color=colour,
            markersize=4,
            linewidth=1,
            label=f"{test} ({alternative})",
        )
    ax.set_xticks(range(len(groups)), [f"{alpha:g}" for _, alpha in groups])
    for i, metric in enumerate(metrics):
        centre = i * len(levels) + (len(levels) - 1) / 2
        ax.annotate(
            metric,
            (centre, 0),
            xycoords=("data", "axes fraction"),
            xytext=(0, -28),
            textcoords="offset points",
            ha="center",
            parse_math=False,
        )
        if i:
            ax.axvline(i * len(levels) - 0.5, color=style.MUTED, linewidth=1)
    ax.set_xlabel("level and metric", labelpad=18)
    ax.set_ylabel("conclusions as people's (%)")
    ax.set_ylim(0, 100)
    ax.legend(frameon=False, fontsize="small", loc="lower left")
    style.describe(figure, f"Agreement with people. {grid.sentence}.")
    return figure
