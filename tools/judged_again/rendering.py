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
from .comparing import Agreement, Border, Compared, Fate
from .computing import ESTIMATES
from .drawing import draw
from .totals import compared, counts, totals

TEMPLATES = Path(__file__).parent / "templates"
PAGE = results.JUDGED_AGAIN.with_name("judged-again.md")
#: Where the figures are.
FOLDER = PAGE.with_suffix("")
#: A campaign in which each document has the same raters for all systems.
BALANCED = "wmt23/en-de"

#: All campaigns as they are kept.
Kept = Mapping[str, Any]


def to_markdown(kept: Kept) -> str:
    """The page for the repository."""
    campaigns = compared(kept)
    on_same_ratings = [found for found in campaigns if found.kept["has_published_pairs"]]
    (balanced,) = (found for found in campaigns if found.name == BALANCED)
    environment = templates(TEMPLATES)
    environment.filters |= {"correlation": correlation, "percent": percent, "spread": spread}
    template = environment.get_template("judged-again.md.j2")
    return template.render(
        campaigns=[shown(campaign) for campaign in campaigns],
        total=totals(campaigns),
        same_ratings=totals(on_same_ratings),
        with_other_clusters=_with_other_clusters(on_same_ratings),
        balanced=_errors(balanced),
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


def _with_other_clusters(campaigns: Sequence[Compared]) -> str:
    """The campaigns whose published clusters are not as many as the pairs told apart make."""
    found = []
    for campaign in campaigns:
        if campaign.n_clusters(campaign.organisers) != campaign.n_clusters_of_organisers:
            found.append(title(campaign.name))
    return listed(found)


def shown(campaign: Compared) -> dict[str, Any]:
    """All that the template shows of a campaign."""
    return {
        **counts(campaign),
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


def spread(agreement: Agreement) -> str:
    """A median correlation, with the least and the most in brackets."""
    least = correlation(agreement.least)
    most = correlation(agreement.most)
    return f"{correlation(agreement.median)} ({least}, {most})"


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
