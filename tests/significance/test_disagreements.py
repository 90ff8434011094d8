"""A result says where its intervals and its conclusions say different things, and why."""

from __future__ import annotations

import re

import pytest

import mtsig_nb as mt
from mtsig_nb.conclusions.deciding import WORDS
from mtsig_nb.significance.comparisons import disagreements
from mtsig_nb.significance.corrections import OF_PVALUES, OF_RESAMPLES

from ..messages import naming, printed
from ..small_sets import real

QUICK = {"n_resamples": 4000, "rng": 2}


def by_hand(found: mt.Comparisons) -> tuple[int, int]:
    """Pairs that only the interval tells apart, and pairs that only the test does."""
    only_interval = only_test = 0
    for row in found.table.itertuples():
        excluded = not row.ci_low <= 0 <= row.ci_high
        only_interval += excluded and row.conclusion == WORDS[0]
        only_test += not excluded and row.conclusion in (WORDS[1], WORDS[-1])
    return only_interval, only_test


def told(found: mt.Comparisons) -> tuple[int, int]:
    """The same, as the caveats have it."""
    numbers = [0, 0]
    for said in found.caveats:
        if match := re.match(r"in (\d+) of (\d+) (pairs|comparisons) the (\d+ % )?", said):
            assert int(match[2]) == len(found.table)
            assert (match[3] == "pairs") == (len(found.metrics) == 1)
            numbers[match[4] is None] = int(match[1])
    return numbers[0], numbers[1]


INTERVALS = ["percentile", "basic", "simultaneous"]


@pytest.mark.slow
@pytest.mark.parametrize("interval", INTERVALS)
@pytest.mark.parametrize("correction", [*OF_PVALUES, *OF_RESAMPLES, None])
def test_they_are_counted_and_named(correction, interval):
    # Each pair of Tukey's takes an integral: fifteen pairs in the place of sixty-six.
    statistics = real().select(real().systems[:6]) if correction == "tukey" else real()
    assert_counted_and_named(statistics, correction, interval)


@pytest.mark.slow
@pytest.mark.parametrize(
    "interval",
    [
        each if each == "percentile" else pytest.param(each, marks=pytest.mark.thorough)
        for each in INTERVALS
    ],
)
def test_tukey_s_are_counted_of_all_pairs(interval):
    assert_counted_and_named(real(), "tukey", interval)


def assert_counted_and_named(statistics, correction, interval):
    test = "bootstrap" if correction == "romano-wolf" else "approximate-randomization"
    found = mt.compare_all(statistics, test=test, correction=correction, interval=interval, **QUICK)
    if correction is None and interval != "simultaneous":
        assert disagreements(found) == []
        return
    assert told(found) == by_hand(found)
    said = "\n".join(disagreements(found))
    if interval == "simultaneous":
        assert "interval='simultaneous'" not in said
    elif by_hand(found)[0]:
        assert len(printed(said, "why-each-interval")) == 1
        assert "; interval='simultaneous' " in said


def test_three_metrics_turn_a_small_p_into_a_large_one_and_it_is_said():
    """A pair that an interval of its own tells apart, and a family of nine does not."""
    family = [real(m).select(["onlineC", "onlineD", "UPC"]) for m in ("BLEU", "TER", "chrF")]
    found = mt.compare_all(family, **QUICK)
    turned = found.table[(found.table["pvalue"] <= 0.05) & (found.table["pvalue_adjusted"] > 0.05)]
    assert by_hand(found)[0] >= 1 == len(turned)
    (parted,) = [note for note in disagreements(found) if note.code == "only-interval"]
    assert f" {by_hand(found)[0]} of 9 " in parted.values["where"]
    assert "95 %" in parted.values["interval"]
    assert parted in str(found)


def test_another_level_than_that_of_the_intervals_is_named():
    found = mt.compare_all(real(), correction="westfall-young", alpha=0.01, **QUICK)
    (said,) = disagreements(found)
    assert said.code == "only-interval"
    assert re.search(naming("corrected", " 0.01"), said.values["test"])
    assert "99 %" in said.values["because"]
