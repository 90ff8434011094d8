"""The randomised Tukey test: all systems' outputs permuted within each unit.

Riezler & Maxwell (2005, section 4.4) point to Tukey's test for comparing many systems.  Its
randomised form (Carterette 2012, for information retrieval) replaces the studentised range by the
permutation distribution of the range itself: permute the outputs of all systems within every
unit, take the difference between the best and the worst pseudo-system, and compare every pair's
observed difference with it.  One null distribution serves all pairs.

Its null hypothesis is that *all* systems are exchangeable.  If some systems vary more than others
without being better, that hypothesis is false although no system is better, and pairs of the more
variable systems are called different too often: simulations found a family-wise error of 0.1 to 0.3
at 0.05 (unit 20; tests/significance/test_corrections.py).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import Executor

import numpy as np
import numpy.typing as npt

from ..metrics.base import FloatArray
from ..statistics.sufficient import SufficientStatistics, pair_indices
from .counting import TIE_TOLERANCE
from .resampling import Packed, Resampling, map_blocks, raw_words
from .tallies import Observed

#: Which pseudo-system takes an output.
Slots = npt.NDArray[np.uint8]

#: Weights that are multiplied together, in entries (resamples times systems times units).
WEIGHTS_AT_ONCE = 2**21


def random_permutations(
    n_resamples: int, n_units: int, n_systems: int, *, seed: int, key: tuple[int, ...] = (0,)
) -> Slots:
    """A uniformly random permutation for every unit, shape (n_systems, n_resamples, n_units).

    Entry (s, r, i) is the slot that takes system s's output for unit i: the rank of its random
    32-bit key among the systems' keys.  Comparing keys pair by pair vectorises over resamples and
    units, where sorting many short rows does not.

    Examples
    --------
    >>> sorted(random_permutations(1, 1, 4, seed=0).ravel().tolist())
    [0, 1, 2, 3]
    """
    shape = (n_systems, n_resamples, n_units)
    n_keys = math.prod(shape)
    n_words = math.ceil(n_keys / 2)  # of 64 bits, two keys in each
    words = raw_words(seed, key, n_words)
    keys = words.view(np.uint32)[:n_keys].reshape(shape)
    slots = np.zeros(shape, dtype=np.uint8)
    for first, second in zip(*pair_indices(n_systems), strict=True):
        first_is_larger = keys[first] > keys[second]
        slots[first] += first_is_larger
        slots[second] += ~first_is_larger
    return slots


def _ranges(plan: Resampling, block: int) -> list[FloatArray]:
    """The range of scores in each resample of a block, shape (resamples,) for each metric."""
    statistics = [packed for packed in plan.statistics if isinstance(packed, Packed)]
    n_systems = statistics[0].row_of.shape[1]
    n_units = plan.n_units
    n_resamples = plan.rows_in(block)
    # Few resamples at a time: one-hot weights are (resamples, systems * units).
    step = max(1, WEIGHTS_AT_ONCE // (n_systems * n_units))
    ranges: list[list[FloatArray]] = [[] for _ in statistics]
    for part, start in enumerate(range(0, n_resamples, step)):
        n_rows = min(step, n_resamples - start)
        key = (block, part)
        permutations = random_permutations(n_rows, n_units, n_systems, seed=plan.seed, key=key)
        slots = np.moveaxis(permutations, 0, 1)  # (resamples, systems, units)
        for ranges_of_metric, packed in zip(ranges, statistics, strict=True):
            scores = _slot_scores(packed, slots, n_systems)
            ranges_of_metric.append(np.ptp(scores, axis=0))
    return [np.concatenate(parts) for parts in ranges]


def _slot_scores(packed: Packed, slots: Slots, n_systems: int) -> FloatArray:
    """Scores of all pseudo-systems, shape (systems, resamples).

    `slots` says which pseudo-system has each system's output, shape (resamples, systems, units).
    """
    n_counts = packed.row_of.shape[0]
    n_resamples = len(slots)
    # How much more each system has than the first, (counts, systems * units), in `slots`' order.
    gains = packed.matrix[packed.row_of].reshape(n_counts, -1)
    taken = slots[..., packed.units].reshape(n_resamples, -1)

    sums = np.empty((n_counts, n_systems, n_resamples))
    for slot in range(n_systems - 1):
        weights = (taken == slot).astype(gains.dtype)
        sums[:, slot] = gains @ weights.T
    # The last pseudo-system has what the others leave.
    all_gains = gains.sum(axis=1, dtype=np.float64)
    taken_by_others = sums[:, :-1].sum(axis=1)
    sums[:, -1] = all_gains[:, None] - taken_by_others
    sums += packed.totals[:, :1, None]
    return packed.score(sums)


def null_ranges(
    statistics: Sequence[SufficientStatistics],
    *,
    n_resamples: int,
    seed: int,
    executor: Executor | None = None,
) -> list[FloatArray]:
    """Ranges of scores when all systems' outputs are permuted, (n_resamples,) for each metric."""
    # A permutation has numbers, which are those of the systems in this order.
    best_first = [s.select(s.scores_by_system()) for s in statistics]
    plan = Resampling.of("shuffle", best_first, n_resamples=n_resamples, seed=seed)
    title = "randomised Tukey test"
    blocks = map_blocks(plan, _ranges, executor=executor, description=title)
    ranges_of_metrics = zip(*blocks, strict=True)
    return [np.concatenate(parts) for parts in ranges_of_metrics]


def tukey_pvalues(observed: list[Observed], ranges: list[FloatArray]) -> list[FloatArray]:
    """Adjusted p-values of all pairs, over the family of all metrics.

    With one metric p is the (add-one) share of ranges at least as large as the pair's absolute
    difference.  With several, ranges and differences are divided by the mean range of their
    metric, and the largest over the metrics is compared.

    Parameters
    ----------
    observed : list of Observed, one for each metric
    ranges : list of ndarray, shape (n_resamples,), one for each metric, from the same permutations
    """
    mean_ranges = []
    scaled_ranges = []
    for ranges_of_metric in ranges:
        mean_range = float(ranges_of_metric.mean()) or 1.0  # 0 if all outputs are the same
        mean_ranges.append(mean_range)
        scaled_ranges.append(ranges_of_metric / mean_range)
    largest = np.sort(np.max(scaled_ranges, axis=0))
    n_resamples = len(largest)
    adjusted = []
    for of_metric, mean_range in zip(observed, mean_ranges, strict=True):
        tolerance = TIE_TOLERANCE * of_metric.scale
        threshold = (np.abs(of_metric.difference) - tolerance) / mean_range
        n_extreme = n_resamples - np.searchsorted(largest, threshold)
        adjusted.append((n_extreme + 1) / (n_resamples + 1))
    return adjusted
