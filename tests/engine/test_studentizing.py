"""Influence values, and bootstrap-t of them: loops, SciPy's formula, and sums in any order."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.engine.influence import Studentizer, influence_values
from mtsig_nb.engine.resampling import Resampling
from mtsig_nb.metrics.mean import SegmentMean
from mtsig_nb.significance.corrections import standard_errors
from mtsig_nb.significance.one_pair import run_test

from ..significance.test_corrections import in_steps
from ..small_sets import means, plausible, real, some_segments
from .test_sign_flips import advantage

PAIR = (np.array([0]), np.array([1]))
TEST = "studentized-bootstrap"


def studentized(statistics, **options):
    return run_test(TEST, statistics, *statistics.systems[:2], **options)


def drawn_in(statistics, n_resamples, seed):
    """The units that each resample of that seed has drawn."""
    plan = Resampling.of("bootstrap", [statistics], [PAIR], n_resamples=n_resamples, seed=seed)
    weights = np.concatenate([plan.weights(block) for block in plan.blocks])
    return [np.repeat(np.arange(statistics.n_segments), row) for row in weights]


def jackknifed(statistics) -> float:
    """The standard error of the difference, by leaving units out one after the other."""
    n = statistics.n_segments
    left_out = [advantage(statistics.subset(np.delete(np.arange(n), k))) for k in range(n)]
    return float(np.sqrt((n - 1) * np.var(left_out)))


def test_the_t_values_of_a_mean_are_scipys():
    """Of the drawn differences: SciPy's one-sample t, with their mean on the test set for zero."""
    scores = np.random.default_rng(1).exponential(size=(2, 40))
    result = studentized(means(scores), n_resamples=300, rng=3)
    d = scores[0] - scores[1]
    expected = [
        stats.ttest_1samp(d[which], d.mean()).statistic for which in drawn_in(means(scores), 300, 3)
    ]
    # Scores are on a grid of 2**-32.
    np.testing.assert_allclose(result.null_distribution, expected, rtol=1e-8, atol=1e-8)
    assert result.observed == pytest.approx(stats.ttest_rel(*scores).statistic, rel=1e-8)
    reached = np.abs(expected) >= abs(result.observed)
    assert (result.extreme == reached).all()
    assert result.count == reached.sum()


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["BLEU", "TER", "chrF"])
def test_the_linearisation_is_near_the_jackknife_of_each_resample(metric):
    """Standard errors of 60 resamples, each jackknifed anew: apart by 4 % in the median."""
    pair = real(metric).select(["onlineB", "UPC"]).subset(np.arange(0, 3000, 10))
    plan = Resampling.of("bootstrap", [pair], [PAIR], n_resamples=60, seed=4, studentized=True)
    brute = [jackknifed(pair.subset(which)) for which in drawn_in(pair, 60, 4)]
    ratio = plan.errors(0)[0][0] / brute
    assert np.median(np.abs(ratio - 1)) < 0.04
    assert np.abs(ratio - 1).max() < 0.2
    assert plan.studentizers[0].error.item() == pytest.approx(jackknifed(pair), rel=1e-9)


def test_errors_respect_strata():
    rng = np.random.default_rng(6)
    labels = np.array(["news"] * 50 + ["talks"] * 9)
    macro = means(rng.normal(0, np.where(labels == "news", 1.0, 3.0), (2, 59))).by_stratum(labels)
    d = np.subtract(*macro.values.reshape(2, 59, 2, 2)[..., 0].sum(axis=2))
    result = studentized(macro, n_resamples=200, rng=7)

    def error(which):
        parts = [d[which][labels[which] == name] for name in ("news", "talks")]
        return np.sqrt(sum(part.var(ddof=1) / len(part) for part in parts)) / 2

    drawn = drawn_in(macro, 200, 7)
    expected = [
        (advantage(macro.subset(which)) - result.statistic) / error(which) for which in drawn
    ]
    np.testing.assert_allclose(result.null_distribution, expected, rtol=1e-8, atol=1e-8)
    everything = np.arange(59)
    assert result.observed == pytest.approx(result.statistic / error(everything), rel=1e-8)
    assert standard_errors(macro, PAIR)[0] == pytest.approx(error(everything), rel=1e-8)


def test_strata_of_one_mean_have_the_variances_of_stratified_sampling():
    """A pooled mean of strata of 2, 2 and 8: the sum over strata of (n_h / N)² s_h² / n_h."""
    labels = np.repeat([0, 1, 2], [2, 2, 8])
    scores = np.random.default_rng(3).normal(labels, 1.0, size=(2, 12))
    pooled = dataclasses.replace(means(scores), strata=labels)
    difference = scores[0] - scores[1]
    variances = []
    for label in range(3):
        d = difference[labels == label]
        share = len(d) / 12
        variances.append(share**2 * d.var(ddof=1) / len(d))
    (error,) = standard_errors(pooled, PAIR)
    assert error == pytest.approx(np.sqrt(sum(variances)))


