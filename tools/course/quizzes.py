"""``make quizzes``: all questions for a learning platform, in ``build/quizzes``.

The concept inventory and every unit's *Check yourself*, with feedback for each answer: as Moodle
XML (``questions.xml``) and as a package of QTI 2.1 (``questions-qti.zip``).  Each question gives
one point.
"""

from __future__ import annotations

import argparse
import dataclasses
import re
import sys
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from markdown_it import MarkdownIt
from markupsafe import Markup

from mtsig_nb.writing import whole_file, write_whole

from ..notebooks import files
from ..repository.templating import html_templates
from ..site.pages import Unit
from . import TEMPLATES, inventory, reading

MARKDOWN = MarkdownIt("commonmark", {"xhtmlOut": True}).enable("table")


@dataclasses.dataclass(frozen=True)
class Question(reading.Question):
    """A question with one right answer, its name, and the test that it belongs to."""

    name: str = ""
    category: str = ""

    @property
    def identifier(self) -> str:
        """Its name as XML allows it."""
        return re.sub(r"\W+", "-", self.name)


def main(arguments: list[str] | None = None) -> int:
    """Write all files, and say where."""
    parser = argparse.ArgumentParser(prog="make quizzes", description=__doc__)
    parser.add_argument("--to", type=Path, default=files.ROOT / "build/quizzes", metavar="FOLDER")
    options = parser.parse_args(arguments)
    options.to.mkdir(parents=True, exist_ok=True)
    asked = [*of_inventory(), *of_units()]
    write_whole(options.to / "questions.xml", rendered("moodle.xml.j2", questions=asked))
    write_package(options.to / "questions-qti.zip", qti21(asked))
    print(
        f"{len(asked)} questions in {options.to}: questions.xml (Moodle), questions-qti.zip (QTI)"
    )
    return 0


def of_inventory() -> Iterator[Question]:
    """The inventory's questions; a wrong answer is answered by the misconception behind it."""
    concepts = inventory.read()
    for number, item in enumerate(concepts.items, 1):
        choices = []
        for option in item.options:
            if option.right:
                feedback = "This is correct."
            else:
                feedback = f"A misconception: {concepts.misconceptions[option.misconception]}"
            choices.append(reading.Choice(option.text, option.right, feedback))
        name = f"Inventory {number}"
        yield Question(item.stem, tuple(choices), item.because, name, "Inventory")


def of_units() -> Iterator[Question]:
    """What units ask under *Check yourself*."""
    for path in files.series():
        title = Unit.of(path).title
        unit_number = title.partition(" ")[0]
        sections = reading.sections(files.read(path))
        section = sections.get(reading.QUESTIONS, "")
        for number, asked in enumerate(reading.questions(section), 1):
            name = f"Unit {unit_number} question {number}"
            yield Question(asked.stem, asked.choices, asked.answer, name, title)


def html(markdown: str) -> Markup:
    """Markdown as well-formed HTML; links into the course are no links elsewhere."""
    without_links = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", markdown)
    rendered_text = MARKDOWN.render(without_links.strip())
    return Markup(rendered_text.strip())


def inline(markdown: str) -> Markup:
    """One paragraph as HTML, without the element around it."""
    on_one_line = " ".join(markdown.split())
    paragraph = html(on_one_line)
    return Markup(paragraph.removeprefix("<p>").removesuffix("</p>"))


def rendered(template: str, **shown: object) -> str:
    """A template of questions, filled in."""
    return XML.get_template(template).render(**shown)


XML = html_templates(TEMPLATES / "quiz").overlay(trim_blocks=True, lstrip_blocks=True)
XML.filters.update(html=html, inline=inline)


def write_package(path: Path, contents: dict[str, str]) -> None:
    """A package of files, by their names in it."""
    with whole_file(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in contents.items():
            package.writestr(name, content)


def qti21(questions: list[Question]) -> dict[str, str]:
    """A package of QTI 2.1: an item a question, a test a category, and what lists them."""
    categories = defaultdict(list)
    for question in questions:
        categories[question.category].append(question)
    tests = list(enumerate(categories.items(), 1))
    contents = {"imsmanifest.xml": rendered("manifest.xml.j2", tests=tests)}
    for number, (title, asked) in tests:
        contents[f"test-{number}.xml"] = rendered(
            "test.xml.j2", number=number, title=title, questions=asked
        )
    for question in questions:
        contents[f"items/{question.identifier}.xml"] = rendered("item.xml.j2", question=question)
    return contents


if __name__ == "__main__":
    sys.exit(main())
