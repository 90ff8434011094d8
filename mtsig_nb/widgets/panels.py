"""The explorer's panels as HTML: tables, figures and sentences, with every name escaped."""

from __future__ import annotations

import html
from collections.abc import Callable

import pandas as pd

from ..engine.procedures import PROCEDURES
from ..report import exports
from ..report.exports import printed_pvalue
from ..report.verdicts import digits_for, told_pvalue
from ..significance.comparisons import for_print
from ..significance.results import TestResult
from . import figures
from .model import PITFALL, Model, State
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
    shown = model.shown(state)
    table = model.scores(state)
    percent = 100 * state.analysis.confidence_level
    digits = digits_for(table["score"])
    printed = pd.DataFrame(
        {
            "system": table["system"],
            shown.label: [f"{x:.{digits}f}" for x in table["score"]],
            f"{percent:g} % interval": [
                f"{low:.{digits}f} to {high:.{digits}f}"
                for low, high in zip(table["ci_low"], table["ci_high"], strict=True)
            ],
            "letters": table["letters"],
        }
    )
    better = "Higher" if shown.metric.higher_is_better else "Lower"
    return (
        figures.image(figures.scores(table, shown.label, state.pair, percent))
        + _caption(
            f"{better} is better. Intervals of two systems may overlap although the systems "
            "differ significantly: the same segments are behind both. Systems that share a letter "
            "are not distinguished."
        )
        + _table(printed)
    )


def null_distribution(model: Model, state: State) -> str:
    """What the pair's difference is compared with, and the counted tails."""
    result = model.result(state)
    row = model.row(state)
    told = told_pvalue(result.pvalue)
    family = model.comparisons(state).n_comparisons
    if state.analysis.correction and family > 1:
        adjusted = told_pvalue(
            row["pvalue_adjusted"],
            f"adjusted for {family} comparisons: p",
            at_floor=row["at_floor"],
        )
        told = f"{told}; {adjusted} ({state.analysis.correction})"
    # That documents are known is said below the verdict, for all pairs.
    notes = "".join(
        f"<li>{html.escape(n)}</li>" for n in result.notes if "documents are known" not in n
    )
    return (
        f'<p class="mtsig-p">{html.escape(told)}</p>'
        + figures.image(figures.null_distribution(result))
        + _caption(
            f"{result.n_resamples:,} {result.draws}, where chance alone is at work. Dashed: where "
            "counting begins. Coloured: what is counted."
            if result.test != "paired-bootstrap"
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
    rows = []
    for name, found in model.tests(state).items():
        procedure = PROCEDURES[name]
        chosen = name == state.analysis.test
        marks = " mtsig-chosen" * chosen + " mtsig-bad" * (name == PITFALL)
        title = html.escape(procedure.title)
        if chosen:
            title = f"<strong>{title}</strong> (chosen)"
        if name == PITFALL:
            title += ' <span class="mtsig-badge">pitfall</span>'
        if isinstance(found, TestResult):
            low, high = found.pvalue_interval
            cells = [
                printed_pvalue(found.pvalue),
                "exact" if found.exact else f"{low:.4f} to {high:.4f}",
                f"{found.count:,} of {found.n_resamples:,}",
            ]
        else:
            cells = ["–", "only two-sided" if name == PITFALL else found, "–"]
        numbers = "".join(f'<td class="mtsig-right">{html.escape(c)}</td>' for c in cells)
        source = html.escape(procedure.source)
        rows.append(f'<tr class="{marks.strip()}"><td>{title}</td>{numbers}<td>{source}</td></tr>')
    heads = ["test", "p", "95 % interval of p", "counted", "source"]
    right = {"p", "95 % interval of p", "counted"}
    head = "".join(
        f'<th class="mtsig-right">{h}</th>' if h in right else f"<th>{h}</th>" for h in heads
    )
    pair = model.result(state)
    return (
        f"<p>{html.escape(pair.system_a)} against {html.escape(pair.system_b)}, "
        f"{html.escape(pair.metric)}, {state.analysis.alternative}, nothing corrected.</p>"
        f'<div class="mtsig-wide"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
        + _caption(
            "The interval of p says how far the p-value is off for having drawn only so many "
            "resamples; it says nothing of the systems."
        )
    )


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
    sentence = "<br>".join(map(html.escape, found.sentence.split("\n")))
    return (
        figures.image(figures.cluster_diagram(found))
        + _caption("A bar joins systems of which no two are distinguished; bars may overlap.")
        + f"<p>{sentence}</p>"
        + _table(found.to_frame())
    )


def step_by_step(model: Model, state: State) -> str:
    """The algorithm's lines with the pair's numbers."""
    result = model.result(state)
    row = model.row(state)
    items = "".join(
        f'<li class="{"mtsig-mistake" if step.mistake else ""}"'
        f' style="margin-left:{1.5 * step.indent}em">'
        f"<code>{html.escape(step.line)}</code>"
        f'<div class="mtsig-value">{html.escape(step.value)}</div></li>'
        for step in steps(result)
    )
    correction = state.analysis.correction
    adjusted = (
        told_pvalue(
            row["pvalue_adjusted"], f"after correction ({correction}) p", at_floor=row["at_floor"]
        )
        if correction
        else "nothing is corrected for the number of comparisons"
    )
    concluded = (
        f"{adjusted}; at α = {state.analysis.alpha:g}, {row['system_a']} against "
        f"{row['system_b']}: {row['conclusion']}"
    )
    items += (
        "<li><code>compare p with α</code>"
        f'<div class="mtsig-value">{html.escape(concluded)}</div></li>'
    )
    procedure = PROCEDURES[state.analysis.test]
    return (
        f"<p><strong>{html.escape(procedure.title)}</strong>, {html.escape(procedure.source)}</p>"
        f'<ol class="mtsig-steps">{items}</ol>'
    )


def verdict(model: Model, state: State) -> str:
    """The plain-language verdict, and the warning where the pitfall is chosen."""
    bad = state.analysis.test == PITFALL
    warning = f'<p class="mtsig-pitfall" role="alert">{html.escape(WARNING)}</p>' if bad else ""
    notes = [n for n in model.comparisons(state).caveats if not (bad and "one tail" in n)]
    beware = "".join(f"<li>{html.escape(n[0].upper() + n[1:])}.</li>" for n in notes)
    return (
        f'<div class="mtsig-verdict{" mtsig-doubtful" * bad}" role="status" aria-live="polite">'
        f"<p>{html.escape(model.verdict(state))}</p></div>{warning}"
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


def _caption(text: str) -> str:
    return f'<p class="mtsig-caption">{html.escape(text)}</p>'


def _table(frame: pd.DataFrame, digits: int = 2) -> str:
    return f'<div class="mtsig-wide">{exports.to_html(frame, digits=digits)}</div>'


__all__ = ["FIRST_ANSWER", "PANELS", "WARNING", "verdict"]
