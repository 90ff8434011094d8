"""Running a procedure: from a plan of resamples to counts, for all pairs and metrics at once."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ..metrics.base import FloatArray, Metric
from ..statistics.sufficient import SufficientStatistics
from .counting import TIE_TOLERANCE, Counting
from .procedures import Alternative, Procedure
from .resampling import Resampling, map_blocks

Pairs = tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]

#: Pseudo-differences are kept between two passes while they fit, and drawn again otherwise, so
#: that memory does not grow with the number of resamples.
KEPT_BYTES = 64 * 2**20

#: Exact enumeration is possible up to this many differing units.
LARGEST_EXACT = 20


class Advantages:
    """Pseudo-differences of all pairs, block by block; can be gone through repeatedly.

    Each item is a list with one array of shape (pairs, resamples in the block) per metric.
    """

    def __init__(
        self,
        resampling: Resampling,
        *,
        executor: Executor | None = None,
        description: str = "resampling",
        keep: bool = False,
    ) -> None:
        self.resampling = resampling
        self._executor = executor
        self._description = description
        n_bytes = 8 * resampling.n_resamples * len(resampling.pairs[0]) * len(resampling.statistics)
        self._keep = keep and n_bytes <= KEPT_BYTES
        self._kept: list[list[FloatArray]] | None = None

    def __iter__(self) -> Iterator[list[FloatArray]]:
        if self._kept is not None:
            yield from self._kept
            return
        seen = []
        for block in map_blocks(
            self.resampling,
            Resampling.advantages,
            executor=self._executor,
            description=self._description,
        ):
            if self._keep:
                seen.append(block)
            yield block
        if self._keep:
            self._kept = seen


@dataclasses.dataclass(frozen=True, eq=False)
class Observed:
    """What one metric says of the test set itself."""

    scores: FloatArray  # (systems,)
    advantage: FloatArray  # (pairs,), positive where the pair's first system is better
    scale: FloatArray  # (pairs,), what ties are relative to

    @classmethod
    def of(cls, statistics: SufficientStatistics, pairs: Pairs) -> Observed:
        scores = statistics.metric.score(statistics.totals())
        first, second = pairs
        return cls(
            scores=scores,
            advantage=statistics.metric.direction * (scores[first] - scores[second]),
            scale=tie_scale(statistics.metric, scores[first], scores[second]),
        )


def tie_scale(metric: Metric, score_a: npt.ArrayLike, score_b: npt.ArrayLike) -> FloatArray:
    """What a tie tolerance is relative to: the larger absolute score of each pair.

    It is less where the metric's formula rounds less than others, and more where its grid is
    coarser than that.
    """
    larger = np.maximum(np.abs(score_a), np.abs(score_b))
    share = metric.rounding / TIE_TOLERANCE
    return np.maximum(share * larger, metric.grid_error / TIE_TOLERANCE)


@dataclasses.dataclass(frozen=True, eq=False)
class Tally:
    """How many resamples of each pair were extreme, under one procedure and one metric."""

    observed: Observed
    tail_counts: npt.NDArray[np.int64]  # (tails, pairs)
    n_resamples: npt.NDArray[np.int64]  # (pairs,), arrangements where all were enumerated
    counting: Counting
    exact: npt.NDArray[np.bool_]  # (pairs,), where all were enumerated
    confidence_level: float = 0.95  # of the Monte Carlo limits
    mean: FloatArray | None = None  # (pairs,), what the procedure averaged
    pseudo: FloatArray | None = None  # (pairs, resamples), where kept

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """Extreme resamples, shape (pairs,); of the smaller tail where the test is doubled."""
        return self.tail_counts.min(axis=0)

    @cached_property
    def pvalues(self) -> FloatArray:
        """p-values, shape (pairs,); enumerated, the observed arrangement is counted already."""
        sampled = np.asarray(self.counting.pvalue(self.counts, self.n_resamples))
        return np.where(self.exact, self.counts / self.n_resamples, self._doubled(sampled))

    @cached_property
    def limits(self) -> tuple[FloatArray, FloatArray]:
        """Monte Carlo limits of the p-values, each of shape (pairs,)."""
        low, high = self.counting.interval(self.counts, self.n_resamples, self.confidence_level)
        return (
            np.where(self.exact, self.pvalues, self._doubled(low)),
            np.where(self.exact, self.pvalues, self._doubled(high)),
        )

    def _doubled(self, p: FloatArray) -> FloatArray:
        return np.minimum(1.0, len(self.tail_counts) * p)


def tally(
    procedure: Procedure,
    statistics: Sequence[SufficientStatistics],
    advantages: Advantages,
    *,
    alternative: Alternative,
    counting: Counting,
    confidence_level: float = 0.95,
    keep: bool = False,
) -> list[Tally]:
    """Count the extreme resamples; one `Tally` for each metric."""
    tails = procedure.tails(alternative)
    pairs = advantages.resampling.pairs
    observed = [Observed.of(s, pairs) for s in statistics]
    means = _means(procedure, advantages) if procedure.centres else None
    counts = np.zeros((len(statistics), len(tails), len(pairs[0])), dtype=np.int64)
    kept: list[list[FloatArray]] = [[] for _ in statistics]
    for block in advantages:
        for m, (pseudo, seen) in enumerate(zip(block, observed, strict=True)):
            null = procedure.null(pseudo, None if means is None else means[m])

            reaches = partial(counting.reaches, scale=seen.scale[:, None])
            for t, tail in enumerate(tails):
                extreme = procedure.extreme(null, seen.advantage[:, None], tail, reaches)
                counts[m, t] += np.count_nonzero(extreme, axis=1)
            if keep:
                kept[m].append(pseudo)
    plan = advantages.resampling
    return [
        Tally(
            observed=seen,
            tail_counts=counts[m],
            n_resamples=np.full(len(pairs[0]), plan.n_resamples - plan.start),
            counting=counting,
            exact=np.zeros(len(pairs[0]), dtype=bool),
            confidence_level=confidence_level,
            mean=None if means is None else means[m][:, 0],
            pseudo=np.concatenate(kept[m], axis=1) if keep else None,
        )
        for m, seen in enumerate(observed)
    ]


def _means(procedure: Procedure, advantages: Advantages) -> list[FloatArray]:
    """What the procedure averages, over all resamples; (pairs, 1) for each metric."""
    totals: Any = 0
    for block in advantages:
        sums = [procedure.averaged(pseudo).sum(axis=1, keepdims=True) for pseudo in block]
        totals = np.asarray(sums) + totals
    return list(totals / advantages.resampling.n_resamples)


def go_on(
    procedure: Procedure,
    statistics: SufficientStatistics,
    pairs: Pairs,
    so_far: Tally,
    which: npt.NDArray[np.intp],
    n_resamples: int,
    *,
    alternative: Alternative,
    seed: int,
    executor: Executor | None = None,
) -> Tally:
    """`so_far` with the pairs `which` counted over `n_resamples` in all, the same seed's next ones.

    Only the systems of those pairs are resampled.  A procedure that centres counts anew, since
    every further resample moves what it centres on.
    """
    tail_counts, drawn = so_far.tail_counts.copy(), so_far.n_resamples.copy()
    for known in np.unique(drawn[which]):
        these = which[drawn[which] == known]
        first, second = pairs[0][these], pairs[1][these]
        involved, renumbered = np.unique([first, second], return_inverse=True)
        a, b = renumbered.reshape(2, -1)
        some = statistics.select([statistics.systems[i] for i in involved])
        start = 0 if procedure.centres else int(known)
        plan = Resampling.of(
            procedure.kind, [some], (a, b), n_resamples=n_resamples, seed=seed, start=start
        )
        advantages = Advantages(
            plan, executor=executor, description=procedure.title, keep=procedure.centres
        )
        (more,) = tally(
            procedure, [some], advantages, alternative=alternative, counting=so_far.counting
        )
        kept = 0 if procedure.centres else tail_counts[:, these]
        tail_counts[:, these] = kept + more.tail_counts
    drawn[which] = n_resamples
    return dataclasses.replace(
        so_far, tail_counts=tail_counts, n_resamples=drawn, mean=None, pseudo=None
    )


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


def enumerate_pairs(
    procedure: Procedure,
    statistics: SufficientStatistics,
    pairs: Pairs,
    sampled: Tally,
    which: npt.NDArray[np.intp],
    *,
    alternative: Alternative,
    counting: Counting,
) -> Tally:
    """`sampled` with the pairs `which` replaced by exact enumeration."""
    tail_counts, drawn = sampled.tail_counts.copy(), sampled.n_resamples.copy()
    exact = sampled.exact.copy()
    observed = sampled.observed
    for pair in which:
        null = all_arrangements(statistics, pairs[0][pair], pairs[1][pair])[None]
        extreme = procedure.extreme(
            null,
            observed.advantage[[pair], None],
            procedure.tails(alternative)[0],
            partial(counting.reaches, scale=observed.scale[pair]),
        )
        tail_counts[:, pair], drawn[pair] = np.count_nonzero(extreme), null.size
        exact[pair] = True
    return dataclasses.replace(sampled, tail_counts=tail_counts, n_resamples=drawn, exact=exact)


def exact_pairs(
    procedure: Procedure,
    differing: npt.NDArray[np.int64],
    n_resamples: int,
    exact: bool | None,
    counting: Counting,
) -> npt.NDArray[np.intp]:
    """Which pairs to enumerate: all, none, or those with fewer arrangements than resamples.

    Enumerating wherever 2**(k-1) <= R + 1 also keeps every p-value at or above the smallest that
    exists for k differing units, 2/2**k: elsewhere 1/(R+1) is larger than that.  A rule that does
    not count ties leaves out the observed arrangement itself, so it is only ever sampled.
    """
    if procedure.kind != "shuffle" or exact is False or counting.comparator == ">":
        return np.empty(0, dtype=np.intp)
    if exact:
        return np.arange(len(differing))
    few = differing <= np.log2(n_resamples + 1) + 1
    return np.flatnonzero(few & (differing <= LARGEST_EXACT + 1))


__all__: Sequence[str] = [
    "Advantages",
    "Observed",
    "Tally",
    "all_arrangements",
    "differing_units",
    "enumerate_pairs",
    "exact_pairs",
    "go_on",
    "tally",
    "tie_scale",
]
