"""What follows from the numbers of a campaign: clusters, borders, orders and counts of pairs."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Any

import pandas as pd

import mtsig_nb as mt
from mtsig_nb.human.tails import tail_pvalues

#: Of all tests.
LEVEL = 0.05
#: A pair of systems, the better one first.
Pair = tuple[str, str]


class Fate(StrEnum):
    """What the model makes of a border between two clusters of the organisers.

    Without a correction, a pair across is undecided (`UNDECIDED`); its estimate is also the other
    way round, which is within error (`TURNED`); or it is told apart that way (`CONTRADICTED`).
    """

    KEPT = "kept"
    HOLM = "lost only with Holm's correction"
    UNDECIDED = "lost, because a pair across it is undecided"
    TURNED = "lost, because a pair across it is undecided, and its estimate is reversed"
    CONTRADICTED = "lost, because a pair across it is distinguished in the other direction"


@dataclasses.dataclass(frozen=True)
class Border:
    """A border between two clusters of the organisers.

    Attributes
    ----------
    rank : int
        Of the last system above it.
    fate : Fate
    holds_by_pairs : bool
        Whether the organisers' tests, or their rule, tell all pairs across it apart.
    by_error : bool
        Whether a pair across it would be undecided, too, if differences of plain means had the
        model's errors: then the errors alone take the border away.
    """

    rank: int
    fate: Fate
    holds_by_pairs: bool
    by_error: bool


@dataclasses.dataclass(frozen=True)
class Agreement:
    """How well two halves of the raters agree: the median of all splits, the least, the most."""

    median: float
    least: float
    most: float


@dataclasses.dataclass(frozen=True)
class Compared:
    """A campaign as it is kept, and what follows from it.

    Attributes
    ----------
    kept : mapping
        What `computing.record` has made.
    """

    kept: Mapping[str, Any]

    @property
    def name(self) -> str:
        """As `mtsig_nb.load` takes it."""
        return str(self.kept["campaign"])

    def table(self, key: str) -> pd.DataFrame:
        """A table of `kept`."""
        table = self.kept[key]
        return pd.DataFrame(table["rows"], columns=table["columns"])

    @functools.cached_property
    def standings(self) -> pd.DataFrame:
        """The organisers' ranking, by system."""
        return self.table("standings").set_index("system")

    @functools.cached_property
    def systems(self) -> pd.DataFrame:
        """The model's estimates and other means, by system, best first."""
        return self.table("systems").set_index("system")

    @functools.cached_property
    def pairs(self) -> pd.DataFrame:
        """All pairs by the model and by plain means, the system with the higher estimate first."""
        return self.table("pairs")

    @functools.cached_property
    def organisers(self) -> set[Pair]:
        """The pairs that the organisers, or their rule, tell apart."""
        return {(better, worse) for better, worse in self.kept["better"]}

    @functools.cached_property
    def by_model(self) -> set[Pair]:
        """The pairs that the model tells apart, without a correction."""
        return told_apart(self.pairs, "pvalue")

    @functools.cached_property
    def by_model_with_holm(self) -> set[Pair]:
        """The pairs that the model tells apart with Holm's correction."""
        return told_apart(self.pairs, "pvalue_holm")

    @functools.cached_property
    def by_plain_differences(self) -> set[Pair]:
        """The pairs that differences of plain means would tell apart with the model's errors."""
        pairs = self.pairs
        t = pairs["plain_difference"] / pairs["standard_error"]
        freedom = pairs["degrees_of_freedom"].to_numpy()
        pvalue = tail_pvalues(t.to_numpy(), "two-sided", freedom)
        with_pvalues = pairs.assign(with_error=pvalue)
        return told_apart(with_pvalues, "with_error", prefix="plain_")

    @functools.cached_property
    def by_one_sided_model(self) -> set[Pair]:
        """The pairs that one-sided tests of the model tell apart, as WMT21 and WMT22 tested."""
        return told_apart(self.pairs, "pvalue", level=2 * LEVEL)

    def by_plain_means(self, *, holm: bool) -> set[Pair]:
        """The pairs that tests of plain means tell apart, with errors estimated by moments."""
        pvalue = "plain_pvalue_holm" if holm else "plain_pvalue"
        return told_apart(self.pairs, pvalue, prefix="plain_")

    @functools.cached_property
    def by_standardised(self) -> set[Pair]:
        """The pairs that the model of standardised ratings tells apart with Holm's correction."""
        return told_apart(self.table("standardised"), "pvalue_holm")

    def clusters(self, better: Collection[Pair]) -> pd.Series:
        """The number of each system's cluster, in WMT's sense: all above a border beat all below.

        Parameters
        ----------
        better : collection of tuple of str
            The pairs that are told apart.

        Returns
        -------
        Series
            By system, in the order of the estimates.
        """
        systems = list(self.systems.index)
        signs = {}
        for a, b in itertools.combinations(systems, 2):
            a_is_better = (a, b) in better
            b_is_better = (b, a) in better
            signs[a, b] = a_is_better - b_is_better
        conclusions = mt.Conclusions.from_pairs(signs, systems=systems)
        ranks = mt.rank_table(conclusions).set_index("system")
        return ranks["wmt_cluster"][systems]

    def n_clusters(self, better: Collection[Pair]) -> int:
        """How many clusters these pairs make."""
        return int(self.clusters(better).max())

    @property
    def n_clusters_of_organisers(self) -> int:
        """How many clusters the organisers have."""
        return int(self.standings["cluster"].max())

    @functools.cached_property
    def n_clusters_with_holm(self) -> int:
        """How many clusters the model has with Holm's correction."""
        return self.n_clusters(self.by_model_with_holm)

    @functools.cached_property
    def borders(self) -> list[Border]:
        """The borders between the organisers' clusters, and what the model makes of each."""
        cluster = self.standings["cluster"]
        found = []
        for last in range(1, self.n_clusters_of_organisers):
            across = self._across(last)
            border = Border(
                rank=int((cluster <= last).sum()),
                fate=self._fate(across),
                holds_by_pairs=across <= self.organisers,
                by_error=self._is_lost_by_error(across),
            )
            found.append(border)
        return found

    def n_borders_kept(self, better: Collection[Pair]) -> int:
        """How many borders of the organisers these pairs keep."""
        pairs = set(better)
        n_kept = 0
        for last in range(1, self.n_clusters_of_organisers):
            if self._across(last) <= pairs:
                n_kept += 1
        return n_kept

    def _across(self, last: int) -> set[Pair]:
        """The pairs across the border below a cluster of the organisers, those above it first."""
        cluster = self.standings["cluster"]
        above = cluster.index[cluster <= last]
        below = cluster.index[cluster > last]
        return set(itertools.product(above, below))

    def _fate(self, across: set[Pair]) -> Fate:
        """What becomes of a border, from the pairs across it, the system above it first."""
        the_other_way = {(below, above) for above, below in across}
        if the_other_way & self.by_model:
            return Fate.CONTRADICTED
        estimates = self.systems["estimate"]
        if any(estimates[above] <= estimates[below] for above, below in across):
            return Fate.TURNED
        if not across <= self.by_model:
            return Fate.UNDECIDED
        if not across <= self.by_model_with_holm:
            return Fate.HOLM
        return Fate.KEPT

    def _is_lost_by_error(self, across: set[Pair]) -> bool:
        """Whether the model's errors leave a pair undecided also with plain differences."""
        better = self.by_plain_differences
        decided = better | {(b, a) for a, b in better}
        return not across <= decided

    @functools.cached_property
    def turned(self) -> set[Pair]:
        """The pairs whose order is another by the estimates, the organisers' better one first."""
        estimates = self.systems["estimate"]
        pairs = itertools.combinations(self.standings.index, 2)
        return {(ahead, behind) for ahead, behind in pairs if estimates[ahead] < estimates[behind]}

    @functools.cached_property
    def n_turned_of_standardised(self) -> int:
        """The number of pairs whose order is another by the model of standardised ratings."""
        pairs = self.table("standardised")
        is_turned = _rows_ahead(pairs, self.standings) < 0
        return int(is_turned.sum())

    @property
    def contradicted(self) -> set[Pair]:
        """The pairs that the organisers tell apart one way and the model the other, uncorrected."""
        return {(a, b) for a, b in self.organisers if (b, a) in self.by_model}

    def range_of_errors(self, *, plain: bool = False) -> tuple[float, float]:
        """The least and the largest standard error of the differences of all pairs."""
        errors = self.pairs[_column_of_errors(plain)]
        return float(errors.min()), float(errors.max())

    def median_error(self, *, plain: bool = False) -> float:
        """The median standard error of the difference between neighbours by the estimates."""
        errors = self.neighbours[_column_of_errors(plain)]
        return float(errors.median())

    @functools.cached_property
    def neighbours(self) -> pd.DataFrame:
        """The pairs that are next to each other by the estimates."""
        is_next = _rows_ahead(self.pairs, self.systems) == 1
        return self.pairs[is_next]

    def agreement(self, score: str, measure: str) -> Agreement:
        """How well two halves of the raters agree on systems.

        Parameters
        ----------
        score : {"mean", "centred", "standardised", "estimate"}
        measure : {"pearson", "same_order"}
        """
        halves = self.table("halves")
        is_of_score = halves["score"] == score
        found = halves.loc[is_of_score, measure]
        median = float(found.median())
        least = float(found.min())
        most = float(found.max())
        return Agreement(median, least, most)


