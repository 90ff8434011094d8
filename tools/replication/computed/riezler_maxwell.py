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

from ...repository.campaigns import campaign, statistics
from ..rows import Outcome, Value, counted, counts, in_part, rounded
from ..shared import (
    SIX_METRICS,
    compared,
    judged,
    number,
    pair_of_unit_13,
    people,
    text,
)

WMT12, PAIR = "wmt12/es-en", ("uedin-wmt12", "QCRI--primary")
#: The measures of their Table 1, by what they are called here.
MEASURES = {"NIST": "NIST", "BLEU": "BLEU", "DependencyF": "F"}
TABLE_1 = printed_table("riezler_maxwell2005", 1).set_index("metric").rename_axis("measure")
SCORES = TABLE_1[["baseline", "reranking"]]
#: By how much each score changed in their Table 1.
CHANGES = ", ".join(
    f"{abs(float(after) / float(before) - 1):.1%} ({measure})"
    for measure, before, after in SCORES.itertuples()
)
TABLE_2 = printed_table("riezler_maxwell2005", 2).set_index("comparison")
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
    pairs = [f"{a} − {b}" for a, b in itertools.combinations(systems, 2)]
    return pd.DataFrame(columns, pairs).rename_axis("pair")


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
    return Outcome(
        *(Value(metric, noticed[metric], of=len(near)) for metric in ("NIST", "BLEU", "GTM")),
        Value("p of NIST before BLEU", p, ".2f"),
        holds=p <= number("r-standard") or in_part(noticed["NIST"] > noticed["BLEU"]),
        table=small,
    )


def all_differences() -> Outcome:
    """All 66 pairs: how clearly each metric shows them."""
    clearly = effects().abs()
    median, beyond = clearly.median(), (clearly > 1.96).sum()
    ahead = clearly["NIST"] > clearly["BLEU"]
    columns = {"median |advantage| (standard errors)": median, "pairs beyond 1.96": beyond}
    return Outcome(
        counted("NIST clearer than BLEU", ahead),
        *rounded(".1f", median[["NIST", "BLEU"]].add_prefix("median, ")),
        holds=ahead.mean() > 0.5,
        table=pd.DataFrame(columns).rename_axis("metric"),
    )


def reranking_tests() -> Outcome:
    """Type-I error of three tests under three metrics, on variants equal by construction.

    All pairs share their resamples, so a rate has two errors: of the pairs and of the resamples.
    """
    pairs, resamples, level = 400, 1000, number("r-standard")
    names, tables = ["as printed 2005", "shifted", "randomization"], {}
    for metric in ("BLEU", "NIST", "GTM"):
        some = pair_of_unit_13(metric).subset(np.arange(0, 3000, 10))
        nulls = mt.simulate.exact_nulls(some, *some.systems, n_pairs=pairs, rng=11)
        how: dict[str, Any] = {"alpha": level, "n_resamples": resamples, "rng": 3}
        rates = mt.simulate.rejection_rates(nulls, [PRINTED, SHIFTED, AR], **how)
        tables[metric] = rates.set_axis(names)[["rejected", "pairs", "rate", "low", "high"]]
    table = pd.concat(tables, names=["metric", "test"])
    error = np.sqrt(level * (1 - level) * (1 / pairs + 1 / resamples))
    too_often = (table["rate"] > level + 3 * error).unstack()
    rejected = tables["BLEU"]["rejected"]
    return Outcome(
        *(Value(f"{test}, BLEU", rejected[test], of=pairs) for test in names),
        holds=too_often["as printed 2005"].all() and not too_often["randomization"].any(),
        table=table,
    )


def reranking_metrics() -> Outcome:
    """Whether sensitive metrics raise more false claims: randomization under four of them."""
    level, pairs, alarms = number("r-standard"), 600, {}
    for metric in ("BLEU", "NIST", "TER", "GTM"):
        some = statistics(WMT12, metric).subset(np.arange(0, 3003, 20))
        nulls = mt.simulate.exact_nulls(some, *PAIR, n_pairs=pairs, rng=12)
        ps = mt.simulate.null_pvalues(nulls, AR, n_resamples=1999, rng=5)
        alarms[metric] = (ps <= level).sum()
    table = pd.DataFrame({"false claims": alarms, "of": pairs}).rename_axis("metric")
    rate = table["rate"] = table["false claims"] / pairs
    table["low"], table["high"] = clopper_pearson(table["false claims"], pairs)
    return Outcome(
        *rounded(".3f", rate[["NIST", "BLEU", "GTM"]]),
        holds=(table["low"] <= level).all(),
        table=table,
    )


