"""What each unit contributes to a score."""

from __future__ import annotations

import numpy as np
import pytest

from mtsig_nb.engine.influence import influence_values

from ..small_sets import means, some_segments


def test_influence_on_a_mean_is_the_score_less_the_mean():
    scores = np.random.default_rng(1).normal(size=(2, 30))
    expected = (scores - scores.mean(axis=1, keepdims=True)) / 30
    np.testing.assert_allclose(influence_values(means(scores)), expected, atol=1e-14)


@pytest.mark.parametrize("metric", ["BLEU", "TER", "NIST"])
def test_influence_is_that_of_leaving_units_out_by_hand(metric):
    few = some_segments(metric, 25, 3)
    left_out = np.array(
        [few.subset(np.delete(np.arange(25), i)).scores()[list(few.systems)] for i in range(25)]
    ).T
    expected = 24 / 25 * (left_out.mean(axis=1, keepdims=True) - left_out)
    np.testing.assert_allclose(influence_values(few), expected, atol=1e-9)
