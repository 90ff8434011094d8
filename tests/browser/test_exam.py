"""The concept inventory as a page: a student answers, the class's codes become a table."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import mtsig_nb as mt
from mtsig_nb.components.codes import code_of
from mtsig_nb.teaching import inventory, inventory_results, read_codes

from ..messages import naming
from .accessibility import assert_accessible
from .pages import said, show

PATH = Path(__file__).parents[2] / "notebooks" / "labs" / "inventory.toml"
ITEMS = tomllib.loads(PATH.read_text(encoding="utf-8"))["item"]
RIGHT = ["ABCDE"[[o.get("right", False) for o in item["options"]].index(True)] for item in ITEMS]


def test_answers_become_a_code_and_nothing_is_given_away(page):
    asked = inventory(PATH)
    for question in asked.data["questions"]:
        assert set(question) == {"stem", "options"}
        assert all(isinstance(option, str) for option in question["options"])
    show(page, asked)
    assert_accessible(page)
    given = []
    for number, item in enumerate(ITEMS):
        assert page.locator("legend").inner_text() == item["stem"]
        answer = number % (len(item["options"]) + 1)  # the last of them: none
        if answer < len(item["options"]):
            page.locator("label").nth(answer).click()
        given.append("ABCDE"[answer] if answer < len(item["options"]) else None)
        if number == 3:  # back, and what was chosen is still there
            page.get_by_role("button", name="Back").click()
            assert page.locator(":checked").count() == 1
            page.get_by_role("button", name="Next").click()
        last = number == len(ITEMS) - 1
        page.get_by_role("button", name="Hand in" if last else "Next").press("Enter")
    code = said(page)["code"]
    assert code == code_of(given, asked)
    assert read_codes([code], asked).iloc[0].tolist() == given
    assert_accessible(page)
    assert page.said == []


def test_whoever_answers_alone_gets_a_score_and_what_to_read_again(page):
    pages = {item["unit"]: f"unit_{item['unit']}.html" for item in ITEMS}
    units = {unit: {"title": f"Unit {unit}", "page": place} for unit, place in pages.items()}
    show(page, inventory(PATH, units=units))
    answered_wrongly, not_answered = 2, 5
    chosen = 0
    for number, letter in enumerate(RIGHT):
        right = "ABCDE".index(letter)
        if number == answered_wrongly:
            chosen = 0 if right else 1
            page.locator("label").nth(chosen).click()
        elif number != not_answered:
            page.locator("label").nth(right).click()
        last = number == len(ITEMS) - 1
        page.get_by_role("button", name="Hand in" if last else "Next").click()
    assert f"{len(ITEMS) - 2} of {len(ITEMS)}" in page.get_by_text("You were right on").inner_text()
    reviewed = page.locator("li")
    assert [int(reviewed.nth(n).get_attribute("value")) for n in range(2)] == [3, 6]
    for n, number in enumerate((answered_wrongly, not_answered)):
        item = ITEMS[number]
        shown = reviewed.nth(n).inner_text()
        assert item["because"] in shown
        assert reviewed.nth(n).locator("a").get_attribute("href") == pages[item["unit"]]
    believed = ITEMS[answered_wrongly]["options"][chosen]["misconception"]
    assert tomllib.loads(PATH.read_text(encoding="utf-8"))["misconceptions"][believed] in (
        reviewed.nth(0).inner_text()
    )
    assert "Your answer" not in reviewed.nth(1).inner_text()
    assert_accessible(page)


@pytest.mark.parametrize("n_students", [3, 300])
def test_a_class_before_and_after(n_students):
    asked, rng = inventory(PATH), np.random.default_rng(1)
    before = [code_of(rng.choice(list("ABC"), len(ITEMS)), asked) for _ in range(n_students)]
    after = [code_of([*RIGHT[:-1], None], asked)] * n_students
    found = inventory_results(PATH, before, after)
    assert (found["after"].iloc[:-1] == 1).all()
    assert found["after"].iloc[-1] == 0
    assert (found["wrong"] == "").all()
    table = read_codes(before, asked)
    first = inventory_results(PATH, before)
    for number, (item, right) in enumerate(zip(ITEMS, RIGHT, strict=True), start=1):
        row, said = first.loc[number], table[number]
        assert row["before"] == pytest.approx((said == right).mean())
        assert row["share"] == pytest.approx((said == row["wrong"]).mean())
        assert row["share"] == max((said == letter).mean() for letter in set("ABC") - {right})
        if row["wrong"]:
            option = item["options"]["ABCDE".index(row["wrong"])]
            assert row["misconception"] == option["misconception"]
    assert first["after"].isna().all()


def test_codes_of_other_pages_are_refused():
    with pytest.raises(mt.InputError, match=naming("number 1", "'N3VGN3VGN2Q'", "this page")):
        inventory_results(PATH, ["N3VGN3VGN2Q"])


def test_a_code_that_answers_what_was_not_asked_is_named_and_the_class_has_its_results():
    asked = inventory(PATH)
    right = code_of(RIGHT, asked)
    odd = code_of(["G", *RIGHT[1:]], asked)
    problem = "codes: number 2 answers 'G', which item 1 does not offer"
    with pytest.warns(UserWarning, match=problem):
        found = inventory_results(PATH, [right, odd, right])
    assert (found["before"] == 1).all()
    with pytest.raises(mt.InputError, match=problem.replace("2", "1")):
        read_codes([odd], asked)
    with pytest.warns(UserWarning, match=naming("codes after:", "number 2", "'None'")):
        found = inventory_results(PATH, [right], [right, None, right])
    assert (found["after"] == 1).all()


def test_rows_of_a_series_keep_its_labels():
    asked = inventory(PATH)
    right = code_of(RIGHT, asked)
    codes = pd.Series([right, "typo", right], index=["ann", "bob", "eve"])
    with pytest.warns(UserWarning, match="number 2, 'typo'"):
        table = read_codes(codes, asked)
    assert table.index.tolist() == ["ann", "eve"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "cannot be read"),
        ("item = ", "is not an inventory"),
        ("a = 1", r"it has no \[\[item"),
    ],
)
def test_what_is_no_inventory_is_refused_with_the_reason(tmp_path, content, reason):
    path = tmp_path / "inventory.toml"
    if content is not None:
        path.write_text(content)
    with pytest.raises(mt.InputError, match=reason):
        inventory(path)
