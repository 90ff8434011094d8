"""Equivalence: by hand, at its level on the margin, with power at zero, and in careful words."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy import stats

import mtsig_nb as mt

from ..messages import printed, values
from ..small_sets import means, plausible, real

PAIR = ("onlineC", "onlineD")


def test_percentile_by_hand():
    found = mt.equivalence_test(real(), *PAIR, margin=0.5, n_resamples=500, rng=3)
    d = mt.confidence_interval(real(), *PAIR, n_resamples=500, rng=3).distribution
    assert found.pvalue_above == (np.sum(d >= 0.5) + 1) / 501
    assert found.pvalue_below == (np.sum(d <= -0.5) + 1) / 501
    assert found.pvalue == max(found.pvalue_above, found.pvalue_below)
    np.testing.assert_allclose(found.interval, np.quantile(d, [0.05, 0.95]))


def test_means_against_the_two_t_tests():
    """On 500 differences the bootstrap's two tests are Student's, but for Monte Carlo error."""
    rng = np.random.default_rng(2)
    pair = means(rng.normal(size=(2, 500)))
    d = pair.values[0, :, 0] - pair.values[1, :, 0]
    found = mt.equivalence_test(pair, "s0", "s1", margin=0.15, rng=4)
    below = stats.ttest_1samp(d, -0.15, alternative="greater").pvalue
    above = stats.ttest_1samp(d, 0.15, alternative="less").pvalue
    for p, expected in ((found.pvalue_below, below), (found.pvalue_above, above)):
        assert plausible(round(p * 10_001) - 1, 10_000, expected * 0.85, expected * 1.15)


def test_the_decision_is_that_of_the_interval():
    """Within the margin exactly where the interval is, whatever the margin."""
    for margin in np.linspace(0.05, 1.5, 30):
        found = mt.equivalence_test(real(), *PAIR, margin=margin, n_resamples=400, rng=5)
        inside = -margin < found.interval[0] and found.interval[1] < margin
        close = min(abs(abs(np.array(found.interval)) - margin)) < 0.01
        assert found.equivalent == inside or close


def rejections(difference: float, margin: float, *, n_pairs: int = 300) -> int:
    """Simulated pairs with that true difference that are found equivalent at .05."""
    pairs = mt.simulate.planted_difference(
        real(), *PAIR, difference=difference, n_units=800, n_pairs=n_pairs, rng=17
    )
    return sum(
        mt.equivalence_test(
            pairs, f"heads {k}", f"tails {k}", margin=margin, n_resamples=399, rng=18
        ).equivalent
        for k in range(1, n_pairs + 1)
    )


@pytest.mark.takes_time
@pytest.mark.parametrize("side", [-1, 1])
def test_holds_its_level_at_the_margin(side):
    """True difference = margin: at most 5 % of pairs, false alarm 1e-7; 6 % allowed for n = 800.

    The standard error there is 0.33, so a margin of 1.2 leaves the other side out of play.
    """
    found = rejections(side * 1.2, 1.2)
    assert found <= stats.binom.isf(1e-7, 300, 0.06)
    assert found >= stats.binom.ppf(1e-7, 300, 0.03)  # and is not merely timid


@pytest.mark.takes_time
def test_has_power_where_there_is_no_difference():
    """A margin of 1.2 is 3.6 standard errors: normal theory gives 2 * Phi(3.6 - 1.64) - 1 = .95."""
    assert plausible(rejections(0.0, 1.2), 300, 0.92, 0.97)


def test_a_system_and_its_copy_differ_by_less_than_any_margin():
    twins = mt.SufficientStatistics(real().metric, ["a", "copy"], real().values[[0, 0]])
    found = mt.equivalence_test(twins, "a", "copy", margin=0.001, n_resamples=99, rng=1)
    assert found.equivalent
    assert found.pvalue == 0.01
    assert found.notes[0].code == "identical"


def test_wording_claims_no_more_than_was_shown():
    narrow = mt.equivalence_test(real(), *PAIR, margin=0.1, n_resamples=300, rng=1)
    wide = mt.equivalence_test(real(), *PAIR, margin=2, n_resamples=300, rng=1)
    far = mt.equivalence_test(real(), "onlineB", "onlineF", margin=2, n_resamples=300, rng=1)
    assert not narrow.equivalent
    assert narrow.conclusion.startswith("not shown")
    assert narrow.conclusion.endswith("0.1 BLEU")
    assert wide.equivalent
    assert wide.conclusion.startswith("differ by less")
    assert wide.conclusion.endswith("2 BLEU")
    assert "beyond-margin" in [note.code for note in far.notes]
    assert printed(far.sentence, "excludes-zero") == [{}]
    for found in (narrow, wide, far):
        assert not re.search(r"\bequal\b|\bsame\b|no difference", found.sentence + repr(found))
        assert values(found.notes, "documents-ignored")["n"] == 99
        assert len(printed(found.sentence, "documents-ignored")) == 1


def test_documents_are_resampled_where_asked():
    by_document = mt.equivalence_test(
        real(), *PAIR, margin=1, units="documents", n_resamples=200, rng=1
    )
    assert (by_document.unit, by_document.n_units) == ("documents", 99)
    assert not any("documents" in note for note in by_document.notes)


def at_the_margin(differences, *, margin=1.0, rng=1, **options):
    """The test of a pair with these differences, whose other system has zeros."""
    pair = means(np.stack([differences, np.zeros_like(differences)]))
    return mt.equivalence_test(pair, "s0", "s1", margin=margin, rng=rng, **options)


@pytest.mark.takes_time
@pytest.mark.parametrize(("n", "skewness"), [(50, 2.0), (100, -4.0), (100, 0.0)])
def test_how_often_it_errs_at_the_margin_is_estimated(n, skewness):
    """Where the true difference is the margin, on the side to which differences are skewed."""
    rng = np.random.default_rng(9)
    side = -1.0 if skewness < 0 else 1.0
    found = []
    for k in range(400):
        d = rng.normal(size=n)
        if skewness:
            form = 4 / skewness**2
            d = side * (rng.gamma(form, size=n) - form) / np.sqrt(form)
        found.append(at_the_margin(d + side, n_resamples=399, rng=k))
    counted = np.mean([each.equivalent for each in found])
    estimated = np.median([each.size_at_margin for each in found])
    assert abs(counted - estimated) < 4 * np.sqrt(estimated / 400)
    noted = np.mean(["size-at-margin" in [n.code for n in each.notes] for each in found])
    assert noted > 0.9 if skewness else noted < 0.1


def test_what_few_segments_may_not_show_is_told():
    d = np.random.default_rng(3).normal(size=400)
    few = {n.code: n for n in at_the_margin(d[:50], n_resamples=199).notes}
    many = {n.code: n for n in at_the_margin(d, n_resamples=199).notes}
    assert few["unseen"].values["share"] == pytest.approx(1 - 0.05 ** (1 / 50))
    assert "unseen" not in many
    assert at_the_margin(d[:12], n_resamples=199).size_at_margin is None
