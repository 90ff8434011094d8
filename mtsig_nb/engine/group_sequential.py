"""Looking at data several times while they come in, by the same random signs at all looks.

At look k the statistic of a pair is ``Z_k = S_k / sqrt(Q_k)``: the sum of what units have
contributed to the difference so far, over the root of the sum of its squares.  Random signs leave
Q_k as it is.  A unit keeps its sign at all later looks, so each draw of signs is a whole campaign
in which nothing differs, and all draws together show how the statistics of the looks go together.
Of several pairs the largest Z_k is taken, with the same signs for all: the boundary then holds for
all pairs and all looks together (Westfall & Young 1993).

**The boundary.**  Let N be the number of arrangements of signs, the observed one among them, and
``alpha(t)`` the error that may be spent after the share t (:mod:`mtsig_nb.engine.spending`).  At
look k the boundary c_k is the smallest value that leaves no more than ``alpha(t_k) * N`` of the
arrangements with a statistic that has reached the boundary at this look or at an earlier one.
Under the null hypothesis each arrangement is as likely to be the observed one as any other, so it
crosses by look k in at most ``alpha(t_k)`` of all campaigns: exactly, with any number of draws, of
units and of looks.  What discreteness leaves unspent at one look is there for the next.  Nothing
is used but the data so far.

**The p-value.**  At look k it is the smallest level, in steps of 1 / N, at which the test would
have stopped by now.  (Boundaries move inwards as the level rises, but for a few draws; the level
is found by bisection to either side of alpha, so that p is at most alpha just where the test stops
at alpha.)  With one look at all data it is the p-value of :func:`mtsig_nb.sign_flip_test`, with
the same seed to the last bit.

**Draws do not move.**  Signs are drawn for all planned units at once, and those that have come take
theirs.  What was found at a look is found there again when more data are in.  A look with so few
units that to enumerate all signs is less work is decided by all of them, as elsewhere.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Sequence
from concurrent.futures import Executor

import numpy as np

from ..metrics.base import FloatArray, Indices, Mask
from .counting import equal_but_for_rounding
from .procedures import Alternative
from .resampling import Resampling, map_blocks
from .spending import Spending, spent
from .tallies import LARGEST_EXACT, half_of_all

#: What makes a sum large where it speaks against the null hypothesis.
SIDED = {"two-sided": np.abs, "greater": np.positive, "less": np.negative}


@dataclasses.dataclass(frozen=True, eq=False)
class Look:
    """What the data say up to a look.

    Attributes
    ----------
    share : float
        Of the units planned.
    quanta : ndarray, shape (pairs, units)
        What each unit so far has contributed to each pair, in whole steps of the metric's grid.
    tolerance : float
        Sums of quanta that are closer than this are tied.
    """

    share: float
    quanta: FloatArray
    tolerance: float

    @functools.cached_property
    def root_squares(self) -> FloatArray:
        """The root of each pair's sum of squares, shape (pairs, 1)."""
        return np.sqrt(np.einsum("ij,ij->i", self.quanta, self.quanta))[:, None]

    @functools.cached_property
    def differing(self) -> Indices:
        """The units that have contributed something to some pair."""
        return np.flatnonzero(self.quanta.any(axis=0))

    def statistics(self, sums: FloatArray) -> FloatArray:
        """Sums in their standard errors under random signs; 0 where nothing has a sign."""
        scaled = np.zeros_like(sums)
        return np.divide(sums, self.root_squares, out=scaled, where=self.root_squares > 0)

    @property
    def observed(self) -> FloatArray:
        """The observed statistics, shape (pairs,)."""
        return self.statistics(self.quanta.sum(axis=1, keepdims=True))[:, 0]

    @functools.cached_property
    def tolerance_of_statistics(self) -> float:
        """Statistics that are closer than this are tied."""
        smallest = self.root_squares[self.root_squares > 0].min(initial=np.inf)
        return max(1e-12, float(self.tolerance / smallest))


@dataclasses.dataclass(frozen=True, eq=False)
class _Arrangements:
    """The largest statistic of all pairs in each arrangement of signs, at some of the looks.

    Attributes
    ----------
    looks : range
        The looks that are decided by these arrangements.
    statistics : ndarray, shape (looks up to the last of these, arrangements)
    exact : bool
        Whether they are all that there are.
    """

    looks: range
    statistics: FloatArray
    exact: bool

    @property
    def number(self) -> int:
        """How many arrangements there are, the observed one among them."""
        return self.statistics.shape[1]


