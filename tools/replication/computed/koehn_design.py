"""Koehn (2004): his design on other data, and how often its conclusions are right (section 7).

The design asks for systems that translate the same text from several languages into English, with
one English reference.  WMT12 and WMT13 have that: one reference each, line by line, for all pairs
into English.  Four engines took part from four languages in both years; one of them, uedin, is of
Koehn's own group.  `real` has their sentences, `population` stands in for his 30,000 sentences, and
`contests` are the pairs of systems that stand in for the nine of his Table 3.

Columns and rows named "his" are printed numbers, "ours" are computed on the population, and "each
sentence once" on the real sentences alone.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from functools import cache
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats
from scipy.optimize import linear_sum_assignment

import mtsig_nb as mt
from mtsig_nb.campaigns.printed import printed_table
from mtsig_nb.metrics.base import FloatArray

from ...repository.campaigns import statistics
from ..rows import Outcome, Value, answer, counted, counted_each, rounded, table_of
from ..shared import number, text
from .koehn_printed import (
    PAPER,
    at_95_in_table_4,
    numeric_table,
    possible_by_table_3,
    wrong_by_table_4,
)

#: How test sets are made: broad ones from the population or from the real sentences, or blocks of
#: consecutive real sentences.
Sample = Literal["population", "real", "blocks"]
#: What tables call his numbers, and ours on the population and on the real sentences.
HIS = "his"
OURS = "ours"
ONCE = "each sentence once"
SAMPLES: dict[str, Sample] = {OURS: "population", ONCE: "real"}

YEARS = ("wmt12", "wmt13")
LANGUAGES = ("es", "fr", "de", "cs")
#: Engines, by a pattern for their names in both years (WMT12 has "jhu-heiro" once).
ENGINES = {
    "uedin": "uedin-wmt",
    "jhu": "(?i:jhu)",
    "online-A": "online-?A",
    "online-B": "online-?B",
}
#: A pair of two engines is taken only if it is closer to his difference by more than this (BLEU).
TWO_ENGINES = 0.25

#: Sentences in the test sets of Table 3; in those of all his figures; in all his test sets.
SIZES = (100, 300, 600, 3000)
SIZE = int(number("k-300-broad-size"))
POPULATION = int(number("k-test-sentences"))
RESAMPLES = int(number("k-pair-resamples"))
#: The level of his test: the share of resamples that the better system has to win.
SURE = number("k-pair-level") / 100
#: The columns of Table 3: a pair's difference, and by size the shares right and wrong.
DIFFERENCE = "difference (BLEU)"
RIGHT = {size: f"{size:,} right (%)" for size in SIZES}
WRONG = {size: f"{size:,} wrong (%)" for size in SIZES}


# The systems and their sentences.


def into_english(year: str, language: str) -> str:
    """The name of the campaign from a language into English."""
    return f"{year}/{language}-en"


def counts_of(engine: str, language: str) -> FloatArray:
    """BLEU's counts of an engine from a language, for the sentences of both years."""
    pattern = ENGINES[engine]
    by_year = []
    for year in YEARS:
        bleu = statistics(into_english(year, language), "BLEU")
        (system,) = [name for name in bleu.systems if re.match(pattern, name)]
        position = bleu.index(system)
        by_year.append(bleu.values[position])
    return np.concatenate(by_year)


@cache
def real() -> mt.SufficientStatistics:
    """The real sentences of both years, for each engine from each language ("uedin es")."""
    systems = []
    counts = []
    for engine, language in itertools.product(ENGINES, LANGUAGES):
        systems.append(f"{engine} {language}")
        counts.append(counts_of(engine, language))
    any_campaign = into_english(YEARS[0], LANGUAGES[0])
    bleu = statistics(any_campaign, "BLEU").metric
    return mt.SufficientStatistics(bleu, tuple(systems), np.stack(counts))


@cache
def population() -> mt.SufficientStatistics:
    """As many sentences as his: the real ones over and over, in random order."""
    sentence = np.arange(real().n_segments)
    repeated = np.resize(sentence, POPULATION)
    rng = np.random.default_rng(POPULATION)
    return real().subset(rng.permutation(repeated))


def column(given: mt.SufficientStatistics, name: str) -> FloatArray:
    """One of the counts behind a metric, shape (systems, sentences)."""
    position = given.metric.columns.index(name)
    return given.values[:, :, position]


