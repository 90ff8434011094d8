"""Graham, Mathur & Baldwin (2014): conclusions of tests beside those of people, on WMT12.

The outputs and references are theirs.  Their direct assessments are not public: in their place are
sign tests on WMT12's relative rankings at .05.  METEOR is a later version.
"""

from __future__ import annotations

import itertools
from functools import lru_cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from statsmodels.stats import contingency_tables

import mtsig_nb as mt
from mtsig_nb.engine.counting import clopper_pearson
from mtsig_nb.meta_evaluation.against_gold import Agreement

from ...repository.campaigns import campaign, statistics
from ..rows import Outcome, Value, counted, table_of
from ..shared import FOUR_METRICS, judged, people
from .graham_printed import (
    AR,
    EN_ES,
    ES_EN,
    LEVELS,
    TABLES,
    TESTS,
    chi_square_of_four,
    equal_counts,
    laid_out,
    of_both_campaigns,
    theirs,
)

#: How the paper tests: one-sided and uncorrected.
N_RESAMPLES = 5000
SEED = 2014


@lru_cache(maxsize=2)
def grid(name: str) -> dict[tuple[str, str, float], Agreement]:
    """The agreement of tests with people about a campaign, by metric, test and level."""
    agreements = {}
    gold = people(name)
    for metric, test in itertools.product(FOUR_METRICS, TESTS):
        given = judged(statistics(name, metric), gold)
        tested = mt.compare_all(
            given,
            test=test,
            alternative="greater",
            correction=None,
            interval=None,
            n_resamples=N_RESAMPLES,
            rng=SEED,
        )
        for alpha in LEVELS:
            concluded = tested.conclusions(alpha)
            agreements[metric, test, alpha] = mt.agreement(concluded, gold, rng=SEED)
    return agreements


def ours(name: str) -> pd.DataFrame:
    """Our correct conclusions about a campaign, laid out as in the paper."""
    by_cell = {cell: agreement.correct for cell, agreement in grid(name).items()}
    correct = pd.Series(by_cell, name="correct")
    named = correct.rename_axis(["metric", "test", "alpha"])
    return laid_out(named.reset_index())


def at_05(name: str = ES_EN) -> dict[str, Agreement]:
    """The four metrics' agreements with people, by approximate randomization at .05."""
    agreements = grid(name)
    return {metric: agreements[metric, AR, 0.05] for metric in FOUR_METRICS}


# Tables 1 and 2: whether the tests differ.


def agreement_table(name: str) -> Outcome:
    """Tables 1 and 2: correct conclusions by metric, test and level.

    Printed: numbers of correct conclusions, accuracies and intervals.  The three tests are about
    equally accurate (abstract).
    Recomputed: the same for our gold standard; intervals of approximate randomization.
    Holds: if in each row the tests differ by at most five percent of the pairs.
    """
    correct = ours(name)
    spread = correct.max(axis=1) - correct.min(axis=1)
    largest_spread = spread.max()
    intervals = {}
    for alpha, metric in correct.index:
        by_randomization = grid(name)[metric, AR, alpha]
        low, high = by_randomization.interval
        intervals[alpha, metric] = {
            "AR, accuracy (%)": 100 * by_randomization.accuracy,
            "AR, low (%)": 100 * low,
            "AR, high (%)": 100 * high,
        }
    our_columns = correct.join(table_of(intervals, "alpha", "metric"))
    table = pd.concat({"printed": theirs(name), "ours": our_columns}, axis=1)

    n_pairs = people(name).pairs().size
    values = []
    widths = []
    for metric, agreement in at_05(name).items():
        low, high = agreement.interval
        widths.append(high - low)
        value = Value(f"{metric} at .05", agreement.correct, of=n_pairs)
        values.append(value)
    return Outcome(
        *values,
        Value("most that tests differ", largest_spread, of=n_pairs),
        Value("widest interval at .05 (points)", 100 * max(widths), ".0f"),
        holds=largest_spread <= 0.05 * n_pairs,
        table=table,
    )


