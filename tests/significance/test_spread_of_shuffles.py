"""What results say where shuffled outputs spread more or less than the difference does."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

import mtsig_nb as mt
from mtsig_nb.engine import edgeworth
from mtsig_nb.engine.edgeworth import Shape, scaled, size
from mtsig_nb.engine.influence import contributions
from mtsig_nb.engine.options import Design
from mtsig_nb.engine.procedures import PROCEDURES
from mtsig_nb.engine.tallies import PAIR, run
from mtsig_nb.significance.actual_size import ActualSize, spread_ratio

from ..small_sets import means

PAIR_OF_LENGTHS = "XMU", "IIE-MT"
AR = PROCEDURES["approximate-randomization"]


@pytest.fixture(scope="module")
def chinese():
    return mt.load("wmt21/zh-en").statistics("BLEU")


def ratio_of(statistics, n_resamples, seed=1, exact=False):
    design = Design.of(AR, n_resamples=n_resamples, exact=exact, rng=seed)
    done = run(design, [statistics], PAIR, keep=True)
    (counted,) = done.tallies
    return spread_ratio(statistics, PAIR, counted)[0], counted


@pytest.mark.parametrize("ratio", [0.5, 0.8, 1.0, 1.3])
def test_a_test_with_the_wrong_spread_errs_as_normal_theory_has_it(ratio):
    """With endless units; a threshold of one half of what it should be is passed in a third."""
    endless = Shape(10**9, np.array([0.3]), np.array([2.0]))
    for alpha in (0.05, 0.01):
        found = size(scaled(AR.critical, np.array([ratio])), endless, alpha, "two-sided")
        assert found == pytest.approx(2 * ndtr(ratio * ndtri(alpha / 2)), rel=1e-6)
        (found,) = size(scaled(AR.critical, np.array([ratio])), endless, alpha, "greater")
        assert found == pytest.approx(ndtr(ratio * ndtri(alpha)), rel=1e-3)
    few = Shape(100, np.array([1.5]), np.array([4.0]))
    unscaled = size(scaled(AR.critical, np.ones(1)), few, 0.05, "two-sided")
    np.testing.assert_array_equal(unscaled, size(AR.critical, few, 0.05, "two-sided"))
    assert edgeworth.size(AR.critical, few, 0.05, "two-sided") > 0.05


def test_the_ratio_is_that_of_the_draws_to_the_contributions(chinese):
    pair = chinese.select(PAIR_OF_LENGTHS)
    ratio, counted = ratio_of(pair, 3000)
    (drawn,) = counted.pseudo
    a, b = contributions(pair)
    expected = np.sqrt(np.mean(drawn**2)) / np.sqrt(((a - b) ** 2).sum())
    assert ratio == pytest.approx(expected, rel=1e-9)
    assert 0.4 < ratio < 0.6


def test_it_is_the_same_however_far_resamples_go(chinese):
    """Looks that go on draw the further ones only, and what they draw is not in the ratio."""
    some = chinese.select(["XMU", "IIE-MT", "KwaiNLP", "NiuTrans"])
    looked, at_once = (
        mt.compare_all(some, correction=None, interval=None, rng=1, **options).table
        for options in ({}, {"n_resamples": 10_000})
    )
    np.testing.assert_array_equal(looked["size_at_05"], at_once["size_at_05"])


def test_of_a_mean_it_is_one_whatever_is_drawn():
    rng = np.random.default_rng(2)
    for n_resamples in (9, 99):
        ratio, counted = ratio_of(means(rng.normal(size=(2, 40))), n_resamples)
        assert counted.spread is None
        assert ratio == 1


def test_a_result_says_how_often_it_errs_why_and_what_to_use(chinese):
    result = mt.approximate_randomization(chinese, *PAIR_OF_LENGTHS, rng=1)
    assert result.size_at_05 > 0.15
    (note,) = result.notes
    for said in ("outputs unlike those of either", "0.50 times", PROCEDURES["sign-flip"].title):
        assert said in note
    remedy = mt.sign_flip_test(chinese, *PAIR_OF_LENGTHS, rng=1)
    assert remedy.size_at_05 == pytest.approx(0.05, abs=0.01)
    assert remedy.notes == ()


def test_the_estimate_is_near_what_is_counted():
    """It is rough at the bend: the worlds of many data sets are on the page on trust."""
    bleu = mt.load("wmt21/zh-en").statistics("BLEU")
    pairs = mt.simulate.equal_systems(
        bleu, *PAIR_OF_LENGTHS, "Borderline", n_segments=1000, n_pairs=60, rng=3
    )
    estimated = [
        mt.approximate_randomization(
            pairs, f"system {k}", f"patchwork {k}", n_resamples=999, rng=1
        ).size_at_05
        for k in range(1, 61)
    ]
    counted = mt.simulate.rejection_rates(pairs, ["ar"], n_resamples=999, rng=1)["rate"].item()
    assert np.mean(estimated) == pytest.approx(counted, abs=0.1)
    assert np.mean(np.array(estimated) > 0.06) > 0.6


def test_a_spread_that_is_too_wide_is_told_of_as_well(chinese):
    actual = ActualSize.of(chinese.select(PAIR_OF_LENGTHS), PAIR, np.array([900]), AR, "two-sided")
    assert not actual.off[0]
    wide = dataclasses.replace(actual, ratio=np.array([1.3]))
    assert wide.off[0]
    assert wide.at(0.05)[0] < 0.02
    assert "1.30 times" in wide.mixing(0)
    assert not wide.instead(PROCEDURES["sign-flip"]).off[0]
    assert wide.instead(PROCEDURES["bootstrap"]).at(0.05)[0] == pytest.approx(0.055, abs=0.002)


def test_no_verdict_stands_beside_an_interval_that_contradicts_it_without_a_word(chinese):
    one = mt.compare_all(chinese.select(PAIR_OF_LENGTHS), rng=12345)
    row = one.table.iloc[0]
    assert row["conclusion"] == "better"
    assert row["ci_low"] < 0 < row["ci_high"]
    said = [line for line in one.caveats if "contains zero" in line]
    assert len(said) == 1
    assert said[0].startswith("the test at 0.05 tells the two apart, yet the 95 % interval")
    agreed = mt.compare_all(chinese.select(["XMU", "Borderline"]), rng=12345)
    assert not any("contains zero" in line for line in agreed.caveats)
