"""Sufficient statistics of several systems on one test set: what every analysis starts from."""

from __future__ import annotations

import dataclasses
import functools
import math
import re
import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..errors import InputError, check_one_of, listed, unknown_name
from ..frames import pd
from ..metrics.base import Array, ArrayLike, FloatArray, Indices, Mask, Metric
from ..metrics.formula import Formula, named_formula
from ..metrics.mean import MacroAverage, SegmentMean
from ..metrics.ratio import RatioOfSums
from ..notes import Note, NotedWarning, note
from ..sentences import Option, Sentence
from ..tables.rows import Columns, Rows
from ..texts.files import find_repeated
from .doubts import notes_on_statistics

#: Fields with a label, or a number, for each segment.
_BY_SEGMENT = ("documents", "strata", "sizes", "segment_names")


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
    n_references : int or "var", optional
        How many references the statistics were counted against, for the signature; ``"var"`` where
        segments have different numbers of them.
    unit : str
        What one row of the second axis is: ``"segments"``, or what `by_unit` summed them into.
    strata : array_like of shape (segments,), optional
        Labels of strata that a bootstrap must resample separately; see `by_stratum`.
    sizes : ndarray of shape (units,), optional
        How many segments each unit is the sum of; None where each is one.
    title : str
        What it is called in tables and figures, if not by the metric's name.
    notes : tuple of Note
        What to know about how the values were made.  Notes on some of the systems name these in
        ``values["about"]``.
    segment_names : array_like of shape (segments,), optional
        The name of each segment in the data.  By it, or by `texts`, :func:`mtsig_nb.test_sets`
        recognises which segments of several test sets are the same sentence.
    texts : array_like of str, shape (segments, texts), optional
        The source and the references of each segment; an empty one counts as none.
    sharing : Sharing, optional
        For several test sets, which of these units are in more than one.

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
    >>> len(set(pair.labels_of_units("documents")))
    99
    """

    metric: Metric
    systems: tuple[str, ...]
    values: FloatArray
    documents: Array | None = None
    test_set: str = ""
    n_references: int | str | None = None
    unit: str = "segments"
    strata: Array | None = None
    title: str = ""
    sizes: FloatArray | None = None
    notes: tuple[Note, ...] = ()
    segment_names: Array | None = None
    texts: Array | None = None
    sharing: Sharing | None = None

    def __post_init__(self) -> None:
        set_field = object.__setattr__  # the class is frozen for everybody else
        set_field(self, "systems", tuple(map(str, self.systems)))
        if np.iscomplexobj(self.values):
            raise InputError("values are complex numbers; give their real part or their size.")
        raw = np.asarray(self.values, dtype=np.float64)
        self._check_shape(raw)
        repeated = find_repeated(self.systems)
        if repeated:
            raise InputError(
                f"systems: {repeated[0]!r} is given more than once; rename one of them."
            )
        self._check_finite(raw)
        set_field(self, "values", self._on_grid(raw))
        for name in _BY_SEGMENT:
            labels = getattr(self, name)
            if labels is not None:
                set_field(self, name, self._labels(labels, name))
        if self.texts is not None:
            set_field(self, "texts", self._checked_texts(self.texts))
        otherwise = None if self.sharing is None else self.sharing.otherwise
        if otherwise is not None and otherwise.systems != self.systems:
            set_field(self, "sharing", None)  # made of other systems, it says nothing of these
        self._check_strata()

    def _check_shape(self, values: FloatArray) -> None:
        """Raise `InputError` unless there is an axis of systems, one of segments, one of counts."""
        n_systems = len(self.systems)
        counts = self.metric.columns
        n_segments = values.shape[1] if values.ndim == 3 else 0
        if n_segments == 0 or values.shape != (n_systems, n_segments, len(counts)):
            raise InputError(
                f"values has shape {values.shape}; {self.metric.name} for {n_systems} systems "
                f"needs ({n_systems}, segments, {len(counts)}), the counts {', '.join(counts)}."
            )

    def _check_finite(self, values: FloatArray) -> None:
        """Raise `InputError` where a value is infinite or no number."""
        bad = np.argwhere(~np.isfinite(values))
        if len(bad):
            system, segment, count = bad[0]
            name = self.metric.columns[count]
            raise InputError(
                f"values: {len(bad)} are not finite numbers, the first {name!r} of system "
                f"{self.systems[system]!r}, segment {segment}. Score it, or remove it for all."
            )

    def _on_grid(self, values: FloatArray) -> FloatArray:
        """The values rounded to the metric's grid, for reading alone.

        They are copied only where they are not on the grid, or where somebody could change them.
        """
        if not values.flags.writeable and all(map(self._is_on_grid, values)):
            return values
        return _for_reading(self.metric.snap(values))

    def _is_on_grid(self, values_of_system: FloatArray) -> bool:
        """Whether rounding would leave the values of one system as they are."""
        return np.array_equal(self.metric.snap(values_of_system), values_of_system)

    def _checked_texts(self, texts: ArrayLike) -> Array:
        """Texts as an array of shape (segments, texts); `InputError` if it has another."""
        array = np.asarray(texts)
        if array.ndim != 2 or len(array) != self.n_segments:
            raise InputError(f"texts has shape {array.shape}, not ({self.n_segments}, texts).")
        return array

    def _check_strata(self) -> None:
        """Raise `InputError` if a stratum has a single unit, or a macro average's has none."""
        if self.strata is not None:
            labels, sizes = np.unique(self.strata, return_counts=True)
            if sizes.min() < 2:
                single = str(labels[sizes.argmin()])
                raise InputError(
                    f"strata: {single!r} has only one of the {self.n_segments} {self.unit}. "
                    "Join it with another."
                )
        if isinstance(self.metric, MacroAverage):
            names = self.metric.strata
            # Whether anything was counted, (strata, counts of the metric).
            is_filled = self.values.any(axis=(0, 1)).reshape(len(names), -1)
            has_units = is_filled.any(axis=1)
            if not has_units.all():
                empty = names[has_units.argmin()]
                raise InputError(
                    f"strata: {empty!r} is without {self.unit}. "
                    "Take the subset first, and by_stratum after it."
                )

    def _labels(self, labels: ArrayLike, argument: str) -> Array:
        """Labels as an array of shape (segments,); `InputError` if they are not one a segment."""
        array = np.asarray(labels)
        if array.shape != (self.n_segments,):
            raise InputError(f"{argument} has shape {array.shape}, not ({self.n_segments},).")
        is_missing = pd.isna(array)
        if is_missing.any():
            raise InputError(f"{argument}: label {int(is_missing.argmax())} is missing.")
        return array

    @property
    def n_segments(self) -> int:
        """Segments, or units of the kind that `unit` names."""
        return self.values.shape[1]

    @functools.cached_property
    def present(self) -> Mask:
        """Units for which some system has a score: not those that are only in other test sets."""
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

    def titled(self, title: str) -> SufficientStatistics:
        """The same statistics under another title, which their `sharing` takes as well.

        Examples
        --------
        >>> import mtsig_nb as mt
        >>> mt.load("wmt12/es-en").statistics("BLEU").titled("BLEU, cased").label
        'BLEU, cased'
        """
        sharing = None if self.sharing is None else self.sharing.titled(title)
        return dataclasses.replace(self, title=title, sharing=sharing)

    @property
    def caveats(self) -> tuple[Note, ...]:
        """What to know before relying on the scores: `notes`, and doubts from names and counts."""
        return (*self.notes, *notes_on_statistics(self))

    def index(self, system: str) -> int:
        """Position of `system` on the first axis; an `InputError` names the closest if absent."""
        check_one_of("system", system, self.systems)
        return self.systems.index(system)

    def totals(self) -> FloatArray:
        """Statistics summed over the test set, shape (systems, counts)."""
        return self.values.sum(axis=1)

    def scores(self) -> pd.Series:
        """Each system's score, best first."""
        return pd.Series(self.scores_by_system(), dtype=np.float64, name=self.label)

    def scores_by_system(self) -> dict[str, float]:
        """Each system's score, best first, as a dictionary: it needs no pandas.

        Examples
        --------
        >>> import mtsig_nb as mt
        >>> bleu = mt.load("wmt12/es-en").statistics("BLEU").select(["onlineA", "onlineB"])
        >>> {system: round(score, 2) for system, score in bleu.scores_by_system().items()}
        {'onlineB': 37.72, 'onlineA': 31.38}
        """
        scores = self.metric.score(self.totals())
        return {self.systems[k]: float(scores[k]) for k in self.best_first}

    @functools.cached_property
    def best_first(self) -> Indices:
        """The numbers of the systems, that of the best one first, shape (systems,)."""
        scores = self.metric.score(self.totals())
        return np.argsort(-self.metric.direction * scores, kind="stable")

    def segment_scores(self) -> FloatArray:
        """The metric applied to every segment alone, shape (systems, segments).

        For a metric that is a mean these are the scores it averages; for BLEU and its like they
        are only a rough indication, since such metrics are not averages of segment scores.
        """
        return self.metric.score(self.values)

    @property
    def is_binary(self) -> bool:
        """Whether every unit is a single segment with a score of 0 or 1."""
        if not isinstance(self.metric, SegmentMean) or self.sizes is not None:
            return False
        scores = self.values[..., 0]
        weights = self.values[..., 1]
        are_alone = bool((weights == 1).all())
        is_zero_or_one = (scores == 0) | (scores == 1)
        return are_alone and bool(is_zero_or_one.all())

    @property
    def is_yes_or_no(self) -> bool:
        """Deprecated since version 0.3: use `is_binary`."""
        warnings.warn(
            "is_yes_or_no is now called is_binary; the old name will be removed in the next "
            "version.",
            DeprecationWarning,
            stacklevel=2,
        )
        return self.is_binary

    @property
    def n_effective(self) -> float:
        """The number of units of equal size with as much information: ``(Σw)² / Σw²`` for sizes w.

        It is a lower bound, as if all segments of a unit said the same (Kish 1965, section 11.7).
        """
        if self.sizes is None:
            return float(self.present.sum())
        w = self.sizes
        return float(w.sum() ** 2 / (w**2).sum())

    def select(self, systems: Iterable[str]) -> SufficientStatistics:
        """The same statistics for some of the systems, in the order given."""
        selected = list(systems)
        rows = [self.index(system) for system in selected]
        are_all = rows == list(range(len(self.systems)))
        values = self.values if are_all else _for_reading(self.values[rows])
        notes = [noted for noted in self.notes if _concerns(noted, selected)]
        return dataclasses.replace(
            self,
            systems=tuple(selected),
            values=values,
            sharing=None if self.sharing is None else self.sharing.select(selected),
            notes=tuple(notes),
        )

    def subset(self, segments: Any) -> SufficientStatistics:
        """The same systems on some of the segments (indices or a mask), in the order given."""
        chosen = np.asarray(segments)
        fields = {}
        for name in (*_BY_SEGMENT, "texts"):
            by_segment = getattr(self, name)
            if by_segment is not None:
                fields[name] = by_segment[chosen]
        values = _for_reading(self.values[:, chosen])
        return dataclasses.replace(self, values=values, sharing=None, **fields)

    def by_unit(self, units: str | ArrayLike) -> SufficientStatistics:
        """Statistics summed within units, so that units and not segments are resampled.

        Sentences of a document are not independent.  If they resemble each other, a test that
        resamples them separately finds too many differences.

        Parameters
        ----------
        units : {"segments", "documents"} or array_like of shape (segments,)
            ``"segments"`` leaves everything as it is; a label per segment makes one unit of all
            segments with that label, in order of first appearance.

        Raises
        ------
        InputError
            If documents are requested but not known, or there are fewer than two units.
        """
        if isinstance(units, str) and units == "segments":
            return self
        labels = self.labels_of_units(units)
        unit_of, names = pd.factorize(labels)  # the number of each segment's unit
        n_units = len(names)
        if n_units < 2:
            raise InputError(
                f"units: all segments are in one unit, {str(names[0])!r}; give at least two."
            )
        # Segments by unit, and where each unit begins among them.
        order = np.argsort(unit_of, kind="stable")
        starts = np.searchsorted(unit_of[order], np.arange(n_units))
        sizes = np.ones(self.n_segments) if self.sizes is None else self.sizes
        strata = None
        if self.strata is not None:
            strata = self.strata[order][starts]
            if (strata[unit_of] != self.strata).any():
                raise InputError("units: a unit is in more than one stratum; split it.")
        are_documents = isinstance(units, str)
        # One system at a time: all segments by unit would be a second copy of the statistics.
        summed = [np.add.reduceat(of_system[order], starts) for of_system in self.values]
        return dataclasses.replace(
            self,
            values=_for_reading(np.stack(summed)),
            documents=np.asarray(names) if are_documents else None,
            strata=strata,
            sizes=np.add.reduceat(sizes[order], starts),
            unit="documents" if are_documents else "units",
            segment_names=None,
            texts=None,
            sharing=self.sharing if n_units == self.n_segments else None,
        )

    def labels_of_units(self, units: str | ArrayLike) -> Array:
        """The label of each segment's unit, of shape (segments,); `units` as in `by_unit`."""
        if not isinstance(units, str):
            return self._labels(units, "units")
        check_one_of("units", units, ("segments", "documents"))
        if units == "segments":
            return np.arange(self.n_segments)
        if self.documents is None:
            raise InputError(
                Sentence(
                    Option("units", units),
                    f": {self.test_set or 'this test set'} has no documents. Give documents= "
                    "when reading or making the statistics; on the command line name them with "
                    "-d, or in a table of scores call their column 'document'.",
                )
            )
        return self.documents

    def by_stratum(self, labels: ArrayLike) -> SufficientStatistics:
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
        is_inside = np.equal.outer(strata, names)  # (segments, strata)
        # A segment's counts in its own stratum and zeros elsewhere: of shape
        # (systems, segments, strata, counts of the metric).
        in_strata = self.values[:, :, None, :] * is_inside[None, :, :, None]
        n_systems, n_segments, *_ = in_strata.shape
        values = in_strata.reshape(n_systems, n_segments, len(metric.columns))
        return dataclasses.replace(self, metric=metric, values=values, strata=strata)

    def __repr__(self) -> str:
        where = f", test set {self.test_set}" if self.test_set else ""
        return (
            f"SufficientStatistics({self.label}, {len(self.systems)} systems, "
            f"{self.n_segments} {self.unit}, {len(self.metric.columns)} counts{where})"
        )


