"""The publication: a front page, a page for each figure and table, and the ledger behind them.

`pages.toml` says what a page shows; which rows it is about, is looked up, so that a new row appears
on the page of its figure or table.  The lines of a page stand beside it, in a file of its name.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from mtsig_nb.engine.counting import clopper_pearson

from . import pictures, rendering
from .ledger import LEDGER
from .rows import IN_PART, Verdict

FRONT, FOLDER = LEDGER.with_suffix(".md"), LEDGER.with_suffix("")
ITEM = re.compile(r"(Figure|Table)s? (\d+(?:(?:, | and |–)\d+)*)")
Row = Mapping[str, Any]


def items(text: str) -> set[str]:
    """The figures and tables that a row is about: ``"Figures 4–6"`` is three figures."""
    found = set()
    for kind, numbers in ITEM.findall(text):
        for part in re.split(", | and ", numbers):
            first, _, last = part.partition("–")
            found |= {f"{kind} {number}" for number in range(int(first), int(last or first) + 1)}
    return found


@cache
def _declared() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("pages.toml").read_text(encoding="utf-8"))


@cache
def pages() -> list[dict[str, Any]]:
    """All pages as they are declared, with their names, in order."""
    like = _declared()["like"]
    made = [like.get(page.get("like"), {}) | page for page in _declared()["page"]]
    for page in made:
        kinds = {item.partition(" ")[0] for item in page["items"]}
        numbers = [item.partition(" ")[2] for item in page["items"]]
        (kind,) = kinds
        page["title"] = f"{kind}{'s' if len(numbers) > 1 else ''} {', '.join(numbers)}"
        authors = re.sub(r" et al\.| \d+", "", page["paper"])
        page["name"] = re.sub(r"\W+", "-", f"{authors} {page['title']}".lower())
    return made


def code(page: Mapping[str, Any]) -> Path:
    """The lines that make ours."""
    return FOLDER / f"{page['name']}.py"


def facts(row: Row, rows: Mapping[str, Row]) -> dict[str, Any]:
    """What a text of a page may name: values, printed numbers, the table, other rows' values."""
    table = row["table"] or {"columns": [], "rows": []}
    of = {value["name"]: value["of"] for value in row["values"] if value["of"]}
    printed = [] if isinstance(row["printed"], str) else row["printed"]
    return {
        "v": _values(row),
        "p": {one["name"]: one["text"] for one in printed},
        "t": [dict(zip(table["columns"], line, strict=True)) for line in table["rows"]],
        "ci": {v["name"]: _exact(v["value"], v["of"]) for v in row["values"] if v["of"]},
        "pci": {
            p["name"]: _exact(int(p["text"]), of[p["name"]]) for p in printed if p["name"] in of
        },
        "o": {key: _values(other) for key, other in rows.items()},
    }


def _values(row: Row) -> dict[str, str]:
    return {v["name"]: rendering.value_line(v).partition(": ")[2] for v in row["values"]}


def _exact(k: int, of: int) -> str:
    low, high = clopper_pearson(np.array([k]), of)
    return f"{100 * low[0]:.1f} to {100 * high[0]:.1f} %"


def printed_lines(page: Mapping[str, Any], rows: Mapping[str, Row]) -> list[str]:
    """What the lines of a page print, as the ledger has it."""
    about = facts(rows[page["key"]], rows)
    return [
        one.format_map(about) if "{" in one else f"{one}: {about['v'][one]}"
        for one in page["prints"]
    ]


def effect(row: Row, rows: Mapping[str, Row], page: Mapping[str, Any] | None = None) -> str:
    """How large it is: in words of its own, or the first value beside what is printed."""
    words = (page or {}).get("effect") or _declared()["effect"].get(row["key"])
    if words:
        return str(words.format_map(facts(row, rows))).replace("-0.", "−0.")
    if not row["values"]:
        return "–"
    about = facts(row, rows)
    name = next(iter(about["p"]), row["values"][0]["name"])
    printed = f" (printed {about['p'][name]})" if name in about["p"] else ""
    return f"{name}: {about['v'][name]}{printed}"


