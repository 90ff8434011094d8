"""Systems that do not differ, whose segments' differences are far from symmetric.

Both worlds need a metric that is a mean of segment scores: only there can a difference be taken
away, or paid back, in every segment.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..engine.resampling import RNG, seed_from
from ..errors import InputError
from ..metrics.base import FloatArray
from ..metrics.mean import SegmentMean
from ..significance.one_pair import select_pair
from ..statistics.sufficient import SufficientStatistics
from .coins import as_pairs, check_simulable, drawn_units, uniforms


def centred_pairs(
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str,
    *,
    n_units: int | None = None,
    units: str | npt.ArrayLike = "segments",
    n_pairs: int = 400,
    rng: RNG = None,
) -> SufficientStatistics:
    """Two real systems, moved so that their means agree: differences as skewed as they really are.

    The given test set is taken for the whole population.  Every score of a system is moved by the
    same amount, so that both systems have the mean that lies between theirs; then every pair gets
    a test set of its own, drawn with replacement.  The expected difference is zero, which is what
    the t test and the bootstrap test.  Where the differences are skewed, the outputs are not
    exchangeable, which approximate randomization takes for granted.

    Parameters
    ----------
    statistics : SufficientStatistics
        Of a mean of segment scores.
    system_a, system_b : str
    n_units : int, optional
        Size of the test sets; by default that of the given one.
    units : {"segments", "documents"} or array_like of shape (segments,)
        What is drawn, and what the units of the result are.
    n_pairs : int
    rng : None, int or Generator

    Returns
    -------
    SufficientStatistics
        Of ``2 * n_pairs`` systems: ``"first 1"`` and so on, which are `system_a`, then
        ``"second 1"`` and so on.

    Raises
    ------
    InputError
        If the metric is not a mean of segment scores.

    Examples
    --------
    People's scores of two human translations, the one with few and large errors:

    >>> import mtsig_nb as mt
    >>> mqm = mt.load("wmt21/en-de").human.as_statistics()
    >>> pairs = mt.simulate.centred_pairs(mqm, "ref-A", "ref-C", n_units=50, n_pairs=200, rng=1)
    >>> mt.simulate.rejection_rates(pairs, ["ar"], n_resamples=200, rng=2)["low"].item() > 0.05
    True
    """
    check_simulable(statistics, n_pairs=n_pairs, n_units=n_units)
    _check_mean(statistics, "centred_pairs")
    pair = select_pair(statistics, system_a, system_b).by_unit(units)
    means = pair.metric.score(pair.totals())
    values = _moved(pair.values, means.mean() - means)
    n = pair.n_segments if n_units is None else n_units
    drawn = _test_sets(pair, n_pairs, n, seed=seed_from(rng))
    return as_pairs(
        pair,
        np.concatenate([values[0][drawn], values[1][drawn]]),
        ("first", "second"),
        what=f"{system_a} and {system_b}, their means made equal",
    )


def rare_failures(
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str,
    *,
    failure: float,
    share: float = 0.02,
    n_units: int | None = None,
    n_pairs: int = 400,
    rng: RNG = None,
) -> SufficientStatistics:
    """One system fails now and then, and the other is a little worse everywhere.

    The outputs of two real systems are exchanged at random, segment by segment, as by
    `exact_nulls`.  Then the first member of each pair fails in a small share of segments, chosen at
    random, and the second pays what that costs on average, the same amount in every segment.  The
    expected difference is zero; a test set on which no segment happens to fail shows nothing of
    what the first system loses.

    Parameters
    ----------
    statistics : SufficientStatistics
        Of a mean of segment scores; taken for the whole population.
    system_a, system_b : str
        Whose outputs are exchanged.
    failure : float
        Score of a segment that fails.
    share : float
        Probability that a segment fails.
    n_units : int, optional
        Size of the test sets; by default that of the given one.
    n_pairs : int
    rng : None, int or Generator

    Returns
    -------
    SufficientStatistics
        Of ``2 * n_pairs`` systems: ``"failing 1"`` and so on, then ``"paying 1"`` and so on.

    Raises
    ------
    InputError
        If the metric is not a mean of segment scores, or the share not between 0 and 1.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> mqm = mt.load("wmt21/en-de").human.as_statistics()
    >>> pairs = mt.simulate.rare_failures(
    ...     mqm, "Online-W", "UEdin", failure=-25, n_units=5000, n_pairs=20, rng=1)
    >>> scores = pairs.metric.score(pairs.totals())
    >>> bool(abs(scores[:20].mean() - scores[20:].mean()) < 0.1)
    True
    """
    check_simulable(statistics, n_pairs=n_pairs, n_units=n_units)
    _check_mean(statistics, "rare_failures")
    if not 0 <= share <= 1:
        raise InputError(f"share={share!r} must lie between 0 and 1.")
    if not np.isfinite(failure):
        raise InputError(f"failure={failure!r} must be a score, which is finite.")
    pair = select_pair(statistics, system_a, system_b)
    n = pair.n_segments if n_units is None else n_units
    seed = seed_from(rng)
    drawn = _test_sets(pair, n_pairs, n, seed=seed)
    heads = (uniforms(drawn.shape, seed=seed, key=(1,)) < 0.5)[..., None]
    a, b = pair.values
    failing = np.where(heads, a[drawn], b[drawn])
    paying = np.where(heads, b[drawn], a[drawn])
    fails = uniforms(drawn.shape, seed=seed, key=(2,)) < share
    failing[..., 0] = np.where(fails, failure * failing[..., 1], failing[..., 0])
    middle = pair.metric.score(pair.totals().sum(axis=0))
    paying = _moved(paying, np.full(n_pairs, share * (failure - middle)))
    return as_pairs(
        pair,
        np.concatenate([failing, paying]),
        ("failing", "paying"),
        what=f"{system_a} and {system_b} exchanged, one of them failing in {share:g} of segments",
    )


def _test_sets(
    pair: SufficientStatistics, n_pairs: int, n_units: int, *, seed: int
) -> npt.NDArray[np.intp]:
    """Units drawn with replacement, all equally likely, (n_pairs, n_units)."""
    return drawn_units(n_pairs, n_units, np.ones(pair.n_segments), seed=seed, key=(0,))


def _moved(values: FloatArray, by: FloatArray) -> FloatArray:
    """Weighted scores and weights with every score of a system moved by the same amount."""
    scores, weights = values[..., 0], values[..., 1]
    return np.stack([scores + by[:, None] * weights, weights], axis=-1)


def _check_mean(statistics: SufficientStatistics, function: str) -> None:
    if not isinstance(statistics.metric, SegmentMean):
        raise InputError(
            f"{function} needs a metric that is a mean of segment scores, such as MQM or COMET; "
            f"{statistics.label} is not. Take equal_systems, which mixes outputs instead."
        )
