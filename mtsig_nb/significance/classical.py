"""Classical tests on segment scores: paired t, Wilcoxon's signed ranks, and signs.

They need a metric that is a mean of segment scores (COMET, MQM, human ratings); BLEU and its like
are no such means.  They look at the differences between the two systems unit by unit:

==================  ====================================================  =====================
test                null hypothesis                                       units with no difference
==================  ====================================================  =====================
`paired_t_test`     the mean of the differences is zero                   kept
`signed_rank_test`  the differences are symmetric about zero              dropped, or ranked
                                                                          first (Pratt)
`sign_test`         a difference is as likely to be above zero as below   dropped
==================  ====================================================  =====================

Only the first is about the mean that the metric reports: the other two may well prefer the system
with the lower score, and then conclude that it is the better one.  p-values are SciPy's, but for
those of few signed ranks, which are counted (:mod:`mtsig_nb.significance.classical`).
"""

from __future__ import annotations

from functools import partial
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from ..engine.counting import equal_differences
from ..engine.procedures import ALTERNATIVES, Alternative
from ..engine.tallies import PAIR, differing_units
from ..errors import InputError, check_one_of
from ..metrics.base import ArrayLike, FloatArray
from ..metrics.mean import SegmentMean
from ..statistics.sufficient import SufficientStatistics
from .actual_size import USUAL, ActualSize
from .one_pair import documents_note, notes_on_pair, select_pair
from .results import PairResult, pair_fields

ZeroMethod = Literal["wilcox", "pratt"]

#: All signs of up to this many differences are gone through; their number is exact in a float64.
LARGEST_EXACT = 50


def paired_t_test(
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str,
    *,
    alternative: Alternative = "two-sided",
    units: str | ArrayLike = "segments",
) -> PairResult:
    """Student's t test on the differences between two systems' segment scores.

    The null hypothesis is that the mean difference, over test sets of which this one is a sample,
    is zero.  The test is exact where differences are independent draws from a normal distribution.
    It is close to its level if there are many independent differences, of which none outweighs the
    others.  If they are skewed, as those of counted errors are, a few dozen are too few.

    Parameters
    ----------
    statistics : SufficientStatistics
        Of a metric that is a mean of segment scores, all of the same weight.
    system_a, system_b : str
    alternative : {"two-sided", "greater", "less"}
        ``"greater"`` asks whether `system_a` is better, which for penalties is the lower score.
    units : {"segments", "documents"} or array_like of shape (segments,)
        What is independent.

    Returns
    -------
    PairResult
        Without resamples.  ``statistic`` is the difference of the systems' scores, as everywhere;
        t itself is in the notes.

    Raises
    ------
    InputError
        If the metric is not a mean, the weights differ, there are fewer than two units, or all
        differences are the same but not zero, so t has no spread to divide by.

    Examples
    --------
    >>> import numpy as np
    >>> from mtsig_nb.metrics import SegmentMean
    >>> scores = np.array([[0.81, 0.64, 0.72, 0.90, 0.55], [0.78, 0.60, 0.74, 0.85, 0.49]])
    >>> values = np.stack([scores, np.ones_like(scores)], axis=-1)
    >>> adequacy = SufficientStatistics(SegmentMean(label="adequacy"), ("A", "B"), values)
    >>> round(paired_t_test(adequacy, "A", "B").pvalue, 4)
    0.0832
    """
    from scipy import stats  # slow to import

    pair, differences = _differences(statistics, system_a, system_b, alternative, units)
    n = len(differences)
    result = partial(_result, pair, "paired-t", "paired t-test", alternative)
    if n < 2:
        raise InputError("units: a t test needs at least two. Use segments, or a larger test set.")
    if not differences.any():
        return result(1.0, "t is not defined")
    if np.ptp(differences) <= _rounding(pair):  # which makes no spread
        raise InputError(f"statistics: all {n:,} differences are {differences[0]:g}: no spread.")
    t = stats.ttest_1samp(differences, 0.0, alternative=alternative)
    counted = f"t = {t.statistic:.3f} with {n - 1:,} degrees of freedom"
    actual_size = ActualSize.of(pair, PAIR, differing_units(pair, PAIR), None, alternative)
    return result(t.pvalue, counted, actual_size)


