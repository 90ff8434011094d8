"""Running a design: from a plan of resamples to counts, for all pairs and metrics at once.

Every test by resampling goes through `run`.  A pair that differs in so few units that enumerating
all exchanges is less work than sampling is enumerated: its p-value is exact, and never below the
smallest that exists.  A design may have several *looks*: after each, whoever asked says which pairs
need more resamples, and these go on with the same seed's next ones.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from functools import cached_property, partial
from typing import Any

import numpy as np

from ..errors import InputError
from ..metrics.base import FloatArray, Indices, IntArray, Mask
from ..statistics.sufficient import SufficientStatistics
from .counting import Counting, clopper_pearson, tie_scale
from .influence import Studentizer
from .options import Design
from .procedures import Procedure
from .resampling import Resampling, map_blocks
from .sign_flips import Contributions

Pairs = tuple[Indices, Indices]

#: The one pair of statistics of two systems.
PAIR: Pairs = (np.array([0]), np.array([1]))

#: Exact enumeration is possible up to this many differing units.
LARGEST_EXACT = 20

#: Pseudo-differences are kept between two passes while they fit, and drawn again otherwise, so
#: that memory does not grow with the number of resamples.
KEPT_BYTES = 64 * 2**20


@dataclasses.dataclass(eq=False)
class Advantages:
    """Pseudo-differences of all pairs, block by block; can be gone through repeatedly.

    Each item is a list with one array of shape (pairs, resamples in the block) per metric; where
    the resampling studentises, of t-values.
    """

    resampling: Resampling
    executor: Executor | None = None
    description: str = "resampling"
    keep: bool = False
    _kept: list[list[FloatArray]] | None = dataclasses.field(default=None, init=False)

    def __iter__(self) -> Iterator[list[FloatArray]]:
        if self._kept is not None:
            yield from self._kept
            return
        plan, seen = self.resampling, []
        n_bytes = 8 * plan.n_resamples * len(plan.pairs[0]) * len(plan.statistics)
        keep = self.keep and n_bytes <= KEPT_BYTES
        for block in map_blocks(plan, Resampling.differences, self.executor, self.description):
            if keep:
                seen.append(block)
            yield block
        if keep:
            self._kept = seen


@dataclasses.dataclass(frozen=True, eq=False)
class Observed:
    """What one metric says of the test set itself."""

    scores: FloatArray  # (systems,)
    difference: FloatArray  # (pairs,), positive where the pair's first system is better
    statistic: FloatArray  # (pairs,), the same, or it in standard errors: what is compared
    scale: FloatArray  # (pairs,), what ties of the statistic are relative to

    @classmethod
    def of(
        cls,
        statistics: SufficientStatistics,
        pairs: Pairs,
        compared: Studentizer | Contributions | None = None,
        about: SufficientStatistics | None = None,
    ) -> Observed:
        """That of `statistics`, whose scores are of those that these are made `about`.

        `compared` is what has a statistic of its own in the place of the difference.
        """
        scores, difference = _scores(statistics if about is None else about, pairs)
        if compared is not None:
            statistic, scale = compared.statistic[:, 0], compared.statistic_scale[:, 0]
            return cls(scores, difference, statistic, scale)
        own, statistic = _scores(statistics, pairs)
        scale = tie_scale(statistics.metric, own[pairs[0]], own[pairs[1]])
        return cls(scores, difference, statistic, scale)


def _scores(statistics: SufficientStatistics, pairs: Pairs) -> tuple[FloatArray, FloatArray]:
    """All systems' scores, and how much better the first of each pair is."""
    scores = statistics.metric.score(statistics.totals())
    return scores, statistics.metric.direction * (scores[pairs[0]] - scores[pairs[1]])


