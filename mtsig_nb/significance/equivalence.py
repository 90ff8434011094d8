"""Showing that two systems differ by little, which a test that finds no difference does not.

The null hypothesis is turned round: the true difference is *at least as large as the margin*.  Two
one-sided tests (Schuirmann 1987) must both reject it, one on each side.  That is the same as asking
whether the interval of level 1 - 2 alpha lies within the margin.  The margin is the smallest
difference that would matter.  It is chosen before the scores are looked at, and it makes the
result: with a margin that is wide enough everything is equivalent.

One of the two tests alone, that on the side where the first system is worse, is a test of
non-inferiority: it shows that a candidate is not worse than a baseline by the margin or more.  A
gate for releases asks no more (:mod:`mtsig_nb.significance.gate`).
"""

from __future__ import annotations

import dataclasses
from typing import Literal, Protocol, get_args

import numpy as np
import pandas as pd

from ..conclusions.deciding import check_level, decide
from ..described import Framed
from ..engine.counting import Counting, tie_scale
from ..engine.edgeworth import Shape, extended, size
from ..engine.influence import Studentizer
from ..engine.procedures import PROCEDURES
from ..engine.resampling import RNG
from ..engine.tallies import PAIR, differing_units
from ..errors import InputError, check_one_of
from ..metrics.base import ArrayLike, FloatArray
from ..notes import Note, note
from ..statistics.sufficient import SufficientStatistics
from .actual_size import NOTED, sample_shape
from .corrections import standard_errors
from .intervals import ConfidenceInterval, Studentized, confidence_interval, value_at_limit
from .one_pair import documents_note, notes_on_pair, select_pair
from .planning import units_to_find
from .results import OfPair, format_pvalue, pair_fields

Method = Literal["percentile", "bootstrap-t", "both"]

_COUNTING = Counting()
#: The bootstraps that a method asks; where there are several, the larger p-value stands.
_BOOTSTRAPS: dict[str, tuple[str, ...]] = {
    "percentile": ("percentile",),
    "bootstrap-t": ("bootstrap-t",),
    "both": ("percentile", "bootstrap-t"),
}
#: What the bootstraps of a method are called.
_IN_WORDS = {
    "percentile": "percentile bootstrap",
    "bootstrap-t": "bootstrap-t",
    "both": "percentile bootstrap and bootstrap-t, the more cautious of the two",
}
#: For each bootstrap, the test that decides as its limits do.
_TESTS = {"percentile": "paired-bootstrap", "bootstrap-t": "studentized-bootstrap"}
#: What a gate may say of `system_a`.
NOT_WORSE = "not worse"
IS_WORSE = "worse"
CANNOT_TELL = "cannot tell"
#: What happens in this share of all units, or in more, may not have happened in few units; then a
#: note says so (below 300 units at .05).
UNSEEN = 0.01


