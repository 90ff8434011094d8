"""What the explorer knows: an analysis, the pair in view, and every number about them.

Nothing here draws or knows widgets.  All numbers come from the functions that the command line and
a report use, with the same seed, so they are the same numbers; what does not depend on the setting
that changed is kept.
"""

from __future__ import annotations

import dataclasses
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from ..conclusions.clustering import Clusters, clusters
from ..engine.procedures import PROCEDURES, procedure_named
from ..errors import InputError
from ..metrics.base import FloatArray
from ..report.analysis import Analysis
from ..report.verdicts import pair_row, pair_verdict
from ..significance.comparisons import Comparisons
from ..significance.corrections import OF_PVALUES, OF_RESAMPLES
from ..significance.intervals import bootstrap_scores, limits
from ..significance.one_pair import run_test
from ..significance.resolution import LOOKS
from ..significance.results import TestResult
from ..statistics.sufficient import SufficientStatistics
from .sources import Source

T = TypeVar("T")

PITFALL = "riezler-maxwell-bootstrap"
#: Resamples behind intervals, as in `Analysis.intervals` and `compare_all`.
_INTERVAL_RESAMPLES = 2000
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
    if test == PITFALL:  # no valid null distribution to correct with
        return [*OF_PVALUES, None]
    kind = procedure_named(test).kind
    fitting = [
        name
        for name, needs in OF_RESAMPLES.items()
        if needs == kind or (name == "tukey" and alternative == "two-sided")
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
        systems = tuple(state.analysis.systems) or self.source.systems
        if self.source.folder is not None and not state.analysis.scores:
            systems = self._systems_of_files(state)
        metrics = state.analysis.metrics
        return self._once(
            ("statistics", systems, metrics),
            lambda: [self.source.statistics(m).select(systems) for m in metrics],
        )

    def _systems_of_files(self, state: State) -> tuple[str, ...]:
        files = state.analysis.systems
        return tuple(files) if isinstance(files, dict) else self.source.systems

    def shown(self, state: State) -> SufficientStatistics:
        """The statistics of the metric in view."""
        at = list(state.analysis.metrics).index(state.metric)
        return self.statistics(state)[at]

    def comparisons(self, state: State) -> Comparisons:
        """All pairs, as ``state.analysis.compare()`` has them, with the intervals that are kept."""

        def compute() -> Comparisons:
            found = self.statistics(state)
            plain = state.analysis.compare(found, interval=None)
            parts = [self._difference_limits(state, s, plain) for s in found]
            low, high = np.concatenate(parts, axis=1)
            return dataclasses.replace(
                plain,
                table=plain.table.assign(ci_low=low, ci_high=high),
                interval="percentile",
                confidence_level=state.analysis.confidence_level,
            )

        return self._once(_comparisons_key(state), compute)

    def has_compared(self, state: State) -> bool:
        """Whether all pairs are known already."""
        return _comparisons_key(state) in self._kept

    def scores(self, state: State) -> pd.DataFrame:
        """Each system's score with its interval and letters, best first."""
        shown = self.shown(state)
        label = shown.label
        letters = self.clusters(state).letters()
        scores = self.comparisons(state).scores[label]
        drawn = self._bootstrap(state, shown)
        n = min(state.analysis.n_resamples or _INTERVAL_RESAMPLES, _INTERVAL_RESAMPLES)
        low, high = limits(
            np.stack([drawn[s][:n] for s in scores.index]),
            scores.to_numpy(),
            state.analysis.confidence_level,
            "percentile",
        )
        frame = pd.DataFrame(
            {"system": scores.index, "score": scores.to_numpy(), "ci_low": low, "ci_high": high}
        )
        return frame.assign(letters=frame["system"].map(letters))

    def clusters(self, state: State) -> Clusters:
        """Clusters under the metric in view."""
        return self._once(
            ("clusters", state.metric, *_key(state, _FIELDS)),
            lambda: clusters(self.comparisons(state).conclusions(metric=self.shown(state).label)),
        )

    def row(self, state: State) -> pd.Series:
        """The pair's row in the table of all pairs, the better system first."""
        label = self.shown(state).label
        return pair_row(self.comparisons(state), *state.pair, metric=label)

    def result(self, state: State, test: str | None = None) -> TestResult:
        """The test of the pair alone, the better system first; by another test if one is named."""
        test = test or state.analysis.test
        # Ordered as in the table of all pairs: by score, ties by the order of the systems.
        shown = self.shown(state)
        best_first = [s for s in shown.scores().index if s in state.pair]
        if len(best_first) != 2:
            raise InputError("Choose two different systems.")
        key = ("result", test, *best_first, state.metric, *_key(state, _PAIR_FIELDS))
        a = state.analysis
        n_resamples = self._drawn(state)
        return self._once(
            (*key, n_resamples),
            lambda: run_test(
                test,
                shown,
                *best_first,
                alternative=a.alternative,
                n_resamples=n_resamples,
                units=a.units,
                counting=a.counting,
                rng=a.seed,
            ),
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
        a, b = self.result(state).system_a, self.result(state).system_b
        options = {
            "alternative": state.analysis.alternative,
            "n_resamples": self._drawn(state),
            "units": state.analysis.units,
            "counting": state.analysis.counting,
            "rng": state.analysis.seed,
        }
        at = list(state.analysis.metrics).index(state.metric)
        lines = [
            state.analysis.code(),
            "",
            "# the pair that was looked at",
            f"result = mt.{_FUNCTIONS[state.analysis.test]}(",
            f"    statistics[{at}],",
            f"    {a!r},",
            f"    {b!r},",
            *(f"    {name}={value!r}," for name, value in options.items()),
            ")",
        ]
        if state.analysis.test == PITFALL:  # it has one alternative
            lines.remove("    alternative='two-sided',")
        return self.source.without_folder("\n".join(lines))

    def _drawn(self, state: State) -> int:
        """How many resamples the table has of the pair, where no number is chosen."""
        if state.analysis.n_resamples is not None:
            return state.analysis.n_resamples
        row = self.row(state)
        was_sampled = row["pvalue_low"] < row["pvalue_high"]
        return int(row["n_resamples"]) if was_sampled else LOOKS[0]

    def _bootstrap(self, state: State, statistics: SufficientStatistics) -> dict[str, FloatArray]:
        """Every system's scores on bootstrap resamples of the units, by system."""
        a = state.analysis

        def compute() -> dict[str, FloatArray]:
            by_unit = statistics.by_unit(a.units)
            drawn = bootstrap_scores(by_unit, _INTERVAL_RESAMPLES, seed=a.seed)
            return dict(zip(by_unit.systems, drawn, strict=True))

        key = ("bootstrap", statistics.label, statistics.systems, a.units, a.seed)
        return self._once(key, compute)

    def _difference_limits(
        self, state: State, statistics: SufficientStatistics, comparisons: Comparisons
    ) -> FloatArray:
        """Interval of each pair's difference under one metric, shape (2, pairs)."""
        rows = comparisons.table[comparisons.table["metric"] == statistics.label]
        drawn = self._bootstrap(state, statistics)
        differences = np.stack(
            [
                statistics.metric.direction * (drawn[a] - drawn[b])
                for a, b in zip(rows["system_a"], rows["system_b"], strict=True)
            ]
        )
        level = state.analysis.confidence_level
        return np.stack(limits(differences, rows["difference"], level, "percentile"))

    def _once(self, key: Hashable, compute: Callable[[], T]) -> T:
        with self._lock:  # a notebook's own thread may ask as well, for a snapshot
            if key in self._kept:
                self._kept.move_to_end(key)
            else:
                self._kept[key] = compute()
                while len(self._kept) > _KEPT:
                    self._kept.popitem(last=False)
            return self._kept[key]


#: Settings on which the comparison of all pairs depends; the test of one pair on fewer.
_FIELDS = (
    "systems",
    "metrics",
    "test",
    "correction",
    "alpha",
    "alternative",
    "n_resamples",
    "units",
    "counting",
    "confidence_level",
    "seed",
)
_PAIR_FIELDS = ("alternative", "n_resamples", "units", "counting", "seed")
_FUNCTIONS = {
    "approximate-randomization": "approximate_randomization",
    "bootstrap": "bootstrap_test",
    "paired-bootstrap": "paired_bootstrap",
    PITFALL: "riezler_maxwell_bootstrap",
}


def _key(state: State, fields: Sequence[str]) -> tuple[Hashable, ...]:
    values = [getattr(state.analysis, name) for name in fields]
    return tuple(tuple(v) if isinstance(v, dict) else v for v in values)


def _comparisons_key(state: State) -> tuple[Hashable, ...]:
    return ("comparisons", *_key(state, _FIELDS))


__all__ = ["PITFALL", "Model", "State", "corrections_for"]
