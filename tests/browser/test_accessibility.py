"""Pages and components by axe-core, at the widths of a desk and of a telephone; and by keyboard."""

from __future__ import annotations

from pathlib import Path

import pytest

import mtsig_nb as mt
from mtsig_nb.teaching import be_the_judge, chance_machine, inventory
from tools import notebook_files as files
from tools.pages import Outcome, Pages, Unit

from .accessibility import WIDTHS, reflowed, violations
from .pages import visit
from .servers import explorer_page

pytestmark = pytest.mark.browser

UNITS = [0, 1, 4, 13, 15]
INVENTORY = Path(__file__).parents[2] / "notebooks" / "labs" / "inventory.toml"


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


@pytest.fixture(params=WIDTHS)
def seen(page, request):
    page.set_viewport_size({"width": request.param, "height": 900})
    return page


def shows(page, component):
    page.set_content(
        "<!doctype html><html lang='en'><head><meta charset='utf-8'><title>A component</title>"
        f"</head><body><main><h1>A component</h1>{component._repr_html_()}</main></body></html>"
    )


@pytest.mark.parametrize("number", UNITS)
def test_units_before_and_after_their_guesses(site, seen, number):
    seen.goto(f"file://{site.folder / site.units[number].page}")
    assert violations(seen) == []
    seen.locator(".guess-choices button").first.click()
    waiting = seen.locator(".guess-skip:visible")
    while waiting.count():
        waiting.first.click()
    seen.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    assert seen.locator("main img").count() > 0
    seen.wait_for_timeout(300)  # what has just been opened learns how wide it is
    assert violations(seen) == []
    assert reflowed(seen)


@pytest.mark.parametrize("name", ["index", "docs/glossary", "docs/trust", "docs/checklist"])
def test_the_map_and_documents(site, seen, name):
    seen.goto(f"file://{site.folder / name}.html")
    assert violations(seen) == []
    assert reflowed(seen)


def test_a_chance_machine_before_and_after_all_its_tosses(seen):
    bleu = mt.load("wmt21/de-en").statistics("BLEU")
    shows(seen, chance_machine(bleu, "Facebook-AI", "NVIDIA-NeMo", n_resamples=1000, rng=2014))
    seen.get_by_role("button", name="All 1,000").wait_for()
    assert violations(seen) == []
    seen.get_by_role("button", name="All 1,000").click()
    seen.wait_for_function("document.querySelector('[data-mtsig]').dataset.n === '1000'")
    assert violations(seen) == []
    assert reflowed(seen)


def test_judging_to_the_end(seen):
    quiz = be_the_judge()
    shows(seen, quiz)
    assert violations(seen) == []
    for _ in quiz.data["items"]:
        seen.get_by_role("button", name="The first is better").click()
    seen.locator(".mtsig-judge code").wait_for()
    seen.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    assert violations(seen) == []
    assert reflowed(seen)


def test_the_inventory_to_its_code(seen):
    exam = inventory(INVENTORY)
    shows(seen, exam)
    assert violations(seen) == []
    last = len(exam.data["questions"])
    for number in range(1, last + 1):
        seen.locator("label").first.click()
        seen.get_by_role("button", name="Hand in" if number == last else "Next").click()
    seen.locator("[data-mtsig] code").wait_for()
    assert violations(seen) == []
    assert reflowed(seen)


def test_what_is_wrong_is_found(seen):
    seen.set_content("<p style='color: #aaa'>Pale <input> and <img src='data:,'></p>")
    names = {one.partition(" ")[0] for one in violations(seen)}
    assert {"color-contrast", "label", "image-alt", "html-has-lang"} <= names


@pytest.mark.slow
def test_the_explorer_as_it_opens(page, tmp_path):
    with explorer_page(tmp_path) as address:
        visit(page, address, ".mtsig-figure")
        assert violations(page) == []


def test_from_the_guess_to_p_by_keyboard(site, page):
    """Nothing but Tab and Enter, in the order of the page."""
    page.goto(f"file://{site.folder / site.units[1].page}")

    def tab_to(name):
        for _ in range(120):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.textContent.trim()") == name:
                return
        raise AssertionError(f"no way to {name!r}")

    tab_to("about 3 of 10,000")
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert page.evaluate(outline) != "none", "where one is can be seen"
    page.keyboard.press("Enter")
    assert page.get_by_role("status").first.inner_text().startswith("✗ about 3 of 10,000.")
    machine = page.locator("[data-mtsig]").first
    tab_to("All 10,000")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('[data-mtsig]').dataset.n === '10000'")
    assert 0 < float(machine.get_attribute("data-p")) < 0.05
    assert page.said == []
