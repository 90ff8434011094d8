"""How the organisers ranked the systems of a campaign, or how a rule of theirs ranks them."""

from __future__ import annotations

import dataclasses

import pandas as pd

import mtsig_nb as mt
from mtsig_nb.human import Ratings

#: The rules of `mtsig_nb.human.field_rules.FIELD_RULES` by which pairs are told apart, by year.
#: By the ratings of WMT23 that are embedded WMT published no ranking, and the rule of the year
#: before stands in.
RULES = {"wmt21": "wmt22", "wmt22": "wmt22", "wmt23": "wmt22", "wmt24": "wmt24"}


@dataclasses.dataclass(frozen=True)
class Organisers:
    """A ranking by the organisers, or by a rule of theirs.

    Attributes
    ----------
    is_published : bool
        Whether `standings` are the organisers'; otherwise the rule's on the ratings that are here.
    has_published_pairs : bool
        The same of `better`.
    rule : str
        The name of the rule.
    standings : DataFrame
        One row per system, best first: ``system``; ``mean``, in points of the ratings; and
        ``cluster``, a number from 1.
    better : list of tuple of str
        Pairs that are told apart, the better system first.
    """

    is_published: bool
    has_published_pairs: bool
    rule: str
    standings: pd.DataFrame
    better: list[tuple[str, str]]


def organisers_of(campaign: mt.Campaign, ratings: Ratings, by_rules: pd.DataFrame) -> Organisers:
    """The organisers' ranking of a campaign.

    Parameters
    ----------
    campaign : Campaign
    ratings : Ratings
    by_rules : DataFrame
        What `Ratings.by_field_rules` has found in them.
    """
    year, _, _ = campaign.name.partition("/")
    rule = RULES[year]
    is_of_rule = by_rules["rule"] == rule
    compared = by_rules[is_of_rule]
    told_apart = compared[compared["better"]]
    published = campaign.published
    has_published_pairs = "direct_assessment" in published
    is_published = has_published_pairs or "esa_interim" in published
    if has_published_pairs:
        standings = _direct_assessment(published["direct_assessment"])
        tests = published["wilcoxon"]
        has_stars = tests["stars"].fillna("") != ""
        told_apart = tests[has_stars]
    elif is_published:
        interim = published["esa_interim"].rename(columns={"macro_mean": "mean"})
        standings = interim[["system", "mean", "cluster"]]
    else:
        standings = _by_rule(compared, ratings)
    return Organisers(
        is_published=is_published,
        has_published_pairs=has_published_pairs,
        rule=rule,
        standings=standings,
        better=_pairs(told_apart),
    )


def _direct_assessment(published: pd.DataFrame) -> pd.DataFrame:
    """The standings of WMT21 and WMT22: ordered by standardised means, shown with raw ones."""
    cluster = published["cluster_start"].rank(method="dense")
    renamed = published.rename(columns={"raw_mean": "mean"})
    standings = renamed[["system", "mean"]]
    return standings.assign(cluster=cluster.astype(int))


def _by_rule(compared: pd.DataFrame, ratings: Ratings) -> pd.DataFrame:
    """The standings of a rule, in the order of plain means."""
    is_better = compared["better"].astype(int)
    signs = dict(zip(_pairs(compared), is_better, strict=True))
    conclusions = mt.Conclusions.from_pairs(signs)
    ranks = mt.rank_table(conclusions).set_index("system")
    means = ratings.scores(standardised=False)
    cluster = ranks["wmt_cluster"][means.index]
    columns = {
        "system": means.index,
        "mean": means.to_numpy(),
        "cluster": cluster.to_numpy(),
    }
    return pd.DataFrame(columns)


def _pairs(table: pd.DataFrame) -> list[tuple[str, str]]:
    """The pairs of a table, the better system first."""
    return list(zip(table["system_a"], table["system_b"], strict=True))
