"""Nothing but a keyboard: every control is reached, is seen to be reached, and does its work."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mtsig_nb as mt
from mtsig_nb.teaching import be_the_judge, chance_machine, inventory, movable, own_numbers

from ..small_sets import means as means_of
from .course import every_unit, page_of
from .keyboard import Walk, assert_all_is_reached, tab_to, walk
from .pages import said, show

INVENTORY = Path(__file__).parents[2] / "notebooks" / "labs" / "inventory.toml"
EVERY_UNIT = every_unit(in_every_run=[0, 1, 13])


def machine():
    wins = np.random.default_rng(1).integers(-1, 2, 30)
    means = means_of([wins, np.zeros(30)], systems=["ours", "theirs"])
    tests = ["approximate-randomization", "bootstrap", "paired-bootstrap"]
    return chance_machine(means, "ours", "theirs", tests=tests, n_resamples=1000)


@pytest.mark.parametrize(
    ("wrong", "not_reached", "not_seen"),
    [
        ("<div style='cursor: pointer'>More</div>", ['div. "More"'], []),
        ("<button tabindex='-1'>More</button>", ['button. "More"'], []),
        ("<button style='outline: none'>More</button>", [], ['button. "More"']),
        ("<button hidden>More</button><p style='cursor: text'>Words</p>", [], []),
    ],
)
def test_what_no_key_reaches_and_what_shows_no_focus_is_found(page, wrong, not_reached, not_seen):
    page.set_content(f"<button>First</button>{wrong}")
    n_others = len(not_seen)
    assert walk(page) == Walk(1 + n_others, not_reached, not_seen)


def test_the_chance_machine(page):
    page.emulate_media(reduced_motion="reduce")
    show(page, machine())
    assert_all_is_reached(page, at_least=8)
    tab_to(page, "All 1,000")
    page.keyboard.press("Space")
    page.wait_for_function("document.querySelector('[data-mtsig]').dataset.n === '1000'")
    assert_all_is_reached(page, at_least=5)  # there is nothing left to toss
    # One bar is a stop, arrows lead to the others, and Enter opens one of its resamples.
    tab_to(page, "bar ")
    before = page.evaluate("document.activeElement.dataset.bar")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.bar") != before
    page.keyboard.press("Enter")
    assert page.get_by_role("button", name="Back to the hill").is_visible()
    assert_all_is_reached(page, at_least=6)
    tab_to(page, "Back to the hill")
    page.keyboard.press("Enter")
    assert not page.get_by_role("button", name="Back to the hill").is_visible()
    # The line is moved by arrows.
    tab_to(page, "the line")
    count = said(page)["count"]
    for _ in range(40):
        page.keyboard.press("ArrowLeft")
    assert said(page)["count"] != count
    # A menu is turned by arrows.
    page.locator("select").first.focus()
    page.keyboard.press("ArrowDown")
    assert page.locator("select").first.input_value() == "1"
    assert page.said == []


def test_numbers_of_ones_own(page):
    show(page, own_numbers())
    assert_all_is_reached(page, at_least=2)
    page.locator("textarea").focus()
    for key in ("3 1", "Enter", "4 2", "Enter", "2 5"):
        page.keyboard.press("Enter") if key == "Enter" else page.keyboard.type(key)
    tab_to(page, "Use these numbers")
    page.keyboard.press("Enter")
    assert "3 pairs were read" in page.locator(".mtsig-own [role=status]").inner_text()
    assert_all_is_reached(page, at_least=8)


def test_the_inventory(page):
    asked = inventory(INVENTORY, units={1: {"title": "Unit 1", "page": "unit.html"}})
    show(page, asked)
    for number in range(len(asked.data["questions"])):
        page.locator("input").first.focus()
        page.keyboard.press("Space")
        page.keyboard.press("ArrowDown")
        assert page.locator("input").nth(1).is_checked()
        if number in (0, 1):
            assert_all_is_reached(page, within=".mtsig-exam", at_least=2)
        is_last = number + 1 == len(asked.data["questions"])
        tab_to(page, "Hand in" if is_last else "Next")
        page.keyboard.press("Enter")
    assert said(page)["code"]
    assert_all_is_reached(page)


def test_be_the_judge(page):
    show(page, be_the_judge())
    for number in range(24):
        if number in (0, 1, 23):
            assert_all_is_reached(page, at_least=3)
        tab_to(page, ("The first is better", "The second is better", "No difference")[number % 3])
        page.keyboard.press("Enter" if number % 2 else "Space")
    assert said(page)["code"]
    assert_all_is_reached(page, at_least=20)
    page.locator(".mtsig-judge summary").first.focus()
    page.keyboard.press("Enter")
    assert page.locator(".mtsig-judge details").first.get_attribute("open") is not None


def test_a_picture_with_sliders(page):
    show(page, movable(lambda ax, n, side: ax.bar([0], [side * n]), n=[1, 2, 3], side=[1, -1]))
    assert_all_is_reached(page, at_least=2)
    page.set_viewport_size({"width": 400, "height": 900})
    page.wait_for_timeout(200)
    tab_to(page, "")
    view = page.locator(".mtsig-movable .view")
    view.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.querySelector('.mtsig-movable .view').scrollLeft > 0")


@pytest.mark.parametrize("number", EVERY_UNIT)
def test_a_unit_before_and_after_its_guesses(site, page, number):
    page.goto(page_of(site, number))
    assert_all_is_reached(page, at_least=3)
    while page.locator(".guess-skip:visible").count():
        page.locator(".guess-skip:visible").first.press("Enter")
    assert_all_is_reached(page, at_least=10)
    assert page.said == []


@pytest.mark.parametrize("name", ["index", "inventory", "docs/glossary"])
def test_the_map_and_documents(site, page, name):
    page.goto((site.folder / f"{name}.html").as_uri())
    assert_all_is_reached(page, at_least=3)


@pytest.mark.thorough
def test_every_document(site, page):
    for path in sorted((site.folder / "docs").rglob("*.html")):
        page.goto(path.as_uri())
        assert_all_is_reached(page)


def test_the_numbers_are_the_packages_whichever_way_a_machine_is_worked(page):
    """Enter does what a click does."""
    show(page, machine())
    page.get_by_role("button", name="All 1,000").press("Enter")
    page.wait_for_function("document.querySelector('[data-mtsig]').dataset.n === '1000'")
    wins = np.random.default_rng(1).integers(-1, 2, 30)
    means = means_of([wins, np.zeros(30)], systems=["ours", "theirs"])
    expected = mt.approximate_randomization(
        means, "ours", "theirs", n_resamples=1000, rng=2014, exact=False
    )
    assert float(said(page)["p"]) == expected.pvalue
