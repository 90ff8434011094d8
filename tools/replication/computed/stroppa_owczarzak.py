"""Stroppa & Owczarzak (2007): clusters in place of rankings."""

from __future__ import annotations

import itertools
import time
import timeit
from collections.abc import Iterable, Sequence
from functools import cache, partial
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.campaigns.printed import printed_table

from ...repository.campaigns import campaign, statistics
from ..rows import Outcome, Value, counted, counts, in_part, reproduced, rounded
from ..shared import SIX_METRICS, compared, number, people, text

ES_EN, EN_ES = "wmt12/es-en", "wmt12/en-es"
LATER = ("wmt13/es-en", "wmt21/de-en", "wmt21/is-en", "wmt21/ja-en", "wmt22/ja-en", "wmt22/zh-en")
PAPER = "stroppa_owczarzak2007"
#: The four metrics of the paper, in its order.
THEIR_METRICS = tuple(dict.fromkeys(printed_table(PAPER, 1)["metric"]))
MIXED = "Mixed Track"
#: Similarity with people, a row a condition and metric; as printed.
TABLE_1 = printed_table(PAPER, 1).set_index(["condition", "metric"])
#: Each metric's mean of the eight.
MEANS = TABLE_1.astype(float).mean(axis=1).groupby("metric").mean()
#: Its lowest and highest.
_ENDS = sorted(TABLE_1.to_numpy().ravel(), key=float)[:: TABLE_1.size - 1]
SPAN = f"from {_ENDS[0]} to {_ENDS[1]} (Table 1)".replace("-", "−")
#: Similarity between metrics, a row a pair; as printed.
TABLE_2 = printed_table(PAPER, 2).set_index(["metric_a", "metric_b"])["score"]
#: How corrections after Westfall & Young are made, as in unit 21, and tests without correction.
CORRECTED: dict[str, Any] = {"correction": "westfall-young", "interval": None, "rng": 2007}
UNCORRECTED: dict[str, Any] = {"correction": None, "n_resamples": 2000, "rng": 2007}


def n_pairs(condition: str) -> int:
    """Pairs of systems of a condition."""
    return int(number("s-pairs18" if condition == MIXED else "s-pairs6"))


def from_groups(groups: Sequence[Iterable[str]]) -> mt.Conclusions:
    """Conclusions from disjoint groups of systems, the best first."""
    place = {system: k for k, group in enumerate(groups) for system in group}
    pairs = itertools.combinations(sorted(place), 2)
    return mt.Conclusions.from_pairs({(a, b): int(np.sign(place[b] - place[a])) for a, b in pairs})


#: Four and two groups, not overlapping, that give the pairs listed in section 3.3; up to the order
#: of the groups no others do.
EXAMPLE = (("01", "2", "3", "45"), ("0123", "45"))


def similarity() -> Outcome:
    """The example of section 3.3: pairs agreed about and weakly disagreed about, and S of them."""
    one, other = (from_groups(groups) for groups in EXAMPLE)
    same = one.pairs() == other.pairs()
    names = np.array([f"{a}-{b}" for a, b in itertools.combinations(one.systems, 2)])
    said = [set(text(f"s-ex-{which}").split()) for which in ("agree", "weak")]
    return Outcome(
        counted("agreements", same),
        Value("similarity", mt.ordered_rand(one, other), ".4f"),
        holds=[set(names[same]), set(names[~same])] == said,
    )


def p_range() -> Outcome:
    """What p = (sum of v + 1) / k can be, beside p with one more draw in the denominator."""
    k, level = int(number("s-k")), number("s-one")
    counts = np.array([0, k])  # none of the k shuffles counts, or all of them do
    forms = {"divided by k, as printed": (counts + 1) / k, "by k + 1": (counts + 1) / (k + 1)}
    table = pd.DataFrame(forms, index=["smallest p", "largest p"]).T
    lowest, largest = table["smallest p"], table["largest p"]
    table[f"can be below {level:g}"] = np.where(lowest < level, "yes", "no")
    table[f"can be at most {level:g}"] = np.where(lowest <= level, "yes", "no")
    return Outcome(
        Value("smallest p", lowest.iloc[0], ".3f"),
        Value("largest p", largest.iloc[0], ".3f"),
        Value("largest p, divided by k + 1", largest.iloc[1], ".3f"),
        table=table.rename_axis("the count and one"),
    )


