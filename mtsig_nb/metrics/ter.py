"""TER, the translation edit rate (Snover et al. 2006), its edits counted by sacreBLEU."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .base import ArrayLike, FloatArray, Lines, Metric
from .sacrebleu_counts import count_by_sacrebleu, sacrebleu_version


@dataclass(frozen=True)
class TER(Metric):
    """Edits (with shifts) needed to turn the output into a reference, per 100 reference words.

    With several references the edits are those to the closest one and the length is the mean
    length of all, as in tercom and sacreBLEU.  To keep the counts whole, both are multiplied by
    the number of references (the least common multiple of the numbers where some segments lack a
    reference), which leaves their ratio as it is.

    Parameters
    ----------
    normalized : bool
        Tokenise punctuation as tercom's ``-N`` does.
    no_punct : bool
        Remove punctuation.
    asian_support : bool
        With `normalized`, split Chinese and Japanese into characters; with `no_punct`, remove
        their punctuation too.
    case_sensitive : bool
        Count case.

    Examples
    --------
    >>> ter = TER()
    >>> stats = ter.statistics(["tea the hot is here"], [["the hot tea is here"]])
    >>> dict(zip(ter.columns, stats[0].tolist()))
    {'edits': 1.0, 'ref_words': 5.0}
    >>> float(ter.score(stats.sum(axis=0))), ter.higher_is_better
    (20.0, False)
    """

    name: ClassVar[str] = "TER"
    higher_is_better: ClassVar[bool] = False
    takes_gaps: ClassVar[bool] = True
    columns = ("edits", "ref_words")
    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False

    @property
    def signature(self) -> str:
        case = "mixed" if self.case_sensitive else "lc"
        norm = "yes" if self.normalized else "no"
        punct = "no" if self.no_punct else "yes"
        asian = "yes" if self.asian_support else "no"
        return (
            f"TER|case:{case}|tok:tercom|norm:{norm}"
            f"|punct:{punct}|asian:{asian}|version:{sacrebleu_version()}"
        )

    def statistics(self, hypotheses: Lines, references: Sequence[Lines]) -> FloatArray:
        from sacrebleu.metrics.ter import TER as SacreTER  # slow to import, and needed here only

        from .edits import quick_distances

        counter = SacreTER(**self.settings)
        n_counts = len(self.columns)
        with quick_distances():
            edits_and_mean_length = count_by_sacrebleu(counter, hypotheses, references, n_counts)
        # A segment may lack one of several references.
        numbers_of_references = set()
        for lines in zip(*references, strict=True):
            numbers_of_references.add(len(lines) - lines.count(None))
        return np.rint(edits_and_mean_length * math.lcm(*numbers_of_references))

    def words(self, line: str) -> Sequence[str]:
        from sacrebleu.metrics.ter import TER as SacreTER

        return SacreTER(**self.settings)._preprocess_segment(line).split()

    def score(self, sums: ArrayLike) -> FloatArray:
        sums = np.asarray(sums)
        edits = sums[..., 0].astype(np.float64)
        ref_words = sums[..., 1].astype(np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            rate = 100.0 * (edits / ref_words)
        # sacreBLEU's rule for a reference without words: all wrong, unless nothing was said.
        without_reference = np.where(edits > 0, 100.0, 0.0)
        return np.where(ref_words > 0, rate, without_reference)
