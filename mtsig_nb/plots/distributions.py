"""Null distributions of one test.

Drawing only: every number comes from a result object.
"""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..errors import InputError
from ..significance.histograms import bin_edges, counted_from
from ..significance.results import PairResult, format_pvalue
from . import style


def null_distribution(result: PairResult, *, ax: Axes | None = None, bins: int = 60) -> Figure:
    """The values that a test compared with the observation, the counted ones filled.

    Parameters
    ----------
    result : PairResult
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
