"""Rows as templates show them, and counts of all rows: what is kept, and nothing else."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pandas as pd

from .rows import IN_PART, Ledger, Printed, Record, Verdict, frame_of, rows_by_key, spec_of

TEMPLATES = Path(__file__).parent / "templates"
_DECLARED = Path(__file__).with_suffix(".toml")
WORDS = tomllib.loads(_DECLARED.read_text(encoding="utf-8"))
#: What stands in a cell of a row's table, by the key of the row, and names of ``columns``.
TABLES = tomllib.loads(_DECLARED.with_name("tables.toml").read_text(encoding="utf-8"))
#: Each verdict's ``mark``, its ``meaning``, and for some what claims under it were ``asked`` of.
VERDICTS = {Verdict(name): words for name, words in WORDS["verdict"].items()}
#: What came out of a claim.
ANSWERS = {True: "holds", False: "does not hold", IN_PART: "holds in part"}
#: Shown in a cell at most; the rest is in the ledger's file, and mostly in the table below.
VALUES_SHOWN = 4


# Cells.


def cells(record: Record) -> dict[str, Any]:
    """A row as templates show it.

    Lists (``printed``, ``ours``, ``difference``) are the lines of a cell; ``columns`` and ``rows``
    are the row's own table, and ``unit`` is the number of the notebook that teaches it.
    """
    limits = [limit for limit in (record["selected"], record["but"]) if limit]
    _, _, notebook = record["notebook"].rpartition("/")
    unit, _, _ = notebook.partition("_")
    table = record["table"]
    words = VERDICTS[record["verdict"]]
    return {
        **record,
        "printed": _printed_lines(record),
        "ours": _our_lines(record),
        "difference": _difference_lines(record),
        "mark": words["mark"],
        "data": _shown_data(record["data"]),
        "answer": ANSWERS[record["holds"]] if record["claim"] else "",
        "but": "; ".join(limits),
        "anchor": anchor(record["heading"]),
        "unit": unit,
        "cells": TABLES["cells"].get(record["key"], ""),
        "columns": [_column(name) for name in table["columns"]] if table else [],
        "rows": _table_lines(table) if table else [],
    }


def printed_numbers(record: Record) -> list[dict[str, Any]]:
    """The printed numbers of a row; none where it says in words what is printed."""
    printed = record["printed"]
    return [] if isinstance(printed, str) else printed


def texts_by_name(record: Record) -> dict[str, str]:
    """The printed numbers of a row as they are printed, by the names of our values."""
    return {number["name"]: number["text"] for number in printed_numbers(record)}


def _printed_lines(record: Record) -> list[str]:
    """Printed numbers by name, and below them the places where they are printed."""
    printed = printed_numbers(record)
    if not printed:
        return [record["printed"]]
    numbers = []
    places = []
    for number in printed:
        numbers.append(f"{number['name']}: {number['text']}")
        place = f"({number['where']})"
        if place not in places:
            places.append(place)
    return numbers + places


def _our_lines(record: Record) -> list[str]:
    """The first of a row's values by name, as many as are printed at least."""
    n_shown = max(VALUES_SHOWN, len(printed_numbers(record)))
    lines = []
    for value in record["values"][:n_shown]:
        lines.append(f"{value['name']}: {shown_value(value)}")
    return lines or ["–"]


def shown_value(value: Mapping[str, Any]) -> str:
    """One of a row's values: ``3 of 8`` or ``0.67``."""
    number = format(value["value"], spec_of(value))
    shown = number.replace("-", "−")
    if value["of"] is None:
        return shown
    return f"{shown} of {value['of']:,d}"


def _difference_lines(record: Record) -> list[str]:
    """Ours minus each printed number; a single line where none of them differs."""
    text_of = texts_by_name(record)
    lines = []
    for value in record["values"]:
        name = value["name"]
        if name in text_of:
            line = _difference(value["difference"], text_of[name])
            lines.append(line)
    if not lines:
        return ["none"] if record["comes_out"] else ["–"]
    all_are_zero = set(lines) == {"0"}
    return ["0"] if all_are_zero else lines


def _difference(difference: float, printed: str) -> str:
    """A difference from a printed number, with its sign and as many decimals as are printed."""
    decimals = Printed(printed, where="").decimals
    shown = f"{difference:+.{decimals}f}"
    is_zero = float(shown) == 0
    return "0" if is_zero else shown.replace("-", "−")


def _shown_data(campaigns: list[str]) -> str:
    """The campaigns that a row is about, or how many there are."""
    if len(campaigns) < 3:
        return ", ".join(campaigns)
    return f"{len(campaigns)} campaigns"


def anchor(heading: str) -> str:
    """The fragment by which Jupyter and nbconvert name a heading, for a link."""
    plain = re.sub(r"[`*]", "", heading)
    return quote(plain.replace(" ", "-"), safe="-,'.:?")


