"""Graham, Mathur & Baldwin (2014): conclusions of tests beside those of people, on WMT12.

The outputs and references are theirs.  Their direct assessments are not public: in their place are
sign tests on WMT12's relative rankings at .05.  METEOR is a later version.
"""

from __future__ import annotations

import itertools
from functools import lru_cache

import numpy as np
import pandas as pd
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
    of_both,
    theirs,
)

#: How the paper tests: one-sided and uncorrected.
N_RESAMPLES = 5000
SEED = 2014


@lru_cache(maxsize=2)
def grid(name: str) -> dict[tuple[str, str, float], Agreement]:
    """By metric, test and level: what becomes of people's conclusions about a campaign."""
    agreements = {}
    gold = people(name)
    for metric, test in itertools.product(FOUR_METRICS, TESTS):
        tested = mt.compare_all(
            judged(statistics(name, metric), gold),
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
    cells = []
    for (metric, test, alpha), found in grid(name).items():
        cell = {"metric": metric, "test": test, "alpha": alpha, "correct": found.correct}
        cells.append(cell)
    return laid_out(pd.DataFrame(cells))


def at_05(name: str = ES_EN) -> dict[str, Agreement]:
    """The four metrics' agreements with people, by approximate randomization at .05."""
    return {metric: grid(name)[metric, AR, 0.05] for metric in FOUR_METRICS}


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
    by_randomization = [grid(name)[metric, AR, alpha] for alpha, metric in correct.index]
    n_pairs = by_randomization[0].total
    table = pd.concat({"printed": theirs(name), "ours": correct}, axis=1)
    columns = {
        "AR, accuracy (%)": [found.accuracy for found in by_randomization],
        "AR, low (%)": [found.interval[0] for found in by_randomization],
        "AR, high (%)": [found.interval[1] for found in by_randomization],
    }
    for column, shares in columns.items():
        table["ours", column] = 100 * np.array(shares)
    values = []
    widths = []
    for metric, found in at_05(name).items():
        low, high = found.interval
        widths.append(high - low)
        values.append(Value(f"{metric} at .05", found.correct, of=n_pairs))
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
    printed = of_both(theirs)
    equal = equal_counts(printed)
    bleu_and_nist = equal.loc[EN_ES].loc[:, ["BLEU", "NIST"]]
    return Outcome(
        counted("rows of BLEU and NIST that differ, en-es", ~bleu_and_nist),
        counted("rows of equal counts, printed", equal),
        counted("rows of equal counts, ours", equal_counts(of_both(ours))),
        holds=bleu_and_nist.all(),
        table=printed[~equal],
    )


def identical_rows() -> Outcome:
    """Central claim: in how many of 24 rows the three tests conclude the same about every pair.

    Printed: the three tests hardly ever conclude differently (section 5).
    Recomputed: for each campaign, metric and level, the pairs about which the tests differ.
    Holds: if these are less than one percent of the pairs in all rows.
    """
    n_differ = {}
    n_pairs = 0
    for name, metric, alpha in itertools.product(TABLES, FOUR_METRICS, LEVELS):
        cells = [grid(name)[metric, test, alpha] for test in TESTS]
        by_test = np.array([found.conclusions.pairs() for found in cells])
        differ = (by_test != by_test[0]).any(axis=0)
        n_differ[name, metric, alpha] = differ.sum()
        n_pairs += differ.size
    by_row = pd.Series(n_differ)
    by_row.index.names = ["campaign", "metric", "alpha"]
    is_meteor = by_row.index.get_level_values("metric") == "METEOR"
    is_identical = by_row == 0
    words = is_identical.map({True: "identical", False: "differ"})
    return Outcome(
        counted("identical rows", is_identical),
        counted("rows of equal counts", equal_counts(of_both(ours))),
        counted("rows of METEOR, a later version", is_meteor),
        Value("pairs about which tests differ, all rows", by_row.sum(), of=n_pairs),
        holds=by_row.sum() < 0.01 * n_pairs,
        table=words.unstack(sort=False),
    )


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
    by_test = {"printed": theirs(ES_EN), "ours": ours(ES_EN)}
    counts = pd.DataFrame({whose: correct[AR] for whose, correct in by_test.items()})
    ranks = counts.groupby("alpha").rank(ascending=False, method="min").astype(int)
    rows = {}
    for alpha, metric in counts.index:
        rows[alpha, metric] = where_right(grid(ES_EN)[metric, AR, alpha])
    table = counts.join(ranks.add_suffix(", rank"))
    table = table.join(table_of(rows, "alpha", "metric"))

    # Of c correct conclusions at most as many as the metric leaves undecided are about pairs that
    # people leave undecided too; the others are about pairs that people decided.
    at_least = (table["printed"] - table["left undecided by the metric"]).max()
    decided = people(ES_EN).pairs() != 0
    smallest_p = mt.chi_square_between(at_05())["pvalue"].min()
    rank = ranks.loc[0.05]
    first_here = list(rank.index[rank["ours"] == 1])
    return Outcome(
        Value("pairs that their people decided, at least", at_least, of=decided.size),
        counted("pairs that the rankings decide", decided),
        Value("p of all four metrics, printed", chi_square_of_four(ES_EN), ".2f"),
        Value("smallest p of six pairs of metrics, ours", smallest_p, ".3f"),
        Value("rank of NIST at .05, printed", rank["printed"]["NIST"]),
        Value("rank of METEOR at .05, printed", rank["printed"]["METEOR"]),
        Value("rank of NIST at .05, ours", rank["ours"]["NIST"]),
        Value("rank of METEOR at .05, ours", rank["ours"]["METEOR"]),
        holds=first_here == ["NIST"],
        table=table,
    )


def where_right(found: Agreement) -> dict[str, int]:
    """Of a metric's conclusions into English: about which pairs they are right.

    Beside the gold standard at .05 stand people who decide more pairs, at .2 and at .5.
    """
    concluded = found.conclusions.pairs()
    gold = found.gold.pairs()
    right = concluded == gold
    decided = gold != 0
    counts = {
        "ours: right where people decide": int(right[decided].sum()),
        "ours: right where they do not": int(right[~decided].sum()),
        "left undecided by the metric": int((concluded == 0).sum()),
    }
    for level in (0.2, 0.5):
        looser = campaign(ES_EN).human.conclusions(alpha=level)
        agreement = mt.agreement(found.conclusions, looser, rng=SEED)
        counts[f"ours, people at {level:g}"] = agreement.correct
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
        intervals = [found.interval for found in grid(name).values()]
        low, high = np.array(intervals).T
        contains_half[name] = (low < 0.5) & (high > 0.5)
    decided = people(EN_ES).pairs() != 0
    n_pairs = decided.size
    counts = np.arange(n_pairs + 1)
    lower_limit, _ = clopper_pearson(counts, n_pairs)
    enough = counts[lower_limit > 0.5].min()
    return Outcome(
        counted("interval contains 50 %, en-es", contains_half[EN_ES]),
        counted("the same, es-en", contains_half[ES_EN]),
        counted("pairs that the rankings decide, en-es", decided),
        Value("right conclusions that put an interval above 50 %", enough, of=n_pairs),
        holds=contains_half[EN_ES].all(),
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
    comparisons = mt.mcnemar_between(at_05())
    shown = ["a", "b", "only_a", "only_b", "pvalue", "difference", "ci_low", "ci_high"]
    right = pd.DataFrame({metric: agreed.table["correct"] for metric, agreed in at_05().items()})
    cochran = contingency_tables.cochrans_q(right.astype(int).to_numpy()).pvalue
    return of_six(comparisons[shown], Value("p, Cochran's Q of all four", cochran, ".3f"))


def of_six(comparisons: pd.DataFrame, *more: Value) -> Outcome:
    """The outcome of comparing four metrics, two at a time."""
    table = comparisons.set_index(["a", "b"])
    nist_and_meteor = table.loc[("NIST", "METEOR"), "pvalue"]
    return Outcome(
        Value("smallest p of six", table["pvalue"].min(), ".3f"),
        Value("p, NIST and METEOR", nist_and_meteor, ".3f"),
        *more,
        holds=(table["pvalue"] > 0.05).all(),
        table=table,
    )
