"""A part of the explorer that is folded away until its title is pressed."""

from __future__ import annotations

from collections.abc import Sequence

import ipywidgets as w

_TOOLTIP_BY_STATE = {False: "press to unfold", True: "press to fold"}


class Fold(w.VBox):
    """Widgets below a title, which is a button that shows and hides them.

    An `ipywidgets.Accordion` would be the widget for it, but its titles cannot be reached by
    keyboard.  The triangle beside the title is in ``explorer.css``.

    Attributes
    ----------
    title : ipywidgets.ToggleButton
        Whether its `value` is True says whether the widgets are shown.

    Examples
    --------
    >>> fold = Fold("More", [w.Label("A rare choice")])
    >>> title, folded = fold.children
    >>> folded.layout.display
    'none'
    >>> title.value = True
    >>> folded.layout.display is None
    True
    """

    def __init__(self, title: str, children: Sequence[w.Widget]) -> None:
        self.title = w.ToggleButton(description=title, layout={"width": "auto"})
        self.title.add_class("mtsig-fold-title")
        self._folded = w.VBox(children)
        super().__init__([self.title, self._folded])
        self.title.observe(self._show_or_hide, "value")
        self._show_or_hide()

    def _show_or_hide(self, _: object = None) -> None:
        """Show the widgets if the title is pressed, and hide them if it is not."""
        is_open = self.title.value
        self._folded.layout.display = None if is_open else "none"
        self.title.tooltip = _TOOLTIP_BY_STATE[is_open]
