"""The explorer's panels as HTML: tables, figures and sentences, with every name escaped."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import pandas as pd

from ..engine.procedures import PROCEDURES
from ..report import exports, figures
from ..report.exports import printed_pvalue
from ..report.verdicts import digits_for, scores_for_print, told_pvalue
from ..significance.comparisons import for_print
from ..significance.results import TestResult
from .model import Model, State
from .steps import steps

#: What is said wherever the pitfall is chosen.
WARNING = (
    "You chose the pitfall. This bootstrap, as printed in 2005, drops the sign of every difference "
    "before centring: one tail is left, and its p-values are too small, by about half where the "
    "resampled differences are symmetric. It is here to be compared with; do not report it."
)

#: What is said below a verdict that will be replaced.
FIRST_ANSWER = '<p class="mtsig-first">A first answer; more resamples are being drawn.</p>'


def scores(model: Model, state: State) -> str:
    """Scores with intervals, as figure and table."""
    shown, table = model.shown(state), model.scores(state)
    level = state.analysis.confidence_level
    better = "Higher" if shown.metric.higher_is_better else "Lower"
    return (
        figures.image(figures.scores(table, shown.label, state.pair, 100 * level))
        + _caption(
            f"{better} is better. Intervals of two systems may overlap although the systems "
            "differ significantly: the same segments are behind both. Systems that share a letter "
            "are not distinguished."
        )
        + _table(scores_for_print(table, shown.label, level))
    )


def null_distribution(model: Model, state: State) -> str:
    """What the pair's difference is compared with, and the counted tails."""
    result = model.result(state)
    told = told_pvalue(result.pvalue)
    family = model.comparisons(state).n_comparisons
    if state.analysis.correction and family > 1:
        told += f"; {_adjusted(model, state, f'adjusted for {family} comparisons: p')}"
        told += f" ({state.analysis.correction})"
    # That documents are known is said below the verdict, for all pairs.
    notes = "".join(f"<li>{escape(n)}</li>" for n in result.notes if "documents are known" not in n)
    return (
        f'<p class="mtsig-p">{escape(told)}</p>'
        + figures.image(figures.null_distribution(result))
        + _caption(
            f"{result.n_resamples:,} {result.draws}, where chance alone is at work. Dashed: where "
            "counting begins. Coloured: what is counted."
            if not PROCEDURES[result.test].doubled
            else f"{result.n_resamples:,} {result.draws}, around the observed difference. "
            f"Coloured, beyond the dashed zero: {_counted_winner(result)} wins or ties."
        )
        + (f"<ul>{notes}</ul>" if notes else "")
    )


def _counted_winner(result: TestResult) -> str:
    """Whose wins the paired bootstrap has counted: those in the smaller tail where it has two."""
    counted = result.null_distribution[result.extreme]
    below = counted.mean() <= 0 if counted.size else result.alternative != "less"
    return result.system_b if below else result.system_a


def tests(model: Model, state: State) -> str:
    """The same pair under every test."""
    pair = model.result(state)
    rows = [_test_row(name, found, state) for name, found in model.tests(state).items()]
    return (
        f"<p>{escape(pair.system_a)} against {escape(pair.system_b)}, "
        f"{escape(pair.metric)}, {state.analysis.alternative}, nothing corrected.</p>"
        f'<div class="mtsig-wide"><table><thead><tr><th>test</th>'
        f"{_RIGHT.format('th', 'p')}{_RIGHT.format('th', '95 % interval of p')}"
        f"{_RIGHT.format('th', 'counted')}<th>source</th></tr></thead>"
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
    return f'<tr class="{" ".join(marks)}"><td>{title}</td>{numbers}<td>{source}</td></tr>'


def heatmap(model: Model, state: State) -> str:
    """All pairs at a glance, and the table behind it."""
    comparisons = model.comparisons(state)
    label = model.shown(state).label
    rows = comparisons.table[comparisons.table["metric"] == label]
    digits = digits_for(comparisons.scores[label])
    some = "The pair" if len(rows) == 1 else f"All {len(rows)} pairs"
    return (
        figures.image(figures.heatmap(comparisons.conclusions(metric=label)))
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
        figures.image(figures.cluster_diagram(found))
        + _caption("A bar joins systems of which no two are distinguished; bars may overlap.")
        + f"<p>{sentence}</p>"
        + _table(found.to_frame())
    )


def step_by_step(model: Model, state: State) -> str:
    """The algorithm's lines with the pair's numbers."""
    row, analysis = model.row(state), state.analysis
    items = "".join(
        f'<li class="{"mtsig-mistake" * step.mistake}" style="margin-left:{1.5 * step.indent}em">'
        f"{_line(step.line, step.value)}</li>"
        for step in steps(model.result(state))
    )
    adjusted = "nothing is corrected for the number of comparisons"
    if analysis.correction:
        adjusted = _adjusted(model, state, f"after correction ({analysis.correction}) p")
    concluded = (
        f"{adjusted}; at α = {analysis.alpha:g}, {row['system_a']} against "
        f"{row['system_b']}: {row['conclusion']}"
    )
    items += f"<li>{_line('compare p with α', concluded)}</li>"
    procedure = PROCEDURES[analysis.test]
    return (
        f"<p><strong>{escape(procedure.title)}</strong>, {escape(procedure.source)}</p>"
        f'<ol class="mtsig-steps">{items}</ol>'
    )


def verdict(model: Model, state: State) -> str:
    """The plain-language verdict, and the warning where the pitfall is chosen."""
    bad = not PROCEDURES[state.analysis.test].valid
    warning = f'<p class="mtsig-pitfall" role="alert">{escape(WARNING)}</p>' if bad else ""
    notes = [n for n in model.comparisons(state).caveats if not (bad and "one tail" in n)]
    beware = "".join(f"<li>{escape(n[0].upper() + n[1:])}.</li>" for n in notes)
    return (
        f'<div class="mtsig-verdict{" mtsig-doubtful" * bad}" role="status" aria-live="polite">'
        f"<p>{escape(model.verdict(state))}</p></div>{warning}"
        + (f'<ul class="mtsig-notes">{beware}</ul>' if beware else "")
    )


#: The tabs, in order.
PANELS: dict[str, Callable[[Model, State], str]] = {
    "Test": null_distribution,
    "Other tests": tests,
    "Step by step": step_by_step,
    "Scores": scores,
    "All pairs": heatmap,
    "Clusters": cluster_groups,
}


#: A cell that holds a number: tag and text.
_RIGHT = '<{0} class="mtsig-right">{1}</{0}>'


def _line(line: str, value: str) -> str:
    return f'<code>{escape(line)}</code><div class="mtsig-value">{escape(value)}</div>'


def _adjusted(model: Model, state: State, name: str) -> str:
    row = model.row(state)
    return told_pvalue(row["pvalue_adjusted"], name, at_floor=row["at_floor"])


def _caption(text: str) -> str:
    return f'<p class="mtsig-caption">{escape(text)}</p>'


def _table(frame: pd.DataFrame, digits: int = 2) -> str:
    return f'<div class="mtsig-wide">{exports.to_html(frame, digits=digits)}</div>'


__all__ = ["FIRST_ANSWER", "PANELS", "WARNING", "verdict"]