def sentences(sample: Sample) -> mt.SufficientStatistics:
    """All sentences that the test sets of a sample are made of."""
    return population() if sample == "population" else real()


def test_sets(sample: Sample, size: int) -> list[mt.SufficientStatistics]:
    """The disjoint test sets of a size that a sample has sentences for."""
    whole = sentences(sample)
    if sample == "blocks":
        return blocks(whole, size)
    return broad_samples(whole, size)


def blocks(whole: mt.SufficientStatistics, size: int) -> list[mt.SufficientStatistics]:
    """Test sets of consecutive sentences; sentences that fill none are left out."""
    n = whole.n_segments // size
    sentence = np.arange(n * size)
    parts = np.split(sentence, n)
    return [whole.subset(part) for part in parts]


def broad_samples(whole: mt.SufficientStatistics, size: int) -> list[mt.SufficientStatistics]:
    """Test sets as in section 3.3: of n, the first has the sentences 0, n, 2n and so on."""
    n = whole.n_segments // size
    sentence = np.arange(n * size)
    return [whole.subset(sentence[k::n]) for k in range(n)]


# The pairs of systems.


def his_table_3() -> pd.DataFrame:
    """Table 3 as printed: a row for each comparison; columns are `DIFFERENCE`, `RIGHT`, `WRONG`."""
    cells = printed_table(PAPER, 3)
    by_comparison = cells.groupby("comparison", sort=False)
    table = by_comparison["bleu_difference_pct"].first().to_frame(DIFFERENCE)
    for size in SIZES:
        has_size = cells["sample_size"] == str(size)
        shares = cells[has_size].set_index("comparison")
        table[RIGHT[size]] = shares["correct_pct"]
        table[WRONG[size]] = shares["wrong_pct"].replace("", None)
    return table


@cache
def contests() -> pd.DataFrame:
    """The pairs of our systems that stand in for the nine of Table 3.

    Of all `candidates` the nine whose true differences are closest to his, in all.  Two engines on
    one language have outputs that are more alike; they cost `TWO_ENGINES` BLEU more.

    Returns
    -------
    DataFrame
        A row for each of his comparisons: ``better`` and ``worse``, our two systems by their true
        scores, and their ``label``.
    """
    his = his_table_3()
    pairs = candidates()
    his_difference = differences(his)
    our_difference = pairs["difference"].to_numpy()
    distance = np.abs(his_difference[:, None] - our_difference)
    extra_cost = np.where(pairs["same_engine"], 0.0, TWO_ENGINES)
    _, chosen = linear_sum_assignment(distance + extra_cost)
    chosen_pairs = pairs.iloc[chosen].set_index(his.index)
    return chosen_pairs[["better", "worse", "label"]]


def candidates() -> pd.DataFrame:
    """Our pairs of one engine from two languages, as his pairs are, and of two engines from one.

    Their labels name once what the two systems share.
    """
    truth = real().scores()  # best first
    rows = []
    for better, worse in itertools.combinations(truth.index, 2):
        engine, language = better.split()
        other_engine, other_language = worse.split()
        if engine == other_engine:
            label = f"{engine} {language} − {other_language}"
        elif language == other_language:
            label = f"{engine} − {other_engine} {language}"
        else:
            continue
        row = {
            "better": better,
            "worse": worse,
            "label": label,
            "difference": truth[better] - truth[worse],
            "same_engine": engine == other_engine,
        }
        rows.append(row)
    return pd.DataFrame(rows)


def true_differences(whole: mt.SufficientStatistics) -> pd.Series:
    """How many BLEU the better system of each contest is ahead on all sentences."""
    truth = whole.scores()
    better = contests()["better"].map(truth)
    worse = contests()["worse"].map(truth)
    return better - worse


# His test on many test sets.


@dataclasses.dataclass(frozen=True)
class Verdicts:
    """What the paired bootstrap and the intervals say on disjoint test sets of one size.

    Attributes
    ----------
    wins : DataFrame
        Resamples that the truly better system wins; a row a test set, a column a comparison.
    hits : DataFrame
        Whether the 95 % interval of a system contains its true score; a column a system.
    widths : DataFrame
        The widths of these intervals, in BLEU.
    """

    wins: pd.DataFrame
    hits: pd.DataFrame
    widths: pd.DataFrame

    @property
    def right(self) -> pd.DataFrame:
        """Where the test concludes that the truly better system is better."""
        return self.wins >= SURE * RESAMPLES

    @property
    def wrong(self) -> pd.DataFrame:
        """Where the test concludes that the truly worse system is better."""
        return self.wins <= (1 - SURE) * RESAMPLES


