"""Judgements in the order in which they came: what a test that looks at them early starts from.

A unit (a segment, a document) tells two systems apart once both were judged on it.  Not every
system need be: where the next systems are chosen by their means so far, most are judged on some
units alone.  So it is of each pair, and of each segment, that it is known when it was there.
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
        When each score was there first: the number of its row, or of its segment; infinite where
        there is none.
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
        ``rater``, ``score``; ``number``, that of the segment; and ``came_at``, as in `arrival`.
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
                f"judgements: {statistics.label} is no mean of segment scores. Give people's "
                "scores, or those of a metric that is such a mean, as COMET is."
            )
        weights = statistics.values[..., 1]
        if (weights != weights[:1]).any():
            raise InputError(
                "judgements: the systems' weights differ, so that the score is no mean of "
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
        place = np.arange(len(frame))
        if order is not None:
            given_place = places_in_order(*_ordering_column(frame, order))
            by_place = np.argsort(given_place, kind="stable")
            frame = frame.iloc[by_place]
            place = given_place[by_place]
        document = "document" if "document" in frame else None
        tidy = tidy_scores(frame, score, document)
        scores = numbers_in(tidy)
        keys = ["segment"] if document is None else ["document", "segment"]
        segment_of_row = tidy.groupby(keys, sort=False).ngroup().to_numpy()
        system_of_row, systems = pd.factorize(tidy["system"])
        cell = (system_of_row, segment_of_row)
        shape = (len(systems), int(segment_of_row.max()) + 1)
        n_judged = np.zeros(shape)
        np.add.at(n_judged, cell, 1)
        sums = np.zeros(shape)
        np.add.at(sums, cell, scores)
        is_judged = n_judged > 0
        means = np.divide(sums, n_judged, out=np.zeros(shape), where=is_judged)
        is_by_system = order is None and _stand_system_by_system(system_of_row)
        came_at = segment_of_row if is_by_system else np.arange(len(tidy))
        arrival = np.full(shape, np.inf)
        np.minimum.at(arrival, cell, came_at.astype(np.float64))
        # Means of the judgements up to a look lie between the lowest and the highest.
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
        documents = None
        if document is not None:
            documents = tidy.drop_duplicates(keys)["document"].to_numpy()
        statistics = SufficientStatistics(
            metric=metric,
            systems=tuple(systems),
            values=np.stack([means, is_judged.astype(np.float64)], axis=-1),
            documents=documents,
        )
        rows = tidy.assign(score=scores, came_at=came_at, number=segment_of_row)
        if "rater" in frame:
            rows["rater"] = frame["rater"].to_numpy()
        n_segments_at_place = pd.Series(segment_of_row).groupby(place).transform("nunique")
        return cls(
            statistics,
            arrival,
            n_again=int((n_judged[is_judged] - 1).sum()),
            is_by_system=is_by_system,
            n_tied=int((n_segments_at_place > 1).sum()),
            names=tidy.drop_duplicates(keys)["segment"].to_numpy(),
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
        if self.rows is None or not self.n_again:
            quanta: FloatArray = self.statistics.values[..., 0] / metric.quantum
            return np.where(self.arrival < time, quanta, 0.0)
        rows = self.rows[self.rows["came_at"] < time]
        number_of_system = {name: k for k, name in enumerate(self.statistics.systems)}
        cell = (rows["system"].map(number_of_system).to_numpy(), rows["number"].to_numpy())
        sums = np.zeros(self.arrival.shape)
        np.add.at(sums, cell, rows["score"].to_numpy())
        n_judged = np.zeros(self.arrival.shape)
        np.add.at(n_judged, cell, 1)
        means = np.divide(sums, n_judged, out=np.zeros_like(sums), where=n_judged > 0)
        return np.rint(means / metric.quantum)

    def select(self, systems: list[str]) -> Judgements:
        """The judgements of some of the systems."""
        rows = [self.statistics.index(system) for system in systems]
        judgements = self.rows
        if judgements is not None:
            judgements = judgements[judgements["system"].isin(systems)]
        return dataclasses.replace(
            self,
            statistics=self.statistics.select(systems),
            arrival=self.arrival[rows],
            rows=judgements,
        )


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
        are_segments = isinstance(units, str) and units == "segments"
        unit = statistics.unit
        if not are_segments:
            unit = "documents" if isinstance(units, str) else "units"
        names = labels
        if are_segments and judgements.names is not None:
            names = judgements.names
        is_judged_at_all = np.isfinite(judgements.arrival).any(axis=0)
        of_one_system = np.asarray(names)[is_judged_at_all & (unit_of < 0)]
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
