"""The concept inventory: no question is answered by its wording, and what is printed holds it."""

from __future__ import annotations

import dataclasses
import re

import pytest

from tools.course import inventory
from tools.course.inventory import Inventory, Item, Option
from tools.notebooks import files

INVENTORY = inventory.read()


def item(right: str, *wrong: str) -> Item:
    """An item of these answers, whose wrong ones come from misconceptions a, b and c."""
    others = (Option(text, misconception=name) for text, name in zip(wrong, "abc", strict=False))
    return Item(1, "What follows?", (Option(right, right=True), *others), "Because.")


def of(*items: Item) -> Inventory:
    return Inventory({name: f"One believes {name}." for name in "abc"}, items)


GOOD = item("north of it", "south of it", "eastward now", "westward now")


# The inventory.


def test_the_inventory_has_nothing_that_gives_answers_away():
    assert inventory.problems(INVENTORY) == []


# Each check, with something to find.


RIGHT, WRONG = Option("two", right=True), Option("one", misconception="a")
AGAIN = dataclasses.replace(WRONG, text="z")


@pytest.mark.parametrize(
    ("options", "finding"),
    [
        ((WRONG, WRONG), "item 1 has 0 right answers instead of one"),
        ((RIGHT, RIGHT), "item 1 has the same answer twice"),
        (("yes", "no"), "item 1 has 2 answers; it should have about four"),
        ((RIGHT, WRONG, Option("y")), "it names none"),
        ((RIGHT, WRONG, Option("z", misconception="typo")), "it names 'typo'"),
        (
            (Option("x", right=True, misconception="b"), WRONG, AGAIN),
            "item 1: the right answer comes from a misconception",
        ),
        ((RIGHT, WRONG, AGAIN), "item 1 has two answers from 'a'"),
    ],
)
def test_what_gives_an_answer_away_is_named(options, finding):
    words = isinstance(options[0], str)
    bad = item(*options) if words else dataclasses.replace(GOOD, options=options)
    assert any(finding in problem for problem in inventory.problems(of(bad)))


# Strategies, over items whose right answer is where the strategy looks, or where it does not.


def told(*items: Item) -> set[str]:
    """The strategies that earn more than guessing."""
    return {problem.split("“")[1].split("”")[0] for problem in inventory.strategies(of(*items))}


def test_strategies_that_pay():
    assert "the longest" in told(*[item("longer", "short", "brief", "small")] * 4)
    assert "the shortest" in told(*[item("up", "downward", "eastward", "westward")] * 4)
    assert {"answer A", "not answer B"} <= told(*[GOOD] * 4)
    never = item("never east", "south", "never north", "never west")
    assert any("never" in strategy for strategy in told(*[never] * 4))


# Reading, printing, and the program.


def test_the_exam_has_all_questions_and_tells_no_answer():
    exam = inventory.to_markdown("exam", INVENTORY)
    for number, one in enumerate(INVENTORY.items, 1):
        assert f"**{number}.** {one.stem}\n" in exam
        assert all(f"☐ {letter} · {option.text}\n" in exam for letter, option in one.lettered)
        assert one.because not in exam
    assert not any(sentence in exam for sentence in INVENTORY.misconceptions.values())


def test_the_key_says_what_is_right_why_and_what_stands_behind_each_wrong_answer():
    key = inventory.to_markdown("key", INVENTORY)
    letters = [inventory.LETTERS[one.position] for one in INVENTORY.items]
    assert f"| {' | '.join(letters)} |" in key
    for number, one in enumerate(INVENTORY.items, 1):
        question = re.split(r"^\*\*\d+\.\*\* ", key, flags=re.M)[number]
        for letter, option in one.lettered:
            if option.right:
                assert f"- **{letter} · {option.text}** {one.because}" in question
            else:
                behind = INVENTORY.misconceptions[option.misconception]
                assert f"- {letter} · {option.text} Misconception: *{behind}*" in question
                row = next(line for line in key.splitlines() if line.startswith(f"| {behind} |"))
                assert f"{number}{letter}" in re.findall(r"\d+[A-E]", row)
        assert f"*(unit {one.unit} · " in question


def test_the_notebook_is_what_the_inventory_makes():
    assert files.read(inventory.NOTEBOOK) == inventory.to_notebook(INVENTORY), "run make handouts"
