"""Riezler & Maxwell (2005): sensitivity of metrics, two tests, and many comparisons."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.campaigns.printed import printed_table
from mtsig_nb.engine.counting import clopper_pearson
from mtsig_nb.metrics import SegmentMean
from mtsig_nb.metrics.base import FloatArray
from mtsig_nb.significance.corrections import standard_errors
from mtsig_nb.statistics.sufficient import pair_indices

from ..rows import Outcome, Value, counted, in_part, outcome
from ..shared import (
    SIX_METRICS,
    campaign,
    compared,
    judged,
    number,
    pair_of_unit_13,
    people,
    statistics,
    text,
)

WMT12 = "wmt12/es-en"
#: The measures of their Table 1, by what they are called here.
MEASURES = {"NIST": "NIST", "BLEU": "BLEU", "DependencyF": "F"}
TABLE_1 = printed_table("riezler_maxwell2005", 1).set_index("metric").T.to_dict()
#: By how much each score changed in their Table 1.
CHANGES = ", ".join(
    f"{abs(float(row['reranking']) / float(row['baseline']) - 1):.1%} ({measure})"
    for measure, row in TABLE_1.items()
)
RANKED = tuple(f"{year}/{of}-en" for year in ("wmt12", "wmt13") for of in ("cs", "de", "es", "fr"))
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


def sign_p(noticed: pd.DataFrame, other: str) -> float:
    """Of the pairs that only NIST or only the `other` measure notices: as many or more by NIST.

    That is McNemar's exact test with one side.  It takes pairs that share systems as independent.
    """
    alone = [int((noticed[a] & ~noticed[b]).sum()) for a, b in (("NIST", other), (other, "NIST"))]
    return float(stats.binomtest(alone[0], sum(alone), alternative="greater").pvalue)


def small_differences() -> Outcome:
    """Neighbours less than one BLEU point apart: which metrics notice."""
    scores = statistics(WMT12, "BLEU").scores()
    near = [f"{a} − {b}" for a, b in itertools.pairwise(scores.index) if scores[a] - scores[b] < 1]
    small = effects().loc[near]
    by_pair = small.abs() > 1.96
    noticed, p = by_pair.sum(), sign_p(by_pair, "BLEU")
    return outcome(
        *(Value(metric, noticed[metric], of=len(near)) for metric in ("NIST", "BLEU", "GTM")),
        Value("p of NIST before BLEU", p, ".2f"),
        holds=p <= number("r-standard") or in_part(noticed["NIST"] > noticed["BLEU"]),
        table=small,
    )


def all_differences() -> Outcome:
    """All 66 pairs: how clearly each metric shows them."""
    clearly = effects().abs()
    median = clearly.median()
    ahead = clearly["NIST"] > clearly["BLEU"]
    beyond = (clearly > 1.96).sum()
    table = pd.DataFrame(
        {"median |advantage| (standard errors)": median, "pairs beyond 1.96": beyond}
    )
    return outcome(
        counted("NIST clearer than BLEU", ahead),
        Value("median, NIST", median["NIST"], ".1f"),
        Value("median, BLEU", median["BLEU"], ".1f"),
        holds=bool(ahead.mean() > 0.5),
        table=table.rename_axis("metric"),
    )


def reranking_tests() -> Outcome:
    """Type-I error of three tests under three metrics, on variants equal by construction.

    All pairs share their resamples, so a rate has two errors: of the pairs and of the resamples.
    """
    pairs, resamples, level = 400, 1000, number("r-standard")
    tables = {}
    for metric in ("BLEU", "NIST", "GTM"):
        some = pair_of_unit_13(metric).subset(np.arange(0, 3000, 10))
        nulls = mt.simulate.exact_nulls(some, *some.systems, n_pairs=pairs, rng=11)
        rates = mt.simulate.rejection_rates(
            nulls, [PRINTED, SHIFTED, AR], alpha=level, n_resamples=resamples, rng=3
        )
        tables[metric] = rates.set_axis(["as printed 2005", "shifted", "randomization"])
    table = pd.concat(tables, names=["metric", "test"])[
        ["rejected", "pairs", "rate", "low", "high"]
    ]
    error = np.sqrt(level * (1 - level) * (1 / pairs + 1 / resamples))
    too_often = table["rate"] > level + 3 * error
    by_test = too_often.groupby(level="test")
    return outcome(
        *(
            Value(f"{test}, BLEU", count, of=pairs)
            for test, count in tables["BLEU"]["rejected"].items()
        ),
        holds=bool(by_test.all()["as printed 2005"] and not by_test.any()["randomization"]),
        table=table,
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
    level = number("r-standard")
    alarms = (pd.DataFrame(found) <= level).sum()
    low, high = clopper_pearson(alarms, 600)
    table = pd.DataFrame({"false claims": alarms, "of": 600, "rate": alarms / 600})
    return outcome(
        *(Value(metric, alarms[metric] / 600, ".3f") for metric in ("NIST", "BLEU", "GTM")),
        holds=bool((low <= level).all()),
        table=table.assign(low=low, high=high).rename_axis("metric"),
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
    smaller = table["as printed"] < table["randomization"]
    return outcome(
        counted("smaller than AR's, as printed", smaller),
        counted("larger than AR's, doubled", table["doubled"] > table["randomization"]),
        holds=bool(smaller.all()),
        table=table,
    )


def conservative() -> Outcome:
    """Whether the bootstrap is the less conservative test once both tails are counted."""
    table = undecided()
    half = float((table["as printed"] / table["randomization"]).median())
    whole = float((table["shifted"] / table["randomization"]).median())
    return outcome(
        Value("median p / AR's p, as printed", half, ".2f"),
        Value("both tails counted", whole, ".2f"),
        holds=bool(whole < 0.85),
        table=table,
    )


def one_pair() -> Outcome:
    """Two systems that the printed test tells apart, and the corrected one does not."""
    pair = pair_of_unit_13()
    printed = mt.riezler_maxwell_bootstrap(pair, *pair.systems, warn=False, rng=2005)
    corrected = mt.bootstrap_test(pair, *pair.systems, rng=2005)
    lost = corrected.extreme & ~printed.extreme
    other_tail = corrected.null_distribution < 0
    return outcome(
        Value("p as printed", printed.pvalue, ".3f"),
        Value("p corrected", corrected.pvalue, ".3f"),
        Value("lost resamples in the other tail", (lost & other_tail).sum(), of=lost.sum()),
        holds=printed.conclusion() != corrected.conclusion(),
    )


@lru_cache(maxsize=1)
def into_english() -> Any:
    """Every pair of systems of every language pair into English, under their three measures.

    A row for each pair; for each thing there is to know, a column for each measure.  Copies are no
    pairs, and MultEval's example is left out: its systems are runs of two.
    """
    given = mt.list_campaigns()
    # Of WMT23 there is only that part of the test set that people rated.
    whole = given["campaign"].str.startswith("wmt") & (given["campaign"] != "wmt23")
    parsed = given["metrics"].str.contains("DependencyF") & whole
    found = {str(name): _under_three_measures(name) for name in given["name"][parsed]}
    return pd.concat(found, names=["test set"])


def _under_three_measures(name: str) -> pd.DataFrame:
    family = [statistics(name, metric) for metric in MEASURES]
    options: dict[str, Any] = {"correction": None, "interval": None, "n_resamples": 2000}
    rows = mt.compare_all(family, test=AR, rng=2005, **options).table
    rows["measure"] = rows["metric"].map(MEASURES)
    rows["AR"] = rows["pvalue"]
    rows["bootstrap"] = mt.compare_all(family, test=PRINTED, rng=2005, **options).table["pvalue"]
    following = {s.metric.name: dict(itertools.pairwise(s.scores().index)) for s in family}
    sides = list(zip(rows["system_a"], rows["system_b"], strict=True))
    rows["neighbours"] = [
        following[metric].get(a) == b for metric, (a, b) in zip(rows["metric"], sides, strict=True)
    ]
    rows["pair"] = [" − ".join(sorted(pair)) for pair in sides]
    rows.loc[rows["metric"] == "BLEU", ["score_a", "score_b"]] /= 100
    alike = rows.groupby("pair")["difference"].transform("max") == 0
    told = ["system_a", "score_a", "score_b", "AR", "bootstrap", "neighbours"]
    wide: Any = rows[~alike].pivot(index="pair", columns="measure", values=told)
    wide = wide.reindex(columns=list(MEASURES.values()), level="measure")
    # Reranking is, as in their table, the better one under NIST.
    as_nist = wide["system_a"].eq(wide["system_a"]["NIST"], axis=0)
    low, high = wide["score_b"], wide["score_a"]
    found: dict[str, pd.DataFrame] = {what: wide[what] for what in told[3:]}
    found |= {"baseline": low.where(as_nist, high), "reranking": high.where(as_nist, low)}
    return pd.concat(found, axis=1)


def table_1() -> Outcome:
    """Their Table 1, and all pairs no further apart than theirs under each of its measures."""
    printed = printed_table("riezler_maxwell2005", 1).set_index("metric").rename_axis("measure")
    scores = printed[["baseline", "reranking"]].map(Decimal)
    bound = (scores["reranking"] - scores["baseline"]).abs().astype(float)
    pairs = into_english()
    within = (pairs["reranking"] - pairs["baseline"]).abs() <= bound
    near, noticed = within.all(axis=1), pairs["AR"] <= number("r-standard")
    theirs = printed[["baseline", "reranking"]].assign(
        AR=_with_sign(printed, "p_approxrand"), bootstrap=_with_sign(printed, "p_bootstrap")
    )
    ours = pd.DataFrame({str(what): pairs[str(what)][near].stack() for what in theirs})
    table = pd.concat([pd.concat({("printed", ""): theirs}, names=ours.index.names[:2]), ours])
    found = noticed[near].sum()
    return outcome(
        *(Value(measure, found[measure], of=near.sum()) for measure in printed.index),
        *(
            Value(f"{m}, of all within its own bound", noticed[m][close].sum(), of=close.sum())
            for m, close in within.items()
        ),
        holds=bool(found["NIST"] > max(found["BLEU"], found["F"])),
        table=table.rename(columns={"AR": "p, AR", "bootstrap": "p, bootstrap"}),
    )


def neighbours() -> Outcome:
    """Neighbours in the ranking of each measure, and of people: which measures notice them."""
    pairs = into_english()
    near = pairs["neighbours"]
    chosen = {f"under {measure}": near[measure] for measure in MEASURES.values()}
    chosen["under any of the three"] = near.any(axis=1)
    chosen["by people"] = pd.Series(near.index.isin(_neighbours_by_people(near.index)), near.index)
    rows: dict[str, dict[str, Any]] = {}
    for which, some in chosen.items():
        rows[which] = {"pairs": some.sum()}
        for test in ("AR", "bootstrap"):
            noticed = pairs[test][some] <= number("r-standard")
            rows[which] |= {f"{measure}, {test}": n for measure, n in noticed.sum().items()}
            rows[which][f"p, {test}"] = max(sign_p(noticed, other) for other in ("BLEU", "F"))
    table = pd.DataFrame.from_dict(rows, "index").rename_axis("neighbours")
    fair = table.iloc[-2:]
    ahead = fair["NIST, AR"] > fair[["BLEU, AR", "F, AR"]].max(axis=1)
    return outcome(
        *(
            Value(f"{measure}, {which}", row[f"{measure}, AR"], of=row["pairs"])
            for which, row in fair.iterrows()
            for measure in MEASURES.values()
        ),
        holds=bool((fair["p, AR"] <= number("r-standard")).all()) or in_part(ahead.all()),
        table=table,
    )


def _neighbours_by_people(pairs: pd.Index) -> list[tuple[str, str]]:
    """Test set and pair of systems, of those that people ranked one after the other."""
    found = []
    for name in pairs.unique("test set"):
        if next(iter(campaign(name).judgements)) == "segment_da":  # of few segments, no ranking
            continue
        ranking = [s for s in campaign(name).human.scores().index if s in campaign(name).systems]
        found += [(name, " − ".join(sorted(pair))) for pair in itertools.pairwise(ranking)]
    return found


def _with_sign(table: pd.DataFrame, column: str) -> pd.Series:
    """P-values after their relation, unless that is equality; a dash where none is printed."""
    sign = table[f"{column}_relation"].replace("=", "")
    return (sign + " " + table[column]).str.strip().replace("", "–")


def table_2_doubled() -> Outcome:
    """Their Table 2 with the bootstrap's p doubled, before and after the rounding of print."""
    printed = printed_table("riezler_maxwell2005", 2).set_index("comparison").map(Decimal)
    table = printed.assign(doubled=2 * printed["p_bootstrap"])
    excess = table["doubled"] - table["p_approxrand"]
    digit = printed.map(lambda p: Decimal(1).scaleb(int(p.as_tuple().exponent)))  # one in the last
    finest = digit.to_numpy().min()  # zeros at the end are not printed: .05 may have been .050
    digits = {"doubled is larger": digit, "of three decimals": digit.where(digit == finest, finest)}
    for name, one in digits.items():
        # Half a digit of AR's p, and a whole one of the doubled p.
        rounding = one["p_approxrand"] / 2 + one["p_bootstrap"]
        table[name] = np.select(
            [excess > rounding, excess < -rounding], ["for certain", "certainly not"], "undecided"
        )
    above = excess > 0
    table["as printed"] = np.where(above, "larger", "not larger")
    return outcome(
        counted("larger than AR's as printed", above),
        counted("whatever was rounded off", table["doubled is larger"] == "for certain"),
        counted("if all have three decimals", table["of three decimals"] == "for certain"),
        table=table.map(lambda cell: float(cell) if isinstance(cell, Decimal) else cell),
    )


