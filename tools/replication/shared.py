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
    return statistics("wmt13/es-en", metric).select(["DCU-Prompsit.2880", "online-A"])


@cache
def people(name: str) -> mt.Conclusions:
    """What people concluded about a campaign's systems at .05."""
    return campaign(name).human.conclusions(alpha=0.05)


def judged(given: mt.SufficientStatistics, gold: mt.Conclusions) -> mt.SufficientStatistics:
    """The statistics of those systems that people concluded something about."""
    return given.select([s for s in given.systems if s in gold.systems])


def in_direct_assessment() -> list[str]:
    """The campaigns with per-rater direct assessment."""
    given = mt.list_campaigns()
    return [str(n) for n in given["name"][given["human"].str.contains("direct assessment, ")]]


def compared(name: str, metric: str, **options: Any) -> mt.Comparisons:
    """All pairs of a campaign's systems, without intervals."""
    return mt.compare_all(statistics(name, metric), **{"interval": None, **options})


@cache
def _numbers() -> dict[Any, Any]:
    return pd.concat(map(printed_numbers, PUBLISHED)).to_dict("index")


def quoted(name: str) -> Printed:
    """A printed number by its id, with where it stands; ``id/value_to`` is the end of a range."""
    name, _, column = name.partition("/")
    row = _numbers()[name]
    where = f"section {row['section']}" if row["section"][0].isdigit() else row["section"]
    return Printed(row[column or "value"], where)


def text(name: str) -> str:
    """The same as it is printed."""
    return quoted(name).text


def number(name: str) -> float:
    """The same as a number."""
    return float(text(name))
