"""NIST (Doddington 2002) as mteval-v13a computes it: n-grams weighted by their information."""

from __future__ import annotations

import functools
import math
import string
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .base import ArrayLike, FloatArray, Lines, Metric, by_order, check_aligned, tokenizer_named

MAX_ORDER = 5
Ngram = tuple[str, ...]
#: The penalty is one half where the output has two thirds of the words of the references.
PENALTY_EXPONENT = -math.log(2) / math.log(1.5) ** 2


@dataclass(frozen=True)
class NIST(Metric):
    """Mean information of the matched n-grams up to five words, with a penalty for brevity.

    An n-gram's information is how many bits its last word tells once the others are known, from
    counts in the references of the whole test set.  With several references, counts are taken
    over all of them, an n-gram matches as often as it occurs in the reference that has it most,
    and the length to reach is the mean length.  Scores and tokenisation are those of mteval-v13a
    run with ``-c``, as the shared tasks do, so that case counts as it does in BLEU.

    Statistics are real numbers, rounded to multiples of 2**-24 bits.

    Parameters
    ----------
    lowercase : bool
        Ignore the case of ASCII letters, as mteval does without ``-c``.

    Notes
    -----
    Since the information comes from the test set's references, statistics of different test sets
    must not be joined; resampling keeps the information that the full test set gave.  After a
    lone "0" mteval-v13a counts information from all words, a slip of Perl that is kept here.

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
        tokenized = [
            [tokenize(line, self.lowercase) for line in segment if line is not None]
            for segment in zip(*references, strict=True)
        ]
        bits = _information(tokenized)
        rows = np.zeros((len(hypotheses), len(self.columns)))
        for row, line, translations in zip(rows, hypotheses, tokenized, strict=True):
            words = tokenize(line, self.lowercase)
            most: Counter[Ngram] = Counter()
            for translation in translations:
                most |= Counter(_ngrams(translation))
            row[0] = sum(map(len, translations)) / len(translations)
            for ngram, count in (Counter(_ngrams(words)) & most).items():
                row[len(ngram)] += bits[ngram] * count
            row[1 + MAX_ORDER :] = [max(len(words) - n, 0) for n in range(MAX_ORDER)]
        return self.snap(rows)

    def words(self, line: str) -> Sequence[str]:
        return tokenize(line, self.lowercase)

    def score(self, sums: ArrayLike) -> FloatArray:
        counts = np.ascontiguousarray(np.moveaxis(np.asarray(sums, dtype=np.float64), -1, 0))
        ref_len, information, totals = counts[0], counts[1 : 1 + MAX_ORDER], counts[1 + MAX_ORDER :]
        hyp_len, score = totals[0], np.zeros(ref_len.shape)
        for found, total in zip(information, totals, strict=True):
            score += found / np.maximum(total, 1.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            log_ratio = np.log(np.minimum(hyp_len / ref_len, 1.0))
            penalty = np.exp(PENALTY_EXPONENT * log_ratio * log_ratio)
        # Nothing said, or nothing to say, scores nothing.
        return np.where((hyp_len > 0) & (ref_len > 0), score * penalty, 0.0)


def _ngrams(words: Ngram) -> Iterator[Ngram]:
    for start in range(len(words)):
        for end in range(start, min(start + MAX_ORDER, len(words))):
            yield words[start : end + 1]


def _information(references: Sequence[Sequence[Ngram]]) -> dict[Ngram, float]:
    """How many bits the last word of each n-gram of the references tells."""
    lines = [words for segment in references for words in segment]
    occurrences = Counter(ngram for words in lines for ngram in _ngrams(words))
    # mteval asks whether the words before the last are "true", and to Perl the string "0" is not:
    # after a lone 0 it takes the number of all words for the count of its context.
    n_words = sum(map(len, lines))
    before = {**occurrences, (): n_words, ("0",): n_words}
    return {n: math.log2(before[n[:-1]] / count) for n, count in occurrences.items()}


_ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_rules = functools.cache(tokenizer_named)


def tokenize(line: str, lowercase: bool = False) -> Ngram:
    """Words of `line` by mteval-v13a's rules for Western languages, which sacreBLEU has.

    >>> tokenize("It cost $1,200.50 (1990-95), &quot;cheap&quot;.")
    ('It', 'cost', '$', '1,200.50', '(', '1990', '-', '95', ')', ',', '"', 'cheap', '"', '.')
    """
    words = _rules("13a")(line).split()
    return tuple(word.translate(_ASCII_LOWER) for word in words) if lowercase else tuple(words)
