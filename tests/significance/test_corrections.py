"""Corrections that use the resamples: brute force, exact level, and simulated truth."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.engine.resampling import Packed
from mtsig_nb.engine.tallies import Observed
from mtsig_nb.metrics import SegmentMean
from mtsig_nb.significance.corrections import step_down
from mtsig_nb.statistics.sufficient import pair_indices

from ..small_sets import means, plausible, some_segments


class Enumerated:
    """All resamples but the observed arrangement itself, in place of sampled ones."""

    def __init__(self, pairs, pseudo) -> None:
        self.blocks = [[np.asarray(pseudo)]]
        self.resampling = dataclasses.make_dataclass("Plan", ["pairs", "n_resamples"])(
            pairs, np.shape(pseudo)[1]
        )

    def __iter__(self):
        return iter(self.blocks)


def differences(scores: np.ndarray) -> np.ndarray:
    """Differences of every pair in every segment, shape (pairs, segments)."""
    first, second = pair_indices(len(scores))
    return scores[first] - scores[second]


def signs(n_segments: int) -> np.ndarray:
    """All exchanges of outputs as signs of the differences; the first leaves all in place."""
    return np.array(list(itertools.product((1, -1), repeat=n_segments)))


def adjusted_over_all_shuffles(scores: np.ndarray) -> np.ndarray:
    statistics, pairs = means(scores), pair_indices(len(scores))
    shuffled = differences(scores) @ signs(scores.shape[1])[1:].T / scores.shape[1]
    observed = Observed.of(statistics, pairs, Packed.of(statistics, "shuffle"))
    return step_down([observed], Enumerated(pairs, shuffled), centred=False)


# Brute force


def in_steps(observed: np.ndarray, everything: np.ndarray) -> np.ndarray:
    """Step-down adjustment as its definition reads; more extreme is larger.

    `observed` is of shape (hypotheses,), `everything` (hypotheses, resamples) with the observed
    arrangement among the resamples.
    """
    order = np.argsort(-observed)
    adjusted = np.empty(len(observed))
    largest_so_far = 0.0
    for place, k in enumerate(order):
        remaining = everything[order[place:]].max(axis=0)
        largest_so_far = max(largest_so_far, np.mean(remaining >= observed[k] - 1e-8))
        adjusted[k] = largest_so_far
    return adjusted


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n_systems", [2, 3, 4])
def test_max_t_by_brute_force(seed, n_systems):
    scores = np.random.default_rng(seed).normal(size=(n_systems, 6)).round(1)
    scores += np.arange(n_systems)[:, None] / 2
    everything = np.abs(differences(scores) @ signs(6).T / 6)
    t = everything / np.sqrt((everything**2).mean(axis=1, keepdims=True))
    adjusted = adjusted_over_all_shuffles(scores)
    np.testing.assert_allclose(adjusted, in_steps(t[:, 0], t), rtol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_romano_wolf_by_brute_force(seed):
    """All 4**4 bootstrap resamples of four segments, each centred on the observed difference."""
    scores = np.random.default_rng(seed).normal(size=(3, 4)) + np.array([[0], [0.5], [2]])
    d, pairs = differences(scores), pair_indices(3)
    drawn = np.stack([d[:, which].mean(axis=1) for which in np.ndindex(4, 4, 4, 4)], axis=1)
    statistics = means(scores)
    observed = [Observed.of(statistics, pairs, Packed.of(statistics, "bootstrap"))]
    adjusted = step_down(observed, Enumerated(pairs, drawn), centred=True)
    centred = np.abs(drawn - d.mean(axis=1, keepdims=True))
    # The observed value counts as one resample, as everywhere; it lies at the centre.
    spread = np.sqrt((centred**2).sum(axis=1, keepdims=True) / (4**4 + 1))
    t = np.abs(d.mean(axis=1)) / spread[:, 0]
    everything = np.column_stack([t, centred / spread])
    np.testing.assert_allclose(adjusted, in_steps(t, everything), rtol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_tukey_by_brute_force(seed):
    """All 6**3 permutations of three systems in three segments."""
    scores = np.random.default_rng(seed).normal(size=(3, 3)) + np.array([[0], [0.5], [1]])
    orders = list(itertools.permutations(range(3)))
    ranges = []
    for chosen in itertools.product(orders, repeat=3):
        pseudo = np.array([scores[list(order), i] for i, order in enumerate(chosen)]).mean(axis=0)
        ranges.append(np.ptp(pseudo))
    p = mt.compare_all(means(scores), correction="tukey", n_resamples=3000, rng=seed, interval=None)
    for row in p.table.itertuples():
        exact = np.mean(np.array(ranges) >= row.difference - 1e-9)
        assert plausible(round(row.pvalue_adjusted * 3001) - 1, 3000, exact)


@pytest.mark.parametrize("metric", ["BLEU", "TER", "NIST"])
def test_tukey_with_two_systems_is_approximate_randomization(metric):
    pair = some_segments(metric, 9, seed=8)
    exact = mt.approximate_randomization(pair, *pair.systems, exact=True).pvalue
    p = mt.compare_all(pair, correction="tukey", n_resamples=3000, rng=2, interval=None)
    assert plausible(round(p.table["pvalue_adjusted"][0] * 3001) - 1, 3000, exact)


# Exact level


@pytest.mark.parametrize("seed", range(3))
def test_step_down_is_exact_over_the_orbit_of_a_test_set(seed):
    """No chance involved: the smallest adjusted p is a valid p-value of the whole family.

    Negate all scores of any set of segments: under the complete null hypothesis (of symmetric
    differences) each of the 2**n test sets so made is equally likely.  At every level u, at most
    a share u of them may have a rejection.
    """
    scores = np.random.default_rng(seed).normal(size=(4, 6))
    smallest = np.sort([adjusted_over_all_shuffles(scores * s).min() for s in signs(6)])
    for u in np.unique(smallest):
        assert np.mean(smallest <= u) <= u + 1e-12


# Properties


FAMILIES = ["westfall-young", "tukey"]


def adjusted(statistics, correction: str, seed: int = 3) -> np.ndarray:
    test = "bootstrap" if correction == "romano-wolf" else "approximate-randomization"
    options = {"test": test, "correction": correction, "n_resamples": 500, "interval": None}
    return mt.compare_all(statistics, **options, rng=seed).table["pvalue_adjusted"].to_numpy()


@pytest.mark.parametrize("correction", [*FAMILIES, "romano-wolf"])
def test_saying_the_same_thing_twice_costs_nothing(correction):
    """A second metric that always agrees with the first, in whatever units, adds no chance of
    error; corrections that respect dependence know it, Holm's does not."""
    scores = np.random.default_rng(2).normal(size=(4, 50)) + np.arange(4)[:, None] / 4
    one = means(scores)
    both = [one, dataclasses.replace(means(scores * 64), metric=SegmentMean(label="another"))]
    np.testing.assert_array_equal(adjusted(both, correction), np.tile(adjusted(one, correction), 2))
    assert adjusted(both, "holm").mean() > adjusted(one, "holm").mean()


