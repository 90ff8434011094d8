"""Graham, Mathur & Baldwin (2014): three tests beside people."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats
from statsmodels.stats import contingency_tables

import mtsig_nb as mt
from mtsig_nb.campaigns.printed import printed_table
from mtsig_nb.conclusions.deciding import decide
from mtsig_nb.engine.counting import clopper_pearson
from mtsig_nb.meta_evaluation.against_gold import Agreement

from ..rows import Outcome, Value, counted, outcome, reproduced
from ..shared import (
    FOUR_METRICS,
    campaign,
    compared,
    judged,
    pair_of_unit_13,
    people,
    statistics,
    text,
)

ES_EN, EN_ES = "wmt12/es-en", "wmt12/en-es"
AR = "approximate-randomization"
TESTS = ("paired-bootstrap", "bootstrap", AR)
LEVELS = (0.05, 0.01, 0.001)
#: Of a test in their way.
ONE_SIDED: dict[str, Any] = {"correction": None, "alternative": "greater"}
ONE_SIDED |= {"n_resamples": 5000, "rng": 2014}
#: The campaign of each printed table, and the pairs of its systems.
TABLES = {ES_EN: 1, EN_ES: 2}
PAIRS = {ES_EN: "g-best-of", EN_ES: "g-enes-pairs"}


def number(name: str) -> int:
    """A whole number of the paper's text."""
    return int(text(name))


def laid_out(cells: pd.DataFrame) -> pd.DataFrame:
    """A row for each level and metric, a column for each test."""
    cells = cells.astype({"alpha": float, "correct": int})
    return cells.pivot(index=["alpha", "metric"], columns="test", values="correct").reindex(
        index=list(itertools.product(LEVELS, FOUR_METRICS)), columns=TESTS
    )


def theirs(name: str) -> pd.DataFrame:
    """Their correct conclusions about a campaign, laid out as in the paper."""
    printed = printed_table("graham2014", TABLES[name])
    return laid_out(printed.rename(columns={"correct_conclusions": "correct"}))


AT_05 = ", ".join(f"{theirs(ES_EN)[AR][0.05, m]} {m} at .05" for m in FOUR_METRICS)
NIST_AT_001 = ", ".join(map(str, theirs(EN_ES).xs((0.001, "NIST"))))


def ours(name: str) -> pd.DataFrame:
    """Our correct conclusions in the same layout."""
    rows = [(*key, one.correct) for key, one in grid(name).items()]
    return laid_out(pd.DataFrame(rows, columns=["metric", "test", "alpha", "correct"]))


@lru_cache(maxsize=2)
def grid(name: str) -> dict[tuple[str, str, float], Agreement]:
    """Four metrics, three one-sided tests, three levels, beside the relative rankings."""
    found, gold = {}, people(name)
    for metric, test in itertools.product(FOUR_METRICS, TESTS):
        given = judged(statistics(name, metric), gold)
        tested = mt.compare_all(given, test=test, interval=None, **ONE_SIDED)
        for alpha in LEVELS:
            found[metric, test, alpha] = mt.agreement(tested.conclusions(alpha), gold, rng=2014)
    return found


def agreement_table(name: str) -> Outcome:
    """Correct conclusions of each metric, level and test, as in their Tables 1 and 2."""
    table = ours(name)
    by_ar = [grid(name)[metric, AR, alpha] for alpha, metric in table.index]
    total = by_ar[0].total
    spread = int((table.max(axis=1) - table.min(axis=1)).max())
    shown = pd.concat({"printed": theirs(name), "ours": table}, axis=1)
    for k, column in enumerate(("accuracy", "low", "high")):
        values = [(one.accuracy, *one.interval)[k] for one in by_ar]
        shown["ours", f"AR, {column} (%)"] = 100 * np.array(values)
    widest = 100 * max(float(np.diff(one.interval).item()) for one in at_05(name).values())
    return outcome(
        *(Value(f"{m} at .05", at_05(name)[m].correct, of=total) for m in FOUR_METRICS),
        Value("most that tests differ", spread, of=total),
        Value("widest interval at .05 (points)", widest, ".0f"),
        holds=spread <= 0.05 * total,
        table=shown,
    )


