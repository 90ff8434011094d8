"""What blocks of resamples gave is kept where somebody wants it, and is what would be computed."""

from __future__ import annotations

import numpy as np
import pytest

import mtsig_nb as mt
from mtsig_nb.engine import resampling
from mtsig_nb.engine.kept import KeptBlocks, blocks_kept_in
from mtsig_nb.engine.resampling import BLOCK, Resampling, map_blocks
from mtsig_nb.engine.tallies import PAIR

from ..small_sets import means

N_RESAMPLES = 3 * BLOCK
SCORES = means(np.random.default_rng(8).normal(size=(4, 60)))


@pytest.fixture
def drawn(monkeypatch) -> list[int]:
    """The numbers of the blocks whose weights are asked for."""
    numbers = []
    weights_in_parts = Resampling.weights_in_parts

    def noting(plan, block):
        numbers.append(block)
        return weights_in_parts(plan, block)

    monkeypatch.setattr(Resampling, "weights_in_parts", noting)
    return numbers


def compared(statistics=SCORES, **options):
    settings = {"test": "bootstrap", "n_resamples": N_RESAMPLES, "rng": 1, **options}
    return mt.compare_all(statistics, **settings)


SAME_DRAWS = [
    {"alpha": 0.2},
    {"correction": "bonferroni"},
    {"correction": "romano-wolf"},
    {"alternative": "greater"},
    {"counting": "strict"},
    {"interval": "simultaneous"},
    {"confidence_level": 0.8},
    {"test": "paired-bootstrap"},
    {"test": "riezler-maxwell-bootstrap"},
]


@pytest.mark.parametrize("options", SAME_DRAWS, ids=str)
def test_nothing_is_drawn_anew_for_what_changes_no_draw(options, drawn):
    expected = compared(**options)
    with blocks_kept_in(KeptBlocks()):
        compared()
        drawn.clear()
        found = compared(**options)
    assert drawn == []
    assert found.table.equals(expected.table)


OTHER_DRAWS = [
    {"rng": 2},
    {"test": "approximate-randomization"},
    {"test": "studentized-bootstrap"},
    {"units": np.arange(60) // 2},
    {"statistics": SCORES.select(SCORES.systems[:3])},
    {"statistics": SCORES.subset(range(59))},
]


@pytest.mark.parametrize("options", OTHER_DRAWS, ids=lambda options: next(iter(options)))
def test_what_changes_a_draw_is_drawn(options, drawn):
    expected = compared(interval=None, **options)
    with blocks_kept_in(KeptBlocks()):
        compared(interval=None)
        drawn.clear()
        found = compared(interval=None, **options)
    assert drawn == [0, 1, 2]
    assert found.table.equals(expected.table)


def test_of_more_resamples_only_those_are_drawn_that_are_new(drawn):
    longer = N_RESAMPLES + BLOCK // 2
    expected = compared(interval=None, n_resamples=longer)
    with blocks_kept_in(KeptBlocks()):
        compared(interval=None)
        drawn.clear()
        found = compared(interval=None, n_resamples=longer)
    assert drawn == [3]
    assert found.table.equals(expected.table)


def test_elsewhere_nothing_is_kept(drawn):
    kept = KeptBlocks()
    with blocks_kept_in(kept):
        pass
    for _ in range(2):
        drawn.clear()
        compared(interval=None)
        assert drawn == [0, 1, 2]
    assert len(kept) == 0


def plan_of(seed: int) -> Resampling:
    return Resampling.of("bootstrap", [SCORES], [PAIR], n_resamples=N_RESAMPLES, seed=seed)


def test_what_was_not_asked_for_longest_goes_first(drawn):
    n_bytes = 8 * N_RESAMPLES  # of the differences of one pair
    kept = KeptBlocks(most_bytes=2 * n_bytes)
    with blocks_kept_in(kept):
        for seed in (1, 2, 1, 3):
            list(map_blocks(plan_of(seed), Resampling.differences))
            assert len(kept) <= 6
        drawn.clear()
        list(map_blocks(plan_of(1), Resampling.differences))
        assert drawn == []
        list(map_blocks(plan_of(2), Resampling.differences))
        assert drawn == [0, 1, 2]


def test_what_is_larger_than_all_that_may_be_kept_is_not_kept():
    kept = KeptBlocks(most_bytes=1)
    with blocks_kept_in(kept):
        results = list(map_blocks(plan_of(1), Resampling.differences))
    assert len(results) == 3
    assert len(kept) == 0


def test_nobody_can_change_what_is_kept():
    with blocks_kept_in(KeptBlocks()):
        (differences,), *_ = map_blocks(plan_of(1), Resampling.differences)
    with pytest.raises(ValueError, match="read-only"):
        differences[0] = 0.0


def test_bootstraps_find_what_was_drawn_ahead(monkeypatch):
    computed = []
    bootstrap_counts = resampling.bootstrap_counts

    def noting(*sizes, seed, key):
        computed.append(key)
        return bootstrap_counts(*sizes, seed=seed, key=key)

    monkeypatch.setattr(resampling, "bootstrap_counts", noting)
    steps = list(plan_of(987).draw_ahead())
    assert len(steps) == len(computed) == 3
    compared(interval=None, rng=987)
    assert len(computed) == 3
