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

from ...repository.campaigns import campaign, statistics
from ..rows import Outcome, Value, counted, counts, reproduced, rounded
from ..shared import (
    FOUR_METRICS,
    compared,
    judged,
    pair_of_unit_13,
    people,
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
    wide = cells.pivot(index=["alpha", "metric"], columns="test", values="correct")
    return wide.reindex(index=list(itertools.product(LEVELS, FOUR_METRICS)), columns=TESTS)


def theirs(name: str) -> pd.DataFrame:
    """Their correct conclusions about a campaign, laid out as in the paper."""
    printed = printed_table("graham2014", TABLES[name])
    return laid_out(printed.rename(columns={"correct_conclusions": "correct"}))


def theirs_at_05(name: str) -> pd.Series:
    """The same of approximate randomization at .05."""
    return theirs(name)[AR].xs(0.05)


AT_05 = ", ".join(f"{right} {metric} at .05" for metric, right in theirs_at_05(ES_EN).items())
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
    table, at = ours(name), at_05(name)
    by_ar = [grid(name)[metric, AR, alpha] for alpha, metric in table.index]
    total = by_ar[0].total
    spread = int(np.ptp(table, axis=1).max())
    shown = pd.concat({"printed": theirs(name), "ours": table}, axis=1)
    for k, column in enumerate(("accuracy", "low", "high")):
        values = [(one.accuracy, *one.interval)[k] for one in by_ar]
        shown["ours", f"AR, {column} (%)"] = 100 * np.array(values)
    widest = 100 * max(high - low for low, high in (one.interval for one in at.values()))
    return Outcome(
        *(Value(f"{m} at .05", one.correct, of=total) for m, one in at.items()),
        Value("most that tests differ", spread, of=total),
        Value("widest interval at .05 (points)", widest, ".0f"),
        holds=spread <= 0.05 * total,
        table=shown,
    )


def identical_rows() -> Outcome:
    """In how many of 24 rows the three tests conclude the same about every pair."""
    said: dict[Any, list[Any]] = {}
    for name in TABLES:
        for (metric, _, alpha), one in grid(name).items():
            said.setdefault((name, metric, alpha), []).append(one.conclusions.pairs())
    of_pairs = sum(by_test[0].size for by_test in said.values())
    by_row = pd.Series({row: (np.ptp(by_test, axis=0) > 0).sum() for row, by_test in said.items()})
    by_row.index.names = ["campaign", "metric", "alpha"]
    meteor = by_row.index.get_level_values("metric") == "METEOR"
    return Outcome(
        counted("identical rows", by_row == 0),
        counted("rows of equal counts", equal_counts(ours)),
        counted("rows of METEOR, a later version", meteor),
        Value("pairs about which tests differ, all rows", by_row.sum(), of=of_pairs),
        holds=by_row.sum() < 0.01 * of_pairs,
        table=by_row.eq(0).map({True: "identical", False: "differ"}).unstack(sort=False),
    )


def both_tables(counts: Callable[[str], pd.DataFrame]) -> pd.DataFrame:
    """The rows of both campaigns."""
    return pd.concat({name: counts(name) for name in TABLES}, names=["campaign"])


def equal_counts(counts: Callable[[str], pd.DataFrame]) -> pd.Series:
    """In which of 24 rows the three tests have one number of correct conclusions."""
    return both_tables(counts).nunique(axis=1) == 1


EQUAL_PRINTED = equal_counts(theirs).sum()


def text_against_table() -> Outcome:
    """Rows of their tables in which tests differ, and those of metrics said never to."""
    equal = equal_counts(theirs)
    said_never = equal.loc[EN_ES].loc[:, ["BLEU", "NIST"]]
    return Outcome(
        counted("rows of BLEU and NIST that differ, en-es", ~said_never),
        counted("rows of equal counts, printed", equal),
        counted("rows of equal counts, ours", equal_counts(ours)),
        holds=said_never.all(),
        table=both_tables(theirs)[~equal],
    )


def intervals_again() -> Outcome:
    """Their percentages and intervals from their counts, to the last digit."""
    come_out: list[bool] = []
    frames = {}
    for name, which in TABLES.items():
        printed = printed_table("graham2014", which)
        correct, total = printed["correct_conclusions"].astype(int), number(PAIRS[name])
        low, high = clopper_pearson(correct, total)
        ours = {"accuracy": 100 * correct / total, "ci_low": 100 * low, "ci_high": 100 * high}
        computed = pd.DataFrame(ours).add_suffix("_pct")
        each = [reproduced(printed[column], values) for column, values in computed.items()]
        come_out += np.all(each, axis=0).tolist()
        both = printed.drop(columns=["alpha", "metric", "test"]).join(computed.add_prefix("ours: "))
        frames[name] = both.set_index(correct)[~correct.duplicated().to_numpy()]
    table = pd.concat(frames, names=["campaign"]).drop(columns="correct_conclusions")
    return Outcome(
        counted("cells whose three numbers come out", come_out),
        holds=all(come_out),
        table=table.sort_index(),
    )


def printed_section_4_1() -> Outcome:
    """Accuracies that the text quotes, and the lower limits into Spanish."""
    best, best_en_es = theirs_at_05(ES_EN), theirs_at_05(EN_ES).max()
    lower = printed_table("graham2014", TABLES[EN_ES])["ci_low_pct"].astype(float)
    below = lower < number("g-coin")
    return Outcome(
        Value("best at .05, es-en", best.max(), of=number("g-best-of")),
        Value("the same in %", 100 * best.max() / number("g-best-of"), ".1f"),
        Value("best at .05 in %, en-es", 100 * best_en_es / number("g-enes-pairs"), ".1f"),
        counted("lower limits below 50 %, en-es", below),
        holds=below.all() and best.idxmax() == "NIST",
    )


def of_all_four(name: str) -> float:
    """The chi-square test's p of their four metrics at .05."""
    correct = theirs_at_05(name)
    return float(stats.chi2_contingency([correct, number(PAIRS[name]) - correct]).pvalue)


def printed_chi_square() -> Outcome:
    """Their counts at .05 under the chi-square test, two metrics at a time and all four."""
    tables = {}
    for name in TABLES:
        right, of = theirs_at_05(name), number(PAIRS[name])
        given = {metric: (right[metric], of) for metric in FOUR_METRICS}
        tables[name] = mt.chi_square_between(given).set_index(["a", "b"])
    table = pd.concat(tables, names=["campaign"])
    together = {f"p of all four, {name[-5:]}": of_all_four(name) for name in TABLES}
    return Outcome(
        Value("smallest p of twelve", table["pvalue"].min(), ".2f"),
        *rounded(".2f", together),
        holds=(table["pvalue"] > 0.05).all() and min(together.values()) > 0.05,
        table=table,
    )


def assessments() -> Outcome:
    """How many assessments their averages per system make, of those collected."""
    kept = {
        key: sum(number(f"g-sys-{p}") * number(f"g-{key}-{p}") for p in ("esen", "enes"))
        for key in ("ade", "flu")
    }
    return Outcome(
        Value("adequacy, kept", kept["ade"], of=number("g-ade")),
        Value("fluency, kept", kept["flu"], of=number("g-flu")),
        Value("adequacy, kept (%)", 100 * kept["ade"] / number("g-ade"), ".1f"),
        Value("fluency, kept (%)", 100 * kept["flu"] / number("g-flu"), ".1f"),
    )


def reversal() -> Outcome:
    """Rank of the metrics by correct conclusions, es-en, printed and ours; and why it differs.

    Of c correct conclusions at most as many as the metric leaves undecided are about pairs that
    people leave undecided too; the others are about pairs that people decided.
    """
    counts = pd.DataFrame({"printed": theirs(ES_EN)[AR], "ours": ours(ES_EN)[AR]})
    ranks = counts.groupby("alpha").rank(ascending=False, method="min").astype(int)
    cells = {(alpha, metric): grid(ES_EN)[metric, AR, alpha] for alpha, metric in counts.index}
    decided = people(ES_EN).pairs() != 0
    looser = {level: campaign(ES_EN).human.conclusions(alpha=level) for level in (0.2, 0.5)}
    rows = {}
    for cell, one in cells.items():
        said = one.conclusions.pairs()
        right = said == one.gold.pairs()
        rows[cell] = {
            "ours: right where people decide": right[decided].sum(),
            "ours: right where they do not": right[~decided].sum(),
            "left undecided by the metric": (said == 0).sum(),
        }
        for level, gold in looser.items():
            found = mt.agreement(one.conclusions, gold, rng=2014)
            rows[cell][f"ours, people at {level:g}"] = found.correct
    table = pd.DataFrame(rows).T.rename_axis(["alpha", "metric"])
    table = counts.join(ranks.add_suffix(", rank")).join(table)
    least = (table["printed"] - table["left undecided by the metric"]).max()
    our_p = mt.chi_square_between(at_05())["pvalue"].min()
    rank = ranks.loc[0.05]
    return Outcome(
        Value("pairs that their people decided, at least", least, of=len(decided)),
        counted("pairs that the rankings decide", decided),
        Value("p of all four metrics, printed", of_all_four(ES_EN), ".2f"),
        Value("smallest p of six pairs of metrics, ours", our_p, ".3f"),
        *(
            Value(f"rank of {metric} at .05, {whose}", rank[whose][metric])
            for whose in ("printed", "ours")
            for metric in ("NIST", "METEOR")
        ),
        holds=list(rank.index[rank["ours"] == 1]) == ["NIST"],
        table=table,
    )


def coin() -> Outcome:
    """Combinations whose Clopper-Pearson interval contains one half."""
    inside = {
        name: np.array([one.interval[0] < 0.5 < one.interval[1] for one in grid(name).values()])
        for name in TABLES
    }
    decided = people(EN_ES).pairs() != 0
    counts = np.arange(len(decided) + 1)
    enough = counts[clopper_pearson(counts, len(decided))[0] > 0.5].min()
    return Outcome(
        counted("interval contains 50 %, en-es", inside[EN_ES]),
        counted("the same, es-en", inside[ES_EN]),
        counted("pairs that the rankings decide, en-es", decided),
        Value("right conclusions that put an interval above 50 %", enough, of=len(decided)),
        holds=inside[EN_ES].all(),
    )


def at_05(name: str = ES_EN) -> dict[str, Agreement]:
    """The four metrics' agreements with people, approximate randomization at .05."""
    return {metric: grid(name)[metric, AR, 0.05] for metric in FOUR_METRICS}


def of_six(compared: pd.DataFrame, *more: Value) -> Outcome:
    """What becomes of the six pairs of metrics."""
    table = compared.set_index(["a", "b"])
    pvalues: Any = table["pvalue"]
    return Outcome(
        Value("smallest p of six", pvalues.min(), ".3f"),
        Value("p, NIST and METEOR", pvalues["NIST", "METEOR"], ".3f"),
        *more,
        holds=(pvalues > 0.05).all(),
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
    found = {
        "paired bootstrap": mt.paired_bootstrap(pair, *pair.systems, **options),
        "bootstrap, shifted": mt.bootstrap_test(pair, *pair.systems, **options),
        "randomization": mt.approximate_randomization(pair, *pair.systems, **options),
    }
    rows = {
        name: [r.null_distribution.mean(), r.null_distribution.std(), r.statistic, r.pvalue]
        for name, r in found.items()
    }
    columns = ["mean", "s.d.", "observed", "p, two-sided"]
    table = pd.DataFrame.from_dict(rows, "index", columns=columns).rename_axis("distribution")
    spread = table["s.d."]
    return Outcome(
        Value("mean before the shift", table["mean"].iloc[0], "+.3f"),
        Value("observed", table["observed"].iloc[1], "+.3f"),
        Value("s.d., shifted", spread["bootstrap, shifted"], ".3f"),
        Value("s.d., randomization", spread["randomization"], ".3f"),
        table=table,
    )


def human_heatmap() -> Outcome:
    """How many pairs people tell apart, by rankings."""
    apart = {name: people(name).pairs() != 0 for name in TABLES}
    rows = {name: {"told apart": pairs.sum(), "pairs": pairs.size} for name, pairs in apart.items()}
    return Outcome(
        *counts({f"told apart, {name[-5:]}": pairs for name, pairs in apart.items()}),
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
        said.append(decide(tests.statistic - segments**2 / 2, tests.pvalue, 0.05) != 0)
    combined, expected = np.logical_or(*said).mean(), 1 - (1 - 0.05) ** 2
    error = np.sqrt(expected * (1 - expected) / worlds)
    return Outcome(
        Value("adequacy alone", np.mean(said[0]), ".3f"),
        Value("fluency as tie-break", combined, ".3f"),
        Value("expected", expected, ".4f"),
        holds=abs(combined - expected) <= 3 * error,
    )


def metric_heatmaps() -> Outcome:
    """Pairs that each test tells apart, one-sided and uncorrected, at .05."""
    found = {t: compared(ES_EN, "BLEU", test=t, **ONE_SIDED).conclusions(0.05) for t in TESTS}
    how: dict[str, Any] = {"correction": "westfall-young", "n_resamples": 10_000, "rng": 2014}
    corrected = compared(ES_EN, "BLEU", **how).conclusions(0.05)
    return Outcome(
        *(counted(test, c.pairs() != 0) for test, c in found.items()),
        counted("two-sided, corrected", corrected.pairs() != 0),
        holds=all(c == found[AR] for c in found.values()),
    )


def zero_pvalues() -> Outcome:
    """How many p-values are 0 by c/B, and how often a true null hypothesis is then rejected."""
    draws, rows = ONE_SIDED["n_resamples"], {}
    for name, metric, test in itertools.product(TABLES, FOUR_METRICS, TESTS):
        ps = compared(name, metric, test=test, **ONE_SIDED).table["pvalue"].to_numpy()
        counts = np.rint(ps * (draws + 1) - 1)
        turned = [(counts / draws <= level) & (ps > level) for level in LEVELS]
        rows[name, metric, test] = ps.size, (counts == 0).sum(), np.sum(turned)
    found = pd.DataFrame(rows, ["pairs", "zero", "turned"]).sum(axis=1)
    drawn = pd.Index([100, 1000, draws, 10_000], name="draws")
    chance = {level: ((level * drawn + 1e-9).astype(int) + 1) / (drawn + 1) for level in LEVELS}
    table = pd.DataFrame(chance, drawn).add_prefix("true level at ")
    return Outcome(
        Value("p = c/B is 0", found["zero"], of=found["pairs"]),
        Value("conclusions that (c + 1)/(B + 1) turns", found["turned"], of=3 * found["pairs"]),
        Value("true level of .001 with 100 draws", table.iloc[0, -1], ".4f"),
        Value("with 1,000 draws", table.iloc[1, -1], ".4f"),
        table=table,
    )
