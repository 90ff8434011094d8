"""Few people, many scores: a mean difference from people on some segments and a judge on all.

The judge is anything that scores every segment: a metric, or a model that was asked.  People's mean
is corrected by how much higher the judge scores the other segments than those that people rated,
times a weight.  If these were drawn at random and the weight was set beforehand, the expectation of
the estimate is the true difference, however wrong the judge.  A weight that is estimated from the
same ratings adds a bias, which is small beside the standard error where more than a few units were
rated.  A judge who knows little gets a weight near zero.  The method is called prediction-powered
inference; in survey sampling it is the regression estimator.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Literal

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
#: With fewer units on either side a note says that the judge helps little.
FEW_FOR_JUDGE = 10


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class PredictionPowered(Framed):
    """A mean difference from people's ratings and a judge's scores.

    Attributes
    ----------
    statistic, standard_error : float
        The estimate by both together, in the points of people's scale.
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
    the components of variance between and within units.  With segments as units and a given weight
    this is s²/n of people's differences minus the weight times the judge's, plus the squared weight
    times s²/m of the judge's.  ppi-python divides sums of squares by n and m where we divide by
    n - 1 and m - 1.

    Each part has degrees of freedom of its own: n - 1 for units of equal size, fewer for unequal
    ones (Bell & McCaffrey), and one fewer where a weight is estimated.  Those of t follow by
    Satterthwaite's rule.

    With fewer than ten rated units the weight is poorly known, and with fewer than ten others there
    is hardly anything that the judge could add.  A note says so.

    References
    ----------
    Angelopoulos, Bates, Fannjiang, Jordan & Zrnic (2023); Angelopoulos, Duchi & Zrnic (2023) on the
    weight; Cochran (1977), chapter 7, on regression estimators; Bell & McCaffrey (2002), section 3,
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
    number = isinstance(weight, int | float) and math.isfinite(weight)
    if weight not in (None, "ppi++") and not number:
        raise InputError(f"weight={weight!r} is no number; give a number, 'ppi++' or None.")
    y, x, unit = _checked(people, judge, clusters)
    asked = ~np.isnan(y)
    n_rated_units = len(np.unique(unit[asked]))
    if n_rated_units < 3 or asked.all():
        raise InputError(
            f"people rated {int(asked.sum())} of {len(y)} segments in {n_rated_units} units; a "
            "judge can help where they rated three units or more, and not all segments."
        )
    by_people = float(y[asked].mean())
    correction = float(x[asked].mean() - x[~asked].mean())
    if not np.ptp(y[asked]):
        raise InputError("people: all differences are alike, so that nothing varies.")
    sums = _Sums.of_units(y - by_people, x - x.mean(), unit)
    weight_used = float(sums.total().weight(weight))
    statistic = by_people - weight_used * correction
    squared, freedom = _squared_error(sums, weight)
    if not squared:
        raise InputError(
            f"people and judge: with weight={weight_used:g} nothing varies. Give another weight."
        )
    error = math.sqrt(squared)
    reach = error * float(special.stdtrit(freedom, (1 + confidence_level) / 2))
    by_people_alone, _ = _squared_error(sums, 0.0)
    n_other_units = len(np.unique(unit[~asked]))
    return PredictionPowered(
        statistic=statistic,
        standard_error=error,
        degrees_of_freedom=freedom,
        pvalue=float(tail_pvalues(statistic / error, alternative, freedom)),
        interval=(statistic - reach, statistic + reach),
        weight=weight_used,
        people=(by_people, math.sqrt(by_people_alone)),
        judge=float(x.mean()),
        correlation=float(np.corrcoef(y[asked], x[asked])[0, 1]) if np.ptp(x[asked]) else 0.0,
        n_people=int(asked.sum()),
        n_all=len(y),
        alternative=alternative,
        confidence_level=confidence_level,
        notes=_notes(n_rated_units, n_other_units, float(np.mean(~asked)), judged=weight != 0),
    )


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
        asked = ~np.isnan(people)
        known = np.where(asked, people, 0.0)

        def over(values: FloatArray | Mask) -> FloatArray:
            return np.bincount(unit, values, unit.max() + 1).astype(np.float64)

        return cls(
            rated=over(asked),
            others=over(~asked),
            people=over(known),
            judge_rated=over(judge * asked),
            judge_others=over(judge * ~asked),
            products=over(judge * known),
            squares_rated=over(judge**2 * asked),
            squares=over(judge**2),
        )

    def total(self) -> _Sums:
        """Over all units."""
        return _Sums(*(getattr(self, field.name).sum() for field in dataclasses.fields(self)))

    def without_each(self, chosen: Mask) -> _Sums:
        """Over all units but one, for each of the `chosen` ones."""
        names = [field.name for field in dataclasses.fields(self)]
        return _Sums(*(getattr(self, name).sum() - getattr(self, name)[chosen] for name in names))

    def weight(self, asked_for: float | Literal["ppi++"] | None) -> FloatArray:
        """The judge's weight: the given one, or as estimated from these sums."""
        if isinstance(asked_for, int | float):
            return np.full_like(self.rated, asked_for)
        n_all = self.rated + self.others
        products = self.products - self.people * self.judge_rated / self.rated
        if asked_for is None:
            squares = self.squares_rated - self.judge_rated**2 / self.rated
            slope = _quotient(products, squares)
            return slope * self.others / n_all
        squares = self.squares - (self.judge_rated + self.judge_others) ** 2 / n_all
        variance = squares / (n_all - 1) * _quotient(n_all, self.others)
        return np.clip(_quotient(products / self.rated, variance), 0, 1)

    def estimate(self, asked_for: float | Literal["ppi++"] | None) -> FloatArray:
        """People's mean, corrected by the judge; where no other segment is left, uncorrected."""
        correction = self.judge_rated / self.rated - _quotient(self.judge_others, self.others)
        weight = np.where(self.others > 0, self.weight(asked_for), 0.0)
        return self.people / self.rated - weight * correction


