"""A figure for the column of a paper: each system's number with its interval, in 8 points.

Readable in grey: what is distinguished is filled, what is not is hollow.  Drawing only: every
number comes with the panels.
"""

from __future__ import annotations

import dataclasses
import io
import math
import textwrap
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ..conclusions.deciding import TELLING_APART
from ..metrics.base import FloatArray, Mask
from ..notes import Note
from . import style
from .fonts import families_for
from .rankings import short_names

#: In inches: a column of the usual classes with two columns is 3.0 to 3.5 wide, a page 6.3 to 7.2.
WIDTH_OF_COLUMN = 3.3
WIDTH_OF_PAGE = 6.8
#: In inches: a figure that would be higher takes the width of a page.
_HIGHEST = 5.0
#: Panels side by side on a page.
_SIDE_BY_SIDE = 3
#: In points.
SIZE_OF_TEXT = 8
#: In inches: the height of a line of a name.
_HEIGHT_OF_LINE = 0.155
#: The height of a row, in lines of names.
_LINES_OF_ROW = 1.25
#: In inches: the height of the numbers and the label below the rows, and of the space above them.
_BELOW_ROWS = 0.62
_ABOVE_ROWS = 0.1
#: In characters: the width of a line of a name, and the length from which a name is shortened.
_WIDTH_OF_NAME = 22
_LONGEST_NAME = 44
#: Characters of a label in an inch.
_CHARACTERS_PER_INCH = 13
#: Resolution of pictures made of pixels.
_DPI = 600


@dataclasses.dataclass(frozen=True, kw_only=True)
class Panel:
    """A number for each system.

    Attributes
    ----------
    label : str
        What the numbers are, and which intervals they have.
    names : sequence of str
        Of the systems, from the top downwards.
    centre, low, high : array, shape (systems,)
        The number and its interval; NaN where there is no interval.
    is_filled : array of bool, shape (systems,)
    letters : sequence of str
        Stand at the right of the rows; empty without.
    has_zero : bool
        Whether zero is marked.
    """

    label: str
    names: Sequence[str]
    centre: FloatArray
    low: FloatArray
    high: FloatArray
    is_filled: Mask
    letters: Sequence[str] = ()
    has_zero: bool = False

    def rows(self, order: Sequence[int]) -> Panel:
        """The panel with its rows in this order."""
        place = list(order)
        return dataclasses.replace(
            self,
            names=[self.names[row] for row in place],
            centre=self.centre[place],
            low=self.low[place],
            high=self.high[place],
            is_filled=self.is_filled[place],
            letters=[self.letters[row] for row in place] if self.letters else (),
        )


def column_figure(panels: Sequence[Panel]) -> tuple[Figure, list[Note]]:
    """The panels, one below the other as wide as a column, or else side by side on a page.

    Returns
    -------
    figure : Figure
        One that pyplot does not know.
    notes : list of Note
        On characters of names that cannot be drawn.

    Examples
    --------
    >>> number = np.array([0.0, -1.5])
    >>> panel = Panel(
    ...     label="BLEU",
    ...     names=["A", "B"],
    ...     centre=number,
    ...     low=number - 1,
    ...     high=number + 1,
    ...     is_filled=np.array([True, False]),
    ... )
    >>> figure, notes = column_figure([panel])
    >>> float(figure.get_figwidth()), notes
    (3.3, [])
    """
    texts = [text for panel in panels for text in (panel.label, *panel.names)]
    families, notes = families_for(texts)
    with _text_style(families):
        heights = [_height(panel) for panel in panels]
        if sum(heights) > _HIGHEST and _have_the_same_systems(panels):
            figure = _on_a_page(panels)
        else:
            figure = Figure(figsize=(WIDTH_OF_COLUMN, sum(heights)), layout="constrained")
            all_axes = figure.subplots(len(panels), height_ratios=heights, squeeze=False)[:, 0]
            for axes, panel in zip(all_axes, panels, strict=True):
                _draw(axes, panel, WIDTH_OF_COLUMN)
        FigureCanvasAgg(figure)  # what a figure is drawn on that pyplot does not know
    labels = "; ".join(panel.label for panel in panels)
    style.describe(figure, f"{labels}, of {', '.join(panels[0].names)}.")
    return figure, notes


def drawn_at_column(
    draw: Callable[[Axes], object], texts: Sequence[str], *, height: float = 2.4
) -> tuple[Figure, list[Note]]:
    """A figure as wide as a column, drawn by a function of its axes.

    Parameters
    ----------
    draw : callable
    texts : sequence of str
        Names in the figure, whose letters need a font.
    height : float
        In inches.

    Returns
    -------
    figure : Figure
    notes : list of Note
        On characters of names that cannot be drawn.
    """
    families, notes = families_for(texts)
    with _text_style(families):
        figure = Figure(figsize=(WIDTH_OF_COLUMN, height), layout="constrained")
        draw(figure.subplots())
        FigureCanvasAgg(figure)
    return figure, notes


