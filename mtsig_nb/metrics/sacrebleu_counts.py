"""What sacreBLEU tokenises and counts.

sacreBLEU is imported where something is counted; statistics that are known need its version alone.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError, check_one_of
from ..sentences import Option, Sentence
from .base import FloatArray, Lines, Metric
from .references import check_aligned

if TYPE_CHECKING:
    from sacrebleu.metrics.base import Metric as SacreBLEUMetric

#: Tokenisers that need no further package and no model.
_WITHOUT_REQUIREMENTS = ("none", "zh", "13a", "intl", "char")


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
        if self.tokenize not in _WITHOUT_REQUIREMENTS:
            from sacrebleu.metrics.bleu import BLEU as SacreBLEU

            check_one_of("tokenize", self.tokenize, SacreBLEU.TOKENIZERS)

    def require(self) -> None:
        if self.tokenize not in _WITHOUT_REQUIREMENTS:
            tokenizer_named(self.tokenize)  # not kept: what it holds may not travel

    @cached_property
    def _tokenizer(self) -> Callable[[str], str]:
        return tokenizer_named(self.tokenize)


def tokenizer_named(name: str) -> Callable[[str], str]:
    """The tokeniser of that name: a function that separates the tokens of a line by spaces.

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
        reason = " ".join(str(error).split()).rstrip(".")
        raise InputError(
            Sentence(
                Option("tokenize", name),
                f" cannot be loaded: {reason}. Or choose another, such as '13a' or 'char'.",
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


#: sacreBLEU keeps the n-grams of all references that it is given until it has counted the last
#: hypothesis: for chrF about 50 kB a segment.
_SEGMENTS_AT_ONCE = 1000


def count_by_sacrebleu(
    counter: SacreBLEUMetric, hypotheses: Lines, references: Sequence[Lines], n_counts: int
) -> FloatArray:
    """The counts of sacreBLEU's `counter` in each segment, shape (segments, n_counts)."""
    hypotheses, references = check_aligned(hypotheses, references)
    values = np.empty((len(hypotheses), n_counts))
    for start in range(0, len(hypotheses), _SEGMENTS_AT_ONCE):
        part = slice(start, start + _SEGMENTS_AT_ONCE)
        values[part] = counter._extract_corpus_statistics(
            hypotheses[part], [lines[part] for lines in references]
        )
    return values
