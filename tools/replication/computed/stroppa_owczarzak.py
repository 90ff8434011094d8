"""Stroppa & Owczarzak (2007): clusters in place of rankings."""

from __future__ import annotations

import itertools
import time
import timeit
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

import mtsig_nb as mt

from ..rows import Outcome, Value
from ..shared import SIX_METRICS, campaign, compared, people, statistics

ES_EN, EN_ES = "wmt12/es-en", "wmt12/en-es"
LATER = ("wmt13/es-en", "wmt21/de-en", "wmt21/is-en", "wmt21/ja-en", "wmt22/ja-en", "wmt22/zh-en")
LAZY = "a test that finds nothing"


def similarity() -> Outcome:
    """Two clusterings of six systems that agree about ten pairs and disagree weakly about five."""
    pairs = list(itertools.combinations("ABCDEF", 2))
    unsure = [("B", "D"), ("B", "E"), ("C", "D"), ("C", "E"), ("C", "F")]
    first = {pair: int(pair[0] in "ABC" and pair[1] in "DEF") for pair in pairs}
    second = first | dict.fromkeys(unsure, 0)
    one, other = (mt.Conclusions.from_pairs(given) for given in (first, second))
    same = int((one.pairs() == other.pairs()).sum())
    return Outcome(
        [
            Value("agreements", same, of=len(pairs)),
            Value("similarity", mt.ordered_rand(one, other), ".4f"),
        ]
    )


@cache
def clustered(name: str, metric: str, n_resamples: int = 10_000) -> mt.Comparisons:
    """All pairs, corrected after Westfall & Young as in notebook 08."""
    return compared(name, metric, correction="westfall-young", n_resamples=n_resamples, rng=2007)


@cache
def judges(name: str) -> dict[str, mt.Conclusions]:
    """What six metrics and people conclude about a campaign of WMT12."""
    n_resamples = 10_000 if name == ES_EN else 2000
    found = {m: clustered(name, m, n_resamples).conclusions(0.05) for m in SIX_METRICS}
    return found | {"people": people(name)}


def lazy_score(gold: mt.Conclusions) -> float:
    """Ordered Rand of a test that never finds a difference."""
    return float(np.mean(gold.pairs() == 0))


def with_people() -> Outcome:
    """Metrics against people, on two campaigns of WMT12."""
    columns = {
        name: {m: mt.ordered_rand(judges(name)[m], people(name)) for m in SIX_METRICS}
        | {LAZY: lazy_score(people(name))}
        for name in (ES_EN, EN_ES)
    }
    table = pd.DataFrame(columns).rename_axis("metric")
    found = table.drop(index=LAZY)
    closer = (found > table.loc[LAZY]).sum()
    return Outcome(
        [
            Value("lowest, es-en", found[ES_EN].min(), ".2f"),
            Value("highest, es-en", found[ES_EN].max(), ".2f"),
            Value("closer than nothing, es-en", closer[ES_EN], of=len(found)),
            Value("closer than nothing, en-es", closer[EN_ES], of=len(found)),
        ],
        holds=bool((closer == len(found)).all()),
        table=table,
    )


def later_campaigns() -> Outcome:
    """The same on seven campaigns with four metrics, beside a test that finds nothing."""
    rows = {}
    for name in (ES_EN, *LATER):
        gold = people(name)
        shared = [system for system in gold.systems if system in campaign(name).systems]
        gold = gold.reorder(shared)
        rows[name] = {LAZY: lazy_score(gold)}
        for metric in ("BLEU", "NIST", "GTM", "chrF"):
            tested = mt.compare_all(
                statistics(name, metric).select(shared),
                correction="westfall-young",
                interval=None,
                n_resamples=1000,
                rng=2007,
            )
            rows[name][metric] = mt.ordered_rand(tested.conclusions(0.05), gold)
    table = pd.DataFrame(rows).T.rename_axis("campaign")
    beaten = int((table[LAZY] > table.drop(columns=LAZY).max(axis=1)).sum())
    return Outcome(
        [Value("campaigns on which finding nothing agrees better", beaten, of=len(table))],
        holds=beaten == 0,
        table=table,
    )


def among_metrics() -> Outcome:
    """Metrics against metrics, beside metrics against people."""
    found = judges(ES_EN)
    table = pd.DataFrame(
        {a: {b: mt.ordered_rand(found[a], found[b]) for b in found} for a in found}
    )
    among = table.loc[list(SIX_METRICS), list(SIX_METRICS)].to_numpy()[np.triu_indices(6, 1)]
    best = float(table["people"].drop("people").max())
    return Outcome(
        [
            Value("lowest between two metrics", among.min(), ".2f"),
            Value("highest between two metrics", among.max(), ".2f"),
            Value("highest with people", best, ".2f"),
        ],
        holds=bool(among.min() > best),
        table=table.rename_axis(""),
    )


