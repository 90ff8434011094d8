"""Edit distances by bits are those of sacreBLEU's table, edit by edit."""

from __future__ import annotations

import random

import pytest
from sacrebleu.metrics import lib_ter

from mtsig_nb.metrics import TER
from mtsig_nb.metrics.edits import QuickDistance, quick_distances

WORDS = list("abcdefghijklmnop")


@pytest.mark.parametrize("n_words", [2, 4, len(WORDS)])
@pytest.mark.parametrize("longest", [4, 30, 90])
def test_distance_and_edits_are_those_of_the_table(n_words, longest):
    """Up to where the table has too few cells for the shortest path, and beyond."""
    random_ = random.Random(1000 * n_words + longest)
    by_table = 0
    for _ in range(300 if longest < 90 else 60):
        reference = random_.choices(WORDS[:n_words], k=random_.randint(1, longest))
        output = random_.choices(WORDS[:n_words], k=random_.randint(0, longest))
        if random_.random() < 0.7:  # much of the reference, in another order
            output = [w for w in reference if random_.random() < 0.8]
            cut = random_.randint(0, len(output))
            output = output[cut:] + random_.choices(WORDS[:n_words], k=2) + output[:cut]
        expected = lib_ter.BeamEditDistance(reference)(output)
        assert QuickDistance(reference)(output) == expected
        by_table += expected[0] + abs(len(reference) - len(output)) > 46
    assert longest < 90 or by_table > 0


def test_sacrebleu_has_its_own_distance_back():
    own = lib_ter.BeamEditDistance
    with quick_distances():
        assert lib_ter.BeamEditDistance is QuickDistance
    assert lib_ter.BeamEditDistance is own
    TER().statistics(["the tea"], [["tea the"]])
    assert lib_ter.BeamEditDistance is own