@dataclasses.dataclass(frozen=True, eq=False)
class Sharing:
    """What the units of several test sets have in common; see :func:`mtsig_nb.test_sets`.

    Attributes
    ----------
    evidence : {"texts", "names", "documents", "alike", "numbers"}
        What shows it; see :mod:`mtsig_nb.statistics.same_sentences`.
    n_shared : int
        How many units lie in more than one test set.
    otherwise : SufficientStatistics, optional
        The same scores over the units that there are if the evidence misleads; None where it is
        certain.
    """

    evidence: str
    n_shared: int
    otherwise: SufficientStatistics | None = None

    def select(self, systems: Sequence[str]) -> Sharing:
        """The same for some of the systems."""
        if self.otherwise is None:
            return self
        return dataclasses.replace(self, otherwise=self.otherwise.select(systems))

    def titled(self, title: str) -> Sharing:
        """The same for statistics under another title."""
        if self.otherwise is None:
            return self
        return dataclasses.replace(self, otherwise=self.otherwise.titled(title))


def _for_reading(values: FloatArray) -> FloatArray:
    """The same array, in which nobody can write any more."""
    values.flags.writeable = False
    return values


def _concerns(noted: Note, systems: Sequence[str]) -> bool:
    """Whether a note is on all systems, or on one of these."""
    concerned = noted.values.get("about", ())
    return not concerned or not set(concerned).isdisjoint(systems)


