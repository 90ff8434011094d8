"""What the commands say: paragraphs and tables for reading, tables for papers, all for JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from .. import __version__
from ..campaigns.embedded import list_campaigns, load
from ..engine.tallies import differing_units
from ..outcomes.outcome import Layout, Outcome
from ..outcomes.verdicts import digits_for
from ..report.page import report_page
from ..statistics.doubts import notes_on_twins
from ..statistics.sufficient import SufficientStatistics, pair_indices
from .options import Format
from .printing import Answer, Block, as_note, rounded


def found(
    outcome: Outcome,
    layout: Layout,
    *,
    notes: Sequence[str] = (),
    remarks: Sequence[str] = (),
    title: str = "",
) -> Answer:
    """What an analysis found, in every format.

    Parameters
    ----------
    outcome : Outcome
    layout : Layout
    notes : sequence of str
        What to beware of in how it was asked.
    remarks : sequence of str
        Further lines, which stand below the verdict.
    title : str
        Of the report.
    """

    def paper(form: Format) -> str:
        if form is Format.latex:
            return outcome.to_latex(layout)
        return outcome.to_markdown(layout)

    def page(columns: int) -> list[Block]:
        return list(_on_screen(outcome, replace(layout, columns=columns), lines))

    def content() -> dict[str, Any]:
        everything = outcome.content(layout)
        everything["notes"] = [*notes, *everything["notes"]]
        return everything

    all_notes = [*notes, *outcome.notes]
    lines = [*remarks, *map(as_note, all_notes)]
    return Answer(
        page=page,
        table=outcome.table,
        content=content,
        paper=paper,
        distinguished=outcome.distinguished,
        report=lambda: report_page(outcome, layout=layout, title=title, notes=notes),
        beside=[*filter(None, [outcome.sources]), *remarks],
        notes=all_notes,
    )


def _on_screen(outcome: Outcome, layout: Layout, lines: Sequence[str]) -> Iterator[Block]:
    """The verdict with what to beware of, the tables, then how it was done."""
    yield "\n".join(outcome.verdict_lines(layout))
    if lines:
        yield "\n".join(lines)
    if outcome.sources:
        yield outcome.sources
    for section in outcome.tables(layout):
        if section.table:
            yield list(section.table)
        if section.caption:
            yield section.caption
    yield outcome.methods
    if outcome.signature:
        yield "\n".join(dict.fromkeys(outcome.signature.split(" || ")))


def measured(statistics: Sequence[SufficientStatistics], *, digits: int | None = None) -> Answer:
    """One row per system, best first under the first metric, and the metrics' signatures."""
    best_first = statistics[0].scores().index
    scores = {s.label: s.scores().reindex(best_first) for s in statistics}
    table = pd.DataFrame(scores).rename_axis("system").reset_index()
    places = {m: digits_for(table[m]) if digits is None else digits for m in scores}
    cells = {m: table[m].map(f"{{:.{n}f}}".format) for m, n in places.items()}
    signatures = {s.label: s.signature for s in statistics}
    notes = list(dict.fromkeys(note for s in statistics for note in s.caveats))
    pairs = pair_indices(len(best_first))
    notes += notes_on_twins(statistics[0], pairs, differing_units(statistics[0], pairs))
    lines = list(map(as_note, notes))

    def page(_: int) -> list[Block]:
        blocks: list[Block] = ["\n".join(lines)] if lines else []
        return [*blocks, table.assign(**cells), "\n".join(signatures.values())]

    everything = {
        "version": __version__,
        "signatures": signatures,
        "notes": notes,
        "systems": table,
    }
    return Answer(
        page,
        table,
        lambda: everything,
        rounded(table, max(places.values())),
        notes=notes,
    )


def campaigns() -> Answer:
    """The list of embedded campaigns."""
    table = list_campaigns()
    shown = table[["name", "systems", "segments", "documents", "metrics", "human"]]
    page: list[Block] = [shown, "mtsig datasets NAME says more of one. Most need mtsig_nb_data."]
    return Answer(lambda _: page, table, lambda: {"campaigns": table}, rounded(shown))


def campaign(name: str) -> Answer:
    """One campaign's facts."""
    facts = load(name).facts()
    table = pd.DataFrame({"fact": facts.keys(), "value": facts.values()})
    shown = table.set_axis([name, ""], axis=1)
    return Answer(lambda _: [shown], table, lambda: {"name": name, **facts}, rounded(table))
