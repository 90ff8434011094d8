"""Stroppa & Owczarzak (2007): what the printed numbers of the paper say about each other."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import mtsig_nb as mt
from mtsig_nb.campaigns.printed import printed_table
from mtsig_nb.metrics.base import FloatArray

from ..rows import Outcome, Value, answer, counted, counted_each, reproduced, rounded
from ..shared import number, text

PAPER = "stroppa_owczarzak2007"
#: The four metrics of the paper, in its order.
THEIR_METRICS = tuple(dict.fromkeys(printed_table(PAPER, 1)["metric"]))
#: The condition in which all systems are compared.
MIXED = "Mixed Track"
#: Similarity with people's fluency and adequacy, a row for each condition and metric; as printed.
TABLE_1 = printed_table(PAPER, 1).set_index(["condition", "metric"])
#: Similarity between metrics, a row for each pair; as printed.
TABLE_2 = printed_table(PAPER, 2).set_index(["metric_a", "metric_b"])["score"]
#: Each metric's mean over the conditions, fluency and adequacy of Table 1.
MEANS = TABLE_1.astype(float).mean(axis=1).groupby("metric").mean()


def span_of_table_1() -> str:
    """The lowest and the highest number of Table 1, as the ledger quotes them."""
    ascending = sorted(TABLE_1.to_numpy().ravel(), key=float)
    lowest = ascending[0]
    highest = ascending[-1]
    return f"from {lowest} to {highest} (Table 1)".replace("-", "−")


SPAN = span_of_table_1()


# Section 3: p and similarity.


def p_range() -> Outcome:
    """Section 3.1: which values p can have, and that it can exceed one.

    Printed: p is the count and one, divided by the number k of shuffles.
    Recomputed: p if none of the k shuffles counts and if all do, by this form and divided by k + 1.
    """
    k = int(number("s-k"))
    level = number("s-one")
    divisor = pd.Series({"divided by k, as printed": k, "by k + 1": k + 1})
    smallest = 1 / divisor
    largest = (k + 1) / divisor
    columns = {
        "smallest p": smallest,
        "largest p": largest,
        f"can be below {level:g}": np.where(smallest < level, "yes", "no"),
        f"can be at most {level:g}": np.where(smallest <= level, "yes", "no"),
    }
    values = {
        "smallest p": smallest["divided by k, as printed"],
        "largest p": largest["divided by k, as printed"],
        "largest p, divided by k + 1": largest["by k + 1"],
    }
    return Outcome(
        *rounded(".3f", values),
        table=pd.DataFrame(columns).rename_axis("the count and one"),
    )


def from_groups(groups: Sequence[Iterable[str]]) -> mt.Conclusions:
    """Conclusions from groups of systems that do not overlap, the best group first."""
    group_of = {}
    for k, group in enumerate(groups):
        group_of.update(dict.fromkeys(group, k))
    conclusions = {}
    for a, b in itertools.combinations(sorted(group_of), 2):
        groups_between = group_of[b] - group_of[a]
        conclusions[a, b] = int(np.sign(groups_between))
    return mt.Conclusions.from_pairs(conclusions)


#: Two clusterings that give the pairs listed in section 3.3.  The groups are not printed; of four
#: and two groups that do not overlap no others give them, up to their order.
FOUR_GROUPS = from_groups(("01", "2", "3", "45"))
TWO_GROUPS = from_groups(("0123", "45"))


def similarity() -> Outcome:
    """Section 3.3: the example of similarity between two clusterings of six systems.

    Printed: the pairs of systems that are agreed about, those weakly disagreed about, and S.
    Recomputed: both lists and S from two clusterings that we reconstructed.
    Decided by: the printed number of agreements and S, and that both lists are the printed ones.
    """
    agree = FOUR_GROUPS.pairs() == TWO_GROUPS.pairs()
    systems = itertools.combinations(FOUR_GROUPS.systems, 2)
    pairs = np.array([f"{a}-{b}" for a, b in systems])
    agreements = set(pairs[agree])
    disagreements = set(pairs[~agree])
    same_agreements = agreements == set(text("s-ex-agree").split())
    same_disagreements = disagreements == set(text("s-ex-weak").split())
    return Outcome(
        counted("agreements", agree),
        Value("similarity", mt.ordered_rand(FOUR_GROUPS, TWO_GROUPS), ".4f"),
        holds=same_agreements and same_disagreements,
    )


# Sections 4.3 and 5: Tables 1 and 2.


def pairs_in(condition: str) -> int:
    """How many pairs of systems a condition has."""
    if condition == MIXED:
        return int(number("s-pairs18"))
    return int(number("s-pairs6"))


def multiples() -> Outcome:
    """Tables 1 and 2: whether each similarity is a whole number of pairs over all pairs.

    Printed: similarities with two decimals.
    Recomputed: for each cell the nearest multiple of one over the number of pairs, of six systems
    or of eighteen, and whether it rounds to the printed number.
    Decided by: the one cell of Table 1 that is no such multiple.
    """
    cells = all_similarities()
    n_pairs = cells["condition"].map(pairs_in)
    n_agreed = cells["printed"].astype(float) * n_pairs
    nearest = n_agreed.round() / n_pairs
    comes_out = reproduced(cells["printed"], nearest)
    is_multiple = pd.Series(comes_out, cells.index)
    by_table = {}
    for title, is_multiple_there in is_multiple.groupby(cells["table"]):
        by_table[f"{title}, cells that are such a multiple"] = is_multiple_there

    exceptions = cells.assign(pairs=n_pairs, nearest=nearest)[~is_multiple]
    return Outcome(
        *counted_each(by_table),
        Value("RS-CRR, METEOR, adequacy", exceptions["nearest"].item(), ".4f"),
        table=exceptions.set_index(["table", "condition", "judges"]),
    )


def all_similarities() -> pd.DataFrame:
    """The cells of Tables 1 and 2 as printed, each with its table, its condition and two judges."""
    cells = []
    for row in printed_table(PAPER, 1).to_dict("records"):
        for judged in ("fluency", "adequacy"):
            judges = f"{row['metric']}, {judged}"
            cells.append(("Table 1", row["condition"], judges, row[judged]))
    for row in printed_table(PAPER, 2).to_dict("records"):
        judges = f"{row['metric_a']}, {row['metric_b']}"
        cells.append(("Table 2", MIXED, judges, row["score"]))
    return pd.DataFrame(cells, columns=["table", "condition", "judges", "printed"])


class Reading(NamedTuple):
    """What the text reads from Tables 1 and 2, held against their numbers.

    Attributes
    ----------
    section : str
        Where the text says it.
    share : float
        The share of it that is so in print: 1 if it holds, 0 if it does not.
    numbers : str
        The numbers that it is about.
    """

    section: str
    share: float
    numbers: str


def readings() -> Outcome:
    """Tables 1 and 2: what sections 4.3 and 5 read from them, in their own numbers.

    Printed: both tables, and seven sentences about them.
    Recomputed: for each sentence, in which share of the conditions, or for which metrics, the
    printed numbers are as it says.
    Holds: if all seven are.  In part: if each is so in part at least.
    """
    by_sentence = {
        "BLEU is closest to fluency": bleu_for_fluency(),
        "BLEU is closest to adequacy in two conditions": bleu_for_adequacy(),
        "METEOR is closest to adequacy in the Mixed Track": meteor_in_mixed_track(),
        "BLEU and METEOR are closer to people than NIST and GTM": two_metrics_ahead(),
        "metrics agree more with each other than with people": metrics_with_each_other(),
        "metrics are closer to adequacy than to fluency, all of them": closer_to_adequacy(),
        "BLEU has the smallest gap between fluency and adequacy": smallest_gap(),
    }
    columns = ["section", "in print", "numbers"]
    table = pd.DataFrame.from_dict(by_sentence, "index", columns=columns)
    share = table["in print"].astype(float)
    holds = share == 1
    fails = share == 0
    table["in print"] = np.select([holds, fails], ["holds", "does not hold"], "in part")
    by_answer = {"hold": holds, "hold in part": ~holds & ~fails, "do not hold": fails}
    each_in_part = not fails.any()
    return Outcome(
        *counted_each(by_answer),
        holds=answer(holds.all(), each_in_part),
        table=table.rename_axis("reading"),
    )


def printed_with_people(judged: str) -> pd.DataFrame:
    """Similarity with people's fluency or adequacy: a row a condition, a column a metric."""
    return TABLE_1[judged].astype(float).unstack("metric")


