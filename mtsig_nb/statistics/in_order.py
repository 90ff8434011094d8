"""Judgements in the order in which they came: what a test that looks at them early starts from.

A unit (a segment, a document) tells two systems apart once both were judged on it.  Not every
system need be judged on every unit: where the next systems are chosen by their means so far, most
are judged on some units alone.  So it is recorded for each pair on each segment when both systems
had been judged.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import pandas as pd

from ..errors import InputError, check_one_of
from ..metrics.base import Array, ArrayLike, FloatArray, Indices, Mask
from ..metrics.mean import SegmentMean
from .order_of_rows import places_in_order
from .sufficient import (
    SufficientStatistics,
    exact_resolution,
    numbers_in,
    pair_indices,
    tidy_scores,
)


@dataclasses.dataclass(frozen=True, eq=False)
class Judgements:
    """Scores of segments, and when each was there.

    Attributes
    ----------
    statistics : SufficientStatistics
        Of a `SegmentMean`, segments in the order of their first judgements.  Where a system was not
        judged on a segment its score and its weight are 0.
    arrival : ndarray of shape (systems, segments)
        When each score was there first, infinite where there is none: the number of its row in the
        table of judgements, or that of its segment where segments came as a whole.
    n_again : int
        How many judgements are of outputs that had been judged before.
    is_by_system : bool
        Whether judgements were given system by system, which says nothing of when they came; each
        segment is then taken to have come as a whole, in the order of the first system's.
    n_tied : int
        How many judgements have the same place in the order as one of another segment.
    names : ndarray of shape (segments,), optional
        What segments are called; by default their numbers.
    rows : DataFrame, optional
        The single judgements in their order: ``system``, ``segment``, maybe ``document`` and
        ``rater``, ``score``; ``number``, that of the segment in `statistics`; and ``came_at``, when
        the judgement came, on the scale of `arrival`.
    """

    statistics: SufficientStatistics
    arrival: FloatArray
    n_again: int = 0
    is_by_system: bool = False
    n_tied: int = 0
    names: Array | None = None
    rows: pd.DataFrame | None = None

    @classmethod
    def of(cls, statistics: SufficientStatistics) -> Judgements:
        """Statistics of which the segments came one after the other, each for all systems."""
        if not isinstance(statistics.metric, SegmentMean):
            raise InputError(
                f"judgements: {statistics.label} is not a mean of segment scores. Give people's "
                "scores, or those of a metric that is such a mean, as COMET is."
            )
        weights = statistics.values[..., 1]
        if (weights != weights[:1]).any():
            raise InputError(
                "judgements: the systems' weights differ, so the score is not a mean of "
                "differences. Give every segment one weight."
            )
        numbers = np.arange(statistics.n_segments, dtype=np.float64)
        arrival = np.tile(numbers, (len(statistics.systems), 1))
        return cls(statistics, arrival)

    @classmethod
    def from_frame(
        cls, frame: pd.DataFrame, *, score: str, order: str | None, higher_is_better: bool
    ) -> Judgements:
        """Judgements from a table with a row for each; see :func:`mtsig_nb.sequential_test`."""
        place_of_row = np.arange(len(frame))
        if order is not None:
            places = places_in_order(*_ordering_column(frame, order))
            first_to_last = np.argsort(places, kind="stable")
            frame = frame.iloc[first_to_last]
            place_of_row = places[first_to_last]
        has_documents = "document" in frame
        tidy = tidy_scores(frame, score, "document" if has_documents else None)
        scores = numbers_in(tidy)
        keys = ["document", "segment"] if has_documents else ["segment"]
        segment_of_row = tidy.groupby(keys, sort=False).ngroup().to_numpy()
        system_of_row, systems = pd.factorize(tidy["system"])
        cell = (system_of_row, segment_of_row)
        shape = (len(systems), int(segment_of_row.max()) + 1)
        means, n_judged = _means_of_cells(scores, cell, shape)
        is_judged = n_judged > 0
        is_by_system = order is None and _stand_system_by_system(system_of_row)
        came_at = segment_of_row if is_by_system else np.arange(len(tidy))
        arrival = np.full(shape, np.inf)
        np.minimum.at(arrival, cell, came_at.astype(np.float64))
        # The grid must hold the means at all looks, and these lie between lowest and highest.
        lowest = np.full(shape, np.inf)
        np.minimum.at(lowest, cell, scores)
        highest = np.full(shape, -np.inf)
        np.maximum.at(highest, cell, scores)
        extremes = np.where(np.tile(is_judged, (2, 1)), np.concatenate([lowest, highest]), 0.0)
        metric = SegmentMean(
            label=score,
            larger_is_better=higher_is_better,
            resolution=exact_resolution(extremes),
        )
        segments = tidy.drop_duplicates(keys)
        statistics = SufficientStatistics(
            metric=metric,
            systems=tuple(systems),
            values=np.stack([means, is_judged.astype(np.float64)], axis=-1),
            documents=segments["document"].to_numpy() if has_documents else None,
        )
        rows = tidy.assign(score=scores, came_at=came_at, number=segment_of_row)
        if "rater" in frame:
            rows["rater"] = frame["rater"].to_numpy()
        segments_of_rows = pd.Series(segment_of_row)
        n_segments_at_place = segments_of_rows.groupby(place_of_row).transform("nunique")
        return cls(
            statistics,
            arrival,
            n_again=int((n_judged[is_judged] - 1).sum()),
            is_by_system=is_by_system,
            n_tied=int((n_segments_at_place > 1).sum()),
            names=segments["segment"].to_numpy(),
            rows=rows,
        )

    @property
    def is_complete(self) -> bool:
        """Whether every system was judged on every segment."""
        return bool(np.isfinite(self.arrival).all())

    def quanta_before(self, time: float) -> FloatArray:
        """Means of the judgements that came before a time, in whole steps of the metric's grid.

        Shape (systems, segments); 0 where there is none yet.
        """
        metric = self.statistics.metric
        if self.rows is None or not self.n_again:  # means never change
            quanta: FloatArray = self.statistics.values[..., 0] / metric.quantum
            return np.where(self.arrival < time, quanta, 0.0)
        rows = self.rows[self.rows["came_at"] < time]
        number_of_system = {name: k for k, name in enumerate(self.statistics.systems)}
        cell = (rows["system"].map(number_of_system).to_numpy(), rows["number"].to_numpy())
        means, _ = _means_of_cells(rows["score"].to_numpy(), cell, self.arrival.shape)
        return np.rint(means / metric.quantum)

    def select(self, systems: list[str]) -> Judgements:
        """The judgements of some of the systems."""
        numbers = [self.statistics.index(system) for system in systems]
        rows = self.rows
        if rows is not None:
            rows = rows[rows["system"].isin(systems)]
        return dataclasses.replace(
            self,
            statistics=self.statistics.select(systems),
            arrival=self.arrival[numbers],
            rows=rows,
        )


def _means_of_cells(
    scores: FloatArray, cell: tuple[Array, Array], shape: tuple[int, int]
) -> tuple[FloatArray, FloatArray]:
    """The mean score of each system on each segment, 0 where there is none, and of how many scores.

    Parameters
    ----------
    scores : ndarray, shape (judgements,)
    cell : (ndarray of int, ndarray of int), each of shape (judgements,)
        The system and the segment of each score, by their numbers.
    shape : (int, int)
        How many systems and segments there are, which is the shape of both results.
    """
    n_judged = np.zeros(shape)
    np.add.at(n_judged, cell, 1)
    sums = np.zeros(shape)
    np.add.at(sums, cell, scores)
    means = np.divide(sums, n_judged, out=np.zeros(shape), where=n_judged > 0)
    return means, n_judged


def _ordering_column(frame: pd.DataFrame, order: str) -> tuple[pd.Series, Callable[[int], str]]:
    """The column by which judgements are put in order, and what messages call a row of it.

    Raises
    ------
    InputError
        If there is no such column, or more than one.
    """
    columns = list(map(str, frame.columns))
    check_one_of("order", order, columns)
    if columns.count(order) > 1:
        raise InputError(f"order: the frame has more than one column {order!r}. Rename one.")

    def named(row: int) -> str:
        return f"order: row {row} (counted from 0) of column {order!r}"

    return frame[order], named


def _stand_system_by_system(system_of_row: Indices) -> bool:
    """Whether all rows of a system stand together, and are several."""
    n_systems = len(np.unique(system_of_row))
    n_runs = 1 + np.count_nonzero(np.diff(system_of_row))
    return bool(n_runs == n_systems and np.bincount(system_of_row).min() > 1)


@dataclasses.dataclass(frozen=True, eq=False)
class Differences:
    """What each segment says of each pair, and when; 0 where it says nothing.

    Attributes
    ----------
    judgements : Judgements
    pairs : (ndarray, ndarray), each of shape (pairs,)
    weights : ndarray, shape (pairs, segments)
    arrival : ndarray, shape (pairs, segments)
        When both scores were there; infinite where one is lacking.
    unit_of : ndarray of int, shape (segments,)
        The number of each segment's unit, in the order in which units came; -1 for segments that
        say nothing of any pair.
    began : ndarray, shape (units,)
        When each unit said something first; ascending.
    unit : str
        What units are called.
    of_one_system : tuple of str
        The units of which a single system was judged, so that they say nothing.
    """

    judgements: Judgements
    pairs: tuple[Indices, Indices]
    weights: FloatArray
    arrival: FloatArray
    unit_of: Indices
    began: FloatArray
    unit: str
    of_one_system: tuple[str, ...] = ()

    @classmethod
    def of(cls, judgements: Judgements, units: str | ArrayLike) -> Differences:
        """The differences of all pairs of the systems judged.

        Raises
        ------
        InputError
            If documents are asked for and not known.
        """
        statistics = judgements.statistics
        first, second = pair_indices(len(statistics.systems))
        arrival = np.maximum(judgements.arrival[first], judgements.arrival[second])
        is_judged = np.isfinite(arrival)
        labels = statistics.labels_of_units(units)
        unit_of, began = _in_order_of_arrival(labels, arrival.min(axis=0))
        unit = "units"  # by labels of the caller's
        names = np.asarray(labels)
        if isinstance(units, str):
            unit = statistics.unit if units == "segments" else "documents"
            if units == "segments" and judgements.names is not None:
                names = judgements.names
        is_judged_at_all = np.isfinite(judgements.arrival).any(axis=0)
        of_one_system = names[is_judged_at_all & (unit_of < 0)]
        return cls(
            judgements=judgements,
            pairs=(first, second),
            weights=np.where(is_judged, statistics.values[first, :, 1], 0.0),
            arrival=arrival,
            unit_of=unit_of,
            began=began,
            unit=unit,
            of_one_system=tuple(dict.fromkeys(map(str, of_one_system))),
        )

    @property
    def n_units(self) -> int:
        """How many units say something of any pair."""
        return len(self.began)

    @property
    def quantum(self) -> float:
        """The step of the grid on which sums are exact, in the metric's units."""
        return float(self.judgements.statistics.metric.quantum)

    def quanta_after(self, n_units: int) -> FloatArray:
        """How much better the first system was when the next unit began, in whole `quantum`.

        Shape (pairs, segments); 0 where not both systems had been judged.
        """
        quanta = self.judgements.quanta_before(self.next_began(n_units))
        first, second = self.pairs
        gains = self.judgements.statistics.metric.direction * (quanta[first] - quanta[second])
        return np.where(self.there_after(n_units), gains, 0.0)

    def there_after(self, n_units: int) -> Mask:
        """Which differences were there before the next unit began, shape (pairs, segments)."""
        return np.isfinite(self.arrival) & (self.arrival < self.next_began(n_units))

    def next_began(self, n_units: int) -> float:
        """When the unit after the first `n_units` began; infinite where there is none."""
        return float(self.began[n_units]) if n_units < self.n_units else np.inf

    def by_unit(self, values: FloatArray, n_units: int) -> FloatArray:
        """Sums of segments' values in the first units, shape (pairs, n_units)."""
        is_counted = (self.unit_of >= 0) & (self.unit_of < n_units)
        sums = np.zeros((n_units, len(values)))
        np.add.at(sums, self.unit_of[is_counted], values[:, is_counted].T)
        return sums.T


def _in_order_of_arrival(labels: ArrayLike, arrival: FloatArray) -> tuple[Indices, FloatArray]:
    """The units of segments, numbered in the order in which they came, and when each began.

    `labels` name each segment's unit.  Units of which no segment arrived have no number.
    """
    unit_of, names = pd.factorize(np.asarray(labels))
    began = np.full(len(names), np.inf)
    np.minimum.at(began, unit_of, arrival)
    order = np.argsort(began, kind="stable")
    n_units = int(np.isfinite(began).sum())
    number = np.full(len(names), -1)
    number[order[:n_units]] = np.arange(n_units)
    return number[unit_of], began[order[:n_units]]
