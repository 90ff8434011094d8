"""Draws the README's moving picture: the chance machine, tossed in Chromium.

The numbers in it are those of the first page of the book.
"""

from __future__ import annotations

import io
import shutil

from PIL import Image
from playwright.sync_api import sync_playwright

from ..course.notebook_files import ROOT
from .pages import machine

PICTURE = ROOT / "docs" / "tossing.gif"
#: What is pressed, and for how many milliseconds the result is shown.
PRESSED = [
    *[("Toss for one segment", 150)] * 4,
    *[("Toss for all segments", 450)] * 6,
    *[("10 times", 250)] * 8,
    *[("1,000 times", 350)] * 4,
    ("All 10,000", 5000),
]


def main() -> None:
    """Toss, and keep what is seen after each press."""
    with sync_playwright() as playwright:
        chromium = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 772, "height": 700})
        page.set_content(f"<body style='font: 16px/1.4 sans-serif'>{machine()}</body>")
        shown = page.locator("[data-mtsig]")
        frames = [Image.open(io.BytesIO(shown.screenshot()))]
        for name, _ in PRESSED:
            page.get_by_role("button", name=name).click()
            page.wait_for_timeout(400)  # until what falls has fallen
            frames.append(Image.open(io.BytesIO(shown.screenshot())))
        browser.close()
    height = max(frame.height for frame in frames)
    even = [Image.new("RGB", (frames[0].width, height), "white") for _ in frames]
    for whole, frame in zip(even, frames, strict=True):
        whole.paste(frame, (0, 0))
    first, *rest = [frame.quantize(32) for frame in even]
    durations = [1500, *(duration for _, duration in PRESSED)]
    first.save(PICTURE, save_all=True, append_images=rest, duration=durations, loop=0)


if __name__ == "__main__":
    main()
