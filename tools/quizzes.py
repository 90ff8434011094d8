"""``make quizzes``: all questions for a learning platform, in ``build/quizzes``.

The concept inventory and every unit's *Check yourself*, with feedback for each answer: as Moodle
XML (``questions.xml``) and as packages of QTI 2.1 (``questions-qti.zip``) and, for older importers,
of QTI 1.2 (``questions-qti12.zip``).  Each question gives one point.

``course.imscc`` is the course as an IMS Common Cartridge 1.1: a folder a part, in it the units, and
after each unit its questions.  With ``--address``, a unit is a link to its page there; without it,
the pages themselves are in the cartridge, as `tools.run_series` writes them, from stored outputs.
"""

from __future__ import annotations

import argparse
import dataclasses
import re
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import jinja2
from markdown_it import MarkdownIt
from markupsafe import Markup

from mtsig_nb.writing import whole_file, write_whole

from . import course, inventory
from . import notebook_files as files
from .pages import TEMPLATES, Outcome, Pages, Unit

MARKDOWN = MarkdownIt("commonmark", {"xhtmlOut": True}).enable("table")


@dataclasses.dataclass(frozen=True)
class Question(course.Question):
    """A question with one right answer, its name, and the test that it belongs to."""

    name: str = ""
    category: str = ""

    @property
    def identifier(self) -> str:
        """Its name as XML allows it."""
        return re.sub(r"\W+", "-", self.name)


def main(arguments: list[str] | None = None) -> int:
    """Write both files, and say where."""
    parser = argparse.ArgumentParser(prog="make quizzes", description=__doc__)
    parser.add_argument("--to", type=Path, default=files.ROOT / "build/quizzes", metavar="FOLDER")
    parser.add_argument(
        "--address", metavar="URL", help="where the folder of make run can be read: links, no pages"
    )
    options = parser.parse_args(arguments)
    options.to.mkdir(parents=True, exist_ok=True)
    asked = [*of_inventory(), *of_units()]
    write_whole(options.to / "questions.xml", rendered("moodle.xml.j2", questions=asked))
    write_package(options.to / "questions-qti.zip", asked)
    write_qti12(options.to / "questions-qti12.zip", asked)
    write_cartridge(options.to / "course.imscc", asked, options.address)
    print(
        f"{len(asked)} questions in {options.to}: questions.xml (Moodle), questions-qti.zip and "
        "questions-qti12.zip (QTI), course.imscc (Common Cartridge)"
    )
    return 0


def of_inventory() -> Iterator[Question]:
    """The inventory's questions; a wrong answer is answered by the misconception behind it."""
    found = inventory.read()
    for number, item in enumerate(found.items, 1):
        choices = tuple(
            course.Choice(
                option.text,
                option.right,
                "This is correct."
                if option.right
                else f"A misconception: {found.misconceptions[option.misconception]}",
            )
            for option in item.options
        )
        yield Question(item.stem, choices, item.because, f"Inventory {number}", "Inventory")


def of_units() -> Iterator[Question]:
    """What units ask under *Check yourself*."""
    for path in files.series():
        title = Unit.of(path).title
        text = course.sections(files.read(path)).get(course.QUESTIONS, "")
        for number, asked in enumerate(course.questions(text), 1):
            name = f"Unit {title.partition(' ')[0]} question {number}"
            yield Question(asked.stem, asked.choices, asked.answer, name, title)


def html(markdown: str) -> Markup:
    """Markdown as well-formed HTML; links into the course are no links elsewhere."""
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", markdown).strip()
    return Markup(MARKDOWN.render(text).strip())


def inline(markdown: str) -> Markup:
    """One paragraph as HTML, without the element around it."""
    return Markup(html(" ".join(markdown.split())).removeprefix("<p>").removesuffix("</p>"))


def in_ascii(html: str) -> str:
    """HTML with references for other letters; Moodle takes a cartridge's questions for Latin-1."""
    return html.encode("ascii", "xmlcharrefreplace").decode()


