"""The explorer as its users meet it: a page of Voila's, and a notebook in JupyterLab."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Locator, Page, expect

from ..worse_and_worse import GOOD, POOR, REFERENCE, write
from .accessibility import violations
from .keyboard import assert_all_is_reached, tab_to
from .pages import LOADING, in_jupyterlab, visit
from .servers import ROOT, explorer_page

#: Two systems, of which one is worse everywhere but in a single segment.
PENALTIES = [
    "system,segment,MQM",
    *(f"elm,{i},{3 + 7 * i % 5}" for i in range(24)),
    *(f"oak,{i},{3 + 7 * i % 5 + (-4 if i == 11 else 1 + 5 * i % 7 / 10)}" for i in range(24)),
]
#: Judgements so far of two systems, the first of which is better.
JUDGED = [
    "system,segment,score",
    *(f"{name},{i},{i % 7 + 3 * (name == 'fir')}" for i in range(60) for name in ("fir", "yew")),
]
SCREENSHOTS = ROOT / "build" / "screenshots"


def written(path: Path, lines: list[str]) -> Path:
    write(path, lines)
    return path


def choose_files(page: Page, button: str, *paths: Path) -> None:
    """Give files to a place that is called `button`, through the browser's own dialogue."""
    with page.expect_file_chooser() as chooser:
        zone(page, button).get_by_role("button", name=button).first.click()
    chooser.value.set_files(paths)
    expect(names_in(page, button)).to_have_text([re.compile(re.escape(p.name)) for p in paths])


def zone(page: Page, title: str) -> Locator:
    """The place for files that is called `title`."""
    return page.locator(".mtsig-drop").filter(has=page.get_by_text(title, exact=True))


def names_in(page: Page, title: str) -> Locator:
    """The files that have arrived there."""
    return zone(page, title).locator(".mtsig-drop-names li")


def drop_files(page: Page, title: str, *paths: Path) -> None:
    """Drag files over a place, where it lights up, and drop them."""
    files = [{"name": path.name, "text": path.read_text(encoding="utf-8")} for path in paths]
    dragged = page.evaluate_handle(
        """files => {
            const dragged = new DataTransfer();
            for (const { name, text } of files) dragged.items.add(new File([text], name));
            return dragged;
        }""",
        files,
    )
    place = zone(page, title)
    lit = re.compile("mtsig-drop-over")
    for event in ("dragenter", "dragover"):
        place.dispatch_event(event, {"dataTransfer": dragged})
        expect(place).to_have_class(lit)
    place.dispatch_event("drop", {"dataTransfer": dragged})
    expect(place).not_to_have_class(lit)
    expect(names_in(page, title)).to_have_text([re.compile(re.escape(p.name)) for p in paths])


def tab(page: Page, title: str) -> None:
    page.get_by_role("tab", name=title, exact=True).click()


def unfold(page: Page) -> None:
    """Open what is folded under "More", fold it and open it again, by keyboard."""
    folded = page.get_by_label("units", exact=True)
    tab_to(page, "More")
    page.keyboard.press("Enter")
    expect(folded).to_be_visible()
    page.keyboard.press("Space")
    expect(folded).to_be_hidden()
    page.keyboard.press("Enter")
    expect(folded).to_be_visible()


def screenshots(page: Page, name: str) -> None:
    """Screenshots at three widths, and a check that nothing is cut off or hangs out at any."""
    for width in (400, 800, 1280):
        page.set_viewport_size({"width": width, "height": 950})
        page.wait_for_timeout(300)
        page.screenshot(path=SCREENSHOTS / f"{name}-{width}.png", full_page=True)
        clipped = page.eval_on_selector_all(
            ".mtsig-app .widget-label, .mtsig-app .lm-TabBar-tabLabel, .mtsig-app button, "
            ".mtsig-app .mtsig-verdict, .mtsig-app .widget-html-content",
            "all => all.filter(e => e.offsetParent && e.scrollWidth > e.clientWidth + 1)"
            ".map(e => e.innerText)",
        )
        assert clipped == [], f"cut off at {width} px"
        app = page.locator(".mtsig-app").first.bounding_box()
        assert app["x"] + app["width"] <= width, f"wider than {width} px"


