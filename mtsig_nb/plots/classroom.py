"""A class together: what all its readers' codes say, as one picture to project."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from ..components import Component
from ..components.codes import Codes, Entry, answers_of, entries_in
from ..components.judge import planted, quiz
from ..errors import InputError
from ..metrics.base import FloatArray, IntArray
from . import style


def classroom(codes: Codes, judged: Component | None = None) -> Figure:
    """Every reader's preferences beside fair coins, an interval each, and the items.

    Parameters
    ----------
    codes : sequence of str, or path
        Codes of :func:`be_the_judge`, or a folder of text files with one or several in each, one
        a line.  Codes and files that cannot be read are left out, each with a warning.
    judged : Component, optional
        What they have judged, as :func:`be_the_judge` gives it; by default the items of the course.

    Returns
    -------
    Figure
        Three panels.  The first is a histogram of the readers' shares of preferences for the first
        system, beside what tossed coins would give for as many decisions.  The second has each
        reader's 95 % interval (Wilson 1927).  The third is about the items of which one output is
        known to be worse: the share of the class that preferred the other, and whether the metric
        does.

    Raises
    ------
    InputError
        If there are no codes, none of them is one of this page, or nobody has decided anything.

    Examples
    --------
    >>> figure = classroom(["NN3VN3VGN2D"])
    Traceback (most recent call last):
    ...
    mtsig_nb.errors.InputError: codes: number 1, 'NN3VN3VGN2D', is not a code of this page, which \
has 11 letters and digits; copy it again.
    """
    judged = judged or quiz(planted(), n_resamples=500)
    names = judged.data["names"]
    entries = _one_code_each(codes)
    if not entries:
        raise InputError("codes: there are none. Give some, or a folder with *.txt files of them.")
    answers = answers_of(entries, judged)
    is_preference = answers.isin(names)
    has_decided = is_preference.any(axis=1)
    if not has_decided.any():
        raise InputError("codes: none of the readers has preferred anything.")
    n_decided = is_preference[has_decided].sum(axis=1).to_numpy()
    n_first = (answers[has_decided] == names[0]).sum(axis=1).to_numpy()
    by_share = np.argsort(n_first / n_decided, kind="stable")

    figure, axes = plt.subplots(3, 1, figsize=(7.2, 9), layout="constrained")
    _draw_shares(axes[0], n_first, n_decided)
    n_misses = _draw_intervals(axes[1], n_first[by_share], n_decided[by_share], names[0])
    hardest = _draw_items(axes[2], answers, judged)
    style.describe(
        figure,
        f"Three panels: preferences of {len(n_decided)} readers beside coins; their intervals, of "
        f"which {n_misses} miss the dashed line; the items, item {hardest} the hardest.",
    )
    return figure


def _one_code_each(codes: Codes) -> list[Entry]:
    """An entry for each code that was handed in; a line may have several.

    An empty line stays one entry, so that it is warned of.
    """
    entries = []
    for line in entries_in(codes):
        texts = line.text.split() or [line.text]
        for text in texts:
            entries.append(Entry(line.place, text))
    return entries


def _draw_shares(ax: Axes, n_first: IntArray, n_decided: IntArray) -> None:
    """Draw a histogram of the readers' shares of preferences for the first system, beside coins."""
    # There are nine bins, around 0, 1/8, 2/8, ..., 1.
    edges = np.linspace(-1 / 16, 1 + 1 / 16, 10)
    centres = (edges[1:] + edges[:-1]) / 2
    ax.hist(n_first / n_decided, edges.tolist(), color=style.CALM, label="this class")
    ax.plot(centres, _expected_of_coins(n_decided, edges), "o", color=style.INK, label="coins")
    ax.legend(frameon=False)
    ax.set(ylabel="readers", title=f"{len(n_decided)} readers, and coins in their place")


def _expected_of_coins(n_decided: IntArray, edges: FloatArray) -> FloatArray:
    """How many readers are expected in each bin of shares if all of them tossed coins.

    Parameters
    ----------
    n_decided : array of int, shape (readers,)
        How many coins each reader tosses.
    edges : array of float, shape (bins + 1,)
    """
    expected = np.zeros(len(edges) - 1)
    for n_tosses in n_decided:
        heads = np.arange(n_tosses + 1)
        probabilities = stats.binom.pmf(heads, n_tosses, 0.5)
        in_bins, _ = np.histogram(heads / n_tosses, edges, weights=probabilities)
        expected += in_bins
    return expected


def _draw_intervals(ax: Axes, n_first: IntArray, n_decided: IntArray, name: str) -> int:
    """Draw each reader's interval; return how many of them miss the share of the whole class.

    The share is that of the preferences for the first system, which is called `name`.
    """
    low, high = proportion_confint(n_first, n_decided, method="wilson")
    share_of_class = n_first.sum() / n_decided.sum()
    misses = (low > share_of_class) | (high < share_of_class)
    n_misses = int(misses.sum())
    colours = np.where(misses, style.EMPHASIS, style.CALM).tolist()
    ax.hlines(np.arange(len(n_first)), low, high, colors=colours, linewidth=2)
    ax.axvline(share_of_class, color=style.INK, linestyle="--", linewidth=1)
    title = f"{n_misses} of {len(n_first)} intervals miss the share of the whole class"
    ax.set(yticks=[], xlim=(0, 1), title=title)
    ax.set_xlabel(f"share of preferences for {name}")
    return n_misses


def _draw_items(ax: Axes, answers: pd.DataFrame, judged: Component) -> int:
    """Draw the share of the class that preferred the better output, by item; return the hardest.

    Only items of which one output is known to be worse are drawn, by their numbers from 1.
    """
    names = judged.data["names"]
    shares = {}
    metric_agrees = {}
    for number, item in enumerate(judged.data["items"], start=1):
        if not item["worse"]:  # neither output is known to be
            continue
        worse = item["worse"] - 1  # the outputs are counted from 1
        better = 1 - worse
        is_right = answers[number] == names[better]
        shares[number] = is_right.mean()
        metric_agrees[number] = np.argmin(item["scores"]) == worse
    hardest_first = sorted(shares, key=lambda number: (shares[number], number))
    labels = [str(number) for number in hardest_first]
    heights = [shares[number] for number in hardest_first]
    agrees = [metric_agrees[number] for number in hardest_first]
    ax.bar(labels, heights, color=np.where(agrees, style.CALM, style.EMPHASIS))
    metric = judged.data["metric"]
    title = f"Who preferred the better output; {metric} did on {sum(agrees)} items, in blue"
    ax.set(ylim=(0, 1), xlabel="item", ylabel="share of the class", title=title)
    return hardest_first[0]
