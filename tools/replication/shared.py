"""What the rows of several papers read or compute: each thing once in a run."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import mtsig_nb as mt

#: The six metrics of notebooks 06 and 08, and the four of Graham et al. (2014).
SIX_METRICS = ("BLEU", "NIST", "TER", "GTM", "METEOR", "chrF")
FOUR_METRICS = ("BLEU", "NIST", "METEOR", "TER")


@cache
def campaign(name: str) -> mt.Campaign:
    """An embedded campaign, loaded once."""
    return mt.load(name)


@lru_cache(maxsize=8)
def statistics(name: str, metric: str) -> mt.SufficientStatistics:
    """A campaign's statistics under one metric; those read last are kept."""
    return campaign(name).statistics(metric)


@cache
def people(name: str) -> mt.Conclusions:
    """What people concluded about a campaign's systems at .05."""
    return campaign(name).human.conclusions(alpha=0.05)


def in_direct_assessment() -> list[str]:
    """The campaigns with per-rater direct assessment."""
    given = mt.list_campaigns()
    return [str(n) for n in given["name"][given["human"].str.contains("direct assessment, ")]]


def compared(name: str, metric: str, **options: Any) -> mt.Comparisons:
    """All pairs of a campaign's systems, without intervals."""
    return mt.compare_all(statistics(name, metric), **{"interval": None, **options})
