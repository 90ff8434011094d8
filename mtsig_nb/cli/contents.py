"""The commands' answers: paragraphs and tables for reading, tables for papers, all for JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..bibliography import on_metrics
from ..engine.tallies import differing_units
from ..frames import pd
from ..outcomes.examples import CAUTION
from ..outcomes.outcome import Layout, Outcome
from ..outcomes.verdicts import digits_for
from ..report.page import report_page
from ..statistics.doubts import notes_on_twins
from ..statistics.sufficient import SufficientStatistics, pair_indices
from ..writing import visible
from .options import Format
from .printing import Answer, Block, as_note, for_paper

if TYPE_CHECKING:
    from ..outcomes.gate import GateOutcome


def of_outcome(
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
    all_notes = [*notes, *outcome.notes]
    below_verdict = [*remarks, *map(as_note, all_notes)]
    beside_tables = [outcome.sources, *remarks] if outcome.sources else remarks

    def page(columns: int) -> list[Block]:
        return list(_on_screen(outcome, replace(layout, columns=columns), below_verdict))

    def content() -> dict[str, Any]:
        everything = outcome.content(layout)
        everything["notes"] = [*notes, *everything["notes"]]
        return everything

    def paper(form: Format) -> str:
        if form is Format.latex:
            return outcome.to_latex(layout)
        if form is Format.mail:
            return outcome.to_html(layout)
        if form is Format.bibtex:
            return outcome.to_bibtex()
        return outcome.to_markdown(layout)

    def figure(form: Format) -> tuple[bytes, Sequence[str]]:
        from ..plots.column import in_bytes  # matplotlib only when something is drawn

        drawn, notes_on_names = outcome.figure_for_paper(layout)
        return in_bytes(drawn, form.value), notes_on_names

    def table() -> pd.DataFrame:
        if layout.examples:
            return _plain_texts(outcome.examples(layout.examples, baseline=layout.baseline))
        return outcome.table

    return Answer(
        page=page,
        table=table,
        content=content,
        paper=paper,
        distinguished=outcome.distinguished,
        report=lambda: report_page(outcome, layout=layout, title=title, notes=notes),
        figure=figure,
        beside=beside_tables,
        notes=all_notes,
    )


def _on_screen(outcome: Outcome, layout: Layout, below_verdict: Sequence[str]) -> Iterator[Block]:
    """The verdict with the lines below it, the tables, then how it was done."""
    verdict = "\n".join(outcome.verdict_lines(layout))
    remarks = "\n".join(below_verdict)
    yield "\n\n".join(filter(None, [verdict, remarks, outcome.sources]))
    for section in outcome.tables(layout):
        if section.table:
            yield list(section.table)
        if section.caption:
            yield section.caption
    yield from _examples_on_screen(outcome, layout)
    signature = "\n".join(dict.fromkeys(outcome.signature.split(" || ")))
    yield "\n\n".join(filter(None, [outcome.methods, signature]))


def of_gate(
    outcome: GateOutcome, layout: Layout, *, notes: Sequence[str] = (), title: str = ""
) -> Answer:
    """What a gate says: as Markdown a summary, as JUnit's XML a case for each comparison.

    Parameters
    ----------
    outcome, layout, notes, title
        As for `of_outcome`.
    """
    answer = of_outcome(outcome, layout, notes=notes, title=title)

    def paper(form: Format) -> str:
        if form is Format.junit:
            return outcome.to_junit(layout)
        if form is Format.markdown:
            return outcome.summary(layout)
        return answer.paper(form)

    return replace(answer, paper=paper)


def _plain_texts(table: pd.DataFrame) -> pd.DataFrame:
    """A table whose texts have no control characters, which a terminal would obey."""
    plain = table.copy(deep=False)
    for name in table.columns:
        if not pd.api.types.is_numeric_dtype(table[name]):
            plain[name] = [visible(str(cell).replace("\t", " ")) for cell in table[name]]
    return plain


def _examples_on_screen(outcome: Outcome, layout: Layout) -> Iterator[Block]:
    """The examples that the layout asks for: their texts, or a table where there are none."""
    if not layout.examples:
        return
    yield CAUTION
    for examples in outcome.pair_examples(layout.examples, baseline=layout.baseline):
        if examples.has_texts:
            yield "\n".join(examples.lines(layout.digits))
        else:
            yield f"{examples.title}. {examples.summary(layout.digits)}"
            if len(examples.table):
                yield examples.columns(layout.digits)


def of_scores(statistics: Sequence[SufficientStatistics], *, digits: int | None = None) -> Answer:
    """One row per system, best first under the first metric, and the metrics' signatures.

    Parameters
    ----------
    statistics : sequence of SufficientStatistics
        Of each metric, for the same systems.
    digits : int, optional
        Decimals of scores; by default what suits each metric's scale.
    """
    first = statistics[0]
    best_first = first.scores().index
    scores = {of_metric.label: of_metric.scores().reindex(best_first) for of_metric in statistics}
    table = pd.DataFrame(scores).rename_axis("system").reset_index()
    digits_of = {}
    shown = table.copy()
    for metric in scores:
        digits_of[metric] = digits_for(table[metric]) if digits is None else digits
        shown[metric] = table[metric].map(f"{{:.{digits_of[metric]}f}}".format)
    signatures = {of_metric.label: of_metric.signature for of_metric in statistics}
    notes = _notes_on(statistics)
    blocks: list[Block] = [shown, "\n".join(signatures.values())]
    if notes:
        blocks.insert(0, "\n".join(map(as_note, notes)))
    everything = {
        "version": __version__,
        "signatures": signatures,
        "notes": notes,
        "systems": table,
    }
    return Answer(
        page=lambda _: blocks,
        table=lambda: table,
        content=lambda: everything,
        paper=for_paper(
            table,
            max(digits_of.values()),
            caption=f"Scores of {len(table)} systems.",
            sentence=on_metrics(signatures),
            comments=list(signatures.values()),
        ),
        notes=notes,
    )


def _notes_on(statistics: Sequence[SufficientStatistics]) -> list[str]:
    """What to beware of in the scores of all metrics, each once, and in systems that are alike."""
    notes: list[str] = []
    for of_metric in statistics:
        notes += of_metric.caveats
    first = statistics[0]
    pairs = pair_indices(len(first.systems))
    twins = notes_on_twins(first, pairs, differing_units(first, pairs))
    return [*dict.fromkeys(notes), *twins]
