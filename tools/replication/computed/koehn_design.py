"""Koehn (2004): what his numbers say of each other, and his design on other data.

That has engines from several languages into one English reference.

WMT12 and WMT13 have one English reference each, line by line, for all pairs into English.  Four
engines took part from four languages in both years; one of them, uedin, is of Koehn's own group.
"""

from __future__ import annotations

import itertools
import re
from functools import cache
from io import StringIO
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats
from scipy.optimize import linear_sum_assignment

import mtsig_nb as mt
from mtsig_nb.campaigns.embedded import data_folder
from mtsig_nb.campaigns.printed import printed_table
from mtsig_nb.metrics.base import FloatArray

from ...repository.campaigns import campaign, statistics
from ..rows import Outcome, Printed, Value, counted, counts, in_part, reproduced, rounded
from ..shared import number, pair_of_unit_13, quoted, text

WMT13 = "wmt13/de-en"
PAPER = "koehn2004"
HIS, OURS = "his", "ours"


def table_of(which: int) -> pd.DataFrame:
    """A printed table with numbers in place of their text."""
    return pd.read_csv(StringIO(printed_table(PAPER, which).to_csv(index=False)))


def fitting(share: str, out_of: int) -> tuple[int, int]:
    """The least and the most of so many that are the printed share, in %, after rounding."""
    half = 0.5 * 10.0 ** -Printed(share, "").decimals + 1e-9  # a half may be rounded either way
    fits = [k for k in range(out_of + 1) if abs(100 * k / out_of - float(share)) <= half]
    return fits[0], fits[-1]


def equation_1() -> Outcome:
    """BLEU's bound by equation (1) as printed, beside the BLEU that Table 1 prints.

    Without the weight 1/N BLEU is a product of N precisions and a penalty, none above one, so that
    two of the precisions bound it.
    """
    columns = ["1-gram", "4-gram", "BLEU, printed"]
    table = table_of(1).set_index("system").set_axis(columns, axis=1)
    first, last, bleu = (table[column] / 100 for column in columns)
    between = (bleu ** number("k-N") / (first * last)) ** (1 / (number("k-N") - 2))
    bound = 100 * first * last
    table.insert(2, "bound without 1/N", bound)
    table["with 1/N, mean of 2- and 3-gram"] = 100 * between
    return Outcome(
        counted("printed BLEU above the bound", bleu > first * last),
        Value("lowest bound (%)", bound.min(), ".1f"),
        Value("highest bound (%)", bound.max(), ".1f"),
        counted("consistent with the weight 1/N", (last < between) & (between < first)),
        table=table,
    )


