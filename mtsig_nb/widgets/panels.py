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
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from .. import tables
from ..engine.procedures import PROCEDURES, Procedure
from ..engine.resampling import Resampling
from ..engine.tallies import PAIR
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


@functools.cache
def _macros() -> Any:
    return template(_TEMPLATE).make_module()


def verdict(model: Model, state: State) -> str:
    """The plain-language verdict, and the warning where the pitfall is chosen."""
    bad = not state.analysis.options.procedure.valid
    # The pitfall is spoken of at length.
    notes = [n for n in model.caveats(state) if not (bad and code_of(n) == "one-tail")]
    table = model.source.analysis.score_table
    if table is not None and table.ratings is not None:
        notes.append(
            "raters are averaged here, and not counted as a sample; the tab “Raters, test sets” "
            "counts them"
        )
    return str(_macros().verdict(model.verdict(state), bad, list(map(in_own_words, notes))))


def step_by_step(model: Model, state: State) -> str:
    """The pair's test in the four steps that every test has, then the conclusion.

    That follows from the number of comparisons and the level.
    """
    result = model.result(state)
    row = model.row(state)
    analysis = state.analysis
    comparisons = model.comparisons(state)
    family = comparisons.n_comparisons
    correction = analysis.options.correction
    p = pvalue_in_words(result.pvalue)
    if correction is None or family == 1:
        family = 0  # nothing is corrected
    else:
        name = f"adjusted for {family} comparisons: p"
        adjusted = pvalue_in_words(row["pvalue_adjusted"], name, at_floor=row["at_floor"])
        p += f"; {adjusted} ({correction})"
    codes_above = {code_of(caveat) for caveat in model.caveats(state)}
    notes = []
    for about_pair in result.notes:
        if code_of(about_pair) not in codes_above and about_pair not in comparisons.caveats:
            notes.append(about_pair)
    steps = four_steps(result)
    return str(_macros().step_by_step(steps, p, family, analysis, row, notes))


def four_steps(result: PairResult) -> dict[str, str]:
    """Choose a statistic, say what chance would do, simulate it, compare: each title's text.

    Parameters
    ----------
    result : PairResult
        Of one of the resampling tests.
    """
    procedure = result.procedure
    assert procedure is not None  # only tests by resampling are chosen here
    digits = digits_for([result.score_a, result.score_b])
    number = f"{{:+.{2 if procedure.studentized else digits}f}}".format
    mean = np.mean(procedure.averaged(result.resampled)) if procedure.centres else 0.0
    macros: Any = template(_STEPS).make_module(
        {
            "r": result,
            "p": procedure,
            "score": f"{{:.{digits}f}}".format,
            "signed": f"{{:+.{digits}f}}".format,
            "number": number,
            "first": list(map(number, result.resampled[:5])),
            "mean": mean,
            "cells": _first_resample(result, procedure),
            "figure": figures.image(figures.null_distribution(result)),
            "winner": _counted_winner(result),
            "filled": filled_pvalue(result, procedure),
            "told": pvalue_in_words(result.pvalue),
        }
    )
    steps = {
        "Choose a statistic": macros.statistic,
        "Say what chance would do": macros.chance,
        "Simulate it": macros.simulation,
        "Compare": macros.comparison,
    }
    return {title: " ".join(said().split()) for title, said in steps.items()}


def _first_resample(result: PairResult, procedure: Procedure) -> list[tuple[str, str]]:
    """What the first resample made of the first units: the very draws that the test has made."""
    plan = Resampling(procedure.kind, (), PAIR, 1, result.n_units, int(result.rng or 0))
    drawn = plan.weights(0)[0][:_UNITS_SHOWN].astype(int).tolist()
    if procedure.kind != "shuffle":
        return [(f"n{min(times, 3)}", str(times)) for times in drawn]
    kept = ("n1", "+" if procedure.linearises else "")
    exchanged = ("n3", "−" if procedure.linearises else "⇄")
    return [kept if stays else exchanged for stays in drawn]


def _counted_winner(result: PairResult) -> str:
    """Whose wins the paired bootstrap has counted: those in the smaller tail where it has two."""
    counted = result.null_distribution[result.extreme]
    below = counted.mean() <= 0 if counted.size else result.alternative != "less"
    return result.system_b if below else result.system_a


def filled_pvalue(result: PairResult, procedure: Procedure) -> str:
    """The formula of the p-value with its numbers."""
    formula = "c/R" if result.exact else result.counting.formula.replace("+", " + ")
    filled = formula.replace("c", f"{result.count:,}").replace("R", f"{result.n_resamples:,}")
    return f"2 · {filled}" if procedure.doubled and result.alternative == "two-sided" else filled


def tests(model: Model, state: State) -> str:
    """The same pair under every test."""
    rows = []
    for name, procedure in PROCEDURES.items():
        p = "–"
        interval = f"only {' or '.join(procedure.alternatives)}"
        counted = "–"
        if state.analysis.options.alternative in procedure.alternatives:
            found = model.result(state, name)
            low, high = found.pvalue_interval
            p = tables.printed_pvalue(found.pvalue)
            interval = "exact" if found.exact else f"{low:.4f} to {high:.4f}"
            counted = f"{found.count:,} of {found.n_resamples:,}"
        chosen = " (chosen)" if name == state.analysis.options.test else ""
        rows.append((procedure.label + chosen, p, interval, counted, procedure.source))
    headings = ["test", "p", "95 % interval of p", "counted", "source"]
    table = tables.to_html(pd.DataFrame(rows, columns=headings))
    return str(_macros().tests(model.result(state), state.analysis.options.alternative, table))