def signed_rank_test(
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str,
    *,
    alternative: Alternative = "two-sided",
    zero_method: ZeroMethod = "wilcox",
    units: str | ArrayLike = "segments",
) -> PairResult:
    """Wilcoxon's signed-rank test on the differences between two systems' segment scores.

    The null hypothesis is that independent differences are symmetric about zero.  It is not about
    the mean: where differences are skewed, the test may reject although the means agree.  Tied
    differences share the mean of their ranks; differences that are equal except for rounding are
    tied.  p is exact for up to 50 differences other than zero; otherwise it is the normal
    approximation, its variance corrected for ties, with a continuity correction.
    :func:`mtsig_nb.human.signed_rank_test` gives the same p on the same differences.

    Parameters
    ----------
    statistics, system_a, system_b, alternative, units
        As in :func:`paired_t_test`.
    zero_method : {"wilcox", "pratt"}
        Units without a difference: ``"wilcox"`` drops them before ranking; ``"pratt"`` ranks them
        first and then drops their ranks, so that many of them make the weights of the others more
        alike.

    Returns
    -------
    PairResult
        Without resamples; the rank sums and what was done with zeros and ties are in the notes.

    Raises
    ------
    InputError
        As in :func:`paired_t_test`.

    References
    ----------
    Wilcoxon 1945; Pratt 1959.

    Examples
    --------
    >>> import numpy as np
    >>> from mtsig_nb.metrics import SegmentMean
    >>> scores = np.array([[0.81, 0.64, 0.72, 0.90, 0.55], [0.78, 0.60, 0.74, 0.85, 0.49]])
    >>> values = np.stack([scores, np.ones_like(scores)], axis=-1)
    >>> adequacy = SufficientStatistics(SegmentMean(label="adequacy"), ("A", "B"), values)
    >>> signed_rank_test(adequacy, "A", "B").pvalue  # one of five below zero, the smallest
    0.125
    """
    check_one_of("zero_method", zero_method, get_args(ZeroMethod))
    pair, differences = _differences(statistics, system_a, system_b, alternative, units)
    differences = _with_ties(pair, differences)
    result = partial(_result, pair, "signed-rank", "Wilcoxon signed-rank test", alternative)
    if not differences.any():
        return result(1.0, "there is nothing to rank")
    ranks = signed_ranks(differences, alternative=alternative, zero_method=zero_method)
    formula = "exact" if ranks.exact else "normal approximation, continuity-corrected"
    treatment = "ranked, then dropped (Pratt)" if zero_method == "pratt" else "dropped"
    counted = (
        f"rank sums {ranks.above:g} and {ranks.below:g}, {formula}; {ranks.n_zero:,} {pair.unit} "
        f"without a difference {treatment}, {ranks.n_tied:,} differences tied with another"
    )
    advantage = ranks.above - ranks.below
    settings = f"zeros:{zero_method}|p:{formula}"
    return result(ranks.pvalue, counted, advantage=advantage, settings=settings)


def sign_test(
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str,
    *,
    alternative: Alternative = "two-sided",
    units: str | ArrayLike = "segments",
) -> PairResult:
    """The sign test: the number of units in which one system is better than the other.

    The null hypothesis is that a unit that differs is as likely to favour one system as the other.
    The size of a difference does not count, so the test may prefer the system with the lower mean.
    Units without a difference are dropped; p is exact (binomial) if units are independent.

    Parameters
    ----------
    statistics, system_a, system_b, alternative, units
        As in :func:`paired_t_test`.

    Returns
    -------
    PairResult
        Without resamples; the counts are in the notes.

    Raises
    ------
    InputError
        As in :func:`paired_t_test`.

    Examples
    --------
    >>> import numpy as np
    >>> from mtsig_nb.metrics import SegmentMean
    >>> scores = np.array([[0.81, 0.64, 0.72, 0.90, 0.55], [0.78, 0.60, 0.74, 0.85, 0.49]])
    >>> values = np.stack([scores, np.ones_like(scores)], axis=-1)
    >>> adequacy = SufficientStatistics(SegmentMean(label="adequacy"), ("A", "B"), values)
    >>> sign_test(adequacy, "A", "B").pvalue  # four of five
    0.375
    """
    from scipy import stats  # slow to import

    pair, differences = _differences(statistics, system_a, system_b, alternative, units)
    differences = _with_ties(pair, differences)
    n_better = int((differences > 0).sum())
    n_worse = int((differences < 0).sum())
    n_differing = n_better + n_worse
    pvalue = 1.0
    if n_differing:
        pvalue = stats.binomtest(n_better, n_differing, 0.5, alternative=alternative).pvalue
    counted = (
        f"{system_a} is better in {n_better:,} {pair.unit}, {system_b} in {n_worse:,}; "
        f"{len(differences) - n_differing:,} without a difference dropped"
    )
    return _result(
        pair,
        "sign",
        "sign test",
        alternative,
        pvalue,
        counted,
        advantage=float(n_better - n_worse),
        settings="zeros:dropped|p:exact",
    )


