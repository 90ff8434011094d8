"""Looks at judgements that are still coming in: what is known by now, and whether to stop."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np
import pandas as pd

from ..conclusions.deciding import Conclusions
from ..human.raters_at_looks import RatersAtLooks, has_telling_interval
from ..notes import Note
from ..significance.sequential import SequentialTest, what_to_do
from ..tables import Column, PaperTable, printed, to_csv
from .outcome import Layout, Outcome, Section
from .rankings import for_print, with_ranks
from .verdicts import digits_for

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..report.analysis import Analysis
    from ..report.watch import Watch
    from ..statistics.sufficient import SufficientStatistics

#: Of several pairs, these many have a picture of their own.
MOST_DRAWN = 3
#: How p is to be read.
WHAT_P_IS = (
    "p counts all looks up to its own, and all pairs: it is the smallest level at which the "
    "campaign would have stopped by then, so it can only fall from look to look."
)
#: How the table of raters is to be read.
WHICH_RATERS = (
    "Raters to come, by a mixed model. n raters: how many judged both systems; n ahead: with how "
    "many of them the first is ahead."
)
#: Columns of the looks at a single pair, as they are printed.
_COLUMNS_OF_LOOK = [
    "look",
    "n_units",
    "n_judged",
    "difference",
    "ci_low",
    "ci_high",
    "statistic",
    "boundary",
    "pvalue",
    "predictive_power",
    "verdict",
]
#: Columns of a pair at the latest look, as they are printed.
_COLUMNS_OF_PAIR = [
    "system_a",
    "system_b",
    "n_judged",
    "difference",
    "ci_low",
    "ci_high",
    "pvalue",
    "predictive_power",
    "verdict",
]
#: Columns of what is said of raters, as they are printed.
_COLUMNS_OF_RATERS = [
    "system_a",
    "system_b",
    "n_raters",
    "n_ahead",
    "difference",
    "ci_low",
    "ci_high",
    "pvalue",
    "verdict",
]


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class LooksOutcome(Outcome):
    """What the looks up to now have found of a pair, or of all pairs together.

    Attributes
    ----------
    found : SequentialTest
    of_raters : RatersAtLooks, optional
        What the looks say of raters to come, where it is known who judged.
    table : DataFrame
        A row for each pair at the latest look; ``found.table`` has all looks.
    systems : DataFrame
        A row for each system: its ``lead``, how much better it is than the others on average, its
        letters and its ranks by now.
    """

    kind = "looks"
    _ranked_by = "lead"
    accepted_options = ("alpha", "alternative", "n_resamples", "units", "seed")
    meaningless = ("by", "missing", "shared", "gold")
    why_meaningless = "looks are tested together, by sign flips"

    found: SequentialTest
    of_raters: RatersAtLooks | None = None

    @classmethod
    def from_analysis(
        cls, analysis: Analysis, statistics: Sequence[SufficientStatistics] | None = None
    ) -> Self:
        """The looks that a `Watch` asks for; `statistics` are not used.

        Raises
        ------
        InputError
            If the first look is still to come, with the code `NO_LOOK_YET`, or the judgements are
            of several metrics, test sets or runs.
        """
        watch = cast("Watch", analysis)  # no other analysis is of this kind
        found = watch.look()
        return cls(analysis=watch, found=found, of_raters=watch.raters_at(found))

    # --- what was found ---------------------------------------------------------------------------

    @property
    def _pair(self) -> tuple[str, str] | None:
        """The two systems, where there is one pair."""
        if len(self.table) > 1:
            return None
        latest = self.table.iloc[0]
        return latest["system_a"], latest["system_b"]

    @property
    def verdicts(self) -> Mapping[str, str]:
        latest = self.lines[-1]
        sentences = [f"{latest[0].upper()}{latest[1:]}."]
        if self.of_raters is not None:
            what_of_raters = self.statements_on_raters[-1]
            sentences.append(f"{what_of_raters[0].upper()}{what_of_raters[1:]}.")
        return {self.found.metric: " ".join(sentences)}

    @property
    def lines(self) -> list[str]:
        """A line for each look, with decimals that suit the scores."""
        return self.found.lines(self._digits(Layout()))

    @property
    def statements_on_raters(self) -> list[str]:
        """A line for each look on raters to come; none where it is not known who judged."""
        return [] if self.of_raters is None else self.of_raters.statements(self._digits(Layout()))

    @property
    def notes(self) -> tuple[str, ...]:
        table = self.analysis.score_table
        notes_on_files = () if table is None else table.notes
        notes_on_raters = () if self.of_raters is None else self.of_raters.notes
        return (*notes_on_files, *self.found.notes, *notes_on_raters)

    @property
    def distinguished(self) -> bool:
        return bool(self.found.is_told_apart.any())

    @property
    def table(self) -> pd.DataFrame:
        return self.found.latest.reset_index(drop=True)

    @cached_property
    def systems(self) -> pd.DataFrame:
        # Each pair counts for both of its systems.
        as_a = self.table[["system_a", "difference"]].set_axis(["system", "lead"], axis=1)
        as_b = self.table[["system_b", "difference"]].set_axis(["system", "lead"], axis=1)
        behind = as_b.assign(lead=-as_b["lead"])
        leads = pd.concat([as_a, behind]).groupby("system").mean()
        best_first = leads.sort_values("lead", ascending=False, kind="stable")
        conclusions = self.conclusions.reorder(list(best_first.index))
        return with_ranks(best_first, conclusions)

    @property
    def conclusions(self) -> Conclusions:
        """What is known of every pair by now."""
        return self.found.conclusions()

    @property
    def title(self) -> str:
        n_looks = f"{self.table['look'].iloc[0]} of {len(self.found.looks)} looks"
        if self._pair is None:
            return f"{len(self.systems)} systems watched by {self.found.metric}: {n_looks}"
        return f"{self._pair[0]} against {self._pair[1]} by {self.found.metric}: {n_looks}"

    @property
    def size(self) -> str:
        return f"{self.found.n_units:,} of {self.found.planned:,} {self.found.unit} planned"

    @property
    def methods(self) -> str:
        sentences = [f"We used a {self.found.methods}."]
        if self.of_raters is not None:
            sentences.append(
                "Statements about raters to come are by a mixed model of all ratings up to each "
                "look."
            )
        return " ".join(sentences)

    # --- how it is shown --------------------------------------------------------------------------

    def tables(self, layout: Layout) -> Iterator[Section]:
        if self._pair is None:
            yield self._section_on_systems(layout)
        yield self._section_on_looks(layout)
        if self.of_raters is not None:
            yield self.section_on_raters(self.of_raters, layout)

    def sections(self, layout: Layout) -> Iterator[Section]:
        all_looks: Sequence[Column] = ()
        if self._pair is None:
            yield self._section_on_systems(layout)
            columns = ["look", "n_units", *_COLUMNS_OF_PAIR]
            all_looks = self._printed(self.found.table, columns, layout)
        yield dataclasses.replace(
            self._section_on_looks(layout),
            figures=tuple(self.figures()),
            details=all_looks,
            details_title="All pairs at all looks",
        )
        if self.of_raters is not None:
            yield self.section_on_raters(self.of_raters, layout)

    def _section_on_systems(self, layout: Layout) -> Section:
        """Who leads by how much, and who is told apart."""
        return Section(
            table=printed(for_print(self.systems), digits=self._digits(layout)),
            caption=(
                "lead: how much better a system is than the others, on average over its pairs. "
                "Systems that share a letter are not told apart so far."
            ),
        )

    def _section_on_looks(self, layout: Layout) -> Section:
        """The looks of a pair, or all pairs at the latest look."""
        return Section(
            table=self.for_paper(layout),
            caption="difference: how much better the first system is, with an interval. "
            "predictive power: the chance that the boundary will be crossed with the judgements "
            f"that are left. {WHAT_P_IS}",
        )

    def section_on_raters(self, of_raters: RatersAtLooks, layout: Layout) -> Section:
        """What is said of raters to come: at all looks of a pair, or of all pairs at the latest."""
        rows = of_raters.latest
        columns = _COLUMNS_OF_RATERS
        if self._pair is not None:
            rows = of_raters.table
            columns = ["look", *_COLUMNS_OF_RATERS]
            columns.remove("system_a")
            columns.remove("system_b")
        is_printed = has_telling_interval(rows)
        shown = rows.assign(
            ci_low=rows["ci_low"].where(is_printed),
            ci_high=rows["ci_high"].where(is_printed),
        )
        return Section(
            title="Raters to come",
            table=printed(shown[columns], digits=self._digits(layout)),
            caption=WHICH_RATERS,
        )

    def figures(self) -> Iterator[Figure]:
        from ..plots import pages  # matplotlib only when something is drawn

        yield pages.looks(self.found)
        pairs = self.table[["system_a", "system_b"]]
        if 1 < len(pairs) <= MOST_DRAWN:
            for a, b in pairs.itertuples(index=False):
                yield pages.looks(self.found, a, b)

    def figure_for_paper(self, layout: Layout | None = None) -> tuple[Figure, list[Note]]:
        """The looks with their boundary, at the width of a column."""
        from ..plots.column import drawn_at_column  # matplotlib only when something is drawn
        from ..plots.looks import looks

        return drawn_at_column(lambda axes: looks(self.found, ax=axes), self.system_names)

    def legend_for_paper(self, layout: Layout) -> str:
        return self._section_on_looks(layout).caption

    def caption_for_paper(self, layout: Layout) -> str:
        # There is one table, with pairs or without.
        return super().caption_for_paper(dataclasses.replace(layout, pairs=False))

    def paper_table(self, layout: Layout) -> PaperTable:
        return dataclasses.replace(
            super().paper_table(layout), label="looks", dispensable=("statistic", "boundary")
        )

    def for_paper(self, layout: Layout) -> Sequence[Column]:
        if self._pair is None:
            return self._printed(self.table, _COLUMNS_OF_PAIR, layout)
        looks = self.found.table
        to_do = [what_to_do(row) for _, row in looks.iterrows()]
        return self._printed(looks.assign(verdict=to_do), _COLUMNS_OF_LOOK, layout)

    def _printed(
        self, rows: pd.DataFrame, columns: Sequence[str], layout: Layout
    ) -> Sequence[Column]:
        """Some columns of rows of the table of looks, for any format.

        A boundary that nothing could cross yet, and an interval without limits, are no numbers.
        """
        has_limit = np.isfinite(rows["ci_low"]) | np.isfinite(rows["ci_high"])
        shown = rows.assign(
            ci_low=rows["ci_low"].where(has_limit),
            ci_high=rows["ci_high"].where(has_limit),
            boundary=rows["boundary"].where(np.isfinite(rows["boundary"])),
        )
        names = {"n_units": self.found.unit, "n_judged": "judged on both"}
        kept = list(columns)
        if (shown["n_judged"] == shown["n_units"]).all():
            kept.remove("n_judged")
        return printed(shown[kept].rename(columns=names), digits=self._digits(layout))

    def _digits(self, layout: Layout) -> int:
        return self._digits_of_scale if layout.digits is None else layout.digits

    @cached_property
    def _digits_of_scale(self) -> int:
        """Decimals that suit the scale of the judgements."""
        return digits_for(cast("Watch", self.analysis).scores_so_far)

    def reading_hints(self) -> Iterator[str]:
        yield (
            "The interval holds at all looks together. It may be reported whenever the campaign "
            "ends, for whatever reason."
        )
        yield (
            "Going on after the boundary was crossed does no harm. Planning more judgements "
            "because the result was close does harm, and so does leaving out a look."
        )
        yield from super().reading_hints()

    # --- formats ----------------------------------------------------------------------------------

    def details(self, layout: Layout) -> dict[str, Any]:
        return {
            "verdict": self.lines[-1].partition(": ")[2],
            "is_over": self.found.is_over,
            **self.found.settings(),
            "n_units": self.found.n_units,
            "looks": self.found.table,
            "raters": pd.DataFrame() if self.of_raters is None else self.of_raters.table,
        }

    def to_csv(self) -> str:
        """All pairs at all looks as CSV, unrounded."""
        return to_csv(self.found.table)