def restrictive_level() -> Outcome:
    """Rejections in their Table 2 at the level as printed, and at that of the next section."""
    ps = printed_table("riezler_maxwell2005", 2)[["p_bootstrap", "p_approxrand"]].astype(float)
    restrictive, following = text("r-restrictive"), text("r-five-pc")
    levels = [float(restrictive), float(following)]
    table = pd.DataFrame({level: (ps <= level).sum() for level in levels}).T.rename_axis("level")
    return outcome(
        counted(f"bootstrap rejects at {restrictive}", ps["p_bootstrap"] <= levels[0]),
        counted(f"at {following}", ps["p_bootstrap"] <= levels[1]),
        counted(f"AR rejects at {following}", ps["p_approxrand"] <= levels[1]),
        table=table,
    )


def enough_resamples() -> Outcome:
    """How many resamples p below the printed bound takes, and what loops from 0 to R make of p."""
    table_1 = printed_table("riezler_maxwell2005", 1)
    bound = Fraction(table_1["p_approxrand"][table_1["p_approxrand_relation"] == "<"].iloc[0])
    least = 1 / bound  # of R + 1, which must be larger
    resamples = int(least)
    draws = len(range(resamples + 1))
    return outcome(
        Value("smallest R with 1/(R + 1) below the printed bound", resamples),
        Value("draws of a loop from 0 to that R", draws),
        Value("largest p", (draws + 1) / (resamples + 1), ".6f"),
    )


