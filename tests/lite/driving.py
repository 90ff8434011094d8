"""JupyterLite's own interface in Chromium, with nobody to ask but a server on the loopback."""

from __future__ import annotations

import configparser
import contextlib
import functools
import http.server
import itertools
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, sync_playwright

from tools.notebooks import files
from tools.site.lite.staging import COURSE

from ..browser.pages import CHROMIUM, FLAGS, LOADING
from ..nbval_numbers import Output

#: Nobody listens there; the loopback itself is never asked through a proxy.
NO_NETWORK = "--proxy-server=http://127.0.0.1:9"
#: Milliseconds for a notebook, from its page to its last cell: ten times what one takes alone.
WHOLE = 12 * LOADING


class _Files(http.server.SimpleHTTPRequestHandler):
    """Files as any static host serves them."""

    protocol_version = "HTTP/1.1"
    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".whl": "application/zip",
    }

    def log_message(self, *arguments: Any) -> None:
        pass


class _Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *arguments: Any) -> None:
        """Browsers hang up when a page is left."""


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of `folder`, which is not the root of its server."""
    with _Server(("127.0.0.1", 0), functools.partial(_Files, directory=folder.parent)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{folder.name}"
        server.shutdown()


@contextlib.contextmanager
def visitor() -> Iterator[BrowserContext]:
    """A browser that has been nowhere; what it asks for is in its list `asked`."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=[*FLAGS, NO_NETWORK, "--disable-features=Autofill"]
        )
        context = browser.new_context(viewport={"width": 1280, "height": 950})
        context.asked = []
        context.on("request", lambda request: context.asked.append(request.url))
        yield context
        browser.close()


def opened(context: BrowserContext, address: str, notebook: str) -> Page:
    """A page with a notebook of the course, whose kernel has been started."""
    page = context.new_page()
    page.set_default_timeout(WHOLE)
    page.goto(f"{address}/lab/index.html?path={COURSE}/{notebook}")
    page.wait_for_function(
        "() => window.jupyterapp?.commands.hasCommand('notebook:run-all-cells')"
        " && jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel"
    )
    return page


def begin(page: Page) -> None:
    """Run all cells, as the menu does; see `ended`.

    A promise is never returned: where a command asks something, it would be waited for for ever.
    """
    page.evaluate(
        "() => { window.ran = ''; jupyterapp.commands.execute('notebook:run-all-cells')"
        ".then(ok => { window.ran = String(ok) }) }"
    )


def ended(page: Page) -> list[dict[str, Any]]:
    """The cells, once all have run or one has failed."""
    page.wait_for_function("window.ran")
    return cells(page)


def show(page: Page, part: str) -> None:
    """Unfold the output of the cell that has `part`, and bring it into view, where it is made."""
    page.evaluate(
        """(part) => {
          const notebook = jupyterapp.shell.currentWidget.content;
          const has = (cell) => cell.model.sharedModel.source.includes(part);
          const place = notebook.widgets.findIndex(has);
          notebook.widgets[place].outputHidden = false;
          return notebook.scrollToItem(place, "center");
        }""",
        part,
    )


def toss(page: Page) -> float:
    """Let the page's chance machine toss all there is; its p-value."""
    page.get_by_role("button", name="All 10,000").click()
    page.wait_for_function("document.querySelector('[data-mtsig]').dataset.n === '10000'")
    return page.evaluate("Number(document.querySelector('[data-mtsig]').dataset.p)")


def cells(page: Page) -> list[dict[str, Any]]:
    """The cells of the page's notebook, as they would be saved."""
    return page.evaluate(
        "() => jupyterapp.shell.currentWidget.content.model.sharedModel.cells.map(c => c.toJSON())"
    )


def differences(notebook: Path, ran: list[dict[str, Any]]) -> dict[str, list[tuple[str, str]]]:
    """What cells printed natively and here, where that is not the same, by their ids."""
    here = {cell["id"]: printed(cell.get("outputs", [])) for cell in ran}
    found = {}
    for cell in files.read(notebook).cells:
        if cell.cell_type == "code" and "nbval-ignore-output" not in cell.metadata.get("tags", []):
            stored = printed(cell.outputs)
            if stored != here[cell.id]:
                beside = itertools.zip_longest(stored, here[cell.id], fillvalue="")
                found[cell.id] = [(a, b) for a, b in beside if a != b]
    return found


def printed(outputs: list[Any]) -> list[str]:
    """The texts and tables of a cell, without what nbval does not compare either."""
    texts = []
    for output in outputs:
        kinds = {"stream": output.get("text", ""), **output.get("data", {})}
        if output["output_type"] == "error":
            kinds["error"] = f"{output['ename']}: {output['evalue']}"
        if files.WIDGET_VIEW in kinds:
            continue  # which only a kernel draws: they are not stored
        for kind, text in kinds.items():
            if text and (kind in ("stream", "error") or kind.startswith("text/")):
                texts.append(Output(_sanitized("".join(text))))
    return sorted(texts)


def _sanitized(text: str) -> str:
    # The only difference from native results, but for digits that `Output` does not compare:
    # NumPy's own whole numbers have 32 bits, so that it says of others that they have 64.
    text = re.sub(r",\s+dtype=int64(?=\))", "", text)
    for pattern, replacement in _rules():
        text = pattern.sub(replacement, text)
    return text


@functools.cache
def _rules() -> list[tuple[re.Pattern[str], str]]:
    rules = configparser.RawConfigParser()
    rules.read(files.ROOT / "tests" / "nbval_sanitize.cfg", encoding="utf-8")
    return [(re.compile(rules[n]["regex"]), rules[n]["replace"]) for n in rules.sections()]