def _have_the_same_systems(panels: Sequence[Panel]) -> bool:
    """Whether there are several panels, of the same systems."""
    return len(panels) > 1 and len({frozenset(panel.names) for panel in panels}) == 1


def _on_a_page(panels: Sequence[Panel]) -> Figure:
    """The panels side by side, systems in the order of the first, which has their names."""
    n_columns = min(len(panels), _SIDE_BY_SIDE)
    n_rows = math.ceil(len(panels) / n_columns)
    # Labels are in more lines here, where panels are narrower.
    height = n_rows * (_height(panels[0]) + _BELOW_ROWS / 2)
    figure = Figure(figsize=(WIDTH_OF_PAGE, height), layout="constrained")
    all_axes = figure.subplots(n_rows, n_columns, squeeze=False).ravel()
    first = panels[0]
    for place, panel in enumerate(panels):
        order = [list(panel.names).index(name) for name in first.names]
        # Names take about as much width as a panel.
        _draw(all_axes[place], panel.rows(order), WIDTH_OF_PAGE / (n_columns + 1))
        if place % n_columns > 0:
            all_axes[place].tick_params(labelleft=False)
    for axes in all_axes[len(panels) :]:
        axes.remove()
    return figure


def panels_of_estimates(
    table: pd.DataFrame, estimate: str, confidence_level: float
) -> Iterator[Panel]:
    """A panel for each metric, and test set, of a table of systems, or one of a table of metrics.

    Parameters
    ----------
    table : DataFrame
        ``system`` or ``metric``, the column `estimate`, and maybe ``ci_low``, ``ci_high``,
        ``letters`` and ``test_set``.  With ``system``, ``metric`` says what was scored.
    estimate : str
        The column that is drawn.
    confidence_level : float
        Of the intervals.

    Examples
    --------
    >>> table = pd.DataFrame({"system": ["A", "B"], "strength": [1.0, -1.0]})
    >>> [panel.label for panel in panels_of_estimates(table, "strength", 0.95)]
    ['Strength']
    """
    subject = "system" if "system" in table else "metric"
    parts = [name for name in ("metric", "test_set") if name in table and name != subject]
    groups = [("", table)]
    if parts:
        groups = [
            (", ".join(map(str, names)), rows) for names, rows in table.groupby(parts, sort=False)
        ]
    for name, rows in groups:
        has_intervals = "ci_low" in rows and rows["ci_low"].notna().any()
        measure = estimate.replace("_", " ")
        label = f"{name}: {measure}" if name else measure.capitalize()
        if has_intervals:
            label += f", with {100 * confidence_level:g} % intervals"
        nothing = np.full(len(rows), np.nan)
        yield Panel(
            label=label,
            names=rows[subject].tolist(),
            centre=rows[estimate].to_numpy(),
            low=rows["ci_low"].to_numpy() if has_intervals else nothing,
            high=rows["ci_high"].to_numpy() if has_intervals else nothing,
            is_filled=np.ones(len(rows), dtype=bool),
            letters=rows["letters"].tolist() if "letters" in rows else (),
        )


def panels_of_spreads(table: pd.DataFrame, spread: str) -> Iterator[Panel]:
    """A panel for each metric: the mean of each system over its runs, and the spread of these.

    Parameters
    ----------
    table : DataFrame
        ``metric``, ``system``, ``score``, and the column `spread`.
    spread : str
        The standard deviation from run to run.
    """
    for metric, rows in table.groupby("metric", sort=False):
        mean = rows["score"].to_numpy()
        deviation = rows[spread].to_numpy()
        yield Panel(
            label=f"{metric}: mean over runs, with one standard deviation from run to run",
            names=rows["system"].tolist(),
            centre=mean,
            low=mean - deviation,
            high=mean + deviation,
            is_filled=np.ones(len(rows), dtype=bool),
        )