@dataclasses.dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class EquivalenceTest(OfPair, Framed):
    """Whether two systems were shown to differ by less than a margin.

    Attributes
    ----------
    system_a, system_b : str
    score_a, score_b : float
    statistic : float
        How much better `system_a` is, in the metric's units.
    margin : float
        In the same units; it extends equally far to both sides of zero.
    pvalue_below, pvalue_above : float
        P-values of the null hypotheses that `system_a` is worse by the margin or more, and that it
        is better by the margin or more.
    pvalue_beyond : float
        P-value of the null hypothesis that `system_a` is not worse, or worse by the margin at most.
    alpha : float
    interval : tuple of float
        Limits of the difference at level ``1 - 2 * alpha``.
    size_at_margin : float or None
        How often a test at `alpha` calls systems equivalent that differ by exactly the margin, as
        far as this sample's skewness shows: the larger of the two sides.  None where fewer than ten
        units differ, or there are fewer than twenty.
    size_below : float or None
        The same for the side on which `system_a` is worse.
    method : {"percentile", "bootstrap-t", "both"}
    standard_error : float
        Of the difference, by the jackknife.
    n_resamples, rng, unit, n_units, metric, metric_signature, test_set
        What made it.
    notes : tuple of Note

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt21/de-en").statistics("BLEU")
    >>> pair = "Watermelon", "VolcTrans-AT"
    >>> found = mt.equivalence_test(bleu, *pair, margin=0.5, n_resamples=1000, rng=1)
    >>> found.equivalent, found.pvalue < found.alpha
    (True, True)
    >>> found.verdict
    'not worse'
    """

    _plotted = ("statistic", "ci_low", "ci_high")

    margin: float
    pvalue_below: float
    pvalue_above: float
    pvalue_beyond: float
    alpha: float
    interval: tuple[float, float]
    size_at_margin: float | None = None
    size_below: float | None = None
    method: str = "percentile"
    standard_error: float

    @property
    def pvalue(self) -> float:
        """The larger of the two: both one-sided tests must reject."""
        return max(self.pvalue_below, self.pvalue_above)

    @property
    def equivalent(self) -> bool:
        """Whether a difference as large as the margin was ruled out, at `alpha`."""
        return _is_rejected(self.pvalue, self.alpha)

    @property
    def verdict(self) -> str:
        """What a gate says about `system_a`: ``"not worse"``, ``"worse"`` or ``"cannot tell"``.

        It is *not worse* if a loss as large as the margin was ruled out, even if it is surely worse
        by a smaller amount.  It is *worse* if a loss of at most the margin was ruled out.  Each is
        shown by a one-sided test at `alpha`.
        """
        if _is_rejected(self.pvalue_below, self.alpha):
            return NOT_WORSE
        if _is_rejected(self.pvalue_beyond, self.alpha):
            return IS_WORSE
        return CANNOT_TELL

    def units_needed(self, difference: float = 0.0, *, power: float = 0.8) -> float:
        """How many units in all would show that `system_a` is not worse by the margin or more.

        Parameters
        ----------
        difference : float
            How much better `system_a` truly is.
        power : float
            Required probability of showing it.

        Returns
        -------
        float
            A whole number; infinite if the true difference is a loss of the margin or more.

        Notes
        -----
        As :func:`minimum_detectable_difference`, one-sided, with this test set as the pilot.

        Examples
        --------
        >>> import mtsig_nb as mt
        >>> bleu = mt.load("wmt21/de-en").statistics("BLEU")
        >>> pair = "Watermelon", "VolcTrans-AT"
        >>> found = mt.equivalence_test(bleu, *pair, margin=0.5, n_resamples=1000, rng=1)
        >>> found.units_needed() < found.units_needed(-0.25) < found.units_needed(-0.5)
        True
        """
        return units_to_find(
            self.margin + difference,
            self.standard_error * np.sqrt(self.n_units),
            level=self.alpha,
            n_tails=1,
            power=power,
        )

    @property
    def conclusion(self) -> str:
        """The conclusion in words that claim no more than was shown."""
        shown = "differ by less than" if self.equivalent else "not shown to be within"
        return f"{shown} the margin of {self.margin:g} {self.metric}"

    def _lines(self) -> list[str]:
        """The conclusion, the difference and its interval."""
        low, high = self.interval
        return [
            f"{self.system_a} and {self.system_b}: {self.conclusion} "
            f"(p = {format_pvalue(self.pvalue)}, two one-sided tests at {self.alpha:g})",
            f"{self.statistic:+.2f} {self.metric} ({self.score_a:.2f} vs {self.score_b:.2f}), "
            f"{1 - 2 * self.alpha:.0%} interval {low:+.2f} to {high:+.2f}; "
            f"{_IN_WORDS[self.method]}, {self.n_resamples:,} resamples of {self.n_units:,} "
            f"{self.unit}, {_COUNTING.sentence}, rng={self.rng}",
        ]

    def to_frame(self) -> pd.DataFrame:
        """One tidy row, unrounded."""
        low, high = self.interval
        frame = super().to_frame().assign(ci_low=low, ci_high=high)
        return frame.assign(pvalue=self.pvalue, equivalent=self.equivalent)


