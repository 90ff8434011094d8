"""Resamples as weights, and every pseudo-statistic from one matrix product.

A resample of a test set is a vector of weights, one per unit (segment or document): how often a
bootstrap drew the unit, or 0/1 for whether approximate randomization kept it in place.  Because a
metric is a function of *sums* of statistics, the sums of all resamples are one product

    weights (resamples x units)  @  statistics (units x systems*counts)

and scoring them is one vectorised call.  For all pairs under approximate randomization the product
is taken once per system, not once per pair.  Let W be the mask, A and B the statistics of a pair,
T_B the sum of B.  Keeping A where the mask is 1 and taking B where it is 0 gives the pseudo-system

    W A + (1 - W) B  =  T_B + (W A - W B),

and its mirror is T_A - (W A - W B).  Only the difference matters, so the first system of all can
be subtracted from every system before: its own columns need no product, nor do columns that all
systems share.  Where the score is a straight line in the sums, as a mean of equal weights is, a
pair's difference is that of two lines, one for each system, and nothing is scored for pairs at all.

Three decisions make a result the same on every machine, to the last bit:

* statistics are whole multiples of the metric's ``quantum``, so their sums are exact in any order
  (float32 while they stay below 2**24 quanta, float64 otherwise);
* weights come from a bit generator's raw words, a stream that NumPy keeps across versions, unlike
  that of ``Generator`` methods;
* resamples are drawn in blocks of `BLOCK`, block k from the k-th child of one ``SeedSequence``.
  Any worker draws the same numbers for a block, in whatever order blocks are computed.

A block's weights are drawn and multiplied in parts of a few resamples (`ENTRIES_AT_ONCE`), so that
a plan takes little more memory than its statistics, however many units there are.  The parts come
one after the other from one stream, and their sums are exact, so their size changes no number.
"""

from __future__ import annotations

import collections
import dataclasses
import functools
import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from ..browser import needs_computer
from ..errors import InputError, is_whole
from ..metrics.base import AnyFloats, Array, FloatArray, Indices, Metric
from ..metrics.mean import SegmentMean
from ..progress import ProgressBar
from ..statistics.sufficient import SufficientStatistics
from .influence import Studentizer, summed
from .kept import kept_blocks
from .sign_flips import Contributions, is_straight

#: Resamples drawn from one spawned seed.  Part of what a seed means: changing it changes results.
BLOCK = 500

#: Weights drawn together, in entries (resamples times units): 16 MB of counts.  Fewer resamples at
#: a time change no weight, and no sum, which is exact.
ENTRIES_AT_ONCE = 2**22

#: Units whose weights are converted to floats, and multiplied, together: with a few resamples they
#: stay in a processor's cache.
UNITS_AT_ONCE = 2**16

#: Draws of a bootstrap that are counted together: half a megabyte, for a processor's cache.
DRAWS_AT_ONCE = 2**16

#: Sums that are scored together, in entries (counts times pairs times resamples): 2 MB, which stay
#: in a processor's cache from one step of a formula to the next.
SCORED_AT_ONCE = 2**18

#: Differences of scores that are made together: what they are made of takes 256 kB each, and stays
#: in a processor's cache.
SUBTRACTED_AT_ONCE = 2**15

#: Far more than any question needs: p-values are then known to 1e-8, after hours.
MOST_RESAMPLES = 10**8

#: Blocks that travel to a worker together.
BLOCKS_PER_TASK = 4

#: Blocks of a bootstrap's draws that are kept, since the same seed is asked again and again: for
#: one pair and for all, by a test and by its intervals.
BLOCKS_KEPT = 24

#: What a block may take to be kept: 2 MB, so that all together take 48 MB.
BYTES_KEPT = 2**21

Kind = Literal["shuffle", "bootstrap"]
RNG = int | np.random.Generator | np.random.SeedSequence | None
Words = npt.NDArray[np.uint64]
#: 1 where a shuffle keeps a unit's outputs in place, 0 where it exchanges them.
Masks = npt.NDArray[np.uint8]
#: How often a bootstrap draws a unit.
Counts = npt.NDArray[np.unsignedinteger]
#: The numbers of the first and of the second systems of some pairs.
Pairs = tuple[Indices, Indices]
T = TypeVar("T")


