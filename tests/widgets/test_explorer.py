"""The explorer, driven as a notebook drives it, and as its user does."""

from __future__ import annotations

import asyncio
import base64
import gc
import html
import re
import threading
import time
from collections.abc import Iterator

import ipywidgets as w
import numpy as np
import pytest

import mtsig_nb as mt
from mtsig_nb.engine.counting import RULES
from mtsig_nb.engine.procedures import PROCEDURES
from mtsig_nb.outcomes.verdicts import pair_verdict
from mtsig_nb.plots import pages as figures
from mtsig_nb.progress import ProgressBar
from mtsig_nb.report.analysis import Analysis
from mtsig_nb.widgets import panels
from mtsig_nb.widgets import runner as runners
from mtsig_nb.widgets.explorer import Explorer
from mtsig_nb.widgets.panels import PANELS
from mtsig_nb.widgets.runner import Cancelled, Runner

from ..messages import naming

PITFALL = "riezler-maxwell-bootstrap"
#: How its banner begins.
PITFALL_CHOSEN = "You chose the pitfall"
HOSTILE = "<script>alert(1)&_#$%"
PAIR = ("uedin-wmt12", "QCRI--primary")


def in_view(widget: w.Widget, grey: bool = False) -> Iterator[tuple[w.Widget, bool]]:
    """All that can be seen, each with whether it is marked as out of date."""
    if widget.layout.visibility == "hidden" or widget.layout.display == "none":
        return
    grey = grey or "mtsig-stale" in widget._dom_classes
    yield widget, grey
    children = getattr(widget, "children", ())
    if isinstance(widget, (w.Tab, w.Stack)):
        children = [children[widget.selected_index or 0]]
    for child in children:
        yield from in_view(child, grey)


def words_of(text: w.HTML) -> str:
    return re.sub("<style>.*</style>", "", text.value, flags=re.DOTALL)


class Page:
    """What the explorer's user sees."""

    def __init__(self, explorer: Explorer) -> None:
        self.explorer = explorer

    def text(self) -> str:
        """All texts in view, as HTML without styles, once everything is computed."""
        assert self.explorer.wait(300)
        return "".join(words_of(e) for e, _ in self._texts())

    def part(self, words: str) -> w.HTML:
        """The text in view that has `words` in it."""
        (found,) = (e for e, _ in self._texts() if words in words_of(e))
        return found

    def is_grey(self, words: str) -> bool:
        """Whether it is marked as out of date."""
        return next(grey for e, grey in self._texts() if words in words_of(e))

    def _texts(self) -> list[tuple[w.HTML, bool]]:
        return [(e, g) for e, g in in_view(self.explorer.widget) if isinstance(e, w.HTML)]

    def sees(self, *widgets: w.Widget) -> list[bool]:
        seen = [e for e, _ in in_view(self.explorer.widget)]
        return [widget in seen for widget in widgets]

    def press(self, description: str) -> None:
        every = (e for e, _ in in_view(self.explorer.widget))
        next(e for e in every if getattr(e, "description", "") == description).click()


@pytest.fixture
def explorer(tmp_path, monkeypatch):
    monkeypatch.setenv("MTSIG_CACHE", str(tmp_path / "cache"))
    made = mt.explore("wmt12/es-en", pair=PAIR, resamples=500)
    assert made.wait(120)
    yield made
    made.cancel.click()
    made.wait(60)


@pytest.fixture
def page(explorer) -> Page:
    return Page(explorer)


@pytest.fixture
def controls(explorer):
    return explorer.controls


@pytest.mark.takes_time
def test_it_opens_on_a_question_and_few_choices(page, controls):
    assert "want to compare?" in page.text()
    assert all(page.sees(controls.first, controls.second, controls.metric, controls.test))
    assert not any(page.sees(controls.units, controls.systems, controls.correction))
    assert {value for _, value in controls.test.options} == set(PROCEDURES)
    assert {value for _, value in controls.counting.options} == set(RULES)


@pytest.mark.takes_time
def test_the_defaults_are_those_of_an_analysis_but_for_the_resamples():
    explorer = mt.explore()
    assert explorer.wait(120)
    expected = Analysis(campaign="wmt12/es-en", metrics=["BLEU"], n_resamples=10_000)
    assert explorer.state.analysis == expected.resolved


