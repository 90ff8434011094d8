"""One figure a campaign: published means and clusters beside adjusted estimates and clusters."""

from __future__ import annotations

import itertools

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mtsig_nb.plots import style

from .comparing import Compared
from .totals import source

#: Inches; at 400 pixels, a letter of a name is about nine pixels high.
WIDTH = 5.2
ROW_HEIGHT = 0.26
REST_OF_HEIGHT = 1.35
#: Where the numbers of the model's clusters stand, in widths of the axes.
BESIDE = 1.03
SHADE = "#ECEEF1"
#: What the circles are, by the source of the organisers' ranking.
MEANS = {
    "published": "raw mean (not used for ranking)",
    "interim": "published mean",
    "stand_in": "plain mean",
}


def draw(campaign: Compared) -> Figure:
    """The organisers' ranking from the top down, with the model's estimates in it."""
    n_rows = len(campaign.standings)
    height = REST_OF_HEIGHT + n_rows * ROW_HEIGHT
    figure, ax = plt.subplots(figsize=(WIDTH, height), layout="constrained")
    _shade_clusters(ax, campaign)
    _draw_means(ax, campaign)
    _draw_estimates(ax, campaign)
    _number_clusters(ax, campaign)
    style.name_rows(ax, list(campaign.standings.index))
    style.without_frame(ax)
    ax.axvline(0, color=style.GREY, lw=0.8, zorder=0)
    ax.set_xlabel("points from the mean of all systems")
    figure.legend(loc="outside upper left", ncols=2)
    return figure


def _shade_clusters(ax: Axes, campaign: Compared) -> None:
    """Every other cluster of the organisers is shaded, with a line below each but the last."""
    cluster = campaign.standings["cluster"].to_numpy()
    is_last = np.diff(cluster) != 0
    ends = np.flatnonzero(is_last) + 0.5
    bottom_of_all = len(cluster) - 0.5
    edges = [-0.5, *ends, bottom_of_all]
    clusters = list(itertools.pairwise(edges))
    for top, bottom in clusters[::2]:
        ax.axhspan(top, bottom, color=SHADE, lw=0, zorder=-2)
    for end in ends:
        ax.axhline(end, color=style.INK, lw=1, zorder=-1)


def _draw_means(ax: Axes, campaign: Compared) -> None:
    """The means by the organisers, as distances from the mean of all systems."""
    means = campaign.standings["mean"]
    distances = means - means.mean()
    rows = np.arange(len(means))
    ax.plot(
        distances,
        rows,
        ls="",
        label=MEANS[source(campaign)],
        zorder=3,
        color=style.INK,
        marker="o",
        mfc="none",
        ms=8.5,
        mew=1.3,
    )


def _draw_estimates(ax: Axes, campaign: Compared) -> None:
    """The model's estimates with their intervals."""
    systems = campaign.systems.loc[campaign.standings.index]
    reach = style.ends(systems["distance"], systems["low"], systems["high"])
    rows = np.arange(len(systems))
    ax.errorbar(
        systems["distance"],
        rows,
        xerr=reach,
        ls="",
        label="adjusted, 95 %",
        zorder=2,
        color=style.BLUE,
        marker="D",
        ms=4.5,
        lw=1.6,
    )


def _number_clusters(ax: Axes, campaign: Compared) -> None:
    """The number of the model's cluster at the right of each row."""
    by_system = campaign.clusters(campaign.by_model_with_holm)
    cluster = by_system[campaign.standings.index]
    by_row = ax.get_yaxis_transform()
    for row, number in enumerate(cluster):
        place = (BESIDE, row)
        ax.annotate(str(number), place, xycoords=by_row, va="center", ha="center")
    ax.annotate(
        "cluster\n(Holm)",
        (BESIDE, -0.6),
        xycoords=by_row,
        va="bottom",
        ha="center",
        fontsize=9,
    )
