"""``make grade FILE=filled_in.ipynb``: grade a filled-in lab.

A submission is code by somebody else, and grading runs it, with all that the account which runs
this may do.  Run it in a container, or under an account of its own that can read nothing you would
not show, and that is not root.  It runs in an empty folder that is deleted afterwards, with an
environment that holds none of your variables; time and memory have limits, and what it leaves
running is ended with it.  On a Linux that allows it (``unshare``), it sees no process but its own;
elsewhere it may end those of its account, this one included.

A test runs in the same process as the answers.  It is carried out past IPython's hooks, with the
built-in functions of the beginning.  Code that wants to can still exchange a function that the test
calls, find in memory what a passed test is answered with, read files, raise its limits if it is
root's, or hide a process, where it sees others.  So where all tests pass although an answer is
missing, or still its stub, there are no points until a person has looked.

Answers are taken from the submission.  Tests, hidden ones included, and all other locked cells come
from the instructor version, whatever the submission has in their place.  Cells that a student has
added are run where they stand.  Free text is shown at the end, to be read by a person.

Each file is graded in a process of its own.  One that cannot be graded, or ends that process, is
named, with the reason, on standard error and in a row of the CSV, and the others are graded.  Links
are not followed.  The CSV is written anew, whole, after each file; points that a person has written
into it are kept.  The exit status is 0 if all files could be graded, however many points they got,
and 1 if not.
"""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path

import pandas as pd
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mtsig_nb.errors import InputError
from mtsig_nb.report.exports import no_formula
from mtsig_nb.writing import check_output, is_stream, write_whole

from .lab_files import labs
from .lab_marks import Limits, Mark, Submission, grade, graded_apart

COLUMNS = ["file", "lab", "exercise", "grade_id", "points", "possible", "by_hand", "feedback"]


def main(arguments: list[str] | None = None) -> int:
    """Grade the files that are named; the exit status is 1 if one of them cannot be graded."""
    parser = argparse.ArgumentParser(
        prog="make grade", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("submissions", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write the marks there, too")
    limits = {
        "timeout": "seconds for one cell",
        "total": "seconds for one file, repeated runs included",
        "memory": "MB for all that one file runs",
    }
    for name, what in limits.items():
        default = getattr(Limits, name)
        parser.add_argument(
            f"--{name}", type=int, default=default, metavar="N", help=f"{what} (default: {default})"
        )
    options = parser.parse_args(arguments)
    for name in limits:
        if getattr(options, name) < 1:
            parser.error(f"--{name} {getattr(options, name)}: must be 1 or more.")
    if options.csv:
        try:
            check_output(options.csv, options.submissions)
        except InputError as error:
            parser.error(f"--csv: {error}")
        if is_stream(options.csv):
            parser.error(f"--csv: {options.csv} is no file, which could be written anew each time.")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # what students write may be anything
    names = {_shown(path) for path in options.submissions}
    try:
        given = _by_hand(options.csv) if options.csv and options.csv.exists() else {}
    except InputError as error:
        parser.error(f"--csv: {error} It may have points in it: write to another file.")
    if lost := {file for file, _ in given} - names:
        parser.error(
            f"--csv: {options.csv} has points that were written by hand for {min(lost)}, which is "
            "not among the files. Grade all files of the table, or write to another one."
        )
    console = Console(highlight=False, soft_wrap=False)
    known = labs()
    rows: list[list[str]] = []
    failed = 0
    for path in options.submissions:
        graded = graded_apart(path, known, {name: getattr(options, name) for name in limits})
        if isinstance(graded, str):
            print(f"{_shown(path)}: {_printable(graded)}", file=sys.stderr)
            rows.append(_refusal(path, graded))
            failed += 1
        else:
            rows += [_row(path, graded[0], mark, given) for mark in graded[1]]
        if options.csv:
            write_whole(options.csv, _csv(rows))
        if not isinstance(graded, str):
            show(console, path, *graded)
    if given:
        print(f"Points written by hand are kept: {len(given)}. Read changed answers again.")
    return 1 if failed else 0


def show(console: Console, path: Path, handed_in: Submission, marks: list[Mark]) -> None:
    """Print the table, what was odd about the file, and the free text."""
    # Text objects, because what students write must not be read as markup.
    table = Table(
        title=Text(f"{_shown(path.name)}: {handed_in.lab.instructor.stem}"), title_justify="left"
    )
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
            if item.rubric:
                console.print(Text(f"Rubric:\n{item.rubric}", style="italic"))
    console.print()


def _printable(text: str) -> str:
    """Without the control characters that could rewrite a terminal."""
    return "".join(c for c in text if c.isprintable() or c == "\n")


def _shown(path: str | Path) -> str:
    """A file's name on one line: what cannot be printed, or is no character at all, is escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(path))


def read(path: Path, wanted: list[str]) -> pd.DataFrame:
    """A CSV as it was typed, with the columns that are wanted."""
    try:
        first, _, _ = path.read_text(encoding="utf-8-sig").partition("\n")
        separator = max(",;\t", key=first.count)  # spreadsheets in many countries write semicolons
        table = pd.read_csv(
            path, sep=separator, dtype=str, keep_default_na=False, encoding="utf-8-sig"
        )
    except (ValueError, pd.errors.ParserError) as error:
        raise InputError(f"{path}: is no CSV in UTF-8 ({error}).") from error
    if missing := [name for name in wanted if name not in table]:
        raise InputError(
            f"{path}: has no column {missing[0]!r}. Its columns: {', '.join(map(str, table))}."
        )
    return table.apply(lambda column: column.str.strip())


def _by_hand(table: Path) -> dict[tuple[str, str], str]:
    """Points in a table that a person has written, by file and answer."""
    rows = read(table, COLUMNS)
    rows = rows[(rows["by_hand"] == "yes") & (rows["points"] != "")]
    keys = zip(rows["file"], rows["grade_id"], strict=True)
    return dict(zip(keys, rows["points"], strict=True))


def _row(
    path: Path, handed_in: Submission, mark: Mark, given: dict[tuple[str, str], str]
) -> list[str]:
    by_hand, points = "no", mark.points if mark.points is None else f"{mark.points:g}"
    if points is None:
        by_hand, points = "yes", given.get((_shown(path), mark.grade_id), "")
    lab = handed_in.lab.instructor.stem
    possible = f"{mark.possible:g}"
    found = [lab, mark.exercise, mark.grade_id, points, possible, by_hand, mark.feedback]
    return [_shown(path), *map(_printable, found)]


def _refusal(path: Path, reason: str) -> list[str]:
    """The row of a file that a person has to look at, because it could not be graded."""
    return [_shown(path), "", "", "", "", "", "yes", _printable(f"not graded: {reason}")]


def _csv(rows: list[list[str]]) -> str:
    return (
        pd.DataFrame(rows, columns=COLUMNS).map(no_formula).to_csv(index=False, lineterminator="\n")
    )


__all__ = ["Mark", "grade", "main", "show"]

if __name__ == "__main__":
    sys.exit(main())
