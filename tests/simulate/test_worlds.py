"""Simulated campaigns: the truth that was asked for, and tests that hold their level on it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.errors import InputError
from mtsig_nb.metrics import BLEU
from mtsig_nb.significance.corrections import standard_errors
from mtsig_nb.significance.one_pair import run_test
from mtsig_nb.simulate import rates
from mtsig_nb.simulate.coins import Outputs, solved, uniforms
from mtsig_nb.statistics.sufficient import pair_indices

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


def test_solved_finds_the_place_and_takes_the_ends():
    assert solved(lambda x: x**2, 0.25) == pytest.approx(0.5)
    assert solved(lambda x: x, 0.0) == 0.0
    assert solved(lambda x: x, 1.0) == 1.0
    assert solved(lambda x: x, -1.0, low=-1.0) == -1.0


@pytest.mark.parametrize("larger_is_better", [True, False])
def test_contributions_add_up_to_the_difference_of_a_mean(larger_is_better):
    rng = np.random.default_rng(1)
    pair = means(rng.normal(size=(2, 40)), larger_is_better=larger_is_better)
    outputs = Outputs.of(pair, "s0", "s1")
    assert outputs.contributions.sum() == pytest.approx(advantages(pair)[0])
    # All better outputs together, and all worse ones: as far apart as choices can be.
    direction = 1 if larger_is_better else -1
    by_hand = np.abs(np.diff(pair.values[..., 0], axis=0)).mean()
    assert outputs.difference(1.0) == pytest.approx(by_hand)
    assert outputs.score(1.0) > direction * pair.metric.score(pair.totals()).max()


@pytest.mark.parametrize("metric", ["BLEU", "TER", "chrF"])
def test_no_choice_of_outputs_beats_the_better_ones_by_much(metric):
    outputs = Outputs.of(small(metric), *PAIR)
    rng = np.random.default_rng(1)
    for _ in range(20):
        coins = rng.random(outputs.pair.n_segments) < 0.9
        one = np.where(coins[:, None], outputs.better, outputs.worse).sum(axis=0)
        assert outputs.pair.metric.direction * outputs.pair.metric.score(one) < outputs.score(1.0)


# The truth that was asked for.


@pytest.mark.parametrize("metric", ["BLEU", "TER"])
@pytest.mark.parametrize("difference", [-1.0, 0.0, 0.5, 2.0])
def test_a_planted_difference_is_there_on_average(metric, difference):
    pairs = mt.simulate.planted_difference(
        real(metric), *PAIR, difference=difference, n_units=500, n_pairs=600, rng=5
    )
    # A corpus score's expectation on finite test sets is off by a little: 1/n, some hundredths.
    assert close_to(advantages(pairs), difference, slack=0.02)
    assert pairs.n_segments == 500


@pytest.mark.thorough
@pytest.mark.parametrize("metric", ["BLEU", "TER"])
@pytest.mark.parametrize(("difference", "n"), [(0.0, 1000), (0.5, 1000), (3.2, 60), (-3.2, 60)])
def test_a_planted_difference_keeps_the_spread_of_the_real_one(metric, difference, n):
    """Coins alone took 6 % off BLEU's spread, where 3.2 points are planted in 60 segments."""
    pairs = mt.simulate.planted_difference(
        real(metric), *PAIR, difference=difference, n_units=n, n_pairs=3000, rng=6
    )
    pilot = real(metric).select(PAIR)
    expected = standard_errors(pilot, pair_indices(2))[0] * np.sqrt(3003 / n)
    # The standard deviation of 3000 is known to 1.3 %; that BLEU is no mean shows at 60 segments.
    assert advantages(pairs).std(ddof=1) == pytest.approx(expected, rel=0.05)


@pytest.mark.parametrize("n", [15, 30, 60, 300])
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


def test_spreads_that_cannot_be_kept_are_left_as_they_are():
    same = Outputs.of(means(np.stack([[1.0, -1.0] * 10, np.zeros(20)])), "s0", "s1")
    np.testing.assert_array_equal(same.spread_for(0.5), np.ones(20))
    alike = Outputs.of(means(np.ones((2, 5))), "s0", "s1")
    np.testing.assert_array_equal(alike.spread_for(0.0), np.ones(5))
    # Far apart and nearly always in favour of one: less spread than coins can have.
    d = np.random.default_rng(2).normal(3.0, 0.5, size=50)
    weights = Outputs.of(means(np.stack([d, 0 * d])), "s0", "s1").spread_for(0.0)
    assert weights.min() >= 0
    assert weights.mean() == pytest.approx(1)


