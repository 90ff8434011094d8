"""Ratings by several people from the command line."""

import io
import re

import numpy as np
import pandas as pd
import pytest

from mtsig_nb.human import Ratings, mean_over_test_sets, mixed_model
from mtsig_nb.report.analysis import Analysis

from ..messages import naming, printed
from .program import answer, claims, refusal, run, words

TYPED = "compare --scores rated.csv"
#: What follows the number of outputs that a rater rated twice.
RATED_AGAIN = "already rated"


@pytest.fixture(autouse=True)
def rated(tmp_path, monkeypatch):
    """Four raters, two for each of ten documents; A is better, the raters are unequally strict."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(4)
    documents = np.arange(30) // 3
    rows = []
    for rater, strict in enumerate([0, 8, -5, 3]):
        for segment, document in enumerate(documents):
            if document % 4 in (rater, (rater + 1) % 4):
                for system, lead in (("A", 12), ("B", 0), ("C", -1)):
                    score = 60 + lead - strict + rng.normal(0, 4)
                    rows.append((system, f"d{document}", segment, f"r{rater}", round(score, 2)))
    frame = pd.DataFrame(rows, columns=["system", "document", "segment", "rater", "score"])
    frame.to_csv("rated.csv", index=False)
    return frame


def test_the_numbers_are_those_of_ratings(rated):
    tests = Ratings(rated).mixed_model().tests().table
    found = pd.read_csv(io.StringIO(run(f"{TYPED} -f csv").stdout))
    for name in ("system_a", "system_b"):
        assert found[name].tolist() == tests[name].tolist()
    for name in ("score_a", "difference", "standard_error", "degrees_of_freedom", "pvalue", "low"):
        assert found[name].to_numpy() == pytest.approx(tests[name].to_numpy())
    assert found["conclusion"].tolist() == ["better", "better", "indistinguishable"]


def test_estimates_stand_beside_means_and_variances(rated):
    found = answer(TYPED)
    estimates = pd.DataFrame(found["estimates"]).set_index("system")
    model = Ratings(rated).mixed_model()
    assert estimates["score"].to_dict() == pytest.approx(model.scores().to_dict())
    means = rated.groupby("system")["score"].mean()
    assert estimates["mean"].to_dict() == pytest.approx(means.to_dict())
    by_rater = rated.groupby("rater")["score"]
    above = (rated["score"] - by_rater.transform("mean")).groupby(rated["system"]).mean()
    centred = above + rated["score"].mean()
    assert estimates["centred"].to_dict() == pytest.approx(centred.to_dict())
    ratings = Ratings(rated)
    standard = ratings.standardised().groupby(ratings.frame["system"]).mean()
    assert estimates["standardised"].to_dict() == pytest.approx(standard.to_dict())
    components = pd.DataFrame(found["components"])
    assert components["term"].tolist() == model.components["term"].tolist()
    assert components["variance"].tolist() == pytest.approx(model.components["variance"].tolist())


@pytest.mark.takes_time
def test_ratings_that_are_too_many_for_one_model_are_tested_pair_by_pair(rated, monkeypatch):
    """As before there was a model: by plain means, and a note says so."""
    monkeypatch.setattr(mixed_model, "MOST_IN_A_BLOCK", 10)
    tests = Ratings(rated).tests_over_samples(standardised=False).table
    found = answer(TYPED)
    pairs = pd.DataFrame(found["pairs"])
    for name in ("difference", "standard_error", "pvalue", "share_rater"):
        assert pairs[name].tolist() == pytest.approx(tests[name].tolist())
    (too_large,) = printed(" ".join(found["notes"]), "model-too-large")
    assert too_large["most"] == "10"
    assert "moments" in found["methods_sentence"]
    assert "likelihood" not in found["methods_sentence"]
    names: dict = {}
    exec(Analysis(scores="rated.csv").run().code(), names)
    assert names["tests"].table["pvalue"].tolist() == pytest.approx(tests["pvalue"].tolist())


def samples(typed: str) -> list[str]:
    """Whose variation is counted, as the page and the sentence on methods have it."""
    (named,) = re.findall(r"Samples: (.*?)\.", words(typed))
    methods = answer(typed)["methods_sentence"]
    names = re.split(", | and ", named)
    for name in names:
        assert re.search(rf"\d+ {name}\b", methods)
    return names


@pytest.mark.takes_time
def test_it_says_whose_variation_it_counts(rated):
    said = words(TYPED)
    assert re.match(naming("score: A ", "better", "B, C (", "adjusted p"), said)
    assert claims(TYPED) == [("score", "A", "B"), ("score", "A", "C")]
    assert samples(TYPED) == ["raters", "documents", "segments"]
    assert re.search(naming(f"{len(rated)} ratings", "raters: 4"), said)
    rated.drop(columns="document").to_csv("rated.csv", index=False)
    assert samples(TYPED) == ["raters", "segments"]


def test_a_baseline_is_what_others_are_set_against(rated):
    """In the table and its legend; the rows of the best system turn over."""
    best = Ratings(rated).mixed_model().tests().table.set_index(["system_a", "system_b"])
    said = words(f"{TYPED} --baseline B -w 4")
    assert "much better B is" in said
    assert f"{-best.loc[('A', 'B'), 'difference']:+.4f}" in said
    assert f"{best.loc[('B', 'C'), 'difference']:+.4f}" in said


@pytest.mark.takes_time
def test_the_level_of_intervals_is_chosen(rated):
    tests = Ratings(rated).mixed_model().tests(confidence_level=0.8).table
    pairs = pd.DataFrame(answer(f"{TYPED} --confidence 0.8")["pairs"])
    assert pairs["low"].tolist() == pytest.approx(tests["low"].tolist())
    assert "level 0.8" in answer(f"{TYPED} --confidence 0.8")["methods_sentence"]


def test_the_methods_in_latex_can_be_pasted(rated):
    latex = run(f"{TYPED} -f latex").stdout
    methods = latex.partition(r"\begin{sloppypar}")[2].partition(r"\end{sloppypar}")[0]
    assert r"mtsig\_nb" in methods
    without_keys = re.sub(r"\\cite[pt]\{[^}]*\}", "", methods)
    assert not re.search(r"(?<!\\)[%&_#]", without_keys)
    assert "% score: standard deviations, rater " in latex  # for whoever asks what was in the model
    assert re.search(naming("180 ratings", "raters: 4"), latex)


def test_all_pairs_in_latex_are_all_pairs(rated):
    assert run(f"{TYPED} --pairs -f latex").stdout.count(r" \\") == 4


@pytest.mark.takes_time
def test_penalties_turn_scores_over(rated):
    penalties = rated.assign(score=100 - rated["score"]).rename(columns={"score": "MQM"})
    penalties.to_csv("penalties.csv", index=False)
    one = answer(TYPED)["pairs"]
    other = answer("compare --scores penalties.csv -m MQM:lower")["pairs"]
    for a, b in zip(one, other, strict=True):
        assert (a["system_a"], a["system_b"]) == (b["system_a"], b["system_b"])
        assert (a["difference"], a["pvalue"]) == pytest.approx((b["difference"], b["pvalue"]))
        assert a["score_a"] == pytest.approx(100 - b["score_a"])
    penalised = pd.DataFrame(answer("compare --scores penalties.csv -m MQM:lower")["estimates"])
    praised = pd.DataFrame(answer(TYPED)["estimates"])
    assert penalised["system"].tolist() == praised["system"].tolist()
    for name in ("score", "mean", "centred"):
        assert (100 - penalised[name]).tolist() == pytest.approx(praised[name].tolist())
    assert (-penalised["standardised"]).tolist() == pytest.approx(praised["standardised"].tolist())


@pytest.mark.takes_time
def test_generations_are_counted_and_calls_are_the_rest(rated):
    """A second answer of each system, each rated by two calls of a judge, which differ by 2."""
    rng = np.random.default_rng(5)
    each = [(repeat, call) for repeat in (1, 2) for call in (0, 2)]
    again = pd.concat([rated.assign(repeat=repeat, call=call) for repeat, call in each])
    keys = ["system", "segment", "repeat"]
    own = rng.normal(0, 5, size=again.groupby(keys).ngroups)[again.groupby(keys).ngroup()]
    by_rater = again.groupby([*keys, "rater"])
    opinions = rng.normal(0, 3, size=by_rater.ngroups)[by_rater.ngroup()]
    again["score"] += own + opinions + again["call"]
    again.to_csv("rated.csv", index=False)
    assert samples(TYPED) == ["raters", "documents", "segments", "generations"]
    assert RATED_AGAIN not in words(TYPED)
    frame = again.rename(columns={"repeat": "generation"})
    model = Ratings(frame, scale=None).mixed_model()
    found = answer(TYPED)
    errors = [pair["standard_error"] for pair in found["pairs"]]
    assert errors == pytest.approx(model.tests().table["standard_error"].tolist())
    variances = {row["term"]: row["variance"] for row in found["components"]}
    assert variances["system:generation"] == pytest.approx(5**2, rel=0.5)
    assert variances["rest"] == pytest.approx(np.var([0, 2], ddof=1), rel=0.01)


def test_calls_of_the_only_judge_are_repeats(rated):
    one = rated[rated["rater"] == "r0"]
    calls = pd.concat([one.assign(call=call, score=one["score"] + call) for call in (0, 2)])
    calls.to_csv("rated.csv", index=False)
    assert "2 repeats of" in words(f"{TYPED} -n 300")
    one.assign(score=one["score"] + 1).to_csv("means.csv", index=False)
    assert (
        run(f"{TYPED} -n 300 -f csv").stdout
        == run("compare --scores means.csv -n 300 -f csv").stdout
    )


def test_an_output_that_a_rater_rated_twice_is_told_of(rated):
    pd.concat([rated, rated.iloc[:4]]).to_csv("rated.csv", index=False)
    assert re.search(naming("; 4 of ", "same rater", RATED_AGAIN), words(TYPED))


def test_raters_who_rated_one_system_each_are_refused(rated):
    own = rated[rated["rater"] == rated["system"].map({"A": "r0", "B": "r1"})]
    own.to_csv("rated.csv", index=False)
    assert re.search(naming("rater", "single", "'A'", "'B'"), refusal(TYPED))


def test_segments_as_units_do_not_count_raters(rated):
    rated.groupby(["system", "document", "segment"])["score"].mean().to_csv("means.csv")
    typed = "--units segments -n 300 -f csv"
    assert run(f"{TYPED} {typed}").stdout == run(f"compare --scores means.csv {typed}").stdout


def test_a_single_rater_is_no_sample(rated):
    rated[rated["rater"] == "r0"].to_csv("rated.csv", index=False)
    assert "raters" not in words(f"{TYPED} -n 300")
    rated.assign(rater="r0").to_csv("rated.csv", index=False)
    assert re.search(naming(f"{len(rated)} ratings", "raters: 1"), words(f"{TYPED} -n 300"))


def test_what_ratings_have_no_use_for_is_refused():
    assert re.search(naming("test", "t tests"), refusal(f"{TYPED} --test bootstrap"))
    assert re.search(naming("n_resamples", "t tests"), refusal(f"{TYPED} -n 500"))


@pytest.mark.takes_time
def test_several_test_sets_are_ranked_by_themselves_and_together(rated):
    """Segment 0 of two test sets is not one segment, and no rater of two is the same."""
    other = rated.assign(lp="en-ja", rater="j" + rated["rater"], document="j" + rated["document"])
    other["score"] += np.random.default_rng(8).normal(0, 3, len(other))
    both = pd.concat([rated.assign(lp="en-cs"), other])
    both.to_csv("rated.csv", index=False)
    found = answer(TYPED)
    assert list(found["verdicts"]) == ["score, all", "score, en-cs", "score, en-ja"]
    pairs = pd.DataFrame(found["pairs"]).groupby("test_set")
    tests = {}
    for name, part in both.groupby("lp"):
        tests[name] = Ratings(part, scale=None).mixed_model().tests()
        assert pairs.get_group(name)["pvalue"].tolist() == pytest.approx(
            tests[name].table["pvalue"].tolist()
        )
    together = mean_over_test_sets(tests).table
    assert pairs.get_group("all")["pvalue"].tolist() == pytest.approx(together["pvalue"].tolist())
    assert not printed(found["notes"], "shared-by-test-sets")
    both.assign(rater=both["rater"].str.removeprefix("j")).to_csv("rated.csv", index=False)
    (shared,) = printed(answer(TYPED)["notes"], "shared-by-test-sets")
    assert shared["unit"] == "rater"
    assert shared["n"] == "4"
    names: dict = {}
    exec(Analysis(scores="rated.csv").run().code(), names)
    pvalues = names["tests"].table["pvalue"].tolist()
    assert pvalues == pytest.approx(together["pvalue"].tolist())


def test_segments_as_units_average_ratings_of_several_test_sets(rated):
    both = pd.concat([rated.assign(lp="en-cs"), rated.assign(lp="en-ja")])
    both.to_csv("rated.csv", index=False)
    found = answer(f"{TYPED} --units segments -n 300")
    assert [row["test_set"] for row in found["test_sets"]] == ["all", "en-cs", "en-ja"]
    assert printed(found["notes"], "raters-averaged")


def test_systems_are_named_and_there_are_two(rated):
    assert "system='D'" in refusal(f"{TYPED} A D")
    assert re.search(naming("there is only one", "'A'"), refusal(f"{TYPED} A"))
    assert claims(f"{TYPED} A C") == [("score", "A", "C")]


def test_systems_that_share_no_rater_are_told_of(rated):
    """A and B were rated by two raters, and C by two others."""
    is_first = rated["rater"].isin(["r0", "r1"])
    some = rated[is_first == (rated["system"] != "C")]
    some.to_csv("rated.csv", index=False)
    (not_linked,) = printed(answer(TYPED)["notes"], "model-not-linked")
    assert not_linked["unit"] == "rater"
    assert {not_linked["first"], not_linked["second"]} == {"A", "C"}


def test_notes_of_one_metric_say_of_which(rated):
    """Of two metrics, one rests on fewer draws: rater and document have no part in it."""
    both = rated.assign(steady=rated["system"].map({"A": 3.0, "B": 2.0, "C": 1.0}))
    both["steady"] += np.random.default_rng(6).normal(0, 1, len(both))
    both.to_csv("rated.csv", index=False)
    notes = answer(TYPED)["notes"]
    at_zero = [note for note in notes if printed(note, "model-variance-at-zero")]
    assert {note.partition(":")[0] for note in at_zero} == {"score", "steady"}
    assert len([note for note in notes if printed(note, "model-few-raters")]) == 2
