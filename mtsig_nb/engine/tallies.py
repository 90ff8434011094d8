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

import numpy as np

from ..errors import InputError
from ..metrics.base import FloatArray, Indices, IntArray, Mask, Metric
from ..statistics.sufficient import SufficientStatistics
from .counting import Counting, clopper_pearson, tie_scale
from .options import Design
from .procedures import Procedure
from .resampling import Factor, Packed, Pairs, Resampling, exact_metric, map_blocks
from .sign_flips import Contributions

#: The one pair of statistics of two systems.
PAIR: Pairs = (np.array([0]), np.array([1]))

#: Exact enumeration is possible up to this many differing units.
LARGEST_EXACT = 20

#: Arrangements that are enumerated together.
ARRANGEMENTS_AT_ONCE = 2**14

#: Counts (systems times units times counts) whose copy is compared at once: 32 MB.
COMPARED_AT_ONCE = 2**22

#: What pseudo-differences may take to be kept between two passes, so that memory does not grow with
#: the number of resamples: 64 MB.
KEPT_BYTES = 64 * 2**20


@dataclasses.dataclass(eq=False)
class PseudoDifferences:
    """Pseudo-differences of all pairs, block by block; can be gone through repeatedly.

    Each item is a list with one array of shape (pairs, resamples in the block) per metric; where
    the resampling studentises, of t-values.

    Parameters
    ----------
    resampling : Resampling
        The plan that says which pairs, and how many resamples.
    executor : concurrent.futures.Executor, optional
    description : str
        For the progress bar.
    keep : bool
        Whether blocks are kept for the next time, if they take no more than `KEPT_BYTES`; they are
        drawn again otherwise.
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
        plan = self.resampling
        n_bytes = 8 * plan.n_resamples * plan.n_pairs * len(plan.statistics)
        keep = self.keep and n_bytes <= KEPT_BYTES
        kept = []
        for block in map_blocks(plan, Resampling.differences, self.executor, self.description):
            if keep:
                kept.append(block)
            yield block
        if keep:
            self._kept = kept


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
        source_of_statistic: Factor,
    ) -> Observed:
        """What a metric says of the test set.

        Parameters
        ----------
        statistics : SufficientStatistics
            Those whose scores and differences are reported.
        pairs : (ndarray, ndarray), each of shape (pairs,)
        source_of_statistic : Packed, Contributions or Studentizer
            What is resampled of them.
        """
        first, second = pairs
        metric = statistics.metric
        scores = metric.score(statistics.totals())
        difference = metric.direction * (scores[first] - scores[second])
        if isinstance(source_of_statistic, Packed):
            on_grid = source_of_statistic.observed_scores
            statistic = metric.direction * (on_grid[first] - on_grid[second])
            scale = tie_scale(source_of_statistic.metric, on_grid[first], on_grid[second])
        else:
            statistic = source_of_statistic.statistic[:, 0]
            scale = source_of_statistic.statistic_scale[:, 0]
        return cls(scores, difference, statistic, scale)


@dataclasses.dataclass(frozen=True, eq=False)
class Tally:
    """How many resamples of each pair were extreme, under one procedure and one metric."""

    observed: Observed
    tail_counts: IntArray  # (tails, pairs), extreme resamples in each tail that is counted apart
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
        sampled = np.asarray(self.counting.pvalue(self.counts, self.n_resamples))
        return self._with_exact(sampled)

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
        return self._with_exact(low), self._with_exact(high)

    def _with_exact(self, sampled: FloatArray) -> FloatArray:
        """`sampled` proportions, doubled if the test is; exact ones where all were enumerated."""
        n_tails = len(self.tail_counts)
        doubled = np.minimum(1.0, n_tails * sampled)
        exact = self.counts / self.n_resamples
        return np.where(self.exact, exact, doubled)


def tally(
    design: Design,
    statistics: Sequence[SufficientStatistics],
    pseudo_differences: PseudoDifferences,
    *,
    keep: bool = False,
    blocks: Iterable[list[FloatArray]] | None = None,
) -> list[Tally]:
    """Count the extreme resamples; one `Tally` for each metric.

    Parameters
    ----------
    design : Design
    statistics : sequence of SufficientStatistics, one for each metric
    pseudo_differences : PseudoDifferences
    keep : bool
        Whether tallies keep the pseudo-differences.
    blocks : iterable, optional
        The blocks to count; all of `pseudo_differences` by default.
    """
    procedure = design.options.procedure
    plan = pseudo_differences.resampling
    n_metrics = len(statistics)
    means: Sequence[FloatArray | None] = [None] * n_metrics
    if procedure.centres:
        means = _means(procedure, pseudo_differences)
    counters = []
    for m in range(n_metrics):
        observed = Observed.of(statistics[m], plan.pairs[m], plan.source_of_statistic(m))
        is_curved = procedure.kind == "shuffle" and plan.statistics[m].curved
        counters.append(_Counter(design, observed, means[m], measure_spread=is_curved, keep=keep))
    for block in pseudo_differences if blocks is None else blocks:
        for counter, pseudo in zip(counters, block, strict=True):
            counter.add(pseudo)
    n_resamples = plan.n_resamples - plan.start
    return [counter.tally(n_resamples) for counter in counters]


def _means(procedure: Procedure, pseudo_differences: PseudoDifferences) -> list[FloatArray]:
    """The mean over all resamples of what the procedure averages, (pairs, 1) for each metric."""
    plan = pseudo_differences.resampling
    n_metrics = len(plan.statistics)
    totals = np.zeros((n_metrics, plan.n_pairs, 1))
    for block in pseudo_differences:
        for total, pseudo in zip(totals, block, strict=True):
            total += procedure.averaged(pseudo).sum(axis=1, keepdims=True)
    return list(totals / plan.n_resamples)


class _Counter:
    """Counts the extreme resamples of all pairs under one metric, block by block.

    Parameters
    ----------
    design : Design
    observed : Observed
    mean : ndarray of shape (pairs, 1), optional
        What the procedure averages, where it centres.
    measure_spread : bool
        Whether the root mean square of pseudo-differences is wanted.
    keep : bool
        Whether the pseudo-differences are kept.
    """

    def __init__(
        self,
        design: Design,
        observed: Observed,
        mean: FloatArray | None,
        *,
        measure_spread: bool,
        keep: bool,
    ) -> None:
        options = design.options
        n_pairs = len(observed.difference)
        self._design = design
        self._observed = observed
        self._mean = mean
        self._tails = options.procedure.tails(options.alternative)
        self._reaches = partial(options.rule.reaches, scale=observed.scale[:, None])
        self._tail_counts = np.zeros((len(self._tails), n_pairs), dtype=np.int64)
        self._degenerate = np.zeros(n_pairs, dtype=np.int64)
        self._squares = np.zeros(n_pairs) if measure_spread else None
        self._kept = [np.empty((n_pairs, 0))] if keep else None

    def add(self, pseudo: FloatArray) -> None:
        """Count a block of pseudo-differences, shape (pairs, resamples)."""
        procedure = self._design.options.procedure
        statistic = self._observed.statistic[:, None]
        null = procedure.null(pseudo, self._mean)
        for counts, tail in zip(self._tail_counts, self._tails, strict=True):
            extreme = procedure.extreme(null, statistic, tail, self._reaches)
            counts += np.count_nonzero(extreme, axis=1)
        self._degenerate += np.count_nonzero(np.isinf(pseudo), axis=1)
        if self._squares is not None:
            self._squares += np.einsum("ij,ij->i", pseudo, pseudo)
        if self._kept is not None:
            self._kept.append(pseudo)

    def tally(self, n_resamples: int) -> Tally:
        """What was counted in all blocks, which had `n_resamples` together."""
        n_pairs = len(self._degenerate)
        spread = None
        if self._squares is not None:
            spread = np.sqrt(self._squares / n_resamples)
        pseudo = None
        if self._kept is not None:
            pseudo = list(np.concatenate(self._kept, axis=1))
        return Tally(
            observed=self._observed,
            tail_counts=self._tail_counts,
            n_resamples=np.full(n_pairs, n_resamples),
            counting=self._design.options.rule,
            exact=np.zeros(n_pairs, dtype=bool),
            degenerate=self._degenerate,
            confidence_level=self._design.look_level,
            mean=None if self._mean is None else self._mean[:, 0],
            spread=spread,
            pseudo=pseudo,
        )


# --- all exchanges, where they are few ---------------------------------------------------------


def differing_units(statistics: SufficientStatistics, pairs: Pairs) -> IntArray:
    """In how many units the statistics of each pair differ, shape (pairs,).

    Exchanging the outputs of any other unit changes nothing, so k differing units have 2**k
    arrangements, whatever the size of the test set.
    """
    n_systems, n_units, n_counts = statistics.values.shape
    numbers = np.zeros(len(pairs[0]), dtype=np.int64)
    step = max(1, COMPARED_AT_ONCE // (n_systems * n_counts))
    for start in range(0, n_units, step):
        counts = _counts_that_vary(statistics.values[:, start : start + step])
        for pair, (a, b) in enumerate(zip(*pairs, strict=True)):
            is_other = (counts[:, a] != counts[:, b]).any(axis=0)
            numbers[pair] += np.count_nonzero(is_other)
    return numbers


def _counts_that_vary(values: FloatArray) -> FloatArray:
    """The counts in which any two systems differ, shape (counts, systems, units).

    Weights and the lengths of references are the same for all systems.  `values` are of shape
    (systems, units, counts).  Here the units of a count lie together, so that comparing two systems
    takes a twentieth of the time.
    """
    varies = (values != values[:1]).any(axis=(0, 1))
    return np.ascontiguousarray(np.moveaxis(values[:, :, varies], 2, 0))


def _differs(statistics: SufficientStatistics, a: int, b: int) -> Mask:
    """Whether two systems differ in each unit, shape (units,)."""
    is_other = statistics.values[a] != statistics.values[b]
    return np.asarray(is_other.any(axis=1))


def all_arrangements(
    statistics: SufficientStatistics, metric: Metric, a: int, b: int
) -> FloatArray:
    """The pair's difference under every distinct exchange of outputs, shape (2**k,).

    k is the number of units in which the two differ.  One of these is left in place while the
    others take all 2**(k-1) arrangements; exchanging everything else as well turns a difference
    into its negative, so the second half of the result mirrors the first.  `metric` has the grid on
    which the statistics are resampled.
    """
    quantum = metric.quantum
    quanta_a = metric.snap(statistics.values[a]) / quantum
    quanta_b = metric.snap(statistics.values[b]) / quantum
    total_a = quanta_a.sum(axis=0)
    total_b = quanta_b.sum(axis=0)
    differing = np.flatnonzero(_differs(statistics, a, b))
    gain = quanta_b[differing] - quanta_a[differing]
    parts = []
    for exchanged in half_of_all(len(differing)):
        moved = exchanged @ gain
        pseudo_a = metric.score((total_a + moved) * quantum)
        pseudo_b = metric.score((total_b - moved) * quantum)
        parts.append(metric.direction * (pseudo_a - pseudo_b))
    return mirrored(np.concatenate(parts), len(differing))


def all_signs(
    contributions: Contributions, statistics: SufficientStatistics, pairs: Pairs, pair: int
) -> FloatArray:
    """The pair's difference with all signs of what its differing units contribute, shape (2**k,).

    It is to sign flips what :func:`all_arrangements` is to exchanged outputs.
    """
    first, second = pairs
    differing = np.flatnonzero(_differs(statistics, first[pair], second[pair]))
    parts = []
    for exchanged in half_of_all(len(differing)):
        parts.append(contributions.all_signs(pair, exchanged, differing))
    half = statistics.metric.direction * np.concatenate(parts)
    return mirrored(half, len(differing))


def half_of_all(n_units: int) -> Iterator[FloatArray]:
    """All arrangements in which the first unit stays in place, some of them at a time.

    Each array has a row for each arrangement and a column for each unit: 1 where its outputs are
    exchanged, 0 where they are not.
    """
    n_free = max(n_units - 1, 0)
    n_arrangements = 2**n_free
    for start in range(0, n_arrangements, ARRANGEMENTS_AT_ONCE):
        end = min(start + ARRANGEMENTS_AT_ONCE, n_arrangements)
        numbers = np.arange(start, end)
        exchanged = np.zeros((len(numbers), n_units))
        # A bit of the arrangement's number for each unit that is free to move.
        exchanged[:, 1:] = (numbers[:, None] >> np.arange(n_free)) & 1
        yield exchanged


def mirrored(half: FloatArray, n_units: int) -> FloatArray:
    """All arrangements, or what is linear in their signs, from those that leave the first in place.

    Of no units there is one arrangement alone.
    """
    return np.concatenate([half, -half]) if n_units else half


# --- runs -------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True, eq=False)
class Run:
    """What a design has counted so far: one `Tally` for each metric, over all pairs."""

    design: Design
    statistics: Sequence[SufficientStatistics]  # in the design's units
    pairs: Sequence[Pairs]  # one for each metric
    differing: list[IntArray]  # (pairs,) for each metric, in how many units the outputs differ
    tallies: list[Tally]
    kept_draws: PseudoDifferences | None = None  # of all pairs

    @property
    def draws(self) -> PseudoDifferences:
        """The draws of all pairs, of a design that needs them `together` after the counting.

        Other designs let go of them, since they have a copy of the statistics.
        """
        assert self.kept_draws is not None
        return self.kept_draws

    @property
    def n_pairs(self) -> int:
        """How many pairs there are under each metric."""
        first, _ = self.pairs[0]
        return len(first)


#: From a run and a number of resamples, the pairs that need so many, for each metric.
Undecided = Callable[[Run, int], Sequence[Indices]]


def run(
    design: Design,
    statistics: Sequence[SufficientStatistics],
    pairs: Sequence[Pairs],
    *,
    undecided: Undecided | None = None,
    draws: PseudoDifferences | None = None,
    keep: bool = False,
) -> Run:
    """Count the extreme resamples of all pairs, under all metrics, as the design says.

    Parameters
    ----------
    design : Design
    statistics : sequence of SufficientStatistics
        One per metric, all on the same systems; grouped here into the design's units.
    pairs : sequence of (ndarray, ndarray), each of shape (pairs,)
        Numbers of the systems, for each metric.
    undecided : callable, optional
        Asked before each further look of the design, with the run so far and the number of
        resamples of that look: the pairs to go on with, for each metric; none ends the run.
    draws : PseudoDifferences, optional
        Those of another run with the same kind, pairs, seed and number of resamples, and that
        studentises or does not as this one.
    keep : bool
        Whether tallies keep the pseudo-differences.
    """
    options = design.options
    first_look, *later_looks = design.looks
    in_units = [s.by_unit(options.resampled_units) for s in statistics]
    differing = list(map(differing_units, in_units, pairs))
    started = Run(design, in_units, pairs, differing, tallies=[])
    # The draws get no name, which would keep them in memory.
    done = _counted(started, draws or _drawn(design, in_units, pairs, first_look), keep)
    if undecided is None:
        return done
    for n_resamples in later_looks:
        open_pairs = undecided(done, n_resamples)  # for each metric
        if not any(map(len, open_pairs)):
            break
        if design.together:  # all of them, since they are needed together
            done = _counted(done, _drawn(design, in_units, pairs, n_resamples), keep)
        else:
            tallies = []
            for m, pairs_of_metric in enumerate(open_pairs):
                tallies.append(_further(done, m, pairs_of_metric, n_resamples))
            done = dataclasses.replace(done, tallies=tallies)
    return done


def _drawn(
    design: Design,
    statistics: Sequence[SufficientStatistics],
    pairs: Sequence[Pairs],
    n_resamples: int,
    start: int = 0,
) -> PseudoDifferences:
    """The design's resamples number `start` to `n_resamples`."""
    procedure = design.options.procedure
    plan = Resampling.of(
        procedure.kind,
        statistics,
        pairs,
        n_resamples=n_resamples,
        seed=design.options.seed,
        start=start,
        studentized=procedure.studentized,
        linearised=procedure.linearises,
    )
    return PseudoDifferences(
        plan,
        executor=design.options.executor,
        description=procedure.title,
        keep=procedure.centres or design.together,
    )


