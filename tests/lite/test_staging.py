"""What ``make lite`` gathers, and what the fixture of these tests refuses."""

from __future__ import annotations

import ast
import contextlib
import hashlib
import subprocess
import zipfile
from urllib.parse import unquote

import nbformat
import pytest
from lxml import html
from nbformat.v4 import new_code_cell, new_notebook, new_output

from mtsig_nb.campaigns.embedded import campaign_names
from tools.notebooks import files
from tools.repository import check_links
from tools.site.lite import __main__ as lite
from tools.site.lite import staging
from tools.site.lite.staging import PRODUCTION

from ..messages import naming
from . import driving, fixture


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    folder = tmp_path_factory.mktemp("content")
    staging.stage_notebooks(folder, PRODUCTION.requirements)
    return folder


@pytest.mark.takes_time
def test_units_labs_inventory_and_explorer_are_there_and_solutions_are_not(content):
    there = {
        path.relative_to(content / staging.COURSE)
        for path in content.rglob("*.ipynb")
        if path.name != "start.ipynb"
    }
    wanted = [path for path in files.series() if path.parent.name != "bench"]
    wanted += (files.LABS / "student").glob("*.ipynb")
    wanted += [files.LABS / "inventory.ipynb", files.SERIES / "app" / "explorer.ipynb"]
    assert there == {path.relative_to(files.ROOT) for path in wanted}


@pytest.mark.takes_time
def test_the_first_code_cell_installs_what_a_browser_needs(content):
    for path in (content / staging.COURSE).rglob("*.ipynb"):
        code = [cell for cell in files.read(path).cells if cell.cell_type == "code"]
        assert code[0].id == "install"
        assert not code[0].outputs
        cell = compile(code[0].source, "cell", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        with contextlib.suppress(StopIteration):  # a cell that could wait, and does not
            eval(cell, {}).send(None)
    assert "['mtsig_nb', 'anywidget>=" in code[0].source


@pytest.mark.takes_time
def test_notebooks_come_with_their_outputs_and_the_first_page_leads_to_all_of_them(content):
    for path in files.series()[:3]:
        staged = files.read(content / staging.COURSE / files.name_of(path))
        kept = {cell.id: cell.get("outputs") for cell in staged.cells}
        assert all(kept[c.id] == c.outputs for c in files.read(path).cells if c.cell_type == "code")
    page = html.fromstring(staging.start_page())
    leads = [link for link in page.xpath("//main//a/@href") if link.startswith("lab/")]
    there = [unquote(link.partition("?path=")[2]) for link in leads]
    assert there == [f"{staging.COURSE}/{files.name_of(path)}" for path in staging.notebooks()]
    assert page.xpath("//*[@data-mtsig]")


@pytest.mark.takes_time
def test_links_lead_to_what_is_on_the_site(content):
    check_links.page.cache_clear()
    pages = [*content.rglob("*.ipynb"), *content.rglob("*.md")]
    assert len([path for path in pages if path.suffix == ".md"]) >= 2
    problems = [said for path in pages for said in check_links.problems(path, content)]
    assert problems == []
    first = (content / "start.ipynb").read_text(encoding="utf-8")
    assert all(files.name_of(page) in first for page in staging.notebooks())


@pytest.mark.takes_time
def test_the_wheel_for_the_browser_describes_every_campaign(tmp_path):
    staging.build_wheel(tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as members:
        names = {name.removeprefix("mtsig_nb/_datasets/") for name in members.namelist()}
    assert {f"{name}/campaign.json" for name in campaign_names()} | {"registry.tsv"} < names


def test_an_environment_that_cannot_be_made_is_explained(tmp_path, monkeypatch, capsys):
    def fail(*_):
        raise subprocess.CalledProcessError(1, ["pip", "install"])

    monkeypatch.setattr(lite.environment, "prepare", fail)
    assert lite.main(["--output", str(tmp_path)]) == 1
    assert "pip install" in (said := capsys.readouterr().err)
    assert "lite/environment.lock" in said


def test_the_fixture_refuses_a_file_that_was_changed(tmp_path, monkeypatch):
    bundled = tmp_path / "bundled"
    bundled.mkdir()
    hashes = tmp_path / "hashes"
    hashes.write_text(f"{hashlib.sha256(b'as published').hexdigest()}  a.whl\n")
    monkeypatch.setattr(fixture, "HASHES", hashes)
    lock = '{"info": {}, "packages": {"a": {"file_name": "a.whl"}, "b": {"file_name": "b.whl"}}}'
    (bundled / "pyodide-lock.json").write_text(lock)
    (bundled / "a.whl").write_bytes(b"changed")
    with pytest.raises(fixture.FixtureError, match=naming("a.whl", "not the file")):
        fixture.checked(bundled, tmp_path / "one")
    (bundled / "a.whl").write_bytes(b"as published")
    with pytest.raises(fixture.FixtureError, match="says other things"):
        fixture.checked(bundled, tmp_path / "two")
    mine = b'{"info": {}, "packages": {"a": {"file_name": "a.whl"}}}'
    monkeypatch.setattr(fixture, "LOCK", hashlib.sha256(mine).hexdigest())
    target = fixture.checked(bundled, tmp_path / "three")
    assert sorted(path.name for path in target.iterdir()) == ["a.whl", "pyodide-lock.json"]


def test_a_number_that_differs_is_seen_and_how_numpy_writes_it_is_not(tmp_path):
    texts = ["p = 0.0286 of 10", "(array([1, 0]), 0.030503941492111348)"]

    def printing(*texts: str) -> list[nbformat.NotebookNode]:
        outputs = [new_output("execute_result", {"text/plain": text}) for text in texts]
        return [new_code_cell("f()", id=f"c{i}", outputs=[o]) for i, o in enumerate(outputs)]

    def seen(*texts: str) -> dict:
        return driving.differences(tmp_path / "n.ipynb", printing(*texts))

    files.write(new_notebook(cells=printing(*texts)), tmp_path / "n.ipynb")

    assert seen(*texts) == {}
    assert seen(texts[0], "(array([1, 0],\n      dtype=int64), 0.03050394149211135)") == {}
    assert seen("p = 0.0287 of 10", texts[1]) == {"c0": [(texts[0], "p = 0.0287 of 10")]}
    assert seen(texts[0], "(array([1, 0]), 0.03050394149212)") == {}  # as other processors do
    assert list(seen(texts[0], "(array([1, 0]), 0.0305139414921)")) == ["c1"]
    assert list(seen("", texts[1])) == ["c0"]
