"""Few people, many scores: a mean difference from people on some segments and a judge on all.

The judge is anything that scores every segment: a metric, or a model that was asked.  People's mean
is corrected by how much higher the judge scores the other segments than those that people rated,
times a weight.  If these were drawn at random, that is right on average, however wrong the judge:
one who knows little gets a weight near zero.  The method is called prediction-powered inference; in
survey sampling it is the regression estimator.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Literal

import numpy as np
import pandas as pd
from scipy import special

from ..conclusions.deciding import check_level
from ..described import Described
from ..engine.procedures import ALTERNATIVES, Alternative
from ..errors import InputError, check_one_of
from ..metrics.base import ArrayLike
from ..notes import Note, note
from ..significance.results import format_pvalue
from ..statistics.sufficient import real_numbers
from .pair_tests import tail_pvalues

#: Fewer units that people rated than this are told.
FEW = 30


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class PredictionPowered(Described):
    """A mean difference from people's ratings and a judge's scores.

    Attributes
    ----------
    statistic, standard_error : float
        The estimate by both together, in the points of people's scale.
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

    statistic: float
    standard_error: float
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
        Of the judge.  By default the one with the smallest estimated variance; 1 takes the judge's
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
        If lengths differ, the judge misses a segment, people rated fewer than three units or all
        segments, or nothing varies.

    Notes
    -----
    The weight is estimated from the same ratings.  Therefore the variance is divided by two units
    fewer than were rated, and t has as many degrees of freedom.

    References
    ----------
    Angelopoulos, Bates, Fannjiang, Jordan & Zrnic (2023); Angelopoulos, Duchi & Zrnic (2023) on the
    weight; Cochran (1977), chapter 7, on regression estimators.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> judge = rng.normal(0.3, 1, 1000)
    >>> people = np.where(np.arange(1000) < 200, judge + rng.normal(-0.1, 0.5, 1000), np.nan)
    >>> found = prediction_powered(people, judge)
    >>> found.n_people, round(found.weight, 2), round(found.n_effective)
    (200, 0.76, 480)
    """
    check_one_of("alternative", alternative, ALTERNATIVES)
    check_level(confidence_level, "confidence_level")
    number = isinstance(weight, int | float) and math.isfinite(weight)
    if weight not in (None, "ppi++") and not number:
        raise InputError(f"weight={weight!r} is no number; give a number, 'ppi++' or None.")
    y, x = (real_numbers(pd.Series(np.asarray(values))) for values in (people, judge))
    if len(y) != len(x):
        raise InputError(
            f"people has {len(y)} segments and judge {len(x)}; both have one difference a segment."
        )
    if not np.isfinite(x).all():
        where = int(np.argmin(np.isfinite(x)))
        raise InputError(f"judge: segment {where} has no score, and the judge has to score all.")
    asked = ~np.isnan(y)
    rest = ~asked
    unit = np.arange(len(y)) if clusters is None else pd.factorize(np.asarray(clusters))[0]
    if len(unit) != len(y):
        raise InputError(f"clusters: {len(unit)} for {len(y)} segments.")
    n_units = len(np.unique(unit[asked]))
    if n_units < 3 or not rest.any():
        raise InputError(
            f"people rated {int(asked.sum())} of {len(y)} segments in {n_units} units; a judge can "
            "help where they rated three units or more, and not all segments."
        )
    by_people, judged, elsewhere = y[asked].mean(), x[asked].mean(), x[rest].mean()
    # What each unit adds to people's mean, and to the judge's correction of it, beyond the means.
    own = np.bincount(unit[asked], (y[asked] - by_people) / asked.sum(), unit.max() + 1)
    moved = np.bincount(unit[asked], (x[asked] - judged) / asked.sum(), unit.max() + 1)
    moved -= np.bincount(unit[rest], (x[rest] - elsewhere) / rest.sum(), unit.max() + 1)
    if not own.any():
        raise InputError("people: all differences are alike, so that nothing varies.")
    if weight == "ppi++":
        covariance = np.cov(y[asked], x[asked], ddof=0)[0, 1]
        variance = np.var(x, ddof=1) * (1 + asked.sum() / rest.sum())
        weight = float(np.clip(covariance / variance, 0, 1)) if variance else 0.0
    elif weight is None:
        weight = float(own @ moved / (moved @ moved)) if moved.any() else 0.0
    # Two numbers are estimated, a mean and a weight.
    scale = n_units / (n_units - 2)
    error = math.sqrt(scale * np.sum((own - weight * moved) ** 2))
    statistic = float(by_people - weight * (judged - elsewhere))
    reach = error * float(special.stdtrit(n_units - 2, (1 + confidence_level) / 2))
    return PredictionPowered(
        statistic=statistic,
        standard_error=error,
        pvalue=float(tail_pvalues(statistic / error, alternative, n_units - 2)),
        interval=(statistic - reach, statistic + reach),
        weight=weight,
        people=(float(by_people), math.sqrt(scale * np.sum(own**2))),
        judge=float(x.mean()),
        correlation=float(np.corrcoef(y[asked], x[asked])[0, 1]) if np.ptp(x[asked]) else 0.0,
        n_people=int(asked.sum()),
        n_all=len(y),
        alternative=alternative,
        confidence_level=confidence_level,
        notes=(note("few-units", n=n_units, unit="rated units"),) if n_units < FEW else (),
    )
