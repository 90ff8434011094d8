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
from ..errors import InputError
from .sources import LIMITS, Source, Upload, campaign_source, check_sizes, score_source, text_source

MakeSource = Callable[[], Source]
_KINDS = ("Your files", "An embedded campaign", "Scores per segment")
_CAMPAIGN = _KINDS[1]
#: What to do first, for each kind.
_NEXT = {
    "Your files": "Choose the reference and the outputs of two systems or more.",
    "Scores per segment": "Choose files with the scores of two systems or more.",
}
_LIMIT = f"At most {LIMITS['file'] / 1e6:g} MB a file; gzip (.gz) is understood."


class DropZone(anywidget.AnyWidget):
    """Drop files, or press to choose them; new ones take the place of those before.

    `ipywidgets.FileUpload` can only be pressed, and sends all in one message, of which Jupyter's
    servers pass on 10 MiB.  Here files come in pieces, in order, as ``upload.js`` sends them.

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
        #: Name and size of each file as announced, and what has come of it.
        self._coming: list[tuple[str, int, bytearray]] = []
        self.on_msg(self._hear)

    @t.observe("value")
    def _list(self, _: object) -> None:
        self.chosen = [{"name": name, "size": len(content)} for name, content in self.value]

    def _hear(self, _: object, content: dict[str, Any], buffers: Sequence[memoryview]) -> None:
        """Answer one message from the browser."""
        kind, transfer = content["type"], content["transfer"]
        if kind == "clear":
            if transfer in (None, self._transfer):
                self._end(())
            return
        try:
            if kind == "begin":
                self._begin(transfer, [(f["name"], f["size"]) for f in content["files"]])
            else:
                self._take(transfer, content["file"], content["offset"], buffers[0])
        except InputError as error:
            if transfer == self._transfer or (kind == "begin" and self.receiving):
                self._end(())  # otherwise it is another's turn
            self.send({"type": "refused", "transfer": transfer, "message": str(error)})
            return
        if all(len(received) == size for _, size, received in self._coming):
            self._end([(name, bytes(received)) for name, _, received in self._coming])
        self.send({"type": "taken", "transfer": transfer})

    def _begin(self, transfer: str, files: Sequence[tuple[str, int]]) -> None:
        check_sizes(files)  # what was there before stays if these are refused
        self._end(())
        self._coming = [(name, size, bytearray()) for name, size in files]
        self._transfer, self.receiving = transfer, True

    def _take(self, transfer: str, file: int, offset: int, data: memoryview) -> None:
        if transfer != self._transfer:
            raise InputError("The upload was given up. Choose the files again.")
        _, size, received = self._coming[file]
        if len(received) != offset or offset + data.nbytes > size:
            raise InputError("The upload was interrupted. Choose the files again.")
        received += data

    def _end(self, files: Sequence[Upload]) -> None:
        self._transfer, self._coming = None, []
        self.value = tuple(files)
        self.receiving = False


class Inputs:
    """A campaign, files of texts, or files of scores.

    Parameters
    ----------
    on_chosen : callable
        Given what makes the source; making it may take long, or fail with an `InputError`.
    on_opened : callable
        Given what to do next, where files have to be chosen first.
    campaign : str
        Chosen at first.
    """

    def __init__(
        self,
        on_chosen: Callable[[MakeSource], None],
        on_opened: Callable[[str], None],
        campaign: str,
    ) -> None:
        self._on_chosen, self._on_opened = on_chosen, on_opened
        wide = {"layout": {"width": "auto"}}
        self.kind = w.ToggleButtons(options=_KINDS, value=_CAMPAIGN, style={"button_width": "auto"})
        self.campaign = w.Dropdown(options=campaign_names(), value=campaign, **wide)
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
        formats = _hint(
            "Systems are named after their files. Text (one segment a line), SGML, WMT XML, TSV. "
            f"{_LIMIT}"
        )
        columns = _hint(
            "Tables (CSV, TSV, JSON lines) with the columns system and segment, maybe document, "
            "and one for each metric, or with a column for each system; what comet-score writes; "
            f"seg.score files of WMT. Several are joined. {_LIMIT}"
        )
        pages = [
            [zones, formats, self.compare],
            [self.campaign],
            [self.table, self.smaller, columns, self.use_scores],
        ]
        page = w.Stack([w.VBox(page) for page in pages], selected_index=self.kind.index)
        w.dlink((self.kind, "index"), (page, "selected_index"))
        self.box = w.VBox([w.HTML("<h3>What do you want to compare?</h3>"), self.kind, page])
        self.box.add_class("mtsig-question")
        self.kind.observe(self._open, "value")
        self.campaign.observe(self._open, "value")
        self.compare.on_click(lambda _: self._choose(text_source, *self._texts))
        self.use_scores.on_click(
            lambda _: self._choose(
                partial(score_source, smaller_is_better=self.smaller.value), self.table
            )
        )
        for zone in (*self._texts, self.table):
            zone.observe(self._wait_for_files, "receiving")

    def _wait_for_files(self, _: object) -> None:
        """Nothing can be compared while some of it is on its way."""
        self.compare.disabled = any(zone.receiving for zone in self._texts)
        self.use_scores.disabled = self.table.receiving

    def _open(self, _: object) -> None:
        if self.kind.value == _CAMPAIGN:
            self._on_chosen(partial(campaign_source, self.campaign.value))
        else:
            self._on_opened(_NEXT[self.kind.value])

    def _choose(self, make: Callable[..., Source], *zones: DropZone) -> None:
        self._on_chosen(partial(make, *(zone.value for zone in zones)))


def _hint(text: str) -> w.HTML:
    return w.HTML(f'<div class="mtsig-hint">{text}</div>')


__all__ = ["DropZone", "Inputs", "MakeSource"]
