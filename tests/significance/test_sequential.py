"""Looking several times: against one look, plain loops, published tables and other orders."""

from __future__ import annotations

import itertools
import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import brentq
from scipy.special import ndtr

import mtsig_nb as mt
from mtsig_nb.engine.group_sequential import SETTLED, GroupSequential, Look
from mtsig_nb.engine.spending import (
    crossing_probabilities,
    normal_boundary,
    spending_function,
    spent,
)
from mtsig_nb.significance.sequential import GO_ON, HOPELESS, NO_LOOK_YET


def judged(scores: Any, systems: str = "ABCDEFGH") -> pd.DataFrame:
    """A row for each judgement of some systems, segment by segment."""
    array = np.asarray(scores, dtype=float)
    rows = []
    for segment in range(array.shape[1]):
        for system, score in zip(systems, array[:, segment], strict=False):
            rows.append((system, segment, score))
    return pd.DataFrame(rows, columns=["system", "segment", "score"])


def codes(found: mt.significance.sequential.SequentialTest) -> set[str]:
    return {noted.code for noted in found.notes}


def normal_scores(n_systems: int, n_units: int, seed: int, *, gain: float = 0.0) -> np.ndarray:
    scores = np.random.default_rng(seed).normal(70, 10, (n_systems, n_units)).round(1)
    scores[0] += gain
    return scores


# --- one look is the fixed test -----------------------------------------------------------------


@pytest.mark.parametrize("n_units", [5, 12, 13, 14, 40, 65, 300])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("rounded_to", [-1, 1])
def test_one_look_is_the_sign_flip_test(n_units, alternative, rounded_to):
    scores = normal_scores(2, n_units, seed=n_units, gain=3).round(rounded_to)
    statistics = mt.from_segment_scores(judged(scores))
    options = {"alternative": alternative, "n_resamples": 1999, "rng": 4}
    fixed = mt.sign_flip_test(statistics, "A", "B", **options)
    looked = mt.sequential_test(statistics, "A", "B", planned=n_units, looks=1, **options)
    (row,) = looked.table.to_dict("records")
    assert row["pvalue"] == fixed.pvalue
    assert row["difference"] == pytest.approx(fixed.statistic, abs=1e-9)
    of_frame = mt.sequential_test(judged(scores), "A", "B", planned=n_units, looks=1, **options)
    assert of_frame.table["pvalue"].item() == fixed.pvalue


def test_one_look_at_documents_is_the_sign_flip_test_of_documents():
    rng = np.random.default_rng(8)
    documents = np.repeat(np.arange(40), rng.integers(1, 5, 40))
    frame = judged(normal_scores(2, len(documents), seed=3, gain=2))
    frame["document"] = documents[frame["segment"]]
    statistics = mt.from_segment_scores(frame, document="document")
    options = {"units": "documents", "n_resamples": 999, "rng": 4}
    fixed = mt.sign_flip_test(statistics, "A", "B", **options)
    for judgements in (statistics, frame):
        looked = mt.sequential_test(judgements, "A", "B", planned=40, looks=1, **options)
        assert looked.table["pvalue"].item() == fixed.pvalue
        assert looked.unit == "documents"


# --- all arrangements, by a plain loop ----------------------------------------------------------


def plain_pvalues(differences: list[int], looks: list[int], planned: int) -> list[float]:
    """p at each look by the definition alone, every sign of every unit in a loop of its own."""

    def path(signs: tuple[int, ...]) -> list[float]:
        signed = [sign * d for sign, d in zip(signs, differences, strict=False)]
        return [abs(sum(signed[:n])) for n in looks[: len(looks)] if n <= len(signs)]

    def stops(level: float, number: int) -> bool:
        """Whether the observed path has crossed by look `number` at a level."""
        limits: list[float] = []
        for k in range(number + 1):
            n = looks[k]
            arrangements = [path(signs) for signs in itertools.product((1, -1), repeat=n)]
            allowed = spent(n / planned, level, "pocock", 2) * len(arrangements) + 1e-9
            candidates = [*sorted({p[k] for p in arrangements}), np.inf]
            for limit in candidates:
                crossed = [
                    any(s >= c for s, c in zip(p, [*limits, limit], strict=False))
                    for p in arrangements
                ]
                if sum(crossed) <= allowed:
                    break
            limits.append(limit)
        observed = path((1,) * looks[number])
        return any(s >= c for s, c in zip(observed, limits, strict=True))

    pvalues: list[float] = []
    for number, n in enumerate(looks):
        levels = [m / 2**n for m in range(1, 2**n + 1)]
        pvalues.append(next((level for level in levels if stops(level, number)), 1.0))
    return np.minimum.accumulate(pvalues).tolist()


@pytest.mark.parametrize(
    "differences", [[3, 1, 4, -1, 5, 9], [1, 1, 1, 1, 1, 1], [2, -2, 2, 3, 3, 1]]
)
def test_few_units_are_enumerated(differences):
    looks = [3, 5, 6]
    scores = [np.add(70, differences), np.full(6, 70)]
    found = mt.sequential_test(judged(scores), planned=8, looks=looks, spending="pocock", rng=1)
    assert found.table["pvalue"].tolist() == plain_pvalues(differences, looks, 8)


