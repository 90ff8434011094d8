"""A gate: by plain loops, against a textbook's formula, and what its verdicts mean."""

from __future__ import annotations

import math

import numpy as np
import pytest
from statsmodels.stats.power import TTestPower

import mtsig_nb as mt
from mtsig_nb.significance.gate import (
    gate_table,
    gate_tests,
    gate_verdict,
    margins_by_metric,
    more_units,
)

from ..small_sets import means, plausible, real

PAIR = ("onlineC", "onlineD")
#: Monte Carlo errors of two independent runs of 10,000 resamples, at six standard deviations.
NOISE = 6 * math.sqrt(2 / 10_000)


def pair_of(differences: np.ndarray, **details) -> mt.SufficientStatistics:
    """A pair whose first system is so much better in each segment."""
    rng = np.random.default_rng(8)
    ease = rng.normal(50, 10, len(differences))
    return means(np.stack([ease + differences, ease]), systems=["new", "old"], **details)


def loop(differences: np.ndarray, margin: float, *, n_resamples: int = 10_000) -> dict[str, float]:
    """Shares of resamples that contradict "not worse by the margin", by a loop over resamples."""
    rng = np.random.default_rng(77)
    n = len(differences)
    mean = differences.mean()
    t = (mean + margin) / (differences.std(ddof=1) / math.sqrt(n))
    beyond = 0
    farther = 0
    for _ in range(n_resamples):
        drawn = differences[rng.integers(0, n, n)]
        beyond += drawn.mean() <= -margin
        # The package's standard error of a resample is the jackknife's, with n - 1.
        error = drawn.std(ddof=0) * math.sqrt(n / (n - 1)) / math.sqrt(n)
        farther += (drawn.mean() - mean) / error >= t
    return {
        "percentile": (beyond + 1) / (n_resamples + 1),
        "bootstrap-t": (farther + 1) / (n_resamples + 1),
    }


@pytest.mark.parametrize("skewness", [0.0, -2.0, 2.0])
def test_both_bootstraps_are_those_of_a_plain_loop(skewness):
    rng = np.random.default_rng(4)
    differences = rng.normal(size=60)
    if skewness:
        differences = np.sign(skewness) * (rng.gamma(1.0, size=60) - 1)
    differences -= differences.mean() + 0.2
    expected = loop(differences, 0.4)
    pair = pair_of(differences)
    found = {}
    for method in ("percentile", "bootstrap-t", "both"):
        test = mt.equivalence_test(pair, "new", "old", margin=0.4, method=method, rng=1)
        found[method] = test.pvalue_below
    for method, p in expected.items():
        assert abs(found[method] - p) < NOISE * math.sqrt(p * (1 - p)), method
    assert found["both"] == max(found["percentile"], found["bootstrap-t"])


def test_the_limits_agree_with_the_verdict():
    """It is not worse just where the lower limit is above minus the margin, whatever the margin."""
    for margin in np.linspace(0.05, 1.2, 24):
        for method in ("percentile", "bootstrap-t", "both"):
            options = {"margin": margin, "method": method, "n_resamples": 399, "rng": 5}
            found = mt.equivalence_test(real(), *PAIR, **options)
            low, high = found.interval
            is_close = abs(low + margin) < 0.01 or abs(high + margin) < 0.01
            if is_close:
                continue
            expected = (
                "not worse" if low > -margin else "worse" if high < -margin else "cannot tell"
            )
            assert found.verdict == expected


def test_a_certain_loss_that_is_smaller_than_the_margin_passes_and_a_larger_one_fails():
    differences = -1 + 0.1 * np.random.default_rng(3).normal(size=100)
    pair = pair_of(differences)
    verdicts = {}
    for margin in (0.5, 1.0, 2.0):
        test = mt.equivalence_test(pair, "new", "old", margin=margin, method="both", rng=1)
        verdicts[margin] = test.verdict
    assert verdicts == {0.5: "worse", 1.0: "cannot tell", 2.0: "not worse"}


