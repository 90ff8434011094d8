"""Stroppa & Owczarzak (2007): clusters of systems, by level, test and judge, on other data."""

from __future__ import annotations

import itertools
import time
import timeit
from functools import cache, partial
from typing import Any

import numpy as np
import pandas as pd

import mtsig_nb as mt

from ...repository.campaigns import campaign, statistics
from ..rows import Outcome, Value, answer, counted, rounded, table_of
from ..shared import SIX_METRICS, compared, number, people, text
from .stroppa_owczarzak import THEIR_METRICS
from .stroppa_owczarzak_people import EN_ES, ES_EN, corrected, judges

#: Tests without correction.
UNCORRECTED: dict[str, Any] = {"correction": None, "n_resamples": 2000, "rng": 2007}


def told_apart(conclusions: mt.Conclusions) -> int:
    """The number of pairs in which one system is concluded to be better."""
    return int(np.count_nonzero(conclusions.pairs()))


def n_clusters(conclusions: mt.Conclusions) -> int:
    """How many clusters, which may overlap, the conclusions make."""
    return len(mt.clusters(conclusions).groups)


# Figures 1 and 2: clusters.


def figure_1() -> Outcome:
    """Figure 1: systems as overlapping clusters.

    Printed: a drawing.
    Recomputed: the clusters of the twelve systems of WMT12 es-en by chrF at .05, as letters.
    """
    clustering = mt.clusters(judges(ES_EN)["chrF"])
    n_groups = pd.Series(0, clustering.systems)
    for group in clustering.groups:
        n_groups[list(group)] += 1
    return Outcome(
        Value("clusters", len(clustering.groups)),
        counted("systems in more than one", n_groups > 1),
        table=pd.DataFrame({"letters": clustering.letters()}).rename_axis("system"),
    )


def other_diagrams() -> Outcome:
    """Figure 2: clusters by other judges.

    Printed: drawings.
    Recomputed: the numbers of clusters by six metrics and by people, in two campaigns.
    """
    is_ordered = []
    columns: dict[str, dict[str, int]] = {}
    for name in (ES_EN, EN_ES):
        columns[name] = {}
        for judge, conclusions in judges(name).items():
            clustering = mt.clusters(conclusions)
            columns[name][judge] = len(clustering.groups)
            is_ordered.append(clustering.is_ordered)
    table = pd.DataFrame(columns).rename_axis("clusters by")
    return Outcome(
        Value("by people, es-en", table.loc["people", ES_EN]),
        Value("by BLEU, es-en", table.loc["BLEU", ES_EN]),
        counted("diagrams with one order", is_ordered),
        counted("told apart by people, es-en", judges(ES_EN)["people"].pairs() != 0),
        counted("told apart by BLEU, es-en", judges(ES_EN)["BLEU"].pairs() != 0),
        table=table,
    )


# Figures 3 to 5: the level of significance.


def levels() -> list[float]:
    """The six levels of Figure 3."""
    return [number(f"s-levels{k}") for k in range(1, 7)]


@cache
def in_their_way(name: str, metric: str) -> mt.Comparisons:
    """All pairs, the better system first: one-tailed, 1,000 shuffles, no correction."""
    given = statistics(name, metric)
    best_first = given.select(list(given.scores().index))
    options = UNCORRECTED | {"n_resamples": int(number("s-k")), "interval": None}
    return mt.compare_all(best_first, alternative="greater", **options)


def below(comparisons: mt.Comparisons, level: float) -> mt.Conclusions:
    """Conclusions from p < `level`, with p as in the paper: (c + 1) / k for c shuffles as extreme.

    Ours is (c + 1) / (k + 1), and `conclusions` takes p <= alpha.  Since level * k is whole,
    p < level is c + 1 <= level * k - 1/2; the half absorbs rounding.
    """
    k = number("s-k")
    return comparisons.conclusions((level * k - 0.5) / (k + 1))


