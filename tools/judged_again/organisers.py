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
    if "direct_assessment" in campaign.published:
        standings = _direct_assessment(campaign.published["direct_assessment"])
        published = campaign.published["wilcoxon"]
        has_stars = published["stars"].fillna("") != ""
        return Organisers(True, True, rule, standings, _pairs(published[has_stars]))
    compared = by_rules[by_rules["rule"] == rule]
    better = _pairs(compared[compared["better"]])
    if "esa_interim" in campaign.published:
        published = campaign.published["esa_interim"].rename(columns={"macro_mean": "mean"})
        standings = published[["system", "mean", "cluster"]]
        return Organisers(True, False, rule, standings, better)
    return Organisers(False, False, rule, _by_rule(compared, ratings), better)


def _direct_assessment(published: pd.DataFrame) -> pd.DataFrame:
    """The standings of WMT21 and WMT22: ordered by standardised means, shown with raw ones."""
    cluster = published["cluster_start"].rank(method="dense").astype(int)
    renamed = published.rename(columns={"raw_mean": "mean"})
    return renamed[["system", "mean"]].assign(cluster=cluster)


def _by_rule(compared: pd.DataFrame, ratings: Ratings) -> pd.DataFrame:
    """The standings of a rule, in the order of plain means."""
    both = zip(compared["system_a"], compared["system_b"], strict=True)
    pairs = dict(zip(both, compared["better"].astype(int), strict=True))
    ranks = mt.rank_table(mt.Conclusions.from_pairs(pairs)).set_index("system")
    means = ratings.scores(standardised=False)
    cluster = ranks["wmt_cluster"][means.index]
    return pd.DataFrame(
        {"system": means.index, "mean": means.to_numpy(), "cluster": cluster.to_numpy()}
    )


def _pairs(table: pd.DataFrame) -> list[tuple[str, str]]:
    """The pairs of a table, the better system first."""
    return list(zip(table["system_a"], table["system_b"], strict=True))