def test_the_page_from_campaign_to_report(page, tmp_path):
    with explorer_page(tmp_path) as address:
        visit(page, address, ".mtsig-figure")
        verdict = page.locator(".mtsig-verdict")
        expect(verdict).to_contain_text("onlineB is better than uedin-wmt12")
        expect(page.get_by_label("units", exact=True)).to_be_hidden()
        assert_worked_by_keyboard(page)
        screenshots(page, "campaign")
        unfold(page)
        assert_worked_by_keyboard(page)
        turn_to_a_tab_by_keyboard(page)
        screenshots(page, "more")

        choose_another_pair_and_documents(page)
        choose_the_pitfall(page)
        look_at_the_other_tabs(page)
        good = compare_own_files(page, tmp_path)
        report = take_away_a_report(page, tmp_path)
        hand_in_a_file_that_lacks_a_line(page, tmp_path, good)
        compare_penalties_whose_direction_is_unknown(page, tmp_path)
        watch_judgements_that_are_still_coming_in(page, tmp_path)
        assert page.said == []
        assert page.asked == []

        opened = page.context.new_page()
        opened.on("console", lambda message: page.said.append(message.text))
        opened.goto(report.as_uri())
        expect(opened.locator("h1")).to_contain_text("2 systems")
        expect(opened.locator(".verdict")).to_contain_text("good is better than poor")
        expect(opened.locator("pre")).to_contain_text("reference=['ref.txt']")
        assert str(tmp_path) not in opened.content()
        assert page.said == []


def assert_worked_by_keyboard(page):
    """All controls in view are, and axe-core has nothing against what is in view."""
    assert_all_is_reached(page, ".mtsig-app", at_least=5)
    for width in (400, 1280):
        page.set_viewport_size({"width": width, "height": 950})
        page.wait_for_timeout(300)
        assert violations(page) == []


def turn_to_a_tab_by_keyboard(page):
    """Arrows lead from tab to tab, and Enter opens one."""
    for name, key in (("Other tests", "ArrowRight"), ("Step by step", "ArrowLeft")):
        page.locator(".mtsig-app [role=tab][aria-selected=true]").focus()
        page.keyboard.press(key)
        page.keyboard.press("Enter")
        opened = page.get_by_role("tab", name=name, exact=True)
        expect(opened).to_have_attribute("aria-selected", "true")


def choose_another_pair_and_documents(page):
    """Nothing stays out of date."""
    page.get_by_label("pair", exact=True).select_option("uedin-wmt12")
    page.get_by_label("and", exact=True).select_option("QCRI--primary")
    expect(page.locator(".mtsig-verdict")).to_contain_text("QCRI--primary")
    page.get_by_label("units", exact=True).select_option("documents")
    expect(page.locator(".mtsig-p")).not_to_contain_text("p = 0.0004998")
    expect(page.locator(".mtsig-stale")).to_have_count(0)
    expect(page.locator(".widget-hprogress")).to_be_hidden()


def choose_the_pitfall(page):
    """It is marked, above all tabs and in the table of tests."""
    expect(page.locator(".mtsig-pitfall")).to_have_count(0)
    page.get_by_label("test", exact=True).select_option("⚠ bootstrap printed in 2005")
    expect(page.locator(".mtsig-pitfall")).to_contain_text("You chose the pitfall")
    tab(page, "Other tests")
    expect(page.get_by_text("⚠ bootstrap printed in 2005 (chosen)")).to_be_visible()
    screenshots(page, "pitfall")
    tab(page, "Step by step")
    expect(page.locator(".mtsig-mistake").first).to_contain_text("Here is the mistake")
    screenshots(page, "steps")


def look_at_the_other_tabs(page):
    """Each says below its figure how to read it."""
    captions = {"Scores": "Higher is better", "All pairs": "Filled", "Clusters": "A bar"}
    for title, words in captions.items():
        tab(page, title)
        expect(page.locator(".mtsig-panel .mtsig-caption:visible")).to_contain_text(words)
        # The picture comes after the text, and with it all of the panel comes anew.
        expect(page.locator(".mtsig-panel .mtsig-figure:visible")).to_have_count(1)
        expect(page.locator(".mtsig-former")).to_have_count(0)
        assert_worked_by_keyboard(page)
        screenshots(page, title.lower().replace(" ", "-"))


