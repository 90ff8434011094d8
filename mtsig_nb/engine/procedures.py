"""The tests, side by side, each a few lines over pseudo-differences.

Every test draws resamples, takes the difference ``d*`` between the two pseudo-systems in each, and
counts those that are extreme.  They differ in three lines: what is *averaged* first, which *null*
values are compared, and what counts as *extreme* against the observed difference ``d``.  Four are
those of the papers on MT.  The sign-flip test and the studentised bootstrap are not: we know of no
earlier use of either in MT.

============================  ==========  ==============================  ========================
test                          averaged    null                            extreme (two-sided)
============================  ==========  ==============================  ========================
approximate randomization                 ``d*``                          ``|null| >= |d|``
sign-flip test                            ``d*``, a sum of ``±z``         ``|null| >= |d|``
bootstrap, shifted            ``d*``      ``d* - mean(d*)``               ``|null| >= |d|``
paired bootstrap                          ``d*`` (around ``d``, not 0)    ``null <= 0``, doubled
bootstrap, studentised                    ``(d* - d) / se*``              ``|null| >= |d| / se``
bootstrap as printed in 2005  ``|d*|``    ``|d*| - mean(|d*|)``           ``null >= |d|``
============================  ==========  ==============================  ========================

In the second line `z` is what each unit contributes to the difference
(:mod:`mtsig_nb.engine.sign_flips`).  In the fifth every
difference is divided by its own standard error, that of the resample or of the test set.  The last
line is the pitfall: if the absolute value is taken *before* centring, only one tail is left, yet
its count is reported as a two-sided p-value.

None of them keeps its level everywhere; ``docs/trust/best-to-worst.md`` has measured sizes on many
kinds of data.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

from ..errors import InputError, check_one_of, unknown_name
from ..metrics.base import ArrayLike, FloatArray, Mask
from ..sentences import Option, Sentence
from . import edgeworth
from .edgeworth import Shape, Threshold
from .resampling import Kind

Alternative = Literal["two-sided", "greater", "less"]
ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")

#: ``reaches(values, threshold)``, with the counting rule's comparator and tolerance.
Reaches = Callable[[ArrayLike, ArrayLike], Mask]


class Source(NamedTuple):
    """Where a test is published: the paper, and the place in it."""

    paper: str
    place: str = ""

    def __str__(self) -> str:
        return f"{self.paper}, {self.place}" if self.place else self.paper


class Procedure:
    """A test on pseudo-differences; arrays are of shape (pairs, resamples).

    All that is true of a test stands here, so that nothing else asks for it by name.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    label: ClassVar[str]  # in a list to choose from
    axis: ClassVar[str]  # what the values are that `null` returns
    function: ClassVar[str] = ""  # of `mtsig_nb`, where it has one of its own
    sources: ClassVar[tuple[Source, ...]]
    draws: ClassVar[str] = "bootstrap resamples"  # what one resample is called
    kind: ClassVar[Kind]
    #: Whether, with many independent units of which none outweighs the others, it rejects a true
    #: null hypothesis about as often as it says.  (Approximate randomization does so for means of
    #: which both systems have the same weights.)
    valid: ClassVar[bool] = True
    alternatives: ClassVar[tuple[Alternative, ...]] = ALTERNATIVES
    #: Whether the two-sided p-value is twice the smaller tail.
    doubled: ClassVar[bool] = False
    #: Whether pseudo-differences and the observed one are compared in their standard errors, those
    #: from the observed one.
    studentized: ClassVar[bool] = False
    #: Whether it is the units' contributions to the difference whose signs are turned, where the
    #: others exchange outputs.
    linearises: ClassVar[bool] = False
    #: Whether something is averaged over all resamples before any is counted.
    centres: ClassVar[bool] = False

    @property
    def source(self) -> str:
        """The papers that it is from, each with the place."""
        return "; ".join(map(str, self.sources))

    @property
    def papers(self) -> tuple[str, ...]:
        """The papers alone."""
        return tuple(source.paper for source in self.sources)

    def averaged(self, pseudo: FloatArray) -> FloatArray:
        """What a procedure that centres averages over all resamples."""
        return pseudo

    def null(self, pseudo: FloatArray, mean: FloatArray | None) -> FloatArray:
        """The values that are compared with the observation.

        `mean` is that of what is averaged; None where nothing is.
        """
        return pseudo if mean is None else self.averaged(pseudo) - mean

    def extreme(
        self, null: FloatArray, observed: FloatArray, tail: Alternative, reaches: Reaches
    ) -> Mask:
        """Which of the null values count against the null hypothesis, in one tail or both."""
        is_extreme = np.zeros(null.shape, dtype=bool)
        for edge, side in self.edges(observed, tail):
            if side > 0:
                is_extreme |= reaches(null, edge)
            else:
                is_extreme |= reaches(-null, -edge)
        return is_extreme

    def edges(self, observed: Any, tail: Alternative) -> list[tuple[Any, int]]:
        """Where extreme values begin, and on which side they lie: above (1) or below (-1).

        Both a value and an array of observed values will do; each edge has its shape.
        """
        if tail == "two-sided":
            size = abs(observed)
            return [(-size, -1), (size, 1)]
        side = 1 if tail == "greater" else -1
        return [(observed, side)]

    def tails(self, alternative: Alternative) -> tuple[Alternative, ...]:
        """The tails to count for `alternative`, each by itself where p is twice the smaller one.

        An `InputError` where the test is not defined for it.
        """
        if alternative not in self.alternatives:
            check_one_of("alternative", alternative, ALTERNATIVES)
            defined = " or ".join(map(repr, self.alternatives))
            raise InputError(
                Sentence(
                    Option("alternative", alternative),
                    f": the {self.title} is defined only as {defined}.",
                )
            )
        if self.doubled and alternative == "two-sided":
            return ("greater", "less")
        return (alternative,)

    def critical(self, tail: float, shape: Shape, two_sided: bool) -> Threshold:
        """What Student's ratio must exceed to count as extreme, in a tail of level `tail`.

        :func:`mtsig_nb.engine.edgeworth.size` makes of it how often the test errs; of a test that
        does not say, nobody knows.
        """
        return Threshold(np.nan, 0.0, 0.0)


