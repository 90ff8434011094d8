"""What `compare` says of scores of several training runs, and of battles of two models each."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from .. import __version__
from ..conclusions.deciding import WORDS, decide
from ..errors import InputError
from ..human.preferences import PairwisePreferences
from ..notes import note
from ..report.analysis import OF_SCORES, Analysis
from ..report.exports import printed
from ..report.page import Findings
from ..report.raters import concluded, for_print, over_raters, with_ranks
from ..report.verdicts import digits_for, pvalue_in_words, winner
from ..significance.corrections import adjust_pvalues
from ..significance.runs import RunComparison, compare_runs
from .contents import about
from .printing import Answer, Block, rounded

#: The tests of several runs.
_TESTED = ("these_runs", "other_runs", "methods")
#: Columns that say who judged.
_RATERS = ("rater", "judge", "annotator", "user")
#: Settings that say nothing of battles.
_UNUSED = (*OF_SCORES, "metrics", "test", "n_resamples", "units", "interval")


def several_runs(findings: Findings) -> Answer:
    """All pairs of systems of which there are several runs, each test corrected for all pairs."""
    analysis = findings.analysis
    assert analysis.score_table is not None  # where runs are told apart
    check_unused(analysis, ("test", "alternative"), "several runs have their own two-sided tests")
    runs = analysis.score_table.runs
    if len(runs) < 2:
        raise InputError(f"system: there is one, {next(iter(runs))!r}; a comparison needs two.")
    asked: Any = {"rng": analysis.seed, "counting": analysis.counting, "units": analysis.units}
    asked["n_resamples"] = analysis.n_resamples or 10_000
    compared = [
        compare_runs(statistics, {name: runs[name] for name in pair}, **asked)
        for statistics in findings.statistics
        for pair in itertools.combinations(runs, 2)
    ]
    pairs, systems = _pairs(compared, analysis), _systems(compared, findings)
    notes = list(dict.fromkeys(said for found in compared for said in found.notes))
    first, n = compared[0].segment_test, len(compared)
    method = (
        "We compared several runs of each system by approximate randomization: the sets of "
        f"runs exchanged within {first.unit} ({first.n_resamples:,} {first.draws} of "
        f"{first.n_units:,} {first.unit}; about these runs), and whole runs exchanged in all "
        "arrangements (about other runs); methods by Student's t, with other runs and other "
        f"{first.unit} as samples; two-sided, with {analysis.correction or 'no'} "
        f"correction for {n} comparison{'s' * (n > 1)} each. Computed by mtsig_nb {__version__} "
        f"(seed {analysis.seed})."
    )
    page: list[Block] = [
        "\n".join(_on_a_pair(row) for _, row in pairs.iterrows()),
        "\n".join(f"Note: {note}." for note in notes),
        analysis.score_table.sentence,
        printed(systems, digits=digits_for(systems["score"])),
        "score: mean over runs. s_sel: spread from the choice of segments. s_opt: spread from "
        "run to run. p is corrected for all pairs, for each of the tests by itself.",
        method,
    ]
    said = {"methods_sentence": method, "notes": notes, "systems": systems, "pairs": pairs}
    paper = rounded(pairs, digits_for(pairs["score_a"]))
    distinguished = (pairs["pvalue_adjusted_these_runs"] <= analysis.alpha).any()
    return Answer(lambda _: page, pairs, about(analysis) | said, paper, bool(distinguished))


def _pairs(compared: list[RunComparison], analysis: Analysis) -> pd.DataFrame:
    """A row for each pair and metric, the better system first, unrounded."""
    rows = []
    for found in compared:
        a, b = found.spreads[::-1] if found.statistic < 0 else found.spreads
        about_pair = a.system, b.system, a.score, b.score, abs(found.statistic)
        methods = np.nan if found.pvalue is None else found.pvalue
        pvalues = found.segment_test.pvalue, found.run_test.pvalue, methods
        rows.append((found.segment_test.metric, *about_pair, *pvalues))
    columns = ["metric", "system_a", "system_b", "score_a", "score_b", "difference"]
    table = pd.DataFrame(rows, columns=[*columns, *(f"pvalue_{name}" for name in _TESTED)])
    for name in _TESTED:
        adjusted = adjust_pvalues(table[f"pvalue_{name}"].fillna(1.0), analysis.correction)
        table[f"pvalue_adjusted_{name}"] = adjusted
        said = decide(table["difference"], adjusted, analysis.alpha)
        table[f"conclusion_{name}"] = [WORDS[int(c)] for c in said]
    return table


def _systems(compared: list[RunComparison], findings: Findings) -> pd.DataFrame:
    """A row for each system and metric: mean over runs and both spreads, best first."""
    each = [found.to_frame().assign(metric=found.segment_test.metric) for found in compared]
    spreads = pd.concat(each).drop_duplicates(["metric", "system"])
    best_first = []
    for s in findings.statistics:
        own, ascending = spreads[spreads["metric"] == s.label], not s.metric.higher_is_better
        best_first.append(own.sort_values("score", ascending=ascending, kind="stable"))
    shown = ["metric", "system", "runs", "score", "s_sel", "s_opt"]
    return pd.concat(best_first, ignore_index=True)[shown]


def _on_a_pair(row: pd.Series) -> str:
    digits = digits_for([row["score_a"], row["score_b"]])
    scores = f"{row['score_a']:.{digits}f} and {row['score_b']:.{digits}f}"
    a, b = row["system_a"], row["system_b"]
    by_these, by_others, method = (row[f"conclusion_{name}"] == WORDS[1] for name in _TESTED)
    p = [pvalue_in_words(row[f"pvalue_adjusted_{name}"]) for name in _TESTED]
    said = f"by these runs {a} is better than {b}"
    if not by_these:
        said = f"no difference was detected by these runs between {a} and {b}"
    others = f"of other runs it was {'' if by_others else 'not '}shown"
    methods = f"of the methods it was {'' if method else 'not '}shown ({p[2]})"
    if np.isnan(row["pvalue_methods"]):
        methods = "of the methods a single run of one says nothing"
    return f"{row['metric']}: {said} ({scores}, {p[0]}); {others} ({p[1]}); {methods}."


def battles(frame: pd.DataFrame, analysis: Analysis, file: str) -> Answer:
    """Strengths of all systems, their intervals, and tests of all pairs."""
    check_unused(analysis, _UNUSED, "battles have no scores and no resamples")
    if raters := next((name for name in _RATERS if name in frame), None):
        frame = frame.rename(columns={raters: "rater"})
    if analysis.systems:
        among = frame[["model_a", "model_b"]].isin(list(analysis.systems))
        frame = frame[among.all(axis=1)]
    fought = PairwisePreferences(frame, "battles")
    units: Any = "raters" if raters and frame["rater"].nunique() > 1 else None
    fit = fought.bradley_terry(ties="half", units=units)
    notes = list(fit.notes)
    if raters and units is None:
        notes.append(note("one-of-a-unit", unit="rater"))
    conclusions, pairs = concluded(fit.tests(alternative=analysis.alternative), analysis)
    pairs = pairs.drop(columns=["score_a", "score_b"])
    pairs.insert(2, "win_chance", special.expit(pairs["difference"]))

    strengths = fit.to_frame().set_index("system")
    limits = fit.limits(analysis.confidence_level)
    won, tied, strength = fought.wins, fought.ties, strengths["strength"]
    counted = {"wins": won.sum(axis=1), "losses": won.sum(), "ties": tied.sum(axis=1)}
    known = {"strength": strength, "ci_low": limits["low"], "ci_high": limits["high"]}
    fitted = pd.DataFrame(counted | known).loc[strengths.index]
    systems = with_ranks(fitted, conclusions)

    method = (
        f"We fitted strengths to all battles ({fit.title}; log odds to win, zero on "
        f"average), and tested {len(pairs)} difference{'s' * (len(pairs) > 1)} "
        f"({analysis.alternative}, level {analysis.alpha:g}, {analysis.correction or 'no'} "
        f"correction). Intervals are of each strength, {100 * analysis.confidence_level:g} %, not "
        f"corrected. Computed by mtsig_nb {__version__}, without resamples."
    )
    n, n_tied = len(fought.frame), int((fought.frame["outcome"] == 0).sum())
    page: list[Block] = [
        winner(conclusions, pairs),
        *(f"Note: {each}." for each in notes),
        f"{file}: {n:,} battles of {len(systems)} systems, {n_tied:,} tied.",
        for_print(systems),
        *([pairs] if analysis.alternative != "two-sided" or len(systems) > 2 else []),
        method,
    ]
    said = {"methods_sentence": method, "systems": systems, "pairs": pairs}
    content, distinguished = about(analysis) | said, bool(conclusions.matrix.any())
    return Answer(lambda _: page, pairs, content, rounded(systems), distinguished)


def check_unused(analysis: Analysis, options: Sequence[str], why: str) -> None:
    """Raise `InputError` if one of the `options` is not as it usually is."""
    usual = Analysis()
    for option in options:
        if (given := getattr(analysis, option)) != getattr(usual, option):
            raise InputError(f"{option}={given!r}: {why}. Leave it out.")


def rated(ratings: pd.DataFrame, analysis: Analysis) -> Answer:
    """All pairs of systems, with raters, documents and segments as samples from many."""
    unused = ("test", "n_resamples", "interval", "confidence_level")
    check_unused(analysis, unused, "ratings have t tests, and no resamples")
    found = over_raters(ratings, analysis)
    said = {"methods_sentence": found.method, "systems": found.systems, "pairs": found.pairs}
    page: list[Block] = [
        *found.page,
        found.shown,
        "difference: the best system minus this one, with its interval and corrected p. With "
        "--units segments, raters are averaged and not counted.",
        found.method,
    ]
    content, apart = about(analysis) | said, bool((found.pairs["conclusion"] != WORDS[0]).any())
    return Answer(lambda _: page, found.pairs, content, rounded(found.shown), apart)