@pytest.mark.slow
def test_what_is_set_in_python_is_what_is_chosen_by_hand(explorer, page, controls):
    # In whatever order: the correction goes with this test only.
    explorer.set(correction="romano-wolf", pair=("onlineA", "onlineB"), test="bootstrap")
    controls.tails.label = "one-sided: the leader is better"
    assert controls.test.label == "bootstrap (shift method)"
    assert controls.first.value == "onlineA"
    text = page.text()
    assert html.escape(explorer.verdict) in text
    assert explorer.error == ""
    assert explorer.state.pair == ("onlineA", "onlineB")
    assert explorer.state.analysis.options.alternative == "greater"
    expected = explorer.state.analysis.compare()
    assert explorer.verdict == pair_verdict(expected, *explorer.state.pair)
    again: dict = {}
    exec(explorer.code(), again)
    assert again["comparisons"].table.equals(expected.table)
    result = again["result"]
    assert (result.test, result.system_a, result.system_b) == ("bootstrap", "onlineB", "onlineA")
    assert f"p = {result.pvalue:.4f}" in text
    explorer.set(resamples=None)
    assert "n_resamples=None" in explorer.code()


@pytest.mark.takes_time
def test_the_verdict_comes_first_and_what_is_older_is_grey_until_its_own_is_there(
    explorer, page, controls
):
    seen = []
    verdict = page.part("mtsig-verdict")
    picture = page.part("mtsig-p")

    def watch(change):
        grey = [page.is_grey("mtsig-verdict"), page.is_grey("mtsig-p")]
        seen.append((change.owner is verdict, *grey))

    for part in (verdict, picture):
        part.observe(watch, "value")
    explorer.set(pair=("onlineC", "onlineD"))
    assert page.is_grey("mtsig-verdict") or seen
    assert explorer.wait(120)
    # The verdict, then what can be read, then that with its picture.
    assert [of_the_verdict for of_the_verdict, *_ in seen] == [True, False, False]
    assert seen[0][2]
    assert not page.is_grey("mtsig-verdict")
    assert not page.is_grey("mtsig-p")


def test_what_is_refused_in_python_leaves_all_as_it_was(explorer, page, controls):
    before = explorer.state
    for choices, words in (
        ({"test": "bootstrap", "pair": ("onlineA", "onlineB"), "units": "pages"}, "units='pages'"),
        ({"test": "t-test"}, "test='t-test' cannot be chosen here"),
        ({"pair": ("nobody", "UPC")}, "first='nobody' cannot be chosen here"),
        ({"colour": "red"}, "colour"),
    ):
        with pytest.raises(mt.InputError, match=words):
            explorer.set(**choices)
    with pytest.raises(mt.InputError, match="mean 'wmt12/es-en'"):
        mt.explore("wmt12/esen")
    assert explorer.wait(120)
    assert explorer.state == before
    assert controls.first.value == PAIR[0]
    assert "mtsig-error" not in page.text()


@pytest.mark.slow
def test_a_metric_is_chosen_alone_unless_several_are_compared_together(explorer, page, controls):
    controls.metric.label = "TER"
    page.text()
    assert explorer.state.analysis.metrics == ("TER",)
    controls.metrics.label = ("BLEU", "TER")
    controls.metric.label = "BLEU"
    page.text()
    assert (explorer.state.metric, explorer.state.analysis.metrics) == ("BLEU", ("BLEU", "TER"))


@pytest.mark.slow
def test_what_the_package_says_in_python_is_said_in_the_controls_words(explorer, page, controls):
    text = page.text()
    assert re.search(naming("“units: documents”", "More"), text)
    assert re.search(naming("“interval: simultaneous”", "More", "all together"), text)
    assert "units=" not in text
    assert "interval=" not in text
    controls.interval.label = "simultaneous: all pairs together"
    assert "all together" in page.text()
    assert explorer.state.analysis.options.interval == "simultaneous"


@pytest.mark.slow
def test_only_the_visible_tab_is_computed(explorer, page):
    assert "mtsig-figure" in page.text()
    first = page.part("mtsig-p")
    explorer.tabs.selected_index = list(PANELS).index("Other tests")
    assert "Koehn 2004" in page.text()
    before, table = first.value, page.part("Koehn 2004").value
    explorer.set(test="bootstrap")
    assert explorer.wait(120)
    assert first.value == before
    assert page.part("Koehn 2004").value != table
    unseen = explorer.tabs.children[2:-1]
    assert all(page.value == "" for page in unseen)


