"""The ready syllabi: what they plan can be taught, and their pages are what they make."""

from __future__ import annotations

import dataclasses
import re

import pytest

from tools.course import decks, reading, syllabi
from tools.labs import lab_files
from tools.notebooks import files

from ...messages import naming

pytestmark = pytest.mark.slow

SYLLABI = {syllabus.title: syllabus for syllabus in syllabi.syllabi()}
LECTURE, MODULE, TERM = SYLLABI.values()


@pytest.mark.parametrize("syllabus", SYLLABI.values(), ids=SYLLABI)
def test_a_syllabus_can_be_taught(syllabus):
    assert list(syllabus.problems()) == []


def test_no_unit_is_lost_in_fourteen_weeks_and_none_is_set_twice():
    assert len(TERM.weeks) == 14
    assert sorted(n for week in TERM.weeks for n in [*week.teach, *week.home]) == list(range(38))
    labs = [n for week in TERM.weeks for n in (week.lab, *week.labs_at_home) if n]
    assert sorted(labs) == list(range(1, len(lab_files.labs()) + 1))


def test_the_pages_are_made_of_what_the_units_and_the_syllabi_say():
    for path, text in syllabi.pages().items():
        assert path.read_text(encoding="utf-8") == text, "run python -m tools.course.syllabi"


def test_every_deck_and_poll_that_is_named_is_there():
    page = syllabi.pages()[files.ROOT / "docs" / "syllabi.md"]
    there = {deck.stem[0]: deck.read_text(encoding="utf-8") for deck in decks.DECKS.glob("*.md")}
    named = re.findall(r"/(\d+)_\w+\.ipynb\) \(\d+, deck (\d)\): [^|<]* guess, (.*?)\.", page)
    assert len(named) == sum(len(week.teach) for s in SYLLABI.values() for week in s.weeks)
    items = syllabi.inventory.read().items
    own = set(reading.units()) - {item.unit for item in items}
    for unit, deck, poll in named:
        assert f"<!-- unit {int(unit)}, section," in there[deck]
        at = int(poll.removeprefix("poll ")) if poll != "its question 1" else None
        assert int(unit) in own if at is None else items[at - 1].unit == int(unit)
    lecturers = (files.ROOT / "docs" / "lecturers.md").read_text(encoding="utf-8")
    *most, last = sorted(own)
    units = f"Units {', '.join(map(str, most))} and {last} "
    assert re.search(naming(units, "no question"), lecturers)


def test_the_minutes_on_the_page_are_those_of_the_rule():
    page = syllabi.pages()[files.ROOT / "docs" / "syllabi.md"]
    needed = {p.name: reading.Reading.of(files.read(p)).minutes for p in reading.units().values()}
    for unit, minutes, taught in re.findall(r"/(\d\d_\w+\.ipynb)\) \((\d+)(, deck)?", page):
        assert abs(int(minutes) - needed[unit] - 5 * bool(taught)) <= 1, unit
    lectures = re.findall(r"<br>(\d+) minutes, (\d+) to talk", page)
    assert len(lectures) == 1 + 4 + 14
    assert all(int(a) <= 75 and int(a) + int(b) == 90 for a, b in lectures)


def test_work_is_counted_as_a_lecturer_would():
    parts = dict(MODULE.home)
    assert parts["labs at home"] == sum(lab_files.minutes(syllabi.lab(n)) for n in (2, 5))
    assert MODULE.hours == pytest.approx((720 + sum(parts.values())) / 60)
    assert list(dataclasses.replace(MODULE, ects=4).problems())[-1].endswith("not 4 credits")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"teach": [1, 2, 3]}, "week 1: 80 minutes of material leave no time to talk"),
        ({"teach": [1, 3]}, "unit 3 needs units [2]"),
        ({"teach": [0, 1], "home": [5]}, "unit 5 needs units [3]"),
        ({"teach": [1, 2], "lab": 1}, "lab 1 needs units [3]"),
        ({"teach": [1, 2], "labs_at_home": [2]}, "lab 2 needs units [4]"),
        ({"teach": [1, 2], "home": [4], "lab": 2}, "lab 2 is longer than the session"),
    ],
)
def test_a_planted_fault_is_named_and_nothing_is_written(monkeypatch, capsys, change, problem):
    worse = dataclasses.replace(LECTURE, weeks=[syllabi.Week("A week", **change)])
    monkeypatch.setattr(syllabi, "syllabi", lambda: [worse])
    monkeypatch.setattr(syllabi, "write_whole", None)
    assert syllabi.main() == 1
    assert problem in capsys.readouterr().err
