"""Systems' true effects as far as they are known, and the estimates that more ratings will give.

The largest of several estimates are largest partly by chance.  If true effects are draws from a
normal distribution, its variance says how much (empirical Bayes; Morris 1983).
"""

from __future__ import annotations

import dataclasses

import numpy as np
import scipy  # loads scipy.optimize, which takes long, when it is first used

from ..metrics.base import FloatArray
from .mixed_model import MixedModel
from .reml import AdjustedCovariance

#: The least variance between systems, as a share of the mean squared error of a difference.
_LEAST_BETWEEN = 1e-6


@dataclasses.dataclass(frozen=True, eq=False)
class ShrunkenEffects:
    """What is known of the systems' true effects: draws from a normal distribution, as estimated.

    With variance ``tau²`` between systems, a flat prior for their mean, and the covariance C of the
    estimates ``b``, effects are normal with precision ``inv(C) + (I - 11'/n) / tau²``.

    Attributes
    ----------
    estimates, mean : ndarray, shape (systems,)
        Mean of the effects, given the estimates.
    covariance : ndarray, shape (systems, systems)
        Of the effects, given the estimates.
    of_estimates_now : ndarray, shape (systems, systems)
        Covariance of the estimates.
    """

    estimates: FloatArray
    mean: FloatArray
    covariance: FloatArray
    of_estimates_now: FloatArray

    @classmethod
    def of(cls, model: MixedModel) -> ShrunkenEffects:
        """What the model tells."""
        estimates = model.effects["estimate"].to_numpy()
        of_estimates = model.covariance.model_based
        between = variance_between(estimates, of_estimates)
        n = len(estimates)
        precision = np.linalg.inv(of_estimates)
        centring = np.eye(n) - 1 / n
        covariance: FloatArray = np.linalg.inv(precision + centring / between).astype(np.float64)
        mean = covariance @ precision @ estimates
        return cls(estimates, mean, covariance, of_estimates)

    def later_estimates(
        self, then: AdjustedCovariance, contrasts: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Mean and standard deviation of the estimates that all ratings together will give.

        Estimates by generalised least squares do not correlate with what an estimate from a part of
        the ratings lacks.  So the covariance of the two is that of the later ones, C.  With G for
        ``C inv(C now)``, the later estimates are normal about ``effects + G (b - effects)`` with
        covariance ``C - G C``.
        """
        later = then.model_based
        weight = np.linalg.solve(self.of_estimates_now, later).T
        still_open = np.eye(len(later)) - weight
        mean = self.mean + weight @ (self.estimates - self.mean)
        covariance = later - weight @ later + still_open @ self.covariance @ still_open.T
        variance = np.sum((contrasts @ covariance) * contrasts, axis=1)
        return contrasts @ mean, np.sqrt(np.maximum(variance, 0.0))


def variance_between(estimates: FloatArray, covariance: FloatArray) -> float:
    """The variance of the true effects, if they are draws of which these are estimates.

    That by which squared standardised residuals are as large as they should be (Paule & Mandel
    1982), and at least a millionth of the mean squared error.

    Parameters
    ----------
    estimates : ndarray, shape (systems,)
    covariance : ndarray, shape (systems, systems)
        Of the estimates; what they have in common does not matter.

    Examples
    --------
    With equal errors it is what the variance of the estimates has above theirs:

    >>> estimates = np.array([0.0, 2.0, 4.0])
    >>> round(variance_between(estimates, np.eye(3)), 6)
    3.0
    """
    n = len(estimates)
    centring = np.eye(n) - 1 / n
    vectors = np.linalg.svd(centring)[0][:, : n - 1]  # an orthonormal basis of contrasts
    contrasts = vectors.T @ estimates
    errors = vectors.T @ covariance @ vectors
    least = _LEAST_BETWEEN * np.trace(errors) / (n - 1)

    def excess(between: float) -> float:
        whole = errors + between * np.eye(n - 1)
        return float(contrasts @ np.linalg.solve(whole, contrasts)) - (n - 1)

    if excess(least) <= 0:
        return float(least)
    most = float(contrasts @ contrasts) / (n - 1) + least
    return float(scipy.optimize.brentq(excess, least, most))
