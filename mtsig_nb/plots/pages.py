"""Figures as text and bytes for pages, drawn without pyplot.

pyplot keeps figures and settings for the whole process.  The explorer must not touch them: it draws
in a thread of its own, beside a notebook that may be drawing as well.
"""

from __future__ import annotations

import base64
import html
import io

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from ..conclusions.clustering import Clusters
from ..conclusions.deciding import Conclusions
from ..significance.comparisons import Comparisons
from ..significance.results import PairResult
from ..significance.sequential import SequentialTest
from . import distributions, rankings, style
from .looks import looks as looks_at
from .rankings import short_names


def null_distribution(result: PairResult) -> Figure:
    """The pair's null distribution, the counted tails filled."""
    return distributions.null_distribution(result, ax=_empty().add_subplot())


def scores(comparisons: Comparisons, metric: str, pair: tuple[str, str]) -> Figure:
    """Each system's score under `metric` with its interval; the `pair` in view in colour."""
    table = comparisons.summary(metric)
    systems = table["system"].tolist()
    percent = 100 * (comparisons.confidence_level or 0)
    figure = _empty(height=1.3 + 0.3 * len(systems))
    ax = figure.add_subplot()
    position = np.arange(len(systems))
    colours = [style.EMPHASIS if system in pair else style.INK for system in systems]
    ax.hlines(position, table["ci_low"], table["ci_high"], colors=colours)
    ax.scatter(table["score"], position, s=20, c=colours)
    style.name_rows(ax, short_names(systems), top=-0.6, bottom=0.4)
    label = f"{metric}, with {percent:g} % intervals; the pair in view in colour"
    ax.set_xlabel(label, parse_math=False)
    ax.grid(axis="x", color=style.MUTED, linewidth=0.5)
    style.without_frame(ax)
    style.describe(
        figure, f"Scores under {metric} with {percent:g} % intervals, of {', '.join(systems)}."
    )
    return figure


def heatmap(conclusions: Conclusions) -> Figure:
    """All pairs in a heatmap: who is significantly better than whom."""
    return rankings.heatmap(conclusions, ax=_empty())


def cluster_diagram(clusters: Clusters) -> Figure:
    """Clusters of systems as overlapping bars."""
    return rankings.cluster_diagram(clusters, ax=_empty())


def looks(
    found: SequentialTest, system_a: str | None = None, system_b: str | None = None
) -> Figure:
    """The looks at a pair with the boundary; of several pairs, all of their statistics."""
    return looks_at(found, system_a, system_b, ax=_empty())


def svg(figure: Figure) -> bytes:
    """The figure as SVG, whose text is drawn as shapes; the same bytes for the same figure."""
    stream = io.BytesIO()
    # A fixed salt gives the same ids every time.
    with mpl.rc_context({"svg.hashsalt": "mtsig_nb"}):
        # savefig would write the same bytes, but draw the figure once more.
        FigureCanvasSVG(figure).print_svg(stream, metadata={"Date": None})
    return stream.getvalue()


def png(figure: Figure, *, dpi: int = 200) -> bytes:
    """The figure as PNG."""
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=dpi)
    return stream.getvalue()


def image(figure: Figure) -> str:
    """The figure as an image in HTML, with its alternative text."""
    data = base64.b64encode(svg(figure)).decode("ascii")
    alt = html.escape(style.alt_text(figure))
    return f'<img class="mtsig-figure" alt="{alt}" src="data:image/svg+xml;base64,{data}">'


def _empty(height: float = 3.9) -> Figure:
    """A figure without axes that pyplot does not know, `height` inches high."""
    figure = Figure(figsize=(7.4, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure
