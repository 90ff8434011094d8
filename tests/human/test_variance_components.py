"""Variance components of ratings: closed forms, another program, sizes where nothing differs."""

import dataclasses
import json
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.human import Ratings, variance_components
from mtsig_nb.human.variance_components import RatingDesign, components_of_difference

from ..messages import naming


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
    table = found.table.set_index("source")
    assert (table["by_system"].dropna() > 0).all()
    assert found.statistic == pytest.approx(d.mean())
    assert found.standard_error == pytest.approx(np.sqrt(variance))
    freedom = variance**2 / sum((square / 60) ** 2 / df for square, df, _ in squares.values())
    assert found.degrees_of_freedom == pytest.approx(freedom)
    assert found.pvalue == pytest.approx(2 * stats.t.sf(abs(d.mean()) / np.sqrt(variance), freedom))
    assert table.loc["rest", "by_system"] == pytest.approx(squares["rest"][0] / 2)


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


def test_degrees_of_freedom_are_those_of_the_whole_matrices():
    """Twice the square of the variance, by the variance of its estimate if all draws are normal."""
    frame = uneven()
    design = RatingDesign.of(frame, "a", None)
    found = design.analyse(frame["value"].to_numpy(), ("a", "b"))
    systems = np.stack([design.of_a, ~design.of_a], axis=1).astype(float)
    centre = np.eye(len(frame)) - systems @ np.linalg.pinv(systems)
    levels = [term.members.toarray() for term in design.terms]
    squares = [centre @ (z / z.sum(axis=0)) @ z.T @ centre for z in levels]
    expected = np.array([[np.sum(q * (z @ z.T)) for z in levels] for q in squares])
    observed = [frame["value"] @ q @ frame["value"] for q in squares]
    variances = np.maximum(np.linalg.solve(expected, observed), 0)
    contrast = np.linalg.pinv(systems).T @ [1, -1]
    loads = np.array([np.sum((z.T @ contrast) ** 2) for z in levels])
    form = np.tensordot(np.linalg.solve(expected.T, loads), squares, 1)
    spread = form @ sum(v * z @ z.T for v, z in zip(variances, levels, strict=True))
    squared = loads @ variances
    assert found.standard_error == pytest.approx(np.sqrt(squared))
    assert found.degrees_of_freedom == pytest.approx(squared**2 / np.trace(spread @ spread))


def asked_again(*, generations=3, calls=2, seed=0):
    """Five judges that are models rate each output, call by call; systems answer several times."""
    frame = crossed(EFFECTS, seed=seed)
    rng = np.random.default_rng(seed)
    again = pd.MultiIndex.from_product([range(generations), range(calls)])
    again = again.to_frame(index=False, name=["generation", "call"])
    frame = frame.merge(again, how="cross")
    value = frame["value"] + rng.normal(0, 0.5, len(frame))
    for judged in ([], ["rater"]):
        codes = frame.groupby(["system", "segment", "generation", *judged]).ngroup().to_numpy()
        value += rng.normal(size=codes.max() + 1)[codes]
    return frame.assign(value=value)


def test_generations_and_calls_are_told_apart_from_raters_and_segments():
    """In a balanced design, by mean squares of means over calls, then over generations."""
    frame = asked_again()
    found = components_of_difference(frame, "a", "b")
    table = found.table.set_index("source")
    assert (table["by_system"] > 0).all()  # none is cut off
    of_calls = frame.groupby(["system", "rater", "segment", "generation"])["value"]
    assert table.loc["rest", "by_system"] == pytest.approx(of_calls.var().mean())
    means = of_calls.mean().unstack("generation")
    rest = means.sub(means.mean(axis=1), axis=0)
    by_output = rest.groupby(["system", "segment"]).mean()
    outputs = 24 * 2  # a mean less among three generations of each
    both = 5 * (by_output**2).to_numpy().sum() / outputs
    left = rest - by_output.reindex(rest.droplevel("rater").index).to_numpy()
    assert table.loc["generation", "by_system"] == pytest.approx(
        (both - (left**2).to_numpy().sum() / (4 * outputs)) / 5
    )
    plain = frame.groupby(["system", "rater", "segment"], as_index=False)["value"].mean()
    assert found.standard_error == pytest.approx(
        components_of_difference(plain, "a", "b").standard_error
    )
    assert found.samples == ("rater", "segment", "generation")


def test_plans_buy_generations_and_calls_where_the_pilot_tells_them_apart():
    found = components_of_difference(asked_again(), "a", "b")
    limits = {"rater": 4, "document": 1, "segment": 10, "rating": 4}
    plans = found.plans({"call": 1.0, "generation": 20.0}, most=limits)
    own = found.table.set_index("source")["by_system"].clip(lower=0)
    assert max(plans["generations"]) > 1 < max(plans["calls"])
    for plan in plans.itertuples():
        outputs = plan.segments * plan.generations
        levels = {
            "rater": plan.raters,
            "segment": plan.segments,
            "rater × segment": plan.segments * plan.ratings,
            "generation": outputs,
            "rater × generation": outputs * plan.ratings,
            "rest": outputs * plan.ratings * plan.calls,
        }
        expected = sum(2 * own[source] / n for source, n in levels.items())
        assert plan.standard_error == pytest.approx(np.sqrt(expected))
        assert plan.cost == 2 * levels["rest"] + 40 * outputs
    pilot = components_of_difference(uneven(), "a", "b").plans({"rating": 1})
    assert set(pilot["generations"]) == set(pilot["calls"]) == {1}


def test_swapping_systems_turns_the_result_over():
    one, other = (components_of_difference(uneven(), *pair) for pair in (("a", "b"), ("b", "a")))
    assert one.statistic == -other.statistic
    assert one.pvalue == pytest.approx(other.pvalue, rel=1e-12)
    assert one.interval == pytest.approx(tuple(-x for x in reversed(other.interval)))
    greater = components_of_difference(uneven(), "a", "b", alternative="greater").pvalue
    less = components_of_difference(uneven(), "b", "a", alternative="less").pvalue
    assert greater == pytest.approx(less)


def test_order_names_and_points_do_not_matter():
    frame = uneven()
    renamed = frame.sample(frac=1, random_state=3).assign(
        rater=lambda table: table["rater"].map("rater {}".format),
        segment=lambda table: -table["segment"],
        value=lambda table: 50 - 7 * table["value"],
    )
    one, other = (components_of_difference(each, "a", "b") for each in (frame, renamed))
    assert other.statistic == pytest.approx(-7 * one.statistic)
    assert other.standard_error == pytest.approx(7 * one.standard_error)
    assert other.pvalue == pytest.approx(one.pvalue)
    ratios = other.table[["shared", "by_system"]] / one.table[["shared", "by_system"]]
    assert np.nanmin(ratios) == pytest.approx(49) == np.nanmax(ratios)


def test_what_a_system_does_everywhere_changes_nothing_else():
    frame = uneven()
    shifted = frame.assign(value=frame["value"] + 3.0 * (frame["system"] == "a"))
    one, other = (components_of_difference(each, "a", "b") for each in (frame, shifted))
    assert other.statistic == pytest.approx(one.statistic + 3)
    assert other.standard_error == pytest.approx(one.standard_error)


def test_strict_raters_count_where_they_are_dealt_unevenly():
    """A rater's own mean cancels only where both systems have the same share of the rater."""
    frame = crossed({("rater",): 5.0}, raters=8, segments=40)
    even = components_of_difference(frame, "a", "b")
    dealt = frame[(frame["rater"] % 2 == 0) == (frame["system"] == "a")]
    odd = components_of_difference(dealt, "a", "b")
    assert even.standard_error < 0.2
    assert odd.standard_error > 2
    assert odd.table.set_index("source").loc["rater", "share"] > 0.95


def test_the_penicillin_of_lme4():
    """Its plates and samples, once as they are and once under other names as a second system."""
    if not shutil.which("Rscript"):
        pytest.skip("needs R with lme4: Debian's r-cran-lme4")
    program = """
        suppressMessages(library(lme4))
        fitted <- lmer(diameter ~ 1 + (1 | plate) + (1 | sample), Penicillin)
        v <- as.data.frame(VarCorr(fitted))
        cat(sprintf("{%s}\n", paste0('"', v$grp, '": ', sprintf("%.8f", v$vcov), collapse = ", ")))
        write.csv(Penicillin, stdout(), row.names = FALSE)
    """
    run = subprocess.run(["Rscript", "-e", program], capture_output=True, text=True, check=False)
    if run.returncode:
        pytest.skip(f"R has no lme4: {run.stderr.strip()[-100:]}")
    first, *rows = run.stdout.splitlines()
    theirs = json.loads(first)
    cells = [row.replace('"', "").split(",") for row in rows[1:]]
    frame = pd.DataFrame(cells, columns=["value", "rater", "segment"]).astype({"value": float})
    copy = frame.assign(system="b", rater=frame["rater"] + "'", segment=frame["segment"] + "'")
    found = components_of_difference(pd.concat([frame.assign(system="a"), copy]), "a", "b")
    ours = found.table.set_index("source")["by_system"]
    # lme4 prints three decimals of standard deviations; its search ends within 1e-4.
    for source, name in (("rater", "plate"), ("segment", "sample"), ("rest", "Residual")):
        assert ours[source] == pytest.approx(theirs[name], rel=1e-4)


@pytest.mark.takes_time
def test_three_professionals_of_wmt23():
    """From the same ratings, computed otherwise: .21 by segments, .34 by documents."""
    ratings = mt.load("wmt23/zh-en").judgements["mqm_ratings"]
    pair = "GPT4-5shot", "ONLINE-W"
    errors = {
        samples: ratings.variance_components(*pair, standardised=False, samples=samples)
        for samples in (("segment",), ("document", "segment"), ("rater", "document", "segment"))
    }
    by_segment, by_document, by_all = (found.standard_error for found in errors.values())
    means = ratings.segment_means(standardised=False).as_statistics()
    assert by_segment == pytest.approx(0.21, abs=0.02)
    assert by_document == pytest.approx(0.34, abs=0.02)
    assert by_all > 1.5 * by_document
    assert errors["segment",].statistic == pytest.approx(
        means.scores()[pair[0]] - means.scores()[pair[1]]
    )


@pytest.mark.takes_time
def test_all_pairs_are_the_pairs_one_by_one():
    ratings = mt.load("wmt23/en-de").judgements["mqm_ratings"]
    tests = ratings.tests_over_samples(standardised=False)
    for row in tests.table.iloc[::11].itertuples():
        one = ratings.variance_components(row.system_a, row.system_b, standardised=False)
        assert (row.difference, row.standard_error, row.pvalue) == pytest.approx(
            (one.statistic, one.standard_error, one.pvalue)
        )
    words = tests.conclusions(0.05)
    assert (words.pairs() != 0).sum() == (tests.table["pvalue"] <= 0.05).sum()


def test_one_sided_tests_of_all_pairs():
    frame = uneven()
    two, greater = (
        variance_components.all_pairs_over_samples(
            frame, samples=None, alternative=alternative
        ).pvalues
        for alternative in ("two-sided", "greater")
    )
    off = ~np.eye(2, dtype=bool)
    assert greater[0, 1] + greater[1, 0] == pytest.approx(1)
    assert 2 * np.minimum(greater, greater.T)[off] == pytest.approx(two[off])


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["normal", "skewed"])
def test_size_where_raters_are_few(kind):
    frame = uneven(seed=5)
    design = RatingDesign.of(frame, "a", None)
    rng = np.random.default_rng(7)
    draw = rng.normal if kind == "normal" else lambda size: rng.exponential(size=size) - 1
    codes = {names: frame.groupby(list(names)).ngroup().to_numpy() for names in EFFECTS}
    rejected = 0
    for _ in range(400):
        value = draw(size=len(frame))
        for names, deviation in EFFECTS.items():
            value += deviation * draw(size=codes[names].max() + 1)[codes[names]]
        rejected += design.analyse(value, ("a", "b")).pvalue <= 0.05
    assert 2 <= rejected <= 34  # .005 to .085


def ratings_of(raters, documents, *, segments=5, own=(0.15, 0.1), per_document=None, dealt=None):
    """Who rates what of a and b, and draws of ratings of two equally good systems.

    `own` are the variances of what raters and documents add to one system and not to the other.
    """
    per_document = per_document or raters
    rows = []
    for document in range(documents):
        who = [(document * per_document + k) % raters for k in range(per_document)]
        if dealt is not None:
            who = [0 if document < dealt * documents else 1 + document % (raters - 1)]
        for segment in range(segments):
            name = (document, segment)
            rows += [(x, rater, document, name) for rater in who for x in "ab"]
    frame = pd.DataFrame(rows, columns=["system", "rater", "document", "segment"])
    variances = {
        ("rater",): 0.5,
        ("document",): 0.3,
        ("segment",): 0.4,
        ("system", "rater"): own[0],
        ("system", "document"): own[1],
        ("system", "segment"): 0.2,
        ("rater", "document"): 0.1,
    }
    codes = {names: frame.groupby(list(names)).ngroup().to_numpy() for names in variances}

    def draw(rng):
        value = rng.normal(size=len(frame))
        for names, variance in variances.items():
            effects = rng.normal(0, np.sqrt(variance), codes[names].max() + 1)
            value += effects[codes[names]]
        return value

    return RatingDesign.of(frame, "a", None), draw


