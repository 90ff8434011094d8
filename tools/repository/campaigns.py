"""The embedded campaigns, each loaded once in a run."""

from __future__ import annotations

from functools import cache, lru_cache

import mtsig_nb as mt


@cache
def campaign(name: str) -> mt.Campaign:
    """An embedded campaign, loaded once."""
    return mt.load(name)


@lru_cache(maxsize=8)
def statistics(name: str, metric: str) -> mt.SufficientStatistics:
    """A campaign's statistics under one metric; those read last are kept."""
    return campaign(name).statistics(metric)
