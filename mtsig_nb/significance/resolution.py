"""How finely so many resamples can tell, and when to draw more of them.

A p-value from R resamples is a multiple of about 1/R.  Corrected for many comparisons, even the
smallest of them may lie above the level: then the test could not have rejected whatever the data,
and to say "no difference was detected" would be to blame the systems for the number of resamples.
So every adjusted p-value has Monte Carlo limits, and a pair that is not distinguished is
*unresolved* where they lie on both sides of the level: endless resamples might distinguish it.

Where the caller gives no number, `LOOKS` are taken: after each, the systems of those pairs are
resampled further whose conclusion could still turn.  As far as a count is binomial (see
:mod:`mtsig_nb.engine.counting`), the limits hold over all looks together, each being given an equal
share of the error (Bonferroni).  p-values of pairs are corrected together by their limits, as in
Gandy & Hahn (2014, Scand. J. Stat. 41): a correction that never lowers an adjusted p-value when a
p-value rises turns limits of p-values into limits of adjusted ones.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..engine.counting import Counting, clopper_pearson
from ..engine.procedures import Alternative, Procedure
from ..metrics.base import FloatArray
from .corrections import NEED_SMALL_PVALUES, OF_PVALUES, OF_RESAMPLES, adjust_pvalues

#: Resamples after which it is seen whether more are needed, where no number is given; the last is
#: the ceiling.  Whole blocks.
LOOKS = (10_000, 30_000, 100_000)


def smallest_pvalue(
    procedure: Procedure,
    *,
    n_resamples: int,
    alternative: Alternative = "two-sided",
    counting: Counting | None = None,
    correction: str | None = None,
    n_comparisons: int = 1,
) -> float:
    """The smallest adjusted p-value that resamples can give to any comparison of a family.

    Parameters
    ----------
    procedure : Procedure
    n_resamples : int
    alternative : {"two-sided", "greater", "less"}
    counting : Counting, optional
        (c+1)/(R+1) by default.
    correction : str or None
    n_comparisons : int
        Size of the family.

    Returns
    -------
    float
        0 under a rule that leaves out the observed value, such as c/R.

    Notes
    -----
    Step-up corrections (Hochberg, Hommel, Benjamini-Hochberg) get there only if all comparisons
    do.

    Examples
    --------
    >>> from mtsig_nb.engine.procedures import procedure_named
    >>> koehn = procedure_named("paired-bootstrap")
    >>> smallest_pvalue(koehn, n_resamples=1999, correction="holm", n_comparisons=66)
    0.066
    """
    if correction in OF_RESAMPLES:
        return min(1.0, 1 / (n_resamples + 1))
    counting = counting or Counting()
    tails = len(procedure.tails(alternative))
    smallest = min(1.0, tails * float(counting.pvalue(0, n_resamples)))
    return float(adjust_pvalues(np.full(n_comparisons, smallest), correction).min())


def needed_resamples(
    procedure: Procedure,
    alpha: float,
    *,
    alternative: Alternative = "two-sided",
    correction: str | None = None,
    n_comparisons: int = 1,
) -> int:
    """How many resamples a single clear difference needs to be told among so many comparisons.

    Its p-value is at least 1/(R+1), twice that where the smaller tail is doubled, and corrections
    of Bonferroni's kind ask for ``alpha / n_comparisons``.

    Examples
    --------
    >>> from mtsig_nb.engine.procedures import procedure_named
    >>> ar, koehn = procedure_named("ar"), procedure_named("paired-bootstrap")
    >>> needed_resamples(ar, 0.05, correction="holm", n_comparisons=120)
    2399
    >>> needed_resamples(koehn, 0.05, correction="holm", n_comparisons=66)
    2639
    """
    tails = 1 if correction in OF_RESAMPLES else len(procedure.tails(alternative))
    family = n_comparisons if correction in NEED_SMALL_PVALUES else 1
    return max(1, int(np.ceil(tails * family / alpha - 1 - 1e-9)))


def adjusted_limits(
    correction: str | None,
    adjusted: FloatArray,
    low: FloatArray,
    high: FloatArray,
    n_resamples: int,
    confidence_level: float,
) -> tuple[FloatArray, FloatArray]:
    """Monte Carlo limits of a family's adjusted p-values.

    Parameters
    ----------
    correction : str or None
    adjusted : ndarray, shape (comparisons,)
    low, high : ndarray, shape (comparisons,)
        Limits of the unadjusted p-values.
    n_resamples : int
        What a correction of resamples has counted among.
    confidence_level : float
    """
    if correction is None or correction in OF_PVALUES:
        return adjust_pvalues(low, correction), adjust_pvalues(high, correction)
    # They are (c + 1) / (R + 1), but for those that were enumerated.
    count = np.clip(np.rint(adjusted * (n_resamples + 1)).astype(np.int64) - 1, 0, n_resamples)
    return clopper_pearson(count, n_resamples, confidence_level)


def straddles(low: npt.ArrayLike, high: npt.ArrayLike, alpha: float) -> npt.NDArray[np.bool_]:
    """Where the limits leave both conclusions possible."""
    return (np.asarray(low) <= alpha) & (np.asarray(high) > alpha)


def at_floor(
    correction: str | None, adjusted: FloatArray, pvalue_low: FloatArray, n_resamples: int
) -> npt.NDArray[np.bool_]:
    """Which adjusted p-values are as small as the resamples allow, so that p is below them.

    Parameters
    ----------
    correction : str or None
    adjusted : ndarray, shape (comparisons,)
    pvalue_low : ndarray, shape (comparisons,)
        Lower limits of the unadjusted p-values: 0 where no resample was extreme.
    n_resamples : int
        As in `adjusted_limits`.
    """
    if correction in OF_RESAMPLES:
        return adjusted * (n_resamples + 1) <= 1 + 1e-9
    unseen = pvalue_low == 0
    # A step-down correction lifts the next ones to the same value.
    lifted = adjusted <= adjusted[unseen].max(initial=0.0) * (1 + 1e-12)
    return unseen | (lifted if correction else False)


def looks_for(correction: str | None) -> tuple[int, ...]:
    """The looks to take; a correction that draws anew for all systems has no third one."""
    return LOOKS[:2] if correction in OF_RESAMPLES else LOOKS
