"""The concept inventory: no question is answered by its wording, and what is printed holds it."""

from __future__ import annotations

import dataclasses
import re
import tomllib

import numpy as np
import pytest
from scipy.stats import norm

from mtsig_nb.errors import InputError
from tools import notebook_files as files
from tools.inventory import checks, data, rendering
from tools.inventory.data import Inventory, Item, Option

INVENTORY = data.read()


def item(*texts: str, right: int = 0, stem: str = "What follows?", unit: int = 1) -> Item:
    """An item of these answers, whose wrong ones come from misconceptions a, b and c."""
    names = iter("abc")
    options = tuple(
        Option(text, right=True) if at == right else Option(text, misconception=next(names))
        for at, text in enumerate(texts)
    )
    return Item(unit, stem, options, "Because.")


def of(*items: Item) -> Inventory:
    return Inventory({name: f"One believes {name}." for name in "abc"}, items)


GOOD = item("north of it", "south of it", "eastward now", "westward now")


# The inventory.


def test_the_inventory_has_nothing_that_gives_answers_away():
    assert checks.problems(INVENTORY) == []


def test_it_has_25_items_of_four_answers():
    assert len(INVENTORY.items) == 25
    assert {len(item.options) for item in INVENTORY.items} == {4}


def test_every_item_says_why_and_asks_something():
    assert [n for n, item in enumerate(INVENTORY.items, 1) if not item.stem.endswith("?")] == []
    assert min(len(item.because.split()) for item in INVENTORY.items) >= 15


# Each check, with something to find.


def test_of_two_large_p_values_the_key_says_no_more_than_is_so():
    """Where one system leads, .85 is rarer than .35; how much rarer, p does not tell."""
    z = norm.isf(np.array([0.35, 0.85]) / 2)
    with_a_lead = (norm.pdf(z - 1.96) + norm.pdf(z + 1.96)) / (2 * norm.pdf(z))  # 1 without one
    assert np.round(1 / (1 + with_a_lead), 2).tolist() == [0.68, 0.86]
    (question,) = (item for item in INVENTORY.items if item.unit == 15)
    (right,) = (option.text for option in question.options if option.right)
    assert "p alone does not tell how far apart" in right


def test_an_item_with_nothing_wrong():
    for check in (
        checks.one_is_right,
        checks.misconceptions_are_named,
        checks.words_that_no_claim_bears,
        checks.answers_about_answers,
        checks.grammar,
        checks.manner,
        checks.lengths,
        checks.echoes,
        checks.runs,
    ):
        assert list(check(of(GOOD))) == [], check


def test_two_right_answers_or_none():
    wrong, right = Option("one", misconception="a"), Option("two", right=True)
    none = dataclasses.replace(GOOD, options=(wrong, wrong, wrong))
    two = dataclasses.replace(GOOD, options=(right, right, wrong, wrong))
    found = checks.problems(of(GOOD, none, two))
    assert "item 2 has 0 right answers instead of one" in found
    assert "item 3 has 2 right answers instead of one" in found
    assert "item 3 has the same answer twice" in found
    assert list(checks.one_is_right(of(item("yes", "no")))) == [
        "item 1 has 2 answers; it should have about four"
    ]


def test_a_wrong_answer_without_a_misconception_or_with_one_that_is_not_listed():
    options = (Option("x", right=True), Option("y"), Option("z", misconception="typo"))
    found = list(checks.misconceptions_are_named(of(dataclasses.replace(GOOD, options=options))))
    assert len(found) == 2
    assert found[0].startswith("item 1, answer B")
    assert found[0].endswith("it names none")
    assert found[1].startswith("item 1, answer C")
    assert found[1].endswith("it names 'typo'")


def test_a_misconception_behind_two_answers_of_an_item_or_behind_the_right_one():
    a = Option("y", misconception="a")
    options = (Option("x", right=True, misconception="b"), a, dataclasses.replace(a, text="z"))
    assert list(
        checks.misconceptions_are_named(of(dataclasses.replace(GOOD, options=options)))
    ) == [
        "item 1: the right answer comes from a misconception",
        "item 1 has two answers from 'a'",
    ]


def test_a_misconception_that_is_used_once_or_is_no_sentence():
    once = Inventory({"a": "A sentence.", "b": "two. sentences", "c": "Another."}, (GOOD, GOOD))
    assert list(checks.misconceptions_are_used(once)) == [
        "misconception 'b' should be one sentence: 'two. sentences'"
    ]
    found = list(checks.misconceptions_are_used(of(GOOD)))
    assert [problem.split("'")[1] for problem in found] == ["a", "b", "c"]


