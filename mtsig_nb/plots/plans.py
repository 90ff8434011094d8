"""What it costs to detect a difference.

Drawing only: every number comes from a table of plans.
"""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..errors import InputError
from . import style

#: The columns of a table of plans that say what is bought.
BOUGHT = ["raters", "documents", "segments", "ratings", "generations", "calls"]


def plans(table: pd.DataFrame, *, wished: float, ax: Axes | None = None) -> Figure:
    """Cost and detectable difference of plans; the cheapest that detects enough is marked.

    Parameters
    ----------
    table : DataFrame
        What :meth:`VarianceComponents.plans` returns.
    wished : float
        The difference that is to be detected.
    ax : Axes, optional
        Drawn into; a new figure otherwise.

    Returns
    -------
    Figure

    Raises
    ------
    InputError
        If none of these plans detects so small a difference.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import mtsig_nb as mt
    >>> ratings = mt.load("wmt23/zh-en").judgements["mqm_ratings"]
    >>> pilot = ratings.variance_components("GPT4-5shot", "ONLINE-W", standardised=False)
    >>> fig = plans(pilot.plans({"rater": 100, "document": 2, "rating": 1}), wished=1)
    >>> print(fig.axes[0].get_title())
    24 raters, 263 documents of 2 segments,
    1 rating of each output: cost 3,978
    >>> plt.close(fig)
    """
    enough = table[table["detectable"] <= wished]
    sharpest = table["detectable"].min()
    if enough.empty:
        raise InputError(f"wished={wished:g}: these detect {sharpest:.3g} at best; raise most=.")
    best = enough.iloc[0]
    fig, ax = style.figure_and_axes(ax)
    ax.step(table["cost"], table["detectable"], where="post", color=style.CALM)
    ax.plot(best["cost"], best["detectable"], "o", color=style.EMPHASIS)
    ax.axhline(wished, color=style.INK, linewidth=1, linestyle="--")
    ax.set(xlabel="cost", ylabel="detectable difference", xscale="log", yscale="log")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter("{x:,g}")
    title = _plan_in_words(best)
    ax.set_title(title)
    style.describe(
        fig,
        f"Detectable differences fall to {sharpest:.3g} while costs rise. The cheapest plan that "
        f"detects {wished:g}: {' '.join(title.split())}.",
    )
    return fig


def _plan_in_words(plan: pd.Series) -> str:
    """What a plan buys and costs, on two lines or three."""
    n = plan[BOUGHT].astype(int)
    ratings = "rating" if n["ratings"] == 1 else "ratings"
    text = (
        f"{n['raters']} raters, {n['documents']} documents of {n['segments']} segments,\n"
        f"{n['ratings']} {ratings} of each output: cost {plan['cost']:,.0f}"
    )
    if n["generations"] * n["calls"] > 1:
        text += f"\n(generations: {n['generations']}, calls for a rating: {n['calls']})"
    return text