def seed_from(rng: RNG) -> int:
    """The integer seed behind ``rng=``, which reproduces the result when passed again.

    Parameters
    ----------
    rng : None, int, Generator or SeedSequence
        None takes fresh entropy; 0 is a seed like any other; a Generator is used, and moves on
        (SPEC 7).

    Raises
    ------
    InputError
        For anything else.
    """
    if rng is None:
        return int(np.random.SeedSequence().entropy)  # type: ignore[arg-type]
    if isinstance(rng, np.random.Generator):
        return _seed_of_two_words(rng.bit_generator.random_raw(2))
    if isinstance(rng, np.random.SeedSequence):
        return _seed_of_two_words(rng.generate_state(2, np.uint64))
    if is_whole(rng) and rng >= 0:
        return int(rng)
    raise InputError(
        f"rng={rng!r} is not a seed: give a non-negative integer, a numpy.random.Generator, or "
        "None for fresh entropy."
    )


def _seed_of_two_words(words: npt.NDArray[np.unsignedinteger]) -> int:
    """A seed of 128 bits."""
    high, low = words.tolist()
    return high << 64 | low


# --- weights --------------------------------------------------------------------------------------


def raw_words(seed: int, key: Sequence[int], n_words: int) -> Words:
    """The first raw 64-bit words of the PCG64 stream that `seed` and the spawn `key` name."""
    next_words = _stream(seed, key)
    return next_words(n_words)


def _stream(seed: int, key: Sequence[int]) -> Callable[[int], Words]:
    """A function that returns the next raw 64-bit words of the stream, as many as it is asked for.

    The stream is that of `raw_words`.
    """
    sequence = np.random.SeedSequence(seed, spawn_key=tuple(key))
    bits = np.random.PCG64(sequence)

    def next_words(n_words: int) -> Words:
        # The byte order is part of the stream.
        return bits.random_raw(n_words).astype("<u8", copy=False)

    return next_words


def _rows_in_parts(n_rows: int, n_units: int) -> list[int]:
    """How many of a block's `n_rows` each part of it has, so that a part takes little memory.

    A row is a resample's weights of `n_units`.  The number of rows is even in every part but the
    last: two rows of 32-bit fractions are whole words.
    """
    n_pairs_of_rows = ENTRIES_AT_ONCE // n_units // 2
    step = max(2, 2 * n_pairs_of_rows)
    return [min(step, n_rows - start) for start in range(0, n_rows, step)]


def swap_masks(n_resamples: int, n_units: int, *, seed: int, key: Sequence[int] = (0,)) -> Masks:
    """Fair coin flips for approximate randomization, shape (n_resamples, n_units).

    1 keeps a unit's two outputs in place, 0 exchanges them.

    Examples
    --------
    >>> swap_masks(2, 5, seed=0).shape
    (2, 5)
    """
    parts = swap_masks_in_parts(n_resamples, n_units, seed=seed, key=key)
    no_rows = np.empty((0, n_units), np.uint8)  # not even one part may be asked for
    return np.concatenate([no_rows, *parts])


def swap_masks_in_parts(
    n_resamples: int, n_units: int, *, seed: int, key: Sequence[int]
) -> Iterator[Masks]:
    """The rows of `swap_masks`, some at a time: arrays of shape (rows, n_units)."""
    next_words = _stream(seed, key)
    words_in_row = math.ceil(n_units / 64)
    for n_rows in _rows_in_parts(n_resamples, n_units):
        words = next_words(n_rows * words_in_row)
        octets = words.view(np.uint8).reshape(n_rows, -1)
        yield np.unpackbits(octets, axis=1, count=n_units, bitorder="little")


def bootstrap_counts(
    n_resamples: int, n_units: int, *, seed: int, key: Sequence[int] = (0,)
) -> Counts:
    """How often each unit is drawn when `n_units` are drawn with replacement.

    Shape (n_resamples, n_units); every row sums to `n_units`.  A unit's number is the integer part
    of n_units * u for a 32-bit fraction u, exact in double precision; some units are likelier
    than others by at most n_units / 2**32.

    Examples
    --------
    >>> bootstrap_counts(3, 5, seed=0).sum(axis=1).tolist()
    [5, 5, 5]
    """
    rows_in_parts = _rows_in_parts(n_resamples, n_units)
    parts = bootstrap_counts_in_parts(rows_in_parts, n_units, seed=seed, key=key)
    no_rows = np.empty((0, n_units), _counts_type(n_units))  # not even one part may be asked for
    return np.concatenate([no_rows, *parts])


