"""``python -m tools.labs.gradebook marks.csv --roster class.csv``: marks for platforms' gradebooks.

``marks.csv`` is the table of `tools.labs.grade`, with the points in it that a person has given.
The roster is what the platform exports: a CSV of its students.  A file belongs to the student
whose id its name begins with.  The id must end there: a letter or digit may not follow it.  So
``s12_lab_03.ipynb`` is the file of ``s12``, and not of ``s1``.  Upper case and folders do not
matter, nor does what Colab ("Copy of", "Copy_of", any number of times) and Canvas put before a
name.  ``--id`` names the roster's column of these ids; the platform itself may use another one.

Moodle's archive of submissions has each student's full name, in the name of a folder or before the
name of the file.  Where the roster has full names, a file without an id belongs to the student of
that name.  A file whose id is another student's has no mark.

A mark is the sum of a lab's points.  It stays empty where there is no file, or more than one, where
a file could not be graded, where a row still waits for a person's points, and where a row has
points that cannot be meant.  All of these are listed, and so are files that belong to nobody, and
ids that the roster lacks or has twice.  All other students have their marks.  If a file belongs to
nobody, write the student's id before its name, in the column ``file`` of ``marks.csv``.  The exit
status is 1 if a mark is open, and 0 if the only thing that is missing is a file.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import math
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pandas as pd

from mtsig_nb.errors import InputError
from mtsig_nb.tables import escape_formula
from mtsig_nb.writing import check_output, write_whole

from .grade import COLUMNS, read

#: Canvas finds a student by one of these columns.
CANVAS_IDS = ["ID", "SIS User ID", "SIS Login ID"]
#: The columns that Canvas wants beside the marks, in this order.
CANVAS = ["Student", *CANVAS_IDS, "Section"]
#: Moodle asks the lecturer which column is which; one of these has to be there.
MOODLE = ["Email address", "ID number", "Username"]
#: The columns of Moodle's exports that make up a full name.
FULL_NAMES = [["Full name"], ["First name", "Last name"], ["First name", "Surname"]]
#: A file in Moodle's archive: in a folder for each student, or all in one folder.
_IN_MOODLE = re.compile(r"(?:^|/)([^/]+)_\d+_assignsubmission_file(?:_?/|_)([^/]+)$")
#: A file in Canvas' archive: the student's name, two numbers of Canvas' own, the file's name.
_IN_CANVAS = re.compile(r"[^_]+_(?:late_)?\d+_\d+_(.+)$", re.IGNORECASE)
#: What Colab puts before the name of a copy, in English, German, French, Spanish, Portuguese and
#: Italian.  A copy of a copy has it twice, and browsers and platforms exchange its blanks.
_COPY = re.compile(
    r"""
    [\W_]*
    (?:
        (?: copy[\W_]+of | kopie[\W_]+von | copie[\W_]+de | c[oó]pia[\W_]+d[ei] )
        [\W_]+
    )+
    """,
    re.IGNORECASE | re.VERBOSE,
)
#: What Canvas writes in place of a student's name in its row of points.
POSSIBLE = "Points Possible"
#: How many points each lab has, by the lab's name.
Possible = dict[str, float]
#: Why files have no mark, by their names.
Reasons = dict[str, list[str]]


@dataclasses.dataclass(frozen=True)
class Gradebook:
    """The marks of a class.

    Attributes
    ----------
    marks : DataFrame
        A row for each student and a column for each lab; NaN where there is no mark.
    possible : dict
        How many points each lab has.
    roster_problems : list of str
        What is wrong with ids of the roster.
    open_marks : dict
        By the file's name, what keeps its student from a mark.
    absent : dict
        By the student's id, the labs of which there is no file.
    """

    marks: pd.DataFrame
    possible: Possible
    roster_problems: list[str]
    open_marks: Reasons
    absent: dict[str, list[str]]


def main(arguments: list[str] | None = None) -> int:
    """Write the files that are asked for, and list what has no mark."""
    parser = _parser()
    options = parser.parse_args(arguments)
    outputs = [*PLATFORMS, "questions"]
    if not any(getattr(options, name) for name in outputs):
        listed = " or ".join(f"--{name} FILE" for name in outputs)
        parser.error(f"say what to write: {listed}.")
    try:
        roster = _read_roster(options.roster, options.id)
        rows = read(options.marks, COLUMNS)
        book = gradebook(rows, roster[options.id], full_names(roster))
        _write(options, rows, roster, book)
    except (InputError, OSError) as error:
        parser.error(str(error))
    if book.roster_problems:
        _list("Problems of the roster", book.roster_problems)
    open_marks = [f"{file}: {'; '.join(reasons)}" for file, reasons in book.open_marks.items()]
    _list("Files without a mark", open_marks)
    absent = [f"{student}: {', '.join(labs)}" for student, labs in book.absent.items()]
    _list("Students without a file", absent)
    return 1 if book.roster_problems or book.open_marks else 0


def _list(heading: str, lines: list[str]) -> None:
    """Print how many there are, and each in a line of its own."""
    print(f"{heading}: {len(lines)}", *lines, sep="\n    ")


def _parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.labs.gradebook",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("marks", type=Path, metavar="MARKS", help="of tools.labs.grade --csv")
    parser.add_argument("--roster", type=Path, required=True, metavar="FILE")
    parser.add_argument("--id", default="ID number", metavar="COLUMN", help="default: %(default)s")
    for platform in PLATFORMS:
        parser.add_argument(f"--{platform}", type=Path, metavar="FILE", help="to write")
    parser.add_argument(
        "--questions",
        type=Path,
        metavar="FILE",
        help="to write: a row a file, a column an exercise",
    )
    return parser


def _read_roster(path: Path, id_column: str) -> pd.DataFrame:
    """A row for each student that the platform has exported."""
    roster = read(path, [id_column])
    # Canvas' own export has a row of points among its students.
    is_student = ~roster.iloc[:, 0].str.contains(POSSIBLE)
    return roster[is_student].reset_index(drop=True)


def _write(
    options: argparse.Namespace, rows: pd.DataFrame, roster: pd.DataFrame, book: Gradebook
) -> None:
    """Write the files that the options ask for."""
    tables = {}
    for name, as_platform_wants in PLATFORMS.items():
        path = getattr(options, name)
        if path:
            tables[path] = as_platform_wants(roster, book.marks, book.possible)
    if options.questions:
        tables[options.questions] = by_question(rows)
    for path, table in tables.items():
        check_output(path, [options.marks, options.roster])
        write_whole(path, table.to_csv(index=False, lineterminator="\n"))


def full_names(roster: pd.DataFrame) -> pd.Series[str]:
    """Each student's full name as Moodle's exports have it; empty if the roster has none."""
    for columns in FULL_NAMES:
        if set(columns) <= set(roster):
            return roster[columns].agg(" ".join, axis=1)
    return pd.Series("", index=roster.index)


def gradebook(rows: pd.DataFrame, ids: pd.Series[str], names: pd.Series[str]) -> Gradebook:
    """The marks of the students with these ids, from a table of `tools.labs.grade`.

    Their full `names`, which may be empty, find the owners of files in Moodle's archive.
    """
    folded = ids.str.casefold()
    unclear = folded.duplicated(keep=False) | (ids == "")
    numbered = with_numbers(rows)
    possible = possible_points(numbered)
    totals, open_marks = _totals(numbered, Owners.of(ids, names), unclear, possible)
    marks = pd.DataFrame(math.nan, index=ids.index, columns=sorted(possible))
    for (student, lab), by_file in totals.items():
        if len(by_file) == 1:
            [mark] = by_file.values()
            marks.loc[student, lab] = mark
            continue
        for file in by_file:
            others = ", ".join(other for other in by_file if other != file)
            open_marks[file].append(f"{ids[student]} has {lab} more than once, also in {others}")
    absent = defaultdict(list)
    for student, lab in itertools.product(ids.index[~unclear], marks.columns):
        if (student, lab) not in totals:
            absent[ids[student]].append(lab)
    roster_problems = list(_unclear_ids(ids, unclear))
    return Gradebook(marks, possible, roster_problems, dict(open_marks), dict(absent))


@dataclasses.dataclass(frozen=True)
class Owners:
    """The students of a roster, by what names of files say of them.

    Attributes
    ----------
    by_id, by_name : dict
        The student's place in the roster, by the id in lower case, and by the words of the full
        name, in any order, if no two students share them.
    ids : Series of str
        The ids as the roster has them.
    """

    ids: pd.Series[str]
    by_id: dict[str, int]
    by_name: dict[str, int]

    @classmethod
    def of(cls, ids: pd.Series[str], names: pd.Series[str]) -> Owners:
        """From the ids and the full names, each of which may be empty."""
        places = [int(place) for place in ids.index]
        words = [_words(name) for name in names]
        counts = Counter(words)
        by_id = zip(ids.str.casefold(), places, strict=True)
        by_name = zip(words, places, strict=True)
        return cls(
            ids,
            {known: place for known, place in by_id if known},
            {known: place for known, place in by_name if known and counts[known] == 1},
        )

    def owner_of(self, file: str) -> int:
        """The student whose file it is.

        Raises
        ------
        InputError
            If nothing in the file's name says so, or if two things in it disagree.
        """
        # In a table for spreadsheets, an apostrophe may stand before it; see `escape_formula`.
        path = unicodedata.normalize("NFC", file.lstrip("'").replace("\\", "/"))
        in_moodle = _IN_MOODLE.search(path)
        if in_moodle is None:
            name = path.rpartition("/")[2]
            in_canvas = _IN_CANVAS.match(name)
            owner = self._by_id(name)
            if owner is None and in_canvas is not None:
                owner = self._by_id(in_canvas[1])
            if owner is None:
                raise InputError(f"begins with no id of the roster{self._perhaps(path)}")
            return owner
        full_name, students_own = in_moodle.groups()
        by_id = self._by_id(students_own)
        if by_id is None:  # a person may have written it before the whole name
            by_id = self._by_id(full_name)
        by_name = self.by_name.get(_words(full_name))
        if by_id is not None and by_name is not None and by_id != by_name:
            raise InputError(
                f"{students_own!r} begins with another student's id, and {full_name!r} handed it in"
            )
        owner = by_name if by_id is None else by_id
        if owner is None:
            raise InputError(
                f"{students_own!r} begins with no id of the roster, and {full_name!r} is "
                f"no full name of just one of its students{self._perhaps(path)}"
            )
        return owner

    def _by_id(self, name: str) -> int | None:
        """The student whose id the name begins with; the longest id counts."""
        decoded = unicodedata.normalize("NFC", unquote(name))  # %20 from an address
        copy = _COPY.match(decoded)
        original = decoded if copy is None else decoded[copy.end() :]
        folded = original.casefold()
        ids = []
        for known_id in self.by_id:
            rest = folded.removeprefix(known_id)
            if folded.startswith(known_id) and not rest[:1].isalnum():
                ids.append(known_id)
        return self.by_id[max(ids, key=len)] if ids else None

    def _perhaps(self, path: str) -> str:
        """What to do about a file that is nobody's, with the ids that are elsewhere in its name."""
        in_folder = "/".join(path.split("/")[-2:])
        folded = unquote(in_folder).casefold()
        ids = []
        for known_id, place in self.by_id.items():
            if re.search(rf"(?<![^\W_]){re.escape(known_id)}(?![^\W_])", folded):
                ids.append(self.ids[place])
        question = f" Is it the file of {' or '.join(ids)}?" if ids else ""
        todo = "Write the student's id before its name, in the column 'file' of the marks"
        return f".{question} {todo}"


