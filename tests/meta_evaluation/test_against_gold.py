"""Conclusions beside people's, and tests of who is closer to them."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import mtsig_nb as mt
from mtsig_nb import agreement, chi_square_between, mcnemar_between, pairwise_accuracy
from mtsig_nb.errors import InputError
from mtsig_nb.meta_evaluation.against_gold import resampled_accuracies

from ..messages import codes, naming, values

NAMES = "abcd"
PAIRS = list(itertools.combinations(NAMES, 2))


def conclusions(*answers: int, **details) -> mt.Conclusions:
    """About a-b, a-c, a-d, b-c, b-d, c-d."""
    return mt.Conclusions.from_pairs(dict(zip(PAIRS, answers, strict=True)), **details)


GOLD = conclusions(1, 1, 1, 0, 1, 0, source="people")
TEST = conclusions(1, 0, 1, 1, -1, 0, source="a metric")


# Proportions.


# Agreement.


def test_counts_by_hand():
    result = agreement(TEST, GOLD, rng=1)
    assert (result.correct, result.total) == (3, 6)
    assert result.kinds.to_dict() == {"correct": 3, "missed": 1, "unfounded": 1, "opposite": 1}
    kinds = ["correct", "missed", "correct", "unfounded", "opposite", "correct"]
    assert result.table["kind"].tolist() == kinds
    expected = stats.binomtest(3, 6).proportion_ci(method="exact")
    np.testing.assert_allclose(result.interval, expected, atol=1e-12)
    assert result.confusion.to_numpy().tolist() == [[2, 1, 1], [1, 1, 0], [0, 0, 0]]
    text = str(result)
    assert re.search(naming("a metric:", "3 of 6", "(50.0 %)", "; 1 are"), text)
    assert "share systems" in text
    itself = agreement(GOLD, GOLD, rng=1)
    assert (itself.accuracy, itself.resampled_interval) == (1, (1, 1))


def test_resampling_systems_against_enumeration():
    """All 4**4 draws of four systems, each pair weighted by how often both were drawn."""
    correct = np.array(TEST.matrix == GOLD.matrix)
    exact = []
    for draw in itertools.product(range(4), repeat=4):
        pairs = [(i, j) for i, j in itertools.combinations(draw, 2) if i != j]
        if pairs:
            exact.append(np.mean([correct[i, j] for i, j in pairs]))
    sampled = resampled_accuracies(correct, 20_000, 3)
    values = np.unique(np.round(np.concatenate([exact, sampled]), 9))
    for value in values:
        share = np.mean(np.isclose(exact, value))
        assert np.mean(np.isclose(sampled, value)) == pytest.approx(share, abs=0.015)


def test_systems_of_one_side_only_are_left_out_and_named():
    result = agreement(TEST, GOLD.reorder("abc"), rng=1)
    assert result.total == 3
    assert codes(result.notes) == ["not-judged"]
    assert values(result.notes, "not-judged")["systems"] == "d"
    result = agreement(TEST.reorder(("a", "b", "d")), GOLD, rng=1)
    assert codes(result.notes) == ["only-judged"]
    assert values(result.notes, "only-judged")["systems"] == "c"
    assert "conclusion" in values(result.notes, "only-judged")["lacking"]
    with pytest.raises(InputError, match=naming("1 systems", "two")):
        agreement(TEST, GOLD.reorder("a"))


# Pairwise accuracy.


def test_pairwise_accuracy_by_hand():
    people = pd.Series({"a": 4.0, "b": 3.0, "c": 2.0, "d": 2.0})
    metric = pd.Series({"a": 30.0, "b": 31.0, "c": 20.0, "d": 20.0})
    result = pairwise_accuracy(metric, people, rng=1)
    assert (result.correct, result.total) == (5, 6)
    penalty = pairwise_accuracy(-metric, people, higher_is_better=False, rng=1)
    assert penalty.correct == 5
    with pytest.raises(InputError, match=naming("'b'", "finite score")):
        pairwise_accuracy(metric.where(metric < 31), people)
    with pytest.raises(InputError, match="share 0 systems"):
        pairwise_accuracy(metric.rename(str.upper), people)


# Between metrics and tests.


def test_chi_square_against_scipy():
    table = chi_square_between({"one": (50, 66), "two": (40, 66), "three": (66, 66)})
    expected = stats.chi2_contingency([[50, 16], [40, 26]], correction=True)
    assert table.loc[0, "statistic"] == pytest.approx(expected.statistic)
    assert table.loc[0, "pvalue"] == pytest.approx(expected.pvalue)
    both = chi_square_between({"one": (66, 66), "two": (66, 66)})
    assert both[["statistic", "pvalue"]].iloc[0].tolist() == [0, 1]
    with pytest.raises(InputError, match="at least two"):
        chi_square_between({"one": (1, 6)})


def three_results():
    other = conclusions(1, 1, 1, 0, -1, 1)
    return {
        "TEST": agreement(TEST, GOLD, rng=1),
        "other": agreement(other, GOLD, rng=1),
        "gold": agreement(GOLD, GOLD, rng=1),
    }


def test_mcnemar_is_a_sign_test_on_discordant_pairs():
    table = mcnemar_between(three_results())
    for row in table.itertuples():
        n = row.only_a + row.only_b
        expected = stats.binomtest(row.only_a, n).pvalue if n else 1.0
        assert row.pvalue == pytest.approx(expected)
    first = table.iloc[0]
    assert (first["only_a"], first["only_b"]) == (1, 2)
    assert first["difference"] == pytest.approx((3 - 4) / 6)
    assert first["ci_low"] <= first["difference"] <= first["ci_high"]
    same = mcnemar_between({"x": three_results()["TEST"], "y": three_results()["TEST"]})
    assert same[["pvalue", "difference", "ci_low", "ci_high"]].iloc[0].tolist() == [1, 0, 0, 0]


def test_only_the_same_pairs_can_be_compared():
    results = {"all": agreement(TEST, GOLD, rng=1), "some": agreement(TEST.reorder("abc"), GOLD)}
    for test in (mcnemar_between, mt.compare_metrics):
        with pytest.raises(InputError, match=naming("'all' and 'some'", "same pairs")):
            test(results)