@dataclasses.dataclass(frozen=True, eq=False)
class Tally:
    """How many resamples of each pair were extreme, under one procedure and one metric."""

    observed: Observed
    tail_counts: IntArray  # (tails, pairs)
    n_resamples: IntArray  # (pairs,), arrangements where all were enumerated
    counting: Counting
    exact: Mask  # (pairs,), where all were enumerated
    degenerate: IntArray  # (pairs,), resamples without a standard error
    confidence_level: float = 0.95  # of the Monte Carlo limits
    mean: FloatArray | None = None  # (pairs,), what the procedure averaged
    #: (pairs,), root mean square of shuffled differences, where the score is no straight line
    spread: FloatArray | None = None
    pseudo: list[FloatArray] | None = None  # of each pair its resamples, where kept

    @property
    def counts(self) -> IntArray:
        """Extreme resamples, shape (pairs,); of the smaller tail where the test is doubled."""
        return self.tail_counts.min(axis=0)

    @cached_property
    def pvalues(self) -> FloatArray:
        """p-values, shape (pairs,); enumerated, the observed arrangement is counted already."""
        return self._of_sampled(np.asarray(self.counting.pvalue(self.counts, self.n_resamples)))

    @cached_property
    def limits(self) -> tuple[FloatArray, FloatArray]:
        """Where p-values would lie with endless resamples, each of shape (pairs,).

        They speak of the Monte Carlo error alone, not of the test set.  Where resamples are counted
        one by one, as in approximate randomization, the count is binomial and the limits hold at
        least their level.  Two counts are not binomial, and there it holds about: that of the
        shifted bootstrap, which is centred at the mean of the same resamples, and that of a doubled
        test, which is the smaller of two tails.
        """
        low, high = clopper_pearson(self.counts, self.n_resamples, self.confidence_level)
        return self._of_sampled(low), self._of_sampled(high)

    def _of_sampled(self, p: FloatArray) -> FloatArray:
        doubled = np.minimum(1.0, len(self.tail_counts) * p)
        return np.where(self.exact, self.counts / self.n_resamples, doubled)


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
    procedure, plan = design.options.procedure, advantages.resampling
    tails, pairs = procedure.tails(design.options.alternative), plan.pairs
    observed = [
        Observed.of(s, pairs, plan.compared(m), own)
        for m, (s, own) in enumerate(zip(statistics, about or statistics, strict=True))
    ]
    means = _means(procedure, advantages) if procedure.centres else None
    counts = np.zeros((len(statistics), len(tails), len(pairs[0])), dtype=np.int64)
    degenerate = np.zeros((len(statistics), len(pairs[0])), dtype=np.int64)
    curved = [procedure.kind == "shuffle" and packed.curved for packed in plan.statistics]
    squares = np.zeros((len(statistics), len(pairs[0])))
    kept: list[list[FloatArray]] = [[np.empty((len(pairs[0]), 0))] for _ in statistics]
    for block in advantages if blocks is None else blocks:
        for m, (pseudo, seen) in enumerate(zip(block, observed, strict=True)):
            null = procedure.null(pseudo, None if means is None else means[m])
            degenerate[m] += np.count_nonzero(np.isinf(pseudo), axis=1)
            reaches = partial(design.options.rule.reaches, scale=seen.scale[:, None])
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
            counting=design.options.rule,
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


# --- all exchanges, where they are few ---------------------------------------------------------


def differing_units(statistics: SufficientStatistics, pairs: Pairs) -> IntArray:
    """In how many units the statistics of each pair differ, shape (pairs,).

    Exchanging the outputs of any other unit changes nothing, so k differing units have 2**k
    arrangements, whatever the size of the test set.
    """
    values = statistics.values
    differing = [(values[a] != values[b]).any(axis=1) for a, b in zip(*pairs, strict=True)]
    return np.array([np.count_nonzero(units) for units in differing], dtype=np.int64)


def all_arrangements(statistics: SufficientStatistics, a: int, b: int) -> FloatArray:
    """The pair's difference under every distinct exchange of outputs, shape (2**k,).

    k is the number of units in which the two differ.  One of these is left in place while the
    others take all 2**(k-1) arrangements; exchanging everything else as well turns a difference
    into its negative, so the second half of the result mirrors the first.
    """
    metric, quantum = statistics.metric, statistics.metric.quantum
    values = statistics.values / quantum
    differing = np.flatnonzero((values[a] != values[b]).any(axis=1))
    total_a, total_b = values[a].sum(axis=0), values[b].sum(axis=0)
    gain = values[b][differing] - values[a][differing]
    parts = []
    for exchanged in _half_of_all(len(differing)):
        moved = exchanged @ gain
        pseudo_a = metric.score((total_a + moved) * quantum)
        pseudo_b = metric.score((total_b - moved) * quantum)
        parts.append(metric.direction * (pseudo_a - pseudo_b))
    return _mirrored(np.concatenate(parts), len(differing))


