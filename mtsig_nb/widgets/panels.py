"""The explorer's panels as HTML: tables, figures and sentences, with every name escaped."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

import pandas as pd

from ..engine.procedures import PROCEDURES
from ..notes import code_of
from ..report import exports
from ..report.exports import printed_pvalue
from ..report.verdicts import digits_for, told_pvalue
from ..significance.comparisons import for_print
from ..significance.results import TestResult
from . import pictures
from .model import Model, State
from .steps import steps
from .telling import four_steps

#: What is said wherever the pitfall is chosen.
WARNING = (
    "You chose the pitfall. This bootstrap, as printed in 2005, drops the sign of every difference "
    "before centring: one tail is left, and its p-values are too small, by about half where the "
    "resampled differences are symmetric. It is here to be compared with; do not report it."
)


def step_by_step(model: Model, state: State) -> str:
    """The pair's test in the four steps that every test has, then as its algorithm's lines."""
    result, analysis = model.result(state), state.analysis
    procedure = PROCEDURES[analysis.test]
    items = "".join(
        f'<li class="{"mtsig-mistake" * step.mistake}"><h4>{step.title}</h4>{step.text}</li>'
        for step in four_steps(result)
    )
    lines = "".join(
        f'<li class="{"mtsig-mistake" * step.mistake}" style="margin-left:{1.5 * step.indent}em">'
        f"<code>{escape(step.line)}</code>"
        f'<div class="mtsig-value">{escape(step.value)}</div></li>'
        for step in steps(result)
    )
    return (
        f'<ol class="mtsig-four">{items}</ol><h4>Then draw a line</h4>{_line_drawn(model, state)}'
        f"<details{' open' * (not procedure.valid)}><summary>The same as an algorithm: "
        f"{escape(procedure.title)}, {escape(procedure.source)}</summary>"
        f'<ol class="mtsig-steps">{lines}</ol></details>'
    )


def _line_drawn(model: Model, state: State) -> str:
    """What comes after a test: the number of comparisons, the level, the conclusion."""
    result, row, analysis = model.result(state), model.row(state), state.analysis
    family = model.comparisons(state).n_comparisons
    told, many = told_pvalue(result.pvalue), ""
    if analysis.correction and family > 1:
        adjusted = told_pvalue(
            row["pvalue_adjusted"],
            f"adjusted for {family} comparisons: p",
            at_floor=row["at_floor"],
        )
        told += f"; {adjusted} ({analysis.correction})"
        many = (
            f"{family} comparisons are {family} chances to be misled, so the p-value is made "
            f"larger to allow for all of them ({escape(analysis.correction)}). "
        )
    # That documents are known is said below the verdict, for all pairs.
    notes = "".join(
        f"<li>{escape(n)}</li>" for n in result.notes if code_of(n) != "documents-ignored"
    )
    return (
        f'<p class="mtsig-p">{escape(told)}</p>'
        f"<p>{many}The <strong>level</strong> α = {analysis.alpha:g} was chosen before: so often "
        "are we ready to see a difference where there is none. If p is not above it, we call the "
        f"systems different. {escape(row['system_a'])} against {escape(row['system_b'])}: "
        f"<strong>{escape(row['conclusion'])}</strong>.</p>"
        + (f"<ul>{notes}</ul>" if notes else "")
    )


def scores(model: Model, state: State) -> str:
    """Scores with intervals, best first."""
    shown, percent = model.shown(state), 100 * state.analysis.confidence_level
    better = "Higher" if shown.metric.higher_is_better else "Lower"
    return pictures.score_table(model.scores(state), shown.label, state.pair, percent) + _caption(
        f"{better} is better. Intervals of two systems may overlap although the systems "
        "differ significantly: the same segments are behind both. Systems that share a letter "
        "are not distinguished."
    )


def tests(model: Model, state: State) -> str:
    """The same pair under every test."""
    pair = model.result(state)
    rows = [_test_row(name, found, state) for name, found in model.tests(state).items()]
    return (
        f"<p>{escape(pair.system_a)} against {escape(pair.system_b)}, "
        f"{escape(pair.metric)}, {state.analysis.alternative}, nothing corrected.</p>"
        f'<div class="mtsig-wide mtsig-tests"><table><thead><tr><th>test</th>'
        f"{_RIGHT.format('th', 'p')}{_RIGHT.format('th', '95 % interval of p')}"
        f"{_RIGHT.format('th', 'counted')}"
        '<th class="mtsig-source">source</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
        + _caption(
            "The interval of p says how far the p-value is off for having drawn only so many "
            "resamples; it says nothing of the systems."
        )
    )


def _test_row(name: str, found: TestResult | str, state: State) -> str:
    title, source = escape(PROCEDURES[name].title), escape(PROCEDURES[name].source)
    marks = []
    if name == state.analysis.test:
        marks.append("mtsig-chosen")
        title = f"<strong>{title}</strong> (chosen)"
    if not PROCEDURES[name].valid:
        marks.append("mtsig-bad")
        title += ' <span class="mtsig-badge">pitfall</span>'
    if isinstance(found, TestResult):
        low, high = found.pvalue_interval
        p, interval = printed_pvalue(found.pvalue), f"{low:.4f} to {high:.4f}"
        cells = [
            p,
            "exact" if found.exact else interval,
            f"{found.count:,} of {found.n_resamples:,}",
        ]
    else:
        cells = [
            "–",
            f"only {only[0]}" if len(only := PROCEDURES[name].alternatives) == 1 else found,
            "–",
        ]
    numbers = "".join(_RIGHT.format("td", escape(cell)) for cell in cells)
    source = f'<td class="mtsig-source">{source}</td>'
    return f'<tr class="{" ".join(marks)}"><td>{title}</td>{numbers}{source}</tr>'


def heatmap(model: Model, state: State) -> str:
    """All pairs at a glance, and the table behind it."""
    comparisons = model.comparisons(state)
    label = model.shown(state).label
    rows = comparisons.table[comparisons.table["metric"] == label]
    digits = digits_for(comparisons.scores[label])
    some = "The pair" if len(rows) == 1 else f"All {len(rows)} pairs"
    return (
        pictures.heatmap(comparisons.conclusions(metric=label), state.pair)
        + _caption(
            "Filled: the row's system is significantly better. Pale: no difference detected."
        )
        + f"<details><summary>{some} as a table</summary>"
        + _table(for_print(rows, "metric", "score_a", "score_b"), digits)
        + "</details>"
    )


def cluster_groups(model: Model, state: State) -> str:
    """Which systems cannot be told apart."""
    found = model.clusters(state)
    sentence = "<br>".join(map(escape, found.sentence.split("\n")))
    return (
        pictures.cluster_bars(found, state.pair)
        + _caption("A bar joins systems of which no two are distinguished; bars may overlap.")
        + f"<p>{sentence}</p>"
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


#: The tabs, in order.
PANELS: dict[str, Callable[[Model, State], str]] = {
    "Step by step": step_by_step,
    "Other tests": tests,
    "Scores": scores,
    "All pairs": heatmap,
    "Clusters": cluster_groups,
}


#: A cell that holds a number: tag and text.
_RIGHT = '<{0} class="mtsig-right">{1}</{0}>'


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


def _table(frame: pd.DataFrame, digits: int = 2) -> str:
    return f'<div class="mtsig-wide">{exports.to_html(frame, digits=digits)}</div>'


__all__ = ["PANELS", "WARNING", "in_own_words", "verdict"]
