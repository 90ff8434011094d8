"""Later campaigns: what WMT's organisers and other tools published, computed again."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
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
from ..rows import Outcome, Value, counted, counted_each, reproduced, rounded, table_of
from ..shared import in_direct_assessment, judged, language_pair, people

TWINS = ("KwaiNLP", "XMU")
#: p-values of two runs may differ by this many joint standard errors of their resamples.
SIGMAS = 5


def campaigns_of(year: str) -> tuple[str, ...]:
    """The embedded campaigns of a year, or of another folder."""
    listed = mt.list_campaigns()
    is_wanted = listed["campaign"] == year
    return tuple(listed["name"][is_wanted])


def assessed(name: str) -> human.Ratings:
    """A campaign's direct assessment."""
    judgements = campaign(name).judgements["direct_assessment"]
    assert isinstance(judgements, human.Ratings)
    return judgements


# Direct assessment: p-values and clusters of the organisers.


@cache
def direct_assessment(name: str) -> Outcome:
    """Direct assessment of a campaign: the organisers' p-values, stars, wins and clusters.

    Published: a p-value and a star for each pair of systems (wilcoxon.csv), wins and clusters
    (direct_assessment.csv).  A p-value of 0 is an underflow and left out.
    Recomputed: all of it from the ratings, by the organisers' recipe.
    Decided by: all are the same; p-values to 12 digits.
    """
    published = campaign(name).published
    their_pairs = published["wilcoxon"].set_index(["system_a", "system_b"])
    their_standings = published["direct_assessment"].set_index("system")
    ours = assessed(name).wmt()
    our_pairs = ours.table.set_index(["system_a", "system_b"]).loc[their_pairs.index]
    our_standings = ours.standings.set_index("system").loc[their_standings.index]

    their_p = their_pairs["p_value"]
    is_above_0 = their_p > 0
    their_stars = their_pairs["stars"].fillna("")
    same_p = np.isclose(our_pairs["pvalue"], their_p, rtol=1e-12, atol=0)
    return all_the_same(
        {
            "p to 12 digits": same_p[is_above_0],
            "stars": our_pairs["stars"] == their_stars,
            "wins": our_standings["wins"] == their_standings["wins"],
            "clusters": our_standings["cluster_end"] == their_standings["cluster_end"],
        }
    )


def all_the_same(is_same: Mapping[str, Any]) -> Outcome:
    """The outcome of comparing published things with ours: it holds if all of them are the same."""
    values = counted_each(is_same)
    are_complete = [value.value == value.of for value in values]
    return Outcome(*values, holds=all(are_complete))


def all_p_values() -> Outcome:
    """Direct assessment into English: the nine campaigns of `direct_assessment` together.

    Decided by: all published p-values are the same to 12 digits.
    """
    rows = {}
    n_published = 0
    for name in in_direct_assessment():
        values = direct_assessment(name).values
        rows[name] = {value.name: value.value for value in values}
        pvalues = values[0]
        n_published += pvalues.of
    table = table_of(rows, "campaign")
    n_same = table["p to 12 digits"].sum()
    return Outcome(
        Value("p to 12 digits", n_same, of=n_published),
        holds=n_same == n_published,
        table=table,
    )


def first_cluster() -> Outcome:
    """WMT21 de-en: the first cluster, by the rule as it is stated and by counts of wins.

    Published: the first cluster (direct_assessment.csv).  A cluster is said to end where all
    systems above beat all below.
    Recomputed: the end of the first cluster by this rule and by counts of wins.
    Decided by: the published end, from counts of wins.
    """
    tests = assessed("wmt21/de-en").wmt().tests
    beats = tests.pvalues < 0.05
    by_wins = cluster_ends(tests.pvalues)[0]
    by_rule = 1
    while not beats[:by_rule, by_rule:].all():
        by_rule += 1
    return Outcome(
        Value("systems in the first cluster, by wins", by_wins),
        Value("by “all above beat all below”", by_rule),
        counted("stars that are missing", ~beats[:by_wins, by_wins:]),
    )


def twins() -> Outcome:
    """WMT21 ja-en, a question of ours: one output, rated as two systems.

    Computed: p of the two under BLEU and by people, and the systems against which people's
    conclusions about the two differ.
    Holds: if p is 1 under BLEU and above .05 by people.
    """
    name = "wmt21/ja-en"
    by_bleu = mt.approximate_randomization(statistics(name, "BLEU"), *TWINS, rng=21)
    tests = assessed(name).tests().table
    is_pair = tests["system_a"].isin(TWINS) & tests["system_b"].isin(TWINS)
    p_by_people = tests["pvalue"][is_pair].item()
    gold = people(name)
    first, second = TWINS
    fare_differently = []
    for system in gold.systems:
        if system not in TWINS:
            of_first = gold.conclusion(first, system)
            of_second = gold.conclusion(second, system)
            fare_differently.append(of_first != of_second)
    return Outcome(
        Value("p, BLEU", by_bleu.pvalue, ".0f"),
        Value("p, people", p_by_people, ".2f"),
        counted("systems against which they fare differently", fare_differently),
        holds=by_bleu.pvalue == 1 and p_by_people > 0.05,
    )


