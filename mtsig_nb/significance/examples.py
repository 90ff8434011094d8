"""Which units carry a difference between two systems, and which speak against it.

A unit's contribution is the number to which :mod:`mtsig_nb.engine.sign_flips` gives a random sign.
It is the unit's influence, which is about what leaving the unit out changes.  The influences do not
quite add up to the difference; what they lack is shared out among the units.  So the contributions
of all units add up to the difference, and units in which the two systems have the same statistics
contribute nothing.  Of a mean, a unit's contribution is its own difference over the number of
units.

Units that are chosen because they contribute most are no sample of anything.  They illustrate a
difference that was tested with all units.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence

import numpy as np

from ..engine.sign_flips import split_by_sign
from ..engine.tallies import PAIR
from ..frames import pd
from ..metrics.base import FloatArray, Indices, IntArray
from ..statistics.many_test_sets import ScoredSets
from ..statistics.sufficient import SufficientStatistics

#: Contributions below this share of the largest are rounding.
_ROUNDING = 1e-9


@dataclasses.dataclass(frozen=True, eq=False)
class Segments:
    """The segments of a test set, and the unit that each belongs to.

    Attributes
    ----------
    test_set : str
        Empty where there is only one.
    statistics : SufficientStatistics
        By segment.
    unit_of : ndarray of int, shape (segments,)
    """

    test_set: str
    statistics: SufficientStatistics
    unit_of: IntArray


@dataclasses.dataclass(frozen=True, eq=False)
class Differences:
    """What each unit contributes to the difference between two systems.

    Attributes
    ----------
    ahead, behind : str
        The systems; the first has the better score, or an equal one.
    statistics : SufficientStatistics
        Of the two systems, by unit.
    segments : tuple of Segments
        Of each test set, for the two systems.
    difference : float
        How much better the first system is; never negative.
    points : ndarray, shape (units,)
        The contributions, which add up to the difference; negative where the second system is
        better.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> found = Differences.of(bleu, "onlineA", "onlineB")
    >>> found.ahead, bool(np.isclose(found.points.sum(), found.difference))
    ('onlineB', True)
    >>> found.chosen(2)[["segment", "share"]].round(4).values.tolist()
    [['2125', 0.0061], ['2130', 0.0056], ['2484', -0.0035], ['2471', -0.0032]]
    """

    ahead: str
    behind: str
    statistics: SufficientStatistics
    segments: tuple[Segments, ...]
    difference: float
    points: FloatArray

    @classmethod
    def of(
        cls, statistics: SufficientStatistics, system_a: str, system_b: str, units: str = "segments"
    ) -> Differences:
        """The differences between two systems on one test set; `units` as in `by_unit`."""
        pair = _best_first(statistics, system_a, system_b)
        unit_of, _ = pd.factorize(pair.labels_of_units(units))
        return cls._of(pair.by_unit(units), [Segments("", pair, unit_of)])

    @classmethod
    def over_test_sets(cls, sets: ScoredSets, system_a: str, system_b: str) -> Differences:
        """The differences between two systems in the mean over test sets."""
        pair = _best_first(sets.overall, system_a, system_b)
        segments = []
        for name, statistics, unit_of in zip(sets.names, sets.segments, sets.unit_of, strict=True):
            segments.append(Segments(name, statistics.select(pair.systems), unit_of))
        return cls._of(pair, segments)

    @classmethod
    def _of(cls, pair: SufficientStatistics, segments: Sequence[Segments]) -> Differences:
        """The differences between two systems, the better one first, of all segments."""
        ahead, behind = pair.systems
        return cls(
            ahead=ahead,
            behind=behind,
            statistics=pair,
            segments=tuple(segments),
            difference=float(_advantage(pair, pair.totals())),
            points=contributions_to_difference(pair),
        )

    @property
    def n_favouring(self) -> tuple[int, int]:
        """How many units favour the system that is ahead, and how many the other."""
        return int((self.points > 0).sum()), int((self.points < 0).sum())

    @property
    def n_flips(self) -> tuple[int, int] | None:
        """In how many segments only the system ahead is right, and in how many only the other.

        None for scores that are not yes or no.
        """
        if not all(segments.statistics.is_binary for segments in self.segments):
            return None
        n_ahead = 0
        n_behind = 0
        for segments in self.segments:
            statistics = segments.statistics
            # The first of a mean's two sufficient statistics is the score times the weight.
            first, second = statistics.metric.direction * statistics.values[..., 0]
            n_ahead += int((first > second).sum())
            n_behind += int((first < second).sum())
        return n_ahead, n_behind

    def chosen(self, n: int) -> pd.DataFrame:
        """The units that contribute most to either side.

        Parameters
        ----------
        n : int
            The most units of either side.

        Returns
        -------
        DataFrame
            A row for each unit: those that favour the system that is ahead, the largest
            contribution first, and then those that favour the other.  Of units that contribute the
            same, the first in the test set comes first.

            - ``favours``: the system;
            - ``test_set``, where there are several;
            - ``document``, where it is known;
            - ``segment``: its name, or else its number from 1 on; of a unit with several segments
              that which contributes most to the same side;
            - ``points``: the unit's contribution, negative where it favours the other system;
            - ``share``: its share of the difference; NaN where there is no difference;
            - ``difference_without``: the difference if the unit is left out;
            - ``segment_points``: of a unit with several segments, the contribution of this one;
            - ``score_ahead``, ``score_behind``: the scores of the segment by itself;
            - ``place``: the number of the segment in its test set, from 0 on.
        """
        rows = []
        largest = np.abs(self.points).max() or 1.0  # where nothing contributes, nothing is divided
        for system, towards in ((self.ahead, self.points), (self.behind, -self.points)):
            # Those that differ by rounding alone stay in the order of the test set.
            rounded = np.round(towards / (_ROUNDING * largest))
            order = np.argsort(-rounded, kind="stable")[:n]
            units = order[towards[order] > 0]
            without = self._without(units)
            for unit, difference_without in zip(units, without, strict=True):
                row = {"favours": system, **self._segment_of(unit)}
                row["points"] = self.points[unit]
                row["share"] = self._share(self.points[unit])
                row["difference_without"] = difference_without
                rows.append(row)
        return pd.DataFrame(rows, columns=self._columns())  # rows have values for more columns

    def _columns(self) -> list[str]:
        """The columns of `chosen` that there are, in their order."""
        columns = ["favours"]
        if len(self.segments) > 1:
            columns.append("test_set")
        if any(segments.statistics.documents is not None for segments in self.segments):
            columns.append("document")
        columns += ["segment", "points", "share", "difference_without"]
        if self._has_several_segments:
            columns.append("segment_points")
        return [*columns, "score_ahead", "score_behind", "place"]

    @property
    def _has_several_segments(self) -> bool:
        """Whether units may have several segments."""
        n_segments = sum(len(segments.unit_of) for segments in self.segments)
        return n_segments > self.statistics.n_segments

    def _share(self, points: float) -> float:
        """The share of the difference; NaN if there is none, but for rounding."""
        is_nothing = self.difference <= _ROUNDING * np.abs(self.points).sum()
        return np.nan if is_nothing else points / self.difference

    def _without(self, units: Indices) -> FloatArray:
        """The difference without each of some units in turn."""
        totals = self.statistics.totals()[:, None]
        return _advantage(self.statistics, totals - self.statistics.values[:, units])

    @functools.cached_property
    def _points_of_segments(self) -> list[FloatArray]:
        """What each segment of each test set contributes to the difference."""
        n_sets = len(self.segments)
        if n_sets == 1 and not self._has_several_segments:
            return [self.points]
        # The difference is that of the mean over test sets.
        return [contributions_to_difference(s.statistics) / n_sets for s in self.segments]

    def _segment_of(self, unit: int) -> dict[str, object]:
        """The segment of a unit that contributes most to the unit's side, by names of columns.

        Its keys are those of `_described`, and ``segment_points``.
        """
        side = np.sign(self.points[unit])
        largest = -np.inf
        found: dict[str, object] = {}
        for segments, points in zip(self.segments, self._points_of_segments, strict=True):
            members = np.flatnonzero(segments.unit_of == unit)
            if not len(members):
                continue
            place = members[np.argmax(side * points[members])]
            if side * points[place] > largest:
                largest = side * points[place]
                found = _described(segments, int(place))
                found["segment_points"] = points[place]
        return found


def contributions_to_difference(pair: SufficientStatistics) -> FloatArray:
    """What each unit contributes to the first system's advantage over the second, shape (units,).

    Contributions that are nothing but rounding are 0.
    """
    signed, _ = split_by_sign(pair, *PAIR)
    points = pair.metric.direction * signed[0]
    points[np.abs(points) <= _ROUNDING * np.abs(points).max()] = 0.0
    return points


def _best_first(
    statistics: SufficientStatistics, system_a: str, system_b: str
) -> SufficientStatistics:
    """The statistics of two systems, those of the better one first."""
    pair = statistics.select([system_a, system_b])
    if _advantage(pair, pair.totals()) < 0:
        return pair.select([system_b, system_a])
    return pair


def _advantage(pair: SufficientStatistics, sums: FloatArray) -> FloatArray:
    """How much better the first system is; `sums` has shape (2, ..., counts)."""
    first, second = pair.metric.score(sums)
    return np.asarray(pair.metric.direction * (first - second))


def _described(segments: Segments, place: int) -> dict[str, object]:
    """What a segment is called, where it is, and its scores."""
    statistics = segments.statistics
    names = statistics.segment_names
    documents = statistics.documents
    first, second = statistics.metric.score(statistics.values[:, place])
    return {
        "test_set": segments.test_set,
        "document": "" if documents is None else str(documents[place]),
        "segment": str(place + 1 if names is None else names[place]),
        "score_ahead": float(first),
        "score_behind": float(second),
        "place": place,
    }
