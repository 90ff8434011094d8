"""How resamples are counted and turned into a p-value: the lines in which tools differ unseen.

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
For the bootstrap the added one is a convention.  Counting ties (``>=``) matters where systems
differ in few segments: with ``>`` a system differs significantly from its own copy.
"""

from __future__ import annotations

import dataclasses
from typing import Literal

import numpy as np
from scipy.special import betaincinv

from ..errors import InputError, check_one_of, unknown_name
from ..metrics.base import ArrayLike, FloatArray, Mask, Metric

Formula = Literal["(c+1)/(R+1)", "c/R", "(c+1)/R"]

#: Differences closer than this share of the larger observed score count as tied.  Sums are exact,
#: so only the few roundings of the score formula itself (about 1e-15) need to be covered; for a
#: plain mean, which rounds once, `tie_scale` makes it less.
TIE_TOLERANCE = 1e-12
#: Scores as people or programs wrote them differ from what they stand for by a share of half a unit
#: in the fifteenth decimal digit, or less; so much can set two of their differences apart.
DECIMALS = 2.0**-45
#: Of means over segments, whose scores were put on a grid, as a share of the largest mean.
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
        check_one_of("formula", self.formula, ("(c+1)/(R+1)", "c/R", "(c+1)/R"))
        if not 0 <= self.tie_tolerance < 0.01:
            raise InputError(f"tie_tolerance={self.tie_tolerance!r} must be small, such as 1e-12.")

    def reaches(self, values: ArrayLike, threshold: ArrayLike, scale: ArrayLike) -> Mask:
        """Where `values` are as extreme as `threshold`, ties told by the tolerance.

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
        added = 0 if self.formula == "c/R" else 1
        total = np.asarray(n_resamples) + (1 if self.formula == "(c+1)/(R+1)" else 0)
        p = np.minimum(1.0, (c + added) / total)
        return float(p) if np.ndim(count) == 0 else p

    @property
    def sentence(self) -> str:
        """The rule in words."""
        ties = "ties counted" if self.comparator == ">=" else "ties not counted (>)"
        observed = {
            "(c+1)/(R+1)": "observed value counted as one of them",
            "c/R": "observed value not counted (p = c/R)",
            "(c+1)/R": "p = (c+1)/R",
        }[self.formula]
        return f"{ties}, {observed}"


def tie_scale(metric: Metric, score_a: ArrayLike, score_b: ArrayLike) -> FloatArray:
    """What a tie tolerance is relative to: the larger absolute score of each pair.

    It is less where the metric's formula rounds less than others, and more where its grid is
    coarser than that.
    """
    larger = np.maximum(np.abs(score_a), np.abs(score_b))
    share = metric.rounding / TIE_TOLERANCE
    return np.maximum(share * larger, metric.grid_error / TIE_TOLERANCE)


def equal_but_for_rounding(values: ArrayLike, tolerance: float) -> FloatArray:
    """Values with those made equal that only rounding keeps apart.

    Whoever ranks values, or asks which are equal, has to do this first where they are decimals:
    2.3 - 2.0 and 0.3 - 0.0 differ in their last bits.  Values that follow each other within
    `tolerance` become the smallest of them, so that no line can fall between two that are equal.

    Parameters
    ----------
    values : array_like of shape (n,)
        Finite.
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
    order = np.argsort(given, kind="stable")
    ranked = given[order]
    starts = np.concatenate([[True], np.diff(ranked) > tolerance])[: len(ranked)]
    alike = np.empty_like(given)
    alike[order] = ranked[starts][np.cumsum(starts) - 1]
    return alike


def equal_differences(differences: ArrayLike, tolerance: float) -> FloatArray:
    """Differences of which those are made equal in size, or zero, that are so but for rounding.

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
    sizes = equal_but_for_rounding(np.concatenate([[0.0], np.abs(given)]), tolerance)[1:]
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
    if not isinstance(counting, str) or counting not in RULES:
        raise unknown_name("counting", counting, RULES)
    return RULES[counting]


def clopper_pearson(
    count: ArrayLike, n: ArrayLike, confidence_level: float = 0.95
) -> tuple[FloatArray, FloatArray]:
    """Clopper-Pearson limits of a proportion.

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
    count, n = np.broadcast_arrays(np.asarray(count), np.asarray(n))
    if (n < 1).any() or (count < 0).any() or (count > n).any():
        raise InputError("count must lie between 0 and n, and n be at least 1.")
    tail = (1 - confidence_level) / 2
    # Beta quantiles; the limits of "none" and "all" are 0 and 1, where the function has none.
    low = np.where(count == 0, 0.0, betaincinv(np.maximum(count, 1), n - count + 1, tail))
    high = np.where(count == n, 1.0, betaincinv(count + 1, np.maximum(n - count, 1), 1 - tail))
    return low, high