def test_units_that_are_asked_twice_and_parts_that_are_forgotten():
    def about(units: list[int]) -> list[str]:
        items = (dataclasses.replace(GOOD, unit=unit) for unit in units)
        return list(checks.units_are_covered(of(*items)))

    assert about(list(range(1, 31))) == []
    assert "the items are not in the order of their units" in about([2, 1, *range(3, 31)])
    assert "there is no unit 99" in about([*range(1, 30), 99])
    twice = about([1, 1, *range(3, 31)])
    assert twice == ["unit 1 has 2 items, where others would have 1"]
    assert sum(problem.startswith("part “") for problem in about(list(range(1, 19)))) >= 3


@pytest.mark.parametrize("word", ["always", "Never", "every time", "impossible"])
def test_absolute_words(word):
    found = list(checks.words_that_no_claim_bears(of(item("north", f"{word} south", "west"))))
    assert found == [f"item 1, answer B says “{word}”"]


@pytest.mark.parametrize(
    "text", ["All of the above", "none of these", "both of those", "Answers A and B"]
)
def test_answers_about_other_answers(text):
    found = list(checks.answers_about_answers(of(item("north", "south", text))))
    assert len(found) == 1
    assert found[0].startswith("item 1, answer C is about other answers")


def test_answers_about_systems_called_a_and_b_are_none():
    texts = ("Both A and B are ahead", "Neither A nor B is", "An answer about either")
    assert list(checks.answers_about_answers(of(item(*texts)))) == []


@pytest.mark.parametrize(
    ("stem", "texts", "letter"),
    [
        ("What was drawn is a", ("resample", "shuffle", "interval"), "C"),
        ("What was drawn is an", ("interval", "resample", "error"), "B"),
        ("What was exchanged is", ("the output", "two outputs", "the source"), "B"),
        ("What was exchanged were", ("outputs", "names", "a reference"), "C"),
    ],
)
def test_answers_that_the_grammar_of_the_stem_excludes(stem, texts, letter):
    found = list(checks.grammar(of(item(*texts, stem=stem))))
    assert found == [f"item 1, answer {letter} does not go with the stem's “{stem.split()[-1]}”"]


@pytest.mark.parametrize(
    ("right", "wrong", "what"),
    [
        ("North of it", "south of it", "has a capital"),
        ("north of it", "South of it", "has not a capital"),
        ("north of it.", "south of it", "has a full stop"),
        ("north by 4", "south by it", "has a figure"),
        ("“north”", "south", "has a quotation"),
        ("north (of it)", "south of it", "has brackets"),
        ("perhaps north", "surely south", "has a reservation"),
        ("surely north", "perhaps south", "has not a reservation"),
    ],
)
def test_a_right_answer_that_is_put_as_no_other_is(right, wrong, what):
    found = list(checks.manner(of(item(right, wrong, f"{wrong[:-1]}e", f"{wrong[:-1]}o"))))
    assert f"item 1: only the right answer {what}" in found
    shared = item(right, wrong, right.replace("orth", "ook"), wrong)
    assert list(checks.manner(of(shared))) == []


def test_a_right_answer_that_stands_out_by_its_length():
    longest = item("quite far to the north", "a way to the south", "a way to the east")
    assert list(checks.lengths(of(longest))) == ["item 1: the right answer is the longest by far"]
    shortest = item("to the north", "a bit to the south", "a bit to the east")
    assert list(checks.lengths(of(shortest))) == ["item 1: the right answer is the shortest by far"]
    uneven = item("a way to the north", "up", "a way to the south")
    assert list(checks.lengths(of(uneven))) == ["item 1: its answers are of very different lengths"]


def test_a_right_answer_that_alone_repeats_the_stem():
    stem = "Two systems were exchanged. What is to be counted?"
    echo = item("exchanging of systems", "drawing of words", "throwing of dice", stem=stem)
    assert list(checks.echoes(of(echo))) == [
        "item 1: only the right answer repeats ['exchang', 'system'] of the stem"
    ]
    everywhere = item("system one", "systems two", "the system three", stem=stem)
    assert list(checks.echoes(of(everywhere))) == []


# Strategies, over items whose right answer is where the strategy looks, or where it does not.


