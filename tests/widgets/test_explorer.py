"""The explorer, driven as a notebook drives it, and as its user does."""

from __future__ import annotations

import base64
import gc
import html
import inspect
import re
import subprocess
import sys
import threading
import time
import weakref

import pytest

import mtsig_nb as mt
from mtsig_nb import plots, widgets
from mtsig_nb.engine.counting import RULES
from mtsig_nb.engine.procedures import PROCEDURES
from mtsig_nb.progress import progress_bar
from mtsig_nb.report import figures
from mtsig_nb.report.analysis import Analysis
from mtsig_nb.report.verdicts import pair_verdict
from mtsig_nb.widgets.runner import Cancelled, Runner

from .explorer_page import Page

PITFALL = "riezler-maxwell-bootstrap"

HOSTILE = "<script>alert(1)</script>&_#$%"
PAIR = ("uedin-wmt12", "QCRI--primary")


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


def test_importing_the_package_does_not_import_widgets():
    code = (
        "import sys, mtsig_nb; assert 'explore' in dir(mtsig_nb); mtsig_nb.compare_all; "
        "assert not {'ipywidgets', 'matplotlib.pyplot'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_test_and_rule_is_offered(page):
    assert {value for _, value in page.control("test").options} == set(PROCEDURES)
    assert {value for _, value in page.control("counting").options} == set(RULES)


def test_the_defaults_of_explore_are_what_is_chosen_at_first(explorer):
    explorer.set(resamples=None)
    assert explorer.wait(120)
    defaults = {n: p.default for n, p in inspect.signature(widgets.explore).parameters.items()}
    analysis = explorer.state.analysis
    names = {"tails": "alternative", "resamples": "n_resamples"}
    plain = {"test", "tails", "resamples", "units", "counting", "correction", "alpha", "seed"}
    assert plain < set(defaults)
    for name in plain:
        assert getattr(analysis, names.get(name, name)) == defaults[name]
    assert analysis.campaign == defaults["campaign"]
    assert (analysis.systems, analysis.metrics) == ((), ("BLEU",))


def test_changes_are_answered(explorer, page):
    page.choose("units", "documents")
    first = page.text()
    page.choose("tails", "one-sided: the leader is better")
    second = page.text()
    assert first != second
    assert explorer.state.analysis.alternative == "greater"
    expected = explorer.state.analysis.compare()
    assert html.escape(pair_verdict(expected, *explorer.state.pair)) in second


def test_what_is_set_in_python_is_what_is_chosen_by_hand(explorer, page):
    # In whatever order: the correction goes with this test only.
    explorer.set(correction="romano-wolf", pair=("onlineA", "onlineB"), test="bootstrap")
    assert page.control("test").label == "bootstrap (shift method)"
    assert page.control("pair").value == "onlineA"
    text = page.text()
    assert html.escape(explorer.verdict) in text
    assert explorer.error == ""
    assert explorer.state.pair == ("onlineA", "onlineB")
    assert explorer.comparisons.table.equals(explorer.state.analysis.compare().table)
    result = explorer.result
    assert (result.test, result.system_a, result.system_b) == ("bootstrap", "onlineB", "onlineA")
    again: dict = {}
    exec(explorer.code(), again)
    assert again["result"].pvalue == result.pvalue


def test_the_first_answer_comes_from_few_resamples_and_more_are_drawn_by_themselves(explorer, page):
    """With 2,000 the paired bootstrap cannot tell anything here, which is not "no difference"."""
    said = []
    page.part("mtsig-verdict").observe(lambda change: said.append(change.new), "value")
    explorer.set(test="paired-bootstrap", resamples=None, pair=("onlineB", "uedin-wmt12"))
    assert explorer.wait(120)
    first, final = said
    assert "A first answer" in first
    assert "cannot tell with 2,000 bootstrap resamples" in first
    assert "no difference" not in first
    assert "onlineB is better than uedin-wmt12" in final
    assert "A first answer" not in final
    page.open("Other tests")  # what is known is not guessed at again
    assert final in page.text()
    assert said == [first, final]
    assert explorer.state.analysis.n_resamples is None
    assert "n_resamples=None" in explorer.code()


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


def test_only_the_visible_tab_is_computed(explorer, page):
    def computed() -> dict[str, str]:
        return {title: text for title, text in page.contents().items() if "mtsig-" in text}

    assert list(computed()) == ["Test"]
    assert "mtsig-figure" in page.text()
    page.open("Other tests")
    assert "Koehn 2004" in page.text()
    before = computed()
    explorer.set(test="bootstrap")
    assert explorer.wait(120)
    assert list(before) == list(computed()) == ["Test", "Other tests"]
    assert computed()["Test"] == before["Test"]
    assert computed()["Other tests"] != before["Other tests"]


def test_choices_that_do_not_go_together_are_taken_back(explorer, page):
    tails, correction = page.control("tails"), page.control("correction")
    page.choose("correction", "westfall-young")
    page.choose("tails", "one-sided: the leader is better")
    page.choose("test", "⚠ bootstrap printed in 2005")
    assert explorer.controls.test.value == PITFALL
    assert tails.value == "two-sided"
    assert tails.disabled
    assert correction.value == "holm"
    assert "You chose the pitfall" in page.text()
    page.choose("test", "bootstrap (shift method)")
    assert not tails.disabled
    assert "You chose the pitfall" not in page.text()
    page.choose("systems", ("UPC", "onlineA", "onlineF"))
    assert {page.control("pair").value, page.control("and").value} < {"UPC", "onlineA", "onlineF"}
    assert "mtsig-error" not in page.text()
    page.choose("metrics", ("TER", "BLEU"))
    assert set(page.control("look at").options) == {"TER", "BLEU"}
    assert "mtsig-error" not in page.text()


def test_too_little_chosen_is_said_and_the_verdict_stays(explorer, page):
    before = page.part("mtsig-verdict").value
    page.choose("systems", ("UPC",))
    assert explorer.wait(120)
    assert explorer.error == "Choose two systems or more."
    assert explorer.error in page.part("mtsig-error").value
    assert page.part("mtsig-verdict").value == before
    page.choose("systems", ("UPC", "onlineA"))
    assert "mtsig-error" not in page.text()
    assert explorer.error == ""


def files(**named: list[str]) -> list[dict]:
    return [
        {"name": f"{name}.txt", "content": "".join(f"{line}\n" for line in lines).encode()}
        for name, lines in named.items()
    ]


def test_files_errors_and_another_campaign(explorer, page, monkeypatch):
    reference = [f"The cat number {i} sleeps." for i in range(60)]
    poor = [line.replace("sleeps", "sleep") for line in reference]
    page.press("your files")
    page.control("reference(s)").value = files(ref=reference)
    page.control("systems’ outputs").value = files(**{HOSTILE: reference, "poor": poor})
    page.press("compare these files")
    better = "&lt;script&gt;alert(1)&lt;/script&gt;&amp;_#$% is better than poor"
    assert better in page.text()
    for title in page.contents():
        page.open(title)
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
    page.control("systems’ outputs").value = files(a=reference, b=poor[:-3])
    page.press("compare these files")
    assert better in page.text()
    assert "Not the same number of segments" in explorer.error
    assert "/tmp" not in explorer.error
    assert page.control("systems").value == (HOSTILE, "poor")
    page.press("campaign")
    assert "mtsig-error" not in page.text()
    assert "onlineB" in page.control("systems").value


def test_cancelling_ends_long_work_soon(explorer, page):
    assert not page.sees("cancel")
    explorer.set(resamples=50_000, seed=99)
    deadline = time.monotonic() + 60
    while not page.sees("cancel") and time.monotonic() < deadline:
        time.sleep(0.01)
    page.press("cancel")
    assert explorer.wait(30)
    assert explorer.error.startswith("Cancelled.")
    assert not page.sees("cancel")
    explorer.set(resamples=500, seed=100)
    assert "mtsig-error" not in page.text()


def test_a_report_that_nobody_waits_for_ends_soon(explorer, page, monkeypatch):
    begun = threading.Event()

    def drawn(found):
        begun.set()
        time.sleep(0.1)
        return plots.cluster_diagram(found)

    explorer.set(metrics=page.control("metrics").options)
    page.open("Take away")
    page.text()
    monkeypatch.setattr(figures, "cluster_diagram", drawn)
    page.press("write the report")
    assert begun.wait(60)
    explorer.cancel.click()
    assert "Cancelled." in page.text()
    assert 'download="report.html"' not in page.text()


def test_unknown_choices_are_refused(explorer):
    with pytest.raises(mt.InputError, match="Did you mean 'wmt12/es-en'"):
        mt.explore("wmt12/esen")
    with pytest.raises(mt.InputError, match="test='t-test' cannot be chosen here"):
        mt.explore(test="t-test")
    with pytest.raises(mt.InputError, match="first='nobody' cannot be chosen here"):
        mt.explore(pair=("nobody", "UPC"))
    with pytest.raises(mt.InputError, match="colour"):
        explorer.set(colour="red")
    with pytest.raises(TypeError, match="colour"):
        mt.explore(colour="red")


def test_a_page_without_a_kernel_still_says_everything(explorer):
    bundle = explorer._repr_mimebundle_()  # as IPython calls it
    assert "application/vnd.jupyter.widget-view+json" in bundle
    still = bundle["text/html"]
    assert "uedin-wmt12" in still
    assert "data:image/svg+xml" in still
    assert "model_id" not in still
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
