"""How numbers below cells and figures look in a notebook."""

from __future__ import annotations

import math
import sys
from typing import Any

from ..described import Described


def printed(value: float) -> str:
    """A number below a cell: five significant digits at most, and four decimals of a p-value.

    Further digits of a float tell a reader nothing, and the last ones differ between processors.

    Parameters
    ----------
    value : float

    Returns
    -------
    str

    Examples
    --------
    >>> [printed(value) for value in (0.0269730269, 33.42611725, 793475.2356, 0.5, 0.000123456)]
    ['0.0270', '33.426', '793475', '0.5', '0.000123']
    """
    is_short = float(f"{value:.5g}") == value
    if is_short or not math.isfinite(value):
        return repr(float(value))
    size = abs(value)
    if size < 0.001:
        return f"{value:.3g}"
    if size < 1:
        return f"{value:.4f}"
    if size < 1e4:
        return f"{value:#.5g}"
    return f"{value:.0f}"


def fold_notes() -> None:
    """Have notebooks show the first line of each result, and its notes in a fold.

    For readers who meet their first results: the fold says how many warnings there are.  What
    ``print`` shows stays whole.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> fold_notes()
    >>> shown = mt.approximate_randomization(bleu, "UPC", "onlineA", rng=1)._repr_html_()
    >>> shown.partition("<summary>")[2].partition("</summary>")[0]
    '1 warning, and how it was computed'
    >>> Described.folds_notes = False
    """
    Described.folds_notes = True


def notebook_shell() -> Any:
    """IPython's shell, or None where no notebook is running; IPython is not imported for it."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython is not None else None


def set_up_notebook() -> None:
    """Set how IPython, NumPy and pandas print floats and how figures look, in a notebook only."""
    shell = notebook_shell()
    if shell is None:
        return
    import matplotlib.pyplot as plt
    import numpy as np
    import pandas as pd

    from ..plots import style

    plain = shell.display_formatter.formatters["text/plain"]
    for kind in (float, np.float64, np.float32):
        plain.for_type(kind, lambda value, printer, _: printer.text(printed(value)))
    # The older form shows a scalar without its type.
    np.set_printoptions(precision=4, suppress=True, legacy="1.25")
    pd.set_option("display.precision", 4)
    plt.style.use(style.SHEET)
