"""What tests of the command line share."""

from __future__ import annotations

import pytest

from ..worse_and_worse import write_texts


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A fresh folder with a reference, three outputs and documents; statistics cached beside it."""
    monkeypatch.setenv("MTSIG_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "200")
    texts = tmp_path / "texts"
    texts.mkdir()
    monkeypatch.chdir(texts)
    write_texts(texts)
    return texts
