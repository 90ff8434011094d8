"""The chosen algorithm, line by line, with one pair's own numbers filled in.

Every number is read from the test's result; none is computed by another way than the test's.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from ..report.exports import printed_pvalue
from ..report.verdicts import digits_for
from ..significance.results import TestResult

_FIRST = 5  # resamples whose differences are shown


@dataclasses.dataclass(frozen=True)
class Step:
    """A line of the algorithm, what it came to, and whether it is the line with the mistake."""

    line: str
    value: str
    mistake: bool = False
    indent: int = 0


def steps(result: TestResult) -> list[Step]:
    """The lines of the test that made `result`, with its numbers.

    Parameters
    ----------
    result : TestResult
        Of one of the four resampling tests.
    """
    digits = digits_for([result.score_a, result.score_b])
    a, b, d = result.system_a, result.system_b, result.statistic

    def number(x: float) -> str:
        return f"{x:+.{digits}f}"

    direction = " (smaller is better)" if (result.score_a - result.score_b) * d < 0 else ""
    opening = Step(
        f"d ← how much better A is than B on the test set{direction}",
        f"A is {a}, {result.score_a:.{digits}f}; B is {b}, {result.score_b:.{digits}f}; "
        f"d = {number(d)} {result.metric}",
    )
    listed = ", ".join(number(x) for x in result.resampled[:_FIRST])
    return [
        opening,
        *_drawing(result, listed),
        *_centring(result, number),
        _counting(result, number),
        *_pvalue(result),
    ]


def _drawing(result: TestResult, listed: str) -> list[Step]:
    if result.exact:
        return [
            Step(
                "for every way to exchange outputs:",
                f"2^{result.n_differing} = {result.n_resamples:,} ways, since the outputs differ "
                f"in {result.n_differing} of {result.n_units:,} {result.unit}",
            ),
            Step("d* ← the difference after the exchange", f"{listed}, …", indent=1),
        ]
    repeat = Step(f"repeat R = {result.n_resamples:,} times:", f"seed {result.rng}")
    if result.test == "approximate-randomization":
        what = f"toss a coin for each of {result.n_units:,} {result.unit}; heads: exchange outputs"
        after = "d* ← the difference between the two shuffled systems"
    else:
        what = f"draw {result.n_units:,} of {result.n_units:,} {result.unit} with replacement"
        after = "d* ← the difference on the drawn test set"
    return [repeat, Step(what, "", indent=1), Step(after, f"{listed}, …", indent=1)]


def _centring(result: TestResult, number: Callable[[float], str]) -> list[Step]:
    if result.test == "bootstrap":
        mean = float(np.mean(result.resampled))
        return [
            Step("m ← mean of all d*", f"m = {number(mean)}, near d, as it should be"),
            Step(
                "shift: d* ← d* − m, so that the mean is zero",
                ", ".join(number(x) for x in result.null_distribution[:_FIRST]) + ", …",
            ),
        ]
    if result.test == "riezler-maxwell-bootstrap":
        mean = float(np.mean(np.abs(result.resampled)))
        return [
            Step(
                "m ← mean of all |d*|",
                f"m = {number(mean)}: the sign is gone before anything is centred",
                mistake=True,
            ),
            Step(
                "shift: |d*| − m",
                ", ".join(number(x) for x in result.null_distribution[:_FIRST])
                + ", … : a resample far below zero can no longer count",
                mistake=True,
            ),
        ]
    return []


def _counting(result: TestResult, number: Callable[[float], str]) -> Step:
    d, op = result.statistic, {">=": "≥", ">": ">"}[result.counting.comparator]
    opposite = {"≥": "≤", ">": "<"}[op]
    total = len(result.null_distribution)
    found = f"c = {result.count:,} of {total:,}"
    if result.test == "paired-bootstrap":
        wins = {
            "greater": f"A does not win (d* {opposite} 0)",
            "less": f"B does not win (d* {op} 0)",
            "two-sided": "the system that wins less often wins or ties",
        }[result.alternative]
        return Step(f"c ← how often {wins}", found)
    if result.test == "riezler-maxwell-bootstrap":
        return Step(
            f"c ← how often |d*| − m {op} |d|",
            f"{found} reach {number(abs(d))}, all in one tail",
            mistake=True,
        )
    if result.alternative == "two-sided":
        return Step(f"c ← how often |d*| {op} |d|", f"{found} reach {number(abs(d))} or its mirror")
    if result.alternative == "greater":
        return Step(f"c ← how often d* {op} d", f"{found} reach {number(d)}")
    return Step(f"c ← how often d* {opposite} d", f"{found} are at or below {number(d)}")


def _pvalue(result: TestResult) -> list[Step]:
    c, n = result.count, result.n_resamples
    low, high = result.pvalue_interval
    shown = printed_pvalue(result.pvalue)
    p = f"p {shown}" if shown[0] in "<>" else f"p = {shown}"
    if result.exact:
        return [Step("p ← c / number of ways", f"{c:,}/{n:,}: {p}, exactly")]
    formula: str = result.counting.formula
    filled = {
        "(c+1)/(R+1)": f"({c:,} + 1)/({n:,} + 1)",
        "c/R": f"{c:,}/{n:,}",
        "(c+1)/R": f"({c:,} + 1)/{n:,}",
    }[formula]
    twice = result.test == "paired-bootstrap" and result.alternative == "two-sided"
    if twice:
        formula, filled = f"2 · {formula}, at most 1", f"2 · {filled}"
    last = Step(
        f"p ← {formula}",
        f"{filled}: {p}; with endless resamples between {low:.4f} and {high:.4f} (95 %)",
    )
    if result.test != "riezler-maxwell-bootstrap":
        return [last]
    return [
        dataclasses.replace(last, mistake=True),
        Step(
            "what it should have been: keep the sign, then centre, then count both tails",
            "choose the bootstrap test (shift method) to see it",
        ),
    ]


__all__ = ["Step", "steps"]
