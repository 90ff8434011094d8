"""The page and its figures: what the kept numbers say, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from mtsig_nb.human.field_rules import FIELD_RULES

from ..repository import results
from ..repository.svg import svg
from ..repository.templating import listed, templates
from .comparing import Border, Compared, Fate, median_of, told_apart
from .computing import ESTIMATES
from .drawing import draw

TEMPLATES = Path(__file__).parent / "templates"
PAGE = results.JUDGED_AGAIN.with_name("judged-again.md")
#: Where the figures are.
FOLDER = PAGE.with_suffix("")
#: A campaign in which each document has the same raters for all systems.
BALANCED = "wmt23/en-de"

#: All campaigns as they are kept.
Kept = Mapping[str, Any]


def compared(kept: Kept) -> list[Compared]:
    """All campaigns, with what follows from their numbers."""
    return [Compared(campaign) for campaign in kept["campaigns"]]


def to_markdown(kept: Kept) -> str:
    """The page for the repository."""
    campaigns = compared(kept)
    environment = templates(TEMPLATES)
    environment.filters |= {"correlation": correlation, "percent": percent, "spread": spread}
    template = environment.get_template("judged-again.md.j2")
    return template.render(
        campaigns=[shown(campaign) for campaign in campaigns],
        total=totals(campaigns),
        same_ratings=totals([c for c in campaigns if c.kept["has_published_pairs"]]),
        balanced=_errors(next(c for c in campaigns if c.name == BALANCED)),
        splits=kept["splits"],
        scored=listed([title(name) for name in kept["without_raters"]["scored"]]),
        unjudged=_by_year(kept["without_raters"]["unjudged"]),
        rules=[_rule(name, campaigns) for name in FIELD_RULES],
        scores=ESTIMATES,
    )


def figures(kept: Kept) -> Iterator[tuple[Path, str]]:
    """The figure of each campaign by its file."""
    for campaign in compared(kept):
        name = file_name(campaign)
        yield FOLDER / f"{name}.svg", svg(name, partial(draw, campaign))


def file_name(campaign: Compared) -> str:
    """What a campaign's figure is called: wmt21-cs-en."""
    return campaign.name.replace("/", "-")


def title(name: str) -> str:
    """What a campaign is called on the page: WMT21 cs-en."""
    return name.replace("wmt", "WMT").replace("/", " ")


def _by_year(names: Sequence[str]) -> str:
    """How many campaigns there are of each year: 2 of WMT22 and 29 of WMT25."""
    years = Counter(title(name).split()[0] for name in names)
    return listed([f"{n} of {year}" for year, n in years.items()])


def totals(campaigns: Sequence[Compared]) -> dict[str, Any]:
    """What all campaigns come to: counts of pairs and of borders, and medians."""
    borders = [border for campaign in campaigns for border in campaign.borders]
    fates = Counter(border.fate.name for border in borders)
    counts: Counter[str] = Counter()
    for campaign in campaigns:
        counts.update(_counts(campaign))
    is_sharper = [
        campaign.median_error() < campaign.median_error(plain=True) for campaign in campaigns
    ]
    by_other_rule = [
        title(campaign.name)
        for campaign in campaigns
        if campaign.n_clusters(campaign.organisers) != campaign.n_clusters_of_organisers
    ]
    return {
        **counts,
        "n": len(campaigns),
        "n_by_rule": sum(not campaign.kept["is_published"] for campaign in campaigns),
        "by_other_rule": listed(by_other_rule),
        "borders": len(borders),
        "undecided_by_error": sum(
            border.by_error for border in borders if border.fate is Fate.UNDECIDED
        ),
        "fates": {fate.name: fates[fate.name] for fate in Fate},
        "sharper": sum(is_sharper),
        "halves": {
            measure: {score: median_of(campaigns, score, measure) for score in ESTIMATES}
            for measure in ("pearson", "same_order")
        },
    }


