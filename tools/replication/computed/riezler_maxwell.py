"""Riezler & Maxwell (2005): sensitivity of metrics, two tests, and many comparisons."""

from __future__ import annotations

import itertools
from functools import lru_cache

import numpy as np
import pandas as pd

import mtsig_nb as mt
from mtsig_nb.engine.proportions import clopper_pearson
from mtsig_nb.significance.corrections import standard_errors
from mtsig_nb.statistics.sufficient import pair_indices

from ..rows import Outcome, Value
from ..shared import SIX_METRICS, compared, statistics

WMT12, WMT13 = "wmt12/es-en", "wmt13/es-en"
PAIR = ("DCU-Prompsit.2880", "online-A")
AR, PRINTED, SHIFTED = "approximate-randomization", "riezler-maxwell-bootstrap", "bootstrap"


@lru_cache(maxsize=1)
def effects() -> pd.DataFrame:
    """All 66 pairs under six metrics: the first's advantage in jackknife standard errors."""
    systems = list(statistics(WMT12, "BLEU").scores().index)
    first, second = pair_indices(len(systems))
    columns = {}
    for metric in SIX_METRICS:
        ranked = statistics(WMT12, metric).select(systems)
        score = ranked.metric.direction * ranked.metric.score(ranked.totals())
        columns[metric] = (score[first] - score[second]) / standard_errors(ranked, (first, second))
    pairs = [f"{systems[a]} − {systems[b]}" for a, b in zip(first, second, strict=True)]
    return pd.DataFrame(columns, index=pd.Index(pairs, name="pair"))


def small_differences() -> Outcome:
    """Neighbours less than one BLEU point apart: which metrics notice."""
    scores = statistics(WMT12, "BLEU").scores()
    near = [f"{a} − {b}" for a, b in itertools.pairwise(scores.index) if scores[a] - scores[b] < 1]
    small = effects().loc[near]
    noticed = (small.abs() > 1.96).sum()
    return Outcome(
        [Value(metric, noticed[metric], of=len(near)) for metric in ("NIST", "BLEU", "GTM")],
        holds=bool(noticed["NIST"] > noticed["BLEU"]),
        table=small,
        digits=1,
    )


def all_differences() -> Outcome:
    """All 66 pairs: how clearly each metric shows them."""
    clearly = effects().abs()
    median = clearly.median()
    ahead = int((clearly["NIST"] > clearly["BLEU"]).sum())
    table = pd.DataFrame(
        {
            "median |advantage| (standard errors)": median,
            "pairs beyond 1.96": (clearly > 1.96).sum(),
        }
    )
    return Outcome(
        [
            Value("NIST clearer than BLEU", ahead, of=len(clearly)),
            Value("median, NIST", median["NIST"], ".1f"),
            Value("median, BLEU", median["BLEU"], ".1f"),
        ],
        holds=ahead > len(clearly) / 2,
        table=table.rename_axis("metric"),
        digits=1,
    )


def reranking_tests() -> Outcome:
    """Type-I error of three tests under three metrics, on variants equal by construction.

    All pairs share their resamples, so a rate has two errors: of the pairs and of the resamples.
    """
    pairs, resamples, level = 400, 1000, 0.05
    tables = {}
    for metric in ("BLEU", "NIST", "GTM"):
        every_tenth = statistics(WMT13, metric).select(PAIR).subset(np.arange(0, 3000, 10))
        nulls = mt.simulate.exact_nulls(every_tenth, *PAIR, n_pairs=pairs, rng=11)
        rates = mt.simulate.rejection_rates(
            nulls, [PRINTED, SHIFTED, AR], alpha=level, n_resamples=resamples, rng=3
        )
        tables[metric] = rates.set_axis(["as printed 2005", "shifted", "randomization"])
    table = pd.concat(tables, names=["metric", "test"])[
        ["rejected", "pairs", "rate", "low", "high"]
    ]
    error = np.sqrt(level * (1 - level) * (1 / pairs + 1 / resamples))
    too_often = table["rate"] > level + 3 * error
    as_printed = table.index.get_level_values("test") == "as printed 2005"
    return Outcome(
        [
            Value(f"{test}, BLEU", count, of=pairs)
            for test, count in tables["BLEU"]["rejected"].items()
        ],
        holds=bool(too_often[as_printed].all() and not too_often[~as_printed].any()),
        table=table,
        digits=3,
    )


