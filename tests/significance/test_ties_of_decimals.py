"""Differences of decimals are tied where they are equal, whatever their last bits say."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt
from mtsig_nb import human
from mtsig_nb.engine.counting import equal_but_for_rounding, equal_differences

ALTERNATIVES = ("two-sided", "greater", "less")
#: What scores are whole multiples of.
STEPS = (Fraction(1, 10), Fraction(1, 100), Fraction(1, 3), Fraction(1, 7))
OFFSETS = (0, 100, 10**6, 10**9)


def drawn(seed: int, step: Fraction, offset: int, n: int = 9, most: int = 8):
    """Exact scores of two systems, and the same as floating point has them."""
    exact = np.random.default_rng(seed).integers(0, most, size=(2, n))
    scores = [[offset + step * int(k) for k in row] for row in exact]
    return scores, np.array([[float(score) for score in row] for row in scores])


def mean_ranks(values):
    """Each value's rank, the mean of its ties' ranks; all exact."""
    return [
        Fraction(sum(other < value for other in values))
        + Fraction(1 + sum(other == value for other in values), 2)
        for value in values
    ]


def enumerated(weights, signs_seen, alternative):
    """Share of all choices of signs whose weighted sum is as extreme as the one seen.

    Weights are multiples of a half, so that twice their sums are whole numbers.
    """
    doubled = np.array([int(2 * weight) for weight in weights])
    assert (doubled == [2 * weight for weight in weights]).all()
    seen = doubled @ np.array(signs_seen)
    totals = np.array(list(itertools.product((1, -1), repeat=len(weights)))) @ doubled
    as_extreme = {
        "two-sided": abs(totals) >= abs(seen),
        "greater": totals >= seen,
        "less": totals <= seen,
    }
    return as_extreme[alternative].mean()


def signs_of(differences):
    return [1 if d > 0 else -1 for d in differences]


def expected(scores, test, alternative):
    """p of the exact differences of two systems' exact scores."""
    differences = [a - b for a, b in zip(*scores, strict=True) if a != b]
    if not differences:
        return 1.0
    weights = [1] * len(differences)
    if test == "signed-rank":
        weights = mean_ranks([abs(d) for d in differences])
    return enumerated(weights, signs_of(differences), alternative)


def of_segments(floats, **options):
    frame = pd.DataFrame(floats.T, columns=["A", "B"]).rename_axis("segment").reset_index()
    frame = frame.melt("segment", var_name="system", value_name="quality")
    return mt.from_segment_scores(frame, score="quality", **options)


def of_people(floats):
    rows = [(s, i, x) for s, row in zip("AB", floats, strict=True) for i, x in enumerate(row)]
    return human.SegmentScores(pd.DataFrame(rows, columns=["system", "segment", "mean"]))


def pvalue_of_segments(test, floats, alternative):
    tests = {"signed-rank": mt.signed_rank_test, "sign": mt.sign_test}
    found = tests[test](of_segments(floats), "A", "B", alternative=alternative)
    assert found.test == test
    return found.pvalue


def pvalue_of_people(test, floats, alternative):
    assert test == "signed-rank"
    tests = human.signed_rank_test(of_people(floats), alternative=alternative)
    first = tests.systems.index("A")
    return tests.pvalues[first, 1 - first]


@pytest.mark.parametrize("step", STEPS, ids=str)
@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize(
    ("test", "pvalue"),
    [
        ("signed-rank", pvalue_of_segments),
        ("sign", pvalue_of_segments),
        ("signed-rank", pvalue_of_people),
    ],
)
def test_signs_and_ranks(step, offset, test, pvalue):
    for seed in range(12):
        scores, floats = drawn(seed, step, offset)
        for alternative in ALTERNATIVES if seed < 4 else ("two-sided",):
            p = expected(scores, test, alternative)
            assert pvalue(test, floats, alternative) == pytest.approx(p, rel=1e-12)


@pytest.mark.parametrize("step", STEPS, ids=str)
@pytest.mark.parametrize("offset", OFFSETS)
def test_rank_sums_of_scores_that_were_computed(step, offset):
    """Scores as differences of decimals are, so that equal ones differ in their last bits."""
    for seed in range(20):
        exact = np.random.default_rng(seed).integers(0, 6, size=(2, 12))
        base = np.random.default_rng(seed + 100).integers(0, 40, size=(2, 12))
        floats = [
            [
                float(offset + step * int(k + b)) - float(step * int(b))
                for k, b in zip(*row, strict=True)
            ]
            for row in zip(exact, base, strict=True)
        ]
        pair = {"exact": of_people(exact.astype(float)), "computed": of_people(floats)}
        found = {name: human.rank_sum_test(means) for name, means in pair.items()}
        a, b = (found[name].table.set_index(["system_a", "system_b"]) for name in pair)
        if a.index[0] != b.index[0]:
            continue  # level means; the order of the two is open
        assert b["pvalue"].item() == pytest.approx(a["pvalue"].item(), rel=1e-12)
        assert b["statistic"].item() == a["statistic"].item()


