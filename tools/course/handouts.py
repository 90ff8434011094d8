"""``make handouts``: what a lecturer prints, as pages and as PDF, in ``build/handouts``.

The reviewer's checklist; the concept inventory as an exam, with its key; the cards of *Referee the
paper*, without and with answers; the answers to all that units ask, and labs in words; how labs are
marked, with oral questions.  Also the inventory as a page that gives codes, and its notebook, which
lies beside the labs.  Nothing is written if a question is answered by its wording, or a card by the
data otherwise.  PDF are printed by Chromium; where it is not installed, any browser prints pages.
"""

from __future__ import annotations

import argparse
import itertools
import re
import subprocess
import sys
import tempfile
import tomllib
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
#: Seconds for one PDF.
PRINTING_S = 120


def main(arguments: list[str] | None = None) -> int:
    """Write everything, and say where; the exit status is 1 if something is not fit for a class."""
    parser = argparse.ArgumentParser(prog="make handouts", description=__doc__)
    parser.add_argument("--to", type=Path, default=files.ROOT / "build/handouts", metavar="FOLDER")
    options = parser.parse_args(arguments)
    inventory, cards = read(), referee.cards()
    found = problems(inventory) + [p for card in cards for p in card.problems()]
    if found:
        print(*found, sep="\n", file=sys.stderr)
        return 1
    files.write(to_notebook(inventory), NOTEBOOK)
    documents = {
        "checklist": UNIT_LINK.sub("(unit\u00a0\\1)", CHECKLIST.read_text(encoding="utf-8")),
        "exam": to_markdown("exam", inventory),
        "key": to_markdown("key", inventory),
        "referee": referee.pack(cards, answers=False),
        "referee-answers": referee.pack(cards, answers=True),
        "answers": answers(),
        "rubrics": rubrics(),
    }
    options.to.mkdir(parents=True, exist_ok=True)
    for name, markdown in documents.items():
        print(*print_page(options.to / f"{name}.html", markdown), sep="\n")
    page = options.to / "inventory.html"
    component = inventory_exam(files.INVENTORY)._repr_html_()
    head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Concept inventory</title>'
    write_whole(page, f"{head}<body>{component}</body></html>\n")
    print(page)
    if not chromium():
        print("No PDF: Chromium is not installed. Print the pages from any browser.")
    return 0


def answers() -> str:
    """Every question and exercise of the units with its answer, and what labs ask in words."""
    found = [
        "# Answers\n\nWhat the units ask under “Check yourself” and “Exercises”, and what the labs "
        "ask in words, with the points.\n"
    ]
    for path in files.series():
        sections = reading.sections(files.read(path))
        asked = [sections[name] for name in ASKING if name in sections]
        if asked:
            found.append(f"## {Unit.of(path).title}")
            ends = (section.partition("\n---\n")[0].strip() for section in asked)
            listed = map(reading.with_listed_options, ends)
            found += [reading.FOLD.sub(_quoted, section) for section in listed]
    for lab in labs():
        instructor = files.read(lab.instructor)
        found.append(f"## {Unit.of(lab.instructor).title}")
        for above, cell in itertools.pairwise(instructor.cells):
            if role(cell) == "words":
                found += [re.sub(r"^## ", "### ", above.source), _quoted(f"\n{cell.source}\n")]
    return RELATIVE_LINK.sub(r"\1", "\n\n".join(found))


def rubrics() -> str:
    """How each lab is marked, exercise by exercise, and what to ask who handed it in."""
    oral = tomllib.loads(ORAL.read_text(encoding="utf-8"))
    shown = [(files.read(lab.instructor), oral[lab.instructor.stem[:6]]) for lab in labs()]
    page = templates(TEMPLATES).get_template("rubrics.md.j2")
    return page.render(labs=shown, of=lab_files)


def _quoted(answer: re.Match[str] | str) -> str:
    text = answer if isinstance(answer, str) else answer[1]
    return "\n".join(f"> {line}".rstrip() for line in text.strip().splitlines())


def print_page(page: Path, markdown: str) -> list[Path]:
    """Write a page for the printer, which needs nothing from elsewhere, and print it as PDF."""
    body = MarkdownIt("commonmark").enable("table").render(markdown)
    title = markdown.splitlines()[0].removeprefix("# ")
    # The Markdown is ours, and raw HTML in it is meant: lines to write on.
    write_whole(page, plain_page("paper.html.j2", heading=title, content=Markup(body)))
    if not (browser := chromium()):
        return [page]
    pdf = page.with_suffix(".pdf")
    pdf.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as profile:
        # No sandbox: the page is our own, and asks for nothing.
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
        command += [f"--user-data-dir={profile}", f"--print-to-pdf={pdf}", page.resolve().as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=PRINTING_S)
    return [page, pdf]


if __name__ == "__main__":
    sys.exit(main())
