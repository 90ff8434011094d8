"""How much closer one metric or test is to people than another, with systems as units.

Accuracies count pairs of systems, but it is systems that were sampled: a metric that misjudges one
of twelve systems is wrong about up to eleven pairs at once.  So the systems are exchangeable, and
the mean over pairs is a U-statistic of them (Hoeffding 1948).  Its variance has a part for every
two pairs that share a system, and none for two pairs that share none.

`over_systems` estimates that variance from the covariance of pairs that share a system: it is the
dyadic-robust variance (Fafchamps & Gubert 2007; Aronow, Samii & Assenova 2015), divided by the
number of pairs of pairs that share no system, which makes it unbiased.  With few systems it may
come close to zero, or below, by chance.  The jackknife over systems is stable there, but counts the
variance of single pairs twice (Efron & Stein 1981), so it is too large, by a factor between 1 and
2.  Half of the jackknife's variance is therefore a floor.  The difference over its standard error
is compared with Student's t; the degrees of freedom are the number of systems less two.  In
simulated worlds of many kinds that test kept its level with 10 to 40 systems, and erred less often
than its level with fewer.

Where pairs are right or wrong, a few that only one metric gets right may happen to share no system.
Their variance is then underestimated (four of four in one direction would be significant), and the
exact test that takes pairs as independent is the right one.  Sharing makes pairs less informative,
not more, so p is nowhere smaller than McNemar's, and the interval nowhere narrower than the exact
one.  That costs little power; with a dozen systems or fewer the test errs less often than its
level.

Other methods were tried in the same worlds.  The jackknife alone, and the percentile interval of
resampled systems for counts of right pairs, err less than half as often as their level, so they
detect less; the unbiased variance without the floor errs twice as often.  Exchanging the metrics'
scores of whole systems (`exchange_metrics`) keeps the level too, detects a little less, and needs
scores, not conclusions.  ``docs/trust.md`` has the comparison, with the published tests.

Two tests have been published.  `chi_square_between` is the comparison that Graham, Mathur & Baldwin
(2014) print.  It takes the two accuracies as if they came from different pairs of systems; they
come from the same pairs, and `mcnemar_between` takes that into account.  But both tests take pairs
as independent, though pairs share systems, and neither is safe: the more systems there are, the
oftener they call metrics different that are equally good.  McNemar's test is even less safe than
chi-square, whose error about the pairing happens to make up for part of the error about systems.

Deutsch, Dror & Roth (2021) exchange the scores of two metrics at random, and ask how often their
correlations with people then differ as much.  `exchange_metrics` exchanges all scores of a system
together (their PERM-SYS), which allows for metrics that favour a system in all of its segments.  To
exchange the scores of every segment separately (PERM-BOTH) supposes that a metric's errors about
one system are independent from segment to segment.  Mixed so finely, two metrics become nearly the
same one, so that any difference between them looks large: where each metric misjudges whole
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
from ..metrics.base import ArrayLike, FloatArray, Mask
from ..significance.results import format_pvalue
from ..statistics.sufficient import SufficientStatistics, pair_indices
from .against_gold import Agreement, SoftPairwiseAccuracy, equal_means, shared_systems

#: What says how close a metric is to people, pair by pair.
Closeness: TypeAlias = Agreement | SoftPairwiseAccuracy

_COLUMNS = ["a", "b", "difference", "ci_low", "ci_high", "pvalue", "accuracy_a", "accuracy_b"]

#: Exchanges that are held at once.
_AT_ONCE = 5000


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class MetricComparisons(Tabled):
    """Differences between the accuracies of metrics on the same pairs of systems.

    Attributes
    ----------
    table : DataFrame
        One row per two metrics: ``a``, ``b``, the ``difference`` of their accuracies, a's less
        b's, its interval at 95 % ``ci_low`` and ``ci_high``, ``pvalue``, and both accuracies,
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
        uncorrected = f"; not corrected for {len(lines)} comparisons" if len(lines) > 1 else ""
        seed = f"; rng={self.rng}" if self.rng is not None else ""
        n_pairs = self.n_systems * (self.n_systems - 1) // 2
        method = (
            f"intervals: {self.n_systems} systems as units, which make {n_pairs} pairs; "
            f"p: {self.test}{uncorrected}{seed}"
        )
        return [*lines, method]


