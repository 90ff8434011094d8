"""Koehn (2004): what BLEU measures (section 2.3), on other data."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import mtsig_nb as mt
from mtsig_nb.campaigns.embedded import data_folder
from mtsig_nb.campaigns.printed import printed_table
from mtsig_nb.metrics.base import FloatArray

from ...repository.campaigns import campaign, statistics
from ..rows import Outcome, Value, answer, counted, rounded, table_of
from .koehn_design import ENGINES, HIS, OURS, column, real
from .koehn_printed import PAPER

WMT13 = "wmt13/de-en"


def precisions() -> pd.DataFrame:
    """The four n-gram precisions (in %) and BLEU of every system."""
    bleu = real()
    totals = pd.DataFrame(bleu.totals(), bleu.systems, bleu.metric.columns)
    table = pd.DataFrame()
    for n in (1, 2, 3, 4):
        matches = totals[f"match_{n}"]
        table[f"{n}-gram"] = 100 * matches / totals[f"total_{n}"]
    return table.assign(BLEU=bleu.scores())


def table_1() -> Outcome:
    """Table 1: n-gram precisions beside BLEU.

    Printed: 1-gram precision, 4-gram precision and BLEU of six systems.  Systems lie further apart
    by 4-gram precision (section 2.3): that of the worst is about half that of the best.
    Recomputed: the precisions of each engine from four languages, in WMT12 and WMT13 together, and
    the worst language's value over the best one's.
    Holds: if this ratio is smaller for 4-grams than for 1-grams, for each engine.
    """
    printed = printed_table(PAPER, 1).set_index("system")
    printed.columns = pd.Index(["1-gram", "4-gram", "BLEU"])
    best_first = precisions().sort_values("BLEU", ascending=False)
    by_engine = []
    worst_over_best = pd.DataFrame()
    for engine in ENGINES:
        systems = best_first.filter(regex=f"^{engine} ", axis=0)
        by_engine.append(systems)
        best_language = systems.iloc[0]
        worst_language = systems.iloc[-1]
        worst_over_best[engine] = worst_language / best_language

    further_by_4_grams = worst_over_best.loc["4-gram"].lt(worst_over_best.loc["1-gram"])
    by_order = worst_over_best.loc["1-gram":"4-gram"]
    steps = by_order.diff().dropna()
    further_at_each_step = (steps <= 0).all()

    in_print = ["1-gram", "4-gram"]
    ratio_of_his_group = worst_over_best["uedin"][in_print]
    printed_precisions = printed[in_print].astype(float)
    best = printed_precisions.iloc[0]
    worst = printed_precisions.iloc[-1]
    printed_ratio = worst / best

    table = pd.concat({HIS: printed, OURS: pd.concat(by_engine)})
    columns = list(best_first)
    return Outcome(
        *rounded(".2f", ratio_of_his_group.add_prefix("worst / best, ")),
        *rounded(".2f", printed_ratio.add_prefix("of his Table 1, ")),
        counted("engines further apart by 4-grams", further_by_4_grams),
        counted("engines further apart from order to order", further_at_each_step),
        holds=further_by_4_grams.all(),
        table=table[columns].rename_axis(["", "system"]),
    )


# Figure 1: outputs that are too short or too long.


def figure_1() -> Outcome:
    """Figure 1: BLEU and GTM by the length of the output.

    Printed: a picture.  Where outputs are too short or too long BLEU falls, and GTM does not
    (section 2.3).
    Recomputed: both metrics on ten systems from the shortest to the longest outputs (`by_length`),
    over the best of the ten; and approximate randomization of the best length under GTM against the
    two ends.
    Holds: if at both ends BLEU is below its best, and GTM is not.  In part: if GTM falls too, but
    by less than BLEU.
    """
    bleu = scores_by_length("BLEU")
    gtm = scores_by_length("GTM")
    scores = pd.DataFrame({"BLEU": bleu, "GTM": gtm})
    relative = scores / scores.max()
    shortest = relative.iloc[0]
    longest = relative.iloc[-1]
    bleu_falls = shortest["BLEU"] < 1 and longest["BLEU"] < 1
    gtm_stays = shortest["GTM"] >= 1 and longest["GTM"] >= 1
    gtm_falls_less = shortest["BLEU"] < shortest["GTM"] and longest["BLEU"] < longest["GTM"]

    best = str(gtm.idxmax())
    pvalues = []
    for end in (gtm.index[0], gtm.index[-1]):
        test = mt.approximate_randomization(by_length("GTM"), best, end, rng=2014)
        pvalues.append(test.pvalue)

    over_best = {
        "BLEU / its best, shortest": shortest["BLEU"],
        "GTM / its best, shortest": shortest["GTM"],
        "BLEU / its best, longest": longest["BLEU"],
        "GTM / its best, longest": longest["GTM"],
    }
    in_bleu = {
        "BLEU, of the shortest": bleu.iloc[0],
        "BLEU, best": bleu.max(),
        "BLEU, of the longest": bleu.iloc[-1],
    }
    table = relative.add_suffix(" / its best").assign(BLEU=bleu)
    table.index = pd.Index(length_ratios(), name="length ratio")
    return Outcome(
        *rounded(".3f", over_best),
        Value("p, GTM", max(pvalues), ".4f"),
        *rounded(".1f", in_bleu),
        holds=answer(bleu_falls and gtm_stays, gtm_falls_less),
        table=table,
    )


def by_length(metric: str) -> mt.SufficientStatistics:
    """Ten systems made of the ten best: the shortest output of each sentence, the next, and so on.

    Unit 18 makes the same.
    """
    systems = statistics(WMT13, metric).select(ten_best())
    names = tuple(f"{k} of 10" for k in range(1, 11))
    sentence = np.arange(systems.n_segments)
    values = systems.values[order_by_length(), sentence]
    return mt.SufficientStatistics(systems.metric, names, values)


@cache
def order_by_length() -> NDArray[np.intp]:
    """Positions in `ten_best` by the length of their output, the shortest first.

    Shape (ten, sentences): an order for each sentence, with ties in random order.
    """
    bleu = statistics(WMT13, "BLEU").select(ten_best())
    length = column(bleu, "hyp_len").astype(int)
    rng = np.random.default_rng(13)
    below_one = rng.random(length.shape)
    return np.argsort(length + below_one, axis=0)


def ten_best() -> list[str]:
    """The ten best systems of WMT13 de-en by BLEU."""
    scores = statistics(WMT13, "BLEU").scores()  # best first
    return list(scores.index[:10])


def scores_by_length(metric: str) -> pd.Series:
    """The scores of the ten systems by length, the shortest first."""
    systems = by_length(metric)
    scores = systems.metric.score(systems.totals())
    return pd.Series(scores, systems.systems)


def length_ratios() -> FloatArray:
    """The words of the ten systems by length over those of the reference."""
    bleu = by_length("BLEU")
    words = column(bleu, "hyp_len").sum(axis=1)
    reference_words = column(bleu, "ref_len").sum(axis=1)
    return words / reference_words


# People's translations.


def people_scored() -> Outcome:
    """Section 2.3, a question of ours: the BLEU of people's translations beside that of systems.

    Printed: in words.
    Computed: each reference of WMT21 and WMT22 against another one of its test set, from stored
    counts, beside the systems' scores against the same reference.
    Holds: if most of these translations score below the median system.
    """
    rows = {}
    stored = pd.read_csv(data_folder() / "between_references.csv")
    for translation in stored.to_dict("records"):
        name = translation["campaign"]
        reference = translation["reference"]
        bleu = campaign(name).statistics("BLEU", references=reference)
        totals = [translation[column] for column in bleu.metric.columns]
        person = float(bleu.metric.score(totals))
        scores = bleu.scores()
        label = f"{translation['output']} against {reference}"
        rows[name, label] = {
            "person": person,
            "lowest system": scores.min(),
            "median": scores.median(),
            "highest": scores.max(),
            "systems above": (scores > person).sum(),
            "of": len(scores),
        }
    table = table_of(rows, "test set", "translation")
    below_median = table["person"] < table["median"]
    n_above = table["systems above"]
    return Outcome(
        counted("below the median system", below_median),
        counted("below all systems", n_above == table["of"]),
        counted("above all systems", n_above == 0),
        holds=below_median.mean() > 0.5,
        table=table,
    )
