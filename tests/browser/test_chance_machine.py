"""The chance machine in Chromium: the page's own tosses give the package's own p-values."""

from __future__ import annotations

import os
import re
import time

import numpy as np
import pytest

import mtsig_nb as mt
from mtsig_nb.engine.resampling import BLOCK, bootstrap_counts, swap_masks
from mtsig_nb.teaching import chance_machine

from ..small_sets import means as means_of
from .accessibility import assert_accessible
from .pages import cells_of, in_jupyterlab, said, show

PAIRS = {"wmt21/de-en": ("Facebook-AI", "NVIDIA-NeMo"), "wmt12/es-en": ("onlineA", "uedin-wmt12")}
TESTS = {
    "approximate-randomization": mt.approximate_randomization,
    "bootstrap": mt.bootstrap_test,
    "paired-bootstrap": mt.paired_bootstrap,
    "riezler-maxwell-bootstrap": mt.riezler_maxwell_bootstrap,
}


def pair_of(campaign: str):
    return mt.load(campaign).statistics("BLEU"), *PAIRS[campaign]


def make_all(page, number):
    page.get_by_role("button", name=f"All {number:,}").click()
    page.wait_for_function(f"document.querySelector('[data-mtsig]').dataset.n === '{number}'")


@pytest.mark.filterwarnings("ignore:the bootstrap as printed")
@pytest.mark.parametrize(
    ("campaign", "seed"),
    [
        ("wmt21/de-en", 2014),
        ("wmt12/es-en", 7),
        pytest.param("wmt21/de-en", 7, marks=pytest.mark.thorough),
        pytest.param("wmt12/es-en", 2014, marks=pytest.mark.thorough),
    ],
)
def test_p_is_that_of_the_package_in_every_digit(page, campaign, seed):
    pair = pair_of(campaign)
    show(page, chance_machine(*pair, tests=list(TESTS), n_resamples=1000, rng=seed))
    drawn, counted = page.locator("select").nth(0), page.locator("select").nth(1)
    for place, tests in enumerate((["approximate-randomization"], list(TESTS)[1:])):
        drawn.select_option(str(place))
        make_all(page, 1000)
        for test in tests:
            if len(tests) > 1:
                counted.select_option(test)
            # Of the paired bootstrap the page has the side of the system that is ahead.
            ahead = {"alternative": "greater" if campaign == "wmt21/de-en" else "less"}
            options = ahead if test == "paired-bootstrap" else {}
            expected = TESTS[test](*pair, n_resamples=1000, rng=seed, **options)
            assert float(said(page)["p"]) == expected.pvalue
            assert int(said(page)["count"]) == expected.count
    assert page.said == []


