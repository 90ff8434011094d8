"""Figures as text and bytes for pages, drawn without pyplot.

pyplot keeps figures and settings for the whole process; the explorer draws in a thread of its own
beside a notebook that may be drawing as well.
"""

from __future__ import annotations

import base64
import html
import io

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from .. import plots
from ..conclusions.clustering import Clusters
from ..conclusions.deciding import Conclusions
from ..plots import style
from ..plots.rankings import short_names
from ..significance.results import PairResult
from .verdicts import digits_for

_CHARACTER = 0.085  # inches that a character of a label takes, a little more than most need


def null_distribution(result: PairResult) -> Figure:
    """The pair's null distribution, the counted tails filled."""
    figure, ax = _canvas(7.4, 3.9)
    plots.null_distribution(result, ax=ax)
    return figure


def scores(table: pd.DataFrame, metric: str, pair: tuple[str, str], percent: float) -> Figure:
    """Each system's score with its interval; the pair in view in colour.

    Parameters
    ----------
    table : DataFrame
        system, score, ci_low, ci_high; best first.
    metric : str
    pair : tuple of str
    percent : float
        Of the intervals.
    """
    names = short_names(table["system"].tolist())
    width = 4.8 + _CHARACTER * max(map(len, names))
    figure, ax = _canvas(min(9.5, width), 1.3 + 0.3 * len(names))
    at = np.arange(len(names))
    colours = [style.EMPHASIS if name in pair else style.INK for name in table["system"]]
    ax.hlines(at, table["ci_low"], table["ci_high"], colors=colours)
    ax.scatter(table["score"], at, s=20, c=colours)
    style.name_rows(ax, names, top=-0.6, bottom=0.4)
    what = f"{metric}, with {percent:g} % intervals; the pair in view in colour"
    ax.set_xlabel(what, parse_math=False)
    ax.grid(axis="x", color=style.MUTED, linewidth=0.5)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(axis="y", length=0)
    digits = digits_for(table["score"])
    listed = "; ".join(
        f"{r.system} {r.score:.{digits}f} ({r.ci_low:.{digits}f} to {r.ci_high:.{digits}f})"
        for r in table.itertuples()
    )
    style.describe(figure, f"Scores under {metric} with {percent:g} % intervals: {listed}.")
    return figure


def heatmap(conclusions: Conclusions) -> Figure:
    """All pairs at a glance."""
    names = short_names(conclusions.systems)
    n, longest = len(names), _CHARACTER * max(map(len, names))
    cell = max(0.3, 1.4 / n)
    figure, ax = _canvas(max(7.2, cell * n + longest + 3.2), cell * n + longest + 1.0)
    plots.heatmap(conclusions, ax=ax)
    _title_over_all(figure, ax)
    return figure


def cluster_diagram(found: Clusters) -> Figure:
    """Clusters as overlapping bars."""
    names = short_names(found.systems)
    columns = len(found.groups)
    place = max(0.22, min(0.34, 4.0 / columns))
    width = columns * place + _CHARACTER * max(map(len, names)) + 1.4
    figure, ax = _canvas(max(7.2, width), max(2.4, 0.3 * len(names) + 1.6))
    plots.cluster_diagram(found, ax=ax)
    _title_over_all(figure, ax)
    return figure


def svg(figure: Figure) -> bytes:
    """The figure as SVG, whose text is drawn as shapes; the same bytes for the same figure."""
    image = io.BytesIO()
    # Neither a date nor random ids.
    with mpl.rc_context({"svg.hashsalt": "mtsig_nb"}):
        # Not savefig, which would first draw it for nothing: a sixth of the time, the same bytes.
        FigureCanvasSVG(figure).print_svg(image, metadata={"Date": None})
    return image.getvalue()


def png(figure: Figure, *, dpi: int = 200) -> bytes:
    """The figure as PNG."""
    image = io.BytesIO()
    figure.savefig(image, format="png", dpi=dpi)
    return image.getvalue()


def image(figure: Figure) -> str:
    """The figure as an image in HTML, with its alternative text."""
    data = base64.b64encode(svg(figure)).decode("ascii")
    alt = html.escape(style.alt_text(figure))
    return f'<img class="mtsig-figure" alt="{alt}" src="data:image/svg+xml;base64,{data}">'


def _canvas(width: float, height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.add_subplot()


def _title_over_all(figure: Figure, ax: Axes) -> None:
    """Move the title from axes, which are narrow beside long names, to the whole figure."""
    text = ax.get_title(loc="left")
    ax.set_title("", loc="left")
    figure.suptitle(text, x=0.01, ha="left", parse_math=False, fontsize="medium")
