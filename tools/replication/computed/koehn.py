"""Koehn (2004): how much BLEU wobbles, and the paired bootstrap."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.engine.resampling import bootstrap_counts
from mtsig_nb.metrics.base import FloatArray
from mtsig_nb.significance.intervals import limits

from ..rows import Outcome, Printed, Value
from ..shared import statistics

WMT12, WMT13 = "wmt12/es-en", "wmt13/es-en"


def table_1() -> Outcome:
    """n-gram precisions beside BLEU, best system first."""
    bleu = statistics(WMT12, "BLEU")
    totals = pd.DataFrame(bleu.totals(), index=list(bleu.systems), columns=bleu.metric.columns)
    orders = (1, 2, 3, 4)
    table = pd.DataFrame(
        {f"{n}-gram": 100 * totals[f"match_{n}"] / totals[f"total_{n}"] for n in orders}
    ).assign(BLEU=bleu.scores())
    table = table.sort_values("BLEU", ascending=False).rename_axis("system")
    worst_to_best = table.iloc[-1] / table.iloc[0]
    by_order = [float(worst_to_best[f"{n}-gram"]) for n in orders]
    return Outcome(
        [Value(f"worst / best, {n}-gram", by_order[n - 1], ".2f") for n in (1, 4)]
        + [Value("BLEU", worst_to_best["BLEU"], ".2f")],
        holds=by_order == sorted(by_order, reverse=True),
        table=table,
        digits=1,
    )


def figure_1() -> Outcome:
    """BLEU and GTM of one system on test sets chosen by the ratio of lengths."""
    bleu, gtm = statistics(WMT12, "BLEU"), statistics(WMT12, "GTM")
    counts, of_gtm = (s.values[s.index("uedin-wmt12")] for s in (bleu, gtm))
    _, length, sharing = np.unique(
        counts[:, 0] - counts[:, 1], return_inverse=True, return_counts=True
    )
    last = np.cumsum(sharing)  # segments as many words too long share their places in a window
    starts = np.arange(0, len(counts) - 1000, 50)[:, None]
    places = np.minimum(last, starts + 1000) - np.maximum(last - sharing, starts)
    weights = (places.clip(min=0) / sharing)[:, length]
    sums = weights @ counts
    curve = pd.DataFrame(
        {
            "length ratio": sums[:, 0] / sums[:, 1],
            "BLEU": bleu.metric.score(sums),
            "GTM": 100 * gtm.metric.score(weights @ of_gtm),
        }
    )
    relative = curve[["BLEU", "GTM"]] / curve[["BLEU", "GTM"]].max()
    short, long = relative.iloc[0], relative.iloc[-1]
    return Outcome(
        [
            Value("BLEU / its best, shortest outputs", short["BLEU"], ".2f"),
            Value("longest", long["BLEU"], ".2f"),
            Value("GTM, shortest", short["GTM"], ".2f"),
            Value("GTM, longest", long["GTM"], ".2f"),
        ],
        holds=bool((relative.iloc[[0, -1]].max(axis=1) < 1).all()),
        table=curve.iloc[::10].set_index("length ratio"),
    )


def of_ten(blocks: bool) -> pd.DataFrame:
    """Every system's BLEU on ten test sets of 300: consecutive sentences, or every tenth."""
    bleu = statistics(WMT12, "BLEU")
    values = bleu.values[:, :3000]
    shape = (len(values), 10, 300, -1) if blocks else (len(values), 300, 10, -1)
    sums = values.reshape(shape).sum(axis=2 if blocks else 1)
    return pd.DataFrame(bleu.metric.score(sums), index=list(bleu.systems))


def figure_2() -> Outcome:
    """Blocks."""
    scores = of_ten(blocks=True).loc["GTH-UPM"]
    return Outcome(
        [
            Value("lowest of ten", scores.min(), ".1f"),
            Value("highest", scores.max(), ".1f"),
            Value("s.d.", scores.std(), ".2f"),
        ]
    )


def figure_3() -> Outcome:
    """Broad samples, for all systems beside their blocks."""
    broad, blocks = of_ten(blocks=False), of_ten(blocks=True)
    scores = broad.loc["GTH-UPM"]
    narrower = broad.std(axis=1) < blocks.std(axis=1)
    table = pd.DataFrame({"s.d., blocks": blocks.std(axis=1), "broad": broad.std(axis=1)})
    return Outcome(
        [
            Value("lowest of ten", scores.min(), ".1f"),
            Value("highest", scores.max(), ".1f"),
            Value("s.d.", scores.std(), ".2f"),
            Value("systems that vary less than on blocks", narrower.sum(), of=len(narrower)),
        ],
        holds=bool(narrower.all()),
        table=table.rename_axis("system"),
    )


