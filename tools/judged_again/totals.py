"""What the campaigns come to together: on the page, and in the article."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Any

from .comparing import Border, Compared, Fate, told_apart
from .computing import ESTIMATES

#: How the agreement of two halves is measured, as `computing` names it.
MEASURES = ("pearson", "same_order")


def compared(kept: Mapping[str, Any]) -> list[Compared]:
    """All campaigns of ``docs/judged_again.json``, with what follows from their numbers."""
    return [Compared(campaign) for campaign in kept["campaigns"]]


def by_source(campaigns: Iterable[Compared]) -> dict[str, list[Compared]]:
    """Campaigns by where the organisers' ranking is from; unlike ones are not added up.

    Returns
    -------
    dict
        ``published``: WMT published tests of these ratings. ``interim``: it published clusters, by
        these ratings and others. ``stand_in``: a rule stands in for the organisers.
    """
    found: dict[str, list[Compared]] = {"published": [], "interim": [], "stand_in": []}
    for campaign in campaigns:
        found[source(campaign)].append(campaign)
    return found


def source(campaign: Compared) -> str:
    """Where the organisers' ranking of a campaign is from, in the words of `by_source`."""
    if campaign.kept["has_published_pairs"]:
        return "published"
    if campaign.kept["is_published"]:
        return "interim"
    return "stand_in"


def totals(campaigns: Sequence[Compared]) -> dict[str, Any]:
    """What campaigns come to together.

    Returns
    -------
    dict
        The sums of `counts`, by their names; ``n`` campaigns; what `counts_of_borders` has;
        ``sharper``, in how many campaigns the model's error is smaller than that of plain means;
        ``halves``, medians of agreement by measure and kind of score; and ``above_standardised``,
        in how many campaigns the halves' correlation is higher by the model than by standardised
        ratings.
    """
    sums: Counter[str] = Counter()
    for campaign in campaigns:
        sums.update(counts(campaign))
    sharper = [campaign for campaign in campaigns if is_sharper(campaign)]
    above_standardised = [campaign for campaign in campaigns if is_above_standardised(campaign)]
    return {
        **sums,
        **counts_of_borders(campaigns),
        "n": len(campaigns),
        "sharper": len(sharper),
        "above_standardised": len(above_standardised),
        "halves": {measure: _agreement(campaigns, measure) for measure in MEASURES},
    }


def counts(campaign: Compared) -> dict[str, int]:
    """The numbers of a campaign that can be added up: of ratings, of clusters and of pairs."""
    return {
        "ratings": campaign.kept["ratings"],
        "controls": campaign.kept["controls"],
        **_counts_of_clusters(campaign),
        **_counts_of_pairs(campaign),
        **_counts_of_turned_pairs(campaign),
    }


def _counts_of_clusters(campaign: Compared) -> dict[str, int]:
    """How many clusters the organisers and the model have; borders kept by other tests."""
    return {
        "clusters": campaign.n_clusters_of_organisers,
        "clusters_by_model": campaign.n_clusters(campaign.by_model),
        "clusters_with_holm": campaign.n_clusters_with_holm,
        "kept_one_sided": campaign.n_borders_kept(campaign.by_one_sided_model),
        "kept_of_standardised": campaign.n_borders_kept(campaign.by_standardised),
    }


def _counts_of_pairs(campaign: Compared) -> dict[str, int]:
    """How many pairs there are, and how many are told apart in which way."""
    organisers = campaign.organisers
    with_holm = campaign.by_model_with_holm
    neighbours = campaign.neighbours
    return {
        "pairs": len(campaign.pairs),
        "organisers": len(organisers),
        "model": len(campaign.by_model),
        "model_one_sided": len(campaign.by_one_sided_model),
        "model_holm": len(with_holm),
        "standardised_holm": len(campaign.by_standardised),
        "plain": len(campaign.by_plain_means(holm=False)),
        "plain_holm": len(campaign.by_plain_means(holm=True)),
        "kept": len(organisers & with_holm),
        "gained": len(campaign.by_model - organisers),
        "gained_with_holm": len(with_holm - organisers),
        "contradicted": len(campaign.contradicted),
        "neighbours": len(neighbours),
        "neighbours_told_apart": len(told_apart(neighbours, "pvalue")),
    }


def _counts_of_turned_pairs(campaign: Compared) -> dict[str, int]:
    """How many pairs are in another order than the organisers', and who tells these apart."""
    turned = campaign.turned
    as_by_model = {(b, a) for a, b in turned}
    return {
        "turned": len(turned),
        "turned_claims": len(turned & campaign.organisers),
        "turned_by_model": len(as_by_model & campaign.by_model),
        "turned_of_standardised": campaign.n_turned_of_standardised,
    }


def counts_of_borders(campaigns: Iterable[Compared]) -> dict[str, Any]:
    """How many borders the organisers have, and what becomes of how many.

    Returns
    -------
    dict
        ``borders``, all; ``holding``, those that hold by the organisers' tests if every pair across
        must be told apart. Of the latter: ``uncorrected``, kept by the model without a correction;
        ``fates``, by name; ``undecided``; and ``undecided_by_error``, as `Border.by_error`.
    """
    borders: list[Border] = []
    for campaign in campaigns:
        borders += campaign.borders
    holding = [border for border in borders if border.holds_by_pairs]
    fates = Counter(border.fate for border in holding)
    undecided = [border for border in holding if border.fate in (Fate.UNDECIDED, Fate.TURNED)]
    return {
        "borders": len(borders),
        "holding": len(holding),
        "uncorrected": fates[Fate.KEPT] + fates[Fate.HOLM],
        "fates": {fate.name: fates[fate] for fate in Fate},
        "undecided": len(undecided),
        "undecided_by_error": sum(border.by_error for border in undecided),
    }


def is_sharper(campaign: Compared) -> bool:
    """Whether the model's median error between neighbours is smaller than that of plain means."""
    return campaign.median_error() < campaign.median_error(plain=True)


def is_above_standardised(campaign: Compared) -> bool:
    """Whether two halves correlate more by the model than by standardised ratings (medians)."""
    by_model = campaign.agreement("estimate", "pearson")
    standardised = campaign.agreement("standardised", "pearson")
    return by_model.median > standardised.median


def _agreement(campaigns: Sequence[Compared], measure: str) -> dict[str, float]:
    """By kind of score, the median over campaigns of how well two halves agree."""
    found = {}
    for score in ESTIMATES:
        found[score] = median(campaign.agreement(score, measure).median for campaign in campaigns)
    return found
