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
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats
from scipy.optimize import linear_sum_assignment

import mtsig_nb as mt
from mtsig_nb.campaigns.printed import printed_table
from mtsig_nb.metrics.base import FloatArray

from ...repository.campaigns import statistics
from ..rows import Outcome, Value, answer, counted, counted_each, table_of
from ..shared import number, text
from .koehn_printed import (
    PAPER,
    at_95_in_table_4,
    numeric_table,
    possible_by_table_3,
    wrong_by_table_4,
)

HIS = "his"
OURS = "ours"
ONCE = "each sentence once"
#: What test sets are drawn from: `sentences` takes these names, and "blocks".
SAMPLES = {OURS: "population", ONCE: "real"}

YEARS = ("wmt12", "wmt13")
LANGUAGES = ("es", "fr", "de", "cs")
#: Engines, by a pattern for their names in both years (WMT12 has "jhu-heiro" once).
ENGINES = {
    "uedin": "uedin-wmt",
    "jhu": "(?i:jhu)",
    "online-A": "online-?A",
    "online-B": "online-?B",
}
#: Two engines on one language are taken where one engine's languages miss by this much more.
TWO_ENGINES = 0.25

SIZES = (100, 300, 600, 3000)
SIZE = int(number("k-300-broad-size"))
POPULATION = int(number("k-test-sentences"))
RESAMPLES = int(number("k-pair-resamples"))
#: The level of his test: the share of resamples that the better system has to win.
SURE = number("k-pair-level") / 100
DIFFERENCE = "difference (BLEU)"


# The systems and their sentences.


def pair_of(year: str, language: str) -> str:
    """The name of a campaign into English."""
    return f"{year}/{language}-en"


def counts_of(engine: str, language: str) -> FloatArray:
    """BLEU's counts of an engine from a language, for the sentences of both years."""
    by_year = []
    for year in YEARS:
        bleu = statistics(pair_of(year, language), "BLEU")
        (system,) = (name for name in bleu.systems if re.match(ENGINES[engine], name))
        by_year.append(bleu.values[bleu.index(system)])
    return np.concatenate(by_year)


@cache
def real() -> mt.SufficientStatistics:
    """The real sentences of both years, for each engine from each language ("uedin es")."""
    values = {}
    for engine, language in itertools.product(ENGINES, LANGUAGES):
        values[f"{engine} {language}"] = counts_of(engine, language)
    metric = statistics(pair_of(YEARS[0], LANGUAGES[0]), "BLEU").metric
    systems = tuple(values)
    return mt.SufficientStatistics(metric, systems, np.stack(list(values.values())))


@cache
def population() -> mt.SufficientStatistics:
    """As many sentences as his: the real ones over and over, in random order."""
    repeated = np.resize(np.arange(real().n_segments), POPULATION)
    rng = np.random.default_rng(POPULATION)
    return real().subset(rng.permutation(repeated))


def column(given: mt.SufficientStatistics, name: str) -> FloatArray:
    """One of the counts behind a metric, shape (systems, sentences)."""
    return given.values[:, :, given.metric.columns.index(name)]


def sentences(sample: str) -> mt.SufficientStatistics:
    """The sentences that test sets are drawn from: the population, or else the real ones."""
    return population() if sample == "population" else real()


def samples(
    whole: mt.SufficientStatistics, size: int, *, blocks: bool = False
) -> list[mt.SufficientStatistics]:
    """Disjoint test sets: blocks of consecutive sentences, or broad ones as in section 3.3."""
    n = whole.n_segments // size
    places = np.arange(n * size)
    parts = places.reshape(n, size) if blocks else places.reshape(size, n).T
    return [whole.subset(part) for part in parts]


# The pairs of systems.


def his_table_3() -> pd.DataFrame:
    """Table 3 as printed: a row for each comparison, a column for each size and side."""
    cells = printed_table(PAPER, 3)
    by_comparison = cells.groupby("comparison", sort=False)
    columns = {DIFFERENCE: by_comparison["bleu_difference_pct"].first()}
    for size in SIZES:
        of_size = cells[cells["sample_size"] == str(size)].set_index("comparison")
        columns[f"{size:,} right (%)"] = of_size["correct_pct"]
        columns[f"{size:,} wrong (%)"] = of_size["wrong_pct"].replace("", None)
    return pd.DataFrame(columns)


