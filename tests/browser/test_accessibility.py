"""Pages by axe-core, at the widths of a desk and of a telephone; and by keyboard."""

from __future__ import annotations

import pytest

from tools.notebooks import files
from tools.site.pages import Outcome, Pages, Unit
from tools.trust import places

from .accessibility import assert_accessible, assert_no_wider_than_the_window, violations

UNITS = [0, 1, 4, 13, 15]
PAGES_ON_TRUST = [*places.SUBJECTS, *(page.name for page in places.PAGES_OF_WORLDS)]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    made = Pages(
        tmp_path_factory.mktemp("pages"),
        [Unit.of(path) for path in files.series() if path.name[:2].isdigit()],
    )
    made.prepare()
    for number in UNITS:
        made.write(files.read(made.units[number].path), number)
    made.write_map([Outcome(unit, 1.0, []) for unit in made.units])
    return made


@pytest.mark.parametrize("number", UNITS)
def test_units_before_and_after_their_guesses(site, page, number):
    page.goto(f"file://{site.folder / site.units[number].page}")
    assert_accessible(page)
    page.locator(".guess-choices button").first.click()
    waiting = page.locator(".guess-skip:visible")
    while waiting.count():
        waiting.first.click()
    page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    assert page.locator("main img").count() > 0
    assert_accessible(page)


#: Leaves the first rows of each table: the others are made by the same lines of a template.
FIRST_ROWS = """document.querySelectorAll("tbody").forEach((body) => {
  [...body.rows].slice(3).forEach((row) => row.remove());
})"""


@pytest.mark.parametrize(
    "name",
    ["index", "docs/glossary", "docs/trust", "docs/trust/best-to-worst", "docs/checklist"],
)
def test_the_map_and_documents(site, page, name):
    """Of long tables the first rows, by axe-core; that no page is too wide, with all of them."""
    page.goto(f"file://{site.folder / name}.html")
    assert_no_wider_than_the_window(page)
    page.evaluate(FIRST_ROWS)
    assert_accessible(page)


@pytest.mark.thorough
@pytest.mark.parametrize("name", PAGES_ON_TRUST)
def test_every_row_of_the_pages_on_trust(site, page, name):
    page.goto(f"file://{site.folder / 'docs/trust' / name}.html")
    assert_no_wider_than_the_window(page)
    assert_accessible(page)


def test_what_is_wrong_is_found(page):
    page.set_content("<p style='color: #aaa'>Pale <input> and <img src='data:,'></p>")
    names = {one.partition(" ")[0] for one in violations(page)}
    assert {"color-contrast", "label", "image-alt", "html-has-lang"} <= names


def test_from_the_guess_to_p_by_keyboard(site, page):
    """Nothing but Tab and Enter, in the order of the page."""
    page.goto(f"file://{site.folder / site.units[1].page}")

    def tab_to(name):
        for _ in range(120):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.textContent.trim()") == name:
                return
        raise AssertionError(f"no way to {name!r}")

    choice = "about 3 of 10,000"
    tab_to(choice)
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert page.evaluate(outline) != "none", "where one is can be seen"
    page.keyboard.press("Enter")
    assert page.get_by_role("status").first.inner_text().startswith(f"✗ {choice}.")
    machine = page.locator("[data-mtsig]").first
    tab_to("All 10,000")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('[data-mtsig]').dataset.n === '10000'")
    assert 0 < float(machine.get_attribute("data-p")) < 0.05
    assert page.said == []
