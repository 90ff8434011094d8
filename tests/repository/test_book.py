"""The book: what is staged, and that the check of the built site finds what is wrong with one."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
import yaml
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools import check_links
from tools import notebook_files as files
from tools.book import __main__ as book
from tools.book import checks, environment, staging

CONFIG = yaml.safe_load((staging.SOURCES / "_config.yml").read_text(encoding="utf-8"))
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg"
    "gg=="
)


def figure(alt: str):
    data = {"image/png": PIXEL, "text/plain": "<Figure>"}
    return new_output("display_data", data, metadata={"image/png": {"alt": alt}})


# What is staged.


def test_the_contents_have_every_notebook_and_document():
    parts = {part["caption"]: part["chapters"] for part in staging.table_of_contents()["parts"]}
    names = [entry["file"] for chapters in parts.values() for entry in chapters]
    assert len(set(names)) == len(names)
    units = [path.relative_to(files.ROOT).as_posix() for path in files.series()]
    assert [name for name in names if name in units] == units
    for path in [*(files.LABS / "student").glob("*.ipynb"), *(files.ROOT / "docs").rglob("*.md")]:
        assert path.relative_to(files.ROOT).as_posix() in names
    assert not [name for name in names if "instructor" in name]
    assert {"api/index.rst", "docs/architecture.md", "CONTRIBUTING.md"} <= set(names)


def test_parts_of_the_series_are_parts_of_the_book(place, monkeypatch):
    monkeypatch.setattr(files, "SERIES", place / "notebooks")
    monkeypatch.setattr(files, "LABS", place / "notebooks" / "labs")
    parts = [files.Part("1_coins", "Coins", "All."), files.Part("bench", "The bench", "Yours.")]
    monkeypatch.setattr(files, "parts", lambda: parts)
    names = ["00_alone", "1_coins/01_one", "1_coins/02_two", "bench/yours"]
    for name in names:
        files.write(new_notebook(), files.SERIES / f"{name}.ipynb")
    contents = staging.table_of_contents()["parts"]
    assert [
        (part["caption"], entry["file"]) for part in contents[:3] for entry in part["chapters"]
    ] == [
        (caption, f"notebooks/{name}.ipynb")
        for caption, name in zip(
            ["The series", "1 · Coins", "1 · Coins", "The bench"], names, strict=True
        )
    ]


@pytest.mark.slow
def test_documents_that_pages_link_to_are_in_the_contents(tmp_path):
    """Sphinx stops at one that it is given and that no table of contents has."""
    pages = {staging.staged_name(page) for page in staging.stage(tmp_path / "source")}
    given = {path.relative_to(tmp_path / "source") for path in tmp_path.rglob("*.md")}
    assert {path.as_posix() for path in given} - pages == set()


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A small repository with a notebook, two documents, a module and a file."""
    check_links.page.cache_clear()
    monkeypatch.setattr(files, "ROOT", tmp_path)
    for folder in ("notebooks", "docs", "mtsig_nb", "book"):
        (tmp_path / folder).mkdir()
    (tmp_path / "README.md").write_text("# Read me\n\n## Notebooks\n")
    (tmp_path / "LICENSE").write_text("as you like")
    (tmp_path / "mtsig_nb" / "resampling.py").write_text('"""Sums."""\n')
    (tmp_path / "mtsig_nb" / "other.py").write_text('"""Other."""\n')
    yield tmp_path
    check_links.page.cache_clear()


def staged(place: Path, text: str, name: str = "docs/page.md") -> str:
    page = place / name
    page.write_text(text, encoding="utf-8")
    other = place / "notebooks" / "05_x.ipynb"
    files.write(new_notebook(cells=[new_markdown_cell("# X\n\n## Why, then?")]), other)
    target = place / "staged"
    target.mkdir()
    staging.stage_page(page, [page, other], target)
    return (target / name).read_text(encoding="utf-8")


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
    assert staged(place, text) == text.replace(link, expected)


def test_a_file_that_is_no_page_comes_along(place):
    staged(place, "[licence](../LICENSE) [module](../mtsig_nb/other.py)")
    assert (place / "staged" / "LICENSE").read_text() == "as you like"
    assert (place / "staged" / "mtsig_nb" / "other.py").exists()


def test_a_folder_has_no_page(place):
    text = "all of [the package](../mtsig_nb) here [[a](../docs), [b](../mtsig_nb)]"
    assert staged(place, text) == "all of the package here [a, b]"


def test_a_diagram_stays_as_text(place):
    assert staged(place, "```mermaid\na --> b\n```\n") == "```text\na --> b\n```\n"


def test_alternative_text_of_a_figure_goes_where_myst_nb_looks():
    cell = new_code_cell("x", outputs=[figure("two bars")])
    staging.prepare_outputs(cell)
    assert cell.metadata["mystnb"] == {"image": {"alt": "two bars"}}
    assert "image/png" in cell.outputs[0].data


def test_figures_of_one_cell_keep_their_own_texts():
    cell = new_code_cell("x", outputs=[figure('a "bar"'), figure("a line")])
    staging.prepare_outputs(cell)
    html = [output.data["text/html"] for output in cell.outputs]
    assert 'alt="a &quot;bar&quot;"' in html[0]
    assert 'alt="a line"' in html[1]
    assert not any("image/png" in output.data for output in cell.outputs)


