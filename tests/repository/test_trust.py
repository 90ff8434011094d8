"""The page on what can be relied on: parts counted again, and what the page says."""

from __future__ import annotations

import itertools
from typing import get_args

import numpy as np
import pytest
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.engine.procedures import PROCEDURES
from mtsig_nb.significance.corrections import OF_PVALUES, OF_RESAMPLES
from mtsig_nb.significance.intervals import Method
from mtsig_nb.significance.peers import PEERS
from mtsig_nb.statistics.many_test_sets import ScoredSets
from tools.trust import __main__ as command
from tools.trust import measuring, rendering, simulated, worlds

from ..small_sets import means, plausible

KEPT = measuring.read()
SETTINGS = [
    (world, setting, kept)
    for world, kept_world in zip(worlds.WORLDS, KEPT["worlds"], strict=True)
    for setting, kept in zip(world.settings, kept_world["settings"], strict=True)
]
#: One setting of each world; the first takes a few seconds.
ONE_OF_EACH = [
    pytest.param(*one, marks=pytest.mark.thorough if number else pytest.mark.slow, id=one[0].key)
    for number, one in enumerate(one for one in SETTINGS if one[1] is one[0].settings[0])
]


@pytest.mark.parametrize(("world", "setting", "kept"), ONE_OF_EACH)
def test_a_part_counted_again_is_as_kept(world, setting, kept):
    """The first part has the rows and the counts that were kept of it."""
    rows = measuring.part(world, setting, 0)
    assert [rendering.key(row) for row in rows] == [rendering.key(row) for row in kept["rows"]]
    counts = {rendering.key(row): row["counts"] for row in rows}
    assert counts == {rendering.key(row): row["first"] for row in kept["rows"]}


def test_the_page_is_what_the_counts_render_to():
    assert command.PAGE.read_text(encoding="utf-8") == rendering.to_markdown(KEPT)
    assert measuring.KEPT.read_text(encoding="utf-8") == measuring.to_json(KEPT)


def test_everything_that_the_package_offers_is_on_the_page():
    """A new test, method or correction is, as soon as the page is made again: make trust."""
    for setting in (kept for _, s, kept in SETTINGS if s.counted == "all"):
        names = {row["name"] for row in setting["rows"]}
        assert {*PROCEDURES, *PEERS, "none", *OF_PVALUES, *OF_RESAMPLES} <= names
    methods = {
        row["name"].partition(",")[0]
        for world in KEPT["worlds"]
        for setting in world["settings"]
        for row in setting["rows"]
        if row["group"] == "intervals"
    }
    assert set(get_args(Method)) <= methods


@pytest.mark.parametrize("world", KEPT["worlds"], ids=[world["key"] for world in KEPT["worlds"]])
def test_what_is_recommended_keeps_its_level_or_the_page_says_otherwise(world):
    for setting, said in zip(world["settings"], rendering.advice(world), strict=True):
        chosen = rendering.recommended(setting["rows"])
        candidates = [r for r in setting["rows"] if r.get("candidate")]
        if chosen is None:
            assert "no remedy here" in said
            assert all(rendering.rate(row) > 0.065 for row in candidates)
        else:
            assert rendering.rate(chosen) <= 0.065
            assert (rendering.rate(chosen) < 0.04) == ("on the safe side" in said)


def test_what_the_page_says_in_short_is_what_was_measured():
    """Should it fail after a new test, that test is news: the sentence is to be written anew."""
    of = {world["key"]: world["settings"] for world in KEPT["worlds"]}

    def sizes(setting, units=None):
        rows = [row for row in setting["rows"] if row["group"] == "tests" and row["candidate"]]
        return {r["name"]: rendering.rate(r) for r in rows if units in (None, r["units"])}

    fifty, hundred, _ = map(sizes, of["skewed"])
    assert min(fifty.values()) > 0.065
    at_01 = [
        row["counts"]["0.01"] / row["of"] for row in of["skewed"][0]["rows"][: len(PROCEDURES)]
    ]
    assert min(at_01) / 0.01 > max(fifty.values()) / 0.05
    assert fifty["paired-t"] > 0.9 * fifty["approximate-randomization"]
    assert max(hundred.values()) < min(fifty.values())
    studentised = "studentized-bootstrap"
    for setting in of["skewed"][:2]:
        assert min(sizes(setting), key=sizes(setting).get) == studentised
    documents, _ = of["documents-skewed"]
    keeping = [name for name, rate in sizes(documents).items() if 0.04 <= rate <= 0.065]
    assert keeping == [studentised]
    assert all(sizes(setting)[studentised] < 0.025 for setting in of["swap-mqm"][:2])
    for setting in of["documents"]:
        assert min(sizes(setting, "segments").values()) > 0.1
    assert min(sizes(of["runs-scattered"][0], measuring.ONE_RUN).values()) > 0.3


def noted(setting):
    """The tests that results estimate the size of, and may warn of."""
    return [r for r in setting["rows"] if r.get("candidate") and "estimated" in r]


