"""A gate: whether candidates are worse than a baseline by more than a margin."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd

from .. import __version__
from ..notes import Note, code_of, note
from ..significance.actual_size import NOTED
from ..significance.equivalence import CANNOT_TELL, IS_WORSE, NOT_WORSE, EquivalenceTest
from ..significance.gate import (
    POWER,
    gate_table,
    gate_tests,
    gate_verdict,
    margins_by_metric,
    more_units,
)
from ..significance.one_pair import documents_note
from ..significance.planning import rounded_up
from ..significance.sharing import notes_on_sharing
from ..statistics.sufficient import SufficientStatistics
from ..tables import MISSING, Column, markdown_text, printed, printed_pvalue, to_markdown
from .caveats import naming
from .junit import Case, junit_xml
from .outcome import Layout, Outcome, Section
from .single_outputs import check_single_outputs
from .verdicts import digits_for, pvalue_in_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..report.analysis import Analysis

#: The key of the verdict on all comparisons together.
GATE = "gate"
#: Resamples, where none are asked for.
N_RESAMPLES = 10_000
#: Notes of the tests whose content a gate's verdicts have, or its notes on all tests.
_SAID_OTHERWISE = ("excludes-zero", "beyond-margin", "size-at-margin", "documents-ignored")
#: How to read the column of p-values.
_LEGEND_OF_P = "p: tests the hypothesis of a loss as large as the margin, or larger."
#: Notes of the tests that matter only where a candidate passes.
_OF_PASSING = ("unseen",)
#: A margin of so many times the smallest loss that the test set would show is called wide.
WIDE = 5.0


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class GateOutcome(Outcome):
    """Every candidate against the baseline, by a test of non-inferiority at the margin.

    Attributes
    ----------
    tests : sequence of EquivalenceTest
        One for each metric, or metric on a test set, and candidate.
    statistics : sequence of SufficientStatistics
        Of each metric, or metric on a test set.
    """

    kind = "gate"
    accepted_options = ("alpha", "n_resamples", "units", "seed")
    why_meaningless = "a gate has a one-sided test and limits of its own"

    tests: Sequence[EquivalenceTest]
    statistics: Sequence[SufficientStatistics]

    @classmethod
    def from_analysis(
        cls, analysis: Analysis, statistics: Sequence[SufficientStatistics] | None = None
    ) -> Self:
        """All candidates under all metrics, over several test sets and on each.

        Raises
        ------
        InputError
            If the files have several runs or raters, battles, or no baseline.
        """
        check_single_outputs(analysis, "a gate")
        # Units alone, since a gate has no correction.
        resolved = analysis.but(units=analysis.resolved.options.units)
        options = resolved.options
        assert resolved.margin is not None  # or it would be no gate
        sets = resolved.test_sets()
        units = str(options.units)
        gated: list[SufficientStatistics] = []
        metrics: list[str] = []  # the metric of each; on all its test sets it has the same margin
        if sets:
            units = "segments"  # the test sets are laid out over their units already
            for scored in sets:
                gated += scored.family
                metrics += [scored.segments[0].label] * len(scored.family)
        else:
            gated += resolved.statistics() if statistics is None else statistics
            metrics += [s.label for s in gated]
        baseline = resolved.baseline or gated[0].systems[0]
        largest_scores: dict[str, float] = {}
        for metric, s in zip(metrics, gated, strict=True):
            largest = float(np.abs(s.scores()).max())
            largest_scores[metric] = max(largest_scores.get(metric, 0.0), largest)
        margins = margins_by_metric(resolved.margin, largest_scores)
        tests = gate_tests(
            gated,
            baseline,
            [margins[metric] for metric in metrics],
            alpha=options.alpha,
            n_resamples=options.n_resamples or N_RESAMPLES,
            units=units,
            rng=options.seed,
        )
        return cls(
            analysis=resolved.but(baseline=baseline),
            tests=tests,
            statistics=gated,
        )

    # --- what was found ---------------------------------------------------------------------------

    @property
    def verdict(self) -> str:
        """Of all comparisons together: ``"not worse"``, ``"worse"`` or ``"cannot tell"``."""
        return gate_verdict(self.tests)

    @property
    def verdicts(self) -> Mapping[str, str]:
        return self._verdicts(Layout())

    def verdict_lines(self, layout: Layout) -> list[str]:
        return list(self._verdicts(layout).values())

    def _verdicts(self, layout: Layout) -> dict[str, str]:
        """The verdict of the gate, then a line for each comparison under each metric."""
        lines: dict[str, list[str]] = {}
        for test in self.tests:
            line = f"{test.metric}: {_sentence(test, self._digits(layout, test))}"
            lines.setdefault(test.metric, []).append(line)
        by_metric = {metric: "\n".join(of_metric) for metric, of_metric in lines.items()}
        return {GATE: self._about_all(), **by_metric}

    def _about_all(self) -> str:
        """How many comparisons pass, and what the gate says therefore."""
        count = dict.fromkeys((NOT_WORSE, IS_WORSE, CANNOT_TELL), 0)
        for test in self.tests:
            count[test.verdict] += 1
        n = len(self.tests)
        if n == 1:
            return f"Gate: {self.verdict}."
        if count[NOT_WORSE] == n:
            return f"Gate: {NOT_WORSE}, in all {n} comparisons."
        parts = [f"{count[NOT_WORSE]} of {n} comparisons pass"]
        if count[IS_WORSE]:
            parts.append(f"{count[IS_WORSE]} fail")
        if count[CANNOT_TELL]:
            parts.append(f"{count[CANNOT_TELL]} cannot be decided")
        return f"Gate: {self.verdict}. {', '.join(parts)}."

    @cached_property
    def notes(self) -> tuple[str, ...]:
        notes: list[str] = []
        for s in self.statistics:
            notes += s.notes
        notes += notes_on_sharing(self.statistics)
        if not self.analysis.test_sets() and self.analysis.options.units == "segments":
            notes += documents_note(*self.statistics)
        about: dict[str, list[str]] = {}
        for test in self.tests:
            for single in _notes_on(test):
                about.setdefault(single, []).append(_name(test))
        for single, names in about.items():
            is_on_all = len(names) == len(self.tests)
            notes.append(single if is_on_all else naming(names, single))
        if len(self.tests) > 1 and self.verdict == IS_WORSE:
            notes.append(note("gate-uncorrected", n=len(self.tests), alpha=self.tests[0].alpha))
        return tuple(dict.fromkeys(notes))

    @property
    def distinguished(self) -> bool:
        return self.verdict != CANNOT_TELL

    @cached_property
    def table(self) -> pd.DataFrame:
        return gate_table(self.tests)

    @property
    def systems(self) -> pd.DataFrame:
        tables = []
        for s in self.statistics:
            table = s.scores().rename("score").rename_axis("system").reset_index()
            table.insert(0, "metric", s.label)
            tables.append(table)
        return pd.concat(tables, ignore_index=True)

    @property
    def methods(self) -> str:
        first = self.tests[0]
        margins = dict.fromkeys(f"{test.margin:g} {test.metric}" for test in self.tests)
        n = len(self.tests)
        all_pass = ""
        if n > 1:
            all_pass = (
                f" The gate passes only if all {n} comparisons do, which needs no correction."
            )
        return (
            f"We tested whether each candidate is worse than {first.system_b} by a margin or more "
            f"({', '.join(margins)}; non-inferiority, one-sided at the level {first.alpha:g}), by "
            "the more cautious of percentile bootstrap and bootstrap-t "
            f"({first.n_resamples:,} resamples of {self._sizes()} {first.unit}).{all_pass} "
            f"Computed by mtsig_nb {__version__} (seed {first.rng})."
        )

    def _sizes(self) -> str:
        """How many units there are, or how few and how many."""
        sizes = [test.n_units for test in self.tests]
        if min(sizes) == max(sizes):
            return f"{sizes[0]:,}"
        return f"{min(sizes):,} to {max(sizes):,}"

    @property
    def signature(self) -> str:
        parts = [
            "test:non-inferiority",
            "ci:percentile+bootstrap-t",
            f"alpha:{self.tests[0].alpha:g}",
            f"n:{self.tests[0].n_resamples}",
            f"units:{self.tests[0].unit}",
            f"nunits:{self.tests[0].n_units}",
            f"seed:{self.tests[0].rng}",
            f"mtsig_nb:{__version__}",
        ]
        lines = ["|".join(parts)]
        for test in self.tests:
            lines.append(f"{test.metric_signature}|margin:{test.margin:g}")
        return " || ".join(dict.fromkeys(lines))

    @property
    def title(self) -> str:
        first = self.tests[0]
        metrics = dict.fromkeys(test.metric for test in self.tests)
        candidates = dict.fromkeys(test.system_a for test in self.tests)
        names = ", ".join(candidates) if len(candidates) < 4 else f"{len(candidates)} candidates"
        return f"{names} against {first.system_b}, gated by {', '.join(metrics)}"

    @property
    def size(self) -> str:
        return f"{self._sizes()} {self.tests[0].unit}"

    # --- how it is shown --------------------------------------------------------------------------

    def tables(self, layout: Layout) -> Iterator[Section]:
        yield Section(table=self.for_paper(layout), caption=self._legend())

    def caption_for_paper(self, layout: Layout) -> str:
        # There is one table, with pairs or without.
        return super().caption_for_paper(dataclasses.replace(layout, pairs=False))

    def legend_for_paper(self, layout: Layout) -> str:
        return self._legend(pvalues=False)

    @property
    def legends_for_paper(self) -> Mapping[str, str]:
        return {"p": _LEGEND_OF_P}

    def _legend(self, *, pvalues: bool = True) -> str:
        """How to read the table, and its column of p-values if that is asked for."""
        first = self.tests[0]
        confidence = f"{100 * (1 - first.alpha):g} %"
        of_pvalues = f" {_LEGEND_OF_P}" if pvalues else ""
        more = ""
        if any(test.verdict == CANNOT_TELL for test in self.tests):
            more = (
                f" more {first.unit}: with how many more a candidate as good as {first.system_b} "
                "would pass four times in five."
            )
        return (
            "difference: how much better the candidate is. interval: each limit has a confidence "
            f"of {confidence}.{of_pvalues}{more}"
        )

    def for_paper(self, layout: Layout) -> Sequence[Column]:
        columns: list[Column] = []
        several_metrics = len({test.metric for test in self.tests}) > 1
        if several_metrics:
            metrics = tuple(test.metric for test in self.tests)
            columns.append(Column("metric", metrics, numeric=False))
        columns.append(
            Column("candidate", tuple(test.system_a for test in self.tests), numeric=False)
        )
        scores = []
        baseline_scores = []
        differences: list[str] = []
        intervals: list[str] = []
        for test in self.tests:
            digits = self._digits(layout, test)  # which differ from metric to metric
            scores.append(f"{test.score_a:.{digits}f}")
            baseline_scores.append(f"{test.score_b:.{digits}f}")
            limits = pd.DataFrame(
                {
                    "difference": [test.statistic],
                    "ci_low": [test.interval[0]],
                    "ci_high": [test.interval[1]],
                }
            )
            difference, interval = printed(limits, digits=digits)
            differences += difference.cells
            intervals += interval.cells
        pvalues = tuple(printed_pvalue(test.pvalue_below) for test in self.tests)
        baseline = self.tests[0].system_b
        columns += [
            Column("score", tuple(scores), numeric=True),
            Column(f"score of {baseline}", tuple(baseline_scores), numeric=True),
            Column("difference", tuple(differences), numeric=True),
            Column("interval", tuple(intervals), numeric=True),
            Column("margin", tuple(f"{test.margin:g}" for test in self.tests), numeric=True),
            Column("p", pvalues, numeric=True),
            Column("verdict", tuple(test.verdict for test in self.tests), numeric=False),
        ]
        if any(test.verdict == CANNOT_TELL for test in self.tests):
            more = []
            for test in self.tests:
                is_open = test.verdict == CANNOT_TELL
                more.append(_about(more_units(test, 0.0)) if is_open else MISSING)
            columns.append(Column(f"more {self.tests[0].unit}", tuple(more), numeric=True))
        return columns

    def _digits(self, layout: Layout, test: EquivalenceTest) -> int:
        if layout.digits is not None:
            return layout.digits
        return digits_for([test.score_a, test.score_b])

    def figures(self) -> Iterator[Figure]:
        from ..plots.gates import gate  # matplotlib only when something is drawn

        yield gate(self.table)

    def summary(self, layout: Layout) -> str:
        """The verdict, the table and the notes in Markdown, as a summary of a run in CI."""
        first, *lines = "\n".join(self.verdict_lines(layout)).split("\n")
        listed_lines = [f"- {markdown_text(line)}" for line in lines]
        parts = [
            f"### {markdown_text(first)}",
            "\n".join(listed_lines),
            to_markdown(self.for_paper(layout)).rstrip(),
            markdown_text(self._legend()),
        ]
        if self.notes:
            parts.append("\n".join(f"- Note: {markdown_text(single)}." for single in self.notes))
        parts.append(f"<sub>{markdown_text(self.methods)}</sub>")
        return "\n\n".join(parts) + "\n"

    def to_junit(self, layout: Layout) -> str:
        """A test case for each comparison in JUnit's XML; what does not pass is a failure."""
        cases = []
        for test in self.tests:
            cases.append(
                Case(
                    classname=test.metric,
                    name=f"{test.system_a} against {test.system_b}",
                    output=_sentence(test, self._digits(layout, test)),
                    failure="" if test.verdict == NOT_WORSE else test.verdict,
                )
            )
        properties = {
            "verdict": self.verdict,
            "baseline": self.tests[0].system_b,
            "alpha": f"{self.tests[0].alpha:g}",
            "signature": self.signature,
        }
        return junit_xml("mtsig gate", cases, properties=properties, output="\n".join(self.notes))

    def reading_hints(self) -> Iterator[str]:
        yield (
            "The result depends on the margin. Choose it, with reasons, before you see the scores: "
            "if the margin is wide enough, everything passes."
        )
        yield (
            "A candidate that passes may be worse, by up to the margin. Ten releases in a row, "
            "each a little worse than the last, may all pass: from time to time, compare one with "
            "the first."
        )
        yield (
            "A gate shows only what its metric measures, on texts like these. A fault passes if "
            "the metric does not measure it, or if it does not occur in the test set."
        )
        yield (
            "Adding segments after looking, and testing again, gives a candidate two chances of "
            "passing. Plan the number of segments, or watch with boundaries: mtsig watch."
        )

    # --- formats ----------------------------------------------------------------------------------

    def code(self) -> str:
        analysis = self.analysis
        lines = ["import mtsig_nb as mt", "", *self._code_for_statistics()]
        units = repr(str(analysis.options.units))
        if analysis.test_sets():
            units = "'segments'"
        margins = [test.margin for test in self._one_under_each_metric()]
        lines += [
            f"margins = {margins!r}",
            "tests = [",
            "    mt.equivalence_test(",
            f"        s, system, {analysis.baseline!r}, margin=margin, method='both',",
            f"        alpha={analysis.options.alpha!r}, units={units},",
            f"        n_resamples={self.tests[0].n_resamples!r}, rng={analysis.options.seed!r},",
            "    )",
            "    for s, margin in zip(statistics, margins)",
            "    for system in s.scores().index",
            f"    if system != {analysis.baseline!r}",
            "]",
            "verdicts = [test.verdict for test in tests]",
        ]
        return "\n".join(lines)

    def _code_for_statistics(self) -> list[str]:
        """Lines of Python that make the list `statistics`."""
        analysis = self.analysis
        if not analysis.test_sets():
            return analysis.code_for_statistics()
        return [
            analysis.code_for_table(),
            f"sets = {analysis.code_for_test_sets()}",
            "statistics = [s for scored in sets for s in scored.family]",
        ]

    def _one_under_each_metric(self) -> list[EquivalenceTest]:
        """A test under each of the `statistics`, as tests stand together by these."""
        n_candidates = len(self.tests) // len(self.statistics)
        return list(self.tests[::n_candidates])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.title}: {self.verdict})"

    def details(self, layout: Layout) -> dict[str, Any]:
        first = self.tests[0]
        return {
            "verdict": self.verdict,
            "passes": self.verdict == NOT_WORSE,
            "baseline": first.system_b,
            "margins": {test.metric: test.margin for test in self.tests},
            "alpha": first.alpha,
            "power": POWER,
            "unit": first.unit,
            "n_units": first.n_units,
            "n_resamples": first.n_resamples,
            "seed": first.rng,
        }


