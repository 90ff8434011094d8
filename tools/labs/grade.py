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
added, and copies of answers that were filled in, are run where they stand; a note says which of the
copies decided.  Free text is shown below each file's table, to be read by a person; with
``--by-question``, it is shown after all tables, so that a class's answers to one question stand
together.  If an answer in words has an empty cell or none, the texts that were added or changed in
other cells are shown, and a person decides.

Of a folder, all notebooks are graded, in its folders, too, as in Moodle's archive of submissions;
its other files are named.

Each file is graded in a process of its own.  One that cannot be graded, or ends that process, is
named, with the reason, on standard error and in a row of the CSV, and the others are graded.  Links
are not followed.  The CSV is written anew, whole, after each file.  If it is there already, rows of
files that are not graded now stay as they are.  A file that is in it again gets new rows, in which
the points that a person has written are kept.  So late files can be graded alone.  The exit status
is 0 if all files could be graded, however many points they got, and 1 if not.
"""

from __future__ import annotations

import argparse
import io
import itertools
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mtsig_nb.errors import InputError
from mtsig_nb.tables import escape_formula
from mtsig_nb.writing import check_output, is_stream, write_whole

from ..notebooks import files
from .lab_files import labs
from .marks import Mark
from .worker import Graded, Limits, grade

#: A row of the CSV, by its columns.
Row = dict[str, str]
#: The rows of each file, by the file's place.
RowsOfFiles = dict[str, list[Row]]

COLUMNS = ["file", "lab", "exercise", "grade_id", "points", "possible", "by_hand", "feedback"]
#: What running a submission may take.
LIMITS = {
    "timeout": "seconds for one cell",
    "total": "seconds for one file, repeated runs included",
    "memory": "MB for all that one file runs",
}


def main(arguments: list[str] | None = None) -> int:
    """Grade the files that are named; the exit status is 1 if one of them cannot be graded."""
    parser = _parser()
    options = parser.parse_args(arguments)
    submissions = list(_in_folders(options.submissions))
    if not submissions:
        parser.error("no .ipynb file is there.")
    try:
        table = _earlier_rows(options.csv, submissions) if options.csv else {}
    except InputError as error:
        parser.error(f"--csv: {error}")
    console = _console()
    known = labs()
    limits = Limits(**{name: getattr(options, name) for name in LIMITS})
    others = set(table) - {_place(path) for path in submissions}
    answers: list[tuple[Path, Mark]] = []
    n_by_hand = 0
    failed = 0
    for path in submissions:
        try:
            graded = grade(path, known, limits)
        except files.NotebookError as error:
            print(f"{_shown(path)}: {_printable(str(error))}", file=sys.stderr)
            rows = [_refused(path, error)]
            failed += 1
        else:
            rows = [_row(path, graded.lab, mark) for mark in graded.marks]
            answers += [(path, mark) for mark in graded.marks if mark.text]
            show(console, path, graded, with_answers=not options.by_question)
        place = _place(path)
        table[place] = _with_points_by_hand(rows, table.get(place, []))
        n_by_hand += sum(_is_given_by_hand(row) for row in table[place])
        if options.csv:
            _write(options.csv, table)
    if options.by_question:
        show_by_question(console, answers)
    if n_by_hand:
        print(f"Points written by hand are kept: {n_by_hand}. Read changed answers again.")
    if others:
        _say_what_stays(options.csv, table, others)
    return 1 if failed else 0


def _parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    parser = argparse.ArgumentParser(
        prog="make grade", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("submissions", nargs="+", type=Path, metavar="FILE", help="or a folder")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write the marks there, too")
    parser.add_argument(
        "--by-question",
        action="store_true",
        help="print the answers in words after all tables, question by question",
    )
    for name, what in LIMITS.items():
        parser.add_argument(
            f"--{name}",
            type=_positive,
            default=getattr(Limits, name),
            metavar="N",
            help=f"{what} (default: %(default)s)",
        )
    return parser


def _in_folders(paths: Sequence[Path]) -> Iterator[Path]:
    """The files themselves, and of each folder its notebooks, in order; links are not followed.

    Hidden files and those that macOS adds to archives are passed over, and others are named.
    """
    for path in paths:
        # Unlike `Path.is_dir`, these answer for a name that is too long, too.
        if os.path.islink(path) or not os.path.isdir(path):
            yield path
            continue
        for found in sorted(path.rglob("*")):
            parts = found.relative_to(path).parts
            is_added = any(part.startswith(".") or part == "__MACOSX" for part in parts)
            if is_added or (found.is_dir() and not found.is_symlink()):
                continue
            if found.suffix.lower() == ".ipynb":
                yield found
            else:
                print(f"{_shown(found)}: left out, because it is no .ipynb file", file=sys.stderr)


def _positive(text: str) -> int:
    """A number of 1 or more."""
    if int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text}: must be 1 or more.")
    return int(text)


def _earlier_rows(path: Path, submissions: list[Path]) -> RowsOfFiles:
    """The rows that the CSV has already.

    Raises
    ------
    InputError
        If the table cannot be written anew without losing something.
    """
    check_output(path, submissions)
    if is_stream(path):
        raise InputError(f"{path} is no file, which could be written anew each time.")
    if not path.exists():
        return {}
    rows = read(path, COLUMNS)
    # Spreadsheets add columns that have no name and nothing in them.
    kept = [name for name in map(str, rows) if name in COLUMNS or (rows[name] != "").any()]
    table: RowsOfFiles = {}
    for cells in rows[kept].itertuples(index=False):
        row = dict(zip(kept, cells, strict=True))
        table.setdefault(_place(row["file"]), []).append(row)
    return table


def _place(file: str | Path) -> str:
    """What tells files apart: the whole path, however the file was named."""
    name = _shown(file).strip()
    is_escaped = name == escape_formula(name[1:])
    return os.path.normcase(os.path.abspath(name[1:] if is_escaped else name))


def _is_given_by_hand(row: Row) -> bool:
    """Whether a person has written the points of this answer."""
    return row["lab"] != "" and row["by_hand"] == "yes" and row["points"] != ""


def _with_points_by_hand(graded: list[Row], earlier: list[Row]) -> list[Row]:
    """A file's new rows, with the points and the columns that a person has written.

    Points for an answer that the new rows lack stay in their own row: the file could not be graded
    now, or another lab is in it.
    """
    by_hand = {row["grade_id"]: row for row in earlier if _is_given_by_hand(row)}
    before = {row["grade_id"]: row for row in earlier} | by_hand
    rows = []
    for row in graded:
        answer = row["grade_id"]
        merged = before.get(answer, {}) | row
        if answer in by_hand and row["by_hand"] == "yes":
            merged["points"] = by_hand[answer]["points"]
        rows.append(merged)
    answers = {row["grade_id"] for row in graded}
    return rows + [row for answer, row in by_hand.items() if answer not in answers]


def _write(path: Path, table: RowsOfFiles) -> None:
    """Write the CSV anew; columns that a person has added stand at its end."""
    rows = list(itertools.chain.from_iterable(table.values()))
    added = [name for name in pd.DataFrame(rows) if name not in COLUMNS]
    written = pd.DataFrame(rows, columns=[*COLUMNS, *added]).fillna("").map(escape_formula)
    write_whole(path, written.to_csv(index=False, lineterminator="\n"))


def _say_what_stays(path: Path, table: RowsOfFiles, others: set[str]) -> None:
    """Say that there are rows of files that were not graded now, and which of these are gone."""
    print(f"Other files whose rows stay in {_shown(path)}: {len(others)}.")
    gone = [
        rows[0]["file"]
        for place, rows in table.items()
        if place in others and not os.path.lexists(place)
    ]
    if gone:
        listed = ", ".join(_printable(file) for file in gone)
        print(
            f"Of these, not found now: {listed}. If you have renamed a file, write its new name "
            "into the column 'file' of its old rows, and grade it again. Points written by hand "
            "are kept."
        )


def _console() -> Console:
    """Where to print what students write, which may be anything."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    return Console(highlight=False, soft_wrap=False)