def pair_indices(n_systems: int) -> tuple[Indices, Indices]:
    """The numbers of the first and the second system of all pairs, each of shape (pairs,).

    Pairs are those of each system with all that follow it.
    """
    return np.triu_indices(n_systems, k=1)


def pair_columns(
    names: Iterable[str], pairs: tuple[Indices, Indices], /, **columns: Any
) -> dict[str, Any]:
    """Columns with an entry for each pair of systems.

    Parameters
    ----------
    names : iterable of str
        Of all systems.
    pairs : (ndarray, ndarray), each of shape (pairs,)
        The numbers of the first systems and of the second ones.
    **columns : array_like of shape (pairs,)
        What follows the columns system_a and system_b.
    """
    systems = np.array(list(names), dtype=object)
    first, second = pairs
    return {"system_a": systems[first], "system_b": systems[second], **columns}


def pairs_in(table: Columns | Rows, names: Iterable[str]) -> tuple[Indices, Indices]:
    """The numbers of the first and of the second system of each row, as `pair_columns` takes them.

    Parameters
    ----------
    table : structured ndarray, DataFrame or dict of columns
        With ``system_a`` and ``system_b``.
    names : iterable of str
        Of all systems.
    """
    number_of = {name: number for number, name in enumerate(names)}
    first = np.array([number_of[name] for name in table["system_a"]], dtype=np.intp)
    second = np.array([number_of[name] for name in table["system_b"]], dtype=np.intp)
    return first, second


