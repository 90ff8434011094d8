"""What the explorer knows: an analysis, the pair in view, and every number about them.

Nothing here draws or knows widgets.  All numbers come from the functions that the command line and
a report use, with the same seed, so they are the same numbers; what does not depend on the setting
that changed is kept.
"""

from __future__ import annotations

import dataclasses
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import pandas as pd

from ..conclusions.clustering import Clusters, clusters
from ..engine.procedures import PROCEDURES, procedure_named
from ..errors import InputError
from ..report.analysis import Analysis
from ..report.verdicts import pair_row, pair_verdict
from ..significance.bounds import Bounds
from ..significance.comparisons import Comparisons, bounded
from ..significance.corrections import OF_PVALUES, OF_RESAMPLES
from ..significance.results import TestResult
from ..statistics.sufficient import SufficientStatistics
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
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = threading.RLock()

    def statistics(self, state: State) -> list[SufficientStatistics]:
        """Those of the state's metrics, for its systems."""
        systems, metrics = self.source.names(state.analysis), state.analysis.metrics
        return self._once(
            ("statistics", systems, metrics),
            lambda: [self.source.statistics(m).select(systems) for m in metrics],
        )

    def shown(self, state: State) -> SufficientStatistics:
        """The statistics of the metric in view."""
        return self.statistics(state)[state.analysis.metrics.index(state.metric)]

    def comparisons(self, state: State) -> Comparisons:
        """All pairs, as ``state.analysis.compare()`` has them, with the intervals that are kept."""

        def compute() -> Comparisons:
            found = self.statistics(state)
            plain = dataclasses.replace(state.analysis, interval=None).compare(found)
            interval, level = state.analysis.interval, state.analysis.confidence_level
            if interval is None:
                return plain
            bounds = {s.label: self.bounds(state, s) for s in found}
            return bounded(plain, bounds, level, interval)

        return self._once(_comparisons_key(state), compute)

    def scores(self, state: State) -> pd.DataFrame:
        """Each system's score with its interval and letters, best first."""
        return self.comparisons(state).summary(self.shown(state).label)

    def clusters(self, state: State) -> Clusters:
        """Clusters under the metric in view."""
        return self._once(
            ("clusters", state.metric, *_comparisons_key(state)),
            lambda: clusters(self.comparisons(state).conclusions(metric=self.shown(state).label)),
        )

    def row(self, state: State) -> pd.Series:
        """The pair's row in the table of all pairs, the better system first."""
        label = self.shown(state).label
        return pair_row(self.comparisons(state), *state.pair, metric=label)

    def result(self, state: State, test: str | None = None) -> TestResult:
        """The test of the pair alone, the better system first; by another test if one is named."""
        test = test or state.analysis.test
        if len(set(state.pair)) != 2:
            raise InputError("Choose two different systems.")
        shown, row = self.shown(state), self.row(state)
        pair = (row["system_a"], row["system_b"])
        options = state.analysis.pair_options(row)
        return self._once(
            ("result", test, *pair, state.metric, *options.values()),
            lambda: state.analysis.test_pair(shown, row, test),
        )

    def tests(self, state: State) -> dict[str, TestResult | str]:
        """The pair under every test; in place of a result, why there is none."""
        found: dict[str, TestResult | str] = {}
        for name in PROCEDURES:
            try:
                found[name] = self.result(state, name)
            except InputError as error:
                found[name] = str(error)
        return found

    def verdict(self, state: State) -> str:
        """The pair in plain language, corrected for all pairs that are compared."""
        label = self.shown(state).label
        return pair_verdict(self.comparisons(state), *state.pair, metric=label)

    def code(self, state: State) -> str:
        """Python code that gives the state's comparisons and the pair's test again."""
        pair = self.result(state)
        options = state.analysis.pair_options(self.row(state))
        function = procedure_named(pair.test).function
        call = ["from mtsig_nb.significance.one_pair import run_test"]
        call += ["result = run_test(", f"    {pair.test!r},"]
        lines = [
            state.analysis.code(),
            "",
            "# the pair that was looked at",
            *([f"result = mt.{function}("] if function else call),
            f"    statistics[{state.analysis.metrics.index(state.metric)}],",
            f"    {pair.system_a!r},",
            f"    {pair.system_b!r},",
            *(f"    {name}={value!r}," for name, value in options.items()),
            ")",
        ]
        return self.source.without_folder("\n".join(lines))

    def bounds(self, state: State, statistics: SufficientStatistics) -> Bounds:
        """What the intervals are made of, which few settings change."""
        units, seed = state.analysis.units, state.analysis.seed
        return self._once(
            ("bounds", statistics.label, statistics.systems, units, seed),
            lambda: Bounds.of(statistics.by_unit(units), seed=seed),
        )

    def _once(self, key: Hashable, compute: Callable[[], T]) -> T:
        with self._lock:  # a notebook's own thread may ask as well, for a snapshot
            if key in self._kept:
                self._kept.move_to_end(key)
            else:
                self._kept[key] = compute()
                while len(self._kept) > _KEPT:
                    self._kept.popitem(last=False)
            return self._kept[key]


def _comparisons_key(state: State) -> tuple[Hashable, ...]:
    return ("comparisons", repr(state.analysis))


__all__ = ["Model", "State", "corrections_for"]
