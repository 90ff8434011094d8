"""What the explorer's server does when pages close, when strangers ask, and when too many do."""

from __future__ import annotations

import contextlib
import http.client
import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from ..messages import naming
from .pages import visit
from .servers import APP_SETTINGS, ROOT, explorer_page, kernels

#: What `voila.py` has: at most so many kernels.
MOST = 4


def until(condition: Callable[[], bool], seconds: float = 30) -> bool:
    """Whether `condition` comes true before `seconds` are over."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.2)
    return True


def ask(address: str, path: str = "/", **headers: str) -> tuple[int, str]:
    """Status and body of a GET, also of one that a browser would not send."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=120)
    with contextlib.closing(connection):
        connection.request("GET", path, headers=headers)
        reply = connection.getresponse()
        body = "" if reply.status == 101 else reply.read().decode()
        return reply.status, body


@pytest.mark.thorough
def test_a_page_that_is_left_ends_its_kernel(page, tmp_path):
    # By its own request: nothing is culled within two minutes.
    with explorer_page(tmp_path) as address:
        visit(page, address, ".mtsig-figure")
        (first,) = kernels(address)
        visit(page, address, ".mtsig-figure")
        assert until(lambda: not first.is_running())
        running = kernels(address)  # one, or another for a page that never finished loading
        page.get_by_role("tab", name="Take away", exact=True).click()
        with page.expect_download():  # which is no way to leave
            page.get_by_role("link", name="all pairs (CSV)").click()
        page.get_by_role("tab", name="Scores", exact=True).click()
        expect(page.locator(".mtsig-caption:visible")).to_contain_text("Higher is better")
        assert kernels(address) == running
        page.close(run_before_unload=True)
        assert until(lambda: len(kernels(address)) == len(running) - 1)
        assert page.said == page.asked == []


@pytest.mark.thorough
def test_requests_without_a_page_are_bounded_and_their_kernels_end(page, tmp_path):
    unconnected = 30  # no shorter than a page may take from its last cell until it connects
    with explorer_page(
        tmp_path,
        f"--MappingKernelManager.cull_idle_timeout={unconnected}",
        "--MappingKernelManager.cull_interval=1",
    ) as address:
        visit(page, address, ".mtsig-figure")
        assert until(lambda: len(kernels(address)) == 1, 3 * unconnected)
        (of_the_page,) = kernels(address)
        with ThreadPoolExecutor(MOST + 3) as pool:
            replies = list(pool.map(lambda _: ask(address), range(MOST + 3)))
        assert sorted(status for status, _ in replies) == [200] * (MOST - 1) + [503] * 4
        refusal = next(body for status, body in replies if status == 503)
        assert re.search(naming(f"{MOST} explorers", "page again"), refusal)
        assert "https://" not in refusal
        assert len(kernels(address)) == MOST

        # A page that is open keeps its kernel, which has been idle for longer than the others'.
        assert until(lambda: kernels(address) == [of_the_page], 60 + 2 * unconnected)
        page.get_by_label("test", exact=True).select_option("⚠ bootstrap printed in 2005")
        expect(page.locator(".mtsig-pitfall")).to_contain_text("You chose the pitfall")
        assert ask(address)[0] == 200


@pytest.mark.thorough
def test_only_names_of_this_machine_are_answered_and_nothing_is_asked_elsewhere(
    page, tmp_path, monkeypatch
):
    # "The browser" keeps the page that would send a real one to the explorer.
    opened = tmp_path / "opened.html"
    browser = tmp_path / "browser"
    browser.write_text(
        f'#!/bin/sh\ncp "${{1#file://}}" "{opened}.part"\nmv "{opened}.part" "{opened}"\n'
    )
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    with explorer_page(tmp_path, browser=True) as address:
        port = urlsplit(address).port
        assert until(opened.exists)
        assert set(re.findall(r"https?://[^\"'/]+", opened.read_text())) == {address}

        status, body = ask(address, Host=f"localhost:{port}")
        assert status == 200
        assert "cdn" not in body
        kernel = re.search(r'"kernelId": "([\w-]+)"', body)[1]
        upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
        upgrade["Sec-WebSocket-Key"] = "dGhlIHNhbXBsZSBub25jZQ=="
        channels = f"/api/kernels/{kernel}/channels"
        here = {"Host": f"localhost:{port}", "Origin": f"http://localhost:{port}"}
        assert ask(address, channels, **here, **upgrade)[0] == 101
        # As a page sees it whose name has been pointed to this machine: Origin and Host agree.
        stranger = {"Host": f"evil.example:{port}", "Origin": f"http://evil.example:{port}"}
        assert ask(address, channels, **stranger, **upgrade)[0] == 403
        assert ask(address, **stranger)[0] == 403
        assert ask(address, f"/api/kernels/{kernel}", **stranger)[0] == 403
        assert len(kernels(address)) == 1

        visit(page, address, ".mtsig-figure")
        assert page.said == page.asked == []
        fetched = "() => fetch('https://example.org').then(() => 'left', () => 'stayed')"
        assert page.evaluate(fetched) == "stayed"
        assert page.asked == []


def test_make_app_has_the_settings_that_are_tested_here():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (folder,) = set(APP_SETTINGS.values())
    assert f"APP_SETTINGS := $(CURDIR)/{Path(folder).relative_to(ROOT).as_posix()}\n" in makefile
    recipe = re.search(r"^app: .*\n((?:\t.*\n)+)", makefile, re.MULTILINE)[1]
    assert all(f'{name}="$(APP_SETTINGS)"' in recipe for name in APP_SETTINGS)
    assert "--Voila" not in recipe