def identical_rows() -> Outcome:
    """In how many of 24 rows the three tests conclude the same about every pair."""
    said: dict[Any, list[Any]] = {}
    for name in (ES_EN, EN_ES):
        for (metric, _, alpha), one in grid(name).items():
            said.setdefault((name, metric, alpha), []).append(one.conclusions.pairs())
    differing = {row: np.ptp(by_test, axis=0) > 0 for row, by_test in said.items()}
    by_row = pd.Series({row: pairs.sum() for row, pairs in differing.items()})
    by_row.index.names = ["campaign", "metric", "alpha"]
    of_pairs = sum(pairs.size for pairs in differing.values())
    wide = by_row.eq(0).map({True: "identical", False: "differ"}).unstack(sort=False)
    meteor = by_row.index.get_level_values("metric") == "METEOR"
    return outcome(
        counted("identical rows", by_row == 0),
        counted("rows of equal counts", equal_counts(ours)),
        counted("rows of METEOR, a later version", meteor),
        Value("pairs about which tests differ, all rows", by_row.sum(), of=of_pairs),
        holds=bool(by_row.sum() < 0.01 * of_pairs),
        table=wide,
    )


def equal_counts(counts: Callable[[str], pd.DataFrame]) -> pd.Series:
    """In which of 24 rows the three tests have one number of correct conclusions."""
    both = pd.concat({name: counts(name) for name in TABLES}, names=["campaign"])
    return both.nunique(axis=1) == 1


EQUAL_PRINTED = equal_counts(theirs).sum()


def text_against_table() -> Outcome:
    """Rows of their tables in which tests differ, and those of metrics said never to."""
    both = pd.concat({name: theirs(name) for name in TABLES}, names=["campaign"])
    differing = both[~equal_counts(theirs)]
    said_never = both.loc[EN_ES].index.get_level_values("metric").isin(["BLEU", "NIST"]).sum()
    contrary = differing.loc[EN_ES].index.get_level_values("metric").isin(["BLEU", "NIST"])
    return outcome(
        Value("rows of BLEU and NIST that differ, en-es", contrary.sum(), of=said_never),
        counted("rows of equal counts, printed", equal_counts(theirs)),
        counted("rows of equal counts, ours", equal_counts(ours)),
        holds=not contrary.any(),
        table=differing,
    )


def intervals_again() -> Outcome:
    """Their percentages and intervals from their counts, to the last digit."""
    come_out: list[bool] = []
    frames = {}
    for name in TABLES:
        printed = printed_table("graham2014", TABLES[name])
        correct, total = printed["correct_conclusions"].astype(int), number(PAIRS[name])
        low, high = clopper_pearson(correct, total)
        computed: dict[str, Any] = {
            "accuracy_pct": 100 * correct / total,
            "ci_low_pct": 100 * low,
            "ci_high_pct": 100 * high,
        }
        each = [reproduced(printed[column], values) for column, values in computed.items()]
        come_out += map(all, zip(*each, strict=True))
        both = printed.assign(**{f"ours: {c}": v for c, v in computed.items()})
        both = both.drop_duplicates("correct_conclusions").drop(columns=["alpha", "metric", "test"])
        frames[name] = both.assign(correct_conclusions=correct).set_index("correct_conclusions")
    return outcome(
        counted("cells whose three numbers come out", come_out),
        holds=all(come_out),
        table=pd.concat(frames, names=["campaign"]).sort_index(),
    )