PRINTED_T = {
    "t, 95 %": Printed("1.9849", "Table 2, n = 100"),
    "t, 99 %": Printed("2.6259", "Table 2, n = 100"),
}
LEVELS = {"t, 95 %": 0.975, "t, 99 %": 0.995}


def table_2() -> Outcome:
    """Quantiles of Student's t for n = 100, and which other n the printed ones would fit."""
    n = np.arange(50, 201)
    table = pd.DataFrame({level: stats.t.ppf(p, n - 1) for level, p in LEVELS.items()}, index=n)
    fitting = {
        level: [k for k, t in table[level].items() if printed.reproduced_by(t)]
        for level, printed in PRINTED_T.items()
    }
    return Outcome(
        [
            *(Value(level, table.loc[100, level], ".4f") for level in LEVELS),
            Value("n that the printed 99 % fits", fitting["t, 99 %"][0]),
            Value("n from 50 to 200 that the 95 % fits", len(fitting["t, 95 %"]), of=len(n)),
        ],
        table=table.loc[96:102].rename_axis("n"),
        digits=4,
    )


def coverage() -> Outcome:
    """A hundred percentile intervals against a known truth, as in notebook 02."""
    whole = statistics(WMT12, "BLEU").select(["GTH-UPM"])
    truth = float(whole.metric.score(whole.totals())[0])
    hit = 0
    for number in range(100):
        drawn = np.random.default_rng(number).integers(whole.n_segments, size=300)
        found = mt.confidence_interval(whole.subset(drawn), "GTH-UPM", n_resamples=1000, rng=number)
        hit += found.low <= truth <= found.high
    low, high = stats.binomtest(hit, 100).proportion_ci(method="exact")
    return Outcome([Value("contain the truth", hit, of=100)], holds=bool(low <= 0.95 <= high))


#: The truly better system first; from plainly different to all but the same (notebook 03).
CONTESTS = (
    ("online-G", "rbmt-4"),
    ("online-B", "uedin-wmt13.2877"),
    ("FDA.2901", "JHU.2776"),
    ("JHU.2776", "online-G"),
    ("uedin-wmt13.2877", "LIMSI-Ncode-SOUL-primary.2598"),
    ("DCU-Prompsit.2880", "online-A"),
    ("rbmt-1", "online-C"),
    ("LIMSI-Ncode-SOUL-primary.2598", "DCU-Prompsit.2880"),
    ("MES.2801", "online-A"),
)
POPULATION = 30_000
SIZES = (100, 300, 600, 3000)
N_TEST_SETS = 100


class Validation(NamedTuple):
    """A hundred test sets of one size."""

    won: FloatArray  # share of resamples that the truly better system wins, (test sets, contests)
    lost: FloatArray
    hits: npt.NDArray[np.bool_]  # interval of a system's score contains the truth, (sets, systems)
    widths: FloatArray


@lru_cache(maxsize=1)
def population() -> mt.SufficientStatistics:
    """30,000 sentences drawn from WMT13 es-en; their scores are the truth."""
    bleu = statistics(WMT13, "BLEU")
    names = dict.fromkeys(system for contest in CONTESTS for system in contest)
    drawn = np.random.default_rng(POPULATION).integers(bleu.n_segments, size=POPULATION)
    return bleu.select(names).subset(drawn)


def true_differences() -> pd.Series:
    """How much better the better system of each contest is, in BLEU."""
    truth = population().scores()
    return pd.Series(
        {f"{a.split('.')[0]} − {b.split('.')[0]}": truth[a] - truth[b] for a, b in CONTESTS}
    )


@lru_cache(maxsize=len(SIZES))
def validation(size: int) -> Validation:
    """1,000 resamples of each of a hundred test sets drawn from the population.

    All test sets of a size share the weights, which leaves each share what it is.  Sums of counts
    stay below 2**24, so single precision is exact.
    """
    whole = population()
    names, score = list(whole.systems), whole.metric.score
    truth = score(whole.totals())
    sentences = np.moveaxis(whole.values, 1, 0).reshape(POPULATION, -1).astype(np.float32)
    blocks = [bootstrap_counts(500, size, seed=size, key=(block,)) for block in range(2)]
    weights = np.concatenate(blocks).astype(np.float32)
    ahead = [names.index(a) for a, _ in CONTESTS]
    behind = [names.index(b) for _, b in CONTESTS]
    rng = np.random.default_rng(size)
    found = []
    for _ in range(N_TEST_SETS):
        test_set = sentences[rng.choice(POPULATION, size, replace=False)]
        sums = (weights @ test_set).astype(np.float64).reshape(len(weights), len(names), -1)
        scores = score(sums)
        difference = scores[:, ahead] - scores[:, behind]
        low, high = limits(scores.T, 0.0, 0.95, "percentile")
        inside = (low <= truth) & (truth <= high)
        found.append(
            ((difference > 0).mean(axis=0), (difference < 0).mean(axis=0), inside, high - low)
        )
    return Validation(*(np.array(part) for part in zip(*found, strict=True)))


