"""How much of a test's error is spent by each look at data that are still coming in.

Looking several times, and stopping as soon as something is significant, gives several chances to
err.  An *error-spending function* says how much of the level alpha may have been used up when a
share of the planned data has come (Lan & DeMets 1983).  It rises from 0 to alpha, and does not
depend on the number or the times of the looks.

===================  ===========================================  ================================
function             spent after the share t, one-sided            its boundary is like that of
===================  ===========================================  ================================
``obrien-fleming``   ``2 * (1 - Phi(z / sqrt(t)))``,               O'Brien & Fleming 1979: early
                     z the ``1 - alpha / 2`` quantile              looks have to find very much
``pocock``           ``alpha * log(1 + (e - 1) * t)``              Pocock 1977: the same for all
``even``             ``alpha * t``                                 something between the two
===================  ===========================================  ================================

A two-sided test is two one-sided ones of level ``alpha / 2`` (Jennison & Turnbull 2000, chapter 7).

The statistics of a test by random signs have their boundary from the signs themselves
(:mod:`mtsig_nb.engine.group_sequential`).  For normal data it is computed here, by numerical
integration (Armitage, McPherson & Rowe 1969; Jennison & Turnbull 2000, chapter 19).  With the share
t of the data, and the statistic Z in standard errors, ``sqrt(t) * Z`` is a Brownian motion at the
time t.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri, roots_legendre

from ..errors import InputError, unknown_name
from ..metrics.base import ArrayLike, FloatArray

#: From a share of the planned data and a level, what may have been spent by then.
Spending = Callable[[float, float], float]

#: Points at which the density of the motion is kept between two looks.
N_POINTS = 200
#: Beyond so many standard errors nothing is expected, whatever the boundary.
FARTHEST = 9.0


def _like_obrien_fleming(share: float, alpha: float) -> float:
    z = -ndtri(alpha / 2)
    return float(2 * ndtr(-z / np.sqrt(share)))


def _like_pocock(share: float, alpha: float) -> float:
    return float(alpha * np.log1p((np.e - 1) * share))


def _evenly(share: float, alpha: float) -> float:
    return alpha * share


#: Error-spending functions of one-sided tests, by name.
SPENDING: dict[str, Spending] = {
    "obrien-fleming": _like_obrien_fleming,
    "pocock": _like_pocock,
    "even": _evenly,
}


def spending_function(spending: str | Spending) -> Spending:
    """The one-sided function of that name, or the function itself."""
    if callable(spending):
        return spending
    if spending not in SPENDING:
        raise unknown_name("spending", spending, SPENDING)
    return SPENDING[spending]


def spent(share: float, alpha: float, spending: str | Spending, n_sides: int) -> float:
    """The error that may have been spent after a share of the planned data.

    Parameters
    ----------
    share : float
        Above 0, at most 1.
    alpha : float
        The level of the whole test, on all sides together.
    spending : {"obrien-fleming", "pocock", "even"} or callable
        A callable takes a share and the level of one side.
    n_sides : {1, 2}

    Raises
    ------
    InputError
        For an unknown name, or a function of which the value is not between 0 and the level.

    Examples
    --------
    >>> [round(spent(share, 0.05, "obrien-fleming", 2), 5) for share in (0.2, 0.5, 1)]
    [0.0, 0.00305, 0.05]
    """
    if alpha <= 0:
        return 0.0
    level = alpha / n_sides
    value = spending_function(spending)(share, level)
    if not -1e-12 <= value <= level * (1 + 1e-12):
        raise InputError(
            f"spending: of the level {level:g}, {value:g} is spent after {share:g} of the data; "
            "it must lie between 0 and the level."
        )
    return n_sides * min(value, level)


def crossing_probabilities(
    boundary: ArrayLike, shares: ArrayLike, *, drift: float = 0.0, n_sides: int = 2
) -> FloatArray:
    """How often normal statistics cross a boundary at each look, and not before.

    Parameters
    ----------
    boundary : array_like of shape (looks,)
        In standard errors; crossed above and, where `n_sides` is 2, below its negative.
    shares : array_like of shape (looks,)
        Of the planned data, rising.
    drift : float
        The expected statistic with all of the planned data; 0 under the null hypothesis.
    n_sides : {1, 2}

    Returns
    -------
    ndarray of shape (looks,)

    Examples
    --------
    Pocock's boundary for five looks at .05, two-sided:

    >>> shares = np.arange(1, 6) / 5
    >>> round(float(crossing_probabilities([2.413] * 5, shares).sum()), 4)
    0.05
    """
    edges = np.asarray(boundary, dtype=np.float64)
    times = np.asarray(shares, dtype=np.float64)
    motion = _Motion(drift, n_sides)
    probabilities = []
    for edge, time in zip(edges, times, strict=True):
        probabilities.append(motion.beyond(edge, time))
        motion = motion.inside(edge, time)
    return np.array(probabilities)


def normal_boundary(
    shares: ArrayLike,
    *,
    alpha: float = 0.05,
    spending: str | Spending = "obrien-fleming",
    n_sides: int = 2,
) -> FloatArray:
    """The boundary of normal statistics that spends the error so.

    Parameters
    ----------
    shares : array_like of shape (looks,)
        Of the planned data, rising, at most 1.
    alpha, spending, n_sides
        As in `spent`.

    Returns
    -------
    ndarray of shape (looks,)
        In standard errors; infinite where next to nothing may be spent.

    Examples
    --------
    DeMets & Lan (1994) have 4.877, 3.357, 2.680, 2.290 and 2.031:

    >>> normal_boundary(np.arange(1, 6) / 5).round(3).tolist()
    [4.877, 3.357, 2.68, 2.29, 2.031]
    """
    times = np.asarray(shares, dtype=np.float64)
    motion = _Motion(drift=0.0, n_sides=n_sides)
    spent_before = 0.0
    boundary = []
    for time in times:
        spent_by_now = spent(float(time), alpha, spending, n_sides)
        edge = motion.edge(spent_by_now - spent_before, time)
        boundary.append(edge)
        motion = motion.inside(edge, time)
        spent_before = spent_by_now
    return np.array(boundary)


@functools.cache
def _nodes() -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of Gauss and Legendre's quadrature from -1 to 1."""
    nodes, weights = roots_legendre(N_POINTS)
    return nodes, weights


