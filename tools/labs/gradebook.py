"""``python -m tools.labs.gradebook marks.csv --roster class.csv``: marks for platforms' gradebooks.

``marks.csv`` is the table of `tools.labs.grade`, with the points in it that a person has given.
The roster is what the platform exports: a CSV of its students.  A file belongs to the student
whose id its name begins with; after the id comes the end of the name, or what is no letter and no
digit.  So ``s12_lab_03.ipynb`` is the file of ``s12``, and not of ``s1``.  Upper case and folders
do not matter.  ``--id`` names the roster's column of ids; it need not be what the platform goes by.

A mark is the sum of a lab's points.  It stays empty where there is no file, or more than one, where
a file could not be graded, where a row still waits for a person's points, and where a row has
points that cannot be meant.  All of these are listed, and so are files that are nobody's, and ids
of the roster that are missing or there twice.  The others have their marks.  The exit status is 1
if a mark is open, and 0 if the only thing that is missing is a file.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pandas as pd

from mtsig_nb.errors import InputError
from mtsig_nb.tables import no_formula
from mtsig_nb.writing import check_output, write_whole

from .grade import COLUMNS, read

#: What the importers read of a student.  Canvas wants these columns, in this order.
CANVAS = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
#: Moodle asks the lecturer which column is which; one of these has to be there.
MOODLE = ["Email address", "ID number", "Username"]
POSSIBLE = "Points Possible"
#: How many points a lab has.
Possible = dict[str, float]


def main(arguments: list[str] | None = None) -> int:
    """Write the files that are asked for, and list what has no mark."""
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
    options = parser.parse_args(arguments)
    wanted = {name: path for name in PLATFORMS if (path := getattr(options, name))}
    if not wanted and not options.questions:
        listed = " or ".join(f"--{name} FILE" for name in [*PLATFORMS, "questions"])
        parser.error(f"say what to write: {listed}.")
    try:
        roster = read(options.roster, [options.id])
        # Canvas' own export has a row of points among its students.
        roster = roster[~roster.iloc[:, 0].str.contains(POSSIBLE)].reset_index(drop=True)
        rows = read(options.marks, COLUMNS)
        marks, possible, open_marks, absent = gradebook(rows, roster[options.id])
        tables = {path: PLATFORMS[name](roster, marks, possible) for name, path in wanted.items()}
        if options.questions:
            tables[options.questions] = by_question(rows)
        for path, table in tables.items():
            check_output(path, [options.marks, options.roster])
            write_whole(path, table.to_csv(index=False, lineterminator="\n"))
    except (InputError, OSError) as error:
        parser.error(str(error))
    for heading, missing in (("No mark yet", open_marks), ("No file", absent)):
        print(f"{heading}: {len(missing)}", *missing, sep="\n    ")
    return 1 if open_marks else 0


def gradebook(
    rows: pd.DataFrame, ids: pd.Series[str]
) -> tuple[pd.DataFrame, Possible, list[str], list[str]]:
    """Marks, a row a student and a column a lab; points possible; what is open; who has no file."""
    folded = ids.str.casefold()
    unclear = folded.duplicated(keep=False) | (ids == "")
    open_marks = [f"roster: {reason}" for reason in _unclear_ids(ids, unclear)]
    owners = {name: place for name, place in zip(folded, ids.index, strict=True) if name}
    read = with_numbers(rows)
    possible = possible_points(read)
    handed_in: dict[tuple[int, str], dict[str, float]] = defaultdict(dict)
    for key, of_file in read.groupby(["file", "lab"], sort=False):
        name, lab = map(str, key)
        owner = owner_of(name, owners)
        if owner is None:
            open_marks.append(f"{name}: begins with no id of the roster")
        if not lab:
            open_marks += [f"{name}: {reason}" for reason in of_file["feedback"]]
            continue
        if owner is None:
            continue
        if unclear[owner]:
            open_marks.append(f"{name}: its id is in the roster twice")
            continue
        problems = [f"{name}: {problem}" for problem in _problems(of_file, possible[lab])]
        open_marks += problems
        total = of_file["points"].sum(skipna=False)
        handed_in[owner, lab][name] = math.nan if problems else total
    labs = sorted(possible)
    marks = pd.DataFrame(math.nan, index=ids.index, columns=labs)
    for (owner, lab), found in handed_in.items():
        if len(found) == 1:
            marks.loc[owner, lab] = next(iter(found.values()))
        else:
            open_marks.append(f"{ids[owner]}: {lab} is there more than once: {', '.join(found)}")
    known = ids.index[~unclear]
    absent = [f"{ids[k]}: {lab}" for k in known for lab in labs if (k, lab) not in handed_in]
    return marks, possible, open_marks, absent


def _unclear_ids(ids: pd.Series[str], unclear: pd.Series[bool]) -> Iterator[str]:
    """What is wrong with ids of the roster, each once."""
    missing = int((ids == "").sum())
    if missing:
        yield f"students without an id: {missing}"
    for _, alike in ids[unclear & (ids != "")].groupby(ids.str.casefold(), sort=False):
        yield f"the same id twice: {', '.join(alike)}"


def possible_points(rows: pd.DataFrame) -> Possible:
    """How many points each lab has: those of most of its files, if not all agree."""
    graded = rows[rows["lab"] != ""]
    totals = graded.groupby(["lab", "file"], sort=False)["possible"].sum()
    return {
        str(lab): float(of_lab.mode().iloc[0]) for lab, of_lab in totals.groupby("lab", sort=False)
    }


def _problems(of_file: pd.DataFrame, possible: float) -> Iterator[str]:
    """Why a file has no mark yet."""
    for exercise in of_file["exercise"][of_file["grade_id"].duplicated()]:
        yield f"{exercise} is there twice"
    total = of_file["possible"].sum()
    if total != possible and not of_file["grade_id"].duplicated().any():
        lab = of_file["lab"].iloc[0]
        yield f"{lab} has {total:g} points, and {possible:g} in other files; grade it again"
    columns = (of_file[name] for name in ("exercise", "points", "problem"))
    for exercise, points, problem in zip(*columns, strict=True):
        if problem:
            yield f"{exercise}: {problem}"
        elif math.isnan(points):
            yield f"to be marked by hand: {exercise}"


def with_numbers(rows: pd.DataFrame) -> pd.DataFrame:
    """Points and points possible as numbers, and in `problem` what cannot be meant by them.

    Points that a person still has to give are NaN.
    """
    read = rows.copy()
    read["problem"] = ""
    for column in ("points", "possible"):
        # Some spreadsheets write a decimal comma.
        read[column] = pd.to_numeric(rows[column].str.replace(",", "."), errors="coerce")
        unread = read[column].isna() & ((rows[column] != "") | (column == "possible"))
        unread &= rows["lab"] != ""
        read.loc[unread, "problem"] = [
            f"{column}={text!r} is no number" for text in rows.loc[unread, column]
        ]
    impossible = (read["points"] < 0) | (read["points"] > read["possible"])
    read.loc[impossible, "problem"] = [
        f"points={row.points} of {row.possible}" for row in rows[impossible].itertuples()
    ]
    return read


def by_question(rows: pd.DataFrame) -> pd.DataFrame:
    """Points, a row a file and a column an exercise, which says how many are possible.

    Of an exercise that is there twice in a file, the points stay empty.
    """
    graded = rows[rows["lab"] != ""]
    graded = graded.assign(asked=graded["grade_id"] + " of " + graded["possible"])
    asked = graded["asked"].unique()
    twice = graded.duplicated(["file", "asked"], keep=False)
    graded = graded.assign(points=graded["points"].mask(twice, ""))
    once = graded.drop_duplicates(["file", "asked"])
    points = once.pivot(index="file", columns="asked", values="points")
    return points[asked].fillna("").reset_index()


def owner_of(file: str, owners: Mapping[str, int]) -> int | None:
    """Whose file it is, by the longest id that its name begins with."""
    name = file.lstrip("'").replace("\\", "/").rpartition("/")[2].casefold()
    ids = [one for one in owners if name.startswith(one) and not name[len(one) :][:1].isalnum()]
    return owners[max(ids, key=len)] if ids else None


def moodle(roster: pd.DataFrame, marks: pd.DataFrame, possible: Possible) -> pd.DataFrame:
    """What identifies a student, and a column a lab."""
    known = [name for name in MOODLE if name in roster]
    if not known:
        raise InputError(f"roster: Moodle needs one of the columns {', '.join(MOODLE)}.")
    return pd.concat([roster[known], written(marks)], axis=1)


def canvas(roster: pd.DataFrame, marks: pd.DataFrame, possible: Possible) -> pd.DataFrame:
    """The columns of Canvas' own export, a row of points possible, and the students."""
    if not set(CANVAS[1:4]) & set(roster):
        raise InputError(f"roster: Canvas needs one of the columns {', '.join(CANVAS[1:4])}.")
    students = roster.reindex(columns=CANVAS, fill_value="")
    students["Student"] = students["Student"].map(no_formula)
    first = pd.DataFrame([{"Student": POSSIBLE, **possible}])
    of_students = pd.concat([students, marks], axis=1)
    return written(pd.concat([first, of_students])[[*CANVAS, *marks]])


def written(marks: pd.DataFrame) -> pd.DataFrame:
    """Marks as text; an open one is an empty cell."""
    text = marks.map(lambda mark: f"{mark:g}" if isinstance(mark, float) else mark)
    return text.replace("nan", "")


PLATFORMS = {"moodle": moodle, "canvas": canvas}


if __name__ == "__main__":
    sys.exit(main())