def intervals_by_size() -> Outcome:
    """How many intervals miss, and how wide they are, by size of the test set."""
    rows = {n: validation(n) for n in SIZES}
    total = rows[SIZES[0]].hits.size
    table = pd.DataFrame(
        {
            "intervals that miss": {n: int((~v.hits).sum()) for n, v in rows.items()},
            "of": total,
            "mean width (BLEU)": {n: v.widths.mean() for n, v in rows.items()},
        }
    ).rename_axis("sentences")
    width = table["mean width (BLEU)"]
    misses = table["intervals that miss"]
    return Outcome(
        [
            *(Value(f"misses, {n:,} sentences", misses[n], of=total) for n in (100, 3000)),
            Value("width, 100 / 3,000", width[100] / width[3000], ".1f"),
        ],
        holds=bool(width.is_monotonic_decreasing and ((misses / total - 0.05).abs() < 0.02).all()),
        table=table,
    )


def table_3() -> Outcome:
    """Conclusions at 95 % by size of the test set."""
    columns = {}
    for n in SIZES:
        columns[f"{n:,}: right"] = (validation(n).won >= 0.95).sum(axis=0)
        columns[f"{n:,}: wrong"] = (validation(n).lost >= 0.95).sum(axis=0)
    truth = true_differences()
    table = pd.DataFrame({"true difference": truth} | columns, index=truth.index)
    right = [int(columns[f"{n:,}: right"].sum()) for n in SIZES]
    wrong = [int(columns[f"{n:,}: wrong"].sum()) for n in SIZES]
    shares = [r / (r + w) for r, w in zip(right, wrong, strict=True)]
    pair = table.loc["DCU-Prompsit − online-A"]
    return Outcome(
        [
            *(
                Value(f"right, {n:,} sentences", count, of=N_TEST_SETS * len(CONTESTS))
                for n, count in zip(SIZES, right, strict=True)
            ),
            Value("one pair, 300", pair["300: right"], of=N_TEST_SETS),
            Value("one pair, 3,000", pair["3,000: right"], of=N_TEST_SETS),
        ],
        holds=right == sorted(right) and min(shares) >= 0.9,
        table=table.rename_axis("pair"),
    )


def table_4() -> Outcome:
    """Conclusions on 300 sentences by level."""
    levels = (0.95, 0.90, 0.80, 0.70, 0.60)
    found = validation(300)
    right = np.array([(found.won >= level).sum() for level in levels])
    wrong = np.array([(found.lost >= level).sum() for level in levels])
    table = pd.DataFrame(
        {"drawn": right + wrong, "right": right, "share right": right / (right + wrong)},
        index=pd.Index(levels, name="level"),
    )
    return Outcome(
        [
            Value("drawn at 95 %", table["drawn"].iloc[0], of=found.won.size),
            Value("share right at 95 %", table["share right"].iloc[0], ".3f"),
            Value("share right at 60 %", table["share right"].iloc[-1], ".3f"),
        ],
        holds=bool((table["share right"] >= table.index).all()),
        table=table,
        digits=3,
    )


def figures_7_8() -> Outcome:
    """The share of resamples won, over a hundred test sets of one pair."""
    here = list(true_differences().index).index("DCU-Prompsit − online-A")
    shares = {n: 100 * validation(n).won[:, here] for n in (300, 3000)}
    quantiles = {n: np.quantile(s, [0, 0.25, 0.5, 0.75, 1]) for n, s in shares.items()}
    table = pd.DataFrame(
        quantiles, index=["lowest", "quarter", "median", "three quarters", "highest"]
    )
    return Outcome(
        [
            *(Value(f"median, {n:,} sentences (%)", q[2], ".0f") for n, q in quantiles.items()),
            Value("won by 95 %, 300 sentences", (shares[300] >= 95).sum(), of=N_TEST_SETS),
            Value("won by 95 %, 3,000", (shares[3000] >= 95).sum(), of=N_TEST_SETS),
        ],
        holds=bool(quantiles[3000][2] > quantiles[300][2]),
        table=table.rename_axis("share of resamples won (%)"),
        digits=1,
    )


def three_hundred() -> Outcome:
    """The claim of the abstract: 300 sentences may be enough."""
    found, truth = validation(300), true_differences().to_numpy()
    right, wrong = found.won >= 0.95, found.lost >= 0.95
    large = truth > 2
    return Outcome(
        [
            Value("conclusions right", right.sum(), of=(right | wrong).sum()),
            Value(
                "found, pairs over 2 BLEU apart",
                right[:, large].sum(),
                of=N_TEST_SETS * int(large.sum()),
            ),
            Value(
                "found, other pairs", right[:, ~large].sum(), of=N_TEST_SETS * int((~large).sum())
            ),
        ],
        holds=bool(right.sum() >= 0.95 * (right | wrong).sum()),
    )