def against_rankings() -> Outcome:
    """Clusters of a metric, and its bare ranking, beside people."""
    gold = people(ES_EN)
    rows = {}
    for metric in SIX_METRICS:
        scores = statistics(ES_EN, metric).scores()
        n = len(scores)
        order = np.sign(np.subtract.outer(np.arange(n), np.arange(n))).T.astype(np.int8)
        rows[metric] = {
            "clusters": mt.ordered_rand(judges(ES_EN)[metric], gold),
            "ranking": mt.ordered_rand(mt.Conclusions(tuple(scores.index), order), gold),
        }
    table = pd.DataFrame(rows).T.rename_axis("metric")
    closer = int((table["clusters"] > table["ranking"]).sum())
    return Outcome(
        [
            Value("metrics whose clusters are closer to people", closer, of=len(table)),
            Value("most that a ranking can score", np.mean(gold.pairs() != 0), ".2f"),
        ],
        table=table,
    )


def figure_1() -> Outcome:
    """Twelve systems as overlapping clusters."""
    found = mt.clusters(judges(ES_EN)["chrF"])
    inside = pd.Series({s: sum(s in group for group in found.groups) for s in found.systems})
    table = pd.DataFrame({"letters": found.letters()}).rename_axis("system")
    return Outcome(
        [
            Value("clusters", len(found.groups)),
            Value("systems in more than one", (inside > 1).sum(), of=len(inside)),
        ],
        holds=bool((inside > 1).any() and found.is_ordered),
        table=table,
    )


def figure_3() -> Outcome:
    """Clusters by level of significance."""
    by_level = mt.clusters_by_level(clustered(ES_EN, "chrF"), levels=[0.001, 0.01, 0.05, 0.1])
    table = by_level.to_frame().set_index("level")[["n_clusters", "distinguished", "pairs"]]
    return Outcome(
        [
            *(
                Value(f"told apart at {level:g}", row["distinguished"], of=row["pairs"])
                for level, row in table.iloc[[0, -1]].iterrows()
            ),
            Value("clusters at 0.001", table["n_clusters"].iloc[0]),
            Value("clusters at 0.1", table["n_clusters"].iloc[-1]),
        ],
        holds=bool(table["distinguished"].is_monotonic_increasing),
        table=table,
    )


def other_diagrams() -> Outcome:
    """Clusters by every judge, on two campaigns."""
    columns = {
        name: {judge: len(mt.clusters(c).groups) for judge, c in judges(name).items()}
        for name in (ES_EN, EN_ES)
    }
    ordered = [mt.clusters(c).is_ordered for name in columns for c in judges(name).values()]
    table = pd.DataFrame(columns).rename_axis("clusters by")
    return Outcome(
        [
            Value("by people, es-en", table.loc["people", ES_EN]),
            Value("by BLEU, es-en", table.loc["BLEU", ES_EN]),
            Value("diagrams with one order", sum(ordered), of=len(ordered)),
        ],
        table=table,
    )


#: Seconds for 1,000 shuffles of 500 segments, as printed, on a Pentium 4.
PRINTED_SECONDS = {"BLEU": 0.3, "NIST": 0.7}


def speed() -> Outcome:
    """1,000 shuffles of 500 segments.  The times are shown and not kept; the work is."""
    values, measured = [], {}
    for metric in PRINTED_SECONDS:
        pair = statistics(ES_EN, metric).select(["uedin-wmt12", "QCRI--primary"])
        pair = pair.subset(np.arange(500))
        runs = timeit.repeat(
            lambda pair=pair: mt.approximate_randomization(  # type: ignore[misc]
                pair, *pair.systems, n_resamples=1000, rng=1, exact=False
            ),
            timer=time.thread_time,  # unlike the clock on the wall, the same on a busy machine
            number=1,
            repeat=20,
        )
        measured[f"{metric}, 1,000 shuffles of 500 segments (s)"] = min(runs)
        work = 1000 * pair.values.size / 1e6
        values.append(Value(f"million multiplications, {metric}", work, ".0f"))
    faster = [
        seconds < printed
        for seconds, printed in zip(measured.values(), PRINTED_SECONDS.values(), strict=True)
    ]
    return Outcome(values, holds=all(faster), measured=measured)