@pytest.mark.slow
@pytest.mark.parametrize(
    ("raters", "documents", "options"),
    [
        (2, 60, {"segments": 10}),
        (2, 30, {"own": (0.6, 0.1)}),
        (2, 30, {"own": (0.03, 0.1)}),
        (3, 60, {"segments": 10}),
        (3, 30, {"own": (0.03, 0.1)}),
        (4, 30, {"per_document": 2}),
        (8, 4, {"segments": 20, "own": (0.03, 0.6)}),
        (8, 40, {"dealt": 0.7}),
    ],
)
def test_size_where_two_to_four_rate_or_one_rates_most(raters, documents, options):
    """At most .05 but for the luck of 400 draws, and never less than one degree of freedom."""
    design, draw = ratings_of(raters, documents, **options)
    rng = np.random.default_rng(13)
    rejected = 0
    for _ in range(400):
        found = design.analyse(draw(rng), ("a", "b"))
        rejected += found.pvalue <= 0.05
        assert found.degrees_of_freedom >= 1
        assert found.interval[1] - found.interval[0] < 100
    assert rejected <= stats.binom.isf(2e-4, 400, 0.05)


@pytest.mark.parametrize("raters", [2, 3, 4, 5, 8])
def test_fewer_than_five_raters_are_told_of(raters):
    design, draw = ratings_of(raters, 30)
    found = design.analyse(draw(np.random.default_rng(1)), ("a", "b"))
    few = raters < 5
    assert [note.code for note in found.notes] == ["few-raters"] * few
    assert found.degrees_of_freedom <= raters - 1 or not few
    over_others = dataclasses.replace(design, samples=("document", "segment"))
    assert over_others.analyse(draw(np.random.default_rng(1)), ("a", "b")).notes == ()


def test_plans_know_of_few_raters():
    design, draw = ratings_of(3, 30)
    pilot = design.analyse(draw(np.random.default_rng(1)), ("a", "b"))
    limits = {"rater": 3, "document": 30, "segment": 5, "rating": 3}
    plan = pilot.plans({"rating": 1.0}, most=limits).iloc[-1]
    reach = stats.t.ppf(0.975, plan["raters"] - 1) + stats.t.ppf(0.8, plan["raters"] - 1)
    assert plan["detectable"] == pytest.approx(reach * plan["standard_error"])


@pytest.mark.slow
def test_size_where_systems_answer_again_and_judges_are_called_again():
    frame = asked_again(generations=2)
    outputs = frame.groupby(["system", "segment", "generation"]).ngroup().to_numpy()
    codes = [frame.groupby(list(names)).ngroup().to_numpy() for names in EFFECTS]
    design = RatingDesign.of(frame, "a", None)
    rng = np.random.default_rng(9)
    rejected = 0
    for _ in range(400):
        value = rng.normal(size=len(frame))
        for of, deviation in zip([*codes, outputs], [*EFFECTS.values(), 1.5], strict=True):
            value += deviation * rng.normal(size=of.max() + 1)[of]
        rejected += design.analyse(value, ("a", "b")).pvalue <= 0.05
    assert 2 <= rejected <= 34  # .005 to .085


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


def test_copies_have_p_1_and_a_system_has_no_difference_from_itself():
    frame = uneven()
    own = frame[frame["system"] == "a"]
    both = pd.concat([own, own.assign(system="b")])
    found = components_of_difference(both, "a", "b")
    assert (found.statistic, found.pvalue) == (0, 1)
    assert found.interval == pytest.approx((0, 0), abs=1e-3)
    with pytest.raises(mt.InputError, match="is also system_a"):
        components_of_difference(frame, "a", "a")


def test_systems_rated_alike_share_what_follows_from_that(monkeypatch):
    """Three systems, three pairs, one design."""
    made = []
    of = RatingDesign.of
    monkeypatch.setattr(RatingDesign, "of", lambda *given: made.append(1) or of(*given))
    frame = crossed(EFFECTS)
    third = frame[frame["system"] == "a"].assign(system="c", value=lambda table: -table["value"])
    three = pd.concat([frame, third])
    variance_components.all_pairs_over_samples(three, samples=None, alternative="two-sided")
    assert len(made) == 1


