"""Confidence intervals for a system's score and for the difference between two.

For coverages measured on many kinds of data, see ``docs/trust/best-to-worst.md``.

A percentile or basic interval holds for its own pair: among the 66 intervals of twelve systems
some usually miss.  *Simultaneous* intervals (`simultaneous_limits`) contain all differences of a
family at once, in as many families as the level says.

Simultaneous intervals agree with the first step of ``"romano-wolf"``: with the same resamples, an
interval excludes zero exactly where that step distinguishes the pair, two-sided, at 1 - level.
Other conclusions may differ from them:

* stepwise corrections (``"holm"``, ``"hochberg"``, ``"hommel"``, ``"westfall-young"``,
  ``"romano-wolf"`` after its first step) ask less of a pair once others are told apart, or until
  they are; intervals have no steps, so these corrections may distinguish a pair whose interval
  contains zero;
* ``"benjamini-hochberg"`` and ``"benjamini-yekutieli"`` bound the share of false claims, not the
  chance of any, and may do so as well;
* corrections of p-values alone do not know how pairs depend on one another, as resamples do, and
  may leave a pair undecided whose interval excludes zero;
* shuffles, from which approximate randomization takes its p-values, show how much a difference
  varies if outputs are exchangeable; bootstrap resamples show how much this difference varies.  For
  means of equal weights the two differ by a little; for BLEU, and systems of unequal length,
  shuffles may vary half as much.

The `caveats` of a comparison say where this happens.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np
from scipy.special import ndtri

from ..conclusions.deciding import check_level
from ..described import Framed
from ..engine.counting import TIE_TOLERANCE, tie_scale
from ..engine.influence import Studentizer
from ..engine.resampling import RNG, Resampling, map_blocks, seed_from
from ..engine.tallies import PAIR
from ..errors import InputError, check_one_of
from ..metrics.base import ArrayLike, FloatArray
from ..notes import Note, note
from ..statistics.sufficient import SufficientStatistics, pairs_in
from ..tables.rows import Rows
from .results import Provenance, notes_on_degenerate, unit_fields

if TYPE_CHECKING:
    import pandas as pd

Method = Literal["percentile", "basic", "bootstrap-t"]

#: Resampled differences (pairs times resamples) that are sorted together: 32 MB.
RESAMPLED_AT_ONCE = 2**22


@dataclasses.dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ConfidenceInterval(Provenance, Framed):
    """An interval, and how it was made.

    Attributes
    ----------
    low, high : float
        Limits in the metric's units.
    estimate : float
        The score, or how much better `system_a` is than `system_b`.
    standard_error : float
        Standard deviation of the bootstrap distribution (``"bootstrap-t"``: the jackknife's).
    distribution : ndarray of shape (n_resamples,)
        The bootstrap distribution.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> i = mt.confidence_interval(bleu, "onlineC", "onlineD", n_resamples=2000, rng=1)
    >>> print(i)
    onlineC against onlineD, BLEU: -0.04, 95% interval -0.37 to +0.31
    percentile, 2,000 bootstrap resamples, rng=1, 3,003 segments
    >>> i.to_frame()[["estimate", "low", "high"]].round(2)
       estimate   low  high
    0     -0.04 -0.37  0.31
    """

    _plotted = ("estimate", "low", "high")

    low: float
    high: float
    estimate: float
    standard_error: float
    confidence_level: float
    method: str
    system_a: str
    system_b: str | None
    metric: str
    metric_signature: str
    distribution: FloatArray

    def _lines(self) -> list[str]:
        """The interval, and how it was made."""
        if self.system_b is None:
            subject = self.system_a
            sign = ""
        else:
            subject = f"{self.system_a} against {self.system_b}"
            sign = "+"
        return [
            f"{subject}, {self.metric}: {self.estimate:{sign}.2f}, {self.confidence_level:.0%} "
            f"interval {self.low:{sign}.2f} to {self.high:{sign}.2f}",
            f"{self.method}, {self.n_resamples:,} bootstrap resamples, rng={self.rng}, "
            f"{self.n_units:,} {self.unit}",
        ]


def confidence_interval(
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str | None = None,
    *,
    method: Method = "percentile",
    confidence_level: float = 0.95,
    n_resamples: int = 10_000,
    rng: RNG = None,
    units: str | ArrayLike = "segments",
) -> ConfidenceInterval:
    """An interval for a system's score or, with two systems, for their difference.

    Two systems' separate intervals may overlap although they differ significantly, since they are
    measured on the same segments; look at the interval of the difference instead.

    Parameters
    ----------
    statistics : SufficientStatistics
    system_a : str
    system_b : str, optional
        If given, the interval is for how much better `system_a` is.
    method : {"percentile", "basic", "bootstrap-t"}
        ``"percentile"``: quantiles of the bootstrap distribution (Koehn 2004, section 3); too
        narrow on small samples.  ``"basic"``: those quantiles reflected about the estimate.
        ``"bootstrap-t"``: the estimate plus and minus a number of standard errors; that number is a
        quantile of the resamples' distances from the estimate, each in its own standard error; see
        Notes.
    confidence_level : float
    n_resamples : int
    rng : None, int or Generator
    units : {"segments", "documents"} or array_like of shape (segments,)

    Returns
    -------
    ConfidenceInterval

    Raises
    ------
    InputError
        For an unknown system, method or unit.

    Notes
    -----
    Bootstrap-t is Student's t with a table made from the data instead of Student's, and works for
    every metric.  Its standard errors are those of :func:`studentized_bootstrap`, and that test
    agrees with this interval of the difference.  The interval is the symmetric one (Hall 1988): the
    same table for both sides, of the distances without their signs.  The equal-tailed one has a
    table for each side.

    References
    ----------
    Koehn 2004, section 3; Efron & Tibshirani 1993, chapters 12 to 14; Hall 1988; Hesterberg 2015.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> i = mt.confidence_interval(bleu, "onlineB", n_resamples=2000, rng=1)
    >>> i.low < i.estimate < i.high
    True
    """
    check_level(confidence_level, "confidence_level")
    check_one_of("method", method, get_args(Method))
    names = [system_a] if system_b is None else [system_a, system_b]
    if system_a == system_b:
        raise InputError(f"system_a and system_b are both {system_a!r}; name two systems, or one.")
    chosen = statistics.select(names).by_unit(units)

    seed = seed_from(rng)
    scores = chosen.metric.score(chosen.totals())
    estimate = float(_score_or_difference(chosen, scores))
    resampled = bootstrap_scores(chosen, n_resamples, seed=seed)
    distribution = _score_or_difference(chosen, resampled)
    if method == "bootstrap-t":
        bounds = _bootstrap_t(chosen, distribution, confidence_level, seed)
    else:
        bounds = _by_quantiles(distribution, estimate, confidence_level, method)
    notes = bounds.notes
    if np.ptp(distribution) == 0:
        notes = (note("no-width"),)
    return ConfidenceInterval(
        low=bounds.low,
        high=bounds.high,
        estimate=estimate,
        standard_error=bounds.standard_error,
        confidence_level=confidence_level,
        method=method,
        system_a=system_a,
        system_b=system_b,
        metric=statistics.label,
        metric_signature=statistics.signature,
        n_resamples=len(distribution),
        rng=seed,
        **unit_fields(chosen),
        distribution=distribution,
        notes=notes,
    )


def _score_or_difference(chosen: SufficientStatistics, scores: FloatArray) -> FloatArray:
    """The scores of a single system, or how much better the first of two is."""
    if len(scores) == 1:
        return scores[0]
    return chosen.metric.direction * (scores[0] - scores[1])


def bootstrap_scores(
    statistics: SufficientStatistics,
    n_resamples: int,
    *,
    seed: int,
    executor: Executor | None = None,
) -> FloatArray:
    """Every system's score on each bootstrap resample, shape (systems, n_resamples)."""
    plan = Resampling.of("bootstrap", [statistics], n_resamples=n_resamples, seed=seed)
    blocks = map_blocks(plan, Resampling.scores, executor, description="bootstrap")
    return np.concatenate([block[0] for block in blocks], axis=1)


def limits(
    distribution: FloatArray, estimate: ArrayLike, confidence_level: float, method: str
) -> tuple[FloatArray, FloatArray]:
    """Limits from bootstrap distributions along the last axis.

    Parameters
    ----------
    distribution : ndarray, shape (..., n_resamples)
    estimate : array_like, shape (...)
    confidence_level : float
    method : {"percentile", "basic"}
    """
    tail = (1 - confidence_level) / 2
    low, high = np.quantile(distribution, [tail, 1 - tail], axis=-1)
    if method == "basic":
        return 2 * np.asarray(estimate) - high, 2 * np.asarray(estimate) - low
    return low, high


def wilson_limits(count: ArrayLike, n: int, level: float) -> tuple[FloatArray, FloatArray]:
    """Wilson's (1927) limits of a proportion, `count` of `n`, each of the shape of `count`.

    statsmodels has the same, to the last digit, but to import it takes half as long as a whole
    comparison.

    Examples
    --------
    >>> low, high = wilson_limits([6, 12], 12, 0.95)
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([0.25, 0.76], [0.75, 1.0])
    """
    proportion = np.asarray(count) / n
    critical = -ndtri((1 - level) / 2)
    squared = critical**2
    denominator = 1 + squared / n
    centre = (proportion + squared / (2 * n)) / denominator
    reach = critical * np.sqrt(proportion * (1.0 - proportion) / n + squared / (4.0 * n**2))
    reach /= denominator
    return np.clip(centre - reach, 0, 1), np.clip(centre + reach, 0, 1)


class _Interval(NamedTuple):
    """Both limits, the standard error, and what to know of them."""

    low: float
    high: float
    standard_error: float
    notes: tuple[Note, ...] = ()


def _by_quantiles(
    distribution: FloatArray, estimate: float, confidence_level: float, method: str
) -> _Interval:
    """The percentile or basic interval from a bootstrap distribution."""
    low, high = limits(distribution, estimate, confidence_level, method)
    error = float(distribution.std(ddof=1)) if len(distribution) > 1 else math.nan
    return _Interval(float(low), float(high), error)


class Studentized(NamedTuple):
    """How far bootstrap resamples are from the estimate, each in its own standard error.

    Attributes
    ----------
    studentizer : Studentizer
        What has the estimate and its standard error.
    t : ndarray, shape (n_resamples,)
        Above zero where the resample is larger than the estimate.
    """

    studentizer: Studentizer
    t: FloatArray

    @classmethod
    def of(cls, chosen: SufficientStatistics, distribution: FloatArray, seed: int) -> Studentized:
        """Those of one system's score, or of the difference of two.

        `distribution` has the score or difference of each resample that `seed` draws.
        """
        n_resamples = len(distribution)
        first, second = PAIR
        studentizer = Studentizer.of(chosen, first, second if len(chosen.systems) == 2 else None)
        plan = Resampling(
            kind="bootstrap",
            statistics=(),
            pairs=(),
            n_resamples=n_resamples,
            n_units=chosen.n_segments,
            seed=seed,
            strata=chosen.strata,
            studentizers=(studentizer,),
        )
        blocks = map_blocks(plan, Resampling.errors, description="standard errors")
        errors = np.concatenate([block[0] for block in blocks], axis=1)
        return cls(studentizer, studentizer.t(distribution, errors)[0])

    @property
    def estimate(self) -> float:
        """The score or difference on the test set."""
        return float(self.studentizer.observed.item())

    @property
    def error(self) -> float:
        """Its standard error, 0 where nothing varies."""
        return float(self.studentizer.error.item())


def _bootstrap_t(
    chosen: SufficientStatistics, distribution: FloatArray, confidence_level: float, seed: int
) -> _Interval:
    """The bootstrap-t interval of a system's score, or of the difference of two systems.

    `distribution` has the score or difference of each resample that `seed` draws.
    """
    n_resamples = len(distribution)
    studentized = Studentized.of(chosen, distribution, seed)
    t = np.abs(studentized.t)
    estimate = studentized.estimate
    error = studentized.error
    reach = value_at_limit(t, confidence_level) * error if error > 0 else 0.0
    n_degenerate = int(np.isinf(t).sum())
    notes = notes_on_degenerate(n_degenerate, n_resamples, chosen.unit)
    return _Interval(estimate - reach, estimate + reach, error, notes)


def rank_of_limit(level: float, n_resamples: int) -> int:
    """The rank of the resample, counted from 1, up to which an interval at `level` reaches.

    As tests count, (c + 1) / (R + 1): they reject what is farther from the null hypothesis than so
    many resamples.  It may be one more than there are resamples.
    """
    return math.ceil(level * (n_resamples + 1) - 1e-9)


def value_at_limit(t: FloatArray, level: float) -> float:
    """The value of the resample that `rank_of_limit` names, or else the largest."""
    rank = min(rank_of_limit(level, len(t)), len(t))
    return float(np.sort(t)[rank - 1])


@dataclasses.dataclass(frozen=True, eq=False)
class Bounds:
    """Scores of systems on resampled test sets, from which every interval is made.

    Attributes
    ----------
    statistics : SufficientStatistics
        Those of one metric.
    resampled : ndarray, shape (systems, resamples)
        The score of each system on each resample.
    """

    statistics: SufficientStatistics
    resampled: FloatArray

    @classmethod
    def of(
        cls,
        statistics: SufficientStatistics,
        *,
        n_resamples: int = 2000,
        seed: int,
        executor: Executor | None = None,
    ) -> Bounds:
        """Scores of all systems from `n_resamples` draws of the statistics' units.

        Resample r of a seed is the same draw under every metric.
        """
        resampled = bootstrap_scores(statistics, n_resamples, seed=seed, executor=executor)
        return cls(statistics, resampled)

    @functools.cached_property
    def scores(self) -> FloatArray:
        """The systems' own scores, shape (systems,)."""
        return self.statistics.metric.score(self.statistics.totals())

    def of_scores(self, level: float, method: str) -> FloatArray:
        """Limits of each system's score, shape (systems, 2).

        They are percentile intervals unless `method` is ``"basic"``.  For binary scores they are
        Wilson's intervals, which do not shrink to a point where all scores are 1.
        """
        low, high = limits(self.resampled, self.scores, level, method)
        if self.statistics.is_binary:
            n = self.statistics.n_segments
            low, high = wilson_limits(np.rint(self.scores * n), n, level)
        return np.column_stack([low, high])

    def of_differences(self, pairs: Rows | pd.DataFrame, level: float, method: str) -> FloatArray:
        """Limits of how much better each row's system_a is than its system_b, shape (pairs, 2)."""
        # Some pairs at a time: of 200 systems all differences would take gigabytes.
        step = max(1, RESAMPLED_AT_ONCE // self.resampled.shape[1])
        limits_of_parts = [np.empty((0, 2))]
        for start in range(0, len(pairs), step):
            observed, resampled, _ = self.differences(pairs[start : start + step])
            limits_of_parts.append(np.column_stack(limits(resampled, observed, level, method)))
        return np.concatenate(limits_of_parts)

    def differences(self, pairs: Rows | pd.DataFrame) -> tuple[FloatArray, FloatArray, FloatArray]:
        """How much better each row's system_a is than its system_b.

        Returns
        -------
        observed : ndarray, shape (pairs,)
        resampled : ndarray, shape (pairs, resamples)
        rounding : ndarray, shape (pairs,)
            How large a difference rounding alone can make.
        """
        metric = self.statistics.metric
        scores = self.scores
        a, b = pairs_in(pairs, self.statistics.systems)
        observed = metric.direction * (scores[a] - scores[b])
        resampled = metric.direction * (self.resampled[a] - self.resampled[b])
        rounding = TIE_TOLERANCE * tie_scale(metric, scores[a], scores[b])
        return observed, resampled, rounding


def simultaneous_limits(
    bounds: Sequence[Bounds], pairs: Sequence[Rows | pd.DataFrame], level: float
) -> list[FloatArray]:
    """Limits that hold for all differences of a family together, shape (pairs, 2) by metric.

    They are ``d ± c·s``: `s` is the spread of the difference's resamples about it, and `c` is
    reached by the largest ``|d* - d| / s``, over all pairs and metrics, in a share 1 - `level` of
    resamples.  The observation is counted as one of them, as for p-values.  A difference that does
    not vary has no width and no say.

    Parameters
    ----------
    bounds : sequence of Bounds
        One for each metric, from the same draws.
    pairs : sequence of structured ndarray or DataFrame
        One for each metric: rows with ``system_a`` and ``system_b``.
    level : float

    Raises
    ------
    InputError
        With too few resamples for the level.

    References
    ----------
    Hothorn, Bretz & Westfall 2008 (max-t intervals); Romano & Wolf 2005 (from the bootstrap).
    """
    families = []
    for bounds_of_metric, pairs_of_metric in zip(bounds, pairs, strict=True):
        families.append(Differences(*bounds_of_metric.differences(pairs_of_metric)))
    return limits_together(families, level)


def check_enough(n_resamples: int, level: float, argument: str) -> None:
    """Raise `InputError` if so few resamples have no limit of that level."""
    if rank_of_limit(level, n_resamples) > n_resamples:
        needed = math.ceil(level / (1 - level) - 1e-9)
        raise InputError(f"{argument}={n_resamples}: at {level:g}, give {needed:,} or more.")


class Differences(NamedTuple):
    """Differences of some pairs under one metric, and the same on resampled test sets.

    Attributes
    ----------
    observed : ndarray, shape (pairs,)
    resampled : ndarray, shape (pairs, resamples)
    rounding : ndarray, shape (pairs,)
        How large a difference rounding alone can make.
    """

    observed: FloatArray
    resampled: FloatArray
    rounding: FloatArray


def limits_together(families: Sequence[Differences], level: float) -> list[FloatArray]:
    """As `simultaneous_limits`, of differences that are there already, from the same draws."""
    n_resamples = families[0].resampled.shape[1]
    check_enough(n_resamples, level, "interval_resamples")
    rank = rank_of_limit(level, n_resamples)
    largest = np.zeros(n_resamples)  # |t| over all pairs and metrics, in each resample
    spreads = []
    for family in families:
        deviations = family.resampled - family.observed[:, None]
        spread = np.sqrt((deviations**2).mean(axis=1))
        varies = spread > family.rounding
        spread[~varies] = 0.0
        t = np.abs(deviations[varies]) / spread[varies, None]
        largest = np.maximum(largest, t.max(axis=0, initial=0.0))
        spreads.append(spread)
    c = np.partition(largest, rank - 1)[rank - 1]
    limits_of_families = []
    for family, s in zip(families, spreads, strict=True):
        d = family.observed
        limits_of_families.append(np.column_stack([d - c * s, d + c * s]))
    return limits_of_families


def family_limits(
    bounds: Mapping[str, Bounds], table: Rows, level: float, method: str
) -> FloatArray:
    """Limits of the differences in a table of all pairs, shape (rows, 2).

    Rows of the table go by metric, in the order of `bounds`, which has those of each metric.
    """
    pairs = [table[table["metric"] == metric] for metric in bounds]
    if method == "simultaneous":
        return np.concatenate(simultaneous_limits(list(bounds.values()), pairs, level))
    limits_of_metrics = []
    for bounds_of_metric, pairs_of_metric in zip(bounds.values(), pairs, strict=True):
        limits_of_metrics.append(bounds_of_metric.of_differences(pairs_of_metric, level, method))
    return np.concatenate(limits_of_metrics)
