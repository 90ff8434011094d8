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
import math
from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np
import pandas as pd
from scipy import special

from ..conclusions.deciding import check_level
from ..described import Framed
from ..engine.procedures import ALTERNATIVES, Alternative
from ..errors import InputError, check_one_of
from ..metrics.base import ArrayLike, FloatArray, Indices, Mask
from ..notes import Note, note
from ..significance.results import format_pvalue
from ..statistics.sufficient import real_numbers
from .tails import degrees_of_freedom_of_mean, tail_pvalues

#: With fewer units that people rated a note says so; with fewer that they did not rate, the judge's
#: variance there is taken from all units.
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
        The estimate by both together of the mean difference over segments like these, in the
        points of people's scale.
    standard_error : float
        Over other segments like these.  As an estimate of the mean over these same segments
        `statistic` varies less, and `interval` is too wide.
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
        """How many segments people alone would have to rate to know as much."""
        return self.n_people * (self.people[1] / self.standard_error) ** 2

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
        return [
            f"{self.statistic:+.3g}, {self.confidence_level:.0%} interval {low:.3g} to "
            f"{high:.3g}, p = {format_pvalue(self.pvalue)} ({self.alternative})",
            f"people alone, {self.n_people:,} of {self.n_all:,} segments: "
            f"{self.people[0]:+.3g} (standard error {self.people[1]:.3g}, with the judge "
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
        Difference of the two systems' scores by people; NaN where nobody was asked.  Those asked
        about must have been drawn at random.
    judge : array_like of shape (segments,)
        Difference of the two systems' scores by the judge, on any scale.
    clusters : array_like of shape (segments,), optional
        What is independent, such as each segment's document; by default segments are.
    weight : float or "ppi++", optional
        Of the judge.  By default the one with the smallest variance, estimated; 1 takes the judge's
        points as people's, 0 leaves the judge out.  ``"ppi++"`` is the weight of ppi-python, which
        takes the judge's variance from all segments together and stays between 0 and 1.
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
    independent.  The slope is taken over segments also where `clusters` are given, because a slope
    over a few clusters of unequal size would follow the largest of them.

    The squared standard error has two parts.  The first is the jackknife's variance over the units
    that people rated, each left out in turn and the weight estimated without it, so that it counts
    what the estimated weight adds.  The second is the variance of the judge's mean over the other
    units.  Where these are fewer than 30, their spread is taken from all units, rated or not, by
    the components of variance between and within units (Henderson's method of moments).  With
    segments as units, a given weight and 30 others or more, this is s²/n of people's differences
    minus the weight times the judge's, plus the squared weight times s²/m of the judge's; with
    fewer others the second s² is that of all segments.  ppi-python divides sums of squares by n and
    m where we divide by n - 1 and m - 1.

    The jackknife errs on the large side: where the weight is estimated from few units, its variance
    is too large (with five, more than twice the true one in simulations), and so it is where units
    differ much in size.

    Each part has degrees of freedom of its own: n - 1 for units of equal size, fewer for unequal
    ones (Bell & McCaffrey), and in people's part one fewer where a weight is estimated.  Where the
    other part is found from all units, its degrees of freedom are theirs.  Those of t follow by
    Satterthwaite's rule.

    With fewer than ten rated units the weight is poorly known.  With m segments left to the judge
    and n rated, independent ones, the judge takes away at most the share m / (n + m) of the squared
    standard error.  With fewer than ten units on either side a note says so.

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
    is_number = isinstance(weight, int | float) and math.isfinite(weight)
    if weight not in (None, "ppi++") and not is_number:
        raise InputError(f"weight={weight!r} is no number; give a number, 'ppi++' or None.")
    y, x, unit = _checked(people, judge, clusters)
    is_rated = ~np.isnan(y)
    n_rated = int(is_rated.sum())
    n_rated_units = len(np.unique(unit[is_rated]))
    if n_rated_units < 3 or is_rated.all():
        raise InputError(
            f"people rated {n_rated} of {len(y)} segments in {n_rated_units} units; a "
            "judge can help where they rated three units or more, and not all segments."
        )
    if not np.ptp(y[is_rated]):
        raise InputError("people: all differences are alike, so that nothing varies.")
    mean_by_people = float(y[is_rated].mean())
    correction = float(x[is_rated].mean() - x[~is_rated].mean())
    sums = _Sums.of_units(y - mean_by_people, x - x.mean(), unit)
    weight_used = float(sums.total().weight(weight))
    statistic = mean_by_people - weight_used * correction
    squared_error, freedom = _squared_error(sums, weight)
    if not squared_error:
        raise InputError(
            f"people and judge: with weight={weight_used:g} nothing varies. Give another weight."
        )
    error = math.sqrt(squared_error)
    reach = error * float(special.stdtrit(freedom, (1 + confidence_level) / 2))
    squared_error_of_people, _ = _squared_error(sums, 0.0)
    return PredictionPowered(
        statistic=statistic,
        standard_error=error,
        degrees_of_freedom=freedom,
        pvalue=float(tail_pvalues(statistic / error, alternative, freedom)),
        interval=(statistic - reach, statistic + reach),
        weight=weight_used,
        people=(mean_by_people, math.sqrt(squared_error_of_people)),
        judge=float(x.mean()),
        correlation=_correlation(y[is_rated], x[is_rated]),
        n_people=n_rated,
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


def _checked(
    people: ArrayLike, judge: ArrayLike, clusters: ArrayLike | None
) -> tuple[FloatArray, FloatArray, Indices]:
    """Differences by people and by the judge, and the number of each segment's unit."""
    y = real_numbers(pd.Series(np.asarray(people)))
    x = real_numbers(pd.Series(np.asarray(judge)))
    if len(y) != len(x):
        raise InputError(
            f"people has {len(y)} segments and judge {len(x)}; both have one difference a segment."
        )
    if np.isinf(y).any():
        where = int(np.argmax(np.isinf(y)))
        raise InputError(f"people: segment {where} is infinite; give NaN where nobody was asked.")
    if not np.isfinite(x).all():
        where = int(np.argmin(np.isfinite(x)))
        raise InputError(f"judge: segment {where} has no score, and the judge has to score all.")
    if clusters is None:
        return y, x, np.arange(len(y))
    unit = pd.factorize(np.asarray(clusters))[0]
    if len(unit) != len(y):
        raise InputError(f"clusters: {len(unit)} for {len(y)} segments.")
    if (unit < 0).any():
        where = int(np.argmax(unit < 0))
        raise InputError(f"clusters: segment {where} has none; every segment needs one.")
    return y, x, unit


@dataclasses.dataclass(frozen=True)
class _Sums:
    """Sums over the segments of each unit, or of all units but one.

    People's and the judge's differences are given as deviations from a mean, which keeps digits.

    Attributes
    ----------
    rated, others : ndarray
        How many segments people rated, and did not.
    people : ndarray
        Of people's differences.
    judge_rated, judge_others : ndarray
        Of the judge's differences, on either side.
    products, squares_rated, squares : ndarray
        Of people's differences times the judge's, and of the judge's squared differences on rated
        segments and on all.
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

        def over(values: FloatArray | Mask) -> FloatArray:
            return np.bincount(unit, values, unit.max() + 1).astype(np.float64)

        return cls(
            rated=over(is_rated),
            others=over(~is_rated),
            people=over(known),
            judge_rated=over(judge * is_rated),
            judge_others=over(judge * ~is_rated),
            products=over(judge * known),
            squares_rated=over(judge**2 * is_rated),
            squares=over(judge**2),
        )

    def _map(self, function: Callable[[FloatArray], FloatArray]) -> _Sums:
        """What a function makes of each of the sums."""
        return _Sums(*(function(getattr(self, field.name)) for field in dataclasses.fields(self)))

    def total(self) -> _Sums:
        """Over all units."""
        return self._map(np.sum)

    def without_each(self, chosen: Mask) -> _Sums:
        """Over all units but one, for each of the `chosen` ones."""
        return self._map(lambda sums: sums.sum() - sums[chosen])

    @property
    def all_segments(self) -> FloatArray:
        """How many segments there are."""
        return self.rated + self.others

    @property
    def judge(self) -> FloatArray:
        """Sums of the judge's differences over all segments."""
        return self.judge_rated + self.judge_others

    def weight(self, asked_for: _Weight) -> FloatArray:
        """The judge's weight: the given one, or as estimated from these sums."""
        if isinstance(asked_for, int | float):
            return np.full_like(self.rated, asked_for)
        if asked_for == "ppi++":
            return self._weight_of_ppi()
        return self._weight_of_smallest_variance()

    def _weight_of_smallest_variance(self) -> FloatArray:
        """The slope of people's differences on the judge's, times the share of the others."""
        squares = self.squares_rated - self.judge_rated**2 / self.rated
        slope = _quotient(self._centred_products(), squares)
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
        correction = self.judge_rated / self.rated - _quotient(self.judge_others, self.others)
        weight = np.where(self.others > 0, self.weight(asked_for), 0.0)
        return self.people / self.rated - weight * correction


def _quotient(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """The quotient, and 0 where it would divide by zero or by what rounding left of it."""
    is_positive = denominator > 0
    safe = np.where(is_positive, denominator, 1.0)
    return np.where(is_positive, numerator / safe, 0.0)


def _squared_error(sums: _Sums, asked_for: _Weight) -> tuple[float, float]:
    """The squared standard error of the estimate, and its degrees of freedom."""
    is_rated = sums.rated > 0
    n_rated = int(is_rated.sum())
    total = sums.total()
    changes = sums.without_each(is_rated).estimate(asked_for) - total.estimate(asked_for)
    by_rated = (n_rated - 1) / n_rated * float(np.sum(changes**2))
    freedom_rated = degrees_of_freedom_of_mean(sums.rated[is_rated])
    is_weight_estimated = not isinstance(asked_for, int | float)
    if is_weight_estimated:
        freedom_rated = max(freedom_rated - 1, 1.0)
    variance_of_others, freedom_others = _variance_of_others(sums)
    by_others = variance_of_others * float(total.weight(asked_for)) ** 2
    squared_error = by_rated + by_others
    if not squared_error:
        return 0.0, freedom_rated
    # Satterthwaite's rule.
    spread = by_rated**2 / freedom_rated + by_others**2 / freedom_others
    return squared_error, squared_error**2 / spread


def _variance_of_others(sums: _Sums) -> tuple[float, float]:
    """What units without any rating add to the variance of the judge's mean over others.

    With its degrees of freedom.
    """
    is_unrated = sums.rated == 0
    n_unrated = int(is_unrated.sum())
    if not n_unrated:
        return 0.0, 1.0
    if n_unrated < FEW:
        return _variance_by_components(sums)
    n_others = sums.others.sum()
    mean = sums.judge_others.sum() / n_others
    changes = (sums.judge_others - sums.others * mean) / (n_others - sums.others)
    variance = (n_unrated - 1) / n_unrated * float(np.sum(changes[is_unrated] ** 2))
    return variance, degrees_of_freedom_of_mean(sums.others[is_unrated])


def _variance_by_components(sums: _Sums) -> tuple[float, float]:
    """The variance of `_variance_of_others`, from components of variance of all units.

    Each unit's total is the sum of a deviation of the unit, which all of its segments share, and of
    one deviation for each segment.
    """
    sizes = sums.all_segments
    within, between = _components(sums)
    variances = sizes * within + sizes**2 * between
    is_unrated = sums.rated == 0
    variance = float(variances[is_unrated].sum() / sums.others.sum() ** 2)
    if not variance:
        return 0.0, 1.0
    return variance, _freedom_of_squares(sizes, variances)


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
    per_within = n_all - squared_sizes / n_all
    per_between = squared_sizes - 2 * np.sum(sizes**3) / n_all + (squared_sizes / n_all) ** 2
    between = float((np.sum(totals**2) - per_within * within) / per_between)
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
    trace = variances.sum() - 2 * np.sum(share * half)
    squares = np.sum(variances**2) - 4 * np.sum(variances * share * half)
    squares += 2 * np.sum(share**2) * np.sum(half**2) + 2 * np.sum(share * half) ** 2
    return float(trace**2 / squares)


def _notes(unit: Indices, is_rated: Mask, *, is_judge_used: bool) -> tuple[Note, ...]:
    """On few units of either side."""
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
