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
VERDICTS = {Verdict(name): words for name, words in WORDS["verdict"].items()}
#: What came out of a claim.
ANSWERS = {True: "holds", False: "does not hold", IN_PART: "holds in part"}
#: Shown in a cell at most; the rest is in the ledger's file, and mostly in the table below.
VALUES_SHOWN = 4


def cells(row: Mapping[str, Any]) -> dict[str, Any]:
    """One row of the ledger as it is shown: lists are lines of a cell, `rows` those of a table."""
    printed: list[dict[str, Any]] = [] if isinstance(row["printed"], str) else row["printed"]
    n_shown = max(VALUES_SHOWN, len(printed))
    data = row["data"]
    limits = [limit for limit in (row["selected"], row["but"]) if limit]
    _, _, notebook = row["notebook"].rpartition("/")
    unit, _, _ = notebook.partition("_")
    return {
        **row,
        "printed": _printed_lines(printed) or [row["printed"]],
        "ours": [value_line(value) for value in row["values"][:n_shown]] or ["–"],
        "difference": _differences(row, printed),
        "mark": VERDICTS[row["verdict"]]["mark"],
        "data": ", ".join(data) if len(data) < 3 else f"{len(data)} campaigns",
        "answer": ANSWERS[row["holds"]] if row["claim"] else "",
        "but": "; ".join(limits),
        "anchor": anchor(row["heading"]),
        "unit": unit,
        "columns": row["table"]["columns"] if row["table"] else [],
        "rows": _table_lines(row["table"]) if row["table"] else [],
    }


def _table_lines(table: Mapping[str, Any]) -> list[list[str]]:
    """The lines of a row's table, labels first."""
    n_labels = table["labels"]
    lines = []
    for line in table["rows"]:
        labels = [_label(cell) for cell in line[:n_labels]]
        numbers = [_cell(cell, table["digits"]) for cell in line[n_labels:]]
        lines.append(labels + numbers)
    return lines


def anchor(heading: str) -> str:
    """The fragment by which Jupyter and nbconvert name a heading, for a link."""
    plain = re.sub(r"[`*]", "", heading)
    return quote(plain.replace(" ", "-"), safe="-,'.:?")


def value_line(value: Mapping[str, Any]) -> str:
    """``name: 3 of 8`` or ``name: 0.67``."""
    is_count = isinstance(value["value"], int)
    spec = value["spec"] or (",d" if is_count else "")
    number = format(value["value"], spec).replace("-", "−")
    if value["of"] is not None:
        number += f" of {value['of']:,d}"
    return f"{value['name']}: {number}"


def _printed_lines(printed: list[dict[str, Any]]) -> list[str]:
    """Printed numbers by name, and below them the places where they are printed."""
    numbers = [f"{number['name']}: {number['text']}" for number in printed]
    places = dict.fromkeys(number["where"] for number in printed)
    return numbers + [f"({place})" for place in places]


def _differences(row: Mapping[str, Any], printed: list[dict[str, Any]]) -> list[str]:
    """Ours less the printed number, in its last digit; or that nothing differs."""
    text_of = {number["name"]: number["text"] for number in printed}
    lines = []
    for value in row["values"]:
        name = value["name"]
        if name in text_of:
            decimals = Printed(text_of[name], "").decimals
            difference = f"{value['difference']:+.{decimals}f}"
            lines.append("0" if float(difference) == 0 else difference.replace("-", "−"))
    if not lines:
        return ["none"] if row["comes_out"] else ["–"]
    return ["0"] if set(lines) == {"0"} else lines


def _label(cell: Any) -> str:
    """The name of a table's row: a level or a ratio keeps the digits that it has."""
    return f"{cell:.4g}" if isinstance(cell, float) else _cell(cell, 0)


def _cell(cell: Any, digits: int) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"{cell:.{digits}f}".replace("-", "−")
    is_count = isinstance(cell, int) and not isinstance(cell, bool)
    return f"{cell:,d}" if is_count else str(cell)


# Counts of all rows.


def summary(ledger: Mapping[str, Any]) -> dict[str, Any]:
    """Counts by paper and verdict, and of claims."""
    rows = ledger["rows"]
    by_verdict: dict[Verdict, list[Any]] = {}
    for verdict in VERDICTS:
        by_verdict[verdict] = [row for row in rows if row["verdict"] == verdict]
    claimed = [row for row in rows if row["claim"]]
    return {
        "n_rows": len(rows),
        "verdicts": _verdict_lines(ledger, by_verdict),
        "by_paper": _counts_by_paper(ledger),
        "totals": [(str(verdict), _counted(by_verdict[verdict])) for verdict in Verdict],
        "claims": _claim_lines(by_verdict),
        "surprises": surprises(ledger),
        "failing": [_claim(row) for row in claimed if row["holds"] is False],
        "in_part": [_claim(row) for row in claimed if row["holds"] == IN_PART],
        "selected": [_selected_claim(row) for row in claimed if row["selected"]],
    }


def _verdict_lines(
    ledger: Mapping[str, Any], by_verdict: Mapping[Verdict, list[Any]]
) -> list[tuple[str, str, str, str, str]]:
    """Of each verdict its mark and meaning, and its rows of the four papers and of later ones."""
    later = {paper["name"] for paper in ledger["papers"] if paper["later"]}
    lines = []
    for verdict, words in VERDICTS.items():
        rows = by_verdict[verdict]
        of_papers = _counted([row for row in rows if row["paper"] not in later])
        of_later = _counted([row for row in rows if row["paper"] in later])
        lines.append((str(verdict), words["mark"], words["meaning"], of_papers, of_later))
    return lines


