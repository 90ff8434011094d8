"""A class together: what all its readers' codes say, as one picture to project."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure
from scipy import stats

from ..components import Component
from ..components.codes import answers_of
from ..components.judge import planted, quiz
from ..errors import InputError
from ..metrics.base import FloatArray
from . import style


def classroom(
    codes: Sequence[str] | str | os.PathLike[str], judged: Component | None = None
) -> Figure:
    """Every reader's preferences beside fair coins, and the items.

    Parameters
    ----------
    codes : sequence of str, or path
        Codes of :func:`be_the_judge`, or a folder of text files with one or several in each, one
        a line.
    judged : Component, optional
        What they have judged, as :func:`be_the_judge` gives it; by default the items of the course.

    Returns
    -------
    Figure
        On top the readers' shares of preferences for the first system and what coins would make of
        as many decisions; then, for each item one of whose outputs is worse, the share of the
        class that preferred the other, and whether the metric does.

    Raises
    ------
    InputError
        If there are no codes, one has been mistyped, or nobody has decided anything.

    Examples
    --------
    >>> figure = classroom(["N3VGN3VGN2Q", "NN3VN3VGN2D"])
    Traceback (most recent call last):
    ...
    mtsig_nb.errors.InputError: codes: number 2, 'NN3VN3VGN2D', is not a code of this page, which \
has 11 letters and digits; copy it again.
    """
    judged = judged or quiz(planted(), n_resamples=500)
    names = judged.data["names"]
    table = answers_of(_listed(codes), judged)
    said = table[table.isin(names).any(axis=1)]
    decided = said.isin(names).sum(axis=1).to_numpy()
    for_first = (said == names[0]).sum(axis=1).to_numpy()
    if not len(decided):
        raise InputError("codes: none of the readers has preferred anything.")
    n_readers = len(decided)

    figure, axes = plt.subplots(2, 1, figsize=(7.2, 6.4), layout="constrained")
    bins = np.linspace(-1 / 16, 1 + 1 / 16, 10)
    axes[0].hist(for_first / decided, bins, color=style.CALM, label="this class")
    axes[0].plot(
        (bins[1:] + bins[:-1]) / 2, _by_coins(decided, bins), "o", color=style.INK, label="coins"
    )
    axes[0].legend(frameon=False)
    axes[0].set(ylabel="readers", title=f"{n_readers} readers, and coins in their place")
    axes[0].set_xlabel(f"share of preferences for {names[0]}")

    metric = judged.data["metric"]
    worse = {n: item for n, item in enumerate(judged.data["items"], start=1) if item["worse"]}
    found = {n: (table[n] == names[2 - item["worse"]]).mean() for n, item in worse.items()}
    hardest = sorted(found, key=lambda n: (found[n], n))
    agrees = [np.argmin(worse[n]["scores"]) == worse[n]["worse"] - 1 for n in hardest]
    colours = np.where(agrees, style.CALM, style.EMPHASIS)
    axes[1].bar([str(n) for n in hardest], [found[n] for n in hardest], color=colours)
    title = f"Who preferred the better output; {metric} did on {sum(agrees)} items, in blue"
    axes[1].set(ylim=(0, 1), xlabel="item", ylabel="share of the class", title=title)
    style.describe(
        figure,
        f"Two panels: preferences of {n_readers} readers beside coins; the items, item "
        f"{hardest[0]} the hardest.",
    )
    return figure


def _listed(codes: Sequence[str] | str | os.PathLike[str]) -> list[str]:
    if isinstance(codes, (str, os.PathLike)):
        files = sorted(path for path in Path(codes).iterdir() if path.suffix == ".txt")
        codes = [line for file in files for line in file.read_text("utf-8").split()]
    if not codes:
        raise InputError("codes: there are none. Give some, or a folder with *.txt of them.")
    return list(codes)


def _by_coins(decided: npt.NDArray[np.int64], bins: FloatArray) -> FloatArray:
    """How many readers are expected in each bin if all of them tossed coins."""
    expected = np.zeros(len(bins) - 1)
    for n in decided:
        shares = np.arange(n + 1) / n
        expected += np.histogram(shares, bins, weights=stats.binom.pmf(np.arange(n + 1), n, 0.5))[0]
    return expected
