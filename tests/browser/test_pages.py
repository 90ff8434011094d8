"""That tests which share a page do not notice each other."""

from __future__ import annotations

from .pages import DESK, make_as_new

KEPT = "[...Object.keys(localStorage), ...Object.keys(sessionStorage)]"
LOOKS = """[window.innerWidth, window.innerHeight, matchMedia("print").matches,
  matchMedia("(prefers-reduced-motion: reduce)").matches]"""


def test_a_page_that_was_used_is_as_new(page, tmp_path):
    file = tmp_path / "keeps.html"
    file.write_text("<!doctype html><title>It keeps things</title>", encoding="utf-8")
    page.goto(file.as_uri())
    as_new = page.evaluate(LOOKS)
    assert as_new == [DESK["width"], DESK["height"], False, False]
    page.evaluate("localStorage.answer = 1; sessionStorage.answer = 2")
    page.set_viewport_size({"width": 400, "height": 900})
    page.emulate_media(media="print", reduced_motion="reduce")
    assert page.evaluate(KEPT) == ["answer", "answer"]
    assert page.evaluate(LOOKS) == [400, 900, True, True]
    make_as_new(page)
    page.goto(file.as_uri())
    assert page.evaluate(KEPT) == []
    assert page.evaluate(LOOKS) == as_new
