"""`datasets/building/parsing.py`: what parses are made by, and that each text is parsed once."""

from __future__ import annotations

import importlib
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mtsig_nb.metrics import DependencyF

DATASETS = Path(__file__).parents[2] / "datasets"


@pytest.fixture
def parsing(monkeypatch, tmp_path):
    monkeypatch.setenv("MTSIG_CACHE", str(tmp_path))
    monkeypatch.syspath_prepend(DATASETS)
    yield importlib.import_module("building.parsing")
    for name in [name for name in sys.modules if name.partition(".")[0] == "building"]:
        del sys.modules[name]


def chain(line: str) -> str:
    """A parse in which every word depends on the one before it."""
    rows = [f"{i + 1}\t{w}\t{w}\t_\t_\t_\t{i}\tdep\t_\t_" for i, w in enumerate(line.split())]
    return "\n".join(rows)


@pytest.fixture
def asked(parsing, monkeypatch):
    """The lines that a parser of our own is asked for."""
    lines = []

    def parse(chunk, *, tokenized):
        lines.extend(chunk)
        return [chain(line) for line in chunk]

    monkeypatch.setattr(parsing, "problem", lambda: "")
    monkeypatch.setattr(parsing, "parse", parse)
    return lines


TEXTS = {"hyp": ["a b", "", "a b", "c"], "ref": ["a b", "c d", "e", "c"]}


def test_blocks_stand_where_their_lines_stood(parsing, asked):
    with ThreadPoolExecutor(1) as executor:
        blocks = parsing.parsed(TEXTS, "toy-1", executor)
    assert blocks == {name: [chain(line) for line in lines] for name, lines in TEXTS.items()}
    counts = DependencyF().statistics(blocks["hyp"], [blocks["ref"]])
    assert counts.tolist() == [[2, 2, 2], [0, 0, 2], [0, 2, 1], [1, 1, 1]]


def test_a_line_is_parsed_once_by_each_parser(parsing, asked):
    with ThreadPoolExecutor(1) as executor:
        first = parsing.parsed(TEXTS, "toy-1", executor)
        assert asked == ["a b", "", "c", "c d", "e"]
        assert parsing.parsed(TEXTS, "toy-1", executor) == first
        assert len(asked) == 5
        parsing.parsed({"hyp": ["c", "new"]}, "toy-1", executor)
        assert asked[5:] == ["new"]
        parsing.parsed({"hyp": ["c"]}, "toy-2", executor)
        assert asked[6:] == ["c"]
