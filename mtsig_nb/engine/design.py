"""A design says how pairs are tested; `run` counts.  Every test by resampling goes through it.

A pair that differs in so few units that enumerating all exchanges is less work than sampling is
enumerated: its p-value is exact, and never below the smallest that exists.  A design may have
several *looks*: after each, whoever asked says which pairs need more resamples, and these go on
with the same seed's next ones.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import InputError
from ..statistics.sufficient import SufficientStatistics
from .counting import Counting, counting_rule
from .enumeration import LARGEST_EXACT, all_arrangements, differing_units
from .procedures import Alternative, Procedure, procedure_named
from .resampling import RNG, Resampling, check_n_resamples, seed_from
from .tallies import Advantages, Pairs, Tally, tally

#: That the Monte Carlo limits of a p-value are right at every look, together.
CONFIDENCE = 0.95

#: The one pair of statistics of two systems.
PAIR: Pairs = (np.array([0]), np.array([1]))


@dataclasses.dataclass(frozen=True, eq=False)
class Design:
    """How pairs of systems are tested by resampling; checked when made by `of`.

    Attributes
    ----------
    procedure : Procedure
    alternative : {"two-sided", "greater", "less"}
    counting : Counting
    looks : tuple of int
        Numbers of resamples after which it is seen whether more are needed; the last is the most.
    units : str or array_like of shape (segments,)
    exact : bool or None
        Whether all exchanges are enumerated; None for pairs where that is less work.
    seed : int
    together : bool
        Whether the resamples of all pairs are needed again after the counting.
    """

    procedure: Procedure
    alternative: Alternative
    counting: Counting
    looks: tuple[int, ...]
    units: str | npt.ArrayLike
    exact: bool | None
    seed: int
    together: bool

    @classmethod
    def of(
        cls,
        test: str | Procedure,
        *,
        alternative: Alternative = "two-sided",
        n_resamples: int | tuple[int, ...] = 10_000,
        counting: str | Counting = "add-one",
        units: str | npt.ArrayLike = "segments",
        exact: bool | None = None,
        rng: RNG = None,
        together: bool = False,
    ) -> Design:
        """The design with these options, as in :func:`mtsig_nb.approximate_randomization`.

        Raises
        ------
        InputError
            Naming the option that is not possible.
        """
        procedure, rule = procedure_named(test), counting_rule(counting)
        procedure.tails(alternative)
        looks = n_resamples if isinstance(n_resamples, tuple) else (n_resamples,)
        for n in looks:
            check_n_resamples(n)
        if exact and procedure.kind != "shuffle":
            raise InputError(
                f"exact=True: the {procedure.title} has too many resamples to enumerate; "
                "approximate randomization can be enumerated."
            )
        if exact and rule.comparator == ">":
            raise InputError(
                "counting: exact=True counts all arrangements as extreme as the observed one, "
                "itself among them; use a rule that counts ties, such as 'add-one'."
            )
        return cls(procedure, alternative, rule, looks, units, exact, seed_from(rng), together)

    @property
    def look_level(self) -> float:
        """Confidence level of one look's limits such that all looks' together have `CONFIDENCE`."""
        return 1 - (1 - CONFIDENCE) / len(self.looks)

    def enumerated(
        self, statistics: SufficientStatistics, differing: npt.NDArray[np.int64], n_resamples: int
    ) -> npt.NDArray[np.intp]:
        """Which pairs to enumerate: all, none, or those with fewer arrangements than resamples.

        Enumerating wherever 2**(k-1) <= R + 1 also keeps every p-value at or above the smallest
        that exists for k differing units, 2/2**k: elsewhere 1/(R+1) is larger than that.  A rule
        that does not count ties leaves out the observed arrangement itself, so it is only ever
        sampled.
        """
        most = int(differing.max(initial=0))
        if self.exact and most > LARGEST_EXACT:
            raise InputError(
                f"exact=True: the systems differ in {most} {statistics.unit}, which makes "
                f"2**{most} arrangements; at most {LARGEST_EXACT} {statistics.unit} can be "
                "enumerated. Leave exact out to sample."
            )
        if self.exact:
            return np.arange(len(differing))
        few = differing <= np.log2(n_resamples + 1) + 1
        return np.flatnonzero(few & (differing <= LARGEST_EXACT + 1))

    @property
    def may_enumerate(self) -> bool:
        """Whether pairs that differ in few units are enumerated at all."""
        samples = self.exact is False or self.counting.comparator == ">"
        return self.procedure.kind == "shuffle" and not samples


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
    executor: Executor | None = None,
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
    executor : concurrent.futures.Executor, optional
    keep : bool
        Whether tallies keep the pseudo-differences.
    """
    first, *later = design.looks
    statistics = [s.by_unit(design.units) for s in statistics]
    compared = [design.procedure.compared(s) for s in statistics]
    done = _counted(design, statistics, compared, pairs, first, draws, executor, keep)
    for n_resamples in later:
        which = undecided(done, n_resamples) if undecided is not None else ()
        if not any(len(some) for some in which):
            break
        if design.together:  # all of them, since they are needed together
            done = _counted(design, statistics, compared, pairs, n_resamples, None, executor, keep)
        else:
            tallies = [
                _further(done, m, some, n_resamples, executor) for m, some in enumerate(which)
            ]
            done = dataclasses.replace(done, tallies=tallies)
    return done