def listed(values: pd.Series, spec: str = "") -> str:
    """``BLEU 0.52, GTM 0.32``."""
    words = [f"{name} {value:{spec}}" for name, value in values.items()]
    return ", ".join(words)


def bleu_for_fluency() -> Reading:
    """In how many conditions BLEU has the highest similarity with fluency."""
    closest = printed_with_people("fluency").idxmax(axis=1)
    is_bleu = closest == "BLEU"
    return Reading("4.3", is_bleu.mean(), f"in {is_bleu.sum()} of {len(is_bleu)} conditions")


def bleu_for_adequacy() -> Reading:
    """Whether BLEU is closest to adequacy in as many single conditions as the text says."""
    single = printed_with_people("adequacy").drop(index=MIXED)
    closest = single.idxmax(axis=1)
    conditions = closest.index[closest == "BLEU"]
    as_many = len(conditions) == number("s-bleu-two")
    names = ", ".join(conditions)
    return Reading("4.3", as_many, f"in {len(conditions)} of {len(closest)}: {names}")


def meteor_in_mixed_track() -> Reading:
    """Whether METEOR is closest to adequacy where all systems are compared."""
    mixed: Any = printed_with_people("adequacy").loc[MIXED]
    is_closest = mixed.idxmax() == "METEOR"
    return Reading("4.3", is_closest, listed(mixed, ".2f"))


