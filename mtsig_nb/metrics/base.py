"""What a metric is: named sufficient statistics per segment, and a score of their sums.

Everything else in the package (resampling, tests, intervals, clusters) works from these two
things alone, so a metric that defines them gets all of it.  :doc:`/docs/architecture` has the map.
What metrics on texts share stands here as well: checks, sacreBLEU's tokenisers and counts, best
references.  sacreBLEU is imported where something is counted; statistics that are known need its
version alone.
"""

from __future__ import annotations

import dataclasses
import math
import reprlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, ClassVar, get_type_hints

import numpy as np
import numpy.typing as npt

from ..errors import InputError, check_one_of
from ..sentences import Option, Sentence

if TYPE_CHECKING:
    from sacrebleu.metrics.base import Metric as SacreBLEUMetric

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
    be compared, hashed, written to a file and made again from ``name`` and ``settings``.  What is
    given for a field has to be of its declared type, or a text that a command line would have for
    it ("no" for False); one that has a ``__post_init__`` of its own begins it with this class's.

    Attributes
    ----------
    name : str
        The metric's name in the field, such as ``"BLEU"``.
    columns : tuple of str
        One name per sufficient statistic, in the order of the last axis of all arrays.
    higher_is_better : bool
        False for error rates such as TER.  Every difference, tail and conclusion respects it.
    takes_gaps : bool
        Whether `statistics` takes None for a segment that lacks one of several references.  To
        other metrics a copy of a reference that the segment has is given, which changes nothing
        where the best or the closest reference of a segment counts.
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
        for name, kind in kinds(type(self)).items():
            object.__setattr__(self, name, of_kind(name, getattr(self, name), kind))

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
        """The grid on which the statistics lie; see the class."""
        return 1.0

    @property
    def grid_error(self) -> float:
        """How far rounding to the grid can set apart two differences of scores that are the same.

        Nothing for counts.  Closer differences are ties, however the statistics were rounded.
        """
        return 0.0

    @property
    def rounding(self) -> float:
        """How far the formula's own rounding can set them apart, as a share of the scores.

        Logarithms, exponentials and a few products need about 1e-15; closer differences are ties.
        """
        return 1e-12

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
        """What the metric takes for the words of a line; None if it does not count words."""
        return None

    def slopes(self, sums: FloatArray, fixed: Mask) -> FloatArray | None:
        """What the score gains with each count while the `fixed` ones are what `sums` has.

        Parameters
        ----------
        sums : ndarray, shape (counts,)
        fixed : ndarray of bool, shape (counts,)
            Counts that do not change.

        Returns
        -------
        ndarray, shape (counts,), or None
            None where the score does not go up or down in a straight line, as most do not.
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


# --- settings by type: values from Python, or the texts that a command line has -------------------


_YES_OR_NO: dict[object, bool] = {
    **dict.fromkeys(("yes", "on", "true", "1", True), True),
    **dict.fromkeys(("no", "off", "false", "0", False), False),
}
#: What is wrong where no value of a type can be made.
_NO_SUCH: dict[Any, str] = {
    bool: "neither yes nor no. Give True or False; as a text also yes, no, on, off, 1 or 0.",
    int: "not a whole number.",
    float: "not a finite number.",
    str: "not a text.",
    tuple[str, ...]: "not a list of texts.",
}


@cache
def kinds(metric: type) -> Mapping[str, Any]:
    """The type of each setting of a class of metrics; empty where its annotations do not tell."""
    try:
        hints = get_type_hints(metric)
    except (NameError, AttributeError, TypeError):
        return {}  # somebody else's metric, with annotations that only a type checker understands
    return {field.name: hints[field.name] for field in dataclasses.fields(metric) if field.init}


def of_kind(name: str, value: Any, kind: Any) -> Any:
    """`value` as the type that the setting `name` has; a text is read as on a command line.

    Raises
    ------
    InputError
        If it is no such value.

    Examples
    --------
    >>> of_kind("lowercase", "no", bool), of_kind("modules", "exact+stem", tuple[str, ...])
    (False, ('exact', 'stem'))
    """
    text = isinstance(value, str)
    try:
        if kind == tuple[str, ...]:
            parts = filter(None, value.split("+")) if text else value
            return tuple(of_kind(name, part, str) for part in parts)
        if kind is bool and not isinstance(value, float):
            return _YES_OR_NO[value.casefold() if text else value]
        if kind is str and text:
            return str(value)  # a plain one, also for NumPy's
        if kind in (int, float) and not isinstance(value, bool):
            found = kind(value)
            whole = kind is int and (text or found == value)
            if whole or (kind is float and math.isfinite(found)):
                return found
    except (KeyError, TypeError, ValueError, OverflowError):
        pass  # it is said below
    if kind not in _NO_SUCH:
        return value
    raise InputError(f"{name}={reprlib.repr(value)} is {_NO_SUCH[kind]}")


# --- metrics on texts -----------------------------------------------------------------------------

#: Tokenisers that need no further package and no model.
_ALONE = ("none", "zh", "13a", "intl", "char")


def by_order(count: str, most: int) -> tuple[str, ...]:
    """Names of the counts of n-grams up to an order.

    >>> by_order("match", 2)
    ('match_1', 'match_2')
    """
    return tuple(f"{count}_{n}" for n in range(1, most + 1))


@cache
def sacrebleu_version() -> str:
    """The version of the sacreBLEU that counts, for signatures."""
    return version("sacrebleu")


@dataclasses.dataclass(frozen=True)
class TokenizedMetric(Metric):
    """A metric on the tokens of one of sacreBLEU's tokenisers."""

    tokenize: str = "13a"
    lowercase: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tokenize not in _ALONE:
            from sacrebleu.metrics.bleu import BLEU as SacreBLEU

            check_one_of("tokenize", self.tokenize, SacreBLEU.TOKENIZERS)

    def require(self) -> None:
        if self.tokenize not in _ALONE:
            tokenizer_named(self.tokenize)  # not kept: what it holds may not travel

    @cached_property
    def _tokenizer(self) -> Callable[[str], str]:
        return tokenizer_named(self.tokenize)


