"""The tests by which papers compare metrics, and how often they and better ones err.

`chi_square_between` is the comparison that Graham, Mathur & Baldwin (2014) print.  It takes the two
accuracies as if they came from different pairs of systems; they come from the same ones, which
`mcnemar_between` (two at a time) and Cochran's Q (all at once) reckon with.  But all three take
pairs as independent, though pairs share systems, and none is safe: the more systems there are, the
oftener they call metrics different that are equally good.  McNemar's test and Cochran's Q are no
safer than chi-square, on the contrary: what it gets wrong about the pairing happens to make up for
part of what all three get wrong about systems.  Each table says how often its test errs with as
many systems as it is about: `size_at_05` is simulated (:func:`mtsig_nb.metric_error_rates` has all
procedures, and other worlds).  Go by the interval of
the difference, which has systems as units, and for a p-value by :func:`mtsig_nb.compare_metrics`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats
from statsmodels.stats import contingency_tables

from ..conclusions.deciding import check_level
from ..engine.counting import clopper_pearson
from ..engine.resampling import RNG, check_n_resamples, seed_from
from ..errors import InputError, check_one_of
from ..metrics.base import FloatArray
from ..simulate.worlds import SharedSystems, shared_systems
from ..statistics.sufficient import pair_indices
from .against_gold import Agreement, resampled_accuracies
from .metric_comparisons import (
    exchanged_count,
    mcnemar,
    over_systems,
    random_masks,
    same_pairs,
    standardised,
)

#: Below these differences in what they see, people and metrics conclude nothing: with the errors
#: that `shared_systems` has by default, so do they in about a quarter and an eighth of the pairs.
PEOPLE_SILENT, METRICS_SILENT = 0.6, 0.3

#: Worlds for the size that stands beside a published test's p.
LABEL_WORLDS = 2000

Bools = npt.NDArray[np.bool_]
Limits = tuple[FloatArray, FloatArray]


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
        ``a``, ``b``, ``accuracy_a``, ``accuracy_b``, ``statistic``, ``pvalue``, and
        ``size_at_05``: how often so small a p as .05 comes about between equally good metrics on
        as many systems as make the pairs (with Yates's correction, simulated).  Where both are
        always right, or never, the statistic is 0 and p is 1.

    Examples
    --------
    >>> chi_square_between({"BLEU": (50, 66), "TER": (40, 66)})["pvalue"].round(4).tolist()
    [0.0926]
    """
    counts = {name: _correct_and_total(name, result) for name, result in results.items()}
    if len(counts) < 2:
        raise InputError("results: give at least two to compare.")
    rows = []
    for (a, (right_a, n_a)), (b, (right_b, n_b)) in combinations(counts.items(), 2):
        tested = _chi_square(right_a, n_a, right_b, n_b)
        # The fewest systems that make so many pairs.
        n_systems = math.ceil((1 + math.sqrt(1 + 8 * max(n_a, n_b))) / 2)
        size = measured_sizes(n_systems)["chi-square"]
        rows.append((a, b, right_a / n_a, right_b / n_b, *tested, size))
    columns = ["a", "b", "accuracy_a", "accuracy_b", "statistic", "pvalue", "size_at_05"]
    return pd.DataFrame(rows, columns=columns)


def _correct_and_total(name: str, result: Agreement | tuple[int, int]) -> tuple[int, int]:
    if isinstance(result, Agreement):
        return result.correct, result.total
    right, total = result
    if not 0 <= right <= total or total < 1:
        raise InputError(f"results[{name!r}]: {right} of {total} is not a proportion.")
    return int(right), int(total)


@functools.cache
def _chi_square(right_a: int, n_a: int, right_b: int, n_b: int) -> tuple[float, float]:
    """Statistic and p of two proportions as if from different pairs."""
    table = np.array([[right_a, n_a - right_a], [right_b, n_b - right_b]])
    if not table.sum(axis=0).all():
        return 0.0, 1.0
    statistic, pvalue = stats.chi2_contingency(table)[:2]
    return float(statistic), float(pvalue)


