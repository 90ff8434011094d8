"""The Bradley-Terry model: one strength per system, fitted to who won against whom."""

from __future__ import annotations

import dataclasses
import warnings
from typing import TYPE_CHECKING, get_args

import numpy as np
import pandas as pd
from scipy import special

from ..engine.procedures import Alternative
from ..errors import InputError, check_one_of
from ..metrics.base import FloatArray
from ..statistics.sufficient import pair_indices
from ..told import Told
from .pair_results import PairTests, check_alternative, tail_pvalues
from .signs import Ties

if TYPE_CHECKING:
    from .preferences import PairwisePreferences


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class BradleyTerry(Told):
    """Fitted strengths: the log odds that a beats b are ``strength[a] - strength[b]``.

    Attributes
    ----------
    strengths : Series
        On the logit scale, with mean zero, best first.
    covariance : ndarray, shape (systems, systems)
        Of the strengths, in that order.
    ties : {"drop", "half"}
    label : str

    Examples
    --------
    >>> import pandas as pd
    >>> from mtsig_nb.human import PairwisePreferences
    >>> p = PairwisePreferences(pd.DataFrame({"system_better": ["a"] * 9 + ["b"],
    ...                                       "system_worse": ["b"] * 9 + ["a"]}))
    >>> fitted = p.bradley_terry()
    >>> fitted.strengths.round(3).to_dict()
    {'a': 1.099, 'b': -1.099}
    >>> fitted.tests().table["pvalue"].round(4).item()
    0.0371
    """

    strengths: pd.Series
    covariance: FloatArray
    ties: Ties
    label: str

    def win_probabilities(self) -> pd.DataFrame:
        """The fitted chance that the row's system beats the column's."""
        s = self.strengths.to_numpy()
        chance = special.expit(s[:, None] - s[None, :])
        return pd.DataFrame(chance, index=self.strengths.index, columns=self.strengths.index)

    def tests(self, *, alternative: Alternative = "two-sided") -> PairTests:
        """Wald tests of the differences of strengths, comparisons taken as independent."""
        check_alternative(alternative)
        s, c = self.strengths.to_numpy(), self.covariance
        difference = s[:, None] - s[None, :]
        variance = np.diag(c)[:, None] + np.diag(c)[None, :] - 2 * c
        np.fill_diagonal(variance, 1.0)
        error = np.sqrt(variance)
        pairs = pair_indices(len(s))
        return PairTests.of_pairs(
            self.strengths,
            test="bradley-terry",
            title=f"Bradley-Terry (Wald) on {self.label}, ties "
            + ("dropped" if self.ties == "drop" else "counted half"),
            alternative=alternative,
            pvalues=tail_pvalues(difference / error, alternative),
            advantage=difference,
            details={"difference": difference[pairs], "standard_error": error[pairs]},
            pair_notes=[""] * len(pairs[0]),
        )

    def to_frame(self) -> pd.DataFrame:
        """System, strength and its standard error, best first."""
        return pd.DataFrame(
            {
                "system": self.strengths.index,
                "strength": self.strengths.to_numpy(),
                "standard_error": np.sqrt(np.diag(self.covariance)),
            }
        )

    @property
    def sentence(self) -> str:
        """How many systems, and how likely the best beats the worst."""
        best, worst = self.strengths.index[0], self.strengths.index[-1]
        return (
            f"Bradley-Terry fit of {len(self.strengths)} systems on {self.label}: {best} beats "
            f"{worst} with a fitted chance of {self.win_probabilities().loc[best, worst]:.2f}"
        )

    def _below(self) -> pd.DataFrame:
        return self.to_frame()


def bradley_terry(preferences: PairwisePreferences, *, ties: Ties = "drop") -> BradleyTerry:
    """Fit the Bradley-Terry model by maximum likelihood.

    Parameters
    ----------
    preferences : PairwisePreferences
    ties : {"drop", "half"}
        The model has no ties: leave them out, or count half a win for each.

    Raises
    ------
    InputError
        If the strengths are not determined: some systems never lost to (or never met) the others,
        so that the likelihood grows for ever (Ford 1957).

    Notes
    -----
    A binomial regression with logit link, fitted by statsmodels: one row per pair, +1 for the
    first system and -1 for the second, no intercept.  Standard errors take comparisons as
    independent, which those of one ranking or one rater are not.

    Examples
    --------
    >>> from mtsig_nb.human import PairwisePreferences
    >>> p = PairwisePreferences(pd.DataFrame({"system_better": ["a"] * 3 + ["b"],
    ...                                       "system_worse": ["b"] * 3 + ["a"]}))
    >>> bradley_terry(p).win_probabilities().loc["a", "b"].round(6).item()
    0.75
    """
    import statsmodels.api as sm  # slow to import
    from statsmodels.tools.sm_exceptions import PerfectSeparationWarning

    check_one_of("ties", ties, get_args(Ties))
    systems, k = preferences.systems, len(preferences.systems)
    wins = preferences.wins.to_numpy(dtype=np.float64)
    if ties == "half":
        wins = wins + preferences.ties.to_numpy() / 2
    _check_determined(wins, systems)
    first, second = np.nonzero(np.triu(wins + wins.T, k=1))  # the pairs that met
    design = np.eye(k)[first] - np.eye(k)[second]
    # Only differences are determined: the first system is fixed at zero, then all are centred.
    outcome = np.column_stack([wins[first, second], wins[second, first]])
    with np.errstate(divide="ignore", invalid="ignore"), warnings.catch_warnings():
        # No residuals, as between two systems, are taken for strengths without limit: not so here.
        warnings.simplefilter("ignore", PerfectSeparationWarning)
        fit = sm.GLM(outcome, design[:, 1:], family=sm.families.Binomial()).fit(tol=1e-12)
    centring = np.eye(k) - 1 / k
    strengths = pd.Series(
        centring @ np.concatenate([[0.0], fit.params]), index=list(systems), name="strength"
    ).sort_values(ascending=False, kind="stable")
    covariance = centring @ np.pad(fit.cov_params(), ((1, 0), (1, 0))) @ centring
    order = [systems.index(system) for system in strengths.index]
    return BradleyTerry(strengths, covariance[np.ix_(order, order)], ties, preferences.label)


def _check_determined(wins: FloatArray, systems: tuple[str, ...]) -> None:
    import networkx as nx  # slow to import

    graph = nx.from_numpy_array(wins, create_using=nx.DiGraph)
    if nx.is_strongly_connected(graph):
        return
    parts = nx.condensation(graph)
    top = next(part for part in parts if parts.in_degree(part) == 0)
    names = ", ".join(systems[i] for i in sorted(parts.nodes[top]["members"]))
    raise InputError(
        f"preferences: {names} never lost to any of the others (or never met them), so no finite "
        "strengths fit best. Leave them out, or use expected wins and the sign test."
    )
