"""One look for all figures: colours that colour-blind readers can tell apart, sizes, alt text."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

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
#: Each metric and each test looks the same in all figures.  `EMPHASIS` is left to what is counted,
#: and to the one test that must not be used.
_LOOK_OF: dict[str, tuple[str, str]] = {
    "BLEU": (BLUE, "o"),
    "NIST": (ORANGE, "s"),
    "METEOR": (GREEN, "^"),
    "TER": (PURPLE, "D"),
    "GTM": (BLACK, "v"),
    "chrF": (SKY, "P"),
    "DependencyF": (BROWN, "X"),
    "approximate-randomization": (BLUE, "o"),
    "sign-flip": (SKY, "P"),
    "bootstrap": (GREEN, "s"),
    "paired-bootstrap": (ORANGE, "^"),
    "studentized-bootstrap": (PURPLE, "D"),
    "t-test": (BLACK, "v"),
    "riezler-maxwell-bootstrap": (VERMILION, "X"),
}


def figure_and_axes(
    ax: Axes | Figure | None, *, figsize: tuple[float, float] = (6.4, 4.0)
) -> tuple[Figure, Axes]:
    """The axes `ax` and their figure; of None or an empty figure, new axes and `figsize`."""
    if isinstance(ax, Figure):
        ax.set_size_inches(figsize)
        return ax, ax.add_subplot()
    if ax is not None:
        figure = ax.get_figure()
        assert isinstance(figure, Figure)  # axes in subfigures are not drawn into
        return figure, ax
    return plt.subplots(figsize=figsize, layout="constrained")


def look_of(name: str) -> tuple[str, str]:
    """Colour and marker of a metric or a test, by its name: the same in every figure.

    A metric's options do not change its look, and chrF++ looks like chrF.  What has no look of its
    own is grey.

    Examples
    --------
    >>> look_of("BLEU"), look_of("BLEU:smooth_method=none") == look_of("BLEU")
    (('#0072B2', 'o'), True)
    """
    plain = name.partition(":")[0].removesuffix("++").removesuffix("Jar")
    return _LOOK_OF.get(plain, (GREY, "o"))


def name_rows(ax: Axes, names: Sequence[str], *, top: float = -0.5, bottom: float = 0.5) -> None:
    """Name the rows, the first at the top, in plain text that is no mathematics.

    The axis begins at `top`, and ends `bottom` above the place of one more row.
    """
    ax.set_yticks(range(len(names)), names, parse_math=False)
    ax.set_ylim(len(names) - bottom, top)


def without_frame(ax: Axes) -> None:
    """Leave of the frame around rows only the axis below them, and no ticks beside their names."""
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(axis="y", length=0)


def ends(centre: npt.ArrayLike, low: npt.ArrayLike, high: npt.ArrayLike) -> npt.NDArray[Any]:
    """How far intervals reach below and above their centres: what ``errorbar`` takes."""
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
    figure.set_gid(alt)
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is None:
        return
    formatter = shell.display_formatter.formatters["image/png"]
    try:
        to_png = formatter.lookup_by_type(Figure)
    except KeyError:  # figures open in windows, not in the notebook
        return
    if not isinstance(to_png, _WithAltText):
        formatter.for_type(Figure, _WithAltText(to_png))


def alt_text(figure: Figure) -> str:
    """The alternative text that `describe` attached, or an empty string."""
    return figure.get_gid() or ""


@dataclasses.dataclass(frozen=True)
class _WithAltText:
    """A formatter for IPython that adds a figure's alternative text to what `to_png` returns."""

    to_png: Callable[[Figure], Any]

    def __call__(self, figure: Figure) -> Any:
        png = self.to_png(figure)
        if png is None or not alt_text(figure):
            return png
        data, metadata = png if isinstance(png, tuple) else (png, {})
        return data, {**metadata, "alt": alt_text(figure)}
