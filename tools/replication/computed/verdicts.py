"""Which verdicts at .05 change with the test, the unit and a correction: all pairs of campaigns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

import mtsig_nb as mt
from mtsig_nb.metrics.base import Mask
from mtsig_nb.significance.other_tools import OTHER_TOOLS

from ...repository.campaigns import campaign
from ..rows import Outcome, Value, counted, table_of
from ..shared import in_direct_assessment
from .later import assessed, other_tool

LEVEL = 0.05
SEED = 35
SACREBLEU = OTHER_TOOLS["sacrebleu-bs"]
#: Options of `mtsig_nb.compare_all`.
RELEASED = {"test": SACREBLEU.procedure, "counting": SACREBLEU.counting}
FLIPS = {"test": "sign-flip"}
DOCUMENTS = FLIPS | {"units": "documents"}
#: The ways in which verdicts are made, each with its options.
WAYS: dict[str, dict[str, Any]] = {
    "as released": RELEASED,
    "bootstrap": {"test": "bootstrap"},
    "randomization": {"test": "approximate-randomization"},
    "sign flips": FLIPS,
    "another seed": FLIPS | {"rng": SEED + 1},
    "documents": DOCUMENTS,
    "documents, Holm": DOCUMENTS | {"correction": "holm"},
}
#: The two ways that each change compares.  They differ in one thing, but for the last.
CHANGES = {
    "released bootstrap corrected": ("as released", "bootstrap"),
    "sign flips for randomization": ("randomization", "sign flips"),
    "documents for segments": ("sign flips", "documents"),
    "Holm's correction": ("documents", "documents, Holm"),
    "another seed": ("sign flips", "another seed"),
    "released bootstrap to documents with Holm": ("as released", "documents, Holm"),
}


def is_significant(statistics: mt.SufficientStatistics, options: Mapping[str, Any]) -> pd.Series:
    """For each pair of systems, whether p is at most .05, with options of `WAYS`."""
    keywords: dict[str, Any] = {"correction": None, "interval": None, "rng": SEED}
    keywords |= options
    comparisons = mt.compare_all(statistics, **keywords)
    pairs = comparisons.table.set_index(["system_a", "system_b"])
    return pairs["pvalue_adjusted"] <= LEVEL


def verdicts(name: str, metric: str) -> pd.DataFrame:
    """The verdicts about each pair of systems of a campaign.

    Returns
    -------
    DataFrame
        A row for each pair.  For each of `WAYS`, whether the pair differs significantly; empty for
        ways that need documents where a campaign has none.  ``campaign`` is its name, and
        ``neighbours`` whether the two systems follow one another in the ranking.
    """
    statistics = campaign(name).statistics(metric, missing="leave-out")
    has_documents = statistics.documents is not None
    by_way = {}
    for way, options in WAYS.items():
        if has_documents or "units" not in options:
            by_way[way] = is_significant(statistics, options)
    table = pd.DataFrame(by_way, columns=list(WAYS))
    neighbours = are_neighbours(statistics, table.index)
    return table.assign(campaign=name, neighbours=neighbours)


def are_neighbours(statistics: mt.SufficientStatistics, pairs: pd.Index) -> Mask:
    """For each pair of systems, whether they follow one another in the ranking by score."""
    higher_is_better = statistics.metric.direction * statistics.scores()
    rank = higher_is_better.rank(method="first")
    systems = pairs.to_frame()
    rank_of_a = systems["system_a"].map(rank)
    rank_of_b = systems["system_b"].map(rank)
    ranks_apart = (rank_of_a - rank_of_b).abs()
    return np.asarray(ranks_apart == 1)


def campaigns(metric: str) -> Outcome:
    """WMT12 to WMT25, a question of ours: verdicts that another test, unit or correction changes.

    Computed: for all pairs of systems of every WMT campaign that has the metric, the verdicts of
    all `WAYS`, and how many differ between the two of each of the `CHANGES`.
    Holds: if documents for segments change a larger share of verdicts than sign flips for
    approximate randomization.
    """
    by_campaign = [verdicts(name, metric) for name in campaigns_with(metric)]
    pairs = pd.concat(by_campaign)
    table = pairs.groupby("campaign", sort=False).size().to_frame("pairs")
    among_all = []
    among_neighbours = []
    only_after = []
    share_changed = {}
    for change, (before, after) in CHANGES.items():
        decided = decided_both_ways(pairs, before, after)
        is_changed = decided["changed"]
        of_neighbours = is_changed[decided["neighbours"]]
        n_only_after = decided["only_after"].sum()
        among_all.append(counted(change, is_changed))
        among_neighbours.append(counted(f"{change}, of neighbours", of_neighbours))
        only_after.append(Value(f"{change}, found only after", n_only_after))
        share_changed[change] = is_changed.mean()
        table[change] = is_changed.groupby(decided["campaign"]).sum()
    by_documents = share_changed["documents for segments"]
    by_sign_flips = share_changed["sign flips for randomization"]
    return Outcome(
        *among_all,
        *among_neighbours,
        *only_after,
        counted("at most .05, as released", pairs["as released"]),
        Value("campaigns", len(table)),
        holds=by_documents > by_sign_flips,
        table=table.astype("Int64"),
    )


def decided_both_ways(pairs: pd.DataFrame, before: str, after: str) -> pd.DataFrame:
    """The rows of `verdicts` that have the verdicts of both of `WAYS`.

    Two columns are added: whether the verdict has ``changed``, and whether it is significant
    ``only_after`` the change.
    """
    known = pairs.dropna(subset=[after])
    old = known[before].astype(bool)
    new = known[after].astype(bool)
    changed = old != new
    only_after = new & ~old
    return known.assign(changed=changed, only_after=only_after)


def campaigns_with(metric: str) -> list[str]:
    """The WMT campaigns that have a metric."""
    names = []
    for row in mt.list_campaigns().to_dict("records"):
        has_metric = metric in row["metrics"].split(", ")
        if has_metric and row["campaign"] != "multeval":
            names.append(row["name"])
    return names


def people() -> Outcome:
    """WMT21 and WMT22, a question of ours: published stars, and verdicts by other units.

    Published: stars, which are one-sided rank-sum tests of segments' means at .05, uncorrected.
    Computed: from the same ratings, verdicts of sign-flip tests with segments, documents or raters
    as units.
    """
    one_sided = FLIPS | {"alternative": "greater"}
    holm = FLIPS | {"correction": "holm"}
    rows = {}
    for name in in_direct_assessment():
        published = campaign(name).published["wilcoxon"]
        has_star = published["stars"].fillna("") != ""
        ratings = assessed(name)
        segments = ratings.segment_means().as_statistics()
        raters = ratings.as_statistics(units="raters")
        significant = {
            "sign flips of segments, one-sided": is_significant(segments, one_sided),
            "sign flips of segments": is_significant(segments, FLIPS),
            "of documents": is_significant(segments, DOCUMENTS),
            "of raters": is_significant(raters, FLIPS),
            "of raters, Holm": is_significant(raters, holm),
        }
        row: dict[str, Any] = {"pairs": len(published), "published stars": has_star.sum()}
        for kind, pairs in significant.items():
            row[kind] = pairs.sum()
        rows[name] = row
    table = table_of(rows, "campaign")
    n_pairs = table["pairs"].sum()
    totals = table.drop(columns="pairs").sum()
    values = []
    for column, n_found in totals.items():
        value = Value(str(column), n_found, of=n_pairs)
        values.append(value)
    return Outcome(*values, table=table)


def printed_by_moses() -> Outcome:
    """WMT17 en-de, a question of ours: printed p-values of Moses' bootstrap, and corrected ones.

    Published: p-values, in the tests of sacreBLEU.
    Computed: how many are at most .05 as printed, and by the bootstrap test with both tails.
    """
    by_moses = other_tool("moses", "moses_bootstrap_bleu", n_resamples=10_000, their_resamples=6000)
    table = by_moses.table
    assert table is not None
    return Outcome(
        counted("at most .05, printed", table["published"] <= LEVEL),
        counted("at most .05, corrected", table["corrected"] <= LEVEL),
        table=table,
    )
