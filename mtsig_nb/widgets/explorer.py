"""The explorer: controls on the left, the verdict always in view, results in tabs.

Controls are read where they change; everything is computed and drawn in one thread beside the
notebook, for the visible tab only, and the newest wish wins.  So nothing waits for anything, and
longer work shows how far it is and can be cancelled.
"""

from __future__ import annotations

import dataclasses
import html
from pathlib import Path
from typing import Any

import ipywidgets as w

from ..campaigns.embedded import campaign_names
from ..errors import MtsigError, unknown_name
from ..progress import reported_to
from ..significance.comparisons import Comparisons
from ..significance.results import TestResult
from . import downloads, panels
from .controls import Controls
from .inputs import Inputs, MakeSource
from .model import Model, State
from .runner import Cancelled, Runner
from .sources import CampaignSource, Source

_STYLE = f"<style>\n{Path(__file__).with_name('explorer.css').read_text(encoding='utf-8')}</style>"
#: Resamples behind the first answer, where no number is chosen: it comes at once.
_FIRST_ANSWER = 2000


class Explorer:
    """An application to compare systems by hand; made by :func:`mtsig_nb.explore`.

    Attributes
    ----------
    controls, inputs
        The widgets by name, such as ``controls.test``; setting their ``value`` is as good as
        choosing by hand.
    state : State or None
        What is shown: ``state.analysis``, ``state.metric`` and ``state.pair``; None until something
        is.
    error : str
        Why it is not what is chosen; empty if it is.
    widget : ipywidgets.Widget
        The whole of it.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> explorer = mt.explore("wmt12/es-en", resamples=500, correction=None)
    >>> explorer.set(pair=("uedin-wmt12", "QCRI--primary"), units="documents")
    >>> explorer.verdict.partition(" (")[0]
    'BLEU: uedin-wmt12 is better than QCRI--primary'
    >>> explorer.comparisons.n_comparisons, explorer.result.unit
    (66, 'documents')
    >>> print(explorer.code().splitlines()[1])
    campaign = mt.load('wmt12/es-en')
    >>> "mtsig-steps" in explorer.snapshot("Step by step")
    True
    """

    def __init__(self, campaign: str, **choices: Any) -> None:
        if campaign not in campaign_names():
            raise unknown_name("campaign", campaign, campaign_names())
        self.controls = Controls(self._refresh)
        self.inputs = Inputs(self._load, campaign)
        self.state: State | None = None
        self.error = ""
        self._runner = Runner(self._show_progress, self._end)
        self._build()
        self._adopt(CampaignSource(campaign))
        self.set(**choices)

    # --- widgets ----------------------------------------------------------------------------------

    def _build(self) -> None:
        self._verdict, self._error, self._report, self._links = (w.HTML() for _ in range(4))
        self._pages = [w.HTML(layout={"min_height": "420px"}) for _ in panels.PANELS]
        for page in (*self._pages, self._report, self._links):
            page.add_class("mtsig-panel")
        report = w.Button(
            description="write the report",
            button_style="primary",
            layout={"width": "auto", "align_self": "flex-start"},
        )
        report.on_click(lambda _: self._runner.submit(self._write_report))
        away = w.VBox([w.HTML("<h3>Report</h3>"), report, self._report, self._links])
        self.tabs = w.Tab([*self._pages, away], titles=(*panels.PANELS, "Take away"))
        self.tabs.observe(lambda _: self._refresh(), "selected_index")
        self._progress = w.FloatProgress(min=0, max=1, layout={"width": "160px"})
        self._doing = w.Label()
        self.cancel = w.Button(description="cancel", layout={"width": "80px"})
        self.cancel.on_click(lambda _: self._runner.cancel())
        self._busy = w.HBox(
            [self._progress, self._doing, self.cancel], layout={"visibility": "hidden"}
        )
        controls = w.VBox(
            [self.inputs.box, self.controls.box],
            layout={"flex": "0 0 330px", "width": "330px", "overflow": "hidden"},
        )
        controls.add_class("mtsig-controls")
        results = w.VBox(
            [self._error, self._verdict, self.tabs],
            layout={"flex": "1 1 420px", "min_width": "0", "margin": "0 0 0 14px"},
        )
        title = w.HTML(f'{_STYLE}<h2 class="mtsig-title">Is one system really better?</h2>')
        self.widget = w.VBox(
            [
                w.HBox([title, self._busy], layout={"justify_content": "space-between"}),
                w.HBox([controls, results], layout={"align_items": "flex-start"}),
            ]
        )
        self.widget.add_class("mtsig-app")

    # --- what happens -----------------------------------------------------------------------------

    def set(self, **choices: Any) -> None:
        """Choose, as if by hand: any of the choices that :func:`explore` has, all at once.

        Raises
        ------
        InputError
            For a choice that is not there.
        """
        self.controls.set(**choices)
        self._refresh()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until everything is computed; whether that came within `timeout` seconds."""
        return self._runner.wait(timeout)

    def _load(self, make: MakeSource) -> None:
        def job() -> None:
            source = make()
            source.statistics(source.metrics[0])
            self._adopt(source)
            self._compute()

        self._runner.submit(job)

    def _adopt(self, source: Source) -> None:
        """Offer the source's systems; the two with the best scores are the first pair."""
        best = source.statistics(source.metrics[0]).scores().index[:2].tolist()
        self._model = Model(source)
        self.controls.offer(source, best)

    def _refresh(self) -> None:
        self._runner.submit(self._compute)

    def _chosen(self) -> tuple[Model, State]:
        return self._model, self.controls.state(self._model.source)

    def _settled(self) -> tuple[Model, State]:
        self.wait()
        return self._chosen()

    def _compute(self) -> None:
        """What is chosen now: a first answer from few resamples, then as many as are needed."""
        model, state = self._chosen()
        if state.analysis.n_resamples is None and not model.has_compared(state):
            quick = dataclasses.replace(state.analysis, n_resamples=_FIRST_ANSWER)
            self._show(model, dataclasses.replace(state, analysis=quick), panels.FIRST_ANSWER)
        self._show(model, state)

    def _show(self, model: Model, state: State, remark: str = "") -> None:
        """The verdict, with a remark, and the visible tab."""
        tab = self.tabs.selected_index or 0
        verdict = panels.verdict(model, state) + remark
        draw = [*panels.PANELS.values(), downloads.links][tab]
        shown = draw(model, state)
        # All at once, the verdict last: without its remark nothing is left to come.
        self.state = state
        self._say("")
        if draw is downloads.links:
            self._report.value = ""
        [*self._pages, self._links][tab].value = shown
        self._verdict.value = verdict

    def _write_report(self) -> None:
        self._report.value = ""
        self._report.value = downloads.report(*self._chosen())

    def _show_progress(self, what: str, share: float) -> None:
        self._progress.value = share
        self._doing.value = what
        self._busy.layout.visibility = "visible"

    def _end(self, error: BaseException | None) -> None:
        self._busy.layout.visibility = "hidden"
        if isinstance(error, Cancelled):
            self._say("Cancelled. What is shown below is older than what is chosen.")
        elif isinstance(error, MtsigError):
            self._say(self._model.source.without_folder(str(error)))
        elif error is not None:
            # A fault of ours, or a full disk: said, since nobody sees a traceback in a browser.
            self._say(f"This failed unexpectedly: {type(error).__name__}: {error}")

    def _say(self, error: str) -> None:
        self.error = error
        said = f'<div class="mtsig-error" role="alert">{html.escape(error)}</div>'
        self._error.value = said if error else ""

    # --- without a page ---------------------------------------------------------------------------

    @property
    def comparisons(self) -> Comparisons:
        """All pairs of the systems that are chosen, under the metrics that are chosen."""
        model, state = self._settled()
        return model.comparisons(state)

    @property
    def result(self) -> TestResult:
        """The test of the pair that is chosen, alone."""
        model, state = self._settled()
        return model.result(state)

    @property
    def verdict(self) -> str:
        """The pair that is chosen, in plain language, corrected for all that are compared."""
        model, state = self._settled()
        return model.verdict(state)

    def code(self) -> str:
        """Python code that gives what is chosen again."""
        model, state = self._settled()
        return model.code(state)

    def snapshot(self, tab: str = "Test") -> str:
        """What is shown, as HTML that needs no kernel: the verdict and one tab.

        Parameters
        ----------
        tab : str
            A tab's title.

        Raises
        ------
        InputError
            For a tab that is not there, or choices that cannot be compared.
        """
        if tab not in panels.PANELS:
            raise unknown_name("tab", tab, panels.PANELS)
        model, state = self._settled()
        with reported_to(lambda *_: None):  # a progress bar would be stored with the cell
            verdict = panels.verdict(model, state)
            page = panels.PANELS[tab](model, state)
        return (
            f'{_STYLE}<div class="mtsig-app mtsig-panel mathjax_ignore">'
            f"{verdict}<h3>{tab}</h3>{page}</div>"
        )

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        bundle: dict[str, Any] = dict(self.widget._repr_mimebundle_(**kwargs) or {})
        return {**bundle, "text/plain": repr(self), "text/html": self.snapshot()}

    def __repr__(self) -> str:
        return f"Explorer({self._model.source.title}, {len(self._model.source.systems)} systems)"


__all__ = ["Explorer"]