def pair_frame(
    names: Iterable[str], pairs: tuple[Indices, Indices], /, **columns: Any
) -> pd.DataFrame:
    """The columns that `pair_columns` gives, as a frame."""
    return pd.DataFrame(pair_columns(names, pairs, **columns))


# --- from scores that something else made ---------------------------------------------------------

#: The finest grid that scores are put on, about 2e-10; see `SegmentMean.resolution`.
_FINEST = 2.0**-32
#: The most decimals of a count.
_MOST_DECIMALS = 9
#: The largest sum of counts: there is room for a bootstrap that draws the largest units alone.
_LARGEST_SUM = 2.0**46

#: The code of the error that systems lack segments which others have.
SEGMENTS_DIFFER = "segments-differ"

#: Words in names of scores of which less, or more, is better nearly always.
_LOWER = re.compile(
    r"mqm|metricx|h?ter|wer|cer|cder|errors?|penalt(y|ies)|loss|perplexity|ppl|edits|distance"
    r"|ranks?|predictions?"  # MetricX writes predictions
)
_HIGHER = re.compile(
    r"(sacre|sp)?bleu|chrf|nist|gtm|meteor|x?comet(kiwi)?|bleurt|bertscore|accuracy|adequacy|fluency"
)


def from_segment_scores(
    frame: pd.DataFrame,
    *,
    score: str = "score",
    document: str | None = None,
    label: str | None = None,
    higher_is_better: bool | None = None,
    source: str = "",
    texts: Sequence[str] = (),
) -> SufficientStatistics:
    """Statistics of a metric that is a mean of segment scores, from a tidy table of the scores.

    Parameters
    ----------
    frame : DataFrame
        One row per ``system`` and ``segment`` (two of its columns), in any order.  Every system
        must have been scored on the same segments: tests pair them.
    score : str
        Name of the column of scores; or a ratio of columns under a name, such as
        ``"WER=errors/words"``, of which each column is summed first (see the notes).
    document : str, optional
        Column with each segment's document.  Segments may then be numbered anew in each document.
    label : str, optional
        What was scored, as shown in tables and figures; by default the name in `score`.
    higher_is_better : bool, optional
        False for penalties and error rates, such as MetricX, or MQM counted upwards.  By default
        True, with a warning if the column has the name of such a score.
    source : str
        The scorer and its version, for the signature.
    texts : sequence of str
        Columns with the segments' sources and references, by which :func:`mtsig_nb.test_sets`
        recognises sentences that several test sets have.

    Returns
    -------
    SufficientStatistics
        Of a mean of scores, or of a ratio of sums.  Systems are in order of first appearance.  So
        are segments, unless they are whole numbers: these are in ascending order (within each
        document, if they begin anew there).

    Raises
    ------
    InputError
        If a column is missing; a score is not a finite number; there are fewer than two segments;
        or a system has a segment twice, lacks one or has one too many.  If a ratio is not a valid
        formula, or the sum that it divides by is 0 for a system.

    Notes
    -----
    A ratio such as ``"F1=2*tp/(2*tp+fp+fn)"`` is made of ``+ - * /``, numbers, parentheses and
    names of columns, in quotation marks unless they are plain words.  Its columns are summed over
    the segments of a test set or of a resample, and then divided: a segment of forty words counts
    twice as much as one of twenty.  Its scale is as written (``100*errors/words`` is in percent).

    Examples
    --------
    Word error rates, from the errors of each utterance:

    >>> counts = pd.DataFrame({
    ...     "system": ["A", "A", "B", "B"],
    ...     "segment": [1, 2, 1, 2],
    ...     "errors": [1, 0, 3, 1],
    ...     "words": [30, 10, 30, 10],
    ... })
    >>> wer = from_segment_scores(counts, score="WER=errors/words", higher_is_better=False)
    >>> wer.scores().to_dict()
    {'A': 0.025, 'B': 0.1}

    COMET's command line writes, with ``--to_json``, an object with the name of each translated
    file and its segments in order.  Read with ``json.load``, such output looks like this:

    >>> output = {
    ...     "A.txt": [{"mt": "Good morning.", "COMET": 0.91}, {"mt": "See you.", "COMET": 0.84}],
    ...     "B.txt": [{"mt": "Good day.", "COMET": 0.88}, {"mt": "See us.", "COMET": 0.52}],
    ... }
    >>> frame = pd.DataFrame(
    ...     {"system": name, "segment": i, "COMET": row["COMET"]}
    ...     for name, rows in output.items()
    ...     for i, row in enumerate(rows)
    ... )
    >>> comet = from_segment_scores(frame, score="COMET", source="wmt22-comet-da")
    >>> comet
    SufficientStatistics(COMET, 2 systems, 2 segments, 2 counts)
    >>> comet.scores().round(3)
    A.txt    0.875
    B.txt    0.700
    Name: COMET, dtype: float64
    """
    if not isinstance(frame, pd.DataFrame):
        raise InputError(f"is a {type(frame).__name__}; give a pandas.DataFrame.", subject="frame")
    name, formula = _name_and_formula(frame, score)
    columns = (score,) if formula is None else formula.columns
    tidy = tidy_scores(frame, columns[0], document)
    numbers = [_numbers_of(tidy, frame, column, is_count=formula is not None) for column in columns]
    segment_of_row, segments, keys = _segments(tidy)
    if len(segments) < 2:
        raise InputError(
            "has 1 segment; nothing can be resampled. Give at least two.", subject="frame"
        )
    system_of_row, distinct = pd.factorize(tidy["system"])
    systems = distinct.tolist()
    _check_complete(system_of_row, systems, segment_of_row, segments[keys])

    given = np.empty((len(systems), len(segments), len(columns)))
    given[system_of_row, segment_of_row] = np.stack(numbers, axis=1)
    label = str(name if label is None else label)
    notes: tuple[Note, ...] = ()
    if higher_is_better is None:
        higher_is_better = True
        notes = notes_on_direction(name, higher_is_better=True)
        warn_of_notes(notes)
    metric: SegmentMean | RatioOfSums
    if formula is None:
        metric, values = _mean(given, label, higher_is_better, source)
    else:
        metric, values = _ratio(given, formula, label, higher_is_better)
        _check_denominators(metric, systems, values)
    return SufficientStatistics(
        metric=metric,
        systems=tuple(systems),
        values=values,
        documents=None if document is None else segments["document"].to_numpy(),
        segment_names=_segment_names(segments[keys]),
        texts=_texts(frame, texts, segment_of_row),
        notes=notes,
    )


