"""The explorer's numbers are those of the package, and its panels show them, escaped."""

from __future__ import annotations

import base64
import dataclasses
import itertools
import re
from typing import Any
from xml.etree import ElementTree

import lxml.html
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt
from mtsig_nb.engine import resampling
from mtsig_nb.engine.counting import RULES
from mtsig_nb.engine.procedures import PROCEDURES
from mtsig_nb.engine.resampling import Resampling, bootstrap_counts, swap_masks
from mtsig_nb.human import Ratings
from mtsig_nb.outcomes.verdicts import verdict
from mtsig_nb.significance.corrections import CORRECTIONS
from mtsig_nb.tables import printed_pvalue
from mtsig_nb.widgets import panels
from mtsig_nb.widgets.model import Model, State, corrections_for
from mtsig_nb.widgets.panels import four_steps
from mtsig_nb.widgets.sources import Source, campaign_source, score_source

from ..messages import naming
from ..small_sets import means

PITFALL = "riezler-maxwell-bootstrap"

HOSTILE = "<script>alert(1)</script>&_#$%"
PAIR = ("uedin-wmt12", "QCRI--primary")
CLOSE = ("onlineC", "onlineD")
CASES = [(name, tail) for name, procedure in PROCEDURES.items() for tail in procedure.alternatives]


@pytest.fixture(scope="module")
def model():
    return Model(campaign_source("wmt12/es-en"))


def state(model: Model, *, metric: str = "BLEU", pair=PAIR, systems=None, **settings) -> State:
    described = model.source.analysis_of(systems or model.source.systems, ["BLEU", "TER"])
    analysis = dataclasses.replace(described, **{"n_resamples": 600, **settings})
    return State(analysis=analysis, metric=metric, pair=pair)


@pytest.mark.parametrize(
    "settings",
    [
        {"units": "documents", "alpha": 0.01, "confidence_level": 0.9},
        {"interval": "simultaneous", "units": "documents"},
        {"test": "bootstrap", "correction": "romano-wolf", "seed": 3, "interval": None},
        {"test": "paired-bootstrap", "alternative": "greater", "counting": "plain"},
        {"test": PITFALL, "correction": None},
        {"systems": ("onlineB", "UPC", *PAIR), "n_resamples": 2500},
    ],
)
def test_the_numbers_are_those_of_the_analysis(model, settings):
    chosen = state(model, **settings)
    found, expected = model.comparisons(chosen), chosen.analysis.compare()
    pd.testing.assert_frame_equal(found.table, expected.table, check_exact=True)
    assert found.sentence == expected.sentence
    for metric, statistics in zip(("BLEU", "TER"), model.outcome(chosen).statistics, strict=True):
        shown = dataclasses.replace(chosen, metric=metric)
        scores = model.comparisons(shown).summary(model.label(shown))
        as_computed = expected.summary(statistics.label)
        pd.testing.assert_frame_equal(scores, as_computed, check_exact=True)
        row, result = model.row(shown), model.result(shown)
        assert (row["system_a"], row["system_b"]) == (result.system_a, result.system_b)
        assert row["pvalue"] == result.pvalue
        assert row["difference"] == result.statistic


@pytest.mark.parametrize("test", PROCEDURES)
def test_the_code_gives_the_same_numbers(model, test):
    chosen = state(model, test=test, metric="TER", systems=(*PAIR, "UPC"), seed=7)
    namespace: dict = {}
    with pytest.warns(mt.PitfallWarning) if test == PITFALL else pytest.MonkeyPatch.context():
        exec(model.code(chosen), namespace)
    pd.testing.assert_frame_equal(
        namespace["comparisons"].table, model.comparisons(chosen).table, check_exact=True
    )
    assert namespace["result"].pvalue == model.result(chosen).pvalue


@pytest.mark.slow
@pytest.mark.parametrize(("test", "alternative"), CASES)
def test_every_correction_on_offer_goes_with_the_test(model, test, alternative):
    few = {"systems": (*PAIR, "UPC"), "n_resamples": 60}
    for correction in corrections_for(test, alternative):
        chosen = state(model, test=test, alternative=alternative, correction=correction, **few)
        assert model.comparisons(chosen).correction == correction


@pytest.mark.takes_time
def test_what_does_not_change_is_kept(model):
    one, other = state(model), state(model, alpha=0.01, correction="bonferroni")
    assert model.result(one) is model.result(other)
    assert model.comparisons(one) is not model.comparisons(other)
    assert model.result(one) is not model.result(state(model, seed=1))


@pytest.mark.parametrize(
    "settings",
    [
        {"alpha": 0.01},
        {"correction": "bonferroni"},
        {"correction": "westfall-young"},
        {"alternative": "greater"},
        {"counting": "strict"},
        {"interval": "basic"},
    ],
    ids=str,
)
def test_nothing_is_drawn_anew_for_what_changes_no_draw(model, settings, monkeypatch):
    model.result(state(model))

    def drawn(*_):
        raise AssertionError("resamples are drawn once more")

    monkeypatch.setattr(Resampling, "weights_in_parts", drawn)
    chosen = state(model, **settings)
    assert model.result(chosen).statistic == model.row(chosen)["difference"]


