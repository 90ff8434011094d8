"""Preferences between two outputs, or rankings of a few; sign tests and strengths from them."""

from __future__ import annotations

import dataclasses
import warnings
from functools import cached_property
from typing import Any, Literal, cast

import numpy as np
import pandas as pd
from scipy import special

from ..conclusions.deciding import check_level
from ..described import Framed
from ..engine.procedures import Alternative
from ..errors import InputError, check_one_of, listed
from ..metrics.base import FloatArray, Indices
from ..notes import Note, note
from ..scores.battles import layout_of, read_battles
from ..significance.actual_size import USUAL
from ..significance.classical import exact_pvalue
from ..statistics.sufficient import pair_indices
from .frames import check_frame, unit_codes
from .leaving_units_out import leave_units_out
from .pair_tests import PairTests
from .segment_scores import Judged
from .tails import tail_pvalues

#: Strengths that differ by less are the same up to the rounding of the fit.
_ROUNDING = 1e-8
#: Sign tests go through all signs of up to so many units.
LARGEST_EXACT = 20
#: Up to so many units are left out one by one.
FEW_UNITS = 100
#: Of fewer raters than this a note says what can be known.
FEW_RATERS = 5


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
        If there is no comparison, a system is compared with itself or stands in a ranking twice,
        or an outcome is unknown.

    Notes
    -----
    Comparisons read off one ranking of five outputs, or made by one rater, are not independent.
    `sign_test` can take raters, segments, documents or tasks as its units.

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
        if "system_better" in frame:
            frame = frame.rename(columns={"system_better": "system_a", "system_worse": "system_b"})
            frame = frame.assign(outcome=1)
        if "outcome" not in frame and layout_of(frame.columns):
            frame = read_battles(frame, self._place).frame
        check_frame(frame, "comparisons", "system_a", "system_b", "outcome")
        if not frame["outcome"].isin((-1, 0, 1)).all():
            raise InputError("outcome: +1 (a is better), 0 (tied) and -1 (b is better) are known.")
        itself = frame["system_a"] == frame["system_b"]
        if itself.any():
            name = frame.loc[itself, "system_a"].iloc[0]
            raise InputError(f"frame: {name!r} is compared with itself; remove these rows.")
        object.__setattr__(self, "frame", frame.reset_index(drop=True))

    def _place(self, row: int) -> str:
        """A row of the frame as messages name it."""
        index = self.frame.index
        return f"{index.name or 'row'} {index[row]}"

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """Everybody that was compared, in alphabetical order."""
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
        turned = {"system_a": "system_b", "system_b": "system_a"}
        other = self.frame.rename(columns=turned).assign(outcome=-self.frame["outcome"])
        return pd.concat([self.frame, other])

    def _tally(self, outcome: int) -> pd.DataFrame:
        rows = self._both_ways.query("outcome == @outcome")
        counts = rows.groupby(["system_a", "system_b"]).size().unstack()
        table = counts.reindex(index=self.systems, columns=self.systems).fillna(0).astype(int)
        return table.rename_axis(index=None, columns=None)

    def scores(self) -> pd.Series:
        """How good each system is, best first: the expected wins.

        The chance of winning a decided comparison, averaged over opponents, so that it does not
        matter whom a system met how often (Koehn 2012; the official ranking of WMT13).  Ties do not
        count; opponents without a decided comparison are left out, and a system without any gets
        0.5.
        """
        decided = self.wins + self.wins.T
        rates = (self.wins / decided.where(decided > 0)).mean(axis=1).fillna(0.5)
        return rates.rename("expected-wins").sort_values(ascending=False, kind="stable")

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
            None takes every comparison as independent and is exact (binomial).  Otherwise all of
            a unit's comparisons of two systems change sides together.  Where up to 20 units have a
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
        wins, tied = (table.loc[order, order].to_numpy() for table in (self.wins, self.ties))
        notes: dict[tuple[str, str], Note] = {}
        if units is None:
            pvalues = _binomial_pvalues(wins, wins.T, alternative)
        else:
            pvalues, notes = self._over_units(order, units, alternative)
        pairs = pair_indices(len(order))
        decided = (wins + wins.T)[pairs]
        pair_notes = [
            notes.get((order[i], order[j]), "") if n else note("nothing-decided")
            for n, i, j in zip(decided, *pairs, strict=True)
        ]
        title = f"sign test on {self.label}, ties dropped"
        return PairTests.of_pairs(
            scores,
            title=title + (f", {units} as units" if units else ""),
            alternative=alternative,
            pvalues=pvalues,
            statistic=(wins - wins.T).astype(np.float64),
            details={"wins": wins[pairs], "losses": wins.T[pairs], "ties": tied[pairs]},
            pair_notes=pair_notes,
        )

    def _over_units(
        self, order: list[str], units: str, alternative: Alternative
    ) -> tuple[FloatArray, dict[tuple[str, str], Note]]:
        """p-values of sign tests over units, systems as in `order`, and notes on few units."""
        unit = np.tile(unit_codes(self.frame, units), 2)
        margins = self._both_ways.groupby(["system_a", "system_b", unit])["outcome"].sum()
        place = {system: k for k, system in enumerate(order)}
        tails = 2 if alternative == "two-sided" else 1
        pvalues = np.ones((len(order), len(order)))
        notes = {}
        for pair, own in margins.groupby(level=[0, 1]):
            a, b = cast("tuple[str, str]", pair)
            decided = own.to_numpy()[own.to_numpy() != 0]
            n = len(decided)
            if 0 < n <= LARGEST_EXACT:
                ahead = float(decided[decided > 0].sum())
                p = exact_pvalue(np.abs(decided).astype(np.float64), ahead, alternative)
            else:
                z = decided.sum() / np.sqrt(np.sum(decided**2)) if n else 0.0
                p = float(tail_pvalues(z, alternative))
            pvalues[place[a], place[b]] = p
            smallest = tails / 2.0**n
            if n and smallest > USUAL:
                notes[a, b] = note("few-signs", n=n, units=units, smallest=smallest)
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
            Left out, as in WMT's tables, or half a win for either, as in arenas of language models.
        units : {"raters", "segments", "tasks", "documents"}, optional
            What hangs together; None takes every comparison as independent.

        Raises
        ------
        InputError
            If the strengths are not determined: some systems never lost to (or never met) the
            others, so that the likelihood grows for ever (Ford 1957).  `determined_groups` has the
            systems whose strengths are.  Or if there are fewer than three `units`, which do not
            show how much others would differ.

        Notes
        -----
        A binomial regression with logit link, fitted by statsmodels: one row per pair, +1 for the
        first system and -1 for the second, no intercept.  Standard errors are the model's own, or
        with half wins or `units` the sandwich estimator's (Liang & Zeger 1986), since a tie varies
        less than a coin, and one rater's comparisons more.

        With up to 100 `units` the jackknife takes the place of the sandwich, and Student's t that
        of the normal distribution, with the degrees of freedom of Bell & McCaffrey (2002): n - 1
        for n units that made the same comparisons, fewer where some made most of them.  A standard
        error is never smaller than that of independent comparisons, since a few raters may agree
        by chance.  With more units t has n - 1 degrees of freedom.

        Examples
        --------
        >>> p = PairwisePreferences(pd.DataFrame({"system_better": ["a"] * 3 + ["b"],
        ...                                       "system_worse": ["b"] * 3 + ["a"]}))
        >>> p.bradley_terry().win_probabilities().loc["a", "b"].round(6).item()
        0.75
        """
        import statsmodels.api as sm  # slow to import
        from statsmodels.tools.sm_exceptions import PerfectSeparationWarning

        check_one_of("ties", ties, ("dropped", "half"))
        k, wins = len(self.systems), self.wins.to_numpy(dtype=np.float64)
        if ties == "half":
            wins = wins + self.ties.to_numpy() / 2
        if len(groups := self.determined_groups(ties=ties)) > 1:
            raise InputError(
                "preferences: no finite strengths fit best, as some systems never lost to the "
                "others, or never met them. Strengths are determined among the systems of "
                f"{_groups_in_words(groups)}; expected wins and the sign test need no strengths."
            )
        first, second = np.nonzero(np.triu(wins + wins.T, k=1))  # the pairs that met
        design = np.eye(k)[first] - np.eye(k)[second]
        # Only differences are determined: the first system is fixed at zero, then all are centred.
        outcome = np.column_stack([wins[first, second], wins[second, first]])
        with np.errstate(divide="ignore", invalid="ignore"), warnings.catch_warnings():
            # No residuals, as between two systems, are taken for strengths without limit.
            warnings.simplefilter("ignore", PerfectSeparationWarning)
            fit = sm.GLM(outcome, design[:, 1:], family=sm.families.Binomial()).fit(tol=1e-12)
        centring = np.eye(k) - 1 / k
        strengths = centring @ np.concatenate([[0.0], fit.params])
        covariance = centring @ np.pad(fit.cov_params(), ((1, 0), (1, 0))) @ centring
        spread = self._spread(strengths, covariance, units, ties)
        order = np.argsort(-strengths, kind="stable")
        names = np.array(self.systems, dtype=object)[order]
        ranked = pd.Series(strengths[order], index=names, name="strength")
        how = "dropped" if ties == "dropped" else "as half wins"
        title = f"Bradley-Terry (Wald) on {self.label}, ties {how}"
        title += f", {units} as units" if units else ""
        best_first = np.ix_(order, order)
        return BradleyTerry(
            ranked,
            spread.covariance[best_first],
            self.label,
            title,
            degrees_of_freedom=spread.degrees_of_freedom[best_first],
            independent=spread.independent[best_first],
            notes=spread.notes,
        )

    def determined_groups(
        self, *, ties: Literal["dropped", "half"] = "dropped"
    ) -> list[tuple[str, ...]]:
        """Groups of systems among which `bradley_terry` has finite strengths, the largest first.

        Two systems are in one group if either has won, directly or by way of others: a beat b,
        who beat c, who beat a (Ford 1957).

        Parameters
        ----------
        ties : {"dropped", "half"}
            As in `bradley_terry`; a tie that is half a win for either joins the two.

        Returns
        -------
        list of tuple of str
            Every system is in one of them; a system that never lost, or never won, alone.

        Examples
        --------
        >>> p = PairwisePreferences(pd.DataFrame({"system_better": ["a", "b", "c"],
        ...                                       "system_worse": ["b", "a", "b"]}))
        >>> p.determined_groups()
        [('a', 'b'), ('c',)]
        """
        from scipy.sparse import csgraph  # slow to import

        check_one_of("ties", ties, ("dropped", "half"))
        beat = self.wins.to_numpy() > 0
        if ties == "half":
            beat = beat | (self.ties.to_numpy() > 0)
        n_groups, group_of = csgraph.connected_components(beat, connection="strong")
        names = np.array(self.systems, dtype=object)
        groups = [tuple(names[group_of == group]) for group in range(n_groups)]
        return sorted(groups, key=lambda group: (-len(group), group))

    def _spread(
        self, strengths: FloatArray, model_based: FloatArray, units: str | None, ties: str
    ) -> _Spread:
        """The variances of the strengths, systems in alphabetical order."""
        independent = model_based
        if ties == "half":
            independent = self._sandwich(strengths, model_based, None, ties)
        if units is None:
            return _Spread(independent, independent, np.full_like(independent, np.inf))
        unit, *_ = self._residuals(strengths, units, ties)
        n_units = len(np.unique(unit))
        if n_units < 3:
            raise InputError(_too_few(n_units, units))
        if n_units > FEW_UNITS:
            covariance = self._sandwich(strengths, model_based, units, ties)
            return _Spread(covariance, covariance, np.full_like(covariance, n_units - 1))
        left_out = leave_units_out(*self._by_unit(strengths, units, ties))
        notes: tuple[Note, ...] = ()
        if n_units < FEW_RATERS:
            notes = (note("few-units-of-strengths", n=n_units, units=units),)
        return _Spread(left_out.covariance, independent, left_out.degrees_of_freedom, notes)

    def _residuals(
        self, strengths: FloatArray, units: str | None, ties: str
    ) -> tuple[Indices, Indices, Indices, FloatArray]:
        """Of each comparison that counts: its unit, both systems, and the outcome less its mean."""
        frame = self.frame if ties == "half" else self.frame[self.frame["outcome"] != 0]
        names = pd.Index(self.systems)
        a = names.get_indexer(pd.Index(frame["system_a"]))
        b = names.get_indexer(pd.Index(frame["system_b"]))
        won = (frame["outcome"].to_numpy() + 1) / 2
        residual = won - special.expit(strengths[a] - strengths[b])
        unit = np.arange(len(frame))
        if units is not None:
            unit = np.unique(unit_codes(frame, units), return_inverse=True)[1]
        return unit, a, b, residual

    def _sandwich(
        self, strengths: FloatArray, covariance: FloatArray, units: str | None, ties: str
    ) -> FloatArray:
        """The covariance with the outer products of units' scores, the likelihood's gradients."""
        from scipy import sparse  # slow to import

        unit, a, b, residual = self._residuals(strengths, units, ties)
        shape = (unit.max() + 1, len(self.systems))
        rows = np.tile(unit, 2)
        columns = np.concatenate([a, b])
        each = sparse.csr_array((np.concatenate([residual, -residual]), (rows, columns)), shape)
        m = unit.max() + 1
        return covariance @ (m / max(m - 1, 1) * (each.T @ each).toarray()) @ covariance

    def _by_unit(
        self, strengths: FloatArray, units: str, ties: str
    ) -> tuple[FloatArray, FloatArray]:
        """The scores and the information of each unit, (units, systems) and once more systems."""
        unit, a, b, residual = self._residuals(strengths, units, ties)
        chance = special.expit(strengths[a] - strengths[b])
        known = chance * (1 - chance)
        n_units, k = unit.max() + 1, len(self.systems)
        scores = np.zeros((n_units, k))
        np.add.at(scores, (unit, a), residual)
        np.add.at(scores, (unit, b), -residual)
        information = np.zeros((n_units, k, k))
        for first, second, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
            np.add.at(information, (unit, first, second), sign * known)
        return scores, information

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


def _too_few(n_units: int, units: str) -> str:
    """Why fewer than three units are refused, and what to do."""
    them = f"one of the {units}" if n_units == 1 else f"{n_units} {units}"
    return (
        f"units={units!r}: all comparisons are by {them}, and how much others would differ cannot "
        "be judged from fewer than three. Ask more of them; or take every comparison as "
        f"independent (units=None, or no column of {units}), for a claim about these alone."
    )


def _implied(rankings: pd.DataFrame) -> pd.DataFrame:
    """The comparisons that rankings imply."""
    check_frame(rankings, "rankings", "task", "system", "rank", once="task")
    shown = rankings.dropna(subset="rank")
    about = [name for name in ("segment", "rater", "document") if name in shown]
    left = shown[["task", "system", "rank", *about]]
    pairs = left.merge(shown[["task", "system", "rank"]], on="task", suffixes=("_a", "_b"))
    pairs = pairs[pairs["system_a"] < pairs["system_b"]]
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
    return np.minimum(1.0, 2 * stats.binom.cdf(np.minimum(wins, losses), n, 0.5))


@dataclasses.dataclass(frozen=True)
class _Spread:
    """Variances of strengths, by the names of `BradleyTerry`."""

    covariance: FloatArray
    independent: FloatArray
    degrees_of_freedom: FloatArray
    notes: tuple[Note, ...] = ()


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
        each; infinite where p comes from a normal distribution.  NaN where one unit alone connects
        two systems, so that nothing is known of other units.
    independent : ndarray, shape (systems, systems)
        The covariance if every comparison was independent; no variance counts as less than by this.
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
        s = self.strengths.to_numpy()
        chance = special.expit(s[:, None] - s[None, :])
        return pd.DataFrame(chance, index=self.strengths.index, columns=self.strengths.index)

    def tests(self, *, alternative: Alternative = "two-sided") -> PairTests:
        """Wald tests of the differences of strengths.

        They count as independent what `bradley_terry` was told to.  Where that is few units, p is
        Student's t, and the table has its ``degrees_of_freedom``.
        """
        s = self.strengths.to_numpy()
        difference = s[:, None] - s[None, :]
        variance = np.maximum(_of_differences(self.covariance), _of_differences(self.independent))
        variance = np.maximum(variance, 0.0)  # which rounding may have left below
        unknown = np.isnan(self.degrees_of_freedom)
        variance[unknown] = np.inf
        np.fill_diagonal(variance, 1.0)
        error = np.sqrt(variance)
        # Systems that are tied throughout have no difference, and no error to divide it by.
        alike = np.abs(difference) <= _ROUNDING
        t = np.divide(difference, error, out=np.zeros_like(error), where=~alike)
        freedom = np.where(unknown, 1.0, self.degrees_of_freedom)
        pairs = pair_indices(len(s))
        without_spread = (alike & (error <= _ROUNDING))[pairs]
        details = {"difference": difference[pairs], "standard_error": error[pairs]}
        if np.isfinite(freedom).all():
            details["degrees_of_freedom"] = self.degrees_of_freedom[pairs]
        return PairTests.of_pairs(
            self.strengths,
            title=self.title,
            alternative=alternative,
            pvalues=tail_pvalues(t, alternative, freedom),
            statistic=difference,
            details=details,
            pair_notes=[
                _note_on_pair(is_unknown, is_tied)
                for is_unknown, is_tied in zip(unknown[pairs], without_spread, strict=True)
            ],
            notes=self.notes,
        )

    def limits(self, confidence_level: float = 0.95) -> pd.DataFrame:
        """``low`` and ``high`` of each strength's interval, best first."""
        check_level(confidence_level, "confidence_level")
        table = self.to_frame().set_index("system")
        freedom = np.diag(self.degrees_of_freedom)
        upper = (1 + confidence_level) / 2
        usual = np.isinf(freedom)
        reach = np.where(
            usual, special.ndtri(upper), special.stdtrit(np.where(usual, 1, freedom), upper)
        )
        half = np.where(np.isnan(freedom), np.inf, reach * table["standard_error"])
        return pd.DataFrame({"low": table["strength"] - half, "high": table["strength"] + half})

    def to_frame(self) -> pd.DataFrame:
        """System, strength and its standard error, best first."""
        table = self.strengths.rename_axis("system").reset_index(name="strength")
        variance = np.maximum(np.diag(self.covariance), np.diag(self.independent))
        variance = np.maximum(variance, 0.0)  # which rounding may have left below
        error = np.where(np.isnan(np.diag(self.degrees_of_freedom)), np.inf, np.sqrt(variance))
        return table.assign(standard_error=error)

    def _lines(self) -> list[str]:
        """The first and the last system, and the chance between them."""
        best, worst = self.strengths.index[0], self.strengths.index[-1]
        return [
            f"Bradley-Terry fit of {len(self.strengths)} systems on {self.label}: {best} beats "
            f"{worst} with a fitted chance of {self.win_probabilities().loc[best, worst]:.2f}"
        ]

    def _below(self) -> pd.DataFrame:
        return self.to_frame()


def _note_on_pair(is_unknown: bool, is_tied: bool) -> str:
    """What to say of a pair whose standard error is not known, or zero."""
    if is_unknown:
        return note("one-connects")
    return note("always-tied") if is_tied else ""


def _groups_in_words(groups: list[tuple[str, ...]]) -> str:
    several = [f"({', '.join(group)})" for group in groups if len(group) > 1]
    return f"{listed(several, 3)} alone" if several else "no group"


def _of_differences(covariance: FloatArray) -> FloatArray:
    """Variances of the differences between each two, from the covariance of all."""
    own = np.diag(covariance)
    return own[:, None] + own[None, :] - 2 * covariance
