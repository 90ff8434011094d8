"""What a test of all pairs on human judgements returns."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import special

from ..conclusions.deciding import Conclusions, check_level
from ..engine.procedures import ALTERNATIVES, Alternative
from ..errors import check_one_of
from ..metrics.base import FloatArray
from ..significance.corrections import adjust_pvalues
from ..statistics.sufficient import pair_indices
from ..told import Tabled
from .means import SegmentMeans


def check_alternative(alternative: str) -> None:
    """Raise `InputError` unless `alternative` is one of the three."""
    check_one_of("alternative", alternative, ALTERNATIVES)


def tail_pvalues(
    statistic: FloatArray,
    alternative: Alternative,
    below: Callable[[FloatArray], FloatArray] = special.ndtr,
) -> FloatArray:
    """p-values of statistics whose null distribution is symmetric about zero.

    `below` is its distribution function, the standard normal one by default.
    """
    if alternative == "two-sided":
        return np.minimum(1.0, 2 * below(-np.abs(statistic)))
    return below(-statistic if alternative == "greater" else statistic)


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
        Of the row's system against the column's, systems as in `scores`; NaN on the diagonal.
    advantage : ndarray of float64, shape (systems, systems)
        The test's own statistic, centred at its null value: positive where the row's system looks
        better.  With rank tests this need not agree with the order of the mean scores.
    test, title, alternative
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
    advantage: FloatArray
    test: str
    title: str
    alternative: Alternative
    higher_is_better: bool = True
    notes: tuple[str, ...] = ()

    @classmethod
    def of_scores(cls, means: SegmentMeans, *, title: str, **details: Any) -> PairTests:
        """The tests of segment scores, which bring their label, direction and notes."""
        return cls.of_pairs(
            means.scores(),
            title=f"{title}, on {means.label}",
            higher_is_better=means.higher_is_better,
            notes=means.notes,
            **details,
        )

    @classmethod
    def of_pairs(
        cls,
        scores: pd.Series,
        *,
        pvalues: FloatArray,
        advantage: FloatArray,
        details: Mapping[str, npt.ArrayLike],
        pair_notes: npt.ArrayLike,
        **about: Any,
    ) -> PairTests:
        """The result with its table, from matrices in the order of `scores`."""
        pvalues = np.array(pvalues, dtype=np.float64)
        np.fill_diagonal(pvalues, np.nan)
        first, second = pair_indices(len(scores))
        names, values = np.array(scores.index), scores.to_numpy()
        table = pd.DataFrame(
            {
                "system_a": names[first],
                "system_b": names[second],
                "score_a": values[first],
                "score_b": values[second],
                **details,
                "pvalue": pvalues[first, second],
                "note": pair_notes,
            }
        )
        return cls(scores=scores, table=table, pvalues=pvalues, advantage=advantage, **about)

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
        pvalues = self.pvalues if self.alternative != "less" else self.pvalues.T
        adjusted = self._adjusted(pvalues, correction)
        name = f", {correction}" if correction else ""
        return Conclusions.from_pvalues(
            self.systems,
            self.advantage,
            adjusted,
            alpha=alpha,
            source=f"people: {self.title}, {self.alternative}{name}",
            scores=self.scores.to_numpy(),
            higher_is_better=self.higher_is_better,
        )

    def _adjusted(self, pvalues: FloatArray, correction: str | None) -> FloatArray:
        adjusted = np.full_like(pvalues, np.nan)
        if self.alternative == "two-sided":
            upper = pair_indices(len(self.systems))
            adjusted[upper] = adjust_pvalues(pvalues[upper], correction)
            return np.where(np.isnan(adjusted), adjusted.T, adjusted)
        off_diagonal = ~np.eye(len(self.systems), dtype=bool)
        adjusted[off_diagonal] = adjust_pvalues(pvalues[off_diagonal], correction)
        return adjusted

    @property
    def sentence(self) -> str:
        """What was tested, how, and what was found at .05 without correction."""
        decided = int((self.conclusions(0.05).pairs() != 0).sum())
        head = (
            f"{self.title}, {self.alternative}: {decided} of {len(self.table)} pairs of "
            f"{len(self.systems)} systems distinguished at 0.05, without correction"
        )
        return "\n".join([head, *self.notes])

    def _below(self) -> pd.DataFrame:
        return self.table
