"""BLEU (Papineni et al. 2002), counted from sacreBLEU's tokens as sacreBLEU counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from ..errors import check_one_of
from .base import FloatArray, Lines, Metric
from .matching import ReferenceNgrams
from .settings import check_range
from .texts import (
    check_aligned,
    check_tokenizer,
    require_tokenizer,
    sacrebleu_version,
    with_tokenizer,
)

if TYPE_CHECKING:
    from sacrebleu.metrics.bleu import BLEU as SacreBLEU

MAX_NGRAM_ORDER = 4

SMOOTHING = ("exp", "none", "floor", "add-k")
#: What the last two add by default.
_ADDED = {"floor": 0.1, "add-k": 1.0}
#: More matches than this that nobody made would hide those that there are.
LARGEST_SMOOTHING = 1000
#: Tokenisers that look no further than the next space, so that each word is cut up once only, and
#: that leave letters and digits together.
_WORD_BY_WORD = ("13a", "none")
#: Counted together: some megabytes.
_SEGMENTS_AT_ONCE = 10_000


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
        require_tokenizer(self.tokenize)

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
            f"|version:{sacrebleu_version()}"
        )

    def statistics(self, hypotheses: Lines, references: Sequence[Lines]) -> FloatArray:
        hypotheses, references = check_aligned(hypotheses, references)
        counts = [np.empty((0, len(self.columns)))]
        for start, known in self._known(references):
            output = self._tokens(hypotheses[start : start + _SEGMENTS_AT_ONCE])
            hyp_len = np.array([len(words) for words in output])
            # Of the references the closest in length; of two equally close, the shorter.
            lengths = np.sort(known.lengths, axis=0)
            closest = np.abs(lengths - hyp_len).argmin(axis=0)
            ref_len = np.take_along_axis(lengths, closest[None], axis=0)[0]
            totals = np.maximum(hyp_len[:, None] - np.arange(MAX_NGRAM_ORDER), 0)
            counts.append(np.column_stack([hyp_len, ref_len, known.matches(output), totals]))
        return np.concatenate(counts)

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
        # Fewer 4-gram matches than 3-gram matches than …, so the last order tells for all; and
        # totals fall with the order too.
        last = MAX_NGRAM_ORDER + 1
        unusual = np.asarray(sums[..., last] == 0) | (sums[..., last + MAX_NGRAM_ORDER] == 0)
        if self.smooth_method == "add-k":
            unusual = np.ones(sums.shape[:-1], dtype=bool)
        if unusual.any():
            score = np.asarray(score)
            score[unusual] = self._smoothed(sums[unusual].astype(np.float64))
        return score

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

    def _known(self, references: list[list[str]]) -> list[tuple[int, ReferenceNgrams]]:
        """The references' n-grams, some segments at a time; kept for the next output."""
        texts = tuple(map(tuple, references))
        if texts not in self._last_references:
            self._last_references.clear()
            tokens = [self._tokens(lines) for lines in references]
            self._last_references[texts] = [
                (start, ReferenceNgrams([ref[part] for ref in tokens], MAX_NGRAM_ORDER))
                for start in range(0, len(references[0]), _SEGMENTS_AT_ONCE)
                for part in [slice(start, start + _SEGMENTS_AT_ONCE)]
            ]
        return self._last_references[texts]

    @cached_property
    def _last_references(self) -> dict[Any, list[tuple[int, ReferenceNgrams]]]:
        return {}

    def _tokens(self, lines: Lines) -> list[list[str]]:
        lines = [line.lower() if self.lowercase else line for line in lines]
        tokenizer = self._sacrebleu.tokenizer
        if self.tokenize not in _WORD_BY_WORD or any("\n" in line for line in lines):
            return [tokenizer(line.rstrip()).split() for line in lines]
        known, split = self._tokens_of_words, [line.split() for line in lines]
        for word in set(chain.from_iterable(split)) - known.keys():
            known[word] = [word] if word.isalnum() else tokenizer(word).split()
        return [list(chain.from_iterable(map(known.__getitem__, words))) for words in split]

    @cached_property
    def _tokens_of_words(self) -> dict[str, list[str]]:
        return {}

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
        return _ADDED.get(self.smooth_method, 0.0)
