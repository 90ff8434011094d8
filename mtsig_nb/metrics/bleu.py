"""BLEU (Papineni et al. 2002), its n-grams counted by sacreBLEU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ..errors import check_one_of
from .base import (
    FloatArray,
    Lines,
    TokenizedMetric,
    count_by_sacrebleu,
    sacrebleu_named,
    sacrebleu_version,
)

MAX_NGRAM_ORDER = 4

#: What each way of smoothing adds.
SMOOTHING = {"exp": 0.0, "none": 0.0, "floor": 0.1, "add-k": 1.0}


@dataclass(frozen=True)
class BLEU(TokenizedMetric):
    """Corpus BLEU with sacreBLEU's tokenisers and smoothing, in points (0 to 100).

    Parameters
    ----------
    tokenize : str
        A tokeniser of sacreBLEU: ``"13a"`` (mteval-v13a, the default), ``"intl"``, ``"zh"``,
        ``"char"``, ``"none"`` …
    lowercase : bool
        Count case-insensitively.
    smooth_method : {"exp", "none", "floor", "add-k"}
        What a corpus without a single match of some order gets; it never matters for a test set
        of ordinary size, but may for a resample of a small one.  ``"floor"`` adds 0.1, ``"add-k"``
        1, sacreBLEU's defaults.

    Examples
    --------
    >>> import numpy as np
    >>> bleu = BLEU()
    >>> stats = bleu.statistics(["the cat sat on the mat"], [["the cat sat on a mat"]])
    >>> dict(zip(bleu.columns, stats[0].astype(int).tolist()))["match_1"]
    5
    >>> round(float(bleu.score(stats.sum(axis=0))), 2)
    53.73
    """

    name: ClassVar[str] = "BLEU"
    smooth_method: str = "exp"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_one_of("smooth_method", self.smooth_method, SMOOTHING)

    @property
    def columns(self) -> tuple[str, ...]:
        orders = range(1, MAX_NGRAM_ORDER + 1)
        counts = [f"{count}_{n}" for count in ("match", "total") for n in orders]
        return ("hyp_len", "ref_len", *counts)

    @property
    def signature(self) -> str:
        case = "lc" if self.lowercase else "mixed"
        smooth = self.smooth_method
        if SMOOTHING[smooth]:
            smooth += f"[{SMOOTHING[smooth]:.2f}]"
        return (
            f"BLEU|case:{case}|eff:no|tok:{self.tokenize}|smooth:{smooth}"
            f"|version:{sacrebleu_version()}"
        )

    def statistics(self, hypotheses: Lines, references: Sequence[Lines]) -> FloatArray:
        counter = sacrebleu_named(self.tokenize, self.lowercase)
        return count_by_sacrebleu(counter, hypotheses, references, len(self.columns))

    def score(self, sums: npt.ArrayLike) -> FloatArray:
        sums = np.asarray(sums)
        score = _of_precisions(sums)
        # Fewer 4-gram matches than 3-gram matches than …, so the last order tells for all; and
        # totals fall with the order too.
        unusual = np.asarray(sums[..., MAX_NGRAM_ORDER + 1] == 0) | (sums[..., -1] == 0)
        unusual |= self.smooth_method == "add-k"
        if unusual.any():
            score = np.asarray(score)
            score[unusual] = _of_precisions(self._smoothed(sums[unusual]))
        return score

    def _smoothed(self, sums: npt.NDArray[Any]) -> FloatArray:
        """Sums where some order has no match, made up for by sacreBLEU's rules."""
        sums = sums.astype(np.float64)
        matches, totals = np.split(sums[:, 2:], 2, axis=1)  # views
        nothing, missing = ~matches.any(axis=1, keepdims=True), matches == 0
        added = SMOOTHING[self.smooth_method]
        if self.smooth_method == "add-k":
            matches[:, 1:] += added
            totals[:, 1:] += added
        elif self.smooth_method == "floor":
            matches[missing] = added
        elif self.smooth_method == "exp":
            matches[missing] = (0.5 ** np.cumsum(missing, axis=1))[missing]
        matches[nothing | (totals == 0)] = 0.0  # whatever was added
        sums[:, 0], totals[:] = np.maximum(sums[:, 0], 1.0), np.where(totals > 0, totals, 1.0)
        return sums


def _of_precisions(sums: npt.NDArray[Any]) -> FloatArray:
    """The geometric mean of four precisions, with the penalty for brevity."""
    hyp_len, ref_len = sums[..., 0], sums[..., 1]
    ratio = np.ones(sums.shape[:-1])
    with np.errstate(divide="ignore", invalid="ignore"):
        # Two square roots: several times faster than exp of a mean of logarithms, equally exact.
        for n in range(MAX_NGRAM_ORDER):
            ratio *= sums[..., 2 + n].astype(np.float64)
            ratio /= sums[..., 2 + MAX_NGRAM_ORDER + n]
        score = 100.0 * np.sqrt(np.sqrt(ratio))
        # min(1, ...) first: most systems are long enough, and exp(0) is 1.
        score *= np.exp(np.minimum(0.0, 1.0 - ref_len.astype(np.float64) / hyp_len))
    return score
