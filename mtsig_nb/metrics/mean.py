"""Any metric that is a (weighted) mean of segment scores: COMET, MetricX, MQM, human ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ..errors import InputError
from .base import FloatArray, Lines, Metric


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
        What made the scores, with its version, for the signature (``"wmt22-comet-da"``).

    Examples
    --------
    >>> mean = SegmentMean(label="adequacy")
    >>> mean.score([[7.5, 3.0], [4.0, 2.0]]).tolist()
    [2.5, 2.0]
    """

    name: ClassVar[str] = "SegmentMean"
    label: str = "score"
    larger_is_better: bool = True
    resolution: float = 2.0**-32
    source: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if np.frexp(self.resolution)[0] != 0.5:
            raise InputError(f"resolution={self.resolution!r} must be a power of two.")

    @property
    def columns(self) -> tuple[str, ...]:
        return ("weighted_score", "weight")

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        return self.larger_is_better

    @property
    def quantum(self) -> float:
        return self.resolution

    @property
    def grid_error(self) -> float:
        # Each of the four means in two differences is off by at most half a step (where weights
        # are 1 on average), 0.1 + 0.2 from 0.3 for instance.
        return 2 * self.resolution

    @property
    def rounding(self) -> float:
        # Four quotients in two differences, each off by at most half a unit in the last place of a
        # mean that may be twice as large as those observed.  More would make ties of what differs
        # once all scores lie far from zero.
        return 2.0**-50

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

    def slopes(self, sums: FloatArray, fixed: npt.NDArray[np.bool_]) -> FloatArray | None:
        return np.array([1 / sums[1], 0.0]) if fixed[1] and sums[1] > 0 else None

    def score(self, sums: npt.ArrayLike) -> FloatArray:
        sums = np.asarray(sums, dtype=np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(sums[..., 1] > 0, sums[..., 0] / sums[..., 1], 0.0)
