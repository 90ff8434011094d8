"""What nbval cannot see: notebooks never run, or not made from their source."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.notebooks import files

COMMITTED = files.series() + sorted((files.LABS / "instructor").glob("*.ipynb"))


def short_name(path: Path) -> str:
    return path.relative_to(files.ROOT).as_posix()


def test_every_notebook_has_a_source_and_every_source_a_notebook():
    assert [pair.notebook for pair in files.pairs()] == COMMITTED


@pytest.mark.parametrize("path", COMMITTED, ids=short_name)
def test_executed_in_order_and_clean(path):
    assert files.problems(files.read(path)) == []


@pytest.mark.parametrize(
    "pair", [pair for pair in files.pairs() if pair.notebook.exists()], ids=lambda pair: pair.name
)
def test_made_from_its_source(pair):
    committed = files.without_outputs(files.read(pair.notebook))
    assert committed == files.from_source(pair.source), (
        f"run make notebooks ONLY={pair.source.stem}"
    )
