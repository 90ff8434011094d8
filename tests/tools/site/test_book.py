"""The book: what is staged, and that the check of the built site finds what is wrong with one."""

from __future__ import annotations

import re

import pytest
import yaml
from nbformat.v4 import new_markdown_cell, new_notebook

from tools.notebooks import files
from tools.repository import check_links
from tools.site.book import __main__ as book
from tools.site.book import staging

CONFIG = yaml.safe_load((staging.SOURCES / "_config.yml").read_text(encoding="utf-8"))


# What is staged.


def test_the_contents_have_every_notebook_and_document():
    names = staging.contents()
    assert len(set(names)) == len(names)
    units = [path.relative_to(files.ROOT).as_posix() for path in files.series()]
    assert [name for name in names if name in units] == units
    for path in [*(files.LABS / "student").glob("*.ipynb"), *(files.ROOT / "docs").rglob("*.md")]:
        assert path.relative_to(files.ROOT).as_posix() in names
    assert not [name for name in names if "instructor" in name]
    assert {"api/index.rst", "CONTRIBUTING.md"} <= set(names)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A small repository with a notebook, two documents, a module and a file."""
    check_links.page.cache_clear()
    monkeypatch.setattr(files, "ROOT", tmp_path)
    for folder in ("notebooks", "docs", "book"):
        (tmp_path / folder).mkdir()
    (tmp_path / "README.md").write_text("# Read me\n\n## Notebooks\n")
    (tmp_path / "LICENSE").touch()
    yield tmp_path
    check_links.page.cache_clear()


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("../notebooks/05_x.ipynb", "../notebooks/05_x.ipynb"),
        ("../notebooks/05_x.ipynb#Why,-then?", "../notebooks/05_x.ipynb#why-then"),
        ("../README.md#notebooks", "../index.md"),
        ("../mtsig_nb/engine/resampling.py", "../api/modules/mtsig_nb.engine.resampling.rst"),
        ("../LICENSE", "../LICENSE"),
        ("https://example.org/a.md#b", "https://example.org/a.md#b"),
        ("#here", "#here"),
    ],
)
def test_links_lead_where_the_book_has_it(place, link, expected):
    text = f"# Here\n\n[word]({link}) and `](x)`\n"
    page, other = place / "docs" / "page.md", place / "notebooks" / "05_x.ipynb"
    page.write_text(text, encoding="utf-8")
    files.write(new_notebook(cells=[new_markdown_cell("# X\n\n## Why, then?")]), other)
    staging.stage_page(page, [page, other], place / "staged")
    staged = (place / "staged" / "docs" / "page.md").read_text(encoding="utf-8")
    assert staged == text.replace(link, expected)


# The environment.


def test_nothing_is_executed_and_no_extension_is_there_for_the_network():
    assert CONFIG["execute"]["execute_notebooks"] == "off"
    settings = CONFIG["sphinx"]["config"]
    assert not {"sphinx_thebe", "sphinx.ext.intersphinx"} & set(settings["extensions"])
    assert settings["nb_ipywidgets_js"] == {}
    assert not re.search("https?://", (staging.SOURCES / "_config.yml").read_text())


# The check of the built site.

GOOD = """\
<html><head><link rel="stylesheet" href="s.css"><link rel="canonical" href="https://example.org/">
<script src="s.js?v=1"></script></head><body><h1 id="top">A</h1>
<a href="https://example.org/">paper</a> <a href="other.html#there">other</a> <a href="#top">up</a>
<img src="data:image/png;base64,AA==" alt="words"></body></html>
"""


@pytest.fixture
def site(tmp_path):
    (tmp_path / "index.html").write_text(GOOD)
    (tmp_path / "other.html").write_text('<p id="there">')
    (tmp_path / "s.css").write_text("p { background: url(data:image/gif;base64,AA==) }")
    (tmp_path / "s.js").touch()
    return tmp_path


@pytest.mark.parametrize(
    ("planted", "problem"),
    [
        ('<script src="https://e.org/x"></script>', "loads https://e.org/x"),
        ('<script src="//e.org/x"></script>', "loads //e.org/x"),
        ('<link rel="stylesheet" href="https://e.org/x">', "loads https://e.org/x"),
        ("<style>@import 'https://e.org/x';</style>", "loads https://e.org/x"),
        ('<p style="background: url(https://e.org/x)">', "loads https://e.org/x"),
        ('<script>import("https://e.org/x")</script>', "loads https://e.org/x"),
        ('<script>const THEBE_JS_URL = "https://e.org/x"</script>', "loads https://e.org/x"),
        ('<iframe src="https://e.org/x"></iframe>', "loads https://e.org/x"),
        ('<img src="data:,">', "'data:,' has no alternative text"),
    ],
)
def test_a_planted_fault_is_named(site, planted, problem):
    (site / "index.html").write_text(GOOD.replace("</body>", f"{planted}</body>"))
    (found,) = book.problems_of(site)
    assert found.startswith("index.html: ")
    assert found.endswith(problem)


def test_parts_without_a_name_get_one():
    """As the theme and pandas write them; tests/browser has the same of the pages of `make run`."""
    page = (
        '<div id="pst-primary-sidebar" class="bd-sidebar"><details><summary>'
        '<span class="toctree-toggle" role="presentation"></span></summary></details></div>'
        '<table><thead><tr><th class="head"><p></p></th><th></th><th>p</th></tr></thead></table>'
        "<details><summary>Answer</summary></details>"
    )
    named = staging.with_names(page)
    assert '<div id="pst-primary-sidebar" role="region" aria-label="the whole book"' in named
    assert '<summary aria-label="pages below the one before"><span' in named
    assert '<td class="head"></td><td></td><th>p</th>' in named
    assert "<summary>Answer</summary>" in named
    assert staging.with_names(named) == named


# The whole of it: `pytest -m book`, or make book, which checks the same.


@pytest.mark.book
def test_the_book_builds_without_a_warning_and_needs_no_network(tmp_path):
    assert book.main(["--output", str(tmp_path)]) == 0  # which checks the pages
    site = tmp_path / "html"
    assert all((site / files.name_of(path)).exists() for path in files.series())
    assert (site / "_static" / "mathjax" / "MathJax.js").exists()
    drawn = next(path for path in files.series() if '"image/png"' in path.read_text("utf-8"))
    page = (site / files.name_of(drawn)).with_suffix(".html").read_text(encoding="utf-8")
    assert len(re.findall(r'<img alt="([^"]+)"', page)[0]) > 40


def test_a_site_without_fault(site):
    assert book.problems_of(site) == []