def _counts_by_paper(ledger: Mapping[str, Any]) -> dict[str, list[int]]:
    """How many rows of each paper have each verdict, and how many it has."""
    counts = {}
    for paper in ledger["papers"]:
        name = paper["name"]
        verdicts = [row["verdict"] for row in ledger["rows"] if row["paper"] == name]
        by_verdict = [verdicts.count(verdict) for verdict in Verdict]
        counts[name] = [*by_verdict, len(verdicts)]
    return counts


def _claim_lines(by_verdict: Mapping[Verdict, list[Any]]) -> list[tuple[str, int, int, int, int]]:
    """What claims were asked of; how many, that hold, in part, and by the choice of the data."""
    lines = []
    for verdict, words in VERDICTS.items():
        if "asked" in words:
            asked = [row for row in by_verdict[verdict] if row["claim"]]
            held = [row for row in asked if row["holds"] is True]
            n_partly = sum(row["holds"] == IN_PART for row in asked)
            n_selected = sum(bool(row["selected"]) for row in held)
            lines.append((words["asked"], len(asked), len(held), n_partly, n_selected))
    return lines


def _counted(rows: list[Mapping[str, Any]]) -> str:
    """How many, and of those with something to compare, how many come out."""
    compared = [row["comes_out"] for row in rows if row["comes_out"] is not None]
    if not compared:
        return f"{len(rows)}"
    return f"{len(rows)} ({sum(compared)} of {len(compared)} come out)"


def _claim(row: Mapping[str, Any]) -> str:
    """A claim with its paper and place, or a question of ours."""
    place = row["where"] or "a question of ours"
    claim = f"{row['paper']}, {row['item']}: {row['claim']} ({place})"
    return f"{claim}; but {row['but']}" if row["but"] else claim


def _selected_claim(row: Mapping[str, Any]) -> str:
    """A claim, and why the choice of the data nearly decides it."""
    claim = _claim({**row, "but": ""})
    return f"{claim}: {row['selected']}"


# Pages.


def to_markdown(ledger: Mapping[str, Any]) -> str:
    """The appendix, with every row."""
    papers = []
    for paper in ledger["papers"]:
        rows = [cells(row) for row in ledger["rows"] if row["paper"] == paper["name"]]
        papers.append({**paper, "rows": rows})
    template = templates(TEMPLATES).get_template("ledger.md.j2")
    return template.render(papers=papers, **summary(ledger))


# The rows that surprised us most: what their texts name.


def table_3(three: pd.DataFrame) -> dict[str, Any]:
    """Koehn's Table 3: where ours, beside it, is furthest from it."""
    whose = three.columns[0]
    his = three[three[whose] == "his"].reset_index(drop=True)
    ours = three[three[whose] == "ours"].reset_index(drop=True)
    columns = [column for column in three.columns if column.endswith("right (%)")]
    his_share = his[columns].astype(float)
    distance = (ours[columns].astype(float) - his_share).abs()
    furthest = int(distance.max(axis=1).argmax())
    return {
        "pair": ours["pair"][furthest],
        "ours": ours["difference (BLEU)"][furthest],
        "his": his["difference (BLEU)"][furthest],
        "cells": distance.size,
        "open": (his_share < 100).to_numpy().sum(),
    }


def table_2_doubled(pairs: pd.DataFrame) -> dict[str, Any]:
    """Riezler & Maxwell's Table 2, as Graham et al. read it."""
    passing = pairs[pairs["as printed"] == "larger"]
    each = []
    for pair in passing.to_dict("records"):
        pvalues = f"{pair['doubled']:g} against {pair['p_approxrand']:g}"
        each.append(f"{pair['comparison']} ({pvalues})")
    n_certain = int((pairs["doubled is larger"] == "for certain").sum())
    of_three_decimals = pairs["comparison"][pairs["of three decimals"] == "for certain"]
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
    found: dict[str, Any] = {}
    for whose in ("printed", "ours"):
        right = at_05[whose]
        most = right.max()
        least = right.min()
        found[f"{whose}_best"] = " and ".join(right.index[right == most])
        found[f"{whose}_most"] = int(most)
        found[f"{whose}_worst"] = " and ".join(right.index[right == least])
        found[f"{whose}_least"] = int(least)
    found["between"] = found["printed_most"] - found["printed_least"]
    return found


#: By the name of the function that computes the row.
FACTS = {"table_3": table_3, "table_2_doubled": table_2_doubled, "reversal": reversal}


def surprises(ledger: Mapping[str, Any]) -> list[dict[str, str]]:
    """Title, paragraph, and where to check it, of all that the ledger has a row for."""
    rows = {row["key"]: row for row in ledger["rows"]}
    values = {}
    for key, row in rows.items():
        values[key] = {
            value["name"]: format(value["value"], value["spec"]) for value in row["values"]
        }
    found = []
    for surprise in WORDS["surprise"]:
        key = surprise["key"]
        if key in rows and rows[key]["table"]:
            table = rows[key]["table"]
            frame = pd.DataFrame(table["rows"], columns=table["columns"])
            facts = FACTS[surprise["function"]](frame)
            facts |= {"row": values[key], "other": values}
            texts = {length: surprise[length].format(**facts) for length in ("text", "short")}
            found.append(surprise | texts)
    return found
