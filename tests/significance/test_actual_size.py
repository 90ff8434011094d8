"""How often a test errs, estimated from the data: shapes, the calibration, notes, and worlds."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest
from scipy import stats
from scipy.special import ndtr, ndtri

import mtsig_nb as mt
from mtsig_nb.engine import edgeworth
from mtsig_nb.engine.edgeworth import Shape, scaled, size
from mtsig_nb.engine.influence import contributions
from mtsig_nb.engine.options import Design, ResamplingOptions
from mtsig_nb.engine.procedures import PROCEDURES
from mtsig_nb.engine.tallies import PAIR, differing_units, run
from mtsig_nb.significance.actual_size import (
    FEWEST_OF_EQUAL_WEIGHT,
    NOTED,
    USUAL,
    ActualSize,
    sample_shape,
    spread_ratio,
)
from mtsig_nb.statistics.sufficient import pair_indices

from ..messages import codes, naming, printed, values
from ..small_sets import means, real

AR = PROCEDURES["approximate-randomization"]


def mqm() -> mt.SufficientStatistics:
    return mt.load("wmt21/en-de").human.as_statistics()


def skewed_pair(n: int = 60, seed: int = 1) -> mt.SufficientStatistics:
    """Differences of mean zero or so, with a heavy tail on one side."""
    rng = np.random.default_rng(seed)
    differences = rng.gamma(0.2, size=n)
    return means([differences - differences.mean(), np.zeros(n)])


def actual(statistics, test=AR, alternative="two-sided") -> ActualSize:
    pairs = pair_indices(len(statistics.systems))
    return ActualSize.of(statistics, pairs, differing_units(statistics, pairs), test, alternative)


def shape(statistics):
    pairs = pair_indices(len(statistics.systems))
    return sample_shape(statistics, pairs, differing_units(statistics, pairs))


# The shape of what units contribute


def test_the_shape_is_that_of_the_differences():
    statistics = mqm().subset(np.arange(100)).select(["ref-A", "ref-C", "ref-D"])
    scores, found = statistics.segment_scores(), shape(statistics)
    for k, (a, b) in enumerate(zip(*pair_indices(3), strict=True)):
        differences = scores[a] - scores[b]
        assert found.skewness[k] == pytest.approx(stats.skew(differences))
        assert found.kurtosis[k] == pytest.approx(stats.kurtosis(differences))


def test_pairs_that_hardly_differ_have_no_estimate():
    rng = np.random.default_rng(3)
    scores = np.tile(rng.normal(size=100), (3, 1))
    scores[1, :9] += 1
    scores[2, :10] += rng.normal(size=10)
    found = actual(means(scores)).at(USUAL)
    assert np.isnan(found).tolist() == [True, False, False]
    same = mt.approximate_randomization(means(scores[:2]), "s0", "s1", n_resamples=99, rng=1)
    assert same.size_at_05 is None
    assert np.isnan(same.to_frame()["size_at_05"].item())
    few = means(rng.normal(size=(2, 19)))
    assert np.isnan(actual(few).at(USUAL)).all()
    everywhere = means([scores[0], scores[0] + 1])  # no more than rounding is left
    assert np.isnan(actual(everywhere).at(USUAL)).all()


# What results say


@pytest.mark.parametrize(
    "test", [mt.approximate_randomization, mt.bootstrap_test, mt.paired_bootstrap]
)
def test_one_pair_is_told_what_all_pairs_are(test):
    pair = skewed_pair()
    name = {"bootstrap_test": "bootstrap"}.get(test.__name__, test.__name__.replace("_", "-"))
    one = test(pair, "s0", "s1", n_resamples=199, rng=1)
    both = mt.compare_all(pair, test=name, n_resamples=199, rng=1)
    assert one.size_at_05 == pytest.approx(both.table["size_at_05"].item())
    assert one.size_at_05 == one.to_frame()["size_at_05"].item() > NOTED * USUAL
    (said,) = one.notes
    assert said.code == "size"
    assert said.values["alpha"] == 0.05
    assert said.values["size"] == f"{one.size_at_05:.2g}"
    assert said in one.sentence
    assert said.partition(" (+")[0] == both.notes[0].partition(" (")[0]
    assert ("exchangeable" in said) == (test is mt.approximate_randomization)


def test_the_note_is_about_the_level_in_use():
    pair = skewed_pair(150, seed=4)
    found = actual(pair)
    for alpha in (0.05, 0.01, 0.2):
        notes = mt.compare_all(pair, alpha=alpha, n_resamples=1999, rng=1).notes
        told = found.at(alpha).item() > NOTED * alpha
        sizes = [note.values["size"] for note in notes if note.code == "size"]
        assert sizes == ([f"{found.at(alpha).item():.2g}"] if told else [])
    assert found.too_large(0.01).item()
    assert not found.too_large(0.2).item()


def test_the_side_matters():
    """The tail that has the heavy one errs less, the other more."""
    pair = skewed_pair()

    def size(a, b, side):
        options = {"alternative": side, "n_resamples": 99, "rng": 1}
        return mt.bootstrap_test(pair, a, b, **options).size_at_05

    assert size("s0", "s1", "greater") < 0.05 < 0.06 < size("s0", "s1", "less")
    assert size("s1", "s0", "greater") == pytest.approx(size("s0", "s1", "less"))


def test_all_pairs_are_told_of_in_one_note():
    rng = np.random.default_rng(7)
    scores = rng.normal(size=(4, 60))
    scores[3] = -rng.gamma(0.1, size=60) * 20
    p = mt.compare_all(means(scores), n_resamples=199, rng=1)
    told = p.table["size_at_05"] > NOTED * USUAL
    assert told.sum() == 3
    (note,) = [note for note in p.notes if note.code == "size"]
    said = note.values
    worst = p.table.loc[p.table["size_at_05"].idxmax()]
    most = f"{worst['system_a']} against {worst['system_b']}"
    assert re.search(naming("3 of 6 ", most), said["several"])
    assert (said["n"], said["unit"]) == (60, "segments")
    low, high = p.table["size_at_05"][told].min(), p.table["size_at_05"].max()
    assert said["size"] == f"{low:.2g} to {high:.2g}"
    assert not any(printed(cell, "size") for cell in p.table["note"])
    assert note in p.caveats


def test_a_better_test_is_named_where_one_is_estimated_to_be():
    """Heavy tails on both sides: the paired bootstrap's quantiles depend on them, signs do not."""
    rng = np.random.default_rng(9)
    heavy = rng.standard_t(2, size=20)
    pair = means([np.concatenate([heavy, -heavy]), np.zeros(40)])
    result = mt.paired_bootstrap(pair, "s0", "s1", n_resamples=199, rng=1)
    assert result.size_at_05 > 0.06
    better = "with approximate randomization (test='approximate-randomization') it would be 0.05"
    assert better in result.notes[0]
    other = mt.approximate_randomization(pair, "s0", "s1", n_resamples=199, rng=1)
    assert other.size_at_05 == pytest.approx(0.05, abs=1e-3)
    assert "size" not in codes(other.notes)


