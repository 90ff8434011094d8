"""NIST (Doddington 2002) as mteval-v13a computes it: n-grams weighted by their information."""

from __future__ import annotations

import functools
import math
import string
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

import numpy as np

from .base import ArrayLike, FloatArray, Lines, Metric, by_order, counts_first
from .references import check_aligned
from .sacrebleu_counts import tokenizer_named

MAX_ORDER = 5
Ngram = tuple[str, ...]

# Where the counts stand in `NIST.columns`; information and totals have a column for each order.
REF_LEN = 0
INFORMATION = slice(1, 1 + MAX_ORDER)
TOTALS = slice(1 + MAX_ORDER, None)

#: The penalty is one half where the output has two thirds of the words of the references.
PENALTY_EXPONENT = -math.log(2) / math.log(1.5) ** 2


@dataclass(frozen=True)
class NIST(Metric):
    """Mean information of the matched n-grams up to five words, with a penalty for brevity.

    The information of an n-gram is the number of bits that its last word adds to the others, from
    counts in the references of the whole test set.  With several references, counts are taken over
    all of them, an n-gram matches as often as it occurs in the reference that has it most often,
    and the required length is the mean length.  Scores and tokenisation are those of mteval-v13a
    run with ``-c``, as the shared tasks do, so that case counts as it does in BLEU.

    Statistics are real numbers, rounded to multiples of 2**-24 bits.

    Parameters
    ----------
    lowercase : bool
        Ignore the case of ASCII letters, as mteval does without ``-c``.

    Notes
    -----
    Since the information comes from the test set's references, statistics of different test sets
    must not be joined.  Resampling keeps the information from the full test set.  After a lone "0"
    mteval-v13a counts information from all words, a slip of Perl that is kept here.

    Examples
    --------
    >>> nist = NIST()
    >>> refs = [["the tea is hot", "the milk is cold"]]
    >>> stats = nist.statistics(["the tea is cold", "the milk is cold"], refs)
    >>> round(float(nist.score(stats.sum(axis=0))), 4)
    2.625
    """

    name: ClassVar[str] = "NIST"
    takes_gaps: ClassVar[bool] = True
    columns = ("ref_len", *by_order("info", MAX_ORDER), *by_order("total", MAX_ORDER))
    quantum = 2.0**-24
    lowercase: bool = False

    @property
    def signature(self) -> str:
        case = "lc" if self.lowercase else "mixed"
        return f"NIST|case:{case}|tok:mteval-v13a|order:{MAX_ORDER}|version:mteval-v13a"

    def statistics(self, hypotheses: Lines, references: Sequence[Lines]) -> FloatArray:
        hypotheses, references = check_aligned(hypotheses, references)
        translations_of_segments = []
        for lines in zip(*references, strict=True):
            # A segment may lack one of several references.
            translations = [self.words(line) for line in lines if line is not None]
            translations_of_segments.append(translations)
        information = _information(translations_of_segments)
        rows = []
        for line, translations in zip(hypotheses, translations_of_segments, strict=True):
            rows.append(self._counts(self.words(line), translations, information))
        shape = (len(hypotheses), len(self.columns))
        return self.snap(np.array(rows).reshape(shape))

    def _counts(
        self, words: Ngram, translations: Sequence[Ngram], information: Mapping[Ngram, float]
    ) -> list[float]:
        """The statistics of one segment, in the order of `columns`."""
        in_references: Counter[Ngram] = Counter()  # in the reference that has most
        for translation in translations:
            in_references |= Counter(_ngrams(translation))
        mean_ref_len = sum(map(len, translations)) / len(translations)
        matches = Counter(_ngrams(words)) & in_references
        matched = [0.0] * MAX_ORDER
        for ngram, count in matches.items():
            matched[len(ngram) - 1] += information[ngram] * count
        totals = [max(len(words) - n, 0) for n in range(MAX_ORDER)]
        return [mean_ref_len, *matched, *totals]

    def words(self, line: str) -> Ngram:
        return tokenize(line, self.lowercase)

    def score(self, sums: ArrayLike) -> FloatArray:
        """Information a match, times exp(beta log**2 min(L_sys / L_ref, 1)); see `Metric.score`.

        In the formula of Doddington (2002) the first factor is a sum over orders: the information
        of all matches of an order is divided by the number of the output's n-grams of that order.
        """
        counts = counts_first(sums)
        ref_len = counts[REF_LEN]
        information_of_orders = counts[INFORMATION]
        totals = counts[TOTALS]
        hyp_len = totals[0]  # the number of its unigrams
        score = np.zeros(ref_len.shape)
        for information, total in zip(information_of_orders, totals, strict=True):
            score += information / np.maximum(total, 1.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            log_ratio = np.log(np.minimum(hyp_len / ref_len, 1.0))
            penalty = np.exp(PENALTY_EXPONENT * log_ratio * log_ratio)
        # An empty output scores nothing, and so does any output where all references are empty.
        has_words = (hyp_len > 0) & (ref_len > 0)
        return np.where(has_words, score * penalty, 0.0)


def _ngrams(words: Ngram) -> Iterator[Ngram]:
    """All n-grams of a line up to the largest order."""
    n_words = len(words)
    for start in range(n_words):
        last = min(start + MAX_ORDER, n_words)
        for end in range(start + 1, last + 1):
            yield words[start:end]


def _information(references: Sequence[Sequence[Ngram]]) -> dict[Ngram, float]:
    """How many bits the last word of each n-gram of the references tells, by the n-gram.

    `references` has the words of all references of each segment.
    """
    lines = list(chain.from_iterable(references))
    occurrences = Counter(chain.from_iterable(map(_ngrams, lines)))
    # mteval asks whether the words before the last are "true", and to Perl the string "0" is not:
    # after a lone 0 it takes the number of all words for the count of its context.
    n_words = sum(map(len, lines))
    contexts = {**occurrences, (): n_words, ("0",): n_words}
    information = {}
    for ngram, count in occurrences.items():
        n_context = contexts[ngram[:-1]]
        information[ngram] = math.log2(n_context / count)
    return information


_ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_tokenizer_named = functools.cache(tokenizer_named)


def tokenize(line: str, lowercase: bool = False) -> Ngram:
    """Words of `line` by mteval-v13a's rules for Western languages, which sacreBLEU has.

    >>> tokenize("It cost $1,200.50 (1990-95), &quot;cheap&quot;.")
    ('It', 'cost', '$', '1,200.50', '(', '1990', '-', '95', ')', ',', '"', 'cheap', '"', '.')
    """
    tokenizer = _tokenizer_named("13a")
    words = tokenizer(line).split()
    if lowercase:
        words = [word.translate(_ASCII_LOWER) for word in words]
    return tuple(words)
