"""Figures about tests: null distributions, p-values against p-values, error rates.

Drawing only: every number comes from a result object or a table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..errors import InputError
from ..significance.histograms import bin_edges, counted_from
from ..significance.results import TestResult, format_pvalue
from . import style


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
    ax.hist(values, edges, color=style.MUTED, label="not counted")
    ax.hist(
        values[extreme],
        edges,
        color=style.EMPHASIS,
        label=f"counted: {int(extreme.sum()):,} of {len(values):,}",
    )
    for x in [edge for edge, _ in counted_from(result)]:
        ax.axvline(x, color=style.INK, linewidth=1.2, linestyle="--")
    ax.axvline(0, color=style.INK, linewidth=0.6)
    ax.set_xlabel(_compared_values(result))
    ax.set_ylabel(f"{result.draws} per bin")
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


def compare_null_distributions(results: Sequence[TestResult], *, bins: int = 60) -> Figure:
    """Null distributions of the same pair under several tests, side by side on common axes.

    Parameters
    ----------
    results : sequence of TestResult
    bins : int

    Returns
    -------
    Figure
        One panel per test.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> pair = "onlineC", "onlineD"
    >>> shuffled = mt.approximate_randomization(bleu, *pair, n_resamples=500, rng=1)
    >>> shifted = mt.bootstrap_test(bleu, *pair, n_resamples=500, rng=1)
    >>> fig = compare_null_distributions([shuffled, shifted])
    >>> len(fig.axes)
    2
    >>> plt.close(fig)
    """
    fig, axes = plt.subplots(
        1,
        len(results),
        figsize=(5.2 * len(results), 3.9),
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for ax, result in zip(axes[0], results, strict=True):
        null_distribution(result, ax=ax, bins=bins)
    for ax in axes[0][1:]:
        ax.set_ylabel("")
    first = results[0]
    fig.suptitle(
        f"{first.system_a} against {first.system_b}: {first.statistic:+.2f} {first.metric} "
        "(dashed: the observed difference)",
        parse_math=False,
    )
    style.describe(
        fig,
        "Null distributions side by side: "
        + "; ".join(f"{r.title}, p = {format_pvalue(r.pvalue)}" for r in results)
        + ".",
    )
    return fig


def pvalue_scatter(
    reference: npt.ArrayLike,
    others: Mapping[str, npt.ArrayLike],
    *,
    reference_name: str = "approximate randomization",
    ax: Axes | None = None,
) -> Figure:
    """p-values of some tests against those of a reference test, pair by pair, on log scales.

    Parameters
    ----------
    reference : array_like, shape (pairs,)
    others : mapping of str to array_like of shape (pairs,)
    reference_name : str
    ax : Axes, optional

    Returns
    -------
    Figure

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig = pvalue_scatter([0.01, 0.2, 0.6], {"as printed": [0.005, 0.1, 0.4]})
    >>> fig.axes[0].get_xlabel()
    'p, approximate randomization (two-sided)'
    >>> plt.close(fig)
    """
    fig, ax = style.figure_and_axes(ax, figsize=(5.6, 5.0))
    x = np.asarray(reference, dtype=np.float64)
    for (name, y), (colour, marker) in zip(others.items(), style.LOOKS, strict=False):
        ax.scatter(x, y, s=34, color=colour, marker=marker, label=name, alpha=0.85, zorder=3)
    everything = np.concatenate([x, *(np.asarray(y, dtype=np.float64) for y in others.values())])
    low = everything[everything > 0].min() * 0.7
    line = np.array([low, 1.0])
    ax.plot(line, line, color=style.INK, linewidth=1, label="equal")
    ax.plot(line, line / 2, color=style.INK, linewidth=1, linestyle="--", label="half")
    ax.set(xscale="log", yscale="log", xlim=(low, 1.3), ylim=(low, 1.3))
    ax.set_xlabel(f"p, {reference_name} (two-sided)")
    ax.set_ylabel("p, the other test (reported as two-sided)")
    ax.legend(loc="upper left", fontsize="small")
    style.describe(fig, f"p-values of {', '.join(others)} against those of {reference_name}.")
    return fig


def error_rates(table: pd.DataFrame, *, level: float, ax: Axes | None = None) -> Figure:
    """Rejection rates with their intervals, beside the level that was promised.

    Parameters
    ----------
    table : DataFrame
        One row per test (its index), with columns rate, low and high.
    level : float
    ax : Axes, optional

    Returns
    -------
    Figure

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import pandas as pd
    >>> rates = pd.DataFrame({"rate": [0.05, 0.1], "low": [0.03, 0.08], "high": [0.07, 0.13]},
    ...                      index=["corrected", "as printed"])
    >>> fig = error_rates(rates, level=0.05)
    >>> fig.axes[0].get_xlabel()
    'share of comparisons called different'
    >>> plt.close(fig)
    """
    check_rates(table)
    fig, ax = style.figure_and_axes(ax, figsize=(7.2, 0.9 + 0.55 * len(table)))
    colours = [style.EMPHASIS if low > level else style.CALM for low in table["low"]]
    ax.barh(
        np.arange(len(table)),
        table["rate"],
        xerr=style.ends(*(table[column] for column in ("rate", "low", "high"))),
        color=colours,
        ecolor=style.INK,
        capsize=3,
        height=0.6,
    )
    ax.axvline(level, color=style.INK, linestyle="--", linewidth=1.2)
    ax.annotate(
        f"promised: {level:g}",
        (level, -0.55),
        xytext=(4, 0),
        textcoords="offset points",
        fontsize="small",
        va="center",
    )
    style.name_rows(ax, list(map(str, table.index)), top=-0.8)
    ax.set_xlim(left=0)
    ax.set_xlabel("share of comparisons called different")
    style.describe(
        fig,
        "Error rates: "
        + "; ".join(f"{name} {rate:.3f}" for name, rate in table["rate"].items())
        + f"; promised {level:g}.",
    )
    return fig


def check_rates(table: pd.DataFrame) -> None:
    """Raise `InputError` unless a table has rates with their limits."""
    missing = {"rate", "low", "high"} - set(table.columns)
    if missing:
        raise InputError(f"table has no column {', '.join(map(repr, sorted(missing)))}.")


def _compared_values(result: TestResult) -> str:
    return f"{result.procedure.axis if result.procedure else 'pseudo-difference'} ({result.metric})"


__all__ = ["compare_null_distributions", "error_rates", "null_distribution", "pvalue_scatter"]