def compare_own_files(page, folder):
    """Chosen and dropped; where the better system's file is."""
    reference = written(folder / "ref.txt", REFERENCE)
    good = written(folder / "good.txt", GOOD)
    poor = written(folder / "poor.txt", POOR)
    verdict = page.locator(".mtsig-verdict")
    tab(page, "Step by step")
    page.get_by_label("test", exact=True).select_option("approximate randomization")
    page.get_by_role("button", name="Your files").press("Enter")
    expect(verdict).to_be_hidden()
    expect(zone(page, "systems’ outputs")).to_be_visible()
    assert_worked_by_keyboard(page)
    choose_files(page, "reference(s)", reference)
    drop_files(page, "systems’ outputs", good, poor)
    page.get_by_role("button", name="Compare these files").click()
    expect(verdict).to_contain_text("BLEU: good is better than poor")
    expect(page.locator(".mtsig-error")).to_have_count(0)
    screenshots(page, "files")
    return good


def take_away_a_report(page, folder):
    """Where it was saved; it opens by itself."""
    tab(page, "Take away")
    expect(page.get_by_role("link", name="all pairs (CSV)")).to_be_visible()
    with page.expect_download() as table:
        page.get_by_role("link", name="all pairs (CSV)").click()
    assert table.value.path().read_text().startswith("metric,system_a,system_b")
    page.get_by_role("button", name="write the report").click()
    link = page.get_by_role("link", name="report (HTML)")
    expect(link).to_be_visible(timeout=4 * LOADING)
    screenshots(page, "take-away")
    with page.expect_download() as saved:
        link.click()
    report = folder / saved.value.suggested_filename
    saved.value.save_as(report)
    return report


def hand_in_a_file_that_lacks_a_line(page, folder, good):
    """It is said, with the file's name; what was compared before turns grey."""
    short = written(folder / "short.txt", POOR[:-1])
    choose_files(page, "systems’ outputs", good, short)
    page.get_by_role("button", name="Compare these files").click()
    error = page.locator(".mtsig-error")
    expect(error).to_contain_text("Not the same number of segments")
    expect(error).to_contain_text("99 in system 'short' in 'short.txt'")
    verdict = page.locator(".mtsig-verdict")
    expect(verdict).to_contain_text("good is better than poor")
    expect(page.locator(".mtsig-stale").filter(has=verdict)).to_have_count(1)
    screenshots(page, "misaligned")


def compare_penalties_whose_direction_is_unknown(page, folder):
    """It is said beside the verdict, until the direction is named."""
    penalties = written(folder / "mqm.csv", PENALTIES)
    verdict = page.locator(".mtsig-verdict")
    tab(page, "Step by step")
    page.get_by_role("button", name="Scores per segment").click()
    expect(zone(page, "scores per segment")).to_be_visible()
    expect(zone(page, "systems’ outputs")).to_be_hidden()
    assert_worked_by_keyboard(page)
    drop_files(page, "scores per segment", penalties)
    page.get_by_role("button", name="Compare these scores").click()
    expect(verdict).to_contain_text("oak has a better score than elm", timeout=4 * LOADING)
    expect(verdict).to_contain_text("this test is unreliable here")
    notes = page.locator(".mtsig-notes")
    expect(notes).to_contain_text("'MQM' is taken as higher-is-better")
    expect(notes).to_contain_text("with differences this skewed")
    screenshots(page, "direction")
    page.get_by_label("smaller is better").check()
    page.get_by_role("button", name="Compare these scores").click()
    expect(verdict).to_contain_text("elm has a better score than oak", timeout=4 * LOADING)
    expect(notes).to_contain_text("with differences this skewed")
    expect(notes).not_to_contain_text("is taken as")


