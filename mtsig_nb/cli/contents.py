"""What the commands say, in every format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from .. import __version__
from ..campaigns.embedded import list_campaigns, load
from ..conclusions.clustering import clusters
from ..report import exports
from ..report.analysis import Analysis
from ..report.exports import Column, summary_table
from ..report.page import Findings
from ..report.system_table import legend, pairs_table, system_table
from ..report.verdicts import digits_for, family_note, in_words, verdict
from ..significance.all_pairs import compare_all
from ..significance.comparisons import Comparisons
from ..significance.other_tools import OTHER_TOOLS
from ..significance.over_test_sets import OVERALL, SetComparisons
from ..significance.planning import minimum_detectable_difference
from ..statistics.sufficient import SufficientStatistics
from .options import Format
from .printing import WRITERS, Answer, Page, records, width_of

#: Rows of tables after which the verdict is said once more.
LONG = 20
#: Different notes on single pairs that are listed.
MOST_NOTES = 4
#: So many test sets are listed without being asked for.
MOST_LISTED = 12
#: The metrics that sacreBLEU computes.
_SACREBLEUS = ("BLEU", "chrF", "TER")
#: Where its tests depart, in few words; `mtsig_nb.significance.other_tools` has more.
_DEPARTURES = {
    "sacrebleu-bs": "it counts one of the two tails, so that p is too small, by about "
    "half where the resamples are symmetric",
    "sacrebleu-ar": "it does not count ties, which matters where few segments differ",
}
#: Of the JSON; raised when a name goes or changes its meaning.
SCHEMA_VERSION = 1


def _comparison_page(
    findings: Findings,
    sets: SetComparisons | None,
    baseline: str | None,
    pairs: bool,
    digits: int | None,
    beside: Sequence[str],
    people: bool,
) -> Page:
    """The verdict with what to beware of, the table of systems, then how it was done.

    `beside` are lines that belong to the verdict; a long page ends with it once more.  `people`
    adds how often people agree with differences of these sizes.
    """
    comparisons = findings.comparisons if sets is None else sets.overall
    page = Page()
    verdicts = "\n".join(
        verdict(comparisons, metric=m, baseline=baseline) for m in comparisons.metrics
    )
    page.paragraph(verdicts)
    if sets is None:
        notes = [*comparisons.caveats, family_note(comparisons), *_pair_notes(comparisons)]
    else:
        notes = list(sets.caveats)
    said = [f"Note: {in_words(note, '--{} {}')}." for note in notes if note]
    if said or beside:
        page.paragraph("\n".join([*beside, *said]))
    table = findings.analysis.score_table
    if table is not None:
        page.paragraph(table.sentence)
    for columns in _fitting(comparisons, baseline, digits, page.width):
        page.table(columns)
    page.paragraph(legend(comparisons, baseline=baseline))
    if sets is None:
        page.paragraph("\n".join(_detectable(findings)))
    else:
        _add_test_sets(page, sets, whole=pairs, digits=digits)
    for metric in comparisons.metrics if people else ():
        _add_people(page, comparisons, metric, baseline)
    for metric in comparisons.metrics if pairs else ():
        page.table(pairs_table(comparisons, metric, digits=digits))
    if sets is None and len(comparisons.table) > len(comparisons.metrics) and not pairs:
        page.paragraph("All pairs: --pairs.")
    page.paragraph((sets or comparisons).methods_sentence())
    if sets is None:
        page.paragraph("\n".join(comparisons.signature.split(" || ")))
    if page.n_lines > LONG:
        page.paragraph(verdicts)
    return page


def _add_test_sets(page: Page, sets: SetComparisons, *, whole: bool, digits: int | None) -> None:
    """A row for each metric and test set, or how many pairs single ones distinguish."""
    single = sets.by_test_set[sets.by_test_set["test_set"] != OVERALL]
    if len(single) > MOST_LISTED and not whole:
        ends = single.sort_values("distinguished", kind="stable").iloc[[0, -1]]
        fewest, most = (f"{row.distinguished} on {row.test_set}" for row in ends.itertuples())
        page.paragraph(
            f"Distinguished on single test sets: {fewest} to {most}, of {single['pairs'].max()} "
            "pairs. All test sets, and all pairs over them: --pairs; all pairs on each: --format "
            "csv."
        )
        return
    rows = []
    for _, one in single.iterrows():
        conclusions = sets.conclusions(metric=one["metric"])
        estimate = one["n_effective"]
        about = "" if np.isnan(estimate) else f"≈{estimate:.0f}, "
        rows.append(
            {
                "metric": one["metric"],
                "test_set": one["test_set"],
                sets.unit: one["n_units"],
                "worth": f"{about}≥{one['n_effective_least']:.0f}",
                "distinguished": f"{one['distinguished']} of {one['pairs']}",
                "best": conclusions.systems[0],
                "not distinguished from it": int((conclusions.matrix[0, 1:] == 0).sum()),
            }
        )
    unneeded = ["metric"] * (len(sets.overall.metrics) == 1)
    listed = pd.DataFrame(rows).drop(columns=unneeded)
    page.table(listed, digits=2 if digits is None else digits)


def _detectable(findings: Findings) -> Iterator[str]:
    """How large a true difference has to be for this test set to show it."""
    comparisons = findings.comparisons
    family = comparisons.n_comparisons if comparisons.correction else 1
    for statistics in findings.statistics:
        found = minimum_detectable_difference(
            statistics,
            alpha=comparisons.alpha,
            alternative=findings.analysis.alternative,
            comparisons=family,
            units=findings.analysis.units,
        )
        yield found.sentence.partition("\n")[0]


def _add_people(page: Page, comparisons: Comparisons, metric: str, baseline: str | None) -> None:
    """What people said of systems as far apart as these are from the best, or the baseline."""
    from ..meta_evaluation.by_size import agreement_by_size  # slow to import

    table = summary_table(comparisons, metric=metric, against=baseline).set_index("system")
    differences = table["difference"].dropna()
    differences = differences[differences != 0]
    found = agreement_by_size(metric, differences.tolist())
    shown = found.table.assign(system=differences.index, difference=differences.to_numpy())
    page.table(shown[["system", "difference", "agree", "low", "high", "pairs", "campaigns"]])
    page.paragraph(
        f"agree: of the pairs of systems in {found.pairs['campaign'].nunique()} embedded campaigns "
        f"that {metric} puts about as far apart, the share that people order alike, with "
        "95% limits (campaigns as units)."
    )


def by_sacrebleu(findings: Findings, tool: str, baseline: str | None) -> list[str]:
    """What sacreBLEU prints for the same systems, in a line."""
    peer, analysis = OTHER_TOOLS[tool], findings.analysis
    option = peer.title.rpartition(" ")[2]
    theirs = [s for s in findings.statistics if s.metric.name in _SACREBLEUS]
    if not theirs:
        return [f"sacreBLEU has none of these metrics, and so no {option} of them."]
    against = theirs[0].systems[0] if baseline is None else baseline
    found = compare_all(
        theirs,
        test=peer.procedure,
        counting=peer.counting,
        n_resamples=analysis.n_resamples or peer.n_resamples,
        correction=None,
        exact=False,
        interval=None,
        rng=analysis.seed,
    )
    said = []
    for metric, rows in found.table.groupby("metric", sort=False):
        pairs = zip(rows["system_a"], rows["system_b"], rows["pvalue"], strict=True)
        printed = [
            f"{b if a == against else a} {peer.show(p)}" for a, b, p in pairs if against in (a, b)
        ]
        said.append(f"{metric} {', '.join(printed)}")
    return [
        f"sacreBLEU's {option} would print, up to its own draws, p = {'; '.join(said)} (each "
        f"against {against}, uncorrected): {_DEPARTURES[tool]}."
    ]


def _fitting(
    comparisons: Comparisons, baseline: str | None, digits: int | None, width: int
) -> Iterator[list[Column]]:
    """All metrics in one table, without p if need be; or else as many in each as there is room."""
    make = partial(system_table, comparisons, baseline=baseline, digits=digits)
    waiting = list(comparisons.metrics)
    whole = make()
    if len(waiting) == 1 or width_of(whole) <= width:
        yield whole
        return
    while waiting:
        n = len(waiting)
        while n > 1 and width_of(make(metrics=waiting[:n], brief=True)) > width:
            n -= 1
        yield make(metrics=waiting[:n], brief=True)
        del waiting[:n]


def _pair_notes(comparisons: Comparisons) -> Iterator[str]:
    """What is to be known of single pairs, said once for all of which it is true."""
    notes = (one for several in comparisons.table["note"] for one in several.values["notes"])
    counts = Counter(one for one in notes if one.code != "uncertain")
    for note, n in list(counts.items())[:MOST_NOTES]:
        yield f"{note} ({n} of {len(comparisons.table)} comparisons)" if n > 1 else str(note)
    if len(counts) > MOST_NOTES:
        yield f"{len(counts) - MOST_NOTES} more notes on single pairs: see --pairs"


def comparison(
    findings: Findings,
    sets: SetComparisons | None = None,
    *,
    baseline: str | None = None,
    pairs: bool = False,
    digits: int | None = None,
    beside: Sequence[str] = (),
    people: bool = False,
) -> Answer:
    """All pairs of systems, or all pairs over several test sets and on each of these."""
    comparisons = findings.comparisons if sets is None else sets.overall
    shown: dict[str, Any] = {"baseline": baseline, "digits": digits}

    def paper(form: Format) -> str | None:
        if form is Format.latex:
            return comparisons.to_latex(pairs=pairs, **shown)
        if not pairs:
            return exports.to_markdown(system_table(comparisons, **shown))
        fitting = max(digits_for(scores) for scores in comparisons.scores.values())
        return comparisons.to_markdown(digits=fitting if digits is None else digits)

    return Answer(
        lambda: _comparison_page(findings, sets, baseline, pairs, digits, beside, people),
        lambda: comparisons.table if sets is None else sets.table,
        lambda: _content(findings, comparisons, sets, baseline),
        paper,
    )


def _content(
    findings: Findings,
    comparisons: Comparisons,
    sets: SetComparisons | None,
    baseline: str | None,
) -> dict[str, Any]:
    """All of it for JSON; `comparisons` are those over all test sets."""
    analysis, whole = findings.analysis, comparisons if sets is None else sets
    common = {
        "schema_version": SCHEMA_VERSION,
        "version": __version__,
        "analysis": analysis.to_dict(),
        "signature": whole.signature,
        "methods_sentence": whole.methods_sentence(),
        "verdicts": {
            m: verdict(comparisons, metric=m, baseline=baseline) for m in comparisons.metrics
        },
        "notes": list(whole.caveats),
        "scores": {m: scores.to_dict() for m, scores in whole.scores.items()},
        "clusters": {
            m: clusters(comparisons.conclusions(metric=m)).groups for m in comparisons.metrics
        },
        "pairs": records(whole.table),
    }
    if sets is not None:
        return common | {
            "test_sets": records(sets.by_test_set),
            "pairing": records(sets.pairing),
        }
    return common | {
        "baseline": baseline,
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
        "signatures": comparisons.metric_signatures,
        "higher_is_better": comparisons.higher_is_better,
        "unused_columns": analysis.score_table.unused if analysis.score_table else {},
        "score_intervals": {
            m: bounds.to_dict("index") for m, bounds in comparisons.score_intervals.items()
        },
        "confidence_level": comparisons.confidence_level,
        "interval": comparisons.interval,
        "interval_resamples": comparisons.interval_resamples,
        "notes": [n for n in (*comparisons.caveats, family_note(comparisons)) if n],
    }


def of_pairs(
    page: Callable[[], Page],
    analysis: Analysis,
    *,
    systems: pd.DataFrame,
    pairs: pd.DataFrame,
    paper: pd.DataFrame,
    digits: int,
    **said: Any,
) -> Answer:
    """What is made of all pairs without the tables of `comparison`; `paper` is what LaTeX gets."""
    content = {
        "schema_version": SCHEMA_VERSION,
        "version": __version__,
        "analysis": analysis.to_dict(),
        **said,
        "systems": records(systems),
        "pairs": records(pairs),
    }
    return Answer(
        page, lambda: pairs, lambda: content, lambda form: WRITERS[form](paper, digits=digits)
    )


def measured(statistics: Sequence[SufficientStatistics], *, digits: int | None = None) -> Answer:
    """One row per system, best first under the first metric, and the metrics' signatures."""
    best_first = statistics[0].scores().index
    scores = {s.label: s.scores().reindex(best_first) for s in statistics}
    table = pd.DataFrame(scores).rename_axis("system").reset_index()
    places = {m: digits_for(table[m]) if digits is None else digits for m in scores}

    def page() -> Page:
        page = Page()
        cells = {m: [f"{score:.{n}f}" for score in table[m]] for m, n in places.items()}
        page.table(table.assign(**cells))
        page.paragraph("\n".join(s.signature for s in statistics))
        return page

    return Answer(
        page,
        lambda: table,
        lambda: {
            "version": __version__,
            "signatures": {s.label: s.signature for s in statistics},
            "systems": records(table),
        },
        lambda form: WRITERS[form](table, digits=max(places.values())),
    )


def campaigns() -> Answer:
    """The list of embedded campaigns."""
    table = list_campaigns()
    columns: list[Any] = ["name", "systems", "segments", "documents", "metrics", "human"]

    def page() -> Page:
        page = Page()
        page.table(table[columns])
        page.paragraph("mtsig datasets NAME says more of one.")
        return page

    return Answer(
        page,
        lambda: table,
        lambda: {"campaigns": records(table)},
        lambda form: WRITERS[form](table[columns]),
    )


def campaign(name: str) -> Answer:
    """One campaign's facts."""
    facts = load(name).facts()
    table = pd.DataFrame({"fact": facts.keys(), "value": facts.values()})

    def page() -> Page:
        page = Page()
        page.table(table.set_axis([name, ""], axis=1))
        return page

    return Answer(page, lambda: table, lambda: {"name": name, **facts})