def test_coins_for_documents_and_for_means(page):
    wins = np.random.default_rng(1).integers(-1, 2, 130)
    documents = [str(segment // 5) for segment in range(130)]
    means = means_of([wins, np.zeros(130)], systems=["ours", "theirs"], documents=documents)
    show(page, chance_machine(means, "ours", "theirs", units=["segments", "documents"], rng=3))
    for place, units in enumerate(("segments", "documents")):
        page.locator("select").first.select_option(str(place))
        make_all(page, 10_000)
        expected = mt.approximate_randomization(means, "ours", "theirs", units=units, rng=3)
        assert float(said(page)["p"]) == expected.pvalue


def test_ten_sentences_with_ties(page):
    bleu = mt.load("wmt12/es-en").statistics("BLEU").select(["UPC", "uk-dan-moses"])
    pair = (bleu.subset(np.arange(0, 3000, 300)), *bleu.systems)
    show(page, chance_machine(*pair))
    assert_accessible(page)
    make_all(page, 10_000)
    assert_accessible(page)
    expected = mt.approximate_randomization(*pair, exact=False, rng=2014)
    assert int(said(page)["count"]) == expected.count


@pytest.mark.thorough
def test_in_jupyterlab_it_comes_when_the_cell_is_run(page, tmp_path):
    unit = cells_of(
        "import mtsig_nb as mt\nfrom mtsig_nb.teaching import chance_machine\n"
        "bleu = mt.load('wmt21/de-en').statistics('BLEU')\n"
        "chance_machine(bleu, 'Facebook-AI', 'NVIDIA-NeMo', n_resamples=500)"
    )
    with in_jupyterlab(page, tmp_path, unit):
        make_all(page, 500)
        found = float(said(page)["p"])
    expected = mt.approximate_randomization(*pair_of("wmt21/de-en"), n_resamples=500, rng=2014)
    assert found == expected.pvalue


def test_who_has_seen_enough_can_stop(page):
    show(page, chance_machine(*pair_of("wmt12/es-en")))
    page.get_by_role("button", name="All 10,000").click()
    page.get_by_role("button", name="Start again").click()
    assert int(said(page)["n"]) == 0
    page.get_by_role("button", name="10 times").click()
    page.wait_for_function("document.querySelector('[data-mtsig]').dataset.n === '10'")


def test_one_toss_at_a_time_and_by_keyboard(page):
    page.emulate_media(reduced_motion="reduce")
    show(page, chance_machine(*pair_of("wmt21/de-en"), n_resamples=1000))
    status = page.get_by_role("status")
    real = "The real difference, Facebook-AI minus NVIDIA-NeMo, is +0.69 (BLEU)"
    assert real in status.inner_text()
    page.get_by_role("button", name="Toss for one segment").click()
    assert "difference is now" in status.inner_text()
    assert said(page)["n"] == "0"  # practice does not count
    page.get_by_role("button", name="Toss for all segments").press("Enter")
    assert said(page)["n"] == "1"
    assert "1 shuffle reached" in status.inner_text()
    make_all(page, 1000)
    p = float(said(page)["p"])
    line = page.get_by_role("slider")
    line.focus()
    for _ in range(10):
        page.keyboard.press("ArrowLeft")
    assert float(said(page)["p"]) > p
    assert float(line.get_attribute("aria-valuenow")) < 0.69
    assert "reached the line" in status.inner_text()
    page.keyboard.press("Home")
    assert float(said(page)["p"]) == p
    page.get_by_role("button", name="Start again").click()
    assert said(page)["n"] == "0"


def weights_of(kind, number, n_units, seed):
    """The package's own row of a resample, from its number: 0/1 for coins, or counts."""
    draw = swap_masks if kind == "shuffle" else bootstrap_counts
    rows = draw(BLOCK, n_units, seed=seed, key=(number // BLOCK,))
    return rows[number % BLOCK].astype(int)


def units_shown(page):
    """What the folds of a resample list, by their titles, units counted from 1."""
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    shown = {}
    for fold in page.locator(".mtsig-chance details").all():
        title = fold.locator("summary").inner_text().partition(":")[0]
        units: list[int] = []
        for run in fold.locator("p").inner_text().split(", "):
            first, _, last = run.partition("–")
            units += range(int(first), int(last or first) + 1)
        shown[title] = units
    return shown


def assert_shows_its_resample(page, statistics, kind, seed):
    """Scores, difference and units are those that the package's own row makes; its number."""
    values_a, values_b = statistics.values
    number = int(said(page)["resample"])
    row = weights_of(kind, number, len(values_a), seed)
    if kind == "shuffle":
        first = row @ values_a + (1 - row) @ values_b
        second = row @ values_b + (1 - row) @ values_a
        titles = {0: "Exchanged", 1: "As they were"}
    else:
        first, second = row @ values_a, row @ values_b
        titles = {0: "Not drawn", 1: "Drawn once", 2: "Drawn twice"}
    expected = {}
    for times in sorted(set(row.tolist())):
        title = titles.get(times, f"Drawn {times} times")
        expected[title] = (np.flatnonzero(row == times) + 1).tolist()
    assert units_shown(page) == expected
    scores = [float(statistics.metric.score(sums)) for sums in (first, second)]
    status = page.locator(".mtsig-chance .said").inner_text()
    a, b, difference = re.search(
        r"then has (\S+) and \S+ (\S+): a difference of (\S+\d)", status
    ).groups()
    assert [float(a), float(b)] == pytest.approx(scores, abs=0.006)
    shown = float(difference.replace("−", "-"))
    assert shown == pytest.approx(scores[0] - scores[1], abs=0.006)
    return number


@pytest.mark.parametrize("place", [0, 1, 2, 3])
def test_a_bar_shows_the_shuffles_that_are_in_it_by_keyboard(page, place):
    bleu, *names = pair_of("wmt21/de-en")
    tests = ["approximate-randomization", "bootstrap"]
    units = ["segments", "documents"]
    machine = chance_machine(bleu, *names, tests=tests, units=units, n_resamples=1000)
    show(page, machine)
    page.locator("select").first.select_option(str(place))
    make_all(page, 1000)
    before = page.get_by_role("status").inner_text()
    statistics = bleu.select(names).by_unit(units[place // 2])
    kind = ["shuffle", "bootstrap"][place % 2]
    bar = page.locator(".pile[tabindex='0']")
    assert bar.count() == 1
    bar.focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    for _ in range(12):
        page.keyboard.press("ArrowLeft")
    name = page.evaluate("document.activeElement.getAttribute('aria-label')")
    size = int(re.search(r"(\d+) (shuffle|resample)", name).group(1))
    assert size > 1
    page.keyboard.press("Enter")
    assert f"of {size} in the {name.partition(',')[0]}" in page.get_by_role("status").inner_text()
    seen = [assert_shows_its_resample(page, statistics, kind, 2014)]
    for _ in range(size - 1):
        page.keyboard.press("Enter")  # on the button of the next one
        seen.append(int(said(page)["resample"]))
    assert seen == sorted(set(seen))
    assert_shows_its_resample(page, statistics, kind, 2014)
    page.keyboard.press("Enter")
    assert int(said(page)["resample"]) == seen[0]
    page.get_by_role("button", name="Previous").click()
    assert int(said(page)["resample"]) == seen[-1]
    units_shown(page)
    assert_accessible(page)
    page.keyboard.press("Escape")
    assert "resample" not in said(page)
    assert page.get_by_role("status").inner_text() == before
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == name
    assert page.said == []


@pytest.mark.parametrize("has_touch", [False, True])
def test_a_bar_of_few_sentences_by_mouse_and_by_touch(browser, has_touch):
    bleu = mt.load("wmt12/es-en").statistics("BLEU").select(["UPC", "uk-dan-moses"])
    few = bleu.subset(np.arange(0, 3000, 300))
    context = browser.new_context(has_touch=has_touch, viewport={"width": 400, "height": 900})
    page = context.new_page()
    show(page, chance_machine(few, *few.systems, n_resamples=1000))
    make_all(page, 1000)
    bars = page.locator(".pile")
    assert bars.count() < 62, "so many bars cannot be told apart"
    tallest = max(bars.all(), key=lambda bar: int(bar_size(bar)))
    label = tallest.get_attribute("aria-label")
    tallest.tap() if has_touch else tallest.click()
    assert f"of {bar_size(tallest)} in the {label.partition(',')[0]}" in (
        page.get_by_role("status").inner_text()
    )
    assert_shows_its_resample(page, few, "shuffle", 2014)
    page.get_by_role("button", name="Back to the hill").click()
    assert "resample" not in said(page)
    # Who goes on tossing has left the shuffle.
    tallest.click()
    page.get_by_role("button", name="Start again").click()
    assert "resample" not in said(page)
    assert page.locator(".mtsig-chance .resample").is_hidden()
    context.close()


def bar_size(bar):
    found = re.search(r"([\d,]+) shuffle", bar.get_attribute("aria-label"))
    return found.group(1).replace(",", "")


def test_ten_thousand_draws_take_two_seconds_at_most(page):
    bleu, *names = pair_of("wmt12/es-en")  # 3,003 segments, 12 systems
    every = chance_machine(bleu, *names, tests=["approximate-randomization", "bootstrap"])
    show(page, every)
    # More where other programs keep the processors busy.
    at_most = 2 * (1 + os.getloadavg()[0] / (os.cpu_count() or 1))
    for place in ("0", "1"):
        page.locator("select").first.select_option(place)
        start = time.perf_counter()
        make_all(page, 10_000)
        assert time.perf_counter() - start < at_most
    show(page, chance_machine(bleu, *names, luckiest=True))
    start = time.perf_counter()
    make_all(page, 10_000)
    assert time.perf_counter() - start < at_most


def test_without_a_script_there_is_a_sentence(page):
    machine = chance_machine(*pair_of("wmt21/de-en"))
    before_the_script = machine._repr_html_().partition("<script")[0]
    page.set_content(before_the_script)
    assert "cell is run" in page.locator("body").inner_text()


@pytest.mark.parametrize(
    ("metric", "options", "words"),
    [
        ("BLEU", {"n_resamples": 1234}, "n_resamples=1234 must be a multiple of 500"),
        ("BLEU", {"tests": ["studentized-bootstrap"]}, "cannot do 'studentized-bootstrap'"),
        ("chrF", {}, "a page cannot compute chrF"),
    ],
)
def test_what_a_page_cannot_do_is_refused(metric, options, words):
    statistics = mt.load("wmt21/de-en").statistics(metric)
    with pytest.raises(mt.InputError, match=words):
        chance_machine(statistics, *PAIRS["wmt21/de-en"], **options)


@pytest.mark.parametrize("seed", [7, 2014])
def test_the_luckiest_of_all_pairs_is_westfall_and_youngs_first_step(page, seed):
    bleu, *_ = pair_of("wmt21/de-en")
    few = bleu.select(bleu.scores().index[:6])
    options = {"n_resamples": 1000, "rng": seed, "exact": False}
    table = mt.compare_all(few, correction="westfall-young", interval=None, **options).table
    table = table.set_index(["system_a", "system_b"])
    farthest = table["pvalue_adjusted"].idxmin()
    for pair in (farthest, tuple(few.scores().index[:2]), tuple(few.scores().index[1::-1])):
        show(page, chance_machine(few, *pair, luckiest=True, n_resamples=1000, rng=seed))
        make_all(page, 1000)
        alone = mt.approximate_randomization(few, *pair, **options)
        assert float(said(page)["p"]) == alone.pvalue
        page.locator("select").select_option("westfall-young")
        luckiest = float(said(page)["p"])
        if pair == farthest:
            assert luckiest == table.loc[pair, "pvalue_adjusted"]
        else:  # later steps are over fewer pairs
            known = table.loc[pair if pair in table.index else pair[::-1], "pvalue_adjusted"]
            assert luckiest >= known > alone.pvalue
    assert "of 15 pairs" in page.locator(".mtsig-chance .said").inner_text()
    assert page.said == []