def test_lower_is_better_is_turned():
    differences = np.random.default_rng(6).normal(-0.5, 1, 80)
    higher = pair_of(differences)
    lower = means(-higher.values[..., 0], systems=["new", "old"], larger_is_better=False)
    for margin in (0.2, 0.6, 1.0):
        options = {"margin": margin, "method": "both", "n_resamples": 999, "rng": 2}
        one = mt.equivalence_test(higher, "new", "old", **options)
        other = mt.equivalence_test(lower, "new", "old", **options)
        assert (one.pvalue_below, one.verdict) == (other.pvalue_below, other.verdict)
        assert one.statistic == pytest.approx(other.statistic)


def test_a_system_is_not_worse_than_its_copy():
    twins = mt.SufficientStatistics(real().metric, ["new", "old"], real().values[[0, 0]])
    (test,) = gate_tests([twins], "old", [0.001], n_resamples=99, rng=1)
    assert test.verdict == "not worse"
    assert more_units(test, 0.0) == 0


@pytest.mark.parametrize("difference", [0.0, -0.1, 0.2])
def test_the_units_needed_are_those_of_a_textbook(difference):
    """For normal differences: Student's noncentral t, as statsmodels has it."""
    d = np.random.default_rng(1).normal(size=100)
    pair = pair_of((d - d.mean()) / d.std(ddof=1))
    test = mt.equivalence_test(pair, "new", "old", margin=0.25, n_resamples=99, rng=1)
    expected = TTestPower().solve_power(
        effect_size=0.25 + difference, alpha=0.05, power=0.8, alternative="larger"
    )
    # statsmodels solves for a fraction, and our standard error is the jackknife's.
    assert test.units_needed(difference) == pytest.approx(math.ceil(expected), abs=1)
    assert math.isinf(test.units_needed(-0.25))


@pytest.mark.takes_time
def test_so_many_units_pass_an_equally_good_candidate_four_times_in_five():
    """Counted by the gate itself; 3 points of leeway for the formula, false alarm 1e-7."""
    rng = np.random.default_rng(12)
    pilot = pair_of(rng.normal(size=400))
    test = mt.equivalence_test(pilot, "new", "old", margin=0.25, n_resamples=99, rng=1)
    n = int(test.units_needed())
    passed = 0
    for k in range(400):
        differences = rng.normal(0, pilot_deviation(test), size=n)
        (found,) = gate_tests([pair_of(differences)], "old", [0.25], n_resamples=399, rng=k)
        passed += found.verdict == "not worse"
    assert plausible(passed, 400, 0.76, 0.83)


def pilot_deviation(test) -> float:
    """The standard deviation of the pilot's differences."""
    return float(test.standard_error * math.sqrt(test.n_units))


def test_the_gate_passes_only_if_all_comparisons_do():
    names = ["onlineC", "onlineD", "onlineB", "onlineF"]
    bleu = real().select(names)
    ter = real("TER").select(names)
    alone = gate_tests([bleu], "onlineD", [0.5], n_resamples=499, rng=1)
    assert alone[0].system_a == "onlineB"
    both = gate_tests([bleu, ter], "onlineD", [0.5, 0.5], n_resamples=499, rng=1)
    table = gate_table(both)
    assert list(table["metric"]) == ["BLEU"] * 3 + ["TER"] * 3
    by_system = table.set_index(["metric", "system_a"])["verdict"]
    assert by_system["BLEU", "onlineB"] == "not worse"
    assert by_system["BLEU", "onlineF"] == "worse"
    assert gate_verdict(both) == "worse"
    better = [test for test in both if test.system_a == "onlineB"]
    assert gate_verdict(better) == "not worse"
    undecided = [test for test in both if test.verdict != "worse"]
    if any(test.verdict == "cannot tell" for test in undecided):
        assert gate_verdict(undecided) == "cannot tell"
    assert (table["difference"] == table["score_a"] - table["score_b"])[:3].all()


def test_margins_are_of_their_metric():
    assert margins_by_metric({"TER": 1, "BLEU": 0.5}, {"BLEU": 30, "TER": 60}) == {
        "BLEU": 0.5,
        "TER": 1.0,
    }
    with pytest.raises(mt.InputError, match="COMET has none"):
        margins_by_metric({"BLEU": 0.5}, {"BLEU": 30, "COMET": 0.8})
    with pytest.raises(mt.InputError, match="'BLUE' is not known"):
        margins_by_metric({"BLUE": 0.5}, {"BLEU": 30})
    with pytest.raises(mt.InputError, match="very different size"):
        margins_by_metric(0.3, {"BLEU": 30, "COMET": 0.8})
