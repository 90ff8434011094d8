"""Designs of new campaigns: closed formulas of balanced ones, and simulated campaigns."""

from __future__ import annotations

import numpy as np
import pytest

import mtsig_nb as mt
from mtsig_nb.human import Ratings, plan_campaign
from mtsig_nb.human.campaign_plans import screens_of_campaign
from mtsig_nb.human.tails import chance_of_rejection
from tools.trust.planned_campaigns import VARIANCES, drawn


def only(plans):
    """The row of the only design."""
    (row,) = plans.table.itertuples()
    return row


def test_two_systems_before_all_raters_have_the_paired_t_test_over_raters():
    variances = {"rater": 9.0, "system:rater": 4.0, "rest": 6.0}
    plan = only(
        plan_campaign(
            variances, systems=2, raters=5, documents=3, segments=1, n_ratings=30, on_a_screen=2
        )
    )
    assert (plan.raters, plan.documents, plan.screens, plan.ratings) == (5, 3, 15, 30)
    assert plan.standard_error == pytest.approx(np.sqrt(2 * (4 / 5 + 6 / 15)))
    assert plan.degrees_of_freedom == pytest.approx(4)


def test_a_complete_layout_has_the_mean_squares_of_its_analysis_of_variance():
    systems, raters, items = 4, 5, 8
    variances = {
        "rater": 4.0,
        "segment": 5.0,
        "system:rater": 2.0,
        "system:segment": 3.0,
        "rater:segment": 1.0,
        "rest": 6.0,
    }
    plan = only(
        plan_campaign(
            variances,
            systems=systems,
            raters=raters,
            documents=items,
            segments=1,
            n_ratings=systems * raters * items,
            on_a_screen=systems,
        )
    )
    squares = {
        6 + items * 2.0: ((systems - 1) * (raters - 1), 1),
        6 + raters * 3.0: ((systems - 1) * (items - 1), 1),
        6.0: ((systems - 1) * (raters - 1) * (items - 1), -1),
    }
    squared_error = 0.0
    spread = 0.0
    for square, (freedom, sign) in squares.items():
        part = 2 * square / (raters * items)
        squared_error += sign * part
        spread += part**2 / freedom
    assert plan.standard_error**2 == pytest.approx(squared_error)
    assert plan.degrees_of_freedom == pytest.approx(squared_error**2 / spread)


def test_each_output_rated_once_has_the_error_of_an_incomplete_layout():
    """All systems of a document before one rater: documents are paired, and raters share them."""
    variances = {"rater": 64.0, "system:rater": 6.0, "document": 49.0, "rest": 30.0}
    plan = only(
        plan_campaign(
            variances, systems=5, raters=4, segments=1, n_ratings=200, on_a_screen=5, detect=4
        )
    )
    assert plan.documents == 40
    assert plan.standard_error**2 == pytest.approx(2 * (6 / 4 + 30 / 40))
    mean_square = 30 + 10 * 6  # systems by raters
    assert plan.standard_error**2 == pytest.approx(2 * mean_square / 40)
    assert plan.degrees_of_freedom == pytest.approx(4 * 3)


@pytest.mark.takes_time
def test_the_detectable_difference_has_the_power_that_is_asked_for():
    plans = plan_campaign(VARIANCES, systems=6, raters=[3, 8], n_ratings=400, power=0.7, alpha=0.01)
    for row in plans.table.itertuples():
        found = chance_of_rejection(
            row.detectable,
            row.standard_error,
            standard_error=row.standard_error,
            freedom=row.degrees_of_freedom,
            alpha=0.01,
        )
        assert float(found) == pytest.approx(0.7, abs=1e-4)


