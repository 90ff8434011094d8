"""The Bradley-Terry model of comparisons of two systems each: strengths, and how sure they are.

The log odds that system a wins against system b are the strength of a minus that of b (Bradley &
Terry 1952).  Strengths are fitted by maximum likelihood.
"""

from __future__ import annotations

import dataclasses
import warnings
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy import special

from ..conclusions.deciding import check_level
from ..described import Framed
from ..engine.procedures import Alternative
from ..errors import InputError
from ..metrics.base import FloatArray, Indices
from ..notes import Note, note
from ..statistics.sufficient import pair_indices
from .leaving_units_out import leave_units_out
from .pair_tests import PairTests
from .tails import margin_of_error, tail_pvalues

if TYPE_CHECKING:
    from scipy import sparse

#: Strengths that differ by less are the same up to the rounding of the fit.
_ROUNDING = 1e-8
#: Fewer units do not show how much others would differ.
FEWEST_UNITS = 3
#: Of fewer units a note says how little they can show.
FEW_UNITS = 5
#: Up to so many units are left out one by one.
MOST_LEFT_OUT = 100


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class BradleyTerry(Framed):
    """Fitted strengths: the log odds that a beats b are ``strength[a] - strength[b]``.

    Attributes
    ----------
    strengths : Series
        On the logit scale, with mean zero, best first.
    covariance : ndarray, shape (systems, systems)
        Of the strengths, in that order.
    label, title : str
        What was asked, and how it was fitted.
    degrees_of_freedom : ndarray, shape (systems, systems)
        Of the variance of the difference of two strengths, and on the diagonal of the variance of
        each; infinite where p comes from a normal distribution.  NaN if only one unit connects two
        systems, so nothing is known about other units.
    independent : ndarray, shape (systems, systems)
        The covariance if every comparison were independent; no variance is taken to be smaller than
        in this.  With more than `MOST_LEFT_OUT` units it is `covariance` itself.
    notes : tuple of Note
        What a reader should know, such as few raters.

    Examples
    --------
    >>> from mtsig_nb.human import PairwisePreferences
    >>> p = PairwisePreferences(pd.DataFrame({"system_better": ["a"] * 9 + ["b"],
    ...                                       "system_worse": ["b"] * 9 + ["a"]}))
    >>> fitted = p.bradley_terry()
    >>> fitted.strengths.round(3).to_dict()
    {'a': 1.099, 'b': -1.099}
    >>> fitted.tests().table["pvalue"].round(4).item()
    0.0371
    """

    _plotted = ("strength",)

    strengths: pd.Series
    covariance: FloatArray
    label: str
    title: str
    degrees_of_freedom: FloatArray
    independent: FloatArray
    notes: tuple[Note, ...] = ()

    def win_probabilities(self) -> pd.DataFrame:
        """The fitted chance that the row's system beats the column's."""
        chances = special.expit(self._differences)
        systems = self.strengths.index
        return pd.DataFrame(chances, index=systems, columns=systems)

    def tests(self, *, alternative: Alternative = "two-sided") -> PairTests:
        """Wald tests of the differences of strengths.

        The independent units are those given to `bradley_terry`.  If they are few, p is from
        Student's t, and the table has its ``degrees_of_freedom``.
        """
        difference = self._differences
        error = self._errors_of_differences()
        # Systems that are tied throughout have no difference, and no error to divide it by.
        is_equal = np.abs(difference) <= _ROUNDING
        t = np.divide(difference, error, out=np.zeros_like(error), where=~is_equal)
        is_unknown = np.isnan(self.degrees_of_freedom)
        freedom = np.where(is_unknown, 1.0, self.degrees_of_freedom)
        pairs = pair_indices(len(difference))
        details = {"difference": difference[pairs], "standard_error": error[pairs]}
        if np.isfinite(freedom).all():
            details["degrees_of_freedom"] = self.degrees_of_freedom[pairs]
        is_always_tied = is_equal & (error <= _ROUNDING)
        pair_notes = [
            _note_on_pair(unknown, tied)
            for unknown, tied in zip(is_unknown[pairs], is_always_tied[pairs], strict=True)
        ]
        return PairTests.of_pairs(
            self.strengths,
            title=self.title,
            alternative=alternative,
            pvalues=tail_pvalues(t, alternative, freedom),
            statistic=difference,
            details=details,
            pair_notes=pair_notes,
            notes=self.notes,
        )

    @property
    def _differences(self) -> FloatArray:
        """The strength of the row's system minus that of the column's."""
        strengths = self.strengths.to_numpy()
        return np.subtract.outer(strengths, strengths)

    def _errors_of_differences(self) -> FloatArray:
        """Standard errors of the differences; 1 on the diagonal, infinite where unknown."""
        dependent = _variances_of_differences(self.covariance)
        independent = _variances_of_differences(self.independent)
        variances = _larger(dependent, independent)
        variances[np.isnan(self.degrees_of_freedom)] = np.inf
        np.fill_diagonal(variances, 1.0)
        return np.sqrt(variances)

    def limits(self, confidence_level: float = 0.95) -> pd.DataFrame:
        """``low`` and ``high`` of each strength's interval, best first."""
        check_level(confidence_level, "confidence_level")
        table = self.to_frame().set_index("system")
        freedom = np.diag(self.degrees_of_freedom)
        margin = margin_of_error(table["standard_error"], freedom, confidence_level)
        margin[np.isnan(freedom)] = np.inf
        strength = table["strength"]
        return pd.DataFrame({"low": strength - margin, "high": strength + margin})

    def to_frame(self) -> pd.DataFrame:
        """System, strength and its standard error, best first."""
        variances = _larger(np.diag(self.covariance), np.diag(self.independent))
        is_unknown = np.isnan(np.diag(self.degrees_of_freedom))
        variances[is_unknown] = np.inf
        table = self.strengths.rename_axis("system").reset_index(name="strength")
        return table.assign(standard_error=np.sqrt(variances))

    def _lines(self) -> list[str]:
        """The first and the last system, and the chance between them."""
        best = self.strengths.index[0]
        worst = self.strengths.index[-1]
        chance = self.win_probabilities().loc[best, worst]
        return [
            f"Bradley-Terry fit of {len(self.strengths)} systems on {self.label}: {best} beats "
            f"{worst} with a fitted chance of {chance:.2f}"
        ]

    def _below(self) -> pd.DataFrame:
        return self.to_frame()