def figure_3() -> Outcome:
    """Figure 3: clusters by the level of significance.

    Printed: drawings; the number of clusters at two levels (section 5), and which levels give the
    same (section 4.2).  From .002 to .05 clusters change very little (section 4.2).
    Recomputed: clusters of WMT12 es-en by chrF at the six levels, in the paper's way.
    Holds: if from .002 to .05 at most a tenth of the conclusions about pairs changes, and the
    number of clusters by at most a tenth.  In part: if one of the two is so.
    """
    by_level = {level: below(in_their_way(ES_EN, "chrF"), level) for level in levels()}
    table = clusters_by_level(by_level)
    lowest = min(by_level)
    first = number("s-stable")
    last = number("s-stable/value_to")
    at_first = by_level[first].pairs()
    changed = at_first != by_level[last].pairs()
    clusters = table["clusters, ours"]
    few_pairs = changed.sum() <= len(changed) / 10
    few_clusters = abs(clusters[last] - clusters[first]) <= clusters[first] / 10
    undecided = (at_first == 0).sum()
    return Outcome(
        Value(f"clusters at {lowest:g}", clusters[lowest]),
        Value(f"clusters at {last:g}", clusters[last]),
        counted(f"pairs that change from {first:g} to {last:g}", changed),
        Value(f"the same, of those not told apart at {first:g}", changed.sum(), of=undecided),
        Value(f"clusters at {first:g}", clusters[first]),
        holds=answer(few_pairs and few_clusters, few_pairs or few_clusters),
        table=table,
    )


def clusters_by_level(by_level: dict[float, mt.Conclusions]) -> pd.DataFrame:
    """What the paper says of the clusters at each level, and ours."""
    rows = {}
    for level, conclusions in by_level.items():
        rows[level] = {
            "fluency, said": printed_clusters("flu", level),
            "adequacy, said": printed_clusters("ade", level),
            "clusters, ours": n_clusters(conclusions),
            "told apart, ours": told_apart(conclusions),
            "of": len(conclusions.pairs()),
        }
    return table_of(rows, "level")


def printed_clusters(judged: str, level: float) -> str:
    """What sections 4.2 and 5 say of the clusters at a level, by fluency or adequacy."""
    if level == number("s-one"):
        return f"{text('s-clusters-one')} cluster"
    same = [number(f"s-same-{judged}{k}") for k in (1, 2, 3)]
    if level in same:
        others = [f"{other:g}" for other in same if other != level]
        return "the same as at " + ", ".join(others)
    if level == number(f"s-clusters-{judged}-p"):
        return f"{text(f's-clusters-{judged}')} clusters"
    return "not said"


def agreement_by_level() -> Outcome:
    """Figures 4 and 5: the agreement of metrics with people, by level.

    Printed: drawings; from .002 to .05 the agreement of a metric changes little (section 4.4).
    Recomputed: S of four metrics with people in WMT12 es-en at the six levels, metrics in the
    paper's way; with people's conclusions at the same level, and with those at .05.
    Holds: if from .002 to .05 S moves by at most a tenth for each metric, with people at the same
    level.  In part: if it does for one.
    """
    same_level = {}
    people_at_05 = {}
    for level in levels():
        same_level[level] = agreement_at(level, people_level=level)
        people_at_05[level] = agreement_at(level, people_level=0.05)
    table = table_of(same_level, "level")
    fixed = pd.DataFrame.from_dict(people_at_05, "index")

    first = number("s-flat-ade")
    last = number("s-flat-ade/value_to")
    spread = range_of_rows(table.loc[first:last])
    fixed_spread = range_of_rows(fixed.loc[first:last])
    little = spread <= 0.1
    suffix = f", highest less lowest from {first:g} to {last:g}"
    return Outcome(
        *rounded(".2f", spread.add_suffix(suffix)),
        *rounded(".2f", fixed_spread.add_suffix(", people at .05")),
        holds=answer(little.all(), little.any()),
        table=table,
    )


def range_of_rows(table: pd.DataFrame) -> pd.Series:
    """The highest value less the lowest one, of each column."""
    return table.max() - table.min()


def agreement_at(level: float, people_level: float) -> dict[str, float]:
    """S of each of their metrics, at one level, with people at another."""
    gold = campaign(ES_EN).human.conclusions(alpha=people_level)
    similarity = {}
    for metric in THEIR_METRICS:
        conclusions = below(in_their_way(ES_EN, metric), level)
        similarity[metric] = mt.ordered_rand(conclusions, gold)
    return similarity