def multiples() -> Outcome:
    """Whether each similarity is a whole number of pairs over all pairs, rounded."""
    against_people = printed_table(PAPER, 1).melt(["condition", "metric"], value_name="printed")
    against_people["judges"] = against_people["metric"] + ", " + against_people["variable"]
    among = TABLE_2.reset_index(name="printed").assign(condition=MIXED)
    among["judges"] = among["metric_a"] + ", " + among["metric_b"]
    cells = pd.concat({"Table 1": against_people, "Table 2": among}, names=["table"])
    cells["pairs"] = cells["condition"].map(n_pairs)
    cells["nearest"] = (cells["printed"].astype(float) * cells["pairs"]).round() / cells["pairs"]
    fits = pd.Series(reproduced(cells["printed"], cells["nearest"]), index=cells.index)
    table = cells[~fits].reset_index("table").set_index(["table", "condition", "judges"])
    by_table = fits.groupby(level="table")
    return Outcome(
        *counts({f"{which}, cells that are such a multiple": of for which, of in by_table}),
        Value("RS-CRR, METEOR, adequacy", table["nearest"].item(), ".4f"),
        table=table[["printed", "pairs", "nearest"]],
    )


def readings() -> Outcome:
    """What sections 4.3 and 5 read from Tables 1 and 2, held against the printed numbers."""
    scores, among = TABLE_1.astype(float), TABLE_2.astype(float)
    fluency, adequacy = (scores[judged].unstack("metric") for judged in ("fluency", "adequacy"))
    mixed, with_people = adequacy.T[MIXED], scores.loc[MIXED].to_numpy()
    bleu_for_fluency = fluency.idxmax(axis=1) == "BLEU"
    single = adequacy.drop(index=MIXED).idxmax(axis=1)
    bleu_for_adequacy = single.index[single == "BLEU"]
    gap = (fluency - adequacy).abs().round(2)  # of two printed decimals
    smallest = gap["BLEU"] <= gap.min(axis=1)
    higher = (adequacy > fluency).sum(axis=1)
    ahead, behind = MEANS[["BLEU", "METEOR"]], MEANS[["NIST", "GTM"]]
    # All of it, if both are above both others, and half, if they are on average.
    above, partly = int(ahead.min() > behind.max()), int(ahead.mean() > behind.mean())
    more = (among.min() > with_people.max()) + (among.mean() > with_people.mean())
    # The section, the share of it that is so in print, and the numbers.
    found = {
        "BLEU is closest to fluency": (
            "4.3",
            bleu_for_fluency.mean(),
            f"in {bleu_for_fluency.sum()} of {len(fluency)} conditions",
        ),
        "BLEU is closest to adequacy in two conditions": (
            "4.3",
            len(bleu_for_adequacy) == number("s-bleu-two"),
            f"in {len(bleu_for_adequacy)} of {len(single)}: {', '.join(bleu_for_adequacy)}",
        ),
        "METEOR is closest to adequacy in the Mixed Track": (
            "4.3",
            mixed.idxmax() == "METEOR",
            _listed(mixed, ".2f"),
        ),
        "BLEU and METEOR are closer to people than NIST and GTM": (
            "4.3",
            (above + partly) / 2,
            f"means of eight: {_listed(MEANS, '.3f')}",
        ),
        "metrics agree more with each other than with people": (
            "4.3",
            more / 2,
            f"{MIXED}, means {among.mean():.3f} and {with_people.mean():.3f}; "
            f"lowest between metrics {among.min():.2f}, "
            f"highest with people {with_people.max():.2f}",
        ),
        "metrics are closer to adequacy than to fluency, all of them": (
            "5",
            higher.sum() / fluency.size,
            f"metrics: {_listed(higher.astype(str) + f' of {fluency.shape[1]}', '')}",
        ),
        "BLEU has the smallest gap between fluency and adequacy": (
            "5",
            smallest.mean(),
            f"in {', '.join(smallest.index[smallest])}: {smallest.sum()} of {len(smallest)}",
        ),
    }
    table = pd.DataFrame(found, index=["section", "in print", "numbers"]).T.rename_axis("reading")
    share = table["in print"].astype(float)
    whole, none = share == 1, share == 0
    table["in print"] = np.select([whole, none], ["holds", "does not hold"], "in part")
    told = {"hold": whole, "hold in part": ~whole & ~none, "do not hold": none}
    holds = whole.all() or in_part(not none.all())
    return Outcome(*counts(told), holds=holds, table=table)


