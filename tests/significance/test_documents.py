"""Documents beside segments: both tests as they are alone, and what Kish says of the ratio."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt
from mtsig_nb.errors import InputError
from mtsig_nb.significance.design_effects import documents_note

from ..small_sets import means, real

QUICK = {"n_resamples": 200, "rng": 4}


def test_both_comparisons_are_those_of_compare_all():
    both = mt.compare_units([real("BLEU"), real("TER")], **QUICK)
    for units, found in (("segments", both.by_segment), ("documents", both.by_document)):
        alone = mt.compare_all([real("BLEU"), real("TER")], units=units, interval=None, **QUICK)
        pd.testing.assert_frame_equal(found.table, alone.table)
        np.testing.assert_array_equal(both.table[f"pvalue_{units}"], alone.table["pvalue_adjusted"])
    assert (both.table["metric"].value_counts() == 66).all()


def test_the_ratio_is_that_of_bootstrap_standard_errors():
    pair = ("onlineB", "UPC")
    both = mt.compare_units(real().select(pair), **QUICK).table
    for units in ("segments", "documents"):
        by_bootstrap = mt.confidence_interval(
            real(), *pair, units=units, n_resamples=4000, rng=2
        ).standard_error
        # 4,000 resamples tell a standard deviation to 1.1 %; the two estimators differ by a little.
        assert both[f"se_{units}"].item() == pytest.approx(by_bootstrap, rel=0.07)
    assert both["ratio"].item() == pytest.approx((both.se_documents / both.se_segments).item())


def test_the_correlation_is_that_within_documents():
    """Scores with a document's part and a segment's part, correlated by 0.2."""
    rng = np.random.default_rng(3)
    labels = np.repeat(np.arange(2000), 5)
    d = np.sqrt(0.2) * rng.normal(size=2000)[labels] + np.sqrt(0.8) * rng.normal(size=10_000)
    both = mt.compare_units(means(np.stack([d, 0 * d]), documents=labels), **QUICK)
    assert both.table["correlation"].item() == pytest.approx(0.2, abs=0.04)


def test_pairs_that_documents_lose_are_named():
    both = mt.compare_units(real(), correction=None, n_resamples=1000, rng=1)
    counted = int((both.by_segment.table["conclusion"] == "better").sum())
    kept = int((both.by_document.table["conclusion"] == "better").sum())
    assert (
        f"{counted} distinguished with 3,003 segments as units, {kept} with 99 documents"
        in both.sentence
    )
    for row in both.lost.itertuples():
        assert row.pvalue_segments <= 0.05 < row.pvalue_documents
    assert len(both.table) == 66
    assert "<table" in both._repr_html_()


def test_copies_have_no_ratio_and_few_resamples_are_noted():
    few = mt.compare_units(real(), n_resamples=200, rng=1)
    assert "200 resamples are too few for holm on 66 comparisons" in few.sentence
    twins = means(np.ones((2, 20)), documents=np.arange(20) // 4)
    both = mt.compare_units(twins, **QUICK)
    assert both.table["ratio"].isna().all()
    assert "no pair differs" in both.sentence
    assert documents_note(twins) == (
        "segments were taken as independent although documents are known (5)",
    )


def test_notes_say_what_was_ignored():
    pair = real().select(["onlineB", "UPC"])
    ratio = mt.compare_units(pair, **QUICK).table["ratio"].item()
    (note,) = documents_note(pair)
    assert f"is {ratio:.2f} times as large; use units='documents'" in note
    assert documents_note(pair.by_unit("documents")) == ()
    alone = means(np.ones((2, 20)), documents=[0] * 20)
    assert documents_note(alone)[0].endswith("known (1)")


@pytest.mark.parametrize("test", [mt.approximate_randomization, mt.bootstrap_test])
def test_single_pairs_say_what_was_ignored(test):
    pair = ("onlineB", "UPC")
    ignored = test(real(), *pair, n_resamples=99, rng=1)
    assert ignored.notes == documents_note(real().select(pair))
    assert test(real(), *pair, units="documents", n_resamples=99, rng=1).notes == ()


def test_classical_tests_say_it_too():
    rng = np.random.default_rng(1)
    pair = means(rng.normal(size=(2, 60)), documents=np.arange(60) // 5)
    assert mt.paired_t_test(pair, "s0", "s1").notes[-1] == documents_note(pair)[0]
    assert len(mt.paired_t_test(pair, "s0", "s1", units="documents").notes) < 3


def test_documents_must_be_known():
    with pytest.raises(InputError, match="units='documents' needs a document label"):
        mt.compare_units(means(np.ones((2, 20))), **QUICK)