def _counted(
    design: Design,
    statistics: Sequence[SufficientStatistics],
    compared: Sequence[SufficientStatistics],
    pairs: Pairs,
    n_resamples: int,
    draws: Advantages | None,
    executor: Executor | None,
    keep: bool,
) -> Run:
    procedure = design.procedure
    if draws is None:
        plan = Resampling.of(
            procedure.kind,
            compared,
            pairs,
            n_resamples=n_resamples,
            seed=design.seed,
            studentized=procedure.studentized,
        )
        draws = Advantages(
            plan,
            executor=executor,
            description=procedure.title,
            keep=procedure.centres or design.together,
        )
    done = Run(design, statistics, compared, pairs, [], draws)
    none = np.empty(0, dtype=np.intp)
    which = [none] * len(statistics)
    if design.may_enumerate:
        which = [design.enumerated(s, differing_units(s, pairs), n_resamples) for s in compared]
    all_enumerated = all(len(some) == len(pairs[0]) for some in which)
    sampled = tally(
        procedure,
        compared,
        draws,
        alternative=design.alternative,
        counting=design.counting,
        confidence_level=design.look_level,
        keep=keep,
        blocks=() if all_enumerated else None,
    )
    tallies = [
        _enumerated(design, s, pairs, t, some, keep)
        for s, t, some in zip(compared, sampled, which, strict=True)
    ]
    if procedure.linearises:  # what is said of the systems is said of their scores themselves
        tallies = [
            dataclasses.replace(t, observed=t.observed.said_of(s, pairs))
            for s, t in zip(statistics, tallies, strict=True)
        ]
    return dataclasses.replace(done, tallies=tallies)


def _enumerated(
    design: Design,
    statistics: SufficientStatistics,
    pairs: Pairs,
    sampled: Tally,
    which: npt.NDArray[np.intp],
    keep: bool,
) -> Tally:
    """`sampled` with the pairs `which` replaced by exact enumeration."""
    if not len(which):
        return sampled
    procedure, observed = design.procedure, sampled.observed
    tail_counts, drawn = sampled.tail_counts.copy(), sampled.n_resamples.copy()
    exact = sampled.exact.copy()
    spread = None if sampled.spread is None else sampled.spread.copy()
    pseudo: list[Any] = [None] * len(exact) if sampled.pseudo is None else list(sampled.pseudo)
    for pair in which:
        null = all_arrangements(statistics, pairs[0][pair], pairs[1][pair])
        extreme = procedure.extreme(
            null[None],
            observed.statistic[[pair], None],
            procedure.tails(design.alternative)[0],
            partial(design.counting.reaches, scale=observed.scale[pair]),
        )
        tail_counts[:, pair], drawn[pair] = np.count_nonzero(extreme), null.size
        exact[pair], pseudo[pair] = True, null
        if spread is not None:
            spread[pair] = np.sqrt(np.square(null).mean())
    return dataclasses.replace(
        sampled,
        tail_counts=tail_counts,
        n_resamples=drawn,
        exact=exact,
        spread=spread,
        pseudo=pseudo if keep else None,
    )


def _further(
    done: Run, m: int, which: npt.NDArray[np.intp], n_resamples: int, executor: Executor | None
) -> Tally:
    """The tally of metric `m` with the pairs `which` counted over `n_resamples` in all.

    Only the systems of those pairs are resampled.  A procedure that centres counts anew, since
    every further resample moves what it centres on.
    """
    design, procedure = done.design, done.design.procedure
    statistics, pairs, so_far = done.compared[m], done.pairs, done.tallies[m]
    tail_counts, drawn = so_far.tail_counts.copy(), so_far.n_resamples.copy()
    degenerate = so_far.degenerate.copy()
    which = which[~so_far.exact[which]]
    for known in np.unique(drawn[which]):
        these = which[drawn[which] == known]
        first, second = pairs[0][these], pairs[1][these]
        involved, renumbered = np.unique([first, second], return_inverse=True)
        a, b = renumbered.reshape(2, -1)
        some = statistics.select([statistics.systems[i] for i in involved])
        start = 0 if procedure.centres else int(known)
        plan = Resampling.of(
            procedure.kind,
            [some],
            (a, b),
            n_resamples=n_resamples,
            seed=design.seed,
            start=start,
            studentized=procedure.studentized,
        )
        draws = Advantages(
            plan, executor=executor, description=procedure.title, keep=procedure.centres
        )
        (more,) = tally(
            procedure, [some], draws, alternative=design.alternative, counting=design.counting
        )
        kept = 0 if procedure.centres else tail_counts[:, these]
        tail_counts[:, these] = kept + more.tail_counts
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


__all__ = ["CONFIDENCE", "PAIR", "Design", "Run", "run"]
