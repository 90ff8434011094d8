"""What plans promise: against the design itself, against mean squares, and by simulation."""

import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt
from mtsig_nb.human.planned_errors import Sources, squared_errors
from mtsig_nb.human.plans import Designs
from mtsig_nb.human.variance_components import (
    RatingDesign,
    VarianceComponents,
    components_of_difference,
)

VARIANCES = {
    "rater": 0.05,
    "document": 0.08,
    "segment": 0.2,
    "generation": 0.15,
    "rater × document": 0.07,
    "rater × segment": 0.1,
    "rater × generation": 0.09,
    "rest": 0.6,
}
#: What a source adds to both systems alike, which cancels.
SHARED = 0.3
#: Teams of three raters of seven in which any two meet once.
FANO = [(0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5)]


def rated_by(teams, *, segments, generations=1, calls=1, without=()):
    """Ratings without values: each document is rated by its team, in all outputs of it."""
    rows = [
        (system, rater, document, (document, segment), (document, segment, generation))
        for document, team in enumerate(teams)
        for rater in team
        for segment in range(segments)
        for generation in range(generations)
        for _ in range(calls)
        for system in "ab"
    ]
    columns = ["system", "rater", "document", "segment", "generation"]
    frame = pd.DataFrame(rows, columns=columns)
    if generations == 1:
        frame = frame.drop(columns="generation")
    return frame.drop(columns=list(without))


def planned_and_true(teams, samples=None, **numbers):
    """Squared standard error and degrees of freedom: of a plan, and of its design's sums."""
    frame = rated_by(teams, **numbers)
    design = RatingDesign.of(frame, "a", samples)
    names = [" × ".join(term.units) or "rest" for term in design.terms]
    by_system = [term.by_system for term in design.terms]
    variances = np.where(by_system, [VARIANCES[name] for name in names], SHARED)
    squared = design.loads @ variances
    freedom = squared**2 / (variances @ design.spread @ variances)
    plan = Designs(
        raters=np.array([float(len(set(sum(teams, ()))))]),
        documents=np.array([float(len(teams))]),
        segments=np.array([float(numbers["segments"])]),
        ratings=np.array([float(len(teams[0]))]),
        generations=np.array([float(numbers.get("generations", 1))]),
        calls=np.array([float(numbers.get("calls", 1))]),
    )
    known = {name: VARIANCES[name] for name, own in zip(names, by_system, strict=True) if own}
    sources = Sources(known, design.samples)
    assert sources.can_be_told_apart(plan)
    (planned_squared,), (planned_freedom,) = squared_errors(plan, sources)
    return (planned_squared, planned_freedom), (squared, freedom)


ALL_FIVE = [tuple(range(5))]
IN_TURN = [(rater,) for rater in range(7)]


@pytest.mark.parametrize(
    ("teams", "numbers", "samples"),
    [
        (ALL_FIVE * 20, {"segments": 1}, None),
        (ALL_FIVE * 6, {"segments": 4}, None),
        (ALL_FIVE * 6, {"segments": 3, "generations": 2}, None),
        (ALL_FIVE * 6, {"segments": 2, "generations": 2, "calls": 2}, None),
        (ALL_FIVE * 6, {"segments": 4, "without": ["document"]}, None),
        (IN_TURN * 3, {"segments": 3}, None),
        (IN_TURN * 3, {"segments": 3, "generations": 2}, None),
        (IN_TURN * 3, {"segments": 1}, None),
        (IN_TURN * 3, {"segments": 2, "without": ["rater"]}, None),
        (ALL_FIVE * 6, {"segments": 2, "without": ["rater"]}, None),
        (ALL_FIVE * 6, {"segments": 4}, ["document"]),
        (ALL_FIVE * 6, {"segments": 4}, ["segment"]),
        (ALL_FIVE * 6, {"segments": 4}, ["rater"]),
        (ALL_FIVE * 6, {"segments": 4}, ["rater", "segment"]),
        (ALL_FIVE * 6, {"segments": 3, "generations": 2}, ["segment"]),
        (ALL_FIVE * 6, {"segments": 3, "generations": 2}, ["generation"]),
        (ALL_FIVE * 6, {"segments": 3, "generations": 2, "calls": 2}, ["rater", "generation"]),
        (IN_TURN * 3, {"segments": 2}, ["document"]),
    ],
)
def test_plans_have_the_degrees_of_freedom_of_their_design(teams, numbers, samples):
    """Where all rate everything, and where each output has one rater."""
    planned, true = planned_and_true(teams, samples, **numbers)
    assert planned == pytest.approx(true, rel=1e-9)


@pytest.mark.parametrize(
    ("numbers", "samples"),
    [
        ({"segments": 1}, None),
        ({"segments": 2, "without": ["document"]}, None),
        ({"segments": 3}, None),
        ({"segments": 3}, ["rater"]),
        ({"segments": 3}, ["rater", "segment"]),
        ({"segments": 3}, ["segment"]),
    ],
)
def test_plans_in_which_any_two_raters_meet_equally_often(numbers, samples):
    """Projections on raters and on documents meet at one angle only, as the plan supposes."""
    planned, true = planned_and_true(FANO, samples, **numbers)
    assert planned == pytest.approx(true, rel=1e-9)


@pytest.mark.parametrize(
    ("raters", "documents", "first_team"),
    [(10, 20, (0, 1, 3)), (8, 40, (0, 1, 2, 4, 5)), (12, 24, (0, 1)), (9, 9, (0, 1, 2, 3))],
)
def test_plans_in_which_raters_take_turns_are_nearly_right(raters, documents, first_team):
    """Teams move on by one from document to document, so that some raters never meet."""
    teams = [
        tuple((place + document) % raters for place in first_team) for document in range(documents)
    ]
    planned, true = planned_and_true(teams, segments=2)
    assert planned[0] == pytest.approx(true[0], rel=1e-9)
    assert planned[1] == pytest.approx(true[1], rel=0.05)


