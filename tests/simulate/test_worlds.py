"""Simulated campaigns: the truth that was asked for, and tests that hold their level on it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import mtsig_nb as mt
from mtsig_nb import simulate
from mtsig_nb.significance.one_pair import run_test
from mtsig_nb.simulate import Outputs, uniforms

from ..small_sets import means, plausible, real

PAIR = ("onlineC", "onlineD")
VALID = ["bootstrap", "paired-bootstrap", "approximate-randomization"]


def advantages(pairs: mt.SufficientStatistics) -> np.ndarray:
    """Observed differences of all pairs."""
    scores = pairs.metric.direction * pairs.metric.score(pairs.totals())
    half = len(scores) // 2
    return scores[:half] - scores[half:]


def close_to(values: np.ndarray, truth: float, slack: float = 0.0) -> bool:
    """Whether the mean of `values` is within 5.3 standard errors (1e-7) and `slack` of `truth`."""
    error = values.std(ddof=1) / np.sqrt(len(values))
    return bool(abs(values.mean() - truth) <= 5.3 * error + slack)


def small(metric: str = "BLEU") -> mt.SufficientStatistics:
    """Every fifth segment."""
    return real(metric).subset(np.arange(0, 3003, 5))


# Coins.


def test_uniforms_are_uniform_and_the_same_for_a_key():
    u = uniforms((50_000,), seed=3, key=(1, 2))
    assert stats.kstest(u, "uniform").pvalue > 1e-6
    np.testing.assert_array_equal(u, uniforms((50_000,), seed=3, key=(1, 2)))
    assert (u != uniforms((50_000,), seed=3, key=(1, 3))).any()


@pytest.mark.parametrize("larger_is_better", [True, False])
def test_contributions_add_up_to_the_difference_of_a_mean(larger_is_better):
    rng = np.random.default_rng(1)
    pair = means(rng.normal(size=(2, 40)), larger_is_better=larger_is_better)
    outputs = Outputs(pair)
    assert outputs.contributions.sum() == pytest.approx(advantages(pair)[0])
    # All better outputs together, and all worse ones: as far apart as choices can be.
    direction = 1 if larger_is_better else -1
    by_hand = np.abs(np.diff(pair.values[..., 0], axis=0)).mean()
    assert outputs.largest == pytest.approx(by_hand)
    assert outputs.score(1.0) > direction * pair.metric.score(pair.totals()).max()


# The truth that was asked for.


@pytest.mark.takes_time
@pytest.mark.parametrize("metric", ["BLEU", "TER"])
@pytest.mark.parametrize("difference", [-1.0, 0.0, 0.5, 2.0])
def test_a_planted_difference_is_there_on_average(metric, difference):
    pairs = mt.simulate.planted_difference(
        real(metric), *PAIR, difference=difference, n_units=500, n_pairs=600, rng=5
    )
    # A corpus score's expectation on finite test sets is off by a little: 1/n, some hundredths.
    assert close_to(advantages(pairs), difference, slack=0.02)
    assert pairs.n_segments == 500


@pytest.mark.parametrize("n", [15, 300])
def test_a_planted_difference_of_a_mean_scatters_like_a_shift(n):
    """What 80 % power takes; of a shift the spread is the real one, of coins alone .69 to .99."""
    d = np.random.default_rng(1).normal(0.3, 1.0, size=500)
    pilot = means(np.stack([d, 0 * d]))
    size = 2.8 * d.std() / np.sqrt(n)
    pairs = mt.simulate.planted_difference(
        pilot, "s0", "s1", difference=size, n_units=n, n_pairs=4000, rng=6
    )
    half = pairs.values[:4000, :, 0] - pairs.values[4000:, :, 0]
    assert close_to(half.mean(axis=1), size)
    assert close_to(((half - size) ** 2).mean(axis=1), d.var())


def test_more_than_the_outputs_hold_cannot_be_planted():
    largest = Outputs(small().select(PAIR)).largest
    for sign in (1, -1):
        pairs = mt.simulate.planted_difference(
            small(), *PAIR, difference=sign * largest, n_units=300, n_pairs=200, rng=1
        )
        assert (sign * advantages(pairs) > 0).all()


@pytest.mark.takes_time
def test_equal_systems_have_the_same_true_score():
    pairs = mt.simulate.equal_systems(
        real(), "UPC", "onlineA", "onlineB", n_segments=600, n_pairs=600, rng=3
    )
    assert close_to(advantages(pairs), 0.0, slack=0.02)


@pytest.mark.parametrize("correlation", [0.0, 0.3, 1.0])
def test_runs_of_a_method_resemble_each_other_as_asked_for(correlation):
    rng = np.random.default_rng(7)
    pair = means(rng.normal(size=(2, 20_000)))
    runs = mt.simulate.training_runs(
        pair, "s0", "s1", spread=0, n_runs=2, correlation=correlation, rng=8
    )
    # Whether a run has the better of the two outputs, as -1 and 1.
    better = np.sign(runs.values[..., 0] - pair.values[..., 0].mean(axis=0))
    products = better[:, None] * better[None, :]
    assert close_to(products[0, 1], correlation)
    assert close_to(products[2, 3], correlation)
    assert close_to(products[:2, 2:].mean(axis=(0, 1)), 0.0)
    for run in better:
        assert close_to(run, 0.0)


def skewed() -> mt.SufficientStatistics:
    """Scores of which few are low: the difference of the two systems is skewed."""
    rng = np.random.default_rng(7)
    return means([-(rng.exponential(size=400) ** 2), rng.normal(size=400)])


@pytest.mark.parametrize("larger_is_better", [True, False])
def test_centred_pairs_have_equal_means_and_the_skewness_of_the_real_ones(larger_is_better):
    scores = skewed().segment_scores()
    statistics = means(scores, larger_is_better=larger_is_better)
    pairs = mt.simulate.centred_pairs(statistics, "s0", "s1", n_units=200, n_pairs=500, rng=1)
    assert (pairs.n_segments, pairs.systems[::500]) == (200, ("first 1", "second 1"))
    assert close_to(advantages(pairs), 0.0)
    first, second = np.split(pairs.segment_scores(), 2)
    assert close_to(first.mean(axis=1), statistics.scores().mean())
    drawn = stats.skew((first - second).ravel())
    assert drawn == pytest.approx(stats.skew(scores[0] - scores[1]), rel=0.05)


def test_centred_documents_are_drawn_as_wholes():
    """Long documents side with one system: means over segments agree, not those over units."""
    lengths = np.tile([5, 15], 20)
    labels = np.repeat(np.arange(40), lengths)
    effect = np.repeat(np.where(lengths == 15, 1.0, -1.0), lengths)
    statistics = means([effect, 0 * effect], documents=labels)
    pairs = mt.simulate.centred_pairs(
        statistics, "s0", "s1", n_units=60, units="documents", n_pairs=500, rng=1
    )
    assert (pairs.n_segments, pairs.unit, pairs.documents) == (60, "documents", None)
    assert set(np.unique(pairs.values[..., 1])) == {5.0, 15.0}
    sums = pairs.values.sum(axis=1)
    d = sums[:500, 0] - sums[500:, 0]
    assert close_to(d, 0.0)


# What the tests say.


@pytest.mark.takes_time
@pytest.mark.parametrize("metric", ["BLEU", "TER", "chrF", "NIST"])
def test_tests_hold_their_level_on_exact_nulls(metric):
    """False alarm 1e-7 for each rate; the bootstraps are allowed a size of 4 to 6.5 %."""
    nulls = mt.simulate.exact_nulls(small(metric), *PAIR, n_pairs=300, rng=8)
    rates = mt.simulate.rejection_rates(nulls, n_resamples=399, rng=9)
    by_test = rates["rejected"]
    assert plausible(by_test["approximate randomization"], 300, 0.05)
    for title in ("bootstrap test (shift method)", "paired bootstrap"):
        assert plausible(by_test[title], 300, 0.04, 0.065)
    assert plausible(by_test.iloc[0], 300, 0.08, 0.15)  # printed 2005: twice as often


def test_rates_are_those_of_the_tests_one_by_one():
    nulls = mt.simulate.exact_nulls(small(), *PAIR, n_pairs=12, rng=1)
    rates = mt.simulate.rejection_rates(nulls, VALID, alpha=0.3, n_resamples=150, rng=4)
    for test, count in zip(VALID, rates["rejected"], strict=True):
        p = mt.simulate.null_pvalues(nulls, test, n_resamples=150, rng=4)
        assert count == (p <= 0.3).sum()
        one = run_test(test, nulls, "heads 3", "tails 3", n_resamples=150, rng=4, exact=False)
        assert p[2] == one.pvalue
    assert (rates["low"] <= rates["rate"]).all()
    assert (rates["rate"] <= rates["high"]).all()


def test_batches_of_pairs_change_no_count(monkeypatch):
    bleu = mt.load("wmt12/es-en").statistics("BLEU").subset(np.arange(0, 3000, 10))
    nulls = mt.simulate.exact_nulls(bleu, "onlineC", "onlineD", n_pairs=30, rng=1)
    whole = mt.simulate.rejection_rates(nulls, n_resamples=200, rng=2)
    pvalues = mt.simulate.null_pvalues(nulls, "bootstrap", n_resamples=200, rng=2)
    monkeypatch.setattr(simulate, "HELD", 7 * 2 * 300 * 10)  # seven pairs at once, then two
    pd.testing.assert_frame_equal(mt.simulate.rejection_rates(nulls, n_resamples=200, rng=2), whole)
    again = mt.simulate.null_pvalues(nulls, "bootstrap", n_resamples=200, rng=2)
    np.testing.assert_array_equal(again, pvalues)
