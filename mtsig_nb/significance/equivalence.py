"""Showing that two systems differ by little, which a test that finds no difference does not.

The null hypothesis is turned round: the true difference is *at least as large as the margin*.  Two
one-sided tests (Schuirmann 1987) must both reject it, one on each side.  That is the same as asking
whether the interval of level 1 - 2 alpha lies within the margin.  The margin is the smallest
difference that would matter.  It is chosen before the scores are looked at, and it makes the
result: with a margin that is wide enough everything is equivalent.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd

from ..conclusions.deciding import check_level, decide
from ..described import Framed
from ..engine.counting import Counting, tie_scale
from ..engine.edgeworth import Shape, extended, size
from ..engine.procedures import PROCEDURES
from ..engine.resampling import RNG
from ..engine.tallies import PAIR, differing_units
from ..errors import InputError
from ..metrics.base import ArrayLike, FloatArray
from ..notes import Note, note
from ..statistics.sufficient import SufficientStatistics
from .actual_size import NOTED, sample_shape
from .intervals import confidence_interval
from .one_pair import documents_note, notes_on_pair, select_pair
from .results import OfPair, format_pvalue, pair_fields

_COUNTING = Counting()
#: A share of units that may go unseen, above which a note says so: below 300 units at .05.
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
        Of the same units; it extends as far to either side of zero.
    pvalue_below, pvalue_above : float
        Of the null hypotheses that `system_a` is worse by the margin or more, and that it is
        better by the margin or more.
    alpha : float
    interval : tuple of float
        Limits of the difference at level ``1 - 2 * alpha``.
    size_at_margin : float or None
        How often a test at `alpha` finds systems equivalent that differ by just the margin, as far
        as this sample's skewness tells: the larger of the two sides.  None where fewer than ten
        units differ, or there are fewer than twenty.
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
    """

    _plotted = ("statistic", "ci_low", "ci_high")

    margin: float
    pvalue_below: float
    pvalue_above: float
    alpha: float
    interval: tuple[float, float]
    size_at_margin: float | None = None

    @property
    def pvalue(self) -> float:
        """The larger of the two: both one-sided tests must reject."""
        return max(self.pvalue_below, self.pvalue_above)

    @property
    def equivalent(self) -> bool:
        """Whether a difference as large as the margin was ruled out, at `alpha`."""
        is_rejected = decide(1.0, self.pvalue, self.alpha)  # by the rule of all tests
        return bool(is_rejected)

    @property
    def conclusion(self) -> str:
        """In words that claim no more than was shown."""
        shown = "differ by less than" if self.equivalent else "not shown to be within"
        return f"{shown} the margin of {self.margin:g} {self.metric}"

    def _lines(self) -> list[str]:
        """The conclusion, the difference and its interval."""
        low, high = self.interval
        return [
            f"{self.system_a} and {self.system_b}: {self.conclusion} "
            f"(p = {format_pvalue(self.pvalue)}, two one-sided tests at {self.alpha:g})",
            f"{self.statistic:+.2f} {self.metric} ({self.score_a:.2f} vs {self.score_b:.2f}), "
            f"{1 - 2 * self.alpha:.0%} interval {low:+.2f} to {high:+.2f}; percentile "
            f"bootstrap, {self.n_resamples:,} resamples of {self.n_units:,} {self.unit}, "
            f"{_COUNTING.sentence}, rng={self.rng}",
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
    n_resamples: int = 10_000,
    rng: RNG = None,
    units: str | ArrayLike = "segments",
) -> EquivalenceTest:
    """Test whether two systems differ by less than a margin.

    The null hypothesis is that, on test sets like this one, the expected difference is the margin
    or more, in either direction.  Rejecting it shows that the systems differ by less than the
    margin; it does not show that they are equal, which nothing can.  A pair may differ
    significantly and still be equivalent: by little, but surely.

    Parameters
    ----------
    statistics : SufficientStatistics
    system_a, system_b : str
    margin : float
        The smallest difference that would matter, in the metric's units; larger than 0.  Chosen
        beforehand, and argued for.
    alpha : float
        Level of each of the two one-sided tests, and of both together, as far as the interval
        with which the test agrees covers what it says (``docs/trust.md``).
    n_resamples, rng, units
        As in :func:`confidence_interval`, whose percentile interval of level ``1 - 2 * alpha``
        lies within the margin where the test finds equivalence.

    Returns
    -------
    EquivalenceTest

    Raises
    ------
    InputError
        For a margin that is not positive, or alpha not below one half.

    Notes
    -----
    The two tests err in `alpha` with many independent units of which none outweighs the others, if
    the score has no kink near.  Where differences are skewed they err more often on one side, and a
    note says how often, as far as the sample shows it.  What the sample does not show cannot be
    estimated: n units have nothing of what happens in ``1 - alpha ** (1 / n)`` of all, with a
    probability of `alpha`.  For 50 units at .05 that is 6 %.  In a world where one system fails
    altogether in 2 % of segments, and differs by just the margin, the test calls the two equivalent
    in .37 of test sets of 50 segments and in .09 of those of 300 (``docs/trust.md``).

    References
    ----------
    Schuirmann 1987; Efron & Tibshirani 1993, section 13.3 and chapter 16; Hall 1992, section 3.5,
    on errors of percentile limits.

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
    pair = select_pair(statistics, system_a, system_b).by_unit(units)
    interval = confidence_interval(
        pair, system_a, system_b, confidence_level=1 - 2 * alpha, n_resamples=n_resamples, rng=rng
    )
    fields = pair_fields(pair)
    scale = float(tie_scale(pair.metric, fields["score_a"], fields["score_b"]))
    differing = differing_units(pair, PAIR)
    n_differing = int(differing[0])
    shape = sample_shape(pair, PAIR, differing)
    size_at_margin = _size_at_margin(shape, alpha)
    notes = [
        *pair.caveats,
        *notes_on_pair(pair, n_differing),
        *_note_on_size_at_margin(size_at_margin, shape, alpha),
    ]
    if n_differing:
        notes += _note_on_unseen(pair.n_segments, alpha)
    notes += _notes_on_interval(interval.low, interval.high, margin)
    return EquivalenceTest(
        **fields,
        margin=float(margin),
        pvalue_below=_pvalue_beyond(margin, -interval.distribution, scale),
        pvalue_above=_pvalue_beyond(margin, interval.distribution, scale),
        alpha=alpha,
        interval=(interval.low, interval.high),
        size_at_margin=size_at_margin,
        n_resamples=interval.n_resamples,
        rng=interval.rng,
        notes=(*notes, *documents_note(pair)),
    )


def _pvalue_beyond(margin: float, distribution: FloatArray, scale: float) -> float:
    """The share of resampled differences that reach the margin, counted as p-values are."""
    count = _COUNTING.reaches(distribution, margin, scale).sum()
    return float(_COUNTING.pvalue(count, len(distribution)))


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


def _size_at_margin(shape: Shape, alpha: float) -> float | None:
    """How often one of the two tests errs at its margin, the larger of both; None if not known.

    Each asks whether a percentile limit excludes the margin, as the paired bootstrap asks whether
    it excludes zero.
    """
    critical = PROCEDURES["paired-bootstrap"].critical
    population = extended(shape)
    (size_below,) = size(critical, population, alpha, "greater")
    (size_above,) = size(critical, population, alpha, "less")
    if np.isnan(size_below):
        return None
    return float(max(size_below, size_above))
