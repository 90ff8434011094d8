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
    """The values that a test compared with the observation; those that it counted are in colour.

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
    figure, axes = style.figure_and_axes(ax)
    edges = bin_edges(result, bins).tolist()
    values = np.clip(result.null_distribution, edges[0], edges[-1])
    counted = values[result.extreme]
    _draw_histogram(axes, values, edges, style.MUTED)
    _draw_histogram(axes, counted, edges, style.EMPHASIS)
    for threshold, _ in thresholds(result):
        axes.axvline(threshold, color=style.INK, linewidth=1.2, linestyle="--")
    axes.axvline(0, color=style.INK, linewidth=0.6)
    kind_of_value = result.procedure.axis if result.procedure else "pseudo-difference"
    axes.set(xlabel=f"{kind_of_value} ({result.metric})", ylabel=f"{result.draws} per bin")
    p = format_pvalue(result.pvalue)
    axes.set_title(
        f"{result.title}, {result.alternative}\n"
        f"{len(counted):,} of {len(values):,} counted: p = {p}"
    )
    axes.margins(x=0.02)
    _, highest = axes.get_ylim()
    axes.set_ylim(top=highest * 1.1)
    style.describe(
        figure,
        f"Histogram of {len(values):,} values for the {result.title} of {result.system_a} against "
        f"{result.system_b}; {len(counted):,} are counted, p = {p}.",
    )
    return figure


def _draw_histogram(axes: Axes, values: FloatArray, edges: list[float], colour: str) -> None:
    """Draw how many values are in each bin, as one filled shape."""
    heights, _ = np.histogram(values, edges)
    axes.stairs(heights, edges, fill=True, color=colour)


def bin_edges(result: PairResult, bins: int = 60) -> FloatArray:
    """Edges of bins whose values are all counted or all not.

    An edge lies a little before each threshold, so that values equal to the threshold fall into a
    bin that is counted.  Values at infinity, from resamples without a standard error, belong into
    the outermost bins.

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
    hairbreadth = 1e-9 * reach
    # No bin may extend across these.
    borders = {-reach, reach}
    for threshold, side in thresholds(result):
        borders.add(threshold - side * hairbreadth)
    width = 2 * reach / bins
    edges: list[float] = []
    for low, high in itertools.pairwise(sorted(borders)):
        n_bins = max(1, round((high - low) / width))
        edges.extend(np.linspace(low, high, n_bins, endpoint=False))
    # The last edge lies a little beyond the largest value, in spite of rounding.
    edges.append(reach * (1 + 1e-12))
    return np.array(edges)


def thresholds(result: PairResult) -> list[tuple[float, int]]:
    """The values from which the test counts, each with the side on which it counts.

    The side is 1 where values at or above the threshold are counted, -1 where those at or below it
    are.  Of a test whose p-value is twice the smaller tail, the threshold is that of this tail.
    """
    procedure = result.procedure or Procedure()  # any other test counts as most procedures do
    reach = _reach(result)
    observed = min(max(result.observed, -reach), reach)
    tails = procedure.tails(result.alternative)
    by_tail = [procedure.edges(observed, tail) for tail in tails]
    if len(by_tail) == 1:
        return by_tail[0]
    counted = result.null_distribution[result.extreme]
    others = result.null_distribution[~result.extreme]
    counts_below = counted.max(initial=-np.inf) <= others.min(initial=np.inf)
    for thresholds_of_tail in by_tail:
        _, side = thresholds_of_tail[0]
        if (side < 0) == counts_below:
            return thresholds_of_tail
    raise AssertionError("one of two tails is on either side")


def _reach(result: PairResult) -> float:
    """The largest distance from zero, of the finite values and of the observation; never 0."""
    distances = np.abs([*result.null_distribution, result.observed])
    largest = distances.max(initial=0.0, where=np.isfinite(distances))
    return max(float(largest), 1e-12)
