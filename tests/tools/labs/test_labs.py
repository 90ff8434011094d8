"""Labs: what students get gives nothing away, and a filled-in lab gets the marks it deserves."""

from __future__ import annotations

import contextlib
import copy
import csv
import errno
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from textwrap import indent

import jupytext
import nbformat
import psutil
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from tools.labs import build, grade, lab_files, worker
from tools.labs.elsewhere import written_elsewhere
from tools.labs.lab_files import Lab, grade_id, role
from tools.labs.marks import Mark, submission
from tools.labs.marks import marks as marks_of
from tools.notebooks import files
from tools.repository import check_links
from tools.site import public_copy
from tools.site.lite import staging

from ...messages import naming

LABS = lab_files.labs()


#: A lab of three exercises that needs no data, as quick as a lab can be.
TOY = """\
# %% [markdown]
# # A small lab

# %% nbgrader={"grade_id": "toy-setup", "locked": true}
start = 3

# %% [markdown]
# ## Exercise 1 · Double

# %% nbgrader={"grade_id": "toy-double-answer", "solution": true}
def double(x):
    ### BEGIN SOLUTION
    return x + x  # twice
    ### END SOLUTION

# %% nbgrader={"grade_id": "toy-double-tests", "grade": true, "locked": true, "points": 2}
assert double(start) == 6, 'twice 3 is 6'
### BEGIN HIDDEN TESTS
assert double(10) == 20, 'look at other numbers than 3'
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 2 · Mean

# %% nbgrader={"grade_id": "toy-mean-answer", "solution": true}
def mean(values):
    ### BEGIN SOLUTION
    return sum(values) / len(values)
    ### END SOLUTION

# %% nbgrader={"grade_id": "toy-mean-tests", "grade": true, "locked": true, "points": 3}
assert all([mean([1, 2, 6]) == 3]), 'the sum over the number'
### BEGIN HIDDEN TESTS
assert all([mean([5]) == 5]), 'a single value'
### END HIDDEN TESTS

# %% [markdown]
# ## Exercise 3 · In words

# %% [markdown] nbgrader={"grade_id": "toy-words", "grade": true, "solution": true, "points": 1}
# The mean of one value is that value.
#
# **Rubric.** 0.5 points: names the value. 0.5 points: and says
# why it is no other. No point for a formula.
"""


def instructor_version() -> nbformat.NotebookNode:
    """The lab, with what nbgrader wants to be said of each of its cells."""
    notebook = jupytext.reads(TOY, fmt="py:percent")
    notebook.metadata = nbformat.from_dict(files.METADATA)
    said = {"grade": False, "solution": False, "locked": False, "schema_version": 3}
    for cell in notebook.cells:
        if "nbgrader" in cell.metadata:
            cell.metadata["nbgrader"] = nbformat.from_dict(said | cell.metadata["nbgrader"])
    return notebook


@pytest.fixture
def toy(tmp_path) -> Lab:
    """The small lab as files: an instructor version and the student version made from it."""
    lab = Lab(tmp_path / "instructor" / "lab_toy.ipynb", tmp_path / "student" / "lab_toy.ipynb")
    files.write(instructor_version(), lab.instructor)
    files.write(lab_files.student_version(instructor_version()), lab.student)
    return lab


def hand_in(lab: Lab, folder: Path, *, change=None, **answers: str) -> Path:
    """A copy of the student version with some answers filled in, and changed in other ways."""
    notebook = files.read(lab.student)
    for cell in notebook.cells:
        short = grade_id(cell).removeprefix("toy-").replace("-", "_")
        cell.source = answers.get(short, cell.source)
    if change is not None:
        change(notebook)
    path = folder / "handed in.ipynb"
    path.write_text(json.dumps(notebook))  # as other editors do, without nbformat's repairs
    return path


def graded(lab: Lab, path: Path, **limits: int) -> dict[str, Mark]:
    found = worker.grade(path, [lab], worker.Limits(**limits))
    return {mark.grade_id.removeprefix("toy-"): mark for mark in found.marks}


RIGHT = {
    "double_answer": "def double(x):\n    return 2 * x",
    "mean_answer": "def mean(values):\n    return sum(values) / len(values)",
    "words": "It is the value itself.",
}


def doubling(answer: str) -> dict[str, str]:
    """All right but for this answer to the first exercise, which may be right."""
    return RIGHT | {"double_answer": answer}


def rows_of(table: Path) -> list[dict[str, str]]:
    with open(table, newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


# What students get.


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.instructor.stem)
def test_lab_is_well_made_current_and_gives_nothing_away(lab):
    assert build.problems(lab) == []


def test_there_are_labs_and_no_orphans():
    assert len(LABS) >= 8
    assert build.orphans() == []
    names = [grade_id(c) for lab in LABS for c in files.read(lab.instructor).cells if role(c)]
    assert len(names) == len(set(names)), "grade_ids tell the labs apart"


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.instructor.stem)
def test_students_see_until_when_each_exercise_takes(lab):
    instructor = files.read(lab.instructor)
    minutes = list(lab_files.clock(instructor).values())
    assert minutes[-1] == lab_files.minutes(instructor)
    assert all(5 <= b - a <= 50 for a, b in itertools.pairwise([0, *minutes]))
    begins = [c.source for c in files.read(lab.student).cells if "## Exercise" in c.source]
    assert [re.findall(r"Exercise .+\n\n\*\D+(\d+)", text) for text in begins] == [
        [str(until)] for until in minutes
    ]


def test_the_clock_adds_up_what_the_rule_has(toy):
    """A text of 4 or 5 words, answers of one line, half a minute for each cell of code."""
    words, cell, answer = 1 / 150, 0.5, 4 + 2.5
    each = list(lab_files._minutes(files.read(toy.instructor)))
    code = [cell, 3 * words, cell + answer, cell, 3 * words, cell + answer, cell]
    assert each == pytest.approx([3 * words, *code, 4 * words, 10])
    assert lab_files.clock(files.read(toy.instructor)) == {2: 10, 5: 15, 8: 25}


