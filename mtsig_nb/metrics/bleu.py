"""BLEU (Papineni et al. 2002), counted from sacreBLEU's tokens as sacreBLEU counts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, repeat
from typing import ClassVar, NamedTuple

import numpy as np

from ..errors import check_one_of
from .base import ArrayLike, FloatArray, IntArray, Lines, by_order
from .references import check_aligned
from .sacrebleu_counts import TokenizedMetric, sacrebleu_version

MAX_NGRAM_ORDER = 4

# Where the counts stand in `BLEU.columns`; matches and totals have a column for each order.
HYP_LEN = 0
REF_LEN = 1
MATCHES = slice(2, 2 + MAX_NGRAM_ORDER)
TOTALS = slice(2 + MAX_NGRAM_ORDER, None)

#: What each way of smoothing adds to counts: "floor" to matches where there are none, "add-k" to
#: the matches and totals of all orders but the first.
SMOOTHING = {"exp": 0.0, "none": 0.0, "floor": 0.1, "add-k": 1.0}
#: Tokenisers that look no further than the next space, and leave letters and digits together.
#: With these each different word needs to be cut up only once.
_WORD_BY_WORD = ("13a", "none")
#: What stands between words that are cut up in one call.  These tokenisers leave it as it is.
_BETWEEN_WORDS = " \0 "
#: Lines with one of these are cut up as a whole: the first is part of a rule of 13a, the second
#: stands between words.
_CUT_AS_A_WHOLE = re.compile("[\n\0]")


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
        How to score a corpus without a single match of some order.  This never matters for a test
        set of ordinary size, but may for a resample of a small one.  ``"floor"`` adds 0.1,
        ``"add-k"`` 1, sacreBLEU's defaults.

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
        in_references = self._counted(references)
        output = self._tokens(hypotheses)
        hyp_len = np.array(list(map(len, output)), dtype=np.int64)
        matches = in_references.matches(output)
        totals = np.maximum(hyp_len[:, None] - np.arange(MAX_NGRAM_ORDER), 0)
        counts = [hyp_len, _closest_lengths(in_references.lengths, hyp_len), matches, totals]
        return np.column_stack(counts).astype(float)

    def words(self, line: str) -> Sequence[str]:
        return self._tokens([line])[0]

    def score(self, sums: ArrayLike) -> FloatArray:
        """BLEU = BP exp(1/4 sum of log p_n), with BP = min(1, exp(1 - r/c)); see `Metric.score`.

        In Papineni et al. (2002, section 2.3) p_n are the precisions of n-grams, c is the length of
        the output and r that of the references.
        """
        sums = np.asarray(sums)
        samples = sums.shape[:-1]
        c = sums[..., HYP_LEN]
        r = sums[..., REF_LEN]
        matches = sums[..., MATCHES]
        totals = sums[..., TOTALS]
        product = np.ones(samples)  # of the precisions
        with np.errstate(divide="ignore", invalid="ignore"):
            # The geometric mean of four precisions by two square roots: several times faster
            # than exp of a mean of logarithms, and equally exact.
            for n in range(MAX_NGRAM_ORDER):
                product *= matches[..., n].astype(np.float64, copy=False)
                product /= totals[..., n]
            score = 100.0 * np.sqrt(np.sqrt(product))
            # The minimum first: most systems are long enough, and exp(0) is 1.
            log_brevity_penalty = np.minimum(0.0, 1.0 - r.astype(np.float64, copy=False) / c)
            score *= np.exp(log_brevity_penalty)
        if self.smooth_method == "add-k":
            is_smoothed = np.ones(samples, dtype=bool)
        else:
            # Matches and totals fall with the order, so the last order tells for all.
            no_match = np.asarray(matches[..., -1] == 0)
            is_smoothed = no_match | (totals[..., -1] == 0)
        if is_smoothed.any():
            score = np.asarray(score)
            smoothed_sums = sums[is_smoothed].astype(np.float64)
            score[is_smoothed] = self._smoothed(smoothed_sums)
        return score

    def _smoothed(self, sums: FloatArray) -> FloatArray:
        """Scores where some order has no match, by sacreBLEU's rules; shape (samples,)."""
        c = sums[:, HYP_LEN]
        r = sums[:, REF_LEN]
        matches = sums[:, MATCHES].copy()
        totals = sums[:, TOTALS].copy()
        without_matches = ~matches.any(axis=1)
        added = SMOOTHING[self.smooth_method]
        if self.smooth_method == "add-k":
            matches[:, 1:] += added
            totals[:, 1:] += added
        elif self.smooth_method == "floor":
            matches = np.where(matches == 0, added, matches)
        elif self.smooth_method == "exp":
            # The first order without a match counts 1/2 of a match, the next one 1/4, and so on.
            halvings = np.cumsum(matches == 0, axis=1)
            matches = np.where(matches == 0, 0.5**halvings, matches)
        with np.errstate(divide="ignore", invalid="ignore"):
            precisions = np.where(totals > 0, matches / totals, 0.0)
            brevity_penalty = np.exp(np.minimum(0.0, 1.0 - r / c))
        product = precisions.prod(axis=1)
        score = 100.0 * brevity_penalty * np.sqrt(np.sqrt(product))
        return np.where(without_matches | (c == 0), 0.0, score)

    def _counted(self, references: list[list[str]]) -> ReferenceNgrams:
        """The n-grams of the references, counted anew only if these are not the last ones."""
        texts = tuple(map(tuple, references))
        if texts not in self._last_references:
            self._last_references.clear()
            tokens = [self._tokens(lines) for lines in references]
            self._last_references[texts] = ReferenceNgrams(tokens, MAX_NGRAM_ORDER)
        return self._last_references[texts]

    @cached_property
    def _last_references(self) -> dict[tuple[tuple[str, ...], ...], ReferenceNgrams]:
        """The n-grams of the references that were counted last, by their texts; empty at first."""
        return {}

    def _tokens(self, lines: Lines) -> list[list[str]]:
        """The tokens of each line."""
        if self.lowercase:
            lines = [line.lower() for line in lines]
        tokenizer = self._tokenizer
        word_by_word = self.tokenize in _WORD_BY_WORD
        if not word_by_word or any(map(_CUT_AS_A_WHOLE.search, lines)):
            return [tokenizer(line.rstrip()).split() for line in lines]
        words_of_lines = [line.split() for line in lines]
        different_words = set(chain.from_iterable(words_of_lines))
        known = self._tokens_of_words
        known.update(self._cut_up(different_words - known.keys()))
        tokens = []
        for words in words_of_lines:
            tokens_of_words = map(known.__getitem__, words)
            tokens.append(list(chain.from_iterable(tokens_of_words)))
        return tokens

    def _cut_up(self, words: Iterable[str]) -> dict[str, list[str]]:
        """The tokens of each word, by a tokeniser that looks no further than the next space."""
        tokens = {word: [word] for word in words}
        to_cut = [word for word in tokens if not word.isalnum()]
        if to_cut:
            # One call for all words: there are thousands, and a call costs more than a word.
            cut = self._tokenizer(_BETWEEN_WORDS.join(to_cut)).split(_BETWEEN_WORDS)
            for word, tokens_of_word in zip(to_cut, cut, strict=True):
                tokens[word] = tokens_of_word.split()
        return tokens

    @cached_property
    def _tokens_of_words(self) -> dict[str, list[str]]:
        """The tokens of words that have been cut up before."""
        return {}


