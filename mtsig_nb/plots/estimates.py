"""The numbers of a table, each on a row of its own, with their intervals if the table has them.

Drawing only: every number comes from the table.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from . import style

#: Columns that say what a row is about, in the order in which they name it.
_SUBJECTS = ("metric", "source", "rater", "system", "system_a", "system_b", "a", "b")


def estimates(
    table: pd.DataFrame,
    estimate: str,
    low: str | None = None,
    high: str | None = None,
    *,
    ax: Axes | Figure | None = None,
) -> Figure:
    """A point for each row of a table, and its interval.

    Parameters
    ----------
    table : DataFrame
        Rows are named by the columns that say what they are about, such as ``system_a`` and
        ``system_b``; without such columns, by their numbers.
    estimate : str
        The column that is drawn.
    low, high : str, optional
        The columns of the intervals' limits; without both, no intervals are drawn.
    ax : Axes or empty Figure, optional
        Drawn into; a new figure otherwise.

    Returns
    -------
    Figure

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> table = pd.DataFrame({"system": ["a", "b"], "score": [1.0, 2.0]})
    >>> figure = estimates(table, "score")
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['a', 'b']
    >>> plt.close(figure)
    """
    height = 1.2 + 0.3 * max(len(table), 1)
    figure, axes = style.figure_and_axes(ax, figsize=(6.4, height))
    position = np.arange(len(table))
    if low is not None and high is not None:
        axes.hlines(position, table[low], table[high], color=style.CALM, linewidth=2)
    axes.scatter(table[estimate], position, s=30, color=style.CALM)
    style.name_rows(axes, _names(table))
    heading = estimate.replace("_", " ")
    axes.set_xlabel(heading)
    axes.grid(axis="x", color=style.MUTED, linewidth=0.5)
    style.without_frame(axes)
    intervals = "" if low is None else ", with intervals"
    style.describe(figure, f"{heading.capitalize()} of {len(table)} rows{intervals}.")
    return figure


def _names(table: pd.DataFrame) -> list[str]:
    """The name of each row: what it is about, or its number if no column says so."""
    subjects = []
    for column in _SUBJECTS:
        if column in table and table[column].notna().any():
            subjects.append(column)
    if not subjects:
        return [str(number) for number in range(1, len(table) + 1)]
    rows = table[subjects].itertuples(index=False)
    return [" against ".join(map(str, row)) for row in rows]