@pytest.mark.slow
def test_choices_that_do_not_go_together_are_taken_back(page, controls):
    tails = controls.tails
    controls.correction.label = "westfall-young"
    tails.label = "one-sided: the leader is better"
    controls.test.label = "⚠ bootstrap printed in 2005"
    assert (controls.test.value, controls.correction.value) == (PITFALL, "holm")
    assert (tails.value, tails.disabled) == ("two-sided", True)
    assert PITFALL_CHOSEN in page.text()
    controls.test.label = "bootstrap (shift method)"
    assert not tails.disabled
    assert PITFALL_CHOSEN not in page.text()
    controls.systems.label = ("UPC", "onlineA", "onlineF")
    assert {controls.first.value, controls.second.value} < {"UPC", "onlineA", "onlineF"}
    assert "mtsig-error" not in page.text()
    controls.metrics.label = ("TER", "BLEU")
    assert controls.metric.value == "BLEU"
    assert "mtsig-error" not in page.text()


@pytest.mark.slow
def test_too_little_chosen_is_said_and_the_verdict_is_grey(explorer, page, controls):
    before = page.part("mtsig-verdict").value
    controls.systems.label = ("UPC",)
    assert explorer.wait(120)
    assert "two systems" in explorer.error
    assert explorer.error in page.part("mtsig-error").value
    assert page.part("mtsig-verdict").value == before
    assert page.is_grey("mtsig-verdict")
    controls.systems.label = ("UPC", "onlineA")
    assert "mtsig-error" not in page.text()
    assert not page.is_grey("mtsig-verdict")
    assert explorer.error == ""


def files(**named: list[str]) -> list[tuple[str, bytes]]:
    return [
        (f"{name}.txt", "".join(f"{line}\n" for line in lines).encode())
        for name, lines in named.items()
    ]


@pytest.mark.slow
def test_files_errors_and_another_campaign(explorer, page, controls, monkeypatch):
    reference = [f"The cat number {i} sleeps." for i in range(60)]
    poor = [line.replace("sleeps", "sleep") for line in reference]
    explorer.inputs.kind.value = "Your files"
    assert "onlineB" not in page.text()  # nothing is said of what is not asked about
    assert page.sees(controls.first) == [False]
    explorer.inputs.references.value = files(ref=reference)
    explorer.inputs.systems.value = files(**{HOSTILE: reference, "poor": poor})
    page.press("Compare these files")
    better = "&lt;script&gt;alert(1)&amp;_#$% is better than poor"
    assert better in page.text()
    for tab in range(len(PANELS)):  # the last one writes reports
        explorer.tabs.selected_index = tab
        assert "mtsig-error" not in page.text()
    with monkeypatch.context() as patch:  # a report is made from what is there already
        for name in ("statistics", "compare", "test_pair"):
            patch.setattr(Analysis, name, None)
        page.press("write the report")
        page.text()
        link = page.part('download="report.html"').value
    report = base64.b64decode(re.search(r"base64,([^\"]+)", link)[1]).decode()
    assert better in report
    assert report.count("<img") == 1  # the pair's null distribution
    assert "reference=[&#39;ref.txt&#39;]" in report  # no path of ours
    assert "/tmp" not in report
    explorer.inputs.systems.value = files(a=reference, b=poor[:-3])
    page.press("Compare these files")
    assert better in page.text()
    assert page.is_grey(better)
    assert re.search(naming("60 in ", "57 in "), explorer.error)
    assert "/tmp" not in explorer.error
    assert controls.systems.value == (HOSTILE, "poor")
    explorer.inputs.kind.value = "An embedded campaign"
    assert "mtsig-error" not in page.text()
    assert "onlineB" in controls.systems.value


@pytest.mark.slow
def test_battles_are_shown_without_controls_and_a_campaign_brings_them_back(
    explorer, page, controls
):
    rows = "a,b,model_a\n" * 19 + "a,b,model_b\n" * 3
    explorer.inputs.kind.value = "Scores per segment"
    explorer.inputs.table.value = [("b.csv", f"model_a,model_b,winner\n{rows}".encode())]
    page.press("Compare these scores")
    assert explorer.verdict in page.text()
    assert re.search(naming("b.csv: 22 battles", "2 systems"), page.text())
    assert page.sees(controls.test, explorer.tabs) == [False, False]
    assert re.match(naming("a is better", "b"), explorer.verdict)
    assert explorer.verdict in explorer.snapshot()
    assert "bradley_terry" in explorer.code()
    explorer.inputs.kind.value = "An embedded campaign"
    assert "onlineB" in page.text()
    assert page.sees(controls.test, explorer.tabs) == [True, True]


