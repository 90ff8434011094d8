"""GTM, the unigram F of Melamed, Green & Turian (2003), and what DependencyF shares with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from .base import FloatArray, Lines, Metric
from .texts import (
    best_reference,
    check_aligned,
    check_tokenizer,
    require_tokenizer,
    sacrebleu_version,
    with_tokenizer,
)

Item = TypeVar("Item", bound=Hashable)


class OverlapF(Metric):
    """A metric whose three statistics are matched items, hypothesis items and reference items."""

    def score(self, sums: npt.ArrayLike) -> FloatArray:
        """F, the harmonic mean of precision and recall; see `Metric.score`."""
        matches, ours, theirs = _columns(sums)
        # 2PR / (P + R) with P = m/h and R = m/r is 2m / (h + r).
        return _ratio(2.0 * matches, ours + theirs)

    def precision(self, sums: npt.ArrayLike) -> FloatArray:
        """Share of the hypothesis' items that match; 0 if there are none."""
        matches, ours, _ = _columns(sums)
        return _ratio(matches, ours)

    def recall(self, sums: npt.ArrayLike) -> FloatArray:
        """Share of the reference's items that are matched; 0 if there are none."""
        matches, _, theirs = _columns(sums)
        return _ratio(matches, theirs)

    def _overlaps(
        self, hypotheses: Sequence[Counter[Item]], references: Sequence[Sequence[Counter[Item]]]
    ) -> FloatArray:
        """Statistics from multisets, those of the best reference for each segment."""
        counts = [
            ((hyp & ref).total(), hyp.total(), ref.total())
            for items in references
            for hyp, ref in zip(hypotheses, items, strict=True)
        ]
        shape = (len(references), len(hypotheses), 3)
        return best_reference(self, np.array(counts, dtype=np.float64).reshape(shape))


def _columns(sums: npt.ArrayLike) -> FloatArray:
    return np.ascontiguousarray(np.moveaxis(np.asarray(sums, dtype=np.float64), -1, 0))


def _ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(denominator > 0, numerator / denominator, 0.0)


@dataclass(frozen=True)
class GTM(OverlapF):
    """F-measure of matching words, from 0 to 1, whatever their order.

    A word of the output and one of the reference match if they are equal, and each may be used
    once.  The size of the largest such matching is what both texts have in common as multisets:
    for each word, the smaller of its two counts.  Precision is that size divided by the words of
    the output, recall by those of the reference, and the score is their harmonic mean.  Unlike
    BLEU it has no brevity penalty, because recall does its work.

    With several references each segment is counted against the one that gives it the highest F,
    so that no word can be matched in one reference and the length be taken from another.

    Parameters
    ----------
    tokenize : str
        A tokeniser of sacreBLEU; ``"13a"`` as for BLEU, so that the two differ in nothing else.
        ``"none"`` splits at spaces only.
    lowercase : bool
        Ignore case.

    Notes
    -----
    This is the measure with exponent 1, which gives no credit for word order; the later GTM tool
    (Turian, Shen & Melamed 2003) weighs runs of matches with larger exponents.

    Examples
    --------
    >>> gtm = GTM()
    >>> stats = gtm.statistics(["the tea the tea"], [["the tea is hot here"]])
    >>> dict(zip(gtm.columns, stats[0].tolist()))
    {'matches': 2.0, 'hyp_words': 4.0, 'ref_words': 5.0}
    >>> total = stats.sum(axis=0)
    >>> [round(float(f(total)), 3) for f in (gtm.precision, gtm.recall, gtm.score)]
    [0.5, 0.4, 0.444]
    """

    name: ClassVar[str] = "GTM"
    tokenize: str = "13a"
    lowercase: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_tokenizer(self.tokenize)

    def require(self) -> None:
        require_tokenizer(self.tokenize)

    @property
    def columns(self) -> tuple[str, ...]:
        return ("matches", "hyp_words", "ref_words")

    @property
    def signature(self) -> str:
        case = "lc" if self.lowercase else "mixed"
        return (
            f"GTM|case:{case}|tok:{self.tokenize}|exponent:1|refs:best"
            f"|version:sacrebleu-{sacrebleu_version()}"
        )

    def statistics(self, hypotheses: Lines, references: Sequence[Lines]) -> FloatArray:
        hypotheses, references = check_aligned(hypotheses, references)
        return self._overlaps(
            [self._words(line) for line in hypotheses],
            [[self._words(line) for line in lines] for lines in references],
        )

    def _words(self, line: str) -> Counter[str]:
        if self.lowercase:
            line = line.lower()
        return Counter(self._tokenizer(line.rstrip()).split())

    @cached_property
    def _tokenizer(self) -> Any:
        return with_tokenizer(self.tokenize).tokenizer
