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
  Whoever computes a block, in whatever order, draws the same numbers.

A block's weights are drawn and multiplied in parts of a few resamples (`ENTRIES_AT_ONCE`), so that
a plan takes little more memory than its statistics, however many units there are.  The parts come
one after the other from one stream, and their sums are exact, so their size changes no number.
"""

from __future__ import annotations

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
from ..errors import InputError
from ..metrics.base import AnyFloats, FloatArray, Indices, Metric
from ..metrics.mean import SegmentMean
from ..progress import ProgressBar
from ..statistics.sufficient import SufficientStatistics
from .influence import Studentizer
from .sign_flips import Contributions, is_straight

#: Resamples drawn from one spawned seed.  Part of what a seed means: changing it changes results.
BLOCK = 500

#: Weights drawn and multiplied together, in entries (resamples times units): 32 MB in double
#: precision.  Fewer resamples at a time change no weight, and no sum, which is exact.
ENTRIES_AT_ONCE = 2**22

#: Sums that are scored together, in entries (counts times pairs times resamples): 32 MB.
SCORED_AT_ONCE = 2**22

#: Far more than any question needs: p-values are then known to 1e-8, after hours.
MOST_RESAMPLES = 10**8

#: Blocks that travel to a worker together.
BLOCKS_PER_TASK = 4

#: Blocks of a bootstrap's draws that are kept, and what one of them may take: 48 MB in all.  The
#: same seed is asked again and again, for one pair and for all, by a test and by its intervals.
BLOCKS_KEPT, BYTES_KEPT = 24, 2**21

Kind = Literal["shuffle", "bootstrap"]
#: Where scores are wanted, and no differences.
_NO_PAIRS = (np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp))
RNG = int | np.random.Generator | np.random.SeedSequence | None
Words = npt.NDArray[np.uint64]
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
        high, low = rng.bit_generator.random_raw(2)
        return int(high) << 64 | int(low)
    if isinstance(rng, np.random.SeedSequence):
        high, low = rng.generate_state(2, np.uint64)
        return int(high) << 64 | int(low)
    if isinstance(rng, int | np.integer) and not isinstance(rng, bool) and rng >= 0:
        return int(rng)
    raise InputError(
        f"rng={rng!r} is not a seed: give a non-negative integer, a numpy.random.Generator, or "
        "None for fresh entropy."
    )


def raw_words(seed: int, key: Sequence[int], n_words: int) -> Words:
    """The first raw 64-bit words of the PCG64 stream that `seed` and the spawn `key` name."""
    return _stream(seed, key)(n_words)


def _stream(seed: int, key: Sequence[int]) -> Callable[[int], Words]:
    """What gives the next raw 64-bit words of the stream, as many as it is asked for."""
    sequence = np.random.SeedSequence(seed, spawn_key=tuple(key))
    bits = np.random.PCG64(sequence)

    def next_words(n_words: int) -> Words:
        # The byte order is part of the stream.
        return bits.random_raw(n_words).astype("<u8", copy=False)

    return next_words


def _rows_in_parts(n_rows: int, n_units: int) -> list[int]:
    """How many rows of `n_units` weights each part of a block has, so that a part takes little.

    It is an even number in every part but the last: two rows of 32-bit fractions are whole words.
    """
    step = max(2, ENTRIES_AT_ONCE // n_units // 2 * 2)
    return [min(step, n_rows - start) for start in range(0, n_rows, step)]


def swap_masks(
    n_resamples: int, n_units: int, *, seed: int, key: Sequence[int] = (0,)
) -> npt.NDArray[np.uint8]:
    """Fair coin flips for approximate randomization, shape (n_resamples, n_units).

    1 keeps a unit's two outputs in place, 0 exchanges them.

    Examples
    --------
    >>> swap_masks(2, 5, seed=0).shape
    (2, 5)
    """
    parts = swap_masks_in_parts(n_resamples, n_units, seed=seed, key=key)
    return np.concatenate([np.empty((0, n_units), np.uint8), *parts])


def swap_masks_in_parts(
    n_resamples: int, n_units: int, *, seed: int, key: Sequence[int]
) -> Iterator[npt.NDArray[np.uint8]]:
    """The rows of `swap_masks`, some at a time."""
    next_words = _stream(seed, key)
    for n_rows in _rows_in_parts(n_resamples, n_units):
        raw = next_words(n_rows * -(-n_units // 64))
        octets = raw.view(np.uint8).reshape(n_rows, -1)
        yield np.unpackbits(octets, axis=1, count=n_units, bitorder="little")


def bootstrap_counts(
    n_resamples: int, n_units: int, *, seed: int, key: Sequence[int] = (0,)
) -> npt.NDArray[np.unsignedinteger]:
    """How often each unit is drawn when `n_units` are drawn with replacement.

    Shape (n_resamples, n_units); every row sums to `n_units`.  A unit's number is the integer part
    of n_units * u for a 32-bit fraction u, exact in double precision; some units are likelier
    than others by at most n_units / 2**32.

    Examples
    --------
    >>> bootstrap_counts(3, 5, seed=0).sum(axis=1).tolist()
    [5, 5, 5]
    """
    rows = _rows_in_parts(n_resamples, n_units)
    parts = bootstrap_counts_in_parts(rows, n_units, seed=seed, key=key)
    return np.concatenate([np.empty((0, n_units), _counts_type(n_units)), *parts])


def bootstrap_counts_in_parts(
    rows: Sequence[int], n_units: int, *, seed: int, key: Sequence[int]
) -> Iterator[npt.NDArray[np.unsignedinteger]]:
    """The rows of `bootstrap_counts`, so many at a time: even numbers, but for the last."""
    next_words = _stream(seed, key)
    per_fraction = n_units / 2**32
    for n_rows in rows:
        n_draws = n_rows * n_units  # two to a word
        raw = next_words(-(-n_draws // 2)).view(np.uint32)[:n_draws]
        counts = np.empty((n_rows, n_units), _counts_type(n_units))
        # Row by row: a row's draws stay in the processor's cache.
        for row, fractions in zip(counts, raw.reshape(n_rows, n_units), strict=True):
            drawn = (fractions * per_fraction).astype(np.intp)
            row[:] = np.bincount(drawn, minlength=n_units)
        yield counts


def _counts_type(n_units: int) -> type[np.unsignedinteger]:
    """The type of counts, which are at most `n_units`."""
    return np.uint16 if n_units < 2**16 else np.uint32


def stratified_counts_in_parts(
    n_resamples: int, strata: npt.NDArray[Any], *, seed: int, key: Sequence[int]
) -> Iterator[npt.NDArray[np.unsignedinteger]]:
    """`bootstrap_counts` drawn separately within each stratum of units, some rows at a time."""
    labels = list(dict.fromkeys(strata.tolist()))
    members = [np.flatnonzero(strata == label) for label in labels]
    rows = _rows_in_parts(n_resamples, len(strata))
    streams = [
        bootstrap_counts_in_parts(rows, len(units), seed=seed, key=(*key, number))
        for number, units in enumerate(members)
    ]
    for n_rows, parts in zip(rows, zip(*streams, strict=True), strict=True):
        counts = np.empty((n_rows, len(strata)), dtype=np.uint32)
        for units, part in zip(members, parts, strict=True):
            counts[:, units] = part
        yield counts


@functools.lru_cache(maxsize=BLOCKS_KEPT)
def _kept_counts(
    n_resamples: int, n_units: int, seed: int, block: int
) -> npt.NDArray[np.unsignedinteger]:
    """`bootstrap_counts` of a block from its beginning, in a byte each where none is larger."""
    counts = bootstrap_counts(n_resamples, n_units, seed=seed, key=(block,))
    if counts.max() < 2**8:
        counts = counts.astype(np.uint8)
    counts.flags.writeable = False  # it is everybody's
    return counts


@dataclasses.dataclass(frozen=True, eq=False)
class Packed:
    """One metric's statistics, arranged for the product.

    Statistics are in quanta (whole numbers).  For approximate randomization they are what each
    system has more than the first, since only differences matter there.  Columns that repeat, such
    as the reference length that all systems share, are multiplied once: ``rows[count, system]`` is
    the place of a count's column in `matrix`, whose rows are distinct columns of statistics.  Units
    of which nobody has anything are left out, as those of other test sets.
    """

    metric: Metric
    matrix: AnyFloats  # (distinct columns, units that have anything)
    rows: Indices  # (counts, systems)
    totals: AnyFloats  # (counts, systems), sums over all units
    units: Indices | slice  # of the plan, those in `matrix`
    slopes: FloatArray | None  # (counts,), where outputs are exchanged and the score is a line

    @classmethod
    def of(cls, statistics: SufficientStatistics, kind: Kind) -> Packed:
        quantum = statistics.metric.quantum
        columns = np.moveaxis(statistics.values, 1, 2)
        systems, counts, units = columns.shape
        quanta = np.empty((systems, counts, units))
        np.divide(columns, quantum, out=quanta)
        largest_sum = _largest_sum(quanta, kind, statistics.strata)
        if largest_sum >= 2**53:
            raise InputError(
                f"statistics: sums over {units:,} {statistics.unit} of numbers such as "
                f"{np.abs(columns).max():g} are not exact on a grid of {quantum:g}. Give "
                f"{statistics.label} in a larger unit, or a mean with a coarser resolution."
            )
        totals = quanta.sum(axis=2).T
        slopes = None
        if kind == "shuffle":
            quanta -= quanta[:1].copy()
            fixed = ~np.asarray(quanta.any(axis=(0, 2)))
            slopes = statistics.metric.slopes(totals[:, 0] * quantum, fixed)
        dtype = np.float32 if largest_sum < 2**24 else np.float64
        flat = quanta.reshape(systems * counts, units)
        # A hash stands for a row: rows have megabytes where units are many.
        hashes = [hashlib.sha256(row.data).hexdigest() for row in flat]
        _, distinct, inverse = np.unique(hashes, return_index=True, return_inverse=True)
        filled = np.flatnonzero(flat.any(axis=0))
        columns_of = slice(None) if len(filled) == units else filled
        # Row by row: all of them together would be a second copy of the statistics.
        matrix = np.empty((len(distinct), len(filled)), dtype)
        for row, place in zip(matrix, distinct, strict=True):
            row[:] = flat[place, columns_of]
        return cls(
            metric=statistics.metric,
            matrix=matrix,
            rows=inverse.reshape(systems, counts).T.copy(),
            totals=totals.astype(dtype, order="C"),
            units=columns_of,
            slopes=slopes,
        )

    @property
    def curved(self) -> bool:
        """Whether shuffled differences may spread otherwise than the difference is uncertain."""
        return self.slopes is None

    def sums(self, weights: AnyFloats) -> AnyFloats:
        """Weighted sums in quanta, shape (distinct columns, resamples)."""
        return self.matrix @ weights[:, self.units].T

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
        return self.score(sums[self.rows])

    def shuffled_differences(self, kept: AnyFloats, first: Indices, second: Indices) -> FloatArray:
        """The first pseudo-system's score less the second's, shape (pairs, resamples).

        `kept` are the `sums` of what the masks keep in place.
        """
        # Lines of systems are worth their while where there are more pairs.
        if self.slopes is not None and len(first) > self.rows.shape[1]:
            lines = self._lines(kept, self.slopes)
            differences = lines[first]
            differences -= lines[second]
            return differences
        found = np.empty((len(first), kept.shape[1]))
        step = max(1, SCORED_AT_ONCE // (len(self.rows) * kept.shape[1]))
        for start in range(0, len(first), step):
            some = slice(start, start + step)
            a, b = first[some], second[some]
            gained = kept[self.rows[:, a]]
            gained -= kept[self.rows[:, b]]
            pseudo_a = self.score(self.totals[:, b, None] + gained)
            np.subtract(self.totals[:, a, None], gained, out=gained)
            np.subtract(pseudo_a, self.score(gained), out=found[some])
        return found

    def _lines(self, kept: AnyFloats, slopes: FloatArray) -> FloatArray:
        """Of each system what its pairs' differences are made of, shape (systems, resamples).

        A pair's sums, T_B + (W A - W B) and T_A - (W A - W B), differ by 2 W A - T_A of the first
        system less the same of the second.
        """
        found = np.zeros((self.rows.shape[1], kept.shape[1]))
        for count in np.flatnonzero(slopes):
            line = kept[self.rows[count]].astype(np.float64)
            line *= 2
            line -= (self.totals[count] - self.totals[count, 0])[:, None]
            line *= slopes[count] * self.metric.quantum
            found += line
        return found


def exactly_summed(statistics: SufficientStatistics, kind: Kind) -> SufficientStatistics:
    """The statistics, scores on a coarser grid if sums of their resamples were not exact else.

    A bootstrap may draw the largest unit every time.  Where units are documents of unequal size,
    that is far more than all of them together, for which the grid of scores was chosen.
    """
    metric = statistics.metric
    if not isinstance(metric, SegmentMean):
        return statistics
    quanta = np.moveaxis(statistics.values, 1, 2) / metric.quantum
    excess = math.frexp(_largest_sum(quanta, kind, statistics.strata))[1] - 53
    if excess <= 0:
        return statistics
    metric = dataclasses.replace(metric, resolution=metric.resolution * 2.0**excess)
    coarser = dataclasses.replace(statistics, metric=metric)
    # If weights would be lost, what packs them says so.
    lost = (coarser.values[:, :, 1] != statistics.values[:, :, 1]).any()
    return statistics if lost else coarser


def _largest_sum(quanta: FloatArray, kind: Kind, strata: npt.NDArray[Any] | None) -> float:
    """What no sum of a resample exceeds; `quanta` are of shape (systems, counts, units)."""
    if kind == "shuffle":
        # A pseudo-system has one system's quanta in each unit, so no part of its sum exceeds the
        # sum over units of the largest magnitude.  All else that is summed is made of differences
        # of two systems, a - b, each unit once: those from the first system that the masks keep,
        # those of a pair, and those with random signs in `_lines`.  No part of it exceeds the sum
        # over units of |a - b|, and that is at most the distance of the highest from the lowest.
        # Both bounds are exact below 2**53, and never rounded to below it.
        bounds = []
        for count in np.moveaxis(quanta, 1, 0):  # one at a time, which takes less memory
            most, least = count.max(axis=0), count.min(axis=0)
            bounds += [np.maximum(most, -least).sum(), (most - least).sum()]
        return float(max(bounds))
    # A unit may be drawn as often as there are units in its stratum.
    largest = np.abs(quanta).max(axis=(0, 1))
    labels = np.zeros(len(largest)) if strata is None else strata
    return float(sum((labels == s).sum() * largest[labels == s].max() for s in np.unique(labels)))


#: What weights are multiplied with.
Factor = Packed | Contributions | Studentizer


@dataclasses.dataclass(frozen=True, eq=False)
class Resampling:
    """A plan for resampling: whose statistics, which pairs, how often, from which seed.

    It is all that a worker needs to make any block, and small enough to send to one.

    Parameters
    ----------
    kind : {"shuffle", "bootstrap"}
        Approximate randomization exchanges the outputs of a pair unit by unit; the bootstrap
        draws units with replacement.
    statistics : tuple of Packed or Contributions
        One for each metric; all metrics share the weights.
    pairs : tuple of two index arrays, each of shape (pairs,)
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
    pairs: tuple[Indices, Indices]
    n_resamples: int
    n_units: int
    seed: int
    strata: npt.NDArray[Any] | None = None
    start: int = 0
    studentizers: tuple[Studentizer, ...] = ()

    @classmethod
    def of(
        cls,
        kind: Kind,
        statistics: Sequence[SufficientStatistics],
        pairs: tuple[Indices, Indices] = _NO_PAIRS,
        *,
        n_resamples: int,
        seed: int,
        start: int = 0,
        studentized: bool = False,
        linearised: bool = False,
    ) -> Resampling:
        """A plan; `linearised` turns signs of contributions where the score is no straight line."""
        check_n_resamples(n_resamples)
        assert start % BLOCK == 0  # a block is drawn whole or not at all
        first = statistics[0]
        return cls(
            kind=kind,
            statistics=tuple(
                Contributions.of(s, *pairs)
                if linearised and not is_straight(s)
                else Packed.of(s, kind)
                for s in statistics
            ),
            pairs=pairs,
            n_resamples=n_resamples,
            n_units=first.n_segments,
            seed=seed,
            strata=first.strata,
            start=start,
            studentizers=tuple(Studentizer.of(s, *pairs) for s in statistics if studentized),
        )

    @property
    def blocks(self) -> range:
        """Numbers of the blocks to draw."""
        return range(self.start // BLOCK, -(-self.n_resamples // BLOCK))

    def rows_in(self, block: int) -> int:
        """How many resamples are in block number `block`."""
        return min(BLOCK, self.n_resamples - block * BLOCK)

    def compared(self, m: int) -> Studentizer | Contributions | None:
        """What has a statistic of its own under metric `m`, where it is not the difference."""
        if self.studentizers:
            return self.studentizers[m]
        packed = self.statistics[m]
        return packed if isinstance(packed, Contributions) else None

    def weights(self, block: int) -> npt.NDArray[Any]:
        """The weights of block number `block`, shape (resamples, n_units)."""
        return np.concatenate(list(self.weights_in_parts(block)))

    def weights_in_parts(self, block: int) -> Iterator[npt.NDArray[Any]]:
        """The rows of `weights`, some at a time."""
        n_rows = self.rows_in(block)
        if self.kind == "shuffle":
            yield from swap_masks_in_parts(n_rows, self.n_units, seed=self.seed, key=(block,))
        elif self.strata is not None:
            yield from stratified_counts_in_parts(n_rows, self.strata, seed=self.seed, key=(block,))
        elif n_rows * self.n_units <= BYTES_KEPT:
            yield _kept_counts(n_rows, self.n_units, self.seed, block)
        else:
            rows = _rows_in_parts(n_rows, self.n_units)
            yield from bootstrap_counts_in_parts(rows, self.n_units, seed=self.seed, key=(block,))

    def scores(self, block: int) -> list[FloatArray]:
        """Per metric, every system's score under each bootstrap resample, (systems, resamples)."""
        sums, _ = self._sums(block)
        return [
            packed.scores(s)
            for packed, s in zip(self.statistics, sums, strict=True)
            if isinstance(packed, Packed)  # as all are: signs are not drawn with replacement
        ]

    def errors(self, block: int) -> list[FloatArray]:
        """Per metric, the standard error of each difference on each resample."""
        _, sums = self._sums(block)
        return [by.errors(s) for by, s in zip(self.studentizers, sums, strict=True)]

    def differences(self, block: int) -> list[FloatArray]:
        """Per metric, how much better each pair's first system comes out, (pairs, resamples).

        Differences of scores, turned round for metrics of which smaller values are better; with
        `studentizers`, from the observed ones and in the resample's own standard errors.
        """
        first, second = self.pairs
        of_scores, of_errors = self._sums(block)
        result = []
        for packed, sums in zip(self.statistics, of_scores, strict=True):
            if self.kind == "shuffle":
                differences = packed.shuffled_differences(sums, first, second)
            else:
                assert isinstance(packed, Packed)
                scores = packed.scores(sums)
                differences = scores[first]
                differences -= scores[second]
            if packed.metric.direction < 0:
                np.negative(differences, out=differences)
            result.append(differences)
        if not self.studentizers:
            return result
        studentized = zip(self.studentizers, result, of_errors, strict=True)
        return [by.t(difference, by.errors(sums)) for by, difference, sums in studentized]

    def _sums(self, block: int) -> tuple[list[AnyFloats], list[AnyFloats]]:
        """Each metric's weighted sums of a block, (columns, resamples), and each studentizer's."""
        factors: tuple[Factor, ...] = (*self.statistics, *self.studentizers)
        parts: list[list[AnyFloats]] = [[] for _ in factors]
        for drawn in self.weights_in_parts(block):
            # Converted once for each precision, not for each metric.
            in_precision = functools.cache(drawn.astype)
            for factor, part in zip(factors, parts, strict=True):
                part.append(factor.sums(in_precision(factor.matrix.dtype)))
        joined = [part[0] if len(part) == 1 else np.concatenate(part, axis=1) for part in parts]
        return joined[: len(self.statistics)], joined[len(self.statistics) :]


def map_blocks(
    resampling: Resampling,
    work: Callable[[Resampling, int], T],
    executor: Executor | None = None,
    description: str = "resampling",
) -> Iterator[T]:
    """``work(resampling, block)`` of every block, in order, here or on an executor's workers.

    Parameters
    ----------
    resampling : Resampling
    work : callable
        Of a plan and a block's number; must be picklable when the workers are processes.
    executor : concurrent.futures.Executor, optional
        None computes here; BLAS uses its own threads in either case.
    description : str
        For the progress bar, which appears when the work takes more than a second.
    """
    make, blocks = functools.partial(work, resampling), resampling.blocks
    results: Iterator[T] = map(make, blocks)
    if executor is not None:
        needs_computer("executor", "leave it out: the result is the same")
        if not callable(getattr(executor, "map", None)):
            raise InputError(
                f"executor={executor!r} is not one: give a concurrent.futures.Executor, such as "
                "ProcessPoolExecutor(2), or None to compute here."
            )
        results = executor.map(make, blocks, chunksize=BLOCKS_PER_TASK)
    n_resamples = resampling.n_resamples - resampling.start
    with ProgressBar(total=n_resamples, description=description, unit="resample") as bar:
        for block, result in zip(blocks, results, strict=True):
            bar.update(resampling.rows_in(block))
            yield result


def check_n_resamples(n_resamples: int | None) -> int:
    """`n_resamples`, unless it is not a whole number from 1 to `MOST_RESAMPLES`: `InputError`."""
    whole = isinstance(n_resamples, int | np.integer) and not isinstance(n_resamples, bool)
    if n_resamples is None or not whole or not 1 <= n_resamples <= MOST_RESAMPLES:
        raise InputError(
            f"n_resamples={n_resamples!r} must be a whole number from 1 to {MOST_RESAMPLES:_}; "
            "10_000 is usual."
        )
    return int(n_resamples)
