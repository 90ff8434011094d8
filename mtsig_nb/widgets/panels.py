"""The explorer's panels as HTML: tables, figures, sentences and links, with every name escaped.

A link holds its content: a ``data:`` address works wherever the widget does, in Voila as in
JupyterLab, and needs no file on the server.
"""

from __future__ import annotations

import base64
import dataclasses
import re
from collections.abc import Callable
from html import escape

import pandas as pd
from matplotlib.figure import Figure

from ..engine.procedures import PROCEDURES
from ..notes import code_of
from ..report import exports, figures
from ..report.exports import printed_pvalue
from ..report.page import Findings, report_page
from ..report.verdicts import digits_for, told_pvalue
from ..significance.comparisons import for_print
from .model import Model, State
from .telling import four_steps

#: What is said wherever the pitfall is chosen.
WARNING = (
    "You chose the pitfall. This bootstrap, as printed in 2005, drops the sign of every difference "
    "before centring: one tail is left, and its p-values are too small, by about half where the "
    "resampled differences are symmetric. It is here to be compared with; do not report it."
)


def verdict(model: Model, state: State) -> str:
    """The plain-language verdict, and the warning where the pitfall is chosen."""
    bad = not PROCEDURES[state.analysis.test].valid
    warning = f'<p class="mtsig-pitfall" role="alert">{escape(WARNING)}</p>' if bad else ""
    notes = [n for n in model.comparisons(state).caveats if not (bad and code_of(n) == "one-tail")]
    beware = "".join(f"<li>{escape(n[0].upper() + n[1:])}.</li>" for n in map(in_own_words, notes))
    return (
        f'<div class="mtsig-verdict{" mtsig-doubtful" * bad}" role="status" aria-live="polite">'
        f"<p>{escape(model.verdict(state))}</p></div>{warning}"
        + (f'<ul class="mtsig-notes">{beware}</ul>' if beware else "")
    )


def step_by_step(model: Model, state: State) -> str:
    """The pair's test in the four steps that every test has, then the conclusion."""
    steps = four_steps(model.result(state))
    items = "".join(f"<li><h4>{title}</h4>{text}</li>" for title, text in steps.items())
    return f'<ol class="mtsig-four">{items}</ol><h4>Then draw a line</h4>{_line(model, state)}'


def _line(model: Model, state: State) -> str:
    """What comes after a test: the number of comparisons, the level, the conclusion."""
    result, row, analysis = model.result(state), model.row(state), state.analysis
    family = model.comparisons(state).n_comparisons
    p, many = told_pvalue(result.pvalue), ""
    if analysis.correction and family > 1:
        adjusted = told_pvalue(
            row["pvalue_adjusted"],
            f"adjusted for {family} comparisons: p",
            at_floor=row["at_floor"],
        )
        p += f"; {adjusted} ({analysis.correction})"
        many = (
            f"{family} comparisons are {family} chances to be misled, so the p-value is made "
            f"larger to allow for all of them ({escape(analysis.correction)}). "
        )
    # That documents are known is said below the verdict, for all pairs.
    notes = "".join(
        f"<li>{escape(n)}</li>" for n in result.notes if code_of(n) != "documents-ignored"
    )
    return (
        f'<p class="mtsig-p">{escape(p)}</p>'
        f"<p>{many}The <strong>level</strong> α = {analysis.alpha:g} was chosen before: so often "
        "are we ready to see a difference where there is none. If p is not above it, we call the "
        f"systems different. {escape(row['system_a'])} against {escape(row['system_b'])}: "
        f"<strong>{escape(row['conclusion'])}</strong>.</p>"
        + (f"<ul>{notes}</ul>" if notes else "")
    )


def tests(model: Model, state: State) -> str:
    """The same pair under every test."""
    rows = []
    for name, found in model.tests(state).items():
        procedure = PROCEDURES[name]
        p = interval = counted = "–"
        if found is None:
            interval = f"only {' or '.join(procedure.alternatives)}"
        else:
            low, high = found.pvalue_interval
            p = printed_pvalue(found.pvalue)
            interval = "exact" if found.exact else f"{low:.4f} to {high:.4f}"
            counted = f"{found.count:,} of {found.n_resamples:,}"
        chosen = " (chosen)" if name == state.analysis.test else ""
        rows.append((procedure.label + chosen, p, interval, counted, procedure.source))
    headings = ["test", "p", "95 % interval of p", "counted", "source"]
    pair = model.result(state)
    return (
        f"<p>{escape(pair.system_a)} against {escape(pair.system_b)}, "
        f"{escape(pair.metric)}, {state.analysis.alternative}, nothing corrected.</p>"
        + _table(pd.DataFrame(rows, columns=headings))
        + _caption(
            "The interval of p says how far the p-value is off for having drawn only so many "
            "resamples; it says nothing of the systems. ⚠ is the pitfall; do not report it."
        )
    )


