"""A part of the explorer that is folded away until its title is pressed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ipywidgets as w


def fold(title: str, children: Sequence[Any]) -> w.VBox:
    """Put widgets below a title, which is a button that shows and hides them.

    An `ipywidgets.Accordion` would be the widget for it, but its titles cannot be reached by
    keyboard.  The triangle beside the title is in ``explorer.css``.

    Parameters
    ----------
    title : str
    children : sequence of ipywidgets.Widget
        They are hidden at first.

    Examples
    --------
    >>> button, folded = fold("More", [w.Label("A rare choice")]).children
    >>> folded.layout.display
    'none'
    >>> button.value = True
    >>> folded.layout.display is None
    True
    """
    button = w.ToggleButton(description=title, layout={"width": "auto"})
    button.add_class("mtsig-fold-title")
    folded = w.VBox(children)

    def show_or_hide(_: object = None) -> None:
        folded.layout.display = None if button.value else "none"
        button.tooltip = "press to fold" if button.value else "press to unfold"

    button.observe(show_or_hide, "value")
    show_or_hide()
    return w.VBox([button, folded])