def text_against_table() -> Outcome:
    """Section 4.1, tests: in which rows of Tables 1 and 2 the tests' counts differ.

    Printed: for BLEU and NIST the three tests never conclude differently into Spanish.  Where the
    counts of correct conclusions differ, conclusions do.
    Recomputed: the rows of both tables in which the three counts are equal; ours beside them.
    Holds: if the counts of BLEU and of NIST are equal in all rows of Table 2.
    """
    printed = of_both_campaigns(theirs)
    is_equal = equal_counts(printed)
    into_spanish = is_equal.loc[EN_ES].unstack("metric")
    bleu_and_nist = into_spanish[["BLEU", "NIST"]].to_numpy()
    is_equal_here = equal_counts(of_both_campaigns(ours))
    return Outcome(
        counted("rows of BLEU and NIST that differ, en-es", ~bleu_and_nist),
        counted("rows of equal counts, printed", is_equal),
        counted("rows of equal counts, ours", is_equal_here),
        holds=bleu_and_nist.all(),
        table=printed[~is_equal],
    )


def identical_rows() -> Outcome:
    """Central claim: in how many of 24 rows the three tests conclude the same about every pair.

    Printed: the three tests hardly ever conclude differently (section 5).
    Recomputed: for each campaign, metric and level, the pairs about which the tests differ.
    Holds: if these are less than one percent of the pairs in all rows.
    """
    rows = {}
    for name, metric, alpha in itertools.product(TABLES, FOUR_METRICS, LEVELS):
        differ = tests_differ(name, metric, alpha)
        rows[name, metric, alpha] = {"differ": differ.sum(), "pairs": differ.size}
    counts = table_of(rows, "campaign", "metric", "alpha")
    n_differ = counts["differ"].sum()
    n_pairs = counts["pairs"].sum()
    is_meteor = counts.index.get_level_values("metric") == "METEOR"
    is_identical = counts["differ"] == 0
    has_equal_counts = equal_counts(of_both_campaigns(ours))
    words = is_identical.map({True: "identical", False: "differ"})
    return Outcome(
        counted("identical rows", is_identical),
        counted("rows of equal counts", has_equal_counts),
        counted("rows of METEOR, a later version", is_meteor),
        Value("pairs on which tests disagree, all rows", n_differ, of=n_pairs),
        holds=n_differ < 0.01 * n_pairs,
        table=words.unstack(sort=False),
    )


def tests_differ(name: str, metric: str, alpha: float) -> NDArray[np.bool_]:
    """For each pair of systems of a campaign, whether the three tests conclude unlike things."""
    concluded = []
    for test in TESTS:
        agreement = grid(name)[metric, test, alpha]
        concluded.append(agreement.conclusions.pairs())
    by_test = np.array(concluded)
    differs_from_first = by_test != by_test[0]
    return differs_from_first.any(axis=0)


# Which metric is right most often, and whether any is.


def reversal() -> Outcome:
    """Table 1, metrics: which metric concludes rightly most often, into English.

    Printed: at .05 no metric concludes rightly more often than NIST (section 4.1).
    Recomputed: the ranks of metrics by correct conclusions, printed and ours, by approximate
    randomization; and why they may differ: where each metric is right among the pairs that the
    rankings decide and among the others; and the counts beside people who decide more pairs, by
    rankings at .2 and .5.
    Holds: if NIST alone is first at .05 here.
    """
    printed_counts = theirs(ES_EN)
    our_counts = ours(ES_EN)
    counts = pd.DataFrame({"printed": printed_counts[AR], "ours": our_counts[AR]})
    by_level = counts.groupby("alpha")
    ranks = by_level.rank(ascending=False, method="min").astype(int)
    rows = {}
    for alpha, metric in counts.index:
        rows[alpha, metric] = where_right(grid(ES_EN)[metric, AR, alpha])
    right = table_of(rows, "alpha", "metric")

    # Of c correct conclusions at most as many as the metric leaves undecided are about pairs that
    # people leave undecided too; the others are about pairs that people decided.
    decided_at_least = counts["printed"] - right["left undecided by the metric"]
    most_decided_at_least = decided_at_least.max()
    is_decided = people(ES_EN).pairs() != 0
    p_of_four = chi_square_of_four(ES_EN)
    between_metrics = mt.chi_square_between(at_05())
    smallest_p = between_metrics["pvalue"].min()
    printed_rank = ranks["printed"][0.05]
    our_rank = ranks["ours"][0.05]
    is_first = our_rank == 1
    first_here = list(our_rank.index[is_first])
    n_pairs = is_decided.size
    return Outcome(
        Value("pairs that their people decided, at least", most_decided_at_least, of=n_pairs),
        counted("pairs that the rankings decide", is_decided),
        Value("p of all four metrics, printed", p_of_four, ".2f"),
        Value("smallest p of six pairs of metrics, ours", smallest_p, ".3f"),
        Value("rank of NIST at .05, printed", printed_rank["NIST"]),
        Value("rank of METEOR at .05, printed", printed_rank["METEOR"]),
        Value("rank of NIST at .05, ours", our_rank["NIST"]),
        Value("rank of METEOR at .05, ours", our_rank["METEOR"]),
        holds=first_here == ["NIST"],
        table=counts.join([ranks.add_suffix(", rank"), right]),
    )