def _words(name: str) -> str:
    """The words of a name in lower case and in one order, as platforms put either name first."""
    folded = unicodedata.normalize("NFC", name).casefold()
    return " ".join(sorted(re.findall(r"\w+", folded)))


#: By student and lab, the total of each file; NaN where it has none yet.
Totals = dict[tuple[int, str], dict[str, float]]


def _totals(
    rows: pd.DataFrame, owners: Owners, unclear: pd.Series[bool], possible: Possible
) -> tuple[Totals, Reasons]:
    """The totals of all files, and what is wrong with files.

    Of two students with the same id both are `unclear`.
    """
    totals: Totals = defaultdict(dict)
    problems: Reasons = defaultdict(list)
    refused = set(rows.loc[rows["lab"] == "", "file"])
    for key, of_file in rows.groupby(["file", "lab"], sort=False):
        name, lab = map(str, key)
        try:
            owner = owners.owner_of(name)
        except InputError as error:
            owner = None
            if str(error) not in problems[name]:
                problems[name].append(str(error))
        if not lab:
            problems[name] += list(of_file["feedback"])
            continue
        if owner is None:
            continue
        if unclear[owner]:
            problems[name].append("its id is in the roster twice")
            continue
        reasons = list(_reasons_for_no_mark(of_file, possible[lab]))
        if reasons:
            problems[name].extend(reasons)
        has_mark = not reasons and name not in refused
        totals[owner, lab][name] = of_file["points"].sum() if has_mark else math.nan
    return totals, problems