def _note_on_pair(is_unknown: bool, is_always_tied: bool) -> str:
    """What to say of a pair whose standard error is not known, or zero."""
    if is_unknown:
        return note("one-connects")
    if is_always_tied:
        return note("always-tied")
    return ""


def _variances_of_differences(covariance: FloatArray) -> FloatArray:
    """Variances of the differences between each two strengths."""
    variances = np.diag(covariance)
    return np.add.outer(variances, variances) - 2 * covariance


def _larger(dependent: FloatArray, independent: FloatArray) -> FloatArray:
    """The larger of two variances; zero where rounding has left both below."""
    return np.maximum(np.maximum(dependent, independent), 0.0)


def fit_strengths(wins: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Strengths by maximum likelihood, and their covariance by the model.

    It is a binomial regression with logit link: one row for each pair of systems that met, +1 for
    the first of them and -1 for the second, no intercept.

    Parameters
    ----------
    wins : ndarray of shape (systems, systems)
        How often the row's system won against the column's; a tie may be half a win for either.

    Returns
    -------
    strengths : ndarray of shape (systems,)
        With a mean of zero.
    covariance : ndarray of shape (systems, systems)
    """
    import statsmodels.api as sm  # slow to import
    from statsmodels.tools.sm_exceptions import PerfectSeparationWarning

    n_systems = len(wins)
    a, b = np.nonzero(np.triu(wins + wins.T, k=1))
    each = np.eye(n_systems)
    design = each[a] - each[b]
    outcome = np.column_stack([wins[a, b], wins[b, a]])
    with np.errstate(divide="ignore", invalid="ignore"), warnings.catch_warnings():
        # Statsmodels takes a fit without residuals, as of two systems, for strengths without limit.
        warnings.simplefilter("ignore", PerfectSeparationWarning)
        # Only differences are determined: the first system is fixed at zero, then all are centred.
        model = sm.GLM(outcome, design[:, 1:], family=sm.families.Binomial())
        fit = model.fit(tol=1e-12)
    centring = each - 1 / n_systems
    strengths = np.concatenate([[0.0], fit.params])
    covariance = np.pad(fit.cov_params(), ((1, 0), (1, 0)))
    return centring @ strengths, centring @ covariance @ centring


@dataclasses.dataclass(frozen=True)
class Comparisons:
    """Comparisons of two systems each, and the unit to which each of them belongs.

    Attributes
    ----------
    a, b : ndarray of int, shape (comparisons,)
        The numbers of both systems.
    won : ndarray of float64, shape (comparisons,)
        1 where a won, 0 where b did, one half for a tie.
    unit : ndarray of int, shape (comparisons,)
        The number of the unit, such as a rater; the comparisons of a unit hang together.
    n_systems : int
    """

    a: Indices
    b: Indices
    won: FloatArray
    unit: Indices
    n_systems: int

    @property
    def n_units(self) -> int:
        """How many units there are."""
        return int(self.unit.max()) + 1

    def independent(self) -> Comparisons:
        """The same comparisons, each of them a unit of its own."""
        return dataclasses.replace(self, unit=np.arange(len(self.unit)))

    def _chances(self, strengths: FloatArray) -> FloatArray:
        """The chance that a wins each comparison."""
        return special.expit(strengths[self.a] - strengths[self.b])

    def scores(self, strengths: FloatArray) -> sparse.coo_array:
        """Gradients of the units' log likelihoods, of shape (units, systems)."""
        from scipy import sparse  # slow to import

        residuals = self.won - self._chances(strengths)
        gradients = np.concatenate([residuals, -residuals])
        units = np.tile(self.unit, 2)
        systems = np.concatenate([self.a, self.b])
        return sparse.coo_array((gradients, (units, systems)), (self.n_units, self.n_systems))

    def information(self, strengths: FloatArray) -> FloatArray:
        """Fisher information of each unit, of shape (units, systems, systems)."""
        chances = self._chances(strengths)
        variances = chances * (1 - chances)
        information = np.zeros((self.n_units, self.n_systems, self.n_systems))
        a = self.a
        b = self.b
        np.add.at(information, (self.unit, a, a), variances)
        np.add.at(information, (self.unit, b, b), variances)
        np.add.at(information, (self.unit, a, b), -variances)
        np.add.at(information, (self.unit, b, a), -variances)
        return information

    def sandwich(self, strengths: FloatArray, model_based: FloatArray) -> FloatArray:
        """Covariance of the strengths by the sandwich estimator (Liang & Zeger 1986).

        The outer products of the units' scores stand between the `model_based` covariance, the
        inverse of the information, on either side; m / (m - 1) corrects for the number m of units.
        """
        scores = self.scores(strengths).tocsr()
        products = (scores.T @ scores).toarray()
        m = self.n_units
        corrected = m / max(m - 1, 1) * products
        return model_based @ corrected @ model_based


@dataclasses.dataclass(frozen=True)
class StrengthVariances:
    """Variances of strengths, by the names of `BradleyTerry`."""

    covariance: FloatArray
    independent: FloatArray
    degrees_of_freedom: FloatArray
    notes: tuple[Note, ...] = ()


def strength_variances(
    strengths: FloatArray,
    model_based: FloatArray,
    comparisons: Comparisons,
    *,
    ties: str,
    units: str | None,
) -> StrengthVariances:
    """How far strengths would vary with other units.

    Parameters
    ----------
    strengths, model_based : ndarray
        The strengths and their covariance, from `fit_strengths`.
    comparisons : Comparisons
        The comparisons that the strengths were fitted to.
    ties : {"dropped", "half"}
        What became of ties.  Half wins vary less than the model has it.
    units : str or None
        What the units of `comparisons` are called; None where all comparisons are independent.

    Raises
    ------
    InputError
        If there are fewer than three units.
    """
    independent = model_based
    if ties == "half":
        independent = comparisons.independent().sandwich(strengths, model_based)
    if units is None:
        freedom = np.full_like(independent, np.inf)
        return StrengthVariances(independent, independent, freedom)
    n_units = comparisons.n_units
    if n_units < FEWEST_UNITS:
        raise InputError(_too_few(n_units, units))
    if n_units > MOST_LEFT_OUT:
        covariance = comparisons.sandwich(strengths, model_based)
        freedom = np.full_like(covariance, n_units - 1)
        return StrengthVariances(covariance, covariance, freedom)
    scores = comparisons.scores(strengths).toarray()
    left_out = leave_units_out(scores, comparisons.information(strengths))
    notes: tuple[Note, ...] = ()
    if n_units < FEW_UNITS:
        notes = (note("few-units-of-strengths", n=n_units, units=units),)
    return StrengthVariances(left_out.covariance, independent, left_out.degrees_of_freedom, notes)


def _too_few(n_units: int, units: str) -> str:
    """Why fewer than three units are refused, and what to do."""
    counted = f"one of the {units}" if n_units == 1 else f"{n_units} {units}"
    return (
        f"units={units!r}: all comparisons are by {counted}, and how much others would differ "
        "cannot be judged from fewer than three. Ask more of them; or take every comparison as "
        f"independent (units=None, or no column of {units}), for a claim about these alone."
    )
