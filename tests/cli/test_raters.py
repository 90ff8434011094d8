"""Ratings by several people from the command line."""

import io
import re

import numpy as np
import pandas as pd
import pytest

from mtsig_nb.human import Ratings

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
    tests = Ratings(rated).tests_over_samples(standardised=False).table
    found = pd.read_csv(io.StringIO(run(f"{TYPED} -f csv").stdout))
    for name in ("system_a", "system_b"):
        assert found[name].tolist() == tests[name].tolist()
    for name in ("difference", "standard_error", "pvalue", "low", "share_rater"):
        assert found[name].to_numpy() == pytest.approx(tests[name].to_numpy())
    assert found["conclusion"].tolist() == ["better", "better", "indistinguishable"]


def samples(typed: str) -> str:
    """Whose variation is counted, as the page and the sentence on methods have it."""
    (named,) = re.findall(r"Counted as samples: (.*?)\.", words(typed))
    assert f"count {named} as samples" in answer(typed)["methods_sentence"]
    return named


@pytest.mark.takes_time
def test_it_says_whose_variation_it_counts(rated):
    said = words(TYPED)
    assert said.startswith("score: A is better than B, C (largest adjusted p = 0.")
    assert claims(TYPED) == [("score", "A", "B"), ("score", "A", "C")]
    assert samples(TYPED) == "raters, documents and segments"
    assert f"{len(rated)} ratings (raters: 4)" in said
    rated.drop(columns="document").to_csv("rated.csv", index=False)
    assert samples(TYPED) == "raters and segments"


def test_penalties_turn_scores_over(rated):
    penalties = rated.assign(score=100 - rated["score"]).rename(columns={"score": "MQM"})
    penalties.to_csv("penalties.csv", index=False)
    one = answer(TYPED)["pairs"]
    other = answer("compare --scores penalties.csv -m MQM:lower")["pairs"]
    for a, b in zip(one, other, strict=True):
        assert (a["system_a"], a["system_b"]) == (b["system_a"], b["system_b"])
        assert (a["difference"], a["pvalue"]) == pytest.approx((b["difference"], b["pvalue"]))
        assert a["score_a"] == pytest.approx(100 - b["score_a"])


@pytest.mark.takes_time
def test_generations_are_counted_and_calls_are_the_rest(rated):
    """A second answer of each system, each rated by two calls of a judge, which differ by 2."""
    rng = np.random.default_rng(5)
    each = [(repeat, call) for repeat in (1, 2) for call in (0, 2)]
    again = pd.concat([rated.assign(repeat=repeat, call=call) for repeat, call in each])
    keys = ["system", "segment", "repeat"]
    own = rng.normal(0, 5, size=again.groupby(keys).ngroups)[again.groupby(keys).ngroup()]
    again["score"] += own + again["call"]
    again.to_csv("rated.csv", index=False)
    assert samples(TYPED) == "raters, documents, segments and generations"
    assert RATED_AGAIN not in words(TYPED)
    frame = again.rename(columns={"repeat": "generation"})
    tests = Ratings(frame, scale=None).tests_over_samples(standardised=False).table
    found = pd.read_csv(io.StringIO(run(f"{TYPED} -f csv").stdout))
    assert found["share_generation"].min() > 0
    for name in ("standard_error", "share_generation", "share_rest"):
        assert found[name].to_numpy() == pytest.approx(tests[name].to_numpy())
    components = Ratings(frame, scale=None).variance_components("A", "B", standardised=False)
    rest = components.table.set_index("source").loc["rest", "by_system"]
    assert rest == pytest.approx(np.var([0, 2], ddof=1))


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
    assert re.search(naming("rater", "'A' and 'B'", "single one"), refusal(TYPED))


def test_segments_as_units_do_not_count_raters(rated):
    rated.groupby(["system", "document", "segment"])["score"].mean().to_csv("means.csv")
    typed = "--units segments -n 300 -f csv"
    assert run(f"{TYPED} {typed}").stdout == run(f"compare --scores means.csv {typed}").stdout


def test_a_single_rater_is_no_sample(rated):
    rated[rated["rater"] == "r0"].to_csv("rated.csv", index=False)
    assert "raters" not in words(f"{TYPED} -n 300")
    rated.assign(rater="r0").to_csv("rated.csv", index=False)
    assert f"{len(rated)} ratings (raters: 1)" in words(f"{TYPED} -n 300")


def test_what_ratings_have_no_use_for_is_refused():
    assert re.search(naming("test", "t tests"), refusal(f"{TYPED} --test bootstrap"))
    assert re.search(naming("n_resamples", "t tests"), refusal(f"{TYPED} -n 500"))


def test_several_test_sets_are_averaged_apart(rated):
    """Segment 0 of two test sets is not one segment."""
    both = pd.concat([rated.assign(lp="en-cs"), rated.assign(lp="en-ja")])
    both.to_csv("rated.csv", index=False)
    found = answer(f"{TYPED} -n 300")
    assert [row["test_set"] for row in found["test_sets"]] == ["all", "en-cs", "en-ja"]


def test_systems_are_named_and_there_are_two(rated):
    assert "system='D'" in refusal(f"{TYPED} A D")
    assert re.search(naming("there is one", "'A'"), refusal(f"{TYPED} A"))
    assert claims(f"{TYPED} A C") == [("score", "A", "C")]


def test_a_pair_with_a_single_rater_is_told_of(rated):
    some = rated[(rated["system"] == "A") | (rated["rater"] == "r0")]
    some.to_csv("rated.csv", index=False)
    (note,) = [note for note in answer(TYPED)["notes"] if printed(note, "one-of-a-unit")]
    assert sorted(re.findall(r"^(B|C) against (B|C): ", note)[0]) == ["B", "C"]
    assert [found["unit"] for found in printed(words(TYPED), "one-of-a-unit")] == ["rater"]
