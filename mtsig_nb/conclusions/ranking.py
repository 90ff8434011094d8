"""From conclusions about pairs to an order of all systems: clusters, rank ranges, ordered Rand.

"Indistinguishable" is not transitive: a test may fail to tell A from B and B from C, and yet find A
better than C.  The ways of ranking treat that case differently:

- :func:`~mtsig_nb.conclusions.clustering.clusters` keeps every maximal set of mutually
  indistinguishable systems, so that B is in two clusters (Stroppa & Owczarzak 2007);
- WMT's findings end a cluster only where all systems above beat all below, so that A, B and C are
  in one (Akhbardeh et al. 2021, 2021.wmt-1.1);
- :func:`rank_ranges` gives the possible ranks of each system, given its wins and losses;
- mt-metrics-eval's greedy ranks open a new one at the first system that is beaten from within the
  current one, so that A and B share a rank and C has the next; the order of the list matters.

All are functions of :class:`~mtsig_nb.conclusions.deciding.Conclusions` alone, whatever their
source.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import InputError, listed
from ..frames import pd
from .clustering import best_first, clusters
from .deciding import Conclusions, Signs

#: Columns of `rank_table`.
_WAYS_OF_RANKING = ["letters", "wmt_cluster", "rank_top", "rank_bottom", "greedy_rank"]


def rank_ranges(conclusions: Conclusions) -> pd.DataFrame:
    """Possible ranks of each system, given its wins and losses, as in WMT's tables since 2024.

    A system cannot rank above those that are better than it, nor below those that it is better
    than: ``rank_top`` is 1 + the number of systems that are better, ``rank_bottom`` the number of
    systems less the number that are worse (Kocmi et al. 2024, 2024.wmt-1.1, with
    ``humeval/tools.py`` of wmt24-news-systems).

    Parameters
    ----------
    conclusions : Conclusions

    Returns
    -------
    DataFrame
        system, rank_top, rank_bottom, wins, losses; best first.

    Examples
    --------
    >>> rank_ranges(Conclusions.from_pairs({("A", "B"): 0, ("B", "C"): 0, ("A", "C"): 1}))
      system  rank_top  rank_bottom  wins  losses
    0      A         1            2     1       0
    1      B         1            3     0       0
    2      C         2            3     0       1
    """
    return pd.DataFrame(rank_columns(conclusions))


def rank_columns(conclusions: Conclusions) -> dict[str, Any]:
    """The columns of `rank_ranges`."""
    ranked = best_first(conclusions)
    wins = (ranked.matrix == 1).sum(axis=1)
    losses = (ranked.matrix == -1).sum(axis=1)
    return {
        "system": ranked.systems,
        "rank_top": 1 + losses,
        "rank_bottom": len(ranked.systems) - wins,
        "wins": wins,
        "losses": losses,
    }


def rank_table(conclusions: Conclusions) -> pd.DataFrame:
    """All ways of ranking, side by side.

    Parameters
    ----------
    conclusions : Conclusions

    Returns
    -------
    DataFrame
        system, score (where known), letters, wmt_cluster, rank_top, rank_bottom, greedy_rank,
        wins, losses; best first.

    Examples
    --------
    >>> c = Conclusions.from_pairs({("A", "B"): 0, ("B", "C"): 0, ("A", "C"): 1})
    >>> rank_table(c)[["system", "letters", "wmt_cluster", "greedy_rank"]]
      system letters  wmt_cluster  greedy_rank
    0      A       a            1            1
    1      B      ab            1            1
    2      C       b            1            2
    """
    clustered = clusters(conclusions)
    ranked = clustered.conclusions
    table = rank_ranges(conclusions)
    table["letters"] = table["system"].map(clustered.letters())
    table["wmt_cluster"] = table["system"].map(_wmt_clusters(conclusions))
    table["greedy_rank"] = _greedy_ranks(ranked.matrix)
    first_columns = ["system"]
    if ranked.scores is not None:
        table["score"] = ranked.scores
        first_columns.append("score")
    return table[[*first_columns, *_WAYS_OF_RANKING, "wins", "losses"]]


def _wmt_clusters(conclusions: Conclusions) -> dict[str, int]:
    """WMT's cluster of each system: one ends where all above a line beat all below.

    Scores are not needed: by wins less losses, systems that beat all others come before these.
    """
    wins_less_losses = conclusions.matrix.sum(axis=1, dtype=np.int64)
    order = np.argsort(-wins_less_losses, kind="stable")
    better = conclusions.matrix[np.ix_(order, order)] == 1
    numbers: dict[str, int] = {}
    cluster = 1
    for place, system in enumerate(order):
        if place > 0 and better[:place, place:].all():
            cluster += 1
        numbers[conclusions.systems[system]] = cluster
    return numbers


def _greedy_ranks(matrix: Signs) -> list[int]:
    """Ranks of a list, best first: a system that one of the present rank beats opens a new rank."""
    ranks = []
    rank = 1
    first_of_rank = 0
    for system in range(len(matrix)):
        is_beaten_by = matrix[first_of_rank:system, system] == 1
        if is_beaten_by.any():
            rank += 1
            first_of_rank = system
        ranks.append(rank)
    return ranks


def ordered_rand(c: Conclusions, d: Conclusions) -> float:
    """Agreement of two sets of conclusions, from -1 to 1 (Stroppa & Owczarzak 2007).

    The mean over pairs of systems: 1 where both conclude the same, 0 for a weak disagreement (one
    finds a difference and the other does not), -1 for a strong one (better against worse).

    Parameters
    ----------
    c, d : Conclusions
        About the same systems, in any order.

    Raises
    ------
    InputError
        If the systems are not the same, or there are fewer than two.

    Examples
    --------
    >>> bleu = Conclusions.from_pairs({("A", "B"): 1, ("A", "C"): 1, ("B", "C"): 0})
    >>> people = Conclusions.from_pairs({("A", "B"): 1, ("A", "C"): 0, ("B", "C"): 0})
    >>> ordered_rand(bleu, people)
    0.6666666666666666
    """
    unmatched = sorted(set(c.systems) ^ set(d.systems))
    if unmatched:
        names = listed([repr(system) for system in unmatched])
        raise InputError(f"c and d: only one has {names}; see reorder().")
    if len(c.systems) < 2:
        raise InputError("c and d: there are no pairs to compare; give two systems or more.")
    x = c.pairs()
    y = d.reorder(c.systems).pairs()
    disagreement = np.abs(x * y)  # 1 where both find a difference, 0 where one does
    agreement = np.where(x == y, 1, -disagreement)
    return float(np.mean(agreement))