def test_where_there_is_no_remedy_a_note_warns_in_nine_of_ten_data_sets():
    without = [
        setting
        for world in KEPT["worlds"]
        if not world["key"].startswith(rendering.OVER_MANY)  # of which the page says otherwise
        for setting in world["settings"]
        if rendering.recommended(setting["rows"]) is None
    ]
    assert without
    for setting in without:
        erring = [row for row in noted(setting) if row["units"] == setting["rows"][0]["units"]]
        assert erring, setting["label"]
        assert all(rendering.warned(row) >= 0.9 for row in erring)


def test_with_many_segments_a_note_seldom_warns_of_a_test_that_keeps_its_level():
    rows = [
        row
        for world, setting, kept in SETTINGS
        for row in noted(kept)
        if setting.label == "300 segments" and rendering.rate(row) < 0.055
    ]
    assert len(rows) > 10
    assert all(rendering.warned(row) < 0.1 for row in rows)


def test_estimates_are_near_what_was_counted_where_differences_are_skewed():
    """Most of all where they matter: the worlds of `centred_pairs`, all tests.

    That of the studentised test, a guess at what samples do not show, may be too large by a half.
    """
    rows = [
        row
        for world, _, kept in SETTINGS
        if world.function == "centred_pairs"
        for row in noted(kept)
    ]
    assert len(rows) > 20
    for row in rows:
        slack = 3 * rendering.error(row["counts"]["0.05"], row["of"])
        above = 0.5 if row["name"] == "studentized-bootstrap" else 0.15
        off = row["estimated"] - rendering.rate(row)
        assert -slack - 0.15 * rendering.rate(row) < off < slack + above * rendering.rate(row)


# What the page says of its worlds.


def skewness(pairs: mt.SufficientStatistics) -> float:
    first, second = np.split(pairs.segment_scores(), 2)
    return float(stats.skew((first - second).ravel()))


def by_skewness(of: mt.SufficientStatistics) -> list[tuple[float, str, str]]:
    """All pairs of systems, the least skewed differences first."""
    pairs = itertools.combinations(zip(of.systems, of.segment_scores(), strict=True), 2)
    found = [(float(stats.skew(x - y)), a, b) for (a, x), (b, y) in pairs]
    return sorted(found, key=lambda one: abs(one[0]))


def test_the_skewed_worlds_are_as_skewed_as_they_are_said_to_be():
    ranked = by_skewness(worlds.mqm())
    told = {world["key"]: world["holds"] for world in KEPT["worlds"]}
    assert len(ranked) == 136
    assert set(ranked[-1][1:]) == {"ref-A", "ref-C"}
    assert f"{abs(ranked[-1][0]):.1f}" in told["skewed"]
    sizes = {frozenset(names): abs(skew) for skew, *names in ranked}
    middling = sizes[frozenset({"metricsystem3", "UEdin"})]
    assert middling == pytest.approx(np.median(list(sizes.values())), rel=0.05)
    assert f"{middling:.2f}" in told["skewed-middling"]
    sets = {
        world.key: world.settings[-1].make(300, 1).pairs
        for world in worlds.WORLDS
        if world.key in ("skewed", "skewed-middling")
    }
    assert skewness(sets["skewed"]) == pytest.approx(-3.8, rel=0.1)
    assert skewness(sets["skewed-middling"]) == pytest.approx(-1.05, rel=0.1)


@pytest.mark.parametrize("key", ["skewed", "failures", "documents-skewed", "spread"])
def test_a_score_that_intervals_are_to_contain_is_the_mean_of_many(key):
    (world,) = (world for world in worlds.WORLDS if world.key == key)
    sets = world.settings[-1].make(400, 2)
    first, second = np.split(sets.pairs.metric.score(sets.pairs.totals()), 2)
    for scores in (first, second):
        # A corpus score on finite test sets is off by a little.
        slack = 0.1 if key == "spread" else 0.0
        assert abs(scores.mean() - sets.score) < 5.3 * scores.std() / 20 + slack


# How it is counted and shown.


