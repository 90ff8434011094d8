"""Scores of several training runs: the two tests of `compare_runs` for all pairs of systems."""

from __future__ import annotations

import itertools
from functools import cached_property

import numpy as np
import pandas as pd

from .. import __version__
from ..conclusions.deciding import WORDS, decide
from ..errors import InputError
from ..report.page import Findings
from ..report.verdicts import digits_for, pvalue_in_words
from ..significance.corrections import adjust_pvalues
from ..significance.results import PairResult
from ..significance.runs import RunComparison, compare_runs, note_on_claims
from .contents import of_pairs
from .printing import Answer, Page

_TESTED = ("these_runs", "other_runs")


class SeveralRuns:
    """All pairs of systems of which there are several runs, both tests corrected for all pairs."""

    def __init__(self, findings: Findings) -> None:
        analysis = findings.analysis
        assert analysis.score_table is not None  # where runs are told apart
        self._analysis, self._score_table = analysis, analysis.score_table
        for option, only in (("test", "approximate-randomization"), ("alternative", "two-sided")):
            if getattr(analysis, option) != only:
                raise InputError(
                    f"{option}={getattr(analysis, option)!r}: several runs are compared by "
                    f"{only} tests. Leave --{option} out, or keep one run of each system."
                )
        runs = self._score_table.runs
        pairs = list(itertools.combinations(runs, 2))
        if not pairs:
            raise InputError(f"system: there is one, {next(iter(runs))!r}; a comparison needs two.")
        self._higher = {s.label: s.metric.higher_is_better for s in findings.statistics}
        self._compared: list[tuple[str, RunComparison]] = [
            (
                statistics.label,
                compare_runs(
                    statistics,
                    {name: runs[name] for name in pair},
                    n_resamples=analysis.n_resamples or 10_000,
                    rng=analysis.seed,
                    counting=analysis.counting,
                    units=analysis.units,
                ),
            )
            for statistics in findings.statistics
            for pair in pairs
        ]

    @cached_property
    def table(self) -> pd.DataFrame:
        """A row for each pair and metric, the better system first, unrounded."""
        rows = []
        for metric, found in self._compared:
            turned = found.statistic < 0
            a, b = found.spreads[::-1] if turned else found.spreads
            tests = found.segment_test, found.run_test
            rows.append(
                {
                    "metric": metric,
                    "system_a": a.system,
                    "system_b": b.system,
                    "score_a": a.score,
                    "score_b": b.score,
                    "difference": abs(found.statistic),
                    **{f"pvalue_{n}": t.pvalue for n, t in zip(_TESTED, tests, strict=True)},
                }
            )
        table = pd.DataFrame(rows)
        for name in _TESTED:
            adjusted = adjust_pvalues(table[f"pvalue_{name}"], self._analysis.correction)
            table[f"pvalue_adjusted_{name}"] = adjusted
            said = decide(table["difference"], adjusted, self._analysis.alpha)
            table[f"conclusion_{name}"] = [WORDS[int(c)] for c in said]
        sizes = [found.size_at_05 for _, found in self._compared]
        return table.assign(size_at_05=np.array(sizes, dtype=np.float64))

    @property
    def any_distinguished(self) -> bool:
        """Whether these runs distinguish any pair."""
        return bool((self.table["pvalue_adjusted_these_runs"] <= self._analysis.alpha).any())

    @cached_property
    def systems(self) -> pd.DataFrame:
        """A row for each system and metric: mean over runs and both spreads, best first."""
        spreads = [
            found.to_frame().drop(columns=["lowest", "highest"]).assign(metric=metric)
            for metric, found in self._compared
        ]
        frame = pd.concat(spreads).drop_duplicates(["metric", "system"])
        frame.insert(0, "metric", frame.pop("metric"))
        best_first = [
            rows.sort_values("score", ascending=not self._higher[str(metric)], kind="stable")
            for metric, rows in frame.groupby("metric", sort=False)
        ]
        return pd.concat(best_first, ignore_index=True)

    def page(self) -> Page:
        """Verdicts about pairs, scores with spreads, and how it was done."""
        page = Page()
        page.paragraph("\n".join(_verdict(row) for _, row in self.table.iterrows()))
        page.paragraph("\n".join(f"Note: {note}." for note in self._notes()))
        page.paragraph(self._score_table.sentence)
        systems = self.systems
        page.table(systems, digits=digits_for(systems["score"]))
        page.paragraph(
            "score: mean over runs. s_sel: spread from the choice of segments. s_opt: spread from "
            "run to run. p is corrected for all pairs, for each of the two tests by itself."
        )
        page.paragraph(self.method)
        return page

    @property
    def method(self) -> str:
        """What was done."""
        first = self._compared[0][1].segment_test
        return (
            f"We compared several runs of each system by approximate randomization: the sets of "
            f"runs exchanged within {first.unit} ({self._drawn(first)}; about these runs), and "
            "whole runs exchanged in all arrangements (about other runs), two-sided, with "
            f"{self._analysis.correction or 'no'} correction for {len(self._compared)} "
            f"comparison{'s' * (len(self._compared) > 1)} each. Computed by mtsig_nb {__version__} "
            f"(seed {self._analysis.seed})."
        )

    def _drawn(self, test: PairResult) -> str:
        return f"{test.n_resamples:,} {test.draws} of {test.n_units:,} {test.unit}"

    def _notes(self) -> list[str]:
        compared = [r for _, r in self._compared]
        notes = [n for r in compared for n in (*r.segment_test.notes, *r.run_test.notes)]
        names = [" against ".join(s.system for s in r.spreads) for r in compared]
        claims = note_on_claims([r.size_at_05 for r in compared], names)
        return list(dict.fromkeys([*notes, *claims]))

    def answer(self) -> Answer:
        """All of it in every format."""
        return of_pairs(
            self.page,
            self._analysis,
            systems=self.systems,
            pairs=self.table,
            paper=self.table.drop(columns="size_at_05"),
            digits=digits_for(self.table["score_a"]),
            methods_sentence=self.method,
            notes=self._notes(),
        )


def _verdict(row: pd.Series) -> str:
    digits = digits_for([row["score_a"], row["score_b"]])
    scores = f"{row['score_a']:.{digits}f} and {row['score_b']:.{digits}f}"
    pair = f"{row['system_a']} {{}} {row['system_b']}"
    by_these, by_others = (row[f"conclusion_{name}"] == WORDS[1] for name in _TESTED)
    p_these, p_others = (pvalue_in_words(row[f"pvalue_adjusted_{name}"]) for name in _TESTED)
    if by_these:
        said = f"by these runs {pair.format('is better than')}"
    else:
        said = f"no difference was detected by these runs between {pair.format('and')}"
    others = f"of other runs it was {'' if by_others else 'not '}shown"
    return f"{row['metric']}: {said} ({scores}, {p_these}); {others} ({p_others})."