def experimentwise(comparisons: str, level: str) -> Outcome:
    """The error of an experiment of independent comparisons; their number and level by ids."""
    k = int(number(comparisons))
    error = 1 - (1 - number(level)) ** k
    standard = text("r-standard-pe")
    each = 1 - (1 - float(standard)) ** (1 / k)
    return outcome(Value("error", error, ".4f"), Value(f"level for {standard} in all", each, ".6f"))


def growth() -> Outcome:
    """What each further comparison adds to the error of an experiment, by their formula."""
    level, k = number("r-bench-pc"), np.arange(1, int(number("r-bench-pairs")) + 1)
    error, added = 1 - (1 - level) ** k, level * (1 - level) ** (k - 1)
    table = pd.DataFrame({"error": error, "added by the last": added}, k).iloc[[0, 1, 9, 49, -1]]
    return outcome(
        *(Value(f"added by no. {k[at]}", added[at], ".4f") for at in (0, 9, -1)),
        holds=bool((np.diff(added) > 0).all()),
        table=table.rename_axis("comparisons"),
    )


def of_means(scores: FloatArray, systems: Iterable[str]) -> mt.SufficientStatistics:
    """Statistics of a mean of such scores, cut to 2**-10, so that sums are exact."""
    cut = np.rint(1024 * scores) / 1024
    values = np.stack([cut, np.ones_like(cut)], axis=-1)
    return mt.SufficientStatistics(SegmentMean(), tuple(systems), values)


