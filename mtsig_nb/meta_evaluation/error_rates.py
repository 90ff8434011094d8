"""How often comparisons of metrics err on worlds in which the truth is known."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..conclusions.deciding import check_level
from ..engine.counting import Counting, clopper_pearson
from ..engine.resampling import RNG, check_n_resamples, seed_from
from ..errors import InputError, check_one_of
from ..metrics.base import FloatArray
from ..simulate.worlds import SharedSystems, shared_systems
from ..statistics.sufficient import pair_indices
from .against_gold import resampled_accuracies
from .exchange import (
    Measured,
    exchanged_pvalue,
    ordered,
    random_masks,
    sign_flips,
    softly,
    standardised,
)
from .pair_counts import chi_square, cochran, mcnemar
from .systems_as_units import over_systems

#: Below these differences in what they see, people and metrics conclude nothing: with the errors
#: that `shared_systems` has by default, so do they in about a quarter and an eighth of the pairs.
PEOPLE_SILENT, METRICS_SILENT = 0.6, 0.3

#: Worlds for the size that stands beside a published test's p.
LABEL_WORLDS = 2000

Limits = tuple[FloatArray, FloatArray]


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
    measure : {"conclusions", "accuracy", "soft"}
        What metrics are compared by: conclusions with three answers, as in :func:`agreement`, where
        small differences are not concluded upon; the order of two systems; or soft pairwise
        accuracy, for which `n_segments` is needed.
    n_systems, errors, correlation, n_segments
        Of the worlds.  With `n_segments`, and a measure other than conclusions, PERM-BOTH is among
        the comparisons.
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
    check_one_of("measure", measure, ("conclusions", "accuracy", "soft"))
    if len(errors) != 2:
        raise InputError(f"errors has {len(errors)} numbers; two metrics are compared, so give 2.")
    if measure == "soft" and n_segments is None:
        raise InputError("measure='soft' compares p-values, which need segments: give n_segments.")
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
    close = _closeness(worlds, measure, n_resamples, seed)
    equal = errors[0] == errors[1]
    pvalues = _pvalues(worlds, measure, close, n_resamples, seed)
    found = {}
    for alpha in alphas:
        for name, p in pvalues.items():
            found[name, alpha] = _row(p <= alpha, np.nan)
        for name, (inside, zero) in _intervals(close, alpha, n_resamples, seed, equal).items():
            found[name, alpha] = (
                _row(~zero, inside.mean()) if zero is not None else ({"coverage": inside.mean()})
            )
    return pd.DataFrame(found).T.rename_axis(["procedure", "alpha"])


@functools.lru_cache(maxsize=64)
def measured_sizes(n_systems: int, n_metrics: int = 2, alpha: float = 0.05) -> dict[str, float]:
    """How often the published tests call equally good metrics different on so many systems.

    >>> sizes = measured_sizes(12)
    >>> list(sizes), sizes["McNemar"] > 0.08
    (['McNemar', "Cochran's Q", 'chi-square'], True)
    """
    errors = (0.5,) * n_metrics
    worlds = shared_systems(LABEL_WORLDS, n_systems=n_systems, errors=errors, rng=n_systems)
    pvalues = _published(_right(_closeness(worlds, "conclusions", 0, 0)))
    return {test: float((p <= alpha).mean()) for test, p in pvalues.items()}


def _row(rejected: npt.NDArray[np.bool_], coverage: float) -> dict[str, float]:
    low, high = clopper_pearson(int(rejected.sum()), len(rejected))
    rate = float(rejected.mean())
    return {"rate": rate, "low": float(low), "high": float(high), "coverage": coverage}


def _closeness(worlds: SharedSystems, measure: str, n_resamples: int, seed: int) -> FloatArray:
    """How close each metric is to people, shape (metrics, worlds, systems, systems)."""
    if measure == "soft":
        measures = _measures(worlds, measure, n_resamples, seed)
        each = [[m(one[w]) for w, m in enumerate(measures)] for one in worlds.metrics]
        return np.array(each)
    silent = (PEOPLE_SILENT, METRICS_SILENT) if measure == "conclusions" else (0.0, 0.0)
    people = _concluded(_system_scores(worlds.people, worlds), silent[0])
    right = _concluded(_system_scores(worlds.metrics, worlds), silent[1]) == people
    return right * (1.0 - np.eye(right.shape[-1]))


def _system_scores(seen: FloatArray, worlds: SharedSystems) -> FloatArray:
    return seen.mean(axis=-1) if worlds.people.ndim == 3 else seen


def _concluded(seen: FloatArray, silent: float) -> FloatArray:
    apart = seen[..., :, None] - seen[..., None, :]
    return np.where(np.abs(apart) > silent, np.sign(apart), 0)


def _measures(worlds: SharedSystems, measure: str, n_resamples: int, seed: int) -> list[Measured]:
    """What turns one world's scores into closeness to its people."""
    if measure == "accuracy":
        return [ordered(people) for people in _system_scores(worlds.people, worlds)]
    signs = sign_flips(n_resamples, worlds.people.shape[-1], seed)
    rule = Counting()
    measures = []
    for cells in worlds.people:
        totals, partial = cells.sum(axis=-1), cells @ signs.T
        apart, drawn = totals[:, None] - totals, partial[:, None] - partial
        scale = np.abs(cells[:, None] - cells).sum(axis=-1)
        reached = rule.reaches(drawn, apart[..., None], scale[..., None])
        people = np.asarray(rule.pvalue(reached.sum(axis=-1), len(signs)))
        measures.append(softly(people, signs, rule))
    return measures


