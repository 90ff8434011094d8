"""Running a procedure: from a plan of resamples to counts, for all pairs and metrics at once."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ..metrics.base import FloatArray
from ..statistics.sufficient import SufficientStatistics
from .counting import Counting, tie_scale
from .options import Design
from .procedures import Procedure
from .resampling import Resampling, map_blocks
from .studentizing import Studentizer

Pairs = tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]

#: Pseudo-differences are kept between two passes while they fit, and drawn again otherwise, so
#: that memory does not grow with the number of resamples.
KEPT_BYTES = 64 * 2**20


class Advantages:
    """Pseudo-differences of all pairs, block by block; can be gone through repeatedly.

    Each item is a list with one array of shape (pairs, resamples in the block) per metric; where
    the resampling studentises, of t-values.
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
    statistic: FloatArray  # (pairs,), the same, or it in standard errors: what is compared
    scale: FloatArray  # (pairs,), what ties of the statistic are relative to

    @classmethod
    def of(
        cls,
        statistics: SufficientStatistics,
        pairs: Pairs,
        studentizer: Studentizer | None = None,
        about: SufficientStatistics | None = None,
    ) -> Observed:
        """That of the statistics compared; scores are of those that these are made `about`."""
        scores, advantage = _scores(statistics if about is None else about, pairs)
        if studentizer is not None:
            t, scale = studentizer.statistic[:, 0], studentizer.statistic_scale[:, 0]
            return cls(scores, advantage, t, scale)
        own, statistic = _scores(statistics, pairs)
        scale = tie_scale(statistics.metric, own[pairs[0]], own[pairs[1]])
        return cls(scores, advantage, statistic, scale)


def _scores(statistics: SufficientStatistics, pairs: Pairs) -> tuple[FloatArray, FloatArray]:
    """All systems' scores, and how much better the first of each pair is."""
    scores = statistics.metric.score(statistics.totals())
    return scores, statistics.metric.direction * (scores[pairs[0]] - scores[pairs[1]])


@dataclasses.dataclass(frozen=True, eq=False)
class Tally:
    """How many resamples of each pair were extreme, under one procedure and one metric."""

    observed: Observed
    tail_counts: npt.NDArray[np.int64]  # (tails, pairs)
    n_resamples: npt.NDArray[np.int64]  # (pairs,), arrangements where all were enumerated
    counting: Counting
    exact: npt.NDArray[np.bool_]  # (pairs,), where all were enumerated
    degenerate: npt.NDArray[np.int64]  # (pairs,), resamples without a standard error
    confidence_level: float = 0.95  # of the Monte Carlo limits
    mean: FloatArray | None = None  # (pairs,), what the procedure averaged
    #: (pairs,), root mean square of shuffled differences, where the score is no straight line
    spread: FloatArray | None = None
    pseudo: list[FloatArray] | None = None  # of each pair its resamples, where kept

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
    design: Design,
    statistics: Sequence[SufficientStatistics],
    advantages: Advantages,
    *,
    about: Sequence[SufficientStatistics] | None = None,
    keep: bool = False,
    blocks: Iterable[list[FloatArray]] | None = None,
) -> list[Tally]:
    """Count the extreme resamples; one `Tally` for each metric.

    `about` are the statistics that `statistics` were made of; `keep` keeps the pseudo-differences
    themselves; `blocks` are others than all of `advantages`.
    """
    procedure, plan = design.procedure, advantages.resampling
    tails, pairs = procedure.tails(design.alternative), plan.pairs
    studentizers = plan.studentizers or [None] * len(statistics)
    observed = [
        Observed.of(s, pairs, by, of)
        for s, by, of in zip(statistics, studentizers, about or statistics, strict=True)
    ]
    means = _means(procedure, advantages) if procedure.centres else None
    counts = np.zeros((len(statistics), len(tails), len(pairs[0])), dtype=np.int64)
    degenerate = np.zeros((len(statistics), len(pairs[0])), dtype=np.int64)
    curved = [procedure.kind == "shuffle" and p.slopes is None for p in plan.statistics]
    squares = np.zeros((len(statistics), len(pairs[0])))
    kept: list[list[FloatArray]] = [[np.empty((len(pairs[0]), 0))] for _ in statistics]
    for block in advantages if blocks is None else blocks:
        for m, (pseudo, seen) in enumerate(zip(block, observed, strict=True)):
            null = procedure.null(pseudo, None if means is None else means[m])
            degenerate[m] += np.count_nonzero(np.isinf(pseudo), axis=1)
            reaches = partial(design.counting.reaches, scale=seen.scale[:, None])
            for t, tail in enumerate(tails):
                extreme = procedure.extreme(null, seen.statistic[:, None], tail, reaches)
                counts[m, t] += np.count_nonzero(extreme, axis=1)
            if curved[m]:
                squares[m] += np.einsum("ij,ij->i", pseudo, pseudo)
            if keep:
                kept[m].append(pseudo)
    drawn = plan.n_resamples - plan.start
    return [
        Tally(
            observed=seen,
            tail_counts=counts[m],
            n_resamples=np.full(len(pairs[0]), drawn),
            counting=design.counting,
            exact=np.zeros(len(pairs[0]), dtype=bool),
            degenerate=degenerate[m],
            confidence_level=design.look_level,
            mean=None if means is None else means[m][:, 0],
            spread=np.sqrt(squares[m] / drawn) if curved[m] else None,
            pseudo=list(np.concatenate(kept[m], axis=1)) if keep else None,
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
