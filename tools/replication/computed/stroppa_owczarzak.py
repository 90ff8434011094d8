"""Stroppa & Owczarzak (2007): clusters in place of rankings."""

from __future__ import annotations

import itertools
import time
import timeit
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.campaigns.printed import printed_table

from ..rows import IN_PART, Outcome, Value, counted, in_part, outcome, reproduced
from ..shared import SIX_METRICS, campaign, compared, number, people, statistics, text

ES_EN, EN_ES = "wmt12/es-en", "wmt12/en-es"
LATER = ("wmt13/es-en", "wmt21/de-en", "wmt21/is-en", "wmt21/ja-en", "wmt22/ja-en", "wmt22/zh-en")
LAZY = "a test that finds nothing"


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


def their_table_2() -> pd.DataFrame:
    """Similarity between metrics, a row a pair; as printed."""
    return printed_table(PAPER, 2).set_index(["metric_a", "metric_b"])


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
    return outcome(
        counted("agreements", same),
        Value("similarity", mt.ordered_rand(one, other), ".4f"),
        holds=set(names[same]) == set(text("s-ex-agree").split())
        and set(names[~same]) == set(text("s-ex-weak").split()),
    )


def p_range() -> Outcome:
    """What p = (sum of v + 1) / k can be, beside p with one more draw in the denominator."""
    k, level = int(number("s-k")), number("s-one")
    counts = np.array([0, k])  # none of the k shuffles counts, or all of them do
    forms = {"divided by k, as printed": (counts + 1) / k, "by k + 1": (counts + 1) / (k + 1)}
    table = pd.DataFrame(forms, index=["smallest p", "largest p"]).T
    lowest = table["smallest p"]
    table[f"can be below {level:g}"] = np.where(lowest < level, "yes", "no")
    table[f"can be at most {level:g}"] = np.where(lowest <= level, "yes", "no")
    printed = table.iloc[0]
    return outcome(
        Value("smallest p", printed["smallest p"], ".3f"),
        Value("largest p", printed["largest p"], ".3f"),
        Value("largest p, divided by k + 1", table["largest p"].iloc[1], ".3f"),
        table=table.rename_axis("the count and one"),
    )


def multiples() -> Outcome:
    """Whether each similarity is a whole number of pairs over all pairs, rounded."""
    against_people = printed_table(PAPER, 1).melt(["condition", "metric"], value_name="printed")
    against_people["judges"] = against_people["metric"] + ", " + against_people["variable"]
    among = printed_table(PAPER, 2).rename(columns={"score": "printed"}).assign(condition=MIXED)
    among["judges"] = among["metric_a"] + ", " + among["metric_b"]
    cells = pd.concat({"Table 1": against_people, "Table 2": among}, names=["table"])
    pairs = cells["condition"].map(n_pairs)
    nearest = (cells["printed"].astype(float) * pairs).round() / pairs
    fits = pd.Series(reproduced(cells["printed"], nearest), index=cells.index)
    table = cells.assign(pairs=pairs, nearest=nearest)[~fits].reset_index("table")
    table = table.set_index(["table", "condition", "judges"])[["printed", "pairs", "nearest"]]
    return outcome(
        *(
            counted(f"{which}, cells that are such a multiple", of)
            for which, of in fits.groupby(level="table")
        ),
        Value("RS-CRR, METEOR, adequacy", table["nearest"].item(), ".4f"),
        table=table,
    )


