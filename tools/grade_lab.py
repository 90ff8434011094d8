"""``make grade FILE=filled_in.ipynb``: grade a filled-in lab.

A submission is code by somebody else, and grading runs it, with all that the account which runs
this may do.  Run it in a container, or under an account of its own that can read nothing you would
not show.  It runs in an empty folder that is deleted afterwards, with an environment that holds
none of your variables, and each cell has a time limit; that keeps accidents small and is no wall.

Answers are taken from the submission.  Tests, hidden ones included, and all other locked cells come
from the instructor version, whatever the submission has in their place.  Cells that a student has
added are run where they stand.  Free text is shown at the end, to be read by a person.

The exit status is 0 if the files could be graded, however many points they got, and 1 if not.
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import io
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mtsig_nb.writing import write_whole

from . import notebook_files as files
from .lab_files import labs
from .lab_runs import CELL_TIMEOUT_S, run
from .lab_submissions import Submission, submission

COLUMNS = ["file", "lab", "exercise", "grade_id", "points", "possible", "by_hand", "feedback"]


@dataclasses.dataclass(frozen=True)
class Mark:
    """What one graded cell got; `points` is None while a person has to decide."""

    exercise: str
    grade_id: str
    points: float | None
    possible: float
    feedback: str


def main(arguments: list[str] | None = None) -> int:
    """Grade the files that are named; the exit status is 1 if one of them cannot be graded."""
    parser = argparse.ArgumentParser(
        prog="make grade",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("submissions", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write the marks there, too")
    parser.add_argument(
        "--timeout",
        type=int,
        default=CELL_TIMEOUT_S,
        metavar="SECONDS",
        help="for one cell (default: %(default)s)",
    )
    options = parser.parse_args(arguments)
    console = Console(highlight=False, soft_wrap=False)
    rows: list[list[object]] = []
    failed = 0
    for path in options.submissions:
        try:
            handed_in = submission(path, labs())
        except files.NotebookError as error:
            print(error, file=sys.stderr)
            failed += 1
            continue
        marks = grade(handed_in, timeout=options.timeout)
        show(console, path, handed_in, marks)
        rows += [_row(path, handed_in, mark) for mark in marks]
    if options.csv:
        write_whole(options.csv, _csv(rows))
    return 1 if failed else 0


def grade(handed_in: Submission, *, timeout: int = CELL_TIMEOUT_S) -> list[Mark]:
    """The marks of one submission, in the order of the lab; this runs it."""
    outcomes = run(handed_in.notebook, handed_in.tests, timeout=timeout)
    marks = []
    for item in handed_in.exercises:
        if item.by_hand:
            points = None if item.answered else 0.0
            feedback = "for a person to read, below" if item.answered else "not answered"
        elif (outcome := outcomes[item.grade_id]).passed:
            points, feedback = item.possible, "all tests pass"
        else:
            points = 0.0
            feedback = outcome.feedback if item.answered else item.why_not or "not answered"
        marks.append(Mark(item.title, item.grade_id, points, item.possible, feedback))
    return marks


def show(console: Console, path: Path, handed_in: Submission, marks: list[Mark]) -> None:
    """Print the table, what was odd about the file, and the free text."""
    # Text objects, because what students write must not be read as markup.
    table = Table(title=Text(f"{path.name}: {handed_in.lab.instructor.stem}"), title_justify="left")
    for heading, justify in (("exercise", "left"), ("points", "right"), ("feedback", "left")):
        table.add_column(heading, justify=justify, overflow="fold")  # type: ignore[arg-type]
    for mark in marks:
        got = "?" if mark.points is None else f"{mark.points:g}"
        table.add_row(
            Text(mark.exercise), f"{got} of {mark.possible:g}", Text(_printable(mark.feedback))
        )
    console.print(table)
    for note in handed_in.notes:
        console.print(Text(_printable(note)))
    total = sum(mark.points for mark in marks if mark.points is not None)
    open_points = sum(mark.possible for mark in marks if mark.points is None)
    possible = sum(mark.possible for mark in marks)
    more = f", and up to {open_points:g} for what a person has to read" if open_points else ""
    console.print(f"{total:g} of {possible:g} points{more}")
    for item in handed_in.exercises:
        if item.by_hand and item.answered:
            console.print()
            console.print(Text(f"{item.title} (up to {item.possible:g} points)", style="bold"))
            console.print(Text(_printable(item.text)))
    console.print()


def _printable(text: str) -> str:
    """Without the control characters that could rewrite a terminal."""
    return "".join(c for c in text if c.isprintable() or c == "\n")


def _row(path: Path, handed_in: Submission, mark: Mark) -> list[object]:
    points = "" if mark.points is None else f"{mark.points:g}"
    by_hand = "yes" if mark.points is None else "no"
    feedback = _printable(mark.feedback)
    if feedback[:1] in ("=", "+", "-", "@"):  # a spreadsheet would compute it
        feedback = f"'{feedback}"
    lab = handed_in.lab.instructor.stem
    possible = f"{mark.possible:g}"
    return [str(path), lab, mark.exercise, mark.grade_id, points, possible, by_hand, feedback]


def _csv(rows: list[list[object]]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(rows)
    return stream.getvalue()


if __name__ == "__main__":
    sys.exit(main())