def _listed(values: pd.Series, spec: str) -> str:
    """``BLEU 0.52, GTM 0.32``."""
    return ", ".join(f"{name} {value:{spec}}" for name, value in values.items())


def corrected(given: mt.SufficientStatistics, n_resamples: int) -> mt.Conclusions:
    """What is concluded of all pairs."""
    return mt.compare_all(given, n_resamples=n_resamples, **CORRECTED).conclusions(0.05)


def told_apart(by: mt.Conclusions) -> int:
    """In how many pairs one is concluded to be better."""
    return int(np.count_nonzero(by.pairs()))


@cache
def judges(name: str) -> dict[str, mt.Conclusions]:
    """What six metrics and people conclude about a campaign of WMT12."""
    n_resamples = 10_000 if name == ES_EN else 2000
    found = {m: corrected(statistics(name, m), n_resamples) for m in SIX_METRICS}
    return found | {"people": people(name)}


def similarities(name: str) -> dict[str, float]:
    """S of six metrics and people."""
    return {m: mt.ordered_rand(judges(name)[m], people(name)) for m in SIX_METRICS}


def with_people() -> Outcome:
    """Metrics against people: their conditions, and two campaigns of WMT12."""
    found = pd.DataFrame({name: similarities(name) for name in (ES_EN, EN_ES)})
    means = found.mean(axis=1)
    lazy = pd.DataFrame({name: {LAZY: lazy_score(people(name))} for name in found})
    layout = list(dict.fromkeys([*THEIR_METRICS, *SIX_METRICS, LAZY]))
    cells: Any = pd.concat([found, lazy]).loc[layout].T.stack()
    closer = means[["BLEU", "METEOR"]] > means[["NIST", "GTM"]].max()
    return Outcome(
        *rounded(".3f", means[[*THEIR_METRICS]].add_prefix("mean, ")),
        *rounded(".3f", MEANS[[*THEIR_METRICS]].add_prefix("in print, ")),
        holds=closer.all() or in_part(closer.any()),
        table=pd.concat([TABLE_1, cells.to_frame("rankings (ours)")]).rename_axis(
            ["condition", "metric"]
        ),
    )


def lazy_score(gold: mt.Conclusions) -> float:
    """Ordered Rand of a test that never finds a difference."""
    return float(np.mean(gold.pairs() == 0))


LAZY = "a test that finds nothing"


def chance() -> Outcome:
    """What S is without any knowledge of the systems, and what a ranking can reach.

    The names of one clustering are exchanged at random: a pair that both separate agrees as often
    as it contradicts, so that S is expected to be the share that both leave together.
    """
    one, other = (from_groups(groups) for groups in EXAMPLE)
    exact = [
        mt.ordered_rand(mt.Conclusions(one.systems, one.matrix[np.ix_(order, order)]), other)
        for order in map(list, itertools.permutations(range(len(one.systems))))
    ]
    example = "example, section 3.3"
    pairs = {(example, "four groups"): (one, other), (example, "two groups"): (other, one)}
    for name, metric in itertools.product((ES_EN, EN_ES), SIX_METRICS):
        pairs[name, metric] = judges(name)[metric], people(name)
    rows = {which: _yardsticks(*pair) for which, pair in pairs.items()}
    table = pd.DataFrame(rows).T.rename_axis(["", "judge"])
    ours = table.loc[[ES_EN, EN_ES]]
    lazy = ours["finding nothing"] > ours["similarity"]
    return Outcome(
        Value("example, similarity", table["similarity"].iloc[0], ".2f"),
        Value("by chance, all orders of its systems", np.mean(exact), ".3f"),
        Value("by chance, product of shares", table["by chance"].iloc[0], ".3f"),
        counted("ours, below a test that finds nothing", lazy),
        table=table,
    )


