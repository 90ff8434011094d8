"""Sentences that several test sets share: against enumeration, and how often tests of them err."""

from __future__ import annotations

import dataclasses
import itertools
import re

import numpy as np
import pytest

import mtsig_nb as mt
from mtsig_nb.metrics import SegmentMean
from mtsig_nb.notes import code_of
from mtsig_nb.significance.sharing import other_layouts

from ..messages import codes, naming
from ..small_sets import plausible

NAMES = "abcdefgh"


def means(scores, names=None, label="COMET"):
    """Statistics of systems from scores of shape (systems, segments)."""
    scores = np.asarray(scores, dtype=np.float64)
    systems = [f"s{i}" for i in range(len(scores))]
    values = np.stack([scores, np.ones_like(scores)], axis=-1)
    metric = SegmentMean(label=label)
    return mt.SufficientStatistics(metric, systems, values, segment_names=names)


def world(rng, *, shared, names=None, n=40, n_sets=7, n_systems=2):
    """Equally good systems on as many test sets: sentences have effects, the same in all or not."""
    given = {}
    effects = rng.normal(size=(n_systems, n))
    for k in range(n_sets):
        own = effects if shared else rng.normal(size=(n_systems, n))
        given[f"xx-{k}"] = means(own + rng.normal(size=(n_systems, n)), names)
    return given


def exchanged(leads):
    """The mean lead under all exchanges of units; `leads` has a row for each test set."""
    total = np.mean([lead / len(lead) for lead in leads], axis=0)
    signs = np.array(list(itertools.product((1, -1), repeat=len(total))))
    return signs @ total


def pvalue(statistics, **options):
    options = {"correction": None, "interval": None, "rng": 1} | options
    return mt.compare_all(statistics, **options).table["pvalue"].iloc[0]


def test_p_is_that_of_all_joint_exchanges_of_sentences():
    rng = np.random.default_rng(1)
    given = world(rng, shared=True, names=list(NAMES), n=8, n_sets=3)
    for order in (range(8), rng.permutation(8)):  # in whatever order a test set has them
        given["xx-1"] = given["xx-1"].subset(list(order))
        places = [[list(s.segment_names).index(name) for name in NAMES] for s in given.values()]
        leads = [
            np.subtract(*s.values[..., 0])[some]
            for s, some in zip(given.values(), places, strict=True)
        ]
        null = exchanged(leads)
        expected = (abs(null) >= abs(sum(lead.mean() for lead in leads)) / 3 - 1e-12).mean()
        assert pvalue(mt.test_sets(given)) == expected


def test_p_where_some_sentences_are_shared():
    """Two of four lie in both test sets: six units."""
    one, other = np.array([2.0, 1.5, -0.4, 1.0]), np.array([1.1, 0.3, 0.9, -0.2])
    given = {
        "ja": means([one, one * 0], list("abcd")),
        "cs": means([other, other * 0], list("cdef")),
    }
    total = np.array([2.0, 1.5, -0.4 + 1.1, 1.0 + 0.3, 0.9, -0.2]) / 8
    signs = np.array(list(itertools.product((1, -1), repeat=6)))
    expected = (abs(signs @ total) >= abs(total.sum()) - 1e-12).mean()
    sets = mt.test_sets(given)
    assert sets.overall.n_segments == 6
    assert pvalue(sets) == expected
    assert pvalue(sets) != pvalue(mt.test_sets(given, shared=False))


@pytest.mark.parametrize("correction", [None, "holm", "benjamini-hochberg", "westfall-young"])
def test_where_it_cannot_be_known_the_larger_p_and_the_wider_interval_stand(correction):
    """Where of six pairs now the one and now the other analysis is the more cautious."""
    given = world(np.random.default_rng(9), shared=False, n=30, n_sets=3, n_systems=4)
    options = {"correction": correction, "n_resamples": 999, "rng": 2}
    found = mt.compare_all(mt.test_sets(given), **options)
    yes, no = (mt.compare_all(mt.test_sets(given, shared=way), **options) for way in (True, False))
    decisive = "pvalue_adjusted" if correction == "westfall-young" else "pvalue"
    rows = [c.table[c.table["test_set"] == "all"] for c in (found, yes, no)]
    together = np.maximum(rows[1][decisive], rows[2][decisive])
    np.testing.assert_array_equal(rows[0][decisive], together)
    assert 0 < (rows[1][decisive] > rows[2][decisive]).sum() < 6
    widths = [(row["ci_high"] - row["ci_low"]).to_numpy() for row in rows]
    np.testing.assert_allclose(widths[0], np.maximum(*widths[1:]))
    # Single test sets are as they are; the correction is over what stands.
    single = found.table["test_set"] != "all"
    np.testing.assert_array_equal(found.table["pvalue"][single], yes.table["pvalue"][single])
    if decisive == "pvalue":
        adjusted = mt.adjust_pvalues(found.table["pvalue"], correction)
        np.testing.assert_array_equal(found.table["pvalue_adjusted"], adjusted)
    assert (found.table["pvalue_adjusted"] >= yes.table["pvalue_adjusted"])[~single].all()
    assert found.table["at_floor"].dtype == bool
    assert (found.n_units, found.n_units_apart, yes.n_units_apart) == (30, 90, 0)
    methods = found.overall.methods_sentence()
    assert re.search(naming("share", "30 segments", "not", "90"), methods)
    assert "nunits:30/90|" in found.signature
    assert found.on("xx-1").n_units_apart == 0


