"""Graham, Mathur & Baldwin (2014): what the printed numbers of the paper say about each other.

``papers/graham.toml`` calls by name the functions that return an `Outcome`: the values of a row of
the ledger, and whether the row's claim holds or everything that is printed comes out.  Its texts
quote `AT_05`, `NIST_AT_001` and `EQUAL_PRINTED`.  Ids such as ``g-ade`` are those of numbers in the
paper's text, in ``datasets/published/graham2014_numbers.csv``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pandas as pd
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.campaigns.printed import printed_table
from mtsig_nb.engine.counting import clopper_pearson

from ..rows import Outcome, Value, counted, reproduced, rounded
from ..shared import FOUR_METRICS, language_pair, text

PAPER = "graham2014"
ES_EN = "wmt12/es-en"
EN_ES = "wmt12/en-es"
#: The number of the printed table about each campaign.
TABLES = {ES_EN: 1, EN_ES: 2}
#: The id of each campaign's number of pairs of systems: printed in section 4.1 for es-en, and for
#: en-es derived from the number of systems.
IDS_OF_N_PAIRS = {ES_EN: "g-best-of", EN_ES: "g-enes-pairs"}
#: The tests and levels of both tables.
AR = "approximate-randomization"
TESTS = ("paired-bootstrap", "bootstrap", AR)
LEVELS = (0.05, 0.01, 0.001)


def whole_number(name: str) -> int:
    """A whole number of the paper's text, by its id."""
    return int(text(name))


def n_pairs(name: str) -> int:
    """How many pairs of systems a campaign has in their tables."""
    return whole_number(IDS_OF_N_PAIRS[name])


def laid_out(cells: pd.DataFrame) -> pd.DataFrame:
    """Numbers of correct conclusions: a row for each level and metric, a column for each test.

    `cells` have a row for each of these numbers, and the columns ``metric``, ``test``, ``alpha``
    and ``correct``.
    """
    numeric = cells.astype({"alpha": float, "correct": int})
    wide = numeric.pivot(index=["alpha", "metric"], columns="test", values="correct")
    rows = itertools.product(LEVELS, FOUR_METRICS)
    return wide.reindex(index=list(rows), columns=TESTS)


def theirs(name: str) -> pd.DataFrame:
    """Their correct conclusions about a campaign, laid out as in the paper."""
    printed = printed_table(PAPER, TABLES[name])
    cells = printed.rename(columns={"correct_conclusions": "correct"})
    return laid_out(cells)


def theirs_at_05(name: str) -> pd.Series:
    """Their correct conclusions by approximate randomization at .05, by metric."""
    correct = theirs(name)
    by_randomization = correct[AR]
    return by_randomization.xs(0.05)


def of_both_campaigns(correct: Callable[[str], pd.DataFrame]) -> pd.DataFrame:
    """The rows of both campaigns, from a function of a campaign's name such as `theirs`."""
    by_campaign = {name: correct(name) for name in TABLES}
    return pd.concat(by_campaign, names=["campaign"])


def equal_counts(correct: pd.DataFrame) -> pd.Series:
    """In which rows the three tests have one number of correct conclusions."""
    return correct.nunique(axis=1) == 1


# What texts of `papers/graham.toml` quote from Tables 1 and 2.
_AT_05 = [f"{count} {metric} at .05" for metric, count in theirs_at_05(ES_EN).items()]
_NIST_AT_001 = theirs(EN_ES).xs((0.001, "NIST"))
_IS_EQUAL = equal_counts(of_both_campaigns(theirs))
AT_05 = ", ".join(_AT_05)
NIST_AT_001 = ", ".join(map(str, _NIST_AT_001))
EQUAL_PRINTED = int(_IS_EQUAL.sum())


# Section 4: how many assessments were kept.


def assessments() -> Outcome:
    """Section 4, assessments: how many of those collected the averages per system make.

    Printed: assessments collected, of adequacy and of fluency; systems and average assessments per
    system that were kept, for two directions.  The sums are not printed.
    Recomputed: systems times average, over both directions.
    """
    adequacy = kept_assessments("ade")
    fluency = kept_assessments("flu")
    adequacy_collected = whole_number("g-ade")
    fluency_collected = whole_number("g-flu")
    return Outcome(
        Value("adequacy, kept", adequacy, of=adequacy_collected),
        Value("fluency, kept", fluency, of=fluency_collected),
        Value("adequacy, kept (%)", 100 * adequacy / adequacy_collected, ".1f"),
        Value("fluency, kept (%)", 100 * fluency / fluency_collected, ".1f"),
    )


def kept_assessments(criterion: str) -> int:
    """Systems times average per system, over both directions.

    `criterion` is ``"ade"`` (adequacy) or ``"flu"`` (fluency), as in ids such as ``g-ade-esen``.
    """
    total = 0
    for direction in ("esen", "enes"):
        n_systems = whole_number(f"g-sys-{direction}")
        per_system = whole_number(f"g-{criterion}-{direction}")
        total += n_systems * per_system
    return total


