"""Power before the experiment: what a test set could show, estimated from a pilot.

Power is the probability that a test finds a difference of a *chosen* size.  It is asked before a
test set is made or a comparison begun.  A pilot says how much the difference between two systems
varies from segment to segment, and that is all that is taken from it.

The observed difference is not an effect to compute power for.  Such "observed power" is the
p-value in other words: at p = 0.05 it is one half whatever happened, and a result that was not
significant always seems to have lacked power (Hoenig & Heisey 2001).  Ask instead for the smallest
difference that would matter, or which differences the test set could show at all.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..engine.counting import clopper_pearson
from ..engine.procedures import Alternative, Procedure
from ..engine.resampling import RNG
from ..errors import InputError
from ..statistics.sufficient import SufficientStatistics
from .pilots import Method, Pilot
from .results import DetectableDifference, Power

#: Halvings of the bracket in which a detectable difference is sought by simulation: to about 1/250.
HALVINGS = 8


def power(
    statistics: SufficientStatistics,
    system_a: str | None = None,
    system_b: str | None = None,
    *,
    effect: float | Sequence[float],
    n_units: int | Sequence[int] | None = None,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    comparisons: int = 1,
    units: str | npt.ArrayLike = "segments",
    method: Method = "normal",
    test: str | Procedure = "approximate-randomization",
    n_simulations: int = 1000,
    n_resamples: int = 999,
    rng: RNG = None,
) -> Power:
    """How often a test would find true differences of chosen sizes, on test sets of chosen sizes.

    Parameters
    ----------
    statistics : SufficientStatistics
        The pilot.
    system_a, system_b : str, optional
        A pair of its systems, the likes of which are to be compared; without them all pairs.
    effect : float or sequence of float
        True differences in the metric's units, larger than zero.  Chosen, not observed: see the
        module.
    n_units : int or sequence of int, optional
        Sizes of the planned test set; by default that of the pilot.
    alpha : float
    alternative : {"two-sided", "greater", "less"}
        A one-sided test is taken to look in the direction of the true difference.
    comparisons : int
        The planned family; each test is made at ``alpha / comparisons`` (Bonferroni).
    units : {"segments", "documents"} or array_like of shape (segments,)
        What the test will resample, and what `n_units` counts.
    method : {"normal", "simulation"}
        ``"normal"``: the pilot's jackknife standard error shrinks with the square root of the
        number of units, and the difference is normally distributed.  ``"simulation"``: test
        sets with a planted difference are drawn from the pilot
        (:func:`mtsig_nb.simulate.planted_difference`), tested, and counted.
    test : str
        What ``"simulation"`` runs.
    n_simulations, n_resamples : int
        Test sets for each effect and size, and resamples of each.
    rng : None, int or Generator

    Returns
    -------
    Power
        Power counts correct findings: the test must say that the better system is better.

    Raises
    ------
    InputError
        For an effect that is not positive or, with ``"simulation"``, cannot be planted.

    Notes
    -----
    Both methods take the pilot for the population, so they are no better than it is: a pilot of
    other texts, or of few units, gives the power of another or an unknown test set.

    References
    ----------
    Card et al. 2020; Hoenig & Heisey 2001 on observed power.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> planned = mt.power(bleu, "onlineC", "onlineD", effect=[0.5, 1.0], n_units=[500, 2000])
    >>> planned.table[["effect", "n_units", "power"]].round(2)
       effect  n_units  power
    0     0.5      500   0.22
    1     0.5     2000   0.67
    2     1.0      500   0.67
    3     1.0     2000   1.00
    """
    effects = np.atleast_1d(np.asarray(effect, dtype=np.float64))
    if not (np.isfinite(effects) & (effects > 0)).all():
        raise InputError(
            f"effect={effect!r}: true differences must be larger than 0; the direction of a "
            "one-sided test is in alternative."
        )
    plan = Pilot(
        statistics, system_a, system_b, n_units, alpha, alternative, comparisons, units, method
    )
    plan.simulate_with(test, n_simulations, n_resamples, rng)
    rows = []
    for (a, b, per_unit), size, n in itertools.product(plan.pairs(), effects, plan.sizes):
        error = per_unit / np.sqrt(n)
        if plan.seed is None:
            found = plan.normal_power(size, error), np.nan, np.nan
        else:
            count = plan.simulated(a, b, size, n)
            low, high = clopper_pearson(count, n_simulations)
            found = count / n_simulations, float(low), float(high)
        rows.append((a, b, size, n, error, *found))
    columns = ["system_a", "system_b", "effect", "n_units", "standard_error", "power"]
    table = pd.DataFrame(rows, columns=[*columns, "low", "high"])
    return Power(table=table, **plan.described())


def minimum_detectable_difference(
    statistics: SufficientStatistics,
    system_a: str | None = None,
    system_b: str | None = None,
    *,
    power: float = 0.8,
    n_units: int | Sequence[int] | None = None,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    comparisons: int = 1,
    units: str | npt.ArrayLike = "segments",
    method: Method = "normal",
    test: str | Procedure = "approximate-randomization",
    n_simulations: int = 1000,
    n_resamples: int = 999,
    rng: RNG = None,
) -> DetectableDifference:
    """The true difference that a test would find with a given power.

    Smaller differences will often be missed; larger ones hardly ever.  A difference that is not
    significant says little as long as differences that matter are smaller than this.

    Parameters
    ----------
    statistics : SufficientStatistics
        The pilot.
    system_a, system_b : str, optional
        A pair of its systems; without them all pairs.
    power : float
        0.8 is the usual "four times in five".
    n_units, alpha, alternative, comparisons, units, method, test, n_simulations, n_resamples, rng
        As in :func:`power`.

    Returns
    -------
    DetectableDifference

    Raises
    ------
    InputError
        As :func:`power`; if `power` is not between alpha and 1; and with ``"simulation"``, if even
        the largest difference that can be planted is found less often.

    Notes
    -----
    By ``"simulation"`` the difference is found by halving an interval; every step draws the same
    test sets with other coins.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> seen = mt.minimum_detectable_difference(bleu, "onlineC", "onlineD", n_units=1000)
    >>> seen.sentence.splitlines()[0]
    'With 1,000 segments you would see a difference of 0.83 BLEU four times in five.'
    """
    plan = Pilot(
        statistics, system_a, system_b, n_units, alpha, alternative, comparisons, units, method
    )
    plan.simulate_with(test, n_simulations, n_resamples, rng)
    if not plan.level < power < 1:
        raise InputError(
            f"power={power!r} must lie between alpha={plan.level:g} and 1; 0.8 is usual."
        )
    rows = []
    for (a, b, per_unit), n in itertools.product(plan.pairs(), plan.sizes):
        error = per_unit / np.sqrt(n)
        size = plan.normal_difference(power, error)
        if plan.seed is not None and error > 0:
            size = _found_by_halving(plan, (a, b), n, power, 2 * size)
        rows.append((a, b, n, error, size))
    columns = ["system_a", "system_b", "n_units", "standard_error", "difference"]
    table = pd.DataFrame(rows, columns=columns)
    return DetectableDifference(table=table, power=power, **plan.described())


def _found_by_halving(
    plan: Pilot, pair: tuple[str, str], n: int, power: float, high: float
) -> float:
    """The difference that simulated test sets show with `power`, `high` being where to look."""

    def seen(size: float) -> bool:
        return plan.simulated(*pair, size, n) >= power * plan.n_simulations

    largest = plan.largest(*pair)
    low, high = 0.0, min(high, largest)
    while not seen(high):
        if high == largest:
            raise InputError(
                f"n_units={n}: no difference that can be planted with the outputs of {pair[0]!r} "
                f"and {pair[1]!r} (at most {largest:.3g} {plan.pilot.label}) is found with a power "
                f"of {power:g}. Plan for more {plan.pilot.unit}, take systems that differ more, or "
                "method='normal'."
            )
        low, high = high, min(2 * high, largest)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if seen(middle) else (middle, high)
    return (low + high) / 2
