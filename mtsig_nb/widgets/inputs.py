"""Where the systems come from: the part of the explorer in which a source is chosen."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import ipywidgets as w

from ..campaigns.embedded import campaign_names
from .dropzone import DropZone
from .sources import CampaignSource, ScoreSource, Source, TextSource
from .uploads import MOST_OF_ONE_FILE, Upload

MakeSource = Callable[[], Source]
_KINDS = ("campaign", "your files", "your scores")
_LIMIT = f"At most {MOST_OF_ONE_FILE / 1e6:g} MB a file; gzip (.gz) is understood."


class Inputs:
    """A campaign, files of texts, or a table of scores.

    Parameters
    ----------
    on_chosen : callable
        Given what makes the source; making it may take long, or fail with an `InputError`.
    campaign : str
        Chosen at first.
    """

    def __init__(self, on_chosen: Callable[[MakeSource], None], campaign: str) -> None:
        self._on_chosen = on_chosen
        self.kind = w.ToggleButtons(options=_KINDS, style={"button_width": "auto"})
        self.campaign = w.Dropdown(
            options=campaign_names(), value=campaign, layout={"width": "auto"}
        )
        self.references = DropZone("reference(s)")
        self.systems = DropZone("systems’ outputs")
        self.documents = DropZone("documents (optional)", multiple=False)
        self.compare = _button("compare these files")
        self.table = DropZone("table of scores", multiple=False)
        self.smaller = w.Checkbox(
            description="smaller is better", indent=False, layout={"width": "auto"}
        )
        self.use_scores = _button("compare these scores")
        self._texts = (self.references, self.systems, self.documents)
        formats = _hint(f"Text (one segment a line), SGML, WMT XML, TSV, JSON lines. {_LIMIT}")
        columns = _hint(
            "CSV or TSV with the columns system and segment, maybe document, and one for each "
            f"metric. {_LIMIT}"
        )
        pages = [
            [self.campaign],
            [*self._texts, formats, self.compare],
            [self.table, self.smaller, columns, self.use_scores],
        ]
        page = w.Stack([w.VBox(page) for page in pages])
        w.link((self.kind, "index"), (page, "selected_index"))
        self.box = w.VBox([w.HTML("<h3>Data</h3>"), self.kind, page])
        self.kind.observe(lambda _: self._go_back_to_campaign(), "index")
        self.campaign.observe(lambda _: self._choose_campaign(), "value")
        self.compare.on_click(lambda _: self._choose_files())
        self.use_scores.on_click(lambda _: self._choose_scores())
        for zone in (*self._texts, self.table):
            zone.observe(lambda _: self._wait_for_files(), "receiving")

    def _wait_for_files(self) -> None:
        """Nothing can be compared while some of it is on its way."""
        self.compare.disabled = any(zone.receiving for zone in self._texts)
        self.use_scores.disabled = self.table.receiving

    def _go_back_to_campaign(self) -> None:
        if self.kind.index == 0:
            self._choose_campaign()

    def _choose_campaign(self) -> None:
        self._on_chosen(partial(CampaignSource, self.campaign.value))

    def _choose_files(self) -> None:
        self._on_chosen(partial(TextSource, *(Upload.of(zone.value) for zone in self._texts)))

    def _choose_scores(self) -> None:
        tables = Upload.of(self.table.value)
        self._on_chosen(partial(ScoreSource, tables, smaller_is_better=self.smaller.value))


def _button(description: str) -> w.Button:
    return w.Button(description=description, button_style="primary", layout={"width": "auto"})


def _hint(text: str) -> w.HTML:
    return w.HTML(f'<div class="mtsig-hint">{text}</div>')


__all__ = ["Inputs", "MakeSource"]