def show(console: Console, path: Path, graded: Graded, *, with_answers: bool = True) -> None:
    """Print the table, what was odd about the file, and the free text, if it is wanted."""
    # Text objects, because what students write must not be read as markup.
    table = Table(title=Text(f"{_shown(path.name)}: {graded.lab}"), title_justify="left")
    table.add_column("exercise", overflow="fold")
    table.add_column("points", justify="right", overflow="fold")
    table.add_column("feedback", overflow="fold")
    for mark in graded.marks:
        points = "?" if mark.points is None else f"{mark.points:g}"
        feedback = Text(_printable(mark.feedback))
        table.add_row(Text(mark.exercise), f"{points} of {mark.possible:g}", feedback)
    console.print(table)
    for note in graded.notes:
        console.print(Text(_printable(note)))
    console.print(_sum(graded.marks))
    if with_answers:
        for mark in graded.marks:
            if mark.text:
                _show_heading(console, mark)
                console.print(Text(_printable(mark.text)))
            _show_rubric(console, mark)
    console.print()


def show_by_question(console: Console, answers: Sequence[tuple[Path, Mark]]) -> None:
    """Print each question's rubric, and below it the class's answers in words."""
    by_question: dict[str, list[tuple[Path, Mark]]] = {}
    for path, mark in answers:
        by_question.setdefault(mark.grade_id, []).append((path, mark))
    for to_read in by_question.values():
        _, first = to_read[0]
        _show_heading(console, first)
        _show_rubric(console, first)
        for path, mark in to_read:
            # A path that is broken over two lines could not be copied.
            console.print(Text(f"\n{_shown(path)}", style="bold"), soft_wrap=True)
            console.print(Text(_printable(mark.text)))
        console.print()


