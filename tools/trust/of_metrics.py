"""What comparisons of metrics say, counted."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from .rows import LEVELS, Row, Seed, of_units, row_of
from .worlds import Setting

#: Comparisons of metrics that take pairs of systems, or their segments, for what was sampled.
PAIRS_AS_UNITS = {
    "McNemar": "papers",
    "Cochran's Q": "papers",
    "chi-square": "papers",
    "Clopper-Pearson": "papers",
    "PERM-BOTH": "mt-metrics-eval",
}


def between_metrics(setting: Setting, rates: pd.DataFrame, _: Seed) -> Iterator[Row]:
    """Every comparison of two metrics, and every interval."""
    n_worlds = setting.n_pairs
    rows = [*tests_of_metrics(rates["rate"], n_worlds)]
    rows += intervals_of_metrics(rates["coverage"], n_worlds)
    yield from of_units("systems", rows)


def tests_of_metrics(rates: pd.Series, n_worlds: int) -> Iterator[Row]:
    """A row for each procedure that has a p-value, from its rates by procedure and alpha."""
    procedures = rates.index.unique("procedure")
    by_level = rates.unstack("alpha").reindex(procedures).dropna()
    for procedure, shares in by_level.iterrows():
        name = str(procedure)
        tool = PAIRS_AS_UNITS.get(name, "")
        counts = {}
        for level in LEVELS:
            counts[f"{level:g}"] = round(shares[level] * n_worlds)
        yield row_of("tests", name, name, n_worlds, counts, tool=tool, candidate=not tool)


def intervals_of_metrics(coverage: pd.Series, n_worlds: int) -> Iterator[Row]:
    """A row for each procedure that has an interval, of one accuracy or of the difference."""
    shares = coverage.xs(LEVELS[0], level="alpha").dropna()
    for procedure, share in shares.items():
        name = str(procedure)
        title = name if ":" in name else f"{name}, of the difference"
        _, _, method = name.rpartition(": ")
        tool = PAIRS_AS_UNITS.get(method, "")
        counts = {"covered": round(share * n_worlds)}
        yield row_of("intervals", name, title, n_worlds, counts, tool=tool)
