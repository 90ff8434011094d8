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
from .drawing import MEANS, draw
from .totals import by_source, compared, counts, source, totals

TEMPLATES = Path(__file__).parent / "templates"
#: The results, a figure for each campaign, and how it was done.
PAGES = [
    results.JUDGED_AGAIN.with_name(f"{name}.md")
    for name in ("judged-again", "judged-again-campaigns", "judged-again-method")
]
#: Where the figures are.
FOLDER = PAGES[0].with_suffix("")
#: A campaign in which each document has the same raters for all systems.
BALANCED = "wmt23/en-de"
#: Rules that the page leaves out: Pearmut's is for what its own dashboard has collected, and takes
#: an item's last rating, while the rows here are not known to be in the order of time.
LEFT_OUT = {"pearmut"}

#: All campaigns as they are kept.
Kept = Mapping[str, Any]


def to_markdown(kept: Kept) -> dict[Path, str]:
    """The pages for the repository, by their files."""
    campaigns = compared(kept)
    sources = by_source(campaigns)
    not_published = sources["stand_in"] + sources["interim"]
    (balanced,) = (found for found in campaigns if found.name == BALANCED)
    environment = templates(TEMPLATES)
    environment.filters |= {"correlation": correlation, "percent": percent, "spread": spread}
    found: dict[str, Any] = {
        "campaigns": [shown(campaign) for campaign in campaigns],
        "total": totals(campaigns),
        "published": totals(sources["published"]),
        "stand_in": totals(sources["stand_in"]),
        "interim": totals(sources["interim"]),
        "not_published": totals(not_published),
        "by_rule_only": _by_rule_only(sources["published"]),
        "raters": _range_of_raters(sources["published"]),
        "balanced": _errors(balanced),
        "splits": kept["splits"],
        "scored": listed([title(name) for name in kept["without_raters"]["scored"]]),
        "unjudged": _by_year(kept["without_raters"]["unjudged"]),
        "rules": [
            _rule(name, sources["published"], not_published)
            for name in FIELD_RULES
            if name not in LEFT_OUT
        ],
        "scores": ESTIMATES,
    }
    pages = {}
    for path in PAGES:
        text = environment.get_template(f"{path.name}.j2").render(found)
        pages[path] = f"{text.strip()}\n"
    return pages


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


def _by_rule_only(campaigns: Sequence[Compared]) -> list[dict[str, Any]]:
    """The borders that are published and have a pair across that the tests do not tell apart."""
    found = []
    for campaign in campaigns:
        for border in campaign.borders:
            if not border.holds_by_pairs:
                found.append({"title": title(campaign.name), "fate": border.fate})
    return found


def _range_of_raters(campaigns: Sequence[Compared]) -> tuple[int, int]:
    """The fewest and the most raters of a campaign."""
    raters = [campaign.kept["raters"] for campaign in campaigns]
    return min(raters), max(raters)


def shown(campaign: Compared) -> dict[str, Any]:
    """All that the template shows of a campaign."""
    return {
        **counts(campaign),
        "title": title(campaign.name),
        "file": file_name(campaign),
        "raters": campaign.kept["raters"],
        "systems": len(campaign.systems),
        "source": source(campaign),
        "first": campaign.standings.index[0],
        "first_by_model": campaign.systems.index[0],
        "n_borders": len(campaign.borders),
        "n_holding": sum(border.holds_by_pairs for border in campaign.borders),
        "n_uncorrected": campaign.n_borders_kept(campaign.by_model),
        "n_kept": campaign.n_borders_kept(campaign.by_model_with_holm),
        "fates": _by_fate(campaign.borders),
        "not_by_pairs": _not_by_pairs(campaign.borders),
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


def _by_fate(borders: Sequence[Border]) -> list[str]:
    """What becomes of borders, and which these are: a sentence for each fate."""
    sentences = []
    for fate in Fate:
        ranks = [border.rank for border in borders if border.fate == fate]
        if len(ranks) == 1:
            sentences.append(f"{_below(ranks)} is {fate}.")
        elif ranks:
            of_each = fate.replace("across it", "across each")
            sentences.append(f"{_below(ranks)} are {of_each}.")
    return sentences


def _not_by_pairs(borders: Sequence[Border]) -> str:
    """The beginning of a sentence on borders that do not hold by the tests of every pair across."""
    ranks = [border.rank for border in borders if not border.holds_by_pairs]
    if not ranks:
        return ""
    verb = "does" if len(ranks) == 1 else "do"
    return f"{_below(ranks)} {verb}"


def _below(ranks: Sequence[int]) -> str:
    """The borders below some ranks, at the beginning of a sentence."""
    noun = "The border below rank" if len(ranks) == 1 else "The borders below ranks"
    return f"{noun} {listed(list(map(str, ranks)))}"


def _rule(
    name: str, published: Sequence[Compared], not_published: Sequence[Compared]
) -> dict[str, Any]:
    """A rule of the field, and how many pairs it tells apart in either group of campaigns."""
    rule = FIELD_RULES[name]
    return {
        "name": name,
        "title": rule.title,
        "compares": rule.compares,
        "published": _told_apart_by_rule(name, published),
        "not_published": _told_apart_by_rule(name, not_published),
    }


def _told_apart_by_rule(name: str, campaigns: Sequence[Compared]) -> dict[str, int]:
    """How many pairs of these campaigns a rule compares, and how many it tells apart."""
    counts = pd.concat([campaign.table("rules") for campaign in campaigns])
    of_rule = counts[counts["rule"] == name]
    return {
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
    organisers = _n_clusters(campaign.n_clusters_of_organisers)
    model = _n_clusters(campaign.n_clusters_with_holm)
    return (
        f"{len(campaign.systems)} systems in {organisers}, each with its "
        f"{MEANS[source(campaign)]} and an adjusted estimate with its interval; "
        f"{model} with Holm's correction."
    )


def _n_clusters(n: int) -> str:
    return "1 cluster" if n == 1 else f"{n} clusters"
