"""All rows: read as they are declared, run, kept as JSON.

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
from typing import Any

import mtsig_nb as mt
from mtsig_nb.campaigns.printed import printed_table
from mtsig_nb.writing import write_whole

from ..repository import results
from .rows import Paper, Printed, Row, Verdict
from .shared import quoted

FOLDER = Path(__file__).parent / "papers"
COMPUTED = {path.stem for path in FOLDER.with_name("computed").glob("[a-z]*.py")}


class Words(dict[str, Any]):
    """What braces in a text may name."""

    def __missing__(self, name: str) -> Any:
        return _module(name) if name in COMPUTED else quoted(name)

    def filled(self, given: Any) -> Any:
        """A value of the file with all its texts filled in."""
        if isinstance(given, str):
            return given.format_map(self)
        if isinstance(given, list):
            return [self.filled(element) for element in given]
        if isinstance(given, dict):
            return {self.filled(name): self.filled(value) for name, value in given.items()}
        return given


def _module(name: str) -> Any:
    return import_module(f".computed.{name}", __package__)


def paper(name: str) -> Paper:
    """A paper with its rows."""
    declared = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    words = Words()
    words.update(words.filled(declared.pop("words")))
    rows = []
    for row in declared.pop("row"):
        for campaign in row.pop("each", [""]):
            known = Words(words | _words_of(campaign))
            rows.append(_row(known.filled(row)))
    data = _campaigns(declared.pop("data", []))
    return Paper(rows=tuple(rows), data=data, **declared)


def _words_of(campaign: str) -> dict[str, str]:
    """What texts of a row may say of a campaign."""
    year, _, pair = campaign.partition("/")
    return {"campaign": campaign, "year": year, "YEAR": year.upper(), "pair": pair}


def _row(declared: dict[str, Any]) -> Row:
    """A row, from its texts as they are filled in."""
    row = dict(declared)
    arguments = row.pop("arguments", [])
    if "compute" in row:
        module, _, name = row["compute"].partition(".")
        function = getattr(_module(module), name)
        row["compute"] = partial(function, *arguments) if arguments else function
    printed = row.get("printed")
    if isinstance(printed, dict):
        row["printed"] = {name: _printed(cell) for name, cell in printed.items()}
    row["verdict"] = Verdict(row["verdict"])
    row["data"] = _campaigns(row.get("data", []))
    return Row(**row)


def _campaigns(patterns: list[str]) -> tuple[str, ...]:
    """The embedded campaigns whose names match."""
    if not patterns:
        return ()
    names = list(mt.list_campaigns()["name"])
    return tuple(name for pattern in patterns for name in names if fnmatch(name, pattern))


def _printed(cell: str | dict[str, str]) -> Printed:
    """A number by its id, a cell of a table by its column and what its row has, or a text."""
    if isinstance(cell, str):
        return quoted(cell)
    if "id" in cell:
        return Printed(quoted(cell["id"]).text, cell["where"])
    if "text" in cell:
        return Printed(cell["text"], cell["where"])
    labels = dict(cell)
    paper, _, which = labels.pop("table").partition("/")
    column = labels.pop("column")
    where = labels.pop("where", f"Table {which}")
    rows = printed_table(paper, int(which))
    for name, value in labels.items():
        rows = rows[rows[name] == value]
    return Printed(rows[column].item(), where)


NAMES = ("koehn", "riezler_maxwell", "stroppa_owczarzak", "graham", "later")
PAPERS: tuple[Paper, ...] = tuple(map(paper, NAMES))


def all_rows() -> Iterator[tuple[Paper, Row]]:
    """Every row with its paper, in order."""
    for paper in PAPERS:
        for row in paper.rows:
            yield paper, row


def write(ledger: dict[str, Any]) -> None:
    """Keep the ledger; numbers with every digit."""
    text = json.dumps(ledger, indent=1, ensure_ascii=False, allow_nan=False)
    write_whole(results.LEDGER, f"{text}\n")
