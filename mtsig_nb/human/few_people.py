"""Few people, many scores: a mean difference from people on some segments and a judge on all.

The judge is anything that scores every segment: a metric, or a model that was asked.  People's mean
is corrected by how much higher the judge scores the other segments than those that people rated,
times a weight.  If the rated segments were drawn at random and the weight was set beforehand, the
estimate is unbiased, however wrong the judge.  If whole clusters of unequal size were drawn, means
are ratios, and there is a bias of the order of one over the number of clusters.  A weight that is
estimated from the same ratings adds a bias of the order of one over the number of rated units.
With the default weight it vanishes where people's differences scatter about a straight line in the
judge's.  Where they follow a curve, and with "ppi++" where the judge is skewed, it can be half a
standard error and more if few units were rated.  A judge who knows little gets a weight near zero.
The method is called prediction-powered inference; in survey sampling it is the regression
estimator.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from ..conclusions.deciding import check_level
from ..described import Framed
from ..engine.procedures import ALTERNATIVES, Alternative
from ..errors import InputError, check_one_of
from ..metrics.base import ArrayLike, FloatArray, Indices, Mask
from ..notes import Note, note
from ..significance.results import format_pvalue
from ..statistics.sufficient import real_numbers
from .tails import degrees_of_freedom_of_mean, margin_of_error, tail_pvalues

#: Fewer units that people rated are few, and a note says so.  With fewer units that they did not
#: rate, the judge's variance there is taken from all units.
FEW = 30
#: With fewer units on either side a note says what little the judge can be worth.
FEW_FOR_JUDGE = 10
#: The judge's weight as it is asked for: None for the one with the smallest variance.
_Weight: TypeAlias = float | Literal["ppi++"] | None


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class PredictionPowered(Framed):
    """A mean difference from people's ratings and a judge's scores.

    Attributes
    ----------
    statistic : float
        The estimate from both together of the mean difference over segments like these, in points
        of people's scale.
    standard_error : float
        The standard error over other segments like these.  As an estimate of the mean over these
        same segments, `statistic` varies less, and `interval` is too wide.
    degrees_of_freedom : float
        Of the squared standard error.
    pvalue : float
        Of Student's t, that the mean difference is zero.
    interval : tuple of float
    weight : float
        Of the judge; 0 leaves it out.
    people : tuple of float
        The estimate by people alone, and its standard error.
    judge : float
        The judge's own mean difference over all segments, on its own scale.
    correlation : float
        Of people's differences and the judge's, on the segments that both rated.
    n_people, n_all : int
        Segments that people rated, and all.
    alternative, confidence_level, notes
    """

    _plotted = ("statistic", "ci_low", "ci_high")

    statistic: float
    standard_error: float
    degrees_of_freedom: float
    pvalue: float
    interval: tuple[float, float]
    weight: float
    people: tuple[float, float]
    judge: float
    correlation: float
    n_people: int
    n_all: int
    alternative: Alternative
    confidence_level: float
    notes: tuple[Note, ...] = ()

    @property
    def n_effective(self) -> float:
        """How many segments people alone would have to rate for the same precision."""
        _, standard_error_of_people = self.people
        return self.n_people * (standard_error_of_people / self.standard_error) ** 2

    def to_frame(self) -> pd.DataFrame:
        """One tidy row, unrounded."""
        low, high = self.interval
        row = {
            "statistic": self.statistic,
            "standard_error": self.standard_error,
            "ci_low": low,
            "ci_high": high,
            "pvalue": self.pvalue,
            "n_people": self.n_people,
            "n_all": self.n_all,
        }
        return pd.DataFrame([row])

    def _lines(self) -> list[str]:
        """The estimate, what people alone say, and what the judge was worth."""
        low, high = self.interval
        estimate_of_people, error_of_people = self.people
        return [
            f"{self.statistic:+.3g}, {self.confidence_level:.0%} interval {low:.3g} to "
            f"{high:.3g}, p = {format_pvalue(self.pvalue)} ({self.alternative})",
            f"people alone, {self.n_people:,} of {self.n_all:,} segments: "
            f"{estimate_of_people:+.3g} (standard error {error_of_people:.3g}, with the judge "
            f"{self.standard_error:.3g})",
            f"the judge: correlation {self.correlation:.2f}, weight {self.weight:.2f}; worth "
            f"as much as {self.n_effective:,.0f} segments rated by people alone",
        ]


def prediction_powered(
    people: ArrayLike,
    judge: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    weight: float | Literal["ppi++"] | None = None,
    alternative: Alternative = "two-sided",
    confidence_level: float = 0.95,
) -> PredictionPowered:
    """Mean difference between two systems, from people on some segments and a judge on all.

    Parameters
    ----------
    people : array_like of shape (segments,)
        Difference of the two systems' scores by people; NaN for segments that people did not rate.
        The rated segments must have been drawn at random.
    judge : array_like of shape (segments,)
        Difference of the two systems' scores by the judge, on any scale.
    clusters : array_like of shape (segments,), optional
        The independent units, such as each segment's document; by default the segments themselves.
    weight : float or "ppi++", optional
        The weight of the judge.  By default it is the weight with the smallest variance, estimated;
        1 counts the judge's points like people's, and 0 leaves the judge out.  ``"ppi++"`` is the
        weight of ppi-python, which takes the judge's variance from all segments together and stays
        between 0 and 1.
    alternative, confidence_level
        As elsewhere.

    Returns
    -------
    PredictionPowered

    Raises
    ------
    InputError
        If lengths differ, the judge misses a segment, a segment has no cluster, people's difference
        is infinite, people rated fewer than three units or all segments, or nothing varies.

    Notes
    -----
    By default the weight is m / (n + m) times the slope of people's differences on the judge's,
    for n rated segments and m others: the weight of the smallest variance where segments are
    independent.  The slope is estimated over segments even if `clusters` are given, because a slope
    over a few clusters of unequal size would follow the largest of them.

    The squared standard error has two parts.  The first is the jackknife's variance over the units
    that people rated, each left out in turn and the weight estimated without it, so it includes the
    error of the estimated weight.  The second is the variance of the judge's mean over the other
    units.  Where these are fewer than 30, their spread is taken from all units, rated or not, by
    the components of variance between and within units (Henderson's method of moments).  With
    segments as units, a given weight and 30 others or more, this is s²/n of people's differences
    minus the weight times the judge's, plus the squared weight times s²/m of the judge's; with
    fewer others the second s² is that of all segments.  ppi-python divides sums of squares by n and
    m where we divide by n - 1 and m - 1.

    The jackknife's variance tends to be too large: if the weight is estimated from few units (with
    five, more than twice the true variance in simulations), and also if units differ much in size.

    Each part has degrees of freedom of its own: n - 1 for units of equal size, fewer for unequal
    ones (Bell & McCaffrey), and in people's part one fewer if the weight is estimated.  If the
    other part is estimated from all units, it has their degrees of freedom.  Those of t follow from
    Satterthwaite's rule.

    With fewer than ten rated units the weight is poorly known.  With m segments left to the judge
    and n rated, independent ones, the judge reduces the squared standard error by at most the share
    m / (n + m).  With fewer than ten units on either side a note says so.

    References
    ----------
    Angelopoulos, Bates, Fannjiang, Jordan & Zrnic (2023); Angelopoulos, Duchi & Zrnic (2023) on the
    weight; Cochran (1977), chapter 7, on regression estimators, and chapter 12, on those where the
    judge's mean comes from a sample, too; Henderson (1953), method 1; Bell & McCaffrey (2002)
    on degrees of freedom; Satterthwaite (1946).

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> judge = rng.normal(0.3, 1, 1000)
    >>> people = np.where(np.arange(1000) < 200, judge + rng.normal(-0.1, 0.5, 1000), np.nan)
    >>> found = prediction_powered(people, judge)
    >>> found.n_people, round(found.weight, 2), round(found.n_effective)
    (200, 0.78, 478)
    """
    check_one_of("alternative", alternative, ALTERNATIVES)
    check_level(confidence_level, "confidence_level")
    _check_weight(weight)
    y = real_numbers(pd.Series(np.asarray(people)))
    x = real_numbers(pd.Series(np.asarray(judge)))
    _check_differences(y, x)
    unit = _units(clusters, n_segments=len(y))
    is_rated = ~np.isnan(y)
    _check_rated(y, unit, is_rated)
    mean_by_people = float(y[is_rated].mean())
    correction = float(x[is_rated].mean() - x[~is_rated].mean())
    sums = _Sums.of_units(y - mean_by_people, x - x.mean(), unit)
    weight_used = float(sums.total.weight(weight))
    statistic = mean_by_people - weight_used * correction
    squared_error, freedom = _squared_error(sums, weight)
    if not squared_error:
        raise InputError(
            f"people and judge: with weight={weight_used:g} nothing varies. Give another weight."
        )
    error = math.sqrt(squared_error)
    margin = float(margin_of_error(error, freedom, confidence_level))
    squared_error_of_people, _ = _squared_error(sums, 0.0)
    return PredictionPowered(
        statistic=statistic,
        standard_error=error,
        degrees_of_freedom=freedom,
        pvalue=float(tail_pvalues(statistic / error, alternative, freedom)),
        interval=(statistic - margin, statistic + margin),
        weight=weight_used,
        people=(mean_by_people, math.sqrt(squared_error_of_people)),
        judge=float(x.mean()),
        correlation=_correlation(y[is_rated], x[is_rated]),
        n_people=int(is_rated.sum()),
        n_all=len(y),
        alternative=alternative,
        confidence_level=confidence_level,
        notes=_notes(unit, is_rated, is_judge_used=weight != 0),
    )


def _correlation(y: FloatArray, x: FloatArray) -> float:
    """Pearson's correlation; 0 where the judge does not vary."""
    if not np.ptp(x):
        return 0.0
    return float(np.corrcoef(y, x)[0, 1])


