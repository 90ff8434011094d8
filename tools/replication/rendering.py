"""The ledger as a page in Markdown: what is kept, and nothing else."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pandas as pd

from ..repository.templating import templates
from .rows import IN_PART, Printed, Verdict

TEMPLATES = Path(__file__).parent / "templates"
#: Of each verdict a mark and what it means, and of some what claims were asked of; surprises.
WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
VERDICTS = {Verdict(name): told for name, told in WORDS["verdict"].items()}
#: What came out of a claim.
ANSWERS = {True: "holds", False: "does not hold", IN_PART: "holds in part"}
#: Shown in a cell at most; the rest is in the ledger's file, and mostly in the table below.
VALUES_SHOWN = 4


def cells(row: Mapping[str, Any]) -> dict[str, Any]:
    """One row of the ledger as it is shown: lists are lines of a cell, `rows` those of a table."""
    table = row["table"] or {"columns": [], "rows": [], "labels": 0, "digits": 0}
    printed: list[dict[str, Any]] = [] if isinstance(row["printed"], str) else row["printed"]
    shown = max(VALUES_SHOWN, len(printed))
    return {
        **row,
        "printed": _printed_lines(printed) or [row["printed"]],
        "ours": [value_line(value) for value in row["values"][:shown]] or ["–"],
        "difference": _differences(row, printed),
        "mark": VERDICTS[row["verdict"]]["mark"],
        "data": ", ".join(row["data"]) if len(row["data"]) < 3 else f"{len(row['data'])} campaigns",
        "answer": ANSWERS[row["holds"]] if row["claim"] else "",
        "but": "; ".join(filter(None, [row["selected"], row["but"]])),
        "anchor": anchor(row["heading"]),
        "unit": re.sub(r"_.*", "", row["notebook"].rpartition("/")[2]),
        "columns": table["columns"],
        "rows": [
            [*map(_label, line[: table["labels"]])]
            + [_cell(cell, table["digits"]) for cell in line[table["labels"] :]]
            for line in table["rows"]
        ],
    }


def anchor(heading: str) -> str:
    """The fragment by which Jupyter and nbconvert name a heading, for a link."""
    return quote(re.sub(r"[`*]", "", heading).replace(" ", "-"), safe="-,'.:?")


def value_line(value: Mapping[str, Any]) -> str:
    """``name 3 of 8`` or ``name 0.67``."""
    spec = value["spec"] or (",d" if isinstance(value["value"], int) else "")
    number = format(value["value"], spec).replace("-", "−")
    total = "" if value["of"] is None else f" of {value['of']:,d}"
    return f"{value['name']}: {number}{total}"


def _printed_lines(printed: list[dict[str, Any]]) -> list[str]:
    places = list(dict.fromkeys(p["where"] for p in printed))
    return [f"{p['name']}: {p['text']}" for p in printed] + [f"({place})" for place in places]


def _differences(row: Mapping[str, Any], printed: list[dict[str, Any]]) -> list[str]:
    """Ours less the printed number, in its last digit; or that nothing differs."""
    decimals = {one["name"]: Printed(one["text"], "").decimals for one in printed}
    shown = [
        f"{value['difference']:+.{decimals[value['name']]}f}"
        for value in row["values"]
        if value["name"] in decimals
    ]
    lines = ["0" if float(text) == 0 else text.replace("-", "−") for text in shown]
    if lines:
        return ["0"] if set(lines) == {"0"} else lines
    return ["none"] if row["comes_out"] else ["–"]


def _label(cell: Any) -> str:
    """The name of a table's row: a level or a ratio keeps the digits that it has."""
    return f"{cell:.4g}" if isinstance(cell, float) else _cell(cell, 0)


def _cell(cell: Any, digits: int) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"{cell:.{digits}f}".replace("-", "−")
    return f"{cell:,d}" if isinstance(cell, int) and not isinstance(cell, bool) else str(cell)


