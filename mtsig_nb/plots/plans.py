"""What it costs to detect a difference.

Drawing only: every number comes from a table of plans.
"""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..errors import InputError
from . import style

#: The columns of a table of plans that say what is bought, all of them numbers of things.
_QUANTITIES = ["raters", "documents", "segments", "ratings", "generations", "calls"]


def plans(table: pd.DataFrame, *, wished: float, ax: Axes | None = None) -> Figure:
    """Cost and detectable difference of plans; the cheapest that detects enough is marked.

    Parameters
    ----------
    table : DataFrame
        What :meth:`VarianceComponents.plans` returns.
    wished : float
        The difference to detect.
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
    detectable = table["detectable"]
    smallest = detectable.min()
    is_enough = detectable <= wished
    if not is_enough.any():
        raise InputError(
            f"wished={wished:g}: these plans detect {smallest:.3g} at best; raise most=."
        )
    cheapest = table[is_enough].iloc[0]  # plans come in order of their costs

    figure, axes = style.figure_and_axes(ax)
    axes.step(table["cost"], detectable, where="post", color=style.CALM)
    axes.plot(cheapest["cost"], cheapest["detectable"], "o", color=style.EMPHASIS)
    axes.axhline(wished, color=style.INK, linewidth=1, linestyle="--")
    axes.set(xlabel="cost", ylabel="detectable difference", xscale="log", yscale="log")
    axes.xaxis.set_major_formatter("{x:,g}")
    axes.yaxis.set_major_formatter("{x:,g}")
    title = _plan_in_words(cheapest)
    axes.set_title(title)
    style.describe(
        figure,
        f"Detectable differences fall to {smallest:.3g} while costs rise. The cheapest plan that "
        f"detects {wished:g}: {' '.join(title.split())}.",
    )
    return figure


def _plan_in_words(plan: pd.Series) -> str:
    """What a plan buys and costs, on two lines or three.

    `plan` is a row of the table of plans.  The third line is there if systems generate a segment
    more than once, or a judge is called more than once for a rating.
    """
    n = plan[_QUANTITIES].astype(int)
    ratings = "rating" if n["ratings"] == 1 else "ratings"
    text = (
        f"{n['raters']} raters, {n['documents']} documents of {n['segments']} segments,\n"
        f"{n['ratings']} {ratings} of each output: cost {plan['cost']:,.0f}"
    )
    if n["generations"] * n["calls"] > 1:
        text += f"\n(generations: {n['generations']}, calls for a rating: {n['calls']})"
    return text
