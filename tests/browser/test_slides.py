"""Decks as they are projected: every slide fits, can be read, needs keys only, and is a page."""

from __future__ import annotations

import re
import subprocess
import sys

import matplotlib.pyplot as plt
import pytest
from lxml import html

from tools.course.decks import BLOCK, DECKS, PRINTED, SMALLEST, Deck
from tools.notebooks import files

from .accessibility import violations
from .pages import CHROMIUM

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium"),
]
WRITTEN = [Deck(path) for path in sorted(DECKS.glob("*.md"))]
#: The first deck in every run, the others with `make test-rest`.
EVERY = pytest.mark.parametrize(
    "deck",
    [
        pytest.param(deck, id=deck.path.stem, marks=[pytest.mark.thorough] if n else [])
        for n, deck in enumerate(WRITTEN)
    ],
)
#: What sticks out of the slide or into its footer, and what is too small or too pale to read:
#: WCAG 2 asks for a contrast of 4.5, and of 3 where letters are as large as these.
MEASURE = """(smallest) => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map((value) => value / 255)
      .map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (node) => {
    const colour = getComputedStyle(node).backgroundColor;
    return colour === "rgba(0, 0, 0, 0)" ? behind(node.parentElement) : colour;
  };
  const contrast = (node) => {
    const [low, high] = [getComputedStyle(node).color, behind(node)].map(light)
      .sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const slide = document.querySelector("section.present"), found = [];
  const box = slide.getBoundingClientRect();
  const floor = slide.querySelector("footer").getBoundingClientRect().top;
  for (const each of slide.querySelectorAll("*")) {
    if (each.closest("aside, style, script") || !each.getClientRects().length) continue;
    const at = each.getBoundingClientRect();
    const low = each.closest("footer") ? box.bottom : floor;
    if (at.right > box.right + 1 || at.left < box.left - 1 || at.bottom > low + 1)
      found.push(`${each.tagName} ends at ${Math.round(at.right)}, ${Math.round(at.bottom)}`);
    const text = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const size = parseFloat(getComputedStyle(each).fontSize);
    if (text && !each.closest("svg") && size < smallest)
      found.push(`${size} px: ${each.textContent.slice(0, 40)}`);
    if (text && !each.closest("svg") && contrast(each) < 4.5)
      found.push(`contrast ${contrast(each).toFixed(1)}: ${each.textContent.slice(0, 40)}`);
  }
  return found;
}"""
#: Tosses or draws for all segments on a slide's machine, so that what it says then is measured.
TOSS = "document.querySelector('section.present .mtsig-chance button:nth-child(2)')?.click()"


@pytest.fixture(scope="module")
def page_of(tmp_path_factory):
    """Builds a deck once, in a process of its own: units set how NumPy and pandas print."""
    folder = tmp_path_factory.mktemp("slides")

    def build(deck):
        page = folder / f"{deck.path.stem}.html"
        if not page.exists():
            command = [sys.executable, "-m", "tools.course.decks", "--pdf", "--only", page.stem]
            command += ["--output", str(folder)]
            subprocess.run(command, check=True, cwd=files.ROOT, capture_output=True, timeout=600)
        return page

    return build


@EVERY
def test_every_slide_fits_and_can_be_read_from_the_last_row(deck, page_of, page):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(page_of(deck).as_uri())
    page.wait_for_selector("section.present")
    page.wait_for_function(
        "document.querySelector('section.present').getBoundingClientRect().width === 1280"
    )
    lacking, seen = {}, set()
    for number, slide in enumerate(deck.slides, 1):
        assert page.locator("section.present footer span").last.inner_text() == str(number)
        hidden = page.locator("section.present .fragment:not(.visible)")
        for _ in range(10):
            if not hidden.count():
                break
            page.keyboard.press("ArrowRight")
        page.evaluate(TOSS)
        found = page.evaluate(MEASURE, SMALLEST)
        if slide.kind not in seen:  # one of each kind
            found += violations(page, within="section.present")
            seen.add(slide.kind)
        if found:
            lacking[number, slide.title] = found[:3]
        page.keyboard.press("ArrowRight")
    assert lacking == {}
    assert page.said + page.asked == []