def mcnemar_between(
    results: Mapping[str, Agreement], *, confidence_level: float = 0.95
) -> pd.DataFrame:
    """Exact McNemar tests of every two accuracies on the same pairs of systems, with intervals.

    Only pairs that one gets right and the other wrong matter; under the null hypothesis either is
    as likely to be the one that is right.  The p-value takes these pairs as independent; since they
    share systems, it is too small.  The interval has systems as units, and is to go by.

    Parameters
    ----------
    results : mapping of str to Agreement
        By metric or test, on the same systems.
    confidence_level : float
        Of the interval of the difference.

    Returns
    -------
    DataFrame
        ``a``, ``b``, the ``difference`` of accuracies with ``ci_low`` and ``ci_high`` as from
        :func:`compare_metrics`; ``only_a`` and ``only_b`` (pairs that only one gets right), the
        ``pvalue``, and ``size_at_05``: how often so small a p as .05 comes about between equally
        good metrics on as many systems (simulated).

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
    check_level(confidence_level, "confidence_level")
    close = same_pairs(results)
    rows = []
    for a, b in combinations(close, 2):
        difference = close[a] - close[b]
        mean, low, high, _ = over_systems(difference, confidence_level).of_interest()
        only_a, only_b = (int((difference == side).sum()) // 2 for side in (1, -1))
        size = measured_sizes(len(difference))["McNemar"]
        rows.append((a, b, mean, low, high, only_a, only_b, float(mcnemar(only_a, only_b)), size))
    columns = ["a", "b", "difference", "ci_low", "ci_high", "only_a", "only_b", "pvalue"]
    return pd.DataFrame(rows, columns=[*columns, "size_at_05"])


@functools.lru_cache(maxsize=64)
def measured_sizes(n_systems: int) -> dict[str, float]:
    """How often the published tests, at .05, call equally good metrics different.

    >>> sizes = measured_sizes(12)
    >>> list(sizes), sizes["McNemar"] > 0.08
    (['McNemar', "Cochran's Q", 'chi-square'], True)
    """
    worlds = shared_systems(LABEL_WORLDS, n_systems=n_systems, errors=(0.5, 0.5), rng=n_systems)
    pvalues = _published(_closeness(worlds, "conclusions"))
    return {test: float((p <= 0.05).mean()) for test, p in pvalues.items()}


def metric_error_rates(
    *,
    measure: str = "conclusions",
    n_systems: int = 12,
    errors: Sequence[float] = (0.5, 0.5),
    correlation: float = 0.0,
    n_segments: int | None = None,
    alphas: Sequence[float] = (0.05, 0.01),
    n_worlds: int = 1000,
    n_resamples: int = 400,
    rng: RNG = None,
) -> pd.DataFrame:
    """How often each comparison of two metrics finds a difference, and each interval the truth.

    On the worlds of :func:`mtsig_nb.simulate.shared_systems`.  With equal errors the metrics are
    equally good, so `rate` is a test's size, which should be alpha; with unequal ones its power.

    Parameters
    ----------
    measure : {"conclusions", "accuracy"}
        What metrics are compared by: conclusions with three answers, as in :func:`agreement`, where
        small differences are not concluded upon; or the order of two systems.
    n_systems, errors, correlation, n_segments
        Of the worlds.  With `n_segments`, and by order, PERM-BOTH is among the comparisons.
    alphas : sequence of float
    n_worlds, n_resamples : int
    rng : None, int or Generator

    Returns
    -------
    DataFrame
        Per procedure and alpha: ``rate``, the share of worlds in which a difference is found (for
        an interval: 0 is outside), its 95 % Clopper-Pearson limits ``low`` and ``high``, and
        ``coverage``, the share in which the interval at 1 - alpha has the true difference, or the
        true accuracy of one metric.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> rates = mt.metric_error_rates(n_worlds=200, n_resamples=100, rng=1)
    >>> of = rates["rate"].xs(0.05, level="alpha")
    >>> bool(of["McNemar"] > of["systems as units"])
    True
    """
    check_one_of("measure", measure, ("conclusions", "accuracy"))
    if len(errors) != 2:
        raise InputError(f"errors has {len(errors)} numbers; two metrics are compared, so give 2.")
    for alpha in alphas:
        check_level(alpha)
    check_n_resamples(n_resamples)
    seed = seed_from(rng)
    worlds = shared_systems(
        n_worlds,
        n_systems=n_systems,
        errors=errors,
        correlation=correlation,
        n_segments=n_segments,
        rng=seed,
    )
    close = _closeness(worlds, measure)
    pvalues = _published(close)
    if measure == "accuracy":
        pvalues = _exchanged(worlds, n_resamples, seed) | pvalues
    found = {}
    for alpha in alphas:
        for name, p in pvalues.items():
            found[name, alpha] = _row(p <= alpha, np.nan)
        intervals = _intervals(close, alpha, n_resamples, seed, equal=errors[0] == errors[1])
        for name, (inside, zero) in intervals.items():
            row = {"coverage": inside.mean()} if zero is None else _row(~zero, inside.mean())
            found[name, alpha] = row
    return pd.DataFrame(found).T.rename_axis(["procedure", "alpha"])


def _row(rejected: Bools, coverage: float) -> dict[str, float]:
    low, high = clopper_pearson(int(rejected.sum()), len(rejected))
    rate = float(rejected.mean())
    return {"rate": rate, "low": float(low), "high": float(high), "coverage": coverage}


def _closeness(worlds: SharedSystems, measure: str) -> FloatArray:
    """Which pairs each metric gets right, shape (metrics, worlds, systems, systems)."""
    silent = (PEOPLE_SILENT, METRICS_SILENT) if measure == "conclusions" else (0.0, 0.0)
    people = _concluded(worlds, worlds.people, silent[0])
    right = _concluded(worlds, worlds.metrics, silent[1]) == people
    return right * (1.0 - np.eye(right.shape[-1]))


def _concluded(worlds: SharedSystems, seen: FloatArray, silent: float) -> FloatArray:
    means = seen.mean(axis=-1) if worlds.people.ndim == 3 else seen
    apart = means[..., :, None] - means[..., None, :]
    return np.where(np.abs(apart) > silent, np.sign(apart), 0)


def _published(close: FloatArray) -> dict[str, FloatArray]:
    """p-values of the published tests of two metrics in every world."""
    first, second = pair_indices(close.shape[-1])
    right = np.moveaxis(close[:, :, first, second] > 0, 0, -1)  # (worlds, pairs, metrics)
    a, b = right[..., 0], right[..., 1]
    n = right.shape[1]
    each = right.sum(axis=1).tolist()
    return {
        "McNemar": mcnemar((a & ~b).sum(axis=1), (b & ~a).sum(axis=1)),
        "Cochran's Q": np.array([_cochran(answers) for answers in right]),
        "chi-square": np.array([_chi_square(x, n, y, n)[1] for x, y in each]),
    }


def _cochran(answers: Bools) -> float:
    if (answers == answers[:, :1]).all():
        return 1.0
    return float(contingency_tables.cochrans_q(answers.astype(int)).pvalue)


def _exchanged(worlds: SharedSystems, n_resamples: int, seed: int) -> dict[str, FloatArray]:
    """p-values of all worlds, by exchanging systems, and every segment of them if there are any."""
    segments = worlds.people.ndim == 3
    people, cells = worlds.people, worlds.metrics
    if not segments:
        people, cells = people[..., None], cells[..., None]
    given = {"exchanged systems": cells.mean(axis=-1, keepdims=True)}
    if segments:
        given["PERM-BOTH"] = cells
    found = {}
    for name, seen in given.items():
        masks = random_masks((n_resamples, *seen.shape[2:]), seed)
        counts = [
            exchanged_count([standardised(one) for one in seen[:, w]], world.mean(axis=-1), masks)
            for w, world in enumerate(people)
        ]
        found[name] = (np.array(counts) + 1) / (n_resamples + 1)
    return found


def _intervals(
    close: FloatArray, alpha: float, n_resamples: int, seed: int, *, equal: bool
) -> dict[str, tuple[Bools, Bools | None]]:
    """Per kind: in which worlds the truth is inside; and zero, for intervals of differences.

    The truth is zero between equally good metrics, else the mean over all worlds.
    """
    difference, one = close[0] - close[1], close[0]
    first, second = pair_indices(close.shape[-1])
    true_difference = 0.0 if equal else difference[:, first, second].mean()
    true_accuracy = one[:, first, second].mean()

    def inside(limits: Limits, value: float) -> Bools:
        return (limits[0] <= value + 1e-12) & (value - 1e-12 <= limits[1])

    def resampled(values: FloatArray) -> Limits:
        drawn = [resampled_accuracies(v, n_resamples, seed) for v in values]
        low, high = np.quantile(drawn, [alpha / 2, 1 - alpha / 2], axis=1)
        return low, high

    by_systems, drawn = over_systems(difference, 1 - alpha), resampled(difference)
    units = (by_systems.low, by_systems.high)
    correct = one[:, first, second].sum(axis=-1).astype(int)
    exact = clopper_pearson(correct, len(first), 1 - alpha)
    return {
        "systems as units": (inside(units, true_difference), inside(units, 0.0)),
        "resampled systems": (inside(drawn, true_difference), inside(drawn, 0.0)),
        "one accuracy: resampled systems": (inside(resampled(one), true_accuracy), None),
        "one accuracy: Clopper-Pearson": (inside(exact, true_accuracy), None),
    }
