"""How soon the explorer answers in a real browser, from a change of a control to what is seen.

    python -m benchmarks.explorer_in_browser 5    # runs; prints a row of JSON for each move

The page is Voila's, as ``make app`` serves it, in Chromium.  The browser's own clock is read when a
control changes, when the tab's text is there, and when its picture is.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests.browser.pages import CHROMIUM, FLAGS, visit
from tests.browser.servers import explorer_page

#: What is changed: the label of a control, and how its options before and after begin.
MOVES = (
    ("and", "uedin-wmt12", "QCRI--primary"),
    ("test", "approximate randomization", "bootstrap"),
    ("units", "segments", "documents"),
    ("α", "0.05", "0.01"),
    ("correction", "holm", "bonferroni"),
)
#: Chooses in the page, and waits for the text of the first tab and for its picture.  Both change
#: with every choice, and a control is changed only when the answer to the one before is there.
CHOOSE = """([control, value]) => new Promise(resolve => {
    const panel = document.querySelector('.mtsig-panel');
    const began = performance.now();
    let text = 0;
    const watch = new MutationObserver(() => {
        text = text || performance.now() - began;
        const hasPicture = panel.querySelector('.mtsig-figure');
        if (!hasPicture || panel.querySelector('.mtsig-former')) return;
        watch.disconnect();
        // What is in the page is seen with its next frame.
        requestAnimationFrame(() => resolve([text, performance.now() - began]));
    });
    watch.observe(panel, {childList: true, subtree: true, characterData: true});
    if (control.options)
        control.selectedIndex = [...control.options].findIndex(o => o.value.startsWith(value));
    else control.value = value;
    control.dispatchEvent(new Event('change', {bubbles: true}));
})"""


def main() -> None:
    """Measure, and print a row of JSON for each move."""
    n_runs = int(sys.argv[1])
    if CHROMIUM is None:
        sys.exit("chromium is not installed")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 950})
        with explorer_page(Path(folder)) as address:
            visit(page, address, ".mtsig-figure")
            page.get_by_role("button", name="More").click()
            for row in measured(page, n_runs):
                print(json.dumps(row))
        browser.close()


def measured(page: Page, n_runs: int) -> list[dict[str, Any]]:
    """Milliseconds of each move until text and picture are there, median and worst."""
    texts: dict[str, list[float]] = {control: [] for control, _, _ in MOVES}
    pictures: dict[str, list[float]] = {control: [] for control, _, _ in MOVES}
    for run in range(n_runs + 1):
        for number, (control, before, after) in enumerate(MOVES):
            # With another seed nothing is known from the runs before.
            _chosen(page, "seed", str(1000 + run * len(MOVES) + number))
            page.wait_for_timeout(300)  # in which people think, and the explorer draws ahead
            until_text, until_picture = _chosen(page, control, after)
            _chosen(page, control, before)
            if run:  # the first run loads libraries
                texts[control].append(until_text)
                pictures[control].append(until_picture)
    rows = []
    for control, _, after in MOVES:
        row = {
            "what": f"in the browser, {control}: {after}",
            "milliseconds": statistics.median(texts[control]),
            "worst_milliseconds": max(texts[control]),
            "milliseconds_with_picture": statistics.median(pictures[control]),
        }
        rows.append(row)
    return rows


def _chosen(page: Page, control: str, value: str) -> tuple[float, float]:
    """Choose a value; milliseconds until the text is there, and until the picture is."""
    element = page.get_by_label(control, exact=True).element_handle()
    until_text, until_picture = page.evaluate(CHOOSE, [element, value])
    return until_text, until_picture


if __name__ == "__main__":
    main()