def _yardsticks(judge: mt.Conclusions, gold: mt.Conclusions) -> dict[str, float]:
    together = float(np.mean(judge.pairs() == 0))
    return {
        "similarity": mt.ordered_rand(judge, gold),
        "by chance": together * lazy_score(gold),
        "finding nothing": lazy_score(gold),
        "most of a ranking": 1 - lazy_score(gold),
    }


def later_campaigns() -> Outcome:
    """The same on seven campaigns with four metrics, beside a test that finds nothing."""
    rows = {}
    for name in (ES_EN, *LATER):
        gold = people(name)
        shared = [system for system in gold.systems if system in campaign(name).systems]
        gold = gold.reorder(shared)
        rows[name] = {LAZY: lazy_score(gold)}
        for metric in ("BLEU", "NIST", "GTM", "chrF"):
            tested = corrected(statistics(name, metric).select(shared), 1000)
            rows[name][metric] = mt.ordered_rand(tested, gold)
    table = pd.DataFrame(rows).T.rename_axis("campaign")
    beaten = table[LAZY] > table.drop(columns=LAZY).max(axis=1)
    return Outcome(counted("campaigns on which finding nothing agrees better", beaten), table=table)


def among_metrics() -> Outcome:
    """Metrics against metrics, beside metrics against people; theirs above ours."""
    found, four = judges(ES_EN), list(THEIR_METRICS)
    names = list(dict.fromkeys([*four, *found]))
    square = pd.DataFrame(
        {a: {b: mt.ordered_rand(found[a], found[b]) for b in names} for a in names}
    )
    ours = square.iloc[1:, :-1].where(np.tril(np.ones(np.subtract(square.shape, 1), dtype=bool)))
    theirs = TABLE_2.unstack().reindex(index=four[1:], columns=ours.columns)
    six = square.loc[[*SIX_METRICS], [*SIX_METRICS]].to_numpy()
    among, with_people = six[np.triu_indices(len(six), 1)], square.loc[[*SIX_METRICS], "people"]
    shown = {
        "lowest between two metrics": among.min(),
        "highest between two metrics": among.max(),
        "mean between two metrics": among.mean(),
        "mean with people": with_people.mean(),
        "highest with people": with_people.max(),
        "their mean between two metrics": TABLE_2.astype(float).mean(),
    }
    return Outcome(
        *rounded(".2f", shown),
        holds=among.mean() > with_people.mean(),
        table=pd.concat({"theirs": theirs, "ours": ours}).rename_axis(["", "metric"]),
    )


def against_rankings() -> Outcome:
    """Clusters of a metric, and its bare ranking, beside people."""
    gold = people(ES_EN)
    rankings = {
        metric: from_groups([[system] for system in statistics(ES_EN, metric).scores().index])
        for metric in SIX_METRICS
    }
    table = pd.DataFrame({"clusters": similarities(ES_EN)}).rename_axis("metric")
    table["ranking"] = [mt.ordered_rand(ranking, gold) for ranking in rankings.values()]
    closer = table["clusters"] > table["ranking"]
    return Outcome(
        counted("metrics whose clusters are closer to people", closer),
        Value("most that a ranking can score", 1 - lazy_score(gold), ".2f"),
        table=table,
    )


def figure_1() -> Outcome:
    """Twelve systems as overlapping clusters."""
    found = mt.clusters(judges(ES_EN)["chrF"])
    inside = [sum(s in group for group in found.groups) for s in found.systems]
    return Outcome(
        Value("clusters", len(found.groups)),
        counted("systems in more than one", np.array(inside) > 1),
        table=pd.DataFrame({"letters": found.letters()}).rename_axis("system"),
    )


def levels() -> list[float]:
    """Those of Figure 3."""
    return [number(f"s-levels{k}") for k in range(1, 7)]


