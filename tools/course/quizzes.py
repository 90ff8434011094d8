"""``make quizzes``: all questions for a learning platform, in ``build/quizzes``.

The concept inventory and every unit's *Check yourself*, with feedback for each answer: as Moodle
XML (``questions.xml``) and as packages of QTI 2.1 (``questions-qti.zip``) and, for older importers,
of QTI 1.2 (``questions-qti12.zip``).  Each question gives one point.

``course.imscc`` is the course as an IMS Common Cartridge 1.1: a folder a part, in it the units, and
after each unit its questions.  With ``--address``, a unit is a link to its page there; without it,
the pages themselves are in the cartridge, as `tools.site.run_series` writes them, from stored outputs.
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
from typing import NamedTuple

from markdown_it import MarkdownIt
from markupsafe import Markup

from mtsig_nb.writing import whole_file, write_whole

from ..site.pages import Outcome, Pages, Unit, html_templates
from . import TEMPLATES, inventory, reading
from . import notebook_files as files

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
    parser.add_argument(
        "--address", metavar="URL", help="where the folder of make run can be read: links, no pages"
    )
    options = parser.parse_args(arguments)
    options.to.mkdir(parents=True, exist_ok=True)
    asked = [*of_inventory(), *of_units()]
    write_whole(options.to / "questions.xml", rendered("moodle.xml.j2", questions=asked))
    write_package(options.to / "questions-qti.zip", qti21(asked))
    write_package(options.to / "questions-qti12.zip", qti12(asked))
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
            reading.Choice(
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
        text = reading.sections(files.read(path)).get(reading.QUESTIONS, "")
        for number, asked in enumerate(reading.questions(text), 1):
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
    return XML.get_template(template).render(**shown)


XML = html_templates(TEMPLATES / "quiz").overlay(trim_blocks=True, lstrip_blocks=True)
XML.filters.update(html=html, inline=inline, in_ascii=in_ascii)

#: By its name in a package, the text of a file, or where the file is.
Contents = dict[str, str | Path]


def write_package(path: Path, contents: Contents) -> None:
    """A package of files."""
    with whole_file(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in contents.items():
            if isinstance(content, Path):
                package.write(content, name)
            else:
                package.writestr(name, content)


def by_category(questions: list[Question]) -> list[tuple[int, tuple[str, list[Question]]]]:
    """Tests of questions, with their numbers and titles."""
    tests: dict[str, list[Question]] = {}
    for question in questions:
        tests.setdefault(question.category, []).append(question)
    return list(enumerate(tests.items(), 1))


def tests_of(questions: list[Question], manifest: str, test: str, place: str) -> Contents:
    """A test a category, and what lists them, by these templates."""
    tests = by_category(questions)
    contents: Contents = {"imsmanifest.xml": rendered(manifest, tests=tests)}
    for n, (title, asked) in tests:
        contents[f"{place}{n}.xml"] = rendered(test, number=n, title=title, questions=asked)
    return contents


def qti21(questions: list[Question]) -> Contents:
    """A package of QTI 2.1: an item a question, and tests of them."""
    contents = tests_of(questions, "manifest.xml.j2", "test.xml.j2", "test-")
    for question in questions:
        contents[f"items/{question.identifier}.xml"] = rendered("item.xml.j2", question=question)
    return contents


def qti12(questions: list[Question]) -> Contents:
    """A package of QTI 1.2, in Common Cartridge's profile of it."""
    return tests_of(questions, "manifest12.xml.j2", "assessment.xml.j2", "tests/test-")


class Resource(NamedTuple):
    """What a cartridge lists, with its files; `needs` is another one."""

    identifier: str
    type: str
    files: list[str]
    href: str = ""
    needs: str = ""


def write_cartridge(path: Path, questions: list[Question], address: str | None = None) -> None:
    """The outline, pages or links to them, and a test a unit."""
    units = [Unit.of(unit) for unit in files.series()]
    with tempfile.TemporaryDirectory() as folder:
        contents, resources = linked(units, address) if address else paged(units, Path(folder))
        numbers = {title: number for number, (title, _) in by_category(questions)}
        outline: dict[str, list[tuple[str, str]]] = {
            "Before and after the course": [("Concept inventory", f"test-{numbers['Inventory']}")]
        }
        for number, unit in enumerate(units):
            part = files.part_of(unit.path)
            inside = outline.setdefault(part.heading if part else "Units", [])
            inside.append((unit.title, f"unit-{number}"))
            if unit.title in numbers:
                inside.append((f"Check yourself: {unit.title}", f"test-{numbers[unit.title]}"))
        kind = "imsqti_xmlv1p2/imscc_xmlv1p1/assessment"
        for n in numbers.values():
            resources.append(Resource(f"test-{n}", kind, [f"tests/test-{n}.xml"]))
        manifest = rendered("cartridge.xml.j2", outline=outline.items(), resources=resources)
        write_package(path, contents | qti12(questions) | {"imsmanifest.xml": manifest})


def linked(units: list[Unit], address: str) -> tuple[Contents, list[Resource]]:
    """A web link a unit."""
    contents: Contents = {}
    for number, unit in enumerate(units):
        url = f"{address.rstrip('/')}/{unit.page}"
        link = rendered("weblink.xml.j2", title=unit.title, url=url)
        contents[f"links/unit-{number}.xml"] = link
    names = enumerate(contents)
    return contents, [Resource(f"unit-{n}", "imswl_xmlv1p1", [name]) for n, name in names]


def paged(units: list[Unit], folder: Path) -> tuple[Contents, list[Resource]]:
    """A page a unit, and one resource of all that the pages load and link to."""
    pages = Pages(folder, units)
    pages.prepare()
    for number, unit in enumerate(units):
        pages.write(files.read(unit.path), number)
    pages.write_map([Outcome(unit, 0.0, []) for unit in units])
    there = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    contents: Contents = {f"pages/{path.relative_to(folder).as_posix()}": path for path in there}
    own = [f"pages/{unit.page}" for unit in units]
    shared = Resource("shared", "webcontent", [name for name in contents if name not in own])
    return contents, [shared] + [
        Resource(f"unit-{n}", "webcontent", [page], page, needs="shared")
        for n, page in enumerate(own)
    ]


if __name__ == "__main__":
    sys.exit(main())