@pytest.mark.slow
def test_the_archive_for_students_has_all_that_they_need_and_no_solution(tmp_path):
    build.pack(tmp_path)
    with zipfile.ZipFile(tmp_path / "labs.zip") as archive:
        archive.extractall(tmp_path)
        names = {name.removeprefix(f"{build.TOP}/") for name in archive.namelist()}
    own = (tmp_path / build.TOP).rename(tmp_path / "own")
    labs = {f"labs/{lab.student.name}": files.read(lab.instructor) for lab in LABS}
    assert labs.keys() == {name for name in names if name.startswith("labs/")}
    assert {name.partition("/")[0] for name in names} == {"labs", "README.md", *build.PACKED}
    readme = (own / "README.md").read_text(encoding="utf-8")
    for name, instructor in labs.items():
        shown = files.read(own / name)
        assert lab_files.leaks(instructor, shown) == []
        assert not set(lab_files.secrets_of(instructor)) & set(readme.splitlines())
        texts = "\n".join(c.source for c in shown.cells if c.cell_type == "markdown")
        assert not re.search(r"\]\((?!http)[^)]*\)|href=", texts), "leads out of the archive"
    for name in names - labs.keys() - {"README.md"}:  # nobody's but the package's own
        assert (own / name).read_bytes() == (files.ROOT / name).read_bytes()
    assert check_links.problems(own / "README.md", own) == []
    first = next(c.source for c in files.read(own / min(labs)).cells if role(c) == "read-only")
    command = [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, '.')\n{first}"]
    done = subprocess.run(command, cwd=own, capture_output=True, text=True)
    assert re.search(naming("105 pairs", "15 systems"), done.stdout), done.stderr


LINE = "shows a line of a solution or a hidden test"


@pytest.mark.parametrize(
    ("position", "line", "leak"),
    [
        (2, "return sum(values) / len(values)", LINE),
        (4, "assert double(10) == 20, 'look at other numbers than 3'", LINE),
        (8, "The mean of one value is that value.", LINE),
        (4, "### BEGIN HIDDEN TESTS", "cell 6 has a marker"),
        (1, None, "cell 3 has been executed"),
    ],
)
def test_a_planted_leak_is_found(toy, tmp_path, monkeypatch, position, line, leak):
    monkeypatch.setattr(files, "ROOT", tmp_path)
    files.write(build.made_from(toy), toy.student)
    assert build.problems(toy) == []
    student = files.read(toy.student)
    position += 1  # of the links
    if line is None:
        student.cells[position].execution_count = 1
    else:
        student.cells[position].source += f"\n{line}"
    files.write(student, toy.student)
    stale, found = build.problems(toy)
    assert stale.endswith("make labs")
    assert leak in found


@pytest.mark.parametrize(
    ("position", "change", "mistake"),
    [
        (4, {"points": 0}, "toy-double-tests has no points"),
        (4, {"grade_id": "toy-setup"}, "Duplicate grade id: toy-setup"),
        (3, {"solution": False, "locked": True}, "Solution region detected in a non-solution cell"),
        (9, {"points": 3}, "toy-words has 3 points, and 1 in its rubric"),
        (4, "assert True", "toy-double-tests has nothing between ### BEGIN and ### END"),
        (3, "### BEGIN SOLUTION\nx = 1", "no end solution statement found"),
    ],
)
def test_mistakes_in_a_lab_are_named(position, change, mistake):
    notebook = instructor_version()
    assert lab_files.mistakes(notebook) == []
    cell = notebook.cells[position]
    if isinstance(change, str):
        cell.source = change
    else:
        cell.metadata["nbgrader"].update(change)
    assert any(mistake in found for found in lab_files.mistakes(notebook))


@pytest.mark.takes_time
def test_make_labs_builds_both_versions_and_check_sees_what_was_edited(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(files, "ROOT", tmp_path)
    monkeypatch.setattr(files, "SERIES", tmp_path / "notebooks")
    monkeypatch.setattr(files, "LABS", tmp_path / "notebooks" / "labs")
    source = files.LABS / "source" / "lab_01_own.py"
    source.parent.mkdir(parents=True)
    jupytext.write(instructor_version(), source, fmt="py:percent")
    orphan = files.LABS / "student" / "lab_00_gone.ipynb"
    files.write(new_notebook(), orphan)
    assert build.main([]) == 0
    assert "\n1 labs; " in capsys.readouterr().out
    assert not orphan.exists()
    (lab,) = lab_files.labs()
    title, links, _, _, answer, *_ = files.read(lab.student).cells
    assert title.source == "# A small lab"
    assert answer.source == f"def double(x):\n{indent(lab_files.CODE_STUB, '    ')}"
    assert 'href="lab_01_own.ipynb" download' in links.source
    assert build.main(["--check"]) == 0
    edited = files.read(lab.student)
    edited.cells[4].source = "    return x + x  # twice"
    files.write(edited, lab.student)
    capsys.readouterr()
    assert build.main(["--check"]) == 1
    printed = capsys.readouterr().out
    problems = [line for line in printed.splitlines() if "lab_01_own.ipynb: " in line]
    assert any(line.endswith("make labs") for line in problems)
    assert any("solution" in line for line in problems)


# What a submission gets.


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("answers", "points", "feedback"),
    [
        (doubling("def double(x):\n    return 6"), [0, 3, None], "look at other"),
        ({}, [0, 0, 0], "not answered: the cell toy-double-answer still has its stub"),
        (
            doubling("# raise NotImplementedError()\n" + RIGHT["double_answer"]),
            [2, 3, None],
            "all tests pass",
        ),
        (
            doubling("def double(x):\n    print('x' * 5_000_000)\n    return x"),
            [0, 3, None],
            "twice 3 is 6",
        ),
    ],
    ids=["wrong", "empty", "stub in a comment", "chatty"],
)
def test_a_submission_gets_what_it_deserves_and_is_told_what_to_look_at(
    toy, tmp_path, answers, points, feedback
):
    marks = graded(toy, hand_in(toy, tmp_path, **answers))
    assert [mark.points for mark in marks.values()] == points
    assert marks["double-tests"].feedback.startswith(feedback)


