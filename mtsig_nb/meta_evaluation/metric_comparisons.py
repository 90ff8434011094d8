"""How much closer one metric or test is to people than another, with systems as units.

Accuracies count pairs of systems, but systems are what was sampled: a metric that misjudges one of
twelve systems is wrong about up to eleven pairs at once.  So systems are treated as exchangeable,
and the mean over pairs is a U-statistic of them (Hoeffding 1948).  Its variance has a part for
every two pairs that share a system, and none for two pairs that share none.

`over_systems` estimates that variance from the covariance of pairs that share a system: it is the
dyadic-robust variance (Fafchamps & Gubert 2007; Aronow, Samii & Assenova 2015), divided by the
number of pairs of pairs that share no system, which makes it unbiased.  With few systems it may
come close to zero, or below, by chance.  The jackknife over systems is stable there, but counts the
variance of single pairs twice (Efron & Stein 1981), so it is too large, by a factor between 1 and
2.  Half of the jackknife's variance is therefore a floor.  The difference over its standard error
is compared with Student's t; the degrees of freedom are the number of systems minus two.  In
simulated worlds of many kinds that test kept its level with 10 to 40 systems, and erred less often
than its level with fewer.

Where pairs are right or wrong, a few that only one metric gets right may happen to share no system.
Their variance is then underestimated (four of four in one direction would be significant), and the
exact test that treats pairs as independent is the right one.  Sharing makes pairs less informative,
not more, so p is never smaller than McNemar's, and the interval never narrower than the exact one.
This costs little power; with a dozen systems or fewer, the test errs less often than its level.

Other methods were tried in the same worlds.  The jackknife alone, and the percentile interval of
resampled systems for counts of right pairs, err less than half as often as their level, so they
detect less; the unbiased variance without the floor errs twice as often.  Exchanging the metrics'
scores of whole systems (`exchange_metrics`) keeps the level too, detects a little less, and needs
scores, not conclusions.  ``docs/trust/worlds-runs-and-metrics.md`` has the comparison,
with the published tests.

Two tests have been published.  `chi_square_between` is the comparison that Graham, Mathur & Baldwin
(2014) print.  It takes the two accuracies as if they came from different pairs of systems; they
come from the same pairs, and `mcnemar_between` takes that into account.  But both tests treat pairs
as independent, although pairs share systems, and neither is safe: the more systems there are, the
more often they call equally good metrics different.  McNemar's test is even less safe than
chi-square, whose error about the pairing happens to compensate for part of the error about systems.

Deutsch, Dror & Roth (2021) exchange the scores of two metrics at random, and ask how often their
correlations with people then differ as much.  `exchange_metrics` exchanges all scores of a system
together (their PERM-SYS), which allows for metrics that favour a system in all of its segments.
Exchanging the scores of every segment separately (PERM-BOTH) assumes that a metric's errors about
one system are independent from segment to segment.  Two metrics that are mixed so finely become
nearly the same metric, so any difference between them looks large: if each metric misjudges whole
systems, that test errs far more often than its level.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias

import numpy as np
import pandas as pd
from scipy import special, stats

from ..described import Tabled
from ..engine.counting import clopper_pearson
from ..engine.resampling import RNG, check_n_resamples, seed_from, swap_masks
from ..errors import InputError, counted
from ..metrics.base import ArrayLike, FloatArray, IntArray, Mask
from ..significance.results import format_pvalue
from ..statistics.sufficient import SufficientStatistics, pair_indices
from .against_gold import Agreement, SoftPairwiseAccuracy, equal_means, shared_systems

#: What says how close a metric is to people, pair by pair.
Closeness: TypeAlias = Agreement | SoftPairwiseAccuracy

_COLUMNS = ["a", "b", "difference", "ci_low", "ci_high", "pvalue", "accuracy_a", "accuracy_b"]

#: Exchanges that are held at once.
_AT_ONCE = 5000
#: Differences of standardised means that are smaller are zero but for rounding.
_ROUNDING = 1e-12
#: A smaller variance is zero but for rounding.
_SMALLEST_VARIANCE = 1e-24


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class MetricComparisons(Tabled):
    """Differences between the accuracies of metrics on the same pairs of systems.

    Attributes
    ----------
    table : DataFrame
        One row per two metrics: ``a``, ``b``, the ``difference`` of their accuracies (a's minus
        b's), its interval at 95 % ``ci_low`` and ``ci_high``, ``pvalue``, and both accuracies,
        ``accuracy_a`` and ``accuracy_b``.
    measure : str
        What the accuracies are.
    n_systems : int
        How many systems there are; they are the units.
    test : str
        What the p-values come from.
    rng : int, optional
        The seed, where anything was drawn.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> campaign = mt.load("wmt12/es-en")
    >>> soft = {name: mt.soft_pairwise_accuracy(campaign.statistics(name), campaign.human, rng=1)
    ...         for name in ("BLEU", "chrF")}
    >>> found = mt.compare_metrics(soft)
    >>> found.n_systems, bool(found.table["ci_low"].item() < 0)
    (12, True)
    """

    _plotted = ("difference", "ci_low", "ci_high")

    table: pd.DataFrame
    measure: str
    n_systems: int
    test: str
    rng: int | None = None

    def _headline(self) -> str:
        """How many differences there are, and how many of them have a small p-value."""
        n_small = int((self.table["pvalue"] <= 0.05).sum())
        return (
            f"{counted(len(self.table), 'difference')} of {self.measure} on {self.n_systems} "
            f"systems, {n_small} with p of 0.05 or less, uncorrected"
        )

    def _lines(self) -> list[str]:
        """A line for each pair, and how it was tested."""
        lines = [
            f"{row['a']} less {row['b']}: {row['difference']:+.3f} of {self.measure}, 95 % "
            f"interval {row['ci_low']:+.3f} to {row['ci_high']:+.3f}; "
            f"p = {format_pvalue(row['pvalue'])}"
            for row in self.table.to_dict("records")
        ]
        n_pairs = self.n_systems * (self.n_systems - 1) // 2
        method = [
            f"intervals: {self.n_systems} systems as units, which make {n_pairs} pairs",
            f"p: {self.test}",
        ]
        if len(lines) > 1:
            method.append(f"not corrected for {len(lines)} comparisons")
        if self.rng is not None:
            method.append(f"rng={self.rng}")
        return [*lines, "; ".join(method)]


def compare_metrics(results: Mapping[str, Closeness]) -> MetricComparisons:
    """Differences of every two accuracies on the same pairs, with systems as units.

    Rely on the interval: it shows how much better one metric may be.  Pairs share systems, so the
    number of pairs overstates the evidence.  The interval and the p-value treat the systems as the
    sample (:mod:`mtsig_nb.meta_evaluation.metric_comparisons` has the reasoning).  They kept their
    level in worlds where :func:`mcnemar_between` and :func:`chi_square_between` did not
    (``docs/trust/worlds-runs-and-metrics.md``).

    Parameters
    ----------
    results : mapping of str to Agreement or SoftPairwiseAccuracy
        The results by metric or test, all of one kind and about the same pairs of systems, as from
        :func:`agreement`, :func:`pairwise_accuracy` or :func:`soft_pairwise_accuracy`.

    Returns
    -------
    MetricComparisons

    Raises
    ------
    InputError
        If the results are about different pairs of systems, or of two kinds.

    References
    ----------
    Fafchamps & Gubert 2007, *The formation of risk sharing networks*; Aronow, Samii & Assenova
    2015, *Cluster-robust variance estimation for dyadic data*; Efron & Stein 1981, *The jackknife
    estimate of variance*.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> campaign = mt.load("wmt12/es-en")
    >>> people = campaign.human.scores()
    >>> ordered = {name: mt.pairwise_accuracy(campaign.statistics(name).scores(), people, rng=1)
    ...            for name in ("BLEU", "NIST")}
    >>> mt.compare_metrics(ordered).table[["a", "b", "difference"]].round(3).values.tolist()
    [['BLEU', 'NIST', -0.03]]
    """
    close = same_pairs(results)
    rows = [_compared(a, b, close[a], close[b]) for a, b in combinations(close, 2)]
    first = next(iter(results))
    return MetricComparisons(
        table=pd.DataFrame(rows, columns=_COLUMNS),
        measure=results[first].measure,
        n_systems=len(close[first]),
        test="systems as units",
    )


def same_pairs(results: Mapping[str, Closeness]) -> dict[str, FloatArray]:
    """How close several metrics are to people, pair by pair, as symmetric matrices."""
    if len(results) < 2:
        raise InputError("results: give at least two to compare.")
    if len({result.measure for result in results.values()}) > 1:
        raise InputError("results: agreements and soft accuracies are not comparable.")
    first = next(iter(results))
    systems = _systems(results[first])
    for name, result in results.items():
        if _systems(result) != systems:
            raise InputError(
                f"results: {first!r} and {name!r} are not about the same pairs of systems; "
                "restrict both to those they share."
            )
    return {name: _square_of_closeness(result) for name, result in results.items()}


def _systems(result: Closeness) -> list[str]:
    """The systems of a result, in alphabetical order."""
    return sorted({*result.table["system_a"], *result.table["system_b"]})


def _square_of_closeness(result: Closeness) -> FloatArray:
    """The closeness of each two systems, which are in alphabetical order; zero on the diagonal."""
    systems = _systems(result)
    by_pair = result.table.assign(close=result.closeness)
    # Each pair is in the table once, whichever of its systems is called a.
    once = by_pair.pivot(index="system_a", columns="system_b", values="close")
    square = once.reindex(index=systems, columns=systems).fillna(0.0).to_numpy(dtype=np.float64)
    return square + square.T


def _compared(a: str, b: str, close_a: FloatArray, close_b: FloatArray) -> dict[str, str | float]:
    """A row of `MetricComparisons.table`."""
    difference = over_systems(close_a - close_b, 0.95)
    pairs = pair_indices(len(close_a))
    return {
        "a": a,
        "b": b,
        "difference": float(difference.mean),
        "ci_low": float(difference.low),
        "ci_high": float(difference.high),
        "pvalue": float(difference.pvalue),
        "accuracy_a": float(close_a[pairs].mean()),
        "accuracy_b": float(close_b[pairs].mean()),
    }


def chi_square_between(results: Mapping[str, Agreement | tuple[int, int]]) -> pd.DataFrame:
    """Chi-square tests of every two accuracies, as if they came from different pairs.

    With Yates's continuity correction, as R has them by default.

    Parameters
    ----------
    results : mapping of str to Agreement or (int, int)
        The results by metric or test; a pair of numbers is (correct, total), as printed in a paper.

    Returns
    -------
    DataFrame
        ``a``, ``b``, ``accuracy_a``, ``accuracy_b``, ``statistic`` and ``pvalue``.  If both are
        always right, or both never, the statistic is 0 and p is 1.

    Examples
    --------
    >>> chi_square_between({"BLEU": (50, 66), "TER": (40, 66)})["pvalue"].round(4).tolist()
    [0.0926]
    """
    counts = {}
    for name, result in results.items():
        if isinstance(result, Agreement):
            counts[name] = (result.correct, result.total)
        else:
            counts[name] = result
    if len(counts) < 2:
        raise InputError("results: give at least two to compare.")
    rows = []
    for a, b in combinations(counts, 2):
        correct_a, n_a = counts[a]
        correct_b, n_b = counts[b]
        statistic, pvalue = chi_square(correct_a, n_a, correct_b, n_b)
        row = {
            "a": a,
            "b": b,
            "accuracy_a": correct_a / n_a,
            "accuracy_b": correct_b / n_b,
            "statistic": statistic,
            "pvalue": pvalue,
        }
        rows.append(row)
    return pd.DataFrame(rows)


def chi_square(correct_a: int, n_a: int, correct_b: int, n_b: int) -> tuple[float, float]:
    """Statistic and p-value of two proportions as if from different pairs."""
    table = np.array([[correct_a, n_a - correct_a], [correct_b, n_b - correct_b]])
    is_all_alike = not table.sum(axis=0).all()
    if is_all_alike:
        return 0.0, 1.0
    result = stats.chi2_contingency(table)
    return float(result.statistic), float(result.pvalue)


def mcnemar_between(results: Mapping[str, Agreement]) -> pd.DataFrame:
    """Exact McNemar tests of every two accuracies on the same pairs of systems, with intervals.

    Only pairs that one gets right and the other wrong matter; under the null hypothesis each is
    equally likely to be right on them.  The p-value treats these pairs as independent; since they
    share systems, it is too small.  The interval has systems as units: rely on it.

    Parameters
    ----------
    results : mapping of str to Agreement
        By metric or test, on the same systems.

    Returns
    -------
    DataFrame
        ``a``, ``b``, the ``difference`` of accuracies with ``ci_low`` and ``ci_high`` as from
        :func:`compare_metrics`; ``only_a`` and ``only_b`` (pairs that only one gets right), and
        the ``pvalue``.

    Raises
    ------
    InputError
        If the results are not about the same pairs of systems.

    Examples
    --------
    >>> from mtsig_nb import Conclusions, agreement
    >>> def concluding(ab, ac, bc):
    ...     pairs = {("A", "B"): ab, ("A", "C"): ac, ("B", "C"): bc}
    ...     return Conclusions.from_pairs(pairs)
    >>> people = concluding(1, 1, 0)
    >>> answers = {"BLEU": concluding(0, 1, 0), "TER": concluding(1, 1, 0)}
    >>> results = {name: agreement(answer, people, rng=1) for name, answer in answers.items()}
    >>> mcnemar_between(results)[["a", "b", "only_a", "only_b", "pvalue"]]
          a    b  only_a  only_b  pvalue
    0  BLEU  TER       0       1     1.0
    """
    table = compare_metrics(results).table
    close = same_pairs(results)
    differences = np.stack([close[a] - close[b] for a, b in combinations(close, 2)])
    only_a, only_b = _only_one_right(differences)
    compared = table[["a", "b", "difference", "ci_low", "ci_high"]]
    return compared.assign(only_a=only_a, only_b=only_b, pvalue=mcnemar(only_a, only_b))


def exchange_metrics(
    one: SufficientStatistics,
    other: SufficientStatistics,
    people: pd.Series,
    *,
    n_resamples: int = 2000,
    rng: RNG = None,
) -> MetricComparisons:
    """Compare two metrics by exchanging their scores of systems (Deutsch, Dror & Roth 2021).

    Parameters
    ----------
    one, other : SufficientStatistics
        Of the same systems.
    people : Series
        Systems' scores, larger is better.
    n_resamples : int
        Number of exchanges; all possible ones, if there are no more than that.
    rng : None, int or Generator

    Returns
    -------
    MetricComparisons
        One row, of pairwise accuracies; the interval is as from :func:`compare_metrics`.

    Raises
    ------
    InputError
        If fewer than two systems are shared.

    Notes
    -----
    Scores are standardised over the systems before they are exchanged.  Apart from counting the
    observed arrangement, p is twice what mt-metrics-eval computes for the better metric, up to
    Monte Carlo error: ``PermutationSigDiff`` on scores of systems with Kendall's ``acc23``.

    References
    ----------
    Deutsch, Dror & Roth 2021, *A statistical analysis of summarization evaluation metrics using
    resampling methods*.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> campaign = mt.load("wmt22/de-en")
    >>> bleu, chrf = campaign.statistics("BLEU"), campaign.statistics("chrF")
    >>> found = mt.exchange_metrics(bleu, chrf, campaign.human.scores(), rng=1)
    >>> found.table[["a", "b", "difference", "pvalue"]].round(2).values.tolist()
    [['BLEU', 'chrF', 0.06, 0.5]]
    """
    check_n_resamples(n_resamples)
    seed = seed_from(rng)
    if not isinstance(people, pd.Series) or not np.isfinite(people.astype(float)).all():
        raise InputError(
            "people: give a Series of the systems' scores, all finite, such as "
            "campaign.human.scores()."
        )
    systems = shared_systems(list(people.index), set(one.systems) & set(other.systems))
    human_scores = equal_means(people.loc[systems].to_numpy(dtype=np.float64))
    scores_of_one = _scores_to_exchange(one, systems)
    scores_of_other = _scores_to_exchange(other, systems)
    scores_of_both = [scores_of_one, scores_of_other]
    n_systems = len(systems)
    n_exchanges = 2**n_systems
    if n_exchanges <= n_resamples:
        masks = _all_masks(n_systems)
        pvalue = exchanged_count(scores_of_both, human_scores, masks) / n_exchanges
        drawn = f"all {n_exchanges:,}"
    else:
        masks = random_masks((n_resamples, n_systems, 1), seed)
        count = exchanged_count(scores_of_both, human_scores, masks)
        pvalue = (count + 1) / (n_resamples + 1)
        drawn = f"{n_resamples:,} random"
    row = _compared(
        one.label,
        other.label,
        ordered_alike(scores_of_one, human_scores),
        ordered_alike(scores_of_other, human_scores),
    )
    return MetricComparisons(
        table=pd.DataFrame([row], columns=_COLUMNS).assign(pvalue=pvalue),
        measure="accuracy",
        n_systems=n_systems,
        test=f"{drawn} exchanges of whole systems, two-sided",
        rng=seed,
    )


def _scores_to_exchange(statistics: SufficientStatistics, systems: list[str]) -> FloatArray:
    """Standardised scores of shape (systems, 1), larger ones better."""
    scores = statistics.metric.direction * statistics.scores().loc[systems].to_numpy()
    return standardised(equal_means(scores)[:, None])


def standardised(cells: FloatArray) -> FloatArray:
    """Scores with mean 0 and standard deviation 1 over all cells; zeros where all are the same."""
    deviation = cells.std()
    if not deviation:
        return np.zeros_like(cells)
    return (cells - cells.mean()) / deviation


def ordered_alike(cells: FloatArray, people: FloatArray) -> FloatArray:
    """1 where means over segments order two systems as people do, else 0.

    Parameters
    ----------
    cells : ndarray of shape (..., systems, segments)
    people : ndarray of shape (systems,)

    Returns
    -------
    ndarray of shape (..., systems, systems)
        Zeros on the diagonal.
    """
    means = cells.mean(axis=-1)
    differences = means[..., :, None] - means[..., None, :]
    is_tie = np.abs(differences) < _ROUNDING
    order = np.sign(np.where(is_tie, 0.0, differences))
    is_alike = order == np.sign(np.subtract.outer(people, people))
    return is_alike * (1.0 - np.eye(len(people)))


def exchanged_count(cells: Sequence[FloatArray], people: FloatArray, masks: Mask) -> int:
    """How many exchanges leave the metrics at least as far apart as they are.

    Parameters
    ----------
    cells : sequence of two ndarrays of shape (systems, segments or 1)
        The scores of both metrics.
    people : ndarray of shape (systems,)
    masks : ndarray of bool, shape (exchanges, systems, segments or 1)
        True where scores stay in place.
    """

    def distance(a: FloatArray, b: FloatArray) -> FloatArray:
        """How far apart two metrics are in the number of pairs that they order like people."""
        difference = ordered_alike(a, people) - ordered_alike(b, people)
        return np.abs(difference.sum(axis=(-1, -2)))

    first, second = cells
    observed = distance(first, second)
    count = 0
    for start in range(0, len(masks), _AT_ONCE):
        stays = masks[start : start + _AT_ONCE]
        one = np.where(stays, first, second)
        other = np.where(stays, second, first)
        count += int((distance(one, other) >= observed).sum())
    return count


def _all_masks(n_systems: int) -> Mask:
    """All exchanges of whole systems, of shape (exchanges, systems, 1)."""
    exchange = np.arange(2**n_systems)[:, None]
    digits = exchange >> np.arange(n_systems) & 1
    return digits.astype(bool)[..., None]


def random_masks(shape: tuple[int, int, int], seed: int) -> Mask:
    """Fair coins for every exchange, of this shape, from a key that no block of resamples has."""
    n_exchanges, n_systems, n_segments = shape
    masks = swap_masks(n_exchanges, n_systems * n_segments, seed=seed, key=(0, 1))
    return masks.astype(bool).reshape(shape)


class OverSystems(NamedTuple):
    """A mean over pairs.  Fields have the shape of the differences without their last two axes."""

    mean: FloatArray
    standard_error: FloatArray
    low: FloatArray
    high: FloatArray
    pvalue: FloatArray


def over_systems(differences: FloatArray, confidence_level: float) -> OverSystems:
    """Mean of pairs' differences, with interval and two-sided p-value from systems as units.

    Parameters
    ----------
    differences : ndarray of shape (..., systems, systems)
        Symmetric, each between -1 and 1, zeros on the diagonal.  If all are -1, 0 or 1, they are
        differences of answers that are right or wrong.
    confidence_level : float

    Notes
    -----
    Where all pairs have the same difference, other than zero, the standard error is zero and says
    nothing.  p is then the smallest that exchanging the metrics system by system can give,
    ``2 / 2**systems``.

    Examples
    --------
    >>> right_a = np.array([[0, 1, 1, 1], [1, 0, 1, 0], [1, 1, 0, 1], [1, 0, 1, 0]])
    >>> right_b = np.array([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 0], [1, 0, 0, 0]])
    >>> found = over_systems(right_a - right_b, 0.95)
    >>> found.mean.round(3).item(), found.pvalue.round(3).item()
    (0.333, 0.5)
    """
    n = differences.shape[-1]
    n_pairs = n * (n - 1) / 2
    total = differences.sum(axis=(-1, -2)) / 2  # matrices have every pair twice
    mean = np.round(total / n_pairs, 14)  # rounding leaves no -0.0
    error = np.sqrt(_variance(differences, mean))
    freedom = max(n - 2, 1)  # of two systems the error is infinite
    reach = stats.t.isf((1 - confidence_level) / 2, freedom) * error
    with np.errstate(invalid="ignore", divide="ignore"):
        pvalue = 2 * special.stdtr(freedom, -np.abs(mean) / error)
    pvalue = np.where(error > 0, pvalue, 2.0 ** (1 - n))
    low = mean - reach
    high = mean + reach
    is_right_or_wrong = np.isin(differences, (-1, 0, 1)).all()
    if is_right_or_wrong:
        exact = _as_if_independent(differences, confidence_level)
        low = np.minimum(low, exact.low)
        high = np.maximum(high, exact.high)
        pvalue = np.maximum(pvalue, exact.pvalue)
    return OverSystems(
        mean=mean,
        standard_error=error,
        low=np.maximum(low, -1.0),
        high=np.minimum(high, 1.0),
        pvalue=np.where(mean == 0, 1.0, pvalue),
    )


class _Exact(NamedTuple):
    """McNemar's exact test and its interval."""

    low: FloatArray
    high: FloatArray
    pvalue: FloatArray


