"""Koehn (2004): what the printed numbers of the paper say about each other.

No data enter these rows.  They compute with the tables and numbers as printed, and with the
rounding that the printed digits leave open.
"""

from __future__ import annotations

from io import StringIO
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from mtsig_nb.campaigns.printed import printed_table

from ..rows import Outcome, Printed, Value, counted, reproduced, rounded, table_of
from ..shared import number, quoted

PAPER = "koehn2004"


def numeric_table(which: int) -> pd.DataFrame:
    """A printed table of the paper by its number, with numbers in place of their text."""
    as_text = printed_table(PAPER, which).to_csv(index=False)
    return pd.read_csv(StringIO(as_text))


# Section 2: BLEU and its formula.


def equation_1() -> Outcome:
    """Equation 1: whether the BLEU of Table 1 can be a product without the weight 1/N.

    Printed: the sum of log precisions has no weight 1/N (section 2.3).  Table 1 has BLEU with its
    1-gram and 4-gram precisions.
    Recomputed: without the weight, BLEU is a product of N precisions and a brevity penalty.  None
    of them is above one, so the product of the two printed precisions is an upper bound.  With the
    weight, and without a brevity penalty, BLEU implies the geometric mean of the precisions that
    are not printed; it should lie between the two that are.
    Decided by: how many systems are above the bound, and for how many the mean lies between.
    """
    table = numeric_table(1).set_index("system")
    table.columns = pd.Index(["1-gram", "4-gram", "BLEU, printed"])
    unigram = table["1-gram"] / 100
    fourgram = table["4-gram"] / 100
    bleu = table["BLEU, printed"] / 100
    product = unigram * fourgram
    above = bleu > product
    bound = 100 * unigram * fourgram  # in percent, as BLEU is printed

    n_orders = number("k-N")
    product_of_others = bleu**n_orders / product
    n_others = n_orders - 2
    mean_of_others = product_of_others ** (1 / n_others)
    consistent = (fourgram < mean_of_others) & (mean_of_others < unigram)

    table.insert(2, "bound without 1/N", bound)
    table["with 1/N, mean of 2- and 3-gram"] = 100 * mean_of_others
    return Outcome(
        counted("printed BLEU above the bound", above),
        Value("lowest bound (%)", bound.min(), ".1f"),
        Value("highest bound (%)", bound.max(), ".1f"),
        counted("consistent with the weight 1/N", consistent),
        table=table,
    )


