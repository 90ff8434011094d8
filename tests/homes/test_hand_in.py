"""From Colab to a mark: a lab in Colab's file format, out of Moodle's archive, into its gradebook.

Colab itself is not asked: the file has what Colab's files have, and lacks what they lack.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path

import nbformat
import pytest

from tools.labs import grade, gradebook
from tools.notebooks import files
from tools.site import public_copy

LAB = "lab_03_exchange_and_count"
LABS = files.ROOT / "notebooks" / "labs"
ROSTER = """\
First name,Last name,ID number,Email address
Sam,Twelve,s12,sam@example.org
Ada,Ash,s1,ada@example.org
Eve,Elm,s3,eve@example.org
"""
WORDS = "lab03-seed-words"
#: Three students' files: named as told, a copy that nobody renamed, and a second download.
HANDED_IN = {
    "sam@example.org": f"Sam Twelve_48211_assignsubmission_file/s12_{LAB}.ipynb",
    "ada@example.org": f"Ada Ash_48212_assignsubmission_file_Copy of {LAB}.ipynb",
    "eve@example.org": f"Eve Elm_48213_assignsubmission_file_/{LAB} (1).ipynb",
}


def saved_by_colab(answered: set[str]) -> str:
    """The lab of the public copy, with the answers to some exercises, as Colab saves it."""
    notebook = files.read(LABS / "student" / f"{LAB}.ipynb")
    public_copy.make_public(notebook, f"notebooks/labs/student/{LAB}.ipynb", "a/b", "main")
    solved = files.read(LABS / "instructor" / f"{LAB}.ipynb")
    answers = {grade_id(cell): cell.source for cell in solved.cells}
    answers[WORDS] = "The seed was chosen for its p-value. Report the exact one."
    for number, cell in enumerate(notebook.cells):
        if grade_id(cell) in answered:
            cell.source = answers[grade_id(cell)]
        # Colab has ids among a cell's metadata, and adds who ran it, and when.
        cell.metadata["id"] = f"cell{number}"
        if cell.cell_type == "code":
            user = {"displayName": "Sam", "userId": "0123456789"}
            cell.metadata["executionInfo"] = {"status": "ok", "elapsed": 412, "user": user}
            cell.metadata["colab"] = {"base_uri": "https://localhost:8080/"}
            cell.execution_count = number
            cell.outputs = [nbformat.v4.new_output("stream", text="what Colab printed\n")]
    saved = json.loads(nbformat.writes(notebook))
    for cell in saved["cells"]:
        del cell["id"]
    kernel = {"name": "python3", "display_name": "Python 3"}
    saved["metadata"] = {"colab": {"provenance": [], "toc_visible": True}, "kernelspec": kernel}
    saved["nbformat_minor"] = 0
    return json.dumps(saved)


def grade_id(cell: nbformat.NotebookNode) -> str:
    return cell.metadata.get("nbgrader", {}).get("grade_id", "")


@pytest.mark.slow
def test_files_of_colab_in_moodles_archive_become_marks(tmp_path, monkeypatch, capsys):
    code = {f"lab03-{name}-answer" for name in ("exact", "side", "mended", "enough")}
    some = {"lab03-exact-answer"}
    answered = dict(zip(HANDED_IN, (code | {WORDS}, some, set()), strict=True))
    monkeypatch.chdir(tmp_path)
    for student, file in HANDED_IN.items():
        place = Path("submissions", file)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(saved_by_colab(answered[student]), encoding="utf-8")
    Path("submissions", "Ada Ash_48212_assignsubmission_file_lab.py").touch()
    Path("submissions", "__MACOSX").mkdir()
    Path("submissions", "__MACOSX", "._lab.ipynb").touch()
    assert grade.main(["submissions", "--csv", "marks.csv"]) == 0
    (left_out,) = capsys.readouterr().err.splitlines()
    assert "Ada Ash_48212_assignsubmission_file_lab.py" in left_out
    read_the_words("marks.csv")
    Path("class.csv").write_text(ROSTER, encoding="utf-8")
    assert gradebook.main(["marks.csv", "--roster", "class.csv", "--moodle", "moodle.csv"]) == 0
    with open("moodle.csv", newline="", encoding="utf-8") as stream:
        marks = {row["Email address"]: row[LAB] for row in csv.DictReader(stream)}
    assert marks == {"sam@example.org": "14", "ada@example.org": "3", "eve@example.org": "0"}


def read_the_words(table: str) -> None:
    """A person gives every answer in words all of its points."""
    with open(table, newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        if row["by_hand"] == "yes":
            assert row["points"] == ""
            row["points"] = row["possible"]
    with open(table, "w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(rows)