@cache
def contests() -> pd.DataFrame:
    """The pairs of our systems that stand in for the nine of Table 3, by his comparison.

    Candidates are one engine from two languages, as his pairs are, and two engines on one language.
    Of these the nine are taken whose true differences are closest to his, in all.  Two engines on
    one language have outputs that are more alike; they cost `TWO_ENGINES` BLEU more.

    Returns
    -------
    DataFrame
        ``better`` and ``worse`` by their true scores, and a ``label``.
    """
    truth = real().scores()  # best first
    candidates = []
    differences = []
    extra_costs = []
    for better, worse in itertools.combinations(truth.index, 2):
        engine, language = better.split()
        other_engine, other_language = worse.split()
        if engine == other_engine or language == other_language:
            candidates.append((better, worse))
            differences.append(truth[better] - truth[worse])
            extra_costs.append(0.0 if engine == other_engine else TWO_ENGINES)

    his_difference = his_table_3()[DIFFERENCE].astype(float)
    distance = np.abs(np.subtract.outer(his_difference.to_numpy(), differences))
    _, chosen = linear_sum_assignment(distance + np.array(extra_costs))
    pairs = [candidates[k] for k in chosen]
    chosen_pairs = pd.DataFrame(pairs, his_difference.index, ["better", "worse"])
    return chosen_pairs.assign(label=[contest_label(*pair) for pair in pairs])


def contest_label(better: str, worse: str) -> str:
    """Both systems, with what they share named once."""
    engine, language = better.split()
    other_engine, other_language = worse.split()
    if engine == other_engine:
        return f"{engine} {language} − {other_language}"
    return f"{engine} − {other_engine} {language}"


def true_differences(whole: mt.SufficientStatistics) -> pd.Series:
    """By his comparison, how many BLEU the better system of our pair is ahead on all sentences."""
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
def verdicts(size: int, sample: str = "population") -> Verdicts:
    """His test and intervals on each of the disjoint test sets of a size.

    Parameters
    ----------
    size : int
        Sentences in a test set.
    sample : {"population", "real", "blocks"}
        Broad samples of the population or of the real sentences, or blocks of these.
    """
    whole = sentences(sample)
    truth = whole.scores()
    pairs = contests()[["better", "worse"]]
    wins, hits, widths = [], [], []
    for seed, test_set in enumerate(samples(whole, size, blocks=sample == "blocks")):
        tested = his_test(test_set, seed)
        by_pair = resamples_won(tested)[pd.MultiIndex.from_frame(pairs)]
        wins.append(by_pair.set_axis(pairs.index))
        (interval,) = tested.score_intervals.values()
        low = interval.loc[truth.index, "ci_low"]
        high = interval.loc[truth.index, "ci_high"]
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


def resamples_won(found: mt.Comparisons) -> pd.Series:
    """How many resamples each system wins against each other one, by (winner, loser)."""
    pvalues = found.table.set_index(["system_a", "system_b"])["pvalue"]
    lost = (RESAMPLES * pvalues).round().astype(int)
    return pd.concat([RESAMPLES - lost, lost.swaplevel()])


# Table 3.


def our_table_3(sample: str) -> pd.DataFrame:
    """Table 3 of our pairs, laid out as `his_table_3`; shares unrounded."""
    columns = {DIFFERENCE: true_differences(sentences(sample))}
    for size in SIZES:
        tests = verdicts(size, sample)
        columns[f"{size:,} right (%)"] = 100 * tests.right.mean()
        columns[f"{size:,} wrong (%)"] = 100 * tests.wrong.mean()
    return pd.DataFrame(columns)


def table_3() -> Outcome:
    """Table 3: how often the test concludes rightly and wrongly at 95 %, by size of the test set.

    Printed: for nine pairs of systems and four sizes, the shares of test sets with a right and with
    a wrong conclusion.  On 100 sentences more conclusions are wrong than on 300 (section 7.1).
    Recomputed: the same for `contests`, on as many test sets of the population.  Beside it: how far
    the shares right are from his, and how far a curve of one parameter is (see `expected_right`).
    Holds: if Fisher's exact test, one-sided at his level, finds more wrong conclusions on 100 than
    on 300 sentences.  In part: if the share is larger on 100, and no more.
    """
    wrong_on_100 = counted("wrong on 100", verdicts(100).wrong)
    wrong_on_300 = counted("wrong on 300", verdicts(300).wrong)
    counts = []
    for wrong in (wrong_on_100, wrong_on_300):
        counts.append([wrong.value, wrong.of - wrong.value])
    more_on_100 = stats.fisher_exact(counts, alternative="greater")
    significant = more_on_100.pvalue <= number("k-plevel")

    his = his_table_3()
    ours = our_table_3("population")
    return Outcome(
        wrong_on_100,
        wrong_on_300,
        *distances_from_his(his, ours),
        *distances_of_curves(his, ours),
        Value("p of more on 100", more_on_100.pvalue, ".2f"),
        holds=answer(significant, more_on_100.statistic > 1),
        table=side_by_side(his, {OURS: ours, ONCE: our_table_3("real")}),
    )