def test_the_influence_on_a_mean_predicts_resamples_within_strata_exactly():
    labels = np.repeat([0, 1, 2], [2, 2, 8])
    scores = np.random.default_rng(3).normal(labels, 1.0, size=(2, 12))
    pooled = dataclasses.replace(means(scores), strata=labels)
    weights = np.zeros(12)
    weights[[0, 2, 4]] = (2, 2, 8)  # the first unit of each stratum, again and again
    moved = (weights * influence_values(pooled)[0]).sum()
    assert moved == pytest.approx((weights * scores[0]).sum() / 12 - scores[0].mean())


@pytest.mark.takes_time
def test_of_units_with_unequal_weights_one_sided_tests_err_too_often():
    """The docstring of the module has the rates; a mean with equal weights has none of it."""
    rng = np.random.default_rng(8)
    n_sets = 400
    rejected = dict.fromkeys(("two-sided", "greater", "less"), 0)
    for seed in range(n_sets):
        weights = rng.lognormal(size=30)
        scores = np.stack([rng.normal(size=30), np.zeros(30)])
        values = np.stack([scores * weights, np.stack([weights, weights])], axis=-1)
        pair = mt.SufficientStatistics(SegmentMean(), ("A", "B"), values)
        for alternative in rejected:
            result = studentized(pair, n_resamples=199, rng=seed, alternative=alternative)
            rejected[alternative] += result.pvalue <= 0.05
    assert rejected["two-sided"] <= stats.binom.isf(1e-4, n_sets, 0.05)
    for alternative in ("greater", "less"):
        assert stats.binom.isf(0.01, n_sets, 0.05) < rejected[alternative] < 0.18 * n_sets


def test_sums_are_exact_in_any_order():
    pair = some_segments("BLEU", 400, seed=10)
    matrix = Studentizer.of(pair, *PAIR).matrix
    weights = np.random.default_rng(11).multinomial(400, np.full(400, 1 / 400), size=50)
    from_the_end = matrix[:, ::-1] @ weights[:, ::-1].T
    by_hand = np.array([[sum(row * w) for w in weights.astype(float)] for row in matrix])
    np.testing.assert_array_equal(matrix @ weights.T, from_the_end)
    np.testing.assert_array_equal(matrix @ weights.T, by_hand)


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_romano_wolf_steps_down_over_the_t_values(alternative):
    """Each pair against the largest t of it and all that come after it, in the same resample."""
    steps = np.array([[0.0], [0.1], [0.2], [0.3]])
    family = means(np.random.default_rng(21).exponential(size=(4, 200)) + steps)
    options = {"n_resamples": 800, "rng": 20, "alternative": alternative}
    table = mt.compare_all(family, test=TEST, correction="romano-wolf", **options).table
    sided = np.abs if alternative == "two-sided" else np.positive
    pairs = zip(table["system_a"], table["system_b"], strict=True)
    tests = [studentized(family.select(pair), **options) for pair in pairs]
    observed = sided([one.observed for one in tests])
    drawn = sided([one.null_distribution for one in tests])
    adjusted = in_steps(observed, np.column_stack([observed, drawn]))
    np.testing.assert_allclose(table["pvalue_adjusted"], adjusted)
    assert len(set(adjusted)) > 2


def test_resamples_without_a_standard_error_count_and_are_told():
    """Two of 30 segments differ: a resample has neither with probability (28/30)**30."""
    scores = np.zeros((2, 30))
    scores[0, :2] = 1.0
    result = studentized(means(scores), n_resamples=4000, rng=12)
    without = int(np.isinf(result.null_distribution).sum())
    assert plausible(without, 4000, (28 / 30) ** 30)
    assert result.extreme[np.isinf(result.null_distribution)].all()
    told = f"in {without:,} of 4,000 resamples, all segments drawn are alike"
    assert any(note.startswith(told) for note in result.notes)
    interval = mt.confidence_interval(
        means(scores), "s0", "s1", method="bootstrap-t", n_resamples=4000, rng=12
    )
    assert any(note.startswith(told) for note in interval.notes)
    assert (interval.low, interval.high) == (-np.inf, np.inf)


def test_a_constant_difference_has_no_standard_error_and_is_certain():
    scores = np.random.default_rng(13).normal(size=(2, 40))
    scores[1] = scores[0] + 1
    result = studentized(means(scores), n_resamples=500, rng=14)
    assert result.count == 0
    assert studentized(means(scores), n_resamples=500, rng=14, alternative="greater").count == 500


@pytest.mark.takes_time
@pytest.mark.parametrize("confidence_level", [0.95, 0.9])
def test_the_interval_excludes_zero_where_the_test_rejects(confidence_level):
    """Of differences that are exponential but for their mean, zero."""
    rejected, rng = 0, np.random.default_rng(17)
    for k in range(60):
        pair = means([rng.exponential(size=20) - 1, np.zeros(20)])
        options = {"n_resamples": 999, "rng": k}
        p = studentized(pair, **options).pvalue
        i = mt.confidence_interval(
            pair,
            *pair.systems,
            method="bootstrap-t",
            confidence_level=confidence_level,
            **options,
        )
        assert (p <= 1 - confidence_level) == (not i.low <= 0 <= i.high)
        rejected += p <= 1 - confidence_level
    assert rejected
