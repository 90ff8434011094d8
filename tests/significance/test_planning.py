"""The smallest difference that a test set shows: the textbook's formula, and brute force."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
from scipy import special
from statsmodels.stats.power import TTestPower

import mtsig_nb as mt

from ..messages import naming
from ..small_sets import means, plausible, real

PAIR = ("onlineC", "onlineD")


@pytest.mark.parametrize(("alternative", "tails"), [("two-sided", 2), ("greater", 1), ("less", 1)])
def test_the_difference_in_a_mean_against_statsmodels(alternative, tails):
    d = np.random.default_rng(1).normal(size=400)
    pilot = means(np.stack([50 + (d - d.mean()) / d.std(ddof=1), np.full(400, 50.0)]))
    options = {"n_units": [25, 100, 400], "power": 0.9, "alpha": 0.03, "comparisons": 3}
    found = mt.minimum_detectable_difference(pilot, "s0", "s1", alternative=alternative, **options)
    for row in found.table.itertuples():
        # statsmodels counts both tails of a two-sided test, we the right one.
        expected = TTestPower().solve_power(
            nobs=row.n_units, alpha=0.01 / tails, power=0.9, alternative="larger"
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
    median = seen.table.query("n_units == 2000")["difference"].median()
    assert re.search(naming("2,000 segments", f"{median:.2f} BLEU", "66 pairs"), line)
    pair = mt.minimum_detectable_difference(real(), *PAIR, n_units=500).table
    row = seen.table.query("system_a == 'onlineC' and system_b == 'onlineD' and n_units == 500")
    assert row["difference"].item() == pytest.approx(pair["difference"].item())
    small, large = seen.table.groupby("n_units")["difference"].median()
    assert small == pytest.approx(2 * large, rel=2e-3)  # with t a little more than twice


def share_found(differences, level, alternative):
    """Of rows of differences, how many approximate randomization finds, all signs written out."""
    n = differences.shape[1]
    signs = np.array(list(itertools.product((1, -1), repeat=n)))
    sums = differences @ signs.T
    observed = sums[:, :1] - 1e-12  # all signs as they are come first
    if alternative == "two-sided":
        sums, observed = np.abs(sums), np.abs(sums[:, :1]) - 1e-12
    return np.mean((sums >= observed).mean(axis=1) <= level)


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
@pytest.mark.parametrize("n", [6, 7, 8, 10])
def test_few_units_find_it_nearly_four_times_in_five(n, alternative):
    """Counted with approximate randomization over all arrangements."""
    rng = np.random.default_rng(n)
    pilot = rng.normal(size=300)
    pilot = (pilot - pilot.mean()) / pilot.std(ddof=1)
    seen = mt.minimum_detectable_difference(
        means(np.stack([pilot, 0 * pilot])), "s0", "s1", n_units=n, alternative=alternative
    )
    drawn = rng.normal(size=(4000, n)) + seen.table["difference"].item()
    assert 0.75 <= share_found(drawn, 0.05, alternative) <= 0.83


def test_six_units_have_to_agree():
    """Of 64 arrangements the two of one sign make a p of .03125, and two more make too many."""
    x = np.random.default_rng(1).normal(size=(2, 50))
    row = mt.minimum_detectable_difference(means(x), "s0", "s1", n_units=6).table.iloc[0]
    deviation = row["standard_error"] * np.sqrt(6)
    assert special.ndtr(row["difference"] / deviation) ** 6 == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("n", "options", "least"),
    [
        (2, {}, 6),
        (5, {}, 6),
        (4, {"alternative": "greater"}, 5),
        (11, {"comparisons": 66}, 12),
        ([5, 100], {}, 6),
    ],
)
def test_too_few_units_for_any_test_are_refused(n, options, least):
    pilot = means(np.random.default_rng(1).normal(size=(2, 50)))
    with pytest.raises(mt.InputError, match=naming("however large", f"Plan {least} segments")):
        mt.minimum_detectable_difference(pilot, "s0", "s1", n_units=n, **options)
    mt.minimum_detectable_difference(pilot, "s0", "s1", n_units=least, **options)


def test_two_documents_find_nothing():
    pilot = means(np.random.default_rng(1).normal(size=(2, 50)), documents=np.arange(50) // 25)
    with pytest.raises(mt.InputError, match=naming("4 arrangements", "0.5")):
        mt.minimum_detectable_difference(pilot, "s0", "s1", units="documents")


@pytest.mark.parametrize("offset", [0.0, 1e4])
@pytest.mark.parametrize("step", [0.1, 0.01, 1 / 3])
def test_a_difference_that_is_the_same_everywhere_has_no_spread(offset, step):
    """Whatever is left of it in floating point."""
    one = offset + np.random.default_rng(2).integers(0, 40, 60) * step
    pilot = means(np.stack([one + 3 * step, one, one[::-1]]))
    seen = mt.minimum_detectable_difference(pilot)
    known = seen.table.set_index(["system_a", "system_b"])["difference"].notna()
    assert known.to_dict() == {("s0", "s1"): False, ("s0", "s2"): True, ("s1", "s2"): True}
    assert "nan" not in seen.sentence
    assert re.search(naming("median", "2 pairs", "of 3;"), seen.sentence)
    alone = mt.minimum_detectable_difference(pilot, "s0", "s1")
    assert "nan" not in alone.sentence
    assert "no spread" in alone.sentence


def test_identical_outputs_say_nothing_and_names_are_escaped():
    found = mt.minimum_detectable_difference(means(np.ones((2, 30)), systems=["<b>", "&"]))
    assert found.table["difference"].isna().all()
    assert "no spread" in found.sentence
    assert [note.code for note in found.notes] == ["small-pilot"]
    assert "&lt;b&gt; against &amp;" in found._repr_html_()


def test_differences_that_do_not_vary_give_no_number():
    steady = [0.1 * i for i in range(30)]
    systems = {"a": steady, "b": [x + 0.3 for x in steady], "c": steady}
    statistics = means([*systems.values()], systems=[*systems])
    found = mt.minimum_detectable_difference(statistics)
    assert found.table["difference"].isna().all()
    assert "nan" not in found.sentence
    assert "no spread" in found.sentence
