"""From conclusions about pairs to an order of all systems: clusters, rank ranges, ordered Rand.

"Indistinguishable" is not transitive: a test may fail to tell A from B and B from C, and yet find A
better than C.  What to do then is where the ways of ranking part:

- :func:`~mtsig_nb.conclusions.clustering.clusters` keeps every maximal set of mutually
  indistinguishable systems, so that B is in two clusters (Stroppa & Owczarzak 2007);
- :func:`wmt_clusters` ends a cluster only where all systems above beat all below, so that A, B and
  C are in one;
- :func:`rank_ranges` gives each system the ranks that its wins and losses leave open;
- :func:`greedy_ranks` opens a new rank at the first system that is beaten from within the current
  one, so that A and B share a rank and C has the next.

All are functions of :class:`~mtsig_nb.conclusions.deciding.Conclusions` alone, whoever drew them.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..errors import InputError
from .clustering import best_first, clusters
from .deciding import Conclusions


def wmt_clusters(conclusions: Conclusions) -> tuple[tuple[str, ...], ...]:
    """Clusters as WMT's findings report them: disjoint, best first.

    A cluster ends where every system above is better than every system below (Akhbardeh et al.
    2021, 2021.wmt-1.1).  WMT looks for such places down the list sorted by score.  They do not
    depend on the list: of two sets of systems that each beat all others, one contains the other.
    Within a cluster, systems are listed by score.

    Parameters
    ----------
    conclusions : Conclusions

    Returns
    -------
    tuple of tuple of str

    Examples
    --------
    >>> wmt_clusters(Conclusions.from_pairs({("A", "B"): 0, ("B", "C"): 0, ("A", "C"): 1}))
    (('A', 'B', 'C'),)
    """
    # A set that beats all others has more wins less losses than they, so it leads this list.
    net_wins = conclusions.matrix.sum(axis=1, dtype=np.int64)
    order = np.argsort(-net_wins, kind="stable")
    matrix = conclusions.matrix[np.ix_(order, order)]
    n = len(order)
    cuts = [k for k in range(1, n) if (matrix[:k, k:] == 1).all()]
    listed = best_first(conclusions).systems
    found = []
    for start, stop in zip([0, *cuts], [*cuts, n], strict=True):
        members = {conclusions.systems[i] for i in order[start:stop]}
        found.append(tuple(system for system in listed if system in members))
    return tuple(group for group in found if group)


def rank_ranges(conclusions: Conclusions) -> pd.DataFrame:
    """Ranks that each system's wins and losses leave open, as in WMT's tables since 2024.

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
    ranked = best_first(conclusions)
    wins = (ranked.matrix == 1).sum(axis=1)
    losses = (ranked.matrix == -1).sum(axis=1)
    return pd.DataFrame(
        {
            "system": ranked.systems,
            "rank_top": 1 + losses,
            "rank_bottom": len(ranked.systems) - wins,
            "wins": wins,
            "losses": losses,
        }
    )


def greedy_ranks(conclusions: Conclusions) -> dict[str, int]:
    """Ranks as mt-metrics-eval assigns them to metrics: down the list, best first.

    A system that is beaten by one of the current rank opens the next rank, so a rank's systems are
    indistinguishable (or beat one listed before them).  The ranks depend on the order of the list:
    of A, B, C with only A better than C, B could as well share a rank with C.

    Parameters
    ----------
    conclusions : Conclusions

    Returns
    -------
    dict of str to int
        Each system's rank, best first.

    Examples
    --------
    >>> greedy_ranks(Conclusions.from_pairs({("A", "B"): 0, ("B", "C"): 0, ("A", "C"): 1}))
    {'A': 1, 'B': 1, 'C': 2}
    """
    ranked = best_first(conclusions)
    ranks: dict[str, int] = {}
    rank, start = 1, 0
    for i, system in enumerate(ranked.systems):
        if (ranked.matrix[start:i, i] == 1).any():
            rank, start = rank + 1, i
        ranks[system] = rank
    return ranks


def rank_table(conclusions: Conclusions) -> pd.DataFrame:
    """All ways of ranking side by side.

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
    found = clusters(conclusions)
    of_wmt = {s: k for k, group in enumerate(wmt_clusters(conclusions), start=1) for s in group}
    table = rank_ranges(conclusions)
    table.insert(1, "letters", table["system"].map(found.letters()))
    table.insert(2, "wmt_cluster", table["system"].map(of_wmt))
    table.insert(5, "greedy_rank", table["system"].map(greedy_ranks(conclusions)))
    if found.conclusions.scores is not None:
        table.insert(1, "score", found.conclusions.scores)
    return table


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
        If the systems are not the same, or fewer than two.

    Examples
    --------
    >>> one = Conclusions.from_pairs({("A", "B"): 1, ("A", "C"): 1, ("B", "C"): 0})
    >>> other = Conclusions.from_pairs({("A", "B"): 1, ("A", "C"): 0, ("B", "C"): 0})
    >>> ordered_rand(one, other)
    0.6666666666666666
    """
    apart = sorted(set(c.systems) ^ set(d.systems))
    if apart:
        raise InputError(
            f"c and d are not about the same systems: {', '.join(map(repr, apart))} in one only. "
            "Use reorder() to keep those they share."
        )
    if len(c.systems) < 2:
        raise InputError("c and d: there are no pairs to compare; give two systems or more.")
    x, y = c.pairs(), d.reorder(c.systems).pairs()
    return float(np.mean(np.where(x == y, 1, -np.abs(x * y))))