def equivalence_test(
    statistics: SufficientStatistics,
    system_a: str,
    system_b: str,
    *,
    margin: float,
    alpha: float = 0.05,
    method: Method = "percentile",
    n_resamples: int = 10_000,
    rng: RNG = None,
    units: str | ArrayLike = "segments",
) -> EquivalenceTest:
    """Test whether two systems differ by less than a margin.

    The null hypothesis is that, on test sets like this one, the expected difference is the margin
    or more, in either direction.  Rejecting it shows that the systems differ by less than the
    margin; it does not show that they are equal, which no test can.  A pair may differ
    significantly and still be equivalent: the difference is small, but certain.

    Parameters
    ----------
    statistics : SufficientStatistics
    system_a, system_b : str
    margin : float
        The smallest difference that would matter, in the metric's units; larger than 0.  Choose it
        beforehand, and give reasons.
    alpha : float
        Level of each of the two one-sided tests, and of both together, as far as the interval with
        which the test agrees has its nominal coverage (``docs/trust/worlds-skewed.md``).
    method : {"percentile", "bootstrap-t", "both"}
        The bootstrap that has to rule the margin out.  ``"percentile"`` compares resampled
        differences with the margin; ``"bootstrap-t"`` compares their distances from the observed
        one, each in its own standard error, separately on each side.  With ``"both"`` the larger
        p-value is reported; see Notes.
    n_resamples, rng, units
        As in :func:`confidence_interval`, whose percentile interval of level ``1 - 2 * alpha``
        lies within the margin where the percentile test finds equivalence.

    Returns
    -------
    EquivalenceTest

    Raises
    ------
    InputError
        For a margin that is not positive, an unknown method, or an alpha of one half or more.

    Notes
    -----
    The two tests err in `alpha` with many independent units of which none outweighs the others, if
    the score has no kink near.  Where differences are skewed they err more often on one side, and a
    note says how often, as far as the sample shows it.  What the sample does not show cannot be
    estimated: with a probability of `alpha`, n units contain no case of something that happens in
    ``1 - alpha ** (1 / n)`` of all units.  For 50 units at .05 that is 6 %.  In a world where one
    system fails altogether in 2 % of segments, and differs by exactly the margin, the test calls
    the two equivalent in .37 of test sets of 50 segments and in .09 of those of 300
    (``docs/trust/worlds-skewed.md``).

    The two bootstraps err in different worlds: the percentile limits where differences are skewed,
    bootstrap-t where units have unequal weights.  Where one errs, the other mostly does not, and a
    system that has to satisfy both passes only slightly less often.  Gates use ``"both"``.

    References
    ----------
    Schuirmann 1987; Blackwelder 1982 on one side alone, non-inferiority; Efron & Tibshirani 1993,
    section 13.3 and chapter 16; Hall 1992, section 3.5, on errors of percentile limits.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt22/de-en").statistics("BLEU")
    >>> pair = "Online-A", "Online-B"
    >>> mt.equivalence_test(bleu, *pair, margin=1, n_resamples=2000, rng=1).conclusion
    'differ by less than the margin of 1 BLEU'
    >>> mt.equivalence_test(bleu, *pair, margin=0.2, n_resamples=2000, rng=1).conclusion
    'not shown to be within the margin of 0.2 BLEU'
    """
    check_level(alpha)
    if alpha >= 0.5:
        raise InputError(f"alpha={alpha!r} must be below 0.5, such as 0.05.")
    if not (np.isfinite(margin) and margin > 0):
        raise InputError(f"margin={margin!r} must be larger than 0, in units of the metric.")
    check_one_of("method", method, get_args(Method))
    pair = select_pair(statistics, system_a, system_b).by_unit(units)
    interval = confidence_interval(
        pair, system_a, system_b, confidence_level=1 - 2 * alpha, n_resamples=n_resamples, rng=rng
    )
    bootstraps = [_bootstrap(name, pair, interval) for name in _BOOTSTRAPS[method]]
    low = min(bootstrap.low for bootstrap in bootstraps)
    high = max(bootstrap.high for bootstrap in bootstraps)
    differing = differing_units(pair, PAIR)
    n_differing = int(differing[0])
    shape = sample_shape(pair, PAIR, differing)
    # A test errs where the loss is the margin and it finds the first system better than that.
    size_below = _size_at_margin(shape, alpha, method, "greater")
    size_above = _size_at_margin(shape, alpha, method, "less")
    size_at_margin = None
    if size_below is not None and size_above is not None:
        size_at_margin = max(size_below, size_above)
    notes = [
        *pair.caveats,
        *notes_on_pair(pair, n_differing),
        *_note_on_size_at_margin(size_at_margin, shape, alpha),
    ]
    if n_differing:  # otherwise a note says already that nothing differs
        notes += _note_on_unseen(pair.n_segments, alpha)
    notes += _notes_on_interval(low, high, margin)
    return EquivalenceTest(
        **pair_fields(pair),
        margin=float(margin),
        pvalue_below=max(bootstrap.pvalue_up_to(-margin) for bootstrap in bootstraps),
        pvalue_above=max(bootstrap.pvalue_from(margin) for bootstrap in bootstraps),
        pvalue_beyond=max(bootstrap.pvalue_from(-margin) for bootstrap in bootstraps),
        alpha=alpha,
        interval=(low, high),
        size_at_margin=size_at_margin,
        size_below=size_below,
        method=method,
        standard_error=float(standard_errors(pair, PAIR)[0]),
        n_resamples=interval.n_resamples,
        rng=interval.rng,
        notes=(*notes, *documents_note(pair)),
    )


def _is_rejected(pvalue: float, alpha: float) -> bool:
    """Whether a one-sided null hypothesis is rejected, by the rule of all tests."""
    on_the_side_asked_for = 1.0
    return bool(decide(on_the_side_asked_for, pvalue, alpha))


class _Bootstrap(Protocol):
    """One-sided tests of a difference, and the limits of the interval with which they agree."""

    low: float
    high: float

    def pvalue_up_to(self, bound: float) -> float:
        """Of the null hypothesis that the true difference is `bound` or less."""

    def pvalue_from(self, bound: float) -> float:
        """Of the null hypothesis that the true difference is `bound` or more."""