def _name_and_formula(frame: pd.DataFrame, score: str) -> tuple[str, Formula | None]:
    """The name of what is scored, and the formula if it is a ratio of columns.

    A column of that name is meant itself.

    Raises
    ------
    InputError
        If a ratio is no formula, or has a direction behind it, as on a command line.
    """
    if score not in frame.columns and re.fullmatch(".*=.*:(lower|higher)", str(score)):
        raise InputError(f"score={score!r}: say which way is better with higher_is_better.")
    named = None if score in frame.columns else named_formula(score)
    return (score, None) if named is None else named


def _numbers_of(
    tidy: pd.DataFrame, frame: pd.DataFrame, column: str, *, is_count: bool
) -> FloatArray:
    """A column of the frame as numbers, in the rows of its tidy table."""
    of_column = tidy.assign(score=_column(frame, "score", column))
    return numbers_in(of_column, f"score, column {column!r}" if is_count else "score")


def _mean(
    scores: FloatArray, label: str, higher_is_better: bool, source: str
) -> tuple[SegmentMean, FloatArray]:
    """The mean of scores, of shape (systems, segments, 1), and its statistics."""
    metric = SegmentMean(
        label=label,
        larger_is_better=higher_is_better,
        resolution=exact_resolution(scores[..., 0]),
        source=source,
    )
    weights = np.ones_like(scores)
    return metric, np.concatenate([scores, weights], axis=-1)


