"""What the docstrings of the tests for one pair say of where they keep their level, counted.

Two systems are equally good in every world here.
"""

from __future__ import annotations

import numpy as np
import pytest

import mtsig_nb as mt
from mtsig_nb.metrics.mean import SegmentMean

from ..small_sets import means

LEVEL = 0.05


def weighted(scores_a, scores_b, weights_a, weights_b):
    """Statistics of a mean in which every unit has a weight for each of two systems."""
    a = np.stack([scores_a * weights_a, weights_a], axis=-1)
    b = np.stack([scores_b * weights_b, weights_b], axis=-1)
    return mt.SufficientStatistics(SegmentMean(), ["s0", "s1"], np.stack([a, b]))


def share_rejected(test, worlds, **options):
    """In how many of the worlds the test finds a difference at .05."""
    pvalues = [
        test(world, "s0", "s1", n_resamples=199, rng=number, **options).pvalue
        for number, world in enumerate(worlds)
    ]
    return np.mean(np.array(pvalues) <= LEVEL)


@pytest.mark.takes_time
def test_outputs_exchangeable_in_every_segment_are_not_so_together():
    """A document favours one system or the other; each of its segments alone is symmetric."""
    rng = np.random.default_rng(1)
    documents = np.repeat(np.arange(15), 8)
    worlds = []
    for _ in range(150):
        effect = rng.normal(size=15)[documents]
        noise = rng.normal(size=(2, 120))
        worlds.append(means(noise + np.array([effect, -effect]), documents=documents))
    test = mt.approximate_randomization
    assert share_rejected(test, worlds) > 0.3
    assert share_rejected(test, worlds, units="documents") < 0.1


@pytest.mark.takes_time
@pytest.mark.parametrize("n", [100, 900])
def test_more_units_do_not_mend_a_mean_whose_weights_differ_between_systems(n):
    """One system is rated once in a unit; the other four times, so that its scores vary less."""
    rng = np.random.default_rng(2)
    worlds = [
        weighted(
            70 + rng.normal(size=n),
            70 + 0.25 * rng.normal(size=n),
            np.ones(n),
            np.full(n, 4.0),
        )
        for _ in range(150)
    ]
    assert share_rejected(mt.approximate_randomization, worlds) > 0.2
    assert share_rejected(mt.sign_flip_test, worlds) < 0.1


@pytest.mark.takes_time
def test_one_sided_studentising_errs_with_unequal_weights_though_nothing_is_skewed():
    """Its influences are those of the test set; two-sided the errors of both tails cancel."""
    rng = np.random.default_rng(3)
    worlds = []
    for _ in range(400):
        weights = rng.lognormal(size=30)
        worlds.append(weighted(rng.normal(size=30), np.zeros(30), weights, weights))
    test = mt.studentized_bootstrap
    one_sided = [
        share_rejected(test, worlds, alternative=alternative) for alternative in ("greater", "less")
    ]
    assert 1.4 * LEVEL < min(one_sided) <= max(one_sided) < 2.6 * LEVEL
    assert share_rejected(test, worlds) < 1.4 * LEVEL


@pytest.mark.takes_time
def test_units_that_are_the_same_may_score_far_from_the_others():
    """Weights agree where outputs are the same, and differ where outputs differ."""
    rng = np.random.default_rng(4)
    n = 300
    worlds = []
    for _ in range(100):
        is_same = rng.random(n) < 0.5
        shared, *noise = 0.3 * rng.normal(size=(3, n))
        a = np.where(is_same, 51 + shared, 45 + noise[0])
        b = np.where(is_same, 51 + shared, 50 - 1 / 3 + noise[1])
        worlds.append(weighted(a, b, np.where(is_same, 1, 0.2), np.where(is_same, 1, 3.0)))
    assert share_rejected(mt.sign_flip_test, worlds) < 0.12
    assert share_rejected(mt.bootstrap_test, worlds) < 0.12
    assert share_rejected(mt.studentized_bootstrap, worlds) < 0.12


@pytest.mark.parametrize("test", [mt.approximate_randomization, mt.sign_flip_test])
def test_only_enumerated_p_values_are_bounded_by_the_number_of_arrangements(test):
    pair = means([[1, 2, 3, 4, 5], [0, 0, 0, 0, 0]])
    bound = 2.0 ** (1 - 5)
    assert test(pair, "s0", "s1", rng=1).pvalue == bound
    sampled = [test(pair, "s0", "s1", n_resamples=999, rng=i, exact=False) for i in range(40)]
    assert min(result.pvalue for result in sampled) < bound


@pytest.mark.parametrize("test", [mt.approximate_randomization, mt.sign_flip_test])
def test_a_rule_without_ties_is_told_what_exchanges_can_show(test):
    scores = np.zeros((2, 23))
    scores[0, :3] = 1
    strict = test(means(scores), "s0", "s1", counting="strict", n_resamples=999, rng=1)
    assert strict.pvalue == 0.001
    (few,) = (note for note in strict.notes if note.code == "few-differ-strict")
    assert few.values["smallest"] == test(means(scores), "s0", "s1", rng=1).pvalue == 0.25
    table = mt.compare_all(means(scores), test=strict.procedure, counting="strict", rng=1).table
    assert few.code in {note.code for note in table["note"][0].values["notes"]}


def test_smallest_p_values_of_sampled_resamples():
    scores = np.tile([1.0, 2.0, 3.0], 10)
    pair = means([scores, np.zeros(30)])

    def smallest(test, **options):
        return test(pair, "s0", "s1", n_resamples=999, rng=1, **options).pvalue

    assert smallest(mt.approximate_randomization) == 1 / 1000
    assert smallest(mt.approximate_randomization, counting="plain") == 0
    assert smallest(mt.paired_bootstrap) == 2 / 1000
    assert smallest(mt.paired_bootstrap, alternative="greater") == 1 / 1000


def test_resamples_without_a_standard_error_lie_on_one_side():
    """So one-sided only some of them are extreme."""
    pair = means([[1, 2, 3], [0, 0, 0]])
    result = mt.studentized_bootstrap(
        pair, "s0", "s1", alternative="greater", n_resamples=999, rng=1
    )
    (degenerate,) = (note for note in result.notes if note.code == "degenerate")
    null = result.null_distribution
    above = np.count_nonzero(null == np.inf)
    below = np.count_nonzero(null == -np.inf)
    assert degenerate.values["n"] == above + below
    assert above <= result.count < above + below
