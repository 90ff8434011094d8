"""chrF (Popović 2015) and chrF++ (Popović 2017), their statistics counted by sacreBLEU."""

from __future__ import annotations

import itertools
import reprlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..errors import InputError
from .base import ArrayLike, FloatArray, Lines, Metric, by_order
from .sacrebleu_counts import count_by_sacrebleu, sacrebleu_version

#: The least and the largest value of each setting.  Longer n-grams than those in use (6 characters,
#: 2 words) would take for ever to count; with the largest beta, precision counts for less than a
#: millionth of recall.
_RANGES = {"char_order": (1, 50), "word_order": (0, 50), "beta": (1, 1000)}

#: The counts of each order, in the order of their columns.
COUNTS = ("hyp", "ref", "match")


@dataclass(frozen=True)
class chrF(Metric):
    """F-score of character n-grams, in points (0 to 100); with words of two, chrF++.

    Precision and recall are averaged over the n-gram orders that occur on both sides, then
    combined.  With several references each segment is counted against the one that gives it the
    best chrF, as sacreBLEU does.

    Parameters
    ----------
    char_order : int
        Longest character n-gram, at most 50.
    word_order : int
        Longest word n-gram, at most 50; 0 for chrF, 2 for chrF++.
    beta : int
        How many times more recall counts than precision, at most 1000.
    lowercase : bool
        Count case-insensitively.
    whitespace : bool
        Let character n-grams span spaces.

    Examples
    --------
    >>> metric = chrF(word_order=2)
    >>> metric.label, len(metric.columns)
    ('chrF++', 24)
    >>> stats = metric.statistics(["the tea is hot"], [["the tea was hot"]])
    >>> round(float(metric.score(stats.sum(axis=0))), 2)
    51.79
    """

    name: ClassVar[str] = "chrF"
    char_order: int = 6
    word_order: int = 0
    beta: int = 2
    lowercase: bool = False
    whitespace: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, (least, most) in _RANGES.items():
            value = getattr(self, name)
            if not least <= value <= most:
                raise InputError(f"{name}={reprlib.repr(value)} must be from {least} to {most}.")

    @property
    def label(self) -> str:
        """``"chrF"``, with a plus for each word order, as its author writes it."""
        return self.name + "+" * self.word_order

    @property
    def columns(self) -> tuple[str, ...]:
        orders = by_order("char", self.char_order) + by_order("word", self.word_order)
        pairs = itertools.product(orders, COUNTS)
        return tuple(f"{count}_{order}" for order, count in pairs)

    @property
    def signature(self) -> str:
        case = "lc" if self.lowercase else "mixed"
        space = "yes" if self.whitespace else "no"
        return (
            f"chrF{self.beta}{'+' * self.word_order}|case:{case}|eff:yes"
            f"|nc:{self.char_order}|nw:{self.word_order}|space:{space}"
            f"|version:{sacrebleu_version()}"
        )

    def statistics(self, hypotheses: Lines, references: Sequence[Lines]) -> FloatArray:
        from sacrebleu.metrics.chrf import CHRF  # slow to import, and needed to count only

        counter = CHRF(**self.settings)
        return count_by_sacrebleu(counter, hypotheses, references, len(self.columns))

    def score(self, sums: ArrayLike) -> FloatArray:
        """ChrF = (1 + beta**2) P R / (beta**2 P + R), as in Popović (2015); see `Metric.score`.

        P and R are the means of the precision and the recall of n-grams over the orders that occur
        on both sides.
        """
        sums = np.asarray(sums)
        samples = sums.shape[:-1]
        total_precision = np.zeros(samples)
        total_recall = np.zeros(samples)
        n_orders = np.zeros(samples)
        with np.errstate(divide="ignore", invalid="ignore"):
            for first in range(0, sums.shape[-1], len(COUNTS)):
                hyp = sums[..., first].astype(np.float64)
                ref = sums[..., first + 1].astype(np.float64)
                match = sums[..., first + 2].astype(np.float64)
                precision = match / hyp
                recall = match / ref
                occurs = (hyp > 0) & (ref > 0)
                # Nearly always every order occurs in every sample, and no mask is needed.
                if not occurs.all():
                    precision = np.where(occurs, precision, 0.0)
                    recall = np.where(occurs, recall, 0.0)
                total_precision += precision
                total_recall += recall
                n_orders += occurs
            # F of the sums over orders, divided by their number, is F of the means.
            beta2 = self.beta**2
            weighted_sum = beta2 * total_precision + total_recall
            score = (1 + beta2) * total_precision * total_recall / weighted_sum / n_orders
        return np.where(total_precision > 0, 100.0 * score, 0.0)