def tokenizer_named(name: str) -> Callable[[str], str]:
    """What separates the tokens of a line by spaces.

    Raises
    ------
    InputError
        If a package is missing, or a model that the tokeniser reads cannot be had.

    Examples
    --------
    >>> tokenizer_named("13a")("Tea, please.")
    'Tea , please .'
    """
    from sacrebleu.metrics.bleu import BLEU as SacreBLEU

    try:
        return SacreBLEU(tokenize=name, force=True).tokenizer
    except (ImportError, OSError, RuntimeError, AssertionError) as error:
        # Models are downloaded when they are first used; dictionaries have to be certain ones.
        said = " ".join(str(error).split()).rstrip(".")
        raise InputError(
            Sentence(
                Option("tokenize", name),
                f" cannot be loaded: {said}. Or choose another, such as '13a' or 'char'.",
            )
        ) from None


def tokenizer_for(language: str) -> str | None:
    """The name of the tokenizer that sacreBLEU's BLEU takes for a target language of its own.

    Examples
    --------
    >>> tokenizer_for("zh"), tokenizer_for("de")
    ('zh', None)
    """
    from sacrebleu.metrics.bleu import BLEU as SacreBLEU

    return SacreBLEU._TOKENIZER_MAP.get(language)


def check_aligned(
    hypotheses: Lines, references: Sequence[Lines]
) -> tuple[list[str], list[list[str]]]:
    """The texts as lists, after making sure that every reference has a line per hypothesis.

    Raises
    ------
    InputError
        If there is no reference, one is a plain string, or the numbers of segments differ.
    """
    if isinstance(hypotheses, str):
        raise InputError("hypotheses is one string; give a list with one string per segment.")
    if not len(references) or any(isinstance(lines, str) for lines in references):
        raise InputError(
            "references must be one list or more, each with one string per segment: write "
            "[reference] for a single one."
        )
    for number, lines in enumerate(references):
        if len(lines) != len(hypotheses):
            raise InputError(
                f"reference {number} has {len(lines)} segments and the hypotheses have "
                f"{len(hypotheses)}; give one line of each for every segment."
            )
    return list(hypotheses), [list(lines) for lines in references]


#: sacreBLEU keeps the n-grams of all references that it is given until it has counted the last
#: hypothesis: for chrF about 50 kB a segment.
_SEGMENTS_AT_ONCE = 1000


def count_by_sacrebleu(
    counter: SacreBLEUMetric, hypotheses: Lines, references: Sequence[Lines], n_counts: int
) -> FloatArray:
    """What sacreBLEU's `counter` counts in each segment, shape (segments, n_counts)."""
    hypotheses, references = check_aligned(hypotheses, references)
    values = np.empty((len(hypotheses), n_counts))
    for start in range(0, len(hypotheses), _SEGMENTS_AT_ONCE):
        part = slice(start, start + _SEGMENTS_AT_ONCE)
        values[part] = counter._extract_corpus_statistics(
            hypotheses[part], [lines[part] for lines in references]
        )
    return values


def best_reference(metric: Metric, per_reference: ArrayLike) -> FloatArray:
    """Of each segment, the statistics against the reference that scores it best.

    Parameters
    ----------
    metric : Metric
    per_reference : array_like, shape (references, segments, counts)
        Statistics against one reference at a time.

    Returns
    -------
    ndarray of float64, shape (segments, counts)
        Of references that score the same, the first.
    """
    values = np.asarray(per_reference, dtype=np.float64)
    if len(values) == 1:
        return values[0]
    best = np.argmax(metric.direction * metric.score(values), axis=0)
    return values[best, np.arange(values.shape[1])]