@pytest.mark.takes_time
@pytest.mark.parametrize(
    "spending",
    [
        "obrien-fleming",
        pytest.param("pocock", marks=pytest.mark.thorough),
        pytest.param("even", marks=pytest.mark.thorough),
    ],
)
def test_over_all_arrangements_of_signs_it_errs_no_more_often_than_it_says(spending):
    """Every arrangement in turn is what was observed, three systems, some units without one."""
    looks = [3, 5, 7]
    rng = np.random.default_rng(11)
    middle = rng.integers(60, 80, (1, 7))
    apart = rng.integers(-4, 5, (3, 7))
    is_judged = np.ones((3, 7), dtype=bool)
    is_judged[2, [1, 4]] = False
    alphas = (0.1, 0.25, 0.5)
    n_found = dict.fromkeys(alphas, 0)
    smallest = []
    # With all signs turned round it is the same two-sided test.
    arrangements = list(itertools.product((1, -1), repeat=7 - 1))
    for signs in arrangements:
        frame = judged(middle + apart * np.array([1, *signs]))
        seen = frame[[is_judged["ABC".index(s), k] for s, k, _ in frame.itertuples(index=False)]]
        for alpha in alphas:
            options = {"looks": looks, "spending": spending, "alpha": alpha}
            found = mt.sequential_test(seen, planned=7, rng=1, **options)
            n_found[alpha] += found.table["verdict"].isin(["better", "worse"]).any()
        smallest.append(found.table["pvalue"].min())
    for alpha in alphas:
        assert n_found[alpha] <= alpha * len(arrangements)
        assert np.count_nonzero(np.array(smallest) <= alpha) <= alpha * len(arrangements)
    assert n_found[0.5] > 0.35 * len(arrangements)  # and not much less often


# --- what is published --------------------------------------------------------------------------


def constant(shape: np.ndarray, shares: np.ndarray) -> float:
    return brentq(lambda c: crossing_probabilities(c * shape, shares).sum() - 0.05, 1, 5)


def test_constants_of_pocock_and_of_obrien_and_fleming():
    # Jennison & Turnbull 2000, Tables 2.1 and 2.3, two-sided at .05.
    pocock = {2: 2.178, 3: 2.289, 4: 2.361, 5: 2.413, 10: 2.555}
    obrien_fleming = {2: 1.977, 3: 2.004, 4: 2.024, 5: 2.040, 10: 2.087}
    for n_looks, published in pocock.items():
        shares = np.arange(1, n_looks + 1) / n_looks
        assert constant(np.ones(n_looks), shares) == pytest.approx(published, abs=5e-4)
        found = constant(1 / np.sqrt(shares), shares)
        assert found == pytest.approx(obrien_fleming[n_looks], abs=6e-4)


def test_boundaries_by_spending_are_those_published():
    # DeMets & Lan 1994, Statistics in Medicine 13, five looks, two-sided at .05.
    shares = np.arange(1, 6) / 5
    like_obrien_fleming = normal_boundary(shares)
    assert like_obrien_fleming == pytest.approx([4.877, 3.357, 2.680, 2.290, 2.031], abs=6e-4)
    like_pocock = normal_boundary(shares, spending="pocock")
    assert like_pocock == pytest.approx([2.438, 2.427, 2.410, 2.397, 2.386], abs=6e-4)
    spent_by_looks = crossing_probabilities(like_pocock, shares).cumsum()
    expected = [spent(share, 0.05, "pocock", 2) for share in shares]
    assert spent_by_looks == pytest.approx(expected, abs=1e-9)


def test_with_many_units_the_boundary_is_that_of_normal_data():
    scores = normal_scores(2, 1000, seed=2)
    options = {"planned": 1000, "looks": 5, "n_resamples": 40_000, "rng": 3}
    for spending in ("pocock", "even"):
        found = mt.sequential_test(judged(scores), spending=spending, **options)
        expected = normal_boundary(np.arange(1, 6) / 5, spending=spending)
        assert found.table["boundary"].to_numpy() == pytest.approx(expected, abs=0.04)


# --- what must not matter -----------------------------------------------------------------------


def test_a_system_against_itself_has_p_1():
    scores = np.tile(normal_scores(1, 60, seed=1), (2, 1))
    found = mt.sequential_test(judged(scores), planned=60, looks=3, rng=1)
    assert (found.table["pvalue"] == 1).all()
    assert found.table["verdict"].tolist() == [GO_ON, HOPELESS, "indistinguishable"]


