"""Power: the textbook's formula, and brute force."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.power import NormalIndPower, TTestPower

import mtsig_nb as mt
from mtsig_nb.errors import InputError

from ..small_sets import means, plausible, real

PAIR = ("onlineC", "onlineD")


def normal_pilot(n: int = 400) -> mt.SufficientStatistics:
    """Two systems whose differences have mean 0 and standard deviation 1 (divisor n - 1)."""
    d = np.random.default_rng(1).normal(size=n)
    d = (d - d.mean()) / d.std(ddof=1)
    return means(np.stack([50 + d, np.full(n, 50.0)]))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_power_of_a_mean_against_statsmodels(alternative):
    sizes, effects = [25, 100, 400], [0.1, 0.2, 0.4]
    found = mt.power(
        normal_pilot(), "s0", "s1", effect=effects, n_units=sizes, alternative=alternative
    ).table
    textbook = NormalIndPower(ddof=0)
    for row in found.itertuples():
        # One sample: statsmodels takes ratio=0 for it.  It counts both tails, we the right one.
        expected = textbook.power(
            row.effect,
            row.n_units,
            0.05 / (2 if alternative == "two-sided" else 1),
            ratio=0,
            alternative="larger",
        )
        if alternative != "two-sided":
            expected = textbook.power(row.effect, row.n_units, 0.05, ratio=0, alternative="larger")
        assert row.power == pytest.approx(expected, abs=1e-6)


def test_the_detectable_difference_has_the_power_asked_for():
    options = {"n_units": [200, 1000, 5000], "alpha": 0.01, "comparisons": 3}
    seen = mt.minimum_detectable_difference(real(), *PAIR, power=0.9, **options).table
    for row in seen.itertuples():
        one = mt.power(
            real(), *PAIR, effect=row.difference, **(options | {"n_units": row.n_units})
        ).table
        assert one["power"].item() == pytest.approx(0.9)
    ratio = seen["difference"] / seen["difference"].iloc[-1]
    np.testing.assert_allclose(ratio, np.sqrt(5000 / seen["n_units"]))


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["BLEU", "TER"])
@pytest.mark.parametrize(("units", "sizes"), [("segments", [300, 1000]), ("documents", [40, 99])])
def test_power_agrees_with_brute_force(metric, units, sizes):
    """Simulated counts are binomial about the formula, which is given two points of leeway.

    False alarm 1e-7 for each of the counts; a formula off by ten points would be noticed.
    """
    options = {"n_units": sizes, "units": units}
    effects = [0.6, 1.2] if units == "segments" else [0.8]
    curve = mt.power(real(metric), *PAIR, effect=effects, **options).table
    counted = mt.power(
        real(metric),
        *PAIR,
        effect=effects,
        method="simulation",
        n_simulations=400,
        n_resamples=299,
        rng=7,
        **options,
    ).table
    assert counted[["effect", "n_units"]].equals(curve[["effect", "n_units"]])
    for expected, row in zip(curve["power"], counted.itertuples(), strict=True):
        low, high = max(0, expected - 0.02), min(1, expected + 0.02)
        assert plausible(round(400 * row.power), 400, low, high), (row, expected)
        assert row.low <= row.power <= row.high


@pytest.mark.parametrize("test", ["bootstrap", "paired-bootstrap"])
@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_power_of_other_tests_agrees_too(test, alternative):
    options = {"effect": 0.8, "n_units": 500, "alternative": alternative}
    expected = mt.power(real(), *PAIR, **options).table["power"].item()
    counted = mt.power(
        real(),
        *PAIR,
        method="simulation",
        test=test,
        n_simulations=300,
        n_resamples=299,
        rng=3,
        **options,
    )
    found = round(300 * counted.table["power"].item())
    assert plausible(found, 300, expected - 0.02, expected + 0.02)


@pytest.mark.slow
def test_a_detectable_difference_by_simulation_agrees():
    """At a power of .8, 400 simulations tell the difference to about a tenth."""
    options = {"n_units": 300}
    formula = mt.minimum_detectable_difference(real(), *PAIR, **options)
    counted = mt.minimum_detectable_difference(
        real(),
        *PAIR,
        method="simulation",
        n_simulations=400,
        n_resamples=199,
        rng=5,
        **options,
    )
    # Power rises by .28 for each standard error at .8; five binomial errors of .02 are .36.
    error = formula.table["standard_error"].item()
    gap = counted.table["difference"].item() - formula.table["difference"].item()
    assert abs(gap) < 0.45 * error
    assert "400 simulated test sets each, approximate randomization" in counted.sentence


@pytest.mark.parametrize(("n", "effect"), [(30, 0.5), (60, 0.439)])
def test_simulated_power_of_a_small_test_set_is_that_of_a_shift(n, effect):
    """6,000 test sets; biased coins alone had .85 and .953 where a t test has .754 and .917."""
    counted = mt.power(
        normal_pilot(),
        "s0",
        "s1",
        effect=effect,
        n_units=n,
        method="simulation",
        n_simulations=6000,
        rng=3,
    )
    expected = TTestPower().power(effect, n, 0.05)
    found = round(6000 * counted.table["power"].item())
    assert plausible(found, 6000, expected - 0.02, expected + 0.02)


def test_a_detectable_difference_near_the_largest_that_can_be_planted():
    """Of 30 segments; the search went beyond it and failed, naming a difference nobody gave."""
    options = {"method": "simulation", "n_simulations": 200, "n_resamples": 199, "rng": 5}
    seen = mt.minimum_detectable_difference(real(), *PAIR, n_units=30, **options)
    size = seen.table["difference"].item()
    formula = mt.minimum_detectable_difference(real(), *PAIR, n_units=30).table["difference"]
    assert 0.8 * formula.item() < size < 1.1 * formula.item()
    found = mt.power(real(), *PAIR, effect=size, n_units=30, **options).table["power"].item()
    assert 0.75 < found < 0.85
    with pytest.raises(InputError, match="n_units=5: no difference that can be planted with the "):
        mt.minimum_detectable_difference(real(), *PAIR, n_units=5, **options)


def test_a_whole_campaign():
    seen = mt.minimum_detectable_difference(real(), n_units=[500, 2000])
    assert seen.n_pairs == 66
    assert len(seen.table) == 132
    line = seen.sentence.splitlines()[1]
    assert line.startswith("With 2,000 segments you would see a difference of ")
    assert "four times in five (median of 66 pairs; " in line
    assert "use units='documents'" in seen.sentence
    pair = mt.minimum_detectable_difference(real(), *PAIR, n_units=500).table
    row = seen.table.query("system_a == 'onlineC' and system_b == 'onlineD' and n_units == 500")
    assert row["difference"].item() == pytest.approx(pair["difference"].item())
    power = mt.power(real(), effect=[0.5, 1.0, 1.5], units="documents")
    assert power.unit == "documents"
    assert not power.notes
    assert power.summary["median"].is_monotonic_increasing


def test_documents_that_are_ignored_are_noted():
    ignored = mt.power(real(), *PAIR, effect=1)
    assert "documents are known (99)" in ignored.notes[0]
    assert mt.power(real(), *PAIR, effect=1, units="documents").notes == ()


def test_the_same_seed_gives_the_same_counts():
    options = {"effect": 1, "n_units": 200, "method": "simulation", "n_simulations": 50}
    once, again = (
        mt.power(real(), *PAIR, n_resamples=99, rng=4, **options).table for _ in range(2)
    )
    assert once.equals(again)


def test_identical_outputs_say_nothing():
    pilot = means(np.ones((2, 30)))
    assert np.isnan(mt.power(pilot, effect=1).table["power"]).all()
    assert "only 30 segments" in mt.power(pilot, effect=1).notes[0]


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"effect": 0}, "effect=0: true differences must be larger than 0"),
        ({"effect": [1, -1]}, "true differences must be larger than 0"),
        ({"effect": 1, "n_units": 1}, "n_units=1 must be a whole number"),
        ({"effect": 1, "n_units": 10.5}, "n_units=10.5 must be a whole number"),
        ({"effect": 1, "comparisons": 0}, "comparisons=0"),
        ({"effect": 1, "method": "exact"}, "method='exact' is not known"),
        ({"effect": 1, "alternative": "both"}, "alternative='both' is not known"),
        ({"effect": 1, "alpha": 0}, "alpha=0 must lie"),
        ({"effect": 500, "method": "simulation"}, "more than can be planted"),
        ({"effect": 1, "method": "simulation", "n_simulations": 0}, "n_simulations=0"),
        (
            {"effect": 1, "method": "simulation", "comparisons": 66, "n_resamples": 999},
            "n_resamples=999 are too few to reject at 0.000757576; take 1,319 or more",
        ),
    ],
)
def test_bad_plans(how, message):
    with pytest.raises(InputError, match=message):
        mt.power(real(), *PAIR, **how)


def test_bad_pairs_and_powers():
    with pytest.raises(InputError, match="name two systems, or none"):
        mt.power(real(), "onlineC", effect=1)
    with pytest.raises(InputError, match=r"power=0.01 must lie between alpha=0.05 and 1"):
        mt.minimum_detectable_difference(real(), *PAIR, power=0.01)
    with pytest.raises(InputError, match="two systems"):
        mt.power(real().select(["UPC"]), effect=1)


def test_results_escape_names():
    pilot = means(np.random.default_rng(1).normal(size=(2, 60)), systems=["<b>", "&"])
    html = mt.power(pilot, effect=1)._repr_html_()
    assert "<b>" not in html
    assert "&lt;b&gt; against &amp;" in html
