"""What the rows of several papers read or compute: each thing once in a run."""

from __future__ import annotations

import dataclasses
from functools import cache, lru_cache
from typing import Any

import mtsig_nb as mt
from mtsig_nb.campaigns.printed import printed_numbers

from .rows import Printed

#: The six metrics of units 16 and 21, and the four of Graham et al. (2014).
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


@dataclasses.dataclass(frozen=True)
class Page:
    """The numbers that a paper prints, by the ids of `printed_numbers`."""

    paper: str

    def text(self, name: str, column: str = "value") -> str:
        """A number as it is printed."""
        return str(printed_numbers(self.paper).loc[name, column])

    def number(self, name: str, column: str = "value") -> float:
        """The same as a number."""
        return float(self.text(name, column))

    def quoted(self, name: str, column: str = "value") -> Printed:
        """The same with the place where it stands."""
        section = self.text(name, "section")
        where = f"section {section}" if section[0].isdigit() else section
        return Printed(self.text(name, column), where)