def test_bootstraps_share_their_draws_and_may_be_drawn_ahead(model, monkeypatch):
    chosen = state(model, seed=4711)
    model.comparisons(chosen)
    for _ in model.draw_ahead(chosen):
        pass

    def drawn(*_, **__):
        raise AssertionError("a bootstrap is drawn once more")

    monkeypatch.setattr(resampling, "bootstrap_counts", drawn)
    for test in ("bootstrap", "paired-bootstrap", PITFALL):
        assert model.result(chosen, test).n_resamples == 600
    model.comparisons(state(model, seed=4711, test="bootstrap"))
    monkeypatch.setattr(Resampling, "weights_in_parts", drawn)
    model.comparisons(state(model, seed=4711, test="paired-bootstrap"))
    model.comparisons(state(model, seed=4711, test=PITFALL))


# --- step by step ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("test", "alternative", "counting"),
    [(*case, rule) for case, rule in zip(CASES, itertools.cycle(RULES), strict=False)],
)
def test_four_steps_have_the_pairs_numbers(model, test, alternative, counting):
    chosen = state(model, test=test, alternative=alternative, counting=counting, pair=CLOSE)
    result = model.result(chosen)
    text = " ".join(four_steps(result).values())
    drawn, absolute = result.resampled, np.abs(result.resampled)
    for number in (result.statistic, *drawn[:5]):
        assert f"{number:+.2f}" in text
    added = {"plain": "c/600", "stroppa": "(c + 1)/600"}
    filled = added.get(counting, "(c + 1)/(600 + 1)").replace("c", str(result.count))
    twice = "2 · " * (test == "paired-bootstrap" and alternative == "two-sided")
    assert f'mtsig-value">{twice}{filled}: p ' in text
    assert f"{result.count} are counted" in text  # of the picture
    assert (f"mean is {drawn.mean():+.2f}," in text) == (test == "bootstrap")
    wrong = test == PITFALL
    assert (f"left, {absolute.mean():+.2f}, is" in text) == wrong
    assert ("the mistake" in text) == wrong
    assert ("<strong>p-value</strong>" in text) != wrong
    winner = "onlineD" if alternative == "less" else "onlineC"  # whose wins are counted
    assert (f"{winner} wins or" in text) == (test == "paired-bootstrap")


@pytest.mark.parametrize("test", ["approximate-randomization", "bootstrap"])
def test_the_first_resample_is_the_tests_own(model, test):
    bleu = model.source.statistics("BLEU")
    result = model.result(state(model, test=test, pair=CLOSE))
    pair = bleu.select((result.system_a, result.system_b))
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", four_steps(result)["Say what chance would do"])
    if test == "bootstrap":
        drawn = bootstrap_counts(1, bleu.n_segments, seed=12345)[0]
        sums = np.einsum("u,suc->sc", drawn, pair.values)
        assert [int(cell) for cell in cells] == drawn[:16].tolist()
    else:
        kept = swap_masks(1, bleu.n_segments, seed=12345)[0].astype(bool)
        a, b = pair.values
        sums = np.array([np.where(kept[:, None], *two).sum(axis=0) for two in ((a, b), (b, a))])
        assert [cell != "⇄" for cell in cells] == kept[:16].tolist()
    scores = bleu.metric.score(sums)
    assert scores[0] - scores[1] == pytest.approx(result.resampled[0], abs=1e-9)


def test_an_exact_test_is_told_as_one():
    scores = means([[1.0] * 60, [0.0] * 4 + [1.0] * 56])
    result = mt.approximate_randomization(scores, "s0", "s1", rng=1)
    text = " ".join(four_steps(result).values())
    assert "2<sup>4</sup> = 16 " in text
    assert re.search(naming("2/16", "p = 0.1250"), text)


def test_smaller_is_better_is_said(model):
    for metric in ("TER", "BLEU"):
        first = four_steps(model.result(state(model, metric=metric)))["Choose a statistic"]
        assert ("smaller is better" in first) == (metric == "TER")


# --- panels ---------------------------------------------------------------------------------------


def page_of(source: str) -> Any:
    """A panel, in which nothing of a name is markup."""
    page = lxml.html.fragment_fromstring(source, create_parent=True)
    assert not page.xpath("//script | //i | //b | //@*[starts-with(name(), 'on')]")
    return page


BEYOND = "Raters, test sets"
NAMES = [HOSTILE, '"><img src=x onerror=alert(1)>', "$x^2$ & <b>bold</b>"]
METRIC = "CO<i>MET"


def scored(column: str, values: list[str], shift: float = 0.0) -> tuple[Source, Model]:
    """Three systems' scores of sixty segments, once for each of `values`."""
    rng = np.random.default_rng(3)
    rows = [
        (value, system, segment, f"d{segment // 5}", rng.normal(lead * (1 + shift * number)))
        for number, value in enumerate(values)
        for system, lead in zip(NAMES, (0.4, 0.1, 0.0), strict=True)
        for segment in range(60)
    ]
    frame = pd.DataFrame(rows, columns=[column, "system", "segment", "document", METRIC])
    source = score_source([("s.csv", frame.to_csv(index=False).encode())])
    return source, Model(source)


