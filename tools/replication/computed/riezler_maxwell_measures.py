"""Riezler & Maxwell (2005): which measure notices small differences (section 3), on other data."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import Any

import pandas as pd
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.significance.corrections import standard_errors
from mtsig_nb.statistics.sufficient import pair_indices

from ...repository.campaigns import campaign, statistics
from ..rows import Outcome, Value, answer, counted, counted_each, rounded, table_of
from ..shared import SIX_METRICS, judged, number, pair_label, people
from .riezler_maxwell import AR, PRINTED, SCORES, TABLE_1, WMT12

#: The measures of their Table 1, by what they are called here.
MEASURES = {"NIST": "NIST", "BLEU": "BLEU", "DependencyF": "F"}
#: Test sets on which people ranked systems.
RANKED = (
    "wmt12/cs-en",
    "wmt12/de-en",
    "wmt12/es-en",
    "wmt12/fr-en",
    "wmt13/cs-en",
    "wmt13/de-en",
    "wmt13/es-en",
    "wmt13/fr-en",
)


def mcnemar_pvalue(noticed: pd.DataFrame, other: str) -> float:
    """McNemar's exact test of whether NIST notices more pairs than another measure, one-sided.

    Of the pairs that only one of the two notices, as many or more are noticed by NIST.  Takes pairs
    that share systems as independent.
    """
    by_nist = noticed["NIST"]
    by_other = noticed[other]
    by_nist_alone = int((by_nist & ~by_other).sum())
    by_other_alone = int((by_other & ~by_nist).sum())
    n_pairs = by_nist_alone + by_other_alone
    test = stats.binomtest(by_nist_alone, n_pairs, alternative="greater")
    return float(test.pvalue)


# Pairs of WMT12 es-en, in standard errors.


@lru_cache(maxsize=1)
def effects() -> pd.DataFrame:
    """All 66 pairs under six metrics: the first's advantage in jackknife standard errors.

    Systems are in the order of their BLEU, and so are the two of each pair.
    """
    systems = list(statistics(WMT12, "BLEU").scores().index)
    first, second = pair_indices(len(systems))
    columns = {}
    for metric in SIX_METRICS:
        ranked = statistics(WMT12, metric).select(systems)
        score = ranked.metric.direction * ranked.metric.score(ranked.totals())
        advantage = score[first] - score[second]
        columns[metric] = advantage / standard_errors(ranked, (first, second))
    pairs = [pair_label(*pair) for pair in itertools.combinations(systems, 2)]
    return pd.DataFrame(columns, pd.Index(pairs, name="pair"))


def small_differences() -> Outcome:
    """Table 1: which metrics notice small differences.

    Printed: one difference under each of three measures (Table 1).  NIST notices small differences
    that BLEU does not (section 3).
    Recomputed: neighbours of WMT12 es-en that are less than one BLEU point apart.  A metric notices
    a pair whose difference is beyond 1.96 jackknife standard errors.
    Holds: if NIST notices more of them than BLEU by McNemar's exact test, at the paper's level.  In
    part: if it notices more, and no more.
    """
    bleu = statistics(WMT12, "BLEU").scores()
    close = []
    for better, worse in itertools.pairwise(bleu.index):
        if bleu[better] - bleu[worse] < 1:
            close.append(pair_label(better, worse))
    effects_of_close = effects().loc[close]
    noticed = effects_of_close.abs() > 1.96
    n_noticed = noticed.sum()
    pvalue = mcnemar_pvalue(noticed, "BLEU")
    significant = pvalue <= number("r-standard")
    ahead = n_noticed["NIST"] > n_noticed["BLEU"]
    return Outcome(
        *counted_each(noticed[["NIST", "BLEU", "GTM"]]),
        Value("p of NIST before BLEU", pvalue, ".2f"),
        holds=answer(significant, ahead),
        table=effects_of_close,
    )


def all_differences() -> Outcome:
    """Table 1, a question of ours: how clearly each metric shows the differences of all 66 pairs.

    Computed: differences in jackknife standard errors, whatever their size.
    Holds: if most of them are larger under NIST than under BLEU.
    """
    clearness = effects().abs()
    median = clearness.median()
    nist_clearer = clearness["NIST"] > clearness["BLEU"]
    columns = {
        "median |advantage| (standard errors)": median,
        "pairs beyond 1.96": (clearness > 1.96).sum(),
    }
    return Outcome(
        counted("NIST clearer than BLEU", nist_clearer),
        *rounded(".1f", median[["NIST", "BLEU"]].add_prefix("median, ")),
        holds=nist_clearer.mean() > 0.5,
        table=pd.DataFrame(columns).rename_axis("metric"),
    )


# All test sets into English, under their three measures.


@lru_cache(maxsize=1)
def into_english() -> Any:
    """Every pair of systems of every WMT test set into English, under their three measures.

    Returns
    -------
    DataFrame
        A row for each test set and pair.  Columns have two levels: ``AR`` and ``bootstrap``
        (p-values), ``neighbours`` (in the ranking of the measure), ``baseline`` and ``reranking``
        (scores); and the measure.  The reranking is the better system under NIST, as theirs is.
    """
    campaigns = mt.list_campaigns()
    # Of WMT23 there is only that part of the test set that people rated.
    whole = campaigns["campaign"].str.startswith("wmt") & (campaigns["campaign"] != "wmt23")
    parsed = campaigns["metrics"].str.contains("DependencyF")
    by_test_set = {}
    for name in campaigns["name"][whole & parsed]:
        by_test_set[str(name)] = under_measures(name)
    return pd.concat(by_test_set, names=["test set"])


def under_measures(name: str) -> pd.DataFrame:
    """The pairs of one test set, as `into_english` has them, without copies of a system."""
    family = [statistics(name, metric) for metric in MEASURES]
    options: dict[str, Any] = {"correction": None, "interval": None, "n_resamples": 2000}
    table = mt.compare_all(family, test=AR, rng=2005, **options).table
    by_bootstrap = mt.compare_all(family, test=PRINTED, rng=2005, **options).table
    systems = list(zip(table["system_a"], table["system_b"], strict=True))
    table["AR"] = table["pvalue"]
    table["bootstrap"] = by_bootstrap["pvalue"]
    table["measure"] = table["metric"].map(MEASURES)
    table["neighbours"] = are_neighbours(family, table["metric"], systems)
    table["pair"] = [pair_label(*sorted(pair)) for pair in systems]
    table.loc[table["metric"] == "BLEU", ["score_a", "score_b"]] /= 100

    largest_difference = table.groupby("pair")["difference"].transform("max")
    table = table[largest_difference != 0]
    wanted = ["system_a", "score_a", "score_b", "AR", "bootstrap", "neighbours"]
    wide: Any = table.pivot(index="pair", columns="measure", values=wanted)
    wide = wide.reindex(columns=list(MEASURES.values()), level="measure")
    better_is_nists = wide["system_a"].eq(wide["system_a"]["NIST"], axis=0)
    columns = {
        "AR": wide["AR"],
        "bootstrap": wide["bootstrap"],
        "neighbours": wide["neighbours"],
        "baseline": wide["score_b"].where(better_is_nists, wide["score_a"]),
        "reranking": wide["score_a"].where(better_is_nists, wide["score_b"]),
    }
    return pd.concat(columns, axis=1)


def are_neighbours(
    family: list[mt.SufficientStatistics],
    metrics: Iterable[str],
    systems: Iterable[tuple[str, str]],
) -> list[bool]:
    """Of each metric and pair (the better system first), whether nobody stands between the two."""
    next_below = {}
    for given in family:
        ranking = given.scores().index
        next_below[given.metric.name] = dict(itertools.pairwise(ranking))
    return [
        next_below[metric].get(better) == worse
        for metric, (better, worse) in zip(metrics, systems, strict=True)
    ]


def table_1() -> Outcome:
    """Table 1: scores and p-values of small differences, under three measures.

    Printed: the scores of a baseline and a reranked system under NIST, BLEU and F, with p-values of
    both tests.  NIST is more sensitive than BLEU and F (abstract).
    Recomputed: all pairs of `into_english` that are no further apart than theirs under each of the
    three measures.
    Holds: if NIST notices more of these pairs than BLEU and than F.  A measure notices a pair whose
    p by approximate randomization is at the paper's level or below.
    """
    printed_scores = SCORES.map(Decimal)
    printed_distance = (printed_scores["reranking"] - printed_scores["baseline"]).abs()
    pairs = into_english()
    distance = (pairs["reranking"] - pairs["baseline"]).abs()
    within = distance <= printed_distance.astype(float)
    close = within.all(axis=1)
    noticed = pairs["AR"] <= number("r-standard")
    n_noticed = noticed[close].sum()
    most_of_others = max(n_noticed["BLEU"], n_noticed["F"])
    in_own_bound = {
        f"{measure}, of all within its own bound": noticed[measure][is_close]
        for measure, is_close in within.items()
    }

    theirs = SCORES.assign(AR=printed_p("p_approxrand"), bootstrap=printed_p("p_bootstrap"))
    ours = pd.DataFrame()
    for column in theirs.columns:
        ours[column] = pairs[column][close].stack()
    theirs_labelled = pd.concat({("printed", ""): theirs}, names=["test set", "pair"])
    table = pd.concat([theirs_labelled, ours])
    return Outcome(
        *counted_each(noticed[close][list(SCORES.index)]),
        *counted_each(in_own_bound),
        holds=n_noticed["NIST"] > most_of_others,
        table=table.rename(columns={"AR": "p, AR", "bootstrap": "p, bootstrap"}),
    )


def printed_p(column: str) -> pd.Series:
    """The p-values of Table 1 as text: "< 0.0001", and a dash where none is printed."""
    relation = TABLE_1[f"{column}_relation"].replace("=", "")
    shown = (relation + " " + TABLE_1[column]).str.strip()
    return shown.replace("", "–")


def neighbours() -> Outcome:
    """Table 1, F: which measures notice neighbours in a ranking.

    Printed: scores and p of one pair under F (Table 1).  NIST is more sensitive than BLEU and F
    (abstract).
    Recomputed: pairs of `into_english` that are neighbours under one of the measures, which
    favours the others; under any of the three, and by people, which favours none.
    Holds: if among the neighbours of these last two kinds NIST notices more than BLEU and than F,
    by McNemar's exact test at the paper's level.  In part: if it notices more.
    """
    pairs = into_english()
    near = pairs["neighbours"]
    chosen = {f"under {measure}": near[measure] for measure in MEASURES.values()}
    chosen["under any of the three"] = near.any(axis=1)
    chosen["by people"] = near.index.isin(neighbours_by_people(near.index))

    rows = {kind: noticed_by_each(pairs[is_chosen]) for kind, is_chosen in chosen.items()}
    table = table_of(rows, "neighbours")
    impartial = table.loc[["under any of the three", "by people"]]
    significant = (impartial["p, AR"] <= number("r-standard")).all()
    most_of_others = impartial[["BLEU, AR", "F, AR"]].max(axis=1)
    ahead = (impartial["NIST, AR"] > most_of_others).all()

    values = []
    for name, counts in impartial.iterrows():
        for measure in MEASURES.values():
            n_noticed = counts[f"{measure}, AR"]
            values.append(Value(f"{measure}, {name}", n_noticed, of=counts["pairs"]))
    return Outcome(*values, holds=answer(significant, ahead), table=table)


def noticed_by_each(pairs: Any) -> dict[str, float]:
    """How many of some pairs of `into_english` each measure notices, by both tests.

    Beside it the p of NIST against BLEU or F, the larger of the two.
    """
    counts: dict[str, float] = {"pairs": len(pairs)}
    for test in ("AR", "bootstrap"):
        noticed = pairs[test] <= number("r-standard")
        for measure in MEASURES.values():
            counts[f"{measure}, {test}"] = noticed[measure].sum()
        before_bleu = mcnemar_pvalue(noticed, "BLEU")
        before_f = mcnemar_pvalue(noticed, "F")
        counts[f"p, {test}"] = max(before_bleu, before_f)
    return counts


def neighbours_by_people(pairs: pd.Index) -> list[tuple[str, str]]:
    """Test set and pair of the systems that people ranked one after the other."""
    ranked_next = []
    for name in pairs.unique("test set"):
        given = campaign(name)
        if next(iter(given.judgements)) == "segment_da":  # of few segments, no ranking
            continue
        ranking = [system for system in given.human.scores().index if system in given.systems]
        for pair in itertools.pairwise(ranking):
            ranked_next.append((name, pair_label(*sorted(pair))))
    return ranked_next


# What they recommend.


def recommendation() -> Outcome:
    """Recommendation, a question of ours: NIST, randomization and a strict level, beside people.

    Printed: the recommendation, in words (abstract).
    Computed: on test sets that people ranked, the pairs about which a metric and a test conclude
    what people do.  Strict is an experimentwise level over all pairs of a test set (section 4.4).
    Holds: if their choice is right about more pairs than BLEU with their bootstrap at .05.
    """
    procedures: dict[str, dict[str, Any]] = {
        "AR, strict": {"test": AR, "correction": "sidak"},
        "AR": {"test": AR, "correction": None},
        "bootstrap": {"test": PRINTED, "correction": None},
    }
    kinds: dict[Any, pd.Series] = {}
    for name, metric in itertools.product(RANKED, ("NIST", "BLEU")):
        gold = people(name)
        given = judged(statistics(name, metric), gold)
        for procedure, options in procedures.items():
            tested = mt.compare_all(given, interval=None, n_resamples=10_000, rng=2005, **options)
            concluded = tested.conclusions(0.05)
            agreement = mt.agreement(concluded, gold, n_resamples=100, rng=2005)
            kinds[name, f"{metric}, {procedure}"] = agreement.kinds
    by_campaign = pd.DataFrame(kinds).T
    table = by_campaign.groupby(level=1, sort=False).sum().rename_axis("way")
    n_pairs = table.iloc[0].sum()
    correct = table["correct"]
    not_shared = table["unfounded"] + table["opposite"]
    theirs = "NIST, AR, strict"
    usual = "BLEU, bootstrap"
    return Outcome(
        Value(f"as people, {theirs}", correct[theirs], of=n_pairs),
        Value(f"as people, {usual}", correct[usual], of=n_pairs),
        Value(f"claims not shared, {theirs}", not_shared[theirs], of=n_pairs),
        Value(f"claims not shared, {usual}", not_shared[usual], of=n_pairs),
        holds=correct[theirs] > correct[usual],
        table=table,
    )
