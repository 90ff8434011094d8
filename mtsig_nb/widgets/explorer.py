"""The explorer: controls on the left, the verdict always in view, results in tabs.

Controls are read where they change; everything is computed and drawn in one thread beside the
notebook, for the visible tab only, and the newest wish wins.  So nothing waits for anything, and
longer work shows how far it is and can be cancelled.
"""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Sequence
from typing import Any

import ipywidgets as w

from ..campaigns.embedded import campaign_names
from ..errors import MtsigError, unknown_name
from ..progress import reported_to
from . import downloads, panels
from .controls import Controls
from .inputs import Inputs, MakeSource
from .look import CSS
from .model import Model, State
from .runner import Cancelled, Runner
from .sources import CampaignSource, Source

_TABS = (*panels.PANELS, "Take away")
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
        What is chosen: ``state.analysis`` is the analysis, None until the first data are read.
    widget : ipywidgets.Widget
        The whole of it.
    """

    def __init__(self, campaign: str, *, pair: Sequence[str] | None = None, **choices: Any) -> None:
        if campaign not in campaign_names():
            raise unknown_name("campaign", campaign, campaign_names())
        self.controls = Controls(self._refresh)
        self.inputs = Inputs(self._load, campaign)
        self.state: State | None = None
        self._model: Model | None = None
        self._runner = Runner(self._show_progress, self._end)
        self._build()
        source = CampaignSource(campaign)
        self._adopt(source)
        if choices:
            self.controls.set(**choices)
        if pair is not None:
            self.controls.set(first=pair[0], second=pair[1])
        self._refresh()

    # --- widgets ----------------------------------------------------------------------------------

    def _build(self) -> None:
        self._verdict = w.HTML()
        self._error = w.HTML()
        self._pages = [w.HTML(layout=w.Layout(min_height="420px")) for _ in panels.PANELS]
        for page in self._pages:
            page.add_class("mtsig-panel")
        self._links = w.HTML()
        self._links.add_class("mtsig-panel")
        self._make_report = w.Button(
            description="write the report",
            button_style="primary",
            layout=w.Layout(width="auto", align_self="flex-start"),
        )
        self._make_report.on_click(lambda _: self._write_report())
        self._report = w.HTML()
        self._report.add_class("mtsig-panel")
        away = w.VBox([w.HTML("<h3>Report</h3>"), self._make_report, self._report, self._links])
        self.tabs = w.Tab([*self._pages, away], titles=_TABS)
        self.tabs.observe(lambda _: self._refresh(), "selected_index")
        self._progress = w.FloatProgress(min=0, max=1, layout=w.Layout(width="160px"))
        self._doing = w.Label()
        self.cancel = w.Button(description="cancel", layout=w.Layout(width="80px"))
        self.cancel.on_click(lambda _: self._runner.cancel())
        self._busy = w.HBox(
            [self._progress, self._doing, self.cancel], layout=w.Layout(visibility="hidden")
        )
        controls = w.VBox(
            [self.inputs.box, self.controls.box],
            layout=w.Layout(flex="0 0 330px", width="330px", overflow="hidden"),
        )
        controls.add_class("mtsig-controls")
        results = w.VBox(
            [self._error, self._verdict, self.tabs],
            layout=w.Layout(flex="1 1 420px", min_width="0", margin="0 0 0 14px"),
        )
        title = w.HTML(
            f'<style>{CSS}</style><h2 class="mtsig-title">Is one system really better?</h2>'
        )
        self.widget = w.VBox(
            [
                w.HBox([title, self._busy], layout=w.Layout(justify_content="space-between")),
                w.HBox([controls, results], layout=w.Layout(align_items="flex-start")),
            ]
        )
        self.widget.add_class("mtsig-app")

    # --- what happens -----------------------------------------------------------------------------

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

    def _compute(self) -> None:
        """What is chosen now: a first answer from few resamples, then as many as are needed."""
        model = self._model
        assert model is not None  # there is a source from the beginning
        state = self.controls.state(model.source)
        if state.analysis.n_resamples is None and not model.has_compared(state):
            quick = dataclasses.replace(state.analysis, n_resamples=_FIRST_ANSWER)
            self._show(model, dataclasses.replace(state, analysis=quick), panels.FIRST_ANSWER)
        self._show(model, state)

    def _show(self, model: Model, state: State, remark: str = "") -> None:
        """The verdict, with a remark, and the visible tab."""
        tab = self.tabs.selected_index or 0
        verdict = panels.verdict(model, state) + remark
        at_a_tab = tab < len(self._pages)
        shown = list(panels.PANELS.values())[tab](model, state) if at_a_tab else ""
        links = "" if at_a_tab else downloads.links(model, state)
        # All at once, the verdict last: without its remark nothing is left to come.
        self.state = state
        self._error.value = ""
        if at_a_tab:
            self._pages[tab].value = shown
        else:
            self._report.value, self._links.value = "", links
        self._verdict.value = verdict

    def _write_report(self) -> None:
        def job() -> None:
            assert self._model is not None  # as above
            self._report.value = ""
            state = self.controls.state(self._model.source)
            self._report.value = downloads.report(self._model, state)

        self._runner.submit(job)

    def _show_progress(self, what: str, share: float) -> None:
        self._progress.value = share
        self._doing.value = what
        self._busy.layout.visibility = "visible"

    def _end(self, error: BaseException | None) -> None:
        self._busy.layout.visibility = "hidden"
        if error is None:
            return
        if isinstance(error, Cancelled):
            message = "Cancelled. What is shown below is older than what is chosen."
        elif isinstance(error, MtsigError):
            message = str(error)
            if self._model is not None:
                message = self._model.source.without_folder(message)
        else:
            # A fault of ours, or a full disk: said, since nobody sees a traceback in a browser.
            message = f"This failed unexpectedly: {type(error).__name__}: {error}"
        self._error.value = f'<div class="mtsig-error" role="alert">{html.escape(message)}</div>'

    # --- without a kernel -------------------------------------------------------------------------

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
        assert self._model is not None  # as above
        self.wait()
        state = self.controls.state(self._model.source)
        with reported_to(lambda *_: None):  # a progress bar would be stored with the cell
            verdict = panels.verdict(self._model, state)
            page = panels.PANELS[tab](self._model, state)
        return (
            f'<style>{CSS}</style><div class="mtsig-app mtsig-panel mathjax_ignore">'
            f"{verdict}<h3>{tab}</h3>{page}</div>"
        )

    def code(self) -> str:
        """Python code that gives what is shown again."""
        assert self._model is not None  # as above
        return self._model.code(self.controls.state(self._model.source))

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        bundle: dict[str, Any] = dict(self.widget._repr_mimebundle_(**kwargs) or {})
        return {**bundle, "text/plain": repr(self), "text/html": self.snapshot()}

    def __repr__(self) -> str:
        assert self._model is not None  # as above
        return f"Explorer({self._model.source.title}, {len(self._model.source.systems)} systems)"


def explore(
    campaign: str = "wmt12/es-en", *, pair: Sequence[str] | None = None, **choices: Any
) -> Explorer:
    """Compare systems by hand: an application in the notebook, or a page of its own with Voila.

    Parameters
    ----------
    campaign : str
        What is shown first; another campaign, or files of your own, can be chosen in it.
    pair : two str, optional
        Systems to look at; by default the two with the best scores.
    **choices
        First values of controls, by their names: metrics, systems, test, tails, counting,
        resamples, units, alpha, correction, seed.

    Returns
    -------
    Explorer
        Its ``state.analysis`` is what is chosen, as an :class:`~mtsig_nb.report.analysis.Analysis`.

    Raises
    ------
    InputError
        For a campaign, system or choice that is not there.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> explorer = mt.explore("wmt12/es-en", resamples=500)
    >>> explorer
    Explorer(wmt12/es-en, 12 systems)
    >>> explorer.wait(timeout=60)
    True
    >>> explorer.state.pair
    ('onlineB', 'uedin-wmt12')
    """
    return Explorer(campaign, pair=pair, **choices)


__all__ = ["Explorer", "explore"]
