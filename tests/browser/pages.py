"""Pages in a real browser: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, Page, TimeoutError, ViewportSize, sync_playwright

from mtsig_nb.components import Component

from .servers import jupyterlab

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESK = ViewportSize(width=1280, height=950)
#: About one page in fifteen never finishes loading, with Voila and JupyterLab alike; a second
#: visit has always helped.  So a page has 25 s, more where other programs keep the processors
#: busy, and is asked for twice.
LOADING = 25_000 * (1 + os.getloadavg()[0] / (os.cpu_count() or 1))


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A browser for all tests of a folder, which are in one process for each worker."""
    if CHROMIUM is None:
        pytest.skip("chromium is not installed (Debian: chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page as in a fresh browser, with what its console and the network said in `page.said`.

    Half a second of processor time opens a page, and a twentieth makes it as new.  So files are
    shown in the same page, one after the other.  A page that was at a server is not used again.
    Tests that have this fixture are marked `browser`, see tests/conftest.py.
    """
    page = browser.contexts[0].pages[0] if browser.contexts else _new_page(browser)
    page.said = []
    page.asked = []
    yield page
    if page.is_closed() or page.url.startswith("http"):
        page.context.close()
    else:
        make_as_new(page)


def _new_page(browser: Browser) -> Page:
    """The page of a new context, with all that it says and asks for heard."""
    page = browser.new_context(viewport=DESK).new_page()
    page.set_default_timeout(LOADING)
    page.on("console", lambda m: page.said.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: page.said.append(str(error)))
    page.on("dialog", lambda dialog: page.said.append(f"dialog: {dialog.message}"))
    # Somebody always listens: Playwright takes over a dialogue a moment after it is asked to.
    page.on("filechooser", lambda _: None)
    # Answered here, so that the test needs no network and the console does not complain.
    page.route(
        re.compile(r"^https?://(?!127\.0\.0\.1)"),
        lambda route: (
            page.asked.append(route.request.url),
            route.fulfill(status=200, content_type="text/css", body=""),
        ),
    )
    return page


def make_as_new(page: Page) -> None:
    """Forget what a file has kept, and undo what a test may ask of the page itself."""
    if page.url.startswith("file:"):
        page.evaluate("localStorage.clear(); sessionStorage.clear()")
    page.goto("about:blank")
    page.mouse.move(0, 0)
    page.set_viewport_size(DESK)
    page.emulate_media(media="null", reduced_motion="null")


def visit(page: Page, address: str, selector: str) -> None:
    """Open a page and wait for `selector`; once more if it does not come, see `LOADING`."""
    for attempt in (1, 2):
        try:
            page.goto(address, wait_until="commit")
            page.wait_for_selector(selector)
            return
        except TimeoutError:
            if attempt == 2:
                raise


def show(page: Page, component: Component) -> None:
    """A page with this alone."""
    page.set_content(
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>A component</title>"
        f"<main><h1>A component</h1>{component._repr_html_()}</main></html>"
    )


def said(page: Page, part: str = "[data-mtsig]") -> dict[str, str]:
    """The data that a component keeps where tests find them."""
    return page.locator(part).first.evaluate("part => ({...part.dataset})")


def visit_notebook(page: Page, address: str) -> None:
    """Open a notebook in JupyterLab, and wait until its kernel is there."""
    visit(page, address, ".jp-Notebook")
    page.wait_for_function(
        "() => { const p = window.jupyterapp && window.jupyterapp.shell.currentWidget; "
        "const s = p && p.sessionContext; return s && s.isReady && "
        "s.session && s.session.kernel.connectionStatus === 'connected'; }"
    )


def cells_of(*sources: str) -> nbformat.NotebookNode:
    """A notebook with these cells."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    return nbformat.v4.new_notebook(metadata={"kernelspec": kernel}, cells=cells)


@contextlib.contextmanager
def in_jupyterlab(
    page: Page, folder: Path, notebook: nbformat.NotebookNode, *, run: bool = True
) -> Iterator[None]:
    """The notebook in JupyterLab, which is asked to run all cells; nothing is waited for."""
    (folder / "work").mkdir()
    nbformat.write(notebook, folder / "work" / "opened.ipynb")
    with jupyterlab(folder) as address:
        visit_notebook(page, f"{address}/lab/tree/opened.ipynb?reset")
        if run:
            page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-all-cells'); }")
        yield
