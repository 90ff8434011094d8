"""What `compare` says of battles of two systems each, and of rankings."""

from __future__ import annotations

from typing import Literal

import pandas as pd
from scipy import special

from .. import __version__
from ..conclusions.deciding import Conclusions
from ..errors import InputError, check_all_of, listed
from ..human.pair_tests import PairTests
from ..human.preferences import BradleyTerry, PairwisePreferences
from ..notes import Note, note
from ..report.analysis import OF_SCORES, Analysis
from ..report.caveats import caveats_of_people
from ..report.raters import concluded, for_print, with_ranks
from ..report.verdicts import winner
from ..scores.battles import Battles, read_battles
from ..scores.score_file import ScoreFile
from .contents import about
from .printing import Answer, Block, as_note, rounded
from .runs_and_raters import check_unused

#: Settings that say nothing of battles.
_UNUSED = (*OF_SCORES, "metrics", "test", "n_resamples", "units", "interval")
#: More systems than this are not all named in advice.
_MOST_NAMED = 20

_Units = Literal["raters", "tasks"]


def battles(found: ScoreFile, analysis: Analysis) -> Answer:
    """Strengths of all systems, their intervals, and tests of all pairs.

    Where strengths are not determined, since some system never lost or never won, every pair is
    tested by its own battles.
    """
    check_unused(analysis, _UNUSED, "battles have no scores and no resamples")
    read = read_battles(found.frame, found.where)
    label = "rankings" if read.n_rankings else "battles"
    fought = PairwisePreferences(_chosen(read.frame, analysis), label)
    units = _units(read, fought)
    groups = fought.determined_groups(ties="half")
    if len(groups) == 1:
        fit = fought.bradley_terry(ties="half", units=units)
        tests = fit.tests(alternative=analysis.alternative)
    else:
        fit = None
        tests = fought.sign_test(alternative=analysis.alternative, units=units)
    conclusions, pairs = concluded(tests, analysis)
    pairs = pairs.drop(columns=["score_a", "score_b"])
    if fit is not None:
        pairs.insert(2, "win_chance", special.expit(pairs["difference"]))
    systems = _systems(fought, fit, tests, conclusions, analysis)
    notes = caveats_of_people(tests, [*read.notes, *_note_on_groups(groups)])
    method = _method(fit, tests, analysis)

    shows_pairs = analysis.alternative != "two-sided" or len(systems) > 2
    page: list[Block] = [
        winner(conclusions, pairs),
        "\n".join(map(as_note, notes)),
        _sentence(found, read, fought, units),
        for_print(systems),
        *([pairs] if shows_pairs else []),
        method,
    ]
    content = about(analysis) | {
        "headline": page[0],
        "methods_sentence": method,
        "notes": notes,
        "systems": systems,
        "pairs": pairs,
        "unused_columns": list(read.unused),
    }
    return Answer(
        lambda _: [block for block in page if not isinstance(block, str) or block],
        pairs,
        content,
        rounded(systems),
        bool(conclusions.matrix.any()),
        notes=notes,
    )


def _chosen(frame: pd.DataFrame, analysis: Analysis) -> pd.DataFrame:
    """The comparisons among the systems that are named; all of them where none is."""
    names = list(dict.fromkeys(map(str, analysis.systems)))
    known = sorted({*frame["system_a"], *frame["system_b"]})
    check_all_of("system", names, known)
    if not names:
        return frame
    if len(names) == 1:
        raise InputError(f"system: there is one, {names[0]!r}; a comparison needs two.")
    among = frame[["system_a", "system_b"]].isin(names).all(axis=1)
    chosen = frame[among].reset_index(drop=True)
    met = {*chosen["system_a"], *chosen["system_b"]}
    if alone := [repr(name) for name in names if name not in met]:
        raise InputError(
            f"system: {listed(alone)} met none of the others that are named. Leave "
            f"{'it' if len(alone) == 1 else 'them'} out, or name more systems."
        )
    return chosen


def _units(read: Battles, fought: PairwisePreferences) -> _Units | None:
    """What hangs together: the comparisons of a rater, or else those of a ranking."""
    if "rater" in fought.frame and fought.frame["rater"].nunique() > 1:
        return "raters"
    return "tasks" if read.most_ranked > 2 else None


def _systems(
    fought: PairwisePreferences,
    fit: BradleyTerry | None,
    tests: PairTests,
    conclusions: Conclusions,
    analysis: Analysis,
) -> pd.DataFrame:
    """A row for each system, best first."""
    wins, ties = fought.wins, fought.ties
    counts = {"wins": wins.sum(axis=1), "losses": wins.sum(), "ties": ties.sum(axis=1)}
    table = pd.DataFrame(counts).loc[list(tests.systems)]
    if fit is None:
        return with_ranks(table.assign(expected_wins=tests.scores), conclusions)
    fitted = fit.to_frame().set_index("system")
    strength = fitted["strength"]
    half = special.ndtri((1 + analysis.confidence_level) / 2) * fitted["standard_error"]
    table = table.assign(strength=strength, ci_low=strength - half, ci_high=strength + half)
    return with_ranks(table, conclusions)


def _note_on_groups(groups: list[tuple[str, ...]]) -> list[Note]:
    """Why there are no strengths, and which systems have some."""
    if len(groups) == 1:
        return []
    largest = groups[0]
    if len(largest) == 1 or len(largest) > _MOST_NAMED:
        return [note("no-strengths", advice="")]
    advice = f"; name {' '.join(largest)} alone to get their strengths"
    return [note("no-strengths", advice=advice)]


def _sentence(
    found: ScoreFile, read: Battles, fought: PairwisePreferences, units: _Units | None
) -> str:
    """What was counted, and what of the file was not used."""
    frame = fought.frame
    n_tied = int((frame["outcome"] == 0).sum())
    n_systems = len(fought.systems)
    counted = f"of {n_systems} systems, {n_tied:,} tied"
    parts = [f"{len(frame):,} battle{'s' if len(frame) > 1 else ''} {counted}"]
    if read.n_rankings:
        n_rankings = frame["task"].nunique()
        implied = f"which imply {len(frame):,} comparisons {counted}"
        parts = [f"{n_rankings:,} rankings (1 is the best), {implied}"]
    if units == "raters":
        parts.append(f"{frame['rater'].nunique():,} raters, each of whom is a unit")
    elif units == "tasks":
        parts.append("each ranking is a unit")
    if read.unused:
        parts.append(f"not used: {listed(read.unused, 12)}")
    return f"{found.path.name}: {'; '.join(parts)}."


def _method(fit: BradleyTerry | None, tests: PairTests, analysis: Analysis) -> str:
    """What was done, for a paper."""
    n = len(tests.table)
    tested = (
        f"{n} difference{'s' if n > 1 else ''} ({analysis.alternative}, level {analysis.alpha:g}, "
        f"{analysis.correction or 'no'} correction)"
    )
    computed = f"Computed by mtsig_nb {__version__}, without resamples."
    if fit is None:
        return (
            f"We tested {tested} by sign tests, each of the battles of its pair ({tests.title}). "
            "Expected wins are the chance of winning a decided battle, on average over opponents. "
            f"{computed}"
        )
    return (
        f"We fitted strengths to all {fit.label} ({fit.title}; log odds to win, zero on average), "
        f"and tested {tested}. Intervals are of each strength, "
        f"{100 * analysis.confidence_level:g} %, "
        f"not corrected. {computed}"
    )