def test_what_only_programs_read_is_left_out():
    data = {"application/x-mtsig-headline+json": {}, "text/plain": "half: 0.50"}
    cell = new_code_cell("x", outputs=[new_output("display_data", data)])
    staging.prepare_outputs(cell)
    assert dict(cell.outputs[0].data) == {"text/plain": "half: 0.50"}


# The environment.


def test_environment_is_kept_as_long_as_the_lock_is_the_same(tmp_path, monkeypatch):
    calls = []

    def pretend(command, check, env):
        calls.append(command)
        (tmp_path / "env").mkdir(exist_ok=True)

    monkeypatch.setattr(environment.subprocess, "run", pretend)
    lock = tmp_path / "lock"
    lock.write_text("a==1\n")
    assert environment.prepare(tmp_path / "env", lock) == tmp_path / "env" / "bin"
    environment.prepare(tmp_path / "env", lock)
    assert len(calls) == 1
    assert calls[0][1:] == [str(tmp_path / "env"), str(lock)]
    lock.write_text("a==2\n")
    environment.prepare(tmp_path / "env", lock)
    assert len(calls) == 2


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


def test_a_site_without_fault(site):
    assert checks.problems(site) == []


@pytest.mark.parametrize(
    ("planted", "problem"),
    [
        ('<script src="https://cdn.example.org/x.js"></script>', "loads https://cdn.example.org/x.js"),
        ('<script src="//cdn.example.org/x.js"></script>', "loads //cdn.example.org/x.js"),
        ('<link rel="stylesheet" href="https://example.org/x.css">', "loads https://example.org/x.css"),
        ('<link rel="preload" href="https://example.org/x">', "loads https://example.org/x"),
        ('<img src="http://example.org/x.png" alt="x">', "loads http://example.org/x.png"),
        ("<style>@import 'https://example.org/f.css';</style>", "loads https://example.org/f.css"),
        ('<p style="background: url(https://example.org/b)">', "loads https://example.org/b"),
        ('<script>import("https://example.org/m.js")</script>', "loads https://example.org/m.js"),
        ('<script>const THEBE_JS_URL = "https://e.org/t.js"</script>', "loads https://e.org/t.js"),
        ('<iframe src="https://example.org/"></iframe>', "loads https://example.org/"),
        ('<script src="gone.js"></script>', "loads gone.js, which is not there"),
        ('<a href="gone.html">x</a>', "link to 'gone.html': there is no such file"),
        ('<a href="other.html#no">x</a>', "link to 'other.html#no': other.html has no such anchor"),
        ('<a href="#gone">x</a>', "link to '#gone': index.html has no such anchor"),
        ('<img src="data:,">', "'data:,' has no alternative text"),
        ('<img src="data:," alt="data:,">', "'data:,' has no alternative text"),
    ],
)  # fmt: skip
def test_a_planted_fault_is_named(site, planted, problem):
    (site / "index.html").write_text(GOOD.replace("</body>", f"{planted}</body>"))
    assert checks.problems(site) == [f"index.html: {problem}"]


def test_a_style_sheet_that_loads_from_elsewhere(site):
    (site / "s.css").write_text("@font-face { src: url('https://example.org/font.woff2') }")
    assert checks.problems(site) == ["s.css: loads https://example.org/font.woff2"]


def test_a_site_without_a_first_page(tmp_path):
    assert checks.problems(tmp_path) == [f"{tmp_path} has no index.html"]


def test_a_build_that_stops_leaves_no_site(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(environment, "prepare", lambda: tmp_path / "bin")
    monkeypatch.setattr(staging, "stage", lambda target: [])
    monkeypatch.setattr(book, "build", lambda programs, output: 1)
    assert book.main(["--output", str(tmp_path)]) == 1
    assert not (tmp_path / "html").exists()
    assert "stopped at a warning" in capsys.readouterr().err


def test_links_from_source_lead_to_the_page(tmp_path):
    (tmp_path / "_modules").mkdir()
    page = tmp_path / "_modules" / "m.html"
    page.write_text('<a class="viewcode-back" href="../api/f.html#m.f">[docs]</a> <a href="#m.f">')
    staging.finish(tmp_path, [])
    assert page.read_text() == (
        '<a class="viewcode-back" href="../api/f.html">[docs]</a> <a href="#m.f">'
    )


def test_an_environment_that_cannot_be_made_is_explained(tmp_path, monkeypatch, capsys):
    def fail():
        raise subprocess.CalledProcessError(1, "pip")

    monkeypatch.setattr(environment, "prepare", fail)
    assert book.main(["--output", str(tmp_path)]) == 1
    assert "book/requirements.lock" in capsys.readouterr().err


# The whole of it: `pytest -m book`, or make book, which checks the same.


@pytest.mark.book
def test_the_book_builds_without_a_warning_and_needs_no_network(tmp_path):
    assert book.main(["--output", str(tmp_path)]) == 0
    site = tmp_path / "html"
    drawn = next(path for path in files.series() if '"image/png"' in path.read_text("utf-8"))
    place = site / files.name_of(drawn)
    page = place.with_suffix(".html").read_text(encoding="utf-8")
    (alt, *_) = re.findall(r'<img alt="([^"]+)"', page)
    assert len(alt) > 40
    assert (site / "_static" / "mathjax" / "MathJax.js").exists()
    assert place.exists()
