"""Figures as SVG: the same text for the same numbers, so that they can be kept and compared."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import StringIO
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from mtsig_nb.plots import style

#: Comments, indents, and what is less than a hundredth of a point; what a text says, stays.
WASTE = re.compile(r"<!--.*?-->\n?|^ +| +$|(>[^<\n]+<|\.\d\d)\d*", flags=re.M)


def svg(name: str, make: Callable[[], Figure]) -> str:
    """A figure that is made in our style: the same text for the same numbers."""
    plain: Any = {"svg.fonttype": "none", "svg.hashsalt": name, "axes.titlesize": 11}
    with plt.style.context(style.SHEET), plt.rc_context(plain):
        figure = make()
        made = StringIO()
        figure.savefig(made, format="svg", metadata={"Date": None, "Creator": None})
        plt.close(figure)
    return WASTE.sub(lambda found: found[1] or "", made.getvalue())
