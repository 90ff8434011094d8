"""Sign flips against loops, against all signs, and against approximate randomization of means."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.engine.influence import contributions
from mtsig_nb.engine.resampling import swap_masks
from mtsig_nb.engine.sign_flips import Contributions
from mtsig_nb.metrics.mean import MacroAverage, SegmentMean
from mtsig_nb.significance.corrections import standard_errors
from mtsig_nb.significance.one_pair import run_test

from ..small_sets import METRICS, means, plausible, some_segments

TEST, AR = "sign-flip", "approximate-randomization"
SIDES = ("two-sided", "greater", "less")


def flips(statistics, a=0, b=1, **options):
    return run_test(TEST, statistics, statistics.systems[a], statistics.systems[b], **options)


def advantage(statistics, a=0, b=1) -> float:
    scores = statistics.metric.score(statistics.totals())
    return statistics.metric.direction * float(scores[a] - scores[b])


def by_hand(statistics) -> tuple[np.ndarray, float]:
    """z of every unit and the widening, unit by unit as the module's text has them."""
    n, metric = statistics.n_segments, statistics.metric
    left_out = np.array(
        [[metric.score(rows.sum(axis=0) - row) for row in rows] for rows in statistics.values]
    )
    a, b = statistics.values
    differ = [bool((a[i] != b[i]).any()) for i in range(n)]
    size = np.ones(n) if statistics.sizes is None else statistics.sizes
    scores = metric.score(statistics.totals())
    influence = (1 - size / size.sum()) * (scores[:, None] - left_out)
    v = metric.direction * (influence[0] - influence[1])
    lacking = advantage(statistics) - v.sum()
    d = [v[i] + lacking * size[i] / size.sum() for i in range(n)]
    of_same = sum(d[i] for i in range(n) if not differ[i])
    of_differing = sum(size[i] for i in range(n) if differ[i])
    z, rest = np.zeros(n), np.zeros(n)
    for i in range(n):
        if differ[i]:
            taken_over = of_same * size[i] / of_differing
            z[i] = d[i] + taken_over
            rest[i] = -taken_over
        else:
            rest[i] = d[i]
    return z, float(np.sqrt(1 + (rest**2).sum() / (z**2).sum()))


def agreeing(statistics, units):
    """The same statistics, but in these units the second system has what the first has."""
    values = statistics.values.copy()
    values[1, units] = values[0, units]
    return dataclasses.replace(statistics, values=values)


# What it is.


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("alternative", SIDES)
def test_counts_are_those_of_a_loop_over_signs(metric, alternative):
    pair = agreeing(some_segments(metric, 60, 3), np.arange(0, 60, 4))
    result = flips(pair, n_resamples=700, rng=5, alternative=alternative, exact=False)
    z, widening = by_hand(pair)
    assert z.sum() == pytest.approx(advantage(pair), abs=1e-9)
    assert not z[::4].any()
    blocks = [swap_masks(n, 60, seed=5, key=(k,)) for k, n in enumerate((500, 200))]
    expected = widening * ((2.0 * np.concatenate(blocks) - 1) @ z)
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
    pair = agreeing(some_segments(metric, 12, 11), [0, 5, 6])
    z, widening = by_hand(pair)
    a, b = pair.values
    differ = np.flatnonzero((a != b).any(axis=1))
    signs = np.array(list(itertools.product((1, -1), repeat=len(differ))))
    sums = widening * (signs @ z[differ])
    result = flips(pair)
    assert result.exact
    assert result.n_resamples == 2 ** len(differ) == 2**result.n_differing
    np.testing.assert_allclose(np.sort(result.null_distribution), np.sort(sums), atol=1e-8)
    reached = np.abs(sums) >= abs(z.sum()) - 1e-8
    assert result.pvalue == pytest.approx(reached.mean(), abs=1e-12)
    sampled = flips(pair, exact=False, n_resamples=5000, rng=1)
    assert plausible(sampled.count, 5000, result.pvalue)


