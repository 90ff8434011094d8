"""Tests of all pairs of systems on scores of segments by people.

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
`mtsig_nb.paired_t_test`    the same, of ``means.as_statistics()``, and the question is about the
                            mean; needs differences that are not too skew, or many of them.
approximate randomization   the same, by ``mt.compare_all(means.as_statistics())``.  It is exact
                            where any set of segments might have had its outputs exchanged.
                            Asked about the mean alone, it needs what the t test needs: with 50
                            differences of skewness 3.8 both reject in a tenth of cases at .05.
==========================  ======================================================================

All take one score per system and segment.  Several ratings of a segment are not several segments:
average them first (`Ratings.segment_means`).  Scores of one document, or by one rater, are
correlated, and all these tests ignore that; `SegmentScores.as_statistics` and
`Ratings.as_statistics` let the engine resample documents or raters instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from ..engine.counting import DECIMALS, equal_but_for_rounding, equal_differences
from ..engine.procedures import ALTERNATIVES, Alternative
from ..errors import check_one_of
from ..metrics.base import FloatArray
from ..notes import note
from ..significance.classical import signed_ranks
from ..statistics.sufficient import pair_indices
from .pair_tests import PairTests
from .tails import tail_pvalues

if TYPE_CHECKING:
    from .segment_scores import SegmentScores


class _PairAnswer(NamedTuple):
    """What a test answers about one pair of systems."""

    pvalue: float
    statistic: float  # centred at its null value, positive where the first system looks better
    note: str
    counts: dict[str, float]  # by column of the table


def rank_sum_test(
    means: SegmentScores, *, alternative: Alternative = "two-sided", as_given: bool = False
) -> PairTests:
    """Wilcoxon rank-sum (Mann-Whitney) tests of all pairs, not paired by segment.

    Null hypothesis: scores of the two systems come from one distribution.  The p-value is that of
    R's ``wilcox.test(a, b, exact = FALSE)``: normal approximation with mid-ranks, the variance
    corrected for ties, and a continuity correction of one half.  (Without ``exact = FALSE``, R
    enumerates when there are fewer than 50 scores and no ties.)

    Parameters
    ----------
    means : SegmentScores
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: scores of the row's system tend to be better than the column's.  Drawing
        conclusions in either direction from a one-sided test at level alpha errs up to 2 alpha of
        the time.
    as_given : bool
        Compare scores to the last bit, as R does.  By default, scores that differ only by rounding
        are tied.

    Returns
    -------
    PairTests
        Its table has ``n_a``, ``n_b`` (segments), ``statistic`` (the Mann-Whitney U of
        `system_a`) and ``superiority``, the estimated chance that a score of `system_a` beats one
        of `system_b`, ties counting half.

    Notes
    -----
    If all scores of both systems have the same value, nothing can be learnt, and p is 1.

    References
    ----------
    Mann & Whitney (1947); as used for MT by Graham, Mathur & Baldwin (2014), section 4.

    Examples
    --------
    >>> import pandas as pd
    >>> from mtsig_nb.human import SegmentScores
    >>> scores = {"a": [5, 6, 7, 9], "b": [1, 2, 3, 5]}
    >>> means = SegmentScores(pd.DataFrame(
    ...     [(s, i, x) for s in scores for i, x in enumerate(scores[s])],
    ...     columns=["system", "segment", "mean"]))
    >>> test = rank_sum_test(means, alternative="greater")
    >>> test.table[["system_a", "system_b", "statistic", "pvalue"]].round(4).values.tolist()
    [['a', 'b', 15.5, 0.021]]
    """
    from scipy.stats import rankdata  # slow to import

    def test(a: FloatArray, b: FloatArray) -> _PairAnswer:
        # scipy.stats.mannwhitneyu cubes the ties as integers, too large for 32 bits in a browser.
        pooled = np.concatenate([a, b])
        if not as_given:
            pooled = equal_but_for_rounding(pooled, _rounding(a, b))
        n_a = len(a)
        n_b = len(b)
        n = n_a + n_b
        rank_sum = rankdata(pooled)[:n_a].sum()
        statistic = float(rank_sum - n_a * (n + 1) / 2)
        u = statistic + n_a * n_b / 2
        superiority = u / (n_a * n_b)
        counts = {"n_a": n_a, "n_b": n_b, "statistic": u, "superiority": superiority}
        _, tied = np.unique(pooled, return_counts=True)
        ties = tied.astype(np.float64)
        correction = (ties**3 - ties).sum() / (n * (n - 1))
        standard_deviation = np.sqrt(n_a * n_b / 12 * (n + 1 - correction))
        if not standard_deviation:
            return _PairAnswer(1.0, statistic, note("one-value"), counts)
        continuity = _continuity_correction(statistic, alternative)
        z = (statistic - continuity) / standard_deviation
        return _PairAnswer(float(tail_pvalues(z, alternative)), statistic, "", counts)

    samples = [means.direction * values for values in means.samples().values()]
    return _of_each_pair(means, "Wilcoxon rank-sum test, not paired", alternative, samples, test)


def _continuity_correction(statistic: float, alternative: Alternative) -> float:
    """Half a rank towards the null hypothesis, as R's ``wilcox.test`` takes it."""
    if alternative == "greater":
        return 0.5
    if alternative == "less":
        return -0.5
    return float(np.sign(statistic) / 2)