def _quotient(above: FloatArray, below: FloatArray) -> FloatArray:
    """The quotient, and 0 where it would divide by zero or by what rounding left of it."""
    return np.where(below > 0, above / np.where(below > 0, below, 1.0), 0.0)


def _squared_error(sums: _Sums, asked_for: float | Literal["ppi++"] | None) -> tuple[float, float]:
    """The squared standard error of the estimate, and its degrees of freedom."""
    rated = sums.rated > 0
    n_rated = int(rated.sum())
    total = sums.total()
    moved = sums.without_each(rated).estimate(asked_for) - total.estimate(asked_for)
    by_rated = (n_rated - 1) / n_rated * float(np.sum(moved**2))
    freedom_rated = degrees_of_freedom_of_mean(sums.rated[rated])
    if not isinstance(asked_for, int | float):
        freedom_rated = max(freedom_rated - 1, 1.0)
    by_others, freedom_others = _variance_of_others(sums)
    by_others *= float(total.weight(asked_for)) ** 2
    squared = by_rated + by_others
    if not squared:
        return 0.0, freedom_rated
    spread = by_rated**2 / freedom_rated + by_others**2 / freedom_others
    return squared, squared**2 / spread


def _variance_of_others(sums: _Sums) -> tuple[float, float]:
    """What units without any rating add to the variance of the judge's mean over others.

    With its degrees of freedom.
    """
    unrated = sums.rated == 0
    n_unrated = int(unrated.sum())
    n_others = sums.others.sum()
    if not n_unrated:
        return 0.0, 1.0
    if n_unrated >= FEW:
        mean = sums.judge_others.sum() / n_others
        moved = (sums.judge_others - sums.others * mean) / (n_others - sums.others)
        variance = (n_unrated - 1) / n_unrated * float(np.sum(moved[unrated] ** 2))
        return variance, degrees_of_freedom_of_mean(sums.others[unrated])
    sizes = sums.rated + sums.others
    totals = sums.judge_rated + sums.judge_others
    n_units = len(sizes)
    n_all = sizes.sum()
    within = 0.0
    if n_all > n_units:
        within = float(sums.squares.sum() - np.sum(totals**2 / sizes)) / (n_all - n_units)
    squares = float(np.sum(totals**2)) * n_units / (n_units - 1)
    between = max((squares - n_all * within) / float(np.sum(sizes**2)), 0.0)
    variances = sizes * within + sizes**2 * between
    variance = float(variances[unrated].sum() / n_others**2)
    if not variance:
        return 0.0, 1.0
    return variance, float(variances.sum() ** 2 / np.sum(variances**2) - 1)


def _notes(n_rated: int, n_others: int, share: float, *, judged: bool) -> tuple[Note, ...]:
    """On few units of either side."""
    notes: tuple[Note, ...] = ()
    if n_rated < FEW:
        notes += (note("few-units", n=n_rated, unit="rated units"),)
    if judged and n_rated < FEW_FOR_JUDGE:
        notes += (note("few-rated-for-a-judge", n=n_rated, least=FEW_FOR_JUDGE),)
    if judged and n_others < FEW_FOR_JUDGE:
        left = {"n": n_others, "least": FEW_FOR_JUDGE, "share": share}
        notes += (note("few-left-for-a-judge", **left),)
    return notes