def _differences(
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str,
    alternative: Alternative,
    units: str | ArrayLike,
) -> tuple[SufficientStatistics, FloatArray]:
    """The pair in units, and how much better the first is in each, shape (units,)."""
    check_one_of("alternative", alternative, ALTERNATIVES)
    pair = select_pair(statistics, system_a, system_b).by_unit(units)
    if not isinstance(pair.metric, SegmentMean) or np.ptp(pair.values[..., 1]) > 0:
        raise InputError(
            f"statistics: this test needs a mean of scores of {pair.unit} of equal weight, not "
            f"{pair.label}. Use approximate_randomization or bootstrap_test."
        )
    sums_of_first, sums_of_second = pair.values[..., 0]
    weight = pair.values[0, 0, 1]  # that of every unit
    # Sums are exact, quotients are not: subtracted first, ties stay ties.
    return pair, pair.metric.direction * (sums_of_first - sums_of_second) / weight


def _rounding(pair: SufficientStatistics) -> float:
    """How far rounding to the grid, and of quotients, can set apart two equal differences."""
    sums = pair.values[..., 0]
    weight = pair.values[0, 0, 1]  # that of every unit
    largest = float(np.abs(sums / weight).max())
    return pair.metric.rounding_error(largest)


def _with_ties(pair: SufficientStatistics, differences: FloatArray) -> FloatArray:
    """The differences, those equal that only rounding keeps apart."""
    return equal_differences(differences, _rounding(pair))


def _result(
    pair: SufficientStatistics,
    test: str,
    title: str,
    alternative: Alternative,
    pvalue: float,
    counted: str,
    actual_size: ActualSize | None = None,
    **fields: Any,
) -> PairResult:
    """The result of a test without resamples.

    Parameters
    ----------
    pair : SufficientStatistics
        In the units of the test.
    test, title : str
        The name of the test, and what texts call it.
    alternative : {"two-sided", "greater", "less"}
    pvalue : float
    counted : str
        What the test has counted or computed; it becomes the first note.
    actual_size : ActualSize, optional
    **fields
        Other fields of the result.
    """
    n_differing = int(differing_units(pair, PAIR)[0])
    return PairResult(
        **pair_fields(pair),
        **fields,
        test=test,
        title=title,
        alternative=alternative,
        pvalue=float(pvalue),
        pvalue_interval=(float(pvalue), float(pvalue)),
        n_differing=n_differing,
        size_at_05=None if actual_size is None else actual_size.one_at(USUAL),
        notes=(
            counted,
            *pair.caveats,
            *notes_on_pair(pair, n_differing, actual_size),
            *documents_note(pair),
        ),
    )


class SignedRanks(NamedTuple):
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
        Those that are equal but for rounding have been made equal, as by
        :func:`mtsig_nb.engine.counting.equal_differences`.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"`` asks whether differences tend to lie above zero.
    zero_method : {"wilcox", "pratt"}
        Differences of zero are left out before ranking, or after it.

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

    is_zero = differences == 0
    ranked = differences[~is_zero] if zero_method == "wilcox" else differences
    ranks = stats.rankdata(np.abs(ranked))
    above = ranks[ranked > 0].sum()
    below = ranks[ranked < 0].sum()
    ranks_with_sign = ranks[ranked != 0]
    is_exact = len(ranks_with_sign) <= LARGEST_EXACT
    if is_exact:
        pvalue = exact_pvalue(ranks_with_sign, above, alternative)
    else:
        # "auto" is the normal approximation for so many; its own name has changed over the years.
        pvalue = stats.wilcoxon(
            ranked, zero_method=zero_method, correction=True, alternative=alternative, method="auto"
        ).pvalue
    return SignedRanks(
        above=float(above),
        below=float(below),
        pvalue=float(pvalue),
        exact=is_exact,
        n_zero=int(is_zero.sum()),
        n_tied=len(ranks_with_sign) - len(np.unique(ranks_with_sign)),
    )


def exact_pvalue(ranks: FloatArray, above: float, alternative: Alternative) -> float:
    """The share of the 2**n choices of signs whose rank sum is as extreme as `above`.

    Parameters
    ----------
    ranks : ndarray, shape (n,)
        Of the differences other than zero; shared ranks are halves.
    above : float
        The sum of the ranks of differences above zero.
    alternative : {"two-sided", "greater", "less"}
    """
    doubled_ranks = np.round(2 * ranks).astype(int)
    # In how many ways signs make each sum of doubled ranks, from 0 on.
    n_ways = np.zeros(doubled_ranks.sum() + 1)
    n_ways[0] = 1
    for rank in doubled_ranks:
        n_ways[rank:] += n_ways[:-rank]
    doubled_sum = round(2 * above)
    upper = n_ways[doubled_sum:].sum()
    lower = n_ways[: doubled_sum + 1].sum()
    count = {"two-sided": 2 * min(upper, lower), "greater": upper, "less": lower}[alternative]
    return float(min(1.0, count / 2.0 ** len(ranks)))
