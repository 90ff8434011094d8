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
        wide = w.Layout(width="auto")
        self.kind = w.ToggleButtons(options=_KINDS, style={"button_width": "auto"})
        self.campaign = w.Dropdown(options=campaign_names(), value=campaign, layout=wide)
        self.references = DropZone("reference(s)")
        self.systems = DropZone("systems’ outputs")
        self.documents = DropZone("documents (optional)", multiple=False)
        self.compare = w.Button(description="compare these files", button_style="primary")
        self.table = DropZone("table of scores", multiple=False)
        self.smaller = w.Checkbox(
            description="smaller is better", indent=False, layout=w.Layout(width="auto")
        )
        self.use_scores = w.Button(description="compare these scores", button_style="primary")
        for button in (self.compare, self.use_scores):
            button.layout.width = "auto"
        self._pages = {
            _KINDS[0]: w.VBox([self.campaign]),
            _KINDS[1]: w.VBox(
                [
                    self.references,
                    self.systems,
                    self.documents,
                    _hint(f"Text (one segment a line), SGML, WMT XML, TSV, JSON lines. {_LIMIT}"),
                    self.compare,
                ]
            ),
            _KINDS[2]: w.VBox(
                [
                    self.table,
                    self.smaller,
                    _hint(
                        "CSV or TSV with the columns system and segment, maybe document, and one "
                        f"for each metric. {_LIMIT}"
                    ),
                    self.use_scores,
                ]
            ),
        }
        self.box = w.VBox([w.HTML("<h3>Data</h3>"), self.kind, self._pages[_KINDS[0]]])
        self.kind.observe(self._show_page, "value")
        self.campaign.observe(lambda _: self._choose_campaign(), "value")
        self.compare.on_click(lambda _: self._choose_files())
        self.use_scores.on_click(lambda _: self._choose_scores())
        for zone in (self.references, self.systems, self.documents, self.table):
            zone.observe(lambda _: self._wait_for_files(), "receiving")

    def _show_page(self, _: object) -> None:
        self.box.children = (*self.box.children[:2], self._pages[self.kind.value])
        if self.kind.value == _KINDS[0]:
            self._choose_campaign()

    def _wait_for_files(self) -> None:
        """Nothing can be compared while some of it is on its way."""
        texts = (self.references, self.systems, self.documents)
        self.compare.disabled = any(zone.receiving for zone in texts)
        self.use_scores.disabled = self.table.receiving

    def _choose_campaign(self) -> None:
        self._on_chosen(partial(CampaignSource, self.campaign.value))

    def _choose_files(self) -> None:
        files = [Upload.of(u.value) for u in (self.references, self.systems, self.documents)]
        self._on_chosen(partial(TextSource, *files))

    def _choose_scores(self) -> None:
        tables = Upload.of(self.table.value)
        self._on_chosen(partial(ScoreSource, tables, smaller_is_better=self.smaller.value))


def _hint(text: str) -> w.HTML:
    return w.HTML(f'<div class="mtsig-hint">{text}</div>')


__all__ = ["Inputs", "MakeSource"]
