"""Koehn (2004): what the paper's numbers say of each other, and its figure on length."""

from __future__ import annotations

from io import StringIO
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

import mtsig_nb as mt
from mtsig_nb.campaigns.printed import printed_table

from ..rows import IN_PART, Outcome, Printed, Value, outcome
from ..shared import number, quoted, statistics

WMT13 = "wmt13/de-en"
PAPER = "koehn2004"
HIS, OURS = "his", "ours"


def table_of(which: int) -> pd.DataFrame:
    """A printed table with numbers in place of their text."""
    return pd.read_csv(StringIO(printed_table(PAPER, which).to_csv(index=False)))


def fitting(share: str, out_of: int) -> list[int]:
    """The counts that are the printed share of so many, in %, after rounding."""
    half = 0.5 * 10.0 ** -Printed(share, "").decimals + 1e-9  # a half may be rounded either way
    return [k for k in range(out_of + 1) if abs(100 * k / out_of - float(share)) <= half]


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
    return outcome(
        Value("printed BLEU above the bound", (bleu > first * last).sum(), of=len(t)),
        Value("lowest bound (%)", 100 * (first * last).min(), ".1f"),
        Value("highest bound (%)", 100 * (first * last).max(), ".1f"),
        Value("consistent with the weight 1/N", consistent.sum(), of=len(t)),
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
    return outcome(
        Value("systems in Table 1", len(printed_table(PAPER, 1))),
        Value("broad samples in so many sentences", whole // int(number("k-300-broad-size"))),
        table=table,
    )


def by_length(metric: str) -> mt.SufficientStatistics:
    """Unit 18's ten lengths: of ten systems' outputs the shortest of each sentence, and so on."""
    bleu = statistics(WMT13, "BLEU")
    ten = list(bleu.scores().index[:10])
    lengths = bleu.select(ten).values[:, :, bleu.metric.columns.index("hyp_len")].astype(int)
    order = np.argsort(lengths + np.random.default_rng(13).random(lengths.shape), axis=0)
    given = statistics(WMT13, metric)
    names = tuple(f"{k} of {len(ten)}" for k in range(1, len(ten) + 1))
    values = given.select(ten).values[order, np.arange(lengths.shape[1])]
    return mt.SufficientStatistics(given.metric, names, values)


def figure_1() -> Outcome:
    """BLEU and GTM by the length of the output, and whether GTM falls on both sides."""
    made = {metric: by_length(metric) for metric in ("BLEU", "GTM")}
    counts = made["BLEU"].values.sum(axis=1)
    scores = pd.DataFrame({name: of.metric.score(of.totals()) for name, of in made.items()})
    relative = scores / scores.max()
    names = made["GTM"].systems
    best = names[int(scores["GTM"].argmax())]
    falls = [
        mt.approximate_randomization(made["GTM"], best, end, rng=2014)
        for end in (names[0], names[-1])
    ]
    table = relative.add_suffix(" / its best").assign(BLEU=scores["BLEU"])
    ratio = pd.Series(counts[:, 0] / counts[:, 1], name="length ratio")
    ends = relative.iloc[[0, -1]]
    holds: bool | Literal["in part"] = bool((ends["BLEU"] < 1).all() and (ends["GTM"] >= 1).all())
    if not holds and (ends["BLEU"] < ends["GTM"]).all():  # GTM falls too, but by less
        holds = IN_PART
    return outcome(
        *(
            Value(f"{metric} / its best, {end}", relative[metric].iloc[place], ".3f")
            for place, end in ((0, "shortest"), (-1, "longest"))
            for metric in relative
        ),
        Value("p, GTM", max(fall.pvalue for fall in falls), ".4f"),
        *(
            Value(f"BLEU, {which}", scores["BLEU"].iloc[place], ".1f")
            for which, place in (("of the shortest", 0), ("best", 4), ("of the longest", -1))
        ),
        holds=holds,
        table=table.set_axis(ratio),
        digits=3,
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
    fits_n_less_one, fits_n = (agree[name].to_numpy() for name in agree)
    which = [fits_n_less_one & fits_n, fits_n_less_one, fits_n]
    table = printed.rename(columns={"t": "printed"}).assign(
        **ours, fits=np.select(which, ["both", "n − 1", "n"], "neither")
    )
    return outcome(
        *(Value(level, by_n.loc[100, level], ".4f") for level in LEVELS),
        *(Value(f"cells with {name}", count, of=len(agree)) for name, count in agree.sum().items()),
        Value("n that the printed 99 % fits", fits["t, 99 %"][0]),
        Value("n from 50 to 200 that the 95 % fits", len(fits["t, 95 %"]), of=len(n)),
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
    return outcome(
        Value("mean (%)", 100 * x.mean(), ".0f"),
        Value("standard deviation (%)", 100 * spread, ".2f"),
        *(
            Value(f"half width {name} (%)", row, ".4f")
            for name, row in table["half width (%)"].items()
        ),
        table=table,
        digits=4,
    )


def figure_5() -> Outcome:
    """The share between the two quantiles that the shaded part of the figure ends at."""
    z = printed_t("95", "inf")
    return outcome(Value("shaded", 2 * stats.norm.cdf(float(z.text)) - 1, ".4f"))


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
    return outcome(
        Value("conclusions in Table 4", counted, of=tests),
        Value("at 95 % or more, Table 4", sure),
        Value("least that Table 3 allows", low),
        Value("most", high),
        Value("differences that are those of Table 1", same.sum(), of=len(pairs)),
        holds=bool(
            counted == tests
            and low <= sure <= high
            and by_four.fewest <= by_three.most
            and by_three.fewest <= by_four.most
            and same.all()
        ),
        table=table.rename_axis(""),
    )