def reranking_metrics() -> Outcome:
    """Whether sensitive metrics raise more false claims: randomization under four of them."""
    every_twentieth = np.arange(0, 3003, 20)
    pair = ("uedin-wmt12", "QCRI--primary")
    found = {}
    for metric in ("BLEU", "NIST", "TER", "GTM"):
        some = statistics(WMT12, metric).subset(every_twentieth)
        nulls = mt.simulate.exact_nulls(some, *pair, n_pairs=600, rng=12)
        found[metric] = mt.simulate.null_pvalues(nulls, AR, n_resamples=1999, rng=5)
    alarms = (pd.DataFrame(found) <= 0.05).sum()
    low, high = clopper_pearson(alarms, 600)
    table = pd.DataFrame({"false claims": alarms, "of": 600, "rate": alarms / 600})
    return Outcome(
        [Value(metric, table.loc[metric, "rate"], ".3f") for metric in ("NIST", "BLEU", "GTM")],
        holds=bool((low <= 0.05).all()),
        table=table.assign(low=low, high=high).rename_axis("metric"),
        digits=3,
    )


@lru_cache(maxsize=1)
def undecided() -> pd.DataFrame:
    """P of three tests, for the pairs of WMT12 es-en that 10,000 shuffles can measure."""
    options = {"rng": 2005, "correction": None}
    tests = {"randomization": AR, "as printed": PRINTED, "shifted": SHIFTED}
    tables = {
        name: compared(WMT12, "BLEU", test=test, **options).table for name, test in tests.items()
    }
    some = tables["randomization"]
    frame = pd.DataFrame({name: table["pvalue"] for name, table in tables.items()})
    frame.index = pd.Index(some["system_a"] + " − " + some["system_b"], name="pair")
    return frame[frame["randomization"] > 0.002]


def table_2() -> Outcome:
    """The bootstrap's p beside approximate randomization's, and doubled."""
    table = undecided()[["randomization", "as printed"]].copy()
    table["doubled"] = 2 * table["as printed"]
    smaller = int((table["as printed"] < table["randomization"]).sum())
    return Outcome(
        [
            Value("smaller than AR's, as printed", smaller, of=len(table)),
            Value(
                "larger than AR's, doubled",
                (table["doubled"] > table["randomization"]).sum(),
                of=len(table),
            ),
        ],
        holds=smaller == len(table),
        table=table,
        digits=4,
    )


def conservative() -> Outcome:
    """Whether the bootstrap is the less conservative test once both tails are counted."""
    table = undecided()
    half = float((table["as printed"] / table["randomization"]).median())
    whole = float((table["shifted"] / table["randomization"]).median())
    return Outcome(
        [
            Value("median p / AR's p, as printed", half, ".2f"),
            Value("both tails counted", whole, ".2f"),
        ],
        holds=bool(whole < 0.85),
        table=table,
        digits=4,
    )


def one_pair() -> Outcome:
    """Two systems that the printed test tells apart, and the corrected one does not."""
    pair = statistics(WMT13, "BLEU").select(PAIR)
    printed = mt.riezler_maxwell_bootstrap(pair, *PAIR, warn=False, rng=2005)
    corrected = mt.bootstrap_test(pair, *PAIR, rng=2005)
    lost = corrected.extreme & ~printed.extreme
    other_tail = corrected.null_distribution < 0
    return Outcome(
        [
            Value("p as printed", printed.pvalue, ".3f"),
            Value("p corrected", corrected.pvalue, ".3f"),
            Value("lost resamples in the other tail", (lost & other_tail).sum(), of=lost.sum()),
        ],
        holds=printed.conclusion() != corrected.conclusion(),
    )


def experimentwise(k: int, level: float) -> Outcome:
    """The error of an experiment of `k` independent comparisons."""
    error = mt.experimentwise_error(k, level)
    each = mt.level_for_experimentwise_error(k, 0.05)
    return Outcome([Value("error", error, ".4f"), Value("level for .05 in all", each, ".6f")])