def test_swapped_systems_turn_it_over():
    frame = judged(normal_scores(2, 90, seed=6, gain=5))
    one_way = mt.sequential_test(frame, "A", "B", planned=120, looks=4, rng=1).table
    other_way = mt.sequential_test(frame, "B", "A", planned=120, looks=4, rng=1).table
    for column in ("difference", "statistic"):
        assert one_way[column].tolist() == (-other_way[column]).tolist()
    assert one_way["ci_low"].tolist() == pytest.approx((-other_way["ci_high"]).tolist())
    assert one_way["pvalue"].tolist() == other_way["pvalue"].tolist()
    turned = {"better": "worse", "worse": "better"}
    expected = other_way["verdict"].replace(turned)
    assert one_way["verdict"].tolist() == expected.tolist()


def test_what_comes_later_changes_no_look():
    scores = normal_scores(3, 200, seed=9, gain=3)
    options = {"planned": 200, "looks": [8, 12, 60, 100, 200], "n_resamples": 1999, "rng": 5}
    whole = mt.sequential_test(judged(scores), **options).table
    for n_units in (9, 12, 75, 100, 130):
        so_far = mt.sequential_test(judged(scores[:, :n_units]), **options).table
        pd.testing.assert_frame_equal(so_far, whole.head(len(so_far)))


def test_looks_that_nobody_planned_need_not_be_named_before():
    frame = judged(normal_scores(2, 100, seed=9, gain=3))
    options = {"planned": 200, "rng": 5}
    planned = mt.sequential_test(frame, looks=[40, 70, 100, 150, 200], **options)
    not_planned = mt.sequential_test(frame, looks=[40, 70, 100], **options)
    pd.testing.assert_frame_equal(planned.table, not_planned.table)


def test_executors_and_parts_change_nothing(monkeypatch):
    frame = judged(normal_scores(4, 90, seed=6))
    options = {"planned": 100, "looks": [30, 60, 90], "n_resamples": 1500, "rng": 2}
    expected = mt.sequential_test(frame, **options).table
    with ThreadPoolExecutor(2) as executor:
        pd.testing.assert_frame_equal(
            mt.sequential_test(frame, **options, executor=executor).table, expected
        )
    monkeypatch.setattr("mtsig_nb.engine.resampling.ENTRIES_AT_ONCE", 1000)
    pd.testing.assert_frame_equal(mt.sequential_test(frame, **options).table, expected)


# --- intervals, verdicts and units --------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_the_interval_excludes_zero_just_where_the_boundary_is_reached(seed):
    frame = judged(normal_scores(4, 200, seed=seed, gain=2))
    table = mt.sequential_test(frame, planned=200, looks=5, n_resamples=999, rng=seed).table
    excludes_zero = (table["ci_low"] > 0) | (table["ci_high"] < 0)
    is_reached = table["statistic"].abs() >= table["boundary"]
    assert excludes_zero.tolist() == is_reached.tolist()
    is_told_apart = table["verdict"].isin(["better", "worse"])
    assert is_told_apart.tolist() == (table["pvalue"] <= 0.05).tolist()
    first_crossing = is_reached.groupby([table["system_a"], table["system_b"]]).cummax()
    assert is_told_apart.tolist() == first_crossing.tolist()


def test_limits_of_the_interval_are_on_the_boundary():
    scores = normal_scores(2, 150, seed=4, gain=3)
    table = mt.sequential_test(judged(scores), planned=150, looks=3, rng=1).table
    differences = scores[0] - scores[1]
    for row in table[np.isfinite(table["ci_low"])].itertuples():
        for limit in (row.ci_low, row.ci_high):
            left = differences[: row.n_units] - limit
            statistic = abs(left.sum()) / np.sqrt((left**2).sum())
            assert statistic == pytest.approx(row.boundary)


def test_predictive_power_is_that_of_simulated_continuations():
    scores = normal_scores(2, 100, seed=12, gain=1.5)
    found = mt.sequential_test(judged(scores), planned=200, looks=[100], rng=1)
    (row,) = found.table.to_dict("records")
    rng = np.random.default_rng(3)
    # A flat prior: the true drift lies about the estimate; the rest of the motion is to come.
    drift = rng.normal(row["statistic"] / np.sqrt(0.5), np.sqrt(1 / 0.5), 400_000)
    end = row["statistic"] * np.sqrt(0.5) + rng.normal(0.5 * drift, np.sqrt(0.5))
    last = normal_boundary([0.5, 1.0])[-1]
    assert row["predictive_power"] == pytest.approx((np.abs(end) >= last).mean(), abs=0.004)


def lagging(n_units: int, lag: int) -> pd.DataFrame:
    """A and B are judged as units begin; C so many units later, and on the last ones not at all."""
    rng = np.random.default_rng(21)
    rows = []
    for unit in range(n_units):
        rows += [(system, unit, rng.normal()) for system in ("A", "B")]
        if unit >= lag:
            rows.append(("C", unit - lag, rng.normal()))
    return pd.DataFrame(rows, columns=["system", "segment", "score"])


def power_with(z: float, n_judged: int, n_at_end: int, shares: list[float]) -> float:
    """The predictive power of one of three pairs, by its formula."""
    edge = normal_boundary(shares, alpha=0.05 / 3)[-1]
    t = n_judged / n_at_end
    sides = [ndtr((sign * z - edge * np.sqrt(t)) / np.sqrt(1 - t)) for sign in (1, -1)]
    return float(sum(sides))


