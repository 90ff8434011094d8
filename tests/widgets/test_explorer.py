"""The explorer's widgets, driven by setting their values."""

from __future__ import annotations

import datetime
import gc
import html
import subprocess
import sys
import threading
import time
import weakref

import pytest

import mtsig_nb as mt
from mtsig_nb.engine.counting import RULES
from mtsig_nb.engine.procedures import PROCEDURES
from mtsig_nb.progress import progress_bar
from mtsig_nb.report.verdicts import pair_verdict
from mtsig_nb.widgets import panels
from mtsig_nb.widgets.controls import _COUNTING, _TESTS
from mtsig_nb.widgets.model import PITFALL
from mtsig_nb.widgets.runner import Cancelled, Runner

HOSTILE = "<script>alert(1)</script>&_#$%"


@pytest.fixture
def explorer(tmp_path, monkeypatch):
    monkeypatch.setenv("MTSIG_CACHE", str(tmp_path / "cache"))
    made = mt.explore("wmt12/es-en", pair=("uedin-wmt12", "QCRI--primary"), resamples=500)
    assert made.wait(120)
    yield made
    made.cancel.click()
    made.wait(60)


def shown(explorer, tab: int | None = None) -> str:
    assert explorer.wait(120)
    page = explorer._pages[explorer.tabs.selected_index if tab is None else tab]
    return explorer._error.value + explorer._verdict.value + page.value