def power() -> Outcome:
    """Rejections by approximate randomization and by the paired t test, on the same pairs."""
    chrf = statistics(WMT12, "chrF").select(["onlineA", "UPC"]).segment_scores()
    raters = campaign("wmt21/en-de").human.as_statistics()  # type: ignore[union-attr]
    mqm = raters.select(["ref-A", "ref-C"]).segment_scores()
    rng, level, rows = np.random.default_rng(1908), number("r-standard"), {}
    worlds = {"normal": rng.normal(size=3000), "chrF": chrf[0] - chrf[1], "MQM": mqm[0] - mqm[1]}
    names = [f"{side} {k}" for side in ("one", "other") for k in range(1000)]
    for (name, of), n in itertools.product(worlds.items(), (20, 100, 300)):
        drawn = rng.choice(of - of.mean(), (1000, n)) + 2 * of.std() / np.sqrt(n)
        pairs = of_means(np.concatenate([drawn, 0 * drawn]), names)
        by_t = stats.ttest_1samp(pairs.segment_scores()[:1000], 0, axis=1).pvalue <= level
        by_ar = mt.simulate.null_pvalues(pairs, AR, n_resamples=10_000, rng=n) <= level
        alone = {"AR alone": (by_ar & ~by_t).sum(), "t test alone": (by_t & ~by_ar).sum()}
        rows[name, n] = {"AR": by_ar.sum(), "t test": by_t.sum(), **alone}
    table = pd.DataFrame(rows).T.rename_axis(["differences", "sentences"])
    behind = (table["t test"] - table["AR"]) / 10
    return outcome(
        *(Value(test, table[test].sum(), of=1000 * len(table)) for test in ("AR", "t test")),
        Value("most that AR is behind (points)", behind.max(), ".1f"),
        Value("ahead (points)", -behind.min(), ".1f"),
        holds=bool(behind.max() <= 2),
        table=table,
    )


