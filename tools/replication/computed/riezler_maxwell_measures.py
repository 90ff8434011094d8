"""Riezler & Maxwell (2005): which measure notices small differences (section 3), on other data."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
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
    """The p of McNemar's exact test, one-sided: whether NIST notices more pairs than another.

    Of the pairs that only one of the two notices, p is the chance that NIST notices as many or
    more, if both are as likely.  Pairs that share systems are taken as independent.  `noticed` has
    a row for each pair and a column for each measure.
    """
    by_nist = noticed["NIST"]
    by_other = noticed[other]
    by_nist_alone = by_nist & ~by_other
    by_other_alone = by_other & ~by_nist
    n_by_nist_alone = int(by_nist_alone.sum())
    n_by_other_alone = int(by_other_alone.sum())
    n_pairs = n_by_nist_alone + n_by_other_alone
    test = stats.binomtest(n_by_nist_alone, n_pairs, alternative="greater")
    return float(test.pvalue)


# Pairs of WMT12 es-en, in standard errors.


@lru_cache(maxsize=1)
def effects() -> pd.DataFrame:
    """How far the first system of each pair is ahead, in jackknife standard errors, by metric.

    A row for each of the 66 pairs, of which the better system by BLEU is first; a column for each
    of six metrics.
    """
    by_bleu = statistics(WMT12, "BLEU").scores()  # best first
    systems = list(by_bleu.index)
    first, second = pair_indices(len(systems))
    pairs = itertools.combinations(systems, 2)
    labels = [pair_label(better, worse) for better, worse in pairs]
    table = pd.DataFrame(index=pd.Index(labels, name="pair"))
    for metric in SIX_METRICS:
        ranked = statistics(WMT12, metric).select(systems)
        score = ranked.metric.score(ranked.totals())
        larger_is_better = ranked.metric.direction * score
        advantage = larger_is_better[first] - larger_is_better[second]
        errors = standard_errors(ranked, (first, second))
        table[metric] = advantage / errors
    return table


def small_differences() -> Outcome:
    """Table 1: which metrics notice small differences.

    Printed: one difference under each of three measures (Table 1).  NIST notices small differences
    that BLEU does not (section 3).
    Recomputed: neighbours of WMT12 es-en that are less than one BLEU point apart.  A metric notices
    a pair whose difference is beyond 1.96 jackknife standard errors.
    Holds: if NIST notices more of them than BLEU by McNemar's exact test, at the paper's level.  In
    part: if it notices more, and no more.
    """
    bleu = statistics(WMT12, "BLEU").scores()  # best first
    close_pairs = []
    for better, worse in itertools.pairwise(bleu.index):
        if bleu[better] - bleu[worse] < 1:
            close_pairs.append(pair_label(better, worse))
    effects_of_close = effects().loc[close_pairs]
    noticed = effects_of_close.abs() > 1.96
    pvalue = mcnemar_pvalue(noticed, "BLEU")
    significant = pvalue <= number("r-standard")
    n_noticed = noticed.sum()
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
    size = effects().abs()
    median = size.median()
    is_beyond = size > 1.96
    nist_clearer = size["NIST"] > size["BLEU"]
    columns = {
        "median |advantage| (standard errors)": median,
        "pairs beyond 1.96": is_beyond.sum(),
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
    is_wmt = campaigns["campaign"].str.startswith("wmt")
    # Of WMT23 there is only that part of the test set that people rated.
    is_whole = campaigns["campaign"] != "wmt23"
    is_parsed = campaigns["metrics"].str.contains("DependencyF")
    by_test_set = {}
    for name in campaigns["name"][is_wmt & is_whole & is_parsed]:
        by_test_set[str(name)] = under_measures(name)
    return pd.concat(by_test_set, names=["test set"])


def under_measures(name: str) -> pd.DataFrame:
    """The pairs of one test set, as `into_english` has them, without copies of a system.

    Two systems are copies if they do not differ under any measure.
    """
    rows = pairs_by_measure(name)
    rows = rows.assign(**scores_by_role(rows))
    largest_difference = rows.groupby("pair")["difference"].transform("max")
    are_copies = largest_difference == 0
    differ = rows[~are_copies].set_index(["pair", "measure"])
    columns = ["AR", "bootstrap", "neighbours", "baseline", "reranking"]
    by_pair: Any = differ[columns].unstack("measure")
    measures = list(MEASURES.values())
    return by_pair.reindex(columns=measures, level="measure")


def scores_by_role(rows: pd.DataFrame) -> dict[str, pd.Series]:
    """The scores of the baseline and the reranking in each row of `pairs_by_measure`."""
    of_better = rows["score_of_better"]
    of_worse = rows["score_of_worse"]
    by_nist = rows[rows["measure"] == "NIST"].set_index("pair")
    reranking = rows["pair"].map(by_nist["better"])
    is_better = rows["better"] == reranking
    return {
        "baseline": of_worse.where(is_better, of_better),
        "reranking": of_better.where(is_better, of_worse),
    }


def pairs_by_measure(name: str) -> pd.DataFrame:
    """The pairs of a test set under each measure: a row for each pair and measure.

    Other columns: ``better``, the better system under this measure; ``difference`` between the two;
    ``score_of_better`` and ``score_of_worse``; the p-values ``AR`` and ``bootstrap``; and
    ``neighbours``, whether the worse system comes next in the measure's ranking.
    """
    family = [statistics(name, metric) for metric in MEASURES]
    by_randomization = compared_by(AR, family)
    by_bootstrap = compared_by(PRINTED, family)
    metric = by_randomization["metric"]
    better = by_randomization["system_a"]
    worse = by_randomization["system_b"]
    scale = metric.map({"BLEU": 100}).fillna(1)  # they print BLEU as a share
    metric_and_systems = pd.MultiIndex.from_arrays([metric, better, worse])
    columns = {
        "pair": pair_labels(better, worse),
        "measure": metric.map(MEASURES),
        "difference": by_randomization["difference"],
        "better": better,
        "score_of_better": by_randomization["score_a"] / scale,
        "score_of_worse": by_randomization["score_b"] / scale,
        "AR": by_randomization["pvalue"],
        "bootstrap": by_bootstrap["pvalue"],
        "neighbours": metric_and_systems.isin(successive_systems(family)),
    }
    return pd.DataFrame(columns)


def compared_by(test: str, family: list[mt.SufficientStatistics]) -> pd.DataFrame:
    """All pairs of systems under each metric, by one test."""
    compared = mt.compare_all(
        family,
        test=test,
        correction=None,
        interval=None,
        n_resamples=2000,
        rng=2005,
    )
    return compared.table


def successive_systems(family: list[mt.SufficientStatistics]) -> list[tuple[str, str, str]]:
    """Metric and two systems, the better one first, that follow one another in its ranking."""
    successive = []
    for given in family:
        ranking = given.scores().index  # best first
        for better, worse in itertools.pairwise(ranking):
            successive.append((given.metric.name, better, worse))
    return successive


def pair_labels(systems: Iterable[str], others: Iterable[str]) -> list[str]:
    """The label of each pair whatever the order of its systems: the same under each measure."""
    pairs = zip(systems, others, strict=True)
    return [pair_label(*sorted(pair)) for pair in pairs]


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
    printed_difference = printed_scores["reranking"] - printed_scores["baseline"]
    bound = printed_difference.abs().astype(float)
    pairs = into_english()
    distance = (pairs["reranking"] - pairs["baseline"]).abs()
    within = distance <= bound
    noticed = pairs["AR"] <= number("r-standard")
    within_own_bound = {}
    for measure, is_within in within.items():
        name = f"{measure}, of all within its own bound"
        within_own_bound[name] = noticed[measure][is_within]

    close = within.all(axis=1)
    noticed_of_close = noticed[close]
    n_noticed = noticed_of_close.sum()
    most_of_others = max(n_noticed["BLEU"], n_noticed["F"])
    return Outcome(
        *counted_each(noticed_of_close[list(SCORES.index)]),
        *counted_each(within_own_bound),
        holds=n_noticed["NIST"] > most_of_others,
        table=below_table_1(pairs[close]),
    )


def below_table_1(pairs: Any) -> pd.DataFrame:
    """Table 1 as printed, and below it, in its layout, some pairs of `into_english`."""
    by_randomization = printed_p("p_approxrand")
    by_bootstrap = printed_p("p_bootstrap")
    theirs = SCORES.assign(AR=by_randomization, bootstrap=by_bootstrap)
    their_labels = ("printed", "")  # in place of a test set and a pair
    theirs_labelled = pd.concat({their_labels: theirs}, names=["test set", "pair"])
    ours = pd.DataFrame()
    for column in theirs.columns:
        ours[column] = pairs[column].stack()  # a row for each pair and measure
    table = pd.concat([theirs_labelled, ours])
    return table.rename(columns={"AR": "p, AR", "bootstrap": "p, bootstrap"})


def printed_p(column: str) -> pd.Series:
    """The p-values of a column of Table 1 as text: "< 0.0001", and a dash where none is printed."""
    relation = TABLE_1[f"{column}_relation"].replace("=", "")
    pvalue = TABLE_1[column]
    joined = relation + " " + pvalue
    shown = joined.str.strip()
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
    rows = {}
    for measure in MEASURES.values():
        rows[f"under {measure}"] = noticed_by_each(pairs[near[measure]])
    near_under_any = near.any(axis=1)
    rows["under any of the three"] = noticed_by_each(pairs[near_under_any])
    near_by_people = near.index.isin(neighbours_by_people(near.index))
    rows["by people"] = noticed_by_each(pairs[near_by_people])

    table = table_of(rows, "neighbours")
    impartial = table.loc[["under any of the three", "by people"]]
    is_significant = impartial["p, AR"] <= number("r-standard")
    most_of_others = impartial[["BLEU, AR", "F, AR"]].max(axis=1)
    is_ahead = impartial["NIST, AR"] > most_of_others

    values = []
    for kind, counts in impartial.iterrows():
        n_pairs = counts["pairs"]
        for measure in MEASURES.values():
            n_noticed = counts[f"{measure}, AR"]
            value = Value(f"{measure}, {kind}", n_noticed, of=n_pairs)
            values.append(value)
    holds = answer(is_significant.all(), is_ahead.all())
    return Outcome(*values, holds=holds, table=table)


def noticed_by_each(pairs: Any) -> dict[str, float]:
    """How many of some pairs of `into_english` each measure notices, by both tests.

    Beside it, for each test, the p of McNemar's test of NIST against BLEU or F, the larger one.
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
    """Of the test sets of some pairs: test set and pair of systems that people rank in succession.

    People may have ranked systems whose outputs are not at hand; these are passed over.
    """
    in_succession = []
    for name in pairs.unique("test set"):
        test_set = campaign(name)
        main_judgements = next(iter(test_set.judgements))
        if main_judgements == "segment_da":  # of few segments, no ranking
            continue
        ranking = test_set.human.scores().index  # best first
        at_hand = [system for system in ranking if system in test_set.systems]
        for pair in pair_labels(at_hand[:-1], at_hand[1:]):
            in_succession.append((name, pair))
    return in_succession


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
    kinds_by_way = {}
    for metric, procedure in itertools.product(("NIST", "BLEU"), procedures):
        options = procedures[procedure]
        by_test_set = [kinds_of_pairs(name, metric, options) for name in RANKED]
        kinds_by_way[f"{metric}, {procedure}"] = pd.DataFrame(by_test_set).sum()
    table = pd.DataFrame(kinds_by_way).T.rename_axis("way")
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


def kinds_of_pairs(name: str, metric: str, options: Mapping[str, Any]) -> pd.Series:
    """How many pairs of a test set are of each kind of `mtsig_nb.agreement` with people.

    `options` are those of `mtsig_nb.compare_all`, whose conclusions at .05 are compared.
    """
    gold = people(name)
    scored = statistics(name, metric)
    ranked = judged(scored, gold)
    tested = mt.compare_all(ranked, interval=None, n_resamples=10_000, rng=2005, **options)
    concluded = tested.conclusions(0.05)
    agreement = mt.agreement(concluded, gold, n_resamples=100, rng=2005)
    return agreement.kinds
