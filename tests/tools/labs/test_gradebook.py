"""Marks for platforms: every file and every student ends in a cell or in a list."""

from __future__ import annotations

import csv
import re

import pytest

from tools.labs import gradebook
from tools.labs.grade import COLUMNS

from ...messages import naming

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
    expected = [
        ("Files", "5"),
        ("in/s12.ipynb", "by hand", "2"),
        ("in/s13.ipynb", "is a link"),
        ("in/s123.ipynb", "no id"),
        ("in/s12-a.ipynb", "S12", "lab_02", "in/s12-b.ipynb"),
        ("in/s12-b.ipynb", "S12", "lab_02", "in/s12-a.ipynb"),
        ("Students", "2"),
        ("s13: lab_02",),
        ("s14: lab_01, lab_02",),
    ]
    for names, line in zip(expected, capsys.readouterr().out.splitlines(), strict=True):
        assert re.search(naming(*names), line)


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
    ("roster", "options", "said"),
    [
        (ROSTER, ["--id", "Name"], "has no column 'Name'. Its columns: Student, ID, SIS"),
        (ROSTER.replace("Email address", "Mail"), [], "Moodle needs one of the columns Email"),
        ("", [], "is no table (No columns to parse"),
        (ROSTER + "a,b,c,d,e,f,g,h\n", [], "is no table (Expected 7 fields in line 7, saw 8)"),
    ],
)
def test_a_table_that_cannot_be_meant_is_refused(written, tmp_path, capsys, roster, options, said):
    arguments = [*written([row("s1.ipynb")], roster), "--id", "SIS Login ID", *options]
    with pytest.raises(SystemExit):
        gradebook.main([*arguments, "--moodle", str(tmp_path / "m.csv")])
    assert said in capsys.readouterr().err
    assert not (tmp_path / "m.csv").exists()


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ([{"points": "4"}], "1: points=4 of 3"),
        ([{"points": "-1"}], "1: points=-1 of 3"),
        ([{"points": "two"}], "1: points='two' is no number"),
        ([{"points": "nan"}], "1: points='nan' is no number"),
        ([{"possible": ""}], "1: possible='' is no number"),
        ([{"possible": "5"}], "lab_01 has 5 points, and 3 in other files; grade it again"),
        ([{}, {}], "1 is there twice"),
    ],
)
def test_one_odd_file_keeps_nobody_else_from_a_mark(written, tmp_path, capsys, changed, reason):
    rows = [row("s12.ipynb"), row("s13.ipynb", points="3")]
    rows[:0] = [row("s1.ipynb", **values) for values in changed]
    arguments = [*written(rows), "--id", "SIS Login ID", "--moodle", str(tmp_path / "m.csv")]
    assert gradebook.main([*arguments, "--questions", str(tmp_path / "q.csv")]) == 1
    assert [mark for _, mark in rows_of(tmp_path / "m.csv")[1:]] == ["", "2", "3", ""]
    assert f"    s1.ipynb: {reason}\n" in capsys.readouterr().out


def test_a_file_with_several_reasons_is_one_file(written, tmp_path, capsys):
    rows = [row("s1.ipynb", exercise=n, points="", by_hand="yes") for n in "123"]
    rows += [row("x.ipynb", exercise=n) for n in "123"]
    rows += [row("x.ipynb", lab="lab_02"), row("s12.ipynb", lab="lab_02")]
    rows.append(row("s12.ipynb", lab="", points="", feedback="not graded: is a link"))
    arguments = [*written(rows), "--id", "SIS Login ID", "--moodle", str(tmp_path / "m.csv")]
    assert gradebook.main(arguments) == 1
    count, *lines = capsys.readouterr().out.splitlines()
    assert re.search(naming("Files", "3"), count)
    assert [line.split(":")[0].strip() for line in lines[:3]] == [
        "s1.ipynb",
        "x.ipynb",
        "s12.ipynb",
    ]
    # What could not be graded has no mark, whatever rows it has from before.
    assert [line[1:] for line in rows_of(tmp_path / "m.csv")[1:]] == [["", ""]] * 4


