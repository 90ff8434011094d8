"""Systems that differ by a known amount."""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from ..engine.resampling import RNG, seed_from
from ..errors import InputError
from ..significance.one_pair import select_pair
from ..statistics.sufficient import SufficientStatistics
from .coins import Outputs, as_pairs, check_simulable, dealt, drawn_units, solved, uniforms
from .nulls import mixed_score


def planted_shift(
    statistics: SufficientStatistics,
    weaker: str,
    better: str,
    *,
    difference: float | None = None,
    share: float | None = None,
    n_pairs: int = 400,
    rng: RNG = None,
) -> SufficientStatistics:
    """A system beside itself with some segments replaced by a better system's.

    This is what a local improvement looks like: most segments stay as they are.  For a difference
    that shows in all segments see `planted_difference`.

    Parameters
    ----------
    statistics : SufficientStatistics
    weaker, better : str
    difference : float, optional
        True difference wanted, in the metric's units; the share that makes it is solved for.
    share : float, optional
        Share of segments replaced, instead of the difference.
    n_pairs : int
        Every pair has other segments replaced, chosen at random.
    rng : None, int or Generator

    Returns
    -------
    SufficientStatistics
        Of ``2 * n_pairs`` systems on the given test set: ``"improved 1"`` and so on, then
        ``"original 1"`` and so on, which are all the weaker system.  The difference holds on
        average over the choice of segments, of which there is always the same whole number.

    Raises
    ------
    InputError
        Unless exactly one of `difference` and `share` is given and within reach.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> shifted = mt.simulate.planted_shift(bleu, "UPC", "onlineB", difference=1, n_pairs=50, rng=1)
    >>> scores = shifted.metric.score(shifted.totals())
    >>> round(scores[:50].mean() - scores[50:].mean(), 1).item()
    1.0
    """
    check_simulable(statistics, n_pairs=n_pairs)
    pair = select_pair(statistics, weaker, better)
    n = pair.n_segments
    if (difference is None) == (share is None):
        raise InputError("give either difference= or share=, and not both.")
    if difference is not None:
        share = _share_for(difference, statistics, weaker, better)
    assert share is not None  # one of the two was given
    if not 0 <= share <= 1:
        raise InputError(f"share={share!r} must lie between 0 and 1.")
    order = np.argsort(uniforms((n_pairs, n), seed=seed_from(rng), key=(0,)), axis=1)
    replaced = np.zeros((n_pairs, n), dtype=bool)
    np.put_along_axis(replaced, order[:, : round(share * n)], True, axis=1)
    low, high = pair.values
    return as_pairs(
        statistics,
        np.concatenate(
            [np.where(replaced[..., None], high, low), np.broadcast_to(low, (n_pairs, *low.shape))]
        ),
        ("improved", "original"),
        what=f"{weaker} with {share:.3g} of its segments from {better}",
        documents=statistics.documents,
    )


def _share_for(
    difference: float, statistics: SufficientStatistics, weaker: str, better: str
) -> float:
    """The share of segments to replace for a wanted difference."""

    def gained(share: float) -> float:
        return mixed_score(statistics, weaker, better, share) - mixed_score(
            statistics, weaker, better, 0
        )

    if not 0 <= difference <= gained(1):
        raise InputError(
            f"difference={difference:g} must lie between 0 and {gained(1):.3g} "
            f"{statistics.label}, by which {better!r} is better than {weaker!r}."
        )
    return solved(gained, difference)


def planted_difference(
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str,
    *,
    difference: float,
    n_units: int | None = None,
    units: str | npt.ArrayLike = "segments",
    n_pairs: int = 400,
    rng: RNG = None,
) -> SufficientStatistics:
    """Pairs with a chosen true difference, each on a test set of its own.

    The given test set is the population.  Every pair draws its units from it with replacement; in
    each of them a biased coin decides which of the two gets the better of the two real outputs.
    The bias is solved for so that the difference in the population is the one wanted, whatever the
    real systems' difference is.

    A unit's two outputs stay those of the real systems.  Biased coins alone would make the
    differences of units vary the less the more is planted, and tests look more powerful than they
    are where a difference of all units is sought (.95 instead of .91, with 60 units).  So units in
    which the outputs differ more are drawn somewhat more often, as much as it takes for the
    differences to have the variance of the real ones.

    Parameters
    ----------
    statistics : SufficientStatistics
    system_a, system_b : str
        Whose outputs are dealt out.
    difference : float
        How much better the first of each pair is, in the metric's units; 0 for none, negative
        where it is to be worse.
    n_units : int, optional
        Size of the test sets; by default that of the given one.
    units : {"segments", "documents"} or array_like of shape (segments,)
        What is drawn and dealt out as a whole.
    n_pairs : int
    rng : None, int or Generator

    Returns
    -------
    SufficientStatistics
        Of ``2 * n_pairs`` systems: ``"heads 1"`` and so on, then ``"tails 1"`` and so on.

    Raises
    ------
    InputError
        If the difference is larger than the better outputs of all units make it.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> pairs = mt.simulate.planted_difference(
    ...     bleu, "onlineC", "onlineD", difference=0.5, n_units=1000, n_pairs=2, rng=1)
    >>> pairs.n_segments, pairs.systems[::2]
    (1000, ('heads 1', 'tails 1'))
    """
    check_simulable(statistics, n_pairs=n_pairs, n_units=n_units)
    outputs = Outputs(select_pair(statistics, system_a, system_b).by_unit(units))
    n = outputs.pair.n_segments if n_units is None else n_units
    weights = outputs.spread_for(difference)
    tilt = dataclasses.replace(outputs, weights=weights).tilt_for(difference)
    seed = seed_from(rng)
    drawn = drawn_units(n_pairs, n, weights, seed=seed, key=(0,))
    heads = uniforms(drawn.shape, seed=seed, key=(1,)) < (1 + tilt) / 2
    return as_pairs(
        outputs.pair,
        dealt(heads, outputs.better[drawn], outputs.worse[drawn]),
        ("heads", "tails"),
        what=f"true difference {difference:g} from {system_a} and {system_b}",
    )