def printed_section_4_1() -> Outcome:
    """Accuracies that the text quotes, and the lower limits into Spanish."""
    best = theirs(ES_EN).xs(0.05, level="alpha")[AR]
    below = printed_table("graham2014", 2)["ci_low_pct"].astype(float) < number("g-coin")
    best_en_es = theirs(EN_ES).xs(0.05, level="alpha")[AR].max()
    return outcome(
        Value("best at .05, es-en", best.max(), of=number("g-best-of")),
        Value("the same in %", 100 * best.max() / number("g-best-of"), ".1f"),
        Value("best at .05 in %, en-es", 100 * best_en_es / number("g-enes-pairs"), ".1f"),
        counted("lower limits below 50 %, en-es", below),
        holds=bool(below.all() and best.idxmax() == "NIST"),
    )


def printed_chi_square() -> Outcome:
    """Their counts at .05 under the chi-square test, two metrics at a time and all four."""
    tables, together = {}, {}
    for name in TABLES:
        total = number(PAIRS[name])
        correct = theirs(name).xs(0.05, level="alpha")[AR]
        given = {metric: (int(correct[metric]), total) for metric in FOUR_METRICS}
        tables[name] = mt.chi_square_between(given).set_index(["a", "b"])
        together[name] = stats.chi2_contingency([correct, total - correct]).pvalue
    table = pd.concat(tables, names=["campaign"])
    return outcome(
        Value("smallest p of twelve", table["pvalue"].min(), ".2f"),
        *(Value(f"p of all four, {name[-5:]}", p, ".2f") for name, p in together.items()),
        holds=bool((table["pvalue"] > 0.05).all() and min(together.values()) > 0.05),
        table=table,
    )


def assessments() -> Outcome:
    """How many assessments their averages per system make, of those collected."""
    kept = {
        criterion: sum(number(f"g-sys-{p}") * number(f"g-{key}-{p}") for p in ("esen", "enes"))
        for criterion, key in (("adequacy", "ade"), ("fluency", "flu"))
    }
    return outcome(
        Value("adequacy, kept", kept["adequacy"], of=number("g-ade")),
        Value("fluency, kept", kept["fluency"], of=number("g-flu")),
        Value("adequacy, kept (%)", 100 * kept["adequacy"] / number("g-ade"), ".1f"),
        Value("fluency, kept (%)", 100 * kept["fluency"] / number("g-flu"), ".1f"),
    )


def reversal() -> Outcome:
    """Rank of the metrics by correct conclusions, es-en, printed and ours; and why it differs.

    Of c correct conclusions at most as many as the metric leaves undecided are about pairs that
    people leave undecided too; the others are about pairs that people decided.
    """
    printed, own = theirs(ES_EN)[AR], ours(ES_EN)[AR]
    cells = {
        (alpha, metric): one for (metric, test, alpha), one in grid(ES_EN).items() if test == AR
    }
    rows = {}
    for cell, one in cells.items():
        decided = one.gold.pairs() != 0
        right = one.conclusions.pairs() == one.gold.pairs()
        rows[cell] = {
            "ours: right where people decide": int(right[decided].sum()),
            "ours: right where they do not": int(right[~decided].sum()),
            "left undecided by the metric": int((one.conclusions.pairs() == 0).sum()),
        }
    table = pd.DataFrame(rows).T.rename_axis(["alpha", "metric"])
    counts = pd.DataFrame({"printed": printed, "ours": own})
    ranks = counts.groupby("alpha").rank(ascending=False, method="min").astype(int)
    table = counts.join(ranks.add_suffix(", rank")).join(table)
    least = int((table["printed"] - table["left undecided by the metric"]).max())
    decided = people(ES_EN).pairs() != 0
    for level in (0.2, 0.5):
        looser = campaign(ES_EN).human.conclusions(alpha=level)
        table[f"ours, people at {level:g}"] = [
            mt.agreement(cells[cell].conclusions, looser, rng=2014).correct for cell in table.index
        ]
    total, at_05_printed = len(decided), printed.xs(0.05)
    printed_p = stats.chi2_contingency([at_05_printed, total - at_05_printed]).pvalue
    our_p = mt.chi_square_between(at_05())["pvalue"].min()
    best = [metric for alpha, metric in table.index[ranks["ours"] == 1] if alpha == 0.05]
    return outcome(
        Value("pairs that their people decided, at least", least, of=len(decided)),
        counted("pairs that the rankings decide", decided),
        Value("p of all four metrics, printed", printed_p, ".2f"),
        Value("smallest p of six pairs of metrics, ours", our_p, ".3f"),
        *(
            Value(f"rank of {metric} at .05, {whose}", ranks[whose][0.05, metric])
            for whose in ("printed", "ours")
            for metric in ("NIST", "METEOR")
        ),
        holds=best == ["NIST"],
        table=table,
    )


