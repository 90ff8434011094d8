"""Classical tests on segment scores, against SciPy and against exact randomization."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import mtsig_nb as mt
from mtsig_nb import human
from mtsig_nb.engine.influence import Studentizer
from mtsig_nb.metrics import SegmentMean
from mtsig_nb.significance.classical import LARGEST_EXACT, signed_ranks
from mtsig_nb.statistics.sufficient import pair_indices

from ..messages import naming, printed, values
from ..small_sets import means, plausible

TESTS = (mt.paired_t_test, mt.signed_rank_test, mt.sign_test)
ALTERNATIVES = ("two-sided", "greater", "less")


def mean_of(scores, weights=None, documents=None, **details):
    scores = np.asarray(scores, dtype=float)
    weights = np.ones_like(scores) if weights is None else np.broadcast_to(weights, scores.shape)
    return mt.SufficientStatistics(
        SegmentMean(label="MQM", **details),
        tuple("ABCDEFGH"[: len(scores)]),
        np.stack([scores * weights, weights], axis=-1),
        documents=documents,
    )


@pytest.fixture
def scores():
    """Two systems' scores on 80 segments, in eighths, so that sums are exact and some tie."""
    rng = np.random.default_rng(21)
    return np.round(rng.normal([[0.4], [0.0]], 1.5, size=(2, 80)) * 8) / 8


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_pvalues_are_scipys(scores, alternative):
    a, b = scores
    pair = mean_of(scores)
    options = {"alternative": alternative}
    t = stats.ttest_rel(a, b, alternative=alternative)
    assert mt.paired_t_test(pair, "A", "B", **options).pvalue == pytest.approx(t.pvalue)
    for zero_method in ("wilcox", "pratt"):
        w = stats.wilcoxon(a, b, zero_method=zero_method, alternative=alternative, correction=True)
        ours = mt.signed_rank_test(pair, "A", "B", zero_method=zero_method, **options)
        assert ours.pvalue == pytest.approx(w.pvalue)
    wins, losses = (a > b).sum(), (a < b).sum()
    sign = stats.binomtest(wins, wins + losses, alternative=alternative)
    assert mt.sign_test(pair, "A", "B", **options).pvalue == pytest.approx(sign.pvalue)


@pytest.mark.parametrize("test", TESTS)
def test_identical_outputs(test, scores):
    for alternative in ALTERNATIVES:
        result = test(mean_of(scores[[0, 0]]), "A", "B", alternative=alternative)
        assert result.pvalue == 1.0
        assert result.conclusion() == "indistinguishable"
        assert values(result.notes, "identical")["n"] == 80
        assert len(printed(result.sentence, "identical")) == 1


@pytest.mark.parametrize("test", TESTS)
def test_documents_of_equal_size_are_units(test, scores):
    documents = np.repeat(np.arange(20), 4)
    by_document = test(mean_of(scores, documents=documents), "A", "B", units="documents")
    means = scores.reshape(2, 20, 4).mean(axis=2)
    assert by_document.pvalue == pytest.approx(test(mean_of(means), "A", "B").pvalue)
    assert by_document.unit == "documents"


def test_a_common_weight_moves_no_tie():
    """Thirds are not exact, their sums' differences are: ties must stay ties."""
    rng = np.random.default_rng(24)
    scores = rng.integers(0, 4, size=(2, 60)) / 8
    plain, tripled = (
        mt.signed_rank_test(mean_of(scores, weights=weight), "A", "B") for weight in (1.0, 3.0)
    )
    assert (tripled.pvalue, tripled.notes) == (plain.pvalue, plain.notes)


@pytest.mark.parametrize("test", TESTS)
def test_results_say_that_nothing_was_resampled(test, scores):
    result = test(mean_of(scores), "A", "B")
    assert result.n_resamples == len(result.null_distribution) == 0
    assert result.rng is None
    assert "|no resamples|" in result.signature
    assert "count:" not in result.signature
    assert "draw more resamples" not in result.sentence
    assert "80 segments" in result.sentence
    assert result.pvalue_interval == (result.pvalue, result.pvalue)
    assert result.to_frame()["n_resamples"].item() == 0
    assert "<p>" in result._repr_html_()
    with pytest.raises(mt.InputError, match="no resamples"):
        result.plot()