class _Motion:
    """A Brownian motion that has crossed no boundary so far.

    Parameters
    ----------
    drift : float
    n_sides : {1, 2}
    time : float
        Of the last look.
    points, masses : ndarray of shape (points,)
        Where the motion may be at that time, and the probability there: density times weight.
    """

    def __init__(
        self,
        drift: float,
        n_sides: int,
        time: float = 0.0,
        points: FloatArray | None = None,
        masses: FloatArray | None = None,
    ) -> None:
        self._drift = drift
        self._n_sides = n_sides
        self._time = time
        self._points = np.zeros(1) if points is None else points
        self._masses = np.ones(1) if masses is None else masses

    def beyond(self, edge: float, time: float) -> float:
        """How probable it is that the statistic lies beyond the edge at a later time."""
        expected, deviation = self._step(time)
        limit = edge * np.sqrt(time)
        probability = ndtr((expected - limit) / deviation)
        if self._n_sides == 2:
            probability = probability + ndtr((-limit - expected) / deviation)
        return float(self._masses @ probability)

    def edge(self, probability: float, time: float) -> float:
        """The edge beyond which the statistic lies so often at a later time."""
        if self.beyond(FARTHEST, time) >= probability:
            return np.inf
        if self.beyond(0.0, time) <= probability:
            return 0.0
        return float(brentq(lambda edge: self.beyond(edge, time) - probability, 0.0, FARTHEST))

    def inside(self, edge: float, time: float) -> _Motion:
        """The motion at a later time where it has not crossed this edge either."""
        expected, deviation = self._step(time)
        middle = self._drift * time
        reach = FARTHEST * np.sqrt(time)
        limit = edge * np.sqrt(time)
        high = min(limit, middle + reach)
        low = max(-limit, middle - reach) if self._n_sides == 2 else middle - reach
        nodes, weights = _nodes()
        half = (high - low) / 2
        points = low + half * (nodes + 1)
        distance = (points - expected[:, None]) / deviation
        density = np.exp(-(distance**2) / 2) / (deviation * np.sqrt(2 * np.pi))
        masses = half * weights * (self._masses @ density)
        return _Motion(self._drift, self._n_sides, time, points, masses)

    def _step(self, time: float) -> tuple[FloatArray, float]:
        """Where the motion is expected at a later time from each point, and its deviation."""
        passed = time - self._time
        expected = self._points + self._drift * passed
        return expected, float(np.sqrt(passed))
