"""Intervals of all scores and differences from one set of bootstrap resamples."""

from __future__ import annotations

import dataclasses
from concurrent.futures import Executor

import numpy as np
import pandas as pd

from ..metrics.base import FloatArray
from ..statistics.sufficient import SufficientStatistics
from .intervals import bootstrap_scores, limits


@dataclasses.dataclass(frozen=True, eq=False)
class Bounds:
    """Scores of systems on resampled test sets, of which every interval is made.

    Attributes
    ----------
    systems : tuple of str
    scores : ndarray, shape (systems,)
    resampled : ndarray, shape (systems, resamples)
    direction : {1, -1}
        Whether larger scores are better.
    """

    systems: tuple[str, ...]
    scores: FloatArray
    resampled: FloatArray
    direction: int

    @classmethod
    def of(
        cls,
        statistics: SufficientStatistics,
        *,
        n_resamples: int = 2000,
        seed: int,
        executor: Executor | None = None,
    ) -> Bounds:
        """Those of all systems, from `n_resamples` draws of the statistics' units."""
        return cls(
            statistics.systems,
            statistics.metric.score(statistics.totals()),
            bootstrap_scores(statistics, n_resamples, seed=seed, executor=executor),
            statistics.metric.direction,
        )

    def of_scores(self, systems: pd.Index, level: float, method: str) -> pd.DataFrame:
        """``ci_low`` and ``ci_high`` of each system's score, by system."""
        at = pd.Index(self.systems).get_indexer(systems)
        low, high = limits(self.resampled[at], self.scores[at], level, method)
        return pd.DataFrame({"ci_low": low, "ci_high": high}, index=systems)

    def of_differences(self, pairs: pd.DataFrame, level: float, method: str) -> FloatArray:
        """Bounds of how much better each row's system_a is than its system_b, shape (pairs, 2)."""
        a, b = (
            pd.Index(self.systems).get_indexer(pd.Index(pairs[s])) for s in ("system_a", "system_b")
        )
        resampled = self.direction * (self.resampled[a] - self.resampled[b])
        observed = self.direction * (self.scores[a] - self.scores[b])
        return np.column_stack(limits(resampled, observed, level, method))
