"""What the commands say, in every format."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from .. import __version__
from ..campaigns.embedded import list_campaigns, load
from ..conclusions.clustering import clusters
from ..report import exports
from ..report.page import Findings
from ..report.verdicts import digits_for, scores_for_print, verdict
from ..significance.comparisons import for_print
from ..statistics.sufficient import SufficientStatistics
from .options import Format
from .printing import Page, as_json, records

_WRITERS: dict[Format, Callable[..., str | None]] = {
    Format.latex: exports.to_latex,
    Format.markdown: exports.to_markdown,
}


def comparison_page(findings: Findings) -> Page:
    """Verdicts with what to beware of, for each metric scores and pairs, then how it was done."""
    comparisons = findings.comparisons
    page = Page()
    page.paragraph("\n".join(verdict(comparisons, metric=m) for m in comparisons.metrics))
    if comparisons.caveats:
        page.paragraph("\n".join(f"Note: {note}." for note in comparisons.caveats))
    table = findings.analysis.score_table
    if table is not None:
        page.paragraph(table.sentence)
    for metric in comparisons.metrics:
        summary = comparisons.summary(metric)
        digits = digits_for(summary["score"])
        page.table(scores_for_print(summary, metric, findings.analysis.confidence_level))
        pairs = comparisons.table[comparisons.table["metric"] == metric]
        unused = ["pvalue_adjusted"] if comparisons.correction is None else []
        page.table(for_print(pairs, "metric", "score_a", "score_b", *unused), digits=digits)
    page.paragraph("Systems that share a letter are not distinguished.")
    page.paragraph(comparisons.method)
    page.paragraph("\n".join(comparisons.metric_signatures.values()))
    return page


def comparison_as(form: Format, findings: Findings) -> str:
    """The comparisons as CSV, LaTeX, Markdown or JSON."""
    analysis, comparisons = findings.analysis, findings.comparisons
    if form is Format.csv:
        return str(comparisons.to_csv())
    digits = max(digits_for(scores) for scores in comparisons.scores.values())
    if form is Format.latex:
        return str(comparisons.to_latex(digits=digits))
    if form is Format.markdown:
        return str(comparisons.to_markdown(digits=digits))
    return as_json(
        {
            "version": __version__,
            "analysis": analysis.to_dict(),
            "test": comparisons.test,
            "correction": comparisons.correction,
            "n_comparisons": comparisons.n_comparisons,
            "alternative": comparisons.alternative,
            "alpha": comparisons.alpha,
            "counting": comparisons.counting.sentence,
            "n_resamples": comparisons.n_resamples,
            "seed": comparisons.rng,
            "unit": comparisons.unit,
            "n_units": comparisons.n_units,
            "test_set": comparisons.test_set,
            "verdicts": {m: verdict(comparisons, metric=m) for m in comparisons.metrics},
            "signatures": comparisons.metric_signatures,
            "higher_is_better": comparisons.higher_is_better,
            "unused_columns": analysis.score_table.unused if analysis.score_table else {},
            "scores": {m: scores.to_dict() for m, scores in comparisons.scores.items()},
            "clusters": {
                m: clusters(comparisons.conclusions(metric=m)).groups for m in comparisons.metrics
            },
            "notes": comparisons.caveats,
            "pairs": records(comparisons.table),
        }
    )


def score_page(statistics: Sequence[SufficientStatistics]) -> Page:
    """One row per system, best first under the first metric, and the metrics' signatures."""
    page = Page()
    table = _scores(statistics)
    for s in statistics:
        digits = digits_for(table[s.label])
        table[s.label] = [f"{score:.{digits}f}" for score in table[s.label]]
    page.table(table)
    page.paragraph("\n".join(s.signature for s in statistics))
    return page


def scores_as(form: Format, statistics: Sequence[SufficientStatistics]) -> str:
    """The scores as CSV, LaTeX, Markdown or JSON."""
    table = _scores(statistics)
    if form is Format.csv:
        return str(exports.to_csv(table))
    if form is Format.json:
        return as_json(
            {
                "version": __version__,
                "signatures": {s.label: s.signature for s in statistics},
                "systems": records(table),
            }
        )
    digits = max(digits_for(table[s.label]) for s in statistics)
    return str(_WRITERS[form](table, digits=digits))


def _scores(statistics: Sequence[SufficientStatistics]) -> pd.DataFrame:
    best_first = statistics[0].scores().index
    scores = {s.label: s.scores().reindex(best_first) for s in statistics}
    return pd.DataFrame(scores).rename_axis("system").reset_index()


def dataset_page(name: str | None) -> Page:
    """The list of campaigns, or one campaign's facts."""
    page = Page()
    if name is None:
        page.table(_campaigns())
        page.paragraph("mtsig datasets NAME says more of one.")
        return page
    facts = load(name).facts()
    page.table(pd.DataFrame({name: facts.keys(), "": facts.values()}))
    return page


def datasets_as(form: Format, name: str | None) -> str:
    """The same as CSV, LaTeX, Markdown or JSON."""
    if name is not None:
        facts = load(name).facts()
        if form is Format.json:
            return as_json({"name": name, **facts})
        table = pd.DataFrame({"fact": facts.keys(), "value": facts.values()})
    else:
        table = list_campaigns() if form in (Format.csv, Format.json) else _campaigns()
        if form is Format.json:
            return as_json({"campaigns": records(table)})
    if form is Format.csv:
        return str(exports.to_csv(table))
    return str(_WRITERS[form](table))


def _campaigns() -> pd.DataFrame:
    columns: list[Any] = ["name", "systems", "segments", "documents", "metrics", "human"]
    return list_campaigns()[columns]
