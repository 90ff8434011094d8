"""Battles of two models each, won, lost or tied: what `compare` says of them."""

from __future__ import annotations

from typing import Any

import pandas as pd
from scipy import special

from .. import __version__
from ..conclusions.ranking import rank_table
from ..errors import InputError, listed
from ..human.preferences import PairwisePreferences
from ..report.analysis import OF_SCORES, Analysis
from ..report.system_table import open_ranks
from ..report.verdicts import pvalue_in_words
from ..significance.corrections import adjust_pvalues
from .contents import of_pairs
from .printing import Answer, Block

#: Columns that say who judged.
_RATERS = ("rater", "judge", "annotator", "user")
#: Settings that say nothing of battles.
_UNUSED = (*OF_SCORES, "metrics", "test", "n_resamples", "units", "interval")


def battles(frame: pd.DataFrame, analysis: Analysis, file: str) -> Answer:
    """Strengths of all systems, their intervals, and tests of all pairs."""
    usual = Analysis()
    for option in _UNUSED:
        if (given := getattr(analysis, option)) != getattr(usual, option):
            raise InputError(
                f"{option}={given!r}: battles have no scores and no resamples. Leave it out."
            )
    if raters := next((name for name in _RATERS if name in frame), None):
        frame = frame.rename(columns={raters: "rater"})
    if analysis.systems:
        among = frame[["model_a", "model_b"]].isin(list(analysis.systems))
        frame = frame[among.all(axis=1)]
    fought = PairwisePreferences(frame, "battles")
    units: Any = "raters" if raters and frame["rater"].nunique() > 1 else None
    fit = fought.bradley_terry(ties="half", units=units)
    tests = fit.tests(alternative=analysis.alternative)
    conclusions = tests.conclusions(analysis.alpha, correction=analysis.correction)

    pairs = tests.table.drop(columns=["score_a", "score_b", "note"])
    pairs.insert(2, "win_chance", special.expit(pairs["difference"]))
    pairs["pvalue_adjusted"] = adjust_pvalues(pairs["pvalue"], analysis.correction)
    both = zip(pairs["system_a"], pairs["system_b"], strict=True)
    pairs["conclusion"] = [conclusions.word(*pair) for pair in both]

    strengths = fit.to_frame().set_index("system")
    half = special.ndtri((1 + analysis.confidence_level) / 2) * strengths["standard_error"]
    won, tied = fought.wins, fought.ties
    systems = pd.DataFrame(
        {
            "wins": won.sum(axis=1),
            "losses": won.sum(),
            "ties": tied.sum(axis=1),
            "strength": strengths["strength"],
            "ci_low": strengths["strength"] - half,
            "ci_high": strengths["strength"] + half,
        }
    ).loc[strengths.index]
    ranks = rank_table(conclusions).set_index("system")[["letters", "rank_top", "rank_bottom"]]
    systems = systems.join(ranks).rename_axis("system").reset_index()

    method = (
        f"We fitted strengths to all battles ({fit.title}; log odds to win, zero on "
        f"average), and tested {len(pairs)} difference{'s' * (len(pairs) > 1)} "
        f"({analysis.alternative}, level {analysis.alpha:g}, {analysis.correction or 'no'} "
        f"correction). Intervals are of each strength, {100 * analysis.confidence_level:g} %, not "
        f"corrected. Computed by mtsig_nb {__version__}, without resamples."
    )
    n, n_tied = len(fought.frame), int((fought.frame["outcome"] == 0).sum())
    page: list[Block] = [
        _verdict(conclusions, pairs),
        f"{file}: {n:,} battles of {len(systems)} systems, {n_tied:,} tied.",
        systems.drop(columns=["rank_top", "rank_bottom"]).assign(ranks=open_ranks(systems)),
        *([pairs] if analysis.alternative != "two-sided" or len(systems) > 2 else []),
        method,
    ]
    return of_pairs(
        analysis,
        page,
        systems,
        pairs,
        paper=systems,
        digits=2,
        distinguished=bool((conclusions.pairs() != 0).any()),
        methods_sentence=method,
    )


def _verdict(conclusions: Any, pairs: pd.DataFrame) -> str:
    best, *others = conclusions.systems
    alike = [name for name in others if conclusions.conclusion(best, name) != 1]
    if not alike:
        p = pairs.loc[pairs["system_a"] == best, "pvalue_adjusted"].max()
        said = pvalue_in_words(p, "p" if len(others) == 1 else "largest adjusted p")
        return f"{best} is better than {listed(others, 9)} ({said})."
    return (
        f"{best} is ahead, and was not distinguished from {listed(alike, 9)}. This does not "
        "show that they are equally good."
    )
