"""Metrics compared over pairs that share systems: by hand, by enumeration, on worlds."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.errors import InputError
from mtsig_nb.meta_evaluation.metric_comparisons import over_systems
from tools.trust.metric_rates import metric_error_rates
from tools.trust.simulated import shared_systems

from ..small_sets import means, plausible

NAMES = [f"s{i}" for i in range(6)]


def symmetric(seed: int, n: int, values: tuple[float, ...] = (-1, 0, 1)) -> np.ndarray:
    matrix = np.triu(np.random.default_rng(seed).choice(values, size=(n, n)), 1)
    return matrix + matrix.T


def three_judges() -> tuple[mt.SufficientStatistics, ...]:
    """People and two metrics on 40 segments of six systems; scores are whole eighths."""
    worlds = shared_systems(1, n_systems=6, n_segments=40, errors=(0.3, 1.2), rng=5)
    seen = [worlds.people[0], *worlds.metrics[:, 0]]
    return tuple(means(np.round(8 * one) / 8, systems=NAMES) for one in seen)


# Systems as units.


@pytest.mark.parametrize("n", [4, 5, 8])
def test_the_standard_error_is_its_definition(n):
    """Products of pairs that share a system; and the jackknife, by leaving systems out."""
    d = symmetric(n, n, (-0.9, -0.2, 0.0, 0.5))
    pairs = list(itertools.combinations(range(n), 2))
    mean = np.mean([d[p] for p in pairs])
    common, disjoint = 0.0, 0
    for p, q in itertools.product(pairs, repeat=2):
        if set(p) & set(q):
            common += (d[p] - mean) * (d[q] - mean)
        else:
            disjoint += 1
    left = [np.mean([d[p] for p in pairs if i not in p]) for i in range(n)]
    jackknife = (n - 1) / n * ((left - np.mean(left)) ** 2).sum()
    expected = np.sqrt(max(common / disjoint, jackknife / 2))
    found = over_systems(d, 0.9)
    assert found.mean == pytest.approx(mean)
    assert found.standard_error == pytest.approx(expected)
    t = stats.t(n - 2)
    assert found.pvalue == pytest.approx(2 * t.sf(abs(mean) / expected))
    assert found.high - found.low == pytest.approx(
        min(1, mean + t.isf(0.05) * expected) - max(-1, mean - t.isf(0.05) * expected)
    )


def test_the_variance_is_unbiased_for_systems_drawn_at_random():
    """All 3**5 campaigns of five systems of three kinds, whose pairs differ by their kinds."""
    kinds = np.array([[0.6, -0.2, 0.1], [-0.2, -0.5, 0.3], [0.1, 0.3, 0.4]])
    kinds -= kinds.mean()
    drawn = np.array(list(itertools.product(range(3), repeat=5)))
    d = kinds[drawn[:, :, None], drawn[:, None, :]] * (1 - np.eye(5))
    found = over_systems(d, 0.95)
    off = (d - found.mean[:, None, None]) * (1 - np.eye(5))
    common = (off.sum(-1) ** 2).sum(-1) - (off**2).sum((-1, -2)) / 2
    assert np.mean(common / 30) == pytest.approx(found.mean.var())  # 10 pairs, 3 disjoint each
    assert np.mean(found.standard_error**2) >= found.mean.var()


def test_few_pairs_that_share_nothing_are_tested_exactly():
    """Only one metric is right about four disjoint pairs: four coins of one side, p = 2 / 2**4."""
    d = np.zeros((12, 12))
    for i in (0, 2, 4, 6):
        d[i, i + 1] = d[i + 1, i] = 1
    found = over_systems(d, 0.95)
    assert found.pvalue == pytest.approx(stats.binomtest(4, 4).pvalue)
    limits = stats.binomtest(4, 4).proportion_ci(0.95, method="exact")
    assert found.low == pytest.approx((2 * limits.low - 1) * 4 / 66)
    assert found.low < 0 < found.mean < found.high
    t = stats.t(10)
    assert 2 * t.sf(found.mean / found.standard_error) < 0.05
    scaled = over_systems(0.999 * d, 0.95)  # not right or wrong: no such test
    assert scaled.pvalue < 0.05


def test_p_is_nowhere_smaller_than_if_pairs_were_independent():
    for seed in range(40):
        d = symmetric(seed, 9)
        above = d[np.triu_indices(9, 1)]
        exact = stats.binomtest(int((above > 0).sum()), int((above != 0).sum())).pvalue
        found = over_systems(d, 0.95)
        assert found.pvalue >= exact - 1e-12
        assert (found.low <= 0 <= found.high) == (found.pvalue > 0.05)


def test_where_nothing_varies_and_where_nothing_is_known():
    pairs = 1 - np.eye(6)
    assert over_systems(0 * pairs, 0.95) == (0, 0, 0, 0, 1)
    always = over_systems(pairs, 0.95)
    assert (always.mean, always.pvalue) == (1, 2 / 2**6)
    two = over_systems(np.array([[0, 1], [1, 0]]), 0.95)
    assert (two.low, two.high, two.pvalue) == (-1, 1, 1)
    assert np.isfinite(over_systems(symmetric(1, 3), 0.95).standard_error)


def test_exchanged_names_turn_the_result_over_and_a_metric_beside_itself_has_p_1():
    people, a, b = three_judges()
    order = people.scores()
    hard = {n: mt.pairwise_accuracy(s.scores(), order, rng=1) for n, s in (("a", a), ("b", b))}
    soft = {n: mt.soft_pairwise_accuracy(s, people, rng=1) for n, s in (("a", a), ("b", b))}
    for results in (hard, soft):
        row = mt.compare_metrics(results).table.iloc[0]
        turned = mt.compare_metrics(dict(reversed(results.items()))).table.iloc[0]
        assert turned["difference"] == -row["difference"]
        assert (turned["ci_low"], turned["ci_high"]) == (-row["ci_high"], -row["ci_low"])
        assert turned["pvalue"] == row["pvalue"]
        assert row["difference"] == pytest.approx(results["a"].accuracy - results["b"].accuracy)
        itself = mt.compare_metrics({"a": results["a"], "again": results["a"]}).table.iloc[0]
        assert itself[["difference", "ci_low", "ci_high", "pvalue"]].tolist() == [0, 0, 0, 1]
    for n_resamples in (50, 100):  # drawn, and all that there are
        options = {"n_resamples": n_resamples, "rng": 3}
        row = mt.exchange_metrics(a, b, order, **options).table.iloc[0]
        turned = mt.exchange_metrics(b, a, order, **options).table.iloc[0]
        assert turned["difference"] == pytest.approx(-row["difference"])
        assert turned["pvalue"] == row["pvalue"] < 1
        itself = mt.exchange_metrics(a, a, order, **options).table.iloc[0]
        assert itself[["difference", "pvalue"]].tolist() == [0, 1]


# Exchanges.


def test_exchanges_of_systems_by_enumeration():
    people, a, b = three_judges()
    b = means(50 + 20 * b.values[..., 0], systems=NAMES)  # on a scale of its own
    liked = people.scores()
    found = mt.exchange_metrics(a, b, liked, rng=1)
    assert "all 64 exchanges" in str(found)
    truth = people.values[..., 0].mean(axis=1)
    one, other = (stats.zscore(s.values[..., 0].mean(axis=1)) for s in (a, b))

    def right(seen: np.ndarray) -> int:
        return sum(
            np.sign(truth[i] - truth[j]) == np.sign(seen[i] - seen[j])
            for i, j in itertools.combinations(range(6), 2)
        )

    gaps = [
        right(np.where(keep, one, other)) - right(np.where(keep, other, one))
        for keep in itertools.product((True, False), repeat=6)
    ]
    row = found.table.iloc[0]
    assert row["difference"] == pytest.approx(gaps[0] / 15)
    assert row["pvalue"] == np.mean(np.abs(gaps) >= abs(gaps[0]))
    sampled = mt.exchange_metrics(a, b, liked, n_resamples=63, rng=1)
    assert "63 random exchanges" in str(sampled)


def test_agrees_with_mt_metrics_eval():
    """Its `PermutationSigDiff` (68a481a) on `three_judges`: 100,000 exchanges, `acc23`."""
    people, a, b = three_judges()
    liked = people.scores()
    exact = mt.exchange_metrics(a, b, liked, rng=1).table["pvalue"].item()
    assert plausible(25_017, 100_000, exact / 2)  # theirs has one side, and so has no more


def test_what_cannot_be_exchanged():
    people, a, b = three_judges()
    liked = people.scores()
    with pytest.raises(InputError, match="share 0 systems"):
        mt.exchange_metrics(a, mt.load("wmt22/de-en").statistics("BLEU"), liked)
    with pytest.raises(InputError, match="give a Series"):
        mt.exchange_metrics(a, b, liked.to_frame())


# How often they err.


def test_worlds_are_what_was_asked_for():
    worlds = shared_systems(4000, n_systems=10, errors=(0.4, 0.8), correlation=0.5, rng=1)
    errors = worlds.metrics - worlds.quality
    assert errors.std(axis=(1, 2)) == pytest.approx([0.4, 0.8], rel=0.02)
    assert np.corrcoef(errors[0].ravel(), errors[1].ravel())[0, 1] == pytest.approx(0.5, abs=0.02)
    assert (worlds.people - worlds.quality).std() == pytest.approx(0.3, rel=0.02)
    assert worlds.quality.std() == pytest.approx(1, rel=0.02)
    cells = shared_systems(2, n_systems=12, n_segments=40_000, rng=1)
    same = shared_systems(2, n_systems=12, rng=1)
    apart = np.diff(cells.metrics.mean(axis=-1), axis=-1) - np.diff(same.metrics, axis=-1)
    assert np.abs(apart).max() < 0.06


@pytest.mark.thorough
@pytest.mark.parametrize(
    "world",
    [
        {"measure": "conclusions"},
        {"measure": "conclusions", "n_systems": 20},
        {"measure": "conclusions", "correlation": 0.5},
        {"measure": "accuracy"},
        {"measure": "accuracy", "n_segments": 60},
    ],
    ids=str,
)
def test_systems_as_units_keep_the_level_where_published_tests_do_not(world):
    """1,200 campaigns of two equally good metrics; false alarms of the limits 1e-7."""
    n = 1200
    rates = metric_error_rates(n_worlds=n, n_resamples=200, rng=2014, **world)
    at = rates.xs(0.05, level="alpha")
    assert plausible(round(n * at["rate"]["systems as units"]), n, 0.025, 0.06)
    strict = rates.xs(0.01, level="alpha")
    assert plausible(round(n * strict["rate"]["systems as units"]), n, 0.002, 0.015)
    assert at["coverage"]["systems as units"] > 0.92
    assert (at["low"][["McNemar", "Cochran's Q"]] > 0.05).all()
    assert at["rate"]["Cochran's Q"] > at["rate"]["McNemar"] > at["rate"]["chi-square"]
    assert at["coverage"]["one accuracy: Clopper-Pearson"] < 0.9
    assert at["coverage"]["one accuracy: resampled systems"] > 0.93
    if "exchanged systems" in at.index:
        assert plausible(round(n * at["rate"]["exchanged systems"]), n, 0.02, 0.055)
    if "n_segments" in world:
        assert at["low"]["PERM-BOTH"] > 0.1
