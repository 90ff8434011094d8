"""Null distributions of one test.

Drawing only: every number comes from a result object.
"""

from __future__ import annotations

import itertools

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..engine.procedures import Procedure
from ..errors import InputError
from ..metrics.base import FloatArray
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
    edges = bin_edges(result, bins).tolist()
    extreme = result.extreme
    values = np.clip(result.null_distribution, edges[0], edges[-1])
    for drawn, colour in ((values, style.MUTED), (values[extreme], style.EMPHASIS)):
        heights, _ = np.histogram(drawn, edges)
        ax.stairs(heights, edges, fill=True, color=colour)
    for x, _ in counted_from(result):
        ax.axvline(x, color=style.INK, linewidth=1.2, linestyle="--")
    ax.axvline(0, color=style.INK, linewidth=0.6)
    axis = result.procedure.axis if result.procedure else "pseudo-difference"
    ax.set(xlabel=f"{axis} ({result.metric})", ylabel=f"{result.draws} per bin")
    ax.set_title(
        f"{result.title}, {result.alternative}\n{int(extreme.sum()):,} of {len(values):,} counted: "
        f"p = {format_pvalue(result.pvalue)}"
    )
    ax.margins(x=0.02)
    ax.set_ylim(top=ax.get_ylim()[1] * 1.1)
    style.describe(
        fig,
        f"Histogram of {len(values):,} values for the {result.title} of {result.system_a} against "
        f"{result.system_b}; {int(extreme.sum()):,} are counted, "
        f"p = {format_pvalue(result.pvalue)}.",
    )
    return fig


def bin_edges(result: PairResult, bins: int = 60) -> FloatArray:
    """Edges just inside the thresholds: no bin is half counted, ties lie with the counted.

    What is infinitely far away, without a standard error, belongs into the outermost bins.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> r = mt.bootstrap_test(bleu, "onlineC", "onlineD", n_resamples=500, rng=1)
    >>> edges = bin_edges(r)
    >>> counted = np.histogram(r.null_distribution[r.extreme], edges)[0]
    >>> others = np.histogram(r.null_distribution[~r.extreme], edges)[0]
    >>> bool((counted * others == 0).all())
    True
    """
    reach = _reach(result)
    hair = 1e-9 * reach
    inside = {threshold - side * hair for threshold, side in counted_from(result)}
    marks = sorted(inside | {-reach, reach})
    width = 2 * reach / bins
    parts = [
        np.linspace(low, high, max(1, round((high - low) / width)) + 1)[:-1]
        for low, high in itertools.pairwise(marks)
    ]
    return np.concatenate([*parts, [reach * (1 + 1e-12)]])


def counted_from(result: PairResult) -> list[tuple[float, int]]:
    """Where counting begins, and on which side: of the smaller tail where p is twice that."""
    procedure = result.procedure or Procedure()
    tails = procedure.tails(result.alternative)
    reach = _reach(result)
    observed = min(max(result.observed, -reach), reach)
    edges_of_tails = [procedure.edges(observed, tail) for tail in tails]
    if len(edges_of_tails) == 1:
        return edges_of_tails[0]
    counted = result.null_distribution[result.extreme]
    others = result.null_distribution[~result.extreme]
    is_below = counted.max(initial=-np.inf) <= others.min(initial=np.inf)
    for edges in edges_of_tails:
        _, side = edges[0]
        if (side < 0) == is_below:
            return edges
    raise AssertionError("one of two tails is on either side")


def _reach(result: PairResult) -> float:
    """How far from zero there is something to draw."""
    values = np.abs([*result.null_distribution, result.observed])
    return max(float(values.max(initial=0.0, where=np.isfinite(values))), 1e-12)