def coin() -> Outcome:
    """Combinations whose Clopper-Pearson interval contains one half."""
    inside = {}
    for name in (ES_EN, EN_ES):
        intervals = [one.interval for one in grid(name).values()]
        inside[name] = np.array([low < 0.5 < high for low, high in intervals])
    decided = people(EN_ES).pairs() != 0
    n_pairs = len(decided)
    counts = np.arange(n_pairs + 1)
    enough = int(counts[clopper_pearson(counts, n_pairs)[0] > 0.5].min())
    return outcome(
        counted("interval contains 50 %, en-es", inside[EN_ES]),
        counted("the same, es-en", inside[ES_EN]),
        counted("pairs that the rankings decide, en-es", decided),
        Value("right conclusions that put an interval above 50 %", enough, of=n_pairs),
        holds=bool(inside[EN_ES].all()),
    )


def at_05(name: str = ES_EN) -> dict[str, Agreement]:
    """The four metrics' agreements with people, approximate randomization at .05."""
    return {metric: grid(name)[metric, AR, 0.05] for metric in FOUR_METRICS}


def of_six(compared: pd.DataFrame, *more: Value) -> Outcome:
    """What becomes of the six pairs of metrics."""
    table = compared.set_index(["a", "b"])
    pvalues: Any = table["pvalue"]
    return outcome(
        Value("smallest p of six", pvalues.min(), ".3f"),
        Value("p, NIST and METEOR", pvalues["NIST", "METEOR"], ".3f"),
        *more,
        holds=bool((pvalues > 0.05).all()),
        table=table,
    )


def chi_square() -> Outcome:
    """Metrics compared as if they had been judged on different pairs."""
    return of_six(mt.chi_square_between(at_05()))


def mcnemar() -> Outcome:
    """The same on the pairs of systems that the metrics share."""
    found = mt.mcnemar_between(at_05())
    shown = ["a", "b", "only_a", "only_b", "pvalue", "difference", "ci_low", "ci_high"]
    right = np.stack([one.table["correct"] for one in at_05().values()], axis=1)
    q = contingency_tables.cochrans_q(right.astype(int)).pvalue
    return of_six(found[shown], Value("p, Cochran's Q of all four", q, ".3f"))


def distributions() -> Outcome:
    """What the bootstrap draws, before and after the shift, and what is counted of it."""
    pair = pair_of_unit_13()
    options: dict[str, Any] = {"n_resamples": 5000, "rng": 2005}
    shifted = mt.bootstrap_test(pair, *pair.systems, **options)
    koehns = mt.paired_bootstrap(pair, *pair.systems, **options)
    shuffled = mt.approximate_randomization(pair, *pair.systems, **options)
    rows = [
        (r.null_distribution.mean(), r.null_distribution.std(), r.statistic, r.pvalue)
        for r in (koehns, shifted, shuffled)
    ]
    names = ["paired bootstrap", "bootstrap, shifted", "randomization"]
    table = pd.DataFrame(rows, names, ["mean", "s.d.", "observed", "p, two-sided"])
    spread = table["s.d."]
    return outcome(
        Value("mean before the shift", table["mean"].iloc[0], "+.3f"),
        Value("observed", shifted.statistic, "+.3f"),
        Value("s.d., shifted", spread["bootstrap, shifted"], ".3f"),
        Value("s.d., randomization", spread["randomization"], ".3f"),
        table=table.rename_axis("distribution"),
    )