def answer(row: Row) -> str:
    """What came out, or nothing where neither a claim nor a printed number says what should."""
    if row["claim"]:
        return rendering.ANSWERS[row["holds"]]
    return {True: "comes out", False: "differs", None: ""}[row["comes_out"]]


def texts(ledger: Mapping[str, Any]) -> dict[Path, str]:
    """The text of every page by its file."""
    rows = {row["key"]: row for row in ledger["rows"]}
    shown = [_shown(page, rows) for page in pages()]
    environment = rendering.templates(rendering.TEMPLATES)
    found = {FRONT: environment.get_template("front.md.j2").render(**_front(ledger, rows, shown))}
    found[FOLDER / "ledger.md"] = rendering.to_markdown(ledger)
    template = environment.get_template("page.md.j2")
    return found | {FOLDER / f"{one['name']}.md": template.render(one) for one in shown}


def drawn(ledger: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """The picture of every page by its file."""
    rows = {row["key"]: row for row in ledger["rows"]}
    for page in pages():
        yield FOLDER / f"{page['name']}.svg", pictures.svg(page, rows)


def _shown(page: Mapping[str, Any], rows: Mapping[str, Row]) -> dict[str, Any]:
    row = rows[page["key"]]
    mine = [
        rendering.cells(other) | {"answer": answer(other)}
        for other in rows.values()
        if other["paper"] == page["paper"] and items(other["item"]) & set(page["items"])
    ]
    return {
        **page,
        "row": rendering.cells(row),
        "rows": mine,
        "answer": answer(row),
        "finding": page["finding"].format_map(facts(row, rows)),
        "caption": page["caption"].format_map(facts(row, rows)),
        "effect": effect(row, rows, page),
        "code": re.sub(r'^""".*?"""\n+', "", code(page).read_text(encoding="utf-8"), flags=re.S),
        "prints": printed_lines(page, rows),
        "section": re.sub(r"[^\w -]", "", page["paper"]).lower().replace(" ", "-"),
    }


def _front(
    ledger: Mapping[str, Any], rows: Mapping[str, Row], shown: list[dict[str, Any]]
) -> dict[str, Any]:
    """Counts, thumbnails by paper, and a line for each row with a yes or a no."""
    papers = [paper["name"] for paper in ledger["papers"] if not paper["later"]]
    of_papers = [row for row in rows.values() if row["paper"] in papers]
    asked = [row for row in of_papers if row["claim"] and row["where"]]
    compared = [row for row in of_papers if row["comes_out"] is not None]
    run = [row for row in compared if row["verdict"] == Verdict.PROCEDURE]
    by_key: dict[str, Any] = {}
    for page in shown:
        by_key.setdefault(page["key"], page)
    lines = [
        {
            "row": rendering.cells(row),
            "page": next((p for p in shown if row["paper"] == p["paper"]
                          and items(row["item"]) & set(p["items"])), None),
            "answer": answer(row),
            "effect": effect(row, rows, by_key.get(row["key"])),
        }
        for row in of_papers
        if row["claim"] or row["comes_out"] is not None
    ]  # fmt: skip
    return {
        "papers": {name: [page for page in shown if page["paper"] == name] for name in papers},
        "lines": lines,
        "marks": [(told["mark"], verdict) for verdict, told in rendering.VERDICTS.items()],
        "surprises": rendering.surprises(ledger),
        "n_rows": len(of_papers),
        "n_later": len(rows) - len(of_papers),
        "compared": len(compared) - len(run),
        "come_out": sum(row["comes_out"] for row in compared if row not in run),
        "run": len(run),
        "asked": len(asked),
        "hold": sum(row["holds"] is True for row in asked),
        "in_part": sum(row["holds"] == IN_PART for row in asked),
        "selected": sum(row["holds"] is True and bool(row["selected"]) for row in asked),
    }