@pytest.mark.parametrize("alternative", ["sideways", None])
def test_an_unknown_alternative_is_refused_by_all(alternative):
    with pytest.raises(mt.InputError, match="alternative"):
        components_of_difference(uneven(), "a", "b", alternative=alternative)
    with pytest.raises(mt.InputError, match="alternative"):
        variance_components.all_pairs_over_samples(uneven(), samples=None, alternative=alternative)


def test_one_rater_of_a_pair_is_told_of():
    frame = uneven()
    third = frame[frame["system"] == "a"].assign(system="c", rater=0)
    alone = pd.concat([frame[(frame["system"] == "b") & (frame["rater"] == 0)], third])
    found = components_of_difference(alone, "b", "c")
    (note,) = found.notes
    assert (note.code, note.values["unit"]) == ("one-of-a-unit", "rater")
    assert note in found.sentence
    assert found.samples == ("document", "segment")
    with pytest.raises(mt.InputError, match=naming("pilot", note)):
        found.plans({"rater": 1})
    assert components_of_difference(frame, "a", "b").notes == ()
    given = pd.concat([frame[frame["system"] == "a"], alone])
    tests = variance_components.all_pairs_over_samples(given, samples=None, alternative="two-sided")
    told = tests.table.set_index(["system_a", "system_b"])["note"]
    assert {frozenset(pair) for pair, said in told.items() if said} == {frozenset("bc")}
    assert "raters, documents, segments" in tests.title


def test_a_rater_for_each_system_says_nothing_about_the_systems():
    frame = uneven()
    own = frame[frame["rater"] == np.where(frame["system"] == "a", 1, 2)]
    with pytest.raises(mt.InputError, match=naming("rater: 'a' and 'b'", "single")):
        components_of_difference(own, "a", "b")
    given = components_of_difference(own, "a", "b", samples=["document", "segment"])
    assert given.samples == ("document", "segment")


def test_bad_questions_are_answered():
    ratings = Ratings(
        pd.DataFrame(
            [(r, s, i, 50) for r in ("ann",) for s in "ab" for i in range(3)],
            columns=["rater", "system", "segment", "raw"],
        )
    )
    with pytest.raises(mt.InputError, match="nothing varies"):
        ratings.variance_components("a", "b", standardised=False)
    with pytest.raises(mt.InputError, match=r"^samples: .* 'rater'"):
        ratings.variance_components("a", "b", standardised=False, samples=["rater"])
    with pytest.raises(mt.InputError, match=naming("system='c'", "'a', 'b'")):
        ratings.variance_components("a", "c", standardised=False)
    with pytest.raises(mt.InputError, match="costs"):
        components_of_difference(uneven(), "a", "b").plans({"pizza": 1})


def nested(*, raters=4, documents=12, segments=5, generations=1, seed=0, own=None):
    """Two systems rated by all raters; effects of a system with these standard deviations."""
    levels = {
        "system": ["a", "b"],
        "rater": range(raters),
        "document": range(documents),
        "segment": range(segments),
        "generation": range(generations),
    }
    frame = pd.MultiIndex.from_product(levels.values(), names=levels).to_frame(index=False)
    rng = np.random.default_rng(seed)
    value = rng.normal(0, 0.3, len(frame))
    for columns, deviation in (own or {("document",): 0.5, ("document", "segment"): 2.0}).items():
        codes = frame.groupby(["system", *columns]).ngroup().to_numpy()
        value += deviation * rng.normal(size=codes.max() + 1)[codes]
    return frame.assign(value=value)


def paired_t(frame, units):
    """Standard error and degrees of freedom of the paired t test over means of units."""
    means = frame.groupby(["system", *units])["value"].mean().unstack("system")
    difference = means["a"] - means["b"]
    return difference.std() / np.sqrt(len(difference)), len(difference) - 1


@pytest.mark.parametrize("samples", [["document"], ["document", "segment"]])
def test_with_documents_their_segments_are_samples(samples):
    """It is the paired t test over means of documents, where no variance is cut off at zero."""
    own = {("document",): 1.5, ("document", "segment"): 1.0, ("rater", "document"): 0.5}
    frame = nested(own=own)
    found = components_of_difference(frame, "a", "b", samples=samples)
    answer = found.standard_error, found.degrees_of_freedom
    assert answer == pytest.approx(paired_t(frame, ["document"]))
    assert set(found.samples) >= {"document", "segment"}


