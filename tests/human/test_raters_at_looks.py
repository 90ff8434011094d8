"""What looks say of raters to come: the mixed model, level by level and look by look."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.engine.spending import normal_boundary
from mtsig_nb.human.raters_at_looks import raters_at_looks


def rated(
    n_raters: int, n_segments: int, seed: int, *, gain: float = 0.0, systems: str = "AB"
) -> pd.DataFrame:
    """A row for each rating: each segment by one rater, of all systems."""
    rng = np.random.default_rng(seed)
    preference = rng.normal(0, 2, (n_raters, len(systems)))
    rows = []
    for segment, rater in enumerate(rng.integers(0, n_raters, n_segments)):
        quality = rng.normal(60, 8)
        for number, system in enumerate(systems):
            more = preference[rater, number] + (gain if number == 0 else 0)
            score = float(np.clip(quality + more + rng.normal(0, 6), 0, 100))
            rows.append((f"r{rater}", system, segment, score))
    return pd.DataFrame(rows, columns=["rater", "system", "segment", "score"])


def looked(frame: pd.DataFrame, **options: Any) -> Any:
    return mt.sequential_test(frame, **({"planned": 120, "looks": 4, "rng": 1} | options))


def codes(found: Any) -> set[str]:
    return {noted.code for noted in found.notes}


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_p_of_a_look_is_that_of_the_model_of_the_ratings_so_far(alternative):
    frame = rated(6, 120, seed=3, gain=4)
    found = mt.sequential_test(
        frame, "A", "B", planned=120, looks=4, alternative=alternative, rng=1
    )
    table = mt.human.Ratings(frame).at_looks(found).table
    for row in table.to_dict("records"):
        so_far = frame[frame["segment"] < row["n_units"]]
        (expected,) = mt.human.Ratings(so_far).mixed_model().tests().table.to_dict("records")
        sign = 1 if expected["system_a"] == "A" else -1
        assert row["difference"] == pytest.approx(sign * expected["difference"])
        t = row["difference"] / expected["standard_error"]
        p = stats.t.sf(t, expected["degrees_of_freedom"])
        if alternative == "two-sided":
            p = 2 * stats.t.sf(abs(t), expected["degrees_of_freedom"])
        assert row["pvalue_once"] == pytest.approx(p)


def test_one_look_needs_no_adjustment():
    frame = rated(6, 120, seed=3, gain=4)
    (row,) = mt.human.Ratings(frame).at_looks(looked(frame, looks=1)).table.to_dict("records")
    assert row["pvalue"] == pytest.approx(row["pvalue_once"], rel=0.02)
    (expected,) = mt.human.Ratings(frame).mixed_model().tests().table.to_dict("records")
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((expected["low"], expected["high"]))


@pytest.mark.parametrize("spending", ["obrien-fleming", "pocock"])
@pytest.mark.parametrize("seed", range(5))
def test_p_is_at_most_alpha_just_where_a_look_has_reached_its_level(spending, seed):
    frame = rated(8, 120, seed=seed, gain=3, systems="ABC")
    found = looked(frame, spending=spending)
    table = mt.human.Ratings(frame).at_looks(found).table
    boundary = normal_boundary(np.arange(1, 5) / 4, alpha=0.05 / 3, spending=spending)
    nominal = 2 * stats.norm.sf(boundary)
    reached = table["pvalue_once"] <= nominal[table["look"] - 1]
    by_pair = [table["system_a"], table["system_b"]]
    assert (table["pvalue"] <= 0.05).tolist() == reached.groupby(by_pair).cummax().tolist()
    excludes_zero = (table["ci_low"] > 0) | (table["ci_high"] < 0)
    assert excludes_zero.tolist() == reached.tolist()
    assert (table.groupby(["system_a", "system_b"])["pvalue"].diff().fillna(0) <= 0).all()


def test_ratings_that_come_later_change_no_look():
    frame = rated(5, 120, seed=8, gain=3)
    whole = mt.human.Ratings(frame).at_looks(looked(frame)).table
    so_far = frame[frame["segment"] < 70]
    table = mt.human.Ratings(so_far).at_looks(looked(so_far)).table
    pd.testing.assert_frame_equal(table, whole.head(2))


def test_swapped_systems_and_a_turned_scale_turn_it_over():
    frame = rated(5, 120, seed=8, gain=3)
    ratings = mt.human.Ratings(frame)
    one_way = ratings.at_looks(mt.sequential_test(frame, "A", "B", planned=120, looks=3, rng=1))
    other_way = ratings.at_looks(mt.sequential_test(frame, "B", "A", planned=120, looks=3, rng=1))
    assert one_way.table["pvalue"].tolist() == other_way.table["pvalue"].tolist()
    assert one_way.table["difference"].tolist() == (-other_way.table["difference"]).tolist()
    assert one_way.table["ci_low"].tolist() == (-other_way.table["ci_high"]).tolist()
    penalties = frame.assign(score=100 - frame["score"])
    found = mt.sequential_test(
        penalties, "A", "B", planned=120, looks=3, rng=1, higher_is_better=False
    )
    turned = mt.human.Ratings(penalties).at_looks(found, higher_is_better=False)
    np.testing.assert_allclose(turned.table["difference"], one_way.table["difference"])
    np.testing.assert_allclose(turned.table["pvalue_once"], one_way.table["pvalue_once"])
    assert turned.table["n_ahead"].tolist() == one_way.table["n_ahead"].tolist()


def test_raters_are_counted_who_judged_both_and_named_where_they_differ():
    frame = rated(3, 120, seed=2, gain=12)
    against = (frame["rater"] == "r0") & (frame["system"] == "A")
    frame.loc[against, "score"] -= 24
    only_one = frame["rater"].eq("r2") & frame["system"].eq("B")
    frame = frame[~only_one]
    found = looked(frame, planned=60, looks=2, spending="pocock")
    at_looks = mt.human.Ratings(frame.assign(score=frame["score"].clip(0))).at_looks(found)
    assert at_looks.latest["n_raters"].item() == 2
    assert at_looks.latest["n_ahead"].item() == 1
    if found.is_told_apart.item():
        assert {"looks-raters-differ", "looks-only-these-raters"} <= codes(at_looks)


def test_what_holds_for_these_raters_need_not_for_others():
    rng = np.random.default_rng(1)
    rows = []
    for segment in range(120):
        gain = 12 if segment % 2 else 1  # two raters
        for system, more in (("A", gain), ("B", 0)):
            score = 50 + more + rng.normal(0, 4)
            rows.append((f"r{segment % 2}", system, segment, score))
    frame = pd.DataFrame(rows, columns=["rater", "system", "segment", "score"])
    found = looked(frame)
    at_looks = mt.human.Ratings(frame).at_looks(found)
    assert found.is_told_apart.all()
    assert (at_looks.latest["verdict"] == "indistinguishable").all()
    assert {"looks-only-these-raters", "model-few-raters"} <= codes(at_looks)
    assert "looks-these-raters" in codes(found)


def test_of_one_rater_there_is_no_model():
    frame = rated(1, 120, seed=3, gain=4)
    found = looked(frame)
    at_looks = mt.human.Ratings(frame).at_looks(found)
    assert at_looks.table[["difference", "pvalue", "pvalue_once"]].isna().all(axis=None)
    assert (at_looks.table["verdict"] == "").all()
    assert "looks-one-rater" in codes(found)
    assert "looks-pair-of-one-rater" in codes(at_looks)


def test_a_design_without_a_model_is_named():
    frame = rated(4, 120, seed=3)
    own = frame.assign(rater="r" + frame["system"])  # who judged one system, and never both
    at_looks = mt.human.Ratings(own).at_looks(looked(own))
    assert (at_looks.table["n_raters"] == 0).all()
    assert "looks-no-model" in codes(at_looks)


def test_raters_who_judged_both_on_other_segments_are_counted():
    rng = np.random.default_rng(9)
    rows = []
    for segment in range(60):
        for number, system in enumerate("AB"):
            rater = f"r{(segment + number) % 4}"  # nobody judges both on one segment
            gain = 8 if system == "A" else 0
            rows.append((rater, system, segment, 50 + gain + rng.normal(0, 4)))
    frame = pd.DataFrame(rows, columns=["rater", "system", "segment", "score"])
    at_looks = mt.human.Ratings(frame).at_looks(looked(frame, planned=60, looks=2))
    assert at_looks.latest[["n_raters", "n_ahead"]].to_numpy().tolist() == [[4, 4]]
    assert at_looks.latest["verdict"].item() == "better"


def test_an_interval_that_says_nothing_is_not_printed():
    frame = rated(2, 120, seed=3, gain=4)
    at_looks = mt.human.Ratings(frame).at_looks(looked(frame))
    reach = at_looks.table["ci_high"] - at_looks.table["ci_low"]
    says_nothing = ~(reach / 2 <= 100 * at_looks.table["standard_error"])
    assert says_nothing.any()
    for line, is_empty in zip(at_looks.lines(), says_nothing, strict=True):
        assert ("no interval yet" in line) == is_empty


def test_what_does_not_belong_together_is_refused():
    frame = rated(4, 120, seed=3)
    found = looked(frame)
    with pytest.raises(mt.InputError, match="120 segments, and the judgements have 90"):
        mt.human.Ratings(frame[frame["segment"] < 90]).at_looks(found)
    with pytest.raises(mt.InputError, match="'rater'"):
        raters_at_looks(frame.drop(columns="rater"), found)
    by_function = looked(frame, spending=lambda share, level: share * level)
    with pytest.raises(mt.InputError, match="function"):
        mt.human.Ratings(frame).at_looks(by_function)
