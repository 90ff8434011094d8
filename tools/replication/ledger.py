"""All rows: read as they are declared, and kept as JSON when they have run.

They are declared in ``papers/*.toml``: words and ids, no computing.  ``compute`` names a function
of `computed`, with its ``arguments``.  In any text ``{k-N}`` is a printed number by its id,
``{k-N.where}`` its place, ``{word}`` a sentence of ``[words]``, and ``{module.NAME}`` what a module
of `computed` has.  ``each`` makes a row for each campaign.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import mtsig_nb as mt
from mtsig_nb.campaigns.printed import printed_table
from mtsig_nb.writing import write_whole

from ..repository import results
from .rows import WORDS, Ledger, Paper, Printed, Row, Verdict, about
from .shared import quoted

FOLDER = Path(__file__).parent / "papers"
#: The names of the modules of `computed`.
COMPUTED = {path.stem for path in FOLDER.with_name("computed").glob("[a-z]*.py")}


class Words(dict[str, Any]):
    """What braces in a text may name.

    The keys are words and what they stand for.  What is no key is a module of `computed`, or the id
    of a printed number.
    """

    def __missing__(self, name: str) -> ModuleType | Printed:
        return _module(name) if name in COMPUTED else quoted(name)

    def filled(self, given: Any) -> Any:
        """A value of the file with all its texts filled in."""
        if isinstance(given, str):
            return given.format_map(self)
        if isinstance(given, list):
            return [self.filled(element) for element in given]
        if isinstance(given, dict):
            filled = {}
            for name, value in given.items():
                filled[self.filled(name)] = self.filled(value)
            return filled
        return given


def _module(name: str) -> ModuleType:
    """A module of `computed`, loaded when it is first named."""
    return import_module(f".computed.{name}", __package__)


def read_paper(name: str) -> Paper:
    """A paper with its rows, from the file of this name."""
    path = FOLDER / f"{name}.toml"
    declared = tomllib.loads(path.read_text(encoding="utf-8"))
    words = Words()
    words |= words.filled(declared.pop("words"))
    filled = []
    for row in declared.pop("row"):
        campaigns = row.pop("each", None)
        if campaigns is None:
            filled.append(words.filled(row))
            continue
        for campaign in campaigns:
            words_of_row = Words(words | _words_of(campaign))
            filled.append(words_of_row.filled(row))
    rows = [_row(declared_row) for declared_row in filled]
    data = _campaigns(declared.pop("data", []))
    return Paper(rows=tuple(rows), data=data, **declared)


def _words_of(campaign: str) -> dict[str, str]:
    """What texts of a row may say of a campaign."""
    year, _, pair = campaign.partition("/")
    words = {"campaign": campaign, "year": year, "pair": pair}
    words["YEAR"] = year.upper()
    return words


def _row(declared: dict[str, Any]) -> Row:
    """A row, from its texts as they are filled in."""
    fields = dict(declared)
    arguments = fields.pop("arguments", [])
    if "compute" in fields:
        module_name, _, name = fields["compute"].partition(".")
        function = getattr(_module(module_name), name)
        fields["compute"] = partial(function, *arguments)
    printed = fields.get("printed")
    if isinstance(printed, dict):
        fields["printed"] = {name: _printed(cell) for name, cell in printed.items()}
    verdict = fields.pop("verdict")
    data = fields.pop("data", [])
    return Row(verdict=Verdict(verdict), data=_campaigns(data), **fields)


def _campaigns(patterns: list[str]) -> tuple[str, ...]:
    """The embedded campaigns whose names match one of the patterns, in the patterns' order."""
    if not patterns:
        return ()
    campaigns = mt.list_campaigns()
    names = list(campaigns["name"])
    matching: list[str] = []
    for pattern in patterns:
        matching += [name for name in names if fnmatch(name, pattern)]
    return tuple(matching)


def _printed(cell: str | dict[str, str]) -> Printed:
    """A number by its id, a text with its place, or a cell of a printed table."""
    if isinstance(cell, str):
        return quoted(cell)
    if "id" in cell:
        number = quoted(cell["id"])
        return Printed(number.text, cell["where"])
    if "text" in cell:
        return Printed(cell["text"], cell["where"])
    return _printed_cell(**cell)


def _printed_cell(table: str, column: str, where: str = "", **labels: str) -> Printed:
    """A cell of a printed table, by its column and what other columns of its line say."""
    paper, _, number = table.partition("/")
    lines = printed_table(paper, int(number))
    for name, value in labels.items():
        has_label = lines[name] == value
        lines = lines[has_label]
    cell = lines[column].item()
    return Printed(cell, where or f"Table {number}")


NAMES = ("koehn", "riezler_maxwell", "stroppa_owczarzak", "graham", "later")
PAPERS = tuple(read_paper(name) for name in NAMES)


def all_rows() -> Iterator[tuple[Paper, Row]]:
    """Every row with its paper, in order."""
    for paper in PAPERS:
        for row in paper.rows:
            yield paper, row


def reworded(ledger: Ledger) -> dict[str, Any]:
    """A kept ledger with the words that its rows have now; nothing is computed.

    The printed numbers of a row are evidence and stay; its words about what is printed are new.
    """
    rows = {row.key: row for _, row in all_rows()}
    records = []
    for record in ledger["rows"]:
        row = rows[record["key"]]
        words = {name: getattr(row, name) for name in WORDS}
        new = {**record, **words}
        if isinstance(row.printed, str) and isinstance(record["printed"], str):
            new["printed"] = row.printed
        records.append(new)
    return {"papers": [about(paper) for paper in PAPERS], "rows": records}


def write(ledger: Ledger) -> None:
    """Keep the ledger; numbers with every digit."""
    text = json.dumps(ledger, indent=1, ensure_ascii=False, allow_nan=False)
    write_whole(results.LEDGER, f"{text}\n")