def all_signs(
    contributions: Contributions, statistics: SufficientStatistics, pairs: Pairs, pair: int
) -> FloatArray:
    """The pair's difference with all signs of what its differing units contribute, shape (2**k,).

    It is to sign flips what :func:`all_arrangements` is to exchanged outputs.
    """
    a, b = statistics.values[pairs[0][pair]], statistics.values[pairs[1][pair]]
    differing = np.flatnonzero((a != b).any(axis=1))
    parts = [
        contributions.all_signs(pair, exchanged, differing)
        for exchanged in _half_of_all(len(differing))
    ]
    half = statistics.metric.direction * np.concatenate(parts)
    return _mirrored(half, len(differing))


def _half_of_all(n_units: int) -> Iterator[FloatArray]:
    """Which units are exchanged, some arrangements at a time, shape (arrangements, n_units).

    All arrangements of the others while the first unit stays in place.
    """
    free = max(n_units - 1, 0)
    step = 2**14
    for start in range(0, 2**free, step):
        number = np.arange(start, min(start + step, 2**free))
        exchanged = np.zeros((len(number), n_units))
        exchanged[:, 1:] = (number[:, None] >> np.arange(free)) & 1
        yield exchanged


def _mirrored(half: FloatArray, n_units: int) -> FloatArray:
    """All arrangements, of which `half` has those that leave the first unit in place."""
    return np.concatenate([half, -half]) if n_units else half


# --- runs -------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True, eq=False)
class Run:
    """What a design has counted so far: one `Tally` for each metric, over all pairs."""

    design: Design
    statistics: Sequence[SufficientStatistics]  # in the design's units
    compared: Sequence[SufficientStatistics]  # the same, on the grid on which they are resampled
    pairs: Pairs
    tallies: list[Tally]
    draws: Advantages  # of all pairs

    @cached_property
    def differing(self) -> list[IntArray]:
        """In how many units each pair's outputs differ, for each metric."""
        return [differing_units(s, self.pairs) for s in self.statistics]


#: Which pairs need the given number of resamples, for each metric.
Undecided = Callable[[Run, int], Sequence[Indices]]


def run(
    design: Design,
    statistics: Sequence[SufficientStatistics],
    pairs: Pairs,
    *,
    undecided: Undecided | None = None,
    draws: Advantages | None = None,
    keep: bool = False,
) -> Run:
    """Count the extreme resamples of all pairs, under all metrics, as the design says.

    Parameters
    ----------
    design : Design
    statistics : sequence of SufficientStatistics
        One per metric, all on the same systems; grouped here into the design's units.
    pairs : (ndarray, ndarray), each of shape (pairs,)
        Numbers of the systems.
    undecided : callable, optional
        Asked before each further look of the design, with the run so far and the number of
        resamples of that look: the pairs to go on with, for each metric; none ends the run.
    draws : Advantages, optional
        Those of another run with the same kind, pairs, seed and number of resamples, and that
        studentises or does not as this one.
    keep : bool
        Whether tallies keep the pseudo-differences.
    """
    first, *later = design.looks
    statistics = [s.by_unit(design.options.resampled_units) for s in statistics]
    compared = [design.options.procedure.compared(s) for s in statistics]
    draws = draws or _drawn(design, compared, pairs, first)
    done = _counted(Run(design, statistics, compared, pairs, [], draws), keep)
    for n_resamples in later:
        which = undecided(done, n_resamples) if undecided is not None else ()
        if not any(len(some) for some in which):
            break
        if design.together:  # all of them, since they are needed together
            draws = _drawn(design, compared, pairs, n_resamples)
            done = _counted(dataclasses.replace(done, draws=draws), keep)
        else:
            tallies = [_further(done, m, some, n_resamples) for m, some in enumerate(which)]
            done = dataclasses.replace(done, tallies=tallies)
    return done


def _drawn(
    design: Design,
    compared: Sequence[SufficientStatistics],
    pairs: Pairs,
    n_resamples: int,
    start: int = 0,
) -> Advantages:
    """The design's resamples number `start` to `n_resamples`."""
    procedure = design.options.procedure
    plan = Resampling.of(
        procedure.kind,
        compared,
        pairs,
        n_resamples=n_resamples,
        seed=design.options.seed,
        start=start,
        studentized=procedure.studentized,
        linearised=procedure.linearises,
    )
    keep = procedure.centres or design.together
    return Advantages(
        plan, executor=design.options.executor, description=procedure.title, keep=keep
    )


