"""Guesses in Chromium, on the pages of units as `make run` writes them."""

from __future__ import annotations

import re

import pytest

from tools.notebooks import files
from tools.site.pages import Outcome, Pages, Unit

from .pages import in_jupyterlab

#: What waits for a guess; answers of questions wait for their own.
HIDDEN = "document.querySelectorAll('.guess-hidden:not(details)').length"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    units = [Unit.of(path) for path in files.series()[1:3]]
    made = Pages(tmp_path_factory.mktemp("pages"), units)
    made.prepare()
    for number, unit in enumerate(units):
        made.write(files.read(unit.path), number)
    made.write_map([Outcome(unit, 1.0, []) for unit in units])
    return made


#: How many answers are right, of how many.
RIGHT = r"(\d+) of (\d+) right"


def right(sentence):
    """Of how many answers how many are right, as the only such sentence says, which can be seen."""
    assert sentence.is_visible()
    n_right, n = re.search(RIGHT, sentence.text_content()).groups()
    return int(n_right), int(n)


def test_a_committed_guess_shows_its_reply_and_what_follows(site, page):
    first, second = (f"file://{site.folder / unit.page}" for unit in site.units)
    page.goto(first)
    answer = page.get_by_text("The guess.", exact=False).first
    assert not answer.is_visible()
    assert not page.get_by_text("People prefer Online-W", exact=False).is_visible()
    # Nothing looks as if the unit ended here.
    goes_on = page.get_by_text("The unit goes on after your guess.")
    next_unit = page.locator("nav.mtsig.below")
    assert goes_on.first.is_visible()
    assert not next_unit.is_visible()
    choice = "about 3 of 10,000"
    page.get_by_role("button", name=choice, exact=True).click()
    assert answer.is_visible()
    mark, reply = page.get_by_role("status").first.text_content().split(f"{choice}.")
    assert mark == "✗ "
    assert reply.strip()
    assert right(page.get_by_text("Guesses on this page:")) == (0, 1)
    assert page.evaluate(HIDDEN) > 0, "the second guess is still open"
    assert goes_on.is_visible()
    assert not next_unit.is_visible()
    page.get_by_role("button", name="They prefer Online-W").click()
    assert page.evaluate(HIDDEN) == 0
    assert goes_on.count() == 0
    assert next_unit.is_visible()
    page.reload()
    assert page.evaluate(HIDDEN) == 0, "what was guessed once is kept"
    assert goes_on.count() == 0
    page.goto(second)
    page.get_by_role("button", name="read on without a guess").press("Enter")
    assert page.evaluate(HIDDEN) == 0
    page.goto(f"file://{site.folder / 'index.html'}")
    told = page.locator("#guess-summary").text_content()
    assert re.findall(RIGHT, told) == [("1", "2")]
    assert told.endswith(" Forget my answers")
    assert page.said == []


def test_a_question_opens_its_answer_when_one_is_chosen(site, page):
    page.goto(f"file://{site.folder / site.units[1].page}")
    page.get_by_role("button", name="read on without a guess").click()
    closed = page.locator("details", has_text="If you said 1 of 1,024")
    assert not closed.is_visible()
    page.get_by_role("button", name="1 of 1,024", exact=True).click()
    mark, reply = page.locator(".guess-said").nth(1).inner_text().split("1 of 1,024.")
    assert mark == "✗ "
    assert reply.strip()
    assert page.get_by_text("If you said 1 of 1,024").is_visible()
    questions = page.get_by_text("Questions on this page:")
    assert right(questions) == (0, 1)
    page.get_by_role("button", name="show the answer").last.click()
    assert right(questions) == (0, 1)
    page.reload()
    assert page.get_by_text("If you said 1 of 1,024").is_visible()
    # A unit whose question was answered wrongly is worth reading again, until the answer is right.
    summary = f"file://{site.folder / 'index.html'}"
    again = "Questions so far: 0 of 1 right. Worth reading again: 2 · "
    page.goto(summary)
    assert again in page.locator("#guess-summary").text_content()
    page.go_back()
    page.get_by_role("button", name="2 of 1,024", exact=True).click()
    page.goto(summary)
    told = page.locator("#guess-summary").text_content()
    assert re.findall(RIGHT, told) == [("1", "1")]
    assert "again" not in told
    assert page.said == []
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Forget my answers").click()
    page.wait_for_function("!document.getElementById('guess-summary').textContent")


def test_without_javascript_folds_are_all_there_is(site, page):
    context = page.context.browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(f"file://{site.folder / site.units[0].page}")
    assert plain.get_by_text("People prefer Online-W", exact=False).is_visible()
    assert plain.locator("blockquote summary").count() == 6 + 9
    context.close()


def test_printed_pages_have_everything(site, page):
    page.goto(f"file://{site.folder / site.units[0].page}")
    page.emulate_media(media="print")
    assert page.get_by_text("People prefer Online-W", exact=False).is_visible()


@pytest.mark.thorough
def test_in_jupyterlab_outputs_wait_folded_and_answers_are_folds(page, tmp_path):
    unit = files.read(files.series()[1])
    with in_jupyterlab(page, tmp_path, unit, run=False):
        folds = page.locator("blockquote details")
        folds.first.wait_for()
        assert folds.count() >= 3
        folds.first.locator("summary").click()
        assert "seven tenths" in folds.first.inner_text()
        folded = page.evaluate(
            "() => window.jupyterapp.shell.currentWidget.content.widgets"
            ".filter((cell) => cell.outputHidden).length"
        )
    hidden = [cell.metadata.get("jupyter", {}).get("outputs_hidden", False) for cell in unit.cells]
    assert folded == sum(hidden)
    assert folded > 3