def _check_weight(weight: _Weight) -> None:
    """Raise `InputError` unless a weight is a finite number, "ppi++" or None."""
    is_number = isinstance(weight, int | float) and math.isfinite(weight)
    if weight not in (None, "ppi++") and not is_number:
        raise InputError(f"weight={weight!r} is not a number; give a number, 'ppi++' or None.")


def _check_differences(y: FloatArray, x: FloatArray) -> None:
    """Raise `InputError` if people's differences and the judge's are not of the same segments.

    People's may be missing (NaN), the judge's may not.
    """
    if len(y) != len(x):
        raise InputError(
            f"people has {len(y)} segments and judge {len(x)}; both need one difference for each "
            "segment."
        )
    is_infinite = np.isinf(y)
    if is_infinite.any():
        segment = int(np.argmax(is_infinite))
        raise InputError(f"people: segment {segment} is infinite; give NaN where nobody was asked.")
    is_missing = ~np.isfinite(x)
    if is_missing.any():
        segment = int(np.argmax(is_missing))
        raise InputError(f"judge: segment {segment} has no score, and the judge has to score all.")


def _units(clusters: ArrayLike | None, n_segments: int) -> Indices:
    """The number of each segment's unit: its cluster, or where there are none the segment."""
    if clusters is None:
        return np.arange(n_segments)
    unit, _ = pd.factorize(np.asarray(clusters))
    if len(unit) != n_segments:
        raise InputError(f"clusters: {len(unit)} for {n_segments} segments.")
    is_missing = unit < 0
    if is_missing.any():
        segment = int(np.argmax(is_missing))
        raise InputError(f"clusters: segment {segment} has no cluster; every segment needs one.")
    return unit


