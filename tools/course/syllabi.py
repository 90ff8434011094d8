"""``python -m tools.course.syllabi``: all units, docs/units.md, and docs/syllabi.md.

``notebooks/syllabi.toml`` says which units and labs a week has, and what is handed out and marked.
Minutes, objectives and prerequisites are what the units say, polls are the inventory's.  Nothing is
written if a lecture is too full, or asks for what has not been taught.
"""

from __future__ import annotations

import dataclasses
import sys
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
from mdit_py_plugins.anchors.index import slugify

from mtsig_nb.writing import write_whole

from ..labs import lab_files
from ..notebooks import files
from ..repository.templating import listed, templates
from ..site.pages import Unit
from . import TEMPLATES, inventory, reading

SYLLABI = files.SERIES / "syllabi.toml"
#: In every lecture, for what nobody has planned.
MINUTES_TO_TALK = 15


@dataclasses.dataclass(frozen=True)
class Week:
    """A lecture, the session that follows it, and what is set for home; units by number."""

    title: str
    teach: list[int]
    home: list[int] = dataclasses.field(default_factory=list)
    lab: int = 0
    labs_at_home: list[int] = dataclasses.field(default_factory=list)
    session: str = ""
    hand_out: str = ""
    mark: str = ""

    @property
    def material(self) -> int:
        """Minutes of the lecture by the rule, with a discussion of each unit."""
        aims = reading.all_aims()
        return sum(aims[number].teach for number in self.teach)

    def needs(self) -> Iterator[tuple[str, set[int], set[int]]]:
        """What is done, in order: what it is, the units that it needs, and those it teaches."""
        in_class = [self.lab] if self.lab else []
        yield from _needs_of(self.teach, in_class)
        yield from _needs_of(self.home, self.labs_at_home)


def _needs_of(units: list[int], labs: list[int]) -> Iterator[tuple[str, set[int], set[int]]]:
    """What units need and teach, and what labs need."""
    for number in units:
        yield f"unit {number}", set(reading.all_aims()[number].needs), {number}
    for number in labs:
        yield f"lab {number}", units_of_lab(number), set()


@dataclasses.dataclass(frozen=True)
class Syllabus:
    """A course: its weeks, units to read `before` the first, and `extra` work in minutes."""

    title: str
    minutes: int
    about: str
    weeks: list[Week]
    session: int = 0
    before: list[int] = dataclasses.field(default_factory=list)
    ects: int = 0
    extra: list[tuple[str, int]] = dataclasses.field(default_factory=list)

    @property
    def home(self) -> list[tuple[str, int]]:
        """What is done at home, and its minutes."""
        taught = []
        at_home = list(self.before)
        labs_at_home = []
        for week in self.weeks:
            taught += week.teach
            at_home += week.home
            labs_at_home += week.labs_at_home
        return [
            ("reading units at home", minutes_to_read(at_home)),
            ("reading the taught units again", minutes_to_read(taught)),
            ("exercises of all these units", exercises([*taught, *at_home])),
            ("labs at home", sum(lab_files.minutes(lab(number)) for number in labs_at_home)),
            *self.extra,
        ]

    @property
    def hours(self) -> float:
        """All of it, in class and at home."""
        in_class = len(self.weeks) * (self.minutes + self.session)
        at_home = sum(minutes for _, minutes in self.home)
        return (in_class + at_home) / 60

    def problems(self) -> Iterator[str]:
        """What cannot be taught like this."""
        known = set(self.before)
        for number, week in enumerate(self.weeks, 1):
            where = f"{self.title}, week {number}"
            if week.material > self.minutes - MINUTES_TO_TALK:
                yield f"{where}: {week.material} minutes of material leave no time to talk"
            for what, needed, taught in week.needs():
                lacking = sorted(needed - known)
                if lacking:
                    yield f"{where}: {what} needs units {lacking}"
                known |= taught
            if week.lab and lab_files.minutes(lab(week.lab)) > self.session:
                yield f"{where}: lab {week.lab} is longer than the session"
        # A European credit is 25 to 30 hours.
        if self.ects and not 25 <= self.hours / self.ects <= 30:
            yield f"{self.title}: {self.hours:.0f} hours are not {self.ects} credits"


def minutes_to_read(numbers: Iterable[int]) -> int:
    """Minutes for reading some units."""
    aims = reading.all_aims()
    return sum(aims[number].read for number in numbers)


def exercises(numbers: Iterable[int]) -> int:
    """Minutes for the exercises of some units."""
    units = reading.units()
    notebooks = [files.read(units[number]) for number in numbers]
    return sum(reading.Reading.of(notebook).at_home for notebook in notebooks)


@cache
def lab(number: int) -> nbformat.NotebookNode:
    """The instructor version of a lab."""
    return files.read(lab_files.labs()[number - 1].instructor)


def units_of_lab(number: int) -> set[int]:
    """The units that a lab says at its beginning that it goes with."""
    _, _, below = lab(number).cells[0].source.partition("*Goes with")
    goes_with, _, _ = below.partition("\n\n")
    return {int(unit) for unit in reading.UNIT_NUMBER.findall(goes_with)}


def syllabi() -> list[Syllabus]:
    """The syllabi, in order."""
    found = []
    for syllabus in declared()["syllabus"]:
        weeks = [Week(**week) for week in syllabus.pop("week")]
        found.append(Syllabus(weeks=weeks, **syllabus))
    return found


def declared() -> dict[str, Any]:
    """What ``notebooks/syllabi.toml`` has."""
    return tomllib.loads(SYLLABI.read_text(encoding="utf-8"))


def lab_link(number: int) -> str:
    """A link from the documents to the student version of a lab, with its minutes and points."""
    about = lab_files.ABOUT.search(lab(number).cells[0].source)
    length = about[1] if about else ""
    path = files.name_of(lab_files.labs()[number - 1].student)
    return f"[lab {number:02}](../{path}) ({length})"


def units_by_part() -> dict[str, list[int]]:
    """The units of each part, by its heading."""
    found: dict[str, list[int]] = {}
    headings = {part.folder: f"Part {part.number}: {part.title}" for part in files.parts()}
    for number, path in reading.units().items():
        found.setdefault(headings[path.parent.name], []).append(number)
    return found


def pages() -> dict[Path, str]:
    """Both documents, as they should be."""
    environment = templates(TEMPLATES)
    environment.filters["listed"] = listed
    environment.filters["slug"] = slugify
    items = inventory.read().items
    environment.globals.update(
        aims=reading.all_aims(),
        syllabi=syllabi(),
        polls={item.unit: f"poll {number}" for number, item in enumerate(items, 1)},
        paths=reading.units(),
        by_part=units_by_part().items(),
        project=declared()["project"],
        lab=lab_link,
        exercises=exercises,
        of=Unit.of,
        name_of=files.name_of,
    )
    made = {}
    for name in ("units", "syllabi"):
        text = environment.get_template(f"{name}.md.j2").render()
        made[files.ROOT / "docs" / f"{name}.md"] = f"{text.strip()}\n"
    return made


def main() -> int:
    """Write both, and say where; the exit status is 1 if a syllabus cannot be taught."""
    found = [problem for syllabus in syllabi() for problem in syllabus.problems()]
    if found:
        print(*found, sep="\n", file=sys.stderr)
        return 1
    for path, text in pages().items():
        write_whole(path, text)
        print(files.name_of(path))
    return 0


if __name__ == "__main__":
    sys.exit(main())