def right_shares(table: pd.DataFrame) -> FloatArray:
    """The shares right of a Table 3 in %, shape (comparisons, sizes)."""
    columns = [f"{size:,} right (%)" for size in SIZES]
    return table[columns].to_numpy(dtype=float)


def test_sets_by_size() -> FloatArray:
    """How many test sets of each size he has, and we."""
    return np.array([int(number(f"k-t3-n{size}")) for size in SIZES], dtype=float)


def distances_from_his(his: pd.DataFrame, ours: pd.DataFrame) -> list[Value]:
    """How far our shares right are from his, apart for cells in which he prints 100 %.

    Chi-square compares two shares of as many test sets in each cell.  Cells share sentences and
    systems, so that it only describes.
    """
    his_share = right_shares(his)
    our_share = right_shares(ours)
    distance = abs(our_share - his_share)
    below_ceiling = his_share < 100
    n = test_sets_by_size()
    pooled = (his_share + our_share) / 200
    by_chance = np.vectorize(apart_by_chance)(pooled, n.astype(int))
    statistic = chi_square(distance, pooled, n / 2, below_ceiling)
    pvalue = stats.chi2.sf(statistic, below_ceiling.sum())
    return [
        Value("points, cells not at the ceiling", distance[below_ceiling].mean(), ".1f"),
        Value("those by chance", by_chance[below_ceiling].mean(), ".1f"),
        Value("points, cells at the ceiling", distance[~below_ceiling].mean(), ".1f"),
        Value("points, all cells", distance.mean(), ".1f"),
        counted("cells at the ceiling", ~below_ceiling),
        Value("chi-square of the others", statistic, ".1f"),
        Value("p of it", pvalue, ".1g"),
        Value("points, most", distance.max(), ".0f"),
    ]


def distances_of_curves(his: pd.DataFrame, ours: pd.DataFrame) -> list[Value]:
    """How far two curves are from his shares right: the one closest to them, and to ours.

    Both curves are given the differences that he prints.
    """
    his_share = right_shares(his)
    his_difference = his[DIFFERENCE].to_numpy(dtype=float)
    our_difference = ours[DIFFERENCE].to_numpy(dtype=float)
    below_ceiling = his_share < 100

    sigma = closest_sigma(his_difference, his_share)
    curve = expected_right(his_difference, sigma)
    distance = abs(curve - his_share)
    statistic = chi_square(distance, curve / 100, test_sets_by_size(), below_ceiling)

    our_sigma = closest_sigma(our_difference, right_shares(ours))
    our_curve = expected_right(his_difference, our_sigma)
    our_distance = abs(our_curve - his_share)
    not_at_ceiling = our_distance[below_ceiling].mean()
    return [
        Value("σ of the curve closest to his cells", sigma, ".1f"),
        Value("points of it, all cells", distance.mean(), ".1f"),
        Value("points of it, cells not at the ceiling", distance[below_ceiling].mean(), ".1f"),
        Value("chi-square of it, cells not at the ceiling", statistic, ".1f"),
        Value("σ of the curve closest to our cells", our_sigma, ".1f"),
        Value("points of that from his, all cells", our_distance.mean(), ".1f"),
        Value("points of that from his, not at the ceiling", not_at_ceiling, ".1f"),
    ]


def apart_by_chance(share: float, n: int) -> float:
    """Points expected between two shares of n, if each of the n has the same chance in both."""
    counts = np.arange(n + 1)
    probability = stats.binom.pmf(counts, n, share)
    distance = abs(counts[:, None] - counts)
    return float(100 / n * (probability @ distance @ probability))


def chi_square(distance: FloatArray, share: FloatArray, n: FloatArray, cells: Any) -> float:
    """The sum over `cells` of squared distances (in points) over the binomial variance of n."""
    variance = share * (1 - share) / n
    squared = (distance / 100) ** 2
    terms = squared[cells] / variance[cells]
    return float(terms.sum())


def expected_right(apart: FloatArray, sigma: float | FloatArray) -> FloatArray:
    """In %: the chance that the truly better system wins 95 % of resamples, by one parameter.

    A pair that is `apart` by d BLEU has its observed difference on n sentences around d, with a
    standard error of sigma / √n, and the one-sided test asks for z standard errors or more, so
    that the chance is Φ(d√n/σ − z).  Shape (pairs, sizes), after that of `sigma`.
    """
    z = stats.norm.ppf(SURE)
    in_standard_errors = apart[:, None] * np.sqrt(SIZES) / sigma
    return 100 * stats.norm.cdf(in_standard_errors - z)