# Section 3.1: intervals and time.


def overlapping_intervals() -> Outcome:
    """Section 3.1, a question of ours: clusters from intervals, beside those from a test on pairs.

    Printed: in words.
    Computed: in two campaigns, for their metrics, the pairs whose 95 % intervals do not overlap,
    and those that the test tells apart at the paper's level.
    Holds: if the test tells apart every pair whose intervals do not overlap.
    """
    rows = {}
    for name, metric in itertools.product((ES_EN, EN_ES), THEIR_METRICS):
        rows[name, metric] = intervals_beside_test(name, metric)
    table = table_of(rows, "campaign", "metric")
    total = table.sum()
    closer = table["S with people, intervals"] > table["S with people, test"]
    shown = ("told apart, intervals", "told apart, test", "intervals alone")
    return Outcome(
        *(Value(column, total[column], of=total["pairs"]) for column in shown),
        counted("closer to people by intervals", closer),
        holds=total["intervals alone"] == 0,
        table=table,
    )


def intervals_beside_test(name: str, metric: str) -> dict[str, float]:
    """Pairs told apart, clusters and S with people, by intervals and by the test on pairs."""
    level = number("s-level")
    tested = mt.compare_all(statistics(name, metric), **UNCORRECTED)
    disjoint = disjoint_intervals(tested)
    missed_by_test = disjoint & (tested.table["pvalue"] > level)
    pairs = zip(tested.table["system_a"], tested.table["system_b"], strict=True)
    by_intervals = dict(zip(pairs, disjoint.astype(int), strict=True))
    by_way = {
        "intervals": mt.Conclusions.from_pairs(by_intervals),
        "test": tested.conclusions(level),
    }
    counts: dict[str, float] = {}
    counts["pairs"] = len(disjoint)
    counts["intervals alone"] = missed_by_test.sum()
    for way, conclusions in by_way.items():
        counts[f"told apart, {way}"] = told_apart(conclusions)
        counts[f"clusters, {way}"] = n_clusters(conclusions)
        counts[f"S with people, {way}"] = mt.ordered_rand(conclusions, people(name))
    return counts


def disjoint_intervals(tested: mt.Comparisons) -> pd.Series:
    """Whether the intervals of each pair are disjoint; for one metric of which higher is better.

    In `tested`, ``system_a`` is always the better system.
    """
    (intervals,) = tested.score_intervals.values()
    low_of_better = tested.table["system_a"].map(intervals["ci_low"])
    high_of_worse = tested.table["system_b"].map(intervals["ci_high"])
    return low_of_better > high_of_worse


def speed() -> Outcome:
    """Section 3.1.1: the time of 1,000 shuffles of 500 segments.

    Printed: seconds for BLEU and for NIST.
    Recomputed: the processor's time on this machine, which is shown and not kept, and the number
    of multiplications, which does not depend on it.
    """
    shuffles = int(number("s-time-k"))
    segments = int(number("s-time-n"))
    multiplications = {}
    measured = {}
    for metric in ("BLEU", "NIST"):
        systems = statistics(ES_EN, metric).select(["uedin-wmt12", "QCRI--primary"])
        pair = systems.subset(np.arange(segments))
        options: dict[str, Any] = {"n_resamples": shuffles, "rng": 1, "exact": False}
        test = partial(mt.approximate_randomization, pair, *pair.systems, **options)
        # The processor's time, unlike the clock on the wall, is the same on a busy machine.
        seconds = timeit.repeat(test, timer=time.thread_time, number=1, repeat=20)
        printed = text(f"s-time-{metric.lower()}")
        name = f"{metric}, {shuffles:,} shuffles of {segments} segments (s; printed {printed})"
        measured[name] = min(seconds)
        millions = shuffles * pair.values.size / 1e6
        multiplications[f"million multiplications, {metric}"] = millions
    return Outcome(*rounded(".0f", multiplications), measured=measured)


# Future work: more systems, metrics, references and tests.