def _counted(so_far: Run, draws: PseudoDifferences, keep: bool) -> Run:
    """The run with all of these draws counted, or arrangements where these are fewer."""
    design = so_far.design
    plan = draws.resampling
    enumerable = [_enumerable(so_far, m, plan.n_resamples) for m in range(len(plan.statistics))]
    all_are_enumerable = all(len(pairs) == plan.n_pairs for pairs in enumerable)
    tallies = tally(
        design,
        so_far.statistics,
        draws,
        keep=keep,
        blocks=() if all_are_enumerable else None,
    )
    for m, pairs_of_metric in enumerate(enumerable):
        for pair in pairs_of_metric.tolist():
            _enumerate(so_far, draws, m, tallies[m], pair)
    kept_draws = draws if design.together else None
    return dataclasses.replace(so_far, tallies=tallies, kept_draws=kept_draws)


def _enumerable(so_far: Run, m: int, n_resamples: int) -> Indices:
    """Which pairs to enumerate under metric `m`.

    All that there are, or those with fewer arrangements than resamples.

    Enumerating wherever 2**(k-1) <= R + 1 also keeps every p-value at or above the smallest
    that exists for k differing units, 2/2**k: elsewhere 1/(R+1) is larger than that.  A rule
    that does not count ties leaves out the observed arrangement itself, so it is only ever
    sampled.
    """
    options = so_far.design.options
    always_sampled = options.exact is False or options.rule.comparator == ">"
    if options.procedure.kind != "shuffle" or always_sampled:
        return np.empty(0, dtype=np.intp)
    n_differing = so_far.differing[m]
    if options.exact:
        _check_enumerable(int(n_differing.max(initial=0)), so_far.statistics[m].unit)
        return np.arange(len(n_differing))
    most_differing = min(np.log2(n_resamples + 1) + 1, LARGEST_EXACT + 1)
    return np.flatnonzero(n_differing <= most_differing)


