"""Battles of two models each, won, lost or tied: what `compare` says of them."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import pandas as pd
from scipy import special

from .. import __version__
from ..conclusions.ranking import rank_table
from ..errors import InputError, listed
from ..human.preferences import PairwisePreferences
from ..report.analysis import Analysis
from ..report.verdicts import pvalue_in_words
from ..significance.corrections import adjust_pvalues
from .contents import of_pairs
from .printing import Answer, Page

#: Columns that say who judged.
_RATERS = ("rater", "judge", "annotator", "user")
#: Options that say nothing of battles, and their defaults.
_USUAL: dict[str, Any] = {
    "metrics": (),
    "smaller_is_better": False,
    "by": None,
    "missing": "raise",
    "test": "approximate-randomization",
    "n_resamples": None,
    "units": "segments",
    "interval": "percentile",
}


class Battles:
    """Strengths of all systems, their intervals, and tests of all pairs."""

    def __init__(self, frame: pd.DataFrame, analysis: Analysis, file: str) -> None:
        self._analysis, self._file = analysis, file
        for option, usual in _USUAL.items():
            if getattr(analysis, option) not in (usual, None):
                raise InputError(
                    f"{option}={getattr(analysis, option)!r}: battles have no scores and no "
                    "resamples. Leave it out."
                )
        if raters := next((name for name in _RATERS if name in frame), None):
            frame = frame.rename(columns={raters: "rater"})
        if analysis.systems:
            among = frame[["model_a", "model_b"]].isin(list(analysis.systems))
            frame = frame[among.all(axis=1)]
        self._battles = PairwisePreferences(frame, "battles")
        units: Any = "raters" if raters and frame["rater"].nunique() > 1 else None
        self._fit = self._battles.bradley_terry(ties="half", units=units)
        self._tests = self._fit.tests(alternative=analysis.alternative)

    @property
    def any_distinguished(self) -> bool:
        """Whether any two systems are."""
        return bool((self._conclusions.pairs() != 0).any())

    @cached_property
    def _conclusions(self) -> Any:
        return self._tests.conclusions(self._analysis.alpha, correction=self._analysis.correction)

    @cached_property
    def systems(self) -> pd.DataFrame:
        """A row for each system, best first: battles, strength with its interval, ranks."""
        fit = self._fit.to_frame().set_index("system")
        half = special.ndtri((1 + self._analysis.confidence_level) / 2) * fit["standard_error"]
        won, tied = self._battles.wins, self._battles.ties
        ranks = rank_table(self._conclusions).set_index("system").loc[fit.index]
        counts = {"wins": won.sum(axis=1), "losses": won.sum(), "ties": tied.sum(axis=1)}
        table = pd.DataFrame(
            {
                **{name: count.loc[fit.index] for name, count in counts.items()},
                "strength": fit["strength"],
                "ci_low": fit["strength"] - half,
                "ci_high": fit["strength"] + half,
                **{name: ranks[name] for name in ("letters", "rank_top", "rank_bottom")},
            }
        )
        return table.rename_axis("system").reset_index()

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """A row for each pair, the stronger system first, unrounded."""
        table = self._tests.table.drop(columns=["score_a", "score_b", "note"])
        adjusted = adjust_pvalues(table["pvalue"], self._analysis.correction)
        table.insert(2, "win_chance", special.expit(table["difference"]))
        return table.assign(
            pvalue_adjusted=adjusted,
            conclusion=[
                self._conclusions.word(*pair)
                for pair in zip(table["system_a"], table["system_b"], strict=True)
            ],
        )

    def page(self) -> Page:
        """The verdict, the table, and how it was done."""
        page, table = Page(), self.systems
        page.paragraph(self._verdict())
        n, tied = len(self._battles.frame), int((self._battles.frame["outcome"] == 0).sum())
        page.paragraph(f"{self._file}: {n:,} battles of {len(table)} systems, {tied:,} tied.")
        ranges = zip(table["rank_top"], table["rank_bottom"], strict=True)
        page.table(
            table.drop(columns=["rank_top", "rank_bottom"]).assign(
                ranks=[f"{top}" if top == low else f"{top}–{low}" for top, low in ranges]
            )
        )
        if self._analysis.alternative != "two-sided" or len(table) > 2:
            page.table(self.pairs, digits=2)
        page.paragraph(self.method)
        return page

    def _verdict(self) -> str:
        best, *others = self._conclusions.systems
        alike = [name for name in others if self._conclusions.conclusion(best, name) != 1]
        if not alike:
            p = self.pairs.loc[self.pairs["system_a"] == best, "pvalue_adjusted"].max()
            said = pvalue_in_words(p, "p" if len(others) == 1 else "largest adjusted p")
            return f"{best} is better than {listed(others, 9)} ({said})."
        return (
            f"{best} is ahead, and was not distinguished from {listed(alike, 9)}. This does not "
            "show that they are equally good."
        )

    @property
    def method(self) -> str:
        """What was done."""
        analysis, n = self._analysis, len(self.pairs)
        return (
            f"We fitted strengths to all battles ({self._fit.title}; log odds to win, zero on "
            f"average), and tested {n} difference{'s' * (n > 1)} ({analysis.alternative}, level "
            f"{analysis.alpha:g}, {analysis.correction or 'no'} correction). Intervals are of each "
            f"strength, {100 * analysis.confidence_level:g} %, not corrected. Computed by mtsig_nb "
            f"{__version__}, without resamples."
        )

    def answer(self) -> Answer:
        """All of it in every format."""
        return of_pairs(
            self.page,
            self._analysis,
            systems=self.systems,
            pairs=self.pairs,
            paper=self.systems,
            digits=2,
            methods_sentence=self.method,
        )
