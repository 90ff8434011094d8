"""Simulated campaigns beside their plans: the draws, and that both tables are made."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tools.trust import planned_campaigns


def test_ratings_given_others_have_their_conditional_distribution(monkeypatch):
    rows = [(s, r, d, 0) for s in "ab" for r in "xy" for d in range(3)]
    frame = pd.DataFrame(rows, columns=["system", "rater", "document", "segment"])
    whole = planned_campaigns.covariance(frame, planned_campaigns.VARIANCES)
    monkeypatch.setattr(planned_campaigns, "covariance", lambda *_: whole)  # found once
    rng = np.random.default_rng(1)
    known = rng.multivariate_normal(np.zeros(8), whole[:8, :8])
    drawn = [planned_campaigns.drawn_given(frame, np.zeros(12), known, rng)[0] for _ in range(4000)]
    precision = np.linalg.inv(whole[:9, :9])
    variance = 1 / precision[8, 8]
    mean = -variance * precision[8, :8] @ known
    assert np.mean(drawn) == pytest.approx(mean, abs=5 * np.sqrt(variance / 4000))
    assert np.var(drawn) == pytest.approx(variance, rel=0.12)


def test_ratings_have_the_covariance_of_their_design():
    rows = [("a", "x", 0, 0), ("a", "x", 0, 1), ("b", "x", 0, 0), ("b", "y", 1, 0)]
    frame = pd.DataFrame(rows, columns=["system", "rater", "document", "segment"])
    n_copies = 6000
    # Copies that share no label are independent.
    copy = np.repeat(np.arange(n_copies), len(frame)).astype(str)
    copies = pd.concat([frame] * n_copies, ignore_index=True).astype(str).add(copy, axis=0)
    rng = np.random.default_rng(2)
    drawn = planned_campaigns.drawn(copies, np.zeros(len(copies)), rng)
    expected = planned_campaigns.covariance(frame, planned_campaigns.VARIANCES)
    assert np.cov(drawn.reshape(n_copies, len(frame)).T) == pytest.approx(expected, abs=30)
    assert expected[0, 3] == 0


@pytest.mark.parametrize("are_drawn", [True, False])
def test_campaigns_that_go_on_have_promises_to_keep(are_drawn):
    found = planned_campaigns.campaigns_that_go_on(1, are_drawn=are_drawn)
    assert found["chance"].between(0, 1).all()
    assert (found["truth"] == 0).any() == (not are_drawn)
    table = planned_campaigns.kept_promises(found)
    assert table["pairs"].sum() == len(found)
