"""What metrics on texts share: checks, sacreBLEU's tokenisers and counts, best references.

sacreBLEU is imported where something is counted; statistics that are known need its version alone.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..errors import InputError, check_one_of
from .base import FloatArray, Lines, Metric

if TYPE_CHECKING:
    from sacrebleu.metrics.base import Metric as SacreBLEUMetric

#: Tokenisers that need no further package and no model.
_ALONE = ("none", "zh", "13a", "intl", "char")


@functools.cache
def sacrebleu_version() -> str:
    """The version of the sacreBLEU that counts, for signatures."""
    from importlib.metadata import version

    return version("sacrebleu")


@dataclass(frozen=True)
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
            f"tokenize={name!r} cannot be loaded: {said}. Or choose another, such as '13a' or "
            "'char'."
        ) from None


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
    if isinstance(references, str) or any(isinstance(lines, str) for lines in references):
        raise InputError(
            "references must be a list of references, each a list with one string per segment: "
            "write [reference] for a single one."
        )
    if len(references) == 0:
        raise InputError("references is empty; at least one reference is needed.")
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


def best_reference(metric: Metric, per_reference: npt.ArrayLike) -> FloatArray:
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