def _check_rated(y: FloatArray, unit: Indices, is_rated: Mask) -> None:
    """Raise `InputError` unless people rated some units, not all segments, and not all alike."""
    n_rated_units = len(np.unique(unit[is_rated]))
    if n_rated_units < 3 or is_rated.all():
        raise InputError(
            f"people rated {is_rated.sum()} of {len(y)} segments in {n_rated_units} units; a "
            "judge can help where they rated three units or more, and not all segments."
        )
    if not np.ptp(y[is_rated]):
        raise InputError("people: all differences are alike, so nothing varies.")


@dataclasses.dataclass(frozen=True)
class _Sums:
    """Sums over the segments of each unit; or for each unit, over those of all other units.

    People's and the judge's differences are given as deviations from a mean, which keeps digits.

    Attributes
    ----------
    rated, others : ndarray of shape (units,)
        How many segments people rated, and did not.
    people : ndarray of shape (units,)
        Of people's differences.
    judge_rated, judge_others : ndarray of shape (units,)
        Of the judge's differences, on the segments that people rated and on the others.
    products : ndarray of shape (units,)
        Of people's differences times the judge's.
    squares_rated, squares : ndarray of shape (units,)
        Of the judge's squared differences, on the segments that people rated and on all.
    """

    rated: FloatArray
    others: FloatArray
    people: FloatArray
    judge_rated: FloatArray
    judge_others: FloatArray
    products: FloatArray
    squares_rated: FloatArray
    squares: FloatArray

    @classmethod
    def of_units(cls, people: FloatArray, judge: FloatArray, unit: Indices) -> _Sums:
        """The sums of each unit; people's differences are NaN where nobody was asked."""
        is_rated = ~np.isnan(people)
        known = np.where(is_rated, people, 0.0)

        n_units = unit.max() + 1

        def by_unit(values: FloatArray | Mask) -> FloatArray:
            return np.bincount(unit, values, n_units).astype(np.float64)

        return cls(
            rated=by_unit(is_rated),
            others=by_unit(~is_rated),
            people=by_unit(known),
            judge_rated=by_unit(judge * is_rated),
            judge_others=by_unit(judge * ~is_rated),
            products=by_unit(judge * known),
            squares_rated=by_unit(judge**2 * is_rated),
            squares=by_unit(judge**2),
        )

    def _apply(self, function: Callable[[FloatArray], FloatArray]) -> _Sums:
        """What a function makes of each of the sums."""
        sums = [getattr(self, field.name) for field in dataclasses.fields(self)]
        return _Sums(*map(function, sums))

    @functools.cached_property
    def total(self) -> _Sums:
        """The sums over all units, as numbers."""
        return self._apply(np.sum)

    def without_each(self, chosen: Mask) -> _Sums:
        """For each of the `chosen` units, the sums over all other units."""
        return self._apply(lambda sums: sums.sum() - sums[chosen])

    @property
    def all_segments(self) -> FloatArray:
        """How many segments there are."""
        return self.rated + self.others

    @property
    def judge(self) -> FloatArray:
        """Sums of the judge's differences over all segments."""
        return self.judge_rated + self.judge_others

    def weight(self, asked_for: _Weight) -> FloatArray:
        """The judge's weight: the number that was asked for, or an estimate from these sums."""
        if isinstance(asked_for, int | float):
            return np.full_like(self.rated, asked_for)
        if asked_for == "ppi++":
            return self._weight_of_ppi()
        return self._weight_of_smallest_variance()

    def _weight_of_smallest_variance(self) -> FloatArray:
        """The slope of people's differences on the judge's, times the share of the others."""
        centred_squares = self.squares_rated - self.judge_rated**2 / self.rated
        slope = _quotient(self._centred_products(), centred_squares)
        return slope * self.others / self.all_segments

    def _weight_of_ppi(self) -> FloatArray:
        """The weight of ppi-python: the judge's variance is that on all segments."""
        n = self.all_segments
        covariance = self._centred_products() / self.rated
        variance = (self.squares - self.judge**2 / n) / (n - 1)
        weight = _quotient(covariance, variance * _quotient(n, self.others))
        return np.clip(weight, 0, 1)

    def _centred_products(self) -> FloatArray:
        """Products of people's and the judge's deviations from their means, on rated segments."""
        return self.products - self.people * self.judge_rated / self.rated

    def estimate(self, asked_for: _Weight) -> FloatArray:
        """People's mean, corrected by the judge; where no other segment is left, uncorrected."""
        mean_of_rated = self.judge_rated / self.rated
        mean_of_others = _quotient(self.judge_others, self.others)
        weight = np.where(self.others > 0, self.weight(asked_for), 0.0)
        return self.people / self.rated - weight * (mean_of_rated - mean_of_others)


