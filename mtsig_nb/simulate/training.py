"""Several training runs of two methods, with a known spread between runs."""

from __future__ import annotations

import dataclasses

import numpy as np
from scipy.special import ndtri

from ..engine.resampling import RNG, seed_from
from ..errors import InputError
from ..statistics.sufficient import SufficientStatistics
from .coins import Outputs, check_simulable, solved, uniforms


def training_runs(
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str,
    *,
    spread: float,
    n_runs: int = 3,
    difference: float = 0.0,
    correlation: float = 0.0,
    rng: RNG = None,
) -> SufficientStatistics:
    """Runs of two methods whose true scores scatter from run to run.

    Every run takes its outputs from two real systems: where both outputs differ, a biased coin
    decides whether the run has the better or the worse one.  The bias is the run's quality.  It is
    solved for so that the runs' true scores are normally distributed with standard deviation
    `spread`, around means that are `difference` apart.

    Real runs of one method resemble each other segment by segment: what one translates badly, the
    others mostly do as well.  `correlation` says how much; without it, every run is fresh evidence,
    which flatters tests that take it for that.

    Parameters
    ----------
    statistics : SufficientStatistics
    system_a, system_b : str
        Whose outputs the runs are made of.
    spread : float
        Standard deviation of the runs' true scores, in the metric's units.  Chosen, or estimated
        from real runs by ``s_opt`` of :func:`mtsig_nb.compare_runs`.  The scores measured on the
        test set scatter a little more, since runs of the same quality differ in their outputs.
    n_runs : int
        Of each method.
    difference : float
        How much better method A is, on average over all its runs.
    correlation : float
        Between the coins of two equally good runs of one method in one segment, 0 to 1: some
        follow a coin that all runs of the method share there, the others have coins of their own.
        With 1 and no spread all runs of a method are copies of one.
    rng : None, int or Generator

    Returns
    -------
    SufficientStatistics
        Of ``2 * n_runs`` systems on the given test set: ``"A.run1"`` and so on, then ``"B.run1"``.

    Raises
    ------
    InputError
        If the spread is negative, the correlation not between 0 and 1, there is no run, or a run's
        score is out of reach.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> runs = mt.simulate.training_runs(bleu, "onlineC", "onlineD", spread=0.3, n_runs=2, rng=1)
    >>> runs.systems
    ('A.run1', 'A.run2', 'B.run1', 'B.run2')
    """
    check_simulable(statistics, n_runs=n_runs)
    if spread < 0:
        raise InputError(f"spread={spread!r} is a standard deviation and cannot be negative.")
    if not 0 <= correlation <= 1:
        raise InputError(f"correlation={correlation!r} must lie between 0 and 1.")
    outputs = Outputs.of(statistics, system_a, system_b)
    seed = seed_from(rng)
    luck = spread * ndtri(uniforms((2, n_runs), seed=seed, key=(0,)))
    wanted = (luck + np.array([[difference / 2], [-difference / 2]])).ravel()
    tilts = np.array([_tilt(outputs, shift) for shift in wanted])
    shape = (2, n_runs, statistics.n_segments)
    own = uniforms(shape, seed=seed, key=(1,))
    shared = uniforms((2, 1, statistics.n_segments), seed=seed, key=(2,))
    follows = uniforms(shape, seed=seed, key=(3,)) < np.sqrt(correlation)
    coins = np.where(follows, shared, own).reshape(2 * n_runs, -1)
    taken = (coins < (1 + tilts[:, None]) / 2)[..., None]
    return dataclasses.replace(
        statistics,
        systems=tuple(f"{method}.run{i}" for method in "AB" for i in range(1, n_runs + 1)),
        values=np.where(taken, outputs.better, outputs.worse),
        test_set=f"runs made of {system_a} and {system_b}",
    )


def _tilt(outputs: Outputs, shift: float) -> float:
    """The tilt of a run whose true score lies `shift` above that of fair coins."""
    base = outputs.score(0.0)
    low, high = outputs.score(-1.0) - base, outputs.score(1.0) - base
    if not low <= shift <= high:
        raise InputError(
            f"spread or difference is too large: a run would have to be {shift:+.3g} "
            f"{outputs.pair.label} from the middle of {' and '.join(outputs.pair.systems)}, whose "
            f"outputs reach from {low:+.3g} to {high:+.3g}."
        )
    return solved(outputs.score, base + shift, low=-1.0)
