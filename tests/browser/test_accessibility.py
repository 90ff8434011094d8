"""Pages by axe-core, at the widths of a desk and of a telephone; and by keyboard."""

from __future__ import annotations

import pytest

from tools.notebooks import files

from .accessibility import assert_accessible, assert_no_wider_than_the_window, violations
from .course import every_unit, page_of
from .keyboard import tab_to

DOCUMENTS = sorted(
    path.relative_to(files.ROOT).with_suffix("").as_posix()
    for path in (files.ROOT / "docs").rglob("*.md")
)
EVERY_UNIT = every_unit(in_every_run=[0, 1, 4, 13, 15])


def read_on(page):
    """Pass over all guesses, each of which may show the next one."""
    waiting = page.locator(".guess-skip:visible")
    while waiting.count():
        waiting.first.click()


@pytest.mark.parametrize("number", EVERY_UNIT)
def test_units_before_and_after_their_guesses(site, page, number):
    page.goto(page_of(site, number))
    assert_accessible(page)
    read_on(page)
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    assert page.locator("main img").count() + page.locator("main svg").count() > 0
    assert_accessible(page)
    assert page.said == []


@pytest.mark.parametrize("number", EVERY_UNIT)
def test_words_in_figures_stay_legible_on_a_phone(site, page, number):
    """A figure that is wider than the phone is scrolled, by keyboard too, and hardly shrunk."""
    page.set_viewport_size({"width": 400, "height": 900})
    page.goto(page_of(site, number))
    read_on(page)
    page.wait_for_timeout(300)
    shares = page.evaluate(FIGURES)
    assert [figure for figure in shares if figure["share"] < 0.7] == []
    assert [figure for figure in shares if figure["isWide"] and not figure["isStop"]] == []


#: Of each figure in view how large it is drawn, and whether it is scrolled and the keyboard stops
#: there.
FIGURES = """[...document.querySelectorAll("main img")].filter((image) => image.checkVisibility())
  .map((image) => ({
    alt: image.alt.slice(0, 60),
    share: image.getBoundingClientRect().width / image.naturalWidth,
    isWide: image.parentElement.scrollWidth > image.parentElement.clientWidth,
    isStop: image.parentElement.tabIndex === 0,
  }))"""
#: Leaves the first rows of each table: the others are made by the same lines of a template.
FIRST_ROWS = """document.querySelectorAll("tbody").forEach((body) => {
  [...body.rows].slice(3).forEach((row) => row.remove());
})"""


@pytest.mark.parametrize(
    "name",
    [
        "index",
        "inventory",
        "docs/glossary",
        "docs/trust",
        "docs/trust/best-to-worst",
        "docs/checklist",
    ],
)
def test_the_map_and_documents(site, page, name):
    """Of long tables the first rows, by axe-core; that no page is too wide, with all of them."""
    page.goto(f"file://{site.folder / name}.html")
    assert_no_wider_than_the_window(page)
    page.evaluate(FIRST_ROWS)
    assert_accessible(page)


@pytest.mark.thorough
@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_row_of_every_document(site, page, name):
    page.goto((site.folder / f"{name}.html").as_uri())
    assert_no_wider_than_the_window(page)
    assert_accessible(page)


def test_what_is_wrong_is_found(page):
    page.set_content("<p style='color: #aaa'>Pale <input> and <img src='data:,'></p>")
    names = {one.partition(" ")[0] for one in violations(page)}
    assert {"color-contrast", "label", "image-alt", "html-has-lang"} <= names


def test_from_the_guess_to_p_by_keyboard(site, page):
    """Nothing but Tab and Enter, in the order of the page."""
    page.goto(page_of(site, 1))
    choice = "about 3 of 10,000"
    tab_to(page, choice)
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert page.evaluate(outline) != "none", "where one is can be seen"
    page.keyboard.press("Enter")
    assert page.get_by_role("status").first.inner_text().startswith(f"✗ {choice}.")
    machine = page.locator("[data-mtsig]").first
    tab_to(page, "All 10,000")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('[data-mtsig]').dataset.n === '10000'")
    assert 0 < float(machine.get_attribute("data-p")) < 0.05
    assert page.said == []
