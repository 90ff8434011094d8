"""The explorer's numbers are those of the package, and its panels show them, escaped."""

from __future__ import annotations

import base64
import dataclasses
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt
from mtsig_nb.engine.procedures import PROCEDURES
from mtsig_nb.report import figures
from mtsig_nb.widgets import downloads, panels, pictures
from mtsig_nb.widgets.model import Model, State, corrections_for
from mtsig_nb.widgets.sources import CampaignSource, ScoreSource
from mtsig_nb.widgets.steps import steps
from mtsig_nb.widgets.uploads import Upload

PITFALL = "riezler-maxwell-bootstrap"

HOSTILE = "<script>alert(1)</script>&_#$%"
PAIR = ("uedin-wmt12", "QCRI--primary")
PUBLISHED = ("approximate-randomization", "bootstrap", "paired-bootstrap", PITFALL)
CASES = [(name, tail) for name, procedure in PROCEDURES.items() for tail in procedure.alternatives]


@pytest.fixture(scope="module")
def model():
    return Model(CampaignSource("wmt12/es-en"))


def test_metrics_that_lack_scores_are_not_offered_and_it_is_said_why():
    source = CampaignSource("wmt25/en-kn_IN")
    assert source.metrics == ("MetricX", "XCOMET", "CometKiwi", "GEMBA-ESA-GPT4.1")
    (warning,) = source.warnings
    assert warning.startswith("GEMBA-ESA-CMDA is not offered: 7 segments lack a score")
    assert CampaignSource("wmt25/en-ja_JP").metrics[-1] == "GEMBA-ESA-CMDA"
    assert not CampaignSource("wmt25/en-ja_JP").warnings


def state(model: Model, *, metric: str = "BLEU", pair=PAIR, systems=None, **settings) -> State:
    described = model.source.describe(systems or model.source.systems, ["BLEU", "TER"])
    analysis = dataclasses.replace(described, **{"n_resamples": 600, **settings})
    return State(analysis=analysis, metric=metric, pair=pair)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"units": "documents", "alpha": 0.01, "confidence_level": 0.9},
        {"interval": "simultaneous", "units": "documents"},
        {"interval": None},
        {"test": "bootstrap", "correction": "romano-wolf", "seed": 3},
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
    for metric, statistics in zip(("BLEU", "TER"), model.statistics(chosen), strict=True):
        shown = dataclasses.replace(chosen, metric=metric)
        scores, expected_scores = model.scores(shown), expected.summary(statistics.label)
        pd.testing.assert_frame_equal(scores, expected_scores, check_exact=True)
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
    for correction in corrections_for(test, alternative):
        chosen = state(
            model,
            test=test,
            alternative=alternative,
            correction=correction,
            systems=(*PAIR, "UPC"),
            n_resamples=60,
        )
        assert model.comparisons(chosen).correction == correction


def test_what_does_not_change_is_kept(model):
    one = state(model)
    other = state(model, alpha=0.01, correction="bonferroni")
    assert model.result(one) is model.result(other)
    assert model.bounds(one, model.shown(one)) is model.bounds(other, model.shown(other))
    assert model.comparisons(one) is not model.comparisons(other)
    assert model.result(one) is not model.result(state(model, seed=1))


# --- step by step ---------------------------------------------------------------------------------


def total(result) -> str:
    return f"{len(result.null_distribution):,}"


@pytest.mark.slow
@pytest.mark.parametrize("counting", ["add-one", "plain", "stroppa", "strict"])
@pytest.mark.parametrize(("test", "alternative"), [c for c in CASES if c[0] in PUBLISHED])
def test_steps_have_the_pairs_numbers(model, test, alternative, counting):
    chosen = state(model, test=test, alternative=alternative, counting=counting)
    result = model.result(chosen)
    d, drawn = result.statistic, result.resampled
    # The count again, from the definition of each test.
    mean = drawn.mean()
    absolute = np.abs(drawn)
    tails = {
        "approximate-randomization": (drawn, d),
        "bootstrap": (drawn - mean, d),
        "paired-bootstrap": (-drawn, 0.0),
        PITFALL: (absolute - absolute.mean(), abs(d)),
    }
    null, threshold = tails[test]
    above, below = (null >= threshold - 1e-9).sum(), (null <= threshold + 1e-9).sum()
    if test == "paired-bootstrap":
        count = {"greater": above, "less": below, "two-sided": min(above, below)}[alternative]
    elif alternative == "two-sided" and test != PITFALL:
        count = (np.abs(null) >= abs(d) - 1e-9).sum()
    else:
        count = below if alternative == "less" else above
    shown = " ".join(f"{s.line} {s.value}" for s in steps(result))
    assert f"c = {count:,} of {total(result)}" in shown
    assert f"d = {d:+.2f}" in shown
    assert ", ".join(f"{x:+.2f}" for x in drawn[:5]) in shown
    filled = {
        "add-one": f"({count} + 1)/(600 + 1)",
        "plain": f"{count}/600",
        "stroppa": f"({count} + 1)/600",
        "strict": f"({count} + 1)/(600 + 1)",
    }[counting]
    assert filled in shown
    if test == "bootstrap":
        assert f"m = {mean:+.2f}" in shown
    if test == PITFALL:
        assert f"m = {absolute.mean():+.2f}" in shown
    assert any(s.mistake for s in steps(result)) == (test == PITFALL)


