"""All exchanges of two systems' outputs, where they are few, in place of a sample of them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..metrics.base import FloatArray
from ..statistics.sufficient import SufficientStatistics
from .tallies import Pairs

#: Exact enumeration is possible up to this many differing units.
LARGEST_EXACT = 20


def differing_units(statistics: SufficientStatistics, pairs: Pairs) -> npt.NDArray[np.int64]:
    """In how many units the statistics of each pair differ, shape (pairs,).

    Exchanging the outputs of any other unit changes nothing, so k differing units have 2**k
    arrangements, whatever the size of the test set.
    """
    first, second = pairs
    return np.array(
        [
            np.count_nonzero((statistics.values[a] != statistics.values[b]).any(axis=1))
            for a, b in zip(first, second, strict=True)
        ],
        dtype=np.int64,
    )


def all_arrangements(statistics: SufficientStatistics, a: int, b: int) -> FloatArray:
    """The pair's difference under every distinct exchange of outputs, shape (2**k,).

    k is the number of units in which the two differ.  One of these is left in place while the
    others take all 2**(k-1) arrangements; exchanging everything else as well turns a difference
    into its negative, so the second half of the result mirrors the first.
    """
    metric, quantum = statistics.metric, statistics.metric.quantum
    values = statistics.values / quantum
    differ = np.flatnonzero((values[a] != values[b]).any(axis=1))
    total_a, total_b = values[a].sum(axis=0), values[b].sum(axis=0)
    if len(differ) == 0:
        score_a, score_b = metric.score(total_a * quantum), metric.score(total_b * quantum)
        return metric.direction * np.atleast_1d(score_a - score_b)
    gain = values[b][differ[1:]] - values[a][differ[1:]]
    free = len(differ) - 1
    halves = []
    step = 2**14
    for start in range(0, 2**free, step):
        number = np.arange(start, min(start + step, 2**free))
        exchanged = (number[:, None] >> np.arange(free)) & 1
        moved = exchanged.astype(np.float64) @ gain
        pseudo_a = metric.score((total_a + moved) * quantum)
        pseudo_b = metric.score((total_b - moved) * quantum)
        halves.append(metric.direction * (pseudo_a - pseudo_b))
    half = np.concatenate(halves)
    return np.concatenate([half, -half])