def _as_if_independent(differences: FloatArray, confidence_level: float) -> _Exact:
    """The exact test and interval that take pairs as independent; differences are -1, 0 or 1.

    Given how many pairs only one metric gets right, the share of a's among them is binomial.  If
    that share is s, the mean difference over all pairs is 2 s - 1 times the share of such pairs.
    """
    n = differences.shape[-1]
    n_pairs = n * (n - 1) / 2
    only_a, only_b = _only_one_right(differences)
    decided = only_a + only_b
    low_share, high_share = clopper_pearson(only_a, np.maximum(decided, 1), confidence_level)
    return _Exact(
        low=(2 * low_share - 1) * decided / n_pairs,
        high=(2 * high_share - 1) * decided / n_pairs,
        pvalue=mcnemar(only_a, only_b),
    )


def _only_one_right(differences: FloatArray) -> tuple[IntArray, IntArray]:
    """How many pairs only the first metric gets right, and how many only the second.

    `differences` has shape (..., systems, systems), with 1 and -1 for such pairs.
    """
    # Matrices have every pair twice.
    only_a = (differences == 1).sum(axis=(-1, -2)) // 2
    only_b = (differences == -1).sum(axis=(-1, -2)) // 2
    return only_a, only_b


def mcnemar(only_a: ArrayLike, only_b: ArrayLike) -> FloatArray:
    """Exact p from the numbers of pairs that only one gets right, taken as independent."""
    fewer = np.minimum(only_a, only_b)
    decided = np.maximum(np.add(only_a, only_b), 1)
    both_tails = 2 * special.bdtr(fewer, decided, 0.5)
    return np.minimum(1.0, both_tails)


