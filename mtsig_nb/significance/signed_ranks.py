"""Wilcoxon's signed ranks: one statistic and one p-value, for metrics, people and raters.

`mtsig_nb.signed_rank_test` and `mtsig_nb.human.signed_rank_test` rank differences here,
so that the same differences have the same p-value wherever they come from.
"""

from __future__ import annotations

import dataclasses
from typing import Literal

import numpy as np

from ..engine.procedures import Alternative
from ..metrics.base import FloatArray

ZeroMethod = Literal["wilcox", "pratt", "zsplit"]

#: All signs of up to this many differences are gone through; their number is exact in a float64.
LARGEST_EXACT = 50


@dataclasses.dataclass(frozen=True)
class SignedRanks:
    """Rank sums of the differences above and below zero, and how surprising they are.

    Attributes
    ----------
    above, below : float
        Sums of ranks.
    pvalue : float
        1 where no difference is left.
    exact : bool
        Whether all signs were gone through; otherwise the normal approximation was used.
    n_zero, n_tied : int
        Differences of zero, and how many others share their size with one before them.
    """

    above: float
    below: float
    pvalue: float
    exact: bool
    n_zero: int
    n_tied: int


def signed_ranks(
    differences: FloatArray, *, alternative: Alternative, zero_method: ZeroMethod = "wilcox"
) -> SignedRanks:
    """Rank differences by size and add up the ranks of either sign.

    Parameters
    ----------
    differences : ndarray of shape (n,)
    alternative : {"two-sided", "greater", "less"}
        ``"greater"`` asks whether differences tend to lie above zero.
    zero_method : {"wilcox", "pratt", "zsplit"}
        Differences of zero are left out before ranking, left out after it, or counted half to
        either side.

    Notes
    -----
    Tied differences share the mean of their ranks.  Under the null hypothesis each difference
    other than zero has either sign with probability one half.  Up to 50 of them the p-value is
    exact, ties or not; for more it is the normal approximation of :func:`scipy.stats.wilcoxon`, its
    variance corrected for ties, with a continuity correction, as R's ``wilcox.test`` has it.

    Examples
    --------
    >>> signed_ranks(np.array([3.0, 4.0, -2.0, 5.0, 6.0]), alternative="two-sided").pvalue
    0.125
    """
    from scipy import stats  # slow to import

    zero = differences == 0
    ranked = differences[~zero] if zero_method == "wilcox" else differences
    ranks = stats.rankdata(np.abs(ranked))
    halves = ranks[ranked == 0].sum() / 2 if zero_method == "zsplit" else 0.0
    above, below = ranks[ranked > 0].sum() + halves, ranks[ranked < 0].sum() + halves
    signed = ranks[ranked != 0]
    exact = len(signed) <= LARGEST_EXACT
    if exact:
        pvalue = exact_pvalue(signed, above - halves, alternative)
    else:
        # "auto" is the normal approximation for so many; its own name has changed over the years.
        pvalue = stats.wilcoxon(
            ranked, zero_method=zero_method, correction=True, alternative=alternative, method="auto"
        ).pvalue
    return SignedRanks(
        above=float(above),
        below=float(below),
        pvalue=float(pvalue),
        exact=exact,
        n_zero=int(zero.sum()),
        n_tied=len(signed) - len(np.unique(signed)),
    )


def exact_pvalue(ranks: FloatArray, above: float, alternative: Alternative) -> float:
    """Share of the 2**n choices of signs whose rank sum is as extreme as `above`."""
    doubled = np.round(2 * ranks).astype(int)  # shared ranks are halves
    ways = np.zeros(doubled.sum() + 1)  # in which signs make each sum
    ways[0] = 1
    for rank in doubled:
        ways[rank:] += ways[:-rank]
    place = round(2 * above)
    upper, lower = ways[place:].sum(), ways[: place + 1].sum()
    count = {"two-sided": 2 * min(upper, lower), "greater": upper, "less": lower}[alternative]
    return float(min(1.0, count / 2.0 ** len(ranks)))
