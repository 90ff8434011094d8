"""What to judge next: against fitted models, exact distributions, and campaigns that went on."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.human import Ratings, mixed_model, next_judgements
from mtsig_nb.human.mixed_model import planned_model
from mtsig_nb.human.reml import AdjustedCovariance
from mtsig_nb.human.screens import Rota, frame_of_screens, lengths_like
from mtsig_nb.human.shrunken_effects import ShrunkenEffects, variance_between
from mtsig_nb.human.tails import chance_of_rejection
from mtsig_nb.notes import code_of
from tools.trust.campaigns_of_ratings import Campaign
from tools.trust.planned_campaigns import VARIANCES, covariance, drawn_given

from ..messages import naming

UNITS = ["rater", "document", "segment"]


def ratings(seed=1, **settings):
    """Of a small campaign whose systems are called a, b, …"""
    made = Campaign(**{"systems": 6, "screens": 40, "documents": 25, **settings}).simulate(
        np.random.default_rng(seed)
    )
    made["system"] = [chr(ord("a") + int(name[1:])) for name in made["system"]]
    return made.astype({"segment": str})


def fitted(frame, **asked):
    return Ratings(frame, scale=None).mixed_model(**asked)


@pytest.fixture(scope="module")
def model():
    return fitted(ratings())


@pytest.fixture(scope="module")
def options(model):
    return next_judgements(model, {"rating": 1, "screen": 2, "document": 5, "rater": 50})


# --- The errors of a design -----------------------------------------------------------------------


@pytest.mark.parametrize("settings", [{}, {"screens": 20, "documents": 60}, {"raters": 3}])
def test_the_planned_model_of_the_present_ratings_is_the_fitted_one(settings):
    found = fitted(ratings(**settings))
    variances = dict(found.components.set_index("term")["variance"])
    planned = planned_model(found.rated.sample(frac=1, random_state=3), variances)
    in_order = planned.covariance.ordered(np.argsort(np.argsort(found.systems)))
    contrasts = np.eye(6)[:5] - np.eye(6)[1:]
    error, freedom = in_order.of_contrasts(contrasts)
    expected, expected_freedom = found.covariance.of_contrasts(contrasts)
    assert error == pytest.approx(expected, rel=1e-6)
    assert freedom == pytest.approx(expected_freedom, rel=1e-6)


def test_variances_that_a_design_cannot_tell_apart_add_up():
    frame = ratings(screens=30, documents=200)[["system", *UNITS]]
    apart = {"rater": 4.0, "document": 9.0, "system:segment": 7.0, "rest": 16.0}
    together = {"rater": 4.0, "document": 9.0, "rest": 23.0}
    first = planned_model(frame, apart).covariance
    second = planned_model(frame, together).covariance
    assert first.covariance == pytest.approx(second.covariance)
    assert first.of_variances == pytest.approx(second.of_variances)


def test_so_do_those_that_only_together_are_like_others():
    """Raters and documents cross so little that some variances only add up to what others are."""
    rows = [(s, "r1" if s == "a" else "r2", d) for s in "abc" for d in range(8)]
    rows += [(s, "r1", d) for s in "bc" for d in range(8, 14)]
    frame = pd.DataFrame(rows, columns=["system", "rater", "document"])
    variances = {
        "rater": 2.0,
        "system:rater": 3.0,
        "document": 5.0,
        "system:document": 1.0,
        "rater:document": 4.0,
        "rest": 6.0,
    }
    planned = planned_model(frame, variances)
    assert len(planned.terms) < len(variances)
    exact = model_based(frame, variances)
    contrasts = np.array([[1.0, -1, 0], [0, 1, -1]])
    found = np.diag(contrasts @ planned.covariance.model_based @ contrasts.T)
    assert found == pytest.approx(np.diag(contrasts @ exact @ contrasts.T))


def model_based(frame, variances):
    """The covariance of generalised least squares, by its definition."""
    columns = {name: frame[name] for name in ("system", *UNITS) if name in frame}
    whole = covariance(pd.DataFrame(columns), variances)
    dummies = pd.get_dummies(frame["system"]).to_numpy(dtype=float)
    return np.linalg.inv(dummies.T @ np.linalg.solve(whole, dummies))


# --- Chances --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mean", "deviation", "freedom"), [(0, 1, 8), (2, 1, 4), (3, 0.5, 20), (-2.5, 0.8, 3)]
)
def test_chances_are_those_of_drawn_estimates(mean, deviation, freedom):
    rng = np.random.default_rng(1)
    estimates = rng.normal(mean, deviation, 200_000)
    errors = np.sqrt(rng.chisquare(freedom, 200_000) / freedom)
    rejected = np.abs(estimates / errors) > stats.t.ppf(0.975, freedom)
    found = chance_of_rejection(mean, deviation, standard_error=1, freedom=freedom, alpha=0.05)
    assert float(found) == pytest.approx(rejected.mean(), abs=4e-3)


def test_an_estimate_that_is_known_is_told_apart_or_is_not():
    asked = {"standard_error": 1.0, "freedom": 1e6, "alpha": 0.05}
    found = chance_of_rejection([1.9, 2.1, 300.0], 0.0, **asked)
    assert found == pytest.approx([0, 1, 1], abs=1e-6)


@pytest.mark.takes_time
def test_later_estimates_are_those_of_the_normal_distribution_of_all_ratings(model, options):
    """By conditioning the estimates of all ratings on the present ratings, without any identity."""
    variances = dict(model.components.set_index("term")["variance"])
    frame = model.rated
    option = int(options.table.query("documents == 'new' and raters == 'present'").index[0])
    added = options.screens(option)[frame.columns]
    whole = pd.concat([frame, added], ignore_index=True).astype(str)
    n = len(frame)
    everything = covariance(whole, variances)
    order = list(model.systems)
    dummies = pd.get_dummies(whole["system"])[order].to_numpy(dtype=float)

    def least_squares(rows):
        part = np.linalg.solve(everything[rows, rows], dummies[rows])
        error = np.linalg.inv(dummies[rows].T @ part)
        return error @ part.T, error

    now, error_now = least_squares(slice(0, n))
    later, error_later = least_squares(slice(0, len(whole)))
    known = ShrunkenEffects.of(model)
    # The present ratings enter by their estimates and by what the later estimates take from them.
    y = np.random.default_rng(2).normal(size=n)
    y += dummies[:n] @ (known.estimates - now @ y)
    gain = np.linalg.solve(everything[:n, :n], everything[:n, n:]).T
    of_new = everything[n:, n:] - gain @ everything[:n, n:]
    of_effects = later[:, n:] @ (dummies[n:] - gain @ dummies[:n])
    mean = later[:, :n] @ y + later[:, n:] @ gain @ y + of_effects @ known.mean
    spread = later[:, n:] @ of_new @ later[:, n:].T
    spread += of_effects @ known.covariance @ of_effects.T

    contrasts = np.eye(6)[:5] - np.eye(6)[1:]
    then = AdjustedCovariance(error_later, error_later, np.zeros((1, 6, 6)), np.eye(1))
    found_mean, found_deviation = known.later_estimates(then, contrasts)
    assert error_now == pytest.approx(known.of_estimates_now)
    assert found_mean == pytest.approx(contrasts @ mean)
    assert found_deviation == pytest.approx(np.sqrt(np.diag(contrasts @ spread @ contrasts.T)))


def test_differences_shrink_by_the_share_of_the_variance_that_is_error():
    rng = np.random.default_rng(4)
    estimates = rng.normal(0, 3, 10)
    between = variance_between(estimates, 4 * np.eye(10) + 50)
    assert between == pytest.approx(np.var(estimates, ddof=1) - 4)
    assert variance_between(estimates / 10, 4 * np.eye(10)) < 1e-3


def test_shrunk_differences_are_smaller_and_in_the_same_order(options):
    now = options.now
    assert (now["shrunk"].abs() < now["difference"].abs()).mean() > 0.8
    assert now["shrunk"].abs().sum() < now["difference"].abs().sum()


@pytest.mark.takes_time
def test_with_a_difference_to_detect_chances_are_the_power_of_the_test(model):
    found = next_judgements(model, n_ratings=200, detect=6, correction=None)
    row = found.pairs.iloc[0]
    power = chance_of_rejection(
        6,
        row["standard_error"],
        standard_error=row["standard_error"],
        freedom=row["degrees_of_freedom"],
        alpha=0.05,
    )
    assert row["chance"] == pytest.approx(float(power))
    assert found.alpha == 0.05


# --- Campaigns that went on -----------------------------------------------------------------------


@pytest.mark.takes_time
def test_campaigns_that_went_on_have_the_planned_errors():
    campaign = Campaign(systems=6, screens=40, documents=30)
    ratios = []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        frame = campaign.simulate(rng).astype({"segment": str})
        start = fitted(frame)
        # The true variances in the place of the estimates.
        components = start.components.assign(variance=start.components["term"].map(VARIANCES))
        object.__setattr__(start, "components", components.fillna({"variance": 0.0}))
        found = next_judgements(start, n_ratings=300, new_raters=4)
        option = int(rng.integers(len(found)))
        added = found.screens(option).drop(columns="screen").astype(str)
        whole = pd.concat([frame, added], ignore_index=True)
        expected = np.zeros(len(whole))
        known = frame["raw"].to_numpy() - 80
        whole["raw"] = np.concatenate([known, drawn_given(whole, expected, known, rng)])
        then = fitted(whole).tests().table
        planned = found.pairs.query("option == @option")
        ratios.append(then["standard_error"].mean() / planned["standard_error"].mean())
    assert np.mean(ratios) == pytest.approx(1, abs=0.05)


def test_more_ratings_of_the_same_kind_have_smaller_errors(options):
    kinds = options.table.groupby(["documents", "raters"])
    for _, kind in kinds:
        by_size = kind.sort_values("ratings")
        assert by_size["standard_error"].is_monotonic_decreasing
        assert len(by_size) == 4


# --- Screens --------------------------------------------------------------------------------------


def test_nobody_rates_an_output_again(model, options):
    for option in range(len(options)):
        added = options.screens(option)
        whole = pd.concat([model.rated.drop_duplicates(), added[model.rated.columns]])
        assert not whole.duplicated().any()


def test_screens_have_one_rater_and_one_document_and_count_what_the_table_says(options):
    for option, row in options.table.iterrows():
        added = options.screens(option)
        by_screen = added.groupby("screen")
        assert len(by_screen) == row["screens"]
        assert len(added) == row["ratings"]
        assert (by_screen[["rater", "document"]].nunique() == 1).all().all()
        assert by_screen["system"].nunique().max() <= 3
        is_new = added["rater"].str.startswith("new rater")
        assert is_new.all() == is_new.any() == (row["raters"] == "new")
        assert added.loc[is_new, "rater"].nunique() == row["new_raters"]
        is_new = added["document"].str.startswith("new document")
        assert is_new.all() == is_new.any() == (row["documents"] == "new")
        expected = row["ratings"] + 2 * row["screens"]
        expected += 5 * row["new_documents"] + 50 * row["new_raters"]
        assert row["cost"] == expected


def test_work_is_shared_out_evenly():
    lengths = np.full(24, 2)
    rota = Rota(np.zeros((4, 24, 6), dtype=bool))
    screens = list(
        rota.deal(
            systems=range(6),
            raters=range(3),
            documents=range(24),
            n_segments=lengths,
            on_a_screen=3,
        )
    )[:48]
    frame = frame_of_screens(screens, lengths)
    assert set(frame["rater"]) == {0, 1, 2}
    assert frame.groupby("rater").size().nunique() == 1
    assert frame.groupby("system").size().nunique() == 1
    assert np.ptp(frame.groupby(["rater", "system"]).size()) <= 2 * 2
    assert np.ptp(rota.n_together[~np.eye(6, dtype=bool)]) <= 4


@pytest.mark.parametrize("share", [0, 0.4])
def test_all_raters_rate_everything_in_the_end_and_nobody_twice(share):
    has_rated = np.random.default_rng(1).random((3, 4, 5)) < share
    has_rated[0, 0] = share > 0
    rota = Rota(has_rated)
    screens = rota.deal(
        systems=range(5),
        raters=range(1, 3),
        documents=range(4),
        n_segments=np.ones(4, dtype=int),
        on_a_screen=2,
    )
    n_outputs = sum(len(screen.systems) for screen in screens)
    assert n_outputs == np.sum(~has_rated[1:])
    assert rota.has_rated[1:].all()
    assert (rota.has_rated[0] == has_rated[0]).all()


def test_new_documents_are_as_long_as_those_that_there_are():
    lengths = np.array([1, 1, 2, 7])
    made = lengths_like(lengths, 400)
    assert np.bincount(made)[[1, 2, 7]] == pytest.approx([200, 100, 100], abs=3)
    assert (lengths_like(lengths, 10) == made[:10]).all()


# --- What is asked --------------------------------------------------------------------------------


@pytest.mark.takes_time
def test_the_order_of_rows_does_not_matter(options):
    frame = ratings().sample(frac=1, random_state=5)
    again = next_judgements(fitted(frame), {"rating": 1, "screen": 2, "document": 5, "rater": 50})
    pd.testing.assert_frame_equal(again.table, options.table)
    pd.testing.assert_frame_equal(again.pairs, options.pairs)


@pytest.mark.takes_time
def test_pairs_that_are_asked_for_add_options_with_their_systems_alone(model):
    found = next_judgements(model, pairs=[("f", "a"), ("c", "a")], n_ratings=100, new_raters=0)
    assert set(found.table["systems"]) == {"all", *found.table["systems"]} - {""}
    listed = next(name for name in found.table["systems"] if name != "all")
    assert set(listed.split(", ")) == {"a", "c", "f"}
    alone = found.table.query("systems != 'all'").index
    assert set(found.screens(int(alone[0]))["system"]) == {"a", "c", "f"}
    assert len(found.now) == 2


@pytest.mark.takes_time
def test_cheapest_is_the_first_option_that_is_enough(model):
    options = next_judgements(model, {"rating": 1, "rater": 50}, power=0.3)
    found = options.cheapest()
    assert 0 < len(found) < len(options.now)
    for row in found.itertuples():
        pairs = options.pairs.query("system_a == @row.system_a and system_b == @row.system_b")
        enough = pairs[pairs["chance"] >= options.power]
        assert row.chance == enough.iloc[0]["chance"]
        assert row.cost == options.table["cost"][enough["option"].min()]
    assert found.equals(options.cheapest())
    assert options.table["cost"].is_monotonic_increasing


@pytest.mark.takes_time
def test_with_segments_alone_each_is_a_document():
    frame = ratings().drop(columns="document")
    found = next_judgements(fitted(frame), n_ratings=60, new_raters=2, detect=5)
    added = found.screens(int(found.table.query("documents == 'new'").index[0]))
    assert list(added.columns) == ["screen", "system", "rater", "segment"]
    assert added["segment"].str.startswith("new segment").all()


@pytest.mark.takes_time
def test_with_generations_new_outputs_have_one():
    twice = [ratings().assign(generation=k) for k in (0, 1)]
    frame = pd.concat(twice, ignore_index=True)
    frame["raw"] += np.random.default_rng(2).normal(0, 5, len(frame))
    found = next_judgements(fitted(frame), n_ratings=60, detect=5)
    assert set(found.screens(0)["generation"]) == {0}


def test_with_one_rater_there_are_no_new_ones():
    frame = ratings(raters=1)
    found = next_judgements(fitted(frame), n_ratings=60, detect=5)
    assert set(found.table["raters"]) == {"present"}
    assert "next-one-unit" in {code_of(text) for text in found.notes}
    with pytest.raises(mt.InputError, match=naming("new_raters=2:", "one rater", "Give 0")):
        next_judgements(fitted(frame), n_ratings=60, new_raters=2)


@pytest.mark.takes_time
def test_terms_that_only_options_tell_apart_are_named():
    found = next_judgements(fitted(ratings(screens=25, documents=200)), n_ratings=400, detect=5)
    (told,) = [text for text in found.notes if code_of(text) == "next-unknown-terms"]
    assert "system:segment" in told.values["terms"]


def test_documents_that_get_too_many_ratings_are_refused(model, monkeypatch):
    monkeypatch.setattr(mixed_model, "MOST_IN_A_BLOCK", 60)
    with pytest.raises(mt.InputError, match=r"^n_ratings: .* of one document .* 60\."):
        next_judgements(model, n_ratings=5000)


def test_where_nothing_is_left_to_rate_that_is_said():
    rows = [(s, r, "d", k) for s in "abc" for r in ("r1", "r2", "r3") for k in range(4)]
    frame = pd.DataFrame(rows, columns=["system", "rater", "document", "segment"])
    frame["raw"] = np.random.default_rng(1).normal(size=len(frame))
    with pytest.raises(mt.InputError, match="nothing left"):
        next_judgements(fitted(frame), new_raters=0, detect=1)


@pytest.mark.takes_time
def test_if_all_pairs_are_told_apart_some_have_to_be_named():
    frame = ratings()
    frame["raw"] += 100 * frame["system"].map(ord)
    found = fitted(frame)
    with pytest.raises(mt.InputError, match="pairs"):
        next_judgements(found)
    assert len(next_judgements(found, pairs=[("a", "b")], n_ratings=50).now) == 1


@pytest.mark.parametrize(
    ("asked", "culprit"),
    [
        ({"costs": {"pizza": 1}}, "pizza"),
        ({"costs": {"rater": -1}}, "rater=-1"),
        ({"pairs": ["ab"]}, "'ab' is not a pair"),
        ({"pairs": [("a", "z")]}, "'z'"),
        ({"pairs": [("a", "a")]}, "single system"),
        ({"pairs": []}, "pairs names none"),
        ({"n_ratings": 0}, "n_ratings=0"),
        ({"n_ratings": [2.5]}, "n_ratings=2.5"),
        ({"n_ratings": []}, "n_ratings is empty"),
        ({"new_raters": -1}, "new_raters=-1"),
        ({"on_a_screen": 0}, "on_a_screen=0"),
        ({"detect": 0}, "detect=0"),
        ({"power": 2}, "power"),
        ({"alpha": 0}, "alpha"),
        ({"correction": "hommel"}, "correction"),
    ],
)
def test_errors_name_the_argument(model, asked, culprit):
    with pytest.raises(mt.InputError, match=culprit):
        next_judgements(model, **asked)


def test_a_model_with_a_trend_is_refused(model):
    with pytest.raises(mt.InputError, match="trend"):
        next_judgements(dataclasses.replace(model, trend={"change": 1.0}))


def test_an_option_that_is_not_there_is_refused(options):
    with pytest.raises(mt.InputError, match="option=99"):
        options.screens(99)