def row(rejected: int, of: int = 1000, *, title: str = "a test", **details):
    counts = {"0.05": rejected, "0.01": rejected // 5}
    return {
        "group": "tests",
        "name": title,
        "title": title,
        "tool": "",
        "candidate": True,
        "units": "segments",
        "of": of,
        "counts": counts,
        **details,
    }


def test_a_test_is_recommended_for_what_was_measured():
    keeps, errs, safe = row(50), row(90, title="errs"), row(20, title="safe")
    careful = row(35, title="careful")
    pitfall = row(50, title="pitfall", candidate=False)
    for rows, expected in (
        ([errs, safe, keeps], keeps),
        ([errs, safe, careful, pitfall], careful),
        ([errs, pitfall], None),
        ([row(66)], None),
    ):
        assert rendering.recommended(rows) == expected

    def said(*rows):
        return next(rendering.advice({"settings": [{"label": "9 segments", "rows": list(rows)}]}))

    assert said(errs, keeps) == "9 segments: a test, .050"
    assert said(errs, safe) == "9 segments: safe, .020, on the safe side"
    assert said(errs, row(120), pitfall).endswith("no remedy here (nearest: errs, .090)")
    noted = row(90, title="noted", estimated=0.08)
    noted["counts"]["warned"] = 910
    assert said(noted, row(120)).endswith("(nearest: noted, .090; a note warns in .910)")


# Worlds made for the page alone: the truth that was asked for.


DOCUMENTS = np.repeat(["a", "b", "c", "d", "e", "f"], [8, 1, 1, 4, 2, 2])


def document_differences(sets: ScoredSets) -> np.ndarray:
    """(test sets, pairs, documents)."""
    scores = np.stack([s.metric.score(s.values) for s in sets.each])
    half = scores.shape[1] // 2
    return scores[:, :half] - scores[:, half:]


def close_to(values: np.ndarray, truth: float) -> bool:
    """Whether the mean of `values` is within 5.3 standard errors (1e-7) of `truth`."""
    return bool(abs(values.mean() - truth) <= 5.3 * values.std(ddof=1) / np.sqrt(len(values)))


def advantages(pairs: mt.SufficientStatistics) -> np.ndarray:
    """Observed differences of all pairs."""
    first, second = np.split(pairs.metric.score(pairs.totals()), 2)
    return pairs.metric.direction * (first - second)


@pytest.mark.parametrize("correlation", [0.0, 0.1, 0.3])
def test_document_effects_are_as_strong_as_asked_for(correlation):
    """The variance of a document's sum tells the correlation of its segments' contributions."""
    rng = np.random.default_rng(4)
    labels = np.repeat(np.arange(60), 5)
    statistics = means(rng.normal(size=(2, 300)), documents=labels)
    pairs = simulated.document_effects(
        statistics, ("s0", "s1"), correlation=correlation, n_pairs=3000, rng=5
    )
    d = (pairs.values[:3000, :, 0] - pairs.values[3000:, :, 0]).reshape(3000, 60, 5)
    products = (d.sum(axis=2) ** 2 - (d**2).sum(axis=2)).sum(axis=1) / (60 * 20)
    found = products / (d**2).mean()
    assert close_to(found, correlation)
    assert close_to(d.mean(axis=(1, 2)), 0.0)


@pytest.mark.parametrize("failure", [-30.0, 30.0])
def test_rare_failures_are_rare_and_paid_for(failure):
    """Of scores where less is better, too, in which a high one is a failure."""
    statistics = means(np.random.default_rng(8).normal(size=(2, 300)), larger_is_better=failure < 0)
    pairs = simulated.rare_failures(
        statistics, ("s0", "s1"), failure=failure, share=0.05, n_units=100, n_pairs=800, rng=1
    )
    assert close_to(advantages(pairs), 0.0)
    failing, paying = np.split(pairs.segment_scores(), 2)
    assert plausible(int((failing == failure).sum()), failing.size, 0.05)
    assert abs(paying).max() < 10
    expected = 0.05 * failure + 0.95 * statistics.scores().mean()
    assert close_to(failing.mean(axis=1), expected)
    assert close_to(paying.mean(axis=1), expected)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("share", "skewness", "difference"),
    [(0.0, 0.0, 0.0), (0.3, 2.0, 0.5), (1.0, -1.0, 0.0), (0.5, 0.0, -1.0)],
)
def test_shared_documents_do_to_all_test_sets_what_was_asked_for(share, skewness, difference):
    sets = simulated.shared_documents(
        DOCUMENTS,
        n_test_sets=2,
        share=share,
        skewness=skewness,
        difference=difference,
        n_pairs=8000,
        rng=4,
    )
    one, other = found = document_differences(sets)
    assert close_to(found[0].mean(axis=1), difference)
    assert close_to(((one - difference) * (other - difference)).ravel(), share)
    # A segment's scatter has variance 1, that of the mean of a document's 8, 1, ... segments 1/n.
    n = np.array([8, 1, 1, 4, 2, 2])
    np.testing.assert_allclose(one.var(axis=0), 1 + 1 / n, rtol=0.1)
    third = ((one - difference) ** 3).ravel()
    mixed = share**1.5 + (1 - share) ** 1.5
    assert close_to(third, skewness * mixed)


def test_neighbours_are_exchanged_document_by_document_in_all_languages_at_once():
    overall, (pair, *others) = worlds.from_english().overall, worlds.neighbours()
    made = worlds.swapped_documents(2 * (1 + len(others)) - 1, 3)
    heads, tails = np.split(made.values, 2)
    a, b = overall.select(pair).values
    one = (heads[0] == a).all(axis=-1)
    np.testing.assert_array_equal(heads[0][one], a[one])
    np.testing.assert_array_equal(heads[0][~one], b[~one])
    np.testing.assert_array_equal(tails[0], np.where(one[:, None], b, a))
    assert 20 < one.sum() < 67
    last = overall.select(others[-1]).values.sum(axis=0)
    np.testing.assert_array_equal(heads[-1] + tails[-1], last)