@dataclasses.dataclass(frozen=True, eq=False)
class GroupSequential:
    """The joint distribution of the looks so far, and the boundaries that follow from it.

    Attributes
    ----------
    looks : sequence of Look
    alternative : {"two-sided", "greater", "less"}
    spending : callable
        The error-spending function of one side.
    """

    looks: Sequence[Look]
    alternative: Alternative
    spending: Spending
    _arrangements: Sequence[_Arrangements]

    @classmethod
    def of(
        cls,
        looks: Sequence[Look],
        *,
        alternative: Alternative,
        spending: Spending,
        planned: int,
        n_resamples: int,
        seed: int,
        executor: Executor | None = None,
    ) -> GroupSequential:
        """Enumerate the signs of the looks with few units, and draw those of the others."""
        most_differing = min(math.log2(n_resamples + 1) + 1, LARGEST_EXACT + 1)
        n_enumerated = 0
        while n_enumerated < len(looks) and len(looks[n_enumerated].differing) <= most_differing:
            n_enumerated += 1
        arrangements = []
        for k in range(n_enumerated):
            statistics = _enumerated(looks[: k + 1], alternative)
            arrangements.append(_Arrangements(range(k, k + 1), statistics, exact=True))
        if n_enumerated < len(looks):
            coins = Resampling(
                kind="shuffle",
                statistics=(),
                pairs=(np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp)),
                n_resamples=n_resamples,
                n_units=planned,
                seed=seed,
            )
            statistics = _drawn(looks, alternative, coins, executor)
            drawn = range(n_enumerated, len(looks))
            arrangements.append(_Arrangements(drawn, statistics, exact=False))
        return cls(looks, alternative, spending, arrangements)

    @property
    def exact(self) -> Mask:
        """At which looks all signs were enumerated, shape (looks,)."""
        return np.array([found.exact for found in self._arrangements for _ in found.looks])

    @property
    def n_arrangements(self) -> Indices:
        """How many arrangements decide each look, shape (looks,)."""
        return np.array([found.number for found in self._arrangements for _ in found.looks])

    @functools.cached_property
    def observed(self) -> FloatArray:
        """The observed statistics, positive where the first system is better, (looks, pairs)."""
        return np.array([look.observed for look in self.looks])

    def boundary(self, alpha: float) -> FloatArray:
        """The boundary at each look, shape (looks,); infinite where nothing may be spent yet."""
        boundary: list[float] = []
        n_sides = 2 if self.alternative == "two-sided" else 1
        for found in self._arrangements:
            # The level in steps of these arrangements, as their p-values are.
            level = _steps(alpha, found.number) / found.number
            before = found.looks.start
            limits = np.array(boundary)[:, None]
            has_crossed = (found.statistics[:before] >= limits).any(axis=0)
            for k in found.looks:
                may_be_spent = spent(self.looks[k].share, level, self.spending, n_sides)
                n_allowed = _steps(may_be_spent, found.number) - int(has_crossed.sum())
                statistics = found.statistics[k]
                limit = _smallest_reached_by(statistics[~has_crossed], n_allowed)
                has_crossed |= statistics >= limit
                boundary.append(limit)
        return np.array(boundary)

    def pvalues(self, alpha: float) -> FloatArray:
        """The p-values of all pairs at each look, adjusted for looks and pairs, (looks, pairs).

        At most `alpha` just where the test stops at `alpha`.
        """
        boundary = functools.cache(self.boundary)
        n_pairs = len(self.observed[0])
        pvalues = np.ones((len(self.looks), n_pairs))
        for pair in range(n_pairs):
            steps = 0
            number_before = 0
            for k, number in enumerate(self.n_arrangements.tolist()):
                highest = steps if number == number_before else number
                at_alpha = _steps(alpha, number)
                has_crossed = functools.partial(self._has_crossed, boundary, pair, k, number)
                steps = _smallest_level(has_crossed, highest, at_alpha)
                pvalues[k, pair] = steps / number
                number_before = number
        return np.minimum.accumulate(pvalues, axis=0)

    def _has_crossed(
        self,
        boundary: Callable[[float], FloatArray],
        pair: int,
        look: int,
        number: int,
        steps: int,
    ) -> bool:
        """Whether a pair has crossed by a look at a level of so many steps of 1 / `number`."""
        limits = boundary(steps / number)
        return bool(self._has_reached(limits)[: look + 1, pair].any())

    def _has_reached(self, boundary: FloatArray) -> Mask:
        """Which pairs have reached a boundary, and at which looks, shape (looks, pairs)."""
        tolerances = np.array([look.tolerance_of_statistics for look in self.looks])
        sided = SIDED[self.alternative](self.observed)
        reached: Mask = sided + tolerances[:, None] >= boundary[:, None]
        return reached


