"""Stroppa & Owczarzak (2007): clusters by metrics and by people (section 4.3), on other data.

IWSLT 2006 is not public.  In its place are two campaigns of WMT12 that people ranked, and later
ones.  S is the similarity of two clusterings, the ordered Rand index of section 3.3.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import mtsig_nb as mt

from ...repository.campaigns import campaign, statistics
from ..rows import Outcome, Value, answer, counted, rounded, table_of
from ..shared import SIX_METRICS, language_pair, people
from .stroppa_owczarzak import (
    FOUR_GROUPS,
    MEANS,
    TABLE_1,
    TABLE_2,
    THEIR_METRICS,
    TWO_GROUPS,
    from_groups,
)

ES_EN = "wmt12/es-en"
EN_ES = "wmt12/en-es"
LATER = ("wmt13/es-en", "wmt21/de-en", "wmt21/is-en", "wmt21/ja-en", "wmt22/ja-en", "wmt22/zh-en")
#: A yardstick for S, as tables name it.
FINDS_NOTHING = "a test that finds nothing"


def corrected(given: mt.SufficientStatistics, n_resamples: int) -> mt.Conclusions:
    """What is concluded about all pairs at .05, corrected after Westfall & Young as in unit 21."""
    tested = mt.compare_all(
        given,
        correction="westfall-young",
        interval=None,
        n_resamples=n_resamples,
        rng=2007,
    )
    return tested.conclusions(0.05)


@cache
def judges(name: str) -> dict[str, mt.Conclusions]:
    """What six metrics and people conclude about a campaign of WMT12, by metric or "people"."""
    n_resamples = 10_000 if name == ES_EN else 2000
    concluded = {}
    for metric in SIX_METRICS:
        concluded[metric] = corrected(statistics(name, metric), n_resamples)
    concluded["people"] = people(name)
    return concluded


def similarities(name: str) -> pd.Series:
    """S of each of the six metrics with people."""
    gold = people(name)
    similarity = {}
    for metric in SIX_METRICS:
        similarity[metric] = mt.ordered_rand(judges(name)[metric], gold)
    return pd.Series(similarity)


def share_undecided(conclusions: mt.Conclusions) -> float:
    """The share of pairs left undecided: for people, S of a test that never finds a difference."""
    is_undecided = conclusions.pairs() == 0
    return float(is_undecided.mean())


def theirs_first(names: Iterable[str]) -> list[str]:
    """Names of metrics and other judges, with the metrics of the paper first, in its order."""
    return list(dict.fromkeys([*THEIR_METRICS, *names]))


# Metrics beside people.


def with_people() -> Outcome:
    """Table 1: the similarity of metrics with people.

    Printed: S of four metrics with fluency and with adequacy, in four conditions.  BLEU and METEOR
    are closer to people than NIST and GTM (section 4.3).
    Recomputed: S of six metrics with people's relative rankings, in two campaigns.
    Holds: if the means of BLEU and of METEOR are both above those of NIST and of GTM.  In part: if
    one of them is.
    """
    similarity = pd.DataFrame()
    finding_nothing = []
    for name in (ES_EN, EN_ES):
        similarity[name] = similarities(name)
        finding_nothing.append(share_undecided(people(name)))
    mean = similarity.mean(axis=1)
    mean_of_others = mean[["NIST", "GTM"]].max()
    is_closer = mean[["BLEU", "METEOR"]] > mean_of_others

    similarity.loc[FINDS_NOTHING] = finding_nothing
    names = theirs_first(similarity.index)
    in_order = similarity.loc[names]
    cells: Any = in_order.T.stack()
    ours = cells.to_frame("rankings (ours)")
    table = pd.concat([TABLE_1, ours])
    their_metrics = list(THEIR_METRICS)
    our_means = mean[their_metrics].add_prefix("mean, ")
    printed_means = MEANS[their_metrics].add_prefix("in print, ")
    return Outcome(
        *rounded(".3f", our_means),
        *rounded(".3f", printed_means),
        holds=answer(is_closer.all(), is_closer.any()),
        table=table.rename_axis(["condition", "metric"]),
    )


def later_campaigns() -> Outcome:
    """Table 1, a question of ours: the same on seven campaigns.

    Computed: S of four metrics with people, beside that of a test that never finds a difference.
    """
    rows: dict[str, dict[str, float]] = {}
    for name in (ES_EN, *LATER):
        judged = people(name)
        at_hand = campaign(name).systems
        shared = [system for system in judged.systems if system in at_hand]
        gold = judged.reorder(shared)
        row = {FINDS_NOTHING: share_undecided(gold)}
        for metric in ("BLEU", "NIST", "GTM", "chrF"):
            given = statistics(name, metric).select(shared)
            concluded = corrected(given, n_resamples=1000)
            row[metric] = mt.ordered_rand(concluded, gold)
        rows[name] = row
    table = table_of(rows, "campaign")
    best_of_metrics = table.drop(columns=FINDS_NOTHING).max(axis=1)
    nothing_is_closer = table[FINDS_NOTHING] > best_of_metrics
    n_closer = counted(
        "campaigns on which a test that finds nothing is closest to people", nothing_is_closer
    )
    return Outcome(n_closer, table=table)


def yardsticks(judge: mt.Conclusions, gold: mt.Conclusions) -> dict[str, float]:
    """S of a judge, and what it would be without any knowledge of the systems.

    By chance: the names of one clustering are exchanged at random.  A pair that both separate then
    agrees as often as it contradicts, so that S is expected to be the share that both leave
    together.  A ranking decides every pair, and is right at most about those that people decide.
    """
    undecided = share_undecided(gold)
    return {
        "similarity": mt.ordered_rand(judge, gold),
        "by chance": share_undecided(judge) * undecided,
        "finding nothing": undecided,
        "most of a ranking": 1 - undecided,
    }


def chance() -> Outcome:
    """Table 1, yardsticks, a question of ours: what S is by chance, and for a ranking at most.

    Printed: S of the example of section 3.3.  The clusterings of Table 1 are drawn, not printed.
    Computed: `yardsticks` for the example, and for six metrics in two campaigns; for the example
    also the mean of S over all orders of its systems.
    Decided by: the printed S of the example.
    """
    systems = FOUR_GROUPS.systems
    of_all_orders = []
    for order in itertools.permutations(range(len(systems))):
        matrix = FOUR_GROUPS.matrix[np.ix_(order, order)]
        renamed = mt.Conclusions(systems, matrix)
        of_all_orders.append(mt.ordered_rand(renamed, TWO_GROUPS))

    title = "example, section 3.3"
    example = yardsticks(FOUR_GROUPS, TWO_GROUPS)
    rows = {
        (title, "four groups"): example,
        (title, "two groups"): yardsticks(TWO_GROUPS, FOUR_GROUPS),
    }
    for name, metric in itertools.product((ES_EN, EN_ES), SIX_METRICS):
        judge = judges(name)[metric]
        rows[name, metric] = yardsticks(judge, people(name))
    table = table_of(rows, "", "judge")
    ours = table.loc[[ES_EN, EN_ES]]
    nothing_is_closer = ours["finding nothing"] > ours["similarity"]
    return Outcome(
        Value("example, similarity", example["similarity"], ".2f"),
        Value("by chance, all orders of its systems", np.mean(of_all_orders), ".3f"),
        Value("by chance, product of shares", example["by chance"], ".3f"),
        counted("ours, below a test that finds nothing", nothing_is_closer),
        table=table,
    )


# Metrics beside metrics.


def among_metrics() -> Outcome:
    """Table 2: the similarity of metrics with each other.

    Printed: S of each pair of four metrics.  Metrics are closer to each other than to people
    (section 4.3).
    Recomputed: S of each pair of six metrics, and of each with people, in WMT12 es-en.
    Holds: if the mean over pairs of metrics is above the mean with people.
    """
    by_judge = judges(ES_EN)
    between_two = []
    for a, b in itertools.combinations(SIX_METRICS, 2):
        between_two.append(mt.ordered_rand(by_judge[a], by_judge[b]))
    among = pd.Series(between_two)
    with_people = similarities(ES_EN)
    values = {
        "lowest between two metrics": among.min(),
        "highest between two metrics": among.max(),
        "mean between two metrics": among.mean(),
        "mean with people": with_people.mean(),
        "highest with people": with_people.max(),
        "their mean between two metrics": TABLE_2.astype(float).mean(),
    }
    ours = triangle(by_judge)
    theirs = TABLE_2.unstack().reindex(index=THEIR_METRICS[1:], columns=ours.columns)
    table = pd.concat({"theirs": theirs, "ours": ours})
    return Outcome(
        *rounded(".2f", values),
        holds=among.mean() > with_people.mean(),
        table=table.rename_axis(["", "metric"]),
    )


def triangle(by_judge: dict[str, mt.Conclusions]) -> pd.DataFrame:
    """S of every two judges, in the lower triangle of a square; metrics of the paper first."""
    names = theirs_first(by_judge)
    rows = names[1:]
    columns = names[:-1]
    table = pd.DataFrame(index=rows, columns=columns, dtype=float)
    for a, b in itertools.combinations(names, 2):
        table.loc[b, a] = mt.ordered_rand(by_judge[a], by_judge[b])
    return table


# Clusters or rankings.


def against_rankings() -> Outcome:
    """Clusters or rankings, a question of ours: which of the two is closer to people.

    Computed: in WMT12 es-en, S with people of each metric's clusters, and of its bare ranking.
    """
    gold = people(ES_EN)
    of_rankings = {}
    for metric in SIX_METRICS:
        scores = statistics(ES_EN, metric).scores()  # best first
        groups = [[system] for system in scores.index]
        ranking = from_groups(groups)
        of_rankings[metric] = mt.ordered_rand(ranking, gold)
    table = similarities(ES_EN).to_frame("clusters")
    table["ranking"] = of_rankings
    is_closer = table["clusters"] > table["ranking"]
    return Outcome(
        counted("metrics whose clusters are closer to people", is_closer),
        Value("most that a ranking can score", 1 - share_undecided(gold), ".2f"),
        table=table.rename_axis("metric"),
    )


def correlations() -> Outcome:
    """Clusters or rankings, a question of ours: metrics by S and by correlation with people.

    Computed: in two campaigns, for six metrics, S with people and the correlations of systems'
    scores with people's scores (Pearson's r, Spearman's ρ); Kendall's τ between S and each.
    Holds: if τ is above 0 everywhere.
    """
    rows = {}
    for name, metric in itertools.product((ES_EN, EN_ES), SIX_METRICS):
        given = statistics(name, metric)
        by_metric = given.metric.direction * given.scores()
        by_people = campaign(name).human.scores()
        scores = pd.DataFrame({"metric": by_metric, "people": by_people})
        ranks = scores.rank()
        pearson = scores.corr()
        spearman = ranks.corr()
        judge = judges(name)[metric]
        rows[name, metric] = {
            "S": mt.ordered_rand(judge, people(name)),
            "r": pearson["metric"]["people"],
            "ρ": spearman["metric"]["people"],
        }
    table = table_of(rows, "campaign", "metric")
    taus = {}
    for name in (ES_EN, EN_ES):
        pair = language_pair(name)
        agreement = table.loc[name].round(9)  # or ties differ
        for correlation in ("r", "ρ"):
            kendall = stats.kendalltau(agreement["S"], agreement[correlation])
            taus[f"τ of S and {correlation}, {pair}"] = kendall.statistic
    smallest = min(taus.values())
    return Outcome(*rounded(".2f", taus), holds=smallest > 0, table=table)