# Published scores of metrics.


def automatic_scores(year: str, metric: str) -> Outcome:
    """A year's campaigns: the organisers' scores against reference A.

    Published: a score for each system (metrics.csv).
    Recomputed: the scores from the stored counts.  Some outputs came with HTML entities, which were
    resolved before counting; of the systems whose scores differ, those with a note of that are
    counted.
    Decided by: all scores are the same to 9 digits.
    """
    rows = {}
    is_unescaped = []
    for name in campaigns_of(year):
        ours = statistics(name, metric).scores()
        theirs = published_scores(name, metric).reindex(ours.index).dropna()
        distance = (ours[theirs.index] - theirs).abs()
        is_same = distance <= 1e-9 * theirs
        rows[name] = {
            "to 9 digits": is_same.sum(),
            "published": len(theirs),
            "largest difference": distance.where(~is_same, 0.0).max(),
        }
        notes = campaign(name).system_notes
        for system in theirs.index[~is_same]:
            is_unescaped.append("unescaped" in notes.get(system, ""))
    table = table_of(rows, "campaign")
    n_same = table["to 9 digits"].sum()
    n_published = table["published"].sum()
    values = [Value("scores to 9 digits", n_same, of=n_published)]
    if n_same < n_published:
        largest = table["largest difference"].max()
        values.append(Value("largest difference", largest, ".3f"))
        values.append(counted("other scores, of outputs that we unescaped", is_unescaped))
    return Outcome(*values, holds=n_same == n_published, table=table)


def published_scores(name: str, metric: str) -> pd.Series:
    """The organisers' scores of a campaign's systems against reference A."""
    scores = campaign(name).published["metrics"].set_index("system")
    is_wanted = scores["metric"] == f"{metric.casefold()}-A"
    return scores["score"][is_wanted]


def averages_of_models() -> Outcome:
    """WMT25, preliminary ranking: every printed average of a metric.

    Published: a table of averages for each language pair.
    Recomputed: the means of the embedded scores of segments, over the segments that have one.
    Decided by: all averages are the same, rounded as they are printed.
    """
    rows = {}
    metrics: set[str] = set()
    for name in campaigns_of("wmt25"):
        folder = campaign(name).folder
        autorank = pd.read_csv(folder / "published" / "autorank.csv.gz", dtype=str)
        printed = autorank.set_index("system").drop(columns="AutoRank")
        n_as_printed = 0
        for metric in printed:
            stored = read_statistics(folder / "statistics" / f"SegmentMean.source={metric}.npz")
            ours = stored.scores()[printed.index]
            n_as_printed += sum(reproduced(printed[metric], ours))
        n_without_score = [len(segments) for segments in campaign(name).incomplete.values()]
        metrics.update(printed.columns)
        rows[name] = {
            "systems": len(printed),
            "averages as printed": n_as_printed,
            "published": printed.size,
            "segments without a score": sum(n_without_score),
        }
    table = table_of(rows, "campaign")
    n_agree = table["averages as printed"].sum()
    n_published = table["published"].sum()
    return Outcome(
        Value("averages as printed", n_agree, of=n_published),
        Value("language pairs", len(table)),
        Value("metrics", len(metrics)),
        holds=n_agree == n_published,
        table=table,
    )


# Published results of other tools.


def other_tool(tool: str, column: str, n_resamples: int, their_resamples: int) -> Outcome:
    """WMT17 en-de: another tool's published p-values, by this package's emulation of the tool.

    Parameters
    ----------
    tool : str
        As `mtsig_nb.reported_by` names it.
    column : str
        Of the published p-values, from the tests of sacreBLEU.
    n_resamples, their_resamples : int
        How many resamples are drawn here, and how many the tool drew.

    Returns
    -------
    Outcome
        Holds if each p-value is within five joint standard errors of the resamples.
    """
    bleu = campaign("wmt17/en-de").statistics("BLEU", tokenize="none")
    published = campaign("wmt17/en-de").published["pvalues"].set_index("system")[column]
    rows = {}
    for system in published.index:
        report = mt.reported_by(
            tool, bleu, str(system), "LIUM-NMT.4900", n_resamples=n_resamples, rng=19
        )
        rows[system] = {
            "published": published[system],
            "ours": report.pvalue,
            "corrected": report.corrected.pvalue,
        }
    table = table_of(rows, published.index.name)
    p = table["ours"]
    distance = (p - table["published"]).abs()
    variance = p * (1 - p) * (1 / n_resamples + 1 / their_resamples)
    standard_error = np.sqrt(variance)
    within = distance <= SIGMAS * standard_error + 2 / n_resamples
    return Outcome(
        counted("within Monte Carlo error", within),
        Value("largest difference", distance.max(), ".3f"),
        holds=within.all(),
        table=table,
    )


