"""``python -m tools.labs.gradebook marks.csv --roster class.csv``: marks for platforms' gradebooks.

``marks.csv`` is the table of `tools.labs.grade`, with the points in it that a person has given.
The roster is what the platform exports: a CSV of its students.  A file belongs to the student
whose id its name begins with.  The id must end there: a letter or digit may not follow it.  So
``s12_lab_03.ipynb`` is the file of ``s12``, and not of ``s1``.  Upper case and folders do not
matter, nor does what Colab ("Copy of") and Canvas put before a name.  ``--id`` names the roster's
column of these ids; the platform itself may use another one.

Moodle's archive of submissions has each student's full name, in the name of a folder or before the
name of the file.  Where the roster has full names, a file without an id belongs to the student of
that name.  A file whose id is another student's has no mark.

A mark is the sum of a lab's points.  It stays empty where there is no file, or more than one, where
a file could not be graded, where a row still waits for a person's points, and where a row has
points that cannot be meant.  All of these are listed, and so are files that belong to nobody, and
ids that the roster lacks or has twice.  All other students have their marks.  The exit status is 1
if a mark is open, and 0 if the only thing that is missing is a file.
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
#: Italian.
_COPY = re.compile(r"^(?:copy of|kopie von|copie de|copia de|cópia de|copia di) ", re.IGNORECASE)
#: What Canvas writes in place of a student's name in its row of points.
POSSIBLE = "Points Possible"
#: How many points each lab has, by the lab's name.
Possible = dict[str, float]


@dataclasses.dataclass(frozen=True)
class Gradebook:
    """The marks of a class.

    Attributes
    ----------
    marks : DataFrame
        A row for each student and a column for each lab; NaN where there is no mark.
    possible : dict
        How many points each lab has.
    open_marks : list of str
        What keeps students from a mark.
    absent : list of str
        Who has no file of which lab.
    """

    marks: pd.DataFrame
    possible: Possible
    open_marks: list[str]
    absent: list[str]


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
    for heading, missing in (("No mark yet", book.open_marks), ("No file", book.absent)):
        print(f"{heading}: {len(missing)}", *missing, sep="\n    ")
    return 1 if book.open_marks else 0


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
    known = Owners.of(folded, names)
    numbered = with_numbers(rows)
    possible = possible_points(numbered)
    totals, problems = _totals(numbered, known, unclear, possible)
    open_marks = [f"roster: {reason}" for reason in _unclear_ids(ids, unclear)] + problems
    marks = pd.DataFrame(math.nan, index=ids.index, columns=sorted(possible))
    for (student, lab), by_file in totals.items():
        if len(by_file) == 1:
            [mark] = by_file.values()
            marks.loc[student, lab] = mark
        else:
            listed = ", ".join(by_file)
            open_marks.append(f"{ids[student]}: {lab} is there more than once: {listed}")
    absent = [
        f"{ids[student]}: {lab}"
        for student, lab in itertools.product(ids.index[~unclear], marks.columns)
        if (student, lab) not in totals
    ]
    return Gradebook(marks, possible, open_marks, absent)


@dataclasses.dataclass(frozen=True)
class Owners:
    """The students of a roster, by what names of files say of them.

    Attributes
    ----------
    by_id, by_name : dict
        The student's place in the roster, by the id in lower case, and by the words of the full
        name, in any order, if no two students share them.
    """

    by_id: dict[str, int]
    by_name: dict[str, int]

    @classmethod
    def of(cls, ids: pd.Series[str], names: pd.Series[str]) -> Owners:
        """From the ids in lower case and the full names, each of which may be empty."""
        places = [int(place) for place in ids.index]
        words = [_words(name) for name in names]
        counts = Counter(words)
        by_id = zip(ids, places, strict=True)
        by_name = zip(words, places, strict=True)
        return cls(
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
                raise InputError("begins with no id of the roster")
            return owner
        full_name, students_own = in_moodle.groups()
        by_id = self._by_id(students_own)
        by_name = self.by_name.get(_words(full_name))
        if by_id is not None and by_name is not None and by_id != by_name:
            raise InputError(
                f"{students_own!r} begins with another student's id, and {full_name!r} handed it in"
            )
        owner = by_name if by_id is None else by_id
        if owner is None:
            raise InputError(
                f"{students_own!r} begins with no id of the roster, and {full_name!r} is "
                "no full name of just one of its students"
            )
        return owner

    def _by_id(self, name: str) -> int | None:
        """The student whose id the name begins with; the longest id counts."""
        folded = _COPY.sub("", name).casefold()
        ids = []
        for known_id in self.by_id:
            rest = folded.removeprefix(known_id)
            if folded.startswith(known_id) and not rest[:1].isalnum():
                ids.append(known_id)
        return self.by_id[max(ids, key=len)] if ids else None


def _words(name: str) -> str:
    """The words of a name in lower case and in one order, as platforms put either name first."""
    folded = unicodedata.normalize("NFC", name).casefold()
    return " ".join(sorted(re.findall(r"\w+", folded)))


#: By student and lab, the total of each file; NaN where it has none yet.
Totals = dict[tuple[int, str], dict[str, float]]


def _totals(
    rows: pd.DataFrame, owners: Owners, unclear: pd.Series[bool], possible: Possible
) -> tuple[Totals, list[str]]:
    """The totals of all files, and what is wrong with files.

    Of two students with the same id both are `unclear`.
    """
    totals: Totals = defaultdict(dict)
    problems = []
    for key, of_file in rows.groupby(["file", "lab"], sort=False):
        name, lab = map(str, key)
        try:
            owner = owners.owner_of(name)
        except InputError as error:
            owner = None
            problems.append(f"{name}: {error}")
        if not lab:
            problems += [f"{name}: {reason}" for reason in of_file["feedback"]]
            continue
        if owner is None:
            continue
        if unclear[owner]:
            problems.append(f"{name}: its id is in the roster twice")
            continue
        reasons = list(_reasons_for_no_mark(of_file, possible[lab]))
        problems += [f"{name}: {reason}" for reason in reasons]
        totals[owner, lab][name] = math.nan if reasons else of_file["points"].sum()
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
    if total != possible and not is_repeated.any():
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
