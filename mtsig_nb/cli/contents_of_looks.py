"""What ``mtsig watch`` shows: a line for each look, and what the latest says of all pairs."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from .. import __version__
from ..outcomes.looks import WHAT_P_IS, LooksOutcome
from ..outcomes.outcome import Layout
from .contents import of_outcome
from .printing import Answer, Block, as_note, for_paper


def of_looks(outcome: LooksOutcome, *, title: str = "") -> Answer:
    """A line for each look, what the latest says of all pairs, and how it was tested.

    Parameters
    ----------
    outcome : LooksOutcome
    title : str
        Of the report.
    """
    found = outcome.found
    of_raters = outcome.of_raters
    lines = outcome.lines
    blocks: list[Block] = []
    if of_raters is None:
        blocks.append("\n".join(lines))
    else:
        with_raters = []
        for line, statement in zip(lines, outcome.statements_on_raters, strict=True):
            with_raters += [line, f"    {statement}"]
        blocks.append("\n".join(with_raters))
    blocks.append(WHAT_P_IS)
    if outcome.notes:
        blocks.append("\n".join(map(as_note, outcome.notes)))
    if len(found.latest) > 1:
        blocks.append(list(outcome.for_paper(Layout())))
        if of_raters is not None:
            section = outcome.section_on_raters(of_raters, Layout())
            blocks += [list(section.table), section.caption]
    blocks += [outcome.sources, found.methods]
    answer = of_outcome(outcome, Layout(), title=title)
    return replace(answer, page=lambda _: blocks, table=lambda: found.table)


def of_no_look_yet(problem: str, *, sources: str) -> Answer:
    """That the first look is still to come; `problem` says when."""
    go_on = f"go on: {problem}"
    table = pd.DataFrame()
    everything = {
        "version": __version__,
        "verdict": go_on,
        "is_over": False,
        "sources": sources,
        "looks": table,
    }
    return Answer(
        page=lambda _: [go_on, sources],
        table=lambda: table,
        content=lambda: everything,
        paper=for_paper(table),
        beside=[go_on, sources],
    )