def told(*items: Item) -> set[str]:
    """The strategies that earn more than guessing."""
    return {problem.split("“")[1].split("”")[0] for problem in checks.strategies(of(*items))}


def test_strategies_that_pay():
    long_a = item("longer", "short", "brief", "small")
    assert "the longest" in told(*[long_a] * 4)
    assert "the shortest" in told(*[item("up", "downward", "eastward", "westward")] * 4)
    echo = item("system six", "other one", "other two", "other ten", stem="Which system?")
    assert "the one that repeats most of the stem" in told(*[echo] * 4)
    assert {"answer A", "not answer B"} <= told(*[GOOD] * 4)


def test_strategies_pay_if_the_right_answer_is_avoided_too_carefully():
    """If the longest is not right in any item, there is one answer less to choose from."""
    items = [item("longer", "short", "brief", "small", right=1 + at % 3) for at in range(25)]
    assert {"not the longest", "not answer A"} <= told(*items)
    assert "the longest" not in told(*items)


def test_strategies_do_not_pay_where_nothing_is_to_be_seen():
    same = [item("north", "south", "point", "cross", right=at % 4) for at in range(24)]
    assert told(*same) == set()


def test_a_run_of_the_same_letter():
    items = [item("north", "south", "point", right=right) for right in (0, 1, 1, 1, 2, 2)]
    assert list(checks.runs(of(*items))) == ["items 2 to 4: the right answer is B each time"]


# Reading, printing, and the program.


def test_an_inventory_of_another_form_is_refused(tmp_path):
    broken = tmp_path / "broken.toml"
    broken.write_text("[misconceptions\n", encoding="utf-8")
    with pytest.raises(InputError, match="is not TOML"):
        data.read(broken)
    parsed = tomllib.loads(data.INVENTORY.read_text(encoding="utf-8"))
    parsed["item"][2]["options"][0]["correct"] = True
    with pytest.raises(InputError, match=r"item=3 .*correct.*right = true or a misconception"):
        data.inventory(parsed)


def test_the_exam_has_all_questions_and_tells_no_answer():
    exam = rendering.to_markdown("exam", INVENTORY)
    for number, one in enumerate(INVENTORY.items, 1):
        assert f"**{number}.** {one.stem}\n" in exam
        assert all(f"☐ {letter} · {option.text}\n" in exam for letter, option in one.lettered)
        assert one.because not in exam
    assert not any(sentence in exam for sentence in INVENTORY.misconceptions.values())


def test_the_key_says_what_is_right_why_and_what_stands_behind_each_wrong_answer():
    key = rendering.to_markdown("key", INVENTORY)
    letters = [data.LETTERS[one.position] for one in INVENTORY.items]
    assert f"| {' | '.join(letters)} |" in key
    for number, one in enumerate(INVENTORY.items, 1):
        question = re.split(r"^\*\*\d+\.\*\* ", key, flags=re.M)[number]
        for letter, option in one.lettered:
            if option.right:
                assert f"- **{letter} · {option.text}** {one.because}" in question
            else:
                behind = INVENTORY.misconceptions[option.misconception]
                assert f"- {letter} · {option.text} Believed: *{behind}*" in question
                row = next(line for line in key.splitlines() if line.startswith(f"| {behind} |"))
                assert f"{number}{letter}" in re.findall(r"\d+[A-E]", row)
        assert f"*(unit {one.unit} · " in question


def test_the_notebook_is_what_the_inventory_makes():
    assert files.read(rendering.NOTEBOOK) == rendering.to_notebook(INVENTORY), "run make handouts"


def test_every_answer_of_the_notebook_opens_what_is_behind_it():
    questions = [cell.source for cell in rendering.to_notebook(INVENTORY).cells[2:-1]]
    assert len(questions) == len(INVENTORY.items)
    for source, one in zip(questions, INVENTORY.items, strict=True):
        shown = source.partition("<details>")[0]
        assert one.stem in shown
        assert one.because not in shown
        folds = re.findall(
            r"<details><summary>(.*?)</summary>\n\n(.*?)\n\n</details>", source, re.DOTALL
        )
        for (summary, inside), (letter, option) in zip(folds, one.lettered, strict=True):
            assert summary == f"{letter} · {option.text}"
            assert inside.startswith("Right. " if option.right else "Not quite. ")
            said = one.because if option.right else INVENTORY.misconceptions[option.misconception]
            assert said in inside
