"""Clusters of systems that cannot be told apart: ordered, and possibly overlapping."""

from __future__ import annotations

import dataclasses
import html
import string
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..described import Framed
from ..errors import counted, listed
from ..frames import pd
from ..metrics.base import Mask
from ..notes import Note, note
from ..statistics.sufficient import pair_indices
from .deciding import Conclusions, Signs


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Clusters(Framed):
    """Maximal sets of pairwise indistinguishable systems, best first; see :func:`clusters`.

    Attributes
    ----------
    groups : tuple of tuple of str
        The clusters, each with its systems, both best first.
    relation : ndarray of int, shape (clusters, clusters)
        +1 where the row's cluster is above the column's, -1 where it is below, 0 where the
        conclusions contradict each other about the two (and on the diagonal).
    conclusions : Conclusions
        What they were made from, with the systems best first.

    Examples
    --------
    >>> c = clusters(Conclusions.from_pairs({("A", "B"): 0, ("B", "C"): 0, ("A", "C"): 1}))
    >>> c.groups
    (('A', 'B'), ('B', 'C'))
    >>> c.to_frame()
       cluster letter system
    0        1      a      A
    1        1      a      B
    2        2      b      B
    3        2      b      C
    """

    groups: tuple[tuple[str, ...], ...]
    relation: Signs
    conclusions: Conclusions

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems, best first."""
        return self.conclusions.systems

    @property
    def names(self) -> tuple[str, ...]:
        """The clusters' letters, in their order: a, b, ... z, A, ... Z, a1, b1, ..."""
        alphabet = string.ascii_letters
        names = []
        for k in range(len(self.groups)):
            times_through, place = divmod(k, len(alphabet))
            number = times_through or ""
            names.append(f"{alphabet[place]}{number}")
        return tuple(names)

    @property
    def _named(self) -> list[tuple[str, tuple[str, ...]]]:
        """The clusters with their letters."""
        return list(zip(self.names, self.groups, strict=True))

    @property
    def is_ordered(self) -> bool:
        """Whether the clusters have one order that no conclusion contradicts."""
        relation_of_pairs = self.relation[pair_indices(len(self.groups))]
        return bool((relation_of_pairs == 1).all())

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a reader should know: pairs that are unresolved, circles, clusters without order."""
        notes = []
        unresolved = [f"{a} and {b}" for a, b in self.conclusions.unresolved]
        if unresolved:
            notes.append(note("unresolved-within", pairs=listed(unresolved)))
        for circle in _circles(self.conclusions):
            notes.append(note("circle", systems=", ".join(circle)))
        upper, lower = pair_indices(len(self.groups))
        unordered = np.flatnonzero(self.relation[upper, lower] != 1)
        if len(unordered):
            pair = unordered[0]
            first = f"{self.names[upper[pair]]} and {self.names[lower[pair]]}"
            notes.append(note("clusters-unordered", n=len(unordered), first=first))
        return tuple(notes)

    def letters(self) -> dict[str, str]:
        """Each system's clusters as letters: two systems share one iff they are indistinguishable.

        This is the letter display of Piepho (2004, J. Comput. Graph. Stat. 13), with a letter for
        every cluster, so that letters and clusters can be read together.  Fewer letters can
        sometimes carry the same information; to find the fewest is NP-hard (Gramm et al. 2007,
        Comput. Stat. Data Anal. 52).

        Examples
        --------
        >>> c = Conclusions.from_pairs({("A", "B"): 0, ("B", "C"): 0, ("A", "C"): 1})
        >>> clusters(c).letters()
        {'A': 'a', 'B': 'ab', 'C': 'b'}
        """
        letters = dict.fromkeys(self.systems, "")
        for name, group in self._named:
            for system in group:
                letters[system] += name
        return letters

    def to_frame(self) -> pd.DataFrame:
        """One row per cluster and member: cluster (1 is best), letter, system."""
        rows = []
        for number, (name, group) in enumerate(self._named, start=1):
            rows += [(number, name, system) for system in group]
        return pd.DataFrame(rows, columns=["cluster", "letter", "system"])

    def plot(self, **kwargs: Any) -> Any:
        """Draw them; see :func:`mtsig_nb.plots.cluster_diagram`."""
        from .. import plots  # matplotlib only when something is drawn

        return plots.cluster_diagram(self, **kwargs)

    def _lines(self) -> list[str]:
        """How many systems and clusters there are, and where the conclusions come from."""
        details = []
        if self.conclusions.source:
            details.append(self.conclusions.source)
        if self.conclusions.alpha is not None:
            details.append(f"alpha {self.conclusions.alpha:g}")
        origin = f" ({', '.join(details)})" if details else ""
        systems = counted(len(self.systems), "system")
        groups = counted(len(self.groups), "cluster")
        return [
            f"{systems} in {groups}{origin}, best first; "
            "no difference was detected within a cluster"
        ]

    def __str__(self) -> str:
        groups = [f"{name}: {', '.join(group)}" for name, group in self._named]
        lines = [*self._lines(), *groups, *self.notes]
        return "\n".join(lines)

    def _below(self) -> str:
        rows = ""
        for name, group in self._named:
            members = html.escape(", ".join(group))
            rows += f"<tr><th>{name}</th><td>{members}</td></tr>"
        return f"<table><tbody>{rows}</tbody></table>"


def clusters(conclusions: Conclusions) -> Clusters:
    """Ordered, possibly overlapping clusters of systems, after Stroppa & Owczarzak (2007, TMI).

    A cluster is a maximal set of pairwise indistinguishable systems: a maximal clique of the graph
    whose edges join indistinguishable systems.  So two systems share a cluster if and only if they
    are indistinguishable, and the clusters have all the information of the conclusions, except
    which system of a difference is better.  Their order shows that:

    *Cluster C is above cluster D if some system of C is better than some system of D, and none
    is worse.*

    Every two clusters have a difference between them, or else they would be one.  The order is
    total, and loses no information, exactly if the conclusions form an interval order (Fishburn
    1970, J. Math.  Psychol. 7): if a is better than b, and c than d, then a is better than d or c
    than b.  Each system then occupies an unbroken run of clusters, and is better than another where
    its run ends before the other's begins.  Scores compared with one common threshold always do so.
    Real tests may not, because the variance of a difference varies from pair to pair.  Then
    ``is_ordered`` is False and `notes` gives the reason:

    - a > b and c > d with no other difference: {a, c}, {a, d}, {b, c} and {b, d} are clusters, and
      {a, d} and {b, c} contradict each other.  They are not ordered.
    - A > B and B > C, but A and C indistinguishable: {A, C} and {B} are not ordered.
    - A > B, B > C, C > A: three clusters in a circle.

    Clusters that are ordered keep that order even then.  Clusters that are not ordered, or that
    form a circle, are listed by their best systems (by score, or by wins minus losses if there are
    no scores).

    Parameters
    ----------
    conclusions : Conclusions

    Returns
    -------
    Clusters

    Examples
    --------
    >>> found = clusters(Conclusions.from_pairs({("A", "B"): 0, ("B", "C"): 0, ("A", "C"): 1}))
    >>> print(found)
    3 systems in 2 clusters, best first; no difference was detected within a cluster
    a: A, B
    b: B, C
    """
    ranked = best_first(conclusions)
    indistinguishable = ranked.matrix == 0
    cliques = sorted(sorted(clique) for clique in _cliques(indistinguishable))
    relation = _relation(cliques, ranked)
    order = _order(relation)
    groups = []
    for k in order:
        names = [ranked.systems[i] for i in cliques[k]]
        groups.append(tuple(names))
    return Clusters(tuple(groups), relation[np.ix_(order, order)], ranked)


def _relation(cliques: list[list[int]], conclusions: Conclusions) -> Signs:
    """Which clusters are above which, as in `Clusters`, from the numbers of their systems."""
    members = np.zeros((len(cliques), len(conclusions.systems)), dtype=np.int64)
    for k, clique in enumerate(cliques):
        members[k, clique] = 1
    n_better = members @ (conclusions.matrix == 1) @ members.T
    has_better = (n_better > 0).astype(np.int8)
    return np.sign(has_better - has_better.T)


def best_first(conclusions: Conclusions) -> Conclusions:
    """Reorder the systems best first: by score, then by wins less losses.

    ``conclusions.higher_is_better`` says which scores are good.  Ties stay in the order given.

    Examples
    --------
    >>> ter = {"scores": [61.2, 48.5], "higher_is_better": False}
    >>> best_first(Conclusions.from_pairs({("a", "b"): 0}, **ter)).systems
    ('b', 'a')
    """
    losses_less_wins = -conclusions.matrix.sum(axis=1, dtype=np.int64)
    keys = [losses_less_wins]
    scores = conclusions.scores
    if scores is not None:
        keys.append(-scores if conclusions.higher_is_better else scores)
    order = np.lexsort(keys)  # stable; the last key counts first
    if (order == np.arange(len(order))).all():
        return conclusions
    return conclusions.reorder([conclusions.systems[i] for i in order])


class _Branch(NamedTuple):
    """A clique that may grow: what may extend it, and what was tried on another branch."""

    clique: list[int]
    candidates: set[int]
    tried: set[int]

    @property
    def is_maximal(self) -> bool:
        """Whether no node extends the clique."""
        return not self.candidates and not self.tried


def _cliques(joined: Mask) -> Iterator[list[int]]:
    """The maximal cliques of a graph, by the algorithm of Bron & Kerbosch (1973), with pivots.

    `joined` says which nodes an edge joins, shape (nodes, nodes).
    """
    neighbours = []
    for node, row in enumerate(joined):
        joined_nodes = set(np.flatnonzero(row).tolist())
        neighbours.append(joined_nodes - {node})

    all_nodes = set(range(len(joined)))
    pending = [_Branch(clique=[], candidates=all_nodes, tried=set())]
    while pending:
        branch = pending.pop()
        if branch.is_maximal:
            yield branch.clique
            continue
        clique, candidates, tried = branch
        pivot = _best_pivot(branch, neighbours)
        for node in candidates - neighbours[pivot]:
            grown = _Branch(
                clique=[*clique, node],
                candidates=candidates & neighbours[node],
                tried=tried & neighbours[node],
            )
            pending.append(grown)
            candidates = candidates - {node}
            tried = tried | {node}


def _best_pivot(branch: _Branch, neighbours: list[set[int]]) -> int:
    """The node with the most neighbours among the candidates, which need not be tried then."""

    def n_spared(node: int) -> int:
        return len(branch.candidates & neighbours[node])

    return max(branch.candidates | branch.tried, key=n_spared)


def _reachable(steps: Mask) -> Mask:
    """Whether any number of steps, or none, leads from one node to another, (nodes, nodes)."""
    reachable = steps | np.eye(len(steps), dtype=bool)
    further = reachable @ reachable
    while further.sum() > reachable.sum():
        reachable = further
        further = reachable @ reachable
    return reachable


def _order(relation: Signs) -> list[int]:
    """Numbers of the clusters in an order that keeps `relation`, except within circles.

    The first cluster with none above it comes next, together with those it is in a circle with.
    """
    reachable = _reachable(relation == 1)
    in_circle = reachable & reachable.T
    above = reachable & ~in_circle
    order: list[int] = []
    remaining = list(range(len(relation)))
    while remaining:
        following = next(k for k in remaining if not above[remaining, k].any())
        circle = [k for k in remaining if in_circle[following, k]]
        order += circle
        remaining = [k for k in remaining if k not in circle]
    return order


def _circles(conclusions: Conclusions) -> Iterator[tuple[str, ...]]:
    """The sets of systems among which "better" leads back to where it began."""
    reachable = _reachable(conclusions.matrix == 1)
    in_circle = reachable & reachable.T
    for i, row in enumerate(in_circle):
        circle = np.flatnonzero(row)
        if len(circle) > 1 and circle[0] == i:  # each once, with its first system
            yield tuple(conclusions.systems[k] for k in circle)