def where_right(agreement: Agreement) -> dict[str, int]:
    """How many conclusions of a metric into English are right, by what people decide.

    Beside the gold standard at .05 stand people who decide more pairs, at .2 and at .5.
    """
    conclusions = agreement.conclusions
    concluded = conclusions.pairs()
    gold = agreement.gold.pairs()
    is_right = concluded == gold
    is_decided = gold != 0
    right_where_decided = is_right & is_decided
    right_elsewhere = is_right & ~is_decided
    left_undecided = concluded == 0
    counts = {
        "ours: right where people decide": right_where_decided.sum(),
        "ours: right where they do not": right_elsewhere.sum(),
        "left undecided by the metric": left_undecided.sum(),
    }
    for level in (0.2, 0.5):
        looser = campaign(ES_EN).human.conclusions(alpha=level)
        with_looser = mt.agreement(conclusions, looser, rng=SEED)
        counts[f"ours, people at {level:g}"] = with_looser.correct
    return counts


def coin() -> Outcome:
    """Table 2, reading: whether metrics into Spanish are shown to do better than a coin.

    Printed: every lower limit is below 50 % (section 4.1); no metric with any test is shown to do
    better than a coin (abstract).
    Recomputed: for each metric, test and level, whether the exact interval of the accuracy contains
    one half; and how many right conclusions would put an interval above it.
    Holds: if all intervals into Spanish contain one half.
    """
    contains_half = {}
    for name in TABLES:
        intervals = [agreement.interval for agreement in grid(name).values()]
        contains_half[name] = [low < 0.5 < high for low, high in intervals]
    is_decided = people(EN_ES).pairs() != 0
    n_pairs = is_decided.size
    counts = np.arange(n_pairs + 1)
    lower_limit, _ = clopper_pearson(counts, n_pairs)
    enough = counts[lower_limit > 0.5].min()
    return Outcome(
        counted("interval contains 50 %, en-es", contains_half[EN_ES]),
        counted("the same, es-en", contains_half[ES_EN]),
        counted("pairs that the rankings decide, en-es", is_decided),
        Value("right conclusions that put an interval above 50 %", enough, of=n_pairs),
        holds=all(contains_half[EN_ES]),
    )


# Whether accuracies of metrics differ.


def chi_square() -> Outcome:
    """Comparison of metrics: the chi-square test of their accuracies, into English.

    Printed: at .05 accuracies of metrics do not differ significantly (section 4.1).
    Recomputed: the test for each two of four metrics, as if they had been judged on different
    pairs.
    Holds: if every p is above .05.
    """
    return of_six(mt.chi_square_between(at_05()))


def mcnemar() -> Outcome:
    """Comparison of metrics, a question of ours: McNemar's test on the pairs that metrics share.

    Computed: the test for each two of four metrics, into English, and Cochran's Q of all four.
    Holds: if every p is above .05.
    """
    agreements = at_05()
    comparisons = mt.mcnemar_between(agreements)
    shown = ["a", "b", "only_a", "only_b", "pvalue", "difference", "ci_low", "ci_high"]
    right = []
    for agreement in agreements.values():
        is_correct = agreement.table["correct"]
        right.append(is_correct.to_numpy(dtype=int))
    cochran = contingency_tables.cochrans_q(np.column_stack(right))
    p_of_four = Value("p, Cochran's Q of all four", cochran.pvalue, ".3f")
    return of_six(comparisons[shown], p_of_four)


def of_six(comparisons: pd.DataFrame, *more: Value) -> Outcome:
    """The outcome of comparing four metrics, two at a time.

    `comparisons` name the two metrics as ``a`` and ``b``; `more` are further values.
    """
    table = comparisons.set_index(["a", "b"])
    pvalues = table["pvalue"]
    return Outcome(
        Value("smallest p of six", pvalues.min(), ".3f"),
        Value("p, NIST and METEOR", pvalues["NIST"]["METEOR"], ".3f"),
        *more,
        holds=(pvalues > 0.05).all(),
        table=table,
    )
