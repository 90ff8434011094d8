"""Macro averages over strata: their scores, their resamples, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import mtsig_nb as mt
from mtsig_nb.engine.resampling import Resampling
from mtsig_nb.metrics import BLEU

from ..small_sets import means, real

PAIR = (np.array([0]), np.array([1]))
SOME = real().select(["onlineB", "uedin-wmt12", "onlineC", "onlineD"]).subset(range(600))
#: Of every four documents one is news, one talks, two are reviews.
DOMAINS = np.array(["news", "talks", "reviews", "reviews"])[
    np.unique(SOME.documents, return_inverse=True)[1] % 4
]
MACRO = SOME.by_stratum(DOMAINS)


def test_the_score_is_the_mean_of_the_strata_s_scores():
    by_hand = [
        BLEU().score(SOME.subset(name == DOMAINS).totals()) for name in dict.fromkeys(DOMAINS)
    ]
    np.testing.assert_allclose(MACRO.metric.score(MACRO.totals()), np.mean(by_hand, axis=0))
    scores = MACRO.metric.stratum_scores(MACRO.totals())
    np.testing.assert_allclose(scores, np.transpose(by_hand))


@pytest.mark.parametrize("units", ["segments", "documents"])
def test_bootstrap_keeps_the_size_of_every_stratum(units):
    macro = MACRO.by_unit(units)
    np.testing.assert_allclose(macro.scores(), MACRO.scores())
    plan = Resampling.of("bootstrap", [macro], [PAIR], n_resamples=600, seed=31)
    weights = np.concatenate([plan.weights(block) for block in plan.blocks])
    firsts = []
    for name in np.unique(macro.strata):
        inside = macro.strata == name
        assert (weights[:, inside].sum(axis=1) == inside.sum()).all()
        firsts.append(weights[:, inside][:, 0].astype(float))
    # ... and draws independently in each: their counts do not repeat each other's.
    assert np.abs(np.corrcoef(firsts) - np.eye(3)).max() < 4 / np.sqrt(600)


def test_bootstrap_spread_is_that_of_independent_strata():
    """For a mean the variance is known: the mean of the strata's squared errors over k squared."""
    rng, labels = np.random.default_rng(32), np.array(["news"] * 300 + ["talks"] * 40)
    scores = rng.normal(0, np.where(labels == "news", 1.0, 3.0), size=(2, 340))
    macro, difference = means(scores).by_stratum(labels), scores[0] - scores[1]
    interval = mt.confidence_interval(macro, "s0", "s1", n_resamples=8000, rng=33)
    parts = [difference[labels == name] for name in ("news", "talks")]
    expected = np.sqrt(sum(d.var() / len(d) for d in parts)) / 2
    # The relative error of a standard deviation is 1/sqrt(2 n); five of them.
    assert interval.standard_error == pytest.approx(expected, rel=5 / np.sqrt(2 * 8000))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SOME.by_stratum(["news"] * 600), "two or more"),
        (lambda: SOME.by_stratum(["one"] + ["x"] * 599), "'one' has only one of the 600 segments"),
        (lambda: SOME.by_stratum(DOMAINS[:-1]), "labels has shape .*, not .600,."),
        (lambda: MACRO.by_stratum(DOMAINS), "stratified already"),
        (lambda: MACRO.subset(DOMAINS != "talks"), "'talks' is without segments"),
        (lambda: SOME.by_stratum(np.arange(600) % 2).by_unit("documents"), "more than one stratum"),
        (lambda: mt.compare_all([MACRO, SOME], n_resamples=100), "strata"),
    ],
)
def test_what_is_refused(make, message):
    with pytest.raises(mt.InputError, match=message):
        make()