def test_adjusted_pvalues_are_never_below_enumerated_ones():
    scores = np.tile(np.random.default_rng(0).normal(size=40), (3, 1))
    scores[1, :3] += 1
    scores[2] += np.random.default_rng(1).normal(size=40)
    for rng in range(10):
        table = mt.compare_all(
            means(scores), correction="westfall-young", n_resamples=400, rng=rng, interval=None
        ).table
        assert (table["pvalue_adjusted"] >= table["pvalue"]).all()


@pytest.mark.parametrize("correction", FAMILIES)
def test_rounding_of_decimals_breaks_no_tie(correction):
    def by_pair(scores):
        table = mt.compare_all(
            means(scores), correction=correction, n_resamples=500, rng=3, interval=None
        ).table
        # Systems of equal score may come in either order.
        return {frozenset((r.system_a, r.system_b)): r.pvalue_adjusted for r in table.itertuples()}

    for seed in range(10):
        whole = np.random.default_rng(seed).integers(0, 4, (3, 7)).astype(float)
        assert by_pair(whole / 10) == by_pair(whole)


# Simulated truth


@pytest.mark.slow
def test_tukey_does_not_hold_its_level_where_spreads_differ():
    """Two equally good systems that vary more than ten others do: what its documentation says."""
    spread = np.array([1.0] * 2 + [0.1] * 10)[:, None]
    false = dict.fromkeys(("tukey", "holm", "westfall-young"), 0)
    for repeat in range(80):
        rng = np.random.default_rng([repeat, 12])
        scores = means(rng.normal(size=60) + spread * rng.normal(size=(12, 60)))
        for correction in false:
            false[correction] += (adjusted(scores, correction, repeat) <= 0.05).any()
    limit = stats.binom.isf(1e-4, 80, 0.05)
    assert false.pop("tukey") > limit
    assert max(false.values()) <= limit
