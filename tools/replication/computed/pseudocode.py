"""The published pseudo-code as plain loops, beside the package's counts on the same draws.

One row of weights after another gives a pseudo-difference, as in the figures of the papers.  The
function of a figure has its rule, and returns how many pseudo-differences count.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

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

#: What is drawn: which outputs to leave or to exchange, or how often a sentence occurs.
Kind = Literal["shuffle", "resample"]
#: The count of a figure, from the actual difference and the pseudo-differences.
Loop = Callable[[float, list[float]], int]


def weights(kind: Kind, n_units: int) -> FloatArray:
    """All draws that the package makes from the seed, shape (resamples, units).

    A shuffle leaves outputs where its row is 1 and exchanges them where it is 0; in a resample each
    sentence occurs as often as its row says.
    """
    draw: Any = swap_masks if kind == "shuffle" else bootstrap_counts
    n_blocks = N_RESAMPLES // BLOCK
    blocks = [draw(BLOCK, n_units, seed=SEED, key=(k,)) for k in range(n_blocks)]
    return np.concatenate(blocks).astype(float)


def differences(pair: mt.SufficientStatistics, draws: FloatArray, kind: Kind) -> list[float]:
    """By how much the first system leads, under one row of `weights` after another."""
    a, b = pair.values
    leads = []
    for weight in draws:
        total_a = weight @ a
        total_b = weight @ b
        if kind == "shuffle":
            exchanged = 1 - weight
            total_a = total_a + exchanged @ b
            total_b = total_b + exchanged @ a
        lead = pair.metric.score(total_a) - pair.metric.score(total_b)
        leads.append(float(lead))
    return leads


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


FIGURES: dict[str, Loop] = {
    "randomization_two_sided": randomization_two_sided,
    "randomization_one_sided": randomization_one_sided,
    "bootstrap_as_printed": bootstrap_as_printed,
    "bootstrap_two_sided": bootstrap_two_sided,
    "bootstrap_one_sided": bootstrap_one_sided,
    "paired_bootstrap": paired_bootstrap,
}


def beside_the_package(name: str, test: str, alternative: Alternative) -> Outcome:
    """A figure's pseudo-code: its count, and that of the package's test.

    Parameters
    ----------
    name : str
        The function of the figure, one of `FIGURES`.
    test, alternative : str
        The package's test.

    Returns
    -------
    Outcome
        Holds if both count the same, on the same draws.
    """
    loop = FIGURES[name]
    whole = pair_of_unit_13()
    pair = whole.subset(np.arange(0, whole.n_segments, 10))
    kind: Kind = "shuffle" if test == "approximate-randomization" else "resample"
    as_it_is = np.ones((1, pair.n_segments))
    (actual,) = differences(pair, as_it_is, kind)
    draws = weights(kind, pair.n_segments)
    pseudo = differences(pair, draws, kind)
    by_loop = loop(actual, pseudo)
    by_package = run_test(
        test,
        pair,
        *pair.systems,
        alternative=alternative,
        n_resamples=N_RESAMPLES,
        rng=SEED,
    )
    return Outcome(
        Value("counted by the loop", by_loop, of=N_RESAMPLES),
        Value("by the package", by_package.count, of=N_RESAMPLES),
        holds=by_loop == by_package.count,
    )
