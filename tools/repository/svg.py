"""Figures as SVG: the same text for the same numbers, so that they can be kept and compared."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import StringIO
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from mtsig_nb.plots import style

#: What an SVG can do without: comments, and spaces that a line begins or ends with.
SURPLUS = re.compile(r"<!--.*?-->\n?|^ +| +$", flags=re.MULTILINE)
#: A text with its tags' ends, or a number as far as its second decimal; and further decimals.
TEXT_OR_DECIMALS = re.compile(r"(>[^<\n]+<|\.\d\d)\d*")


def svg(name: str, make: Callable[[], Figure]) -> str:
    """A figure that is made in our style: the same text for the same numbers."""
    settings: Any = {"svg.fonttype": "none", "svg.hashsalt": name, "axes.titlesize": 11}
    with plt.style.context(style.SHEET), plt.rc_context(settings):
        figure = make()
        drawing = StringIO()
        figure.savefig(drawing, format="svg", metadata={"Date": None, "Creator": None})
        plt.close(figure)
    return _shortened(drawing.getvalue())


def _shortened(drawing: str) -> str:
    """An SVG without surplus; numbers have two decimals, but for those that a text says."""
    bare = SURPLUS.sub("", drawing)
    return TEXT_OR_DECIMALS.sub(r"\1", bare)
