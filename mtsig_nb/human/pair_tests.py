"""Tests of all pairs of systems on what people said.

Which test is right depends on who judged what:

==========================  ======================================================================
test                        right when
==========================  ======================================================================
`rank_sum_test`             the two systems were judged on different segments or by different
                            people, so nothing is paired.  Its question is whether a score of one
                            system, drawn at random, tends to exceed one of the other.  On the same
                            segments scores mostly correlate, and it wastes power: easy and hard
                            segments stay in the noise.  Were the correlation negative, it would
                            reject too often (simulated: .1 at .05 for r = -.5).  WMT's direct
                            assessment uses it nevertheless.
`signed_rank_test`          both systems were judged on the same segments.  It asks whether the
                            differences are symmetric about zero.
`paired_t_test`             the same, and the question is about the mean; needs differences that
                            are not too skew, or many of them.
approximate randomization   the same, by ``mt.compare_all(means.as_statistics())``.  It is exact
                            where the two outputs of a segment are exchangeable.  Asked about the
                            mean alone, it needs what the t test needs: with 50 differences of
                            skewness 3.8 both reject in a tenth of cases at .05.
==========================  ======================================================================

All take one score per system and segment.  Several ratings of a segment are not several segments:
average them first (`Ratings.segment_means`).  Scores of one document, or by one rater, hang
together, and all four tests ignore that; `SegmentMeans.as_statistics` and `Ratings.as_statistics`
let the engine resample documents or raters instead.
"""

from __future__ import annotations

from typing import get_args

import numpy as np
from scipy import special

from ..errors import unknown_name
from ..significance.signed_ranks import ZeroMethod, signed_ranks
from ..statistics.sufficient import pair_indices
from .averages import FloatArray
from .means import SegmentMeans
from .pair_results import Alternative, PairTests, check_alternative


def rank_sum_test(
    means: SegmentMeans, *, alternative: Alternative = "two-sided", correct: bool = True
) -> PairTests:
    """Wilcoxon rank-sum (Mann-Whitney) tests of all pairs, not paired by segment.

    Null hypothesis: scores of the two systems come from one distribution.  The p-value is that of
    R's ``wilcox.test(a, b, exact = FALSE)``: normal approximation with mid-ranks, the variance
    corrected for ties, and a continuity correction of one half.  (Without ``exact = FALSE``, R
    enumerates when there are fewer than 50 scores and no ties.)

    Parameters
    ----------
    means : SegmentMeans
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: scores of the row's system tend to be better than the column's.  Concluding
        on either direction of a one-sided test at level alpha errs up to 2 alpha of the time.
    correct : bool
        Whether to use the continuity correction.

    Returns
    -------
    PairTests
        Its table has ``n_a``, ``n_b`` (segments), ``statistic`` (the Mann-Whitney U of
        `system_a`) and ``superiority``, the estimated chance that a score of `system_a` beats one
        of `system_b`, ties counting half.

    Notes
    -----
    If all scores of both systems are the same single value nothing can be learnt, and p is 1.

    All pairs together take a few matrix products over counts of distinct values, since
    U = sum over values v of n_a(v) (n_b(below v) + n_b(v)/2).

    References
    ----------
    Mann & Whitney (1947); as used for MT by Graham, Mathur & Baldwin (2014), section 4.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = {"a": [5, 6, 7, 9], "b": [1, 2, 3, 5]}
    >>> means = SegmentMeans(pd.DataFrame(
    ...     [(s, i, x) for s in scores for i, x in enumerate(scores[s])],
    ...     columns=["system", "segment", "mean"]))
    >>> test = rank_sum_test(means, alternative="greater")
    >>> test.table[["system_a", "system_b", "statistic", "pvalue"]].round(4).values.tolist()
    [['a', 'b', 15.5, 0.021]]
    """
    check_alternative(alternative)
    samples = [means.direction * values for values in means.samples().values()]
    u, spread, n = _rank_sums(samples)
    centred = u - np.multiply.outer(n, n) / 2
    z = _towards_zero(centred, alternative, 0.5 if correct else 0.0) / np.where(spread, spread, 1.0)
    pvalues = np.where(spread > 0, _normal_pvalues(z, alternative), 1.0)
    first, second = pair_indices(len(n))
    return PairTests.of_scores(
        means,
        test="rank-sum",
        title="Wilcoxon rank-sum test, not paired",
        alternative=alternative,
        pvalues=pvalues,
        advantage=centred,
        details={
            "n_a": n[first].astype(int),
            "n_b": n[second].astype(int),
            "statistic": u[first, second],
            "superiority": (u / np.multiply.outer(n, n))[first, second],
        },
        pair_notes=np.where(spread[first, second] > 0, "", "one single value everywhere"),
    )


