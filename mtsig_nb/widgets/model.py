"""What the explorer knows: an analysis, the pair in view, and every number about them.

Nothing here draws or knows widgets.  All numbers come from the functions that the command line and
a report use, with the same seed, so they are the same numbers; what does not depend on the setting
that changed is kept.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import pandas as pd

from ..conclusions.clustering import Clusters, clusters
from ..engine.procedures import procedure_named
from ..report.analysis import Analysis
from ..report.caveats import caveats
from ..report.page import Findings
from ..report.raters import OverRaters, over_raters
from ..report.verdicts import pair_row, pair_verdict
from ..significance.comparisons import Comparisons
from ..significance.corrections import OF_PVALUES, OF_RESAMPLES
from ..significance.over_test_sets import SetComparisons
from ..significance.results import PairResult
from .sources import Source

T = TypeVar("T")

_KEPT = 40  # results, of which the largest have some megabytes


@dataclasses.dataclass(frozen=True, kw_only=True)
class State:
    """What is chosen: the analysis, and which metric and pair of it are looked at."""

    analysis: Analysis
    metric: str
    pair: tuple[str, str]


def corrections_for(test: str, alternative: str) -> list[str | None]:
    """The corrections that go with a test, None for none at all.

    >>> "westfall-young" in corrections_for("bootstrap", "two-sided")
    False
    """
    procedure = procedure_named(test)
    fitting = [
        name
        for name, needs in OF_RESAMPLES.items()
        if procedure.valid  # otherwise there is no null distribution to correct with
        and (needs == procedure.kind or (name == "tukey" and alternative == "two-sided"))
    ]
    return [*OF_PVALUES, *fitting, None]


class Model:
    """The numbers about a state's systems, computed when asked for and kept while they hold."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._kept: dict[Hashable, Any] = {}
        self._lock = threading.RLock()

    def label(self, state: State) -> str:
        """What the metric in view is called in tables."""
        return self.source.statistics(state.metric).label

    def findings(self, state: State) -> Findings:
        """What a report has of the state's analysis, from the source's statistics."""
        analysis = state.analysis
        return self._once(("findings", repr(analysis)), lambda: self.source.findings(analysis))

    def comparisons(self, state: State) -> Comparisons:
        """All pairs, as ``state.analysis.compare()`` has them."""
        return self.findings(state).comparisons

    def clusters(self, state: State) -> Clusters:
        """Clusters under the metric in view."""
        return clusters(self.comparisons(state).conclusions(metric=self.label(state)))

    def row(self, state: State) -> pd.Series:
        """The pair's row in the table of all pairs, the better system first."""
        return pair_row(self.comparisons(state), *state.pair, metric=self.label(state))

    def verdict(self, state: State) -> str:
        """The pair in plain language, corrected for all pairs that are compared."""
        return pair_verdict(self.comparisons(state), *state.pair, metric=self.label(state))

    def caveats(self, state: State) -> list[str]:
        """What to beware of: warnings of the input, notes on all pairs and on the one in view."""
        findings = self.findings(state)
        return caveats(findings.comparisons, warnings=self.source.warnings, pair=self.row(state))

    def result(self, state: State, test: str | None = None) -> PairResult:
        """The test of the pair alone, the better system first; by another test if one is named."""
        test, row = test or state.analysis.test, self.row(state)
        key = row["system_a"], row["system_b"], *state.analysis.pair_options(row).values()
        statistics = self.source.statistics(state.metric)
        return self._once(
            ("result", test, state.metric, *key),
            lambda: state.analysis.test_pair(statistics, row, test),
        )

    def code(self, state: State) -> str:
        """Python code that gives the state's comparisons and the pair's test again."""
        pair = self.result(state)
        options = state.analysis.pair_options(self.row(state))
        function = procedure_named(pair.test).function
        by_name = ["from mtsig_nb.significance.one_pair import run_test"]
        by_name += ["result = run_test(", f"    {pair.test!r},"]
        lines = [
            state.analysis.code(),
            "",
            "# the pair that was looked at",
            *([f"result = mt.{function}("] if function else by_name),
            f"    statistics[{state.analysis.metrics.index(state.metric)}],",
            f"    {pair.system_a!r},",
            f"    {pair.system_b!r},",
            *(f"    {name}={value!r}," for name, value in options.items()),
            ")",
        ]
        return self.source.without_folder("\n".join(lines))

    def beyond_segments(self, state: State) -> tuple[OverRaters | None, SetComparisons | None]:
        """All pairs over raters, and on each test set, where the scores are of several."""
        analysis, given = state.analysis, self.source.analysis
        names = [field.name for field in dataclasses.fields(analysis)]
        same = {name: getattr(analysis, name) for name in names if name != "metrics"}
        table = given.score_table
        if table is None:
            return None, None

        def compute() -> tuple[OverRaters | None, SetComparisons | None]:
            asked = given.but(**same)
            rated, sets = None, asked.test_sets()
            if table.ratings is not None:
                # No correction by resamples, where there are none.
                plain = analysis.correction in (*OF_PVALUES, None)
                rated = over_raters(table.ratings, asked if plain else asked.but(correction="holm"))
            compared = asked.compare(sets) if sets else None
            return rated, compared if isinstance(compared, SetComparisons) else None

        return self._once(("beyond", repr(same)), compute)

    def _once(self, key: Hashable, compute: Callable[[], T]) -> T:
        with self._lock:  # a notebook's own thread may ask as well, for a snapshot
            if key not in self._kept:
                if len(self._kept) >= _KEPT:
                    self._kept.clear()
                self._kept[key] = compute()
            return self._kept[key]
