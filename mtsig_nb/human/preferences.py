"""Preferences between two outputs, or rankings of a few; sign tests and strengths from them.

:mod:`mtsig_nb.human.bradley_terry` fits the strengths.
"""

from __future__ import annotations

import dataclasses
from functools import cached_property
from typing import Any, Literal, cast

import numpy as np
import pandas as pd

from ..engine.procedures import Alternative
from ..errors import InputError, check_one_of, listed
from ..metrics.base import FloatArray
from ..notes import note
from ..scores.battles import layout_of, read_battles
from ..significance.actual_size import USUAL
from ..significance.classical import exact_pvalue
from ..statistics.sufficient import pair_indices
from .bradley_terry import BradleyTerry, Comparisons, fit_strengths, strength_variances
from .frames import check_frame, unit_codes
from .pair_tests import PairTests
from .segment_scores import Judged
from .tails import tail_pvalues

#: Sign tests go through all signs of up to so many units.
LARGEST_EXACT = 20


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class PairwisePreferences(Judged):
    """Comparisons of two systems' outputs for a segment, each won, lost or tied.

    Parameters
    ----------
    frame : DataFrame
        One row per comparison: either ``system_better`` and ``system_worse`` (no ties), or
        ``system_a``, ``system_b`` and ``outcome`` (+1 where a is better, 0 for a tie, -1), or as
        arenas have it ``model_a``, ``model_b`` and ``winner`` (``model_a``, ``model_b``, the name
        of either, or a word for a tie; :mod:`mtsig_nb.scores.battles` has them all).
        Or one row with several systems and their ranks, ``system1Id``, ``system1rank`` and so on.
        Or one row per output in rankings of a few, as WMT collected them until 2016: ``task`` (one
        ranking), ``system`` and ``rank`` (1 is best; missing where it was left blank).  All
        comparisons that a ranking implies are made of it, ties included, blanks left out.
        Optionally ``segment``, ``rater`` (or ``judge``), ``task`` and ``document``.
    label : str
        What was asked, for tables.

    Raises
    ------
    InputError
        If there is no comparison, a system is compared with itself or is in a ranking twice, or an
        outcome is unknown.

    Notes
    -----
    Comparisons from one ranking of five outputs, or by one rater, are not independent.  `sign_test`
    can use raters, segments, documents or tasks as its units.

    Examples
    --------
    >>> p = PairwisePreferences(pd.DataFrame({"system_better": ["a", "a", "b", "a"],
    ...                                       "system_worse": ["b", "b", "a", "c"]}))
    >>> p.wins.loc["a"].tolist()
    [0, 2, 1]
    >>> p.scores().round(3).to_dict()
    {'a': 0.833, 'b': 0.333, 'c': 0.0}
    >>> p.conclusions(alpha=0.05).word("a", "b")
    'indistinguishable'
    >>> PairwisePreferences(pd.DataFrame({"task": [0, 0, 0], "system": ["a", "b", "c"],
    ...                                   "rank": [1, 2, 2]}), "relative ranking")
    PairwisePreferences(relative ranking: 3 comparisons of 3 systems, 1 of them tied)
    """

    frame: pd.DataFrame
    label: str = "preference"
    #: The rankings that the comparisons were made of, or None.
    rankings: pd.DataFrame | None = dataclasses.field(default=None, init=False)

    def __post_init__(self) -> None:
        frame = self.frame.rename(columns={"judge": "rater", "segment_id": "segment"})
        frame = _with_names(frame)
        if "rank" in frame and "task" in frame:
            object.__setattr__(self, "rankings", frame)
            frame = _implied(frame)
        frame = self._with_outcomes(frame)
        _check_comparisons(frame)
        object.__setattr__(self, "frame", frame.reset_index(drop=True))

    def _with_outcomes(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Comparisons with ``system_a``, ``system_b`` and ``outcome``, from the other layouts."""
        if "system_better" in frame:
            frame = frame.rename(columns={"system_better": "system_a", "system_worse": "system_b"})
            frame = frame.assign(outcome=1)
        if "outcome" not in frame and layout_of(frame.columns):
            frame = read_battles(frame, self._place).frame
        return frame

    def _place(self, row: int) -> str:
        """The row of this number in the frame that was given, as messages name it."""
        index = self.frame.index
        return f"{index.name or 'row'} {index[row]}"

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """The systems compared, in alphabetical order."""
        return tuple(sorted({*self.frame["system_a"], *self.frame["system_b"]}))

    @cached_property
    def wins(self) -> pd.DataFrame:
        """How often the row's system was preferred to the column's."""
        return self._tally(1)

    @cached_property
    def ties(self) -> pd.DataFrame:
        """How often the two were tied; symmetric."""
        return self._tally(0)

    @cached_property
    def _both_ways(self) -> pd.DataFrame:
        """Each comparison twice, once from either side."""
        exchanged = {"system_a": "system_b", "system_b": "system_a"}
        from_b = self.frame.rename(columns=exchanged)
        from_b["outcome"] = -from_b["outcome"]
        return pd.concat([self.frame, from_b])

    def _tally(self, outcome: int) -> pd.DataFrame:
        """How often the row's system has this outcome against the column's."""
        comparisons = self._both_ways
        comparisons = comparisons[comparisons["outcome"] == outcome]
        counts = comparisons.groupby(["system_a", "system_b"]).size().unstack()
        square = counts.reindex(index=self.systems, columns=self.systems)
        table = square.fillna(0).astype(int)
        return table.rename_axis(index=None, columns=None)

    def scores(self) -> pd.Series:
        """How good each system is, best first: the expected wins.

        The chance of winning a decided comparison, averaged over opponents, so that it does not
        matter how often a system met each of them (Koehn 2012; the official ranking of WMT13).
        Ties do not count; opponents without a decided comparison are left out, and a system without
        any gets 0.5.
        """
        decided = self.wins + self.wins.T
        chances = self.wins / decided.where(decided > 0)
        expected = chances.mean(axis=1).fillna(0.5)
        return expected.rename("expected-wins").sort_values(ascending=False, kind="stable")

    def tests(
        self, *, test: Literal["sign", "bradley-terry"] = "sign", **options: Any
    ) -> PairTests:
        """Tests of all pairs, with the options of `sign_test` or of `BradleyTerry.tests`."""
        check_one_of("test", test, ("sign", "bradley-terry"))
        if test == "sign":
            return self.sign_test(**options)
        return self.bradley_terry().tests(**options)

    def sign_test(
        self,
        *,
        alternative: Alternative = "two-sided",
        units: Literal["raters", "segments", "tasks", "documents"] | None = None,
    ) -> PairTests:
        """Sign tests of all pairs: whether one system is preferred more often than the other.

        Null hypothesis: either system is as likely to win a comparison.  Tied ones are left out, as
        in WMT's own tables.

        Parameters
        ----------
        alternative : {"two-sided", "greater", "less"}
        units : {"raters", "segments", "tasks", "documents"}, optional
            None treats every comparison as independent and is exact (binomial).  Otherwise all of a
            unit's comparisons of two systems change sides together.  If at most 20 units have a
            margin, p is exact: the share of all 2^n choices of signs whose sum is as extreme.  For
            more units it is the normal approximation of that randomization: z is the sum of the
            units' margins over the root of the sum of their squares, without a continuity
            correction.  With one comparison per unit this is the sign test's usual approximation.

        Returns
        -------
        PairTests
            Its table has ``wins``, ``losses`` and ``ties`` of `system_a`.

        Examples
        --------
        >>> from mtsig_nb.human import PairwisePreferences
        >>> p = PairwisePreferences(pd.DataFrame({"system_better": ["a"] * 9 + ["b"],
        ...                                       "system_worse": ["b"] * 9 + ["a"]}))
        >>> p.sign_test().table["pvalue"].round(6).tolist()
        [0.021484]
        """
        scores = self.scores()
        order = list(scores.index)
        wins = self.wins.loc[order, order].to_numpy()
        losses = wins.T
        ties = self.ties.loc[order, order].to_numpy()
        title = f"sign test on {self.label}, ties dropped"
        notes_on_units: dict[tuple[str, str], str] = {}
        if units is None:
            pvalues = _binomial_pvalues(wins, losses, alternative)
        else:
            title += f", {units} as units"
            pvalues, notes_on_units = self._over_units(order, units, alternative)
        pairs = pair_indices(len(order))
        pair_notes: list[str] = []
        for a, b in zip(*pairs, strict=True):
            is_decided = wins[a, b] + losses[a, b] > 0
            if is_decided:
                pair_notes.append(notes_on_units.get((order[a], order[b]), ""))
            else:
                pair_notes.append(note("nothing-decided"))
        return PairTests.of_pairs(
            scores,
            title=title,
            alternative=alternative,
            pvalues=pvalues,
            statistic=(wins - losses).astype(np.float64),
            details={"wins": wins[pairs], "losses": losses[pairs], "ties": ties[pairs]},
            pair_notes=pair_notes,
        )

    def _over_units(
        self, order: list[str], units: str, alternative: Alternative
    ) -> tuple[FloatArray, dict[tuple[str, str], str]]:
        """Sign tests that take all of a unit's comparisons of two systems together.

        Returns
        -------
        pvalues : ndarray of shape (systems, systems)
            Of the row's system against the column's, systems as in `order`; 1 where they never met.
        notes : dict of tuple of str to str
            For each two systems that met, what to say of few units, or nothing.
        """
        unit = np.tile(unit_codes(self.frame, units), 2)
        groups = self._both_ways.groupby(["system_a", "system_b", unit])
        margins = groups["outcome"].sum()
        position = {system: k for k, system in enumerate(order)}
        pvalues = np.ones((len(order), len(order)))
        notes = {}
        for pair, margins_of_pair in margins.groupby(level=[0, 1]):
            a, b = cast("tuple[str, str]", pair)
            decided = margins_of_pair[margins_of_pair != 0].to_numpy()
            pvalues[position[a], position[b]] = _margins_pvalue(decided, alternative)
            notes[a, b] = _note_on_signs(len(decided), units, alternative)
        return pvalues, notes

    def bradley_terry(
        self,
        *,
        ties: Literal["dropped", "half"] = "dropped",
        units: Literal["raters", "segments", "tasks", "documents"] | None = None,
    ) -> BradleyTerry:
        """Fit the Bradley-Terry model by maximum likelihood.

        Parameters
        ----------
        ties : {"dropped", "half"}
            Ties are left out, as in WMT's tables, or count half a win for either, as in arenas of
            language models.
        units : {"raters", "segments", "tasks", "documents"}, optional
            The units within which comparisons depend on each other; None treats every comparison as
            independent.

        Raises
        ------
        InputError
            If the strengths are not determined: some systems never lost to (or never met) the
            others, so that the likelihood grows for ever (Ford 1957).  `determined_groups` has the
            systems whose strengths are determined.  Or if there are fewer than three `units`, too
            few to show how much others would differ.

        Notes
        -----
        A binomial regression with logit link, fitted by statsmodels: one row per pair, +1 for the
        first system and -1 for the second, no intercept.  Standard errors are the model's own, or
        with half wins or `units` the sandwich estimator's (Liang & Zeger 1986), since a tie varies
        less than a coin, and one rater's comparisons more.

        With up to 100 `units`, the jackknife replaces the sandwich estimator, and Student's t the
        normal distribution, with the degrees of freedom of Bell & McCaffrey (2002): n - 1 for n
        units that made the same comparisons, fewer where some made most of them.  A standard error
        is then never smaller than that of independent comparisons, since a few raters may agree by
        chance.  With more units the sandwich estimator is used as it is, and t has n - 1 degrees of
        freedom.

        Examples
        --------
        >>> p = PairwisePreferences(pd.DataFrame({"system_better": ["a"] * 3 + ["b"],
        ...                                       "system_worse": ["b"] * 3 + ["a"]}))
        >>> p.bradley_terry().win_probabilities().loc["a", "b"].round(6).item()
        0.75
        """
        groups = self.determined_groups(ties=ties)
        if len(groups) > 1:
            raise InputError(
                "preferences: no finite strengths fit best, as some systems never lost to the "
                "others, or never met them. Strengths are determined among the systems of "
                f"{_groups_in_words(groups)}; expected wins and the sign test need no strengths."
            )
        wins = self.wins.to_numpy(dtype=np.float64)
        if ties == "half":
            wins = wins + self.ties.to_numpy() / 2
        strengths, model_based = fit_strengths(wins)
        comparisons = self._comparisons(ties, units)
        variances = strength_variances(strengths, model_based, comparisons, ties=ties, units=units)
        best_first = np.argsort(-strengths, kind="stable")
        systems = np.array(self.systems, dtype=object)[best_first]
        pairs = np.ix_(best_first, best_first)
        return BradleyTerry(
            strengths=pd.Series(strengths[best_first], index=systems, name="strength"),
            covariance=variances.covariance[pairs],
            label=self.label,
            title=self._title_of_fit(ties, units),
            degrees_of_freedom=variances.degrees_of_freedom[pairs],
            independent=variances.independent[pairs],
            notes=variances.notes,
        )

    def _comparisons(self, ties: str, units: str | None) -> Comparisons:
        """The comparisons to fit, as numbers; without ties where these are dropped."""
        frame = self.frame
        if ties == "dropped":
            frame = frame[frame["outcome"] != 0]
        if units is None:
            unit = np.arange(len(frame))
        else:
            # Numbers without gaps, where some units have nothing but ties.
            _, unit = np.unique(unit_codes(frame, units), return_inverse=True)
        systems = pd.Index(self.systems)
        return Comparisons(
            a=systems.get_indexer(pd.Index(frame["system_a"])),
            b=systems.get_indexer(pd.Index(frame["system_b"])),
            won=(frame["outcome"].to_numpy() + 1) / 2,
            unit=unit,
            n_systems=len(systems),
        )

    def _title_of_fit(self, ties: str, units: str | None) -> str:
        """What was fitted, for tables."""
        treatment = "dropped" if ties == "dropped" else "as half wins"
        title = f"Bradley-Terry (Wald) on {self.label}, ties {treatment}"
        if units:
            title += f", {units} as units"
        return title

    def determined_groups(
        self, *, ties: Literal["dropped", "half"] = "dropped"
    ) -> list[tuple[str, ...]]:
        """Groups of systems among which `bradley_terry` has finite strengths, the largest first.

        Two systems are in one group if each has beaten the other, directly or through others: a
        beat b, which beat c, which beat a (Ford 1957).

        Parameters
        ----------
        ties : {"dropped", "half"}
            As in `bradley_terry`; a tie that counts half a win for either joins the two.

        Returns
        -------
        list of tuple of str
            Every system is in one group; a system that never lost, or never won, is alone in its
            group.

        Examples
        --------
        >>> p = PairwisePreferences(pd.DataFrame({"system_better": ["a", "b", "c"],
        ...                                       "system_worse": ["b", "a", "b"]}))
        >>> p.determined_groups()
        [('a', 'b'), ('c',)]
        """
        from scipy.sparse import csgraph  # slow to import

        check_one_of("ties", ties, ("dropped", "half"))
        has_won = self.wins.to_numpy() > 0
        if ties == "half":
            has_won = has_won | (self.ties.to_numpy() > 0)
        n_groups, group_of = csgraph.connected_components(has_won, connection="strong")
        systems = np.array(self.systems, dtype=object)
        groups = [tuple(systems[group_of == k]) for k in range(n_groups)]
        return sorted(groups, key=lambda group: (-len(group), group))

    def _lines(self) -> list[str]:
        """How many comparisons of how many systems."""
        ties = int((self.frame["outcome"] == 0).sum())
        return [
            f"PairwisePreferences({self.label}: {len(self.frame)} comparisons of "
            f"{len(self.systems)} systems, {ties} of them tied)"
        ]


def _with_names(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with its systems' names as texts, as they are everywhere else."""
    columns = ("system", "system_a", "system_b", "system_better", "system_worse")
    named = [name for name in columns if name in frame]
    for name in named:
        missing = frame[name].isna()
        if missing.any():
            raise InputError(f"frame: row {missing.idxmax()} has no {name!r}. Fill it in.")
    return frame.astype(dict.fromkeys(named, str))


def _check_comparisons(frame: pd.DataFrame) -> None:
    """Raise `InputError` unless rows compare two systems each, with a known outcome."""
    check_frame(frame, "comparisons", "system_a", "system_b", "outcome")
    if not frame["outcome"].isin((-1, 0, 1)).all():
        raise InputError("outcome must be +1 (a is better), 0 (tied) or -1 (b is better).")
    is_itself = frame["system_a"] == frame["system_b"]
    if is_itself.any():
        name = frame.loc[is_itself, "system_a"].iloc[0]
        raise InputError(f"frame: {name!r} is compared with itself; remove these rows.")


def _implied(rankings: pd.DataFrame) -> pd.DataFrame:
    """The comparisons that rankings imply: of any two outputs that one task ranks."""
    check_frame(rankings, "rankings", "task", "system", "rank", once="task")
    ranked = rankings.dropna(subset="rank")
    ranks = ranked[["task", "system", "rank"]]
    units = [name for name in ("segment", "rater", "document") if name in ranked]
    ranks_and_units = ranked[[*ranks.columns, *units]]
    pairs = ranks_and_units.merge(ranks, on="task", suffixes=("_a", "_b"))
    pairs = pairs[pairs["system_a"] < pairs["system_b"]]  # each pair once
    if pairs.empty:
        raise InputError("frame: no task ranks two systems, so there is nothing to compare.")
    outcome = np.sign(pairs["rank_b"] - pairs["rank_a"]).astype(int)
    return pairs.assign(outcome=outcome).drop(columns=["rank_a", "rank_b"])


def _binomial_pvalues(wins: FloatArray, losses: FloatArray, alternative: Alternative) -> FloatArray:
    """Exact binomial p-values at one half; 1 where nothing was decided."""
    from scipy import stats  # slow to import

    n = wins + losses
    if alternative == "greater":
        return stats.binom.sf(wins - 1, n, 0.5)
    if alternative == "less":
        return stats.binom.cdf(wins, n, 0.5)
    # At one half the distribution is symmetric, so both tails are the same.
    one_tail = stats.binom.cdf(np.minimum(wins, losses), n, 0.5)
    return np.minimum(1.0, 2 * one_tail)


def _margins_pvalue(margins: FloatArray, alternative: Alternative) -> float:
    """p-value of the sum of units' margins, none of them zero, under all choices of their signs.

    It is exact for up to `LARGEST_EXACT` units, and the normal approximation for more.  Without any
    margin every choice of signs has the same sum, and p is 1.
    """
    if not len(margins):
        return 1.0
    if len(margins) <= LARGEST_EXACT:
        sizes = np.abs(margins).astype(np.float64)
        ahead = float(margins[margins > 0].sum())
        return exact_pvalue(sizes, ahead, alternative)
    standard_deviation = np.sqrt(np.sum(margins**2))
    z = margins.sum() / standard_deviation
    return float(tail_pvalues(z, alternative))


def _note_on_signs(n_units: int, units: str, alternative: Alternative) -> str:
    """A note where even a unanimous verdict of so few units has a large p-value, else nothing."""
    if not 0 < n_units <= LARGEST_EXACT:
        return ""
    n_tails = 2 if alternative == "two-sided" else 1
    smallest = n_tails / 2.0**n_units
    if smallest <= USUAL:
        return ""
    return note("few-signs", n=n_units, units=units, smallest=smallest)


def _groups_in_words(groups: list[tuple[str, ...]]) -> str:
    """The systems of each group of two or more, as a message names them."""
    several = [f"({', '.join(group)})" for group in groups if len(group) > 1]
    if not several:
        return "no group"
    return f"{listed(several, 3)} alone"