# Tables 1 and 2, and what section 4.1 says of them.


def intervals_again() -> Outcome:
    """Tables 1 and 2: their percentages and intervals, from their counts.

    Printed: for each cell the number of correct conclusions, their percentage and an interval.  The
    paper does not say which kind of interval.
    Recomputed: percentage and exact (Clopper–Pearson) interval from the count.
    Decided by: all three numbers of each cell, to the printed digit.
    """
    come_out: list[bool] = []  # for each cell of both tables
    by_campaign = {}
    for name, table_number in TABLES.items():
        printed = printed_table(PAPER, table_number)  # a row for each cell of the paper's table
        correct = printed["correct_conclusions"].astype(int)
        computed = computed_from_counts(correct, total=n_pairs(name))
        by_column = [reproduced(printed[column], values) for column, values in computed.items()]
        # A cell comes out if all three of its numbers do.
        come_out += np.all(by_column, axis=0).tolist()

        # Printed and computed numbers of each count.  Cells with the same count are shown once.
        texts = printed[list(computed)]
        side_by_side = texts.join(computed.add_prefix("ours: ")).set_index(correct)
        is_repeated = side_by_side.index.duplicated()
        by_campaign[name] = side_by_side[~is_repeated]
    table = pd.concat(by_campaign, names=["campaign"])
    return Outcome(
        counted("cells whose three numbers are reproduced", come_out),
        holds=all(come_out),
        table=table.sort_index(),
    )


def computed_from_counts(correct: pd.Series, total: int) -> pd.DataFrame:
    """Percentages and exact 95 % intervals of counts out of a total.

    The columns are those of the printed tables: ``accuracy_pct``, ``ci_low_pct``, ``ci_high_pct``.
    """
    low, high = clopper_pearson(correct, total)
    columns = {
        "accuracy_pct": 100 * correct / total,
        "ci_low_pct": 100 * low,
        "ci_high_pct": 100 * high,
    }
    return pd.DataFrame(columns)


def printed_section_4_1() -> Outcome:
    """Section 4.1, accuracies: the numbers that the text quotes from Tables 1 and 2.

    Printed: the best number of correct conclusions at .05 into English and its percentage; the best
    percentage into Spanish; and that all lower limits into Spanish are below 50 %.
    Recomputed: the same from the counts of both tables.
    Decided by: the quoted numbers; all lower limits are below; and NIST is the best metric.
    """
    # The quoted numbers are declared in papers/graham.toml, and `Row.comes_out` compares them.
    # `holds` answers for the rest.
    correct = theirs_at_05(ES_EN)
    most = correct.max()
    most_into_spanish = theirs_at_05(EN_ES).max()
    percent = 100 * most / n_pairs(ES_EN)
    percent_into_spanish = 100 * most_into_spanish / n_pairs(EN_ES)
    cells = printed_table(PAPER, TABLES[EN_ES])
    accuracy_of_a_coin = whole_number("g-coin")  # in percent
    is_below = cells["ci_low_pct"].astype(float) < accuracy_of_a_coin
    return Outcome(
        Value("best at .05, es-en", most, of=n_pairs(ES_EN)),
        Value("the same in %", percent, ".1f"),
        Value("best at .05 in %, en-es", percent_into_spanish, ".1f"),
        counted("lower limits below 50 %, en-es", is_below),
        holds=is_below.all() and correct.idxmax() == "NIST",
    )


def chi_square_of_four(name: str) -> float:
    """The p of the chi-square test of their four metrics at .05."""
    correct = theirs_at_05(name)
    wrong = n_pairs(name) - correct
    test = stats.chi2_contingency([correct, wrong])
    return float(test.pvalue)


def printed_chi_square() -> Outcome:
    """Section 4.1, metrics: the chi-square test of their own accuracies.

    Printed: no significant difference between metrics.
    Recomputed: from their counts at .05 by approximate randomization, two metrics at a time with
    Yates's correction, and all four at once, for both campaigns.
    Decided by: whether every p is above .05.
    """
    tables = {}
    p_of_four = {}
    for name in TABLES:
        correct = theirs_at_05(name)
        counts = {metric: (correct[metric], n_pairs(name)) for metric in FOUR_METRICS}
        comparisons = mt.chi_square_between(counts)
        tables[name] = comparisons.set_index(["a", "b"])
        pair = language_pair(name)
        p_of_four[f"p of all four, {pair}"] = chi_square_of_four(name)
    table = pd.concat(tables, names=["campaign"])
    smallest_of_two = table["pvalue"].min()
    smallest_of_four = min(p_of_four.values())
    return Outcome(
        Value("smallest p of twelve", smallest_of_two, ".2f"),
        *rounded(".2f", p_of_four),
        holds=smallest_of_two > 0.05 and smallest_of_four > 0.05,
        table=table,
    )
