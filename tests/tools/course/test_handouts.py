"""What a lecturer prints: pages that need nothing else, and PDF where there is Chromium."""

from __future__ import annotations

import html
import re
import tomllib
import unicodedata

import nbformat
import pytest
from nbgrader.utils import is_grade

from tools.course import handouts
from tools.course.inventory import read as read_inventory
from tools.labs import lab_files
from tools.notebooks import files
from tools.site.pages import Unit

from ...browser.pages import CHROMIUM

NAMES = {"checklist", "exam", "key", "referee", "referee-answers", "answers", "rubrics"}


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("handouts")
    assert handouts.main(["--to", str(folder)]) == 0
    return folder


@pytest.mark.thorough
def test_every_handout_is_a_page_that_asks_for_nothing(printed):
    pages = {path.stem: path.read_text(encoding="utf-8") for path in printed.glob("*.html")}
    assert set(pages) == NAMES | {"inventory"}
    for name, page in pages.items():
        # The licence may be followed; nothing is loaded.
        assert not re.search(r"(src|(?<!rel=\"license\" )href)=\"?(https?:|/|\.)", page), name
        assert "../notebooks" not in page, name
    assert pages["referee"].count("<blockquote>") == pages["referee-answers"].count("<blockquote>")
    assert "Does not follow." in pages["referee-answers"]
    assert "ollow." not in pages["referee"]
    assert pages["exam"].count("☐") == 108
    assert pages["key"].count("Misconception:") == 81
    assert "<summary>" not in pages["answers"]
    cells = [cell.source for path in files.series() for cell in files.read(path).cells]
    questions = re.findall(r"^\*\*\d+\.\*\*", "\n\n".join(cells), re.MULTILINE)
    assert pages["answers"].count("<blockquote>") >= len(questions) >= 60
    titles = [Unit.of(path).title for path in files.series()]
    assert all(html.escape(title) in pages["answers"] for title in titles)


def test_answers_have_no_trace_of_code_cells(tmp_path):
    markdown = nbformat.v4.new_markdown_cell
    code = nbformat.v4.new_code_cell
    unit = nbformat.v4.new_notebook(
        cells=[
            markdown("# A unit"),
            markdown("## Exercises\n\n**1.** Which is ahead?"),
            code("score_b > score_a"),
            markdown("<details><summary>Answer</summary>\n\nThe second.\n\n</details>"),
            markdown("**2.** By how much?"),
            code("score_b - score_a"),
        ]
    )
    path = tmp_path / "unit.ipynb"
    nbformat.write(unit, path)
    title, exercises = handouts._answers_of_unit(path)
    assert title == "## A unit"
    lines = [line for line in exercises.splitlines() if line]
    assert lines == ["**1.** Which is ahead?", "> The second.", "**2.** By how much?"]

    controls = {letter for letter in handouts.answers() if unicodedata.category(letter) == "Cc"}
    assert controls == {"\n"}


def test_rubrics_have_every_exercise_with_its_points_and_two_oral_questions_a_lab():
    sections = handouts.rubrics().split("\n## ")[1:]
    oral = tomllib.loads(handouts.ORAL.read_text(encoding="utf-8"))
    assert set(oral) == {lab.instructor.stem[:6] for lab in handouts.labs()}
    for section, lab in zip(sections, handouts.labs(), strict=True):
        instructor = files.read(lab.instructor)
        graded = {c.metadata.nbgrader.grade_id: c for c in instructor.cells if is_grade(c)}
        rows = [line.split(" | ") for line in section.splitlines() if line.startswith("| ")][2:]
        titles = lab_files.exercise_titles(instructor)
        for row, (name, cell) in zip(rows, graded.items(), strict=True):
            assert row[0].removeprefix("| ") == titles[name].removeprefix("Exercise ")
            assert float(row[1]) == cell.metadata.nbgrader.points
            given = lab_files.POINTS_OF_RUBRIC.findall(row[3].replace("<br>", " "))
            assert row[2] == "by tests" or sum(map(float, given)) == float(row[1])
        questions = oral[lab.instructor.stem[:6]]
        assert len(questions) == 2
        assert all(question["ask"] in section for question in questions)
        assert all(len(question["good"].split()) >= 12 for question in questions)


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_the_checklist_is_one_sheet_and_everything_is_a_pdf(printed):
    pdf = {path.stem: path.read_bytes() for path in printed.glob("*.pdf")}
    assert set(pdf) == NAMES
    sheets = {name: len(re.findall(rb"/Type /Page\b", data)) for name, data in pdf.items()}
    assert sheets["checklist"] == 1
    assert all(2 <= number <= 60 for name, number in sheets.items() if name != "checklist"), sheets


def test_nothing_is_written_where_a_question_is_answered_by_its_wording(
    tmp_path, monkeypatch, capsys
):
    worse = tmp_path / "worse.toml"
    text = files.INVENTORY.read_text(encoding="utf-8")
    worse.write_text(text.replace("next-test-set = ", "next = ", 1), encoding="utf-8")
    monkeypatch.setattr(handouts, "read", lambda: read_inventory(worse))
    monkeypatch.setattr(handouts.referee, "cards", list)
    assert handouts.main(["--to", str(tmp_path / "none")]) == 1
    assert "a misconception" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()