@pytest.mark.parametrize("samples", [["segment"], ["segment", "generation"]])
def test_with_segments_their_generations_are_samples(samples):
    own = {("segment",): 1.0, ("segment", "generation"): 2.0, ("rater", "segment"): 0.5}
    frame = nested(documents=1, segments=30, generations=3, own=own).drop(columns="document")
    found = components_of_difference(frame, "a", "b", samples=samples)
    assert found.standard_error == pytest.approx(paired_t(frame, ["segment"])[0])
    assert found.degrees_of_freedom == pytest.approx(29)
    alone = components_of_difference(frame, "a", "b", samples=["generation"])
    assert alone.samples == ("generation",)


def one_rater_each(frame):
    """Each document has one of the raters."""
    n_raters = frame["rater"].nunique()
    return frame[frame["rater"] == frame["document"] % n_raters]


CONFOUNDED = {
    "one segment each": (nested(documents=30, segments=1), ["document", "segment"]),
    "one generation each": (nested(segments=6), ["segment", "generation"]),
    "one rater each": (
        one_rater_each(nested(raters=6, documents=30, own={("rater", "document"): 2.0})),
        ["rater", "document"],
    ),
}


@pytest.mark.parametrize("world", CONFOUNDED)
def test_sources_that_cannot_be_told_apart_count_under_either_name(world):
    frame, names = CONFOUNDED[world]
    answers = [
        components_of_difference(frame, "a", "b", samples=[name]).standard_error for name in names
    ]
    assert answers[0] == pytest.approx(answers[1], rel=1e-9)
    assert answers[0] > 0.1  # and not that of the rest


def test_what_is_told_apart_still_counts_under_its_own_name_only():
    frame = nested(own={("document", "segment"): 2.0, ("rater",): 1.0})
    by_rater, by_segment = (
        components_of_difference(frame, "a", "b", samples=[name]).table.set_index("source")
        for name in ("rater", "segment")
    )
    assert by_rater.loc["segment", "share"] == 0 == by_segment.loc["rater", "share"]
    assert by_rater.loc["rater", "share"] > 0.5 < by_segment.loc["segment", "share"]


def test_segments_of_one_name_in_many_documents_are_many():
    frame = nested(raters=6, documents=30, segments=1)
    found = components_of_difference(frame, "a", "b")
    apart = components_of_difference(frame.assign(segment=frame["document"]), "a", "b")
    assert found.notes == apart.notes == ()
    assert (found.standard_error, found.pvalue) == (apart.standard_error, apart.pvalue)
    assert "segment" in found.samples


def test_one_generation_of_each_output_is_no_gap():
    """Its variation lies within that of segments, which counts."""
    frame = nested(raters=6, documents=10, segments=3)
    found = components_of_difference(frame, "a", "b")
    without = components_of_difference(frame.drop(columns="generation"), "a", "b")
    assert found.notes == ()
    assert found.standard_error == pytest.approx(without.standard_error)
    costs = {"rater": 10.0, "rating": 1.0}
    pd.testing.assert_frame_equal(found.plans(costs), without.plans(costs))


def test_one_document_is_told_of_and_one_segment_of_it():
    frame = nested(documents=1, segments=1)
    found = components_of_difference(frame, "a", "b")
    values = [each.values["unit"] for each in found.notes if each.code == "one-of-a-unit"]
    assert values == ["document", "segment", "generation"]


def test_a_constant_difference_is_refused_and_so_said():
    frame = nested(own={("rater",): 0.0})
    same = frame[frame["system"] == "a"]
    ahead = same.assign(system="b", value=same["value"] + 1)
    with pytest.raises(mt.InputError, match=naming("'a' and 'b'", "same amount")):
        components_of_difference(pd.concat([same, ahead]), "a", "b")
    noise = np.random.default_rng(0).normal(0, 1e-4, len(ahead))
    nearly = pd.concat([same, ahead.assign(value=ahead["value"] + noise)])
    assert 0 < components_of_difference(nearly, "a", "b").standard_error < 1e-4
    far = nearly.assign(value=nearly["value"] + 1e6)
    assert 0 < components_of_difference(far, "a", "b").standard_error < 1e-4


