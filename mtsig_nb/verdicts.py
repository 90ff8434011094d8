"""What a comparison of systems says, in plain language."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from .clustering import best_first
from .comparisons import Comparisons
from .errors import InputError
from .exports import printed_pvalue

_SHOWN = 6  # names listed before "and ... more"


def verdict(comparisons: Comparisons, *, metric: str | None = None) -> str:
    """The outcome under one metric in one to three sentences, for readers without statistics.

    Parameters
    ----------
    comparisons : Comparisons
    metric : str, optional
        Needed where there are several.

    Raises
    ------
    InputError
        If the metric is not one of the comparison's.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> print(verdict(mt.compare_all(bleu, n_resamples=2000, interval=None, rng=1)))
    BLEU: onlineB is better than all 11 others. Of all 66 pairs, 59 are distinguished.
    """
    conclusions = best_first(comparisons.conclusions(metric=metric))
    metric = metric or comparisons.metrics[0]
    if len(conclusions.systems) == 2:
        row = comparisons.table[comparisons.table["metric"] == metric].iloc[0]
        return f"{metric}: {_of_a_pair(row, comparisons)}"
    best, *others = conclusions.systems
    alike = [s for s in others if conclusions.conclusion(best, s) == 0]
    decided, pairs = int((conclusions.pairs() != 0).sum()), len(conclusions.pairs())
    if not decided:
        return (
            f"{metric}: no difference was detected between any two of the "
            f"{len(conclusions.systems)} systems. This does not show that they are equally good."
        )
    if not alike:
        first = f"{best} is better than all {len(others)} others."
    else:
        first = f"{best} has the best score; no difference was detected from {_listed(alike)}."
    return f"{metric}: {first} Of all {pairs} pairs, {decided} are distinguished."


def pair_verdict(comparisons: Comparisons, a: str, b: str, *, metric: str | None = None) -> str:
    """What the comparison says of one of its pairs, corrected for all of them.

    Parameters
    ----------
    comparisons : Comparisons
    a, b : str
        In either order; the sentence begins with the system that has the better score.
    metric : str, optional
        Needed where there are several.

    Raises
    ------
    InputError
        If a system or the metric is not one of the comparison's, or the two are the same system.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> p = mt.compare_all(bleu, n_resamples=2000, interval=None, rng=1)
    >>> print(pair_verdict(p, "onlineA", "onlineB"))
    BLEU: onlineB is better than onlineA (37.72 and 31.38, adjusted p = 0.0330).
    """
    return f"{metric or comparisons.metrics[0]}: " + _of_a_pair(
        pair_row(comparisons, a, b, metric=metric), comparisons
    )


def pair_row(comparisons: Comparisons, a: str, b: str, *, metric: str | None = None) -> pd.Series:
    """The table's row about a pair, whichever of the two comes first; see `pair_verdict`."""
    conclusions = comparisons.conclusions(metric=metric)
    if conclusions.index(a) == conclusions.index(b):
        raise InputError(f"a and b are both {a!r}; a pair needs two systems.")
    rows = comparisons.table[comparisons.table["metric"] == (metric or comparisons.metrics[0])]
    return rows[rows["system_a"].isin([a, b]) & rows["system_b"].isin([a, b])].iloc[0]


def _of_a_pair(row: pd.Series, comparisons: Comparisons) -> str:
    digits = digits_for([row["score_a"], row["score_b"]])
    a, b, p = row["system_a"], row["system_b"], printed_pvalue(row["pvalue_adjusted"])
    scores = f"{row['score_a']:.{digits}f} and {row['score_b']:.{digits}f}"
    p = f"p {p}" if p[0] in "<>" else f"p = {p}"
    p = f"adjusted {p}" if comparisons.correction else p
    limits = ""
    if not np.isnan(row["ci_low"]):
        limits = (
            f" The {100 * (comparisons.confidence_level or 0):g} % interval of the difference is "
            f"{row['ci_low']:+.{digits}f} to {row['ci_high']:+.{digits}f}."
        )
    if row["conclusion"] == "indistinguishable":
        return (
            f"no difference was detected between {a} and {b} ({scores}, {p}).{limits} "
            "This does not show that they are equally good."
        )
    return f"{a} is {row['conclusion']} than {b} ({scores}, {p}).{limits}"


def digits_for(scores: Sequence[float] | pd.Series) -> int:
    """Decimals that suit the scale: 2 for scores up to 100, 4 for those about 1 or 10.

    >>> digits_for([31.4, 30.6]), digits_for([0.349])
    (2, 4)
    """
    return 2 if np.abs(np.asarray(scores, dtype=float)).max() >= 15 else 4


def any_distinguished(comparisons: Comparisons) -> bool:
    """Whether any pair is distinguished, under any metric."""
    return bool((comparisons.table["conclusion"] != "indistinguishable").any())


def _listed(names: Sequence[str]) -> str:
    shown, rest = list(names[:_SHOWN]), len(names) - _SHOWN
    if rest > 0:
        return f"{', '.join(shown)} and {rest} more"
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))


__all__ = ["any_distinguished", "digits_for", "pair_row", "pair_verdict", "verdict"]
