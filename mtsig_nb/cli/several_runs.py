"""Scores of several training runs: the two tests of `compare_runs` for all pairs of systems."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd

from .. import __version__
from ..conclusions.deciding import WORDS, decide
from ..errors import InputError
from ..report.exports import printed
from ..report.page import Findings
from ..report.verdicts import digits_for, pvalue_in_words
from ..significance.corrections import adjust_pvalues
from ..significance.runs import RunComparison, compare_runs, note_on_claims
from .contents import of_pairs
from .printing import Answer

_TESTED = ("these_runs", "other_runs")


def several_runs(findings: Findings) -> Answer:
    """All pairs of systems of which there are several runs, both tests corrected for all pairs."""
    analysis = findings.analysis
    assert analysis.score_table is not None  # where runs are told apart
    for option, only in (("test", "approximate-randomization"), ("alternative", "two-sided")):
        if getattr(analysis, option) != only:
            raise InputError(
                f"{option}={getattr(analysis, option)!r}: several runs are compared by "
                f"{only} tests. Leave --{option} out, or keep one run of each system."
            )
    runs = analysis.score_table.runs
    if len(runs) < 2:
        raise InputError(f"system: there is one, {next(iter(runs))!r}; a comparison needs two.")
    compared = [
        compare_runs(
            statistics,
            {name: runs[name] for name in pair},
            n_resamples=analysis.n_resamples or 10_000,
            rng=analysis.seed,
            counting=analysis.counting,
            units=analysis.units,
        )
        for statistics in findings.statistics
        for pair in itertools.combinations(runs, 2)
    ]
    higher = {s.label: s.metric.higher_is_better for s in findings.statistics}
    pairs, systems = (
        _pairs(compared, analysis.correction, analysis.alpha),
        _systems(compared, higher),
    )
    notes, first, n = _notes(compared), compared[0].segment_test, len(compared)
    method = (
        "We compared several runs of each system by approximate randomization: the sets of "
        f"runs exchanged within {first.unit} ({first.n_resamples:,} {first.draws} of "
        f"{first.n_units:,} {first.unit}; about these runs), and whole runs exchanged in all "
        f"arrangements (about other runs), two-sided, with {analysis.correction or 'no'} "
        f"correction for {n} comparison{'s' * (n > 1)} each. Computed by mtsig_nb {__version__} "
        f"(seed {analysis.seed})."
    )
    return of_pairs(
        analysis,
        [
            "\n".join(_verdict(row) for _, row in pairs.iterrows()),
            "\n".join(f"Note: {note}." for note in notes),
            analysis.score_table.sentence,
            printed(systems, digits=digits_for(systems["score"])),
            "score: mean over runs. s_sel: spread from the choice of segments. s_opt: spread from "
            "run to run. p is corrected for all pairs, for each of the two tests by itself.",
            method,
        ],
        systems,
        pairs,
        paper=pairs.drop(columns="size_at_05"),
        digits=digits_for(pairs["score_a"]),
        distinguished=bool((pairs["pvalue_adjusted_these_runs"] <= analysis.alpha).any()),
        methods_sentence=method,
        notes=notes,
    )


def _pairs(compared: list[RunComparison], correction: str | None, alpha: float) -> pd.DataFrame:
    """A row for each pair and metric, the better system first, unrounded."""
    rows = []
    for found in compared:
        a, b = found.spreads[::-1] if found.statistic < 0 else found.spreads
        rows.append(
            {
                "metric": found.segment_test.metric,
                "system_a": a.system,
                "system_b": b.system,
                "score_a": a.score,
                "score_b": b.score,
                "difference": abs(found.statistic),
                "pvalue_these_runs": found.segment_test.pvalue,
                "pvalue_other_runs": found.run_test.pvalue,
            }
        )
    table = pd.DataFrame(rows)
    for name in _TESTED:
        adjusted = adjust_pvalues(table[f"pvalue_{name}"], correction)
        table[f"pvalue_adjusted_{name}"] = adjusted
        said = decide(table["difference"], adjusted, alpha)
        table[f"conclusion_{name}"] = [WORDS[int(c)] for c in said]
    sizes = [found.size_at_05 for found in compared]
    return table.assign(size_at_05=np.array(sizes, dtype=np.float64))


def _systems(compared: list[RunComparison], higher: dict[str, bool]) -> pd.DataFrame:
    """A row for each system and metric: mean over runs and both spreads, best first."""
    spreads = pd.concat(
        [found.to_frame().assign(metric=found.segment_test.metric) for found in compared]
    ).drop_duplicates(["metric", "system"])
    best_first = [
        rows.sort_values("score", ascending=not higher[str(metric)], kind="stable")
        for metric, rows in spreads.groupby("metric", sort=False)
    ]
    shown = ["metric", "system", "runs", "score", "s_sel", "s_opt"]
    return pd.concat(best_first, ignore_index=True)[shown]


def _notes(compared: list[RunComparison]) -> list[str]:
    notes = [n for r in compared for n in (*r.segment_test.notes, *r.run_test.notes)]
    names = [" against ".join(s.system for s in r.spreads) for r in compared]
    claims = note_on_claims([r.size_at_05 for r in compared], names)
    return list(dict.fromkeys([*notes, *claims]))


def _verdict(row: pd.Series) -> str:
    digits = digits_for([row["score_a"], row["score_b"]])
    scores = f"{row['score_a']:.{digits}f} and {row['score_b']:.{digits}f}"
    a, b = row["system_a"], row["system_b"]
    by_these, by_others = (row[f"conclusion_{name}"] == WORDS[1] for name in _TESTED)
    p_these, p_others = (pvalue_in_words(row[f"pvalue_adjusted_{name}"]) for name in _TESTED)
    said = f"by these runs {a} is better than {b}"
    if not by_these:
        said = f"no difference was detected by these runs between {a} and {b}"
    others = f"of other runs it was {'' if by_others else 'not '}shown"
    return f"{row['metric']}: {said} ({scores}, {p_these}); {others} ({p_others})."
