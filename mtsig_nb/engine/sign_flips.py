"""What each unit contributes to the difference of two scores, to be given random signs.

Let D be the difference of the scores f(A) - f(B), where A and B are the totals of two systems'
statistics, and let v_i be the influence of unit i on f(A) less its influence on f(B), each taken at
the system's own totals.  A unit that is a share w of the whole has, on a score, the influence
(1 - w) times what leaving it out changes.  Over test sets of such units D varies, to first order,
as a sum of independent v_i does.  The sign-flip test needs contributions z_i that add up to D
itself, and random sums of them that vary as D does.

**Units whose outputs differ.**  Exchanging the two outputs of a unit turns its sign.  Exchanging
two outputs that are the same changes nothing, so such a unit has no sign to turn, and z_i = 0.
Given which k units differ, there are 2**k arrangements, and none of them has a two-sided p-value
below 2**(1 - k).  What the k influences lack to D is shared out among them in proportion to
their sizes w_i:

    z_i = v_i + (w_i / sum of w over units that differ) * (D - sum of v over units that differ).

Sizes are weights where the score is a mean, denominators where it is a ratio of sums, and numbers
of segments elsewhere.  For a mean of which both systems have the weights w, z_i is
w_i (a_i - b_i) / sum(w), and the test is approximate randomization.  If D were shared out equally,
a unit that is nearly the whole test set would have an influence near zero and count no more than a
short one.

**Units whose outputs are the same.**  They still have influence where the two scores bend
differently, for instance where one output is longer than the references and the other is not: then
a segment that both systems translate alike pays a brevity penalty in one score only.  Let d_i be
the influence of any unit and a share by size of the whole difference:

    d_i = v_i + (w_i / sum of w) * (D - sum of v).

These add up to D, too.  What z_i leaves of them, r_i = d_i - z_i, has no sign to turn.  Units with
the same outputs have all of their d_i in it, and the others what they took over from these.  It is
zero for a mean of which both systems have the weights w.  Which units have the same outputs, and
how many, is chance, too.  If units are of one size, the variance of D, estimated as if D were zero,
is about

    sum(z**2) + sum(r**2),

since the products of z and r then add up to a multiple of D.  If sizes differ and go with the
contributions, it may be larger or smaller, with any number of units.  The random sums of z are
multiplied by the root of this over sum(z**2), the `widening`.  It is 1 where all outputs differ,
and never below 1.  So no two-sided p-value, and no one-sided one of the side on which D lies,
becomes smaller than with z alone.  Where two outputs that hardly differ in length happen to lie on
either side of their references' it is too large, since a test set of another length would have both
on one side.

All of it changes its sign with the sign of the metric and with the order of the systems.  A
constant added to all scores of a mean changes neither v nor D, and so nothing at all.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from ..metrics.base import AnyFloats, FloatArray, Indices, Mask, Metric
from ..metrics.mean import MacroAverage
from ..statistics.sufficient import SufficientStatistics
from .counting import TIE_TOLERANCE, tie_scale
from .influence import on_exact_grids, summed


@dataclasses.dataclass(frozen=True, eq=False)
class Contributions:
    """What units contribute to some differences under one metric, arranged for the product.

    It stands where :class:`mtsig_nb.engine.resampling.Packed` does for exchanged outputs.

    Attributes
    ----------
    metric : Metric
    matrix : ndarray, shape (differences, units)
        The contributions z, each row on a grid of its own so that its sums are exact.
    widening : ndarray, shape (differences, 1)
        By what random sums are multiplied for the units whose outputs are the same.
    scale : ndarray, shape (differences,)
        What ties of a difference are relative to.
    """

    metric: Metric
    matrix: FloatArray
    widening: FloatArray
    scale: FloatArray

    @classmethod
    def of(cls, statistics: SufficientStatistics, first: Indices, second: Indices) -> Contributions:
        """The contributions to the differences between systems `first` and `second`."""
        metric = statistics.metric
        z, rest = split_by_sign(statistics, first, second)
        z = on_exact_grids(z)
        squares_z = _sums_of_squares(z)
        squares_rest = _sums_of_squares(rest)
        ratio = np.zeros_like(squares_z)
        np.divide(squares_rest, squares_z, out=ratio, where=squares_z > 0)
        # A sum of n contributions, each off by half a step of its grid, is off by n / 2 steps.
        n_units = z.shape[1]
        largest_sums = n_units * np.abs(z).max(axis=1)
        rounding = n_units * largest_sums * 2.0**-52
        scores = metric.score(statistics.totals())
        ties = tie_scale(metric, scores[first], scores[second])
        return cls(
            metric=metric,
            matrix=z,
            widening=np.sqrt(1 + ratio),
            scale=np.maximum(ties, rounding / TIE_TOLERANCE),
        )

    @property
    def curved(self) -> bool:
        """Never: the sums of contributions spread as widely as the difference is uncertain."""
        return False

    @property
    def totals(self) -> FloatArray:
        """The differences themselves, shape (differences, 1)."""
        return self.matrix.sum(axis=1, keepdims=True)

    @property
    def statistic(self) -> FloatArray:
        """The differences, positive where the first system is better, shape (differences, 1)."""
        return self.metric.direction * self.totals

    @property
    def statistic_scale(self) -> FloatArray:
        """What ties of the statistic are relative to, shape (differences, 1)."""
        return self.scale[:, None]

    def sums(self, weights: AnyFloats, start: int = 0) -> AnyFloats:
        """Weighted sums, shape (differences, resamples), over the units that have weights here.

        `weights`, of shape (resamples, units), are those of the units from number `start` on.
        """
        return summed(self.matrix, weights, start)

    def shuffled_differences(self, kept: AnyFloats, first: Indices, second: Indices) -> FloatArray:
        """Sums with random signs, shape (differences, resamples).

        `kept` are the `sums` of what the masks keep in place, that is with a plus.  The systems
        were chosen when the contributions were computed; `first` and `second` choose nothing here.
        """
        assert len(first) == len(second) == len(self.matrix)
        return self.widening * (2 * kept - self.totals)

    def all_signs(self, pair: int, exchanged: FloatArray, differing: Indices) -> FloatArray:
        """The pair's sums with the signs that `exchanged` turns, shape (arrangements,).

        `exchanged` has a row for each arrangement and a column for each of the units `differing`:
        1 where the sign is turned.
        """
        turned = exchanged @ self.matrix[pair, differing]
        return self.widening[pair] * (self.totals[pair] - 2 * turned)


def is_straight(statistics: SufficientStatistics) -> bool:
    """Whether the score is a straight line in what systems differ in, as a mean is.

    Random signs of contributions are then exchanged outputs, to the last bit.
    """
    values = statistics.values
    is_fixed = (values == values[:1]).all(axis=(0, 1))
    sums_of_first = statistics.totals()[0]
    slopes = statistics.metric.slopes(sums_of_first, np.asarray(is_fixed))
    return slopes is not None


def split_by_sign(
    statistics: SufficientStatistics, first: Indices, second: Indices
) -> tuple[FloatArray, FloatArray]:
    """The contributions z whose signs are turned, and the rest r that has no sign.

    Returns
    -------
    signed, rest : ndarray, shape (differences, units)
        z and r of the module's text.  The first adds up to each difference of scores, system
        `first` less system `second`, and is zero where outputs are the same.  The second adds up to
        zero.  Of a macro average both are averages of the strata's.
    """
    metric = statistics.metric
    if isinstance(metric, MacroAverage):
        return _split_macro_average(metric, statistics, first, second)
    shape = (len(first), statistics.n_segments)
    z = np.zeros(shape)
    rest = np.zeros(shape)
    present = statistics.present
    together = dataclasses.replace(statistics, strata=None).subset(present)
    sizes = _sizes(together)
    influence = _influence(together, sizes)
    scores = metric.score(together.totals())
    everybody = np.ones(together.n_segments, dtype=bool)
    for row, (a, b) in enumerate(zip(first, second, strict=True)):
        is_other = together.values[a] != together.values[b]
        differs = np.asarray(is_other.any(axis=1))
        v = influence[a] - influence[b]
        w = sizes[a] + sizes[b]
        difference = scores[a] - scores[b]
        d = _adding_up_to(difference, v, w, everybody)
        z_of_pair = _adding_up_to(difference, v, w, differs)
        z[row, present] = z_of_pair
        rest[row, present] = d - z_of_pair
    return z, rest


def _split_macro_average(
    metric: MacroAverage, statistics: SufficientStatistics, first: Indices, second: Indices
) -> tuple[FloatArray, FloatArray]:
    """`split_by_sign` of a macro average: the means of z and of the rest over the strata."""
    n_strata = len(metric.strata)
    shape = (len(first), statistics.n_segments)
    z = np.zeros(shape)
    rest = np.zeros(shape)
    for values in np.split(statistics.values, n_strata, axis=2):
        stratum = dataclasses.replace(statistics, metric=metric.metric, values=values, strata=None)
        z_of_stratum, rest_of_stratum = split_by_sign(stratum, first, second)
        z += z_of_stratum / n_strata
        rest += rest_of_stratum / n_strata
    return z, rest


def _adding_up_to(total: float, v: FloatArray, w: FloatArray, members: Mask) -> FloatArray:
    """The members' influence v, and a share by size w of what it lacks to `total`.

    Zero for units that are no members.
    """
    parts = np.where(members, v, 0.0)
    sizes = np.where(members, w, 0.0)
    if sizes.any():
        lacking = total - parts.sum()
        parts += lacking * sizes / sizes.sum()
    return parts


def _influence(statistics: SufficientStatistics, sizes: FloatArray) -> FloatArray:
    """Each unit's influence on each score, shape (systems, units), but for a constant.

    With a share w of the whole it is 1 - w times what leaving the unit out changes: exactly so for
    a weighted mean.  The plain jackknife of :func:`mtsig_nb.engine.influence.influence_values`
    takes all units for equally large.
    """
    score = statistics.metric.score
    influence = np.empty_like(sizes)
    # One system at a time: what is left of all would need as much memory as the statistics.
    for system, values in enumerate(statistics.values):
        total = values.sum(axis=0)
        change = score(total) - score(total - values)
        influence[system] = (1 - sizes[system]) * change
    return influence


def _sizes(statistics: SufficientStatistics) -> FloatArray:
    """Each unit's share in each system's score, shape (systems, units).

    By weights where the score is a mean or a ratio, and by numbers of segments elsewhere.
    """
    weights = statistics.metric.weights(statistics.values)
    if weights is not None:
        total_weights = weights.sum(axis=1, keepdims=True)
        # Where there is no weight at all, every share is 0.
        return weights / np.where(total_weights == 0, 1.0, total_weights)
    n_systems, n_units = statistics.values.shape[:2]
    shape = (n_systems, n_units)
    if statistics.sizes is None:
        return np.full(shape, 1 / n_units)
    shares = statistics.sizes / statistics.sizes.sum()
    return np.broadcast_to(shares, shape)


def _sums_of_squares(rows: FloatArray) -> FloatArray:
    """The sum of each row's squares, shape (rows, 1), without a second array of their size."""
    return np.einsum("ij,ij->i", rows, rows)[:, None]
