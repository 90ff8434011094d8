"""A chance machine for numbers that a reader pastes into the page."""

from __future__ import annotations

from ..engine.resampling import RNG, seed_from
from . import Component
from .chance import streams


def own_numbers(*, n_resamples: int = 10_000, rng: RNG = 2014) -> Component:
    """Let the reader of a page paste two columns of numbers, and toss, draw and count on them.

    Each line has a pair of scores.  Coins exchange the two scores of a pair, which flips the sign
    of their difference; resamples draw pairs, and give an interval as well.  The page needs no
    kernel, and the numbers never leave it.  Its p-values are those of
    :func:`mtsig_nb.approximate_randomization` and :func:`mtsig_nb.bootstrap_test` from the same
    `rng`, and its interval is that of :func:`mtsig_nb.confidence_interval`.

    Parameters
    ----------
    n_resamples : int
        A multiple of 500, because resamples are drawn in blocks of 500.
    rng : None, int or Generator

    Returns
    -------
    Component
        The last expression of a cell, so that it is shown.

    Raises
    ------
    InputError
        For another number of resamples.

    Examples
    --------
    >>> own_numbers()
    chance machine for numbers of your own: 10,000 resamples
    """
    blocks = streams(seed_from(rng), n_resamples)
    title = f"chance machine for numbers of your own: {n_resamples:,} resamples"
    return Component(title, {"blocks": blocks}, ("draws", "chance", "own"))
