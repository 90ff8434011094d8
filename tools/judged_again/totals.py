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


def totals(campaigns: Sequence[Compared]) -> dict[str, Any]:
    """What campaigns come to together.

    Returns
    -------
    dict
        The sums of `counts`, by their names; ``n`` campaigns, for ``n_by_rule`` of which a rule
        stands in for the organisers; ``borders``, ``fates`` and ``undecided_by_error``, counts of
        borders; ``sharper``, in how many campaigns the model's error is smaller than that of plain
        means; and ``halves``, medians of agreement by measure and kind of score.
    """
    sums: Counter[str] = Counter()
    for campaign in campaigns:
        sums.update(counts(campaign))
    ranked_by_rule = [campaign for campaign in campaigns if not campaign.kept["is_published"]]
    sharper = [campaign for campaign in campaigns if is_sharper(campaign)]
    return {
        **sums,
        **_counts_of_borders(campaigns),
        "n": len(campaigns),
        "n_by_rule": len(ranked_by_rule),
        "sharper": len(sharper),
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
    """How many clusters the organisers and the model have; borders kept on standard scores."""
    return {
        "clusters": campaign.n_clusters_of_organisers,
        "clusters_by_model": campaign.n_clusters(campaign.by_model),
        "clusters_with_holm": campaign.n_clusters_with_holm,
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
        "gained": len(with_holm - organisers),
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
        "turned_by_model": len(as_by_model & campaign.by_model_with_holm),
        "turned_of_standardised": campaign.n_turned_of_standardised,
    }


def _counts_of_borders(campaigns: Iterable[Compared]) -> dict[str, Any]:
    """How many borders the organisers have, and what becomes of how many."""
    borders: list[Border] = []
    for campaign in campaigns:
        borders += campaign.borders
    fates = Counter(border.fate for border in borders)
    undecided = [border for border in borders if border.fate is Fate.UNDECIDED]
    return {
        "borders": len(borders),
        "fates": {fate.name: fates[fate] for fate in Fate},
        "undecided_by_error": sum(border.by_error for border in undecided),
    }


def is_sharper(campaign: Compared) -> bool:
    """Whether the model's median error between neighbours is smaller than that of plain means."""
    return campaign.median_error() < campaign.median_error(plain=True)


def _agreement(campaigns: Sequence[Compared], measure: str) -> dict[str, float]:
    """By kind of score, the median over campaigns of how well two halves agree."""
    found = {}
    for score in ESTIMATES:
        found[score] = median(campaign.agreement(score, measure).median for campaign in campaigns)
    return found
