"""The copy that students open elsewhere: what it shows, and where its badges and links lead."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from tools.course import notebook_links
from tools.notebooks import files, links
from tools.site import public_copy

HOME = "someone/course"


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    target = tmp_path_factory.mktemp("public") / "copy"
    assert public_copy.main([HOME, "--ref", "autumn", "--output", str(target)]) == 0
    return target


def opened(address: str) -> str:
    """The file of the copy that an address of Colab or Binder opens."""
    parts = urlsplit(address)
    if parts.netloc == "colab.research.google.com":
        return unquote(parts.path.removeprefix(f"/github/{HOME}/blob/autumn/"))
    assert parts.netloc == "mybinder.org"
    assert parts.path == f"/v2/gh/{HOME}/autumn"
    (opened,) = parse_qs(parts.query)["urlpath"]
    return opened.removeprefix("lab/tree/")


def test_badges_of_the_readme_open_files_of_the_copy(copy):
    first_lines = "\n".join((copy / "README.md").read_text(encoding="utf-8").splitlines()[:5])
    addresses = re.findall(r"\]\((https://[^)]+)\)\n", first_lines + "\n")
    assert [urlsplit(address).netloc for address in addresses] == [
        "colab.research.google.com",
        "mybinder.org",
    ]
    assert all((copy / opened(address)).is_file() for address in addresses)


def test_every_notebook_installs_the_course_and_is_the_stored_one_but_for_that(copy):
    pages = public_copy.notebooks()
    assert {"labs", "bench"} <= {part for page in pages for part in page.parts}
    for page in pages:
        name = files.name_of(page)
        stored = files.read(page)
        public = files.read(copy / name)
        title, lead, install, *rest = public.cells
        if page.parent.name == "student":
            hand_in, *rest = rest
            assert f"`s12_{page.name}`" in hand_in.source
        addresses = re.findall(r'href="(https://[^"]+)"', lead.source.replace("&amp;", "&"))
        assert [opened(address) for address in addresses] == [name, name]
        assert f"git+https://github.com/{HOME}@autumn#subdirectory=datasets" in install.source
        assert install.metadata["cellView"] == "form"
        assert install.metadata["jupyter"]["source_hidden"]
        assert [title, *rest] == [cell for cell in stored.cells if cell.get("id") != links.TAG]


def test_solutions_are_left_out_and_nothing_else(copy):
    there = {path.relative_to(copy).as_posix() for path in copy.rglob("*") if path.is_file()}
    left_out = {name for name in public_copy.SOLUTIONS if (files.ROOT / name).exists()}
    assert left_out == {*public_copy.SOLUTIONS}
    assert not [name for name in there if name.startswith(public_copy.SOLUTIONS)]
    assert {"README.md", "pyproject.toml", "notebooks/labs/inventory.toml"} <= there
    solved = "### BEGIN SOLUTION"
    for page in (copy / "notebooks").rglob("*.ipynb"):
        assert solved not in page.read_text(encoding="utf-8")


def test_addresses_of_colab_are_listed(capsys):
    assert notebook_links.main([HOME, "--ref", "autumn", "--colab"]) == 0
    listed = re.findall(r"^    (https://.*)$", capsys.readouterr().out, re.MULTILINE)
    assert {files.name_of(page) for page in public_copy.notebooks()} <= {*map(opened, listed)}
