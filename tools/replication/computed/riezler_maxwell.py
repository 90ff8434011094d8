"""Riezler & Maxwell (2005): their two tests, and what their tables print (section 4)."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

import mtsig_nb as mt
from mtsig_nb.campaigns.printed import printed_table

from ..rows import Outcome, Value, counted, rounded
from ..shared import compared, pair_label, pair_of_unit_13, text

PAPER = "riezler_maxwell2005"
#: As printed: scores and p-values of one pair, by measure; p-values of five pairs.
TABLE_1 = printed_table(PAPER, 1).set_index("metric").rename_axis("measure")
TABLE_2 = printed_table(PAPER, 2).set_index("comparison")
SCORES = TABLE_1[["baseline", "reranking"]]


def changes_of_scores() -> str:
    """By how much of itself each score of Table 1 changed: ``1.4% (NIST), …``."""
    scores = SCORES.astype(float)
    ratio = scores["reranking"] / scores["baseline"]
    changes = []
    for measure, share in (ratio - 1).abs().items():
        changes.append(f"{share:.1%} ({measure})")
    return ", ".join(changes)


#: As the ledger quotes Table 1.
CHANGES = changes_of_scores()

WMT12 = "wmt12/es-en"
AR = "approximate-randomization"
#: Their bootstrap test as Figure 2 has it, which counts one tail, and the test that counts both.
PRINTED = "riezler-maxwell-bootstrap"
SHIFTED = "bootstrap"


# Their p-values beside those of approximate randomization.


@lru_cache(maxsize=1)
def pvalues_within_reach() -> pd.DataFrame:
    """The p-values of three tests on pairs of WMT12 es-en, two-sided, by 10,000 resamples.

    A row for each pair whose p by randomization is well above the smallest one possible.
    """
    tests = {"randomization": AR, "as printed": PRINTED, "shifted": SHIFTED}
    pvalues = pd.DataFrame()
    for name, test in tests.items():
        comparisons = compared(WMT12, "BLEU", test=test, rng=2005, correction=None)
        table = comparisons.table
        pairs = zip(table["system_a"], table["system_b"], strict=True)
        labels = [pair_label(a, b) for a, b in pairs]
        index = pd.Index(labels, name="pair")
        pvalues[name] = table["pvalue"].set_axis(index)
    is_within_reach = pvalues["randomization"] > 0.002
    return pvalues[is_within_reach]


def table_2() -> Outcome:
    """Table 2: the p of their bootstrap beside that of approximate randomization.

    Printed: both p-values of five pairs; the bootstrap's is the smaller one (section 4.3).
    Recomputed: both tests on the pairs of WMT12 es-en under BLEU.
    Holds: if the bootstrap's p is the smaller one for all pairs.
    """
    table = pvalues_within_reach()[["randomization", "as printed"]]
    table = table.assign(doubled=2 * table["as printed"])
    smaller = table["as printed"] < table["randomization"]
    larger_doubled = table["doubled"] > table["randomization"]
    return Outcome(
        counted("smaller than AR's, as printed", smaller),
        counted("larger than AR's, doubled", larger_doubled),
        holds=smaller.all(),
        table=table,
    )


def conservative() -> Outcome:
    """Table 2, reading, a question of ours: whether randomization is the more conservative test.

    Printed: in words, of the bootstrap that counts one tail (abstract).
    Computed: on the same pairs, the p of the bootstrap with one tail and with both tails, over the
    p of randomization.
    Holds: if with both tails the median ratio is still far below one, that is, below .85.
    """
    table = pvalues_within_reach()
    by_bootstrap = table[["as printed", "shifted"]]
    ratios = by_bootstrap.div(table["randomization"], axis=0)
    median = ratios.median()
    values = {
        "median p / AR's p, as printed": median["as printed"],
        "both tails counted": median["shifted"],
    }
    return Outcome(
        *rounded(".2f", values),
        holds=median["shifted"] < 0.85,
        table=table,
    )


def one_pair() -> Outcome:
    """Figure 2, a question of ours: what the lost tail does to the conclusion about one pair.

    Computed: the bootstrap as printed and with both tails, on the same resamples of two systems of
    WMT13 es-en; and in which tail the resamples lie that the printed one does not count.
    Holds: if the two conclude differently.
    """
    pair = pair_of_unit_13()
    printed = mt.riezler_maxwell_bootstrap(pair, *pair.systems, warn=False, rng=2005)
    corrected = mt.bootstrap_test(pair, *pair.systems, rng=2005)
    lost = corrected.extreme & ~printed.extreme
    lost_differences = corrected.null_distribution[lost]
    return Outcome(
        Value("p as printed", printed.pvalue, ".3f"),
        Value("p corrected", corrected.pvalue, ".3f"),
        counted("lost resamples in the other tail", lost_differences < 0),
        holds=printed.conclusion() != corrected.conclusion(),
    )


# What is printed, computed again.


def last_digit(printed: Decimal) -> Decimal:
    """One unit in the last printed digit: .001 for .014."""
    exponent = printed.as_tuple().exponent
    return Decimal(1).scaleb(int(exponent))


def table_2_doubled() -> Outcome:
    """Table 2, doubled: how many of the bootstrap's p-values pass randomization's, doubled.

    Printed: two of five do (Graham et al. 2014, section 2).  They are doubled because the test
    counts one tail of two.
    Recomputed: the same from the printed p-values, and how far rounding can decide it: a printed p
    may be off by half of its last digit, and its double by a whole one.  Zeros at the end are not
    printed, so that all p-values may have as many decimals as the longest.
    Decided by: the count as printed.
    """
    printed = TABLE_2.map(Decimal)
    doubled = 2 * printed["p_bootstrap"]
    excess = doubled - printed["p_approxrand"]
    is_larger = excess > 0

    last_digits = printed.map(last_digit)
    finest = last_digits.to_numpy().min()
    error_as_printed = last_digits["p_approxrand"] / 2 + last_digits["p_bootstrap"]
    error_of_finest = finest / 2 + finest
    by_rounding = pd.DataFrame(
        {
            "doubled is larger": beyond_rounding(excess, error_as_printed),
            "of three decimals": beyond_rounding(excess, error_of_finest),
            "as printed": is_larger.map({True: "larger", False: "not larger"}),
        }
    )
    table = printed.assign(doubled=doubled).astype(float)
    return Outcome(
        counted("larger than AR's as printed", is_larger),
        counted("whatever was rounded off", by_rounding["doubled is larger"] == "for certain"),
        counted("if all have three decimals", by_rounding["of three decimals"] == "for certain"),
        table=table.join(by_rounding),
    )


def beyond_rounding(excess: pd.Series, error: Any) -> pd.Series:
    """Whether an excess above 0 is certain where rounding may have put it wrong by an error."""
    conditions = [excess > error, excess < -error]
    words = np.select(conditions, ["for certain", "certainly not"], "undecided")
    return pd.Series(words, excess.index)


def restrictive_level() -> Outcome:
    """Section 4.3: the restrictive level at which the two tests differ.

    Printed: a level, and how many pairs of Table 2 the bootstrap rejects at it.  Section 4.4 prints
    a level of a tenth.
    Recomputed: the rejections of both tests in Table 2 at both levels.
    Decided by: the printed count of the bootstrap, at the level of section 4.3.
    """
    pvalues = TABLE_2[["p_bootstrap", "p_approxrand"]].astype(float)
    restrictive = text("r-restrictive")
    a_tenth = text("r-five-pc")
    rejected = pvalues <= float(restrictive)
    rejected_at_a_tenth = pvalues <= float(a_tenth)
    counts = {
        float(restrictive): rejected.sum(),
        float(a_tenth): rejected_at_a_tenth.sum(),
    }
    return Outcome(
        counted(f"bootstrap rejects at {restrictive}", rejected["p_bootstrap"]),
        counted(f"at {a_tenth}", rejected_at_a_tenth["p_bootstrap"]),
        counted(f"AR rejects at {a_tenth}", rejected_at_a_tenth["p_approxrand"]),
        table=pd.DataFrame(counts).T.rename_axis("level"),
    )


def enough_resamples() -> Outcome:
    """Table 1 and Figures 1 and 2: the resamples behind a p below .0001, and loops from 0 to R.

    Printed: a bound of p (Table 1), p as (c + 1) / (R + 1), and a loop that starts at 0 (Figure 1).
    Recomputed: the smallest R with 1 / (R + 1) below the bound; the draws of a loop from 0 to R;
    and p if all of them count, which is above one.
    """
    is_bound: Any = TABLE_1["p_approxrand_relation"] == "<"
    bound = Fraction(TABLE_1["p_approxrand"][is_bound].iloc[0])
    n_resamples = int(1 / bound)  # R + 1 must be larger
    draws = len(range(n_resamples + 1))
    return Outcome(
        Value("smallest R with 1/(R + 1) below the printed bound", n_resamples),
        Value("draws of a loop from 0 to that R", draws),
        Value("largest p", (draws + 1) / (n_resamples + 1), ".6f"),
    )