@cache
def in_their_way(name: str, metric: str) -> mt.Comparisons:
    """All pairs, the better system first: one-tailed, 1,000 shuffles, no correction."""
    best_first = statistics(name, metric).select(list(statistics(name, metric).scores().index))
    how: dict[str, Any] = UNCORRECTED | {"n_resamples": int(number("s-k")), "interval": None}
    return mt.compare_all(best_first, alternative="greater", **how)


def below(compared_pairs: mt.Comparisons, level: float) -> mt.Conclusions:
    """What is concluded where their p, the count and one divided by k, is below `level`.

    Ours is divided by k + 1; half a count keeps rounding out of the comparison.
    """
    k = number("s-k")
    return compared_pairs.conclusions((level * k - 0.5) / (k + 1))


def figure_3() -> Outcome:
    """Clusters by level of significance, in the paper's way, beside what its text says."""
    by_level = {level: below(in_their_way(ES_EN, "chrF"), level) for level in levels()}
    first, last = number("s-stable"), number("s-stable/value_to")
    pairs, at_last = (by_level[level].pairs() for level in (first, last))
    rows = {
        level: {
            "fluency, said": _said("flu", level),
            "adequacy, said": _said("ade", level),
            "clusters, ours": len(mt.clusters(said).groups),
            "told apart, ours": told_apart(said),
            "of": len(pairs),
        }
        for level, said in by_level.items()
    }
    table = pd.DataFrame.from_dict(rows, "index").rename_axis("level")
    changed, clusters = (pairs != at_last).sum(), table["clusters, ours"]
    few = [changed <= len(pairs) / 10]
    few.append(abs(clusters[last] - clusters[first]) <= clusters[first] / 10)
    left = f"the same, of those not told apart at {first:g}"
    return Outcome(
        *(Value(f"clusters at {level:g}", clusters[level]) for level in (min(by_level), last)),
        counted(f"pairs that change from {first:g} to {last:g}", pairs != at_last),
        Value(left, changed, of=(pairs == 0).sum()),
        Value(f"clusters at {first:g}", clusters[first]),
        holds=all(few) or in_part(any(few)),
        table=table,
    )


def _said(judged: str, level: float) -> str:
    """What sections 4.2 and 5 say of the clusters at a level."""
    if level == number("s-one"):
        return f"{text('s-clusters-one')} cluster"
    same = [number(f"s-same-{judged}{k}") for k in (1, 2, 3)]
    if level in same:
        return "the same as at " + ", ".join(f"{other:g}" for other in same if other != level)
    quoted = level == number(f"s-clusters-{judged}-p")
    return f"{text(f's-clusters-{judged}')} clusters" if quoted else "not said"


def agreement_by_level() -> Outcome:
    """Similarity of metrics with people, at the six levels."""
    rows: dict[str, dict[float, dict[str, float]]] = {"their level": {}, "at .05": {}}
    for level in levels():
        for of, gold in zip(rows, (level, 0.05), strict=True):
            by_people = campaign(ES_EN).human.conclusions(alpha=gold)
            rows[of][level] = {
                m: mt.ordered_rand(below(in_their_way(ES_EN, m), level), by_people)
                for m in THEIR_METRICS
            }
    table, fixed = (pd.DataFrame(by_level).T for by_level in rows.values())
    first, last = number("s-flat-ade"), number("s-flat-ade/value_to")
    spread, alone = (np.ptp(t.loc[first:last], axis=0) for t in (table, fixed))
    range_of = f", highest less lowest from {first:g} to {last:g}"
    return Outcome(
        *rounded(".2f", pd.Series(spread, table.columns).add_suffix(range_of)),
        *rounded(".2f", pd.Series(alone, table.columns).add_suffix(", people at .05")),
        holds=(spread <= 0.1).all() or in_part((spread <= 0.1).any()),
        table=table.rename_axis("level"),
    )