def test_judgements_that_lag_behind_are_taken_to_come():
    table = mt.sequential_test(lagging(80, 30), planned=100, looks=[40, 80, 100], rng=1).table
    first, second = table.query("system_a == 'A' and system_b == 'C'").to_dict("records")
    assert (first["n_judged"], second["n_judged"]) == (10, 50)
    # At the first look nothing shows yet that what lacks C will be judged.
    expected = power_with(first["statistic"], 10, 70, [0.4, 1.0])
    assert first["predictive_power"] == pytest.approx(expected)
    # The 30 units that lacked C then have it by now; so those that lack it now will have it.
    expected = power_with(second["statistic"], 50, 100, [0.4, 0.8, 1.0])
    assert second["predictive_power"] == pytest.approx(expected)


def test_judgements_that_a_design_leaves_out_are_not_taken_to_come():
    frame = judged(normal_scores(3, 80, seed=3))
    is_judged = (frame["segment"] % 2 == 0) | (frame["system"] != "C")
    table = mt.sequential_test(frame[is_judged], planned=100, looks=[40, 80], rng=1).table
    _, second = table.query("system_a == 'A' and system_b == 'C'").to_dict("records")
    assert second["n_judged"] == 40
    expected = power_with(second["statistic"], 40, 60, [0.4, 0.8, 1.0])
    assert second["predictive_power"] == pytest.approx(expected)


@pytest.mark.takes_time
def test_few_pairs_are_given_up_that_lag_behind_and_would_be_told_apart():
    n_told_apart = 0
    n_given_up = 0
    for campaign in range(100):
        rng = np.random.default_rng(campaign)
        scores = rng.normal([0, 0, 0.3], size=(200, 3))
        rows = []
        for wave in (range(100), range(100, 200)):  # in each of which C is judged last
            for systems in ("AB", "C"):
                for unit in wave:
                    rows += [(name, unit, scores[unit, "ABC".index(name)]) for name in systems]
        frame = pd.DataFrame(rows, columns=["system", "segment", "score"])
        found = mt.sequential_test(frame, planned=200, looks=8, n_resamples=499, rng=1)
        verdicts = found.table.query("system_a == 'A' and system_b == 'C'")["verdict"]
        is_told_apart = verdicts.iloc[-1] == "worse"
        n_told_apart += is_told_apart
        n_given_up += is_told_apart and HOPELESS in set(verdicts)
    assert n_told_apart > 40
    assert n_given_up / n_told_apart < 0.07  # where C does not lag behind, .04 of 143


def test_the_last_look_may_change_as_long_as_units_lack_systems():
    frame = lagging(100, 60)
    found = mt.sequential_test(frame, planned=100, looks=[50, 100], rng=1)
    assert "look-may-change" in {noted.code for noted in found.notes}
    more = pd.DataFrame({"system": "C", "segment": range(40, 100), "score": 0.0})
    complete = mt.sequential_test(pd.concat([frame, more]), planned=100, looks=[50, 100], rng=1)
    latest = complete.latest.query("system_b == 'C'")
    assert latest["n_judged"].tolist() == [100, 100]
    assert found.latest.query("system_b == 'C'")["n_judged"].tolist() == [40, 40]


@pytest.mark.takes_time
def test_pairs_are_corrected_together():
    frame = judged(normal_scores(5, 120, seed=3, gain=4))
    together = mt.sequential_test(frame, planned=120, looks=3, rng=1).table
    for row in together.itertuples():
        alone = mt.sequential_test(frame, row.system_a, row.system_b, planned=120, looks=3, rng=1)
        same_look = alone.table[alone.table["look"] == row.look]
        assert same_look["pvalue"].item() <= row.pvalue
        assert same_look["boundary"].item() < row.boundary


def test_a_unit_says_nothing_of_a_system_that_was_not_judged_on_it():
    scores = normal_scores(3, 60, seed=3, gain=4)
    frame = judged(scores)
    is_judged = (frame["segment"] % 3 > 0) | (frame["system"] != "C")
    found = mt.sequential_test(frame[is_judged], planned=60, looks=2, rng=1)
    of_a_and_c = found.table.query("system_b == 'C' and system_a == 'A'")
    assert of_a_and_c["n_units"].tolist() == [30, 60]
    assert of_a_and_c["n_judged"].tolist() == [20, 40]
    has_c = np.arange(60) % 3 > 0
    expected = (scores[0] - scores[2])[has_c].mean()
    assert of_a_and_c["difference"].iloc[-1] == pytest.approx(expected)
    assert "units-lack-systems" in {noted.code for noted in found.notes}
    alone = mt.sequential_test(frame[is_judged], "A", "C", planned=40, looks=2, rng=1)
    assert alone.table["n_units"].tolist() == [20, 40]


