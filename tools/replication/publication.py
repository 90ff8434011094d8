"""The publication: a front page, a page for each figure and table, and the ledger behind them.

`pages` says what a page shows; which rows it is about, is looked up, so that a new row appears on
the page of its figure or table.  The lines of a page stand beside it, in a file of its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from mtsig_nb.engine.counting import clopper_pearson

from ..repository.results import LEDGER
from ..repository.svg import svg
from ..repository.templating import templates
from . import paper, pictures, rendering
from .pages import EFFECTS, PAGES, Page
from .rows import Ledger, Record, Records, frame_of, rows_by_key

FRONT = LEDGER.with_suffix(".md")
FOLDER = LEDGER.with_suffix("")
DOCSTRING = re.compile(r'^""".*?"""\n+', flags=re.DOTALL)
#: Whether what is printed comes out, in words.
COMES_OUT = {True: "comes out", False: "differs", None: ""}


def texts(ledger: Ledger) -> dict[Path, str]:
    """The text of every page by its file."""
    records = rows_by_key(ledger)
    rows = {key: _shown_row(record) for key, record in records.items()}
    pages = [_shown_page(page, records, rows) for page in PAGES]
    environment = templates(rendering.TEMPLATES)
    front_template = environment.get_template("front.md.j2")
    page_template = environment.get_template("page.md.j2")
    front = _shown_front(ledger, pages, rows)
    made = {
        FRONT: front_template.render(**rendering.summary(ledger), **front),
        FOLDER / "ledger.md": rendering.to_markdown(ledger),
    }
    for shown in pages:
        made[FOLDER / f"{shown['name']}.md"] = page_template.render(shown)
    return made


def drawn(ledger: Ledger) -> Iterator[tuple[Path, str]]:
    """The picture of every page by its file, and that of the front page."""
    records = rows_by_key(ledger)
    for page in PAGES:
        draw = partial(pictures.draw, page, records)
        yield FOLDER / f"{page.name}.svg", svg(page.name, draw)
    yield FOLDER / "verdicts.svg", svg("verdicts", _verdicts)


def _verdicts() -> Figure:
    """The article's figure of changed verdicts, as large as the pictures of pages."""
    figure = plt.figure(figsize=(pictures.WIDTH, 4.2), layout="constrained")
    paper.verdicts(paper.Numbers(), figure)
    return figure


# What the templates show.


def _shown_row(record: Record) -> dict[str, Any]:
    """A row, with an answer also where a printed number says what should come out."""
    shown = rendering.cells(record)
    shown["answer"] = answer(record)
    return shown


def answer(record: Record) -> str:
    """What came out, or nothing where neither a claim nor a printed number says what should."""
    if record["claim"]:
        return rendering.ANSWERS[record["holds"]]
    return COMES_OUT[record["comes_out"]]


def _shown_page(page: Page, records: Records, rows: Mapping[str, Any]) -> dict[str, Any]:
    """A page of a figure or table; `rows` are rows as they are shown, by key."""
    record = records[page.key]
    known = facts(record, records)
    words = page.effect or _words_of_effect(record)
    plain_paper = re.sub(r"[^\w -]", "", page.paper)
    source = code(page).read_text(encoding="utf-8")
    shown = [rows[key] for key, other in records.items() if page.is_about(other)]
    return {
        "paper": page.paper,
        "title": page.title,
        "name": page.name,
        "finding": page.finding.format_map(known),
        "caption": page.caption.format_map(known),
        "effect": _filled(words, known),
        "row": rows[page.key],
        "rows": shown,
        "code": DOCSTRING.sub("", source),
        "prints": printed_lines(page, records),
        "section": plain_paper.lower().replace(" ", "-"),
    }


def _shown_front(
    ledger: Ledger, pages: list[dict[str, Any]], rows: Mapping[str, Any]
) -> dict[str, Any]:
    """The front page, beside the counts of all rows; `pages` and `rows` as they are shown."""
    records = rows_by_key(ledger)
    pages_by_paper: dict[str, list[dict[str, Any]]] = {}
    for declared in ledger["papers"]:
        name = declared["name"]
        if not declared["later"]:
            pages_by_paper[name] = [page for page in pages if page["paper"] == name]

    n_of_papers = 0
    lines = []
    for key, record in records.items():
        if record["paper"] not in pages_by_paper:
            continue
        n_of_papers += 1
        if answer(record):
            words = _words_of_effect(record)
            effect = _filled(words, facts(record, records))
            lines.append((rows[key], effect, _first_page(record)))
    return {
        "papers": pages_by_paper,
        "lines": lines,
        "n_of_papers": n_of_papers,
        "changed": {value["name"]: value for value in records["verdicts-BLEU"]["values"]},
    }


def _first_page(record: Record) -> Page | None:
    """The first page that the row is on."""
    return next((page for page in PAGES if page.is_about(record)), None)


def code(page: Page) -> Path:
    """The lines that make ours."""
    return FOLDER / f"{page.name}.py"


def printed_lines(page: Page, records: Records) -> list[str]:
    """What the lines of a page print, as the ledger has it."""
    known = facts(records[page.key], records)
    lines = []
    for line in page.prints:
        template = line if "{" in line else f"{line}: {{v[{line}]}}"
        lines.append(template.format_map(known))
    return lines


# Texts with braces.


def facts(record: Record, records: Records) -> dict[str, Any]:
    """What a text of a page may name in braces.

    ``v`` has the row's values and ``ci`` their exact intervals, ``p`` the printed numbers and
    ``pci`` their intervals, ``t`` the lines of the table, and ``o`` the values of other rows.
    """
    printed = rendering.texts_by_name(record)
    table = record["table"]
    lines = frame_of(record).to_dict("records") if table else []
    intervals = {}
    printed_intervals = {}
    for value in record["values"]:
        name = value["name"]
        total = value["of"]
        if total:
            intervals[name] = _exact_interval(value["value"], total)
        if total and name in printed:
            printed_intervals[name] = _exact_interval(int(printed[name]), total)
    return {
        "v": _values(record),
        "p": printed,
        "t": lines,
        "ci": intervals,
        "pci": printed_intervals,
        "o": {key: _values(other) for key, other in records.items()},
    }


def _values(record: Record) -> dict[str, str]:
    """The row's values as they are shown, by name."""
    return {value["name"]: rendering.shown_value(value) for value in record["values"]}


def _exact_interval(count: int, total: int) -> str:
    """The Clopper–Pearson interval of a count, in percent: ``90.0 to 97.2 %``."""
    low, high = clopper_pearson(count, total)
    low_percent = 100 * low
    high_percent = 100 * high
    return f"{low_percent:.1f} to {high_percent:.1f} %"


def _words_of_effect(record: Record) -> str:
    """How large it is: in words of its own, or the first value beside what is printed."""
    key = record["key"]
    if key in EFFECTS:
        return EFFECTS[key]
    printed = rendering.printed_numbers(record)
    if printed:
        first_printed = printed[0]
        name = first_printed["name"]
        return f"{name}: {{v[{name}]}} (printed {{p[{name}]}})"
    if record["values"]:
        first_value = record["values"][0]
        name = first_value["name"]
        return f"{name}: {{v[{name}]}}"
    return "–"


def _filled(words: str, known: Mapping[str, Any]) -> str:
    """An effect with its numbers, and with signs in place of hyphens before them."""
    filled = words.format_map(known)
    return filled.replace("-0.", "−0.")
