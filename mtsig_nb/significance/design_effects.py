"""How much less is known where segments of a document are alike: the effect of clusters."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..errors import InputError
from ..metrics.base import FloatArray
from ..notes import Note, note
from ..statistics.sufficient import SufficientStatistics, pair_indices
from .corrections import standard_errors


def documents_note(*metrics: SufficientStatistics) -> tuple[Note, ...]:
    """What to say where segments are resampled although documents are known.

    Returns
    -------
    tuple of str
        One note with the ratio of the two standard errors, the median over all pairs of systems and
        metrics; empty where documents are the units or are not known.
    """
    statistics = metrics[0]
    if statistics.unit != "segments" or statistics.documents is None:
        return ()
    n_documents = len(pd.unique(statistics.documents))
    try:
        ratios = np.concatenate([unit_errors(s)[:, 2] for s in metrics])
    except InputError:  # a single document, or one that lies in two strata or alone in its own
        return (note("documents-ignored", n=n_documents, more=""),)
    ratios = ratios[np.isfinite(ratios)]
    if not len(ratios):
        return (note("documents-ignored", n=n_documents, more=""),)
    if len(ratios) == 1:
        how = f"the standard error of the difference is {ratios[0]:.2f} times as large"
    else:
        how = (
            f"standard errors of the differences are {np.median(ratios):.2f} times as large "
            f"(median; at most {ratios.max():.2f})"
        )
    more = f": with documents as units {how}; use units='documents'"
    return (note("documents-ignored", n=n_documents, more=more),)


def unit_errors(statistics: SufficientStatistics) -> FloatArray:
    """Standard errors of all pairs of systems by segment and by document, and what they tell.

    Returns
    -------
    ndarray, shape (pairs, 4)
        Both jackknife standard errors, their ratio, and the mean correlation of two segments of
        one document that explains it (Kish 1965, section 5.4).

    Raises
    ------
    InputError
        If documents are not known, or there is only one.
    """
    pairs = pair_indices(len(statistics.systems))
    by_segment = standard_errors(statistics, pairs)
    by_document = standard_errors(statistics.by_unit("documents"), pairs)
    sizes = pd.Series(statistics.documents).value_counts().to_numpy()
    # Segments of a document of m correlate with m - 1 others: what the design effect is made of.
    others = (sizes**2).sum() / sizes.sum() - 1
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(by_segment > 0, by_document / by_segment, np.nan)
        correlation = (ratio**2 - 1) / others if others > 0 else np.full_like(ratio, np.nan)
    return np.column_stack([by_segment, by_document, ratio, correlation])


def intraclass_correlations(
    values: FloatArray,
    documents: npt.NDArray[np.int64],
    strata: npt.NDArray[np.int64] | None = None,
) -> npt.NDArray[np.float64]:
    """How alike the segments of a document are in the differences of all pairs of systems.

    The variance between documents over all of it, by the analysis of variance of one random effect
    with unequal numbers (Searle, Casella & McCulloch 1992, section 3.6); below 0 it is 0.

    Parameters
    ----------
    values : ndarray, shape (systems, segments)
    documents : ndarray of int, shape (segments,)
    strata : ndarray of int, shape (segments,), optional
        Each with a mean of its own; a document lies in one.

    Returns
    -------
    ndarray, shape (systems, systems)
        NaN for pairs without a difference, or where each document has a single segment or each
        stratum a single document.
    """
    _, document, sizes = np.unique(documents, return_inverse=True, return_counts=True)
    stratum = np.zeros(len(document), np.intp)
    if strata is not None:
        stratum = np.unique(strata, return_inverse=True)[1]
    of_strata = np.bincount(stratum)
    n, k, p = len(document), len(sizes), len(of_strata)
    if not p < k < n:
        return np.full((len(values), len(values)), np.nan)
    scale = np.abs(values).max()
    values = (
        values - np.stack([np.bincount(stratum, row) / of_strata for row in values])[:, stratum]
    )
    means = np.stack([np.bincount(document, row, minlength=k) for row in values]) / sizes
    within = _of_differences(values - means[:, document]) / (n - k)
    between = _of_differences(means * np.sqrt(sizes)) / (k - p)
    size = (n - (np.bincount(stratum, sizes[document]) / of_strata).sum()) / (k - p)
    of_documents = np.maximum(between - within, 0) / size
    total = of_documents + within
    return np.divide(
        of_documents, total, out=np.full_like(total, np.nan), where=total > 1e-12 * scale**2
    )


def _of_differences(values: FloatArray) -> FloatArray:
    """Sums of squares of all differences of rows."""
    products = values @ values.T
    squares = np.diagonal(products)
    return np.maximum(squares[:, None] + squares - 2 * products, 0)


def equal_documents(weights: FloatArray, sizes: FloatArray, correlation: FloatArray) -> FloatArray:
    """So many documents, equal in weight and size, have a mean as certain as these.

    Parameters
    ----------
    weights, sizes : ndarray, shape (documents,)
        What each document counts in the mean, and how many segments it has.
    correlation : ndarray
        Of two segments of a document.  With 1 it is Kish's ``(Σw)² / Σw²``; with 0 documents do not
        matter, and where weights are as sizes it is their number.
    """
    share, size = weights / weights.sum(), sizes.mean()
    of_one = correlation + (1 - correlation) / size
    of_all = correlation * (share**2).sum() + (1 - correlation) * (share**2 / sizes).sum()
    return of_one / of_all