def test_units_come_in_the_order_of_the_rows_or_of_a_column():
    scores = normal_scores(2, 50, seed=3, gain=4)
    frame = judged(scores)
    frame["time"] = -frame["segment"]
    backwards = frame.iloc[::-1]
    options = {"planned": 50, "looks": [20, 50], "rng": 1}
    first_half = (scores[0] - scores[1])[:20].mean()
    last_half = (scores[0] - scores[1])[-20:].mean()
    as_given = mt.sequential_test(frame, "A", "B", **options).table
    assert as_given["difference"][0] == pytest.approx(first_half)
    for found in (
        mt.sequential_test(backwards, "A", "B", **options),
        mt.sequential_test(frame, "A", "B", order="time", **options),
    ):
        assert found.table["difference"][0] == pytest.approx(last_half)


def test_scores_that_stand_system_by_system_are_taken_segment_by_segment():
    frame = judged(normal_scores(3, 50, seed=3))
    by_system = frame.sort_values("system", kind="stable")
    options = {"planned": 50, "looks": [20, 50], "rng": 1}
    found = mt.sequential_test(by_system, **options)
    expected = mt.sequential_test(frame, **options)
    pd.testing.assert_frame_equal(found.table, expected.table)
    assert "judged-by-system" in {noted.code for noted in found.notes}
    assert "judged-by-system" not in {noted.code for noted in expected.notes}


def test_a_look_takes_only_what_was_there():
    frame = judged(normal_scores(2, 40, seed=3))
    late = frame["segment"].eq(2) & frame["system"].eq("B")
    in_time = pd.concat([frame[~late], frame[late]])  # the second judgement of 2 comes last
    found = mt.sequential_test(in_time, planned=40, looks=[10, 40], rng=1)
    without = mt.sequential_test(frame[frame["segment"] != 2], planned=40, looks=[10], rng=1)
    assert found.table["difference"][0] == without.table["difference"][0]
    again = pd.concat([frame, frame.head(2)])
    noted = mt.sequential_test(again, planned=40, looks=[10, 40], rng=1).notes
    assert {n.values["n"] for n in noted if n.code == "judged-again"} == {2}


def test_an_output_that_is_judged_again_changes_no_earlier_look():
    first_time = judged(normal_scores(3, 60, seed=3))
    second_time = judged(normal_scores(3, 60, seed=4))
    # The second half of the campaign judges the first thirty segments again, among others.
    again = second_time[second_time["segment"] < 30]
    new = first_time[first_time["segment"] >= 30]
    interleaved = pd.concat([first_time[first_time["segment"] < 30], new.head(3), again, new[3:]])
    options = {"planned": 60, "looks": [15, 30, 45, 60], "rng": 1}
    whole = mt.sequential_test(interleaved, **options).table
    at_first = mt.sequential_test(interleaved.head(90), **options).table
    pd.testing.assert_frame_equal(at_first, whole[whole["look"] <= 2])
    last = whole[whole["look"] == 4].iloc[0]
    means = interleaved.groupby(["system", "segment"])["score"].mean()
    expected = (means["A"] - means["B"]).mean()
    assert last["difference"] == pytest.approx(expected)


def test_a_look_that_may_still_change_is_named():
    frame = judged(normal_scores(3, 60, seed=3))
    in_the_middle = frame.head(3 * 30 - 1)  # the last segment lacks a system
    found = mt.sequential_test(in_the_middle, planned=60, looks=[30, 60], rng=1)
    assert "look-may-change" in codes(found)
    for number in (3 * 30, 3 * 30 + 2):
        found = mt.sequential_test(frame.head(number), planned=60, looks=[30, 60], rng=1)
        assert "look-may-change" not in codes(found)


def test_notes_say_what_is_left_out_and_what_is_biased():
    scores = normal_scores(2, 80, seed=3, gain=30)
    found = mt.sequential_test(judged(scores), planned=60, looks=3, rng=1)
    codes = {noted.code for noted in found.notes}
    assert {"estimate-after-stopping", "beyond-planned", "told-apart-by-few"} <= codes
    assert found.n_units == 80
    assert found.table["n_units"].tolist() == [20, 40, 60]


def test_a_look_at_which_no_draw_may_cross_is_noted():
    scores = normal_scores(2, 60, seed=3, gain=30)
    options = {"planned": 100, "looks": [30, 60], "rng": 1}
    few = mt.sequential_test(judged(scores[:, :40]), n_resamples=999, **options)
    (noted,) = [n for n in few.notes if n.code == "too-few-flips"]
    assert noted.values["n"] == 30
    assert f"n_resamples={noted.values['needed']}" in noted
    assert np.isinf(few.table["boundary"]).all()
    needed = noted.values["needed"]
    enough = mt.sequential_test(judged(scores[:, :40]), n_resamples=needed, **options)
    later = mt.sequential_test(judged(scores), n_resamples=999, **options)
    assert np.isfinite(enough.latest["boundary"]).all()
    assert "too-few-flips" not in codes(enough)
    # The look that had no interval is still named, without advice that comes too late.
    assert np.isfinite(later.latest["boundary"]).all()
    (noted,) = [n for n in later.notes if n.code == "too-few-flips"]
    assert (noted.values["n_looks"], noted.values["more"]) == (1, "")