def _check_enumerable(n_differing: int, unit: str) -> None:
    """Raise `InputError` if systems differ in too many units to enumerate all exchanges."""
    if n_differing > LARGEST_EXACT:
        raise InputError(
            f"exact=True: the systems differ in {n_differing} {unit}, which makes "
            f"2**{n_differing} arrangements; at most {LARGEST_EXACT} {unit} can be "
            "enumerated. Leave exact out to sample."
        )


def _enumerate(so_far: Run, draws: PseudoDifferences, m: int, counted: Tally, pair: int) -> None:
    """Put all arrangements of a pair under metric `m` in the place of its resamples.

    The arrays of `counted`, the metric's tally, are changed.
    """
    options = so_far.design.options
    statistics = so_far.statistics[m]
    packed = draws.resampling.statistics[m]
    if isinstance(packed, Contributions):
        null = all_signs(packed, statistics, so_far.pairs[m], pair)
    else:
        first, second = so_far.pairs[m]
        null = all_arrangements(statistics, packed.metric, first[pair], second[pair])
    observed = counted.observed
    (tail,) = options.procedure.tails(options.alternative)
    reaches = partial(options.rule.reaches, scale=observed.scale[pair])
    extreme = options.procedure.extreme(null, observed.statistic[pair], tail, reaches)
    counted.tail_counts[:, pair] = np.count_nonzero(extreme)
    counted.n_resamples[pair] = null.size
    counted.exact[pair] = True
    if counted.spread is not None:
        counted.spread[pair] = np.sqrt(np.square(null).mean())
    if counted.pseudo is not None:
        counted.pseudo[pair] = null