def _ratio(
    counts: FloatArray, formula: Formula, label: str, higher_is_better: bool
) -> tuple[RatioOfSums, FloatArray]:
    """The ratio of sums of counts, of shape (systems, segments, counts), and its statistics."""
    metric = RatioOfSums(formula.text, label, higher_is_better)
    return metric, in_whole_numbers(counts)


def _check_denominators(metric: RatioOfSums, systems: Sequence[str], values: FloatArray) -> None:
    """Raise `InputError` where the sum that a ratio divides by is not above 0 for a system."""
    denominators = metric.weights(values.sum(axis=1))
    for system, denominator in zip(systems, denominators, strict=True):
        if denominator <= 0:
            what = "0" if denominator == 0 else "negative"
            raise InputError(
                f"{metric.label}={metric.formula}: the sum below the fraction bar is {what} for "
                f"system {system!r}. Leave the system out, or take another formula."
            )


def in_whole_numbers(counts: FloatArray) -> FloatArray:
    """Counts in a unit so small that all are whole, for a ratio, which does not depend on it.

    Numbers with up to nine decimals stay exactly what they were: in units of their last decimal.
    Others, such as measured durations, are rounded by less than 2**-45 of the sum of all.

    Examples
    --------
    >>> in_whole_numbers(np.array([1.0, 20.0])), in_whole_numbers(np.array([0.25, 1.2]))
    (array([ 1., 20.]), array([ 25., 120.]))
    """
    sum_of_sizes = float(np.abs(counts).sum())
    for decimals in range(_MOST_DECIMALS + 1):
        scaled = counts * 10.0**decimals
        whole = np.round(scaled)
        # A decimal number is off by half a unit in the last place, and its product by as much.
        is_whole = np.abs(scaled - whole) <= 4 * np.finfo(float).eps * np.abs(scaled)
        if sum_of_sizes * 10.0**decimals < _LARGEST_SUM and is_whole.all():
            return whole
    _, exponent = math.frexp(sum_of_sizes)
    _, largest_exponent = math.frexp(_LARGEST_SUM)
    scaled = np.ldexp(counts, largest_exponent - 1 - exponent)
    return np.asarray(np.round(scaled), dtype=np.float64)


