"""What a metric is: named sufficient statistics per segment, and a score of their sums.

Everything else in the package (resampling, tests, intervals, clusters) uses only these two, so a
metric that defines them gets all of it.  :doc:`/docs/architecture` has the map.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from .settings import setting_of_type, setting_types

FloatArray = npt.NDArray[np.float64]
#: Of float32 or float64.
AnyFloats = npt.NDArray[np.floating]
IntArray = npt.NDArray[np.int64]
Indices = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]
Array = npt.NDArray[Any]
#: What NumPy makes an array of.
ArrayLike = npt.ArrayLike
#: A text, one segment an item.
Lines = Sequence[str]


@dataclasses.dataclass(frozen=True)
class Metric(ABC):
    """A score that is a function of sums of per-segment statistics.

    Subclasses are frozen dataclasses whose fields are the metric's settings, so that a metric can
    be compared, hashed, written to a file and made again from ``name`` and ``settings``.  The value
    of a field has to be of its declared type, or its text on a command line ("no" for False).  A
    subclass with its own ``__post_init__`` first calls that of this class.

    Attributes
    ----------
    name : str
        The metric's name in the field, such as ``"BLEU"``.
    columns : tuple of str
        One name per sufficient statistic, in the order of the last axis of all arrays.
    higher_is_better : bool
        False for error rates such as TER.  Every difference, tail and conclusion respects it.
    takes_gaps : bool
        Whether `statistics` takes None for a segment that lacks one of several references.  Other
        metrics get a copy of one of the segment's other references instead, which changes nothing
        if the best or the closest reference of a segment counts.
    quantum : float
        A power of two of which every statistic is a whole multiple: 1 for counts, a small
        fraction for real-valued statistics.  Sums of such numbers are exact in floating point as
        long as they fit the mantissa, so no order of summation, thread count or machine can move
        a tie between two resamples.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.metrics.BLEU()
    >>> bleu.score([18, 18, 16, 13, 10, 8, 18, 17, 16, 15]).round(2).item()
    68.99
    >>> bleu.direction, mt.metrics.TER().direction
    (1, -1)
    >>> mt.metrics.NIST().snap([1 / 3]).item() == 1 / 3  # whole multiples of the quantum only
    False
    >>> bleu.slopes([18.0] * 10, [False] * 10)  # no straight line
    >>> bleu.weights([[18.0] * 10])  # a segment weighs as any other
    >>> bleu.require()  # nothing that is not installed
    >>> bleu.words("The tea is hot."), mt.metrics.chrF().words("The tea is hot.")
    (['The', 'tea', 'is', 'hot', '.'], None)
    >>> mt.metrics.BLEU(lowercase="no").lowercase
    False
    """

    name: ClassVar[str]
    higher_is_better: ClassVar[bool] = True
    takes_gaps: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for name, kind in setting_types(type(self)).items():
            object.__setattr__(self, name, setting_of_type(name, getattr(self, name), kind))

    def __getstate__(self) -> dict[str, Any]:
        """The settings alone: what an instance has counted with stays here when it travels."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}

    def require(self) -> None:  # noqa: B027 - most need nothing
        """Make sure that what `statistics` needs is there, before anything is computed.

        Raises
        ------
        InputError
            If a program or package is missing; the message says which, and how to get it.
        """

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """Names of the sufficient statistics."""

    @property
    def quantum(self) -> float:
        """The grid of the statistics; see the class."""
        return 1.0

    @property
    def grid_error(self) -> float:
        """How much rounding to the grid can separate two differences of scores that are the same.

        Nothing for counts.  Closer differences are ties, however the statistics were rounded.
        """
        return 0.0

    @property
    def rounding(self) -> float:
        """How much rounding in `score` can separate two differences of scores that are the same.

        It is a share of the scores; closer differences are ties.  Logarithms, exponentials and a
        few products round by about 1e-15.
        """
        return 1e-12

    def rounding_error(self, largest: float) -> float:
        """How much rounding of any kind can separate two differences that are the same.

        `largest` is the largest absolute score.

        Examples
        --------
        >>> from mtsig_nb.metrics import BLEU
        >>> BLEU().rounding_error(40.0)
        4e-11
        """
        return self.grid_error + self.rounding * largest

    @property
    @abstractmethod
    def signature(self) -> str:
        """Version and settings in sacreBLEU's manner: ``BLEU|case:mixed|tok:13a|…``."""

    @abstractmethod
    def statistics(self, hypotheses: Lines, references: Sequence[Lines]) -> FloatArray:
        """Sufficient statistics of one system's output.

        Parameters
        ----------
        hypotheses : sequence of str, length segments
        references : sequence of sequences of str, shape (references, segments)

        Returns
        -------
        ndarray of float64, shape (segments, counts)
            Whole multiples of `quantum`.
        """

    @abstractmethod
    def score(self, sums: ArrayLike) -> FloatArray:
        """Scores of summed statistics.

        Parameters
        ----------
        sums : array_like, shape (..., counts)
            Sums over the segments of a (re)sample, one row per sample.

        Returns
        -------
        ndarray of float64, shape (...)
            In the metric's usual units (BLEU, chrF and TER: 0 to 100).
        """

    def words(self, line: str) -> Sequence[str] | None:
        """The words of a line as the metric splits them; None if it does not count words."""
        return None

    def slopes(self, sums: FloatArray, fixed: Mask) -> FloatArray | None:
        """How much the score rises with each count, while the `fixed` counts stay as in `sums`.

        Parameters
        ----------
        sums : ndarray, shape (counts,)
        fixed : ndarray of bool, shape (counts,)
            Counts that do not change.

        Returns
        -------
        ndarray, shape (counts,), or None
            None if the score is not a straight line in the counts, as most scores are not.
        """
        return None

    def weights(self, values: FloatArray) -> FloatArray | None:
        """The weight of each unit in the score.

        Parameters
        ----------
        values : ndarray, shape (..., counts)
            The statistics of the units.

        Returns
        -------
        ndarray, shape (...), or None
            None if a unit's weight is its number of segments.
        """
        return None

    @property
    def direction(self) -> int:
        """+1 where larger scores are better, -1 where smaller ones are."""
        return 1 if self.higher_is_better else -1

    @property
    def settings(self) -> dict[str, Any]:
        """The metric's settings, from which ``type(metric)(**settings)`` makes it again."""
        return dataclasses.asdict(self)

    def snap(self, values: ArrayLike) -> FloatArray:
        """`values` rounded to the metric's grid, whole multiples of `quantum`."""
        # In place: simulated campaigns are large.
        snapped = np.array(values, dtype=np.float64)
        snapped /= self.quantum
        np.round(snapped, out=snapped)
        snapped *= self.quantum
        return snapped


def counts_first(sums: ArrayLike) -> FloatArray:
    """Summed statistics of shape (..., counts) as (counts, ...), the values of a count contiguous.

    >>> counts_first([[1, 2, 3], [4, 5, 6]]).tolist()
    [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]
    """
    values = np.asarray(sums, dtype=np.float64)
    return np.ascontiguousarray(np.moveaxis(values, -1, 0))


def by_order(count: str, max_order: int) -> tuple[str, ...]:
    """Names of the counts of n-grams up to an order.

    >>> by_order("match", 2)
    ('match_1', 'match_2')
    """
    return tuple(f"{count}_{n}" for n in range(1, max_order + 1))
