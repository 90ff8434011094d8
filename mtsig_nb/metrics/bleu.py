"""BLEU (Papineni et al. 2002), counted from sacreBLEU's tokens as sacreBLEU counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, repeat
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from ..errors import check_one_of
from .base import FloatArray, Lines, by_order
from .references import check_aligned
from .sacrebleu_counts import TokenizedMetric, sacrebleu_version

MAX_NGRAM_ORDER = 4

#: What each way of smoothing adds.
SMOOTHING = {"exp": 0.0, "none": 0.0, "floor": 0.1, "add-k": 1.0}
#: Tokenisers that look no further than the next space, so that each word is cut up once only, and
#: that leave letters and digits together.
_WORD_BY_WORD = ("13a", "none")


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
    columns = (
        "hyp_len",
        "ref_len",
        *by_order("match", MAX_NGRAM_ORDER),
        *by_order("total", MAX_NGRAM_ORDER),
    )
    smooth_method: str = "exp"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_one_of("smooth_method", self.smooth_method, SMOOTHING)

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
        hypotheses, references = check_aligned(hypotheses, references)
        known = self._known(references)
        output = self._tokens(hypotheses)
        hyp_len = np.array([len(words) for words in output], dtype=np.int64)
        # The reference closest in length counts; of two equally close, the shorter.
        lengths = np.sort(known.lengths, axis=0)
        closest = np.abs(lengths - hyp_len).argmin(axis=0)
        ref_len = np.take_along_axis(lengths, closest[None], axis=0)[0]
        totals = np.maximum(hyp_len[:, None] - np.arange(MAX_NGRAM_ORDER), 0)
        return np.column_stack([hyp_len, ref_len, known.matches(output), totals]).astype(float)

    def words(self, line: str) -> Sequence[str]:
        return self._tokens([line])[0]

    def score(self, sums: npt.ArrayLike) -> FloatArray:
        sums = np.asarray(sums)
        hyp_len = sums[..., 0]
        ref_len = sums[..., 1]
        matches = sums[..., 2 : 2 + MAX_NGRAM_ORDER]
        totals = sums[..., 2 + MAX_NGRAM_ORDER :]
        precisions = np.ones(sums.shape[:-1])
        with np.errstate(divide="ignore", invalid="ignore"):
            # The geometric mean of four precisions by two square roots: several times faster
            # than exp of a mean of logarithms, and equally exact.
            for n in range(MAX_NGRAM_ORDER):
                precisions *= matches[..., n].astype(np.float64)
                precisions /= totals[..., n]
            score = 100.0 * np.sqrt(np.sqrt(precisions))
            # min(1, ...) first: most systems are long enough, and exp(0) is 1.
            score *= np.exp(np.minimum(0.0, 1.0 - ref_len.astype(np.float64) / hyp_len))
        if self.smooth_method == "add-k":
            is_smoothed = np.ones(sums.shape[:-1], dtype=bool)
        else:
            # Matches and totals fall with the order, so the last order tells for all.
            is_smoothed = np.asarray(matches[..., -1] == 0) | (totals[..., -1] == 0)
        if is_smoothed.any():
            score = np.asarray(score)
            score[is_smoothed] = self._smoothed(sums[is_smoothed].astype(np.float64))
        return score

    def _smoothed(self, sums: FloatArray) -> FloatArray:
        """Scores where some order has no match, by sacreBLEU's rules; shape (samples,)."""
        hyp_len = sums[:, 0]
        ref_len = sums[:, 1]
        matches = sums[:, 2 : 2 + MAX_NGRAM_ORDER].copy()
        totals = sums[:, 2 + MAX_NGRAM_ORDER :].copy()
        without_matches = ~matches.any(axis=1)
        added = SMOOTHING[self.smooth_method]
        if self.smooth_method == "add-k":
            matches[:, 1:] += added
            totals[:, 1:] += added
        elif self.smooth_method == "floor":
            matches = np.where(matches == 0, added, matches)
        elif self.smooth_method == "exp":
            halvings = np.cumsum(matches == 0, axis=1)
            matches = np.where(matches == 0, 0.5**halvings, matches)
        with np.errstate(divide="ignore", invalid="ignore"):
            precisions = np.where(totals > 0, matches / totals, 0.0)
            brevity = np.exp(np.minimum(0.0, 1.0 - ref_len / hyp_len))
        score = 100.0 * brevity * np.sqrt(np.sqrt(precisions.prod(axis=1)))
        return np.where(without_matches | (hyp_len == 0), 0.0, score)

    def _known(self, references: list[list[str]]) -> ReferenceNgrams:
        """The references' n-grams; kept for the next output."""
        texts = tuple(map(tuple, references))
        if texts not in self._last_references:
            self._last_references.clear()
            tokens = [self._tokens(lines) for lines in references]
            self._last_references[texts] = ReferenceNgrams(tokens, MAX_NGRAM_ORDER)
        return self._last_references[texts]

    @cached_property
    def _last_references(self) -> dict[tuple[tuple[str, ...], ...], ReferenceNgrams]:
        return {}

    def _tokens(self, lines: Lines) -> list[list[str]]:
        """The tokens of each line."""
        if self.lowercase:
            lines = [line.lower() for line in lines]
        tokenizer = self._tokenizer
        if self.tokenize not in _WORD_BY_WORD or any("\n" in line for line in lines):
            return [tokenizer(line.rstrip()).split() for line in lines]
        words_of_lines = [line.split() for line in lines]
        known = self._tokens_of_words
        for word in set(chain.from_iterable(words_of_lines)) - known.keys():
            known[word] = [word] if word.isalnum() else tokenizer(word).split()
        tokens = []
        for words in words_of_lines:
            tokens.append(list(chain.from_iterable(known[word] for word in words)))
        return tokens

    @cached_property
    def _tokens_of_words(self) -> dict[str, list[str]]:
        return {}