def _further(done: Run, m: int, which: Indices, n_resamples: int) -> Tally:
    """The tally of metric `m` with the pairs `which` counted over `n_resamples` in all.

    Only the systems of those pairs are resampled.  A procedure that centres counts anew, since
    every further resample moves what it centres on.
    """
    counts_anew = done.design.options.procedure.centres
    so_far = done.tallies[m]
    tail_counts = so_far.tail_counts.copy()
    degenerate = so_far.degenerate.copy()
    n_drawn = so_far.n_resamples.copy()
    sampled = which[~so_far.exact[which]]
    # Together those pairs of which equally many resamples are known.
    for n_known in np.unique(n_drawn[sampled]):
        group = sampled[n_drawn[sampled] == n_known]
        start = 0 if counts_anew else int(n_known)
        more = _tally_of_pairs(done, m, group, n_resamples, start)
        if counts_anew:
            tail_counts[:, group] = more.tail_counts
        else:
            tail_counts[:, group] += more.tail_counts
        degenerate[group] += more.degenerate
    n_drawn[sampled] = n_resamples
    return dataclasses.replace(
        so_far,
        tail_counts=tail_counts,
        n_resamples=n_drawn,
        degenerate=degenerate,
        mean=None,
        pseudo=None,
    )


def _tally_of_pairs(done: Run, m: int, which: Indices, n_resamples: int, start: int) -> Tally:
    """The tally of the pairs `which` alone, from the resamples number `start` to `n_resamples`."""
    statistics = done.statistics[m]
    first, second = done.pairs[m]
    systems, renumbered = np.unique([first[which], second[which]], return_inverse=True)
    selected = statistics.select([statistics.systems[i] for i in systems])
    # On the grid of all systems, which that of these alone might be finer than.
    metric = exact_metric(statistics, done.design.options.procedure.kind)
    selected = dataclasses.replace(selected, metric=metric)
    first_selected, second_selected = renumbered.reshape(2, -1)
    pairs = (first_selected, second_selected)
    draws = _drawn(done.design, [selected], [pairs], n_resamples, start)
    (counted,) = tally(done.design, [selected], draws)
    return counted
