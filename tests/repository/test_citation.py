"""`CITATION.cff` says what is here, in the keys that version 1.2.0 of the format has."""

from __future__ import annotations

import tomllib
from pathlib import Path

import yaml

import mtsig_nb as mt

ROOT = Path(__file__).parents[2]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_version_is_the_same_everywhere():
    assert CITATION["version"] == mt.__version__
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"\n## {mt.__version__}" in changelog


def test_what_is_said_twice_agrees():
    assert CITATION["license"] == PROJECT["license"]
    assert CITATION["keywords"] == PROJECT["keywords"]
    assert CITATION["title"].partition(":")[0] == PROJECT["name"]


def test_what_mt_cite_gives_is_what_the_file_has():
    text = " ".join(mt.cite().split())
    assert f"version = {{{CITATION['version']}}}" in text
    assert CITATION["title"].replace("_", r"\_") in text
    for paper in CITATION["references"]:
        assert f"title = {{{paper['title']}}}" in text
        assert f"booktitle = {{{' '.join(paper['collection-title'].split())}}}" in text
        assert all(author["family-names"] in text for author in paper["authors"])
        if "start" in paper:
            assert f"pages = {{{paper['start']}--{paper['end']}}}" in text
        assert "url" not in paper or f"url = {{{paper['url']}}}" in text
    # Besides, sources of what is in no paper about translation.
    assert text.count("@inproceedings") == len(CITATION["references"])
