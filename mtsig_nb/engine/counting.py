"""How resamples are counted and turned into a p-value: the lines in which tools silently differ.

A result always states them.  The same draws give different p-values under different rules:

========================  ==========  ===========  ==============================================
rule                      compares    p            used by
========================  ==========  ===========  ==============================================
``"add-one"`` (default)   ``>=``      (c+1)/(R+1)  Riezler & Maxwell 2005, Graham et al. 2014, SciPy
``"plain"``               ``>=``      c/R          Koehn 2004, Moses; can be 0
``"stroppa"``             ``>=``      (c+1)/R      Stroppa & Owczarzak 2007
``"strict"``              ``>``       (c+1)/(R+1)  MultEval, sacreBLEU
========================  ==========  ===========  ==============================================

The observed arrangement is one of those that the null hypothesis makes equally likely, so it
belongs among the counted ones: (c+1)/(R+1) keeps its level for every R (Phipson & Smyth 2010).
For the bootstrap, adding one is a convention.  Counting ties (``>=``) matters where systems differ
in few segments: with ``>`` a system differs significantly from its own copy.
"""

from __future__ import annotations

import dataclasses
from typing import Literal

import numpy as np
from scipy.special import betaincinv

from ..errors import InputError, check_one_of, unknown_name
from ..metrics.base import ArrayLike, FloatArray, Mask, Metric

Formula = Literal["(c+1)/(R+1)", "c/R", "(c+1)/R"]
#: How a result states each formula.
_FORMULAS = {
    "(c+1)/(R+1)": "observed value counted as one of them",
    "c/R": "observed value not counted (p = c/R)",
    "(c+1)/R": "p = (c+1)/R",
}

#: Differences closer than this share of the larger observed score count as tied.  Sums are exact,
#: so only the few roundings of the score formula itself (about 1e-15) need to be covered; for a
#: plain mean, which rounds once, `tie_scale` makes it less.
TIE_TOLERANCE = 1e-12
#: Differences of scores that people or programs wrote as decimals count as tied if they are closer
#: than this share of the largest score.  Such scores differ from what they stand for by half a unit
#: in the fifteenth digit, or less.
DECIMALS = 2.0**-45
#: Means over segments whose scores were put on a grid count as tied if they are closer than this
#: share of the largest mean.
MEANS = 1e-9


@dataclasses.dataclass(frozen=True)
class Counting:
    """A counting rule.

    Parameters
    ----------
    comparator : {">=", ">"}
        Whether a resample as extreme as the observation counts.
    formula : {"(c+1)/(R+1)", "c/R", "(c+1)/R"}
        The p-value from the count c of R resamples; never above 1.
    tie_tolerance : float
        Relative to the larger of the pair's two observed scores; see
        :func:`tie_scale`.

    Examples
    --------
    >>> Counting().pvalue(4, 99), Counting(formula="c/R").pvalue(4, 100)
    (0.05, 0.04)
    >>> Counting().reaches([0.1, 0.3], 0.3, scale=0.3).tolist()
    [False, True]
    """

    comparator: Literal[">=", ">"] = ">="
    formula: Formula = "(c+1)/(R+1)"
    tie_tolerance: float = TIE_TOLERANCE

    def __post_init__(self) -> None:
        check_one_of("comparator", self.comparator, (">=", ">"))
        check_one_of("formula", self.formula, _FORMULAS)
        if not 0 <= self.tie_tolerance < 0.01:
            raise InputError(f"tie_tolerance={self.tie_tolerance!r} must be small, such as 1e-12.")

    def reaches(self, values: ArrayLike, threshold: ArrayLike, scale: ArrayLike) -> Mask:
        """Where `values` are as extreme as `threshold`, with the tolerance for ties.

        Parameters
        ----------
        values, threshold : array_like
        scale : array_like
            What the tolerance is relative to; see :func:`tie_scale`.
        """
        tolerance = self.tie_tolerance * np.asarray(scale)
        if self.comparator == ">=":
            return np.asarray(values) >= np.asarray(threshold) - tolerance
        return np.asarray(values) > np.asarray(threshold) + tolerance

    def pvalue(self, count: ArrayLike, n_resamples: ArrayLike) -> FloatArray | float:
        """The p-value from `count` extreme resamples among `n_resamples`; of the count's shape."""
        c = np.asarray(count, dtype=np.float64)
        R = np.asarray(n_resamples)
        if self.formula == "(c+1)/(R+1)":
            p = (c + 1) / (R + 1)
        elif self.formula == "(c+1)/R":
            p = (c + 1) / R
        else:
            p = c / R
        p = np.minimum(1.0, p)
        return float(p) if np.ndim(count) == 0 else p

    @property
    def sentence(self) -> str:
        """The rule in words."""
        ties = "ties counted" if self.comparator == ">=" else "ties not counted (>)"
        return f"{ties}, {_FORMULAS[self.formula]}"


