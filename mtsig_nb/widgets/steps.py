"""The chosen algorithm, line by line, with one pair's own numbers filled in.

Every number is read from the test's result; none is computed by another way than the test's.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from ..engine.procedures import Procedure
from ..metrics.base import FloatArray
from ..report.verdicts import digits_for, told_pvalue
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
        Of one of the resampling tests.
    """
    digits = digits_for([result.score_a, result.score_b])
    a, b, d = result.system_a, result.system_b, result.statistic

    number = number_of(result)

    def first(values: FloatArray) -> str:
        return ", ".join(map(number, values[:_FIRST])) + ", …"

    direction = " (smaller is better)" if (result.score_a - result.score_b) * d < 0 else ""
    opening = Step(
        f"d ← how much better A is than B on the test set{direction}",
        f"A is {a}, {result.score_a:.{digits}f}; B is {b}, {result.score_b:.{digits}f}; "
        f"d = {d:+.{digits}f} {result.metric}",
    )
    return [
        opening,
        *_studentizing(result, number),
        *_drawing(result, first(result.resampled)),
        *_centring(result, number, first(result.null_distribution)),
        _counting(result, number),
        *_pvalue(result),
    ]


def number_of(result: TestResult) -> Callable[[float], str]:
    """How what the test compares is written: as scores are, or with two decimals if t-values."""
    studentized = result.procedure is not None and result.procedure.studentized
    digits = 2 if studentized else digits_for([result.score_a, result.score_b])
    return f"{{:+.{digits}f}}".format


def _studentizing(result: TestResult, number: Callable[[float], str]) -> list[Step]:
    if not _procedure(result).studentized:
        return []
    return [Step("t ← d in its standard error", f"t = {number(result.observed)}")]


def _drawing(result: TestResult, listed: str) -> list[Step]:
    linearises = _procedure(result).linearises
    if result.exact:
        return [
            Step(
                f"for every way to {'turn signs' if linearises else 'exchange outputs'}:",
                f"2^{result.n_differing} = {result.n_resamples:,} ways, since the "
                f"{'contributions' if linearises else 'outputs'} differ in "
                f"{result.n_differing} of {result.n_units:,} {result.unit}",
            ),
            Step(
                f"d* ← the difference after {'that' if linearises else 'the exchange'}",
                listed,
                indent=1,
            ),
        ]
    repeat = Step(f"repeat R = {result.n_resamples:,} times:", f"seed {result.rng}")
    if linearises:
        what = f"toss a coin for each of {result.n_units:,} {result.unit}; heads: turn its sign"
        after = "d* ← the sum of what all contribute to the difference"
    elif _procedure(result).kind == "shuffle":
        what = f"toss a coin for each of {result.n_units:,} {result.unit}; heads: exchange outputs"
        after = "d* ← the difference between the two shuffled systems"
    else:
        what = f"draw {result.n_units:,} of {result.n_units:,} {result.unit} with replacement"
        after = "d* ← the difference on the drawn test set"
    if _procedure(result).studentized:
        after = f"{after}; t* ← d* − d in the standard error of d*"
    return [repeat, Step(what, "", indent=1), Step(after, listed, indent=1)]


def _centring(result: TestResult, number: Callable[[float], str], listed: str) -> list[Step]:
    procedure = _procedure(result)
    if not procedure.centres:
        return []
    mean = number(float(np.mean(procedure.averaged(result.resampled))))
    average, remark, shift, consequence = procedure.told
    wrong = not procedure.valid
    return [
        Step(average, ": ".join(filter(None, [f"m = {mean}", remark])), mistake=wrong),
        Step(shift, " : ".join(filter(None, [listed, consequence])), mistake=wrong),
    ]


def _counting(result: TestResult, number: Callable[[float], str]) -> Step:
    procedure, sign = _procedure(result), {">=": "≥", ">": ">"}[result.counting.comparator]
    found = f"c = {result.count:,} of {len(result.null_distribution):,}"
    edges = [number(edge) for edge, _ in procedure.edges(result.observed, result.alternative)]
    if not procedure.doubled:
        found += f" reach {' or '.join(edges)}"
    return Step(
        f"c ← how often {procedure.counted(result.alternative, sign)}",
        found if procedure.valid else f"{found}, all in one tail",
        mistake=not procedure.valid,
    )


def _pvalue(result: TestResult) -> list[Step]:
    formula, filled = filled_pvalue(result)
    p = told_pvalue(result.pvalue)
    if result.exact:
        return [Step(f"p ← {formula}", f"{filled}: {p}, exactly")]
    low, high = result.pvalue_interval
    last = Step(
        f"p ← {formula}",
        f"{filled}: {p}; with endless resamples between {low:.4f} and {high:.4f} (95 %)",
    )
    if _procedure(result).valid:
        return [last]
    return [
        dataclasses.replace(last, mistake=True),
        Step(
            "what it should have been: keep the sign, then centre, then count both tails",
            "choose the bootstrap test (shift method) to see it",
        ),
    ]


def filled_pvalue(result: TestResult) -> tuple[str, str]:
    """The formula of the p-value, and the same with its numbers."""
    c, n = f"{result.count:,}", f"{result.n_resamples:,}"
    if result.exact:
        return "c / number of ways", f"{c}/{n}"
    formula: str = result.counting.formula
    filled = {
        "(c+1)/(R+1)": f"({c} + 1)/({n} + 1)",
        "c/R": f"{c}/{n}",
        "(c+1)/R": f"({c} + 1)/{n}",
    }[formula]
    if _procedure(result).doubled and result.alternative == "two-sided":
        return f"2 · {formula}, at most 1", f"2 · {filled}"
    return formula, filled


def _procedure(result: TestResult) -> Procedure:
    assert result.procedure is not None  # only tests by resampling are chosen here
    return result.procedure


__all__ = ["Step", "filled_pvalue", "number_of", "steps"]