@lru_cache(maxsize=1)
def undecided() -> pd.DataFrame:
    """P of three tests, for the pairs of WMT12 es-en that 10,000 shuffles can measure."""
    tests = {"randomization": AR, "as printed": PRINTED, "shifted": SHIFTED}
    found = {}
    for name, test in tests.items():
        table = compared(WMT12, "BLEU", test=test, rng=2005, correction=None).table
        found[name] = table.set_index(table["system_a"] + " − " + table["system_b"])["pvalue"]
    frame = pd.DataFrame(found).loc[found["randomization"].index].rename_axis("pair")
    return frame[frame["randomization"] > 0.002]


def table_2() -> Outcome:
    """The bootstrap's p beside approximate randomization's, and doubled."""
    table = undecided()[["randomization", "as printed"]]
    table = table.assign(doubled=2 * table["as printed"])
    smaller = table["as printed"] < table["randomization"]
    return Outcome(
        counted("smaller than AR's, as printed", smaller),
        counted("larger than AR's, doubled", table["doubled"] > table["randomization"]),
        holds=smaller.all(),
        table=table,
    )


def conservative() -> Outcome:
    """Whether the bootstrap is the less conservative test once both tails are counted."""
    table = undecided()
    ratios = table[["as printed", "shifted"]].div(table["randomization"], axis=0).median()
    return Outcome(
        Value("median p / AR's p, as printed", ratios["as printed"], ".2f"),
        Value("both tails counted", ratios["shifted"], ".2f"),
        holds=ratios["shifted"] < 0.85,
        table=table,
    )


