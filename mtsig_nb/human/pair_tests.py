"""The result of one test of people's judgements, applied to every pair of systems."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from ..conclusions.deciding import Conclusions, check_level
from ..described import Tabled
from ..engine.procedures import ALTERNATIVES, Alternative
from ..errors import check_one_of
from ..metrics.base import ArrayLike, FloatArray
from ..significance.corrections import adjust_pvalues
from ..statistics.sufficient import pair_frame, pair_indices
from .tails import tail_pvalues


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class PairTests(Tabled):
    """One test applied to every pair of systems.

    Attributes
    ----------
    scores : Series
        What ranks the systems, best first.
    table : DataFrame
        One row per pair, the system with the better score as ``system_a``: the two scores, what
        the test counted, ``pvalue`` (of a against b) and ``note``.  Unrounded.
    pvalues : ndarray of float64, shape (systems, systems)
        The p-values of the row's system against the column's, systems as in `scores`; NaN on the
        diagonal.
    statistic : ndarray of float64, shape (systems, systems)
        The test's own statistic, centred at its null value: positive if the row's system looks
        better.  With rank tests this may disagree with the order of the mean scores.
    title, alternative
        What was done.
    higher_is_better : bool
        Of `scores`.
    notes : tuple of str
        What a reader should know.

    Examples
    --------
    >>> import pandas as pd
    >>> from mtsig_nb.human import PairwisePreferences
    >>> p = PairwisePreferences(pd.DataFrame({"system_better": ["a"] * 9 + ["b"],
    ...                                       "system_worse": ["b"] * 9 + ["a"]}))
    >>> tests = p.sign_test()
    >>> tests.conclusions(alpha=0.05).word("a", "b")
    'better'
    >>> tests.to_frame()[["system_a", "system_b", "pvalue"]].round(4)
      system_a system_b  pvalue
    0        a        b  0.0215
    """

    scores: pd.Series
    table: pd.DataFrame
    pvalues: FloatArray
    statistic: FloatArray
    title: str
    alternative: Alternative
    higher_is_better: bool = True
    notes: tuple[str, ...] = ()

    @classmethod
    def of_pairs(
        cls,
        scores: pd.Series,
        *,
        title: str,
        alternative: Alternative,
        statistic: FloatArray,
        pvalues: FloatArray,
        details: Mapping[str, ArrayLike] | pd.DataFrame,
        pair_notes: ArrayLike,
        higher_is_better: bool = True,
        notes: tuple[str, ...] = (),
    ) -> PairTests:
        """The result with its table, from matrices in the order of `scores`.

        Parameters
        ----------
        scores, title, alternative, statistic, pvalues, higher_is_better, notes
            As the attributes.
        details : mapping of str to array_like, or DataFrame
            Further columns of the table, with an entry for each pair.
        pair_notes : array_like of str
            The table's column ``note``.

        Raises
        ------
        InputError
            If `alternative` is not known.
        """
        check_one_of("alternative", alternative, ALTERNATIVES)
        pvalues = np.array(pvalues, dtype=np.float64)
        np.fill_diagonal(pvalues, np.nan)
        values = scores.to_numpy()
        a, b = pair_indices(len(scores))
        table = pair_frame(
            scores.index,
            (a, b),
            score_a=values[a],
            score_b=values[b],
            **details,
            pvalue=pvalues[a, b],
            note=pair_notes,
        )
        return cls(
            scores=scores,
            table=table,
            pvalues=pvalues,
            statistic=statistic,
            title=title,
            alternative=alternative,
            higher_is_better=higher_is_better,
            notes=notes,
        )

    @classmethod
    def of_t(
        cls,
        scores: pd.Series,
        *,
        title: str,
        alternative: Alternative,
        difference: FloatArray,
        t: FloatArray,
        freedom: FloatArray,
        details: Mapping[str, ArrayLike] | pd.DataFrame,
        pair_notes: ArrayLike,
        notes: tuple[str, ...] = (),
    ) -> PairTests:
        """The result of Student's t tests of all pairs.

        Parameters
        ----------
        scores, title, alternative, details, pair_notes, notes
            As of `of_pairs`.
        difference, t, freedom : ndarray of float64, shape (pairs,)
            For each pair, in the order of `pair_indices`: the first minus the second, which is the
            test's statistic; the same in standard errors; and its degrees of freedom.
        """
        n = len(scores)
        a, b = pair_indices(n)
        statistic = np.zeros((n, n))
        statistic[a, b] = difference
        statistic[b, a] = -difference
        pvalues = np.zeros((n, n))
        pvalues[a, b] = tail_pvalues(t, alternative, freedom)
        pvalues[b, a] = tail_pvalues(-t, alternative, freedom)
        return cls.of_pairs(
            scores,
            title=title,
            alternative=alternative,
            statistic=statistic,
            pvalues=pvalues,
            details=details,
            pair_notes=pair_notes,
            notes=notes,
        )

    @property
    def advantage(self) -> FloatArray:
        """Deprecated since version 0.3: use `statistic`."""
        warnings.warn(
            "PairTests.advantage is now called statistic; the old name will be removed in the next "
            "version.",
            DeprecationWarning,
            stacklevel=2,
        )
        return self.statistic

    @property
    def systems(self) -> tuple[str, ...]:
        """Best first."""
        return tuple(self.scores.index)

    def conclusions(self, alpha: float = 0.05, *, correction: str | None = None) -> Conclusions:
        """Better, indistinguishable or worse for each pair.

        Parameters
        ----------
        alpha : float
        correction : str or None
            Any of :data:`mtsig_nb.significance.corrections.OF_PVALUES`.  A two-sided test makes a
            family of all pairs; a one-sided one of all pairs in both directions, since a conclusion
            may be drawn either way.
        """
        check_level(alpha)
        pvalues = self.pvalues.T if self.alternative == "less" else self.pvalues
        adjusted = np.full_like(pvalues, np.nan)
        family = np.triu(~np.eye(len(pvalues), dtype=bool))
        if self.alternative != "two-sided":
            family |= family.T
        adjusted[family] = adjust_pvalues(pvalues[family], correction)
        adjusted = np.where(np.isnan(adjusted), adjusted.T, adjusted)
        corrected = f", {correction}" if correction else ""
        return Conclusions.from_pvalues(
            self.systems,
            self.statistic,
            adjusted,
            alpha=alpha,
            source=f"people: {self.title}, {self.alternative}{corrected}",
            scores=self.scores.to_numpy(),
            higher_is_better=self.higher_is_better,
        )

    def plot(self, **kwargs: Any) -> Any:
        """Draw the conclusions about all pairs at .05, without correction."""
        return self.conclusions(0.05).heatmap(**kwargs)

    def _lines(self) -> list[str]:
        """How many pairs are distinguished at .05."""
        decided = int((self.conclusions(0.05).pairs() != 0).sum())
        return [
            f"{self.title}, {self.alternative}: {decided} of {len(self.table)} pairs of "
            f"{len(self.systems)} systems distinguished at 0.05, without correction"
        ]

    def _below(self) -> pd.DataFrame:
        return self.table