def test_documents_are_drawn_as_wholes():
    pairs = mt.simulate.planted_difference(
        real(), *PAIR, difference=0.0, units="documents", n_units=20, n_pairs=3, rng=1
    )
    assert (pairs.unit, pairs.n_segments) == ("documents", 20)
    lengths = set(real().by_unit("documents").values[0, :, 1])
    assert set(pairs.values[..., 1].ravel()) <= lengths  # reference lengths of whole documents


def test_more_than_the_outputs_hold_cannot_be_planted():
    largest = Outputs.of(small(), *PAIR).difference(1.0)
    with pytest.raises(InputError, match=r"difference=99 is more than can be planted .*: at most"):
        mt.simulate.planted_difference(small(), *PAIR, difference=99, n_pairs=1)
    outputs = Outputs.of(small(), *PAIR)
    assert outputs.tilt_for(largest) == pytest.approx(1.0)
    assert outputs.tilt_for(-largest / 3) == -outputs.tilt_for(largest / 3)


@pytest.mark.parametrize("how", [{"difference": 1.5}, {"share": 0.3}])
def test_a_shift_replaces_segments_of_the_weaker_system(how):
    pairs = mt.simulate.planted_shift(real(), "UPC", "onlineB", n_pairs=200, rng=2, **how)
    weak, strong = real().select(["UPC", "onlineB"]).values
    improved, original = pairs.values[:200], pairs.values[200:]
    assert (original == weak).all()
    from_strong = (improved == strong).all(axis=2)
    from_weak = (improved == weak).all(axis=2)
    assert (from_strong | from_weak).all()
    differ = (weak != strong).any(axis=1)
    share = from_strong[:, differ].mean()
    if "share" in how:
        assert share == pytest.approx(0.3, abs=0.005)
    else:
        assert close_to(advantages(pairs), 1.5, slack=0.01)
    assert pairs.documents is not None


def test_a_shift_of_all_segments_is_the_better_system():
    pairs = mt.simulate.planted_shift(small(), "UPC", "onlineB", share=1.0, n_pairs=1)
    np.testing.assert_array_equal(pairs.values[0], small().select(["onlineB"]).values[0])


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({}, "give either difference= or share="),
        ({"share": 0.1, "difference": 1}, "give either difference= or share="),
        ({"share": 1.1}, r"share=1.1 must lie between 0 and 1"),
        ({"difference": -1}, r"difference=-1 must lie between 0 and .* BLEU, by which 'onlineB'"),
        ({"difference": 50}, r"difference=50 must lie between"),
        ({"share": 0.1, "n_pairs": 0}, "n_pairs=0 must be at least 1"),
    ],
)
def test_shifts_that_cannot_be_made(how, message):
    with pytest.raises(InputError, match=message):
        mt.simulate.planted_shift(small(), "UPC", "onlineB", **how)


def test_equal_systems_have_the_same_true_score():
    pairs = mt.simulate.equal_systems(
        real(), "UPC", "onlineA", "onlineB", n_segments=600, n_pairs=600, rng=3
    )
    assert close_to(advantages(pairs), 0.0, slack=0.02)
    with pytest.raises(InputError, match="system='onlineB' must score between worse='onlineA'"):
        mt.simulate.equal_systems(real(), "onlineB", "onlineA", "UPC")


@pytest.mark.parametrize("correlation", [0.0, 0.1, 0.3])
def test_document_effects_are_as_strong_as_asked_for(correlation):
    """The variance of a document's sum tells the correlation of its segments' contributions."""
    rng = np.random.default_rng(4)
    labels = np.repeat(np.arange(60), 5)
    statistics = means(rng.normal(size=(2, 300)), documents=labels)
    pairs = mt.simulate.document_effects(
        statistics, "s0", "s1", correlation=correlation, n_pairs=3000, rng=5
    )
    d = (pairs.values[:3000, :, 0] - pairs.values[3000:, :, 0]).reshape(3000, 60, 5)
    products = (d.sum(axis=2) ** 2 - (d**2).sum(axis=2)).sum(axis=1) / (60 * 20)
    found = products / (d**2).mean()
    assert close_to(found, correlation)
    assert close_to(d.mean(axis=(1, 2)), 0.0)


