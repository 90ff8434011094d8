"""The rules by which the field's own tools call one system better."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.human import Ratings, field_rules


def ratings_of(scores: dict[str, list[float]]) -> Ratings:
    """One rater's ratings by system and segment; NaN where there is none."""
    rows = [
        ("r", system, segment, score)
        for system, given in scores.items()
        for segment, score in enumerate(given)
        if not np.isnan(score)
    ]
    return Ratings(pd.DataFrame(rows, columns=["rater", "system", "segment", "raw"]), scale=None)


def verdicts(ratings: Ratings, rule: str) -> dict[tuple[str, str], bool]:
    found = ratings.by_field_rules()
    rows = found[found["rule"] == rule]
    pairs = zip(rows["system_a"], rows["system_b"], strict=True)
    return dict(zip(pairs, rows["better"], strict=True))


def test_every_rule_has_a_source_and_a_test():
    assert set(field_rules.FIELD_RULES) == set(field_rules._RULES)
    for rule in field_rules.FIELD_RULES.values():
        assert rule.compares in ("all", "neighbours")
        assert rule.item_score in ("mean", "last", "standardised")
        assert rule.source
        assert rule.description


def test_neighbours_and_all_pairs_are_compared_best_first():
    ratings = ratings_of({"c": [1, 2, 4], "a": [9, 8, 8], "b": [5, 5, 6]})
    assert list(verdicts(ratings, "pearmut")) == [("a", "b"), ("b", "c")]
    assert list(verdicts(ratings, "wmt26")) == [("a", "b"), ("a", "c"), ("b", "c")]


@pytest.mark.parametrize("seed", range(6))
def test_t_and_rank_rules_are_those_of_scipy_on_common_items(seed):
    rng = np.random.default_rng(seed)
    scores = {name: rng.normal(50 + lead, 10, 25) for name, lead in (("a", 4), ("b", 0))}
    scores["a"][:4] = np.nan
    scores["b"][-5:] = np.nan
    ahead, behind = sorted(scores, key=lambda name: -np.nanmean(scores[name]))
    common = ~np.isnan(scores["a"]) & ~np.isnan(scores["b"])
    one = scores[ahead][common]
    other = scores[behind][common]
    ratings = ratings_of(scores)
    expected = {
        "pearmut": stats.ttest_rel(one, other).pvalue < 0.05,
        "wmt25": stats.wilcoxon(one - other, alternative="greater").pvalue < 0.05,
        "wmt24": stats.wilcoxon(one - other).pvalue < 0.05,
    }
    every = [scores[name][~np.isnan(scores[name])] for name in (ahead, behind)]
    unpaired = stats.ttest_ind(*every).pvalue < 0.05
    expected["wmt26-t"] = expected["pearmut"] or unpaired
    for rule, better in expected.items():
        assert verdicts(ratings, rule)[ahead, behind] == better, rule


def test_of_several_ratings_of_an_item_pearmut_takes_the_last():
    rows = [("r", "a", 0, 10), ("r", "b", 0, 60), ("r", "a", 0, 90), ("r", "a", 1, 80)]
    rows += [("r", "b", 1, 60), ("r", "a", 2, 85), ("r", "b", 2, 62)]
    frame = pd.DataFrame(rows, columns=["rater", "system", "segment", "raw"])
    found = Ratings(frame).by_field_rules().set_index("rule")
    assert found.loc["pearmut", "difference"] == pytest.approx(85 - 182 / 3)
    assert found.loc["wmt25", "difference"] == pytest.approx((50 + 80 + 85) / 3 - 182 / 3)


@pytest.mark.takes_time
def test_rank_sums_of_standardised_means_are_those_of_wmt():
    """On a campaign whose wins `Ratings.wmt` has digit by digit."""
    ratings = mt.load("wmt22/de-en").judgements["direct_assessment"]
    wins = ratings.wmt().tests.conclusions(0.05)
    found = verdicts(ratings, "wmt22")
    assert found == {pair: wins.word(*pair) == "better" for pair in found}


@pytest.mark.takes_time
def test_wmt26_calls_equal_systems_better_far_too_often():
    """Two equal systems, forty documents of five segments, which share a draw for each system."""
    claims = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        scores = {}
        for name in "ab":
            documents = np.repeat(rng.normal(0, 8, 40), 5)
            scores[name] = list(70 + documents + rng.normal(0, 6, 200))
        claims += verdicts(ratings_of(scores), "wmt26").values()
    assert 0.2 < np.mean(claims) < 0.7