def weaken(notebook):
    for cell in notebook.cells:
        cell.metadata["tags"] = ["raises-exception"]
        if role(cell) == "tests":
            cell.source = "pass"
            cell.metadata["nbgrader"]["points"] = 100
        if role(cell) == "read-only":
            cell.source = "start = 0"


NO_ASSERTS = """\
import ast
class Remove(ast.NodeTransformer):
    def visit_Assert(self, node):
        return ast.Pass()
get_ipython().ast_transformers.append(Remove())
"""
OTHER_BUILT_IN = "import builtins\nbuiltins.all = all = lambda values: True\n"
OTHER_BUILT_INS = "__builtins__ = dict(vars(__builtins__), all=lambda values: True)\n"
LATER_BUILT_IN = """\
import builtins
def mean(values):
    builtins.all = lambda values: True
    return values[0]
"""
ALWAYS_WELL = """\
kernel = get_ipython().kernel
async def do_execute(code, *_, **__):
    print(code)
    return {"status": "ok", "execution_count": 1, "user_expressions": {"passed": code}}
kernel.do_execute = do_execute
"""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("hook", "change"),
    [
        (NO_ASSERTS, None),
        (OTHER_BUILT_IN, None),
        (OTHER_BUILT_INS, None),
        (ALWAYS_WELL, None),
        ("", weaken),
    ],
    ids=["no asserts", "built-in", "__builtins__", "always well", "tests and points changed"],
)
def test_hooks_into_the_kernel_and_tampering_with_the_tests_do_not_help(
    toy, tmp_path, hook, change
):
    """No answer is a stub, which would be found otherwise; each is right for the last assert."""
    wrong = {
        "double_answer": f"{hook}\ndef double(x):\n    return 20",
        "mean_answer": LATER_BUILT_IN,
    }
    marks = graded(toy, hand_in(toy, tmp_path, change=change, **wrong))
    found = [(marks[name].points, marks[name].possible) for name in ("double-tests", "mean-tests")]
    assert found == [(0, 2), (0, 3)]
    if change:
        assert marks["double-tests"].feedback == "twice 3 is 6"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("stub", "why"),
    [
        (
            "def double(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()",
            "still has its stub",
        ),
        ("def double(x): raise  NotImplementedError", "still has its stub"),
        ("  \n", "is empty or missing"),
    ],
)
def test_tests_that_pass_although_an_answer_is_a_stub_are_for_a_person(
    toy, tmp_path, capsys, stub, why
):
    def change(notebook):
        notebook.cells.insert(4, new_code_cell(RIGHT["double_answer"]))

    path = hand_in(toy, tmp_path, change=change, **doubling(stub))
    marks = graded(toy, path)
    assert (marks["double-tests"].points, marks["mean-tests"].points) == (None, 3)
    said = f"all tests pass, although the cell toy-double-answer {why}"
    assert marks["double-tests"].feedback.startswith(said)
    found = worker.Graded("lab_toy", list(marks.values()), [])
    grade.show(grade.Console(), path, found)
    assert re.search(naming("3 of 6 ", "up to 3"), capsys.readouterr().out)


GROWING = "hoard = []\nwhile True:\n    hoard.append(b'x' * 20_000_000)"
linux = pytest.mark.skipif(sys.platform != "linux", reason="what Linux alone promises")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("answer", "feedback"),
    [
        ("def double(x):\n    while True:\n        pass", "took longer than 5 s"),
        ("import os\nos._exit(0)", "ended the kernel"),
        ("double = undefined", "your cell stopped: NameError: name 'undefined' is not defined"),
        ("def double(x:", "your cell stopped: SyntaxError"),
        (GROWING, "your cell stopped: took more than 500 MB of memory"),
        pytest.param(
            "block = bytearray(4_000_000_000)", "your cell stopped: MemoryError", marks=linux
        ),
    ],
)
def test_one_broken_answer_is_named_and_costs_no_other_points(toy, tmp_path, answer, feedback):
    marks = graded(toy, hand_in(toy, tmp_path, **doubling(answer)), timeout=5, memory=500)
    assert (marks["double-tests"].points, marks["mean-tests"].points) == (0, 3)
    assert feedback in marks["double-tests"].feedback


# What a submission may take, and what it leaves.


@pytest.mark.thorough
def test_time_is_bounded_for_the_whole_file(toy, tmp_path):
    endless = RIGHT | {"double_answer": "while True: pass", "mean_answer": "while True: pass"}
    marks = graded(toy, hand_in(toy, tmp_path, **endless), timeout=60, total=8)
    assert [marks[name].points for name in ("double-tests", "mean-tests")] == [0, 0]
    assert re.search(naming("gave up", " 8 s "), marks["mean-tests"].feedback)


#: Leaves three processes, which note their ids: a child in a session of its own, a child, and an
#: orphan in a session of its own; what they know of their environment is filled in.
LEFT_BEHIND = """\
import os, subprocess, sys, time
sleep = "import os, time; print(os.getpid(), flush=True); time.sleep(999)"
sleeper = [sys.executable, "-c", sleep, {noted!r}]
noted = open({noted!r}, "a")
subprocess.Popen(sleeper, stdout=noted, start_new_session=True)
subprocess.Popen(sleeper, stdout=noted, env={environment})
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.dup2(noted.fileno(), 1)
        os.execvpe(sleeper[0], sleeper, {environment})
    os._exit(0)
while len(open({noted!r}).read().split()) < 3: time.sleep(0.1)
"""