def summary(ledger: Mapping[str, Any]) -> dict[str, Any]:
    """Counts by paper and verdict, and of claims."""
    rows = ledger["rows"]
    by_verdict = {v: [r for r in rows if r["verdict"] == v] for v in VERDICTS}
    verdicts_of = {
        paper["name"]: [r["verdict"] for r in rows if r["paper"] == paper["name"]]
        for paper in ledger["papers"]
    }
    later = {paper["name"] for paper in ledger["papers"] if paper["later"]}
    verdicts, claims = [], []
    for verdict, told in VERDICTS.items():
        some = by_verdict[verdict]
        parts = (
            [r for r in some if r["paper"] not in later],
            [r for r in some if r["paper"] in later],
        )
        verdicts.append((str(verdict), told["mark"], told["meaning"], *map(_counted, parts)))
        if "asked" in told:
            asked = [r for r in some if r["claim"]]
            held = [r for r in asked if r["holds"] is True]
            partly = sum(r["holds"] == IN_PART for r in asked)
            decided = sum(bool(r["selected"]) for r in held)
            claims.append((told["asked"], len(asked), len(held), partly, decided))
    claimed = [r for r in rows if r["claim"]]
    return {
        "n_rows": len(rows),
        "verdicts": verdicts,
        "by_paper": {
            name: [*map(found.count, Verdict), len(found)] for name, found in verdicts_of.items()
        },
        "totals": [(str(v), _counted(by_verdict[v])) for v in Verdict],
        "claims": claims,
        "surprises": surprises(ledger),
        "failing": [_told(r) for r in claimed if r["holds"] is False],
        "in_part": [_told(r) for r in claimed if r["holds"] == IN_PART],
        "selected": [
            f"{_told(r | {'but': ''})}: {r['selected']}" for r in claimed if r["selected"]
        ],
    }


def _counted(rows: list[Mapping[str, Any]]) -> str:
    """How many, and of those with something to compare, how many come out."""
    told = [r["comes_out"] for r in rows if r["comes_out"] is not None]
    return f"{len(rows)}" + (f" ({sum(told)} of {len(told)} come out)" if told else "")


def _told(row: Mapping[str, Any]) -> str:
    """A claim with its paper and place, or a question of ours."""
    whose = row["where"] or "a question of ours"
    limit = f"; but {row['but']}" if row["but"] else ""
    return f"{row['paper']}, {row['item']}: {row['claim']} ({whose}){limit}"


def to_markdown(ledger: Mapping[str, Any]) -> str:
    """The appendix, with every row."""
    papers = [
        {**paper, "rows": [cells(r) for r in ledger["rows"] if r["paper"] == paper["name"]]}
        for paper in ledger["papers"]
    ]
    template = templates(TEMPLATES).get_template("ledger.md.j2")
    return template.render(papers=papers, **summary(ledger))


def table_3(three: pd.DataFrame) -> dict[str, Any]:
    """Koehn's Table 3: where ours, beside it, is furthest from it."""
    whose, shares, gap = three.columns[0], three.columns[3::2], "difference (BLEU)"
    his, ours = (three[three[whose] == name].reset_index(drop=True) for name in ("his", "ours"))
    apart = (ours[shares].astype(float) - his[shares].astype(float)).abs()
    worst = int(apart.max(axis=1).argmax())
    found = {"pair": ours["pair"][worst], "ours": ours[gap][worst], "his": his[gap][worst]}
    return found | {"cells": apart.size, "open": (his[shares].astype(float) < 100).to_numpy().sum()}


def table_2_doubled(pairs: pd.DataFrame) -> dict[str, Any]:
    """Riezler & Maxwell's Table 2, as Graham et al. read it."""
    passing = pairs[pairs["as printed"] == "larger"]
    each = ", ".join(
        f"{p['comparison']} ({p['doubled']:g} against {p['p_approxrand']:g})"
        for _, p in passing.iterrows()
    )
    certain = int((pairs["doubled is larger"] == "for certain").sum()) or "none"
    finer = " and ".join(pairs["comparison"][pairs["of three decimals"] == "for certain"]) or "none"
    found = {"pairs": len(pairs), "passing": len(passing), "each": each}
    return found | {"certain": certain, "finer": finer}


def reversal(by_level: pd.DataFrame) -> dict[str, Any]:
    """Graham et al.'s Table 1: the metrics that are right most and least often."""
    at_05 = by_level.query("alpha == 0.05").set_index("metric")
    found: dict[str, Any] = {}
    for whose in ("printed", "ours"):
        right = at_05[whose]
        for name, often, count in (("best", "most", right.max()), ("worst", "least", right.min())):
            found[f"{whose}_{name}"] = " and ".join(right.index[right == count])
            found[f"{whose}_{often}"] = int(count)
    return {**found, "between": found["printed_most"] - found["printed_least"]}


def surprises(ledger: Mapping[str, Any]) -> list[dict[str, str]]:
    """Title, paragraph, and where to check it, of all that the ledger has a row for."""
    tables = {row["key"]: row["table"] for row in ledger["rows"]}
    values = {
        row["key"]: {v["name"]: format(v["value"], v["spec"]) for v in row["values"]}
        for row in ledger["rows"]
    }
    found = []
    for one in WORDS["surprise"]:
        if table := tables.get(one["key"]):
            frame = pd.DataFrame(table["rows"], columns=table["columns"])
            given = {
                "row": values[one["key"]],
                "other": values,
                **globals()[one["function"]](frame),
            }
            told = {length: one[length].format(**given) for length in ("text", "short")}
            found.append(one | told)
    return found