def human_heatmap() -> Outcome:
    """How many pairs people tell apart, by rankings."""
    apart = {name: people(name).pairs() != 0 for name in TABLES}
    rows = {name: {"told apart": pairs.sum(), "pairs": pairs.size} for name, pairs in apart.items()}
    return outcome(
        *(counted(f"told apart, {name[-5:]}", pairs) for name, pairs in apart.items()),
        table=pd.DataFrame(rows).T.rename_axis("campaign"),
    )


def two_criteria() -> Outcome:
    """False claims of adequacy with fluency as tie-break, for systems that differ in neither."""
    rng, worlds, segments = np.random.default_rng(2014), 2000, 100
    rng.normal(size=2 * 4 * 300)  # what unit 23 draws before
    scores = rng.normal(size=(2, 2, worlds, segments))  # criterion, system, world, segment
    said = []
    for one, other in scores:
        tests = stats.mannwhitneyu(one, other, axis=1)
        ahead = tests.statistic - segments**2 / 2
        said.append(decide(ahead, tests.pvalue, 0.05))
    combined = int(np.logical_or(*said).sum())
    expected = 1 - (1 - 0.05) ** 2
    error = np.sqrt(expected * (1 - expected) / worlds)
    return outcome(
        Value("adequacy alone", np.mean(said[0] != 0), ".3f"),
        Value("fluency as tie-break", combined / worlds, ".3f"),
        Value("expected", expected, ".4f"),
        holds=bool(abs(combined / worlds - expected) <= 3 * error),
    )


def metric_heatmaps() -> Outcome:
    """Pairs that each test tells apart, one-sided and uncorrected, at .05."""
    found = {t: compared(ES_EN, "BLEU", test=t, **ONE_SIDED).conclusions(0.05) for t in TESTS}
    corrected = compared(
        ES_EN, "BLEU", correction="westfall-young", n_resamples=10_000, rng=2014
    ).conclusions(0.05)
    first = found[AR]
    return outcome(
        *(counted(test, c.pairs() != 0) for test, c in found.items()),
        counted("two-sided, corrected", corrected.pairs() != 0),
        holds=all(c == first for c in found.values()),
    )


def zero_pvalues() -> Outcome:
    """How many p-values are 0 by c/B, and how often a true null hypothesis is then rejected."""
    draws, rows = ONE_SIDED["n_resamples"], {}
    for name, metric, test in itertools.product(TABLES, FOUR_METRICS, TESTS):
        ps = compared(name, metric, test=test, **ONE_SIDED).table["pvalue"].to_numpy()
        counts = np.rint(ps * (draws + 1) - 1)
        turned = [(counts / draws <= level) & (ps > level) for level in LEVELS]
        rows[name, metric, test] = {"pairs": ps.size, "zero": (counts == 0).sum()}
        rows[name, metric, test]["turned"] = np.sum(turned)
    found = pd.DataFrame(rows).T.sum()
    drawn = pd.Index([100, 1000, draws, 10_000], name="draws")
    chance = {level: ((level * drawn + 1e-9).astype(int) + 1) / (drawn + 1) for level in LEVELS}
    table = pd.DataFrame(chance, drawn).add_prefix("true level at ")
    return outcome(
        Value("p = c/B is 0", found["zero"], of=found["pairs"]),
        Value("conclusions that (c + 1)/(B + 1) turns", found["turned"], of=3 * found["pairs"]),
        Value("true level of .001 with 100 draws", table.iloc[0, -1], ".4f"),
        Value("with 1,000 draws", table.iloc[1, -1], ".4f"),
        table=table,
    )