# Worlds that the calibration has not seen: the share of data sets of which a note warns


def warned(pairs: mt.SufficientStatistics, test=AR) -> float:
    half = len(pairs.systems) // 2
    halves = np.arange(half), half + np.arange(half)
    found = ActualSize.of(pairs, halves, differing_units(pairs, halves), test, "two-sided")
    return float(found.too_large(USUAL).mean())


@pytest.mark.takes_time
@pytest.mark.parametrize("test", [p.name for p in PROCEDURES.values() if p.valid])
def test_it_warns_in_nine_of_ten_of_the_most_skewed_data(test):
    for n, units in ((50, "segments"), (100, "segments"), (50, "documents")):
        pairs = mt.simulate.centred_pairs(
            mqm(), "ref-A", "ref-C", n_units=n, units=units, n_pairs=1500, rng=31
        )
        assert warned(pairs, PROCEDURES[test]) > 0.88, (n, units)


@pytest.mark.parametrize("test", [p.name for p in PROCEDURES.values() if p.valid])
def test_it_seldom_warns_where_tests_keep_their_level(test):
    few = real().subset(np.arange(300))
    simulate, mild, equal = mt.simulate, ("metricsystem3", "UEdin"), ("UPC", "onlineA", "onlineB")
    for pairs in (
        simulate.exact_nulls(few, "onlineB", "UPC", n_pairs=300, rng=32),
        simulate.centred_pairs(mqm(), *mild, n_units=300, n_pairs=300, rng=33),
        simulate.equal_systems(real(), *equal, n_segments=300, n_pairs=300, rng=34),
    ):
        assert warned(pairs, PROCEDURES[test]) < 0.1


# Units of unequal size


def with_documents(name: str, n_pairs: int, seed: int, every: int = 1) -> mt.SufficientStatistics:
    """Equally good pairs on documents with a campaign's sizes; what a document does is normal."""
    documents = mt.load(name).documents
    kept = np.isin(documents, list(dict.fromkeys(documents))[::every])
    labels, document = np.unique(documents[kept], return_inverse=True)
    rng = np.random.default_rng(seed)
    effects = rng.normal(size=(n_pairs, len(labels)))[:, document]
    scores = np.concatenate([effects, np.zeros_like(effects)])
    return means(scores, documents=labels[document]).by_unit("documents")


@pytest.mark.parametrize("name", ["wmt21/is-en", "wmt12/es-en", "wmt22/zh-en", "wmt21/en-de"])
def test_unequal_documents_have_an_estimate_where_enough_of_them_count(name):
    pairs = with_documents(name, 400, 41)
    half = np.arange(400)
    found = ActualSize.of(pairs, (half, half + 400), np.full(400, 50), AR, "two-sided")
    # Normal effects are symmetric: randomization errs in .05.
    assert np.median(found.at(USUAL)) == pytest.approx(0.05, abs=0.01)