def other_diagrams() -> Outcome:
    """Clusters by every judge, on two campaigns."""
    found = {
        name: {judge: mt.clusters(said) for judge, said in judges(name).items()}
        for name in (ES_EN, EN_ES)
    }
    clusterings = pd.DataFrame(found).rename_axis("clusters by")
    table = clusterings.map(lambda clustering: len(clustering.groups))
    apart = {judge: judges(ES_EN)[judge].pairs() != 0 for judge in ("people", "BLEU")}
    return Outcome(
        Value("by people, es-en", table.loc["people", ES_EN]),
        Value("by BLEU, es-en", table.loc["BLEU", ES_EN]),
        counted("diagrams with one order", clusterings.map(lambda each: each.is_ordered)),
        *counts({f"told apart by {judge}, es-en": pairs for judge, pairs in apart.items()}),
        table=table,
    )


def speed() -> Outcome:
    """1,000 shuffles of 500 segments.  The times are shown and not kept; the work is."""
    shuffles, segments = int(number("s-time-k")), int(number("s-time-n"))
    work, measured = {}, {}
    for metric in ("BLEU", "NIST"):
        pair = statistics(ES_EN, metric).select(["uedin-wmt12", "QCRI--primary"])
        pair = pair.subset(np.arange(segments))
        how: dict[str, Any] = {"n_resamples": shuffles, "rng": 1, "exact": False}
        test = partial(mt.approximate_randomization, pair, *pair.systems, **how)
        # The processor's time, unlike the clock on the wall, is the same on a busy machine.
        runs = timeit.repeat(test, timer=time.thread_time, number=1, repeat=20)
        printed = text(f"s-time-{metric.lower()}")
        what = f"{metric}, {shuffles:,} shuffles of {segments} segments (s; printed {printed})"
        measured[what] = min(runs)
        work[f"million multiplications, {metric}"] = shuffles * pair.values.size / 1e6
    return Outcome(*rounded(".0f", work), measured=measured)


def more_systems() -> Outcome:
    """Twenty-three systems, and the seventeen of them that people judged."""
    name = "wmt13/de-en"
    tested, gold = corrected(statistics(name, "BLEU"), 2000), people(name)
    return Outcome(
        Value("systems", len(tested.systems)),
        counted("told apart", tested.pairs() != 0),
        Value("clusters", len(mt.clusters(tested).groups)),
        Value("similarity with people", mt.ordered_rand(tested.reorder(gold.systems), gold), ".2f"),
    )


def more_metrics() -> Outcome:
    """About how many pairs all six metrics conclude the same, and whether people do too."""
    found = judges(ES_EN)
    said = np.array([c.reorder(people(ES_EN).systems).pairs() for c in found.values()])
    metrics, gold = said[:-1], said[-1]
    agreed = (metrics == metrics[0]).all(axis=0)
    contradicted = (metrics == 1).any(axis=0) & (metrics == -1).any(axis=0)
    table = pd.DataFrame(
        {"told apart, of 66": (said != 0).sum(axis=1)}, pd.Index(found, name="judge")
    )
    return Outcome(
        counted("pairs on which six metrics agree", agreed),
        Value("and people with them", (agreed & (gold == metrics[0])).sum(), of=agreed.sum()),
        counted("metrics contradict each other", contradicted),
        table=table,
    )


def several_references() -> Outcome:
    """BLEU against one reference and against several of them."""
    rows: dict[str, dict[str, Any]] = {}
    for name, several in (("wmt21/en-de", "A+C+D"), ("wmt21/de-en", "A+B"), ("wmt22/zh-en", "A+B")):
        one, more = (
            corrected(campaign(name).statistics("BLEU", references=references), 2000)
            for references in ("A", several)
        )
        shared = [s for s in people(name).systems if s in one.systems]
        gold = people(name).reorder(shared)
        rows[name] = {
            "references": several,
            "pairs": len(one.pairs()),
            "told apart, one": told_apart(one),
            "several": told_apart(more),
            "similarity of the two": mt.ordered_rand(one, more),
            "with people, one": mt.ordered_rand(one.reorder(shared), gold),
            "with people, several": mt.ordered_rand(more.reorder(shared), gold),
        }
    table = pd.DataFrame(rows).T.rename_axis("campaign")
    first = rows["wmt21/en-de"]
    closer = table["with people, several"] > table["with people, one"]
    return Outcome(
        Value("told apart, en-de, one reference", first["told apart, one"], of=first["pairs"]),
        Value("three references", first["several"], of=first["pairs"]),
        Value("similarity of the two", first["similarity of the two"], ".2f"),
        counted("campaigns closer to people with several", closer),
        table=table,
    )