def _rank_sums(samples: list[FloatArray]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """U of each row against each column, its standard deviation under the null, sample sizes."""
    distinct, codes = np.unique(np.concatenate(samples), return_inverse=True)
    n = np.array([len(sample) for sample in samples], dtype=np.float64)
    parts = np.split(codes, np.cumsum(n[:-1]).astype(int))
    counts = np.stack([np.bincount(part, minlength=len(distinct)) for part in parts]).astype(float)
    below = np.cumsum(counts, axis=1) - counts
    u = counts @ (below + counts / 2).T
    total = n[:, None] + n[None, :]
    # Ties of a pair: the sum of t³ - t with t = counts_a + counts_b, multiplied out.
    cubes, squares = (counts**3).sum(axis=1), counts**2
    ties = cubes[:, None] + cubes[None, :] + 3 * (squares @ counts.T + counts @ squares.T) - total
    variance = np.multiply.outer(n, n) / 12 * ((total + 1) - ties / (total * (total - 1)))
    # Of a single value everywhere the variance is zero but for rounding.
    alone = np.array([np.unique(part).size == 1 for part in parts])
    value = np.array([part[0] for part in parts])
    flat = alone[:, None] & alone[None, :] & (value[:, None] == value[None, :])
    return u, np.sqrt(np.where(flat, 0.0, variance)), n


def signed_rank_test(
    means: SegmentMeans,
    *,
    alternative: Alternative = "two-sided",
    zero_method: ZeroMethod = "wilcox",
) -> PairTests:
    """Wilcoxon signed-rank tests of all pairs, on the segments that both systems were judged on.

    Null hypothesis: differences on a segment are symmetric about zero.

    Parameters
    ----------
    means : SegmentMeans
    alternative : {"two-sided", "greater", "less"}
    zero_method : {"wilcox", "pratt", "zsplit"}
        Segments without a difference are left out (``"wilcox"``, as R does), ranked and then left
        out (``"pratt"``), or ranked and counted half each way (``"zsplit"``).

    Returns
    -------
    PairTests
        Its table has ``n`` (common segments), ``n_zero`` (those without a difference) and
        ``statistic``, the sum of the ranks of `system_a`'s advantages.

    Notes
    -----
    Exact for up to 50 differences other than zero, else the normal approximation with continuity
    correction; :func:`mtsig_nb.signed_rank_test` gives the same p on the same differences.  Without
    any difference p is 1; without a common segment too, and the table says so.

    Examples
    --------
    >>> import pandas as pd
    >>> from mtsig_nb.human import SegmentMeans
    >>> scores = {"a": [5, 6, 7, 9, 4], "b": [1, 2, 3, 5, 4]}
    >>> means = SegmentMeans(pd.DataFrame(
    ...     [(s, i, x) for s in scores for i, x in enumerate(scores[s])],
    ...     columns=["system", "segment", "mean"]))
    >>> test = signed_rank_test(means)
    >>> test.table[["system_a", "system_b", "n", "n_zero", "pvalue"]].round(4).values.tolist()
    [['a', 'b', 5, 1, 0.125]]
    """
    check_alternative(alternative)
    if zero_method not in get_args(ZeroMethod):
        raise unknown_name("zero_method", zero_method, get_args(ZeroMethod))
    matrix = means.direction * means.matrix().to_numpy()
    k = len(matrix)
    pvalues, advantage = np.ones((k, k)), np.zeros((k, k))
    first, second = pair_indices(k)
    details = {name: np.zeros(len(first)) for name in ("n", "n_zero", "statistic")}
    notes = []
    for pair, (a, b) in enumerate(zip(first, second, strict=True)):
        d = _differences(matrix[a], matrix[b])
        found = signed_ranks(d, alternative=alternative, zero_method=zero_method)
        details["n"][pair], details["n_zero"][pair] = len(d), found.n_zero
        details["statistic"][pair] = found.above
        advantage[a, b] = found.above - found.below
        pvalues[a, b] = pvalues[b, a] = found.pvalue
        if alternative != "two-sided":  # the other way round, it is the other side's
            back = signed_ranks(-d, alternative=alternative, zero_method=zero_method)
            pvalues[b, a] = back.pvalue
        nothing = "no difference on any segment" if len(d) else "no common segment"
        notes.append("" if d.any() else nothing)
    details = {name: v if name == "statistic" else v.astype(int) for name, v in details.items()}
    return PairTests.of_scores(
        means,
        test="signed-rank",
        title="Wilcoxon signed-rank test, paired by segment",
        alternative=alternative,
        pvalues=pvalues,
        advantage=advantage - advantage.T,
        details=details,
        pair_notes=np.array(notes),
    )


def paired_t_test(means: SegmentMeans, *, alternative: Alternative = "two-sided") -> PairTests:
    """Paired t tests of all pairs, on the segments that both systems were judged on.

    Null hypothesis: the mean difference is zero.  Exact for normal differences, good for many.
    Where all differences are alike (or there is but one) t is undefined, p is 1, and the table
    says so.

    Parameters
    ----------
    means : SegmentMeans
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the row's system is better than the column's.

    Returns
    -------
    PairTests
        Its table has ``n`` (common segments) and ``statistic`` (t).

    Examples
    --------
    >>> import pandas as pd
    >>> from mtsig_nb.human import SegmentMeans
    >>> scores = {"a": [5, 6, 7, 9, 4], "b": [1, 2, 3, 5, 4]}
    >>> means = SegmentMeans(pd.DataFrame(
    ...     [(s, i, x) for s in scores for i, x in enumerate(scores[s])],
    ...     columns=["system", "segment", "mean"]))
    >>> test = paired_t_test(means, alternative="greater")
    >>> test.table[["system_a", "system_b", "statistic", "pvalue"]].round(4).values.tolist()
    [['a', 'b', 4.0, 0.0081]]
    """
    from scipy import stats  # slow to import

    check_alternative(alternative)
    matrix = means.direction * means.matrix().to_numpy()
    k = len(matrix)
    t, dof = np.zeros((k, k)), np.ones((k, k))
    first, second = pair_indices(k)
    counts, notes = np.zeros(len(first), dtype=int), []
    for pair, (a, b) in enumerate(zip(first, second, strict=True)):
        d = _differences(matrix[a], matrix[b])
        counts[pair] = len(d)
        if len(d) < 2 or np.ptp(d) == 0:
            notes.append("differences without variance" if len(d) else "no common segment")
            continue
        notes.append("")
        t[a, b] = d.mean() / (d.std(ddof=1) / np.sqrt(len(d)))
        t[b, a] = -t[a, b]
        dof[a, b] = dof[b, a] = len(d) - 1
    if alternative == "two-sided":
        pvalues = 2 * stats.t.sf(np.abs(t), dof)
    else:
        pvalues = stats.t.sf(t if alternative == "greater" else -t, dof)
    undefined = np.zeros((k, k), dtype=bool)
    undefined[first, second] = undefined[second, first] = [bool(note) for note in notes]
    return PairTests.of_scores(
        means,
        test="paired-t",
        title="paired t test",
        alternative=alternative,
        pvalues=np.where(undefined, 1.0, pvalues),
        advantage=t,
        details={"n": counts, "statistic": t[first, second]},
        pair_notes=np.array(notes),
    )


def _differences(a: FloatArray, b: FloatArray) -> FloatArray:
    """Differences on common segments, rounded so that equal ones are tied in spite of floats."""
    d = a - b
    d = d[~np.isnan(d)]
    if d.size == 0:
        return d
    largest = max(np.nanmax(np.abs(a)), np.nanmax(np.abs(b)))
    if largest == 0:
        return d
    quantum = np.exp2(np.ceil(np.log2(largest)) - 40)
    return np.round(d / quantum) * quantum


def _towards_zero(centred: FloatArray, alternative: Alternative, step: float) -> FloatArray:
    """The continuity correction, as R's wilcox.test applies it."""
    if alternative == "two-sided":
        return centred - np.sign(centred) * step
    return centred - step if alternative == "greater" else centred + step


def _normal_pvalues(z: FloatArray, alternative: Alternative) -> FloatArray:
    if alternative == "greater":
        return special.ndtr(-z)
    if alternative == "less":
        return special.ndtr(z)
    return np.minimum(1.0, 2 * special.ndtr(-np.abs(z)))
