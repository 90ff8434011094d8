"""How often comparisons of two metrics err, and what intervals cover, on simulated systems."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import ndtr
from statsmodels.stats import contingency_tables

from mtsig_nb.engine.counting import clopper_pearson
from mtsig_nb.meta_evaluation import metric_comparisons
from mtsig_nb.meta_evaluation.against_gold import resampled_accuracies
from mtsig_nb.meta_evaluation.metric_comparisons import (
    exchanged_count,
    mcnemar,
    over_systems,
    random_masks,
    standardised,
)
from mtsig_nb.metrics.base import FloatArray
from mtsig_nb.statistics.sufficient import pair_indices

from .rows import LEVELS
from .simulated import SharedSystems, shared_systems

#: Below these differences in what they see, people and metrics conclude nothing: with the errors
#: that `shared_systems` has by default, so do they in about a quarter and an eighth of the pairs.
PEOPLE_SILENT = 0.6
METRICS_SILENT = 0.3

Bools = npt.NDArray[np.bool_]
ONE_ACCURACY = "one accuracy"
ROUNDING = 1e-12

#: The test of two proportions, as if they were of different pairs.  Most of two thousand worlds
#: have the same counts, whose p-value is computed once.
chi_square = cache(metric_comparisons.chi_square)


def metric_error_rates(
    n_worlds: int,
    rng: int,
    *,
    measure: str = "conclusions",
    n_systems: int = 12,
    correlation: float = 0.0,
    n_segments: int | None = None,
    n_resamples: int = 400,
) -> pd.DataFrame:
    """How often each comparison of two metrics finds a difference, and each interval the truth.

    Metrics are compared by ``"conclusions"`` with three answers, where small differences are not
    concluded upon; by the order of two systems, ``"accuracy"``, and then, with segments, PERM-BOTH
    is among the comparisons; or by ``"soft"`` pairwise accuracy, with the p-values of z tests over
    segments.  The metrics are equally good, so `rate` is a test's size.

    Per procedure and alpha: ``rate``, the share of worlds in which a difference is found (for an
    interval: 0 is outside), its 95 % Clopper-Pearson limits ``low`` and ``high``, and ``coverage``,
    the share in which the interval at 1 - alpha has the true difference, or the true accuracy of
    one metric.
    """
    worlds = shared_systems(
        n_worlds,
        n_systems=n_systems,
        correlation=correlation,
        n_segments=n_segments,
        rng=rng,
    )
    closeness = _soft_closeness(worlds) if measure == "soft" else _closeness(worlds, measure)
    pvalues: dict[str, FloatArray] = {}
    if measure == "accuracy":
        pvalues |= _exchanged(worlds, n_resamples, rng)
    if measure != "soft":
        pvalues |= _published(closeness)

    rows: dict[tuple[str, float], dict[str, float]] = {}
    for alpha in LEVELS:
        for name, p in pvalues.items():
            rejected = p <= alpha
            rows[name, alpha] = _row_of_rejections(rejected)
        contains_truth = _intervals(closeness, alpha, n_resamples, rng)
        for name, contains in contains_truth.items():
            rows[name, alpha] = _row_of_interval(name, contains)
    table = pd.DataFrame(rows).T
    return table.rename_axis(["procedure", "alpha"])


def _row_of_interval(name: str, contains: Bools) -> dict[str, float]:
    """The coverage of an interval, and before it its rejections if it is one of a difference.

    `contains` says of each world whether the interval has the truth there.
    """
    is_of_difference = not name.startswith(ONE_ACCURACY)
    row = _row_of_rejections(~contains) if is_of_difference else {}
    row["coverage"] = float(contains.mean())
    return row


def _row_of_rejections(rejected: Bools) -> dict[str, float]:
    """The share of worlds in which a difference is found, and its limits."""
    n_rejected = rejected.sum()
    low, high = clopper_pearson(n_rejected, len(rejected))
    rate = rejected.mean()
    return {"rate": float(rate), "low": float(low), "high": float(high)}


def _closeness(worlds: SharedSystems, measure: str) -> FloatArray:
    """How close each metric is to people: 1 for each pair that it gets right, and 0 for others.

    The shape is (metrics, worlds, systems, systems).
    """
    silent_people = 0.0
    silent_metrics = 0.0
    if measure == "conclusions":
        silent_people = PEOPLE_SILENT
        silent_metrics = METRICS_SILENT
    people = _concluded(worlds, worlds.people, silent=silent_people)
    metrics = _concluded(worlds, worlds.metrics, silent=silent_metrics)
    right = metrics == people
    n_systems = right.shape[-1]
    return right * _different_systems(n_systems)


def _soft_closeness(worlds: SharedSystems) -> FloatArray:
    """One less the distance of a metric's p-values from people's, shaped as by `_closeness`."""
    by_metrics = _one_sided(worlds.metrics)
    by_people = _one_sided(worlds.people)
    distance = np.abs(by_metrics - by_people)
    n_systems = distance.shape[-1]
    return (1 - distance) * _different_systems(n_systems)


def _different_systems(n_systems: int) -> FloatArray:
    """A square of systems: 1 for two different ones, 0 for one and itself."""
    return 1.0 - np.eye(n_systems)


def _differences(means: FloatArray) -> FloatArray:
    """Row less column: from (..., systems) to a square of systems."""
    of_row = means[..., :, None]
    of_column = means[..., None, :]
    return of_row - of_column


def _one_sided(seen: FloatArray) -> FloatArray:
    """One-sided p-values of paired z tests, from (..., systems, segments) to a square of systems.

    The row's system is the one that is tested to be better.
    """
    n_segments = seen.shape[-1]
    means = seen.mean(axis=-1)
    centred = seen - means[..., None]
    transposed = np.swapaxes(centred, -1, -2)
    products = centred @ transposed
    covariance = products / (n_segments - 1)
    own = np.diagonal(covariance, axis1=-2, axis2=-1)
    of_row = own[..., :, None]
    of_column = own[..., None, :]
    variance = of_row + of_column - 2 * covariance
    n_systems = seen.shape[-2]
    same_system = np.eye(n_systems, dtype=bool)
    variance[..., same_system] = 1.0
    error = np.sqrt(variance / n_segments)
    z = _differences(means) / error
    return np.asarray(ndtr(-z))


def _concluded(worlds: SharedSystems, seen: FloatArray, *, silent: float = 0.0) -> FloatArray:
    """Which system of each pair scores higher, as a sign; 0 for differences up to `silent`."""
    has_segments = worlds.people.ndim == 3
    means = seen.mean(axis=-1) if has_segments else seen
    difference = _differences(means)
    is_concluded = np.abs(difference) > silent
    signs = np.sign(difference)
    return signs * is_concluded


def _published(closeness: FloatArray) -> dict[str, FloatArray]:
    """p-values of the published tests of two metrics in every world."""
    first, second = pair_indices(closeness.shape[-1])
    right_by_a, right_by_b = closeness[:, :, first, second] > 0  # each (worlds, pairs)
    only_by_a = right_by_a & ~right_by_b
    only_by_b = right_by_b & ~right_by_a
    n_pairs = len(first)
    chi_squares = []
    cochrans = []
    for answers in np.stack([right_by_a, right_by_b], axis=-1):
        n_by_a, n_by_b = answers.sum(axis=0).tolist()
        _, pvalue = chi_square(n_by_a, n_pairs, n_by_b, n_pairs)
        chi_squares.append(pvalue)
        cochrans.append(_cochran(answers))
    return {
        "McNemar": mcnemar(only_by_a.sum(axis=1), only_by_b.sum(axis=1)),
        "Cochran's Q": np.array(cochrans),
        "chi-square": np.array(chi_squares),
    }


def _cochran(answers: Bools) -> float:
    """The p-value of Cochran's Q test of answers, shape (pairs, metrics)."""
    first_answers = answers[:, :1]
    if (answers == first_answers).all():
        return 1.0
    result = contingency_tables.cochrans_q(answers.astype(int))
    return float(result.pvalue)


