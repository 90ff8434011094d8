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

from ..components.judge import SYSTEMS, items, read_codes
from ..errors import InputError
from ..metrics.base import FloatArray
from . import style


def classroom(codes: Sequence[str] | str | os.PathLike[str]) -> Figure:
    """Every reader's preferences beside fair coins, an interval each, and the items.

    Parameters
    ----------
    codes : sequence of str, or path
        Codes of :func:`be_the_judge`, or a folder of text files with one or several in each, one
        a line.

    Returns
    -------
    Figure
        On top the readers' shares of preferences for Ash and what coins would make of as many
        decisions; then each reader's 95 % interval (Wilson 1927); then, for each item with a
        planted fault, the share of the class that preferred the output without it.

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
    table = read_codes(_listed(codes))
    said = table[table.isin(SYSTEMS).any(axis=1)]
    decided = said.isin(SYSTEMS).sum(axis=1).to_numpy()
    for_ash = (said == SYSTEMS[0]).sum(axis=1).to_numpy()
    if not len(decided):
        raise InputError("codes: none of the readers has preferred anything.")
    order = np.argsort(for_ash / decided, kind="stable")
    shares = (for_ash / decided)[order]

    figure, axes = plt.subplots(3, 1, figsize=(7.2, 9), layout="constrained")
    bins = np.linspace(-1 / 16, 1 + 1 / 16, 10)
    axes[0].hist(shares, bins, color=style.CALM, label="this class")
    axes[0].plot(
        (bins[1:] + bins[:-1]) / 2, _by_coins(decided, bins), "o", color=style.INK, label="coins"
    )
    axes[0].legend(frameon=False)
    axes[0].set(ylabel="readers", title=f"{len(shares)} readers, and coins in their place")

    low, high = np.array(
        [
            stats.binomtest(int(k), int(n)).proportion_ci(0.95, "wilson")
            for k, n in zip(for_ash[order], decided[order], strict=True)
        ]
    ).T
    all_of_them = for_ash.sum() / decided.sum()
    misses = (low > all_of_them) | (high < all_of_them)
    colours = np.where(misses, style.EMPHASIS, style.CALM)
    axes[1].hlines(np.arange(len(shares)), low, high, colors=colours, linewidth=2)
    axes[1].axvline(all_of_them, color=style.INK, linestyle="--", linewidth=1)
    title = f"{misses.sum()} of {len(shares)} intervals miss the share of the whole class"
    axes[1].set(yticks=[], xlim=(0, 1), title=title)
    axes[1].set_xlabel("share of preferences for Ash")

    faulty = [(n, item) for n, item in enumerate(items(), start=1) if item["worse"]]
    found = {n: (table[n] == _other(item["worse"])).mean() for n, item in faulty}
    hardest = sorted(found, key=lambda n: (found[n], n))
    axes[2].bar([str(n) for n in hardest], [found[n] for n in hardest], color=style.CALM)
    axes[2].set(ylim=(0, 1), xlabel="item", title="Who preferred the output without the fault")
    axes[2].set_ylabel("share of the class")
    style.describe(
        figure,
        f"Three panels: preferences of {len(shares)} readers beside coins; their intervals, of "
        f"which {misses.sum()} miss the dashed line; the items, item {hardest[0]} the hardest.",
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


def _other(system: str) -> str:
    return next(name for name in SYSTEMS if name.lower() != system)
