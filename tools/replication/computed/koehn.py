"""Koehn (2004): how much BLEU wobbles, and the paired bootstrap."""

from __future__ import annotations

from functools import lru_cache
from io import StringIO
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.campaigns.printed import printed_table
from mtsig_nb.engine.resampling import bootstrap_counts
from mtsig_nb.metrics.base import FloatArray
from mtsig_nb.significance.intervals import limits

from ..rows import Outcome, Printed, Value
from ..shared import Page, statistics

WMT12, WMT13 = "wmt12/es-en", "wmt13/es-en"
PAPER = "koehn2004"
PAGE = Page(PAPER)
text, quoted, number = PAGE.text, PAGE.quoted, PAGE.number
HIS, OURS = "his", "ours"


def table_of(which: int) -> pd.DataFrame:
    """A printed table with numbers in place of their text."""
    return pd.read_csv(StringIO(printed_table(PAPER, which).to_csv(index=False)))


def fitting(share: str, out_of: int) -> list[int]:
    """The counts that are the printed share of so many, in %, after rounding."""
    half = 0.5 * 10.0 ** -Printed(share, "").decimals + 1e-9  # a half may be rounded either way
    return [k for k in range(out_of + 1) if abs(100 * k / out_of - float(share)) <= half]


def table_1() -> Outcome:
    """n-gram precisions beside BLEU, best system first."""
    his = printed_table(PAPER, 1).set_index("system")
    his = his.set_axis(["1-gram", "4-gram", "BLEU"], axis=1)
    decline = his.iloc[-1].astype(float) / his.iloc[0].astype(float)
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
        [
            Value("worst / best, 1-gram", by_order[0], ".2f"),
            Value("worst / best, 4-gram", by_order[3], ".2f"),
            *(Value(f"of his Table 1, {n}-gram", decline[f"{n}-gram"], ".2f") for n in (1, 4)),
            Value("BLEU", worst_to_best["BLEU"], ".2f"),
        ],
        holds=by_order == sorted(by_order, reverse=True),
        table=stacked(his, table),
        digits=1,
    )


def stacked(his: pd.DataFrame, ours: pd.DataFrame) -> pd.DataFrame:
    """His table over ours, in one layout; what only one of them has is empty in the other."""
    columns = sorted({*his, *ours}, key=list(ours).index)
    both = pd.concat(
        {
            whose: t.reindex(columns=columns).astype(object)
            for whose, t in ((HIS, his), (OURS, ours))
        }
    )
    return both.where(both.notna(), None).rename_axis(["", ours.index.name])


def equation_1() -> Outcome:
    """BLEU's bound by equation (1) as printed, beside the BLEU that Table 1 prints.

    Without the weight 1/N BLEU is a product of N precisions and a penalty, none above one, so that
    two of the precisions bound it.
    """
    t = table_of(1).set_index("system")
    first, last, bleu = (
        t[c] / 100 for c in ("unigram_precision_pct", "fourgram_precision_pct", "bleu_pct")
    )
    between = (bleu ** number("k-N") / (first * last)) ** (1 / (number("k-N") - 2))
    table = pd.DataFrame(
        {
            "1-gram": t["unigram_precision_pct"],
            "4-gram": t["fourgram_precision_pct"],
            "bound without 1/N": 100 * first * last,
            "BLEU, printed": t["bleu_pct"],
            "with 1/N, mean of 2- and 3-gram": 100 * between,
        }
    )
    consistent = (last < between) & (between < first)
    return Outcome(
        [
            Value("printed BLEU above the bound", (bleu > first * last).sum(), of=len(t)),
            Value("lowest bound (%)", 100 * (first * last).min(), ".1f"),
            Value("highest bound (%)", 100 * (first * last).max(), ".1f"),
            Value("consistent with the weight 1/N", consistent.sum(), of=len(t)),
        ],
        table=table,
        digits=1,
    )


