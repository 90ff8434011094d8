"""The report as somebody reads it: on a screen, on a telephone, with the keyboard, and on paper."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from playwright.sync_api import Page

from mtsig_nb.outcomes.outcome import Layout
from mtsig_nb.report.page import report_page

from ..frozen.inputs import write_inputs
from ..outcomes.test_every_kind import ANALYSES, analysis_of
from .accessibility import assert_accessible

#: The inside of a sheet of A4 with the margins of the page, in pixels.
WIDTH_OF_SHEET = 688
#: A name that has nowhere to be broken.
LONG = "asystemwithaverylongnamewithoutanyplacewhereonemightbreakit_v2"
pytestmark = pytest.mark.filterwarnings("ignore:'MQM' is taken as")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    made = tmp_path_factory.mktemp("inputs")
    write_inputs(made)
    return made


@pytest.fixture(scope="module", params=ANALYSES)
def source(request, folder) -> str:
    """The page on an outcome of each kind, with examples where there may be some; made once."""
    with contextlib.chdir(folder):
        found = analysis_of(request.param, ANALYSES[request.param]).run()
        has_examples = found.has_pairs_to_choose and found.kind != "ratings"
        return report_page(found, layout=Layout(examples=2 if has_examples else None))


def show_on(page: Page, tmp_path: Path, source: str) -> None:
    """The page from a file, without its policy, which would keep axe-core out."""
    policy = '<meta http-equiv="Content-Security-Policy"'
    path = tmp_path / "report.html"
    path.write_text(source.replace(policy, "<meta data-policy"), encoding="utf-8")
    page.goto(path.as_uri())


def test_it_is_accessible_and_no_wider_than_a_telephone(page, tmp_path, source):
    show_on(page, tmp_path, source)
    assert_accessible(page)


def test_on_a_telephone_names_of_systems_are_not_broken_into_letters(page, tmp_path, source):
    show_on(page, tmp_path, source)
    page.set_viewport_size({"width": 400, "height": 900})
    lines = page.evaluate(
        """() => [...document.querySelectorAll('.wide td:first-child')].map(cell => {
            const text = document.createRange();
            text.selectNodeContents(cell);
            return text.getClientRects().length;
        })"""
    )
    assert lines
    assert max(lines) <= 3


@pytest.mark.parametrize("name", ["alder", LONG])
def test_on_paper_nothing_is_folded_cut_or_dark(page, tmp_path, source, name):
    show_on(page, tmp_path, source.replace("alder", name))
    page.set_viewport_size({"width": WIDTH_OF_SHEET, "height": 1000})
    page.emulate_media(media="print")
    assert page.evaluate(
        """width => [...document.querySelectorAll('table, img, pre')].every(part => {
            const box = part.getBoundingClientRect();
            return box.height > 0 && box.right <= width + 1;
        })""",
        WIDTH_OF_SHEET,
    )
    backgrounds = page.evaluate(
        """() => [...document.querySelectorAll('main *')].map(part =>
            getComputedStyle(part).backgroundColor.match(/[\\d.]+/g).map(Number))"""
    )
    for red, green, blue, *alpha in backgrounds:
        assert alpha == [0] or min(red, green, blue) > 180
