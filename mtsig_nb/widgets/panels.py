"""The explorer's panels as HTML: tables, figures, sentences and links, with every name escaped.

A link holds its content: a ``data:`` address works wherever the widget does, in Voila as in
JupyterLab, and needs no file on the server.  The four steps are for readers who meet tests for the
first time: every term is said where it is first used, and every number is the test's own.
"""

from __future__ import annotations

import base64
import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from .. import tables
from ..engine.procedures import PROCEDURES, Procedure
from ..engine.resampling import Resampling
from ..notes import Note, code_of, note
from ..outcomes.outcome import Layout, Outcome
from ..outcomes.system_table import legend, pairs_table, system_table
from ..outcomes.verdicts import digits_for, pvalue_in_words
from ..plots import pages as figures
from ..report.page import report_page, template
from ..sentences import Option, told
from ..significance.results import PairResult
from .model import Model, State
from .sources import WholeOutcome

_TEMPLATE = Path(__file__).parent / "templates" / "panels.html.j2"
_STEPS = _TEMPLATE.with_name("four_steps.html.j2")
#: Options that the explorer has words for.
_CHOSEN_HERE = ("units", "correction", "test", "alternative", "interval", "shared", "tokenize")
_UNITS_SHOWN = 16  # of the first resample


class Link(NamedTuple):
    """A link that saves a file."""

    file_name: str
    text: str
    content: str  # in base 64


class Block(NamedTuple):
    """A paragraph, and the table below it in HTML, or an empty string."""

    paragraph: str
    table: str = ""


#: Gives a picture in HTML, by a function that draws it.
Picture = Callable[[Callable[[], Figure]], str]


def drawn(draw: Callable[[], Figure]) -> str:
    """The picture, drawn now."""
    return figures.image(draw())


def former(picture: str) -> str:
    """A picture of earlier choices, in the place of one that has yet to be drawn."""
    return f'<div class="mtsig-former" aria-hidden="true">{picture}</div>'


@functools.cache
def _macros() -> Any:
    """The macros of the panels' template, each an attribute."""
    return template(_TEMPLATE).make_module()


def verdict(model: Model, state: State) -> str:
    """The plain-language verdict, and the warning where the pitfall is chosen."""
    is_pitfall = not state.analysis.options.procedure.valid
    notes = []
    for caveat in model.caveats(state):
        # The template warns of the pitfall at length, so that this note would repeat it.
        if not (is_pitfall and code_of(caveat) == "one-tail"):
            notes.append(in_own_words(caveat))
    table = model.source.analysis.score_table
    if table is not None and table.ratings is not None:
        notes.append(
            "raters are averaged here, and not counted as a sample; the tab “Raters, test sets” "
            "counts them"
        )
    return str(_macros().verdict(model.verdict(state), is_pitfall, notes))


def step_by_step(model: Model, state: State, picture: Picture = drawn) -> str:
    """The pair's test in the four steps that every test has, then the conclusion from its p-value.

    The p-value is corrected for the number of comparisons, and compared with the level.
    """
    result = model.result(state)
    row = model.row(state)
    steps = four_steps(result, picture)
    correction = state.analysis.options.correction
    n_comparisons = model.comparisons(state).n_comparisons
    is_corrected = correction is not None and n_comparisons > 1
    pvalues = pvalue_in_words(result.pvalue)
    if is_corrected:
        name = f"adjusted for {n_comparisons} comparisons: p"
        adjusted = pvalue_in_words(row["pvalue_adjusted"], name, at_floor=row["at_floor"])
        pvalues += f"; {adjusted} ({correction})"
    n_corrected_for = n_comparisons if is_corrected else 0
    notes = _notes_on_pair(model, state)
    page = _macros().step_by_step(steps, pvalues, n_corrected_for, state.analysis, row, notes)
    return str(page)


