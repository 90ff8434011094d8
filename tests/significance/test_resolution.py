"""What so many resamples can tell, and that what they cannot is never called "no difference"."""

from __future__ import annotations

import dataclasses
import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import mtsig_nb as mt
from mtsig_nb.engine.counting import RULES, clopper_pearson
from mtsig_nb.engine.options import Design, ResamplingOptions
from mtsig_nb.engine.procedures import PROCEDURES
from mtsig_nb.engine.resampling import Resampling
from mtsig_nb.outcomes.verdicts import pair_verdict, verdict
from mtsig_nb.significance import options
from mtsig_nb.significance.corrections import (
    LOOKS,
    OF_PVALUES,
    OF_RESAMPLES,
    adjust_pvalues,
    note_on_few_resamples,
)
from mtsig_nb.significance.one_pair import run_test
from mtsig_nb.significance.results import format_pvalue

from ..messages import naming, printed
from ..small_sets import means, real

SAMPLED = {"interval": None, "exact": False, "rng": 5}
VARIANTS = [(test, side) for test, p in PROCEDURES.items() for side in p.alternatives[:2]]


def far_apart(n_systems: int = 4) -> mt.SufficientStatistics:
    """Systems so different that no resample ever comes near: every p-value is at its floor."""
    rng = np.random.default_rng(1)
    return means(rng.normal(size=(n_systems, 200)) + 10 * np.arange(n_systems)[:, None])


def close_call(seed: int = 0) -> mt.SufficientStatistics:
    """Six systems of which several pairs lie near the level."""
    rng = np.random.default_rng(seed)
    steps = np.array([0.0, 0.1, 0.2, 0.3, 0.4, 1.0])
    return means(rng.normal(size=(6, 300)) + steps[:, None])


def of_resamples(correction):
    """The test that goes with a correction of resamples."""
    return "bootstrap" if correction == "romano-wolf" else "approximate-randomization"


@pytest.mark.parametrize("counting", RULES)
@pytest.mark.parametrize("correction", [None, *OF_PVALUES])
@pytest.mark.parametrize(("test", "alternative"), VARIANTS)
def test_the_smallest_pvalue_is_the_one_that_is_reached(test, correction, alternative, counting):
    options = {"alternative": alternative, "counting": counting, "n_resamples": 99}
    found = mt.compare_all(
        far_apart(), test=test, correction=correction, alpha=1e-6, **options, **SAMPLED
    )
    (note,) = (n for n in found.notes if n.code == "few-resamples")
    assert set(found.table["pvalue_adjusted"].map(format_pvalue)) == {note.values["smallest"]}
    assert found.table["at_floor"].all()


@pytest.mark.parametrize("correction", OF_RESAMPLES)
def test_the_smallest_pvalue_of_corrections_of_resamples(correction):
    options = {"test": of_resamples(correction), "correction": correction, "n_resamples": 199}
    found = mt.compare_all(far_apart(), alpha=0.001, **options, **SAMPLED)
    assert found.table["pvalue_adjusted"].tolist() == [1 / 200] * 6
    assert found.table["at_floor"].all()
    (few,) = printed(found.sentence, "few-resamples")
    assert (few["smallest"], few["needed"]) == ("0.0050", "999")


@pytest.mark.parametrize("correction", [None, "bonferroni", "holm", "benjamini-hochberg"])
@pytest.mark.parametrize("test", PROCEDURES)
def test_as_many_resamples_as_are_needed_and_no_more(test, correction):
    """A single clear difference among k, the others all alike."""
    for k, alpha in [(1, 0.05), (66, 0.05), (190, 0.001)]:
        few = Design(ResamplingOptions(test=test, n_resamples=1))
        (note,) = note_on_few_resamples(few, correction, k, alpha)
        needed = note.values["needed"]
        family = 1 if correction in (None, "benjamini-hochberg") else k
        tails = len(PROCEDURES[test].tails("two-sided"))
        assert tails * family / (needed + 1) <= alpha * (1 + 1e-9) < tails * family / needed
        enough = Design(ResamplingOptions(test=test, n_resamples=needed))
        assert note_on_few_resamples(enough, correction, k, alpha) == ()