@pytest.mark.thorough
@linux
def test_nothing_that_a_submission_has_started_is_left(toy, tmp_path):
    noted = tmp_path / "ids"
    leave = LEFT_BEHIND.format(noted=str(noted), environment="{}")
    answer = leave + RIGHT["double_answer"]
    marks = graded(toy, hand_in(toy, tmp_path, **doubling(answer)))
    assert (marks["double-tests"].points, marks["mean-tests"].points) == (2, 3)
    left = []
    for process in psutil.process_iter():
        # One that has been ended is a zombie, without arguments, until its parent asks after it.
        with contextlib.suppress(psutil.NoSuchProcess):
            left += [process] if str(noted) in process.cmdline() else []
    assert len(noted.read_text().split()) == 3
    assert left == []


# The command.


@pytest.fixture
def known(toy, monkeypatch):
    monkeypatch.setattr(grade, "labs", lambda: [toy])
    return toy


@pytest.mark.thorough
def test_grade_prints_a_table_the_free_text_and_a_csv(known, tmp_path, capsys):
    path = hand_in(known, tmp_path, **(RIGHT | {"words": "[bold]=It[/bold] is\x1b[2J the value."}))
    assert grade.main([str(path), "--csv", str(tmp_path / "marks.csv")]) == 0
    printed = capsys.readouterr().out
    assert "handed in.ipynb: lab_toy" in printed
    assert "all tests pass" in printed
    assert re.search(naming("5 of 6 ", "up to 1"), printed)
    assert "[bold]=It[/bold] is[2J the value." in printed  # neither markup nor escape sequence
    assert printed.rstrip().endswith(
        "the value.\nRubric:\n0.5 points: names the value.\n"
        "0.5 points: and says why it is no other. No point for a formula."
    )
    rows = rows_of(tmp_path / "marks.csv")
    assert [row["grade_id"] for row in rows] == ["toy-double-tests", "toy-mean-tests", "toy-words"]
    assert [(row["points"], row["by_hand"]) for row in rows] == [
        ("2", "no"),
        ("3", "no"),
        ("", "yes"),
    ]


@pytest.mark.takes_time
def test_a_class_can_be_read_question_by_question(known, tmp_path, capsys):
    answers = ("It is the value.", "No other is there.")
    paths = []
    for number, words in enumerate(answers):
        path = hand_in(known, tmp_path, **(RIGHT | {"words": words}))
        paths.append(str(path.rename(tmp_path / f"s{number}.ipynb")))
    untouched = shutil.copy(known.student, tmp_path / "s2.ipynb")
    assert grade.main([*paths, str(untouched), "--by-question"]) == 0
    tables, _, to_read = capsys.readouterr().out.partition("\nExercise 3 · In words (up to 1 ")
    assert all(f"s{number}.ipynb: lab_toy" in tables for number in range(3))
    assert not any(words in tables for words in answers)
    assert to_read.count("Rubric:") == 1
    found = [to_read.index(text) for text in ("s0.ipynb", answers[0], "s1.ipynb", answers[1])]
    assert found == sorted(found)
    assert "s2.ipynb" not in to_read


@pytest.mark.takes_time
def test_points_written_by_hand_outlive_another_grading(known, graded_once, tmp_path, capsys):
    path, marks = hand_in(known, tmp_path, **RIGHT), tmp_path / "marks.csv"
    arguments = [str(path), "--csv", str(marks)]
    assert grade.main(arguments) == 0
    marks.write_text(marks.read_text().replace("toy-words,,1,yes", "toy-words,0.5,1,yes"))
    assert grade.main(arguments) == 0
    assert rows_of(marks)[-1]["points"] == "0.5"
    assert re.search(naming("by hand", "kept: 1."), capsys.readouterr().out)
    table = b"caf\xe9"
    marks.write_bytes(table)
    with pytest.raises(SystemExit):
        grade.main(arguments)
    assert "is not UTF-8 at byte 3" in capsys.readouterr().err
    assert marks.read_bytes() == table


@pytest.fixture
def graded_once(monkeypatch):
    """Of files with the same content the first is run, and the others get the same marks.

    For tests of what becomes of marks.  Running a file takes two processes and a second.
    """
    graded_by_content: dict[bytes, worker.Graded] = {}

    def graded(path: Path, *options: object) -> worker.Graded:
        content = path.read_bytes()
        if content not in graded_by_content:
            graded_by_content[content] = worker.grade(path, *options)
        return copy.deepcopy(graded_by_content[content])

    monkeypatch.setattr(grade, "grade", graded)


@pytest.fixture
def class_marked(known, graded_once, tmp_path, monkeypatch) -> Path:
    """The CSV of two files, one of them without an id, with points and remarks by hand."""
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    for name in ("s1.ipynb", "Copy of lab.ipynb"):
        hand_in(known, tmp_path, **RIGHT).rename(Path("in", name))
    assert grade.main(["in", "--csv", "marks.csv"]) == 0
    rows = rows_of(Path("marks.csv"))
    for row in rows:
        row["remark"] = f"seen: {row['file']}"
        if row["by_hand"] == "yes":
            row["points"] = "0.5" if "s1" in row["file"] else "1"
    write_rows(rows)
    return Path("marks.csv")


