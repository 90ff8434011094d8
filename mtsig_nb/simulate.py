"""Campaigns whose truth is known, made from real statistics, and how often tests err on them.

======================  =======================================================================
`exact_nulls`           two systems, their outputs exchanged at random: interchangeable
`equal_systems`         the same true score, but not interchangeable
`centred_pairs`         equal means, the differences as skewed as those of two real systems
`planted_difference`    a true difference of any size, on test sets of any size
`training_runs`         several runs of two methods, with a known spread between runs
`null_pvalues`,         what the tests say of such pairs
`rejection_rates`
======================  =======================================================================

All worlds are :class:`mtsig_nb.SufficientStatistics`, so that every test and metric runs on them.
Pairs are listed as the first members of all, then the second ones.  What every test, interval and
correction does in such worlds without a difference is measured in ``docs/trust.md``.  Imports
significance and what that imports.

In every unit, one of two outputs contributes more to its system's score.  A coin decides which of
two pseudo-systems gets that output, with heads at probability ``(1 + tilt) / 2``.  Fair coins (tilt
0) make the two interchangeable; coins that always show heads (tilt 1) make one of them as good as a
choice between the two outputs can be.  Coins in between can plant any true difference, while the
outputs, and how much they differ from each other, stay real.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor

import numpy as np
import pandas as pd
from scipy.special import ndtri

from .conclusions.deciding import check_level, decide
from .engine.counting import Counting, clopper_pearson
from .engine.options import Design, ResamplingOptions
from .engine.procedures import Alternative
from .engine.resampling import RNG, Pairs, raw_words, seed_from, swap_masks
from .engine.tallies import PseudoDifferences, Tally, run
from .errors import InputError
from .metrics.base import Array, ArrayLike, FloatArray, Indices, Mask, Metric
from .metrics.mean import SegmentMean
from .significance.one_pair import select_pair
from .statistics.sufficient import SufficientStatistics

__all__ = [
    "centred_pairs",
    "equal_systems",
    "exact_nulls",
    "null_pvalues",
    "planted_difference",
    "rejection_rates",
    "training_runs",
]

#: The four published tests, in the order in which tables show them.
TESTS = ("riezler-maxwell-bootstrap", "bootstrap", "paired-bootstrap", "approximate-randomization")

#: How many numbers of simulated statistics are worked on at once: 32 MB, and a few copies of them.
HELD = 4_000_000


def exact_nulls(
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str,
    *,
    n_pairs: int = 400,
    rng: RNG = None,
) -> SufficientStatistics:
    """Pairs of pseudo-systems that are interchangeable by construction.

    For every pair and every segment a coin decides which of the two pseudo-systems gets the output
    of which real system.  The null hypothesis of approximate randomization holds exactly, and the
    differences between segments are as large as in reality.

    Parameters
    ----------
    statistics : SufficientStatistics
    system_a, system_b : str
        The real systems; the more they differ, the more the pseudo-systems scatter.
    n_pairs : int
    rng : None, int or Generator

    Returns
    -------
    SufficientStatistics
        Of ``2 * n_pairs`` systems: the first members of all pairs, ``"heads 1"`` and so on, then
        the second ones, ``"tails 1"`` and so on.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> nulls = mt.simulate.exact_nulls(bleu, "onlineC", "onlineD", n_pairs=2, rng=1)
    >>> nulls.systems
    ('heads 1', 'heads 2', 'tails 1', 'tails 2')
    """
    check_simulable(statistics, n_pairs=n_pairs)
    a, b = statistics.select([system_a, system_b]).values
    coins = swap_masks(n_pairs, statistics.n_segments, seed=seed_from(rng)).astype(bool)
    what = f"exact nulls of {system_a} and {system_b}"
    return by_coins(statistics, coins, a, b, what=what, documents=statistics.documents)


def equal_systems(
    statistics: SufficientStatistics,
    system: str,
    worse: str,
    better: str,
    *,
    n_segments: int | None = None,
    n_pairs: int = 400,
    rng: RNG = None,
) -> SufficientStatistics:
    """Pairs with the same true score that are *not* interchangeable.

    One member is `system`; the other is a patchwork of `worse` and `better`, mixed so that it has
    the score of `system`.  The given test set is treated as the whole population, and every pair
    gets its own test set, drawn from it with replacement.  On an endless test set the scores are
    equal, which is the null hypothesis of bootstrap tests; on finite ones, a score that is not a
    mean may differ on average.  The outputs differ in length, style and spread, which is more than
    approximate randomization's null hypothesis allows.

    Parameters
    ----------
    statistics : SufficientStatistics
    system : str
    worse, better : str
        Systems between whose scores that of `system` lies.
    n_segments : int, optional
        Size of the test sets; by default that of the given one.
    n_pairs : int
    rng : None, int or Generator

    Returns
    -------
    SufficientStatistics
        Of ``2 * n_pairs`` systems, ``"system 1"`` and so on, then ``"patchwork 1"`` and so on;
        without documents.

    Raises
    ------
    InputError
        If the score of `system` does not lie between those of the other two.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> equal = mt.simulate.equal_systems(bleu, "UPC", "onlineA", "onlineB", n_pairs=2, rng=1)
    >>> equal.systems
    ('system 1', 'system 2', 'patchwork 1', 'patchwork 2')
    """
    check_simulable(statistics, n_pairs=n_pairs)
    system_values, worse_values, better_values = statistics.select([system, worse, better]).values
    metric = statistics.metric
    low = worse_values.sum(axis=0)
    high = better_values.sum(axis=0)
    wanted = _upwards(metric, system_values.sum(axis=0))
    least = _upwards(metric, low)
    most = _upwards(metric, high)
    if not least <= wanted <= most or least == most:
        raise InputError(
            f"system={system!r} must score between worse={worse!r} and better={better!r}."
        )
    share = solved(lambda q: _upwards(metric, (1 - q) * low + q * high), wanted)
    seed = seed_from(rng)
    n = n_segments or statistics.n_segments
    drawn = drawn_units(n_pairs, n, np.ones(statistics.n_segments), seed=seed)
    from_better = uniforms(drawn.shape, seed=seed, key=(1,)) < share
    patchwork = np.where(from_better[..., None], better_values[drawn], worse_values[drawn])
    what = f"{system} beside as good a patchwork of {worse} and {better}"
    names = ("system", "patchwork")
    return as_pairs(statistics, system_values[drawn], patchwork, names, what=what)


def centred_pairs(
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str,
    *,
    n_units: int | None = None,
    units: str | ArrayLike = "segments",
    n_pairs: int = 400,
    rng: RNG = None,
) -> SufficientStatistics:
    """Two real systems, moved so that their means agree: differences as skewed as they really are.

    The given test set is treated as the whole population.  Every score of a system is moved by the
    same amount, so that both systems have the mean halfway between theirs; then every pair gets its
    own test set, drawn with replacement.  The expected difference is zero, which is what the t test
    and the bootstrap test.  If the differences are skewed, the outputs are not exchangeable, and
    approximate randomization assumes that they are.

    Parameters
    ----------
    statistics : SufficientStatistics
        The metric has to be a mean of segment scores: only then can a difference be subtracted in
        every segment.
    system_a, system_b : str
    n_units : int, optional
        Size of the test sets; by default that of the given one.
    units : {"segments", "documents"} or array_like of shape (segments,)
        What is drawn, and what the units of the result are.
    n_pairs : int
    rng : None, int or Generator

    Returns
    -------
    SufficientStatistics
        Of ``2 * n_pairs`` systems: ``"first 1"`` and so on, which are `system_a`, then
        ``"second 1"`` and so on.

    Raises
    ------
    InputError
        If the metric is not a mean of segment scores.

    Examples
    --------
    People's scores of two human translations, the one with few and large errors:

    >>> import mtsig_nb as mt
    >>> mqm = mt.load("wmt21/en-de").human.as_statistics()
    >>> pairs = mt.simulate.centred_pairs(mqm, "ref-A", "ref-C", n_units=50, n_pairs=200, rng=1)
    >>> mt.simulate.rejection_rates(pairs, ["ar"], n_resamples=200, rng=2)["low"].item() > 0.05
    True
    """
    check_simulable(statistics, n_pairs=n_pairs, n_units=n_units)
    if not isinstance(statistics.metric, SegmentMean):
        raise InputError(
            "centred_pairs needs a metric that is a mean of segment scores, such as MQM or COMET; "
            f"{statistics.label} is not. Use equal_systems, which mixes outputs instead."
        )
    pair = select_pair(statistics, system_a, system_b).by_unit(units)
    means = pair.metric.score(pair.totals())
    a, b = moved(pair.values, means.mean() - means)
    n = pair.n_segments if n_units is None else n_units
    drawn = drawn_units(n_pairs, n, np.ones(pair.n_segments), seed=seed_from(rng))
    what = f"{system_a} and {system_b}, their means made equal"
    return as_pairs(pair, a[drawn], b[drawn], ("first", "second"), what=what)


def planted_difference(
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str,
    *,
    difference: float,
    n_units: int | None = None,
    units: str | ArrayLike = "segments",
    n_pairs: int = 400,
    rng: RNG = None,
) -> SufficientStatistics:
    """Pairs with a chosen true difference, each on its own test set.

    The given test set is the population.  Every pair draws its units from it with replacement; in
    each of them a biased coin decides which of the two gets the better of the two real outputs.
    The bias is solved for so that the difference in the population is the one wanted, whatever the
    real systems' difference is.

    A unit's two outputs stay those of the real systems.  With biased coins alone, the differences
    of units would vary less the larger the planted difference is, and tests that look for a
    difference in all units would seem more powerful than they are (.95 instead of .91, with 60
    units).  So units in which the outputs differ more are drawn somewhat more often, just enough
    for the differences to have the variance of the real ones.

    Parameters
    ----------
    statistics : SufficientStatistics
    system_a, system_b : str
        Whose outputs the pairs are made of.
    difference : float
        How much better the first of each pair is, in the metric's units; 0 for no difference,
        negative to make it worse.
    n_units : int, optional
        Size of the test sets; by default that of the given one.
    units : {"segments", "documents"} or array_like of shape (segments,)
        What is drawn, and given to one or the other, as a whole.
    n_pairs : int
    rng : None, int or Generator

    Returns
    -------
    SufficientStatistics
        Of ``2 * n_pairs`` systems: ``"heads 1"`` and so on, then ``"tails 1"`` and so on.

    Raises
    ------
    InputError
        If the difference is larger than the better outputs of all units can make it.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> pairs = mt.simulate.planted_difference(
    ...     bleu, "onlineC", "onlineD", difference=0.5, n_units=1000, n_pairs=2, rng=1)
    >>> pairs.n_segments, pairs.systems[::2]
    (1000, ('heads 1', 'tails 1'))
    """
    check_simulable(statistics, n_pairs=n_pairs, n_units=n_units)
    outputs = Outputs(select_pair(statistics, system_a, system_b).by_unit(units))
    if abs(difference) > outputs.largest:
        raise InputError(
            f"difference={difference:g} is more than can be planted with the outputs of these "
            f"systems: at most {outputs.largest:.3g}. Take systems that differ more."
        )
    weights = outputs.weights_for(difference)

    def planted(tilt: float) -> float:
        return outputs.score(tilt, weights) - outputs.score(-tilt, weights)

    tilt = solved(planted, abs(difference))
    heads_probability = (1 + math.copysign(tilt, difference)) / 2
    seed = seed_from(rng)
    n = outputs.pair.n_segments if n_units is None else n_units
    drawn = drawn_units(n_pairs, n, weights, seed=seed)
    heads = uniforms(drawn.shape, seed=seed, key=(1,)) < heads_probability
    what = f"true difference {difference:g} from {system_a} and {system_b}"
    return by_coins(outputs.pair, heads, outputs.better[drawn], outputs.worse[drawn], what=what)


def training_runs(
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str,
    *,
    spread: float,
    n_runs: int = 3,
    difference: float = 0.0,
    correlation: float = 0.0,
    rng: RNG = None,
) -> SufficientStatistics:
    """Runs of two methods whose true scores scatter from run to run.

    Every run takes its outputs from two real systems: where both outputs differ, a biased coin
    decides whether the run has the better or the worse one.  The bias is the run's quality.  It is
    solved for so that the runs' true scores are normally distributed with standard deviation
    `spread`, around means that are `difference` apart.

    Real runs of one method resemble each other segment by segment: what one run translates badly,
    the others mostly do as well.  `correlation` sets how much; without it, every run is fresh
    evidence, which favours tests that treat it as such.

    Parameters
    ----------
    statistics : SufficientStatistics
    system_a, system_b : str
        Whose outputs the runs are made of.
    spread : float
        Standard deviation of the runs' true scores, in the metric's units.  Chosen, or estimated
        from real runs by ``s_opt`` of :func:`mtsig_nb.compare_runs`.  The scores measured on the
        test set scatter a little more, since runs of the same quality differ in their outputs.
    n_runs : int
        Of each method.
    difference : float
        How much better method A is, on average over all its runs.
    correlation : float
        Between the coins of two equally good runs of one method in one segment, 0 to 1: some
        follow a coin that all runs of the method share there, the others have coins of their own.
        With 1 and no spread all runs of a method are copies of one.
    rng : None, int or Generator

    Returns
    -------
    SufficientStatistics
        Of ``2 * n_runs`` systems on the given test set: ``"A.run1"`` and so on, then ``"B.run1"``.

    Raises
    ------
    InputError
        If the spread is negative, the correlation not between 0 and 1, there is no run, or a run's
        score is out of reach.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> runs = mt.simulate.training_runs(bleu, "onlineC", "onlineD", spread=0.3, n_runs=2, rng=1)
    >>> runs.systems
    ('A.run1', 'A.run2', 'B.run1', 'B.run2')
    """
    check_simulable(statistics, n_runs=n_runs)
    if spread < 0:
        raise InputError(f"spread={spread!r} is a standard deviation and cannot be negative.")
    if not 0 <= correlation <= 1:
        raise InputError(f"correlation={correlation!r} must lie between 0 and 1.")
    outputs = Outputs(select_pair(statistics, system_a, system_b))
    seed = seed_from(rng)
    # How far each run's true score is from the middle of the two systems, (methods, runs).
    luck_of_runs = spread * ndtri(uniforms((2, n_runs), seed=seed, key=(0,)))
    shifts = luck_of_runs + np.array([[difference / 2], [-difference / 2]])
    tilts = np.array([_tilt_of_run(outputs, shift) for shift in shifts.ravel()])
    n_segments = statistics.n_segments
    shape = (2, n_runs, n_segments)
    own_coins = uniforms(shape, seed=seed, key=(1,))
    shared_coins = uniforms((2, 1, n_segments), seed=seed, key=(2,))
    is_shared = uniforms(shape, seed=seed, key=(3,)) < np.sqrt(correlation)
    coins = np.where(is_shared, shared_coins, own_coins).reshape(2 * n_runs, n_segments)
    heads = coins < (1 + tilts[:, None]) / 2
    names = [f"{method}.run{i}" for method in "AB" for i in range(1, n_runs + 1)]
    return dataclasses.replace(
        statistics,
        systems=tuple(names),
        values=np.where(heads[..., None], outputs.better, outputs.worse),
        test_set=f"runs made of {system_a} and {system_b}",
    )


def _tilt_of_run(outputs: Outputs, shift: float) -> float:
    """The tilt of a run whose true score is `shift` above the middle of the two systems."""
    middle = outputs.score(0.0)
    lowest = outputs.score(-1.0) - middle
    highest = outputs.score(1.0) - middle
    if not lowest <= shift <= highest:
        raise InputError(
            f"spread or difference is too large: a run would have to be {shift:+.3g} from the "
            f"middle, and outputs reach from {lowest:+.3g} to {highest:+.3g}."
        )
    return solved(outputs.score, middle + shift, low=-1.0)


class Outputs:
    """The outputs of two systems, sorted unit by unit into the better and the worse one.

    Attributes
    ----------
    pair : SufficientStatistics
        Of two systems.
    contributions : ndarray of shape (units,)
        How much each unit adds to the difference, the first system's minus the second's: halfway
        between the two systems, its two outputs are exchanged.  To first order the difference of
        two pseudo-systems is the sum of these numbers, each with the sign of its unit's coin; for
        a mean of segment scores it is so exactly.
    better, worse : ndarray of shape (units, counts)
        Statistics of the better and of the other output of each unit.
    """

    def __init__(self, pair: SufficientStatistics) -> None:
        self.pair = pair
        a, b = pair.values
        middle = (a.sum(axis=0) + b.sum(axis=0)) / 2
        half = (a - b) / 2
        score = pair.metric.score
        self.contributions = pair.metric.direction * (score(middle + half) - score(middle - half))
        first_is_better = self.contributions[:, None] >= 0
        self.better = np.where(first_is_better, a, b)
        self.worse = np.where(first_is_better, b, a)

    def score(self, tilt: float, weights: FloatArray | None = None) -> float:
        """Score that a pseudo-system of coins with that `tilt` has, turned so that up is better.

        It is the score of the expected sums: that of an endless test set of such units, drawn in
        proportion to `weights`.
        """
        if weights is None:
            weights = np.ones(self.pair.n_segments)
        from_better = (1 + tilt) / 2 * (weights @ self.better)
        from_worse = (1 - tilt) / 2 * (weights @ self.worse)
        return _upwards(self.pair.metric, from_better + from_worse)

    @property
    def largest(self) -> float:
        """The largest difference that can be planted: all better outputs against all worse ones."""
        return self.score(1.0) - self.score(-1.0)

    def weights_for(self, difference: float) -> FloatArray:
        """Weights with mean 1 that keep the spread of the real differences, shape (units,).

        A unit contributes its size u with the sign of its coin, so its variance is the mean of u^2
        less the square of the planted difference: the more is planted, the less is left.  Weights
        that rise with u^2 make up for that.  Of all that do, these differ least from 1, in squares.
        They cannot where all sizes are the same, and stop short of negative ones.
        """
        squares = self.contributions**2
        mean = squares.mean()
        n_units = len(squares)
        if squares.std() <= 1e-12 * mean:
            return np.ones(n_units)
        lacking_variance = (difference**2 - self.contributions.sum() ** 2) / n_units**2
        lowest_slope = -1 / (squares.max() / mean - 1)  # below, some weight is negative
        slope = np.clip(lacking_variance * mean / squares.var(), lowest_slope, 1)
        return 1 + slope * (squares / mean - 1)


def uniforms(shape: tuple[int, ...], *, seed: int, key: Sequence[int]) -> FloatArray:
    """Uniform numbers in (0, 1) of 53 bits, from raw words, whose stream NumPy keeps.

    >>> bool((0 < uniforms((2, 3), seed=0, key=(1,))).all())
    True
    """
    words = raw_words(seed, key, math.prod(shape)) >> np.uint64(11)
    return ((words.astype(np.float64) + 0.5) / 2.0**53).reshape(shape)


def drawn_units(n_pairs: int, n_units: int, weights: FloatArray, *, seed: int) -> Indices:
    """A test set of its own for each pair: units drawn with replacement, (n_pairs, n_units).

    A unit is drawn in proportion to its weight.
    """
    edges = np.cumsum(weights)
    drawn = uniforms((n_pairs, n_units), seed=seed, key=(0,)) * edges[-1]
    return np.searchsorted(edges[:-1], drawn, side="right")


def moved(values: FloatArray, amounts: FloatArray) -> FloatArray:
    """Weighted scores and weights with every score of a system moved by the system's amount."""
    scores = values[..., 0]
    weights = values[..., 1]
    return np.stack([scores + amounts[:, None] * weights, weights], axis=-1)


