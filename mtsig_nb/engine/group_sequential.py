"""Looking at data several times while they come in, by the same random signs at all looks.

At look k the statistic of a pair is ``Z_k = S_k / sqrt(Q_k)``: the sum of what units have
contributed to the difference so far, over the root of the sum of its squares.  Random signs leave
Q_k as it is.  A unit keeps its sign at all later looks, so each draw of signs is a whole campaign
in which nothing differs, and all draws together show how the statistics of the looks depend on each
other.  With several pairs the largest Z_k is used, with the same signs for all pairs: the boundary
then holds for all pairs and all looks together (Westfall & Young 1993).

**The boundary.**  Let N be the number of arrangements of signs, the observed one among them, and
``alpha(t)`` the error that may be spent after the share t (:mod:`mtsig_nb.engine.spending`).  At
look k the boundary c_k is the smallest value that leaves no more than ``alpha(t_k) * N`` of the
arrangements with a statistic that has reached the boundary at this look or at an earlier one.
Under the null hypothesis each arrangement is as likely to be the observed one as any other, so it
crosses by look k in at most ``alpha(t_k)`` of all campaigns: exactly, with any number of draws, of
units and of looks.  Error that discreteness leaves unspent at one look is available at the next.
Only the data so far are used.

**The p-value.**  At look k it is the smallest level, in steps of 1 / N, at which the test would
have stopped by now.  (Boundaries move inwards as the level rises, but for a few draws; the level
is found by bisection to either side of alpha, so that p is at most alpha just where the test stops
at alpha.)  With one look at all data it is the p-value of :func:`mtsig_nb.sign_flip_test`, with
the same seed to the last bit.

**Draws do not move.**  Signs are drawn for all planned units at once, and each unit that has come
takes its own.  So a look gives the same answer again when more data have come.  If a look has so
few units that enumerating all signs is less work, all of them decide it, as elsewhere.

**How many draws.**  At a look a pair is *open* if another draw of signs could change its answer.
Let m be the number of arrangements that have crossed before, or have at this look a statistic as
large as the pair's.  The pair crosses if m is at most ``alpha(t_k) * N``, and it is open if the
Monte Carlo limits of m / N are on both sides of ``alpha(t_k)``.  Those of the m that have crossed
before vary little from draw to draw, because the boundary moves so that they are as many as may be.
In simulated campaigns with 2 to 50 looks, m varies like a binomial count (Clopper & Pearson 1934)
of which three quarters of these are left out, or less.  From the first look with an open pair on,
more signs are drawn, of which the first are those that were drawn before.  The number of signs that
decide a look depends only on the data up to it, so it, too, stays the same when more data have
come.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor

import numpy as np

from ..metrics.base import FloatArray, Indices, Mask
from .counting import clopper_pearson, equal_but_for_rounding
from .procedures import Alternative
from .resampling import MOST_RESAMPLES, Resampling, map_blocks
from .spending import Spending, spent
from .tallies import LARGEST_EXACT, half_of_all, mirrored

#: The confidence level of the Monte Carlo limits by which a pair is open, at each look.
MONTE_CARLO_LEVEL = 0.99
#: Of the arrangements that crossed before, the share that adds nothing to the Monte Carlo error.
SETTLED = 0.75
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

    @functools.cached_property
    def order(self) -> Indices:
        """The arrangements at each look, the largest statistic first, shape (looks, number)."""
        return np.argsort(-self.statistics, axis=1, kind="stable")

    def limit(self, look: int, has_crossed: Mask, n_allowed: int) -> float:
        """The smallest statistic that no more than `n_allowed` arrangements reach at a look.

        Those that have crossed before do not count.  Infinite where there is no such statistic.
        """
        if n_allowed <= 0:
            return math.inf
        # One more than is allowed must be among them: it is the largest that is left out.
        n_looked_at = int(has_crossed.sum()) + n_allowed + 1
        first = self.order[look, :n_looked_at]
        values = self.statistics[look, first[~has_crossed[first]]]
        if len(values) > n_allowed:
            largest_left_out = values[n_allowed]
            values = values[values > largest_left_out]
        return float(values.min(initial=math.inf))


@dataclasses.dataclass(frozen=True, eq=False)
class _LookAtLevel:
    """What a test at some level does at a look.

    Attributes
    ----------
    look : int
    found : _Arrangements
        The arrangements that decide it.
    has_crossed : ndarray of bool, shape (arrangements,)
        Which of them have crossed at a look before.
    n_may_cross : int
        How many of them may have crossed by this look.
    limit : float
        The boundary.
    """

    look: int
    found: _Arrangements
    has_crossed: Mask
    n_may_cross: int
    limit: float


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
        n_resamples: Sequence[int],
        alpha: float,
        seed: int,
        executor: Executor | None = None,
    ) -> GroupSequential:
        """Enumerate the signs of the looks with few units, and draw those of the others.

        Parameters
        ----------
        looks, alternative, spending
            As of the class.
        planned : int
            For so many units signs are drawn.
        n_resamples : sequence of int
            How many are drawn, rising; whole blocks but for the last.  Each number is taken from
            the first look on that the one before it leaves open at `alpha`.
        alpha, seed, executor
            As of :func:`mtsig_nb.sequential_test`.
        """
        # Half of all arrangements, which the other half mirrors, are then no more than are drawn,
        # with the observed one among them.
        most_differing = min(math.log2(n_resamples[0] + 1) + 1, LARGEST_EXACT + 1)
        n_enumerated = 0
        while n_enumerated < len(looks) and len(looks[n_enumerated].differing) <= most_differing:
            n_enumerated += 1
        arrangements = []
        for k in range(n_enumerated):
            statistics = _enumerated(looks[: k + 1], alternative)
            arrangements.append(_Arrangements(range(k, k + 1), statistics, exact=True))
        tested = cls(looks, alternative, spending, arrangements)
        if n_enumerated == len(looks):
            return tested
        # Of this plan only the signs are used, not what a plan does with statistics.
        coins = Resampling(
            kind="shuffle",
            statistics=(),
            pairs=(),
            n_resamples=n_resamples[0],
            n_units=planned,
            seed=seed,
        )
        drawn = _drawn(looks, alternative, coins, executor)
        tested = tested._decided_by(drawn, start=n_enumerated)
        for n_before, n_now in itertools.pairwise(n_resamples):
            is_open = tested.is_open(alpha).any(axis=1)
            if not is_open.any():
                break
            more_coins = dataclasses.replace(coins, n_resamples=n_now, start=n_before)
            more = _drawn(looks, alternative, more_coins, executor)
            drawn = np.concatenate([drawn, more], axis=1)
            tested = tested._decided_by(drawn, start=int(np.argmax(is_open)))
        return tested

    def _decided_by(self, drawn: FloatArray, *, start: int) -> GroupSequential:
        """The same with all looks from number `start` on decided by drawn arrangements.

        `drawn` are the largest statistics as `_drawn` has them, before rounding is evened out.
        """
        arrangements = []
        for found in self._arrangements:
            kept = range(found.looks.start, min(found.looks.stop, start))
            if kept:
                arrangements.append(dataclasses.replace(found, looks=kept))
        statistics = np.empty_like(drawn)
        for k, look in enumerate(self.looks):
            statistics[k] = equal_but_for_rounding(drawn[k], look.tolerance_of_statistics)
        rest = range(start, len(self.looks))
        arrangements.append(_Arrangements(rest, statistics, exact=False))
        return dataclasses.replace(self, _arrangements=arrangements)

    @property
    def exact(self) -> Mask:
        """At which looks all signs were enumerated, shape (looks,)."""
        return np.array([found.exact for found in self._arrangements for _ in found.looks])

    @property
    def n_arrangements(self) -> Indices:
        """How many arrangements decide each look, shape (looks,)."""
        return np.array([found.number for found in self._arrangements for _ in found.looks])

    @property
    def n_resamples(self) -> Indices:
        """How many signs were drawn for each look, or enumerated, shape (looks,)."""
        # Beside those that are drawn stands the observed arrangement.
        return np.where(self.exact, self.n_arrangements, self.n_arrangements - 1)

    @functools.cached_property
    def observed(self) -> FloatArray:
        """The observed statistics, positive where the first system is better, (looks, pairs)."""
        return np.array([look.observed for look in self.looks])

    def boundary(self, alpha: float) -> FloatArray:
        """The boundary at each look, shape (looks,); infinite where nothing may be spent yet."""
        return np.array([at_look.limit for at_look in self._at_level(alpha)])

    def _at_level(self, alpha: float) -> Iterator[_LookAtLevel]:
        """What the test at a level does at each look, one after the other."""
        limits: list[float] = []
        for found in self._arrangements:
            # The level in steps of these arrangements, as their p-values are.
            level = _steps(alpha, found.number) / found.number
            has_crossed = np.zeros(found.number, dtype=bool)
            # Looks that were decided by other arrangements have limits already.
            for statistics, limit in zip(found.statistics, limits, strict=False):
                has_crossed |= statistics >= limit
            for k in found.looks:
                may_be_spent = spent(self.looks[k].share, level, self.spending, self.n_sides)
                n_may_cross = _steps(may_be_spent, found.number)
                n_allowed = n_may_cross - int(has_crossed.sum())
                limit = found.limit(k, has_crossed, n_allowed)
                yield _LookAtLevel(k, found, has_crossed, n_may_cross, limit)
                limits.append(limit)
                has_crossed = has_crossed | (found.statistics[k] >= limit)

    def is_open(self, alpha: float) -> Mask:
        """Of which pairs another draw of signs could turn what is said, (looks, pairs).

        A pair stays open after a look at which it was, until it has surely crossed.  Where less may
        be spent than any number of draws could show, nothing is open.
        """
        tolerances = self._tolerances[:, None]
        at_least = SIDED[self.alternative](self.observed) - tolerances
        is_open = np.zeros(at_least.shape, dtype=bool)
        may_have_crossed = np.zeros(at_least.shape[1], dtype=bool)
        has_surely_crossed = np.zeros(at_least.shape[1], dtype=bool)
        for at_look in self._at_level(alpha):
            found = at_look.found
            may_be_spent = spent(self.looks[at_look.look].share, alpha, self.spending, self.n_sides)
            if found.exact:  # whole arrangements, as the boundary has them
                may_be_spent = at_look.n_may_cross / found.number
            low, high = self._limits_of_share(at_look, at_least[at_look.look])
            if may_be_spent >= 1 / MOST_RESAMPLES:
                may_have_crossed = may_have_crossed | (low <= may_be_spent)
                has_surely_crossed = has_surely_crossed | (high <= may_be_spent)
            is_open[at_look.look] = may_have_crossed & ~has_surely_crossed
        return is_open

    def _limits_of_share(
        self, at_look: _LookAtLevel, at_least: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Monte Carlo limits of how often one crosses by a look with what each pair has there.

        `at_least` is what reaches each pair's statistic, shape (pairs,).  Both limits are the share
        itself where all signs were enumerated.
        """
        found = at_look.found
        statistics = found.statistics[at_look.look]
        n_crossed = int(at_look.has_crossed.sum())
        ranked = np.sort(statistics[~at_look.has_crossed])
        counts = n_crossed + len(ranked) - np.searchsorted(ranked, at_least, side="left")
        if found.exact:
            share = counts / found.number
            return share, share
        # The observed arrangement is among those counted, and was not drawn.
        n_drawn = found.number - 1
        n_settled = math.floor(SETTLED * n_crossed)
        n_varying = np.maximum(counts - 1 - n_settled, 0)
        low, high = clopper_pearson(n_varying, n_drawn, MONTE_CARLO_LEVEL)
        return low + n_settled / n_drawn, high + n_settled / n_drawn

    @property
    def n_sides(self) -> int:
        """How many sides the test has."""
        return 2 if self.alternative == "two-sided" else 1

    @functools.cached_property
    def _tolerances(self) -> FloatArray:
        """How close statistics are at each look that are tied, shape (looks,)."""
        return np.array([look.tolerance_of_statistics for look in self.looks])

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
                # The p-value of a look is no larger than that of the look before.
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
        sided = SIDED[self.alternative](self.observed)
        reached: Mask = sided + self._tolerances[:, None] >= boundary[:, None]
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
        parts.append(mirrored(1 - 2 * exchanged, len(differing)))
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
    """The largest statistics of drawn arrangements, shape (looks, arrangements).

    That of the observed arrangement stands before the first that is drawn.
    """
    parts = []
    if coins.start == 0:
        of_observed = []
        for look in looks:
            sums = look.quanta.sum(axis=1, keepdims=True)
            of_observed.append(_largest(look, sums, alternative))
        parts.append(np.array(of_observed))
    work = functools.partial(_of_block, looks, alternative)
    # `map_blocks` has the work on a block called with the plan and the block's number.
    parts += map_blocks(coins, work, executor, "sign flips of all looks")
    return np.concatenate(parts, axis=1)


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
            # What is kept counts with its sign, and the rest with the opposite one.
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