def post_hoc() -> Outcome:
    """Scheffé's test beside Tukey's for all pairs, and both where no system differs.

    Sentences are blocks: the error is what a two-way table leaves over.
    """
    chrf = statistics(WMT12, "chrF").subset(np.arange(0, 3003, 30))
    scores, level, worlds = chrf.segment_scores(), number("r-standard-pe"), 2000
    k, n = scores.shape
    df, rng = (k - 1) * (n - 1), np.random.default_rng(1953)
    needed = {  # of a difference of two means, in standard errors of a mean
        "t, uncorrected": np.sqrt(2) * stats.t.isf(level / 2, df),
        "Tukey": stats.studentized_range.isf(level, k, df),
        "Scheffé": np.sqrt(2 * (k - 1) * stats.f.isf(level, k - 1, df)),
    }

    def apart(some: FloatArray) -> FloatArray:
        left = some - some.mean(axis=1, keepdims=True) - some.mean(axis=0) + some.mean()
        means = some.mean(axis=1) / np.sqrt((left**2).sum() / df / n)
        return np.abs(np.subtract(*means[np.stack(pair_indices(k))]))

    most = np.array([apart(rng.permuted(scores, axis=0)).max() for _ in range(worlds)])
    told = {test: apart(scores) > q for test, q in needed.items()}
    false = {test: most > q for test, q in needed.items()}
    how: dict[str, Any] = {"correction": "tukey", "interval": None, "n_resamples": 10_000}
    shuffled = mt.compare_all(of_means(scores, chrf.systems), rng=1953, **how).conclusions(level)
    return outcome(
        *(counted(f"told apart, {test}", told[test]) for test in ("Tukey", "Scheffé")),
        *(counted(f"false, {test}", false[test]) for test in needed),
        counted("told apart, Tukey by shuffles", shuffled.pairs() != 0),
        holds=bool(told["Scheffé"].sum() < told["Tukey"].sum()),
    )


def recommendation() -> Outcome:
    """NIST with approximate randomization at a strict level, beside people and other ways."""
    ways = {"AR, strict": (AR, "sidak"), "AR": (AR, None), "bootstrap": (PRINTED, None)}
    asked = itertools.product(RANKED, ("NIST", "BLEU"), ways.items())
    kinds: dict[Any, pd.Series] = {}
    for name, metric, (way, (test, correction)) in asked:
        how: dict[str, Any] = {"test": test, "correction": correction, "interval": None}
        given = judged(statistics(name, metric), people(name))
        said = mt.compare_all(given, n_resamples=10_000, rng=2005, **how).conclusions(0.05)
        found = mt.agreement(said, people(name), n_resamples=100, rng=2005)
        kinds[name, f"{metric}, {way}"] = found.kinds
    table = pd.DataFrame(kinds).T.groupby(level=1, sort=False).sum().rename_axis("way")
    pairs, shown = table.iloc[0].sum(), table.iloc[[0, -1]]
    wrong = table["unfounded"] + table["opposite"]
    return outcome(
        *(Value(f"as people, {way}", row["correct"], of=pairs) for way, row in shown.iterrows()),
        *(Value(f"claims not shared, {way}", wrong[way], of=pairs) for way in shown.index),
        holds=bool(shown["correct"].is_monotonic_decreasing and shown["correct"].is_unique),
        table=table,
    )