def _exchanged(worlds: SharedSystems, n_resamples: int, seed: int) -> dict[str, FloatArray]:
    """p-values of all worlds, by exchanging systems, and every segment of them if there are any."""
    people = worlds.people
    metrics = worlds.metrics
    pvalues = {}
    has_segments = people.ndim == 3
    if has_segments:
        people = people.mean(axis=-1)
        one_score = metrics.mean(axis=-1, keepdims=True)
        pvalues["PERM-BOTH"] = _by_exchange(metrics, people, n_resamples, seed)
    else:
        one_score = metrics[..., None]
    exchanged = _by_exchange(one_score, people, n_resamples, seed)
    return {"exchanged systems": exchanged, **pvalues}


def _by_exchange(
    metrics: FloatArray, people: FloatArray, n_resamples: int, seed: int
) -> FloatArray:
    """The p-value in every world if each score of a system may come from either metric.

    `metrics` have the shape (metrics, worlds, systems, scores), `people` (worlds, systems).
    """
    shape_of_scores = metrics.shape[2:]
    masks = random_masks((n_resamples, *shape_of_scores), seed)
    counts = []
    for world, scores_by_people in enumerate(people):
        both = [standardised(metric) for metric in metrics[:, world]]
        count = exchanged_count(both, scores_by_people, masks)
        counts.append(count)
    return (np.array(counts) + 1) / (n_resamples + 1)


def _intervals(
    closeness: FloatArray, alpha: float, n_resamples: int, seed: int
) -> dict[str, Bools]:
    """In which worlds each interval has the truth: a difference of 0, or one metric's accuracy."""
    of_first, of_second = closeness
    difference = of_first - of_second
    rows, columns = pair_indices(closeness.shape[-1])
    of_pairs = of_first[:, rows, columns]
    accuracy = of_pairs.mean()
    confidence = 1 - alpha

    def resampled(squares: FloatArray) -> FloatArray:
        drawn = [resampled_accuracies(square, n_resamples, seed) for square in squares]
        tails = [alpha / 2, 1 - alpha / 2]
        return np.quantile(drawn, tails, axis=1)

    units = over_systems(difference, confidence)
    limits_of_difference = resampled(difference)
    limits_of_accuracy = resampled(of_first)
    has_truth = {
        "systems as units": _contain((units.low, units.high), 0.0),
        "resampled systems": _contain(limits_of_difference, 0.0),
        f"{ONE_ACCURACY}: resampled systems": _contain(limits_of_accuracy, accuracy),
    }
    are_right_or_wrong = np.isin(of_first, (0, 1)).all()
    if are_right_or_wrong:
        n_right = of_pairs.sum(axis=-1).astype(int)
        exact = clopper_pearson(n_right, len(rows), confidence)
        has_truth[f"{ONE_ACCURACY}: Clopper-Pearson"] = _contain(exact, accuracy)
    return has_truth


def _contain(limits: Iterable[FloatArray], value: float) -> Bools:
    """Which intervals contain a value; `limits` are their lower and their upper ends.

    Sums that are equal on paper may differ in their last digits.
    """
    low, high = limits
    begins_before = low <= value + ROUNDING
    ends_after = value - ROUNDING <= high
    return begins_before & ends_after
