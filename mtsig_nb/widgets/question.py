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

MakeSource = Callable[[], Source | WholeOutcome]
_KINDS = ("Your files", "An embedded campaign", "Scores per segment")
_CAMPAIGN = _KINDS[1]
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
        self._transfer: str | None = None
        self._announced = 0
        self._come: list[Upload] = []
        self.on_msg(self._hear)

    @t.observe("value")
    def _list(self, _: object) -> None:
        self.chosen = [{"name": name, "size": len(content)} for name, content in self.value]

    def _hear(self, _: object, content: dict[str, Any], buffers: Sequence[memoryview]) -> None:
        """Answer one message from the browser."""
        kind = content["type"]
        transfer = content["transfer"]
        if kind == "clear":
            if transfer in (None, self._transfer):
                self._end(())
            return
        try:
            if kind == "begin":
                self._begin(transfer, [(f["name"], f["size"]) for f in content["files"]])
            elif transfer == self._transfer:
                self._come.append((content["name"], bytes(buffers[0])))
            else:
                raise InputError("The upload was given up. Choose the files again.")
        except (InputError, MemoryError) as error:
            message = str(error)
            if isinstance(error, MemoryError):
                self._end(())
                message = f"There is {out_of_memory(error, 'these files')}"
            self.send({"type": "refused", "transfer": transfer, "message": message})
            return
        if len(self._come) == self._announced:
            self._end(self._come)
        self.send({"type": "taken", "transfer": transfer})

    def _begin(self, transfer: str, files: Sequence[tuple[str, int]]) -> None:
        if self.receiving:
            self._end(())
        check_sizes(files)  # what was there before stays if these are refused
        self._end(())
        self._transfer = transfer
        self._announced = len(files)
        self.receiving = True

    def _end(self, files: Sequence[Upload]) -> None:
        self.value = tuple(files)
        self._transfer = None
        self._come = []
        self.receiving = False


class Question:
    """A campaign, files of texts, or files of scores.

    Parameters
    ----------
    on_chosen : callable
        Given what makes the source, which may take long, or fail with an `InputError`; None where
        files have to be chosen first.
    campaign : str
        Chosen at first.
    """

    def __init__(self, on_chosen: Callable[[MakeSource | None], None], campaign: str) -> None:
        self._on_chosen = on_chosen
        wide = {"layout": {"width": "auto"}}
        self.kind = w.ToggleButtons(options=_KINDS, value=_CAMPAIGN, style={"button_width": "auto"})
        self.campaign = w.Dropdown(
            options=campaign_names(), value=campaign, description="campaign", **wide
        )
        self.references = DropZone("reference(s)")
        self.systems = DropZone("systems’ outputs")
        self.documents = DropZone("documents (optional)", multiple=False)
        self.table = DropZone("scores per segment")
        self.smaller = w.Checkbox(description="smaller is better", indent=False, **wide)
        blue = {"button_style": "primary", **wide}
        self.compare = w.Button(description="Compare these files", **blue)
        self.use_scores = w.Button(description="Compare these scores", **blue)
        self._texts = (self.references, self.systems, self.documents)
        zones = w.HBox(self._texts)
        zones.add_class("mtsig-zones")
        module: Any = template(_TEMPLATE).make_module({"most": f"{LIMITS['file'] / 1e6:g}"})
        pages = [
            [zones, w.HTML(str(module.texts())), self.compare],
            [self.campaign],
            [self.table, self.smaller, w.HTML(str(module.scores())), self.use_scores],
        ]
        page = w.Stack([w.VBox(page) for page in pages], selected_index=self.kind.index)
        w.dlink((self.kind, "index"), (page, "selected_index"))
        self.box = w.VBox([w.HTML("<h3>What do you want to compare?</h3>"), self.kind, page])
        self.box.add_class("mtsig-question")
        self.kind.observe(self._open, "value")
        self.campaign.observe(self._open, "value")
        self.compare.on_click(
            lambda _: on_chosen(partial(text_source, *(zone.value for zone in self._texts)))
        )
        self.use_scores.on_click(
            lambda _: on_chosen(partial(score_source, self.table.value, self.smaller.value))
        )
        for zone in (*self._texts, self.table):
            zone.observe(self._wait_for_files, "receiving")

    def _wait_for_files(self, _: object) -> None:
        """Nothing can be compared while some of it is on its way."""
        self.compare.disabled = any(zone.receiving for zone in self._texts)
        self.use_scores.disabled = self.table.receiving

    def _open(self, _: object) -> None:
        embedded = self.kind.value == _CAMPAIGN
        self._on_chosen(partial(campaign_source, self.campaign.value) if embedded else None)
