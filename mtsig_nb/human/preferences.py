"""Preferences between two outputs, and the rankings that they are read off from."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..conclusions.deciding import Conclusions
from ..errors import InputError, check_one_of
from ..statistics.sufficient import SufficientStatistics
from ..told import Told
from .checks import check_frame
from .means import Scored
from .pair_results import PairTests
from .units import unit_codes, unit_statistics

if TYPE_CHECKING:
    from .strengths import BradleyTerry

ScoreMethod = Literal["expected-wins", "win-rate"]
_SIDES = ("system_a", "system_b")


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class PairwisePreferences(Scored):
    """Comparisons of two systems' outputs for a segment, each won, lost or tied.

    Parameters
    ----------
    frame : DataFrame
        One row per comparison: either ``system_better`` and ``system_worse`` (no ties), or
        ``system_a``, ``system_b`` and ``outcome`` (+1 where a is better, 0 for a tie, -1).
        Optionally ``segment``, ``rater`` (or ``judge``), ``task`` and ``document``.
    label : str
        What was asked, for tables.

    Raises
    ------
    InputError
        If there is no comparison, a system is compared with itself, or an outcome is unknown.

    Notes
    -----
    Comparisons read off one ranking of five outputs, or made by one rater, are not independent.
    `sign_test` can take raters, segments or tasks as its units, and `as_statistics` lets the
    engine resample them.

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
    >>> [places.tolist() for places in p.codes()]  # of the winners and of the losers
    [[0, 0, 1, 0], [1, 1, 0, 2]]
    """

    frame: pd.DataFrame
    label: str = "preference"
    kind: str = dataclasses.field(default="pairwise preferences", init=False)

    def __post_init__(self) -> None:
        frame = self.frame.rename(columns={"judge": "rater", "segment_id": "segment"})
        if "system_better" in frame:
            frame = frame.rename(columns={"system_better": "system_a", "system_worse": "system_b"})
            frame = frame.assign(outcome=1)
        for name in ("system_a", "system_b", "outcome"):
            if name not in frame:
                raise InputError(
                    f"frame has no column {name!r}; it needs system_better and system_worse, or "
                    f"system_a, system_b and outcome, and has {list(self.frame.columns)}."
                )
        if frame.empty:
            raise InputError("frame has no comparisons; a campaign needs at least one.")
        if not frame["outcome"].isin((-1, 0, 1)).all():
            raise InputError("outcome: +1 (a is better), 0 (tied) and -1 (b is better) are known.")
        itself = frame["system_a"] == frame["system_b"]
        if itself.any():
            name = frame.loc[itself, "system_a"].iloc[0]
            raise InputError(f"frame: {name!r} is compared with itself; remove these rows.")
        object.__setattr__(self, "frame", frame.reset_index(drop=True))

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

    def _tally(self, outcome: int) -> pd.DataFrame:
        a, b = self.codes()
        k = len(self.systems)
        ours = self.frame["outcome"].to_numpy()
        counts = np.bincount(a * k + b, weights=ours == outcome, minlength=k * k)
        turned = np.bincount(b * k + a, weights=ours == -outcome, minlength=k * k)
        table = (counts + turned).reshape(k, k).astype(int)
        return pd.DataFrame(table, index=self.systems, columns=self.systems)

    def codes(
        self, systems: Sequence[str] | None = None
    ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Positions in `systems` (by default in alphabetical order) of each row's two systems."""
        index = pd.Index(list(systems or self.systems))
        first, second = (index.get_indexer(pd.Index(self.frame[c])) for c in _SIDES)
        return first, second

    def scores(self, method: ScoreMethod = "expected-wins") -> pd.Series:
        """How good each system is, best first.

        Parameters
        ----------
        method : {"expected-wins", "win-rate"}
            ``"expected-wins"``: the chance of winning a decided comparison, averaged over
            opponents, so that it does not matter whom a system met how often (Koehn 2012; the
            official ranking of WMT13).  ``"win-rate"``: wins over all decided comparisons (the
            official ranking of WMT12).  Ties count for neither; opponents without a decided
            comparison are left out, and a system without any gets 0.5.
        """
        check_one_of("method", method, get_args(ScoreMethod))
        wins = self.wins.to_numpy(dtype=np.float64)
        decided = wins + wins.T
        if method == "expected-wins":
            share = np.divide(wins, decided, out=np.zeros_like(wins), where=decided > 0)
            value, weight = share.sum(axis=1), (decided > 0).sum(axis=1)
        else:
            value, weight = wins.sum(axis=1), decided.sum(axis=1)
        rates = np.divide(value, weight, out=np.full(len(value), 0.5), where=weight > 0)
        scores = pd.Series(rates, index=list(self.systems), name=method)
        return scores.sort_values(ascending=False, kind="stable")

    def sign_test(self, **options: Any) -> PairTests:
        """Sign tests of all pairs; see :func:`mtsig_nb.human.sign_test`."""
        from .signs import sign_test

        return sign_test(self, **options)

    def bradley_terry(self, **options: Any) -> BradleyTerry:
        """A Bradley-Terry fit; see :func:`mtsig_nb.human.bradley_terry`."""
        from .strengths import bradley_terry

        return bradley_terry(self, **options)

    def conclusions(
        self,
        alpha: float = 0.05,
        *,
        test: Literal["sign", "bradley-terry"] = "sign",
        correction: str | None = None,
        **options: Any,
    ) -> Conclusions:
        """Better, indistinguishable or worse for each pair.

        `options` go to :func:`sign_test` or :func:`bradley_terry`.
        """
        check_one_of("test", test, ("sign", "bradley-terry"))
        if test == "sign":
            return self.sign_test(**options).conclusions(alpha, correction=correction)
        alternative = options.pop("alternative", "two-sided")
        fit = self.bradley_terry(**options)
        return fit.tests(alternative=alternative).conclusions(alpha, correction=correction)

    def as_statistics(
        self, *, units: Literal["raters", "segments", "tasks", "documents"] = "raters"
    ) -> SufficientStatistics:
        """Wins (ties half) and comparisons of each system per unit, for the bootstrap.

        The score is the share of its comparisons that a system wins.  Drawing raters (or segments,
        or tasks) with replacement keeps together what belongs together.  Only the bootstrap makes
        sense of it: approximate randomization would exchange comparisons with different opponents.
        """
        a, b = self.codes()
        share = (self.frame["outcome"].to_numpy() + 1) / 2
        return unit_statistics(
            self.systems,
            np.concatenate([a, b]),
            np.tile(unit_codes(self.frame, units), 2),
            np.concatenate([share, 1 - share]),
            units=units,
            label=f"win rate ({self.label})",
        )

    @property
    def sentence(self) -> str:
        """What was asked, and how many comparisons there are."""
        ties = int((self.frame["outcome"] == 0).sum())
        return (
            f"PairwisePreferences({self.label}: {len(self.frame)} comparisons of "
            f"{len(self.systems)} systems, {ties} of them tied)"
        )


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class RelativeRanking(Told):
    """Rankings of a few outputs at a time, ties allowed, as WMT collected them until 2016.

    Parameters
    ----------
    frame : DataFrame
        One row per output shown: ``task`` (one ranking), ``system``, ``rank`` (1 is best; missing
        where it was left blank); optionally ``segment``, ``judge`` (or ``rater``), ``position``.
    label : str

    Raises
    ------
    InputError
        If a system is shown twice in one task, or no task ranks two systems.

    Examples
    --------
    >>> ranking = RelativeRanking(pd.DataFrame({"task": [0, 0, 0], "system": ["a", "b", "c"],
    ...                                         "rank": [1, 2, 2]}))
    >>> ranking.preferences
    PairwisePreferences(relative ranking: 3 comparisons of 3 systems, 1 of them tied)
    >>> ranking.scores().round(2).to_dict()
    {'a': 1.0, 'b': 0.0, 'c': 0.0}
    """

    frame: pd.DataFrame
    label: str = "relative ranking"
    kind: str = dataclasses.field(default="relative ranking", init=False)

    def __post_init__(self) -> None:
        frame = self.frame.rename(columns={"judge": "rater", "segment_id": "segment"})
        check_frame(frame, ("task", "system", "rank"), "rankings")
        again = frame.duplicated(["task", "system"])
        if again.any():
            row = frame[again].iloc[0]
            raise InputError(
                f"frame: system {row['system']!r} appears more than once in task {row['task']}."
            )
        object.__setattr__(self, "frame", frame.reset_index(drop=True))

    @cached_property
    def preferences(self) -> PairwisePreferences:
        """All comparisons that the rankings imply, ties included, blanks left out."""
        shown = self.frame.dropna(subset="rank")
        about = [name for name in ("segment", "rater", "document") if name in shown]
        left = shown[["task", "system", "rank", *about]]
        pairs = left.merge(shown[["task", "system", "rank"]], on="task", suffixes=("_a", "_b"))
        pairs = pairs[pairs["system_a"] < pairs["system_b"]]
        if pairs.empty:
            raise InputError("frame: no task ranks two systems, so there is nothing to compare.")
        outcome = np.sign(pairs["rank_b"] - pairs["rank_a"]).astype(int)
        frame = pairs.assign(outcome=outcome).drop(columns=["rank_a", "rank_b"])
        return PairwisePreferences(frame, label=self.label)

    @property
    def systems(self) -> tuple[str, ...]:
        """Everybody that was ranked against somebody, in alphabetical order."""
        return self.preferences.systems

    def scores(self, method: ScoreMethod = "expected-wins") -> pd.Series:
        """How good each system is; see `PairwisePreferences.scores`."""
        return self.preferences.scores(method)

    def conclusions(self, alpha: float = 0.05, **options: Any) -> Conclusions:
        """Conclusions about all pairs; see `PairwisePreferences.conclusions`."""
        return self.preferences.conclusions(alpha, **options)

    @property
    def sentence(self) -> str:
        """How many tasks, and the comparisons in them."""
        return f"RelativeRanking({self.frame['task'].nunique()} tasks: {self.preferences!r})"

    def _below(self) -> str:
        return self.preferences._repr_html_()