@pytest.mark.parametrize(("name", "every"), [("wmt25/en-ja_JP", 1), ("wmt12/es-en", 3)])
def test_where_a_few_documents_decide_nothing_is_estimated(name, every):
    pair = with_documents(name, 1, 42, every)
    assert pair.n_segments > 30
    result = mt.approximate_randomization(pair, "s0", "s1", n_resamples=99, rng=1)
    assert result.size_at_05 is None
    few = values(result.notes, "few-decide")
    assert few["n"] == pair.n_segments
    assert few["effective"] < FEWEST_OF_EQUAL_WEIGHT
    found = mt.compare_all(pair, n_resamples=99, interval=None, rng=1)
    assert found.table["size_at_05"].isna().all()
    assert codes(found.notes).count("few-decide") == 1
    assert values(found.notes, "few-decide") == few


PAIR_OF_LENGTHS = "XMU", "IIE-MT"


@pytest.fixture(scope="module")
def chinese():
    return mt.load("wmt21/zh-en").statistics("BLEU")


def ratio_of(statistics, n_resamples, seed=1, exact=False):
    options = ResamplingOptions(test=AR, n_resamples=n_resamples, exact=exact, rng=seed)
    done = run(Design(options), [statistics], [PAIR], keep=True)
    (counted,) = done.tallies
    return spread_ratio(statistics, PAIR, counted)[0], counted


@pytest.mark.parametrize("ratio", [0.5, 0.8, 1.0, 1.3])
def test_a_test_with_the_wrong_spread_errs_as_normal_theory_has_it(ratio):
    """With endless units; a threshold of one half of what it should be is passed in a third."""
    endless = Shape(10**9, np.array([0.3]), np.array([2.0]))
    for alpha in (0.05, 0.01):
        found = size(scaled(AR.critical, np.array([ratio])), endless, alpha, "two-sided")
        assert found == pytest.approx(2 * ndtr(ratio * ndtri(alpha / 2)), rel=1e-6)
        (found,) = size(scaled(AR.critical, np.array([ratio])), endless, alpha, "greater")
        assert found == pytest.approx(ndtr(ratio * ndtri(alpha)), rel=1e-3)
    few = Shape(100, np.array([1.5]), np.array([4.0]))
    unscaled = size(scaled(AR.critical, np.ones(1)), few, 0.05, "two-sided")
    np.testing.assert_array_equal(unscaled, size(AR.critical, few, 0.05, "two-sided"))
    assert edgeworth.size(AR.critical, few, 0.05, "two-sided") > 0.05


def test_the_ratio_is_that_of_the_draws_to_the_contributions(chinese):
    pair = chinese.select(PAIR_OF_LENGTHS)
    ratio, counted = ratio_of(pair, 3000)
    (drawn,) = counted.pseudo
    a, b = contributions(pair)
    expected = np.sqrt(np.mean(drawn**2)) / np.sqrt(((a - b) ** 2).sum())
    assert ratio == pytest.approx(expected, rel=1e-9)
    assert 0.4 < ratio < 0.6


def test_of_a_mean_it_is_one_whatever_is_drawn():
    rng = np.random.default_rng(2)
    for n_resamples in (9, 99):
        ratio, counted = ratio_of(means(rng.normal(size=(2, 40))), n_resamples)
        assert counted.spread is None
        assert ratio == 1


def test_a_result_says_how_often_it_errs_why_and_what_to_use(chinese):
    result = mt.approximate_randomization(chinese, *PAIR_OF_LENGTHS, rng=1)
    assert result.size_at_05 > 0.15
    (note,) = result.notes
    remedy = PROCEDURES["sign-flip"].title
    (mixing,) = printed(note, "mixing")
    assert mixing["ratio"] == "0.50"
    assert re.search(naming("different lengths (XMU", remedy), note)
    remedy = mt.sign_flip_test(chinese, *PAIR_OF_LENGTHS, rng=1)
    assert remedy.size_at_05 == pytest.approx(0.05, abs=0.01)
    assert remedy.notes == ()


def test_a_spread_that_is_too_wide_is_told_of_as_well(chinese):
    actual = ActualSize.of(chinese.select(PAIR_OF_LENGTHS), PAIR, np.array([900]), AR, "two-sided")
    assert not actual.off[0]
    wide = dataclasses.replace(actual, ratio=np.array([1.3]))
    assert wide.off[0]
    assert wide.at(0.05)[0] < 0.02
    assert "1.30 times" in wide.mixing(0)
    assert not wide.instead(PROCEDURES["sign-flip"]).off[0]
    assert wide.instead(PROCEDURES["bootstrap"]).at(0.05)[0] == pytest.approx(0.055, abs=0.002)