def contradictions(ids_of: dict[str, list[str]]) -> Outcome:
    """Sections 2.3 and 3.4: two numbers that differ between places of the paper.

    Printed: how many systems Table 1 has, and how many broad samples there are.  `ids_of` has, for
    each of the two, the ids of all numbers that are printed for it.
    Recomputed: the rows of Table 1; all sentences of the test set over those of one sample.
    Decided by: whether the printed number is the recomputed one.
    """
    rows = {}
    for quantity, ids in ids_of.items():
        for number_id in ids:
            printed = quoted(number_id)
            rows[quantity, number_id] = {"place": printed.where, "printed": printed.text}
    all_sentences = int(number("k-t3-total"))
    in_a_sample = int(number("k-300-broad-size"))
    return Outcome(
        Value("systems in Table 1", len(printed_table(PAPER, 1))),
        Value("broad samples in all sentences", all_sentences // in_a_sample),
        table=table_of(rows, "", "id"),
    )


# Section 4: intervals from Student's t.


def t_as_printed() -> pd.Series:
    """The cells of Table 2, as text, by level (in %) and sample size, both as text too."""
    table = printed_table(PAPER, 2)
    cells = table.set_index(["level_pct", "sample_size"])
    return cells["t"].rename("printed")


def printed_t(level: str, size: str) -> Printed:
    """A cell of Table 2, by its level and sample size as they are printed."""
    cell = t_as_printed()[level, size]
    return Printed(cell, f"Table 2, n = {size}")


def table_2() -> Outcome:
    """Table 2: how many degrees of freedom its quantiles of Student's t have.

    Printed: two-sided quantiles by level and sample size n.
    Recomputed: each of them with n − 1 degrees of freedom, as equations (4) and (5) ask, and with
    n degrees.
    Decided by: the cells at n = 100, which the formula should reproduce to the printed digit.  Of
    all cells it is counted how many come out in either way.  The cell at 95 % and n = 100 does in
    neither, so every n from 50 to 200 is tried for it.
    """
    cells = t_as_printed()
    columns = cells.index.to_frame().astype(float)
    level = columns["level_pct"].to_numpy()
    n = columns["sample_size"].to_numpy()
    probability = 0.5 + level / 200
    with_n_less_one = stats.t.ppf(probability, n - 1)
    with_n = stats.t.ppf(probability, n)
    fit_n_less_one = np.array(reproduced(cells, with_n_less_one))
    fit_n = np.array(reproduced(cells, with_n))
    conditions = [fit_n_less_one & fit_n, fit_n_less_one, fit_n]
    fits = np.select(conditions, ["both", "n − 1", "n"], "neither")

    misprint = printed_t("95", "100")
    degrees = np.arange(50, 201) - 1
    quantiles = stats.t.ppf(0.975, degrees)
    fits_misprint = [misprint.reproduced_by(t) for t in quantiles]

    table = cells.to_frame()
    table["n − 1 degrees"] = with_n_less_one
    table["n degrees"] = with_n
    table["fits"] = fits
    return Outcome(
        Value("t, 95 %", stats.t.ppf(0.975, 99), ".4f"),
        Value("t, 99 %", stats.t.ppf(0.995, 99), ".4f"),
        counted("cells with n − 1 degrees", fit_n_less_one),
        counted("cells with n degrees", fit_n),
        counted("n from 50 to 200 that the 95 % fits", fits_misprint),
        table=table.rename_axis(["level (%)", "n"]),
    )


def worked_example() -> Outcome:
    """Section 4: the example of equations (3) to (5), which ends before its last number.

    Printed: how many sentences of the sample are right, and the share that this makes.
    Recomputed: mean, standard deviation and the half width of the 95 % interval, with the t that
    Table 2 prints and with the one of n − 1 degrees of freedom.
    Decided by: the printed share.  The half width is not printed.
    """
    n = int(number("k-ex-n"))
    n_right = int(number("k-ex-correct"))
    is_right = np.repeat([1.0, 0.0], [n_right, n - n_right])
    standard_deviation = is_right.std(ddof=1)
    degrees = n - 1
    quantiles = {
        "with the printed t": float(printed_t("95", "100").text),
        f"with {degrees} degrees of freedom": stats.t.ppf(0.975, degrees),
    }
    t = pd.Series(quantiles, name="t")
    half_width = 100 * t * standard_deviation / np.sqrt(n)
    table = pd.DataFrame({"t": t, "half width (%)": half_width})
    return Outcome(
        Value("mean (%)", 100 * is_right.mean(), ".0f"),
        Value("standard deviation (%)", 100 * standard_deviation, ".2f"),
        *rounded(".4f", half_width.add_prefix("half width ").add_suffix(" (%)")),
        table=table.rename_axis(""),
    )


def figure_5() -> Outcome:
    """Figure 5: the shaded share of a normal distribution.

    Printed: the share (caption), between plus and minus the t of an infinite sample (Table 2).
    Recomputed: the normal probability between these two quantiles.
    Decided by: the printed share.
    """
    z = float(printed_t("95", "inf").text)
    shaded = 2 * stats.norm.cdf(z) - 1
    return Outcome(Value("shaded", shaded, ".4f"))


# Section 7: whether Tables 3 and 4 count the same conclusions.


def tables_3_and_4() -> Outcome:
    """Tables 3 and 4: whether they count the same conclusions, of the systems of Table 1.

    Printed: by pair and size, the shares of tests with a right and with a wrong conclusion at 95 %
    (Table 3, whole percents); all conclusions by their level, with the share right (Table 4); the
    BLEU of each system (Table 1).
    Recomputed: the counts that the rounding of these shares leaves possible.
    Decided by: both tables have equally many tests; Table 4's conclusions at 95 % are a number that
    Table 3 allows; the wrong ones can be equally many in both; and every difference in BLEU of
    Table 3 is that of its two systems in Table 1.
    """
    n_tests = numeric_table(3)["samples"].sum()
    right_by_3 = possible_by_table_3("correct_pct")
    wrong_by_3 = possible_by_table_3("wrong_pct")
    at_95_by_3 = right_by_3.plus(wrong_by_3)

    n_conclusions = numeric_table(4)["conclusions"].sum()
    at_95 = at_95_in_table_4()["conclusions"].sum()
    wrong_by_4 = wrong_by_table_4()

    as_many_as_tests = n_conclusions == n_tests
    as_many_at_95 = at_95_by_3.fewest <= at_95 <= at_95_by_3.most
    as_many_wrong = wrong_by_3.overlaps(wrong_by_4)
    same_differences = differences_are_those_of_table_1()
    counts_agree = as_many_as_tests and as_many_at_95 and as_many_wrong
    columns = {
        "tests, Table 3; conclusions, Table 4": [n_tests, n_tests, n_conclusions],
        "at 95 % or more": [at_95_by_3.fewest, at_95_by_3.most, at_95],
        "wrong among them, fewest": [wrong_by_3.fewest, wrong_by_3.fewest, wrong_by_4.fewest],
        "most": [wrong_by_3.most, wrong_by_3.most, wrong_by_4.most],
    }
    rows = pd.Index(["Table 3, least", "Table 3, most", "Table 4"], name="")
    return Outcome(
        Value("conclusions in Table 4", n_conclusions, of=n_tests),
        Value("at 95 % or more, Table 4", at_95),
        Value("least that Table 3 allows", at_95_by_3.fewest),
        Value("most", at_95_by_3.most),
        counted("differences that are those of Table 1", same_differences),
        holds=counts_agree and same_differences.all(),
        table=pd.DataFrame(columns, rows),
    )


class Possible(NamedTuple):
    """The fewest and the most conclusions that printed numbers allow."""

    fewest: int
    most: int

    def plus(self, other: Possible) -> Possible:
        """The fewest and the most of both together."""
        return Possible(self.fewest + other.fewest, self.most + other.most)

    def overlaps(self, other: Possible) -> bool:
        """Whether both allow a number in common."""
        return max(self.fewest, other.fewest) <= min(self.most, other.most)


def possible_counts(share: str, total: int) -> Possible:
    """The fewest and the most of `total` that make the printed share, in %, by its rounding."""
    decimals = Printed(share, "").decimals
    half = 0.5 * 10.0**-decimals
    tolerance = half + 1e-9  # a half may be rounded either way
    counts = np.arange(total + 1)
    shares = 100 * counts / total
    distance = np.abs(shares - float(share))
    is_possible = distance <= tolerance
    possible = counts[is_possible]
    return Possible(possible.min(), possible.max())


def possible_sum(shares: pd.Series, totals: pd.Series) -> Possible:
    """The fewest and the most that several printed shares make together."""
    together = Possible(0, 0)
    for share, total in zip(shares, totals, strict=True):
        counts = possible_counts(share, total)
        together = together.plus(counts)
    return together


def possible_by_table_3(column: str) -> Possible:
    """How many conclusions a column of Table 3 allows: of shares right, or of shares wrong."""
    table = printed_table(PAPER, 3)
    is_printed = table[column] != ""
    with_share = table[is_printed]
    n_tests = with_share["samples"].astype(int)
    return possible_sum(with_share[column], n_tests)


def at_95_in_table_4() -> pd.DataFrame:
    """The rows of Table 4 at the level of Table 3, or above it."""
    rows = numeric_table(4)
    is_as_high = rows["level_low_pct"] >= number("k-t3-level")
    return rows[is_as_high]


def wrong_by_table_4() -> Possible:
    """The wrong conclusions at 95 % that the shares right in Table 4 leave."""
    rows = at_95_in_table_4()
    shares_wrong = 100 - rows["correct_pct"]
    as_text = shares_wrong.astype(str)
    return possible_sum(as_text, rows["conclusions"])


def differences_are_those_of_table_1() -> pd.Series:
    """For each pair of Table 3, whether its difference is that of its systems in Table 1."""
    systems = numeric_table(1).set_index("system")
    bleu = systems["bleu_pct"]
    cells = numeric_table(3).drop_duplicates("comparison")
    pairs = cells.set_index("comparison")
    of_better = pairs["better"].map(bleu)
    of_worse = pairs["worse"].map(bleu)
    difference = of_better - of_worse
    distance = difference - pairs["bleu_difference_pct"]
    return distance.abs() < 1e-9