def _show_heading(console: Console, mark: Mark) -> None:
    heading = f"\n{mark.exercise} (up to {mark.possible:g} points)"
    console.print(Text(heading, style="bold"))


def _show_rubric(console: Console, mark: Mark) -> None:
    if mark.rubric:
        console.print(Text(f"Rubric:\n{mark.rubric}", style="italic"))


def _sum(marks: Sequence[Mark]) -> str:
    """The points of a lab, and how many a person may still give."""
    total = sum(mark.points for mark in marks if mark.points is not None)
    possible = sum(mark.possible for mark in marks)
    text = f"{total:g} of {possible:g} points"
    to_read = sum(mark.possible for mark in marks if mark.points is None)
    if to_read:
        text += f", and up to {to_read:g} for what a person has to read"
    return text


def _printable(text: str) -> str:
    """Without the control characters that could rewrite a terminal."""
    return "".join(c for c in text if c.isprintable() or c == "\n")


def _shown(path: str | Path) -> str:
    """A file's name on one line: what cannot be printed, or is no character at all, is escaped."""
    characters = [
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in str(path)
    ]
    return "".join(characters)


def read(path: Path, wanted: list[str]) -> pd.DataFrame:
    """A CSV as it was typed, with the columns that are wanted."""
    try:
        first, _, _ = path.read_text(encoding="utf-8-sig").partition("\n")
        separator = max(",;\t", key=first.count)  # spreadsheets in many countries write semicolons
        table = pd.read_csv(
            path,
            sep=separator,
            dtype=str,
            keep_default_na=False,
            encoding="utf-8-sig",
            index_col=False,  # where all rows end in a separator
        )
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}: is not UTF-8 at byte {error.start}. Save it as CSV in UTF-8."
        ) from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}.") from error
    except ValueError as error:  # pandas' errors of parsing
        reason = files.first_line(str(error)).removeprefix("Error tokenizing data. C error: ")
        raise InputError(f"{path}: is no table ({reason.strip()}).") from error
    if missing := [name for name in wanted if name not in table]:
        raise InputError(
            f"{path}: has no column {missing[0]!r}. Its columns: {', '.join(map(str, table))}."
        )
    return table.apply(lambda column: column.str.strip())


def _refused(path: Path, error: files.NotebookError) -> Row:
    """The row of a file that could not be graded: a person has to look at it."""
    row = dict.fromkeys(COLUMNS, "")
    row["file"] = _shown(path)
    row["by_hand"] = "yes"
    row["feedback"] = _printable(f"not graded: {error}")
    return row


def _row(path: Path, lab: str, mark: Mark) -> Row:
    """The row of an answer; its points are empty while a person has to decide."""
    cells = {
        "lab": lab,
        "exercise": mark.exercise,
        "grade_id": mark.grade_id,
        "points": "" if mark.points is None else f"{mark.points:g}",
        "possible": f"{mark.possible:g}",
        "by_hand": "yes" if mark.points is None else "no",
        "feedback": mark.feedback,
    }
    printable = {name: _printable(cell) for name, cell in cells.items()}
    return {"file": _shown(path), **printable}


if __name__ == "__main__":
    sys.exit(main())