def tie_scale(metric: Metric, score_a: ArrayLike, score_b: ArrayLike) -> FloatArray:
    """What a tie tolerance is relative to: the larger absolute score of each pair.

    It is less where the metric's formula rounds less than others, and more where its grid is
    coarser than that.
    """
    larger = np.maximum(np.abs(score_a), np.abs(score_b))
    of_rounding = metric.rounding / TIE_TOLERANCE * larger
    of_grid = metric.grid_error / TIE_TOLERANCE
    return np.maximum(of_rounding, of_grid)


def equal_but_for_rounding(values: ArrayLike, tolerance: float) -> FloatArray:
    """Values with those made equal that only rounding keeps apart.

    Whoever ranks values, or asks which are equal, has to do this first where they are decimals:
    2.3 - 2.0 and 0.3 - 0.0 differ in their last bits.  Values that follow each other within
    `tolerance` become the smallest of them, so that no line can fall between two that are equal.

    Parameters
    ----------
    values : array_like of shape (n, ...)
        Finite; those along the first axis are compared with each other.
    tolerance : float
        More than rounding can set equal values apart, and less than others differ by.

    See Also
    --------
    equal_differences : The same of differences, whose zero and signs count.

    Examples
    --------
    >>> values = [0.1 + 0.2, 1.0, 0.3]
    >>> equal_but_for_rounding(values, 1e-12).tolist()
    [0.3, 1.0, 0.3]
    """
    given = np.asarray(values, dtype=np.float64)
    if not given.size:
        return given
    order = np.argsort(given, axis=0, kind="stable")
    ranked = np.take_along_axis(given, order, axis=0)
    is_first = np.ones(ranked.shape, dtype=bool)  # of those that are equal
    is_first[1:] = np.diff(ranked, axis=0) > tolerance  # apart from the value before it
    smallest_so_far = np.where(is_first, ranked, -np.inf)
    equalised = np.empty_like(given)
    np.put_along_axis(equalised, order, np.maximum.accumulate(smallest_so_far, axis=0), axis=0)
    return equalised


def equal_differences(differences: ArrayLike, tolerance: float) -> FloatArray:
    """Differences with those made equal in size, or zero, that only rounding keeps from it.

    Parameters
    ----------
    differences : array_like of shape (n,)
    tolerance : float
        As for `equal_but_for_rounding`.

    Examples
    --------
    >>> equal_differences([2.3 - 2.0, 0.0 - 0.3, 0.1 + 0.2 - 0.3], 1e-12).round(3).tolist()
    [0.3, -0.3, 0.0]
    """
    given = np.asarray(differences, dtype=np.float64)
    # With zero among them, which the smallest may equal.
    sizes_and_zero = np.concatenate([[0.0], np.abs(given)])
    sizes = equal_but_for_rounding(sizes_and_zero, tolerance)[1:]
    return np.where(sizes > 0, np.copysign(sizes, given), 0.0)


RULES: dict[str, Counting] = {
    "add-one": Counting(),
    "plain": Counting(formula="c/R"),
    "stroppa": Counting(formula="(c+1)/R"),
    "strict": Counting(comparator=">"),
}


def counting_rule(counting: str | Counting) -> Counting:
    """The rule of that name (see the module), or the rule itself."""
    if isinstance(counting, Counting):
        return counting
    is_known = isinstance(counting, str) and counting in RULES
    if not is_known:
        raise unknown_name("counting", counting, RULES)
    return RULES[counting]


def clopper_pearson(
    count: ArrayLike, n: ArrayLike, confidence_level: float = 0.95
) -> tuple[FloatArray, FloatArray]:
    """Clopper-Pearson limits of a proportion (Clopper & Pearson 1934, Biometrika 26).

    With c successes in n trials they are quantiles of beta distributions: of Beta(c, n - c + 1) the
    lower one, of Beta(c + 1, n - c) the upper one.

    Parameters
    ----------
    count, n : array_like of int
        Successes and trials; 0 <= count <= n, n >= 1.
    confidence_level : float

    Returns
    -------
    low, high : ndarray of float64, of the broadcast shape

    Raises
    ------
    InputError
        If a count lies outside its number of trials.

    Examples
    --------
    >>> low, high = clopper_pearson(8, 10)
    >>> round(float(low), 3), round(float(high), 3)
    (0.444, 0.975)
    """
    successes, trials = np.broadcast_arrays(np.asarray(count), np.asarray(n))
    failures = trials - successes
    is_possible = (trials >= 1) & (successes >= 0) & (successes <= trials)
    if not is_possible.all():
        raise InputError("count must lie between 0 and n, and n be at least 1.")
    tail = (1 - confidence_level) / 2
    # Where nothing or everything is a success, a beta distribution is not defined.
    lower_quantile = betaincinv(np.maximum(successes, 1), failures + 1, tail)
    upper_quantile = betaincinv(successes + 1, np.maximum(failures, 1), 1 - tail)
    low = np.where(successes == 0, 0.0, lower_quantile)
    high = np.where(failures == 0, 1.0, upper_quantile)
    return low, high