def by_coins(
    source: SufficientStatistics,
    heads: Mask,
    a: FloatArray,
    b: FloatArray,
    *,
    what: str,
    documents: Array | None = None,
) -> SufficientStatistics:
    """Pairs whose first members have `a` where a coin shows heads and `b` elsewhere.

    Parameters
    ----------
    source : SufficientStatistics
        Whose metric, and so on, the pairs have.
    heads : array of bool, shape (pairs, units)
    a, b : array, shape (units, counts) or (pairs, units, counts)
    what : str
        What was made, for the name of the test set.
    documents : array, optional
        Of the units.
    """
    first = np.where(heads[..., None], a, b)
    second = np.where(heads[..., None], b, a)
    return as_pairs(source, first, second, ("heads", "tails"), what=what, documents=documents)


def as_pairs(
    source: SufficientStatistics,
    first: FloatArray,
    second: FloatArray,
    names: tuple[str, str],
    *,
    what: str,
    documents: Array | None = None,
) -> SufficientStatistics:
    """Statistics of the first members of all pairs, then of the second ones."""
    numbers = range(1, len(first) + 1)
    where = f"{source.test_set}: " if source.test_set else ""
    has_units_of_source = first.shape[1] == source.n_segments  # others were drawn anew
    return dataclasses.replace(
        source,
        systems=tuple(f"{name} {i}" for name in names for i in numbers),
        values=np.concatenate([first, second]),
        documents=documents,
        strata=None,
        sizes=source.sizes if has_units_of_source else None,
        test_set=f"{where}{what}",
    )


