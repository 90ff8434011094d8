"""What the notebooks share that is not statistics: headline numbers, and pictures that move."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .errors import InputError

if TYPE_CHECKING:
    from ipywidgets import Widget
    from matplotlib.figure import Figure

#: The output type that carries a headline number in an executed notebook.
MIME_TYPE = "application/x-mtsig-headline+json"


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


def side_by_side(draw: Callable[..., None], alt: str, **positions: Sequence[Any]) -> Figure:
    """Draw some positions of a control next to each other: `movable` for a page without a kernel.

    Parameters
    ----------
    draw : callable
        ``draw(ax, **values)``, as for `movable`.
    alt : str
        Alternative text of the whole figure.
    **positions : sequence
        One control, and the values that are drawn, from left to right.

    Returns
    -------
    matplotlib.figure.Figure
        One axes a value, with a common vertical scale.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> figure = side_by_side(lambda ax, n: ax.bar([0], [n]), "Two bars.", n=[1, 2])
    >>> len(figure.axes)
    2
    >>> plt.close(figure)
    """
    import matplotlib.pyplot as plt

    from .plots import style

    if len(positions) != 1:
        raise InputError(f"positions={sorted(positions)}: name exactly one control.")
    ((name, values),) = positions.items()
    size = (3.2 * len(values), 3.2)
    figure = plt.subplots(1, len(values), figsize=size, sharey=True, layout="constrained")[0]
    for ax, value in zip(figure.axes, values, strict=True):
        draw(ax, **{name: value})
        ax.label_outer()
    style.describe(figure, alt)
    return figure


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
        ``nbval-ignore-output``, and the picture stands above it in some of its positions
        (`side_by_side`), for readers of the page.

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