def multeval_scores() -> Outcome:
    """MultEval, example: BLEU of two systems over three optimizer runs, and its two spreads.

    Published: the table of MultEval's README.
    Recomputed: the mean of BLEU, s_sel over test sets, by the bootstrap, and s_opt over runs.
    """
    bleu = campaign("multeval/en").statistics("BLEU")
    runs = {
        "baseline": ["baseline.opt0", "baseline.opt1", "baseline.opt2"],
        "sys1": ["sys1.opt0", "sys1.opt1", "sys1.opt2"],
    }
    comparison = mt.compare_runs(bleu, runs, n_resamples=1000, rng=62)
    values = {}
    for row in comparison.to_frame().to_dict("records"):
        system = row["system"]
        values[f"{system} BLEU"] = row["score"]
        values[f"{system} s_sel"] = row["s_sel"]
        values[f"{system} s_opt"] = row["s_opt"]
    return Outcome(*rounded(".1f", values))


def multeval_copy() -> Outcome:
    """MultEval, example: p of a system and its own copy.

    Published: 0.00, in MultEval's README.  Ties do not count there.
    Recomputed: p as the tool counts, and where ties count.
    """
    bleu = campaign("multeval/en").statistics("BLEU")
    report = mt.reported_by("multeval", bleu, "baseline.opt0", "sys2.opt0", rng=0)
    return Outcome(
        Value("p as MultEval counts", report.pvalue, ".2f"),
        Value("p where ties count", report.corrected.pvalue, ".2f"),
    )


# Metrics beside people.


def agreement_with(gold: mt.Conclusions, given: mt.SufficientStatistics) -> Agreement:
    """The agreement of a metric with people, about the systems that they judged.

    By approximate randomization at .05, two-sided, uncorrected.
    """
    tested = mt.compare_all(given, correction=None, interval=None, n_resamples=1000, rng=10)
    return mt.agreement(tested.conclusions(0.05), gold, rng=10)


def metrics_beside_people() -> Outcome:
    """WMT21 and WMT22, a question of ours: BLEU and chrF beside direct assessment.

    Computed: of all pairs of nine campaigns, about how many a metric concludes what people do, and
    about how many the opposite.
    """
    rows = {}
    for name, metric in itertools.product(in_direct_assessment(), ("BLEU", "chrF")):
        gold = people(name)
        given = judged(statistics(name, metric), gold)
        agreement = agreement_with(gold, given)
        rows[name, metric] = agreement.kinds.to_dict() | {"pairs": agreement.total}
    table = table_of(rows, "campaign", "metric")
    total = table.groupby("metric").sum()
    bleu = total.loc["BLEU"]
    chrf = total.loc["chrF"]
    return Outcome(
        Value("correct, BLEU", bleu["correct"], of=bleu["pairs"]),
        Value("correct, chrF", chrf["correct"], of=chrf["pairs"]),
        Value("opposite, BLEU", bleu["opposite"]),
        Value("opposite, chrF", chrf["opposite"]),
        table=table,
    )


def mqm() -> Outcome:
    """WMT21, a question of ours: BLEU and chrF beside experts' MQM, by order and by conclusions.

    Computed: of all pairs of two campaigns, how many a metric orders as experts do, about how many
    it concludes the same, and about how many the opposite.
    """
    values = []
    rows = {}
    for name, metric in itertools.product(("wmt21/en-de", "wmt21/zh-en"), ("BLEU", "chrF")):
        experts = campaign(name).judgements["mqm"]
        gold = experts.conclusions(0.05)
        given = judged(statistics(name, metric), gold)
        agreement = agreement_with(gold, given)
        ordered = mt.pairwise_accuracy(given.scores(), experts.scores(), rng=10)
        rows[name, metric] = {
            "ordered alike": ordered.correct,
            "same conclusion": agreement.correct,
            "opposite": agreement.kinds["opposite"],
            "pairs": agreement.total,
        }
        label = f"ordered alike, {language_pair(name)}, {metric}"
        values.append(Value(label, ordered.correct, of=agreement.total))
    table = table_of(rows, "campaign", "metric")
    return Outcome(*values, table=table)