def two_metrics_ahead() -> Reading:
    """Whether the means of BLEU and METEOR are above those of NIST and GTM."""
    ahead = MEANS[["BLEU", "METEOR"]]
    behind = MEANS[["NIST", "GTM"]]
    share = share_of_being_above(ahead.to_numpy(), behind.to_numpy())
    return Reading("4.3", share, f"means of eight: {listed(MEANS, '.3f')}")


def share_of_being_above(higher: FloatArray, lower: FloatArray) -> float:
    """1 if every number of `higher` is above every one of `lower`, half if only their means are."""
    if higher.min() > lower.max():
        return 1.0
    return 0.5 if higher.mean() > lower.mean() else 0.0


def metrics_with_each_other() -> Reading:
    """Whether similarities between metrics are above those with people, where all are compared."""
    among = TABLE_2.to_numpy(dtype=float)
    with_people = TABLE_1.astype(float).loc[MIXED].to_numpy()
    numbers = (
        f"{MIXED}, means {among.mean():.3f} and {with_people.mean():.3f}; "
        f"lowest between metrics {among.min():.2f}, "
        f"highest with people {with_people.max():.2f}"
    )
    return Reading("4.3", share_of_being_above(among, with_people), numbers)


def closer_to_adequacy() -> Reading:
    """In which share of conditions and metrics adequacy has the higher similarity."""
    fluency = printed_with_people("fluency")
    adequacy = printed_with_people("adequacy")
    is_closer = adequacy > fluency
    n_metrics = len(is_closer.columns)
    n_closer = is_closer.sum(axis=1)
    by_condition = n_closer.astype(str) + f" of {n_metrics}"
    return Reading("5", is_closer.to_numpy().mean(), f"metrics: {listed(by_condition)}")


def smallest_gap() -> Reading:
    """In how many conditions no metric has a smaller gap than BLEU."""
    fluency = printed_with_people("fluency")
    adequacy = printed_with_people("adequacy")
    difference = fluency - adequacy
    gap = difference.abs().round(2)  # of two printed decimals
    is_smallest = gap["BLEU"] <= gap.min(axis=1)
    conditions = ", ".join(gap.index[is_smallest])
    count = f"{is_smallest.sum()} of {len(gap)}"
    return Reading("5", is_smallest.mean(), f"in {conditions}: {count}")