# Where few outputs differ.


ALIKE = [f"This is line {i} of a text of ours." for i in range(100)]
OTHERS = ("Something else.", "This is line of a text of ours.", "This is our line, of a long text.")


def alike(metric: str, k: int, other: str) -> mt.SufficientStatistics:
    """A text of lines that are all alike, and one in which the first k are another."""
    outputs = {"A": ALIKE, "B": [other] * k + ALIKE[k:]}
    metric = getattr(mt.metrics, metric)()
    values = np.stack([metric.statistics(lines, [ALIKE]) for lines in outputs.values()])
    return mt.SufficientStatistics(metric, tuple(outputs), values)


@pytest.mark.parametrize("k", [1, 2, 3, 5, 8, 13])
@pytest.mark.parametrize("metric", ["BLEU", "chrF", "TER", "NIST"])
def test_no_p_is_below_what_the_differing_units_allow(metric, k):
    """All of them speak for A, and the others have nothing to say."""
    for other in OTHERS:
        pair = alike(metric, k, other)
        assert flips(pair).pvalue == 2.0 ** (1 - k)
        better = "greater" if advantage(pair) > 0 else "less"
        assert flips(pair, alternative=better).pvalue == 2.0**-k
        ar = run_test(AR, pair, "A", "B")
        assert ar.pvalue == 2.0 ** (1 - k)
        for rng in range(3):
            assert flips(pair, exact=False, rng=rng, n_resamples=500).pvalue > 0.8 * 2.0 ** (1 - k)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("k", [1, 4, 11])
def test_nor_where_the_text_is_mixed(metric, k):
    for seed in range(4):
        pair = some_segments(metric, 80, seed)
        pair = agreeing(pair, np.arange(k, 80))
        result = flips(pair)
        if result.n_differing:
            assert result.exact
            assert result.pvalue >= 2.0 ** (1 - result.n_differing)
        for side in ("greater", "less"):
            assert flips(pair, alternative=side).pvalue >= 2.0**-result.n_differing


@pytest.mark.takes_time
@pytest.mark.parametrize(("metric", "n", "k"), [
    ("BLEU", 100, 5), ("BLEU", 100, 10), ("BLEU", 100, 20), ("BLEU", 1000, 10), ("chrF", 100, 10),
])  # fmt: skip
def test_where_few_outputs_differ_it_errs_no_more_than_it_says(metric, n, k, draws):
    """Outputs of k units are exchanged at random; enumerated where that is less work.

    250 times notice a size of .16 at .05 with a power of .97, and 400 one of .14 with .98.
    """
    n_draws = draws(250, 400)
    rng = np.random.default_rng([n, k])
    found = []
    for seed in range(n_draws):
        pair = agreeing(some_segments(metric, n, seed % 20), np.arange(k, n))
        heads = rng.random(n) < 0.5
        values = pair.values.copy()
        values[0, heads], values[1, heads] = pair.values[1, heads], pair.values[0, heads]
        found.append(flips(dataclasses.replace(pair, values=values), n_resamples=999, rng=seed))
    for level in (0.05, 0.2):
        rejected = sum(result.pvalue <= level for result in found)
        assert rejected <= stats.binom.isf(1e-5, len(found), level)
    if k >= 10:
        assert sum(result.pvalue <= 0.2 for result in found) >= stats.binom.ppf(1e-5, n_draws, 0.15)


@pytest.mark.parametrize("metric", METRICS)
def test_swapping_turns_the_result_over_and_a_system_is_like_itself(metric):
    pair = agreeing(some_segments(metric, 40, 7), np.arange(0, 40, 3))
    for options in ({"exact": False, "n_resamples": 800, "rng": 2}, {"n_resamples": 800, "rng": 2}):
        ours, theirs = flips(pair, **options), flips(pair, 1, 0, **options)
        assert ours.pvalue == theirs.pvalue
        np.testing.assert_array_equal(ours.null_distribution, -theirs.null_distribution)
        greater = flips(pair, alternative="greater", **options)
        less = flips(pair, 1, 0, alternative="less", **options)
        assert (greater.pvalue, greater.count) == (less.pvalue, less.count)
    same = agreeing(pair, np.arange(40))
    for alternative in SIDES:
        assert flips(same, alternative=alternative).pvalue == 1


