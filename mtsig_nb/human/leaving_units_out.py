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
from ..statistics.sufficient import pair_indices

#: Eigenvalues that are a smaller share of the largest are zero but for rounding.
_ZERO_EIGENVALUE = 1e-10
#: A contrast that lies farther from the range of the information is not determined by it.
_FARTHEST_FROM_RANGE = 1e-6


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
    """Variances of strengths, from the scores and the information of each unit at the maximum.

    Parameters
    ----------
    scores : ndarray of shape (units, systems)
        The gradient of each unit's log likelihood by the strengths; they add up to zero.
    information : ndarray of shape (units, systems, systems)
        The information of each unit; its rows add up to zero, since only differences of strengths
        are determined.

    References
    ----------
    Bell & McCaffrey (2002), sections 2 and 3: the jackknife's variance, and degrees of freedom that
    fit the first two moments of a quadratic form in normal errors.
    """
    n_units, n_systems = scores.shape
    total = information.sum(axis=0)
    contrasts = _contrasts(n_systems)
    steps = np.empty((n_units, n_systems))
    weights = np.empty((n_units, n_systems, len(contrasts)))
    is_undetermined = np.zeros(len(contrasts), dtype=bool)
    for unit in range(n_units):
        remaining = total - information[unit]
        inverse = np.linalg.pinv(remaining, rcond=_ZERO_EIGENVALUE, hermitian=True)
        steps[unit] = inverse @ scores[unit]
        weights[unit] = inverse @ contrasts.T
        # A contrast that is determined is in the range of the remaining information.
        gap = contrasts.T - remaining @ weights[unit]
        is_undetermined |= np.abs(gap).max(axis=0) > _FARTHEST_FROM_RANGE
    covariance = (n_units - 1) / n_units * steps.T @ steps
    freedom = _degrees_of_freedom(weights, information)
    freedom[is_undetermined] = np.nan
    return LeftOut(covariance, _square(freedom, n_systems))


def _contrasts(n_systems: int) -> FloatArray:
    """A row for each strength, less the mean of all; then one for each difference of two."""
    a, b = pair_indices(n_systems)
    each = np.eye(n_systems)
    strengths = each - 1 / n_systems
    differences = each[a] - each[b]
    return np.concatenate([strengths, differences])


def _square(by_contrast: FloatArray, n_systems: int) -> FloatArray:
    """Numbers of `_contrasts`, those of strengths on the diagonal, of differences on both sides."""
    a, b = pair_indices(n_systems)
    square = np.diag(by_contrast[:n_systems])
    square[a, b] = by_contrast[n_systems:]
    square[b, a] = by_contrast[n_systems:]
    return square


def _degrees_of_freedom(weights: FloatArray, information: FloatArray) -> FloatArray:
    """Satterthwaite's degrees of freedom of the jackknife's variance of each contrast.

    That variance is a sum of squares of the units' steps along the contrast.  If V is the steps'
    covariance matrix, it has tr(V)² / tr(V²) degrees of freedom (Bell & McCaffrey 2002).

    Parameters
    ----------
    weights : ndarray of shape (units, systems, contrasts)
        By which a unit's scores are multiplied, and added up, to give its step along the contrast.
    information : ndarray of shape (units, systems, systems)
        Of each unit, I(u); it is the covariance matrix of the unit's scores.
    """
    inverse = np.linalg.pinv(information.sum(axis=0), hermitian=True)
    weighted = np.einsum("uij,ujc->uic", information, weights)
    # Scores at the maximum add up to zero, so those of units u and v covary by -I(u) inv(I) I(v).
    between = np.einsum("uic,ij,vjc->cuv", weighted, inverse, weighted, optimize=True)
    covariances = -between
    unit = np.arange(len(weights))
    covariances[:, unit, unit] += np.einsum("uic,uic->cu", weights, weighted)
    traces = np.trace(covariances, axis1=1, axis2=2)
    traces_of_squares = np.sum(covariances**2, axis=(1, 2))
    return traces**2 / traces_of_squares
