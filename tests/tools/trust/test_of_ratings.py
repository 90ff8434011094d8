"""Campaigns of ratings: what holds in them, how tests are counted, and what the page says."""

from __future__ import annotations

import dataclasses
import itertools
import re

import numpy as np
import pandas as pd
import pytest

from mtsig_nb.human import Ratings
from tools.notebooks.files import ROOT
from tools.repository import results
from tools.trust import (
    beside_r,
    decimals,
    measuring,
    of_ratings,
    ratings_table,
    recommending,
    simulated,
    wording,
    worlds,
)
from tools.trust.campaigns_of_ratings import Campaign, Deviations

KEPT = results.trust()
WORLDS = {world.key: world for world in worlds.WORLDS}
CAMPAIGNS = WORLDS["dynamic-campaigns"]
SETTINGS = {setting["label"]: setting for setting in ratings_table.settings_of_worlds(KEPT)}
NO_NOISE = Deviations(0, 0, 0, 0, 0, 0)


def simulated_with(seed=0, **settings):
    return Campaign(**settings).simulate(np.random.default_rng(seed))


def without_noise(**settings):
    return simulated_with(deviations=NO_NOISE, **settings)


# --- What holds in the worlds ---------------------------------------------------------------------


def test_without_noise_a_rating_is_the_quality_of_its_system():
    by_system = without_noise().groupby("system")["raw"].agg(["min", "max"])
    expected = [80, 80, 75, 75, 70, 70, 65, 65]
    assert by_system["min"].tolist() == by_system["max"].tolist() == expected


def test_leaders_are_shown_more_often_or_alone_or_as_often_as_others():
    shares = {}
    for assignment in ("dynamic", "greedy", "even"):
        frame = simulated_with(gap=20, screens=400, documents=400, assignment=assignment)
        shares[assignment] = frame["system"].isin(["s00", "s01"]).mean()
    assert shares["greedy"] > 0.6 > shares["dynamic"] > 0.35 > shares["even"]
    assert shares["even"] == pytest.approx(0.25, abs=0.05)


def test_about_a_third_of_the_ratings_is_at_the_ceiling():
    (setting,) = (each for each in CAMPAIGNS.settings if each.label == "a ceiling at 100")
    raw = pd.concat([frame for (frame,) in setting.make(20, 1)])["raw"]
    assert raw.max() == 100
    assert (raw == 100).mean() == pytest.approx(0.35, abs=0.03)


def test_ratings_drift_from_the_first_screen_to_the_last():
    raw = without_noise(gap=0, drift=-10.0)["raw"]
    assert raw.is_monotonic_decreasing
    assert raw.iloc[0] == pytest.approx(80 - 10 / 120)
    assert raw.iloc[-1] == pytest.approx(70)


def test_one_rater_rates_at_random():
    frame = without_noise(gap=0, random_raters=1, screens=400, documents=400)
    is_first = frame["rater"] == "r00"
    assert set(frame.loc[~is_first, "raw"]) == {80.0}
    assert frame.loc[is_first, "raw"].between(0, 100).all()
    assert frame.loc[is_first, "raw"].std() == pytest.approx(100 / np.sqrt(12), rel=0.1)


def quality_by_document(frame):
    """The mean rating of each system in each document that all systems have."""
    return frame.pivot_table(index="document", columns="system", values="raw").dropna()


def test_where_quality_depends_on_length_documents_of_equal_weight_have_none():
    frame = without_noise(gap=0, longest=8, by_length=2.0, screens=1200)
    by_document = quality_by_document(frame)
    assert len(by_document) == 60
    differences = by_document["s00"] - by_document["s01"]
    lengths = frame.groupby("document")["segment"].nunique()
    assert differences.mean() == pytest.approx(0, abs=1e-9)
    standardised = (lengths - lengths.mean()) / lengths.std(ddof=0)
    assert differences.to_numpy() == pytest.approx(2 * standardised[differences.index].to_numpy())


def test_effects_of_content_are_zero_over_all_types():
    deviations = dataclasses.replace(NO_NOISE, system_content=4.0)
    by_document = quality_by_document(simulated_with(gap=0, screens=1200, deviations=deviations))
    content_type = by_document.index.str[1:].astype(int) % 3
    assert (by_document.groupby(content_type).nunique() == 1).all(axis=None)
    assert by_document.mean().to_numpy() == pytest.approx(80)
    assert by_document.std().mean() == pytest.approx(4, rel=0.5)


def test_a_screen_has_one_effect():
    deviations = dataclasses.replace(NO_NOISE, screen=5.0)
    frame = simulated_with(gap=0, deviations=deviations)
    assert frame["raw"].nunique() == 120
    assert frame["raw"].std() == pytest.approx(5, rel=0.2)