@pytest.mark.takes_time
def test_simulated_campaigns_have_the_planned_errors_and_powers():
    asked = {"systems": 4, "raters": 6, "n_ratings": 240, "segments": 2, "on_a_screen": 2}
    plan = only(plan_campaign(VARIANCES, **asked, detect=8))
    frame = screens_of_campaign(**asked)
    expected = np.array([80, 80, 72, 72])[frame["system"]]
    errors = []
    n_found = 0
    for seed in range(25):
        raw = drawn(frame, expected, np.random.default_rng(seed))
        table = Ratings(frame.assign(raw=raw), scale=None).mixed_model().tests().table
        errors.append(table["standard_error"].mean())
        parts = table["system_a"].astype(int) // 2 != table["system_b"].astype(int) // 2
        n_found += (table["pvalue"] <= 0.05)[parts].mean()
    assert np.mean(errors) == pytest.approx(plan.standard_error, rel=0.08)
    assert n_found / 25 == pytest.approx(plan.power, abs=0.12)


def test_components_may_be_a_models_table():
    frame = screens_of_campaign(systems=3, raters=4, n_ratings=120, segments=2, on_a_screen=3)
    raw = drawn(frame, np.zeros(len(frame)), np.random.default_rng(3))
    components = Ratings(frame.assign(raw=raw), scale=None).mixed_model().components
    asked = {"systems": 3, "raters": 4, "n_ratings": 120, "segments": 2, "on_a_screen": 3}
    by_table = plan_campaign(components, **asked).table
    by_name = plan_campaign(dict(components.set_index("term")["variance"]), **asked).table
    assert by_table.equals(by_name)


@pytest.mark.takes_time
def test_the_cheapest_design_that_is_enough_is_recommended():
    plans = plan_campaign(
        VARIANCES,
        systems=4,
        raters=[3, 6, 12],
        n_ratings=[200, 400],
        segments=2,
        costs={"rating": 1, "rater": 20, "document": 1},
        detect=9,
    )
    best = plans.recommended()
    assert best["detectable"] <= 9
    cheaper = plans.table[plans.table["cost"] < best["cost"]]
    assert len(cheaper)
    assert (cheaper["detectable"] > 9).all()
    row = plans.table.iloc[0]
    assert row["cost"] == row["ratings"] + 20 * row["raters"] + row["documents"]
    hopeless = plan_campaign(VARIANCES, systems=4, raters=[3, 6], n_ratings=200, detect=0.1)
    assert hopeless.recommended()["detectable"] == hopeless.table["detectable"].min()


def test_documents_that_are_few_are_rated_again_by_others():
    frame = screens_of_campaign(
        systems=4, raters=3, documents=5, n_ratings=120, segments=2, on_a_screen=2
    )
    assert frame["document"].nunique() == 5
    assert (frame.groupby(["system", "document", "segment"])["rater"].nunique() == 3).all()
    assert not frame.drop(columns="screen").duplicated().any()


@pytest.mark.parametrize(
    ("asked", "culprit"),
    [
        ({"systems": 1}, "systems=1"),
        ({"raters": 1}, "raters=1"),
        ({"raters": []}, "raters is empty"),
        ({"documents": 1}, "documents=1"),
        ({"segments": 0}, "segments=0"),
        ({"on_a_screen": 0}, "on_a_screen=0"),
        ({"n_ratings": 3}, "n_ratings=3"),
        ({"n_ratings": 30, "segments": 20, "on_a_screen": 2}, "n_ratings=30 leave"),
        ({"costs": {"pizza": 1}}, "pizza"),
        ({"detect": -1}, "detect=-1"),
        ({"power": 1}, "power"),
        ({"alpha": 1}, "alpha"),
    ],
)
def test_errors_name_the_argument(asked, culprit):
    whole = {"systems": 4, "raters": 3, "n_ratings": 60, "segments": 2} | asked
    with pytest.raises(mt.InputError, match=culprit):
        plan_campaign(VARIANCES, **whole)


@pytest.mark.parametrize(
    ("components", "culprit"),
    [
        ({"pizza": 1, "rest": 1}, "pizza"),
        ({"rater": -1, "rest": 1}, "rater=-1"),
        ({"rater": 1}, "rest"),
    ],
)
def test_components_that_are_no_variances_are_refused(components, culprit):
    with pytest.raises(mt.InputError, match=culprit):
        plan_campaign(components, systems=4, raters=3, n_ratings=60)
