"""Where everything stands: the pages, and the worlds on each of them."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

#: The first page, in the folder of documents; all others are in the folder of this name.
FIRST = "trust"
#: Pages about subjects; each is made of the template of its name.
SUBJECTS = (
    "kinds",
    "small-p-values",
    "languages",
    "runs-raters-judges",
    "campaigns",
    "looks",
    "gates-and-leaderboards",
    "promises",
    "best-to-worst",
)


@dataclasses.dataclass(frozen=True)
class PageOfWorlds:
    """A page that shows what was counted in some worlds.

    Attributes
    ----------
    name : str
        The name of its file, without the suffix.
    title, about : str
        Its heading, and what stands below it.
    worlds : tuple of str
        The keys of its worlds.
    """

    name: str
    title: str
    about: str
    worlds: tuple[str, ...]


PAGES_OF_WORLDS = (
    PageOfWorlds(
        "worlds-outputs-and-scores",
        "Worlds of outputs and scores",
        "Two systems, their outputs or the scores of their segments, and segments as units.",
        (
            "swap",
            "swap-mqm",
            "spread",
            "lengths",
            "neighbours",
            "kinked",
            "few-differ",
            "few-differ-alike",
            "yes-or-no",
        ),
    ),
    PageOfWorlds(
        "worlds-skewed",
        "Worlds of skewed scores",
        "Most segments differ little, and a few differ much.",
        ("skewed", "skewed-middling", "failures", "margin"),
    ),
    PageOfWorlds(
        "worlds-documents",
        "Worlds of documents",
        "Segments of one document are alike, so that documents are the units. The human "
        "translations in the second world are those of [the most skewed pair]"
        "(worlds-skewed.md#skewed-differences-the-most-skewed-pair).",
        ("documents", "documents-skewed", "one-language"),
    ),
    PageOfWorlds(
        "worlds-languages",
        "Worlds of many languages",
        "The same documents or sentences in several languages, and one verdict.",
        ("test-sets-swap", "test-sets-effects", "same-sentences"),
    ),
    PageOfWorlds(
        "worlds-runs-and-metrics",
        "Worlds of runs and metrics",
        "Methods trained several times, and metrics that are compared by people's verdicts.",
        (
            "runs",
            "runs-scattered",
            "unequal-runs",
            "shared-systems",
            "shared-systems-segments",
            "shared-systems-soft",
            "agreement-by-size",
        ),
    ),
    PageOfWorlds(
        "worlds-people",
        "Worlds of people and judges",
        "People score segments or prefer systems, with a judge beside them or alone.",
        (
            "people-same-segments",
            "people-other-segments",
            "control-items",
            "preferences",
            "few-people",
            "people-left",
            "people-documents",
        ),
    ),
    PageOfWorlds(
        "worlds-ratings",
        "Worlds of ratings",
        "A few raters rate many outputs, and are a sample as segments are.",
        (
            "raters",
            "few-raters",
            "uneven-raters",
            "dynamic-campaigns",
            "campaigns-in-languages",
        ),
    ),
    PageOfWorlds(
        "worlds-looks-gates-boards",
        "Worlds of looks, gates and boards",
        "Judgements that somebody looks at while they come in, candidates at a margin, and boards.",
        (
            "looks",
            "looks-documents",
            "looks-rankings",
            "looks-differing",
            "watched-given-up",
            "watched-raters",
            "gate-margin",
            "gate-equal",
            "leaderboards",
        ),
    ),
)


def page_of(key: str) -> PageOfWorlds:
    """The page that shows a world."""
    for page in PAGES_OF_WORLDS:
        if key in page.worlds:
            return page
    raise KeyError(f"no page has the world {key!r}: add it to PAGES_OF_WORLDS")


def anchor(world: Mapping[str, Any]) -> str:
    """The fragment by which GitHub names the section of a world."""
    words = re.sub("[,']", "", world["title"])
    return words.lower().replace(" ", "-")


def link(world: Mapping[str, Any]) -> str:
    """From another page of the folder to the section of a world."""
    page = page_of(world["key"])
    return f"{page.name}.md#{anchor(world)}"
