"""Macro averages over strata: their scores, their resamples, and every analysis on them."""

import numpy as np
import pytest

import mtsig_nb as mt
from mtsig_nb.engine.resampling import Resampling
from mtsig_nb.metrics import BLEU, SegmentMean

PAIR = (np.array([0]), np.array([1]))


@pytest.fixture(scope="module")
def bleu():
    """Four systems on 600 segments, in three domains made of whole documents."""
    full = mt.load("wmt12/es-en").statistics("BLEU")
    return full.select(["onlineB", "uedin-wmt12", "onlineC", "onlineD"]).subset(range(600))


@pytest.fixture(scope="module")
def domains(bleu):
    """Of every four documents one is news, one talks, two are reviews; by name, in order."""
    numbers = np.unique(bleu.documents, return_inverse=True)[1]
    names = np.array(["news", "talks", "reviews", "reviews"])
    return names[numbers % 4]


@pytest.fixture(scope="module")
def macro(bleu, domains):
    return bleu.by_stratum(domains)


def mean_of(scores):
    scores = np.asarray(scores, dtype=float)
    values = np.stack([scores, np.ones_like(scores)], axis=-1)
    return mt.SufficientStatistics(SegmentMean(label="COMET"), ("A", "B"), values)


def test_the_score_is_the_mean_of_the_strata_s_scores(bleu, domains, macro):
    by_hand = [
        BLEU().score(bleu.subset(domains == name).totals()) for name in ("news", "talks", "reviews")
    ]
    np.testing.assert_allclose(macro.metric.score(macro.totals()), np.mean(by_hand, axis=0))
    order = list(dict.fromkeys(domains))
    np.testing.assert_allclose(
        macro.metric.stratum_scores(macro.totals())[:, order.index("talks")], by_hand[1]
    )


def test_bootstrap_keeps_the_size_of_every_stratum(macro, domains):
    plan = Resampling.of("bootstrap", [macro], PAIR, n_resamples=600, seed=31)
    weights = np.concatenate([plan.weights(block) for block in plan.blocks])
    for name in np.unique(domains):
        assert (weights[:, domains == name].sum(axis=1) == (domains == name).sum()).all()
    # ... and draws independently in each: their counts do not repeat each other's.
    news, talks = (weights[:, domains == name][:, 0].astype(float) for name in ("news", "talks"))
    assert abs(np.corrcoef(news, talks)[0, 1]) < 4 / np.sqrt(600)


def test_bootstrap_spread_is_that_of_independent_strata():
    """For a mean the variance is known: the mean of the strata's squared errors over k squared."""
    rng = np.random.default_rng(32)
    labels = np.array(["news"] * 300 + ["talks"] * 40)
    scores = rng.normal(0, np.where(labels == "news", 1.0, 3.0), size=(2, 340))
    macro = mean_of(scores).by_stratum(labels)
    n_resamples = 8000
    interval = mt.confidence_interval(macro, "A", "B", n_resamples=n_resamples, rng=33)
    difference = scores[0] - scores[1]
    parts = [difference[labels == name] for name in ("news", "talks")]
    expected = np.sqrt(sum(d.var() / len(d) for d in parts)) / 2
    # The relative error of a standard deviation is 1/sqrt(2 n); five of them.
    assert interval.standard_error == pytest.approx(expected, rel=5 / np.sqrt(2 * n_resamples))


def test_jackknife_errors_respect_strata():
    from mtsig_nb.significance.corrections import standard_errors

    rng = np.random.default_rng(34)
    labels = np.array(["news"] * 50 + ["talks"] * 7)
    scores = rng.normal(size=(2, 57))
    macro = mean_of(scores).by_stratum(labels)
    difference = scores[0] - scores[1]
    parts = [difference[labels == name] for name in ("news", "talks")]
    expected = np.sqrt(sum(d.var(ddof=1) / len(d) for d in parts)) / 2
    assert standard_errors(macro, PAIR)[0] == pytest.approx(expected)


def test_exact_enumeration_agrees_with_sampling():
    rng = np.random.default_rng(39)
    labels = np.array(["news"] * 10 + ["talks"] * 4)
    macro = mean_of(rng.normal([[0.5], [0]], 1, size=(2, 14))).by_stratum(labels)
    exact = mt.approximate_randomization(macro, "A", "B", exact=True)
    sampled = mt.approximate_randomization(macro, "A", "B", exact=False, n_resamples=20_000, rng=40)
    assert exact.n_resamples == 2**14
    assert abs(sampled.pvalue - exact.pvalue) < 5 * np.sqrt(0.25 / 20_000)


def test_all_pairs(macro):
    options = {"n_resamples": 500, "interval_resamples": 300, "rng": 41}
    for test in ("approximate-randomization", "bootstrap"):
        compared = mt.compare_all(macro, test=test, **options)
        assert len(compared.table) == 6
        assert compared.conclusions().word("onlineB", "onlineC") == "better"
        assert compared.conclusions().word("onlineC", "onlineD") == "indistinguishable"
        assert (
            compared.table["difference"]
            .between(compared.table["ci_low"], compared.table["ci_high"])
            .all()
        )
    assert compared.metrics == ("macro-averaged BLEU",)
    stepped = mt.compare_all(macro, correction="westfall-young", **options)
    assert (stepped.table["pvalue_adjusted"] >= stepped.table["pvalue"] - 1e-12).all()


def test_metrics_compared_together_must_share_strata(bleu, macro, domains):
    other = bleu.by_stratum(np.where(domains == "news", "x", "y"))
    for second in (bleu, other):
        with pytest.raises(mt.InputError, match="strata"):
            mt.compare_all([macro, second], n_resamples=100)


def test_documents_are_resampled_within_strata(macro, domains):
    by_document = macro.by_unit("documents")
    assert by_document.unit == "documents"
    np.testing.assert_allclose(by_document.scores(), macro.scores())
    plan = Resampling.of("bootstrap", [by_document], PAIR, n_resamples=50, seed=43)
    for name in np.unique(domains):
        inside = by_document.strata == name
        assert (plan.weights(0)[:, inside].sum(axis=1) == inside.sum()).all()
    result = mt.bootstrap_test(
        macro, "onlineB", "onlineC", units="documents", n_resamples=500, rng=44
    )
    assert result.n_units == by_document.n_segments
    assert result.conclusion() == "better"


def test_a_document_in_two_strata_is_refused(bleu):
    halves = np.arange(bleu.n_segments) % 2
    with pytest.raises(mt.InputError, match="more than one stratum"):
        bleu.by_stratum(halves).by_unit("documents")


def test_strata_too_few_or_too_small(bleu, domains, macro):
    with pytest.raises(mt.InputError, match="two or more"):
        bleu.by_stratum(["news"] * 600)
    with pytest.raises(mt.InputError, match="'lone' has only one of the 600 segments"):
        bleu.by_stratum(["lone"] + ["news"] * 599)
    with pytest.raises(mt.InputError, match="one label for each of the 600"):
        bleu.by_stratum(domains[:-1])
    with pytest.raises(mt.InputError, match="stratified already"):
        macro.by_stratum(domains)
    with pytest.raises(mt.InputError, match="'talks' is without segments"):
        macro.subset(domains != "talks")
