"""The published pseudo-code as plain loops, beside the package's counts on the same draws.

One row of weights after another gives a pseudo-difference, as in the figures of the papers; a
figure's function has its rule, and returns how many of them count.
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

from ..rows import Outcome, Value
from ..shared import pair_of_unit_13

N_RESAMPLES = 2000
SEED = 7
#: Room for the rounding of the score formula: the observed arrangement ties with itself.
TIE = 1e-9

Loop = Callable[[float, list[float]], int]


def weights(kind: str, n_units: int) -> FloatArray:
    """All draws that the package makes from the seed, shape (resamples, units)."""
    draw: Any = swap_masks if kind == "shuffle" else bootstrap_counts
    blocks = [draw(BLOCK, n_units, seed=SEED, key=(k,)) for k in range(N_RESAMPLES // BLOCK)]
    return np.concatenate(blocks).astype(float)


def differences(pair: mt.SufficientStatistics, draws: FloatArray, kind: str) -> list[float]:
    """By how much the first system leads, under one row of weights after another.

    A shuffle leaves outputs where its row is 1 and exchanges them where it is 0; in a resample each
    sentence occurs as often as its row says.
    """
    a, b = pair.values
    score = pair.metric.score
    if kind == "shuffle":
        return [
            float(score(keep @ a + (1 - keep) @ b) - score(keep @ b + (1 - keep) @ a))
            for keep in draws
        ]
    return [float(score(times @ a) - score(times @ b)) for times in draws]


def randomization_two_sided(actual: float, pseudo: list[float]) -> int:
    """Riezler & Maxwell 2005, Figure 1."""
    return sum(abs(value) >= abs(actual) - TIE for value in pseudo)


def randomization_one_sided(actual: float, pseudo: list[float]) -> int:
    """Graham et al. 2014, Figure 2."""
    return sum(value >= actual - TIE for value in pseudo)


def bootstrap_as_printed(actual: float, pseudo: list[float]) -> int:
    """Riezler & Maxwell 2005, Figure 2: absolute values first, then centred."""
    tau = sum(map(abs, pseudo)) / len(pseudo)
    return sum(abs(value) - tau >= abs(actual) for value in pseudo)


def bootstrap_two_sided(actual: float, pseudo: list[float]) -> int:
    """Graham et al. 2014, Figure 1: centred first, then absolute values."""
    tau = sum(pseudo) / len(pseudo)
    return sum(abs(value - tau) >= abs(actual) for value in pseudo)


def bootstrap_one_sided(actual: float, pseudo: list[float]) -> int:
    """Graham et al. 2014, Figure 3."""
    tau = sum(pseudo) / len(pseudo)
    return sum(value - tau >= actual for value in pseudo)


def paired_bootstrap(actual: float, pseudo: list[float]) -> int:
    """Graham et al. 2014, Figure 4; Koehn 2004, section 6, where no resample is a tie."""
    return sum(value < 0 for value in pseudo)


def beside_the_package(name: str, test: str, alternative: Alternative) -> Outcome:
    """The count of a loop and of the package's test, which must be the same."""
    loop: Loop = globals()[name]
    pair = pair_of_unit_13()
    pair = pair.subset(np.arange(0, pair.n_segments, 10))
    kind = "shuffle" if test == "approximate-randomization" else "bootstrap"
    (actual,) = differences(pair, np.ones((1, pair.n_segments)), kind)
    by_loop = loop(actual, differences(pair, weights(kind, pair.n_segments), kind))
    result = run_test(
        test, pair, *pair.systems, alternative=alternative, n_resamples=N_RESAMPLES, rng=SEED
    )
    return Outcome(
        Value("counted by the loop", by_loop, of=N_RESAMPLES),
        Value("by the package", result.count, of=N_RESAMPLES),
        holds=by_loop == result.count,
    )