def _column(name: str) -> str:
    """A column's name as pages have it."""
    return str(TABLES["columns"].get(name, name))


def _table_lines(table: Mapping[str, Any]) -> list[list[str]]:
    """The lines of a row's table, labels first."""
    n_labels = table["labels"]
    lines = []
    for line in table["rows"]:
        labels = [_label(cell) for cell in line[:n_labels]]
        numbers = [_cell(cell, table["digits"]) for cell in line[n_labels:]]
        lines.append(labels + numbers)
    return lines


def _label(cell: Any) -> str:
    """The name of a table's row: a level or a ratio keeps the digits that it has."""
    return f"{cell:.4g}" if isinstance(cell, float) else _cell(cell, 0)


def _cell(cell: Any, digits: int) -> str:
    """A cell of a row's table: numbers that are not whole have `digits` decimals."""
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"{cell:.{digits}f}".replace("-", "−")
    is_count = isinstance(cell, int) and not isinstance(cell, bool)
    return f"{cell:,d}" if is_count else str(cell)


# Counts of all rows.


@dataclasses.dataclass(frozen=True)
class CountsOfVerdict:
    """A verdict, what it means, and how many rows of the four papers and of later ones have it."""

    name: str
    mark: str
    meaning: str
    of_papers: str
    of_later: str


@dataclasses.dataclass(frozen=True)
class CountsOfClaims:
    """What claims were asked of, how many there are, and how many of them hold.

    Of those that hold, `n_selected` are nearly decided by the choice of the data.
    """

    asked_of: str
    n_asked: int
    n_held: int
    n_partly: int
    n_selected: int


@dataclasses.dataclass(frozen=True)
class Agreement:
    """How much of a paper comes out or holds.

    Of `n_compared` printed numbers and procedures `n_come_out` come out.  Of `n_asked` of its
    claims `n_held` hold, and `n_partly` hold in part.
    """

    paper: str
    n_rows: int
    n_compared: int
    n_come_out: int
    n_asked: int
    n_held: int
    n_partly: int


def agreement(ledger: Ledger, paper: str) -> Agreement:
    """How much of a paper comes out or holds; what we ask ourselves is no claim of the paper."""
    rows = [row for row in ledger["rows"] if row["paper"] == paper]
    compared = [row["comes_out"] for row in rows if row["comes_out"] is not None]
    answers = [row["holds"] for row in rows if row["claim"] and row["where"]]
    return Agreement(
        paper=paper,
        n_rows=len(rows),
        n_compared=len(compared),
        n_come_out=sum(compared),
        n_asked=len(answers),
        n_held=answers.count(True),
        n_partly=answers.count(IN_PART),
    )


def summary(ledger: Ledger) -> dict[str, Any]:
    """Counts by paper and verdict, and of claims."""
    rows = ledger["rows"]
    claimed = [row for row in rows if row["claim"]]
    totals = {}
    for verdict in Verdict:
        of_verdict = [row for row in rows if row["verdict"] == verdict]
        totals[str(verdict)] = _counted(of_verdict)
    return {
        "n_rows": len(rows),
        "verdicts": _counts_of_verdicts(ledger),
        "by_paper": _counts_by_paper(ledger),
        "totals": totals,
        "claims": _counts_of_claims(claimed),
        "surprises": surprises(ledger),
        "failing": [row for row in claimed if row["holds"] is False],
        "in_part": [row for row in claimed if row["holds"] == IN_PART],
        "selected": [row for row in claimed if row["selected"]],
    }


def _counts_of_verdicts(ledger: Ledger) -> list[CountsOfVerdict]:
    """The counts of each verdict, in the order in which verdicts are explained."""
    later_papers = [paper["name"] for paper in ledger["papers"] if paper["later"]]
    counts = []
    for verdict, words in VERDICTS.items():
        rows = [row for row in ledger["rows"] if row["verdict"] == verdict]
        of_papers = [row for row in rows if row["paper"] not in later_papers]
        of_later = [row for row in rows if row["paper"] in later_papers]
        line = CountsOfVerdict(
            name=str(verdict),
            mark=words["mark"],
            meaning=words["meaning"],
            of_papers=_counted(of_papers),
            of_later=_counted(of_later),
        )
        counts.append(line)
    return counts


def _counts_by_paper(ledger: Ledger) -> dict[str, list[int]]:
    """How many rows of each paper have each verdict, and how many it has."""
    counts = {}
    for paper in ledger["papers"]:
        name = paper["name"]
        verdicts = [row["verdict"] for row in ledger["rows"] if row["paper"] == name]
        by_verdict = [verdicts.count(verdict) for verdict in Verdict]
        counts[name] = [*by_verdict, len(verdicts)]
    return counts


