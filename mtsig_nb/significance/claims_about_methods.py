"""How often a claim about methods errs that rests on several runs of each.

Such a claim needs both tests of :func:`mtsig_nb.compare_runs` to reject.  The difference of two
methods' means over runs varies for two reasons: by the segments, whose luck the runs of a method
share, and from run to run.  The test over segments is measured against the first alone, the test
over runs against the second.  Each errs by what it leaves out, and both together no more often than
either does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import chdtri, ndtr, ndtri, stdtr, stdtrit

from ..engine.influence import influence_values
from ..statistics.sufficient import SufficientStatistics
from .actual_size import TOLD, USUAL

#: How sure it is to be that runs scatter no less than is reckoned with.  Few runs tell little of
#: it, and the less they scatter, the more counts what the test over runs leaves out.
CONFIDENCE = 0.7


def claim_size(runs: SufficientStatistics, r_a: int, alpha: float, tails: int) -> float | None:
    """How often both tests reject at `alpha` although the methods are equally good.

    Parameters
    ----------
    runs : SufficientStatistics
        The runs of one method, then those of the other, in the units of the test.
    r_a : int
        How many are the first method's.
    alpha : float
    tails : {1, 2}
        Of both tests.

    Returns
    -------
    float or None
        None with a single run of a method, or a single unit, which has no spread.

    Notes
    -----
    With the variance ``V`` of the difference, ``V_s`` of it for the segments, and ``V_r`` what the
    test over runs reckons with, the tests reject as a normal and a Student's t that are too large
    by ``sqrt(V / V_s)`` and ``sqrt(V / V_r)`` (a permutation test of means is close to Student's).
    The variance of a run over segments is split into what a method's runs share, which their
    covariances tell, and the rest, which is in the runs' spread already.  Where one method scatters
    more, the t has Satterthwaite's degrees of freedom.
    """
    counts = np.array([r_a, len(runs.systems) - r_a])
    if counts.min() < 2 or runs.n_segments < 2:
        return None
    level = _attainable(counts, alpha, tails)
    if level == 0:
        return 0.0
    methods = [slice(0, r_a), slice(r_a, None)]
    moved = influence_values(runs)
    covariance = moved @ moved.T
    contrast = np.repeat([1.0, -1.0] / counts, counts)
    by_segments = float(contrast @ covariance @ contrast)
    own = sum(_not_shared(covariance[m, m]) / r for m, r in zip(methods, counts, strict=True))
    scores = runs.metric.score(runs.totals())
    squares = (counts - 1) * [scores[m].var(ddof=1) for m in methods]
    if not squares.any():  # copies of one run: a test over them finds whatever there is
        return float(tails * ndtr(ndtri(alpha / tails)))
    freedom = squares.sum() ** 2 / (squares**2 / (counts - 1)).sum()
    shared = max(by_segments - own, 0.0)
    by_runs = (squares / (counts - 1) / counts).sum()
    reckoned = squares.sum() / (counts - 1).sum() * (1 / counts).sum()
    normal = ndtr(ndtri(alpha / tails) * math.sqrt(by_segments / (shared + by_runs)))
    at_most = chdtri(freedom, 1 - CONFIDENCE) / freedom  # of the spread found, over the true one
    critical = stdtrit((counts - 1).sum(), level / tails)
    t = stdtr(freedom, critical * math.sqrt(reckoned / (shared * at_most + by_runs)))
    return float(tails * min(normal, t))


def note_on_claims(sizes: Sequence[float | None], names: Sequence[str]) -> tuple[str, ...]:
    """One note on the pairs of methods of which such a claim errs more than it says, or none.

    Parameters
    ----------
    sizes : sequence of float or None
        Of each pair, at the usual level.
    names : sequence of str
        Of the pairs.
    """
    told = [(size, name) for size, name in zip(sizes, names, strict=True) if too_large(size)]
    if not told:
        return ()
    low, (high, worst) = f"{min(told)[0]:.2g}", max(told)
    several = f"{len(told)} of {len(sizes)} comparisons (most: {worst}): " if sizes[1:] else ""
    return (
        f"{several}a claim about the methods, with both p-values at {USUAL:g}, errs in about "
        f"{low if low == f'{high:.2g}' else f'{low} to {high:.2g}'}: runs of a method share the "
        "luck of the segments, or those of one scatter more, and the test over runs does not "
        "reckon with it; more segments or a smaller level make up for it",
    )


def too_large(size: float | None) -> bool:
    """Whether a size at the usual level is to be told of."""
    return size is not None and size > TOLD * USUAL


def _attainable(counts: np.ndarray, alpha: float, tails: int) -> float:
    """The largest p-value of the test over runs that is not above `alpha`, or 0."""
    arrangements = math.comb(int(counts.sum()), int(counts[0]))
    step = tails if counts[0] == counts[1] else 1  # equally many: each has a mirror image
    return math.floor(alpha * arrangements / step + 1e-9) * step / arrangements


def _not_shared(covariance: np.ndarray) -> float:
    """What of a run's variance over segments the other runs of its method do not share."""
    r = len(covariance)
    shared = (covariance.sum() - np.trace(covariance)) / (r * (r - 1))
    return float(np.trace(covariance) / r - shared)