def _notes_on_pair(model: Model, state: State) -> list[str]:
    """The notes on the pair's test that do not stand beside the verdict already."""
    codes_beside_verdict = {code_of(caveat) for caveat in model.caveats(state)}
    on_all_pairs = model.comparisons(state).caveats
    notes = []
    for text in model.result(state).notes:
        if code_of(text) not in codes_beside_verdict and text not in on_all_pairs:
            notes.append(text)
    return notes


def four_steps(result: PairResult, picture: Picture = drawn) -> dict[str, str]:
    """The text of each step by its title, in HTML.

    Parameters
    ----------
    result : PairResult
        The result of a resampling test.
    picture : callable, optional
        Makes the picture of the null distribution.
    """
    procedure = result.procedure
    assert procedure is not None  # only tests by resampling are chosen here
    digits_of_scores = digits_for([result.score_a, result.score_b])
    digits_of_compared = 2 if procedure.studentized else digits_of_scores  # t-values have two
    write_compared = _fixed(digits_of_compared, sign="+")
    mean = 0.0
    if procedure.centres:
        mean = float(np.mean(procedure.averaged(result.resampled)))
    macros: Any = template(_STEPS).make_module(
        {
            "r": result,
            "p": procedure,
            "score": _fixed(digits_of_scores),
            "signed": _fixed(digits_of_scores, sign="+"),
            "number": write_compared,
            "first": [write_compared(value) for value in result.resampled[:5]],
            "mean": mean,
            "cells": _first_resample(result, procedure),
            "wide": _macros().wide,
            "figure": picture(functools.partial(figures.null_distribution, result)),
            "winner": _counted_winner(result),
            "filled": filled_pvalue(result, procedure),
            "p_in_words": pvalue_in_words(result.pvalue),
        }
    )
    steps = {
        "Choose a statistic": macros.statistic,
        "Say what chance would do": macros.chance,
        "Simulate it": macros.simulation,
        "Compare": macros.comparison,
    }
    return {title: _on_one_line(macro()) for title, macro in steps.items()}


def _on_one_line(text: str) -> str:
    """`text` with a blank in place of each line break and of each run of blanks."""
    return " ".join(text.split())


def _fixed(digits: int, *, sign: str = "") -> Callable[[float], str]:
    """A function that writes a number to so many decimals; with ``sign="+"``, always signed."""
    return f"{{:{sign}.{digits}f}}".format


def _first_resample(result: PairResult, procedure: Procedure) -> list[tuple[str, str]]:
    """What the first resample did to the first units: for each, the style of a cell, and its text.

    These are the draws that the test itself has made.  The styles ``n0`` to ``n3`` get darker: how
    often a unit was drawn (``n3`` for three times or more), or ``n1`` where nothing was exchanged
    and ``n3`` where something was.
    """
    plan = Resampling(
        procedure.kind,
        statistics=(),
        pairs=(),
        n_resamples=1,
        n_units=result.n_units,
        seed=int(result.rng or 0),
    )
    first_resample = plan.weights(0)[0]
    weights = first_resample[:_UNITS_SHOWN].astype(int).tolist()
    if procedure.kind != "shuffle":
        return [(f"n{min(times, 3)}", str(times)) for times in weights]
    kept = ("n1", "+" if procedure.linearises else "")
    exchanged = ("n3", "−" if procedure.linearises else "⇄")
    return [kept if is_kept else exchanged for is_kept in weights]


def _counted_winner(result: PairResult) -> str:
    """The system whose wins the paired bootstrap has counted.

    Of a two-sided test these are the wins in the smaller tail.  A counted difference is negative
    where the second system wins.
    """
    counted = result.null_distribution[result.extreme]
    second_wins = result.alternative != "less"  # as far as the alternative says
    if counted.size:
        second_wins = counted.mean() <= 0
    return result.system_b if second_wins else result.system_a


def filled_pvalue(result: PairResult, procedure: Procedure) -> str:
    """The formula of the p-value, with the count in place of c and the resamples in place of R."""
    formula = "c/R" if result.exact else result.counting.formula.replace("+", " + ")
    filled = formula.replace("c", f"{result.count:,}").replace("R", f"{result.n_resamples:,}")
    if procedure.doubled and result.alternative == "two-sided":
        return f"2 · {filled}"
    return filled


