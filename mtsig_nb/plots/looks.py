"""A campaign as it was looked at: estimates, intervals and the boundary.

Drawing only: every number comes from the result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..errors import InputError
from . import style

if TYPE_CHECKING:
    from ..significance.sequential import SequentialTest

#: With more pairs than these, their names would hide each other.
MOST_NAMED = 10


def looks(
    found: SequentialTest,
    system_a: str | None = None,
    system_b: str | None = None,
    *,
    ax: Axes | Figure | None = None,
) -> Figure:
    """The looks at a pair; for several pairs, all their statistics and the boundary.

    Parameters
    ----------
    found : SequentialTest
    system_a, system_b : str, optional
        The pair whose difference is drawn with its intervals, and with the difference that would be
        enough to stop.  Without them all pairs are drawn in standard errors, if there are several.
    ax : Axes or empty Figure, optional
        Drawn into; a new figure otherwise.

    Returns
    -------
    Figure

    Raises
    ------
    InputError
        If the pair is not among those tested.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import mtsig_nb as mt
    >>> frame = pd.DataFrame(
    ...     [(s, k, k % 9 + (s == "A") * (k % 4)) for k in range(80) for s in "AB"],
    ...     columns=["system", "segment", "score"],
    ... )
    >>> found = mt.sequential_test(frame, planned=80, looks=4, rng=1)
    >>> figure = looks(found)
    >>> figure.axes[0].get_xlabel()
    'segments judged, of 80 planned'
    >>> plt.close(figure)
    """
    figure, axes = style.figure_and_axes(ax)
    table = found.table
    if system_a is not None or system_b is not None:
        is_pair = (table["system_a"] == system_a) & (table["system_b"] == system_b)
        if not is_pair.any():
            raise InputError(
                f"system_a and system_b: {system_a!r} and {system_b!r} are not a pair."
            )
        table = table[is_pair]
    pairs = table[["system_a", "system_b"]].drop_duplicates()
    if len(pairs) == 1:
        _draw_difference(axes, table)
        system_a, system_b = pairs.iloc[0]
        axes.set_ylabel(f"{system_a} better than {system_b} by", parse_math=False)
        about = f"the difference between {system_a} and {system_b}"
    else:
        _draw_statistics(axes, table)
        axes.set_ylabel("difference in standard errors")
        about = f"the differences of {len(pairs)} pairs"
    axes.axhline(0, color=style.INK, linewidth=0.8)
    axes.set_xlim(0, found.planned * 1.03)
    axes.set_xticks(found.looks, minor=True)
    axes.grid(axis="x", which="minor", color=style.MUTED, linewidth=0.5)
    axes.set_xlabel(f"{found.unit} judged, of {found.planned:,} planned")
    style.describe(
        figure,
        f"After {table['n_units'].nunique()} looks: {about}, and the boundary at which the "
        "campaign stops.",
    )
    return figure


def _draw_difference(axes: Axes, table: pd.DataFrame) -> None:
    """A pair's difference with its interval at each look, and the difference that is enough."""
    n_units = table["n_units"]
    difference = table["difference"]
    has_interval = np.isfinite(table["ci_low"]) | np.isfinite(table["ci_high"])
    span = table.loc[has_interval, ["ci_low", "ci_high"]].replace([np.inf, -np.inf], np.nan)
    low = span["ci_low"].fillna(difference)  # open on one side
    high = span["ci_high"].fillna(difference)
    axes.vlines(n_units[has_interval], low, high, color=style.CALM, linewidth=2)
    axes.plot(n_units, difference, "o-", color=style.CALM, linewidth=1, label="difference")
    # The statistic is the difference in standard errors.
    error = (difference / table["statistic"]).where(table["statistic"] != 0)
    enough = (error * table["boundary"]).where(np.isfinite(table["boundary"]))
    for side in (1, -1):
        label = "enough to stop" if side == 1 else None
        axes.plot(n_units, side * enough, "--", color=style.EMPHASIS, linewidth=1, label=label)
    _add_legend(axes)


def _draw_statistics(axes: Axes, table: pd.DataFrame) -> None:
    """All pairs' statistics, those that have crossed in colour, and the boundary of the looks."""
    pairs = table.groupby(["system_a", "system_b"], sort=False)
    for (system_a, system_b), rows in pairs:
        has_crossed = rows["verdict"].isin(["better", "worse"]).any()
        colour = style.CALM if has_crossed else style.GREY
        axes.plot(rows["n_units"], rows["statistic"], "o-", color=colour, linewidth=1, markersize=3)
        if len(pairs) <= MOST_NAMED:
            latest = rows.iloc[-1]
            axes.annotate(
                f"{system_a} – {system_b}",
                (latest["n_units"], latest["statistic"]),
                xytext=(5, 0),
                textcoords="offset points",
                va="center",
                fontsize="small",
                parse_math=False,
            )
    by_look = table.drop_duplicates("look")
    boundary = by_look["boundary"].where(np.isfinite(by_look["boundary"]))
    for side in (1, -1):
        label = "boundary" if side == 1 else None
        axes.plot(by_look["n_units"], side * boundary, "--", color=style.EMPHASIS, label=label)
    _add_legend(axes)


def _add_legend(axes: Axes) -> None:
    """A legend above the axes, where no interval and no name can be."""
    axes.legend(frameon=False, loc="lower right", bbox_to_anchor=(1, 1), ncols=2)
