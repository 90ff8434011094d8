"""Later campaigns: what WMT's organisers and other tools published, recomputed."""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

import mtsig_nb as mt
from mtsig_nb import human
from mtsig_nb.human.wmt import cluster_ends
from mtsig_nb.meta_evaluation.against_gold import Agreement
from mtsig_nb.statistics.storage import read_statistics

from ...repository.campaigns import campaign, statistics
from ..rows import Outcome, Value, counted, counts, reproduced, rounded
from ..shared import in_direct_assessment, judged, people

TWINS = ("KwaiNLP", "XMU")
#: p-values of two runs may differ by this many joint standard errors of their resamples.
SIGMAS = 5


def campaigns_of(year: str) -> tuple[str, ...]:
    """The embedded campaigns of a year, or of another folder."""
    given = mt.list_campaigns()
    return tuple(given["name"][given["campaign"] == year])


def assessed(name: str) -> human.Ratings:
    """A campaign's direct assessment."""
    judgements = campaign(name).judgements["direct_assessment"]
    assert isinstance(judgements, human.Ratings)
    return judgements


@cache
def direct_assessment(name: str) -> Outcome:
    """The organisers' p-values, stars, wins and clusters from per-rater ratings."""
    ours, published = assessed(name).wmt(), campaign(name).published
    both = ours.table.merge(
        published["wilcoxon"], on=["system_a", "system_b"], suffixes=("", "_given")
    )
    printed = both[both["p_value"] > 0]
    standings = ours.standings.set_index("system")
    table = published["direct_assessment"].set_index("system").loc[standings.index]
    values = counts(
        {
            "p to 12 digits": np.isclose(printed["pvalue"], printed["p_value"], rtol=1e-12, atol=0),
            "stars": both["stars"] == both["stars_given"].fillna(""),
            "wins": standings["wins"] == table["wins"],
            "clusters": standings["cluster_end"] == table["cluster_end"],
        }
    )
    return Outcome(*values, holds=all(value.value == value.of for value in values))


def all_p_values() -> Outcome:
    """The nine campaigns together."""
    rows = {name: direct_assessment(name).values for name in in_direct_assessment()}
    table = pd.DataFrame({name: {v.name: v.value for v in row} for name, row in rows.items()}).T
    agree, published = table["p to 12 digits"].sum(), sum(row[0].of for row in rows.values())
    return Outcome(
        Value("p to 12 digits", agree, of=published),
        holds=agree == published,
        table=table.rename_axis("campaign"),
    )


def first_cluster() -> Outcome:
    """WMT21 de-en: the published first cluster, by the rule as it is stated."""
    tests = assessed("wmt21/de-en").wmt().tests
    beats = tests.pvalues < 0.05
    by_rule = next(k for k in range(1, len(beats) + 1) if beats[:k, k:].all())
    return Outcome(
        Value("systems in the first cluster, by wins", cluster_ends(tests.pvalues)[0]),
        Value("by “all above beat all below”", by_rule),
        counted("stars that are missing", ~beats[:4, 4:]),
    )


def automatic_scores(year: str, metric: str) -> Outcome:
    """The organisers' scores against reference A, recomputed from the stored counts."""
    rows, explained = {}, 0
    for name in campaigns_of(year):
        published = campaign(name).published["metrics"].set_index("system")
        given = published.loc[published["metric"] == f"{metric.casefold()}-A", "score"]
        ours = statistics(name, metric).scores()
        shared = given.index.intersection(ours.index)
        apart = (ours[shared] - given[shared]).abs()
        same, noted = apart <= 1e-9 * given[shared], campaign(name).system_notes
        explained += sum("unescaped" in noted.get(system, "") for system in shared[~same])
        rows[name] = {
            "to 9 digits": same.sum(),
            "published": len(shared),
            "largest difference": apart[~same].max() if not same.all() else 0.0,
        }
    table = pd.DataFrame.from_dict(rows, "index").rename_axis("campaign")
    agree, total = table["to 9 digits"].sum(), table["published"].sum()
    values = [Value("scores to 9 digits", agree, of=total)]
    if agree < total:
        values.append(Value("largest difference", table["largest difference"].max(), ".3f"))
        values.append(Value("of the others, entities unescaped since", explained, of=total - agree))
    return Outcome(*values, holds=agree == total, table=table)


def averages_of_models() -> Outcome:
    """Every printed average of WMT25, from the embedded scores of segments."""
    rows, metrics = {}, set()
    for name in campaigns_of("wmt25"):
        folder = campaign(name).folder
        printed = pd.read_csv(folder / "published" / "autorank.csv.gz", dtype=str)
        printed = printed.set_index("system").drop(columns="AutoRank")
        agree = []
        for source in printed:
            # As the file has them: the published averages are over the scores that there are.
            ours = read_statistics(folder / "statistics" / f"SegmentMean.source={source}.npz")
            agree += reproduced(printed[source], ours.scores()[printed.index])
        metrics |= set(printed)
        rows[name] = {
            "systems": len(printed),
            "averages as printed": sum(agree),
            "published": printed.size,
            "segments without a score": sum(map(len, campaign(name).incomplete.values())),
        }
    table = pd.DataFrame(rows).T.rename_axis("campaign")
    right, total = table["averages as printed"].sum(), table["published"].sum()
    return Outcome(
        Value("averages as printed", right, of=total),
        Value("language pairs", len(table)),
        Value("metrics", len(metrics)),
        holds=right == total,
        table=table,
    )