@pytest.mark.parametrize("skewness", [-2.0, 1.0])
def test_draws_are_as_skewed_as_they_are_said_to_be(skewness):
    draws = Campaign(skewness=skewness)._draw(np.random.default_rng(1), 3.0, 200_000)
    assert draws.mean() == pytest.approx(0, abs=0.05)
    assert draws.std() == pytest.approx(3, rel=0.02)
    assert np.mean((draws / 3) ** 3) == pytest.approx(skewness, rel=0.1)


def test_test_sets_have_ratings_of_their_own():
    one_set = simulated.campaigns_of_ratings(2, 1)
    two_sets = simulated.campaigns_of_ratings(2, 1, test_sets=2, deviations={"rater": 0.0})
    assert [len(test_sets) for test_sets in one_set + two_sets] == [1, 1, 2, 2]
    first, second = two_sets[0]
    assert not np.array_equal(first["raw"].to_numpy()[:50], second["raw"].to_numpy()[:50])


# --- How tests are counted ------------------------------------------------------------------------


def test_neighbours_are_equal_and_unequal_in_turn():
    systems = ["s00", "s01", "s02", "s03"]
    assert of_ratings.equal_pairs(systems) == [("s00", "s01"), ("s02", "s03")]
    assert of_ratings.unequal_pairs(systems) == [("s01", "s02")]


@pytest.mark.takes_time
def test_the_moments_of_a_pair_are_those_of_all_pairs():
    frame = simulated_with(systems=4, documents=12, screens=24)
    every = Ratings(frame, scale=None).tests_over_samples(standardised=False)
    pairs = list(itertools.combinations(["s00", "s01", "s02", "s03"], 2))
    alone = [of_ratings.by_moments([frame], pair).table["pvalue"].item() for pair in pairs]
    assert of_ratings.pvalues_of_pairs(every, pairs) == pytest.approx(alone)


def rows_of(made):
    """The rows of a count, by group and name."""
    setting = dataclasses.replace(CAMPAIGNS.settings[0], n_slow=2)
    rows = of_ratings.of_campaigns(setting, made, lambda *use: 7)
    return {(row["group"], row["name"]): row for row in rows}


@pytest.mark.takes_time
def test_what_is_counted_of_campaigns_is_what_their_tests_say():
    campaign = Campaign(systems=4, documents=12, screens=24, gap=30)
    made = [[campaign.simulate(np.random.default_rng(seed))] for seed in range(3)]
    rows = rows_of(made)
    models = [Ratings(frame, scale=None).mixed_model() for (frame,) in made]
    plain = []
    claims = 0
    for (frame,), model in zip(made, models, strict=True):
        means = frame.groupby("system")["raw"].mean()
        for a, b in (("s00", "s01"), ("s02", "s03")):
            plain.append(means[a] - means[b])
            claims += model.tests().conclusions(0.05).word(a, b) != "indistinguishable"
    tests = rows["tests", "mixed-model"]
    assert (tests["of"], tests["counts"]["0.05"]) == (6, claims)
    assert rows["power", "mixed-model"]["of"] == 3
    assert rows["power", "mixed-model"]["counts"]["0.05"] == 3  # thirty points are seen
    assert rows["tests", "components-0"]["of"] == 2 * 2
    errors = rows["estimates", "estimates"]["campaigns"]
    assert np.concatenate([campaign["plain"] for campaign in errors]) == pytest.approx(plain)
    kept = measuring.kept_rows([list(rows.values())])
    assert all("campaigns" not in row for row in kept)
    assert all(row["summary"]["campaigns"] == 3 for row in kept if row["name"] == "mixed-model")


@pytest.mark.takes_time
def test_rules_are_counted_where_they_compare_equal_systems():
    campaign = Campaign(systems=4, documents=12, screens=24, gap=30)
    made = [[campaign.simulate(np.random.default_rng(seed))] for seed in range(2)]
    rows = rows_of(made)
    frames = [frame for (frame,) in made]
    for rule in of_ratings.RULES:
        expected = []
        for number, frame in enumerate(frames, start=7):
            table = Ratings(frame, scale=None).by_field_rules(rng=number)
            for row in table[table["rule"] == rule].itertuples():
                if {row.system_a, row.system_b} in ({"s00", "s01"}, {"s02", "s03"}):
                    expected.append(row.better)
        row = rows["rules", rule]
        assert (row["of"], row["counts"]["0.05"]) == (len(expected), sum(expected))


def test_the_error_of_a_share_takes_campaigns_as_units():
    """All pairs of a campaign alike: as many independent answers as there are campaigns."""
    alike = [[True] * 4] * 10 + [[False] * 4] * 30
    found = of_ratings.summary_of_claims(alike)
    assert found["campaigns"] == 40
    assert found["error"] == pytest.approx(np.sqrt(0.25 * 0.75 / 39), rel=1e-3)
    row = {"counts": {"0.05": 40}, "of": 160, "summary": found}
    assert ratings_table.monte_carlo_error(row) == found["error"] > recommending.error(40, 160)