def _of_each_pair(
    means: SegmentScores,
    title: str,
    alternative: Alternative,
    samples: Sequence[FloatArray],
    test: Callable[[FloatArray, FloatArray], _PairAnswer],
) -> PairTests:
    """The test of each pair of systems; a one-sided test is made in both directions."""
    check_one_of("alternative", alternative, ALTERNATIVES)
    n_systems = len(samples)
    pvalues = np.zeros((n_systems, n_systems))
    statistic = np.zeros((n_systems, n_systems))
    details = []
    notes = []
    for i, j in zip(*pair_indices(n_systems), strict=True):
        answer = test(samples[i], samples[j])
        statistic[i, j] = answer.statistic
        statistic[j, i] = -answer.statistic
        pvalues[i, j] = answer.pvalue
        pvalues[j, i] = answer.pvalue
        if alternative != "two-sided":
            pvalues[j, i] = test(samples[j], samples[i]).pvalue
        details.append(answer.counts)
        notes.append(answer.note)
    return PairTests.of_pairs(
        means.scores(),
        title=f"{title}, on {means.label}",
        alternative=alternative,
        pvalues=pvalues,
        statistic=statistic,
        details=pd.DataFrame(details),
        pair_notes=notes,
        higher_is_better=means.higher_is_better,
        notes=means.notes,
    )


def signed_rank_test(means: SegmentScores, *, alternative: Alternative = "two-sided") -> PairTests:
    """Wilcoxon signed-rank tests of all pairs, on the segments that both systems were judged on.

    Null hypothesis: differences on a segment are symmetric about zero.  Segments without a
    difference are left out, as R does; :func:`mtsig_nb.signed_rank_test` can treat them otherwise.

    Parameters
    ----------
    means : SegmentScores
    alternative : {"two-sided", "greater", "less"}

    Returns
    -------
    PairTests
        Its table has ``n`` (common segments), ``n_zero`` (those without a difference) and
        ``statistic``, the sum of the ranks of differences in favour of `system_a`.

    Notes
    -----
    Exact for up to 50 differences other than zero, else the normal approximation with continuity
    correction.  Without any difference p is 1; so it is without a common segment, and the table
    says so.

    Examples
    --------
    >>> import pandas as pd
    >>> from mtsig_nb.human import SegmentScores
    >>> scores = {"a": [5, 6, 7, 9, 4], "b": [1, 2, 3, 5, 4]}
    >>> means = SegmentScores(pd.DataFrame(
    ...     [(s, i, x) for s in scores for i, x in enumerate(scores[s])],
    ...     columns=["system", "segment", "mean"]))
    >>> test = signed_rank_test(means)
    >>> test.table[["system_a", "system_b", "n", "n_zero", "pvalue"]].round(4).values.tolist()
    [['a', 'b', 5, 1, 0.125]]
    """

    def test(a: FloatArray, b: FloatArray) -> _PairAnswer:
        differences = _differences(a, b)
        n = len(differences)
        ranks = signed_ranks(differences, alternative=alternative)
        pair_note = ""
        if not n:
            pair_note = note("no-common-segment")
        elif not differences.any():
            pair_note = note("no-difference")
        counts = {"n": n, "n_zero": ranks.n_zero, "statistic": ranks.above}
        return _PairAnswer(ranks.pvalue, ranks.above - ranks.below, pair_note, counts)

    samples = list(means.direction * means.matrix().to_numpy(dtype=np.float64))
    title = "Wilcoxon signed-rank test, paired by segment"
    return _of_each_pair(means, title, alternative, samples, test)


def _differences(a: FloatArray, b: FloatArray) -> FloatArray:
    """Differences on common segments; those that only rounding keeps apart are made equal."""
    differences = a - b
    is_common = ~np.isnan(differences)
    rounding = _rounding(a[is_common], b[is_common])
    return equal_differences(differences[is_common], rounding)


def _rounding(*scores: FloatArray) -> float:
    """How far rounding can set apart two equal scores, or differences, of so many decimals."""
    largest = max(np.abs(values).max(initial=0.0) for values in scores)
    return DECIMALS * largest
