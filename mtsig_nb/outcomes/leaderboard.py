"""Several test sets, or metrics, in one order of all systems."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import pandas as pd

from .. import __version__
from ..errors import counted
from ..significance.leaderboards import NAMES_OF_AGGREGATES, Leaderboard, leaderboard
from ..statistics.sufficient import SufficientStatistics
from ..tables import Column, printed
from .outcome import Layout, Outcome, Section, sizes_in_words
from .single_outputs import check_single_outputs
from .verdicts import digits_for

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..report.analysis import Analysis

#: Resamples, where none are asked for.
N_RESAMPLES = 2000
#: What aggregates are called in a sentence on methods.
_IN_WORDS = {
    "mean-score": "the mean of their scores",
    "mean-rank": "the mean of their ranks",
    "borda": "Borda count",
    "win-rate": "mean win rate",
}


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class LeaderboardOutcome(Outcome):
    """All systems in the order of an aggregate over test sets, or metrics.

    Attributes
    ----------
    board : Leaderboard
    statistics : sequence of SufficientStatistics
        Of each metric, or of each metric on each test set.
    """

    kind = "leaderboard"
    accepted_options = ("n_resamples", "units", "confidence_level", "seed")
    why_meaningless = "a leaderboard has simultaneous intervals, and no p-values"
    _ranked_by = "value"

    board: Leaderboard
    statistics: Sequence[SufficientStatistics]

    @classmethod
    def from_analysis(
        cls, analysis: Analysis, statistics: Sequence[SufficientStatistics] | None = None
    ) -> Self:
        """The board over the test sets of the analysis, or over its metrics.

        Raises
        ------
        InputError
            If the files have battles, several runs or raters; or unlike metrics for a mean score.
        """
        check_single_outputs(analysis, "a leaderboard")
        # Units alone, since a board has no correction.
        resolved = analysis.but(units=analysis.resolved.options.units)
        options = resolved.options
        sets = resolved.test_sets()
        if sets:
            tasks: Any = sets
            statistics = [s for scored in sets for s in scored.each]
        else:
            statistics = resolved.statistics() if statistics is None else statistics
            tasks = statistics
        board = leaderboard(
            tasks,
            aggregate=resolved.aggregate,  # type: ignore[arg-type]  # it is checked there
            tasks=resolved.tasks or "fixed",  # type: ignore[arg-type]
            confidence_level=options.confidence_level,
            n_resamples=options.n_resamples or N_RESAMPLES,
            units="segments" if sets else str(options.units),  # those of sets are laid out already
            rng=options.seed,
        )
        return cls(analysis=resolved, board=board, statistics=statistics)

    # --- what was found ---------------------------------------------------------------------------

    @property
    def verdicts(self) -> Mapping[str, str]:
        return {self.board.aggregate: self.board.verdict}

    @cached_property
    def notes(self) -> tuple[str, ...]:
        return self.board.notes

    @property
    def distinguished(self) -> bool:
        return bool(self.table["surely_ahead"].any())

    @property
    def table(self) -> pd.DataFrame:
        return self.board.pairs

    @property
    def systems(self) -> pd.DataFrame:
        return self.board.table

    @property
    def methods(self) -> str:
        board = self.board
        drawn = f"{board.unit} drawn within each"
        if board.tasks == "sample":
            drawn = f"tasks drawn, and {board.unit} within each"
        return (
            f"We ordered {len(board.table)} systems by {_IN_WORDS[board.aggregate]} over "
            f"{counted(board.n_tasks, 'task')} ({', '.join(board.scores.columns)}). Intervals are "
            f"percentiles of {board.n_resamples:,} bootstrap resamples ({drawn}); possible ranks "
            "are from simultaneous intervals of all differences, at the level "
            f"{board.confidence_level:g} (Mogstad et al. 2024). Computed by mtsig_nb {__version__} "
            f"(seed {board.rng})."
        )

    @property
    def signature(self) -> str:
        board = self.board
        parts = [
            f"board:{board.aggregate}",
            f"tasks:{board.tasks}",
            f"ntasks:{board.n_tasks}",
            f"n:{board.n_resamples}",
            f"units:{board.unit}",
            f"confidence:{board.confidence_level:g}",
            f"seed:{board.rng}",
            f"mtsig_nb:{__version__}",
        ]
        metrics = dict.fromkeys(s.signature for s in self.statistics)
        return " || ".join(["|".join(parts), *metrics])

    @property
    def title(self) -> str:
        n_tasks = counted(self.board.n_tasks, "task")
        return f"{len(self.systems)} systems on a board of {n_tasks}, by {self._heading}"

    @property
    def size(self) -> str:
        unit = "segments" if self.analysis.test_sets() else self.board.unit
        sizes = [int(measured.by_unit(unit).present.sum()) for measured in self.statistics]
        return sizes_in_words(list(self.board.scores.columns), sizes, self.board.unit)

    # --- how it is shown --------------------------------------------------------------------------

    def tables(self, layout: Layout) -> Iterator[Section]:
        board = self.board
        confidence = f"{100 * board.confidence_level:g} %"
        yield Section(
            table=self._table_of_systems(layout),
            caption="possible ranks: these hold for all systems together, with "
            f"{confidence} confidence. interval: of the {self._heading}, for each system alone. "
            "first: in how many resamples it is first.",
        )
        if len(board.by_task):
            by_task = board.by_task.rename(columns={"is_first": "same first"})
            first, second = board.table["system"].iloc[:2]
            yield Section(
                title="Without each task",
                table=printed(by_task, digits=self._digits(layout)),
                caption=(
                    "The board without one of the tasks. first: the system that is then first. "
                    f"turned: how many pairs of systems change their order. lead: of {first} over "
                    f"{second}, with its {confidence} interval."
                ),
            )
        if layout.pairs:
            yield Section(table=self._table_of_pairs(layout))

    @property
    def _heading(self) -> str:
        """What the aggregate is called."""
        return NAMES_OF_AGGREGATES[self.board.aggregate]

    def _digits(self, layout: Layout) -> int:
        if layout.digits is not None:
            return layout.digits
        if self.board.aggregate == "mean-score":
            return digits_for(self.systems["value"])
        return 3 if self.board.aggregate == "win-rate" else 2

    def _table_of_systems(self, layout: Layout) -> list[Column]:
        systems = self.systems
        digits = self._digits(layout)
        ranges = []
        for top, bottom in zip(systems["rank_top"], systems["rank_bottom"], strict=True):
            ranges.append(str(top) if top == bottom else f"{top}–{bottom}")
        intervals = []
        for low, high in zip(systems["ci_low"], systems["ci_high"], strict=True):
            intervals.append(f"[{low:.{digits}f}, {high:.{digits}f}]")
        values = tuple(f"{value:.{digits}f}" for value in systems["value"])
        return [
            Column("rank", tuple(map(str, systems["rank"])), numeric=True),
            Column("possible ranks", tuple(ranges), numeric=True),
            Column("system", tuple(systems["system"]), numeric=False),
            Column(self._heading, values, numeric=True),
            Column("interval", tuple(intervals), numeric=True),
            Column("first", tuple(f"{share:.1%}" for share in systems["first"]), numeric=True),
        ]

    def _table_of_pairs(self, layout: Layout) -> list[Column]:
        pairs = self.table
        sure = pairs["surely_ahead"].map({True: "yes", False: "no"})
        return printed(pairs.assign(surely_ahead=sure), digits=self._digits(layout))

    def for_paper(self, layout: Layout) -> Sequence[Column]:
        if layout.pairs:
            return self._table_of_pairs(layout)
        return self._table_of_systems(layout)

    def figures(self) -> Iterator[Figure]:
        from ..plots.estimates import estimates  # matplotlib only when something is drawn

        systems = self.systems.rename(columns={"value": self._heading})
        yield estimates(systems, self._heading, "ci_low", "ci_high")

    def reading_hints(self) -> Iterator[str]:
        yield (
            "Ranks say nothing about distances: the first system may lead by too little to matter, "
            "or by chance alone. Look at the possible ranks before the order."
        )
        if self.board.aggregate != "mean-score":
            yield (
                "Where ranks count, the other systems matter: with other systems on the board, two "
                "may change their order."
            )
        if self.board.tasks == "fixed":
            yield (
                "The tasks are taken as they are. Whether the order would hold with other tasks "
                "like these is another question: --tasks sample."
            )

    # --- formats ----------------------------------------------------------------------------------

    def code(self) -> str:
        analysis = self.analysis
        board = self.board
        units = repr(str(analysis.options.units))
        if analysis.test_sets():  # which are laid out over their units
            lines = [
                "import mtsig_nb as mt",
                "",
                analysis.code_for_table(),
                f"statistics = {analysis.code_for_test_sets()}",
            ]
            units = "'segments'"
        else:
            lines = ["import mtsig_nb as mt", "", *analysis.code_for_statistics()]
        lines += [
            "board = mt.leaderboard(",
            "    statistics,",
            f"    aggregate={board.aggregate!r},",
            f"    tasks={board.tasks!r},",
            f"    confidence_level={board.confidence_level!r},",
            f"    n_resamples={board.n_resamples!r},",
            f"    units={units},",
            f"    rng={board.rng!r},",
            ")",
        ]
        return "\n".join(lines)

    def details(self, layout: Layout) -> dict[str, Any]:
        board = self.board
        return {
            "aggregate": board.aggregate,
            "tasks": board.tasks,
            "firsts": board.firsts,
            "may_be_first": board.may_be_first,
            "by_task": board.by_task,
            "scores": {task: of_task.to_dict() for task, of_task in board.scores.items()},
            "confidence_level": board.confidence_level,
            "n_resamples": board.n_resamples,
            "unit": board.unit,
            "seed": board.rng,
        }
