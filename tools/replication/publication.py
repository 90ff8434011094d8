"""The publication: a front page, a page for each figure and table, and the ledger behind them.

`pages.toml` says what a page shows; which rows it is about, is looked up, so that a new row appears
on the page of its figure or table.  The lines of a page stand beside it, in a file of its name.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from mtsig_nb.engine.counting import clopper_pearson

from ..repository.results import LEDGER
from ..repository.templating import templates
from . import paper, pictures, rendering

FRONT, FOLDER = LEDGER.with_suffix(".md"), LEDGER.with_suffix("")
ITEM = re.compile(r"(Figure|Table)s? (\d+(?:(?:, | and |–)\d+)*)")
#: Row, page, or rows by key, as plain data.
Plain = Mapping[str, Any]


def items(text: str) -> set[str]:
    """The figures and tables that a row is about: ``"Figures 4–6"`` is three figures."""
    found = set()
    for kind, numbers in ITEM.findall(text):
        for part in re.split(", | and ", numbers):
            first, _, last = part.partition("–")
            found |= {f"{kind} {number}" for number in range(int(first), int(last or first) + 1)}
    return found


def _page(given: Plain, like: Plain) -> dict[str, Any]:
    """A page as it is declared, with what it has in common with others, and its names."""
    authors = re.sub(r" et al\.| \d+", "", given["paper"])
    name = re.sub(r"\W+", "-", f"{authors} {given['title']}".lower())
    return {**like.get(given.get("like", ""), {}), **given, "name": name}


_DECLARED = tomllib.loads(Path(__file__).with_name("pages.toml").read_text(encoding="utf-8"))
PAGES = {made["name"]: made for one in _DECLARED["page"] if (made := _page(one, _DECLARED["like"]))}
_EFFECTS = {p["key"]: p["effect"] for p in PAGES.values() if "effect" in p} | _DECLARED["effect"]


def is_about(page: Plain, row: Plain) -> bool:
    """Whether the row is about what the page shows."""
    return page["paper"] == row["paper"] and bool(items(page["title"]) & items(row["item"]))


def code(page: Plain) -> Path:
    """The lines that make ours."""
    return FOLDER / f"{page['name']}.py"


def facts(row: Plain, rows: Plain) -> dict[str, Any]:
    """What a text of a page may name: values, printed numbers, the table, other rows' values."""
    table = row["table"] or {"columns": [], "rows": []}
    of = {value["name"]: value["of"] for value in row["values"] if value["of"]}
    numbers = [] if isinstance(row["printed"], str) else row["printed"]
    printed = {p["name"]: p["text"] for p in numbers}
    return {
        "v": _values(row),
        "p": printed,
        "t": [dict(zip(table["columns"], line, strict=True)) for line in table["rows"]],
        "ci": {v["name"]: _exact(v["value"], v["of"]) for v in row["values"] if v["of"]},
        "pci": {name: _exact(int(text), of[name]) for name, text in printed.items() if name in of},
        "o": {key: _values(other) for key, other in rows.items()},
    }


def _values(row: Plain) -> dict[str, str]:
    return {v["name"]: rendering.value_line(v).partition(": ")[2] for v in row["values"]}


def _exact(k: int, of: int) -> str:
    low, high = clopper_pearson(np.array([k]), of)
    return f"{100 * low[0]:.1f} to {100 * high[0]:.1f} %"


def printed_lines(page: Plain, rows: Plain) -> list[str]:
    """What the lines of a page print, as the ledger has it."""
    about = facts(rows[page["key"]], rows)
    lines = (one if "{" in one else f"{one}: {{v[{one}]}}" for one in page["prints"])
    return [line.format_map(about) for line in lines]


def effect(row: Plain, rows: Plain, page: Plain | None = None) -> str:
    """How large it is: in words of its own, or the first value beside what is printed."""
    about = facts(row, rows)
    words = (page or {}).get("effect") or _EFFECTS.get(row["key"])
    if words is None and row["values"]:
        name = next(iter(about["p"]), row["values"][0]["name"])
        words = f"{name}: {{v[{name}]}}" + (f" (printed {{p[{name}]}})" if about["p"] else "")
    return (words or "–").format_map(about).replace("-0.", "−0.")


def answer(row: Plain) -> str:
    """What came out, or nothing where neither a claim nor a printed number says what should."""
    if row["claim"]:
        return rendering.ANSWERS[row["holds"]]
    return {True: "comes out", False: "differs", None: ""}[row["comes_out"]]


def texts(ledger: Plain) -> dict[Path, str]:
    """The text of every page by its file."""
    rows = {row["key"]: row for row in ledger["rows"]}
    cells = {key: rendering.cells(row) | {"answer": answer(row)} for key, row in rows.items()}
    shown = [_shown(page, rows, cells) for page in PAGES.values()]
    papers = [paper["name"] for paper in ledger["papers"] if not paper["later"]]
    front = {
        "papers": {name: [page for page in shown if page["paper"] == name] for name in papers},
        "lines": [
            (cells[key], effect(row, rows), next((p for p in shown if is_about(p, row)), None))
            for key, row in rows.items()
            if row["paper"] in papers and answer(row)
        ],
        "n_papers": sum(row["paper"] in papers for row in rows.values()),
        "changed": {v["name"]: v for v in rows["verdicts-BLEU"]["values"]},
    }
    environment = templates(rendering.TEMPLATES)
    first, template = (environment.get_template(f"{name}.md.j2") for name in ("front", "page"))
    return {
        FRONT: first.render(**rendering.summary(ledger), **front),
        FOLDER / "ledger.md": rendering.to_markdown(ledger),
        **{FOLDER / f"{one['name']}.md": template.render(one) for one in shown},
    }


def _shown(page: Plain, rows: Plain, cells: Mapping[str, Any]) -> dict[str, Any]:
    """All that the template of a page shows."""
    row = rows[page["key"]]
    told = {name: page[name].format_map(facts(row, rows)) for name in ("finding", "caption")}
    section = re.sub(r"[^\w -]", "", page["paper"]).lower().replace(" ", "-")
    source = code(page).read_text(encoding="utf-8")
    return {
        **page,
        **told,
        "row": cells[page["key"]],
        "rows": [cells[key] for key, other in rows.items() if is_about(page, other)],
        "effect": effect(row, rows, page),
        "code": re.sub(r'^""".*?"""\n+', "", source, flags=re.S),
        "prints": printed_lines(page, rows),
        "section": section,
    }


def drawn(ledger: Plain) -> Iterator[tuple[Path, str]]:
    """The picture of every page by its file, and that of the front page."""
    rows = {row["key"]: row for row in ledger["rows"]}
    for page in PAGES.values():
        draw = partial(pictures.draw, page, rows)
        yield FOLDER / f"{page['name']}.svg", pictures.svg(page["name"], draw)
    yield FOLDER / "verdicts.svg", pictures.svg("verdicts", _verdicts)


def _verdicts() -> Figure:
    figure = plt.figure(figsize=(pictures.WIDTH, 4.2), layout="constrained")
    paper.verdicts(paper.Numbers(), figure)
    return figure