def panel_of_differences(
    table: pd.DataFrame, *, metric: str, reference: str, confidence_level: float | None
) -> Panel:
    """Each system's difference from one of them, filled where the two are distinguished.

    Parameters
    ----------
    table : DataFrame
        As of `mtsig_nb.summary_table`: ``system``, ``difference`` with ``ci_low`` and ``ci_high``,
        ``conclusion`` and ``letters``.
    metric, reference : str
    confidence_level : float or None
        Of the intervals, if there are any.
    """
    is_reference = (table["system"] == reference).to_numpy()
    is_distinguished = table["conclusion"].isin(TELLING_APART).to_numpy()
    intervals = ""
    if confidence_level is not None:
        intervals = f", with {100 * confidence_level:g} % intervals"
    return Panel(
        label=f"{metric}: difference from {reference} (+ is better){intervals}; filled where "
        "distinguished",
        names=table["system"].tolist(),
        centre=table["difference"].where(~is_reference, 0.0).to_numpy(dtype=float),
        low=table["ci_low"].to_numpy(dtype=float),
        high=table["ci_high"].to_numpy(dtype=float),
        is_filled=is_distinguished | is_reference,
        letters=table["letters"].tolist(),
        has_zero=True,
    )


def in_bytes(figure: Figure, form: str) -> bytes:
    """The figure as a file: ``"pdf"``, ``"svg"`` or ``"png"``; the same bytes each time.

    Fonts of a PDF are TrueType, as publishers want them, and text of an SVG is drawn as shapes.
    """
    stream = io.BytesIO()
    nothing_that_changes = {"pdf": {"CreationDate": None}, "svg": {"Date": None}, "png": None}
    # A fixed salt gives the same ids every time.
    with mpl.rc_context(), warnings.catch_warnings():
        mpl.rcParams["pdf.fonttype"] = 42  # TrueType
        mpl.rcParams["svg.fonttype"] = "path"
        mpl.rcParams["svg.hashsalt"] = "mtsig_nb"
        warnings.filterwarnings("ignore", "Glyph .* missing")  # as a note of ours says
        figure.savefig(stream, format=form, dpi=_DPI, metadata=nothing_that_changes[form])
    return stream.getvalue()


@contextmanager
def _text_style(families: Sequence[str]) -> Iterator[None]:
    """Text of one size, in these fonts."""
    with mpl.rc_context():
        mpl.rcParams["font.family"] = list(families)
        mpl.rcParams["font.size"] = SIZE_OF_TEXT
        mpl.rcParams["axes.labelsize"] = SIZE_OF_TEXT
        mpl.rcParams["xtick.labelsize"] = SIZE_OF_TEXT
        mpl.rcParams["ytick.labelsize"] = SIZE_OF_TEXT
        yield


def _height(panel: Panel) -> float:
    """How many inches a panel needs."""
    lines = _LINES_OF_ROW * len(panel.names) * _most_lines(panel)
    return _HEIGHT_OF_LINE * lines + _BELOW_ROWS + _ABOVE_ROWS


def _most_lines(panel: Panel) -> int:
    """Lines of the name that has most."""
    return max(name.count("\n") + 1 for name in _names_in_lines(panel.names))


def _names_in_lines(names: Sequence[str]) -> list[str]:
    """Names in lines that leave room for the rest of the figure."""
    return [
        textwrap.fill(name, _WIDTH_OF_NAME) or name for name in short_names(names, _LONGEST_NAME)
    ]


def _draw(axes: Axes, panel: Panel, width: float) -> None:
    """Draw a panel: names at the left, letters at the right, points with intervals between them.

    The panel is `width` inches wide.
    """
    row = np.arange(len(panel.names))
    if panel.has_zero:
        axes.axvline(0, color=style.INK, linewidth=0.6)
    axes.hlines(row, panel.low, panel.high, colors=style.INK, linewidth=1)
    _draw_points(axes, panel.centre, row, panel.is_filled)
    style.name_rows(axes, _names_in_lines(panel.names))
    for place, letters in enumerate(panel.letters):
        axes.annotate(
            letters,
            (1.02, place),
            xycoords=("axes fraction", "data"),
            verticalalignment="center",
            annotation_clip=False,
        )
    axes.set_xlabel(_filled(panel.label, int(_CHARACTERS_PER_INCH * width)), parse_math=False)
    axes.grid(axis="x", color=style.MUTED, linewidth=0.4)
    axes.set_axisbelow(True)
    axes.locator_params(axis="x", nbins=5)
    style.without_frame(axes)


def _filled(text: str, n_characters: int) -> str:
    """A text in lines, none of which begins with a percent sign."""
    return textwrap.fill(text.replace(" %", "\xa0%"), n_characters)


def _draw_points(axes: Axes, centre: npt.ArrayLike, row: npt.ArrayLike, is_filled: Mask) -> None:
    """Draw a filled or hollow point for each row."""
    centre = np.asarray(centre)
    row = np.asarray(row)
    is_hollow = ~is_filled
    axes.scatter(centre[is_filled], row[is_filled], s=18, color=style.INK, zorder=3)
    axes.scatter(
        centre[is_hollow],
        row[is_hollow],
        s=18,
        facecolor="white",
        edgecolor=style.INK,
        linewidth=1,
        zorder=3,
    )