@EVERY
def test_a_page_loads_what_lies_beside_it_and_describes_its_figures(deck, page_of):
    path = page_of(deck)
    page = html.parse(path)
    loaded = page.xpath("//script/@src | //link/@href | //img/@src")
    beside = [at for at in loaded if not at.startswith("data:")]
    assert any(at.endswith("reveal.js") for at in beside)
    assert [at for at in beside if not (path.parent / at).is_file()] == []
    assert all(len(alt.split()) > 8 for alt in page.xpath("//img/@alt"))
    assert len(page.xpath("//img")) == len(page.xpath("//img[@alt]"))


@EVERY
def test_printed_a_slide_is_a_page(deck, page_of):
    pdf = page_of(deck).with_suffix(".pdf").read_bytes()
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == len(deck.slides)
    assert set(re.findall(rb"/MediaBox \[([^\]]*)\]", pdf)) == {b"0 0 960 540"}


@EVERY
def test_printed_a_slide_is_as_large_and_as_dark_as_on_the_wall(deck, page_of, page):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(page_of(deck).as_uri() + PRINTED)
    page.wait_for_selector(".pdf-page")
    slides = page.evaluate(
        """[...document.querySelectorAll('.pdf-page > section')].map((one) => [
          one.offsetWidth, one.offsetHeight, one.querySelector('footer').offsetTop,
          one.querySelector('h1, h2').offsetLeft, getComputedStyle(one).backgroundColor])"""
    )
    dark, light = "rgb(11, 61, 95)", "rgb(255, 255, 255)"
    kinds = [dark if slide.kind in ("title", "section") else light for slide in deck.slides]
    assert slides == [[1280, 720, 678, 56, colour] for colour in kinds]


@EVERY
def test_one_picture_has_all_slides_five_in_a_row(deck, page_of):
    """Each is 320 by 180 dots, in the colour of its ground, on gray."""
    sheet = plt.imread(page_of(deck).with_suffix(".png"))
    assert sheet.shape[:2] == (-(-len(deck.slides) // 5) * 186 + 6, 1640)
    for number, slide in enumerate(deck.slides):
        row, column = divmod(number, 5)
        corner = sheet[row * 186 + 8, column * 326 + 8, 0]
        assert (corner < 0.2) == (slide.kind in ("title", "section")), slide.title


@EVERY
def test_answers_come_with_the_next_key(deck, page_of, page):
    asks = [any(k != "show" for k, _, _ in BLOCK.findall(s.body)) for s in deck.slides]
    page.goto(f"{page_of(deck).as_uri()}#/{asks.index(True)}")
    right = page.locator("section.present li.right")
    others = page.locator("section.present ol.options li:not(.right)").first
    colour = "(item) => getComputedStyle(item).backgroundColor"
    right.wait_for()
    assert right.evaluate(colour) == others.evaluate(colour)
    page.keyboard.press("ArrowRight")
    assert right.evaluate(colour) != others.evaluate(colour)


def test_a_machine_in_a_slide_is_alive_and_worked_by_keys(page_of, page):
    deck = WRITTEN[0]
    number = next(n for n, slide in enumerate(deck.slides) if slide.kind == "machine")
    page.goto(f"{page_of(deck).as_uri()}#/{number}")
    button = page.locator("section.present .mtsig-chance button", has_text="10 times")
    button.focus()
    page.keyboard.press("Enter")
    machine = page.locator("section.present [data-mtsig]")
    page.wait_for_function("(at) => at.dataset.n === '10'", arg=machine.element_handle())
    page.locator("section.present .grip").focus()
    page.keyboard.press("ArrowLeft")
    assert page.locator("section.present.machine").count() == 1
    assert "the line at" in page.locator("section.present .said").inner_text()
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    assert page.locator("section.present.machine").count() == 0
    page.keyboard.press("ArrowLeft")
    button.click()
    assert page.locator("section.present.machine").count() == 1
    page.keyboard.press("Space")  # leads on, and does not press the button again
    assert page.locator("section.present.machine").count() == 0
