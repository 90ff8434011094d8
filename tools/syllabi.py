"""``python -m tools.syllabi``: all units in one table, docs/units.md, and docs/syllabi.md.

``notebooks/syllabi.toml`` says which units and labs a week has, and what is handed out and marked.
Minutes, objectives and prerequisites are what the units say, polls are the inventory's.  Nothing is
written if a lecture is too full, or asks for what has not been taught.
"""

from __future__ import annotations

import dataclasses
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from mtsig_nb.writing import write_whole

from . import course, inventory, lab_files
from . import notebook_files as files
from .pages import TEMPLATES, Unit
from .replication.rendering import templates

SYLLABI = files.SERIES / "syllabi.toml"
#: In every lecture, for what nobody has planned.
MINUTES_TO_TALK = 15
#: Of a European credit, at the least and at the most; and of an academic hour.
HOURS_A_CREDIT, ACADEMIC_HOUR = (25, 30), 45


@dataclasses.dataclass(frozen=True)
class Week:
    """A lecture, the session that follows it, and what is set for home; units by number."""

    title: str
    teach: list[int]
    home: list[int] = dataclasses.field(default_factory=list)
    lab: int = 0
    lab_at_home: int = 0
    session: str = ""
    hand_out: str = ""
    mark: str = ""

    @property
    def material(self) -> int:
        """Minutes of the lecture by the rule, with a discussion of each unit."""
        return sum(course.all_aims()[number].teach for number in self.teach)

    @property
    def exercises(self) -> int:
        """Minutes for the exercises of all its units, which are done at home."""
        return sum(reading(number).at_home for number in [*self.teach, *self.home])

    @property
    def reading(self) -> int:
        """Minutes to read the units that are set for home."""
        return sum(course.all_aims()[number].read for number in self.home)


@dataclasses.dataclass(frozen=True)
class Syllabus:
    """A course: its weeks, units to read `before` the first, and `extra` work in minutes."""

    title: str
    minutes: int
    about: str
    week: list[dict[str, Any]]
    session: int = 0
    before: list[int] = dataclasses.field(default_factory=list)
    ects: int = 0
    extra: list[tuple[str, int]] = dataclasses.field(default_factory=list)

    @cached_property
    def weeks(self) -> list[Week]:
        """Its weeks, in order."""
        return [Week(**week) for week in self.week]

    @property
    def contact(self) -> int:
        """Minutes in class."""
        return len(self.weeks) * (self.minutes + self.session)

    @property
    def home(self) -> list[tuple[str, int]]:
        """What is done at home, and its minutes."""
        again = sum(course.all_aims()[n].read for week in self.weeks for n in week.teach)
        before = sum(course.all_aims()[n].read for n in self.before)
        set_for_home = [week.lab_at_home for week in self.weeks if week.lab_at_home]
        return [
            ("units that are set for home", before + sum(week.reading for week in self.weeks)),
            ("units that were taught, read again", again),
            (
                "exercises of all these units",
                sum(week.exercises for week in self.weeks)
                + sum(reading(number).at_home for number in self.before),
            ),
            ("labs at home", sum(lab_files.minutes(lab(number)) for number in set_for_home)),
            *((what, minutes) for what, minutes in self.extra),
        ]

    @property
    def hours(self) -> float:
        """All of it, in class and at home."""
        return (self.contact + sum(minutes for _, minutes in self.home)) / 60

    def problems(self) -> Iterator[str]:
        """What cannot be taught like this."""
        known = set(self.before)
        for number, week in enumerate(self.weeks, 1):
            where = f"{self.title}, week {number}"
            if week.material > self.minutes - MINUTES_TO_TALK:
                yield f"{where}: {week.material} minutes of material leave no time to talk"
            for unit in week.teach:
                yield from self._too_early(where, f"unit {unit}", course.all_aims()[unit], known)
                known.add(unit)
            if week.lab and (lacks := units_of_lab(week.lab) - known):
                yield f"{where}: lab {week.lab} needs units {sorted(lacks)}"
            if week.lab and lab_files.minutes(lab(week.lab)) > self.session:
                yield f"{where}: lab {week.lab} is longer than the session"
            for unit in week.home:
                yield from self._too_early(where, f"unit {unit}", course.all_aims()[unit], known)
                known.add(unit)
            if week.lab_at_home and (lacks := units_of_lab(week.lab_at_home) - known):
                yield f"{where}: lab {week.lab_at_home} needs units {sorted(lacks)}"
        least, most = (hours * self.ects for hours in HOURS_A_CREDIT)
        if self.ects and not least <= self.hours <= most:
            yield f"{self.title}: {self.hours:.0f} hours are not {self.ects} credits"

    def _too_early(self, where: str, what: str, aims: course.Aims, known: set[int]) -> list[str]:
        lacks = sorted(set(aims.needs) - known)
        return [f"{where}: {what} needs units {lacks}"] if lacks else []


