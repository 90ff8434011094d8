"""What is said where documents are known and segments are taken as independent."""

from __future__ import annotations

import re

import numpy as np
import pytest

import mtsig_nb as mt

from ..small_sets import means, real

PAIR = ("onlineB", "UPC")


def ratio(notes: tuple[str, ...]) -> float:
    (said,) = re.findall(r"is ([\d.]+) times as large", " ".join(notes))
    return float(said)


def test_the_ratio_is_what_kish_says_of_the_correlation_within_documents():
    """Scores with a document's part and a segment's part, correlated by 0.2: 1 + 4 * 0.2."""
    rng = np.random.default_rng(3)
    labels = np.repeat(np.arange(2000), 5)
    d = np.sqrt(0.2) * rng.normal(size=2000)[labels] + np.sqrt(0.8) * rng.normal(size=10_000)
    pair = means(np.stack([d, 0 * d]), documents=labels)
    noted = mt.approximate_randomization(pair, "s0", "s1", n_resamples=99, rng=1).notes
    assert ratio(noted) == pytest.approx(np.sqrt(1.8), abs=0.06)


@pytest.mark.parametrize("test", [mt.approximate_randomization, mt.bootstrap_test])
def test_with_documents_as_units_nothing_is_said(test):
    assert "use units='documents'" in test(real(), *PAIR, n_resamples=99, rng=1).notes[0]
    assert test(real(), *PAIR, units="documents", n_resamples=99, rng=1).notes == ()


def test_where_there_is_no_ratio_documents_are_only_counted():
    for labels, n in ((np.arange(20) // 4, 5), ([0] * 20, 1)):
        twins = means(np.ones((2, 20)), documents=labels)
        notes = mt.compare_all(twins, n_resamples=99, interval=None, rng=1).notes
        said = f"segments were taken as independent although documents are known ({n})"
        assert said in notes
