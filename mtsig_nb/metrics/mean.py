"""Means: of segment scores (COMET, MetricX, MQM, human ratings), and of a metric over strata."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..errors import InputError
from .base import ArrayLike, FloatArray, Lines, Mask, Metric


@dataclass(frozen=True)
class SegmentMean(Metric):
    """The mean of one score per segment, optionally weighted.

    Its two sufficient statistics are the weighted score and the weight.  It cannot be measured
    from text: make it from scores with :func:`mtsig_nb.from_segment_scores`.

    Parameters
    ----------
    label : str
        The name of what was scored, such as ``"COMET"``; shown wherever a metric's name is.
    larger_is_better : bool
        False for penalties and error rates.
    resolution : float
        A power of two to which scores are rounded (default 2**-32, about 2e-10), so that sums
        over resamples are exact; see `Metric.quantum`.
    source : str
        The scorer and its version, for the signature (``"wmt22-comet-da"``).

    Examples
    --------
    >>> mean = SegmentMean(label="adequacy")
    >>> mean.score([[7.5, 3.0], [4.0, 2.0]]).tolist()
    [2.5, 2.0]
    """

    name: ClassVar[str] = "SegmentMean"
    columns = ("weighted_score", "weight")
    # Two differences have four quotients.  Each is off by at most half a unit in the last place of
    # a mean, which may be twice as large as the means observed.  A larger allowance would make ties
    # of what differs where all scores lie far from zero.
    rounding = 2.0**-50
    label: str = "score"
    larger_is_better: bool = True
    resolution: float = 2.0**-32
    source: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if np.frexp(self.resolution)[0] != 0.5:
            raise InputError(f"resolution={self.resolution!r} must be a power of two.")

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        return self.larger_is_better

    @property
    def quantum(self) -> float:
        return self.resolution

    @property
    def grid_error(self) -> float:
        # Two differences have four means, and each is off by at most half a step of the grid, where
        # weights are 1 on average.  On the grid 0.1 + 0.2 may differ from 0.3, for instance.
        return 2 * self.resolution

    @property
    def signature(self) -> str:
        source = f"|source:{self.source}" if self.source else ""
        return f"{self.label}|mean of segment scores{source}"

    def statistics(self, hypotheses: Lines, references: Sequence[Lines]) -> FloatArray:
        raise InputError(
            f"metric={self.label!r} is a mean of given segment scores and cannot be computed from "
            "text. Score the segments with the tool of your choice and pass them to "
            "mtsig_nb.from_segment_scores."
        )

    def weights(self, values: FloatArray) -> FloatArray:
        return values[..., 1]

    def slopes(self, sums: FloatArray, fixed: Mask) -> FloatArray | None:
        _, weight = sums
        _, weight_is_fixed = fixed
        if weight_is_fixed and weight > 0:
            return np.array([1 / weight, 0.0])
        return None

    def score(self, sums: ArrayLike) -> FloatArray:
        sums = np.asarray(sums, dtype=np.float64)
        weighted_score = sums[..., 0]
        weight = sums[..., 1]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(weight > 0, weighted_score / weight, 0.0)


@dataclass(frozen=True)
class MacroAverage(Metric):
    """The mean over strata of a metric's score in each, every stratum counting the same.

    Its statistics are those of the metric, once per stratum; a segment's are zero in all strata
    but its own.  So a macro average is a function of sums like any other metric, and every test
    and interval works on it.  It is made by
    :meth:`mtsig_nb.SufficientStatistics.by_stratum` or :func:`mtsig_nb.test_sets`, not from text.

    Parameters
    ----------
    metric : Metric
    strata : tuple of str
        Names of the strata, in the order of the statistics.

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

    def __post_init__(self) -> None:
        super().__post_init__()
        n_strata = len(self.strata)
        if n_strata < 2 or len(set(self.strata)) < n_strata:
            raise InputError(
                f"strata={self.strata!r}: give two or more, each with a name of its own."
            )

    @property
    def label(self) -> str:
        """The metric's name as shown in tables and figures."""
        return f"macro-averaged {getattr(self.metric, 'label', self.metric.name)}"

    @property
    def columns(self) -> tuple[str, ...]:
        pairs = itertools.product(self.strata, self.metric.columns)
        return tuple(f"{stratum}:{column}" for stratum, column in pairs)

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
        rounding_of_mean = len(self.strata) * 2.0**-50
        return self.metric.rounding + rounding_of_mean

    @property
    def signature(self) -> str:
        name, _, rest = self.metric.signature.partition("|")
        return f"{name}|macro:{'+'.join(self.strata)}|{rest}"

    @property
    def settings(self) -> dict[str, Any]:
        return {"metric": self.metric, "strata": self.strata}

    def statistics(self, hypotheses: Lines, references: Sequence[Lines]) -> FloatArray:
        raise InputError(
            "metric: a macro average needs to know each segment's stratum. Measure the metric "
            f"itself, {self.metric.name}, and call by_stratum(labels) on its statistics."
        )

    def score(self, sums: ArrayLike) -> FloatArray:
        return self.stratum_scores(sums).mean(axis=-1)

    def slopes(self, sums: FloatArray, fixed: Mask) -> FloatArray | None:
        n_strata = len(self.strata)
        sums_of_strata = sums.reshape(n_strata, -1)
        fixed_in_strata = fixed.reshape(n_strata, -1)
        slopes = []
        for sums_of_stratum, fixed_in_stratum in zip(sums_of_strata, fixed_in_strata, strict=True):
            slopes_in_stratum = self.metric.slopes(sums_of_stratum, fixed_in_stratum)
            if slopes_in_stratum is None:
                return None
            slopes.append(slopes_in_stratum)
        return (1 / n_strata * np.stack(slopes)).ravel()

    def stratum_scores(self, sums: ArrayLike) -> FloatArray:
        """The metric's score in each stratum: (..., counts) becomes (..., strata)."""
        sums = np.asarray(sums)
        samples = sums.shape[:-1]
        sums_of_strata = sums.reshape(*samples, len(self.strata), -1)
        return self.metric.score(sums_of_strata)
