"""The smallest difference that a test set shows: the textbook's formula, and brute force."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.power import NormalIndPower

import mtsig_nb as mt

from ..small_sets import means, plausible, real

PAIR = ("onlineC", "onlineD")


@pytest.mark.parametrize(("alternative", "tails"), [("two-sided", 2), ("greater", 1), ("less", 1)])
def test_the_difference_in_a_mean_against_statsmodels(alternative, tails):
    d = np.random.default_rng(1).normal(size=400)
    pilot = means(np.stack([50 + (d - d.mean()) / d.std(ddof=1), np.full(400, 50.0)]))
    options = {"n_units": [25, 100, 400], "power": 0.9, "alpha": 0.03, "comparisons": 3}
    found = mt.minimum_detectable_difference(pilot, "s0", "s1", alternative=alternative, **options)
    for row in found.table.itertuples():
        # One sample: statsmodels takes ratio=0 for it.  It counts both tails, we the right one.
        expected = NormalIndPower(ddof=0).solve_power(
            nobs1=row.n_units, alpha=0.01 / tails, power=0.9, ratio=0, alternative="larger"
        )
        assert row.difference == pytest.approx(expected, rel=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("test", ["approximate-randomization", "bootstrap"])
@pytest.mark.parametrize("metric", ["BLEU", "TER"])
def test_brute_force_finds_the_difference_four_times_in_five(metric, test):
    """On test sets with that difference; counts are binomial, the formula has three points leeway.

    False alarm 1e-7 for each of the counts.
    """
    seen = mt.minimum_detectable_difference(real(metric), *PAIR, n_units=300)
    pairs = mt.simulate.planted_difference(
        real(metric),
        *PAIR,
        difference=seen.table["difference"].item(),
        n_units=300,
        n_pairs=400,
        rng=7,
    )
    counted = mt.simulate.rejection_rates(
        pairs, [test], n_resamples=299, alternative="greater", alpha=0.025, rng=7
    )
    assert plausible(round(400 * counted["rate"].item()), 400, 0.77, 0.83), counted


def test_a_whole_campaign():
    seen = mt.minimum_detectable_difference(real(), n_units=[500, 2000])
    assert len(seen.to_frame()) == 132
    line = seen.sentence.splitlines()[1]
    assert line.startswith("With 2,000 segments you would see a difference of ")
    assert "four times in five (median of 66 pairs; " in line
    pair = mt.minimum_detectable_difference(real(), *PAIR, n_units=500).table
    row = seen.table.query("system_a == 'onlineC' and system_b == 'onlineD' and n_units == 500")
    assert row["difference"].item() == pytest.approx(pair["difference"].item())
    small, large = seen.table.groupby("n_units")["difference"].median()
    assert small == pytest.approx(2 * large)


def test_identical_outputs_say_nothing_and_names_are_escaped():
    found = mt.minimum_detectable_difference(means(np.ones((2, 30)), systems=["<b>", "&"]))
    assert found.table["difference"].isna().all()
    assert "only 30 segments" in found.notes[0]
    assert "&lt;b&gt; against &amp;" in found._repr_html_()


def test_differences_that_do_not_vary_give_no_number():
    steady = [0.1 * i for i in range(30)]
    systems = {"a": steady, "b": [x + 0.3 for x in steady], "c": steady}
    statistics = means([*systems.values()], systems=[*systems])
    found = mt.minimum_detectable_difference(statistics)
    assert found.table["difference"].isna().all()
    assert "nan" not in found.sentence
    assert "no difference varies" in found.sentence
