"""What axe-core finds wrong with a page that Chromium shows."""

from __future__ import annotations

from collections.abc import Iterator

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

#: A desk's screen, and a telephone's.
WIDTHS = (1280, 400)


def violations(page: Page, *, within: str | None = None) -> list[str]:
    """Each violation with its first elements; `within` is a selector.

    Rules of WCAG 2.2 at levels A and AA, and axe-core's own best practices.
    """
    is_there = page.evaluate("'axe' in window")  # half a megabyte, which a page needs only once
    axe = Axe("0") if is_there else Axe()
    options = {"resultTypes": ["violations"], "preload": False}
    found = axe.run(page, context=within, options=options).response
    return [
        f"{rule['id']} ({rule['impact']}): {node['target'][-1]}: {node['html'][:160]}: "
        f"{' '.join(one['message'] for one in node['any'] + node['all'] + node['none'])[:220]}"
        for rule in found["violations"]
        for node in rule["nodes"][:5]
    ]


def assert_accessible(page: Page) -> None:
    """Nothing that axe-core finds, and no page wider than the window, at either width."""
    for _ in _at_each_width(page):
        assert violations(page) == []


def assert_no_wider_than_the_window(page: Page) -> None:
    """Nothing makes the page wider than the window, at either width."""
    for _ in _at_each_width(page):
        pass


def _at_each_width(page: Page) -> Iterator[int]:
    """The widths, while the page has each of them and is no wider."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(300)  # what has just been opened learns how wide it is
        assert page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
        yield width
