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
            return [self.filled(one) for one in given]
        if isinstance(given, dict):
            return {self.filled(name): self.filled(one) for name, one in given.items()}
        return given


def _module(name: str) -> Any:
    return import_module(f".computed.{name}", __package__)


def paper(name: str) -> Paper:
    """A paper with its rows."""
    given = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    words = Words()
    words.update(words.filled(given.pop("words")))
    rows = []
    for row in given.pop("row"):
        for campaign in row.pop("each", [""]):
            year, _, pair = campaign.partition("/")
            more = {"campaign": campaign, "year": year, "YEAR": year.upper(), "pair": pair}
            rows.append(_row(Words(words | more).filled(row)))
    return Paper(rows=tuple(rows), data=_campaigns(given.pop("data", [])), **given)


def _row(given: dict[str, Any]) -> Row:
    if "compute" in given:
        module, _, function = given["compute"].partition(".")
        compute, arguments = getattr(_module(module), function), given.pop("arguments", [])
        given["compute"] = partial(compute, *arguments) if arguments else compute
    if isinstance(printed := given.get("printed"), dict):
        given["printed"] = {name: _printed(cell) for name, cell in printed.items()}
    given["verdict"] = Verdict(given["verdict"])
    return Row(**given | {"data": _campaigns(given.get("data", []))})


def _campaigns(patterns: list[str]) -> tuple[str, ...]:
    names = list(mt.list_campaigns()["name"]) if patterns else []
    return tuple(name for pattern in patterns for name in names if fnmatch(name, pattern))


def _printed(given: str | dict[str, str]) -> Printed:
    """A number by its id, a cell of a table by its column and what its row has, or a text."""
    if isinstance(given, str):
        return quoted(given)
    if "id" in given:
        return Printed(quoted(given["id"]).text, given["where"])
    if "text" in given:
        return Printed(given["text"], given["where"])
    paper, _, which = given.pop("table").partition("/")
    rows, column = printed_table(paper, int(which)), given.pop("column")
    where = given.pop("where", f"Table {which}")
    for name, value in given.items():
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
