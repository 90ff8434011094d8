"""One look for all figures: colours that colour-blind readers can tell apart, sizes, alt text."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

# Okabe & Ito (2008), "Color universal design".
BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
BLUE, VERMILION, PURPLE = "#0072B2", "#D55E00", "#CC79A7"
BROWN = "#7F4F24"
INK = "#222222"
MUTED = "#C9CED6"
GREY = "#6B7280"
EMPHASIS = VERMILION
CALM = BLUE
#: How figures of notebooks look: a style sheet of matplotlib's, with `GREY` and `INK` in it.
SHEET = Path(__file__).with_name("notebook.mplstyle")
#: For series, in order: markers differ, not only colours, for print in grey.
MARKERS = ("o", "s", "^", "D", "v", "P", "X")


class Look(NamedTuple):
    """How the points and lines of one metric, or of one test, are drawn."""

    colour: str
    marker: str


#: Each metric and each test looks the same in all figures.  `EMPHASIS` is left to what is counted,
#: and to the one test that must not be used.
_LOOKS = {
    "BLEU": Look(BLUE, "o"),
    "NIST": Look(ORANGE, "s"),
    "METEOR": Look(GREEN, "^"),
    "TER": Look(PURPLE, "D"),
    "GTM": Look(BLACK, "v"),
    "chrF": Look(SKY, "P"),
    "DependencyF": Look(BROWN, "X"),
    "approximate-randomization": Look(BLUE, "o"),
    "sign-flip": Look(SKY, "P"),
    "bootstrap": Look(GREEN, "s"),
    "paired-bootstrap": Look(ORANGE, "^"),
    "studentized-bootstrap": Look(PURPLE, "D"),
    "t-test": Look(BLACK, "v"),
    "riezler-maxwell-bootstrap": Look(VERMILION, "X"),
}


def figure_and_axes(
    ax: Axes | Figure | None, *, figsize: tuple[float, float] = (6.4, 4.0)
) -> tuple[Figure, Axes]:
    """The figure and the axes to draw into.

    Axes that are given are taken as they are.  An empty figure gets axes and the size `figsize`;
    without either, pyplot makes a new figure of that size.
    """
    if isinstance(ax, Figure):
        ax.set_size_inches(figsize)
        return ax, ax.add_subplot()
    if ax is not None:
        figure = ax.get_figure()
        assert isinstance(figure, Figure)  # axes in subfigures are not drawn into
        return figure, ax
    return plt.subplots(figsize=figsize, layout="constrained")


def look_of(name: str) -> Look:
    """Colour and marker of a metric or a test, by its name: the same in every figure.

    A metric's options do not change its look; chrF++ looks like chrF, and METEORJar like METEOR.
    Anything else is grey.

    Examples
    --------
    >>> look_of("BLEU"), look_of("BLEU:smooth_method=none") == look_of("BLEU")
    (Look(colour='#0072B2', marker='o'), True)
    """
    without_options, _, _ = name.partition(":")
    family = without_options.removesuffix("++").removesuffix("Jar")
    return _LOOKS.get(family, Look(GREY, "o"))


def name_rows(ax: Axes, names: Sequence[str], *, top: float = -0.5, bottom: float = 0.5) -> None:
    """Name the rows of a figure, which lie at y = 0, 1, 2, ... from the top downwards.

    The y axis runs from `top` down to ``len(names) - bottom``; by default each row has half a unit
    above and below it.  Names are plain text: a ``$`` begins no mathematics.
    """
    ax.set_yticks(range(len(names)), names, parse_math=False)
    ax.set_ylim(len(names) - bottom, top)


def without_frame(ax: Axes) -> None:
    """Remove the frame except for the axis below the rows, and the ticks beside their names."""
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(axis="y", length=0)


def ends(centre: npt.ArrayLike, low: npt.ArrayLike, high: npt.ArrayLike) -> npt.NDArray[Any]:
    """How far intervals reach below and above their centres, as ``errorbar`` takes it.

    The first row has the distances down to `low`, the second those up to `high`.
    """
    below = np.subtract(centre, low)
    above = np.subtract(high, centre)
    return np.clip([below, above], 0, None)


def describe(figure: Figure, alt: str) -> None:
    """Attach alternative text: what a reader who cannot see the figure should know.

    In a notebook the text goes into the metadata of the output, where nbconvert looks for the
    ``alt`` of an image.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    alt : str
        One or two sentences: what kind of figure, what is on its axes, what to see in it.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> figure, ax = plt.subplots()
    >>> describe(figure, "An empty pair of axes.")
    >>> alt_text(figure)
    'An empty pair of axes.'
    >>> plt.close(figure)
    """
    # matplotlib has no field for alternative text; the group id is one that nothing else uses.
    figure.set_gid(alt)
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is None:
        return
    formatter = shell.display_formatter.formatters["image/png"]
    try:
        to_png = formatter.lookup_by_type(Figure)
    except KeyError:  # figures open in windows, not in the notebook
        return
    has_alt_text_already = isinstance(to_png, _WithAltText)
    if not has_alt_text_already:
        formatter.for_type(Figure, _WithAltText(to_png))


def alt_text(figure: Figure) -> str:
    """The alternative text that `describe` attached, or an empty string."""
    return figure.get_gid() or ""


@dataclasses.dataclass(frozen=True)
class _WithAltText:
    """IPython's formatter of figures, with the alternative text added to the metadata.

    Formatters return the bytes of a PNG, the bytes and their metadata, or None for no picture.
    """

    to_png: Callable[[Figure], Any]

    def __call__(self, figure: Figure) -> Any:
        png = self.to_png(figure)
        if png is None or not alt_text(figure):
            return png
        data, metadata = png if isinstance(png, tuple) else (png, {})
        # Where there is no room JupyterLab scrolls such a figure, and does not shrink its words.
        return data, {**metadata, "alt": alt_text(figure), "unconfined": True}