@pytest.mark.parametrize("test", [mt.sign_test, mt.signed_rank_test])
def test_signs_and_ranks_conclude_on_the_side_that_they_favour(test):
    """A is better on ten segments and far worse on one, and so has the lower score."""
    pair = mean_of([[*np.linspace(0.1, 1, 10), -20.0], np.zeros(11)])
    assert test(pair, "A", "B").statistic < 0
    for a, b, side, said in (("A", "B", "greater", "better"), ("B", "A", "less", "worse")):
        for alternative in ("two-sided", side):
            result = test(pair, a, b, alternative=alternative)
            assert result.conclusion(0.15) == said
    for alternative in ("two-sided", "less"):
        result = mt.paired_t_test(pair, "A", "B", alternative=alternative)
        assert result.conclusion(0.6) == "worse"


def test_an_underflowing_pvalue_is_not_printed_as_zero():
    rng = np.random.default_rng(25)
    certain = mean_of([rng.normal(1, 0.001, 5000), np.zeros(5000)])
    result = mt.paired_t_test(certain, "A", "B")
    assert result.pvalue < 1e-300
    assert "p < 1e-300" in result.sentence


def test_a_constant_difference_has_no_spread_whatever_its_decimals():
    scores = np.random.default_rng(5).normal(size=50)
    shifted = mean_of(np.array([scores + 0.1, scores]))
    assert np.ptp(shifted.values[0, :, 0] - shifted.values[1, :, 0]) > 0  # of rounding
    with pytest.raises(mt.InputError, match=naming("all 50 differences", "0.1", "no spread")):
        mt.paired_t_test(shifted, "A", "B")
    first, second = pair_indices(2)
    assert Studentizer.of(shifted, first, second).error == 0
    assert mt.bootstrap_test(shifted, "A", "B", n_resamples=500, rng=1).size_at_05 is None


@pytest.mark.slow
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("zero_method", ["wilcox", "pratt"])
@pytest.mark.parametrize("n", [3, 8, 12])
def test_ties_and_zeros_against_scipys_permutations(n, zero_method, alternative):
    d = np.round(np.random.default_rng(n).normal(0.4, 1.0, n) * 3) / 4  # some tied, some zero
    ours = signed_ranks(d, alternative=alternative, zero_method=zero_method)
    scipys = stats.wilcoxon(
        d,
        zero_method=zero_method,
        alternative=alternative,
        method=stats.PermutationMethod(n_resamples=2**13),
    )
    assert ours.exact
    assert ours.pvalue == pytest.approx(scipys.pvalue, abs=1e-15)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [4, 13, 14, 30, 50, 51, 70, 200])
@pytest.mark.parametrize("rounded", [False, True])
def test_metrics_and_people_have_the_same_p(n, alternative, rounded):
    """The same numbers as scores of a metric and as ratings; they differed by the correction."""
    scores = np.random.default_rng([n, rounded]).normal([[0.3], [0.0]], 1.0, (2, n))
    scores = np.round(scores * (4 if rounded else 2**20)) / (4 if rounded else 2**20)
    ours = mt.signed_rank_test(means(scores, systems=["A", "B"]), "A", "B", alternative=alternative)
    rows = [
        (s, i, x) for s, row in zip(("s0", "s1"), scores, strict=True) for i, x in enumerate(row)
    ]
    frame = pd.DataFrame(rows, columns=["system", "segment", "mean"])
    tests = human.signed_rank_test(human.SegmentScores(frame), alternative=alternative)
    theirs = tests.pvalues[tests.systems.index("s0"), tests.systems.index("s1")]
    assert theirs == pytest.approx(ours.pvalue, rel=1e-12)
    assert ("p:exact" in ours.signature) is (int((scores[0] != scores[1]).sum()) <= LARGEST_EXACT)


def test_about_a_mean_randomization_needs_what_t_needs():
    """50 differences with mean zero and skewness 3.8, 1,000 times; false alarm 1e-7."""
    rng = np.random.default_rng(26)
    shape = (2 / 3.8) ** 2
    d = rng.gamma(shape, size=(1000, 50)) - shape
    pairs = mt.SufficientStatistics(
        SegmentMean(),
        tuple(f"{side} {k}" for side in ("one", "other") for k in range(1000)),
        np.stack([np.concatenate([d, 0 * d]), np.ones((2000, 50))], axis=-1),
    )
    p_shuffled = mt.simulate.null_pvalues(pairs, "ar", n_resamples=999, rng=27)
    p_t = stats.ttest_1samp(d, 0.0, axis=1).pvalue
    for p in (p_shuffled, p_t):
        assert plausible(int((p <= 0.05).sum()), 1000, 0.085, 0.12)
    assert np.corrcoef(p_shuffled, p_t)[0, 1] > 0.99
