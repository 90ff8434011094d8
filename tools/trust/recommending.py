"""Which test to use on a kind of data, by a rule that Monte Carlo noise does not turn.

A kind of data is a world, and its settings are the cells that support a recommendation.  One test
is recommended for all of them:

1. Each kind has a *default*: the first of its tests that may be recommended, in the order of the
   tables.  It stays unless it is *suspected*: in some cell it finds a difference too often by more
   than `SUSPECTED` Monte Carlo standard errors.
2. Then a test takes its place that is *refuted* in no cell, which means too often by more than
   `REFUTED` standard errors, and that finds a difference in at most `BETTER` times as many data
   sets wherever the default is suspected: the first such test, Koehn's bootstrap last.
3. If there is no such test, the default stays, and the cells are named in which it is suspected.

"Too often" is more often than the upper end of `KEEPS`.  To be given up takes a suspicion, to be
ruled out takes a proof: the two are further apart than a count moves when it is made again.  A test
is not preferred for being a little nearer to .05 in one cell.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

from .rows import LEVELS, Row

#: What a test of .05 may be measured at and still be said to keep its level.
KEEPS = (0.04, 0.065)
#: By how many Monte Carlo standard errors too often, to give up a default and to rule out a test.
SUSPECTED = 1.5
REFUTED = 3.0
#: How often a test may err that takes the default's place, as a share of how often that does.
BETTER = 0.75
#: A p-value from resamples around the observed difference.  It has no null distribution, so it is
#: exact nowhere, and where units are few it errs in most worlds.
LAST = "paired-bootstrap"


@dataclasses.dataclass(frozen=True)
class Cell:
    """What is recommended, in one setting.

    Attributes
    ----------
    label : str
        Of the setting.
    row : dict
        Of the recommended test.
    suspected : bool
        Whether it errs too often there.
    nearest : dict, optional
        Of the test that errs least there, where there are several that may be recommended.
    """

    label: str
    row: Row
    suspected: bool
    nearest: Row | None


@dataclasses.dataclass(frozen=True)
class Recommendation:
    """A test for a kind of data, and the settings in which it was measured there."""

    name: str
    title: str
    cells: Sequence[Cell]

    @property
    def supporting(self) -> list[Cell]:
        """Those in which it keeps its level, or errs on the safe side."""
        return [cell for cell in self.cells if not cell.suspected]

    @property
    def exceptions(self) -> list[Cell]:
        """Those in which it errs too often."""
        return [cell for cell in self.cells if cell.suspected]


def rate(row: Row) -> float:
    """The share that errs at the first level."""
    if row["group"] == "intervals":
        return float(1 - row["counts"]["covered"] / row["of"])
    return float(row["counts"][f"{LEVELS[0]:g}"] / row["of"])


def error(count: int, of: int) -> float:
    """Monte Carlo standard error of a share; never zero, which no finite number shows."""
    share = (count + 1) / (of + 2)
    return math.sqrt(share * (1 - share) / of)


def keeps(row: Row) -> bool:
    """Whether a test is measured to keep its level."""
    return KEEPS[0] <= rate(row) <= KEEPS[1]


def errs_by(row: Row) -> float:
    """By how many Monte Carlo standard errors a test finds a difference too often."""
    count = row["counts"][f"{LEVELS[0]:g}"]
    return (rate(row) - KEEPS[1]) / error(count, row["of"])


def is_suspected(row: Row) -> bool:
    """Whether a test seems to err too often, which is enough to look for another."""
    return errs_by(row) > SUSPECTED


def candidates(rows: Sequence[Row]) -> list[Row]:
    """The tests of one setting that may be recommended, of the units that should be taken."""
    proper = rows[0]["units"]
    return [
        row
        for row in rows
        if row["group"] == "tests" and row["candidate"] and row["units"] == proper
    ]


def recommended(world: Mapping[str, Any]) -> Recommendation | None:
    """The test for a kind of data; None where nothing on its page may be recommended."""
    by_setting = {setting["label"]: candidates(setting["rows"]) for setting in world["settings"]}
    by_test = rows_by_test(by_setting)
    if not by_test:
        return None
    name = chosen(by_test)
    cells = []
    for label, row in by_test[name].items():
        tests = by_setting[label]
        nearest = min(tests, key=rate) if len(tests) > 1 else None
        cells.append(Cell(label, row, is_suspected(row), nearest))
    title = cells[0].row["title"]
    return Recommendation(name, title, cells)


def rows_by_test(by_setting: Mapping[str, Sequence[Row]]) -> dict[str, dict[str, Row]]:
    """The rows of each test by their settings; tests are in the order of the tables."""
    by_test: dict[str, dict[str, Row]] = {}
    for label, rows in by_setting.items():
        for row in rows:
            by_test.setdefault(row["name"], {})[label] = row
    return by_test


def chosen(by_test: Mapping[str, Mapping[str, Row]]) -> str:
    """The name of the test that the rule recommends."""
    default, *others = sorted(by_test, key=lambda name: name == LAST)
    suspected = [label for label, row in by_test[default].items() if is_suspected(row)]
    if suspected:
        for name in others:
            if mends(by_test[name], by_test[default], suspected):
                return name
    return default


def mends(test: Mapping[str, Row], default: Mapping[str, Row], suspected: Sequence[str]) -> bool:
    """Whether a test may take the place of a default that is suspected in some settings."""
    if any(errs_by(row) > REFUTED for row in test.values()):
        return False
    if not set(default) <= set(test):  # it was not measured everywhere
        return False
    return all(rate(test[label]) <= BETTER * rate(default[label]) for label in suspected)