def tests(model: Model, state: State) -> str:
    """The same pair under every test."""
    rows = [_row_of_test(model, state, test) for test in PROCEDURES]
    table = tables.to_html(pd.DataFrame(rows))
    alternative = state.analysis.options.alternative
    return str(_macros().tests(model.result(state), alternative, table))


def _row_of_test(model: Model, state: State, test: str) -> dict[str, str]:
    """What a test says of the pair if it has the alternative, as a row of a table."""
    options = state.analysis.options
    procedure = PROCEDURES[test]
    row = {
        "test": f"{procedure.label} (chosen)" if test == options.test else procedure.label,
        "p": "–",
        "95 % interval of p": f"only {' or '.join(procedure.alternatives)}",
        "counted": "–",
        "source": procedure.source,
    }
    if options.alternative in procedure.alternatives:
        result = model.result(state, test)
        low, high = result.pvalue_interval
        row["p"] = tables.printed_pvalue(result.pvalue)
        row["95 % interval of p"] = "exact" if result.exact else f"{low:.4f} to {high:.4f}"
        row["counted"] = f"{result.count:,} of {result.n_resamples:,}"
    return row


def scores(model: Model, state: State, picture: Picture = drawn) -> str:
    """Scores with intervals, best first, as the report has them."""
    comparisons = model.comparisons(state)
    table = tables.to_html(system_table(comparisons, metrics=[model.label(state)]))
    figure = picture(functools.partial(_draw_scores, model, state))
    return str(_macros().scores(figure, legend(comparisons), table))


def all_pairs(model: Model, state: State, picture: Picture = drawn) -> str:
    """All pairs at a glance, and the table behind it."""
    columns = pairs_table(model.comparisons(state), model.label(state))
    n_pairs = len(columns[0].cells)
    figure = picture(functools.partial(_draw_all_pairs, model, state))
    return str(_macros().all_pairs(figure, n_pairs, tables.to_html(columns)))


def cluster_groups(model: Model, state: State, picture: Picture = drawn) -> str:
    """Which systems cannot be told apart."""
    figure = picture(functools.partial(_draw_clusters, model, state))
    return str(_macros().clusters(figure, model.clusters(state).sentence))


def beyond_segments(model: Model, state: State) -> str:
    """What raters and test sets add, where there are several of them."""
    outcome = model.beyond_segments(state)
    blocks = []
    if outcome is not None:
        verdicts = [Block(verdict) for verdict in outcome.verdicts.values()]
        blocks = [*verdicts, *_blocks_below_verdicts(outcome)]
    return str(_macros().beyond_segments(blocks))


def whole(source: WholeOutcome) -> str:
    """An outcome in which nothing is chosen, with its report to be taken away."""
    outcome = source.outcome
    verdicts = "\n".join(outcome.verdicts.values())
    page = report_page(outcome, warnings=source.warnings)
    links = [
        link("report.html", "report (HTML)", source.without_folder(page)),
        link("pairs.csv", "all pairs (CSV)", tables.to_csv(outcome.table)),
        link("systems.tex", "systems (LaTeX)", outcome.to_latex()),
    ]
    macros = _macros()
    drawn = [macros.wide(figures.image(figure)) for figure in outcome.figures()]
    parts = [
        macros.verdict(verdicts, False, source.warnings),
        macros.beyond_segments(_blocks_below_verdicts(outcome)),
        *drawn,
        macros.links(links),
    ]
    return "".join(map(str, parts))


def _blocks_below_verdicts(outcome: Outcome) -> list[Block]:
    """All that an outcome has but for its verdicts: notes, sources, tables and methods."""
    blocks = []
    for caveat in map(in_own_words, outcome.notes):
        blocks.append(Block(f"{caveat[:1].upper()}{caveat[1:]}."))
    if outcome.sources:
        blocks.append(Block(outcome.sources))
    for section in outcome.tables(Layout()):
        table = tables.to_html(section.table) if section.table else ""
        blocks.append(Block(section.caption, table))
    blocks.append(Block(outcome.methods))
    return blocks


