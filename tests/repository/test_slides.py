"""The decks of `make slides`: what they show is in their units, and all units are in them."""

from __future__ import annotations

import ast
import dataclasses
import re
from functools import cache

import pytest

from mtsig_nb.teaching import MIME_TYPE
from tools import course, decks
from tools import notebook_files as files
from tools.decks import BLOCK, Deck, Slide, unit_of
from tools.inventory import read
from tools.pages import Unit

WRITTEN = [Deck(path) for path in sorted(decks.DECKS.glob("*.md"))]
EVERY = pytest.mark.parametrize("deck", WRITTEN, ids=lambda deck: deck.path.stem)
#: All but the one lecture, which takes slides of them.
PARTS = [deck for deck in WRITTEN if deck.path.stem[0].isdigit()]
EVERY_PART = pytest.mark.parametrize("deck", PARTS, ids=lambda deck: deck.path.stem)
NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?|(?<![\w.])\.\d+")
#: Kinds of output whose words and numbers are read.
READ = ("text/plain", "text/html", "text/markdown", MIME_TYPE)
#: Numbers of things and not of results: units, polls, steps, exercises, labs and points of a list.
NAMES = re.compile(
    r"\b(?i:units?|poll|steps?|lab|part) \d+((,| and| to) \d+)*|^\| \d · ", re.MULTILINE
)


def numbers(text: str) -> set[str]:
    """The numbers of a text, as they are written, without commas."""
    return {found.replace(",", "").rstrip(".") for found in NUMBER.findall(text)}


@cache
def numbers_of(unit: int) -> set[str]:
    """All that a unit has, in its words, its code and its outputs."""
    has = []
    for cell in unit_of(unit).notebook.cells:
        has.append(cell.source)
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            has += [str(data[kind]) for kind in READ if kind in data]
            has.append(output.get("text", ""))
    return numbers("\n".join(has))


def typed(slide: Slide) -> str:
    """All that somebody typed: title, words, notes, and the strings in the code of figures."""
    code = [found[2] for found in BLOCK.findall(slide.body) if found[0] == "show"]
    constants = [
        node.value
        for each in code
        for node in ast.walk(ast.parse(each))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    said = [s for s in constants if not re.search(r"#[0-9a-fA-F]{6}", s) and " " in s]
    return "\n\n".join([slide.title, BLOCK.sub("", slide.body), slide.notes, *said])


def test_every_part_has_one_deck():
    assert [deck.path.stem for deck in WRITTEN if deck not in PARTS] == ["one_lecture"]
    named = [deck.path.stem for deck in PARTS]
    assert named == sorted(part.folder for part in files.parts() if part.folder[0].isdigit())


@EVERY_PART
def test_a_deck_goes_through_all_units_of_its_part_in_order(deck):
    units = sorted((files.SERIES / deck.path.stem).glob("*.ipynb"))
    opened = [slide for slide in deck.slides if slide.kind == "section"]
    titles = [f"{slide.unit} · {slide.title}" for slide in opened]
    assert titles == [Unit.of(path).title for path in units]
    about = [slide.unit for slide in deck.slides if slide.unit is not None]
    assert about == sorted(about)


@EVERY
def test_a_deck_has_25_to_40_slides_and_its_minutes_add_up(deck):
    assert 25 <= len(deck.slides) <= 40
    assert sum(slide.minutes for slide in deck.slides) == deck.minutes
    assert [deck.slides[0].kind, deck.slides[-1].kind] == ["title", "remember"]


@EVERY
def test_every_slide_has_notes(deck):
    assert [slide.title for slide in deck.slides if len(slide.notes.split()) < 5] == []


@EVERY_PART
def test_every_unit_has_a_poll(deck):
    polled = {slide.unit for slide in deck.slides if slide.kind == "poll"}
    assert polled == {course.number_of(p) for p in (files.SERIES / deck.path.stem).glob("*.ipynb")}


@EVERY
def test_every_number_is_one_of_its_unit(deck):
    lacking = {}
    for place, slide in enumerate(deck.slides, 1):
        found = numbers(NAMES.sub(" ", typed(slide)))
        if slide.unit is None:
            has = set().union(*(numbers_of(each.unit) for each in deck.slides if each.unit))
        else:
            has = numbers_of(slide.unit)
        if found - has:
            lacking[place, slide.title] = sorted(found - has)
    assert lacking == {}


def test_a_wrong_number_is_found():
    slide = Slide.of(
        "<!-- unit 1, idea, 1 min -->\n# Ahead by 0.69 or 0.68\n\n.029 in unit 77\nNote:\n"
    )
    assert numbers(NAMES.sub(" ", typed(slide))) - numbers_of(1) == {"0.68", ".029"}


@EVERY
def test_code_on_a_slide_is_the_units_and_short(deck):
    for slide in deck.slides:
        for code in re.findall(r"^```python\n(.*?)^```$", slide.body, re.M | re.S):
            lines = code.strip().splitlines()
            has = "\n".join(cell.source for cell in unit_of(slide.unit).notebook.cells)
            assert len(lines) <= 4, slide.title
            assert all(line.strip() in has for line in lines), slide.title


@EVERY_PART
def test_every_question_of_the_inventory_about_the_part_is_a_poll(deck):
    asked = [
        (int(number), slide.unit, slide.title)
        for slide in deck.slides
        for kind, number, _ in BLOCK.findall(slide.body)
        if kind == "inventory"
    ]
    units = {slide.unit for slide in deck.slides}
    about = [(n, item.unit) for n, item in enumerate(read().items, 1) if item.unit in units]
    assert [(number, unit) for number, unit, _ in asked] == about
    assert all(title.startswith(f"Poll {number}: ") for number, _, title in asked)


def test_the_one_lecture_takes_slides_as_they_are_but_for_their_minutes():
    """Also where a unit has the title of its part."""
    sections = [slide for slide in PARTS[0].slides if slide.kind == "section"]
    for section in sections:
        taken = Slide.of(f"\n<!-- from deck 1, 9 min -->\n\n# {section.title}\n")
        assert taken == dataclasses.replace(section, minutes=9)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<!-- from deck 1, 3 min -->\n# Nobody has this\n", "Nobody has this.* there are 0"),
        ("# No head\n", "a slide begins"),
        ("<!-- unit 1, riddle, 3 min -->\n# Title\n", "a slide begins"),
    ],
)
def test_a_slide_that_is_none_is_refused(text, said):
    with pytest.raises(files.NotebookError, match=said):
        Slide.of(text)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("nobody_has_this", "'nobody_has_this' is not defined"),
        ("x = 1", "shows nothing"),
    ],
)
def test_code_that_shows_nothing_is_refused(code, said):
    unit = decks.Unit(next(path for path in files.series() if course.number_of(path) == 1))
    unit.left = []
    with pytest.raises(files.NotebookError, match=said):
        unit.value(code)


def test_figures_with_small_letters_or_without_words_are_refused():
    unit = decks.Unit(next(path for path in files.series() if course.number_of(path) == 1))
    small = "figure, ax = plt.subplots()\nax.set_title('x', fontsize=12)\nfigure"
    with pytest.raises(files.NotebookError, match="17 px"):
        decks.shown(unit.value(small))
    with pytest.raises(files.NotebookError, match="cannot see"):
        decks.shown(unit.value("figure, ax = plt.subplots()\nfigure"))
    with pytest.raises(files.NotebookError, match="a figure, a table or a component"):
        decks.shown(unit.value("1 + 1"))