def _right(close: FloatArray) -> npt.NDArray[np.bool_]:
    """Which pairs are right, shape (worlds, pairs, metrics)."""
    pairs = pair_indices(close.shape[-1])
    return np.moveaxis(close[:, :, pairs[0], pairs[1]] > 0, 0, -1)


def _published(right: npt.NDArray[np.bool_]) -> dict[str, FloatArray]:
    """p-values of the published tests in every world: of two metrics the first two, of Q all."""
    n = right.shape[1]
    first, second = right[..., 0], right[..., 1]
    only = np.stack([first & ~second, second & ~first], axis=-1).sum(axis=1)
    return {
        "McNemar": _of_each(only, mcnemar),
        "Cochran's Q": np.array([cochran(answers)[1] for answers in right]),
        "chi-square": _of_each(right.sum(axis=1)[:, :2], lambda a, b: chi_square(a, n, b, n)[1]),
    }


def _of_each(counts: npt.NDArray[np.int64], pvalue: Callable[[int, int], float]) -> FloatArray:
    """Of each row of counts, most of which come more than once."""
    different, row = np.unique(counts, axis=0, return_inverse=True)
    return np.array([pvalue(int(a), int(b)) for a, b in different])[row.ravel()]


def _pvalues(
    worlds: SharedSystems, measure: str, close: FloatArray, n_resamples: int, seed: int
) -> dict[str, FloatArray]:
    found = {}
    if measure != "conclusions":
        segments = worlds.people.ndim == 3
        cells = worlds.metrics if segments else worlds.metrics[..., None]
        whole = cells.mean(axis=-1, keepdims=True) if measure == "accuracy" else cells
        measures = _measures(worlds, measure, n_resamples, seed)
        found["exchanged systems"] = _exchanges(whole, measures, 1, n_resamples, seed)
        if segments:
            per = cells.shape[-1]
            found["PERM-BOTH"] = _exchanges(cells, measures, per, n_resamples, seed)
    return found if measure == "soft" else found | _published(_right(close))


def _exchanges(
    cells: FloatArray, measures: list[Measured], per: int, n_resamples: int, seed: int
) -> FloatArray:
    """The p-values of all worlds, by exchanging systems (`per` 1) or every segment of them."""
    masks = random_masks((n_resamples, cells.shape[2], per), seed)
    rule = Counting()
    return np.array(
        [
            exchanged_pvalue([standardised(one[w]) for one in cells], m, masks, "two-sided", rule)[
                0
            ]
            for w, m in enumerate(measures)
        ]
    )


def _intervals(
    close: FloatArray, alpha: float, n_resamples: int, seed: int, equal: bool
) -> dict[str, tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_] | None]]:
    """Per kind: in which worlds the truth is inside; and zero, for intervals of differences.

    The truth is zero between equally good metrics, else the mean over all worlds.
    """
    difference, one = close[0] - close[1], close[0]
    n_systems = close.shape[-1]
    counted = ~np.eye(n_systems, dtype=bool)
    n_pairs = n_systems * (n_systems - 1) // 2

    def inside(limits: Limits, value: float) -> npt.NDArray[np.bool_]:
        return (limits[0] <= value + 1e-12) & (value - 1e-12 <= limits[1])

    def resampled(values: FloatArray) -> Limits:
        drawn = [resampled_accuracies(v, counted, n_resamples, seed) for v in values]
        low, high = np.quantile(drawn, [alpha / 2, 1 - alpha / 2], axis=1)
        return low, high

    def units(values: FloatArray) -> Limits:
        found = over_systems(values, counted.astype(np.float64), 1 - alpha)
        return found.low, found.high

    means = [values.sum(axis=(-1, -2)).mean() / 2 / n_pairs for values in (difference, one)]
    means[0] *= not equal
    found: dict[str, tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_] | None]] = {}
    for name, make in (("systems as units", units), ("resampled systems", resampled)):
        limits = make(difference)
        found[name] = inside(limits, means[0]), inside(limits, 0.0)
    found["one accuracy: resampled systems"] = inside(resampled(one), means[1]), None
    if np.isin(close, (0, 1)).all():
        correct = one.sum(axis=(-1, -2)).astype(int) // 2
        exact = clopper_pearson(correct, n_pairs, 1 - alpha)
        found["one accuracy: Clopper-Pearson"] = inside(exact, means[1]), None
    return found