def two_resamplings() -> Outcome:
    """Clusters from the bootstrap beside clusters from randomization, both tails, uncorrected."""
    rows = {}
    for name, metric in itertools.product((ES_EN, EN_ES), ("BLEU", "NIST", "TER", "GTM")):
        shuffled, drawn = (
            compared(name, metric, test=test, **UNCORRECTED).conclusions(0.05)
            for test in ("approximate-randomization", "bootstrap")
        )
        differ = shuffled.pairs() != drawn.reorder(shuffled.systems).pairs()
        rows[name, metric] = differ.sum(), differ.size, mt.ordered_rand(shuffled, drawn)
    columns = ["pairs that differ", "pairs", "similarity"]
    index = pd.MultiIndex.from_tuples(rows, names=["campaign", "metric"])
    table = pd.DataFrame([*rows.values()], index, columns)
    return Outcome(
        counted("clusterings that are the same", table["pairs that differ"] == 0),
        Value("lowest similarity", table["similarity"].min(), ".3f"),
        table=table,
    )


def overlapping_intervals() -> Outcome:
    """Systems told apart where their intervals do not overlap, beside a test on their pairs."""
    rows: dict[Any, dict[str, float]] = {}
    level = number("s-level")
    for name, metric in itertools.product((ES_EN, EN_ES), THEIR_METRICS):
        tested = mt.compare_all(statistics(name, metric), **UNCORRECTED)
        (ends,), table = tested.score_intervals.values(), tested.table
        low, high = table["system_a"].map(ends["ci_low"]), table["system_b"].map(ends["ci_high"])
        apart = (low > high).astype(int)  # the better one first
        pairs = zip(table["system_a"], table["system_b"], strict=True)
        by_pair = dict(zip(pairs, apart, strict=True))
        both = {"intervals": mt.Conclusions.from_pairs(by_pair), "test": tested.conclusions(level)}
        row = rows[name, metric] = {"pairs": len(table)}
        row["intervals alone"] = apart[table["pvalue"] > level].sum()
        for by, said in both.items():
            row[f"told apart, {by}"] = told_apart(said)
            row[f"clusters, {by}"] = len(mt.clusters(said).groups)
            row[f"S with people, {by}"] = mt.ordered_rand(said, people(name))
    table = pd.DataFrame.from_dict(rows, "index").rename_axis(["campaign", "metric"])
    shown = ("told apart, intervals", "told apart, test", "intervals alone")
    closer = table["S with people, intervals"] > table["S with people, test"]
    return Outcome(
        *(Value(name, table[name].sum(), of=table["pairs"].sum()) for name in shown),
        counted("closer to people by intervals", closer),
        holds=table["intervals alone"].sum() == 0,
        table=table,
    )


def correlations() -> Outcome:
    """Metrics by the similarity of their clusters, and by correlation with people's scores."""
    rows = {}
    for name, metric in itertools.product((ES_EN, EN_ES), SIX_METRICS):
        upwards = statistics(name, metric).metric.direction * statistics(name, metric).scores()
        both = pd.DataFrame({"metric": upwards, "people": campaign(name).human.scores()})
        found = [both.corr().iloc[0, 1], both.rank().corr().iloc[0, 1]]
        rows[name, metric] = [mt.ordered_rand(judges(name)[metric], people(name)), *found]
    table = pd.DataFrame(rows, ["S", "r", "ρ"]).T.rename_axis(["campaign", "metric"])
    taus = {  # rounded, or ties differ
        f"τ of S and {by}, {name[-5:]}": stats.kendalltau(some["S"], some[by]).statistic
        for name, some in table.round(9).groupby(level=0, sort=False)
        for by in table.columns[1:]
    }
    return Outcome(*rounded(".2f", taus), holds=min(taus.values()) > 0, table=table)