# Limits


@pytest.mark.parametrize("p", [1e-4, 3e-3, 0.05])
def test_limits_hold_over_all_looks_together(p):
    """Simulated: how often every look's limits contain p; at least 95 %."""
    n = 20_000
    rng = np.random.default_rng(3)
    counts, before, all_right = np.zeros(n, dtype=np.int64), 0, np.ones(n, dtype=bool)
    for look in LOOKS:
        counts, before = counts + rng.binomial(look - before, p, size=n), look
        level = options.TestOptions().design().look_level
        low, high = clopper_pearson(counts, look, level)
        all_right &= (low <= p) & (p <= high)
    assert all_right.mean() >= 0.95


@pytest.mark.parametrize("correction", [None, *OF_PVALUES])
def test_limits_of_pvalues_become_limits_of_adjusted_ones(correction):
    rng = np.random.default_rng(4)
    for _ in range(50):
        p = rng.uniform(size=8) ** 3
        low, high = p * rng.uniform(size=8), p + (1 - p) * rng.uniform(size=8) * 0.1
        adjusted = adjust_pvalues(p, correction)
        below, above = (adjust_pvalues(limits, correction) for limits in (low, high))
        assert ((below <= adjusted + 1e-12) & (adjusted <= above + 1e-12)).all()


# More resamples, where they are needed


@pytest.mark.slow
@pytest.mark.parametrize("test", ["ar", "bootstrap", "paired-bootstrap", "studentized-bootstrap"])
def test_a_pair_drawn_further_is_the_pair_drawn_that_often(test):
    given = close_call()
    adaptive = mt.compare_all(given, test=test, **SAMPLED).table
    further = adaptive[adaptive["n_resamples"] > LOOKS[0]]
    assert 0 < len(further) < len(adaptive)
    for n in further["n_resamples"].unique():
        whole = mt.compare_all(given, test=test, n_resamples=int(n), **SAMPLED).table
        rows = adaptive["n_resamples"] == n
        assert adaptive["pvalue"][rows].tolist() == whole["pvalue"][rows].tolist()


def test_more_metrics_than_one_are_drawn_further_each_by_itself():
    given = close_call()
    other = dataclasses.replace(
        given, metric=dataclasses.replace(given.metric, larger_is_better=False, label="loss")
    )
    # Every p-value twice in the family changes nothing for this correction.
    both = mt.compare_all([given, other], correction="benjamini-hochberg", **SAMPLED).table
    assert len(both["n_resamples"].unique()) > 1
    # The other metric turns every pair over, so p-values and numbers come out alike.
    gain, loss = (
        {frozenset((r.system_a, r.system_b)): (r.pvalue, r.n_resamples) for r in rows.itertuples()}
        for _, rows in both.groupby("metric")
    )
    assert gain == loss


@pytest.mark.parametrize("correction", ["romano-wolf", "westfall-young"])
def test_corrections_of_resamples_stop_at_their_second_look(correction):
    options = {"test": of_resamples(correction), "correction": correction, **SAMPLED}
    found = mt.compare_all(close_call(), **options).table
    assert set(found["n_resamples"]) == {LOOKS[1]}
    whole = mt.compare_all(close_call(), n_resamples=LOOKS[1], **options).table
    assert found["pvalue_adjusted"].equals(whole["pvalue_adjusted"])


# What is said