def write_rows(rows: list[dict[str, str]]) -> None:
    with open("marks.csv", "w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def words_of(table: Path) -> dict[str, list[str]]:
    """The points of each file's answer in words."""
    points: dict[str, list[str]] = {}
    for row in rows_of(table):
        if row["grade_id"] in ("toy-words", ""):
            points.setdefault(row["file"], []).append(row["points"])
    return points


@pytest.mark.takes_time
def test_a_late_file_alone_adds_its_rows_and_changes_no_others(class_marked, known, capsys):
    before = rows_of(class_marked)
    hand_in(known, Path(), **doubling(WRONG)).rename("=late.ipynb")
    for name in ("=late.ipynb", "in/../=late.ipynb", str(Path("=late.ipynb").resolve())):
        assert grade.main([name, "--csv", "marks.csv"]) == 0
        after = rows_of(class_marked)
        assert after[: len(before)] == before
        added = after[len(before) :]
        assert [row["points"] for row in added] == ["0", "3", ""]
        assert {row["remark"] for row in added} == {""}
    assert re.search(naming("marks.csv", "2."), capsys.readouterr().out)


@pytest.mark.takes_time
def test_a_file_that_is_renamed_keeps_its_points_under_the_new_name(class_marked, capsys):
    old, new = "in/Copy of lab.ipynb", "in/s2_lab.ipynb"
    Path(old).rename(new)
    assert grade.main(["in", "--csv", "marks.csv"]) == 0
    assert words_of(class_marked) == {old: ["1"], "in/s1.ipynb": ["0.5"], new: [""]}
    assert re.search(naming("not found", old, "column 'file'"), capsys.readouterr().out)

    # What the message says: the new name in the old rows, and graded again.
    rows = rows_of(class_marked)
    for row in rows:
        row["file"] = row["file"].replace(old, new)
    write_rows(rows)
    assert grade.main(["in", "--csv", "marks.csv"]) == 0
    assert words_of(class_marked) == {new: ["1"], "in/s1.ipynb": ["0.5"]}
    assert len(rows_of(class_marked)) == 6
    assert "not found" not in capsys.readouterr().out


@pytest.mark.takes_time
def test_points_by_hand_outlive_a_file_that_cannot_be_graded_now(class_marked, known):
    good = Path("in/s1.ipynb").read_bytes()
    Path("in/s1.ipynb").write_text("not JSON")
    assert grade.main(["in/s1.ipynb", "--csv", "marks.csv"]) == 1
    assert words_of(class_marked) == {"in/Copy of lab.ipynb": ["1"], "in/s1.ipynb": ["", "0.5"]}
    Path("in/s1.ipynb").write_bytes(good)
    assert grade.main(["./in/s1.ipynb", "--csv", "marks.csv"]) == 0
    assert words_of(class_marked) == {"in/Copy of lab.ipynb": ["1"], "in/s1.ipynb": ["0.5"]}


def in_the_fifth_cell(lab: Lab, metadata: str) -> str:
    """A notebook that is as it was handed out, but for the metadata of a cell."""
    notebook = json.loads(lab.student.read_text())
    notebook["cells"][4]["metadata"] = "HERE"
    return json.dumps(notebook).replace('"HERE"', metadata)


@pytest.mark.thorough
def test_bad_files_are_named_and_the_rest_of_the_class_is_marked(
    known, tmp_path, monkeypatch, capsys
):
    deep = '{"a":' * 30_000 + "1" + "}" * 30_000
    no_notebook = "is not a Jupyter notebook"
    lost = "cell 5 has lost its role: its metadata say nbgrader: "
    bad = {
        "null.ipynb": (in_the_fifth_cell(known, '{"nbgrader": null}'), f"{lost}null."),
        "list.ipynb": (in_the_fifth_cell(known, '{"nbgrader": [1]}'), f"{lost}[1]."),
        "deep.ipynb": (in_the_fifth_cell(known, deep), f"{no_notebook} (it is nested too deeply)"),
        "brackets.ipynb": ("[" * 100_000, f"{no_notebook} (it is nested too deeply)"),
        "text.ipynb": ("not JSON", no_notebook),
        "number.ipynb": ('{"cells": 3}', no_notebook),
        "empty.ipynb": (nbformat.writes(new_notebook()), "none of its cells belongs to a lab"),
        "large.ipynb": (" " * 22_000_000, "has 22 MB; a filled-in lab may have 20."),
        "half a character.ipynb": (
            hand_in(known, tmp_path, double_answer="word = '\ud800'").read_text(),
            "could not be run (UnicodeEncodeError:",
        ),
    }
    monkeypatch.chdir(tmp_path)
    for name, (text, _) in bad.items():
        Path(name).write_text(text)
    Path("secret").write_text("the password is 1234")
    for name, target in {"1": "secret", "2": known.student, "3": "gone"}.items():
        Path(f"{name}.ipynb").symlink_to(target)
        bad[f"{name}.ipynb"] = ("", "is a link. Hand in the .ipynb file itself.")
    named_like_a_formula = '=HYPERLINK("evil"&A1).ipynb'
    in_no_encoding = os.fsdecode(b"-caf\xe9\n.ipynb")
    for name in (named_like_a_formula, in_no_encoding):
        hand_in(known, tmp_path, **(RIGHT | {"words": "Half: \ud800"})).rename(name)
    names = [named_like_a_formula, *bad, in_no_encoding]
    assert grade.main(["--csv", "marks.csv", "--", *names]) == 1

    rows = rows_of(Path("marks.csv"))
    of_file = {row["file"]: row for row in rows}
    assert list(of_file) == [f"'{named_like_a_formula}", *bad, r"'-caf\udce9\n.ipynb"]
    for name, (_, reason) in bad.items():
        assert of_file[name]["feedback"].startswith(f"not graded: {reason}")
        assert of_file[name]["by_hand"] == "yes"
        assert of_file[name]["points"] == of_file[name]["lab"] == ""
    assert [row["points"] for row in rows if row["lab"]] == 2 * ["2", "3", ""]
    said = capsys.readouterr()
    assert all(f"{name}: {reason}" in said.err for name, (_, reason) in bad.items())
    assert "password" not in said.out + said.err + Path("marks.csv").read_text()


#: Ends all above it that grade; it looks at what runs, and touches nothing else.
ENDS_GRADERS = """\
import os, signal
one = os.getppid()
while one > 1:
    with open(f"/proc/{one}/cmdline") as words:
        grades = "import grade" in words.read()
    with open(f"/proc/{one}/stat") as numbers:
        above = int(numbers.read().rpartition(")")[2].split()[1])
    if grades:
        os.kill(one, signal.SIGKILL)
    one = above
"""


@pytest.mark.thorough
@pytest.mark.skipif(not worker.apart(), reason="processes cannot be kept apart here")
def test_a_submission_cannot_end_what_grades_it(toy, tmp_path):
    ends = hand_in(toy, tmp_path, **doubling(ENDS_GRADERS))
    ends = ends.rename(tmp_path / "1.ipynb")
    other = hand_in(toy, tmp_path, **RIGHT).rename(tmp_path / "2.ipynb")
    table = tmp_path / "marks.csv"
    program = (
        "import pathlib, sys\nfrom tools.labs import grade, lab_files\n"
        "grade.labs = lambda: [lab_files.Lab(*map(pathlib.Path, sys.argv[1:3]))]\n"
        "if __name__ == '__main__':\n    sys.exit(grade.main(sys.argv[3:]))"
    )
    arguments = [toy.instructor, toy.student, ends, other, "--csv", table]
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)], cwd=files.ROOT, capture_output=True
    )
    assert done.returncode == 0, done.stderr
    assert [row["points"] for row in rows_of(table)] == ["0", "3", "", "2", "3", ""]


