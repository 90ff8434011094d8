"""``make handouts``: what a lecturer prints, as pages and as PDF, in ``build/handouts``.

For the printer, each as a page and as PDF:

- ``checklist``: the reviewer's checklist;
- ``exam`` and ``key``: the concept inventory, and its key;
- ``referee`` and ``referee-answers``: the cards of *Referee the paper*, without and with answers;
- ``answers``: the answers to the units' questions and exercises, and to the labs' in words;
- ``rubrics``: how labs are marked, and oral questions about them.

``inventory.html`` is the inventory as a page that gives codes.  The inventory's notebook is written
beside the labs.

Nothing is written if the inventory or a card has a problem: a question's wording gives its answer
away, say, or the data do not bear out a card.  Chromium makes the PDF.  Where it is not installed,
pages alone are written, and can be printed from any browser.
"""

from __future__ import annotations

import argparse
import itertools
import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from markdown_it import MarkdownIt
from markupsafe import Markup

from mtsig_nb.teaching import inventory as inventory_exam
from mtsig_nb.writing import write_whole

from ..labs import lab_files
from ..labs.lab_files import labs, role
from ..notebooks import files
from ..repository.missing_programs import chromium
from ..repository.templating import templates
from ..site.pages import Unit, plain_page
from . import TEMPLATES, reading, referee
from .inventory import NOTEBOOK, problems, read, to_markdown, to_notebook

ORAL = files.LABS / "oral.toml"
CHECKLIST = files.ROOT / "docs" / "checklist.md"
#: The units behind a question, as Markdown; on paper the number is enough.
UNIT_LINK = re.compile(r"\[\[(\d+)\]\([^)]*\)\]")
#: Any link to another notebook.
RELATIVE_LINK = re.compile(r"\[([^\]]*)\]\((?!https?:|#)[^)]*\)")
#: Sections of a unit whose answers lie in folds.
ASKING = (reading.QUESTIONS, reading.EXERCISES)


def main(arguments: list[str] | None = None) -> int:
    """Write everything, and say where; the exit status is 1 if something is not fit for a class."""
    parser = argparse.ArgumentParser(prog="make handouts", description=__doc__)
    parser.add_argument("--to", type=Path, default=files.ROOT / "build/handouts", metavar="FOLDER")
    options = parser.parse_args(arguments)
    inventory = read()
    cards = referee.cards()
    found = problems(inventory)
    for card in cards:
        found += card.problems()
    if found:
        print(*found, sep="\n", file=sys.stderr)
        return 1
    files.write(to_notebook(inventory), NOTEBOOK)
    checklist = CHECKLIST.read_text(encoding="utf-8")
    documents = {
        "checklist": UNIT_LINK.sub("(unit\u00a0\\1)", checklist),
        "exam": to_markdown("exam", inventory),
        "key": to_markdown("key", inventory),
        "referee": referee.pack(cards, answers=False),
        "referee-answers": referee.pack(cards, answers=True),
        "answers": answers(),
        "rubrics": rubrics(),
    }
    options.to.mkdir(parents=True, exist_ok=True)
    pages = [
        write_page(options.to / f"{name}.html", markdown) for name, markdown in documents.items()
    ]
    print(*pages, sep="\n")
    page = options.to / "inventory.html"
    write_whole(page, page_that_gives_codes())
    print(page)
    browser = chromium()
    if browser:
        print(*printed(pages, browser), sep="\n")
    else:
        print("No PDF: Chromium is not installed. Print the pages from any browser.")
    return 0


def page_that_gives_codes() -> str:
    """The inventory as a page of its own."""
    component = inventory_exam(files.INVENTORY)._repr_html_()
    head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Concept inventory</title>'
    return f"{head}<body>{component}</body></html>\n"


def answers() -> str:
    """Every question and exercise of the units with its answer, and what labs ask in words."""
    found = [
        "# Answers\n\nWhat the units ask under “Check yourself” and “Exercises”, and what the labs "
        "ask in words, with the points.\n"
    ]
    for path in files.series():
        found += _answers_of_unit(path)
    for lab in labs():
        found += _answers_of_lab(lab.instructor)
    return RELATIVE_LINK.sub(r"\1", "\n\n".join(found))


def _answers_of_unit(path: Path) -> list[str]:
    """A unit's title, questions and exercises with their answers; nothing if it has none."""
    sections = reading.sections(files.read(path))
    asked = [sections[name] for name in ASKING if name in sections]
    if not asked:
        return []
    found = [f"## {Unit.of(path).title}"]
    for section in asked:
        # A rule ends the text of a unit; below it are links to other units.
        above_the_rule, _, _ = section.partition("\n---\n")
        without_code = above_the_rule.replace(reading.CODE, "")
        # Answers to choose become a list, without the replies; folds become quotations.
        with_list = reading.with_listed_options(without_code.strip())
        found.append(reading.FOLD.sub(lambda fold: _quoted(fold[1]), with_list))
    return found


def _answers_of_lab(instructor: Path) -> list[str]:
    """A lab's title, and what it asks in words with the model answers."""
    found = [f"## {Unit.of(instructor).title}"]
    for above, cell in itertools.pairwise(files.read(instructor).cells):
        if role(cell) == "words":
            found.append(re.sub(r"^## ", "### ", above.source))
            found.append(_quoted(cell.source))
    return found


def rubrics() -> str:
    """How each lab is marked, exercise by exercise, and what to ask who handed it in."""
    oral = tomllib.loads(ORAL.read_text(encoding="utf-8"))
    shown = []
    for lab in labs():
        key = lab.instructor.stem[:6]  # in oral.toml: lab_01
        shown.append((files.read(lab.instructor), oral[key]))
    page = templates(TEMPLATES).get_template("rubrics.md.j2")
    # The template calls functions of the module: of.minutes(notebook), of.points(cell).
    return page.render(labs=shown, of=lab_files)


def _quoted(answer: str) -> str:
    """A text as a quotation in Markdown."""
    lines = answer.strip().splitlines()
    return "\n".join(f"> {line}".rstrip() for line in lines)


def write_page(page: Path, markdown: str) -> Path:
    """Write a page for the printer, which needs nothing from elsewhere."""
    body = MarkdownIt("commonmark").enable("table").render(markdown)
    title = markdown.splitlines()[0].removeprefix("# ")
    # The Markdown is ours, and raw HTML in it is meant: lines to write on.
    write_whole(page, plain_page("paper.html.j2", heading=title, content=Markup(body)))
    return page


def printed(pages: Sequence[Path], browser: str) -> list[Path]:
    """Print the pages as PDF, each beside itself: one Chromium prints them all."""
    from playwright.sync_api import sync_playwright  # only where there is a browser

    sheets = []
    with sync_playwright() as playwright:
        # No sandbox: the pages are our own, and ask for nothing.
        opened = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        paper = opened.new_page()
        for page in pages:
            sheet = page.with_suffix(".pdf")
            paper.goto(page.resolve().as_uri())
            paper.pdf(path=sheet, prefer_css_page_size=True, print_background=True)
            sheets.append(sheet)
        opened.close()
    return sheets


if __name__ == "__main__":
    sys.exit(main())