def _counts_of_claims(claimed: list[Record]) -> list[CountsOfClaims]:
    """The counts of claims, for each verdict under which claims are asked of something."""
    counts = []
    for verdict, words in VERDICTS.items():
        if "asked" not in words:
            continue
        asked = [row for row in claimed if row["verdict"] == verdict]
        held = [row for row in asked if row["holds"] is True]
        partly = [row for row in asked if row["holds"] == IN_PART]
        selected = [row for row in held if row["selected"]]
        line = CountsOfClaims(
            asked_of=words["asked"],
            n_asked=len(asked),
            n_held=len(held),
            n_partly=len(partly),
            n_selected=len(selected),
        )
        counts.append(line)
    return counts


def _counted(rows: list[Record]) -> str:
    """How many, and of those with something to compare, how many come out."""
    n_rows = len(rows)
    compared = [row["comes_out"] for row in rows if row["comes_out"] is not None]
    if not compared:
        return f"{n_rows}"
    return f"{n_rows} ({sum(compared)} of {len(compared)} reproduced)"


# The rows that surprised us most.


def surprises(ledger: Ledger) -> list[dict[str, str]]:
    """The surprises of `WORDS` that the ledger has a row for, with their facts filled in."""
    records = rows_by_key(ledger)
    values = {key: _formatted_values(record) for key, record in records.items()}
    shown = []
    for declared in WORDS["surprise"]:
        key = declared["key"]
        record = records.get(key)
        if record is None or not record["table"]:
            continue
        facts_of = FACTS[declared["function"]]
        facts = facts_of(frame_of(record))
        facts["row"] = values[key]
        facts["other"] = values
        surprise = dict(declared)
        for length in ("text", "short"):
            surprise[length] = declared[length].format(**facts)
        shown.append(surprise)
    return shown


def _formatted_values(record: Record) -> dict[str, str]:
    """A row's values by name, as they are rounded for print."""
    formatted = {}
    for value in record["values"]:
        formatted[value["name"]] = format(value["value"], value["spec"])
    return formatted


def table_3(table: pd.DataFrame) -> dict[str, Any]:
    """Koehn's Table 3: where ours, beside it, is furthest from it."""
    whose = table[""]  # the column of "his" and "ours" has no title
    his = table[whose == "his"].reset_index(drop=True)
    ours = table[whose == "ours"].reset_index(drop=True)
    shares_right = table.filter(like="right (%)").columns
    his_share = his[shares_right].to_numpy(dtype=float)
    our_share = ours[shares_right].to_numpy(dtype=float)
    distance = np.abs(our_share - his_share)
    most_of_pair = distance.max(axis=1)
    furthest = int(most_of_pair.argmax())
    is_open = his_share < 100
    return {
        "pair": ours["pair"][furthest],
        "ours": ours["difference (BLEU)"][furthest],
        "his": his["difference (BLEU)"][furthest],
        "cells": distance.size,
        "open": is_open.sum(),
    }


def table_2_doubled(pairs: pd.DataFrame) -> dict[str, Any]:
    """Riezler & Maxwell's Table 2, as Graham et al. read it."""
    is_passing = pairs["as printed"] == "larger"
    passing = pairs[is_passing]
    each = []
    for pair in passing.to_dict("records"):
        pvalues = f"{pair['doubled']:g} against {pair['p_approxrand']:g}"
        each.append(f"{pair['comparison']} ({pvalues})")
    is_certain = pairs["doubled is larger"] == "for certain"
    n_certain = int(is_certain.sum())
    is_certain_of_three = pairs["of three decimals"] == "for certain"
    of_three_decimals = pairs["comparison"][is_certain_of_three]
    return {
        "pairs": len(pairs),
        "passing": len(passing),
        "each": ", ".join(each),
        "certain": n_certain or "none",
        "finer": " and ".join(of_three_decimals) or "none",
    }


def reversal(by_level: pd.DataFrame) -> dict[str, Any]:
    """Graham et al.'s Table 1: the metrics that are right most and least often."""
    at_05 = by_level.query("alpha == 0.05").set_index("metric")
    facts: dict[str, Any] = {}
    for whose in ("printed", "ours"):
        right = at_05[whose]
        most = right.max()
        least = right.min()
        best = right.index[right == most]
        worst = right.index[right == least]
        facts[f"{whose}_best"] = " and ".join(best)
        facts[f"{whose}_most"] = int(most)
        facts[f"{whose}_worst"] = " and ".join(worst)
        facts[f"{whose}_least"] = int(least)
    facts["between"] = facts["printed_most"] - facts["printed_least"]
    return facts


#: By the name of the function that computes the row.
FACTS = {"table_3": table_3, "table_2_doubled": table_2_doubled, "reversal": reversal}