def watch_judgements_that_are_still_coming_in(page, folder):
    """With a planned number the looks are shown, and their picture; without one, a comparison."""
    judged = written(folder / "judged.csv", JUDGED)
    choose_files(page, "scores per segment", judged)
    page.get_by_label("smaller is better").uncheck()
    page.get_by_role("button", name="Judgements are still coming in").press("Enter")
    expect(page.get_by_label("segments planned")).to_be_visible()
    assert_worked_by_keyboard(page)
    page.get_by_label("segments planned").fill("100")
    page.get_by_label("looks", exact=True).fill("5")
    page.get_by_label("looks", exact=True).press("Tab")
    page.get_by_role("button", name="Compare these scores").click()
    verdict = page.locator(".mtsig-verdict")
    expect(verdict).to_contain_text("60 of 100 segments", timeout=4 * LOADING)
    expect(verdict).to_contain_text("stop: fir is better")
    expect(page.locator("img.mtsig-figure").first).to_be_visible()
    screenshots(page, "watched")


@pytest.mark.thorough
def test_large_files_arrive_and_larger_ones_are_refused(page, tmp_path):
    # Together more than Jupyter's servers pass on in one message; few words, so soon measured.
    pad = "x" * 2500
    copies = range(2000 // len(REFERENCE) + 1)
    reference, good, poor = (
        written(tmp_path / name, [f"{line[:-1]} {pad} {k}." for k in copies for line in lines])
        for name, lines in {"ref.txt": REFERENCE, "good.txt": GOOD, "poor.txt": POOR}.items()
    )
    assert all(5e6 < path.stat().st_size < 6e6 for path in (reference, good, poor))
    with explorer_page(tmp_path) as address:
        visit(page, address, ".mtsig-figure")
        page.get_by_role("button", name="Your files").click()
        choose_files(page, "reference(s)", reference)
        choose_files(page, "systems’ outputs", good, poor)
        page.get_by_role("button", name="Compare these files").click()
        verdict = page.locator(".mtsig-verdict")
        expect(verdict).to_contain_text("BLEU: good is better than poor", timeout=4 * LOADING)

        # Refused before anything is sent: what has arrived stays.
        too_large = written(tmp_path / "huge.txt", [pad] * 3300)
        systems = zone(page, "systems’ outputs")
        with page.expect_file_chooser() as chooser:
            systems.get_by_role("button").first.click()
        chooser.value.set_files(too_large)
        problem = systems.get_by_role("alert")
        expect(problem).to_contain_text("'huge.txt' has 8.3 MB; a file may have 8.0 MB.")
        expect(names_in(page, "systems’ outputs")).to_have_count(2)
        screenshots(page, "too-large")

        # By keyboard alone; a name is never anything but text.
        hostile = written(tmp_path / "<img src=x onerror=alert(1)>.txt", POOR)
        drop_files(page, "documents (optional)", hostile)
        place = zone(page, "documents (optional)")
        place.get_by_role("button").first.focus()
        page.keyboard.press("Tab")
        expect(place.get_by_role("button", name="clear")).to_be_focused()
        page.keyboard.press("Enter")
        expect(names_in(page, "documents (optional)")).to_have_count(0)
        expect(place.get_by_role("button").first).to_be_focused()
        with page.expect_file_chooser():
            page.keyboard.press("Enter")
        assert page.said == []


@pytest.mark.thorough
def test_the_same_notebook_in_jupyterlab(page, tmp_path):
    notebook = nbformat.read(ROOT / "notebooks" / "app" / "explorer.ipynb", as_version=4)
    with in_jupyterlab(page, tmp_path, notebook):
        verdict = page.locator(".mtsig-verdict")
        expect(verdict).to_contain_text("onlineB is better than uedin-wmt12", timeout=2 * LOADING)
        unfold(page)
        assert_all_is_reached(page, ".mtsig-app", at_least=15)
        turn_to_a_tab_by_keyboard(page)
        page.get_by_label("test", exact=True).select_option("⚠ bootstrap printed in 2005")
        expect(page.locator(".mtsig-pitfall")).to_contain_text("You chose the pitfall")
        tab(page, "Take away")
        with page.expect_download() as code:
            page.get_by_role("link", name="code (Python)").click()
        assert "mt.riezler_maxwell_bootstrap(" in code.value.path().read_text()
        page.get_by_role("button", name="Scores per segment").click()
        scores = written(tmp_path / "scores.csv", ["system,segment,x"])
        drop_files(page, "scores per segment", scores)
        assert [said for said in page.said if "mtsig" in said or "widget" in said] == []