def solved(function: Callable[[float], float], value: float, low: float = 0.0) -> float:
    """Where a rising function takes `value`, between `low` and 1."""
    from scipy.optimize import brentq  # slow to import

    start = function(low) - value
    end = function(1.0) - value
    if start >= 0 or end <= 0:  # an end itself, or beyond it by rounding
        return low if abs(start) <= abs(end) else 1.0
    return float(brentq(lambda x: function(x) - value, low, 1.0, xtol=1e-12))


def _upwards(metric: Metric, sums: FloatArray) -> float:
    """The score of such sums, turned so that up is better."""
    return float(metric.direction * metric.score(sums))


def check_simulable(statistics: SufficientStatistics, **counts: int | None) -> None:
    """Raise `InputError` for counts below 1, and for strata, which new test sets would not keep."""
    for name, count in counts.items():
        if count is not None and count < 1:
            raise InputError(f"{name}={count!r} must be at least 1.")
    if statistics.strata is not None:
        raise InputError(
            "statistics are stratified, and simulated test sets are drawn without strata: give "
            "the statistics as they were before by_stratum()."
        )


def null_pvalues(
    nulls: SufficientStatistics,
    test: str,
    *,
    alternative: Alternative = "two-sided",
    n_resamples: int | None = 1000,
    rng: RNG = None,
    counting: str | Counting = "add-one",
    units: str | ArrayLike = "segments",
    exact: bool | None = False,
    executor: Executor | None = None,
) -> FloatArray:
    """p-values of one test on all pairs that a simulation made, shape (n_pairs,).

    All pairs share their resamples.  This does not change any p-value, and makes four hundred of
    them as quick as a few.

    Parameters
    ----------
    nulls : SufficientStatistics
        Pairs from any function of this package.
    test : str
        Name of a resampling test, as in :func:`mtsig_nb.compare_all`.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"`` asks whether the first of each pair is better.
    n_resamples : int
    rng : None, int or Generator
    counting : str or Counting
    units : {"segments", "documents"} or array_like of shape (segments,)
    exact : bool or None
    executor : concurrent.futures.Executor, optional
        As in :func:`mtsig_nb.approximate_randomization`; nothing is enumerated by default.

    Returns
    -------
    ndarray of float64, shape (n_pairs,)

    Raises
    ------
    InputError
        If the statistics are not simulated pairs, or a name is unknown.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> nulls = mt.simulate.exact_nulls(bleu, "onlineC", "onlineD", n_pairs=3, rng=1)
    >>> mt.simulate.null_pvalues(nulls, "bootstrap", n_resamples=200, rng=2).shape
    (3,)
    """
    options = ResamplingOptions(
        alternative=alternative,
        n_resamples=n_resamples,
        rng=rng,
        counting=counting,
        units=units,
        exact=exact,
        executor=executor,
    )
    (pvalues,) = _pvalues_by_title(nulls, [test], options).values()
    return pvalues