def test_importing_the_package_does_not_import_widgets():
    code = (
        "import sys, mtsig_nb; assert 'explore' in dir(mtsig_nb); mtsig_nb.compare_all; "
        "assert not {'ipywidgets', 'matplotlib.pyplot'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_test_and_rule_has_a_label():
    assert set(_TESTS) == set(PROCEDURES)
    assert set(_COUNTING) == set(RULES)


def test_changes_are_answered(explorer):
    explorer.controls.units.value = "documents"
    first = shown(explorer)
    explorer.controls.tails.value = "greater"
    second = shown(explorer)
    assert first != second
    assert explorer.state.analysis.alternative == "greater"
    expected = explorer.state.analysis.compare()
    assert html.escape(pair_verdict(expected, *explorer.state.pair)) in second


def test_the_first_answer_comes_from_few_resamples_and_more_are_drawn_by_themselves(monkeypatch):
    """With 2,000 the paired bootstrap cannot tell anything here, which is not "no difference"."""
    said = []
    verdict = panels.verdict

    def heard(model, state):
        said.append((state.analysis.n_resamples, verdict(model, state)))
        return said[-1][1]

    monkeypatch.setattr(panels, "verdict", heard)
    made = mt.explore("wmt12/es-en", test="paired-bootstrap")
    assert made.wait(120)
    assert [n for n, _ in said] == [2000, None]
    assert "cannot tell with 2,000 bootstrap resamples" in said[0][1]
    assert "no difference" not in said[0][1]
    assert "onlineB is better than uedin-wmt12" in said[1][1]
    assert "A first answer" not in shown(made)
    made.tabs.selected_index = 1  # what is known is not guessed at again
    assert made.wait(120)
    assert [n for n, _ in said] == [2000, None, None]
    assert made.state.analysis.n_resamples is None
    assert "n_resamples=None" in made.code()


@pytest.mark.parametrize(
    ("tails", "winner"),
    [("two-sided", "onlineC"), ("greater", "onlineC"), ("less", "onlineD")],
)
def test_the_caption_says_whose_wins_are_counted(tails, winner):
    made = mt.explore(
        "wmt12/es-en",
        pair=("onlineC", "onlineD"),
        test="paired-bootstrap",
        tails=tails,
        resamples=500,
    )
    assert f"beyond the dashed zero: {winner} wins or ties" in made.snapshot()


def test_only_the_visible_tab_is_computed(explorer):
    assert "mtsig-figure" in explorer._pages[0].value
    assert [page.value for page in explorer._pages[1:]] == [""] * 5
    explorer.tabs.selected_index = 1
    assert "Koehn 2004" in shown(explorer)
    before = explorer._pages[0].value
    explorer.controls.test.value = "bootstrap"
    shown(explorer)
    assert explorer._pages[0].value == before


def test_choices_that_do_not_go_together_are_taken_back(explorer):
    controls = explorer.controls
    controls.correction.value = "westfall-young"
    controls.tails.value = "greater"
    controls.test.value = PITFALL
    assert controls.tails.value == "two-sided"
    assert controls.tails.disabled
    assert controls.correction.value == "holm"
    assert "You chose the pitfall" in shown(explorer)
    controls.test.value = "bootstrap"
    assert not controls.tails.disabled
    assert "You chose the pitfall" not in shown(explorer)
    controls.systems.value = ("UPC", "onlineA", "onlineF")
    assert {controls.first.value, controls.second.value} < set(controls.systems.value)
    assert "mtsig-error" not in shown(explorer)
    controls.metrics.value = ("TER", "BLEU")
    assert set(controls.metric.options) == {"TER", "BLEU"}
    assert "mtsig-error" not in shown(explorer)


def test_too_little_chosen_is_said_and_the_verdict_stays(explorer):
    before = explorer._verdict.value
    explorer.controls.systems.value = ("UPC",)
    assert "Choose two systems or more." in shown(explorer)
    assert explorer._verdict.value == before
    explorer.controls.systems.value = ("UPC", "onlineA")
    assert "mtsig-error" not in shown(explorer)


def files(*named: tuple[str, list[str]]) -> list[dict]:
    when = datetime.datetime(2026, 1, 1)
    return [
        {
            "name": name,
            "content": "".join(f"{line}\n" for line in lines).encode(),
            "type": "text/plain",
            "size": 1,
            "last_modified": when,
        }
        for name, lines in named
    ]


def test_files_errors_and_another_campaign(explorer):
    reference = [f"The cat number {i} sleeps." for i in range(60)]
    poor = [line.replace("sleeps", "sleep") for line in reference]
    inputs = explorer.inputs
    inputs.kind.value = "your files"
    inputs.references.value = files(("ref.txt", reference))
    inputs.systems.value = files((f"{HOSTILE}.txt", reference), ("poor.txt", poor))
    inputs.compare.click()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;&amp;_#$% is better than poor" in shown(explorer)
    for index in range(1, 7):
        explorer.tabs.selected_index = index
        assert explorer.wait(120)
        assert "mtsig-error" not in explorer._error.value
    explorer._make_report.click()
    assert explorer.wait(300)
    assert 'download="report.html"' in explorer._report.value
    inputs.systems.value = files(("a.txt", reference), ("b.txt", poor[:-3]))
    inputs.compare.click()
    assert explorer.wait(60)
    assert "Not the same number of segments" in explorer._error.value
    assert "/tmp" not in explorer._error.value
    assert explorer.controls.systems.value == (HOSTILE, "poor")
    inputs.kind.value = "campaign"
    assert explorer.wait(60)
    assert explorer._error.value == ""
    assert "onlineB" in explorer.controls.systems.value


def test_cancelling_ends_long_work_soon(explorer):
    explorer.controls.set(resamples=50_000)
    explorer.controls.seed.value = 99
    deadline = time.monotonic() + 60
    while explorer._busy.layout.visibility != "visible" and time.monotonic() < deadline:
        time.sleep(0.01)
    assert explorer._busy.layout.visibility == "visible"
    explorer.cancel.click()
    assert explorer.wait(30)
    assert "Cancelled." in explorer._error.value
    assert explorer._busy.layout.visibility == "hidden"
    explorer.controls.set(resamples=500)
    explorer.controls.seed.value = 100
    assert "mtsig-error" not in shown(explorer)


def test_unknown_choices_are_refused():
    with pytest.raises(mt.InputError, match="Did you mean 'wmt12/es-en'"):
        mt.explore("wmt12/esen")
    with pytest.raises(mt.InputError, match="test='t-test' cannot be chosen here"):
        mt.explore(test="t-test")
    with pytest.raises(mt.InputError, match="colour"):
        mt.explore(colour="red")


def test_a_page_without_a_kernel_still_says_everything(explorer):
    bundle = explorer._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    page = bundle["text/html"]
    assert "uedin-wmt12" in page
    assert "data:image/svg+xml" in page
    assert "model_id" not in page
    assert explorer.snapshot() == explorer.snapshot()
    assert "mtsig-steps" in explorer.snapshot("Step by step")
    with pytest.raises(mt.InputError, match="tab='steps' is not known"):
        explorer.snapshot("steps")


# --- the thread behind it -------------------------------------------------------------------------


def test_the_newest_job_wins_and_only_its_end_is_told():
    ended: list = []
    began, results = threading.Event(), []
    runner = Runner(lambda *_: None, ended.append)

    def endless():
        began.set()
        with progress_bar(total=10**9) as bar:
            while True:
                bar.update()

    runner.submit(endless)
    assert began.wait(10)
    for i in range(5):
        runner.submit(lambda i=i: results.append(i))
    assert runner.wait(10)
    assert results[-1] == 4
    assert ended == [None]


def test_errors_and_cancelling_are_told():
    ended: list = []
    began = threading.Event()
    runner = Runner(lambda *_: None, ended.append)
    runner.submit(lambda: 1 / 0)
    assert runner.wait(10)
    assert isinstance(ended[-1], ZeroDivisionError)

    def endless():
        began.set()
        for _ in progress_bar(iter(int, 1), total=3):
            pass

    runner.submit(endless)
    assert began.wait(10)
    runner.cancel()
    assert runner.wait(10)
    assert isinstance(ended[-1], Cancelled)


def test_what_jobs_leave_behind_is_tidied_up_while_nobody_waits():
    class Cycle:
        def __init__(self) -> None:
            self.me = self

    left: list[weakref.ref] = []
    gone = threading.Event()
    gc.disable()  # so that nobody else does it
    try:
        runner = Runner(lambda *_: None, lambda _: None)
        runner.submit(lambda: left.append(weakref.ref(Cycle(), lambda _: gone.set())))
        assert gone.wait(60)
        runner.submit(lambda: left.clear())  # and it goes on working
        assert runner.wait(60)
        assert left == []
    finally:
        gc.enable()
