"""BLEU (Papineni et al. 2002), its statistics counted by sacreBLEU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import sacrebleu
from sacrebleu.metrics.bleu import BLEU as SacreBLEU
from sacrebleu.metrics.bleu import MAX_NGRAM_ORDER

from ..errors import check_one_of
from .base import FloatArray, Lines, Metric
from .references import count_by_sacrebleu
from .settings import check_range
from .tokenizers import check_tokenizer, with_tokenizer

SMOOTHING = ("exp", "none", "floor", "add-k")
#: More matches than this that nobody made would hide those that there are.
LARGEST_SMOOTHING = 1000


@dataclass(frozen=True)
class BLEU(Metric):
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
        of ordinary size, but may for a resample of a small one.
    smooth_value : float, optional
        For ``"floor"`` (default 0.1) and ``"add-k"`` (default 1); 0 to 1000.

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
    tokenize: str = "13a"
    lowercase: bool = False
    smooth_method: str = "exp"
    smooth_value: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_tokenizer(self.tokenize)
        check_one_of("smooth_method", self.smooth_method, SMOOTHING)
        check_range(self, smooth_value=(0, LARGEST_SMOOTHING))

    def require(self) -> None:
        with_tokenizer(self.tokenize)  # not kept: what it holds may not travel

    @property
    def columns(self) -> tuple[str, ...]:
        orders = range(1, MAX_NGRAM_ORDER + 1)
        return (
            "hyp_len",
            "ref_len",
            *(f"match_{n}" for n in orders),
            *(f"total_{n}" for n in orders),
        )

    @property
    def signature(self) -> str:
        case = "lc" if self.lowercase else "mixed"
        smooth = self.smooth_method
        if self._added:
            smooth += f"[{self._added:.2f}]"
        return (
            f"BLEU|case:{case}|eff:no|tok:{self.tokenize}|smooth:{smooth}"
            f"|version:{sacrebleu.__version__}"
        )

    def statistics(self, hypotheses: Lines, references: Sequence[Lines]) -> FloatArray:
        return count_by_sacrebleu(self._sacrebleu, hypotheses, references, len(self.columns))

    def score(self, sums: npt.ArrayLike) -> FloatArray:
        sums = np.asarray(sums)
        hyp_len, ref_len = sums[..., 0], sums[..., 1]
        ratio = np.ones(sums.shape[:-1])
        with np.errstate(divide="ignore", invalid="ignore"):
            # The geometric mean of four precisions by two square roots: several times faster
            # than exp of a mean of logarithms, and equally exact.
            for n in range(MAX_NGRAM_ORDER):
                ratio *= sums[..., 2 + n].astype(np.float64)
                ratio /= sums[..., 2 + MAX_NGRAM_ORDER + n]
            score = 100.0 * np.sqrt(np.sqrt(ratio))
            # min(1, ...) first: most systems are long enough, and exp(0) is 1.
            score *= np.exp(np.minimum(0.0, 1.0 - ref_len.astype(np.float64) / hyp_len))
        unusual = np.asarray(self._needs_smoothing(sums))
        if unusual.any():
            score = np.asarray(score)
            score[unusual] = self._smoothed(sums[unusual].astype(np.float64))
        return score

    def _needs_smoothing(self, sums: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        # Fewer 4-gram matches than 3-gram matches than …, so the last order tells for all; and
        # totals fall with the order too.
        if self.smooth_method == "add-k":
            return np.ones(sums.shape[:-1], dtype=bool)
        last = MAX_NGRAM_ORDER - 1
        return (sums[..., 2 + last] == 0) | (sums[..., 2 + MAX_NGRAM_ORDER + last] == 0)

    def _smoothed(self, sums: FloatArray) -> FloatArray:
        """Scores where some order has no match, by sacreBLEU's rules; shape (samples,)."""
        hyp_len, ref_len = sums[:, 0], sums[:, 1]
        matches = sums[:, 2 : 2 + MAX_NGRAM_ORDER].copy()
        totals = sums[:, 2 + MAX_NGRAM_ORDER :].copy()
        none_at_all = ~matches.any(axis=1)
        if self.smooth_method == "add-k":
            matches[:, 1:] += self._added
            totals[:, 1:] += self._added
        elif self.smooth_method == "floor":
            matches = np.where(matches == 0, self._added, matches)
        elif self.smooth_method == "exp":
            halvings = np.cumsum(matches == 0, axis=1)
            matches = np.where(matches == 0, 0.5**halvings, matches)
        with np.errstate(divide="ignore", invalid="ignore"):
            precisions = np.where(totals > 0, matches / totals, 0.0)
            brevity = np.exp(np.minimum(0.0, 1.0 - ref_len / hyp_len))
        score = 100.0 * brevity * np.sqrt(np.sqrt(precisions.prod(axis=1)))
        return np.where(none_at_all | (hyp_len == 0), 0.0, score)

    @cached_property
    def _sacrebleu(self) -> SacreBLEU:
        return with_tokenizer(
            self.tokenize,
            lowercase=self.lowercase,
            smooth_method=self.smooth_method,
            smooth_value=self.smooth_value,
        )

    @property
    def _added(self) -> float:
        """What "floor" and "add-k" add; 0 for methods that take no value."""
        if self.smooth_value is not None:
            return self.smooth_value
        return SacreBLEU.SMOOTH_DEFAULTS[self.smooth_method] or 0.0