def rejection_rates(
    nulls: SufficientStatistics,
    tests: Sequence[str] = TESTS,
    *,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    n_resamples: int | None = 1000,
    rng: RNG = None,
    counting: str | Counting = "add-one",
    units: str | ArrayLike = "segments",
    exact: bool | None = False,
    executor: Executor | None = None,
) -> pd.DataFrame:
    """How often each test calls the two systems of a simulated pair different.

    Where the pairs do not differ, this is the test's size, which should be alpha; where they do,
    it is the test's power.

    Parameters
    ----------
    nulls : SufficientStatistics
        Pairs from any function of this package.
    tests : sequence of str
    alpha : float
    alternative : {"two-sided", "greater", "less"}
        The procedure printed in 2005 has only the first.
    n_resamples : int
    rng : None, int or Generator
    counting : str or Counting
    units : {"segments", "documents"} or array_like of shape (segments,)
    exact : bool or None
    executor : concurrent.futures.Executor, optional
        As in :func:`mtsig_nb.approximate_randomization`; nothing is enumerated by default.

    Returns
    -------
    DataFrame
        One row per test: rejected, pairs, rate, and its 95 % Clopper-Pearson limits low and high.

    Notes
    -----
    The limits are about the choice of pairs.  All pairs share their resamples, so the rate has a
    common Monte Carlo error as well, of at most about ``sqrt(alpha * (1 - alpha) / n_resamples)``;
    it is far smaller where, as here, the signs of the pairs' differences are independent coins.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> nulls = mt.simulate.exact_nulls(bleu, "onlineC", "onlineD", n_pairs=40, rng=1)
    >>> mt.simulate.rejection_rates(nulls, ["bootstrap"], n_resamples=200, rng=2)["pairs"].item()
    40
    """
    check_level(alpha)
    options = ResamplingOptions(
        alternative=alternative,
        n_resamples=n_resamples,
        rng=rng,
        counting=counting,
        units=units,
        exact=exact,
        executor=executor,
    )
    rejected: dict[str, int] = {}
    for title, pvalues in _pvalues_by_title(nulls, tests, options).items():
        # A difference of zero whose p-value is small counts as a rejection all the same.
        difference = np.ones(len(pvalues))
        rejected[title] = int(decide(difference, pvalues, alpha).sum())
    n_pairs = len(nulls.systems) // 2
    table = pd.DataFrame({"rejected": pd.Series(rejected), "pairs": n_pairs})
    table["rate"] = table["rejected"] / n_pairs
    table["low"], table["high"] = clopper_pearson(table["rejected"], n_pairs)
    return table.rename_axis("test")


