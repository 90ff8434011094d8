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
from playwright.sync_api import Browser, Page, TimeoutError, sync_playwright

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
#: About one page in fifteen never finishes loading, with Voila and JupyterLab alike; a second
#: visit has always helped.  So a page has 25 s, more where other programs keep the processors
#: busy, and is asked for twice.
LOADING = 25_000 * (1 + os.getloadavg()[0] / (os.cpu_count() or 1))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for all tests of a file; what a page of theirs keeps, no other page sees."""
    if CHROMIUM is None:
        pytest.skip("chromium is not installed (Debian: chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page as in a fresh browser, with what its console and the network said in `page.said`.

    Tests that have it are marked `browser`, see tests/conftest.py.
    """
    context = browser.new_context(viewport={"width": 1280, "height": 950})
    page = context.new_page()
    page.set_default_timeout(LOADING)
    page.said = []
    page.asked = []
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
    yield page
    context.close()


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
