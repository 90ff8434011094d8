"""Soft pairwise accuracy: its definition transcribed, ties, and its relation to the hard one."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt
from mtsig_nb.engine.resampling import swap_masks
from mtsig_nb.errors import InputError
from mtsig_nb.meta_evaluation.against_gold import one_sided_pvalues

from ..messages import codes, naming, values
from ..small_sets import means

NAMES = list("abcde")


def scored(seed: int, *, n: int = 12, values: int = 4) -> mt.SufficientStatistics:
    """Five systems with whole scores, of which many are tied."""
    return means(np.random.default_rng(seed).integers(values, size=(5, n)), systems=NAMES)


def spelled_out(scores: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """One-sided permutation p-values, pair by pair and mask by mask; the observed one counts."""
    p = np.full((len(scores), len(scores)), np.nan)
    for i, j in itertools.permutations(range(len(scores)), 2):
        observed = scores[i].sum() - scores[j].sum()
        reached = 0
        for mask in masks:
            one = sum(scores[i, k] if keep else scores[j, k] for k, keep in enumerate(mask))
            two = sum(scores[j, k] if keep else scores[i, k] for k, keep in enumerate(mask))
            reached += one - two >= observed
        p[i, j] = (reached + 1) / (len(masks) + 1)
    return p


def definition(people: np.ndarray, metric: np.ndarray) -> float:
    """1 - mean over pairs of |p_people - p_metric|, the system that people favour first."""
    distances = []
    for i, j in itertools.combinations(range(len(people)), 2):
        a, b = (j, i) if people[j, i] < people[i, j] else (i, j)
        distances.append(abs(people[a, b] - metric[a, b]))
    return 1 - sum(distances) / len(distances)


def pvalues(of, *, n_resamples=1000, rng=0) -> pd.DataFrame:
    return one_sided_pvalues(of, n_resamples=n_resamples, rng=rng)[0]


@pytest.mark.parametrize("seed", range(4))
def test_equals_its_definition_with_ties(seed):
    metric, people = scored(seed), scored(seed + 100, values=2)
    masks = swap_masks(200, 12, seed=seed)
    options = {"n_resamples": 200, "rng": seed}
    frames = [pvalues(s, **options) for s in (metric, people)]
    for frame, s in zip(frames, (metric, people), strict=True):
        expected = spelled_out(s.select(s.scores().index).values[..., 0], masks)
        np.testing.assert_array_equal(frame.to_numpy(), expected)
    order = list(frames[1].index)
    found = mt.soft_pairwise_accuracy(metric, people, **options)
    p_metric = frames[0].loc[order, order].to_numpy()
    assert found.accuracy == pytest.approx(definition(frames[1].to_numpy(), p_metric), abs=1e-12)


def test_without_doubt_it_is_pairwise_accuracy():
    metric, people = scored(1, n=101), scored(2, n=101)
    hard = []
    for s in (metric, people):
        p = pvalues(s, rng=1)
        # Not p against one half: where differences are tied, both sides may lie above it.
        hard.append((p > p.T).astype(float).where(~np.eye(5, dtype=bool)))
        values = s.scores()
        assert values.nunique() == 5  # nothing tied, so p orders as the scores do
    soft = mt.soft_pairwise_accuracy(*hard, rng=1)
    plain = mt.pairwise_accuracy(metric.scores(), people.scores(), rng=1)
    assert soft.accuracy == pytest.approx(plain.accuracy)
    assert soft.pairwise_accuracy == plain.accuracy
    assert soft.interval == pytest.approx(plain.resampled_interval)
    graded = mt.soft_pairwise_accuracy(metric, people, rng=1)
    assert graded.pairwise_accuracy == plain.accuracy
    assert graded.accuracy != plain.accuracy


def test_people_agree_with_themselves_and_not_with_their_opposite():
    clear = scored(5, n=60).values[..., 0] + np.arange(5)[:, None]
    people = means(clear, systems=NAMES)
    same = mt.soft_pairwise_accuracy(people, people, rng=3)
    assert (same.accuracy, same.pairwise_accuracy, same.interval) == (1, 1, (1, 1))
    turned = means(-people.values[..., 0], systems=NAMES)
    assert mt.soft_pairwise_accuracy(turned, people, rng=3).accuracy < 0.5
    as_penalty = means(-people.values[..., 0], systems=NAMES, larger_is_better=False)
    assert mt.soft_pairwise_accuracy(as_penalty, people, rng=3).accuracy == pytest.approx(1)


@pytest.mark.takes_time
def test_every_kind_of_judgement():
    campaigns = {
        "wmt12/es-en": "sign test",
        "wmt13/cs-en": "sign test",
        "wmt22/de-en": "rank-sum",
        "wmt21/en-de": "approximate randomization",
    }
    for name, test in campaigns.items():
        campaign = mt.load(name)
        found = mt.soft_pairwise_accuracy(
            campaign.statistics("BLEU"), campaign.human, n_resamples=100, rng=1
        )
        assert test in found.people.casefold()
        assert 0 < found.accuracy < 1
        assert found.interval[0] <= found.accuracy <= found.interval[1]
    assert values(found.notes, "unequal-segments")["people"] == 527
    assert codes(found.notes).count("not-judged") == 1


def test_bad_input():
    s = scored(1)
    with pytest.raises(InputError, match="share 0 systems"):
        mt.soft_pairwise_accuracy(s, means(s.values[..., 0], systems=list("vwxyz")))
    with pytest.raises(InputError, match="one system"):
        mt.soft_pairwise_accuracy(s, s.select(["a"]))
    good = pvalues(s, rng=1)
    for bad in (good.rename(columns={"a": "z"}), good * 3):
        with pytest.raises(InputError, match=naming(" 0 to 1")):
            mt.soft_pairwise_accuracy(s, bad)


@pytest.mark.parametrize(
    ("pair", "metric", "theirs"),
    [("en-cs", "BLEU", 0.72147), ("en-cs", "chrF", 0.77688), ("en-zh", "chrF", 0.69305)],
)
def test_agrees_with_mt_metrics_eval_on_people_of_wmt24(pair, metric, theirs):
    """Figures of its `compute_pairwise_p_values` and `compute_one_minus_pce` (68a481a), seed 4.

    On 10,000 permutations of sentence scores and people's, the segments that people rated.
    """
    campaign = mt.load(f"wmt24/{pair}")
    people = campaign.human.frame.pivot(index="system", columns="segment", values="mean")
    counts = campaign.statistics(metric)
    people = people.loc[[name for name in people.index if name in counts.systems]]
    systems, segments = list(people.index), people.columns.astype(int)
    sentences = counts.metric.score(counts.select(systems).values)[:, segments]
    # The same permutations, and their p-values for the first of a pair: the accuracy is theirs.
    draws = np.random.default_rng(4).random((10_000, len(segments)), dtype=np.float32)
    signs = 2.0 * np.rint(draws) - 1
    shuffled_p = []
    for scores in (sentences, people.to_numpy(dtype=float)):
        shuffled, sums = signs @ scores.T, scores.sum(axis=1)
        reached = shuffled[:, :, None] - shuffled[:, None] >= sums[:, None] - sums
        upper = np.triu(reached.mean(axis=0), 1)
        whole = upper + np.tril(1 - upper.T, -1) + np.diag(np.full(len(systems), np.nan))
        shuffled_p.append(pd.DataFrame(whole, index=systems, columns=systems))
    assert mt.soft_pairwise_accuracy(*shuffled_p, rng=1).accuracy == pytest.approx(theirs, abs=2e-5)
