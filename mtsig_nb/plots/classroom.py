"""A class together: what all its readers' codes say, as one picture to project."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
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
        On top the readers' shares of preferences for the first system and what coins would make of
        as many decisions; then each reader's 95 % interval (Wilson 1927); then, for each item one
        of whose outputs is worse, the share of the class that preferred the other, and whether the
        metric does.

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
    listed = [
        Entry(line.place, code)
        for line in entries_in(codes)
        for code in line.text.split() or [line.text]
    ]
    if not listed:
        raise InputError("codes: there are none. Give some, or a folder with *.txt of them.")
    table = answers_of(listed, judged)
    said = table[table.isin(names).any(axis=1)]
    decided = said.isin(names).sum(axis=1).to_numpy()
    for_first = (said == names[0]).sum(axis=1).to_numpy()
    if not len(decided):
        raise InputError("codes: none of the readers has preferred anything.")
    order = np.argsort(for_first / decided, kind="stable")
    shares = (for_first / decided)[order]

    figure, axes = plt.subplots(3, 1, figsize=(7.2, 9), layout="constrained")
    bins = np.linspace(-1 / 16, 1 + 1 / 16, 10)
    axes[0].hist(shares, bins, color=style.CALM, label="this class")
    axes[0].plot(
        (bins[1:] + bins[:-1]) / 2, _by_coins(decided, bins), "o", color=style.INK, label="coins"
    )
    axes[0].legend(frameon=False)
    axes[0].set(ylabel="readers", title=f"{len(shares)} readers, and coins in their place")

    low, high = proportion_confint(for_first[order], decided[order], method="wilson")
    all_of_them = for_first.sum() / decided.sum()
    misses = (low > all_of_them) | (high < all_of_them)
    colours = np.where(misses, style.EMPHASIS, style.CALM)
    axes[1].hlines(np.arange(len(shares)), low, high, colors=colours, linewidth=2)
    axes[1].axvline(all_of_them, color=style.INK, linestyle="--", linewidth=1)
    title = f"{misses.sum()} of {len(shares)} intervals miss the share of the whole class"
    axes[1].set(yticks=[], xlim=(0, 1), title=title)
    axes[1].set_xlabel(f"share of preferences for {names[0]}")

    metric = judged.data["metric"]
    worse = {n: item for n, item in enumerate(judged.data["items"], start=1) if item["worse"]}
    found = {n: (table[n] == names[2 - item["worse"]]).mean() for n, item in worse.items()}
    hardest = sorted(found, key=lambda n: (found[n], n))
    agrees = [np.argmin(worse[n]["scores"]) == worse[n]["worse"] - 1 for n in hardest]
    colours = np.where(agrees, style.CALM, style.EMPHASIS)
    axes[2].bar([str(n) for n in hardest], [found[n] for n in hardest], color=colours)
    title = f"Who preferred the better output; {metric} did on {sum(agrees)} items, in blue"
    axes[2].set(ylim=(0, 1), xlabel="item", ylabel="share of the class", title=title)
    style.describe(
        figure,
        f"Three panels: preferences of {len(shares)} readers beside coins; their intervals, of "
        f"which {misses.sum()} miss the dashed line; the items, item {hardest[0]} the hardest.",
    )
    return figure


def _by_coins(decided: IntArray, bins: FloatArray) -> FloatArray:
    """How many readers are expected in each bin if all of them tossed coins."""
    expected = np.zeros(len(bins) - 1)
    for n in decided:
        shares = np.arange(n + 1) / n
        expected += np.histogram(shares, bins, weights=stats.binom.pmf(np.arange(n + 1), n, 0.5))[0]
    return expected
