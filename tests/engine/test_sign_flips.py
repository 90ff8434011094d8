"""Sign flips against loops, against all signs, and against approximate randomization of means."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest

import mtsig_nb as mt
from mtsig_nb.engine.influence import contributions
from mtsig_nb.engine.resampling import swap_masks
from mtsig_nb.metrics.mean import MacroAverage, SegmentMean
from mtsig_nb.significance.one_pair import run_test

from ..small_sets import METRICS, means, plausible, some_segments

TEST, AR = "sign-flip", "approximate-randomization"
SIDES = ("two-sided", "greater", "less")


def flips(statistics, a=0, b=1, **options):
    return run_test(TEST, statistics, statistics.systems[a], statistics.systems[b], **options)


def advantage(statistics, a=0, b=1) -> float:
    scores = statistics.metric.score(statistics.totals())
    return statistics.metric.direction * float(scores[a] - scores[b])


def by_leaving_out(statistics) -> np.ndarray:
    """z of every unit: what leaving it out changes, and an equal share of the difference."""
    n, metric = statistics.n_segments, statistics.metric
    left_out = np.array(
        [[metric.score(rows.sum(axis=0) - row) for row in rows] for rows in statistics.values]
    )
    influence = (n - 1) / n * (left_out.mean(axis=1, keepdims=True) - left_out)
    z = metric.direction * (influence[0] - influence[1])
    return z + advantage(statistics) / n


# What it is.


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("alternative", SIDES)
def test_counts_are_those_of_a_loop_over_signs(metric, alternative):
    pair = some_segments(metric, 60, 3)
    result = flips(pair, n_resamples=700, rng=5, alternative=alternative, exact=False)
    z = by_leaving_out(pair)
    assert z.sum() == pytest.approx(advantage(pair), abs=1e-9)
    blocks = [swap_masks(n, 60, seed=5, key=(k,)) for k, n in enumerate((500, 200))]
    expected = (2.0 * np.concatenate(blocks) - 1) @ z
    np.testing.assert_allclose(result.null_distribution, expected, atol=1e-8)
    observed = z.sum()
    count = {
        "two-sided": np.sum(np.abs(expected) >= abs(observed)),
        "greater": np.sum(expected >= observed),
        "less": np.sum(expected <= observed),
    }[alternative]
    assert result.count == count
    assert result.statistic == advantage(pair)


@pytest.mark.parametrize("metric", METRICS)
def test_all_signs_of_few_units(metric):
    """Also of units in which outputs are the same: words weigh differently where totals differ."""
    pair = some_segments(metric, 9, 11)
    values = pair.values.copy()
    values[1, 0] = values[0, 0]
    pair = dataclasses.replace(pair, values=values)
    z = by_leaving_out(pair)
    signs = np.array(list(itertools.product((1, -1), repeat=9)))
    sums = signs @ z
    result = flips(pair, exact=True)
    assert result.exact
    assert result.n_resamples == 2 ** np.count_nonzero(np.abs(z) > 1e-12)
    reached = np.abs(sums) >= abs(z.sum()) - 1e-8
    assert result.pvalue == pytest.approx(reached.mean(), abs=1e-12)
    sampled = flips(pair, exact=False, n_resamples=5000, rng=1)
    assert plausible(sampled.count, 5000, result.pvalue)


# Of a mean it is approximate randomization.


def cases():
    rng = np.random.default_rng(8)
    whole = rng.integers(0, 4, (4, 30)).astype(float)
    free = rng.normal(size=(4, 30)) ** 3
    weights = np.broadcast_to(rng.integers(1, 9, 30), (4, 30))
    weighted = mt.SufficientStatistics(
        SegmentMean(), list("abcd"), np.stack([whole * weights, weights], axis=-1)
    )
    few = whole.copy()
    few[1:, 5:] = few[0, 5:]
    labels = np.repeat(["x", "y", "z"], 10)
    sets = {
        name: means(rng.normal(size=(4, n)), documents=np.arange(n) // 3)
        for name, n in (("one", 24), ("two", 15))
    }
    together = mt.test_sets(sets, units="documents", shared=True)
    return {
        "whole": means(whole),
        "free": means(free),
        "errors": means(free, larger_is_better=False),
        "few differ": means(few),
        "weighted": weighted,
        "documents of unequal length": means(free).by_unit(rng.integers(0, 9, 30)),
        "strata": means(free).by_stratum(labels),
        "mean over test sets": together.overall,
        "one of the test sets": together.each[1],
    }


@pytest.mark.parametrize("statistics", cases().values(), ids=cases().keys())
@pytest.mark.parametrize("alternative", SIDES)
def test_of_a_mean_it_is_approximate_randomization_to_the_last_bit(statistics, alternative):
    options = {"alternative": alternative, "n_resamples": 600, "rng": 3}
    pair = statistics.systems[:2]
    for counting in ("add-one", "strict"):
        for exact in (None, False):
            known = options | {"counting": counting, "exact": exact}
            ours = run_test(TEST, statistics, *pair, **known)
            theirs = run_test(AR, statistics, *pair, **known)
            assert (ours.pvalue, ours.count) == (theirs.pvalue, theirs.count)
            np.testing.assert_array_equal(ours.null_distribution, theirs.null_distribution)
    for correction in ("holm", "westfall-young"):
        found, expected = (
            mt.compare_all(
                statistics, test=test, correction=correction, interval=None, **options
            ).table
            for test in (TEST, AR)
        )
        for column in ("difference", "pvalue", "pvalue_adjusted", "size_at_05"):
            np.testing.assert_array_equal(found[column], expected[column])


@pytest.mark.parametrize("statistics", cases().values(), ids=cases().keys())
def test_contributions_to_a_mean_are_what_is_averaged(statistics):
    """So the two would agree as well if contributions were flipped in place of scores."""
    parts = contributions(statistics)
    scores = statistics.metric.score(statistics.totals())
    np.testing.assert_allclose(parts.sum(axis=1), scores, atol=1e-12)
    metric, values, weights = statistics.metric, statistics.values, [1.0]
    if isinstance(metric, MacroAverage):
        weights = np.full(len(metric.strata), 1 / len(metric.strata))
    expected = sum(
        w * part[..., 0] / part[..., 1].sum(axis=1, keepdims=True)
        for w, part in zip(weights, np.split(values, len(weights), axis=2), strict=True)
    )
    np.testing.assert_allclose(parts, expected, atol=1e-12)


@pytest.mark.parametrize("metric", ["BLEU", "TER"])
def test_of_a_macro_average_parts_lie_where_there_are_segments(metric):
    sets = {
        name: mt.load(f"wmt12/{name}").statistics(metric).subset(np.arange(n))
        for name, n in (("es-en", 300), ("fr-en", 150))
    }
    together = mt.test_sets(sets, missing="common")
    parts = contributions(together.overall)
    scores = together.overall.metric.score(together.overall.totals())
    np.testing.assert_allclose(parts.sum(axis=1), scores, atol=1e-9)
    alone = [contributions(one.subset(one.present)) for one in together.each]
    expected = np.zeros_like(parts)
    for one, part in zip(together.each, alone, strict=True):
        expected[:, one.present] += part / 2
    np.testing.assert_allclose(parts, expected, atol=1e-9)