@cache
def verdicts(size: int, sample: Sample = "population") -> Verdicts:
    """His test and intervals on each of the disjoint test sets of a size."""
    truth = sentences(sample).scores()
    wins = []
    hits = []
    widths = []
    for seed, test_set in enumerate(test_sets(sample, size)):
        comparisons = his_test(test_set, seed)
        wins.append(resamples_won(comparisons))
        intervals = comparisons.score_intervals["BLEU"].loc[truth.index]
        low = intervals["ci_low"]
        high = intervals["ci_high"]
        hits.append((low <= truth) & (truth <= high))
        widths.append(high - low)
    return Verdicts(pd.DataFrame(wins), pd.DataFrame(hits), pd.DataFrame(widths))


def his_test(test_set: mt.SufficientStatistics, seed: int) -> mt.Comparisons:
    """The one-sided paired bootstrap of section 6: all pairs of systems on the same resamples."""
    return mt.compare_all(
        test_set,
        test="paired-bootstrap",
        alternative="greater",
        counting="plain",
        correction=None,
        n_resamples=RESAMPLES,
        interval_resamples=RESAMPLES,
        rng=seed,
    )


def resamples_won(comparisons: mt.Comparisons) -> pd.Series:
    """How many resamples the truly better system of each contest wins.

    The p of `his_test` is the share of resamples that ``system_a`` loses.
    """
    table = comparisons.table.set_index(["system_a", "system_b"])
    won_by_b = RESAMPLES * table["pvalue"]
    won_by_b = won_by_b.round().astype(int)
    won_by_a = RESAMPLES - won_by_b
    won = pd.concat([won_by_a, won_by_b.swaplevel()])  # by winner and loser
    pairs = contests()[["better", "worse"]]
    won_by_better = won[pd.MultiIndex.from_frame(pairs)]
    return won_by_better.set_axis(pairs.index)


# Table 3.


def our_table_3(sample: Sample) -> pd.DataFrame:
    """Table 3 of our pairs, laid out as `his_table_3`; shares unrounded."""
    difference = true_differences(sentences(sample))
    table = difference.to_frame(DIFFERENCE)
    for size in SIZES:
        tests = verdicts(size, sample)
        table[RIGHT[size]] = 100 * tests.right.mean()
        table[WRONG[size]] = 100 * tests.wrong.mean()
    return table


def table_3() -> Outcome:
    """Table 3: how often the test concludes rightly and wrongly at 95 %, by size of the test set.

    Printed: for nine pairs of systems and four sizes, the shares of test sets with a right and with
    a wrong conclusion.  On 100 sentences more conclusions are wrong than on 300 (section 7.1).
    Recomputed: the same for `contests`, on as many test sets of the population.  Beside it: how far
    the shares right are from his, and how far a curve of one parameter is (see `expected_right`).
    Holds: if Fisher's exact test, one-sided at his level, finds more wrong conclusions on 100 than
    on 300 sentences.  In part: if the share is larger on 100, and no more.
    """
    wrong_on_100 = verdicts(100).wrong.to_numpy()
    wrong_on_300 = verdicts(300).wrong.to_numpy()
    wrong_and_not = [
        [wrong_on_100.sum(), (~wrong_on_100).sum()],
        [wrong_on_300.sum(), (~wrong_on_300).sum()],
    ]
    more_on_100 = stats.fisher_exact(wrong_and_not, alternative="greater")
    significant = more_on_100.pvalue <= number("k-plevel")

    his = his_table_3()
    ours = our_table_3("population")
    once = our_table_3("real")
    return Outcome(
        counted("wrong on 100", wrong_on_100),
        counted("wrong on 300", wrong_on_300),
        *distances_from_his(his, ours),
        *distances_of_curves(his, ours),
        Value("p of more on 100", more_on_100.pvalue, ".2f"),
        holds=answer(significant, more_on_100.statistic > 1),
        table=side_by_side(his, {OURS: ours, ONCE: once}),
    )


def differences(table: pd.DataFrame) -> FloatArray:
    """The differences of a Table 3 in BLEU, shape (comparisons,)."""
    return table[DIFFERENCE].to_numpy(dtype=float)