def test_conclusions_are_those_of_the_latest_look():
    scores = normal_scores(3, 60, seed=3)
    scores[0] += 30
    found = mt.sequential_test(judged(scores), planned=120, looks=[40, 60], rng=1)
    conclusions = found.conclusions()
    assert conclusions.word("A", "B") == conclusions.word("A", "C") == "better"
    assert conclusions.word("B", "C") == "indistinguishable"
    assert mt.clusters(conclusions).groups == (("A",), ("B", "C"))


# --- as many sign flips as are needed ------------------------------------------------------------


def near_the_boundary() -> tuple[pd.DataFrame, dict[str, Any]]:
    """Judgements whose second look of four is near the boundary."""
    scores = normal_scores(2, 200, seed=5).round(0)
    scores[0, :100] += 5.3
    return judged(scores), {"planned": 200, "looks": 4, "spending": "pocock"}


def test_a_look_near_its_boundary_draws_more():
    frame, options = near_the_boundary()
    drawn = []
    for seed in range(8):
        found = mt.sequential_test(frame, rng=seed, **options)
        drawn += found.table["n_resamples"].tolist()
        assert (np.diff(found.table["n_resamples"]) >= 0).all()
    assert set(drawn) >= {10_000, 30_000}


@pytest.mark.parametrize("seed", range(4))
def test_looks_that_draw_more_leave_earlier_looks_alone(seed):
    frame, options = near_the_boundary()
    whole = mt.sequential_test(frame, rng=seed, **options).table
    for n_units in (50, 120, 160):
        so_far = frame[frame["segment"] < n_units]
        table = mt.sequential_test(so_far, rng=seed, **options).table
        pd.testing.assert_frame_equal(table, whole.head(len(table)))


def test_a_number_of_flips_that_is_given_is_kept_to():
    near, options = near_the_boundary()
    far = judged(normal_scores(2, 200, seed=5, gain=20))
    for seed in range(4):
        found = mt.sequential_test(near, rng=seed, n_resamples=999, **options)
        assert (found.table["n_resamples"] == 999).all()
        assert found.table["unresolved"].any()
        is_open = found.latest["unresolved"].item()
        assert is_open == ("look-unresolved" in codes(found))
        is_left_open = is_open and not found.is_told_apart.item()
        assert (found.conclusions().unresolved == (("A", "B"),)) == is_left_open
        found = mt.sequential_test(far, rng=seed, n_resamples=999, **options)
        assert not found.table["unresolved"].any()


def test_what_is_called_resolved_does_not_depend_on_the_seed():
    """Verdicts of many campaigns by two seeds each differ only where a look is unresolved."""
    n_differing = 0
    for number in range(40):
        rng = np.random.default_rng(number)
        frame = judged(rng.normal(70, 10, (2, 120)).round(1) + np.array([[2.6], [0]]))
        options = {"planned": 120, "looks": 3, "n_resamples": 1999, "spending": "pocock"}
        first = mt.sequential_test(frame, rng=1, **options).table
        second = mt.sequential_test(frame, rng=2, **options).table
        is_decided = [t["verdict"].isin(["better", "worse"]) for t in (first, second)]
        differs = is_decided[0] != is_decided[1]
        n_differing += differs.sum()
        assert (first["unresolved"] | second["unresolved"])[differs].all()
    assert n_differing


@pytest.mark.takes_time
@pytest.mark.parametrize(
    ("spending", "n_looks"), [("pocock", 5), ("obrien-fleming", 5), ("obrien-fleming", 20)]
)
def test_what_crosses_varies_no_more_than_is_allowed_for(spending, n_looks):
    """Of normal data, how many arrangements have crossed before or cross with a given statistic."""
    rng = np.random.default_rng(6)
    n_drawn = 2000
    n_times = 300
    shares = np.arange(1, n_looks + 1) / n_looks
    boundary = normal_boundary(shares, spending=spending)
    may_cross = np.array([spent(share, 0.05, spending, 2) for share in shares])
    counts = []
    for _ in range(n_times):
        steps = rng.normal(0, 1, (n_looks, n_drawn)).cumsum(axis=0)
        statistics = np.abs(steps) / np.sqrt(np.arange(1, n_looks + 1))[:, None]
        has_crossed = np.zeros(n_drawn, dtype=bool)
        for k in range(n_looks - 1):
            n_allowed = math.floor(may_cross[k] * n_drawn) - has_crossed.sum()
            ranked = np.sort(statistics[k, ~has_crossed])
            limit = ranked[-n_allowed] if n_allowed > 0 else np.inf
            has_crossed |= statistics[k] >= limit
        counts.append((has_crossed | (statistics[-1] >= boundary[-1])).sum())
    allowed_for = np.sqrt(n_drawn * (may_cross[-1] - SETTLED * may_cross[-2]))
    error = 1 / np.sqrt(2 * n_times)  # relative, of a standard deviation
    assert np.std(counts) <= allowed_for * (1 + 2 * error)


