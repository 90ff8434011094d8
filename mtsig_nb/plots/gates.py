"""How much better or worse each candidate is than the baseline, and the margin of the gate.

Drawing only: every number comes from the table.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ..metrics.base import FloatArray
from . import style
from .rankings import short_names

#: Colour and marker by the verdict; markers differ for print in grey.
_STYLES = {
    "not worse": style.Look(style.CALM, "o"),
    "worse": style.Look(style.EMPHASIS, "X"),
    "cannot tell": style.Look(style.GREY, "s"),
}


def gate(table: pd.DataFrame) -> Figure:
    """A row for each comparison: the difference in margins, with its interval.

    Differences are in margins, so that metrics of unlike scales have one axis: whoever lies right
    of −1 with the whole interval passes.

    Parameters
    ----------
    table : DataFrame
        As of :func:`mtsig_nb.significance.gate.gate_table`.

    Returns
    -------
    Figure
    """
    height = 1.4 + 0.34 * len(table)
    figure, axes = style.figure_and_axes(None, figsize=(6.4, height))
    margin = table["margin"].to_numpy()
    axes.axvline(0, color=style.INK, linewidth=1)
    axes.axvline(-1, color=style.EMPHASIS, linewidth=1, linestyle="--")
    rows = np.arange(len(table))
    low: FloatArray = table["ci_low"].to_numpy() / margin
    high: FloatArray = table["ci_high"].to_numpy() / margin
    difference: FloatArray = table["difference"].to_numpy() / margin
    for verdict, look in _STYLES.items():
        chosen = (table["verdict"] == verdict).to_numpy()
        if not chosen.any():
            continue
        axes.hlines(rows[chosen], low[chosen], high[chosen], color=look.colour, linewidth=2)
        axes.scatter(
            difference[chosen],
            rows[chosen],
            s=30,
            color=look.colour,
            marker=look.marker,
            label=verdict,
        )
    names = table["system_a"].astype(str)
    if table["metric"].nunique() > 1:
        names += ", " + table["metric"]
    style.name_rows(axes, short_names(list(names)))
    baseline = table["system_b"].iloc[0]
    axes.set_xlabel(f"difference from {baseline}, in margins", parse_math=False)
    style.without_frame(axes)
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    n_pass = int((table["verdict"] == "not worse").sum())
    style.describe(
        figure,
        f"Differences of {len(table)} comparisons from {baseline}, in margins, with intervals: "
        f"{n_pass} lie wholly above minus one margin and pass.",
    )
    return figure