def contradictions(places: dict[str, list[str]]) -> Outcome:
    """Numbers that two places of the paper print differently, and what the rest of it implies."""
    ids = [(what, name) for what, names in places.items() for name in names]
    rows = {(what, name): [quoted(name).where, text(name)] for what, name in ids}
    broad = int(number("k-t3-total")) // int(number("k-300-broad-size"))
    return Outcome(
        Value("systems in Table 1", len(printed_table(PAPER, 1))),
        Value("broad samples in so many sentences", broad),
        table=pd.DataFrame(rows, ["place", "printed"]).T.rename_axis(["", "id"]),
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
    scores = pd.DataFrame(
        {name: of.metric.score(of.totals()) for name, of in made.items()}, made["GTM"].systems
    )
    relative, best = scores / scores.max(), str(scores["GTM"].idxmax())
    ends = relative.iloc[[0, -1]]
    falls = [mt.approximate_randomization(made["GTM"], best, e, rng=2014) for e in ends.index]
    bleu, gtm = ends["BLEU"], ends["GTM"]
    by_end: Any = ends.set_axis(["shortest", "longest"]).stack()
    shown = scores["BLEU"].iloc[[0, 4, -1]].set_axis(["of the shortest", "best", "of the longest"])
    table = relative.add_suffix(" / its best").assign(BLEU=scores["BLEU"])
    return Outcome(
        *rounded(".3f", {f"{metric} / its best, {end}": r for (end, metric), r in by_end.items()}),
        Value("p, GTM", max(fall.pvalue for fall in falls), ".4f"),
        *rounded(".1f", shown.add_prefix("BLEU, ")),
        # In part, if GTM falls too, but by less.
        holds=((bleu < 1).all() and (gtm >= 1).all()) or in_part((bleu < gtm).all()),
        table=table.set_axis(pd.Index(counts[:, 0] / counts[:, 1], name="length ratio")),
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
    fits = [PRINTED_T["t, 95 %"].reproduced_by(t) for t in stats.t.ppf(LEVELS["t, 95 %"], n - 1)]
    printed = printed_table(PAPER, 2).set_index(["level_pct", "sample_size"])
    level, size = (printed.index.get_level_values(k).astype(float) for k in (0, 1))
    ours = {
        f"{name} degrees": stats.t.ppf(0.5 + level / 200, size - less)
        for name, less in (("n − 1", 1), ("n", 0))
    }
    agree = pd.DataFrame({name: reproduced(printed["t"], found) for name, found in ours.items()})
    less_one, as_many = agree.to_numpy().T
    which = [less_one & as_many, less_one, as_many]
    told = np.select(which, ["both", "n − 1", "n"], "neither")
    return Outcome(
        *rounded(".4f", {level: stats.t.ppf(p, 99) for level, p in LEVELS.items()}),
        *counts(agree.add_prefix("cells with ")),
        counted("n from 50 to 200 that the 95 % fits", fits),
        table=printed.set_axis(["printed"], axis=1)
        .assign(**ours, fits=told)
        .rename_axis(["level (%)", "n"]),
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
    table = pd.DataFrame({"t": factors}).rename_axis("")
    width = table["half width (%)"] = 100 * table["t"] * spread / np.sqrt(n)
    return Outcome(
        Value("mean (%)", 100 * x.mean(), ".0f"),
        Value("standard deviation (%)", 100 * spread, ".2f"),
        *rounded(".4f", {f"half width {name} (%)": w for name, w in width.items()}),
        table=table,
    )


def figure_5() -> Outcome:
    """The share between the two quantiles that the shaded part of the figure ends at."""
    z = printed_t("95", "inf")
    return Outcome(Value("shaded", 2 * stats.norm.cdf(float(z.text)) - 1, ".4f"))


def sure_in_table_4() -> pd.DataFrame:
    """Its rows at the level that Table 3 is about, or above it."""
    rows = table_of(4)
    return rows[rows["level_low_pct"] >= number("k-t3-level")]


def wrong_in_table_4() -> NDArray[Any]:
    """The fewest and the most, from the shares right of these rows."""
    sure = sure_in_table_4()[["correct_pct", "conclusions"]].to_numpy()
    return np.sum([fitting(str(100 - right), drawn) for right, drawn in sure], axis=0)


def allowed_by_table_3(column: str) -> NDArray[Any]:
    """The fewest and the most conclusions that the printed shares of a column make."""
    cells = printed_table(PAPER, 3).query(f"{column} != ''")
    shares = zip(cells[column], cells["samples"].astype(int), strict=True)
    return np.sum([fitting(share, n) for share, n in shares], axis=0)


def tables_3_and_4() -> Outcome:
    """Whether the two tables count the same conclusions, and Table 1 their differences."""
    three, four, bleu = table_of(3), table_of(4), table_of(1).set_index("system")["bleu_pct"]
    tests, conclusions = three["samples"].sum(), four["conclusions"].sum()
    sure = sure_in_table_4()["conclusions"].sum()
    fewest, most = wrong = allowed_by_table_3("wrong_pct")
    low, high = allowed_by_table_3("correct_pct") + wrong
    fewest_by_four, most_by_four = wrong_in_table_4()
    apart = three["better"].map(bleu) - three["worse"].map(bleu)
    same = np.isclose(apart, three["bleu_difference_pct"])[~three.duplicated("comparison")]
    columns = {
        "tests, Table 3; conclusions, Table 4": [tests, tests, conclusions],
        "at 95 % or more": [low, high, sure],
        "wrong among them, fewest": [fewest, fewest, fewest_by_four],
        "most": [most, most, most_by_four],
    }
    alike = fewest_by_four <= most and fewest <= most_by_four and same.all()
    index = pd.Index(["Table 3, least", "Table 3, most", "Table 4"], name="")
    return Outcome(
        Value("conclusions in Table 4", conclusions, of=tests),
        Value("at 95 % or more, Table 4", sure),
        Value("least that Table 3 allows", low),
        Value("most", high),
        counted("differences that are those of Table 1", same),
        holds=conclusions == tests and low <= sure <= high and alike,
        table=pd.DataFrame(columns, index),
    )


YEARS = ("wmt12", "wmt13")
LANGUAGES = ("es", "fr", "de", "cs")
#: Engines by what their names begin with in both years (WMT12 has "jhu-heiro" once).
ENGINES = {
    "uedin": "uedin-wmt",
    "jhu": "(?i:jhu)",
    "online-A": "online-?A",
    "online-B": "online-?B",
}
#: Of the group of the paper's author, from the language of his own example.
HIS_GROUPS, FIRST = "uedin", "uedin es"
#: Two engines on one language are taken where one engine's languages miss by this much more.
TWO_ENGINES = 0.25
SIZES = (100, 300, 600, 3000)
SIZE = int(number("k-300-broad-size"))
POPULATION = int(number("k-test-sentences"))
RESAMPLES = int(number("k-pair-resamples"))
SURE = number("k-pair-level") / 100
ONCE = "each sentence once"
#: Test sets of the population, or of the real sentences: broad as his, or consecutive ("blocks").
SAMPLES = {OURS: "population", ONCE: "real"}


def pair_of(year: str, language: str) -> str:
    """The name of a campaign."""
    return f"{year}/{language}-en"


def of_engine(year: str, engine: str, language: str) -> FloatArray:
    """The counts of an engine, under whatever name it took part."""
    bleu = statistics(pair_of(year, language), "BLEU")
    (name,) = (s for s in bleu.systems if re.match(ENGINES[engine], s))
    return bleu.values[bleu.index(name)]


@cache
def real() -> mt.SufficientStatistics:
    """The real sentences of both years, for each engine from each language."""
    values = {
        " ".join(of): np.concatenate([of_engine(year, *of) for year in YEARS])
        for of in itertools.product(ENGINES, LANGUAGES)
    }
    metric = statistics(pair_of(YEARS[0], LANGUAGES[0]), "BLEU").metric
    return mt.SufficientStatistics(metric, tuple(values), np.array([*values.values()]))


@cache
def population() -> mt.SufficientStatistics:
    """As many sentences as his: the real ones over and over, in random order."""
    repeated = np.resize(np.arange(real().n_segments), POPULATION)
    return real().subset(np.random.default_rng(POPULATION).permutation(repeated))


def sentences(sample: str) -> mt.SufficientStatistics:
    """What test sets are taken from."""
    return population() if sample == "population" else real()


def test_set() -> Outcome:
    """What stands in for his 30,000 sentences, and that all engines have one reference."""
    lengths = real().values[:, :, real().metric.columns.index("ref_len")]
    same = (lengths == lengths[0]).all(axis=0)
    inputs = [
        [campaign(pair_of(year, language)).provenance["inputs"] for language in LANGUAGES]
        for year in YEARS
    ]
    texts = [[files["ref.en.txt.gz"] for files in of_year] for of_year in inputs]
    shared = [text == of_year[0] for of_year in texts for text in of_year]
    of_ours = {name: sentences(sample).n_segments for name, sample in SAMPLES.items()}
    table = pd.DataFrame(
        {HIS: int(number(f"k-t3-n{size}"))} | {name: n // size for name, n in of_ours.items()}
        for size in SIZES
    )
    return Outcome(
        Value("sentences", real().n_segments),
        Value("source languages", len(LANGUAGES)),
        Value("engines", len(ENGINES)),
        counted("language pairs with their year's one reference", shared),
        counted("sentences with references of one length", same),
        table=table.set_axis(pd.Index(SIZES, name="test sets of")),
    )


def table_1() -> Outcome:
    """n-gram precisions beside BLEU, best system first."""
    his = printed_table(PAPER, 1).set_index("system")
    his = his.set_axis(["1-gram", "4-gram", "BLEU"], axis=1)
    totals = pd.DataFrame(real().totals(), real().systems, real().metric.columns)
    ours = pd.DataFrame(
        {f"{n}-gram": 100 * totals[f"match_{n}"] / totals[f"total_{n}"] for n in (1, 2, 3, 4)}
    ).assign(BLEU=real().scores())
    best_first = ours.sort_values("BLEU", ascending=False)
    by_engine = {engine: best_first.filter(regex=f"^{engine} ", axis=0) for engine in ENGINES}
    declines = pd.DataFrame({engine: of.iloc[-1] / of.iloc[0] for engine, of in by_engine.items()})
    both = pd.concat({HIS: his, OURS: pd.concat(by_engine.values())})
    ends = ["1-gram", "4-gram"]
    of_his = his[ends].astype(float).iloc[-1] / his[ends].astype(float).iloc[0]
    further = declines.loc["4-gram"] < declines.loc["1-gram"]
    longer = (declines.iloc[:4].diff().iloc[1:] <= 0).all()
    return Outcome(
        *rounded(".2f", declines[HIS_GROUPS][ends].add_prefix("worst / best, ")),
        *rounded(".2f", of_his.add_prefix("of his Table 1, ")),
        counted("engines further apart by 4-grams", further),
        counted("engines further apart from order to order", longer),
        holds=further.all(),
        table=both[list(ours)].rename_axis(["", "system"]),
    )


def samples(
    whole: mt.SufficientStatistics, size: int, *, blocks: bool = False
) -> list[mt.SufficientStatistics]:
    """Disjoint test sets: blocks of consecutive sentences, or broad ones as in section 3.3."""
    n = whole.n_segments // size
    places = np.arange(n * size)
    parts = places.reshape(n, size) if blocks else places.reshape(size, n).T
    return [whole.subset(part) for part in parts]


@cache
def scores_on(sample: str) -> pd.DataFrame:
    """Every system's BLEU on disjoint test sets of 300, a row each."""
    whole = sentences(sample)
    parts = samples(whole, SIZE, blocks=sample == "blocks")
    return pd.DataFrame([part.scores() for part in parts])[list(whole.systems)]


def by_original_language() -> pd.Series:
    """The score of `FIRST` on what was written in one language in one year, at each sentence."""
    of_year = [
        f"{year} " + pd.Series(campaign(pair_of(year, LANGUAGES[0])).original_language)
        for year in YEARS
    ]
    written_in, bleu = pd.concat(of_year, ignore_index=True), real().select([FIRST])
    return written_in.map(
        {one: bleu.subset(written_in == one).scores()[FIRST] for one in set(written_in)}
    )


def left_open() -> float:
    """How much blocks vary, each less what its sentences' languages scored in their year."""
    scores = scores_on("blocks")[FIRST]
    expected = by_original_language().to_numpy()[: len(scores) * SIZE].reshape(-1, SIZE)
    return float((scores - expected.mean(axis=1)).std())


def spread(scores: pd.Series) -> list[Value]:
    """The ends of the scores, and how much they vary."""
    ends = Value("lowest", scores.min(), ".1f"), Value("highest", scores.max(), ".1f")
    return [*ends, Value("s.d.", scores.std(), ".2f")]


def figure_2() -> Outcome:
    """Blocks, and what they differ by."""
    scores = scores_on("blocks")[FIRST]
    return Outcome(
        *spread(scores),
        Value("s.d. of what original languages leave open", left_open(), ".2f"),
        Value("blocks", len(scores)),
    )


def figure_3() -> Outcome:
    """Broad samples, for all systems beside their blocks."""
    broad, blocks = scores_on("real"), scores_on("blocks")
    scores = broad[FIRST]
    narrower = broad.std() < blocks.std()
    table = pd.DataFrame({"s.d., blocks": blocks.std(), "broad": broad.std()})
    return Outcome(
        *spread(scores),
        counted("systems that vary less than on blocks", narrower),
        Value("samples", len(scores)),
        Value("s.d. of blocks, less their languages' scores", left_open(), ".2f"),
        holds=bool(narrower.all()),
        table=table.rename_axis("system"),
    )


def his_table_3() -> pd.DataFrame:
    """As printed, a row a pair."""
    long = printed_table(PAPER, 3)
    by_pair = long.groupby("comparison", sort=False)
    wide = {"difference (BLEU)": by_pair["bleu_difference_pct"].first()}
    for size in SIZES:
        cells = long[long["sample_size"] == str(size)].set_index("comparison")
        wide[f"{size:,} right (%)"] = cells["correct_pct"]
        wide[f"{size:,} wrong (%)"] = cells["wrong_pct"].replace("", None)
    return pd.DataFrame(wide)


@cache
def contests() -> pd.DataFrame:
    """By his nine comparisons, the better and the worse system that stand in for his two.

    The pairs whose true differences are closest to his, in all: one engine from two languages, as
    his are.  Two engines on one language, whose outputs are more alike, cost `TWO_ENGINES` more.
    A pair's `label` names what both share once.
    """
    truth = real().scores()  # best first
    both = itertools.combinations(truth.index, 2)
    pairs = [(a, b) for a, b in both if set(a.split()) & set(b.split())]
    his = his_table_3()["difference (BLEU)"].astype(float)
    apart = np.array([truth[a] - truth[b] for a, b in pairs])
    extra = np.array([TWO_ENGINES * (a.split()[0] != b.split()[0]) for a, b in pairs])
    _, columns = linear_sum_assignment(abs(his.to_numpy()[:, None] - apart) + extra)
    found = pd.DataFrame([pairs[column] for column in columns], his.index, ["better", "worse"])
    (a, language), (b, another) = (found[c].str.split(expand=True).to_numpy().T for c in found)
    one_engine, two = a + " " + language + " − " + another, a + " − " + b + " " + language
    return found.assign(label=np.where(a == b, one_engine, two))


def true_differences(whole: mt.SufficientStatistics) -> pd.Series:
    """How much better the better system of each contest is, in BLEU, by his comparison."""
    better, worse = (contests()[side].map(whole.scores()) for side in ("better", "worse"))
    return better - worse


def figure_4() -> Outcome:
    """The difference of one engine on two sources, on disjoint broad samples."""
    his = "Spanish better than Danish"
    contest, rows = contests().loc[his], {}
    for whose, sample in SAMPLES.items():
        leads = scores_on(sample)[contest["better"]] - scores_on(sample)[contest["worse"]]
        truth, behind = true_differences(sentences(sample))[his], (leads < 0).sum()
        rows[whose] = [truth, len(leads), leads.min(), leads.max(), behind]
    ahead = "samples with the other one ahead"
    columns = ["true difference", "samples", "smallest lead", "largest lead", ahead]
    table = pd.DataFrame.from_dict(rows, "index", columns=columns)
    table = table.rename_axis(contest["label"])
    ours = table.loc[OURS]
    return Outcome(
        Value("true difference", ours["true difference"], ".2f"),
        Value("largest lead", ours["largest lead"], ".1f"),
        Value(ahead, ours[ahead], of=ours["samples"]),
        Value("its largest lead", max(0.0, -ours["smallest lead"]), ".2f"),
        table=table,
    )


class Verdicts(NamedTuple):
    """What the paired bootstrap and the intervals say on test sets of one size, a row each."""

    wins: pd.DataFrame  # resamples that the truly better system wins, by his comparison
    hits: pd.DataFrame  # whether a system's interval contains its true score
    widths: pd.DataFrame

    @property
    def right(self) -> pd.DataFrame:
        """Where it is concluded that the truly better system is better."""
        return self.wins >= SURE * RESAMPLES

    @property
    def wrong(self) -> pd.DataFrame:
        """Where it is concluded that the truly worse one is."""
        return self.wins <= (1 - SURE) * RESAMPLES


@cache
def verdicts(size: int, sample: str = "population") -> Verdicts:
    """1,000 resamples of each of the disjoint test sets of a size, all systems on the same draws.

    His rule is one-sided: the share of resamples won by the system that is ahead.
    """
    whole = sentences(sample)
    truth, pairs = whole.scores(), contests()[["better", "worse"]]
    wins, hits, widths = [], [], []
    for seed, part in enumerate(samples(whole, size, blocks=sample == "blocks")):
        found = mt.compare_all(
            part,
            test="paired-bootstrap",
            alternative="greater",
            counting="plain",
            correction=None,
            n_resamples=RESAMPLES,
            interval_resamples=RESAMPLES,
            rng=seed,
        )
        ps = found.table.set_index(["system_a", "system_b"])["pvalue"]
        lost = (RESAMPLES * ps).round().astype(int)
        won = pd.concat([RESAMPLES - lost, lost.swaplevel()])  # by the winner and the loser
        wins.append(won[pd.MultiIndex.from_frame(pairs)].set_axis(pairs.index))
        (interval,) = found.score_intervals.values()
        low, high = (interval.loc[truth.index, end] for end in ("ci_low", "ci_high"))
        hits.append((low <= truth) & (truth <= high))
        widths.append(high - low)
    return Verdicts(*(pd.DataFrame(rows) for rows in (wins, hits, widths)))


def coverage() -> Outcome:
    """Intervals on test sets of 300 against a known truth, one system's and all systems'."""
    rows = {}
    for name, sample in (SAMPLES | {f"{ONCE}, blocks": "blocks"}).items():
        hits = verdicts(SIZE, sample).hits
        rows[name] = {
            "test sets": len(hits),
            f"{FIRST}: contain the truth (%)": 100 * hits[FIRST].mean(),
            "all systems: intervals": hits.size,
            "contain the truth (%)": 100 * hits.to_numpy().mean(),
            "s.d. of scores": scores_on(sample).std().mean(),
        }
    first = verdicts(SIZE).hits[FIRST]
    low, high = stats.binomtest(first.sum(), len(first)).proportion_ci(method="exact")
    return Outcome(
        counted("contain the truth", first),
        counted("all systems, real broad samples", verdicts(SIZE, "real").hits),
        counted("all systems, blocks", verdicts(SIZE, "blocks").hits),
        holds=low <= number("k-cov-nominal") / 100 <= high,
        table=pd.DataFrame.from_dict(rows, "index").rename_axis(f"test sets of {SIZE}"),
    )


def intervals_by_size() -> Outcome:
    """How many intervals miss, and how wide they are, by size of the test set."""
    found = {size: verdicts(size) for size in SIZES}
    rows = {
        size: [(~v.hits).to_numpy().sum(), v.hits.size, v.widths.to_numpy().mean()]
        for size, v in found.items()
    }
    columns = ["intervals that miss", "of", "mean width (BLEU)"]
    table = pd.DataFrame.from_dict(rows, "index", columns=columns).rename_axis("sentences")
    width = table["mean width (BLEU)"]
    return Outcome(
        *(counted(f"misses, {n:,} sentences", ~found[n].hits) for n in (100, 3000)),
        Value("width, 100 / 3,000", width[100] / width[3000], ".1f"),
        table=table,
    )


def our_table_3(sample: str) -> pd.DataFrame:
    """The same of our pairs, by his comparison; unrounded."""
    whole = sentences(sample)
    columns = {"difference (BLEU)": true_differences(whole)}
    for size in SIZES:
        found = verdicts(size, sample)
        columns[f"{size:,} right (%)"] = 100 * found.right.mean()
        columns[f"{size:,} wrong (%)"] = 100 * found.wrong.mean()
    return pd.DataFrame(columns)


def apart_by_chance(share: float, n: int) -> float:
    """Points expected between two shares of n, if each of the n has the same chance in both."""
    counts = np.arange(n + 1)
    weights = stats.binom.pmf(counts, n, share)
    return float(100 / n * (weights @ abs(counts[:, None] - counts) @ weights))


def expected_right(apart: FloatArray, sigma: float | FloatArray) -> FloatArray:
    """In %: the chance that the truly better system wins 95 % of resamples, by one parameter.

    A pair that is `apart` by d BLEU has its observed difference on n sentences around d, with a
    standard error of sigma / √n, and the one-sided test asks for z standard errors or more, so
    that the chance is Φ(d√n/σ − z).  Shape (pairs, sizes), after that of `sigma`.
    """
    z = stats.norm.ppf(SURE)
    return 100 * stats.norm.cdf(apart[:, None] * np.sqrt(SIZES) / sigma - z)


def closest_sigma(apart: FloatArray, share: FloatArray) -> float:
    """The parameter, to hundredths, whose curve is closest to the shares right (in %).

    Closest on average over cells.  Of hundredths all machines find the same.
    """
    tried = np.arange(100, 10_000) / 100
    off = np.abs(expected_right(apart, tried[:, None, None]) - share)
    return float(tried[off.mean(axis=(1, 2)).argmin()])


def table_3() -> Outcome:
    """Conclusions at 95 % by size of the test set, each pair beside his."""
    tables = {HIS: his_table_3(), OURS: our_table_3("population"), ONCE: our_table_3("real")}
    labels: Any = contests()["label"].items()
    right, wrong = ([f"{n:,} {side} (%)" for n in SIZES] for side in ("right", "wrong"))
    (his, his_apart), (our, our_apart) = (
        (t[right].to_numpy(dtype=float), t["difference (BLEU)"].to_numpy(dtype=float))
        for t in (tables[HIS], tables[OURS])
    )
    sets = np.array([int(number(f"k-t3-n{size}")) for size in SIZES])
    pooled, off, open_ = (his + our) / 200, abs(our - his), his < 100
    by_chance = np.vectorize(apart_by_chance)(pooled, sets)
    sigma, our_sigma = closest_sigma(his_apart, his), closest_sigma(our_apart, our)
    expected = expected_right(his_apart, sigma)
    curve, ours_curve = abs(expected - his), abs(expected_right(his_apart, our_sigma) - his)

    def chi_square(apart: FloatArray, share: FloatArray, n: FloatArray) -> Any:
        return ((apart / 100)[open_] ** 2 / (share * (1 - share) / n)[open_]).sum()

    squares = chi_square(off, pooled, sets / 2)
    errors = [counted(f"wrong on {n}", verdicts(n).wrong) for n in (100, 300)]
    more = stats.fisher_exact([[e.value, e.of - e.value] for e in errors], alternative="greater")
    for whose in (OURS, ONCE):
        in_whole = tables[whose][right + wrong].round().astype(int)
        tables[whose] = tables[whose].astype(object).assign(**in_whole)
    rows = {
        (whose, his_pair if whose == HIS else label): t.loc[his_pair]
        for his_pair, label in labels
        for whose, t in tables.items()
    }
    return Outcome(
        *errors,
        Value("points, cells not at the ceiling", off[open_].mean(), ".1f"),
        Value("those by chance", by_chance[open_].mean(), ".1f"),
        Value("points, cells at the ceiling", off[~open_].mean(), ".1f"),
        Value("points, all cells", off.mean(), ".1f"),
        counted("cells at the ceiling", ~open_),
        Value("chi-square of the others", squares, ".1f"),
        Value("p of it", stats.chi2.sf(squares, open_.sum()), ".1g"),
        Value("points, most", off.max(), ".0f"),
        Value("σ of the curve closest to his cells", sigma, ".1f"),
        Value("points of it, all cells", curve.mean(), ".1f"),
        Value("points of it, cells not at the ceiling", curve[open_].mean(), ".1f"),
        Value(
            "chi-square of it, cells not at the ceiling",
            chi_square(curve, expected / 100, sets),
            ".1f",
        ),
        Value("σ of the curve closest to our cells", our_sigma, ".1f"),
        Value("points of that from his, all cells", ours_curve.mean(), ".1f"),
        Value("points of that from his, not at the ceiling", ours_curve[open_].mean(), ".1f"),
        Value("p of more on 100", more.pvalue, ".2f"),
        holds=more.pvalue <= number("k-plevel") or in_part(more.statistic > 1),
        table=pd.DataFrame(rows, dtype=object).T.rename_axis(["", "pair"]),
    )


def by_bins(sample: str) -> pd.DataFrame:
    """Conclusions sorted into the bins of Table 4, of all sizes and pairs."""
    wins = np.concatenate([verdicts(size, sample).wins.to_numpy().ravel() for size in SIZES])
    lows = table_of(4)["level_low_pct"].to_numpy()
    level = np.maximum(wins, RESAMPLES - wins) * 100 / RESAMPLES
    of = np.searchsorted(-lows, -level - 1e-9)
    by_bin = pd.Series(2 * wins > RESAMPLES).groupby(of).agg(["size", "sum"]).loc[: len(lows) - 1]
    drawn, right = by_bin["size"], by_bin["sum"]
    return pd.DataFrame({"conclusions": drawn, "right (%)": 100 * right / drawn})


def table_4() -> Outcome:
    """Conclusions by level, in the bins of the paper."""
    printed = printed_table(PAPER, 4)
    lows, highs = printed["level_low_pct"], printed["level_high_pct"]
    his = table_of(4).rename(columns={"correct_pct": "right (%)"})[["conclusions", "right (%)"]]
    tables = {HIS: his, OURS: by_bins("population"), ONCE: by_bins("real")}
    table = pd.concat(tables, axis=1).set_axis(lows.where(lows == highs, lows + "–" + highs))
    level = lows.astype(float).to_numpy()
    kept = {name: t["right (%)"].to_numpy() >= level for name, t in tables.items()}
    quoted_bin = lows.tolist().index(text("k-72-interval"))
    apart = (tables[OURS]["right (%)"] - his["right (%)"]).abs()
    return Outcome(
        Value("right from 90 to 94.9 %", tables[OURS]["right (%)"][quoted_bin], ".1f"),
        *counts(pd.DataFrame(kept).add_prefix("bins right as often as their level, ")),
        Value("points apart, mean of 9 bins", apart.mean(), ".1f"),
        holds=kept[OURS].all(),
        table=table.rename_axis("level (%)"),
    )


def one_in_twenty() -> Outcome:
    """The share of conclusions that are wrong, in the printed tables and in ours."""
    by_three, by_four = allowed_by_table_3("wrong_pct"), wrong_in_table_4()
    fewest, most = max(by_three[0], by_four[0]), min(by_three[1], by_four[1])
    sure, tests = sure_in_table_4()["conclusions"].sum(), table_of(4)["conclusions"].sum()
    pair = [number(f"k-{name}") for name in ("pt-da-wrong", "pt-da-conclusions", "pair-sets")]
    rows = {
        (HIS, "Portuguese and Danish, 300"): pair,
        (HIS, "all, fewest"): [fewest, sure, tests],
        (HIS, "all, most"): [most, sure, tests],
    }
    ours = [
        [v.wrong.sum(), (v.wrong | v.right).sum(), v.wins.count()] for v in map(verdicts, SIZES)
    ]
    by_pair = np.sum(ours, axis=0).T
    truth = true_differences(population())
    closest = contests()["label"][str(truth.idxmin())]
    rows |= {(OURS, closest): by_pair[truth.argmin()], (OURS, "all"): by_pair.sum(axis=0)}
    table = pd.DataFrame(rows, index=["wrong", "conclusions", "tests"]).T.astype(int)
    share = table["of conclusions (%)"] = 100 * table["wrong"] / table["conclusions"]
    table["of tests (%)"] = 100 * table["wrong"] / table["tests"]
    expected = 100 / number("k-expected-wrong")
    return Outcome(
        Value("Portuguese and Danish, of conclusions (%)", share.iloc[0], ".1f"),
        Value("all of his, fewest (%)", share[HIS, "all, fewest"], ".2f"),
        Value("all of his, most (%)", share[HIS, "all, most"], ".2f"),
        Value("all of ours (%)", share[OURS, "all"], ".2f"),
        holds=share[HIS, "all, fewest"] <= expected <= share[HIS, "all, most"],
        table=table.rename_axis(["", "pairs, sentences"]),
    )


def figures_7_8() -> Outcome:
    """Two pairs, one plainly and one hardly different, on a hundred test sets of 300."""
    found, truth, printed, rows = verdicts(SIZE), true_differences(population()), his_table_3(), {}
    for name, his in (
        ("k-es-da-truth", "Spanish better than Danish"),
        ("k-pt-da-truth", "Portuguese better than Danish"),
    ):
        cells = printed.loc[his, ["300 right (%)", "300 wrong (%)"]].fillna("0").astype(int)
        rows[HIS, his] = [text(name), *cells, None, None, None]
        counted_ours = int(found.right[his].sum()), int(found.wrong[his].sum())
        won = (100 * found.wins[his] / RESAMPLES).quantile([0.25, 0.5, 0.75])
        rows[OURS, contests()["label"][his]] = [truth[his], *counted_ours, *won]
    quartiles = ["won (%), quarter", "median", "three quarters"]
    index = ["difference (BLEU)", "right", "wrong", *quartiles]
    table = pd.DataFrame(rows, index=index, dtype=object).T.rename_axis(["", "pair"])
    ours, sets = table.loc[OURS], len(found.wins)
    return Outcome(
        Value("Figure 7, right", ours["right"].iloc[0], of=sets),
        Value("Figure 8, right", ours["right"].iloc[1], of=sets),
        Value("Figure 8, wrong", ours["wrong"].iloc[1], of=sets),
        table=table,
    )


def three_hundred() -> Outcome:
    """The claim of the abstract: 300 sentences may be enough."""
    size, enough = int(number("k-abstract-size")), number("k-reliable")
    found, truth = verdicts(size), true_differences(population())
    right, said = found.right.to_numpy(), (found.right | found.wrong).to_numpy().sum()
    his = his_table_3().astype(float)
    his_right, his_wrong = his[f"{size} right (%)"], his[f"{size} wrong (%)"]
    large, his_large = truth >= enough, his["difference (BLEU)"] >= enough
    names = ["conclusions right", f"found, pairs {enough:g} BLEU apart", "found, other pairs"]
    of_his = his_right.sum() / (his_right.sum() + his_wrong.sum())
    columns = {HIS: [100 * of_his, his_right[his_large].mean(), his_right[~his_large].mean()]}
    for whose, some in ((OURS, large), (f"{OURS}, in the places of his pairs", his_large)):
        shares = right.sum() / said, right[:, some].mean(), right[:, ~some].mean()
        columns[whose] = [100 * share for share in shares]
    return Outcome(
        Value(names[0], right.sum(), of=said),
        counted(names[1], right[:, large]),
        counted(names[2], right[:, ~large]),
        counted(f"found, places of his pairs {enough:g} BLEU apart", right[:, his_large]),
        holds=right.sum() >= SURE * said,
        table=pd.DataFrame(columns, pd.Index(names, name="in %")),
    )


def people_scored() -> Outcome:
    """BLEU of people's translations, each a reference of WMT held against another one."""
    rows = {}
    for sums in pd.read_csv(data_folder() / "between_references.csv").to_dict("records"):
        name, output, reference = (sums[of] for of in ("campaign", "output", "reference"))
        given = campaign(name).statistics("BLEU", references=reference)
        person = float(given.metric.score([sums[column] for column in given.metric.columns]))
        scores = given.scores()
        rows[name, f"{output} against {reference}"] = {
            "person": person,
            "lowest system": scores.min(),
            "median": scores.median(),
            "highest": scores.max(),
            "systems above": int((scores > person).sum()),
            "of": len(scores),
        }
    table = pd.DataFrame.from_dict(rows, "index").rename_axis(["test set", "translation"])
    below = table["person"] < table["median"]
    return Outcome(
        counted("below the median system", below),
        counted("below all systems", table["systems above"] == table["of"]),
        counted("above all systems", table["systems above"] == 0),
        holds=below.mean() > 0.5,
        table=table,
    )


def repeated_use() -> Outcome:
    """The best of several equal variants, tested where it was chosen, and elsewhere.

    For each variant, and for the baseline, a coin decides sentence by sentence which of two real
    outputs it gets; so none is better.
    """
    given, trials, rng = pair_of_unit_13(), 500, np.random.default_rng(2004)
    a, b = given.subset(rng.permutation(given.n_segments)[: 2 * SIZE]).values
    found = {}
    sets = {"same test set": slice(SIZE), "new test set": slice(SIZE, None)}
    for tried in (1, 2, 5, 10, 20):
        coins = rng.random((trials, 1 + tried, 2 * SIZE)) < 0.5
        sums = coins[..., :SIZE] @ a[:SIZE] + ~coins[..., :SIZE] @ b[:SIZE]
        best = 1 + given.metric.score(sums)[:, 1:].argmax(axis=1)
        chosen, baseline = (
            np.where(coins[np.arange(trials), which, :, None], a, b) for which in (best, 0)
        )
        how: dict[str, Any] = {"alternative": "greater", "n_resamples": RESAMPLES, "rng": tried}
        for name, part in sets.items():
            names = ("chosen", "baseline")
            pairs = mt.simulate.as_pairs(given, chosen[:, part], baseline[:, part], names, what="")
            ps = mt.simulate.null_pvalues(pairs, "paired-bootstrap", **how)
            found[tried, name] = (ps <= number("k-plevel")).sum()
    table = pd.Series(found).unstack()[list(sets)].rename_axis("variants tried")
    bound = stats.binom.ppf(0.9999, trials, number("k-plevel"))
    return Outcome(
        *(Value(f"{name}, best of 20", table[name][20], of=trials) for name in sets),
        holds=table["same test set"][20] > bound >= table["new test set"].max(),
        table=table,
    )


def hundred_times() -> Outcome:
    """What one test set of 300 shows of the spread of a hundred, and of what they show together."""
    options: dict[str, Any] = {"n_resamples": RESAMPLES, "rng": 2004}

    def standard_error(of: mt.SufficientStatistics) -> float:
        return mt.confidence_interval(of, FIRST, **options).standard_error

    errors = [standard_error(part) for part in samples(population(), SIZE)]
    one, hundred = np.median(errors), scores_on("population")[FIRST].std()
    whole = standard_error(population())
    chance = 3 / np.sqrt(2 * (len(errors) - 1))  # of a standard deviation, relative
    spread, narrow = abs(one / hundred - 1) <= chance, one <= 2 * whole
    return Outcome(
        Value(f"s.e., {SIZE} sentences resampled", one, ".2f"),
        Value(f"s.d. of {len(errors)} test sets of {SIZE}", hundred, ".2f"),
        Value(f"s.e., {POPULATION:,} sentences resampled", whole, ".3f"),
        Value("how many times as large", one / whole, ".1f"),
        holds=(spread and narrow) or in_part(spread or narrow),
    )
