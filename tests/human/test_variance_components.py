"""Variance components of ratings: closed forms, and what must not matter."""

from functools import partial
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.human.variance_components import (
    RatingDesign,
    all_pairs_over_samples,
    components_of_difference,
)


def crossed(effects, *, raters=5, segments=12, seed=0):
    """Two systems rated by all raters on all segments; standard deviations by what they are of."""
    rng = np.random.default_rng(seed)
    frame = pd.MultiIndex.from_product(
        [["a", "b"], range(raters), range(segments)], names=["system", "rater", "segment"]
    ).to_frame(index=False)
    value = rng.normal(size=len(frame))
    for columns, deviation in effects.items():
        codes = frame.groupby(list(columns), sort=False).ngroup()
        value += deviation * rng.normal(size=codes.max() + 1)[codes]
    return frame.assign(value=value)


EFFECTS = {
    ("rater",): 2.0,
    ("segment",): 1.5,
    ("rater", "system"): 0.8,
    ("segment", "system"): 0.9,
    ("rater", "segment"): 0.7,
}


@pytest.mark.parametrize("seed", range(4))
def test_balanced_ratings_have_the_mean_squares_of_their_differences(seed):
    frame = crossed(EFFECTS, seed=seed)
    found = components_of_difference(frame, "a", "b")
    a, b = (rows["value"].to_numpy().reshape(5, 12) for _, rows in frame.groupby("system"))
    d = a - b
    by_rater, by_segment = d.mean(axis=1), d.mean(axis=0)
    rest = d - by_rater[:, None] - by_segment + d.mean()
    squares = {
        "rater": (12 * by_rater.var(ddof=1), 4, 1),
        "segment": (5 * by_segment.var(ddof=1), 11, 1),
        "rest": ((rest**2).sum() / 44, 44, -1),
    }
    variance = sum(sign * square for square, _, sign in squares.values()) / 60
    assert found.statistic == pytest.approx(d.mean())
    assert found.standard_error == pytest.approx(np.sqrt(variance))
    freedom = variance**2 / sum((square / 60) ** 2 / df for square, df, _ in squares.values())
    assert found.degrees_of_freedom == pytest.approx(freedom)
    t = d.mean() / np.sqrt(variance)
    for side, p in (
        ("two-sided", 2 * stats.t.sf(abs(t), freedom)),
        ("less", stats.t.cdf(t, freedom)),
    ):
        asked = components_of_difference(frame, "a", "b", alternative=side)
        assert asked.pvalue == pytest.approx(p)
    own, left = found.table.set_index("source")["by_system"], squares["rest"][0]
    assert (own.dropna() > 0).all()
    for source, repeats in (("rater", 12), ("segment", 5)):
        assert own[source] == pytest.approx((squares[source][0] - left) / repeats / 2)
    assert own["rest"] == pytest.approx(left / 2)


def test_with_segments_as_the_only_sample_it_is_the_paired_t_test():
    frame = crossed(EFFECTS)
    found = components_of_difference(frame, "a", "b", samples=["segment"])
    means = frame.groupby(["system", "segment"])["value"].mean().unstack("system")
    t = stats.ttest_rel(means["a"], means["b"])
    assert found.pvalue == pytest.approx(t.pvalue)
    assert found.interval == pytest.approx(tuple(t.confidence_interval()))


def uneven(seed=1):
    rng = np.random.default_rng(seed)
    frame = crossed(EFFECTS, raters=6, segments=30, seed=seed).assign(
        document=lambda table: table["segment"] // 3
    )
    return frame[rng.random(len(frame)) < 0.4 + 0.1 * (frame["rater"] % 3)]


def test_order_names_and_points_do_not_matter():
    """Systems change places, and one of them gets some points more everywhere."""
    frame = uneven()
    renamed = frame.sample(frac=1, random_state=3).assign(
        rater=lambda table: table["rater"].map("rater {}".format),
        segment=lambda table: -table["segment"],
        value=lambda table: 50 - 7 * (table["value"] + 3.0 * (table["system"] == "a")),
    )
    one = components_of_difference(frame, "a", "b")
    other = components_of_difference(renamed, "b", "a")
    assert other.statistic == pytest.approx(7 * (one.statistic + 3))
    assert other.standard_error == pytest.approx(7 * one.standard_error)
    assert other.degrees_of_freedom == pytest.approx(one.degrees_of_freedom)
    ratios = other.table[["shared", "by_system"]] / one.table[["shared", "by_system"]]
    assert np.nanmin(ratios) == pytest.approx(49) == np.nanmax(ratios)


def test_strict_raters_count_where_they_are_dealt_unevenly():
    """A rater's own mean cancels only where both systems have the same share of the rater."""
    frame = crossed({("rater",): 5.0}, raters=8, segments=40)
    even = components_of_difference(frame, "a", "b")
    dealt = frame[(frame["rater"] % 2 == 0) == (frame["system"] == "a")]
    odd = components_of_difference(dealt, "a", "b")
    assert even.standard_error < 0.2
    assert odd.standard_error > 2
    assert odd.table.set_index("source").loc["rater", "share"] > 0.95


