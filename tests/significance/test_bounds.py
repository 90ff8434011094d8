"""Simultaneous intervals: by hand, against other implementations, and what they cover."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt
from mtsig_nb.engine.resampling import bootstrap_counts
from mtsig_nb.significance.intervals import Bounds, simultaneous_limits

from ..small_sets import means, plausible, real, some_segments

LIMITS = ["ci_low", "ci_high"]


def all_pairs(*systems: str) -> pd.DataFrame:
    return pd.DataFrame(itertools.combinations(systems, 2), columns=["system_a", "system_b"])


def limits(statistics, seed: int, *, level: float = 0.95, n_resamples: int = 999) -> np.ndarray:
    """Those of all pairs under one metric, in the order of its systems."""
    drawn = Bounds.of(statistics, n_resamples=n_resamples, seed=seed)
    (found,) = simultaneous_limits([drawn], [all_pairs(*statistics.systems)], level)
    return found


def compared(statistics, **options) -> mt.Comparisons:
    chosen = {"n_resamples": 199, "interval_resamples": 999, "rng": 4, "interval": "simultaneous"}
    return mt.compare_all(statistics, **{**chosen, **options})


# By hand


def test_by_hand_over_two_metrics():
    """Loops over resamples and pairs, from the draws and the metrics' formulas alone."""
    family = [real("BLEU").select(["onlineA", "UPC", "onlineC"]), real("TER")]
    family = [s.select(["onlineA", "UPC", "onlineC"]).subset(range(0, 3003, 20)) for s in family]
    n, n_segments = 500, family[0].n_segments
    draws = bootstrap_counts(n, n_segments, seed=4)
    observed, resampled = {}, {}
    for s in family:
        sign = 1 if s.metric.higher_is_better else -1
        for a, b in itertools.combinations(s.scores().index, 2):
            values = [s.values[s.systems.index(name)] for name in (a, b)]
            one, other = (s.metric.score(v.sum(axis=0)) for v in values)
            observed[s.label, a, b] = sign * (one - other)
            resampled[s.label, a, b] = [
                sign * (s.metric.score(row @ values[0]) - s.metric.score(row @ values[1]))
                for row in draws
            ]
    spread = {k: np.sqrt(np.mean([(x - observed[k]) ** 2 for x in resampled[k]])) for k in observed}
    largest = sorted(
        max(abs(resampled[k][r] - observed[k]) / spread[k] for k in observed) for r in range(n)
    )
    # (c + 1) / (n + 1) <= .1 for values beyond it, and for no smaller one.
    beyond = [m for m in largest if (sum(x >= m for x in largest) + 1) / (n + 1) > 0.1]
    found = compared(family, interval_resamples=n, confidence_level=0.9).table
    for row in found.itertuples():
        key = row.metric, row.system_a, row.system_b
        reach = max(beyond) * spread[key]
        assert row.ci_low == pytest.approx(observed[key] - reach, rel=1e-9)
        assert row.ci_high == pytest.approx(observed[key] + reach, rel=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_the_first_step_of_romano_wolf_says_the_same_at_every_level(seed):
    """On the same resamples: an interval excludes zero where the largest of all reaches its t in a
    share 1 - level of them, which is the first step; what is rejected later may contain zero."""
    statistics = some_segments("BLEU", 80, seed, n_systems=5)
    options = {"test": "bootstrap", "correction": "romano-wolf", "n_resamples": 999}
    p = compared(statistics, **options).table["pvalue_adjusted"]
    for level in (0.5, 0.8, 0.9, 0.95, 0.99):
        found = compared(statistics, **options, confidence_level=level, alpha=1 - level).table
        excluded = (found["ci_low"] > 0) | (found["ci_high"] < 0)
        assert excluded.any() == (p.min() <= 1 - level)
        assert (p[excluded] <= 1 - level).all()


# Other implementations


def test_correlated_systems_as_the_multivariate_normal_has_it():
    """Hothorn, Bretz & Westfall (2008): a quantile of max |Z| for the differences' correlation."""
    rng = np.random.default_rng(5)
    mixed = rng.normal(size=(4, 4)) @ rng.normal(size=(4, 3000)) + rng.normal(size=3000)
    pairs = list(itertools.combinations(range(4), 2))
    differences = np.array([mixed[a] - mixed[b] for a, b in pairs])
    z = rng.multivariate_normal(np.zeros(6), np.corrcoef(differences), size=100_000)
    reach = np.quantile(abs(z).max(axis=1), 0.95) * differences.std(axis=1) / np.sqrt(3000)
    low, high = limits(means(mixed), 5, n_resamples=9999).T
    np.testing.assert_allclose((high - low) / 2, reach, rtol=0.04)
    np.testing.assert_allclose((high + low) / 2, differences.mean(axis=1), rtol=1e-9)


# Properties


def test_order_changes_nothing():
    statistics = [some_segments(m, 90, 7, n_systems=4) for m in ("BLEU", "TER")]
    alone = compared(statistics).table
    systems = statistics[0].systems[::-1]
    turned = compared([s.select(systems) for s in statistics[::-1]]).table
    key = ["metric", "system_a", "system_b"]
    pd.testing.assert_frame_equal(
        turned.set_index(key)[LIMITS].sort_index(), alone.set_index(key)[LIMITS].sort_index()
    )


def test_what_does_not_vary_has_no_width_and_no_say():
    """A copy of a system, and one that is better by the same everywhere but for rounding."""
    scores = np.random.default_rng(6).normal(size=(3, 100))
    before = limits(means(scores), 1)
    copied = means([*scores, scores[0], scores[1] + 0.1])
    pairs = list(itertools.combinations(range(5), 2))
    found = dict(zip(pairs, limits(copied, 1), strict=True))
    np.testing.assert_allclose([found[pair] for pair in pairs if max(pair) < 3], before, rtol=1e-9)
    np.testing.assert_array_equal(found[0, 3], [0, 0])
    np.testing.assert_allclose(found[1, 4], [-0.1, -0.1], rtol=1e-9)


# What they cover


def joint_coverage(families, truth=0.0) -> tuple[int, int]:
    """Of so many families, in how many all simultaneous and all percentile intervals cover."""
    hits = [0, 0]
    for seed, statistics in enumerate(families):
        bounds = [Bounds.of(s, n_resamples=499, seed=seed) for s in statistics]
        pairs = all_pairs(*statistics[0].systems)
        every = np.concatenate(simultaneous_limits(bounds, [pairs] * len(bounds), 0.95))
        each = np.concatenate([b.of_differences(pairs, 0.95, "percentile") for b in bounds])
        for k, ends in enumerate((every, each)):
            hits[k] += bool(((ends[:, 0] <= truth) & (truth <= ends[:, 1])).all())
    return hits[0], hits[1]


@pytest.mark.thorough
@pytest.mark.parametrize("metric", ["BLEU", "TER"])
def test_all_six_differences_of_exchanged_systems_are_covered_together(metric):
    """Four systems of 300 segments each, 500 families.  The bootstrap's own optimism is .01."""
    some = real(metric).subset(np.linspace(0, 3002, 300).astype(int))
    nulls = mt.simulate.exact_nulls(some, "onlineC", "onlineD", n_pairs=1000, rng=8)
    names = np.array(nulls.systems).reshape(2, 500, 2)
    together, alone = joint_coverage([nulls.select(names[:, k].ravel())] for k in range(500))
    assert plausible(together, 500, 0.94, 0.955)
    assert alone < 0.9 * 500