def _quotient(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """The quotient, and 0 where it would divide by zero or by what rounding left of it."""
    is_positive = denominator > 0
    safe = np.where(is_positive, denominator, 1.0)
    return np.where(is_positive, numerator / safe, 0.0)


def _squared_error(sums: _Sums, asked_for: _Weight) -> tuple[float, float]:
    """The squared standard error of the estimate, and its degrees of freedom."""
    of_rated = _variance_over_rated_units(sums, asked_for)
    of_others = _Variance(0.0, 1.0)
    squared_weight = float(sums.total.weight(asked_for)) ** 2
    if squared_weight:
        of_judge = _variance_over_other_units(sums)
        of_others = _Variance(of_judge.value * squared_weight, of_judge.degrees_of_freedom)
    squared_error = of_rated.value + of_others.value
    if not squared_error:
        return 0.0, of_rated.degrees_of_freedom
    # Satterthwaite's rule.
    half_variance = (
        of_rated.value**2 / of_rated.degrees_of_freedom
        + of_others.value**2 / of_others.degrees_of_freedom
    )
    return squared_error, squared_error**2 / half_variance


class _Variance(NamedTuple):
    """An estimated variance, and its degrees of freedom; 1 where nothing is to be estimated."""

    value: float
    degrees_of_freedom: float


def _variance_over_rated_units(sums: _Sums, asked_for: _Weight) -> _Variance:
    """The jackknife's variance of the estimate over the units that people rated."""
    is_rated = sums.rated > 0
    estimate = sums.total.estimate(asked_for)
    changes = sums.without_each(is_rated).estimate(asked_for) - estimate
    freedom = degrees_of_freedom_of_mean(sums.rated[is_rated])
    is_weight_estimated = not isinstance(asked_for, int | float)
    if is_weight_estimated:
        freedom = max(freedom - 1, 1.0)
    return _Variance(_jackknife_variance(changes), freedom)


def _variance_over_other_units(sums: _Sums) -> _Variance:
    """What units without any rating add to the variance of the judge's mean over other segments."""
    is_unrated = sums.rated == 0
    n_unrated = int(is_unrated.sum())
    if not n_unrated:
        return _Variance(0.0, 1.0)
    if n_unrated < FEW:
        return _variance_by_components(sums)
    n_others = sums.others.sum()
    mean = sums.judge_others.sum() / n_others
    changes = (sums.judge_others - sums.others * mean) / (n_others - sums.others)
    freedom = degrees_of_freedom_of_mean(sums.others[is_unrated])
    return _Variance(_jackknife_variance(changes[is_unrated]), freedom)


def _jackknife_variance(changes: FloatArray) -> float:
    """The jackknife's variance, from how an estimate changes without each of the units."""
    n = len(changes)
    return (n - 1) / n * float(np.sum(changes**2))


def _variance_by_components(sums: _Sums) -> _Variance:
    """The variance of `_variance_over_other_units`, from components of variance of all units.

    Each unit's total is the sum of a deviation of the unit, which all of its segments share, and of
    one deviation for each segment.
    """
    sizes = sums.all_segments
    within, between = _components(sums)
    variances = sizes * within + sizes**2 * between
    is_unrated = sums.rated == 0
    variance = float(variances[is_unrated].sum() / sums.others.sum() ** 2)
    if not variance:
        return _Variance(0.0, 1.0)
    return _Variance(variance, _freedom_of_squares(sizes, variances))


def _components(sums: _Sums) -> tuple[float, float]:
    """Variances of the judge's differences within units and between units.

    By Henderson's method of moments: the sum of squared totals of units, as deviations from the
    mean of all segments, has an expectation that is linear in both.
    """
    sizes = sums.all_segments
    totals = sums.judge
    n_units = len(sizes)
    n_all = sizes.sum()
    within = 0.0
    if n_all > n_units:
        squares_within = float(sums.squares.sum() - np.sum(totals**2 / sizes))
        within = squares_within / (n_all - n_units)
    squared_sizes = np.sum(sizes**2)
    cubed_sizes = np.sum(sizes**3)
    per_within = n_all - squared_sizes / n_all
    per_between = squared_sizes - 2 * cubed_sizes / n_all + (squared_sizes / n_all) ** 2
    squared_totals = np.sum(totals**2)
    between = float((squared_totals - per_within * within) / per_between)
    return within, max(between, 0.0)


def _freedom_of_squares(sizes: FloatArray, variances: FloatArray) -> float:
    """Degrees of freedom of the sum of squared totals of units, as deviations from the mean.

    By Satterthwaite's rule, as if totals were normal: n - 1 for units of equal size.

    Parameters
    ----------
    sizes, variances : ndarray of shape (units,)
        The size of each unit, and the variance of its total about the true mean.
    """
    share = sizes / sizes.sum()
    # Totals have the covariance matrix diag(variances) - share half' - half share'.
    half = variances - variances.sum() / 2 * share
    share_half = np.sum(share * half)
    trace = variances.sum() - 2 * share_half
    trace_of_square = np.sum(variances**2) - 4 * np.sum(variances * share * half)
    trace_of_square += 2 * np.sum(share**2) * np.sum(half**2) + 2 * share_half**2
    return float(trace**2 / trace_of_square)


def _notes(unit: Indices, is_rated: Mask, *, is_judge_used: bool) -> tuple[Note, ...]:
    """Notes on few units that people rated, or that are left to the judge."""
    n_rated = len(np.unique(unit[is_rated]))
    n_others = len(np.unique(unit[~is_rated]))
    notes = []
    if n_rated < FEW:
        notes.append(note("few-units", n=n_rated, unit="rated units"))
    if is_judge_used and n_rated < FEW_FOR_JUDGE:
        notes.append(note("few-rated-for-a-judge", n=n_rated, least=FEW_FOR_JUDGE))
    if is_judge_used and n_others < FEW_FOR_JUDGE:
        share = float(np.mean(~is_rated))
        notes.append(note("few-left-for-a-judge", n=n_others, share=share))
    return tuple(notes)