def right_shares(table: pd.DataFrame) -> FloatArray:
    """The shares right of a Table 3 in %, shape (comparisons, sizes)."""
    columns = list(RIGHT.values())
    return table[columns].to_numpy(dtype=float)


def n_test_sets() -> NDArray[np.intp]:
    """How many test sets of each size he has, and we have of the population."""
    printed = [number(f"k-t3-n{size}") for size in SIZES]
    return np.array(printed, dtype=int)


def distances_from_his(his: pd.DataFrame, ours: pd.DataFrame) -> list[Value]:
    """How far our shares right are from his, in points, by chi-square, and beside chance.

    `his` and `ours` are Tables 3.

    Cells in which he prints 100 % are at the ceiling, and stand apart.  Chi-square compares two
    shares of equally many test sets in each cell.  Cells share sentences and systems, so that it
    only describes.
    """
    his_share = right_shares(his)
    our_share = right_shares(ours)
    at_ceiling = his_share == 100
    distance = abs(our_share - his_share)
    below_ceiling = distance[~at_ceiling]

    n = n_test_sets()
    mean_share = (his_share + our_share) / 2
    pooled = mean_share / 100
    in_each_cell = np.vectorize(apart_by_chance)
    by_chance = in_each_cell(pooled, n)
    # The difference of two shares of n has the variance of one share of n / 2.
    statistic = chi_square(distance, pooled, n / 2, ~at_ceiling)
    pvalue = stats.chi2.sf(statistic, below_ceiling.size)
    return [
        Value("points, cells not at the ceiling", below_ceiling.mean(), ".1f"),
        Value("those by chance", by_chance[~at_ceiling].mean(), ".1f"),
        Value("points, cells at the ceiling", distance[at_ceiling].mean(), ".1f"),
        Value("points, all cells", distance.mean(), ".1f"),
        counted("cells at the ceiling", at_ceiling),
        Value("chi-square of the others", statistic, ".1f"),
        Value("p of it", pvalue, ".1g"),
        Value("points, most", distance.max(), ".0f"),
    ]


def distances_of_curves(his: pd.DataFrame, ours: pd.DataFrame) -> list[Value]:
    """How far two curves are from his shares right: the one closest to them, and to ours.

    Both curves are given the differences that he prints.
    """
    his_share = right_shares(his)
    his_difference = differences(his)
    at_ceiling = his_share == 100

    sigma = closest_sigma(his_difference, his_share)
    curve = expected_right(his_difference, sigma)
    distance = abs(curve - his_share)
    below_ceiling = distance[~at_ceiling]
    statistic = chi_square(distance, curve / 100, n_test_sets(), ~at_ceiling)

    our_sigma = closest_sigma(differences(ours), right_shares(ours))
    our_curve = expected_right(his_difference, our_sigma)
    our_distance = abs(our_curve - his_share)
    ours_below_ceiling = our_distance[~at_ceiling]
    values = {
        "σ of the curve closest to his cells": sigma,
        "points of it, all cells": distance.mean(),
        "points of it, cells not at the ceiling": below_ceiling.mean(),
        "chi-square of it, cells not at the ceiling": statistic,
        "σ of the curve closest to our cells": our_sigma,
        "points of that from his, all cells": our_distance.mean(),
        "points of that from his, not at the ceiling": ours_below_ceiling.mean(),
    }
    return rounded(".1f", values)


def apart_by_chance(share: float, n: int) -> float:
    """How many points two shares of n are expected to be apart if both have the same chance.

    The chance of each of the n is `share`, from 0 to 1.
    """
    counts = np.arange(n + 1)
    probability = stats.binom.pmf(counts, n, share)
    distance = abs(counts[:, None] - counts)
    expected_distance = probability @ distance @ probability
    return float(100 / n * expected_distance)


def chi_square(
    distance: FloatArray, share: FloatArray, n: NDArray[Any], cells: NDArray[np.bool_]
) -> float:
    """The sum over `cells` of squared distances over the variance of a share of n.

    Distances are in points, shares from 0 to 1; the variance is the binomial one.
    """
    variance = share * (1 - share) / n
    squared = (distance / 100) ** 2
    terms = squared[cells] / variance[cells]
    return float(terms.sum())


