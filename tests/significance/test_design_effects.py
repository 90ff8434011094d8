"""How alike the segments of a document are, and what unequal documents are worth."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.significance.over_test_sets import equal_documents, intraclass_correlations

SIZES = np.array([60, 25, 10, 10, 8, 5, 5, 4, 3, 3, 2, 2, 1, 1, 1])


def scores(rng, sizes, alike, n_systems=2):
    """Differences of variance 1 of which so much is the document's."""
    of_document = rng.normal(size=(n_systems, len(sizes))).repeat(sizes, axis=1)
    own = rng.normal(size=of_document.shape)
    return (np.sqrt(alike) * of_document + np.sqrt(1 - alike) * own) / np.sqrt(2)


def test_of_equal_documents_it_is_what_the_f_ratio_says():
    rng = np.random.default_rng(1)
    values = scores(rng, np.full(12, 7), 0.4)
    groups = np.split(values[0] - values[1], 12)
    f_ratio = stats.f_oneway(*groups).statistic
    found = intraclass_correlations(values, np.repeat(np.arange(12), 7))[0, 1]
    assert found == pytest.approx((f_ratio - 1) / (f_ratio - 1 + 7))


@pytest.mark.parametrize("alike", [0.1, 0.5])
def test_of_unequal_documents_it_is_right_on_average(alike):
    rng = np.random.default_rng(2)
    sizes = np.repeat(SIZES, 6)  # 90 documents, so that the ratio of two estimates has little bias
    document = np.arange(len(sizes)).repeat(sizes)
    found = [intraclass_correlations(scores(rng, sizes, alike), document)[0, 1] for _ in range(400)]
    assert np.mean(found) == pytest.approx(alike, abs=5 * np.std(found) / 20 + 0.01)


def test_strata_have_means_of_their_own():
    """Of documents of one size: the F ratio of a nested layout, by sums of squares."""
    rng = np.random.default_rng(9)
    table = rng.normal(size=(2, 6, 4)) + rng.normal(size=(2, 6, 1))
    mean_square = 4 * table.mean(axis=2).var(axis=1, ddof=1).mean()
    within = table.var(axis=2, ddof=1).mean()
    between = (mean_square - within) / 4
    values = np.stack([(table + np.array([30, -30])[:, None, None]).ravel(), np.zeros(48)])
    document, stratum = np.arange(12).repeat(4), np.arange(2).repeat(24)
    found = intraclass_correlations(values, document, stratum)[0, 1]
    assert found == pytest.approx(between / (between + within))
    assert intraclass_correlations(values, document)[0, 1] > 0.99
    assert np.isnan(intraclass_correlations(values, document, document)).all()


def test_equal_documents_between_kishs_number_and_their_own():
    weights = SIZES.astype(float)
    kish = weights.sum() ** 2 / (weights**2).sum()
    none, some, all_alike = equal_documents(weights, SIZES, np.array([0.0, 0.3, 1.0]))
    assert all_alike == pytest.approx(kish)
    assert none == pytest.approx(len(SIZES))
    assert kish < some < len(SIZES)


def test_equal_documents_have_the_variance_that_these_have():
    rng = np.random.default_rng(4)
    ends = np.cumsum(SIZES)
    means = [scores(rng, SIZES, 0.3, 1)[0, : ends[-1]].mean() for _ in range(20_000)]
    n = equal_documents(SIZES.astype(float), SIZES, np.array(0.3))
    size = SIZES.mean()
    of_one = (0.3 + 0.7 / size) / 2  # variance of the mean of a document of average size
    assert of_one / n == pytest.approx(np.var(means), rel=0.05)


def compared(alike, n_sets=3):
    """All verdicts on test sets that share their documents."""
    sizes = np.repeat(SIZES, 8)
    document = np.arange(len(sizes)).repeat(sizes)
    rng = np.random.default_rng(5)
    given = {}
    for k in range(n_sets):
        values = scores(rng, sizes, alike)
        frame = pd.DataFrame(
            {
                "system": np.repeat(["A", "B"], len(document)),
                "segment": np.tile(np.arange(len(document)), 2),
                "document": np.tile(document, 2),
                "score": values.ravel(),
            }
        )
        given[f"set {k}"] = mt.from_segment_scores(frame, score="score", document="document")
    return mt.compare_all(mt.test_sets(given), n_resamples=99, interval=None, rng=1)


def test_many_test_sets_say_what_unequal_documents_are_worth():
    alike, apart = compared(1 - 1e-9).by_test_set, compared(1e-9).by_test_set
    np.testing.assert_allclose(alike["n_effective"], alike["n_effective_least"], rtol=1e-3)
    assert (apart["n_effective_least"] == alike["n_effective_least"]).all()
    assert (apart["n_effective"] > 0.7 * 8 * len(SIZES)).all()
    assert (apart["n_effective"] <= 8 * len(SIZES) + 1e-9).all()