def _unclear_ids(ids: pd.Series[str], unclear: pd.Series[bool]) -> Iterator[str]:
    """What is wrong with ids of the roster, each once."""
    is_missing = ids == ""
    n_missing = int(is_missing.sum())
    if n_missing:
        yield f"students without an id: {n_missing}"
    repeated = ids[unclear & ~is_missing]
    for _, alike in repeated.groupby(repeated.str.casefold(), sort=False):
        yield f"the same id twice: {', '.join(alike)}"


def possible_points(rows: pd.DataFrame) -> Possible:
    """How many points each lab has, by most of its files where they do not agree."""
    graded = rows[rows["lab"] != ""]
    totals = graded.groupby(["lab", "file"], sort=False)["possible"].sum()
    possible = {}
    for lab, of_files in totals.groupby("lab", sort=False):
        most_frequent = of_files.mode().iloc[0]
        possible[str(lab)] = float(most_frequent)
    return possible


def _reasons_for_no_mark(of_file: pd.DataFrame, possible: float) -> Iterator[str]:
    """Why a file has no mark yet."""
    is_repeated = of_file["grade_id"].duplicated()
    for exercise in of_file["exercise"][is_repeated]:
        yield f"{exercise} is there twice"
    total = of_file["possible"].sum()
    can_be_added = of_file["possible"].notna().all() and not is_repeated.any()
    if can_be_added and total != possible:
        lab = of_file["lab"].iloc[0]
        yield f"{lab} has {total:g} points, and {possible:g} in other files; grade it again"
    rows = zip(of_file["exercise"], of_file["points"], of_file["problem"], strict=True)
    for exercise, points, problem in rows:
        if problem:
            yield f"{exercise}: {problem}"
        elif math.isnan(points):
            yield f"to be marked by hand: {exercise}"