@dataclasses.dataclass(eq=False)
class _Percentile:
    """By the share of resampled differences that reach a bound."""

    low: float
    high: float
    distribution: FloatArray
    scale: float  # what ties are relative to

    @classmethod
    def of(cls, pair: SufficientStatistics, interval: ConfidenceInterval) -> _Percentile:
        """From a percentile interval of the pair's difference, with its resamples and limits."""
        score_a, score_b = pair.metric.score(pair.totals())
        scale = float(tie_scale(pair.metric, score_a, score_b))
        return cls(interval.low, interval.high, interval.distribution, scale)

    def pvalue_up_to(self, bound: float) -> float:
        return _share(-self.distribution, -bound, self.scale)

    def pvalue_from(self, bound: float) -> float:
        return _share(self.distribution, bound, self.scale)


@dataclasses.dataclass(eq=False)
class _BootstrapT:
    """By how far resamples are from the observed difference, each in its own standard error."""

    low: float
    high: float
    studentizer: Studentizer
    t: FloatArray

    @classmethod
    def of(cls, pair: SufficientStatistics, interval: ConfidenceInterval) -> _BootstrapT:
        """From the resamples of an interval of the pair's difference, with limits of its level."""
        assert interval.rng is not None  # it is the seed of its resamples
        studentized = Studentized.of(pair, interval.distribution, interval.rng)
        confidence_of_limit = (1 + interval.confidence_level) / 2
        above = value_at_limit(studentized.t, confidence_of_limit)
        below = value_at_limit(-studentized.t, confidence_of_limit)
        estimate = studentized.estimate
        error = studentized.error
        low = estimate
        high = estimate
        if error > 0:
            # Resamples that lie far above the estimate say how far below it the truth may lie.
            low -= above * error
            high += below * error
        return cls(low, high, studentized.studentizer, studentized.t)

    def pvalue_up_to(self, bound: float) -> float:
        return _share(self.t, self._in_errors_from(bound), self._scale)

    def pvalue_from(self, bound: float) -> float:
        return _share(-self.t, -self._in_errors_from(bound), self._scale)

    def _in_errors_from(self, bound: float) -> float:
        """How far the observed difference is from a bound, in standard errors."""
        return float(self.studentizer.from_bound(bound).item())

    @property
    def _scale(self) -> float:
        """What ties are relative to."""
        return float(self.studentizer.statistic_scale.item())


def _bootstrap(name: str, pair: SufficientStatistics, interval: ConfidenceInterval) -> _Bootstrap:
    """The bootstrap of this name, from a percentile interval of the pair's difference."""
    if name == "bootstrap-t":
        return _BootstrapT.of(pair, interval)
    return _Percentile.of(pair, interval)


def _share(values: FloatArray, bound: float, scale: float) -> float:
    """The share of values that reach a bound, counted as p-values are."""
    count = _COUNTING.reaches(values, bound, scale).sum()
    return float(_COUNTING.pvalue(count, len(values)))


def _note_on_size_at_margin(size_at_margin: float | None, shape: Shape, alpha: float) -> list[Note]:
    """How often the test errs at the margin, where that is much more often than `alpha`."""
    if size_at_margin is None or size_at_margin <= NOTED * alpha:
        return []
    skewness = float(shape.skewness[0])
    return [note("size-at-margin", n=shape.n, size=size_at_margin, alpha=alpha, skewness=skewness)]


def _note_on_unseen(n_units: int, alpha: float) -> list[Note]:
    """That so many units may not have what happens rarely."""
    share = 1 - alpha ** (1 / n_units)
    return [note("unseen", n=n_units, share=share)] if share > UNSEEN else []


def _notes_on_interval(low: float, high: float, margin: float) -> list[Note]:
    """Where the interval lies, if it excludes zero or the margin."""
    notes = []
    if low > 0 or high < 0:
        notes.append(note("excludes-zero"))
    if low >= margin or high <= -margin:
        notes.append(note("beyond-margin"))
    return notes


def _size_at_margin(shape: Shape, alpha: float, method: str, alternative: str) -> float | None:
    """How often the test of one side errs at its margin; None if not known.

    It asks whether a limit excludes the margin, as the test that goes with the bootstrap asks
    whether it excludes zero.  Two bootstraps that must agree err as often as one at most.
    """
    population = extended(shape)
    sizes = []
    for bootstrap in _BOOTSTRAPS[method]:
        critical = PROCEDURES[_TESTS[bootstrap]].critical
        (of_bootstrap,) = size(critical, population, alpha, alternative)
        sizes.append(float(of_bootstrap))
    return None if np.isnan(sizes).any() else min(sizes)
