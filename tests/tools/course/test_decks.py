"""The decks of `make slides`: what they show is in their units, and all units are in them."""

from __future__ import annotations

import ast
import dataclasses
import re
from functools import cache

import pytest

from mtsig_nb.teaching import MIME_TYPE
from tools.course import decks, reading
from tools.course.decks import BLOCK, Deck, Slide, unit_of
from tools.course.inventory import read
from tools.notebooks import files
from tools.site.pages import Unit

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
    cells = unit_of(unit).notebook.cells
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    has = [cell.source for cell in cells] + [output.get("text", "") for output in outputs]
    has += [str(output.get("data", {}).get(kind, "")) for output in outputs for kind in READ]
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
    polled = {slide.unit for slide in deck.slides if slide.kind == "poll"}
    assert polled == {reading.number_of(path) for path in units}


@EVERY
def test_a_deck_has_25_to_50_slides_each_with_notes_and_its_minutes_add_up(deck):
    assert 25 <= len(deck.slides) <= 50
    assert sum(slide.minutes for slide in deck.slides) == deck.minutes
    assert [deck.slides[0].kind, deck.slides[-1].kind] == ["title", "remember"]
    assert [slide.title for slide in deck.slides if len(slide.notes.split()) < 5] == []


@EVERY
def test_every_number_is_one_of_its_unit(deck):
    whole = set().union(*(numbers_of(slide.unit) for slide in deck.slides if slide.unit))
    for slide in deck.slides:
        has = whole if slide.unit is None else numbers_of(slide.unit)
        assert numbers(NAMES.sub(" ", typed(slide))) - has == set(), slide.title


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
        ("figure, ax = plt.subplots()\nax.set_title('x', fontsize=12)\nfigure", "17 px"),
        ("figure, ax = plt.subplots()\nfigure", "cannot see"),
        ("1 + 1", "a figure, a table or a component"),
    ],
)
def test_what_cannot_be_shown_or_read_is_refused(code, said):
    unit = decks.Unit(next(path for path in files.series() if reading.number_of(path) == 1))
    unit.left = []
    with pytest.raises(files.NotebookError, match=said):
        decks.shown(unit.value(code))