def other_tool(tool: str, column: str, n: int, n_theirs: int) -> Outcome:
    """Another tool's published p-values of WMT17 en-de, by this package's emulation of it."""
    bleu = campaign("wmt17/en-de").statistics("BLEU", tokenize="none")
    given = campaign("wmt17/en-de").published["pvalues"].set_index("system")[column]
    rows = []
    for system in given.index:
        report = mt.reported_by(tool, bleu, str(system), "LIUM-NMT.4900", n_resamples=n, rng=19)
        rows.append((report.pvalue, report.corrected.pvalue))
    table = given.to_frame("published").join(pd.DataFrame(rows, given.index, ["ours", "corrected"]))
    p, apart = table["ours"], (table["ours"] - given).abs()
    within = apart <= SIGMAS * np.sqrt(p * (1 - p) * (1 / n + 1 / n_theirs)) + 2 / n
    return Outcome(
        counted("within Monte Carlo error", within),
        Value("largest difference", apart.max(), ".3f"),
        holds=within.all(),
        table=table,
    )


def multeval_scores() -> Outcome:
    """The example of three optimizer runs: scores and the two spreads."""
    bleu = campaign("multeval/en").statistics("BLEU")
    runs = {name: [f"{name}.opt{k}" for k in range(3)] for name in ("baseline", "sys1")}
    frame = mt.compare_runs(bleu, runs, n_resamples=1000, rng=62).to_frame().set_index("system")
    values: Any = frame.rename(columns={"score": "BLEU"})[["BLEU", "s_sel", "s_opt"]].stack()
    return Outcome(*rounded(".1f", values.set_axis(values.index.map(" ".join))))


def multeval_copy() -> Outcome:
    """A system and its own copy."""
    bleu = campaign("multeval/en").statistics("BLEU")
    report = mt.reported_by("multeval", bleu, "baseline.opt0", "sys2.opt0", rng=0)
    return Outcome(
        Value("p as MultEval counts", report.pvalue, ".2f"),
        Value("p where ties count", report.corrected.pvalue, ".2f"),
    )


def twins() -> Outcome:
    """One output, rated as two systems."""
    by_metric = mt.approximate_randomization(statistics("wmt21/ja-en", "BLEU"), *TWINS, rng=21)
    tests = assessed("wmt21/ja-en").tests().table
    row = tests[tests["system_a"].isin(TWINS) & tests["system_b"].isin(TWINS)].iloc[0]
    gold = people("wmt21/ja-en")
    others = [system for system in gold.systems if system not in TWINS]
    split = [s for s in others if gold.conclusion(TWINS[0], s) != gold.conclusion(TWINS[1], s)]
    return Outcome(
        Value("p, BLEU", by_metric.pvalue, ".0f"),
        Value("p, people", row["pvalue"], ".2f"),
        Value("systems against which they fare differently", len(split), of=len(others)),
        holds=by_metric.pvalue == 1 and row["pvalue"] > 0.05,
    )


def beside(name: str, metric: str, gold: mt.Conclusions) -> tuple[pd.Series, Agreement]:
    """Scores of the systems that people judged, and what becomes of their conclusions.

    Approximate randomization at .05, two-sided, uncorrected.
    """
    given = judged(statistics(name, metric), gold)
    tested = mt.compare_all(given, correction=None, interval=None, n_resamples=1000, rng=10)
    return given.scores(), mt.agreement(tested.conclusions(0.05), gold, rng=10)


def metrics_beside_people() -> Outcome:
    """BLEU and chrF beside people, on nine campaigns."""
    rows = {}
    for name, metric in itertools.product(in_direct_assessment(), ("BLEU", "chrF")):
        _, found = beside(name, metric, people(name))
        rows[name, metric] = found.kinds.to_dict() | {"pairs": found.total}
    table = pd.DataFrame(rows).T.rename_axis(["campaign", "metric"])
    totals: dict[Any, Any] = table.groupby(level="metric").sum().to_dict("index")
    return Outcome(
        *(Value(f"correct, {m}", t["correct"], of=t["pairs"]) for m, t in totals.items()),
        *(Value(f"opposite, {m}", t["opposite"]) for m, t in totals.items()),
        table=table,
    )


def mqm() -> Outcome:
    """BLEU and chrF beside experts' MQM, by order and by conclusions."""
    rows = {}
    for name, metric in itertools.product(("wmt21/en-de", "wmt21/zh-en"), ("BLEU", "chrF")):
        experts = campaign(name).judgements["mqm"]
        scores, found = beside(name, metric, experts.conclusions(0.05))
        ordered = mt.pairwise_accuracy(scores, experts.scores(), rng=10)
        rows[name, metric] = {
            "ordered alike": ordered.correct,
            "same conclusion": found.correct,
            "opposite": found.kinds["opposite"],
            "pairs": found.total,
        }
    return Outcome(
        *(
            Value(f"ordered alike, {name[-5:]}, {metric}", row["ordered alike"], of=row["pairs"])
            for (name, metric), row in rows.items()
        ),
        table=pd.DataFrame(rows).T.rename_axis(["campaign", "metric"]),
    )