class ApproximateRandomization(Procedure):
    """Exchange the two outputs of each unit with probability one half.

    Riezler & Maxwell 2005, Figure 1; Graham et al. 2014, Figure 2.
    """

    name = "approximate-randomization"
    title = "approximate randomization"
    label = "approximate randomization"
    axis = "difference on shuffled outputs"
    function = "approximate_randomization"
    sources: ClassVar[tuple[Source, ...]] = (
        Source("Riezler & Maxwell 2005", "Fig. 1"),
        Source("Graham et al. 2014", "Fig. 2"),
    )
    draws = "shuffles"
    kind = "shuffle"

    def critical(self, tail: float, shape: Shape, two_sided: bool) -> Threshold:
        """Shuffles know the differences' second and fourth moments; a random sign has no third.

        In their own root mean square, shuffled means have the fourth cumulant
        ``-2 (kurtosis + 3) / n``; a mean in the test set's, S, is ``T / sqrt(1 + T**2 / n)``.
        """
        z = -ndtri(tail)
        fourth_cumulant = -2 * (shape.kurtosis + 3)
        of_shuffles = fourth_cumulant * (z**3 - 3 * z) / 24
        return Threshold(z, estimated=0.0, further=z**3 / 2 + of_shuffles)


class SignFlip(ApproximateRandomization):
    """Turn the sign of what each unit contributes to the difference, with probability one half.

    Approximate randomization of a mean does just that, if both systems have the same weights.  Of
    another score, exchanged outputs make pseudo-systems that are unlike both systems, and their
    scores may vary more, or less, than the difference does.  Contributions are taken where each
    system is.  A unit has a sign to turn if its outputs differ.
    """

    name = "sign-flip"
    title = "sign-flip test of influence values"
    label = "sign flips of influence values"
    axis = "difference with random signs"
    function = "sign_flip_test"
    sources = (Source("Hemerik, Goeman & Finos 2020"),)
    draws = "sign flips"
    linearises = True


class ShiftedBootstrap(Procedure):
    """Resample units, then shift the *signed* differences so that their mean is zero.

    Two-sided: Graham et al. 2014, Figure 1; one-sided: Figure 3.
    """

    name = "bootstrap"
    title = "bootstrap test (shift method)"
    label = "bootstrap (shift method)"
    axis = "difference minus mean difference"
    function = "bootstrap_test"
    sources = (Source("Graham et al. 2014", "Figs 1 and 3"),)
    kind = "bootstrap"
    centres = True

    def critical(self, tail: float, shape: Shape, two_sided: bool) -> Threshold:
        """A quantile of the resamples; of both tails together, where skewness cancels out."""
        z = -ndtri(tail)
        if two_sided:
            return Threshold(z, 0.0, -edgeworth.p2(z, shape))
        return Threshold(z, *edgeworth.percentile(z, shape))


