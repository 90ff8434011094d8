"""The pages of ``make run`` that need no notebook executed: their links lead somewhere."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from lxml.html import HtmlElement, parse

from tools.notebooks import files
from tools.repository import check_links
from tools.site.pages import Pages, Unit


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    Pages(folder, [Unit.of(path) for path in files.series()]).prepare()
    return folder


def links(page: Path) -> list[tuple[HtmlElement, str]]:
    root = parse(page).getroot()
    found = [(element, element.get("href")) for element in root.xpath("//a[@href]")]
    return found + [(element, element.get("src")) for element in root.xpath("//img[@src]")]


def test_every_link_of_a_document_leads_to_a_page_or_to_one_that_a_unit_will_have(folder):
    units = {(folder / Unit.of(path).page).resolve() for path in files.series()}
    will_be = {*units, (folder / "index.html").resolve()}
    documents = [page for page in folder.rglob("*.html") if "mathjax" not in page.parts]
    n_pictures = 0
    for page in documents:
        for element, link in links(page):
            parts = urlsplit(link)
            if parts.scheme or not parts.path:
                continue
            target = (page.parent / unquote(parts.path)).resolve()
            assert target.exists() or target in will_be, (page, link)
            n_pictures += element.tag == "img"
    assert {"replication.html", "ledger.html", "inventory.html"} <= {d.name for d in documents}
    assert n_pictures > 20


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<a href="there.md">x</a>', '<a href="y.html">x</a>'),
        ('<a href="gone.md">the <em>word</em></a>.', "the <em>word</em>."),
        ('<a href="there.md"><img src="gone.svg" alt="a hill"></a>', '<a href="y.html">a hill</a>'),
        ('<a href="gone.md"><img src="there.svg" alt="a"></a>', '<img src="y.svg" alt="a">'),
        ('<a href="https://e.org/there.md">x</a>', '<a href="https://e.org/there.md">x</a>'),
    ],
)
def test_of_what_leads_nowhere_the_words_stay(html, expected, tmp_path):
    there = {"there.md": "y.html", "there.svg": "y.svg"}
    found = check_links.relinked_html(
        f"<p>{html}</p>", tmp_path / "x.md", lambda linked, _: there.get(linked.name)
    )
    assert found == f"<p>{expected}</p>"