@pytest.mark.slow
def test_cancelling_ends_long_work_soon(explorer, page):
    assert page.sees(explorer.cancel) == [False]
    explorer.set(resamples=50_000, seed=99)
    deadline = time.monotonic() + 60
    while page.sees(explorer.cancel) == [False] and time.monotonic() < deadline:
        time.sleep(0.01)
    page.press("cancel")
    assert explorer.wait(30)
    assert explorer.error.startswith("Cancelled.")
    assert page.is_grey("mtsig-verdict")
    assert page.sees(explorer.cancel) == [False]
    explorer.set(resamples=500, seed=100)
    assert "mtsig-error" not in page.text()


@pytest.mark.slow
def test_a_report_that_nobody_waits_for_ends_soon(explorer, page, controls, monkeypatch):
    begun, cluster_diagram = threading.Event(), figures.cluster_diagram

    def drawn(found):
        begun.set()
        time.sleep(0.1)
        return cluster_diagram(found)

    explorer.set(metrics=controls.metrics.options)
    explorer.tabs.selected_index = list(PANELS).index("Take away")
    page.text()
    monkeypatch.setattr(figures, "cluster_diagram", drawn)
    page.press("write the report")
    assert begun.wait(60)
    explorer.cancel.click()
    assert "Cancelled." in page.text()
    assert 'download="report.html"' not in page.text()


@pytest.mark.slow
def test_a_page_without_a_kernel_still_says_everything(explorer):
    bundle = explorer._repr_mimebundle_()  # as IPython calls it
    assert "application/vnd.jupyter.widget-view+json" in bundle
    still = bundle["text/html"]
    assert "uedin-wmt12" in still
    assert "data:image/svg+xml" in still
    assert "model_id" not in still
    assert explorer.snapshot() == explorer.snapshot()
    with pytest.raises(mt.InputError, match="tab='steps'"):
        explorer.snapshot("steps")


# --- what computes beside it ----------------------------------------------------------------------


def work(description: str = "", steps: int = 5) -> None:
    list(ProgressBar(range(steps), description=description))


class Loop:
    """What a page's event loop does while a job lets others in: one thing that was planned each."""

    def __init__(self, monkeypatch):
        self.planned, self.ended, self.told = [], [], []
        self.runner = Runner(
            lambda what, _: self.told.append(what), self.ended.append, in_slices=True
        )
        monkeypatch.setattr(runners, "let_others_in", self.others)
        monkeypatch.setattr(runners, "SLICE", 0)
        monkeypatch.setattr(runners, "DELAY", 0)

    def others(self):
        if self.planned:
            self.planned.pop(0)()

    def run(self, *jobs):
        async def main():
            for job in jobs:
                self.runner.submit(job)
            for _ in range(5):
                await asyncio.sleep(0)

        asyncio.run(main())


@pytest.fixture
def loop(monkeypatch) -> Loop:
    return Loop(monkeypatch)


def test_in_a_thread_the_newest_job_wins_and_one_can_be_cancelled_and_may_fail():
    ended, done, began = [], [], threading.Event()
    runner = Runner(lambda *_: None, ended.append, in_slices=False)

    def endless():
        began.set()
        work(steps=10**9)

    runner.submit(endless)
    assert began.wait(10)
    for i in range(5):
        runner.submit(lambda i=i: done.append(i))
    assert runner.wait(10)
    assert done[-1] == 4
    assert ended == [None]
    runner.submit(lambda: 1 / 0)
    assert runner.wait(10)
    began.clear()
    runner.submit(endless)
    assert began.wait(10)
    runner.cancel()
    assert runner.wait(10)
    assert list(map(type, ended[1:])) == [ZeroDivisionError, Cancelled]


def test_what_is_left_for_idle_times_waits_for_no_job_and_no_job_for_it():
    did, resumed = [], threading.Event()
    runner = Runner(lambda *_: None, lambda _: None, in_slices=False)

    def idle():
        for step in range(10**9):
            did.append(step)
            assert resumed.wait(10)
            yield

    runner.when_idle = idle
    runner.submit(work)
    assert runner.wait(10)
    while not did:  # the first step may come a little later than the end of the job
        time.sleep(0.01)
    runner.when_idle = tuple
    began, ended = threading.Event(), threading.Event()

    def job():
        began.set()
        assert ended.wait(10)

    runner.submit(job)
    assert began.wait(10)
    resumed.set()  # and finds that there is a job
    time.sleep(0.05)
    assert did == [0]
    ended.set()
    assert runner.wait(10)


def test_only_the_progress_of_what_lasts_is_told(monkeypatch):
    told = []
    runner = Runner(lambda what, _: told.append(what), lambda _: None, in_slices=False)
    for delay in (10, 0):
        monkeypatch.setattr(runners, "DELAY", delay)
        assert told == []
        runner.submit(lambda: work("counting"))
        assert runner.wait(10)
    assert set(told) == {"counting"}