def expected_right(apart: FloatArray, sigma: float | FloatArray) -> FloatArray:
    """In %: the chance that the truly better system wins 95 % of resamples, by one parameter.

    A pair that is `apart` by d BLEU has its observed difference on n sentences around d, with a
    standard error of sigma / √n, and the one-sided test asks for z standard errors or more, so
    that the chance is Φ(d√n/σ − z).

    Parameters
    ----------
    apart : ndarray, shape (pairs,)
    sigma : float, or ndarray, shape (..., 1, 1)

    Returns
    -------
    ndarray, shape (..., pairs, sizes)
        A column for each of `SIZES`.
    """
    z = stats.norm.ppf(SURE)
    in_standard_errors = apart[:, None] * np.sqrt(SIZES) / sigma
    return 100 * stats.norm.cdf(in_standard_errors - z)


def closest_sigma(apart: FloatArray, share: FloatArray) -> float:
    """The parameter, to hundredths, whose curve is closest to the shares right (in %).

    Closest on average over cells.  Of hundredths all machines find the same.
    """
    hundredths = np.arange(100, 10_000)
    sigmas = hundredths / 100
    curves = expected_right(apart, sigmas[:, None, None])
    distances = np.abs(curves - share)
    mean_distance = distances.mean(axis=(1, 2))
    closest = mean_distance.argmin()
    return float(sigmas[closest])


