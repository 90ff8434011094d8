"""Which verdicts at .05 change with the test, the unit and a correction: all pairs of campaigns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

import mtsig_nb as mt
from mtsig_nb.significance.other_tools import OTHER_TOOLS

from ...repository.campaigns import campaign
from ..rows import Outcome, Value, counted
from ..shared import in_direct_assessment
from .later import assessed, other_tool

LEVEL, SEED = 0.05, 35
SACREBLEU = OTHER_TOOLS["sacrebleu-bs"]
FLIPS = {"test": "sign-flip"}
ARTICLES = FLIPS | {"units": "documents"}
#: How verdicts are made.  More resamples are drawn where they could still turn a verdict.
WAYS: dict[str, dict[str, Any]] = {
    "as released": {"test": SACREBLEU.procedure, "counting": SACREBLEU.counting},
    "bootstrap": {"test": "bootstrap"},
    "randomization": {"test": "approximate-randomization"},
    "sign flips": FLIPS,
    "another seed": FLIPS | {"rng": SEED + 1},
    "documents": ARTICLES,
    "documents, Holm": ARTICLES | {"correction": "holm"},
}
#: Each compares two of them that differ in one thing, but for the last.
CHANGES = {
    "released bootstrap mended": ("as released", "bootstrap"),
    "sign flips for randomization": ("randomization", "sign flips"),
    "documents for segments": ("sign flips", "documents"),
    "Holm's correction": ("documents", "documents, Holm"),
    "another seed": ("sign flips", "another seed"),
    "released bootstrap to documents with Holm": ("as released", "documents, Holm"),
}


def significant(statistics: mt.SufficientStatistics, way: Mapping[str, Any]) -> pd.Series:
    """Of every pair, whether p is at most .05."""
    plain = {"correction": None, "interval": None, "rng": SEED}
    table = mt.compare_all(statistics, **plain | dict(way)).table
    return table.set_index(["system_a", "system_b"])["pvalue_adjusted"] <= LEVEL


def verdicts(name: str, metric: str) -> pd.DataFrame:
    """Of every pair of systems the verdict of each way, and whether the two are neighbours.

    Without documents the ways that need them have none.
    """
    statistics = campaign(name).statistics(metric, missing="leave-out")
    known = [way for way in WAYS if statistics.documents is not None or "units" not in WAYS[way]]
    pairs = pd.DataFrame(
        {way: significant(statistics, WAYS[way]) for way in known}, columns=[*WAYS]
    )
    rank = (statistics.metric.direction * statistics.scores()).rank(method="first")
    one, other = (rank[pairs.index.get_level_values(k)].to_numpy() for k in (0, 1))
    return pairs.assign(campaign=name, neighbours=np.abs(one - other) == 1)


def campaigns(metric: str) -> Outcome:
    """All pairs of systems of every WMT campaign that has a metric, by each change."""
    given = mt.list_campaigns().set_index("name")
    having = given["metrics"].str.split(", ").map(lambda named: metric in named)
    names = given.index[having & (given["campaign"] != "multeval")]
    found = pd.concat([verdicts(name, metric) for name in names])
    changed, of_neighbours, after_only = [], [], []
    table = found.groupby("campaign", sort=False).size().to_frame("pairs")
    for change, (before, after) in CHANGES.items():
        known = found.dropna(subset=[after])
        old, new, near = (known[c].astype(bool) for c in (before, after, "neighbours"))
        changed.append(counted(change, old != new))
        of_neighbours.append(counted(f"{change}, of neighbours", (old != new)[near]))
        after_only.append(Value(f"{change}, found only after", (new & ~old).sum()))
        table[change] = (old != new).groupby(known["campaign"]).sum().reindex(table.index)
    test, unit = (100 * value.value / value.of for value in changed[1:3])
    return Outcome(
        *changed,
        *of_neighbours,
        *after_only,
        counted("at most .05, as released", found["as released"]),
        Value("campaigns", len(table)),
        holds=bool(unit > test),
        table=table.astype("Int64"),
    )


def people() -> Outcome:
    """The published stars of direct assessment, and what is left of them by raters as units."""
    rows = {}
    for name in in_direct_assessment():
        ratings, published = assessed(name), campaign(name).published["wilcoxon"]
        means = ratings.segment_means().as_statistics()
        raters = ratings.as_statistics(units="raters")
        tests = {
            "sign flips of segments, one-sided": significant(
                means, FLIPS | {"alternative": "greater"}
            ),
            "sign flips of segments": significant(means, FLIPS),
            "of documents": significant(means, ARTICLES),
            "of raters": significant(raters, FLIPS),
            "of raters, Holm": significant(raters, FLIPS | {"correction": "holm"}),
        }
        stars = published["stars"].fillna("") != ""
        rows[name] = {"pairs": len(published), "published stars": int(stars.sum())}
        rows[name] |= {test: int(found.sum()) for test, found in tests.items()}
    table = pd.DataFrame(rows).T.rename_axis("campaign")
    pairs, *found = table.sum().items()
    return Outcome(*(Value(str(name), n, of=pairs[1]) for name, n in found), table=table)


def printed_by_moses() -> Outcome:
    """The p-values of Moses' bootstrap that sacreBLEU's tests record, and the corrected ones."""
    table = other_tool("moses", "moses_bootstrap_bleu", 10_000, 6000).table
    assert table is not None
    return Outcome(
        counted("at most .05, printed", table["published"] <= LEVEL),
        counted("at most .05, corrected", table["corrected"] <= LEVEL),
        table=table,
    )