def _closest_lengths(ref_lengths: IntArray, hyp_len: IntArray) -> IntArray:
    """The length of each segment's reference that is closest to the output's, shape (segments,).

    Of two references that are equally close the shorter counts.  `ref_lengths` is of shape
    (references, segments).
    """
    ascending = np.sort(ref_lengths, axis=0)
    closest = np.abs(ascending - hyp_len).argmin(axis=0)
    return np.take_along_axis(ascending, closest[None], axis=0)[0]


#: The tokens of each segment.
Tokens = Sequence[Sequence[str]]


class _NgramsOfOrder(NamedTuple):
    """The different n-grams of one order in the references, segment by segment."""

    pairs: IntArray  # (n-grams,), sorted
    counts: IntArray  # (n-grams,), in the reference that has it most often
    segments: IntArray  # (n-grams,)


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
        n_references = len(references)
        self.lengths = np.array([list(map(len, lines)) for lines in references])
        self._n_segments = self.lengths.shape[1]
        lines = list(chain.from_iterable(references))
        self._words: dict[str, int] = {}
        for word in chain.from_iterable(lines):
            self._words.setdefault(word, len(self._words))
        self._orders: list[_NgramsOfOrder] = []
        words, line = self._numbered(lines)
        # The line of a segment in a reference has the number reference * n_segments + segment.
        # Empty n-grams, one before each word: where they begin, and their numbers.
        start = np.arange(len(words))
        number = line % self._n_segments
        for order in range(max_order):
            start, pairs = self._longer(words, line, start, number, order)
            distinct, first, number = np.unique(pairs, return_index=True, return_inverse=True)
            n_distinct = len(distinct)
            reference, segment = np.divmod(line[start], self._n_segments)
            # How often each reference has each n-gram, in one count of all entries of a table.
            entry = reference * n_distinct + number
            counts = np.bincount(entry, minlength=n_references * n_distinct)
            largest = counts.reshape(n_references, n_distinct).max(axis=0)
            self._orders.append(_NgramsOfOrder(distinct, largest, segment[first]))

    def matches(self, output: Tokens) -> IntArray:
        """How many n-grams of each order match, shape (segments, orders).

        Each matches at most as often as it occurs in the reference that has it most often.
        """
        n_segments = self._n_segments
        words, line = self._numbered(output)
        start = np.arange(len(words))
        number = line
        matches = np.zeros((n_segments, len(self._orders)), dtype=np.int64)
        for order, known in enumerate(self._orders):
            n_known = len(known.pairs)
            if not n_known:
                break
            start, pairs = self._longer(words, line, start, number, order)
            place = np.minimum(np.searchsorted(known.pairs, pairs), n_known - 1)
            is_known = known.pairs[place] == pairs
            start = start[is_known]
            number = place[is_known]
            counts = np.bincount(number, minlength=n_known)
            matched = np.minimum(counts, known.counts)
            matches[:, order] = np.bincount(known.segments, matched, minlength=n_segments)
        return matches

    def _numbered(self, lines: Tokens) -> tuple[IntArray, IntArray]:
        """For each word its number, -1 where no reference has it, and the number of its line."""
        n_lines = len(lines)
        lengths = np.fromiter(map(len, lines), dtype=np.intp, count=n_lines)
        all_words = chain.from_iterable(lines)
        numbers = map(self._words.get, all_words, repeat(-1))
        words = np.fromiter(numbers, dtype=np.int64, count=lengths.sum())
        line = np.repeat(np.arange(n_lines), lengths)
        return words, line

    def _longer(
        self, words: IntArray, line: IntArray, start: IntArray, number: IntArray, order: int
    ) -> tuple[IntArray, IntArray]:
        """The n-grams that are one word longer, in lines, and of words that references have.

        Parameters
        ----------
        words, line : ndarray of int64, shape (words,)
            The number of each word, and of its line.
        start, number : ndarray of int64, shape (n-grams,)
            The places in `words` where the shorter n-grams begin, and their numbers.
        order : int
            How many words the shorter n-grams have.

        Returns
        -------
        start : ndarray of int64
            The places in `words` where the longer n-grams begin.
        pairs : ndarray of int64
            For each of them the number of the shorter n-gram and that of the last word, as one
            number.
        """
        in_text = start + order < len(words)
        start = start[in_text]
        number = number[in_text]
        last = start + order
        is_in_line = line[last] == line[start]
        is_known = words[last] >= 0
        longer = is_in_line & is_known
        first_of_pair = number[longer].astype(np.int64)
        second_of_pair = words[last[longer]]
        pairs = first_of_pair * len(self._words) + second_of_pair
        return start[longer], pairs
