"""How often a metric orders two systems as people do, whatever the size of the difference."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..conclusions.deciding import Conclusions
from ..engine.resampling import RNG
from ..errors import InputError
from .against_gold import Agreement, compared, left_out


def pairwise_accuracy(
    scores: pd.Series,
    human_scores: pd.Series,
    *,
    higher_is_better: bool = True,
    among: Conclusions | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RNG = None,
) -> Agreement:
    """How often a metric orders two systems as people's mean scores do (Kocmi et al. 2021).

    Parameters
    ----------
    scores, human_scores : Series
        Of the metric and of people, indexed by system.  Of people's, larger is better.
    higher_is_better : bool
        Of `scores`; False for error rates.
    among : Conclusions, optional
        Count only the pairs that these distinguish, as Kocmi et al. do for pairs that people
        tell apart.
    confidence_level, n_resamples, rng
        As in :func:`agreement`.

    Returns
    -------
    Agreement
        ``accuracy`` is the pairwise accuracy.  A tie agrees only with a tie.

    Examples
    --------
    >>> metric, people = pd.Series({"A": 30, "B": 28, "C": 29}), pd.Series({"A": 3, "B": 2, "C": 1})
    >>> pairwise_accuracy(metric, people, rng=1).correct
    2
    """
    ranked = human_scores.sort_values(ascending=False, kind="stable")
    gold = _ordered(ranked, "the order of people's scores")
    test = _ordered(scores, f"the order of {scores.name or 'the scores'}", higher_is_better)
    shared = [system for system in gold.systems if system in test.systems]
    if among is not None:
        shared = [system for system in shared if system in among.systems]
    if len(shared) < 2:
        raise InputError(f"scores and human_scores share {len(shared)} systems; two are needed.")
    counted = ~np.eye(len(shared), dtype=bool)
    notes = left_out(test.systems, gold.systems, "without a conclusion here")
    if among is not None:
        counted = among.reorder(shared).matrix != 0
        notes.append(f"only pairs distinguished by {among.source or 'the conclusions given'}")
    return compared(
        test.reorder(shared),
        gold.reorder(shared),
        counted,
        np.zeros_like(counted),
        notes,
        confidence_level,
        n_resamples,
        rng,
    )


def _ordered(scores: pd.Series, source: str, higher_is_better: bool = True) -> Conclusions:
    """The order of scores as conclusions: every difference counts, however small."""
    values = scores.to_numpy(dtype=np.float64)
    if not np.isfinite(values).all():
        raise InputError(f"scores: {scores.index[~np.isfinite(values)][0]!r} has no finite score.")
    matrix = np.sign(values[:, None] - values[None, :]).astype(np.int8)
    return Conclusions(
        tuple(map(str, scores.index)),
        matrix if higher_is_better else -matrix,
        source=source,
        scores=values,
        higher_is_better=higher_is_better,
    )
