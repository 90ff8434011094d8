"""Ratios of sums against loops of their own: scores, exchanges, draws and both directions."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt
from mtsig_nb.engine.influence import influence_values
from mtsig_nb.engine.sign_flips import is_straight

FORMULAS = {
    "WER": ("errors/words", lambda s: s["errors"] / s["words"], False),
    "precision": ("tp/(tp+fp)", lambda s: s["tp"] / (s["tp"] + s["fp"]), True),
    "F1": ("2*tp/(2*tp+fp+fn)", lambda s: 2 * s["tp"] / (2 * s["tp"] + s["fp"] + s["fn"]), True),
    "accuracy": ("100*(1-errors/words)", lambda s: 100 * (1 - s["errors"] / s["words"]), True),
}
COLUMNS = ["errors", "words", "tp", "fp", "fn"]


def counts(n, seed, *, difference=0.08):
    """A frame of counts of two systems, of which B makes more errors."""
    rng = np.random.default_rng(seed)
    rows = []
    for segment in range(n):
        words = int(rng.integers(4, 40))
        slots = int(rng.integers(1, 7))
        for system, more in (("A", 0.0), ("B", difference)):
            tp = int(rng.binomial(slots, 0.75 - more))
            errors = int(rng.binomial(words, 0.1 + more))
            rows.append(
                (system, segment, errors, words, tp, int(rng.poisson(0.8 + 5 * more)), slots - tp)
            )
    return pd.DataFrame(rows, columns=["system", "segment", *COLUMNS])


def measured(frame, name):
    text, _, higher_is_better = FORMULAS[name]
    return mt.from_segment_scores(frame, score=f"{name}={text}", higher_is_better=higher_is_better)


def by_hand(frame, name):
    """The counts of both systems, (segments, counts), and a function of their sums."""
    _, ratio, higher_is_better = FORMULAS[name]
    a, b = (frame.loc[frame["system"] == system, COLUMNS].to_numpy() for system in "AB")
    sign = 1 if higher_is_better else -1

    def advantage(counts_a, counts_b):
        sums_a, sums_b = (
            dict(zip(COLUMNS, c.sum(axis=0), strict=True)) for c in (counts_a, counts_b)
        )
        return sign * (ratio(sums_a) - ratio(sums_b))

    return a, b, advantage


@pytest.mark.parametrize("name", FORMULAS)
def test_all_exchanges_of_few_segments(name):
    frame = counts(9, seed=1)
    statistics = measured(frame, name)
    a, b, advantage = by_hand(frame, name)
    observed = advantage(a, b)
    n_as_large = 0
    for exchanged in itertools.product((False, True), repeat=len(a)):
        mask = np.array(exchanged)[:, None]
        difference = advantage(np.where(mask, b, a), np.where(mask, a, b))
        n_as_large += abs(difference) >= abs(observed) - 1e-12
    found = mt.approximate_randomization(statistics, "A", "B")
    assert found.statistic == pytest.approx(observed, abs=1e-12)
    assert found.pvalue == n_as_large / 2 ** len(a)


@pytest.mark.parametrize("name", FORMULAS)
def test_exchanges_and_draws_of_many_segments(name):
    n_resamples = 2_000
    frame = counts(150, seed=4, difference=0.02)
    statistics = measured(frame, name)
    a, b, advantage = by_hand(frame, name)
    observed = advantage(a, b)
    rng = np.random.default_rng(8)
    n_as_large = 0
    drawn = []
    for _ in range(n_resamples):
        mask = rng.random(len(a))[:, None] < 0.5
        n_as_large += abs(advantage(np.where(mask, b, a), np.where(mask, a, b))) >= abs(observed)
        sample = rng.integers(0, len(a), len(a))
        drawn.append(advantage(a[sample], b[sample]))
    p = n_as_large / n_resamples
    found = mt.approximate_randomization(statistics, "A", "B", n_resamples=20_000, rng=1)
    assert found.pvalue == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / n_resamples) + 1e-3)
    compared = mt.compare_all(statistics, rng=1).table.iloc[0]
    ahead = 1 if compared["system_a"] == "A" else -1
    limits = np.sort(ahead * np.quantile(drawn, [0.025, 0.975]))
    assert [compared["ci_low"], compared["ci_high"]] == pytest.approx(
        limits, abs=0.25 * np.std(drawn)
    )
    assert influence_values(statistics)[0].std() > 0


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize("test", [mt.approximate_randomization, mt.bootstrap_test])
def test_itself_and_turned_over(name, test):
    frame = counts(300, seed=3)
    statistics = measured(frame, name)
    one_way = test(statistics, "A", "B", rng=2)
    other_way = test(statistics, "B", "A", rng=2)
    assert one_way.statistic == -other_way.statistic > 0  # B makes more errors
    assert one_way.pvalue == other_way.pvalue < 0.05
    copy = frame[frame["system"] == "A"].assign(system="B")
    same = measured(pd.concat([frame[frame["system"] == "A"], copy]), name)
    assert test(same, "A", "B", rng=2).pvalue == 1


def test_documents_are_summed_before_the_ratio_is_taken():
    frame = counts(80, seed=6).assign(document=lambda f: f["segment"] // 8)
    statistics = mt.from_segment_scores(
        frame, score="WER=errors/words", higher_is_better=False, document="document"
    )
    documents = frame.groupby(["system", "document"], as_index=False)[COLUMNS].sum()
    as_segments = measured(documents.rename(columns={"document": "segment"}), "WER")
    by_document = mt.approximate_randomization(statistics, "A", "B", units="documents", rng=1)
    assert by_document.pvalue == mt.approximate_randomization(as_segments, "A", "B", rng=1).pvalue


def test_a_shared_denominator_makes_a_straight_line():
    frame = counts(40, seed=7)
    assert is_straight(measured(frame, "WER"))
    assert is_straight(measured(frame, "accuracy"))
    assert not is_straight(measured(frame, "precision"))
    # F1 and accuracy of the slots: 2*tp + fp + fn is not the same for both systems.
    assert not is_straight(measured(frame, "F1"))


def test_equal_weights_make_a_mean():
    rng = np.random.default_rng(1)
    frame = counts(50, seed=2)
    frame["score"] = rng.integers(0, 20, len(frame)) / 4
    frame["once"] = 1
    ratio = mt.from_segment_scores(frame, score="x=score/once", higher_is_better=True)
    mean = mt.from_segment_scores(frame, higher_is_better=True)
    for name in ("approximate-randomization", "bootstrap", "sign-flip", "studentized-bootstrap"):
        tables = [
            mt.compare_all(s, test=name, n_resamples=2_000, rng=5).table for s in (ratio, mean)
        ]
        for column in ("difference", "pvalue", "ci_low", "ci_high"):
            assert tables[0][column].item() == pytest.approx(tables[1][column].item(), rel=1e-9)


def test_a_denominator_of_nothing():
    frame = counts(20, seed=1)
    frame.loc[frame["system"] == "B", ["tp", "fp"]] = 0
    with pytest.raises(mt.InputError, match=r"is 0 for system 'B'"):
        measured(frame, "precision")
    frame.loc[[0, 1], "words"] = 0  # one segment of both
    assert measured(frame, "WER").scores()["A"] > 0


@pytest.mark.parametrize(
    ("score", "says"),
    [
        ("WER=errors/word", "column='word' is not known. Did you mean 'words'"),
        ("WER=errors/words:lower", "higher_is_better"),
        ("WER=tp/words", "score, column 'tp': 1 of 20 are not finite numbers, the first 'two' for"),
        ("WER=errors*words", "multiplies"),
    ],
)
def test_errors_in_python_name_the_column(score, says):
    frame = counts(10, seed=1).astype({"tp": object})
    frame.loc[3, "tp"] = "two"
    with pytest.raises(mt.InputError, match=re.escape(says)):
        mt.from_segment_scores(frame, score=score, higher_is_better=False)