def _counts(campaign: Compared) -> dict[str, int]:
    """The numbers of a campaign that are added up: of clusters, of pairs and of ratings."""
    neighbours = campaign.neighbours
    turned_by_model = {(b, a) for a, b in campaign.turned} & campaign.by_model_with_holm
    return {
        "clusters": campaign.n_clusters_of_organisers,
        "clusters_by_model": campaign.n_clusters(campaign.by_model),
        "clusters_with_holm": campaign.n_clusters_with_holm,
        "kept_of_standardised": campaign.n_borders_kept(campaign.by_standardised),
        "neighbours": len(neighbours),
        "neighbours_told_apart": len(told_apart(neighbours, "pvalue")),
        "pairs": len(campaign.pairs),
        "organisers": len(campaign.organisers),
        "model": len(campaign.by_model),
        "model_holm": len(campaign.by_model_with_holm),
        "standardised_holm": len(campaign.by_standardised),
        "plain": len(campaign.by_plain_means(holm=False)),
        "model_one_sided": len(campaign.by_one_sided_model),
        "plain_holm": len(campaign.by_plain_means(holm=True)),
        "kept": len(campaign.organisers & campaign.by_model_with_holm),
        "gained": len(campaign.by_model_with_holm - campaign.organisers),
        "contradicted": len(campaign.contradicted),
        "turned": len(campaign.turned),
        "turned_of_standardised": campaign.n_turned_of_standardised,
        "turned_claims": len(campaign.turned & campaign.organisers),
        "turned_by_model": len(turned_by_model),
        "ratings": campaign.kept["ratings"],
        "controls": campaign.kept["controls"],
    }


def shown(campaign: Compared) -> dict[str, Any]:
    """All that the template shows of a campaign."""
    return {
        **_counts(campaign),
        "title": title(campaign.name),
        "file": file_name(campaign),
        "raters": campaign.kept["raters"],
        "systems": len(campaign.systems),
        "is_published": campaign.kept["is_published"],
        "has_published_pairs": campaign.kept["has_published_pairs"],
        "first": campaign.standings.index[0],
        "first_by_model": campaign.systems.index[0],
        "n_borders": len(campaign.borders),
        "n_kept": sum(border.fate is Fate.KEPT for border in campaign.borders),
        "fates": _by_fate(campaign.borders),
        "alt": alternative_text(campaign),
        "plain_error": campaign.median_error(plain=True),
        "error": campaign.median_error(),
        "agreement": {score: campaign.agreement(score, "pearson") for score in ESTIMATES},
    }


def _errors(campaign: Compared) -> dict[str, Any]:
    """The standard errors of all differences in a campaign, the least and the largest."""
    return {
        "title": title(campaign.name),
        "plain": campaign.range_of_errors(plain=True),
        "model": campaign.range_of_errors(),
    }


def _by_fate(borders: Sequence[Border]) -> list[tuple[Fate, str]]:
    """What becomes of borders, and which these are: Borders below ranks 2 and 3."""
    found = []
    for fate in Fate:
        ranks = [border.rank for border in borders if border.fate == fate]
        if ranks:
            noun = "Border below rank" if len(ranks) == 1 else "Borders below ranks"
            found.append((fate, f"{noun} {listed(list(map(str, ranks)))}"))
    return found


def _rule(name: str, campaigns: Sequence[Compared]) -> dict[str, Any]:
    """A rule of the field, and how many pairs of all campaigns it tells apart."""
    rule = FIELD_RULES[name]
    counts = pd.concat([campaign.table("rules") for campaign in campaigns])
    of_rule = counts[counts["rule"] == name]
    return {
        "title": rule.title,
        "compares": rule.compares,
        "better": int(of_rule["better"].sum()),
        "compared": int(of_rule["compared"].sum()),
    }


def correlation(value: float) -> str:
    """Two decimals, without the zero before them."""
    return f"{value:.2f}".replace("0.", ".").replace("-", "−")


def spread(found: tuple[float, float, float]) -> str:
    """A median correlation, with the least and the most in brackets."""
    median, least, most = map(correlation, found)
    return f"{median} ({least}, {most})"


def percent(share: float) -> str:
    """A share in percent."""
    return f"{100 * share:.0f} %"


def alternative_text(campaign: Compared) -> str:
    """What a reader should know who cannot see a campaign's figure."""
    means = "Published means" if campaign.kept["is_published"] else "Plain means"
    organisers = _n_clusters(campaign.n_clusters_of_organisers)
    model = _n_clusters(campaign.n_clusters_with_holm)
    return (
        f"{means} of {len(campaign.systems)} systems in {organisers}, "
        f"and adjusted estimates with intervals in {model}."
    )


def _n_clusters(n: int) -> str:
    return "1 cluster" if n == 1 else f"{n} clusters"
