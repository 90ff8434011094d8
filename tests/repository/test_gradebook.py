"""Marks for platforms: every file and every student ends in a cell or in a list."""

from __future__ import annotations

import csv

import pytest

from tools import gradebook
from tools.grade_lab import COLUMNS

ROSTER = """\
\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Email address,Final Score
    Points Possible,,,,,,
"Ash, Ada",11,X1,s1,A,ada@example.org,
"Elm, Eve",12,X2,S12,A,eve@example.org,
"Fir, Fay",13,X3,s13,B,fay@example.org,
=cmd(),14,X4,s14,B,oak@example.org,
"""


def row(file, lab="lab_01", exercise="1", points="2", possible="3", by_hand="no", feedback=""):
    return [file, lab, exercise, f"{exercise}-tests", points, possible, by_hand, feedback]


MARKS = [
    row("in/s1_lab.ipynb"),
    row("in/s1_lab.ipynb", exercise="2", points="1.5"),
    row("in/s12.ipynb"),
    row("in/s12.ipynb", exercise="2", points="", by_hand="yes"),
    row("in/S13 second.ipynb", points="0"),
    row("in/S13 second.ipynb", exercise="2", points="0"),
    row("in/s13.ipynb", lab="", points="", feedback="not graded: is a link"),
    row("in/s123.ipynb"),
    row("in/s123.ipynb", exercise="2"),
    row("in/s1-lab2.ipynb", lab="lab_02", possible="4", points="4"),
    row("in/s12-a.ipynb", lab="lab_02", possible="4"),
    row("in/s12-b.ipynb", lab="lab_02", possible="4"),
]


@pytest.fixture
def written(tmp_path):
    def write(rows=MARKS, roster=ROSTER):
        with open(tmp_path / "marks.csv", "w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerows([COLUMNS, *rows])
        (tmp_path / "class.csv").write_text(roster, encoding="utf-8")
        return [str(tmp_path / "marks.csv"), "--roster", str(tmp_path / "class.csv")]

    return write


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as stream:
        return list(csv.reader(stream))


def test_both_platforms_get_a_column_a_lab_and_lists_have_the_rest(written, tmp_path, capsys):
    platforms = ["--moodle", str(tmp_path / "m.csv"), "--canvas", str(tmp_path / "c.csv")]
    assert gradebook.main([*written(), "--id", "SIS Login ID", *platforms]) == 1
    assert rows_of(tmp_path / "m.csv") == [
        ["Email address", "lab_01", "lab_02"],
        ["ada@example.org", "3.5", "4"],
        ["eve@example.org", "", ""],
        ["fay@example.org", "0", ""],
        ["oak@example.org", "", ""],
    ]
    assert rows_of(tmp_path / "c.csv") == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "lab_01", "lab_02"],
        ["Points Possible", "", "", "", "", "6", "4"],
        ["Ash, Ada", "11", "X1", "s1", "A", "3.5", "4"],
        ["Elm, Eve", "12", "X2", "S12", "A", "", ""],
        ["Fir, Fay", "13", "X3", "s13", "B", "0", ""],
        ["'=cmd()", "14", "X4", "s14", "B", "", ""],
    ]
    assert capsys.readouterr().out.splitlines() == [
        "No mark yet: 4",
        "    in/s12.ipynb: to be marked by hand: 2",
        "    in/s13.ipynb: not graded: is a link",
        "    in/s123.ipynb: begins with no id of the roster",
        "    S12: lab_02 is there more than once: in/s12-a.ipynb, in/s12-b.ipynb",
        "No file: 3",
        "    s13: lab_02",
        "    s14: lab_01",
        "    s14: lab_02",
    ]


def test_each_question_has_a_column_if_one_asks(written, tmp_path):
    rows = [*MARKS, row("x.ipynb", lab="lab_03", exercise="3", points="1.5", by_hand="yes")]
    wide = tmp_path / "q.csv"
    gradebook.main([*written(rows), "--id", "SIS Login ID", "--questions", str(wide)])
    heads, *found = rows_of(wide)
    assert heads == ["file", "1-tests of 3", "2-tests of 3", "1-tests of 4", "3-tests of 3"]
    points = {file: values for file, *values in found}
    assert points["in/s1_lab.ipynb"] == ["2", "1.5", "", ""]
    assert points["in/s12.ipynb"] == ["2", "", "", ""]
    assert points["x.ipynb"] == ["", "", "", "1.5"]
    assert "in/s13.ipynb" not in points


@pytest.mark.parametrize(
    ("changed", "roster", "options", "said"),
    [
        ({"points": "4"}, ROSTER, [], "points=4 of 3"),
        ({"points": "two"}, ROSTER, [], "points='two' is no number"),
        ({}, ROSTER.replace("S12", "S1"), [], "the id 's1' is missing, or is there twice"),
        ({}, ROSTER, ["--id", "Name"], "has no column 'Name'. Its columns: Student, ID, SIS"),
        ({}, ROSTER.replace("Email address", "Mail"), [], "Moodle needs one of the columns Email"),
    ],
)
def test_what_cannot_be_meant_is_refused(written, tmp_path, capsys, changed, roster, options, said):
    arguments = [*written([row("s1.ipynb", **changed)], roster), "--id", "SIS Login ID", *options]
    with pytest.raises(SystemExit):
        gradebook.main([*arguments, "--moodle", str(tmp_path / "m.csv")])
    assert said in capsys.readouterr().err
    assert not (tmp_path / "m.csv").exists()


def test_semicolons_of_a_spreadsheet_and_points_given_by_hand_are_read(written, tmp_path, capsys):
    roster = "Name;ID number;Email address\nAda;s1;ada@example.org\nEve;s2;eve@example.org\n"
    rows = [row("s1.ipynb"), row("s1.ipynb", exercise="2", points="2,5", by_hand="yes")]
    found = tmp_path / "m.csv"
    assert (
        gradebook.main([*written(rows, roster), "--id", "ID number", "--moodle", str(found)]) == 0
    )
    assert rows_of(found)[1] == ["ada@example.org", "s1", "4.5"]
    assert capsys.readouterr().out.startswith("No mark yet: 0\nNo file: 1\n")
