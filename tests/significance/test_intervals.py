"""Confidence intervals against SciPy, by coverage, and where there is nothing to resample."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

import mtsig_nb as mt
from mtsig_nb.significance.intervals import wilson_limits

from ..messages import codes
from ..small_sets import means, plausible, real


@pytest.mark.parametrize("method", ["percentile", "basic"])
@pytest.mark.parametrize("paired", [False, True])
def test_means_agree_with_scipy(method, paired):
    """Both are random: limits may differ by some Monte Carlo standard errors of a quantile."""
    scores = np.random.default_rng(0).exponential(size=(2, 40))
    options = {"method": method, "n_resamples": 20_000}
    other = "s1" if paired else None
    ours = mt.confidence_interval(means(scores), "s0", other, **options, rng=1)
    data = scores[0] - scores[1] if paired else scores[0]
    scipys = stats.bootstrap((data,), np.mean, **options, rng=np.random.default_rng(2))
    # A quantile of the 2.5 % tail has a standard error of sqrt(p q / n) / density.
    density = stats.norm.pdf(stats.norm.ppf(0.025)) / ours.standard_error
    error = np.sqrt(0.025 * 0.975 / 20_000) / density
    assert ours.low == pytest.approx(scipys.confidence_interval.low, abs=8 * error)
    assert ours.high == pytest.approx(scipys.confidence_interval.high, abs=8 * error)
    assert ours.standard_error == pytest.approx(scipys.standard_error, rel=0.04)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "low", "high"),
    [("percentile", 0.9, 0.95), ("bootstrap-t", 0.945, 0.955)],
)
def test_coverage(method, low, high):
    """Of 600 intervals for a normal mean from 40 segments; the count may fail once in 10**7.

    The percentile interval is known to be too narrow on small samples: by about
    sqrt((n - 1) / n) and for want of Student's t, which makes 94 % of 95 % here.
    """
    rng = np.random.default_rng(7)
    hits = 0
    for repeat in range(600):
        scores = rng.normal(1.0, 1.0, size=(1, 40))
        i = mt.confidence_interval(means(scores), "s0", method=method, n_resamples=500, rng=repeat)
        hits += i.low <= 1.0 <= i.high
    assert plausible(hits, 600, low, high)


def test_intervals_of_all_pairs_are_those_of_each():
    statistics = real().select(real().systems[:3])
    table = mt.compare_all(statistics, n_resamples=10, interval_resamples=400, rng=6).table
    for row in table.itertuples():
        i = mt.confidence_interval(statistics, row.system_a, row.system_b, n_resamples=400, rng=6)
        assert (row.ci_low, row.ci_high) == (i.low, i.high)


@pytest.mark.parametrize("method", ["percentile", "basic", "bootstrap-t"])
def test_without_variation_the_interval_has_no_width(method):
    i = mt.confidence_interval(
        means(np.full((1, 20), 0.3)), "s0", method=method, n_resamples=50, rng=1
    )
    assert i.low == i.high == pytest.approx(0.3)
    assert codes(i.notes) == ["no-width"]


@pytest.mark.parametrize("n", [1, 2, 7, 60, 3003])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_wilsons_limits_are_those_of_statsmodels(n, level):
    counts = np.arange(n + 1)
    ours = wilson_limits(counts, n, level)
    theirs = proportion_confint(counts, n, 1 - level, method="wilson")
    np.testing.assert_array_equal(ours, theirs)