def closest_sigma(apart: FloatArray, share: FloatArray) -> float:
    """The parameter, to hundredths, whose curve is closest to the shares right (in %).

    Closest on average over cells.  Of hundredths all machines find the same.
    """
    tried = np.arange(100, 10_000) / 100
    distance = np.abs(expected_right(apart, tried[:, None, None]) - share)
    return float(tried[distance.mean(axis=(1, 2)).argmin()])


def side_by_side(his: pd.DataFrame, tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Each of his comparisons as printed, and below it our pair, in whole percents."""
    rounded_tables = {}
    for whose, table in tables.items():
        shares = table.drop(columns=DIFFERENCE).round().astype(int)
        rounded_tables[whose] = table.astype(object).assign(**shares)
    rows = {}
    labels: dict[Any, str] = contests()["label"].to_dict()
    for comparison, label in labels.items():
        rows[HIS, comparison] = his.loc[comparison]
        for whose, table in rounded_tables.items():
            rows[whose, label] = table.loc[comparison]
    return pd.DataFrame(rows, dtype=object).T.rename_axis(["", "pair"])


# Table 4.


def by_level(sample: str) -> pd.DataFrame:
    """Conclusions of all sizes and pairs, sorted into the levels of Table 4.

    The level of a conclusion is the share of resamples that the winner of the test wins.
    """
    by_size = [verdicts(size, sample).wins for size in SIZES]
    wins = np.concatenate([of_size.to_numpy().ravel() for of_size in by_size])
    level = np.maximum(wins, RESAMPLES - wins) * 100 / RESAMPLES
    right = pd.Series(2 * wins > RESAMPLES)
    lowest_levels = numeric_table(4)["level_low_pct"].to_numpy()  # highest first
    row = np.searchsorted(-lowest_levels, -level - 1e-9)
    by_row = right.groupby(row).agg(["size", "sum"])
    share_right = 100 * by_row["sum"] / by_row["size"]
    return pd.DataFrame({"conclusions": by_row["size"], "right (%)": share_right})


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
    quoted_row = lowest.tolist().index(text("k-72-interval"))
    points_apart = (share_right[OURS] - share_right[HIS]).abs()

    one_level = lowest == highest
    table.index = pd.Index(lowest.where(one_level, lowest + "–" + highest))
    return Outcome(
        Value("right from 90 to 94.9 %", share_right[OURS][quoted_row], ".1f"),
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
    table = pd.DataFrame(rows, index=["wrong", "conclusions", "tests"]).T.astype(int)
    table["of conclusions (%)"] = 100 * table["wrong"] / table["conclusions"]
    table["of tests (%)"] = 100 * table["wrong"] / table["tests"]

    share_wrong = table["of conclusions (%)"]
    expected = 100 / number("k-expected-wrong")
    lowest = share_wrong[HIS, "all, fewest"]
    highest = share_wrong[HIS, "all, most"]
    return Outcome(
        Value("Portuguese and Danish, of conclusions (%)", share_wrong.iloc[0], ".1f"),
        Value("all of his, fewest (%)", lowest, ".2f"),
        Value("all of his, most (%)", highest, ".2f"),
        Value("all of ours (%)", share_wrong[OURS, "all"], ".2f"),
        holds=lowest <= expected <= highest,
        table=table.rename_axis(["", "pairs, sentences"]),
    )


def his_wrong_conclusions() -> dict[tuple[str, str], list[float]]:
    """His wrong conclusions, all conclusions and tests: of one pair as printed, and of all.

    Of all pairs the fewest and the most that both Table 3 and Table 4 allow.
    """
    by_3 = possible_by_table_3("wrong_pct")
    by_4 = wrong_by_table_4()
    fewest = max(by_3.fewest, by_4.fewest)
    most = min(by_3.most, by_4.most)
    conclusions = at_95_in_table_4()["conclusions"].sum()
    tests = numeric_table(4)["conclusions"].sum()
    one_pair = [number(name) for name in ("k-pt-da-wrong", "k-pt-da-conclusions", "k-pair-sets")]
    return {
        (HIS, "Portuguese and Danish, 300"): one_pair,
        (HIS, "all, fewest"): [fewest, conclusions, tests],
        (HIS, "all, most"): [most, conclusions, tests],
    }


def our_wrong_conclusions() -> dict[tuple[str, str], list[float]]:
    """Our wrong conclusions, all conclusions and tests, of the closest pair and of all pairs."""
    counts = pd.DataFrame(0, contests().index, ["wrong", "conclusions", "tests"])
    for size in SIZES:
        tests = verdicts(size)
        counts["wrong"] += tests.wrong.sum()
        counts["conclusions"] += (tests.wrong | tests.right).sum()
        counts["tests"] += tests.wins.count()
    closest = str(true_differences(population()).idxmin())
    label = contests()["label"][closest]
    return {
        (OURS, label): list(counts.loc[closest]),
        (OURS, "all"): list(counts.sum()),
    }


def figures_7_8() -> Outcome:
    """Figures 7 and 8: two pairs, one plainly and one hardly different, on 100 test sets of 300.

    Printed: on how many test sets the truly better system is found better, and the worse one.
    Recomputed: the same for the pairs that stand in for these two; the quartiles of the resamples
    that the better system wins stand in for the curves that he draws.
    """
    true_difference_of = {
        "Spanish better than Danish": text("k-es-da-truth"),
        "Portuguese better than Danish": text("k-pt-da-truth"),
    }
    rows = {}
    for comparison, his_difference in true_difference_of.items():
        label = contests()["label"][comparison]
        rows[HIS, comparison] = {DIFFERENCE: his_difference} | his_counts_on_300(comparison)
        rows[OURS, label] = our_counts_on_300(comparison)
    table = table_of(rows, "", "pair")
    n_test_sets = len(verdicts(SIZE).wins)
    ours: Any = table.loc[OURS]
    plain, close = ours.to_dict("records")
    return Outcome(
        Value("Figure 7, right", plain["right"], of=n_test_sets),
        Value("Figure 8, right", close["right"], of=n_test_sets),
        Value("Figure 8, wrong", close["wrong"], of=n_test_sets),
        table=table,
    )


def his_counts_on_300(comparison: str) -> dict[str, Any]:
    """On how many of his hundred test sets he finds the better system better, and the worse one."""
    printed: Any = his_table_3().loc[comparison].fillna("0")  # where nothing is printed
    return {
        "right": int(printed["300 right (%)"]),
        "wrong": int(printed["300 wrong (%)"]),
    }


def our_counts_on_300(comparison: str) -> dict[str, Any]:
    """On how many of our test sets the pair that stands in is decided rightly, and wrongly.

    Beside it the quartiles of the share of resamples that the better system wins.
    """
    tests = verdicts(SIZE)
    share_won = 100 * tests.wins[comparison] / RESAMPLES
    return {
        DIFFERENCE: true_differences(population())[comparison],
        "right": int(tests.right[comparison].sum()),
        "wrong": int(tests.wrong[comparison].sum()),
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
    tests = verdicts(size)
    n_right = tests.right.to_numpy().sum()
    n_conclusions = (tests.right | tests.wrong).to_numpy().sum()
    our_far = true_differences(population()) >= far

    his = his_table_3().astype(float)
    his_right = his[f"{size} right (%)"]
    his_conclusions = his_right.sum() + his[f"{size} wrong (%)"].sum()
    his_share = 100 * (his_right.sum() / his_conclusions)
    his_far = his[DIFFERENCE] >= far

    far_pairs = f"found, pairs {far:g} BLEU apart"
    rows = ["conclusions right", far_pairs, "found, other pairs"]
    our_right = 100 * tests.right
    our_share = 100 * (n_right / n_conclusions)
    columns = {
        HIS: [his_share, *mean_of_groups(his_right.to_frame().T, his_far)],
        OURS: [our_share, *mean_of_groups(our_right, our_far)],
        f"{OURS}, in the places of his pairs": [our_share, *mean_of_groups(our_right, his_far)],
    }
    return Outcome(
        Value("conclusions right", n_right, of=n_conclusions),
        counted(far_pairs, tests.right.loc[:, our_far]),
        counted("found, other pairs", tests.right.loc[:, ~our_far]),
        counted(f"found, places of his pairs {far:g} BLEU apart", tests.right.loc[:, his_far]),
        holds=n_right >= SURE * n_conclusions,
        table=pd.DataFrame(columns, pd.Index(rows, name="in %")),
    )


def mean_of_groups(values: pd.DataFrame, group: pd.Series) -> list[float]:
    """The mean over the columns of a group, and over the other columns."""
    in_group = values.loc[:, group].to_numpy()
    others = values.loc[:, ~group].to_numpy()
    return [in_group.mean(), others.mean()]
