"""Checks that raters were given: how many each of them failed, and what leaving them out changes.

Nobody is left out.  How many checks a rater failed stands beside each of the ratings, and a note
says what would change without that rater.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from ..notes import Note, note
from .labels import RATER
from .score_file import ScoreFile

#: The column of ratings with the number of checks that their rater failed.
FAILED = "failed_checks"
#: The most raters who have a note of their own.
_MOST_NOTES = 3


def counted_checks(results: Iterable[tuple[str, bool]]) -> pd.DataFrame:
    """How many checks each rater was given, and how many of them the rater failed.

    `results` has the rater of each check, and whether it was passed.

    >>> counted_checks([("ann", True), ("bob", False), ("bob", True)]).to_dict("index")
    {'ann': {'checks': 1, 'failed': 0}, 'bob': {'checks': 2, 'failed': 1}}
    """
    table = pd.DataFrame(list(results), columns=["rater", "passed"])
    passed = table["passed"].astype(bool)
    results_of_rater = (~passed).groupby(table["rater"], sort=False)
    return pd.DataFrame({"checks": results_of_rater.size(), "failed": results_of_rater.sum()})


def checks_of(files: Sequence[ScoreFile]) -> pd.DataFrame:
    """The checks of all files, by rater."""
    tables = [file.checks for file in files if file.checks is not None]
    if not tables:
        return counted_checks(())
    return pd.concat(tables).groupby(level=0, sort=False).sum()


def with_failed_checks(frame: pd.DataFrame, files: Sequence[ScoreFile]) -> pd.DataFrame:
    """Ratings with how many checks their rater failed, if any rater was given one."""
    checks = checks_of(files)
    if checks.empty or RATER not in frame:
        return frame
    failed = frame[RATER].map(checks["failed"]).fillna(0)
    return frame.assign(**{FAILED: failed.astype(int)})


def notes_on_checks(frame: pd.DataFrame, files: Sequence[ScoreFile], metric: str) -> list[Note]:
    """What would change without each rater who failed a check.

    Parameters
    ----------
    frame : DataFrame
        A row for each rating.
    files : sequence of ScoreFile
    metric : str
        The column whose means are compared: plain means over all ratings of a system.
    """
    checks = checks_of(files)
    if RATER not in frame:
        return []
    failing = checks[(checks["failed"] > 0) & checks.index.isin(frame[RATER])]
    failing = failing.sort_values("failed", ascending=False, kind="stable")
    notes = []
    for rater in failing.index[:_MOST_NOTES]:
        n_failed = int(failing.loc[rater, "failed"])
        n_checks = int(failing.loc[rater, "checks"])
        notes.append(_note_on_rater(frame, str(rater), n_failed, n_checks, metric))
    others = failing.index[_MOST_NOTES:]
    if len(others):
        n_ratings = int(frame[RATER].isin(others).sum())
        notes.append(note("failed-checks-others", n=len(others), n_ratings=n_ratings))
    return notes


def _note_on_rater(
    frame: pd.DataFrame, rater: str, n_failed: int, n_checks: int, metric: str
) -> Note:
    """What would change without one rater."""
    is_theirs = frame[RATER] == rater
    values = {
        "rater": rater,
        "failed": n_failed,
        "checks": n_checks,
        "n": int(is_theirs.sum()),
        "total": len(frame),
    }
    means = frame.groupby("system", sort=False)[metric].mean()
    means_without = frame[~is_theirs].groupby("system", sort=False)[metric].mean()
    lacking = [system for system in means.index if system not in means_without.index]
    if lacking:
        return note("failed-checks-only-rater", **values, system=lacking[0])
    changes = means_without[means.index] - means
    system = str(changes.abs().idxmax())
    change = f"{changes[system]:+.3g}"
    order = means.sort_values(kind="stable").index
    order_without = means_without[order].sort_values(kind="stable").index
    code = "failed-checks" if order.equals(order_without) else "failed-checks-order"
    return note(code, **values, system=system, metric=metric, change=change)