@cache
def units() -> dict[int, Path]:
    """The executed units by number, without the bench."""
    return {course.number_of(path): path for path in files.series() if path.stem[:2].isdigit()}


@cache
def reading(number: int) -> course.Reading:
    """What the unit asks of its reader."""
    return course.Reading.of(files.read(units()[number]))


@cache
def lab(number: int) -> Any:
    """The instructor version of a lab."""
    return files.read(next((files.LABS / "instructor").glob(f"lab_{number:02}_*.ipynb")))


def units_of_lab(number: int) -> set[int]:
    """The units that a lab says at its beginning that it goes with."""
    goes_with = next(
        p for p in lab(number).cells[0].source.split("\n\n") if p.startswith("*Goes with")
    )
    return set(map(int, re.findall(r"/(\d\d)_\w+\.ipynb", goes_with)))


@cache
def polls() -> dict[int, str]:
    """What to ask after each unit: its question of the inventory, or else one of its own."""
    asked = {item.unit: f"poll {n}" for n, item in enumerate(inventory.read().items, 1)}
    return {number: asked.get(number, "its question 1") for number in units()}


def syllabi() -> list[Syllabus]:
    """The syllabi, in order."""
    listed = tomllib.loads(SYLLABI.read_text(encoding="utf-8"))["syllabus"]
    return [Syllabus(**syllabus) for syllabus in listed]


def unit_link(number: int) -> str:
    """A link from the documents to a unit."""
    return f"[{number}](../{files.name_of(units()[number])})"


def lab_link(number: int) -> str:
    """A link from the documents to the student version of a lab, with minutes and points."""
    path = next((files.LABS / "student").glob(f"lab_{number:02}_*.ipynb"))
    graded = [cell for cell in lab(number).cells if lab_files.role(cell) in ("tests", "words")]
    points = sum(map(lab_files.points, graded))
    about = f"{lab_files.minutes(lab(number))} minutes, {points:g} points"
    return f"[lab {number:02}](../{files.name_of(path)}) ({about})"


def pages() -> dict[Path, str]:
    """Both documents, as they should be."""
    shown = {
        "aims": course.all_aims(),
        "titles": {number: Unit.of(path).title for number, path in units().items()},
        "deck": {number: path.parent.name[0] for number, path in units().items()},
        "project": tomllib.loads(SYLLABI.read_text(encoding="utf-8"))["project"],
        "syllabi": syllabi(),
        "polls": polls(),
        "reading": reading,
        "unit": unit_link,
        "lab": lab_link,
        "to_talk": MINUTES_TO_TALK,
        "academic": ACADEMIC_HOUR,
        "discussion": course.MINUTES_A_DISCUSSION,
    }
    named = templates(TEMPLATES / "course")
    return {
        files.ROOT / "docs" / f"{name}.md": named.get_template(f"{name}.md.j2")
        .render(shown)
        .strip()
        + "\n"
        for name in ("units", "syllabi")
    }


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
