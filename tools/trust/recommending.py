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

from .rows import FIRST_LEVEL, Row

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


#: The rows of a test, by the labels of settings.
ByLabel = dict[str, Row]


@dataclasses.dataclass(frozen=True)
class Cell:
    """What is recommended, in one setting.

    Attributes
    ----------
    label : str
        The setting's label.
    row : dict
        The row of the recommended test.
    suspected : bool
        Whether the recommended test errs too often there.
    nearest : dict, optional
        The row of the test that errs least there, where several may be recommended.
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
        """The cells in which the test keeps its level, or errs on the safe side."""
        return [cell for cell in self.cells if not cell.suspected]

    @property
    def exceptions(self) -> list[Cell]:
        """The cells in which the test errs too often."""
        return [cell for cell in self.cells if cell.suspected]


def rate(row: Row) -> float:
    """The share that errs at the first level."""
    counts = row["counts"]
    if row["group"] == "intervals":
        share_covered = counts["covered"] / row["of"]
        return float(1 - share_covered)
    return float(counts[FIRST_LEVEL] / row["of"])


def error(count: int, n: int) -> float:
    """Monte Carlo standard error of a share; never zero, which no finite number shows."""
    share = (count + 1) / (n + 2)
    return math.sqrt(share * (1 - share) / n)


def keeps(row: Row) -> bool:
    """Whether a test is measured to keep its level."""
    return KEEPS[0] <= rate(row) <= KEEPS[1]


def errs_by(row: Row) -> float:
    """By how many Monte Carlo standard errors a test finds a difference too often."""
    count = row["counts"][FIRST_LEVEL]
    excess = rate(row) - KEEPS[1]
    return excess / error(count, row["of"])


def is_suspected(row: Row) -> bool:
    """Whether a test seems to err too often, which is enough to look for another."""
    return errs_by(row) > SUSPECTED


def candidates(rows: Sequence[Row]) -> list[Row]:
    """The tests of one setting that may be recommended, of the units that should be taken."""
    proper_units = rows[0]["units"]
    tests = [row for row in rows if row["group"] == "tests" and row["candidate"]]
    return [row for row in tests if row["units"] == proper_units]


def recommended(world: Mapping[str, Any]) -> Recommendation | None:
    """The test for a kind of data; None where nothing on its page may be recommended."""
    by_setting = {}
    for setting in world["settings"]:
        by_setting[setting["label"]] = candidates(setting["rows"])
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


def rows_by_test(by_setting: Mapping[str, Sequence[Row]]) -> dict[str, ByLabel]:
    """The rows of each test by their settings; tests are in the order of the tables."""
    by_test: dict[str, ByLabel] = {}
    for label, rows in by_setting.items():
        for row in rows:
            of_test = by_test.setdefault(row["name"], {})
            of_test[label] = row
    return by_test


def chosen(by_test: Mapping[str, ByLabel]) -> str:
    """The name of the test that the rule recommends."""
    names = [name for name in by_test if name != LAST]
    if LAST in by_test:
        names.append(LAST)
    default, *others = names
    if any(is_suspected(row) for row in by_test[default].values()):
        for name in others:
            if mends(by_test[name], by_test[default]):
                return name
    return default


def mends(test: ByLabel, default: ByLabel) -> bool:
    """Whether a test may take the place of a default that is suspected in some settings."""
    if any(errs_by(row) > REFUTED for row in test.values()):
        return False
    for label, row in default.items():
        was_measured = label in test
        if not was_measured:
            return False
        if is_suspected(row) and rate(test[label]) > BETTER * rate(row):
            return False
    return True
