"""What notebooks and labs share that is not statistics: headlines, moving pictures, own work.

Importing it in a notebook also has numbers printed as a reader reads them (`printed`).
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FrameType
from typing import TYPE_CHECKING, Any

from .components.chance import chance_machine as chance_machine
from .components.judge import be_the_judge as be_the_judge
from .components.judge import read_codes as read_codes

if TYPE_CHECKING:
    from ipywidgets import Widget

#: The output type that carries a headline number in an executed notebook.
MIME_TYPE = "application/x-mtsig-headline+json"
#: Packages that have what students are asked to write; scores are not what labs are about.
READY_MADE = ("mtsig_nb", "scipy.stats", "statsmodels")
NOT_MEANT = ("mtsig_nb.metrics", "mtsig_nb.statistics", "mtsig_nb.teaching")


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
    size = abs(value)
    if float(f"{value:.5g}") == value or not size < float("inf"):
        return repr(float(value))
    if size < 1:
        return f"{value:.4f}" if size >= 0.001 else f"{value:.3g}"
    return f"{value:#.5g}" if size < 1e4 else f"{value:.0f}"


def _print_for_readers() -> None:
    """Set how IPython, NumPy and pandas print floats, in a notebook and nowhere else."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None:
        return
    import numpy as np
    import pandas as pd

    plain = shell.display_formatter.formatters["text/plain"]
    for kind in (float, np.float64, np.float32):
        plain.for_type(kind, lambda value, printer, _: printer.text(printed(value)))
    # The older form shows a scalar without its type.
    np.set_printoptions(precision=4, suppress=True, legacy="1.25")
    pd.set_option("display.precision", 4)


@dataclasses.dataclass(frozen=True)
class Headline:
    """One number that a notebook publishes, as it is printed.

    Attributes
    ----------
    name : str
        What the number is, in a few words.
    value : str
        The number, rounded as it is shown, so that the last bits of a float cannot matter.
    """

    name: str
    value: str

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return {MIME_TYPE: dataclasses.asdict(self)}

    def __repr__(self) -> str:
        return f"{self.name}: {self.value}"


def headline(name: str, value: object, *, spec: str = "") -> None:
    """Show a number and publish it: ``make run`` lists it, and tests can check it.

    Parameters
    ----------
    name : str
        What the number is, in a few words.
    value : number or str
    spec : str
        How `value` is rounded for print, as in `format`.

    See Also
    --------
    headlines : reads them back from an executed notebook.

    Examples
    --------
    >>> headline("heads in 1,000 tosses, share", 0.51249, spec=".3f")
    heads in 1,000 tosses, share: 0.512
    """
    from IPython.display import display

    display(Headline(name, format(value, spec)))


def headlines(notebook: Mapping[str, Any]) -> list[Headline]:
    """The numbers that an executed notebook publishes, in order.

    Parameters
    ----------
    notebook : mapping
        A notebook as `nbformat` or `json` reads it.

    Returns
    -------
    list of Headline

    Examples
    --------
    >>> output = {"data": {MIME_TYPE: {"name": "pairs", "value": "66"}}}
    >>> headlines({"cells": [{"cell_type": "code", "outputs": [output]}]})
    [pairs: 66]
    """
    return [
        Headline(**output["data"][MIME_TYPE])
        for cell in notebook["cells"]
        for output in cell.get("outputs", [])
        if MIME_TYPE in output.get("data", {})
    ]


def movable(draw: Callable[..., None], **controls: Sequence[Any]) -> Widget:
    """A picture with a slider for each of its settings; it needs a running kernel.

    Parameters
    ----------
    draw : callable
        ``draw(ax, **values)`` draws into an empty pair of axes.
    **controls : sequence
        For each setting of `draw`, the values that its slider goes through, the first one first.

    Returns
    -------
    ipywidgets.Widget
        The last expression of a cell, so that it is shown.  Such a cell is tagged
        ``nbval-ignore-output``, and the picture stands above it in some of its positions, for
        readers of the page.

    Examples
    --------
    >>> box = movable(lambda ax, n: ax.bar([0], [n]), n=[1, 2, 3])
    >>> [slider.description for slider in box.children[:-1]]
    ['n']
    """
    import ipywidgets
    import matplotlib.pyplot as plt

    picture = ipywidgets.Image(format="png", layout={"max_width": "640px"})
    sliders = {
        name: ipywidgets.SelectionSlider(
            options=[
                (f"{value:,}" if isinstance(value, int) else str(value), value) for value in values
            ],
            description=name.replace("_", " "),
            continuous_update=False,
            style={"description_width": "initial"},
            layout={"width": "24em"},
        )
        for name, values in controls.items()
    }

    def redraw(_: object = None) -> None:
        figure, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
        draw(ax, **{name: slider.value for name, slider in sliders.items()})
        plt.close(figure)
        png = io.BytesIO()
        figure.savefig(png, format="png", dpi=100)
        picture.value = png.getvalue()

    for slider in sliders.values():
        slider.observe(redraw, "value")
    redraw()
    return ipywidgets.VBox([*sliders.values(), picture])


@contextlib.contextmanager
def own_work(*also: str, allowed: Sequence[str] = ()) -> Iterator[None]:
    """Fail where an answer calls a package for what it was to write.

    The tests of a lab run the answer within it.  What counts is what is called, not what stands in
    the cell, so another name for a function, or a function handed to another, is noticed as well.

    Parameters
    ----------
    *also : str
        Further modules that have the answer ready, by the beginnings of their names; also
        ``"mtsig_nb.metrics"`` where the score itself is to be written.
    allowed : sequence of str
        Modules whose functions an answer may call although they are among those.

    Raises
    ------
    AssertionError
        At the end, with the function's name, unless the answer has raised another error.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> with own_work():
    ...     sorted([0.02, 0.01])
    [0.01, 0.02]
    >>> with own_work():
    ...     largest = max(mt.adjust_pvalues([0.02, 0.01], "holm"))
    Traceback (most recent call last):
    ...
    AssertionError: this calls adjust_pvalues of mtsig_nb, where the answer is yours to write
    """
    called: list[str] = []

    def look(frame: FrameType, event: str, _: object) -> None:
        name = str(frame.f_globals.get("__name__", ""))
        watched = event == "call" and _begins(name, ready) and not _begins(name, fine)
        if watched and _asked_for_by(tests, frame, ready):
            function = frame.f_code.co_qualname.removesuffix(".__init__")
            package = name.partition(".")[0]
            called.append(name if "<locals>" in function else f"{function} of {package}")

    tests = sys._getframe(2)  # past contextlib's own
    ready = (*READY_MADE, *also)
    fine = tuple(one for one in (*NOT_MEANT, *allowed) if one not in also)
    before = sys.getprofile()
    sys.setprofile(look)
    try:
        yield
    finally:
        sys.setprofile(before)
    if called:
        raise AssertionError(f"this calls {called[0]}, where the answer is yours to write")


def _begins(name: str, modules: Sequence[str]) -> bool:
    return any(name == module or name.startswith(f"{module}.") for module in modules)


def _asked_for_by(tests: FrameType, frame: FrameType, ready: Sequence[str]) -> bool:
    """Not by another function of the package, and not because a module is being imported."""
    caller = frame.f_back
    while caller is not None and caller is not tests:
        name = str(caller.f_globals.get("__name__", ""))
        if name.startswith("importlib") or _begins(name, ready):
            return False
        caller = caller.f_back
    return caller is tests


_print_for_readers()
