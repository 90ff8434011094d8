"""The explorer's pictures, in HTML that follows the page's width: their words never shrink with it.

Made of tables and one stretched path in place of matplotlib's figures: a change is drawn in a
few milliseconds, in a few kilobytes.  What can be taken away is drawn by
:mod:`mtsig_nb.report.figures`.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from html import escape

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..conclusions.clustering import Clusters, best_first
from ..conclusions.deciding import Conclusions
from ..engine.design import PAIR
from ..engine.procedures import Procedure
from ..engine.resampling import Resampling
from ..report.verdicts import digits_for, told_pvalue
from ..significance.histograms import bin_edges, counted_from
from ..significance.results import TestResult
from .steps import number_of

_UNITS_SHOWN = 16  # of the first resample
_DARKER = (0.01, 0.001)  # levels at which the shade of a cell changes, below alpha
_PLAIN, _COUNTED, _LINE = "#c9ced6", "#d55e00", "#222222"


def legend(**entries: str) -> str:
    """What colours mean: the class of a swatch, and its meaning."""
    items = (
        f'<span><span class="mtsig-swatch mtsig-{name}"></span>{escape(meaning)}</span>'
        for name, meaning in entries.items()
    )
    return f'<p class="mtsig-legend">{" ".join(items)}</p>'


def histogram(result: TestResult) -> str:
    """What the observed difference is compared with, the counted part coloured."""
    edges, extreme = bin_edges(result), result.extreme
    values = np.clip(result.null_distribution, edges[0], edges[-1])
    counted = np.histogram(values[extreme], edges)[0]
    others = np.histogram(values[~extreme], edges)[0]
    tallest = max(1, int((counted + others).max()))
    # A margin in which what is said of the outermost mark has its place.
    low, high = 1.2 * float(edges[0]), 1.2 * float(edges[-1])

    def at(x: float) -> float:
        return 100 * (x - low) / (high - low)

    def bars(heights: npt.NDArray[np.int64], colour: str) -> str:
        steps = (
            f"M{at(left):.3f} 100V{100 - 96 * height / tallest:.3f}H{at(right):.3f}V100Z"
            for left, right, height in zip(edges[:-1], edges[1:], heights, strict=True)
            if height
        )
        return f'<path fill="{colour}" d="{"".join(steps)}"/>'

    marks = [edge for edge, _ in counted_from(result)]
    lines = "".join(
        f'<path stroke="{_LINE}" {how} d="M{at(x):.3f} 0V100" vector-effect="non-scaling-stroke"/>'
        for x, how in [(0.0, 'stroke-width=".7"'), *((m, 'stroke-dasharray="5 3"') for m in marks)]
    )
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="700" height="220" '
        f'preserveAspectRatio="none">{bars(others, _PLAIN)}{bars(counted, _COUNTED)}{lines}</svg>'
    )
    alt = (
        f"Histogram of {len(values):,} values for the {result.title} of {result.system_a} against "
        f"{result.system_b}; {int(extreme.sum()):,} are counted, {told_pvalue(result.pvalue)}."
    )
    data = base64.b64encode(drawing.encode()).decode("ascii")
    number = number_of(result)
    axis = result.procedure.axis if result.procedure else "difference"
    ticks = "".join(
        f'<span style="left:{at(x):.2f}%">{number(x)}</span>'
        if x
        else f'<span style="left:{at(x):.2f}%">0</span>'
        for x in _apart(sorted({0.0, *marks}), (high - low) / 12)
    )
    return (
        legend(
            plain="not counted",
            counted=f"counted: {int(extreme.sum()):,} of {len(values):,}",
        )
        + f'<div class="mtsig-plot"><img class="mtsig-figure mtsig-histogram" alt="{escape(alt)}" '
        f'src="data:image/svg+xml;base64,{data}">'
        f'<div class="mtsig-ticks" aria-hidden="true">{ticks}</div>'
        f'<p class="mtsig-axis">{escape(axis)} ({escape(result.metric)})</p></div>'
    )


def _apart(values: Sequence[float], least: float) -> list[float]:
    """Of values in order, those that can be labelled: zero, and what is not too near to it."""
    return [x for x in values if x == 0 or abs(x) >= least]


def first_resample(result: TestResult) -> str:
    """What the first resample made of the first units: the very draws that the test has made."""
    procedure = result.procedure or Procedure()
    plan = Resampling(procedure.kind, (), PAIR, 1, result.n_units, int(result.rng or 0))
    drawn = plan.weights(0)[0][:_UNITS_SHOWN].tolist()
    unit = result.unit.removesuffix("s")
    if procedure.linearises:
        rows = [("sign", [("a", "+") if kept else ("b", "−") for kept in drawn])]
        means = legend(a="sign kept", b="sign turned")
    elif procedure.kind == "shuffle":
        rows = [
            (f"“{name}”", [("a" if kept == (row == 0) else "b", "") for kept in drawn])
            for row, name in enumerate("AB")
        ]
        means = legend(a=f"output of {result.system_a} (A)", b=f"output of {result.system_b} (B)")
    else:
        rows = [("drawn", [(f"n{min(k, 3)}", str(k)) for k in drawn])]
        means = ""
    lines = "".join(
        f"<tr><th>{name}</th>"
        + "".join(f'<td class="mtsig-{kind}">{text}</td>' for kind, text in cells)
        + "</tr>"
        for name, cells in rows
    )
    which = "one of the ways" if result.exact else f"the first of the {escape(result.draws)}"
    what = "Exchanged or not" if procedure.kind == "shuffle" else "How often drawn"
    what = "Signs turned or not" if procedure.linearises else what
    return (
        f'{means}<table class="mtsig-strip" aria-label="{what}, {unit} by {unit}">{lines}</table>'
        f'<p class="mtsig-caption">{what}: the first {len(drawn)} of {result.n_units:,} '
        f"{escape(result.unit)}, in {which}.</p>"
    )


def score_table(table: pd.DataFrame, metric: str, pair: tuple[str, str], percent: float) -> str:
    """Each system's score with its interval, drawn and in figures; the pair in view marked.

    Parameters
    ----------
    table : DataFrame
        system, score, ci_low, ci_high and letters; best first.
    metric : str
    pair : tuple of str
    percent : float
        Of the intervals.
    """
    digits = digits_for(table["score"])
    low, high = float(table["ci_low"].min()), float(table["ci_high"].max())
    scale = 100 / ((high - low) or 1.0)
    rows = []
    columns = ("system", "score", "ci_low", "ci_high", "letters")
    for system, score, low_end, high_end, letters in zip(
        *(table[column].tolist() for column in columns), strict=True
    ):
        left, width = scale * (low_end - low), scale * (high_end - low_end)
        bar = (
            f'<div class="mtsig-range"><span style="left:{left:.2f}%;width:{width:.2f}%"></span>'
            f'<em style="left:{scale * (score - low):.2f}%"></em></div>'
        )
        chosen = ' class="mtsig-chosen"' if system in pair else ""
        rows.append(
            f'<tr{chosen}><td class="mtsig-name">{escape(system)}</td>'
            f'<td class="mtsig-right">{score:.{digits}f}</td>'
            f'<td class="mtsig-drawn">{bar}</td>'
            f'<td class="mtsig-right">{low_end:.{digits}f} to {high_end:.{digits}f}</td>'
            f"<td>{escape(letters)}</td></tr>"
        )
    return (
        '<div class="mtsig-wide"><table class="mtsig-scores"><thead><tr><th>system</th>'
        f'<th class="mtsig-right">{escape(metric)}</th>'
        f'<th colspan="2">{percent:g} % interval</th><th>letters</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>" + legend(chosen="the pair in view")
    )


def heatmap(conclusions: Conclusions, pair: tuple[str, str]) -> str:
    """All pairs at a glance, after Graham et al. (2014), Figure 8."""
    ranked = best_first(conclusions)
    n, alpha = len(ranked.systems), ranked.alpha or 0.05
    levels = [alpha, *(level for level in _DARKER if level < alpha)]
    p = ranked.pvalues if ranked.pvalues is not None else np.full((n, n), alpha)
    shades = (ranked.matrix == 1) * sum((p <= level).astype(int) for level in levels)
    open_ = {frozenset(two) for two in ranked.unresolved}
    rows = []
    for i, system in enumerate(ranked.systems):
        cells = []
        for j, other in enumerate(ranked.systems):
            kind = "self" if i == j else f"p{shades[i, j]}"
            view = " mtsig-view" if {system, other} == set(pair) else ""
            text = "?" if {system, other} in open_ else ""
            says = f"{system} {ranked.word(system, other)} than {other}" if shades[i, j] else ""
            title = f' title="{escape(says)}"' if says else ""
            cells.append(f'<td class="mtsig-{kind}{view}"{title}>{text}</td>')
        name = f'<td class="mtsig-name">{i + 1} {escape(system)}</td>'
        rows.append(f"<tr>{name}{''.join(cells)}</tr>")
    heads = "".join(f"<th>{j + 1}</th>" for j in range(n))
    shown = {f"p{k + 1}": f"better, p ≤ {level:g}" for k, level in enumerate(levels)}
    shown |= {"p0": "not shown better", "view": "the pair in view"}
    if open_:
        shown["open"] = "?: more resamples are needed"
    return (
        legend(**shown) + '<div class="mtsig-wide"><table class="mtsig-grid">'
        f"<thead><tr><th>row better than column</th>{heads}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def cluster_bars(found: Clusters, pair: tuple[str, str]) -> str:
    """Clusters as columns, after Stroppa & Owczarzak (2007), Figure 1; coloured by the pair."""
    kinds = [("none", "one", "both")[len(set(pair) & set(group))] for group in found.groups]
    scores = found.conclusions.scores
    digits = 2 if scores is None else digits_for(scores.tolist())
    rows = []
    for i, system in enumerate(found.systems):
        score = "" if scores is None else f"{scores[i]:.{digits}f}"
        cells = "".join(
            f'<td><span class="mtsig-bar mtsig-{kind}"></span></td>'
            if system in group
            else "<td></td>"
            for kind, group in zip(kinds, found.groups, strict=True)
        )
        rows.append(
            f'<tr><td class="mtsig-name">{escape(system)}</td>'
            f'<td class="mtsig-right">{score}</td>{cells}</tr>'
        )
    heads = "".join(f"<th>{name}</th>" for name in found.names)
    means = {
        "both": "a cluster that has both of the pair in view: they are not distinguished",
        "one": "has one of the pair",
        "none": "has neither",
    }
    return (
        legend(**{kind: text for kind, text in means.items() if kind in kinds})
        + '<div class="mtsig-wide"><table class="mtsig-grid"><thead><tr><th>system</th><th></th>'
        f"{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


__all__ = ["cluster_bars", "first_resample", "heatmap", "histogram", "legend", "score_table"]
