"""The publication: a front page, a page for each figure and table, and pages for all other rows.

`pages` says what a page shows.  Which rows it is about is looked up, so that a new row appears on
the page of its figure or table, or else on its paper's page of other claims.  A row stands in full
on one page, which is its home; other pages link there.  The lines of a page stand beside it, in a
file of its name.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from mdit_py_plugins.anchors.index import slugify

from mtsig_nb.engine.counting import clopper_pearson

from ..repository.results import LEDGER
from ..repository.svg import svg
from ..repository.templating import templates
from . import paper, pictures, rendering
from .pages import COLLECTIONS, EFFECTS, PAGES, Collection, Page, first_page
from .rows import Ledger, Record, Records, frame_of, rows_by_key

FRONT = LEDGER.with_suffix(".md")
FOLDER = LEDGER.with_suffix("")
DOCSTRING = re.compile(r'^""".*?"""\n+', flags=re.DOTALL)
#: Whether what is printed comes out, in words.
COMES_OUT = {True: "reproduced", False: "differs", None: ""}


@dataclasses.dataclass(frozen=True)
class Section:
    """Rows under one heading: a single row, or rows that have all words but their data in common.

    Attributes
    ----------
    rows : sequence of dict
        The rows as they are shown.
    home : str
        The name of the page on which they stand in full.
    home_title : str
        What links to that page say: ``Table 3``.
    """

    rows: Sequence[Mapping[str, Any]]
    home: str
    home_title: str

    @property
    def heading(self) -> str:
        """``Table 3: conclusions at 95 % by size of the test set``; of several rows, the latter."""
        first = self.rows[0]
        if len(self.rows) > 1:
            return f"{first['shows'][0].upper()}{first['shows'][1:]}"
        return f"{first['item']}: {first['shows']}"

    @property
    def anchor(self) -> str:
        """The fragment by which GitHub and MyST name the heading."""
        return str(slugify(self.heading))


def texts(ledger: Ledger) -> dict[Path, str]:
    """The text of every page by its file."""
    records = rows_by_key(ledger)
    sections = sections_of(ledger)
    pages = [_shown_page(page, records, sections) for page in PAGES]
    counts = rendering.summary(ledger)
    environment = templates(rendering.TEMPLATES)
    environment.filters["slug"] = slugify
    environment.globals["place"] = {
        row["key"]: f"{section.home}.md#{section.anchor}"
        for section in sections
        for row in section.rows
    }

    def rendered(template: str, shown: Mapping[str, Any]) -> str:
        return environment.get_template(template).render(shown)

    front = _shown_front(ledger, pages, sections)
    made = {
        FRONT: rendered("front.md.j2", counts | front),
        FOLDER / "ledger.md": rendered("ledger.md.j2", counts),
        FOLDER / "what-surprised-us.md": rendered("what-surprised-us.md.j2", counts),
    }
    for shown in pages:
        made[FOLDER / f"{shown['name']}.md"] = rendered("page.md.j2", shown)
    for collection in COLLECTIONS:
        shown = _shown_collection(collection, ledger, sections)
        made[FOLDER / f"{collection.name}.md"] = rendered("collection.md.j2", shown)
    return made


def sections_of(ledger: Ledger) -> list[Section]:
    """All rows in their order, in sections."""

    def words(record: Record) -> tuple[str, ...]:
        home, title = home_of(record)
        return (home, title, record["shows"], record["claim"], record["note"])

    sections = []
    for (home, title, *_), records in groupby(ledger["rows"], key=words):
        rows = [_shown_row(record) for record in records]
        sections.append(Section(rows, home, title))
    return sections


def home_of(record: Record) -> tuple[str, str]:
    """The name and the title of the page on which a row stands in full."""
    page = first_page(record)
    if page:
        return page.name, page.title
    homes = [collection for collection in COLLECTIONS if collection.has(record)]
    (home,) = homes
    return home.name, home.title


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


def _shown_page(page: Page, records: Records, sections: Sequence[Section]) -> dict[str, Any]:
    """A page of a figure or table, with the sections of all rows that are about it."""
    record = records[page.key]
    known = facts(record, records)
    words = page.effect or _words_of_effect(record)
    source = code(page).read_text(encoding="utf-8")
    own = []
    for section in sections:
        keys = [row["key"] for row in section.rows]
        if any(page.is_about(records[key]) for key in keys):
            own.append(section)
    return {
        "paper": page.paper,
        "title": page.title,
        "name": page.name,
        "finding": page.finding.format_map(known),
        "caption": page.caption.format_map(known),
        "effect": _filled(words, known),
        "row": _shown_row(record),
        "sections": own,
        "code": DOCSTRING.sub("", source),
        "prints": printed_lines(page, records),
    }


def _shown_collection(
    collection: Collection, ledger: Ledger, sections: Sequence[Section]
) -> dict[str, Any]:
    """A page of rows that are about no figure or table."""
    references = {paper["name"]: paper["reference"] for paper in ledger["papers"]}
    own = [section for section in sections if section.home == collection.name]
    return {
        "title": collection.title,
        "name": collection.name,
        "purpose": collection.purpose,
        "reference": references[collection.paper],
        "sections": own,
    }


def _shown_front(
    ledger: Ledger, pages: list[dict[str, Any]], sections: Sequence[Section]
) -> dict[str, Any]:
    """The front page, beside the counts of all rows; `pages` as they are shown."""
    records = rows_by_key(ledger)
    rows = {row["key"]: row for section in sections for row in section.rows}
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
            lines.append((rows[key], effect))
    return {
        "papers": pages_by_paper,
        "agreement": [rendering.agreement(ledger, name) for name in pages_by_paper],
        "lines": lines,
        "n_of_papers": n_of_papers,
        "changed": {value["name"]: value for value in records["verdicts-BLEU"]["values"]},
    }


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
