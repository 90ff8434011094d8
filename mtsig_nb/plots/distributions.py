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
    """The values that a test compared with the observation, those that it counted in colour.

    Parameters
    ----------
    result : PairResult
        Of a resampling test.
    ax : Axes, optional
        Drawn into; a new figure otherwise.
    bins : int
        About how many bins there are.

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
    values = np.clip(result.null_distribution, edges[0], edges[-1])
    counted = values[result.extreme]
    for drawn, colour in ((values, style.MUTED), (counted, style.EMPHASIS)):
        heights, _ = np.histogram(drawn, edges)
        ax.stairs(heights, edges, fill=True, color=colour)
    for threshold, _ in counted_from(result):
        ax.axvline(threshold, color=style.INK, linewidth=1.2, linestyle="--")
    ax.axvline(0, color=style.INK, linewidth=0.6)
    axis = result.procedure.axis if result.procedure else "pseudo-difference"
    ax.set(xlabel=f"{axis} ({result.metric})", ylabel=f"{result.draws} per bin")
    p = format_pvalue(result.pvalue)
    ax.set_title(
        f"{result.title}, {result.alternative}\n"
        f"{len(counted):,} of {len(values):,} counted: p = {p}"
    )
    ax.margins(x=0.02)
    ax.set_ylim(top=ax.get_ylim()[1] * 1.1)
    style.describe(
        fig,
        f"Histogram of {len(values):,} values for the {result.title} of {result.system_a} against "
        f"{result.system_b}; {len(counted):,} are counted, p = {p}.",
    )
    return fig


def bin_edges(result: PairResult, bins: int = 60) -> FloatArray:
    """Edges of bins whose values are all counted or all not.

    There is an edge just inside each threshold, so that values that are equal to the threshold are
    in a bin that is counted.  Values at infinity, from resamples without a standard error, belong
    into the outermost bins.

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
    edges: list[float] = []
    for low, high in itertools.pairwise(marks):
        n_bins = max(1, round((high - low) / width))
        edges.extend(np.linspace(low, high, n_bins, endpoint=False))
    # The last edge lies a little beyond the largest value, in spite of rounding.
    edges.append(reach * (1 + 1e-12))
    return np.array(edges)


def counted_from(result: PairResult) -> list[tuple[float, int]]:
    """The thresholds from which values are counted, each with its side.

    A side of 1 means that values at or above the threshold are counted, -1 those at or below it.
    Of a test whose p-value is twice the smaller tail, it is the threshold of that tail.
    """
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
    """The largest distance from zero of a finite value or of the observation."""
    distances = np.abs([*result.null_distribution, result.observed])
    largest = distances.max(initial=0.0, where=np.isfinite(distances))
    return max(float(largest), 1e-12)