def bootstrap_counts_in_parts(
    rows_in_parts: Sequence[int], n_units: int, *, seed: int, key: Sequence[int]
) -> Iterator[Counts]:
    """The rows of `bootstrap_counts`, some at a time: arrays of shape (rows, n_units).

    `rows_in_parts` says how many rows each array has; all of these numbers but the last must be
    even.
    """
    next_words = _stream(seed, key)
    per_fraction = n_units / 2**32
    for n_rows in rows_in_parts:
        n_draws = n_rows * n_units
        words = next_words(math.ceil(n_draws / 2))  # two draws in each
        fractions = words.view(np.uint32)[:n_draws].reshape(n_rows, n_units)
        counts = np.empty((n_rows, n_units), _counts_type(n_units))
        step = max(1, DRAWS_AT_ONCE // n_units)
        for start in range(0, n_rows, step):
            rows = slice(start, start + step)
            drawn = (fractions[rows] * per_fraction).astype(np.intp)
            # Units of each row have numbers of their own, so that all rows are counted at once.
            numbers_of_rows = np.arange(len(drawn)) * n_units
            drawn += numbers_of_rows[:, np.newaxis]
            counted = np.bincount(drawn.ravel(), minlength=drawn.size)
            counts[rows] = counted.reshape(drawn.shape)
        yield counts


def _counts_type(n_units: int) -> type[np.unsignedinteger]:
    """The type of counts, which are at most `n_units`."""
    return np.uint16 if n_units < 2**16 else np.uint32


def stratified_counts_in_parts(
    n_resamples: int, strata: Array, *, seed: int, key: Sequence[int]
) -> Iterator[Counts]:
    """`bootstrap_counts` drawn separately within each stratum of units, some rows at a time."""
    labels = list(dict.fromkeys(strata.tolist()))
    members = [np.flatnonzero(strata == label) for label in labels]
    rows_in_parts = _rows_in_parts(n_resamples, len(strata))
    parts_of_strata = []
    for number, units in enumerate(members):
        stratum_key = (*key, number)
        parts_of_strata.append(
            bootstrap_counts_in_parts(rows_in_parts, len(units), seed=seed, key=stratum_key)
        )
    for n_rows in rows_in_parts:
        counts = np.empty((n_rows, len(strata)), dtype=np.uint32)
        for units, parts in zip(members, parts_of_strata, strict=True):
            counts[:, units] = next(parts)
        yield counts


@functools.lru_cache(maxsize=BLOCKS_KEPT)
def _kept_counts(n_resamples: int, n_units: int, seed: int, block: int) -> Counts:
    """`bootstrap_counts` of a whole block, as bytes where every count fits into one."""
    counts = bootstrap_counts(n_resamples, n_units, seed=seed, key=(block,))
    if counts.max() < 2**8:
        counts = counts.astype(np.uint8)
    counts.flags.writeable = False  # all who ask get the same array
    return counts


# --- statistics -----------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True, eq=False)
class Packed:
    """One metric's statistics, arranged for the product.

    Statistics are in quanta (whole numbers), those of `exact_metric`.  For approximate
    randomization they are what each system has more than the first, since only differences matter
    there.

    Attributes
    ----------
    metric : Metric
    matrix : ndarray of float32 or float64, shape (rows, units)
        A row has one count of one system, in all units, or only in those of which anybody has
        anything: where these are few, others are left out, as those of other test sets.  Counts
        that are the same for several systems, such as the lengths of references, have one row
        together.
    row_of : ndarray of int, shape (counts, systems)
        The row of `matrix` that has a count of a system.
    totals : ndarray of float32 or float64, shape (counts, systems)
        Sums over all units.
    units : ndarray of int, or slice
        Those of the plan's units that are in `matrix`.
    slopes : ndarray, shape (counts,), or None
        What the score gains with each count, where outputs are exchanged and the score is a
        straight line in the sums.
    """

    metric: Metric
    matrix: AnyFloats
    row_of: Indices
    totals: AnyFloats
    units: Indices | slice
    slopes: FloatArray | None

    @classmethod
    def of(cls, statistics: SufficientStatistics, kind: Kind) -> Packed:
        """The statistics, arranged for resampling of this kind.

        Raises
        ------
        InputError
            If sums over resamples would not be exact.
        """
        metric = exact_metric(statistics, kind)
        largest_sum = _largest_sum(statistics, metric, kind)
        if largest_sum >= 2**53:
            raise _sums_not_exact(statistics)
        dtype = np.float32 if largest_sum < 2**24 else np.float64
        n_systems, n_units, n_counts = statistics.values.shape
        # One system at a time: all rows together would be a second copy of the statistics.
        sums = [_in_quanta(values, metric).sum(axis=1) for values in statistics.values]
        totals = np.stack(sums, axis=1)
        hashes = []
        is_filled = np.zeros((n_counts, n_units), dtype=bool)
        for rows in _rows_of_systems(statistics, metric, kind):
            # A hash stands for a row: rows have megabytes where units are many.
            hashes += [hashlib.sha256(row.data).hexdigest() for row in rows]
            is_filled |= rows != 0
        slopes = None
        if kind == "shuffle":
            is_the_same = ~np.asarray(is_filled.any(axis=1))  # for all systems, by count
            sums_of_first = totals[:, 0] * metric.quantum
            slopes = metric.slopes(sums_of_first, is_the_same)
        filled = np.flatnonzero(is_filled.any(axis=0))
        units: Indices | slice = filled
        n_taken = len(filled)
        if n_taken > n_units / 2:
            # To pick so many out of all weights takes longer than to multiply the others.
            units = slice(None)
            n_taken = n_units
        distinct, row_of_each = np.unique(hashes, return_inverse=True)
        row_of = row_of_each.reshape(n_systems, n_counts)
        matrix = np.empty((len(distinct), n_taken), dtype)
        rows_of_systems = _rows_of_systems(statistics, metric, kind)
        for places, rows in zip(row_of, rows_of_systems, strict=True):
            matrix[places] = rows[:, units]
        return cls(
            metric=metric,
            matrix=matrix,
            row_of=row_of.T.copy(),
            totals=totals.astype(dtype),
            units=units,
            slopes=slopes,
        )

    @property
    def curved(self) -> bool:
        """Whether the score is no straight line in the sums.

        Shuffled differences may then spread more or less widely than the difference would over test
        sets.
        """
        return self.slopes is None

    def sums(self, weights: AnyFloats, start: int = 0) -> AnyFloats:
        """Weighted sums in quanta, shape (rows, resamples), over the units that have weights here.

        `weights`, of shape (resamples, units), are those of the units from number `start` on.
        """
        if isinstance(self.units, slice):
            return summed(self.matrix, weights, start)
        end = start + weights.shape[1]
        first, last = np.searchsorted(self.units, (start, end))
        taken = weights[:, self.units[first:last] - start]
        return self.matrix[:, first:last] @ taken.T

    @property
    def observed_scores(self) -> FloatArray:
        """The scores of the test set, shape (systems,), on the grid of what is resampled."""
        return self.score(self.totals)

    def score(self, sums: AnyFloats) -> FloatArray:
        """Scores of sums in quanta, shape (counts, ...), a count's values lying together."""
        # Exact: the quantum is a power of two.  A metric must not have to know that sums may come
        # in single precision, in which its formula would be too coarse to recognise ties.
        sums = sums.astype(np.float64, copy=False)
        if self.metric.quantum != 1:
            sums = sums * self.metric.quantum
        return self.metric.score(np.moveaxis(sums, 0, -1))

    def scores(self, sums: AnyFloats) -> FloatArray:
        """Each system's score under each resample, shape (systems, resamples), from `sums`."""
        return self.score(sums[self.row_of])

    def shuffled_differences(self, kept: AnyFloats, first: Indices, second: Indices) -> FloatArray:
        """The first pseudo-system's score less the second's, shape (pairs, resamples).

        `kept` are the `sums` of what the masks keep in place.
        """
        n_counts, n_systems = self.row_of.shape
        n_pairs = len(first)
        # A line for each system is less work than scores for each pair where there are more pairs.
        if self.slopes is not None and n_pairs > n_systems:
            return _differences(self._lines(kept, self.slopes), first, second)
        n_resamples = kept.shape[1]
        differences = np.empty((n_pairs, n_resamples))
        step = max(1, SCORED_AT_ONCE // (n_counts * n_resamples))
        for start in range(0, n_pairs, step):
            part = slice(start, start + step)
            a = first[part]
            b = second[part]
            # W A - W B of the module's text.
            gained = kept[self.row_of[:, a]]
            gained -= kept[self.row_of[:, b]]
            pseudo_a = self.score(self.totals[:, b, None] + gained)
            # T_A - (W A - W B), in the place of what it is made of.
            np.subtract(self.totals[:, a, None], gained, out=gained)
            pseudo_b = self.score(gained)
            np.subtract(pseudo_a, pseudo_b, out=differences[part])
        return differences

    def _lines(self, kept: AnyFloats, slopes: FloatArray) -> FloatArray:
        """A straight line in the sums for each system, shape (systems, resamples).

        The difference of a pair is the line of its first system less that of its second.  For the
        pair's sums, T_B + (W A - W B) and T_A - (W A - W B), differ by 2 W A - T_A less
        2 W B - T_B.
        """
        n_systems = self.row_of.shape[1]
        n_resamples = kept.shape[1]
        lines = np.zeros((n_systems, n_resamples))
        for count in np.flatnonzero(slopes):
            totals = self.totals[count]
            line = kept[self.row_of[count]].astype(np.float64)
            line *= 2
            line -= (totals - totals[0])[:, None]  # `kept` is less the first system's, too
            line *= slopes[count] * self.metric.quantum
            lines += line
        return lines


def _differences(scores: FloatArray, first: Indices, second: Indices) -> FloatArray:
    """Scores of the systems `first` less those of `second`, shape (pairs, resamples)."""
    n_pairs = len(first)
    n_resamples = scores.shape[1]
    differences = np.empty((n_pairs, n_resamples))
    step = max(1, SUBTRACTED_AT_ONCE // n_resamples)
    for start in range(0, n_pairs, step):
        part = slice(start, start + step)
        np.subtract(scores[first[part]], scores[second[part]], out=differences[part])
    return differences


def _rows_of_systems(
    statistics: SufficientStatistics, metric: Metric, kind: Kind
) -> Iterator[FloatArray]:
    """Of one system after the other what is summed, shape (counts, units).

    It is in quanta of `metric`; for shuffles it is what the system has more than the first.
    """
    rows_of_first = _in_quanta(statistics.values[0], metric)
    for values in statistics.values:
        rows = _in_quanta(values, metric)
        if kind == "shuffle":
            rows -= rows_of_first
        yield rows


def _in_quanta(values: FloatArray, metric: Metric) -> FloatArray:
    """Counts of units as whole numbers, shape (counts, units), a count's lying together.

    They are rounded where the metric has a coarser grid than they had.
    """
    quanta = np.empty(values.shape[::-1])
    np.divide(values.T, metric.quantum, out=quanta)
    return np.rint(quanta, out=quanta)


def _sums_not_exact(statistics: SufficientStatistics) -> InputError:
    """The error for statistics that are too large for the grid on which they lie."""
    largest = np.abs(statistics.values).max()
    return InputError(
        f"statistics: sums over {statistics.n_segments:,} {statistics.unit} of numbers such as "
        f"{largest:g} are not exact on a grid of {statistics.metric.quantum:g}. Give "
        f"{statistics.label} in a larger unit, or a mean with a coarser resolution."
    )


def exactly_summed(statistics: SufficientStatistics, kind: Kind) -> SufficientStatistics:
    """The statistics on the grid of `exact_metric`."""
    metric = exact_metric(statistics, kind)
    if metric is statistics.metric:
        return statistics
    return dataclasses.replace(statistics, metric=metric)


def exact_metric(statistics: SufficientStatistics, kind: Kind) -> Metric:
    """The metric; of scores on a coarser grid where sums of their resamples were not exact.

    A bootstrap may draw the largest unit every time.  Where units are documents of unequal size,
    that is far more than all of them together, for which the grid of scores was chosen.
    """
    metric = statistics.metric
    if not isinstance(metric, SegmentMean):
        return metric
    _, n_bits = math.frexp(_largest_sum(statistics, metric, kind))
    excess = n_bits - 53
    if excess <= 0:
        return metric
    resolution = metric.resolution * 2.0**excess
    coarser = dataclasses.replace(metric, resolution=resolution)
    for weights in statistics.values[:, :, 1]:
        if (coarser.snap(weights) != weights).any():
            return metric  # `Packed` raises the error
    return coarser


def _largest_sum(statistics: SufficientStatistics, metric: Metric, kind: Kind) -> float:
    """What no sum of a resample exceeds, in quanta of `metric`."""
    highest = _in_quanta(statistics.values.max(axis=0), metric)
    lowest = _in_quanta(statistics.values.min(axis=0), metric)
    if kind == "shuffle":
        return _largest_sum_of_exchanges(highest, lowest)
    return _largest_sum_of_draws(highest, lowest, statistics.strata)


def _largest_sum_of_exchanges(highest: FloatArray, lowest: FloatArray) -> float:
    """What no sum exceeds where outputs are exchanged.

    A pseudo-system has one system's quanta in each unit, so no part of its sum exceeds the sum over
    units of the largest magnitude.  All else that is summed is made of differences of two systems,
    a - b, each unit once: those from the first system that the masks keep, those of a pair, and
    those with random signs in `Packed._lines`.  No part of it exceeds the sum over units of
    ``|a - b|``, and that is at most the distance of the highest from the lowest.  Both bounds are
    exact below 2**53, and never rounded to below it.

    Parameters
    ----------
    highest, lowest : ndarray, shape (counts, units)
        The highest and the lowest quanta of any system.
    """
    largest = np.maximum(highest, -lowest).sum(axis=1)
    distances = (highest - lowest).sum(axis=1)
    return float(max(largest.max(), distances.max()))


def _largest_sum_of_draws(highest: FloatArray, lowest: FloatArray, strata: Array | None) -> float:
    """What no sum exceeds where units are drawn with replacement.

    A unit may be drawn as often as there are units in its stratum.  `highest` and `lowest` are as
    for exchanges.
    """
    largest = np.maximum(highest, -lowest).max(axis=0)
    labels = np.zeros(len(largest)) if strata is None else strata
    bounds = []
    for label in np.unique(labels):
        in_stratum = largest[labels == label]
        bounds.append(len(in_stratum) * in_stratum.max())
    return float(sum(bounds))


# --- plans ----------------------------------------------------------------------------------------

#: What weights are multiplied with: it has a `matrix`, and `sums` of weights.
Factor = Packed | Contributions | Studentizer


@dataclasses.dataclass(frozen=True, eq=False)
class Resampling:
    """A plan for resampling: whose statistics, which pairs, how often, from which seed.

    It is all that a worker needs to make any block.

    Parameters
    ----------
    kind : {"shuffle", "bootstrap"}
        Approximate randomization exchanges the outputs of a pair unit by unit; the bootstrap
        draws units with replacement.
    statistics : tuple of Packed or Contributions
        One for each metric; all metrics share the weights.
    pairs : sequence of two index arrays each, of shape (pairs,)
        One for each metric, with equally many pairs; none where only scores are wanted.
    n_resamples, n_units, seed : int
    strata : ndarray of shape (n_units,), optional
        The bootstrap draws within strata.
    start : int
        How many of the resamples are known already; whole blocks.
    studentizers : tuple of Studentizer
        One for each metric, of its pairs, where differences are wanted in standard errors.
    """

    kind: Kind
    statistics: tuple[Packed | Contributions, ...]
    pairs: Sequence[Pairs]
    n_resamples: int
    n_units: int
    seed: int
    strata: Array | None = None
    start: int = 0
    studentizers: tuple[Studentizer, ...] = ()

    @classmethod
    def of(
        cls,
        kind: Kind,
        statistics: Sequence[SufficientStatistics],
        pairs: Sequence[Pairs] = (),
        *,
        n_resamples: int,
        seed: int,
        start: int = 0,
        studentized: bool = False,
        linearised: bool = False,
    ) -> Resampling:
        """A plan for the resamples from number `start` to `n_resamples`.

        Parameters
        ----------
        kind, pairs, n_resamples, seed, start
            As of the class.
        statistics : sequence of SufficientStatistics
            One for each metric, all in the same units.
        studentized : bool
            Whether differences are wanted in standard errors.
        linearised : bool
            Whether signs of contributions are turned where the score is no straight line.
        """
        check_n_resamples(n_resamples)
        assert start % BLOCK == 0  # a block is drawn whole or not at all
        first_metric = statistics[0]
        packed: list[Packed | Contributions] = []
        for m, of_metric in enumerate(statistics):
            if linearised and not is_straight(of_metric):
                packed.append(Contributions.of(exactly_summed(of_metric, kind), *pairs[m]))
            else:
                packed.append(Packed.of(of_metric, kind))
        studentizers = []
        if studentized:
            for of_metric, pairs_of_metric in zip(statistics, pairs, strict=True):
                exact = exactly_summed(of_metric, kind)
                studentizers.append(Studentizer.of(exact, *pairs_of_metric))
        return cls(
            kind=kind,
            statistics=tuple(packed),
            pairs=pairs,
            n_resamples=n_resamples,
            n_units=first_metric.n_segments,
            seed=seed,
            strata=first_metric.strata,
            start=start,
            studentizers=tuple(studentizers),
        )

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take what another process has sent."""
        self.__dict__.update(state)
        for factor in (*self.statistics, *self.studentizers):
            # It may lie at an odd address, and then every product would first copy it.
            object.__setattr__(factor, "matrix", np.require(factor.matrix, requirements="A"))

    @property
    def blocks(self) -> range:
        """Numbers of the blocks to draw."""
        first = self.start // BLOCK
        end = math.ceil(self.n_resamples / BLOCK)
        return range(first, end)

    @property
    def n_pairs(self) -> int:
        """How many pairs there are under each metric."""
        first, _ = self.pairs[0]
        return len(first)

    def rows_in(self, block: int) -> int:
        """How many resamples are in block number `block`."""
        return min(BLOCK, self.n_resamples - block * BLOCK)

    def source_of_statistic(self, m: int) -> Factor:
        """What the observed statistic under metric `m` is made of."""
        return self.studentizers[m] if self.studentizers else self.statistics[m]

    def weights(self, block: int) -> Array:
        """The weights of block number `block`, shape (resamples, n_units)."""
        return np.concatenate(list(self.weights_in_parts(block)))

    def weights_in_parts(self, block: int) -> Iterator[Array]:
        """The rows of `weights`, some at a time."""
        n_rows = self.rows_in(block)
        n_units = self.n_units
        key = (block,)
        if self.kind == "shuffle":
            yield from swap_masks_in_parts(n_rows, n_units, seed=self.seed, key=key)
        elif self.strata is not None:
            yield from stratified_counts_in_parts(n_rows, self.strata, seed=self.seed, key=key)
        elif self._keeps_counts(block):
            yield _kept_counts(n_rows, n_units, self.seed, block)
        else:
            rows_in_parts = _rows_in_parts(n_rows, n_units)
            yield from bootstrap_counts_in_parts(rows_in_parts, n_units, seed=self.seed, key=key)

    def _keeps_counts(self, block: int) -> bool:
        """Whether the draws of a block are kept for the next plan that has the same seed."""
        if self.kind != "bootstrap" or self.strata is not None:
            return False
        return self.rows_in(block) * self.n_units <= BYTES_KEPT

    def draw_ahead(self) -> Iterator[None]:
        """Draw what is kept for the next plan that has the same seed, a block at each step."""
        for block in self.blocks[:BLOCKS_KEPT]:
            if self._keeps_counts(block):
                _kept_counts(self.rows_in(block), self.n_units, self.seed, block)
                yield

    def scores(self, block: int) -> list[FloatArray]:
        """Per metric, every system's score under each bootstrap resample, (systems, resamples)."""
        sums, _ = self._sums(block)
        scores = []
        for packed, sums_of_metric in zip(self.statistics, sums, strict=True):
            assert isinstance(packed, Packed)  # signs are not drawn with replacement
            scores.append(packed.scores(sums_of_metric))
        return scores

    def errors(self, block: int) -> list[FloatArray]:
        """Per metric, the standard error of each difference on each resample."""
        _, sums_of_studentizers = self._sums(block)
        return self._errors(sums_of_studentizers)

    def _errors(self, sums_of_studentizers: list[AnyFloats]) -> list[FloatArray]:
        """Per metric, the standard errors from the weighted sums, (differences, resamples)."""
        errors = []
        for studentizer, sums in zip(self.studentizers, sums_of_studentizers, strict=True):
            errors.append(studentizer.errors(sums))
        return errors

    def differences(self, block: int) -> list[FloatArray]:
        """Per metric, how much better each pair's first system comes out, (pairs, resamples).

        Differences of scores, turned round for metrics of which smaller values are better; with
        `studentizers`, from the observed ones and in the resample's own standard errors.
        """
        sums_of_statistics, sums_of_studentizers = self._sums(block)
        differences = []
        for packed, pairs, sums in zip(
            self.statistics, self.pairs, sums_of_statistics, strict=True
        ):
            differences.append(self._differences_of_scores(packed, pairs, sums))
        if not self.studentizers:
            return differences
        errors = self._errors(sums_of_studentizers)
        t_values = []
        for m, studentizer in enumerate(self.studentizers):
            t_values.append(studentizer.t(differences[m], errors[m]))
        return t_values

    def _differences_of_scores(
        self, packed: Packed | Contributions, pairs: Pairs, sums: AnyFloats
    ) -> FloatArray:
        """How much better each pair's first system comes out under one metric.

        `sums` are those of the weighted statistics, as `packed` has made them.
        """
        first, second = pairs
        if self.kind == "shuffle":
            differences = packed.shuffled_differences(sums, first, second)
        else:
            assert isinstance(packed, Packed)  # signs are not drawn with replacement
            differences = _differences(packed.scores(sums), first, second)
        if packed.metric.direction < 0:
            np.negative(differences, out=differences)
        return differences

    def _sums(self, block: int) -> tuple[list[AnyFloats], list[AnyFloats]]:
        """The weighted sums of a block, each of shape (rows of the matrix, resamples).

        Returns
        -------
        sums_of_statistics, sums_of_studentizers : list of ndarray
            One for each metric.  The second is empty where nothing is studentised.
        """
        factors: tuple[Factor, ...] = (*self.statistics, *self.studentizers)
        parts_of_factors: list[list[AnyFloats]] = [[] for _ in factors]
        for weights in self.weights_in_parts(block):
            sums_of_part = _sums_of_units(factors, weights)
            for parts, part in zip(parts_of_factors, sums_of_part, strict=True):
                parts.append(part)
        sums = [_side_by_side(parts) for parts in parts_of_factors]
        n_metrics = len(self.statistics)
        return sums[:n_metrics], sums[n_metrics:]


def _sums_of_units(factors: Sequence[Factor], weights: Array) -> list[AnyFloats]:
    """Each factor's weighted sums, shape (rows of the matrix, resamples).

    They are exact, so that it makes no difference how many units are summed at a time.
    """
    n_resamples, n_units = weights.shape
    sums_of_factors = []
    for factor in factors:
        sums_of_factors.append(np.zeros((len(factor.matrix), n_resamples), factor.matrix.dtype))
    # Weights as floats, once for each precision, and not for each metric.  Their memory is used
    # again: to get so little so often from the system takes longer than the products.
    in_precision = {}
    for factor in factors:
        dtype = factor.matrix.dtype
        in_precision[dtype] = np.empty((n_resamples, min(n_units, UNITS_AT_ONCE)), dtype)
    for start in range(0, n_units, UNITS_AT_ONCE):
        part = weights[:, start : start + UNITS_AT_ONCE]
        n_in_part = part.shape[1]
        for converted in in_precision.values():
            converted[:, :n_in_part] = part
        for factor, sums in zip(factors, sums_of_factors, strict=True):
            converted = in_precision[factor.matrix.dtype]
            sums += factor.sums(converted[:, :n_in_part], start)
    return sums_of_factors


def _side_by_side(parts: list[AnyFloats]) -> AnyFloats:
    """The columns of all parts together; a single part is not copied."""
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts, axis=1)


def map_blocks(
    resampling: Resampling,
    work: Callable[[Resampling, int], T],
    executor: Executor | None = None,
    description: str = "resampling",
) -> Iterator[T]:
    """Yield ``work(resampling, block)`` of every block, in order.

    Parameters
    ----------
    resampling : Resampling
    work : callable
        Of a plan and a block's number; must be picklable when the workers are processes.
    executor : concurrent.futures.Executor or dask.distributed.Client, optional
        None computes here; BLAS uses its own threads in either case.
    description : str
        For the progress bar, which appears when the work takes more than a second.
    """
    blocks = resampling.blocks
    kept = kept_blocks()
    results: Iterator[T]
    if executor is not None:
        needs_computer("executor", "leave it out: the result is the same")
        results = _of_workers(executor, work, resampling)
    elif kept is not None:
        results = kept.map(work, resampling)
    else:
        results = map(functools.partial(work, resampling), blocks)
    n_resamples = resampling.n_resamples - resampling.start
    with ProgressBar(total=n_resamples, description=description, unit="resample") as bar:
        for block, result in zip(blocks, results, strict=True):
            bar.update(resampling.rows_in(block))
            yield result


def _of_workers(
    executor: Any, work: Callable[[Resampling, int], T], resampling: Resampling
) -> Iterator[T]:
    """What the workers of an executor, or of Dask's client, make of every block, in order."""
    if not callable(getattr(executor, "map", None)):
        raise InputError(
            f"executor={executor!r} is not an executor: give a concurrent.futures.Executor, "
            "such as ProcessPoolExecutor(2), or None to compute here."
        )
    blocks = resampling.blocks
    if not hasattr(executor, "scatter"):
        work_on_block = functools.partial(work, resampling)
        results: Iterator[T] = executor.map(work_on_block, blocks, chunksize=BLOCKS_PER_TASK)
        return results
    # Dask's client lets the plan, which has the statistics, travel to each worker once.  What goes
    # with every task is a reference to it, and the number of a block.  No keys are
    # made from contents (`hash`, `pure`), since that would read all statistics first.
    plan = executor.scatter(resampling, broadcast=True, hash=False)
    futures = executor.map(work, [plan] * len(blocks), blocks, pure=False)
    return _results_of(collections.deque(futures))


def _results_of(futures: collections.deque[Any]) -> Iterator[Any]:
    """The results in order; a worker drops those whose futures are gone."""
    while futures:
        yield futures.popleft().result()


def check_n_resamples(n_resamples: int | None) -> int:
    """`n_resamples`; an `InputError` unless it is a whole number from 1 to `MOST_RESAMPLES`."""
    if n_resamples is None or not is_whole(n_resamples) or not 1 <= n_resamples <= MOST_RESAMPLES:
        raise InputError(
            f"n_resamples={n_resamples!r} must be a whole number from 1 to {MOST_RESAMPLES:_}; "
            "10_000 is usual."
        )
    return int(n_resamples)