def _segment_names(keys: pd.DataFrame) -> Array:
    """What segments are called: their labels, behind their documents if labels begin anew."""
    names = keys["segment"].astype(str)
    if "document" in keys:
        names = keys["document"].astype(str) + " " + names
    return names.to_numpy()


def _texts(frame: pd.DataFrame, columns: Sequence[str], segment_of_row: Indices) -> Array | None:
    """The texts of each segment, those of its first row; None where no column is named."""
    if not columns:
        return None
    texts = pd.DataFrame({name: _column(frame, "texts", name) for name in columns})
    _, first_rows = np.unique(segment_of_row, return_index=True)
    texts_of_segments = texts.iloc[first_rows].fillna("")
    return texts_of_segments.to_numpy(dtype=str)


def notes_on_direction(
    name: str, *, higher_is_better: bool, typed: str | None = None
) -> tuple[Note, ...]:
    """A note if a direction that nobody chose is not the one that scores of that name have.

    `typed` is what stands before a direction where it is typed: by default the name.

    Examples
    --------
    >>> notes_on_direction("COMET", higher_is_better=True)
    ()
    >>> (found,) = notes_on_direction("MQM", higher_is_better=True)
    >>> found.code, found.values["other"]
    ('direction', 'lower')
    """
    words_of_other_direction = _LOWER if higher_is_better else _HIGHER
    words = re.findall("[a-z]+", str(name).casefold())
    if not any(map(words_of_other_direction.fullmatch, words)):
        return ()
    direction = note(
        "direction",
        name=str(name),
        typed=str(name if typed is None else typed),
        taken="higher" if higher_is_better else "lower",
        other="lower" if higher_is_better else "higher",
        opposite=not higher_is_better,
    )
    return (direction,)


def warn_of_notes(notes: Iterable[Note]) -> None:
    """Warn of what notes say, for callers in Python who may never look at the notes of a result."""
    for noted in notes:
        warnings.warn(f"{noted}.", NotedWarning, stacklevel=3)


def tidy_scores(frame: pd.DataFrame, score: str, document: str | None) -> pd.DataFrame:
    """The columns that are needed, as ``system``, ``segment``, ``score`` and maybe ``document``."""
    names = {"system": "system", "segment": "segment", "score": score}
    if document is not None:
        names["document"] = document
    tidy = pd.DataFrame({role: _column(frame, role, name) for role, name in names.items()})
    tidy["system"] = tidy["system"].astype(str)
    return tidy


def _column(frame: pd.DataFrame, role: str, name: str) -> pd.Series:
    """The column `name` of the frame, which is to be the tidy table's column `role`.

    Raises
    ------
    InputError
        If there is no such column, or more than one, or it lacks a value that its role needs.
    """
    columns = frame.columns.tolist()
    if name not in columns:
        raise unknown_name(f"{role}: column", name, list(map(str, columns)))
    if frame.empty:
        raise InputError("has no rows; give one per system and segment.", subject="frame")
    if columns.count(name) > 1:
        raise InputError(f"{role}: the frame has more than one column {name!r}. Rename one.")
    column = frame[name].reset_index(drop=True)
    is_missing = column.isna()
    if role not in ("score", "texts") and is_missing.any():
        row = int(is_missing.argmax())
        raise InputError(f"{role}: row {row} (counted from 0) has no {name!r}. Fill it in.")
    return column


def numbers_in(tidy: pd.DataFrame, name: str = "score") -> FloatArray:
    """The scores as numbers; `InputError`, which calls them `name`, unless all are finite."""
    numbers = real_numbers(tidy["score"])
    bad = np.flatnonzero(~np.isfinite(numbers))
    if len(bad):
        first = bad[0]
        value = tidy["score"].tolist()[first]
        system = tidy["system"].tolist()[first]
        segment = tidy["segment"].tolist()[first]
        raise InputError(
            f"{name}: {len(bad):,} of {len(tidy):,} are not finite numbers, the first {value!r} "
            f"for system {system!r}, segment {segment!r}. Score it, or remove it for all systems."
        )
    return numbers


def real_numbers(column: pd.Series) -> FloatArray:
    """The column as numbers; NaN where there is none, or one with an imaginary part to lose."""
    if column.dtype == np.float64:
        return column.to_numpy(copy=True)
    numeric = pd.to_numeric(column, errors="coerce")
    dtype = np.complex128 if numeric.dtype.kind == "c" else np.float64
    numbers = numeric.to_numpy(dtype, na_value=np.nan)  # older pandas needs the type
    is_real = np.imag(numbers) == 0
    return np.where(is_real, np.real(numbers), np.nan)


