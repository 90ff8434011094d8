"""The decks of `make slides`: they show what their units have, and ask nothing of the network."""

from __future__ import annotations

import re

import pytest
from lxml import html

from tools import decks
from tools import notebook_files as files
from tools.inventory import read

pytestmark = pytest.mark.slow

DECKS = decks.decks()


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("slides")
    decks.prepare(folder)
    return {deck.stem: decks.write(deck, folder) for deck in DECKS}


def slides(page):
    """The slides of a page that are no stacks of others."""
    return page.xpath("//section[not(.//section)]")


def test_the_decks_are_of_parts_of_the_series_and_go_through_all_their_units():
    parts = {part.folder for part in files.parts()}
    assert {"1_what_chance_can_do", "2_a_score_and_two_of_them"} <= {d.stem for d in DECKS} <= parts
    for deck in DECKS:
        units = sorted(path.stem for path in (files.SERIES / deck.stem).glob("*.ipynb"))
        shown = re.findall(r'^name = "(.+)"$', deck.read_text(encoding="utf-8"), re.MULTILINE)
        assert shown == units, deck.name


@pytest.mark.thorough
@pytest.mark.parametrize("deck", DECKS, ids=lambda deck: deck.stem)
def test_pages_load_only_what_lies_beside_them(deck, pages):
    page = html.parse(pages[deck.stem])
    loaded = page.xpath("//script/@src | //link/@href | //img/@src")
    beside = [at.partition("?")[0] for at in loaded if not at.startswith("data:")]
    assert any(at.endswith("reveal.js") for at in beside)
    assert [at for at in beside if not (pages[deck.stem].parent / at).is_file()] == []


def test_every_question_of_the_inventory_is_a_poll_whose_answer_comes_later(pages):
    parts = [page for deck in DECKS for page in slides(html.parse(pages[deck.stem]))]
    polls = [slide for slide in parts if slide.xpath(".//h2[starts-with(., 'Poll')]")]
    inventory = read()
    assert len(polls) == len(inventory.items)
    for number, (slide, item) in enumerate(zip(polls, inventory.items, strict=True), 1):
        assert slide.xpath(".//h2")[0].text_content().startswith(f"Poll {number}")
        seen, later, notes = (
            " ".join(" ".join(slide.xpath(f".//text()[{where}]")).split())
            for where in (
                "not(ancestor::aside) and not(ancestor::div[contains(@class, 'fragment')])",
                "ancestor::div[contains(@class, 'fragment')]",
                "ancestor::aside",
            )
        )
        assert all(option.text in seen for option in item.options)
        assert item.because in later
        assert item.because not in seen
        assert all(inventory.misconceptions[option.misconception] in notes for option in item.wrong)