@pytest.mark.thorough
def test_options_that_lose_marks_or_destroy_something_are_refused(known, tmp_path, capsys):
    handed_in = shutil.copy(known.student, tmp_path / "1.ipynb")
    for option, value, problem in (
        ("--csv", tmp_path / "nowhere" / "marks.csv", "there is no folder"),
        ("--csv", tmp_path, "is a folder"),
        ("--csv", handed_in, "is the input"),
        ("--csv", "/dev/stdout", "is no file"),
        ("--total", 0, "must be 1 or more"),
    ):
        with pytest.raises(SystemExit):
            grade.main([str(handed_in), option, str(value)])
        said = capsys.readouterr().err
        assert all(part in said for part in (option, str(value), problem))
    assert handed_in.read_bytes() == known.student.read_bytes()


# Cells that stand twice, or elsewhere.

TESTS, END = 4, None  # places in the student version
STUB_CELL = "def double(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()"
WRONG = "def double(x):\n    return 6"


def copied(*sources: str, place: int | None = END, name: str | None = "toy-double-answer"):
    """Put copies of the first answer's cell in front of a place, under its name or another."""

    def change(notebook):
        made = []
        for source in sources:
            cell = copy.deepcopy(next(c for c in notebook.cells if "double-answer" in grade_id(c)))
            cell.source = source
            if name is None:
                del cell.metadata["nbgrader"]
            else:
                cell.metadata["nbgrader"]["grade_id"] = name
            made.append(cell)
        at = len(notebook.cells) if place is None else place
        notebook.cells[at:at] = made

    return change


def sources_of(lab: Lab, path: Path) -> tuple[list[str], list[str]]:
    """What is run of the student's, in order, with tests as "tests"; and the notes."""
    handed_in = submission(path, [lab])
    run = [
        "tests" if role(cell) == "tests" else cell.source
        for cell in handed_in.notebook.cells
        if cell.cell_type == "code" and role(cell) != "read-only"
    ]
    return run, handed_in.notes


GOOD, MEAN = RIGHT["double_answer"], RIGHT["mean_answer"]


@pytest.mark.parametrize(
    ("answer", "change", "run", "said"),
    [
        (GOOD, copied(STUB_CELL, place=5), [GOOD, "tests"], "Cell 5 of the file counted; not"),
        (WRONG, copied(GOOD, place=5), [WRONG, GOOD, "tests"], "Cell 6 of the file counted; run"),
        (STUB_CELL, copied(GOOD, place=5), [GOOD, "tests"], "Cell 6 of the file counted; not"),
        ("", copied(GOOD, place=5), [GOOD, "tests"], "Cell 6 of the file counted; not"),
        ("# later", copied(GOOD, place=5), [GOOD, "tests"], "Cell 6 of the file counted; not"),
        (GOOD, copied(WRONG), [GOOD, "tests"], "Cell 5 of the file counted; run after the tests: "),
        (STUB_CELL, copied(GOOD), [GOOD, "tests"], "Cell 12 of the file counted; not filled in"),
        (
            "two = 2",
            copied("def double(x):\n    return two * x", WRONG, place=5),
            ["two = 2", "def double(x):\n    return two * x", WRONG, "tests"],
            "Cell 7 of the file counted; run before it: 5, 6.",
        ),
        (STUB_CELL, copied(STUB_CELL), [STUB_CELL, "tests"], "Cell 5 of the file counted; not"),
    ],
)
def test_the_note_on_copies_says_which_of_them_decided(toy, tmp_path, answer, change, run, said):
    path = hand_in(toy, tmp_path, change=shifted(change), **doubling(answer))
    found, notes = sources_of(toy, path)
    assert found[: len(run)] == run
    assert any("times: toy-double-answer" in note and said in note for note in notes), notes


def shifted(change):
    """The same with a cell before all others, as pages have it."""

    def both(notebook):
        notebook.cells.insert(0, nbformat.v4.new_markdown_cell("My lab"))
        change(notebook)

    return both


@pytest.mark.thorough
def test_added_cells_run_where_they_stand_and_copies_of_tests_do_not(toy, tmp_path):
    def change(notebook):
        helper = new_code_cell("def plus(x, y):\n    return x + y")
        copied = copy.deepcopy(notebook.cells[4])
        copied.source = "raise SystemExit"
        notebook.cells[3:3] = [helper]
        notebook.cells.append(copied)

    uses_helper = doubling("double = lambda x: plus(x, x)")
    marks = graded(toy, hand_in(toy, tmp_path, change=change, **uses_helper))
    assert (marks["double-tests"].points, marks["mean-tests"].points) == (2, 3)