@pytest.mark.takes_time
@pytest.mark.parametrize(("raters", "segments", "own"), [(40, 2, 1.0), (40, 3, 0.1)])
def test_size_where_two_or_three_segments_are_rated_by_many(raters, segments, own):
    """At most .05 but for the luck of 400 draws; without a cap .08 to .11 for two."""
    frame = nested(raters=raters, documents=1, segments=segments)
    frame = frame.drop(columns=["document", "generation"])
    design = RatingDesign.of(frame, "a", None)
    by_rater = frame.groupby(["system", "rater"]).ngroup().to_numpy()
    by_segment = frame.groupby(["system", "segment"]).ngroup().to_numpy()
    rng = np.random.default_rng(5)
    rejected = 0
    for _ in range(400):
        value = rng.normal(size=len(frame))
        value += rng.normal(0, np.sqrt(0.5), 2 * raters)[by_rater]
        value += rng.normal(0, np.sqrt(own), 2 * segments)[by_segment]
        found = design.analyse(value, ("a", "b"))
        rejected += found.pvalue <= 0.05
        assert found.degrees_of_freedom <= segments - 1
    assert rejected <= stats.binom.isf(2e-4, 400, 0.05)
    (noted,) = found.notes
    assert (noted.code, noted.values) == ("few-levels", {"n": segments, "unit": "segment"})


@pytest.mark.takes_time
def test_a_system_that_is_rated_less_and_varies_more_is_told_of():
    """Nearly always where its standard deviation is double, and seldom where it is the same."""
    frame = nested(raters=24, documents=20, segments=1).drop(columns=["segment", "generation"])
    frame = frame[(frame["rater"] < 6) == (frame["system"] == "a")]
    design = RatingDesign.of(frame, "a", None)
    is_a = (frame["system"] == "a").to_numpy()
    by_rater = frame.groupby("rater").ngroup().to_numpy()
    rng = np.random.default_rng(6)
    told = {1.0: 0, 2.0: 0, 0.5: 0}
    for ratio in told:
        for _ in range(200):
            value = rng.normal(size=len(frame)) + rng.normal(0, 0.5, 24)[by_rater]
            value[is_a] *= ratio
            notes = design.analyse(value, ("a", "b")).notes
            told[ratio] += "unequal-variances" in [each.code for each in notes]
    assert told[1.0] <= 4
    assert told[2.0] >= 190
    assert told[0.5] == 0  # the standard error is then too large


@pytest.mark.parametrize("name", ["value", "rater", "document", "segment"])
def test_a_rating_that_lacks_something_is_refused(name):
    frame = nested()
    missing = frame.assign(**{name: frame[name].astype(float).where(frame.index != 3)})
    lacks = naming(f"{name}: 1 of ", "first one of 'a'")
    with pytest.raises(mt.InputError, match=lacks):
        components_of_difference(missing, "a", "b")
    with pytest.raises(mt.InputError, match=lacks):
        variance_components.all_pairs_over_samples(missing, samples=None, alternative="less")


def test_samples_are_a_list_and_no_string():
    with pytest.raises(mt.InputError, match=naming("samples='segment'", "['segment']")):
        components_of_difference(nested(), "a", "b", samples="segment")
    single = nested(raters=1, documents=1, segments=1)
    with pytest.raises(mt.InputError, match=naming("'a'", "or ", "'b'", "nothing varies")):
        components_of_difference(single, "a", "b")


@pytest.mark.takes_time
def test_systems_with_raters_of_their_own_have_both_variances_in_one():
    """The docstring's sentence on ``by_system``, by the mean of 100 estimates."""
    frame = nested(raters=12, documents=20, segments=2)
    frame = frame[(frame["rater"] % 2 == 0) == (frame["system"] == "a")]
    design = RatingDesign.of(frame, "a", None)
    by_rater = frame.groupby("rater").ngroup().to_numpy()
    rng = np.random.default_rng(2)
    estimates = []
    for _ in range(100):
        value = rng.normal(0, 0.3, len(frame))
        value += rng.normal(0, 1, 12)[by_rater] + rng.normal(0, 0.5, 12)[by_rater]
        table = design.analyse(value, ("a", "b")).table.set_index("source")
        assert np.isnan(table.loc["rater", "shared"])
        estimates.append(table.loc["rater", "by_system"])
    assert np.mean(estimates) == pytest.approx(1.25, abs=0.2)
