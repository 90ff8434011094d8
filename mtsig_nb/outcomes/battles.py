"""All pairs of systems by their battles: pairwise preferences of people or models."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import pandas as pd
from scipy import special

from .. import __version__
from ..conclusions.deciding import Conclusions
from ..human.preferences import BradleyTerry, PairwisePreferences
from ..tables import Column, printed
from .outcome import Layout, Outcome, Section
from .ratings import concluded, for_print, with_ranks
from .verdicts import winner

#: Columns that say who judged.
_RATERS = ("rater", "judge", "annotator", "user")
#: What is compared, as the key of the only verdict.
STRENGTH = "strength"


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class BattlesOutcome(Outcome):
    """Strengths of all systems, and tests of all pairs.

    Attributes
    ----------
    battles : PairwisePreferences
    fit : BradleyTerry
    file : str
        Where the battles are from.
    """

    kind = "battles"

    battles: PairwisePreferences
    fit: BradleyTerry
    file: str

    @cached_property
    def _concluded(self) -> tuple[Conclusions, pd.DataFrame]:
        analysis = self.analysis
        tests = self.fit.tests(alternative=analysis.alternative)
        return concluded(tests, alpha=analysis.alpha, correction=analysis.correction)

    @property
    def conclusions(self) -> Conclusions:
        """What is concluded of every pair."""
        return self._concluded[0]

    @property
    def verdicts(self) -> Mapping[str, str]:
        return {STRENGTH: winner(self.conclusions, self.table)}

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self.fit.notes)

    @property
    def distinguished(self) -> bool:
        return bool(self.conclusions.matrix.any())

    @cached_property
    def table(self) -> pd.DataFrame:
        pairs = self._concluded[1].drop(columns=["score_a", "score_b"])
        pairs.insert(2, "win_chance", special.expit(pairs["difference"]))
        return pairs

    @cached_property
    def systems(self) -> pd.DataFrame:
        fitted = self.fit.to_frame().set_index("system")
        strength = fitted["strength"]
        quantile = special.ndtri((1 + self.analysis.confidence_level) / 2)
        half_width = quantile * fitted["standard_error"]
        counted = pd.DataFrame(
            {
                "wins": self.battles.wins.sum(axis=1),
                "losses": self.battles.wins.sum(),
                "ties": self.battles.ties.sum(axis=1),
                "strength": strength,
                "ci_low": strength - half_width,
                "ci_high": strength + half_width,
            }
        )
        return with_ranks(counted.loc[fitted.index], self.conclusions)

    @property
    def methods(self) -> str:
        analysis = self.analysis
        n_pairs = len(self.table)
        plural = "s" if n_pairs > 1 else ""
        return (
            f"We fitted strengths to all battles ({self.fit.title}; log odds to win, zero on "
            f"average), and tested {n_pairs} difference{plural} ({analysis.alternative}, level "
            f"{analysis.alpha:g}, {analysis.correction or 'no'} correction). Intervals are of each "
            f"strength, {100 * analysis.confidence_level:g} %, not corrected. Computed by mtsig_nb "
            f"{__version__}, without resamples."
        )

    @property
    def sources(self) -> str:
        n_battles = len(self.battles.frame)
        n_tied = int((self.battles.frame["outcome"] == 0).sum())
        n_systems = len(self.systems)
        return f"{self.file}: {n_battles:,} battles of {n_systems} systems, {n_tied:,} tied."

    def tables(self, layout: Layout) -> Iterator[Section]:
        yield Section(table=self.for_paper(layout))
        one_sided = self.analysis.alternative != "two-sided"
        if one_sided or len(self.systems) > 2 or layout.pairs:
            yield Section(table=printed(self.table, digits=self._digits(layout)))

    def for_paper(self, layout: Layout) -> Sequence[Column]:
        return printed(for_print(self.systems), digits=self._digits(layout))

    def _digits(self, layout: Layout) -> int:
        return 2 if layout.digits is None else layout.digits

    def reading_hints(self) -> Iterator[str]:
        yield "A strength is a log odds: a difference of 1 wins 73 % of the battles without ties."
        yield from super().reading_hints()


def fitted_battles(
    frame: pd.DataFrame, systems: Sequence[str]
) -> tuple[PairwisePreferences, BradleyTerry]:
    """Battles among some systems, by default all, and the strengths that fit them.

    Raters are a sample where a column says who they are, and there are several.
    """
    raters = next((name for name in _RATERS if name in frame), None)
    if raters is not None:
        frame = frame.rename(columns={raters: "rater"})
    if systems:
        among = frame[["model_a", "model_b"]].isin(list(systems)).all(axis=1)
        frame = frame[among]
    battles = PairwisePreferences(frame, "battles")
    has_raters = raters is not None and frame["rater"].nunique() > 1
    fit = battles.bradley_terry(ties="half", units="raters" if has_raters else None)
    return battles, fit