def test_a_copy_of_a_stub_without_a_name_is_not_run(toy, tmp_path):
    path = hand_in(toy, tmp_path, change=copied(STUB_CELL, place=4, name=None), **RIGHT)
    run, notes = sources_of(toy, path)
    assert STUB_CELL not in run
    (note,) = notes
    assert re.search(naming("Cell 5", "not run", "toy-double-answer"), note)


def test_a_cell_of_another_lab_is_named_and_runs_as_an_added_one(toy, tmp_path):
    path = hand_in(toy, tmp_path, change=copied(GOOD, place=4, name="lab99-other"), **RIGHT)
    run, notes = sources_of(toy, path)
    assert run[:3] == [GOOD, GOOD, "tests"]
    assert any("lab99-other" in note for note in notes)


def test_both_copies_of_an_answer_in_words_are_shown_and_copies_of_tests_are_named(toy, tmp_path):
    def change(notebook):
        words = copy.deepcopy(notebook.cells[-1])
        words.source = "And no other."
        notebook.cells.append(words)
        notebook.cells.append(copy.deepcopy(notebook.cells[TESTS]))

    handed_in = submission(hand_in(toy, tmp_path, change=change, **RIGHT), [toy])
    words = next(cell for cell in handed_in.notebook.cells if role(cell) == "words")
    assert words.source == "It is the value itself.\n\nAnd no other."
    assert sorted(note.partition(":")[0] for note in handed_in.notes) == ["Occurs 2 times"] * 2


# Answers in words outside their cells.

SEEN = "It is the value itself."
WORDS = -1  # place in the student version


def add_text(text: str, place: int | None = END, **metadata):
    """Add a text cell, as Colab does, before a place."""

    def change(notebook):
        at = len(notebook.cells) if place is None else place
        notebook.cells.insert(at, nbformat.v4.new_markdown_cell(text, metadata=metadata))

    return change


def add_code(source: str):
    return lambda notebook: notebook.cells.append(new_code_cell(source))


def delete_words(notebook):
    del notebook.cells[WORDS]


def write_below_the_question(notebook):
    notebook.cells[WORDS - 1].source += f"\n\n{SEEN}"


def lose_the_role(notebook):
    del notebook.cells[WORDS].metadata["nbgrader"]
    notebook.cells[WORDS].source += f"\n\n{SEEN}"


def in_turn(*changes):
    def change(notebook):
        for each in changes:
            each(notebook)

    return change


def mark_of_words(lab: Lab, path: Path) -> Mark:
    """The mark of the toy's last cell, without running the others."""
    handed_in = submission(path, [lab])
    names = [grade_id(cell) for cell in handed_in.notebook.cells if role(cell) == "tests"]
    *_, mark = marks_of(handed_in, dict.fromkeys(names, ""))
    assert mark.grade_id == "toy-words"
    return mark


@pytest.mark.parametrize(
    "change",
    [
        add_text(SEEN),
        add_text(SEEN, WORDS),
        add_text(SEEN, 0),
        add_text(SEEN, nbgrader={"grade_id": "lab99-words", "schema_version": 3}),
        in_turn(delete_words, add_text(SEEN)),
        in_turn(write_below_the_question, delete_words),
        write_below_the_question,
        lose_the_role,
        lambda notebook: notebook.cells.append(nbformat.v4.new_raw_cell(SEEN)),
        add_code(SEEN),
        add_code(f"# {SEEN}"),
        add_code(f'"""{SEEN}"""'),
        add_code(f'print("{SEEN}")'),
        add_code(f'answer = "{SEEN}"'),
    ],
    ids=[
        "added",
        "added above",
        "added at the top",
        "of another lab",
        "deleted and added",
        "deleted and below the question",
        "below the question",
        "role lost",
        "raw",
        "no Python",
        "comment",
        "string",
        "printed",
        "named",
    ],
)
def test_text_outside_an_empty_cell_for_words_is_shown_and_waits_for_a_person(
    toy, tmp_path, change
):
    mark = mark_of_words(toy, hand_in(toy, tmp_path, change=change))
    assert mark.points is None
    assert SEEN in mark.text
    assert lab_files.TEXT_STUB not in mark.text
    assert mark.rubric


@pytest.mark.parametrize(
    "change",
    [
        None,
        delete_words,
        add_text(lab_files.TEXT_STUB),
        add_text("  \n"),
        add_text("---"),
        add_text("## Exercise 3 · In words"),
        add_text('<a href="https://a.b"><img src="https://c.d/assets/colab-badge.svg"/></a>', 0),
        add_code("scratch = double(4)\nprint(scratch)"),
        add_code("%pip install mtsig_nb"),
        add_code(""),
        add_code(STUB_CELL),
    ],
)
def test_where_nothing_was_written_an_answer_in_words_is_not_answered(toy, tmp_path, change):
    mark = mark_of_words(toy, hand_in(toy, tmp_path, change=change))
    assert (mark.points, mark.text) == (0, "")


def test_what_was_written_is_shown_with_its_place_in_the_file(toy, tmp_path):
    pasted = "![scan](data:image/png;base64,iVBORw0KGgo=)"
    change = in_turn(add_text("A remark.", 2), add_text(f"{SEEN}\n{pasted}"))
    mark = mark_of_words(toy, hand_in(toy, tmp_path, change=change))
    remark, _, answer = mark.text.partition("\n\n")
    assert re.search(naming("Cell 3 ", "A remark."), remark)
    assert re.search(naming("Cell 12 ", "Exercise 3 · In words", SEEN), answer)
    assert "iVBOR" not in mark.text


