"""Sufficient statistics of several systems on one test set: what every analysis starts from."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..errors import InputError, check_one_of
from ..metrics.base import FloatArray, Metric
from ..metrics.mean import MacroAverage


@dataclasses.dataclass(frozen=True, eq=False)
class SufficientStatistics:
    """One metric's statistics for every segment of every system.

    Parameters
    ----------
    metric : Metric
    systems : sequence of str, distinct
    values : array_like, shape (systems, segments, counts)
        Statistics per segment, in the order of ``metric.columns``; rounded to the metric's grid.
    documents : array_like of shape (segments,), optional
        The document (or talk, or topic) that each segment belongs to.
    test_set : str
        Name of the test set, shown in results.
    n_references : int, optional
        How many references the statistics were counted against, for the signature.
    unit : str
        What one row of the second axis is: ``"segments"``, or what `by_unit` summed them into.
    strata : array_like of shape (segments,), optional
        Labels of strata that a bootstrap must resample separately; see `by_stratum`.
    sizes : ndarray of shape (units,), optional
        How many segments each unit is the sum of; None where each is one.
    title : str
        What it is called in tables and figures, if not by the metric's name.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> bleu
    SufficientStatistics(BLEU, 12 systems, 3003 segments, 10 counts, test set wmt12/es-en)
    >>> bleu.scores().round(2).head(3)
    onlineB          37.72
    uedin-wmt12      33.43
    QCRI--primary    32.85
    Name: BLEU, dtype: float64
    >>> pair = bleu.select(["onlineA", "onlineB"])
    >>> pair.index("onlineB"), pair.totals().shape, pair.segment_scores().shape
    (1, (2, 10), (2, 3003))
    >>> pair.subset(range(1000)).n_segments, pair.by_unit("documents").values.shape
    (1000, (2, 99, 10))
    """

    metric: Metric
    systems: tuple[str, ...]
    values: FloatArray
    documents: npt.NDArray[Any] | None = None
    test_set: str = ""
    n_references: int | None = None
    unit: str = "segments"
    strata: npt.NDArray[Any] | None = None
    title: str = ""
    sizes: FloatArray | None = None

    def __post_init__(self) -> None:
        set_field = object.__setattr__  # the class is frozen for everybody else
        set_field(self, "systems", tuple(map(str, self.systems)))
        if np.iscomplexobj(self.values):
            raise InputError("values are complex numbers; give their real part or their size.")
        raw = np.asarray(self.values, dtype=np.float64)
        expected = (len(self.systems), len(self.metric.columns))
        if raw.ndim != 3 or (raw.shape[0], raw.shape[2]) != expected:
            raise InputError(
                f"values has shape {raw.shape}; {self.metric.name} for {expected[0]} systems needs "
                f"({expected[0]}, segments, {expected[1]}), its counts being "
                f"{', '.join(self.metric.columns)}."
            )
        if raw.shape[1] == 0:
            raise InputError("values has no segments; a test set needs at least one.")
        repeated = sorted(s for s, n in Counter(self.systems).items() if n > 1)
        if repeated:
            raise InputError(
                f"systems: {', '.join(map(repr, repeated))} is given more than once; "
                "rename one of them."
            )
        self._check_finite(raw)
        values = self.metric.snap(raw)
        values.flags.writeable = False
        set_field(self, "values", values)
        for name in ("documents", "strata"):
            labels = getattr(self, name)
            if labels is not None:
                set_field(self, name, self._labels(labels, name))
        self._check_strata()
        if self.sizes is not None and self.sizes.shape != (self.n_segments,):
            raise InputError(
                f"sizes has shape {self.sizes.shape}; it needs one for each of the "
                f"{self.n_segments} {self.unit}."
            )

    def _check_finite(self, values: FloatArray) -> None:
        bad = np.argwhere(~np.isfinite(values))
        if len(bad):
            system, segment, count = bad[0]
            raise InputError(
                f"values: {len(bad)} statistics are not finite numbers, the first that of system "
                f"{self.systems[system]!r}, segment {segment}, "
                f"{self.metric.columns[count]!r}. Remove the segment for all systems, or score it."
            )

    def _check_strata(self) -> None:
        if self.strata is not None:
            labels, counts = np.unique(self.strata, return_counts=True)
            if counts.min() < 2:
                raise InputError(
                    f"strata: {str(labels[counts.argmin()])!r} has only one of the "
                    f"{self.n_segments} {self.unit}, so that resampling within it changes "
                    "nothing. Join it with another."
                )
        if isinstance(self.metric, MacroAverage):
            names = self.metric.strata
            columns = np.asarray(self.values.any(axis=(0, 1))).reshape(len(names), -1)
            empty = sorted(name for name, own in zip(names, columns, strict=True) if not own.any())
            if empty:
                raise InputError(
                    f"strata: {', '.join(map(repr, empty))} is without {self.unit}. "
                    "Take the subset first, and by_stratum after it."
                )

    def _labels(self, labels: npt.ArrayLike, argument: str) -> npt.NDArray[Any]:
        array = np.asarray(labels)
        if array.shape != (self.n_segments,):
            raise InputError(
                f"{argument} has shape {array.shape}; it needs one label for each of the "
                f"{self.n_segments} {self.unit}."
            )
        if pd.isna(array).any():
            raise InputError(f"{argument}: label {int(pd.isna(array).argmax())} is missing.")
        return array

    @property
    def n_segments(self) -> int:
        """Segments, or units of the kind that `unit` names."""
        return self.values.shape[1]

    @property
    def present(self) -> npt.NDArray[np.bool_]:
        """Units of which any system has anything: not those that lie in other test sets alone."""
        return np.asarray(self.values.any(axis=(0, 2)))

    @property
    def signature(self) -> str:
        """The metric's signature, with the number of references where it is known."""
        name, _, rest = self.metric.signature.partition("|")
        references = f"nrefs:{self.n_references}|" if self.n_references else ""
        return f"{name}|{references}{rest}"

    @property
    def label(self) -> str:
        """The metric's name as shown in tables and figures, or a name of its own."""
        return self.title or getattr(self.metric, "label", self.metric.name)

    def index(self, system: str) -> int:
        """Position of `system` on the first axis; an `InputError` names the closest if absent."""
        check_one_of("system", system, self.systems)
        return self.systems.index(system)

    def totals(self) -> FloatArray:
        """Statistics summed over the test set, shape (systems, counts)."""
        return self.values.sum(axis=1)

    def scores(self) -> pd.Series:
        """Each system's score, best first."""
        scores = pd.Series(
            self.metric.score(self.totals()), index=list(self.systems), name=self.label
        )
        return scores.sort_values(ascending=not self.metric.higher_is_better, kind="stable")

    def segment_scores(self) -> FloatArray:
        """The metric applied to every segment alone, shape (systems, segments).

        For a metric that is a mean these are the scores it averages; for BLEU and its like they
        are only a rough indication, since such metrics are not averages of segment scores.
        """
        return self.metric.score(self.values)

    @property
    def n_effective(self) -> float:
        """So many units of equal size would tell as much, or more: ``(Σw)² / Σw²`` of their sizes.

        A lower bound, as if all segments of a unit said the same (Kish 1965, section 11.7).
        """
        if self.sizes is None:
            return float(self.present.sum())
        return float(self.sizes.sum() ** 2 / (self.sizes**2).sum())

    def select(self, systems: Iterable[str]) -> SufficientStatistics:
        """The same statistics for some of the systems, in the order given."""
        wanted = list(systems)
        rows = [self.index(system) for system in wanted]
        return dataclasses.replace(self, systems=tuple(wanted), values=self.values[rows])

    def subset(self, segments: Any) -> SufficientStatistics:
        """The same systems on some of the segments (indices or a mask), in the order given."""
        take = np.asarray(segments)
        return dataclasses.replace(
            self,
            values=self.values[:, take],
            documents=None if self.documents is None else self.documents[take],
            strata=None if self.strata is None else self.strata[take],
            sizes=None if self.sizes is None else self.sizes[take],
        )

    def by_unit(self, units: str | npt.ArrayLike, *, name: str = "units") -> SufficientStatistics:
        """Statistics summed within units, so that units and not segments are resampled.

        Sentences of a document are not independent; where they are alike, resampling them
        separately makes a test too sure of itself.

        Parameters
        ----------
        units : {"segments", "documents"} or array_like of shape (segments,)
            ``"segments"`` leaves everything as it is; a label per segment makes one unit of all
            segments with that label, in order of first appearance.
        name : str
            What labels given as an array are called in results.

        Raises
        ------
        InputError
            If documents are asked for and not known, or there are fewer than two units.
        """
        if isinstance(units, str):
            if units == "segments":
                return self
            check_one_of("units", units, ("segments", "documents"))
            if self.documents is None:
                raise InputError(
                    "units='documents' needs a document label for each segment, and "
                    f"{self.test_set or 'this test set'} has none: give documents= when reading "
                    "or making the statistics."
                )
            labels, name = self.documents, "documents"
        else:
            labels = self._labels(units, "units")
        codes, uniques = pd.factorize(labels)
        if len(uniques) < 2:
            raise InputError(
                f"units: all segments are in one unit, {str(uniques[0])!r}; need at least two. "
                "Or take segments as units."
            )
        sizes = np.ones(self.n_segments) if self.sizes is None else self.sizes
        order = np.argsort(codes, kind="stable")
        starts = np.searchsorted(codes[order], np.arange(len(uniques)))
        strata = None
        if self.strata is not None:
            strata = self.strata[order][starts]
            if (strata[codes] != self.strata).any():
                raise InputError("units: a unit lies in more than one stratum; split it.")
        return dataclasses.replace(
            self,
            values=np.add.reduceat(self.values[:, order], starts, axis=1),
            documents=np.asarray(uniques) if name == "documents" else None,
            strata=strata,
            sizes=np.add.reduceat(sizes[order], starts),
            unit=name,
        )

    def by_stratum(self, labels: npt.ArrayLike) -> SufficientStatistics:
        """The same systems under the macro average: the mean of the scores in each stratum.

        A score on all segments together weighs domains by their size.  The macro average gives
        every domain the same weight, however many segments it has.  A bootstrap then draws
        within strata, so that every resample has as many units of each as the test set.

        Parameters
        ----------
        labels : array_like of shape (segments,)
            Each segment's stratum, such as its domain.  At least two strata, each with at least
            two segments.

        Returns
        -------
        SufficientStatistics
            Of a :class:`mtsig_nb.metrics.MacroAverage`.

        Raises
        ------
        InputError
            If there are too few strata or segments in one, or the statistics are stratified.

        Examples
        --------
        A system that is better in the small domain and worse in the large one:

        >>> import numpy as np
        >>> from mtsig_nb.metrics import SegmentMean
        >>> scores = np.array([[0.5, 0.5, 0.5, 0.5, 0.9, 0.9], [0.6, 0.6, 0.6, 0.6, 0.6, 0.6]])
        >>> values = np.stack([scores, np.ones_like(scores)], axis=-1)
        >>> pooled = SufficientStatistics(SegmentMean(label="COMET"), ("A", "B"), values)
        >>> pooled.scores().round(2).to_dict()
        {'A': 0.63, 'B': 0.6}
        >>> pooled.by_stratum(["news"] * 4 + ["talks"] * 2).scores().round(2).to_dict()
        {'A': 0.7, 'B': 0.6}
        """
        if self.strata is not None:
            raise InputError("labels: these statistics are stratified already.")
        strata = self._labels(labels, "labels").astype(str)
        names = tuple(dict.fromkeys(strata.tolist()))
        metric = MacroAverage(self.metric, names)
        inside = np.equal.outer(strata, names)  # (segments, strata)
        values = self.values[:, :, None, :] * inside[None, :, :, None]
        return dataclasses.replace(
            self,
            metric=metric,
            values=values.reshape(*self.values.shape[:2], len(metric.columns)),
            strata=strata,
        )

    def __repr__(self) -> str:
        where = f", test set {self.test_set}" if self.test_set else ""
        return (
            f"SufficientStatistics({self.label}, {len(self.systems)} systems, "
            f"{self.n_segments} {self.unit}, {len(self.metric.columns)} counts{where})"
        )


def pair_indices(n_systems: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """First and second members of all unordered pairs, each of shape (pairs,)."""
    first, second = np.triu_indices(n_systems, k=1)
    return first, second