def _column_of_errors(plain: bool) -> str:
    """The column of pairs with the standard errors of plain means, or of the model."""
    return "plain_standard_error" if plain else "standard_error"


def _rows_ahead(pairs: pd.DataFrame, ranking: pd.DataFrame) -> pd.Series:
    """By how many rows of a ranking the first system of each pair is ahead of the second."""
    row = pd.Series(range(len(ranking)), index=ranking.index)
    row_of_a = pairs["system_a"].map(row)
    row_of_b = pairs["system_b"].map(row)
    return row_of_b - row_of_a


def told_apart(
    pairs: pd.DataFrame, pvalue: str, *, prefix: str = "", level: float = LEVEL
) -> set[Pair]:
    """The pairs of a table whose p-value is at most a level, the better system first.

    Parameters
    ----------
    pairs : DataFrame
        ``system_a``, ``system_b``, the p-values, and ``difference`` with this prefix.
    pvalue : str
        The column of the p-values.
    prefix : str
    level : float
    """
    is_told_apart = pairs[pvalue] <= level
    rows = pairs[is_told_apart].to_dict("records")
    found = set()
    for row in rows:
        a = row["system_a"]
        b = row["system_b"]
        a_is_better = row[f"{prefix}difference"] > 0
        found.add((a, b) if a_is_better else (b, a))
    return found
