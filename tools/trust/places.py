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
        Its heading, and what it is about: the end of a sentence.
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
        "pairs of systems whose units are segments",
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
        "segment scores with many small differences and a few large ones",
        ("skewed", "skewed-middling", "failures", "margin"),
    ),
    PageOfWorlds(
        "worlds-documents",
        "Worlds of documents",
        "data in which documents are the units, because segments of one document are alike",
        ("documents", "documents-skewed", "one-language"),
    ),
    PageOfWorlds(
        "worlds-languages",
        "Worlds of many languages",
        "one verdict over the same documents or sentences in several languages",
        ("test-sets-swap", "test-sets-effects", "same-sentences"),
    ),
    PageOfWorlds(
        "worlds-runs-and-metrics",
        "Worlds of runs and metrics",
        "methods that are trained several times, and metrics that are compared with people",
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
        "human scores and preferences, with and without a judge",
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
        "ratings by a few raters, who are a sample as segments are",
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
        "looks at judgements while they come in, candidates at a margin, and leaderboards",
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