def more_systems() -> Outcome:
    """Future work: more systems.

    Recomputed: clusters of the 23 systems of WMT13 de-en by BLEU, and S with people on the 17 that
    they judged.
    """
    gold = people("wmt13/de-en")
    concluded = corrected(statistics("wmt13/de-en", "BLEU"), 2000)
    judged = concluded.reorder(gold.systems)
    return Outcome(
        Value("systems", len(concluded.systems)),
        counted("told apart", concluded.pairs() != 0),
        Value("clusters", n_clusters(concluded)),
        Value("similarity with people", mt.ordered_rand(judged, gold), ".2f"),
    )


def more_metrics() -> Outcome:
    """Future work: more metrics.

    Recomputed: the number of pairs of WMT12 es-en on which all six metrics conclude the same, the
    number of these on which people agree, and the number on which metrics contradict each other.
    """
    found = judges(ES_EN)
    systems = people(ES_EN).systems
    pairs = {}
    for judge, conclusions in found.items():
        pairs[judge] = conclusions.reorder(systems).pairs()
    by_judge = pd.DataFrame(pairs)
    metrics = by_judge[list(SIX_METRICS)]
    lowest = metrics.min(axis=1)
    highest = metrics.max(axis=1)
    agree = lowest == highest
    people_too = agree & (by_judge["people"] == lowest)
    contradict = (lowest == -1) & (highest == 1)
    apart = (by_judge != 0).sum()
    return Outcome(
        counted("pairs on which six metrics agree", agree),
        Value("and people with them", people_too.sum(), of=agree.sum()),
        counted("metrics contradict each other", contradict),
        table=apart.to_frame(f"told apart, of {len(by_judge)}").rename_axis("judge"),
    )


def several_references() -> Outcome:
    """Future work: several references.

    Recomputed: what BLEU concludes against one reference and against several, in three campaigns,
    and S of both with people.
    """
    references = {"wmt21/en-de": "A+C+D", "wmt21/de-en": "A+B", "wmt22/zh-en": "A+B"}
    rows: dict[str, dict[str, Any]] = {}
    for name, several in references.items():
        by_one = corrected(campaign(name).statistics("BLEU", references="A"), 2000)
        by_several = corrected(campaign(name).statistics("BLEU", references=several), 2000)
        shared = [system for system in people(name).systems if system in by_one.systems]
        gold = people(name).reorder(shared)
        rows[name] = {
            "references": several,
            "pairs": len(by_one.pairs()),
            "told apart, one": told_apart(by_one),
            "several": told_apart(by_several),
            "similarity of the two": mt.ordered_rand(by_one, by_several),
            "with people, one": mt.ordered_rand(by_one.reorder(shared), gold),
            "with people, several": mt.ordered_rand(by_several.reorder(shared), gold),
        }
    table = pd.DataFrame(rows).T.rename_axis("campaign")
    en_de = rows["wmt21/en-de"]
    closer = table["with people, several"] > table["with people, one"]
    return Outcome(
        Value("told apart, en-de, one reference", en_de["told apart, one"], of=en_de["pairs"]),
        Value("three references", en_de["several"], of=en_de["pairs"]),
        Value("similarity of the two", en_de["similarity of the two"], ".2f"),
        counted("campaigns closer to people with several", closer),
        table=table,
    )


def two_resamplings() -> Outcome:
    """Future work: the bootstrap in place of randomization.

    Recomputed: conclusions of both at .05, two-sided and uncorrected, in two campaigns under four
    metrics; in how many pairs they differ, and S of the two.
    """
    rows = {}
    for name, metric in itertools.product((ES_EN, EN_ES), ("BLEU", "NIST", "TER", "GTM")):
        shuffled = compared(name, metric, test="approximate-randomization", **UNCORRECTED)
        resampled = compared(name, metric, test="bootstrap", **UNCORRECTED)
        by_shuffles = shuffled.conclusions(0.05)
        by_resamples = resampled.conclusions(0.05).reorder(by_shuffles.systems)
        differ = by_shuffles.pairs() != by_resamples.pairs()
        rows[name, metric] = {
            "pairs that differ": differ.sum(),
            "pairs": differ.size,
            "similarity": mt.ordered_rand(by_shuffles, by_resamples),
        }
    table = table_of(rows, "campaign", "metric")
    return Outcome(
        counted("clusterings that are the same", table["pairs that differ"] == 0),
        Value("lowest similarity", table["similarity"].min(), ".3f"),
        table=table,
    )