@pytest.mark.takes_time
def test_over_all_arrangements_of_signs_drawing_more_errs_no_more_often():
    """Every arrangement of twelve units is the observed one in turn, with signs drawn anew."""
    n_units = 12
    quanta = np.random.default_rng(2).integers(1, 60, n_units).astype(float)
    n_crossed = dict.fromkeys((1000, 3000), 0)
    # With all signs turned round it is the same two-sided test.
    arrangements = list(itertools.product((1, -1), repeat=n_units - 1))
    n_drawn = set()
    for seed, signs in enumerate(arrangements):
        observed = quanta * np.array([1, *signs])
        looks = [Look(n / n_units, observed[None, :n], 1e-9) for n in (11, 12)]
        for n_most in n_crossed:
            tested = GroupSequential.of(
                looks,
                alternative="two-sided",
                spending=spending_function("pocock"),
                planned=n_units,
                n_resamples=[n for n in (1000, 3000) if n <= n_most],
                alpha=0.1,
                seed=seed,
            )
            n_crossed[n_most] += bool((tested.pvalues(0.1) <= 0.1).any())
            n_drawn.update(tested.n_resamples.tolist())
    assert {1000, 3000} <= n_drawn
    for n_found in n_crossed.values():
        share = n_found / len(arrangements)
        assert 0.08 < share < 0.1 + 2 * np.sqrt(0.1 * 0.9 / len(arrangements))


def test_one_look_that_draws_more_is_the_sign_flip_test_with_as_many():
    drawn = set()
    for gain in np.arange(2.0, 3.2, 0.1):
        scores = normal_scores(2, 80, seed=7, gain=gain)
        statistics = mt.from_segment_scores(judged(scores))
        looked = mt.sequential_test(statistics, "A", "B", planned=80, looks=1, rng=4)
        n_resamples = looked.table["n_resamples"].item()
        fixed = mt.sign_flip_test(statistics, "A", "B", rng=4, n_resamples=n_resamples)
        assert looked.table["pvalue"].item() == fixed.pvalue
        drawn.add(n_resamples)
    assert len(drawn) > 1


# --- the plan ------------------------------------------------------------------------------------


def test_units_that_no_look_has_used_are_named():
    frame = judged(normal_scores(2, 70, seed=3))
    waiting = mt.sequential_test(frame, planned=100, looks=[30, 60, 90], rng=1)
    (noted,) = [n for n in waiting.notes if n.code == "since-latest-look"]
    assert (noted.values["n"], noted.values["look"], noted.values["next"]) == (10, 2, 90)
    unnamed = mt.sequential_test(frame, planned=100, looks=[30, 60], rng=1)
    (noted,) = [n for n in unnamed.notes if n.code == "since-last-look-named"]
    assert noted.values["n"] == 10
    used = mt.sequential_test(frame, planned=100, looks=[30, 70], rng=1)
    assert not codes(used) & {"since-latest-look", "since-last-look-named"}


def test_units_of_one_system_are_counted_and_named():
    frame = judged(normal_scores(2, 60, seed=3))
    frame["segment"] = "s" + frame["segment"].astype(str)
    lacks = frame["segment"].isin(["s7", "s59"]) & (frame["system"] == "B")
    found = mt.sequential_test(frame[~lacks], planned=100, looks=[20, 60], rng=1)
    (noted,) = [n for n in found.notes if n.code == "units-of-one-system"]
    assert noted.values["n"] == 2
    assert noted.values["names"] == "s7, s59"
    assert found.table["n_units"].tolist() == [20]
    with pytest.raises(mt.InputError, match=r"2 segments more .*s7, s59"):
        mt.sequential_test(frame[~lacks], planned=100, looks=[60], rng=1)


def test_many_looks_may_have_been_meant_as_units():
    frame = judged(normal_scores(2, 60, seed=3))
    many = mt.sequential_test(frame, planned=500, looks=40, rng=1)
    assert "many-looks" in codes(many)
    for looks in (10, [40, 500]):
        assert "many-looks" not in codes(mt.sequential_test(frame, planned=500, looks=looks, rng=1))


def test_the_line_for_a_paper_has_the_plan():
    found = mt.sequential_test(judged(normal_scores(2, 60, seed=3)), planned=90, looks=3, rng=1)
    for part in ("at most 90 segments", "30, 60 and 90", "obrien-fleming", mt.__version__):
        assert part in found.methods