def test_summaries_of_estimates_by_hand():
    errors = [
        {"model": [1.0, -1.0], "centred": [1.0, 1.0], "plain": [2.0, -2.0], "freedom": [10, 20]},
        {"model": [2.0, 0.0], "centred": [1.0, 1.0], "plain": [4.0, 0.0], "freedom": [30, 50]},
    ]
    found = of_ratings.summary_of_estimates(errors)
    assert (found["model"][0], found["plain"], found["bias of model"][0]) == (1.0, [2.0, 0.0], 0.5)
    assert found["ratio"] == [4.0, 0.0]
    assert found["freedom"] == 25


def test_what_is_above_the_level_by_chance_is_not_too_often():
    row = {"group": "tests", "name": "pearmut", "of": 400, "summary": {"error": 0.0}}
    assert not ratings_table.is_too_often(row | {"counts": {"0.05": 28}})
    assert ratings_table.is_too_often(row | {"counts": {"0.05": 32}})
    one_sided = row | {"name": "wmt25"}
    assert not ratings_table.is_too_often(one_sided | {"counts": {"0.05": 50}})
    assert ratings_table.is_too_often(one_sided | {"counts": {"0.05": 56}})


@pytest.mark.parametrize(
    ("value", "digits", "shown"), [(0.05, 3, ".050"), (-0.254, 2, "−.25"), (1.5, 1, "1.5")]
)
def test_numbers_have_no_zero_before_the_point(value, digits, shown):
    assert decimals.number(value, digits) == shown


# --- What the page says ---------------------------------------------------------------------------


def test_the_table_has_a_line_for_each_setting_and_a_cell_for_each_column():
    table = ratings_table.table_of_ratings(KEPT)
    assert [cells[0] for cells in table["lines"]] == list(map(wording.written, SETTINGS))
    assert len(SETTINGS) >= 15
    assert {len(cells) for cells in table["lines"]} == {len(ratings_table.HEADER)}


def test_the_counts_kept_are_those_of_the_declared_numbers_of_campaigns():
    for key in ratings_table.WORLDS:
        for setting in WORLDS[key].settings:
            rows = SETTINGS[setting.label]["rows"]
            model, *moments = (row for row in rows if row["group"] == "tests")
            assert model["summary"]["campaigns"] == setting.n_parts * setting.n_pairs
            assert len(moments) == (setting.n_slow > 0)
            for row in moments:
                assert row["summary"]["campaigns"] == setting.n_parts * setting.n_slow


def test_what_the_page_on_ratings_says_of_false_claims():
    page = " ".join((ROOT / "docs" / "ratings.md").read_text(encoding="utf-8").split())
    claims = ratings_table.table_of_ratings(KEPT)["claims"]
    assert f"difference in {claims} " in page


@pytest.mark.takes_time
def test_the_table_beside_r_can_be_computed_again():
    kept = {row["set"]: row for row in KEPT["beside_r"]}
    again = beside_r.largest_differences()
    assert [row["set"] for row in again] == list(kept)
    for row in again:
        before = kept[row["set"]]
        for name in ("ratings", "terms", "pairs"):
            assert row[name] == before[name]
        for name in ("difference", "standard_error", "degrees_of_freedom", "log_likelihood"):
            assert row[name] < 1e-5
            assert row[name] < 100 * before[name] + 1e-9


@pytest.mark.takes_time
def test_what_differs_from_r_is_seen(monkeypatch):
    read = pd.read_csv

    def with_other_errors(path, *given):
        frame = read(path, *given)
        if "standard_error" in frame:
            frame["standard_error"] *= 1.01
        return frame

    monkeypatch.setattr(pd, "read_csv", with_other_errors)
    assert all(row["standard_error"] > 0.005 for row in beside_r.largest_differences())


def test_the_page_has_the_words_for_what_was_counted():
    section = (ROOT / "docs" / "trust" / "campaigns.md").read_text(encoding="utf-8")
    table = ratings_table.table_of_ratings(KEPT)
    in_all = f"In all {len(SETTINGS)} settings" in section
    assert in_all != bool(table["too_often"])
    errors = ratings_table.estimates(next(iter(SETTINGS.values())))
    plain, centred, model = (errors[name][0] for name in ("plain", "centred", "model"))
    assert plain > centred > model
    assert plain - centred > centred - model  # most of the gain
    power = {
        label: recommending.rate(ratings_table.by_model(setting, "power"))
        for label, setting in SETTINGS.items()
    }
    usual = power["dynamic: leaders more often"]
    assert all(
        power[label] < usual for label in ("2 raters", "3 raters", "one of 8 raters at random")
    )
    for label in ("2 raters", "3 raters", "one of 8 raters at random"):
        assert not ratings_table.is_too_often(ratings_table.by_model(SETTINGS[label], "tests"))
    assert len(re.findall(r"^\| .* \|$", section, re.MULTILINE)) >= len(SETTINGS)
