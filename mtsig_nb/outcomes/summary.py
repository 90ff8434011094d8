"""Comparisons as a table with a row for each system."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ..conclusions.clustering import clusters
from ..conclusions.deciding import UNRESOLVED, WORDS, Conclusions
from ..significance.comparisons import Comparisons

#: What is concluded about a system against another, besides `UNRESOLVED`.
BETTER = WORDS[1]
INDISTINGUISHABLE = WORDS[0]
WORSE = WORDS[-1]


def summary_table(
    comparisons: Comparisons, *, metric: str | None = None, against: str | None = None
) -> pd.DataFrame:
    """One row per system, for a paper: score, letters, and how it compares with one system.

    Parameters
    ----------
    comparisons : Comparisons
    metric : str, optional
        Needed where there are several.
    against : str, optional
        The system that all others are compared with; the best one by default.

    Returns
    -------
    DataFrame
        system, score, letters, difference (how much better it is than `against`), ci_low, ci_high,
        pvalue, pvalue_adjusted, at_floor (whether resamples allow no smaller value), conclusion
        (about the row's system); best first, unrounded.  Systems that share a letter are not
        distinguished at the comparison's level.

    Raises
    ------
    InputError
        For an unknown system or metric.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> p = mt.compare_all(bleu, n_resamples=2000, interval=None, rng=2014)
    >>> summary_table(p)[["system", "letters", "conclusion"]].head(2)
            system letters conclusion
    0      onlineB       a        NaN
    1  uedin-wmt12       b      worse
    """
    conclusions = comparisons.conclusions(metric=metric)
    metric = metric or comparisons.metrics[0]
    position = 0 if against is None else conclusions.index(against)
    against = conclusions.systems[position]
    rows = comparisons.table[comparisons.table["metric"] == metric]
    columns = ["difference", "ci_low", "ci_high", "pvalue", "pvalue_adjusted", "at_floor"]
    about_others = _rows_about_others(rows, against)[columns]
    about_all = _summary(comparisons, conclusions, metric).set_index("system")
    table = about_all[["score", "letters"]].join(about_others).loc[list(conclusions.systems)]
    words = pd.Series(words_against(conclusions, against))
    return table.assign(conclusion=words).rename_axis("system").reset_index()


def _rows_about_others(rows: pd.DataFrame, against: str) -> pd.DataFrame:
    """The rows of pairs with the system `against`, each by the other system, and about that one."""
    as_a = rows[rows["system_a"] == against]
    as_b = rows[rows["system_b"] == against]
    # Where `against` comes first, the row is turned round to speak of the other system.
    turned = as_a.assign(
        system=as_a["system_b"],
        difference=-as_a["difference"],
        ci_low=-as_a["ci_high"],
        ci_high=-as_a["ci_low"],
    )
    return pd.concat([turned, as_b.assign(system=as_b["system_a"])]).set_index("system")


def words_against(conclusions: Conclusions, system: str) -> dict[str, str]:
    """What is concluded about each of the others against `system`, in a word; best first."""
    about_others = conclusions.matrix[:, conclusions.index(system)]
    words = {}
    for other, conclusion in zip(conclusions.systems, about_others, strict=True):
        if other != system:
            words[other] = WORDS[int(conclusion)]
    for a, b in conclusions.unresolved:
        if system in (a, b):
            other = b if a == system else a
            words[other] = UNRESOLVED
    return words


def summary(comparisons: Comparisons, metric: str) -> pd.DataFrame:
    """The table of :meth:`mtsig_nb.Comparisons.summary`."""
    return _summary(comparisons, comparisons.conclusions(metric=metric), metric)


def _summary(comparisons: Comparisons, conclusions: Conclusions, metric: str) -> pd.DataFrame:
    """A row for each system: system, score, ci_low, ci_high and letters."""
    table = comparisons.scores[metric].rename("score").to_frame()
    bounds = comparisons.score_intervals.get(metric)
    table[["ci_low", "ci_high"]] = np.nan if bounds is None else bounds
    table["letters"] = pd.Series(clusters(conclusions).letters())
    return table.rename_axis("system").reset_index()
