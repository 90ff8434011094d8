"""Ratios of sums of counts that something else made: word error rate, precision, F1, accuracy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..errors import InputError
from .base import ArrayLike, FloatArray, Lines, Mask, Metric
from .formula import Formula, parse_formula


@dataclass(frozen=True)
class RatioOfSums(Metric):
    """A ratio of sums of columns, such as ``errors/words``.

    Its sufficient statistics are the columns.  They are summed over the units of a (re)sample, and
    then the ratio is taken: it is not the mean of the units' ratios.  Columns of decimals may be
    counted in hundredths, or in whatever makes them whole, which does not change the ratio.  It
    cannot be measured from text: make it from a table with :func:`mtsig_nb.from_segment_scores` or
    :func:`mtsig_nb.read_score_table`.

    Parameters
    ----------
    formula : str
        As in :func:`mtsig_nb.metrics.formula.parse_formula`.
    label : str
        The name of the ratio; shown wherever a metric's name is.
    larger_is_better : bool
        False for error rates.

    Examples
    --------
    >>> wer = RatioOfSums("errors/words", label="WER", larger_is_better=False)
    >>> wer.columns
    ('errors', 'words')
    >>> wer.score([[3, 20], [0, 0]]).tolist()  # of nothing it is 0
    [0.15, 0.0]
    >>> RatioOfSums("2*tp/(2*tp+fp+fn)", label="F1").score([8, 1, 3]).item()
    0.8
    """

    name: ClassVar[str] = "RatioOfSums"
    formula: str
    label: str = "ratio"
    larger_is_better: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        parse_formula(self.formula)  # which raises `InputError` if it is none

    @property
    def _parsed(self) -> Formula:
        """The formula, read; it is read once."""
        return parse_formula(self.formula)

    @property
    def columns(self) -> tuple[str, ...]:
        return self._parsed.columns

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        return self.larger_is_better

    @property
    def signature(self) -> str:
        return f"{self.label}|ratio of sums|{self.formula}"

    def statistics(self, hypotheses: Lines, references: Sequence[Lines]) -> FloatArray:
        raise InputError(
            f"metric={self.label!r} is a ratio of given counts and cannot be computed from text. "
            "Count with the tool of your choice, and give the table to mtsig_nb.read_score_table."
        )

    def weights(self, values: FloatArray) -> FloatArray:
        return _sum_of_columns(values, self._parsed.denominator)

    def slopes(self, sums: FloatArray, fixed: Mask) -> FloatArray | None:
        below = np.array(self._parsed.denominator)
        denominator = self.weights(sums)
        if fixed[below != 0].all() and denominator > 0:
            return np.array(self._parsed.numerator) / denominator
        return None

    def score(self, sums: ArrayLike) -> FloatArray:
        sums = np.asarray(sums, dtype=np.float64)
        numerator = _sum_of_columns(sums, self._parsed.numerator)
        denominator = self.weights(sums)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(denominator > 0, numerator / denominator, 0.0)


def _sum_of_columns(values: FloatArray, factors: Sequence[float]) -> FloatArray:
    """The columns, each times its factor, as one: (..., columns) becomes (...)."""
    total = np.zeros(values.shape[:-1])
    for column, factor in enumerate(factors):
        if factor:  # columns that only the other sum has may be large, and add nothing
            total += factor * values[..., column]
    return total
