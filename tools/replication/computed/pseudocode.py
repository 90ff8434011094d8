"""The published pseudo-code as plain loops, beside the package's counts on the same draws.

Each loop takes the statistics of a pair and one row of weights after another, as the figures of the
papers do, and returns how many of them count.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import mtsig_nb as mt
from mtsig_nb.engine.procedures import Alternative
from mtsig_nb.engine.resampling import BLOCK, bootstrap_counts, swap_masks
from mtsig_nb.metrics.base import FloatArray
from mtsig_nb.significance.one_pair import run_test

from ..rows import Outcome, Value, outcome
from ..shared import statistics

N_RESAMPLES = 2000
SEED = 7
#: Room for the rounding of the score formula: the observed arrangement ties with itself.
TIE = 1e-9

Loop = Callable[[mt.SufficientStatistics, FloatArray], int]


def small_pair() -> mt.SufficientStatistics:
    """The pair of unit 13: two systems of WMT13 on every tenth sentence."""
    bleu = statistics("wmt13/es-en", "BLEU")
    pair = bleu.select(["DCU-Prompsit.2880", "online-A"])
    return pair.subset(np.arange(0, pair.n_segments, 10))


def weights(kind: str, n_units: int) -> FloatArray:
    """All draws that the package makes from the seed, shape (resamples, units)."""
    draw: Any = swap_masks if kind == "shuffle" else bootstrap_counts
    blocks = [draw(BLOCK, n_units, seed=SEED, key=(k,)) for k in range(N_RESAMPLES // BLOCK)]
    return np.concatenate(blocks).astype(float)


def observed(pair: mt.SufficientStatistics) -> float:
    """The difference between the two systems of the pair."""
    a, b = pair.metric.score(pair.totals())
    return float(a - b)


def after_exchange(pair: mt.SufficientStatistics, keep: FloatArray) -> float:
    """The difference when outputs stay where `keep` is 1 and are exchanged where it is 0."""
    a, b = pair.values
    score = pair.metric.score
    return float(score(keep @ a + (1 - keep) @ b) - score(keep @ b + (1 - keep) @ a))


def after_resampling(pair: mt.SufficientStatistics, times: FloatArray) -> float:
    """The difference when each sentence occurs `times` often."""
    a, b = pair.values
    return float(pair.metric.score(times @ a) - pair.metric.score(times @ b))


def randomization_two_sided(pair: mt.SufficientStatistics, draws: FloatArray) -> int:
    """Riezler & Maxwell 2005, Figure 1."""
    actual = abs(observed(pair))
    return sum(abs(after_exchange(pair, keep)) >= actual - TIE for keep in draws)


def randomization_one_sided(pair: mt.SufficientStatistics, draws: FloatArray) -> int:
    """Graham et al. 2014, Figure 2."""
    actual = observed(pair)
    return sum(after_exchange(pair, keep) >= actual - TIE for keep in draws)


def bootstrap_as_printed(pair: mt.SufficientStatistics, draws: FloatArray) -> int:
    """Riezler & Maxwell 2005, Figure 2: absolute values first, then centred."""
    actual = abs(observed(pair))
    pseudo = [abs(after_resampling(pair, times)) for times in draws]
    tau = sum(pseudo) / len(pseudo)
    return sum(value - tau >= actual for value in pseudo)


def bootstrap_two_sided(pair: mt.SufficientStatistics, draws: FloatArray) -> int:
    """Graham et al. 2014, Figure 1: centred first, then absolute values."""
    actual = abs(observed(pair))
    pseudo = [after_resampling(pair, times) for times in draws]
    tau = sum(pseudo) / len(pseudo)
    return sum(abs(value - tau) >= actual for value in pseudo)


def bootstrap_one_sided(pair: mt.SufficientStatistics, draws: FloatArray) -> int:
    """Graham et al. 2014, Figure 3."""
    actual = observed(pair)
    pseudo = [after_resampling(pair, times) for times in draws]
    tau = sum(pseudo) / len(pseudo)
    return sum(value - tau >= actual for value in pseudo)


def paired_bootstrap(pair: mt.SufficientStatistics, draws: FloatArray) -> int:
    """Graham et al. 2014, Figure 4; Koehn 2004, section 6, where no resample is a tie."""
    return sum(after_resampling(pair, times) < 0 for times in draws)


def beside_the_package(name: str, test: str, alternative: Alternative) -> Outcome:
    """The count of a loop and of the package's test, which must be the same."""
    loop: Loop = globals()[name]
    pair = small_pair()
    kind = "shuffle" if test == "approximate-randomization" else "bootstrap"
    by_loop = loop(pair, weights(kind, pair.n_segments))
    result = run_test(
        test, pair, *pair.systems, alternative=alternative, n_resamples=N_RESAMPLES, rng=SEED
    )
    return outcome(
        Value("counted by the loop", by_loop, of=N_RESAMPLES),
        Value("by the package", result.count, of=N_RESAMPLES),
        holds=by_loop == result.count,
    )