def contradictions() -> Outcome:
    """Numbers that two places of the paper print differently, and what the rest of it implies."""
    whole = int(number("k-t3-total"))
    places = {
        "systems of Table 1": ("k-six", "k-three-caption", "k-three-text"),
        "broad samples": (
            "k-300-broad-n",
            "k-broad-n",
            "k-fig3-n",
            "k-fig4-n",
            "k-fig6-n",
            "k-fig7-n",
            "k-fig8-n",
        ),
    }
    found = {
        (what, name): {"place": quoted(name).where, "printed": quoted(name).text}
        for what, names in places.items()
        for name in names
    }
    table = pd.DataFrame(found).T.rename_axis(["", "id"])
    return Outcome(
        [
            Value("systems in Table 1", len(printed_table(PAPER, 1))),
            Value("broad samples in so many sentences", whole // int(number("k-300-broad-size"))),
        ],
        table=table,
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


def extremes(name: str) -> dict[str, Printed]:
    """The lowest and the highest of his hundred, beside the extremes of our ten."""
    return {"lowest of ten": quoted(name), "highest": quoted(name, "value_to")}


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


def printed_t(level: str, size: str) -> Printed:
    """A cell of Table 2."""
    cells = printed_table(PAPER, 2).set_index(["level_pct", "sample_size"])["t"]
    return Printed(cells[level, size], f"Table 2, n = {size}")


PRINTED_T = {f"t, {level} %": printed_t(level, "100") for level in ("95", "99")}
LEVELS = {"t, 95 %": 0.975, "t, 99 %": 0.995}


def table_2() -> Outcome:
    """All twelve quantiles with n - 1 and with n degrees of freedom, and which are printed."""
    n = np.arange(50, 201)
    by_n = pd.DataFrame({level: stats.t.ppf(p, n - 1) for level, p in LEVELS.items()}, index=n)
    fits = {
        level: [k for k, t in by_n[level].items() if printed.reproduced_by(t)]
        for level, printed in PRINTED_T.items()
    }
    printed = printed_table(PAPER, 2).set_index(["level_pct", "sample_size"])
    level, size = (printed.index.get_level_values(k).astype(float) for k in (0, 1))
    ours = {
        f"{name} degrees": stats.t.ppf(0.5 + level / 200, size - less)
        for name, less in (("n − 1", 1), ("n", 0))
    }
    agree = pd.DataFrame(
        {
            name: [
                Printed(text, "").reproduced_by(t)
                for text, t in zip(printed["t"], found, strict=True)
            ]
            for name, found in ours.items()
        },
        index=printed.index,
    )
    names = {
        (True, True): "both",
        (True, False): "n − 1",
        (False, True): "n",
        (False, False): "neither",
    }
    table = printed.rename(columns={"t": "printed"}).assign(
        **ours, fits=[names[bool(a), bool(b)] for a, b in agree.to_numpy()]
    )
    return Outcome(
        [
            *(Value(level, by_n.loc[100, level], ".4f") for level in LEVELS),
            *(
                Value(f"cells with {name}", count, of=len(agree))
                for name, count in agree.sum().items()
            ),
            Value("n that the printed 99 % fits", fits["t, 99 %"][0]),
            Value("n from 50 to 200 that the 95 % fits", len(fits["t, 95 %"]), of=len(n)),
        ],
        table=table.rename_axis(["level (%)", "n"]),
        digits=4,
    )


def worked_example() -> Outcome:
    """Equations (3) to (5) on the example of section 4, which ends without a number."""
    n, right = int(number("k-ex-n")), int(number("k-ex-correct"))
    x = np.repeat([1.0, 0.0], [right, n - right])
    spread = x.std(ddof=1)
    factors = {
        "with the printed t": float(PRINTED_T["t, 95 %"].text),
        f"with {n - 1} degrees of freedom": stats.t.ppf(LEVELS["t, 95 %"], n - 1),
    }
    table = pd.DataFrame(
        {
            name: {"t": t, "half width (%)": 100 * t * spread / np.sqrt(n)}
            for name, t in factors.items()
        }
    ).T.rename_axis("")
    return Outcome(
        [
            Value("mean (%)", 100 * x.mean(), ".0f"),
            Value("standard deviation (%)", 100 * spread, ".2f"),
            *(
                Value(f"half width {name} (%)", row, ".4f")
                for name, row in table["half width (%)"].items()
            ),
        ],
        table=table,
        digits=4,
    )


def figure_5() -> Outcome:
    """The share between the two quantiles that the shaded part of the figure ends at."""
    z = printed_t("95", "inf")
    return Outcome([Value("shaded", 2 * stats.norm.cdf(float(z.text)) - 1, ".4f")])


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
    """Test sets of one size."""

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


def alike(difference: float) -> str:
    """Our pair whose true difference is closest to one of his."""
    return str((true_differences() - difference).abs().idxmin())


def figure_4() -> Outcome:
    """The difference of one pair on disjoint broad samples, as he takes them."""
    difference, size = number("k-es-da-truth"), int(number("k-300-broad-size"))
    pair = alike(difference)
    whole = population()
    a, b = CONTESTS[list(true_differences().index).index(pair)]
    sums = whole.select([a, b]).values.reshape(2, size, POPULATION // size, -1).sum(axis=1)
    better, worse = whole.metric.score(sums)
    leads = better - worse
    return Outcome(
        [
            Value("true difference", true_differences()[pair], ".2f"),
            Value("largest lead", leads.max(), ".1f"),
            Value("samples with the other one ahead", (leads < 0).sum(), of=len(leads)),
            Value("its largest lead", max(0.0, -leads.min()), ".2f"),
        ]
    )


@lru_cache(maxsize=len(SIZES) + 1)
def validation(size: int, n_test_sets: int = N_TEST_SETS) -> Validation:
    """1,000 resamples of each of so many test sets drawn from the population.

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
    for _ in range(n_test_sets):
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
        table=table,
    )


def in_percent(size: int) -> dict[str, list[int]]:
    """Right and wrong conclusions at 95 % on a hundred test sets, by contest."""
    found = validation(size)
    return {
        f"{size:,} right (%)": [round(100 * x) for x in (found.won >= 0.95).mean(axis=0)],
        f"{size:,} wrong (%)": [round(100 * x) for x in (found.lost >= 0.95).mean(axis=0)],
    }


def his_table_3() -> pd.DataFrame:
    """As printed, a row a pair."""
    long = printed_table(PAPER, 3)
    wide = {
        "difference (BLEU)": long.groupby("comparison", sort=False)["bleu_difference_pct"].first()
    }
    for size in SIZES:
        cells = long[long["sample_size"] == str(size)]
        by_pair = cells.set_index("comparison")
        wide[f"{size:,} right (%)"] = by_pair["correct_pct"]
        wide[f"{size:,} wrong (%)"] = by_pair["wrong_pct"].replace("", None)
    return pd.DataFrame(wide)


def table_3() -> Outcome:
    """Conclusions at 95 % by size of the test set."""
    truth = true_differences()
    columns = {name: cells for n in SIZES for name, cells in in_percent(n).items()}
    ours = pd.DataFrame({"difference (BLEU)": truth} | columns, index=truth.index)
    right = {n: int((validation(n).won >= 0.95).sum()) for n in SIZES}
    wrong = {n: int((validation(n).lost >= 0.95).sum()) for n in SIZES}
    pair = ours.loc["DCU-Prompsit − online-A"]
    return Outcome(
        [
            *(
                Value(f"{side}, {n:,} sentences", counts[n], of=N_TEST_SETS * len(CONTESTS))
                for sizes in ((100, 300), (600, 3000))
                for side, counts in (("right", right), ("wrong", wrong))
                for n in sizes
            ),
            Value("one pair, 300", pair["300 right (%)"], of=N_TEST_SETS),
            Value("one pair, 3,000", pair["3,000 right (%)"], of=N_TEST_SETS),
        ],
        holds=wrong[100] > wrong[300],
        table=stacked(his_table_3(), ours.rename_axis("pair")),
        digits=1,
    )


def his_samples() -> dict[int, int]:
    """Test sets by their size, as the caption of Table 3 has them."""
    return {size: int(number(f"k-t3-n{size}")) for size in SIZES}


def by_bins(contests: npt.NDArray[np.bool_]) -> pd.DataFrame:
    """Conclusions sorted into the bins of Table 4, on as many test sets of each size as his."""
    sets = his_samples()
    found = {size: validation(size, max(n, N_TEST_SETS)) for size, n in sets.items()}
    won, lost = (
        np.concatenate(
            [getattr(found[size], part)[:n, contests].ravel() for size, n in sets.items()]
        )
        for part in ("won", "lost")
    )
    lows = table_of(4)["level_low_pct"].to_numpy()
    of = np.searchsorted(-lows, -100 * np.maximum(won, lost) - 1e-9)
    drawn, right = (
        np.bincount(of[which], minlength=len(lows)) for which in (of < len(lows), won > lost)
    )
    return pd.DataFrame({"conclusions": drawn, "right (%)": 100 * right / drawn})


def table_4() -> Outcome:
    """Conclusions by level, in the bins of the paper."""
    printed = printed_table(PAPER, 4)
    lows, highs = printed["level_low_pct"], printed["level_high_pct"]
    his = table_of(4).rename(columns={"correct_pct": "right (%)"})[["conclusions", "right (%)"]]
    closest = table_of(3)["bleu_difference_pct"].min()
    of_all, of_apart = (
        by_bins((true_differences() >= least).to_numpy()) for least in (0.0, closest)
    )
    apart = f"ours, {closest} BLEU apart and more"
    table = pd.concat({HIS: his, OURS: of_all, apart: of_apart}, axis=1).set_axis(
        lows.where(lows == highs, lows + "–" + highs)
    )
    level = lows.astype(float).to_numpy()
    kept = {name: table[name]["right (%)"].to_numpy() >= level for name in (HIS, OURS, apart)}
    found = validation(300)
    right, wrong = ((share >= 0.95).sum() for share in (found.won, found.lost))
    return Outcome(
        [
            *(
                Value(f"bins right as often as their level, {n}", k.sum(), of=k.size)
                for n, k in kept.items()
            ),
            Value("drawn at 95 %", right + wrong, of=found.won.size),
            Value("share right at 95 %", right / (right + wrong), ".3f"),
        ],
        holds=bool(kept[OURS].all()),
        table=table.rename_axis("level (%)"),
        digits=1,
    )


class Wrong(NamedTuple):
    """How many conclusions at 95 % and more are wrong, within what rounding allows."""

    fewest: int
    most: int


def sure_in_table_4() -> pd.DataFrame:
    """Its rows at the level that Table 3 is about, or above it."""
    rows = table_of(4)
    return rows[rows["level_low_pct"] >= number("k-t3-level")]


def wrong_in_table_4() -> Wrong:
    """From the shares right of its rows."""
    sure = sure_in_table_4()[["correct_pct", "conclusions"]].to_numpy()
    allowed = [fitting(str(100 - right), drawn) for right, drawn in sure]
    return Wrong(sum(min(a) for a in allowed), sum(max(a) for a in allowed))


def allowed_by_table_3(column: str) -> list[list[int]]:
    """The counts that each printed share may be."""
    cells = printed_table(PAPER, 3)
    return [
        fitting(share, int(n))
        for share, n in zip(cells[column], cells["samples"], strict=True)
        if share
    ]


def wrong_in_table_3() -> Wrong:
    """From its shares wrong."""
    allowed = allowed_by_table_3("wrong_pct")
    return Wrong(sum(min(a) for a in allowed), sum(max(a) for a in allowed))


def tables_3_and_4() -> Outcome:
    """Whether the two tables count the same conclusions, and Table 1 their differences."""
    three, four, bleu = table_of(3), table_of(4), table_of(1).set_index("system")["bleu_pct"]
    tests = int(three["samples"].sum())
    counted = int(four["conclusions"].sum())
    sure = int(sure_in_table_4()["conclusions"].sum())
    shares = allowed_by_table_3("correct_pct") + allowed_by_table_3("wrong_pct")
    low, high = sum(min(a) for a in shares), sum(max(a) for a in shares)
    by_three = wrong_in_table_3()
    by_four = wrong_in_table_4()
    pairs = three.drop_duplicates("comparison")
    apart = pairs["better"].map(bleu) - pairs["worse"].map(bleu)
    same = np.isclose(apart, pairs["bleu_difference_pct"])
    table = pd.DataFrame(
        {
            "tests, Table 3; conclusions, Table 4": [tests, tests, counted],
            "at 95 % or more": [low, high, sure],
            "wrong among them, fewest": [by_three.fewest, by_three.fewest, by_four.fewest],
            "most": [by_three.most, by_three.most, by_four.most],
        },
        index=["Table 3, least", "Table 3, most", "Table 4"],
    )
    return Outcome(
        [
            Value("conclusions in Table 4", counted, of=tests),
            Value("at 95 % or more, Table 4", sure),
            Value("least that Table 3 allows", low),
            Value("most", high),
            Value("differences that are those of Table 1", same.sum(), of=len(pairs)),
        ],
        holds=bool(
            counted == tests
            and low <= sure <= high
            and by_four.fewest <= by_three.most
            and by_three.fewest <= by_four.most
            and same.all()
        ),
        table=table.rename_axis(""),
    )


def one_in_twenty() -> Outcome:
    """The share of conclusions that are wrong, in the printed tables and in ours."""
    expected = 1 / number("k-expected-wrong")
    sure = int(sure_in_table_4()["conclusions"].sum())
    both = wrong_in_table_3(), wrong_in_table_4()
    wrong = Wrong(max(w.fewest for w in both), min(w.most for w in both))
    pair_wrong = number("k-pt-da-wrong")
    ours = {size: validation(size) for size in SIZES}
    rows = {
        ("his", "Portuguese and Danish, 300"): (
            pair_wrong,
            number("k-pt-da-conclusions"),
            number("k-pair-sets"),
        ),
        ("his", "all, fewest"): (wrong.fewest, sure, table_of(4)["conclusions"].sum()),
        ("his", "all, most"): (wrong.most, sure, table_of(4)["conclusions"].sum()),
    } | {
        ("ours", f"nine pairs, {size:,}"): (
            (v.lost >= 0.95).sum(),
            (v.lost >= 0.95).sum() + (v.won >= 0.95).sum(),
            v.won.size,
        )
        for size, v in ours.items()
    }
    table = pd.DataFrame(rows, index=["wrong", "conclusions", "tests"]).T.astype(int)
    table["of conclusions (%)"] = 100 * table["wrong"] / table["conclusions"]
    table["of tests (%)"] = 100 * table["wrong"] / table["tests"]
    share = table["of conclusions (%)"]
    pair = table.iloc[0]
    return Outcome(
        [
            Value("Portuguese and Danish, of conclusions (%)", pair["of conclusions (%)"], ".1f"),
            Value("of tests (%)", pair["of tests (%)"], ".1f"),
            Value("all of his, fewest (%)", share[HIS, "all, fewest"], ".2f"),
            Value("all of his, most (%)", share[HIS, "all, most"], ".2f"),
        ],
        holds=bool(share[HIS, "all, fewest"] <= 100 * expected <= share[HIS, "all, most"]),
        table=table.rename_axis(["", "pairs, sentences"]),
    )


def figures_7_8() -> Outcome:
    """Two pairs, one plainly and one hardly different, on a hundred test sets of 300."""
    truth, found = true_differences(), validation(300)
    rows, quartiles = {}, {}
    printed = his_table_3()
    for name, his in (
        ("k-es-da-truth", "Spanish better than Danish"),
        ("k-pt-da-truth", "Portuguese better than Danish"),
    ):
        cells = printed.loc[his, ["300 right (%)", "300 wrong (%)"]].fillna("0").astype(int)
        rows[HIS, his] = [text(name), *cells, None, None, None]
        pair = alike(number(name))
        here = list(truth.index).index(pair)
        won = found.won[:, here]
        quartiles[name] = np.quantile(100 * won, [0.25, 0.5, 0.75])
        rows[OURS, pair] = [
            truth[pair],
            int((won >= 0.95).sum()),
            int((found.lost[:, here] >= 0.95).sum()),
            *quartiles[name],
        ]
    table = pd.DataFrame(
        rows,
        index=[
            "difference (BLEU)",
            "right",
            "wrong",
            "won (%), quarter",
            "median",
            "three quarters",
        ],
        dtype=object,
    ).T.rename_axis(["", "pair"])
    ours = table.loc[OURS]
    return Outcome(
        [
            Value("Figure 7, right", ours["right"].iloc[0], of=N_TEST_SETS),
            Value("Figure 8, right", ours["right"].iloc[1], of=N_TEST_SETS),
            Value("Figure 8, wrong", ours["wrong"].iloc[1], of=N_TEST_SETS),
        ],
        table=table,
        digits=1,
    )


def three_hundred() -> Outcome:
    """The claim of the abstract: 300 sentences may be enough."""
    size, enough = int(number("k-abstract-size")), number("k-reliable")
    found, truth = validation(size), true_differences().to_numpy()
    right, wrong = found.won >= 0.95, found.lost >= 0.95
    large = truth >= enough
    his = table_of(3)
    his = his[his["sample_size"] == size]
    his_large = his["bleu_difference_pct"] >= enough
    his_wrong = pd.to_numeric(his["wrong_pct"]).fillna(0).sum()
    table = pd.DataFrame(
        {
            HIS: [
                100 * his["correct_pct"].sum() / (his["correct_pct"].sum() + his_wrong),
                his.loc[his_large, "correct_pct"].mean(),
                his.loc[~his_large, "correct_pct"].mean(),
            ],
            OURS: [
                100 * right.sum() / (right | wrong).sum(),
                100 * right[:, large].mean(),
                100 * right[:, ~large].mean(),
            ],
        },
        index=["conclusions right", f"found, pairs {enough:g} BLEU apart", "found, other pairs"],
    )
    return Outcome(
        [
            Value("conclusions right", right.sum(), of=(right | wrong).sum()),
            Value(
                f"found, pairs {enough:g} BLEU apart",
                right[:, large].sum(),
                of=right[:, large].size,
            ),
            Value("found, other pairs", right[:, ~large].sum(), of=right[:, ~large].size),
        ],
        holds=bool(right.sum() >= 0.95 * (right | wrong).sum()),
        table=table.rename_axis("in %"),
        digits=1,
    )