def side_by_side(his: pd.DataFrame, tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Each of his comparisons as printed, and below it our pair, by `tables`, in whole percents."""
    in_whole_percents = {}
    for whose, table in tables.items():
        shares = table.drop(columns=DIFFERENCE)
        whole_shares = shares.round().astype(int)
        unrounded = table.astype(object)  # a column may have texts and numbers
        in_whole_percents[whose] = unrounded.assign(**whole_shares)

    rows = {}
    labels: dict[Any, str] = contests()["label"].to_dict()
    for comparison, label in labels.items():
        rows[HIS, comparison] = his.loc[comparison]
        for whose, table in in_whole_percents.items():
            rows[whose, label] = table.loc[comparison]
    side_by_side_rows = pd.DataFrame(rows, dtype=object).T
    return side_by_side_rows.rename_axis(["", "pair"])


# Table 4.


def by_level(sample: Sample) -> pd.DataFrame:
    """Conclusions of all sizes and pairs, sorted into the rows of Table 4 by their levels.

    The level of a conclusion is the share of resamples that the winner of the test wins.
    """
    by_size = []
    for size in SIZES:
        tests = verdicts(size, sample)
        wins_of_size = tests.wins.to_numpy()
        by_size.append(wins_of_size.ravel())
    wins = np.concatenate(by_size)
    losses = RESAMPLES - wins
    level = np.maximum(wins, losses) * 100 / RESAMPLES
    table_4 = numeric_table(4)
    lowest_of_row = table_4["level_low_pct"].to_numpy()  # highest first
    is_below_row = level[:, None] + 1e-9 < lowest_of_row
    n_rows_above = is_below_row.sum(axis=1)  # the position of a conclusion's own row
    is_right = pd.Series(2 * wins > RESAMPLES)
    by_row = is_right.groupby(n_rows_above)
    n_conclusions = by_row.size()
    share_right = 100 * by_row.sum() / n_conclusions
    return pd.DataFrame({"conclusions": n_conclusions, "right (%)": share_right})


def table_4() -> Outcome:
    """Table 4: how often conclusions are right, by the level at which they are drawn.

    Printed: conclusions by level, with the share right.  At a level they are right about as often
    as it says, or more often (section 7.2).
    Recomputed: all conclusions of our Table 3, in the rows of his Table 4.
    Holds: if in every row the share right is at least the row's lowest level.
    """
    printed = printed_table(PAPER, 4)
    lowest = printed["level_low_pct"]
    highest = printed["level_high_pct"]
    his = numeric_table(4).rename(columns={"correct_pct": "right (%)"})
    tables = {
        HIS: his[["conclusions", "right (%)"]],
        OURS: by_level("population"),
        ONCE: by_level("real"),
    }
    table = pd.concat(tables, axis=1)
    share_right: Any = table.xs("right (%)", axis=1, level=1)
    as_often = share_right.ge(lowest.astype(float), axis=0)
    points_apart = (share_right[OURS] - share_right[HIS]).abs()
    is_quoted = lowest == text("k-72-interval")
    quoted_share = share_right[OURS][is_quoted].item()

    has_one_level = lowest == highest
    levels = lowest.where(has_one_level, lowest + "–" + highest)
    table.index = pd.Index(levels)
    return Outcome(
        Value("right from 90 to 94.9 %", quoted_share, ".1f"),
        *counted_each(as_often.add_prefix("bins right as often as their level, ")),
        Value("points apart, mean of 9 bins", points_apart.mean(), ".1f"),
        holds=as_often[OURS].all(),
        table=table.rename_axis("level (%)"),
    )


# What the text says of these tables.


def one_in_twenty() -> Outcome:
    """Section 6, expectation: which share of the conclusions drawn at 95 % is wrong.

    Printed: one in twenty is expected to be wrong (section 6).  Counts of one pair are printed
    there; those of all pairs follow from Tables 3 and 4, up to their rounding.
    Recomputed: the share of wrong conclusions from these counts, and from ours beside them.
    Holds: if one in twenty is among the shares that Tables 3 and 4 allow.
    """
    rows = his_wrong_conclusions() | our_wrong_conclusions()
    table = table_of(rows, "", "pairs, sentences").astype(int)
    table["of conclusions (%)"] = 100 * table["wrong"] / table["conclusions"]
    table["of tests (%)"] = 100 * table["wrong"] / table["tests"]

    share_wrong = table["of conclusions (%)"]
    of_one_pair = share_wrong[HIS, "Portuguese and Danish, 300"]
    expected = 100 / number("k-expected-wrong")
    lowest = share_wrong[HIS, "all, fewest"]
    highest = share_wrong[HIS, "all, most"]
    of_all = {
        "all of his, fewest (%)": lowest,
        "all of his, most (%)": highest,
        "all of ours (%)": share_wrong[OURS, "all"],
    }
    return Outcome(
        Value("Portuguese and Danish, of conclusions (%)", of_one_pair, ".1f"),
        *rounded(".2f", of_all),
        holds=lowest <= expected <= highest,
        table=table,
    )


def his_wrong_conclusions() -> dict[tuple[str, str], dict[str, float]]:
    """His wrong conclusions, all conclusions and tests: of one pair as printed, and of all.

    Of all pairs the fewest and the most that both Table 3 and Table 4 allow.
    """
    by_3 = possible_by_table_3("wrong_pct")
    by_4 = wrong_by_table_4()
    fewest = max(by_3.fewest, by_4.fewest)
    most = min(by_3.most, by_4.most)
    of_one_pair = {
        "wrong": number("k-pt-da-wrong"),
        "conclusions": number("k-pt-da-conclusions"),
        "tests": number("k-pair-sets"),
    }
    of_all = {
        "conclusions": at_95_in_table_4()["conclusions"].sum(),
        "tests": numeric_table(4)["conclusions"].sum(),
    }
    return {
        (HIS, "Portuguese and Danish, 300"): of_one_pair,
        (HIS, "all, fewest"): {"wrong": fewest} | of_all,
        (HIS, "all, most"): {"wrong": most} | of_all,
    }


def our_wrong_conclusions() -> dict[tuple[str, str], dict[Any, float]]:
    """Our wrong conclusions, all conclusions and tests, of the closest pair and of all pairs."""
    counts = pd.DataFrame(0, contests().index, ["wrong", "conclusions", "tests"])
    for size in SIZES:
        tests = verdicts(size)
        is_concluded = tests.wrong | tests.right
        counts["wrong"] += tests.wrong.sum()
        counts["conclusions"] += is_concluded.sum()
        counts["tests"] += tests.wins.count()
    differences_of_pairs = true_differences(population())
    closest: Any = differences_of_pairs.idxmin()
    label = contests()["label"][closest]
    return {
        (OURS, label): counts.loc[closest].to_dict(),
        (OURS, "all"): counts.sum().to_dict(),
    }


def figures_7_8() -> Outcome:
    """Figures 7 and 8: two pairs, one plainly and one hardly different, on 100 test sets of 300.

    Printed: on how many test sets the truly better system is found better, and the worse one.
    Recomputed: the same for the pairs that stand in for these two; the quartiles of the resamples
    that the better system wins stand in for the curves that he draws.
    """
    true_differences_of_his = {
        "Spanish better than Danish": text("k-es-da-truth"),
        "Portuguese better than Danish": text("k-pt-da-truth"),
    }
    rows = {}
    for comparison, his_difference in true_differences_of_his.items():
        his_counts = his_counts_on_300(comparison)
        rows[HIS, comparison] = {DIFFERENCE: his_difference} | his_counts
        label = contests()["label"][comparison]
        rows[OURS, label] = our_counts_on_300(comparison)
    table = table_of(rows, "", "pair")
    n_tests = len(verdicts(SIZE).wins)
    ours: Any = table.loc[OURS]
    plain, close = ours.to_dict("records")
    return Outcome(
        Value("Figure 7, right", plain["right"], of=n_tests),
        Value("Figure 8, right", close["right"], of=n_tests),
        Value("Figure 8, wrong", close["wrong"], of=n_tests),
        table=table,
    )


def his_counts_on_300(comparison: str) -> dict[str, Any]:
    """On how many of his hundred test sets he finds the better system better, and the worse one."""
    printed: Any = his_table_3().loc[comparison].fillna("0")  # where nothing is printed
    return {
        "right": int(printed[RIGHT[300]]),
        "wrong": int(printed[WRONG[300]]),
    }


def our_counts_on_300(comparison: str) -> dict[str, Any]:
    """On how many of our test sets the pair that stands in is decided rightly, and wrongly.

    Beside it the true difference, and quartiles of the share of resamples that the better system
    wins.
    """
    tests = verdicts(SIZE)
    is_right = tests.right[comparison]
    is_wrong = tests.wrong[comparison]
    share_won = 100 * tests.wins[comparison] / RESAMPLES
    difference = true_differences(population())
    return {
        DIFFERENCE: difference[comparison],
        "right": is_right.sum(),
        "wrong": is_wrong.sum(),
        "won (%), quarter": share_won.quantile(0.25),
        "median": share_won.median(),
        "three quarters": share_won.quantile(0.75),
    }


def three_hundred() -> Outcome:
    """Abstract: whether a conclusion at 95 % from only 300 sentences may be relied on.

    Printed: 300 sentences may be enough (abstract), for systems that are two BLEU points or more
    apart (section 7.1).
    Recomputed: our Table 3 at 300 sentences.  How many differences are found is given for pairs
    that far apart and for the others; by our differences, and by those of the pairs that they stand
    in for.
    Holds: if 95 % of the conclusions drawn are right.
    """
    size = int(number("k-abstract-size"))
    far = number("k-reliable")
    his = his_table_3().astype(float)
    his_far = his[DIFFERENCE] >= far
    our_far = true_differences(population()) >= far

    tests = verdicts(size)
    right = tests.right
    n_right = right.to_numpy().sum()
    n_wrong = tests.wrong.to_numpy().sum()
    n_conclusions = n_right + n_wrong
    our_share = 100 * (n_right / n_conclusions)

    far_pairs = f"found, pairs {far:g} BLEU apart"
    other_pairs = "found, other pairs"
    columns = {
        HIS: his_shares(his[RIGHT[size]], his[WRONG[size]], his_far),
        OURS: [our_share, *found_by_distance(right, our_far)],
        f"{OURS}, in the places of his pairs": [our_share, *found_by_distance(right, his_far)],
    }
    rows = pd.Index(["conclusions right", far_pairs, other_pairs], name="in %")
    return Outcome(
        Value("conclusions right", n_right, of=n_conclusions),
        counted(far_pairs, right.loc[:, our_far]),
        counted(other_pairs, right.loc[:, ~our_far]),
        counted(f"found, pairs in place of his {far:g} BLEU apart", right.loc[:, his_far]),
        holds=n_right >= SURE * n_conclusions,
        table=pd.DataFrame(columns, rows),
    )


def his_shares(right: pd.Series, wrong: pd.Series, is_far: pd.Series) -> list[float]:
    """In %, how many of his conclusions are right, and how many differences are found.

    Differences are those of pairs that are far apart, and those of the others.  `right` and `wrong`
    are his shares of test sets, in %, by comparison.
    """
    n_right = right.sum()
    n_conclusions = n_right + wrong.sum()
    share_right = 100 * (n_right / n_conclusions)
    found_far = right[is_far].mean()
    found_others = right[~is_far].mean()
    return [share_right, found_far, found_others]


def found_by_distance(right: pd.DataFrame, is_far: pd.Series) -> list[float]:
    """In %, how many differences are found: of pairs that are far apart, and of the others.

    `right` has a row for each test set and a column for each pair; `is_far` an element for a pair.
    """
    far = right.loc[:, is_far].to_numpy()
    others = right.loc[:, ~is_far].to_numpy()
    found_far = (100 * far).mean()
    found_others = (100 * others).mean()
    return [found_far, found_others]
