"""Intervals of all scores and differences from one set of bootstrap resamples.

Percentile and basic intervals hold each for its pair alone: among the 66 of twelve systems some
mostly miss.  *Simultaneous* intervals (`simultaneous_limits`) contain all differences of a family
at once, in as many families as the level says.

Of two-sided conclusions at 1 - level they are the counterpart as far as a single step goes: with
the same resamples an interval leaves zero out exactly where the first step of ``"romano-wolf"``
distinguishes the pair.  Other conclusions may differ from them:

* step by step (``"holm"``, ``"hochberg"``, ``"hommel"``, ``"westfall-young"``,
  ``"romano-wolf"`` after its first step), corrections ask less of a pair once others are told
  apart, or until they are; an interval has nothing to step to, so these may distinguish a pair
  whose interval contains zero;
* ``"benjamini-hochberg"`` and ``"benjamini-yekutieli"`` bound the share of false claims, not the
  chance of any, and may do so as well;
* corrections of p-values alone do not know how pairs depend on one another, as resamples do, and
  may leave a pair undecided whose interval leaves zero out;
* shuffles, of which approximate randomization takes its p-values, show how much a difference varies
  if outputs are exchangeable, bootstrap resamples how much this one varies.  For means the two
  differ by a little; for BLEU, and systems of unequal length, shuffles may vary half as much.

A comparison says in its `caveats` where that is so.  How often all intervals of
a family contain the truth was measured: ``docs/trust.md``.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from concurrent.futures import Executor

import numpy as np
import pandas as pd

from ..engine.counting import TIE_TOLERANCE, tie_scale
from ..errors import InputError
from ..metrics.base import FloatArray, Metric
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
    metric : Metric
    n_trials : int, optional
        The number of segments, where each score is yes or no.
    """

    systems: tuple[str, ...]
    scores: FloatArray
    resampled: FloatArray
    metric: Metric
    n_trials: int | None = None

    @classmethod
    def of(
        cls,
        statistics: SufficientStatistics,
        *,
        n_resamples: int = 2000,
        seed: int,
        executor: Executor | None = None,
    ) -> Bounds:
        """Those of all systems, from `n_resamples` draws of the statistics' units.

        Resample r of a seed is the same draw under every metric.
        """
        return cls(
            statistics.systems,
            statistics.metric.score(statistics.totals()),
            bootstrap_scores(statistics, n_resamples, seed=seed, executor=executor),
            statistics.metric,
            statistics.n_segments if statistics.is_yes_or_no else None,
        )

    def of_scores(self, systems: pd.Index, level: float, method: str) -> pd.DataFrame:
        """``ci_low`` and ``ci_high`` of each system's score, by system.

        Of yes or no they are Wilson's, which do not shrink to a point where all are yes.
        """
        at = pd.Index(self.systems).get_indexer(systems)
        if self.n_trials is None:
            low, high = limits(self.resampled[at], self.scores[at], level, method)
        else:
            from statsmodels.stats.proportion import proportion_confint  # slow to import

            count = np.rint(self.scores[at] * self.n_trials)
            low, high = proportion_confint(count, self.n_trials, 1 - level, method="wilson")
        return pd.DataFrame({"ci_low": low, "ci_high": high}, index=systems)

    def of_differences(self, pairs: pd.DataFrame, level: float, method: str) -> FloatArray:
        """Bounds of how much better each row's system_a is than its system_b, shape (pairs, 2)."""
        observed, resampled, _ = self.differences(pairs)
        return np.column_stack(limits(resampled, observed, level, method))

    def differences(self, pairs: pd.DataFrame) -> tuple[FloatArray, FloatArray, FloatArray]:
        """How much better each row's system_a is: (pairs,), and resampled (pairs, resamples).

        The third is what of them may be rounding, (pairs,).
        """
        a, b = (
            pd.Index(self.systems).get_indexer(pd.Index(pairs[s])) for s in ("system_a", "system_b")
        )
        return (
            self.metric.direction * (self.scores[a] - self.scores[b]),
            self.metric.direction * (self.resampled[a] - self.resampled[b]),
            TIE_TOLERANCE * tie_scale(self.metric, self.scores[a], self.scores[b]),
        )


def simultaneous_limits(
    bounds: Sequence[Bounds], pairs: Sequence[pd.DataFrame], level: float
) -> list[FloatArray]:
    """Limits that hold for all differences of a family together, shape (pairs, 2) by metric.

    They are ``d ± c·s``: `s` is the spread of the difference's resamples about it, and `c` is
    reached by the largest ``|d* - d| / s``, over all pairs and metrics, in a share 1 - `level` of
    resamples.  The observation is counted as one of them, as for p-values.  A difference that does
    not vary has no width and no say.

    Parameters
    ----------
    bounds : sequence of Bounds
        Of each metric, from the same draws.
    pairs : sequence of DataFrame
        Rows with ``system_a`` and ``system_b``, likewise.
    level : float

    Raises
    ------
    InputError
        With too few resamples for the level.

    References
    ----------
    Hothorn, Bretz & Westfall 2008 (max-t intervals); Romano & Wolf 2005 (from the bootstrap).
    """
    n = bounds[0].resampled.shape[1]
    rank = math.ceil(level * (n + 1) - 1e-9)
    if rank > n:
        raise InputError(
            f"interval_resamples={n}: simultaneous intervals at {100 * level:g} % need "
            f"{math.ceil(level / (1 - level) - 1e-9):,} or more."
        )
    largest, found = np.zeros(n), []
    for drawn, rows in zip(bounds, pairs, strict=True):
        observed, resampled, rounding = drawn.differences(rows)
        resampled -= observed[:, None]
        spread = np.sqrt((resampled**2).mean(axis=1))
        varies = spread > rounding
        spread[~varies] = 0.0
        t = np.abs(resampled[varies]) / spread[varies, None]
        largest = np.maximum(largest, t.max(axis=0, initial=0.0))
        found.append((observed, spread))
    c = np.partition(largest, rank - 1)[rank - 1]
    return [np.column_stack([d - c * s, d + c * s]) for d, s in found]