def test_garbage_waits_for_the_end_of_a_job():
    was_enabled = []
    runner = Runner(lambda *_: None, lambda _: None, in_slices=False)
    for fail in (False, True):
        runner.submit(lambda fail=fail: was_enabled.append(gc.isenabled()) or 1 / (not fail))
        assert runner.wait(10)
        assert gc.isenabled()
    assert was_enabled == [False, False]


@pytest.mark.slow
def test_in_slices_the_newest_job_wins_and_one_can_be_cancelled_and_may_fail(loop):
    done: list = []
    loop.run(lambda: done.append(1), lambda: done.append(2))
    assert done == [2]
    loop.planned = [lambda: None, lambda: loop.runner.submit(lambda: done.append(3))]
    loop.run(work)
    assert done == [2, 3]
    loop.planned = [loop.runner.cancel]
    loop.run(work)
    loop.run(lambda: 1 / 0)
    assert loop.ended[:2] == [None, None]
    assert list(map(type, loop.ended[2:])) == [Cancelled, ZeroDivisionError]


@pytest.mark.slow
def test_a_cell_that_waits_between_slices_gets_the_job_done_once(loop):
    done: list = []

    def job():
        work()
        done.append(len(done))

    loop.planned = [loop.runner.wait]
    loop.run(job)
    assert done == [0]
    assert loop.ended == [None]
    assert loop.runner.wait()


@pytest.mark.slow
def test_a_cell_that_waits_at_once_is_not_cancelled_by_the_first_slice(loop):
    done: list = []

    async def main():
        asyncio.get_running_loop().call_later = lambda _, begin: loop.planned.append(begin)
        for end in (done.append, lambda _: loop.runner.cancel()):
            loop.runner.submit(lambda end=end: (work(), end(1)))
            assert loop.runner.wait(0)
            assert not loop.planned

    asyncio.run(main())
    assert done == [1]
    assert loop.ended == [None, None]


@pytest.mark.slow
def test_what_runs_between_slices_does_not_report_to_the_explorer(loop):
    loop.planned = [lambda: work("a cell of its own")]
    loop.run(lambda: work("ours"))
    assert set(loop.told) == {"ours"}
    assert loop.ended == [None]


@pytest.mark.slow
def test_where_there_are_no_threads_the_explorer_computes_in_slices(monkeypatch):
    monkeypatch.setattr(runners, "IN_BROWSER", True)
    monkeypatch.setattr(runners, "let_others_in", lambda: None)  # as where there is no JSPI
    monkeypatch.setattr(runners, "SLICE", 0)

    async def main():
        explorer = mt.explore("wmt12/es-en", pair=PAIR, resamples=500)
        assert explorer.error == ""
        before = threading.active_count()
        explorer.controls.test.value = "bootstrap"
        for _ in range(3):
            await asyncio.sleep(0)
        assert explorer.state.analysis.options.test == "bootstrap"
        assert threading.active_count() == before
        return explorer.verdict

    expected = Analysis(campaign="wmt12/es-en", test="bootstrap", n_resamples=500).compare()
    assert asyncio.run(main()) == pair_verdict(expected, *PAIR)


def test_running_out_of_memory_is_one_sentence(explorer, page, monkeypatch):
    def too_much(*_):
        np.empty(2**50)

    monkeypatch.setattr(panels, "verdict", too_much)
    explorer.set(seed=100)
    assert explorer.wait(30)
    assert re.search(naming("not enough memory", "Unable to allocate"), explorer.error)
    assert "mtsig-error" in page.text()


@pytest.mark.takes_time
def test_no_menu_is_blank_whatever_is_chosen():
    """A menu whose value is None, or that has no position, shows nothing."""
    explorer = mt.explore("wmt12/es-en", resamples=None, correction=None)
    assert explorer.wait(120)
    menus = [each for each in vars(explorer.controls).values() if isinstance(each, w.Dropdown)]
    menus.append(explorer.inputs.campaign)
    assert len(menus) > 9
    assert [menu.description for menu in menus if menu.index is None or menu.value is None] == []
    assert explorer.state.analysis.options.correction is None
    assert explorer.state.analysis.options.n_resamples is None
    explorer.set(correction="holm")
    explorer.controls.correction.label = "none"  # as by hand
    assert explorer.controls.correction.label == "none"
    assert explorer.wait(120)
    assert explorer.state.analysis.options.correction is None
    with pytest.raises(mt.InputError, match="correction='kruskal' cannot be chosen here"):
        explorer.set(correction="kruskal")
