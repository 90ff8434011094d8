"""The version of the embedded data: one for all campaigns, stated wherever it is needed."""

from __future__ import annotations

import csv
import tomllib
from pathlib import Path

import pytest

import mtsig_nb as mt
from mtsig_nb.campaigns.embedded import campaign_names

ROOT = Path(__file__).parents[2]
SOURCES = (ROOT / "datasets" / "building" / "sources.toml").read_text(encoding="utf-8")
VERSION = tomllib.loads(SOURCES)["version"]


def test_every_campaign_has_the_builders_version():
    with (ROOT / "datasets" / "registry.tsv").open(encoding="utf-8") as lines:
        assert {row["version"] for row in csv.DictReader(lines, delimiter="\t")} == {VERSION}
    assert {mt.load(name).version for name in campaign_names()} == {VERSION}


def test_version_is_shown():
    campaign = mt.load("wmt12/es-en", version=VERSION)
    assert campaign.facts()["version of the data"] == VERSION
    assert f">{VERSION}<" in campaign._repr_html_()
    sheet = (campaign.folder / "README.md").read_text(encoding="utf-8")
    assert f"Version {VERSION}." in sheet


def test_another_version_is_refused():
    with pytest.raises(mt.InputError) as caught:
        mt.load("wmt12/es-en", version="0.9")
    assert str(caught.value) == (
        f"version='0.9': the embedded wmt12/es-en has version {VERSION!r}, and its figures may "
        "differ. Install the release of mtsig_nb whose CHANGELOG names data version 0.9, or leave "
        "version out."
    )
