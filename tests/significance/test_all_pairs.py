"""All pairs at once: the same as each alone, in one family, with conclusions that fit."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.multitest import multipletests

import mtsig_nb as mt
from mtsig_nb.engine.procedures import PROCEDURES
from mtsig_nb.significance.corrections import OF_PVALUES
from mtsig_nb.significance.one_pair import run_test

from ..small_sets import means, real

SEVERAL = ("BLEU", "NIST", "TER")
QUICK = {"n_resamples": 600, "interval": None, "rng": 5}


@pytest.fixture(scope="module")
def graham():
    """The three tests of Graham et al. (2014), one-sided, on WMT12 es-en with BLEU."""
    options = {"correction": None, "interval": None, "n_resamples": 4000, "rng": 2014}
    return {
        test: mt.compare_all(real(), test=test, alternative="greater", **options)
        for test in ("paired-bootstrap", "bootstrap", "approximate-randomization")
    }


@pytest.mark.parametrize("alpha", [0.05, 0.01, 0.001])
def test_three_one_sided_tests_draw_the_same_conclusions(graham, alpha):
    """The central claim of Graham et al. (2014), for all 66 pairs."""
    first, *others = (p.conclusions(alpha) for p in graham.values())
    assert len(first.pairs()) == 66
    assert (first.pairs() == 0).any()
    for other in others:
        assert other == first


# Together and alone


@pytest.mark.parametrize("test", PROCEDURES)
def test_every_pair_is_as_if_tested_alone(test):
    statistics = real().select(real().systems[:4])
    together = mt.compare_all(statistics, test=test, correction=None, **QUICK)
    for row in together.table.itertuples():
        alone = run_test(test, statistics, row.system_a, row.system_b, n_resamples=600, rng=5)
        assert alone.pvalue == row.pvalue
        assert alone.pvalue_interval == (row.pvalue_low, row.pvalue_high)
        assert alone.statistic == row.difference
        assert alone.conclusion() == row.conclusion


def test_several_metrics_are_as_each_alone():
    family = mt.compare_all([real(m) for m in SEVERAL], correction=None, **QUICK)
    assert family.metrics == SEVERAL
    for metric in SEVERAL:
        alone = mt.compare_all(real(metric), correction=None, **QUICK).to_frame()
        rows = family.table[family.table["metric"] == metric].reset_index(drop=True)
        pd.testing.assert_frame_equal(rows, alone)


@pytest.mark.parametrize(
    ("test", "correction"),
    [
        ("approximate-randomization", "westfall-young"),
        ("approximate-randomization", "tukey"),
        ("bootstrap", "romano-wolf"),
        ("studentized-bootstrap", "romano-wolf"),
    ],
)
def test_workers_and_memory_change_nothing(test, correction, monkeypatch):
    statistics = real().select(real().systems[:4]).subset(np.arange(400))
    options = {"test": test, "correction": correction, "n_resamples": 1700, "rng": 9}
    alone = mt.compare_all(statistics, **options)
    with ThreadPoolExecutor(3) as executor:
        shared = mt.compare_all(statistics, executor=executor, **options)
    monkeypatch.setattr("mtsig_nb.engine.tallies.KEPT_BYTES", 0)  # draw again instead of keeping
    redrawn = mt.compare_all(statistics, **options)
    pd.testing.assert_frame_equal(shared.table, alone.table)
    pd.testing.assert_frame_equal(redrawn.table, alone.table)


# The family


@pytest.mark.slow
@pytest.mark.parametrize("correction", OF_PVALUES)
def test_corrections_cover_all_metrics_together(correction):
    family = mt.compare_all([real(m) for m in SEVERAL], correction=correction, **QUICK)
    np.testing.assert_array_equal(
        family.table["pvalue_adjusted"], mt.adjust_pvalues(family.table["pvalue"], correction)
    )
    pvalues = [*family.table["pvalue"], 1.0, 0.01, 0.01]
    with np.errstate(divide="ignore"):
        expected = multipletests(pvalues, method=OF_PVALUES[correction])[1]
    np.testing.assert_allclose(mt.adjust_pvalues(pvalues, correction), expected, rtol=1e-14)
    assert family.n_comparisons == 3 * 66


def test_corrections_have_other_names():
    assert mt.adjust_pvalues([0.01, 0.04], "Benjamini_Hochberg").tolist() == [0.02, 0.04]


# What is returned


def test_table_has_its_columns_and_the_better_system_first():
    p = mt.compare_all([real(m) for m in SEVERAL], n_resamples=300, interval_resamples=300, rng=1)
    assert len(p.table) == 198
    assert (p.table["difference"] >= 0).all()
    ter = p.table[p.table["metric"] == "TER"]
    assert (ter["score_a"] <= ter["score_b"]).all()
    assert (p.table["ci_low"] <= p.table["difference"]).all()
    assert (p.table["difference"] <= p.table["ci_high"]).all()
    assert (p.table["pvalue_adjusted"] >= p.table["pvalue"]).all()
    assert p.to_frame() is not p.table


@pytest.mark.parametrize("alpha", [0.05, 0.01])
@pytest.mark.parametrize("metric", SEVERAL)
def test_conclusions_agree_with_the_table(alpha, metric):
    family = [real(m) for m in SEVERAL]
    p = mt.compare_all(family, alpha=alpha, correction="benjamini-hochberg", **QUICK)
    conclusions = p.conclusions(metric=metric)
    assert conclusions.alpha == alpha
    rows = p.table[p.table["metric"] == metric]
    for row in rows.itertuples():
        pair = (row.system_a, row.system_b)
        said = "cannot tell" if pair in conclusions.unresolved else conclusions.word(*pair)
        assert said == row.conclusion
        assert (row.conclusion == "better") == (row.pvalue_adjusted <= alpha)
    assert {"better", "indistinguishable"} <= set(rows["conclusion"])


# Notes


def test_pairs_say_when_not_to_rely_on_them():
    scores = np.random.default_rng(3).normal(size=(3, 80))
    scores[1] = scores[0]
    scores[1, :4] += 1
    scores[2] -= 0.38  # near the level
    table = mt.compare_all(means(scores), n_resamples=2000, correction=None, rng=1).table
    notes = {frozenset((r.system_a, r.system_b)): r.note for r in table.itertuples()}
    few, exact = notes[frozenset(("s0", "s1"))].values["notes"]
    assert (few.code, few.values["differing"], few.values["n"]) == ("few-differ", 4, 80)
    assert (exact.code, exact.values["n"]) == ("exact", 16)
    straddling = (table["pvalue_low"] <= 0.05) & (table["pvalue_high"] >= 0.05)
    noted = [any(n.code == "uncertain" for n in cell.values["notes"]) for cell in table["note"]]
    assert straddling.tolist() == noted