def test_too_few_resamples_are_never_called_no_difference():
    """The paired bootstrap's smallest two-sided p is 2/(R + 1): times 66 it is .066."""
    few = mt.compare_all(real(), test="paired-bootstrap", n_resamples=2000, interval=None, rng=1)
    assert re.match(naming("BLEU:", "2,000 bootstrap", "cannot tell", "60 of 66"), verdict(few))
    of_pair = pair_verdict(few, "onlineB", "onlineF")
    assert re.search(naming("2,000 bootstrap", "cannot tell", "onlineB and onlineF"), of_pair)
    conclusions = few.conclusions()
    assert len(conclusions.unresolved) == 60
    assert not conclusions.matrix.any()
    assert len(conclusions.reorder(["onlineF", "onlineB", "UPC"]).unresolved) == 3
    assert len(printed(mt.clusters(conclusions).sentence, "unresolved-within")) == 1
    assert printed(few.sentence, "few-resamples")[0]["smallest"] == "0.0660"
    assert mt.summary_table(few)["conclusion"].tolist()[1:] == ["cannot tell"] * 11


@pytest.mark.parametrize(
    ("n_resamples", "is_open", "word", "other_word"),
    [(10_000, False, "was detected", "open"), (119, True, "is open", "detected")],
)
def test_what_is_open_about_the_leader_is_said_apart_from_what_is_not(
    n_resamples, is_open, word, other_word
):
    scores = np.random.default_rng(8).normal(size=(4, 200))
    given = means(scores + np.array([[0.0], [5.0], [10.0], [10.25]]))
    found = mt.compare_all(given, n_resamples=n_resamples, **SAMPLED)
    assert ({"s2", "s3"} in map(set, found.conclusions().unresolved)) == is_open
    assert re.match(naming("score: s3", "s2", "6 pairs, 5"), verdict(found))
    leader, of_pairs = verdict(found).split("Of all")
    assert word in leader
    assert other_word not in leader
    assert ("119 " in of_pairs) == is_open


def test_another_level_has_other_unresolved_pairs():
    found = mt.compare_all(real(), n_resamples=2000, interval=None, rng=1)
    low, high = found.table["pvalue_adjusted_low"], found.table["pvalue_adjusted_high"]
    for alpha in (0.001, 0.01, 0.05):
        undecided = (low <= alpha) & (high > alpha) & (found.table["pvalue_adjusted"] > alpha)
        assert len(found.conclusions(alpha).unresolved) == undecided.sum()
    assert len(found.conclusions(0.01).unresolved) > len(found.conclusions(0.05).unresolved)


def test_a_floor_is_printed_as_a_bound():
    found = mt.compare_all(real(), n_resamples=2000, rng=12345)
    assert "p < 0.0330)" in pair_verdict(found, "onlineB", "uedin-wmt12")
    for text in (found.to_markdown(), found.to_html()):
        assert text.count("&lt;0.0330") == text.count("0.0330") > 0
    assert "$<0.0330$" in found.to_latex()


@pytest.mark.parametrize(
    ("alternative", "expected", "never"),
    [
        ("two-sided", "no difference was detected between", "not shown"),
        ("greater", "it was not shown that onlineD is better than onlineC", "no difference"),
        ("less", "what was tested is whether onlineD, which has the better score", "no difference"),
    ],
)
def test_a_verdict_says_which_alternative_was_tested(alternative, expected, never):
    pair = real().select(["onlineC", "onlineD"])
    found = mt.compare_all(pair, alternative=alternative, rng=1)
    for said in (verdict(found), pair_verdict(found, "onlineD", "onlineC")):
        assert expected in said
        assert never not in said
        assert ("one-sided" in said) == (alternative != "two-sided")


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("test", ["approximate-randomization", "paired-bootstrap", "bootstrap"])
def test_every_block_is_drawn_once(monkeypatch, test, workers):
    """The centred bootstrap keeps the first pass's blocks for the second."""
    drawn = []
    differences = Resampling.differences

    def counted(plan, block):
        drawn.append(block)
        return differences(plan, block)

    monkeypatch.setattr(Resampling, "differences", counted)
    executor = ThreadPoolExecutor(workers) if workers else None
    mt.compare_all(far_apart(3), test=test, n_resamples=10_000, executor=executor, **SAMPLED)
    assert sorted(drawn) == list(range(20))
    drawn.clear()
    pair = far_apart(2)
    run_test(test, pair, *pair.systems, n_resamples=10_000, exact=False, executor=executor, rng=1)
    assert sorted(drawn) == list(range(20))