def test_two_labs_in_files_of_one_name_are_two_marks(written, tmp_path, capsys):
    rows = [row("s1.ipynb"), row("s1.ipynb", lab="lab_02", exercise="9", possible="4", points="4")]
    arguments = [*written(rows), "--id", "SIS Login ID", "--moodle", str(tmp_path / "m.csv")]
    assert gradebook.main(arguments) == 0
    assert rows_of(tmp_path / "m.csv")[1][1:] == ["2", "4"]


def test_ids_that_are_missing_or_twice_are_named_and_the_others_have_their_marks(
    written, tmp_path, capsys
):
    roster = ROSTER.replace("S12", "S13") + '"Test, Student",,,,,,\n'
    rows = [row("s1.ipynb"), row("s13.ipynb"), row("x.ipynb")]
    arguments = [*written(rows, roster), "--id", "SIS Login ID"]
    assert gradebook.main([*arguments, "--moodle", str(tmp_path / "m.csv")]) == 1
    assert [mark for _, mark in rows_of(tmp_path / "m.csv")[1:]] == ["2", "", "", "", ""]
    printed = capsys.readouterr().out.splitlines()
    expected = [
        ("roster", "2"),
        ("without an id", "1"),
        ("twice", "S13, s13"),
        ("Files", "2"),
        ("s13.ipynb: ", "twice"),
        ("x.ipynb: ", "no id"),
    ]
    for names, line in zip(expected, printed[:6], strict=True):
        assert re.search(naming(*names), line)


def test_semicolons_of_a_spreadsheet_and_points_given_by_hand_are_read(written, tmp_path, capsys):
    roster = "Name;ID number;Email address\nAda;s1;ada@example.org\nEve;s2;eve@example.org\n"
    rows = [row("s1.ipynb"), row("s1.ipynb", exercise="2", points="2,5", by_hand="yes")]
    found = tmp_path / "m.csv"
    assert (
        gradebook.main([*written(rows, roster), "--id", "ID number", "--moodle", str(found)]) == 0
    )
    assert rows_of(found)[1] == ["ada@example.org", "s1", "4.5"]
    no_mark, no_file, *_ = capsys.readouterr().out.splitlines()
    assert re.match(naming("Files", "0"), no_mark)
    assert re.match(naming("Students", "1"), no_file)


NAMED = """\
First name,Last name,ID number,Email address
Ada,Ash,s1,ada@example.org
Zoé,O'Elm,s12,zoe@example.org
Fay,Fir,s13,fay@example.org
Fay,Fir,s14,fay.fir@example.org
"""
IN_MOODLE = "_48211_assignsubmission_file"