def with_numbers(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows with ``points`` and ``possible`` as numbers, and with a column ``problem``.

    It says why they cannot be meant, and is empty where they can.  Points that a person still has
    to give are NaN.
    """
    numbered = rows.copy()
    numbered["problem"] = ""
    is_graded = rows["lab"] != ""
    for column in ("points", "possible"):
        texts = rows[column]
        # Some spreadsheets write a decimal comma.
        numbered[column] = pd.to_numeric(texts.str.replace(",", "."), errors="coerce")
        is_unread = is_graded & numbered[column].isna()
        if column == "points":
            is_unread &= texts != ""  # a person still has to give these
        problems = [f"{column}={text!r} is no number" for text in texts[is_unread]]
        numbered.loc[is_unread, "problem"] = problems
    is_impossible = (numbered["points"] < 0) | (numbered["points"] > numbered["possible"])
    numbered.loc[is_impossible, "problem"] = [
        f"points={row.points} of {row.possible}" for row in rows[is_impossible].itertuples()
    ]
    return numbered


def by_question(rows: pd.DataFrame) -> pd.DataFrame:
    """The points in a row for each file and a column for each exercise.

    A column's name says how many points are possible.  Where a file has an exercise twice, its
    points stay empty.
    """
    graded = rows[rows["lab"] != ""]
    asked = graded["grade_id"] + " of " + graded["possible"]
    graded = graded.assign(asked=asked)
    is_repeated = graded.duplicated(["file", "asked"], keep=False)
    graded = graded.assign(points=graded["points"].mask(is_repeated, ""))
    once = graded.drop_duplicates(["file", "asked"])
    points = once.pivot(index="file", columns="asked", values="points")
    in_order = points[asked.unique()]
    return in_order.fillna("").reset_index()


def moodle(roster: pd.DataFrame, marks: pd.DataFrame, possible: Possible) -> pd.DataFrame:
    """What identifies a student, and a column for each lab; Moodle wants no points possible."""
    identifying = [name for name in MOODLE if name in roster]
    if not identifying:
        raise InputError(f"roster: Moodle needs one of the columns {', '.join(MOODLE)}.")
    return pd.concat([roster[identifying], written(marks)], axis=1)


def canvas(roster: pd.DataFrame, marks: pd.DataFrame, possible: Possible) -> pd.DataFrame:
    """The columns of Canvas' own export, a row of points possible, and the students."""
    if not set(CANVAS_IDS) & set(roster):
        raise InputError(f"roster: Canvas needs one of the columns {', '.join(CANVAS_IDS)}.")
    students = roster.reindex(columns=CANVAS, fill_value="")
    students["Student"] = students["Student"].map(escape_formula)
    first_row = pd.DataFrame([{"Student": POSSIBLE, **possible}])
    with_marks = pd.concat([students, marks], axis=1)
    table = pd.concat([first_row, with_marks])
    return written(table[[*CANVAS, *marks]])


def written(marks: pd.DataFrame) -> pd.DataFrame:
    """Marks as text; an open one is an empty cell."""
    text = marks.map(lambda mark: f"{mark:g}" if isinstance(mark, float) else mark)
    return text.replace("nan", "")


PLATFORMS = {"moodle": moodle, "canvas": canvas}


if __name__ == "__main__":
    sys.exit(main())
