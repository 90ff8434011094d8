"""Rows of counts: what a test, an interval or a correction did in a setting.

A row is plain data: a group, a name, what it is of, and counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

import mtsig_nb as mt
from mtsig_nb.conclusions.deciding import decide
from mtsig_nb.engine.procedures import PROCEDURES
from mtsig_nb.metrics.base import FloatArray
from mtsig_nb.significance.actual_size import USUAL, threshold

#: Tests are counted at these levels; what is recommended is chosen by the first.
LEVELS = (0.05, 0.01)
#: Where a row counts what is found at the first level.
FIRST_LEVEL = f"{LEVELS[0]:g}"
CONFIDENCE = 0.95
#: p-values of so many resamples can be .05 and .01 exactly.
RESAMPLES = 999
#: For so many data sets of a part what is slow is done: intervals, and tests over runs.
INTERVALS = 40

Row = dict[str, Any]
#: A seed of its own for each use, by numbers.
Seed = Callable[..., int]


def pvalues_of(results: Iterable[Any]) -> list[Any]:
    """The p-values of several results, None where one has none."""
    return [result.pvalue for result in results]


def row_of(group: str, name: str, title: str, n: int, counts: dict[str, int], **more: Any) -> Row:
    """A row with counts out of `n`, and `more` under names of its own before them."""
    row: Row = {"group": group, "name": name, "title": title}
    row["tool"] = ""
    row |= more
    row["of"] = n
    row["counts"] = counts
    return row


def of_units(units: str, rows: Iterable[Row]) -> Iterator[Row]:
    """Rows with what they are told to take for independent."""
    for row in rows:
        yield row | {"units": units}


def rejections(pvalues: npt.ArrayLike) -> dict[str, int]:
    """How many p-values lead to a claim, at each level."""
    p = np.asarray(pvalues)
    differences = np.ones(p.shape)  # any: either verdict is a claim
    counts = {}
    for level in LEVELS:
        verdicts = decide(differences, p, level)
        n_claims = np.count_nonzero(verdicts)
        counts[f"{level:g}"] = int(n_claims)
    return counts


def row_of_test(
    name: str,
    title: str,
    pvalues: npt.ArrayLike,
    *,
    tool: str = "",
    candidate: bool = False,
    sizes: Sequence[float | None] | FloatArray | None = None,
) -> Row:
    """A test's row.

    `candidate` is one that may be recommended: it asks whether the scores differ, and means it.
    `sizes` are what results estimate their test's size at .05 to be, where they do.
    """
    counts = rejections(pvalues)
    n = np.size(pvalues)
    row = row_of("tests", name, title, n, counts, tool=tool, candidate=candidate)
    if sizes is not None:
        estimated = np.asarray(sizes, dtype=np.float64)
        known = estimated[~np.isnan(estimated)]
        procedure = PROCEDURES.get(name)
        too_large = threshold(procedure) * USUAL
        is_too_large = known > too_large
        counts["warned"] = int(is_too_large.sum())
        row["sizes"] = known.tolist()
    return row


def row_of_results(
    results: Sequence[Any], *, candidate: bool, sizes: Sequence[float | None] | None = None
) -> Row:
    """The row of a test's results, one for each data set, under the test's own name and title."""
    first = results[0]
    pvalues = pvalues_of(results)
    return row_of_test(first.test, first.title, pvalues, candidate=candidate, sizes=sizes)


def row_of_intervals(
    method: str, about: str, ends: npt.ArrayLike, truth: float, *, tool: str = ""
) -> Row:
    """How often intervals contain the truth, and on which side they miss it.

    `ends` has the lower and the upper end of each interval; `about` names what they are about.
    """
    low, high = np.array(ends).T
    is_below = high < truth
    is_above = low > truth
    contains_truth = (low <= truth) & (truth <= high)
    counts = {
        "covered": int(contains_truth.sum()),
        "below": int(is_below.sum()),
        "above": int(is_above.sum()),
    }
    name = f"{method}, {about}"
    title = f"{method}, of the {about}"
    return row_of("intervals", name, title, low.size, counts, tool=tool, about=about)


def members(pairs: mt.SufficientStatistics) -> list[tuple[str, str]]:
    """The names of the two systems of each pair."""
    half = len(pairs.systems) // 2
    first = pairs.systems[:half]
    second = pairs.systems[half:]
    return list(zip(first, second, strict=True))
