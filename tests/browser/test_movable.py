"""Pictures with sliders in Chromium: every position is there, without a kernel."""

from __future__ import annotations

from mtsig_nb.teaching import movable

from .accessibility import assert_accessible
from .pages import show


def test_sliders_move_the_picture_and_say_where_they_are(page):
    moving = movable(lambda ax, n, side: ax.bar([0], [side * n]), n=[1, 2, 3], side=[1, -1])
    show(page, moving)
    sliders, picture = page.locator("input[type=range]"), page.locator("img")
    assert picture.get_attribute("alt") == "n 1, side 1"
    seen = {picture.get_attribute("src")}
    sliders.nth(0).press("End")
    sliders.nth(1).press("ArrowRight")
    assert picture.get_attribute("alt") == "n 3, side -1"
    assert page.locator("output").all_text_contents() == ["3", "-1"]
    seen.add(picture.get_attribute("src"))
    assert len(seen) == 2
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 640
    # On a phone words in the picture stay legible, and it is scrolled.
    page.set_viewport_size({"width": 400, "height": 900})
    assert picture.bounding_box()["width"] >= 480
    assert_accessible(page)
    assert page.said == []
