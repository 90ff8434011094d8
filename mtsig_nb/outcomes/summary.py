"""Comparisons as a table with a row for each system."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..conclusions.clustering import clusters
from ..conclusions.deciding import UNRESOLVED, WORDS, Conclusions
from ..frames import pd
from ..significance.comparisons import Comparisons
from ..tables.rows import Rows

#: What is concluded about a system against another, besides `UNRESOLVED`.
BETTER = WORDS[1]
INDISTINGUISHABLE = WORDS[0]
WORSE = WORDS[-1]
#: What a table has of a system against another, as the rows of pairs have it.
_AGAINST_OTHERS = ("difference", "ci_low", "ci_high", "pvalue", "pvalue_adjusted", "at_floor")


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
    return pd.DataFrame(summary_columns(comparisons, metric=metric, against=against))


def summary_columns(
    comparisons: Comparisons, *, metric: str | None = None, against: str | None = None
) -> dict[str, list[Any]]:
    """The columns of `summary_table`; what is not known of a system against itself is NaN."""
    conclusions = comparisons.conclusions(metric=metric)
    metric = metric or comparisons.metrics[0]
    position = 0 if against is None else conclusions.index(against)
    against = conclusions.systems[position]
    about_others = _about_others(comparisons.rows_of(metric), against)
    words = words_against(conclusions, against)
    letters = clusters(conclusions).letters()
    scores = comparisons.scores_by_metric[metric]
    about_itself = dict.fromkeys(_AGAINST_OTHERS, np.nan)
    rows = []
    for system in conclusions.systems:
        row = {"system": system, "score": scores[system], "letters": letters[system]}
        row |= about_others.get(system, about_itself)
        row["conclusion"] = words.get(system, np.nan)
        rows.append(row)
    return {name: [row[name] for row in rows] for name in rows[0]}


def _about_others(rows: Rows, against: str) -> dict[str, dict[str, Any]]:
    """What the rows of pairs with the system `against` say of the other systems, by these."""
    about_others = {}
    for row in rows[(rows["system_a"] == against) | (rows["system_b"] == against)]:
        about_other = {name: row[name].item() for name in _AGAINST_OTHERS}
        other = row["system_a"]
        if other == against:
            # The row is turned round to speak of the other system.
            other = row["system_b"]
            about_other["difference"] = -row["difference"].item()
            about_other["ci_low"] = -row["ci_high"].item()
            about_other["ci_high"] = -row["ci_low"].item()
        about_others[other] = about_other
    return about_others


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
    conclusions = comparisons.conclusions(metric=metric)
    table = comparisons.scores[metric].rename("score").to_frame()
    bounds = comparisons.score_intervals.get(metric)
    table[["ci_low", "ci_high"]] = np.nan if bounds is None else bounds
    table["letters"] = pd.Series(clusters(conclusions).letters())
    return table.rename_axis("system").reset_index()