def _notes_on(test: EquivalenceTest) -> list[str]:
    """What to know of a comparison, besides what its verdict says."""
    notes: list[str] = [n for n in test.notes if code_of(n) not in _SAID_OTHERWISE]
    if test.verdict != NOT_WORSE:
        return [n for n in notes if code_of(n) not in _OF_PASSING]
    size = test.size_below
    if size is not None and size > NOTED * test.alpha:
        notes.append(note("gate-size", size=size, alpha=test.alpha, n=test.n_units, unit=test.unit))
    wide = _note_on_wide_margin(test)
    return notes if wide is None else [*notes, wide]


def _note_on_wide_margin(test: EquivalenceTest) -> Note | None:
    """That the margin is far wider than what the test set would show, where it is."""
    needed = test.units_needed(power=POWER)
    # Standard errors fall with the square root of the number of units.
    ratio = float(np.sqrt(test.n_units / needed))
    if test.standard_error == 0 or ratio < WIDE:
        return None
    return note("gate-wide", margin=test.margin, ratio=ratio, n=test.n_units, unit=test.unit)


def _name(test: EquivalenceTest) -> str:
    """What a note calls a comparison."""
    return f"{test.system_a}, {test.metric}"


def _sentence(test: EquivalenceTest, digits: int) -> str:
    """What is said of a comparison, without its metric."""
    a = test.system_a
    b = test.system_b
    low, high = test.interval
    scores = f"{test.score_a:.{digits}f} and {test.score_b:.{digits}f}"
    confidence = f"{100 * (1 - test.alpha):g} %"
    difference = f"{test.statistic:+.{digits}f}"
    at_worst = f"at worst {low:+.{digits}f} with {confidence} confidence"
    at_best = f"at best {high:+.{digits}f} with {confidence} confidence"
    if test.verdict == NOT_WORSE:
        p = pvalue_in_words(test.pvalue_below)
        sentence = (
            f"{a} is not worse than {b} by {test.margin:g} or more ({scores}: {difference}, "
            f"{at_worst}; {p})."
        )
        if high < 0:
            sentence += f" It is worse, by less than the margin ({at_best})."
        return sentence
    if test.verdict == IS_WORSE:
        p = pvalue_in_words(test.pvalue_beyond)
        return (
            f"{a} is worse than {b} by more than {test.margin:g} ({scores}: {difference}, "
            f"{at_best}; {p})."
        )
    p = pvalue_in_words(test.pvalue_below)
    sentence = (
        f"these {test.n_units:,} {test.unit} cannot tell whether {a} is worse than {b} by "
        f"{test.margin:g} or more ({scores}: {difference}, {at_worst}; {p})."
    )
    if high < 0:
        sentence += f" It is worse than {b} ({at_best})."
    return f"{sentence} {_what_is_needed(test)}"


def _what_is_needed(test: EquivalenceTest) -> str:
    """How many more units would decide, if the two are equally good, and if the loss is real."""
    if_equal = more_units(test, 0.0)
    if_as_seen = more_units(test, test.statistic)
    equal = f"a candidate as good as {test.system_b}"
    if if_equal:
        first = (
            f"With about {_about(if_equal)} more {test.unit}, {equal} would pass four times in five"
        )
    else:
        first = f"{test.n_units:,} {test.unit} pass {equal} four times in five or more often"
    if np.isinf(if_as_seen):
        return f"{first}; if the true difference is the one seen, no number is enough."
    if if_as_seen == 0:
        return f"{first}."
    return f"{first}; if the true difference is the one seen, {_about(if_as_seen)} more are needed."


def _about(number: float) -> str:
    """A number of units to two significant digits, rounded upwards."""
    return "∞" if np.isinf(number) else f"{rounded_up(int(number)):,}"
