"""What the rows of several papers read or compute: each thing once in a run."""

from __future__ import annotations

from functools import cache
from typing import Any

import pandas as pd

import mtsig_nb as mt
from mtsig_nb.campaigns.printed import printed_numbers

from ..repository.campaigns import campaign, statistics
from .rows import Printed

#: The six metrics of units 16 and 21, and the four of Graham et al. (2014).
SIX_METRICS = ("BLEU", "NIST", "TER", "GTM", "METEOR", "chrF")
FOUR_METRICS = ("BLEU", "NIST", "METEOR", "TER")
#: The four papers, as their files in ``datasets/published`` begin; ids of numbers are unique.
PUBLISHED = ("koehn2004", "riezler_maxwell2005", "stroppa_owczarzak2007", "graham2014")


def pair_of_unit_13(metric: str = "BLEU") -> mt.SufficientStatistics:
    """Two systems of WMT13 es-en that differ little."""
    wmt13 = statistics("wmt13/es-en", metric)
    return wmt13.select(["DCU-Prompsit.2880", "online-A"])


def language_pair(name: str) -> str:
    """The language pair of a campaign: es-en of wmt12/es-en."""
    return name.partition("/")[2]


def pair_label(a: str, b: str) -> str:
    """A pair of systems, as tables name it."""
    return f"{a} − {b}"


@cache
def people(name: str) -> mt.Conclusions:
    """What people concluded about a campaign's systems at .05."""
    judgements = campaign(name).human
    return judgements.conclusions(alpha=0.05)


def judged(given: mt.SufficientStatistics, gold: mt.Conclusions) -> mt.SufficientStatistics:
    """The statistics of those systems that people concluded something about."""
    systems = [system for system in given.systems if system in gold.systems]
    return given.select(systems)


def in_direct_assessment() -> list[str]:
    """The campaigns with per-rater direct assessment."""
    listed = mt.list_campaigns()
    has_raters = listed["human"].str.contains("direct assessment, ")
    names = listed["name"][has_raters]
    return [str(name) for name in names]


def compared(name: str, metric: str, **options: Any) -> mt.Comparisons:
    """All pairs of a campaign's systems, without intervals unless `options` ask for them."""
    options.setdefault("interval", None)
    scored = statistics(name, metric)
    return mt.compare_all(scored, **options)


@cache
def _numbers() -> dict[Any, Any]:
    """The printed numbers of all papers: the columns of each number's line, by its id."""
    numbers = pd.concat(map(printed_numbers, PUBLISHED))
    return numbers.to_dict("index")


def quoted(name: str) -> Printed:
    """A printed number by its id, with where it stands; ``id/value_to`` is the end of a range."""
    number_id, _, column = name.partition("/")
    line = _numbers()[number_id]
    printed = line[column or "value"]
    where = line["section"]
    if where[0].isdigit():
        where = f"section {where}"
    return Printed(printed, where)


def text(name: str) -> str:
    """A printed number by its id, as it is printed."""
    return quoted(name).text


def number(name: str) -> float:
    """A printed number by its id, as a number."""
    return float(text(name))