def _segments(tidy: pd.DataFrame) -> tuple[Array, pd.DataFrame, list[str]]:
    """The segments of a tidy table, and which of them each row has.

    Returns
    -------
    segment_of_row : ndarray of int, shape (rows,)
        The number of the segment.
    segments : DataFrame
        The segments in order: segment, and document if that is known.
    keys : list of str
        The columns of `segments` that tell them apart: the label, with the document if labels begin
        anew in each.
    """
    columns = [name for name in ("document", "segment") if name in tidy]
    distinct = tidy[columns].drop_duplicates()
    begins_anew = distinct["segment"].duplicated().any()
    keys = columns if begins_anew else ["segment"]
    segment_of_row = tidy.groupby(keys, sort=False).ngroup().to_numpy()
    segments = tidy.drop_duplicates(keys)[columns].reset_index(drop=True)
    if not pd.api.types.is_integer_dtype(tidy["segment"]):
        return segment_of_row, segments, keys
    # Whole numbers ascend, within their document where they begin anew there.
    document: Array = np.zeros(len(segments))
    if "document" in keys:
        document, _ = pd.factorize(segments["document"])
    order = np.lexsort((segments["segment"], document))  # the last counts first
    rank = np.argsort(order)
    return rank[segment_of_row], segments.iloc[order], keys


def _check_complete(
    system_of_row: Indices,
    systems: Sequence[str],
    segment_of_row: Indices,
    segments: pd.DataFrame,
) -> None:
    """Raise `InputError` unless every system has every segment once.

    `system_of_row` and `segment_of_row` number the system and the segment of each row of the table.
    """
    n_rows = np.zeros((len(segments), len(systems)), dtype=np.int64)
    np.add.at(n_rows, (segment_of_row, system_of_row), 1)
    repeated = np.argwhere(n_rows > 1)
    if len(repeated):
        segment, system = map(int, repeated[0])
        n_more = len(repeated) - 1
        more = f", and likewise for {n_more:,} more" if n_more else ""
        raise InputError(
            f"has {n_rows[segment, system]} rows for system {systems[system]!r}, segment "
            f"{_name_in_errors(segments, segment)}{more}. Keep one of them, or their mean.",
            subject="frame",
        )
    is_lacking = n_rows == 0
    incomplete = np.flatnonzero(is_lacking.any(axis=1))
    if len(incomplete):
        segment = int(incomplete[0])
        without = [repr(systems[k]) for k in np.flatnonzero(is_lacking[segment]).tolist()]
        n_more = len(incomplete) - 1
        more = f", and {n_more:,} more are missing for some" if n_more else ""
        raise InputError(
            f"Not the same segments for every system: {_name_in_errors(segments, segment)} is "
            f"missing for {listed(without)}{more}. Score what is missing, or remove the segment "
            "for all systems.",
            code=SEGMENTS_DIFFER,
        )


def _name_in_errors(segments: pd.DataFrame, number: int) -> str:
    """A segment as errors name it: its label, and its document if that belongs to its key."""
    (segment,) = segments.iloc[[number]].to_dict("records")
    document = f" of document {segment['document']!r}" if "document" in segment else ""
    return f"{segment['segment']!r}{document}"


def exact_resolution(scores: FloatArray) -> float:
    """The grid for scores: 2**-32, coarser only where sums would not be exact.

    The sum of a resample is at most the number of segments times the largest value, and the
    differences that are exchanged add up to at most the distances of the highest scores from the
    lowest; a float64 holds both exactly if they are below 2**53 steps of the grid.
    """
    n_segments = scores.shape[1]
    highest = max(float(np.abs(scores).max()), 1.0)  # weights of 1 are summed beside the scores
    with np.errstate(over="ignore"):
        sum_of_differences = float(np.ptp(scores, axis=0).sum())
        largest_sum = max(highest * n_segments, sum_of_differences)
        spread = float(np.ptp(scores))
    _, n_bits = math.frexp(largest_sum)
    step = max(_FINEST, 2.0 ** (n_bits - 53))
    if step > 1 or not math.isfinite(largest_sum):
        raise InputError(f"score: the largest is {highest:.3g}. Give scores in a larger unit.")
    if 0 < spread < 1e4 * step:
        raise InputError(
            f"score: they differ by {spread:.3g} at most, too little beside {highest:.3g} to be "
            "told apart safely. Subtract a constant, or give scores in another unit."
        )
    return step
