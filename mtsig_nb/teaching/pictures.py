"""Pictures with sliders that move on a page without a kernel."""

from __future__ import annotations

import base64
import io
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..components import Component


def movable(draw: Callable[..., None], **controls: Sequence[Any]) -> Component:
    """A picture with a slider for each of its settings, which moves on a page without a kernel.

    Parameters
    ----------
    draw : callable
        ``draw(ax, **values)`` draws into an empty pair of axes.
    **controls : sequence
        For each setting of `draw`, the values that its slider goes through, the first one first.
        All of their combinations are drawn, so a few dozens are the most.

    Returns
    -------
    Component
        The last expression of a cell, so that it is shown.  Such a cell is tagged
        ``nbval-ignore-output``: pictures differ between processors in what nobody sees.

    Examples
    --------
    >>> movable(lambda ax, n: ax.bar([0], [n]), n=[1, 2, 3])
    picture with a slider for n: 3 positions
    """
    frames = []
    for position in itertools.product(*controls.values()):
        settings = dict(zip(controls, position, strict=True))
        frames.append(_drawn(draw, settings))
    labels = []
    sliders = []
    for name, values in controls.items():
        label = name.replace("_", " ")
        labels.append(label)
        sliders.append({"name": label, "values": [_printed(value) for value in values]})
    data = {"controls": sliders, "frames": frames}
    noun = "a slider" if len(labels) == 1 else "sliders"
    title = f"picture with {noun} for {', '.join(labels)}: {len(frames)} positions"
    return Component(title, data, ("movable",))


def _printed(value: object) -> str:
    """A value as it stands beside its slider."""
    if isinstance(value, int):
        return f"{value:,}"
    return str(value)


def _drawn(draw: Callable[..., None], settings: Mapping[str, Any]) -> str:
    """The picture at one position of the sliders: a PNG of few colours, in base64."""
    import matplotlib.pyplot as plt
    from PIL import Image

    figure, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    draw(ax, **settings)
    large = io.BytesIO()
    figure.savefig(large, format="png", dpi=100)
    plt.close(figure)
    image = Image.open(large).convert("RGB")
    small = io.BytesIO()
    image.quantize(48).save(small, "PNG", optimize=True)
    return base64.b64encode(small.getvalue()).decode()