def _pvalues_by_title(
    nulls: SufficientStatistics, tests: Sequence[str], options: ResamplingOptions
) -> dict[str, FloatArray]:
    """Each test's p-values of all pairs, by the test's title."""
    parts: dict[str, list[FloatArray]] = {}
    for batch in batches(nulls):
        for title, tally in tallies(batch, tests, options).items():
            parts.setdefault(title, []).append(tally.pvalues)
    return {title: np.concatenate(pvalues) for title, pvalues in parts.items()}


def tallies(
    pairs: SufficientStatistics, tests: Sequence[str], options: ResamplingOptions
) -> dict[str, Tally]:
    """Each test's counts on all pairs, by the test's title; tests of one kind share their draws."""
    halves = _halves(pairs)
    by_title: dict[str, Tally] = {}
    draws_of_kinds: dict[tuple[str, bool, bool], PseudoDifferences] = {}
    for test in tests:
        design = Design(dataclasses.replace(options, test=test), together=True)
        procedure = design.options.procedure
        kind_of_draws = (procedure.kind, procedure.studentized, procedure.linearises)
        done = run(design, [pairs], [halves], draws=draws_of_kinds.get(kind_of_draws))
        draws_of_kinds[kind_of_draws] = done.draws
        (tally,) = done.tallies  # there is one metric
        by_title[procedure.title] = tally
    return by_title


def batches(pairs: SufficientStatistics) -> Iterator[SufficientStatistics]:
    """The pairs, a batch at a time so that memory stays small; all meet the same resamples."""
    first, second = _halves(pairs)
    _, n_segments, n_counts = pairs.values.shape
    n_pairs_at_once = max(1, HELD // (2 * n_segments * n_counts))
    for start in range(0, len(first), n_pairs_at_once):
        batch = slice(start, start + n_pairs_at_once)
        systems = [*first[batch], *second[batch]]
        yield pairs.select([pairs.systems[i] for i in systems])


def _halves(pairs: SufficientStatistics) -> Pairs:
    """Indices of the first and the second members of simulated pairs.

    The names of the two members of a pair end in the same number.
    """
    n_pairs, n_left = divmod(len(pairs.systems), 2)
    numbers = [name.rpartition(" ")[2] for name in pairs.systems]
    if n_left or numbers[:n_pairs] != numbers[n_pairs:]:
        raise InputError("nulls must be pairs of systems made by a function of mt.simulate.")
    return np.arange(n_pairs), n_pairs + np.arange(n_pairs)