@pytest.mark.parametrize("step", STEPS, ids=str)
def test_documents_that_are_level_have_no_sign(step):
    """Sums over a document agree where its segments' scores do not."""
    for seed in range(10):
        rng = np.random.default_rng(seed)
        exact = rng.integers(0, 9, size=(2, 8, 3))
        exact[1, ::2] = exact[0, ::2][:, [2, 0, 1]]
        exact[1, ::2, 0] += 1
        exact[1, ::2, 1] -= 1
        scores = [[sum(step * int(k) for k in document) for document in row] for row in exact]
        floats = np.array([[float(step * int(k)) for k in row.ravel()] for row in exact])
        statistics = mt.SufficientStatistics(
            of_segments(floats).metric,
            ("A", "B"),
            of_segments(floats).values,
            documents=np.repeat(np.arange(8), 3),
        )
        found = mt.sign_test(statistics, "A", "B", units="documents")
        assert found.pvalue == pytest.approx(expected(scores, "sign", "two-sided"))


def test_pairwise_accuracy_counts_level_systems_as_level():
    """.1 + .2 and .3 are level, for the metric and for people."""
    names = list("ABC")
    metric = pd.Series([0.1 + 0.2, 0.3, 0.4], index=names)
    people = pd.Series([2.3 - 2.0, 0.3, 0.5], index=names)
    found = mt.pairwise_accuracy(metric, people, rng=1)
    assert found.correct == 3
    assert (found.table["conclusion"] == "indistinguishable").sum() == 1
    apart = mt.pairwise_accuracy(pd.Series([0.31, 0.3, 0.4], index=names), people, rng=1)
    assert apart.correct == 2


@pytest.mark.parametrize("offset", [0.0, 50.0])
def test_metrics_exchanged_between_level_systems(offset):
    """Means of the same tenths in another order are level."""
    rng = np.random.default_rng(4)
    tenths = rng.integers(0, 50, size=(6, 30)) / 10 + offset
    tenths[1] = rng.permutation(tenths[0])
    shuffled = np.array([rng.permutation(row) for row in tenths])
    systems = [f"s{k}" for k in range(6)]
    one, other = (
        mt.from_segment_scores(
            pd.DataFrame(scores, index=systems)
            .melt(ignore_index=False, var_name="segment")
            .rename_axis("system")
            .reset_index(),
            score="value",
            label=label,
        )
        for scores, label in ((tenths, "one"), (shuffled, "other"))
    )
    people = pd.Series(np.round(tenths.mean(axis=1), 6), index=systems)
    table = mt.exchange_metrics(one, other, people, rng=1).table
    assert table["difference"].item() == 0
    assert table["accuracy_a"].item() == 1
    assert table["pvalue"].item() == 1


def test_no_line_falls_between_equal_values():
    rng = np.random.default_rng(1)
    exact = rng.integers(0, 1000, 4000)
    noisy = exact * 0.1 * (1 + rng.uniform(-1, 1, 4000) * 2.0**-50)
    found = equal_but_for_rounding(noisy, 1e-12 * 100)
    for level in np.unique(exact):
        assert len(np.unique(found[exact == level])) == 1
    assert len(np.unique(found)) == len(np.unique(exact))
    assert equal_but_for_rounding([], 1e-9).shape == (0,)


def test_columns_are_made_equal_each_for_itself():
    rng = np.random.default_rng(8)
    noisy = rng.integers(0, 4, size=(6, 50)) / 10 + rng.uniform(0, 1e-13, size=(6, 50))
    together = equal_but_for_rounding(noisy, 1e-12)
    one_by_one = [equal_but_for_rounding(column, 1e-12) for column in noisy.T]
    assert together.tolist() == np.transpose(one_by_one).tolist()
    assert all(len(set(column)) <= 4 for column in together.T)


def test_signs_and_zeros_of_differences():
    found = equal_differences([1e-14, -1e-14, 0.3, -(0.1 + 0.2), -0.5, 0.0], 1e-12)
    assert found.tolist() == [0.0, 0.0, 0.3, -0.3, -0.5, 0.0]
    assert not np.signbit(found[:2]).any()
