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
from ..repository.svg import svg
from ..repository.templating import templates
from . import paper, pictures, rendering

FRONT = LEDGER.with_suffix(".md")
FOLDER = LEDGER.with_suffix("")
ITEM = re.compile(r"(Figure|Table)s? (\d+(?:(?:, | and |–)\d+)*)")
#: Row, page, or rows by key, as plain data.
Plain = Mapping[str, Any]


def items(text: str) -> set[str]:
    """The figures and tables that a row is about: ``"Figures 4–6"`` is three figures."""
    found = set()
    for kind, numbers in ITEM.findall(text):
        for part in re.split(", | and ", numbers):
            first, _, last = part.partition("–")
            numbers_of_part = range(int(first), int(last or first) + 1)
            found |= {f"{kind} {number}" for number in numbers_of_part}
    return found


def _pages(declared: Plain) -> dict[str, dict[str, Any]]:
    """The pages by their names, each with what it has in common with pages that it is like."""
    pages = {}
    for page in declared["page"]:
        authors = re.sub(r" et al\.| \d+", "", page["paper"])
        name = re.sub(r"\W+", "-", f"{authors} {page['title']}".lower())
        common = declared["like"].get(page.get("like", ""), {})
        pages[name] = {**common, **page, "name": name}
    return pages


_DECLARED = tomllib.loads(Path(__file__).with_name("pages.toml").read_text(encoding="utf-8"))
PAGES = _pages(_DECLARED)
#: Effects in words of their own, by the key of the row.
_EFFECTS = {page["key"]: page["effect"] for page in PAGES.values() if "effect" in page}
_EFFECTS |= _DECLARED["effect"]


def is_about(page: Plain, row: Plain) -> bool:
    """Whether the row is about what the page shows."""
    if page["paper"] != row["paper"]:
        return False
    shared = items(page["title"]) & items(row["item"])
    return bool(shared)


def code(page: Plain) -> Path:
    """The lines that make ours."""
    return FOLDER / f"{page['name']}.py"


def facts(row: Plain, rows: Plain) -> dict[str, Any]:
    """What a text of a page may name.

    ``v`` has the row's values and ``ci`` their exact intervals, ``p`` the printed numbers and
    ``pci`` their intervals, ``t`` the lines of the table, and ``o`` the values of other rows.
    """
    numbers = [] if isinstance(row["printed"], str) else row["printed"]
    printed = {number["name"]: number["text"] for number in numbers}
    intervals = {}
    printed_intervals = {}
    for value in row["values"]:
        name = value["name"]
        total = value["of"]
        if total:
            intervals[name] = _exact_interval(value["value"], total)
        if total and name in printed:
            printed_intervals[name] = _exact_interval(int(printed[name]), total)
    lines = []
    if row["table"]:
        columns = row["table"]["columns"]
        lines = [dict(zip(columns, line, strict=True)) for line in row["table"]["rows"]]
    return {
        "v": _values(row),
        "p": printed,
        "t": lines,
        "ci": intervals,
        "pci": printed_intervals,
        "o": {key: _values(other) for key, other in rows.items()},
    }


def _values(row: Plain) -> dict[str, str]:
    """The row's values as they are shown, by name."""
    shown = {}
    for value in row["values"]:
        _, _, number = rendering.value_line(value).partition(": ")
        shown[value["name"]] = number
    return shown


def _exact_interval(count: int, total: int) -> str:
    """The Clopper–Pearson interval of a count, in percent: ``90.0 to 97.2 %``."""
    low, high = clopper_pearson(np.array([count]), total)
    return f"{100 * low[0]:.1f} to {100 * high[0]:.1f} %"


def printed_lines(page: Plain, rows: Plain) -> list[str]:
    """What the lines of a page print, as the ledger has it."""
    known = facts(rows[page["key"]], rows)
    lines = []
    for line in page["prints"]:
        template = line if "{" in line else f"{line}: {{v[{line}]}}"
        lines.append(template.format_map(known))
    return lines


def effect(row: Plain, rows: Plain, page: Plain | None = None) -> str:
    """How large it is: in words of its own, or the first value beside what is printed."""
    known = facts(row, rows)
    words = (page or {}).get("effect") or _EFFECTS.get(row["key"])
    if words is None and known["p"]:
        name = next(iter(known["p"]))
        words = f"{name}: {{v[{name}]}} (printed {{p[{name}]}})"
    elif words is None and row["values"]:
        name = row["values"][0]["name"]
        words = f"{name}: {{v[{name}]}}"
    return (words or "–").format_map(known).replace("-0.", "−0.")


def answer(row: Plain) -> str:
    """What came out, or nothing where neither a claim nor a printed number says what should."""
    if row["claim"]:
        return rendering.ANSWERS[row["holds"]]
    return {True: "comes out", False: "differs", None: ""}[row["comes_out"]]


def texts(ledger: Plain) -> dict[Path, str]:
    """The text of every page by its file."""
    rows = {row["key"]: row for row in ledger["rows"]}
    cells = {}
    for key, row in rows.items():
        cells[key] = rendering.cells(row) | {"answer": answer(row)}
    shown = [_shown(page, rows, cells) for page in PAGES.values()]
    environment = templates(rendering.TEMPLATES)
    front = environment.get_template("front.md.j2")
    page_template = environment.get_template("page.md.j2")
    made = {
        FRONT: front.render(**rendering.summary(ledger), **_front(ledger, shown, cells)),
        FOLDER / "ledger.md": rendering.to_markdown(ledger),
    }
    for page in shown:
        made[FOLDER / f"{page['name']}.md"] = page_template.render(page)
    return made


def _front(ledger: Plain, shown: list[dict[str, Any]], cells: Plain) -> dict[str, Any]:
    """What the template of the front page shows, beside the counts of all rows."""
    rows = {row["key"]: row for row in ledger["rows"]}
    pages: dict[str, list[dict[str, Any]]] = {}
    for declared in ledger["papers"]:
        name = declared["name"]
        if not declared["later"]:
            pages[name] = [page for page in shown if page["paper"] == name]
    of_papers = {key: row for key, row in rows.items() if row["paper"] in pages}
    lines = []
    for key, row in of_papers.items():
        if answer(row):
            about = [page for page in shown if is_about(page, row)]
            lines.append((cells[key], effect(row, rows), about[0] if about else None))
    return {
        "papers": pages,
        "lines": lines,
        "n_papers": len(of_papers),
        "changed": {value["name"]: value for value in rows["verdicts-BLEU"]["values"]},
    }


def _shown(page: Plain, rows: Plain, cells: Mapping[str, Any]) -> dict[str, Any]:
    """All that the template of a page shows."""
    row = rows[page["key"]]
    known = facts(row, rows)
    words = re.sub(r"[^\w -]", "", page["paper"])
    section = words.lower().replace(" ", "-")
    source = code(page).read_text(encoding="utf-8")
    return {
        **page,
        "finding": page["finding"].format_map(known),
        "caption": page["caption"].format_map(known),
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
        yield FOLDER / f"{page['name']}.svg", svg(page["name"], draw)
    yield FOLDER / "verdicts.svg", svg("verdicts", _verdicts)


def _verdicts() -> Figure:
    figure = plt.figure(figsize=(pictures.WIDTH, 4.2), layout="constrained")
    paper.verdicts(paper.Numbers(), figure)
    return figure
