"""Stroppa & Owczarzak (2007): clusters of systems, by level, test and judge, on other data."""

from __future__ import annotations

import itertools
import time
import timeit
from collections import Counter
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

SEED = 2007
#: Tests without correction.
UNCORRECTED: dict[str, Any] = {"correction": None, "n_resamples": 2000, "rng": SEED}


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
    n_clusters_of = Counter(itertools.chain(*clustering.groups))
    in_several = [n_clusters_of[system] > 1 for system in clustering.systems]
    letters = pd.Series(clustering.letters(), name="letters")
    return Outcome(
        Value("clusters", len(clustering.groups)),
        counted("systems in more than one", in_several),
        table=letters.to_frame().rename_axis("system"),
    )


def other_diagrams() -> Outcome:
    """Figure 2: clusters by other judges.

    Printed: drawings.
    Recomputed: the numbers of clusters by six metrics and by people, in two campaigns.
    """
    is_ordered = []
    table = pd.DataFrame()
    for name in (ES_EN, EN_ES):
        clusterings = pd.Series(judges(name)).map(mt.clusters)
        table[name] = [len(clustering.groups) for clustering in clusterings]
        is_ordered += [clustering.is_ordered for clustering in clusterings]
    table.index = pd.Index(judges(ES_EN), name="clusters by")
    by_people = judges(ES_EN)["people"].pairs()
    by_bleu = judges(ES_EN)["BLEU"].pairs()
    return Outcome(
        Value("by people, es-en", table[ES_EN]["people"]),
        Value("by BLEU, es-en", table[ES_EN]["BLEU"]),
        counted("diagrams with one order", is_ordered),
        counted("told apart by people, es-en", by_people != 0),
        counted("told apart by BLEU, es-en", by_bleu != 0),
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
    ranking = list(given.scores().index)  # best first
    return mt.compare_all(
        given.select(ranking),
        alternative="greater",
        correction=None,
        interval=None,
        n_resamples=int(number("s-k")),
        rng=SEED,
    )


def conclusions_below(comparisons: mt.Comparisons, level: float) -> mt.Conclusions:
    """Conclusions from p < `level`, with p as in the paper: (c + 1) / k for c shuffles as extreme.

    Ours is (c + 1) / (k + 1), and `conclusions` takes p <= alpha.  Since level * k is whole,
    p < level is c + 1 <= level * k - 1/2; the half absorbs rounding.
    """
    k = number("s-k")
    alpha = (level * k - 0.5) / (k + 1)
    return comparisons.conclusions(alpha)


def figure_3() -> Outcome:
    """Figure 3: clusters by the level of significance.

    Printed: drawings; the number of clusters at two levels (section 5), and which levels give the
    same (section 4.2).  From .002 to .05 clusters change very little (section 4.2).
    Recomputed: clusters of WMT12 es-en by chrF at the six levels, in the paper's way.
    Holds: if from .002 to .05 at most a tenth of the conclusions about pairs changes, and the
    number of clusters by at most a tenth.  In part: if one of the two is so.
    """
    table = clusters_by_level()
    lowest = min(levels())
    first = number("s-stable")
    last = number("s-stable/value_to")
    clusters = table["clusters, ours"]
    few_clusters = abs(clusters[last] - clusters[first]) <= clusters[first] / 10

    at_first = conclusions_below(in_their_way(ES_EN, "chrF"), first).pairs()
    at_last = conclusions_below(in_their_way(ES_EN, "chrF"), last).pairs()
    is_changed = at_first != at_last
    n_changed = is_changed.sum()
    n_undecided = (at_first == 0).sum()
    few_pairs = n_changed <= len(is_changed) / 10
    return Outcome(
        Value(f"clusters at {lowest:g}", clusters[lowest]),
        Value(f"clusters at {last:g}", clusters[last]),
        counted(f"pairs that change from {first:g} to {last:g}", is_changed),
        Value(f"the same, of those not told apart at {first:g}", n_changed, of=n_undecided),
        Value(f"clusters at {first:g}", clusters[first]),
        holds=answer(few_pairs and few_clusters, few_pairs or few_clusters),
        table=table,
    )


def clusters_by_level() -> pd.DataFrame:
    """What the paper says of the clusters at each level, and ours of WMT12 es-en by chrF."""
    rows = {}
    for level in levels():
        conclusions = conclusions_below(in_their_way(ES_EN, "chrF"), level)
        rows[level] = {
            "fluency, said": clusters_in_print("flu", level),
            "adequacy, said": clusters_in_print("ade", level),
            "clusters, ours": n_clusters(conclusions),
            "told apart, ours": told_apart(conclusions),
            "of": len(conclusions.pairs()),
        }
    return table_of(rows, "level")


def clusters_in_print(criterion: str, level: float) -> str:
    """What sections 4.2 and 5 say of the clusters at a level, by fluency ("flu") or adequacy.

    They say how many there are at two levels, and that three levels in between give the same.
    """
    if level == number("s-one"):
        return f"{text('s-clusters-one')} cluster"
    if level == number(f"s-clusters-{criterion}-p"):
        return f"{text(f's-clusters-{criterion}')} clusters"
    same = [number(f"s-same-{criterion}{k}") for k in (1, 2, 3)]
    if level in same:
        others = [f"{other:g}" for other in same if other != level]
        return "the same as at " + ", ".join(others)
    return "not stated"


def agreement_by_level() -> Outcome:
    """Figures 4 and 5: the agreement of metrics with people, by level.

    Printed: drawings; from .002 to .05 the agreement of a metric changes little (section 4.4).
    Recomputed: S of four metrics with people in WMT12 es-en at the six levels, metrics in the
    paper's way; with people's conclusions at the same level, and with those at .05.
    Holds: if from .002 to .05 S moves by at most a tenth for each metric, with people at the same
    level.  In part: if it does for one.
    """
    at_same_level = {level: agreement_at(level, people_level=level) for level in levels()}
    at_05 = {level: agreement_at(level, people_level=0.05) for level in levels()}
    table = table_of(at_same_level, "level")
    table_at_05 = table_of(at_05, "level")

    first = number("s-flat-ade")
    last = number("s-flat-ade/value_to")
    spread = highest_less_lowest(table.loc[first:last])
    spread_at_05 = highest_less_lowest(table_at_05.loc[first:last])
    is_little = spread <= 0.1
    suffix = f", highest minus lowest from {first:g} to {last:g}"
    return Outcome(
        *rounded(".2f", spread.add_suffix(suffix)),
        *rounded(".2f", spread_at_05.add_suffix(", people at .05")),
        holds=answer(is_little.all(), is_little.any()),
        table=table,
    )


def highest_less_lowest(table: pd.DataFrame) -> pd.Series:
    """The range of each column."""
    return table.max() - table.min()


def agreement_at(level: float, people_level: float) -> dict[str, float]:
    """S of each of their metrics, at one level, with people at another."""
    gold = campaign(ES_EN).human.conclusions(alpha=people_level)
    similarity = {}
    for metric in THEIR_METRICS:
        conclusions = conclusions_below(in_their_way(ES_EN, metric), level)
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
    n_pairs = total["pairs"]
    n_missed = total["intervals alone"]
    closer = table["S with people, intervals"] > table["S with people, test"]
    return Outcome(
        Value("told apart, intervals", total["told apart, intervals"], of=n_pairs),
        Value("told apart, test", total["told apart, test"], of=n_pairs),
        Value("intervals alone", n_missed, of=n_pairs),
        counted("closer to people by intervals", closer),
        holds=n_missed == 0,
        table=table,
    )


def intervals_beside_test(name: str, metric: str) -> dict[str, float]:
    """Pairs told apart, clusters and S with people, by intervals and by the test on pairs."""
    level = number("s-level")
    tested = mt.compare_all(statistics(name, metric), **UNCORRECTED)
    pvalues = tested.table.set_index(["system_a", "system_b"])["pvalue"]
    is_disjoint = disjoint_intervals(tested).set_axis(pvalues.index)
    by_intervals_alone = is_disjoint & (pvalues > level)
    a_is_better: Any = is_disjoint.astype(int).to_dict()
    by_way = {
        "intervals": mt.Conclusions.from_pairs(a_is_better),
        "test": tested.conclusions(level),
    }
    counts: dict[str, float] = {}
    counts["pairs"] = len(pvalues)
    counts["intervals alone"] = by_intervals_alone.sum()
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
    better = tested.table["system_a"]
    worse = tested.table["system_b"]
    low_of_better = better.map(intervals["ci_low"])
    high_of_worse = worse.map(intervals["ci_high"])
    return low_of_better > high_of_worse


def speed() -> Outcome:
    """Section 3.1.1: the time of 1,000 shuffles of 500 segments.

    Printed: seconds for BLEU and for NIST.
    Recomputed: the processor's time on this machine, which is shown and not kept, and the number
    of multiplications, which does not depend on it.
    """
    n_shuffles = int(number("s-time-k"))
    n_segments = int(number("s-time-n"))
    values = []
    measured = {}
    for metric in ("BLEU", "NIST"):
        systems = statistics(ES_EN, metric).select(["uedin-wmt12", "QCRI--primary"])
        pair = systems.subset(np.arange(n_segments))
        test = partial(
            mt.approximate_randomization,
            pair,
            *pair.systems,
            n_resamples=n_shuffles,
            rng=1,
            exact=False,
        )
        # The processor's time, unlike the clock on the wall, is the same on a busy machine.
        seconds = timeit.repeat(test, timer=time.thread_time, number=1, repeat=20)
        printed = text(f"s-time-{metric.lower()}")
        label = f"{metric}, {n_shuffles:,} shuffles of {n_segments} segments (s; printed {printed})"
        measured[label] = min(seconds)
        millions = n_shuffles * pair.values.size / 1e6
        values.append(Value(f"million multiplications, {metric}", millions, ".0f"))
    return Outcome(*values, measured=measured)


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
    systems = people(ES_EN).systems
    by_judge = pd.DataFrame()
    for judge, conclusions in judges(ES_EN).items():
        by_judge[judge] = conclusions.reorder(systems).pairs()
    metrics = by_judge[list(SIX_METRICS)]
    lowest = metrics.min(axis=1)
    highest = metrics.max(axis=1)
    agree = lowest == highest
    contradict = (lowest == -1) & (highest == 1)
    people_agree = by_judge["people"][agree] == lowest[agree]
    n_told_apart = (by_judge != 0).sum()
    table = n_told_apart.to_frame(f"told apart, of {len(by_judge)}")
    return Outcome(
        counted("pairs on which six metrics agree", agree),
        counted("and people with them", people_agree),
        counted("metrics contradict each other", contradict),
        table=table.rename_axis("judge"),
    )


def several_references() -> Outcome:
    """Future work: several references.

    Recomputed: what BLEU concludes against one reference and against several, in three campaigns,
    and S of both with people.
    """
    several_of = {"wmt21/en-de": "A+C+D", "wmt21/de-en": "A+B", "wmt22/zh-en": "A+B"}
    rows = {name: one_and_several(name, several) for name, several in several_of.items()}
    table = table_of(rows, "campaign")
    en_de = rows["wmt21/en-de"]
    n_pairs = en_de["pairs"]
    closer = table["with people, several"] > table["with people, one"]
    return Outcome(
        Value("told apart, en-de, one reference", en_de["told apart, one"], of=n_pairs),
        Value("three references", en_de["several"], of=n_pairs),
        Value("similarity of the two", en_de["similarity of the two"], ".2f"),
        counted("campaigns closer to people with several", closer),
        table=table,
    )


def one_and_several(name: str, several: str) -> dict[str, Any]:
    """What BLEU concludes about a campaign against reference A, and against several references."""
    bleu_of_one = campaign(name).statistics("BLEU", references="A")
    bleu_of_several = campaign(name).statistics("BLEU", references=several)
    by_one = corrected(bleu_of_one, 2000)
    by_several = corrected(bleu_of_several, 2000)
    shared = [system for system in people(name).systems if system in by_one.systems]
    gold = people(name).reorder(shared)
    return {
        "references": several,
        "pairs": len(by_one.pairs()),
        "told apart, one": told_apart(by_one),
        "several": told_apart(by_several),
        "similarity of the two": mt.ordered_rand(by_one, by_several),
        "with people, one": mt.ordered_rand(by_one.reorder(shared), gold),
        "with people, several": mt.ordered_rand(by_several.reorder(shared), gold),
    }


def two_resamplings() -> Outcome:
    """Future work: the bootstrap in place of randomization.

    Recomputed: conclusions of both at .05, two-sided and uncorrected, in two campaigns under four
    metrics; in how many pairs they differ, and S of the two.
    """
    rows = {}
    metrics = ("BLEU", "NIST", "TER", "GTM")
    for name, metric in itertools.product((ES_EN, EN_ES), metrics):
        randomization = compared(name, metric, test="approximate-randomization", **UNCORRECTED)
        bootstrap = compared(name, metric, test="bootstrap", **UNCORRECTED)
        by_shuffles = randomization.conclusions(0.05)
        by_resamples = bootstrap.conclusions(0.05).reorder(by_shuffles.systems)
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