def more_systems() -> Outcome:
    """Twenty-three systems, and the seventeen of them that people judged."""
    name = "wmt13/de-en"
    tested = clustered(name, "BLEU", 2000).conclusions(0.05)
    gold = people(name)
    judged = tested.reorder(gold.systems)
    return Outcome(
        [
            Value("systems", len(tested.systems)),
            Value("told apart", (tested.pairs() != 0).sum(), of=len(tested.pairs())),
            Value("clusters", len(mt.clusters(tested).groups)),
            Value("similarity with people", mt.ordered_rand(judged, gold), ".2f"),
        ]
    )


def more_metrics() -> Outcome:
    """About how many pairs all six metrics conclude the same, and whether people do too."""
    found = judges(ES_EN)
    said = np.array([c.reorder(people(ES_EN).systems).pairs() for c in found.values()])
    metrics, gold = said[:-1], said[-1]
    agreed = (metrics == metrics[0]).all(axis=0)
    contradicted = (metrics == 1).any(axis=0) & (metrics == -1).any(axis=0)
    table = pd.DataFrame(
        {judge: (c.pairs() != 0).sum() for judge, c in found.items()}, index=["told apart, of 66"]
    ).T
    return Outcome(
        [
            Value("pairs on which six metrics agree", agreed.sum(), of=agreed.size),
            Value("and people with them", (agreed & (gold == metrics[0])).sum(), of=agreed.sum()),
            Value("metrics contradict each other", contradicted.sum(), of=agreed.size),
        ],
        table=table.rename_axis("judge"),
    )


def several_references() -> Outcome:
    """BLEU against one reference and against several of them."""
    rows: dict[str, dict[str, Any]] = {}
    for name, several in (("wmt21/en-de", "A+C+D"), ("wmt21/de-en", "A+B"), ("wmt22/zh-en", "A+B")):
        judged = {}
        gold = people(name)
        for references in ("A", several):
            given = campaign(name).statistics("BLEU", references=references)
            tested = mt.compare_all(
                given, correction="westfall-young", interval=None, n_resamples=2000, rng=2007
            )
            judged[references] = tested.conclusions(0.05)
        shared = [s for s in gold.systems if s in judged["A"].systems]
        rows[name] = {
            "references": several,
            "pairs": len(judged["A"].pairs()),
            "told apart, one": int((judged["A"].pairs() != 0).sum()),
            "several": int((judged[several].pairs() != 0).sum()),
            "similarity of the two": mt.ordered_rand(judged["A"], judged[several]),
            "with people, one": mt.ordered_rand(judged["A"].reorder(shared), gold.reorder(shared)),
            "with people, several": mt.ordered_rand(
                judged[several].reorder(shared), gold.reorder(shared)
            ),
        }
    table = pd.DataFrame(rows).T.rename_axis("campaign")
    first = rows["wmt21/en-de"]
    closer = table["with people, several"] > table["with people, one"]
    return Outcome(
        [
            Value("told apart, en-de, one reference", first["told apart, one"], of=first["pairs"]),
            Value("three references", first["several"], of=first["pairs"]),
            Value("similarity of the two", first["similarity of the two"], ".2f"),
            Value("campaigns closer to people with several", closer.sum(), of=len(closer)),
        ],
        table=table,
    )


def two_resamplings() -> Outcome:
    """Clusters from the bootstrap beside clusters from randomization, both tails, uncorrected."""
    rows = {}
    for name, metric in itertools.product((ES_EN, EN_ES), ("BLEU", "NIST", "TER", "GTM")):
        options = {"correction": None, "n_resamples": 2000, "rng": 2007}
        shuffled, drawn = (
            compared(name, metric, test=test, **options).conclusions(0.05)
            for test in ("approximate-randomization", "bootstrap")
        )
        rows[name, metric] = {
            "pairs that differ": int(
                (shuffled.pairs() != drawn.reorder(shuffled.systems).pairs()).sum()
            ),
            "pairs": len(shuffled.pairs()),
            "similarity": mt.ordered_rand(shuffled, drawn),
        }
    table = pd.DataFrame(rows).T.rename_axis(["campaign", "metric"])
    table = table.astype({"pairs that differ": int, "pairs": int})
    same = int((table["pairs that differ"] == 0).sum())
    return Outcome(
        [
            Value("clusterings that are the same", same, of=len(table)),
            Value("lowest similarity", table["similarity"].min(), ".3f"),
        ],
        holds=bool(table["similarity"].min() > 0.95),
        table=table,
        digits=3,
    )
