"""Which verdicts at .05 change with the test, the unit and a correction: all pairs of campaigns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

import mtsig_nb as mt
from mtsig_nb.significance.other_tools import OTHER_TOOLS

from ...repository.campaigns import campaign
from ..rows import Outcome, Value, counted, table_of
from ..shared import in_direct_assessment
from .later import assessed, other_tool

LEVEL = 0.05
SEED = 35
SACREBLEU = OTHER_TOOLS["sacrebleu-bs"]
FLIPS = {"test": "sign-flip"}
DOCUMENTS = FLIPS | {"units": "documents"}
#: How verdicts are made.  More resamples are drawn where they could still turn a verdict.
WAYS: dict[str, dict[str, Any]] = {
    "as released": {"test": SACREBLEU.procedure, "counting": SACREBLEU.counting},
    "bootstrap": {"test": "bootstrap"},
    "randomization": {"test": "approximate-randomization"},
    "sign flips": FLIPS,
    "another seed": FLIPS | {"rng": SEED + 1},
    "documents": DOCUMENTS,
    "documents, Holm": DOCUMENTS | {"correction": "holm"},
}
#: The two ways that each change compares.  They differ in one thing, but for the last.
CHANGES = {
    "released bootstrap mended": ("as released", "bootstrap"),
    "sign flips for randomization": ("randomization", "sign flips"),
    "documents for segments": ("sign flips", "documents"),
    "Holm's correction": ("documents", "documents, Holm"),
    "another seed": ("sign flips", "another seed"),
    "released bootstrap to documents with Holm": ("as released", "documents, Holm"),
}


def significant(statistics: mt.SufficientStatistics, way: Mapping[str, Any]) -> pd.Series:
    """For each pair of systems, whether p is at most .05."""
    options = {"correction": None, "interval": None, "rng": SEED} | dict(way)
    table = mt.compare_all(statistics, **options).table
    return table.set_index(["system_a", "system_b"])["pvalue_adjusted"] <= LEVEL


def verdicts(name: str, metric: str) -> pd.DataFrame:
    """The verdict of each way for each pair of systems, and whether the two are neighbours.

    Ways that need documents are empty for a campaign without them.
    """
    statistics = campaign(name).statistics(metric, missing="leave-out")
    by_way = {}
    for way, options in WAYS.items():
        if statistics.documents is not None or "units" not in options:
            by_way[way] = significant(statistics, options)
    pairs = pd.DataFrame(by_way, columns=list(WAYS))
    upwards = statistics.metric.direction * statistics.scores()
    rank = upwards.rank(method="first")
    rank_a = rank[pairs.index.get_level_values("system_a")].to_numpy()
    rank_b = rank[pairs.index.get_level_values("system_b")].to_numpy()
    return pairs.assign(campaign=name, neighbours=np.abs(rank_a - rank_b) == 1)


def campaigns(metric: str) -> Outcome:
    """WMT12 to WMT25, a question of ours: verdicts that another test, unit or correction changes.

    Computed: for all pairs of systems of every WMT campaign that has the metric, the verdicts of
    all `WAYS`, and how many differ between the two of each of the `CHANGES`.
    Holds: if documents for segments change a larger share of verdicts than sign flips for
    approximate randomization.
    """
    pairs = pd.concat([verdicts(name, metric) for name in campaigns_with(metric)])
    by_campaign = pairs.groupby("campaign", sort=False)
    table = by_campaign.size().to_frame("pairs")
    of_all, of_neighbours, only_after = [], [], []
    for change, (before, after) in CHANGES.items():
        known = pairs.dropna(subset=[after])
        old = known[before].astype(bool)
        new = known[after].astype(bool)
        changed = old != new
        of_all.append(counted(change, changed))
        of_neighbours.append(counted(f"{change}, of neighbours", changed[known["neighbours"]]))
        only_after.append(Value(f"{change}, found only after", (new & ~old).sum()))
        table[change] = changed.groupby(known["campaign"]).sum().reindex(table.index)
    share = {value.name: value.value / value.of for value in of_all}
    return Outcome(
        *of_all,
        *of_neighbours,
        *only_after,
        counted("at most .05, as released", pairs["as released"]),
        Value("campaigns", len(table)),
        holds=share["documents for segments"] > share["sign flips for randomization"],
        table=table.astype("Int64"),
    )


def campaigns_with(metric: str) -> list[str]:
    """The WMT campaigns that have a metric."""
    listed = mt.list_campaigns().set_index("name")
    has_metric = listed["metrics"].str.split(", ").map(lambda metrics: metric in metrics)
    is_wmt = listed["campaign"] != "multeval"
    return list(listed.index[has_metric & is_wmt])


def people() -> Outcome:
    """WMT21 and WMT22, a question of ours: published stars, and verdicts by other units.

    Published: stars, which are one-sided rank-sum tests of segments' means at .05, uncorrected.
    Computed: from the same ratings, verdicts of sign-flip tests with segments, documents or raters
    as units.
    """
    rows = {}
    for name in in_direct_assessment():
        published = campaign(name).published["wilcoxon"]
        has_star = published["stars"].fillna("") != ""
        means = assessed(name).segment_means().as_statistics()
        raters = assessed(name).as_statistics(units="raters")
        one_sided = FLIPS | {"alternative": "greater"}
        holm = FLIPS | {"correction": "holm"}
        rows[name] = {
            "pairs": len(published),
            "published stars": has_star.sum(),
            "sign flips of segments, one-sided": significant(means, one_sided).sum(),
            "sign flips of segments": significant(means, FLIPS).sum(),
            "of documents": significant(means, DOCUMENTS).sum(),
            "of raters": significant(raters, FLIPS).sum(),
            "of raters, Holm": significant(raters, holm).sum(),
        }
    table = table_of(rows, "campaign")
    total = table.sum()
    counts = total.drop("pairs")
    values = [Value(str(name), count, of=total["pairs"]) for name, count in counts.items()]
    return Outcome(*values, table=table)


def printed_by_moses() -> Outcome:
    """WMT17 en-de, a question of ours: printed p-values of Moses' bootstrap, and corrected ones.

    Published: p-values, in the tests of sacreBLEU.
    Computed: how many are at most .05 as printed, and by the bootstrap test with both tails.
    """
    table = other_tool("moses", "moses_bootstrap_bleu", 10_000, 6000).table
    assert table is not None
    return Outcome(
        counted("at most .05, printed", table["published"] <= LEVEL),
        counted("at most .05, corrected", table["corrected"] <= LEVEL),
        table=table,
    )