def chosen_of(source: Source, **settings: str) -> State:
    analysis = source.analysis_of(source.systems, source.metrics, n_resamples=1000, **settings)
    return State(analysis=analysis, metric=METRIC, pair=tuple(NAMES[:2]))


@pytest.mark.takes_time
@pytest.mark.parametrize(
    ("correction", "used"), [("bonferroni", "bonferroni"), ("westfall-young", "holm")]
)
def test_raters_are_counted_in_a_tab_of_their_own(correction, used):
    source, model = scored("rater", [f"r{k}" for k in range(8)], shift=1.0)
    chosen = chosen_of(source, correction=correction)
    page = page_of(panels.PANELS[BEYOND](model, chosen)).text_content()
    ratings = source.analysis.score_table.ratings.rename(columns={METRIC: "raw"})
    found = Ratings(ratings, scale=None).mixed_model()
    tests = found.tests().table
    best = tests[tests["system_a"] == HOSTILE]
    adjusted = mt.adjust_pvalues(tests["pvalue"], used)[best.index]
    for p in map(printed_pvalue, adjusted):
        assert p in page
    deviations = found.components.set_index("term")["standard_deviation"]
    assert f"rater {deviations['rater']:.3g}" in page
    assert CORRECTIONS[used]["paper"] in page
    assert HOSTILE in page
    assert "as a sample" in panels.verdict(model, chosen)


def test_each_test_set_is_shown_in_a_tab_of_its_own():
    source, model = scored("test_set", ["news", "chat", "speech"], shift=0.1)
    chosen = chosen_of(source, correction="holm")
    page = page_of(panels.PANELS[BEYOND](model, chosen)).text_content()
    found = source.analysis.but(n_resamples=1000)
    sets = found.compare(found.test_sets())
    assert verdict(sets.overall) in page
    for row in sets.by_test_set.itertuples():
        if row.test_set != "all":
            assert row.test_set in page
            assert f"{row.distinguished} of {row.pairs}" in page
    outcome = source.compare(chosen.analysis)  # what the explorer shows first
    assert list(outcome.verdicts) == [METRIC]
    assert outcome.distinguished == bool(sets.overall.conclusions().matrix.any())


def test_test_sets_of_which_only_numbers_coincide_are_compared_both_ways():
    """Segments have the numbers 0 to 59 in each test set, and there are no texts to tell more."""
    rng = np.random.default_rng(3)
    rows = [
        (test_set, system, segment, rng.normal())
        for test_set in ("news", "chat", "speech")
        for system in NAMES
        for segment in range(60)
    ]
    frame = pd.DataFrame(rows, columns=["test_set", "system", "segment", METRIC])
    source = score_source([("s.csv", frame.to_csv(index=False).encode())])
    analysis = source.analysis_of(source.systems, source.metrics, n_resamples=500)
    outcome = source.compare(analysis)
    assert list(outcome.verdicts) == [METRIC]
    assert outcome.comparisons.n_units_apart == 3 * 60


def test_without_raters_and_test_sets_the_tab_says_what_it_takes(model):
    said = page_of(panels.PANELS[BEYOND](model, state(model))).text_content()
    assert re.search(naming("column", "rater", "test_set"), said)


@pytest.mark.parametrize("panel", [*(p for p in panels.PANELS if p != BEYOND), "verdict"])
def test_hostile_names_are_text(panel):
    source, model = scored("lp", ["one"])
    page = page_of({**panels.PANELS, "verdict": panels.verdict}[panel](model, chosen_of(source)))
    images = page.xpath("//img")
    for image in images:
        drawn = ElementTree.fromstring(
            base64.b64decode(image.attrib["src"].partition("base64,")[2])
        )
        assert not [e for e in drawn.iter() if e.tag.endswith("script")]
    assert HOSTILE in page.text_content() + "".join(image.attrib["alt"] for image in images)


@pytest.mark.takes_time
def test_the_pitfall_is_marked_wherever_it_is_chosen(model):
    for test in PROCEDURES:
        chosen = state(model, test=test)
        assert ("mtsig-pitfall" in panels.verdict(model, chosen)) == (test == PITFALL)
        page = panels.PANELS["Other tests"](model, chosen)
        rows = re.findall(r"<tr><td>(.*?)</td>", page)
        assert ["(chosen)" in row for row in rows] == [name == test for name in PROCEDURES]
        assert [row.startswith("⚠") for row in rows] == [name == PITFALL for name in PROCEDURES]


@pytest.mark.takes_time
def test_drawing_leaves_pyplot_alone_and_repeats_itself(model):
    before = plt.get_fignums()
    chosen = state(model)
    for draw in panels.PANELS.values():
        assert draw(model, chosen) == draw(model, chosen)
    assert plt.get_fignums() == before