def one_pair() -> Outcome:
    """Two systems that the printed test tells apart, and the corrected one does not."""
    pair = pair_of_unit_13()
    printed = mt.riezler_maxwell_bootstrap(pair, *pair.systems, warn=False, rng=2005)
    corrected = mt.bootstrap_test(pair, *pair.systems, rng=2005)
    lost = corrected.null_distribution[corrected.extreme & ~printed.extreme]
    return Outcome(
        Value("p as printed", printed.pvalue, ".3f"),
        Value("p corrected", corrected.pvalue, ".3f"),
        counted("lost resamples in the other tail", lost < 0),
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
    scores = SCORES.map(Decimal)
    bound = (scores["reranking"] - scores["baseline"]).abs().astype(float)
    pairs = into_english()
    within = (pairs["reranking"] - pairs["baseline"]).abs() <= bound
    near, noticed = within.all(axis=1), pairs["AR"] <= number("r-standard")
    theirs = SCORES.assign(AR=_with_sign("p_approxrand"), bootstrap=_with_sign("p_bootstrap"))
    ours = pd.DataFrame({str(what): pairs[str(what)][near].stack() for what in theirs})
    table = pd.concat([pd.concat({("printed", ""): theirs}, names=ours.index.names[:2]), ours])
    found = noticed[near].sum()
    in_own = {m: noticed[m][close] for m, close in within.items()}
    return Outcome(
        *counts(noticed[near][[*SCORES.index]]),
        *counts({f"{m}, of all within its own bound": some for m, some in in_own.items()}),
        holds=found["NIST"] > max(found["BLEU"], found["F"]),
        table=table.rename(columns={"AR": "p, AR", "bootstrap": "p, bootstrap"}),
    )


def neighbours() -> Outcome:
    """Neighbours in the ranking of each measure, and of people: which measures notice them."""
    pairs = into_english()
    near = pairs["neighbours"]
    chosen = {f"under {measure}": near[measure] for measure in MEASURES.values()}
    chosen["under any of the three"] = near.any(axis=1)
    chosen["by people"] = near.index.isin(_neighbours_by_people(near.index))
    noticed = {test: pairs[test] <= number("r-standard") for test in ("AR", "bootstrap")}
    rows = {}
    for which, some in chosen.items():
        rows[which] = {"pairs": some.sum()}
        for test, of in noticed.items():
            rows[which] |= of[some].sum().add_suffix(f", {test}")
            rows[which][f"p, {test}"] = max(sign_p(of[some], other) for other in ("BLEU", "F"))
    table = pd.DataFrame.from_dict(rows, "index").rename_axis("neighbours")
    fair = table.iloc[-2:]
    ahead = fair["NIST, AR"] > fair[["BLEU, AR", "F, AR"]].max(axis=1)
    return Outcome(
        *(
            Value(f"{measure}, {which}", row[f"{measure}, AR"], of=row["pairs"])
            for which, row in fair.iterrows()
            for measure in MEASURES.values()
        ),
        holds=(fair["p, AR"] <= number("r-standard")).all() or in_part(ahead.all()),
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


def _with_sign(column: str) -> pd.Series:
    """P-values after their relation, unless that is equality; a dash where none is printed."""
    sign = TABLE_1[f"{column}_relation"].replace("=", "")
    return (sign + " " + TABLE_1[column]).str.strip().replace("", "–")


def table_2_doubled() -> Outcome:
    """Their Table 2 with the bootstrap's p doubled, before and after the rounding of print."""
    printed = TABLE_2.map(Decimal)
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
    return Outcome(
        counted("larger than AR's as printed", above),
        counted("whatever was rounded off", table["doubled is larger"] == "for certain"),
        counted("if all have three decimals", table["of three decimals"] == "for certain"),
        table=table.astype(dict.fromkeys([*printed, "doubled"], float)),
    )


def restrictive_level() -> Outcome:
    """Rejections in their Table 2 at the level as printed, and at that of the next section."""
    ps = TABLE_2[["p_bootstrap", "p_approxrand"]].astype(float)
    restrictive, following = text("r-restrictive"), text("r-five-pc")
    below = {level: ps <= float(level) for level in (restrictive, following)}
    table = pd.DataFrame({float(level): some.sum() for level, some in below.items()}).T
    return Outcome(
        counted(f"bootstrap rejects at {restrictive}", below[restrictive]["p_bootstrap"]),
        counted(f"at {following}", below[following]["p_bootstrap"]),
        counted(f"AR rejects at {following}", below[following]["p_approxrand"]),
        table=table.rename_axis("level"),
    )


def enough_resamples() -> Outcome:
    """How many resamples p below the printed bound takes, and what loops from 0 to R make of p."""
    bound = Fraction(TABLE_1["p_approxrand"][TABLE_1["p_approxrand_relation"] == "<"].iloc[0])
    resamples = int(1 / bound)  # R + 1 must be larger
    draws = len(range(resamples + 1))
    return Outcome(
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
    return Outcome(Value("error", error, ".4f"), Value(f"level for {standard} in all", each, ".6f"))


def growth() -> Outcome:
    """What each further comparison adds to the error of an experiment, by their formula."""
    level, k = number("r-bench-pc"), np.arange(1, int(number("r-bench-pairs")) + 1)
    error, added = 1 - (1 - level) ** k, level * (1 - level) ** (k - 1)
    table = pd.DataFrame({"error": error, "added by the last": added}, k).iloc[[0, 1, 9, 49, -1]]
    return Outcome(
        *rounded(".4f", {f"added by no. {k[at]}": added[at] for at in (0, 9, -1)}),
        holds=(np.diff(added) > 0).all(),
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
        rows[name, n] = by_ar.sum(), by_t.sum(), (by_ar & ~by_t).sum(), (by_t & ~by_ar).sum()
    columns = ["AR", "t test", "AR alone", "t test alone"]
    table = pd.DataFrame(rows, columns).T.rename_axis(["differences", "sentences"])
    behind = (table["t test"] - table["AR"]) / 10
    return Outcome(
        *(Value(test, table[test].sum(), of=1000 * len(table)) for test in ("AR", "t test")),
        Value("most that AR is behind (points)", behind.max(), ".1f"),
        Value("ahead (points)", -behind.min(), ".1f"),
        holds=behind.max() <= 2,
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
    how: dict[str, Any] = {"correction": "tukey", "interval": None, "n_resamples": 10_000}
    shuffled = mt.compare_all(of_means(scores, chrf.systems), rng=1953, **how).conclusions(level)
    return Outcome(
        *(counted(f"told apart, {test}", told[test]) for test in ("Tukey", "Scheffé")),
        *counts({f"false, {test}": most > q for test, q in needed.items()}),
        counted("told apart, Tukey by shuffles", shuffled.pairs() != 0),
        holds=told["Scheffé"].sum() < told["Tukey"].sum(),
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
    wrong, right = shown["unfounded"] + shown["opposite"], shown["correct"]
    return Outcome(
        *(Value(f"as people, {way}", n, of=pairs) for way, n in right.items()),
        *(Value(f"claims not shared, {way}", n, of=pairs) for way, n in wrong.items()),
        holds=right.is_monotonic_decreasing and right.is_unique,
        table=table,
    )