def readings() -> Outcome:
    """What sections 4.3 and 5 read from Tables 1 and 2, held against the printed numbers."""
    scores = TABLE_1.astype(float)
    by_metric = {judged: scores[judged].unstack("metric") for judged in scores}
    fluency, adequacy = by_metric["fluency"], by_metric["adequacy"]
    among = their_table_2()["score"].astype(float)
    mixed, single = adequacy.T[MIXED], adequacy.index != MIXED
    first = {judged: table.idxmax(axis=1) for judged, table in by_metric.items()}
    with_people = scores.loc[MIXED].to_numpy()
    gap = (fluency - adequacy).abs().round(2)  # of two printed decimals
    smallest = gap["BLEU"] <= gap.min(axis=1)
    higher = (adequacy > fluency).sum(axis=1)
    above = MEANS[["BLEU", "METEOR"]].min() > MEANS[["NIST", "GTM"]].max()
    partly = MEANS[["BLEU", "METEOR"]].mean() > MEANS[["NIST", "GTM"]].mean()
    bleu_for_adequacy = first["adequacy"].index[single & (first["adequacy"] == "BLEU")]
    more = (among.min() > with_people.max()) + (among.mean() > with_people.mean())
    found = {
        "BLEU is closest to fluency": (
            "4.3",
            (first["fluency"] == "BLEU").mean(),
            f"in {(first['fluency'] == 'BLEU').sum()} of {len(fluency)} conditions",
        ),
        "BLEU is closest to adequacy in two conditions": (
            "4.3",
            float(len(bleu_for_adequacy) == number("s-bleu-two")),
            f"in {len(bleu_for_adequacy)} of {single.sum()}: {', '.join(bleu_for_adequacy)}",
        ),
        "METEOR is closest to adequacy in the Mixed Track": (
            "4.3",
            float(mixed.idxmax() == "METEOR"),
            _listed(mixed, ".2f"),
        ),
        "BLEU and METEOR are closer to people than NIST and GTM": (
            "4.3",
            1.0 if above else partly / 2,
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
    return outcome(
        counted("hold", whole),
        counted("hold in part", ~whole & ~none),
        counted("do not hold", none),
        holds=True if whole.all() else IN_PART,
        table=table,
    )


def _listed(values: pd.Series, spec: str) -> str:
    """``BLEU 0.52, GTM 0.32``."""
    return ", ".join(f"{name} {value:{spec}}" for name, value in values.items())


def corrected(given: mt.SufficientStatistics, n_resamples: int) -> mt.Conclusions:
    """What is concluded of all pairs, corrected after Westfall & Young as in unit 21."""
    how: dict[str, Any] = {"correction": "westfall-young", "interval": None, "rng": 2007}
    return mt.compare_all(given, n_resamples=n_resamples, **how).conclusions(0.05)


def told_apart(by: mt.Conclusions) -> int:
    """In how many pairs one is concluded to be better."""
    return int((by.pairs() != 0).sum())


@cache
def judges(name: str) -> dict[str, mt.Conclusions]:
    """What six metrics and people conclude about a campaign of WMT12."""
    n_resamples = 10_000 if name == ES_EN else 2000
    found = {m: corrected(statistics(name, m), n_resamples) for m in SIX_METRICS}
    return found | {"people": people(name)}


def lazy_score(gold: mt.Conclusions) -> float:
    """Ordered Rand of a test that never finds a difference."""
    return float(np.mean(gold.pairs() == 0))


def with_people() -> Outcome:
    """Metrics against people: their conditions, and two campaigns of WMT12."""
    columns = {
        name: {m: mt.ordered_rand(judges(name)[m], people(name)) for m in SIX_METRICS}
        | {LAZY: lazy_score(people(name))}
        for name in (ES_EN, EN_ES)
    }
    ours = pd.DataFrame(columns)
    means = ours.mean(axis=1)
    layout = [*THEIR_METRICS, *(m for m in ours.index if m not in THEIR_METRICS)]
    cells = {(name, metric): columns[name][metric] for name in columns for metric in layout}
    table = pd.concat([TABLE_1, pd.DataFrame({"rankings (ours)": cells})])
    closer = means[["BLEU", "METEOR"]] > means[["NIST", "GTM"]].max()
    return outcome(
        *(Value(f"mean, {metric}", means[metric], ".3f") for metric in THEIR_METRICS),
        *(Value(f"in print, {m}", MEANS[m], ".3f") for m in THEIR_METRICS),
        holds=bool(closer.all()) or in_part(closer.any()),
        table=table.rename_axis(["condition", "metric"]),
    )


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
    return outcome(
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
    return outcome(
        counted("campaigns on which finding nothing agrees better", beaten),
        table=table,
    )


def among_metrics() -> Outcome:
    """Metrics against metrics, beside metrics against people; theirs above ours."""
    found = judges(ES_EN)
    square = pd.DataFrame(
        {a: {b: mt.ordered_rand(found[a], found[b]) for b in found} for a in found}
    )
    four, six = list(THEIR_METRICS), list(SIX_METRICS)
    names = [*four, *(m for m in six if m not in four), "people"]
    ours = square.loc[names[1:], names[:-1]]
    ours = ours.where(np.tril(np.ones(ours.shape, dtype=bool)))
    theirs = their_table_2()["score"].unstack().reindex(index=four[1:], columns=names[:-1])
    among = square.loc[six, six].to_numpy()[np.triu_indices(len(six), 1)]
    with_people = square.loc[six, "people"]
    printed = their_table_2()["score"].astype(float)
    return outcome(
        Value("lowest between two metrics", among.min(), ".2f"),
        Value("highest between two metrics", among.max(), ".2f"),
        Value("mean between two metrics", among.mean(), ".2f"),
        Value("mean with people", with_people.mean(), ".2f"),
        Value("highest with people", with_people.max(), ".2f"),
        Value("their mean between two metrics", printed.mean(), ".2f"),
        holds=bool(among.mean() > with_people.mean()),
        table=pd.concat({"theirs": theirs, "ours": ours}).rename_axis(["", "metric"]),
    )


def against_rankings() -> Outcome:
    """Clusters of a metric, and its bare ranking, beside people."""
    gold = people(ES_EN)
    rows = {}
    for metric in SIX_METRICS:
        one_each = from_groups([[system] for system in statistics(ES_EN, metric).scores().index])
        rows[metric] = {
            "clusters": mt.ordered_rand(judges(ES_EN)[metric], gold),
            "ranking": mt.ordered_rand(one_each, gold),
        }
    table = pd.DataFrame(rows).T.rename_axis("metric")
    return outcome(
        counted(
            "metrics whose clusters are closer to people", table["clusters"] > table["ranking"]
        ),
        Value("most that a ranking can score", np.mean(gold.pairs() != 0), ".2f"),
        table=table,
    )


def figure_1() -> Outcome:
    """Twelve systems as overlapping clusters."""
    found = mt.clusters(judges(ES_EN)["chrF"])
    inside = pd.Series({s: sum(s in group for group in found.groups) for s in found.systems})
    table = pd.DataFrame({"letters": found.letters()}).rename_axis("system")
    return outcome(
        Value("clusters", len(found.groups)),
        counted("systems in more than one", inside > 1),
        table=table,
    )


def levels() -> list[float]:
    """Those of Figure 3."""
    return [number(f"s-levels{k}") for k in range(1, 7)]


@cache
def in_their_way(name: str, metric: str) -> mt.Comparisons:
    """All pairs, the better system first: one-tailed, 1,000 shuffles, no correction."""
    scored = statistics(name, metric)
    scores = scored.scores().sort_values(ascending=not scored.metric.higher_is_better)
    return mt.compare_all(
        scored.select(list(scores.index)),
        alternative="greater",
        correction=None,
        interval=None,
        n_resamples=int(number("s-k")),
        rng=2007,
    )


def below(compared_pairs: mt.Comparisons, level: float) -> mt.Conclusions:
    """What is concluded where their p, the count and one divided by k, is below `level`.

    Ours is divided by k + 1; half a count keeps rounding out of the comparison.
    """
    k = number("s-k")
    return compared_pairs.conclusions((level * k - 0.5) / (k + 1))


def figure_3() -> Outcome:
    """Clusters by level of significance, in the paper's way, beside what its text says."""
    by_level = {level: below(in_their_way(ES_EN, "chrF"), level) for level in levels()}
    told = {level: told_apart(c) for level, c in by_level.items()}
    first, last = number("s-stable"), number("s-stable/value_to")
    changed = int((by_level[first].pairs() != by_level[last].pairs()).sum())
    left = int((by_level[first].pairs() == 0).sum())
    n_all = len(by_level[last].pairs())
    table = pd.DataFrame(
        {
            "fluency, said": {level: _said("flu", level) for level in by_level},
            "adequacy, said": {level: _said("ade", level) for level in by_level},
            "clusters, ours": {level: len(mt.clusters(c).groups) for level, c in by_level.items()},
            "told apart, ours": told,
            "of": n_all,
        }
    ).rename_axis("level")
    lowest, clusters = min(by_level), table["clusters, ours"]
    few = [changed <= n_all / 10, abs(clusters[last] - clusters[first]) <= clusters[first] / 10]
    return outcome(
        Value(f"clusters at {lowest:g}", clusters[lowest]),
        Value(f"clusters at {last:g}", clusters[last]),
        Value(f"pairs that change from {first:g} to {last:g}", changed, of=n_all),
        Value(f"the same, of those not told apart at {first:g}", changed, of=left),
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
    rows: dict[float, dict[str, float]] = {}
    at_05: dict[float, dict[str, float]] = {}
    for level in levels():
        tested = {m: below(in_their_way(ES_EN, m), level) for m in THEIR_METRICS}
        gold = campaign(ES_EN).human.conclusions(alpha=level)
        rows[level] = {m: mt.ordered_rand(found, gold) for m, found in tested.items()}
        at_05[level] = {m: mt.ordered_rand(found, people(ES_EN)) for m, found in tested.items()}
    table, fixed = (pd.DataFrame(by_level).T for by_level in (rows, at_05))
    first, last = number("s-flat-ade"), number("s-flat-ade/value_to")
    spread, alone = (t.loc[first:last].max() - t.loc[first:last].min() for t in (table, fixed))
    return outcome(
        *(
            Value(f"{metric}, highest less lowest from {first:g} to {last:g}", value, ".2f")
            for metric, value in spread.items()
        ),
        *(Value(f"{metric}, people at .05", value, ".2f") for metric, value in alone.items()),
        holds=bool((spread <= 0.1).all()) or in_part((spread <= 0.1).any()),
        table=table.rename_axis("level"),
    )


def other_diagrams() -> Outcome:
    """Clusters by every judge, on two campaigns."""
    columns = {
        name: {judge: len(mt.clusters(c).groups) for judge, c in judges(name).items()}
        for name in (ES_EN, EN_ES)
    }
    ordered = [mt.clusters(c).is_ordered for name in columns for c in judges(name).values()]
    table = pd.DataFrame(columns).rename_axis("clusters by")
    apart = {judge: judges(ES_EN)[judge].pairs() != 0 for judge in ("people", "BLEU")}
    return outcome(
        Value("by people, es-en", table.loc["people", ES_EN]),
        Value("by BLEU, es-en", table.loc["BLEU", ES_EN]),
        counted("diagrams with one order", ordered),
        *(counted(f"told apart by {judge}, es-en", pairs) for judge, pairs in apart.items()),
        table=table,
    )


def speed() -> Outcome:
    """1,000 shuffles of 500 segments.  The times are shown and not kept; the work is."""
    shuffles, segments = int(number("s-time-k")), int(number("s-time-n"))
    values, measured = [], {}
    for metric in ("BLEU", "NIST"):
        pair = statistics(ES_EN, metric).select(["uedin-wmt12", "QCRI--primary"])
        pair = pair.subset(np.arange(segments))
        runs = timeit.repeat(
            lambda pair=pair: mt.approximate_randomization(  # type: ignore[misc]
                pair, *pair.systems, n_resamples=shuffles, rng=1, exact=False
            ),
            timer=time.thread_time,  # unlike the clock on the wall, the same on a busy machine
            number=1,
            repeat=20,
        )
        printed = text(f"s-time-{metric.lower()}")
        what = f"{metric}, {shuffles:,} shuffles of {segments} segments (s; printed {printed})"
        measured[what] = min(runs)
        work = shuffles * pair.values.size / 1e6
        values.append(Value(f"million multiplications, {metric}", work, ".0f"))
    return outcome(*values, measured=measured)


def more_systems() -> Outcome:
    """Twenty-three systems, and the seventeen of them that people judged."""
    name = "wmt13/de-en"
    tested = corrected(statistics(name, "BLEU"), 2000)
    gold = people(name)
    judged = tested.reorder(gold.systems)
    return outcome(
        Value("systems", len(tested.systems)),
        counted("told apart", tested.pairs() != 0),
        Value("clusters", len(mt.clusters(tested).groups)),
        Value("similarity with people", mt.ordered_rand(judged, gold), ".2f"),
    )


def more_metrics() -> Outcome:
    """About how many pairs all six metrics conclude the same, and whether people do too."""
    found = judges(ES_EN)
    said = np.array([c.reorder(people(ES_EN).systems).pairs() for c in found.values()])
    metrics, gold = said[:-1], said[-1]
    agreed = (metrics == metrics[0]).all(axis=0)
    contradicted = (metrics == 1).any(axis=0) & (metrics == -1).any(axis=0)
    table = pd.DataFrame(
        {judge: (c.pairs() != 0).sum() for judge, c in found.items()}, index=["told apart, of 66"]
    ).T
    return outcome(
        counted("pairs on which six metrics agree", agreed),
        Value("and people with them", (agreed & (gold == metrics[0])).sum(), of=agreed.sum()),
        counted("metrics contradict each other", contradicted),
        table=table.rename_axis("judge"),
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
    return outcome(
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
        options = {"correction": None, "n_resamples": 2000, "rng": 2007}
        shuffled, drawn = (
            compared(name, metric, test=test, **options).conclusions(0.05)
            for test in ("approximate-randomization", "bootstrap")
        )
        differ = shuffled.pairs() != drawn.reorder(shuffled.systems).pairs()
        rows[name, metric] = {
            "pairs that differ": differ.sum(),
            "pairs": differ.size,
            "similarity": mt.ordered_rand(shuffled, drawn),
        }
    table = pd.DataFrame(rows, dtype=object).T.rename_axis(["campaign", "metric"])
    return outcome(
        counted("clusterings that are the same", table["pairs that differ"] == 0),
        Value("lowest similarity", table["similarity"].min(), ".3f"),
        table=table,
    )


def overlapping_intervals() -> Outcome:
    """Systems told apart where their intervals do not overlap, beside a test on their pairs."""
    rows: dict[Any, dict[str, float]] = {}
    level = number("s-level")
    for name, metric in itertools.product((ES_EN, EN_ES), THEIR_METRICS):
        how: dict[str, Any] = {"correction": None, "n_resamples": 2000, "rng": 2007}
        tested = mt.compare_all(statistics(name, metric), **how)
        (ends,), pairs = tested.score_intervals.values(), tested.table[["system_a", "system_b"]]
        low, high = ends["ci_low"], ends["ci_high"]
        apart = pairs["system_a"].map(low) > pairs["system_b"].map(high)  # the better one first
        of_pairs = dict(
            zip(pairs.itertuples(index=False, name=None), apart.astype(int), strict=True)
        )
        rows[name, metric] = {"pairs": len(pairs)}
        rows[name, metric]["intervals alone"] = (apart & (tested.table["pvalue"] > level)).sum()
        both = {"intervals": mt.Conclusions.from_pairs(of_pairs), "test": tested.conclusions(level)}
        for by, said in both.items():
            rows[name, metric][f"told apart, {by}"] = told_apart(said)
            rows[name, metric][f"clusters, {by}"] = len(mt.clusters(said).groups)
            rows[name, metric][f"S with people, {by}"] = mt.ordered_rand(said, people(name))
    table = pd.DataFrame.from_dict(rows, "index").rename_axis(["campaign", "metric"])
    shown = ("told apart, intervals", "told apart, test", "intervals alone")
    closer = table["S with people, intervals"] > table["S with people, test"]
    return outcome(
        *(Value(name, table[name].sum(), of=table["pairs"].sum()) for name in shown),
        counted("closer to people by intervals", closer),
        holds=bool(table["intervals alone"].sum() == 0),
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
    table = pd.DataFrame(rows, ["S", "r", "ρ"]).T
    taus = {  # rounded, or ties differ
        f"τ of S and {by}, {name[-5:]}": stats.kendalltau(some["S"], some[by]).statistic
        for name, some in table.round(9).groupby(level=0, sort=False)
        for by in table.columns[1:]
    }
    return outcome(
        *(Value(name, tau, ".2f") for name, tau in taus.items()),
        holds=bool(min(taus.values()) > 0),
        table=table.rename_axis(["campaign", "metric"]),
    )
