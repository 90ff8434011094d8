"""``make quizzes``: all questions for a learning platform, in ``build/quizzes``.

The concept inventory and every unit's *Check yourself*, with feedback for each answer: as Moodle
XML (``questions.xml``) and as a package of QTI 2.1 (``questions-qti.zip``), which Canvas, ILIAS and
others read.  Each question gives one point.
"""

from __future__ import annotations

import argparse
import dataclasses
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import jinja2
from markdown_it import MarkdownIt
from markupsafe import Markup

from mtsig_nb.writing import whole_file, write_whole

from . import course, inventory
from . import notebook_files as files
from .pages import TEMPLATES, Unit

#: A question of a unit, its answers to choose from, and the paragraph behind it.
ASKED = re.compile(
    r"((?:^>[^\n]*\n)+)\s*<details>\s*<summary>[^\n]*</summary>(.*?)\n</details>", re.M | re.S
)
CHOICE = re.compile(r'<details( class="right")?><summary>(.*?)</summary>(.*?)</details>', re.S)
MARKDOWN = MarkdownIt("commonmark", {"xhtmlOut": True}).enable("table")


@dataclasses.dataclass(frozen=True)
class Choice:
    """An answer to choose, whether it is right, and what its choice is answered; Markdown."""

    text: str
    right: bool
    feedback: str


@dataclasses.dataclass(frozen=True)
class Question:
    """A question with one right answer; Markdown."""

    name: str
    category: str
    stem: str
    choices: tuple[Choice, ...]
    answer: str

    @property
    def identifier(self) -> str:
        """Its name as XML allows it."""
        return re.sub(r"\W+", "-", self.name)


def main(arguments: list[str] | None = None) -> int:
    """Write both files, and say where."""
    parser = argparse.ArgumentParser(prog="make quizzes", description=__doc__)
    parser.add_argument("--to", type=Path, default=files.ROOT / "build/quizzes", metavar="FOLDER")
    options = parser.parse_args(arguments)
    options.to.mkdir(parents=True, exist_ok=True)
    asked = [*of_inventory(), *of_units()]
    write_whole(options.to / "questions.xml", rendered("moodle.xml.j2", questions=asked))
    write_package(options.to / "questions-qti.zip", asked)
    print(
        f"{len(asked)} questions in {options.to}: questions.xml (Moodle), questions-qti.zip (QTI)"
    )
    return 0


def of_inventory() -> Iterator[Question]:
    """The inventory's questions; a wrong answer is answered by the misconception behind it."""
    found = inventory.read()
    for number, item in enumerate(found.items, 1):
        behind = {
            option: f"A misconception: {found.misconceptions[option.misconception]}"
            for option in item.wrong
        }
        choices = tuple(
            Choice(option.text, option.right, behind.get(option, "This is correct."))
            for option in item.options
        )
        yield Question(f"Inventory {number}", "Inventory", item.stem, choices, item.because)


def of_units() -> Iterator[Question]:
    """What units ask under *Check yourself*."""
    for path in files.series():
        text = course.sections(files.read(path)).get(course.QUESTIONS, "")
        for number, (quote, answer) in enumerate(ASKED.findall(text), 1):
            asked = re.sub(r"^> ?", "", quote, flags=re.M)
            choices = tuple(
                Choice(said, bool(right), reply) for right, said, reply in CHOICE.findall(asked)
            )
            title = Unit.of(path).title
            name = f"Unit {title.partition(' ')[0]} question {number}"
            yield Question(name, title, CHOICE.sub("", asked), choices, answer)


def html(markdown: str) -> Markup:
    """Markdown as well-formed HTML; links into the course are no links elsewhere."""
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", markdown).strip()
    return Markup(MARKDOWN.render(text).strip())


def inline(markdown: str) -> Markup:
    """One paragraph as HTML, without the element around it."""
    return Markup(html(" ".join(markdown.split())).removeprefix("<p>").removesuffix("</p>"))


def rendered(template: str, **shown: object) -> str:
    """A template of questions, filled in."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES / "quiz"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters.update(html=html, inline=inline)
    return environment.get_template(template).render(**shown)


def write_package(path: Path, questions: list[Question]) -> None:
    """A package of QTI 2.1: an item a question, a test a category, and what lists them."""
    tests: dict[str, list[Question]] = {}
    for question in questions:
        tests.setdefault(question.category, []).append(question)
    numbered = list(enumerate(tests.items(), 1))
    with whole_file(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("imsmanifest.xml", rendered("manifest.xml.j2", tests=numbered))
        for number, (title, asked) in numbered:
            test = rendered("test.xml.j2", number=number, title=title, questions=asked)
            package.writestr(f"test-{number}.xml", test)
        for question in questions:
            item = rendered("item.xml.j2", question=question)
            package.writestr(f"items/{question.identifier}.xml", item)


if __name__ == "__main__":
    sys.exit(main())
