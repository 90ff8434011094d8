"""What the commands say: paragraphs and tables for reading, tables for papers, all for JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd

from .. import __version__
from ..campaigns.embedded import list_campaigns, load
from ..conclusions.clustering import clusters
from ..conclusions.deciding import WORDS
from ..errors import InputError
from ..notes import with_options
from ..report.analysis import Analysis
from ..report.exports import Column, summary_table, to_markdown
from ..report.page import Findings, report_page
from ..report.system_table import by_test_set, legend, pairs_table, system_table
from ..report.verdicts import digits_for, family_note, verdict
from ..significance.comparisons import Comparisons
from ..significance.other_tools import reported_by
from ..significance.over_test_sets import SetComparisons
from ..significance.planning import minimum_detectable_difference
from ..statistics.sufficient import SufficientStatistics
from .options import Format
from .printing import Answer, Block, rounded, width_of

#: Different notes on single pairs that are listed.
MOST_NOTES = 4
#: The metrics that sacreBLEU computes.
_SACREBLEUS = ("BLEU", "chrF", "TER")
#: Where its tests depart, in few words; `mtsig_nb.significance.other_tools` has more.
_DEPARTURES = {
    "bs": "it counts one of the two tails, so that p is too small, by about half where the "
    "resamples are symmetric",
    "ar": "it does not count ties, which matters where few segments differ",
}
#: An option as it is typed, from its name and its value.
_TYPED = r"--\1 \2"
#: Of the JSON; raised when a name goes or changes its meaning.
SCHEMA_VERSION = 1


def comparison(
    findings: Findings,
    whole: Comparisons,
    *,
    baseline: str | None = None,
    pairs: bool = False,
    digits: int | None = None,
    beside: Sequence[str] = (),
    people: bool = False,
    title: str = "",
) -> Answer:
    """All pairs of systems, or all pairs over several test sets and on each of these.

    `beside` are lines that belong to the verdict; `people` adds how often people agree with
    differences of these sizes.
    """
    sets = whole if isinstance(whole, SetComparisons) else None
    comparisons, table = whole if sets is None else sets.overall, findings.analysis.score_table
    verdicts = {m: verdict(comparisons, metric=m, baseline=baseline) for m in comparisons.metrics}
    shown: dict[str, Any] = {"baseline": baseline, "digits": digits}

    def page(width: int) -> list[Block]:
        """The verdict with what to beware of, the table of systems, then how it was done."""
        blocks: list[Block] = ["\n".join(verdicts.values())]
        notes = list(whole.caveats)
        if sets is None:
            notes += [family_note(comparisons), *_pair_notes(comparisons)]
        if lines := [*beside, *(f"Note: {with_options(note, _TYPED)}." for note in notes if note)]:
            blocks.append("\n".join(lines))
        if table is not None:
            blocks.append(table.sentence)
        blocks += [*_fitting(comparisons, width, **shown), legend(comparisons, baseline=baseline)]
        if sets is None:
            blocks.append("\n".join(_detectable(findings)))
        else:
            blocks.append(by_test_set(sets, digits))
        for metric in comparisons.metrics if people else ():
            blocks += _people(comparisons, metric, baseline)
        if pairs:
            blocks += [pairs_table(comparisons, m, digits=digits) for m in comparisons.metrics]
        elif sets is None and len(comparisons.table) > len(comparisons.metrics):
            blocks.append("All pairs: --pairs.")
        blocks.append(whole.methods_sentence())
        if sets is None:
            blocks.append("\n".join(comparisons.signature.split(" || ")))
        return blocks

    def paper(form: Format) -> str:
        if form is Format.latex:
            return comparisons.to_latex(pairs=pairs, **shown)
        if not pairs:
            return to_markdown(system_table(comparisons, **shown))
        fitting = max(digits_for(scores) for scores in comparisons.scores.values())
        return comparisons.to_markdown(digits=fitting if digits is None else digits)

    return Answer(
        page,
        whole.table,
        _content(findings.analysis, whole, baseline, verdicts),
        paper,
        distinguished=bool(whole.table["conclusion"].isin([WORDS[1], WORDS[-1]]).any()),
        report=lambda: report_page(findings, title=title, baseline=baseline),
        beside=[*([] if sets or table is None else [table.sentence]), *beside],
    )


def _detectable(findings: Findings) -> Iterator[str]:
    """How large a true difference has to be for this test set to show it."""
    comparisons, analysis = findings.comparisons, findings.analysis
    family = comparisons.n_comparisons if comparisons.correction else 1
    asked: Any = {"alpha": analysis.alpha, "comparisons": family, "units": analysis.units}
    for s in findings.statistics:
        try:
            found = minimum_detectable_difference(s, alternative=analysis.alternative, **asked)
        except InputError:  # so few units that no test finds anything, as a note says
            continue
        yield found.sentence.partition("\n")[0]


def _people(comparisons: Comparisons, metric: str, baseline: str | None) -> Iterator[Block]:
    """What people said of systems as far apart as these are from the best, or the baseline."""
    from ..meta_evaluation.by_size import agreement_by_size  # slow to import

    table = summary_table(comparisons, metric=metric, against=baseline).set_index("system")
    differences = table["difference"].dropna()
    differences = differences[differences != 0]
    found = agreement_by_size(metric, differences.tolist())
    shown = found.table.assign(system=differences.index, difference=differences.to_numpy())
    yield shown[["system", "difference", "agree", "low", "high", "pairs", "campaigns"]]
    yield (
        f"agree: of the pairs of systems in {found.pairs['campaign'].nunique()} embedded campaigns "
        f"that {metric} puts about as far apart, the share that people order alike, with "
        "95% limits (campaigns as units)."
    )


def by_sacrebleu(findings: Findings, test: str, baseline: str | None) -> list[str]:
    """What sacreBLEU prints for the same systems, in a line."""
    theirs = [s for s in findings.statistics if s.metric.name in _SACREBLEUS]
    if not theirs:
        return [f"sacreBLEU has none of these metrics, and so no --paired-{test} of them."]
    against = theirs[0].systems[0] if baseline is None else baseline
    n, seed, said = findings.analysis.n_resamples, findings.analysis.seed, []
    for statistics in theirs:
        others = [system for system in statistics.systems if system != against]
        found = [
            reported_by(f"sacrebleu-{test}", statistics, against, other, n_resamples=n, rng=seed)
            for other in others
        ]
        printed = ", ".join(f"{one.theirs.system_b} {one.printed['p']}" for one in found)
        said.append(f"{statistics.label} {printed}")
    return [
        f"sacreBLEU's --paired-{test} would print, up to its own draws, p = {'; '.join(said)} "
        f"(each against {against}, uncorrected): {_DEPARTURES[test]}."
    ]


def _fitting(comparisons: Comparisons, width: int, **shown: Any) -> Iterator[list[Column]]:
    """All metrics in one table, without p if need be; or else as many in each as there is room."""
    make = partial(system_table, comparisons, **shown)
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


def _content(
    analysis: Analysis, whole: Comparisons, baseline: str | None, verdicts: Mapping[str, str]
) -> dict[str, Any]:
    """All of it for JSON."""
    sets = whole if isinstance(whole, SetComparisons) else None
    comparisons = whole if sets is None else sets.overall
    common = about(analysis) | {
        "signature": whole.signature,
        "methods_sentence": whole.methods_sentence(),
        "verdicts": verdicts,
        "notes": list(whole.caveats),
        "scores": {m: scores.to_dict() for m, scores in whole.scores.items()},
        "clusters": {
            m: clusters(comparisons.conclusions(metric=m)).groups for m in comparisons.metrics
        },
        "pairs": whole.table,
    }
    if sets is not None:
        return common | {"test_sets": sets.by_test_set, "pairing": sets.pairing}

    def same(*names: str) -> dict[str, Any]:
        return {name: getattr(comparisons, name) for name in names}

    return common | {
        "baseline": baseline,
        **same("test", "correction", "n_comparisons", "alternative", "alpha", "n_resamples"),
        "counting": comparisons.counting.sentence,
        "seed": comparisons.rng,
        **same("unit", "n_units", "test_set", "confidence_level", "interval", "interval_resamples"),
        "signatures": comparisons.metric_signatures,
        "higher_is_better": comparisons.higher_is_better,
        "unused_columns": analysis.score_table.unused if analysis.score_table else {},
        "score_intervals": {
            m: bounds.to_dict("index") for m, bounds in comparisons.score_intervals.items()
        },
        "notes": [n for n in (*comparisons.caveats, family_note(comparisons)) if n],
    }


def about(analysis: Analysis) -> dict[str, Any]:
    """What every JSON begins with."""
    return {
        "schema_version": SCHEMA_VERSION,
        "version": __version__,
        "analysis": analysis.to_dict(),
    }


def measured(statistics: Sequence[SufficientStatistics], *, digits: int | None = None) -> Answer:
    """One row per system, best first under the first metric, and the metrics' signatures."""
    best_first = statistics[0].scores().index
    scores = {s.label: s.scores().reindex(best_first) for s in statistics}
    table = pd.DataFrame(scores).rename_axis("system").reset_index()
    places = {m: digits_for(table[m]) if digits is None else digits for m in scores}
    cells = {m: table[m].map(f"{{:.{n}f}}".format) for m, n in places.items()}
    signatures = {s.label: s.signature for s in statistics}
    return Answer(
        lambda _: [table.assign(**cells), "\n".join(signatures.values())],
        table,
        {"version": __version__, "signatures": signatures, "systems": table},
        rounded(table, max(places.values())),
    )


def campaigns() -> Answer:
    """The list of embedded campaigns."""
    table = list_campaigns()
    shown = table[["name", "systems", "segments", "documents", "metrics", "human"]]
    page: list[Block] = [shown, "mtsig datasets NAME says more of one. Most need mtsig_nb_data."]
    return Answer(lambda _: page, table, {"campaigns": table}, rounded(shown))


def campaign(name: str) -> Answer:
    """One campaign's facts."""
    facts = load(name).facts()
    table = pd.DataFrame({"fact": facts.keys(), "value": facts.values()})
    shown = table.set_axis([name, ""], axis=1)
    return Answer(lambda _: [shown], table, {"name": name, **facts}, rounded(table))
