"""Scores on several test sets: the verdict over all of them, and how many on each."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import pandas as pd

from .. import __version__
from ..conclusions.clustering import clusters
from ..errors import check_one_of
from ..report import exports
from ..report.page import Findings
from ..report.system_table import legend, pairs_table, system_table
from ..report.verdicts import digits_for, in_words, verdict
from ..significance.comparisons import Comparisons
from ..significance.over_test_sets import OVERALL, TestSetComparisons
from .contents import LONG, SCHEMA_VERSION
from .options import Format
from .printing import Page, as_json, records

#: So many test sets are listed without being asked for.
MOST_LISTED = 12


class SeveralTestSets:
    """All pairs of systems over all test sets and on each, with what is said of them."""

    def __init__(
        self, findings: Findings, *, baseline: str | None, pairs: bool, digits: int | None
    ) -> None:
        self._analysis = findings.analysis
        self._baseline, self._pairs, self._digits = baseline, pairs, digits
        if baseline is not None:
            known = next(iter(self.comparisons.scores.values())).index
            check_one_of("baseline", baseline, list(known))

    @cached_property
    def comparisons(self) -> TestSetComparisons:
        """Everything that is compared."""
        return self._analysis.compare_test_sets()

    @cached_property
    def overall(self) -> Comparisons:
        """What is compared over all test sets."""
        return self.comparisons.overall

    def page(self) -> Page:
        """The verdict over all, what to beware of, the table of systems, the test sets."""
        page = Page()
        verdicts = "\n".join(self._verdicts().values())
        page.paragraph(verdicts)
        page.paragraph("\n".join(f"Note: {in_words(n, '--{} {}')}." for n in self._notes()))
        table = self._analysis.score_table
        assert table is not None  # where there are test sets
        page.paragraph(table.sentence)
        for metric in self.overall.metrics:
            page.table(
                system_table(
                    self.overall, baseline=self._baseline, metrics=[metric], digits=self._digits
                )
            )
        page.paragraph(legend(self.overall, baseline=self._baseline))
        listed = self.test_sets
        if len(listed) <= MOST_LISTED or self._pairs:
            page.table(listed.drop(columns=["n", "pairs"]), digits=self._digits or 2)
        else:
            ends = listed.sort_values("n", kind="stable").iloc[[0, -1]]
            (fewest, most) = (f"{row.n} on {row.test_set}" for row in ends.itertuples())
            page.paragraph(
                f"Distinguished on single test sets: {fewest} to {most}, of "
                f"{listed['pairs'].max()} pairs. All test sets, and all pairs over them: --pairs; "
                "all pairs on each: --format csv."
            )
        for metric in self.overall.metrics if self._pairs else ():
            page.table(pairs_table(self.overall, metric, digits=self._digits))
        page.paragraph(self.comparisons.methods_sentence())
        if page.n_lines > LONG:
            page.paragraph(verdicts)
        return page

    @cached_property
    def test_sets(self) -> pd.DataFrame:
        """A row for each metric and test set: what is resampled, and who is the best."""
        found, rows = self.comparisons, []
        single = found.by_test_set[found.by_test_set["test_set"] != OVERALL]
        for _, one in single.iterrows():
            conclusions = found.conclusions(metric=one["metric"])
            rows.append(
                {
                    "metric": one["metric"],
                    "test_set": one["test_set"],
                    found.unit: one["n_units"],
                    "worth": _worth(one["n_effective"], one["n_effective_least"]),
                    "distinguished": f"{one['distinguished']} of {one['pairs']}",
                    "best": conclusions.systems[0],
                    "not distinguished from it": int((conclusions.matrix[0, 1:] == 0).sum()),
                    "n": one["distinguished"],
                    "pairs": one["pairs"],
                }
            )
        return pd.DataFrame(rows).drop(columns=["metric"] * (len(self.overall.metrics) == 1))

    def _verdicts(self) -> dict[str, str]:
        return {
            m: verdict(self.overall, metric=m, baseline=self._baseline)
            for m in self.overall.metrics
        }

    def _notes(self) -> list[str]:
        return list(self.comparisons.caveats)

    def as_(self, form: Format) -> str:
        """Systems or pairs over all as LaTeX or Markdown; all pairs as CSV; all of it as JSON."""
        if form is Format.csv:
            return str(self.comparisons.to_csv())
        if form is Format.json:
            return self._json()
        if form is Format.latex:
            return str(
                self.overall.to_latex(
                    pairs=self._pairs, baseline=self._baseline, digits=self._digits
                )
            )
        if self._pairs:
            digits = digits_for(self.overall.table["score_a"])
            digits = digits if self._digits is None else self._digits
            return str(self.overall.to_markdown(digits=digits))
        systems = system_table(self.overall, baseline=self._baseline, digits=self._digits)
        return str(exports.to_markdown(systems))

    def _json(self) -> str:
        found = self.comparisons
        return as_json(
            {
                "schema_version": SCHEMA_VERSION,
                "version": __version__,
                "analysis": self._analysis.to_dict(),
                "signature": found.signature,
                "methods_sentence": found.methods_sentence(),
                "verdicts": self._verdicts(),
                "notes": self._notes(),
                "scores": {m: scores.to_dict() for m, scores in found.scores.items()},
                "clusters": {
                    m: clusters(self.overall.conclusions(metric=m)).groups
                    for m in self.overall.metrics
                },
                "test_sets": records(found.by_test_set),
                "pairing": records(found.pairing),
                "pairs": records(found.table),
            }
        )


def _worth(estimate: float, least: float) -> str:
    """As many units of equal weight."""
    about = "" if np.isnan(estimate) else f"≈{estimate:.0f}, "
    return f"{about}≥{least:.0f}"
