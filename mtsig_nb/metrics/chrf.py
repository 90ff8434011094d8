"""chrF (Popović 2015) and chrF++ (Popović 2017), their statistics counted by sacreBLEU."""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ..errors import InputError
from .base import FloatArray, Lines, Metric, by_order
from .sacrebleu_counts import count_by_sacrebleu, sacrebleu_version

#: The longest are beyond any n-gram in use (6 characters, 2 words), where counting would take for
#: ever; with the largest beta precision counts for less than a millionth of recall.
_RANGES = {"char_order": (1, 50), "word_order": (0, 50), "beta": (1, 1000)}


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
        return tuple(f"{count}_{order}" for order in orders for count in ("hyp", "ref", "match"))

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

        return count_by_sacrebleu(CHRF(**self.settings), hypotheses, references, len(self.columns))

    def score(self, sums: npt.ArrayLike) -> FloatArray:
        sums, weight = np.asarray(sums), self.beta**2
        precision, recall, orders = (np.zeros(sums.shape[:-1]) for _ in range(3))
        with np.errstate(divide="ignore", invalid="ignore"):
            for first in range(0, sums.shape[-1], 3):
                hyp, ref, match = (sums[..., first + i].astype(np.float64) for i in range(3))
                occurs = (hyp > 0) & (ref > 0)
                # Nearly always every order occurs in every sample, and no mask is needed.
                everywhere = occurs.all()
                precision += match / hyp if everywhere else np.where(occurs, match / hyp, 0.0)
                recall += match / ref if everywhere else np.where(occurs, match / ref, 0.0)
                orders += occurs
            score = (1 + weight) * precision * recall / (weight * precision + recall) / orders
        return np.where(precision > 0, 100.0 * score, 0.0)
