"""Signed ranks: exact counts against SciPy's, and the same p wherever the differences come from."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import mtsig_nb as mt
from mtsig_nb import human
from mtsig_nb.significance.classical import LARGEST_EXACT, exact_pvalue, signed_ranks

from ..small_sets import means

ALTERNATIVES = ("two-sided", "greater", "less")
ZERO_METHODS = ("wilcox", "pratt", "zsplit")


def tied(n: int, seed: int) -> np.ndarray:
    """Differences of which some are tied and, of more than a few, some zero."""
    return np.round(np.random.default_rng(seed).normal(0.4, 1.0, n) * 3) / 4


@pytest.mark.slow
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("zero_method", ZERO_METHODS)
@pytest.mark.parametrize("n", [3, 8, 12])
def test_ties_and_zeros_against_scipys_permutations(n, zero_method, alternative):
    d = tied(n, seed=n)
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
@pytest.mark.parametrize("n", [1, 2, 5, 20, LARGEST_EXACT])
def test_untied_differences_against_scipys_exact_distribution(n, alternative):
    d = np.random.default_rng(n).normal(0.2, 1.0, n)
    expected = stats.wilcoxon(d, alternative=alternative, method="exact").pvalue
    assert signed_ranks(d, alternative=alternative).pvalue == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("zero_method", ZERO_METHODS)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_many_differences_against_scipys_approximation(zero_method, alternative):
    d = tied(90, seed=1)
    ours = signed_ranks(d, alternative=alternative, zero_method=zero_method)
    expected = stats.wilcoxon(
        d, zero_method=zero_method, alternative=alternative, correction=True, method="asymptotic"
    )
    assert not ours.exact
    assert ours.pvalue == pytest.approx(expected.pvalue)


@pytest.mark.parametrize("rounded", [False, True])
def test_the_continuity_correction_comes_closer_to_the_exact_p(rounded):
    """Of 60 differences, with ties and without: the reason for having it."""
    errors = {True: [], False: []}
    for seed in range(30):
        d = np.random.default_rng(seed).normal(0.2, 1.0, 60)
        d = np.round(d * 4) / 4 if rounded else d
        d = d[d != 0]
        ranks = stats.rankdata(np.abs(d))
        exact = exact_pvalue(ranks, ranks[d > 0].sum(), "two-sided")
        for correction, found in errors.items():
            p = stats.wilcoxon(d, correction=correction, method="asymptotic").pvalue
            found.append(abs(p - exact))
    assert np.mean(errors[True]) < 0.7 * np.mean(errors[False])


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


def test_nothing_to_rank():
    for d in (np.zeros(5), np.empty(0)):
        for zero_method in ZERO_METHODS:
            found = signed_ranks(d, alternative="greater", zero_method=zero_method)
            assert (found.pvalue, found.above - found.below) == (1.0, 0.0)
