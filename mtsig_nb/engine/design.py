"""A design says how pairs are tested; `run` counts.  Every test by resampling goes through it.

A pair that differs in so few units that enumerating all exchanges is less work than sampling is
enumerated: its p-value is exact, and never below the smallest that exists.  A design may have
several *looks*: after each, whoever asked says which pairs need more resamples, and these go on
with the same seed's next ones.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt

from ..errors import InputError
from ..statistics.sufficient import SufficientStatistics
from .enumeration import LARGEST_EXACT, all_arrangements, differing_units
from .options import Design
from .resampling import Resampling
from .tallies import Advantages, Pairs, Tally, tally

#: The one pair of statistics of two systems.
PAIR: Pairs = (np.array([0]), np.array([1]))


@dataclasses.dataclass(frozen=True, eq=False)
class Run:
    """What a design has counted so far: one `Tally` for each metric, over all pairs."""

    design: Design
    statistics: Sequence[SufficientStatistics]  # in the design's units
    compared: Sequence[SufficientStatistics]  # what the procedure makes of them and resamples
    pairs: Pairs
    tallies: list[Tally]
    draws: Advantages  # of all pairs

    @cached_property
    def differing(self) -> list[npt.NDArray[np.int64]]:
        """In how many units each pair's outputs differ, for each metric."""
        return [differing_units(s, self.pairs) for s in self.statistics]


#: Which pairs need the given number of resamples, for each metric.
Undecided = Callable[[Run, int], Sequence[npt.NDArray[np.intp]]]


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
    statistics = [s.by_unit(design.units) for s in statistics]
    compared = [design.procedure.compared(s) for s in statistics]
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
    procedure = design.procedure
    plan = Resampling.of(
        procedure.kind,
        compared,
        pairs,
        n_resamples=n_resamples,
        seed=design.seed,
        start=start,
        studentized=procedure.studentized,
    )
    keep = procedure.centres or design.together
    return Advantages(plan, executor=design.executor, description=procedure.title, keep=keep)


def _counted(drawn: Run, keep: bool) -> Run:
    """The run with all of its draws counted, or arrangements where these are fewer."""
    design, pairs = drawn.design, drawn.pairs
    n_resamples = drawn.draws.resampling.n_resamples
    which = [np.empty(0, dtype=np.intp)] * len(drawn.compared)
    if design.may_enumerate:
        which = [_enumerated(design, s, pairs, n_resamples) for s in drawn.compared]
    all_enumerated = all(len(some) == len(pairs[0]) for some in which)
    blocks = () if all_enumerated else None
    tallies = tally(
        design, drawn.compared, drawn.draws, about=drawn.statistics, keep=keep, blocks=blocks
    )
    for s, counted, some in zip(drawn.compared, tallies, which, strict=True):
        for pair in some:
            _enumerate(design, s, pairs, counted, pair)
    return dataclasses.replace(drawn, tallies=tallies)


def _enumerated(
    design: Design, statistics: SufficientStatistics, pairs: Pairs, n_resamples: int
) -> npt.NDArray[np.intp]:
    """Which pairs to enumerate: all, or those with fewer arrangements than resamples.

    Enumerating wherever 2**(k-1) <= R + 1 also keeps every p-value at or above the smallest
    that exists for k differing units, 2/2**k: elsewhere 1/(R+1) is larger than that.  A rule
    that does not count ties leaves out the observed arrangement itself, so it is only ever
    sampled.
    """
    differing = differing_units(statistics, pairs)
    most = int(differing.max(initial=0))
    if design.exact and most > LARGEST_EXACT:
        raise InputError(
            f"exact=True: the systems differ in {most} {statistics.unit}, which makes "
            f"2**{most} arrangements; at most {LARGEST_EXACT} {statistics.unit} can be "
            "enumerated. Leave exact out to sample."
        )
    if design.exact:
        return np.arange(len(differing))
    few = differing <= np.log2(n_resamples + 1) + 1
    return np.flatnonzero(few & (differing <= LARGEST_EXACT + 1))


def _enumerate(
    design: Design, statistics: SufficientStatistics, pairs: Pairs, counted: Tally, pair: np.intp
) -> None:
    """Put all arrangements of a pair in the place of its resamples."""
    null = all_arrangements(statistics, pairs[0][pair], pairs[1][pair])
    observed = counted.observed
    (tail,) = design.procedure.tails(design.alternative)
    reaches = partial(design.counting.reaches, scale=observed.scale[pair])
    extreme = design.procedure.extreme(null, observed.statistic[pair], tail, reaches)
    counted.tail_counts[:, pair] = np.count_nonzero(extreme)
    counted.n_resamples[pair], counted.exact[pair] = null.size, True
    if counted.spread is not None:
        counted.spread[pair] = np.sqrt(np.square(null).mean())
    if counted.pseudo is not None:
        counted.pseudo[pair] = null


def _further(done: Run, m: int, which: npt.NDArray[np.intp], n_resamples: int) -> Tally:
    """The tally of metric `m` with the pairs `which` counted over `n_resamples` in all.

    Only the systems of those pairs are resampled.  A procedure that centres counts anew, since
    every further resample moves what it centres on.
    """
    design, anew = done.design, done.design.procedure.centres
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
