"""Variances of fitted strengths over few units, such as raters: each unit left out in turn.

The sandwich estimator of a variance is too small where units are few: the fit follows each of them,
so that their residuals are smaller than their errors.  The jackknife leaves a unit out before it
asks how far that unit is off.  One Newton step from the fit to all units takes the place of a new
fit; in a linear model it is exact, and the estimator is known as CR3.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from ..metrics.base import FloatArray


@dataclasses.dataclass(frozen=True)
class LeftOut:
    """What leaving out each unit says of the strengths.

    Attributes
    ----------
    covariance : ndarray of shape (systems, systems)
        Of the strengths, which have a mean of zero.
    degrees_of_freedom : ndarray of shape (systems, systems)
        Of the variance of the difference between the row's system and the column's; on the diagonal
        of the variance of each strength.  NaN where one unit alone connects the two, so that their
        difference is not determined without it.
    """

    covariance: FloatArray
    degrees_of_freedom: FloatArray


def leave_units_out(scores: FloatArray, information: FloatArray) -> LeftOut:
    """Variances from the scores and the information of each unit at the maximum.

    Parameters
    ----------
    scores : ndarray of shape (units, systems)
        Gradients of each unit's log likelihood; they add up to zero.
    information : ndarray of shape (units, systems, systems)
        Of each unit; its rows add up to zero, since only differences are determined.

    References
    ----------
    Bell & McCaffrey (2002), sections 2 and 3: the jackknife's variance, and degrees of freedom that
    fit the first two moments of a quadratic form in normal errors.
    """
    n_units, k = scores.shape
    total = information.sum(axis=0)
    first, second = np.triu_indices(k, 1)
    contrasts = np.concatenate([np.eye(k) - 1 / k, np.eye(k)[first] - np.eye(k)[second]])
    moved = np.empty((n_units, k))
    weights = np.empty((n_units, k, len(contrasts)))
    undetermined = np.zeros(len(contrasts), dtype=bool)
    for unit in range(n_units):
        without = total - information[unit]
        inverse = np.linalg.pinv(without, rcond=1e-10, hermitian=True)
        moved[unit] = inverse @ scores[unit]
        weights[unit] = inverse @ contrasts.T
        # A contrast that is determined is in the range of what is left.
        gap = contrasts.T - without @ weights[unit]
        undetermined |= np.abs(gap).max(axis=0) > 1e-6
    carried = np.einsum("uij,ujc->uic", information, weights)
    own = np.einsum("uic,uic->cu", weights, carried)
    shared = np.einsum(
        "uic,ij,vjc->cuv", carried, np.linalg.pinv(total, hermitian=True), carried, optimize=True
    )
    form = -shared
    diagonal = np.arange(n_units)
    form[:, diagonal, diagonal] += own
    traces = np.trace(form, axis1=1, axis2=2)
    freedom = traces**2 / np.sum(form**2, axis=(1, 2))
    freedom[undetermined] = np.nan
    table = np.diag(freedom[:k])
    table[first, second] = freedom[k:]
    table[second, first] = freedom[k:]
    covariance = (n_units - 1) / n_units * moved.T @ moved
    return LeftOut(covariance, table)
