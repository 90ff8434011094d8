"""Macro averages: a metric scored in each stratum, such as each domain, and then averaged."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ..errors import InputError
from .base import FloatArray, Lines, Metric


@dataclass(frozen=True)
class MacroAverage(Metric):
    """The mean over strata of a metric's score in each, every stratum counting the same, or not.

    Its statistics are those of the metric, once per stratum; a segment's are zero in all strata
    but its own.  So a macro average is a function of sums like any other metric, and every test
    and interval works on it.  It is made by
    :meth:`mtsig_nb.SufficientStatistics.by_stratum` or :func:`mtsig_nb.test_sets`, not from text.

    Parameters
    ----------
    metric : Metric
    strata : tuple of str
        Names of the strata, in the order of the statistics.
    weights : tuple of float
        Of the strata, adding up to 1; all the same if there are none.

    Examples
    --------
    >>> from mtsig_nb.metrics import SegmentMean
    >>> macro = MacroAverage(SegmentMean(label="COMET"), ("news", "talks"))
    >>> macro.columns
    ('news:weighted_score', 'news:weight', 'talks:weighted_score', 'talks:weight')
    >>> macro.score([75.0, 100.0, 2.0, 4.0]).item()  # 0.75 in the news, 0.5 in the talks
    0.625
    >>> macro.stratum_scores([75.0, 100.0, 2.0, 4.0]).tolist()
    [0.75, 0.5]
    """

    name: ClassVar[str] = "MacroAverage"
    metric: Metric
    strata: tuple[str, ...]
    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(set(self.strata)) < max(2, len(self.strata)):
            raise InputError(
                f"strata={self.strata!r}: give two or more, each with a name of its own."
            )
        if self.weights and not (
            len(self.weights) == len(self.strata)
            and min(self.weights) > 0
            and math.isclose(sum(self.weights), 1)
        ):
            raise InputError(
                f"weights={self.weights!r}: give one above 0 for each of the {len(self.strata)} "
                "strata, adding up to 1."
            )

    @property
    def label(self) -> str:
        """The metric's name as shown in tables and figures."""
        return f"macro-averaged {getattr(self.metric, 'label', self.metric.name)}"

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(f"{s}:{column}" for s in self.strata for column in self.metric.columns)

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        return self.metric.higher_is_better

    @property
    def quantum(self) -> float:
        return self.metric.quantum

    @property
    def grid_error(self) -> float:
        return self.metric.grid_error

    @property
    def rounding(self) -> float:
        return self.metric.rounding + len(self.strata) * 2.0**-50  # adding up rounds as well

    @property
    def signature(self) -> str:
        name, _, rest = self.metric.signature.partition("|")
        parts = self.strata
        if self.weights:
            parts = tuple(f"{w:g}*{s}" for w, s in zip(self.weights, parts, strict=True))
        return f"{name}|macro:{'+'.join(parts)}|{rest}"

    @property
    def settings(self) -> dict[str, Any]:
        return {"metric": self.metric, "strata": self.strata, "weights": self.weights}

    def statistics(self, hypotheses: Lines, references: Sequence[Lines]) -> FloatArray:
        raise InputError(
            "metric: a macro average needs to know each segment's stratum. Measure the metric "
            f"itself, {self.metric.name}, and call by_stratum(labels) on its statistics."
        )

    def score(self, sums: npt.ArrayLike) -> FloatArray:
        scores = self.stratum_scores(sums)
        return scores @ self.weights if self.weights else scores.mean(axis=-1)

    def slopes(self, sums: FloatArray, fixed: npt.NDArray[np.bool_]) -> FloatArray | None:
        n = len(self.strata)
        parts = zip(sums.reshape(n, -1), fixed.reshape(n, -1), strict=True)
        found = [self.metric.slopes(own, still) for own, still in parts]
        if any(part is None for part in found):
            return None
        weights = np.reshape(self.weights or np.full(n, 1 / n), (n, 1))
        return (weights * np.stack(found)).ravel()  # type: ignore[arg-type]  # none is None

    def stratum_scores(self, sums: npt.ArrayLike) -> FloatArray:
        """The metric's score in each stratum: (..., counts) becomes (..., strata)."""
        sums = np.asarray(sums)
        return self.metric.score(sums.reshape(*sums.shape[:-1], len(self.strata), -1))