def test_steps_of_an_exact_test():
    frame = pd.DataFrame(
        {
            "system": ["a"] * 60 + ["b"] * 60,
            "segment": [*range(60)] * 2,
            "score": [1.0] * 60 + [0.0] * 4 + [1.0] * 56,
        }
    )
    result = mt.approximate_randomization(mt.from_segment_scores(frame), "a", "b", rng=1)
    shown = " ".join(f"{s.line} {s.value}" for s in steps(result))
    assert "2^4 = 16 ways" in shown
    assert f"2/16: p = {2 / 16:.4f}, exactly" in shown


def test_smaller_is_better_is_said(model):
    first = steps(model.result(state(model, metric="TER")))[0]
    assert "smaller is better" in first.line
    assert "smaller" not in steps(model.result(state(model)))[0].line


# --- panels ---------------------------------------------------------------------------------------


class Page(HTMLParser):
    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.images: list[dict] = []
        self.text = ""
        self.feed(source)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        assert not [name for name, _ in attrs if name.startswith("on")]
        if tag == "img":
            self.images.append(dict(attrs))

    def handle_data(self, data):
        self.text += data


@pytest.fixture(scope="module")
def hostile():
    rng = np.random.default_rng(5)
    names = [HOSTILE, '"><img src=x onerror=alert(1)>', "$x^2$ & <b>bold</b>"]
    frame = pd.DataFrame(
        [(name, i, rng.normal(k)) for k, name in enumerate(names) for i in range(80)],
        columns=["system", "segment", "CO<i>MET"],
    )
    model = Model(ScoreSource([Upload("s.csv", frame.to_csv(index=False).encode())]))
    analysis = dataclasses.replace(
        model.source.describe(model.source.systems, model.source.metrics), n_resamples=500
    )
    yield model, State(analysis=analysis, metric="CO<i>MET", pair=tuple(names[:2]))
    model.source.close()


@pytest.mark.parametrize("panel", [*panels.PANELS, "verdict", "links"])
def test_hostile_names_are_text(hostile, panel):
    model, chosen = hostile
    draw = {**panels.PANELS, "verdict": panels.verdict, "links": downloads.links}[panel]
    page = Page(draw(model, chosen))
    assert not {"script", "i", "b"} & set(page.tags)
    for image in page.images:
        assert image["src"].startswith("data:image/svg+xml;base64,")
        assert image["alt"]
        drawn = ElementTree.fromstring(base64.b64decode(image["src"].partition(",")[2]))
        assert not [e for e in drawn.iter() if e.tag.endswith("script")]
    shown = page.text + "".join(image["alt"] for image in page.images)
    assert HOSTILE in shown


def test_the_pitfall_is_marked_wherever_it_is_chosen(model):
    for test in PROCEDURES:
        chosen = state(model, test=test)
        assert ("mtsig-pitfall" in panels.verdict(model, chosen)) == (test == PITFALL)
        page = panels.PANELS["Other tests"](model, chosen)
        rows = re.findall(r'<tr class="([^"]*)"><td>(.*?)</tr>', page)
        assert len(rows) == len(PROCEDURES)
        assert [("mtsig-chosen" in c) for c, _ in rows] == [name == test for name in PROCEDURES]
        assert [("mtsig-badge" in t) for _, t in rows] == [name == PITFALL for name in PROCEDURES]


@pytest.mark.slow
def test_the_counted_tails_are_shaded(model):
    for alternative in ("two-sided", "greater", "less"):
        result = model.result(state(model, alternative=alternative, pair=("onlineC", "onlineD")))
        drawn = pictures.histogram(result)
        assert f"counted: {result.count:,} of 600" in drawn
        ax = figures.null_distribution(result).axes[0]
        _, counted = ax.containers
        assert sum(bar.get_height() for bar in counted) == result.count
        filled = [bar.get_x() + bar.get_width() / 2 for bar in counted if bar.get_height()]
        d = abs(result.statistic)
        assert (min(filled) < 0) == (alternative != "greater")
        assert max(map(abs, filled)) >= d * 0.99
        assert ax.get_legend() is not None


def test_drawing_leaves_pyplot_alone_and_repeats_itself(model):
    before = plt.get_fignums()
    chosen = state(model)
    for draw in panels.PANELS.values():
        assert draw(model, chosen) == draw(model, chosen)
    assert plt.get_fignums() == before
