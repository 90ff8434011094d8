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
    tests = tests_of_metrics(rates["rate"], n_worlds)
    yield from of_units("systems", tests)
    intervals = intervals_of_metrics(rates["coverage"], n_worlds)
    yield from of_units("systems", intervals)


def tests_of_metrics(rates: pd.Series, n_worlds: int) -> Iterator[Row]:
    """A row for each procedure that has a p-value, from its rates by procedure and alpha."""
    procedures = rates.index.unique("procedure")
    by_level = rates.unstack("alpha").reindex(procedures).dropna()
    for procedure, shares in by_level.iterrows():
        name = str(procedure)
        tool = PAIRS_AS_UNITS.get(name, "")
        counts = {}
        for level in LEVELS:
            n_rejected = shares[level] * n_worlds
            counts[f"{level:g}"] = round(n_rejected)
        yield row_of("tests", name, name, n_worlds, counts, tool=tool, candidate=not tool)


def intervals_of_metrics(coverage: pd.Series, n_worlds: int) -> Iterator[Row]:
    """A row for each procedure that has an interval, of one accuracy or of the difference."""
    shares = coverage.xs(LEVELS[0], level="alpha").dropna()
    for procedure, share in shares.items():
        name = str(procedure)
        about, _, method = name.rpartition(": ")
        title = name if about else f"{name}, of the difference"
        tool = PAIRS_AS_UNITS.get(method, "")
        n_covered = share * n_worlds
        counts = {"covered": round(n_covered)}
        yield row_of("intervals", name, title, n_worlds, counts, tool=tool)
