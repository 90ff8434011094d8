"""A test's resamples in bins for whoever draws them, and where counting begins."""

from __future__ import annotations

import itertools

import numpy as np

from ..engine.procedures import Procedure
from ..metrics.base import FloatArray
from .results import PairResult


def bin_edges(result: PairResult, bins: int = 60) -> FloatArray:
    """Edges just inside the thresholds: no bin is half counted, ties lie with the counted.

    What is infinitely far away, without a standard error, belongs into the outermost bins.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> r = mt.bootstrap_test(bleu, "onlineC", "onlineD", n_resamples=500, rng=1)
    >>> edges = bin_edges(r)
    >>> counted = np.histogram(r.null_distribution[r.extreme], edges)[0]
    >>> others = np.histogram(r.null_distribution[~r.extreme], edges)[0]
    >>> bool((counted * others == 0).all())
    True
    """
    reach = _reach(result)
    hair = 1e-9 * reach
    inside = {threshold - side * hair for threshold, side in counted_from(result)}
    marks = sorted(inside | {-reach, reach})
    width = 2 * reach / bins
    parts = [
        np.linspace(low, high, max(1, round((high - low) / width)) + 1)[:-1]
        for low, high in itertools.pairwise(marks)
    ]
    return np.concatenate([*parts, [reach * (1 + 1e-12)]])


def counted_from(result: PairResult) -> list[tuple[float, int]]:
    """Where counting begins, and on which side: of the smaller tail where p is twice that."""
    procedure = result.procedure or Procedure()
    tails = procedure.tails(result.alternative)
    values, counted = result.null_distribution, result.extreme
    below = values[counted].max(initial=-np.inf) <= values[~counted].min(initial=np.inf)
    reach = _reach(result)
    observed = min(max(result.observed, -reach), reach)
    each = [procedure.edges(observed, tail) for tail in tails]
    return each[0] if len(each) == 1 else next(e for e in each if (e[0][1] < 0) == below)


def _reach(result: PairResult) -> float:
    """How far from zero there is something to draw."""
    values = np.abs([*result.null_distribution, result.observed])
    return max(float(values.max(initial=0.0, where=np.isfinite(values))), 1e-12)
