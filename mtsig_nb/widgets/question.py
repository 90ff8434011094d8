"""The question that the explorer opens on: where the systems come from, and places for files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets as w
import traitlets as t

from ..campaigns.embedded import campaign_names
from ..errors import InputError, out_of_memory
from ..report.page import template
from .fold import fold
from .sources import (
    LIMITS,
    Source,
    Upload,
    WholeOutcome,
    campaign_source,
    check_sizes,
    score_source,
    text_source,
)

#: Reads what was chosen; may take long, or raise `InputError`.
MakeSource = Callable[[], Source | WholeOutcome]

_TEXTS = "Your files"
_CAMPAIGN = "An embedded campaign"
_SCORES = "Scores per segment"
_AUTO_WIDTH: Any = {"width": "auto"}
_WIDE_LABEL: Any = {"description_width": "10em"}
_TEMPLATE = Path(__file__).parent / "templates" / "question.html.j2"


class DropZone(anywidget.AnyWidget):
    """Drop files, or press to choose them; new ones take the place of those before.

    `ipywidgets.FileUpload` can only be pressed, and sends all in one message, of which Jupyter's
    servers pass on 10 MiB.  Here files come one by one, as ``upload.js`` sends them.

    Attributes
    ----------
    value : tuple of (str, bytes)
        The files' names and contents; stays in Python.
    receiving : bool
        Whether files are on their way.

    Examples
    --------
    >>> zone = DropZone("reference(s)")
    >>> zone.value = [("a.txt", b"one line")]
    >>> zone.chosen
    [{'name': 'a.txt', 'size': 8}]
    """

    _esm = Path(__file__).with_name("upload.js")
    _css = Path(__file__).with_name("upload.css")
    description = t.Unicode().tag(sync=True)
    multiple = t.Bool().tag(sync=True)
    receiving = t.Bool(False).tag(sync=True)
    chosen: t.List[dict[str, Any]] = t.List().tag(sync=True)
    value = t.Any(())

    def __init__(self, description: str, *, multiple: bool = True) -> None:
        super().__init__(description=description, multiple=multiple)
        #: How the browser calls the transfer that is under way, if one is.
        self._transfer: str | None = None
        self._n_announced = 0
        self._received: list[Upload] = []
        self.on_msg(self._hear)

    @t.observe("value")
    def _list(self, _: object) -> None:
        """Show the names and sizes of the files in the browser."""
        self.chosen = [{"name": name, "size": len(content)} for name, content in self.value]

    def _hear(self, _: object, content: dict[str, Any], buffers: Sequence[memoryview]) -> None:
        """Answer a message from the browser.

        The message says that a transfer of files begins, has one of its files, or says that no
        files are wanted any more.
        """
        transfer = content["transfer"]
        if content["type"] == "clear":
            if transfer in (None, self._transfer):
                self._end(())
            return
        try:
            if content["type"] == "begin":
                self._begin(transfer, [(file["name"], file["size"]) for file in content["files"]])
            else:
                self._receive(transfer, content["name"], buffers[0])
        except InputError as error:
            self._refuse(transfer, str(error))
            return
        except MemoryError as error:
            self._end(())
            self._refuse(transfer, f"There is {out_of_memory(error, 'these files')}")
            return
        if len(self._received) == self._n_announced:
            self._end(self._received)
        self.send({"type": "taken", "transfer": transfer})

    def _refuse(self, transfer: str, message: str) -> None:
        """Tell the browser why a transfer does not go on."""
        self.send({"type": "refused", "transfer": transfer, "message": message})

    def _begin(self, transfer: str, files: Sequence[tuple[str, int]]) -> None:
        """Wait for files of these names and sizes, in place of those before."""
        if self.receiving:
            self._end(())
        check_sizes(files)  # files that came before stay if these are refused
        self._end(())
        self._transfer = transfer
        self._n_announced = len(files)
        self.receiving = True

    def _receive(self, transfer: str, name: str, content: memoryview) -> None:
        """Keep a file until all files of its transfer are there."""
        if transfer != self._transfer:
            raise InputError("The upload was abandoned. Choose the files again.")
        self._received.append((name, bytes(content)))

    def _end(self, files: Sequence[Upload]) -> None:
        """End the transfer, if there is one; from now on the zone has these files."""
        self.value = tuple(files)
        self._transfer = None
        self._received = []
        self.receiving = False


class Question:
    """Widgets to choose what is compared: a campaign, files of texts, or files of scores.

    Parameters
    ----------
    on_chosen : callable
        Called with a function that makes the source, which may take long or raise `InputError`; or
        with None where files have to be chosen first.
    campaign : str
        The campaign that is chosen at first.
    """

    def __init__(self, on_chosen: Callable[[MakeSource | None], None], campaign: str) -> None:
        self._on_chosen = on_chosen
        hints: Any = template(_TEMPLATE).make_module({"most": f"{LIMITS['file'] / 1e6:g}"})
        page_by_kind = {
            _TEXTS: self._page_of_texts(str(hints.texts())),
            _CAMPAIGN: self._page_of_campaigns(campaign),
            _SCORES: self._page_of_scores(str(hints.scores())),
        }
        self.kind = w.ToggleButtons(
            options=tuple(page_by_kind), value=_CAMPAIGN, style={"button_width": "auto"}
        )
        self.kind.observe(self._open, "value")
        page = w.VBox()  # a Stack would be the widget for it, which ipywidgets 7 on Colab lacks
        w.dlink((self.kind, "value"), (page, "children"), lambda kind: [page_by_kind[kind]])
        self.box = w.VBox([w.HTML("<h3>What do you want to compare?</h3>"), self.kind, page])
        self.box.add_class("mtsig-question")
        for zone in (*self._zones_of_texts, self.table):
            zone.observe(self._wait_for_files, "receiving")

    def _page_of_texts(self, hint: str) -> w.VBox:
        """Make the places for references, outputs and documents, and a button below them."""
        self.references = DropZone("reference(s)")
        self.systems = DropZone("systems’ outputs")
        self.documents = DropZone("documents (optional)", multiple=False)
        self._zones_of_texts = (self.references, self.systems, self.documents)
        zones = w.HBox(self._zones_of_texts)
        zones.add_class("mtsig-zones")
        self.compare = _blue_button("Compare these files")
        self.compare.on_click(self._choose_texts)
        return w.VBox([zones, w.HTML(hint), self.compare])

    def _page_of_campaigns(self, chosen: str) -> w.VBox:
        """Make the list of embedded campaigns, of which one is chosen."""
        self.campaign = w.Dropdown(
            options=campaign_names(), value=chosen, description="campaign", layout=_AUTO_WIDTH
        )
        self.campaign.observe(self._open, "value")
        return w.VBox([self.campaign])

    def _page_of_scores(self, hint: str) -> w.VBox:
        """Make the place for files of scores, and what is asked about them."""
        self.table = DropZone("scores per segment")
        self.smaller = w.Checkbox(description="smaller is better", indent=False, layout=_AUTO_WIDTH)
        self.planned = w.BoundedIntText(
            description="segments planned", min=0, max=LIMITS["segments"], style=_WIDE_LABEL
        )
        self.looks = w.BoundedIntText(
            description="looks", value=10, min=1, max=LIMITS["segments"], style=_WIDE_LABEL
        )
        watched = fold("Judgements are still coming in", [self.planned, self.looks])
        self.use_scores = _blue_button("Compare these scores")
        self.use_scores.on_click(self._choose_scores)
        return w.VBox([self.table, self.smaller, w.HTML(hint), watched, self.use_scores])

    def _choose_texts(self, _: object) -> None:
        """Choose the texts that have been uploaded."""
        files = (self.references.value, self.systems.value, self.documents.value)
        self._on_chosen(partial(text_source, *files))

    def _choose_scores(self, _: object) -> None:
        """Choose the scores that have been uploaded."""
        settings = {"planned": self.planned.value, "looks": self.looks.value}
        self._on_chosen(partial(score_source, self.table.value, self.smaller.value, **settings))

    def _wait_for_files(self, _: object) -> None:
        """Disable the buttons while files are on their way."""
        self.compare.disabled = any(zone.receiving for zone in self._zones_of_texts)
        self.use_scores.disabled = self.table.receiving

    def _open(self, _: object) -> None:
        """Choose the campaign, or nothing where files have to be chosen first."""
        if self.kind.value == _CAMPAIGN:
            self._on_chosen(partial(campaign_source, self.campaign.value))
        else:
            self._on_chosen(None)


def _blue_button(description: str) -> w.Button:
    """A button for what one usually does next."""
    return w.Button(description=description, button_style="primary", layout=_AUTO_WIDTH)