def test_degrees_of_freedom_are_those_of_mean_squares():
    """By hand, of all raters on all documents."""
    (squared, freedom), _ = planned_and_true(ALL_FIVE * 6, segments=4)
    v = VARIANCES
    part = {
        "rater": 2 * v["rater"] / 5,
        "both": 2 * v["rater × document"] / 30 + 2 * v["rest"] / 120,
        "document": 2 * v["document"] / 6 + 2 * v["segment"] / 24,
    }
    assert squared == pytest.approx(sum(part.values()))
    half = (part["rater"] + part["both"]) ** 2 / 4
    half += (part["document"] + part["both"]) ** 2 / 5
    half += part["both"] ** 2 / 20
    assert freedom == pytest.approx(squared**2 / half)


def pilot_of(variances, samples):
    """A pilot that estimated these variances."""
    table = pd.DataFrame({"source": list(variances), "by_system": list(variances.values())})
    return VarianceComponents("a", "b", 0.0, 1.0, 9.0, table, samples)


@pytest.mark.takes_time
@pytest.mark.parametrize(
    ("raters", "segments", "variances"),
    [
        (5, 20, {"rater": 0.05, "segment": 0.1, "rest": 1.0}),
        (10, 20, {"rater": 0.02, "segment": 0.1, "rest": 1.0}),
    ],
)
def test_plans_keep_what_they_promise(raters, segments, variances, draws):
    """The difference that .80 should find is found in .73 or more of simulated evaluations.

    With 5.5 and 13 degrees of freedom; a share of 500 has a standard error of .018, of 1,000 .013.
    """
    n_draws = draws(500, 1000)
    pilot = pilot_of(variances, ("rater", "segment"))
    most = {"rater": raters, "document": 1, "segment": segments, "rating": raters}
    plans = pilot.plans({"rating": 1.0}, most=most)
    whole = plans[(plans["ratings"] == raters) & (plans["segments"] == segments)].iloc[0]
    frame = rated_by([tuple(range(raters))], segments=segments, without=["document"])
    design = RatingDesign.of(frame, "a", None)
    of_a = (frame["system"] == "a").to_numpy()
    by_rater = frame.groupby(["system", "rater"]).ngroup().to_numpy()
    by_segment = frame.groupby(["system", "segment"]).ngroup().to_numpy()
    rng = np.random.default_rng(17)
    found = 0
    for _ in range(n_draws):
        value = rng.normal(0, np.sqrt(variances["rest"]), len(frame))
        value += rng.normal(0, np.sqrt(variances["rater"]), 2 * raters)[by_rater]
        value += rng.normal(0, np.sqrt(variances["segment"]), 2 * segments)[by_segment]
        value += whole["detectable"] * of_a
        found += design.analyse(value, ("a", "b")).pvalue <= 0.05
    assert 0.73 <= found / n_draws <= 0.84


def test_plans_leave_out_what_could_not_be_analysed():
    """Documents as given, raters as a sample: one rater each would be told from no document."""
    known = {"rater": 0.1, "document": 0.2, "segment": 0.3, "rest": 1.0}
    most = {"rater": 6, "document": 12, "segment": 4, "rating": 3}
    over_raters = pilot_of(known, ("rater",)).plans({"rating": 1.0}, most=most)
    assert over_raters["ratings"].min() > 1
    over_segments = pilot_of(known, ("segment",)).plans({"rating": 1.0}, most=most)
    assert over_segments["segments"].min() > 1
    over_all = pilot_of(known, ("rater", "document", "segment")).plans({"rating": 1.0}, most=most)
    assert over_all["ratings"].min() == over_all["segments"].min() == 1


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"power": 1.0}, "power=1.0 must lie between alpha=0.05 and 1"),
        ({"power": 1.5}, "power"),
        ({"power": 0.05}, "power"),
        ({"power": "high"}, "power"),
        ({"alpha": 0}, "alpha"),
        ({"alpha": 2.0}, "alpha"),
        ({"most": {"rater": 0}}, "most: rater=0 must be a number of at least 1"),
        ({"most": {"segment": np.nan}}, "most: segment"),
        ({"most": {"pizza": 3}}, "pizza"),
    ],
)
def test_bad_questions_to_a_pilot_are_answered(given, told):
    frame = rated_by(ALL_FIVE * 6, segments=2)
    frame["value"] = np.random.default_rng(0).normal(size=len(frame))
    pilot = components_of_difference(frame, "a", "b")
    with pytest.raises(mt.InputError, match=told):
        pilot.plans({"rating": 1.0}, **given)


def test_a_pilot_that_rated_each_output_once_does_not_buy_more_ratings_of_it():
    """What segments add is in its rest, and more ratings of a segment would not make that less."""
    frame = rated_by(IN_TURN * 3, segments=4)
    rng = np.random.default_rng(1)
    by_segment = frame.groupby(["system", "segment"]).ngroup().to_numpy()
    frame["value"] = rng.normal(size=len(frame)) + rng.normal(size=len(frame))[by_segment]
    pilot = components_of_difference(frame, "a", "b")
    assert np.isnan(pilot.table.set_index("source").loc["segment", "by_system"])
    assert set(pilot.plans({"document": 1.0})["ratings"]) == {1}
    twice = rated_by([(0, 1), (2, 3), (4, 5), (6, 0)] * 5, segments=4)
    twice["value"] = rng.normal(size=len(twice))
    plans = components_of_difference(twice, "a", "b").plans({"document": 1.0})
    assert plans["ratings"].max() > 1
