"""Stroppa & Owczarzak (2007): what the printed numbers of the paper say about each other."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import mtsig_nb as mt
from mtsig_nb.campaigns.printed import printed_table

from ..rows import Outcome, Value, answer, counted, counted_each, reproduced
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
#: The lowest and the highest number of Table 1.
_ASCENDING = sorted(TABLE_1.to_numpy().ravel(), key=float)
SPAN = f"from {_ASCENDING[0]} to {_ASCENDING[-1]} (Table 1)".replace("-", "−")


# Section 3: p and similarity.


def p_range() -> Outcome:
    """Section 3.1: which values p can have, and that it can exceed one.

    Printed: p is the count and one, divided by the number k of shuffles.
    Recomputed: p if none of the k shuffles counts and if all do, by this form and divided by k + 1.
    """
    k = int(number("s-k"))
    level = number("s-one")
    counts = np.array([0, k])
    rows = {
        "divided by k, as printed": (counts + 1) / k,
        "by k + 1": (counts + 1) / (k + 1),
    }
    table = pd.DataFrame.from_dict(rows, "index", columns=["smallest p", "largest p"])
    smallest = table["smallest p"]
    largest = table["largest p"]
    table[f"can be below {level:g}"] = np.where(smallest < level, "yes", "no")
    table[f"can be at most {level:g}"] = np.where(smallest <= level, "yes", "no")
    return Outcome(
        Value("smallest p", smallest["divided by k, as printed"], ".3f"),
        Value("largest p", largest["divided by k, as printed"], ".3f"),
        Value("largest p, divided by k + 1", largest["by k + 1"], ".3f"),
        table=table.rename_axis("the count and one"),
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
    printed_agreements = text("s-ex-agree").split()
    printed_disagreements = text("s-ex-weak").split()
    same_agreements = set(pairs[agree]) == set(printed_agreements)
    same_disagreements = set(pairs[~agree]) == set(printed_disagreements)
    return Outcome(
        counted("agreements", agree),
        Value("similarity", mt.ordered_rand(FOUR_GROUPS, TWO_GROUPS), ".4f"),
        holds=same_agreements and same_disagreements,
    )


# Sections 4.3 and 5: Tables 1 and 2.


def n_pairs(condition: str) -> int:
    """How many pairs of systems a condition has."""
    return int(number("s-pairs18" if condition == MIXED else "s-pairs6"))


def multiples() -> Outcome:
    """Tables 1 and 2: whether each similarity is a whole number of pairs over all pairs.

    Printed: similarities with two decimals.
    Recomputed: for each cell the nearest multiple of one over the number of pairs, of six systems
    or of eighteen, and whether it rounds to the printed number.
    Decided by: the one cell of Table 1 that is no such multiple.
    """
    with_people = printed_table(PAPER, 1).melt(["condition", "metric"], value_name="printed")
    with_people["judges"] = with_people["metric"] + ", " + with_people["variable"]
    among_metrics = TABLE_2.reset_index(name="printed").assign(condition=MIXED)
    among_metrics["judges"] = among_metrics["metric_a"] + ", " + among_metrics["metric_b"]
    cells = pd.concat({"Table 1": with_people, "Table 2": among_metrics}, names=["table"])

    cells["pairs"] = cells["condition"].map(n_pairs)
    n_agreed = cells["printed"].astype(float) * cells["pairs"]
    cells["nearest"] = n_agreed.round() / cells["pairs"]
    comes_out = reproduced(cells["printed"], cells["nearest"])
    is_multiple = pd.Series(comes_out, cells.index)
    by_table = {}
    for which, cells_of_table in is_multiple.groupby(level="table"):
        by_table[f"{which}, cells that are such a multiple"] = cells_of_table

    exceptions = cells[~is_multiple].reset_index("table")
    table = exceptions.set_index(["table", "condition", "judges"])
    return Outcome(
        *counted_each(by_table),
        Value("RS-CRR, METEOR, adequacy", table["nearest"].item(), ".4f"),
        table=table[["printed", "pairs", "nearest"]],
    )


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
    table = pd.DataFrame.from_dict(by_sentence, "index", columns=columns).rename_axis("reading")
    share = table["in print"].astype(float)
    whole = share == 1
    none = share == 0
    table["in print"] = np.select([whole, none], ["holds", "does not hold"], "in part")
    by_answer = {"hold": whole, "hold in part": ~whole & ~none, "do not hold": none}
    each_in_part = not none.any()
    return Outcome(
        *counted_each(by_answer),
        holds=answer(whole.all(), each_in_part),
        table=table,
    )


def printed_with_people(judged: str) -> pd.DataFrame:
    """Table 1 for fluency or adequacy, as numbers: a row a condition, a column a metric."""
    return TABLE_1[judged].astype(float).unstack("metric")


def listed(values: pd.Series, spec: str = "") -> str:
    """``BLEU 0.52, GTM 0.32``."""
    return ", ".join(f"{name} {value:{spec}}" for name, value in values.items())


def bleu_for_fluency() -> Reading:
    """In how many conditions BLEU has the highest similarity with fluency."""
    closest = printed_with_people("fluency").idxmax(axis=1)
    is_bleu = closest == "BLEU"
    return Reading("4.3", is_bleu.mean(), f"in {is_bleu.sum()} of {len(is_bleu)} conditions")


def bleu_for_adequacy() -> Reading:
    """Whether BLEU is closest to adequacy in as many single conditions as the text says."""
    closest = printed_with_people("adequacy").drop(index=MIXED).idxmax(axis=1)
    conditions = closest.index[closest == "BLEU"]
    as_many = len(conditions) == number("s-bleu-two")
    return Reading(
        "4.3", as_many, f"in {len(conditions)} of {len(closest)}: {', '.join(conditions)}"
    )


def meteor_in_mixed_track() -> Reading:
    """Whether METEOR is closest to adequacy where all systems are compared."""
    mixed: Any = printed_with_people("adequacy").loc[MIXED]
    is_closest = mixed.idxmax() == "METEOR"
    return Reading("4.3", is_closest, listed(mixed, ".2f"))


def two_metrics_ahead() -> Reading:
    """Whether the means of BLEU and METEOR are above those of NIST and GTM.

    All of it is so if both are above both; half of it, if they are on average.
    """
    ahead = MEANS[["BLEU", "METEOR"]]
    behind = MEANS[["NIST", "GTM"]]
    both = bool(ahead.min() > behind.max())
    on_average = bool(ahead.mean() > behind.mean())
    return Reading("4.3", (both + on_average) / 2, f"means of eight: {listed(MEANS, '.3f')}")


def metrics_with_each_other() -> Reading:
    """Whether similarities between metrics are above those with people, where all are compared.

    All of it is so if every one is above every other; half of it, if they are on average.
    """
    among = TABLE_2.astype(float)
    with_people = TABLE_1.astype(float).loc[MIXED].to_numpy()
    each = bool(among.min() > with_people.max())
    on_average = bool(among.mean() > with_people.mean())
    numbers = (
        f"{MIXED}, means {among.mean():.3f} and {with_people.mean():.3f}; "
        f"lowest between metrics {among.min():.2f}, "
        f"highest with people {with_people.max():.2f}"
    )
    return Reading("4.3", (each + on_average) / 2, numbers)


def closer_to_adequacy() -> Reading:
    """In which share of conditions and metrics adequacy has the higher similarity."""
    fluency = printed_with_people("fluency")
    higher = printed_with_people("adequacy") > fluency
    of_all = f" of {len(fluency.columns)}"
    by_condition = higher.sum(axis=1).astype(str) + of_all
    return Reading("5", higher.to_numpy().mean(), f"metrics: {listed(by_condition)}")


def smallest_gap() -> Reading:
    """In how many conditions no metric has a smaller gap than BLEU."""
    fluency = printed_with_people("fluency")
    adequacy = printed_with_people("adequacy")
    gap = (fluency - adequacy).abs().round(2)  # of two printed decimals
    smallest = gap["BLEU"] <= gap.min(axis=1)
    conditions = ", ".join(smallest.index[smallest])
    return Reading("5", smallest.mean(), f"in {conditions}: {smallest.sum()} of {len(smallest)}")
