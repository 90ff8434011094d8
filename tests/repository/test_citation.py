"""What is said of a release agrees: one version, one list of dependencies, the same words."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import yaml

import mtsig_nb as mt
from mtsig_nb.campaigns.data_files import data_folder, registry

ROOT = Path(__file__).parents[2]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
ZENODO = json.loads((ROOT / ".zenodo.json").read_text(encoding="utf-8"))
RECIPE = yaml.safe_load((ROOT / "packaging/conda/recipe.yaml").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def headings(changelog: str) -> list[str]:
    """The sections of the changelog, from the newest to the oldest."""
    return re.findall(r"^## (.+)", changelog, re.MULTILINE)


def test_version_is_the_same_everywhere():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    # What was done since the last release stands above it, under no version yet.
    released = [name for name in headings(changelog) if name != "Unreleased"]
    tab = (ROOT / "docs" / "browser-tab.md").read_text(encoding="utf-8")
    assert {
        CITATION["version"],
        ZENODO["version"],
        RECIPE["context"]["version"],
        released[0],
        *re.findall(r"path=course-([\d.]+)/", tab),
    } == {mt.__version__}
    assert RECIPE["context"]["data_version"] == registry(data_folder())[0]


def test_the_changelog_goes_from_what_is_not_released_to_the_oldest_version():
    sections = headings((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    released = sections[1:] if sections[0] == "Unreleased" else sections
    versions = [tuple(map(int, name.split("."))) for name in released]  # fails for any other name
    assert versions == sorted(set(versions), reverse=True)


def test_what_is_said_twice_agrees():
    for key in ("license", "keywords"):
        assert CITATION[key] == ZENODO[key] == PROJECT[key]
    assert CITATION["title"] == ZENODO["title"]
    assert CITATION["title"].partition(":")[0] == PROJECT["name"]


def test_the_recipe_needs_what_the_package_needs():
    package, data = RECIPE["outputs"]
    # A space before the range, as conda has it.
    needed = [line.replace(" ", "") for line in package["requirements"]["run"]]
    assert needed == [f"python{PROJECT['requires-python']}", *PROJECT["dependencies"]]
    (test,) = data["tests"]
    (file,) = test["package_contents"]["site_packages"]
    assert (data_folder() / file.partition("/")[2]).exists()


def test_what_mt_cite_gives_is_what_the_file_has():
    text = " ".join(mt.cite().split())
    without_braces = text.replace("{", "").replace("}", "")  # which keep capitals as they are
    assert f"version = {{{CITATION['version']}}}" in text
    assert CITATION["title"].replace("_", r"\_") in text
    for paper in CITATION["references"]:
        assert paper["title"] in without_braces
        assert f"booktitle = {{{' '.join(paper['collection-title'].split())}}}" in text
        assert all(author["family-names"] in text for author in paper["authors"])
        if "start" in paper:
            assert f"pages = {{{paper['start']}--{paper['end']}}}" in text
        assert "url" not in paper or f"url = {{{paper['url']}}}" in text
    # Besides, sources of what is in no paper about translation.
    assert text.count("@inproceedings") == len(CITATION["references"])
