"""Rank tests and t tests of all pairs, against SciPy and by hand."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import mtsig_nb as mt
from mtsig_nb import human
from mtsig_nb.errors import InputError
from mtsig_nb.human import rank_sum_test, signed_rank_test

from ..messages import naming
from ..small_sets import plausible

ALTERNATIVES = ("two-sided", "greater", "less")


def means_of(scores: dict[str, list[float]], **options) -> human.SegmentScores:
    rows = [
        (system, i, x)
        for system, values in scores.items()
        for i, x in enumerate(values)
        if not np.isnan(x)
    ]
    return human.SegmentScores(pd.DataFrame(rows, columns=["system", "segment", "mean"]), **options)


def random_scores(seed: int, *, systems: int = 4, segments: int = 60, ties: bool = True):
    rng = np.random.default_rng(seed)
    ease = rng.normal(size=segments)
    scores = {}
    for k in range(systems):
        x = ease + 0.2 * k + rng.normal(size=segments)
        x = np.round(x, 1) if ties else x
        x[rng.random(segments) < 0.1] = np.nan
        scores[f"s{k}"] = x.tolist()
    return scores


def check_pvalues(tests, scores, by_scipy):
    """Of all pairs in both directions; `by_scipy` is given the scores of two systems."""
    assert np.isnan(np.diag(tests.pvalues)).all()
    for (i, a), (j, b) in itertools.permutations(enumerate(tests.systems), 2):
        expected = by_scipy(np.array(scores[a]), np.array(scores[b])).pvalue
        np.testing.assert_allclose(tests.pvalues[i, j], expected, rtol=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("ties", [True, False])
def test_rank_sum_against_scipy(alternative, ties):
    scores = random_scores(1, ties=ties)
    test = rank_sum_test(means_of(scores), alternative=alternative)
    options = {"alternative": alternative, "method": "asymptotic", "nan_policy": "omit"}
    check_pvalues(test, scores, lambda x, y: stats.mannwhitneyu(x, y, **options))
    first = test.table.iloc[0]
    x, y = (np.array(scores[s]) for s in (first.system_a, first.system_b))
    wins = np.sign(x[~np.isnan(x), None] - y[None, ~np.isnan(y)])
    assert first.statistic == ((wins + 1) / 2).sum()
    assert first.superiority == pytest.approx(((wins + 1) / 2).mean())


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_identical_scores(alternative):
    """The same scores twice: no direction, and without any variation p is exactly 1."""
    varied = {"a": [1.0, 2, 3, 4], "b": [1.0, 2, 3, 4]}
    flat = {"a": [7.0, 7, 7], "b": [7.0, 7, 7]}
    for test in (rank_sum_test, signed_rank_test):
        result = test(means_of(varied), alternative=alternative)
        assert result.conclusions(0.05).word("a", "b") == "indistinguishable"
        constant = test(means_of(flat), alternative=alternative).table
        assert constant["pvalue"].tolist() == [1.0]
        assert constant["note"].item()
    assert rank_sum_test(means_of(varied)).table["pvalue"].item() == 1.0
    # One constant each, but not the same: that is all the difference there can be.
    apart = rank_sum_test(means_of({"a": [7.0] * 20, "b": [6.0] * 20}))
    assert apart.table["pvalue"].item() < 1e-6


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_signed_rank_against_scipy(alternative):
    scores = random_scores(2, segments=80)
    test = signed_rank_test(means_of(scores), alternative=alternative)
    options = {"correction": True, "alternative": alternative, "nan_policy": "omit"}
    check_pvalues(test, scores, lambda x, y: stats.wilcoxon(np.round(x - y, 6), **options))
    row = test.table.iloc[0]
    d = np.round(np.array(scores[row.system_a]) - np.array(scores[row.system_b]), 6)
    assert row.n == np.sum(~np.isnan(d))
    assert row.n_zero == np.sum(d == 0)


def test_signed_rank_is_exact_when_small():
    """Six segments, all better: only one of 2**6 sign patterns is as extreme, on either side."""
    scores = {"a": [1.0, 2.5, 4, 6, 9, 13], "b": [0.0] * 6}
    assert signed_rank_test(means_of(scores)).table["pvalue"].item() == 2 / 2**6


def test_float_noise_breaks_no_ties():
    """0.1 + 0.2 less 0.3 is a zero difference, and 0.8 - 0.7 ties with 0.3 - 0.2."""
    noisy = {"a": [0.1 + 0.2, 0.8, 0.3, 0.5], "b": [0.3, 0.7, 0.2, 0.1]}
    table = signed_rank_test(means_of(noisy)).table
    assert table["n_zero"].item() == 1
    assert table["statistic"].item() == 1.5 + 1.5 + 3


def test_no_common_segment_has_its_treatment():
    scores = {"a": [1.0, 2.0, np.nan, np.nan], "b": [np.nan, np.nan, 1.0, 3.0]}
    table = signed_rank_test(means_of(scores)).table
    assert table["pvalue"].item() == 1
    assert table["note"].item() == "no common segment"
    assert rank_sum_test(means_of(scores)).table["note"].item() == ""


def test_penalties_turn_the_direction_round():
    scores = {"good": [1.0, 2, 1, 3, 2, 1, 2, 3], "bad": [5.0, 6, 5, 7, 6, 8, 7, 6]}
    test = rank_sum_test(means_of(scores, higher_is_better=False), alternative="greater")
    assert test.systems == ("good", "bad")
    assert test.conclusions(0.05).word("good", "bad") == "better"


@pytest.mark.parametrize("higher", [True, False])
def test_the_means_order_the_systems_where_ranks_contradict_them(higher):
    """A few scores of 170 lift the mean of "a"; by ranks "c" is better, and the others are open."""
    lifted = {"a": [170.0] * 20 + [19.5] * 40, "b": [30.0, 34, 49, 64, 88, 95], "c": [50.4] * 60}
    turn = 1 if higher else -1
    scores = {name: [turn * x for x in values] for name, values in lifted.items()}
    test = rank_sum_test(means_of(scores, higher_is_better=higher))
    assert test.scores.round(1).tolist() == [turn * x for x in (69.7, 60.0, 50.4)]
    found = test.conclusions(0.05, correction="holm")
    assert found.pairs().tolist() == [0, -1, 0]
    assert mt.rank_table(found)["system"].tolist() == ["a", "b", "c"]
    assert mt.rank_table(found.reorder("cba"))["system"].tolist() == ["a", "b", "c"]


@pytest.mark.slow
@pytest.mark.parametrize(("correlation", "least", "most"), [(-0.5, 0.09, 0.125), (0.5, 0, 0.02)])
def test_the_rank_sum_test_keeps_its_level_only_if_scores_do_not_correlate_negatively(
    correlation, least, most
):
    """On the same segments, as the module says; false alarm 1e-7."""
    rng = np.random.default_rng(29)
    covariance = [[1, correlation], [correlation, 1]]
    rejected = 0
    for _ in range(500):
        # Four pairs of systems at once; of eight systems only the four pairs are looked at.
        scores = rng.multivariate_normal([0, 0], covariance, size=(4, 60))
        systems = {f"{side}{k}": scores[k, :, i] for k in range(4) for i, side in enumerate("ab")}
        tests = rank_sum_test(means_of(systems))
        places = {system: i for i, system in enumerate(tests.systems)}
        rejected += sum(tests.pvalues[places[f"a{k}"], places[f"b{k}"]] <= 0.05 for k in range(4))
    assert plausible(rejected, 2000, least, most)


def test_corrections_and_one_sided_families():
    scores = random_scores(17)
    two = rank_sum_test(means_of(scores))
    plain = two.conclusions(0.05)
    holm = two.conclusions(0.05, correction="holm")
    upper = np.triu_indices(4, 1)
    expected = mt.adjust_pvalues(two.pvalues[upper], "holm")
    np.testing.assert_array_equal(holm.pvalues[upper], expected)
    assert (holm.pairs() != 0).sum() <= (plain.pairs() != 0).sum()
    one = rank_sum_test(means_of(scores), alternative="greater")
    adjusted = one.conclusions(0.05, correction="bonferroni").pvalues
    off = ~np.eye(4, dtype=bool)
    np.testing.assert_allclose(adjusted[off], np.minimum(1, 12 * one.pvalues[off]))


def test_bad_arguments():
    means = means_of(random_scores(1))
    for test in (rank_sum_test, signed_rank_test):
        with pytest.raises(InputError, match=naming("alternative='both'", "'two-sided'")):
            test(means, alternative="both")


def test_results_say_what_they_are():
    test = rank_sum_test(means_of(random_scores(1), label="adequacy, standardised"))
    title = naming("rank-sum", "not paired", "adequacy, standardised", "two-sided")
    assert re.search(title, str(test))
    assert "equal" not in str(test)
    assert "&lt;x&gt;" in rank_sum_test(means_of({"<x>": [1.0], "b": [2.0]}))._repr_html_()


# Published segment scores.


def test_segment_scores_choose_the_test_by_the_segments():
    same = pd.DataFrame(
        {"system": ["a", "b"] * 8, "line": np.repeat(range(8), 2), "mqm": np.arange(16.0)}
    )
    scores = human.SegmentScores(same, "mqm", "MQM")
    assert scores.tests().title.startswith("Wilcoxon signed-rank")
    apart = human.SegmentScores(same.iloc[:-1])
    assert apart.tests().title.startswith("Wilcoxon rank-sum")
    assert (scores.same_segments, apart.same_segments) == (True, False)
    assert ("not the same" in repr(scores), "not the same" in repr(apart)) == (False, True)
    assert scores.conclusions(0.05).word("b", "a") == "better"
    with pytest.raises(InputError, match=naming("test='t'", "'signed-rank'")):
        scores.tests(test="t")


def test_judgements_from_a_campaigns_tables():
    mqm = mt.load("wmt21/en-de").human
    assert isinstance(mqm, human.SegmentScores)
    assert mqm.tests().title.startswith("Wilcoxon signed-rank")
    assert mqm.as_statistics().documents is not None
    assert mt.load("wmt12/es-en").human.label == "relative ranking"
    wmt13 = mt.load("wmt13/es-en").judgements
    assert [type(j).__name__ for j in wmt13.values()] == ["PairwisePreferences", "SegmentScores"]