def _counted(drawn: Run, keep: bool) -> Run:
    """The run with all of its draws counted, or arrangements where these are fewer."""
    design, pairs = drawn.design, drawn.pairs
    n_resamples = drawn.draws.resampling.n_resamples
    which = [np.empty(0, dtype=np.intp)] * len(drawn.compared)
    sampled = design.options.exact is False or design.options.rule.comparator == ">"
    if design.options.procedure.kind == "shuffle" and not sampled:
        which = [_enumerated(design, s, pairs, n_resamples) for s in drawn.compared]
    all_enumerated = all(len(some) == len(pairs[0]) for some in which)
    blocks = () if all_enumerated else None
    tallies = tally(
        design, drawn.compared, drawn.draws, about=drawn.statistics, keep=keep, blocks=blocks
    )
    for m, enumerated in enumerate(which):
        for pair in enumerated.tolist():
            _enumerate(drawn, m, tallies[m], pair)
    return dataclasses.replace(drawn, tallies=tallies)


def _enumerated(
    design: Design, statistics: SufficientStatistics, pairs: Pairs, n_resamples: int
) -> Indices:
    """Which pairs to enumerate: all, or those with fewer arrangements than resamples.

    Enumerating wherever 2**(k-1) <= R + 1 also keeps every p-value at or above the smallest
    that exists for k differing units, 2/2**k: elsewhere 1/(R+1) is larger than that.  A rule
    that does not count ties leaves out the observed arrangement itself, so it is only ever
    sampled.
    """
    differing = differing_units(statistics, pairs)
    most = int(differing.max(initial=0))
    if design.options.exact and most > LARGEST_EXACT:
        raise InputError(
            f"exact=True: the systems differ in {most} {statistics.unit}, which makes "
            f"2**{most} arrangements; at most {LARGEST_EXACT} {statistics.unit} can be "
            "enumerated. Leave exact out to sample."
        )
    if design.options.exact:
        return np.arange(len(differing))
    few = differing <= np.log2(n_resamples + 1) + 1
    return np.flatnonzero(few & (differing <= LARGEST_EXACT + 1))


def _enumerate(drawn: Run, m: int, counted: Tally, pair: int) -> None:
    """Put all arrangements of a pair under metric `m` in the place of its resamples."""
    design, statistics, pairs = drawn.design, drawn.compared[m], drawn.pairs
    packed = drawn.draws.resampling.statistics[m]
    if isinstance(packed, Contributions):
        null = all_signs(packed, statistics, pairs, pair)
    else:
        null = all_arrangements(statistics, pairs[0][pair], pairs[1][pair])
    observed = counted.observed
    (tail,) = design.options.procedure.tails(design.options.alternative)
    reaches = partial(design.options.rule.reaches, scale=observed.scale[pair])
    extreme = design.options.procedure.extreme(null, observed.statistic[pair], tail, reaches)
    counted.tail_counts[:, pair] = np.count_nonzero(extreme)
    counted.n_resamples[pair], counted.exact[pair] = null.size, True
    if counted.spread is not None:
        counted.spread[pair] = np.sqrt(np.square(null).mean())
    if counted.pseudo is not None:
        counted.pseudo[pair] = null


def _further(done: Run, m: int, which: Indices, n_resamples: int) -> Tally:
    """The tally of metric `m` with the pairs `which` counted over `n_resamples` in all.

    Only the systems of those pairs are resampled.  A procedure that centres counts anew, since
    every further resample moves what it centres on.
    """
    design, anew = done.design, done.design.options.procedure.centres
    statistics, so_far = done.compared[m], done.tallies[m]
    tail_counts, drawn = so_far.tail_counts.copy(), so_far.n_resamples.copy()
    degenerate = so_far.degenerate.copy()
    which = which[~so_far.exact[which]]
    for known in np.unique(drawn[which]):
        these = which[drawn[which] == known]
        involved, renumbered = np.unique([side[these] for side in done.pairs], return_inverse=True)
        a, b = renumbered.reshape(2, -1)
        some = [statistics.select([statistics.systems[i] for i in involved])]
        draws = _drawn(design, some, (a, b), n_resamples, start=0 if anew else int(known))
        (more,) = tally(design, some, draws)
        tail_counts[:, these] = more.tail_counts + (0 if anew else tail_counts[:, these])
        degenerate[these] += more.degenerate
    drawn[which] = n_resamples
    return dataclasses.replace(
        so_far,
        tail_counts=tail_counts,
        n_resamples=drawn,
        degenerate=degenerate,
        mean=None,
        pseudo=None,
    )