# Units whose outputs are the same.


def bent(share: float) -> mt.SufficientStatistics:
    """A system shorter than the references beside a longer one, the same in a share of segments."""
    pair = mt.load("wmt21/zh-en").statistics("BLEU").select(["XMU", "IIE-MT"])
    return agreeing(pair, np.random.default_rng(4).random(pair.n_segments) < share)


@pytest.mark.parametrize("share", [0.0, 0.5, 0.9])
def test_random_sums_vary_as_the_difference_does(share):
    """With the jackknife's standard error, also where the same outputs count differently."""
    pair = bent(share)
    null = flips(pair, n_resamples=4000, rng=1).null_distribution
    (error,) = standard_errors(pair, (np.array([0]), np.array([1])))
    # Two standard deviations of a standard deviation of 4,000 normal numbers, and terms in D / n.
    assert np.sqrt(np.mean(null**2)) == pytest.approx(error, rel=2 / np.sqrt(8000) + 0.01)


def test_units_without_a_sign_only_ever_widen_the_sums():
    first, second = (np.array([0]), np.array([1]))
    widenings = [
        Contributions.of(bent(share), first, second).widening.item() for share in (0.2, 0.5, 0.8)
    ]
    assert 1.1 < widenings[0] < widenings[1] < widenings[2]
    # Hardly under chrF, which has no kink, and not at all where all units differ.
    smooth = agreeing(some_segments("chrF", 200, 5), np.arange(100))
    assert Contributions.of(smooth, first, second).widening.item() == pytest.approx(1, abs=0.03)
    everywhere = some_segments("NIST", 12, 3)
    assert (everywhere.values[0] != everywhere.values[1]).any(axis=1).all()
    assert Contributions.of(everywhere, first, second).widening.item() == 1


@pytest.mark.takes_time
def test_it_keeps_its_level_where_units_with_the_same_outputs_stand_apart():
    """Which half is the same is chance, and each half has a mean influence of its own.

    Both systems have the mean 50 in such a world: 51 in half of the units, and in the others
    45 or 49 and two thirds, with weights that make up for it.  Were the variance within the halves
    all that counts, .5 of the test sets would be called different at .05.
    """
    rng = np.random.default_rng(12)
    n, n_sets = 400, 200
    rejected = 0
    for _ in range(n_sets):
        same = rng.random(n) < 0.5
        noise = 0.3 * rng.normal(size=(2, n))
        noise[1, same] = noise[0, same]
        scores = np.stack([np.where(same, 51, 45), np.where(same, 51, 50 - 1 / 3)]) + noise
        weights = np.stack([np.where(same, 1, 0.2), np.where(same, 1, 3.0)])
        result = flips(ratings(0, weights, scores), n_resamples=199, rng=rng)
        rejected += result.pvalue <= 0.05
    assert rejected <= stats.binom.isf(1e-4, n_sets, 0.05)


# Means whose weights are not the same for both systems.


def ratings(base: float, weights: np.ndarray, scores: np.ndarray, **details):
    """Weighted means of two systems: `weights` and `scores` are of shape (2, units)."""
    values = np.stack([weights * (scores + base), weights], axis=-1)
    return mt.SufficientStatistics(SegmentMean("rating"), ("A", "B"), values, **details)