def _variance(differences: FloatArray, mean: FloatArray) -> FloatArray:
    """The variance of the mean: an unbiased estimate, but at least half the jackknife's."""
    n = differences.shape[-1]
    if n == 2:
        return np.full_like(mean, np.inf)
    jackknife = _jackknife_variance(differences, mean)
    variance = jackknife
    if n > 3:
        unbiased = _unbiased_variance(differences, mean)
        variance = np.maximum(unbiased, jackknife / 2)
    return np.where(variance > _SMALLEST_VARIANCE, variance, 0.0)


def _jackknife_variance(differences: FloatArray, mean: FloatArray) -> FloatArray:
    """The jackknife's variance of the mean, each system left out with all of its pairs."""
    n = differences.shape[-1]
    n_pairs = n * (n - 1) / 2
    n_pairs_left = (n - 1) * (n - 2) / 2
    totals_left = n_pairs * mean[..., None] - differences.sum(axis=-1)
    means_left = totals_left / n_pairs_left
    deviations = means_left - means_left.mean(axis=-1, keepdims=True)
    return (n - 1) / n * (deviations**2).sum(axis=-1)


def _unbiased_variance(differences: FloatArray, mean: FloatArray) -> FloatArray:
    """The sum of covariances of pairs that share a system, over the pairs of pairs that share none.

    The products of pairs that share a system are those in the square of each system's sum, summed
    over the systems.  A pair's own square is among them twice, once for each of its systems; it
    counts once.
    """
    n = differences.shape[-1]
    is_pair = 1 - np.eye(n)
    centred = (differences - mean[..., None, None]) * is_pair
    sums = centred.sum(axis=-1)
    squares_of_sums = (sums**2).sum(axis=-1)
    squares_of_pairs = (centred**2).sum(axis=(-1, -2)) / 2
    n_pairs = n * (n - 1) / 2
    n_without_common = n_pairs * (n - 2) * (n - 3) / 2  # ordered pairs of pairs
    return (squares_of_sums - squares_of_pairs) / n_without_common