def test_three_professionals_of_wmt23():
    """From the same ratings, computed otherwise: .21 by segments, .34 by documents."""
    ratings = mt.load("wmt23/zh-en").judgements["mqm_ratings"]
    by_segment, by_document, by_all = (
        ratings.variance_components(
            "GPT4-5shot", "ONLINE-W", standardised=False, samples=samples
        ).standard_error
        for samples in (("segment",), ("document", "segment"), ("rater", "document", "segment"))
    )
    assert by_segment == pytest.approx(0.21, abs=0.02)
    assert by_document == pytest.approx(0.34, abs=0.02)
    assert by_all > 1.5 * by_document


def test_all_pairs_are_the_pairs_one_by_one():
    ratings = mt.load("wmt23/en-de").judgements["mqm_ratings"]
    options = {"standardised": False, "alternative": "greater"}
    tests = ratings.tests_over_samples(**options)
    for row in tests.table.iloc[::11].itertuples():
        one, turned = (
            ratings.variance_components(*pair, **options)
            for pair in ((row.system_a, row.system_b), (row.system_b, row.system_a))
        )
        assert (row.difference, row.standard_error, row.pvalue) == pytest.approx(
            (one.statistic, one.standard_error, one.pvalue)
        )
        a, b = map(tests.systems.index, (row.system_a, row.system_b))
        assert tests.pvalues[b, a] == pytest.approx(turned.pvalue)
    words = tests.conclusions(0.05)
    assert (words.pairs() != 0).sum() == (tests.table["pvalue"] <= 0.05).sum()


def test_plans_are_what_simulated_ratings_have():
    """A design's standard error is the spread of differences that are rated in it."""
    pilot = components_of_difference(crossed(EFFECTS, raters=8, segments=40), "a", "b")
    limits = {"rater": 6, "document": 1, "segment": 20, "rating": 6}
    plans = pilot.plans({"rating": 1.0}, most=limits)
    full = plans[plans[["raters", "segments", "ratings"]].eq([6, 20, 6]).all(axis=1)].iloc[0]
    own = pilot.table.set_index("source")["by_system"]
    expected = 2 * (own["rater"] / 6 + own["segment"] / 20 + own["rest"] / 120)
    assert full["standard_error"] == pytest.approx(np.sqrt(expected))
    assert full["cost"] == 240
    assert plans["cost"].is_monotonic_increasing
    assert plans["detectable"].is_monotonic_decreasing


def test_copies_have_p_1():
    own = uneven().query("system == 'a'")
    found = components_of_difference(pd.concat([own, own.assign(system="b")]), "a", "b")
    assert (found.statistic, found.pvalue) == (0, 1)
    assert found.interval == pytest.approx((0, 0), abs=1e-3)


def test_systems_rated_alike_share_what_follows_from_that(monkeypatch):
    """Three systems, three pairs, one design."""
    of = Mock(wraps=RatingDesign.of)
    monkeypatch.setattr(RatingDesign, "of", of)
    frame = crossed(EFFECTS)
    third = frame[frame["system"] == "a"].assign(system="c")
    all_pairs_over_samples(pd.concat([frame, third]), samples=None, alternative="two-sided")
    assert of.call_count == 1


def test_one_rater_of_a_pair_is_told_of():
    frame = uneven()
    third = frame[frame["system"] == "a"].assign(system="c", rater=0)
    alone = pd.concat([frame[(frame["system"] == "b") & (frame["rater"] == 0)], third])
    found = components_of_difference(alone, "b", "c")
    assert "only one rater for both systems" in found.sentence
    assert found.samples == ("document", "segment")
    with pytest.raises(mt.InputError, match="a pilot with two of everything: only one rater"):
        found.plans({"rater": 1})
    assert components_of_difference(frame, "a", "b").notes == ()
    given = pd.concat([frame[frame["system"] == "a"], alone])
    tests = all_pairs_over_samples(given, samples=None, alternative="two-sided")
    told = tests.table.set_index(["system_a", "system_b"])["note"]
    assert {frozenset(pair) for pair, said in told.items() if said} == {frozenset("bc")}
    assert "raters, documents, segments" in tests.title


ALIKE = pd.DataFrame({"rater": "ann", "system": list("aabb"), "segment": [0, 1, 0, 1], "value": 50})


compare = partial(components_of_difference, uneven(), "a", "b")


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (partial(components_of_difference, uneven(), "a", "a"), "is system_a, too"),
        (partial(components_of_difference, uneven(), "a", "c"), "'c' is not known"),
        (partial(components_of_difference, ALIKE, "a", "b"), "nothing varies"),
        (
            partial(components_of_difference, ALIKE, "a", "b", samples=["rater"]),
            "not two of 'rater'",
        ),
        (partial(compare, alternative="sideways"), "alternative"),
        (partial(compare, alternative=None), "alternative"),
        (partial(all_pairs_over_samples, uneven(), samples=None, alternative=None), "alternative"),
        (partial(compare().plans, {"pizza": 1}), "costs"),
    ],
)
def test_bad_questions_are_answered(ask, message):
    with pytest.raises(mt.InputError, match=message):
        ask()
