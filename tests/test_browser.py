"""Inside a page of a browser: what is fetched, and what is refused.  tests/lite has real ones."""

from __future__ import annotations

import shutil
import sys
import zipfile
from unittest.mock import Mock

import pytest

import mtsig_nb as mt
from mtsig_nb import browser
from mtsig_nb.campaigns import data_files, embedded, from_site
from mtsig_nb.campaigns.data_files import data_folder, registered
from tools.notebooks import files
from tools.site.lite import staging

from .messages import naming

NAME = "wmt12/es-en"


def bleu():
    return mt.load(NAME).statistics("BLEU")


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: mt.fetch_texts(NAME), "fetch_texts needs Python on a computer"),
        (lambda: mt.metrics.get("METEORJar").require(), "use metric='METEOR'"),
        (lambda: mt.compare_all(bleu(), executor=Mock()), "executor needs Python on a computer"),
    ],
)
def test_what_only_a_computer_can_do_is_refused(monkeypatch, ask, words):
    monkeypatch.setattr(browser, "IN_BROWSER", True)
    with pytest.raises(mt.InputError, match=naming("browser", "cannot")) as refusal:
        ask()
    assert words in str(refusal.value)


@pytest.fixture
def data(tmp_path, monkeypatch):
    """The data as the browser's wheel has them, and what the site has beside it."""
    data = tmp_path / "data"
    for kept in ("registry.tsv", f"{NAME}/campaign.json", "wmt13/es-en/campaign.json"):
        (data / kept).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(data_folder() / kept, data / kept)
    staging.stage_campaigns(tmp_path / "files", [NAME])
    asked: list[str] = []

    def site_file(path: str) -> bytes:
        asked.append(path)
        return (tmp_path / path).read_bytes()

    monkeypatch.setattr(from_site, "site_file", site_file)
    monkeypatch.setattr(data_files, "PLACES", (data,))
    monkeypatch.setattr(embedded, "IN_BROWSER", True)
    data_files.description.cache_clear()
    yield data, asked
    data_files.description.cache_clear()


def test_a_campaign_is_fetched_when_it_is_loaded_and_once(data):
    folder, asked = data
    embedded_data = files.ROOT / "datasets"
    assert mt.load(NAME).human.scores().index[0] == "onlineA"
    assert bleu().scores().index[0] == "onlineB"
    assert asked == ["files/campaigns/wmt12-es-en.zip"]
    for file in registered(folder, NAME):
        assert (folder / NAME / file).read_bytes() == (embedded_data / NAME / file).read_bytes()


def test_a_campaign_of_another_edition_is_refused_whole(data, tmp_path):
    folder, _ = data
    archive = tmp_path / "files" / "campaigns" / "wmt12-es-en.zip"
    with zipfile.ZipFile(archive) as members:
        contents = {name: members.read(name) for name in members.namelist()}
    with zipfile.ZipFile(archive, "w") as members:
        for name, content in contents.items():
            members.writestr(name, content + b"?" * ("TER" in name))
    with pytest.raises(mt.MtsigError, match=naming("wmt12/es-en", "statistics/TER.A.npz")):
        mt.load(NAME)
    assert [path.name for path in (folder / NAME).iterdir()] == ["campaign.json"]


@pytest.mark.parametrize("status", [200, 404, 0])
def test_files_are_asked_of_the_site_that_the_page_came_from(monkeypatch, status):
    kernel = "https://example.org/course/extensions/@jupyterlite/kernel/static/1.js"
    request = Mock(status=status)  # a browser's XMLHttpRequest
    request.send.side_effect = None if status else OSError("no connection")
    request.response.to_bytes.return_value = memoryview(b"content")
    fake = Mock(**{"location.href": kernel, "XMLHttpRequest.new.return_value": request})
    monkeypatch.setitem(sys.modules, "js", fake)
    if status == 200:
        assert browser.site_file("files/a.zip") == b"content"
    else:
        with pytest.raises(mt.MtsigError, match="cannot be fetched"):
            browser.site_file("files/a.zip")
    request.open.assert_called_once_with("GET", "https://example.org/course/files/a.zip", False)
