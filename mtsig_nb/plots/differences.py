"""How much better the best system is than each other one, with intervals.

Drawing only: every number comes from the comparisons.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..conclusions.clustering import clusters
from ..conclusions.deciding import Conclusions
from ..metrics.base import Mask
from ..significance.comparisons import Comparisons
from . import style
from .rankings import short_names


def against_best(
    comparisons: Comparisons, *, metric: str | None = None, ax: Axes | Figure | None = None
) -> Figure:
    """Each system's difference from the best one, with its interval and its letters.

    Systems that are distinguished from the best one are dark, others pale.  Systems that share a
    letter are not distinguished from each other.

    Parameters
    ----------
    comparisons : Comparisons
    metric : str, optional
        Needed where there are several.
    ax : Axes or empty Figure, optional
        Drawn into; a new figure otherwise.

    Returns
    -------
    Figure

    Raises
    ------
    InputError
        If there are several metrics and none is named.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU").select(["onlineA", "onlineB", "UPC"])
    >>> figure = against_best(mt.compare_all(bleu, n_resamples=999, rng=1))
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['onlineB', 'UPC', 'onlineA']
    >>> plt.close(figure)
    """
    conclusions = comparisons.conclusions(metric=metric)
    metric = comparisons.metrics[0] if metric is None else metric
    best, *others = conclusions.systems  # best first
    is_worse = np.array([conclusions.conclusion(best, other) == 1 for other in others])
    table = comparisons.table
    is_about_best = (table["metric"] == metric) & (table["system_a"] == best)
    pairs = table[is_about_best].set_index("system_b").reindex(others)

    height = 1.4 + 0.32 * len(conclusions.systems)
    figure, axes = style.figure_and_axes(ax, figsize=(6.4, height))
    axes.axvline(0, color=style.INK, linewidth=1)
    _draw_differences(axes, pairs, is_worse)
    axes.scatter([0], [0], s=30, color=style.INK)  # the best one itself
    style.name_rows(axes, short_names(conclusions.systems))
    _write_letters(axes, conclusions)
    axes.set_xlabel(_axis_label(comparisons, metric), parse_math=False)
    style.without_frame(axes)
    n_worse = int(is_worse.sum())
    style.describe(
        figure,
        f"Differences in {metric} from {best}, the best of {len(conclusions.systems)} systems, "
        f"with intervals: {n_worse} of {len(others)} are distinguished from it.",
    )
    return figure


def _draw_differences(axes: Axes, pairs: pd.DataFrame, is_worse: Mask) -> None:
    """Draw a point and an interval for each other system, below the row of the best one.

    Parameters
    ----------
    axes : Axes
    pairs : DataFrame
        The rows of the comparisons' table of the best system against each other one.
    is_worse : array of bool, shape (pairs,)
        Whether the other system is distinguished from the best one.
    """
    # The table says how much better the best system is; the figure, how much worse the others are.
    difference = -pairs["difference"].to_numpy()
    low = -pairs["ci_high"].to_numpy()
    high = -pairs["ci_low"].to_numpy()
    row = np.arange(1, len(pairs) + 1)
    colours = np.where(is_worse, style.CALM, style.GREY).tolist()
    axes.hlines(row, low, high, colors=colours, linewidth=2)
    is_level = ~is_worse
    axes.scatter(
        difference[is_worse], row[is_worse], s=30, facecolor=style.CALM, edgecolor=style.CALM
    )
    axes.scatter(difference[is_level], row[is_level], s=30, facecolor="white", edgecolor=style.GREY)


def _write_letters(axes: Axes, conclusions: Conclusions) -> None:
    """Write each system's letters at the right of its row."""
    letters = clusters(conclusions).letters()
    for row, system in enumerate(conclusions.systems):
        axes.annotate(
            letters[system],
            (1.02, row),
            xycoords=("axes fraction", "data"),
            verticalalignment="center",
            annotation_clip=False,
        )


def _axis_label(comparisons: Comparisons, metric: str) -> str:
    """What the axis shows, and which intervals are drawn if any are."""
    label = f"{metric}: how much better or worse than the best"
    if comparisons.confidence_level is None:
        return label
    return f"{label}, with {100 * comparisons.confidence_level:g} % intervals"