class PairedBootstrap(Procedure):
    """Resample units and count how often the other system wins or ties.

    Koehn 2004, section 6; Graham et al. 2014, Figure 4.  The resamples lie around the observed
    difference, so "wins in 95 % of them" says that a one-sided 95 % percentile bound excludes
    zero.  It is one-sided; the two-sided p-value offered here is twice the smaller tail.
    """

    name = "paired-bootstrap"
    title = "paired bootstrap"
    label = "paired bootstrap (Koehn 2004)"
    axis = "difference on resampled test sets"
    function = "paired_bootstrap"
    sources = (
        Source("Koehn 2004", "section 6"),
        Source("Graham et al. 2014", "Fig. 4"),
    )
    kind = "bootstrap"
    doubled = True

    def edges(self, observed: Any, tail: Alternative) -> list[tuple[Any, int]]:
        return [(0.0, -1 if tail == "greater" else 1)]

    def critical(self, tail: float, shape: Shape, two_sided: bool) -> Threshold:
        """The quantile of the *other* tail, turned round: the skewness has the wrong sign."""
        z = -ndtri(tail)
        estimated, further = edgeworth.percentile(z, shape)
        return Threshold(z, -estimated, further)


class StudentizedBootstrap(Procedure):
    """Resample units and compare differences in standard errors of their own: bootstrap-t.

    A resample with few of the units that matter has a small difference *and* a small standard
    error; a test set with few of them, too.  The t-value depends less on what was drawn than the
    difference does, so that its distribution over resamples tells more of that over test sets (Hall
    & Wilson 1991, their second guideline; the first is to centre, as the shift method does).

    There is no studentised approximate randomization beside it: for a mean of equal weights it
    would be the same test.  Changes of sign leave the sum of squares as it is, so that the t-value
    of each shuffle is a function of its mean that only rises.
    """

    name = "studentized-bootstrap"
    title = "studentised bootstrap test"
    label = "studentised bootstrap (bootstrap-t)"
    axis = "difference from the observed one, in standard errors"
    function = "studentized_bootstrap"
    sources = (
        Source("Hall & Wilson 1991"),
        Source("Efron & Tibshirani 1993", "section 12.5"),
    )
    kind = "bootstrap"
    studentized = True

    def critical(self, tail: float, shape: Shape, two_sided: bool) -> Threshold:
        """The ratio's own quantile, as far as the sample shows the shape of the differences."""
        return edgeworth.studentized(-ndtri(tail), shape, two_sided)


class RiezlerMaxwellBootstrap(Procedure):
    """The bootstrap exactly as printed in Riezler & Maxwell 2005, Figure 2: the pitfall.

    Differences lose their sign before they are centred, so only one tail is left to count.
    Under the null hypothesis it rejects more often than it says; by which factor depends on level,
    data and size (``docs/trust/best-to-worst.md``).
    """

    name = "riezler-maxwell-bootstrap"
    title = "bootstrap as printed by Riezler & Maxwell (2005)"
    label = "⚠ bootstrap printed in 2005"
    axis = "absolute difference minus mean absolute difference"
    function = "riezler_maxwell_bootstrap"
    sources = (Source("Riezler & Maxwell 2005", "Fig. 2"),)
    kind = "bootstrap"
    valid = False
    alternatives = ("two-sided",)
    centres = True

    def averaged(self, pseudo: FloatArray) -> FloatArray:
        return np.abs(pseudo)

    def edges(self, observed: Any, tail: Alternative) -> list[tuple[Any, int]]:
        return [(abs(observed), 1)]

    def critical(self, tail: float, shape: Shape, two_sided: bool) -> Threshold:
        """The z of which ``|d*| - m`` exceeds ``|d|`` in `2 * tail` of normal resamples.

        Then as for :class:`ShiftedBootstrap`, which is near enough: this z errs by far more.
        """
        from scipy.optimize import brentq  # slow to import

        def excess(z: float) -> float:
            # m is the mean of |d*|, where d* is normal around z with a variance of 1.
            m = z * (1 - 2 * ndtr(-z)) + np.sqrt(2 / np.pi) * np.exp(-(z**2) / 2)
            # |d*| - m >= z on either side, where z is the observed difference:
            above = ndtr(-m)  # d* >= z + m
            below = ndtr(-m - 2 * z)  # d* <= -(z + m)
            return float(above + below) - 2 * tail

        z = brentq(excess, 0.0, -ndtri(tail))
        return Threshold(z, 0.0, -edgeworth.p2(z, shape))


PROCEDURES: dict[str, Procedure] = {
    procedure.name: procedure
    for procedure in (
        ApproximateRandomization(),
        SignFlip(),
        ShiftedBootstrap(),
        PairedBootstrap(),
        StudentizedBootstrap(),
        RiezlerMaxwellBootstrap(),
    )
}


#: Other names that are understood.
ALIASES = {"ar": "approximate-randomization", "bootstrap-test": "bootstrap"}


def procedure_named(test: str | Procedure) -> Procedure:
    """The test of that name; ``ar`` and ``bootstrap-test`` are understood as well."""
    if isinstance(test, Procedure):
        return test
    if not isinstance(test, str):
        raise unknown_name("test", test, PROCEDURES)
    name = ALIASES.get(test, test).replace("_", "-")
    if name not in PROCEDURES:
        raise unknown_name("test", test, PROCEDURES)
    return PROCEDURES[name]