@pytest.mark.parametrize(
    ("file", "owner"),
    [
        ("in/s12_lab_03.ipynb", "zoe"),
        ("in/s12_lab_03 (1).ipynb", "zoe"),  # a second download
        ("in/S12_lab_03-1.ipynb", "zoe"),
        ("in/s12.lab_03.ipynb", "zoe"),
        ("in/Copy of s12_lab_03.ipynb", "zoe"),
        ("in/Kopie von s12_lab_03.ipynb", "zoe"),
        ("in/Copy_of_s12_lab_03.ipynb", "zoe"),
        ("in/kopie-von-s12_lab_03.ipynb", "zoe"),
        ("in/Kopie_von_Copy_of_s12_lab_03.ipynb", "zoe"),
        ("in/Copy of Copy of s12_lab_03.ipynb", "zoe"),
        ("in/Copie de  Copia di_s12_lab_03.ipynb", "zoe"),
        ("in/Co\u0301pia_de_s12_lab_03.ipynb", "zoe"),
        ("in/C%C3%B3pia%20de%20s12_lab_03.ipynb", "zoe"),
        ("in/Copy%20of%20s12%20lab.ipynb", "zoe"),
        ("in/s12%20lab_03.ipynb", "zoe"),
        ("in/s12_Copy_of_lab_03.ipynb", "zoe"),
        ("in/elmzoe_4711_90210_Copy_of_Copy_of_s12_lab_03.ipynb", "zoe"),
        (f"in/Zoé O'Elm{IN_MOODLE}_Copy_of_s12_lab_03.ipynb", "zoe"),
        # A person has written the id before the name in the table.
        (f"in/s14_Fay Fir{IN_MOODLE}_lab_03.ipynb", "fay.fir"),
        (f"in/Fay Fir{IN_MOODLE}_/s14_lab_03.ipynb", "fay.fir"),
        (f"in/Zoé O'Elm{IN_MOODLE}_s12_lab_03.ipynb", "zoe"),
        (f"in/Zoé O'Elm{IN_MOODLE}_/s12_lab_03.ipynb", "zoe"),
        (f"in/Zoé O'Elm{IN_MOODLE}/Copy of lab_03.ipynb", "zoe"),
        (f"in\\O'Elm Zoe\u0301{IN_MOODLE}_\\Untitled3.ipynb", "zoe"),  # accents as macOS has them
        (f"in/Ada Ash{IN_MOODLE}_lab_03 (2).ipynb", "ada"),
        (f"in/Participant 7{IN_MOODLE}_s1_lab_03.ipynb", "ada"),  # marked without names
        (f"in/Fay Fir{IN_MOODLE}_s14_lab_03.ipynb", "fay.fir"),
        ("in/elmzoe_4711_90210_s12_lab_03-2.ipynb", "zoe"),  # from Canvas
        ("in/elmzoe_LATE_4711_90210_s12_lab_03.ipynb", "zoe"),
    ],
)
def test_names_of_colab_and_moodle_find_their_students(written, tmp_path, capsys, file, owner):
    table = tmp_path / "m.csv"
    assert gradebook.main([*written([row(file)], NAMED), "--moodle", str(table)]) == 0
    marks = {line[0].partition("@")[0]: line[-1] for line in rows_of(table)[1:]}
    assert {name: mark for name, mark in marks.items() if mark} == {owner: "2"}


@pytest.mark.parametrize(
    ("file", "culprits"),
    [
        ("in/Copy of lab_03.ipynb", ["Copy of lab_03.ipynb"]),
        ("in/Untitled3.ipynb", ["Untitled3.ipynb"]),
        ("in/lab_03_s12.ipynb", ["lab_03_s12.ipynb", "Is it the file of s12?"]),
        ("in/s14/lab_03.ipynb", ["Is it the file of s14?"]),
        ("in/lab_03 S1 with s12.ipynb", ["Is it the file of s1 or s12?"]),
        ("in/lab_03_s123.ipynb", ["no id of the roster. Write"]),
        ("in/Copyright of s12.ipynb", ["Is it the file of s12?", "column 'file'"]),
        (f"in/Participant 7{IN_MOODLE}_lab_03.ipynb", ["'Participant 7'", "full name"]),
        (f"in/Fay Fir{IN_MOODLE}_lab_03.ipynb", ["'Fay Fir'", "just one"]),
        (f"in/Ada Ash{IN_MOODLE}_s12_lab_03.ipynb", ["'Ada Ash'", "another student's id"]),
    ],
)
def test_names_that_say_nothing_or_two_things_are_listed(written, tmp_path, capsys, file, culprits):
    table = tmp_path / "m.csv"
    assert gradebook.main([*written([row(file)], NAMED), "--moodle", str(table)]) == 1
    assert [line[-1] for line in rows_of(table)[1:]] == [""] * 4
    listed = capsys.readouterr().out
    assert all(culprit in listed for culprit in culprits)
