"""GTM, the unigram F of Melamed, Green & Turian (2003), and what DependencyF shares with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from .base import FloatArray, Lines, Metric
from .texts import TokenizedMetric, best_reference, check_aligned, sacrebleu_version

Item = TypeVar("Item", bound=Hashable)


class OverlapF(Metric):
    """A metric whose three statistics are matched items, hypothesis items and reference items."""

    def score(self, sums: npt.ArrayLike) -> FloatArray:
        """F, the harmonic mean of precision and recall; see `Metric.score`."""
        counts = np.ascontiguousarray(np.moveaxis(np.asarray(sums, dtype=np.float64), -1, 0))
        matches, ours, theirs = counts
        with np.errstate(divide="ignore", invalid="ignore"):
            # 2PR / (P + R) with P = m/h and R = m/r is 2m / (h + r).
            return np.where(ours + theirs > 0, 2.0 * matches / (ours + theirs), 0.0)

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


@dataclass(frozen=True)
class GTM(OverlapF, TokenizedMetric):
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
    >>> round(float(gtm.score(stats.sum(axis=0))), 3)  # of precision 2/4 and recall 2/5
    0.444
    """

    name: ClassVar[str] = "GTM"

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