Tokens = Sequence[Sequence[str]]  # of each segment
_Numbers = npt.NDArray[np.int64]


class _NgramsOfOrder(NamedTuple):
    """The different n-grams of one order in the references, segment by segment."""

    pairs: _Numbers  # (n-grams,), sorted
    counts: _Numbers  # (n-grams,), in the reference that has it most often
    segments: _Numbers  # (n-grams,)


class ReferenceNgrams:
    """The n-grams of the references in each segment, with their largest counts in one reference.

    sacreBLEU counts line by line, and anew for every system.  Here the same tokens are counted for
    all segments at once.

    An n-gram is known by a number: its place among the sorted pairs of a shorter n-gram's number
    and the number of the word that follows.  The empty n-gram's number is the segment's.

    Parameters
    ----------
    references : sequence of Tokens
        The words of each reference, segment by segment.
    max_order : int

    Examples
    --------
    >>> known = ReferenceNgrams([[["a", "b", "a"]], [["a", "a", "a"]]], max_order=2)
    >>> known.matches([["a", "a", "b", "a"]]).tolist(), known.lengths.tolist()
    ([[4, 3]], [[3], [3]])
    """

    def __init__(self, references: Sequence[Tokens], max_order: int) -> None:
        self.lengths = np.array([[len(words) for words in lines] for lines in references])
        self._n_segments = self.lengths.shape[1]
        lines = list(chain.from_iterable(references))
        self._words: dict[str, int] = {}
        for word in chain.from_iterable(lines):
            self._words.setdefault(word, len(self._words))
        self._orders: list[_NgramsOfOrder] = []
        words, line = self._numbered(lines)
        start = np.arange(len(words))
        number = line % self._n_segments
        for order in range(max_order):
            start, pairs = self._longer(words, line, start, number, order)
            distinct, first, number = np.unique(pairs, return_index=True, return_inverse=True)
            reference, segment = np.divmod(line[start], self._n_segments)
            n_entries = len(references) * len(distinct)
            counts = np.bincount(reference * len(distinct) + number, minlength=n_entries)
            counts = counts.reshape(len(references), len(distinct))
            self._orders.append(_NgramsOfOrder(distinct, counts.max(axis=0), segment[first]))

    def matches(self, output: Tokens) -> _Numbers:
        """How many n-grams of each order match, shape (segments, orders).

        Each matches at most as often as it occurs in the reference that has it most often.
        """
        words, line = self._numbered(output)
        start = np.arange(len(words))
        number = line
        matches = np.zeros((self._n_segments, len(self._orders)), dtype=np.int64)
        for order, known in enumerate(self._orders):
            n_known = len(known.pairs)
            if not n_known:
                break
            start, pairs = self._longer(words, line, start, number, order)
            number = np.minimum(np.searchsorted(known.pairs, pairs), n_known - 1)
            is_known = known.pairs[number] == pairs
            start = start[is_known]
            number = number[is_known]
            matched = np.minimum(np.bincount(number, minlength=n_known), known.counts)
            matches[:, order] = np.bincount(known.segments, matched, minlength=self._n_segments)
        return matches

    def _numbered(self, lines: Tokens) -> tuple[_Numbers, _Numbers]:
        """For each word its number, -1 where no reference has it, and the number of its line."""
        lengths = np.fromiter(map(len, lines), dtype=np.intp, count=len(lines))
        words = map(self._words.get, chain.from_iterable(lines), repeat(-1))
        numbers = np.fromiter(words, dtype=np.int64, count=lengths.sum())
        return numbers, np.repeat(np.arange(len(lines)), lengths)

    def _longer(
        self, words: _Numbers, line: _Numbers, start: _Numbers, number: _Numbers, order: int
    ) -> tuple[_Numbers, _Numbers]:
        """The n-grams one word longer: where they begin, and each one's pair of numbers, as one.

        `start` and `number` are where the shorter ones begin and the numbers that they have.
        """
        in_text = start + order < len(words)
        start = start[in_text]
        number = number[in_text]
        last = start + order
        in_line = (line[last] == line[start]) & (words[last] >= 0)
        pairs = number[in_line].astype(np.int64) * len(self._words) + words[last[in_line]]
        return start[in_line], pairs