def compare_metrics(results: Mapping[str, Closeness]) -> MetricComparisons:
    """Differences of every two accuracies on the same pairs, with systems as units.

    Go by the interval: it says how much better one metric may be.  Pairs share systems, so the
    number of pairs flatters; interval and p-value take the systems as what was sampled
    (:mod:`mtsig_nb.meta_evaluation.metric_comparisons` has the reasoning).  They kept their level
    in worlds where :func:`mcnemar_between` and :func:`chi_square_between` did not
    (``docs/trust.md``).

    Parameters
    ----------
    results : mapping of str to Agreement or SoftPairwiseAccuracy
        By metric or test, all of one kind and about the same pairs of systems, as from
        :func:`agreement`, :func:`pairwise_accuracy` or :func:`soft_pairwise_accuracy`.

    Returns
    -------
    MetricComparisons

    Raises
    ------
    InputError
        If the results are not about the same pairs of systems, or of two kinds.

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
    return MetricComparisons(
        table=pd.DataFrame(rows, columns=_COLUMNS),
        measure=next(iter(results.values())).measure,
        n_systems=len(next(iter(close.values()))),
        test="systems as units",
    )


def same_pairs(results: Mapping[str, Closeness]) -> dict[str, FloatArray]:
    """How close several metrics are to people, pair by pair, as symmetric matrices."""
    if len(results) < 2:
        raise InputError("results: give at least two to compare.")
    if len({result.measure for result in results.values()}) > 1:
        raise InputError("results: agreements and soft accuracies are not comparable.")
    first = next(iter(results))
    first_table = results[first].table
    systems = sorted({*first_table["system_a"], *first_table["system_b"]})
    close = {}
    for name, result in results.items():
        half = result.table.assign(close=result.closeness)
        half = half.pivot(index="system_a", columns="system_b", values="close")
        if {*half.index, *half.columns} != set(systems):
            raise InputError(
                f"results: {first!r} and {name!r} are not about the same pairs of systems; "
                "restrict both to those they share."
            )
        square = half.reindex(index=systems, columns=systems).fillna(0.0)
        matrix = square.to_numpy(dtype=np.float64)
        close[name] = matrix + matrix.T
    return close


def _compared(
    a: str, b: str, close_a: FloatArray, close_b: FloatArray
) -> tuple[str, str, float, float, float, float, float, float]:
    """A row of `MetricComparisons.table`."""
    difference = over_systems(close_a - close_b, 0.95)
    pairs = pair_indices(len(close_a))
    return (
        a,
        b,
        float(difference.mean),
        float(difference.low),
        float(difference.high),
        float(difference.pvalue),
        float(close_a[pairs].mean()),
        float(close_b[pairs].mean()),
    )


def chi_square_between(results: Mapping[str, Agreement | tuple[int, int]]) -> pd.DataFrame:
    """Chi-square tests of every two accuracies, as if they came from different pairs.

    With Yates's continuity correction, as R has them by default.

    Parameters
    ----------
    results : mapping of str to Agreement or (int, int)
        By metric or test; a pair of numbers is (correct, total), as printed in a paper.

    Returns
    -------
    DataFrame
        ``a``, ``b``, ``accuracy_a``, ``accuracy_b``, ``statistic`` and ``pvalue``.  Where both are
        always right, or never, the statistic is 0 and p is 1.

    Examples
    --------
    >>> chi_square_between({"BLEU": (50, 66), "TER": (40, 66)})["pvalue"].round(4).tolist()
    [0.0926]
    """
    counts = {
        name: (given.correct, given.total) if isinstance(given, Agreement) else given
        for name, given in results.items()
    }
    if len(counts) < 2:
        raise InputError("results: give at least two to compare.")
    rows = []
    for a, b in combinations(counts, 2):
        right_a, n_a = counts[a]
        right_b, n_b = counts[b]
        statistic, pvalue = chi_square(right_a, n_a, right_b, n_b)
        rows.append((a, b, right_a / n_a, right_b / n_b, statistic, pvalue))
    return pd.DataFrame(rows, columns=["a", "b", "accuracy_a", "accuracy_b", "statistic", "pvalue"])


def chi_square(right_a: int, n_a: int, right_b: int, n_b: int) -> tuple[float, float]:
    """Statistic and p of two proportions as if from different pairs."""
    table = np.array([[right_a, n_a - right_a], [right_b, n_b - right_b]])
    if not table.sum(axis=0).all():
        return 0.0, 1.0
    statistic, pvalue = stats.chi2_contingency(table)[:2]
    return float(statistic), float(pvalue)


def mcnemar_between(results: Mapping[str, Agreement]) -> pd.DataFrame:
    """Exact McNemar tests of every two accuracies on the same pairs of systems, with intervals.

    Only pairs that one gets right and the other wrong matter; under the null hypothesis either is
    as likely to be the one that is right.  The p-value takes these pairs as independent; since they
    share systems, it is too small.  The interval has systems as units, and is to go by.

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
    table = compare_metrics(results).table[_COLUMNS[:5]]
    close = same_pairs(results)
    differences = [close[a] - close[b] for a, b in combinations(close, 2)]
    # Matrices have every pair twice.
    table["only_a"] = [int((difference == 1).sum()) // 2 for difference in differences]
    table["only_b"] = [int((difference == -1).sum()) // 2 for difference in differences]
    return table.assign(pvalue=mcnemar(table["only_a"], table["only_b"]))


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
        Exchanges; all that there are, if they are no more.
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
    Scores are standardised over the systems before they are exchanged.  But for counting the
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
    truth = equal_means(people.loc[systems].to_numpy(dtype=np.float64))
    cells = []
    for s in (one, other):
        scores = equal_means(s.metric.direction * s.scores().loc[systems].to_numpy())
        cells.append(standardised(scores[:, None]))
    n_systems = len(systems)
    n_exchanges = 2**n_systems
    if n_exchanges <= n_resamples:
        masks = (np.arange(n_exchanges)[:, None] >> np.arange(n_systems) & 1).astype(bool)
        count = exchanged_count(cells, truth, masks[..., None])
        pvalue = count / n_exchanges
        drawn = f"all {n_exchanges:,}"
    else:
        masks = random_masks((n_resamples, n_systems, 1), seed)
        count = exchanged_count(cells, truth, masks)
        pvalue = (count + 1) / (n_resamples + 1)
        drawn = f"{n_resamples:,} random"
    row = _compared(
        one.label, other.label, ordered_alike(cells[0], truth), ordered_alike(cells[1], truth)
    )
    return MetricComparisons(
        table=pd.DataFrame([row], columns=_COLUMNS).assign(pvalue=pvalue),
        measure="accuracy",
        n_systems=n_systems,
        test=f"{drawn} exchanges of whole systems, two-sided",
        rng=seed,
    )


def standardised(cells: FloatArray) -> FloatArray:
    """Mean 0 and standard deviation 1 over all; zeros where all are the same."""
    spread = cells.std()
    if not spread:
        return np.zeros_like(cells)
    return (cells - cells.mean()) / spread


def ordered_alike(cells: FloatArray, people: FloatArray) -> FloatArray:
    """Whether means over segments order two systems as people do, (..., systems, systems)."""
    means = cells.mean(axis=-1)
    differences = means[..., :, None] - means[..., None, :]
    differences = np.where(np.abs(differences) < 1e-12, 0.0, differences)  # a tie but for rounding
    alike = np.sign(differences) == np.sign(people[:, None] - people)
    return alike * (1.0 - np.eye(len(people)))


def exchanged_count(cells: Sequence[FloatArray], people: FloatArray, masks: Mask) -> int:
    """How many exchanges leave the metrics as far apart as they are.

    `masks` has shape (exchanges, systems, segments or 1), true where scores stay in place.
    """

    def distance(a: FloatArray, b: FloatArray) -> FloatArray:
        """How far apart two metrics are in the number of pairs that they order like people."""
        by_pair = ordered_alike(a, people) - ordered_alike(b, people)
        return np.abs(by_pair.sum(axis=(-1, -2)))

    first, second = cells
    observed = distance(first, second)
    count = 0
    for start in range(0, len(masks), _AT_ONCE):
        keep = masks[start : start + _AT_ONCE]
        exchanged = distance(np.where(keep, first, second), np.where(keep, second, first))
        count += int((exchanged >= observed).sum())
    return count


def random_masks(shape: tuple[int, int, int], seed: int) -> Mask:
    """Fair coins for every exchange, from a key that no block of resamples has."""
    drawn = swap_masks(shape[0], shape[1] * shape[2], seed=seed, key=(0, 1))
    return drawn.astype(bool).reshape(shape)


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
    pairs = n * (n - 1) / 2
    mean = np.round(differences.sum(axis=(-1, -2)) / 2 / pairs, 14)  # rounding leaves no -0.0
    error = np.sqrt(_variance(differences, mean))
    # Two systems tell nothing: their error is infinite.
    freedom = max(n - 2, 1)
    reach = stats.t.isf((1 - confidence_level) / 2, freedom) * error
    with np.errstate(invalid="ignore", divide="ignore"):
        pvalue = 2 * special.stdtr(freedom, -np.abs(mean) / error)
    pvalue = np.where(error > 0, pvalue, 2.0 ** (1 - n))
    low = mean - reach
    high = mean + reach
    if np.isin(differences, (-1, 0, 1)).all():
        # As if pairs were independent: McNemar's exact test, and its interval.
        only_a = (differences == 1).sum(axis=(-1, -2)) // 2
        only_b = (differences == -1).sum(axis=(-1, -2)) // 2
        decided = only_a + only_b
        low_share, high_share = clopper_pearson(only_a, np.maximum(decided, 1), confidence_level)
        low = np.minimum(low, (2 * low_share - 1) * decided / pairs)
        high = np.maximum(high, (2 * high_share - 1) * decided / pairs)
        pvalue = np.maximum(pvalue, mcnemar(only_a, only_b))
    return OverSystems(
        mean=mean,
        standard_error=error,
        low=np.maximum(low, -1.0),
        high=np.minimum(high, 1.0),
        pvalue=np.where(mean == 0, 1.0, pvalue),
    )


def mcnemar(only_a: ArrayLike, only_b: ArrayLike) -> FloatArray:
    """Exact p from the numbers of pairs that only one gets right, taken as independent."""
    decided = np.maximum(np.add(only_a, only_b), 1)
    pvalue: FloatArray = 2 * special.bdtr(np.minimum(only_a, only_b), decided, 0.5)
    return np.minimum(1.0, pvalue)


def _variance(differences: FloatArray, mean: FloatArray) -> FloatArray:
    """The variance of the mean: an unbiased estimate, but at least half the jackknife's."""
    n = differences.shape[-1]
    if n == 2:
        return np.full_like(mean, np.inf)
    n_pairs = n * (n - 1) / 2
    n_pairs_left = (n - 1) * (n - 2) / 2
    means_left = (n_pairs * mean[..., None] - differences.sum(axis=-1)) / n_pairs_left
    deviations = means_left - means_left.mean(axis=-1, keepdims=True)
    jackknife = (n - 1) / n * (deviations**2).sum(axis=-1)
    # Ordered pairs of pairs that share no system.
    n_without_common = n_pairs * (n - 2) * (n - 3) / 2
    variance = jackknife
    if n_without_common:
        centred = (differences - mean[..., None, None]) * (1 - np.eye(n))
        of_systems = (centred.sum(axis=-1) ** 2).sum(axis=-1)
        of_pairs = (centred**2).sum(axis=(-1, -2)) / 2
        unbiased = (of_systems - of_pairs) / n_without_common
        variance = np.maximum(unbiased, jackknife / 2)
    return np.where(variance > 1e-24, variance, 0.0)  # less than this is rounding