def test_an_answer_that_goes_on_in_an_added_cell_is_shown_whole(toy, tmp_path):
    change = in_turn(add_text("A remark.", 2), add_text("And no other."))
    mark = mark_of_words(toy, hand_in(toy, tmp_path, change=change, **RIGHT))
    assert mark.points is None
    assert mark.text.startswith(RIGHT["words"])
    assert mark.text.endswith("And no other.")
    assert "A remark." not in mark.text


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.instructor.stem)
def test_what_a_home_adds_to_a_lab_is_no_answer(lab):
    name = files.name_of(lab.student)
    for add in (
        lambda notebook: None,
        lambda notebook: public_copy.make_public(notebook, name, "someone/course", "main"),
        lambda notebook: staging.insert_installation(notebook, ["a-wheel"]),
    ):
        notebook = files.read(lab.student)
        add(notebook)
        assert written_elsewhere(notebook, lab) == []


@pytest.mark.takes_time
def test_the_table_holds_the_points_of_an_answer_in_an_added_cell_back(known, tmp_path, capsys):
    change = in_turn(delete_words, add_text(SEEN))
    path = hand_in(known, tmp_path, change=change, **RIGHT)
    table = tmp_path / "marks.csv"
    assert grade.main([str(path), "--csv", str(table)]) == 0
    row = rows_of(table)[-1]
    assert (row["grade_id"], row["points"], row["by_hand"]) == ("toy-words", "", "yes")
    assert SEEN in capsys.readouterr().out


PATCHED = """\
import contextlib, mtsig_nb.teaching
mtsig_nb.teaching.own_work = contextlib.nullcontext
import scipy.stats
def double(x):
    return 2 * x + 0 * scipy.stats.binomtest(1, 2).pvalue
"""


@pytest.mark.thorough
def test_an_answer_cannot_exchange_what_notices_calls(tmp_path):
    notebook = instructor_version()
    for cell in notebook.cells:
        if grade_id(cell) == "toy-double-tests":
            within = indent(cell.source.partition("\n")[0], "    ")
            cell.source = (
                f"from mtsig_nb.teaching import own_work\nwith own_work():\n{within}\n"
                "### BEGIN HIDDEN TESTS\nassert double(1) == 2\n### END HIDDEN TESTS"
            )
    lab = Lab(tmp_path / "instructor" / "lab_toy.ipynb", tmp_path / "student" / "lab_toy.ipynb")
    files.write(notebook, lab.instructor)
    files.write(lab_files.student_version(notebook), lab.student)
    marks = graded(lab, hand_in(lab, tmp_path, **doubling(PATCHED)))
    assert marks["double-tests"].points == 0
    assert "this calls" in marks["double-tests"].feedback
    marks = graded(lab, hand_in(lab, tmp_path, **RIGHT))
    assert marks["double-tests"].points == 2


# Why a file cannot be graded.


def changed(path: Path, change) -> str:
    notebook = json.loads(path.read_text())
    change(notebook)
    return json.dumps(notebook)


def _set(key, value):
    return lambda notebook: notebook.__setitem__(key, value)


def _set_in_cell(key, value):
    return lambda notebook: notebook["cells"][1].__setitem__(key, value)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "(it is empty)"),
        (" \n", "(it is empty)"),
        ("\n<!DOCTYPE html>\n<html>", "(it is a web page)"),
        ("PK\x03\x04", "(it is an archive, such as .zip or .docx)"),
        ("print(1)", "(line 1 is not JSON: "),
        ('{"cells": [\n', "(it is cut off in line 2)"),
        ("{\n<<<<<<< HEAD\n}", "(it contains the marks of an unfinished merge)"),
        (b'{"cells": "caf\xe9"}', "(byte 14 is not UTF-8)"),
        ("[]", "(it is JSON, but not a notebook)"),
        (lambda n: n.pop("nbformat"), "(it has no version (nbformat))"),
        (_set("nbformat", 5), "(it has notebook version 5, and only versions up to 4 can be read)"),
        (_set("nbformat", 3), "(it has version 3, but no worksheets)"),
        (lambda n: n.pop("cells"), "(it has no list of cells)"),
        (lambda n: n["cells"][1].pop("source"), "(cell 2 has no source)"),
        (_set_in_cell("metadata", None), "(cell 2 has no metadata)"),
        (_set_in_cell("cell_type", "sql"), "(cell 2 is neither code nor text)"),
        (_set("cells", []), "none of its cells belongs to a lab"),
    ],
)
def test_the_reason_for_which_a_file_is_refused_is_true(toy, tmp_path, content, reason):
    path = tmp_path / "handed in.ipynb"
    if callable(content):
        content = changed(toy.student, content)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(files.NotebookError) as refused:
        submission(path, [toy])
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (Path.mkdir, "is a folder. Name the .ipynb files in it."),
        (os.mkfifo, "is a device or a pipe."),
        (lambda path: path.symlink_to("/etc/hostname"), "is a link."),
        (lambda path: None, "there is no such file."),
    ],
)
def test_what_is_no_file_is_refused_for_what_it_is(toy, tmp_path, make, reason):
    make(tmp_path / "x.ipynb")
    with pytest.raises(files.NotebookError) as refused:
        submission(tmp_path / "x.ipynb", [toy])
    assert str(refused.value).startswith(reason)


def test_a_file_whose_name_is_too_long_is_refused_and_not_the_class(toy, tmp_path):
    with pytest.raises(files.NotebookError, match=os.strerror(errno.ENAMETOOLONG)):
        submission(tmp_path / ("a" * 300), [toy])


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32-le"])
def test_a_notebook_may_be_in_any_encoding_of_unicode(toy, tmp_path, encoding):
    path = hand_in(toy, tmp_path, **RIGHT)
    path.write_bytes(path.read_text().encode(encoding))
    assert submission(path, [toy]).lab == toy


def test_odd_outputs_do_not_matter(toy, tmp_path):
    odd = changed(hand_in(toy, tmp_path, **RIGHT), _set_in_cell("outputs", "none"))
    (tmp_path / "odd.ipynb").write_text(odd)
    assert submission(tmp_path / "odd.ipynb", [toy]).notes == []