def rendered(template: str, **shown: object) -> str:
    """A template of questions, filled in."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES / "quiz"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters.update(html=html, inline=inline, in_ascii=in_ascii)
    return environment.get_template(template).render(**shown)


def by_category(questions: list[Question]) -> list[tuple[int, tuple[str, list[Question]]]]:
    """Tests of questions, with their numbers and titles."""
    tests: dict[str, list[Question]] = {}
    for question in questions:
        tests.setdefault(question.category, []).append(question)
    return list(enumerate(tests.items(), 1))


def write_package(path: Path, questions: list[Question]) -> None:
    """A package of QTI 2.1: an item a question, a test a category, and what lists them."""
    numbered = by_category(questions)
    with whole_file(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("imsmanifest.xml", rendered("manifest.xml.j2", tests=numbered))
        for number, (title, asked) in numbered:
            test = rendered("test.xml.j2", number=number, title=title, questions=asked)
            package.writestr(f"test-{number}.xml", test)
        for question in questions:
            item = rendered("item.xml.j2", question=question)
            package.writestr(f"items/{question.identifier}.xml", item)


def write_qti12(path: Path, questions: list[Question]) -> None:
    """A package of QTI 1.2: a test a category."""
    tests = by_category(questions)
    with whole_file(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("imsmanifest.xml", rendered("manifest12.xml.j2", tests=tests))
        write_assessments(package, questions)


def write_assessments(package: zipfile.ZipFile, questions: list[Question]) -> None:
    """The tests in Common Cartridge's profile of QTI 1.2, which is QTI 1.2."""
    for number, (title, asked) in by_category(questions):
        test = rendered("assessment.xml.j2", number=number, title=title, questions=asked)
        package.writestr(f"tests/test-{number}.xml", test)


@dataclasses.dataclass
class Resource:
    """What a cartridge lists, with its files; `needs` is another one."""

    identifier: str
    type: str
    files: list[str]
    href: str = ""
    needs: str = ""


def write_cartridge(path: Path, questions: list[Question], address: str | None = None) -> None:
    """The outline, pages or links to them, and a test a unit."""
    units = [Unit.of(unit) for unit in files.series()]
    with (
        tempfile.TemporaryDirectory() as folder,
        whole_file(path) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package,
    ):
        if address:
            resources = linked(package, units, address)
        else:
            resources = packed(package, units, Path(folder))
        numbers = {title: number for number, (title, _) in by_category(questions)}
        outline: dict[str, list[tuple[str, str]]] = {
            "Before and after the course": [("Concept inventory", f"test-{numbers['Inventory']}")]
        }
        for number, unit in enumerate(units):
            part = files.part_of(unit.path)
            inside = outline.setdefault(part.heading if part else "Units", [])
            inside.append((unit.title, f"unit-{number}"))
            if unit.title in numbers:
                test = f"test-{numbers[unit.title]}"
                inside.append((f"Check yourself: {unit.title}", test))
        kind = "imsqti_xmlv1p2/imscc_xmlv1p1/assessment"
        resources += [
            Resource(f"test-{n}", kind, [f"tests/test-{n}.xml"]) for n in numbers.values()
        ]
        write_assessments(package, questions)
        manifest = rendered("cartridge.xml.j2", outline=outline.items(), resources=resources)
        package.writestr("imsmanifest.xml", manifest)


def linked(package: zipfile.ZipFile, units: list[Unit], address: str) -> list[Resource]:
    """A web link a unit."""
    for number, unit in enumerate(units):
        url = f"{address.rstrip('/')}/{unit.page}"
        link = rendered("weblink.xml.j2", title=unit.title, url=url)
        package.writestr(f"links/unit-{number}.xml", link)
    return [
        Resource(f"unit-{number}", "imswl_xmlv1p1", [f"links/unit-{number}.xml"])
        for number in range(len(units))
    ]


def packed(package: zipfile.ZipFile, units: list[Unit], folder: Path) -> list[Resource]:
    """A page a unit, and one resource of all that the pages load and link to."""
    pages = Pages(folder, units)
    pages.prepare()
    for number, unit in enumerate(units):
        pages.write(files.read(unit.path), number)
    pages.write_map([Outcome(unit, 0.0, []) for unit in units])
    places = [file.relative_to(folder) for file in sorted(folder.rglob("*")) if file.is_file()]
    for place in places:
        package.write(folder / place, f"pages/{place.as_posix()}")
    own = {unit.page for unit in units}
    shared = [f"pages/{p.as_posix()}" for p in places if p.as_posix() not in own]
    return [Resource("shared", "webcontent", shared)] + [
        Resource(f"unit-{n}", "webcontent", [page], page, needs="shared")
        for n, page in enumerate(f"pages/{unit.page}" for unit in units)
    ]


if __name__ == "__main__":
    sys.exit(main())
