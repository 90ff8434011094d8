"""All pairs of systems by their battles or rankings: what people, or models, preferred."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Self

import pandas as pd
from scipy import special

from .. import __version__
from ..conclusions.deciding import Conclusions
from ..errors import InputError, check_all_of, counted, listed
from ..human.bradley_terry import BradleyTerry
from ..human.pair_tests import PairTests
from ..human.preferences import PairwisePreferences
from ..notes import Note, note
from ..scores.battles import Battles, read_battles
from ..scores.score_file import ScoreFile
from ..tables import Column, printed
from ..texts.files import quoted
from .caveats import caveats_of_people
from .outcome import Layout, Outcome, Section
from .pair_table import columns_of_pairs
from .rankings import concluded, for_print, with_ranks
from .verdicts import winner

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..plots.column import Panel
    from ..report.analysis import Analysis
    from ..statistics.sufficient import SufficientStatistics

#: More systems than this are not all named in advice.
_MOST_NAMED = 20

_Units = Literal["raters", "tasks"]


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class BattlesOutcome(Outcome):
    """Strengths of all systems, and tests of all pairs.

    Where strengths are not determined, since some system never lost or never won, every pair is
    tested by its own battles.

    Attributes
    ----------
    file : ScoreFile
        Where the battles are from.
    read : Battles
        The battles, or rankings, as they were read.
    preferences : PairwisePreferences
        The comparisons of two systems that were counted.
    units : {"raters", "tasks"}, optional
        What is independent, if not single comparisons: all those of a rater, or of a ranking.
    fit : BradleyTerry, optional
        The strengths, where they are determined.
    tests : PairTests
        The test of every pair: of strengths, or of the pair's own battles without them.
    """

    kind = "battles"
    accepted_options = (
        *("correction", "alpha", "alternative"),
        *("confidence_level", "seed"),
    )
    meaningless = ("smaller_is_better", "by", "missing", "shared", "metrics")
    why_meaningless = "battles have no scores and no resamples"

    file: ScoreFile
    read: Battles
    preferences: PairwisePreferences
    units: _Units | None
    fit: BradleyTerry | None
    tests: PairTests

    @classmethod
    def from_analysis(
        cls, analysis: Analysis, statistics: Sequence[SufficientStatistics] | None = None
    ) -> Self:
        """All pairs of systems in a file of battles or rankings; there are no statistics.

        Raises
        ------
        InputError
            For a system that is not there, or a winner that cannot be read: by line and column.
        """
        file = analysis.score_files
        assert isinstance(file, ScoreFile)  # where the battles are from
        analysis = analysis.without_resamples()
        if file.frame.empty:
            raise InputError(f"{quoted(file.path)} has the columns of battles, but no battles.")
        battles = read_battles(file.frame, file.where)
        label = "rankings" if battles.n_rankings else "battles"
        names = list(dict.fromkeys(map(str, analysis.systems)))
        preferences = PairwisePreferences(_among(battles.frame, names), label)
        units = _independent_units(battles, preferences)
        alternative = analysis.options.alternative
        fit = None
        if len(preferences.determined_groups(ties="half")) == 1:
            fit = preferences.bradley_terry(ties="half", units=units)
            tests = fit.tests(alternative=alternative)
        else:
            tests = preferences.sign_test(alternative=alternative, units=units)
        return cls(
            analysis=analysis,
            file=file,
            read=battles,
            preferences=preferences,
            units=units,
            fit=fit,
            tests=tests,
        )

    @cached_property
    def _concluded(self) -> tuple[Conclusions, pd.DataFrame]:
        """What is concluded of every pair, and the table of pairs."""
        options = self.analysis.options
        return concluded(self.tests, alpha=options.alpha, correction=options.correction)

    @property
    def conclusions(self) -> Conclusions:
        """What is concluded of every pair."""
        conclusions, _ = self._concluded
        return conclusions

    @property
    def verdicts(self) -> Mapping[str, str]:
        name = "expected wins" if self.fit is None else "strength"
        return {name: winner(self.conclusions, self.table)}

    @property
    def notes(self) -> tuple[str, ...]:
        notes = [*self.read.notes]
        notes += _notes_on_groups(self.preferences.determined_groups(ties="half"))
        if "rater" in self.preferences.frame and self.units != "raters":
            notes.append(note("one-of-a-unit", unit="rater"))
        return tuple(caveats_of_people(self.tests, notes))

    @property
    def distinguished(self) -> bool:
        return bool(self.conclusions.matrix.any())

    @cached_property
    def table(self) -> pd.DataFrame:
        _, pairs = self._concluded
        pairs = pairs.drop(columns=["score_a", "score_b"])
        if self.fit is not None:
            pairs.insert(2, "win_chance", special.expit(pairs["difference"]))
        return pairs

    @cached_property
    def systems(self) -> pd.DataFrame:
        wins = self.preferences.wins  # of the row's system over the column's
        counts = {
            "wins": wins.sum(axis=1),
            "losses": wins.sum(),
            "ties": self.preferences.ties.sum(axis=1),
        }
        table = pd.DataFrame(counts).loc[list(self.tests.systems)]
        if self.fit is None:
            table = table.assign(expected_wins=self.tests.scores)
        else:
            strength = self.fit.to_frame().set_index("system")["strength"]
            limits = self.fit.limits(self.analysis.options.confidence_level)
            table = table.assign(strength=strength, ci_low=limits["low"], ci_high=limits["high"])
        return with_ranks(table, self.conclusions)

    @property
    def methods(self) -> str:
        options = self.analysis.options
        n_pairs = len(self.tests.table)
        plural = "s" if n_pairs > 1 else ""
        tested = (
            f"{n_pairs} difference{plural} ({options.alternative}, level {options.alpha:g}, "
            f"{options.correction or 'no'} correction)"
        )
        computed = f"Computed by mtsig_nb {__version__}, without resamples."
        if self.fit is None:
            return (
                f"We tested {tested} by sign tests, each of the battles of its pair "
                f"({self.tests.title}). Expected wins are the chance of winning a decided battle, "
                f"on average over opponents. {computed}"
            )
        return (
            f"We fitted strengths to all {self.fit.label} ({self.fit.title}; log odds to win, zero "
            f"on average), and tested {tested}. Intervals are of each strength, "
            f"{100 * options.confidence_level:g} %, not corrected. {computed}"
        )

    @property
    def sources(self) -> str:
        frame = self.preferences.frame
        n_battles = len(frame)
        n_tied = int((frame["outcome"] == 0).sum())
        of_systems = f"of {len(self.preferences.systems)} systems, {n_tied:,} tied"
        if self.read.n_rankings:
            rankings = f"{frame['task'].nunique():,} rankings (1 is the best)"
            parts = [f"{rankings}, which imply {n_battles:,} comparisons {of_systems}"]
        else:
            parts = [f"{n_battles:,} battle{'s' if n_battles > 1 else ''} {of_systems}"]
        if self.units == "raters":
            parts.append(f"{frame['rater'].nunique():,} raters, each of whom is a unit")
        elif self.units == "tasks":
            parts.append("each ranking is a unit")
        if self.read.unused:
            parts.append(f"not used: {listed(self.read.unused, 12)}")
        return f"{self.file.path.name}: {'; '.join(parts)}."

    @property
    def title(self) -> str:
        kind = "rankings" if self.read.n_rankings else "battles"
        return f"{len(self.system_names)} systems, compared by {kind}"

    @property
    def size(self) -> str:
        frame = self.preferences.frame
        n_battles = counted(len(frame), "comparison" if self.read.n_rankings else "battle")
        if self.read.n_rankings:
            n_battles += f" from {counted(frame['task'].nunique(), 'ranking')}"
        if self.units != "raters":
            return n_battles
        return f"{n_battles}, {counted(frame['rater'].nunique(), 'rater')}"

    def tables(self, layout: Layout) -> Iterator[Section]:
        yield Section(table=self._table_of_systems(layout))
        is_one_sided = self.analysis.options.alternative != "two-sided"
        if is_one_sided or len(self.systems) > 2 or layout.pairs:
            yield Section(table=printed(self.table, digits=self._digits(layout)))

    def sections(self, layout: Layout) -> Iterator[Section]:
        caption = self.legend_for_paper(dataclasses.replace(layout, pairs=False))
        yield self.section_with_pairs(layout, self._table_of_systems(layout), caption)

    def for_paper(self, layout: Layout) -> Sequence[Column]:
        if layout.pairs:
            return columns_of_pairs(
                self.table, digits=self._digits(layout), correction=self.analysis.options.correction
            )
        return self._table_of_systems(layout)

    def _table_of_systems(self, layout: Layout) -> Sequence[Column]:
        """The systems with their wins and strengths."""
        return printed(for_print(self.systems), digits=self._digits(layout))

    def legend_for_paper(self, layout: Layout) -> str:
        options = self.analysis.options
        measure = "expected wins" if self.fit is None else "strength"
        corrected = f"{options.correction or 'no'} correction"
        if layout.pairs:
            chance = "" if self.fit is None else " Wins: the chance that it wins."
            return (
                f"By: by how much the system that is ahead leads in {measure}.{chance} "
                f"* distinguished at {options.alpha:g} ({corrected})."
            )
        how_to_read = "Expected wins: the chance of winning a decided battle, over all opponents."
        if self.fit is not None:
            percent = 100 * options.confidence_level
            how_to_read = (
                f"Strength: log odds to win, zero on average, with its {percent:g} % interval."
            )
        return (
            f"{how_to_read} Systems that share a letter are not distinguished at "
            f"{options.alpha:g} ({corrected})."
        )

    def _digits(self, layout: Layout) -> int:
        return 2 if layout.digits is None else layout.digits

    def panels(self, layout: Layout) -> Iterator[Panel]:
        from ..plots.column import panels_of_estimates  # matplotlib only when something is drawn

        number = "expected_wins" if self.fit is None else "strength"
        yield from panels_of_estimates(self.systems, number, self.analysis.options.confidence_level)

    def _plain_figure(self) -> Figure:
        from ..plots import heatmap  # matplotlib only when something is drawn

        figure: Figure = heatmap(self.conclusions)
        return figure

    def reading_hints(self) -> Iterator[str]:
        if self.fit is not None:
            yield "A strength is a log odds: a system that leads by 1 wins 73 % of its battles."
        yield from super().reading_hints()

    def details(self, layout: Layout) -> dict[str, object]:
        return {"unused_columns": list(self.read.unused)}

    def code(self) -> str:
        analysis = self.analysis
        lines = [
            "import mtsig_nb as mt",
            "from mtsig_nb.report.analysis import Analysis",
            "",
            f"found = Analysis(**{analysis.to_dict()!r}).run()",
            "preferences = found.preferences",
        ]
        units = f"units={self.units!r}"
        alternative = f"alternative={analysis.options.alternative!r}"
        if self.fit is None:
            lines.append(f"tests = preferences.sign_test({alternative}, {units})")
        else:
            lines.append(f'fit = preferences.bradley_terry(ties="half", {units})')
            lines.append(f"tests = fit.tests({alternative})")
        options = f"{analysis.options.alpha!r}, correction={analysis.options.correction!r}"
        lines.append(f"conclusions = tests.conclusions({options})")
        return "\n".join(lines)


def _among(frame: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """The comparisons among the systems that are named; all of them where none is."""
    check_all_of("system", names, sorted(_systems_in(frame)))
    if not names:
        return frame
    if len(names) == 1:
        raise InputError(f"system: there is only one, {names[0]!r}; a comparison needs two.")
    is_among_named = frame[["system_a", "system_b"]].isin(names).all(axis=1)
    chosen = frame[is_among_named].reset_index(drop=True)
    systems_that_met = _systems_in(chosen)
    alone = [repr(name) for name in names if name not in systems_that_met]
    if alone:
        raise InputError(
            f"system: {listed(alone)} met none of the other systems named. Leave "
            f"{'it' if len(alone) == 1 else 'them'} out, or name more systems."
        )
    return chosen


def _systems_in(frame: pd.DataFrame) -> set[str]:
    """All systems that are compared in a table of comparisons."""
    return {*frame["system_a"], *frame["system_b"]}


def _independent_units(read: Battles, preferences: PairwisePreferences) -> _Units | None:
    """What is independent: all comparisons of a rater, or of a ranking; None for single ones."""
    frame = preferences.frame
    if "rater" in frame and frame["rater"].nunique() > 1:
        return "raters"
    return "tasks" if read.most_ranked > 2 else None


def _notes_on_groups(groups: Sequence[Sequence[str]]) -> list[Note]:
    """Why there are no strengths, and which systems would have some by themselves.

    `groups` are systems whose strengths are determined beside each other, the largest first.
    """
    if len(groups) == 1:
        return []
    largest = groups[0]
    if len(largest) == 1 or len(largest) > _MOST_NAMED:
        return [note("no-strengths", advice="")]
    advice = f"; name {' '.join(largest)} alone to get their strengths"
    return [note("no-strengths", advice=advice)]