def scores(model: Model, state: State) -> str:
    """Scores with intervals, best first."""
    table = model.scores(state)
    digits = digits_for(table["score"])
    low, high = (table[end].map(f"{{:.{digits}f}}".format) for end in ("ci_low", "ci_high"))
    shown = table[["system", "score", "letters"]].assign(interval=low + " to " + high)
    higher = model.source.statistics(state.metric).metric.higher_is_better
    return (
        _figure("scores", model, state)
        + _caption(
            f"{'Higher' if higher else 'Lower'} is better. Intervals of two systems may overlap "
            "although the systems differ significantly: the same segments are behind both. Systems "
            "that share a letter are not distinguished."
        )
        + _table(shown, digits)
    )


def all_pairs(model: Model, state: State) -> str:
    """All pairs at a glance, and the table behind it."""
    comparisons, label = model.comparisons(state), model.label(state)
    rows = comparisons.table[comparisons.table["metric"] == label]
    some = "The pair" if len(rows) == 1 else f"All {len(rows)} pairs"
    return (
        _figure("all-pairs", model, state)
        + _caption(
            "Filled: the row's system is significantly better. Pale: no difference detected."
        )
        + f"<details><summary>{some} as a table</summary>"
        + _table(
            for_print(rows, "metric", "score_a", "score_b"), digits_for(comparisons.scores[label])
        )
        + "</details>"
    )


def cluster_groups(model: Model, state: State) -> str:
    """Which systems cannot be told apart."""
    sentence = "<br>".join(map(escape, model.clusters(state).sentence.split("\n")))
    return (
        _figure("clusters", model, state)
        + _caption("A bar joins systems of which no two are distinguished; bars may overlap.")
        + f"<p>{sentence}</p>"
    )


def take_away(model: Model, state: State) -> str:
    """Links to the tables and figures of a state, and its code."""
    comparisons, code = model.comparisons(state), model.code(state)
    tables = [
        link("pairs.csv", str(comparisons.to_csv()), "all pairs (CSV)"),
        link("pairs.tex", str(comparisons.to_latex(pairs=True)), "all pairs (LaTeX)"),
        link(
            "pair.csv",
            str(exports.to_csv(model.result(state).to_frame())),
            "this pair's test (CSV)",
        ),
    ]
    drawn = {name: draw(model, state) for name, draw in FIGURES.items()}
    images = [
        link(f"{name}.{kind}", write(figure), f"{name.replace('-', ' ')} ({kind.upper()})")
        for name, figure in drawn.items()
        for kind, write in (("svg", figures.svg), ("png", figures.png))
    ]
    sections = {
        "Tables": tables,
        "Figures": images,
        "The same in Python": [link("comparison.py", f"{code}\n", "code (Python)")],
    }
    return (
        "".join(
            f'<h3>{heading}</h3><div class="mtsig-links">{"".join(links)}</div>'
            for heading, links in sections.items()
        )
        + f"<pre>{escape(code)}</pre>"
    )


def report(model: Model, state: State) -> str:
    """A link to the report on a state's analysis, from the numbers that the model has."""
    views = [dataclasses.replace(state, metric=metric) for metric in state.analysis.metrics]
    findings = Findings(state.analysis, model.source.warnings)
    findings.comparisons = model.comparisons(state)
    only_two = len(findings.comparisons.table) == len(views)
    findings.pair_tests = {model.label(v): model.result(v) for v in views if only_two}
    page = model.source.without_folder(report_page(findings))
    return f'<div class="mtsig-links">{link("report.html", page, "report (HTML)")}</div>'


def link(name: str, content: str | bytes, text: str) -> str:
    """A link that saves `content` as a file called `name`; `name` is ours, not a user's."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    address = f"data:application/octet-stream;base64,{base64.b64encode(data).decode()}"
    return f'<a download="{name}" href="{address}">{escape(text)}</a>'


#: What can be taken away, of which tabs show the last three.
FIGURES: dict[str, Callable[[Model, State], Figure]] = {
    "null-distribution": lambda model, state: figures.null_distribution(model.result(state)),
    "scores": lambda model, state: figures.scores(
        model.scores(state), model.label(state), state.pair, 100 * state.analysis.confidence_level
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
    "Take away": take_away,
}


def in_own_words(text: str) -> str:
    """A message of the package, with what it says in Python's words in those of the controls.

    >>> in_own_words("they are alike; use units='documents'")
    'they are alike; choose “units: documents” under More'
    >>> in_own_words("interval='simultaneous' holds for all together")
    '“intervals: simultaneous” under More holds for all together'
    """
    text = re.sub(r"\b(?:use )?units='(\w+)'", r"choose “units: \1” under More", text)
    return re.sub(r"\binterval='(\w+)'", r"“intervals: \1” under More", text)


def _caption(text: str) -> str:
    return f'<p class="mtsig-caption">{escape(text)}</p>'


def _figure(name: str, model: Model, state: State) -> str:
    return f'<div class="mtsig-wide">{figures.image(FIGURES[name](model, state))}</div>'


def _table(frame: pd.DataFrame, digits: int = 2) -> str:
    return f'<div class="mtsig-wide">{exports.to_html(frame, digits=digits)}</div>'


__all__ = ["PANELS", "WARNING", "in_own_words", "report", "verdict"]
