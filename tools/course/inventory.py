"""The concept inventory: questions on what people get wrong about tests, checked and printed.

A question is to be answered by who knows, and not by who knows how questions are written. So
`strategies` tries rules that a student who has understood nothing could follow, such as "the
longest". None may earn more marks than guessing would, and neither may its opposite, "anything but
the longest".
"""

from __future__ import annotations

import dataclasses
import hashlib
import math
import re
import string
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
from nbformat.v4 import new_markdown_cell, new_notebook

from ..notebooks import files
from ..repository.templating import templates
from ..site.pages import Unit
from . import TEMPLATES, reading

LETTERS = string.ascii_uppercase

NOTEBOOK = files.INVENTORY.with_suffix(".ipynb")
#: Words that no claim bears: what says them is wrong nearly always.
ABSOLUTE = re.compile(
    r"\b(always|never|certainly|definitely|undoubtedly|absolutely|impossible|guaranteed|"
    r"every time|in any case|at all times|under no circumstances)\b",
    re.IGNORECASE,
)


@dataclasses.dataclass(frozen=True)
class Option:
    """An answer to choose: the right one, or one that comes from a misconception."""

    text: str
    right: bool = False
    misconception: str = ""


@dataclasses.dataclass(frozen=True)
class Item:
    """A question, the number of the unit that it is about, and why its answer is right."""

    unit: int
    stem: str
    options: tuple[Option, ...]
    because: str

    @property
    def right(self) -> Option:
        """The answer that counts; `one_is_right` sees to it that there is one."""
        return next(option for option in self.options if option.right)

    @property
    def wrong(self) -> list[Option]:
        """The others."""
        return [option for option in self.options if not option.right]

    @property
    def position(self) -> int:
        """Where the right answer stands, from 0."""
        return self.options.index(self.right)

    @property
    def lettered(self) -> list[tuple[str, Option]]:
        """The answers with the letters of the exam."""
        return list(zip(LETTERS, self.options, strict=False))


@dataclasses.dataclass(frozen=True)
class Inventory:
    """All items, in order, and a sentence for each misconception."""

    misconceptions: dict[str, str]
    items: tuple[Item, ...]


def read(path: Path = files.INVENTORY) -> Inventory:
    """The inventory in a file."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    items = []
    for entry in data["item"]:
        options = tuple(Option(**option) for option in entry.pop("options"))
        items.append(Item(options=options, **entry))
    return Inventory(data["misconceptions"], tuple(items))


# What an inventory has to have, and what gives answers away; each check says what it found.


def problems(inventory: Inventory) -> list[str]:
    """All that is wrong; other checks make sense only where each item has one right answer."""
    found = list(one_is_right(inventory))
    if found:
        return found
    return [*misconceptions_are_named(inventory), *strategies(inventory)]


def one_is_right(inventory: Inventory) -> Iterator[str]:
    """One right answer to each question, and two wrong ones at least, no two of them the same."""
    for number, item in enumerate(inventory.items, 1):
        right = sum(option.right for option in item.options)
        if right != 1:
            yield f"item {number} has {right} right answers instead of one"
        if not 3 <= len(item.options) <= 5:
            yield f"item {number} has {len(item.options)} answers; it should have about four"
        texts = {option.text.casefold() for option in item.options}
        if len(texts) < len(item.options):
            yield f"item {number} has the same answer twice"


def misconceptions_are_named(inventory: Inventory) -> Iterator[str]:
    """Every wrong answer has one, of the list, and no other answer to its question has the same."""
    for number, item in enumerate(inventory.items, 1):
        if item.right.misconception:
            yield f"item {number}: the right answer comes from a misconception"
        for letter, option in item.lettered:
            if not option.right and option.misconception not in inventory.misconceptions:
                named = repr(option.misconception) if option.misconception else "none"
                yield (
                    f"item {number}, answer {letter} has to name a misconception of the list; "
                    f"it names {named}"
                )
        names = Counter(option.misconception for option in item.wrong)
        for name, times in names.items():
            if name and times > 1:
                yield f"item {number} has two answers from {name!r}"


def strategies(inventory: Inventory) -> Iterator[str]:
    """Rules that look at wording or position, and not at sense, and earn more than guessing."""
    most_marks = math.ceil(guessing(inventory))
    for name, score in RULES.items():
        taken = 0.0
        avoided = 0.0
        for item in inventory.items:
            scores = [score(place, option) for place, option in enumerate(item.options)]
            highest = max(scores)
            places = range(len(scores))
            best = {place for place in places if scores[place] == highest}
            rest = set(places) - best
            taken += _marks(item, best)
            avoided += _marks(item, rest or best)
        for strategy, marks in ((name, taken), (f"not {name}", avoided)):
            if marks > most_marks:
                yield f"whoever answers “{strategy}” earns {marks:.1f}; guessing earns {most_marks}"


def _marks(item: Item, places: set[int]) -> float:
    """The expected marks of whoever draws lots among the answers in these places."""
    return (item.position in places) / len(places)


def guessing(inventory: Inventory) -> float:
    """The expected marks of whoever draws lots."""
    return sum(1 / len(item.options) for item in inventory.items)


def _at(place: int) -> Callable[[int, Option], float]:
    """The rule that takes what stands in a place."""
    return lambda here, _: here == place


#: What a strategy looks for: by its name, a score of an answer and its place.
RULES: dict[str, Callable[[int, Option], float]] = {
    "the longest": lambda _, option: len(option.text),
    "the shortest": lambda _, option: -len(option.text),
    "what says always or never": lambda _, option: bool(ABSOLUTE.search(option.text)),
    **{f"answer {letter}": _at(place) for place, letter in enumerate(LETTERS[:5])},
}


# The exam and its key as Markdown, and a notebook whose answers fold open.


def to_markdown(document: str, inventory: Inventory) -> str:
    """The exam, which says nothing of what is right, the key, or the notebook's cells."""
    units = {number: Unit.of(path) for number, path in reading.units().items()}
    expected = round(guessing(inventory))
    template = templates(TEMPLATES / "inventory").get_template(f"{document}.md.j2")
    return template.render(
        inventory=inventory,
        behind=answers_by_misconception(inventory),
        units=units,
        guessing=expected,
    )


def answers_by_misconception(inventory: Inventory) -> defaultdict[str, list[str]]:
    """The answers that come from each misconception, such as ``"3B"``."""
    answers: defaultdict[str, list[str]] = defaultdict(list)
    for number, item in enumerate(inventory.items, 1):
        for letter, option in item.lettered:
            if not option.right:
                answers[option.misconception].append(f"{number}{letter}")
    return answers


def to_notebook(inventory: Inventory) -> nbformat.NotebookNode:
    """A cell for each question; an answer, opened, says what somebody may believe who gives it."""
    cells = []
    for text in to_markdown("notebook", inventory).split("\n---\n"):
        digest = hashlib.sha256(text.encode()).hexdigest()[:8]
        cells.append(new_markdown_cell(text.strip(), id=digest))
    notebook = new_notebook(cells=cells, metadata=files.METADATA)
    files.insert_links(notebook, files.name_of(NOTEBOOK))
    return notebook
