"""Systems that do not differ, by construction, though their outputs do."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..engine.resampling import RNG, seed_from, swap_masks
from ..errors import InputError
from ..statistics.sufficient import SufficientStatistics
from .coins import Outputs, as_pairs, check_simulable, dealt, drawn_units, solved, uniforms


def exact_nulls(
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str,
    *,
    n_pairs: int = 400,
    rng: RNG = None,
) -> SufficientStatistics:
    """Pairs of pseudo-systems that are interchangeable by construction.

    For every pair and every segment a coin decides which of the two pseudo-systems gets the output
    of which real system.  The null hypothesis of approximate randomization holds exactly, and the
    differences between segments are as large as in reality.

    Parameters
    ----------
    statistics : SufficientStatistics
    system_a, system_b : str
        The real systems; the more they differ, the more the pseudo-systems scatter.
    n_pairs : int
    rng : None, int or Generator

    Returns
    -------
    SufficientStatistics
        Of ``2 * n_pairs`` systems: the first members of all pairs, ``"heads 1"`` and so on, then
        the second ones, ``"tails 1"`` and so on.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> nulls = mt.simulate.exact_nulls(bleu, "onlineC", "onlineD", n_pairs=2, rng=1)
    >>> nulls.systems
    ('heads 1', 'heads 2', 'tails 1', 'tails 2')
    """
    check_simulable(statistics, n_pairs=n_pairs)
    a, b = statistics.select([system_a, system_b]).values
    coins = swap_masks(n_pairs, statistics.n_segments, seed=seed_from(rng)).astype(bool)
    return as_pairs(
        statistics,
        dealt(coins, a, b),
        ("heads", "tails"),
        what=f"exact nulls of {system_a} and {system_b}",
        documents=statistics.documents,
    )


def document_effects(
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str,
    *,
    correlation: float,
    n_pairs: int = 400,
    rng: RNG = None,
) -> SufficientStatistics:
    """Pairs that do not differ, whose segments are correlated within documents.

    One coin for each document decides which pseudo-system is the better one there, and some of
    the document's segments follow it while the others have coins of their own.  Exchanging whole
    *documents* changes nothing, so approximate randomization with ``units="documents"`` holds its
    level; tests that exchange or resample *segments* take for independent what is not.

    Parameters
    ----------
    statistics : SufficientStatistics
        With documents.
    system_a, system_b : str
    correlation : float
        Between what two segments of one document contribute to the difference, on average over
        all such pairs of segments; 0 makes exact nulls.  What real campaigns have is in the column
        ``correlation`` of :func:`mtsig_nb.compare_units`.
    n_pairs : int
    rng : None, int or Generator

    Returns
    -------
    SufficientStatistics
        As from `exact_nulls`.

    Raises
    ------
    InputError
        If documents are unknown or of one segment each, or the correlation is below 0 or larger
        than coins can make it: where contributions differ much in size, their signs alone cannot
        make them alike.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt22/de-en").statistics("BLEU")
    >>> pair = "Online-A", "Online-B"
    >>> nulls = mt.simulate.document_effects(bleu, *pair, correlation=0.1, n_pairs=5, rng=1)
    >>> mt.simulate.rejection_rates(nulls, ["ar"], units="documents", rng=1)["pairs"].item()
    5
    """
    check_simulable(statistics, n_pairs=n_pairs)
    if statistics.documents is None:
        raise InputError("statistics have no documents; give documents= when making them.")
    outputs = Outputs.of(statistics, system_a, system_b)
    codes, labels = pd.factorize(statistics.documents)
    following = np.sqrt(_correlation_of_coins(outputs, codes, correlation))
    seed, shape = seed_from(rng), (n_pairs, statistics.n_segments)
    own = swap_masks(*shape, seed=seed, key=(0,)).astype(bool)
    shared = swap_masks(n_pairs, len(labels), seed=seed, key=(1,)).astype(bool)[:, codes]
    follows = uniforms(shape, seed=seed, key=(2,)) < following
    return as_pairs(
        statistics,
        dealt(np.where(follows, shared, own), outputs.better, outputs.worse),
        ("heads", "tails"),
        what=f"nulls of {system_a} and {system_b}, correlation {correlation:g} within documents",
        documents=statistics.documents,
    )


def _correlation_of_coins(outputs: Outputs, codes: np.ndarray, correlation: float) -> float:
    """How correlated a document's coins must be to correlate its segments' contributions so.

    A contribution is its size times its coin's sign.  Coins with correlation r give two segments
    the covariance r |u_i| |u_j|, and every segment the variance u_i^2.
    """
    sizes = np.abs(outputs.contributions)
    sums = np.bincount(codes, sizes)
    counts = np.bincount(codes)
    n_within = float((counts * (counts - 1)).sum())
    if not n_within:
        raise InputError("statistics: every document has one segment, so none are correlated.")
    together = float((sums**2).sum() - (sizes**2).sum()) / n_within
    largest = together / float((sizes**2).mean()) if sizes.any() else 0.0
    if not 0 <= correlation <= largest:
        raise InputError(
            f"correlation={correlation:g} must lie between 0 and {largest:.3g}, the most that "
            f"coins can make of the outputs of {' and '.join(map(repr, outputs.pair.systems))}."
        )
    return correlation / largest if largest else 0.0


def equal_systems(
    statistics: SufficientStatistics,
    system: str,
    worse: str,
    better: str,
    *,
    n_segments: int | None = None,
    n_pairs: int = 400,
    rng: RNG = None,
) -> SufficientStatistics:
    """Pairs with the same true score that are *not* interchangeable.

    One member is `system`; the other is a patchwork of `worse` and `better`, mixed in the share
    that gives it the score of `system`.  The given test set is taken for the whole population, and
    every pair gets a test set of its own, drawn from it with replacement.  On an endless test set
    the scores are equal, which is the null hypothesis of bootstrap tests; on finite ones a score
    that is no mean may differ on average.  The outputs differ in length, style and spread, which
    is more than approximate randomization's null hypothesis allows.

    Parameters
    ----------
    statistics : SufficientStatistics
    system : str
    worse, better : str
        Systems between whose scores that of `system` lies.
    n_segments : int, optional
        Size of the test sets; by default that of the given one.
    n_pairs : int
    rng : None, int or Generator

    Returns
    -------
    SufficientStatistics
        Of ``2 * n_pairs`` systems, ``"system 1"`` and so on, then ``"patchwork 1"`` and so on;
        without documents.

    Raises
    ------
    InputError
        If the score of `system` does not lie between those of the other two.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> equal = mt.simulate.equal_systems(bleu, "UPC", "onlineA", "onlineB", n_pairs=2, rng=1)
    >>> equal.systems
    ('system 1', 'system 2', 'patchwork 1', 'patchwork 2')
    """
    check_simulable(statistics, n_pairs=n_pairs)
    values = statistics.select([system, worse, better]).values
    metric, sums = statistics.metric, values.sum(axis=1)
    target, low, high = metric.direction * metric.score(sums)
    if not low <= target <= high or low == high:
        raise InputError(
            f"system={system!r} must score between worse={worse!r} and better={better!r}, "
            f"and has {metric.direction * target:.2f}, not between "
            f"{metric.direction * low:.2f} and {metric.direction * high:.2f}."
        )
    share = solved(lambda q: float(mixed_score(statistics, worse, better, q)), float(target))
    seed, n = seed_from(rng), n_segments or statistics.n_segments
    drawn = drawn_units(n_pairs, n, np.ones(statistics.n_segments), seed=seed, key=(0,))
    taken = uniforms(drawn.shape, seed=seed, key=(1,)) < share
    patchwork = np.where(taken[..., None], values[2][drawn], values[1][drawn])
    return as_pairs(
        statistics,
        np.concatenate([values[0][drawn], patchwork]),
        ("system", "patchwork"),
        what=f"{system} beside as good a patchwork of {worse} and {better}",
    )


def mixed_score(statistics: SufficientStatistics, one: str, other: str, share: float) -> float:
    """Score of `one` with a share of segments from `other`, turned so that up is better."""
    first, second = statistics.select([one, other]).totals()
    metric = statistics.metric
    return float(metric.direction * metric.score((1 - share) * first + share * second))
