"""Where the interval of a difference and its corrected conclusion say different things, and why."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..conclusions.deciding import UNRESOLVED, WORDS
from ..notes import Note, note
from .corrections import OF_PVALUES, OF_SHARES, STEPWISE

if TYPE_CHECKING:
    from .comparisons import Comparisons


def disagreements(comparisons: Comparisons) -> list[Note]:
    """A sentence for each way in which they do; see :mod:`mtsig_nb.significance.bounds`.

    None of one-sided tests, whose question is not that of an interval with two sides.

    Examples
    --------
    >>> import mtsig_nb as mt
    >>> bleu = mt.load("wmt12/es-en").statistics("BLEU")
    >>> (said,) = disagreements(mt.compare_all(bleu, rng=2))
    >>> print(said.partition(",")[0])
    in 3 of 66 pairs the 95 % interval excludes zero
    """
    c, table = comparisons, comparisons.table
    if c.interval is None or c.alternative != "two-sided":
        return []
    apart = table["conclusion"].isin([WORDS[1], WORDS[-1]])
    excluded = (table["ci_low"] > 0) | (table["ci_high"] < 0)
    by_interval = int((excluded & ~apart & (table["conclusion"] != UNRESOLVED)).sum())
    by_test = int((apart & ~excluded).sum())
    pairs = "comparisons" if len(c.metrics) > 1 else "pairs"
    in_so_many = f"in {{}} of {len(table)} {pairs} " if len(table) > 1 else ""
    level = f"intervals of {100 * (1 - c.alpha):g} % would go with that level; "
    level *= not math.isclose(1 - c.alpha, c.confidence_level or 0)
    corrected = "corrected " * (c.correction is not None and not _alone(c))
    compared = {
        "interval": f"the {100 * (c.confidence_level or 0):g} % interval",
        "test": f"the {corrected}test at {c.alpha:g}",
    }
    said = []
    if by_interval:
        where, because = in_so_many.format(by_interval), f"{level}{_only_by_interval(c)}"
        said.append(note("only-interval", where=where, **compared, because=because))
    if by_test:
        where, because = in_so_many.format(by_test), f"{level}{_only_by_test(c)}"
        said.append(note("only-test", where=where, **compared, because=because))
    return said


def _alone(c: Comparisons) -> bool:
    """Whether nothing allows for other pairs, or there are none."""
    return c.n_comparisons == 1 or (c.correction is None and c.interval != "simultaneous")


def _only_by_interval(c: Comparisons) -> str:
    if _alone(c):
        return _made_otherwise(c)
    if c.interval != "simultaneous":
        return "each interval is for its pair alone; interval='simultaneous' holds for all together"
    if c.correction in OF_PVALUES:
        return (
            f"{c.correction} does not know how pairs depend on one another, which the intervals use"
        )
    return _made_otherwise(c)


def _only_by_test(c: Comparisons) -> str:
    if c.interval != "simultaneous" or _alone(c):
        return _made_otherwise(c)
    if c.correction is None:
        return "each p is for its pair alone, the intervals hold for all together"
    if c.correction in STEPWISE:
        return (
            f"{c.correction} goes step by step and asks less of a pair once others are settled, "
            "which intervals for all together cannot"
        )
    if c.correction in OF_SHARES:
        return (
            f"{c.correction} bounds the share of false claims, the intervals the chance of any miss"
        )
    return _made_otherwise(c)


def _made_otherwise(c: Comparisons) -> str:
    if c.correction == "tukey":
        return "tukey measures all pairs by one yardstick, each interval by its own"
    return (
        f"p comes from {c.n_resamples:,} {c.draws}, the intervals from {c.interval_resamples:,} "
        "bootstrap resamples"
    )


__all__ = ["disagreements"]
