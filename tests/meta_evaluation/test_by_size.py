"""How often people agree with differences of a size: recomputed pair by pair, and its interval."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.errors import InputError
from mtsig_nb.meta_evaluation.by_size import share_interval

from ..messages import naming

FEW = ["wmt12/cs-en", "wmt12/en-es", "wmt12/es-en", "wmt22/ja-en"]


def spelled_out(metric: str, campaigns: list[str], size: float) -> tuple[int, float]:
    """Pairs near a size, and how many people order alike."""
    n, agree = 0, 0.0
    for name in campaigns:
        campaign = mt.load(name)
        scores = campaign.statistics(metric).scores()
        sign = -1 if metric == "TER" else 1
        liked = campaign.human.scores()
        for a, b in itertools.combinations([s for s in liked.index if s in scores.index], 2):
            difference = sign * (scores[a] - scores[b])
            if size / 1.5 <= abs(difference) <= size * 1.5:
                better, worse = (a, b) if difference > 0 else (b, a)
                n += 1
                agree += 1 if liked[better] > liked[worse] else 0.5 * (liked[a] == liked[b])
    return n, agree


@pytest.mark.takes_time
@pytest.mark.parametrize(("metric", "size"), [("BLEU", 0.7), ("BLEU", 3.0), ("TER", 1.5)])
def test_shares_are_those_of_the_pairs_that_are_about_as_far_apart(metric, size):
    found = mt.agreement_by_size(metric, size, campaigns=FEW)
    n, agree = spelled_out(metric, FEW, size)
    (row,) = found.table.itertuples()
    assert row.pairs == n > 20
    assert row.agree == pytest.approx(agree / n)
    assert row.low <= row.agree <= row.high
    assert re.search(naming("4 embedded campaigns", "95%"), str(found))


@pytest.mark.takes_time
def test_the_interval_covers_where_campaigns_differ():
    """Campaigns with shares of their own, of unequal sizes: 95 % of intervals hold the mean."""
    rng = np.random.default_rng(5)
    held, narrow, rounds = 0, 0, 400
    for _ in range(rounds):
        pairs = rng.integers(5, 60, size=20)
        shares = rng.beta(7, 3, size=20)
        agreed = rng.binomial(pairs, shares)
        low, high = share_interval(pd.Series(agreed), pd.Series(pairs))
        held += low <= 0.7 <= high
        exact = stats.binomtest(int(agreed.sum()), int(pairs.sum())).proportion_ci()
        narrow += high - low < exact.high - exact.low - 1e-9
    assert 0.92 <= held / rounds <= 0.98
    assert narrow == 0


@pytest.mark.takes_time
def test_pairs_of_too_few_campaigns_have_no_interval():
    assert share_interval(pd.Series([3.0, 4]), pd.Series([5, 5])) == (0.0, 1.0)
    far = mt.agreement_by_size("BLEU", 1000, campaigns=FEW).table.iloc[0]
    assert (far["pairs"], far["low"], far["high"]) == (0, 0, 1)
    assert np.isnan(far["agree"])


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"metric": "BLEU", "difference": 0}, "difference=0 must be finite, and not zero"),
        ({"metric": "BLEU", "difference": [1, np.nan]}, "must be finite, and not zero"),
        ({"metric": "COMET", "difference": 1}, "metric='COMET': 0 embedded campaigns have it"),
        ({"metric": "BLEU", "difference": 1, "campaigns": FEW[:2]}, "2 embedded campaigns have it"),
    ],
)
def test_what_cannot_be_answered_is_named(arguments, message):
    with pytest.raises(InputError, match=message):
        mt.agreement_by_size(**arguments)
