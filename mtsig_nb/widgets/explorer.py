"""The explorer: a question, then controls, the verdict always in view, results in tabs.

Whenever a control changes, everything is computed and drawn anew beside the notebook, in a thread
or in slices: the verdict first, then the visible tab only.  A later change takes the place of an
earlier one.  So the page never freezes; longer work shows how far it is, and can be cancelled.
Until the answer to a change is there, what is shown is marked as out of date.
"""

from __future__ import annotations

import html
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ipywidgets as w

from ..campaigns.embedded import campaign_names
from ..errors import InputError, MtsigError, check_one_of, is_out_of_memory, out_of_memory
from ..progress import reported_to
from . import panels
from .controls import Controls
from .model import Model, State
from .question import MakeSource, Question
from .runner import Cancelled, Job, Runner
from .sources import Source, WholeOutcome, campaign_source

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_STYLE = f"<style>\n{Path(__file__).with_name('explorer.css').read_text(encoding='utf-8')}</style>"
#: The class of parts that show an answer to earlier choices.
_STALE = "mtsig-stale"
#: How a picture of earlier choices turns grey, like such parts, if the next one is long in coming.
_STYLE_OF_FORMER = """<style>
.mtsig-former { animation: mtsig-out-of-date .15s .25s both; }
@keyframes mtsig-out-of-date { to { opacity: .35; filter: grayscale(1); } }
</style>"""


