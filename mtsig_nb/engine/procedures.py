"""The published tests, side by side, each a few lines over pseudo-differences.

Every test draws resamples, takes the difference ``d*`` between the two pseudo-systems in each, and
counts those that are extreme.  They differ in three lines: what is *averaged* first, which *null*
values are compared, and what counts as *extreme* against the observed difference ``d``.

============================  ==========  ==============================  ========================
test                          averaged    null                            extreme (two-sided)
============================  ==========  ==============================  ========================
approximate randomization                 ``d*``                          ``|null| >= |d|``
bootstrap, shifted            ``d*``      ``d* - mean(d*)``               ``|null| >= |d|``
paired bootstrap                          ``d*`` (around ``d``, not 0)    ``null <= 0``, doubled
bootstrap as printed in 2005  ``|d*|``    ``|d*| - mean(|d*|)``           ``null >= |d|``
============================  ==========  ==============================  ========================

The last line is the pitfall: with the absolute value taken *before* centring there is one tail
left, yet its count is reported as a two-sided p-value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from ..errors import InputError, unknown_name
from ..metrics.base import FloatArray
from .resampling import Kind

Alternative = Literal["two-sided", "greater", "less"]
ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")

#: ``reaches(values, threshold)``, with the counting rule's comparator and tolerance.
Reaches = Callable[[npt.ArrayLike, npt.ArrayLike], npt.NDArray[np.bool_]]


class Procedure:
    """A test on pseudo-differences; arrays are of shape (pairs, resamples)."""

    name: ClassVar[str]
    title: ClassVar[str]
    source: ClassVar[str]
    kind: ClassVar[Kind]
    alternatives: ClassVar[tuple[Alternative, ...]] = ALTERNATIVES
    #: Whether the two-sided p-value is twice the smaller tail.
    doubled: ClassVar[bool] = False
    #: Whether something is averaged over all resamples before any is counted.
    centres: ClassVar[bool] = False

    @property
    def draws(self) -> str:
        """What one resample is called."""
        return "shuffles" if self.kind == "shuffle" else "bootstrap resamples"

    def averaged(self, pseudo: FloatArray) -> FloatArray:
        """What a procedure that centres averages over all resamples."""
        return pseudo

    def null(self, pseudo: FloatArray, mean: FloatArray | None) -> FloatArray:
        """The values that are compared with the observation."""
        return pseudo

    def extreme(
        self, null: FloatArray, observed: FloatArray, tail: Alternative, reaches: Reaches
    ) -> npt.NDArray[np.bool_]:
        """Which of the null values count against the null hypothesis, in one tail or both."""
        if tail == "two-sided":
            return reaches(np.abs(null), np.abs(observed))
        if tail == "greater":
            return reaches(null, observed)
        return reaches(-null, -observed)

    def tails(self, alternative: Alternative) -> tuple[Alternative, ...]:
        """The tails to count for `alternative`: both, apart, where p is twice the smaller."""
        if alternative not in ALTERNATIVES:
            raise unknown_name("alternative", alternative, ALTERNATIVES)
        if alternative not in self.alternatives:
            raise InputError(
                f"alternative={alternative!r}: the {self.title} is defined only as "
                f"{' or '.join(map(repr, self.alternatives))}."
            )
        if self.doubled and alternative == "two-sided":
            return ("greater", "less")
        return (alternative,)


class ApproximateRandomization(Procedure):
    """Exchange the two outputs of each unit with probability one half.

    Riezler & Maxwell 2005, Figure 1; Graham et al. 2014, Figure 2.
    """

    name = "approximate-randomization"
    title = "approximate randomization"
    source = "Riezler & Maxwell 2005, Fig. 1; Graham et al. 2014, Fig. 2"
    kind = "shuffle"


class ShiftedBootstrap(Procedure):
    """Resample units, then shift the *signed* differences so that their mean is zero.

    Two-sided: Graham et al. 2014, Figure 1; one-sided: Figure 3.
    """

    name = "bootstrap"
    title = "bootstrap test (shift method)"
    source = "Graham et al. 2014, Figs 1 and 3"
    kind = "bootstrap"
    centres = True

    def null(self, pseudo: FloatArray, mean: FloatArray | None) -> FloatArray:
        assert mean is not None  # it centres
        return pseudo - mean


class PairedBootstrap(Procedure):
    """Resample units and count how often the other system wins or ties.

    Koehn 2004, section 6; Graham et al. 2014, Figure 4.  The resamples lie around the observed
    difference, so "wins in 95 % of them" says that a one-sided 95 % percentile bound excludes
    zero.  It is one-sided; the two-sided p-value offered here is twice the smaller tail.
    """

    name = "paired-bootstrap"
    title = "paired bootstrap"
    source = "Koehn 2004, section 6; Graham et al. 2014, Fig. 4"
    kind = "bootstrap"
    doubled = True

    def extreme(
        self, null: FloatArray, observed: FloatArray, tail: Alternative, reaches: Reaches
    ) -> npt.NDArray[np.bool_]:
        return reaches(-null, 0.0) if tail == "greater" else reaches(null, 0.0)


class RiezlerMaxwellBootstrap(Procedure):
    """The bootstrap exactly as printed in Riezler & Maxwell 2005, Figure 2: the pitfall.

    Differences lose their sign before they are centred, so only one tail is left to count.
    Under the null hypothesis it rejects more often than it says: at a level of .05 about twice as
    often in the simulations of notebooks 05 and 12; the factor depends on level, data and size.
    """

    name = "riezler-maxwell-bootstrap"
    title = "bootstrap as printed by Riezler & Maxwell (2005)"
    source = "Riezler & Maxwell 2005, Fig. 2"
    kind = "bootstrap"
    alternatives = ("two-sided",)
    centres = True

    def averaged(self, pseudo: FloatArray) -> FloatArray:
        return np.abs(pseudo)

    def null(self, pseudo: FloatArray, mean: FloatArray | None) -> FloatArray:
        assert mean is not None  # it centres
        return np.abs(pseudo) - mean

    def extreme(
        self, null: FloatArray, observed: FloatArray, tail: Alternative, reaches: Reaches
    ) -> npt.NDArray[np.bool_]:
        return reaches(null, np.abs(observed))


PROCEDURES: dict[str, Procedure] = {
    procedure.name: procedure
    for procedure in (
        ApproximateRandomization(),
        ShiftedBootstrap(),
        PairedBootstrap(),
        RiezlerMaxwellBootstrap(),
    )
}


def procedure_named(test: str | Procedure) -> Procedure:
    """The test of that name; ``ar`` and ``bootstrap-test`` are understood as well."""
    if isinstance(test, Procedure):
        return test
    alias = {"ar": "approximate-randomization", "bootstrap-test": "bootstrap"}
    name = alias.get(test, test).replace("_", "-") if isinstance(test, str) else None
    if name not in PROCEDURES:
        raise unknown_name("test", test, PROCEDURES)
    return PROCEDURES[name]