def test_document_effects_show_in_the_standard_error_as_kish_says():
    rng = np.random.default_rng(4)
    labels = np.repeat(np.arange(80), 6)
    statistics = means(rng.normal(size=(2, 480)), documents=labels)
    pairs = mt.simulate.document_effects(
        statistics, "s0", "s1", correlation=0.2, n_pairs=150, rng=5
    )
    half = np.arange(150), 150 + np.arange(150)
    squared = (
        standard_errors(pairs.by_unit("documents"), half) / standard_errors(pairs, half)
    ) ** 2
    assert squared.mean() == pytest.approx(1 + 5 * 0.2, rel=0.06)


def test_document_effects_that_cannot_be_made():
    statistics = means(np.random.default_rng(1).normal(size=(2, 20)))
    with pytest.raises(InputError, match="statistics have no documents"):
        mt.simulate.document_effects(statistics, "s0", "s1", correlation=0.1)
    alone = means(statistics.values[..., 0], documents=np.arange(20))
    with pytest.raises(InputError, match="every document has one segment"):
        mt.simulate.document_effects(alone, "s0", "s1", correlation=0.1)
    together = means(statistics.values[..., 0], documents=np.arange(20) // 4)
    with pytest.raises(InputError, match=r"correlation=0.99 must lie between 0 and 0\.\d+"):
        mt.simulate.document_effects(together, "s0", "s1", correlation=0.99)


@pytest.mark.slow
def test_runs_scatter_as_asked_for():
    runs = mt.simulate.training_runs(real(), *PAIR, spread=0.5, n_runs=300, difference=1.0, rng=1)
    scores = runs.metric.score(runs.totals())
    a, b = scores[:300], scores[300:]
    # Beside the spread of true scores there is that of the coins, sqrt(sum u^2) / 2 each.
    coins = np.sqrt((Outputs.of(real(), *PAIR).contributions ** 2).sum()) / 2
    expected = np.hypot(0.5, coins)
    assert np.std([a, b], axis=1, ddof=1) == pytest.approx([expected] * 2, rel=0.21)  # 5 errors
    assert abs(a.mean() - b.mean() - 1.0) < 5.3 * expected * np.sqrt(2 / 300) + 0.02


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


def test_runs_that_resemble_each_other_scatter_no_less():
    """The coins are shared within a method, the spread of qualities is not."""
    runs = mt.simulate.training_runs(
        real(), *PAIR, spread=0.5, n_runs=200, difference=1.0, correlation=1.0, rng=2
    )
    scores = runs.metric.score(runs.totals()).reshape(2, 200)
    # One method's runs share the luck of its coins, so that the spread is that of the qualities.
    assert np.std(scores, axis=1, ddof=1) == pytest.approx([0.5, 0.5], rel=0.27)  # 5.3 errors
    coins = np.sqrt((Outputs.of(real(), *PAIR).contributions ** 2).sum()) / 2
    apart = scores.mean(axis=1)
    assert abs(apart[0] - apart[1] - 1.0) < 5.3 * np.sqrt(2) * np.hypot(coins, 0.5 / np.sqrt(200))


def test_runs_without_spread_are_interchangeable_and_bad_ones_refused():
    runs = mt.simulate.training_runs(small(), *PAIR, spread=0, n_runs=2, rng=1)
    assert isinstance(runs.metric, BLEU)
    compared = mt.compare_runs(
        runs,
        {m: [f"{m}.run1", f"{m}.run2"] for m in "AB"},
        n_resamples=199,
        bootstrap_resamples=10,
        rng=1,
    )
    assert len(compared.spreads[0].runs) == 2
    for how, message in [
        ({"spread": -1}, "cannot be negative"),
        ({"spread": 500}, "a run would have to be"),
        ({"spread": 1, "n_runs": 0}, "n_runs=0"),
        ({"spread": 1, "correlation": 1.5}, r"correlation=1\.5 must lie between 0 and 1"),
    ]:
        with pytest.raises(InputError, match=message):
            mt.simulate.training_runs(small(), *PAIR, rng=1, **how)


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


@pytest.mark.parametrize("failure", [-30.0, 30.0])
def test_rare_failures_are_rare_and_paid_for(failure):
    """Of scores where less is better, too, in which a high one is a failure."""
    statistics = means(np.random.default_rng(8).normal(size=(2, 300)), larger_is_better=failure < 0)
    pairs = mt.simulate.rare_failures(
        statistics, "s0", "s1", failure=failure, share=0.05, n_units=100, n_pairs=800, rng=1
    )
    assert close_to(advantages(pairs), 0.0)
    failing, paying = np.split(pairs.segment_scores(), 2)
    assert plausible(int((failing == failure).sum()), failing.size, 0.05)
    assert abs(paying).max() < 10
    expected = 0.05 * failure + 0.95 * statistics.scores().mean()
    assert close_to(failing.mean(axis=1), expected)
    assert close_to(paying.mean(axis=1), expected)


def test_worlds_of_means_refuse_what_they_cannot_do():
    for world, how in (
        (mt.simulate.centred_pairs, {}),
        (mt.simulate.rare_failures, {"failure": 0}),
    ):
        with pytest.raises(InputError, match=f"{world.__name__} needs .* BLEU is not"):
            world(small(), *PAIR, **how)
        with pytest.raises(InputError, match="n_units=0"):
            world(skewed(), "s0", "s1", n_units=0, **how)
    with pytest.raises(InputError, match="share=2 must lie"):
        mt.simulate.rare_failures(skewed(), "s0", "s1", failure=-9, share=2)
    with pytest.raises(InputError, match="failure=nan must be a score"):
        mt.simulate.rare_failures(skewed(), "s0", "s1", failure=float("nan"))


# What the tests say.


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


def test_segments_as_units_are_too_sure_where_documents_matter():
    rng = np.random.default_rng(2)
    statistics = means(rng.normal(size=(2, 400)), documents=np.repeat(np.arange(40), 10))
    nulls = mt.simulate.document_effects(statistics, "s0", "s1", correlation=0.3, rng=3)
    rates = {
        units: mt.simulate.rejection_rates(nulls, ["ar"], units=units, n_resamples=399, rng=4)
        for units in ("segments", "documents")
    }
    assert plausible(rates["documents"]["rejected"].item(), 400, 0.05)
    # Variance 1 + 9 * .3 as large: 1.96 / 1.92 standard deviations are passed in 31 % of cases.
    assert plausible(rates["segments"]["rejected"].item(), 400, 0.28, 0.34)


def test_the_segment_test_of_runs_is_too_sure_of_methods():
    """Methods that do not differ, with runs that do; the run is the unit that is right."""
    rejected = {"segments": 0, "runs": 0}
    part = small().subset(np.arange(0, 600, 2))
    for seed in range(60):
        runs = mt.simulate.training_runs(part, *PAIR, spread=0.8, n_runs=3, rng=seed)
        found = mt.compare_runs(
            runs,
            {m: [f"{m}.run{i}" for i in (1, 2, 3)] for m in "AB"},
            n_resamples=199,
            bootstrap_resamples=2,
            rng=seed,
        )
        rejected["segments"] += found.segment_test.pvalue <= 0.1
        rejected["runs"] += found.run_test.pvalue <= 0.1
    assert plausible(rejected["runs"], 60, 0.1)
    assert rejected["segments"] > stats.binom.isf(1e-7, 60, 0.1)


def test_rates_of_several_simulations_make_one_table_and_one_figure():
    nulls = {
        ("wmt12/es-en", name): mt.simulate.exact_nulls(small(name), *PAIR, n_pairs=20, rng=1)
        for name in ("BLEU", "TER")
    }
    rates = mt.simulate.rejection_rates(nulls, VALID, n_resamples=99, rng=2)
    assert rates.index.nlevels == 3
    assert len(rates) == 6
    alone = mt.simulate.rejection_rates(nulls["wmt12/es-en", "TER"], VALID, n_resamples=99, rng=2)
    pd.testing.assert_frame_equal(rates.loc[("wmt12/es-en", "TER")], alone)


def test_what_is_not_simulated_pairs_is_refused():
    with pytest.raises(InputError, match=r"made by a function of mt\.simulate"):
        mt.simulate.rejection_rates(small(), ["ar"])
    with pytest.raises(InputError, match="nulls is empty"):
        mt.simulate.rejection_rates({})
    with pytest.raises(InputError, match="alpha=5"):
        mt.simulate.rejection_rates(mt.simulate.exact_nulls(small(), *PAIR, n_pairs=1), alpha=5)
    stratified = small().by_stratum(["a"] * 300 + ["b"] * 301)
    with pytest.raises(InputError, match="as they were before by_stratum"):
        mt.simulate.exact_nulls(stratified, *PAIR)


def test_batches_of_pairs_change_no_count(monkeypatch):
    bleu = mt.load("wmt12/es-en").statistics("BLEU").subset(np.arange(0, 3000, 10))
    nulls = mt.simulate.exact_nulls(bleu, "onlineC", "onlineD", n_pairs=30, rng=1)
    whole = mt.simulate.rejection_rates(nulls, n_resamples=200, rng=2)
    pvalues = mt.simulate.null_pvalues(nulls, "bootstrap", n_resamples=200, rng=2)
    monkeypatch.setattr(rates, "HELD", 7 * 2 * 300 * 10)  # seven pairs at once, then two
    pd.testing.assert_frame_equal(mt.simulate.rejection_rates(nulls, n_resamples=200, rng=2), whole)
    again = mt.simulate.null_pvalues(nulls, "bootstrap", n_resamples=200, rng=2)
    np.testing.assert_array_equal(again, pvalues)


# Many test sets with the same documents.

DOCUMENTS = np.repeat(["a", "b", "c", "d", "e", "f"], [8, 1, 1, 4, 2, 2])


def document_differences(sets: mt.TestSets) -> np.ndarray:
    """(test sets, pairs, documents)."""
    scores = np.stack([s.metric.score(s.values) for s in sets.each])
    half = scores.shape[1] // 2
    return scores[:, :half] - scores[:, half:]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("share", "skewness", "difference"),
    [(0.0, 0.0, 0.0), (0.3, 2.0, 0.5), (1.0, -1.0, 0.0), (0.5, 0.0, -1.0)],
)
def test_shared_documents_do_to_all_test_sets_what_was_asked_for(share, skewness, difference):
    sets = mt.simulate.shared_documents(
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


def test_pairs_on_shared_documents_are_the_same_in_the_mean_and_for_a_seed():
    sets, again = (
        mt.simulate.shared_documents(DOCUMENTS, n_test_sets=3, n_pairs=5, rng=9) for _ in range(2)
    )
    np.testing.assert_array_equal(sets.overall.values, again.overall.values)
    assert (sets.unit, sets.overall.n_segments) == ("documents", 6)
    assert sets.sizes.tolist() == [[8, 1, 1, 4, 2, 2]] * 3
    each = np.mean([advantages(s) for s in sets.each], axis=0)
    np.testing.assert_allclose(advantages(sets.overall), each, atol=1e-9)
    assert len({s.values.tobytes() for s in sets.each}) == 3


def test_one_test_set_is_one_that_shares_with_none():
    sets = mt.simulate.shared_documents(DOCUMENTS, n_test_sets=1, n_pairs=2, rng=1)
    assert sets.family == (sets.overall,)


@pytest.mark.parametrize(
    ("documents", "options", "message"),
    [
        (["a"] * 4, {}, "two documents at least"),
        ([["a", "b"]], {}, "two documents at least"),
        (DOCUMENTS, {"share": 1.1}, r"share=1.1 must lie between 0 and 1"),
        (DOCUMENTS, {"share": np.nan}, r"share=nan must lie between 0 and 1"),
        (DOCUMENTS, {"n_pairs": 0}, r"n_pairs=0 must be at least 1"),
        (DOCUMENTS, {"n_test_sets": 0}, r"n_test_sets=0 must be at least 1"),
        (DOCUMENTS, {"skewness": np.inf}, r"skewness=inf must be a finite number"),
        (DOCUMENTS, {"difference": np.nan}, r"difference=nan must be a finite number"),
    ],
)
def test_shared_documents_that_cannot_be_made(documents, options, message):
    with pytest.raises(InputError, match=message):
        mt.simulate.shared_documents(documents, **options)