class Explorer:
    """An application to compare systems by hand; made by :func:`mtsig_nb.explore`.

    Attributes
    ----------
    controls, inputs
        The widgets by name, such as ``controls.test``; setting their ``value`` is as good as
        choosing by hand.
    state : State or None
        What is on the screen: ``state.analysis``, ``state.metric`` and ``state.pair``; None until
        something is shown.
    error : str
        Why the present choice cannot be shown; empty if it is shown.
    widget : ipywidgets.Widget
        The whole application.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> explorer = mt.explore("wmt12/es-en", resamples=500, correction=None)
    >>> explorer.set(pair=("uedin-wmt12", "QCRI--primary"), units="documents")
    >>> explorer.verdict.partition(" (")[0]
    'BLEU: uedin-wmt12 is better than QCRI--primary'
    >>> explorer.state.analysis.compare().n_comparisons
    66
    >>> print(explorer.code().splitlines()[1])
    campaign = mt.load('wmt12/es-en')
    >>> "Simulate it" in explorer.snapshot("Step by step")
    True
    """

    def __init__(self, campaign: str, **choices: Any) -> None:
        check_one_of("campaign", campaign, campaign_names())
        self.controls = Controls(self._refresh)
        self.inputs = Question(self._load, campaign)
        self.state: State | None = None
        self.error = ""
        #: What has the numbers about the systems to choose from.
        self._model: Model
        #: An outcome in which nothing is chosen, while it is shown in place of the model's numbers.
        self._whole: WholeOutcome | None = None
        self._runner = Runner(self._show_progress, self._end)
        #: The pictures that were drawn last, by the title of their tab.
        self._pictures: dict[str, str] = {}
        #: What makes the source that was chosen last; None while files have to be chosen first.
        self._wanted: MakeSource | None = partial(campaign_source, campaign)
        self._build()
        self._adopt(campaign_source(campaign))
        self.set(**choices)

    # --- widgets ----------------------------------------------------------------------------------

    def _build(self) -> None:
        """Make the widgets, and put them together."""
        self._verdict = w.HTML()
        self._error = w.HTML()
        self._build_tabs()
        self._build_progress()
        heading = '<h2 class="mtsig-title">Is one system really better?</h2>'
        title = w.HTML(f"{_STYLE}{_STYLE_OF_FORMER}{heading}")
        self._answer = w.VBox([self._verdict, self.tabs])
        self._controls = _classed("mtsig-controls", self.controls.box)
        results = _classed("mtsig-results", self._answer)
        self._compared = _classed("mtsig-columns", w.HBox([self._controls, results]))
        top = _classed("mtsig-top", w.HBox([title, self._busy]))
        parts = [top, self.inputs.box, self._error, self._compared]
        # Two boxes, because the style sheet lays out the inner one by the width of the outer one.
        app = _classed("mtsig-app", w.VBox(parts))
        self.widget = _classed("mtsig-page", w.VBox([app]))

    def _build_tabs(self) -> None:
        """Make a tab for each panel; the last one also offers the report."""
        self._report = w.HTML()
        self._pages = [w.HTML() for _ in panels.PANELS]
        for page in (*self._pages, self._report):
            page.add_class("mtsig-panel")
        layout = {"width": "auto", "align_self": "flex-start"}
        button = w.Button(description="write the report", button_style="primary", layout=layout)
        button.on_click(lambda _: self._runner.submit(self._write_report))
        *pages, take_away = self._pages
        last_tab = w.VBox([w.HTML("<h3>Report</h3>"), button, self._report, take_away])
        self.tabs = w.Tab([*pages, last_tab])
        for place, title in enumerate(panels.PANELS):
            self.tabs.set_title(place, title)
        self.tabs.observe(lambda _: self._refresh(), "selected_index")

    def _build_progress(self) -> None:
        """Make what is seen while something is computed: how far it is, and a button to cancel."""
        self._progress = w.FloatProgress(min=0, max=1, layout={"width": "120px"})
        self._doing = w.Label()
        self.cancel = w.Button(description="cancel", layout={"width": "80px"})
        self.cancel.on_click(lambda _: self._runner.cancel())
        self._busy = w.HBox([self._progress, self._doing, self.cancel])
        self._busy.layout.visibility = "hidden"

    # --- what happens -----------------------------------------------------------------------------

    def set(self, **choices: Any) -> None:
        """Choose as if by hand: any of the choices that :func:`explore` takes, all at once.

        Raises
        ------
        InputError
            For an unknown choice.
        """
        self.controls.set(**choices)
        self._refresh()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until everything is computed; False if that takes more than `timeout` seconds."""
        return self._runner.wait(timeout)

    def _load(self, make: MakeSource | None) -> None:
        """Show the source that `make` gives, or nothing where files have to be chosen first."""
        self._wanted = make
        if make is None:
            self._say("")
            self._compared.layout.display = "none"
            self._runner.cancel()
            return

        def job() -> None:
            source = make()
            if isinstance(source, Source):
                source.statistics(source.metrics[0])  # may be long, and is kept
            if self._wanted is not make:  # another was chosen meanwhile
                return
            if isinstance(source, WholeOutcome):
                self._show_whole(source)
            else:
                self._adopt(source)
                self._compute()

        self._submit(job)

    def _show_whole(self, source: WholeOutcome) -> None:
        """Show an outcome in which no pair is chosen: a single page without controls."""
        self._whole = source
        self.state = None
        self._verdict.value = panels.whole(source)
        self._report.value = ""
        self._say("")
        self._answer.remove_class(_STALE)
        self._show_what_is_compared(with_choices=False)

    def _adopt(self, source: Source) -> None:
        """Offer the source's systems; the two with the best scores are the first pair."""
        best_first = source.statistics(source.metrics[0]).scores().index
        self._model = Model(source)
        self._whole = None
        self.controls.offer(source, best_first[:2].tolist())
        self._show_what_is_compared(with_choices=True)

    def _show_what_is_compared(self, *, with_choices: bool) -> None:
        """Have the answer in view, and beside it the tabs and controls if there are choices."""
        for part in (self.tabs, self._controls):
            part.layout.display = None if with_choices else "none"
        self._compared.layout.display = None

    def _refresh(self) -> None:
        """Show what is chosen now, as soon as it is computed."""
        self._submit(self._compute)

    def _submit(self, job: Job) -> None:
        """Run a job that changes the answer; until it ends, what is shown is out of date."""
        self._answer.add_class(_STALE)
        self._runner.submit(job)

    def _chosen(self) -> tuple[Model, State]:
        """The model of the source, and what is chosen of it; `InputError` if that is too little."""
        return self._model, self.controls.state(self._model.source)

    def _is_current(self) -> bool:
        """Whether what is shown is what is chosen."""
        if self._whole is not None:
            return True
        try:
            _, chosen = self._chosen()
        except InputError:
            return False
        return self.state == chosen

    def _compute(self) -> None:
        """Show the verdict on what is chosen now, then the visible tab."""
        if self._whole is not None:
            return
        model, state = self._chosen()
        verdict = panels.verdict(model, state)
        self._runner.when_idle = partial(model.draw_ahead, state)
        if verdict != self._verdict.value:
            # The verdict is up to date before the tab below it is.
            self.tabs.add_class(_STALE)
            self._verdict.value = verdict
            self._answer.remove_class(_STALE)
        tab = self.tabs.selected_index or 0
        title = list(panels.PANELS)[tab]
        with_picture = panels.WITH_PICTURE.get(title)
        if with_picture is None:
            self._show_page(tab, state, panels.PANELS[title](model, state))
            return
        # What can be read is there before the picture is.
        former = panels.former(self._pictures.get(title, ""))
        self._show_page(tab, state, with_picture(model, state, lambda _: former))
        page = with_picture(model, state, partial(self._drawn, title))
        self._show_page(tab, state, page)

    def _drawn(self, title: str, draw: Callable[[], Figure]) -> str:
        """The picture of a tab, which is kept for its next page."""
        self._pictures[title] = panels.drawn(draw)
        return self._pictures[title]

    def _show_page(self, tab: int, state: State, page: str) -> None:
        """Show the page of a tab that answers what is chosen."""
        if state != self.state:
            self._report.value = ""
        self.state = state
        self._say("")
        self._pages[tab].value = page
        self.tabs.remove_class(_STALE)
        self._answer.remove_class(_STALE)

    def _write_report(self) -> None:
        """Link to the report on what is chosen, which is shown first if it is not yet."""
        self._report.value = ""
        if not self._is_current():
            self._compute()  # the job that would have done so may have been replaced by this one
        self._report.value = panels.report(*self._chosen())

    def _show_progress(self, what: str, share: float) -> None:
        """Show what is being done, and which share of it is done."""
        self._progress.value = share
        self._doing.value = what
        self._busy.layout.visibility = "visible"

    def _end(self, error: BaseException | None) -> None:
        """Hide the progress of a job that has ended, and say why if an `error` ended it."""
        self._busy.layout.visibility = "hidden"
        self._doing.value = ""
        if error is None:
            return
        if not self._is_current():
            self._answer.add_class(_STALE)
        if not isinstance(error, Cancelled):
            self._say(self._in_words(error))
        elif self._wanted is not None:
            self._say("Cancelled. Grey results are older than your choices.")

    def _in_words(self, error: BaseException) -> str:
        """What the user is told of an error."""
        if isinstance(error, MtsigError):
            message = error.sentence if isinstance(error, InputError) else str(error)
            shown = self._whole or self._model.source
            return shown.without_folder(panels.in_own_words(message))
        if is_out_of_memory(error):
            return f"There is {out_of_memory(error)}"
        # A fault of ours, or a full disk: said, since nobody sees a traceback in a browser.
        return f"This failed unexpectedly: {type(error).__name__}: {error}"

    def _say(self, error: str) -> None:
        """Show why what is chosen cannot be shown, or remove that if `error` is empty."""
        self.error = error
        if error:
            alert = f'<div class="mtsig-error" role="alert">{html.escape(error)}</div>'
            self._error.value = alert
        else:
            self._error.value = ""

    # --- for Python -------------------------------------------------------------------------------

    @property
    def verdict(self) -> str:
        """The verdict on the chosen pair in plain language, corrected for all pairs compared."""
        self.wait()
        if self._whole is not None:
            return "\n".join(self._whole.outcome.verdicts.values())
        model, state = self._chosen()
        return model.verdict(state)

    def code(self) -> str:
        """Python code that repeats the chosen analysis."""
        self.wait()
        if self._whole is not None:
            return self._whole.without_folder(self._whole.outcome.code())
        model, state = self._chosen()
        return model.code(state)

    def snapshot(self, tab: str = "Step by step") -> str:
        """What is shown, as HTML that needs no kernel: the verdict and one tab.

        Parameters
        ----------
        tab : str
            A tab's title.

        Raises
        ------
        InputError
            For an unknown tab, or choices that cannot be compared.
        """
        check_one_of("tab", tab, panels.PANELS)
        self.wait()
        if self._whole is not None:
            content = panels.whole(self._whole)
        else:
            model, state = self._chosen()
            with reported_to(lambda *_: None):  # a progress bar would be stored with the cell
                verdict = panels.verdict(model, state)
                page = panels.PANELS[tab](model, state)
            content = f"{verdict}<h3>{tab}</h3>{page}"
        return (
            f'{_STYLE}<div class="mtsig-page mathjax_ignore"><div class="mtsig-app mtsig-panel">'
            f"{content}</div></div>"
        )

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        # Written out, since the widgets of ipywidgets 7, which Colab has, do not offer their view.
        view = {"version_major": 2, "version_minor": 0, "model_id": self.widget.model_id}
        return {
            "application/vnd.jupyter.widget-view+json": view,
            "text/plain": repr(self),
            "text/html": self.snapshot(),
        }

    def __repr__(self) -> str:
        if self._whole is not None:
            title = self._whole.title
            n_systems = len(self._whole.outcome.system_names)
        else:
            title = self._model.source.title
            n_systems = len(self._model.source.systems)
        return f"Explorer({title}, {n_systems} systems)"


def _classed(name: str, widget: w.Box) -> w.Box:
    """The widget, after the style sheet's class `name` has been added to it."""
    widget.add_class(name)
    return widget
