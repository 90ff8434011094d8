"""Figures about conclusions: heatmaps of all pairs, and clusters.

Drawing only: p-values and clusters come with the objects that are drawn.  Names of systems are
plain text, so that matplotlib takes no ``$`` in them for mathematics.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, ListedColormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from ..conclusions.clustering import Clusters, best_first
from ..conclusions.deciding import Conclusions
from ..errors import InputError
from ..metrics.base import FloatArray, IntArray
from . import style

_PALE = "#F3F4F6"  # cells in which no system is better, and every second row of clusters
_DIAGONAL = style.MUTED
_INCHES_PER_CHARACTER = 0.085  # of the labels' font, a little more than most names need
_LIGHT_TO_DARK = LinearSegmentedColormap.from_list("shades", ["#BFDDF2", "#4A98CB", "#06304F"])
_LEVELS = (0.05, 0.01, 0.001)  # p-values at which a cell gets darker


def heatmap(conclusions: Conclusions, *, ax: Axes | Figure | None = None) -> Figure:
    """All pairs at a glance, after Graham et al. (2014), Figure 8.

    A cell is filled where the row's system is significantly better than the column's, darker for
    smaller p-values.  Systems are sorted by score, best first (by wins minus losses if there are
    no scores).  If every conclusion agrees with this order, only the upper triangle is filled.

    Parameters
    ----------
    conclusions : Conclusions
        The conclusions decide which cells are filled; without p-values there is one shade.
    ax : Axes or empty Figure, optional
        Drawn into; a new figure otherwise.

    Returns
    -------
    Figure

    Raises
    ------
    InputError
        If there are no systems.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from mtsig_nb import Conclusions
    >>> c = Conclusions.from_pairs({("A", "B"): 0, ("B", "C"): 0, ("A", "C"): 1})
    >>> fig = heatmap(c)
    >>> [tick.get_text() for tick in fig.axes[0].get_yticklabels()]
    ['A', 'B', 'C']
    >>> plt.close(fig)
    """
    if not conclusions.systems:
        raise InputError("conclusions: there are no systems to draw.")
    ranked = best_first(conclusions)
    column_names = short_names(ranked.systems)
    row_names = _with_scores(column_names, ranked.scores)
    n_systems = len(ranked.systems)
    size_of_grid = max(0.3 * n_systems, 1.4)  # in inches, as all that follows
    width_of_legend = 2.1
    height_of_title = 0.8
    width = size_of_grid + _width_of(row_names) + width_of_legend
    height = size_of_grid + _width_of(column_names) + height_of_title
    figure, axes = style.figure_and_axes(ax, figsize=(max(6.4, width), height))

    levels = _darker_levels(ranked)
    labels = _labels_of_shades(ranked, levels)
    colours = _colours_of_shades(len(labels))
    _draw_cells(axes, _shades(ranked, levels), colours)
    _mark_unresolved(axes, ranked)
    centres = np.arange(n_systems) + 0.5
    axes.set_yticks(centres, row_names, parse_math=False)
    axes.set_xticks(centres, column_names, rotation=90, parse_math=False)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.legend(
        handles=_legend_of_shades(colours, labels, has_unresolved=bool(ranked.unresolved)),
        loc="upper left",
        bbox_to_anchor=(1.02, 1.0),
        borderaxespad=0,
        frameon=False,
    )
    source = _source_and_level(conclusions)
    is_own_figure = not isinstance(ax, Axes)
    title = "Row significantly better than column"
    _write_title(figure, axes, title, source, over_whole_figure=is_own_figure)
    style.describe(figure, _heatmap_in_words(ranked, source))
    return figure


def _darker_levels(conclusions: Conclusions) -> list[float]:
    """The levels below that of the conclusions; a cell gets darker at each that its p reaches."""
    if conclusions.pvalues is None:
        return []
    level_of_conclusions = conclusions.alpha
    if level_of_conclusions is None:
        level_of_conclusions = _LEVELS[0]
    return [level for level in _LEVELS if level < level_of_conclusions]


def _shades(conclusions: Conclusions, levels: Sequence[float]) -> IntArray:
    """The shade of each cell, of shape (systems, systems).

    It is 0 where the row's system is not better than the column's; where it is, 1, and 1 more for
    each of the `levels` that p reaches.
    """
    is_better = conclusions.matrix == 1
    shades = is_better.astype(np.int64)
    if conclusions.pvalues is not None:
        for level in levels:
            shades += is_better & (conclusions.pvalues <= level)
    return shades


def _labels_of_shades(conclusions: Conclusions, levels: Sequence[float]) -> list[str]:
    """What the shades 1, 2, ... stand for."""
    if conclusions.alpha is None:
        first_label = "better"
    elif conclusions.pvalues is None:
        first_label = f"at {conclusions.alpha:g}"
    else:
        first_label = f"p ≤ {conclusions.alpha:g}"
    return [first_label, *(f"p ≤ {level:g}" for level in levels)]


def _colours_of_shades(n_shades: int) -> list[Any]:
    """Colours from light to dark, which lightness alone tells apart; a single one is plain blue."""
    if n_shades == 1:
        return [style.BLUE]
    return list(_LIGHT_TO_DARK(np.linspace(0, 1, n_shades)))


def _draw_cells(axes: Axes, shades: IntArray, colours: Sequence[Any]) -> None:
    """Draw the cells, the first row at the top, the diagonal in grey.

    Shade 0 is pale; the shades 1, 2, ... have the `colours`.
    """
    on_diagonal = np.eye(len(shades), dtype=bool)
    colormap = ListedColormap([_PALE, *colours]).with_extremes(bad=_DIAGONAL)
    axes.pcolormesh(
        np.ma.masked_where(on_diagonal, shades),
        cmap=colormap,
        vmin=-0.5,
        vmax=len(colours) + 0.5,
        edgecolors="white",
        linewidth=1.0,
    )
    axes.invert_yaxis()


def _mark_unresolved(axes: Axes, ranked: Conclusions) -> None:
    """Write a question mark into both cells of every pair that needs more resamples."""
    for a, b in ranked.unresolved:
        for row, column in ((a, b), (b, a)):
            x = ranked.index(column) + 0.5
            y = ranked.index(row) + 0.5
            axes.text(x, y, "?", ha="center", va="center", color=style.INK, fontsize="small")


def _legend_of_shades(
    colours: Iterable[Any], labels: Sequence[str], *, has_unresolved: bool
) -> list[Artist]:
    """The entries of the legend: what each colour stands for, and the question mark if any is."""
    handles: list[Artist] = []
    for colour, label in zip(colours, labels, strict=True):
        handles.append(Patch(color=colour, label=label))
    handles.append(Patch(facecolor=_PALE, edgecolor=style.MUTED, label="not shown better"))
    if has_unresolved:
        label = "more resamples needed"
        handles.append(Line2D([], [], ls="", marker="$?$", color=style.INK, label=label))
    return handles


def _heatmap_in_words(ranked: Conclusions, source: str) -> str:
    """What a reader who cannot see the heatmap should know."""
    n_systems = len(ranked.systems)
    n_pairs = n_systems * (n_systems - 1) // 2
    n_distinguished = int((ranked.matrix == 1).sum())  # of a pair, one is the better
    unresolved = ""
    if ranked.unresolved:
        unresolved = f", {len(ranked.unresolved)} need more resamples"
    return (
        f"Heatmap of {n_systems} systems, {source}: {n_distinguished} of {n_pairs} pairs are "
        f"distinguished{unresolved}. Best to worst: {', '.join(ranked.systems)}."
    )


def cluster_diagram(clusters: Clusters, *, ax: Axes | Figure | None = None) -> Figure:
    """Clusters as overlapping bars, best at the left, after Stroppa & Owczarzak (2007), Figure 1.

    Each bar joins systems that are pairwise indistinguishable; where it passes a system that is not
    in its cluster, it thins to a line.  The letters are those of ``clusters.letters()``.

    Parameters
    ----------
    clusters : Clusters
    ax : Axes or empty Figure, optional
        Drawn into; a new figure otherwise.

    Returns
    -------
    Figure

    Raises
    ------
    InputError
        If there are no systems.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from mtsig_nb import Conclusions, clusters
    >>> c = Conclusions.from_pairs({("A", "B"): 0, ("B", "C"): 0, ("A", "C"): 1})
    >>> fig = cluster_diagram(clusters(c))
    >>> len(fig.axes)
    1
    >>> plt.close(fig)
    """
    if not clusters.systems:
        raise InputError("clusters: there are no systems to draw.")
    names = _with_scores(short_names(clusters.systems), clusters.conclusions.scores)
    n_columns = len(clusters.groups)
    width_of_column = max(0.22, min(0.34, 4.0 / n_columns))
    width = n_columns * width_of_column + _width_of(names) + 0.6
    height = 0.3 * len(names) + 1.3
    figure, axes = style.figure_and_axes(ax, figsize=(max(5.2, width), max(2.2, height)))

    style.name_rows(axes, names, top=-0.6, bottom=0.4)
    for every_second_row in range(0, len(names), 2):
        axes.axhspan(every_second_row - 0.5, every_second_row + 0.5, color=_PALE, zorder=0)
    row_of = {system: row for row, system in enumerate(clusters.systems)}
    for column, group in enumerate(clusters.groups):
        _draw_bar(axes, column, sorted(row_of[system] for system in group))
    axes.set_xticks(range(n_columns), clusters.names)
    axes.set_xlim(-0.7, n_columns - 0.3)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    title = "Clusters, best at the left"
    if not clusters.is_ordered:
        title += "; not every two are ordered"
    is_own_figure = not isinstance(ax, Axes)
    source = _source_and_level(clusters.conclusions)
    _write_title(figure, axes, title, source, over_whole_figure=is_own_figure)
    style.describe(figure, _clusters_in_words(clusters))
    return figure


def _draw_bar(axes: Axes, x: float, rows: Sequence[int]) -> None:
    """Draw a bar at `x` on the `rows`, which are in order; it is thin where it passes others."""
    axes.plot([x, x], [rows[0], rows[-1]], color=style.CALM, linewidth=1.2)
    # The bar is thick on each run of neighbouring rows.
    first_of_runs = [row for row in rows if row - 1 not in rows]
    last_of_runs = [row for row in rows if row + 1 not in rows]
    for first, last in zip(first_of_runs, last_of_runs, strict=True):
        # A little longer than from row to row, so that a single row is drawn too.
        ends = [first - 0.05, last + 0.05]
        axes.plot([x, x], ends, color=style.CALM, linewidth=9, solid_capstyle="round")


def _clusters_in_words(clusters: Clusters) -> str:
    """What a reader who cannot see the diagram should know."""
    groups = []
    for name, group in zip(clusters.names, clusters.groups, strict=True):
        groups.append(f"{name}: {', '.join(group)}")
    text = f"{clusters.sentence} {'; '.join(groups)}."
    return text.replace("\n", ". ")


def short_names(names: Sequence[str], limit: int = 32) -> list[str]:
    """Names that fit beside a figure: long ones lose their middle, unless two would look alike.

    Examples
    --------
    >>> short_names(["a-rather-long-name-of-a-system", "b"], limit=15)
    ['a-rathe…-system', 'b']
    """
    shortened = [_without_middle(name, limit) for name in names]
    fitting = []
    for short, name in zip(shortened, names, strict=True):
        is_unique = shortened.count(short) == 1
        fitting.append(short if is_unique else name)
    return fitting


def _without_middle(name: str, limit: int) -> str:
    """A name of at most `limit` characters, with an ellipsis where its middle is left out."""
    if len(name) <= limit:
        return name
    n_first = limit // 2
    n_last = limit - 1 - n_first
    return f"{name[:n_first]}…{name[-n_last:]}"


def _width_of(names: Sequence[str]) -> float:
    """How many inches the longest name needs."""
    return _INCHES_PER_CHARACTER * max(map(len, names))


def _with_scores(names: Sequence[str], scores: FloatArray | None) -> list[str]:
    """Names for rows, each with its score to two decimals if there are scores."""
    if scores is None:
        return list(names)
    return [f"{name}   {score:.2f}" for name, score in zip(names, scores, strict=True)]


def _source_and_level(conclusions: Conclusions) -> str:
    """Whose conclusions they are, and at which level."""
    parts = []
    if conclusions.source:
        parts.append(conclusions.source)
    if conclusions.alpha is not None:
        parts.append(f"alpha {conclusions.alpha:g}")
    return ", ".join(parts)


def _write_title(
    figure: Figure, axes: Axes, title: str, source: str, *, over_whole_figure: bool
) -> None:
    """Write a title, and the conclusions' source below it, over the axes or the whole figure.

    A figure of our own has it over the whole, since axes beside long names are narrow.
    """
    n_characters = max(40, int(figure.get_figwidth() * 12))
    lines = [*textwrap.wrap(title, n_characters), *textwrap.wrap(source, n_characters)]
    text = "\n".join(lines)
    if over_whole_figure:
        figure.suptitle(text, x=0.01, ha="left", parse_math=False, fontsize="medium")
    else:
        axes.set_title(text, loc="left", parse_math=False, fontsize="medium")
