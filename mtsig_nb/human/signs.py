"""Sign tests: is one system preferred more often than the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import pandas as pd

from ..engine.procedures import Alternative
from ..errors import check_one_of
from ..metrics.base import FloatArray
from ..statistics.sufficient import pair_indices
from .pair_results import PairTests, check_alternative, tail_pvalues
from .units import unit_codes

if TYPE_CHECKING:
    from .preferences import PairwisePreferences

#: Of preferences: what becomes of those who could not decide.
Ties = Literal["drop", "half"]


def sign_test(
    preferences: PairwisePreferences,
    *,
    alternative: Alternative = "two-sided",
    ties: Ties = "drop",
    units: Literal["raters", "segments", "tasks", "documents"] | None = None,
) -> PairTests:
    """Sign tests of all pairs: whether one system is preferred more often than the other.

    Null hypothesis: either system is as likely to win a comparison.

    Parameters
    ----------
    preferences : PairwisePreferences
    alternative : {"two-sided", "greater", "less"}
    ties : {"drop", "half"}
        Tied comparisons are left out, as in WMT's own tables, or shared out evenly between the
        two systems (an odd one is left out).  The second is more careful: a pair tied in 80 of 100
        comparisons is hardly distinguishable because one of them leads by 15 to 5.
    units : {"raters", "segments", "tasks", "documents"}, optional
        None takes every comparison as independent and is exact (binomial).  Otherwise all of a
        unit's comparisons of two systems change sides together, and p is the normal approximation
        of that randomization: z is the sum of the units' margins over the root of the sum of their
        squares, without a continuity correction.  With one comparison per unit this is the sign
        test's usual approximation.

    Returns
    -------
    PairTests
        Its table has ``wins``, ``losses`` and ``ties`` of `system_a`.

    Examples
    --------
    >>> from mtsig_nb.human import PairwisePreferences
    >>> p = PairwisePreferences(pd.DataFrame({"system_better": ["a"] * 9 + ["b"],
    ...                                       "system_worse": ["b"] * 9 + ["a"]}))
    >>> sign_test(p).table["pvalue"].round(6).tolist()
    [0.021484]
    """
    check_alternative(alternative)
    check_one_of("ties", ties, get_args(Ties))
    scores = preferences.scores()
    order = list(scores.index)
    wins = preferences.wins.loc[order, order].to_numpy(dtype=np.float64)
    tied = preferences.ties.loc[order, order].to_numpy(dtype=np.float64)
    if units is None:
        shared = tied // 2 if ties == "half" else np.zeros_like(tied)
        pvalues = _binomial_pvalues(wins + shared, wins.T + shared, alternative)
    else:
        pvalues = _clustered_pvalues(preferences, order, units, alternative)
    first, second = pair_indices(len(order))
    decided = (wins + wins.T)[first, second]
    how = "ties dropped" if ties == "drop" else "ties shared out"
    return PairTests.of_pairs(
        scores,
        test="sign",
        title=f"sign test on {preferences.label}, {how}" + (f", {units} as units" if units else ""),
        alternative=alternative,
        pvalues=pvalues,
        advantage=wins - wins.T,
        details={
            "wins": wins[first, second].astype(int),
            "losses": wins.T[first, second].astype(int),
            "ties": tied[first, second].astype(int),
        },
        pair_notes=np.where(decided > 0, "", "no decided comparison"),
    )


def _binomial_pvalues(wins: FloatArray, losses: FloatArray, alternative: Alternative) -> FloatArray:
    """Exact binomial p-values at one half; 1 where nothing was decided."""
    from scipy import stats  # slow to import

    n = wins + losses
    if alternative == "greater":
        return stats.binom.sf(wins - 1, n, 0.5)
    if alternative == "less":
        return stats.binom.cdf(wins, n, 0.5)
    # At one half the distribution is symmetric, so both tails are the same.
    return np.minimum(1.0, 2 * stats.binom.cdf(np.minimum(wins, losses), n, 0.5))


def _clustered_pvalues(
    preferences: PairwisePreferences, order: list[str], units: str, alternative: Alternative
) -> FloatArray:
    a, b = preferences.codes(order)
    unit = unit_codes(preferences.frame, units)
    k = len(order)
    outcome = preferences.frame["outcome"].to_numpy(dtype=np.float64)
    both = pd.concat(
        [
            pd.DataFrame({"pair": a * k + b, "unit": unit, "margin": outcome}),
            pd.DataFrame({"pair": b * k + a, "unit": unit, "margin": -outcome}),
        ]
    )
    margins = both.groupby(["pair", "unit"])["margin"].sum().reset_index()
    pair = margins["pair"].to_numpy(dtype=np.intp)
    total = np.bincount(pair, weights=margins["margin"], minlength=k * k)
    squares = np.bincount(pair, weights=margins["margin"] ** 2, minlength=k * k)
    z = np.divide(total, np.sqrt(squares), out=np.zeros(k * k), where=squares > 0).reshape(k, k)
    return tail_pvalues(z, alternative)
