"""Several criteria in one verdict: the first decides, the next breaks its ties."""

from __future__ import annotations

import numpy as np

from ..conclusions.deciding import Conclusions
from ..errors import InputError


def combine_criteria(first: Conclusions, *others: Conclusions) -> Conclusions:
    """Conclusions of the first criterion, with pairs it leaves open decided by the next.

    Parameters
    ----------
    first : Conclusions
        Of the most important criterion: adequacy in Graham et al. (2014).
    *others : Conclusions
        In order of importance, about the same systems: fluency.

    Returns
    -------
    Conclusions
        In the first's order.  A pair stays indistinguishable only where no criterion decides.

    Raises
    ------
    InputError
        If the criteria are not about the same systems.

    Notes
    -----
    Graham, Mathur & Baldwin (2014), figure 7.  Every criterion adds its own chance of a false
    conclusion: with two at level alpha a pair without any true difference is "decided" with
    probability up to 2 alpha.  A chain such as a over b by adequacy, b over c by fluency, c over a
    by adequacy is possible.

    Examples
    --------
    >>> adequacy = Conclusions.from_pairs({("a", "b"): 0, ("a", "c"): 1, ("b", "c"): 0})
    >>> fluency = Conclusions.from_pairs({("a", "b"): -1, ("a", "c"): -1, ("b", "c"): 0})
    >>> combine_criteria(adequacy, fluency).to_frame()["conclusion"].tolist()
    ['worse', 'better', 'indistinguishable']
    """
    if not others:
        raise InputError("others: give at least one criterion to break the first one's ties.")
    matrix = first.matrix.copy()
    pvalues = None if first.pvalues is None else first.pvalues.copy()
    for other in others:
        if set(other.systems) != set(first.systems):
            odd = sorted(set(other.systems) ^ set(first.systems))
            raise InputError(
                f"others: the criteria are not about the same systems; {odd[0]!r} is missing in "
                "one of them."
            )
        aligned = other.reorder(first.systems)
        open_pairs = matrix == 0
        matrix = np.where(open_pairs, aligned.matrix, matrix)
        if pvalues is not None and aligned.pvalues is not None:
            decided = open_pairs & (aligned.matrix != 0)
            pvalues = np.where(decided, aligned.pvalues, pvalues)
        else:
            pvalues = None
    levels = {c.alpha for c in (first, *others)}
    unresolved = dict.fromkeys(pair for c in (first, *others) for pair in c.unresolved)
    return Conclusions(
        first.systems,
        matrix,
        alpha=first.alpha if len(levels) == 1 else None,
        source=", then ".join(c.source or "a criterion" for c in (first, *others)),
        pvalues=pvalues,
        scores=first.scores,
        higher_is_better=first.higher_is_better,
        unresolved=tuple(
            p for p in unresolved if matrix[first.index(p[0]), first.index(p[1])] == 0
        ),
    )