def uneven(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers of ratings, some of them none, and whole scores."""
    rng = np.random.default_rng(seed)
    return rng.integers(0, 6, (2, n)), rng.integers(0, 10, (2, n))


def test_twelve_raters_who_all_find_the_same():
    often = np.array([1, 2] * 6)
    weights, scores = np.stack([often, 3 - often]), np.stack([np.ones(12), np.zeros(12)])
    for base in (0, 50, -1000):
        assert flips(ratings(base, weights, scores)).pvalue == 2 / 2**12


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("n", [10, 40])
def test_a_constant_added_to_all_scores_changes_nothing(alternative, n):
    for seed in range(20):
        weights, scores = uneven(n, seed)
        drawn = {"alternative": alternative, "n_resamples": 500, "rng": seed}
        found = [flips(ratings(base, weights, scores), **drawn) for base in (0, 7, 50, 1000, -70)]
        assert len({result.pvalue for result in found}) == 1
        for result in found[1:]:
            np.testing.assert_allclose(
                result.null_distribution, found[0].null_distribution, atol=1e-6
            )


def test_weighted_means_by_hand():
    weights, scores = uneven(30, 3)
    weights[1] += weights[0] == weights[1]
    total = weights.sum(axis=1)
    mean = (weights * scores).sum(axis=1) / total
    difference = mean[0] - mean[1]
    z = np.zeros(30)
    for i in range(30):
        (wa, wb), (xa, xb) = weights[:, i], scores[:, i]
        influence = wa * (xa - mean[0]) / total[0] - wb * (xb - mean[1]) / total[1]
        z[i] = influence + difference * (wa / total[0] + wb / total[1]) / 2
    pair = ratings(0, weights, scores)
    a, b = pair.values
    assert (a != b).any(axis=1).all()
    assert z.sum() == pytest.approx(difference)
    signs = 2.0 * swap_masks(500, 30, seed=1, key=(0,)) - 1
    result = flips(pair, exact=False, n_resamples=500, rng=1)
    np.testing.assert_allclose(result.null_distribution, signs @ z, atol=1e-9)


def test_where_a_pair_has_the_same_weights_it_is_randomization_whatever_a_third_system_has():
    weights, scores = uneven(25, 9)
    own = np.stack([weights[0], weights[0], weights[1]]) + 1
    three = np.concatenate([scores, scores[:1] + 1])
    values = np.stack([own * three, own], axis=-1)
    systems = mt.SufficientStatistics(SegmentMean(), ("A", "B", "C"), values)
    drawn = {"n_resamples": 2000, "rng": 4, "correction": None, "interval": None}
    found = [
        mt.compare_all(systems, test=test, **drawn).table.set_index(["system_a", "system_b"])
        for test in (TEST, AR)
    ]
    signs, exchanged = (table["pvalue"]["A", "B"] for table in found)
    assert signs == exchanged == flips(systems, n_resamples=2000, rng=4).pvalue


def test_one_rater_with_most_of_the_ratings_is_one_rater():
    """With an equal share of the difference each of the others would seem to agree with it."""
    weights = np.array([[300] + [2] * 9, [300] + [3] * 9])
    found = []
    for seed in range(60):
        scores = np.random.default_rng(seed).normal(size=(2, 10))
        found.append(flips(ratings(50, weights, scores)).pvalue)
    rejected = sum(pvalue <= 0.05 for pvalue in found)
    assert rejected <= stats.binom.isf(1e-5, 60, 0.05)
    assert 0.3 < np.median(found) < 0.7


def test_a_difference_is_shared_out_by_the_size_of_documents():
    """A document that is nearly the whole text decides, whatever the others have."""
    labels = np.array([0] * 270 + list(np.repeat(np.arange(1, 11), 3)))
    pair = some_segments("BLEU", 300, 8).by_unit(labels)
    z, widening = by_hand(pair)
    assert widening == 1
    signs = 2.0 * swap_masks(500, 11, seed=3, key=(0,)) - 1
    result = flips(pair, exact=False, n_resamples=500, rng=3)
    np.testing.assert_allclose(result.null_distribution, signs @ z, atol=1e-8)
    assert 0.7 < z[0] / advantage(pair) < 1.2


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