def _steps(share: float, number: int) -> int:
    """How many of a number of arrangements are no more than a share of them."""
    return math.floor(share * number * (1 + 1e-12))


def _smallest_level(has_crossed: Callable[[int], bool], highest: int, at_alpha: int) -> int:
    """The smallest level at which a pair has crossed, in steps, by bisection.

    Parameters
    ----------
    has_crossed : callable
        Whether it has at a level.
    highest : int
        The largest level that it may be.
    at_alpha : int
        The level of the test.  The one found lies on the same side of it as what is found at it.
    """
    low = 0  # it has not crossed at this level
    high = highest
    if 0 < at_alpha < high:
        if has_crossed(at_alpha):
            high = at_alpha
        else:
            low = at_alpha
    if high - low > 1 and not has_crossed(high - 1):
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if has_crossed(middle):
            high = middle
        else:
            low = middle
    return high


def _smallest_reached_by(values: FloatArray, n: int) -> float:
    """The smallest of some values that no more than `n` of them reach; infinite if there is none.

    >>> _smallest_reached_by(np.array([1.0, 3.0, 2.0, 2.0]), 2)
    3.0
    """
    if n <= 0:
        return math.inf
    if n >= len(values):
        return float(values.min(initial=math.inf))
    place = len(values) - n
    ordered = np.partition(values, [place - 1, place])
    largest_left_out = ordered[place - 1]
    return float(values[values > largest_left_out].min(initial=math.inf))


def _largest(look: Look, sums: FloatArray, alternative: Alternative) -> FloatArray:
    """The largest statistic of all pairs in each arrangement, shape (arrangements,).

    `sums` are those of the signed quanta, shape (pairs, arrangements).
    """
    largest: FloatArray = SIDED[alternative](look.statistics(sums)).max(axis=0)
    return largest


def _enumerated(looks: Sequence[Look], alternative: Alternative) -> FloatArray:
    """The largest statistics in all arrangements of the units of the last look.

    Shape (looks, arrangements).
    """
    differing = looks[-1].differing
    parts = []
    for exchanged in half_of_all(len(differing)):
        half = 1 - 2 * exchanged
        parts += [half, -half] if len(differing) else [half]
    signs = np.concatenate(parts)
    statistics = []
    for look in looks:
        is_there = differing < look.quanta.shape[1]
        sums = look.quanta[:, differing[is_there]] @ signs[:, is_there].T
        largest = _largest(look, sums, alternative)
        statistics.append(equal_but_for_rounding(largest, look.tolerance_of_statistics))
    return np.array(statistics)


def _drawn(
    looks: Sequence[Look], alternative: Alternative, coins: Resampling, executor: Executor | None
) -> FloatArray:
    """The largest statistics of drawn arrangements, and first of the observed one.

    Shape (looks, arrangements).
    """
    of_observed = []
    for look in looks:
        sums = look.quanta.sum(axis=1, keepdims=True)
        of_observed.append(_largest(look, sums, alternative))
    work = functools.partial(_of_block, looks, alternative)
    # `map_blocks` has the work on a block called with the plan and the block's number.
    blocks = map_blocks(coins, work, executor, "sign flips of all looks")
    statistics = np.concatenate([np.array(of_observed), *blocks], axis=1)
    for k, look in enumerate(looks):
        statistics[k] = equal_but_for_rounding(statistics[k], look.tolerance_of_statistics)
    return statistics


def _of_block(
    looks: Sequence[Look], alternative: Alternative, coins: Resampling, block: int
) -> FloatArray:
    """The largest statistics of a block of signs, shape (looks, resamples)."""
    added = _added(looks)
    parts = []
    for masks in coins.weights_in_parts(block):
        sums = np.zeros((len(looks[0].quanta), len(masks)))
        of_looks = []
        for look, (units, quanta) in zip(looks, added, strict=True):
            kept = quanta @ masks[:, units].T.astype(np.float64)
            sums += 2 * kept - quanta.sum(axis=1, keepdims=True)
            of_looks.append(_largest(look, sums, alternative))
        parts.append(np.array(of_looks))
    return np.concatenate(parts, axis=1)


def _added(looks: Sequence[Look]) -> list[tuple[Indices, FloatArray]]:
    """What each look has more than the one before: the units, and their quanta (pairs, units)."""
    added = []
    before = np.zeros((len(looks[0].quanta), 0))
    for look in looks:
        more = look.quanta.copy()
        more[:, : before.shape[1]] -= before
        units = np.flatnonzero(more.any(axis=0))
        added.append((units, more[:, units]))
        before = look.quanta
    return added