def take_away(model: Model, state: State) -> str:
    """Links to the tables and figures of a state, and its code."""
    comparisons = model.comparisons(state)
    code = model.code(state)
    pair = tables.to_csv(model.result(state).to_frame())
    links_to_figures = []
    for name, draw in FIGURES.items():
        figure = draw(model, state)
        title = name.replace("-", " ")
        links_to_figures.append(link(f"{name}.svg", f"{title} (SVG)", figures.svg(figure)))
        links_to_figures.append(link(f"{name}.png", f"{title} (PNG)", figures.png(figure)))
    sections = {
        "Tables": [
            link("pairs.csv", "all pairs (CSV)", comparisons.to_csv()),
            link("pairs.tex", "all pairs (LaTeX)", comparisons.to_latex(pairs=True)),
            link("pair.csv", "this pair's test (CSV)", pair),
        ],
        "Figures": links_to_figures,
        "The same in Python": [link("comparison.py", "code (Python)", f"{code}\n")],
    }
    return str(_macros().take_away(sections, code))


def report(model: Model, state: State) -> str:
    """A link to the report on a state's analysis, from the numbers that the model has."""
    page = report_page(model.outcome(state), warnings=model.source.warnings)
    page = model.source.without_folder(page)
    return str(_macros().links([link("report.html", "report (HTML)", page)]))


def link(file_name: str, text: str, content: str | bytes | None) -> Link:
    """A link that says `text`, and saves `content` as a file."""
    data = content if isinstance(content, bytes) else str(content).encode("utf-8")
    return Link(file_name, text, base64.b64encode(data).decode())


def _draw_null_distribution(model: Model, state: State) -> Figure:
    return figures.null_distribution(model.result(state))


def _draw_scores(model: Model, state: State) -> Figure:
    return figures.scores(model.comparisons(state), model.label(state), state.pair)


def _draw_all_pairs(model: Model, state: State) -> Figure:
    conclusions = model.comparisons(state).conclusions(metric=model.label(state))
    return figures.heatmap(conclusions)


def _draw_clusters(model: Model, state: State) -> Figure:
    return figures.cluster_diagram(model.clusters(state))


#: The figures that can be taken away; each of the last three is shown in a tab, too.
FIGURES: dict[str, Callable[[Model, State], Figure]] = {
    "null-distribution": _draw_null_distribution,
    "scores": _draw_scores,
    "all-pairs": _draw_all_pairs,
    "clusters": _draw_clusters,
}


#: The panels that have a picture, which takes longer than all else on their page.  Another
#: `Picture` may be put in its place, so that the page can be read before.
WITH_PICTURE: dict[str, Callable[[Model, State, Picture], str]] = {
    "Step by step": step_by_step,
    "Scores": scores,
    "All pairs": all_pairs,
    "Clusters": cluster_groups,
}

#: The tabs in order; each makes its page as HTML.
PANELS: dict[str, Callable[[Model, State], str]] = {
    "Step by step": step_by_step,
    "Other tests": tests,
    "Scores": scores,
    "All pairs": all_pairs,
    "Clusters": cluster_groups,
    "Raters, test sets": beyond_segments,
    "Take away": take_away,
}


def in_own_words(text: str) -> str:
    """A message of the package, with options named as the explorer's controls name them.

    A note on a metric's direction says where the direction is chosen in the explorer.

    >>> from mtsig_nb.sentences import Option, Sentence
    >>> in_own_words(Sentence("they are alike; use ", Option("units", "documents")))
    'they are alike; use “units: documents” under More'
    """
    if isinstance(text, Note) and text.code == "direction":
        text = note("direction-in-explorer", **text.values)
    return told(text, _as_control)


def _as_control(option: Option) -> str:
    """How an option is chosen in the explorer; an option without a control reads as in Python."""
    if option.name not in _CHOSEN_HERE:
        return str(option)
    return f"“{option.name}: {option.answer}” under More"
