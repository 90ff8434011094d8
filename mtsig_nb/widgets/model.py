"""What the explorer knows: an analysis, the pair in view, and every number about them.

Nothing here draws or knows widgets.  All numbers come from the functions that the command line and
a report use, with the same seed, so they are the same numbers.  A number is kept, and computed
again only if a setting that it depends on changes.
"""

from __future__ import annotations

import dataclasses
import functools
import threading
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import numpy as np

from ..conclusions.clustering import Clusters, clusters
from ..engine.procedures import procedure_named
from ..outcomes.caveats import caveats
from ..outcomes.outcome import Outcome
from ..outcomes.pairs import PairsOutcome
from ..outcomes.verdicts import pair_row, pair_verdict
from ..report.analysis import Analysis
from ..significance.comparisons import Comparisons
from ..significance.corrections import OF_PVALUES, OF_RESAMPLES
from ..significance.results import PairResult
from ..statistics.sufficient import SufficientStatistics
from .sources import Source

T = TypeVar("T")

_N_KEPT = 40  # results, of which the largest have some megabytes


@dataclasses.dataclass(frozen=True, kw_only=True)
class State:
    """What is chosen: the analysis, and the metric and the pair that are looked at.

    Attributes
    ----------
    analysis : Analysis
    metric : str
        As the source calls it.
    pair : (str, str)
    """

    analysis: Analysis
    metric: str
    pair: tuple[str, str]


def corrections_for(test: str, alternative: str) -> list[str | None]:
    """The corrections that go with a test, None for none at all.

    >>> "westfall-young" in corrections_for("bootstrap", "two-sided")
    False
    """
    procedure = procedure_named(test)
    corrections: list[str | None] = [*OF_PVALUES]
    if procedure.valid:  # otherwise its resamples are no null distribution to correct with
        for name, kind_of_resamples in OF_RESAMPLES.items():
            is_tukey_two_sided = name == "tukey" and alternative == "two-sided"
            if kind_of_resamples == procedure.kind or is_tukey_two_sided:
                corrections.append(name)
    return [*corrections, None]


class Model:
    """The numbers about a state's systems, computed when asked for and kept.

    Whatever a number depends on is in the key under which it is kept.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self._kept: dict[Hashable, Any] = {}
        self._lock = threading.RLock()

    def label(self, state: State) -> str:
        """The name of the metric in view in results, with the options that it has."""
        return self.source.statistics(state.metric).label

    def outcome(self, state: State) -> PairsOutcome:
        """The outcome that a report on the state's analysis shows."""
        analysis = state.analysis
        test = analysis.options.procedure.name

        def compute() -> PairsOutcome:
            # If there are only two systems, the report shows the same test as the tabs.
            pair_test = functools.partial(self._pair_test, analysis, test)
            return dataclasses.replace(self.source.compare(analysis), pair_test=pair_test)

        return self._kept_or_computed(("outcome", repr(analysis)), compute)

    def comparisons(self, state: State) -> Comparisons:
        """All pairs, as ``state.analysis.compare()`` has them."""
        return self.outcome(state).comparisons

    def clusters(self, state: State) -> Clusters:
        """Clusters under the metric in view."""
        return clusters(self.comparisons(state).conclusions(metric=self.label(state)))

    def row(self, state: State) -> np.void:
        """The row of the pair in `Comparisons.rows`, the better system first."""
        return pair_row(self.comparisons(state), *state.pair, metric=self.label(state))

    def verdict(self, state: State) -> str:
        """What is said of the pair in plain language, corrected for all pairs compared."""
        return pair_verdict(self.comparisons(state), *state.pair, metric=self.label(state))

    def caveats(self, state: State) -> list[str]:
        """What to beware of: warnings about the input, and notes on all pairs and on this one."""
        comparisons = self.comparisons(state)
        return caveats(comparisons, warnings=self.source.warnings, pair=self.row(state))

    def result(self, state: State, test: str | None = None) -> PairResult:
        """The result for the pair alone, the better system first, by the test chosen or `test`."""
        analysis = state.analysis
        name = test or analysis.options.procedure.name
        statistics = self.source.statistics(state.metric)
        return self._pair_test(analysis, name, statistics, self.row(state))

    def _pair_test(
        self, analysis: Analysis, test: str, statistics: SufficientStatistics, row: np.void
    ) -> PairResult:
        """The result of `test` for the pair of a row in the table of all pairs."""
        options = analysis.pair_options(row).values()
        key = ("result", test, statistics.label, row["system_a"], row["system_b"], *options)
        return self._kept_or_computed(key, lambda: analysis.test_pair(statistics, row, test))

    def code(self, state: State) -> str:
        """Python code that gives the state's comparisons and the pair's test again."""
        analysis = state.analysis
        result = self.result(state)
        function = procedure_named(result.test).function
        lines = [analysis.code(), "", "# the pair that was looked at"]
        if function:
            lines.append(f"result = mt.{function}(")
        else:  # a test that has no public function
            lines.append("from mtsig_nb.significance.one_pair import run_test")
            lines.append("result = run_test(")
            lines.append(f"    {result.test!r},")
        lines.append(f"    statistics[{analysis.metrics.index(state.metric)}],")
        lines.append(f"    {result.system_a!r},")
        lines.append(f"    {result.system_b!r},")
        for name, value in analysis.pair_options(self.row(state)).items():
            lines.append(f"    {name}={value!r},")
        lines.append(")")
        return self.source.without_folder("\n".join(lines))

    def beyond_segments(self, state: State) -> Outcome | None:
        """The outcome over raters or test sets; None where the scores have one of each."""
        table = self.source.analysis.score_table
        if table is None or not (table.has_test_sets or table.ratings is not None):
            return None
        chosen = state.analysis.options.to_dict()
        applicable = ["alpha", "alternative", "correction", "seed"]
        if table.has_test_sets:
            applicable += ["test", "n_resamples", "units", "counting", "confidence_level"]
        settings = {name: chosen[name] for name in applicable}
        if not table.has_test_sets and chosen["correction"] not in (*OF_PVALUES, None):
            settings["correction"] = "holm"  # there are no resamples for the one that was chosen
        analysis = self.source.analysis.but(**settings, systems=state.analysis.systems)
        return self._kept_or_computed(("beyond", repr(analysis)), analysis.run)

    def _kept_or_computed(self, key: Hashable, compute: Callable[[], T]) -> T:
        """What was computed before under this key, or is computed now and kept."""
        with self._lock:  # a notebook's own thread may ask as well, for a snapshot
            if key not in self._kept:
                if len(self._kept) >= _N_KEPT:
                    self._kept.clear()
                self._kept[key] = compute()
            return self._kept[key]
