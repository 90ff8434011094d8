"""`datasets/building/parsing.py`: what parses are made by, and that each text is parsed once."""

from __future__ import annotations

import importlib
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mtsig_nb.errors import InputError
from mtsig_nb.metrics import DependencyF, read_conllu

from ..messages import naming

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


def test_without_a_parser_the_message_says_what_to_install(parsing, monkeypatch):
    monkeypatch.setattr(parsing, "SPACY", "0.0.1")
    with (
        ThreadPoolExecutor(1) as executor,
        pytest.raises(InputError, match=naming("spacy 0.0.1", "requirements-parsing.txt")),
    ):
        parsing.parsed(TEXTS, "toy-1", executor)


def test_what_is_installed_for_parsing_is_what_the_signature_says(parsing):
    pins = (DATASETS / "building" / "requirements-parsing.txt").read_text(encoding="utf-8")
    assert f"\nspacy=={parsing.SPACY} " in pins
    package, version = parsing.PACKAGE.replace("_", "-"), parsing.MODEL.rpartition("-")[2]
    assert f"\n{package}=={version} " in pins
    assert parsing.parser_name(tokenized=False) == f"spacy-{parsing.SPACY}+{parsing.MODEL}"


def test_spacys_parses_are_conllu(parsing, tmp_path):
    if problem := parsing.problem():
        pytest.skip(problem)
    line = "Dr. Smith went  home. He slept well."
    block, nothing = parsing.parse([line, ""], tokenized=False)
    (tmp_path / "parses.conllu").write_text(block, encoding="utf-8")
    sentences = read_conllu(tmp_path / "parses.conllu")
    assert [re.findall(r"^\d+\t(\S+)", sentence, re.MULTILINE) for sentence in sentences] == [
        ["Dr.", "Smith", "went", "home", "."],
        ["He", "slept", "well", "."],
    ]
    assert DependencyF().statistics([block, nothing], [[block, nothing]]).tolist() == [
        [9, 9, 9],
        [0, 0, 0],
    ]
    (words,) = parsing.parse(["it 's n't so ."], tokenized=True)
    assert re.findall(r"^\d+\t(\S+)", words, re.MULTILINE) == ["it", "'s", "n't", "so", "."]