# --- the order -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "times",
    [
        lambda n: n,
        lambda n: str(n),
        lambda n: 10**18 + n,  # nanoseconds, which are too many for decimals
        lambda n: f"2026-11-27T14:{n:02}:00Z",
        lambda n: f"2026-11-27 14:{n:02}",
        lambda n: pd.Timestamp("2026-11-27") + pd.Timedelta(minutes=n),
    ],
)
def test_an_order_may_be_of_numbers_or_times(times):
    frame = judged(normal_scores(2, 50, seed=3, gain=4))
    options = {"planned": 50, "looks": [20, 50], "rng": 1}
    expected = mt.sequential_test(frame, **options)
    mixed = frame.assign(time=frame["segment"].map(times)).sample(frac=1, random_state=1)
    found = mt.sequential_test(mixed, "A", "B", order="time", **options)
    pd.testing.assert_frame_equal(found.table, expected.table)
    assert "order-tied" not in codes(found)  # two judgements of one segment may share a time


def test_ties_in_the_order_are_counted():
    frame = judged(normal_scores(2, 50, seed=3))
    frame["time"] = frame["segment"] // 5
    found = mt.sequential_test(frame, planned=50, looks=[20, 50], order="time", rng=1)
    (noted,) = [n for n in found.notes if n.code == "order-tied"]
    assert noted.values["n"] == 100
    as_given = mt.sequential_test(frame, planned=50, looks=[20, 50], rng=1)
    pd.testing.assert_frame_equal(found.table, as_given.table)


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (None, "row 7 .*no value"),
        (" ", "row 7 .*no value"),
        ("soon", "row 7 .*'soon' is neither a number nor a time"),
        ("27/11/2026", "neither a number nor a time"),
        (True, "neither a number nor a time"),
        (np.inf, "neither a number nor a time"),
        ("12", "row 7 .*'12' is a number"),
        ("2026-11-27 14:00+01:00", "no time zone"),
    ],
)
def test_what_cannot_be_put_in_order_is_named(value, says):
    times = pd.Series([f"2026-11-27 14:{n % 60:02}" for n in range(60)], dtype=object)
    times[7] = value
    with pytest.raises(mt.InputError, match=f"^order: .*{says}"):
        mt.sequential_test(FRAME.assign(time=times), planned=30, looks=3, order="time", rng=1)


# --- refusals -----------------------------------------------------------------------------------

FRAME = judged(normal_scores(2, 30, seed=1))


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"looks": []}, "looks"),
        ({"looks": [20, 10]}, "looks"),
        ({"looks": [20, 40]}, "looks"),
        ({"looks": 0}, "looks"),
        ({"looks": 2.5}, "looks"),
        ({"planned": 0}, "planned"),
        ({"spending": "all"}, "spending"),
        ({"spending": lambda share, alpha: 2 * alpha}, "spending"),
        ({"futility": 1.5}, "futility"),
        ({"system_a": "A"}, "system_b"),
        ({"system_a": "A", "system_b": "A"}, "system_b"),
        ({"alternative": "greater"}, "alternative"),
        ({"units": "documents"}, "units"),
        ({"units": list(range(30))}, "units"),
        ({"score": "points"}, "score"),
        ({"order": "time"}, "order"),
        ({"judgements": [1, 2]}, "judgements"),
        ({"judgements": FRAME[FRAME["system"] == "A"]}, "one system"),
    ],
)
def test_bad_input_is_named(changed, named):
    options: dict[str, Any] = {"judgements": FRAME, "planned": 30, "looks": 3, "rng": 1}
    with pytest.raises(mt.InputError, match=named):
        mt.sequential_test(**(options | changed))


def test_the_first_look_may_be_still_to_come():
    with pytest.raises(mt.InputError) as caught:
        mt.sequential_test(FRAME, planned=100, looks=[50, 100], rng=1)
    assert caught.value.code == NO_LOOK_YET


def test_a_metric_that_is_no_mean_is_refused():
    bleu = mt.load("wmt12/es-en").statistics("BLEU").select(["onlineA", "onlineB"])
    with pytest.raises(mt.InputError, match="BLEU"):
        mt.sequential_test(bleu, planned=3003, looks=1, rng=1)


def test_a_pair_that_was_hardly_judged_is_not_given_up():
    """Units that others were judged on say nothing of a pair."""
    rng = np.random.default_rng(4)
    rows = []
    for segment in range(100):
        systems = "ab" if segment % 25 else "abc"
        rows += [(system, segment, rng.normal()) for system in systems]
    frame = pd.DataFrame(rows, columns=["system", "segment", "score"])
    found = mt.sequential_test(frame, planned=200, looks=[50, 100], rng=1)
    table = found.table.set_index(["look", "system_a", "system_b"])
    well_judged = table.loc[(2, "a", "b")]
    hardly_judged = table[table["n_judged"] < 10]
    assert well_judged["n_judged"] == 100
    assert len(hardly_judged) == 4
    assert (hardly_judged["verdict"] == "go on").all()
    alone = mt.sequential_test(frame, "a", "b", planned=200, looks=[50, 100], rng=1)
    share = 0.5
    z = alone.table["statistic"].iloc[-1]
    edge = normal_boundary([0.25, 0.5, 1.0])[-1]
    to_come = np.sqrt(1 - share)
    crossed = ndtr((np.array([z, -z]) - edge * np.sqrt(share)) / to_come).sum()
    assert alone.table["predictive_power"].iloc[-1] == pytest.approx(crossed)
