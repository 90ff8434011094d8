"""Expansions of tests' sizes: against theory, and against tests that are carried out."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.engine.edgeworth import Shape, percentile, size, student
from mtsig_nb.engine.procedures import PROCEDURES

from ..small_sets import means

LEVELS = (0.05, 0.01)
VALID = [procedure for procedure in PROCEDURES.values() if procedure.valid]


def shape(skewness: float, kurtosis: float, n: int) -> Shape:
    return Shape(n, np.array([float(skewness)]), np.array([float(kurtosis)]))


def test_the_t_test_of_normal_differences_is_exact():
    for n in (10, 50):
        for alternative in ("two-sided", "greater", "less"):
            found = size(student, shape(0, 0, n), 0.05, alternative)
            np.testing.assert_allclose(found, 0.05, atol=1e-12)


def test_a_normal_mean_with_normal_quantiles_errs_as_a_normal_ratio_does():
    """The shifted bootstrap of normal differences takes the normal quantile for Student's t's."""
    for n in (50, 200):
        z = stats.norm.isf(0.025) * np.sqrt((n - 1) / n)
        exact = 2 * stats.t.sf(z, n - 1)
        found = size(PROCEDURES["bootstrap"].critical, shape(0, 0, n), 0.05, "two-sided")
        assert found.item() == pytest.approx(exact, abs=2 / n**2)


def test_shuffles_err_by_the_skewness_alone():
    critical = PROCEDURES["approximate-randomization"].critical
    for kurtosis in (-1.0, 0.0, 20.0):
        found = size(critical, shape(3, kurtosis, 100), 0.05, "two-sided")
        z = stats.norm.isf(0.025)
        by_skewness = 2 * z * stats.norm.pdf(z) * 9 * (z**4 + 2 * z**2 - 3) / 18 / 100
        assert found.item() == pytest.approx(0.05 + by_skewness, abs=1e-12)


def test_bootstrap_quantiles_invert_the_bootstrap_distribution():
    """That of a gamma distribution's mean, whose quantiles are known."""
    n, k = 400, 4.0  # a sum of n with shape k: skewness 1, kurtosis 1.5
    of = shape(2 / np.sqrt(k), 6 / k, n)
    total = stats.gamma(n * k)
    for z in (1.645, 1.96, -1.96, 2.576):
        exact = (total.ppf(stats.norm.cdf(z)) - n * k) / np.sqrt(n * k)
        slope, further = percentile(z, of)
        found = z + slope * of.skewness / np.sqrt(n) + further / n
        assert found.item() == pytest.approx(exact, abs=0.05 * n**-1.5)
        assert abs(further / n).item() > 0.1 * n**-1.5  # more than what is left


@pytest.mark.slow
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("test", [*[p.name for p in VALID], "paired-t"])
def test_sizes_are_those_of_tests_carried_out(test, alternative, draws):
    """Exponential differences, 100 of them.

    A size of .08 that is .035 off is noticed in 2,500 test sets with a power of .95, and one that
    is .025 off in 5,000 with .94.
    """
    n = 100
    n_sets = draws(2500, 5000)
    differences = np.random.default_rng(11).exponential(size=(n_sets, n)) - 1
    if test == "paired-t":
        critical = student
        p = stats.ttest_1samp(differences, 0, axis=1, alternative=alternative).pvalue
    else:
        critical = PROCEDURES[test].critical
        # Pairs are named as those of simulations are.
        names = [f"{member} {k + 1}" for member in ("first", "second") for k in range(n_sets)]
        pairs = means(np.vstack([differences, np.zeros_like(differences)]), systems=names)
        p = mt.simulate.null_pvalues(pairs, test, alternative=alternative, n_resamples=999, rng=12)
    for alpha in LEVELS:
        expected = size(critical, shape(2, 6, n), alpha, alternative).item()
        error = np.sqrt(expected * (1 - expected) / n_sets)
        # What is left of order n**-3/2, and the chance in the shared resamples.
        assert (p <= alpha).mean() == pytest.approx(expected, abs=4 * error + 0.003), alpha


@pytest.mark.thorough
def test_the_printed_pitfall_errs_twice_as_often_with_many_units():
    """Normal differences, endless resamples: T and T* are normal."""
    printed = PROCEDURES["riezler-maxwell-bootstrap"]
    found = size(printed.critical, shape(0, 0, 10**9), 0.05, "two-sided").item()
    rng = np.random.default_rng(3)
    resamples = rng.normal(size=20_000)
    t = np.abs(rng.normal(size=4000))
    shifted = np.abs(resamples + t[:, None])
    p = ((shifted - shifted.mean(axis=1, keepdims=True)) >= t[:, None]).mean(axis=1)
    assert (p <= 0.05).mean() == pytest.approx(found, abs=0.02)
    assert 0.09 < found < 0.13