def test_what_is_said_of_sharing():
    rng = np.random.default_rng(3)
    options = {"n_resamples": 99, "interval": None, "rng": 1}
    numbered = world(rng, shared=True)
    unknown = mt.compare_all(mt.test_sets(numbered), **options)
    assert codes(unknown.notes)[0] == "shared-unknown"
    values = unknown.notes[0].values
    (row,) = unknown.pairing.to_dict("records")
    assert values["joint"] == pytest.approx(row["se_joint"])
    assert values["apart"] == pytest.approx(row["se_independent"])
    known = mt.compare_all(mt.test_sets(numbered, shared=True), **options)
    assert codes(known.notes)[0] == "shared-units"
    apart = mt.compare_all(mt.test_sets(numbered, shared=False), **options)
    assert not {"shared-units", "shared-unknown"} & {*codes(apart.notes)}
    # What shared units do to standard errors is said where units are known to be shared.
    said = [[code_of(n) for n in c.notes_on_test_sets] for c in (unknown, known, apart)]
    assert [("pairing" in one) for one in said] == [False, True, False]


@pytest.mark.takes_time
def test_statistics_of_the_mean_alone_are_compared_as_cautiously():
    """As in a report, which has no single test sets."""
    given = world(np.random.default_rng(5), shared=True)
    options = {"correction": None, "n_resamples": 999, "rng": 1}
    sets = mt.test_sets(given)
    alone = mt.compare_all(sets.overall, **options)
    (row,) = mt.compare_all(sets, **options).overall.table.to_dict("records")
    assert alone.table["pvalue"].item() == row["pvalue"]
    assert codes(alone.notes)[0] == "shared-unknown"
    few = mt.compare_all(sets.overall.select(["s1", "s0"]), **options)
    assert few.table["pvalue"].item() == row["pvalue"]


def test_metrics_of_which_one_is_doubtful():
    given = world(np.random.default_rng(6), shared=True, n=12, n_sets=2)
    other = {name: means(s.values[..., 0], label="ESA") for name, s in given.items()}
    known = mt.test_sets(other, shared=True)
    with pytest.raises(mt.InputError, match=naming("ESA over 2", "is known")):
        mt.compare_all([mt.test_sets(given), known], n_resamples=99)


def test_a_system_against_itself_and_systems_in_the_other_order():
    given = world(np.random.default_rng(7), shared=True, n=12, n_sets=3)
    same = {name: means(s.values[[0, 0], :, 0]) for name, s in given.items()}
    assert pvalue(mt.test_sets(same)) == 1
    turned = {name: s.select(["s1", "s0"]) for name, s in given.items()}
    for options in ({}, {"shared": True}, {"shared": False}):
        one, other = (mt.test_sets(sets, **options) for sets in (given, turned))
        assert pvalue(one) == pvalue(other)


def rejected(world_shares, names, n_pairs, **options):
    """How many equally good pairs are told apart at .05; each on seven test sets of its own."""
    rng = np.random.default_rng([47, world_shares])
    effects = rng.normal(size=(n_pairs, 30))
    given = {}
    for k in range(7):
        if not world_shares:
            effects = rng.normal(size=(n_pairs, 30))
        half = (effects + rng.normal(size=effects.shape)) / 2
        statistics = means(np.concatenate([half, -half]), names)
        systems = [f"{name} {i}" for name in ("first", "second") for i in range(n_pairs)]
        given[f"xx-{k}"] = dataclasses.replace(statistics, systems=systems)
    overall = mt.test_sets(given, **options).overall
    layouts = [overall, *other_layouts([overall])]
    options = {"n_resamples": 499, "rng": 1}
    test = "approximate-randomization"
    found = [mt.simulate.null_pvalues(s, test, **options) for s in layouts]
    return int((np.max(found, axis=0) <= 0.05).sum())


FLORES = [f"flores_{i}" for i in range(30)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shared", "names", "options", "low", "high"),
    [
        (True, FLORES, {}, 0.05, 0.05),  # names coincide
        (True, None, {}, 0.045, 0.05),  # numbers do, and sentences are the same
        (False, None, {}, 0.015, 0.05),  # numbers do, and sentences are others
        (False, None, {"shared": False}, 0.05, 0.05),
        (False, FLORES, {}, 0.05, 0.05),  # named alike by mistake: the level is kept all the same
        (True, None, {"shared": False}, 0.25, 0.45),  # the same sentences taken for others
    ],
)
def test_how_often_leaderboards_claim_what_is_not_so(shared, names, options, low, high, draws):
    """Of 1,000 pairs .105 in the place of .05 is noticed with .92, of 2,000 .09 with .97."""
    n_pairs = draws(1000, 2000)
    assert plausible(rejected(shared, names, n_pairs, **options), n_pairs, low, high)


def test_two_settings_of_one_metric_keep_both_layouts():
    """Where only numbers coincide, the other layout is called after the setting, too."""
    given = world(np.random.default_rng(3), shared=False, names=list(range(40)), n_sets=3)
    overall = mt.test_sets(given).overall
    assert overall.sharing.otherwise is not None
    finer = mt.test_sets(
        {
            name: dataclasses.replace(
                of_set, metric=dataclasses.replace(of_set.metric, resolution=2.0**-20)
            )
            for name, of_set in given.items()
        }
    ).overall
    labels = [finer.titled("COMET, finer").label, finer.titled("x").sharing.otherwise.label]
    assert labels == ["COMET, finer", "x"]
    both = mt.compare_all([overall, finer.titled("COMET, finer")], n_resamples=200, rng=1)
    assert both.metrics == (overall.label, "COMET, finer")
    assert both.table["pvalue"].notna().all()