def scores(model: Model, state: State) -> str:
    """Scores with intervals, best first, as the report has them."""
    comparisons = model.comparisons(state)
    table = tables.to_html(system_table(comparisons, metrics=[model.label(state)]))
    figure = figures.image(FIGURES["scores"](model, state))
    return str(_macros().scores(figure, legend(comparisons), table))


def all_pairs(model: Model, state: State) -> str:
    """All pairs at a glance, and the table behind it."""
    pairs = pairs_table(model.comparisons(state), model.label(state))
    figure = figures.image(FIGURES["all-pairs"](model, state))
    return str(_macros().all_pairs(figure, len(pairs[0].cells), tables.to_html(pairs)))


def cluster_groups(model: Model, state: State) -> str:
    """Which systems cannot be told apart."""
    figure = figures.image(FIGURES["clusters"](model, state))
    return str(_macros().clusters(figure, model.clusters(state).sentence))


def beyond_segments(model: Model, state: State) -> str:
    """What raters and test sets add, where the scores are of several."""
    outcome = model.beyond_segments(state)
    return str(_macros().beyond_segments([] if outcome is None else blocks_of(outcome)))


def whole(source: WholeOutcome) -> str:
    """An outcome of which nothing is chosen, with its report to be taken away."""
    verdicts = "\n".join(source.outcome.verdicts.values())
    blocks = blocks_of(source.outcome)[len(source.outcome.verdicts) :]
    page = report_page(source.outcome, warnings=source.warnings)
    links = [
        link("report.html", source.without_folder(page), "report (HTML)"),
        link("pairs.csv", tables.to_csv(source.outcome.table), "all pairs (CSV)"),
        link("systems.tex", source.outcome.to_latex(), "systems (LaTeX)"),
    ]
    macros = _macros()
    parts = [
        macros.verdict(verdicts, False, source.warnings),
        macros.beyond_segments(blocks),
        macros.links(links),
    ]
    return "".join(map(str, parts))


def blocks_of(outcome: Outcome) -> list[tuple[str, str]]:
    """An outcome as paragraphs, each with the table below it or an empty text."""
    blocks = [(line, "") for line in outcome.verdicts.values()]
    for caveat in map(in_own_words, outcome.notes):
        blocks.append((f"{caveat[:1].upper()}{caveat[1:]}.", ""))
    if outcome.sources:
        blocks.append((outcome.sources, ""))
    for section in outcome.tables(Layout()):
        table = tables.to_html(section.table) if section.table else ""
        blocks.append((section.caption, table))
    blocks.append((outcome.methods, ""))
    return blocks


def take_away(model: Model, state: State) -> str:
    """Links to the tables and figures of a state, and its code."""
    comparisons = model.comparisons(state)
    code = model.code(state)
    pair = tables.to_csv(model.result(state).to_frame())
    drawn = {name: draw(model, state) for name, draw in FIGURES.items()}
    sections = {
        "Tables": [
            link("pairs.csv", comparisons.to_csv(), "all pairs (CSV)"),
            link("pairs.tex", comparisons.to_latex(pairs=True), "all pairs (LaTeX)"),
            link("pair.csv", pair, "this pair's test (CSV)"),
        ],
        "Figures": [
            link(f"{name}.{kind}", write(figure), f"{name.replace('-', ' ')} ({kind.upper()})")
            for name, figure in drawn.items()
            for kind, write in (("svg", figures.svg), ("png", figures.png))
        ],
        "The same in Python": [link("comparison.py", f"{code}\n", "code (Python)")],
    }
    return str(_macros().take_away(sections, code))


def report(model: Model, state: State) -> str:
    """A link to the report on a state's analysis, from the numbers that the model has."""
    page = report_page(model.outcome(state), warnings=model.source.warnings)
    page = model.source.without_folder(page)
    return str(_macros().links([link("report.html", page, "report (HTML)")]))


def link(name: str, content: str | bytes | None, text: str) -> tuple[str, str, str]:
    """What a link needs that saves `content` as a file called `name`."""
    data = content if isinstance(content, bytes) else str(content).encode("utf-8")
    return name, text, base64.b64encode(data).decode()


#: What can be taken away, of which tabs show the last three.
FIGURES: dict[str, Callable[[Model, State], Figure]] = {
    "null-distribution": lambda model, state: figures.null_distribution(model.result(state)),
    "scores": lambda model, state: figures.scores(
        model.comparisons(state), model.label(state), state.pair
    ),
    "all-pairs": lambda model, state: figures.heatmap(
        model.comparisons(state).conclusions(metric=model.label(state))
    ),
    "clusters": lambda model, state: figures.cluster_diagram(model.clusters(state)),
}

#: The tabs, in order.
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
    """A message of the package, with the options that it names as the controls have them.

    Of a note on a direction it says where the explorer has the choice.

    >>> from mtsig_nb.sentences import Option, Sentence
    >>> in_own_words(Sentence("they are alike; use ", Option("units", "documents")))
    'they are alike; use “units: documents” under More'
    """
    if isinstance(text, Note) and text.code == "direction":
        text = note("direction-in-explorer", **text.values)
    return told(text, _as_control)


def _as_control(option: Option) -> str:
    """An option as it is chosen here; one that the explorer has no words for as in Python."""
    if option.name not in _CHOSEN_HERE:
        return str(option)
    return f"“{option.name}: {option.answer}” under More"
