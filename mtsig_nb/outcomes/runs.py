"""All pairs of systems of which there are several training runs."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd

from .. import __version__
from ..conclusions.deciding import WORDS, decide
from ..engine.counting import Counting
from ..errors import InputError, counted
from ..significance.actual_size import UNRELIABLE, USUAL, note_on_unreliable
from ..significance.corrections import adjust_pvalues
from ..significance.runs import RunComparison, compare_runs
from ..significance.sharing import notes_on_sharing
from ..statistics.sufficient import SufficientStatistics
from ..tables import Column, printed
from .outcome import Layout, Outcome, Section
from .pair_table import columns_of_pairs
from .summary import BETTER
from .verdicts import digits_for, pvalue_in_words

if TYPE_CHECKING:
    from ..plots.column import Panel
    from ..report.analysis import Analysis

#: The three tests of a pair, as the table's columns have them: about these very runs, about other
#: runs on the same segments, and about the methods, with other runs on other segments.
TESTS = ("these_runs", "other_runs", "methods")
#: How to read the table of systems.
_LEGEND_OF_SYSTEMS = (
    "score: mean over runs. s_sel: spread from the choice of segments. s_opt: spread from run to "
    "run."
)
#: Shuffles, where none are asked for.
N_RESAMPLES = 10_000


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class RunsOutcome(Outcome):
    """Every pair of systems by three tests; each test is corrected for all pairs by itself.

    Attributes
    ----------
    compared : sequence of RunComparison
        One for each metric and pair.
    statistics : sequence of SufficientStatistics
        Those of every metric, a system for each run.
    """

    kind = "runs"
    accepted_options = (
        *("correction", "alpha", "n_resamples", "units", "counting"),
        *("interval", "confidence_level", "seed"),
    )
    why_meaningless = "several runs have their own two-sided tests"

    compared: Sequence[RunComparison]
    statistics: Sequence[SufficientStatistics]

    @classmethod
    def from_analysis(
        cls, analysis: Analysis, statistics: Sequence[SufficientStatistics] | None = None
    ) -> Self:
        """All pairs of systems in a table that tells their runs apart."""
        table = analysis.score_table
        assert table is not None  # where runs are told apart
        resolved = analysis.resolved
        measured = analysis.statistics() if statistics is None else statistics
        compared = compare_all_runs(
            measured,
            table.runs,
            n_resamples=resolved.options.n_resamples,
            seed=resolved.options.seed,
            counting=resolved.options.counting,
            units=str(resolved.options.units),
        )
        return cls(analysis=resolved, compared=compared, statistics=measured)

    @property
    def verdicts(self) -> Mapping[str, str]:
        return self._verdicts(Layout())

    def verdict_lines(self, layout: Layout) -> list[str]:
        return list(self._verdicts(layout).values())

    def _verdicts(self, layout: Layout) -> dict[str, str]:
        """The verdicts on all pairs under each metric, a line for each pair."""
        lines: dict[str, list[str]] = {}
        for _, row in self.table.iterrows():
            line = _verdict_on_a_pair(row, layout.digits)
            lines.setdefault(row["metric"], []).append(line)
        return {metric: "\n".join(of_pairs) for metric, of_pairs in lines.items()}

    @property
    def notes(self) -> tuple[str, ...]:
        notes: list[str] = [*notes_on_sharing(self.statistics, both_ways=False)]
        for comparison in self.compared:
            notes += comparison.notes
        return tuple(dict.fromkeys(notes))

    @property
    def distinguished(self) -> bool:
        pvalues = self.table["pvalue_adjusted_these_runs"]
        return bool((pvalues <= self.analysis.options.alpha).any())

    @cached_property
    def table(self) -> pd.DataFrame:
        table = pd.DataFrame([_row(comparison) for comparison in self.compared])
        for name in TESTS:
            pvalues = table[f"pvalue_{name}"].fillna(1.0)
            adjusted = adjust_pvalues(pvalues, self.analysis.options.correction)
            concluded = decide(table["difference"], adjusted, self.analysis.options.alpha)
            table[f"pvalue_adjusted_{name}"] = adjusted
            table[f"conclusion_{name}"] = [WORDS[int(conclusion)] for conclusion in concluded]
        # How often the test about these runs errs at 0.05, as the table of all pairs has it, too.
        sizes = [comparison.segment_test.size_at_05 for comparison in self.compared]
        return table.assign(size_at_05=np.array(sizes, dtype=np.float64))

    @property
    def systems(self) -> pd.DataFrame:
        systems_of_pairs = []
        for comparison in self.compared:
            systems = comparison.to_frame().assign(metric=comparison.segment_test.metric)
            systems_of_pairs.append(systems)
        # A system is in several pairs.
        all_systems = pd.concat(systems_of_pairs).drop_duplicates(["metric", "system"])
        best_first = []
        for statistics in self.statistics:
            systems = all_systems[all_systems["metric"] == statistics.label]
            ascending = not statistics.metric.higher_is_better
            best_first.append(systems.sort_values("score", ascending=ascending, kind="stable"))
        columns = ["metric", "system", "runs", "score", "s_sel", "s_opt"]
        return pd.concat(best_first, ignore_index=True)[columns]

    @property
    def methods(self) -> str:
        first = self.compared[0].segment_test
        n_pairs = len(self.compared)
        plural = "s" if n_pairs > 1 else ""
        return (
            "We compared several runs of each system by approximate randomization (Clark et al. "
            "2011; Riezler & Maxwell 2005): the sets of "
            f"runs exchanged within {first.unit} ({first.n_resamples:,} {first.draws} of "
            f"{first.n_units:,} {first.unit}; about these runs), and whole runs exchanged in all "
            "arrangements (about other runs); methods by Student's t, with other runs and other "
            f"{first.unit} as samples; two-sided, with {self.analysis.options.correction or 'no'} "
            f"correction for {n_pairs} comparison{plural} each. Computed by mtsig_nb {__version__} "
            f"(seed {self.analysis.options.seed})."
        )

    @property
    def title(self) -> str:
        test_set = self.statistics[0].test_set
        where = f" on {test_set}" if test_set else ""
        metrics = ", ".join(statistics.label for statistics in self.statistics)
        return f"{len(self.system_names)} systems over several runs{where}, compared by {metrics}"

    @property
    def size(self) -> str:
        table = self.analysis.score_table
        assert table is not None  # where runs are told apart
        n_runs = sum(len(table.runs[system]) for system in self.system_names)
        first = self.compared[0].segment_test
        return f"{counted(n_runs, 'run')} of {first.n_units:,} {first.unit}"

    def tables(self, layout: Layout) -> Iterator[Section]:
        yield Section(
            table=printed(self.systems, digits=self._digits(layout)),
            caption=_LEGEND_OF_SYSTEMS,
        )
        if layout.pairs:
            yield Section(
                table=printed(self.table, digits=self._digits(layout)),
                caption="p is corrected for all pairs, separately for each of the tests.",
            )

    def sections(self, layout: Layout) -> Iterator[Section]:
        systems = printed(self.systems, digits=self._digits(layout))
        yield self.section_with_pairs(layout, systems, _LEGEND_OF_SYSTEMS)

    def panels(self, layout: Layout) -> Iterator[Panel]:
        from ..plots.column import panels_of_spreads  # matplotlib only when something is drawn

        yield from panels_of_spreads(self.systems, "s_opt")

    def for_paper(self, layout: Layout) -> Sequence[Column]:
        return columns_of_pairs(self.table, digits=layout.digits, scores=True)

    def legend_for_paper(self, layout: Layout) -> str:
        options = self.analysis.options
        return (
            "By: how much better the system that is ahead is on average over its runs. p: for "
            "these runs, for other runs on the same segments, and for the methods, with other runs "
            f"on other segments ({options.correction or 'no'} correction for all pairs, separately "
            f"for each). * distinguished at {options.alpha:g}."
        )

    @property
    def metric_signatures(self) -> Mapping[str, str]:
        return {measured.label: measured.signature for measured in self.statistics}

    def _digits(self, layout: Layout) -> int:
        return digits_for(self.systems["score"]) if layout.digits is None else layout.digits

    def code(self) -> str:
        analysis = self.analysis
        table = analysis.score_table
        assert table is not None  # where runs are told apart
        options: dict[str, Any] = {
            "n_resamples": analysis.options.n_resamples or N_RESAMPLES,
            "rng": analysis.options.seed,
            "counting": analysis.options.counting,
            "units": analysis.options.units,
        }
        arguments = ", ".join(f"{name}={value!r}" for name, value in options.items())
        return "\n".join(
            [
                "import itertools",
                "",
                "import mtsig_nb as mt",
                "",
                *analysis.code_for_statistics(),
                f"runs = {table.runs!r}",
                "compared = [",
                f"    mt.compare_runs(s, {{name: runs[name] for name in pair}}, {arguments})",
                "    for s in statistics",
                "    for pair in itertools.combinations(runs, 2)",
                "]",
            ]
        )

    def reading_hints(self) -> Iterator[str]:
        yield "These runs may differ although the methods do not: other runs may disagree."
        yield from super().reading_hints()


def compare_all_runs(
    statistics: Sequence[SufficientStatistics],
    runs: Mapping[str, Sequence[str]],
    *,
    n_resamples: int | None,
    seed: int,
    counting: str | Counting,
    units: str,
) -> list[RunComparison]:
    """Every pair of systems, under every metric.

    Parameters
    ----------
    statistics : sequence of SufficientStatistics
        Of each metric, a system for each run.
    runs : mapping of str to sequence of str
        The runs of each system.
    n_resamples : int, optional
        By default `N_RESAMPLES`.
    seed, counting, units
        As in :func:`mtsig_nb.compare_runs`, where the seed is called `rng`.

    Returns
    -------
    list of RunComparison
        All pairs under the first metric, then all under the next.

    Raises
    ------
    InputError
        If there is one system.
    """
    if len(runs) < 2:
        raise InputError(
            f"system: there is only one, {next(iter(runs))!r}; a comparison needs two."
        )
    comparisons = []
    for statistics_of_runs in statistics:
        for a, b in itertools.combinations(runs, 2):
            comparison = compare_runs(
                statistics_of_runs,
                {a: runs[a], b: runs[b]},
                rng=seed,
                counting=counting,
                units=units,
                n_resamples=n_resamples or N_RESAMPLES,
            )
            comparisons.append(comparison)
    return comparisons


def _row(comparison: RunComparison) -> dict[str, object]:
    """A row of the table: a pair under a metric, the better system first."""
    a, b = comparison.spreads
    if comparison.statistic < 0:
        a, b = b, a
    return {
        "metric": comparison.segment_test.metric,
        "system_a": a.system,
        "system_b": b.system,
        "score_a": a.score,
        "score_b": b.score,
        "difference": abs(comparison.statistic),
        "pvalue_these_runs": comparison.segment_test.pvalue,
        "pvalue_other_runs": comparison.run_test.pvalue,
        "pvalue_methods": np.nan if comparison.pvalue is None else comparison.pvalue,
    }


def _verdict_on_a_pair(row: pd.Series, digits: int | None) -> str:
    """What each of the three tests says of a pair."""
    if digits is None:
        digits = digits_for([row["score_a"], row["score_b"]])
    scores = f"{row['score_a']:.{digits}f} and {row['score_b']:.{digits}f}"
    a = row["system_a"]
    b = row["system_b"]
    is_better = {test: row[f"conclusion_{test}"] == BETTER for test in TESTS}
    p = {test: pvalue_in_words(row[f"pvalue_adjusted_{test}"]) for test in TESTS}
    doubt = ""
    if not is_better["these_runs"]:
        these_runs = f"no difference was detected by these runs between {a} and {b}"
    elif row["size_at_05"] >= UNRELIABLE * USUAL:
        these_runs = f"by these runs {a} has a better score than {b}"
        doubt = f", but {note_on_unreliable(row['size_at_05'], USUAL)}"
    else:
        these_runs = f"by these runs {a} is better than {b}"
    other_runs = "it was shown" if is_better["other_runs"] else "it was not shown"
    if np.isnan(row["pvalue_methods"]):
        methods = "a single run of one says nothing about the methods"
    elif is_better["methods"]:
        methods = f"for the methods it was shown ({p['methods']})"
    else:
        methods = f"for the methods it was not shown ({p['methods']})"
    return (
        f"{row['metric']}: {these_runs} ({scores}, {p['these_runs']}){doubt}; for other runs "
        f"{other_runs} ({p['other_runs']}); {methods}."
    )
